/* tabs.h -- lists of tab stops: expand and unexpand */
#ifndef HOB_COMMANDS_LIB_TABS_H
#define HOB_COMMANDS_LIB_TABS_H

#include "shell/command.h"

struct tabs {
    uint64_t *p; /* on the arena */
    size_t n, cap;
    uint64_t every; /* behind the last: a tab stop every so many columns (one number, or /N) */
    uint64_t extend, increment; /* /N, and +N: counted from the last one */
    bool given;
};

/* Adds "8", "4,8,12", "4,/8", "4,+8". 0, or a status + 1. */
int tabs_parse(struct proc *p, struct tabs *t, struct str list);
int tabs_settle(struct proc *p, struct tabs *t); /* after all were added: 0 or a status */
/* The first stop behind column `col`; false: there are no more. */
bool tabs_next(const struct tabs *t, uint64_t col, uint64_t *next);

#endif

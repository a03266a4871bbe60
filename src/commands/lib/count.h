/* count.h -- numbers within bounds, with the messages of GNU's tools */
#ifndef HOB_COMMANDS_LIB_COUNT_H
#define HOB_COMMANDS_LIB_COUNT_H

#include "shell/command.h"

/* A decimal number from min to max. 0, or 1 after "what: 'x': reason". */
int count_parse(struct proc *p, struct str s, int64_t min, int64_t max, const char *what,
                int64_t *out);

#endif

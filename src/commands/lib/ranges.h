/* ranges.h -- lists like 1,3-5,7-: cut and numfmt */
#ifndef HOB_COMMANDS_LIB_RANGES_H
#define HOB_COMMANDS_LIB_RANGES_H

#include "shell/command.h"

struct range {
    uint64_t from, to; /* counted from 1, both included; UINT64_MAX: to the end */
};

struct ranges {
    struct range *p; /* on the arena, sorted, joined */
    size_t n;
};

enum {
    RANGES_BYTES = 1 /* wording of messages */,
    RANGES_COMPLEMENT = 2
};

/* 0, or the usage status after GNU's message. */
int ranges_parse(struct proc *p, struct str list, int flags, struct ranges *out);

#endif

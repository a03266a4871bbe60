/* human.h -- sizes for people: 1.5K, 20M, and block sizes as GNU's tools take them */
#ifndef HOB_COMMANDS_LIB_HUMAN_H
#define HOB_COMMANDS_LIB_HUMAN_H

#include "shell/command.h"

struct human {
    bool scale;     /* find the fitting unit for each number */
    bool si;        /* powers of 1000, not of 1024 */
    uint64_t unit;  /* without scale: divide by this, rounding up */
    char suffix[4]; /* what to print behind: --block-size=K */
    bool group;     /* with a ' in front: thousands are parted (not in this locale) */
};

enum {
    HUMAN_SIZE = 32
};

/* "K", "1K", "4096", "MB", "human-readable", "si". HOB_EINVAL, HOB_ERANGE. */
int human_parse(struct str s, struct human *out);
/* n bytes as text, rounded up; the length. */
size_t human_print(char out[HUMAN_SIZE], uint64_t bytes, const struct human *h);

#endif

/* mode.h -- permission modes: parsing 755 and u+x,go-w, applying, printing */
#ifndef HOB_COMMANDS_LIB_MODE_H
#define HOB_COMMANDS_LIB_MODE_H

#include "shell/command.h"

struct mode_op {
    char op;            /* + - = */
    char copy;          /* u g o: take the bits of that one; 0: `value` */
    bool execute;       /* X: only for folders and what is executable already */
    uint32_t who;       /* bits that may change; 0: all, but the umask holds some back */
    uint32_t value;     /* permission bits, in all three places */
    uint32_t mentioned; /* octal: the bits that were written, special ones of folders too */
};

struct mode_change {
    struct mode_op *p; /* on the arena */
    size_t n;
};

/* HOB_EINVAL when it is no mode. */
int mode_parse(struct proc *p, struct str text, struct mode_change *out);
/* The mode that comes of `mode`. */
uint32_t mode_apply(const struct mode_change *c, uint32_t mode, bool dir, uint32_t umask);
/* As ls writes it: "drwxr-xr-x", 10 characters and a NUL. */
void mode_string(uint32_t mode, char out[11]);

#endif

/* base64.h -- what base64 and base32 share with basenc */
#ifndef HOB_COMMANDS_BASE64_H
#define HOB_COMMANDS_BASE64_H

#include "shell/command.h"

struct base64 {
    bool decode, ignore;
    uint64_t wrap;
    uint64_t col;
    bool b32;     /* base32, not base64 */
    bool variant; /* the other alphabet: base64url, base32hex */
    /* Other encodings than these: an exit status, and 0 or HOB_EINVAL. NULL: base64 and base32. */
    int (*encode_other)(struct base64 *b, struct in *in);
    int (*decode_other)(struct base64 *b, struct in *in);
    int kind; /* which of the other ones: their own business */
    struct proc *p;
    struct out out;
};

void base64_defaults(struct proc *p, void *args);
/* -w */
int base64_wrap(struct proc *p, void *args, const struct opt *o, struct str arg);
/* Letters to the output, with line breaks, and the end of the last line. */
void base64_put(struct base64 *b, const char *p, size_t n);
void base64_put_end(struct base64 *b);
/* The operand or standard input, encoded or decoded: the exit status. */
int base64_stream(struct proc *p, struct base64 *b);

#endif

/* digest.h -- checksums by hashes, for md5sum and its kin and for cksum -a */
#ifndef HOB_COMMANDS_DIGEST_H
#define HOB_COMMANDS_DIGEST_H

#include "shell/command.h"
#include "text/hash.h"

struct digest {
    bool check, tag, zero, ignore_missing, quiet, status_only, strict, warn;
    bool any; /* -c finds out by the tag of a line which sum it is */
    int mode; /* 'b' or 't' when it was said; --tag says 'b' too */
    enum hash_kind kind;
    const char *name; /* "MD5" */
    size_t size;      /* bytes of the sum: -l, or with -c what the line has */
    uint64_t length;  /* -l, in bits */
    struct proc *p;
    struct out out;
};

/* Takes -l BITS: 0, or a status + 1 after a message. */
int digest_length(struct proc *p, void *args, const struct opt *o, struct str arg);
/* --quiet, --status and -w: the last one counts. */
int digest_loudness(struct proc *p, void *args, const struct opt *o, struct str arg);
/* What options of -c do without it, and others that do not go together: 0, or a status. */
int digest_conflicts(struct proc *p, const struct digest *d);
/* Prints or checks the sums of the operands. */
int digest_files(struct proc *p, struct digest *d);
/* By the kinds of hash.h: "MD5", "BLAKE2b". */
extern const char *const digest_names[];

#endif

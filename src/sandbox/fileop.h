/* fileop.h -- file operations that need not be waited for
 *
 * The functions of hob.h run an operation to its end. The agent's coroutines start one, let the
 * sandbox be stepped with everything else, and come back when it is done: a slow remote driver
 * never holds up the loop. In a virtual or a local sandbox an operation is done when it was
 * started.
 */
#ifndef HOB_SANDBOX_FILEOP_H
#define HOB_SANDBOX_FILEOP_H

#include "hob.h"

enum fileop_kind {
    FILEOP_READ,     /* out */
    FILEOP_WRITE,    /* data, len */
    FILEOP_APPEND,   /* data, len */
    FILEOP_STAT,     /* st */
    FILEOP_LSTAT,    /* st */
    FILEOP_READDIR,  /* list, n */
    FILEOP_MKDIR,    /* flags */
    FILEOP_RM,       /* flags */
    FILEOP_RENAME,   /* from path to `to` */
    FILEOP_SYMLINK,  /* at path, with the target `to` */
    FILEOP_READLINK, /* out */
    FILEOP_CHMOD     /* mode */
};

struct fileop_args {
    int kind;
    const char *path, *to;
    const void *data;
    size_t len; /* not HOB_Z */
    int flags;
    uint32_t mode;
};

struct fileop_result {
    hob_bytes out; /* hob_free() */
    hob_stat_t st;
    hob_dirent *list; /* hob_free() */
    size_t n;
};

struct fileop;

/* What the arguments point to is copied. 0 or an error; then there is nothing to finish. */
int fileop_start(hob_sandbox *box, const struct fileop_args *a, struct fileop **out);
int fileop_done(const struct fileop *op);
/* The result of the operation; res (may be NULL) is filled on success. Frees op. One that still
 * runs is given up: HOB_ECANCELED. */
int fileop_finish(struct fileop *op, struct fileop_result *res);

#endif

/* hostfs.h -- a folder of the host as a backend of the virtual file system */
#ifndef HOB_HOST_HOSTFS_H
#define HOB_HOST_HOSTFS_H

#include "vfs/vfs.h"

enum {
    HOSTFS_WRITABLE = 1,
    HOSTFS_STEPWISE = 2 /* do not use openat2(): go name by name, as on kernels without it */
};

/* The folder must exist. NULL on failure, with err (may be NULL) filled. */
struct fs *hostfs_new(struct kernel *k, const char *dir, bool writable, struct hob_error *err);
struct fs *hostfs_new_with(struct kernel *k, const char *dir, unsigned flags,
                           struct hob_error *err);

#endif

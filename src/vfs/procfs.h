/* procfs.h -- the tables of /proc */
#ifndef HOB_VFS_PROCFS_H
#define HOB_VFS_PROCFS_H

#include "base/fmt.h"
#include "vfs/textfile.h"

enum {
    PROCFS_FILE,
    PROCFS_DIR,
    PROCFS_LINK
};

struct procfs_entry {
    const char *name; /* from the top of its table, "sys/kernel/hostname" */
    uint8_t type;
    uint16_t mode; /* of files */
    /* Appends the text, or the target of a link. p: the process, for entries of one. */
    void (*text)(struct kernel *k, struct proc *p, struct buf *out);
};

/* Ended by an entry without a name. */
extern const struct procfs_entry procfs_top_table[];
extern const struct procfs_entry procfs_pid_table[];

#endif

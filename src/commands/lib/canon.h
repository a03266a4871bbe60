/* canon.h -- paths without links and dots, existing or not: readlink -f, -m and realpath */
#ifndef HOB_COMMANDS_LIB_CANON_H
#define HOB_COMMANDS_LIB_CANON_H

#include "shell/command.h"

enum canon_mode {
    CANON_EXISTING,
    CANON_LAST_MISSING,
    CANON_ANY
};

/* Appends the absolute path. Without `links` only dots are removed. */
int canon_path(struct proc *p, struct str path, enum canon_mode mode, bool links, struct buf *out);

#endif

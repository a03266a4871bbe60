/* walk.h -- from a path as it was written to a backend and a clean path in it */
#ifndef HOB_VFS_WALK_H
#define HOB_VFS_WALK_H

#include "vfs/vfs.h"

enum {
    WALK_FOLLOW = 1,  /* follow a symlink that is the last component */
    WALK_MISSING = 2, /* the last component may be missing */
    WALK_DEEP = 4     /* any number of components at the end may be missing */
};

/* Where a path leads. */
struct spot {
    struct fs *fs;       /* borrowed */
    struct str rel;      /* the clean path in it, in `path` */
    struct str full;     /* the whole path, of walk_plain() alone; may lie outside of `path` */
    struct stat_info st; /* unless missing */
    bool missing;        /* the last component (or more, with WALK_DEEP) is not there */
    bool slash;          /* the path ended in a slash or in a dot: it must be a folder */
    bool dots;           /* its last component was "." or "..": it cannot be removed or renamed */
    bool is_virtual;     /* a folder that exists only because something is mounted below it */
    size_t n;            /* the absolute clean path: path[0..n), "/" for the root */
    char path[VFS_PATH_MAX];
};

int walk(struct vfs *v, struct cred c, struct str cwd, struct str path, unsigned flags,
         struct spot *s);
/* The first step of it alone: true when the path, joined to cwd, needs no resolving but for
 * symlinks. Then s->fs, s->rel and s->full are right if there are none, and nothing else is set. */
bool walk_plain(struct vfs *v, struct str cwd, struct str path, struct spot *s);
struct mount *walk_mount(struct vfs *v, struct str path);    /* that holds an absolute clean path */
bool walk_above_mount(const struct vfs *v, struct str path); /* something is mounted below it */
bool walk_is_mount(const struct vfs *v, struct str path);

#endif

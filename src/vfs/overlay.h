/* overlay.h -- the parts of an overlay, shared by overlay.c and overlay_diff.c */
#ifndef HOB_VFS_OVERLAY_H
#define HOB_VFS_OVERLAY_H

#include "vfs/tree.h"

struct overlay {
    struct fs fs;
    struct fs *below;
    struct fs *upper; /* a tree */
};

/* What stands at a path: in the tree, or below, or a folder in both. */
struct overlay_at {
    struct tree_at up;   /* up.node: NULL if the tree does not have it; may be a whiteout */
    bool in_upper;       /* the tree has it */
    bool in_lower;       /* it is seen from below: alone, or as a folder that is in both */
    bool below;          /* what is below could be seen here if there is something */
    struct stat_info st; /* of what is seen; not set when missing */
    size_t used;
};

/* As tree_find: 0, 1 at a symlink in front, HOB_ENOENT (a->up.flags & TREE_LAST) ... */
int overlay_find(struct overlay *o, struct cred c, struct str path, struct overlay_at *a);
/* What `below` has at path, whether it is seen or not. As fs_walk(). */
int overlay_lower(struct overlay *o, struct cred c, struct str path, size_t *used,
                  struct stat_info *st);
struct overlay *overlay_of(struct fs *fs); /* NULL if it is something else */
void overlay_sync(struct overlay *o);

#endif

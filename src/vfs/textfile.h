/* textfile.h -- an open file over bytes that were made for it: /proc, /usr/bin, lazy files */
#ifndef HOB_VFS_TEXTFILE_H
#define HOB_VFS_TEXTFILE_H

#include "vfs/vfs.h"

/* Opens a read-only file at rel over the first n bytes of blob, whose reference goes over in every
 * case (NULL: no bytes). st is what stat tells. */
int textfile_open(struct fs *fs, struct str rel, const struct stat_info *st, struct blob *blob,
                  size_t n, struct file **out);
/* The same over a copy of text. */
int textfile_copy(struct fs *fs, struct str rel, const struct stat_info *st, struct str text,
                  struct file **out);

#endif

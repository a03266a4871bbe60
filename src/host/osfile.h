/* osfile.h -- files of the host by plain system calls, for the local sandbox
 *
 * Paths are absolute. Unlike hostfs.h nothing is confined: the caller has the rights of the
 * process. Results are 0 or one of our errors.
 */
#ifndef HOB_HOST_OSFILE_H
#define HOB_HOST_OSFILE_H

#include "hob.h"

int osfile_read(const char *path, hob_bytes *out); /* HOB_EFBIG beyond 1 GiB: /dev/zero */
int osfile_write(const char *path, const void *data, size_t len, int flags);
int osfile_stat(const char *path, int follow, hob_stat_t *out);
int osfile_readdir(const char *path, hob_bytes *out); /* as a driver's readdir gives it */
int osfile_mkdir(const char *path, int flags);
int osfile_rm(const char *path, int flags);
int osfile_rename(const char *from, const char *to);
int osfile_symlink(const char *target, const char *path);
int osfile_readlink(const char *path, hob_bytes *out);
int osfile_chmod(const char *path, uint32_t mode);

#endif

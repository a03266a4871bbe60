/* vfs.h -- files by path: the contract of a backend, the walk, the mounts
 *
 * A backend (`struct fs`) gets clean paths: relative to its mount, without leading slash, without
 * "", "." or "..", and with every symlink in front of the last component resolved. "" is its root.
 * The walk in walk.c does all of that once for everybody: permissions on folders, symlinks, loops,
 * mounts. NULL methods mean "not supported" (HOB_ENOTSUP, or HOB_EROFS for those that change).
 *
 * Shims (read-only, quota, trace, fault injection) are backends that wrap another one.
 */
#ifndef HOB_VFS_VFS_H
#define HOB_VFS_VFS_H

#include "task/proc.h"

enum {
    VFS_PATH_MAX = 4096,
    VFS_NAME_MAX = 255,
    VFS_LINKS_MAX = 40
};

/* Who asks. */
struct cred {
    uint32_t uid, gid;
};

struct dir_entry {
    struct str name;
    uint64_t ino;
    uint32_t mode; /* type bits; 0: not known */
};

/* Gets one entry; != 0 ends the listing. The entry is borrowed for the call. */
typedef int (*dir_fn)(void *ud, const struct dir_entry *e);

struct fs;
struct fs_info;
struct fs_ops {
    const char *name;
    /* Looks up `path` from the root of the backend and stops at the first symlink (the last
     * component is not followed either), missing name or non-folder. Checks search permission.
     * Sets *used to the bytes of path that were resolved, the found component included, and *st to
     * what stands there. Result: 0 all resolved; 1 stopped at a symlink at path[0..*used);
     * HOB_ENOENT with *used up to where the parent ends; HOB_ENOTDIR; HOB_EACCES.
     * NULL: there are no symlinks here, nothing to walk. */
    int (*walk)(struct fs *fs, struct cred c, struct str path, size_t *used, struct stat_info *st);
    int (*stat)(struct fs *fs, struct str path, struct stat_info *st); /* does not follow */
    /* flags FILE_...; mode for a new file (umask applied by the caller). Permission on the file
     * and, for a new one, on its folder is checked here. */
    int (*open)(struct fs *fs, struct proc *p, struct cred c, struct str path, unsigned flags,
                uint32_t mode, struct file **out);
    int (*list)(struct fs *fs, struct cred c, struct str path, dir_fn fn, void *ud); /* sorted */
    int (*readlink)(struct fs *fs, struct str path, struct buf *out);
    int (*mkdir)(struct fs *fs, struct cred c, struct str path, uint32_t mode);
    int (*rmdir)(struct fs *fs, struct cred c, struct str path);
    int (*unlink)(struct fs *fs, struct cred c, struct str path);
    int (*rename)(struct fs *fs, struct cred c, struct str from, struct str to);
    int (*link)(struct fs *fs, struct cred c, struct str from, struct str to);
    int (*symlink)(struct fs *fs, struct cred c, struct str target, struct str path);
    int (*mkfifo)(struct fs *fs, struct cred c, struct str path, uint32_t mode);
    int (*chmod)(struct fs *fs, struct cred c, struct str path, uint32_t mode);
    int (*chown)(struct fs *fs, struct cred c, struct str path, int64_t uid, int64_t gid);
    /* Nanoseconds; VFS_OMIT leaves one as it is, VFS_NOW is the clock. */
    int (*utimes)(struct fs *fs, struct cred c, struct str path, int64_t atime, int64_t mtime);
    int (*truncate)(struct fs *fs, struct cred c, struct str path, uint64_t size);
    int (*statfs)(struct fs *fs, struct fs_info *out);
    /* Open files, those of a wrapped backend included. NULL: fs->open_files. */
    unsigned (*busy)(struct fs *fs);
    void (*free)(struct fs *fs);
};

#define VFS_OMIT INT64_MIN
#define VFS_NOW INT64_MAX

struct fs_info {
    uint64_t bytes_total, bytes_used, files_total, files_used;
    char type[16]; /* "tree", "overlay", "host" ... */
};

enum {
    FS_READONLY = 1,
    /* `open` may be called with a path that was not walked: it gives 1 when a symlink stands in it,
     * as last component too (unless FILE_NOFOLLOW). Saves the second look. */
    FS_DIRECT = 2
};

struct fs {
    const struct fs_ops *ops;
    struct kernel *kernel;
    unsigned refs;
    unsigned flags; /* FS_... */
    unsigned open_files;
    uint64_t dev;  /* st_dev */
    struct str at; /* where it is mounted, borrowed from the mount; for the paths of open files */
};

struct mount {
    struct str path; /* absolute, clean; "/" for the root */
    struct fs *fs;
};

struct vfs {
    struct kernel *kernel;
    struct mount *mounts; /* by length of path, longest first; the root is last */
    size_t n, cap;
    uint64_t next_dev;
};

int vfs_init(struct vfs *v, struct kernel *k, struct fs *root); /* takes root over */
void vfs_fini(struct vfs *v);
/* The reference of fs goes over, also on failure. The folder need not exist below; parents show it
 * in listings. HOB_EBUSY if the path is a mount already. */
int vfs_mount(struct vfs *v, struct str path, struct fs *fs);
int vfs_unmount(struct vfs *v, struct str path); /* HOB_EBUSY while files are open; HOB_EINVAL */
struct fs *fs_ref(struct fs *fs);
void fs_unref(struct fs *fs);
unsigned fs_busy(struct fs *fs);
/* The method `walk`, or what stands for it where there are no symlinks. */
int fs_walk(struct fs *fs, struct cred c, struct str path, size_t *used, struct stat_info *st);
/* The absolute path of something in a backend: bytes with a NUL behind, and writing it. */
size_t fs_path_size(const struct fs *fs, struct str rel);
struct str fs_path_fill(const struct fs *fs, struct str rel, char *dst);

/* ---- paths, pure ---------------------------------------------------------------------------- */

/* Lexical: joins to cwd, drops "" and ".", ".." pops (at the root it stays). Appends to b. */
void path_normalise(struct buf *b, struct str cwd, struct str path);
struct str path_base(struct str path); /* after the last slash */
struct str path_dir(struct str path);  /* before the last slash; "" or "/" */

/* ---- by path, on behalf of a process -------------------------------------------------------- *
 *
 * `path` as a script wrote it: relative to p->cwd, with anything in it. HOB_ENOENT for "" ,
 * HOB_EINVAL for a NUL inside, HOB_ENAMETOOLONG, HOB_ELOOP after 40 symlinks. p may be a process
 * made for the embedder's own calls. */

enum {
    VFS_NOFOLLOW = 1
}; /* do not follow a symlink that is the last component */

int vfs_stat(struct proc *p, struct str path, int flags, struct stat_info *st);
int vfs_open(struct proc *p, struct str path, unsigned flags, uint32_t mode, struct file **out);
int vfs_list(struct proc *p, struct str path, dir_fn fn, void *ud); /* sorted, without . and .. */
int vfs_readlink(struct proc *p, struct str path, struct buf *out);
int vfs_mkdir(struct proc *p, struct str path, uint32_t mode);
int vfs_mkdirs(struct proc *p, struct str path, uint32_t mode); /* mkdir -p */
int vfs_rmdir(struct proc *p, struct str path);
int vfs_unlink(struct proc *p, struct str path);
int vfs_remove_all(struct proc *p, struct str path); /* rm -rf, without recursion on the stack */
int vfs_rename(struct proc *p, struct str from, struct str to); /* HOB_EXDEV across mounts */
int vfs_link(struct proc *p, struct str from, struct str to, int flags);
int vfs_symlink(struct proc *p, struct str target, struct str path);
int vfs_mkfifo(struct proc *p, struct str path, uint32_t mode);
int vfs_chmod(struct proc *p, struct str path, uint32_t mode);
int vfs_chown(struct proc *p, struct str path, int64_t uid, int64_t gid, int flags);
int vfs_utimes(struct proc *p, struct str path, int64_t atime, int64_t mtime, int flags);
int vfs_truncate(struct proc *p, struct str path, uint64_t size);
int vfs_statfs(struct proc *p, struct str path, struct fs_info *out);
/* access(2): bits 4 read, 2 write, 1 execute; 0: exists. */
int vfs_access(struct proc *p, struct str path, int bits);
/* realpath: absolute without symlinks, appended to b. The last component may be missing when
 * `missing_ok`. */
int vfs_realpath(struct proc *p, struct str path, bool missing_ok, struct buf *b);

/* True when c may do `bits` (4 read, 2 write, 1 search) with st. uid 0 may read and write all. */
bool cred_may(struct cred c, const struct stat_info *st, int bits);

/* ---- backends ------------------------------------------------------------------------------- */

/* tree.c: files in memory, persistent: see there. A new one holds the standard folders when
 * `standard` (/, /bin, /dev, /etc, /home/USER, /proc, /tmp, /usr/bin ... from constant memory). */
struct fs *tree_new(struct kernel *k, bool standard);
struct tree_snap;
struct tree_snap *tree_snapshot(struct fs *fs); /* constant time; NULL: out of memory */
void tree_snap_free(struct tree_snap *s);
struct tree_snap *tree_snap_ref(struct tree_snap *s);
/* Replaces the contents. HOB_EBUSY while files are open. */
int tree_restore(struct fs *fs, const struct tree_snap *s);
struct fs *tree_from_snapshot(struct kernel *k, const struct tree_snap *s);
/* Calls fn for each path that differs (paths relative to the root of the tree, "a/b", in order). */
typedef int (*tree_diff_fn)(void *ud, struct str path, const struct stat_info *was,
                            const struct stat_info *is); /* NULL: not there */
int tree_diff(struct heap *h, const struct tree_snap *from, const struct tree_snap *to,
              tree_diff_fn fn, void *ud);
int tree_snap_stat(const struct tree_snap *s, struct str path, struct stat_info *st);
int tree_snap_read(const struct tree_snap *s, struct str path, struct buf *out);
/* Puts a file whose bytes are borrowed for ever (constant or mapped memory), or lazily read ones
 * (fn is called once, when the file is first stat'ed for its size, opened or listed in a diff). */
int tree_put_static(struct fs *fs, struct str path, struct str bytes, uint32_t mode);
int tree_put_lazy(struct fs *fs, struct str path, uint32_t mode, hob_lazy_fn fn, void *ud);
/* Fast paths for the embedder: whole files. Parents must exist for put. */
int tree_put(struct fs *fs, struct str path, struct str bytes, uint32_t mode);
uint64_t tree_files(struct fs *fs);
uint64_t tree_bytes(struct fs *fs);

/* overlay.c: `below` is never written; changes live in a tree above. Both references go over. */
struct fs *overlay_new(struct kernel *k, struct fs *below);
struct fs *overlay_upper(struct fs *fs); /* borrowed: the tree with the changes and whiteouts */
struct fs *overlay_below(struct fs *fs);
/* What the overlay changed against `below`, paths relative to the mount. */
int overlay_diff(struct fs *fs, tree_diff_fn fn, void *ud);
/* What the mount showed with the upper tree `from` against what it shows with `to`. */
int overlay_snap_diff(struct fs *fs, const struct tree_snap *from, const struct tree_snap *to,
                      tree_diff_fn fn, void *ud);

/* lazy.c: a folder by callbacks, read-only. */
struct fs *lazy_new(struct kernel *k, const hob_lazy_dir *dir);

/* shims.c; each takes over `below`. */
struct fs *shim_readonly(struct fs *below);
struct fs *shim_quota(struct fs *below, uint64_t bytes); /* HOB_ENOSPC when over */
typedef void (*shim_trace_fn)(void *ud, const char *op, struct str path, int result);
struct fs *shim_trace(struct fs *below, shim_trace_fn fn, void *ud);
/* The n-th call from now on (1: the next) of any method gives `error`, once; 0: never. *calls, if
 * not NULL, counts. */
struct fs *shim_fault(struct fs *below);
void shim_fault_set(struct fs *fs, uint64_t n, int error);
uint64_t shim_fault_calls(struct fs *fs);

/* devfs.c, procfs.c, binfs.c: /dev, /proc, /usr/bin (and /bin, a symlink to it). */
struct fs *devfs_new(struct kernel *k);
struct fs *procfs_new(struct kernel *k);
/* Names come from kernel->commands_table and kernel->custom, through this callback, so that the vfs
 * does not know what a command is. */
typedef int (*binfs_fn)(void *ud, int (*each)(void *ctx, struct str name), void *ctx);
typedef bool (*binfs_has_fn)(void *ud, struct str name); /* the same question for one name */
struct fs *binfs_new(struct kernel *k, binfs_fn names, binfs_has_fn has, void *ud);

#endif

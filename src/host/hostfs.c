/* hostfs.c -- a folder of the host as a backend of the virtual file system
 *
 * Nothing outside of the folder can be reached through it. Every call starts at a descriptor of the
 * folder, and the host never follows a symlink for us: openat2() is told so for the whole path, and
 * where it is missing each name is opened by itself with O_NOFOLLOW. Symlinks are resolved by our
 * own walk, in the sandbox's name space (TM-FS-2). So it does not matter who swaps what for a
 * symlink, or when: a call either works on something inside, or fails (TM-FS-3).
 *
 * The owner of the hob process appears as the user of the sandbox, everybody else as nobody. Set-id
 * bits are never set on the host. Only files and folders are opened; a fifo, device or socket is
 * seen, but opening it is refused (TM-FS-9).
 */
#include "host/hostfs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"

enum {
    HOSTFS_NOBODY = 65534,
    HOSTFS_RETRIES = 8
};

struct hostfs {
    struct fs fs;
    int root; /* O_PATH */
    bool stepwise;
    uid_t uid; /* who we are on the host */
    gid_t gid;
};

struct hostfs_file {
    struct file f;
    struct hostfs *h;
    int fd;
    bool dir;
    size_t size; /* of this block */
};

/* errno as one of our numbers: the same, where we have it. */
static int hostfs_error(int e)
{
    static const int known[] = {EPERM,  ENOENT, EINTR,  EIO,   EBADF,        EAGAIN,    ENOMEM,
                                EACCES, EBUSY,  EEXIST, EXDEV, ENODEV,       ENOTDIR,   EISDIR,
                                EINVAL, ENFILE, EMFILE, EFBIG, ENOSPC,       EROFS,     EMLINK,
                                ERANGE, ELOOP,  ENOSYS, ENXIO, ENAMETOOLONG, ENOTEMPTY, EOVERFLOW};

    if (e == EDQUOT)
        return HOB_ENOSPC;
    if (e == ENOTSUP)
        return HOB_ENOTSUP;
    for (size_t i = 0; i < COUNT(known); i++)
        if (known[i] == e)
            return -e;
    return HOB_EIO;
}

static struct hostfs *hostfs_self(struct fs *fs) { return (struct hostfs *)fs; }

/* ---- opening below the folder ---------------------------------------------------------------- */

/* A path that the system can read. */
struct hostfs_path {
    char text[VFS_PATH_MAX];
};

/* Copies a path, with a NUL behind. Refuses what is no clean path below the folder: the walk never
 * asks for such, and nothing else shall (TM-FS-1). */
static int hostfs_text(struct hostfs_path *p, struct str path)
{
    if (path.n >= sizeof p->text)
        return HOB_ENAMETOOLONG;
    for (size_t i = 0, n; i < path.n; i += n + 1) {
        const char *slash = memchr(path.p + i, '/', path.n - i);
        n = slash ? (size_t)(slash - path.p) - i : path.n - i;
        struct str name = str_sub(path, i, n);
        if (n == 0 || i + n + 1 == path.n || str_eqz(name, ".") || str_eqz(name, "..") ||
            memchr(name.p, '\0', n))
            return HOB_EINVAL;
    }
    if (path.n > 0)
        memcpy(p->text, path.p, path.n);
    p->text[path.n] = '\0';
    return 0;
}

static int hostfs_openat2(int dir, const char *path, int flags, mode_t mode)
{
    struct open_how how = {
        .flags = (uint64_t)(unsigned)flags,
        .mode = flags & O_CREAT ? mode : 0,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS,
    };
    long fd = -1;

    for (int i = 0; i < HOSTFS_RETRIES; i++) {
        fd = syscall(SYS_openat2, dir, path, &how, sizeof how);
        if (fd >= 0 || (errno != EAGAIN && errno != EINTR))
            break;
    }
    return (int)fd;
}

/* The same by single names, each of which must be a folder and no symlink. */
static int hostfs_open_steps(int dir, char *path, int flags, mode_t mode)
{
    int at = dir;

    for (;;) {
        char *slash = strchr(path, '/');
        if (slash)
            *slash = '\0';
        int fd = slash ? openat(at, path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                       : openat(at, path, flags | O_NOFOLLOW, mode);
        int e = errno;
        if (at != dir)
            close(at);
        errno = e;
        if (fd < 0 || !slash)
            return fd;
        at = fd;
        path = slash + 1;
    }
}

/* Opens a clean path below the folder, "" being the folder. A descriptor or an error of ours. */
static int hostfs_at(struct hostfs *h, struct str path, int flags, mode_t mode)
{
    struct hostfs_path p;

    int r = hostfs_text(&p, path);

    if (r < 0)
        return r;
    if (path.n == 0)
        memcpy(p.text, ".", 2);
    flags |= O_CLOEXEC | (flags & O_PATH ? 0 : O_NOCTTY); /* openat2() takes no others there */
    int fd = h->stepwise ? hostfs_open_steps(h->root, p.text, flags, mode)
                         : hostfs_openat2(h->root, p.text, flags | O_NOFOLLOW, mode);
    return fd >= 0 ? fd : hostfs_error(errno);
}

/* The folder that holds the last name of path; *base is the name, with a NUL behind, in p. */
static int hostfs_parent(struct hostfs *h, struct str path, struct hostfs_path *p,
                         const char **base)
{
    struct str dir = path_dir(path), name = path_base(path);

    if (name.n == 0)
        return HOB_EBUSY; /* the folder itself */
    int r = hostfs_text(p, name);
    if (r < 0)
        return r;
    *base = p->text;
    return hostfs_at(h, dir, O_PATH | O_DIRECTORY, 0);
}

/* ---- what is there --------------------------------------------------------------------------- */

static int64_t hostfs_time(struct timespec t) { return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec; }

static void hostfs_fill(const struct hostfs *h, const struct stat *s, struct stat_info *st)
{
    const struct kernel *k = h->fs.kernel;

    *st = (struct stat_info){.mode = s->st_mode,
                             .uid = s->st_uid == h->uid ? k->uid : HOSTFS_NOBODY,
                             .gid = s->st_gid == h->gid ? k->gid : HOSTFS_NOBODY,
                             .nlink = (uint32_t)s->st_nlink,
                             .dev = h->fs.dev,
                             .ino = s->st_ino,
                             .size = (uint64_t)s->st_size,
                             .blocks = (uint64_t)s->st_blocks,
                             .rdev = s->st_rdev,
                             .atime = hostfs_time(s->st_atim),
                             .mtime = hostfs_time(s->st_mtim),
                             .ctime = hostfs_time(s->st_ctim)};
}

/* stat() of what stands at path, a symlink for itself. */
static int hostfs_look(struct hostfs *h, struct str path, struct stat *s)
{
    int fd = hostfs_at(h, path, O_PATH, 0);

    if (fd < 0)
        return fd;
    int r = fstat(fd, s) == 0 ? 0 : hostfs_error(errno);
    close(fd);
    /* A folder that was removed can still be held, but nothing is in it (TM-FS-7). */
    if (r == 0 && path.n == 0 && s->st_nlink == 0)
        r = HOB_ENOENT;
    return r;
}

static int hostfs_stat(struct fs *fs, struct str path, struct stat_info *st)
{
    struct stat s;
    int r = hostfs_look(hostfs_self(fs), path, &s);

    if (r == 0)
        hostfs_fill(hostfs_self(fs), &s, st);
    return r;
}

/* Name by name, to tell where a path ends or meets a symlink. */
static int hostfs_walk_steps(struct hostfs *h, struct cred c, struct str path, size_t *used,
                             struct stat_info *st)
{
    struct hostfs_path p;
    struct stat s;
    int at = h->root, r = hostfs_text(&p, path);

    *used = 0;
    if (r == 0)
        r = hostfs_stat(&h->fs, STR(""), st);
    for (char *name = p.text; r == 0;) {
        char *slash = strchr(name, '/');
        if (slash)
            *slash = '\0';
        if (!cred_may(c, st, 1)) {
            r = HOB_EACCES;
            break;
        }
        if (fstatat(at, name, &s, AT_SYMLINK_NOFOLLOW) < 0) {
            r = hostfs_error(errno);
            break;
        }
        *used = (size_t)(name - p.text) + strlen(name);
        hostfs_fill(h, &s, st);
        if (S_ISLNK(s.st_mode))
            r = 1;
        if (r || !slash)
            break;
        int next = openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        r = next < 0 ? hostfs_error(errno) : 0;
        if (next >= 0) {
            if (at != h->root)
                close(at);
            at = next;
        }
        name = slash + 1;
    }
    if (at != h->root)
        close(at);
    return r;
}

static int hostfs_walk(struct fs *fs, struct cred c, struct str path, size_t *used,
                       struct stat_info *st)
{
    struct hostfs *h = hostfs_self(fs);

    *used = 0;
    /* The host checks for us whether folders may be searched, unless we are its root. */
    if (path.n > 0 && h->uid == 0)
        return hostfs_walk_steps(h, c, path, used, st);
    int r = hostfs_stat(fs, path, st);
    if (r < 0)
        return path.n > 0 ? hostfs_walk_steps(h, c, path, used, st) : r;
    *used = path.n;
    return MODE_IS_LINK(st->mode) ? 1 : 0;
}

static int hostfs_readlink(struct fs *fs, struct str path, struct buf *out)
{
    struct hostfs_path p, target;
    const char *base;
    int dir = hostfs_parent(hostfs_self(fs), path, &p, &base);

    if (dir < 0)
        return dir == HOB_EBUSY ? HOB_EINVAL : dir;
    ssize_t n = readlinkat(dir, base, target.text, sizeof target.text);
    int e = errno;
    close(dir);
    if (n < 0)
        return hostfs_error(e);
    if ((size_t)n >= sizeof target.text)
        return HOB_ENAMETOOLONG;
    buf_add(out, target.text, (size_t)n);
    return out->heap->oom ? HOB_ENOMEM : 0;
}

/* ---- listing --------------------------------------------------------------------------------- */

/* What getdents64() gives. */
struct hostfs_dirent {
    uint64_t ino;
    int64_t off;
    uint16_t len;
    uint8_t type;
    char name[];
};

struct hostfs_names {
    struct heap *heap;
    struct buf text; /* all names */
    struct {
        struct dir_entry *p; /* until all are there, name.p is not set: lengths give it */
        size_t n, cap;
    } found;
};

static uint32_t hostfs_type(int dir, const struct hostfs_dirent *d)
{
    struct stat s;

    if (d->type != 0)
        return (uint32_t)d->type << 12;
    return fstatat(dir, d->name, &s, AT_SYMLINK_NOFOLLOW) == 0 ? s.st_mode & MODE_TYPE : MODE_FILE;
}

static int hostfs_cmp(const void *a, const void *b, void *ud)
{
    (void)ud;
    return str_cmp(((const struct dir_entry *)a)->name, ((const struct dir_entry *)b)->name);
}

/* Reads all names of the open folder, sorted. */
static int hostfs_collect(int fd, struct hostfs_names *n)
{
    _Alignas(struct hostfs_dirent) char block[16384];
    long got;

    while ((got = syscall(SYS_getdents64, fd, block, sizeof block)) > 0) {
        for (long i = 0; i < got;) {
            const struct hostfs_dirent *d = (const void *)(block + i);
            i += d->len;
            struct str name = str_z(d->name);
            if (str_eqz(name, ".") || str_eqz(name, ".."))
                continue;
            struct dir_entry e = {{NULL, name.n}, d->ino, hostfs_type(fd, d)};
            buf_str(&n->text, name);
            if (!vec_push(n->heap, &n->found, e) || n->heap->oom)
                return HOB_ENOMEM;
        }
    }
    if (got < 0)
        return hostfs_error(errno);
    const char *at = n->text.p;
    for (size_t i = 0; i < n->found.n; i++) {
        n->found.p[i].name.p = at;
        at += n->found.p[i].name.n;
    }
    return sort_stable(n->heap, n->found.p, n->found.n, sizeof *n->found.p, hostfs_cmp, NULL);
}

static int hostfs_list(struct fs *fs, struct cred c, struct str path, dir_fn fn, void *ud)
{
    struct hostfs *h = hostfs_self(fs);
    struct hostfs_names n = {.heap = &fs->kernel->heap};
    struct stat_info st;
    int r = hostfs_stat(fs, path, &st);

    if (r < 0)
        return r;
    if (!MODE_IS_DIR(st.mode))
        return HOB_ENOTDIR;
    if (!cred_may(c, &st, 4))
        return HOB_EACCES;
    int fd = hostfs_at(h, path, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0)
        return fd;
    buf_init(&n.text, n.heap);
    r = hostfs_collect(fd, &n);
    close(fd);
    for (size_t i = 0; i < n.found.n && r == 0; i++)
        r = fn(ud, &n.found.p[i]);
    vec_fini(n.heap, &n.found);
    buf_fini(&n.text);
    return r;
}

/* ---- open files ------------------------------------------------------------------------------ */

static ptrdiff_t hostfs_read(struct file *file, struct proc *p, uint64_t off, void *dst, size_t n)
{
    struct hostfs_file *f = (struct hostfs_file *)file;

    (void)p;
    if (off > INT64_MAX)
        return 0;
    for (;;) {
        ssize_t r = pread(f->fd, dst, MIN(n, 1u << 30), (off_t)off);
        if (r >= 0)
            return r;
        if (errno != EINTR)
            return hostfs_error(errno);
    }
}

static ptrdiff_t hostfs_write(struct file *file, struct proc *p, uint64_t off, const void *src,
                              size_t n)
{
    struct hostfs_file *f = (struct hostfs_file *)file;
    uint64_t limit = MIN(file->kernel->limits.file_size, INT64_MAX);

    (void)p;
    if (n == 0)
        return 0;
    if (off >= limit)
        return HOB_EFBIG;
    n = (size_t)MIN(MIN(n, limit - off), 1u << 30);
    for (;;) {
        ssize_t r = pwrite(f->fd, src, n, (off_t)off);
        if (r >= 0)
            return r;
        if (errno != EINTR)
            return hostfs_error(errno);
    }
}

static int hostfs_file_stat(struct file *file, struct stat_info *st)
{
    struct hostfs_file *f = (struct hostfs_file *)file;
    struct stat s;

    if (fstat(f->fd, &s) < 0)
        return hostfs_error(errno);
    hostfs_fill(f->h, &s, st);
    return 0;
}

static int hostfs_file_truncate(struct file *file, struct proc *p, uint64_t size)
{
    struct hostfs_file *f = (struct hostfs_file *)file;

    (void)p;
    if (size > MIN(file->kernel->limits.file_size, INT64_MAX))
        return HOB_EFBIG;
    return ftruncate(f->fd, (off_t)size) == 0 ? 0 : hostfs_error(errno);
}

static void hostfs_close(struct file *file)
{
    struct hostfs_file *f = (struct hostfs_file *)file;
    struct fs *fs = &f->h->fs;

    close(f->fd);
    fs->open_files--;
    heap_free(&fs->kernel->heap, f, f->size);
    fs_unref(fs);
}

static const struct file_ops hostfs_file_ops = {
    .name = "file",
    .read = hostfs_read,
    .write = hostfs_write,
    .stat = hostfs_file_stat,
    .truncate = hostfs_file_truncate,
    .close = hostfs_close,
};

/* Wraps a descriptor, which goes over also on failure. */
static int hostfs_wrap(struct hostfs *h, int fd, struct str path, unsigned flags, struct file **out)
{
    size_t size = sizeof(struct hostfs_file) + fs_path_size(&h->fs, path);
    struct hostfs_file *f = heap_alloc(&h->fs.kernel->heap, size);

    if (!f) {
        close(fd);
        return HOB_ENOMEM;
    }
    *f = (struct hostfs_file){.h = h, .fd = fd, .size = size};
    f->f = (struct file){.ops = &hostfs_file_ops,
                         .kernel = h->fs.kernel,
                         .refs = 1,
                         .flags = (flags & (FILE_READ | FILE_WRITE | FILE_APPEND)) | FILE_SEEKABLE,
                         .path = fs_path_fill(&h->fs, path, (char *)(f + 1))};
    fs_ref(&h->fs)->open_files++;
    *out = &f->f;
    return 0;
}

/* May c make or take away a name in the folder of path? */
static int hostfs_may_change(struct hostfs *h, struct cred c, struct str path)
{
    struct stat_info dir;
    int r;

    if (h->fs.flags & FS_READONLY)
        return HOB_EROFS;
    r = hostfs_stat(&h->fs, path_dir(path), &dir);
    if (r < 0)
        return r;
    if (!MODE_IS_DIR(dir.mode))
        return HOB_ENOTDIR;
    return cred_may(c, &dir, 3) ? 0 : HOB_EACCES;
}

static int hostfs_may_remove(struct hostfs *h, struct cred c, struct str path)
{
    struct stat_info dir, st;
    int r = hostfs_may_change(h, c, path);

    if (r == 0)
        r = hostfs_stat(&h->fs, path, &st);
    if (r == 0)
        r = hostfs_stat(&h->fs, path_dir(path), &dir);
    if (r == 0 && (dir.mode & MODE_STICKY) && c.uid != 0 && c.uid != st.uid && c.uid != dir.uid)
        r = HOB_EPERM;
    return r;
}

static int hostfs_open_new(struct hostfs *h, struct cred c, struct str path, unsigned flags,
                           uint32_t mode, struct file **out)
{
    int r = hostfs_may_change(h, c, path);

    if (r < 0)
        return r;
    int rw = flags & FILE_READ ? O_RDWR : O_WRONLY;
    int fd = hostfs_at(h, path, rw | O_CREAT | O_EXCL | (flags & FILE_APPEND ? O_APPEND : 0), 0600);
    if (fd < 0)
        return fd;
    /* The host's own umask has no say. */
    if (fchmod(fd, mode & 0777) < 0) {
        r = hostfs_error(errno);
        close(fd);
        return r;
    }
    return hostfs_wrap(h, fd, path, flags, out);
}

static int hostfs_open_old(struct hostfs *h, struct cred c, struct str path, unsigned flags,
                           const struct stat_info *st, struct file **out)
{
    bool dir = MODE_IS_DIR(st->mode), rd = flags & FILE_READ, wr = flags & FILE_WRITE;
    struct stat s;

    if (MODE_IS_LINK(st->mode))
        return HOB_ELOOP;
    if (!dir && !MODE_IS_FILE(st->mode))
        return HOB_EACCES;
    if (dir && (flags & (FILE_WRITE | FILE_CREATE)))
        return HOB_EISDIR;
    if (!dir && (flags & FILE_DIRECTORY))
        return HOB_ENOTDIR;
    if (!cred_may(c, st, (rd ? 4 : 0) | (wr ? 2 : 0)))
        return HOB_EACCES;
    if (wr && (h->fs.flags & FS_READONLY))
        return HOB_EROFS;
    int how = wr ? (rd ? O_RDWR : O_WRONLY) : O_RDONLY;
    how |= O_NONBLOCK | (wr && (flags & FILE_APPEND) ? O_APPEND : 0) | (dir ? O_DIRECTORY : 0);
    int fd = hostfs_at(h, path, how, 0);
    if (fd < 0)
        return fd;
    /* It may have been swapped for something else since we looked. */
    int r = fstat(fd, &s) < 0 ? hostfs_error(errno) : 0;
    if (r == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode))
        r = HOB_EACCES;
    if (r == 0 && wr && (flags & FILE_TRUNC) && ftruncate(fd, 0) < 0)
        r = hostfs_error(errno);
    if (r < 0) {
        close(fd);
        return r;
    }
    return hostfs_wrap(h, fd, path, flags, out);
}

static int hostfs_open(struct fs *fs, struct proc *p, struct cred c, struct str path,
                       unsigned flags, uint32_t mode, struct file **out)
{
    struct hostfs *h = hostfs_self(fs);
    struct stat_info st;
    int r = 0;

    (void)p;
    for (int i = 0; i < HOSTFS_RETRIES; i++) {
        r = hostfs_stat(fs, path, &st);
        if (r == HOB_ENOENT && (flags & FILE_CREATE)) {
            r = hostfs_open_new(h, c, path, flags, mode, out);
            if (r != HOB_EEXIST || (flags & FILE_EXCL))
                return r;
            continue;
        }
        if (r < 0)
            return r;
        if ((flags & FILE_CREATE) && (flags & FILE_EXCL))
            return HOB_EEXIST;
        r = hostfs_open_old(h, c, path, flags, &st, out);
        if (r != HOB_ENOENT || !(flags & FILE_CREATE))
            return r;
    }
    return r;
}

/* ---- changing -------------------------------------------------------------------------------- */

static int hostfs_mkdir(struct fs *fs, struct cred c, struct str path, uint32_t mode)
{
    struct hostfs *h = hostfs_self(fs);
    struct hostfs_path p;
    const char *base;
    int r = hostfs_may_change(h, c, path);
    int dir = r < 0 ? r : hostfs_parent(h, path, &p, &base);

    if (dir < 0)
        return dir == HOB_EBUSY ? HOB_EEXIST : dir;
    r = mkdirat(dir, base, 0700) == 0 ? 0 : hostfs_error(errno);
    if (r == 0) {
        int made = openat(dir, base, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (made < 0 || fchmod(made, mode & 01777) < 0)
            r = hostfs_error(errno);
        if (made >= 0)
            close(made);
    }
    close(dir);
    return r;
}

static int hostfs_remove(struct hostfs *h, struct cred c, struct str path, int flags)
{
    struct hostfs_path p;
    const char *base;
    int r = hostfs_may_remove(h, c, path);
    int dir = r < 0 ? r : hostfs_parent(h, path, &p, &base);

    if (dir < 0)
        return dir;
    r = unlinkat(dir, base, flags) == 0 ? 0 : hostfs_error(errno);
    close(dir);
    return r;
}

static int hostfs_rmdir(struct fs *fs, struct cred c, struct str path)
{
    return hostfs_remove(hostfs_self(fs), c, path, AT_REMOVEDIR);
}

static int hostfs_unlink(struct fs *fs, struct cred c, struct str path)
{
    struct stat_info st;
    int r = hostfs_stat(fs, path, &st);

    if (r == 0 && MODE_IS_DIR(st.mode))
        return HOB_EISDIR;
    return r < 0 ? r : hostfs_remove(hostfs_self(fs), c, path, 0);
}

/* Calls renameat() or linkat() with the two names. */
static int hostfs_two(struct hostfs *h, struct str from, struct str to, bool link)
{
    struct hostfs_path p, q;
    const char *a, *b;
    int da = hostfs_parent(h, from, &p, &a);

    if (da < 0)
        return da;
    int db = hostfs_parent(h, to, &q, &b);
    if (db < 0) {
        close(da);
        return db;
    }
    int r = link ? linkat(da, a, db, b, 0) : renameat(da, a, db, b);
    r = r == 0 ? 0 : hostfs_error(errno);
    close(da);
    close(db);
    return r;
}

static int hostfs_rename(struct fs *fs, struct cred c, struct str from, struct str to)
{
    struct hostfs *h = hostfs_self(fs);
    struct stat_info st, there;
    int r = hostfs_stat(fs, from, &st);

    if (r < 0)
        return r;
    if (to.n > from.n && to.p[from.n] == '/' && memcmp(from.p, to.p, from.n) == 0)
        return HOB_EINVAL;
    if (from.n > to.n && from.p[to.n] == '/' && memcmp(from.p, to.p, to.n) == 0)
        return HOB_ENOTEMPTY;
    r = hostfs_may_remove(h, c, from);
    if (r < 0)
        return r;
    bool over = hostfs_stat(fs, to, &there) == 0;
    r = over ? hostfs_may_remove(h, c, to) : hostfs_may_change(h, c, to);
    if (r < 0)
        return r;
    if (over && MODE_IS_DIR(st.mode) != MODE_IS_DIR(there.mode))
        return MODE_IS_DIR(st.mode) ? HOB_ENOTDIR : HOB_EISDIR;
    if (MODE_IS_DIR(st.mode) && !str_eq(path_dir(from), path_dir(to)) && !cred_may(c, &st, 2))
        return HOB_EACCES; /* its `..` changes */
    return hostfs_two(h, from, to, false);
}

static int hostfs_link(struct fs *fs, struct cred c, struct str from, struct str to)
{
    struct hostfs *h = hostfs_self(fs);
    struct stat_info st;
    int r = hostfs_stat(fs, from, &st);

    if (r == 0)
        r = hostfs_may_change(h, c, to);
    if (r == 0 && MODE_IS_DIR(st.mode))
        r = HOB_EPERM;
    return r < 0 ? r : hostfs_two(h, from, to, true);
}

static int hostfs_symlink(struct fs *fs, struct cred c, struct str target, struct str path)
{
    struct hostfs *h = hostfs_self(fs);
    struct hostfs_path p, t;
    const char *base;
    int r = hostfs_may_change(h, c, path);

    if (r == 0 && target.n >= sizeof t.text)
        r = HOB_ENAMETOOLONG;
    if (r == 0) {
        memcpy(t.text, target.p, target.n);
        t.text[target.n] = '\0';
    }
    int dir = r < 0 ? r : hostfs_parent(h, path, &p, &base);
    if (dir < 0)
        return dir == HOB_EBUSY ? HOB_EEXIST : dir;
    r = symlinkat(t.text, dir, base) == 0 ? 0 : hostfs_error(errno);
    close(dir);
    return r;
}

/* There is no use for one: it could not be opened. */
static int hostfs_mkfifo(struct fs *fs, struct cred c, struct str path, uint32_t mode)
{
    (void)fs;
    (void)c;
    (void)path;
    (void)mode;
    return HOB_EPERM;
}

/* 0 if c owns what stands at path and may change its attributes. */
static int hostfs_may_own(struct hostfs *h, struct cred c, struct str path, struct stat_info *st)
{
    if (h->fs.flags & FS_READONLY)
        return HOB_EROFS;
    int r = hostfs_stat(&h->fs, path, st);
    return r < 0 ? r : c.uid == 0 || c.uid == st->uid ? 0 : HOB_EPERM;
}

static int hostfs_chmod(struct fs *fs, struct cred c, struct str path, uint32_t mode)
{
    struct hostfs *h = hostfs_self(fs);
    struct stat_info st;
    struct stat s;
    char proc[48];
    int r = hostfs_may_own(h, c, path, &st);

    if (r < 0)
        return r;
    /* What the descriptor holds is changed, through its name in /proc: whatever stands at the path
     * by now. A symlink is refused. */
    int fd = hostfs_at(h, path, O_PATH, 0);
    if (fd < 0)
        return fd;
    snprintf(proc, sizeof proc, "/proc/self/fd/%d", fd);
    if (fstat(fd, &s) < 0)
        r = hostfs_error(errno);
    else if (!S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode))
        r = HOB_EACCES;
    else if (chmod(proc, mode & 01777) < 0)
        r = hostfs_error(errno);
    close(fd);
    return r;
}

static int hostfs_chown(struct fs *fs, struct cred c, struct str path, int64_t uid, int64_t gid)
{
    struct stat_info st;
    int r = hostfs_may_own(hostfs_self(fs), c, path, &st);

    if (r < 0)
        return r;
    return (uid < 0 || uid == st.uid) && (gid < 0 || gid == st.gid) ? 0 : HOB_EPERM;
}

static struct timespec hostfs_timespec(struct kernel *k, int64_t t)
{
    if (t == VFS_OMIT)
        return (struct timespec){0, UTIME_OMIT};
    if (t == VFS_NOW)
        t = sched_now(&k->sched);
    int64_t s = t / 1000000000, n = t % 1000000000;
    return n < 0 ? (struct timespec){s - 1, n + 1000000000} : (struct timespec){s, n};
}

static int hostfs_utimes(struct fs *fs, struct cred c, struct str path, int64_t atime,
                         int64_t mtime)
{
    struct hostfs *h = hostfs_self(fs);
    struct hostfs_path p;
    struct stat_info st;
    const char *base = ".";
    struct timespec t[2] = {hostfs_timespec(fs->kernel, atime), hostfs_timespec(fs->kernel, mtime)};
    int r = hostfs_may_own(h, c, path, &st);

    if (r == HOB_EPERM && atime == VFS_NOW && mtime == VFS_NOW)
        r = cred_may(c, &st, 2) ? 0 : HOB_EACCES;
    if (r < 0)
        return r;
    int dir = path.n > 0 ? hostfs_parent(h, path, &p, &base)
                         : hostfs_at(h, path, O_PATH | O_DIRECTORY, 0);
    if (dir < 0)
        return dir;
    r = utimensat(dir, base, t, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : hostfs_error(errno);
    close(dir);
    return r;
}

static int hostfs_truncate(struct fs *fs, struct cred c, struct str path, uint64_t size)
{
    struct file *f;
    int r = hostfs_open(fs, NULL, c, path, FILE_WRITE, 0, &f);

    if (r < 0)
        return r;
    r = hostfs_file_truncate(f, NULL, size);
    file_unref(f);
    return r;
}

static int hostfs_statfs(struct fs *fs, struct fs_info *out)
{
    struct statvfs v;
    int fd = hostfs_at(hostfs_self(fs), STR(""), O_RDONLY | O_DIRECTORY, 0);

    if (fd < 0)
        return fd;
    int r = fstatvfs(fd, &v) == 0 ? 0 : hostfs_error(errno);
    close(fd);
    if (r < 0)
        return r;
    *out = (struct fs_info){.type = "host"};
    out->bytes_total = (uint64_t)v.f_blocks * v.f_frsize;
    out->bytes_used = (uint64_t)(v.f_blocks - v.f_bfree) * v.f_frsize;
    out->files_total = v.f_files;
    out->files_used = v.f_files - v.f_ffree;
    return 0;
}

static void hostfs_free(struct fs *fs)
{
    close(hostfs_self(fs)->root);
    heap_drop(&fs->kernel->heap, hostfs_self(fs));
}

static const struct fs_ops hostfs_ops = {
    .name = "host",
    .walk = hostfs_walk,
    .stat = hostfs_stat,
    .open = hostfs_open,
    .list = hostfs_list,
    .readlink = hostfs_readlink,
    .mkdir = hostfs_mkdir,
    .rmdir = hostfs_rmdir,
    .unlink = hostfs_unlink,
    .rename = hostfs_rename,
    .link = hostfs_link,
    .symlink = hostfs_symlink,
    .mkfifo = hostfs_mkfifo,
    .chmod = hostfs_chmod,
    .chown = hostfs_chown,
    .utimes = hostfs_utimes,
    .truncate = hostfs_truncate,
    .statfs = hostfs_statfs,
    .free = hostfs_free,
};

struct fs *hostfs_new_with(struct kernel *k, const char *dir, unsigned flags, struct hob_error *err)
{
    int root = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

    if (root < 0) {
        int code = hostfs_error(errno);
        error_set(err, code, "%s: %s", dir, error_text(code));
        return NULL;
    }
    struct hostfs *h = heap_new(&k->heap, struct hostfs);
    if (!h) {
        close(root);
        error_set(err, HOB_ENOMEM, "%s: %s", dir, error_text(HOB_ENOMEM));
        return NULL;
    }
    h->fs = (struct fs){.ops = &hostfs_ops,
                        .kernel = k,
                        .refs = 1,
                        .flags = flags & HOSTFS_WRITABLE ? 0 : FS_READONLY};
    h->root = root;
    h->uid = geteuid();
    h->gid = getegid();
    /* Old kernels do not have it, and some filters of system calls refuse it. */
    int probe = hostfs_openat2(root, ".", O_PATH | O_CLOEXEC, 0);
    h->stepwise = (flags & HOSTFS_STEPWISE) || probe < 0;
    if (probe >= 0)
        close(probe);
    return &h->fs;
}

struct fs *hostfs_new(struct kernel *k, const char *dir, bool writable, struct hob_error *err)
{
    return hostfs_new_with(k, dir, writable ? HOSTFS_WRITABLE : 0, err);
}

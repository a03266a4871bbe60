/* vfs.c -- files by path: what commands call
 *
 * Each function walks the path once and hands the rest to the backend it leads to. The backend
 * checks permissions on what it holds; here are the rules that need the whole picture: slashes at
 * the end, mount points, folders that exist only above a mount.
 */
#include "vfs/walk.h"

static struct cred vfs_cred(const struct proc *p) { return (struct cred){p->uid, p->gid}; }

static int vfs_walk(struct proc *p, struct str path, unsigned flags, struct spot *s)
{
    return walk(p->kernel->vfs, vfs_cred(p), p->cwd, path, flags, s);
}

/* 0 if s may be changed in a backend that has the method. */
static int vfs_writable(const struct spot *s, bool method)
{
    if (s->is_virtual || (s->fs->flags & FS_READONLY) || !method)
        return HOB_EROFS;
    return 0;
}

/* May the name be taken away or replaced? Not where something is mounted, nor above. */
static int vfs_movable(struct proc *p, const struct spot *s)
{
    struct vfs *v = p->kernel->vfs;
    struct str path = {s->path, s->n};

    if (s->n == 1 || (v->n > 1 && (walk_is_mount(v, path) || walk_above_mount(v, path))))
        return HOB_EBUSY;
    return 0;
}

bool cred_may(struct cred c, const struct stat_info *st, int bits)
{
    uint32_t m = st->mode;

    if (c.uid == 0)
        return !(bits & 1) || MODE_IS_DIR(m) || (m & 0111);
    m >>= c.uid == st->uid ? 6 : c.gid == st->gid ? 3 : 0;
    return (m & (uint32_t)bits) == (uint32_t)bits;
}

/* Is what a backend said about a plain path the whole truth? Not if it met a symlink, nor if a name
 * that it does not have stands above a mount. */
static bool vfs_settled(struct proc *p, const struct spot *s, int r)
{
    return r <= 0 && (r != HOB_ENOENT || !walk_above_mount(p->kernel->vfs, s->full));
}

int vfs_stat(struct proc *p, struct str path, int flags, struct stat_info *st)
{
    struct spot s;
    size_t used;
    int r;

    /* An ordinary path without symlinks needs one call of the backend and no more. */
    if (walk_plain(p->kernel->vfs, p->cwd, path, &s)) {
        r = fs_walk(s.fs, vfs_cred(p), s.rel, &used, st);
        st->dev = s.fs->dev;
        if (vfs_settled(p, &s, r))
            return r;
    }
    r = vfs_walk(p, path, flags & VFS_NOFOLLOW ? 0 : WALK_FOLLOW, &s);
    if (r == 0)
        *st = s.st;
    return r;
}

int vfs_access(struct proc *p, struct str path, int bits)
{
    struct spot s;
    int r = vfs_walk(p, path, WALK_FOLLOW, &s);

    if (r < 0)
        return r;
    if ((bits & 2) && (s.fs->flags & FS_READONLY) &&
        (MODE_IS_FILE(s.st.mode) || MODE_IS_DIR(s.st.mode)))
        return HOB_EROFS;
    return cred_may(vfs_cred(p), &s.st, bits) ? 0 : HOB_EACCES;
}

/* A folder above a mount, opened: nothing can be read from it. */
static int vfs_open_found(struct proc *p, struct spot *s, unsigned flags, uint32_t mode,
                          struct file **out)
{
    struct fs *fs = s->fs;

    if (s->missing && s->slash)
        return HOB_EISDIR;
    if (s->slash && (flags & FILE_CREATE))
        return (flags & FILE_EXCL) ? HOB_EEXIST : HOB_EISDIR;
    if (!s->missing && (flags & FILE_CREATE) && (flags & FILE_EXCL))
        return HOB_EEXIST;
    if (!s->missing && (flags & FILE_NOFOLLOW) && MODE_IS_LINK(s->st.mode))
        return HOB_ELOOP;
    bool change = s->missing || ((flags & FILE_WRITE) && MODE_IS_FILE(s->st.mode));
    if (s->is_virtual || !fs->ops->open)
        return (flags & FILE_WRITE) ? HOB_EISDIR : HOB_ENOTSUP;
    if (change && (fs->flags & FS_READONLY))
        return HOB_EROFS;
    /* Opening a fifo may wait while the mount goes. */
    fs_ref(fs);
    int r = fs->ops->open(fs, p, vfs_cred(p), s->rel, flags, mode, out);
    fs_unref(fs);
    /* The file became a symlink between the walk and the opening. */
    return r > 0 ? HOB_ELOOP : r;
}

int vfs_open(struct proc *p, struct str path, unsigned flags, uint32_t mode, struct file **out)
{
    struct spot s;
    unsigned follow = WALK_FOLLOW;

    mode &= ~p->umask;
    if (walk_plain(p->kernel->vfs, p->cwd, path, &s) && (s.fs->flags & FS_DIRECT)) {
        struct fs *fs = fs_ref(s.fs);
        int r = fs->ops->open(fs, p, vfs_cred(p), s.rel, flags, mode, out);
        fs_unref(fs);
        if (vfs_settled(p, &s, r))
            return r;
    }
    if ((flags & FILE_NOFOLLOW) || ((flags & FILE_CREATE) && (flags & FILE_EXCL)))
        follow = 0;
    int r = vfs_walk(p, path, follow | (flags & FILE_CREATE ? WALK_MISSING : 0), &s);
    return r < 0 ? r : vfs_open_found(p, &s, flags, mode, out);
}

/* ---- listings -------------------------------------------------------------------------------- */

/* The names that mounts add to a folder, sorted, merged into what the backend lists. */
struct vfs_merge {
    struct dir_entry *extra;
    size_t n, at;
    dir_fn fn;
    void *ud;
};

static int vfs_merge_each(void *ud, const struct dir_entry *e)
{
    struct vfs_merge *m = ud;
    int r = 0;

    while (m->at < m->n && r == 0) {
        int c = str_cmp(m->extra[m->at].name, e->name);
        if (c > 0)
            break;
        r = m->fn(m->ud, &m->extra[m->at++]);
        if (c == 0)
            return r;
    }
    return r ? r : m->fn(m->ud, e);
}

static void vfs_merge_add(struct vfs_merge *m, struct dir_entry e)
{
    size_t i = 0;

    while (i < m->n && str_cmp(m->extra[i].name, e.name) < 0)
        i++;
    if (i < m->n && str_eq(m->extra[i].name, e.name))
        return;
    memmove(&m->extra[i + 1], &m->extra[i], (m->n - i) * sizeof e);
    m->extra[i] = e;
    m->n++;
}

/* The next component of each mount below the path. */
static void vfs_merge_fill(struct vfs *v, struct str path, struct vfs_merge *m)
{
    size_t skip = path.n == 1 ? 1 : path.n + 1;

    for (size_t i = 0; i + 1 < v->n; i++) {
        struct str p = v->mounts[i].path;
        if (p.n <= skip || memcmp(p.p, path.p, path.n) != 0 || p.p[skip - 1] != '/')
            continue;
        struct str name = str_from(p, skip);
        ptrdiff_t slash = str_chr(name, '/');
        if (slash >= 0)
            name.n = (size_t)slash;
        vfs_merge_add(m, (struct dir_entry){name, v->mounts[i].fs->dev << 32 | 1, MODE_DIR});
    }
}

static int vfs_list_merged(struct proc *p, struct spot *s, dir_fn fn, void *ud)
{
    struct vfs *v = p->kernel->vfs;
    struct heap *h = &p->kernel->heap;
    size_t size = v->n * sizeof(struct dir_entry);
    struct vfs_merge m = {heap_alloc(h, size), 0, 0, fn, ud};
    int r = 0;

    if (!m.extra)
        return HOB_ENOMEM;
    vfs_merge_fill(v, str_of(s->path, s->n), &m);
    if (!s->is_virtual)
        r = s->fs->ops->list(s->fs, vfs_cred(p), s->rel, vfs_merge_each, &m);
    while (r == 0 && m.at < m.n)
        r = fn(ud, &m.extra[m.at++]);
    heap_free(h, m.extra, size);
    return r;
}

int vfs_list(struct proc *p, struct str path, dir_fn fn, void *ud)
{
    struct spot s;
    int r = vfs_walk(p, path, WALK_FOLLOW, &s);

    if (r < 0)
        return r;
    if (!MODE_IS_DIR(s.st.mode))
        return HOB_ENOTDIR;
    if (!s.is_virtual && !s.fs->ops->list)
        return HOB_ENOTSUP;
    struct fs *fs = fs_ref(s.fs);
    if (walk_above_mount(p->kernel->vfs, str_of(s.path, s.n)))
        r = vfs_list_merged(p, &s, fn, ud);
    else
        r = fs->ops->list(fs, vfs_cred(p), s.rel, fn, ud);
    fs_unref(fs);
    return r;
}

int vfs_readlink(struct proc *p, struct str path, struct buf *out)
{
    struct spot s;
    int r = vfs_walk(p, path, 0, &s);

    if (r < 0)
        return r;
    /* The backend knows what can be read: the descriptors in /proc are no links, and yet can. */
    if (s.is_virtual || !s.fs->ops->readlink)
        return HOB_EINVAL;
    return s.fs->ops->readlink(s.fs, s.rel, out);
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Walks to a name that shall be made. */
static int vfs_walk_new(struct proc *p, struct str path, struct spot *s)
{
    int r = vfs_walk(p, path, WALK_MISSING, s);
    return r < 0 ? r : s->missing ? 0 : HOB_EEXIST;
}

int vfs_mkdir(struct proc *p, struct str path, uint32_t mode)
{
    struct spot s;
    /* `mkdir link/` does not follow: a name that is there is there. */
    while (path.n > 1 && path.p[path.n - 1] == '/')
        path.n--;
    int r = vfs_walk_new(p, path, &s);

    if (r == 0)
        r = vfs_writable(&s, s.fs->ops->mkdir);
    return r < 0 ? r : s.fs->ops->mkdir(s.fs, vfs_cred(p), s.rel, mode & ~p->umask);
}

int vfs_mkdirs(struct proc *p, struct str path, uint32_t mode)
{
    struct stat_info st;
    int r = 0;

    for (size_t i = 1; i <= path.n; i++) {
        if (i < path.n && path.p[i] != '/')
            continue;
        struct str part = {path.p, i};
        r = vfs_mkdir(p, part, i < path.n ? mode | 0300 : mode);
        if (r == HOB_EEXIST || r == HOB_EROFS || r == HOB_EACCES) {
            int there = vfs_stat(p, part, 0, &st);
            if (there == 0)
                r = MODE_IS_DIR(st.mode) ? 0 : i < path.n ? HOB_ENOTDIR : HOB_EEXIST;
        }
        if (r < 0)
            return r;
    }
    return path.n == 0 ? HOB_ENOENT : r;
}

int vfs_symlink(struct proc *p, struct str target, struct str path)
{
    struct spot s;

    if (target.n == 0)
        return HOB_ENOENT;
    if (target.n >= VFS_PATH_MAX)
        return HOB_ENAMETOOLONG;
    if (memchr(target.p, '\0', target.n))
        return HOB_EINVAL;
    int r = vfs_walk_new(p, path, &s);
    if (r == 0 && s.slash)
        r = HOB_ENOENT;
    if (r == 0)
        r = vfs_writable(&s, s.fs->ops->symlink);
    return r < 0 ? r : s.fs->ops->symlink(s.fs, vfs_cred(p), target, s.rel);
}

int vfs_mkfifo(struct proc *p, struct str path, uint32_t mode)
{
    struct spot s;
    int r = vfs_walk_new(p, path, &s);

    if (r == 0 && s.slash)
        r = HOB_ENOENT;
    if (r == 0)
        r = vfs_writable(&s, s.fs->ops->mkfifo);
    return r < 0 ? r : s.fs->ops->mkfifo(s.fs, vfs_cred(p), s.rel, mode & ~p->umask);
}

int vfs_link(struct proc *p, struct str from, struct str to, int flags)
{
    struct spot a, b;
    int r = vfs_walk(p, from, flags & VFS_NOFOLLOW ? 0 : WALK_FOLLOW, &a);

    if (r == 0)
        r = vfs_walk_new(p, to, &b);
    if (r < 0)
        return r;
    if (MODE_IS_DIR(a.st.mode))
        return HOB_EPERM;
    if (b.slash)
        return HOB_ENOENT;
    if (a.fs != b.fs)
        return HOB_EXDEV;
    r = vfs_writable(&b, b.fs->ops->link);
    return r < 0 ? r : b.fs->ops->link(b.fs, vfs_cred(p), a.rel, b.rel);
}

/* ---- removing -------------------------------------------------------------------------------- */

int vfs_unlink(struct proc *p, struct str path)
{
    struct spot s;
    int r = vfs_walk(p, path, 0, &s);

    if (r < 0)
        return r;
    if (MODE_IS_DIR(s.st.mode))
        return HOB_EISDIR;
    r = vfs_writable(&s, s.fs->ops->unlink);
    return r < 0 ? r : s.fs->ops->unlink(s.fs, vfs_cred(p), s.rel);
}

int vfs_rmdir(struct proc *p, struct str path)
{
    struct spot s;
    struct str bare = path;

    /* rmdir does not follow `link/` either: it is no folder. */
    while (bare.n > 1 && bare.p[bare.n - 1] == '/')
        bare.n--;
    int r = vfs_walk(p, bare, 0, &s);
    if (r < 0)
        return r;
    if (!MODE_IS_DIR(s.st.mode))
        return HOB_ENOTDIR;
    struct str last = path_base(bare);
    if (s.dots && str_eqz(last, "."))
        return HOB_EINVAL;
    if (s.dots && str_eqz(last, ".."))
        return HOB_ENOTEMPTY;
    r = vfs_movable(p, &s);
    if (r == 0)
        r = vfs_writable(&s, s.fs->ops->rmdir);
    return r < 0 ? r : s.fs->ops->rmdir(s.fs, vfs_cred(p), s.rel);
}

int vfs_rename(struct proc *p, struct str from, struct str to)
{
    struct spot a, b;
    int r = vfs_walk(p, from, 0, &a);

    if (r == 0)
        r = vfs_walk(p, to, WALK_MISSING, &b);
    if (r < 0)
        return r;
    if (a.dots || b.dots)
        return HOB_EBUSY;
    if (!MODE_IS_DIR(a.st.mode) && b.slash)
        return b.missing ? HOB_ENOTDIR : HOB_EISDIR;
    r = vfs_movable(p, &a);
    if (r == 0 && !b.missing)
        r = vfs_movable(p, &b);
    if (r < 0)
        return r;
    if (a.fs != b.fs)
        return HOB_EXDEV;
    r = vfs_writable(&a, a.fs->ops->rename);
    return r < 0 ? r : a.fs->ops->rename(a.fs, vfs_cred(p), a.rel, b.rel);
}

/* ---- attributes ------------------------------------------------------------------------------ */

int vfs_chmod(struct proc *p, struct str path, uint32_t mode)
{
    struct spot s;
    int r = vfs_walk(p, path, WALK_FOLLOW, &s);

    if (r == 0)
        r = vfs_writable(&s, s.fs->ops->chmod);
    return r < 0 ? r : s.fs->ops->chmod(s.fs, vfs_cred(p), s.rel, mode & 07777);
}

int vfs_chown(struct proc *p, struct str path, int64_t uid, int64_t gid, int flags)
{
    struct spot s;
    int r = vfs_walk(p, path, flags & VFS_NOFOLLOW ? 0 : WALK_FOLLOW, &s);

    if (r == 0)
        r = vfs_writable(&s, s.fs->ops->chown);
    return r < 0 ? r : s.fs->ops->chown(s.fs, vfs_cred(p), s.rel, uid, gid);
}

int vfs_utimes(struct proc *p, struct str path, int64_t atime, int64_t mtime, int flags)
{
    struct spot s;
    int r = vfs_walk(p, path, flags & VFS_NOFOLLOW ? 0 : WALK_FOLLOW, &s);

    if (r == 0)
        r = vfs_writable(&s, s.fs->ops->utimes);
    return r < 0 ? r : s.fs->ops->utimes(s.fs, vfs_cred(p), s.rel, atime, mtime);
}

int vfs_truncate(struct proc *p, struct str path, uint64_t size)
{
    struct spot s;
    int r = vfs_walk(p, path, WALK_FOLLOW, &s);

    if (r == 0 && MODE_IS_DIR(s.st.mode))
        r = HOB_EISDIR;
    if (r == 0)
        r = vfs_writable(&s, s.fs->ops->truncate);
    return r < 0 ? r : s.fs->ops->truncate(s.fs, vfs_cred(p), s.rel, size);
}

int vfs_statfs(struct proc *p, struct str path, struct fs_info *out)
{
    struct spot s;
    int r = vfs_walk(p, path, WALK_FOLLOW, &s);

    *out = (struct fs_info){0};
    if (r < 0 || s.fs->ops->statfs)
        return r < 0 ? r : s.fs->ops->statfs(s.fs, out);
    size_t n = MIN(strlen(s.fs->ops->name), sizeof out->type - 1);
    memcpy(out->type, s.fs->ops->name, n);
    return 0;
}

int vfs_realpath(struct proc *p, struct str path, bool missing_ok, struct buf *b)
{
    struct spot s;
    int r = vfs_walk(p, path, WALK_FOLLOW | (missing_ok ? WALK_MISSING : 0), &s);

    if (r == 0) {
        buf_add(b, s.path, s.n);
        r = b->heap->oom ? HOB_ENOMEM : 0;
    }
    return r;
}

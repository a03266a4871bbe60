/* tree.c -- files in memory as a persistent tree: what the walk and the commands call
 *
 * See tree.h for how it is built. Every change goes the same way: look up, check, make all nodes
 * that it will touch writable (this may fail for want of memory, and nothing has happened yet), and
 * then change them, which cannot fail.
 */
#include "vfs/tree.h"

static const struct fs_ops tree_ops;

struct tree *tree_of(struct fs *fs) { return fs->ops == &tree_ops ? (struct tree *)fs : NULL; }

static struct tree *tree_self(struct fs *fs) { return (struct tree *)fs; }

/* Follows the names of a clean path. 0: a->node is it, perhaps a symlink; 1: a symlink stands in
 * front of the last name; HOB_ENOENT, with TREE_LAST if its folder is there; HOB_ENOTDIR;
 * HOB_EACCES. */
int tree_find(const struct tree *t, struct cred c, struct str path, struct tree_at *a)
{
    const char *p = path.p, *end = path.p + path.n;

    *a = (struct tree_at){.ino = TREE_ROOT, .node = tree_get(t, TREE_ROOT)};
    while (p < end) {
        const char *q = p;
        while (q < end && *q != '/') /* names are short: this beats a call */
            q++;
        if (a->node->kind != TREE_DIR)
            return MODE_IS_LINK(a->node->mode) ? 1 : HOB_ENOTDIR;
        a->dir = a->node;
        a->dir_ino = a->ino;
        a->name = (struct str){p, (size_t)(q - p)};
        if (!tree_may(t, c, a->dir, 1))
            return HOB_EACCES;
        const struct tree_slot *s = tree_dir_find(a->dir->u.dir, a->name);
        if (!s) {
            a->node = NULL;
            a->flags = q == end ? TREE_LAST : 0;
            return HOB_ENOENT;
        }
        a->ino = s->u.ino;
        a->node = tree_get(t, a->ino);
        a->used = (size_t)(q - path.p);
        p = q < end ? q + 1 : q;
    }
    return 0;
}

static int tree_walk(struct fs *fs, struct cred c, struct str path, size_t *used,
                     struct stat_info *st)
{
    struct tree *t = tree_self(fs);
    struct tree_at a;
    int r = tree_find(t, c, path, &a);

    *used = a.used;
    if (r == 0 && a.node->kind == TREE_LAZY)
        r = tree_data_load(t, a.ino, &a.node);
    if (r < 0)
        return r;
    tree_fill(t, a.ino, a.node, st);
    return r == 1 || MODE_IS_LINK(a.node->mode);
}

/* As tree_find for a path whose symlinks are resolved. */
static int tree_look(const struct tree *t, struct cred c, struct str path, struct tree_at *a)
{
    int r = tree_find(t, c, path, a);
    return r == 1 ? HOB_ENOTDIR : r;
}

static const struct cred tree_super = {0, 0};

static int tree_stat(struct fs *fs, struct str path, struct stat_info *st)
{
    struct tree *t = tree_self(fs);
    struct tree_at a;
    int r = tree_look(t, tree_super, path, &a);

    if (r == 0)
        r = tree_data_load(t, a.ino, &a.node);
    if (r == 0)
        tree_fill(t, a.ino, a.node, st);
    return r;
}

/* ---- adding names ---------------------------------------------------------------------------- */

/* The owner and mode that a new entry of a folder gets. */
static void tree_inherit(const struct tree_inode *dir, struct cred *c, uint32_t *mode)
{
    if (!(dir->mode & MODE_SGID))
        return;
    if (dir->gid != TREE_USER)
        c->gid = dir->gid;
    if (MODE_IS_DIR(*mode))
        *mode |= MODE_SGID;
}

/* Makes a new inode under the name that tree_find did not find. Permission has been checked. The
 * reference to blob (contents, may be NULL) goes over if it succeeds. */
int tree_add(struct tree *t, struct cred c, const struct tree_at *a, uint32_t mode,
             struct blob *blob, uint64_t *ino)
{
    if (t->files >= t->fs.kernel->limits.files) /* TM-DOS-5 */
        return HOB_ENOSPC;
    if (a->dir->nlink == 0)
        return HOB_ENOENT;
    struct tree_inode *dir = tree_own(t, a->dir_ino);
    if (!dir)
        return HOB_ENOMEM;
    void **slot = radix_own(t, &t->table, t->next_ino, RADIX_INODES);
    tree_inherit(dir, &c, &mode);
    struct tree_inode *n = slot ? tree_inode_new(t, mode, c) : NULL;
    if (!n)
        return HOB_ENOMEM;
    if (tree_dir_insert(t, &dir->u.dir, a->name, t->next_ino, mode) < 0) {
        tree_uncharge(t, sizeof *n);
        tree_inode_unref(tree_mem(t), n);
        return HOB_ENOMEM;
    }
    n->parent = a->dir_ino;
    n->u.blob = blob;
    *slot = n;
    *ino = t->next_ino++;
    t->files++;
    dir->nlink += MODE_IS_DIR(mode);
    dir->mtime = dir->ctime = n->mtime;
    return 0;
}

/* Looks up a name that shall be made, and whether it may be. */
static int tree_look_new(struct tree *t, struct cred c, struct str path, struct tree_at *a)
{
    int r = tree_look(t, c, path, a);

    if (r == 0)
        return HOB_EEXIST;
    if (r != HOB_ENOENT || !(a->flags & TREE_LAST))
        return r;
    return tree_may(t, c, a->dir, 3) ? 0 : HOB_EACCES;
}

static int tree_make(struct fs *fs, struct cred c, struct str path, uint32_t mode)
{
    struct tree_at a;
    uint64_t ino;
    int r = tree_look_new(tree_self(fs), c, path, &a);
    return r < 0 ? r : tree_add(tree_self(fs), c, &a, mode, NULL, &ino);
}

static int tree_mkdir(struct fs *fs, struct cred c, struct str path, uint32_t mode)
{
    return tree_make(fs, c, path, MODE_DIR | (mode & 01777));
}

static int tree_mkfifo(struct fs *fs, struct cred c, struct str path, uint32_t mode)
{
    return tree_make(fs, c, path, MODE_FIFO | (mode & 0777));
}

static int tree_symlink(struct fs *fs, struct cred c, struct str target, struct str path)
{
    struct tree *t = tree_self(fs);
    struct tree_at a;
    uint64_t ino;
    int r = tree_look_new(t, c, path, &a);

    if (r < 0)
        return r;
    r = tree_add(t, c, &a, MODE_LINK | 0777, NULL, &ino);
    if (r < 0)
        return r;
    /* Nobody else has seen it: it is owned, and when its contents cannot be had it goes again. */
    struct tree_inode *n = tree_get(t, ino);
    ptrdiff_t w = tree_data_write(t, n, 0, target.p, target.n);
    if (w == (ptrdiff_t)target.n)
        return 0;
    struct tree_inode *dir = tree_get(t, a.dir_ino);
    tree_dir_remove(t, &dir->u.dir, a.name);
    tree_forget(t, ino);
    return w < 0 ? (int)w : HOB_ENOMEM;
}

static int tree_link(struct fs *fs, struct cred c, struct str from, struct str to)
{
    struct tree *t = tree_self(fs);
    struct tree_at a, b;
    int r = tree_look(t, c, from, &a);

    if (r == 0)
        r = tree_look_new(t, c, to, &b);
    if (r < 0)
        return r;
    if (a.node->kind == TREE_DIR)
        return HOB_EPERM;
    if (a.node->nlink >= 65000)
        return HOB_EMLINK;
    struct tree_inode *n = tree_own(t, a.ino), *dir = tree_own(t, b.dir_ino);
    if (!n || !dir || tree_dir_insert(t, &dir->u.dir, b.name, a.ino, n->mode) < 0)
        return HOB_ENOMEM;
    n->nlink++;
    n->parent = 0;
    n->ctime = dir->mtime = dir->ctime = tree_now(t);
    return 0;
}

/* ---- removing and renaming ------------------------------------------------------------------- */

/* May c take the name away? Write on the folder, and in a sticky one only what is one's own. */
static int tree_may_remove(const struct tree *t, struct cred c, const struct tree_inode *dir,
                           const struct tree_inode *n)
{
    struct stat_info d, s;

    if (!tree_may(t, c, dir, 3))
        return HOB_EACCES;
    if (!(dir->mode & MODE_STICKY) || c.uid == 0)
        return 0;
    tree_fill(t, 0, dir, &d);
    tree_fill(t, 0, n, &s);
    return c.uid == s.uid || c.uid == d.uid ? 0 : HOB_EPERM;
}

/* Takes away the name at `a`. */
static int tree_remove(struct tree *t, const struct tree_at *a)
{
    struct tree_inode *dir = tree_own_dir(t, a->dir_ino, a->name);
    struct tree_inode *n = a->node;
    bool last = n->kind == TREE_DIR || n->nlink == 1;

    if (!dir)
        return HOB_ENOMEM;
    if (last) {
        if (!radix_own(t, &t->table, a->ino, RADIX_INODES))
            return HOB_ENOMEM;
        n = tree_get(t, a->ino);
    } else if (!(n = tree_own(t, a->ino))) {
        return HOB_ENOMEM;
    }
    int64_t now = tree_now(t);
    tree_dir_remove(t, &dir->u.dir, a->name);
    dir->mtime = dir->ctime = now;
    dir->nlink -= n->kind == TREE_DIR;
    if (last) {
        tree_forget(t, a->ino);
    } else {
        n->nlink--;
        n->ctime = now;
    }
    return 0;
}

static int tree_unlink(struct fs *fs, struct cred c, struct str path)
{
    struct tree *t = tree_self(fs);
    struct tree_at a;
    int r = tree_look(t, c, path, &a);

    if (r == 0 && a.dir)
        r = tree_may_remove(t, c, a.dir, a.node);
    if (r < 0)
        return r;
    if (a.node->kind == TREE_DIR)
        return HOB_EISDIR;
    return tree_remove(t, &a);
}

static int tree_rmdir(struct fs *fs, struct cred c, struct str path)
{
    struct tree *t = tree_self(fs);
    struct tree_at a;
    int r = tree_look(t, c, path, &a);

    if (r == 0 && !a.dir)
        return HOB_EBUSY;
    if (r == 0)
        r = tree_may_remove(t, c, a.dir, a.node);
    if (r < 0)
        return r;
    if (a.node->kind != TREE_DIR)
        return HOB_ENOTDIR;
    return a.node->u.dir ? HOB_ENOTEMPTY : tree_remove(t, &a);
}

/* What must hold before `from` takes the place of what stands at `to`. 1: nothing is to be done. */
static int tree_rename_check(const struct tree *t, struct cred c, const struct tree_at *a,
                             const struct tree_at *b)
{
    int r = tree_may_remove(t, c, a->dir, a->node);
    bool dir = a->node->kind == TREE_DIR;

    if (r < 0)
        return r;
    if (b->node && b->ino == a->ino)
        return 1;
    r = b->node                     ? tree_may_remove(t, c, b->dir, b->node)
        : tree_may(t, c, b->dir, 3) ? 0
                                    : HOB_EACCES;
    if (r < 0)
        return r;
    bool over = b->node && !tree_is_whiteout(b->node);
    if (over && dir && b->node->kind != TREE_DIR)
        return HOB_ENOTDIR;
    if (over && !dir && b->node->kind == TREE_DIR)
        return HOB_EISDIR;
    /* A folder that goes elsewhere is itself changed: its `..` is. */
    if (dir && a->dir_ino != b->dir_ino && !tree_may(t, c, a->node, 2))
        return HOB_EACCES;
    return over && dir && b->node->u.dir ? HOB_ENOTEMPTY : 0;
}

/* Makes everything writable that a rename touches. */
static int tree_rename_own(struct tree *t, struct tree_at *a, struct tree_at *b)
{
    bool over = b->node != NULL;

    a->dir = tree_own_dir(t, a->dir_ino, a->name);
    b->dir = a->dir ? tree_own_dir(t, b->dir_ino, b->name) : NULL;
    a->node = b->dir ? tree_own(t, a->ino) : NULL;
    if (!a->node)
        return HOB_ENOMEM;
    if (over && !(b->node = tree_own(t, b->ino)))
        return HOB_ENOMEM;
    if (!over)
        return tree_dir_insert(t, &b->dir->u.dir, b->name, a->ino, a->node->mode);
    tree_dir_set(b->dir->u.dir, b->name, a->ino, a->node->mode);
    return 0;
}

/* A whiteout in the table, not yet under any name. 0: out of memory. */
static uint64_t tree_whiteout(struct tree *t)
{
    void **slot = radix_own(t, &t->table, t->next_ino, RADIX_INODES);
    struct tree_inode *n = slot ? tree_inode_new(t, MODE_CHR, tree_super) : NULL;

    if (!n)
        return 0;
    *slot = n;
    t->files++;
    return t->next_ino++;
}

int tree_move(struct tree *t, struct cred c, struct str from, struct str to, bool leave)
{
    struct tree_at a, b;
    uint64_t left = 0;
    int r = tree_look(t, c, from, &a);

    if (r < 0)
        return r;
    r = tree_look(t, c, to, &b);
    if (r < 0 && (r != HOB_ENOENT || !(b.flags & TREE_LAST)))
        return r;
    if (!a.dir || !b.dir)
        return HOB_EBUSY;
    if (to.n > from.n && to.p[from.n] == '/' && memcmp(from.p, to.p, from.n) == 0)
        return HOB_EINVAL;
    if (from.n > to.n && from.p[to.n] == '/' && memcmp(from.p, to.p, to.n) == 0)
        return HOB_ENOTEMPTY;
    r = tree_rename_check(t, c, &a, &b);
    if (r != 0)
        return MIN(r, 0);
    if (leave && !(left = tree_whiteout(t)))
        return HOB_ENOMEM;
    r = tree_rename_own(t, &a, &b);
    if (r < 0) {
        if (leave)
            tree_forget(t, left);
        return r;
    }

    int64_t now = tree_now(t);
    bool dir = a.node->kind == TREE_DIR;
    if (leave)
        tree_dir_set(a.dir->u.dir, a.name, left, MODE_CHR);
    else
        tree_dir_remove(t, &a.dir->u.dir, a.name);
    a.dir->nlink -= dir;
    b.dir->nlink += dir;
    a.dir->mtime = a.dir->ctime = b.dir->mtime = b.dir->ctime = a.node->ctime = now;
    if (a.node->nlink == 1 || dir)
        a.node->parent = b.dir_ino;
    if (b.node) {
        b.dir->nlink -= b.node->kind == TREE_DIR;
        b.node->ctime = now;
        if (b.node->kind == TREE_DIR || b.node->nlink == 1)
            tree_forget(t, b.ino);
        else
            b.node->nlink--;
    }
    return 0;
}

static int tree_rename(struct fs *fs, struct cred c, struct str from, struct str to)
{
    return tree_move(tree_self(fs), c, from, to, false);
}

int tree_hide(struct tree *t, const struct tree_at *a)
{
    struct tree_inode *dir = tree_own_dir(t, a->dir_ino, a->name);
    struct tree_inode *n = a->node && dir ? tree_own(t, a->ino) : NULL;
    uint64_t ino = dir && (n || !a->node) ? tree_whiteout(t) : 0;

    if (!ino)
        return HOB_ENOMEM;
    if (!n && tree_dir_insert(t, &dir->u.dir, a->name, ino, MODE_CHR) < 0) {
        tree_forget(t, ino);
        return HOB_ENOMEM;
    }
    dir->mtime = dir->ctime = tree_now(t);
    if (!n)
        return 0;
    tree_dir_set(dir->u.dir, a->name, ino, MODE_CHR);
    dir->nlink -= n->kind == TREE_DIR;
    if (n->kind == TREE_DIR || n->nlink == 1) {
        tree_forget(t, a->ino);
    } else {
        n->nlink--;
        n->ctime = dir->ctime;
    }
    return 0;
}

int tree_unhide(struct tree *t, struct cred c, const struct tree_at *a, uint32_t mode)
{
    struct tree_inode *dir = tree_own_dir(t, a->dir_ino, a->name);
    struct tree_inode *n = dir ? tree_own(t, a->ino) : NULL;

    if (!n)
        return HOB_ENOMEM;
    tree_inherit(dir, &c, &mode);
    n->mode = (uint16_t)mode;
    n->kind = MODE_IS_DIR(mode) ? TREE_DIR : TREE_BLOB;
    n->u.blob = NULL;
    n->uid = c.uid;
    n->gid = c.gid;
    n->nlink = MODE_IS_DIR(mode) ? 2 : 1;
    n->parent = a->dir_ino;
    n->atime = n->mtime = n->ctime = n->btime = dir->mtime = dir->ctime = tree_now(t);
    dir->nlink += MODE_IS_DIR(mode);
    tree_dir_set(dir->u.dir, a->name, a->ino, mode);
    return 0;
}

/* ---- opening, listing, attributes ------------------------------------------------------------ */

static int tree_open_new(struct tree *t, struct cred c, struct tree_at *a, uint32_t mode)
{
    if (!tree_may(t, c, a->dir, 3))
        return HOB_EACCES;
    int r = tree_add(t, c, a, MODE_FILE | (mode & 07777), NULL, &a->ino);
    if (r == 0)
        a->node = tree_get(t, a->ino);
    return r;
}

static int tree_open_old(struct tree *t, struct cred c, struct tree_at *a, unsigned flags)
{
    bool dir = a->node->kind == TREE_DIR;
    int bits = (flags & FILE_READ ? 4 : 0) | (flags & FILE_WRITE ? 2 : 0);

    if ((flags & FILE_CREATE) && (flags & FILE_EXCL))
        return HOB_EEXIST;
    if (MODE_IS_LINK(a->node->mode))
        return flags & FILE_NOFOLLOW ? HOB_ELOOP : 1;
    if (dir && (flags & (FILE_WRITE | FILE_CREATE)))
        return HOB_EISDIR;
    if (!dir && (flags & FILE_DIRECTORY))
        return HOB_ENOTDIR;
    if (!tree_may(t, c, a->node, bits))
        return HOB_EACCES;
    if (a->node->kind == TREE_LAZY) {
        int r = tree_data_load(t, a->ino, &a->node);
        if (r < 0)
            return r;
    }
    if ((flags & FILE_TRUNC) && (flags & FILE_WRITE) && MODE_IS_FILE(a->node->mode)) {
        struct tree_inode *n = tree_own(t, a->ino);
        if (!n)
            return HOB_ENOMEM;
        tree_data_clear(t, n);
        n->mtime = n->ctime = tree_now(t);
        a->node = n;
    }
    return 0;
}

static int tree_open(struct fs *fs, struct proc *p, struct cred c, struct str path, unsigned flags,
                     uint32_t mode, struct file **out)
{
    struct tree *t = tree_self(fs);
    struct tree_at a;
    int r = tree_find(t, c, path, &a);

    if (r == HOB_ENOENT && (flags & FILE_CREATE) && (a.flags & TREE_LAST))
        r = tree_open_new(t, c, &a, mode);
    else if (r == 0)
        r = tree_open_old(t, c, &a, flags);
    if (r != 0)
        return r;
    if ((a.node->mode & MODE_TYPE) == MODE_FIFO)
        return tree_file_fifo(t, p, a.ino, flags, out);
    return tree_file_open(t, a.ino, a.node, path, flags, out);
}

struct tree_listing {
    dir_fn fn;
    void *ud;
    uint64_t base;
};

static int tree_list_each(void *ud, struct str name, const struct tree_slot *s)
{
    struct tree_listing *l = ud;
    struct dir_entry e = {name, s->u.ino + l->base, (uint32_t)s->type << 12};
    return l->fn(l->ud, &e);
}

static int tree_list(struct fs *fs, struct cred c, struct str path, dir_fn fn, void *ud)
{
    struct tree *t = tree_self(fs);
    struct tree_listing l = {fn, ud, t->ino_base};
    struct tree_at a;
    int r = tree_look(t, c, path, &a);

    if (r < 0)
        return r;
    if (a.node->kind != TREE_DIR)
        return HOB_ENOTDIR;
    if (!tree_may(t, c, a.node, 4))
        return HOB_EACCES;
    /* The reference keeps what is listed as it is, whatever fn does to the folder. */
    struct tree_dir *d = tree_dir_ref(a.node->u.dir);
    r = tree_dir_each(d, tree_list_each, &l);
    tree_dir_unref(tree_mem(t), d);
    return r;
}

static int tree_readlink(struct fs *fs, struct str path, struct buf *out)
{
    struct tree *t = tree_self(fs);
    struct tree_at a;
    int r = tree_look(t, tree_super, path, &a);

    if (r < 0)
        return r;
    if (!MODE_IS_LINK(a.node->mode))
        return HOB_EINVAL;
    buf_add(out, a.node->u.blob->data, (size_t)a.node->size);
    return out->heap->oom ? HOB_ENOMEM : 0;
}

/* Looks up something whose attributes c wants to change: only the owner may. */
static int tree_look_own(struct tree *t, struct cred c, struct str path, struct tree_at *a)
{
    struct stat_info st;
    int r = tree_look(t, c, path, a);

    if (r < 0)
        return r;
    tree_fill(t, a->ino, a->node, &st);
    return c.uid == 0 || c.uid == st.uid ? 0 : HOB_EPERM;
}

static int tree_chmod(struct fs *fs, struct cred c, struct str path, uint32_t mode)
{
    struct tree *t = tree_self(fs);
    struct tree_at a;
    int r = tree_look_own(t, c, path, &a);

    if (r < 0)
        return r;
    struct tree_inode *n = tree_own(t, a.ino);
    if (!n)
        return HOB_ENOMEM;
    n->mode = (uint16_t)((n->mode & MODE_TYPE) | (mode & 07777));
    n->ctime = tree_now(t);
    return 0;
}

static int tree_chown(struct fs *fs, struct cred c, struct str path, int64_t uid, int64_t gid)
{
    struct tree *t = tree_self(fs);
    struct stat_info st;
    struct tree_at a;
    int r = tree_look(t, c, path, &a);

    if (r < 0)
        return r;
    tree_fill(t, a.ino, a.node, &st);
    bool uid_same = uid < 0 || (uint64_t)uid == st.uid;
    bool gid_same = gid < 0 || (uint64_t)gid == st.gid;
    if (c.uid != 0 && (!uid_same || c.uid != st.uid || (!gid_same && (uint64_t)gid != c.gid)) &&
        (uid >= 0 || gid >= 0))
        return HOB_EPERM;
    struct tree_inode *n = tree_own(t, a.ino);
    if (!n)
        return HOB_ENOMEM;
    if (uid >= 0)
        n->uid = (uint32_t)uid;
    if (gid >= 0)
        n->gid = (uint32_t)gid;
    if (c.uid != 0 && MODE_IS_FILE(n->mode) && (n->mode & 0111))
        n->mode = (uint16_t)(n->mode & ~(MODE_SUID | MODE_SGID));
    n->ctime = tree_now(t);
    return 0;
}

static int tree_utimes(struct fs *fs, struct cred c, struct str path, int64_t atime, int64_t mtime)
{
    struct tree *t = tree_self(fs);
    struct tree_at a;
    int r = tree_look_own(t, c, path, &a);

    /* Whoever may write may set the times to now, no others. */
    if (r == HOB_EPERM && atime == VFS_NOW && mtime == VFS_NOW)
        r = tree_may(t, c, a.node, 2) ? 0 : HOB_EACCES;
    if (r < 0)
        return r;
    struct tree_inode *n = tree_own(t, a.ino);
    if (!n)
        return HOB_ENOMEM;
    int64_t now = tree_now(t);
    if (atime != VFS_OMIT)
        n->atime = atime == VFS_NOW ? now : atime;
    if (mtime != VFS_OMIT)
        n->mtime = mtime == VFS_NOW ? now : mtime;
    n->ctime = now;
    return 0;
}

static int tree_truncate(struct fs *fs, struct cred c, struct str path, uint64_t size)
{
    struct tree *t = tree_self(fs);
    struct tree_at a;
    int r = tree_look(t, c, path, &a);

    if (r < 0)
        return r;
    if (a.node->kind == TREE_DIR)
        return HOB_EISDIR;
    if (!MODE_IS_FILE(a.node->mode))
        return HOB_EINVAL;
    if (!tree_may(t, c, a.node, 2))
        return HOB_EACCES;
    r = tree_data_load(t, a.ino, &a.node);
    if (r < 0)
        return r;
    struct tree_inode *n = tree_own(t, a.ino);
    r = n ? tree_data_resize(t, n, size) : HOB_ENOMEM;
    if (r == 0)
        n->mtime = n->ctime = tree_now(t);
    return r;
}

static int tree_statfs(struct fs *fs, struct fs_info *out)
{
    struct tree *t = tree_self(fs);

    *out = (struct fs_info){.type = "tree"};
    out->bytes_total = MIN(fs->kernel->limits.memory, INT64_MAX);
    out->bytes_used = t->bytes;
    out->files_total = fs->kernel->limits.files;
    out->files_used = t->files;
    return 0;
}

static void tree_close(struct fs *fs)
{
    struct tree *t = tree_self(fs);
    struct kernel *k = fs->kernel;

    while (t->fifos)
        tree_file_forget_fifo(t, t->fifos->ino);
    radix_unref(tree_mem(t), t->table, RADIX_INODES);
    heap_uncharge(&k->heap, t->bytes);
    heap_drop(&k->heap, t);
}

static const struct fs_ops tree_ops = {
    .name = "tree",
    .walk = tree_walk,
    .stat = tree_stat,
    .open = tree_open,
    .list = tree_list,
    .readlink = tree_readlink,
    .mkdir = tree_mkdir,
    .rmdir = tree_rmdir,
    .unlink = tree_unlink,
    .rename = tree_rename,
    .link = tree_link,
    .symlink = tree_symlink,
    .mkfifo = tree_mkfifo,
    .chmod = tree_chmod,
    .chown = tree_chown,
    .utimes = tree_utimes,
    .truncate = tree_truncate,
    .statfs = tree_statfs,
    .free = tree_close,
};

/* ---- life ------------------------------------------------------------------------------------ */

/* A tree without a table. */
struct tree *tree_blank(struct kernel *k)
{
    struct tree *t = heap_new(&k->heap, struct tree);

    if (!t)
        return NULL;
    t->fs.ops = &tree_ops;
    t->fs.kernel = k;
    t->fs.refs = 1;
    t->fs.flags = FS_DIRECT;
    t->next_ino = TREE_FIRST;
    t->gen = 1;
    return t;
}

struct fs *tree_new(struct kernel *k, bool standard)
{
    struct tree *t = tree_blank(k);

    if (!t)
        return NULL;
    if (standard) {
        t->table = (struct radix){(struct radix_node *)(uintptr_t)&tree_std_table, TREE_STD_HEIGHT};
        t->files = TREE_STD_FILES;
        if (tree_std_adapt(t) == 0)
            return &t->fs;
    } else {
        void **slot = radix_own(t, &t->table, TREE_ROOT, RADIX_INODES);
        struct tree_inode *root =
            slot ? tree_inode_new(t, MODE_DIR | 0755, (struct cred){k->uid, k->gid}) : NULL;
        if (root) {
            root->parent = TREE_ROOT;
            *slot = root;
            t->files = 1;
            return &t->fs;
        }
    }
    fs_unref(&t->fs);
    return NULL;
}

uint64_t tree_files(struct fs *fs) { return tree_of(fs) ? tree_of(fs)->files : 0; }
uint64_t tree_bytes(struct fs *fs) { return tree_of(fs) ? tree_of(fs)->bytes : 0; }

/* ---- for the embedder ------------------------------------------------------------------------ */

static struct str tree_relative(struct str path)
{
    while (path.n > 0 && path.p[0] == '/')
        path = str_from(path, 1);
    return path;
}

/* The regular file at path, made if needed, owned and empty; it belongs to the user. */
static int tree_fresh(struct tree *t, struct str path, uint32_t mode, struct tree_inode **out)
{
    struct cred c = {t->fs.kernel->uid, t->fs.kernel->gid};
    struct tree_at a;
    int r = tree_look(t, tree_super, tree_relative(path), &a);

    if (r == HOB_ENOENT && (a.flags & TREE_LAST))
        r = tree_add(t, c, &a, MODE_FILE | (mode & 07777), NULL, &a.ino);
    else if (r == 0 && !MODE_IS_FILE(a.node->mode))
        r = a.node->kind == TREE_DIR ? HOB_EISDIR : HOB_EEXIST;
    if (r < 0)
        return r;
    struct tree_inode *n = tree_own(t, a.ino);
    if (!n)
        return HOB_ENOMEM;
    tree_data_clear(t, n);
    n->mode = (uint16_t)(MODE_FILE | (mode & 07777));
    *out = n;
    return 0;
}

int tree_put(struct fs *fs, struct str path, struct str bytes, uint32_t mode)
{
    struct tree *t = tree_of(fs);
    struct tree_inode *n;
    int r = t ? tree_fresh(t, path, mode, &n) : HOB_ENOTSUP;

    if (r < 0)
        return r;
    ptrdiff_t w = tree_data_write(t, n, 0, bytes.p, bytes.n);
    return w == (ptrdiff_t)bytes.n ? 0 : w < 0 ? (int)w : HOB_ENOMEM;
}

int tree_put_static(struct fs *fs, struct str path, struct str bytes, uint32_t mode)
{
    struct tree *t = tree_of(fs);
    struct tree_inode *n;
    int r = t ? tree_fresh(t, path, mode, &n) : HOB_ENOTSUP;

    if (r < 0 || bytes.n == 0)
        return r;
    uint64_t before = t->bytes;
    n->u.blob = tree_data_borrow(t, bytes);
    if (!n->u.blob)
        return HOB_ENOMEM;
    n->size = bytes.n;
    n->charge = t->bytes - before;
    return 0;
}

int tree_put_lazy(struct fs *fs, struct str path, uint32_t mode, hob_lazy_fn fn, void *ud)
{
    struct tree *t = tree_of(fs);
    struct tree_inode *n;
    int r = t ? tree_fresh(t, path, mode, &n) : HOB_ENOTSUP;

    if (r < 0)
        return r;
    size_t size = sizeof(struct tree_lazy) + path.n + 1;
    struct tree_lazy *l = tree_alloc(t, size, 0);
    if (!l)
        return HOB_ENOMEM;
    atomic_init(&l->refs, 1);
    l->fn = fn;
    l->ud = ud;
    l->release = fs->kernel->host->release;
    l->release_ud = fs->kernel->host->ud;
    l->n = path.n;
    memcpy(l->path, path.p, path.n);
    l->path[path.n] = '\0';
    n->kind = TREE_LAZY;
    n->u.lazy = l;
    n->charge = size;
    return 0;
}

/* lazy.c -- a folder by callbacks, read-only
 *
 * Names and contents are kept in a tree of our own once they were asked for. A folder of it that is
 * marked TREE_UNLISTED has not been looked into; files are the tree's own lazy files.
 */
#include "vfs/tree.h"

struct lazy {
    struct fs fs;
    struct fs *tree;
    hob_lazy_dir dir;
};

static struct lazy *lazy_self(struct fs *fs)
{
    struct lazy *l = (struct lazy *)fs;

    l->tree->dev = fs->dev;
    l->tree->at = fs->at;
    return l;
}

static bool lazy_name_ok(struct str name)
{
    return name.n > 0 && name.n <= VFS_NAME_MAX && !str_eqz(name, ".") && !str_eqz(name, "..") &&
           !memchr(name.p, '/', name.n) && !memchr(name.p, '\0', name.n);
}

/* Adds one line of a listing: a name, with a slash behind if it is a folder. */
static int lazy_add(struct lazy *l, struct buf *path, struct str line)
{
    struct cred c = {l->fs.kernel->uid, l->fs.kernel->gid};
    struct tree *t = tree_of(l->tree);
    bool dir = line.n > 0 && line.p[line.n - 1] == '/';
    size_t top = path->n;
    struct tree_at a;
    int r;

    line.n -= dir;
    if (!lazy_name_ok(line))
        return 0;
    if (top > 0)
        buf_putc(path, '/');
    buf_str(path, line);
    if (path->heap->oom)
        return HOB_ENOMEM;
    if (tree_find(t, (struct cred){0, 0}, buf_get(path), &a) == 0) {
        r = 0; /* named twice */
    } else if (dir) {
        r = l->tree->ops->mkdir(l->tree, c, buf_get(path), 0755);
        if (r == 0 && tree_find(t, c, buf_get(path), &a) == 0)
            a.node->flags |= TREE_UNLISTED; /* just made, so owned */
    } else {
        r = tree_put_lazy(l->tree, buf_get(path), 0644, l->dir.read, l->dir.ud);
    }
    buf_cut(path, top);
    return r;
}

/* Asks for the names of the folder `path`, whose inode is `ino`. */
static int lazy_fetch(struct lazy *l, struct buf *path, uint64_t ino)
{
    hob_bytes got = {NULL, 0};
    int r = l->dir.list(l->dir.ud, path->p ? path->p : "", &got);

    if (r < 0)
        return r;
    struct str text = {got.data, got.len};
    r = 0;
    while (text.n > 0 && r == 0) {
        ptrdiff_t nl = str_chr(text, '\n');
        size_t n = nl < 0 ? text.n : (size_t)nl;
        r = lazy_add(l, path, str_sub(text, 0, n));
        text = str_from(text, n + (nl >= 0));
    }
    l->fs.kernel->host->release(l->fs.kernel->host->ud, got.data);
    struct tree_inode *node = r == 0 ? tree_own(tree_of(l->tree), ino) : NULL;
    if (!node)
        return r < 0 ? r : HOB_ENOMEM;
    node->flags &= (uint16_t)~TREE_UNLISTED;
    return 0;
}

/* Has the names of all folders on the way to path, and of path itself if `self`. */
static int lazy_ensure(struct lazy *l, struct str path, bool self)
{
    struct tree *t = tree_of(l->tree);
    struct tree_at a;
    struct buf at;
    int r = 0;

    buf_init(&at, &l->fs.kernel->heap);
    for (size_t i = 0; i <= path.n && r == 0; i++) {
        if (i > 0 && i < path.n && path.p[i] != '/')
            continue;
        if (i == path.n && i > 0 && !self)
            break;
        struct str part = str_sub(path, 0, i);
        if (tree_find(t, (struct cred){0, 0}, part, &a) != 0)
            break; /* whoever looks next will tell */
        if (a.node->kind != TREE_DIR || !(a.node->flags & TREE_UNLISTED))
            continue;
        buf_clear(&at);
        buf_str(&at, part);
        r = at.heap->oom ? HOB_ENOMEM : lazy_fetch(l, &at, a.ino);
    }
    buf_fini(&at);
    return r;
}

static int lazy_walk(struct fs *fs, struct cred c, struct str path, size_t *used,
                     struct stat_info *st)
{
    struct lazy *l = lazy_self(fs);
    int r = lazy_ensure(l, path, false);

    *used = 0;
    return r < 0 ? r : l->tree->ops->walk(l->tree, c, path, used, st);
}

static int lazy_stat(struct fs *fs, struct str path, struct stat_info *st)
{
    struct lazy *l = lazy_self(fs);
    int r = lazy_ensure(l, path, false);
    return r < 0 ? r : l->tree->ops->stat(l->tree, path, st);
}

static int lazy_open(struct fs *fs, struct proc *p, struct cred c, struct str path, unsigned flags,
                     uint32_t mode, struct file **out)
{
    struct lazy *l = lazy_self(fs);
    struct stat_info st;
    int r = lazy_stat(fs, path, &st);

    if (r < 0)
        return r == HOB_ENOENT && (flags & FILE_CREATE) ? HOB_EROFS : r;
    if (flags & FILE_WRITE)
        return MODE_IS_DIR(st.mode) ? HOB_EISDIR : HOB_EROFS;
    flags &= ~(unsigned)FILE_CREATE;
    return l->tree->ops->open(l->tree, p, c, path, flags, mode, out);
}

static int lazy_list(struct fs *fs, struct cred c, struct str path, dir_fn fn, void *ud)
{
    struct lazy *l = lazy_self(fs);
    int r = lazy_ensure(l, path, true);
    return r < 0 ? r : l->tree->ops->list(l->tree, c, path, fn, ud);
}

static unsigned lazy_busy(struct fs *fs) { return fs_busy(lazy_self(fs)->tree); }

static void lazy_free(struct fs *fs)
{
    struct lazy *l = lazy_self(fs);

    fs_unref(l->tree);
    heap_drop(&fs->kernel->heap, l);
}

static const struct fs_ops lazy_ops = {
    .name = "lazy",
    .walk = lazy_walk,
    .stat = lazy_stat,
    .open = lazy_open,
    .list = lazy_list,
    .busy = lazy_busy,
    .free = lazy_free,
};

struct fs *lazy_new(struct kernel *k, const hob_lazy_dir *dir)
{
    struct lazy *l = heap_new(&k->heap, struct lazy);

    if (!l)
        return NULL;
    l->fs = (struct fs){.ops = &lazy_ops, .kernel = k, .refs = 1, .flags = FS_READONLY};
    l->dir = *dir;
    l->tree = tree_new(k, false);
    if (!l->tree) {
        heap_drop(&k->heap, l);
        return NULL;
    }
    tree_get(tree_of(l->tree), TREE_ROOT)->flags |= TREE_UNLISTED;
    return &l->fs;
}

/* overlay.c -- changes in memory over a backend that is never written (TM-FS-4)
 *
 * What is changed is first copied up into a tree. There, a whiteout hides a name of the backend
 * below, and an opaque folder hides all that is in the folder of the same path. A folder of the
 * tree that is not opaque always stands over one below; the two are seen as one. Neither mark is
 * ever seen from outside.
 */
#include "vfs/overlay.h"

static const struct cred overlay_super = {0, 0};

static struct overlay *overlay_self(struct fs *fs) { return (struct overlay *)fs; }

static struct tree *overlay_tree(struct overlay *o) { return (struct tree *)o->upper; }

/* The two backends stand where the overlay stands. */
void overlay_sync(struct overlay *o)
{
    o->below->dev = o->upper->dev = o->fs.dev;
    o->below->at = o->upper->at = o->fs.at;
}

/* ---- looking --------------------------------------------------------------------------------- */

int overlay_lower(struct overlay *o, struct cred c, struct str path, size_t *used,
                  struct stat_info *st)
{
    *used = 0;
    int r = fs_walk(o->below, c, path, used, st);
    st->dev = o->fs.dev;
    return r;
}

/* Follows the path in the tree as far as it goes; *opaque tells whether below is hidden there. */
static int overlay_climb(struct overlay *o, struct cred c, struct str path, struct tree_at *u,
                         bool *opaque)
{
    struct tree *t = overlay_tree(o);
    const char *p = path.p, *end = path.p + path.n;

    *u = (struct tree_at){.ino = TREE_ROOT, .node = tree_get(t, TREE_ROOT)};
    *opaque = u->node->flags & TREE_OPAQUE;
    while (p < end) {
        const char *q = memchr(p, '/', (size_t)(end - p));
        if (!q)
            q = end;
        if (u->node->kind != TREE_DIR)
            return MODE_IS_LINK(u->node->mode) ? 1 : HOB_ENOTDIR;
        u->dir = u->node;
        u->dir_ino = u->ino;
        u->name = (struct str){p, (size_t)(q - p)};
        if (!tree_may(t, c, u->dir, 1))
            return HOB_EACCES;
        const struct tree_slot *s = tree_dir_find(u->dir->u.dir, u->name);
        u->flags = q == end ? TREE_LAST : 0;
        u->node = s ? tree_get(t, s->u.ino) : NULL;
        if (!s)
            return HOB_ENOENT;
        u->ino = s->u.ino;
        if (tree_is_whiteout(u->node)) {
            *opaque = true;
            return HOB_ENOENT;
        }
        *opaque = *opaque || u->node->kind != TREE_DIR || (u->node->flags & TREE_OPAQUE);
        u->used = (size_t)(q - path.p);
        p = q < end ? q + 1 : q;
    }
    return 0;
}

/* As overlay_lower, where the first `known` bytes of the path are folders that the tree has, too:
 * then what counts is whether those may be searched, which has been checked. */
static int overlay_lower_from(struct overlay *o, struct cred c, struct str path, size_t known,
                              size_t *used, struct stat_info *st)
{
    int r = overlay_lower(o, c, path, used, st);

    if (r != HOB_EACCES)
        return r;
    for (size_t i = known + 1; i < path.n; i++) {
        if (path.p[i] != '/')
            continue;
        r = overlay_lower(o, overlay_super, str_sub(path, 0, i), used, st);
        if (r != 0)
            return r;
        if (MODE_IS_DIR(st->mode) && !cred_may(c, st, 1))
            return HOB_EACCES;
    }
    return overlay_lower(o, overlay_super, path, used, st);
}

int overlay_find(struct overlay *o, struct cred c, struct str path, struct overlay_at *a)
{
    bool opaque;
    int r = overlay_climb(o, c, path, &a->up, &opaque);

    overlay_sync(o);
    a->below = !opaque;
    a->in_upper = r == 0;
    a->in_lower = r == 0 && !opaque;
    a->used = a->up.used;
    if (r >= 0) {
        tree_fill(overlay_tree(o), a->up.ino, a->up.node, &a->st);
        if (a->in_lower)
            a->st.nlink = 1;
        return r;
    }
    if (r != HOB_ENOENT || opaque)
        return r;
    size_t used;
    r = overlay_lower_from(o, c, path, a->up.used, &used, &a->st);
    a->used = MAX(used, a->used);
    a->in_lower = r == 0 || (r == 1 && used == path.n);
    if (r == HOB_ENOENT &&
        !memchr(path.p + a->used + (a->used > 0), '/', path.n - a->used - (a->used > 0)))
        a->up.flags |= TREE_LAST;
    else if (r < 0)
        a->up.flags = 0;
    return r == 1 && used == path.n ? 0 : r;
}

/* For a path whose symlinks are resolved. */
static int overlay_look(struct overlay *o, struct cred c, struct str path, struct overlay_at *a)
{
    int r = overlay_find(o, c, path, a);
    return r == 1 ? HOB_ENOTDIR : r;
}

static int overlay_walk(struct fs *fs, struct cred c, struct str path, size_t *used,
                        struct stat_info *st)
{
    struct overlay_at a;
    int r = overlay_find(overlay_self(fs), c, path, &a);

    *used = a.used;
    if (r < 0)
        return r;
    *st = a.st;
    return r == 1 || MODE_IS_LINK(a.st.mode);
}

static int overlay_stat(struct fs *fs, struct str path, struct stat_info *st)
{
    struct overlay_at a;
    int r = overlay_look(overlay_self(fs), overlay_super, path, &a);

    if (r == 0)
        *st = a.st;
    return r;
}

static int overlay_readlink(struct fs *fs, struct str path, struct buf *out)
{
    struct overlay *o = overlay_self(fs);
    struct overlay_at a;
    int r = overlay_look(o, overlay_super, path, &a);

    if (r < 0)
        return r;
    struct fs *from = a.in_upper ? o->upper : o->below;
    return from->ops->readlink ? from->ops->readlink(from, path, out) : HOB_EINVAL;
}

/* ---- listing --------------------------------------------------------------------------------- */

/* The names of the tree, between which those from below are put. */
struct overlay_merge {
    struct tree_dir_iter up;
    uint64_t base;
    dir_fn fn;
    void *ud;
};

/* Tells the names of the tree up to `until` (all if it is NULL); *same: it has that one, too. */
static int overlay_merge_up(struct overlay_merge *m, const struct str *until, bool *same)
{
    const struct tree_slot *s;
    struct str name;
    int r = 0;

    while (r == 0 && (s = tree_dir_at(&m->up, &name))) {
        int c = until ? str_cmp(name, *until) : -1;
        if (c > 0)
            break;
        if (c == 0)
            *same = true;
        uint32_t type = (uint32_t)s->type << 12;
        struct dir_entry e = {name, s->u.ino + m->base, type};
        tree_dir_next(&m->up);
        if (type != MODE_CHR)
            r = m->fn(m->ud, &e);
    }
    return r;
}

static int overlay_merge_each(void *ud, const struct dir_entry *e)
{
    struct overlay_merge *m = ud;
    bool same = false;
    int r = overlay_merge_up(m, &e->name, &same);
    return r || same ? r : m->fn(m->ud, e);
}

static int overlay_list(struct fs *fs, struct cred c, struct str path, dir_fn fn, void *ud)
{
    struct overlay *o = overlay_self(fs);
    struct tree *t = overlay_tree(o);
    struct overlay_merge m = {.base = t->ino_base, .fn = fn, .ud = ud};
    struct overlay_at a;
    bool same;
    int r = overlay_look(o, c, path, &a);

    if (r < 0)
        return r;
    if (!MODE_IS_DIR(a.st.mode))
        return HOB_ENOTDIR;
    if (!cred_may(c, &a.st, 4))
        return HOB_EACCES;
    struct tree_dir *d = a.in_upper ? tree_dir_ref(a.up.node->u.dir) : NULL;
    tree_dir_first(&m.up, d);
    if (a.in_lower)
        r = o->below->ops->list(o->below, overlay_super, path, overlay_merge_each, &m);
    if (r == 0)
        r = overlay_merge_up(&m, NULL, &same);
    tree_dir_unref(tree_mem(t), d);
    return r;
}

static int overlay_any(void *ud, const struct dir_entry *e)
{
    (void)ud;
    (void)e;
    return 1;
}

/* ---- copying up ------------------------------------------------------------------------------ */

/* The contents of a file below, into a new inode of the tree. */
static int overlay_copy_data(struct overlay *o, struct proc *p, struct str path, uint64_t ino)
{
    struct tree *t = overlay_tree(o);
    struct heap *h = &o->fs.kernel->heap;
    struct file *f;
    int r = o->below->ops->open(o->below, p, overlay_super, path, FILE_READ, 0, &f);

    if (r != 0)
        return r < 0 ? r : HOB_ELOOP;
    char *block = heap_alloc(h, TREE_CHUNK);
    uint64_t off = 0;
    ptrdiff_t got = block ? 0 : HOB_ENOMEM;
    while (block && (got = f->ops->read(f, p, off, block, TREE_CHUNK)) > 0) {
        struct tree_inode *n = tree_own(t, ino);
        for (size_t done = 0; done < (size_t)got;) {
            ptrdiff_t w =
                n ? tree_data_write(t, n, off, block + done, (size_t)got - done) : HOB_ENOMEM;
            if (w < 0) {
                got = w;
                break;
            }
            done += (size_t)w;
            off += (uint64_t)w;
        }
        if (got < 0)
            break;
    }
    heap_free(h, block, TREE_CHUNK);
    file_unref(f);
    return got < 0 ? (int)got : 0;
}

static int overlay_copy_link(struct overlay *o, struct str path, uint64_t ino)
{
    struct tree *t = overlay_tree(o);
    struct buf b;

    buf_init(&b, &o->fs.kernel->heap);
    int r = o->below->ops->readlink(o->below, path, &b);
    struct tree_inode *n = r == 0 ? tree_own(t, ino) : NULL;
    if (r == 0 && (!n || tree_data_write(t, n, 0, b.p, b.n) != (ptrdiff_t)b.n))
        r = HOB_ENOMEM;
    buf_fini(&b);
    return r;
}

/* Makes an inode in the tree for what is below at path, whose folder the tree has. All or nothing.
 * Without `data` a file stays empty: it will be cut anyway. */
static int overlay_copy(struct overlay *o, struct proc *p, struct str path, bool data)
{
    struct tree *t = overlay_tree(o);
    struct overlay_at a;
    uint64_t ino;
    int r = overlay_look(o, overlay_super, path, &a);

    if (r < 0 || a.in_upper)
        return r;
    bool link = MODE_IS_LINK(a.st.mode), dir = MODE_IS_DIR(a.st.mode);
    if (!link && !dir && !MODE_IS_FILE(a.st.mode))
        return HOB_EACCES; /* a device or a fifo of the host */
    r = tree_add(t, (struct cred){a.st.uid, a.st.gid}, &a.up, a.st.mode, NULL, &ino);
    if (r < 0)
        return r;
    if (link)
        r = overlay_copy_link(o, path, ino);
    else if (!dir && data)
        r = overlay_copy_data(o, p, path, ino);
    struct tree_inode *n = tree_own(t, ino);
    if (r == 0 && !n)
        r = HOB_ENOMEM;
    if (r < 0) {
        o->upper->ops->unlink(o->upper, overlay_super, path); /* all owned: needs no memory */
        return r;
    }
    n->mode = (uint16_t)a.st.mode;
    n->gid = a.st.gid;
    n->atime = a.st.atime;
    n->mtime = a.st.mtime;
    n->ctime = a.st.ctime;
    n->btime = a.st.btime;
    return 0;
}

/* Copies up the folders above path. */
static int overlay_copy_parents(struct overlay *o, struct str path)
{
    for (size_t i = 0; i < path.n; i++) {
        if (path.p[i] != '/')
            continue;
        int r = overlay_copy(o, NULL, str_sub(path, 0, i), false);
        if (r < 0)
            return r;
    }
    return 0;
}

static int overlay_copy_up(struct overlay *o, struct proc *p, struct str path, bool data)
{
    int r = overlay_copy_parents(o, path);
    return r < 0 ? r : overlay_copy(o, p, path, data);
}

/* A list of paths, and where each begins. */
struct overlay_paths {
    struct buf text; /* each with a NUL behind */
    struct str under;
};

static int overlay_paths_add(void *ud, const struct dir_entry *e)
{
    struct overlay_paths *l = ud;

    buf_str(&l->text, l->under);
    if (l->under.n > 0)
        buf_putc(&l->text, '/');
    buf_str(&l->text, e->name);
    buf_putc(&l->text, '\0');
    return l->text.heap->oom ? HOB_ENOMEM : 0;
}

/* Copies up a folder with all that is in it, and lets nothing shine through from below. */
static int overlay_copy_all(struct overlay *o, struct str path)
{
    struct tree *t = overlay_tree(o);
    struct overlay_paths l = {.under = STR("")};
    struct buf at;

    buf_init(&l.text, &o->fs.kernel->heap);
    buf_init(&at, &o->fs.kernel->heap);
    buf_str(&l.text, path);
    buf_putc(&l.text, '\0');
    int r = l.text.heap->oom ? HOB_ENOMEM : 0;
    for (size_t i = 0; r == 0 && i < l.text.n; i += at.n + 1) {
        struct overlay_at a;
        buf_clear(&at);
        buf_addz(&at, l.text.p + i);
        r = at.heap->oom ? HOB_ENOMEM : overlay_copy_up(o, NULL, buf_get(&at), true);
        if (r == 0)
            r = overlay_look(o, overlay_super, buf_get(&at), &a);
        if (r < 0 || !a.in_lower || !MODE_IS_DIR(a.st.mode))
            continue;
        l.under = buf_get(&at);
        r = overlay_list(&o->fs, overlay_super, buf_get(&at), overlay_paths_add, &l);
    }
    /* Only when all is there may the folders become opaque. */
    for (size_t i = 0; r == 0 && i < l.text.n; i += strlen(l.text.p + i) + 1) {
        struct overlay_at a;
        r = overlay_look(o, overlay_super, str_z(l.text.p + i), &a);
        struct tree_inode *n = r == 0 && MODE_IS_DIR(a.st.mode) ? tree_own(t, a.up.ino) : NULL;
        if (n)
            n->flags |= TREE_OPAQUE;
        else if (r == 0 && MODE_IS_DIR(a.st.mode))
            r = HOB_ENOMEM;
    }
    buf_fini(&at);
    buf_fini(&l.text);
    return r;
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Makes a new inode at a path that nothing is seen at. */
static int overlay_make(struct overlay *o, struct cred c, struct str path, uint32_t mode,
                        uint64_t *ino)
{
    struct tree *t = overlay_tree(o);
    struct overlay_at a;
    int r = overlay_look(o, c, path, &a);

    if (r == 0)
        return HOB_EEXIST;
    if (r != HOB_ENOENT || !(a.up.flags & TREE_LAST))
        return r;
    r = overlay_copy_parents(o, path);
    if (r == 0)
        r = overlay_look(o, c, path, &a);
    if (r != HOB_ENOENT)
        return r;
    if (!tree_may(t, c, a.up.dir, 3))
        return HOB_EACCES;
    if (a.up.node) {
        r = tree_unhide(t, c, &a.up, mode);
        *ino = a.up.ino;
    } else {
        r = tree_add(t, c, &a.up, mode, NULL, ino);
    }
    /* What is made new shows nothing from below. */
    if (r == 0 && MODE_IS_DIR(mode))
        tree_get(t, *ino)->flags |= TREE_OPAQUE;
    return r;
}

static int overlay_mkdir(struct fs *fs, struct cred c, struct str path, uint32_t mode)
{
    uint64_t ino;
    return overlay_make(overlay_self(fs), c, path, MODE_DIR | (mode & 01777), &ino);
}

static int overlay_mkfifo(struct fs *fs, struct cred c, struct str path, uint32_t mode)
{
    uint64_t ino;
    return overlay_make(overlay_self(fs), c, path, MODE_FIFO | (mode & 0777), &ino);
}

/* Takes a name of the tree away so that nothing is seen there. */
static int overlay_erase(struct overlay *o, struct str path)
{
    struct overlay_at a;
    size_t used;
    struct stat_info st;
    int r = overlay_copy_parents(o, path);

    if (r == 0)
        r = overlay_look(o, overlay_super, path, &a);
    if (r < 0)
        return r;
    /* Is there something below that would be seen then? */
    struct overlay_at dir;
    r = overlay_look(o, overlay_super, path_dir(path), &dir);
    if (r < 0)
        return r;
    if (dir.in_lower && overlay_lower(o, overlay_super, path, &used, &st) >= 0)
        return tree_hide(overlay_tree(o), &a.up);
    return MODE_IS_DIR(a.st.mode) ? o->upper->ops->rmdir(o->upper, overlay_super, path)
                                  : o->upper->ops->unlink(o->upper, overlay_super, path);
}

static int overlay_symlink(struct fs *fs, struct cred c, struct str target, struct str path)
{
    struct overlay *o = overlay_self(fs);
    struct tree *t = overlay_tree(o);
    uint64_t ino;
    int r = overlay_make(o, c, path, MODE_LINK | 0777, &ino);

    if (r < 0)
        return r;
    /* It was just made, so it is owned. */
    if (tree_data_write(t, tree_get(t, ino), 0, target.p, target.n) == (ptrdiff_t)target.n)
        return 0;
    overlay_erase(o, path);
    return HOB_ENOMEM;
}

static int overlay_open(struct fs *fs, struct proc *p, struct cred c, struct str path,
                        unsigned flags, uint32_t mode, struct file **out)
{
    struct overlay *o = overlay_self(fs);
    struct overlay_at a;
    uint64_t ino;
    int r = overlay_look(o, c, path, &a);

    if (r == HOB_ENOENT && (flags & FILE_CREATE)) {
        r = overlay_make(o, c, path, MODE_FILE | (mode & 07777), &ino);
        struct tree *t = overlay_tree(o);
        return r < 0 ? r : tree_file_open(t, ino, tree_get(t, ino), path, flags, out);
    }
    if (r < 0)
        return r;
    if ((flags & FILE_CREATE) && (flags & FILE_EXCL))
        return HOB_EEXIST;
    if (MODE_IS_DIR(a.st.mode) && (flags & (FILE_WRITE | FILE_CREATE)))
        return HOB_EISDIR;
    if (MODE_IS_LINK(a.st.mode))
        return HOB_ELOOP;
    int bits = (flags & FILE_READ ? 4 : 0) | (flags & FILE_WRITE ? 2 : 0);
    if (!cred_may(c, &a.st, bits))
        return HOB_EACCES;
    if (!a.in_upper && (flags & FILE_WRITE)) {
        r = overlay_copy_up(o, p, path, !(flags & FILE_TRUNC));
        if (r < 0)
            return r;
        a.in_upper = true;
    }
    /* The folders below may have other modes than those that are seen: all has been checked. */
    struct fs *from = a.in_upper ? o->upper : o->below;
    flags &= ~(unsigned)FILE_CREATE;
    r = from->ops->open(from, p, overlay_super, path, flags, mode, out);
    return r <= 0 ? r : HOB_ELOOP;
}

/* ---- removing and renaming ------------------------------------------------------------------- */

static int overlay_may_remove(struct overlay *o, struct cred c, struct str path,
                              const struct stat_info *st)
{
    struct overlay_at dir;
    int r = overlay_look(o, overlay_super, path_dir(path), &dir);

    if (r < 0)
        return r;
    if (!cred_may(c, &dir.st, 3))
        return HOB_EACCES;
    if ((dir.st.mode & MODE_STICKY) && c.uid != 0 && c.uid != st->uid && c.uid != dir.st.uid)
        return HOB_EPERM;
    return 0;
}

/* Takes the whiteouts out of a folder of the tree that shows nothing. */
static int overlay_purge(struct overlay *o, struct str path)
{
    struct tree *t = overlay_tree(o);
    struct overlay_at a;
    int r = overlay_look(o, overlay_super, path, &a);

    if (r < 0 || !a.in_upper || !a.up.node->u.dir)
        return r;
    struct tree_inode *n = tree_own(t, a.up.ino);
    if (!n)
        return HOB_ENOMEM;
    n->flags |= TREE_OPAQUE; /* from here on they are not needed */
    while (n->u.dir) {
        struct tree_dir_iter it;
        struct str name;
        tree_dir_first(&it, n->u.dir);
        uint64_t ino = tree_dir_at(&it, &name)->u.ino;
        char copy[VFS_NAME_MAX];
        memcpy(copy, name.p, name.n);
        name.p = copy;
        if (!radix_own(t, &t->table, ino, RADIX_INODES) || tree_dir_own(t, &n->u.dir, name) < 0)
            return HOB_ENOMEM;
        tree_dir_remove(t, &n->u.dir, name);
        tree_forget(t, ino);
    }
    return 0;
}

static int overlay_unlink(struct fs *fs, struct cred c, struct str path)
{
    struct overlay *o = overlay_self(fs);
    struct overlay_at a;
    int r = overlay_look(o, c, path, &a);

    if (r == 0)
        r = overlay_may_remove(o, c, path, &a.st);
    if (r == 0 && MODE_IS_DIR(a.st.mode))
        r = HOB_EISDIR;
    return r < 0 ? r : overlay_erase(o, path);
}

static int overlay_rmdir(struct fs *fs, struct cred c, struct str path)
{
    struct overlay *o = overlay_self(fs);
    struct overlay_at a;
    int r = overlay_look(o, c, path, &a);

    if (r == 0 && path.n == 0)
        r = HOB_EBUSY;
    if (r == 0)
        r = overlay_may_remove(o, c, path, &a.st);
    if (r == 0 && !MODE_IS_DIR(a.st.mode))
        r = HOB_ENOTDIR;
    if (r < 0)
        return r;
    r = overlay_list(fs, overlay_super, path, overlay_any, NULL);
    if (r != 0)
        return r < 0 ? r : HOB_ENOTEMPTY;
    r = overlay_purge(o, path);
    return r < 0 ? r : overlay_erase(o, path);
}

/* What must hold before `from` may go to `to`, where b is, if it is there. */
static int overlay_rename_check(struct overlay *o, struct cred c, struct str from, struct str to,
                                const struct overlay_at *a, const struct overlay_at *b)
{
    const struct stat_info own = {.uid = c.uid}; /* a new name is one's own */
    bool dir = MODE_IS_DIR(a->st.mode);
    int r = overlay_may_remove(o, c, from, &a->st);

    if (r == 0)
        r = overlay_may_remove(o, c, to, b ? &b->st : &own);
    if (r < 0)
        return r;
    if (b && dir != MODE_IS_DIR(b->st.mode))
        return dir ? HOB_ENOTDIR : HOB_EISDIR;
    if (dir && !str_eq(path_dir(from), path_dir(to)) && !cred_may(c, &a->st, 2))
        return HOB_EACCES;
    if (!b || !dir)
        return 0;
    r = overlay_list(&o->fs, overlay_super, to, overlay_any, NULL);
    return r > 0 ? HOB_ENOTEMPTY : r < 0 ? r : overlay_purge(o, to);
}

static int overlay_rename(struct fs *fs, struct cred c, struct str from, struct str to)
{
    struct overlay *o = overlay_self(fs);
    struct overlay_at a, b;
    struct stat_info st;
    size_t used;
    int r = overlay_look(o, c, from, &a), there;

    if (r < 0)
        return r;
    if (from.n == 0 || to.n == 0)
        return HOB_EBUSY;
    there = overlay_look(o, c, to, &b);
    if (there < 0 && (there != HOB_ENOENT || !(b.up.flags & TREE_LAST)))
        return there;
    if (to.n > from.n && to.p[from.n] == '/' && memcmp(from.p, to.p, from.n) == 0)
        return HOB_EINVAL;
    if (from.n > to.n && from.p[to.n] == '/' && memcmp(from.p, to.p, to.n) == 0)
        return HOB_ENOTEMPTY;
    if (str_eq(from, to))
        return 0;
    if (there == 0 && a.in_upper && b.in_upper && a.up.ino == b.up.ino)
        return 0; /* two names of one file */
    r = overlay_rename_check(o, c, from, to, &a, there == 0 ? &b : NULL);
    if (r == 0)
        r = overlay_copy_parents(o, to);
    if (r == 0)
        r = MODE_IS_DIR(a.st.mode) && a.in_lower ? overlay_copy_all(o, from)
                                                 : overlay_copy_up(o, NULL, from, true);
    struct overlay_at dir;
    if (r == 0)
        r = overlay_look(o, overlay_super, path_dir(from), &dir);
    if (r < 0)
        return r;
    bool leave = dir.in_lower && overlay_lower(o, overlay_super, from, &used, &st) >= 0;
    return tree_move(overlay_tree(o), c, from, to, leave);
}

static int overlay_link(struct fs *fs, struct cred c, struct str from, struct str to)
{
    struct overlay *o = overlay_self(fs);
    struct tree *t = overlay_tree(o);
    struct overlay_at a, b;
    int r = overlay_look(o, c, from, &a);

    if (r == 0 && MODE_IS_DIR(a.st.mode))
        r = HOB_EPERM;
    if (r < 0)
        return r;
    r = overlay_look(o, c, to, &b);
    if (r != HOB_ENOENT || !(b.up.flags & TREE_LAST))
        return r == 0 ? HOB_EEXIST : r;
    r = overlay_copy_up(o, NULL, from, true);
    if (r == 0)
        r = overlay_copy_parents(o, to);
    if (r < 0)
        return r;
    r = overlay_look(o, c, to, &b);
    if (r != HOB_ENOENT || !b.up.node)
        return o->upper->ops->link(o->upper, c, from, to);
    /* A whiteout is in the way: the name is turned over to the file. */
    r = overlay_look(o, c, from, &a);
    if (r < 0)
        return r;
    struct tree_inode *dir = tree_own_dir(t, b.up.dir_ino, b.up.name);
    struct tree_inode *n = dir ? tree_own(t, a.up.ino) : NULL;
    if (!n || !radix_own(t, &t->table, b.up.ino, RADIX_INODES))
        return HOB_ENOMEM;
    if (!tree_may(t, c, dir, 3))
        return HOB_EACCES;
    tree_dir_set(dir->u.dir, b.up.name, a.up.ino, n->mode);
    tree_forget(t, b.up.ino);
    n->nlink++;
    n->parent = 0;
    n->ctime = dir->mtime = dir->ctime = tree_now(t);
    return 0;
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* Copies up what c wants to change. */
static int overlay_touch(struct overlay *o, struct cred c, struct str path)
{
    struct overlay_at a;
    int r = overlay_look(o, c, path, &a);
    return r < 0 || a.in_upper ? r : overlay_copy_up(o, NULL, path, true);
}

static int overlay_chmod(struct fs *fs, struct cred c, struct str path, uint32_t mode)
{
    struct fs *up = overlay_self(fs)->upper;
    int r = overlay_touch(overlay_self(fs), c, path);
    return r < 0 ? r : up->ops->chmod(up, c, path, mode);
}

static int overlay_chown(struct fs *fs, struct cred c, struct str path, int64_t uid, int64_t gid)
{
    struct fs *up = overlay_self(fs)->upper;
    int r = overlay_touch(overlay_self(fs), c, path);
    return r < 0 ? r : up->ops->chown(up, c, path, uid, gid);
}

static int overlay_utimes(struct fs *fs, struct cred c, struct str path, int64_t atime,
                          int64_t mtime)
{
    struct fs *up = overlay_self(fs)->upper;
    int r = overlay_touch(overlay_self(fs), c, path);
    return r < 0 ? r : up->ops->utimes(up, c, path, atime, mtime);
}

static int overlay_truncate(struct fs *fs, struct cred c, struct str path, uint64_t size)
{
    struct fs *up = overlay_self(fs)->upper;
    int r = overlay_touch(overlay_self(fs), c, path);
    return r < 0 ? r : up->ops->truncate(up, c, path, size);
}

static int overlay_statfs(struct fs *fs, struct fs_info *out)
{
    struct fs *up = overlay_self(fs)->upper;
    int r = up->ops->statfs(up, out);

    memcpy(out->type, "overlay", sizeof "overlay");
    return r;
}

static unsigned overlay_busy(struct fs *fs)
{
    struct overlay *o = overlay_self(fs);
    return fs_busy(o->below) + fs_busy(o->upper);
}

static void overlay_free(struct fs *fs)
{
    struct overlay *o = overlay_self(fs);

    fs_unref(o->below);
    fs_unref(o->upper);
    heap_drop(&fs->kernel->heap, o);
}

static const struct fs_ops overlay_ops = {
    .name = "overlay",
    .walk = overlay_walk,
    .stat = overlay_stat,
    .open = overlay_open,
    .list = overlay_list,
    .readlink = overlay_readlink,
    .mkdir = overlay_mkdir,
    .rmdir = overlay_rmdir,
    .unlink = overlay_unlink,
    .rename = overlay_rename,
    .link = overlay_link,
    .symlink = overlay_symlink,
    .mkfifo = overlay_mkfifo,
    .chmod = overlay_chmod,
    .chown = overlay_chown,
    .utimes = overlay_utimes,
    .truncate = overlay_truncate,
    .statfs = overlay_statfs,
    .busy = overlay_busy,
    .free = overlay_free,
};

struct overlay *overlay_of(struct fs *fs)
{
    return fs->ops == &overlay_ops ? (struct overlay *)fs : NULL;
}

struct fs *overlay_upper(struct fs *fs) { return overlay_of(fs) ? overlay_of(fs)->upper : NULL; }
struct fs *overlay_below(struct fs *fs) { return overlay_of(fs) ? overlay_of(fs)->below : NULL; }

struct fs *overlay_new(struct kernel *k, struct fs *below)
{
    struct overlay *o = below ? heap_new(&k->heap, struct overlay) : NULL;
    struct fs *upper = o ? tree_new(k, false) : NULL;
    struct stat_info st;

    if (!upper) {
        if (o)
            heap_drop(&k->heap, o);
        fs_unref(below);
        return NULL;
    }
    o->fs = (struct fs){.ops = &overlay_ops, .kernel = k, .refs = 1};
    o->below = below;
    o->upper = upper;
    overlay_tree(o)->ino_base = UINT64_C(1) << 40;
    /* The root of the tree stands over the root below. */
    struct tree_inode *root = tree_get(overlay_tree(o), TREE_ROOT);
    if (below->ops->stat(below, STR(""), &st) == 0) {
        root->mode = (uint16_t)st.mode;
        root->uid = st.uid;
        root->gid = st.gid;
        root->atime = st.atime;
        root->mtime = st.mtime;
        root->ctime = st.ctime;
    }
    return &o->fs;
}

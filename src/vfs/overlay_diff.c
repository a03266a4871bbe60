/* overlay_diff.c -- what an overlay changed against the backend below
 *
 * Only the tree is walked, and those folders below that it hides: there, everything that the tree
 * does not have is gone.
 */
#include "base/vec.h"
#include "vfs/overlay.h"

static const struct cred overlay_diff_super = {0, 0};

/* A folder on the way: entries of the tree, and the names below that it hides. */
struct overlay_diff_frame {
    struct tree_dir_iter up;
    struct buf names; /* of the folder below, each with a NUL behind; only where it is hidden */
    size_t at;        /* the next of them */
    size_t path;      /* length of the path of the folder */
    bool hidden;      /* names are compared; else the tree's entries alone tell what changed */
    bool lower;       /* there is a folder below */
};

struct overlay_diff {
    struct overlay *o;
    struct tree *t;
    tree_diff_fn fn;
    void *ud;
    struct buf path;
    struct {
        struct overlay_diff_frame *p;
        size_t n, cap;
    } stack;
};

static int overlay_diff_name(void *ud, const struct dir_entry *e)
{
    struct buf *b = ud;

    buf_str(b, e->name);
    buf_putc(b, '\0');
    return b->heap->oom ? HOB_ENOMEM : 0;
}

/* Goes into the folder at path: d is that of the tree, or NULL; `lower`: there is one below. */
static int overlay_diff_enter(struct overlay_diff *w, const struct tree_dir *d, bool lower,
                              bool hidden)
{
    struct overlay_diff_frame f = {.path = w->path.n, .hidden = hidden, .lower = lower};
    int r = 0;

    tree_dir_first(&f.up, d);
    buf_init(&f.names, w->path.heap);
    if (lower && hidden)
        r = w->o->below->ops->list(w->o->below, overlay_diff_super, buf_get(&w->path),
                                   overlay_diff_name, &f.names);
    if (r == 0 && !vec_push(w->path.heap, &w->stack, f))
        r = HOB_ENOMEM;
    if (r < 0)
        buf_fini(&f.names);
    return r;
}

/* Compares the contents of a file or link of the tree with those of the one below. */
static int overlay_diff_same(struct overlay_diff *w, const struct tree_inode *n, bool *same)
{
    struct fs *below = w->o->below;
    struct str path = buf_get(&w->path);
    struct buf b;
    struct file *f;
    uint64_t off = 0;
    struct slice s;

    buf_init(&b, w->path.heap);
    *same = true;
    if (MODE_IS_LINK(n->mode)) {
        int r = below->ops->readlink(below, path, &b);
        *same = r == 0 && b.n == n->size && memcmp(b.p, n->u.blob->data, b.n) == 0;
        buf_fini(&b);
        return r;
    }
    int r = below->ops->open(below, NULL, overlay_diff_super, path, FILE_READ, 0, &f);
    if (r != 0)
        return MIN(r, HOB_EIO);
    while (r == 0 && *same && tree_data_take(n, off, &s) > 0) {
        size_t part = MIN(s.n, TREE_CHUNK);
        buf_clear(&b);
        ptrdiff_t got = buf_reserve(&b, part) ? f->ops->read(f, NULL, off, b.p, part) : HOB_ENOMEM;
        if (got < 0)
            r = (int)got;
        else
            *same = got > 0 && memcmp(b.p, s.p, (size_t)got) == 0;
        off += got > 0 ? (uint64_t)got : 0;
        slice_drop(&s);
    }
    buf_fini(&b);
    file_unref(f);
    return r;
}

/* Tells about path: n is what the tree has, or NULL; `seen`: what is below counts as it was. */
static int overlay_diff_entry(struct overlay_diff *w, uint64_t ino, const struct tree_inode *n,
                              bool lower)
{
    struct stat_info was, is;
    size_t used;
    bool gone = !n || tree_is_whiteout(n);
    int r = lower ? overlay_lower(w->o, overlay_diff_super, buf_get(&w->path), &used, &was)
                  : HOB_ENOENT;

    if (r < 0 && r != HOB_ENOENT && r != HOB_ENOTDIR)
        return r;
    bool old = r >= 0;
    if (!gone)
        tree_fill(w->t, ino, n, &is);
    if (!old && gone)
        return 0;
    bool same = old && !gone && was.mode == is.mode && was.uid == is.uid && was.gid == is.gid;
    r = 0;
    if (same && !MODE_IS_DIR(was.mode)) {
        same = was.size == is.size;
        if (same)
            r = overlay_diff_same(w, n, &same);
    }
    if (r == 0 && !same)
        r = w->fn(w->ud, buf_get(&w->path), old ? &was : NULL, gone ? NULL : &is);
    bool up = !gone && n->kind == TREE_DIR, down = old && MODE_IS_DIR(was.mode);
    if (r != 0 || (!up && !down))
        return r;
    return overlay_diff_enter(w, up ? n->u.dir : NULL, down, !up || (n->flags & TREE_OPAQUE));
}

static int overlay_diff_step(struct overlay_diff *w)
{
    struct overlay_diff_frame *f = &w->stack.p[w->stack.n - 1];
    struct str up, down = {NULL, 0};
    const struct tree_slot *s = tree_dir_at(&f->up, &up);

    buf_cut(&w->path, f->path);
    if (f->at < f->names.n)
        down = str_z(f->names.p + f->at);
    if (!s && !down.p) {
        buf_fini(&f->names);
        w->stack.n--;
        return 0;
    }
    int c = !s ? 1 : !down.p ? -1 : str_cmp(up, down);
    if (f->path > 0)
        buf_putc(&w->path, '/');
    buf_str(&w->path, c > 0 ? down : up);
    if (w->path.heap->oom)
        return HOB_ENOMEM;
    if (c <= 0)
        tree_dir_next(&f->up);
    if (c >= 0)
        f->at += down.n + 1;
    uint64_t ino = c <= 0 ? s->u.ino : 0;
    return overlay_diff_entry(w, ino, ino ? tree_get(w->t, ino) : NULL, f->lower);
}

int overlay_diff(struct fs *fs, tree_diff_fn fn, void *ud)
{
    struct overlay *o = overlay_of(fs);
    struct heap *h = &fs->kernel->heap;
    struct overlay_diff w = {.o = o, .fn = fn, .ud = ud};

    if (!o)
        return HOB_ENOTSUP;
    overlay_sync(o);
    w.t = (struct tree *)o->upper;
    buf_init(&w.path, h);
    const struct tree_inode *root = tree_get(w.t, TREE_ROOT);
    /* The tree must stay as it is while fn looks at it. */
    struct tree_dir *d = tree_dir_ref(root->u.dir);
    int r = overlay_diff_enter(&w, d, true, root->flags & TREE_OPAQUE);
    while (r == 0 && w.stack.n > 0)
        r = overlay_diff_step(&w);
    while (w.stack.n > 0)
        buf_fini(&w.stack.p[--w.stack.n].names);
    tree_dir_unref(tree_mem(w.t), d);
    vec_fini(h, &w.stack);
    buf_fini(&w.path);
    return r;
}

/* tree_diff.c -- what differs between two snapshots
 *
 * First the two tables of inodes are compared; nodes that both share are skipped, so this costs as
 * much as was changed. Folders on the way to a changed inode are marked, and only those are then
 * walked, side by side. An inode that had several names does not know its folders: then all are
 * walked.
 */
#include "base/map.h"
#include "vfs/tree.h"

enum {
    TREE_DIFF_OLD = 1,
    TREE_DIFF_NEW = 2
};

/* Two folders of the same path, or one of them alone. */
struct tree_diff_frame {
    struct tree_dir_iter old, now;
    size_t path; /* length of the path of the folder */
};

struct tree_diff {
    struct heap *heap;
    tree_diff_fn fn;
    void *ud;
    struct tree_snap_view old, now;
    struct map marks; /* inode number -> TREE_DIFF_OLD | TREE_DIFF_NEW: the way up is marked */
    bool all;         /* walk everything */
    struct buf path;
    struct {
        struct tree_diff_frame *p;
        size_t n, cap;
    } stack;
};

/* ---- marking --------------------------------------------------------------------------------- */

static int tree_diff_mark(struct tree_diff *d, const struct tree *t, uint64_t ino, uintptr_t bit)
{
    while (ino != 0) {
        void **v = map_put(&d->marks, str_of((const char *)&ino, sizeof ino));
        if (!v)
            return HOB_ENOMEM;
        if ((uintptr_t)*v & bit)
            return 0;
        *v = (void *)((uintptr_t)*v | bit);
        const struct tree_inode *n = tree_get(t, ino);
        if (ino == TREE_ROOT)
            return 0;
        ino = n ? n->parent : 0;
    }
    d->all = true;
    return 0;
}

static bool tree_diff_marked(const struct tree_diff *d, uint64_t ino)
{
    return d->all || map_get(&d->marks, str_of((const char *)&ino, sizeof ino));
}

static int tree_diff_inode(struct tree_diff *d, const void *a, const void *b, uint64_t ino)
{
    int r = 0;

    if (a == b)
        return 0;
    if (a)
        r = tree_diff_mark(d, &d->old.tree, ino, TREE_DIFF_OLD);
    return r == 0 && b ? tree_diff_mark(d, &d->now.tree, ino, TREE_DIFF_NEW) : r;
}

/* Compares two tries of the same height, either of which may be NULL. */
static int tree_diff_nodes(struct tree_diff *d, const struct radix_node *a,
                           const struct radix_node *b, unsigned height, uint64_t base)
{
    int r = 0;

    if (a == b)
        return 0;
    if (height == 0)
        return tree_diff_inode(d, a, b, base);
    for (size_t i = 0; i < RADIX_FANOUT && r == 0; i++)
        r = tree_diff_nodes(d, a ? a->slot[i] : NULL, b ? b->slot[i] : NULL, height - 1,
                            base | (uint64_t)i << ((height - 1) * RADIX_BITS));
    return r;
}

/* The higher one has the other's range as its first slot. */
static int tree_diff_tables(struct tree_diff *d, struct radix a, struct radix b)
{
    while (a.height != b.height) {
        bool left = a.height > b.height;
        struct radix *high = left ? &a : &b;
        for (size_t i = 1; i < RADIX_FANOUT; i++) {
            const struct radix_node *n = high->root->slot[i];
            uint64_t base = (uint64_t)i << ((high->height - 1) * RADIX_BITS);
            int r = tree_diff_nodes(d, left ? n : NULL, left ? NULL : n, high->height - 1u, base);
            if (r < 0)
                return r;
        }
        high->root = high->root->slot[0];
        high->height--;
    }
    return tree_diff_nodes(d, a.root, b.root, a.height, 0);
}

/* ---- walking --------------------------------------------------------------------------------- */

static bool tree_diff_same(const struct tree_inode *a, const struct tree_inode *b)
{
    if (a == b)
        return true;
    if (a->mode != b->mode || a->uid != b->uid || a->gid != b->gid)
        return false;
    if (a->kind == TREE_DIR)
        return true;
    if (a->kind != TREE_LAZY && b->kind != TREE_LAZY)
        return tree_data_equal(a, b);
    if (a->kind == b->kind)
        return a->u.lazy == b->u.lazy;
    /* One of them was looked at meanwhile. */
    const struct tree_inode *lazy = a->kind == TREE_LAZY ? a : b, *other = lazy == a ? b : a;
    hob_bytes bytes;
    struct slice s;
    bool same = tree_data_ask(lazy->u.lazy, &bytes) == 0 && bytes.len == other->size;
    for (uint64_t off = 0; same && tree_data_take(other, off, &s) > 0; off += s.n) {
        same = memcmp(bytes.data + off, s.p, s.n) == 0;
        size_t n = s.n;
        slice_drop(&s);
        s.n = n;
    }
    tree_data_release(lazy->u.lazy, &bytes);
    return same;
}

/* Tells about one path. Either may be NULL. */
static int tree_diff_tell(struct tree_diff *d, uint64_t ia, const struct tree_inode *a, uint64_t ib,
                          const struct tree_inode *b)
{
    struct stat_info was, is;
    int r = 0;

    if (a)
        r = tree_snap_fill_stat(&d->old, ia, a, &was);
    if (r == 0 && b)
        r = tree_snap_fill_stat(&d->now, ib, b, &is);
    return r < 0 ? r : d->fn(d->ud, buf_get(&d->path), a ? &was : NULL, b ? &is : NULL);
}

static int tree_diff_enter(struct tree_diff *d, const struct tree_inode *a,
                           const struct tree_inode *b)
{
    struct tree_diff_frame f;

    tree_dir_first(&f.old, a && a->kind == TREE_DIR ? a->u.dir : NULL);
    tree_dir_first(&f.now, b && b->kind == TREE_DIR ? b->u.dir : NULL);
    f.path = d->path.n;
    return vec_push(d->heap, &d->stack, f) ? 0 : HOB_ENOMEM;
}

/* Compares the entries sa and sb of the same name; one of them may be NULL. */
static int tree_diff_entry(struct tree_diff *d, const struct tree_slot *sa,
                           const struct tree_slot *sb)
{
    uint64_t ia = sa ? sa->u.ino : 0, ib = sb ? sb->u.ino : 0;
    const struct tree_inode *a = sa ? tree_get(&d->old.tree, ia) : NULL;
    const struct tree_inode *b = sb ? tree_get(&d->now.tree, ib) : NULL;
    int r = 0;

    if (!a || !b || !tree_diff_same(a, b))
        r = tree_diff_tell(d, ia, a, ib, b);
    bool dirs = (a && a->kind == TREE_DIR) || (b && b->kind == TREE_DIR);
    bool skip = a && b && ia == ib && !tree_diff_marked(d, ia);
    return r == 0 && dirs && !skip ? tree_diff_enter(d, a, b) : r;
}

/* Goes on in the folder on top of the stack. */
static int tree_diff_step(struct tree_diff *d)
{
    struct tree_diff_frame *f = &d->stack.p[d->stack.n - 1];
    struct str na, nb;
    const struct tree_slot *a = tree_dir_at(&f->old, &na), *b = tree_dir_at(&f->now, &nb);

    buf_cut(&d->path, f->path);
    if (!a && !b) {
        d->stack.n--;
        return 0;
    }
    int c = !a ? 1 : !b ? -1 : str_cmp(na, nb);
    if (f->path > 0)
        buf_putc(&d->path, '/');
    buf_str(&d->path, c > 0 ? nb : na);
    if (d->heap->oom)
        return HOB_ENOMEM;
    if (c <= 0)
        tree_dir_next(&f->old);
    if (c >= 0)
        tree_dir_next(&f->now);
    return tree_diff_entry(d, c <= 0 ? a : NULL, c >= 0 ? b : NULL);
}

int tree_diff(struct heap *h, const struct tree_snap *from, const struct tree_snap *to,
              tree_diff_fn fn, void *ud)
{
    struct tree_diff d = {.heap = h, .fn = fn, .ud = ud};

    tree_snap_open(&d.old, from);
    tree_snap_open(&d.now, to);
    map_init(&d.marks, h);
    buf_init(&d.path, h);
    int r = tree_diff_tables(&d, from->table, to->table);
    if (r == 0 && tree_diff_marked(&d, TREE_ROOT))
        r = tree_diff_enter(&d, tree_get(&d.old.tree, TREE_ROOT), tree_get(&d.now.tree, TREE_ROOT));
    while (r == 0 && d.stack.n > 0)
        r = tree_diff_step(&d);
    vec_fini(h, &d.stack);
    buf_fini(&d.path);
    map_fini(&d.marks);
    return r;
}

/* tree_snap.c -- snapshots of a tree: taking, restoring, comparing, reading
 *
 * A snapshot is a reference to the table of inodes, with the counters that go with it. It may be
 * used by several threads at once; nothing in it ever changes.
 */
#include "vfs/tree.h"

struct tree_snap *tree_snapshot(struct fs *fs)
{
    struct tree *t = tree_of(fs);
    struct heap *h = &fs->kernel->heap;
    struct tree_snap *s = t && heap_admit(h, sizeof *s) ? h->fn(h->ud, NULL, 0, sizeof *s) : NULL;

    if (!s)
        return NULL;
    atomic_init(&s->refs, 1);
    s->mem = tree_mem(t);
    s->table = t->table;
    s->next_ino = t->next_ino;
    s->files = t->files;
    s->bytes = t->bytes;
    s->boot = fs->kernel->boot;
    s->uid = fs->kernel->uid;
    s->gid = fs->kernel->gid;
    tree_ref(&t->table.root->refs);
    t->gen++;
    /* What is open and nameless is charged to the tree, but not part of the snapshot. */
    for (struct tree_file *f = t->open; f; f = f->next) {
        bool first = f->orphan != NULL;
        for (struct tree_file *o = t->open; first && o != f; o = o->next)
            first = o->ino != f->ino;
        if (first) {
            s->bytes -=
                (tree_is_static(&f->orphan->refs) ? 0 : sizeof *f->orphan) + f->orphan->charge;
            s->files--;
        }
    }
    return s;
}

void tree_snap_free(struct tree_snap *s)
{
    if (!s || !tree_unref(&s->refs))
        return;
    radix_unref(s->mem, s->table, RADIX_INODES);
    tree_free(s->mem, s, sizeof *s);
}

struct tree_snap *tree_snap_ref(struct tree_snap *s)
{
    tree_ref(&s->refs);
    return s;
}

static void *tree_snap_copy_blob(struct tree *t, void *v)
{
    struct blob *b = v;
    size_t cost = tree_data_cost(b);
    if (cost && !heap_charge(&t->fs.kernel->heap, cost))
        return NULL;
    t->bytes += cost;
    return blob_ref(b); /* a blob knows its own allocator */
}

static void *tree_snap_copy_inode(struct tree *t, void *v)
{
    struct tree_inode *old = v, *n = tree_alloc(t, sizeof *n, 0);
    struct radix chunks;
    bool ok = true;

    if (!n)
        return NULL;
    uint64_t before = t->bytes;
    *n = *old;
    atomic_init(&n->refs, 1);
    n->u.blob = NULL;
    if (old->kind == TREE_DIR && old->u.dir) {
        ok = (n->u.dir = tree_dir_copy(t, old->u.dir)) != NULL;
    } else if (old->kind == TREE_BLOB && old->u.blob) {
        ok = (n->u.blob = tree_snap_copy_blob(t, old->u.blob)) != NULL;
    } else if (old->kind == TREE_CHUNKS) {
        ok =
            radix_copy(t, (struct radix){old->u.chunks, old->height}, &chunks, tree_snap_copy_blob);
        n->u.chunks = chunks.root;
    } else if (old->kind == TREE_LAZY) {
        size_t size = sizeof *old->u.lazy + old->u.lazy->n + 1;
        n->u.lazy = tree_alloc(t, size, 0);
        ok = n->u.lazy != NULL;
        if (ok) {
            memcpy(n->u.lazy, old->u.lazy, size);
            atomic_init(&n->u.lazy->refs, 1);
        } else {
            n->kind = TREE_BLOB;
        }
    }
    n->charge = old->kind == TREE_DIR ? 0 : t->bytes - before;
    if (ok)
        return n;
    tree_inode_unref(tree_mem(t), n);
    return NULL;
}

/* Gives t the contents of the snapshot; it has none. Where the allocators differ everything is
 * copied, because a node does not know where it came from. */
static int tree_snap_fill(struct tree *t, const struct tree_snap *s)
{
    struct tree_mem m = tree_mem(t);
    struct heap *h = &t->fs.kernel->heap;

    t->next_ino = s->next_ino;
    t->files = s->files;
    t->gen++;
    if (m.fn != s->mem.fn || m.ud != s->mem.ud)
        return radix_copy(t, s->table, &t->table, tree_snap_copy_inode) ? 0 : HOB_ENOMEM;
    if (!heap_charge(h, (size_t)s->bytes))
        return HOB_ENOMEM;
    t->bytes = s->bytes;
    t->table = s->table;
    tree_ref(&t->table.root->refs);
    return 0;
}

struct fs *tree_from_snapshot(struct kernel *k, const struct tree_snap *s)
{
    struct tree *t = tree_blank(k);

    if (t && tree_snap_fill(t, s) < 0) {
        fs_unref(&t->fs);
        t = NULL;
    }
    return t ? &t->fs : NULL;
}

int tree_restore(struct fs *fs, const struct tree_snap *s)
{
    struct tree *t = tree_of(fs);

    if (!t)
        return HOB_ENOTSUP;
    if (fs->open_files > 0)
        return HOB_EBUSY;
    /* The old contents give their charge back first, so that a full sandbox can be rolled back. */
    struct tree old = *t;
    heap_uncharge(&fs->kernel->heap, (size_t)t->bytes);
    t->bytes = 0;
    t->table = (struct radix){NULL, 0};
    if (tree_snap_fill(t, s) < 0) {
        radix_unref(tree_mem(t), t->table, RADIX_INODES);
        heap_uncharge(&fs->kernel->heap, (size_t)t->bytes);
        *t = old;
        fs->kernel->heap.used += (size_t)old.bytes; /* it fitted a moment ago */
        t->gen++;
        return HOB_ENOMEM;
    }
    while (t->fifos)
        tree_file_forget_fifo(t, t->fifos->ino);
    radix_unref(tree_mem(t), old.table, RADIX_INODES);
    return 0;
}

/* ---- looking into a snapshot ----------------------------------------------------------------- */

void tree_snap_open(struct tree_snap_view *v, const struct tree_snap *s)
{
    v->kernel.boot = s->boot;
    v->kernel.uid = s->uid;
    v->kernel.gid = s->gid;
    v->tree.table = s->table;
    v->tree.fs.kernel = &v->kernel;
    v->tree.fs.dev = 0;
}

static int tree_snap_find(const struct tree_snap_view *v, struct str path, struct tree_at *a)
{
    while (path.n > 0 && path.p[0] == '/')
        path = str_from(path, 1);
    int r = tree_find(&v->tree, (struct cred){0, 0}, path, a);
    return r == 1 ? HOB_ENOTDIR : r;
}

int tree_snap_fill_stat(const struct tree_snap_view *v, uint64_t ino, const struct tree_inode *n,
                        struct stat_info *st)
{
    tree_fill(&v->tree, ino, n, st);
    if (n->kind == TREE_LAZY) {
        hob_bytes b;
        int r = tree_data_ask(n->u.lazy, &b);
        if (r < 0)
            return r;
        st->size = b.len;
        tree_data_release(n->u.lazy, &b);
    }
    return 0;
}

int tree_snap_stat(const struct tree_snap *s, struct str path, struct stat_info *st)
{
    struct tree_snap_view v;
    struct tree_at a;

    tree_snap_open(&v, s);
    int r = tree_snap_find(&v, path, &a);
    return r < 0 ? r : tree_snap_fill_stat(&v, a.ino, a.node, st);
}

int tree_snap_read(const struct tree_snap *s, struct str path, struct buf *out)
{
    struct tree_snap_view v;
    struct tree_at a;

    tree_snap_open(&v, s);
    int r = tree_snap_find(&v, path, &a);
    if (r < 0)
        return r;
    if (a.node->kind == TREE_DIR)
        return HOB_EISDIR;
    if (a.node->kind == TREE_LAZY) {
        hob_bytes b;
        r = tree_data_ask(a.node->u.lazy, &b);
        if (r < 0)
            return r;
        buf_add(out, b.data, b.len);
        tree_data_release(a.node->u.lazy, &b);
        return out->heap->oom ? HOB_ENOMEM : 0;
    }
    if (a.node->size > SIZE_MAX / 2 || !buf_reserve(out, (size_t)a.node->size))
        return HOB_ENOMEM;
    out->n += tree_data_read(a.node, 0, out->p + out->n, (size_t)a.node->size);
    if (out->p)
        out->p[out->n] = '\0';
    return 0;
}

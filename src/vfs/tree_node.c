/* tree_node.c -- inodes: making, owning, forgetting them, and the accounts of a tree */
#include "vfs/tree.h"

void *tree_alloc(struct tree *t, size_t size, size_t instead)
{
    struct heap *h = &t->fs.kernel->heap;
    bool ok = size > instead ? heap_charge(h, size - instead) : heap_admit(h, 0);
    void *p = ok ? h->fn(h->ud, NULL, 0, size) : NULL;

    if (p) {
        t->bytes += size;
        t->bytes -= instead;
        if (size < instead)
            heap_uncharge(h, instead - size);
        return p;
    }
    if (ok && size > instead)
        heap_uncharge(h, size - instead);
    h->oom = true;
    return NULL;
}

struct tree_inode *tree_get(const struct tree *t, uint64_t ino) { return radix_get(t->table, ino); }

void tree_inode_unref(struct tree_mem m, struct tree_inode *n)
{
    if (!n || !tree_unref(&n->refs))
        return;
    tree_data_unref(m, n);
    tree_free(m, n, sizeof *n);
}

struct tree_inode *tree_inode_new(struct tree *t, uint32_t mode, struct cred c)
{
    struct tree_inode *n = tree_alloc(t, sizeof *n, 0);

    if (!n)
        return NULL;
    int64_t now = tree_now(t);
    memset(n, 0, sizeof *n);
    atomic_init(&n->refs, 1);
    n->mode = (uint16_t)mode;
    n->kind = MODE_IS_DIR(mode) ? TREE_DIR : TREE_BLOB;
    n->uid = c.uid;
    n->gid = c.gid;
    n->nlink = MODE_IS_DIR(mode) ? 2 : 1;
    n->atime = n->mtime = n->ctime = n->btime = now;
    return n;
}

/* A copy that shares the contents; the reference to the old one goes. */
struct tree_inode *tree_inode_copy(struct tree *t, struct tree_inode *old)
{
    struct tree_inode *n = tree_alloc(t, sizeof *n, tree_is_static(&old->refs) ? 0 : sizeof *n);

    if (!n)
        return NULL;
    /* The count may change under our hands, all else is constant while it is shared. */
    memcpy((char *)n + sizeof n->refs, (char *)old + sizeof n->refs, sizeof *n - sizeof n->refs);
    atomic_init(&n->refs, 1);
    tree_data_ref(n);
    tree_inode_unref(tree_mem(t), old);
    t->gen++;
    return n;
}

struct tree_inode *tree_own(struct tree *t, uint64_t ino)
{
    void **slot = radix_own(t, &t->table, ino, RADIX_INODES);
    struct tree_inode *n = slot ? *slot : NULL;

    if (n && !tree_alone(&n->refs) && (n = tree_inode_copy(t, n)))
        *slot = n;
    return n;
}

struct tree_inode *tree_owned(struct tree *t, uint64_t ino)
{
    struct radix_node *n = t->table.root;

    if (!radix_fits(t->table.height, ino))
        return NULL;
    for (unsigned h = t->table.height; h > 0; h--) {
        if (!n || !tree_alone(&n->refs))
            return NULL;
        n = n->slot[ino >> ((h - 1) * RADIX_BITS) & (RADIX_FANOUT - 1)];
    }
    struct tree_inode *node = (struct tree_inode *)(void *)n;
    return node && tree_alone(&node->refs) ? node : NULL;
}

struct tree_inode *tree_own_dir(struct tree *t, uint64_t ino, struct str name)
{
    struct tree_inode *n = tree_own(t, ino);
    return n && tree_dir_own(t, &n->u.dir, name) == 0 ? n : NULL;
}

void tree_drop(struct tree *t, struct tree_inode *n)
{
    size_t paid = tree_is_static(&n->refs) ? 0 : sizeof *n + (size_t)n->charge;

    if (n->kind == TREE_DIR && n->u.dir && !tree_is_static(&n->u.dir->refs))
        paid += n->u.dir->size; /* empty, or one node: only those are dropped */
    tree_uncharge(t, paid);
    tree_inode_unref(tree_mem(t), n);
    t->files--;
}

void tree_forget(struct tree *t, uint64_t ino)
{
    struct tree_inode *n = tree_get(t, ino);

    if (!n)
        return;
    radix_clear(t, &t->table, ino);
    if ((n->mode & MODE_TYPE) == MODE_FIFO)
        tree_file_forget_fifo(t, ino);
    if (!t->open || !tree_file_orphan(t, ino, n))
        tree_drop(t, n);
}

void tree_fill(const struct tree *t, uint64_t ino, const struct tree_inode *n, struct stat_info *st)
{
    const struct kernel *k = t->fs.kernel;

    st->mode = n->mode;
    st->uid = n->uid == TREE_USER ? k->uid : n->uid;
    st->gid = n->gid == TREE_USER ? k->gid : n->gid;
    st->nlink = n->nlink;
    st->dev = t->fs.dev;
    st->ino = ino + t->ino_base;
    st->rdev = 0;
    st->size = n->kind == TREE_DIR ? 4096 : n->size;
    st->blocks = tree_data_blocks(n);
    st->atime = n->atime == TREE_BOOT ? k->boot : n->atime;
    st->mtime = n->mtime == TREE_BOOT ? k->boot : n->mtime;
    st->ctime = n->ctime == TREE_BOOT ? k->boot : n->ctime;
    st->btime = n->btime == TREE_BOOT ? k->boot : n->btime;
}

bool tree_may(const struct tree *t, struct cred c, const struct tree_inode *n, int bits)
{
    const struct kernel *k = t->fs.kernel;
    uint32_t uid = n->uid == TREE_USER ? k->uid : n->uid;
    uint32_t gid = n->gid == TREE_USER ? k->gid : n->gid;
    uint32_t m = n->mode;

    if (c.uid == 0)
        return !(bits & 1) || n->kind == TREE_DIR || (m & 0111);
    m >>= c.uid == uid ? 6 : c.gid == gid ? 3 : 0;
    return (m & (uint32_t)bits) == (uint32_t)bits;
}

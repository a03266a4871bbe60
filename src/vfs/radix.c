/* radix.c -- persistent radix tries: the table of inodes, and the chunks of large files */
#include "vfs/tree.h"

static void radix_value_ref(void *v, enum radix_kind k)
{
    if (!v)
        return;
    if (k == RADIX_INODES)
        tree_ref(&((struct tree_inode *)v)->refs);
    else
        blob_ref(v);
}

static void radix_value_unref(struct tree_mem m, void *v, enum radix_kind k)
{
    if (!v)
        return;
    if (k == RADIX_INODES)
        tree_inode_unref(m, v);
    else
        blob_unref(v);
}

static void radix_node_unref(struct tree_mem m, struct radix_node *n, unsigned height,
                             enum radix_kind k)
{
    if (!n || !tree_unref(&n->refs))
        return;
    for (size_t i = 0; i < RADIX_FANOUT; i++) {
        if (height > 1)
            radix_node_unref(m, n->slot[i], height - 1, k);
        else
            radix_value_unref(m, n->slot[i], k);
    }
    tree_free(m, n, sizeof *n);
}

void radix_unref(struct tree_mem m, struct radix r, enum radix_kind k)
{
    radix_node_unref(m, r.root, r.height, k);
}

/* Puts a node that may be written in place of *at, which stands `height` levels above the
 * values. */
static bool radix_own_node(struct tree *t, struct radix_node **at, unsigned height,
                           enum radix_kind k)
{
    struct radix_node *old = *at;

    if (old && tree_alone(&old->refs))
        return true;
    bool paid = old && !tree_is_static(&old->refs);
    struct radix_node *n = tree_alloc(t, sizeof *n, paid ? sizeof *n : 0);
    if (!n)
        return false;
    atomic_init(&n->refs, 1);
    if (old) {
        memcpy(n->slot, old->slot, sizeof n->slot);
        for (size_t i = 0; i < RADIX_FANOUT; i++) {
            if (height == 1)
                radix_value_ref(n->slot[i], k);
            else if (n->slot[i])
                tree_ref(&((struct radix_node *)n->slot[i])->refs);
        }
        radix_node_unref(tree_mem(t), old, height, k);
    } else {
        memset(n->slot, 0, sizeof n->slot);
    }
    *at = n;
    return true;
}

/* Adds levels above the root until the key fits. */
static bool radix_grow(struct tree *t, struct radix *r, uint64_t key)
{
    if (!r->root) {
        r->height = 1;
        while (!radix_fits(r->height, key))
            r->height++;
        return true;
    }
    while (!radix_fits(r->height, key)) {
        struct radix_node *n = tree_alloc(t, sizeof *n, 0);
        if (!n)
            return false;
        atomic_init(&n->refs, 1);
        memset(n->slot, 0, sizeof n->slot);
        n->slot[0] = r->root;
        r->root = n;
        r->height++;
    }
    return true;
}

void **radix_own(struct tree *t, struct radix *r, uint64_t key, enum radix_kind k)
{
    if (!radix_grow(t, r, key))
        return NULL;
    struct radix_node **at = &r->root;
    for (unsigned h = r->height;; h--) {
        if (!radix_own_node(t, at, h, k))
            return NULL;
        void **slot = &(*at)->slot[key >> ((h - 1) * RADIX_BITS) & (RADIX_FANOUT - 1)];
        if (h == 1)
            return slot;
        at = (struct radix_node **)slot;
    }
}

static bool radix_empty(const struct radix_node *n)
{
    for (size_t i = 0; i < RADIX_FANOUT; i++)
        if (n->slot[i])
            return false;
    return true;
}

void radix_clear(struct tree *t, struct radix *r, uint64_t key)
{
    struct radix_node **path[14];
    unsigned depth = 0;
    struct radix_node **at = &r->root;

    if (!radix_fits(r->height, key))
        return;
    for (unsigned h = r->height; *at; h--) {
        path[depth++] = at;
        void **slot = &(*at)->slot[key >> ((h - 1) * RADIX_BITS) & (RADIX_FANOUT - 1)];
        if (h == 1) {
            *slot = NULL;
            break;
        }
        at = (struct radix_node **)slot;
    }
    while (depth > 0 && radix_empty(*path[depth - 1])) {
        at = path[--depth];
        tree_free(tree_mem(t), *at, sizeof **at);
        tree_uncharge(t, sizeof **at);
        *at = NULL;
    }
    if (!r->root)
        r->height = 0;
}

/* What a trie of blobs is charged with. */
static size_t radix_weigh(const struct radix_node *n, unsigned height)
{
    size_t sum = sizeof *n;

    for (size_t i = 0; i < RADIX_FANOUT; i++)
        if (n->slot[i])
            sum += height > 1 ? radix_weigh(n->slot[i], height - 1) : tree_data_cost(n->slot[i]);
    return sum;
}

void radix_cut(struct tree *t, struct radix *r, uint64_t key)
{
    struct radix_node *n = r->root;

    for (unsigned h = r->height; h > 0; h--) {
        size_t at = key >> ((h - 1) * RADIX_BITS) & (RADIX_FANOUT - 1);
        for (size_t i = at + 1; i < RADIX_FANOUT; i++) {
            if (!n->slot[i])
                continue;
            if (h > 1) {
                tree_uncharge(t, radix_weigh(n->slot[i], h - 1));
                radix_node_unref(tree_mem(t), n->slot[i], h - 1, RADIX_BLOBS);
            } else {
                tree_uncharge(t, tree_data_cost(n->slot[i]));
                blob_unref(n->slot[i]);
            }
            n->slot[i] = NULL;
        }
        n = n->slot[at];
    }
}

static int radix_each_node(const struct radix_node *n, unsigned height, uint64_t base,
                           int (*fn)(void *ud, uint64_t key, void *value), void *ud)
{
    for (size_t i = 0; i < RADIX_FANOUT; i++) {
        uint64_t key = base | (uint64_t)i << ((height - 1) * RADIX_BITS);
        int r = 0;
        if (!n->slot[i])
            continue;
        r = height > 1 ? radix_each_node(n->slot[i], height - 1, key, fn, ud)
                       : fn(ud, key, n->slot[i]);
        if (r)
            return r;
    }
    return 0;
}

int radix_each(struct radix r, int (*fn)(void *ud, uint64_t key, void *value), void *ud)
{
    return r.root ? radix_each_node(r.root, r.height, 0, fn, ud) : 0;
}

static struct radix_node *radix_copy_node(struct tree *t, const struct radix_node *old,
                                          unsigned height, bool *ok,
                                          void *(*value)(struct tree *t, void *v))
{
    struct radix_node *n = tree_alloc(t, sizeof *n, 0);

    if (!n) {
        *ok = false;
        return NULL;
    }
    atomic_init(&n->refs, 1);
    memset(n->slot, 0, sizeof n->slot);
    for (size_t i = 0; i < RADIX_FANOUT && *ok; i++) {
        if (!old->slot[i])
            continue;
        n->slot[i] = height > 1 ? radix_copy_node(t, old->slot[i], height - 1, ok, value)
                                : value(t, old->slot[i]);
        *ok = *ok && n->slot[i];
    }
    return n;
}

bool radix_copy(struct tree *t, struct radix r, struct radix *out,
                void *(*value)(struct tree *t, void *v))
{
    bool ok = true;

    *out = (struct radix){NULL, r.height};
    if (r.root)
        out->root = radix_copy_node(t, r.root, r.height, &ok, value);
    return ok;
}

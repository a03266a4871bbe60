/* tree_dir.c -- folders: a persistent B-tree from names to inode numbers
 *
 * A small folder is a single node of a hundred bytes or so. Nodes are split on the way down, before
 * they are needed, so that each step either fails with nothing changed or is complete; and they are
 * given up only when empty. The name in a slot of an inner node is the lowest that its child may
 * hold; that of the first slot counts as lower than any.
 */
#include "vfs/tree.h"

static uint32_t tree_dir_key(struct str name)
{
    const unsigned char *p = (const unsigned char *)name.p;
    uint32_t key = (uint32_t)p[0] << 24;

    if (LIKELY(name.n >= 4))
        return key | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    if (name.n > 1)
        key |= (uint32_t)p[1] << 16;
    if (name.n > 2)
        key |= (uint32_t)p[2] << 8;
    return key;
}

static int tree_dir_cmp(const struct tree_dir *d, size_t i, struct str name, uint32_t key)
{
    const struct tree_slot *s = &d->slot[i];

    if (s->key != key)
        return s->key < key ? -1 : 1;
    size_t n = MIN(s->len, name.n);
    int r = n > 4 ? memcmp((const char *)d + s->off + 4, name.p + 4, n - 4) : 0;
    return r ? r : (int)s->len - (int)name.n;
}

/* The first slot whose name is not lower; *same tells whether it is that name. */
static size_t tree_dir_search(const struct tree_dir *d, struct str name, bool *same)
{
    size_t lo = 0, hi = d->n;
    uint32_t key = tree_dir_key(name);

    *same = false;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        int r = tree_dir_cmp(d, mid, name, key);
        if (r == 0) {
            *same = true;
            return mid;
        }
        if (r < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The child that would hold the name. */
static size_t tree_dir_child(const struct tree_dir *d, struct str name)
{
    bool same;
    size_t i = tree_dir_search(d, name, &same);
    return same || i == 0 ? i : i - 1;
}

const struct tree_slot *tree_dir_find(const struct tree_dir *d, struct str name)
{
    bool same;

    if (!d)
        return NULL;
    while (d->level > 0)
        d = d->slot[tree_dir_child(d, name)].u.child;
    size_t i = tree_dir_search(d, name, &same);
    return same ? &d->slot[i] : NULL;
}

struct tree_dir *tree_dir_ref(struct tree_dir *d)
{
    if (d)
        tree_ref(&d->refs);
    return d;
}

void tree_dir_unref(struct tree_mem m, struct tree_dir *d)
{
    if (!d || !tree_unref(&d->refs))
        return;
    for (size_t i = 0; d->level > 0 && i < d->n; i++)
        tree_dir_unref(m, d->slot[i].u.child);
    tree_free(m, d, d->size);
}

static size_t tree_dir_bytes(size_t n, size_t names)
{
    return sizeof(struct tree_dir) + n * sizeof(struct tree_slot) + names;
}

/* An empty node with room for n slots and so many bytes of names, and some more. */
static struct tree_dir *tree_dir_new(struct tree *t, unsigned level, size_t n, size_t names,
                                     bool spare, size_t instead)
{
    size_t size = tree_dir_bytes(n, names);

    if (spare)
        size = MAX(size + size / 2, 112);
    size = (size + 15) & ~(size_t)15;
    struct tree_dir *d = tree_alloc(t, size, instead);
    if (!d)
        return NULL;
    atomic_init(&d->refs, 1);
    d->size = (uint32_t)size;
    d->n = d->live = 0;
    d->low = (uint16_t)size;
    d->level = (uint8_t)level;
    d->pad = 0;
    return d;
}

/* Puts a slot at i; there is room for it. */
static void tree_dir_put(struct tree_dir *d, size_t i, struct str name, struct tree_slot s)
{
    memmove(&d->slot[i + 1], &d->slot[i], (d->n - i) * sizeof d->slot[0]);
    d->low = (uint16_t)(d->low - name.n);
    d->live = (uint16_t)(d->live + name.n);
    memcpy((char *)d + d->low, name.p, name.n);
    s.key = tree_dir_key(name);
    s.off = d->low;
    s.len = (uint8_t)name.n;
    d->slot[i] = s;
    d->n++;
}

static void tree_dir_take(struct tree_dir *d, size_t i)
{
    if (d->slot[i].off == d->low)
        d->low = (uint16_t)(d->low + d->slot[i].len);
    d->live = (uint16_t)(d->live - d->slot[i].len);
    d->n--;
    memmove(&d->slot[i], &d->slot[i + 1], (d->n - i) * sizeof d->slot[0]);
}

static void tree_dir_append(struct tree_dir *to, const struct tree_dir *from, size_t i, size_t end)
{
    for (; i < end; i++)
        tree_dir_put(to, to->n, tree_dir_name(from, i), from->slot[i]);
}

/* Puts a packed copy with room for one more name of `more` bytes in place of *at. */
static bool tree_dir_clone(struct tree *t, struct tree_dir **at, size_t more)
{
    struct tree_dir *old = *at;
    bool alone = tree_alone(&old->refs);
    size_t instead = tree_is_static(&old->refs) ? 0 : old->size;
    struct tree_dir *d =
        tree_dir_new(t, old->level, old->n + (more ? 1u : 0u), old->live + more, more > 0, instead);

    if (!d)
        return false;
    tree_dir_append(d, old, 0, old->n);
    if (alone) {
        tree_free(tree_mem(t), old, old->size);
    } else {
        for (size_t i = 0; d->level > 0 && i < d->n; i++)
            tree_dir_ref(d->slot[i].u.child);
        tree_dir_unref(tree_mem(t), old);
    }
    *at = d;
    return true;
}

/* Makes *at writable, with room for a name of `more` bytes if more > 0. */
static bool tree_dir_ready(struct tree *t, struct tree_dir **at, size_t more)
{
    struct tree_dir *d = *at;

    if (tree_alone(&d->refs) && (!more || tree_dir_bytes(d->n + 1u, more) <= d->low))
        return true;
    return tree_dir_clone(t, at, more);
}

/* Splits the full child i of *at, which is writable and not full. Both are when it returns true. */
static bool tree_dir_split(struct tree *t, struct tree_dir **at, size_t i, struct str coming)
{
    struct tree_dir *c = (*at)->slot[i].u.child;
    bool same;
    /* Names that come in order leave full nodes behind. */
    size_t half = tree_dir_search(c, coming, &same) == c->n ? c->n - 4u : c->n / 2u, names = 0;

    for (size_t j = half; j < c->n; j++)
        names += c->slot[j].len;
    struct str first = tree_dir_name(c, half);
    struct tree_dir *right = tree_dir_new(t, c->level, c->n - half, names, true, 0);
    if (!right)
        return false;
    if (!tree_dir_ready(t, at, first.n)) {
        tree_uncharge(t, right->size);
        tree_free(tree_mem(t), right, right->size);
        return false;
    }
    tree_dir_append(right, c, half, c->n);
    tree_dir_put(*at, i + 1, first, (struct tree_slot){.u.child = right});
    c->n = (uint16_t)half;
    c->live = (uint16_t)(c->live - names);
    return true;
}

/* Puts a root above the root, which then is its only child. */
static bool tree_dir_raise(struct tree *t, struct tree_dir **root)
{
    struct tree_dir *old = *root;
    struct tree_dir *d = tree_dir_new(t, old->level + 1u, 2, 2u * old->slot[0].len, true, 0);

    if (!d)
        return false;
    tree_dir_put(d, 0, tree_dir_name(old, 0), (struct tree_slot){.u.child = old});
    *root = d;
    return true;
}

int tree_dir_insert(struct tree *t, struct tree_dir **root, struct str name, uint64_t ino,
                    uint32_t mode)
{
    bool same;

    if (!*root && !(*root = tree_dir_new(t, 0, 1, name.n, true, 0)))
        return HOB_ENOMEM;
    if (!tree_dir_ready(t, root, 0))
        return HOB_ENOMEM;
    if ((*root)->n == TREE_DIR_MAX && !tree_dir_raise(t, root))
        return HOB_ENOMEM;
    struct tree_dir **at = root;
    while ((*at)->level > 0) {
        size_t i = tree_dir_child(*at, name);
        if (!tree_dir_ready(t, &(*at)->slot[i].u.child, 0))
            return HOB_ENOMEM;
        if ((*at)->slot[i].u.child->n == TREE_DIR_MAX) {
            if (!tree_dir_split(t, at, i, name))
                return HOB_ENOMEM;
            i = tree_dir_child(*at, name);
        }
        at = &(*at)->slot[i].u.child;
    }
    if (!tree_dir_ready(t, at, name.n)) {
        /* An empty node is no folder. */
        if ((*root)->n == 0) {
            tree_uncharge(t, (*root)->size);
            tree_dir_unref(tree_mem(t), *root);
            *root = NULL;
        }
        return HOB_ENOMEM;
    }
    size_t i = tree_dir_search(*at, name, &same);
    tree_dir_put(*at, i, name, (struct tree_slot){.u.ino = ino, .type = (uint8_t)(mode >> 12)});
    return 0;
}

int tree_dir_own(struct tree *t, struct tree_dir **root, struct str name)
{
    if (!*root)
        return 0;
    for (struct tree_dir **at = root;; at = &(*at)->slot[tree_dir_child(*at, name)].u.child) {
        if (!tree_dir_ready(t, at, 0))
            return HOB_ENOMEM;
        if ((*at)->level == 0)
            return 0;
    }
}

static void tree_dir_give_up(struct tree *t, struct tree_dir **at)
{
    tree_uncharge(t, (*at)->size);
    tree_free(tree_mem(t), *at, (*at)->size);
    *at = NULL;
}

static void tree_dir_remove_at(struct tree *t, struct tree_dir **at, struct str name)
{
    struct tree_dir *d = *at;
    bool same;

    if (d->level > 0) {
        size_t i = tree_dir_child(d, name);
        tree_dir_remove_at(t, &d->slot[i].u.child, name);
        if (!d->slot[i].u.child)
            tree_dir_take(d, i);
    } else {
        size_t i = tree_dir_search(d, name, &same);
        if (same)
            tree_dir_take(d, i);
    }
    if (d->n == 0)
        tree_dir_give_up(t, at);
}

void tree_dir_remove(struct tree *t, struct tree_dir **root, struct str name)
{
    if (*root)
        tree_dir_remove_at(t, root, name);
    while (*root && (*root)->level > 0 && (*root)->n == 1) {
        struct tree_dir *only = (*root)->slot[0].u.child;
        tree_dir_give_up(t, root);
        *root = only;
    }
}

void tree_dir_set(struct tree_dir *root, struct str name, uint64_t ino, uint32_t mode)
{
    struct tree_slot *s = (struct tree_slot *)tree_dir_find(root, name);
    if (s) {
        s->u.ino = ino;
        s->type = (uint8_t)(mode >> 12);
    }
}

int tree_dir_each(const struct tree_dir *d, tree_dir_fn fn, void *ud)
{
    for (size_t i = 0; d && i < d->n; i++) {
        int r = d->level > 0 ? tree_dir_each(d->slot[i].u.child, fn, ud)
                             : fn(ud, tree_dir_name(d, i), &d->slot[i]);
        if (r)
            return r;
    }
    return 0;
}

struct tree_dir *tree_dir_copy(struct tree *t, const struct tree_dir *old)
{
    struct tree_dir *d = tree_dir_new(t, old->level, old->n, old->live, false, 0);

    if (!d)
        return NULL;
    for (size_t i = 0; i < old->n; i++) {
        struct tree_slot s = old->slot[i];
        if (old->level > 0 && !(s.u.child = tree_dir_copy(t, s.u.child))) {
            tree_dir_unref(tree_mem(t), d);
            return NULL;
        }
        tree_dir_put(d, i, tree_dir_name(old, i), s);
    }
    return d;
}

static void tree_dir_down(struct tree_dir_iter *it)
{
    while (it->at[it->depth]->level > 0) {
        const struct tree_dir *d = it->at[it->depth];
        it->at[it->depth + 1] = d->slot[it->i[it->depth]].u.child;
        it->i[++it->depth] = 0;
    }
}

void tree_dir_first(struct tree_dir_iter *it, const struct tree_dir *d)
{
    it->depth = -1;
    if (!d || d->n == 0)
        return;
    it->depth = 0;
    it->at[0] = d;
    it->i[0] = 0;
    tree_dir_down(it);
}

void tree_dir_next(struct tree_dir_iter *it)
{
    while (it->depth >= 0 && ++it->i[it->depth] >= it->at[it->depth]->n)
        it->depth--;
    if (it->depth >= 0)
        tree_dir_down(it);
}

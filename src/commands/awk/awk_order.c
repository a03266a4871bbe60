/* awk_order.c -- the order in which `for (k in a)` visits an array
 *
 * Scripts print what they find in that order, so it should be the order that people see elsewhere:
 * gawk's. It follows from how gawk stores things: keys >= 0 in trees by powers of two as long as
 * those are not too sparse, visited from small to large; other integers in a hash table with two
 * keys to a link; strings in a hash table of chains. Here the tables are rebuilt from the keys in
 * order of insertion when somebody asks, which costs little more than walking them.
 */
#include "commands/awk/awk.h"

#include "base/fmt.h"

static const uint32_t awk_order_sizes[] = {
    13,      127,     1021,    8191,    16381,    32749,    65497,    131101,    262147,   524309,
    1048583, 2097169, 4194319, 8388617, 16777259, 33554467, 67108879, 134217757, 268435459};

enum {
    AWK_ORDER_CHAIN = 2,    /* longer chains, on average, make the table grow */
    AWK_ORDER_BITS = 10,    /* the smallest tree holds 2^10 keys */
    AWK_ORDER_WASTE = 2048, /* places without a key that trees may have */
};

struct awk_order_table {
    uint32_t *head, *next; /* numbers in `item` + 1 */
    uint32_t size;         /* of head */
    uint32_t n;
    uint32_t *item; /* element numbers */
};

static uint32_t awk_order_hash_str(struct str s)
{
    uint32_t h = 0;
    for (size_t i = 0; i < s.n; i++)
        h = (uint32_t)(signed char)s.p[i] + (h << 6) + (h << 16) - h;
    return h;
}

static uint32_t awk_order_hash_int(int64_t i)
{
    uint32_t k = (uint32_t)i;
    k ^= k << 3;
    k += k >> 5;
    k ^= k << 4;
    k += k >> 17;
    k ^= k << 25;
    k += k >> 6;
    return k;
}

static uint32_t awk_order_hash_text(const struct awk_elem *e)
{
    char text[24];
    if (e->type == AWK_KEY_STR)
        return awk_order_hash_str(awk_str_get(e->key.s));
    return awk_order_hash_str(str_of(text, fmt_int(text, e->key.i)));
}

static uint32_t awk_order_size(uint32_t size, uint32_t n)
{
    for (size_t i = 0; i < COUNT(awk_order_sizes); i++) {
        if (awk_order_sizes[i] > size && (size == 0 || n / size > AWK_ORDER_CHAIN))
            return awk_order_sizes[i];
    }
    return size;
}

static bool awk_order_init(struct awk *a, struct awk_order_table *t, uint32_t most)
{
    uint32_t size = 13;
    while (awk_order_size(size, most) != size)
        size = awk_order_size(size, most);
    t->head = heap_zalloc(a->heap, size * sizeof *t->head);
    t->next = heap_alloc(a->heap, (most + 1) * 2 * sizeof *t->next);
    t->item = t->next ? t->next + most + 1 : NULL;
    t->size = 13;
    t->n = 0;
    return t->head && t->next;
}

static void awk_order_fini(struct awk *a, struct awk_order_table *t, uint32_t most)
{
    uint32_t size = 13;
    while (awk_order_size(size, most) != size)
        size = awk_order_size(size, most);
    heap_free(a->heap, t->head, size * sizeof *t->head);
    heap_free(a->heap, t->next, (most + 1) * 2 * sizeof *t->next);
}

/* Chains of strings: a new one goes to the front, also when the table has grown. */
static void awk_order_put_str(struct awk_order_table *t, uint32_t i, uint32_t hash)
{
    uint32_t h = hash % t->size;
    t->next[i] = t->head[h];
    t->head[h] = i + 1;
}

/* The whole of the table in its present order, as numbers of items. */
static uint32_t awk_order_list(const struct awk_order_table *t, uint32_t *out)
{
    uint32_t n = 0;
    for (uint32_t h = 0; h < t->size; h++) {
        for (uint32_t i = t->head[h]; i; i = t->next[i - 1])
            out[n++] = i - 1;
    }
    return n;
}

/* All strings (and, with `numbers`, integers as text) of the elements in `from`. */
static bool awk_order_strings(struct awk *a, struct awk_array *t, const uint32_t *from, uint32_t n,
                              uint32_t peak, uint32_t *out)
{
    struct awk_order_table tab;
    uint32_t *hash = heap_alloc(a->heap, (n + 1) * sizeof *hash);
    bool ok = awk_order_init(a, &tab, MAX(n, peak)) && hash;

    for (uint32_t i = 0; ok && i < n; i++) {
        hash[i] = awk_order_hash_text(&t->e[from[i]]);
        uint32_t size = awk_order_size(tab.size, i + 1);
        bool last = i + 1 == n && peak > n;
        if (size != tab.size) {
            uint32_t m = awk_order_list(&tab, tab.item);
            memset(tab.head, 0, tab.size * sizeof *tab.head);
            tab.size = size;
            for (uint32_t k = 0; k < m; k++)
                awk_order_put_str(&tab, tab.item[k], hash[tab.item[k]]);
        }
        awk_order_put_str(&tab, i, hash[i]);
        while (last && (size = awk_order_size(tab.size, peak)) != tab.size) {
            uint32_t m = awk_order_list(&tab, tab.item);
            memset(tab.head, 0, tab.size * sizeof *tab.head);
            tab.size = size;
            for (uint32_t k = 0; k < m; k++)
                awk_order_put_str(&tab, tab.item[k], hash[tab.item[k]]);
        }
    }
    if (ok) {
        awk_order_list(&tab, tab.item);
        for (uint32_t i = 0; i < n; i++)
            out[i] = from[tab.item[i]];
    }
    awk_order_fini(a, &tab, MAX(n, peak));
    heap_free(a->heap, hash, (n + 1) * sizeof *hash);
    return ok;
}

/* Links of two integers each. A chain is written as pairs: an item whose number in `full` is odd
 * stands behind its partner; a new link goes to the front. */
static void awk_order_put_int(struct awk_order_table *t, uint8_t *room, uint32_t *pair, uint32_t i,
                              uint32_t hash)
{
    uint32_t h = hash % t->size, first = t->head[h];

    if (first && room[first - 1]) {
        room[first - 1] = 0;
        pair[first - 1] = i + 1;
        return;
    }
    room[i] = 1;
    pair[i] = 0;
    t->next[i] = first;
    t->head[h] = i + 1;
}

static uint32_t awk_order_list_int(const struct awk_order_table *t, const uint32_t *pair,
                                   uint32_t *out)
{
    uint32_t n = 0;
    for (uint32_t h = 0; h < t->size; h++) {
        for (uint32_t i = t->head[h]; i; i = t->next[i - 1]) {
            out[n++] = i - 1;
            if (pair[i - 1])
                out[n++] = pair[i - 1] - 1;
        }
    }
    return n;
}

static bool awk_order_ints(struct awk *a, struct awk_array *t, const uint32_t *from, uint32_t n,
                           uint32_t *out)
{
    struct awk_order_table tab;
    uint32_t *pair = heap_zalloc(a->heap, (n + 1) * sizeof *pair);
    uint8_t *room = heap_zalloc(a->heap, n + 1);
    bool ok = awk_order_init(a, &tab, n) && pair && room;

    for (uint32_t i = 0; ok && i < n; i++) {
        uint32_t size = awk_order_size(tab.size, i + 1);
        if (size != tab.size) {
            uint32_t m = awk_order_list_int(&tab, pair, tab.item);
            memset(tab.head, 0, tab.size * sizeof *tab.head);
            tab.size = size;
            for (uint32_t k = 0; k < m; k++)
                awk_order_put_int(&tab, room, pair, tab.item[k],
                                  awk_order_hash_int(t->e[from[tab.item[k]]].key.i));
        }
        awk_order_put_int(&tab, room, pair, i, awk_order_hash_int(t->e[from[i]].key.i));
    }
    if (ok) {
        awk_order_list_int(&tab, pair, tab.item);
        for (uint32_t i = 0; i < n; i++)
            out[i] = from[tab.item[i]];
    }
    awk_order_fini(a, &tab, n);
    heap_free(a->heap, pair, (n + 1) * sizeof *pair);
    heap_free(a->heap, room, n + 1);
    return ok;
}

/* ---- integers in trees ----------------------------------------------------------------------- */

struct awk_order_tree {
    uint64_t *leaf; /* a set: which leaves there are; 0 is free */
    uint32_t mask;
    int64_t capacity, n;
};

/* How many bits of the key a leaf covers. The estimate halves once more than what is made then. */
static int awk_order_leaf_bits(int bits, bool estimate)
{
    int b = MAX(bits, AWK_ORDER_BITS);
    if (estimate) {
        while (b >= AWK_ORDER_BITS)
            b = (b + 1) / 2;
        return b;
    }
    do
        b = (b + 1) / 2;
    while (b > AWK_ORDER_BITS);
    return b;
}

/* Whether the key goes into a tree; if not it is hashed. */
static bool awk_order_in_tree(struct awk_order_tree *t, int64_t key)
{
    int bits = AWK_ORDER_BITS - 1;
    int64_t base = 0;

    if (key >> AWK_ORDER_BITS) {
        bits = 31 - __builtin_clz((uint32_t)key);
        base = INT64_C(1) << bits;
    }
    if (t->capacity + (INT64_C(1) << awk_order_leaf_bits(bits, true)) - t->n > AWK_ORDER_WASTE)
        return false;
    int leaf_bits = awk_order_leaf_bits(bits, false);
    uint64_t id = (uint64_t)bits << 32 | (uint64_t)((key - base) >> leaf_bits) | UINT64_C(1) << 63;
    uint32_t i = (uint32_t)(id * UINT64_C(0x9E3779B97F4A7C15) >> 33) & t->mask;
    t->n++;
    while (t->leaf[i] && t->leaf[i] != id)
        i = (i + 1) & t->mask;
    if (!t->leaf[i]) {
        t->leaf[i] = id;
        t->capacity += INT64_C(1) << leaf_bits;
    }
    return true;
}

static int awk_order_by_key(const void *x, const void *y, void *ud)
{
    const struct awk_array *t = ud;
    int64_t i = t->e[*(const uint32_t *)x].key.i, k = t->e[*(const uint32_t *)y].key.i;
    return i < k ? -1 : i > k;
}

/* Parts the elements into those in trees (to `out`, sorted) and the rest, as they came. */
static bool awk_order_trees(struct awk *a, struct awk_array *t, uint32_t *out, uint32_t *in_trees,
                            uint32_t *rest, uint32_t *others)
{
    uint32_t slots = 64, n = 0, m = 0;
    bool sorted = true;

    while (slots / 4 < t->live / 16 + AWK_ORDER_WASTE / 16)
        slots *= 2;
    struct awk_order_tree tree = {.mask = slots - 1};
    tree.leaf = heap_zalloc(a->heap, slots * sizeof *tree.leaf);
    if (!tree.leaf)
        return false;
    for (uint32_t i = 0; i < t->used; i++) {
        const struct awk_elem *e = &t->e[i];
        if (!e->type)
            continue;
        if (e->type == AWK_KEY_INT && e->key.i >= 0 && awk_order_in_tree(&tree, e->key.i)) {
            sorted &= n == 0 || t->e[out[n - 1]].key.i < e->key.i;
            out[n++] = i;
        } else {
            rest[m++] = i;
        }
    }
    heap_free(a->heap, tree.leaf, slots * sizeof *tree.leaf);
    *in_trees = n;
    *others = m;
    return sorted || sort_stable(a->heap, out, n, sizeof *out, awk_order_by_key, t) == 0;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* What is no integer stands before the integers, in the table of a table. */
static bool awk_order_mixed(struct awk *a, struct awk_array *t, const uint32_t *from, uint32_t n,
                            uint32_t *out, uint32_t *texts)
{
    uint32_t *part = heap_alloc(a->heap, (n + 1) * sizeof *part);
    uint32_t strings = 0, ints = 0;

    if (!part)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (t->e[from[i]].type == AWK_KEY_STR)
            part[strings++] = from[i];
    }
    for (uint32_t i = 0; i < n; i++) {
        if (t->e[from[i]].type == AWK_KEY_INT)
            part[strings + ints++] = from[i];
    }
    *texts = strings;
    bool ok = awk_order_strings(a, t, part, strings, 0, out) &&
              awk_order_ints(a, t, part + strings, ints, out + strings);
    heap_free(a->heap, part, (n + 1) * sizeof *part);
    return ok;
}

bool awk_order(struct awk *a, struct awk_array *t, uint32_t **out, uint32_t *texts)
{
    uint32_t n = 0, *list = heap_alloc(a->heap, (t->live + 1) * sizeof *list);
    uint32_t *from = heap_alloc(a->heap, (t->live + 1) * sizeof *from);
    bool ok = list && from;

    *texts = 0;
    if (ok && t->first == 1) {
        uint32_t rest = 0;
        ok = awk_order_trees(a, t, list, &n, from, &rest);
        if (ok && rest) {
            memmove(list + rest, list, n * sizeof *list);
            *texts = rest;
            ok = t->e[from[0]].type == AWK_KEY_STR ? awk_order_strings(a, t, from, rest, 0, list)
                                                   : awk_order_mixed(a, t, from, rest, list, texts);
        }
    } else if (ok) {
        for (uint32_t i = 0; i < t->used; i++) {
            if (t->e[i].type)
                from[n++] = i;
        }
        *texts = n;
        ok = t->first == 2 ? awk_order_mixed(a, t, from, n, list, texts)
                           : awk_order_strings(a, t, from, n, t->peak, list);
    }
    heap_free(a->heap, from, (t->live + 1) * sizeof *from);
    if (!ok) {
        heap_free(a->heap, list, (t->live + 1) * sizeof *list);
        awk_nomem(a);
        return false;
    }
    *out = list;
    return true;
}

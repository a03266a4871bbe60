/* var_assoc.c -- associative arrays that list their keys in bash's order
 *
 * The order that ${!a[@]} shows is that of bash's hash table: its hash function, its number of
 * buckets, new entries at the head of a bucket, and four times the buckets when there are twice as
 * many entries. Scripts' output depends on it, so it is kept.
 */
#include "shell/var_impl.h"

enum {
    ASSOC_BUCKETS = 1024
};

struct assoc_entry {
    char *key, *value; /* each with a NUL behind */
    uint32_t nkey, hash;
    uint32_t next; /* in the bucket, entry number + 1; 0: the last one */
    uint32_t roomkey;
    size_t nvalue, room;
};

struct assoc {
    uint32_t *buckets; /* entry number + 1, 0: empty */
    uint32_t nbuckets;
    uint32_t free; /* removed entries, linked by next */
    size_t count;
    VEC(struct assoc_entry) entries;
};

/* FNV-1 with signed bytes, up to a NUL. */
uint32_t assoc_hash(struct str key)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < key.n; i++) {
        h *= 16777619u;
        h ^= (uint32_t)(int32_t)(signed char)key.p[i];
    }
    return h;
}

struct assoc *assoc_new(struct heap *h)
{
    struct assoc *a = heap_new(h, struct assoc);
    if (!a)
        return NULL;
    a->buckets = heap_zalloc(h, ASSOC_BUCKETS * sizeof *a->buckets);
    a->nbuckets = ASSOC_BUCKETS;
    if (a->buckets)
        return a;
    heap_drop(h, a);
    return NULL;
}

static void assoc_entry_drop(struct heap *h, struct assoc_entry *e)
{
    if (e->key)
        heap_free(h, e->key, e->roomkey);
    if (e->value)
        heap_free(h, e->value, e->room);
    *e = (struct assoc_entry){0};
}

void assoc_clear(struct heap *h, struct assoc *a)
{
    for (size_t i = 0; i < a->entries.n; i++)
        assoc_entry_drop(h, &a->entries.p[i]);
    a->entries.n = a->count = 0;
    a->free = 0;
    memset(a->buckets, 0, a->nbuckets * sizeof *a->buckets);
}

void assoc_free(struct heap *h, struct assoc *a)
{
    if (!a)
        return;
    assoc_clear(h, a);
    vec_fini(h, &a->entries);
    heap_free(h, a->buckets, a->nbuckets * sizeof *a->buckets);
    heap_drop(h, a);
}

size_t assoc_count(const struct assoc *a) { return a ? a->count : 0; }

static struct assoc_entry *assoc_find(const struct assoc *a, struct str key, uint32_t hash)
{
    for (uint32_t i = a->buckets[hash & (a->nbuckets - 1)]; i; i = a->entries.p[i - 1].next) {
        struct assoc_entry *e = &a->entries.p[i - 1];
        if (e->hash == hash && str_eq(str_of(e->key, e->nkey), key))
            return e;
    }
    return NULL;
}

bool assoc_get(const struct assoc *a, struct str key, struct str *out)
{
    struct assoc_entry *e = a && a->count ? assoc_find(a, key, assoc_hash(key)) : NULL;
    if (e)
        *out = str_of(e->value, e->nvalue);
    return e != NULL;
}

bool assoc_next(const struct assoc *a, size_t *pos, struct str *key, struct str *out)
{
    if (!a || !a->count)
        return false;
    uint32_t i = 0, b = 0;
    if (*pos) {
        const struct assoc_entry *last = &a->entries.p[*pos - 1];
        i = last->next;
        b = (last->hash & (a->nbuckets - 1)) + 1;
    }
    for (; !i && b < a->nbuckets; b++)
        i = a->buckets[b];
    if (!i)
        return false;
    const struct assoc_entry *e = &a->entries.p[i - 1];
    *pos = i;
    *key = str_of(e->key, e->nkey);
    *out = str_of(e->value, e->nvalue);
    return true;
}

static bool assoc_grow(struct heap *h, struct assoc *a)
{
    uint32_t n = a->nbuckets * 4;
    uint32_t *to = heap_zalloc(h, n * sizeof *to);
    if (!to)
        return false;
    for (uint32_t b = 0; b < a->nbuckets; b++) {
        for (uint32_t i = a->buckets[b], next; i; i = next) {
            struct assoc_entry *e = &a->entries.p[i - 1];
            next = e->next;
            e->next = to[e->hash & (n - 1)];
            to[e->hash & (n - 1)] = i;
        }
    }
    heap_free(h, a->buckets, a->nbuckets * sizeof *to);
    a->buckets = to;
    a->nbuckets = n;
    return true;
}

static struct assoc_entry *assoc_make(struct heap *h, struct assoc *a, struct str key,
                                      uint32_t hash)
{
    if (key.n >= UINT32_MAX / 2 || (a->count >= a->nbuckets * (size_t)2 && !assoc_grow(h, a)))
        return NULL;
    if (!a->free && !vec_reserve(h, &a->entries, 1))
        return NULL;
    char *k = heap_alloc(h, key.n + 1);
    if (!k)
        return NULL;
    memcpy(k, key.n ? key.p : "", key.n);
    k[key.n] = '\0';
    uint32_t i = a->free;
    if (i)
        a->free = a->entries.p[i - 1].next;
    else
        i = (uint32_t)++a->entries.n;
    struct assoc_entry *e = &a->entries.p[i - 1];
    uint32_t *b = &a->buckets[hash & (a->nbuckets - 1)];
    *e = (struct assoc_entry){.key = k,
                              .nkey = (uint32_t)key.n,
                              .roomkey = (uint32_t)key.n + 1,
                              .hash = hash,
                              .next = *b};
    *b = i;
    a->count++;
    return e;
}

bool assoc_del(struct heap *h, struct assoc *a, struct str key)
{
    if (!a || !a->count)
        return false;
    uint32_t hash = assoc_hash(key);
    struct assoc_entry *e = assoc_find(a, key, hash);
    if (!e)
        return false;
    uint32_t i = (uint32_t)(e - a->entries.p) + 1;
    uint32_t *at = &a->buckets[hash & (a->nbuckets - 1)];
    while (*at != i)
        at = &a->entries.p[*at - 1].next;
    *at = e->next;
    assoc_entry_drop(h, e);
    e->next = a->free;
    a->free = i;
    a->count--;
    return true;
}

/* Puts s behind the first `keep` bytes of the value. s may lie in the value. */
static int assoc_put(struct heap *h, struct assoc_entry *e, size_t keep, struct str s)
{
    size_t n = keep + s.n;
    if (n < e->room) {
        memmove(e->value + keep, s.n ? s.p : "", s.n);
    } else {
        size_t room = keep ? heap_step(h, e->room, n + 1) : n + 1;
        char *p = heap_alloc(h, room);
        if (!p)
            return HOB_ENOMEM;
        if (keep)
            memcpy(p, e->value, keep);
        if (s.n)
            memcpy(p + keep, s.p, s.n);
        if (e->value)
            heap_free(h, e->value, e->room);
        e->value = p;
        e->room = room;
    }
    e->value[n] = '\0';
    e->nvalue = n;
    return 0;
}

static int assoc_write(struct heap *h, struct assoc *a, struct str key, struct str s, bool append)
{
    uint32_t hash = assoc_hash(key);
    struct assoc_entry *e = assoc_find(a, key, hash);
    bool made = !e;
    if (!e && !(e = assoc_make(h, a, key, hash)))
        return HOB_ENOMEM;
    int r = assoc_put(h, e, append ? e->nvalue : 0, s);
    if (r < 0 && made)
        assoc_del(h, a, key);
    return r;
}

int assoc_set(struct heap *h, struct assoc *a, struct str key, struct str s)
{
    return assoc_write(h, a, key, s, false);
}

int assoc_append(struct heap *h, struct assoc *a, struct str key, struct str s)
{
    return assoc_write(h, a, key, s, true);
}

/* The copy lists its keys in the same order: entries and buckets are copied as they are. */
struct assoc *assoc_copy(struct heap *h, const struct assoc *a)
{
    struct assoc *b = assoc_new(h);
    if (!a || !b)
        return b;
    bool ok = vec_reserve(h, &b->entries, a->entries.n);
    while (ok && b->nbuckets < a->nbuckets)
        ok = assoc_grow(h, b);
    for (size_t i = 0; ok && i < a->entries.n; i++) {
        const struct assoc_entry *from = &a->entries.p[i];
        struct assoc_entry *to = &b->entries.p[b->entries.n++];
        *to = (struct assoc_entry){.hash = from->hash, .next = from->next, .nkey = from->nkey};
        if (!from->key)
            continue;
        to->roomkey = from->nkey + 1;
        to->key = heap_alloc(h, to->roomkey);
        ok = to->key && assoc_put(h, to, 0, str_of(from->value, from->nvalue)) == 0;
        if (to->key)
            memcpy(to->key, from->key, to->roomkey);
    }
    if (ok) {
        memcpy(b->buckets, a->buckets, a->nbuckets * sizeof *a->buckets);
        b->count = a->count;
        b->free = a->free;
        return b;
    }
    assoc_free(h, b);
    return NULL;
}

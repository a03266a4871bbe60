/* map.c -- hash maps from byte strings to pointers, kept in insertion order */
#include "base/map.h"

void map_init(struct map *m, struct heap *h) { *m = (struct map){.heap = h}; }

static size_t map_index_size(const struct map *m)
{
    return m->index ? ((size_t)m->mask + 1) * sizeof *m->index : 0;
}

void map_fini(struct map *m)
{
    for (uint32_t i = 0; i < m->used; i++) {
        struct map_entry *e = &m->entries[i];
        heap_free(m->heap, (char *)e->key.p, e->key.n + 1);
    }
    heap_free(m->heap, m->entries, m->cap * sizeof *m->entries);
    heap_free(m->heap, m->index, map_index_size(m));
    map_init(m, m->heap);
}

static struct map_entry *map_find(const struct map *m, struct str key, uint32_t hash)
{
    if (m->n == 0)
        return NULL;
    /* Slots of removed entries stay taken until the index is built anew, so chains never break. */
    for (uint32_t i = hash & m->mask; m->index[i]; i = (i + 1) & m->mask) {
        struct map_entry *e = &m->entries[m->index[i] - 1];
        if (e->hash == hash && e->key.p && str_eq(e->key, key))
            return e;
    }
    return NULL;
}

void **map_get(const struct map *m, struct str key)
{
    struct map_entry *e = m->n ? map_find(m, key, str_hash(key)) : NULL;
    return e ? &e->value : NULL;
}

static void map_enter(struct map *m, uint32_t number)
{
    uint32_t i = m->entries[number].hash & m->mask;
    while (m->index[i])
        i = (i + 1) & m->mask;
    m->index[i] = number + 1;
}

/* Closes the holes and builds the index anew. */
static void map_pack(struct map *m)
{
    uint32_t to = 0;
    memset(m->index, 0, map_index_size(m));
    for (uint32_t i = 0; i < m->used; i++) {
        if (!m->entries[i].key.p)
            continue;
        m->entries[to] = m->entries[i];
        map_enter(m, to++);
    }
    m->used = to;
}

/* Makes room for one more entry: by closing holes where they are a quarter, else by doubling. */
static bool map_room(struct map *m)
{
    if (m->used < m->cap)
        return true;
    if (m->cap && m->n <= m->cap - m->cap / 4) {
        map_pack(m);
        return true;
    }
    if (m->cap >= UINT32_MAX / 4) {
        m->heap->oom = true;
        return false;
    }
    uint32_t cap = m->cap ? m->cap * 2 : 8, slots = cap * 2;
    uint32_t *index = heap_alloc(m->heap, slots * sizeof *index);
    if (!index)
        return false;
    struct map_entry *entries =
        heap_realloc(m->heap, m->entries, m->cap * sizeof *entries, cap * sizeof *entries);
    if (!entries) {
        heap_free(m->heap, index, slots * sizeof *index);
        return false;
    }
    heap_free(m->heap, m->index, map_index_size(m));
    m->entries = entries;
    m->index = index;
    m->cap = cap;
    m->mask = slots - 1;
    map_pack(m);
    return true;
}

void **map_put(struct map *m, struct str key)
{
    uint32_t hash = str_hash(key);
    struct map_entry *e = map_find(m, key, hash);

    if (e)
        return &e->value;
    char *copy = heap_alloc(m->heap, key.n + 1);
    if (!copy)
        return NULL;
    if (key.n)
        memcpy(copy, key.p, key.n);
    copy[key.n] = '\0';
    if (!map_room(m)) {
        heap_free(m->heap, copy, key.n + 1);
        return NULL;
    }
    e = &m->entries[m->used];
    *e = (struct map_entry){.key = str_of(copy, key.n), .hash = hash};
    map_enter(m, m->used++);
    m->n++;
    return &e->value;
}

bool map_del(struct map *m, struct str key)
{
    struct map_entry *e = map_find(m, key, str_hash(key));

    if (!e)
        return false;
    char *copy = (char *)e->key.p;
    size_t n = e->key.n;
    e->key = STR_NONE;
    e->value = NULL;
    heap_free(m->heap, copy, n + 1); /* `key` may have been this copy: it is not used below */
    if (--m->n == 0) {
        memset(m->index, 0, map_index_size(m));
        m->used = 0;
    }
    return true;
}

struct map_entry *map_next(const struct map *m, struct map_entry *e)
{
    uint32_t i = e ? (uint32_t)(e - m->entries) + 1 : 0;
    for (; i < m->used; i++) {
        if (m->entries[i].key.p)
            return &m->entries[i];
    }
    return NULL;
}

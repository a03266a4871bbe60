/* map.h -- hash maps from byte strings to pointers, kept in insertion order
 *
 * Keys are copied into the map's heap. Iteration runs in the order of insertion (a removed key
 * that is inserted again goes to the end), so that everything built on it repeats byte for byte.
 */
#ifndef HOB_BASE_MAP_H
#define HOB_BASE_MAP_H

#include "base/str.h"

struct map_entry {
    struct str key; /* owned by the map, with a NUL behind; key.p == NULL: removed */
    void *value;
    uint32_t hash;
};

struct map {
    struct heap *heap;
    struct map_entry *entries; /* in order of insertion, with holes */
    uint32_t *index;           /* open addressing; 0 = free, else entry number + 1 */
    uint32_t n, used, cap, mask;
};

void map_init(struct map *m, struct heap *h);
void map_fini(struct map *m); /* frees keys, not values */
/* The place of the value, NULL if the key is not there. Valid until the next change. */
void **map_get(const struct map *m, struct str key);
/* The place of the value, made (as NULL) if needed. NULL when out of memory. */
void **map_put(struct map *m, struct str key);
bool map_del(struct map *m, struct str key);
/* Iteration: `for (struct map_entry *e = NULL; (e = map_next(m, e));)`. Removing e is allowed. */
struct map_entry *map_next(const struct map *m, struct map_entry *e);
static inline void *map_value(const struct map *m, struct str key)
{
    void **v = map_get(m, key);
    return v ? *v : NULL;
}

#endif

/* arena.h -- memory that is freed together
 *
 * A bump allocator over a heap. Marks nest: releasing a mark frees all that came after it and runs
 * the cleanups registered after it, newest first. An arena that has never allocated owns nothing.
 */
#ifndef HOB_BASE_ARENA_H
#define HOB_BASE_ARENA_H

#include "base/heap.h"
#include "base/str.h"

/* The quick way past the sanitizer would leave what is handed out poisoned. */
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_QUICK 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_QUICK 0
#endif
#endif
#ifndef ARENA_QUICK
#define ARENA_QUICK 1
#endif

struct arena_chunk;
struct arena_cleanup;

struct arena {
    struct heap *heap;
    struct arena_chunk *chunk; /* the newest chunk */
    char *at, *end;            /* the free room in it */
    struct arena_cleanup *cleanups;
    struct arena_chunk *spare; /* one released chunk kept for the next need */
};

struct arena_mark {
    struct arena_chunk *chunk;
    char *at;
    struct arena_cleanup *cleanups;
};

void arena_init(struct arena *a, struct heap *h);
void arena_fini(struct arena *a); /* releases everything; the arena may be used again */

/* While torture is on (heap.fail_at is not 0) each of these counts as an allocation of the heap.
 * Aligned to 16. NULL when out of memory (the heap's flag is set then). Not cleared. */
void *arena_alloc_slow(struct arena *a, size_t n);
static inline void *arena_alloc(struct arena *a, size_t n)
{
#if ARENA_QUICK
    size_t need = (n + 15) & ~(size_t)15;
    char *p = a->at;
    if (LIKELY(need - 1 < (size_t)(a->end - p) && !a->heap->oom && !a->heap->fail_at)) {
        a->at = p + need; /* n == 0 and what wraps around go the slow way */
        return p;
    }
#endif
    return arena_alloc_slow(a, n);
}
static inline void *arena_zalloc(struct arena *a, size_t n)
{
    void *p = arena_alloc(a, n);
    return p ? memset(p, 0, n) : NULL;
}
/* Grows the block p of size old, in place when it is the newest one, else by copying. */
void *arena_grow(struct arena *a, void *p, size_t old, size_t n);

struct arena_mark arena_mark(struct arena *a);
void arena_release(struct arena *a, struct arena_mark m);

/* fn(p) runs when the current position is released. HOB_ENOMEM if it cannot be registered. */
int arena_on_release(struct arena *a, void (*fn)(void *p), void *p);

/* Copies with a NUL behind. {NULL,0} when out of memory. */
struct str arena_str(struct arena *a, struct str s);
struct str arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);

#define arena_new(a, type) ((type *)arena_zalloc(a, sizeof(type)))
#define arena_array(a, type, n) ((type *)arena_zalloc(a, sizeof(type) * (size_t)(n)))

#endif

/* arena.c -- memory that is freed together */
#include "base/arena.h"

#include "base/fmt.h"

/* Under the address sanitizer, room that is not handed out is poisoned. */
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif
#ifdef ARENA_ASAN
void __asan_poison_memory_region(void const volatile *p, size_t n);
void __asan_unpoison_memory_region(void const volatile *p, size_t n);
#define ARENA_CLOSE(p, n) __asan_poison_memory_region(p, n)
#define ARENA_OPEN(p, n) __asan_unpoison_memory_region(p, n)
#else
#define ARENA_CLOSE(p, n) ((void)(p), (void)(n))
#define ARENA_OPEN(p, n) ((void)(p), (void)(n))
#endif

#define ARENA_ALIGN ((size_t)16)
#define ARENA_FIRST ((size_t)1024)
#define ARENA_MOST ((size_t)64 * 1024)

struct arena_chunk {
    _Alignas(16) struct arena_chunk *prev; /* the next older one */
    size_t size;                           /* with this header */
};

struct arena_cleanup {
    struct arena_cleanup *prev;
    void (*fn)(void *p);
    void *p;
};

void arena_init(struct arena *a, struct heap *h) { *a = (struct arena){.heap = h}; }

static char *arena_chunk_end(struct arena_chunk *c) { return (char *)c + c->size; }

static void arena_chunk_free(struct arena *a, struct arena_chunk *c)
{
    ARENA_OPEN(c, c->size);
    heap_free(a->heap, c, c->size);
}

/* Runs what was registered after `until`. A cleanup may itself register further ones. */
static void arena_clean(struct arena *a, struct arena_cleanup *until)
{
    while (a->cleanups != until && a->cleanups) {
        struct arena_cleanup *c = a->cleanups;
        a->cleanups = c->prev;
        c->fn(c->p);
    }
}

void arena_fini(struct arena *a)
{
    arena_clean(a, NULL);
    while (a->chunk) {
        struct arena_chunk *c = a->chunk;
        a->chunk = c->prev;
        arena_chunk_free(a, c);
    }
    if (a->spare)
        arena_chunk_free(a, a->spare);
    arena_init(a, a->heap);
}

/* Opens a chunk with room for n bytes. A big request gets one of its own, cut to measure. */
static bool arena_open(struct arena *a, size_t n)
{
    size_t size = n + sizeof(struct arena_chunk);
    struct arena_chunk *c = a->spare;

    if (c && c->size >= size) {
        a->spare = NULL;
    } else {
        /* Half as much again, in steps: what is kept for long should not be half empty. */
        size_t usual =
            a->chunk ? MIN((a->chunk->size * 3 / 2 + 511) & ~(size_t)511, ARENA_MOST) : ARENA_FIRST;
        size = MAX(size, usual);
        c = heap_alloc(a->heap, size);
        if (!c)
            return false;
        c->size = size;
    }
    c->prev = a->chunk;
    a->chunk = c;
    a->at = (char *)(c + 1);
    a->end = arena_chunk_end(c);
    ARENA_CLOSE(a->at, (size_t)(a->end - a->at));
    return true;
}

void *arena_alloc_slow(struct arena *a, size_t n)
{
    struct heap *h = a->heap;

    if (UNLIKELY(h->oom || (h->fail_at && !heap_admit(h, 0))))
        return NULL;
    if (UNLIKELY(n > SIZE_MAX / 4)) {
        h->oom = true;
        return NULL;
    }
    n = n ? (n + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1) : ARENA_ALIGN;
    if (n > (size_t)(a->end - a->at) && !arena_open(a, n))
        return NULL;
    void *p = a->at;
    a->at += n;
    ARENA_OPEN(p, n);
    return p;
}

void *arena_grow(struct arena *a, void *p, size_t old, size_t n)
{
    if (!p)
        return arena_alloc(a, n);
    if (n <= old)
        return p;
    size_t have = old ? (old + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1) : ARENA_ALIGN;
    if (n <= have)
        return p;
    if ((char *)p + have == a->at && n - have <= (size_t)(a->end - a->at)) {
        /* The newest block, with room behind it: the missing part comes to lie right there. */
        size_t more = (n - have + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1);
        if (more <= (size_t)(a->end - a->at))
            return arena_alloc(a, more) ? p : NULL;
    }
    void *q = arena_alloc(a, n);
    if (q && old)
        memcpy(q, p, old);
    return q;
}

struct arena_mark arena_mark(struct arena *a)
{
    return (struct arena_mark){a->chunk, a->at, a->cleanups};
}

void arena_release(struct arena *a, struct arena_mark m)
{
    arena_clean(a, m.cleanups);
    while (a->chunk != m.chunk) {
        struct arena_chunk *c = a->chunk;
        a->chunk = c->prev;
        /* The largest ordinary chunk is kept, so that a loop of marks does not allocate. */
        if (c->size <= ARENA_MOST && (!a->spare || a->spare->size < c->size)) {
            struct arena_chunk *old = a->spare;
            a->spare = c;
            c = old;
        }
        if (c)
            arena_chunk_free(a, c);
    }
    a->at = m.at;
    a->end = m.chunk ? arena_chunk_end(m.chunk) : NULL;
    if (m.chunk)
        ARENA_CLOSE(a->at, (size_t)(a->end - a->at));
}

int arena_on_release(struct arena *a, void (*fn)(void *p), void *p)
{
    struct arena_cleanup *c = arena_alloc(a, sizeof *c);
    if (!c)
        return HOB_ENOMEM;
    *c = (struct arena_cleanup){a->cleanups, fn, p};
    a->cleanups = c;
    return 0;
}

struct str arena_str(struct arena *a, struct str s)
{
    char *p = arena_alloc(a, s.n + 1);
    if (!p)
        return STR_NONE;
    if (s.n)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    return str_of(p, s.n);
}

struct str arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    size_t n = fmt_vprint(NULL, 0, fmt, ap);
    va_end(ap);
    char *p = arena_alloc(a, n + 1);
    if (!p)
        return STR_NONE;
    va_start(ap, fmt);
    fmt_vprint(p, n + 1, fmt, ap);
    va_end(ap);
    return str_of(p, n);
}

#undef ARENA_ASAN
#undef ARENA_CLOSE
#undef ARENA_OPEN
#undef ARENA_ALIGN
#undef ARENA_FIRST
#undef ARENA_MOST

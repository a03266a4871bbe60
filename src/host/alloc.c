/* alloc.c -- the default allocator: malloc behind a small cache per thread
 *
 * A sandbox makes and drops some dozens of small blocks for every call. As each block comes back
 * with its size, a list per size class is enough to hand it out again without a search. The lists
 * are short, so that what many sandboxes free goes back to the system; they end with the thread.
 * Under the sanitizers every block is malloc's own.
 */
#include "host/alloc.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/types.h"

enum {
    ALLOC_STEP = 16,
    ALLOC_SMALL = 64, /* classes of one step, up to 1 KiB; 0 is not used */
    ALLOC_WIDE = 512, /* then wider ones, up to 8 KiB: chunks of arenas */
    ALLOC_CLASSES = ALLOC_SMALL + 1 + 14,
    ALLOC_MAX = 8192,
    ALLOC_KEEP = 32,
    ALLOC_KEEP_WIDE = 4,
    ALLOC_TRIM = 64 << 20
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ALLOC_PLAIN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define ALLOC_PLAIN 1
#endif
#endif

#ifdef ALLOC_PLAIN
void *alloc_default(void *ud, void *p, size_t osize, size_t n)
{
    (void)ud;
    (void)osize;
    if (n == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, n);
}
#else

struct alloc_cache {
    bool known;   /* the end of the thread will empty it */
    size_t freed; /* small blocks given back to malloc since it was last trimmed */
    unsigned count[ALLOC_CLASSES];
    void *list[ALLOC_CLASSES]; /* each block begins with the address of the next */
};

static _Thread_local struct alloc_cache alloc_cache;
static pthread_key_t alloc_key;
static pthread_once_t alloc_once = PTHREAD_ONCE_INIT;

static void alloc_thread_ends(void *arg)
{
    struct alloc_cache *c = arg;
    for (size_t i = 0; i < ALLOC_CLASSES; i++)
        for (void *p = c->list[i], *next; p; p = next) {
            memcpy(&next, p, sizeof next);
            free(p);
        }
    memset(c, 0, sizeof *c);
}

static void alloc_make_key(void) { pthread_key_create(&alloc_key, alloc_thread_ends); }

static void alloc_know(struct alloc_cache *c)
{
    pthread_once(&alloc_once, alloc_make_key);
    c->known = pthread_setspecific(alloc_key, c) == 0;
}

static size_t alloc_class(size_t n)
{
    if (n <= ALLOC_SMALL * ALLOC_STEP)
        return (n + ALLOC_STEP - 1) / ALLOC_STEP;
    return ALLOC_SMALL + (n - ALLOC_SMALL * ALLOC_STEP + ALLOC_WIDE - 1) / ALLOC_WIDE;
}

/* Bytes that a block of the class has. */
static size_t alloc_size(size_t i)
{
    return i <= ALLOC_SMALL ? i * ALLOC_STEP
                            : ALLOC_SMALL * ALLOC_STEP + (i - ALLOC_SMALL) * ALLOC_WIDE;
}

static void *alloc_get(struct alloc_cache *c, size_t n)
{
    if (n > ALLOC_MAX)
        return malloc(n);
    size_t i = alloc_class(n);
    void *p = c->list[i];
    if (!p)
        return malloc(alloc_size(i));
    memcpy(&c->list[i], p, sizeof p);
    c->count[i]--;
    return p;
}

static void alloc_put(struct alloc_cache *c, void *p, size_t n)
{
    size_t i = n <= ALLOC_MAX ? alloc_class(n) : 0;
    if (i == 0 || c->count[i] >= (i <= ALLOC_SMALL ? ALLOC_KEEP : ALLOC_KEEP_WIDE)) {
        free(p);
        c->freed += alloc_size(i);
        if (UNLIKELY(c->freed > ALLOC_TRIM)) { /* many sandboxes went: so does their memory */
            c->freed = 0;
            malloc_trim(0);
        }
        return;
    }
    if (UNLIKELY(!c->known))
        alloc_know(c);
    memcpy(p, &c->list[i], sizeof p);
    c->list[i] = p;
    c->count[i]++;
}

void *alloc_default(void *ud, void *p, size_t osize, size_t n)
{
    struct alloc_cache *c = &alloc_cache;
    (void)ud;
    if (!p)
        return n ? alloc_get(c, n) : NULL;
    if (n == 0) {
        alloc_put(c, p, osize);
        return NULL;
    }
    if (osize > ALLOC_MAX && n > ALLOC_MAX)
        return realloc(p, n);
    if (osize <= ALLOC_MAX && n <= ALLOC_MAX && alloc_class(osize) == alloc_class(n))
        return p;
    void *q = alloc_get(c, n);
    if (q) {
        memcpy(q, p, MIN(osize, n));
        alloc_put(c, p, osize);
    }
    return q;
}
#endif

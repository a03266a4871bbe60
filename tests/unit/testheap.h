/* testheap.h -- a heap for unit tests that knows what it owes, and a torture loop */
#ifndef TESTHEAP_H
#define TESTHEAP_H

#include <stdlib.h>

#include "base/heap.h"
#include "unit.h"

struct testheap {
    struct heap heap;
    size_t live; /* bytes the allocator has given out */
};

static inline void *testheap_fn(void *ud, void *p, size_t old, size_t n)
{
    struct testheap *t = ud;
    if (n == 0) {
        free(p);
        t->live -= old;
        return NULL;
    }
    void *q = realloc(p, n);
    if (q)
        t->live += n - (p ? old : 0);
    return q;
}

static inline void testheap_init(struct testheap *t, size_t cap)
{
    t->live = 0;
    heap_init(&t->heap, testheap_fn, t, cap);
}

/* All memory is back. */
#define CHECK_EMPTY(t)                                                                             \
    do {                                                                                           \
        CHECK_EQ((t)->live, 0);                                                                    \
        CHECK_EQ((t)->heap.used, 0);                                                               \
    } while (0)

/*
 * Runs fn with the first, second, ... request failing until one run passes untouched, and checks
 * that memory comes back each time. fn returns a negative number when it noticed the failure.
 */
static inline void testheap_torture(int (*fn)(struct heap *h))
{
    for (uint64_t n = 1; n < 100000; n++) {
        struct testheap t;
        testheap_init(&t, SIZE_MAX);
        t.heap.fail_at = n;
        int r = fn(&t.heap);
        CHECK_EMPTY(&t);
        if (t.heap.count < n) {
            CHECK(r >= 0);
            CHECK(n > 1);
            return;
        }
        if (!CHECK(r < 0 || !t.heap.oom))
            return;
    }
    CHECK(!"torture does not end");
}

#endif

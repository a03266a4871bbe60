/* host.h -- what only the outside world can do
 *
 * Everything left of `host` in the line of layers reaches the machine through this table and
 * through nothing else. src/host/ fills it for Linux; a WASM build fills it from JavaScript.
 */
#ifndef HOB_TASK_HOST_H
#define HOB_TASK_HOST_H

#include "base/types.h"
#include "hob.h"

struct host {
    void *ud;
    hob_alloc_fn alloc;
    void *alloc_ud;
    int64_t (*now)(void *ud);                      /* nanoseconds since 1970, UTC */
    int64_t (*monotonic)(void *ud);                /* nanoseconds since anything, never back */
    int64_t (*cpu)(void *ud);                      /* nanoseconds of CPU this thread has used */
    int (*entropy)(void *ud, void *dst, size_t n); /* 0 or an error */
    /* A stack of at least `size` bytes with an unmapped guard below it. Returns the low end of the
     * usable part, NULL if there is no memory; *usable is its size. */
    void *(*stack_get)(void *ud, size_t size, size_t *usable);
    /* `touched` bytes counted from the high end were used at the most: the rest need not be
     * given back to the system. */
    void (*stack_put)(void *ud, void *low, size_t usable, size_t touched);
    /* Frees what a callback of the embedder's took from hob_alloc(). */
    void (*release)(void *ud, void *p);
};

#endif

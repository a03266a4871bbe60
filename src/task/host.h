/* host.h -- what only the outside world can do
 *
 * Everything left of `host` in the line of layers reaches the machine through this table and
 * through nothing else. src/host/ fills it for Linux; a WASM build fills it from JavaScript.
 */
#ifndef HOB_TASK_HOST_H
#define HOB_TASK_HOST_H

#include "base/types.h"
#include "hob.h"

struct date_zone;
struct heap;
struct http_request; /* net/http.h */
struct http_state;
struct http_stream; /* one exchange; the host's own */

/* HTTP. Nothing here waits: an exchange moves on in step(), which is due when the descriptor is
 * readable and when the time has passed. */
struct host_http {
    /* The request is copied as far as it is needed later; its memory counts against h. */
    int (*start)(void *ud, struct heap *h, const struct http_request *req, struct http_stream **out,
                 struct hob_error *err);
    void (*look)(struct http_stream *s, struct http_state *out); /* borrowed until the next step */
    void (*take)(struct http_stream *s, size_t n);               /* n bytes of the data were used */
    void (*close)(struct http_stream *s);
    void (*step)(void *ud);
    int (*fd)(void *ud);          /* -1: nothing runs */
    int64_t (*timeout)(void *ud); /* nanoseconds until a step is due; -1: none */
    void (*rest)(void *ud);       /* nothing runs: what was kept for the next exchange may go */
};

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
    /* What SQLite allocates on this thread from now on comes out of h, and local time is
     * z's; NULL: they are not the sandbox's. NULL as a method: there is no such library. */
    void (*sql_memory)(void *ud, struct heap *h, const struct date_zone *z);
    const struct host_http *http; /* NULL: there is none */
    void *http_ud;
};

#endif

/* sse.h -- server-sent events, read from bytes in pieces of any size
 *
 * As the HTML standard has it: lines end with LF, CR or CRLF, a BOM in front is passed over,
 * lines that begin with a colon are comments, an empty line ends an event, an event without data
 * is none. `id` and `retry` are not used here.
 */
#ifndef HOB_NET_SSE_H
#define HOB_NET_SSE_H

#include "base/error.h"
#include "base/str.h"

/* One event; both are borrowed for the call. name is "" when the event has none. An error ends the
 * reading and comes back from sse_feed(). */
typedef int (*sse_fn)(void *ud, struct str name, struct str data);

struct sse {
    struct buf line, name, data;
    size_t limit;  /* bytes of one event */
    size_t seen;   /* bytes of the first three, for the BOM */
    bool cr;       /* the last byte was a CR: an LF that follows belongs to it */
    bool has_data; /* the event has a data line, maybe an empty one */
};

void sse_init(struct sse *s, struct heap *h, size_t limit);
void sse_fini(struct sse *s);
/* 0, the error of fn, HOB_ELIMIT for an event that is too large, HOB_ENOMEM. */
int sse_feed(struct sse *s, struct str bytes, sse_fn fn, void *ud, struct hob_error *err);
/* The stream has ended. An event whose last empty line is missing is handed on all the same; a line
 * without its end is dropped. */
int sse_finish(struct sse *s, sse_fn fn, void *ud, struct hob_error *err);

#endif

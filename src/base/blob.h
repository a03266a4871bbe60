/* blob.h -- reference-counted blocks of bytes, never changed while shared
 *
 * File contents and what travels through pipes. The count is atomic because forks of a sandbox may
 * live on different threads; whoever finds `refs == 1` is alone and may write in place. The bytes
 * come straight from the embedder's allocator, not from one heap, because a blob may outlive the
 * sandbox that made it; who holds blobs charges their size to his heap.
 *
 * A blob with refs == BLOB_STATIC lives in constant memory (or in a mapped image) and is never
 * counted, written or freed.
 */
#ifndef HOB_BASE_BLOB_H
#define HOB_BASE_BLOB_H

#include <stdatomic.h>

#include "base/heap.h"
#include "base/str.h"

#define BLOB_STATIC 0

struct blob {
    atomic_uint refs;
    hob_alloc_fn fn;
    void *ud;
    size_t cap;
    char *data; /* cap bytes; behind the struct, or elsewhere for static ones */
};

/* One reference, contents not cleared. NULL when out of memory: h->oom is set (torture counts it
 * too). The cap of h is checked but nothing is charged. */
struct blob *blob_new(struct heap *h, size_t cap);
static inline struct blob *blob_ref(struct blob *b)
{
    if (b && atomic_load_explicit(&b->refs, memory_order_relaxed) != BLOB_STATIC)
        atomic_fetch_add_explicit(&b->refs, 1, memory_order_relaxed);
    return b;
}
void blob_unref(struct blob *b); /* NULL is allowed */
static inline bool blob_alone(const struct blob *b)
{
    return atomic_load_explicit(&((struct blob *)b)->refs, memory_order_acquire) == 1;
}

#endif

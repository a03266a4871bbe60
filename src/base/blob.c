/* blob.c -- reference-counted blocks of bytes, never changed while shared */
#include "base/blob.h"

struct blob *blob_new(struct heap *h, size_t cap)
{
    size_t size = sizeof(struct blob) + cap;

    if (size < cap) {
        h->oom = true;
        return NULL;
    }
    if (!heap_admit(h, size))
        return NULL;
    struct blob *b = h->fn(h->ud, NULL, 0, size);
    if (!b) {
        h->oom = true;
        return NULL;
    }
    atomic_init(&b->refs, 1);
    b->fn = h->fn;
    b->ud = h->ud;
    b->cap = cap;
    b->data = (char *)(b + 1);
    return b;
}

void blob_unref(struct blob *b)
{
    if (!b || atomic_load_explicit(&b->refs, memory_order_relaxed) == BLOB_STATIC)
        return;
    /* The last one to let go must see all that the others did before they did. */
    if (atomic_fetch_sub_explicit(&b->refs, 1, memory_order_acq_rel) == 1)
        b->fn(b->ud, b, sizeof *b + b->cap, 0);
}

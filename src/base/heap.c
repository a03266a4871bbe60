/* heap.c -- one heap per sandbox: counted, capped, with a sticky out-of-memory flag */
#include "base/heap.h"

void heap_init(struct heap *h, hob_alloc_fn fn, void *ud, size_t cap)
{
    *h = (struct heap){.fn = fn, .ud = ud, .cap = cap};
}

/* TM-MEM-1: whatever a script makes passes here, before it is made. */
bool heap_admit(struct heap *h, size_t n)
{
    h->count++;
    if (UNLIKELY(h->oom || h->count == h->fail_at || h->used > h->cap || n > h->cap - h->used)) {
        h->oom = true;
        return false;
    }
    return true;
}

static void heap_count(struct heap *h, size_t n)
{
    h->used += n;
    if (h->used > h->peak)
        h->peak = h->used;
}

void *heap_alloc(struct heap *h, size_t n)
{
    if (n == 0 || !heap_admit(h, n))
        return NULL;
    void *p = h->fn(h->ud, NULL, 0, n);
    if (p)
        heap_count(h, n);
    else
        h->oom = true;
    return p;
}

void *heap_zalloc(struct heap *h, size_t n)
{
    void *p = heap_alloc(h, n);
    if (p)
        memset(p, 0, n);
    return p;
}

void *heap_realloc(struct heap *h, void *p, size_t old, size_t n)
{
    if (!p)
        return heap_alloc(h, n);
    if (n == 0) {
        heap_free(h, p, old);
        return NULL;
    }
    /* Giving memory back is no request: it works while the flag is set, too. */
    if (n > old && !heap_admit(h, n - old))
        return NULL;
    void *q = h->fn(h->ud, p, old, n);
    if (!q) {
        h->oom = true;
        return NULL;
    }
    h->used -= old;
    heap_count(h, n);
    return q;
}

void heap_free(struct heap *h, void *p, size_t n)
{
    if (!p)
        return;
    h->fn(h->ud, p, n, 0);
    h->used -= n;
}

bool heap_charge(struct heap *h, size_t n)
{
    if (n == 0)
        return true;
    if (!heap_admit(h, n))
        return false;
    heap_count(h, n);
    return true;
}

void heap_uncharge(struct heap *h, size_t n) { h->used -= n; }

size_t heap_step(const struct heap *h, size_t old, size_t need)
{
    /* Doubling, by halves once the block is large. */
    size_t want = old < (1u << 20) ? old * 2 : old + old / 2;
    if (want <= need)
        return need;
    size_t room = h->used < h->cap ? h->cap - h->used : 0;
    return want - old <= room ? want : need;
}

/* TM-MEM-2: the one place where a failed allocation becomes an error. */
int heap_gate(struct heap *h)
{
    int r = h->oom ? HOB_ENOMEM : 0;
    h->oom = false;
    return r;
}

/* heap.h -- one heap per sandbox: counted, capped, with a sticky out-of-memory flag
 *
 * Everything a sandbox allocates goes through its heap, over one function of the embedder's. The
 * cap is checked before the function is called. After a first failure `oom` stays set and every
 * further allocation fails, so builders need no check of their own: whoever holds a gate
 * (the end of a command, the end of hob_exec) looks at the flag once and clears it.
 *
 * Freeing needs the size, as in Lua: no header per block.
 */
#ifndef HOB_BASE_HEAP_H
#define HOB_BASE_HEAP_H

#include "base/types.h"
#include "hob.h"

struct heap {
    hob_alloc_fn fn;
    void *ud;
    size_t used;      /* bytes allocated and charged now */
    size_t peak;      /* the most that `used` has been */
    size_t cap;       /* never exceeded; SIZE_MAX is no cap */
    uint64_t count;   /* allocations asked for so far; torture counts with it */
    uint64_t fail_at; /* the allocation number that fails (torture), 0 = none */
    bool oom;         /* sticky, see above */
};

void heap_init(struct heap *h, hob_alloc_fn fn, void *ud, size_t cap);

/* NULL when the cap is reached or the embedder's function fails; then h->oom is set. The memory is
 * not cleared (heap_zalloc clears). n == 0 gives NULL without an error. */
void *heap_alloc(struct heap *h, size_t n);
void *heap_zalloc(struct heap *h, size_t n);
/* As realloc with the old size. On failure NULL, and the old block is still there. */
void *heap_realloc(struct heap *h, void *p, size_t old, size_t n);
void heap_free(struct heap *h, void *p, size_t n);

/* Counts n bytes that live elsewhere (file contents shared between forks). False at the cap,
 * with oom set. heap_uncharge takes them back. */
bool heap_charge(struct heap *h, size_t n);
void heap_uncharge(struct heap *h, size_t n);

/* Asks for n bytes without taking them: counts the request and checks the flag, torture and the
 * cap as every allocation does. False sets oom. For allocators that stand beside the heap. */
bool heap_admit(struct heap *h, size_t n);
/* The next size of a growing block: at least need, doubled where the cap leaves room for that. */
size_t heap_step(const struct heap *h, size_t old, size_t need);

/* The gate: HOB_ENOMEM if an allocation failed since the last call, else 0. Clears the flag. */
int heap_gate(struct heap *h);

#define heap_new(h, type) ((type *)heap_zalloc(h, sizeof(type)))
#define heap_drop(h, p) heap_free(h, p, sizeof *(p))

#endif

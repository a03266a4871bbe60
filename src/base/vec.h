/* vec.h -- growing arrays
 *
 * A vector of T is any struct with members `T *p; size_t n, cap;`. VEC(T) makes an anonymous one.
 */
#ifndef HOB_BASE_VEC_H
#define HOB_BASE_VEC_H

#include "base/heap.h"
#include "base/str.h"

#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *p;                                                                                      \
        size_t n, cap;                                                                             \
    }

/* Room for `more` further elements. False when out of memory. */
#define vec_reserve(h, v, more)                                                                    \
    ((v)->n + (more) <= (v)->cap ||                                                                \
     vec_grow(h, (void **)&(v)->p, (v)->n, &(v)->cap, more, sizeof *(v)->p))
/* Appends; false (and nothing appended) when out of memory. */
#define vec_push(h, v, x) (vec_reserve(h, v, 1) && ((v)->p[(v)->n++] = (x), true))
#define vec_fini(h, v)                                                                             \
    (heap_free(h, (v)->p, (v)->cap * sizeof *(v)->p), (v)->p = NULL, (v)->n = (v)->cap = 0)

bool vec_grow(struct heap *h, void **p, size_t n, size_t *cap, size_t more, size_t size);

/* The vector most often met: of strings. */
struct strs {
    struct str *p;
    size_t n, cap;
};

/* Merge sort: stable, n log n, uses room for n elements from the heap. HOB_ENOMEM. */
int sort_stable(struct heap *h, void *base, size_t n, size_t size,
                int (*cmp)(const void *a, const void *b, void *ud), void *ud);

#endif

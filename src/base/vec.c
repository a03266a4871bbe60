/* vec.c -- growing arrays, and a stable sort */
#include "base/vec.h"

/* TM-MEM-3: the size of an array is computed here, and nowhere without this check. */
bool vec_grow(struct heap *h, void **p, size_t n, size_t *cap, size_t more, size_t size)
{
    if (more > SIZE_MAX / 4 / size - n) {
        h->oom = true;
        return false;
    }
    size_t need = MAX((n + more) * size, 4 * size);
    size_t step = heap_step(h, *cap * size, need) / size;
    void *q = heap_realloc(h, *p, *cap * size, step * size);
    if (!q)
        return false;
    *p = q;
    *cap = step;
    return true;
}

struct sort {
    size_t size;
    int (*cmp)(const void *a, const void *b, void *ud);
    void *ud;
};

/* Elements are mostly pointers or struct str; a constant size spares the call of memcpy. */
static inline void sort_move(char *to, const char *from, size_t size)
{
    if (size == 8)
        memcpy(to, from, 8);
    else if (size == 16)
        memcpy(to, from, 16);
    else
        memcpy(to, from, size);
}

/* Sorts a short run in place; `spare` holds one element. */
static void sort_insert(const struct sort *s, char *base, size_t n, char *spare)
{
    size_t size = s->size;
    for (size_t i = 1; i < n; i++) {
        size_t j = i;
        while (j > 0 && s->cmp(base + (j - 1) * size, base + i * size, s->ud) > 0)
            j--;
        if (j == i)
            continue;
        sort_move(spare, base + i * size, size);
        memmove(base + (j + 1) * size, base + j * size, (i - j) * size);
        sort_move(base + j * size, spare, size);
    }
}

/* Merges the neighbours [0,a) and [a,a+b) of `from` to `to`. */
static void sort_merge(const struct sort *s, char *to, const char *from, size_t a, size_t b)
{
    size_t size = s->size;
    const char *x = from, *xe = from + a * size, *y = xe, *ye = y + b * size;

    if (b == 0 || s->cmp(xe - size, y, s->ud) <= 0) {
        memcpy(to, from, (a + b) * size);
        return;
    }
    while (x < xe && y < ye) {
        const char **side = s->cmp(x, y, s->ud) <= 0 ? &x : &y;
        sort_move(to, *side, size);
        *side += size;
        to += size;
    }
    if (x < xe)
        memcpy(to, x, (size_t)(xe - x));
    else
        memcpy(to, y, (size_t)(ye - y));
}

int sort_stable(struct heap *h, void *base, size_t n, size_t size,
                int (*cmp)(const void *a, const void *b, void *ud), void *ud)
{
    enum {
        RUN = 8
    };
    struct sort s = {size, cmp, ud};

    if (n < 2)
        return 0;
    char *room = heap_alloc(h, n * size);
    if (!room)
        return HOB_ENOMEM;
    for (size_t i = 0; i < n; i += RUN)
        sort_insert(&s, (char *)base + i * size, MIN(RUN, n - i), room);
    char *from = base, *to = room;
    for (size_t run = RUN; run < n; run *= 2) {
        for (size_t i = 0; i < n; i += 2 * run) {
            size_t a = MIN(run, n - i);
            sort_merge(&s, to + i * size, from + i * size, a, MIN(run, n - i - a));
        }
        char *swap = from;
        from = to;
        to = swap;
    }
    if (from != base)
        memcpy(base, from, n * size);
    heap_free(h, room, n * size);
    return 0;
}

/* var_array.c -- indexed arrays: dense where they can be, sparse where they must be
 *
 * Elements 0..n-1 lie in one block with holes; those far behind its end lie in a list sorted by
 * index. Short texts live inside the element, so that filling an array mostly allocates nothing.
 */
#include "shell/var_impl.h"

enum {
    ARRAY_NEAR = 14,
    ARRAY_FAR = 255,
    ARRAY_GAP = 64
};

/* Byte 15 of `near` tells: 0 a hole, 1..15 a text of that length less one, ARRAY_FAR elsewhere. */
union array_elem {
    struct {
        char *p;
        uint32_t n;
    } far;
    char near[16];
};

struct array_far {
    int64_t index;
    union array_elem e;
};

struct array {
    VEC(union array_elem) dense;
    VEC(struct array_far) far;
    size_t count;
};

static inline uint8_t array_tag(const union array_elem *e) { return (uint8_t)e->near[15]; }

/* The room for a text of n bytes: follows from n alone, and grows by a quarter, so that appending
 * to an element is linear. */
static size_t array_room(size_t n)
{
    size_t step = 16;
    while (step * 8 <= n)
        step *= 2;
    return (n + step) / step * step;
}

static struct str array_text(const union array_elem *e)
{
    uint8_t tag = array_tag(e);
    return tag == ARRAY_FAR ? str_of(e->far.p, e->far.n) : str_of(e->near, tag - (size_t)1);
}

static void array_elem_drop(struct heap *h, union array_elem *e)
{
    if (array_tag(e) == ARRAY_FAR)
        heap_free(h, e->far.p, array_room(e->far.n));
    e->near[15] = 0;
}

/* Sets the text of e; s may lie in it. */
static int array_elem_set(struct heap *h, union array_elem *e, struct str s)
{
    union array_elem to;
    if (s.n <= ARRAY_NEAR) {
        if (s.n)
            memcpy(to.near, s.p, s.n);
        to.near[s.n] = '\0';
        to.near[15] = (char)(s.n + 1);
    } else {
        if (s.n >= UINT32_MAX / 2) {
            h->oom = true;
            return HOB_ENOMEM;
        }
        to.far.p = heap_alloc(h, array_room(s.n));
        if (!to.far.p)
            return HOB_ENOMEM;
        memcpy(to.far.p, s.p, s.n);
        to.far.p[s.n] = '\0';
        to.far.n = (uint32_t)s.n;
        to.near[15] = (char)ARRAY_FAR;
    }
    array_elem_drop(h, e);
    *e = to;
    return 0;
}

static int array_elem_append(struct heap *h, union array_elem *e, struct str s)
{
    if (array_tag(e) == 0)
        return array_elem_set(h, e, s);
    struct str old = array_text(e);
    size_t n = old.n + s.n;
    if (s.n == 0)
        return 0;
    if (n <= ARRAY_NEAR) {
        memmove(e->near + old.n, s.p, s.n);
        e->near[n] = '\0';
        e->near[15] = (char)(n + 1);
        return 0;
    }
    if (n >= UINT32_MAX / 2) {
        h->oom = true;
        return HOB_ENOMEM;
    }
    size_t room = array_tag(e) == ARRAY_FAR ? array_room(old.n) : 0;
    char *p = room > n ? e->far.p : heap_alloc(h, array_room(n));
    if (!p)
        return HOB_ENOMEM;
    memmove(p + old.n, s.p, s.n);
    if (p != old.p) {
        memcpy(p, old.p, old.n);
        array_elem_drop(h, e);
    }
    /* The block must have the size that its length stands for. */
    if (room > n && array_room(n) != room) {
        char *q = heap_realloc(h, p, room, array_room(n));
        if (!q)
            return HOB_ENOMEM;
        p = q;
    }
    p[n] = '\0';
    e->far.p = p;
    e->far.n = (uint32_t)n;
    e->near[15] = (char)ARRAY_FAR;
    return 0;
}

struct array *array_new(struct heap *h) { return heap_new(h, struct array); }

void array_clear(struct heap *h, struct array *a)
{
    for (size_t i = 0; i < a->dense.n; i++)
        array_elem_drop(h, &a->dense.p[i]);
    for (size_t i = 0; i < a->far.n; i++)
        array_elem_drop(h, &a->far.p[i].e);
    a->dense.n = a->far.n = a->count = 0;
}

void array_free(struct heap *h, struct array *a)
{
    if (!a)
        return;
    array_clear(h, a);
    vec_fini(h, &a->dense);
    vec_fini(h, &a->far);
    heap_drop(h, a);
}

size_t array_count(const struct array *a) { return a ? a->count : 0; }

int64_t array_max(const struct array *a)
{
    if (!a || !a->count)
        return -1;
    if (a->far.n)
        return a->far.p[a->far.n - 1].index;
    size_t n = a->dense.n;
    while (n && !array_tag(&a->dense.p[n - 1]))
        n--;
    return (int64_t)n - 1;
}

/* Where index i stands or would stand among the far ones. */
static size_t array_far_at(const struct array *a, int64_t i)
{
    size_t lo = 0, hi = a->far.n;
    if (hi && a->far.p[hi - 1].index < i)
        return hi;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (a->far.p[mid].index < i)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static union array_elem *array_find(const struct array *a, int64_t i)
{
    if (i >= 0 && (uint64_t)i < a->dense.n)
        return array_tag(&a->dense.p[i]) ? &a->dense.p[i] : NULL;
    size_t k = array_far_at(a, i);
    return k < a->far.n && a->far.p[k].index == i ? &a->far.p[k].e : NULL;
}

bool array_get(const struct array *a, int64_t i, struct str *out)
{
    union array_elem *e = a ? array_find(a, i) : NULL;
    if (e)
        *out = array_text(e);
    return e != NULL;
}

bool array_next(const struct array *a, int64_t *i, struct str *out)
{
    if (!a || *i == INT64_MAX)
        return false;
    uint64_t k = (uint64_t)(*i + 1);
    while (k < a->dense.n && !array_tag(&a->dense.p[k]))
        k++;
    if (k < a->dense.n) {
        *i = (int64_t)k;
        *out = array_text(&a->dense.p[k]);
        return true;
    }
    size_t f = array_far_at(a, (int64_t)k);
    if (f >= a->far.n)
        return false;
    *i = a->far.p[f].index;
    *out = array_text(&a->far.p[f].e);
    return true;
}

/* Far elements that the dense part has come near to go over. */
static bool array_absorb(struct heap *h, struct array *a)
{
    size_t k = 0;
    while (k < a->far.n && (uint64_t)a->far.p[k].index < a->dense.n + ARRAY_GAP) {
        size_t at = (size_t)a->far.p[k].index, more = at + 1 - a->dense.n;
        if (!vec_reserve(h, &a->dense, more))
            break;
        memset(a->dense.p + a->dense.n, 0, more * sizeof *a->dense.p);
        a->dense.n = at + 1;
        a->dense.p[at] = a->far.p[k++].e;
    }
    if (k) {
        memmove(a->far.p, a->far.p + k, (a->far.n - k) * sizeof *a->far.p);
        a->far.n -= k;
    }
    return !h->oom;
}

/* The element i, made as a hole if there is none; NULL: out of memory. */
static union array_elem *array_make(struct heap *h, struct array *a, int64_t i)
{
    uint64_t at = (uint64_t)i;
    if (at < a->dense.n)
        return &a->dense.p[at];
    if (at <= a->dense.n + ARRAY_GAP || at <= a->count * 2) {
        if (a->far.n && a->far.p[0].index <= i) {
            size_t k = array_far_at(a, i);
            if (k < a->far.n && a->far.p[k].index == i)
                return &a->far.p[k].e;
        } else {
            size_t more = (size_t)at + 1 - a->dense.n;
            if (!vec_reserve(h, &a->dense, more))
                return NULL;
            memset(a->dense.p + a->dense.n, 0, more * sizeof *a->dense.p);
            a->dense.n = (size_t)at + 1;
            if (a->far.n && !array_absorb(h, a))
                return NULL;
            return &a->dense.p[at];
        }
    }
    size_t k = array_far_at(a, i);
    if (k < a->far.n && a->far.p[k].index == i)
        return &a->far.p[k].e;
    if (!vec_reserve(h, &a->far, 1))
        return NULL;
    memmove(a->far.p + k + 1, a->far.p + k, (a->far.n - k) * sizeof *a->far.p);
    a->far.n++;
    a->far.p[k].index = i;
    memset(&a->far.p[k].e, 0, sizeof a->far.p[k].e);
    return &a->far.p[k].e;
}

/* A far element may not stay a hole. */
static int array_made(struct heap *h, struct array *a, int64_t i, bool was, int r)
{
    if (r == 0)
        a->count += !was;
    else if (!was)
        array_del(h, a, i);
    return r;
}

/* Making room may move the elements, so a text that lies in one of them is copied first. */
static bool array_inside(const struct array *a, struct str s)
{
    const char *lo = (const char *)a->dense.p, *flo = (const char *)a->far.p;
    return s.n && ((lo && s.p >= lo && s.p < (const char *)(a->dense.p + a->dense.n)) ||
                   (flo && s.p >= flo && s.p < (const char *)(a->far.p + a->far.n)));
}

int array_set(struct heap *h, struct array *a, int64_t i, struct str s)
{
    char spare[ARRAY_NEAR + 1];
    if (UNLIKELY(array_inside(a, s))) {
        memcpy(spare, s.p, MIN(s.n, sizeof spare));
        s.p = spare;
    }
    union array_elem *e = array_make(h, a, i);
    if (!e)
        return HOB_ENOMEM;
    bool was = array_tag(e) != 0;
    return array_made(h, a, i, was, array_elem_set(h, e, s));
}

int array_append(struct heap *h, struct array *a, int64_t i, struct str s)
{
    char spare[ARRAY_NEAR + 1];
    if (UNLIKELY(array_inside(a, s))) {
        memcpy(spare, s.p, MIN(s.n, sizeof spare));
        s.p = spare;
    }
    union array_elem *e = array_make(h, a, i);
    if (!e)
        return HOB_ENOMEM;
    bool was = array_tag(e) != 0;
    return array_made(h, a, i, was, array_elem_append(h, e, s));
}

bool array_del(struct heap *h, struct array *a, int64_t i)
{
    if (!a)
        return false;
    if (i >= 0 && (uint64_t)i < a->dense.n) {
        bool was = array_tag(&a->dense.p[i]) != 0;
        array_elem_drop(h, &a->dense.p[i]);
        a->count -= was;
        while (a->dense.n && !array_tag(&a->dense.p[a->dense.n - 1]))
            a->dense.n--;
        return was;
    }
    size_t k = array_far_at(a, i);
    if (k >= a->far.n || a->far.p[k].index != i)
        return false;
    bool was = array_tag(&a->far.p[k].e) != 0;
    array_elem_drop(h, &a->far.p[k].e);
    memmove(a->far.p + k, a->far.p + k + 1, (a->far.n - k - 1) * sizeof *a->far.p);
    a->far.n--;
    a->count -= was;
    return was;
}

struct array *array_copy(struct heap *h, const struct array *a)
{
    struct array *b = array_new(h);
    if (!a || !b)
        return b;
    bool ok = vec_reserve(h, &b->dense, a->dense.n) && vec_reserve(h, &b->far, a->far.n);
    for (size_t i = 0; ok && i < a->dense.n; i++, b->dense.n++) {
        memset(&b->dense.p[i], 0, sizeof b->dense.p[i]);
        if (array_tag(&a->dense.p[i]))
            ok = array_elem_set(h, &b->dense.p[i], array_text(&a->dense.p[i])) == 0;
    }
    for (size_t i = 0; ok && i < a->far.n; i++, b->far.n++) {
        memset(&b->far.p[i], 0, sizeof b->far.p[i]);
        b->far.p[i].index = a->far.p[i].index;
        ok = array_elem_set(h, &b->far.p[i].e, array_text(&a->far.p[i].e)) == 0;
    }
    b->count = a->count;
    if (ok)
        return b;
    array_free(h, b);
    return NULL;
}

/* awk_array.c -- arrays: elements in order of insertion behind an open-addressed index
 *
 * A key that is written as an integer of 32 bits is kept as one, so a[7] and a["7"] are the same
 * element and numbers need no text. Removed elements stay as holes until the array is packed. As
 * long as keys come one after the other (1, 2, 3 ...) an array is dense: an element is found by
 * counting, and there is no index.
 */
#include "commands/awk/awk.h"

#include <math.h>

#include "base/utf8.h"

enum {
    AWK_ARRAY_FIRST = 8,
    AWK_ARRAY_KEPT = 64 /* elements for which memory is kept when they go */
};

struct awk_key {
    struct str s;
    int64_t i;
    uint32_t hash;
    uint8_t type;
};

struct awk_array *awk_array_new(struct awk *a)
{
    struct awk_array *t = heap_new(a->heap, struct awk_array);
    if (!t) {
        awk_nomem(a);
        return NULL;
    }
    t->refs = 1;
    return t;
}

/* Takes all elements out. With `keep` a small row of them leaves its memory for the next ones. */
static void awk_array_empty(struct awk *a, struct awk_array *t, bool keep)
{
    struct awk_elem *e = t->e;
    uint32_t used = t->used, cap = t->cap, slots = t->mask + 1;

    /* Elements may hold the last reference to other arrays: first let go of the own memory. */
    t->e = NULL;
    if (t->index)
        heap_free(a->heap, t->index, slots * sizeof *t->index);
    t->index = NULL;
    t->live = t->used = t->cap = t->mask = t->peak = 0;
    t->first = 0;
    t->dense = false;
    for (uint32_t i = 0; i < used; i++) {
        if (!e[i].type)
            continue;
        if (e[i].type == AWK_KEY_STR)
            awk_str_unref(a, e[i].key.s);
        awk_drop(a, &e[i].v);
    }
    if (keep && cap && cap <= AWK_ARRAY_KEPT && !t->e) {
        t->e = e;
        t->cap = cap;
    } else {
        heap_free(a->heap, e, cap * sizeof *e);
    }
}

void awk_array_clear(struct awk *a, struct awk_array *t) { awk_array_empty(a, t, true); }

size_t awk_array_refill(struct awk *a, struct awk_array *t)
{
    if (!t->dense || t->base != 1 || t->cap > AWK_ARRAY_KEPT) {
        awk_array_clear(a, t);
        return 0;
    }
    size_t old = t->used;
    t->live = t->used = t->peak = 0;
    t->first = 1;
    return old;
}

void awk_array_refilled(struct awk *a, struct awk_array *t, size_t old)
{
    for (size_t i = t->used; i < old; i++)
        awk_drop(a, &t->e[i].v);
    if (t->used == 0)
        awk_array_clear(a, t);
}

void awk_array_append(struct awk *a, struct awk_array *t, size_t old, struct str s)
{
    if (t->used >= old) {
        struct awk_val *v = awk_array_at_int(a, t, (int64_t)t->used + 1);
        if (v)
            *v = awk_input_val(a, s);
        return;
    }
    struct awk_elem *e = &t->e[t->used];
    struct awk_str *had = awk_counted(&e->v) ? e->v.u.s : NULL;
    t->peak = t->live = ++t->used;
    if (had && had->refs == 1 && s.n && s.n <= had->cap) { /* its memory serves again */
        memcpy(had->p, s.p, s.n);
        had->p[s.n] = '\0';
        had->n = s.n;
        e->v.kind = AWK_INPUT;
        return;
    }
    struct awk_val gone = e->v;
    e->v = awk_input_val(a, s);
    awk_drop(a, &gone);
}

/* Arrays within arrays are freed by a list, not by recursion: hostile nesting may be deep. */
void awk_array_unref(struct awk *a, struct awk_array *t)
{
    if (--t->refs)
        return;
    if (a->dying) { /* an outer call works the list off */
        t->next = a->dying_list;
        a->dying_list = t;
        return;
    }
    a->dying = true;
    while (t) {
        awk_array_empty(a, t, false);
        heap_drop(a->heap, t);
        t = a->dying_list;
        if (t)
            a->dying_list = t->next;
    }
    a->dying = false;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static uint32_t awk_hash_int(int64_t i)
{
    uint32_t h = (uint32_t)i * UINT32_C(0x9E3779B1);
    return h ^ (h >> 15);
}

static uint64_t awk_load(const char *p, size_t n)
{
    uint64_t v = 0;
    if (n >= 8) {
        memcpy(&v, p, 8);
        return v;
    }
    if (n >= 4) {
        uint32_t lo, hi;
        memcpy(&lo, p, 4);
        memcpy(&hi, p + n - 4, 4);
        return (uint64_t)hi << 32 | lo;
    }
    for (size_t i = 0; i < n; i++)
        v = v << 8 | (unsigned char)p[i];
    return v;
}

static uint32_t awk_hash_str(struct str s)
{
    uint64_t h = s.n * UINT64_C(0x9E3779B97F4A7C15);
    const char *p = s.p;
    size_t n = s.n;

    for (; n > 8; p += 8, n -= 8) {
        h = (h ^ awk_load(p, 8)) * UINT64_C(0xD6E8FEB86659FD93);
        h ^= h >> 32;
    }
    h = (h ^ awk_load(p, n)) * UINT64_C(0xD6E8FEB86659FD93);
    h ^= h >> 32;
    return (uint32_t)(h * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

static struct awk_key awk_key_int(int64_t i)
{
    return (struct awk_key){.i = i, .hash = awk_hash_int(i), .type = AWK_KEY_INT};
}

static struct awk_key awk_key_str(struct str s)
{
    if (s.n && s.n <= 11 && (unsigned char)s.p[0] <= '9') {
        bool minus = s.p[0] == '-';
        size_t i = minus, n = s.n;
        int64_t v = 0;
        if (i < n && (s.p[i] != '0' || n == 1)) {
            while (i < n && ascii_digit(s.p[i]))
                v = v * 10 + (s.p[i++] - '0');
            v = minus ? -v : v;
            if (i == n && n > (size_t)minus && v >= INT32_MIN && v <= INT32_MAX)
                return awk_key_int(v);
        }
    }
    return (struct awk_key){.s = s, .hash = awk_hash_str(s), .type = AWK_KEY_STR};
}

static struct awk_key awk_key_of(struct awk *a, struct awk_val *v, char *tmp)
{
    if (v->kind == AWK_NUM) {
        if (v->num >= INT32_MIN && v->num <= INT32_MAX && v->num == (double)(int32_t)v->num)
            return awk_key_int((int32_t)v->num);
    }
    return awk_key_str(awk_text(a, v, tmp));
}

struct awk_val awk_elem_key(struct awk *a, const struct awk_elem *e)
{
    struct awk_val v = {.kind = AWK_STR};

    if (e->type == AWK_KEY_INT) {
        char tmp[24];
        struct awk_val n = awk_number((double)e->key.i);
        struct str s = str_of(tmp, awk_format_num(a, n.num, NULL, true, tmp));
        v.u.s = awk_str_new(a, s.p, s.n);
    } else {
        v.u.s = awk_str_ref(e->key.s);
    }
    return v;
}

/* ---- looking up ------------------------------------------------------------------------------ */

static struct awk_elem *awk_array_look(struct awk_array *t, const struct awk_key *k)
{
    if (t->dense) {
        uint64_t at = (uint64_t)(k->i - t->base);
        return k->type == AWK_KEY_INT && at < t->used ? &t->e[at] : NULL;
    }
    if (!t->index)
        return NULL;
    for (uint32_t i = k->hash & t->mask; t->index[i]; i = (i + 1) & t->mask) {
        struct awk_elem *e = &t->e[t->index[i] - 1];
        if (e->hash != k->hash || e->type != k->type)
            continue;
        if (e->type == AWK_KEY_INT
                ? e->key.i == k->i
                : e->key.s->n == k->s.n && memcmp(e->key.s->p, k->s.p, k->s.n) == 0)
            return e;
    }
    return NULL;
}

static void awk_array_index(struct awk_array *t, uint32_t n)
{
    uint32_t i = t->e[n].hash & t->mask;
    while (t->index[i])
        i = (i + 1) & t->mask;
    t->index[i] = n + 1;
}

/* An index with room for twice the elements there may be. */
static bool awk_array_reindex(struct awk *a, struct awk_array *t)
{
    uint32_t slots = t->cap * 2;

    if (!t->index || t->mask + 1 != slots) {
        uint32_t *index = heap_alloc(a->heap, slots * sizeof *index);
        if (!index) {
            awk_nomem(a);
            return false;
        }
        if (t->index)
            heap_free(a->heap, t->index, (t->mask + 1) * sizeof *t->index);
        t->index = index;
        t->mask = slots - 1;
    }
    memset(t->index, 0, slots * sizeof *t->index);
    for (uint32_t i = 0; i < t->used; i++)
        awk_array_index(t, i);
    return true;
}

/* Keys are no longer a row of numbers. */
static bool awk_array_scatter(struct awk *a, struct awk_array *t)
{
    if (!t->dense)
        return true;
    for (uint32_t i = 0; i < t->used; i++)
        t->e[i].hash = awk_hash_int(t->e[i].key.i);
    if (!awk_array_reindex(a, t))
        return false;
    t->dense = false;
    return true;
}

/* Room for one more: packs when there are many holes, else grows. */
static bool awk_array_room(struct awk *a, struct awk_array *t)
{
    if (LIKELY(t->used < t->cap))
        return t->dense || t->index || awk_array_reindex(a, t);
    bool pack = t->live < t->used - t->used / 4;
    uint32_t old = t->cap, cap = pack ? old : old ? old * 2 : AWK_ARRAY_FIRST, n = 0;

    if (cap > UINT32_MAX / 4) {
        awk_nomem(a);
        return false;
    }
    if (!pack) {
        struct awk_elem *e = heap_realloc(a->heap, t->e, old * sizeof *e, cap * sizeof *e);
        if (!e) {
            awk_nomem(a);
            return false;
        }
        t->e = e;
        t->cap = cap;
    }
    if (t->dense)
        return true;
    for (uint32_t i = 0; i < t->used; i++) {
        if (t->e[i].type && n++ != i)
            t->e[n - 1] = t->e[i];
    }
    t->used = n;
    return awk_array_reindex(a, t);
}

static struct awk_val *awk_array_make(struct awk *a, struct awk_array *t, const struct awk_key *k,
                                      struct awk_val *from)
{
    struct awk_elem *e = awk_array_look(t, k);
    if (LIKELY(e != NULL))
        return &e->v;
    if (t->used == 0 && k->type == AWK_KEY_INT) {
        t->dense = true;
        t->base = k->i;
    }
    bool next = t->dense && k->type == AWK_KEY_INT && k->i == t->base + t->used;
    if ((!next && !awk_array_scatter(a, t)) || !awk_array_room(a, t))
        return NULL;
    struct awk_elem fresh = {.hash = k->hash, .type = k->type};
    if (k->type == AWK_KEY_INT) {
        fresh.key.i = k->i;
    } else if (from && awk_counted(from) && from->u.s != a->absent) {
        fresh.key.s = awk_str_ref(from->u.s);
    } else {
        fresh.key.s = awk_str_new(a, k->s.p, k->s.n);
        if (a->err) {
            awk_str_unref(a, fresh.key.s);
            return NULL;
        }
    }
    t->e[t->used] = fresh;
    if (!next)
        awk_array_index(t, t->used);
    if (t->live++ == 0)
        t->first = k->type == AWK_KEY_INT ? (k->i >= 0 ? 1 : 2) : 3;
    t->peak = MAX(t->peak, t->live);
    return &t->e[t->used++].v;
}

struct awk_val *awk_array_at(struct awk *a, struct awk_array *t, struct awk_val *key)
{
    char tmp[AWK_TMP];
    struct awk_key k = awk_key_of(a, key, tmp);
    return awk_array_make(a, t, &k, key);
}

struct awk_val *awk_array_find(struct awk *a, struct awk_array *t, struct awk_val *key)
{
    char tmp[AWK_TMP];
    struct awk_key k = awk_key_of(a, key, tmp);
    struct awk_elem *e = awk_array_look(t, &k);
    return e ? &e->v : NULL;
}

struct awk_val *awk_array_at_str(struct awk *a, struct awk_array *t, struct str key)
{
    struct awk_key k = awk_key_str(key);
    return awk_array_make(a, t, &k, NULL);
}

struct awk_val *awk_array_find_str(struct awk *a, struct awk_array *t, struct str key)
{
    struct awk_key k = awk_key_str(key);
    struct awk_elem *e = awk_array_look(t, &k);
    (void)a;
    return e ? &e->v : NULL;
}

struct awk_val *awk_array_at_int(struct awk *a, struct awk_array *t, int64_t key)
{
    char tmp[24];
    if (key >= INT32_MIN && key <= INT32_MAX) {
        struct awk_key k = awk_key_int(key);
        return awk_array_make(a, t, &k, NULL);
    }
    return awk_array_at_str(a, t, str_of(tmp, awk_format_num(a, (double)key, NULL, true, tmp)));
}

void awk_array_put(struct awk *a, struct awk_array *t, struct str key, struct awk_val v)
{
    struct awk_val *e = awk_array_at_str(a, t, key);
    if (!e) {
        awk_drop(a, &v);
        return;
    }
    awk_drop(a, e);
    *e = v;
}

void awk_array_del(struct awk *a, struct awk_array *t, struct awk_val *key)
{
    char tmp[AWK_TMP];
    struct awk_key k = awk_key_of(a, key, tmp);
    struct awk_elem *e = awk_array_look(t, &k);

    if (!e)
        return;
    if (t->live == 1) {
        awk_array_clear(a, t);
        return;
    }
    if (t->dense) {
        size_t at = (size_t)(e - t->e);
        if (at + 1 == t->used) {
            t->used--;
        } else {
            if (!awk_array_scatter(a, t))
                return;
            e = &t->e[at];
        }
    }
    struct awk_val old = e->v;
    if (e->type == AWK_KEY_STR)
        awk_str_unref(a, e->key.s);
    e->type = 0;
    e->v = (struct awk_val){0};
    t->live--;
    awk_drop(a, &old);
}

/* jq_value.c -- the values of jq: counted references, changed in place while there is only one
 *
 * Keys of objects are interned: two equal keys are the same pointer, so that looking up a member
 * of a small object is a walk along pointers, and records of the same shape share their keys.
 */
#include "base/utf8.h"
#include "commands/jq/jq.h"

enum {
    JQ_SMALL_OBJECT = 12, /* members that are searched without an index */
    JQ_MAX_TEXT = 0x7ffffff0
};

uint32_t jq_hash(struct str s)
{
    uint64_t h = 0x9E3779B97F4A7C15u ^ s.n;
    while (s.n >= 8) {
        uint64_t w;
        memcpy(&w, s.p, 8);
        h = (h ^ w) * 0xFF51AFD7ED558CCDu;
        h ^= h >> 32;
        s = str_from(s, 8);
    }
    uint64_t w = 0;
    if (s.n)
        memcpy(&w, s.p, s.n);
    h = (h ^ w) * 0xC4CEB9FE1A85EC53u;
    h ^= h >> 32;
    return (uint32_t)h ? (uint32_t)h : 1;
}

/* ---- strings --------------------------------------------------------------------------------- */

static struct jq_string *jq_string_alloc(struct jq *j, size_t cap)
{
    if (cap > JQ_MAX_TEXT) {
        j->heap->oom = true;
        return NULL;
    }
    struct jq_string *s = heap_alloc(j->heap, sizeof *s + cap + 1);
    if (s)
        *s = (struct jq_string){.refs = 1, .cap = (uint32_t)cap};
    return s;
}

struct jq_val jq_of_string(struct jq_string *s)
{
    return s ? (struct jq_val){.kind = JQ_STRING, .counted = 1, .str = s} : jq_none();
}

struct jq_val jq_string_room(struct jq *j, size_t cap)
{
    struct jq_string *s = jq_string_alloc(j, cap);
    if (s)
        s->data[0] = '\0';
    return jq_of_string(s);
}

struct jq_val jq_string(struct jq *j, struct str s)
{
    struct jq_string *x = jq_string_alloc(j, s.n);
    if (x) {
        if (s.n)
            memcpy(x->data, s.p, s.n);
        x->n = (uint32_t)s.n;
        x->data[s.n] = '\0';
    }
    return jq_of_string(x);
}

struct jq_val jq_string_buf(struct jq *j, struct buf *b)
{
    struct jq_val v = jq_string(j, buf_get(b));
    buf_fini(b);
    return v;
}

/* Appends s with each maximal piece of what could have become a character replaced. */
void jq_repair(struct buf *b, struct str s)
{
    for (size_t i = 0; i < s.n;) {
        int len;
        if (utf8_decode(s.p + i, s.n - i, &len) != UTF8_BAD) {
            buf_add(b, s.p + i, (size_t)len);
            i += (size_t)len;
            continue;
        }
        unsigned char c = (unsigned char)s.p[i++];
        int more = c >= 0xF0 && c < 0xF5 ? 3 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xC2 && c < 0xE0;
        while (more-- > 0 && i < s.n && ((unsigned char)s.p[i] & 0xC0) == 0x80)
            i++;
        buf_addz(b, "\xEF\xBF\xBD");
    }
}

struct jq_val jq_string_checked(struct jq *j, struct str s)
{
    size_t i = 0;
    while (i < s.n && !((unsigned char)s.p[i] & 0x80))
        i++;
    if (i == s.n || utf8_valid(s))
        return jq_string(j, s);
    struct buf b;
    buf_init(&b, j->heap);
    jq_repair(&b, s);
    return jq_string_buf(j, &b);
}

bool jq_string_add(struct jq *j, struct jq_val *s, struct str more)
{
    if (s->kind != JQ_STRING)
        return false;
    size_t need = s->str->n + more.n;
    if (s->str->refs > 1 || s->str->interned || need > s->str->cap) {
        struct jq_string *x = jq_string_alloc(j, need < 64 ? need : need + need / 2);
        if (!x) {
            jq_drop(j, *s);
            *s = jq_none();
            return false;
        }
        memcpy(x->data, s->str->data, s->str->n);
        x->n = s->str->n;
        jq_drop(j, *s);
        *s = jq_of_string(x);
    }
    if (more.n)
        memcpy(s->str->data + s->str->n, more.p, more.n);
    s->str->n = (uint32_t)need;
    s->str->data[need] = '\0';
    s->str->hash = 0;
    return true;
}

/* ---- interned strings ------------------------------------------------------------------------ */

static bool jq_intern_grow(struct jq *j)
{
    uint32_t n = j->interned ? (j->interned_mask + 1) * 2 : 64;
    struct jq_string **t = heap_zalloc(j->heap, n * sizeof *t);

    if (!t)
        return false;
    for (uint32_t i = 0; j->interned && i <= j->interned_mask; i++) {
        struct jq_string *s = j->interned[i];
        if (!s)
            continue;
        uint32_t at = s->hash & (n - 1);
        while (t[at])
            at = (at + 1) & (n - 1);
        t[at] = s;
    }
    if (j->interned)
        heap_free(j->heap, j->interned, (j->interned_mask + 1) * sizeof *t);
    j->interned = t;
    j->interned_mask = n - 1;
    return true;
}

/* The place of the string with these bytes, or where it would go. */
static struct jq_string **jq_intern_place(struct jq *j, struct str s, uint32_t hash)
{
    uint32_t at = hash & j->interned_mask;
    for (;; at = (at + 1) & j->interned_mask) {
        struct jq_string *x = j->interned[at];
        if (!x || (x->hash == hash && x->n == s.n && memcmp(x->data, s.p ? s.p : "", s.n) == 0))
            return &j->interned[at];
    }
}

struct jq_string *jq_intern(struct jq *j, struct str s)
{
    if ((!j->interned || j->ninterned * 2 > j->interned_mask) && !jq_intern_grow(j))
        return NULL;
    uint32_t hash = jq_hash(s);
    struct jq_string **at = jq_intern_place(j, s, hash);
    if (*at) {
        (*at)->refs++;
        return *at;
    }
    struct jq_val v = jq_string(j, s);
    if (v.kind == JQ_NONE)
        return NULL;
    v.str->hash = hash;
    v.str->interned = true;
    *at = v.str;
    j->ninterned++;
    return v.str;
}

struct jq_string *jq_intern_string(struct jq *j, struct jq_val v)
{
    if (v.kind != JQ_STRING)
        return NULL;
    if (v.str->interned)
        return v.str;
    if ((!j->interned || j->ninterned * 2 > j->interned_mask) && !jq_intern_grow(j)) {
        jq_drop(j, v);
        return NULL;
    }
    uint32_t hash = v.str->hash ? v.str->hash : jq_hash(jq_text(v));
    struct jq_string **at = jq_intern_place(j, jq_text(v), hash);
    if (*at) {
        (*at)->refs++;
        jq_drop(j, v);
        return *at;
    }
    v.str->hash = hash;
    v.str->interned = true;
    j->ninterned++;
    return *at = v.str;
}

/* Takes a string out of the table; those behind it move up, so that no search breaks off. */
static void jq_intern_remove(struct jq *j, struct jq_string *s)
{
    uint32_t mask = j->interned_mask, at = s->hash & mask;
    while (j->interned[at] != s)
        at = (at + 1) & mask;
    uint32_t hole = at;
    for (;;) {
        at = (at + 1) & mask;
        struct jq_string *x = j->interned[at];
        if (!x)
            break;
        if (((at - x->hash) & mask) >= ((at - hole) & mask)) {
            j->interned[hole] = x;
            hole = at;
        }
    }
    j->interned[hole] = NULL;
    j->ninterned--;
}

/* ---- freeing --------------------------------------------------------------------------------- */

static void jq_free_leaf(struct jq *j, struct jq_val v)
{
    if (v.kind == JQ_STRING) {
        if (v.str->interned)
            jq_intern_remove(j, v.str);
        heap_free(j->heap, v.str, sizeof *v.str + v.str->cap + 1);
    } else {
        heap_free(j->heap, v.lit, sizeof *v.lit + v.lit->n + 1);
    }
}

static size_t jq_object_size(size_t cap)
{
    return sizeof(struct jq_object) + cap * sizeof(struct jq_member);
}

/* What waits to be freed: linked through the containers themselves, so that depth costs nothing. */
struct jq_dead {
    struct jq_array *arrays;
    struct jq_object *objects;
};

static inline void jq_free_one(struct jq *j, struct jq_val v, struct jq_dead *dead)
{
    if (v.kind == JQ_ARRAY) {
        v.arr->dead = dead->arrays;
        dead->arrays = v.arr;
    } else if (v.kind == JQ_OBJECT) {
        v.obj->dead = dead->objects;
        dead->objects = v.obj;
    } else {
        jq_free_leaf(j, v);
    }
}

static void jq_free_array(struct jq *j, struct jq_array *a, struct jq_dead *dead)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (a->v[i].counted && --*a->v[i].refs == 0)
            jq_free_one(j, a->v[i], dead);
    heap_free(j->heap, a, sizeof *a + a->cap * sizeof a->v[0]);
}

static void jq_free_object(struct jq *j, struct jq_object *o, struct jq_dead *dead)
{
    for (uint32_t i = 0; i < o->used; i++) {
        if (!o->m[i].key)
            continue;
        if (--o->m[i].key->refs == 0)
            jq_free_leaf(j, jq_of_string(o->m[i].key));
        if (o->m[i].v.counted && --*o->m[i].v.refs == 0)
            jq_free_one(j, o->m[i].v, dead);
    }
    if (o->index)
        heap_free(j->heap, o->index, (o->mask + 1) * sizeof *o->index);
    heap_free(j->heap, o, jq_object_size(o->cap));
}

void jq_free(struct jq *j, struct jq_val v)
{
    struct jq_dead dead = {NULL, NULL};

    jq_free_one(j, v, &dead);
    while (dead.arrays || dead.objects) {
        if (dead.arrays) {
            struct jq_array *a = dead.arrays;
            dead.arrays = a->dead;
            jq_free_array(j, a, &dead);
        } else {
            struct jq_object *o = dead.objects;
            dead.objects = o->dead;
            jq_free_object(j, o, &dead);
        }
    }
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static struct jq_array *jq_array_alloc(struct jq *j, size_t cap)
{
    if (cap > JQ_MAX_TEXT / 4) {
        j->heap->oom = true;
        return NULL;
    }
    struct jq_array *a = heap_alloc(j->heap, sizeof *a + cap * sizeof a->v[0]);
    if (a) {
        a->refs = 1;
        a->unused = a->n = 0;
        a->cap = (uint32_t)cap;
    }
    return a;
}

struct jq_val jq_array(struct jq *j, size_t cap)
{
    struct jq_array *a = jq_array_alloc(j, cap);
    return a ? (struct jq_val){.kind = JQ_ARRAY, .counted = 1, .arr = a} : jq_none();
}

/* The only reference, with room for cap values. */
static bool jq_array_room(struct jq *j, struct jq_val *a, size_t cap)
{
    if (a->kind != JQ_ARRAY)
        return false;
    struct jq_array *old = a->arr;
    if (old->refs == 1 && cap <= old->cap)
        return true;
    if (old->refs == 1) {
        if (cap > JQ_MAX_TEXT / 4) {
            j->heap->oom = true;
            return false;
        }
        size_t want = MAX(cap, 4 + (size_t)old->cap + old->cap / 2);
        struct jq_array *grown =
            heap_realloc(j->heap, old, sizeof *old + old->cap * sizeof old->v[0],
                         sizeof *old + want * sizeof old->v[0]);
        if (!grown)
            return false;
        grown->cap = (uint32_t)want;
        a->arr = grown;
        return true;
    }
    struct jq_array *x = jq_array_alloc(j, MAX(cap, (size_t)old->n));
    if (!x)
        return false;
    for (uint32_t i = 0; i < old->n; i++)
        x->v[i] = jq_copy(old->v[i]);
    x->n = old->n;
    jq_drop(j, *a);
    a->arr = x;
    return true;
}

bool jq_own_array(struct jq *j, struct jq_val *a)
{
    return jq_array_room(j, a, a->kind == JQ_ARRAY ? a->arr->n : 0);
}

bool jq_push(struct jq *j, struct jq_val *a, struct jq_val v)
{
    if (v.kind == JQ_NONE || a->kind != JQ_ARRAY ||
        ((a->arr->refs > 1 || a->arr->n == a->arr->cap) &&
         !jq_array_room(j, a, (size_t)a->arr->n + 1))) {
        jq_drop(j, v);
        return false;
    }
    a->arr->v[a->arr->n++] = v;
    return true;
}

bool jq_array_put(struct jq *j, struct jq_val *a, size_t i, struct jq_val v)
{
    if (v.kind == JQ_NONE || a->kind != JQ_ARRAY ||
        !jq_array_room(j, a, MAX(i + 1, (size_t)a->arr->n))) {
        jq_drop(j, v);
        return false;
    }
    while (a->arr->n <= i)
        a->arr->v[a->arr->n++] = jq_null();
    jq_drop(j, a->arr->v[i]);
    a->arr->v[i] = v;
    return true;
}

struct jq_val jq_array_slice(struct jq *j, struct jq_val a, size_t from, size_t to)
{
    if (from == 0 && to == a.arr->n)
        return a;
    struct jq_val out = jq_array(j, to - from);
    for (size_t i = from; i < to && out.kind; i++)
        out.arr->v[out.arr->n++] = jq_copy(a.arr->v[i]);
    jq_drop(j, a);
    return out;
}

/* ---- objects --------------------------------------------------------------------------------- */

static struct jq_object *jq_object_alloc(struct jq *j, size_t cap)
{
    if (cap > JQ_MAX_TEXT / 8) {
        j->heap->oom = true;
        return NULL;
    }
    struct jq_object *o = heap_alloc(j->heap, jq_object_size(cap));
    if (o) {
        o->refs = 1;
        o->n = o->used = 0;
        o->cap = (uint32_t)cap;
        o->index = NULL;
        o->mask = 0;
    }
    return o;
}

static void jq_object_enter(struct jq_object *o, uint32_t i)
{
    uint32_t at = o->m[i].key->hash & o->mask;
    while (o->index[at])
        at = (at + 1) & o->mask;
    o->index[at] = i + 1;
}

/* Makes the index of an object that is no longer small. */
static bool jq_object_reindex(struct jq *j, struct jq_object *o)
{
    uint32_t size = 32;
    while (size < o->cap * 2)
        size *= 2;
    uint32_t *index = heap_zalloc(j->heap, size * sizeof *index);
    if (!index)
        return false;
    if (o->index)
        heap_free(j->heap, o->index, (o->mask + 1) * sizeof *index);
    o->index = index;
    o->mask = size - 1;
    for (uint32_t i = 0; i < o->used; i++)
        if (o->m[i].key)
            jq_object_enter(o, i);
    return true;
}

struct jq_val jq_object(struct jq *j, size_t cap)
{
    struct jq_object *o = jq_object_alloc(j, cap);
    struct jq_val v = {.kind = JQ_OBJECT, .counted = 1, .obj = o};
    if (!o)
        return jq_none();
    if (cap > JQ_SMALL_OBJECT && !jq_object_reindex(j, o)) {
        jq_drop(j, v);
        return jq_none();
    }
    return v;
}

void jq_object_append(struct jq_object *o, struct jq_string *key, struct jq_val v)
{
    o->m[o->used] = (struct jq_member){key, v};
    if (o->index)
        jq_object_enter(o, o->used);
    o->used++;
    o->n++;
}

struct jq_val *jq_object_get(const struct jq_object *o, const struct jq_string *key)
{
    if (!o->index) {
        for (uint32_t i = 0; i < o->used; i++)
            if (o->m[i].key == key)
                return key ? (struct jq_val *)&o->m[i].v : NULL;
        return NULL;
    }
    for (uint32_t at = key->hash & o->mask; o->index[at]; at = (at + 1) & o->mask)
        if (o->m[o->index[at] - 1].key == key)
            return (struct jq_val *)&o->m[o->index[at] - 1].v;
    return NULL;
}

struct jq_val *jq_object_getz(struct jq *j, const struct jq_object *o, const char *key)
{
    struct jq_string *s = jq_intern(j, str_z(key));
    struct jq_val *v = s ? jq_object_get(o, s) : NULL;
    jq_drop(j, jq_of_string(s));
    return v;
}

/* The only reference, with room for one more member. */
static bool jq_object_room(struct jq *j, struct jq_val *o, size_t more)
{
    if (o->kind != JQ_OBJECT)
        return false;
    struct jq_object *old = o->obj;
    if (old->refs == 1 && old->used + more <= old->cap)
        return true;
    size_t cap = more == 0 ? old->n : MAX((size_t)4, old->n + more + old->n / 2);
    struct jq_object *x = jq_object_alloc(j, cap);
    if (!x)
        return false;
    bool only = old->refs == 1;
    for (uint32_t i = 0; i < old->used; i++) {
        if (!old->m[i].key)
            continue;
        x->m[x->used++] = old->m[i];
        if (!only) {
            old->m[i].key->refs++;
            jq_copy(old->m[i].v);
        }
    }
    x->n = x->used;
    if (x->cap > JQ_SMALL_OBJECT && !jq_object_reindex(j, x)) {
        x->used = only ? 0 : x->used;
        jq_drop(j, (struct jq_val){.kind = JQ_OBJECT, .counted = 1, .obj = x});
        return false;
    }
    if (only) /* what it held has moved */
        old->used = 0;
    jq_drop(j, *o);
    o->obj = x;
    return true;
}

bool jq_own_object(struct jq *j, struct jq_val *o) { return jq_object_room(j, o, 0); }

bool jq_put(struct jq *j, struct jq_val *o, struct jq_string *key, struct jq_val v)
{
    struct jq_val *at = NULL;
    bool fits = key && v.kind != JQ_NONE && o->kind == JQ_OBJECT;

    if (fits) {
        at = jq_object_get(o->obj, key);
        fits = jq_object_room(j, o, at ? 0 : 1);
        if (at && fits) /* it may have moved */
            at = jq_object_get(o->obj, key);
    }
    if (!fits) {
        jq_drop(j, jq_of_string(key));
        jq_drop(j, v);
        return false;
    }
    if (at) {
        struct jq_val old = *at;
        *at = v;
        jq_drop(j, old);
        jq_drop(j, jq_of_string(key));
        return true;
    }
    uint32_t i = o->obj->used++;
    o->obj->m[i] = (struct jq_member){key, v};
    o->obj->n++;
    if (o->obj->index)
        jq_object_enter(o->obj, i);
    return true;
}

bool jq_putz(struct jq *j, struct jq_val *o, const char *key, struct jq_val v)
{
    return jq_put(j, o, jq_intern(j, str_z(key)), v);
}

void jq_object_remove(struct jq *j, struct jq_val *o, const struct jq_string *key)
{
    if (!jq_object_get(o->obj, key) || !jq_own_object(j, o))
        return;
    struct jq_val *v = jq_object_get(o->obj, key);
    struct jq_member *m = CONTAINER(v, struct jq_member, v), old = *m;
    if (m == &o->obj->m[o->obj->used - 1] && !o->obj->index)
        o->obj->used--;
    m->key = NULL;
    m->v = jq_null();
    o->obj->n--;
    jq_drop(j, jq_of_string(old.key));
    jq_drop(j, old.v);
}

static int jq_member_order(const void *a, const void *b, void *ud)
{
    const struct jq_string *x = (*(const struct jq_member *const *)a)->key;
    const struct jq_string *y = (*(const struct jq_member *const *)b)->key;
    (void)ud;
    return str_cmp(str_of(x->data, x->n), str_of(y->data, y->n));
}

const struct jq_member **jq_sorted(struct jq *j, const struct jq_object *o)
{
    const struct jq_member **list = heap_alloc(j->heap, MAX(o->n, 1) * sizeof *list);
    size_t n = 0;

    if (!list)
        return NULL;
    for (uint32_t i = 0; i < o->used; i++)
        if (o->m[i].key)
            list[n++] = &o->m[i];
    if (sort_stable(j->heap, list, n, sizeof *list, jq_member_order, NULL) < 0) {
        heap_free(j->heap, list, MAX(o->n, 1) * sizeof *list);
        return NULL;
    }
    return list;
}

/* jq_order.c -- the order of values, sorting and grouping by it */
#include <math.h>

#include "commands/jq/jq.h"

bool jq_identical(struct jq_val a, struct jq_val b)
{
    if (a.kind != b.kind || a.counted != b.counted)
        return false;
    if (a.counted)
        return a.refs == b.refs;
    return a.kind != JQ_NUMBER || memcmp(&a.num, &b.num, sizeof a.num) == 0;
}

static int jq_compare_numbers(struct jq_val a, struct jq_val b)
{
    double x = jq_double(a), y = jq_double(b);
    if (x != x || y != y) /* nan is less than every number, itself too */
        return x != x ? -1 : 1;
    if (x != y)
        return x < y ? -1 : 1;
    if (((a.flags | b.flags) & JQ_LITERAL) && a.flags && b.flags)
        return jq_literal_compare(a, b);
    return 0;
}

/* Objects: by their sorted keys first, then by the values in that order. */
static int jq_compare_objects(struct jq *j, const struct jq_object *a, const struct jq_object *b)
{
    const struct jq_member **x = jq_sorted(j, a), **y = jq_sorted(j, b);
    uint32_t n = MIN(a->n, b->n);
    int c = 0;

    for (uint32_t i = 0; x && y && i < n && c == 0; i++)
        if (x[i]->key != y[i]->key)
            c = str_cmp(str_of(x[i]->key->data, x[i]->key->n),
                        str_of(y[i]->key->data, y[i]->key->n));
    if (c == 0 && a->n != b->n)
        c = a->n < b->n ? -1 : 1;
    for (uint32_t i = 0; x && y && i < n && c == 0; i++)
        c = jq_compare(j, x[i]->v, y[i]->v);
    if (x)
        heap_free(j->heap, x, MAX(a->n, 1) * sizeof *x);
    if (y)
        heap_free(j->heap, y, MAX(b->n, 1) * sizeof *y);
    return c;
}

int jq_compare(struct jq *j, struct jq_val a, struct jq_val b)
{
    if (a.kind != b.kind)
        return a.kind < b.kind ? -1 : 1;
    if (a.kind == JQ_NUMBER)
        return jq_compare_numbers(a, b);
    if (a.kind < JQ_NUMBER)
        return 0;
    if (a.kind == JQ_STRING)
        return a.str == b.str ? 0 : str_cmp(jq_text(a), jq_text(b));
    if (a.refs == b.refs && a.kind == JQ_ARRAY && a.arr->n == 0)
        return 0;
    if (task_stack_low(j->p->task)) {
        jq_fail(j, "Values are nested too deeply to be compared");
        return 0;
    }
    if (a.kind == JQ_OBJECT)
        return jq_compare_objects(j, a.obj, b.obj);
    for (uint32_t i = 0; i < a.arr->n && i < b.arr->n; i++) {
        int c = jq_compare(j, a.arr->v[i], b.arr->v[i]);
        if (c)
            return c;
    }
    return a.arr->n == b.arr->n ? 0 : a.arr->n < b.arr->n ? -1 : 1;
}

/* ---- sorting --------------------------------------------------------------------------------- */

struct jq_sortable {
    struct jq_val v, key;
};

static int jq_sortable_order(const void *a, const void *b, void *ud)
{
    return jq_compare(ud, ((const struct jq_sortable *)a)->key,
                      ((const struct jq_sortable *)b)->key);
}

/* Borrowed values of a with their keys, sorted; n of them. NULL with an error or for none. */
static struct jq_sortable *jq_sort_pairs(struct jq *j, struct jq_val a, struct jq_val keys)
{
    uint32_t n = a.arr->n;
    struct jq_sortable *list = heap_alloc(j->heap, n * sizeof *list);

    if (!list)
        return NULL;
    for (uint32_t i = 0; i < n; i++) {
        list[i].v = a.arr->v[i];
        list[i].key = keys.kind ? keys.arr->v[i] : list[i].v;
    }
    if (sort_stable(j->heap, list, n, sizeof *list, jq_sortable_order, j) < 0 || j->raised) {
        heap_free(j->heap, list, n * sizeof *list);
        return NULL;
    }
    return list;
}

/* False after an error: a is no array, or the keys do not fit it. Drops both then. */
static bool jq_sort_check(struct jq *j, struct jq_val a, struct jq_val keys, const char *what)
{
    if (a.kind != JQ_ARRAY) {
        jq_drop(j, keys);
        jq_fail1(j, a, what);
        return false;
    }
    if (keys.kind && (keys.kind != JQ_ARRAY || keys.arr->n != a.arr->n)) {
        jq_drop(j, keys);
        jq_fail1(j, a, "cannot be sorted, as its keys are another number");
        return false;
    }
    return true;
}

struct jq_val jq_sort(struct jq *j, struct jq_val a, struct jq_val keys)
{
    if (!jq_sort_check(j, a, keys, "cannot be sorted, as it is not an array"))
        return jq_none();
    struct jq_sortable *list = jq_sort_pairs(j, a, keys);
    uint32_t n = a.arr->n;
    struct jq_val out = list || n == 0 ? jq_array(j, n) : jq_none();
    for (uint32_t i = 0; list && out.kind && i < n; i++)
        out.arr->v[out.arr->n++] = jq_copy(list[i].v);
    heap_free(j->heap, list, list ? n * sizeof *list : 0);
    jq_drop(j, a);
    jq_drop(j, keys);
    return out;
}

struct jq_val jq_group(struct jq *j, struct jq_val a, struct jq_val keys, bool unique)
{
    if (!jq_sort_check(j, a, keys, "cannot be grouped, as it is not an array"))
        return jq_none();
    struct jq_sortable *list = jq_sort_pairs(j, a, keys);
    uint32_t n = a.arr->n;
    struct jq_val out = list || n == 0 ? jq_array(j, 0) : jq_none(), group = jq_none();
    for (uint32_t i = 0; list && out.kind && i < n; i++) {
        bool same = i > 0 && jq_equal(j, list[i - 1].key, list[i].key);
        if (unique) {
            if (!same && !jq_push(j, &out, jq_copy(list[i].v)))
                break;
            continue;
        }
        if (!same) {
            if (group.kind)
                jq_push(j, &out, group);
            group = jq_array(j, 4);
        }
        if (!jq_push(j, &group, jq_copy(list[i].v)))
            break;
    }
    if (group.kind)
        jq_push(j, &out, group);
    heap_free(j->heap, list, list ? n * sizeof *list : 0);
    jq_drop(j, a);
    jq_drop(j, keys);
    return out;
}

struct jq_val jq_extreme(struct jq *j, struct jq_val a, struct jq_val keys, bool max)
{
    if (a.kind != JQ_ARRAY || (keys.kind && keys.kind != JQ_ARRAY))
        return jq_fail2(j, a, keys.kind ? keys : jq_null(), "cannot be iterated over");
    if (keys.kind && keys.arr->n != a.arr->n)
        return jq_fail2(j, a, keys, "have wrong length");
    struct jq_val best = jq_null(), key = jq_none();
    for (uint32_t i = 0; i < a.arr->n; i++) {
        struct jq_val k = keys.kind ? keys.arr->v[i] : a.arr->v[i];
        int c = i == 0 ? 0 : jq_compare(j, k, key);
        if (i == 0 || (max ? c >= 0 : c < 0)) {
            best = a.arr->v[i];
            key = k;
        }
    }
    best = jq_copy(best);
    jq_drop(j, a);
    jq_drop(j, keys);
    return best;
}

bool jq_contains(struct jq *j, struct jq_val a, struct jq_val b)
{
    if (task_stack_low(j->p->task)) {
        jq_fail(j, "Values are nested too deeply to be compared");
        return false;
    }
    if (a.kind == JQ_OBJECT && b.kind == JQ_OBJECT) {
        for (uint32_t i = 0; i < b.obj->used; i++) {
            const struct jq_member *m = &b.obj->m[i];
            struct jq_val *v = m->key ? jq_object_get(a.obj, m->key) : NULL;
            if (m->key && (!v || !jq_contains(j, *v, m->v)))
                return false;
        }
        return true;
    }
    if (a.kind == JQ_ARRAY && b.kind == JQ_ARRAY) {
        for (uint32_t i = 0; i < b.arr->n; i++) {
            bool found = false;
            for (uint32_t k = 0; k < a.arr->n && !found; k++)
                found = jq_contains(j, a.arr->v[k], b.arr->v[i]);
            if (!found)
                return false;
        }
        return true;
    }
    if (a.kind == JQ_STRING && b.kind == JQ_STRING)
        return str_find(jq_text(a), jq_text(b)) >= 0;
    return jq_equal(j, a, b);
}

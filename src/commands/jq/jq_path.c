/* jq_path.c -- elements of values: get, set, delete, by key or by path */
#include <math.h>

#include "base/utf8.h"
#include "commands/jq/jq.h"

enum {
    JQ_MAX_INDEX = 0x1fffffff /* of an array, as jq has it */
};

/* ---- slices ---------------------------------------------------------------------------------- */

struct jq_val jq_slice_key(struct jq *j, struct jq_val from, struct jq_val to)
{
    struct jq_val o = jq_object(j, 2);
    jq_putz(j, &o, "start", from);
    jq_putz(j, &o, "end", to);
    return o;
}

/* The bounds that {"start": ..., "end": ...} means for n elements. False: they are no numbers. */
static bool jq_slice_bounds(struct jq *j, struct jq_val k, size_t n, size_t *from, size_t *to)
{
    struct jq_val *a = jq_object_getz(j, k.obj, "start"), *b = jq_object_getz(j, k.obj, "end");
    if (!a || !b || (a->kind != JQ_NULL && a->kind != JQ_NUMBER) ||
        (b->kind != JQ_NULL && b->kind != JQ_NUMBER))
        return false;
    double start = a->kind == JQ_NULL ? 0 : jq_double(*a), len = (double)n;
    double end = b->kind == JQ_NULL ? len : jq_double(*b);
    start = isnan(start) ? 0 : start;
    end = isnan(end) ? len : end;
    start = start < 0 ? start + len : start;
    end = end < 0 ? end + len : end;
    start = start < 0 ? 0 : start > len ? len : start;
    end = end > len ? len : end < start ? start : end;
    *from = (size_t)start;
    *to = (size_t)end;
    if ((double)*to < end && *to < n)
        ++*to;
    return true;
}

static struct jq_val jq_slice_get(struct jq *j, struct jq_val t, struct jq_val k)
{
    size_t from, to;
    size_t n = t.kind == JQ_ARRAY ? t.arr->n : t.kind == JQ_STRING ? utf8_count(jq_text(t)) : 0;
    bool ok = jq_slice_bounds(j, k, n, &from, &to);

    jq_drop(j, k);
    if (!ok) {
        jq_drop(j, t);
        return jq_fail(j, "Array/string slice indices must be integers");
    }
    if (t.kind == JQ_NULL)
        return t;
    if (t.kind == JQ_ARRAY)
        return jq_array_slice(j, t, from, to);
    struct str s = jq_text(t);
    size_t a = utf8_offset(s, from);
    struct jq_val out = jq_string(j, str_sub(s, a, utf8_offset(str_from(s, a), to - from)));
    jq_drop(j, t);
    return out;
}

static struct jq_val jq_slice_set(struct jq *j, struct jq_val t, struct jq_val k, struct jq_val v)
{
    size_t from, to;

    if (t.kind == JQ_NULL)
        t = jq_array(j, 0);
    if (t.kind != JQ_ARRAY || v.kind != JQ_ARRAY) {
        bool bad = t.kind == JQ_ARRAY;
        jq_drop(j, t);
        jq_drop(j, k);
        jq_drop(j, v);
        return bad ? jq_fail(j, "A slice of an array can only be assigned another array")
                   : jq_fail(j, "Cannot update string slices");
    }
    bool ok = jq_slice_bounds(j, k, t.arr->n, &from, &to);
    jq_drop(j, k);
    struct jq_val out = ok ? jq_array(j, t.arr->n - (to - from) + v.arr->n) : jq_none();
    for (size_t i = 0; out.kind && i < from; i++)
        jq_push(j, &out, jq_copy(t.arr->v[i]));
    for (size_t i = 0; out.kind && i < v.arr->n; i++)
        jq_push(j, &out, jq_copy(v.arr->v[i]));
    for (size_t i = to; out.kind && i < t.arr->n; i++)
        jq_push(j, &out, jq_copy(t.arr->v[i]));
    jq_drop(j, t);
    jq_drop(j, v);
    return ok ? out : jq_fail(j, "Array/string slice indices must be integers");
}

/* ---- one step -------------------------------------------------------------------------------- */

static struct jq_val jq_cannot_index(struct jq *j, struct jq_val t, struct jq_val k)
{
    if (k.kind == JQ_STRING && k.str->n < 30)
        jq_fail(j, "Cannot index %s with string \"%s\"", jq_kind_name(t), k.str->data);
    else
        jq_fail(j, "Cannot index %s with %s", jq_kind_name(t), jq_kind_name(k));
    jq_drop(j, t);
    jq_drop(j, k);
    return jq_none();
}

/* Where sub-arrays equal to k begin. */
static struct jq_val jq_array_indices(struct jq *j, struct jq_val t, struct jq_val k)
{
    struct jq_val out = jq_array(j, 0);
    for (uint32_t i = 0; k.arr->n && i + k.arr->n <= t.arr->n; i++) {
        uint32_t n = 0;
        while (n < k.arr->n && jq_equal(j, t.arr->v[i + n], k.arr->v[n]))
            n++;
        if (n == k.arr->n)
            jq_push(j, &out, jq_number(i));
    }
    jq_drop(j, t);
    jq_drop(j, k);
    return out;
}

struct jq_val jq_index(struct jq *j, struct jq_val t, struct jq_val k)
{
    struct jq_val v = jq_null();

    if (t.kind == JQ_OBJECT && k.kind == JQ_STRING) {
        struct jq_string *key = jq_intern_string(j, k);
        struct jq_val *at = key ? jq_object_get(t.obj, key) : NULL;
        if (at)
            v = jq_copy(*at);
        jq_drop(j, jq_of_string(key));
        jq_drop(j, t);
        return key ? v : jq_none();
    }
    if (t.kind == JQ_ARRAY && k.kind == JQ_NUMBER) {
        double d = jq_double(k);
        if (!isnan(d)) {
            d = floor(d);
            d = d < 0 ? d + t.arr->n : d;
            if (d >= 0 && d < t.arr->n)
                v = jq_copy(t.arr->v[(uint32_t)d]);
        }
        jq_drop(j, k);
        jq_drop(j, t);
        return v;
    }
    if (k.kind == JQ_OBJECT && (t.kind == JQ_ARRAY || t.kind == JQ_STRING || t.kind == JQ_NULL))
        return jq_slice_get(j, t, k);
    if (t.kind == JQ_ARRAY && k.kind == JQ_ARRAY)
        return jq_array_indices(j, t, k);
    if (t.kind == JQ_NULL && (k.kind == JQ_STRING || k.kind == JQ_NUMBER || k.kind == JQ_NULL)) {
        jq_drop(j, k);
        return t;
    }
    return jq_cannot_index(j, t, k);
}

struct jq_val jq_index_set(struct jq *j, struct jq_val t, struct jq_val k, struct jq_val v)
{
    bool null = t.kind == JQ_NULL;

    if (v.kind == JQ_NONE || k.kind == JQ_NONE) {
        jq_drop(j, t);
        jq_drop(j, k);
        jq_drop(j, v);
        return jq_none();
    }
    if (k.kind == JQ_STRING && (t.kind == JQ_OBJECT || null)) {
        if (null)
            t = jq_object(j, 1);
        jq_put(j, &t, jq_intern_string(j, k), v);
        return t;
    }
    if (k.kind == JQ_NUMBER && (t.kind == JQ_ARRAY || null)) {
        double d = floor(jq_double(k));
        const char *bad = isnan(d) ? "Cannot set array element at NaN index" : NULL;
        if (null)
            t = jq_array(j, 0);
        jq_drop(j, k);
        if (t.kind && d < 0)
            d += t.arr->n;
        if (d < 0)
            bad = "Out of bounds negative array index";
        else if (d > JQ_MAX_INDEX)
            bad = "Array index too large";
        if (bad || !t.kind) {
            jq_drop(j, t);
            jq_drop(j, v);
            return bad ? jq_fail(j, "%s", bad) : jq_none();
        }
        jq_array_put(j, &t, (size_t)d, v);
        return t;
    }
    if (k.kind == JQ_OBJECT && (t.kind == JQ_ARRAY || null || t.kind == JQ_STRING))
        return jq_slice_set(j, t, k, v);
    jq_drop(j, v);
    if (k.kind == JQ_ARRAY && t.kind == JQ_ARRAY) {
        jq_drop(j, t);
        jq_drop(j, k);
        return jq_fail(j, "Cannot update field at array index of array");
    }
    return jq_cannot_index(j, t, k);
}

/* Takes the element out of *t where that is possible, so that it can be changed in place: what is
 * left behind is null. k is borrowed. False after an error. */
bool jq_take_child(struct jq *j, struct jq_val *t, struct jq_val k, struct jq_val *child)
{
    if (t->kind == JQ_OBJECT && k.kind == JQ_STRING && t->obj->refs == 1) {
        struct jq_string *key = jq_intern_string(j, jq_copy(k));
        struct jq_val *at = key ? jq_object_get(t->obj, key) : NULL;
        *child = at ? *at : jq_null();
        if (at)
            *at = jq_null();
        jq_drop(j, jq_of_string(key));
        return key != NULL;
    }
    if (t->kind == JQ_ARRAY && k.kind == JQ_NUMBER && t->arr->refs == 1) {
        double d = floor(jq_double(k));
        d = d < 0 ? d + t->arr->n : d;
        *child = jq_null();
        if (d >= 0 && d < t->arr->n) {
            *child = t->arr->v[(uint32_t)d];
            t->arr->v[(uint32_t)d] = jq_null();
        }
        return true;
    }
    *child = jq_index(j, jq_copy(*t), jq_copy(k));
    return child->kind != JQ_NONE;
}

/* ---- paths ----------------------------------------------------------------------------------- */

struct jq_val jq_getpath(struct jq *j, struct jq_val t, struct jq_val path)
{
    if (path.kind != JQ_ARRAY) {
        jq_drop(j, t);
        jq_drop(j, path);
        return jq_fail(j, "Path must be specified as an array");
    }
    for (uint32_t i = 0; i < path.arr->n && t.kind > JQ_NULL; i++)
        t = jq_index(j, t, jq_copy(path.arr->v[i]));
    jq_drop(j, path);
    return t;
}

/* Sets what path[i..] leads to; done with a stack of containers, so that depth is no matter. */
struct jq_val jq_setpath(struct jq *j, struct jq_val t, struct jq_val path, struct jq_val v)
{
    if (path.kind != JQ_ARRAY) {
        jq_drop(j, t);
        jq_drop(j, path);
        jq_drop(j, v);
        return jq_fail(j, "Path must be specified as an array");
    }
    uint32_t n = path.arr->n, done = 0;
    struct jq_val few[16], *stack = few;
    if (n > COUNT(few))
        stack = heap_alloc(j->heap, n * sizeof *stack);
    bool ok = stack != NULL;
    for (; ok && done < n; done++) {
        struct jq_val child;
        ok = jq_take_child(j, &t, path.arr->v[done], &child);
        stack[done] = t;
        t = ok ? child : jq_none();
    }
    jq_drop(j, t);
    t = v;
    if (!ok) {
        jq_drop(j, t);
        t = jq_none();
    }
    while (done-- > 0)
        t = jq_index_set(j, stack[done], jq_copy(path.arr->v[done]), t);
    if (stack && stack != few)
        heap_free(j->heap, stack, n * sizeof *stack);
    jq_drop(j, path);
    return t;
}

/* Removes the members or elements keys[from..to) of t; keys are sorted. */
static struct jq_val jq_delete_keys(struct jq *j, struct jq_val t, struct jq_val keys)
{
    if (t.kind == JQ_NULL || keys.arr->n == 0) {
        jq_drop(j, keys);
        return t;
    }
    struct jq_val out = jq_none();
    if (t.kind == JQ_OBJECT) {
        for (uint32_t i = 0; i < keys.arr->n; i++) {
            struct jq_val k = keys.arr->v[i];
            if (k.kind != JQ_STRING) {
                jq_fail(j, "Cannot delete field at object index of %s", jq_kind_name(k));
                jq_drop(j, t);
                jq_drop(j, keys);
                return out;
            }
            struct jq_string *key = jq_intern_string(j, jq_copy(k));
            if (key)
                jq_object_remove(j, &t, key);
            jq_drop(j, jq_of_string(key));
        }
        jq_drop(j, keys);
        return t;
    }
    if (t.kind != JQ_ARRAY) {
        jq_fail(j, "Cannot delete fields from %s", jq_kind_name(t));
        jq_drop(j, t);
        jq_drop(j, keys);
        return out;
    }
    /* Which elements go is marked first: indices, from the end too, and slices. */
    uint32_t n = t.arr->n;
    bool *gone = heap_zalloc(j->heap, MAX(n, 1));
    for (uint32_t i = 0; gone && i < keys.arr->n; i++) {
        struct jq_val k = keys.arr->v[i];
        size_t from = 0, to = 0;
        if (k.kind == JQ_NUMBER) {
            double d = floor(jq_double(k));
            d = d < 0 ? d + n : d;
            if (d >= 0 && d < n)
                gone[(size_t)d] = true;
        } else if (k.kind == JQ_OBJECT) {
            if (!jq_slice_bounds(j, k, n, &from, &to))
                jq_fail(j, "Array/string slice indices must be integers");
            for (; from < to; from++)
                gone[from] = true;
        } else {
            jq_fail(j, k.kind == JQ_STRING ? "Cannot delete field at object index of array"
                                           : "Cannot delete field at array index of array");
        }
    }
    if (gone && !j->raised)
        out = jq_array(j, n);
    for (uint32_t i = 0; gone && out.kind && i < n; i++)
        if (!gone[i])
            jq_push(j, &out, jq_copy(t.arr->v[i]));
    heap_free(j->heap, gone, gone ? MAX(n, 1) : 0);
    jq_drop(j, t);
    jq_drop(j, keys);
    return out;
}

static struct jq_val jq_delete_path(struct jq *j, struct jq_val t, const struct jq_array *path,
                                    uint32_t at)
{
    if (at >= path->n) { /* the whole value */
        jq_drop(j, t);
        return jq_null();
    }
    if (task_stack_low(j->p->task)) {
        jq_drop(j, t);
        return jq_fail(j, "Path too deep");
    }
    if (at + 1 == path->n) {
        struct jq_val keys = jq_array(j, 1);
        jq_push(j, &keys, jq_copy(path->v[at]));
        if (keys.kind == JQ_NONE) {
            jq_drop(j, t);
            return keys;
        }
        return jq_delete_keys(j, t, keys);
    }
    struct jq_val child = jq_index(j, jq_copy(t), jq_copy(path->v[at]));
    if (child.kind <= JQ_NULL) { /* nothing there, or an error */
        if (child.kind == JQ_NONE) {
            jq_drop(j, t);
            return child;
        }
        return t;
    }
    jq_drop(j, child);
    if (!jq_take_child(j, &t, path->v[at], &child)) {
        jq_drop(j, t);
        return jq_none();
    }
    child = jq_delete_path(j, child, path, at + 1);
    return jq_index_set(j, t, jq_copy(path->v[at]), child);
}

/* The last ones go first, so that indices stay right; those of one parent go together. */
struct jq_val jq_delpaths(struct jq *j, struct jq_val t, struct jq_val paths)
{
    if (paths.kind != JQ_ARRAY) {
        jq_drop(j, t);
        jq_drop(j, paths);
        return jq_fail(j, "Paths must be specified as an array");
    }
    for (uint32_t i = 0; i < paths.arr->n; i++)
        if (paths.arr->v[i].kind != JQ_ARRAY) {
            jq_drop(j, t);
            jq_drop(j, paths);
            return jq_fail(j, "Path must be specified as an array");
        }
    paths = jq_sort(j, paths, jq_none());
    /* All of one level: no path is inside another, so they can go together. */
    bool flat = paths.kind && paths.arr->n > 1;
    for (uint32_t i = 0; flat && i < paths.arr->n; i++)
        flat = paths.arr->v[i].arr->n == 1;
    if (flat) {
        struct jq_val keys = jq_array(j, paths.arr->n);
        for (uint32_t i = 0; i < paths.arr->n; i++)
            jq_push(j, &keys, jq_copy(paths.arr->v[i].arr->v[0]));
        jq_drop(j, paths);
        return keys.kind ? jq_delete_keys(j, t, keys) : (jq_drop(j, t), keys);
    }
    for (uint32_t i = paths.kind ? paths.arr->n : 0; i-- > 0 && t.kind;)
        t = jq_delete_path(j, t, paths.arr->v[i].arr, 0);
    if (!paths.kind) {
        jq_drop(j, t);
        t = jq_none();
    }
    jq_drop(j, paths);
    return t;
}

/* ---- keys ------------------------------------------------------------------------------------ */

struct jq_val jq_has(struct jq *j, struct jq_val t, struct jq_val k)
{
    bool has = false;

    if (t.kind == JQ_OBJECT && k.kind == JQ_STRING) {
        struct jq_string *key = jq_intern_string(j, jq_copy(k));
        has = key && jq_object_get(t.obj, key);
        jq_drop(j, jq_of_string(key));
    } else if (t.kind == JQ_ARRAY && k.kind == JQ_NUMBER) {
        double d = jq_double(k);
        has = d >= 0 && d < t.arr->n;
    } else {
        jq_fail(j, "Cannot check whether %s has a %s key", jq_kind_name(t), jq_kind_name(k));
        jq_drop(j, t);
        jq_drop(j, k);
        return jq_none();
    }
    jq_drop(j, t);
    jq_drop(j, k);
    return jq_bool(has);
}

struct jq_val jq_keys(struct jq *j, struct jq_val t, bool sorted)
{
    struct jq_val out;

    if (t.kind == JQ_ARRAY) {
        out = jq_array(j, t.arr->n);
        for (uint32_t i = 0; out.kind && i < t.arr->n; i++)
            jq_push(j, &out, jq_number(i));
    } else if (t.kind == JQ_OBJECT) {
        const struct jq_member **list = sorted ? jq_sorted(j, t.obj) : NULL;
        out = sorted && !list ? jq_none() : jq_array(j, t.obj->n);
        for (uint32_t i = 0; out.kind && i < (list ? t.obj->n : t.obj->used); i++) {
            struct jq_string *key = list ? list[i]->key : t.obj->m[i].key;
            if (key)
                jq_push(j, &out, jq_copy(jq_of_string(key)));
        }
        if (list)
            heap_free(j->heap, list, MAX(t.obj->n, 1) * sizeof *list);
    } else {
        return jq_fail1(j, t, "has no keys");
    }
    jq_drop(j, t);
    return out;
}

/* jq_eval.c -- expressions with at most one output, straight from the tree
 *
 * The input is consumed, so that a value that nobody else refers to is changed in place. Where an
 * operand needs the input only for a moment, jq_peek() lends it.
 */
#include "commands/jq/jq.h"

enum {
    JQ_BRIEF_KEY = 15,
    JQ_BRIEF_VALUE = 30
};

struct jq_val *jq_slot(struct jq *j, int slot, int level)
{
    uint32_t f = j->fp;
    while (level-- > 0)
        f = (uint32_t)j->frames.p[f].bits;
    return &j->frames.p[f + 2 + (uint32_t)slot];
}

/* ---- paths ----------------------------------------------------------------------------------- */

bool jq_intact(struct jq *j, struct jq_val t) { return !jq_tracking(j) || jq_identical(t, j->at); }

/* The path leads on by one key, to the value. */
void jq_path_step(struct jq *j, struct jq_val key, struct jq_val value)
{
    if (!jq_tracking(j)) {
        jq_drop(j, key);
        return;
    }
    jq_push(j, &j->path, key);
    jq_drop(j, j->at);
    j->at = jq_copy(value);
}

struct jq_val jq_step(struct jq *j, struct jq_val t, struct jq_val k, bool opt)
{
    char key[JQ_BRIEF_KEY], value[JQ_BRIEF_VALUE];

    if (!jq_tracking(j)) {
        struct jq_val v = jq_index(j, t, k);
        if (opt && j->raised && v.kind == JQ_NONE)
            jq_forgive(j);
        return v;
    }
    if (!jq_identical(t, j->at)) {
        jq_fail(j, "Invalid path expression near attempt to access element %s of %s",
                jq_brief(j, k, key, sizeof key), jq_brief(j, t, value, sizeof value));
        jq_drop(j, t);
        jq_drop(j, k);
        return jq_none();
    }
    struct jq_val v = jq_index(j, t, jq_copy(k));
    if (v.kind) {
        jq_path_step(j, k, v);
    } else {
        jq_drop(j, k);
        if (opt)
            jq_forgive(j);
    }
    return v;
}

/* Forgets an error that ? stands behind. */
void jq_forgive(struct jq *j)
{
    j->raised = false;
    jq_drop(j, j->error);
    j->error = jq_none();
}

bool jq_each_check(struct jq *j, struct jq_val t, bool opt)
{
    char value[JQ_BRIEF_VALUE];

    if (!jq_intact(j, t)) {
        jq_fail(j, "Invalid path expression near attempt to iterate through %s",
                jq_brief(j, t, value, sizeof value));
        return false;
    }
    if (t.kind == JQ_ARRAY || t.kind == JQ_OBJECT)
        return true;
    if (!opt)
        jq_fail(j, "Cannot iterate over %s%s%s%s", jq_kind_name(t), " (",
                jq_brief(j, t, value, JQ_BRIEF_KEY), ")");
    return false;
}

/* path(a) is at its end with v; what was before comes back. */
struct jq_val jq_path_end(struct jq *j, struct jq_val v, struct jq_val path, struct jq_val at,
                          int nest)
{
    char value[JQ_BRIEF_VALUE];
    struct jq_val out = j->path;

    if (v.kind && !jq_intact(j, v)) {
        jq_fail(j, "Invalid path expression with result %s", jq_brief(j, v, value, sizeof value));
        jq_drop(j, v);
        v = jq_none();
    }
    if (!v.kind) {
        jq_drop(j, out);
        out = jq_none();
    }
    jq_drop(j, v);
    jq_drop(j, j->at);
    j->path = path;
    j->at = at;
    j->nest = nest;
    return out;
}

static struct jq_val jq_eval_path(struct jq *j, const struct jq_expr *e, struct jq_val dot)
{
    struct jq_val path = j->path, at = j->at;
    int nest = j->nest;

    j->path = jq_array(j, 4);
    j->at = jq_copy(dot);
    j->nest = 0;
    return jq_path_end(j, jq_eval(j, e, dot), path, at, nest);
}

static struct jq_val jq_eval_getpath(struct jq *j, const struct jq_expr *e, struct jq_val dot)
{
    struct jq_val path = jq_peek(j, e->a, &dot);
    if (path.kind == JQ_NONE) {
        jq_drop(j, dot);
        return path;
    }
    if (!jq_tracking(j))
        return jq_getpath(j, dot, path);
    struct jq_val from = jq_copy(dot), v = jq_getpath(j, dot, jq_copy(path));
    if (v.kind && !jq_intact(j, from)) {
        char text[JQ_BRIEF_VALUE];
        jq_fail(j, "Invalid path expression with result %s", jq_brief(j, from, text, sizeof text));
        jq_drop(j, v);
        v = jq_none();
    }
    for (uint32_t i = 0; v.kind && i < path.arr->n; i++)
        jq_push(j, &j->path, jq_copy(path.arr->v[i]));
    if (v.kind) {
        jq_drop(j, j->at);
        j->at = jq_copy(v);
    }
    jq_drop(j, from);
    jq_drop(j, path);
    return v;
}

/* ---- changes --------------------------------------------------------------------------------- */

/* Whether the path is a plain chain of keys from the input on; how many. */
static int jq_chain(const struct jq_expr *e)
{
    int n = 0;
    for (; e->op == JQX_FIELD || e->op == JQX_INDEX; e = e->a, n++)
        if (e->opt)
            return -1;
    return e->op == JQX_IDENTITY && n <= 8 ? n : -1;
}

/* The keys of a chain into keys[0..n). False after an error or nothing. */
static bool jq_chain_keys(struct jq *j, const struct jq_expr *e, int n, struct jq_val *keys,
                          const struct jq_val *dot)
{
    for (int i = n - 1; i >= 0; i--, e = e->a) {
        keys[i] = e->op == JQX_FIELD ? jq_copy(e->k) : jq_peek(j, e->b, dot);
        if (keys[i].kind == JQ_NONE || keys[i].kind == JQ_OBJECT || keys[i].kind == JQ_ARRAY) {
            /* Slices and searches go the long way. */
            for (int k = i; k < n; k++)
                jq_drop(j, keys[k]);
            return false;
        }
    }
    return true;
}

/* What the keys lead to becomes value (or what update makes of it). */
static struct jq_val jq_change(struct jq *j, struct jq_val t, const struct jq_val *keys, int n,
                               const struct jq_expr *update, struct jq_val value, bool *empty)
{
    if (n == 0) {
        if (!update) {
            jq_drop(j, t);
            return value;
        }
        struct jq_val v = jq_eval(j, update, t);
        *empty = v.kind == JQ_NONE && !j->raised && !jq_end(j);
        return *empty ? jq_null() : v;
    }
    struct jq_val child;
    if (t.kind == JQ_OBJECT && keys[0].kind == JQ_STRING)
        jq_own_object(j, &t);
    else if (t.kind == JQ_ARRAY && keys[0].kind == JQ_NUMBER)
        jq_own_array(j, &t);
    if (!jq_take_child(j, &t, keys[0], &child)) {
        jq_drop(j, t);
        jq_drop(j, value);
        return jq_none();
    }
    child = jq_change(j, child, keys + 1, n - 1, update, value, empty);
    return jq_index_set(j, t, jq_copy(keys[0]), child);
}

/* The same by a path that was found by following e. */
static struct jq_val jq_change_path(struct jq *j, const struct jq_expr *e, struct jq_val dot,
                                    const struct jq_expr *update, struct jq_val value)
{
    struct jq_val path = jq_eval_path(j, e, jq_copy(dot));
    if (path.kind == JQ_NONE) {
        jq_drop(j, value);
        if (!j->raised && !jq_end(j))
            return dot; /* there is no such path */
        jq_drop(j, dot);
        return path;
    }
    if (update) {
        value = jq_eval(j, update, jq_getpath(j, jq_copy(dot), jq_copy(path)));
        if (value.kind == JQ_NONE && !j->raised) {
            struct jq_val paths = jq_array(j, 1);
            jq_push(j, &paths, path);
            return jq_delpaths(j, dot, paths);
        }
    }
    if (value.kind == JQ_NONE) {
        jq_drop(j, dot);
        jq_drop(j, path);
        return value;
    }
    return jq_setpath(j, dot, path, value);
}

static struct jq_val jq_eval_change(struct jq *j, const struct jq_expr *e, struct jq_val dot)
{
    struct jq_val keys[8], value = jq_none();
    const struct jq_expr *update = e->op == JQX_MODIFY ? e->b : NULL;
    int n = jq_chain(e->a);
    bool empty = false;

    j->nest++;
    if (!update)
        value = jq_peek(j, e->b, &dot);
    if (n < 0 || !jq_chain_keys(j, e->a, n, keys, &dot)) {
        if (!j->raised)
            dot = jq_change_path(j, e->a, dot, update, value);
        else
            jq_drop(j, value);
    } else {
        dot = jq_change(j, dot, keys, n, update, value, &empty);
        if (empty && dot.kind) {
            struct jq_val path = jq_array(j, (size_t)n), paths = jq_array(j, 1);
            for (int i = 0; i < n; i++)
                jq_push(j, &path, jq_copy(keys[i]));
            jq_push(j, &paths, path);
            dot = jq_delpaths(j, dot, paths);
        }
        for (int i = 0; i < n; i++)
            jq_drop(j, keys[i]);
    }
    j->nest--;
    if (j->raised) {
        jq_drop(j, dot);
        return jq_none();
    }
    return dot;
}

/* ---- making values --------------------------------------------------------------------------- */

struct jq_val jq_insert(struct jq *j, struct jq_val o, struct jq_val k, struct jq_val v)
{
    if (k.kind != JQ_STRING) {
        char key[JQ_BRIEF_KEY];
        jq_fail(j, "Cannot use %s (%s) as object key", jq_kind_name(k),
                jq_brief(j, k, key, sizeof key));
        jq_drop(j, o);
        jq_drop(j, k);
        jq_drop(j, v);
        return jq_none();
    }
    jq_put(j, &o, jq_intern_string(j, k), v);
    return o;
}

static struct jq_val jq_eval_object(struct jq *j, const struct jq_expr *e, struct jq_val dot)
{
    struct jq_val o = jq_object(j, e->nargs / 2u);

    for (int i = 0; i < e->nargs && o.kind; i += 2) {
        const struct jq_expr *key = e->args[i];
        if (key->op == JQX_CONST && key->key) {
            struct jq_val v = jq_peek(j, e->args[i + 1], &dot);
            if (v.kind == JQ_NONE) {
                jq_drop(j, o);
                o = v;
                break;
            }
            key->key->refs++;
            jq_put(j, &o, key->key, v);
            continue;
        }
        struct jq_val k = jq_peek(j, key, &dot);
        struct jq_val v = k.kind ? jq_peek(j, e->args[i + 1], &dot) : jq_none();
        if (v.kind == JQ_NONE) {
            jq_drop(j, k);
            jq_drop(j, o);
            o = v;
            break;
        }
        o = jq_insert(j, o, k, v);
    }
    jq_drop(j, dot);
    return o;
}

static struct jq_val jq_eval_string(struct jq *j, const struct jq_expr *e, struct jq_val dot)
{
    struct jq_val out = jq_string_room(j, 32);

    for (int i = 0; i < e->nargs && out.kind; i++) {
        struct jq_val part = jq_peek(j, e->args[i], &dot);
        if (part.kind == JQ_NONE) {
            jq_drop(j, out);
            out = part;
            break;
        }
        jq_string_add(j, &out, jq_text(part));
        jq_drop(j, part);
    }
    jq_drop(j, dot);
    return out;
}

/* [a[] | b] */
static struct jq_val jq_eval_map(struct jq *j, const struct jq_expr *e, struct jq_val dot)
{
    struct jq_val path = jq_copy(j->path), at = jq_copy(j->at);
    struct jq_val t = jq_eval(j, e->a, dot), out = jq_none();
    bool tracking = jq_tracking(j);

    if (t.kind != JQ_NONE && jq_each_check(j, t, e->opt)) {
        bool array = t.kind == JQ_ARRAY;
        uint32_t n = array ? t.arr->n : t.obj->used;
        struct jq_val base = tracking ? jq_copy(j->path) : jq_none();
        out = jq_array(j, array ? n : t.obj->n);
        for (uint32_t i = 0; i < n && out.kind; i++) {
            if (!array && !t.obj->m[i].key)
                continue;
            struct jq_val v = jq_copy(array ? t.arr->v[i] : t.obj->m[i].v);
            if (tracking) {
                jq_drop(j, j->path);
                j->path = jq_copy(base);
                jq_path_step(j, array ? jq_number(i) : jq_copy(jq_of_string(t.obj->m[i].key)), v);
            }
            if (e->b)
                v = jq_eval(j, e->b, v);
            if (v.kind == JQ_NONE && (j->raised || proc_tick(j->p, 0) < 0)) {
                jq_drop(j, out);
                out = v;
                break;
            }
            if (v.kind)
                jq_push(j, &out, v);
            if ((i & 63) == 63 && proc_tick(j->p, 1) < 0) {
                j->fatal = HOB_EKILLED;
                break;
            }
        }
        jq_drop(j, base);
    } else if (t.kind != JQ_NONE && !j->raised) {
        out = jq_array(j, 0);
    } else if (t.kind == JQ_NONE && !j->raised) {
        out = jq_array(j, 0);
    }
    jq_drop(j, t);
    jq_drop(j, j->path);
    jq_drop(j, j->at);
    j->path = path;
    j->at = at;
    return out;
}

static struct jq_val jq_eval_collect(struct jq *j, const struct jq_expr *e, struct jq_val dot)
{
    struct jq_val path = jq_copy(j->path), at = jq_copy(j->at);
    struct jq_val v = jq_eval(j, e->a, dot), out = jq_none();

    jq_drop(j, j->path);
    jq_drop(j, j->at);
    j->path = path;
    j->at = at;
    if (v.kind == JQ_NONE && j->raised)
        return v;
    out = jq_array(j, v.kind != JQ_NONE);
    if (v.kind)
        jq_push(j, &out, v);
    return out;
}

/* ---- variables ------------------------------------------------------------------------------- */

static void jq_set_slot(struct jq *j, int slot, struct jq_val v)
{
    struct jq_val *at = jq_slot(j, slot, 0), old = *at;
    *at = v;
    jq_drop(j, old);
}

/* The members of an object pattern out of v, which is borrowed. */
static bool jq_bind_members(struct jq *j, const struct jq_bindings *b, struct jq_val v)
{
    for (uint32_t i = 0; i < b->n; i++) {
        struct jq_val k =
            b->names[i] ? jq_copy(jq_of_string(b->names[i])) : jq_peek(j, b->keys[i], &v);
        if (k.kind == JQ_NONE)
            return false;
        if (k.kind != JQ_STRING) {
            jq_fail(j, "Cannot index %s with %s", jq_kind_name(v), jq_kind_name(k));
            jq_drop(j, k);
            return false;
        }
        struct jq_val child = jq_index(j, jq_copy(v), k);
        if (child.kind == JQ_NONE)
            return false;
        if (b->slots[i] >= 0)
            jq_set_slot(j, b->slots[i], jq_copy(child));
        if (b->sub[i] && !jq_bind(j, b->sub[i], jq_copy(child))) {
            jq_drop(j, child);
            return false;
        }
        jq_drop(j, child);
    }
    return true;
}

bool jq_bind(struct jq *j, const struct jq_bindings *b, struct jq_val v)
{
    bool ok = v.kind != JQ_NONE;

    if (ok && b->slot >= 0) {
        jq_set_slot(j, b->slot, v);
        return true;
    }
    if (ok && b->object)
        ok = jq_bind_members(j, b, v);
    for (uint32_t i = 0; ok && b->array && i < b->n; i++)
        ok = jq_bind(j, b->sub[i], jq_index(j, jq_copy(v), jq_number(i)));
    jq_drop(j, v);
    return ok;
}

/* ---- the rest -------------------------------------------------------------------------------- */

static struct jq_val jq_eval_native(struct jq *j, const struct jq_expr *e, struct jq_val dot)
{
    struct jq_val in[JQ_NATIVE_ARGS + 1];

    for (int i = e->nargs; i > 0; i--) {
        in[i] = jq_peek(j, e->args[i - 1], &dot);
        if (in[i].kind == JQ_NONE) {
            while (++i <= e->nargs)
                jq_drop(j, in[i]);
            jq_drop(j, dot);
            return jq_none();
        }
    }
    in[0] = dot;
    return e->native->fn(j, in);
}

static struct jq_val jq_eval_binary(struct jq *j, const struct jq_expr *e, struct jq_val dot)
{
    struct jq_val b = jq_peek(j, e->b, &dot), a;

    if (b.kind == JQ_NONE) {
        jq_drop(j, dot);
        return b;
    }
    j->nest++;
    a = jq_eval(j, e->a, dot);
    j->nest--;
    if (a.kind == JQ_NONE) {
        jq_drop(j, b);
        return a;
    }
    return jq_binary(j, e->sub, a, b);
}

/* The truth of a condition: 0, 1, or -1 if it has no output. */
static int jq_eval_condition(struct jq *j, const struct jq_expr *e, const struct jq_val *dot)
{
    struct jq_val v = jq_peek(j, e, dot);
    int truth = v.kind == JQ_NONE ? -1 : jq_truth(v);
    jq_drop(j, v);
    return truth;
}

static struct jq_val jq_eval_logic(struct jq *j, const struct jq_expr *e, struct jq_val dot)
{
    int a = jq_eval_condition(j, e->a, &dot);
    if (a >= 0 && a == (e->op == JQX_AND))
        a = jq_eval_condition(j, e->b, &dot);
    jq_drop(j, dot);
    return a < 0 ? jq_none() : jq_bool(a);
}

static struct jq_val jq_eval_try(struct jq *j, const struct jq_expr *e, struct jq_val dot)
{
    struct jq_val path = jq_copy(j->path), at = jq_copy(j->at);
    int nest = j->nest;
    struct jq_val v = jq_eval(j, e->a, dot);

    if (v.kind != JQ_NONE || !j->raised) {
        jq_drop(j, path);
        jq_drop(j, at);
        return v;
    }
    jq_drop(j, j->path);
    jq_drop(j, j->at);
    j->path = path;
    j->at = at;
    j->nest = nest;
    struct jq_val error = j->error;
    j->error = jq_none();
    j->raised = false;
    if (e->b)
        return jq_eval(j, e->b, error);
    jq_drop(j, error);
    return jq_none();
}

static struct jq_val jq_eval_alt(struct jq *j, const struct jq_expr *e, struct jq_val dot)
{
    struct jq_val path = jq_copy(j->path), at = jq_copy(j->at);
    struct jq_val v = jq_eval(j, e->a, jq_copy(dot));

    if (jq_truth(v) || j->raised) {
        jq_drop(j, dot);
        jq_drop(j, path);
        jq_drop(j, at);
        return v;
    }
    jq_drop(j, v);
    jq_drop(j, j->path);
    jq_drop(j, j->at);
    j->path = path;
    j->at = at;
    return jq_eval(j, e->b, dot);
}

static struct jq_val jq_eval_field(struct jq *j, const struct jq_expr *e, struct jq_val dot)
{
    struct jq_val t = e->a->op == JQX_IDENTITY ? dot : jq_eval(j, e->a, dot);
    if (t.kind == JQ_NONE)
        return t;
    if (t.kind == JQ_OBJECT && !jq_tracking(j)) {
        struct jq_val *at = jq_object_get(t.obj, e->key), v = at ? jq_copy(*at) : jq_null();
        jq_drop(j, t);
        return v;
    }
    return jq_step(j, t, jq_copy(e->k), e->opt);
}

static struct jq_val jq_eval_index(struct jq *j, const struct jq_expr *e, struct jq_val dot)
{
    struct jq_val k = jq_peek(j, e->b, &dot);
    if (e->op == JQX_SLICE && k.kind) {
        struct jq_val to = jq_peek(j, e->c, &dot);
        k = to.kind ? jq_slice_key(j, k, to) : (jq_drop(j, k), to);
    }
    if (k.kind == JQ_NONE) {
        jq_drop(j, dot);
        return k;
    }
    struct jq_val t = jq_eval(j, e->a, dot);
    if (t.kind == JQ_NONE) {
        jq_drop(j, k);
        return t;
    }
    return jq_step(j, t, k, e->opt);
}

static struct jq_val jq_eval_bind(struct jq *j, const struct jq_expr *e, struct jq_val dot)
{
    struct jq_val v = jq_peek(j, e->a, &dot);
    j->nest++;
    bool ok = v.kind != JQ_NONE && jq_bind(j, e->pats[0], v);
    j->nest--;
    if (ok)
        return jq_eval(j, e->b, dot);
    jq_drop(j, dot);
    return jq_none();
}

struct jq_val jq_peek(struct jq *j, const struct jq_expr *e, const struct jq_val *dot)
{
    switch (e->op) {
    case JQX_IDENTITY: return jq_copy(*dot);
    case JQX_CONST: return jq_copy(e->k);
    case JQX_VAR: return jq_copy(*jq_slot(j, e->slot, e->level));
    case JQX_FIELD:
        if (e->a->op == JQX_IDENTITY && dot->kind == JQ_OBJECT) {
            struct jq_val *at = jq_object_get(dot->obj, e->key);
            return at ? jq_copy(*at) : jq_null();
        }
        break;
    default: break;
    }
    j->nest++;
    struct jq_val v = jq_eval(j, e, jq_copy(*dot));
    j->nest--;
    return v;
}

struct jq_val jq_eval(struct jq *j, const struct jq_expr *e, struct jq_val dot)
{
    struct jq_val v;
    int truth;

    for (;;) { /* the last part of an expression needs no call */
        if (dot.kind == JQ_NONE || task_stack_low(j->p->task)) {
            if (dot.kind)
                jq_fail(j, "Expression is nested too deeply");
            jq_drop(j, dot);
            return jq_none();
        }
        switch (e->op) {
        case JQX_IDENTITY: return dot;
        case JQX_CONST: jq_drop(j, dot); return jq_copy(e->k);
        case JQX_VAR:
            v = jq_copy(*jq_slot(j, e->slot, e->level));
            jq_drop(j, dot);
            return v;
        case JQX_FIELD: return jq_eval_field(j, e, dot);
        case JQX_INDEX:
        case JQX_SLICE: return jq_eval_index(j, e, dot);
        case JQX_PIPE:
            dot = jq_eval(j, e->a, dot);
            if (dot.kind == JQ_NONE)
                return dot;
            e = e->b;
            continue;
        case JQX_EMPTY: jq_drop(j, dot); return jq_none();
        case JQX_ERROR:
            v = jq_peek(j, e->a, &dot);
            jq_drop(j, dot);
            return jq_raise(j, v);
        case JQX_COLLECT: return jq_eval_collect(j, e, dot);
        case JQX_MAP: return jq_eval_map(j, e, dot);
        case JQX_OBJECT: return jq_eval_object(j, e, dot);
        case JQX_STRING: return jq_eval_string(j, e, dot);
        case JQX_FORMAT:
            v = jq_peek(j, e->a, &dot);
            jq_drop(j, dot);
            return v.kind ? jq_format(j, v, str_of(e->key->data, e->key->n)) : v;
        case JQX_BINARY: return jq_eval_binary(j, e, dot);
        case JQX_AND:
        case JQX_OR: return jq_eval_logic(j, e, dot);
        case JQX_NOT:
            v = jq_bool(!jq_truth(dot));
            jq_drop(j, dot);
            return v;
        case JQX_ALT: return jq_eval_alt(j, e, dot);
        case JQX_IF:
            truth = jq_eval_condition(j, e->a, &dot);
            if (truth < 0) {
                jq_drop(j, dot);
                return jq_none();
            }
            e = truth ? e->b : e->c;
            continue;
        case JQX_TRY: return jq_eval_try(j, e, dot);
        case JQX_BIND: return jq_eval_bind(j, e, dot);
        case JQX_NATIVE: return jq_eval_native(j, e, dot);
        case JQX_PATH: return jq_eval_path(j, e->a, dot);
        case JQX_GETPATH: return jq_eval_getpath(j, e, dot);
        case JQX_ASSIGN:
        case JQX_MODIFY: return jq_eval_change(j, e, dot);
        default: jq_drop(j, dot); return jq_fail(j, "Unexpected expression");
        }
    }
}

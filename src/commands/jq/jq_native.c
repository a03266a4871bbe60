/* jq_native.c -- functions written in C: operators, containers, conversions, the outside */
#include <math.h>

#include "base/error.h"
#include "base/utf8.h"
#include "commands/jq/jq.h"

/* ---- operators ------------------------------------------------------------------------------- */

static struct jq_val jq_merge(struct jq *j, struct jq_val a, struct jq_val b, bool deep)
{
    if (task_stack_low(j->p->task)) {
        jq_drop(j, a);
        jq_drop(j, b);
        return jq_fail(j, "Objects are nested too deeply to be merged");
    }
    for (uint32_t i = 0; i < b.obj->used && a.kind; i++) {
        struct jq_member *m = &b.obj->m[i];
        if (!m->key)
            continue;
        struct jq_val v = jq_copy(m->v), *at = deep ? jq_object_get(a.obj, m->key) : NULL;
        if (at && at->kind == JQ_OBJECT && v.kind == JQ_OBJECT) {
            struct jq_val old = jq_copy(*at);
            v = jq_merge(j, old, v, true);
        }
        m->key->refs++;
        jq_put(j, &a, m->key, v);
        if (j->raised) {
            jq_drop(j, a);
            a = jq_none();
        }
    }
    jq_drop(j, b);
    return a;
}

static struct jq_val jq_add(struct jq *j, struct jq_val a, struct jq_val b)
{
    if (a.kind == JQ_NULL)
        return b;
    if (b.kind == JQ_NULL)
        return a;
    if (a.kind == JQ_STRING && b.kind == JQ_STRING) {
        jq_string_add(j, &a, jq_text(b));
        jq_drop(j, b);
        return a;
    }
    if (a.kind == JQ_ARRAY && b.kind == JQ_ARRAY) {
        for (uint32_t i = 0; i < b.arr->n; i++)
            if (!jq_push(j, &a, jq_copy(b.arr->v[i])))
                break;
        jq_drop(j, b);
        return a;
    }
    if (a.kind == JQ_OBJECT && b.kind == JQ_OBJECT)
        return jq_merge(j, a, b, false);
    return jq_fail2(j, a, b, "cannot be added");
}

static struct jq_val jq_subtract(struct jq *j, struct jq_val a, struct jq_val b)
{
    if (a.kind != JQ_ARRAY || b.kind != JQ_ARRAY)
        return jq_fail2(j, a, b, "cannot be subtracted");
    struct jq_val out = jq_array(j, a.arr->n);
    for (uint32_t i = 0; i < a.arr->n && out.kind; i++) {
        uint32_t k = 0;
        while (k < b.arr->n && !jq_equal(j, a.arr->v[i], b.arr->v[k]))
            k++;
        if (k == b.arr->n)
            jq_push(j, &out, jq_copy(a.arr->v[i]));
        if ((i & 255) == 255 && proc_tick(j->p, 1 + b.arr->n / 256) < 0) {
            j->fatal = HOB_EKILLED;
            break;
        }
    }
    jq_drop(j, a);
    jq_drop(j, b);
    return out;
}

static struct jq_val jq_repeat(struct jq *j, struct jq_val s, double times)
{
    if (!(times >= 0)) {
        jq_drop(j, s);
        return jq_null();
    }
    size_t n = times > 1e9 ? 1000000000 : (size_t)times, len = s.str->n;
    struct jq_val out = jq_none();
    if (len && n > 0x40000000 / len) {
        jq_drop(j, s);
        return jq_fail(j, "Repeat string result too long");
    }
    out = jq_string_room(j, n * len);
    for (size_t i = 0; out.kind && i < n; i++)
        memcpy(out.str->data + i * len, s.str->data, len);
    if (out.kind) {
        out.str->n = (uint32_t)(n * len);
        out.str->data[n * len] = '\0';
    }
    jq_drop(j, s);
    return out;
}

static struct jq_val jq_multiply(struct jq *j, struct jq_val a, struct jq_val b)
{
    if (a.kind == JQ_OBJECT && b.kind == JQ_OBJECT)
        return jq_merge(j, a, b, true);
    if ((a.kind == JQ_STRING && b.kind == JQ_NUMBER) ||
        (a.kind == JQ_NUMBER && b.kind == JQ_STRING)) {
        struct jq_val s = a.kind == JQ_STRING ? a : b, n = a.kind == JQ_STRING ? b : a;
        double times = jq_double(n);
        jq_drop(j, n);
        return jq_repeat(j, s, times);
    }
    return jq_fail2(j, a, b, "cannot be multiplied");
}

static struct jq_val jq_split_text(struct jq *j, struct jq_val s, struct jq_val by)
{
    struct jq_val out = jq_array(j, 4);
    struct str t = jq_text(s), sep = jq_text(by);

    if (sep.n == 0) {
        for (size_t i = 0; i < t.n;) {
            int len;
            utf8_decode(t.p + i, t.n - i, &len);
            jq_push(j, &out, jq_string(j, str_sub(t, i, (size_t)len)));
            i += (size_t)len;
        }
    } else if (t.n) {
        for (;;) {
            ptrdiff_t at = str_find(t, sep);
            jq_push(j, &out, jq_string(j, str_sub(t, 0, at < 0 ? t.n : (size_t)at)));
            if (at < 0)
                break;
            t = str_from(t, (size_t)at + sep.n);
        }
    }
    jq_drop(j, s);
    jq_drop(j, by);
    return out;
}

static int64_t jq_clamp(double d)
{
    return d >= 9223372036854775808.0   ? INT64_MAX
           : d < -9223372036854775808.0 ? INT64_MIN
                                        : (int64_t)d;
}

static struct jq_val jq_modulo(struct jq *j, struct jq_val a, struct jq_val b)
{
    double x = jq_double(a), y = jq_double(b);
    if (isnan(x) || isnan(y)) {
        jq_drop(j, a);
        jq_drop(j, b);
        return jq_number(NAN);
    }
    int64_t n = jq_clamp(x), by = jq_clamp(y);
    if (by == 0)
        return jq_fail2(j, a, b, "cannot be divided (remainder) because the divisor is zero");
    jq_drop(j, a);
    jq_drop(j, b);
    /* By magnitude, with the sign of the dividend. */
    uint64_t un = n < 0 ? (uint64_t)0 - (uint64_t)n : (uint64_t)n;
    uint64_t ub = by < 0 ? (uint64_t)0 - (uint64_t)by : (uint64_t)by;
    double r = (double)(un % ub);
    return jq_number(n < 0 ? 0 - r : r);
}

struct jq_val jq_binary(struct jq *j, int op, struct jq_val a, struct jq_val b)
{
    struct jq_val v;

    if (op >= JQB_EQ) {
        int c = jq_compare(j, a, b);
        bool r = op == JQB_EQ   ? c == 0
                 : op == JQB_NE ? c != 0
                 : op == JQB_LT ? c < 0
                 : op == JQB_LE ? c <= 0
                 : op == JQB_GT ? c > 0
                                : c >= 0;
        jq_drop(j, a);
        jq_drop(j, b);
        return j->raised ? jq_none() : jq_bool(r);
    }
    if (a.kind == JQ_NUMBER && b.kind == JQ_NUMBER) {
        double x = jq_double(a), y = jq_double(b);
        if (op == JQB_MOD)
            return jq_modulo(j, a, b);
        if (op == JQB_DIV && y == 0)
            return jq_fail2(j, a, b, "cannot be divided because the divisor is zero");
        v = jq_number(op == JQB_ADD   ? x + y
                      : op == JQB_SUB ? x - y
                      : op == JQB_MUL ? x * y
                                      : x / y);
        jq_drop(j, a);
        jq_drop(j, b);
        return v;
    }
    switch (op) {
    case JQB_ADD: return jq_add(j, a, b);
    case JQB_SUB: return jq_subtract(j, a, b);
    case JQB_MUL: return jq_multiply(j, a, b);
    case JQB_DIV:
        if (a.kind == JQ_STRING && b.kind == JQ_STRING)
            return jq_split_text(j, a, b);
        return jq_fail2(j, a, b, "cannot be divided");
    default: return jq_fail2(j, a, b, "cannot be divided (remainder)");
    }
}

static struct jq_val jq_n_negate(struct jq *j, struct jq_val *in)
{
    if (in[0].kind != JQ_NUMBER)
        return jq_fail1(j, in[0], "cannot be negated");
    double d = jq_double(in[0]);
    jq_drop(j, in[0]);
    return jq_number(-d);
}

/* ---- containers ------------------------------------------------------------------------------ */

static struct jq_val jq_n_length(struct jq *j, struct jq_val *in)
{
    struct jq_val v = in[0];
    double n = 0;

    switch (v.kind) {
    case JQ_NULL: break;
    case JQ_NUMBER: n = fabs(jq_double(v)); break;
    case JQ_STRING: n = (double)utf8_count(jq_text(v)); break;
    case JQ_ARRAY: n = v.arr->n; break;
    case JQ_OBJECT: n = v.obj->n; break;
    default: return jq_fail1(j, v, "has no length");
    }
    jq_drop(j, v);
    return jq_number(n);
}

static struct jq_val jq_n_keys(struct jq *j, struct jq_val *in) { return jq_keys(j, in[0], true); }

static struct jq_val jq_n_keys_unsorted(struct jq *j, struct jq_val *in)
{
    return jq_keys(j, in[0], false);
}

static struct jq_val jq_n_has(struct jq *j, struct jq_val *in) { return jq_has(j, in[0], in[1]); }

static struct jq_val jq_n_contains(struct jq *j, struct jq_val *in)
{
    bool same = in[0].kind == in[1].kind || (in[0].kind >= JQ_FALSE && in[0].kind <= JQ_TRUE &&
                                             in[1].kind >= JQ_FALSE && in[1].kind <= JQ_TRUE);
    if (!same)
        return jq_fail2(j, in[0], in[1], "cannot have their containment checked");
    bool r = jq_contains(j, in[0], in[1]);
    jq_drop(j, in[0]);
    jq_drop(j, in[1]);
    return j->raised ? jq_none() : jq_bool(r);
}

static struct jq_val jq_n_add(struct jq *j, struct jq_val *in)
{
    struct jq_val t = in[0], sum = jq_null();

    if (!jq_each_check(j, t, false)) {
        jq_drop(j, t);
        return jq_none();
    }
    bool array = t.kind == JQ_ARRAY;
    for (uint32_t i = 0; i < (array ? t.arr->n : t.obj->used) && sum.kind; i++) {
        if (!array && !t.obj->m[i].key)
            continue;
        sum = jq_binary(j, JQB_ADD, sum, jq_copy(array ? t.arr->v[i] : t.obj->m[i].v));
        if ((i & 1023) == 1023 && proc_tick(j->p, 8) < 0)
            j->fatal = HOB_EKILLED;
    }
    jq_drop(j, t);
    return sum;
}

static struct jq_val jq_n_sort(struct jq *j, struct jq_val *in)
{
    return jq_sort(j, in[0], jq_none());
}
static struct jq_val jq_n_sort_by(struct jq *j, struct jq_val *in)
{
    return jq_sort(j, in[0], in[1]);
}
static struct jq_val jq_n_group_by(struct jq *j, struct jq_val *in)
{
    return jq_group(j, in[0], in[1], false);
}
static struct jq_val jq_n_unique_by(struct jq *j, struct jq_val *in)
{
    return jq_group(j, in[0], in[1], true);
}
static struct jq_val jq_n_unique(struct jq *j, struct jq_val *in)
{
    return jq_group(j, in[0], jq_none(), true);
}
static struct jq_val jq_n_min(struct jq *j, struct jq_val *in)
{
    return jq_extreme(j, in[0], jq_none(), false);
}
static struct jq_val jq_n_max(struct jq *j, struct jq_val *in)
{
    return jq_extreme(j, in[0], jq_none(), true);
}
static struct jq_val jq_n_min_by(struct jq *j, struct jq_val *in)
{
    return jq_extreme(j, in[0], in[1], false);
}
static struct jq_val jq_n_max_by(struct jq *j, struct jq_val *in)
{
    return jq_extreme(j, in[0], in[1], true);
}

static struct jq_val jq_n_reverse(struct jq *j, struct jq_val *in)
{
    struct jq_val t = in[0];
    uint32_t n = t.kind == JQ_ARRAY ? t.arr->n : 0;

    if (t.kind != JQ_ARRAY && t.kind != JQ_NULL && t.kind != JQ_OBJECT) {
        jq_fail(j, "Cannot index %s with number", jq_kind_name(t));
        jq_drop(j, t);
        return jq_none();
    }
    if (t.kind == JQ_OBJECT && t.obj->n) {
        jq_drop(j, t);
        return jq_fail(j, "Cannot index object with number");
    }
    struct jq_val out = jq_array(j, n);
    while (n-- > 0 && out.kind)
        jq_push(j, &out, jq_copy(t.arr->v[n]));
    jq_drop(j, t);
    return out;
}

static bool jq_flatten_into(struct jq *j, struct jq_val *out, struct jq_val t, double depth)
{
    if (task_stack_low(j->p->task)) {
        jq_fail(j, "Arrays are nested too deeply to be flattened");
        return false;
    }
    bool array = t.kind == JQ_ARRAY;
    for (uint32_t i = 0; i < (array ? t.arr->n : t.obj->used); i++) {
        if (!array && !t.obj->m[i].key)
            continue;
        struct jq_val v = array ? t.arr->v[i] : t.obj->m[i].v;
        if (v.kind == JQ_ARRAY && depth > 0) {
            if (!jq_flatten_into(j, out, v, depth - 1))
                return false;
        } else if (!jq_push(j, out, jq_copy(v))) {
            return false;
        }
    }
    return true;
}

static struct jq_val jq_n_flatten(struct jq *j, struct jq_val *in)
{
    double depth = in[1].kind == JQ_NUMBER ? jq_double(in[1]) : 0;
    struct jq_val out = jq_none();

    if (in[1].kind == JQ_NUMBER && depth < 0)
        jq_fail(j, "flatten depth must not be negative");
    else if (jq_each_check(j, in[0], false)) {
        out = jq_array(j, 8);
        if (!jq_flatten_into(j, &out, in[0], depth)) {
            jq_drop(j, out);
            out = jq_none();
        }
    }
    jq_drop(j, in[0]);
    jq_drop(j, in[1]);
    return out;
}

static struct jq_val jq_n_setpath(struct jq *j, struct jq_val *in)
{
    return jq_setpath(j, in[0], in[1], in[2]);
}
static struct jq_val jq_n_delpaths(struct jq *j, struct jq_val *in)
{
    return jq_delpaths(j, in[0], in[1]);
}

static struct jq_val jq_n_to_entries(struct jq *j, struct jq_val *in)
{
    struct jq_val t = in[0], out, e;

    if (t.kind != JQ_OBJECT && t.kind != JQ_ARRAY)
        return jq_fail1(j, t, "has no keys");
    bool array = t.kind == JQ_ARRAY;
    struct jq_string *key = jq_intern(j, STR("key")), *value = jq_intern(j, STR("value"));
    out = jq_array(j, array ? t.arr->n : t.obj->n);
    for (uint32_t i = 0; key && value && out.kind && i < (array ? t.arr->n : t.obj->used); i++) {
        if (!array && !t.obj->m[i].key)
            continue;
        e = jq_object(j, 2);
        if (!e.kind)
            break;
        key->refs++;
        value->refs++;
        jq_object_append(e.obj, key, array ? jq_number(i) : jq_copy(jq_of_string(t.obj->m[i].key)));
        jq_object_append(e.obj, value, jq_copy(array ? t.arr->v[i] : t.obj->m[i].v));
        jq_push(j, &out, e);
    }
    jq_drop(j, jq_of_string(key));
    jq_drop(j, jq_of_string(value));
    jq_drop(j, t);
    return out;
}

static struct jq_val jq_n_bsearch(struct jq *j, struct jq_val *in)
{
    struct jq_val t = in[0];
    double at = 0;

    if (t.kind != JQ_ARRAY && !(t.kind == JQ_OBJECT && t.obj->n == 0) && t.kind != JQ_NULL) {
        jq_drop(j, in[1]);
        return jq_fail1(j, t, "cannot be searched from");
    }
    uint32_t low = 0, high = t.kind == JQ_ARRAY ? t.arr->n : 0;
    bool found = false;
    while (low < high && !found) {
        uint32_t mid = low + (high - low) / 2;
        int c = jq_compare(j, t.arr->v[mid], in[1]);
        found = c == 0;
        if (c < 0)
            low = mid + 1;
        else
            high = mid;
    }
    at = found ? high : -1 - (double)low;
    while (found && at > 0 && jq_equal(j, t.arr->v[(uint32_t)at - 1], in[1]))
        at--;
    jq_drop(j, t);
    jq_drop(j, in[1]);
    return jq_number(at);
}

static struct jq_val jq_n_transpose(struct jq *j, struct jq_val *in)
{
    struct jq_val t = in[0];
    uint32_t rows = t.kind == JQ_ARRAY ? t.arr->n : 0, columns = 0;

    for (uint32_t i = 0; i < rows; i++)
        if (t.arr->v[i].kind == JQ_ARRAY)
            columns = MAX(columns, t.arr->v[i].arr->n);
    if (t.kind != JQ_ARRAY) {
        jq_each_check(j, t, false);
        jq_drop(j, t);
        return j->raised ? jq_none() : jq_array(j, 0);
    }
    struct jq_val out = jq_array(j, columns);
    for (uint32_t c = 0; c < columns && out.kind; c++) {
        struct jq_val row = jq_array(j, rows);
        for (uint32_t r = 0; r < rows && row.kind; r++) {
            struct jq_val v = t.arr->v[r];
            jq_push(j, &row, v.kind == JQ_ARRAY && c < v.arr->n ? jq_copy(v.arr->v[c]) : jq_null());
        }
        jq_push(j, &out, row);
        if (proc_tick(j->p, 1 + rows / 256) < 0) {
            j->fatal = HOB_EKILLED;
            break;
        }
    }
    jq_drop(j, t);
    return out;
}

/* ---- conversions ----------------------------------------------------------------------------- */

static struct jq_val jq_n_type(struct jq *j, struct jq_val *in)
{
    struct jq_val v = jq_string(j, str_z(jq_kind_name(in[0])));
    jq_drop(j, in[0]);
    return v;
}

static struct jq_val jq_n_tostring(struct jq *j, struct jq_val *in)
{
    return jq_to_string(j, in[0]);
}
static struct jq_val jq_n_tojson(struct jq *j, struct jq_val *in) { return jq_to_json(j, in[0]); }

static struct jq_val jq_n_tonumber(struct jq *j, struct jq_val *in)
{
    if (in[0].kind == JQ_NUMBER)
        return in[0];
    if (in[0].kind != JQ_STRING)
        return jq_fail1(j, in[0], "cannot be parsed as a number");
    struct jq_val v = jq_from_json(j, jq_text(in[0]));
    if (v.kind && v.kind != JQ_NUMBER) {
        jq_drop(j, v);
        return jq_fail1(j, in[0], "cannot be parsed as a number");
    }
    jq_drop(j, in[0]);
    return v;
}

static struct jq_val jq_n_fromjson(struct jq *j, struct jq_val *in)
{
    if (in[0].kind != JQ_STRING)
        return jq_fail1(j, in[0], "only strings can be parsed");
    struct jq_val v = jq_from_json(j, jq_text(in[0]));
    jq_drop(j, in[0]);
    return v;
}

static struct jq_val jq_n_toarray(struct jq *j, struct jq_val *in)
{
    if (in[0].kind == JQ_ARRAY)
        return in[0];
    struct jq_val a = jq_array(j, 1);
    jq_push(j, &a, in[0]);
    return a;
}

/* ---- the outside ----------------------------------------------------------------------------- */

static struct jq_val jq_n_input(struct jq *j, struct jq_val *in)
{
    struct jq_val v;
    jq_drop(j, in[0]);
    int n = jq_input_next(j->input, &v);
    if (n == 1)
        return v;
    if (n == -1)
        return jq_raise(j, v);
    if (n < -1) {
        j->fatal = j->heap->oom ? HOB_ENOMEM : HOB_EKILLED;
        return jq_none();
    }
    return jq_fail(j, "break");
}

static struct jq_val jq_n_debug(struct jq *j, struct jq_val *in)
{
    struct buf b;
    buf_init(&b, j->heap);
    buf_addz(&b, "[\"DEBUG:\",");
    jq_dump(j, &b, in[0]);
    buf_addz(&b, "]\n");
    proc_puts(j->p, 2, buf_get(&b));
    buf_fini(&b);
    return in[0];
}

static struct jq_val jq_n_stderr(struct jq *j, struct jq_val *in)
{
    struct buf b;
    buf_init(&b, j->heap);
    if (in[0].kind == JQ_STRING)
        buf_str(&b, jq_text(in[0]));
    else
        jq_dump(j, &b, in[0]);
    proc_puts(j->p, 2, buf_get(&b));
    buf_fini(&b);
    return in[0];
}

static struct jq_val jq_n_input_filename(struct jq *j, struct jq_val *in)
{
    jq_drop(j, in[0]);
    return j->input && j->input->name.p ? jq_string_checked(j, j->input->name) : jq_null();
}

static struct jq_val jq_n_input_line_number(struct jq *j, struct jq_val *in)
{
    jq_drop(j, in[0]);
    if (!j->input)
        return jq_number(0);
    return jq_number((double)jq_input_line(j->input));
}

static struct jq_val jq_n_halt(struct jq *j, struct jq_val *in)
{
    jq_drop(j, in[0]);
    j->halted = true;
    j->status = 0;
    return jq_none();
}

static struct jq_val jq_n_halt_error(struct jq *j, struct jq_val *in)
{
    struct buf b;

    if (in[1].kind != JQ_NUMBER) {
        jq_drop(j, in[1]);
        return jq_fail1(j, in[0], "halt_error/1: number required");
    }
    double status = jq_double(in[1]);
    buf_init(&b, j->heap);
    if (in[0].kind == JQ_STRING) {
        buf_str(&b, jq_text(in[0]));
    } else if (in[0].kind != JQ_NULL) {
        jq_dump(j, &b, in[0]);
        buf_putc(&b, '\n');
    }
    j->halted = true;
    j->status = (int)((int64_t)(status > 1e9 || status < -1e9 || isnan(status) ? 5 : status) & 255);
    j->last_words = b;
    jq_drop(j, in[0]);
    jq_drop(j, in[1]);
    return jq_none();
}

static struct jq_val jq_n_builtins(struct jq *j, struct jq_val *in)
{
    jq_drop(j, in[0]);
    return jq_builtin_names(j);
}

static struct jq_val jq_n_search_list(struct jq *j, struct jq_val *in)
{
    jq_drop(j, in[0]);
    return jq_search_list(j);
}

static struct jq_val jq_n_modulemeta(struct jq *j, struct jq_val *in)
{
    return jq_modulemeta(j, in[0]);
}

static struct jq_val jq_n_origin(struct jq *j, struct jq_val *in)
{
    jq_drop(j, in[0]);
    return jq_string(j, STR("/usr/bin"));
}

static struct jq_val jq_n_prog_origin(struct jq *j, struct jq_val *in)
{
    jq_drop(j, in[0]);
    return jq_string(j, STR("."));
}

static struct jq_val jq_n_yes(struct jq *j, struct jq_val *in)
{
    jq_drop(j, in[0]);
    return jq_bool(true);
}

static struct jq_val jq_n_format(struct jq *j, struct jq_val *in)
{
    if (in[1].kind != JQ_STRING) {
        jq_drop(j, in[0]);
        return jq_fail1(j, in[1], "is not a valid format");
    }
    struct jq_val v = jq_format(j, in[0], jq_text(in[1]));
    jq_drop(j, in[1]);
    return v;
}

const struct jq_native jq_natives[] = {
    {"_negate", 0, jq_n_negate},
    {"length", 0, jq_n_length},
    {"keys", 0, jq_n_keys},
    {"keys_unsorted", 0, jq_n_keys_unsorted},
    {"has", 1, jq_n_has},
    {"contains", 1, jq_n_contains},
    {"add", 0, jq_n_add},
    {"sort", 0, jq_n_sort},
    {"_sort_by", 1, jq_n_sort_by},
    {"_group_by", 1, jq_n_group_by},
    {"_unique_by", 1, jq_n_unique_by},
    {"unique", 0, jq_n_unique},
    {"min", 0, jq_n_min},
    {"max", 0, jq_n_max},
    {"_min_by", 1, jq_n_min_by},
    {"_max_by", 1, jq_n_max_by},
    {"reverse", 0, jq_n_reverse},
    {"_flatten", 1, jq_n_flatten},
    {"setpath", 2, jq_n_setpath},
    {"delpaths", 1, jq_n_delpaths},
    {"to_entries", 0, jq_n_to_entries},
    {"bsearch", 1, jq_n_bsearch},
    {"transpose", 0, jq_n_transpose},
    {"type", 0, jq_n_type},
    {"tostring", 0, jq_n_tostring},
    {"tojson", 0, jq_n_tojson},
    {"tonumber", 0, jq_n_tonumber},
    {"fromjson", 0, jq_n_fromjson},
    {"toarray", 0, jq_n_toarray},
    {"input", 0, jq_n_input},
    {"debug", 0, jq_n_debug},
    {"stderr", 0, jq_n_stderr},
    {"input_filename", 0, jq_n_input_filename},
    {"input_line_number", 0, jq_n_input_line_number},
    {"halt", 0, jq_n_halt},
    {"halt_error", 1, jq_n_halt_error},
    {"builtins", 0, jq_n_builtins},
    {"get_search_list", 0, jq_n_search_list},
    {"modulemeta", 0, jq_n_modulemeta},
    {"get_jq_origin", 0, jq_n_origin},
    {"get_prog_origin", 0, jq_n_prog_origin},
    {"have_literal_numbers", 0, jq_n_yes},
    {"have_decnum", 0, jq_n_yes},
    {"format", 1, jq_n_format},
    {"_match", 3, jq_match},
    {NULL, 0, NULL},
};

const struct jq_native *jq_native_find(struct jq *j, struct str name, uint32_t nargs)
{
    const struct jq_native *const tables[] = {jq_natives, jq_natives_math, jq_natives_text,
                                              jq_natives_date, j->extra};
    for (size_t t = 0; t < COUNT(tables) && tables[t]; t++)
        for (const struct jq_native *n = tables[t]; n->name; n++)
            if (n->nargs == (int)nargs && str_eqz(name, n->name))
                return n;
    return NULL;
}

/* jq_text.c -- functions on strings */
#include <math.h>

#include "base/utf8.h"
#include "commands/jq/jq.h"

static struct jq_val jq_t_explode(struct jq *j, struct jq_val *in)
{
    if (in[0].kind != JQ_STRING) {
        jq_drop(j, in[0]);
        return jq_fail(j, "explode input must be a string");
    }
    struct str s = jq_text(in[0]);
    struct jq_val out = jq_array(j, s.n);
    for (size_t i = 0; i < s.n && out.kind;) {
        int len;
        uint32_t c = utf8_decode(s.p + i, s.n - i, &len);
        jq_push(j, &out, jq_number(c == UTF8_BAD ? 0xFFFD : c));
        i += (size_t)len;
    }
    jq_drop(j, in[0]);
    return out;
}

static struct jq_val jq_t_implode(struct jq *j, struct jq_val *in)
{
    if (in[0].kind != JQ_ARRAY) {
        jq_drop(j, in[0]);
        return jq_fail(j, "implode input must be an array");
    }
    struct jq_val out = jq_string_room(j, in[0].arr->n);
    for (uint32_t i = 0; i < in[0].arr->n && out.kind; i++) {
        struct jq_val v = in[0].arr->v[i];
        double d = v.kind == JQ_NUMBER ? jq_double(v) : NAN;
        if (isnan(d)) {
            jq_drop(j, out);
            v = jq_copy(v);
            jq_drop(j, in[0]);
            return jq_fail1(j, v, "can't be imploded, unicode codepoint needs to be numeric");
        }
        uint32_t c = d >= 0 && d <= 0x10FFFF ? (uint32_t)d : 0xFFFD;
        char utf8[8];
        if (c >= 0xD800 && c < 0xE000)
            c = 0xFFFD;
        jq_string_add(j, &out, str_of(utf8, (size_t)utf8_encode(utf8, c)));
    }
    jq_drop(j, in[0]);
    return out;
}

static struct jq_val jq_t_split(struct jq *j, struct jq_val *in)
{
    if (in[0].kind != JQ_STRING || in[1].kind != JQ_STRING) {
        jq_drop(j, in[0]);
        jq_drop(j, in[1]);
        return jq_fail(j, "split input and separator must be strings");
    }
    return jq_binary(j, JQB_DIV, in[0], in[1]);
}

/* Adds the parts up as `+` does, so that what cannot be joined is refused in the same words. */
static struct jq_val jq_t_join(struct jq *j, struct jq_val *in)
{
    struct jq_val t = in[0], out = jq_null();

    if (!jq_each_check(j, t, false)) {
        jq_drop(j, t);
        jq_drop(j, in[1]);
        return jq_none();
    }
    bool array = t.kind == JQ_ARRAY;
    for (uint32_t i = 0; i < (array ? t.arr->n : t.obj->used) && out.kind; i++) {
        if (!array && !t.obj->m[i].key)
            continue;
        struct jq_val v = jq_copy(array ? t.arr->v[i] : t.obj->m[i].v);
        if (v.kind == JQ_NULL)
            v = jq_string(j, STR(""));
        else if (v.kind == JQ_NUMBER || v.kind == JQ_FALSE || v.kind == JQ_TRUE)
            v = jq_to_json(j, v);
        out = out.kind == JQ_NULL ? jq_string_room(j, 64)
                                  : jq_binary(j, JQB_ADD, out, jq_copy(in[1]));
        if (out.kind && v.kind)
            out = jq_binary(j, JQB_ADD, out, v);
        else
            jq_drop(j, v);
        if ((i & 255) == 255 && proc_tick(j->p, 1) < 0)
            j->fatal = HOB_EKILLED;
    }
    jq_drop(j, t);
    jq_drop(j, in[1]);
    return out.kind == JQ_NULL ? jq_string(j, STR("")) : out;
}

static struct jq_val jq_t_case(struct jq *j, struct jq_val v, bool upper)
{
    if (v.kind != JQ_STRING) {
        jq_drop(j, v);
        return jq_fail(j, "explode input must be a string");
    }
    struct jq_val out = jq_string(j, jq_text(v));
    for (uint32_t i = 0; out.kind && i < out.str->n; i++) {
        int c = (unsigned char)out.str->data[i];
        out.str->data[i] = (char)(upper ? ascii_to_upper(c) : ascii_to_lower(c));
    }
    jq_drop(j, v);
    return out;
}

static struct jq_val jq_t_downcase(struct jq *j, struct jq_val *in)
{
    return jq_t_case(j, in[0], false);
}
static struct jq_val jq_t_upcase(struct jq *j, struct jq_val *in)
{
    return jq_t_case(j, in[0], true);
}

static struct jq_val jq_t_affix(struct jq *j, struct jq_val *in, bool start)
{
    bool ok = in[0].kind == JQ_STRING && in[1].kind == JQ_STRING, r = false;
    if (ok)
        r = start ? str_starts(jq_text(in[0]), jq_text(in[1]))
                  : str_ends(jq_text(in[0]), jq_text(in[1]));
    jq_drop(j, in[0]);
    jq_drop(j, in[1]);
    return ok ? jq_bool(r)
              : jq_fail(j, "%s() requires string inputs", start ? "startswith" : "endswith");
}

static struct jq_val jq_t_startswith(struct jq *j, struct jq_val *in)
{
    return jq_t_affix(j, in, true);
}
static struct jq_val jq_t_endswith(struct jq *j, struct jq_val *in)
{
    return jq_t_affix(j, in, false);
}

/* A prefix or suffix is cut off; anything else comes back as it is. */
static struct jq_val jq_t_cut(struct jq *j, struct jq_val *in, bool start)
{
    struct jq_val v = in[0];
    bool both = v.kind == JQ_STRING && in[1].kind == JQ_STRING;
    if (both &&
        (start ? str_starts(jq_text(v), jq_text(in[1])) : str_ends(jq_text(v), jq_text(in[1])))) {
        size_t n = v.str->n - in[1].str->n;
        v = jq_string(j, str_sub(jq_text(v), start ? in[1].str->n : 0, n));
        jq_drop(j, in[0]);
    }
    jq_drop(j, in[1]);
    return v;
}

static struct jq_val jq_t_ltrimstr(struct jq *j, struct jq_val *in)
{
    return jq_t_cut(j, in, true);
}
static struct jq_val jq_t_rtrimstr(struct jq *j, struct jq_val *in)
{
    return jq_t_cut(j, in, false);
}

static struct jq_val jq_t_trim_sides(struct jq *j, struct jq_val v, bool left, bool right)
{
    if (v.kind != JQ_STRING) {
        jq_drop(j, v);
        return jq_fail(j, "trim input must be a string");
    }
    struct str s = jq_text(v);
    while (left && s.n && ascii_space((unsigned char)s.p[0]))
        s = str_from(s, 1);
    while (right && s.n && ascii_space((unsigned char)s.p[s.n - 1]))
        s.n--;
    struct jq_val out = s.n == v.str->n ? jq_copy(v) : jq_string(j, s);
    jq_drop(j, v);
    return out;
}

static struct jq_val jq_t_trim(struct jq *j, struct jq_val *in)
{
    return jq_t_trim_sides(j, in[0], true, true);
}
static struct jq_val jq_t_ltrim(struct jq *j, struct jq_val *in)
{
    return jq_t_trim_sides(j, in[0], true, false);
}
static struct jq_val jq_t_rtrim(struct jq *j, struct jq_val *in)
{
    return jq_t_trim_sides(j, in[0], false, true);
}

static struct jq_val jq_t_bytes(struct jq *j, struct jq_val *in)
{
    if (in[0].kind != JQ_STRING)
        return jq_fail1(j, in[0], "only strings have UTF-8 byte length");
    double n = in[0].str->n;
    jq_drop(j, in[0]);
    return jq_number(n);
}

/* Where b begins in a, counted in bytes, as jq has it. */
static struct jq_val jq_t_strindices(struct jq *j, struct jq_val a, struct jq_val b)
{
    struct str s = jq_text(a), what = jq_text(b);
    struct jq_val out = jq_array(j, 0);
    size_t at = 0;
    for (ptrdiff_t i; what.n && (i = str_find(str_from(s, at), what)) >= 0; at += (size_t)i + 1)
        jq_push(j, &out, jq_number((double)(at + (size_t)i)));
    jq_drop(j, a);
    jq_drop(j, b);
    return out;
}

static struct jq_val jq_t_indices(struct jq *j, struct jq_val *in)
{
    struct jq_val t = in[0], k = in[1];

    if (t.kind == JQ_NULL) {
        jq_drop(j, k);
        return t;
    }
    if (t.kind == JQ_STRING && k.kind == JQ_STRING)
        return jq_t_strindices(j, t, k);
    if (t.kind == JQ_ARRAY && k.kind != JQ_ARRAY && k.kind != JQ_OBJECT) {
        struct jq_val list = jq_array(j, 1);
        jq_push(j, &list, k);
        k = list;
    }
    return k.kind ? jq_index(j, t, k) : (jq_drop(j, t), k);
}

const struct jq_native jq_natives_text[] = {
    {"explode", 0, jq_t_explode},
    {"implode", 0, jq_t_implode},
    {"split", 1, jq_t_split},
    {"join", 1, jq_t_join},
    {"ascii_downcase", 0, jq_t_downcase},
    {"ascii_upcase", 0, jq_t_upcase},
    {"startswith", 1, jq_t_startswith},
    {"endswith", 1, jq_t_endswith},
    {"ltrimstr", 1, jq_t_ltrimstr},
    {"rtrimstr", 1, jq_t_rtrimstr},
    {"trim", 0, jq_t_trim},
    {"ltrim", 0, jq_t_ltrim},
    {"rtrim", 0, jq_t_rtrim},
    {"utf8bytelength", 0, jq_t_bytes},
    {"indices", 1, jq_t_indices},
    {NULL, 0, NULL},
};

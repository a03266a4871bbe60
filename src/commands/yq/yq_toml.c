/* yq_toml.c -- TOML 1.0 in and out
 *
 * Dates are strings for the program; the ones that were read are marked, so that they are written
 * without quotes again. Comments are not kept.
 */
#include <math.h>

#include "base/utf8.h"
#include "commands/yq/yq.h"

struct yq_toml {
    struct yq *m;
    struct jq *j;
    struct str text;
    const char *p, *end;
    struct jq_val root, seen; /* seen: the headers that there were */
};

static struct jq_val yq_toml_value(struct yq_toml *t);

static struct jq_val yq_toml_wrong(struct yq_toml *t, const char *what)
{
    return yq_wrong(t->m, t->text, t->p, what);
}

static void yq_toml_blanks(struct yq_toml *t)
{
    while (t->p < t->end && (*t->p == ' ' || *t->p == '\t'))
        t->p++;
}

/* Blanks, comments and ends of lines. */
static void yq_toml_gap(struct yq_toml *t)
{
    for (;; t->p++) {
        yq_toml_blanks(t);
        if (t->p < t->end && *t->p == '#')
            while (t->p < t->end && *t->p != '\n')
                t->p++;
        if (t->p >= t->end || *t->p != '\n')
            return;
    }
}

static bool yq_toml_at(const struct yq_toml *t, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(t->end - t->p) >= n && memcmp(t->p, word, n) == 0;
}

/* ---- strings --------------------------------------------------------------------------------- */

static bool yq_toml_escape(struct yq_toml *t, struct buf *b, bool multi)
{
    static const char from[] = "btnfre\"\\", to[] = "\b\t\n\f\r\x1b\"\\";
    char c = t->p < t->end ? *t->p++ : '\0', text[4];
    const char *at = c ? strchr(from, c) : NULL;
    uint32_t code = 0;

    if (at) {
        buf_putc(b, to[at - from]);
        return true;
    }
    if (multi && (c == '\n' || c == ' ' || c == '\t')) { /* the line goes on */
        bool newline = c == '\n';
        for (; t->p < t->end && (*t->p == ' ' || *t->p == '\t' || *t->p == '\n'); t->p++)
            newline |= *t->p == '\n';
        return newline;
    }
    for (int i = c == 'u' ? 4 : c == 'U' ? 8 : 0; i > 0; i--) {
        int d = t->p < t->end ? ascii_to_lower((unsigned char)*t->p++) : 0;
        if (!ascii_digit((unsigned char)d) && (d < 'a' || d > 'f'))
            return false;
        code = code << 4 | (uint32_t)(d <= '9' ? d - '0' : d - 'a' + 10);
    }
    if ((c != 'u' && c != 'U') || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        return false;
    buf_add(b, text, (size_t)utf8_encode(text, code));
    return true;
}

/* A string in any of the four kinds of quotes, to b. */
static bool yq_toml_string(struct yq_toml *t, struct buf *b)
{
    char quote = *t->p;
    bool multi = yq_toml_at(t, quote == '"' ? "\"\"\"" : "'''");

    t->p += multi ? 3 : 1;
    if (multi && t->p < t->end && *t->p == '\n')
        t->p++;
    while (t->p < t->end) {
        char c = *t->p;
        if (c == quote && !multi) {
            t->p++;
            return true;
        }
        if (c == quote && yq_toml_at(t, quote == '"' ? "\"\"\"" : "'''")) {
            /* Up to two quotes may stand right before the end. */
            while (t->end - t->p > 3 && t->p[3] == quote)
                buf_putc(b, *t->p++);
            t->p += 3;
            return true;
        }
        if (c == '\n' && !multi)
            break;
        t->p++;
        if (c == '\\' && quote == '"') {
            if (!yq_toml_escape(t, b, multi))
                return yq_toml_wrong(t, "unknown escape in a string"), false;
        } else {
            buf_putc(b, c);
        }
    }
    return yq_toml_wrong(t, "a string does not end"), false;
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* One part of a key, a new reference. */
static struct jq_string *yq_toml_key(struct yq_toml *t)
{
    struct jq_string *key = NULL;
    struct buf b;

    buf_init(&b, t->j->heap);
    if (t->p < t->end && (*t->p == '"' || *t->p == '\'')) {
        if (yq_toml_string(t, &b))
            key = jq_intern_string(t->j, jq_string_checked(t->j, buf_get(&b)));
    } else {
        const char *from = t->p;
        while (t->p < t->end && (ascii_alnum((unsigned char)*t->p) || *t->p == '_' || *t->p == '-'))
            t->p++;
        if (t->p > from)
            key = jq_intern(t->j, str_of(from, (size_t)(t->p - from)));
        else
            yq_toml_wrong(t, "a key is expected");
    }
    buf_fini(&b);
    return key;
}

/* The table below a key of a table, made if it is not there; of an array its last one. */
static struct jq_val *yq_toml_step(struct yq_toml *t, struct jq_val *table, struct jq_string *key)
{
    struct jq_val *v = jq_object_get(table->obj, key);

    if (!v) {
        key->refs++;
        if (!jq_put(t->j, table, key, jq_object(t->j, 4)))
            return NULL;
        v = jq_object_get(table->obj, key);
    } else if (v->kind == JQ_ARRAY && v->arr->n) {
        v = &v->arr->v[v->arr->n - 1];
    }
    if (!v || v->kind != JQ_OBJECT) {
        yq_toml_wrong(t, "a key that has a value already cannot be a table");
        return NULL;
    }
    return v;
}

/* a.b.c: steps to the table of the last part. NULL after a mistake; *last is a new reference. */
static struct jq_val *yq_toml_path(struct yq_toml *t, struct jq_val *table, struct jq_string **last,
                                   struct buf *path)
{
    for (;;) {
        *last = yq_toml_key(t);
        if (!*last)
            return NULL;
        if (path) {
            buf_add(path, (*last)->data, (*last)->n);
            buf_putc(path, '\0');
        }
        yq_toml_blanks(t);
        if (t->p >= t->end || *t->p != '.')
            return table;
        t->p++;
        yq_toml_blanks(t);
        const struct jq_val *v = path ? jq_object_get(table->obj, *last) : NULL;
        if (v && v->kind == JQ_ARRAY) /* the same name in another table of an array is another */
            buf_printf(path, "%u", v->arr->n);
        table = yq_toml_step(t, table, *last);
        jq_drop(t->j, jq_of_string(*last));
        *last = NULL;
        if (!table || proc_tick(t->j->p, 1) < 0)
            return NULL;
    }
}

/* key = value, in a table or between braces. */
static bool yq_toml_pair(struct yq_toml *t, struct jq_val *table)
{
    struct jq_string *key;
    struct jq_val *in = yq_toml_path(t, table, &key, NULL);

    if (!in)
        return false;
    if (t->p >= t->end || *t->p != '=' || jq_object_get(in->obj, key)) {
        yq_toml_wrong(t, t->p < t->end && *t->p == '=' ? "a key that is there already"
                                                       : "= is expected behind a key");
        jq_drop(t->j, jq_of_string(key));
        return false;
    }
    t->p++;
    yq_toml_blanks(t);
    struct jq_val v = yq_toml_value(t);
    if (v.kind)
        return jq_put(t->j, in, key, v);
    jq_drop(t->j, jq_of_string(key));
    return false;
}

/* ---- values ---------------------------------------------------------------------------------- */

static struct jq_val yq_toml_array(struct yq_toml *t)
{
    struct jq_val a = jq_array(t->j, 4);

    t->p++;
    for (;;) {
        yq_toml_gap(t);
        if (t->p < t->end && *t->p == ']') {
            t->p++;
            return a;
        }
        if (!jq_push(t->j, &a, yq_toml_value(t)) || proc_tick(t->j->p, 1) < 0)
            break;
        yq_toml_gap(t);
        if (t->p < t->end && *t->p == ',') {
            t->p++;
        } else if (t->p >= t->end || *t->p != ']') {
            yq_toml_wrong(t, "a comma or ] is expected");
            break;
        }
    }
    jq_drop(t->j, a);
    return jq_none();
}

static struct jq_val yq_toml_table(struct yq_toml *t)
{
    struct jq_val o = jq_object(t->j, 4);

    t->p++;
    yq_toml_gap(t);
    if (t->p < t->end && *t->p == '}') {
        t->p++;
        return o;
    }
    while (o.kind && yq_toml_pair(t, &o) && proc_tick(t->j->p, 1) == 0) {
        yq_toml_gap(t);
        char c = t->p < t->end ? *t->p : '\0';
        if (c != ',' && c != '}') {
            yq_toml_wrong(t, "a comma or } is expected");
            break;
        }
        t->p++;
        if (c == '}')
            return o;
        yq_toml_gap(t);
    }
    jq_drop(t->j, o);
    return jq_none();
}

/* Whether a word is a date, a time, or both. */
static bool yq_toml_is_date(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!ascii_digit((unsigned char)s.p[i]) && !strchr("-:.+TtZz ", s.p[i]))
            return false;
    if (s.n >= 5 && s.p[2] == ':')
        return ascii_digit((unsigned char)s.p[0]);
    return s.n >= 10 && s.p[4] == '-' && s.p[7] == '-';
}

/* Whether each _ and each point of a number stands between digits. */
static bool yq_toml_is_number(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((s.p[i] == '_' || s.p[i] == '.') &&
            (i == 0 || i + 1 == s.n || !ascii_alnum((unsigned char)s.p[i - 1]) ||
             !ascii_alnum((unsigned char)s.p[i + 1]) ||
             (s.p[i] == '.' && !ascii_digit((unsigned char)s.p[i + 1]))))
            return false;
    return s.n && ascii_digit((unsigned char)s.p[0]) &&
           !(s.n > 1 && s.p[0] == '0' && ascii_digit((unsigned char)s.p[1]));
}

static struct jq_val yq_toml_word(struct yq_toml *t)
{
    const char *from = t->p;
    struct jq_val v;
    bool string;

    while (t->p < t->end && (ascii_alnum((unsigned char)*t->p) || strchr("+-_.:", *t->p)) && *t->p)
        t->p++;
    struct str s = str_of(from, (size_t)(t->p - from));
    if (s.n == 10 && yq_toml_is_date(s) && t->end - t->p > 3 && *t->p == ' ' && t->p[3] == ':') {
        for (t->p++;
             t->p < t->end && (ascii_alnum((unsigned char)*t->p) || strchr("+-.:", *t->p)) && *t->p;
             t->p++)
            ;
        s.n = (size_t)(t->p - from);
    }
    if (str_eqz(s, "true") || str_eqz(s, "false"))
        return jq_bool(s.n == 4);
    if (yq_toml_is_date(s)) {
        v = jq_string(t->j, s);
        if (v.kind)
            v.str->bare = true;
        return v;
    }
    struct str digits = str_from(s, s.n && (s.p[0] == '-' || s.p[0] == '+'));
    if (str_eqz(digits, "inf") || str_eqz(digits, "nan"))
        return jq_number(digits.p[0] == 'n' ? NAN : s.p[0] == '-' ? -INFINITY : INFINITY);
    if (yq_toml_is_number(digits)) {
        v = yaml_resolve(t->j, s, &string);
        if (v.kind == JQ_NUMBER || t->j->heap->oom)
            return v;
        jq_drop(t->j, v);
    }
    t->p = from;
    return yq_toml_wrong(t, "a value is expected");
}

static struct jq_val yq_toml_value(struct yq_toml *t)
{
    struct jq_val v = jq_none();
    struct buf b;

    if (task_stack_low(t->j->p->task))
        return yq_toml_wrong(t, "nested too deep");
    switch (t->p < t->end ? *t->p : '\0') {
    case '[': return yq_toml_array(t);
    case '{': return yq_toml_table(t);
    case '"':
    case '\'':
        buf_init(&b, t->j->heap);
        if (yq_toml_string(t, &b))
            v = jq_string_checked(t->j, buf_get(&b));
        buf_fini(&b);
        return v;
    default: return yq_toml_word(t);
    }
}

/* ---- the text -------------------------------------------------------------------------------- */

/* The table under the last part of a header; a new one at the end of an array for [[ ]]. */
static struct jq_val *yq_toml_open(struct yq_toml *t, struct jq_val *in, struct jq_string *key,
                                   bool array)
{
    struct jq_val *v;

    v = jq_object_get(in->obj, key);
    if (!array && v && v->kind == JQ_ARRAY) {
        yq_toml_wrong(t, "an array cannot be a table");
        return NULL;
    }
    if (!array)
        return yq_toml_step(t, in, key);
    if (!v) {
        key->refs++;
        if (!jq_put(t->j, in, key, jq_array(t->j, 2)))
            return NULL;
        v = jq_object_get(in->obj, key);
    }
    if (!v || v->kind != JQ_ARRAY || (v->arr->n && v->arr->v[0].kind != JQ_OBJECT)) {
        yq_toml_wrong(t, "a key that has a value already cannot be an array of tables");
        return NULL;
    }
    if (!jq_push(t->j, v, jq_object(t->j, 4)))
        return NULL;
    return &v->arr->v[v->arr->n - 1];
}

/* [a.b] or [[a.b]]: the table that follows, or NULL. */
static struct jq_val *yq_toml_header(struct yq_toml *t)
{
    bool array = yq_toml_at(t, "[[");
    struct jq_string *key;
    struct jq_val *in, *table = NULL;
    struct buf path;

    t->p += array ? 2 : 1;
    yq_toml_blanks(t);
    buf_init(&path, t->j->heap);
    in = yq_toml_path(t, &t->root, &key, &path);
    if (in && !yq_toml_at(t, array ? "]]" : "]")) {
        yq_toml_wrong(t, "a header does not end");
    } else if (in) {
        t->p += array ? 2 : 1;
        struct jq_string *name = jq_intern(t->j, buf_get(&path));
        if (name && !array && jq_object_get(t->seen.obj, name))
            yq_toml_wrong(t, "a table that is there already");
        else
            table = yq_toml_open(t, in, key, array);
        if (name && table && !array)
            jq_put(t->j, &t->seen, name, jq_null());
        else
            jq_drop(t->j, jq_of_string(name));
    }
    jq_drop(t->j, jq_of_string(key));
    buf_fini(&path);
    return table;
}

static bool yq_toml_lines(struct yq_toml *t)
{
    struct jq_val *table = &t->root;

    for (;;) {
        yq_toml_gap(t);
        if (t->p >= t->end)
            return true;
        if (*t->p == '[') {
            table = yq_toml_header(t);
            if (!table)
                return false;
        } else if (!yq_toml_pair(t, table)) {
            return false;
        }
        yq_toml_blanks(t);
        if (t->p < t->end && *t->p != '\n' && *t->p != '#')
            return yq_toml_wrong(t, "something is left over at the end of a line"), false;
        if (proc_tick(t->j->p, 1) < 0)
            return false;
    }
}

struct jq_val yq_read_toml(struct yq *m, struct str text)
{
    struct yq_toml t = {.m = m, .j = &m->j, .text = text};

    t.p = text.p;
    t.end = text.p + text.n;
    t.root = jq_object(&m->j, 8);
    t.seen = jq_object(&m->j, 8);
    if (!t.root.kind || !t.seen.kind || !yq_toml_lines(&t)) {
        jq_drop(&m->j, t.root);
        t.root = jq_none();
    }
    jq_drop(&m->j, t.seen);
    return t.root;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void yq_toml_put_key(struct buf *b, struct str key)
{
    bool bare = key.n > 0;

    for (size_t i = 0; i < key.n; i++)
        bare = bare && (ascii_alnum((unsigned char)key.p[i]) || key.p[i] == '_' || key.p[i] == '-');
    if (bare)
        buf_str(b, key);
    else
        jq_write_string(b, key, false);
}

static bool yq_toml_put(struct yq *m, struct buf *b, struct jq_val v);

static bool yq_toml_put_inline(struct yq *m, struct buf *b, struct jq_val v)
{
    bool first = true, array = v.kind == JQ_ARRAY;

    buf_addz(b, array ? "[" : v.obj->n ? "{ " : "{");
    for (uint32_t i = 0; i < (array ? v.arr->n : v.obj->used); i++) {
        if (!array && !v.obj->m[i].key)
            continue;
        if (!first)
            buf_addz(b, ", ");
        first = false;
        if (!array) {
            yq_toml_put_key(b, str_of(v.obj->m[i].key->data, v.obj->m[i].key->n));
            buf_addz(b, " = ");
        }
        if (!yq_toml_put(m, b, array ? v.arr->v[i] : v.obj->m[i].v))
            return false;
    }
    buf_addz(b, array ? "]" : v.obj->n ? " }" : "}");
    return true;
}

/* A value behind key =. */
static bool yq_toml_put(struct yq *m, struct buf *b, struct jq_val v)
{
    char small[40];

    if (task_stack_low(m->j.p->task) || m->j.heap->oom || proc_tick(m->j.p, 1) < 0)
        return jq_fail(&m->j, "the value is nested too deep to be written"), false;
    switch (v.kind) {
    case JQ_NULL: return jq_fail(&m->j, "TOML has no null"), false;
    case JQ_STRING:
        if (v.str->bare && yq_toml_is_date(jq_text(v)))
            buf_str(b, jq_text(v));
        else
            jq_write_string(b, jq_text(v), false);
        return true;
    case JQ_NUMBER:
        if (isnan(jq_double(v)) || isinf(jq_double(v)))
            buf_addz(b, isnan(jq_double(v)) ? "nan" : jq_double(v) < 0 ? "-inf" : "inf");
        else
            buf_str(b, jq_literal_text(v, small));
        return true;
    case JQ_ARRAY:
    case JQ_OBJECT: return yq_toml_put_inline(m, b, v);
    default: buf_addz(b, v.kind == JQ_TRUE ? "true" : "false"); return true;
    }
}

/* Whether a member is written as [table] or [[tables]]. */
static bool yq_toml_is_table(struct jq_val v)
{
    if (v.kind != JQ_ARRAY)
        return v.kind == JQ_OBJECT;
    for (uint32_t i = 0; i < v.arr->n; i++)
        if (v.arr->v[i].kind != JQ_OBJECT)
            return false;
    return v.arr->n > 0;
}

static bool yq_toml_put_table(struct yq *m, struct buf *b, const struct jq_object *o,
                              struct buf *path);

/* One table under its header, unless it has tables alone. */
static bool yq_toml_put_header(struct yq *m, struct buf *b, const struct jq_object *o,
                               struct buf *path, bool array)
{
    bool needed = array || o->n == 0;

    for (uint32_t i = 0; i < o->used; i++)
        needed |= o->m[i].key && !yq_toml_is_table(o->m[i].v);
    if (needed) {
        if (b->n)
            buf_putc(b, '\n');
        buf_printf(b, array ? "[[%.*s]]\n" : "[%.*s]\n", STR_ARG(buf_get(path)));
    }
    return yq_toml_put_table(m, b, o, path);
}

static bool yq_toml_put_table(struct yq *m, struct buf *b, const struct jq_object *o,
                              struct buf *path)
{
    size_t mark = path->n;
    bool ok = true;

    if (task_stack_low(m->j.p->task) || m->j.heap->oom || proc_tick(m->j.p, 1) < 0)
        return jq_fail(&m->j, "the value is nested too deep to be written"), false;
    for (uint32_t i = 0; i < o->used && ok; i++) {
        if (!o->m[i].key || yq_toml_is_table(o->m[i].v))
            continue;
        yq_toml_put_key(b, str_of(o->m[i].key->data, o->m[i].key->n));
        buf_addz(b, " = ");
        ok = yq_toml_put(m, b, o->m[i].v);
        buf_putc(b, '\n');
    }
    for (uint32_t i = 0; i < o->used && ok; i++) {
        struct jq_val v = o->m[i].v;
        if (!o->m[i].key || !yq_toml_is_table(v))
            continue;
        if (mark)
            buf_putc(path, '.');
        yq_toml_put_key(path, str_of(o->m[i].key->data, o->m[i].key->n));
        if (v.kind == JQ_OBJECT)
            ok = yq_toml_put_header(m, b, v.obj, path, false);
        for (uint32_t k = 0; v.kind == JQ_ARRAY && k < v.arr->n && ok; k++)
            ok = yq_toml_put_header(m, b, v.arr->v[k].obj, path, true);
        buf_cut(path, mark);
    }
    return ok;
}

bool yq_write_toml(struct yq *m, struct buf *b, struct jq_val v)
{
    struct buf path, own;

    if (v.kind != JQ_OBJECT) { /* what is no table is written as a value of one */
        bool ok = yq_toml_put(m, b, v);
        buf_putc(b, '\n');
        return ok;
    }
    buf_init(&path, m->j.heap);
    buf_init(&own, m->j.heap);
    bool ok = yq_toml_put_table(m, &own, v.obj, &path);
    buf_str(b, buf_get(&own));
    buf_fini(&own);
    buf_fini(&path);
    return ok;
}

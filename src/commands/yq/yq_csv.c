/* yq_csv.c -- CSV and TSV: a table with a head is an array of objects */
#include "commands/yq/yq.h"

struct yq_csv {
    struct yq *m;
    const char *p, *end;
    char separator;
    struct str text;
};

/* One field to b. False at a quote that does not end. */
static bool yq_csv_field(struct yq_csv *c, struct buf *b)
{
    bool closed = false;

    buf_clear(b);
    if (c->p < c->end && *c->p == '"') {
        for (c->p++; c->p < c->end && !closed; c->p++) {
            closed = *c->p == '"' && (c->p + 1 == c->end || c->p[1] != '"');
            c->p += *c->p == '"' && !closed;
            if (!closed)
                buf_putc(b, *c->p);
        }
        if (!closed || (c->p < c->end && *c->p != c->separator && *c->p != '\n'))
            return yq_wrong(c->m, c->text, c->p,
                            "a quote within a field, or one that does not end"),
                   false;
        return true;
    }
    const char *from = c->p;
    while (c->p < c->end && *c->p != c->separator && *c->p != '\n')
        c->p++;
    buf_add(b, from, (size_t)(c->p - from));
    return true;
}

/* The fields of one line as an array; head: as strings. */
static struct jq_val yq_csv_row(struct yq_csv *c, bool head)
{
    struct jq *j = &c->m->j;
    struct jq_val row = jq_array(j, 8);
    struct buf b;

    buf_init(&b, j->heap);
    while (row.kind) {
        bool quoted = c->p < c->end && *c->p == '"';
        if (!yq_csv_field(c, &b) ||
            !jq_push(j, &row,
                     head || quoted || c->m->o.text_off ? jq_string_checked(j, buf_get(&b))
                                                        : yq_guess(c->m, buf_get(&b)))) {
            jq_drop(j, row);
            row = jq_none();
            break;
        }
        if (c->p >= c->end || *c->p == '\n')
            break;
        c->p++;
    }
    if (c->p < c->end)
        c->p++;
    buf_fini(&b);
    return row;
}

/* A row under the names of the head. Fields without a name, or names without one, are left out. */
static struct jq_val yq_csv_object(struct jq *j, struct jq_val head, struct jq_val row)
{
    struct jq_val o = jq_object(j, head.arr->n);

    for (uint32_t i = 0; i < head.arr->n && i < row.arr->n && o.kind; i++)
        if (!jq_put(j, &o, jq_intern(j, jq_text(head.arr->v[i])), jq_copy(row.arr->v[i]))) {
            jq_drop(j, o);
            o = jq_none();
        }
    return o;
}

struct jq_val yq_read_csv(struct yq *m, struct str text, char separator)
{
    struct jq *j = &m->j;
    struct yq_csv c = {m, text.p, text.p + text.n, separator, text};
    struct jq_val all = jq_array(j, 16), head = jq_none();

    while (c.p < c.end && all.kind && !j->heap->oom) {
        if (*c.p == '\n') { /* an empty line is no row */
            c.p++;
            continue;
        }
        struct jq_val row = yq_csv_row(&c, head.kind == JQ_NONE);
        if (row.kind == JQ_NONE || proc_tick(j->p, 1) < 0) {
            jq_drop(j, row);
            jq_drop(j, all);
            all = jq_none();
            break;
        }
        if (head.kind == JQ_NONE) {
            head = row;
            continue;
        }
        if (!jq_push(j, &all, yq_csv_object(j, head, row))) {
            jq_drop(j, all);
            all = jq_none();
        }
        jq_drop(j, row);
    }
    jq_drop(j, head);
    return all;
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool yq_csv_put(struct yq *m, struct buf *b, struct jq_val v, char separator)
{
    size_t at = b->n;

    if (v.kind == JQ_ARRAY || v.kind == JQ_OBJECT) {
        jq_fail(&m->j, "%s cannot be a field of CSV", jq_kind_name(v));
        return false;
    }
    if (v.kind == JQ_NULL)
        return true;
    yq_put_scalar(m, b, v);
    struct str s = str_from(buf_get(b), at);
    if (s.n == 0 ||
        (s.p[0] != ' ' && str_chr(s, separator) < 0 && str_chr(s, '"') < 0 && str_chr(s, '\n') < 0))
        return true;
    struct buf q;
    buf_init(&q, m->j.heap);
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"')
            buf_putc(&q, '"');
        buf_putc(&q, s.p[i]);
    }
    buf_cut(b, at);
    buf_putc(b, '"');
    buf_str(b, buf_get(&q));
    buf_putc(b, '"');
    buf_fini(&q);
    return true;
}

static bool yq_csv_put_row(struct yq *m, struct buf *b, const struct jq_array *row, char separator)
{
    for (uint32_t i = 0; i < row->n; i++) {
        if (i)
            buf_putc(b, separator);
        if (!yq_csv_put(m, b, row->v[i], separator))
            return false;
    }
    buf_putc(b, '\n');
    return true;
}

/* Objects: the first one has the names of the columns. */
static bool yq_csv_put_objects(struct yq *m, struct buf *b, const struct jq_array *rows,
                               char separator)
{
    const struct jq_object *first = rows->v[0].obj;

    for (int64_t r = -1; r < (int64_t)rows->n; r++) {
        bool some = false;
        if (r >= 0 && rows->v[r].kind != JQ_OBJECT) {
            jq_fail(&m->j, "rows of CSV are objects, or all of them arrays");
            return false;
        }
        for (uint32_t i = 0; i < first->used; i++) {
            struct jq_string *key = first->m[i].key;
            if (!key)
                continue;
            if (some)
                buf_putc(b, separator);
            some = true;
            key->refs++;
            struct jq_val name = jq_of_string(key);
            struct jq_val *v = r < 0 ? &name : jq_object_get(rows->v[r].obj, key);
            bool ok = !v || yq_csv_put(m, b, *v, separator);
            jq_drop(&m->j, name);
            if (!ok)
                return false;
        }
        buf_putc(b, '\n');
        if (proc_tick(m->j.p, 1) < 0)
            return false;
    }
    return true;
}

bool yq_write_csv(struct yq *m, struct buf *b, struct jq_val v, char separator)
{
    if (v.kind == JQ_OBJECT && v.obj->n == 0)
        return true;
    if (v.kind != JQ_ARRAY) {
        jq_fail(&m->j,
                "CSV is written from an array of objects, of arrays or of scalars, not from"
                " %s",
                jq_kind_name(v));
        return false;
    }
    if (v.arr->n == 0)
        return true;
    if (v.arr->v[0].kind == JQ_OBJECT)
        return yq_csv_put_objects(m, b, v.arr, separator);
    if (v.arr->v[0].kind != JQ_ARRAY)
        return yq_csv_put_row(m, b, v.arr, separator);
    for (uint32_t i = 0; i < v.arr->n; i++) {
        if (v.arr->v[i].kind != JQ_ARRAY) {
            jq_fail(&m->j, "rows of CSV are objects, or all of them arrays");
            return false;
        }
        if (!yq_csv_put_row(m, b, v.arr->v[i].arr, separator) || proc_tick(m->j.p, 1) < 0)
            return false;
    }
    return true;
}

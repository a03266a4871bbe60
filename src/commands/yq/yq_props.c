/* yq_props.c -- Java properties and INI files: lines of keys and values */
#include "base/utf8.h"
#include "commands/yq/yq.h"

/* The next line without blanks at its ends; one that ends in \ goes on when joined. */
static bool yq_props_line(struct str *text, bool joined, struct buf *b)
{
    bool more = true;

    buf_clear(b);
    if (text->n == 0)
        return false;
    while (more && text->n) {
        ptrdiff_t nl = str_chr(*text, '\n');
        struct str line = str_trim(str_sub(*text, 0, nl < 0 ? text->n : (size_t)nl));
        *text = nl < 0 ? STR("") : str_from(*text, (size_t)nl + 1);
        more = joined && line.n && line.p[line.n - 1] == '\\' &&
               !(line.n > 1 && line.p[line.n - 2] == '\\');
        buf_add(b, line.p, line.n - more);
    }
    return true;
}

/* Where the key ends: at = or :, and for properties at a blank if there is neither. */
static size_t yq_props_split(struct str line, bool blanks)
{
    size_t blank = line.n;

    for (size_t i = 0; i < line.n; i++) {
        if (line.p[i] == '\\')
            i++;
        else if (line.p[i] == '=' || line.p[i] == ':')
            return i;
        else if (blanks && blank == line.n && (line.p[i] == ' ' || line.p[i] == '\t'))
            blank = i;
    }
    return blank;
}

/* a.b.0 as a path of keys and numbers. */
static struct jq_val yq_props_path(struct jq *j, struct str key)
{
    struct jq_val path = jq_array(j, 4);

    while (path.kind) {
        ptrdiff_t dot = str_chr(key, '.');
        struct str part = str_sub(key, 0, dot < 0 ? key.n : (size_t)dot);
        bool number = part.n > 0 && part.n < 6;
        int64_t n = 0;
        for (size_t i = 0; i < part.n; i++)
            number = number && ascii_digit((unsigned char)part.p[i]);
        if (number)
            str_int(part, &n);
        if (!jq_push(j, &path, number ? jq_number((double)n) : jq_string_checked(j, part))) {
            jq_drop(j, path);
            return jq_none();
        }
        if (dot < 0)
            break;
        key = str_from(key, (size_t)dot + 1);
    }
    return path;
}

/* Sets a value; a key that is a value and a table at once is a mistake. */
static bool yq_props_set(struct yq *m, struct jq_val *root, struct jq_val path, struct jq_val v)
{
    struct jq *j = &m->j;

    if (!path.kind || !v.kind) {
        jq_drop(j, path);
        jq_drop(j, v);
        return false;
    }
    *root = jq_setpath(j, *root, path, v);
    if (j->raised) {
        m->wrong = j->error.kind == JQ_STRING ? arena_str(j->p->arena, jq_text(j->error))
                                              : STR("a key that has a value already");
        j->raised = false;
        jq_drop(j, j->error);
        j->error = jq_none();
    }
    return root->kind != JQ_NONE;
}

struct jq_val yq_read_props(struct yq *m, struct str text)
{
    struct jq *j = &m->j;
    struct jq_val root = jq_object(j, 8);
    struct buf b;

    buf_init(&b, j->heap);
    while (root.kind && yq_props_line(&text, true, &b)) {
        struct str line = buf_get(&b);
        if (line.n == 0 || line.p[0] == '#' || line.p[0] == '!')
            continue;
        size_t at = yq_props_split(line, true);
        struct str key = str_trim(str_sub(line, 0, at));
        struct jq_val v = yq_guess(m, str_trim(str_from(line, at + 1)));
        if (!yq_props_set(m, &root, yq_props_path(j, key), v) || proc_tick(j->p, 1) < 0) {
            jq_drop(j, root);
            root = jq_none();
        }
    }
    buf_fini(&b);
    return root;
}

struct jq_val yq_read_ini(struct yq *m, struct str text)
{
    struct jq *j = &m->j;
    struct jq_val root = jq_object(j, 8), section = jq_none();
    struct str whole = text;
    struct buf b;

    buf_init(&b, j->heap);
    while (root.kind && yq_props_line(&text, false, &b)) {
        struct str line = buf_get(&b);
        bool ok = true;
        if (line.n == 0 || line.p[0] == '#' || line.p[0] == ';')
            continue;
        struct jq_val path = jq_array(j, 2);
        if (line.p[0] == '[' && line.p[line.n - 1] == ']') {
            jq_drop(j, section);
            struct jq_val name = jq_string_checked(j, str_trim(str_sub(line, 1, line.n - 2)));
            section = jq_of_string(jq_intern_string(j, name));
            ok = jq_push(j, &path, jq_copy(section));
            if (ok && !jq_object_get(root.obj, section.str))
                ok = yq_props_set(m, &root, jq_copy(path), jq_object(j, 4));
        } else {
            size_t at = yq_props_split(line, false);
            if (at == line.n) {
                yq_wrong(m, whole, text.p, "a key and = are expected");
                ok = false;
            }
            if (ok && section.kind)
                ok = jq_push(j, &path, jq_copy(section));
            ok = ok && jq_push(j, &path, jq_string_checked(j, str_trim(str_sub(line, 0, at))));
            ok = ok && yq_props_set(m, &root, jq_copy(path),
                                    yq_guess(m, str_trim(str_from(line, at + 1))));
        }
        jq_drop(j, path);
        if (!ok || proc_tick(j->p, 1) < 0) {
            jq_drop(j, root);
            root = jq_none();
        }
    }
    jq_drop(j, section);
    buf_fini(&b);
    return root;
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool yq_props_put(struct yq *m, struct buf *b, struct jq_val v, struct buf *path)
{
    size_t mark = path->n;
    bool ok = true;

    if (task_stack_low(m->j.p->task) || m->j.heap->oom || proc_tick(m->j.p, 1) < 0)
        return jq_fail(&m->j, "the value is nested too deep to be written"), false;
    if (v.kind != JQ_ARRAY && v.kind != JQ_OBJECT) {
        buf_str(b, buf_get(path));
        buf_addz(b, " = ");
        size_t at = b->n;
        if (v.kind != JQ_NULL)
            yq_put_scalar(m, b, v);
        for (size_t i = at; i < b->n; i++)
            if (b->p[i] == '\n')
                b->p[i] = ' ';
        buf_putc(b, '\n');
        return true;
    }
    for (uint32_t i = 0; i < (v.kind == JQ_ARRAY ? v.arr->n : v.obj->used) && ok; i++) {
        if (v.kind == JQ_OBJECT && !v.obj->m[i].key)
            continue;
        if (mark)
            buf_putc(path, '.');
        if (v.kind == JQ_OBJECT)
            buf_add(path, v.obj->m[i].key->data, v.obj->m[i].key->n);
        else
            buf_printf(path, "%u", i);
        ok = yq_props_put(m, b, v.kind == JQ_ARRAY ? v.arr->v[i] : v.obj->m[i].v, path);
        buf_cut(path, mark);
    }
    return ok;
}

bool yq_write_props(struct yq *m, struct buf *b, struct jq_val v)
{
    struct buf path;

    buf_init(&path, m->j.heap);
    bool ok = yq_props_put(m, b, v, &path);
    buf_fini(&path);
    return ok;
}

/* The scalars of an object, each on a line. sections: objects are left out, to be written later. */
static bool yq_ini_put(struct yq *m, struct buf *b, const struct jq_object *o, bool sections)
{
    for (uint32_t i = 0; i < o->used; i++) {
        struct jq_val v = o->m[i].v;
        if (!o->m[i].key || (sections && v.kind == JQ_OBJECT))
            continue;
        if (v.kind == JQ_OBJECT || v.kind == JQ_ARRAY)
            return jq_fail(&m->j, "INI has sections with scalars, and nothing below"), false;
        buf_printf(b, "%.*s = ", (int)o->m[i].key->n, o->m[i].key->data);
        if (v.kind != JQ_NULL)
            yq_put_scalar(m, b, v);
        buf_putc(b, '\n');
    }
    return true;
}

bool yq_write_ini(struct yq *m, struct buf *b, struct jq_val v)
{
    size_t from = b->n;

    if (v.kind != JQ_OBJECT)
        return jq_fail(&m->j, "INI is written from an object, not from %s", jq_kind_name(v)), false;
    if (!yq_ini_put(m, b, v.obj, true))
        return false;
    for (uint32_t i = 0; i < v.obj->used; i++) {
        const struct jq_member *x = &v.obj->m[i];
        if (!x->key || x->v.kind != JQ_OBJECT)
            continue;
        if (b->n > from)
            buf_putc(b, '\n');
        buf_printf(b, "[%.*s]\n", (int)x->key->n, x->key->data);
        if (!yq_ini_put(m, b, x->v.obj, false))
            return false;
    }
    return true;
}

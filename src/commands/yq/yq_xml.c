/* yq_xml.c -- XML as objects: elements are keys, repeated ones arrays, attributes keys with +@
 *
 * A document type is kept as text and never read: there are no entities but the five of XML, and
 * nothing is fetched.
 */
#include "base/utf8.h"
#include "commands/yq/yq.h"

struct yq_xml {
    struct yq *m;
    struct jq *j;
    struct str text;
    const char *p, *end;
};

static struct jq_val yq_xml_wrong(struct yq_xml *x, const char *what)
{
    return yq_wrong(x->m, x->text, x->p, what);
}

static bool yq_xml_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void yq_xml_skip(struct yq_xml *x)
{
    while (x->p < x->end && yq_xml_space(*x->p))
        x->p++;
}

static bool yq_xml_at(const struct yq_xml *x, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(x->end - x->p) >= n && memcmp(x->p, word, n) == 0;
}

/* Up to a mark and behind it; {NULL, 0} when it does not come. */
static struct str yq_xml_until(struct yq_xml *x, const char *mark)
{
    struct str rest = str_of(x->p, (size_t)(x->end - x->p));
    ptrdiff_t at = str_find(rest, str_z(mark));

    if (at < 0)
        return STR_NONE;
    x->p += at + (ptrdiff_t)strlen(mark);
    return str_sub(rest, 0, (size_t)at);
}

static struct str yq_xml_name(struct yq_xml *x)
{
    const char *from = x->p;

    while (x->p < x->end && !yq_xml_space(*x->p) && !strchr("<>/=\"'&?!", *x->p))
        x->p++;
    return str_of(from, (size_t)(x->p - from));
}

/* ---- text ------------------------------------------------------------------------------------ */

/* &#38; or &#x26; without & and ; */
static bool yq_xml_code(struct buf *b, struct str digits)
{
    bool hex = digits.n > 1 && digits.p[1] == 'x';
    uint32_t c = 0;
    char text[4];

    digits = str_from(digits, hex ? 2 : 1);
    for (size_t i = 0; i < digits.n; i++) {
        int d = ascii_to_lower((unsigned char)digits.p[i]);
        if (!ascii_digit((unsigned char)d) && !(hex && d >= 'a' && d <= 'f'))
            return false;
        c = c * (hex ? 16 : 10) + (uint32_t)(d <= '9' ? d - '0' : d - 'a' + 10);
        if (c > 0x10FFFF)
            return false;
    }
    if (digits.n == 0 || c == 0 || (c >= 0xD800 && c < 0xE000))
        return false;
    buf_add(b, text, (size_t)utf8_encode(text, c));
    return true;
}

/* The text with its entities replaced. */
static bool yq_xml_decode(struct yq_xml *x, struct buf *b, struct str s)
{
    static const char *const names[] = {"lt", "gt", "amp", "quot", "apos"};
    static const char chars[] = "<>&\"'";

    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] != '&') {
            buf_putc(b, s.p[i]);
            continue;
        }
        ptrdiff_t semi = str_chr(str_sub(s, i, 64), ';');
        struct str name = semi < 0 ? STR("") : str_sub(s, i + 1, (size_t)semi - 1);
        bool known = name.n && name.p[0] == '#' && yq_xml_code(b, name);
        for (size_t k = 0; k < COUNT(names) && !known; k++)
            if (str_eqz(name, names[k])) {
                buf_putc(b, chars[k]);
                known = true;
            }
        if (!known) {
            x->p = s.p + i;
            yq_xml_wrong(x, "an entity that is not known: only those of XML itself are read");
            return false;
        }
        i += (size_t)semi;
    }
    return true;
}

static struct jq_val yq_xml_string(struct yq_xml *x, struct str s)
{
    struct buf b;
    struct jq_val v = jq_none();

    buf_init(&b, x->j->heap);
    if (yq_xml_decode(x, &b, s))
        v = jq_string_checked(x->j, buf_get(&b));
    buf_fini(&b);
    return v;
}

/* ---- elements -------------------------------------------------------------------------------- */

/* Adds a member; a second one of the same name makes an array of both. */
static bool yq_xml_add(struct yq_xml *x, struct jq_val *o, struct str name, struct jq_val v)
{
    struct jq_string *key = jq_intern_string(x->j, jq_string_checked(x->j, name));
    struct jq_val *old = key && o->kind == JQ_OBJECT ? jq_object_get(o->obj, key) : NULL;

    if (!key || !v.kind || o->kind != JQ_OBJECT) {
        jq_drop(x->j, v);
        jq_drop(x->j, jq_of_string(key));
        return false;
    }
    if (!old)
        return jq_put(x->j, o, key, v);
    jq_drop(x->j, jq_of_string(key));
    if (old->kind == JQ_ARRAY)
        return jq_push(x->j, old, v);
    struct jq_val both = jq_array(x->j, 2);
    if (both.kind == JQ_NONE) {
        jq_drop(x->j, v);
        return false;
    }
    both.arr->v[both.arr->n++] = *old;
    *old = both;
    return jq_push(x->j, old, v);
}

static bool yq_xml_attribute(struct yq_xml *x, struct jq_val *o)
{
    struct str name = yq_xml_name(x);
    struct buf key;
    bool ok = false;

    yq_xml_skip(x);
    if (name.n == 0 || x->p >= x->end || *x->p != '=')
        return yq_xml_wrong(x, "an attribute is a name, = and a value in quotes"), false;
    x->p++;
    yq_xml_skip(x);
    if (x->p >= x->end || (*x->p != '"' && *x->p != '\''))
        return yq_xml_wrong(x, "the value of an attribute is not in quotes"), false;
    const char quote[2] = {*x->p++, '\0'};
    struct str value = yq_xml_until(x, quote);
    if (!value.p)
        return yq_xml_wrong(x, "the value of an attribute does not end"), false;
    buf_init(&key, x->j->heap);
    buf_str(&key, x->m->o.attribute);
    buf_str(&key, name);
    ok = yq_xml_add(x, o, buf_get(&key), yq_xml_string(x, value));
    buf_fini(&key);
    return ok;
}

static struct jq_val yq_xml_element(struct yq_xml *x, struct str *name);

/* <!DOCTYPE ...> with what it has in brackets, as text. */
static struct str yq_xml_directive(struct yq_xml *x)
{
    const char *from = x->p += 2;
    size_t brackets = 0;

    for (; x->p < x->end; x->p++) {
        if (*x->p == '"' || *x->p == '\'') {
            const char *close = memchr(x->p + 1, *x->p, (size_t)(x->end - x->p - 1));
            if (!close)
                break;
            x->p = close;
        }
        brackets += *x->p == '[';
        brackets -= *x->p == ']' && brackets > 0;
        if (*x->p == '>' && brackets == 0)
            return str_of(from, (size_t)(x->p++ - from));
    }
    return STR_NONE;
}

/* Comments, CDATA and the like at <. 1: one was taken, 0: it is something else, -1. *cdata: text
 * that counts. */
static int yq_xml_markup(struct yq_xml *x, struct str *cdata)
{
    struct str s;

    *cdata = STR_NONE;
    if (yq_xml_at(x, "<!--")) {
        x->p += 4;
        s = yq_xml_until(x, "-->");
    } else if (yq_xml_at(x, "<![CDATA[")) {
        x->p += 9;
        *cdata = s = yq_xml_until(x, "]]>");
    } else if (yq_xml_at(x, "<?")) {
        x->p += 2;
        s = yq_xml_until(x, "?>");
    } else {
        return 0;
    }
    if (s.p)
        return 1;
    yq_xml_wrong(x, "a comment, a CDATA section or an instruction does not end");
    return -1;
}

/* One piece of an element: text, an element, something else. 1, 0 at its end tag, -1. */
static int yq_xml_piece(struct yq_xml *x, struct jq_val *o, struct str name)
{
    struct str cdata, child;
    struct jq_val v;

    if (*x->p != '<') {
        const char *lt = memchr(x->p, '<', (size_t)(x->end - x->p));
        struct str s = str_trim(str_of(x->p, (size_t)((lt ? lt : x->end) - x->p)));
        x->p = lt ? lt : x->end;
        const char *behind = x->p;
        if (s.n == 0)
            return 1;
        v = yq_xml_string(x, s);
        if (v.kind)
            x->p = behind;
        return yq_xml_add(x, o, x->m->o.content, v) ? 1 : -1;
    }
    int n = yq_xml_markup(x, &cdata);
    if (n) {
        if (n > 0 && cdata.p)
            n = yq_xml_add(x, o, x->m->o.content, jq_string_checked(x->j, cdata)) ? 1 : -1;
        return n;
    }
    if (yq_xml_at(x, "</")) {
        x->p += 2;
        child = yq_xml_name(x);
        yq_xml_skip(x);
        if (!str_eq(child, name) || x->p >= x->end || *x->p != '>')
            return yq_xml_wrong(x, "an end tag that does not fit"), -1;
        x->p++;
        return 0;
    }
    v = yq_xml_element(x, &child);
    return yq_xml_add(x, o, child, v) ? 1 : -1;
}

/* An element that has nothing but text is a string, and an empty one is null. */
static struct jq_val yq_xml_simplify(struct yq_xml *x, struct jq_val o)
{
    struct jq_val v = jq_null();

    if (o.obj->n > 1)
        return o;
    if (o.obj->n == 1) {
        struct jq_string *key = jq_intern(x->j, x->m->o.content);
        struct jq_val *text = key ? jq_object_get(o.obj, key) : NULL;
        jq_drop(x->j, jq_of_string(key));
        if (!text || text->kind != JQ_STRING)
            return o;
        v = jq_copy(*text);
    }
    jq_drop(x->j, o);
    return v;
}

/* At <name. */
static struct jq_val yq_xml_element(struct yq_xml *x, struct str *name)
{
    struct jq_val o;
    int n = 1;

    *name = STR("");
    if (task_stack_low(x->j->p->task))
        return yq_xml_wrong(x, "nested too deep");
    x->p++;
    *name = yq_xml_name(x);
    if (name->n == 0)
        return yq_xml_wrong(x, "the name of an element is expected");
    o = jq_object(x->j, 4);
    for (;;) {
        yq_xml_skip(x);
        if (x->p >= x->end || *x->p == '>' || *x->p == '/')
            break;
        if (!yq_xml_attribute(x, &o) || proc_tick(x->j->p, 1) < 0) {
            jq_drop(x->j, o);
            return jq_none();
        }
    }
    if (yq_xml_at(x, "/>")) {
        x->p += 2;
        n = 0;
    } else if (x->p >= x->end || *x->p++ != '>') {
        yq_xml_wrong(x, "a tag does not end");
        n = -1;
    }
    while (n == 1) {
        if (x->p >= x->end) {
            yq_xml_wrong(x, "an element does not end");
            n = -1;
        } else {
            n = yq_xml_piece(x, &o, *name);
        }
        if (proc_tick(x->j->p, 1) < 0)
            n = -1;
    }
    if (n < 0 || o.kind != JQ_OBJECT) {
        jq_drop(x->j, o);
        return jq_none();
    }
    return yq_xml_simplify(x, o);
}

/* What stands outside of the root: <?xml ...?> and <!DOCTYPE ...> are kept. 1, 0: an element. */
static int yq_xml_outside(struct yq_xml *x, struct jq_val *o)
{
    struct str s, cdata;

    yq_xml_skip(x);
    if (x->p >= x->end || *x->p != '<')
        return 0;
    if (yq_xml_at(x, "<?")) {
        struct buf key;
        x->p += 2;
        buf_init(&key, x->j->heap);
        buf_addz(&key, "+p_");
        buf_str(&key, yq_xml_name(x));
        s = yq_xml_until(x, "?>");
        bool ok = s.p && yq_xml_add(x, o, buf_get(&key), jq_string_checked(x->j, str_trim(s)));
        buf_fini(&key);
        if (!s.p)
            yq_xml_wrong(x, "an instruction does not end");
        return ok ? 1 : -1;
    }
    int n = yq_xml_markup(x, &cdata);
    if (n)
        return n;
    if (!yq_xml_at(x, "<!"))
        return 0;
    s = yq_xml_directive(x);
    if (!s.p)
        return yq_xml_wrong(x, "a document type does not end"), -1;
    return yq_xml_add(x, o, STR("+directive"), jq_string_checked(x->j, s)) ? 1 : -1;
}

struct jq_val yq_read_xml(struct yq *m, struct str text)
{
    struct yq_xml x = {.m = m, .j = &m->j, .text = text};
    struct jq_val o = jq_object(&m->j, 4), v;
    struct str name;
    bool root = false;
    int n;

    if (str_starts(text, STR("\xEF\xBB\xBF")))
        text = str_from(text, 3);
    x.p = text.p;
    x.end = text.p + text.n;
    for (;;) {
        n = yq_xml_outside(&x, &o);
        if (n == 0 && x.p < x.end) {
            if (*x.p != '<' || root) {
                yq_xml_wrong(&x, root ? "something is left over behind the element"
                                      : "an element is expected");
                n = -1;
            } else {
                v = yq_xml_element(&x, &name);
                root = true;
                n = yq_xml_add(&x, &o, name, v) ? 1 : -1;
            }
        }
        if (n < 0 || o.kind == JQ_NONE || m->j.heap->oom) {
            jq_drop(&m->j, o);
            return jq_none();
        }
        if (n == 0)
            return o;
    }
}

/* ---- writing --------------------------------------------------------------------------------- */

static void yq_xml_escape(struct buf *b, struct str s, bool attribute)
{
    for (size_t i = 0; i < s.n; i++) {
        switch (s.p[i]) {
        case '&': buf_addz(b, "&amp;"); break;
        case '<': buf_addz(b, "&lt;"); break;
        case '>': buf_addz(b, "&gt;"); break;
        case '"': buf_addz(b, attribute ? "&quot;" : "\""); break;
        case '\n': buf_addz(b, attribute ? "&#xA;" : "\n"); break;
        default: buf_putc(b, s.p[i]); break;
        }
    }
}

static bool yq_xml_is_scalar(struct jq_val v) { return v.kind != JQ_ARRAY && v.kind != JQ_OBJECT; }

static void yq_xml_put_text(struct yq *m, struct buf *b, struct jq_val v, bool attribute)
{
    struct buf text;

    if (v.kind == JQ_NULL)
        return;
    buf_init(&text, m->j.heap);
    yq_put_scalar(m, &text, v);
    yq_xml_escape(b, buf_get(&text), attribute);
    buf_fini(&text);
}

static bool yq_xml_good_name(struct yq *m, struct str name)
{
    bool good = name.n > 0 && !strchr("-.0123456789", name.p[0]);

    for (size_t i = 0; i < name.n; i++)
        good = good && (unsigned char)name.p[i] > ' ' && !strchr("<>/=\"'&?!+@", name.p[i]);
    if (!good)
        jq_fail(&m->j, "\"%.*s\" cannot be a name in XML", STR_ARG(name));
    return good;
}

static bool yq_xml_put(struct yq *m, struct buf *b, struct str name, struct jq_val v, int level);

/* The attributes of an element. *inner: there are elements in it; *text: its text. */
static bool yq_xml_put_attributes(struct yq *m, struct buf *b, const struct jq_object *o,
                                  bool *inner, struct jq_val *text)
{
    *inner = false;
    *text = jq_null();
    for (uint32_t i = 0; i < o->used; i++) {
        const struct jq_member *x = &o->m[i];
        if (!x->key)
            continue;
        struct str key = str_of(x->key->data, x->key->n);
        if (str_eq(key, m->o.content)) {
            *text = x->v;
        } else if (m->o.attribute.n && str_starts(key, m->o.attribute)) {
            key = str_from(key, m->o.attribute.n);
            if (!yq_xml_good_name(m, key))
                return false;
            if (!yq_xml_is_scalar(x->v))
                return jq_fail(&m->j, "the attribute %.*s of XML must be a scalar", STR_ARG(key)),
                       false;
            buf_printf(b, " %.*s=\"", STR_ARG(key));
            yq_xml_put_text(m, b, x->v, true);
            buf_putc(b, '"');
        } else {
            *inner = true;
        }
    }
    return true;
}

static bool yq_xml_put_object(struct yq *m, struct buf *b, struct str name,
                              const struct jq_object *o, int level)
{
    bool inner;
    struct jq_val text;

    buf_printf(b, "<%.*s", STR_ARG(name));
    if (!yq_xml_put_attributes(m, b, o, &inner, &text))
        return false;
    buf_putc(b, '>');
    if (yq_xml_is_scalar(text))
        yq_xml_put_text(m, b, text, false);
    for (uint32_t i = 0; text.kind == JQ_ARRAY && i < text.arr->n; i++)
        if (yq_xml_is_scalar(text.arr->v[i]))
            yq_xml_put_text(m, b, text.arr->v[i], false);
    if (inner)
        buf_putc(b, '\n');
    for (uint32_t i = 0; i < o->used; i++) {
        const struct jq_member *x = &o->m[i];
        struct str key = x->key ? str_of(x->key->data, x->key->n) : STR_NONE;
        if (!x->key || str_eq(key, m->o.content) ||
            (m->o.attribute.n && str_starts(key, m->o.attribute)))
            continue;
        if (!yq_xml_put(m, b, key, x->v, level + 1))
            return false;
    }
    if (inner)
        buf_fill(b, ' ', (size_t)(level * m->indent));
    buf_printf(b, "</%.*s>\n", STR_ARG(name));
    return true;
}

static bool yq_xml_put(struct yq *m, struct buf *b, struct str name, struct jq_val v, int level)
{
    if (task_stack_low(m->j.p->task) || m->j.heap->oom || proc_tick(m->j.p, 1) < 0)
        return jq_fail(&m->j, "the value is nested too deep to be written"), false;
    if (v.kind == JQ_ARRAY) {
        for (uint32_t i = 0; i < v.arr->n; i++)
            if (!yq_xml_put(m, b, name, v.arr->v[i], level))
                return false;
        return true;
    }
    if (!yq_xml_good_name(m, name))
        return false;
    buf_fill(b, ' ', (size_t)(level * m->indent));
    if (v.kind == JQ_OBJECT)
        return yq_xml_put_object(m, b, name, v.obj, level);
    buf_printf(b, "<%.*s>", STR_ARG(name));
    yq_xml_put_text(m, b, v, false);
    buf_printf(b, "</%.*s>\n", STR_ARG(name));
    return true;
}

bool yq_write_xml(struct yq *m, struct buf *b, struct jq_val v)
{
    size_t at = b->n;

    if (v.kind != JQ_OBJECT)
        return jq_fail(&m->j, "XML is written from an object, not from %s", jq_kind_name(v)), false;
    for (uint32_t i = 0; i < v.obj->used; i++) {
        const struct jq_member *x = &v.obj->m[i];
        if (!x->key)
            continue;
        struct str key = str_of(x->key->data, x->key->n);
        bool instruction = str_starts(key, STR("+p_"));
        if ((instruction || str_eqz(key, "+directive")) && x->v.kind == JQ_STRING) {
            struct str s = jq_text(x->v);
            if (instruction)
                buf_printf(b, "<?%.*s %.*s?>\n", STR_ARG(str_from(key, 3)), STR_ARG(s));
            else
                buf_printf(b, "<!%.*s>\n", STR_ARG(s));
        } else if (!yq_xml_put(m, b, key, x->v, 0)) {
            return false;
        }
    }
    if (b->n == at)
        buf_putc(b, '\n');
    return true;
}

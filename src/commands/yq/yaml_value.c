/* yaml_value.c -- from nodes to values: what scalars stand for, aliases, merge keys
 *
 * Scalars are read as the core schema of YAML 1.2 has it, with two habits of the Go tools: digits
 * may be parted by _, and a number with a leading zero is octal. An alias shares the value of its
 * anchor, so a tree of aliases costs no more memory than its text.
 */
#include <math.h>

#include "base/utf8.h"
#include "commands/yq/yaml.h"

/* ---- scalars --------------------------------------------------------------------------------- */

static bool yaml_any_of(struct str s, const char *const *words)
{
    for (; *words; words++)
        if (str_eqz(s, *words))
            return true;
    return false;
}

/* 0x, 0o, 0b and 0 in front of digits. */
static bool yaml_based(struct str s, double *out)
{
    size_t i = s.n && (s.p[0] == '-' || s.p[0] == '+');
    unsigned base = 8;
    bool some = false;

    if (s.n < i + 2 || s.p[i] != '0')
        return false;
    i++;
    if (s.p[i] == 'x' || s.p[i] == 'o' || s.p[i] == 'b') {
        base = s.p[i] == 'x' ? 16 : s.p[i] == 'b' ? 2 : 8;
        i++;
    }
    *out = 0;
    for (; i < s.n; i++) {
        int c = ascii_to_lower((unsigned char)s.p[i]);
        unsigned digit = ascii_digit((unsigned char)c) ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f'        ? (unsigned)(c - 'a' + 10)
                                                       : 99;
        if (c == '_')
            continue;
        if (digit >= base)
            return false;
        *out = *out * base + digit;
        some = true;
    }
    if (s.p[0] == '-')
        *out = -*out;
    return some;
}

/* Whether s has the form of a decimal number: sign, digits with _, a point, an exponent. */
static bool yaml_decimal(struct str s, bool *underscores)
{
    size_t i = s.n && (s.p[0] == '-' || s.p[0] == '+'), digits = 0;
    bool point = false;

    *underscores = false;
    for (; i < s.n && (ascii_digit((unsigned char)s.p[i]) || s.p[i] == '_' || s.p[i] == '.'); i++) {
        if (s.p[i] == '.' && point)
            return false;
        point |= s.p[i] == '.';
        if (s.p[i] == '_' && digits == 0)
            return false;
        *underscores |= s.p[i] == '_';
        digits += ascii_digit((unsigned char)s.p[i]) != 0;
    }
    if (digits == 0 || i == s.n)
        return digits > 0;
    if (s.p[i] != 'e' && s.p[i] != 'E')
        return false;
    i++;
    i += i < s.n && (s.p[i] == '-' || s.p[i] == '+');
    if (i == s.n)
        return false;
    while (i < s.n && ascii_digit((unsigned char)s.p[i]))
        i++;
    return i == s.n;
}

static struct jq_val yaml_number(struct jq *j, struct str s, bool *string)
{
    static const char *const inf[] = {".inf", ".Inf", ".INF", NULL};
    static const char *const nan[] = {".nan", ".NaN", ".NAN", NULL};
    struct str word = str_from(s, s.p[0] == '-' || s.p[0] == '+');
    struct jq_val v = jq_none();
    bool underscores;
    double d;

    if (yaml_any_of(word, inf))
        return jq_number(s.p[0] == '-' ? -INFINITY : INFINITY);
    if (yaml_any_of(s, nan))
        return jq_number(NAN);
    if (yaml_based(s, &d))
        return jq_number(d);
    if (!yaml_decimal(s, &underscores)) {
        *string = true;
        return v;
    }
    if (!underscores)
        return jq_number_literal(j, s);
    struct buf b;
    buf_init(&b, j->heap);
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] != '_')
            buf_putc(&b, s.p[i]);
    if (b.n)
        v = jq_number_literal(j, buf_get(&b));
    buf_fini(&b);
    return v;
}

struct jq_val yaml_resolve(struct jq *j, struct str s, bool *string)
{
    static const char *const null[] = {"", "~", "null", "Null", "NULL", NULL};
    static const char *const yes[] = {"true", "True", "TRUE", NULL};
    static const char *const no[] = {"false", "False", "FALSE", NULL};

    *string = false;
    if (yaml_any_of(s, null))
        return jq_null();
    switch (s.p[0]) {
    case 't':
    case 'T':
    case 'f':
    case 'F':
        if (yaml_any_of(s, yes))
            return jq_bool(true);
        if (yaml_any_of(s, no))
            return jq_bool(false);
        break;
    case '+':
    case '-':
    case '.': return yaml_number(j, s, string);
    default:
        if (ascii_digit((unsigned char)s.p[0]))
            return yaml_number(j, s, string);
    }
    *string = true;
    return jq_none();
}

/* The name of one of YAML's own tags, or {NULL, 0}. */
static struct str yaml_own_tag(struct str tag)
{
    if (str_starts(tag, STR("!!")))
        return str_from(tag, 2);
    if (str_starts(tag, STR("!<tag:yaml.org,2002:")) && str_ends(tag, STR(">")))
        return str_sub(tag, 20, tag.n - 21);
    return STR_NONE;
}

static struct jq_val yaml_scalar(struct yaml_reader *y, const struct yaml_node *n)
{
    static const char *const resolved[] = {"int", "float", "bool", "null", NULL};
    bool plain = n->style == YAML_PLAIN, string = true;
    struct jq_val v = jq_none();

    if (n->tag.p)
        plain = yaml_any_of(yaml_own_tag(n->tag), resolved);
    if (plain)
        v = yaml_resolve(y->j, n->text, &string);
    return string ? jq_string_checked(y->j, n->text) : v;
}

/* ---- containers ------------------------------------------------------------------------------ */

static struct jq_val yaml_make(struct yaml_reader *y, struct yaml_node *n);

/* Keeps a value that nodes may point to as long as the document. Takes over the reference. */
static void yaml_retain(struct yaml_doc *d, struct jq_val v)
{
    if (v.counted && !vec_push(d->j->heap, &d->kept, v))
        jq_drop(d->j, v);
}

static struct jq_val yaml_make_seq(struct yaml_reader *y, struct yaml_node *n)
{
    struct jq_val a = jq_array(y->j, n->n);

    for (struct yaml_node *c = n->first; c; c = c->next)
        if (!jq_push(y->j, &a, yaml_make(y, c))) {
            jq_drop(y->j, a);
            return jq_none();
        }
    return a;
}

/* The key of a mapping as a string, a new reference. */
static struct jq_string *yaml_key(struct yaml_reader *y, struct yaml_node *key)
{
    struct yaml_node *k = key->kind == YAML_ALIAS ? key->target : key;

    if (k->kind != YAML_SCALAR)
        return yaml_fail(y, "a key that is a sequence or a mapping is not supported");
    return jq_intern_string(y->j, jq_string_checked(y->j, k->text));
}

/* Sets a member; the value that it replaces may be known to nodes. */
static bool yaml_set(struct yaml_reader *y, struct jq_val *o, struct jq_string *key,
                     struct jq_val v)
{
    struct jq_val *old = key && o->kind == JQ_OBJECT ? jq_object_get(o->obj, key) : NULL;

    if (old)
        yaml_retain(y->doc, jq_copy(*old));
    if (v.kind && key)
        return jq_put(y->j, o, key, v);
    jq_drop(y->j, v);
    jq_drop(y->j, jq_of_string(key));
    return false;
}

/* Adds the members of `from` that are not there yet. */
static bool yaml_merge_object(struct yaml_reader *y, struct jq_val *o, const struct jq_object *from)
{
    for (uint32_t i = 0; i < from->used; i++) {
        struct jq_string *key = from->m[i].key;
        if (!key || jq_object_get(o->obj, key))
            continue;
        key->refs++;
        if (!jq_put(y->j, o, key, jq_copy(from->m[i].v)) || proc_tick(y->j->p, 1) < 0)
            return false;
    }
    return true;
}

/* << and its value, which is made already: a mapping, or a sequence of them. */
static bool yaml_merge(struct yaml_reader *y, struct jq_val *o, struct jq_val v)
{
    if (v.kind == JQ_OBJECT)
        return yaml_merge_object(y, o, v.obj);
    for (uint32_t i = 0; i < v.arr->n; i++)
        if (!yaml_merge_object(y, o, v.arr->v[i].obj))
            return false;
    return true;
}

static bool yaml_mergeable(struct jq_val v)
{
    if (v.kind != JQ_ARRAY)
        return v.kind == JQ_OBJECT;
    for (uint32_t i = 0; i < v.arr->n; i++)
        if (v.arr->v[i].kind != JQ_OBJECT)
            return false;
    return v.arr->n > 0;
}

static bool yaml_is_merge(const struct yaml_node *key)
{
    return key->kind == YAML_SCALAR && key->style == YAML_PLAIN && !key->tag.p &&
           str_eqz(key->text, "<<");
}

static struct jq_val yaml_make_map(struct yaml_reader *y, struct yaml_node *n)
{
    struct jq_val o = jq_object(y->j, n->n / 2);

    for (struct yaml_node *key = n->first; key && o.kind; key = key->next->next) {
        struct jq_val v = yaml_make(y, key->next);
        bool ok = v.kind != JQ_NONE;
        if (ok && yaml_is_merge(key) && yaml_mergeable(v)) {
            key->merge = true;
            ok = yaml_merge(y, &o, v);
            yaml_retain(y->doc, v);
        } else {
            ok = ok ? yaml_set(y, &o, yaml_key(y, key), v) : ok;
        }
        if (!ok || y->wrong) {
            jq_drop(y->j, o);
            return jq_none();
        }
    }
    return o;
}

static struct jq_val yaml_make(struct yaml_reader *y, struct yaml_node *n)
{
    struct jq_val v;

    if (task_stack_low(y->j->p->task)) {
        yaml_fail(y, "nested too deep");
        return jq_none();
    }
    switch (n->kind) {
    case YAML_SEQ: v = yaml_make_seq(y, n); break;
    case YAML_MAP: v = yaml_make_map(y, n); break;
    case YAML_ALIAS: v = jq_copy(n->target->v); break;
    default: v = yaml_scalar(y, n); break;
    }
    return n->v = v;
}

bool yaml_build(struct yaml_reader *y, struct yaml_doc *d)
{
    d->value = yaml_make(y, d->root);
    return d->value.kind != JQ_NONE && !y->j->heap->oom;
}

/* ---- from values to nodes -------------------------------------------------------------------- */

static uint32_t yaml_address(struct jq_val v)
{
    uint64_t h = (uint64_t)(uintptr_t)v.refs * 0x9E3779B97F4A7C15u;
    return (uint32_t)(h >> 32);
}

static size_t yaml_count(const struct yaml_node *n)
{
    size_t count = n->kind == YAML_SEQ || n->kind == YAML_MAP;
    for (const struct yaml_node *c = n->first; c; c = c->next)
        count += yaml_count(c);
    return count;
}

static void yaml_enter(struct yaml_doc *d, struct yaml_node *n)
{
    if (n->kind != YAML_SEQ && n->kind != YAML_MAP)
        return;
    if (n->v.counted) {
        uint32_t at = yaml_address(n->v) & d->mask;
        while (d->table[at])
            at = (at + 1) & d->mask;
        d->table[at] = n;
    }
    for (struct yaml_node *c = n->first; c; c = c->next)
        yaml_enter(d, c);
}

struct yaml_node *yaml_find(struct yaml_doc *d, struct jq_val v)
{
    if (!d->root || (v.kind != JQ_ARRAY && v.kind != JQ_OBJECT))
        return NULL;
    if (!d->table) {
        size_t n = yaml_count(d->root), size = 16;
        while (size < n * 2)
            size *= 2;
        d->table = heap_zalloc(d->j->heap, size * sizeof *d->table);
        if (!d->table)
            return NULL;
        d->mask = (uint32_t)size - 1;
        yaml_enter(d, d->root);
    }
    for (uint32_t at = yaml_address(v) & d->mask; d->table[at]; at = (at + 1) & d->mask)
        if (d->table[at]->v.refs == v.refs)
            return d->table[at];
    return NULL;
}

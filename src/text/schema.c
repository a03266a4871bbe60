/* schema.c -- JSON Schema: compiled once, checked against any value
 *
 * A schema may come from anywhere, so it is bounded in every way: how deep it nests, how often a
 * $ref may lead to itself without getting further into the value, and how many steps one check
 * may take (alternatives inside alternatives multiply). Patterns run on the linear engine.
 */
#include "text/schema.h"

#include <math.h>

#include "base/fmt.h"
#include "base/map.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "text/nearest.h"
#include "text/number.h"
#include "text/regex.h"

enum {
    SCHEMA_DEPTH = 64,       /* nesting of a schema, and of a value while it is checked */
    SCHEMA_REFS = 64,        /* $refs followed at one place of the value */
    SCHEMA_STEPS = 2000000,  /* of one check */
    SCHEMA_SHOWN = 120,      /* bytes of a value or a list in a fault */
    SCHEMA_INTEGER = 1 << 7, /* beside 1 << JSON_..., in `types` */
    SCHEMA_ANY_TYPE = 0
};

struct schema_member {
    struct str name;
    struct schema *schema;
    struct regex *pattern; /* patternProperties */
    struct schema_member *next;
};

struct schema_list {
    struct schema *schema;
    struct schema_list *next;
};

enum {
    SCHEMA_MIN,
    SCHEMA_MAX,
    SCHEMA_ABOVE,
    SCHEMA_BELOW,
    SCHEMA_MULTIPLE,
    SCHEMA_NUMBERS
};
enum {
    SCHEMA_MIN_LENGTH,
    SCHEMA_MAX_LENGTH,
    SCHEMA_MIN_ITEMS,
    SCHEMA_MAX_ITEMS,
    SCHEMA_MIN_PROPERTIES,
    SCHEMA_MAX_PROPERTIES,
    SCHEMA_COUNTS
};

struct schema {
    bool never;     /* the schema `false` */
    unsigned types; /* bits 1 << JSON_..., SCHEMA_INTEGER; 0: any */
    struct schema *ref;
    struct schema_member *properties, *patterns;
    struct map *index; /* name -> struct schema_member */
    struct schema *additional;
    const struct json *required; /* an array of strings */
    struct schema_list *prefix;
    struct schema *items;
    const struct json *choices; /* enum: an array */
    const struct json *constant;
    long double number[SCHEMA_NUMBERS];
    bool has_number[SCHEMA_NUMBERS];
    uint64_t count[SCHEMA_COUNTS];
    bool has_count[SCHEMA_COUNTS];
    bool unique;
    struct regex *pattern;
    struct str pattern_text, format;
    struct schema_list *any, *one, *all;
    struct schema *never_fit;
};

/* ---- compiling
 * --------------------------------------------------------------------------------- */

struct schema_maker {
    struct arena *arena;
    const struct json *top;
    struct map made; /* the address of a struct json -> its struct schema, which closes cycles */
    struct hob_error *err;
    int depth;
};

static int schema_make(struct schema_maker *m, const struct json *v, struct schema **out);

static int schema_no_memory(struct schema_maker *m)
{
    return error_set(m->err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
}

/* The names that lead to v from the top, for messages. The schema may be a part of something. */
static void schema_where(const struct json *top, const struct json *v, char *dst, size_t cap)
{
    const struct json *up[SCHEMA_DEPTH * 2];
    size_t n = 0, at = 0;

    for (; v && v != top && v->parent && n < COUNT(up); v = v->parent)
        up[n++] = v;
    dst[0] = '\0';
    while (n > 0 && at + 2 < cap) {
        struct str key = up[--n]->key;
        char digits[20];
        if (up[n]->parent->kind == JSON_ARRAY) {
            uint64_t i = 0;
            for (const struct json *x = up[n]->parent->first; x != up[n]; x = x->next)
                i++;
            key = str_of(digits, fmt_uint(digits, i));
        }
        size_t len = MIN(key.n, cap - at - 2);
        dst[at++] = '/';
        if (len)
            memcpy(dst + at, key.p, len);
        at += len;
        dst[at] = '\0';
    }
}

static int schema_wrong(struct schema_maker *m, const struct json *v, const char *what)
{
    char where[120];
    schema_where(m->top, v, where, sizeof where);
    return error_set(m->err, HOB_EINVAL, "%s: %s", where[0] ? where : "/", what);
}

static int schema_sub(struct schema_maker *m, const struct json *v, struct schema **out)
{
    if (m->depth >= SCHEMA_DEPTH)
        return schema_wrong(m, v, "the schema is nested too deeply");
    m->depth++;
    int r = schema_make(m, v, out);
    m->depth--;
    return r;
}

static unsigned schema_type_bit(struct str name)
{
    static const struct {
        const char *name;
        unsigned bits;
    } types[] = {{"null", 1u << JSON_NULL},     {"boolean", 1u << JSON_TRUE | 1u << JSON_FALSE},
                 {"number", 1u << JSON_NUMBER}, {"integer", SCHEMA_INTEGER},
                 {"string", 1u << JSON_STRING}, {"array", 1u << JSON_ARRAY},
                 {"object", 1u << JSON_OBJECT}};
    for (size_t i = 0; i < COUNT(types); i++) {
        if (str_eqz(name, types[i].name))
            return types[i].bits;
    }
    return 0;
}

static int schema_type(struct schema_maker *m, const struct json *v, struct schema *s)
{
    const struct json *each = v->kind == JSON_ARRAY ? v->first : v;
    if (!each)
        return schema_wrong(m, v, "the list of types is empty");
    for (; each; each = v->kind == JSON_ARRAY ? each->next : NULL) {
        unsigned bits = each->kind == JSON_STRING ? schema_type_bit(each->text) : 0;
        if (!bits)
            return schema_wrong(m, each,
                                "no type; the types are string, number, integer, boolean, array, "
                                "object and null");
        s->types |= bits;
    }
    return 0;
}

static void schema_map_fini(void *map) { map_fini(map); }

/* The members of `properties` or `patternProperties`. */
static int schema_members(struct schema_maker *m, const struct json *v, struct schema *s,
                          bool patterns)
{
    struct schema_member **tail = patterns ? &s->patterns : &s->properties;
    if (v->kind != JSON_OBJECT)
        return schema_wrong(m, v, "expected an object");
    if (!patterns) {
        s->index = arena_new(m->arena, struct map);
        if (!s->index)
            return schema_no_memory(m);
        map_init(s->index, m->arena->heap);
        if (arena_on_release(m->arena, schema_map_fini, s->index) < 0)
            return schema_no_memory(m);
    }
    for (const struct json *p = v->first; p; p = p->next) {
        struct schema_member *x = arena_new(m->arena, struct schema_member);
        if (!x)
            return schema_no_memory(m);
        x->name = p->key;
        int r = patterns ? schema_pattern(m->arena, p->key, &x->pattern, m->err) : 0;
        r = r < 0 ? r : schema_sub(m, p, &x->schema);
        if (r < 0)
            return r;
        void **place = patterns ? NULL : map_put(s->index, p->key);
        if (!patterns && !place)
            return schema_no_memory(m);
        if (place)
            *place = x;
        *tail = x;
        tail = &x->next;
    }
    return 0;
}

static int schema_several(struct schema_maker *m, const struct json *v, struct schema_list **out,
                          bool empty)
{
    if (v->kind != JSON_ARRAY || (!v->first && !empty))
        return schema_wrong(m, v, "expected a list of schemas");
    for (const struct json *each = v->first; each; each = each->next) {
        struct schema_list *x = arena_new(m->arena, struct schema_list);
        if (!x)
            return schema_no_memory(m);
        int r = schema_sub(m, each, &x->schema);
        if (r < 0)
            return r;
        *out = x;
        out = &x->next;
    }
    return 0;
}

/* One name of a JSON pointer: ~1 is a slash, ~0 a tilde, %XX a byte. */
static struct str schema_unescape(struct arena *a, struct str s)
{
    char *out = arena_alloc(a, s.n + 1);
    size_t n = 0;
    if (!out)
        return STR_NONE;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '~' && i + 1 < s.n && (s.p[i + 1] == '0' || s.p[i + 1] == '1'))
            c = s.p[++i] == '0' ? '~' : '/';
        out[n++] = c;
    }
    out[n] = '\0';
    return str_of(out, n);
}

static int schema_ref(struct schema_maker *m, const struct json *v, struct schema *s)
{
    const struct json *to = m->top;
    struct str path;

    if (!json_string(v, &path) || path.n == 0 || path.p[0] != '#' ||
        (path.n > 1 && path.p[1] != '/'))
        return schema_wrong(m, v, "expected a place in the same schema, such as #/$defs/name");
    path = str_from(path, 1);
    while (path.n > 0 && to) {
        path = str_from(path, 1);
        ptrdiff_t slash = str_chr(path, '/');
        struct str name = slash < 0 ? path : str_sub(path, 0, (size_t)slash);
        path = slash < 0 ? STR_NONE : str_from(path, (size_t)slash);
        name = schema_unescape(m->arena, name);
        if (!name.p)
            return schema_no_memory(m);
        uint64_t i;
        if (to->kind == JSON_ARRAY)
            to = str_uint(name, &i) == 0 ? json_at(to, (size_t)i) : NULL;
        else
            to = json_get(to, name.p);
    }
    if (!to)
        return schema_wrong(m, v, "there is nothing at that place of the schema");
    return schema_sub(m, to, &s->ref);
}

static int schema_number_key(struct schema_maker *m, const struct json *v, struct schema *s,
                             int which)
{
    size_t used;
    if (v->kind == JSON_TRUE && (which == SCHEMA_ABOVE || which == SCHEMA_BELOW)) {
        /* An older form: the bound stands in minimum or maximum. */
        const struct json *bound =
            json_get(v->parent, which == SCHEMA_ABOVE ? "minimum" : "maximum");
        if (!bound || bound->kind != JSON_NUMBER)
            return 0;
        v = bound;
    } else if (v->kind == JSON_FALSE && (which == SCHEMA_ABOVE || which == SCHEMA_BELOW)) {
        return 0;
    }
    if (v->kind != JSON_NUMBER)
        return schema_wrong(m, v, "expected a number");
    s->number[which] = number_parse(v->text, &used);
    s->has_number[which] = true;
    if (which == SCHEMA_MULTIPLE && !(s->number[which] > 0))
        return schema_wrong(m, v, "expected a number above 0");
    return 0;
}

static int schema_count_key(struct schema_maker *m, const struct json *v, struct schema *s,
                            int which)
{
    int64_t n;
    size_t used;
    if (v->kind == JSON_NUMBER && !json_int(v, &n)) {
        long double d = number_parse(v->text, &used);
        n = d >= 0 && d < 9e15L && d == floorl(d) ? (int64_t)d : -1;
    } else if (v->kind != JSON_NUMBER) {
        n = -1;
    }
    if (n < 0)
        return schema_wrong(m, v, "expected a whole number, 0 or more");
    s->count[which] = (uint64_t)n;
    s->has_count[which] = true;
    return 0;
}

static int schema_required(struct schema_maker *m, const struct json *v, struct schema *s)
{
    if (v->kind == JSON_TRUE || v->kind == JSON_FALSE) /* an older form, of the property itself */
        return 0;
    if (v->kind != JSON_ARRAY)
        return schema_wrong(m, v, "expected a list of names");
    for (const struct json *each = v->first; each; each = each->next) {
        if (each->kind != JSON_STRING)
            return schema_wrong(m, each, "expected a name");
    }
    s->required = v;
    return 0;
}

static int schema_text_key(struct schema_maker *m, const struct json *v, struct schema *s)
{
    if (v->kind != JSON_STRING)
        return schema_wrong(m, v, "expected a string");
    if (str_eqz(v->key, "format")) {
        s->format = v->text;
        return 0;
    }
    s->pattern_text = v->text;
    struct hob_error why = {0};
    int r = schema_pattern(m->arena, v->text, &s->pattern, &why);
    return r == HOB_EINVAL ? schema_wrong(m, v, why.msg) : r < 0 ? schema_no_memory(m) : 0;
}

static int schema_items(struct schema_maker *m, const struct json *v, struct schema *s)
{
    if (v->kind == JSON_ARRAY) /* an older form of prefixItems */
        return schema_several(m, v, &s->prefix, true);
    return schema_sub(m, v, &s->items);
}

/* Keywords whose place in struct schema follows from a number. */
static int schema_bound(struct schema_maker *m, const struct json *v, struct schema *s, bool *known)
{
    static const char *const numbers[] = {"minimum", "maximum", "exclusiveMinimum",
                                          "exclusiveMaximum", "multipleOf"};
    static const char *const counts[] = {"minLength", "maxLength",     "minItems",
                                         "maxItems",  "minProperties", "maxProperties"};
    *known = true;
    for (int i = 0; i < SCHEMA_NUMBERS; i++) {
        if (str_eqz(v->key, numbers[i]))
            return schema_number_key(m, v, s, i);
    }
    for (int i = 0; i < SCHEMA_COUNTS; i++) {
        if (str_eqz(v->key, counts[i]))
            return schema_count_key(m, v, s, i);
    }
    *known = false;
    return 0;
}

static int schema_keyword(struct schema_maker *m, const struct json *v, struct schema *s)
{
    bool known;
    int r = schema_bound(m, v, s, &known);
    if (known)
        return r;
    struct str key = v->key;
    if (str_eqz(key, "type"))
        return schema_type(m, v, s);
    if (str_eqz(key, "properties"))
        return schema_members(m, v, s, false);
    if (str_eqz(key, "patternProperties"))
        return schema_members(m, v, s, true);
    if (str_eqz(key, "required"))
        return schema_required(m, v, s);
    if (str_eqz(key, "additionalProperties"))
        return schema_sub(m, v, &s->additional);
    if (str_eqz(key, "items"))
        return schema_items(m, v, s);
    if (str_eqz(key, "prefixItems"))
        return schema_several(m, v, &s->prefix, true);
    if (str_eqz(key, "additionalItems"))
        return s->items ? 0 : schema_sub(m, v, &s->items);
    if (str_eqz(key, "anyOf"))
        return schema_several(m, v, &s->any, false);
    if (str_eqz(key, "oneOf"))
        return schema_several(m, v, &s->one, false);
    if (str_eqz(key, "allOf"))
        return schema_several(m, v, &s->all, false);
    if (str_eqz(key, "not"))
        return schema_sub(m, v, &s->never_fit);
    if (str_eqz(key, "pattern") || str_eqz(key, "format"))
        return schema_text_key(m, v, s);
    if (str_eqz(key, "$ref"))
        return schema_ref(m, v, s);
    if (str_eqz(key, "enum") && v->kind != JSON_ARRAY)
        return schema_wrong(m, v, "expected a list of values");
    if (str_eqz(key, "enum"))
        s->choices = v;
    if (str_eqz(key, "const"))
        s->constant = v;
    if (str_eqz(key, "uniqueItems"))
        s->unique = v->kind == JSON_TRUE;
    return 0;
}

static int schema_make(struct schema_maker *m, const struct json *v, struct schema **out)
{
    void **place = map_put(&m->made, str_of((const char *)&v, sizeof v));

    if (!place)
        return schema_no_memory(m);
    if (*place) {
        *out = *place;
        return 0;
    }
    struct schema *s = arena_new(m->arena, struct schema);
    if (!s)
        return schema_no_memory(m);
    *place = *out = s;
    if (v->kind == JSON_TRUE || v->kind == JSON_FALSE) {
        s->never = v->kind == JSON_FALSE;
        return 0;
    }
    if (v->kind != JSON_OBJECT)
        return schema_wrong(m, v, "expected a schema, which is an object");
    for (const struct json *k = v->first; k; k = k->next) {
        int r = schema_keyword(m, k, s);
        if (r < 0)
            return r;
    }
    if (s->types && json_bool(json_get(v, "nullable"), false))
        s->types |= 1u << JSON_NULL;
    return 0;
}

int schema_compile(struct arena *a, const struct json *v, struct schema **out,
                   struct hob_error *err)
{
    struct schema_maker m = {.arena = a, .top = v, .err = err};

    *out = NULL;
    map_init(&m.made, a->heap);
    int r = schema_make(&m, v, out);
    map_fini(&m.made);
    if (r < 0)
        *out = NULL;
    return r;
}

/* ---- comparing
 * --------------------------------------------------------------------------------- */

static bool schema_same(const struct json *a, const struct json *b, int64_t *steps, int depth)
{
    size_t used;

    if (--*steps < 0 || depth > SCHEMA_DEPTH || a->kind != b->kind)
        return false;
    switch (a->kind) {
    case JSON_NUMBER:
        return str_eq(a->text, b->text) ||
               number_parse(a->text, &used) == number_parse(b->text, &used);
    case JSON_STRING: return str_eq(a->text, b->text);
    case JSON_ARRAY:
        if (a->n != b->n)
            return false;
        for (const struct json *x = a->first, *y = b->first; x && y; x = x->next, y = y->next) {
            if (!schema_same(x, y, steps, depth + 1))
                return false;
        }
        return true;
    case JSON_OBJECT:
        if (a->n != b->n)
            return false;
        for (const struct json *x = a->first; x; x = x->next) {
            const struct json *y = json_get(b, x->key.p);
            *steps -= (int64_t)b->n;
            if (!y || !schema_same(x, y, steps, depth + 1))
                return false;
        }
        return true;
    default: return true;
    }
}

bool schema_equal(const struct json *a, const struct json *b)
{
    int64_t steps = SCHEMA_STEPS;
    return schema_same(a, b, &steps, 0);
}

/* Equal values have equal sums; members of an object count in any order. */
static uint32_t schema_sum(const struct json *v, int64_t *steps, int depth)
{
    uint32_t h = (uint32_t)v->kind * 2654435761u;
    size_t used;

    if (--*steps < 0 || depth > SCHEMA_DEPTH)
        return h;
    if (v->kind == JSON_NUMBER) {
        double d = (double)number_parse(v->text, &used);
        d = d == 0 ? 0 : d; /* -0 is 0 */
        return h ^ str_hash(str_of((const char *)&d, sizeof d));
    }
    if (v->kind == JSON_STRING)
        return h ^ str_hash(v->text);
    for (const struct json *x = v->first; x; x = x->next) {
        uint32_t each = schema_sum(x, steps, depth + 1);
        h = v->kind == JSON_ARRAY ? h * 31 + each : h + (each ^ str_hash(x->key));
    }
    return h;
}

/* ---- checking
 * ---------------------------------------------------------------------------------- */

/* The way from the top of the value to where the check is. */
struct schema_at {
    const struct schema_at *up;
    struct str key;
    size_t index; /* when key.p is NULL */
};

struct schema_checker {
    struct arena *arena;
    struct buf *faults;
    int max, found;
    int64_t *steps;
    bool *given_up; /* the budget is used up, said once */
};

static void schema_against(struct schema_checker *c, const struct schema *s, const struct json *v,
                           const struct schema_at *at, int depth, int refs);

static void schema_path(struct buf *b, const struct schema_at *at)
{
    const struct schema_at *way[SCHEMA_DEPTH + 2];
    size_t n = 0;

    for (; at && at->up && n < COUNT(way); at = at->up)
        way[n++] = at;
    if (n == 0)
        buf_putc(b, '/');
    while (n-- > 0) {
        struct str key = str_sub(way[n]->key, 0, SCHEMA_SHOWN);
        buf_putc(b, '/');
        if (!way[n]->key.p)
            buf_printf(b, "%zu", way[n]->index);
        for (size_t i = 0; i < key.n; i++) {
            if (key.p[i] == '~' || key.p[i] == '/')
                buf_addz(b, key.p[i] == '~' ? "~0" : "~1");
            else
                buf_putc(b, key.p[i] == '\n' ? ' ' : key.p[i]);
        }
    }
}

/* Begins a line of faults; false when there are enough. */
static bool schema_fault(struct schema_checker *c, const struct schema_at *at)
{
    if (++c->found > c->max)
        return false;
    schema_path(c->faults, at);
    buf_addz(c->faults, ": ");
    return true;
}

static void schema_say(struct schema_checker *c, const struct schema_at *at, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
static void schema_say(struct schema_checker *c, const struct schema_at *at, const char *fmt, ...)
{
    va_list ap;
    if (!schema_fault(c, at))
        return;
    va_start(ap, fmt);
    buf_vprintf(c->faults, fmt, ap);
    va_end(ap);
    buf_putc(c->faults, '\n');
}

/* A value in a few words, for messages. */
static void schema_show(struct buf *b, const struct json *v)
{
    size_t start = b->n;
    if (v->kind == JSON_STRING && v->text.n > SCHEMA_SHOWN) {
        json_quote(b, str_sub(v->text, 0, utf8_offset(v->text, SCHEMA_SHOWN / 2)));
        buf_addz(b, "...");
        return;
    }
    if ((v->kind == JSON_ARRAY || v->kind == JSON_OBJECT) && v->n > 20) {
        buf_addz(b, v->kind == JSON_ARRAY ? "[...]" : "{...}");
        return;
    }
    json_write(b, v);
    if (b->n - start > 2 * SCHEMA_SHOWN) {
        buf_cut(b, start + SCHEMA_SHOWN);
        buf_addz(b, "...");
    }
}

static const char *schema_kind_name(const struct json *v)
{
    static const char *const names[] = {"null",     "a boolean", "a boolean", "a number",
                                        "a string", "an array",  "an object"};
    return names[v->kind];
}

static bool schema_is_integer(const struct json *v)
{
    size_t used;
    if (v->kind != JSON_NUMBER)
        return false;
    if (str_chr(v->text, '.') < 0 && str_chr(v->text, 'e') < 0 && str_chr(v->text, 'E') < 0)
        return true;
    long double d = number_parse(v->text, &used);
    return d == floorl(d) && d - d == 0;
}

static bool schema_check_type(struct schema_checker *c, const struct schema *s,
                              const struct json *v, const struct schema_at *at)
{
    static const struct {
        unsigned bits;
        const char *name;
    } names[] = {{1u << JSON_STRING, "a string"}, {1u << JSON_NUMBER, "a number"},
                 {SCHEMA_INTEGER, "an integer"},  {1u << JSON_TRUE, "true or false"},
                 {1u << JSON_ARRAY, "an array"},  {1u << JSON_OBJECT, "an object"},
                 {1u << JSON_NULL, "null"}};
    const char *between = "expected ";

    if (s->types == SCHEMA_ANY_TYPE || (s->types >> v->kind & 1) ||
        ((s->types & SCHEMA_INTEGER) && schema_is_integer(v)))
        return true;
    if (!schema_fault(c, at))
        return false;
    for (size_t i = 0; i < COUNT(names); i++) {
        if (s->types & names[i].bits) {
            buf_addz(c->faults, between);
            buf_addz(c->faults, names[i].name);
            between = " or ";
        }
    }
    buf_printf(c->faults, ", found %s", schema_kind_name(v));
    if (v->kind == JSON_NUMBER) {
        buf_putc(c->faults, ' ');
        buf_str(c->faults, str_sub(v->text, 0, 30));
    }
    buf_putc(c->faults, '\n');
    return false;
}

static void schema_check_choices(struct schema_checker *c, const struct schema *s,
                                 const struct json *v, const struct schema_at *at)
{
    if (s->constant && !schema_same(s->constant, v, c->steps, 0) && schema_fault(c, at)) {
        buf_addz(c->faults, "must be ");
        schema_show(c->faults, s->constant);
        buf_putc(c->faults, '\n');
    }
    if (!s->choices)
        return;
    for (const struct json *x = s->choices->first; x; x = x->next) {
        if (schema_same(x, v, c->steps, 0))
            return;
    }
    if (!schema_fault(c, at))
        return;
    buf_addz(c->faults, "must be one of ");
    size_t start = c->faults->n;
    for (const struct json *x = s->choices->first; x; x = x->next) {
        if (c->faults->n - start > 3 * SCHEMA_SHOWN) {
            buf_addz(c->faults, "...");
            break;
        }
        schema_show(c->faults, x);
        buf_addz(c->faults, x->next ? ", " : "");
    }
    buf_addz(c->faults, ", found ");
    schema_show(c->faults, v);
    buf_putc(c->faults, '\n');
}

static void schema_check_number(struct schema_checker *c, const struct schema *s,
                                const struct json *v, const struct schema_at *at)
{
    static const char *const words[] = {"at least", "at most", "more than", "less than",
                                        "a multiple of"};
    size_t used;
    long double d = number_parse(v->text, &used);

    for (int i = 0; i < SCHEMA_NUMBERS; i++) {
        long double n = s->number[i], q;
        bool ok = true;
        if (!s->has_number[i])
            continue;
        switch (i) {
        case SCHEMA_MIN: ok = d >= n; break;
        case SCHEMA_MAX: ok = d <= n; break;
        case SCHEMA_ABOVE: ok = d > n; break;
        case SCHEMA_BELOW: ok = d < n; break;
        default:
            q = d / n;
            ok = fabsl(q - roundl(q)) <= 1e-9L * fmaxl(1, fabsl(q));
            break;
        }
        if (!ok)
            schema_say(c, at, "must be %s %.17Lg, found %.*s", words[i], n,
                       STR_ARG(str_sub(v->text, 0, 40)));
    }
}

static void schema_check_length(struct schema_checker *c, const struct schema *s,
                                const struct schema_at *at, uint64_t n, int least, const char *what)
{
    if (s->has_count[least] && n < s->count[least])
        schema_say(c, at, "must have at least %llu %s, has %llu",
                   (unsigned long long)s->count[least], what, (unsigned long long)n);
    if (s->has_count[least + 1] && n > s->count[least + 1])
        schema_say(c, at, "must have at most %llu %s, has %llu",
                   (unsigned long long)s->count[least + 1], what, (unsigned long long)n);
}

static void schema_check_string(struct schema_checker *c, const struct schema *s,
                                const struct json *v, const struct schema_at *at)
{
    if (s->has_count[SCHEMA_MIN_LENGTH] || s->has_count[SCHEMA_MAX_LENGTH])
        schema_check_length(c, s, at, utf8_count(v->text), SCHEMA_MIN_LENGTH, "characters");
    if (s->pattern && regex_is_match(s->pattern, v->text) == 0)
        schema_say(c, at, "does not match the pattern %.*s",
                   STR_ARG(str_sub(s->pattern_text, 0, SCHEMA_SHOWN)));
    if (s->format.n && !schema_format(s->format, v->text))
        schema_say(c, at, "is no %.*s", STR_ARG(str_sub(s->format, 0, SCHEMA_SHOWN)));
}

struct schema_hashed {
    uint32_t sum;
    size_t index;
    const struct json *v;
};

static int schema_by_sum(const void *a, const void *b, void *ud)
{
    const struct schema_hashed *x = a, *y = b;
    (void)ud;
    return (x->sum > y->sum) - (x->sum < y->sum);
}

static void schema_check_unique(struct schema_checker *c, const struct json *v,
                                const struct schema_at *at)
{
    struct arena_mark mark = arena_mark(c->arena);
    struct schema_hashed *all = arena_array(c->arena, struct schema_hashed, v->n);
    size_t n = 0;

    if (!all)
        return;
    for (const struct json *x = v->first; x; x = x->next, n++)
        all[n] = (struct schema_hashed){schema_sum(x, c->steps, 0), n, x};
    if (sort_stable(c->arena->heap, all, n, sizeof *all, schema_by_sum, NULL) < 0)
        return;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n && all[j].sum == all[i].sum && *c->steps > 0; j++) {
            if (schema_same(all[i].v, all[j].v, c->steps, 0)) {
                schema_say(c, at, "items %zu and %zu are equal", all[i].index, all[j].index);
                arena_release(c->arena, mark);
                return;
            }
        }
    }
    arena_release(c->arena, mark);
}

static void schema_check_array(struct schema_checker *c, const struct schema *s,
                               const struct json *v, const struct schema_at *at, int depth)
{
    const struct schema_list *prefix = s->prefix;
    size_t i = 0;

    schema_check_length(c, s, at, v->n, SCHEMA_MIN_ITEMS, "items");
    if (s->unique && v->n > 1)
        schema_check_unique(c, v, at);
    if (!s->prefix && !s->items)
        return;
    for (const struct json *x = v->first; x; x = x->next, i++) {
        struct schema_at here = {.up = at, .index = i};
        const struct schema *each = prefix ? prefix->schema : s->items;
        if (each)
            schema_against(c, each, x, &here, depth + 1, 0);
        prefix = prefix ? prefix->next : NULL;
    }
}

/* A property that the schema does not name. */
static void schema_check_unknown(struct schema_checker *c, const struct schema *s,
                                 const struct json *x, const struct schema_at *here)
{
    struct str best = STR_NONE;
    size_t least = SIZE_MAX;

    for (const struct schema_member *p = s->properties; p; p = p->next) {
        size_t d = nearest_distance(x->key, p->name);
        *c->steps -= 64;
        if (d < least && nearest_close(x->key, p->name) && !json_get(x->parent, p->name.p)) {
            least = d;
            best = p->name;
        }
    }
    if (best.p)
        schema_say(c, here, "unknown property; did you mean \"%.*s\"?", STR_ARG(best));
    else
        schema_say(c, here, "unknown property");
}

static void schema_check_member(struct schema_checker *c, const struct schema *s,
                                const struct json *x, const struct schema_at *at, int depth)
{
    struct schema_at here = {.up = at, .key = x->key};
    const struct schema_member *p = s->index ? map_value(s->index, x->key) : NULL;
    bool known = p != NULL;

    if (p)
        schema_against(c, p->schema, x, &here, depth + 1, 0);
    for (p = s->patterns; p; p = p->next) {
        if (p->pattern && regex_is_match(p->pattern, x->key) != 1)
            continue;
        known = true;
        schema_against(c, p->schema, x, &here, depth + 1, 0);
    }
    if (known || !s->additional)
        return;
    if (s->additional->never)
        schema_check_unknown(c, s, x, &here);
    else
        schema_against(c, s->additional, x, &here, depth + 1, 0);
}

static void schema_check_object(struct schema_checker *c, const struct schema *s,
                                const struct json *v, const struct schema_at *at, int depth)
{
    schema_check_length(c, s, at, v->n, SCHEMA_MIN_PROPERTIES, "properties");
    for (const struct json *x = s->required ? s->required->first : NULL; x; x = x->next) {
        *c->steps -= (int64_t)v->n;
        if (*c->steps < 0)
            return;
        if (!json_get(v, x->text.p))
            schema_say(c, at, "the property \"%.*s\" is missing",
                       STR_ARG(str_sub(x->text, 0, SCHEMA_SHOWN)));
    }
    for (const struct json *x = v->first; x; x = x->next)
        schema_check_member(c, s, x, at, depth);
}

/* How many faults there are against s; the first one goes to `first`, if that is not NULL. */
static int schema_try(struct schema_checker *c, const struct schema *s, const struct json *v,
                      const struct schema_at *at, int depth, int refs, struct buf *first)
{
    struct schema_checker inner = *c;
    inner.found = 0;
    inner.max = first ? 1 : 0;
    inner.faults = first ? first : c->faults;
    schema_against(&inner, s, v, at, depth, refs + 1);
    return inner.found;
}

static void schema_check_any(struct schema_checker *c, const struct schema_list *list,
                             const struct json *v, const struct schema_at *at, int depth, int refs,
                             bool exactly_one)
{
    struct buf why;
    int fits = 0, tried = 0;

    buf_init(&why, c->faults->heap);
    for (; list; list = list->next, tried++) {
        int bad = schema_try(c, list->schema, v, at, depth, refs, tried < 4 ? &why : NULL);
        fits += bad == 0;
        if (fits && !exactly_one)
            break;
    }
    if (fits == 0 && schema_fault(c, at)) {
        /* The first fault of each form tells the model which one it was nearest to. */
        buf_addz(c->faults, "fits none of the forms that are allowed:");
        struct str lines = str_trim(buf_get(&why));
        while (lines.n > 0) {
            ptrdiff_t end = str_chr(lines, '\n');
            struct str line = end < 0 ? lines : str_sub(lines, 0, (size_t)end);
            buf_addz(c->faults, " (");
            buf_str(c->faults, line);
            buf_putc(c->faults, ')');
            lines = end < 0 ? STR_NONE : str_from(lines, (size_t)end + 1);
        }
        buf_putc(c->faults, '\n');
    } else if (fits > 1 && exactly_one) {
        schema_say(c, at, "fits %d of the forms, and must fit exactly one", fits);
    }
    buf_fini(&why);
}

static void schema_check_logic(struct schema_checker *c, const struct schema *s,
                               const struct json *v, const struct schema_at *at, int depth,
                               int refs)
{
    if (s->ref)
        schema_against(c, s->ref, v, at, depth, refs + 1);
    for (const struct schema_list *x = s->all; x; x = x->next)
        schema_against(c, x->schema, v, at, depth, refs + 1);
    if (s->any)
        schema_check_any(c, s->any, v, at, depth, refs, false);
    if (s->one)
        schema_check_any(c, s->one, v, at, depth, refs, true);
    if (s->never_fit && schema_try(c, s->never_fit, v, at, depth, refs, NULL) == 0)
        schema_say(c, at, "has a form that is not allowed");
}

static void schema_against(struct schema_checker *c, const struct schema *s, const struct json *v,
                           const struct schema_at *at, int depth, int refs)
{
    if (*c->given_up)
        return;
    if (--*c->steps < 0 || depth > SCHEMA_DEPTH || refs > SCHEMA_REFS) {
        *c->given_up = true;
        return;
    }
    if (s->never) {
        schema_say(c, at, "nothing is allowed here");
        return;
    }
    if (!schema_check_type(c, s, v, at))
        return;
    schema_check_choices(c, s, v, at);
    switch (v->kind) {
    case JSON_NUMBER: schema_check_number(c, s, v, at); break;
    case JSON_STRING: schema_check_string(c, s, v, at); break;
    case JSON_ARRAY: schema_check_array(c, s, v, at, depth); break;
    case JSON_OBJECT: schema_check_object(c, s, v, at, depth); break;
    default: break;
    }
    schema_check_logic(c, s, v, at, depth, refs);
}

int schema_check(const struct schema *s, struct arena *a, const struct json *v, struct buf *faults,
                 int max)
{
    int64_t steps = SCHEMA_STEPS;
    bool given_up = false;
    struct schema_at top = {0};
    struct schema_checker c = {
        .arena = a, .faults = faults, .max = max, .steps = &steps, .given_up = &given_up};

    schema_against(&c, s, v, &top, 0, 0);
    if (a->heap->oom || faults->heap->oom)
        return HOB_ENOMEM;
    if (given_up || steps < 0) {
        c.found++;
        if (c.found <= max || max > 0)
            buf_addz(faults, "/: the value or its schema is too deep or too large to check\n");
    }
    return c.found;
}

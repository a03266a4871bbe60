/* json.c -- JSON read into a tree in an arena, and the pieces to write it
 *
 * Neither the reader nor the writer calls itself: depth costs memory of the arena, not the stack.
 */
#include "text/json.h"

#include "base/utf8.h"

struct json_reader {
    struct arena *arena;
    struct str in;
    size_t p;
    struct hob_error *err;
};

static int json_bad(struct json_reader *r, const char *what)
{
    size_t line = 1, column = 1;
    for (size_t i = 0; i < r->p && i < r->in.n; i++) {
        column = r->in.p[i] == '\n' ? 1 : column + 1;
        line += r->in.p[i] == '\n';
    }
    return error_set(r->err, HOB_ESYNTAX, "%s at line %zu, column %zu", what, line, column);
}

static int json_no_memory(struct json_reader *r)
{
    return error_set(r->err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
}

static void json_blanks(struct json_reader *r)
{
    while (r->p < r->in.n && r->in.p[r->p] && strchr(" \t\r\n", r->in.p[r->p]))
        r->p++;
}

static bool json_peek(const struct json_reader *r, char c)
{
    return r->p < r->in.n && r->in.p[r->p] == c;
}

/* Four hexadecimal digits at p; -1 if they are not there. */
static int json_hex(const struct json_reader *r, size_t p)
{
    int v = 0;
    if (r->in.n - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int c = (unsigned char)r->in.p[p + (size_t)i];
        int digit = ascii_digit(c)                      ? c - '0'
                    : ascii_alpha(c) && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                        : -1;
        if (digit < 0)
            return -1;
        v = v * 16 + digit;
    }
    return v;
}

/* The escape at r->p, which stands on the letter behind the backslash, to dst: its length, 0 if it
 * is none. What it becomes is never longer than what it was. */
static int json_escape(struct json_reader *r, char *dst)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = r->p < r->in.n ? r->in.p[r->p++] : '\0';
    const char *at = c ? strchr(from, c) : NULL;

    if (at) {
        *dst = to[at - from];
        return 1;
    }
    int v = c == 'u' ? json_hex(r, r->p) : -1;
    if (v < 0)
        return 0;
    r->p += 4;
    if (v >= 0xD800 && v < 0xDC00 && r->in.n - r->p >= 6 && r->in.p[r->p] == '\\' &&
        r->in.p[r->p + 1] == 'u') {
        int low = json_hex(r, r->p + 2);
        if (low >= 0xDC00 && low < 0xE000) {
            r->p += 6;
            v = 0x10000 + ((v - 0xD800) << 10) + (low - 0xDC00);
        }
    }
    return utf8_encode(dst, (uint32_t)v);
}

/* The string whose quote is at r->p. */
static int json_read_string(struct json_reader *r, struct str *out)
{
    size_t start = ++r->p, end = start;

    while (end < r->in.n && r->in.p[end] != '"')
        end += r->in.p[end] == '\\' ? 2 : 1;
    if (end >= r->in.n) {
        r->p = r->in.n;
        return json_bad(r, "unterminated string");
    }
    char *text = arena_alloc(r->arena, end - start + 1), *to = text;
    if (!text)
        return json_no_memory(r);
    while (r->p < end) {
        char c = r->in.p[r->p];
        if ((unsigned char)c < 32)
            return json_bad(r, "control character in a string");
        r->p++;
        if (c != '\\') {
            *to++ = c;
            continue;
        }
        int n = json_escape(r, to);
        if (n == 0)
            return json_bad(r, "bad escape in a string");
        to += n;
    }
    r->p = end + 1;
    *to = '\0';
    *out = str_of(text, (size_t)(to - text));
    return 0;
}

static size_t json_digits(const struct json_reader *r, size_t p)
{
    while (p < r->in.n && ascii_digit(r->in.p[p]))
        p++;
    return p;
}

static int json_read_number(struct json_reader *r, struct str *out)
{
    const char *s = r->in.p;
    size_t n = r->in.n, start = r->p, p = start + (s[start] == '-'), was = p;

    p = p < n && s[p] == '0' ? p + 1 : json_digits(r, p);
    if (p == was)
        return json_bad(r, "bad number");
    if (p < n && s[p] == '.') {
        was = ++p;
        p = json_digits(r, p);
        if (p == was)
            return json_bad(r, "bad number");
    }
    if (p < n && (s[p] | 32) == 'e') {
        p++;
        p += p < n && (s[p] == '+' || s[p] == '-');
        was = p;
        p = json_digits(r, p);
        if (p == was)
            return json_bad(r, "bad number");
    }
    r->p = p;
    *out = arena_str(r->arena, str_of(s + start, p - start));
    return out->p ? 0 : json_no_memory(r);
}

static int json_word(struct json_reader *r, struct json *v)
{
    static const struct {
        struct str word;
        enum json_kind kind;
    } words[] = {{STR_INIT("null"), JSON_NULL},
                 {STR_INIT("true"), JSON_TRUE},
                 {STR_INIT("false"), JSON_FALSE}};

    for (size_t i = 0; i < COUNT(words); i++) {
        if (str_starts(str_from(r->in, r->p), words[i].word)) {
            v->kind = words[i].kind;
            r->p += words[i].word.n;
            return 0;
        }
    }
    return json_bad(r, r->p < r->in.n ? "unexpected character" : "unexpected end");
}

/* One value at r->p; of an array or object only the opening bracket. */
static int json_value(struct json_reader *r, struct json *v)
{
    char c = r->p < r->in.n ? r->in.p[r->p] : '\0';

    if (c == '"') {
        v->kind = JSON_STRING;
        return json_read_string(r, &v->text);
    }
    if (c == '[' || c == '{') {
        v->kind = c == '[' ? JSON_ARRAY : JSON_OBJECT;
        r->p++;
        return 0;
    }
    if (c == '-' || ascii_digit(c)) {
        v->kind = JSON_NUMBER;
        return json_read_number(r, &v->text);
    }
    return json_word(r, v);
}

/* The name and colon before a member. */
static int json_name(struct json_reader *r, struct str *key)
{
    if (!json_peek(r, '"'))
        return json_bad(r, "expected a member name");
    int err = json_read_string(r, key);
    if (err < 0)
        return err;
    json_blanks(r);
    if (!json_peek(r, ':'))
        return json_bad(r, "expected ':'");
    r->p++;
    json_blanks(r);
    return 0;
}

/* Adds a new value to `in` (NULL for the outermost one). */
static int json_add(struct json_reader *r, struct json *in, struct json **out)
{
    struct json *v = arena_new(r->arena, struct json);
    int err;

    if (!v)
        return json_no_memory(r);
    if (in && in->kind == JSON_OBJECT && (err = json_name(r, &v->key)) < 0)
        return err;
    v->parent = in;
    if (in) {
        if (in->last)
            in->last->next = v;
        else
            in->first = v;
        in->last = v;
        in->n++;
    }
    *out = v;
    return json_value(r, v);
}

/* Behind a finished value: goes up through closing brackets to where the next value belongs, NULL
 * when the outermost one is finished. */
static int json_after(struct json_reader *r, struct json **in, int *depth)
{
    for (;;) {
        json_blanks(r);
        if (!*in)
            return 0;
        bool array = (*in)->kind == JSON_ARRAY;
        if (json_peek(r, ',')) {
            r->p++;
            json_blanks(r);
            return 0;
        }
        if (!json_peek(r, array ? ']' : '}'))
            return json_bad(r, array ? "expected ',' or ']'" : "expected ',' or '}'");
        r->p++;
        *in = (*in)->parent;
        --*depth;
    }
}

int json_parse(struct arena *a, struct str in, int max_depth, struct json **out,
               struct hob_error *err)
{
    struct json_reader r = {.arena = a, .in = in, .err = err};
    struct json *at = NULL, *v = NULL;
    int e, depth = 0;

    *out = NULL;
    json_blanks(&r);
    do {
        e = json_add(&r, at, &v);
        if (e < 0)
            return e;
        if (!*out)
            *out = v;
        if (v->kind == JSON_ARRAY || v->kind == JSON_OBJECT) {
            if (++depth > max_depth)
                return json_bad(&r, "nested too deeply");
            json_blanks(&r);
            at = v;
            if (!json_peek(&r, v->kind == JSON_ARRAY ? ']' : '}'))
                continue;
        }
        e = json_after(&r, &at, &depth);
        if (e < 0)
            return e;
    } while (at);
    return r.p == in.n ? 0 : json_bad(&r, "something behind the value");
}

struct json *json_get(const struct json *v, const char *key)
{
    struct json *found = NULL;
    if (v && v->kind == JSON_OBJECT) {
        for (struct json *m = v->first; m; m = m->next) {
            if (str_eqz(m->key, key))
                found = m;
        }
    }
    return found;
}

struct json *json_at(const struct json *v, size_t i)
{
    if (!v || v->kind != JSON_ARRAY)
        return NULL;
    struct json *m = v->first;
    while (m && i-- > 0)
        m = m->next;
    return m;
}

bool json_string(const struct json *v, struct str *out)
{
    if (!v || v->kind != JSON_STRING)
        return false;
    *out = v->text;
    return true;
}

bool json_int(const struct json *v, int64_t *out)
{
    return v && v->kind == JSON_NUMBER && str_int(v->text, out) == 0;
}

bool json_bool(const struct json *v, bool fallback)
{
    return v && (v->kind == JSON_TRUE || v->kind == JSON_FALSE) ? v->kind == JSON_TRUE : fallback;
}

/* One of three bytes that encode half of a surrogate pair; they can be written as an escape. */
static int json_surrogate(struct str s, size_t p)
{
    const unsigned char *q = (const unsigned char *)s.p + p;
    if (s.n - p < 3 || q[0] != 0xED || (q[1] & 0xE0) != 0xA0 || (q[2] & 0xC0) != 0x80)
        return -1;
    return 0xD000 | (q[1] & 0x3F) << 6 | (q[2] & 0x3F);
}

/* Writes the character at s.p[p] that cannot stand for itself; its length. */
static int json_special(struct buf *b, struct str s, size_t p, bool *ok)
{
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    unsigned char c = (unsigned char)s.p[p];
    const char *at = c ? strchr(from, c) : NULL;
    int half, len;

    if (at) {
        buf_putc(b, '\\');
        buf_putc(b, to[at - from]);
        return 1;
    }
    if (c < 32) {
        buf_printf(b, "\\u%04x", c);
        return 1;
    }
    if (utf8_decode(s.p + p, s.n - p, &len) != UTF8_BAD) {
        buf_add(b, s.p + p, (size_t)len);
        return len;
    }
    half = json_surrogate(s, p);
    if (half >= 0) {
        buf_printf(b, "\\u%04x", (unsigned)half);
        return 3;
    }
    buf_addz(b, "\xEF\xBF\xBD");
    *ok = false;
    return 1;
}

bool json_quote(struct buf *b, struct str s)
{
    bool ok = true;
    size_t p = 0;

    buf_putc(b, '"');
    while (p < s.n) {
        size_t run = p;
        while (p < s.n && ascii_print(s.p[p]) && s.p[p] != '"' && s.p[p] != '\\')
            p++;
        buf_add(b, s.p + run, p - run);
        if (p < s.n)
            p += (size_t)json_special(b, s, p, &ok);
    }
    buf_putc(b, '"');
    return ok;
}

/* What stands before a value's children, or all of it if it has none. */
static void json_open(struct buf *b, const struct json *v, bool member)
{
    static const char *const words[] = {"null", "false", "true"};

    if (member && v != v->parent->first)
        buf_putc(b, ',');
    if (member && v->parent->kind == JSON_OBJECT) {
        json_quote(b, v->key);
        buf_putc(b, ':');
    }
    switch (v->kind) {
    case JSON_NUMBER: buf_str(b, v->text); break;
    case JSON_STRING: json_quote(b, v->text); break;
    case JSON_ARRAY: buf_putc(b, '['); break;
    case JSON_OBJECT: buf_putc(b, '{'); break;
    default: buf_addz(b, words[v->kind]); break;
    }
}

void json_write(struct buf *b, const struct json *v)
{
    const struct json *top = v;

    for (;;) {
        json_open(b, v, v != top);
        if (v->first) {
            v = v->first;
            continue;
        }
        /* Up to the next one that has a sister, closing brackets on the way. */
        for (;;) {
            if (v->kind == JSON_ARRAY || v->kind == JSON_OBJECT)
                buf_putc(b, v->kind == JSON_ARRAY ? ']' : '}');
            if (v == top)
                return;
            if (v->next)
                break;
            v = v->parent;
        }
        v = v->next;
    }
}

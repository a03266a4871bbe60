/* jq_read.c -- JSON read piece by piece
 *
 * The reader takes windows of its input as they come; only a token that spans two of them is
 * copied. It never calls itself: what is open stands on a stack of the heap. What it accepts and
 * how it complains is jq's: literals end at the next blank or bracket, and only then are looked at.
 */
#include "base/fmt.h"
#include "base/utf8.h"
#include "commands/jq/jq.h"

enum {
    JQ_TOKEN_END = 0,
    JQ_TOKEN_BAD = -1,
    JQ_TOKEN_FATAL = -2,
    JQ_TOKEN_VALUE = 'v',
    JQ_TOKEN_RS = 'R',
    JQ_GUESSES = 256
};

void jq_reader_init(struct jq_reader *r, struct jq *j, struct jq_input *in, struct str text)
{
    *r = (struct jq_reader){.j = j, .in = in, .tok = jq_none(), .next = jq_none()};
    buf_init(&r->spill, j->heap);
    r->p = r->from = text.p ? text.p : "";
    r->end = r->p + text.n;
    if (in || text.n > 4096)
        r->guesses = heap_zalloc(j->heap, JQ_GUESSES * sizeof *r->guesses);
}

/* Forgets what is open. */
static void jq_reader_clear(struct jq_reader *r)
{
    jq_drop(r->j, r->tok);
    jq_drop(r->j, r->next);
    jq_drop(r->j, r->path);
    r->tok = r->next = r->path = jq_none();
    while (r->vals.n)
        jq_drop(r->j, r->vals.p[--r->vals.n]);
    r->levels.n = 0;
    buf_clear(&r->spill);
}

void jq_reader_fini(struct jq_reader *r)
{
    jq_reader_clear(r);
    for (size_t i = 0; r->guesses && i < JQ_GUESSES; i++)
        if (r->guesses[i].key)
            jq_drop(r->j, jq_of_string(r->guesses[i].key));
    if (r->guesses)
        heap_free(r->j->heap, r->guesses, JQ_GUESSES * sizeof *r->guesses);
    vec_fini(r->j->heap, &r->vals);
    vec_fini(r->j->heap, &r->levels);
    buf_fini(&r->spill);
}

/* Counts the lines of the window up to p into *line and *column. */
static void jq_reader_count(const struct jq_reader *r, size_t *line, size_t *column)
{
    const char *p = r->from;
    *line = r->line;
    *column = r->column;
    for (const char *nl; p < r->p && (nl = memchr(p, '\n', (size_t)(r->p - p))); p = nl + 1) {
        ++*line;
        *column = 0;
    }
    *column += (size_t)(r->p - p);
}

/* The next window. False at the end. */
static bool jq_reader_fill(struct jq_reader *r)
{
    bool fresh = false;

    jq_reader_count(r, &r->line, &r->column);
    r->from = r->p;
    if (!r->in || r->ended || !jq_input_fill(r->in, &fresh)) {
        r->ended = true;
        return false;
    }
    struct in *in = &r->in->in;
    r->p = r->from = in->p;
    r->end = in->end;
    in->p = in->end;
    if (fresh)
        r->base = r->line;
    if (!r->any && r->end - r->p >= 3 && memcmp(r->p, "\xEF\xBB\xBF", 3) == 0)
        r->p = r->from = r->p + 3;
    r->any = true;
    return true;
}

size_t jq_reader_line(struct jq_reader *r)
{
    size_t line, column;
    jq_reader_count(r, &line, &column);
    /* jq reads whole lines: the one that a value stands on has been counted. */
    return line - r->base +
           (r->p < r->end && memchr(r->p, '\n', (size_t)(r->end - r->p)) != NULL &&
            (r->p == r->from || r->p[-1] != '\n'));
}

static int jq_reader_bad(struct jq_reader *r, const char *what)
{
    r->message = what;
    return JQ_TOKEN_BAD;
}

/* ---- strings --------------------------------------------------------------------------------- */

static int jq_unhex(const char *p)
{
    int v = 0;
    for (int i = 0; i < 4; i++) {
        int c = (unsigned char)p[i];
        int d = ascii_digit(c)                      ? c - '0'
                : ascii_alpha(c) && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                    : -1;
        if (d < 0)
            return -1;
        v = v * 16 + d;
    }
    return v;
}

/* \uXXXX, with *p behind the u; appended. NULL, or what is wrong. */
static const char *jq_unescape_code(const char **p, const char *end, struct buf *b)
{
    char utf8[8];
    if (end - *p < 4)
        return "Invalid \\uXXXX escape";
    int code = jq_unhex(*p);
    if (code < 0)
        return "Invalid characters in \\uXXXX escape";
    *p += 4;
    if (code >= 0xD800 && code < 0xDC00) {
        int low = end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u' ? jq_unhex(*p + 2) : -1;
        if (low < 0xDC00 || low > 0xDFFF)
            return "Invalid \\uXXXX\\uXXXX surrogate pair escape";
        *p += 6;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code >= 0xD800 && code < 0xE000)
        code = 0xFFFD;
    buf_add(b, utf8, (size_t)utf8_encode(utf8, (uint32_t)code));
    return NULL;
}

/* The inside of a string, appended to b with its escapes resolved. NULL, or what is wrong. */
static const char *jq_unescape(struct str s, struct buf *b)
{
    static const char from[] = "\\\"/bfnrt", to[] = "\\\"/\b\f\n\r\t";
    const char *p = s.p, *end = s.p + s.n;

    while (p < end) {
        unsigned char c = (unsigned char)*p++;
        if (c != '\\') {
            if (c > 0 && c < 0x1f)
                return "Invalid string: control characters from U+0000 through U+001F must be "
                       "escaped";
            buf_putc(b, (char)c);
            continue;
        }
        if (p == end)
            return "Expected escape character at end of string";
        c = (unsigned char)*p++;
        const char *at = c ? strchr(from, c) : NULL;
        if (at) {
            buf_putc(b, to[at - from]);
        } else if (c == 'u') {
            const char *wrong = jq_unescape_code(&p, end, b);
            if (wrong)
                return wrong;
        } else {
            return "Invalid escape";
        }
    }
    return NULL;
}

/* The value of a token that is a string: a key is interned, and looked for where it came last. */
static int jq_reader_text(struct jq_reader *r, struct str s, bool plain)
{
    struct jq *j = r->j;

    if (!r->want_key) {
        r->tok = plain ? jq_string(j, s) : jq_string_checked(j, s);
    } else if (!plain && !utf8_valid(s)) {
        r->tok = jq_of_string(jq_intern_string(j, jq_string_checked(j, s)));
    } else if (r->guesses) {
        struct jq_guess *g =
            &r->guesses[((uintptr_t)r->before >> 4 ^ (uintptr_t)r->before >> 12) % JQ_GUESSES];
        if (g->before == r->before && g->key && g->key->n == s.n &&
            memcmp(g->key->data, s.p, s.n) == 0) {
            g->key->refs++;
            r->tok = jq_of_string(g->key);
        } else {
            r->tok = jq_of_string(jq_intern(j, s));
            if (r->tok.kind) {
                if (g->key)
                    jq_drop(j, jq_of_string(g->key));
                *g = (struct jq_guess){r->before, jq_copy(r->tok).str};
            }
        }
    } else {
        r->tok = jq_of_string(jq_intern(j, s));
    }
    return r->tok.kind ? JQ_TOKEN_VALUE : JQ_TOKEN_FATAL;
}

/* A string that has escapes or odd bytes; raw is its inside. */
static int jq_reader_escaped(struct jq_reader *r, struct str raw)
{
    struct buf b;
    buf_init(&b, r->j->heap);
    const char *wrong = jq_unescape(raw, &b);
    int t = wrong ? jq_reader_bad(r, wrong) : jq_reader_text(r, buf_get(&b), false);
    buf_fini(&b);
    return t;
}

/* The rest of a string that does not end in this window; s is what of it does. */
static int jq_reader_spill(struct jq_reader *r, const char *start)
{
    bool escaped = false;
    struct buf *b = &r->spill;

    buf_clear(b);
    for (const char *p = start; p < r->end; p++)
        escaped = !escaped && *p == '\\';
    buf_add(b, start, (size_t)(r->end - start));
    r->p = r->end;
    while (jq_reader_fill(r)) {
        const char *p = r->p;
        while (p < r->end && (escaped || *p != '"')) {
            escaped = !escaped && *p == '\\';
            p++;
        }
        buf_add(b, r->p, (size_t)(p - r->p));
        r->p = p;
        if (p < r->end) {
            r->p++;
            return jq_reader_escaped(r, buf_get(b));
        }
        if (proc_tick(r->j->p, 64) < 0)
            return JQ_TOKEN_FATAL;
    }
    return jq_reader_bad(r, "Unfinished string at EOF");
}

/* A string; r->p is behind its quote. Eight bytes at a time while nothing is special. */
static int jq_reader_string(struct jq_reader *r)
{
    const uint64_t ones = 0x0101010101010101u, high = ones * 0x80;
    const char *start = r->p, *p = start;

    while (r->end - p >= 8) {
        uint64_t w, quote, slash;
        memcpy(&w, p, 8);
        quote = w ^ ones * '"';
        slash = w ^ ones * '\\';
        uint64_t odd =
            ((quote - ones) & ~quote) | ((slash - ones) & ~slash) | ((w - ones * 0x20) & ~w) | w;
        if (odd & high)
            break;
        p += 8;
    }
    bool plain = true;
    for (; p < r->end && *p != '"'; p++) {
        if (*p == '\\') {
            plain = false;
            if (++p == r->end)
                break;
        } else if ((unsigned char)*p < 0x20 || (unsigned char)*p >= 0x80) {
            plain = false;
        }
    }
    if (p >= r->end)
        return jq_reader_spill(r, start);
    r->p = p + 1;
    struct str s = str_of(start, (size_t)(p - start));
    return plain ? jq_reader_text(r, s, true) : jq_reader_escaped(r, s);
}

/* ---- literals -------------------------------------------------------------------------------- */

static bool jq_delimiter(char c)
{
    switch (c) {
    case ' ':
    case '\t':
    case '\r':
    case '\n':
    case '"':
    case '[':
    case ']':
    case '{':
    case '}':
    case ':':
    case ',': return true;
    default: return false;
    }
}

static int jq_reader_literal_text(struct jq_reader *r, struct str s)
{
    if (s.p[0] == '\'')
        return jq_reader_bad(r, "Invalid string literal; expected \", but got '");
    const char *word = s.p[0] == 't'                                   ? "true"
                       : s.p[0] == 'f'                                 ? "false"
                       : s.p[0] == 'n' && s.n > 1 && s.p[1] == 'u'     ? "null"
                       : s.p[0] == 'n' && s.n > 2 && str_eqz(s, "nan") ? "nan"
                                                                       : NULL;
    if (word) {
        if (!str_eqz(s, word))
            return jq_reader_bad(r, "Invalid literal");
        r->tok = word[0] == 't'   ? jq_bool(true)
                 : word[0] == 'f' ? jq_bool(false)
                 : word[1] == 'u' ? jq_null()
                                  : jq_number_literal(r->j, s);
        return JQ_TOKEN_VALUE;
    }
    r->tok = jq_number_literal(r->j, s);
    if (r->tok.kind == JQ_NONE)
        return r->j->heap->oom ? JQ_TOKEN_FATAL : jq_reader_bad(r, "Invalid numeric literal");
    return JQ_TOKEN_VALUE;
}

/* A literal that begins at r->p. The byte that ends it is looked at, but not taken: only an error
 * counts it, as jq does. */
static int jq_reader_literal(struct jq_reader *r)
{
    const char *p = r->p, *start = p;
    int64_t v = 0;
    bool minus = *p == '-';

    for (p += minus; p < r->end && ascii_digit((unsigned char)*p) && p - start < 15; p++)
        v = v * 10 + (*p - '0');
    if (p < r->end && p - start > minus && (*p == ',' || jq_delimiter(*p))) {
        r->p = p;
        r->tok = jq_number(minus ? -(double)v : (double)v);
        r->tok.flags = JQ_EXACT;
        return JQ_TOKEN_VALUE;
    }
    while (p < r->end && !jq_delimiter(*p) && !(r->seq && *p == '\036'))
        p++;
    struct str s = str_of(start, (size_t)(p - start));
    r->p = p;
    if (p == r->end) {
        buf_clear(&r->spill);
        buf_str(&r->spill, s);
        while (r->p == r->end && jq_reader_fill(r)) {
            for (p = r->p; p < r->end && !jq_delimiter(*p); p++)
                ;
            buf_add(&r->spill, r->p, (size_t)(p - r->p));
            r->p = p;
        }
        s = buf_get(&r->spill);
        if (s.n == 0) /* out of memory */
            return JQ_TOKEN_FATAL;
    }
    int t = jq_reader_literal_text(r, s);
    if (t == JQ_TOKEN_BAD && r->p < r->end)
        r->p++;
    return t;
}

int jq_reader_token(struct jq_reader *r)
{
    if ((++r->ticks & 1023) == 0 && proc_tick(r->j->p, 8) < 0)
        return JQ_TOKEN_FATAL;
    for (;;) {
        while (r->p < r->end) {
            char c = *r->p;
            switch (c) {
            case ' ':
            case '\t':
            case '\r':
            case '\n': r->p++; continue;
            case '[':
            case ']':
            case '{':
            case '}':
            case ':':
            case ',': r->p++; return c;
            case '"': r->p++; return jq_reader_string(r);
            case '\036':
                if (r->seq) {
                    r->p++;
                    return JQ_TOKEN_RS;
                }
                FALLTHROUGH;
            default: return jq_reader_literal(r);
            }
        }
        if (!jq_reader_fill(r))
            return r->in && r->in->open && r->in->in.err ? JQ_TOKEN_FATAL : JQ_TOKEN_END;
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

static const char *jq_reader_open(struct jq_reader *r, bool object)
{
    if (r->levels.n >= JQ_DEPTH)
        return "Exceeds depth limit for parsing";
    if (r->next.kind)
        return "Expected separator between values";
    struct jq_level l = {.start = (uint32_t)r->vals.n, .object = object};
    if (!vec_push(r->j->heap, &r->levels, l))
        return NULL;
    /* The first key is likely the one that came first in the same place. */
    r->before = r->vals.n && r->vals.p[r->vals.n - 1].kind == JQ_STRING
                    ? (const void *)r->vals.p[r->vals.n - 1].str->data
                    : NULL;
    r->want_key = object;
    return NULL;
}

/* Whether the innermost object waits for a value: its last key has none yet. */
static bool jq_reader_keyed(const struct jq_reader *r)
{
    const struct jq_level *l = &r->levels.p[r->levels.n - 1];
    return l->object && ((r->vals.n - l->start) & 1);
}

static void jq_reader_store(struct jq_reader *r)
{
    if (!vec_push(r->j->heap, &r->vals, r->next))
        jq_drop(r->j, r->next);
    r->next = jq_none();
}

static const char *jq_reader_colon(struct jq_reader *r)
{
    if (!r->next.kind)
        return "Expected string key before ':'";
    if (r->levels.n == 0 || !r->levels.p[r->levels.n - 1].object || jq_reader_keyed(r))
        return "':' not as part of an object";
    if (r->next.kind != JQ_STRING)
        return "Object keys must be strings";
    r->want_key = false;
    r->before = r->next.str;
    jq_reader_store(r);
    return NULL;
}

static const char *jq_reader_comma(struct jq_reader *r)
{
    if (!r->next.kind)
        return "Expected value before ','";
    if (r->levels.n == 0)
        return "',' not as part of an object or array";
    const struct jq_level *l = &r->levels.p[r->levels.n - 1];
    if (l->object) {
        if (!jq_reader_keyed(r))
            return "Objects must consist of key:value pairs";
        r->before = r->vals.p[r->vals.n - 1].str;
        r->want_key = true;
    }
    jq_reader_store(r);
    return NULL;
}

/* Back in the container around: what kind of token comes is known from it. */
static void jq_reader_close(struct jq_reader *r, struct jq_val v)
{
    r->vals.n = r->levels.p[--r->levels.n].start;
    r->next = v;
    r->want_key = false;
}

static const char *jq_reader_close_array(struct jq_reader *r)
{
    if (r->levels.n == 0 || r->levels.p[r->levels.n - 1].object)
        return "Unmatched ']'";
    uint32_t start = r->levels.p[r->levels.n - 1].start;
    if (r->next.kind)
        jq_reader_store(r);
    else if (r->vals.n > start)
        return "Expected another array element";
    uint32_t n = (uint32_t)(r->vals.n - start);
    struct jq_val a = jq_array(r->j, n);
    if (!a.kind)
        return NULL; /* the values stay where they are, to be freed */
    if (n)
        memcpy(a.arr->v, r->vals.p + start, n * sizeof a.arr->v[0]);
    a.arr->n = n;
    jq_reader_close(r, a);
    return NULL;
}

static const char *jq_reader_close_object(struct jq_reader *r)
{
    if (r->levels.n == 0)
        return "Unmatched '}'";
    bool object = r->levels.p[r->levels.n - 1].object;
    if (r->next.kind) {
        if (!jq_reader_keyed(r))
            return "Objects must consist of key:value pairs";
        jq_reader_store(r);
    } else if (!object || jq_reader_keyed(r)) {
        return "Unmatched '}'";
    } else if (r->vals.n > r->levels.p[r->levels.n - 1].start) {
        return "Expected another key-value pair";
    }
    uint32_t start = r->levels.p[r->levels.n - 1].start;
    uint32_t n = (uint32_t)(r->vals.n - start) / 2;
    struct jq_val o = jq_object(r->j, n), *v = n ? r->vals.p + start : NULL;
    if (!o.kind || r->j->heap->oom) {
        jq_drop(r->j, o);
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++, v += 2) {
        if (jq_object_get(o.obj, v[0].str))
            jq_put(r->j, &o, v[0].str, v[1]);
        else
            jq_object_append(o.obj, v[0].str, v[1]);
    }
    jq_reader_close(r, o);
    return NULL;
}

static const char *jq_reader_take(struct jq_reader *r, int t)
{
    switch (t) {
    case JQ_TOKEN_VALUE:
        if (r->next.kind) {
            jq_drop(r->j, r->tok);
            r->tok = jq_none();
            return "Expected separator between values";
        }
        r->next = r->tok;
        r->tok = jq_none();
        return NULL;
    case '[':
    case '{': return jq_reader_open(r, t == '{');
    case ':': return jq_reader_colon(r);
    case ',': return jq_reader_comma(r);
    case ']': return jq_reader_close_array(r);
    default: return jq_reader_close_object(r);
    }
}

int jq_reader_fail(struct jq_reader *r, const char *what, struct jq_val *out)
{
    size_t line, column;
    char text[160];

    jq_reader_count(r, &line, &column);
    fmt_print(text, sizeof text, "%s at line %zu, column %zu%s", what, line + 1, column,
              r->seq && !r->ended ? " (need RS to resync)" : "");
    jq_reader_clear(r);
    *out = jq_string(r->j, str_z(text));
    r->skipping = r->seq;
    if (r->ended)
        r->any = false; /* nothing is left to complain about */
    if (!r->seq) {
        r->ended = true;
        r->p = r->end;
    }
    return out->kind ? -1 : JQ_TOKEN_FATAL;
}

void jq_reader_resync(struct jq_reader *r)
{
    do {
        for (; r->p < r->end; r->p++)
            if (*r->p == '\036') {
                r->skipping = false;
                return;
            }
    } while (jq_reader_fill(r));
}

/* At the end of the input: nothing may be open. */
static int jq_reader_end(struct jq_reader *r, struct jq_val *out)
{
    if (r->levels.n)
        return jq_reader_fail(r, "Unfinished JSON term at EOF", out);
    return 0;
}

int jq_reader_next(struct jq_reader *r, struct jq_val *out)
{
    *out = jq_none();
    if (r->skipping)
        jq_reader_resync(r);
    if (r->skipping)
        return r->any ? jq_reader_fail(r, "Unfinished abandoned text at EOF", out) : 0;
    for (;;) {
        int t = jq_reader_token(r);
        const char *wrong = t == JQ_TOKEN_BAD ? r->message : NULL;
        if (t == JQ_TOKEN_FATAL || r->j->heap->oom)
            return JQ_TOKEN_FATAL;
        if (t == JQ_TOKEN_END)
            return jq_reader_end(r, out);
        if (t == JQ_TOKEN_RS) {
            if (r->levels.n)
                return jq_reader_fail(r, "Truncated value", out);
            continue;
        }
        if (!wrong)
            wrong = jq_reader_take(r, t);
        if (wrong) {
            char eof[96];
            if (r->ended && t == JQ_TOKEN_BAD && wrong[0] == 'I') {
                fmt_print(eof, sizeof eof, "%s at EOF", wrong);
                wrong = eof;
            }
            return jq_reader_fail(r, wrong, out);
        }
        if (r->levels.n == 0 && r->next.kind) {
            /* jq looks at what ends a literal before it hands it out. */
            if (r->next.kind < JQ_STRING && r->p < r->end && strchr(",:[]{}", *r->p) && *r->p)
                continue;
            *out = r->next;
            r->next = jq_none();
            return 1;
        }
    }
}

/* ---- whole texts ----------------------------------------------------------------------------- */

/* One value and nothing behind it. JQ_NONE with the reason in *message, which says nothing about
 * memory that ran out. */
struct jq_val jq_parse_text(struct jq *j, struct str text, struct jq_val *message)
{
    struct jq_reader r;
    struct jq_val v = jq_none(), more = jq_none();

    *message = jq_none();
    jq_reader_init(&r, j, NULL, text);
    int n = jq_reader_next(&r, &v);
    if (n == 0) {
        *message = jq_string(j, STR("Expected JSON value"));
    } else if (n == 1) {
        int m = jq_reader_next(&r, &more);
        if (m == 1)
            *message = jq_string(j, STR("Unexpected extra JSON values"));
        else if (m < 0)
            *message = jq_copy(more);
        if (m != 0) {
            jq_drop(j, v);
            v = jq_none();
        }
        jq_drop(j, more);
    } else {
        *message = v;
        v = jq_none();
    }
    jq_reader_fini(&r);
    return v;
}

struct jq_val jq_from_json(struct jq *j, struct str text)
{
    struct jq_val message, v = jq_parse_text(j, text, &message);
    if (message.kind)
        jq_fail(j, "%.*s (while parsing '%.*s')", STR_ARG(jq_text(message)), STR_ARG(text));
    jq_drop(j, message);
    return v;
}

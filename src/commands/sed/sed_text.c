/* sed_text.c -- the small languages in a sed script: escapes, regexes, replacements, maps */
#include "commands/sed/sed.h"

#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "commands/lib/brackets.h"

/* ---- reading --------------------------------------------------------------------------------- */

bool sed_bad(struct sed_source *s, const char *fmt, ...)
{
    char text[256];
    va_list ap;

    va_start(ap, fmt);
    fmt_vprint(text, sizeof text, fmt, ap);
    va_end(ap);
    if (s->status)
        return false;
    s->status = SED_USAGE + 1;
    if (s->file.p)
        proc_warn(s->r->p, "file %.*s line %zu: %s", STR_ARG(s->file), s->line, text);
    else
        proc_warn(s->r->p, "-e expression #%zu, char %zu: %s", s->expr, (size_t)(s->cur - s->base),
                  text);
    return false;
}

int sed_next(struct sed_source *s)
{
    if (s->cur == s->end)
        return -1;
    int c = (unsigned char)*s->cur++;
    s->line += c == '\n';
    return c;
}

void sed_back(struct sed_source *s, int c)
{
    if (c < 0)
        return;
    s->cur--;
    s->line -= c == '\n';
}

struct str sed_keep(struct sed_source *s, struct str text)
{
    struct str copy = arena_str(s->r->p->arena, text);
    if (!copy.p && !s->status)
        s->status = HOB_ENOMEM;
    return copy;
}

/* A bracket expression, whose [ is read: up to its ]. False at the end of the line. */
static bool sed_bracket(struct sed_source *s, struct buf *b)
{
    int c = sed_next(s);
    if (c == '^') {
        buf_putc(b, '^');
        c = sed_next(s);
    }
    if (c == ']') {
        buf_putc(b, ']');
        c = sed_next(s);
    }
    for (; c >= 0 && c != '\n' && c != ']'; c = sed_next(s)) {
        buf_putc(b, (char)c);
        int kind = c == '[' && s->cur < s->end ? *s->cur : 0;
        if (kind != ':' && kind != '.' && kind != '=')
            continue;
        /* A class, up to its own end. */
        buf_putc(b, (char)sed_next(s));
        while ((c = sed_next(s)) >= 0 && c != '\n') {
            buf_putc(b, (char)c);
            if (c == kind && s->cur < s->end && *s->cur == ']') {
                buf_putc(b, (char)sed_next(s));
                break;
            }
        }
        if (c < 0 || c == '\n')
            break;
    }
    if (c == '\n')
        sed_back(s, c);
    if (c != ']')
        return false;
    buf_putc(b, ']');
    return true;
}

bool sed_delimited(struct sed_source *s, int delim, bool regex, struct buf *b)
{
    int c = -1;

    if (delim >= 128) {
        sed_bad(s, "delimiter character is not a single-byte character");
        return false;
    }
    while (delim >= 0 && (c = sed_next(s)) >= 0 && c != '\n' && c != delim) {
        if (c == '[' && regex) {
            buf_putc(b, '[');
            if (!sed_bracket(s, b))
                return false;
            continue;
        }
        if (c == '\\') {
            c = sed_next(s);
            if (c < 0)
                break;
            if (c == 'n' && regex && delim != 'n')
                c = '\n';
            else if (c != '\n' && (c != delim || (!regex && c == '&')))
                buf_putc(b, '\\');
        }
        buf_putc(b, (char)c);
    }
    if (c == '\n')
        sed_back(s, c); /* for the line number of the message */
    if (b->heap->oom && !s->status)
        s->status = HOB_ENOMEM;
    return c == delim && delim >= 0 && delim != '\n';
}

/* ---- escapes --------------------------------------------------------------------------------- */

static int sed_digit(char c)
{
    if (ascii_digit(c))
        return c - '0';
    int low = ascii_to_lower((unsigned char)c);
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : 99;
}

static int sed_escape_number(const char *p, size_t n, int base, size_t most, unsigned char *c)
{
    size_t i = 1;
    unsigned v = 0;
    for (; i < n && i <= most && sed_digit(p[i]) < base; i++)
        v = v * (unsigned)base + (unsigned)sed_digit(p[i]);
    *c = (unsigned char)v;
    return i > 1 ? (int)i : 0;
}

int sed_escape(struct sed_source *s, const char *p, size_t n, unsigned char *c)
{
    static const char from[] = "afnrtv", to[] = "\a\f\n\r\t\v";
    const char *plain = n && p[0] ? strchr(from, p[0]) : NULL;

    if (plain) {
        *c = (unsigned char)to[plain - from];
        return 1;
    }
    switch (n ? p[0] : '\0') {
    case 'd': return sed_escape_number(p, n, 10, 3, c);
    case 'o': return sed_escape_number(p, n, 8, 3, c);
    case 'x': return sed_escape_number(p, n, 16, 2, c);
    case 'c':
        if (n < 2)
            return 0;
        if (p[1] == '\\' && (n < 3 || p[2] != '\\')) {
            sed_bad(s, "recursive escaping after \\c not allowed");
            return -1;
        }
        *c = (unsigned char)(ascii_to_upper((unsigned char)p[1]) ^ 0x40);
        return p[1] == '\\' ? 3 : 2;
    default: return 0;
    }
}

/* ---- regexes --------------------------------------------------------------------------------- */

/* Puts characters in the place of escapes that the regex does not know. */
static bool sed_regex_text(struct sed_source *s, struct str text, struct buf *b)
{
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c;
        if (text.p[i] != '\\' || i + 1 == text.n) {
            buf_putc(b, text.p[i]);
            continue;
        }
        int used = sed_escape(s, text.p + i + 1, text.n - i - 1, &c);
        if (used < 0)
            return false;
        if (used > 0) {
            buf_putc(b, (char)c);
            i += (size_t)used;
        } else {
            buf_add(b, text.p + i, 2);
            i++;
        }
    }
    return true;
}

static unsigned sed_flavour(const struct sed *o)
{
    if (o->posix)
        return o->extended ? REGEX_ERE : REGEX_BRE_MINIMAL;
    return o->extended ? REGEX_SED_ERE : REGEX_SED;
}

static int sed_regex_tick(void *ud, uint64_t steps)
{
    return proc_tick(ud, (int64_t)(steps >> 10) + 1);
}

struct sed_regex *sed_regex_new(struct sed_source *s, struct str text, unsigned flags)
{
    struct sed_run *r = s->r;
    struct sed_regex *x = arena_new(r->p->arena, struct sed_regex);
    struct hob_error err;
    struct buf b;

    if (!x) {
        s->status = HOB_ENOMEM;
        return NULL;
    }
    x->text = sed_keep(s, text);
    /* With -z the lines of M end with NUL. */
    if (r->eol == '\0' && (flags & REGEX_NEWLINE))
        flags = (flags & ~(unsigned)REGEX_NEWLINE) | REGEX_LINES | REGEX_NUL;
    x->flags = sed_flavour(r->o) | flags | (r->bytes ? REGEX_BYTES : 0u);
    if (text.n == 0) {
        if (flags)
            sed_bad(s, "cannot specify modifiers on empty regexp");
        return x;
    }
    buf_init(&b, r->heap);
    int e = 0;
    if (sed_regex_text(s, text, &b))
        e = regex_compile(r->heap, buf_get(&b), x->flags, &x->re, &err);
    x->pattern = sed_keep(s, buf_get(&b));
    buf_fini(&b);
    if (e == HOB_ENOMEM && !s->status) {
        s->status = e;
    } else if (e < 0) {
        sed_bad(s, "%s", err.msg);
    } else if (brackets_mistaken(x->pattern) && !s->status) {
        proc_warn(r->p, BRACKETS_MISTAKE);
        s->status = SED_PANIC + 1;
    }
    if (x->re) {
        regex_set_tick(x->re, sed_regex_tick, r->p);
        x->next = r->regexes;
        r->regexes = x;
    }
    return x;
}

/* ---- replacements ---------------------------------------------------------------------------- */

struct sed_replacing {
    struct sed_source *s;
    struct sed_subst *sub;
    struct buf text; /* of the part that is being read */
    enum sed_case mode, first;
};

/* Ends the part that is being read. */
static bool sed_part_end(struct sed_replacing *x, int group)
{
    struct sed_subst *sub = x->sub;
    struct arena *a = x->s->r->p->arena;
    struct sed_part part = {sed_keep(x->s, buf_get(&x->text)), group, x->mode, x->first};

    if (sub->parts.n == sub->parts.cap) {
        size_t cap = sub->parts.cap ? sub->parts.cap * 2 : 4;
        struct sed_part *p =
            arena_grow(a, sub->parts.p, sub->parts.cap * sizeof *p, cap * sizeof *p);
        if (!p) {
            x->s->status = HOB_ENOMEM;
            return false;
        }
        sub->parts.p = p;
        sub->parts.cap = cap;
    }
    sub->parts.p[sub->parts.n++] = part;
    sub->groups = MAX(sub->groups, group);
    buf_clear(&x->text);
    x->first = SED_ASIS;
    return true;
}

/* What stands behind a backslash, at p. Returns the bytes used, -1 after an error. */
static int sed_replacement_escape(struct sed_replacing *x, const char *p, size_t n)
{
    unsigned char c;

    if (ascii_digit(p[0]))
        return sed_part_end(x, p[0] - '0') ? 1 : -1;
    if (strchr("LUElu", p[0]) && p[0] && !x->s->r->o->posix) {
        if (x->text.n && !sed_part_end(x, -1))
            return -1;
        x->first = p[0] == 'l' ? SED_LOWER : p[0] == 'u' ? SED_UPPER : SED_ASIS;
        if (!x->first)
            x->mode = p[0] == 'L' ? SED_LOWER : p[0] == 'U' ? SED_UPPER : SED_ASIS;
        return 1;
    }
    int used = sed_escape(x->s, p, n, &c);
    if (used == 0) {
        c = (unsigned char)(p[0] == 'c' ? '\\' : p[0]); /* \c without a character */
        used = 1;
    }
    if (used > 0)
        buf_putc(&x->text, (char)c);
    return used;
}

bool sed_replacement(struct sed_source *s, struct str text, struct sed_subst *sub)
{
    struct sed_replacing x = {.s = s, .sub = sub};
    bool ok = true;

    buf_init(&x.text, s->r->heap);
    for (size_t i = 0; i < text.n && ok; i++) {
        if (text.p[i] == '\\' && i + 1 < text.n) {
            int used = sed_replacement_escape(&x, text.p + i + 1, text.n - i - 1);
            ok = used > 0;
            i += ok ? (size_t)used : 0;
        } else if (text.p[i] == '&') {
            ok = sed_part_end(&x, 0);
        } else {
            buf_putc(&x.text, text.p[i]);
        }
    }
    if (ok && x.text.n)
        ok = sed_part_end(&x, -1);
    buf_fini(&x.text);
    sub->plain = sub->groups <= 0;
    for (size_t i = 0; i < sub->parts.n; i++)
        sub->plain = sub->plain && !sub->parts.p[i].mode && !sub->parts.p[i].first;
    return ok && !s->status;
}

/* ---- y --------------------------------------------------------------------------------------- */

/* Resolves the escapes of one side of y. */
static bool sed_map_text(struct sed_source *s, struct str text, struct buf *b)
{
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c == '\\' && i + 1 < text.n) {
            int used = sed_escape(s, text.p + i + 1, text.n - i - 1, &c);
            if (used < 0)
                return false;
            if (used == 0)
                c = (unsigned char)text.p[i + 1];
            i += (size_t)MAX(used, 1);
        }
        buf_putc(b, (char)c);
    }
    return true;
}

static struct str sed_character(struct sed_source *s, struct str text)
{
    int len = 1;
    if (text.n && !s->r->bytes)
        utf8_decode(text.p, text.n, &len);
    return str_sub(text, 0, (size_t)len);
}

static bool sed_map_fill(struct sed_source *s, struct sed_map *map, struct str from, struct str to)
{
    for (int i = 0; i < 256; i++)
        map->bytes[i] = (unsigned char)i;
    map->pairs = arena_array(s->r->p->arena, struct sed_pair, MAX(from.n, (size_t)1));
    if (!map->pairs) {
        s->status = HOB_ENOMEM;
        return false;
    }
    bool wide = false, seen[256] = {false};
    while (from.n && to.n) {
        struct sed_pair pair = {sed_character(s, from), sed_character(s, to)};
        unsigned char c = (unsigned char)pair.from.p[0];
        wide |= pair.from.n > 1 || pair.to.n > 1;
        if (pair.from.n == 1 && pair.to.n == 1 && !seen[c])
            map->bytes[c] = (unsigned char)pair.to.p[0];
        seen[c] |= pair.from.n == 1;
        map->pairs[map->n++] = pair;
        from = str_from(from, pair.from.n);
        to = str_from(to, pair.to.n);
    }
    if (!wide)
        map->pairs = NULL;
    return from.n == 0 && to.n == 0;
}

struct sed_map *sed_map_new(struct sed_source *s, struct str from, struct str to)
{
    struct sed_map *map = arena_new(s->r->p->arena, struct sed_map);
    struct buf a, b;

    if (!map) {
        s->status = HOB_ENOMEM;
        return NULL;
    }
    map->from = sed_keep(s, from);
    map->to = sed_keep(s, to);
    buf_init(&a, s->r->heap);
    buf_init(&b, s->r->heap);
    if (sed_map_text(s, from, &a) && sed_map_text(s, to, &b)) {
        struct str x = sed_keep(s, buf_get(&a)), y = sed_keep(s, buf_get(&b));
        if (!s->status && !sed_map_fill(s, map, x, y))
            sed_bad(s, "strings for `y' command are different lengths");
    }
    buf_fini(&a);
    buf_fini(&b);
    return map;
}

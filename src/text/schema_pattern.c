/* schema_pattern.c -- regular expressions of JavaScript, written again as POSIX ones
 *
 * Whether a pattern matches somewhere does not depend on greed or on which alternative is tried
 * first, so what JavaScript says with its own letters can be said in our linear engine: \d and \w
 * become sets, (?: ) a group, a lazy quantifier a plain one. The flavour is awk's, whose sets may
 * hold ranges above ASCII. Looking ahead, behind, or at what a group matched has no counterpart.
 */
#include "base/utf8.h"
#include "text/regex.h"
#include "text/schema.h"

struct pattern {
    struct str in;
    size_t p;
    struct buf out;
    bool around; /* it looks ahead or behind */
    bool bad;
};

/* A set of characters while it is read. Those above ASCII are kept as they will be written. */
struct pattern_set {
    uint64_t ascii[2];
    bool high; /* everything above ASCII */
    struct buf rest;
};

static void pattern_set_add(struct pattern_set *s, uint32_t c)
{
    s->ascii[c >> 6 & 1] |= UINT64_C(1) << (c & 63);
}

static bool pattern_set_has(const struct pattern_set *s, uint32_t c)
{
    return s->ascii[c >> 6 & 1] >> (c & 63) & 1;
}

static bool pattern_in_class(char letter, uint32_t c)
{
    switch (letter | 32) {
    case 'd': return ascii_digit((int)c);
    case 'w': return ascii_alnum((int)c) || c == '_';
    default: return ascii_space((int)c);
    }
}

/* \d \D \w \W \s \S: the opposites hold everything above ASCII too. */
static void pattern_set_class(struct pattern_set *s, char letter)
{
    bool opposite = ascii_upper(letter);
    for (uint32_t c = 0; c < 128; c++) {
        if (pattern_in_class(letter, c) != opposite)
            pattern_set_add(s, c);
    }
    s->high = s->high || opposite;
}

static void pattern_put(struct buf *b, uint32_t c)
{
    char text[8];
    buf_add(b, text, (size_t)utf8_encode(text, c));
}

static void pattern_set_range(struct pattern_set *s, uint32_t from, uint32_t to)
{
    for (uint32_t c = from; c <= to && c < 128; c++)
        pattern_set_add(s, c);
    if (to < 128)
        return;
    pattern_put(&s->rest, MAX(from, 128u));
    buf_putc(&s->rest, '-');
    pattern_put(&s->rest, to);
}

/* The set in brackets, the special characters where POSIX takes them for themselves. */
static void pattern_set_write(struct buf *b, struct pattern_set *s, bool negated)
{
    size_t start;
    bool hat, dash;

    if (s->high) { /* said by what is missing */
        s->ascii[0] = ~s->ascii[0];
        s->ascii[1] = ~s->ascii[1];
        negated = !negated;
        buf_clear(&s->rest);
    }
    hat = pattern_set_has(s, '^');
    dash = pattern_set_has(s, '-');
    buf_addz(b, negated ? "[^" : "[");
    start = b->n;
    if (pattern_set_has(s, ']'))
        buf_putc(b, ']');
    for (uint32_t c = 0; c < 128; c++) {
        uint32_t end = c;
        if (!pattern_set_has(s, c) || strchr("]^-[", (int)c ? (int)c : 'a'))
            continue;
        while (end < 127 && pattern_set_has(s, end + 1) && !strchr("]^-[", (int)end + 1))
            end++;
        if (c == '\\')
            buf_putc(b, '\\');
        buf_putc(b, (char)c);
        if (end > c + 1)
            buf_putc(b, '-');
        if (end > c)
            buf_putc(b, (char)end);
        c = end;
    }
    buf_str(b, buf_get(&s->rest));
    if (pattern_set_has(s, '['))
        buf_putc(b, '[');
    if (b->n == start && !negated && dash) { /* a hat must not come first */
        buf_putc(b, '-');
        dash = false;
    }
    if (hat && b->n == start && !negated) {
        buf_cut(b, start - 1);
        buf_addz(b, "\\^");
        return;
    }
    if (hat)
        buf_putc(b, '^');
    if (dash)
        buf_putc(b, '-');
    if (b->n == start) { /* [] matches nothing, [^] everything */
        buf_cut(b, start - (negated ? 2 : 1));
        buf_addz(b, negated ? "(.|\n)" : "[^\x01-\xF4\x8F\xBF\xBF]");
        return;
    }
    buf_putc(b, ']');
}

static int pattern_peek(const struct pattern *t, size_t ahead)
{
    return t->p + ahead < t->in.n ? (unsigned char)t->in.p[t->p + ahead] : -1;
}

/* n hexadecimal digits at t->p, or -1; they are passed over when they are there. */
static int64_t pattern_hex(struct pattern *t, size_t n)
{
    int64_t v = 0;
    for (size_t i = 0; i < n; i++) {
        int c = pattern_peek(t, i);
        int digit = ascii_digit(c) ? c - '0' : (c | 32) - 'a' + 10;
        if (c < 0 || !(ascii_digit(c) || (ascii_alpha(c) && (c | 32) <= 'f')))
            return -1;
        v = v * 16 + digit;
    }
    t->p += n;
    return v;
}

/* \u{...} behind the brace. */
static int64_t pattern_braced(struct pattern *t)
{
    int64_t v = 0;
    size_t digits = 0;
    for (int64_t d; digits < 7 && (d = pattern_hex(t, 1)) >= 0; digits++)
        v = v * 16 + d;
    if (digits == 0 || digits == 7 || pattern_peek(t, 0) != '}' || v > 0x10FFFF)
        return -1;
    t->p++;
    return v;
}

/* The character of an escape whose letter was just passed over. */
static uint32_t pattern_char(struct pattern *t, int letter)
{
    static const char from[] = "tnrfv0", to[] = "\t\n\r\f\v";
    const char *at = letter > 0 ? strchr(from, letter) : NULL;
    int64_t v = -1;

    if (at)
        return (uint32_t)(unsigned char)to[at - from];
    if (letter == 'x')
        v = pattern_hex(t, 2);
    else if (letter == 'u' && pattern_peek(t, 0) == '{')
        t->p++, v = pattern_braced(t);
    else if (letter == 'u')
        v = pattern_hex(t, 4);
    else if (letter == 'c' && ascii_alpha(pattern_peek(t, 0)))
        v = pattern_peek(t, 0) & 31, t->p++;
    return v >= 0 ? (uint32_t)v : (uint32_t)letter;
}

/* One whole character of the pattern. */
static uint32_t pattern_next(struct pattern *t)
{
    int len;
    uint32_t c = utf8_decode(t->in.p + t->p, t->in.n - t->p, &len);
    if (c == UTF8_BAD)
        c = (unsigned char)t->in.p[t->p];
    t->p += (size_t)len;
    return c;
}

static bool pattern_is_class(int c) { return c > 0 && strchr("dDwWsS", c); }

/* \p{...}: the few names that our engine has a class for. */
static void pattern_property(struct pattern *t, struct buf *b)
{
    static const struct {
        struct str name;
        const char *class;
    } names[] = {{STR_INIT("L"), "[:alpha:]"},          {STR_INIT("Letter"), "[:alpha:]"},
                 {STR_INIT("Alphabetic"), "[:alpha:]"}, {STR_INIT("Lu"), "[:upper:]"},
                 {STR_INIT("Ll"), "[:lower:]"},         {STR_INIT("N"), "[:digit:]"},
                 {STR_INIT("Nd"), "[:digit:]"},         {STR_INIT("P"), "[:punct:]"},
                 {STR_INIT("Z"), "[:space:]"}};
    struct str rest = str_from(t->in, t->p);
    ptrdiff_t end = str_chr(rest, '}');

    if (rest.n == 0 || rest.p[0] != '{' || end < 0) {
        t->bad = true;
        return;
    }
    t->p += (size_t)end + 1;
    for (size_t i = 0; i < COUNT(names); i++) {
        if (str_eq(str_sub(rest, 1, (size_t)end - 1), names[i].name)) {
            buf_addz(b, names[i].class);
            return;
        }
    }
    t->around = true; /* a property we do not know: nothing can be said */
}

/* One element of a set: a class goes into it at once (false), else its character is *c. */
static bool pattern_element(struct pattern *t, struct pattern_set *s, uint32_t *c)
{
    *c = pattern_next(t);
    if (*c != '\\')
        return true;
    int letter = pattern_peek(t, 0);
    if (letter < 0) {
        t->bad = true;
        return false;
    }
    t->p++;
    if (pattern_is_class(letter)) {
        pattern_set_class(s, (char)letter);
        return false;
    }
    if (letter == 'p') {
        pattern_property(t, &s->rest);
        return false;
    }
    if (letter == 'P') {
        t->around = true;
        return false;
    }
    *c = letter == 'b' ? '\b' : pattern_char(t, letter);
    return true;
}

/* [...]: t->p is behind the bracket. */
static void pattern_bracket(struct pattern *t)
{
    struct pattern_set s = {{0, 0}, false, {0}};
    bool negated = pattern_peek(t, 0) == '^', closed = false;

    buf_init(&s.rest, t->out.heap);
    t->p += negated;
    while (t->p < t->in.n && !t->bad) {
        uint32_t from, to;
        if (pattern_peek(t, 0) == ']') {
            t->p++;
            closed = true;
            break;
        }
        if (!pattern_element(t, &s, &from))
            continue;
        to = from;
        if (pattern_peek(t, 0) == '-' && pattern_peek(t, 1) >= 0 && pattern_peek(t, 1) != ']') {
            t->p++;
            if (!pattern_element(t, &s, &to)) { /* [a-\d]: the dash stands for itself */
                pattern_set_add(&s, '-');
                to = from;
            }
        }
        if (to < from)
            t->bad = true;
        else
            pattern_set_range(&s, from, to);
    }
    t->bad = t->bad || !closed;
    pattern_set_write(&t->out, &s, negated);
    buf_fini(&s.rest);
}

/* A character that stands for itself, outside of brackets. */
static void pattern_literal(struct pattern *t, uint32_t c)
{
    if (c && c < 128 && strchr(".[]{}()*+?^$|\\", (int)c))
        buf_putc(&t->out, '\\');
    pattern_put(&t->out, c);
}

static void pattern_escape(struct pattern *t)
{
    int letter = pattern_peek(t, 0);

    if (letter < 0) {
        t->bad = true;
        return;
    }
    if (letter >= 128) {
        pattern_literal(t, pattern_next(t));
        return;
    }
    t->p++;
    if (pattern_is_class(letter)) {
        struct pattern_set s = {{0, 0}, false, {0}};
        buf_init(&s.rest, t->out.heap);
        pattern_set_class(&s, (char)letter);
        pattern_set_write(&t->out, &s, false);
        buf_fini(&s.rest);
    } else if (letter == 'p' || letter == 'P') {
        buf_addz(&t->out, letter == 'p' ? "[" : "[^");
        pattern_property(t, &t->out);
        buf_putc(&t->out, ']');
    } else if (letter == 'b' || letter == 'B') {
        buf_addz(&t->out, letter == 'b' ? "\\y" : "\\B");
    } else if (letter == 'k' || (letter >= '1' && letter <= '9')) {
        t->around = true; /* what a group matched again: not in linear time */
    } else {
        pattern_literal(t, pattern_char(t, letter));
    }
}

/* ( and what may follow it. */
static void pattern_group(struct pattern *t)
{
    buf_putc(&t->out, '(');
    if (pattern_peek(t, 0) != '?')
        return;
    int c = pattern_peek(t, 1), d = pattern_peek(t, 2);
    if (c == ':') {
        t->p += 2;
    } else if (c == '<' && d != '=' && d != '!') {
        ptrdiff_t end = str_chr(str_from(t->in, t->p), '>');
        t->bad = t->bad || end < 0;
        t->p += end < 0 ? 2 : (size_t)end + 1;
    } else if (c == '=' || c == '!' || c == '<') {
        t->around = true;
        t->p += 2;
    } else {
        t->bad = true;
    }
}

/* { begins an interval, or stands for itself. */
static void pattern_brace(struct pattern *t)
{
    size_t p = t->p, digits = 0;
    while (p < t->in.n && (ascii_digit(t->in.p[p]) || t->in.p[p] == ','))
        digits += ascii_digit(t->in.p[p++]);
    if (digits == 0 || t->in.p[t->p] == ',' || p >= t->in.n || t->in.p[p] != '}') {
        buf_addz(&t->out, "\\{");
        return;
    }
    buf_putc(&t->out, '{');
    buf_add(&t->out, t->in.p + t->p, p + 1 - t->p);
    t->p = p + 1;
    t->p += pattern_peek(t, 0) == '?';
}

static void pattern_translate(struct pattern *t)
{
    while (t->p < t->in.n && !t->bad && !t->around) {
        uint32_t c = pattern_next(t);
        switch (c) {
        case '\\': pattern_escape(t); break;
        case '[': pattern_bracket(t); break;
        case '(': pattern_group(t); break;
        case '{': pattern_brace(t); break;
        case '.': buf_addz(&t->out, "[^\n\r]"); break;
        case ']':
        case '}': pattern_literal(t, c); break;
        case '*':
        case '+':
        case '?':
            buf_putc(&t->out, (char)c);
            t->p += pattern_peek(t, 0) == '?'; /* lazy */
            break;
        default: pattern_put(&t->out, c); break;
        }
    }
}

static void pattern_free(void *re) { regex_free(re); }

int schema_pattern(struct arena *a, struct str pattern, struct regex **out, struct hob_error *err)
{
    struct pattern t = {.in = pattern};
    struct hob_error why = {0};
    int r;

    *out = NULL;
    buf_init(&t.out, a->heap);
    pattern_translate(&t);
    if (a->heap->oom)
        r = error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    else if (t.bad)
        r = error_set(err, HOB_EINVAL, "the pattern is not a regular expression");
    else if (t.around)
        r = 0;
    else
        r = regex_compile(a->heap, buf_get(&t.out), REGEX_AWK, out, &why);
    buf_fini(&t.out);
    if (r == HOB_ELIMIT)
        return 0;
    if (r == HOB_ESYNTAX)
        return error_set(err, HOB_EINVAL, "the pattern is not a regular expression: %s", why.msg);
    if (r < 0)
        return r == HOB_ENOMEM ? error_set(err, r, "%s", error_text(r)) : r;
    if (!*out)
        return 0;
    regex_set_cache(*out, (size_t)256 << 10);
    regex_set_steps(*out, 1000000);
    r = arena_on_release(a, pattern_free, *out);
    if (r < 0) {
        regex_free(*out);
        *out = NULL;
        return error_set(err, r, "%s", error_text(r));
    }
    return 0;
}

/* ---- formats
 * ----------------------------------------------------------------------------------- */

/* Whether the text has the shape: 9 is a digit, x a hexadecimal digit, everything else itself. */
static bool pattern_is_shape(struct str s, const char *shape)
{
    if (s.n != strlen(shape))
        return false;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool hex = ascii_digit(c) || (ascii_alpha(c) && (c | 32) <= 'f');
        if (shape[i] == '9'   ? !ascii_digit(c)
            : shape[i] == 'x' ? !hex
                              : (c | 32) != (shape[i] | 32))
            return false;
    }
    return true;
}

static int pattern_two(struct str s, size_t at) { return (s.p[at] - '0') * 10 + s.p[at + 1] - '0'; }

static bool pattern_is_date(struct str s)
{
    return pattern_is_shape(s, "9999-99-99") && pattern_two(s, 5) >= 1 && pattern_two(s, 5) <= 12 &&
           pattern_two(s, 8) >= 1 && pattern_two(s, 8) <= 31;
}

/* 12:30:00, a fraction, and a zone. */
static bool pattern_is_time(struct str s)
{
    struct str clock = str_sub(s, 0, 8), rest = str_from(s, 8);
    if (!pattern_is_shape(clock, "99:99:99") || pattern_two(s, 0) > 23 || pattern_two(s, 3) > 59 ||
        pattern_two(s, 6) > 60)
        return false;
    if (rest.n && rest.p[0] == '.') {
        size_t i = 1;
        while (i < rest.n && ascii_digit(rest.p[i]))
            i++;
        if (i == 1)
            return false;
        rest = str_from(rest, i);
    }
    return str_eqz(rest, "Z") || str_eqz(rest, "z") || pattern_is_shape(rest, "+99:99") ||
           pattern_is_shape(rest, "-99:99");
}

static bool pattern_is_email(struct str s)
{
    ptrdiff_t at = str_rchr(s, '@');
    return at > 0 && (size_t)at + 1 < s.n && str_chr(s, ' ') < 0 && str_chr(s, '\n') < 0;
}

static bool pattern_is_uri(struct str s)
{
    ptrdiff_t colon = str_chr(s, ':');
    if (colon <= 0 || !ascii_alpha(s.p[0]))
        return false;
    for (ptrdiff_t i = 0; i < colon; i++) {
        if (!ascii_alnum(s.p[i]) && !strchr("+-.", s.p[i] ? s.p[i] : 'x'))
            return false;
    }
    return str_chr(s, ' ') < 0 && str_chr(s, '\n') < 0;
}

static bool pattern_is_ipv4(struct str s)
{
    int parts = 0;
    while (parts < 4) {
        ptrdiff_t dot = str_chr(s, '.');
        struct str part = dot < 0 ? s : str_sub(s, 0, (size_t)dot);
        uint64_t v;
        if (part.n == 0 || part.n > 3 || !ascii_digit(part.p[0]) || str_uint(part, &v) < 0 ||
            v > 255)
            return false;
        parts++;
        if (dot < 0)
            break;
        s = str_from(s, (size_t)dot + 1);
        if (parts == 4)
            return false;
    }
    return parts == 4;
}

static bool pattern_is_ipv6(struct str s)
{
    size_t colons = 0;
    for (size_t i = 0; i < s.n; i++) {
        colons += s.p[i] == ':';
        if (!ascii_digit(s.p[i]) && s.p[i] != ':' && s.p[i] != '.' &&
            !(ascii_alpha(s.p[i]) && (s.p[i] | 32) <= 'f'))
            return false;
    }
    return colons >= 2 && colons <= 8 && s.n <= 45;
}

bool schema_format(struct str format, struct str s)
{
    if (str_eqz(format, "date-time"))
        return s.n > 11 && pattern_is_date(str_sub(s, 0, 10)) && strchr("Tt ", s.p[10]) &&
               s.p[10] && pattern_is_time(str_from(s, 11));
    if (str_eqz(format, "date"))
        return pattern_is_date(s);
    if (str_eqz(format, "time"))
        return pattern_is_time(s);
    if (str_eqz(format, "email"))
        return pattern_is_email(s);
    if (str_eqz(format, "uri") || str_eqz(format, "url"))
        return pattern_is_uri(s);
    if (str_eqz(format, "uuid"))
        return pattern_is_shape(s, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx");
    if (str_eqz(format, "ipv4"))
        return pattern_is_ipv4(s);
    if (str_eqz(format, "ipv6"))
        return pattern_is_ipv6(s);
    return true;
}

/* expand_quote.c -- strings written so that the shell reads them back, and escapes undone */
#include "shell/expand_impl.h"
#include "base/utf8.h"

/* A character that must be written as an escape between $' and '. */
static bool expand_quote_odd(struct str s)
{
    for (size_t i = 0; i < s.n;) {
        unsigned char b = (unsigned char)s.p[i];
        if (b < 0x80) {
            if (b < 32 || b == 127)
                return true;
            i++;
            continue;
        }
        int len;
        uint32_t c = utf8_decode(s.p + i, s.n - i, &len);
        if (c == UTF8_BAD || !utf8_is_print(c))
            return true;
        i += (size_t)len;
    }
    return false;
}

bool expand_quote_needs_ansi(struct str s) { return expand_quote_odd(s); }

void expand_quote_ansi(struct buf *b, struct str s)
{
    static const char from[] = "\033\a\v\b\f\n\r\t\\'", to[] = "Eavbfnrt\\'";
    buf_addz(b, "$'");
    for (size_t i = 0; i < s.n;) {
        unsigned char c = (unsigned char)s.p[i];
        const char *simple = c ? memchr(from, c, sizeof from - 1) : NULL;
        int len = 1;
        uint32_t u = c < 0x80 ? c : utf8_decode(s.p + i, s.n - i, &len);
        if (simple) {
            buf_putc(b, '\\');
            buf_putc(b, to[simple - from]);
        } else if (u == UTF8_BAD || (u < 0x80 ? c < 32 || c == 127 : !utf8_is_print(u))) {
            for (int k = 0; k < len; k++)
                buf_printf(b, "\\%03o", (unsigned char)s.p[i + (size_t)k]);
        } else {
            buf_add(b, s.p + i, (size_t)len);
        }
        i += (size_t)len;
    }
    buf_putc(b, '\'');
}

void expand_quote_single(struct buf *b, struct str s)
{
    if (s.n == 1 && s.p[0] == '\'') {
        buf_addz(b, "\\'");
        return;
    }
    buf_putc(b, '\'');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\'')
            buf_addz(b, "'\\'");
        buf_putc(b, s.p[i]);
    }
    buf_putc(b, '\'');
}

void expand_quote_double(struct buf *b, struct str s)
{
    buf_putc(b, '"');
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '"' || c == '$' || c == '`' || c == '\\')
            buf_putc(b, '\\');
        buf_putc(b, c);
    }
    buf_putc(b, '"');
}

bool expand_quote_metas(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        switch (c) {
        case ' ':
        case '\t':
        case '\n':
        case '\'':
        case '"':
        case '\\':
        case '|':
        case '&':
        case ';':
        case '(':
        case ')':
        case '<':
        case '>':
        case '!':
        case '{':
        case '}':
        case '*':
        case '[':
        case '?':
        case ']':
        case '^':
        case '$':
        case '`': return true;
        case '~':
            if (i == 0 || s.p[i - 1] == '=' || s.p[i - 1] == ':')
                return true;
            break;
        case '#':
            if (i == 0 || s.p[i - 1] == ' ' || s.p[i - 1] == '\t')
                return true;
            break;
        default: break;
        }
    }
    return false;
}

void expand_quote(struct buf *b, struct str s)
{
    if (expand_quote_odd(s))
        expand_quote_ansi(b, s);
    else
        expand_quote_single(b, s);
}

/* As ${x@Q} of an array element and `declare -p` write a value. */
void expand_quote_value(struct buf *b, struct str s)
{
    if (expand_quote_odd(s))
        expand_quote_ansi(b, s);
    else
        expand_quote_double(b, s);
}

void expand_quote_q(struct buf *b, struct str s)
{
    if (s.n == 0) {
        buf_addz(b, "''");
        return;
    }
    if (expand_quote_odd(s)) {
        expand_quote_ansi(b, s);
        return;
    }
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool special = (c && strchr(" \t\n'\"\\|&;()<>!{}*[?]^$`,", c)) ||
                       (c == '~' && (i == 0 || s.p[i - 1] == ':' || s.p[i - 1] == '=')) ||
                       (c == '#' && i == 0);
        if (special)
            buf_putc(b, '\\');
        buf_putc(b, c);
    }
}

/* ---- escapes --------------------------------------------------------------------------------- */

static size_t expand_quote_digits(struct str s, size_t at, int base, size_t most, uint32_t *v)
{
    size_t n = 0;
    *v = 0;
    for (; n < most && at + n < s.n; n++) {
        int c = (unsigned char)s.p[at + n];
        int d = ascii_digit(c) ? c - '0' : ascii_alpha(c) ? ascii_to_lower(c) - 'a' + 10 : 99;
        if (d >= base)
            break;
        *v = *v * (uint32_t)base + (uint32_t)d;
    }
    return n;
}

/* One escape at s[i], behind the backslash: the number of bytes taken. *end: the value ends here,
 * as a NUL ends it in bash. */
static size_t expand_quote_escape(struct buf *b, struct str s, size_t i, int mode, bool *end)
{
    static const char from[] = "abeEfnrtv\\", to[] = "\a\b\033\033\f\n\r\t\v\\";
    char c = s.p[i], utf8[8];
    const char *simple = c ? memchr(from, c, sizeof from - 1) : NULL;
    uint32_t v;
    size_t n;
    if (simple) {
        buf_putc(b, to[simple - from]);
        return 1;
    }
    if (mode == EXPAND_ANSI_QUOTE && (c == '\'' || c == '"' || c == '?')) {
        buf_putc(b, c);
        return 1;
    }
    if (c >= '0' && c <= '7' && (mode == EXPAND_ANSI_QUOTE || c == '0')) {
        size_t skip = mode == EXPAND_ANSI_QUOTE ? 0 : 1;
        n = expand_quote_digits(s, i + skip, 8, 3, &v);
        buf_putc(b, (char)v);
        *end = mode == EXPAND_ANSI_QUOTE && !(v & 255);
        return n + skip;
    }
    if (c == 'x' || c == 'u' || c == 'U') {
        n = expand_quote_digits(s, i + 1, 16, c == 'x' ? 2 : c == 'u' ? 4 : 8, &v);
        if (n && c == 'x')
            buf_putc(b, (char)v);
        else if (n)
            buf_add(b, utf8, (size_t)utf8_encode(utf8, v));
        *end = n && v == 0 && mode == EXPAND_ANSI_QUOTE;
        if (n)
            return n + 1;
    } else if (c == 'c' && mode == EXPAND_ANSI_QUOTE && i + 1 < s.n) {
        buf_putc(b, s.p[i + 1] == '?' ? 127 : (char)(ascii_to_upper(s.p[i + 1]) & 31));
        return 2;
    }
    buf_putc(b, '\\');
    buf_putc(b, c);
    return 1;
}

int expand_ansi_c(struct buf *b, struct str s, int mode)
{
    for (size_t i = 0; i < s.n;) {
        bool end = false;
        if (s.p[i] != '\\' || i + 1 >= s.n) {
            buf_putc(b, s.p[i++]);
            continue;
        }
        if (s.p[i + 1] == 'c' && mode != EXPAND_ANSI_QUOTE)
            return 1;
        size_t before = b->n;
        i += 1 + expand_quote_escape(b, s, i + 1, mode, &end);
        if (end) {
            buf_cut(b, before);
            break;
        }
    }
    return 0;
}

/* quote.c -- names in messages and listings, quoted as GNU's tools quote them in a UTF-8 locale
 *
 * A style that quotes only when needed is first tried without quotes; the first character that
 * needs them starts the work again with quotes. A name with an apostrophe is put between double
 * quotes when nothing in it has a meaning there, else the apostrophe is written '\''.
 */
#include "shell/quote.h"

#include "base/utf8.h"

struct quote {
    struct buf *out;
    struct str s;
    const char *also;
    const char *right; /* the closing quote, "" if there is none */
    bool shell;        /* one of the shell styles */
    bool elide;        /* no quotes as long as nothing needs them */
    bool escapes;      /* control characters as \n, \001 */
    bool pending;      /* inside $'...' of a shell style */
    bool apostrophe;   /* one was met */
    bool double_ok;    /* all of it may stand between double quotes */
};

static bool quote_also(const struct quote *q, char c) { return q->also && c && strchr(q->also, c); }

/* A shell style leaves '...' for $'...'. */
static void quote_escape_on(struct quote *q)
{
    if (q->shell && !q->pending) {
        buf_addz(q->out, "'$'");
        q->pending = true;
    }
}

static void quote_escape_off(struct quote *q)
{
    if (q->pending) {
        buf_addz(q->out, "''");
        q->pending = false;
    }
}

static char quote_letter(char c)
{
    static const char from[] = "\a\b\f\n\r\t\v", to[] = "abfnrtv";
    const char *at = c ? strchr(from, c) : NULL;
    return at ? to[at - from] : '\0';
}

/* Whether c at index i is special to a shell. *plain: it may stand between double quotes. */
static bool quote_special(const struct quote *q, size_t i, char c, bool *plain)
{
    *plain = false;
    if (c == '{' || c == '}') {
        *plain = true;
        return q->s.n == 1;
    }
    if ((c == '#' || c == '~') && i)
        return false;
    if (c == '#' || c == '~' || c == ' ') {
        *plain = true;
        return true;
    }
    if (c && strchr("!\"$&()*;<=>[^`|?\\", c))
        return true;
    *plain = true;
    return false;
}

/* The bytes of one character that is not special. False: quotes are needed. */
static bool quote_plain(struct quote *q, size_t at, int len, bool print)
{
    for (int i = 0; i < len; i++) {
        char c = q->s.p[at + (size_t)i];
        if (q->escapes && !print) {
            if (q->elide && q->shell)
                return false;
            quote_escape_on(q);
            buf_printf(q->out, "\\%03o", (unsigned char)c);
            continue;
        }
        if (i == 0 && quote_also(q, c)) {
            if (q->elide)
                return false;
            if (q->escapes && !q->shell)
                buf_putc(q->out, '\\');
        }
        quote_escape_off(q);
        buf_putc(q->out, c);
    }
    return true;
}

/* An apostrophe in a shell style. */
static bool quote_apostrophe(struct quote *q)
{
    q->apostrophe = true;
    if (q->elide)
        return false;
    buf_addz(q->out, "'\\'");
    q->pending = false;
    buf_putc(q->out, '\'');
    return true;
}

/* One character at *at. False: it needs quotes that are not there. */
static bool quote_one(struct quote *q, size_t *at)
{
    char c = q->s.p[*at];
    char letter = quote_letter(c);
    bool plain = true;
    int len = 1;

    if (q->shell && c == '\'') {
        ++*at;
        return quote_apostrophe(q);
    }
    if (letter) {
        ++*at;
        q->double_ok = false;
        if (q->elide && (q->shell || q->right[0]))
            return false;
        if (!q->escapes)
            return quote_plain(q, *at - 1, 1, true);
        quote_escape_on(q);
        buf_putc(q->out, '\\');
        buf_putc(q->out, letter);
        return true;
    }
    if (q->shell && quote_special(q, *at, c, &plain) && q->elide)
        return false;
    if (!plain)
        q->double_ok = false;
    if (!q->shell && q->escapes && (c == '\\' || (c && c == q->right[0] && !q->right[1]))) {
        /* A lone backslash needs no other one while nothing else asks for quotes. */
        ++*at;
        if (c != '\\' && q->elide)
            return false;
        if (!q->elide || !q->right[0])
            buf_putc(q->out, '\\');
        buf_putc(q->out, c);
        return true;
    }
    uint32_t u = utf8_decode(q->s.p + *at, q->s.n - *at, &len);
    bool print = u != UTF8_BAD && utf8_is_print(u);
    if (!print)
        q->double_ok = false;
    if (!q->shell && q->right[0] && q->right[1] && (size_t)len == strlen(q->right) &&
        memcmp(q->s.p + *at, q->right, (size_t)len) == 0)
        buf_putc(q->out, '\\');
    if (!print && q->escapes && q->elide && q->right[0])
        return false;
    *at += (size_t)len;
    return quote_plain(q, *at - (size_t)len, len, print);
}

/* The whole string. False: start again with quotes. */
static bool quote_all(struct quote *q)
{
    for (size_t at = 0; at < q->s.n;) {
        if (!quote_one(q, &at))
            return false;
    }
    return true;
}

static void quote_shell(struct quote *q)
{
    size_t start = q->out->n;
    if (q->elide) {
        if (q->s.n && quote_all(q))
            return;
        buf_cut(q->out, start);
        q->elide = false;
    }
    q->apostrophe = false;
    q->double_ok = true;
    q->pending = false;
    buf_putc(q->out, '\'');
    quote_all(q);
    if (q->apostrophe && q->double_ok) {
        buf_cut(q->out, start);
        buf_putc(q->out, '"');
        buf_str(q->out, q->s);
        buf_putc(q->out, '"');
        return;
    }
    if (q->apostrophe && q->pending) {
        /* GNU writes such a name in a second go that begins in the state the first one ended. */
        buf_cut(q->out, start);
        buf_putc(q->out, '\'');
        quote_all(q);
    }
    buf_putc(q->out, '\'');
}

void quote_add(struct buf *b, struct str s, enum quote_style style, const char *also)
{
    struct quote q = {.out = b, .s = s, .also = also, .right = ""};
    size_t start = b->n;
    const char *left = "";

    switch (style) {
    case QUOTE_LITERAL: buf_str(b, s); return;
    case QUOTE_SHELL:
    case QUOTE_SHELL_ESCAPE:
    case QUOTE_SHELL_ALWAYS:
    case QUOTE_SHELL_ESCAPE_ALWAYS:
        q.shell = true;
        q.escapes = style == QUOTE_SHELL_ESCAPE || style == QUOTE_SHELL_ESCAPE_ALWAYS;
        q.elide = style == QUOTE_SHELL || style == QUOTE_SHELL_ESCAPE;
        quote_shell(&q);
        return;
    case QUOTE_C:
    case QUOTE_C_MAYBE:
        left = q.right = "\"";
        q.elide = style == QUOTE_C_MAYBE;
        break;
    case QUOTE_ESCAPE: break;
    case QUOTE_LOCALE:
    case QUOTE_CLOCALE:
        left = "\xe2\x80\x98";
        q.right = "\xe2\x80\x99";
        break;
    }
    q.escapes = true;
    if (q.elide) {
        if (quote_all(&q))
            return;
        buf_cut(b, start);
        q.elide = false;
    }
    buf_addz(b, left);
    quote_all(&q);
    buf_addz(b, q.right);
}

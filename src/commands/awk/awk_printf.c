/* awk_printf.c -- printf and sprintf, and numbers as %.6g quickly */
#include "commands/awk/awk.h"

#include <math.h>

#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"

enum {
    AWK_WIDTH_MAX = 1 << 30
};

struct awk_spec {
    char flags[8];   /* those that were given, once each */
    int width, prec; /* -1: none */
    bool left, zero, plus, space, alt;
};

/* ---- numbers --------------------------------------------------------------------------------- */

/* A number below 10^18 rounded to a whole one; false when it lies so near the middle that the
 * rounding of the multiplication before could have decided. */
static bool awk_round(long double v, uint64_t *out)
{
    uint64_t whole = (uint64_t)v;
    long double rest = v - (long double)whole;

    if (rest > 0.499999L && rest < 0.500001L)
        return false;
    *out = whole + (rest > 0.5L);
    return true;
}

static const long double awk_tens[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                       1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                       1e14L, 1e15L, 1e16L, 1e17L, 1e18L};

size_t awk_fast_g6(double d, char *tmp)
{
    long double v = signbit(d) ? -(long double)d : (long double)d;
    char digits[24];
    uint64_t m;
    int exp = 0; /* of the first digit */
    size_t n = 0;

    if (!(v >= 1e-4L && v < 1e6L))
        return 0;
    while (v < 1 / awk_tens[-exp])
        exp--;
    while (exp < 6 && v >= awk_tens[exp + 1 > 0 ? exp + 1 : 0] && exp >= 0)
        exp++;
    if (!awk_round(v * awk_tens[5 - exp], &m))
        return 0;
    if (m >= 1000000) {
        m /= 10;
        exp++;
    }
    if (m < 100000 || exp > 5)
        return 0;
    for (int i = 5; i >= 0; i--, m /= 10)
        digits[i] = (char)('0' + m % 10);
    int last = 6;
    while (last > 1 && digits[last - 1] == '0')
        last--;
    if (signbit(d))
        tmp[n++] = '-';
    if (exp < 0) {
        tmp[n++] = '0';
        tmp[n++] = '.';
        for (int i = -1; i > exp; i--)
            tmp[n++] = '0';
        for (int i = 0; i < last; i++)
            tmp[n++] = digits[i];
        return n;
    }
    for (int i = 0; i <= exp; i++)
        tmp[n++] = digits[i];
    if (last > exp + 1) {
        tmp[n++] = '.';
        for (int i = exp + 1; i < last; i++)
            tmp[n++] = digits[i];
    }
    return n;
}

/* %.Nf without flags for numbers of everyday size. */
static bool awk_fast_fixed(struct buf *b, double d, int prec)
{
    long double v = signbit(d) ? -(long double)d : (long double)d;
    char text[48];
    uint64_t m;
    size_t n = 0;

    if (prec < 0 || prec > 9 || !(v < 1e9L) || !awk_round(v * awk_tens[prec], &m))
        return false;
    uint64_t unit = (uint64_t)awk_tens[prec], rest = m % unit;
    if (signbit(d))
        text[n++] = '-';
    n += fmt_uint(text + n, m / unit);
    if (prec) {
        text[n++] = '.';
        for (int i = prec - 1; i >= 0; i--, rest /= 10)
            text[n + (size_t)i] = (char)('0' + rest % 10);
        n += (size_t)prec;
    }
    buf_add(b, text, n);
    return true;
}

/* ---- output ---------------------------------------------------------------------------------- */

static void awk_pad(struct awk *a, struct buf *b, char c, size_t n)
{
    if (n > AWK_WIDTH_MAX) {
        awk_nomem(a);
        return;
    }
    buf_fill(b, c, n);
}

/* Text in its width, counted in characters. */
static void awk_put_text(struct awk *a, struct buf *b, const struct awk_spec *s, struct str text)
{
    size_t width = s->width > 0 ? (size_t)s->width : 0;
    size_t n = width ? (a->bytes ? text.n : utf8_count(text)) : 0;
    size_t pad = width > n ? width - n : 0;

    if (!s->left)
        awk_pad(a, b, s->zero ? '0' : ' ', pad);
    buf_str(b, text);
    if (s->left)
        awk_pad(a, b, ' ', pad);
}

/* Digits with a sign or prefix, at least `prec` of them, in their width. */
static void awk_put_digits(struct awk *a, struct buf *b, const struct awk_spec *s,
                           const char *prefix, struct str digits)
{
    size_t pn = strlen(prefix), width = s->width > 0 ? (size_t)s->width : 0;
    size_t zeros = s->prec > 0 && (size_t)s->prec > digits.n ? (size_t)s->prec - digits.n : 0;
    size_t n = pn + zeros + digits.n, pad = width > n ? width - n : 0;

    if (!s->left && s->zero && s->prec < 0) {
        zeros += pad;
        pad = 0;
    }
    if (!s->left)
        awk_pad(a, b, ' ', pad);
    buf_add(b, prefix, pn);
    awk_pad(a, b, '0', zeros);
    buf_str(b, digits);
    if (s->left)
        awk_pad(a, b, ' ', pad);
}

/* What is no number has no width either. */
static void awk_put_magic(struct buf *b, char conv, double d)
{
    const char *name = ascii_upper(conv) ? (isnan(d) ? "NAN" : "INF") : isnan(d) ? "nan" : "inf";
    buf_printf(b, "%c%s", signbit(d) ? '-' : '+', name);
}

static void awk_put_integer(struct awk *a, struct buf *b, const struct awk_spec *s, double d)
{
    char text[400];
    size_t n;

    if (!isfinite(d)) {
        awk_put_magic(b, 'd', d);
        return;
    }
    d = trunc(d);
    bool minus = d < 0;
    if (d > -1e18 && d < 1e18)
        n = fmt_uint(text, (uint64_t)(minus ? -d : d));
    else
        n = fmt_print(text, sizeof text, "%.0f", minus ? -d : d);
    if (d == 0 && s->prec == 0)
        n = 0;
    awk_put_digits(a, b, s, minus ? "-" : s->plus ? "+" : s->space ? " " : "", str_of(text, n));
}

/* %a: the first digit is 1, or 0 for what is too small for that. */
static void awk_put_hex(struct awk *a, struct buf *b, const struct awk_spec *s, char conv, double d)
{
    const char *digits = conv == 'A' ? "0123456789ABCDEF" : "0123456789abcdef";
    char prefix[4], text[64];
    uint64_t bits;
    size_t n = 0, pn = 0;

    memcpy(&bits, &d, sizeof bits);
    uint64_t mant = bits & ((UINT64_C(1) << 52) - 1);
    int exp = (int)(bits >> 52 & 0x7ff), places = s->prec;
    unsigned lead = exp != 0;
    exp = exp ? exp - 1023 : mant ? -1022 : 0;
    if (places >= 0 && places < 13) { /* half goes to even */
        uint64_t unit = UINT64_C(1) << (52 - 4 * places), all = mant | (uint64_t)lead << 52;
        uint64_t rest = all & (unit - 1);
        all = all - rest + (rest > unit / 2 || (rest == unit / 2 && (all & unit)) ? unit : 0);
        lead = (unsigned)(all >> 52);
        mant = all & ((UINT64_C(1) << 52) - 1);
    }
    if (places < 0)
        for (places = 13; places > 0 && !(mant >> (52 - 4 * places) & 15); places--)
            continue;
    if (signbit(d) || s->plus || s->space)
        prefix[pn++] = signbit(d) ? '-' : s->plus ? '+' : ' ';
    prefix[pn++] = '0';
    prefix[pn++] = conv == 'A' ? 'X' : 'x';
    prefix[pn] = '\0';
    text[n++] = (char)('0' + lead);
    if (places || s->alt)
        text[n++] = '.';
    for (int i = 1; i <= places && i <= 13; i++)
        text[n++] = digits[mant >> (52 - 4 * i) & 15];
    size_t fraction = n, zeros = places > 13 ? (size_t)places - 13 : 0;
    n += fmt_print(text + n, sizeof text - n, "%c%c%d", conv == 'A' ? 'P' : 'p',
                   exp < 0 ? '-' : '+', exp < 0 ? -exp : exp);
    struct buf whole;
    buf_init(&whole, a->heap);
    buf_add(&whole, text, fraction);
    awk_pad(a, &whole, '0', zeros);
    buf_add(&whole, text + fraction, n - fraction);
    struct awk_spec plain = *s;
    plain.prec = -1;
    awk_put_digits(a, b, &plain, prefix, buf_get(&whole));
    buf_fini(&whole);
}

static void awk_put_double(struct awk *a, struct buf *b, const struct awk_spec *s, char conv,
                           double d)
{
    if (!isfinite(d)) {
        awk_put_magic(b, conv, d);
        return;
    }
    if (conv == 'f' && !s->flags[0] && s->width < 0 &&
        awk_fast_fixed(b, d, s->prec < 0 ? 6 : s->prec))
        return;
    if (conv == 'a' || conv == 'A')
        awk_put_hex(a, b, s, conv, d);
    else
        fmt_double(b, conv, s->flags, s->width, s->prec, d);
}

static void awk_put_unsigned(struct awk *a, struct buf *b, const struct awk_spec *s, char conv,
                             double d)
{
    static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";
    char text[72], *p = text + sizeof text;
    unsigned base = conv == 'o' ? 8 : conv == 'u' ? 10 : 16;

    if (!isfinite(d)) {
        awk_put_magic(b, conv, d);
        return;
    }
    bool nothing = d == 0; /* 0.5 is something, and has a prefix */
    d = trunc(d);
    if (d < -9.2e18 || d >= 1.8446744073709552e19) {
        struct awk_spec other = *s;
        awk_put_double(a, b, &other, 'g', d);
        return;
    }
    uint64_t v = d < 0 ? (uint64_t)(int64_t)d : (uint64_t)d;
    const char *digits = conv == 'X' ? upper : lower;
    bool zero = v == 0;
    do
        *--p = digits[v % base];
    while (v /= base);
    if (zero && s->prec == 0)
        p++;
    const char *prefix = "";
    if (s->alt && base == 16 && !nothing)
        prefix = conv == 'X' ? "0X" : "0x";
    if (s->alt && base == 8 && (p == text + sizeof text || *p != '0' || !nothing))
        *--p = '0';
    awk_put_digits(a, b, s, prefix, str_of(p, (size_t)(text + sizeof text - p)));
}

/* The bytes of a number as a character: UTF-8 as it was meant at first, with up to six bytes. */
static size_t awk_encode(char *to, uint32_t c)
{
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : c < 0x200000 ? 4 : c < 0x4000000 ? 5 : 6;

    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)((0xff00 >> n & 0xff) | c);
    return n;
}

static void awk_put_char(struct awk *a, struct buf *b, const struct awk_spec *s, struct awk_val *v)
{
    char text[8], tmp[AWK_TMP];
    struct str c;

    if (awk_is_number(v)) {
        double d = awk_to_num(a, v);
        uint32_t code = d > -9e18 && d < 9e18 ? (uint32_t)(int64_t)d : 0;
        size_t n = 1;
        text[0] = (char)code;
        if (!a->bytes && code > 127 && code <= INT32_MAX && !(code >= 0xD800 && code < 0xE000))
            n = awk_encode(text, code);
        awk_pad(a, b, ' ', !s->left && s->width > (int)n ? (size_t)s->width - n : 0);
        buf_add(b, text, n); /* its width counts bytes */
        awk_pad(a, b, ' ', s->left && s->width > (int)n ? (size_t)s->width - n : 0);
        return;
    }
    int n = 1;
    c = awk_text(a, v, tmp);
    if (c.n && !a->bytes)
        utf8_decode(c.p, c.n, &n);
    c = c.n ? str_sub(c, 0, (size_t)n) : str_of("", 1); /* an empty string is a NUL */
    struct awk_spec plain = *s;
    plain.zero = false;
    awk_put_text(a, b, &plain, c);
}

/* ---- the format ------------------------------------------------------------------------------ */

struct awk_formatter {
    struct awk *a;
    struct buf *out;
    struct str fmt;
    size_t i, percent; /* where it stands; where the conversion began */
    int argc, next;
    bool numbered, plain; /* a conversion has had a count with $, or none */
    struct awk_val *argv;
};

/* The next argument, or number `n` of them when it is not 0. */
static struct awk_val *awk_argument(struct awk_formatter *f, int n)
{
    int at = n ? n : f->next++;

    if (at < f->argc)
        return &f->argv[at];
    if (n)
        awk_fatal(f->a, "argument index %d greater than total number of supplied arguments", n);
    else
        awk_fatal(
            f->a,
            "not enough arguments to satisfy format string\n\t`%.*s'\n\t%*s^ ran out for this "
            "one",
            STR_ARG(f->fmt), (int)MIN(f->i - 1, (size_t)1000), "");
    return NULL;
}

static int awk_decimal(struct awk_formatter *f)
{
    int64_t v = 0;
    for (; f->i < f->fmt.n && ascii_digit(f->fmt.p[f->i]); f->i++)
        v = MIN(v * 10 + (f->fmt.p[f->i] - '0'), AWK_WIDTH_MAX);
    return (int)v;
}

/* A number, or * for one of the arguments. False after an error. */
static bool awk_number_or_star(struct awk_formatter *f, int *out)
{
    if (f->i >= f->fmt.n || f->fmt.p[f->i] != '*') {
        *out = awk_decimal(f);
        return true;
    }
    f->i++;
    size_t before = f->i;
    int n = awk_decimal(f);
    if (n && f->i < f->fmt.n && f->fmt.p[f->i] == '$') {
        f->i++;
    } else {
        f->i = before;
        n = 0;
    }
    if (n == 0 && f->numbered)
        awk_fatal(f->a, "fatal: must use `count$' on all formats or none");
    struct awk_val *v = f->a->err ? NULL : awk_argument(f, n);
    if (!v)
        return false;
    double d = awk_to_num(f->a, v);
    *out = (int)MAX(MIN(d, (double)AWK_WIDTH_MAX), -(double)AWK_WIDTH_MAX);
    return true;
}

static void awk_flags(struct awk_formatter *f, struct awk_spec *s)
{
    size_t n = strlen(s->flags);

    for (; f->i < f->fmt.n && f->fmt.p[f->i] && strchr("-0+ #'", f->fmt.p[f->i]); f->i++) {
        char c = f->fmt.p[f->i];
        s->left |= c == '-';
        s->zero |= c == '0';
        s->plus |= c == '+';
        s->space |= c == ' ';
        s->alt |= c == '#';
        if (c != '\'' && !memchr(s->flags, c, n) && n + 1 < sizeof s->flags)
            s->flags[n++] = c;
    }
}

static void awk_convert(struct awk_formatter *f, struct awk_spec *s, char conv, struct awk_val *v)
{
    struct awk *a = f->a;
    char tmp[AWK_TMP];

    switch (conv) {
    case 'd':
    case 'i': awk_put_integer(a, f->out, s, awk_to_num(a, v)); break;
    case 'o':
    case 'x':
    case 'X':
    case 'u': awk_put_unsigned(a, f->out, s, conv, awk_to_num(a, v)); break;
    case 'c': awk_put_char(a, f->out, s, v); break;
    case 's': {
        struct str text = awk_text(a, v, tmp);
        if (s->prec >= 0)
            text =
                str_sub(text, 0, a->bytes ? (size_t)s->prec : utf8_offset(text, (size_t)s->prec));
        s->zero = false;
        awk_put_text(a, f->out, s, text);
        break;
    }
    default: awk_put_double(a, f->out, s, conv, awk_to_num(a, v)); break;
    }
}

/* Behind a %. */
static void awk_conversion(struct awk_formatter *f)
{
    struct awk_spec s = {.width = -1, .prec = -1};
    int positional = 0;
    size_t start = f->i;

    int n = awk_decimal(f);
    if (f->i < f->fmt.n && f->fmt.p[f->i] == '$') {
        if (f->a->traditional)
            awk_fatal(f->a, "`$' is not permitted in awk formats");
        if (n == 0)
            awk_fatal(f->a, "argument index with `$' must be > 0");
        positional = n;
        f->numbered = true;
        f->i++;
    } else {
        f->i = start;
    }
    awk_flags(f, &s);
    if (f->i < f->fmt.n && (f->fmt.p[f->i] == '*' || ascii_digit(f->fmt.p[f->i])) &&
        !awk_number_or_star(f, &s.width))
        return;
    if (s.width < -1) {
        s.width = -s.width;
        if (!s.left && strlen(s.flags) + 1 < sizeof s.flags)
            s.flags[strlen(s.flags)] = '-';
        s.left = true;
    }
    if (f->i < f->fmt.n && f->fmt.p[f->i] == '.') {
        f->i++;
        if (!awk_number_or_star(f, &s.prec))
            return;
        s.prec = MAX(s.prec, -1);
    }
    /* A length counts for nothing, but each may stand there once. */
    for (char seen[8] = ""; f->i < f->fmt.n && f->fmt.p[f->i]; f->i++) {
        char c = f->fmt.p[f->i];
        if (!strchr("hlLzjt", c) || strchr(seen, c))
            break;
        seen[strlen(seen)] = c;
        if (f->a->posix)
            awk_fatal(f->a, "`%c' is not permitted in POSIX awk formats", c);
        if (f->i + 1 < f->fmt.n && s.prec < 0 && s.width < 0) { /* flags and width may come late */
            f->i++;
            awk_flags(f, &s);
            if (f->i < f->fmt.n && ascii_digit(f->fmt.p[f->i]))
                s.width = awk_decimal(f);
            f->i--;
        }
    }
    if (f->i < f->fmt.n && f->fmt.p[f->i] == '%') {
        f->i++;
        buf_putc(f->out, '%');
        return;
    }
    if (f->i >= f->fmt.n || !f->fmt.p[f->i] || !strchr("diouxXcseEfFgGaA", f->fmt.p[f->i])) {
        if (f->i < f->fmt.n)
            f->i++;
        buf_str(f->out, str_sub(f->fmt, f->percent, f->i - f->percent));
        return;
    }
    char conv = f->fmt.p[f->i++];
    f->plain |= positional == 0;
    struct awk_val *v = awk_argument(f, positional);
    if (f->numbered && f->plain)
        awk_fatal(f->a, "must use `count$' on all formats or none");
    if (f->a->err)
        return;
    if (v && v->kind == AWK_ARRAY)
        awk_fatal(f->a, "attempt to use array in a scalar context");
    else if (v)
        awk_convert(f, &s, conv, v);
}

void awk_format(struct awk *a, struct buf *b, int argc, struct awk_val *argv, const char *what)
{
    char tmp[AWK_TMP];
    struct awk_formatter f = {.a = a, .out = b, .argc = argc, .argv = argv, .next = 1};

    (void)what;
    f.fmt = awk_text(a, &argv[0], tmp);
    while (f.i < f.fmt.n && !a->err) {
        const char *p = memchr(f.fmt.p + f.i, '%', f.fmt.n - f.i);
        size_t stop = p ? (size_t)(p - f.fmt.p) : f.fmt.n;
        buf_add(b, f.fmt.p + f.i, stop - f.i);
        f.i = stop;
        if (!p)
            break;
        f.percent = f.i++;
        awk_conversion(&f);
    }
    if (a->heap->oom)
        awk_nomem(a);
}

/* fmt.c -- our own printf: no locale, no stdio, no allocation
 *
 * Floating point is done on the exact value: a binary fraction m / 2^k is the decimal m * 5^k with
 * the point k digits from the right, a whole number as large as it takes. Rounding looks at all of
 * its digits, so every result is the nearest one, ties to even.
 */
#include "base/fmt.h"

#include <float.h>
#include <math.h>

#define FMT_LIMB 1000000000u /* a limb holds nine decimal digits */
/* Digits of the longest number: m * 5^k for the smallest denormal, where k = MANT_DIG - MIN_EXP,
 * rounded up to whole steps of 29 bits; log10(5) < 0.7, and 2^MAX_EXP is shorter. */
#define FMT_LIMBS (((LDBL_MANT_DIG - LDBL_MIN_EXP + 64) * 7 / 10 + LDBL_MANT_DIG) / 9 + 4)

enum {
    FMT_LEFT = 1,
    FMT_ZERO = 2,
    FMT_PLUS = 4,
    FMT_SPACE = 8,
    FMT_ALT = 16,
};

/* Where output goes: to dst, of which at most cap bytes are written, or to a buffer. */
struct fmt_sink {
    char *dst;
    size_t cap, n;
    struct buf *buf;
};

struct fmt_spec {
    int flags, width, prec; /* width 0 and prec -1 when absent */
    char conv;
};

static void fmt_emit(struct fmt_sink *o, const char *p, size_t n)
{
    if (o->buf) {
        buf_add(o->buf, p, n);
    } else if (n) {
        if (o->n < o->cap)
            memcpy(o->dst + o->n, p, MIN(n, o->cap - o->n));
        o->n += n;
    }
}

static void fmt_fill(struct fmt_sink *o, char c, size_t n)
{
    if (o->buf) {
        buf_fill(o->buf, c, n);
    } else {
        if (o->n < o->cap)
            memset(o->dst + o->n, c, MIN(n, o->cap - o->n));
        o->n += n;
    }
}

/* Opens a field of n bytes behind a prefix (sign, 0x): blanks or zeros up to the width. */
static void fmt_open(struct fmt_sink *o, const struct fmt_spec *s, const char *prefix, size_t n)
{
    size_t pn = strlen(prefix), len = pn + n;
    size_t pad = (size_t)s->width > len ? (size_t)s->width - len : 0;

    if (!(s->flags & (FMT_LEFT | FMT_ZERO)))
        fmt_fill(o, ' ', pad);
    fmt_emit(o, prefix, pn);
    if ((s->flags & (FMT_LEFT | FMT_ZERO)) == FMT_ZERO)
        fmt_fill(o, '0', pad);
}

/* The blanks behind a field of n bytes that is flush left. */
static void fmt_close(struct fmt_sink *o, const struct fmt_spec *s, size_t n)
{
    if ((s->flags & FMT_LEFT) && (size_t)s->width > n)
        fmt_fill(o, ' ', (size_t)s->width - n);
}

static void fmt_text(struct fmt_sink *o, struct fmt_spec *s, const char *p, size_t n)
{
    s->flags &= ~FMT_ZERO;
    fmt_open(o, s, "", n);
    fmt_emit(o, p, n);
    fmt_close(o, s, n);
}

/* ---- whole numbers --------------------------------------------------------------------------- */

size_t fmt_uint(char *dst, uint64_t v)
{
    char tmp[20], *p = tmp + sizeof tmp;
    do
        *--p = (char)('0' + v % 10);
    while (v /= 10);
    size_t n = (size_t)(tmp + sizeof tmp - p);
    memcpy(dst, p, n);
    return n;
}

size_t fmt_int(char *dst, int64_t v)
{
    if (v >= 0)
        return fmt_uint(dst, (uint64_t)v);
    *dst = '-';
    return 1 + fmt_uint(dst + 1, 0 - (uint64_t)v);
}

static const char *fmt_sign(const struct fmt_spec *s, bool minus)
{
    return minus ? "-" : s->flags & FMT_PLUS ? "+" : s->flags & FMT_SPACE ? " " : "";
}

static void fmt_number(struct fmt_sink *o, struct fmt_spec *s, uint64_t v, bool minus)
{
    const char *digits = s->conv == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    const char *prefix = "";
    char tmp[24], *end = tmp + sizeof tmp, *p = end;
    unsigned base = s->conv == 'o' ? 8 : s->conv == 'x' || s->conv == 'X' ? 16 : 10;

    if (s->conv == 'd')
        prefix = fmt_sign(s, minus);
    else if ((s->flags & FMT_ALT) && base == 16 && v)
        prefix = s->conv == 'X' ? "0X" : "0x";
    for (uint64_t rest = v; rest; rest /= base)
        *--p = digits[rest % base];
    if (v == 0 && s->prec != 0)
        *--p = '0';
    size_t n = (size_t)(end - p), zeros = 0;
    if (s->prec >= 0) {
        s->flags &= ~FMT_ZERO;
        zeros = (size_t)s->prec > n ? (size_t)s->prec - n : 0;
    }
    if ((s->flags & FMT_ALT) && base == 8 && zeros == 0 && (n == 0 || *p != '0'))
        zeros = 1;
    fmt_open(o, s, prefix, zeros + n);
    fmt_fill(o, '0', zeros);
    fmt_emit(o, p, n);
    fmt_close(o, s, strlen(prefix) + zeros + n);
}

/* ---- decimal floating point ------------------------------------------------------------------ */

/* digits / 10^point, exactly. */
struct fmt_big {
    uint32_t limb[FMT_LIMBS]; /* the lowest first */
    int n;                    /* limbs in use; the highest is not 0 */
    int point;                /* digits behind the decimal point */
};

static void fmt_big_mul(struct fmt_big *b, uint32_t by, uint32_t carry)
{
    for (int i = 0; i < b->n; i++) {
        uint64_t v = (uint64_t)b->limb[i] * by + carry;
        b->limb[i] = (uint32_t)(v % FMT_LIMB);
        carry = (uint32_t)(v / FMT_LIMB);
    }
    if (carry)
        b->limb[b->n++] = carry;
}

/* v is finite and not negative. */
static void fmt_big_set(struct fmt_big *b, long double v)
{
    int e;

    b->n = b->point = 0;
    v = frexpl(v, &e);
    while (v != 0) {
        v = ldexpl(v, 29);
        uint32_t part = (uint32_t)v;
        v -= part;
        e -= 29;
        fmt_big_mul(b, 1u << 29, part);
    }
    for (; e > 0; e -= MIN(e, 29))
        fmt_big_mul(b, 1u << MIN(e, 29), 0);
    /* Twos in m cancel against 2^k while that is cheap to see. */
    while (e < 0 && b->n == 1 && b->limb[0] % 2 == 0) {
        b->limb[0] /= 2;
        e++;
    }
    b->point = -e;
    for (; e <= -12; e += 12)
        fmt_big_mul(b, 244140625, 0); /* 5^12 */
    for (; e < 0; e++)
        fmt_big_mul(b, 5, 0);
}

static uint32_t fmt_power(int n)
{
    uint32_t p = 1;
    while (n-- > 0)
        p *= 10;
    return p;
}

/* The digit that counts 10^i of the whole number. */
static int fmt_big_digit(const struct fmt_big *b, int i)
{
    return i < 0 || i / 9 >= b->n ? 0 : (int)(b->limb[i / 9] / fmt_power(i % 9) % 10);
}

static int fmt_big_length(const struct fmt_big *b)
{
    if (b->n == 0)
        return 0;
    int n = (b->n - 1) * 9;
    for (uint32_t top = b->limb[b->n - 1]; top; top /= 10)
        n++;
    return n;
}

/* Rounds to a multiple of 10^i, ties to even, and leaves zeros below. */
static void fmt_big_round(struct fmt_big *b, int i)
{
    if (i <= 0 || b->n == 0)
        return;
    int half = fmt_big_digit(b, i - 1), limb = i / 9;
    bool rest = false;
    for (int k = 0; k < (i - 1) / 9 && k < b->n && !rest; k++)
        rest = b->limb[k] != 0;
    if (!rest && (i - 1) / 9 < b->n)
        rest = b->limb[(i - 1) / 9] % fmt_power((i - 1) % 9) != 0;
    bool up = half > 5 || (half == 5 && (rest || fmt_big_digit(b, i) % 2));
    if (limb >= b->n && !up) {
        b->n = 0;
        return;
    }
    while (b->n <= limb)
        b->limb[b->n++] = 0;
    for (int k = 0; k < limb; k++)
        b->limb[k] = 0;
    b->limb[limb] -= b->limb[limb] % fmt_power(i % 9);
    uint32_t carry = up ? fmt_power(i % 9) : 0;
    for (int k = limb; carry; k++) {
        if (k == b->n)
            b->limb[b->n++] = 0;
        uint32_t sum = b->limb[k] + carry;
        carry = sum >= FMT_LIMB;
        b->limb[k] = carry ? sum - FMT_LIMB : sum;
    }
    while (b->n && b->limb[b->n - 1] == 0)
        b->n--;
}

/* The digits 10^from down to 10^to, both included. */
static void fmt_digits(struct fmt_sink *o, const struct fmt_big *b, int from, int to)
{
    char tmp[64];
    size_t n = 0;

    for (int i = from; i >= to; i--) {
        /* Far behind the last digit there are only zeros, perhaps a billion of them. */
        if (i < 0) {
            fmt_emit(o, tmp, n);
            fmt_fill(o, '0', (size_t)(i - to) + 1);
            return;
        }
        tmp[n++] = (char)('0' + fmt_big_digit(b, i));
        if (n == sizeof tmp) {
            fmt_emit(o, tmp, n);
            n = 0;
        }
    }
    fmt_emit(o, tmp, n);
}

/* %f with prec digits behind the point; b is rounded already. */
static void fmt_fixed(struct fmt_sink *o, const struct fmt_spec *s, const struct fmt_big *b,
                      const char *sign, int prec)
{
    int len = fmt_big_length(b), whole = MAX(len - b->point, 1);
    bool dot = prec > 0 || (s->flags & FMT_ALT);
    size_t n = (size_t)whole + dot + (size_t)prec;

    fmt_open(o, s, sign, n);
    fmt_digits(o, b, b->point + whole - 1, b->point);
    if (dot)
        fmt_emit(o, ".", 1);
    /* prec digits behind the point end at 10^(point - prec), which may be out of int's reach. */
    if (prec > b->point) {
        fmt_digits(o, b, b->point - 1, 0);
        fmt_fill(o, '0', (size_t)(prec - b->point));
    } else {
        fmt_digits(o, b, b->point - 1, b->point - prec);
    }
    fmt_close(o, s, strlen(sign) + n);
}

/* %e with prec digits behind the point; b is rounded already. */
static void fmt_exponent(struct fmt_sink *o, const struct fmt_spec *s, const struct fmt_big *b,
                         const char *sign, int prec)
{
    int len = fmt_big_length(b), e = len ? len - 1 - b->point : 0;
    bool dot = prec > 0 || (s->flags & FMT_ALT);
    char tail[16];
    size_t tn =
        fmt_print(tail, sizeof tail, "%c%c%02d", s->conv == 'E' || s->conv == 'G' ? 'E' : 'e',
                  e < 0 ? '-' : '+', e < 0 ? -e : e);
    size_t n = 1 + dot + (size_t)prec + tn;

    fmt_open(o, s, sign, n);
    fmt_digits(o, b, len - 1, len - 1);
    if (dot)
        fmt_emit(o, ".", 1);
    int have = MAX(MIN(prec, len - 1), 0);
    fmt_digits(o, b, len - 2, len - 1 - have);
    fmt_fill(o, '0', (size_t)(prec - have));
    fmt_emit(o, tail, tn);
    fmt_close(o, s, strlen(sign) + n);
}

/* %g: the shorter of both, without the zeros at the end. */
static void fmt_general(struct fmt_sink *o, struct fmt_spec *s, struct fmt_big *b, const char *sign,
                        int prec)
{
    prec = MAX(prec, 1);
    int len = fmt_big_length(b);
    if (prec < len)
        fmt_big_round(b, len - prec);
    len = fmt_big_length(b);
    int e = len ? len - 1 - b->point : 0, digits = MIN(prec, len);
    if (!(s->flags & FMT_ALT)) {
        while (digits > 1 && fmt_big_digit(b, len - digits) == 0)
            digits--;
        digits = MAX(digits, 1);
    } else {
        digits = prec;
    }
    if (e < -4 || e >= prec)
        fmt_exponent(o, s, b, sign, digits - 1);
    else
        fmt_fixed(o, s, b, sign, MAX(digits - 1 - e, 0));
}

/* ---- hexadecimal floating point -------------------------------------------------------------- */

/*
 * %a of a long double has four bits before the point, as its 64-bit mantissa comes on x86: 1 is
 * 0x8p-3. Of a double it has one bit there: 0x1p+0.
 */
static void fmt_hex(struct fmt_sink *o, const struct fmt_spec *s, long double v, const char *sign,
                    bool wide)
{
    bool upper = s->conv == 'A';
    const char *hex = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    int e = 0, digits = wide ? 15 : 13, prec = s->prec;
    uint64_t m = 0;
    char head[4], body[16], tail[16];

    if (v != 0) {
        v = frexpl(v, &e); /* 0.5 <= v < 1 */
        m = (uint64_t)ldexpl(v, wide ? 64 : 53);
        e -= wide ? 4 : 1;
        /* A denormal keeps the least exponent and starts with 0. */
        int least = wide ? -16385 : -1022;
        if (e < least) {
            m >>= MIN(least - e, 63);
            e = least;
        }
    }
    if (prec < 0) {
        for (prec = digits; prec > 0 && (m >> 4 * (digits - prec) & 15) == 0;)
            prec--;
    }
    if (prec < digits) {
        int drop = 4 * (digits - prec);
        uint64_t rest = m << (64 - drop), half = (uint64_t)1 << 63;
        m >>= drop;
        m += rest > half || (rest == half && (m & 1));
        /* Rounding up may give a bit more than the leading digit holds; glibc goes on as it is,
         * but for the wide form, where the digit is full. */
        if (wide && prec < 15 && m >> (4 * (prec + 1))) {
            m >>= 4;
            e += 4;
        }
        digits = prec;
    }
    size_t hn = fmt_print(head, sizeof head, "0%c%c", upper ? 'X' : 'x', hex[m >> 4 * digits & 15]);
    for (int i = 0; i < digits; i++)
        body[i] = hex[m >> 4 * (digits - 1 - i) & 15];
    bool dot = prec > 0 || (s->flags & FMT_ALT);
    size_t tn = fmt_print(tail, sizeof tail, "%c%+d", upper ? 'P' : 'p', e);
    size_t n = 1 + dot + (size_t)prec + tn;
    char prefix[4];
    fmt_print(prefix, sizeof prefix, "%s%.2s", sign, head);
    fmt_open(o, s, prefix, n);
    fmt_emit(o, head + hn - 1, 1);
    if (dot)
        fmt_emit(o, ".", 1);
    fmt_emit(o, body, (size_t)MIN(digits, prec));
    fmt_fill(o, '0', (size_t)(prec - MIN(digits, prec)));
    fmt_emit(o, tail, tn);
    fmt_close(o, s, strlen(prefix) + n);
}

static void fmt_float(struct fmt_sink *o, struct fmt_spec *s, long double v, bool wide)
{
    struct fmt_big b;
    const char *sign = fmt_sign(s, signbit(v));
    int prec = s->prec < 0 ? 6 : MIN(s->prec, INT_MAX / 2); /* sums with it stay in reach */

    if (!isfinite(v)) {
        bool upper = s->conv >= 'A' && s->conv <= 'Z';
        s->flags &= ~FMT_ZERO;
        fmt_open(o, s, sign, 3);
        fmt_emit(o, isnan(v) ? upper ? "NAN" : "nan" : upper ? "INF" : "inf", 3);
        fmt_close(o, s, strlen(sign) + 3);
        return;
    }
    v = fabsl(v);
    if ((s->conv | 32) == 'a') {
        fmt_hex(o, s, v, sign, wide);
        return;
    }
    fmt_big_set(&b, v);
    switch (s->conv | 32) {
    case 'f':
        if (prec < b.point)
            fmt_big_round(&b, b.point - prec);
        fmt_fixed(o, s, &b, sign, prec);
        break;
    case 'e': {
        int len = fmt_big_length(&b);
        if (prec < len - 1)
            fmt_big_round(&b, len - 1 - prec);
        fmt_exponent(o, s, &b, sign, prec);
        break;
    }
    default: fmt_general(o, s, &b, sign, prec); break;
    }
}

/* ---- the format string ----------------------------------------------------------------------- */

static int fmt_flag(char c)
{
    switch (c) {
    case '-': return FMT_LEFT;
    case '0': return FMT_ZERO;
    case '+': return FMT_PLUS;
    case ' ': return FMT_SPACE;
    case '#': return FMT_ALT;
    default: return 0;
    }
}

void fmt_double(struct buf *b, char conv, const char *flags, int width, int prec, long double v)
{
    struct fmt_sink o = {.buf = b};
    struct fmt_spec s = {.width = MAX(width, 0), .prec = MAX(prec, -1), .conv = conv};

    for (; flags && *flags; flags++)
        s.flags |= fmt_flag(*flags);
    fmt_float(&o, &s, v, true);
}

/* A number or `*` of the format; the int of the `*` comes from the caller. */
static int fmt_decimal(const char **f)
{
    int v = 0;
    for (; **f >= '0' && **f <= '9'; ++*f)
        v = v > INT_MAX / 10 - 1 ? INT_MAX / 10 : v * 10 + (**f - '0');
    return v;
}

enum fmt_length {
    FMT_INT,
    FMT_CHAR,
    FMT_SHORT,
    FMT_LONG,
    FMT_LLONG,
    FMT_SIZE,
    FMT_BIG
};

static enum fmt_length fmt_parse_length(const char **f)
{
    switch (**f) {
    case 'h':
        if (*++*f != 'h')
            return FMT_SHORT;
        ++*f;
        return FMT_CHAR;
    case 'l':
        if (*++*f != 'l')
            return FMT_LONG;
        ++*f;
        return FMT_LLONG;
    case 'z':
    case 't': ++*f; return FMT_SIZE;
    case 'j': ++*f; return FMT_LLONG;
    case 'L': ++*f; return FMT_BIG;
    default: return FMT_INT;
    }
}

/* A va_list inside a struct can be handed down by address on every machine. */
struct fmt_args {
    va_list ap;
};

static int64_t fmt_take_int(struct fmt_args *a, enum fmt_length len)
{
    switch (len) {
    case FMT_CHAR: return (signed char)va_arg(a->ap, int);
    case FMT_SHORT: return (short)va_arg(a->ap, int);
    case FMT_LONG: return va_arg(a->ap, long);
    case FMT_LLONG: return va_arg(a->ap, long long);
    case FMT_SIZE: return va_arg(a->ap, ptrdiff_t);
    default: return va_arg(a->ap, int);
    }
}

static uint64_t fmt_take_uint(struct fmt_args *a, enum fmt_length len)
{
    switch (len) {
    case FMT_CHAR: return (unsigned char)va_arg(a->ap, unsigned);
    case FMT_SHORT: return (unsigned short)va_arg(a->ap, unsigned);
    case FMT_LONG: return va_arg(a->ap, unsigned long);
    case FMT_LLONG: return va_arg(a->ap, unsigned long long);
    case FMT_SIZE: return va_arg(a->ap, size_t);
    default: return va_arg(a->ap, unsigned);
    }
}

static void fmt_string(struct fmt_sink *o, struct fmt_spec *s, const char *p)
{
    if (!p)
        p = s->prec < 0 || s->prec >= 6 ? "(null)" : "";
    const char *nul = s->prec < 0 ? NULL : memchr(p, 0, (size_t)s->prec);
    fmt_text(o, s, p, nul ? (size_t)(nul - p) : s->prec < 0 ? strlen(p) : (size_t)s->prec);
}

/* Prints one conversion. The format stands behind its letter afterwards. */
static void fmt_convert(struct fmt_sink *o, struct fmt_spec *s, struct fmt_args *a,
                        enum fmt_length len)
{
    switch (s->conv) {
    case 'd':
    case 'i': {
        int64_t v = fmt_take_int(a, len);
        s->conv = 'd';
        fmt_number(o, s, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, v < 0);
        break;
    }
    case 'u':
    case 'x':
    case 'X':
    case 'o': fmt_number(o, s, fmt_take_uint(a, len), false); break;
    case 'c': {
        char c = (char)va_arg(a->ap, int);
        fmt_text(o, s, &c, 1);
        break;
    }
    case 's': fmt_string(o, s, va_arg(a->ap, const char *)); break;
    case 'p':
        s->conv = 'x';
        s->flags |= FMT_ALT;
        fmt_number(o, s, (uintptr_t)va_arg(a->ap, void *), false);
        break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        if (len == FMT_BIG)
            fmt_float(o, s, va_arg(a->ap, long double), true);
        else
            fmt_float(o, s, va_arg(a->ap, double), false);
        break;
    default: fmt_emit(o, &s->conv, 1); break; /* %% and mistakes */
    }
}

size_t fmt_vprint(char *dst, size_t cap, const char *fmt, va_list ap)
{
    struct fmt_sink o = {.dst = dst, .cap = cap ? cap - 1 : 0};
    struct fmt_args a;

    va_copy(a.ap, ap);
    while (*fmt) {
        const char *run = fmt;
        while (*fmt && *fmt != '%')
            fmt++;
        fmt_emit(&o, run, (size_t)(fmt - run));
        if (!*fmt)
            break;
        struct fmt_spec s = {.prec = -1};
        fmt++;
        for (int bit; (bit = fmt_flag(*fmt)); fmt++)
            s.flags |= bit;
        if (*fmt == '*') {
            fmt++;
            s.width = va_arg(a.ap, int);
            if (s.width < 0) {
                s.flags |= FMT_LEFT;
                s.width = s.width == INT_MIN ? INT_MAX : -s.width;
            }
        } else {
            s.width = fmt_decimal(&fmt);
        }
        if (*fmt == '.') {
            fmt++;
            if (*fmt == '*') {
                fmt++;
                s.prec = va_arg(a.ap, int);
                s.prec = MAX(s.prec, -1);
            } else {
                s.prec = fmt_decimal(&fmt);
            }
        }
        enum fmt_length len = fmt_parse_length(&fmt);
        if (!*fmt)
            break;
        s.conv = *fmt++;
        fmt_convert(&o, &s, &a, len);
    }
    va_end(a.ap);
    if (cap)
        dst[MIN(o.n, cap - 1)] = '\0';
    return o.n;
}

size_t fmt_print(char *dst, size_t cap, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    size_t n = fmt_vprint(dst, cap, fmt, ap);
    va_end(ap);
    return n;
}

#undef FMT_LIMB
#undef FMT_LIMBS

/* jq_number.c -- numbers as jq 1.7 reads and prints them
 *
 * A number that is only passed on keeps the digits it was written with, in the canonical form of
 * decimal arithmetic (1.000, 1E+2). Numbers whose double prints the same need nothing more than the
 * double; the others carry their text. Arithmetic works on doubles, which are printed with as few
 * digits as lead back to them.
 */
#include <math.h>

#include "base/fmt.h"
#include "base/utf8.h"
#include "commands/jq/jq.h"

enum {
    JQ_DIGITS = 17,  /* that count for a double, as jq rounds first */
    JQ_BIGWORDS = 48 /* of 32 bits: 10^341 shifted, and some */
};

static const double jq_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* A decimal as it was written: digits without leading zeros, times ten to the exp. */
struct jq_decimal {
    bool negative;
    const char *digits; /* may hold the point */
    size_t n;           /* digits in there, without the point; 0: zero */
    int64_t exp;
};

/* ---- decimal to double ----------------------------------------------------------------------- */

struct jq_big {
    uint32_t w[JQ_BIGWORDS];
    int n;
};

static void jq_big_mul(struct jq_big *b, uint32_t by)
{
    uint64_t carry = 0;
    for (int i = 0; i < b->n; i++) {
        carry += (uint64_t)b->w[i] * by;
        b->w[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry && b->n < JQ_BIGWORDS)
        b->w[b->n++] = (uint32_t)carry;
}

/* Divides; true if something was left over. */
static bool jq_big_div(struct jq_big *b, uint32_t by)
{
    uint64_t rest = 0;
    for (int i = b->n - 1; i >= 0; i--) {
        rest = rest << 32 | b->w[i];
        b->w[i] = (uint32_t)(rest / by);
        rest %= by;
    }
    while (b->n > 0 && b->w[b->n - 1] == 0)
        b->n--;
    return rest != 0;
}

/* top times 2^exp (and a little more when sticky) as a double, rounded to the nearest, even. */
static double jq_big_round(uint64_t top, int exp, bool sticky)
{
    int lead = __builtin_clzll(top);
    top <<= lead;
    exp -= lead;
    int drop = 11; /* 64 bits to 53 */
    if (exp + drop < -1074)
        drop = -1074 - exp;
    if (drop > 64)
        return 0;
    uint64_t kept = drop == 64 ? 0 : top >> drop;
    uint64_t lost = drop == 64 ? top : top & ((UINT64_C(1) << drop) - 1);
    uint64_t half = UINT64_C(1) << (drop - 1);
    if (lost > half || (lost == half && (sticky || (kept & 1))))
        kept++;
    return ldexp((double)kept, exp + drop);
}

static double jq_big_double(const struct jq_big *b, int exp, bool sticky)
{
    uint64_t top = 0;
    int i = b->n - 1, words = 0;

    for (; i >= 0 && words < 2; i--, words++)
        top = top << 32 | b->w[i];
    if (top == 0)
        return 0;
    int lead = __builtin_clzll(top);
    if (lead && i >= 0) { /* the bits that the words so far lack */
        top = lead >= 32 ? top << 32 | b->w[i] : top << lead | b->w[i] >> (32 - lead);
        sticky |= lead < 32 && (b->w[i] << lead) != 0;
        exp += 32 * (i + 1) - MIN(lead, 32);
        i--;
    } else {
        exp += 32 * (i + 1);
    }
    for (; i >= 0; i--)
        sticky |= b->w[i] != 0;
    return jq_big_round(top, exp, sticky);
}

/* m times 10^e. */
static double jq_scale(uint64_t m, int64_t e)
{
    if (m == 0 || e < -360)
        return 0;
    if (e > 310)
        return INFINITY;
    if (m <= UINT64_C(1) << 53 && e >= -22 && e <= 22)
        return e < 0 ? (double)m / jq_powers[-e] : (double)m * jq_powers[e];
    struct jq_big b = {.n = 2, .w = {(uint32_t)m, (uint32_t)(m >> 32)}};
    bool sticky = false;
    int exp = 0;
    if (e < 0) { /* room for 64 bits behind the division, and whole words */
        int words = (int)(-e * 10 / 96) + 3;
        memmove(b.w + words, b.w, 8);
        memset(b.w, 0, (size_t)words * 4);
        b.n = words + 2;
        exp = -32 * words;
    }
    while (b.n > 0 && b.w[b.n - 1] == 0)
        b.n--;
    for (int64_t k = e < 0 ? -e : e; k > 0; k -= 9) {
        uint32_t by = (uint32_t)jq_powers[MIN(k, 9)];
        if (e < 0)
            sticky |= jq_big_div(&b, by);
        else
            jq_big_mul(&b, by);
    }
    return jq_big_double(&b, exp, sticky);
}

static double jq_decimal_double(const struct jq_decimal *d)
{
    uint64_t m = 0;
    size_t taken = 0, i = 0;
    for (; taken < d->n && taken < JQ_DIGITS; i++)
        if (d->digits[i] != '.') {
            m = m * 10 + (uint64_t)(d->digits[i] - '0');
            taken++;
        }
    if (taken < d->n) {
        if (d->digits[i] == '.')
            i++;
        m += d->digits[i] >= '5';
    }
    double v = jq_scale(m, d->exp + (int64_t)(d->n - taken));
    return d->negative ? -v : v;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* False: it is no plain decimal. */
static bool jq_decimal_read(struct str s, struct jq_decimal *d)
{
    size_t i = 0, any = 0;
    bool point = false;

    *d = (struct jq_decimal){.digits = ""};
    if (i < s.n && (s.p[i] == '-' || s.p[i] == '+'))
        d->negative = s.p[i++] == '-';
    for (; i < s.n; i++) {
        if (s.p[i] == '.' && !point) {
            point = true;
            continue;
        }
        if (!ascii_digit((unsigned char)s.p[i]))
            break;
        any++;
        if (d->n == 0 && s.p[i] != '0')
            d->digits = s.p + i;
        d->n += d->n > 0 || s.p[i] != '0';
        d->exp -= point;
    }
    if (!any)
        return false;
    if (i < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
        bool minus = false;
        int64_t e = 0;
        if (++i < s.n && (s.p[i] == '-' || s.p[i] == '+'))
            minus = s.p[i++] == '-';
        if (i == s.n)
            return false;
        for (; i < s.n && ascii_digit((unsigned char)s.p[i]); i++)
            e = MIN(e * 10 + (s.p[i] - '0'), INT64_C(100000000000));
        d->exp += minus ? -e : e;
    }
    return i == s.n;
}

double jq_number_read(struct str s, bool *ok)
{
    struct jq_decimal d;
    *ok = jq_decimal_read(s, &d);
    return *ok ? jq_decimal_double(&d) : 0;
}

/* inf, infinity, nan and nan with digits, as decimal arithmetic knows them. */
static struct jq_val jq_number_word(struct str s)
{
    bool minus = s.n && s.p[0] == '-';
    char word[9] = "";
    size_t n = 0;

    if (s.n && (s.p[0] == '-' || s.p[0] == '+'))
        s = str_from(s, 1);
    while (n < s.n && n < 8 && ascii_alpha((unsigned char)s.p[n])) {
        word[n] = (char)ascii_to_lower((unsigned char)s.p[n]);
        n++;
    }
    if (n == s.n && (strcmp(word, "inf") == 0 || strcmp(word, "infinity") == 0))
        return jq_number(minus ? -INFINITY : INFINITY);
    while (n < s.n && ascii_digit((unsigned char)s.p[n]))
        n++;
    if (n == s.n && (strcmp(word, "nan") == 0 || strcmp(word, "snan") == 0))
        return jq_number(NAN);
    return jq_none();
}

/* The canonical text of d to b. */
static void jq_decimal_text(const struct jq_decimal *d, struct buf *b)
{
    int64_t n = d->n ? (int64_t)d->n : 1, adjusted = d->exp + n - 1;
    bool plain = d->exp <= 0 && adjusted >= -6;
    int64_t point = plain ? n + d->exp : 1; /* digits before the point */

    if (d->negative)
        buf_putc(b, '-');
    if (point <= 0) {
        buf_addz(b, "0.");
        buf_fill(b, '0', (size_t)-point);
    }
    const char *p = d->digits;
    for (int64_t i = 0; i < n; i++, p++) {
        if (d->n && *p == '.')
            p++;
        if (i == point && point > 0)
            buf_putc(b, '.');
        buf_putc(b, d->n ? *p : '0');
    }
    if (!plain)
        buf_printf(b, "E%c%lld", adjusted < 0 ? '-' : '+',
                   (long long)(adjusted < 0 ? -adjusted : adjusted));
}

struct jq_val jq_number_literal(struct jq *j, struct str s)
{
    struct jq_decimal d;

    if (!jq_decimal_read(s, &d))
        return jq_number_word(s);
    double num = jq_decimal_double(&d);
    int64_t adjusted = d.exp + (int64_t)MAX(d.n, (size_t)1) - 1;
    if (adjusted > 999999999 || adjusted < -999999999)
        return jq_number(num);
    struct jq_val v = jq_number(num);
    char last = d.n ? s.p[s.n - 1] : '0';
    v.flags = JQ_EXACT;
    if (d.exp == 0 && d.n <= 15)
        return v;
    if (d.exp < 0 && d.n <= 15 && d.n > 0 && last != '0' && adjusted > -5 &&
        ascii_digit((unsigned char)last) && !memchr(s.p, 'e', s.n) && !memchr(s.p, 'E', s.n))
        return v;
    struct buf b;
    buf_init(&b, j->heap);
    jq_decimal_text(&d, &b);
    struct jq_literal *lit = b.p ? heap_alloc(j->heap, sizeof *lit + b.n + 1) : NULL;
    if (lit) {
        lit->refs = 1;
        lit->n = (uint32_t)b.n;
        lit->num = num;
        memcpy(lit->text, b.p, b.n + 1);
        v = (struct jq_val){.kind = JQ_NUMBER, .counted = 1, .flags = JQ_LITERAL, .lit = lit};
    } else {
        v = jq_none();
    }
    buf_fini(&b);
    return v;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The digits of n without zeros at the end; *decpt: those before the point. */
static int jq_digits_of(uint64_t n, char *digits, int scale, int *decpt)
{
    int len = (int)fmt_uint(digits, n);
    *decpt = len - scale;
    while (len > 1 && digits[len - 1] == '0')
        len--;
    return len;
}

/* The shortest digits that lead back to d > 0. Up to 15 of them are found by trying powers of ten:
 * n / 10^k is rounded once, so what gives d back is the only decimal of so few digits. */
static int jq_shortest(double d, char *digits, int *decpt)
{
    if (d >= 1e-5 && d < 1e15) {
        for (int k = 0; k <= 19; k++) {
            double x = d * jq_powers[k], n = nearbyint(x);
            if (n >= 1e15)
                break;
            if (n / jq_powers[k] == d)
                return jq_digits_of((uint64_t)n, digits, k, decpt);
        }
    }
    /* 15 digits always lead back from a decimal, but the smallest numbers have fewer. */
    for (int prec = d < 1e-300 ? 0 : 14;; prec++) {
        char text[40];
        size_t len = fmt_print(text, sizeof text, "%.*e", prec, d);
        bool ok;
        if (prec < 16 && jq_number_read(str_of(text, len), &ok) != d)
            continue;
        int n = 0, e = 0;
        const char *p = text;
        for (; *p && *p != 'e'; p++)
            if (*p != '.')
                digits[n++] = *p;
        bool minus = p[1] == '-';
        for (p += 2; ascii_digit((unsigned char)*p); p++)
            e = e * 10 + (*p - '0');
        *decpt = (minus ? -e : e) + 1;
        while (n > 1 && digits[n - 1] == '0')
            n--;
        return n;
    }
}

size_t jq_number_write(char *dst, double d)
{
    char digits[32], *to = dst;
    int decpt;

    if (isnan(d)) {
        memcpy(dst, "null", 4);
        return 4;
    }
    if (signbit(d)) {
        *to++ = '-';
        d = -d;
    }
    if (d <= 9007199254740992.0 && d == (double)(uint64_t)d)
        return (size_t)(to - dst) + fmt_uint(to, (uint64_t)d);
    if (isinf(d))
        d = 1.7976931348623157e308;
    int n = jq_shortest(d, digits, &decpt);
    if (decpt <= -4 || decpt > n + 15) {
        *to++ = digits[0];
        if (n > 1) {
            *to++ = '.';
            memcpy(to, digits + 1, (size_t)n - 1);
            to += n - 1;
        }
        return (size_t)(to - dst) + fmt_print(to, 8, "e%c%02d", decpt <= 0 ? '-' : '+',
                                              decpt <= 0 ? 1 - decpt : decpt - 1);
    }
    if (decpt <= 0) {
        *to++ = '0';
        *to++ = '.';
        for (; decpt < 0; decpt++)
            *to++ = '0';
        decpt = -1; /* no point to come */
    }
    for (int i = 0; i < MAX(n, decpt); i++) {
        if (i == decpt)
            *to++ = '.';
        *to++ = i < n ? digits[i] : '0';
    }
    return (size_t)(to - dst);
}

/* ---- comparing what was written -------------------------------------------------------------- */

struct str jq_literal_text(struct jq_val v, char *small)
{
    if (v.flags & JQ_LITERAL)
        return str_of(v.lit->text, v.lit->n);
    return str_of(small, jq_number_write(small, v.num));
}

/* Compares the digits of two decimals of the same sign and magnitude. */
static int jq_decimal_digits(const struct jq_decimal *a, const struct jq_decimal *b)
{
    const char *p = a->digits, *q = b->digits;
    for (size_t i = 0; i < MAX(a->n, b->n); i++) {
        if (i < a->n && *p == '.')
            p++;
        if (i < b->n && *q == '.')
            q++;
        char x = i < a->n ? *p++ : '0', y = i < b->n ? *q++ : '0';
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* Two numbers whose doubles are equal, both as they were written. */
int jq_literal_compare(struct jq_val a, struct jq_val b)
{
    char one[40], two[40];
    struct jq_decimal x, y;

    if (!jq_decimal_read(jq_literal_text(a, one), &x) ||
        !jq_decimal_read(jq_literal_text(b, two), &y) || (x.n == 0 && y.n == 0))
        return 0;
    if (x.n == 0 || y.n == 0 || x.negative != y.negative)
        return x.n == 0 ? (y.negative ? 1 : -1) : (x.negative ? -1 : 1);
    int64_t one_size = x.exp + (int64_t)x.n, two_size = y.exp + (int64_t)y.n;
    int c = one_size != two_size ? (one_size < two_size ? -1 : 1) : jq_decimal_digits(&x, &y);
    return x.negative ? -c : c;
}

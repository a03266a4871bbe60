/* number.c -- floating-point numbers as strtold() reads them, and times with a unit
 *
 * Up to 19 digits and powers of ten that are exact in a long double give the nearest value, which
 * covers what people write; longer numbers may be off by the last bit.
 */
#include "text/number.h"

#include <math.h>

#include "base/utf8.h"
#include "hob.h"

static bool number_word(struct str s, size_t i, const char *word)
{
    size_t n = strlen(word);
    if (s.n - i < n)
        return false;
    for (size_t k = 0; k < n; k++) {
        if (ascii_to_lower(s.p[i + k]) != word[k])
            return false;
    }
    return true;
}

static int number_digit(int c)
{
    if (ascii_digit(c))
        return c - '0';
    c = ascii_to_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* An exponent behind e or p: *i moves only if there is one. */
static long number_exponent(struct str s, size_t *i)
{
    size_t k = *i + 1;
    bool minus = k < s.n && s.p[k] == '-';
    long v = 0;

    if (k < s.n && (s.p[k] == '-' || s.p[k] == '+'))
        k++;
    if (k >= s.n || !ascii_digit(s.p[k]))
        return 0;
    for (; k < s.n && ascii_digit(s.p[k]); k++)
        v = v < 100000 ? v * 10 + (s.p[k] - '0') : v;
    *i = k;
    return minus ? -v : v;
}

/* Scales in steps that are exact as long as they can be. */
static long double number_scale(long double v, long exp)
{
    if (v == 0)
        return v;
    while (exp > 0) {
        long step = MIN(exp, 27);
        v *= powl(10, (long double)step);
        exp -= step;
        if (isinf(v))
            return v;
    }
    while (exp < 0 && v != 0) {
        long step = MIN(-exp, 27);
        v /= powl(10, (long double)step);
        exp += step;
    }
    return v;
}

static long double number_digits(struct str s, size_t *at, int base)
{
    size_t i = *at, digits = 0;
    uint64_t mant = 0;
    long exp = 0;
    bool point = false, cut = false;

    for (; i < s.n; i++) {
        if (s.p[i] == '.' && !point) {
            point = true;
            continue;
        }
        int d = number_digit((unsigned char)s.p[i]);
        if (d >= base)
            break;
        digits++;
        if (mant <= (UINT64_MAX - 15) / (uint64_t)base) {
            mant = mant * (uint64_t)base + (uint64_t)d;
            exp -= point;
        } else {
            if (!cut && d * 2 >= base)
                mant++; /* of the digits that are too many the first one rounds */
            cut = true;
            exp += !point;
        }
    }
    if (!digits)
        return 0;
    *at = i;
    char mark = base == 16 ? 'p' : 'e';
    if (base == 16)
        exp *= 4;
    if (i < s.n && ascii_to_lower(s.p[i]) == mark)
        exp += number_exponent(s, at);
    return base == 16 ? ldexpl((long double)mant, (int)exp) : number_scale((long double)mant, exp);
}

long double number_parse(struct str s, size_t *used)
{
    size_t i = 0, start;
    long double v;

    *used = 0;
    while (i < s.n && ascii_space(s.p[i]))
        i++;
    bool minus = i < s.n && s.p[i] == '-';
    if (i < s.n && (s.p[i] == '-' || s.p[i] == '+'))
        i++;
    start = i;
    if (number_word(s, i, "infinity") || number_word(s, i, "inf")) {
        i += number_word(s, i, "infinity") ? 8 : 3;
        v = (long double)INFINITY;
    } else if (number_word(s, i, "nan")) {
        i += 3;
        v = (long double)NAN;
    } else if (number_word(s, i, "0x")) {
        size_t hex = i + 2;
        v = number_digits(s, &hex, 16);
        i = hex > i + 2 ? hex : i + 1;
    } else {
        v = number_digits(s, &i, 10);
    }
    if (i == start)
        return 0;
    *used = i;
    return minus ? -v : v;
}

int number_interval(struct str s, int64_t *ns)
{
    size_t used;
    long double v = number_parse(s, &used), unit = 1;
    struct str rest = str_from(s, used);

    if (used == 0 || rest.n > 1 || !(v >= 0))
        return HOB_EINVAL;
    if (rest.n) {
        switch (rest.p[0]) {
        case 's': break;
        case 'm': unit = 60; break;
        case 'h': unit = 3600; break;
        case 'd': unit = 86400; break;
        default: return HOB_EINVAL;
        }
    }
    v = ceill(v * unit * 1e9L);
    *ns = v >= 9.2e18L ? INT64_MAX : (int64_t)v;
    return 0;
}

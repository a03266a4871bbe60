/* jq_math.c -- the functions of the C library on numbers */
#include <math.h>

#include "commands/jq/jq.h"

#ifndef _GNU_SOURCE
/* Standard C has no Bessel functions; every C library does. */
double j0(double x);
double j1(double x);
double y0(double x);
double y1(double x);
#endif

/* The number in v, or an error; v is consumed. */
static bool jq_numeric(struct jq *j, struct jq_val v, double *out)
{
    if (v.kind != JQ_NUMBER) {
        jq_fail1(j, v, "number required");
        return false;
    }
    *out = jq_double(v);
    jq_drop(j, v);
    return true;
}

/* Arguments 1..n of a function of n numbers, whose input does not count. */
static bool jq_numbers(struct jq *j, struct jq_val *in, int n, double *out)
{
    jq_drop(j, in[0]);
    for (int i = 1; i <= n; i++)
        if (!jq_numeric(j, in[i], &out[i - 1])) {
            while (++i <= n)
                jq_drop(j, in[i]);
            return false;
        }
    return true;
}

static double jq_math_exp10(double x) { return pow(10, x); }
static double jq_math_gamma(double x) { return lgamma(x); }

static double jq_math_significand(double x)
{
    int e;
    if (x == 0 || isinf(x) || isnan(x))
        return x;
    return frexp(x, &e) * 2;
}

static double jq_math_drem(double x, double y) { return remainder(x, y); }
static double jq_math_fdim(double x, double y)
{
    return isnan(x) || isnan(y) ? NAN : x > y ? x - y : 0;
}
static double jq_math_ldexp(double x, double e)
{
    return ldexp(x, e > 100000 ? 100000 : e < -100000 ? -100000 : isnan(e) ? 0 : (int)e);
}

/* Bessel functions of order n by recurrence from the first two. */
static double jq_math_jn(double order, double x)
{
    int n = order > 200 ? 200 : order < -200 ? -200 : isnan(order) ? 0 : (int)order;
    if (n < 0)
        return (n & 1 ? -1 : 1) * jq_math_jn(-n, x);
    if (n == 0 || n == 1 || x == 0)
        return n == 0 ? j0(x) : n == 1 ? j1(x) : 0;
    if (fabs(x) > n) {
        double a = j0(x), b = j1(x);
        for (int i = 1; i < n; i++) {
            double c = 2 * i / x * b - a;
            a = b;
            b = c;
        }
        return b;
    }
    /* Downwards, where it is stable, and scaled by what j0 has to be. */
    double above = 0, here = 1e-300, wanted = 0;
    for (int i = 2 * (n + 20); i > 0; i--) {
        double below = 2 * i / x * here - above;
        above = here;
        here = below;
        if (i - 1 == n)
            wanted = here;
        if (fabs(here) > 1e200) {
            here *= 1e-200;
            above *= 1e-200;
            wanted *= 1e-200;
        }
    }
    return wanted * (fabs(j0(x)) > fabs(j1(x)) ? j0(x) / here : j1(x) / above);
}

static double jq_math_yn(double order, double x)
{
    int n = order > 200 ? 200 : order < -200 ? -200 : isnan(order) ? 0 : (int)order;
    if (n < 0)
        return (n & 1 ? -1 : 1) * jq_math_yn(-n, x);
    double a = y0(x), b = y1(x);
    if (n == 0)
        return a;
    for (int i = 1; i < n && !isinf(b); i++) {
        double c = 2 * i / x * b - a;
        a = b;
        b = c;
    }
    return b;
}

#define JQ_MATH1(name, call)                                                                       \
    static struct jq_val jq_m_##name(struct jq *j, struct jq_val *in)                              \
    {                                                                                              \
        double x;                                                                                  \
        return jq_numeric(j, in[0], &x) ? jq_number(call(x)) : jq_none();                          \
    }
#define JQ_MATH2(name, call)                                                                       \
    static struct jq_val jq_m_##name(struct jq *j, struct jq_val *in)                              \
    {                                                                                              \
        double x[2];                                                                               \
        return jq_numbers(j, in, 2, x) ? jq_number(call(x[0], x[1])) : jq_none();                  \
    }
/* clang-format off */
#define JQ_MATH_ONES(X)                                                                         \
    X(acos, acos) X(acosh, acosh) X(asin, asin) X(asinh, asinh) X(atan, atan) X(atanh, atanh)   \
    X(cbrt, cbrt) X(ceil, ceil) X(cos, cos) X(cosh, cosh) X(erf, erf) X(erfc, erfc)             \
    X(exp, exp) X(exp10, jq_math_exp10) X(exp2, exp2) X(expm1, expm1) X(fabs, fabs)             \
    X(floor, floor) X(gamma, jq_math_gamma) X(j0, j0) X(j1, j1)             \
    X(lgamma, lgamma) X(log, log) X(log10, log10) X(log1p, log1p) X(log2, log2) X(logb, logb)   \
    X(nearbyint, nearbyint) X(pow10, jq_math_exp10) X(rint, rint) X(round, round)               \
    X(significand, jq_math_significand) X(sin, sin) X(sinh, sinh) X(sqrt, sqrt) X(tan, tan)     \
    X(tanh, tanh) X(tgamma, tgamma) X(trunc, trunc) X(y0, y0) X(y1, y1)
#define JQ_MATH_TWOS(X)                                                                         \
    X(atan2, atan2) X(copysign, copysign) X(drem, jq_math_drem) X(fdim, jq_math_fdim)           \
    X(fmax, fmax) X(fmin, fmin) X(fmod, fmod) X(hypot, hypot) X(jn, jq_math_jn)                 \
    X(ldexp, jq_math_ldexp) X(nextafter, nextafter) X(nexttoward, nextafter) X(pow, pow)        \
    X(remainder, remainder) X(scalb, jq_math_ldexp) X(scalbln, jq_math_ldexp)                   \
    X(yn, jq_math_yn)

JQ_MATH_ONES(JQ_MATH1)
JQ_MATH_TWOS(JQ_MATH2)
/* clang-format on */

static struct jq_val jq_m_fma(struct jq *j, struct jq_val *in)
{
    double x[3];
    return jq_numbers(j, in, 3, x) ? jq_number(fma(x[0], x[1], x[2])) : jq_none();
}

static struct jq_val jq_m_pair(struct jq *j, double a, double b)
{
    struct jq_val out = jq_array(j, 2);
    jq_push(j, &out, jq_number(a));
    jq_push(j, &out, jq_number(b));
    return out;
}

static struct jq_val jq_m_frexp(struct jq *j, struct jq_val *in)
{
    double x;
    int e = 0;
    if (!jq_numeric(j, in[0], &x))
        return jq_none();
    x = isinf(x) || isnan(x) ? x : frexp(x, &e);
    return jq_m_pair(j, x, e);
}

static struct jq_val jq_m_modf(struct jq *j, struct jq_val *in)
{
    double x, whole;
    if (!jq_numeric(j, in[0], &x))
        return jq_none();
    x = modf(x, &whole);
    return jq_m_pair(j, x, whole);
}

static struct jq_val jq_m_lgamma_r(struct jq *j, struct jq_val *in)
{
    double x;
    if (!jq_numeric(j, in[0], &x))
        return jq_none();
    /* The sign of gamma: negative between -1 and 0, -3 and -2, ... */
    bool minus = x < 0 && x != floor(x) && fmod(floor(x), 2) != 0;
    return jq_m_pair(j, lgamma(x), minus ? -1 : 1);
}

static struct jq_val jq_m_abs(struct jq *j, struct jq_val *in)
{
    if (in[0].kind != JQ_NUMBER)
        return in[0];
    double d = jq_double(in[0]);
    if (!(d < 0))
        return in[0];
    jq_drop(j, in[0]);
    return jq_number(-d);
}

/* What is no number is none of these. */
static double jq_plain_number(struct jq_val v) { return v.kind == JQ_NUMBER ? jq_double(v) : 0; }

static struct jq_val jq_m_isnan(struct jq *j, struct jq_val *in)
{
    double x = jq_plain_number(in[0]);
    jq_drop(j, in[0]);
    return jq_bool(isnan(x));
}
static struct jq_val jq_m_isinfinite(struct jq *j, struct jq_val *in)
{
    double x = jq_plain_number(in[0]);
    jq_drop(j, in[0]);
    return jq_bool(isinf(x));
}
static struct jq_val jq_m_isnormal(struct jq *j, struct jq_val *in)
{
    double x = jq_plain_number(in[0]);
    jq_drop(j, in[0]);
    return jq_bool(isnormal(x));
}

#define JQ_ROW1(name, call) {#name, 0, jq_m_##name},
#define JQ_ROW2(name, call) {#name, 2, jq_m_##name},
/* clang-format off */
const struct jq_native jq_natives_math[] = {
    JQ_MATH_ONES(JQ_ROW1)
    JQ_MATH_TWOS(JQ_ROW2)
    {"fma", 3, jq_m_fma},
    {"frexp", 0, jq_m_frexp},
    {"modf", 0, jq_m_modf},
    {"lgamma_r", 0, jq_m_lgamma_r},
    {"abs", 0, jq_m_abs},
    {"isnan", 0, jq_m_isnan},
    {"isinfinite", 0, jq_m_isinfinite},
    {"isnormal", 0, jq_m_isnormal},
    {NULL, 0, NULL},
};
/* clang-format on */
#undef JQ_MATH1
#undef JQ_MATH2
#undef JQ_MATH_ONES
#undef JQ_MATH_TWOS
#undef JQ_ROW1
#undef JQ_ROW2

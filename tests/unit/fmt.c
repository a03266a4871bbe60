/* fmt.c -- our printf against the C library's */
#include "testheap.h"

#include <math.h>

#include "base/fmt.h"
#include "base/random.h"

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat"

#define SAME(...)                                                                                  \
    do {                                                                                           \
        char got_[40000], want_[40000];                                                            \
        size_t g_ = fmt_print(got_, sizeof got_, __VA_ARGS__);                                     \
        size_t w_ = (size_t)snprintf(want_, sizeof want_, __VA_ARGS__);                            \
        CHECK_MEM(got_, g_, want_, w_);                                                            \
    } while (0)

static void whole_numbers(void)
{
    static const char *const fmts[] = {
        "%d", "%5d",   "%-5d|",  "%05d",   "%+d",  "% d",   "%.3d", "%8.3d", "%08.3d",
        "%x", "%#x",   "%#X",    "%#o",    "%o",   "%#.3o", "%.0d", "%#.0x", "%#.0o",
        "%u", "%+.2d", "%-+7d|", "%#010x", "%hhd", "%hu",   "%hhx", "% 05d", "%+ d"};
    static const int values[] = {0, 1, -1, 7, 8, 42, 255, 256, -70000, INT_MAX, INT_MIN};

    for (size_t i = 0; i < COUNT(fmts); i++) {
        for (size_t k = 0; k < COUNT(values); k++)
            SAME(fmts[i], values[k]);
    }
    SAME("%ld %lld %zu %td %jd", LONG_MIN, LLONG_MAX, SIZE_MAX, (ptrdiff_t)-3, (intmax_t)9);
    SAME("%*d|%-*d|%.*d", 5, 3, 5, 3, 4, 2);
    SAME("%*d|", -6, 3);
    SAME("%lx %lo", ULONG_MAX, ULONG_MAX);
    char tmp[24];
    CHECK_EQ(fmt_uint(tmp, UINT64_MAX), 20);
    CHECK_MEM(tmp, 20, "18446744073709551615", 20);
    CHECK_EQ(fmt_int(tmp, INT64_MIN), 20);
    CHECK_MEM(tmp, 20, "-9223372036854775808", 20);
}

static void text(void)
{
    SAME("%s|%5s|%-5s|%.2s|%5.1s|%c|%3c|%-3c|%%", "abc", "x", "y", "hello", "zz", 'a', 'b', 'c');
    char *volatile none = NULL; /* compilers warn about a plain one */
    SAME("%s", none);
    SAME("%.3s", none);
    SAME("%p", (void *)&whole_numbers);
    CHECK_EQ(fmt_print(NULL, 0, "%d", 12345), 5);
    char few[4];
    CHECK_EQ(fmt_print(few, sizeof few, "%s", "abcdef"), 6);
    CHECK_STR(few, "abc");
    char raw[3] = {'a', 'b', 'c'}; /* no NUL: the precision bounds the reading */
    char out[8];
    fmt_print(out, sizeof out, "%.*s", 3, raw);
    CHECK_STR(out, "abc");
}

static long double some_value(struct random *r)
{
    union {
        uint64_t u;
        double d;
    } any = {random_next(r)};
    switch (random_below(r, 6)) {
    case 0: return (long double)any.d;
    case 1: return (long double)(double)random_below(r, 100000) / 1000;
    case 2: return (long double)random_below(r, 1000) / 8;
    case 3: return ldexpl((long double)random_next(r), (int)random_below(r, 32700) - 16450);
    case 4: return -(long double)(double)random_below(r, 1u << 30) * 1e-5;
    default: return 0.5L + (long double)random_below(r, 20);
    }
}

static void floats(void)
{
    static const char *const fmts[] = {
        "%f",    "%.0f",  "%.1f",     "%.2f",   "%.20f",   "%e",       "%.0e",    "%.3E",  "%g",
        "%G",    "%.3g",  "%.17g",    "%#g",    "%10.3f|", "%-12.2f|", "%012.1f", "%+.3g", "% g",
        "%#.0f", "%#.0e", "%.40g",    "%.400f", "%a",      "%.2a",     "%A",      "%20a|", "%.0a",
        "%#.0g", "%.21a", "%+020.3a", "%.1g",   "%.0g",    "%25.18g"};
    struct random r;

    random_seed(&r, 11);
    for (int i = 0; i < 20000 && !unit_failed; i++) {
        long double v = some_value(&r);
        const char *f = fmts[random_below(&r, COUNT(fmts))];
        SAME(f, (double)v);
        char wide[16], *w = wide;
        for (const char *p = f; *p; p++) {
            if (strchr("efgaEGA", *p))
                *w++ = 'L';
            *w++ = *p;
        }
        *w = '\0';
        SAME(wide, v);
        if (unit_failed)
            printf("# %s of %La\n", f, v);
    }
}

static void float_edges(void)
{
    static const double values[] = {0.0,   -0.0,  0.5,       1.5,      2.5,
                                    0.125, 9.5,   99.5,      999999.5, 1e22,
                                    1e-5,  1e5,   5e-324,    1e308,    0.0001,
                                    1e100, 1e15,  123456789, 1e-4,     9.9999995,
                                    4.35,  0.285, 1e21,      1e16,     2.2250738585072014e-308};
    static const char *const fmts[] = {"%f",      "%.0f", "%.1f", "%e",      "%.0e",
                                       "%g",      "%.1g", "%#g",  "%a",      "%.1a",
                                       "%.1100f", "%.2f", "%.3e", "%-9.1f|", "%09.1f"};

    for (size_t i = 0; i < COUNT(values); i++) {
        for (size_t k = 0; k < COUNT(fmts); k++) {
            /* Where %#g rounds up to a power of ten some C libraries drop the zeros. */
            if (values[i] != 999999.5 || strcmp(fmts[k], "%#g") != 0)
                SAME(fmts[k], values[i]);
        }
    }
    char tmp[16];
    fmt_print(tmp, sizeof tmp, "%#g", 999999.5);
    CHECK_STR(tmp, "1.00000e+06");
    SAME("%f %F %e %5g| %-5g| %05f %+f % f", HUGE_VAL, HUGE_VAL, -HUGE_VAL, HUGE_VAL, HUGE_VAL,
         HUGE_VAL, HUGE_VAL, HUGE_VAL);
    SAME("%f %G %a", (double)NAN, (double)NAN, -(double)NAN);
    SAME("%.3Lf %Lg %La %Le", 3.6451995318824746025e-4951L, 3.6451995318824746025e-4951L,
         3.6451995318824746025e-4951L, 1.18973149535723176502e+4932L);
    SAME("%.20000Lf", 3.6451995318824746025e-4951L);
    SAME("%Lf", 1.18973149535723176502e+4932L);
}

static void to_buffer(void)
{
    struct testheap t;
    struct buf b;

    testheap_init(&t, 1 << 20);
    buf_init(&b, &t.heap);
    fmt_double(&b, 'f', "-", 8, 2, 3.14159L);
    fmt_double(&b, 'g', "+#", -1, -1, 1);
    fmt_double(&b, 'a', NULL, -1, -1, 1);
    CHECK_STR(b.p, "3.14    +1.000000x8p-3");
    buf_clear(&b);
    fmt_double(&b, 'f', "", -1, 100000, 0.1L);
    CHECK_EQ(b.n, 100002);
    fmt_double(&b, 'f', "", -1, INT_MAX, 0.1L);
    CHECK_EQ(heap_gate(&t.heap), HOB_ENOMEM);
    fmt_double(&b, 'g', "#", INT_MAX, INT_MAX, 0.00001L);
    heap_gate(&t.heap);
    buf_fini(&b);
    CHECK_EMPTY(&t);
}

UNIT_MAIN(UNIT(whole_numbers), UNIT(text), UNIT(floats), UNIT(float_edges), UNIT(to_buffer))

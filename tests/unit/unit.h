/* unit.h -- a test program in a dozen lines: named cases, checks, TAP on stdout
 *
 *     #include "unit.h"
 *
 *     static void test_grow(void)
 *     {
 *         CHECK(1 < 2);
 *         CHECK_EQ(2 + 2, 4);
 *         CHECK_STR("ab", "ab");
 *         CHECK_MEM(bytes, n, "\0x", 2);
 *     }
 *
 *     UNIT_MAIN(UNIT(test_grow), UNIT(test_shrink))
 *
 * A failed check is reported with its place and values, and the case goes on; REQUIRE leaves the
 * function. Run a single case by giving its name as an argument.
 */
#ifndef UNIT_H
#define UNIT_H

#include <stdio.h>
#include <string.h>

struct unit {
    const char *name;
    void (*run)(void);
};

static int unit_failed; /* failed checks of the running case */

/* Checks whose result is used by REQUIRE return it; the others may ignore it. */
static inline int unit_check(int ok, const char *file, int line, const char *what)
{
    if (!ok) {
        unit_failed++;
        printf("# %s:%d: %s\n", file, line, what);
    }
    return ok;
}

static inline int unit_equal(long long a, long long b, const char *file, int line, const char *what)
{
    if (a != b) {
        unit_failed++;
        printf("# %s:%d: %s: %lld is not %lld\n", file, line, what, a, b);
    }
    return a == b;
}

/* Prints bytes so that each can be told: printable ones as they are, others as \xNN. */
static inline void unit_print(const char *label, const void *data, size_t size)
{
    const unsigned char *p = data;
    printf("#   %s (%zu bytes) \"", label, size);
    for (size_t i = 0; i < size && i < 400; i++)
        printf(p[i] >= 32 && p[i] < 127 && p[i] != '"' && p[i] != '\\' ? "%c" : "\\x%02x", p[i]);
    printf("\"\n");
}

static inline int unit_bytes(const void *a, size_t an, const void *b, size_t bn, const char *file,
                             int line, const char *what)
{
    int same = an == bn && (an == 0 || memcmp(a, b, an) == 0);
    if (!same) {
        unit_failed++;
        printf("# %s:%d: %s\n", file, line, what);
        unit_print("got ", a, an);
        unit_print("want", b, bn);
    }
    return same;
}

static inline int unit_string(const char *a, const char *b, const char *file, int line,
                              const char *what)
{
    if (!a || !b)
        return unit_check(a == b, file, line, what);
    return unit_bytes(a, strlen(a), b, strlen(b), file, line, what);
}

/* CHECK_EQ compares integers, CHECK_STR C strings (NULL equals NULL), CHECK_MEM byte strings. */
#define CHECK(x) unit_check(!!(x), __FILE__, __LINE__, #x)
#define CHECK_EQ(a, b) unit_equal((long long)(a), (long long)(b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_STR(a, b) unit_string((a), (b), __FILE__, __LINE__, #a " equals " #b)
#define CHECK_MEM(a, an, b, bn)                                                                    \
    unit_bytes((a), (size_t)(an), (b), (size_t)(bn), __FILE__, __LINE__, #a " equals " #b)

/* Leaves the case when there is no point in going on. */
#define REQUIRE(x)                                                                                 \
    do {                                                                                           \
        if (!CHECK(x))                                                                             \
            return;                                                                                \
    } while (0)

static inline int unit_main(const struct unit *cases, size_t count, int argc, char **argv)
{
    int bad = 0, number = 0;
    for (size_t i = 0; i < count; i++) {
        if (argc > 1 && strcmp(argv[1], cases[i].name) != 0)
            continue;
        unit_failed = 0;
        cases[i].run();
        printf("%sok %d - %s\n", unit_failed ? "not " : "", ++number, cases[i].name);
        fflush(stdout);
        bad += unit_failed != 0;
    }
    printf("1..%d\n", number);
    return bad != 0;
}

/* clang-format off */
#define UNIT(f) {#f, f}
#define UNIT_MAIN(...)                                                      \
    int main(int argc, char **argv)                                         \
    {                                                                       \
        static const struct unit cases[] = {__VA_ARGS__};                   \
        return unit_main(cases, sizeof cases / sizeof *cases, argc, argv);  \
    }
/* clang-format on */

#endif

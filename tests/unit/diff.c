/* diff.c -- tests of the line diff */
#include "testheap.h"

#include <time.h>

#include "base/random.h"
#include "text/diff.h"

/* Each result was printed by GNU diff -u. */
static const struct {
    const char *old, *new, *want;
} rows[] = {
    {"", "", ""},
    {"a\n", "a\n", ""},
    {"", "a\n", "@@ -0,0 +1 @@\n+a\n"},
    {"a\n", "", "@@ -1 +0,0 @@\n-a\n"},
    {"a\nb\n", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"},
    {"a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
    {"x\na", "y\na", "@@ -1,2 +1,2 @@\n-x\n+y\n a\n\\ No newline at end of file\n"},
    {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nX\n6\n7\n8\n9\n",
     "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+X\n 6\n 7\n 8\n"},
    {"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "1\nX\n3\n4\n5\n6\n7\n8\nY\n10\n",
     "@@ -1,10 +1,10 @@\n 1\n-2\n+X\n 3\n 4\n 5\n 6\n 7\n 8\n-9\n+Y\n 10\n"},
    {"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "X\n2\n3\n4\n5\n6\n7\n8\nY\n10\n",
     "@@ -1,4 +1,4 @@\n-1\n+X\n 2\n 3\n 4\n@@ -6,5 +6,5 @@\n 6\n 7\n 8\n-9\n+Y\n 10\n"},
    /* The new function stands where one would put it. */
    {"a{\n x\n}\n\nc{\n y\n}\n", "a{\n x\n}\n\nb{\n z\n}\n\nc{\n y\n}\n",
     "@@ -2,6 +2,10 @@\n  x\n }\n \n+b{\n+ z\n+}\n+\n c{\n  y\n }\n"},
    {"a\na\na\n", "a\na\na\na\n", "@@ -1,3 +1,4 @@\n a\n a\n a\n+a\n"},
};

static void known(void)
{
    struct testheap t;
    struct arena a;
    struct buf b;
    struct diff d;

    testheap_init(&t, SIZE_MAX);
    arena_init(&a, &t.heap);
    buf_init(&b, &t.heap);
    for (size_t i = 0; i < COUNT(rows); i++) {
        buf_clear(&b);
        CHECK_EQ(diff_lines(&a, str_z(rows[i].old), str_z(rows[i].new), 3, &d), 0);
        diff_unified(&b, &d, NULL, NULL, 3);
        CHECK_STR(buf_get(&b).p, rows[i].want);
    }
    CHECK_EQ(diff_lines(&a, STR("a\n"), STR("b\n"), 0, &d), 0);
    buf_clear(&b);
    diff_unified(&b, &d, "x/a", "x/b", 0);
    CHECK_STR(b.p, "--- x/a\n+++ x/b\n@@ -1 +1 @@\n-a\n+b\n");
    buf_fini(&b);
    arena_fini(&a);
    CHECK_EMPTY(&t);
}

/* Whatever it finds, applying it to the old text gives the new one. */
static bool applies(const struct diff *d)
{
    size_t a = 0, b = 0;
    for (size_t i = 0; i <= d->n; i++) {
        size_t stop = i < d->n ? d->edit[i].a : d->a.n;
        for (; a < stop; a++, b++) {
            if (b >= d->b.n || !str_eq(d->a.line[a], d->b.line[b]))
                return false;
        }
        if (i == d->n)
            break;
        if (d->edit[i].b != b || d->edit[i].an + d->edit[i].bn == 0)
            return false;
        a += d->edit[i].an;
        b += d->edit[i].bn;
    }
    return a == d->a.n && b == d->b.n;
}

static size_t fill(struct random *r, char *out, size_t lines, unsigned kinds)
{
    size_t n = 0;
    for (size_t i = 0; i < lines; i++)
        n += (size_t)snprintf(out + n, 16, "%u\n", (unsigned)random_below(r, kinds));
    return n - (n > 0 && random_below(r, 4) == 0);
}

static void any(void)
{
    static const unsigned kinds[] = {2, 3, 10, 100, 10000};
    static char x[20000], y[20000];
    struct random r;

    random_seed(&r, 6);
    for (int i = 0; i < 2000; i++) {
        struct testheap t;
        struct arena a;
        struct diff d;
        unsigned k = kinds[random_below(&r, COUNT(kinds))];
        size_t xn = fill(&r, x, random_below(&r, 300), k);
        size_t yn = fill(&r, y, random_below(&r, 300), k);
        testheap_init(&t, SIZE_MAX);
        arena_init(&a, &t.heap);
        CHECK_EQ(diff_lines(&a, str_of(x, xn), str_of(y, yn), random_below(&r, 4), &d), 0);
        CHECK(applies(&d));
        arena_fini(&a);
        CHECK_EMPTY(&t);
    }
}

/* Large texts that have nothing to do with each other. */
static void large(void)
{
    struct testheap t;
    struct arena a;
    struct diff d;
    struct random r;
    char *x = malloc(1 << 20), *y = malloc(1 << 20);
    clock_t began = clock();

    REQUIRE(x && y);
    random_seed(&r, 1);
    size_t xn = fill(&r, x, 20000, 1000), yn = fill(&r, y, 20000, 1000);
    testheap_init(&t, SIZE_MAX);
    arena_init(&a, &t.heap);
    CHECK_EQ(diff_lines(&a, str_of(x, xn), str_of(y, yn), 3, &d), 0);
    CHECK(applies(&d));
    arena_fini(&a);
    CHECK_EMPTY(&t);
    free(x);
    free(y);
    CHECK((double)(clock() - began) / CLOCKS_PER_SEC < 60);
}

static int work(struct heap *h)
{
    struct arena a;
    struct buf b;
    struct diff d;

    arena_init(&a, h);
    buf_init(&b, h);
    int r = diff_lines(&a, STR("a\nb\nc\nd\ne\n"), STR("b\nx\nd\ny\nz\n"), 3, &d);
    if (r == 0)
        diff_unified(&b, &d, "a", "b", 3);
    buf_fini(&b);
    arena_fini(&a);
    int gate = heap_gate(h);
    return gate < 0 ? gate : r;
}

static void torture(void) { testheap_torture(work); }

UNIT_MAIN(UNIT(known), UNIT(any), UNIT(large), UNIT(torture))

/* glob.c -- tests of shell patterns */
#include "testheap.h"

#include <time.h>

#include "text/glob.h"

static struct testheap t;
static struct arena a;

static struct glob_prog *prog(const char *pattern, int flags)
{
    return glob_compile(&a, str_z(pattern), flags);
}

/* Rows: pattern, text, 1 or 0, flags. */
struct row {
    const char *pattern, *text;
    int want, flags;
};

static void rows(const struct row *row, size_t n)
{
    testheap_init(&t, SIZE_MAX);
    arena_init(&a, &t.heap);
    for (size_t i = 0; i < n; i++) {
        struct glob_prog *g = prog(row[i].pattern, row[i].flags);
        REQUIRE(g != NULL);
        if (!CHECK_EQ(glob_match(g, str_z(row[i].text)), row[i].want))
            printf("# pattern %s text %s\n", row[i].pattern, row[i].text);
    }
    arena_fini(&a);
    CHECK_EMPTY(&t);
}

static void plain(void)
{
    static const struct row r[] = {
        {"abc", "abc", 1, 0},
        {"abc", "abcd", 0, 0},
        {"", "", 1, 0},
        {"", "x", 0, 0},
        {"*", "", 1, 0},
        {"*", "anything", 1, 0},
        {"a*", "abc", 1, 0},
        {"*c", "abc", 1, 0},
        {"*b*", "abc", 1, 0},
        {"a*a", "a", 0, 0},
        {"a*a", "aa", 1, 0},
        {"a?c", "abc", 1, 0},
        {"?", "\xc3\xa4", 1, 0},
        {"??", "\xc3\xa4", 0, 0},
        {"?", "\xff", 1, 0},
        {"*?", "", 0, 0},
        {"*ab*ab", "ab", 0, 0},
        {"*ab*ab", "xababab", 1, 0},
        {"\\*", "*", 1, 0},
        {"\\*", "a", 0, 0},
        {"\\", "\\", 1, 0},
        {"a\\bc", "abc", 1, 0},
        {"+(a)", "+(a)", 1, 0},
        {"*.c", ".c", 1, 0},
        {"*.c", ".c", 0, GLOB_PERIOD},
        {".*", ".c", 1, GLOB_PERIOD},
        {"?c", ".c", 0, GLOB_PERIOD},
        {"[.]c", ".c", 0, GLOB_PERIOD},
        {"*.c", "a.c", 1, GLOB_PERIOD},
        {"*/b", "a/b", 1, GLOB_PATH},
        {"*b", "a/b", 0, GLOB_PATH},
        {"a?b", "a/b", 0, GLOB_PATH},
        {"a[!x]b", "a/b", 0, GLOB_PATH},
        {"a[/]b", "a[/]b", 1, GLOB_PATH},
        {"*/*", "a/.b", 0, GLOB_PATH | GLOB_PERIOD},
        {"*/.*", "a/.b", 1, GLOB_PATH | GLOB_PERIOD},
        {"ABC*", "abcd", 1, GLOB_NOCASE},
        {"\xc3\x84", "\xc3\xa4", 1, GLOB_NOCASE},
        {"[a-c]", "B", 1, GLOB_NOCASE},
        {"[A-C]", "b", 1, GLOB_NOCASE},
        {"[[:upper:]]", "b", 0, GLOB_NOCASE},
    };
    rows(r, COUNT(r));
}

static void brackets(void)
{
    static const struct row r[] = {
        {"[abc]", "b", 1, 0},
        {"[!abc]", "b", 0, 0},
        {"[^abc]", "d", 1, 0},
        {"[a-c]", "b", 1, 0},
        {"[c-a]", "b", 0, 0},
        {"[a-]", "-", 1, 0},
        {"[]]", "]", 1, 0},
        {"[!]]", "a", 1, 0},
        {"[\\]]", "]", 1, 0},
        {"[\\\\]", "\\", 1, 0},
        {"[a", "[a", 1, 0},
        {"[", "[", 1, 0},
        {"[]", "[]", 1, 0},
        {"[[:alpha:]]", "\xc3\xa4", 1, 0},
        {"[[:alpha:]]", "1", 0, 0},
        {"[[:alpha:]-z]", "-", 1, 0},
        {"[[:foo:]a]", "a", 1, 0},
        {"[[:foo:]]", "f", 0, 0},
        {"[[:]", ":", 1, 0},
        {"[[:blank:]]", "\t", 1, 0},
        {"[[:blank:]]", "\n", 0, 0},
        {"[[:word:]]", "_", 1, 0},
        {"[[:xdigit:]]", "F", 1, 0},
        {"[[:xdigit:]]", "g", 0, 0},
        {"[[=a=]]", "a", 1, 0},
        {"[[.hyphen.]]", "-", 1, 0},
        {"[[.a.]-c]", "b", 1, 0},
        {"[a-[.c.]]", "b", 1, 0},
        {"[[.space.]x]", " ", 1, 0},
        {"[\xc3\xa0-\xc3\xbf]", "\xc3\xa4", 1, 0},
        {"[!\xc3\xa4]", "\xc3\xa4", 0, 0},
        {"[!a]", "\xff", 1, 0},
        {"[\xff]", "\xff", 1, 0},
    };
    rows(r, COUNT(r));
}

static void groups(void)
{
    enum {
        X = GLOB_EXT,
        D = GLOB_EXT | GLOB_PERIOD
    };
    static const struct row r[] = {
        {"?(a)b", "b", 1, X},
        {"?(a)b", "ab", 1, X},
        {"?(a)b", "aab", 0, X},
        {"*(a)b", "aaab", 1, X},
        {"+(a)b", "b", 0, X},
        {"+(a|b)", "abba", 1, X},
        {"@(a|b)", "ab", 0, X},
        {"!(a)", "", 1, X},
        {"!(a)", "a", 0, X},
        {"!(a)", "ab", 1, X},
        {"!(*.c)", "x.h", 1, X},
        {"!(*.c)", "x.c", 0, X},
        {"!(!(a))", "a", 1, X},
        {"!(!(a))", "b", 0, X},
        {"!(!(!(a)))", "b", 1, X},
        {"*!(a)", "a", 1, X},
        {"a!(b)c", "abc", 0, X},
        {"a!(b)c", "abbc", 1, X},
        {"*.!(c|h)", "x.c", 0, X},
        {"*.!(c|h)", "x.py", 1, X},
        {"+(*(a)|b)", "abab", 1, X},
        {"*(*(*(a)))c", "aaaaaaaaaaaaaaaaaaaaaaaaaaab", 0, X},
        {"@(a(b)c)", "a(b)c", 1, X},
        {"@(a|b", "@(a|b", 1, X},
        {"@()", "", 1, X},
        {"@(|a)b", "b", 1, X},
        {"@([)]|a)", ")", 1, X},
        {"@(\\)|a)", ")", 1, X},
        {"+([[:digit:]]).+([[:digit:]])", "12.34", 1, X},
        {"@(A|b)", "a", 1, X | GLOB_NOCASE},
        {"!(x)", ".a", 0, D},
        {"@(.*|x)", ".a", 1, D},
        {"@(*|x)", ".a", 0, D},
        {"?(\xc3\xa4)?", "\xc3\xa4\xe2\x82\xac", 1, X},
    };
    rows(r, COUNT(r));
}

static void parts(void)
{
    static const struct {
        const char *pattern, *text;
        int shortest, longest, tail_shortest, tail_longest;
    } r[] = {
        {"*/", "/usr/lib/x", 1, 9, -1, -1},
        {".*", "a.tar.gz", -1, -1, 3, 7},
        {"*", "abc", 0, 3, 0, 3},
        {"?", "\xc3\xa4x\xc3\xa4", 2, 2, 2, 2},
        {"a*b", "aXbYb", 3, 5, 5, 5},
        {"*a*", "banana", 2, 6, 1, 6},
        {"abc", "abcabc", 3, 3, 3, 3},
        {"", "abc", 0, 0, 0, 0},
        {"+(a)", "aaba", 1, 2, 1, 1},
        {"*([ab])", "abcb", 0, 2, 0, 1},
        {"!(a)", "aba", 0, 3, 0, 3},
        {"[!x]*y", "abyxy", 3, 5, 3, 5},
        {"+(\xc3\xa4)", "\xc3\xa4\xc3\xa4", 2, 4, 2, 4},
        {"*x", "abc", -1, -1, -1, -1},
    };
    testheap_init(&t, SIZE_MAX);
    arena_init(&a, &t.heap);
    for (size_t i = 0; i < COUNT(r); i++) {
        struct glob_prog *g = prog(r[i].pattern, GLOB_EXT);
        struct str s = str_z(r[i].text);
        REQUIRE(g != NULL);
        int bad = unit_failed;
        CHECK_EQ(glob_prefix(g, s, false), r[i].shortest);
        CHECK_EQ(glob_prefix(g, s, true), r[i].longest);
        CHECK_EQ(glob_suffix(g, s, false), r[i].tail_shortest);
        CHECK_EQ(glob_suffix(g, s, true), r[i].tail_longest);
        if (unit_failed != bad)
            printf("# pattern %s text %s\n", r[i].pattern, r[i].text);
    }
    arena_fini(&a);
    CHECK_EMPTY(&t);
}

static void find(void)
{
    static const struct {
        const char *pattern, *text;
        size_t from;
        int start, end;
    } r[] = {
        {"o", "foo", 0, 1, 2},
        {"o", "foo", 2, 2, 3},
        {"o", "foo", 3, -1, 0},
        {"o*", "foobar", 0, 1, 6},
        {"*o", "foobar", 0, 0, 3},
        {"?", "a\xc3\xa4", 1, 1, 3},
        {"a?c", "xabc", 0, 1, 4},
        {"b*z", "abcb", 0, -1, 0},
        {"+(o)", "foob", 0, 1, 3},
        {"+( )", "a  b c", 3, 4, 5},
        {"@(ab|abc|b)", "xabcd", 0, 1, 4},
        {"", "abc", 1, 1, 1},
        {"*(x)", "abx", 0, 0, 0},
        {"!(b)", "b", 0, 0, 0},
        {"@(aab|b)", "aaab", 0, 1, 4},
    };
    testheap_init(&t, SIZE_MAX);
    arena_init(&a, &t.heap);
    for (size_t i = 0; i < COUNT(r); i++) {
        size_t start = 99, end = 99;
        struct glob_prog *g = prog(r[i].pattern, GLOB_EXT);
        REQUIRE(g != NULL);
        bool ok = glob_find(g, str_z(r[i].text), r[i].from, &start, &end);
        CHECK_EQ(ok, r[i].start >= 0);
        if (ok && !(CHECK_EQ(start, r[i].start) & CHECK_EQ(end, r[i].end)))
            printf("# pattern %s text %s\n", r[i].pattern, r[i].text);
    }
    struct str text;
    CHECK(glob_literal(prog("a\\*b", 0), &text) && str_eq(text, STR("a*b")));
    CHECK(!glob_literal(prog("a*b", 0), &text));
    CHECK(glob_magic(STR("a*"), 0) && glob_magic(STR("[a]"), 0) &&
          glob_magic(STR("@(a)"), GLOB_EXT));
    CHECK(!glob_magic(STR("a\\*"), 0) && !glob_magic(STR("[a"), 0) && !glob_magic(STR("@(a)"), 0));
    arena_fini(&a);
    CHECK_EMPTY(&t);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Patterns that take ages when done by going back. */
static void hostile(void)
{
    static const char *const patterns[] = {
        "*a*a*a*a*a*a*a*a*a*a*a*a*b",
        "*(*(*(*(a))))b",
        "+(a|aa|aaa)b",
        "*!(*b*)c",
        "!(!(!(*a*)*)*)b",
        "*(a|*(a|*(a)))c",
        "*?*?*?*?*?*[b]",
        "!(*(a)!(a*a))",
        "*!(*!(*a)b)c",
    };
    char *text = malloc(20001), *deep = malloc(100001);
    double began = seconds();

    REQUIRE(text && deep);
    memset(text, 'a', 20000);
    testheap_init(&t, SIZE_MAX);
    arena_init(&a, &t.heap);
    for (size_t i = 0; i < COUNT(patterns); i++) {
        struct glob_prog *g = prog(patterns[i], GLOB_EXT);
        size_t start, end;
        REQUIRE(g != NULL);
        glob_match(g, str_of(text, 2000));
        glob_prefix(g, str_of(text, 2000), true);
        glob_suffix(g, str_of(text, 2000), false);
        glob_find(g, str_of(text, 2000), 0, &start, &end);
    }
    CHECK(!glob_match(prog("*a*a*a*b", 0), str_of(text, 20000)));
    CHECK(!glob_match(prog("*(+(a))b", GLOB_EXT), str_of(text, 20000)));
    static const char *const pieces[] = {"@(", "[", "+([", "?(|", "[[:", "!(", "*(a|"};
    for (size_t i = 0; i < COUNT(pieces); i++) {
        size_t n = strlen(pieces[i]), k = 0;
        for (; k + n <= 100000; k += n)
            memcpy(deep + k, pieces[i], n);
        struct glob_prog *g = glob_compile(&a, str_of(deep, k), GLOB_EXT);
        REQUIRE(g != NULL);
        glob_match(g, STR("aaa"));
        glob_magic(str_of(deep, k), GLOB_EXT);
        memset(deep + k / 2, ')', k - k / 2);
        g = glob_compile(&a, str_of(deep, k), GLOB_EXT);
        REQUIRE(g != NULL);
        glob_match(g, STR("aaa"));
    }
    arena_fini(&a);
    CHECK_EMPTY(&t);
    free(text);
    free(deep);
    CHECK(seconds() - began < 20);
}

static int work(struct heap *h)
{
    static const char *const patterns[] = {"a*[b-d]?", "abc", "*(a|!(b*|!(c)))", "+([[:alpha:]])x"};
    struct arena mine;
    size_t start, end;

    arena_init(&mine, h);
    for (size_t i = 0; i < COUNT(patterns); i++) {
        struct glob_prog *g = glob_compile(&mine, str_z(patterns[i]), GLOB_EXT);
        if (!g)
            continue;
        glob_match(g, STR("abcabcx"));
        glob_prefix(g, STR("abcabcx"), true);
        glob_suffix(g, STR("abcabcx"), false);
        glob_find(g, STR("abcabcx"), 0, &start, &end);
    }
    arena_fini(&mine);
    return heap_gate(h);
}

static void torture(void) { testheap_torture(work); }

UNIT_MAIN(UNIT(plain), UNIT(brackets), UNIT(groups), UNIT(parts), UNIT(find), UNIT(hostile),
          UNIT(torture))

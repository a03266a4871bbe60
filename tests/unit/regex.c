/* regex.c -- the regex engine: matches and groups by tables, hostile input, lack of memory */
#include <stdlib.h>

#include "text/regex.h"
#include "unit.h"

static void *test_alloc(void *ud, void *p, size_t old, size_t n)
{
    (void)ud, (void)old;
    if (n == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, n);
}

static struct heap test_heap(size_t cap)
{
    struct heap h;
    heap_init(&h, test_alloc, NULL, cap);
    return h;
}

/* The match and its groups as "0-3 1-2 - ": offsets, or a dash for a group that took no part. */
static void test_run(struct heap *h, const char *pattern, struct str text, unsigned flags,
                     unsigned eflags, char *out, size_t size)
{
    struct regex *re;
    struct regex_match m[16];
    struct hob_error e;
    size_t n = 0;
    out[0] = '\0';
    if (regex_compile(h, str_z(pattern), flags, &re, &e) < 0) {
        snprintf(out, size, "%s", e.msg);
        return;
    }
    size_t groups = regex_groups(re) + 1;
    int r = regex_exec(re, text, 0, eflags, m, groups < 16 ? groups : 16);
    for (size_t i = 0; r > 0 && i < groups && i < 16; i++)
        if (m[i].start < 0)
            n += (size_t)snprintf(out + n, size - n, i ? " -" : "-");
        else
            n += (size_t)snprintf(out + n, size - n, "%s%td-%td", i ? " " : "", m[i].start,
                                  m[i].end);
    if (r <= 0)
        snprintf(out, size, r ? "error %d" : "no", r);
    CHECK_EQ(regex_exec(re, text, 0, eflags, NULL, 0), r);
    regex_free(re);
}

struct row {
    unsigned flags;
    const char *pattern, *text, *want;
};

static void test_rows(const struct row *rows, size_t n)
{
    struct heap h = test_heap(SIZE_MAX);
    for (size_t i = 0; i < n; i++) {
        char got[400];
        test_run(&h, rows[i].pattern, str_z(rows[i].text), rows[i].flags, 0, got, sizeof got);
        if (!CHECK_STR(got, rows[i].want))
            printf("#   pattern %s, text %s\n", rows[i].pattern, rows[i].text);
    }
    CHECK_EQ(h.used, 0);
}

#define ROWS(...)                                                                                  \
    static const struct row rows[] = {__VA_ARGS__};                                                \
    test_rows(rows, sizeof rows / sizeof *rows)

static void test_match(void)
{
    ROWS({REGEX_ERE, "b+", "abbbc", "1-4"}, {REGEX_ERE, "", "abc", "0-0"},
         {REGEX_ERE, "abc|abcd|ab", "xabcde", "1-5"}, {REGEX_ERE, "abcd|c", "abcd", "0-4"},
         {REGEX_ERE, "x*", "aaa", "0-0"}, {REGEX_ERE, "[a-c]{2,3}", "zabcb", "1-4"},
         {REGEX_ERE, "a{2}{3}", "aaaaaaa", "0-6"}, {REGEX_ERE, "a{0}b", "ab", "1-2"},
         {REGEX_ERE, "a.c", "a\nc", "0-3"}, {REGEX_ERE | REGEX_NEWLINE, "a.c", "a\nc", "no"},
         {REGEX_ERE | REGEX_NEWLINE, "^b$", "a\nb\nc", "2-3"}, {REGEX_ERE, "^b$", "a\nb\nc", "no"},
         {REGEX_ERE | REGEX_NEWLINE, "a[^x]b", "a\nb", "no"}, {REGEX_ERE, "$^", "", "0-0"},
         {REGEX_ERE, "(^|x)a", "bxa", "1-3 1-2"}, {REGEX_ERE, "a**", "aa", "0-2"},
         {REGEX_BRE, "a*b\\{2\\}", "aabb", "0-4"}, {REGEX_BRE, "*a", "x*a", "1-3"},
         {REGEX_BRE, "\\(*a\\)", "*a", "0-2 0-2"}, {REGEX_BRE, "^*a", "*a", "0-2"},
         {REGEX_BRE, "a\\|b", "xb", "1-2"}, {REGEX_BRE, "a\\+", "baa", "1-3"},
         {REGEX_BRE, "a^b$c", "a^b$c", "0-5"}, {REGEX_BRE, "a+?", "a+?", "0-3"},
         {REGEX_EGREP, "a{1", "a{1", "0-3"}, {REGEX_EGREP, "*a", "ba", "1-2"},
         {REGEX_GREP, "a\nb", "xb", "1-2"}, {REGEX_FIXED, "a.*", "xa.*", "1-4"});
}

static void test_groups(void)
{
    /* Taken from what GNU's regexec reports. */
    ROWS({REGEX_ERE, "(a|ab)(c|bcd)(d*)", "abcd", "0-4 0-1 1-4 4-4"},
         {REGEX_ERE, "(a*)(ab)*(b*)", "abb", "0-3 0-1 - 1-3"},
         {REGEX_ERE, "(a*)*", "aa", "0-2 0-2"}, {REGEX_ERE, "(a*)*", "b", "0-0 0-0"},
         {REGEX_ERE, "((a)|b)*", "ab", "0-2 1-2 0-1"}, {REGEX_ERE, "(|a)", "a", "0-1 0-1"},
         {REGEX_ERE, "(x$)|(x)", "x", "0-1 - 0-1"}, {REGEX_ERE, "(a?)(ab)?", "ab", "0-2 0-0 0-2"},
         {REGEX_ERE, "(a{2}|a{3})*", "aaaaa", "0-5 2-5"},
         {REGEX_ERE, "(.b*|a*){0,2}([ab].*b*)*", "xaxa", "0-4 1-1 1-4"},
         {REGEX_ERE, "((a))", "a", "0-1 0-1 0-1"}, {REGEX_ERE, "(a)|b", "b", "0-1 -"},
         {REGEX_ERE, "([^=]*)=(.*)", "key=a=b", "0-7 0-3 4-7"},
         {REGEX_ERE, "^(([a-z]+):)?//([^/]+)(/.*)?$", "http://x.y/z", "0-12 0-5 0-4 7-10 10-12"},
         {REGEX_BRE, "\\(a\\)\\{0,2\\}b", "aab", "0-3 1-2"}, {REGEX_ERE, "(a){0}b", "ab", "1-2 -"});
}

static void test_classes(void)
{
    ROWS({REGEX_ERE, "[[:alpha:]]+", "12abc3", "2-5"},
         {REGEX_ERE, "[^[:space:]]+", "  ab c", "2-4"}, {REGEX_ERE, "[]a]+", "x]a]", "1-4"},
         {REGEX_ERE, "[^]a]", "]ab", "2-3"}, {REGEX_ERE, "[a-c-]+", "-a-c", "0-4"},
         {REGEX_ERE, "[[.a.][=b=]]+", "xab", "1-3"}, {REGEX_ERE, "[\\n]+", "\\n", "0-2"},
         {REGEX_AWK, "[\\n]+", "a\n", "1-2"}, {REGEX_AWK, "\\052\\/", "*/", "0-2"},
         {REGEX_AWK, "\\yb\\y", "a b", "2-3"}, {REGEX_ERE, "[[:punct:]]", "a.", "1-2"},
         {REGEX_ERE, "\\w+\\W\\s*\\S", "ab, c", "0-5"},
         {REGEX_ERE | REGEX_ICASE, "[[:upper:]]+", "1aB", "1-3"},
         {REGEX_ERE | REGEX_ICASE, "a[B-D]", "Ac", "0-2"},
         {REGEX_ERE | REGEX_ICASE, "stra\xc3\x9f\x65", "STRA\xc3\x9f\x45", "0-7"},
         {REGEX_ERE | REGEX_ICASE, "s", "\xc5\xbf", "0-2"});
}

static void test_utf8(void)
{
    ROWS({REGEX_ERE, ".", "\xc3\xa9", "0-2"}, {REGEX_ERE, "^.$", "\xf0\x9f\x98\x80", "0-4"},
         {REGEX_ERE, ".", "\xff", "no"}, {REGEX_ERE, ".+", "\xff\xc3", "no"},
         {REGEX_ERE, "\xff", "a\xff", "1-2"}, {REGEX_ERE, "[^a]", "a\xff\xc3\xa9", "2-4"},
         {REGEX_ERE, "[\xc3\xa9x]+", "ax\xc3\xa9", "1-4"},
         {REGEX_ERE | REGEX_BYTES, ".", "\xff", "0-1"},
         {REGEX_ERE | REGEX_BYTES, "[\x80-\xff]+", "a\x80\xff", "1-3"},
         {REGEX_ERE | REGEX_ICASE, "\xc3\x89+", "\xc3\xa9\xc3\x89", "0-4"},
         {REGEX_ERE, "\\<\xc3\xa9\\w\\>", "a \xc3\xa9t b", "2-5"},
         {REGEX_ERE, "\\B", "\xc3\xa9", "no"},
         {REGEX_ERE, "[[:alpha:]]{2}", "1\xc3\xa9\xce\xb1", "1-5"},
         {REGEX_ERE, ".", "\xed\xa0\x80", "no"});
}

static void test_assertions(void)
{
    ROWS({REGEX_ERE, "\\bfoo\\b", "afoo foo", "5-8"}, {REGEX_ERE, "\\<", "  ab", "2-2"},
         {REGEX_ERE, "\\>", "ab c", "2-2"}, {REGEX_ERE, "\\Bo", "foo", "1-2"},
         {REGEX_ERE | REGEX_NEWLINE, "\\`b", "a\nb", "no"}, {REGEX_ERE, "a\\'", "aa", "1-2"},
         {REGEX_ERE | REGEX_WORD, "a+", "aab a", "4-5"},
         {REGEX_ERE | REGEX_WORD, "ab|a", "ab. a", "0-2"},
         {REGEX_ERE | REGEX_WHOLE, "a|ab", "ab", "0-2"}, {REGEX_ERE | REGEX_WHOLE, "a", "ab", "no"},
         {REGEX_GREP | REGEX_LINES, "^b", "a\nb", "2-3"},
         {REGEX_GREP | REGEX_LINES, "a.*c", "a\nc", "no"});
    struct heap h = test_heap(SIZE_MAX);
    char got[80];
    test_run(&h, "^a", STR("a"), REGEX_ERE, REGEX_NOTBOL, got, sizeof got);
    CHECK_STR(got, "no");
    test_run(&h, "a$", STR("a"), REGEX_ERE, REGEX_NOTEOL, got, sizeof got);
    CHECK_STR(got, "no");
    test_run(&h, "b", STR("ab"), REGEX_ERE, REGEX_HERE, got, sizeof got);
    CHECK_STR(got, "no");
    test_run(&h, "a.b", STR("xa\0b"), REGEX_ERE, 0, got, sizeof got);
    CHECK_STR(got, "1-4");
    CHECK_EQ(h.used, 0);
}

static void test_backrefs(void)
{
    ROWS({REGEX_ERE, "(.)\\1", "abccd", "2-4 2-3"}, {REGEX_BRE, "\\(a*\\)b\\1", "aabaa", "0-5 0-2"},
         {REGEX_BRE, "^\\(.*\\)\\n\\1$", "x", "no"},
         {REGEX_BRE, "^\\(.*\\)-\\1$", "ab-ab", "0-5 0-2"},
         {REGEX_ERE | REGEX_ICASE, "(a)\\1", "xaA", "1-3 1-2"},
         {REGEX_ERE, "(a)|b\\1", "b", "Invalid back reference"},
         {REGEX_ERE, "(a*)*\\1", "aaa", "0-3 1-2"},
         {REGEX_ERE, "((a)b)*\\2c", "ababac", "0-6 2-4 2-3"},
         {REGEX_ERE, "(a?)b\\1", "b", "0-1 0-0"});
}

static void test_errors(void)
{
    ROWS({REGEX_ERE, "a[", "", "Invalid regular expression"},
         {REGEX_GREP, "a[", "", "Invalid regular expression"},
         {REGEX_ERE, "[a", "", "Unmatched [, [^, [:, [., or [="},
         {REGEX_ERE, "[[:alpha:", "", "Unmatched [, [^, [:, [., or [="},
         {REGEX_ERE, "(a", "", "Unmatched ( or \\("}, {REGEX_BRE, "a\\)", "", "Unmatched ) or \\)"},
         {REGEX_SED_ERE, "a)", "", "Unmatched ) or \\)"}, {REGEX_ERE, "a)", "a)", "0-2"},
         {REGEX_ERE, "*a", "", "Invalid preceding regular expression"},
         {REGEX_BRE, "a\\{1", "", "Unmatched \\{"},
         {REGEX_ERE, "a{2,1}", "", "Invalid content of \\{\\}"},
         {REGEX_ERE, "a{1,32768}", "", "Regular expression too big"},
         {REGEX_ERE, "a\\", "", "Trailing backslash"},
         {REGEX_ERE, "\\1", "", "Invalid back reference"},
         {REGEX_ERE, "[[:foo:]]", "", "Invalid character class name"},
         {REGEX_ERE, "[b-a]", "", "Invalid range end"},
         {REGEX_ERE, "[a-[:alpha:]]", "", "Invalid range end"},
         {REGEX_ERE, "[[.ab.]]", "", "Invalid collation character"},
         {REGEX_ERE, "(a{1000}){1000}", "", "Regular expression too big"});
}

/* What would bring a back-tracking matcher to its knees ends soon and right. */
static void test_hostile(void)
{
    struct heap h = test_heap((size_t)512 << 20);
    size_t n = 1 << 20;
    char *text = malloc(n);
    REQUIRE(text);
    memset(text, 'a', n);
    static const char *const slow[] = {"(a*)*b",  "(a|a)*b",        "(x+x+)+y",
                                       "(a+)+$b", "(a|aa|aaa)+b",   "(.*)(.*)(.*)b",
                                       "a?{50}b", "((a?){20}){20}b"};
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        struct regex *re;
        REQUIRE(regex_compile(&h, str_z(slow[i]), REGEX_ERE, &re, NULL) == 0);
        struct regex_match m[4];
        CHECK_EQ(regex_exec(re, str_of(text, n), 0, 0, m, 4), 0);
        regex_free(re);
    }
    struct regex *re;
    struct regex_match m[3];
    REQUIRE(regex_compile(&h, STR("((a)|b)*"), REGEX_ERE, &re, NULL) == 0);
    CHECK_EQ(regex_exec(re, str_of(text, n), 0, 0, m, 3), 1);
    CHECK_EQ(m[0].end, n);
    CHECK_EQ(m[2].start, n - 1);
    regex_free(re);
    /* Depth is bounded by an error, not by the stack. */
    struct hob_error e;
    memset(text, '(', 100000);
    CHECK_EQ(regex_compile(&h, str_of(text, 100000), REGEX_ERE, &re, &e), HOB_ELIMIT);
    CHECK_STR(e.msg, "Regular expression too big");
    CHECK_EQ(regex_compile(&h, STR("((((a{100}){100}){100}){100}){100}"), REGEX_ERE, &re, &e),
             HOB_ELIMIT);
    /* Back-tracking ends at its limit. */
    memset(text, 'a', n);
    REQUIRE(regex_compile(&h, STR("(a*)(a*)(a*)(a*)\\1\\2\\3\\4b"), REGEX_ERE, &re, NULL) == 0);
    regex_set_steps(re, 1000000);
    text[200] = 'b'; /* so that no shorter way can tell that there is no match */
    text[199] = 'c';
    CHECK_EQ(regex_exec(re, str_of(text, 201), 0, 0, m, 1), HOB_ELIMIT);
    regex_free(re);
    free(text);
    CHECK_EQ(h.used, 0);
}

/* A cache that is much too small changes nothing but the time. */
static void test_small_cache(void)
{
    struct heap h = test_heap(SIZE_MAX);
    struct regex *re;
    struct regex_match m[3];
    char text[20000];
    uint32_t x = 1;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = "ab"[(x = x * 1103515245 + 12345) >> 20 & 1];
    text[sizeof text - 1] = 'c';
    REQUIRE(regex_compile(&h, STR("((a|b)*)a(a|b){10}c"), REGEX_ERE, &re, NULL) == 0);
    struct str whole = str_of(text, sizeof text);
    int want = regex_exec(re, whole, 0, 0, m, 3);
    struct regex_match keep[3];
    memcpy(keep, m, sizeof keep);
    regex_free(re);
    REQUIRE(regex_compile(&h, STR("((a|b)*)a(a|b){10}c"), REGEX_ERE, &re, NULL) == 0);
    regex_set_cache(re, 4096);
    CHECK_EQ(regex_exec(re, whole, 0, 0, m, 3), want);
    CHECK_MEM(m, want > 0 ? sizeof m : 0, keep, want > 0 ? sizeof keep : 0);
    regex_free(re);
    CHECK_EQ(h.used, 0);
}

static size_t test_lines_of(struct heap *h, const char *pattern, unsigned flags, struct str text,
                            char *out)
{
    struct regex *re;
    size_t at = 0, start, end, n = 0;
    out[0] = '\0';
    if (regex_compile(h, str_z(pattern), flags | REGEX_LINES, &re, NULL) < 0)
        return 0;
    for (; regex_find_line(re, text, at, &start, &end) > 0; at = end + 1)
        n += (size_t)sprintf(out + n, "[%.*s]", (int)(end - start), text.p + start);
    regex_free(re);
    return n;
}

static void test_find_line(void)
{
    struct heap h = test_heap(SIZE_MAX);
    char out[200];
    struct str text = STR("one\ntwo\n\nthree one\nfour");
    test_lines_of(&h, "one", REGEX_GREP, text, out);
    CHECK_STR(out, "[one][three one]");
    test_lines_of(&h, "o.e", REGEX_GREP, text, out);
    CHECK_STR(out, "[one][three one]");
    test_lines_of(&h, "^t", REGEX_GREP, text, out);
    CHECK_STR(out, "[two][three one]");
    test_lines_of(&h, "^$", REGEX_GREP, text, out);
    CHECK_STR(out, "[]");
    test_lines_of(&h, "r$", REGEX_GREP, text, out);
    CHECK_STR(out, "[four]");
    test_lines_of(&h, "^$", REGEX_GREP, STR("a\n"), out);
    CHECK_STR(out, "");
    test_lines_of(&h, "", REGEX_GREP, STR("a\n\n"), out);
    CHECK_STR(out, "[a][]");
    test_lines_of(&h, "\\(e\\)\\1", REGEX_GREP, text, out);
    CHECK_STR(out, "[three one]");
    test_lines_of(&h, "O", REGEX_GREP | REGEX_ICASE | REGEX_WORD, STR("o\nto\nx O"), out);
    CHECK_STR(out, "[o][x O]");
    test_lines_of(&h, "b", REGEX_GREP | REGEX_NUL, str_of("a\nb\0c\0b", 7), out);
    CHECK_STR(out, "[a\nb][b]");
    CHECK_EQ(h.used, 0);
}

static void test_set(void)
{
    struct heap h = test_heap(SIZE_MAX);
    struct regex *re;
    struct regex_match m[2];
    static const struct str words[] = {
        STR_INIT("he"), STR_INIT("hers"), STR_INIT("she"), STR_INIT("his"), STR_INIT("q1"),
        STR_INIT("q2"), STR_INIT("q3"),   STR_INIT("q4"),  STR_INIT("q5"),  STR_INIT("q6")};
    REQUIRE(regex_compile_set(&h, words, 10, REGEX_FIXED, &re, NULL) == 0);
    CHECK_EQ(regex_exec(re, STR("ushers"), 0, 0, m, 1), 1);
    CHECK_EQ(m[0].start, 1);
    CHECK_EQ(m[0].end, 4);
    CHECK_EQ(regex_exec(re, STR("ushers"), 2, 0, m, 1), 1);
    CHECK_EQ(m[0].end, 6);
    regex_free(re);
    REQUIRE(regex_compile_set(&h, words, 10, REGEX_FIXED | REGEX_ICASE, &re, NULL) == 0);
    CHECK_EQ(regex_exec(re, STR("HI\xc5\xbf!"), 0, 0, m, 1), 1);
    CHECK_EQ(m[0].end, 4);
    regex_free(re);
    static const struct str two[] = {STR_INIT("\\(a\\)\\1"), STR_INIT("\\(b\\)\\1")};
    REQUIRE(regex_compile_set(&h, two, 2, REGEX_GREP, &re, NULL) == 0);
    CHECK_EQ(regex_exec(re, STR("abb"), 0, 0, m, 1), 1);
    CHECK_EQ(m[0].start, 1);
    regex_free(re);
    REQUIRE(regex_compile_set(&h, NULL, 0, REGEX_GREP, &re, NULL) == 0);
    CHECK_EQ(regex_is_match(re, STR("")), 0);
    regex_free(re);
    struct str lit;
    REQUIRE(regex_compile(&h, STR("a\\.b"), REGEX_ERE, &re, NULL) == 0);
    CHECK(regex_literal(re, &lit) && str_eqz(lit, "a.b"));
    regex_free(re);
    CHECK_EQ(h.used, 0);
}

static int test_stop(void *ud, uint64_t steps)
{
    *(uint64_t *)ud += steps;
    return *(uint64_t *)ud > 300000 ? HOB_EINTR : 0;
}

static void test_tick(void)
{
    struct heap h = test_heap(SIZE_MAX);
    struct regex *re;
    uint64_t steps = 0;
    size_t n = 1 << 20;
    char *text = malloc(n);
    REQUIRE(text);
    memset(text, 'a', n);
    REQUIRE(regex_compile(&h, STR("[ab]+[cd]"), REGEX_ERE, &re, NULL) == 0);
    regex_set_tick(re, test_stop, &steps);
    CHECK_EQ(regex_is_match(re, str_of(text, n)), HOB_EINTR);
    CHECK(steps < 500000);
    regex_free(re);
    free(text);
}

/* Each allocation fails once; nothing is lost and nothing is used that is not there. */
static void test_torture(void)
{
    static const struct row rows[] = {
        {REGEX_ERE, "(a|[[:alpha:]]b)*\\bc{1,3}(x|yz)", "aabbc abcccx", ""},
        {REGEX_BRE | REGEX_ICASE, "\\(a*\\)b\\1", "aabaa", ""},
        {REGEX_GREP | REGEX_LINES, "foo.*[0-9]\\|bar", "a\nfoo 1", ""},
        {REGEX_FIXED, "abc", "xabc", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint64_t fail = 1;; fail++) {
            struct heap h = test_heap(SIZE_MAX);
            struct regex *re = NULL;
            struct regex_match m[4];
            size_t a, z;
            h.fail_at = fail;
            struct str text = str_z(rows[i].text);
            int r = regex_compile(&h, str_z(rows[i].pattern), rows[i].flags, &re, NULL);
            if (r == 0)
                r = regex_exec(re, text, 0, 0, NULL, 0);
            if (r >= 0)
                r = regex_exec(re, text, 0, 0, m, 4);
            if (r >= 0)
                r = regex_find_line(re, text, 0, &a, &z);
            CHECK(h.oom ? r == HOB_ENOMEM : r >= 0);
            bool done = !h.oom;
            heap_gate(&h);
            regex_free(re);
            CHECK_EQ(h.used, 0);
            if (done || unit_failed)
                break;
        }
}

UNIT_MAIN(UNIT(test_match), UNIT(test_groups), UNIT(test_classes), UNIT(test_utf8),
          UNIT(test_assertions), UNIT(test_backrefs), UNIT(test_errors), UNIT(test_hostile),
          UNIT(test_small_cache), UNIT(test_find_line), UNIT(test_set), UNIT(test_tick),
          UNIT(test_torture))

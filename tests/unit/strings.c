/* strings.c -- tests of byte strings and buffers */
#include "testheap.h"

#include "base/random.h"
#include "base/str.h"

static void views(void)
{
    struct str s = STR("hello world");

    CHECK(str_eq(str_sub(s, 6, 100), STR("world")));
    CHECK(str_eq(str_from(s, 99), STR("")));
    CHECK(str_eq(str_from(STR_NONE, 5), STR("")));
    CHECK(str_cmp(STR("a"), STR("ab")) < 0);
    CHECK(str_cmp(STR("b"), STR("ab")) > 0);
    CHECK_EQ(str_cmp(STR_NONE, STR("")), 0);
    CHECK(str_cmp(STR("\xff"), STR("a")) > 0);
    CHECK(str_starts(s, STR("hell")) && !str_starts(s, STR("hellx")));
    CHECK(str_ends(s, STR("rld")) && !str_ends(STR("ld"), STR("rld")));
    CHECK_EQ(str_chr(s, 'o'), 4);
    CHECK_EQ(str_rchr(s, 'o'), 7);
    CHECK_EQ(str_chr(STR_NONE, 'o'), -1);
    CHECK(str_eq(str_trim(STR(" \t\n a b \n")), STR("a b")));
    CHECK(str_eq(str_trim(STR(" \t")), STR("")));
    CHECK(str_hash(STR("a")) != str_hash(STR("b")));
    CHECK(str_hash(STR("")) != str_hash(STR("\0")));
}

static void find(void)
{
    struct random r;
    char hay[200], what[12];

    CHECK_EQ(str_find(STR("abc"), STR("")), 0);
    CHECK_EQ(str_find(STR_NONE, STR("")), 0);
    CHECK_EQ(str_find(STR("ab"), STR("abc")), -1);
    random_seed(&r, 3);
    for (int round = 0; round < 20000; round++) {
        size_t hn = random_below(&r, sizeof hay), wn = random_below(&r, sizeof what);
        for (size_t i = 0; i < hn; i++)
            hay[i] = (char)('a' + random_below(&r, 2));
        for (size_t i = 0; i < wn; i++)
            what[i] = (char)('a' + random_below(&r, 2));
        if (round % 3 == 0 && wn)
            memset(hay, what[0], hn / 2); /* many false starts */
        ptrdiff_t want = -1;
        for (size_t i = 0; i + wn <= hn && want < 0; i++) {
            if (memcmp(hay + i, what, wn) == 0)
                want = (ptrdiff_t)i;
        }
        if (!CHECK_EQ(str_find(str_of(hay, hn), str_of(what, wn)), want))
            return;
    }
    /* Quadratic search would take minutes. */
    size_t big = 1 << 22;
    char *a = malloc(big);
    REQUIRE(a != NULL);
    memset(a, 'a', big);
    a[big / 2 - 1] = 'b';
    CHECK_EQ(str_find(str_of(a, big / 2 - 1), str_of(a + big / 4, big / 4)), -1);
    free(a);
}

static void numbers(void)
{
    int64_t i = 0;
    uint64_t u = 0;

    CHECK_EQ(str_int(STR("-9223372036854775808"), &i), 0);
    CHECK(i == INT64_MIN);
    CHECK_EQ(str_int(STR("9223372036854775808"), &i), HOB_ERANGE);
    CHECK_EQ(str_int(STR("+12"), &i), 0);
    CHECK_EQ(i, 12);
    CHECK_EQ(str_int(STR("-+12"), &i), HOB_EINVAL);
    CHECK_EQ(str_int(STR("-"), &i), HOB_EINVAL);
    CHECK_EQ(str_int(STR(""), &i), HOB_EINVAL);
    CHECK_EQ(str_int(STR("1 "), &i), HOB_EINVAL);
    CHECK_EQ(str_uint(STR("18446744073709551615"), &u), 0);
    CHECK(u == UINT64_MAX);
    CHECK_EQ(str_uint(STR("18446744073709551616"), &u), HOB_ERANGE);
    CHECK_EQ(str_uint(STR("99999999999999999999999x"), &u), HOB_EINVAL);
}

static void buffers(void)
{
    struct testheap t;
    struct buf b;

    testheap_init(&t, SIZE_MAX);
    buf_init(&b, &t.heap);
    CHECK_STR(buf_get(&b).p, "");
    buf_add(&b, NULL, 0);
    CHECK_EQ(t.live, 0);
    for (int i = 0; i < 100; i++)
        buf_putc(&b, (char)('a' + i % 26));
    CHECK_EQ(b.n, 100);
    CHECK_EQ(b.p[100], '\0');
    buf_cut(&b, 3);
    buf_fill(&b, '.', 3);
    buf_str(&b, STR("x\0y"));
    CHECK_MEM(b.p, b.n, "abc...x\0y", 9);
    buf_del(&b, 3, 3);
    CHECK_MEM(b.p, b.n, "abcx\0y", 6);
    buf_del(&b, 4, 100);
    CHECK_STR(b.p, "abcx");
    buf_clear(&b);
    for (int i = 0; i < 300; i++)
        buf_printf(&b, "%d,", i);
    CHECK_EQ(b.n, 10 * 2 + 90 * 3 + 200 * 4);
    CHECK(str_ends(buf_get(&b), STR("298,299,")));
    buf_fini(&b);
    buf_addz(&b, "again");
    CHECK_STR(b.p, "again");
    buf_fini(&b);
    CHECK_EMPTY(&t);
}

static void buffer_cap(void)
{
    struct testheap t;
    struct buf b;

    testheap_init(&t, 1000);
    buf_init(&b, &t.heap);
    buf_fill(&b, 'x', 600);
    buf_fill(&b, 'y', 300); /* twice 601 would not fit, 901 does */
    CHECK_EQ(b.n, 900);
    CHECK(!t.heap.oom);
    buf_fill(&b, 'z', 300);
    CHECK(t.heap.oom);
    CHECK_EQ(b.n, 900);
    CHECK(!buf_reserve(&b, SIZE_MAX - 5)); /* TM-MEM-3 */
    heap_gate(&t.heap);
    buf_fini(&b);
    CHECK_EMPTY(&t);
}

static int buffer_work(struct heap *h)
{
    struct buf b;
    buf_init(&b, h);
    for (int i = 0; i < 100; i++) {
        buf_printf(&b, "%s %d", "number", i);
        buf_putc(&b, '\n');
        buf_fill(&b, ' ', (size_t)i);
    }
    buf_fini(&b);
    return heap_gate(h);
}

static void buffer_torture(void) { testheap_torture(buffer_work); }

UNIT_MAIN(UNIT(views), UNIT(find), UNIT(numbers), UNIT(buffers), UNIT(buffer_cap),
          UNIT(buffer_torture))

/* memory.c -- tests of heap, arena, blob, error and random */
#include "testheap.h"

#include "base/arena.h"
#include "base/blob.h"
#include "base/error.h"
#include "base/random.h"

static void heap_cap(void)
{
    struct testheap t;
    testheap_init(&t, 100);
    struct heap *h = &t.heap;

    CHECK(heap_alloc(h, 0) == NULL);
    CHECK(!h->oom);
    void *p = heap_alloc(h, 60);
    CHECK(p != NULL);
    CHECK_EQ(h->used, 60);
    CHECK(heap_alloc(h, 41) == NULL);
    CHECK(h->oom);
    CHECK(heap_alloc(h, 1) == NULL); /* the flag sticks */
    CHECK(!heap_charge(h, 1));
    CHECK_EQ(heap_gate(h), HOB_ENOMEM);
    CHECK_EQ(heap_gate(h), 0);
    CHECK(heap_charge(h, 40));
    CHECK(!heap_charge(h, 1));
    heap_gate(h);
    heap_uncharge(h, 40);
    p = heap_realloc(h, p, 60, 100);
    REQUIRE(p != NULL);
    CHECK(heap_realloc(h, p, 100, 101) == NULL);
    p = heap_realloc(h, p, 100, 10); /* shrinking works while the flag is set */
    REQUIRE(p != NULL);
    CHECK_EQ(h->used, 10);
    CHECK_EQ(h->peak, 100);
    heap_free(h, p, 10);
    heap_free(h, NULL, 0);
    CHECK_EMPTY(&t);
}

static void heap_torture_count(void)
{
    struct testheap t;
    testheap_init(&t, SIZE_MAX);
    t.heap.fail_at = 3;
    void *a = heap_alloc(&t.heap, 8), *b = heap_alloc(&t.heap, 8);
    CHECK(a && b);
    CHECK(!heap_alloc(&t.heap, 8));
    CHECK(!heap_alloc(&t.heap, 8));
    heap_gate(&t.heap);
    void *c = heap_alloc(&t.heap, 8);
    CHECK(c != NULL);
    CHECK_EQ(t.heap.count, 5);
    heap_free(&t.heap, a, 8);
    heap_free(&t.heap, b, 8);
    heap_free(&t.heap, c, 8);
    CHECK_EMPTY(&t);
}

static void heap_steps(void)
{
    struct testheap t;
    testheap_init(&t, 100);
    CHECK_EQ(heap_step(&t.heap, 10, 11), 20);
    CHECK_EQ(heap_step(&t.heap, 10, 50), 50);
    CHECK_EQ(heap_step(&t.heap, 1000, 1050), 1050); /* twice does not fit */
}

static void note(void *p)
{
    char **at = p;
    *(*at)++ = 'x';
}

static void arena_marks(void)
{
    struct testheap t;
    struct arena a;
    char log[8] = "", *at = log;

    testheap_init(&t, SIZE_MAX);
    arena_init(&a, &t.heap);
    CHECK_EQ(t.live, 0);
    char *first = arena_alloc(&a, 3);
    REQUIRE(first != NULL);
    CHECK_EQ((uintptr_t)first % 16, 0);
    memcpy(first, "ab", 3);
    CHECK(t.live <= 1024);
    struct arena_mark m = arena_mark(&a);
    CHECK_EQ(arena_on_release(&a, note, &at), 0);
    for (int i = 0; i < 1000; i++)
        CHECK(arena_zalloc(&a, (size_t)i * 7 % 500) != NULL);
    char *big = arena_zalloc(&a, 1000000);
    REQUIRE(big != NULL);
    big[999999] = 1;
    CHECK_EQ(at - log, 0);
    arena_release(&a, m);
    CHECK_EQ(at - log, 1);
    CHECK_STR(first, "ab");
    CHECK(t.live <= 66 * 1024); /* one chunk is kept */
    size_t live = t.live;
    for (int i = 0; i < 100; i++) {
        m = arena_mark(&a);
        CHECK(arena_alloc(&a, 20000) != NULL);
        arena_release(&a, m);
    }
    CHECK_EQ(t.live, live);
    arena_fini(&a);
    CHECK_EMPTY(&t);
    CHECK(arena_alloc(&a, 0) != NULL);
    arena_fini(&a);
    CHECK_EMPTY(&t);
}

static void arena_growth(void)
{
    struct testheap t;
    struct arena a;

    testheap_init(&t, SIZE_MAX);
    arena_init(&a, &t.heap);
    char *p = arena_grow(&a, NULL, 0, 10);
    REQUIRE(p != NULL);
    memset(p, 'a', 10);
    CHECK(arena_grow(&a, p, 10, 16) == p);
    CHECK(arena_grow(&a, p, 16, 100) == p); /* the newest block grows in place */
    char *q = arena_alloc(&a, 1);
    char *r = arena_grow(&a, p, 100, 200);
    CHECK(q && r && r != p);
    CHECK_EQ(r[9], 'a');
    CHECK(arena_grow(&a, r, 200, 5000) != NULL);
    struct str s = arena_printf(&a, "%s-%d", "x", 7);
    CHECK_STR(s.p, "x-7");
    CHECK_EQ(s.n, 3);
    s = arena_str(&a, STR_NONE);
    CHECK_STR(s.p, "");
    CHECK(arena_alloc(&a, SIZE_MAX - 3) == NULL);
    CHECK_EQ(heap_gate(&t.heap), HOB_ENOMEM);
    arena_fini(&a);
    CHECK_EMPTY(&t);
}

static int arena_work(struct heap *h)
{
    struct arena a;
    char log[8], *at = log;

    arena_init(&a, h);
    for (int i = 0; i < 20; i++)
        arena_alloc(&a, (size_t)i * 100);
    struct arena_mark m = arena_mark(&a);
    arena_on_release(&a, note, &at);
    void *p = arena_alloc(&a, 300);
    arena_alloc(&a, 300);
    if (p)
        arena_grow(&a, p, 300, 70000);
    arena_release(&a, m);
    arena_fini(&a);
    return heap_gate(h);
}

static void arena_torture(void) { testheap_torture(arena_work); }

static void blobs(void)
{
    struct testheap t;
    testheap_init(&t, 1000);
    struct blob *b = blob_new(&t.heap, 100);
    REQUIRE(b != NULL);
    CHECK_EQ(t.heap.used, 0);
    CHECK(blob_alone(b));
    memset(b->data, 7, b->cap);
    CHECK(blob_ref(b) == b);
    CHECK(!blob_alone(b));
    blob_unref(b);
    CHECK(blob_alone(b));
    blob_unref(b);
    blob_unref(NULL);
    CHECK(blob_ref(NULL) == NULL);
    CHECK(blob_new(&t.heap, 2000) == NULL);
    CHECK_EQ(heap_gate(&t.heap), HOB_ENOMEM);
    CHECK(blob_new(&t.heap, SIZE_MAX) == NULL);
    CHECK_EQ(heap_gate(&t.heap), HOB_ENOMEM);
    struct blob fixed = {.cap = 3, .data = "abc"};
    blob_unref(blob_ref(&fixed));
    CHECK(!blob_alone(&fixed));
    CHECK_EMPTY(&t);
}

static void errors(void)
{
    struct hob_error e;

    CHECK_STR(error_name(HOB_ENOENT), "ENOENT");
    CHECK_STR(error_name(-9999), "E?");
    CHECK_STR(error_text(HOB_EACCES), "Permission denied");
    for (int i = 1; i < 134; i++) {
        if (strcmp(error_name(-i), "E?") != 0)
            CHECK_STR(error_text(-i), strerror(i));
    }
    CHECK_EQ(error_set(&e, HOB_EINVAL, "bad %d", 5), HOB_EINVAL);
    CHECK_EQ(error_prefix(&e, "line %d", 3), HOB_EINVAL);
    CHECK_STR(e.msg, "line 3: bad 5");
    CHECK_EQ(error_set(NULL, HOB_EIO, "x"), HOB_EIO);
    for (int i = 0; i < 100; i++)
        error_prefix(&e, "again");
    CHECK_EQ(strlen(e.msg), sizeof e.msg - 1);
    CHECK_EQ(e.code, HOB_EINVAL);
}

static void randoms(void)
{
    struct random r, s;
    unsigned seen = 0;
    char a[13], b[13];

    random_seed(&r, 1);
    random_seed(&s, 1);
    CHECK(random_next(&r) == random_next(&s));
    for (int i = 0; i < 200; i++) {
        uint64_t v = random_below(&r, 6);
        CHECK(v < 6);
        seen |= 1u << v;
    }
    CHECK_EQ(seen, 63);
    CHECK_EQ(random_below(&r, 1), 0);
    CHECK(random_below(&r, UINT64_MAX) < UINT64_MAX);
    random_seed(&r, 5);
    random_seed(&s, 5);
    random_bytes(&r, a, sizeof a);
    random_bytes(&s, b, sizeof b);
    CHECK_MEM(a, sizeof a, b, sizeof b);
}

UNIT_MAIN(UNIT(heap_cap), UNIT(heap_torture_count), UNIT(heap_steps), UNIT(arena_marks),
          UNIT(arena_growth), UNIT(arena_torture), UNIT(blobs), UNIT(errors), UNIT(randoms))

/* memory.c -- the allocator of the host: everything goes through it, all of it comes back */
#include "api.h"

struct meter {
    size_t live, calls;
    size_t cap;
};

static void *memory_alloc(void *ud, void *p, size_t old, size_t n)
{
    struct meter *m = ud;
    m->calls++;
    if (n == 0) {
        m->live -= p ? old : 0;
        free(p);
        return NULL;
    }
    if (m->cap && m->live + n - (p ? old : 0) > m->cap)
        return NULL;
    void *q = realloc(p, n);
    if (q)
        m->live += n - (p ? old : 0);
    return q;
}

static void test_counted(void)
{
    struct meter m = {0};
    hob_options o = api_options();
    hob_sandbox *box, *fork;
    hob_snapshot *snap;
    hob_shell *sh;
    hob_usage u = {.size = sizeof u};
    o.alloc = memory_alloc;
    o.alloc_ud = &m;
    REQUIRE(hob_sandbox_new(&o, &box, NULL) == 0);
    CHECK(m.live > 0 && m.calls > 0);
    RUN(box,
        "for i in {1..50}; do echo $i > f$i; done; cat f* | tail -n 1; x=$(seq 1 1000); sleep 1 &",
        "9\n");
    CHECK_EQ(hob_sandbox_usage(box, &u), 0);
    CHECK(u.memory <= m.live);
    while (hob_step(box, 0) != HOB_STEP_IDLE)
        ;
    REQUIRE(hob_snapshot_take(box, &snap) == 0);
    REQUIRE(hob_sandbox_fork(box, &fork) == 0);
    REQUIRE(hob_shell_open(fork, NULL, &sh, NULL) == 0);
    RUN(fork, "rm f*; echo x > y", "");
    hob_sandbox_free(box);
    CHECK_EQ(hob_snapshot_restore(fork, snap), 0);
    RUN(fork, "ls | wc -l", "50\n");
    hob_snapshot_free(snap);
    hob_sandbox_free(fork);
    CHECK_EQ(m.live, 0);
}

/* An allocator with an end of its own is a memory limit like Hob's. */
static void test_refusing(void)
{
    struct meter m = {.cap = 3 << 20};
    hob_options o = api_options();
    hob_sandbox *box;
    hob_result res;
    o.alloc = memory_alloc;
    o.alloc_ud = &m;
    REQUIRE(hob_sandbox_new(&o, &box, NULL) == 0);
    REQUIRE(hob_exec(box, "x=a; while :; do x=$x$x; done; exit 3", NULL, &res) == 0);
    CHECK(res.status != 0);
    CHECK_EQ(res.limit, HOB_LIMIT_MEMORY);
    hob_result_free(&res);
    RUN(box, "echo alive", "alive\n");
    hob_sandbox_free(box);
    CHECK_EQ(m.live, 0);
}

/* Freeing returns what many sandboxes took. */
static void test_many(void)
{
    enum {
        N = 300
    };
    struct meter m = {0};
    hob_options o = api_options();
    static hob_sandbox *box[N];
    o.alloc = memory_alloc;
    o.alloc_ud = &m;
    for (int i = 0; i < N; i++) {
        REQUIRE(hob_sandbox_new(&o, &box[i], NULL) == 0);
        CHECK_EQ(hob_exec(box[i], "echo hi > f", NULL, NULL), 0);
    }
    CHECK(m.live / N <= 16 << 10); /* an idle one is small */
    for (int i = 0; i < N; i++)
        hob_sandbox_free(box[i]);
    CHECK_EQ(m.live, 0);
}

static void test_free(void)
{
    hob_free(NULL);
    void *p = hob_alloc(0);
    CHECK(p != NULL);
    hob_free(p);
    hob_result res = {0};
    hob_result_free(&res);
    hob_result_free(&res);
}

UNIT_MAIN(UNIT(test_counted), UNIT(test_refusing), UNIT(test_many), UNIT(test_free))

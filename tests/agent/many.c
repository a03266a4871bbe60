/* many.c -- a thousand sessions active in one thread, and what an idle one costs */
#include "agent/agent.h"
#include "kit.h"

enum {
    MANY = 1000
};

static void test_thousand(void)
{
    struct kit k;
    static hob_op *ops[MANY];
    static hob_session *sessions[MANY];
    char name[32];
    hob_error err;
    kit_init(&k, "{\"text\":\"said\",\"delay_ms\":1000,\"repeat\":true}\n");
    kit_open(&k);
    size_t before = k.h->heap->used;
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "s%d", i);
        REQUIRE(hob_harness_session(k.h, name, HOB_SESSION_CREATE, &sessions[i], &err) == 0);
        REQUIRE(hob_prompt_start(sessions[i], "Go", NULL, &ops[i], &err) == 0);
    }
    hob_loop *l = hob_harness_loop(k.h);
    hob_loop_step(l);
    size_t waiting = 0;
    for (int i = 0; i < MANY; i++)
        waiting += !hob_op_done(ops[i]);
    CHECK_EQ(waiting, MANY); /* all of them at once */
    int r;
    while ((r = hob_loop_step(l)) != HOB_STEP_IDLE)
        if (r == HOB_STEP_WAIT)
            hob_loop_wait(l, -1);
    for (int i = 0; i < MANY; i++) {
        hob_reply reply;
        CHECK_EQ(hob_op_finish(ops[i], &reply, NULL, &err), 0);
        CHECK_STR(reply.text, "said");
        hob_reply_free(&reply);
    }
    size_t each = (k.h->heap->used - before) / MANY;
    printf("# an idle session takes %zu bytes\n", each);
    CHECK(each < 64 << 10);
    kit_fini(&k);
}

/* Harnesses with sandboxes of their own, on one loop; their scripts run beside each other. */
static void test_harnesses(void)
{
    enum {
        N = 100
    };
    struct kit k;
    static hob_harness *h[N];
    static hob_op *ops[N];
    hob_error err;
    kit_init(&k,
             "{\"calls\":[{\"name\":\"bash\",\"args\":{\"command\":\"sleep 0.02; echo $RANDOM > "
             "f; cat f\"}},{\"name\":\"bash\",\"args\":{\"command\":\"sleep 0.01\"}}]}\n"
             "{\"text\":\"ok\"}\n");
    REQUIRE(hob_loop_new(&k.loop, &err) == 0);
    for (int i = 0; i < N; i++) {
        hob_session *s;
        REQUIRE(hob_init(k.loop, &k.agent, "x", &h[i], &err) == 0);
        REQUIRE(hob_harness_session(h[i], NULL, HOB_SESSION_OPEN, &s, &err) == 0);
        REQUIRE(hob_prompt_start(s, "Go", NULL, &ops[i], &err) == 0);
    }
    int64_t start = loop_now(k.loop);
    int r;
    while ((r = hob_loop_step(k.loop)) != HOB_STEP_IDLE)
        if (r == HOB_STEP_WAIT)
            hob_loop_wait(k.loop, -1);
    printf("# %d harnesses in %lld ms\n", N, (long long)((loop_now(k.loop) - start) / 1000000));
    for (int i = 0; i < N; i++) {
        CHECK_EQ(hob_op_finish(ops[i], NULL, NULL, &err), 0);
        hob_harness_free(h[i]);
    }
    CHECK_EQ(k.loop->boxes != NULL, 0);
    hob_loop_free(k.loop);
    k.loop = NULL;
    kit_fini(&k);
}

/* Inside of another event loop: a descriptor and a time to wait for. */
static void test_outer_loop(void)
{
    struct kit k;
    hob_op *op;
    kit_init(&k, "{\"text\":\"x\",\"delay_ms\":10}\n");
    kit_open(&k);
    hob_loop *l = hob_harness_loop(k.h);
    CHECK_EQ(hob_loop_timeout(l), -1);
    CHECK(hob_loop_fd(l) >= 0);
    CHECK_EQ(hob_loop_step(l), HOB_STEP_IDLE);
    CHECK_EQ(hob_loop_wait(l, -1), HOB_ENODATA);
    REQUIRE(hob_prompt_start(k.s, "Go", NULL, &op, NULL) == 0);
    CHECK_EQ(hob_loop_timeout(l), 0);
    CHECK_EQ(hob_loop_step(l), HOB_STEP_WAIT);
    CHECK(hob_loop_timeout(l) > 0 && hob_loop_timeout(l) <= 10000000);
    while (!hob_op_done(op)) {
        hob_loop_wait(l, 100000000);
        hob_loop_step(l);
    }
    CHECK_EQ(hob_op_finish(op, NULL, NULL, NULL), 0);
    kit_fini(&k);
}

UNIT_MAIN(UNIT(test_thousand), UNIT(test_harnesses), UNIT(test_outer_loop))

/* aborts.c -- ending an operation wherever it waits; the conversation stays whole
 *
 * A conversation with thinking, text, parallel tools, a task and a compaction is aborted at its
 * first event, at its second, and so on, and after each one the session must be fit for a prompt.
 */
#include <signal.h>
#include <time.h>

#include "kit.h"

static hob_op *running;

static void abort_at(struct kit *k, const hob_event *e)
{
    (void)e;
    if (k->count >= 0 && k->count-- == 0)
        hob_op_abort(running, "enough");
}

/* Every call has exactly one result, behind it. */
static void check_whole(hob_session *s)
{
    const char *text = kit_export(s);
    for (const char *p = text; (p = strstr(p, "\"type\":\"toolCall\",\"id\":\"")); p++) {
        char id[64], want[100];
        sscanf(p + 24, "%63[^\"]", id);
        snprintf(want, sizeof want, "\"toolCallId\":\"%s\"", id);
        TIMES(text, want, 1);
        CHECK(strstr(p, want) != NULL);
    }
}

static const char script[] =
    "{\"match\":\"afterwards\",\"text\":\"fine\"}\n"
    "{\"match\":\"child\",\"text\":\"of the child\",\"delay_ms\":1}\n"
    "{\"match\":\"Go\",\"thinking\":\"hm hm\",\"text\":\"I do three things.\",\"delay_ms\":1,"
    "\"calls\":[{\"name\":\"bash\",\"args\":{\"command\":\"sleep 0.002; echo a\"}},{\"name\":"
    "\"bash\",\"args\":{\"command\":\"echo b\"}},{\"name\":\"task\",\"args\":{\"prompt\":\"child\","
    "\"agent\":\"helper\"}},{\"name\":\"write\",\"args\":{\"path\":\"x\",\"content\":\"y\"}}]}\n"
    "{\"match\":\"Go\",\"text\":\"The end of it.\",\"delay_ms\":1}\n";

static bool abort_one(int at)
{
    struct kit k;
    hob_error err;
    hob_agent sub = HOB_AGENT_INIT;
    sub.name = "helper";
    const hob_agent *subs[] = {&sub, NULL};
    kit_init(&k, script);
    k.agent.subagents = subs;
    k.on_event = abort_at;
    k.count = at;
    kit_open(&k);
    if (hob_prompt_start(k.s, "Go", NULL, &running, &err) < 0)
        kit_die("start", &err);
    while (!hob_op_done(running)) {
        if (hob_loop_step(hob_harness_loop(k.h)) == HOB_STEP_WAIT)
            hob_loop_wait(hob_harness_loop(k.h), 1000000000);
    }
    bool late = k.count >= 0;
    k.count = -1;
    hob_reply reply;
    int r = hob_op_finish(running, &reply, NULL, &err);
    CHECK(r == HOB_ECANCELED || r == 0);
    if (r < 0)
        CHECK_STR(err.msg, "enough");
    hob_reply_free(&reply);
    check_whole(k.s);
    PROMPT(&k, "afterwards", "fine");
    check_whole(k.s);
    kit_fini(&k);
    return late;
}

static void test_everywhere(void)
{
    int n = 0;
    while (n < 300 && !abort_one(n))
        n++;
    CHECK(n > 20 && n < 300);
}

static void test_partial_text(void)
{
    struct kit k;
    hob_op *op;
    hob_error err;
    kit_init(&k, "{\"text\":\"one two three four five\",\"chunk\":4,\"delay_ms\":20}\n");
    kit_open(&k);
    REQUIRE(hob_prompt_start(k.s, "Go", NULL, &op, &err) == 0);
    while (kit_times(k.log, "text_delta") < 2)
        if (hob_loop_step(hob_harness_loop(k.h)) == HOB_STEP_WAIT)
            hob_loop_wait(hob_harness_loop(k.h), -1);
    hob_op_abort(op, NULL);
    CHECK_EQ(hob_op_finish(op, NULL, NULL, &err), HOB_ECANCELED);
    CHECK_STR(err.msg, "the operation was aborted");
    HAS(kit_export(k.s), "one two ");
    HAS(kit_export(k.s), "\"stopReason\":\"aborted\"");
    TIMES(kit_export(k.s), "five", 0);
    kit_fini(&k);
}

/* An abort does not wait for a command that would take long; what it printed is kept. */
static void test_shell(void)
{
    struct kit k;
    hob_op *op;
    hob_result res;
    hob_error err;
    kit_init(&k, "");
    kit_open(&k);
    REQUIRE(hob_shell_start(k.s, "echo before; sleep 1000", NULL, &op, &err) == 0);
    for (int i = 0; i < 10; i++)
        hob_loop_step(hob_harness_loop(k.h));
    CHECK(!hob_op_done(op));
    hob_op_abort(op, "stop");
    hob_loop_step(hob_harness_loop(k.h));
    CHECK(hob_op_done(op));
    CHECK_EQ(hob_op_finish(op, NULL, &res, &err), HOB_ECANCELED);
    CHECK_STR(res.out, "before\n");
    hob_result_free(&res);
    HAS(kit_export(k.s), "stop\\n\\nbefore");
    check_whole(k.s);
    kit_fini(&k);
}

static long since_ms(const struct timespec *a)
{
    struct timespec b;
    clock_gettime(CLOCK_MONOTONIC, &b);
    return (b.tv_sec - a->tv_sec) * 1000 + (b.tv_nsec - a->tv_nsec) / 1000000;
}

/* Steps and waits for so long. */
static void run_for(struct kit *k, long ms)
{
    struct timespec a;
    clock_gettime(CLOCK_MONOTONIC, &a);
    do {
        if (hob_loop_step(hob_harness_loop(k->h)) != HOB_STEP_MORE)
            hob_loop_wait(hob_harness_loop(k->h), 20000000);
    } while (since_ms(&a) < ms);
}

/* A command that does not want to end: the abort does not wait for it, and the loop sees to it that
 * it is killed all the same. */
static void test_stubborn(void)
{
    struct kit k;
    hob_op *op;
    hob_result res;
    hob_error err;
    kit_init(&k, "");
    k.agent.sandbox = "local";
    k.agent.cwd = k.dir;
    kit_open(&k);
    REQUIRE(hob_shell_start(k.s, "trap '' TERM; echo $$; while :; do sleep 0.2; done", NULL, &op,
                            &err) == 0);
    run_for(&k, 300);
    struct timespec a;
    clock_gettime(CLOCK_MONOTONIC, &a);
    CHECK_EQ(hob_op_finish(op, NULL, &res, &err), HOB_ECANCELED);
    CHECK(since_ms(&a) < 1000);
    pid_t pid = (pid_t)strtol(res.out ? res.out : "0", NULL, 10);
    REQUIRE(pid > 0);
    CHECK_EQ(kill(pid, 0), 0);
    for (int i = 0; i < 50 && kill(pid, 0) == 0; i++)
        run_for(&k, 100);
    CHECK(kill(pid, 0) != 0);
    hob_result_free(&res);
    kit_fini(&k);
}

/* The same in a local sandbox, where real processes run. */
static void test_local(void)
{
    struct kit k;
    hob_op *op;
    hob_result res;
    hob_error err;
    struct timespec a;
    kit_init(&k,
             "{\"calls\":[{\"name\":\"bash\",\"args\":{\"command\":\"echo one; sleep 100\"}}]}\n"
             "{\"text\":\"fine\"}\n");
    k.agent.sandbox = "local";
    k.agent.cwd = k.dir;
    kit_open(&k);
    for (int prompt = 0; prompt < 2; prompt++) {
        int r = prompt ? hob_prompt_start(k.s, "Go", NULL, &op, &err)
                       : hob_shell_start(k.s, "echo before; sleep 100", NULL, &op, &err);
        REQUIRE(r == 0);
        run_for(&k, 300);
        CHECK(!hob_op_done(op));
        hob_op_abort(op, "stop");
        clock_gettime(CLOCK_MONOTONIC, &a);
        CHECK_EQ(hob_op_finish(op, NULL, &res, &err), HOB_ECANCELED);
        CHECK(since_ms(&a) < 5000);
        if (!prompt)
            CHECK_STR(res.out, "before\n");
        hob_result_free(&res);
        check_whole(k.s);
    }
    PROMPT(&k, "afterwards", "fine");
    kit_fini(&k);
}

static void test_free_while_running(void)
{
    struct kit k;
    hob_op *op;
    kit_init(&k, "{\"text\":\"slow\",\"delay_ms\":100000}\n");
    kit_open(&k);
    REQUIRE(hob_prompt_start(k.s, "Go", NULL, &op, NULL) == 0);
    hob_loop_step(hob_harness_loop(k.h));
    CHECK(!hob_op_done(op));
    kit_fini(&k);
}

static void test_finish_aborts(void)
{
    struct kit k;
    hob_op *op;
    kit_init(&k, "{\"text\":\"slow\",\"delay_ms\":100000}\n");
    kit_open(&k);
    REQUIRE(hob_prompt_start(k.s, "Go", NULL, &op, NULL) == 0);
    CHECK_EQ(hob_op_finish(op, NULL, NULL, NULL), HOB_ECANCELED);
    kit_fini(&k);
}

UNIT_MAIN(UNIT(test_everywhere), UNIT(test_partial_text), UNIT(test_shell), UNIT(test_local),
          UNIT(test_stubborn), UNIT(test_free_while_running), UNIT(test_finish_aborts))

/* steps.c -- the multi interface, jobs, background processes, interrupts */
#include <pthread.h>
#include <unistd.h>

#include "api.h"

enum {
    BOXES = 50
};

/* What a background process writes before the call ends is part of the call's output. */
#define RUN_BG(box, script, out) RUN_WITH(box, script, NULL, 0, out, NULL)

/* One thread, many sandboxes, a little of each in turn. */
static void test_many_boxes(void)
{
    hob_sandbox *box[BOXES];
    hob_job *job[BOXES];
    int left = BOXES;
    for (int i = 0; i < BOXES; i++) {
        char script[120];
        snprintf(script, sizeof script, "for i in {1..%d}; do :; done; sleep %d; echo %d", i * 40,
                 i, i);
        box[i] = api_box();
        REQUIRE(hob_exec_start(box[i], script, NULL, &job[i], NULL) == 0);
        CHECK(hob_job_pid(job[i]) > 0);
        CHECK_EQ(hob_job_done(job[i]), 0);
    }
    for (int rounds = 0; left > 0 && rounds < 100000; rounds++)
        for (int i = 0; i < BOXES; i++) {
            if (!job[i])
                continue;
            int r = hob_step(box[i], 500);
            CHECK(r == HOB_STEP_IDLE || r == HOB_STEP_MORE);
            if (!hob_job_done(job[i]))
                continue;
            hob_result res;
            char want[20];
            snprintf(want, sizeof want, "%d\n", i);
            CHECK_EQ(hob_job_finish(job[i], &res), 0);
            CHECK_STR(res.out, want);
            CHECK_EQ(res.time_ns, i * 1000000000LL);
            hob_result_free(&res);
            job[i] = NULL;
            left--;
        }
    CHECK_EQ(left, 0);
    for (int i = 0; i < BOXES; i++)
        hob_sandbox_free(box[i]);
}

/* TM-DOS-8: a busy job leaves room for the others of its sandbox. */
static void test_fair(void)
{
    hob_sandbox *box = api_box();
    hob_job *busy, *quick;
    REQUIRE(hob_exec_start(box, "while :; do :; done", NULL, &busy, NULL) == 0);
    REQUIRE(hob_exec_start(box, "for i in {1..100}; do echo $i; done | tail -n 1", NULL, &quick,
                           NULL) == 0);
    for (int i = 0; i < 1000 && !hob_job_done(quick); i++)
        CHECK_EQ(hob_step(box, 0), HOB_STEP_MORE);
    CHECK_EQ(hob_job_done(quick), 1);
    CHECK_EQ(hob_job_done(busy), 0);
    hob_result res;
    CHECK_EQ(hob_job_finish(quick, &res), 0);
    CHECK_STR(res.out, "100\n");
    hob_result_free(&res);
    CHECK_EQ(hob_job_finish(busy, &res), 0); /* ended early */
    CHECK_EQ(res.signal, 9);
    CHECK_EQ(res.status, 137);
    hob_result_free(&res);
    CHECK_EQ(hob_step(box, 0), HOB_STEP_IDLE);
    hob_sandbox_free(box);
}

static ptrdiff_t steps_input(void *ud, void *dst, size_t cap)
{
    const char **text = ud;
    if (!*text)
        return HOB_EAGAIN;
    size_t n = strlen(*text);
    n = n < cap ? n : cap;
    memcpy(dst, *text, n);
    *text += n;
    return (ptrdiff_t)n;
}

static void test_waiting(void)
{
    hob_sandbox *box;
    hob_exec_options o = API_EXEC;
    hob_pending w = {.size = sizeof w};
    hob_job *job;
    hob_result res;
    const char *text = NULL;
    REQUIRE(hob_sandbox_new(NULL, &box, NULL) == 0); /* the real clock */
    CHECK_EQ(hob_wait_for(box, &w), 0);
    CHECK_EQ(w.until_ns, -1);
    CHECK_EQ(w.input, 0);
    REQUIRE(hob_exec_start(box, "sleep 0.03; echo up", NULL, &job, NULL) == 0);
    CHECK_EQ(hob_wait_for(box, &w), 0);
    CHECK_EQ(w.until_ns, 0); /* it can run now */
    CHECK_EQ(hob_step(box, 0), HOB_STEP_WAIT);
    CHECK_EQ(hob_wait_for(box, &w), 0);
    CHECK(w.until_ns > 0 && w.until_ns <= 30000000 && !w.input);
    CHECK_EQ(hob_wait(box, 1000), 0); /* at most so long */
    CHECK_EQ(hob_job_done(job), 0);
    while (!hob_job_done(job)) {
        CHECK_EQ(hob_wait(box, 1000000000), 0);
        CHECK(hob_step(box, 0) >= 0);
    }
    CHECK_EQ(hob_job_finish(job, &res), 0);
    CHECK_STR(res.out, "up\n");
    hob_result_free(&res);
    o.read = steps_input;
    o.read_ud = &text;
    REQUIRE(hob_exec_start(box, "read x; echo \"<$x>\"", &o, &job, NULL) == 0);
    CHECK_EQ(hob_step(box, 0), HOB_STEP_WAIT);
    CHECK_EQ(hob_wait_for(box, &w), 0);
    CHECK(w.input && w.until_ns == -1);
    CHECK_EQ(hob_step(box, 0), HOB_STEP_WAIT); /* asked again: still nothing */
    text = "late\n";
    CHECK_EQ(hob_step(box, 0), HOB_STEP_IDLE);
    CHECK_EQ(hob_wait_for(box, &w), 0);
    CHECK_EQ(w.input, 0);
    CHECK_EQ(hob_job_finish(job, &res), 0);
    CHECK_STR(res.out, "<late>\n");
    hob_result_free(&res);
    w.size = 1;
    CHECK_EQ(hob_wait_for(box, &w), HOB_EINVAL);
    hob_sandbox_free(box);
}

static void steps_read(hob_job *job, int stream, const char *want)
{
    hob_bytes b;
    CHECK_EQ(hob_job_read(job, stream, &b), 0);
    CHECK_STR(b.data, want);
    hob_free(b.data);
}

static void test_jobs(void)
{
    hob_sandbox *box;
    hob_options so = api_options();
    hob_job *job;
    hob_result res;
    hob_bytes b;
    so.clock = HOB_CLOCK_REAL;
    REQUIRE(hob_sandbox_new(&so, &box, NULL) == 0);
    REQUIRE(hob_exec_start(box, "echo one; echo bad >&2; sleep 100; echo two", NULL, &job, NULL) ==
            0);
    CHECK_EQ(hob_step(box, 0), HOB_STEP_WAIT);
    steps_read(job, HOB_STDOUT, "one\n");
    steps_read(job, HOB_STDOUT, "");
    steps_read(job, HOB_STDERR, "bad\n");
    CHECK_EQ(hob_job_read(job, 0, &b), HOB_EINVAL);
    CHECK_EQ(hob_job_read(job, 3, &b), HOB_EINVAL);
    CHECK_EQ(hob_job_signal(job, 15), 0);
    while (!hob_job_done(job))
        hob_step(box, 0);
    CHECK_EQ(hob_job_signal(job, 15), HOB_ESRCH);
    CHECK_EQ(hob_job_pid(job), 0);
    CHECK_EQ(hob_job_finish(job, &res), 0);
    CHECK_EQ(res.status, 143);
    CHECK_EQ(res.signal, 15);
    CHECK_STR(res.out, "one\n"); /* all of it, read before or not */
    hob_result_free(&res);
    REQUIRE(hob_exec_start(box, "trap 'echo caught' USR1; while :; do sleep 0.01; done", NULL, &job,
                           NULL) == 0);
    hob_step(box, 0);
    CHECK_EQ(hob_job_signal(job, 10), 0);
    for (int i = 0; i < 100; i++) {
        hob_wait(box, 5000000);
        hob_step(box, 0);
        CHECK_EQ(hob_job_read(job, HOB_STDOUT, &b), 0);
        int got = b.len > 0;
        hob_free(b.data);
        if (got)
            break;
    }
    CHECK_EQ(hob_job_finish(job, &res), 0);
    CHECK_STR(res.out, "caught\n");
    hob_result_free(&res);
    /* A sandbox goes away with its jobs. */
    REQUIRE(hob_exec_start(box, "while :; do :; done", NULL, &job, NULL) == 0);
    REQUIRE(hob_exec_start(box, "sleep 1000 | cat", NULL, &job, NULL) == 0);
    hob_step(box, 0);
    hob_sandbox_free(box);
}

static void test_background(void)
{
    hob_sandbox *box;
    hob_options so = api_options();
    hob_process *list;
    hob_bytes out;
    size_t n;
    so.clock = HOB_CLOCK_REAL;
    REQUIRE(hob_sandbox_new(&so, &box, NULL) == 0);
    CHECK_EQ(hob_processes(box, &list, &n), 0);
    CHECK_EQ(n, 0);
    hob_free(list);
    RUN_BG(box, "(while :; do echo tick; echo tock >&2; sleep 0.005; done) &\n: > f", NULL);
    CHECK_EQ(hob_processes(box, &list, &n), 0);
    REQUIRE(n >= 1);
    int pid = list[0].pid;
    CHECK(pid > 1 && list[0].ppid == 1 && list[0].pgid > 0 && strchr("RS", list[0].state));
    hob_free(list);
    hob_usage u = {.size = sizeof u};
    CHECK_EQ(hob_sandbox_usage(box, &u), 0);
    CHECK(u.processes >= 1);
    for (int i = 0; i < 5; i++) {
        hob_wait(box, 20000000);
        CHECK(hob_step(box, 0) >= 0);
    }
    CHECK_EQ(hob_background_output(box, HOB_STDOUT, &out), 0);
    CHECK(strncmp(out.data, "tick\n", 5) == 0);
    hob_free(out.data);
    CHECK_EQ(hob_background_output(box, HOB_STDERR, &out), 0);
    CHECK(strncmp(out.data, "tock\n", 5) == 0);
    hob_free(out.data);
    CHECK_EQ(hob_background_output(box, HOB_STDERR, &out), 0);
    CHECK_EQ(out.len, 0); /* each piece once */
    hob_free(out.data);
    CHECK_EQ(hob_background_output(box, 7, &out), HOB_EINVAL);
    RUN(box, "echo others run beside it", "others run beside it\n");
    CHECK_EQ(hob_kill(box, pid, 0), 0);
    CHECK_EQ(hob_kill(box, pid, 99), HOB_EINVAL);
    CHECK_EQ(hob_kill(box, 0, 9), HOB_EINVAL);
    CHECK_EQ(hob_kill(box, 99999, 9), HOB_ESRCH);
    CHECK_EQ(hob_kill(box, -99999, 9), HOB_ESRCH);
    CHECK_EQ(hob_kill(box, pid, 15), 0);
    while (hob_step(box, 0) != HOB_STEP_IDLE)
        hob_wait(box, 1000000);
    CHECK_EQ(hob_processes(box, &list, &n), 0);
    CHECK_EQ(n, 0);
    hob_free(list);
    CHECK_EQ(hob_kill(box, pid, 15), HOB_ESRCH);
    RUN(box, "sleep 1000 & sleep 1000 &", "");
    hob_sandbox_free(box); /* background processes end with it */
}

/* A group, its states, and what a background process does to files later. */
static void test_groups(void)
{
    hob_sandbox *box = api_box();
    hob_process *list;
    hob_job *job;
    size_t n;
    REQUIRE(hob_exec_start(box, "set -m; sleep 1000 | cat & kill -STOP $!; wait", NULL, &job,
                           NULL) == 0);
    for (int i = 0; i < 3; i++)
        hob_step(box, 100);
    CHECK_EQ(hob_processes(box, &list, &n), 0);
    for (size_t i = 0; i < n; i++)
        CHECK(list[i].pid > 0 && strchr("RSTZ", list[i].state) && list[i].command[58] == '\0');
    hob_free(list);
    CHECK_EQ(hob_job_finish(job, NULL), 0);
    hob_sandbox_free(box);
    box = api_box();
    RUN(box, "(sleep 5; echo later > f) &", "");
    CHECK_EQ(hob_exists(box, "f"), 0);
    while (hob_step(box, 0) != HOB_STEP_IDLE)
        ;
    CHECK_FILE(box, "f", "later\n");
    hob_sandbox_free(box);
}

static void *steps_stop(void *box)
{
    usleep(20000);
    hob_interrupt(box);
    return NULL;
}

static void test_interrupt(void) /* TM-DOS-9 */
{
    static const char *const scripts[] = {"echo begun; while :; do :; done",
                                          "echo begun; sleep 1000",
                                          "trap '' INT TERM; echo begun; while :; do sleep 1; done",
                                          "echo begun; yes | cat > /dev/null"};
    hob_sandbox *box;
    hob_result res;
    REQUIRE(hob_sandbox_new(NULL, &box, NULL) == 0);
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        pthread_t t;
        REQUIRE(pthread_create(&t, NULL, steps_stop, box) == 0);
        REQUIRE(hob_exec(box, scripts[i], NULL, &res) == 0);
        pthread_join(t, NULL);
        CHECK_EQ(res.status, 130);
        CHECK_EQ(res.limit, HOB_LIMIT_INTERRUPT);
        CHECK_STR(res.message, "interrupted");
        CHECK_STR(res.out, "begun\n");
        hob_result_free(&res);
        RUN(box, "echo on", "on\n");
    }
    hob_interrupt(box); /* nothing runs: nothing happens */
    RUN(box, "echo on; sleep 0.01; echo on", "on\non\n");
    hob_sandbox_free(box);
}

UNIT_MAIN(UNIT(test_many_boxes), UNIT(test_fair), UNIT(test_waiting), UNIT(test_jobs),
          UNIT(test_background), UNIT(test_groups), UNIT(test_interrupt))

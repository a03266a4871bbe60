/* exec.c -- running scripts, over every kind of sandbox */
#include <pthread.h>
#include <signal.h>

#include "contract.h"

static void status_and_streams(hob_sandbox *box, const struct kind *k)
{
    hob_result res;
    REQUIRE(hob_exec(box, "echo out; echo err >&2; exit 3", NULL, &res) == 0);
    CHECK_EQ(res.status, 3);
    CHECK_EQ(res.signal, 0);
    CHECK_EQ(res.limit, HOB_LIMIT_NONE);
    CHECK_STR(res.out, "out\n");
    CHECK_STR(res.err, "err\n");
    CHECK_STR(res.message, "");
    hob_result_free(&res);
    RUN(box, "true", 0, "");
    RUN(box, "no_such_command_here", 127, "");
    RUN(box, "if", k->lean ? 2 : k->real ? 2 : 2, "");
    RUN(box, "kill -9 $$", 137, ""); /* as a shell says it */
    RUN(box, "printf 'a\\0b\\377' | od -An -tx1 | tr -d ' \\n'", 0, "610062ff");
    RUN(box, "-x", 127, "");
    RUN(box, " ", 0, "");
    CHECK_EQ(hob_exec(box, NULL, NULL, &res), HOB_EINVAL);
}

static void binary_output(hob_sandbox *box, const struct kind *k)
{
    hob_result res;
    (void)k;
    REQUIRE(hob_exec(box, "printf 'a\\0b\\377\\n'", NULL, &res) == 0);
    CHECK_MEM(res.out, res.out_len, "a\0b\xff\n", 5);
    CHECK_EQ(res.out[res.out_len], 0);
    hob_result_free(&res);
}

static void environment_in_layers(hob_sandbox *box, const struct kind *k)
{
    static const char *const set[] = {"A=1 2", "HOME", "EMPTY=", NULL};
    hob_exec_options o = EXEC(.env = set);
    hob_exec_options only = EXEC(.env = set, .replace_env = 1);
    (void)k;
    RUN_WITH(box, "echo \"$A|${HOME-none}|${EMPTY-none}|${PATH:+path}\"", &o, 0,
             "1 2|none||path\n");
    RUN(box, "echo \"${A-none}|${HOME:+home}\"", 0, k->lean ? "none|\n" : "none|home\n");
    RUN_WITH(box, "echo \"$A|${USER-none}\"", &only, 0, "1 2|none\n");
}

static void folders(hob_sandbox *box, const struct kind *k)
{
    char want[300];
    hob_exec_options o = EXEC(.cwd = "sub/../sub");
    hob_result res;
    (void)k;
    snprintf(want, sizeof want, "%s\n", hob_sandbox_cwd(box));
    RUN(box, "pwd", 0, want);
    CHECK_EQ(hob_exec(box, "pwd", &o, &res), HOB_ENOENT); /* it is not made */
    hob_result_free(&res);
    CHECK_EQ(hob_mkdir(box, "sub", 0), 0);
    snprintf(want, sizeof want, "%s/sub\n", hob_sandbox_cwd(box));
    RUN_WITH(box, "pwd; cd /", &o, 0, want);
    o.cwd = "/";
    RUN_WITH(box, "pwd", &o, 0, "/\n");
    CHECK_EQ(hob_write(box, "file", "", 0), 0);
    o.cwd = "file";
    CHECK_EQ(hob_exec(box, "pwd", &o, &res), HOB_ENOTDIR);
    hob_result_free(&res);
    hob_sandbox *view;
    REQUIRE(hob_sandbox_view(box, "sub", &view) == 0);
    RUN(view, "pwd", 0, want);
    CHECK_STR(hob_sandbox_kind(view), hob_sandbox_kind(box));
    hob_sandbox_free(view);
    REQUIRE(hob_sandbox_view(box, "gone", &view) == 0);
    CHECK_EQ(hob_exec(view, "pwd", NULL, &res), HOB_ENOENT);
    hob_result_free(&res);
    CHECK_EQ(hob_write(view, "f", "x", 1), 0); /* a write makes it */
    RUN(view, "cat f", 0, "x");
    hob_sandbox_free(view);
}

static void words_and_arguments(hob_sandbox *box, const struct kind *k)
{
    static const char *const argv[] = {"printf", "%s|", "a b", "", "c'd", "$x", "*", "\n", NULL};
    static const char *const args[] = {"one two", "it's", NULL};
    hob_exec_options o = EXEC(.argv = argv);
    (void)k;
    RUN_WITH(box, NULL, &o, 0, "a b||c'd|$x|*|\n|");
    o = (hob_exec_options)EXEC(.args = args, .name = "myname");
    RUN_WITH(box, "echo \"$# $1 $2 $0\"", &o, 0, "2 one two it's myname\n");
    static const char *const none[] = {"/no/such/program", NULL};
    o = (hob_exec_options)EXEC(.argv = none);
    RUN_WITH(box, NULL, &o, 127, "");
}

static void input_given(hob_sandbox *box, const struct kind *k)
{
    enum {
        BIG = 3000000
    };
    static char big[BIG];
    hob_exec_options o = EXEC(.input = "x\ny\n", .input_len = 4);
    (void)k;
    memset(big, 'z', sizeof big);
    RUN(box, "cat; echo end", 0, "end\n"); /* nothing: at its end at once */
    RUN_WITH(box, "read a; echo \"<$a>\"; cat", &o, 0, "<x>\ny\n");
    o.input = big;
    o.input_len = BIG;
    RUN_WITH(box, "wc -c | tr -d ' '", &o, 0, "3000000\n");
    RUN_WITH(box, "head -c 3", &o, 0, "zzz"); /* the rest is not taken */
    RUN_WITH(box, "true", &o, 0, "");
    RUN_WITH(box, "exec 0<&-; sleep 0.1; echo ok", &o, 0, "ok\n");
}

struct feed {
    int asked;
};

/* Three lines, each after a while of nothing. */
static ptrdiff_t feed_some(void *ud, void *dst, size_t cap)
{
    struct feed *f = ud;
    if (f->asked++ % 3 != 2)
        return HOB_EAGAIN;
    if (f->asked > 9)
        return 0;
    return snprintf(dst, cap, "line %d\n", f->asked / 3);
}

static void input_streamed(hob_sandbox *box, const struct kind *k)
{
    struct feed f = {0};
    hob_exec_options o = EXEC(.read = feed_some, .read_ud = &f);
    (void)k;
    RUN_WITH(box, "while read l; do echo \"[$l]\"; done", &o, 0, "[line 1]\n[line 2]\n[line 3]\n");
}

struct seen {
    char text[200];
    int fail_at, calls;
};

static int see(void *ud, int stream, const void *data, size_t len)
{
    struct seen *s = ud;
    size_t n = strlen(s->text);
    if (++s->calls == s->fail_at)
        return HOB_EPIPE;
    snprintf(s->text + n, sizeof s->text - n, "%d:%.*s", stream, (int)len, (const char *)data);
    return 0;
}

static void output_streamed(hob_sandbox *box, const struct kind *k)
{
    struct seen s = {0};
    hob_exec_options o = EXEC(.output = see, .output_ud = &s);
    hob_result res;
    (void)k;
    RUN_WITH(box, "echo a; sleep 0.2; echo b >&2; sleep 0.2; echo c", &o, 0, "");
    CHECK_STR(s.text, "1:a\n2:b\n1:c\n");
    o.merge = 1;
    s = (struct seen){0};
    RUN_WITH(box, "echo a; sleep 0.2; echo b >&2", &o, 0, "");
    CHECK_STR(s.text, "1:a\n1:b\n");
    s = (struct seen){.fail_at = 2}; /* nobody takes it: the run ends with that error */
    int64_t t = contract_now();
    CHECK_EQ(hob_exec(box, "while :; do echo x; sleep 0.1; done", &o, &res), HOB_EPIPE);
    CHECK(contract_now() - t < 5 * SECOND);
    hob_result_free(&res);
    o = (hob_exec_options)EXEC(.merge = 1);
    RUN_WITH(box, "echo a; echo b >&2; echo c", &o, 0, "a\nb\nc\n");
}

static void deadline_keeps_output(hob_sandbox *box, const struct kind *k)
{
    hob_exec_options o = EXEC(.timeout_ns = 300 * MS);
    hob_result res;
    int64_t t = contract_now();
    (void)k;
    REQUIRE(hob_exec(box, "echo before; echo err >&2; sleep 20; echo after", &o, &res) == 0);
    CHECK_EQ(res.status, 124);
    CHECK_EQ(res.limit, HOB_LIMIT_TIME);
    CHECK_STR(res.out, "before\n");
    CHECK_STR(res.err, "err\n");
    CHECK_STR(res.message, "time limit of 0.3 s reached");
    hob_result_free(&res);
    t = contract_now() - t;
    CHECK(t >= 300 * MS && t < 2000 * MS);
    o.timeout_ns = 20 * SECOND;
    RUN_WITH(box, "exit 124", &o, 124, "");
    REQUIRE(hob_exec(box, "exit 124", &o, &res) == 0);
    CHECK_EQ(res.limit, HOB_LIMIT_NONE);
    hob_result_free(&res);
}

/* Signals that are ignored, by the shell and by what it left behind. */
static void deadline_of_the_deaf(hob_sandbox *box, const struct kind *k)
{
    hob_exec_options o = EXEC(.timeout_ns = 200 * MS);
    hob_result res;
    int64_t t = contract_now();
    (void)k;
    REQUIRE(hob_exec(box, "trap '' TERM INT HUP; echo deaf; while :; do sleep 0.05; done", &o,
                     &res) == 0);
    CHECK_EQ(res.status, 124);
    CHECK_STR(res.out, "deaf\n");
    hob_result_free(&res);
    CHECK(contract_now() - t < 4 * SECOND);
}

static void output_is_capped(hob_sandbox *box, const struct kind *k)
{
    hob_sandbox_options o = contract_options(k, "/tmp");
    hob_sandbox *small;
    hob_result res;
    int64_t t = contract_now();
    (void)box;
    o.output = 100000;
    REQUIRE(hob_sandbox_open(k->name, &o, &small, NULL) == 0);
    REQUIRE(hob_exec(small, "echo first; yes", NULL, &res) == 0);
    CHECK_EQ(res.limit, HOB_LIMIT_OUTPUT);
    CHECK_EQ(res.truncated, 1);
    CHECK_EQ(res.out_len, 100000);
    CHECK(res.status != 0);
    CHECK(res.out && strncmp(res.out, "first\ny\ny\n", 10) == 0);
    CHECK_STR(res.message, "output limit of 100000 bytes reached");
    if (k->real) {
        CHECK_EQ(res.status, 1);
        CHECK_STR(res.err, "hob: output limit of 100000 bytes reached\n");
    }
    hob_result_free(&res);
    CHECK(contract_now() - t < 3 * SECOND);
    RUN(small, "echo alive", 0, "alive\n");
    hob_sandbox_free(small);
}

static void abort_is_prompt(hob_sandbox *box, const struct kind *k)
{
    hob_job *job;
    hob_result res;
    REQUIRE(hob_exec_start(box, "echo started; sleep 20", NULL, &job, NULL) == 0);
    for (hob_bytes b = {0}; b.len == 0;) {
        hob_free(b.data);
        hob_step(box, 0);
        hob_wait(box, 10 * MS);
        REQUIRE(hob_job_read(job, HOB_STDOUT, &b) == 0);
        if (b.len) {
            CHECK_STR(b.data, "started\n");
            hob_free(b.data);
        }
    }
    int64_t t = contract_now();
    CHECK_EQ(hob_job_finish(job, &res), 0);
    CHECK(contract_now() - t < 500 * MS);
    CHECK_EQ(res.status, 137);
    CHECK_EQ(res.limit, HOB_LIMIT_INTERRUPT);
    CHECK_STR(res.out, "started\n"); /* what was printed is kept */
    hob_result_free(&res);
    contract_settle(box, 3 * SECOND);
    CHECK_EQ(contract_orphans, k->real); /* given up, and reported when it ended */
    RUN(box, "echo alive", 0, "alive\n");
}

static void *interrupt_later(void *arg)
{
    struct timespec t = {0, 200 * MS};
    nanosleep(&t, NULL);
    hob_interrupt(arg);
    return NULL;
}

static void interrupt_from_a_thread(hob_sandbox *box, const struct kind *k)
{
    pthread_t thread;
    hob_result res;
    int64_t t = contract_now();
    (void)k;
    hob_interrupt(box); /* nothing runs: nothing happens */
    RUN(box, "echo fine", 0, "fine\n");
    REQUIRE(pthread_create(&thread, NULL, interrupt_later, box) == 0);
    CHECK_EQ(hob_exec(box, "echo on; sleep 20", NULL, &res), 0);
    CHECK_EQ(res.status, 130);
    CHECK_EQ(res.limit, HOB_LIMIT_INTERRUPT);
    CHECK_STR(res.out, "on\n");
    hob_result_free(&res);
    pthread_join(thread, NULL);
    CHECK(contract_now() - t < 2 * SECOND);
    contract_settle(box, 3 * SECOND);
    RUN(box, "echo alive", 0, "alive\n");
}

static void many_jobs_one_thread(hob_sandbox *box, const struct kind *k)
{
    enum {
        JOBS = 12
    };
    hob_job *job[JOBS];
    int64_t t = contract_now();
    (void)k;
    for (int i = 0; i < JOBS; i++) {
        char script[60];
        snprintf(script, sizeof script, "sleep 0.5; echo %d", i);
        REQUIRE(hob_exec_start(box, script, NULL, &job[i], NULL) == 0);
    }
    for (int i = 0; i < JOBS; i++) {
        hob_result res;
        char want[20];
        contract_drive(box, job[i]);
        CHECK_EQ(hob_job_finish(job[i], &res), 0);
        snprintf(want, sizeof want, "%d\n", i);
        CHECK_STR(res.out, want);
        hob_result_free(&res);
    }
    CHECK(contract_now() - t < 4 * SECOND); /* at the same time, not one by one */
    CHECK_EQ(hob_step(box, 0), HOB_STEP_IDLE);
}

static void files_while_a_job_runs(hob_sandbox *box, const struct kind *k)
{
    hob_job *job;
    hob_result res;
    (void)k;
    /* It gives up some day, so that a write that fails shows as such. */
    static const char script[] =
        "i=0; until [ -e go ] || [ $((i += 1)) -gt 400 ]; do sleep 0.05; done; cat go";
    REQUIRE(hob_exec_start(box, script, NULL, &job, NULL) == 0);
    hob_step(box, 0);
    CHECK_EQ(hob_write(box, "go.new", "gone\n", 5), 0);
    CHECK_EQ(hob_rename(box, "go.new", "go"), 0);
    contract_drive(box, job);
    CHECK_EQ(hob_job_finish(job, &res), 0);
    CHECK_STR(res.out, "gone\n");
    hob_result_free(&res);
}

/* What is left in the background never holds up the call. */
static void background_goes_on(hob_sandbox *box, const struct kind *k)
{
    int64_t t = contract_now();
    (void)k;
    RUN(box, "sleep 3 & echo here", 0, "here\n");
    RUN(box, "(sleep 0.6; echo late > late) & echo here", 0, "here\n");
    CHECK(contract_now() - t < 2 * SECOND);
    for (int i = 0; i < 40 && !hob_exists(box, "late"); i++) {
        hob_step(box, 0);
        hob_wait(box, 50 * MS);
        struct timespec tick = {0, 50 * MS};
        nanosleep(&tick, NULL);
    }
    CHECK_FILE(box, "late", "late\n");
}

static void long_scripts(hob_sandbox *box, const struct kind *k)
{
    enum {
        LINES = 30000
    };
    char *script = malloc(LINES * 10 + 80), *at = script;
    (void)k;
    REQUIRE(script != NULL);
    for (int i = 0; i < LINES; i++)
        at += snprintf(at, 11, ": %07d\n", i);
    snprintf(at, 80, "echo \"end $1\"; ls /dev/fd/3 2>&1 | wc -l");
    static const char *const args[] = {"x", NULL};
    hob_exec_options o = EXEC(.args = args);
    hob_result res;
    CHECK_EQ(hob_exec(box, script, &o, &res), 0);
    CHECK_EQ(res.status, 0);
    CHECK(res.out && strncmp(res.out, "end x\n", 6) == 0);
    hob_result_free(&res);
    free(script);
}

static void what_a_kind_lacks(hob_sandbox *box, const struct kind *k)
{
    hob_snapshot *snap;
    hob_sandbox *fork;
    hob_shell *shell;
    hob_mount_options m = {.size = sizeof m, .kind = HOB_MOUNT_MEMORY};
    if (!k->real)
        return;
    CHECK_EQ(hob_snapshot_take(box, &snap), HOB_ENOTSUP);
    CHECK_EQ(hob_sandbox_fork(box, &fork), HOB_ENOTSUP);
    CHECK_EQ(hob_shell_open(box, NULL, &shell, NULL), HOB_ENOTSUP);
    CHECK_EQ(hob_mount(box, "/m", &m, NULL), HOB_ENOTSUP);
    CHECK_EQ(hob_unmount(box, "/m"), HOB_ENOTSUP);
    CHECK_EQ(hob_command_add(box, "x", NULL, NULL, NULL), HOB_ENOTSUP);
}

static void usage_and_names(hob_sandbox *box, const struct kind *k)
{
    hob_usage u = {.size = sizeof u};
    CHECK_STR(hob_sandbox_kind(box), k->real ? k->name : "virtual");
    RUN(box, "true", 0, "");
    CHECK_EQ(hob_sandbox_usage(box, &u), 0);
    CHECK(u.memory > 0 && u.memory_peak >= u.memory);
    CHECK_EQ(u.processes, 0);
}

CONTRACT_MAIN(CASE(status_and_streams), CASE(binary_output), CASE(environment_in_layers),
              CASE(folders), CASE(words_and_arguments), CASE(input_given), CASE(input_streamed),
              CASE(output_streamed), CASE(deadline_keeps_output), CASE(deadline_of_the_deaf),
              CASE(output_is_capped), CASE(abort_is_prompt), CASE(interrupt_from_a_thread),
              CASE(many_jobs_one_thread), CASE(files_while_a_job_runs), CASE(background_goes_on),
              CASE(long_scripts), CASE(what_a_kind_lacks), CASE(usage_and_names))

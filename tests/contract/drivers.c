/* drivers.c -- drivers of the embedder's, well and badly behaved, behind the one contract */
#include <errno.h>
#include <poll.h>

#include "contract.h"

/* ---- a driver that does what the script says ------------------------------------------------- */

struct bad {
    int closed;
    int died;   /* alive() says so */
    int silent; /* alive() does not come back */
    int waits;  /* a file operation takes a while */
    int writes_fail;
    char log[400]; /* the calls of the file functions */
    char said[100];
};

static struct bad bad;

static int bad_open(const hob_sandbox_options *opt, void **state, hob_error *err)
{
    if (opt->ud == &bad_open) {
        err->code = HOB_EAUTH;
        snprintf(err->msg, sizeof err->msg, "the key is wrong");
        return HOB_EAUTH;
    }
    bad = (struct bad){0};
    *state = &bad;
    return 0;
}

static void bad_close(void *state) { ((struct bad *)state)->closed++; }

static const char *bad_cwd(void *state)
{
    (void)state;
    return "/home//box/";
}

/* Waits for its own time, whatever the deadline is. */
static int bad_stubborn(hob_call *call, int64_t ns)
{
    int64_t until = contract_now() + ns;
    while (contract_now() < until) {
        int r = hob_call_wait(call, -1, 0, 50 * MS);
        if (r == HOB_ECANCELED)
            strcat(bad.said, "cancelled ");
        if (strstr(bad.said, "cancelled cancelled"))
            return HOB_ECANCELED; /* the sandbox is being freed */
    }
    return 42;
}

static int bad_exec(void *state, hob_call *call, const char *script, const hob_exec_options *opt)
{
    (void)state;
    hob_call_output(call, HOB_STDOUT, "begun\n", 6);
    if (strcmp(script, "die") == 0)
        return HOB_EDIED;
    if (strcmp(script, "fail") == 0)
        return HOB_ENETWORK;
    if (strcmp(script, "stubborn") == 0)
        return bad_stubborn(call, 6 * SECOND);
    if (strcmp(script, "hang") == 0) {
        while (hob_call_wait(call, -1, 0, -1) != HOB_ECANCELED)
            ;
        strcat(bad.said, "told ");
        return HOB_ECANCELED;
    }
    if (strcmp(script, "block") == 0) { /* no wait of ours: the thread is held, and it works */
        struct timespec t = {0, 100 * MS};
        nanosleep(&t, NULL);
        return 0;
    }
    if (strcmp(script, "flood") == 0) {
        int limit = 0;
        static char block[10000];
        memset(block, 'f', sizeof block);
        for (int i = 0; i < 1000; i++)
            limit += hob_call_output(call, HOB_STDOUT, block, sizeof block) == HOB_ELIMIT;
        return limit > 0 ? 0 : 99; /* it has not even noticed */
    }
    if (strcmp(script, "answer") == 0) {
        hob_call_answer(call, 3);
        hob_call_output(call, HOB_STDERR, "behind", 6);
        return 9;
    }
    if (strcmp(script, "cwd") == 0)
        hob_call_output(call, HOB_STDOUT, opt->cwd, strlen(opt->cwd));
    if (strcmp(script, "misuse") == 0) {
        hob_poll many[40] = {{0}};
        return hob_call_poll(call, many, 40, 0) == HOB_EMISUSE &&
                       hob_call_output(call, 7, "x", 1) == HOB_EINVAL
                   ? 0
                   : 1;
    }
    return 1000; /* more than a status holds */
}

static void bad_note(const char *what, const char *path)
{
    size_t n = strlen(bad.log);
    snprintf(bad.log + n, sizeof bad.log - n, "%s %s;", what, path);
}

static int bad_read(void *state, hob_call *call, const char *path, hob_bytes *out)
{
    struct bad *b = state;
    bad_note("read", path);
    if (b->waits && hob_call_wait(call, -1, 0, b->waits * MS) == HOB_ECANCELED)
        return HOB_ECANCELED;
    out->data = hob_alloc(2);
    if (!out->data)
        return HOB_ENOMEM;
    memcpy(out->data, "r", 2);
    out->len = 1;
    return 0;
}

static int bad_write(void *state, hob_call *call, const char *path, const void *data, size_t len,
                     int flags)
{
    struct bad *b = state;
    (void)call, (void)data, (void)len;
    bad_note(flags & HOB_APPEND ? "append" : "write", path);
    return b->writes_fail-- > 0 ? (b->writes_fail ? HOB_EIO : HOB_ENOSPC) : 0;
}

static int bad_mkdir(void *state, hob_call *call, const char *path, int flags)
{
    (void)state, (void)call;
    bad_note(flags & HOB_RECURSIVE ? "mkdir-p" : "mkdir", path);
    return HOB_EACCES; /* which nobody minds */
}

static int bad_stat(void *state, hob_call *call, const char *path, int follow, hob_stat_t *out)
{
    (void)state, (void)call, (void)out;
    bad_note(follow ? "stat" : "lstat", path);
    return HOB_ENOENT;
}

static int bad_readdir(void *state, hob_call *call, const char *path, hob_bytes *out)
{
    static const char raw[] = "fb\0da\0?c\0x\0junk without an end";
    (void)state, (void)call, (void)path;
    out->data = hob_alloc(sizeof raw);
    if (!out->data)
        return HOB_ENOMEM;
    memcpy(out->data, raw, sizeof raw - 1);
    out->len = sizeof raw - 1;
    return 0;
}

static int bad_rm(void *state, hob_call *call, const char *path, int flags)
{
    (void)state, (void)call, (void)path;
    return flags ? HOB_ENOTSUP : 0;
}

static int bad_rename(void *state, hob_call *call, const char *from, const char *to)
{
    (void)state, (void)call;
    bad_note("rename", from);
    bad_note("to", to);
    return 0;
}

static int bad_alive(void *state, hob_call *call)
{
    struct bad *b = state;
    if (b->silent)
        while (hob_call_wait(call, -1, 0, -1) != HOB_ECANCELED)
            ;
    return b->silent ? HOB_ENETWORK : !b->died;
}

static const hob_driver bad_driver = {
    .size = sizeof(hob_driver),
    .name = "bad",
    .open = bad_open,
    .close = bad_close,
    .cwd = bad_cwd,
    .exec = bad_exec,
    .read = bad_read,
    .write = bad_write,
    .stat = bad_stat,
    .readdir = bad_readdir,
    .mkdir = bad_mkdir,
    .rm = bad_rm,
    .rename = bad_rename,
    .alive = bad_alive,
};

static hob_sandbox *bad_box(void)
{
    static const struct kind kind = {"bad", 0, 0, 0};
    hob_sandbox_options o = contract_options(&kind, NULL);
    hob_sandbox *box = NULL;
    o.output = 20000;
    contract_orphans = 0;
    if (hob_sandbox_open("bad", &o, &box, NULL) < 0)
        exit(1);
    return box;
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void test_register(void)
{
    hob_driver d = bad_driver;
    hob_sandbox *box;
    hob_error err;
    CHECK_EQ(hob_driver_register(&bad_driver), 0);
    CHECK_EQ(hob_driver_register(&bad_driver), HOB_EEXIST);
    d.name = "local";
    CHECK_EQ(hob_driver_register(&d), HOB_EEXIST);
    d.name = "virtual";
    CHECK_EQ(hob_driver_register(&d), HOB_EEXIST);
    d.name = "other";
    d.exec = NULL;
    CHECK_EQ(hob_driver_register(&d), HOB_EINVAL);
    d.size = 8;
    CHECK_EQ(hob_driver_register(&d), HOB_EINVAL);
    hob_sandbox_options o = {.size = sizeof o, .ud = (void *)&bad_open};
    CHECK_EQ(hob_sandbox_open("bad", &o, &box, &err), HOB_EAUTH);
    CHECK_STR(err.msg, "the key is wrong");
    CHECK(box == NULL);
    box = bad_box();
    CHECK_STR(hob_sandbox_kind(box), "bad");
    CHECK_STR(hob_sandbox_cwd(box), "/home/box"); /* made clean */
    hob_sandbox_free(box);
    CHECK_EQ(bad.closed, 1);
}

static void test_paths_are_clean(void)
{
    hob_sandbox *box = bad_box(), *view;
    hob_bytes b;
    CHECK_EQ(hob_sandbox_view(box, "../x//y/", &view), 0);
    CHECK_EQ(hob_read(view, "./../a/b/..", &b), 0);
    CHECK_STR(b.data, "r");
    hob_free(b.data);
    CHECK_EQ(hob_rename(box, "f", "/../g/"), 0);
    CHECK_STR(bad.log, "read /home/x/a;rename /home/box/f;to /g;");
    hob_exec_options o = EXEC(.cwd = "../../..//w");
    RUN_WITH(view, "cwd", &o, 1000 & 255, "begun\n/w");
    RUN(view, "cwd", 1000 & 255, "begun\n/home/x/y");
    hob_sandbox_free(view);
    hob_sandbox_free(box);
}

/* Try, make the folders whatever the error was, try once more; the second error counts. */
static void test_parents(void)
{
    hob_sandbox *box = bad_box();
    CHECK_EQ(hob_write(box, "a/b", "x", 1), 0);
    CHECK_STR(bad.log, "write /home/box/a/b;");
    bad.log[0] = '\0';
    bad.writes_fail = 1;
    CHECK_EQ(hob_append(box, "/f", "x", 1), 0);
    CHECK_STR(bad.log, "append /f;mkdir-p /;append /f;");
    bad.log[0] = '\0';
    bad.writes_fail = 2;
    CHECK_EQ(hob_write(box, "a/b", "x", 1), HOB_ENOSPC);
    CHECK_STR(bad.log, "write /home/box/a/b;mkdir-p /home/box/a;write /home/box/a/b;");
    CHECK_EQ(hob_rm(box, "a", 0), 0);
    CHECK_EQ(hob_rm(box, "a", HOB_FORCE), HOB_ENOTSUP);
    hob_sandbox_free(box);
}

static void test_listing(void)
{
    hob_sandbox *box = bad_box();
    hob_dirent *list;
    size_t n;
    REQUIRE(hob_readdir(box, ".", &list, &n) == 0);
    REQUIRE(n == 3); /* what has no name or no end is dropped */
    CHECK_STR(list[0].name, "a");
    CHECK_EQ(list[0].mode, 0040000);
    CHECK_STR(list[1].name, "b");
    CHECK_EQ(list[1].mode, 0100000);
    CHECK_EQ(list[2].mode, 0);
    hob_free(list);
    hob_sandbox_free(box);
}

static void test_results(void)
{
    hob_sandbox *box = bad_box();
    hob_result res;
    hob_bytes b;
    RUN(box, "anything", 1000 & 255, "begun\n");
    RUN(box, "block", 0, "begun\n");
    RUN(box, "misuse", 0, "begun\n");
    CHECK_EQ(hob_exec(box, "fail", NULL, &res), HOB_ENETWORK);
    CHECK_STR(res.out, "begun\n");
    hob_result_free(&res);
    CHECK_EQ(hob_exec(box, "die", NULL, &res), HOB_EDIED);
    hob_result_free(&res);
    RUN(box, "answer", 3, "begun\n"); /* answered before it returned */
    CHECK_EQ(hob_background_output(box, HOB_STDERR, &b), 0);
    CHECK_STR(b.data, "behind");
    hob_free(b.data);
    CHECK_EQ(contract_orphans, 0);
    hob_sandbox_free(box);
}

static void test_flood(void)
{
    hob_sandbox *box = bad_box();
    hob_result res;
    REQUIRE(hob_exec(box, "flood", NULL, &res) == 0);
    CHECK_EQ(res.out_len, 20000);
    CHECK_EQ(res.status, 1); /* whatever the driver says */
    CHECK_EQ(res.limit, HOB_LIMIT_OUTPUT);
    CHECK_EQ(res.truncated, 1);
    hob_result_free(&res);
    hob_sandbox_free(box);
}

/* TM-LOC-2: a deadline that the driver lets pass. 124 after the grace; the orphan is reported. */
static void test_stubborn(void)
{
    hob_sandbox *box = bad_box();
    hob_exec_options o = EXEC(.timeout_ns = 100 * MS);
    hob_result res;
    int64_t t = contract_now();
    REQUIRE(hob_exec(box, "stubborn", &o, &res) == 0);
    t = contract_now() - t;
    CHECK(t >= 5 * SECOND && t < 5900 * MS);
    CHECK_EQ(res.status, 124);
    CHECK_EQ(res.limit, HOB_LIMIT_TIME);
    CHECK_STR(res.out, "begun\n");
    CHECK_STR(res.message, "time limit of 0.1 s reached");
    hob_result_free(&res);
    CHECK_EQ(contract_orphans, 0);
    contract_settle(box, 3 * SECOND);
    CHECK_EQ(contract_orphans, 1);
    CHECK_EQ(contract_orphan_status, 42);
    CHECK_STR(bad.said, "cancelled ");
    hob_sandbox_free(box);
}

static void test_abort(void)
{
    hob_sandbox *box = bad_box();
    hob_job *job;
    hob_result res;
    REQUIRE(hob_exec_start(box, "hang", NULL, &job, NULL) == 0);
    CHECK_EQ(hob_step(box, 0), HOB_STEP_WAIT);
    hob_pending w = {.size = sizeof w};
    CHECK_EQ(hob_wait_for(box, &w), 0);
    CHECK(w.fd >= 0 && w.until_ns > 0 && w.until_ns <= 5 * SECOND); /* the next look for life */
    CHECK_EQ(hob_job_pid(job), 0);
    CHECK_EQ(hob_job_signal(job, 15), HOB_ESRCH);
    int64_t t = contract_now();
    CHECK_EQ(hob_job_finish(job, &res), 0);
    CHECK(contract_now() - t < 200 * MS);
    CHECK_EQ(res.status, 137);
    CHECK_STR(res.out, "begun\n");
    hob_result_free(&res);
    CHECK_STR(bad.said, "told ");
    CHECK_EQ(contract_orphans, 1);
    CHECK_EQ(contract_orphan_status, HOB_ECANCELED);
    /* One that runs while the sandbox is freed, and never looked up. */
    REQUIRE(hob_exec_start(box, "stubborn", NULL, &job, NULL) == 0);
    hob_step(box, 0);
    t = contract_now();
    hob_sandbox_free(box);
    CHECK(contract_now() - t < 500 * MS);
    CHECK_EQ(bad.closed, 1);
}

/* A file operation that takes its time is run to its end; an interrupt ends it. */
static void test_slow_file(void)
{
    hob_sandbox *box = bad_box();
    hob_bytes b;
    bad.waits = 200;
    int64_t t = contract_now();
    CHECK_EQ(hob_read(box, "f", &b), 0);
    CHECK(contract_now() - t >= 200 * MS);
    CHECK_STR(b.data, "r");
    hob_free(b.data);
    hob_sandbox_free(box);
}

/* Two sandboxes at once: one says that it is gone, the other says nothing any more. */
static void test_death(void)
{
    hob_sandbox *box = bad_box();
    hob_result res;
    bad.died = 1;
    int64_t t = contract_now();
    CHECK_EQ(hob_exec(box, "hang", NULL, &res), HOB_EDIED);
    t = contract_now() - t;
    CHECK(t >= 5 * SECOND && t < 6 * SECOND);
    CHECK_STR(res.out, "begun\n");
    CHECK_STR(res.message, "the sandbox is gone: it has stopped");
    hob_result_free(&res);
    RUN(box, "block", 0, "begun\n"); /* whether a later call reaches a new one is the driver's */
    bad.died = 0;
    bad.silent = 1;
    t = contract_now();
    CHECK_EQ(hob_exec(box, "hang", NULL, &res), HOB_EDIED);
    t = contract_now() - t;
    CHECK(t >= 15 * SECOND && t < 16 * SECOND);
    CHECK_STR(res.message, "the sandbox is gone: it has not answered for 10 s");
    hob_result_free(&res);
    contract_settle(box, SECOND);
    CHECK_EQ(contract_orphans, 2);
    hob_sandbox_free(box);
}

UNIT_MAIN(UNIT(test_register), UNIT(test_paths_are_clean), UNIT(test_parents), UNIT(test_listing),
          UNIT(test_results), UNIT(test_flood), UNIT(test_stubborn), UNIT(test_abort),
          UNIT(test_slow_file), UNIT(test_death))

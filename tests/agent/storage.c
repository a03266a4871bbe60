/* storage.c -- sessions in a file: resumed, held by one process, on a disk that is full */
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "kit.h"

static void store_kit(struct kit *k, const char *script)
{
    kit_init(k, script);
    k->agent.store = k->store;
}

static void test_resume(void)
{
    struct kit k;
    store_kit(&k, "{\"match\":\"one\",\"text\":\"1\",\"calls\":[{\"name\":\"bash\",\"args\":{"
                  "\"command\":\"echo \\u00e4\"}}],\"thinking\":\"t\"}\n"
                  "{\"match\":\"one\",\"text\":\"I\"}\n{\"match\":\"two\",\"text\":\"II\"}\n");
    kit_open(&k);
    PROMPT(&k, "one", "I");
    char *before = strdup(kit_export(k.s));
    kit_close(&k);
    kit_open(&k);
    CHECK_STR(kit_export(k.s), before);
    PROMPT(&k, "two", "II");
    const char *after = kit_export(k.s);
    CHECK_EQ(strncmp(after, before, strlen(before)), 0);
    TIMES(after, "\n", 6);
    WHOLE(after);
    free(before);
    struct stat st;
    REQUIRE(stat(k.store, &st) == 0);
    CHECK_EQ(st.st_mode & 0777, 0600);
    kit_fini(&k);
}

static int tool_dies(hob_toolcall *call, void *ud)
{
    (void)call;
    (void)ud;
    _exit(7);
}

/* A process that dies while a tool runs leaves a call without a result. */
static void test_mend(void)
{
    struct kit k;
    int status;
    store_kit(&k, "{\"match\":\"die\",\"calls\":[{\"name\":\"die\",\"args\":{}},{\"name\":\"bash\","
                  "\"args\":{\"command\":\"true\"}}]}\n{\"match\":\"live\",\"text\":\"alive\"}\n");
    hob_tool tool = {.name = "die", .description = "Dies", .fn = tool_dies};
    k.agent.tools = &tool;
    k.agent.ntools = 1;
    pid_t pid = fork();
    if (pid == 0) {
        kit_open(&k);
        PROMPT(&k, "die", NULL);
        _exit(0);
    }
    waitpid(pid, &status, 0);
    CHECK_EQ(WEXITSTATUS(status), 7);
    hob_bytes b;
    REQUIRE(hob_store_export(k.store, "one", "default", &b, NULL) == 0);
    TIMES(b.data, "\n", 2);
    CHECK(kit_wrong(b.data, true) != NULL);
    CHECK(kit_wrong(b.data, false) == NULL);
    hob_free(b.data);
    kit_open(&k);
    const char *text = kit_export(k.s);
    TIMES(text, "\n", 4);
    TIMES(text, "\"source\":\"mend\"", 2);
    HAS(text, "Whether it took effect is not known");
    WHOLE(text);
    PROMPT(&k, "live", "alive");
    WHOLE(kit_export(k.s));
    kit_fini(&k);
}

/* A second process is told at once who has the session; when that one is killed it is free. */
static void test_second_process(void)
{
    struct kit k;
    int ready[2], status;
    char byte, pid_text[32];
    hob_harness *h;
    hob_session *s;
    hob_error err;
    store_kit(&k, "{\"text\":\"x\"}\n");
    REQUIRE(pipe(ready) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        kit_open(&k);
        if (write(ready[1], "x", 1) == 1)
            pause();
        _exit(0);
    }
    REQUIRE(read(ready[0], &byte, 1) == 1);
    REQUIRE(hob_init(NULL, &k.agent, "one", &h, &err) == 0);
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    CHECK_EQ(hob_harness_session(h, NULL, HOB_SESSION_OPEN, &s, &err), HOB_EBUSY);
    clock_gettime(CLOCK_MONOTONIC, &b);
    CHECK(b.tv_sec - a.tv_sec < 2);
    snprintf(pid_text, sizeof pid_text, "process %d", (int)pid);
    HAS(err.msg, pid_text);
    CHECK_EQ(hob_harness_delete(h, NULL, &err), HOB_EBUSY);
    CHECK_EQ(hob_store_delete(k.store, "one", "default", &err), HOB_EBUSY);
    CHECK_EQ(hob_harness_session(h, "another", HOB_SESSION_OPEN, &s, &err), 0);
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    CHECK_EQ(hob_harness_session(h, NULL, HOB_SESSION_OPEN, &s, &err), 0);
    hob_harness_free(h);
    close(ready[0]);
    close(ready[1]);
    kit_fini(&k);
}

/* Two harnesses of one loop share the file; one session is still held once. */
static void test_shared(void)
{
    struct kit k;
    hob_harness *h;
    hob_session *s;
    hob_error err;
    store_kit(&k, "{\"text\":\"x\",\"repeat\":true}\n");
    REQUIRE(hob_loop_new(&k.loop, NULL) == 0);
    kit_open(&k);
    REQUIRE(hob_init(k.loop, &k.agent, "one", &h, &err) == 0);
    CHECK_EQ(hob_harness_session(h, NULL, HOB_SESSION_OPEN, &s, &err), HOB_EBUSY);
    CHECK_EQ(hob_harness_session(h, "b", HOB_SESSION_OPEN, &s, &err), 0);
    PROMPT(&k, "a", "x");
    hob_harness_free(h);
    REQUIRE(hob_init(k.loop, &k.agent, "two", &h, &err) == 0);
    CHECK_EQ(hob_harness_session(h, NULL, HOB_SESSION_CREATE, &s, &err), 0);
    hob_harness_free(h);
    kit_close(&k);
    hob_loop_free(k.loop);
    hob_bytes list;
    REQUIRE(hob_store_list(k.store, &list, &err) == 0);
    TIMES(list.data, "\n", 3);
    HAS(list.data, "{\"id\":\"one\",\"session\":\"default\",\"entries\":2,\"created\":");
    hob_free(list.data);
    CHECK_EQ(hob_store_delete(k.store, "one", "default", &err), 0);
    CHECK_EQ(hob_store_export(k.store, "one", "default", &list, &err), HOB_ENOENT);
    CHECK_EQ(hob_store_delete(k.store, "one", "default", &err), 0);
    kit_fini(&k);
}

/* Many sessions write at the same time, in few transactions; each finds its own again. */
static void test_many_writers(void)
{
    enum {
        N = 60
    };
    struct kit k;
    hob_session *s[N];
    hob_op *ops[N];
    hob_error err;
    char text[40];
    store_kit(&k, "{\"text\":\"said\",\"delay_ms\":1,\"repeat\":true}\n");
    kit_open(&k);
    for (int i = 0; i < N; i++) {
        snprintf(text, sizeof text, "s%d", i);
        REQUIRE(hob_harness_session(k.h, text, HOB_SESSION_OPEN, &s[i], &err) == 0);
        snprintf(text, sizeof text, "question %d.", i);
        REQUIRE(hob_prompt_start(s[i], text, NULL, &ops[i], &err) == 0);
    }
    for (int r; (r = hob_loop_step(hob_harness_loop(k.h))) != HOB_STEP_IDLE;)
        if (r == HOB_STEP_WAIT)
            hob_loop_wait(hob_harness_loop(k.h), -1);
    for (int i = 0; i < N; i++) {
        CHECK_EQ(hob_op_finish(ops[i], NULL, NULL, &err), 0);
        snprintf(text, sizeof text, "question %d.", i);
        TIMES(kit_export(s[i]), text, 1);
        TIMES(kit_export(s[i]), "\n", 2);
        WHOLE(kit_export(s[i]));
    }
    kit_fini(&k);
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    if (sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        kit_die(sql, NULL);
    sqlite3_close(db);
}

static void test_strangers(void)
{
    struct kit k;
    hob_harness *h;
    hob_session *s;
    hob_bytes b;
    hob_error err;
    store_kit(&k, "{\"text\":\"x\"}\n");
    CHECK_EQ(hob_store_list(k.store, &b, &err), HOB_ENOENT);
    kit_open(&k);
    PROMPT(&k, "a", "x");
    kit_close(&k);
    run_sql(k.store, "PRAGMA user_version = 99");
    CHECK_EQ(hob_init(NULL, &k.agent, "one", &h, &err), HOB_ENOTSUP);
    HAS(err.msg, "version 99");
    run_sql(k.store, "PRAGMA user_version = 1; UPDATE entry SET json = 'rubbish' WHERE seq = 1");
    REQUIRE(hob_init(NULL, &k.agent, "one", &h, &err) == 0);
    CHECK_EQ(hob_harness_session(h, NULL, HOB_SESSION_OPEN, &s, &err), HOB_EILSEQ);
    HAS(err.msg, "entry 2");
    hob_harness_free(h);
    unlink(k.store);
    run_sql(k.store, "CREATE TABLE other(x)");
    CHECK_EQ(hob_init(NULL, &k.agent, "one", &h, &err), HOB_EINVAL);
    HAS(err.msg, "something else");
    kit_write(k.store,
              "this is no database, but it is long enough to look like one, perhaps .....");
    CHECK(hob_init(NULL, &k.agent, "one", &h, &err) < 0);
    HAS(err.msg, k.store);
    kit_fini(&k);
}

static void limit_files(rlim_t bytes)
{
    struct rlimit l;
    getrlimit(RLIMIT_FSIZE, &l);
    l.rlim_cur = bytes < l.rlim_max ? bytes : l.rlim_max;
    setrlimit(RLIMIT_FSIZE, &l);
}

/* A disk that fills: the operation says so; what was there stays, and nothing is there twice. */
static void test_full_disk(void)
{
    struct kit k;
    int failed = 0, worked = 0;
    store_kit(&k, "{\"match\":\"tools\",\"calls\":[{\"name\":\"bash\",\"args\":{\"command\":\"seq "
                  "2000\"}}]}\n{\"match\":\"tools\",\"text\":\"done\"}\n"
                  "{\"text\":\"ok\",\"repeat\":true}\n");
    signal(SIGXFSZ, SIG_IGN);
    kit_open(&k);
    PROMPT(&k, "first", "ok");
    struct stat st;
    char wal[128];
    snprintf(wal, sizeof wal, "%s-wal", k.store);
    REQUIRE(stat(wal, &st) == 0);
    for (int i = 0; i < 40; i++) {
        char *before = strdup(kit_export(k.s));
        stat(wal, &st);
        limit_files((rlim_t)(st.st_size + i * 1024));
        int r = PROMPT(&k, i == 20 ? "tools" : "more", NULL);
        limit_files(RLIM_INFINITY);
        failed += r < 0;
        worked += r == 0;
        const char *after = kit_export(k.s);
        CHECK_EQ(strncmp(before, after, strlen(before)), 0);
        CHECK_STR(kit_wrong(after, false), NULL);
        free(before);
    }
    CHECK(failed > 3 && worked > 3);
    PROMPT(&k, "last", NULL);
    char *before = strdup(kit_export(k.s));
    WHOLE(before);
    kit_close(&k);
    kit_open(&k);
    CHECK_STR(kit_export(k.s), before);
    free(before);
    kit_fini(&k);
}

UNIT_MAIN(UNIT(test_resume), UNIT(test_mend), UNIT(test_second_process), UNIT(test_shared),
          UNIT(test_many_writers), UNIT(test_strangers), UNIT(test_full_disk))

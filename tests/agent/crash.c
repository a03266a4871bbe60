/* crash.c -- a thousand processes are killed at random points; their conversations stay whole
 *
 * A child opens a session of the store, mends what the one before it left, and talks: prompts with
 * tools at the same time, recorded scripts, compactions. It is killed with SIGKILL after a random
 * time. Then the parent looks at the store: what was there before is there still, byte for byte;
 * the chain is unbroken; nothing is there twice; only the last message may wait for results; and
 * everything that the child said to have seen is there.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "kit.h"

enum {
    CRASH_WORKERS = 2, /* each with a store of its own */
    CRASH_KILLS = 500, /* of one worker */
    CRASH_EACH = 20    /* children that share a session */
};

static int crash_said; /* the pipe to the parent */

static void crash_say(const char *text)
{
    if (write(crash_said, text, strlen(text)) < 0)
        _exit(3);
}

/* The call is in the store before the tool runs. */
static int tool_mark(hob_toolcall *call, void *ud)
{
    char line[80], mark[40];
    (void)ud;
    snprintf(line, sizeof line, "%s\n",
             kit_member(hob_toolcall_args(call), "mark", mark, sizeof mark));
    crash_say(line);
    return hob_toolcall_answer(call, "marked", HOB_Z);
}

/* Replies that no other child has: their texts say whose they are. */
static void crash_script(struct kit *k, int child)
{
    FILE *f = fopen(k->script, "w");
    if (!f)
        _exit(4);
    fprintf(f, "{\"match\":\"conversation above\",\"text\":\"a summary\",\"repeat\":true}\n");
    for (int i = 0; i < 60; i++)
        fprintf(
            f,
            "{\"match\":\"ask-%d-%d.\",\"text\":\"looking\",\"calls\":[{\"name\":\"bash\",\"args\":"
            "{"
            "\"command\":\"echo out\"}},{\"name\":\"mark\",\"args\":{\"mark\":\"mark-%d-%d\"}}]}\n"
            "{\"match\":\"ask-%d-%d.\",\"text\":\"answer-%d-%d\"}\n",
            child, i, child, i, child, i, child, i);
    fclose(f);
}

static void crash_child(struct kit *k, int child, const char *session)
{
    hob_error err;
    char text[64];
    hob_tool tool = {.name = "mark",
                     .description = "Marks",
                     .schema =
                         "{\"type\":\"object\",\"properties\":{\"mark\":{\"type\":\"string\"}}}",
                     .fn = tool_mark};
    crash_script(k, child);
    k->agent.tools = &tool;
    k->agent.ntools = 1;
    k->agent.compaction.keep = 40;
    crash_say("begin\n");
    if (hob_init(NULL, &k->agent, "one", &k->h, &err) < 0 ||
        hob_harness_session(k->h, session, HOB_SESSION_OPEN, &k->s, &err) < 0)
        goto failed;
    for (int i = 0; i < 60; i++) {
        hob_reply reply;
        hob_result res;
        snprintf(text, sizeof text, "ask-%d-%d.", child, i);
        if (hob_session_prompt(k->s, text, NULL, &reply, &err) < 0)
            goto failed;
        snprintf(text, sizeof text, "answer-%d-%d\n", child, i);
        hob_reply_free(&reply);
        crash_say(text);
        if (i % 3 == 1) {
            if (hob_session_shell(k->s, "echo recorded", NULL, &res, &err) < 0)
                goto failed;
            hob_result_free(&res);
        }
        if (i % 4 == 3 && hob_session_compact(k->s, &err) < 0)
            goto failed;
    }
    pause();
failed:
    crash_say("FAILED ");
    crash_say(err.msg);
    _exit(5);
}

/* What the child said until it was killed. */
static size_t crash_watch(int fd, pid_t pid, char *said, size_t cap, long live_us)
{
    size_t n = 0;
    struct timespec t = {live_us / 1000000, live_us % 1000000 * 1000};
    struct pollfd p = {.fd = fd, .events = POLLIN};
    poll(&p, 1, 5000); /* its first word: the start of a process is no part of the test */
    nanosleep(&t, NULL);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    for (ssize_t got; n < cap - 1 && (got = read(fd, said + n, cap - 1 - n)) > 0;)
        n += (size_t)got;
    said[n] = '\0';
    return n;
}

/* Whatever it said to have seen is in the store, and there once. */
static bool crash_kept(const char *text, char *said)
{
    char *save = NULL;
    for (char *line = strtok_r(said, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char want[100];
        if (strncmp(line, "FAILED", 6) == 0) {
            printf("# %s\n", line);
            return false;
        }
        if (strcmp(line, "begin") == 0)
            continue;
        /* A line may be cut by the kill, never by the store. */
        snprintf(want, sizeof want, strncmp(line, "mark", 4) == 0 ? "\\\"%s\\\"}" : "\"%s\"", line);
        if (kit_times(text, want) != 1) {
            printf("# %s is there %d times\n", want, kit_times(text, want));
            return false;
        }
    }
    return true;
}

static long crash_now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* How long a child needs for its first two answers here: kills fall into that time. */
static long crash_calibrate(struct kit *k)
{
    int fds[2];
    char said[256] = "";
    size_t n = 0;
    long start = 0;
    if (pipe(fds) < 0)
        kit_die("pipe", NULL);
    pid_t pid = fork();
    if (pid == 0) {
        close(fds[0]);
        crash_said = fds[1];
        crash_child(k, CRASH_KILLS, "first");
    }
    close(fds[1]);
    for (ssize_t got; !strstr(said, "answer-500-1\n"); n += (size_t)got) {
        got = read(fds[0], said + n, sizeof said - 1 - n);
        if (got <= 0)
            kit_die("the child ended", NULL);
        said[n + (size_t)got] = '\0';
        start = start ? start : crash_now_us();
    }
    long taken = crash_now_us() - start;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(fds[0]);
    return taken;
}

static char *crash_export(struct kit *k, const char *session)
{
    hob_bytes b = {0};
    hob_error err;
    int r = hob_store_export(k->store, "one", session, &b, &err);
    if (r == HOB_ENOENT)
        return strdup("");
    if (r < 0)
        kit_die("export", &err);
    char *text = strdup(b.data);
    hob_free(b.data);
    return text;
}

static int crash_random(unsigned *seed, int below)
{
    *seed = *seed * 1103515245u + 12345u;
    return (int)((*seed >> 8) % (unsigned)below);
}

static void crash_worker(unsigned seed)
{
    struct kit k;
    char session[32] = "";
    char *before = strdup("");
    long entries = 0, cut = 0;
    kit_init(&k, "");
    k.agent.store = k.store;
    k.agent.event = NULL;
    long most = crash_calibrate(&k);
    for (int i = 0; i < CRASH_KILLS && unit_failed == 0; i++) {
        int fds[2];
        static char said[1 << 16];
        if (i % CRASH_EACH == 0) {
            snprintf(session, sizeof session, "s%d", i / CRASH_EACH);
            free(before);
            before = strdup("");
        }
        REQUIRE(pipe(fds) == 0);
        pid_t pid = fork();
        if (pid == 0) {
            close(fds[0]);
            crash_said = fds[1];
            crash_child(&k, i, session);
        }
        close(fds[1]);
        crash_watch(fds[0], pid, said, sizeof said, crash_random(&seed, (int)most));
        close(fds[0]);
        char *text = crash_export(&k, session);
        const char *wrong = kit_wrong(text, false);
        CHECK_STR(wrong, NULL);
        CHECK(strncmp(text, before, strlen(before)) == 0);
        CHECK(crash_kept(text, said));
        entries += kit_times(text, "\n") - kit_times(before, "\n");
        cut += kit_wrong(text, true) != NULL;
        if (i % CRASH_EACH == CRASH_EACH - 1) { /* the end of it: mended, everything is whole */
            hob_error err;
            REQUIRE(hob_init(NULL, &k.agent, "one", &k.h, &err) == 0);
            REQUIRE(hob_harness_session(k.h, session, HOB_SESSION_OPEN, &k.s, &err) == 0);
            WHOLE(kit_export(k.s));
            kit_close(&k);
        }
        free(before);
        before = text;
    }
    printf("# %d kills within %ld us, %ld entries, %ld ended inside of a call\n", CRASH_KILLS, most,
           entries, cut);
    CHECK(entries > CRASH_KILLS);
    CHECK(cut > 5);
    free(before);
    kit_fini(&k);
}

static void test_kills(void)
{
    pid_t workers[CRASH_WORKERS];
    /* What a killed process wrote is in the system's memory: no disk is needed for this. */
    if (access("/dev/shm", W_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 1);
    fflush(stdout);
    for (int i = 0; i < CRASH_WORKERS; i++) {
        workers[i] = fork();
        if (workers[i] == 0) {
            crash_worker((unsigned)i + 1);
            fflush(stdout);
            _exit(unit_failed != 0);
        }
    }
    for (int i = 0; i < CRASH_WORKERS; i++) {
        int status = -1;
        waitpid(workers[i], &status, 0);
        CHECK_EQ(status, 0);
    }
}

UNIT_MAIN(UNIT(test_kills))

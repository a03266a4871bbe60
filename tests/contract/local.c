/* local.c -- what is particular to sandboxes of the machine's own processes */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "contract.h"

static const struct kind local_kind = {"local", 0, 1, 0};

static hob_sandbox *local_box(const hob_sandbox_options *opt)
{
    hob_sandbox_options o = contract_options(&local_kind, "/tmp");
    hob_sandbox *box = NULL;
    hob_error err;
    if (hob_sandbox_open("local", opt ? opt : &o, &box, &err) < 0) {
        printf("# %s\n", err.msg);
        exit(1);
    }
    return box;
}

static int local_fds(void)
{
    int n = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

static int local_children(void)
{
    int status;
    return waitpid(-1, &status, WNOHANG) >= 0 || errno != ECHILD;
}

/* TM-LOC-1: the 14 names, what was added, and nothing else of the host's. */
static void test_environment(void)
{
    static char home[] = "HOME=/somewhere";
    static const char *const host[] = {"PATH=/usr/bin:/bin", home,     "API_KEY=canary",
                                       "SSH_AUTH_SOCK=x",    "TERM=t", "LANG=C",
                                       "BASH_ENV=/dev/null", "TZ=UTC", NULL};
    static const char *const env[] = {"MINE=yes", "TERM", "LANG=C.UTF-8", NULL};
    hob_sandbox_options o = {.size = sizeof o, .cwd = "/tmp", .host_env = host, .env = env};
    hob_sandbox *box = local_box(&o);
    home[5] = 'X'; /* a snapshot: this is not seen */
    RUN(box, "env | grep -v -e ^_= -e ^SHLVL= -e ^PWD= -e ^OLDPWD= | LC_ALL=C sort", 0,
        "HOME=/somewhere\nLANG=C.UTF-8\nMINE=yes\nPATH=/usr/bin:/bin\nTZ=UTC\n");
    hob_sandbox_free(box);
    hob_sandbox_options bare = {.size = sizeof bare, .cwd = "/tmp"};
    setenv("HOB_CANARY", "canary", 1);
    box = local_box(&bare); /* nothing is read that was not handed in */
    RUN(box, "/usr/bin/env | grep -c -e HOME -e canary", 1, "0\n");
    hob_sandbox_free(box);
}

/* TM-LOC-3: 10,000 calls leave no descriptor and no zombie. */
static void test_nothing_is_left(void)
{
    hob_sandbox *box = local_box(NULL);
    RUN(box, "true", 0, "");
    int before = local_fds(), bad = 0;
    for (int i = 0; i < 10000; i++) {
        hob_result res;
        hob_exec_options o = EXEC(.input = "x", .input_len = i % 2);
        bad += hob_exec(box, i % 4 ? ":" : "exit 1", &o, &res) != 0 || res.status != (i % 4 == 0);
        hob_result_free(&res);
    }
    CHECK_EQ(bad, 0);
    CHECK_EQ(local_fds(), before);
    CHECK_EQ(local_children(), 0);
    hob_sandbox_free(box);
    CHECK(local_fds() < before);
}

/* The stepped interface leaves nothing either, whatever way a call ends. */
static void test_nothing_is_left_stepped(void)
{
    hob_sandbox *box = local_box(NULL);
    hob_pending w = {.size = sizeof w};
    CHECK_EQ(hob_wait_for(box, &w), 0);
    int before = local_fds();
    for (int i = 0; i < 60; i++) {
        hob_job *job[4];
        hob_exec_options o = EXEC(.timeout_ns = i % 3 == 0 ? 20 * MS : 0);
        for (int j = 0; j < 4; j++)
            CHECK_EQ(hob_exec_start(box, j % 2 ? "sleep 5" : "echo x", &o, &job[j], NULL), 0);
        for (int turn = 0; turn < 3; turn++) {
            CHECK(hob_step(box, 0) >= 0);
            CHECK_EQ(hob_wait_for(box, &w), 0);
            CHECK(w.fd >= 0);
            hob_wait(box, 5 * MS);
        }
        for (int j = 0; j < 4; j++)
            CHECK_EQ(hob_job_finish(job[j], NULL), 0);
    }
    contract_settle(box, 5 * SECOND);
    CHECK_EQ(hob_step(box, 0), HOB_STEP_IDLE);
    CHECK_EQ(local_fds(), before);
    CHECK_EQ(local_children(), 0);
    hob_sandbox_free(box);
}

/* TM-LOC-2: who holds the pipe, leaves the group or hears no signal never holds up a call. */
static void test_those_who_stay(void)
{
    static const char *const scripts[] = {
        "setsid sleep 9 & echo x", "(trap '' TERM HUP; exec sleep 9) & echo x",
        "nohup sleep 9 > /dev/null 2>&1 & echo x",
        "setsid bash -c 'trap \"\" TERM; while :; do echo noise; sleep 0.02; done' & echo x",
        "bash -c 'sleep 9 & disown; exec sleep 9' & sleep 0.1; echo x"};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        hob_sandbox *box = local_box(NULL);
        hob_result res;
        int64_t t = contract_now();
        CHECK_EQ(hob_exec(box, scripts[i], NULL, &res), 0);
        CHECK_EQ(res.status, 0);
        CHECK(res.out && strstr(res.out, "x\n"));
        hob_result_free(&res);
        CHECK(contract_now() - t < 1500 * MS);
        t = contract_now();
        hob_sandbox_free(box);
        CHECK(contract_now() - t < 1500 * MS);
    }
    CHECK_EQ(local_children(), 0);
    hob_sandbox *box = local_box(NULL);
    hob_exec_options o = EXEC(.timeout_ns = 200 * MS);
    int64_t t = contract_now();
    RUN_WITH(box, "setsid sleep 9 & setsid bash -c 'trap \"\" TERM; sleep 9' & wait; echo never",
             &o, 124, "");
    CHECK(contract_now() - t < 4 * SECOND);
    hob_sandbox_free(box);
}

static void test_deadline_reaches_the_group(void)
{
    hob_sandbox *box = local_box(NULL);
    hob_exec_options o = EXEC(.timeout_ns = 300 * MS);
    hob_result res;
    /* A child of the shell, with the pipe closed and deaf: it goes with the group. */
    REQUIRE(hob_exec(box, "(trap '' TERM; exec > /dev/null 2>&1; sleep 9; sleep 9) & echo $!; wait",
                     &o, &res) == 0);
    CHECK_EQ(res.status, 124);
    int pid = atoi(res.out);
    hob_result_free(&res);
    struct timespec tick = {0, 10 * MS};
    for (int i = 0; i < 100 && kill(pid, 0) == 0; i++)
        nanosleep(&tick, NULL);
    char path[60], state = 'X';
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%*d %*s %c", &state) != 1)
        state = 'X';
    if (f)
        fclose(f);
    CHECK(pid > 0 && (state == 'X' || state == 'Z')); /* whoever adopted it may be slow to reap */
    hob_sandbox_free(box);
}

/* A server in the background goes on, its output is read, and it can be ended. */
static void test_background(void)
{
    hob_sandbox *box = local_box(NULL);
    hob_process *list;
    hob_bytes b = {0};
    size_t n;
    RUN(box, "(while :; do echo tick; sleep 0.05; done) & echo up", 0, NULL);
    contract_settle(box, 600 * MS);
    CHECK_EQ(hob_background_output(box, HOB_STDOUT, &b), 0);
    CHECK(b.len >= 10 && strncmp(b.data, "tick\n", 5) == 0);
    hob_free(b.data);
    REQUIRE(hob_processes(box, &list, &n) == 0);
    REQUIRE(n == 1);
    CHECK_EQ(hob_kill(box, -list[0].pid, SIGTERM), 0);
    hob_free(list);
    contract_settle(box, 2 * SECOND);
    CHECK_EQ(hob_step(box, 0), HOB_STEP_IDLE);
    CHECK_EQ(hob_processes(box, &list, &n), 0);
    CHECK_EQ(n, 0);
    hob_free(list);
    hob_sandbox_free(box);
}

/* Freeing the sandbox ends what runs in it, and hangs up on what was left. */
static void test_free_ends_all(void)
{
    hob_sandbox *box = local_box(NULL);
    hob_job *job;
    hob_result res;
    REQUIRE(hob_exec(box, "sleep 9 & echo $!", NULL, &res) == 0);
    int left = atoi(res.out);
    hob_result_free(&res);
    REQUIRE(hob_exec_start(box, "trap '' TERM; sleep 9", NULL, &job, NULL) == 0);
    hob_step(box, 0);
    int runs = hob_job_pid(job);
    CHECK(left > 0 && runs > 0 && kill(runs, 0) == 0);
    int64_t t = contract_now();
    hob_sandbox_free(box);
    CHECK(contract_now() - t < 1500 * MS);
    CHECK_EQ(kill(runs, 0), -1);
    struct timespec tick = {0, 10 * MS};
    char path[60], state = 'S';
    snprintf(path, sizeof path, "/proc/%d/stat", left);
    for (int i = 0; i < 100 && state != 'Z' && state != 'X'; i++) {
        FILE *f = fopen(path, "r");
        if (!f || fscanf(f, "%*d %*s %c", &state) != 1)
            state = 'X';
        if (f)
            fclose(f);
        nanosleep(&tick, NULL);
    }
    CHECK(state == 'Z' || state == 'X');
    CHECK_EQ(local_children(), 0);
}

/* The children and the signals of the embedding program are its own. */
static int local_signals;

static void local_on_child(int sig)
{
    (void)sig;
    local_signals++;
}

static void test_embedder_untouched(void)
{
    struct sigaction mine = {.sa_handler = local_on_child, .sa_flags = SA_RESTART}, now;
    sigaction(SIGCHLD, &mine, NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(7);
    hob_sandbox *box = local_box(NULL);
    for (int i = 0; i < 20; i++)
        RUN(box, "echo x", 0, "x\n");
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    sigaction(SIGCHLD, NULL, &now);
    CHECK(now.sa_handler == local_on_child && local_signals > 0);
    signal(SIGCHLD, SIG_DFL);
    /* What the program ignores or blocks is fresh in the sandbox. */
    signal(SIGPIPE, SIG_IGN);
    RUN(box, "yes | head -n 1; echo ${PIPESTATUS[0]}", 0, "y\n141\n");
    signal(SIGPIPE, SIG_DFL);
    static char big[200000];
    hob_exec_options o = EXEC(.input = big, .input_len = sizeof big);
    RUN_WITH(box, "exec 0<&-; sleep 0.1", &o, 0, ""); /* no SIGPIPE for us */
    hob_sandbox_free(box);
}

/* TM-LOC-5: a descriptor that the program forgot to mark is not for the sandbox. */
static void test_descriptors_stay_out(void)
{
    int fd = dup(0), in = dup(0);
    hob_sandbox *box = local_box(NULL);
    RUN(box, "for f in /proc/self/fd/*; do echo ${f##*/}; done | sort -n | tr '\\n' ' '", 0, NULL);
    hob_result res;
    char script[100];
    snprintf(script, sizeof script, "[ -e /proc/$$/fd/%d ] && echo leaked", fd);
    REQUIRE(hob_exec(box, script, NULL, &res) == 0);
    CHECK_STR(res.out, "");
    hob_result_free(&res);
    close(0); /* a program without stdin: pipes must not land there */
    RUN(box, "echo x; echo y >&2; cat", 0, "x\n");
    hob_exec_options o = EXEC(.input = "in", .input_len = 2);
    RUN_WITH(box, "cat", &o, 0, "in");
    dup2(in, 0);
    close(in);
    close(fd);
    hob_sandbox_free(box);
}

static void test_default_cap(void)
{
    hob_sandbox *box = local_box(NULL);
    hob_result res;
    REQUIRE(hob_exec(box, "head -c 80000000 /dev/zero; echo never", NULL, &res) == 0);
    CHECK_EQ(res.out_len, 64 << 20);
    CHECK_EQ(res.status, 1);
    CHECK_EQ(res.limit, HOB_LIMIT_OUTPUT);
    CHECK(strstr(res.err, "output limit of 67108864 bytes reached") != NULL);
    hob_result_free(&res);
    hob_sandbox_free(box);
}

/* TM-LOC-5: only what runs for the sandbox can be signalled through it. */
static void test_signals(void)
{
    hob_sandbox *box = local_box(NULL);
    hob_job *job;
    hob_result res;
    REQUIRE(hob_exec_start(box, "trap 'echo usr1; exit 5' USR1; while :; do sleep 0.02; done", NULL,
                           &job, NULL) == 0);
    hob_step(box, 0);
    int pid = hob_job_pid(job);
    CHECK(pid > 0);
    CHECK_EQ(hob_kill(box, (int)getpid(), SIGTERM), HOB_ESRCH);
    CHECK_EQ(hob_kill(box, (int)getppid(), 0), HOB_ESRCH);
    CHECK_EQ(hob_kill(box, 1, 0), HOB_ESRCH);
    CHECK_EQ(hob_kill(box, -1, 0), HOB_EINVAL);
    struct timespec tick = {0, 300 * MS};
    nanosleep(&tick, NULL);
    CHECK_EQ(hob_kill(box, pid, SIGUSR1), 0);
    contract_drive(box, job);
    CHECK_EQ(hob_job_signal(job, SIGTERM), HOB_ESRCH);
    CHECK_EQ(hob_job_finish(job, &res), 0);
    CHECK_EQ(res.status, 5);
    CHECK_STR(res.out, "usr1\n");
    hob_result_free(&res);
    REQUIRE(hob_exec_start(box, "sleep 9", NULL, &job, NULL) == 0);
    hob_step(box, 0);
    CHECK_EQ(hob_job_signal(job, SIGINT), 0);
    contract_drive(box, job);
    CHECK_EQ(hob_job_finish(job, &res), 0);
    CHECK_EQ(res.status, 130);
    CHECK_EQ(res.signal, SIGINT);
    CHECK_EQ(res.limit, HOB_LIMIT_NONE);
    hob_result_free(&res);
    hob_sandbox_free(box);
}

static void test_special_files(void)
{
    char dir[] = "/tmp/hob-local-XXXXXX", path[60];
    REQUIRE(mkdtemp(dir) != NULL);
    hob_sandbox_options o = contract_options(&local_kind, dir);
    hob_sandbox *box = local_box(&o);
    hob_bytes b = {0};
    snprintf(path, sizeof path, "%s/fifo", dir);
    REQUIRE(mkfifo(path, 0600) == 0);
    CHECK_EQ(hob_read(box, "fifo", &b), 0); /* never a wait */
    CHECK_EQ(b.len, 0);
    hob_free(b.data);
    CHECK_EQ(hob_write(box, "fifo", "x", 1), HOB_ENXIO);
    CHECK_EQ(hob_read(box, "/dev/zero", &b), HOB_EFBIG);
    CHECK_EQ(hob_rm(box, "fifo", 0), 0);
    /* A tree deeper than any path may be long. */
    RUN(box, "for i in {1..600}; do mkdir d0123456789 && cd d0123456789 || exit; done; echo x > f",
        0, "");
    CHECK_EQ(hob_rm(box, "d0123456789", HOB_RECURSIVE), 0);
    CHECK_EQ(hob_exists(box, "d0123456789"), 0);
    hob_sandbox_free(box);
    rmdir(dir);
}

static void test_shell_choice(void)
{
    static const char *const no_bash[] = {"PATH=/nowhere:relative", NULL};
    hob_sandbox_options o = {.size = sizeof o, .cwd = "/tmp", .host_env = no_bash};
    hob_sandbox *box = local_box(&o);
    RUN(box, "echo ${0##*/}", 0, "sh\n");
    hob_sandbox_free(box);
    box = local_box(NULL);
    RUN(box, "echo ${BASH_VERSION:+bash}", 0, "bash\n");
    hob_sandbox_free(box);
    hob_error err;
    CHECK_EQ(hob_sandbox_open("nothing", NULL, &box, &err), HOB_ENOENT);
    CHECK(box == NULL && strstr(err.msg, "nothing"));
    o.size = 3;
    CHECK_EQ(hob_sandbox_open("local", &o, &box, &err), HOB_EINVAL);
}

UNIT_MAIN(UNIT(test_environment), UNIT(test_nothing_is_left), UNIT(test_nothing_is_left_stepped),
          UNIT(test_those_who_stay), UNIT(test_deadline_reaches_the_group), UNIT(test_background),
          UNIT(test_free_ends_all), UNIT(test_embedder_untouched), UNIT(test_descriptors_stay_out),
          UNIT(test_default_cap), UNIT(test_signals), UNIT(test_special_files),
          UNIT(test_shell_choice))

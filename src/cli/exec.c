/* exec.c -- hob exec: one script, streamed */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

/* The one handle that a signal handler may touch. */
static hob_sandbox *volatile exec_box;

static void exec_on_signal(int sig)
{
    (void)sig;
    hob_sandbox *box = exec_box;
    if (box)
        hob_interrupt(box);
}

static int exec_write_all(int fd, const char *p, size_t n)
{
    while (n > 0) {
        ssize_t put = write(fd, p, n);
        if (put < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (put < 0)
            return errno == EPIPE ? HOB_EPIPE : HOB_EIO;
        p += put;
        n -= (size_t)put;
    }
    return 0;
}

static int exec_output(void *ud, int stream, const void *data, size_t len)
{
    (void)ud;
    return exec_write_all(stream, data, len);
}

/* stdin without blocking: other processes of the sandbox go on while it has nothing. */
static ptrdiff_t exec_input(void *ud, void *dst, size_t cap)
{
    (void)ud;
    struct pollfd p = {.fd = 0, .events = POLLIN};
    if (poll(&p, 1, 0) == 0)
        return HOB_EAGAIN;
    ssize_t n = read(0, dst, cap);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN ? HOB_EAGAIN : errno == EBADF ? 0 : HOB_EIO;
    return n;
}

#define SECOND INT64_C(1000000000)

/* After an interrupt real processes are told to end; they have two seconds for it. */
static void exec_settle(hob_sandbox *box)
{
    for (int i = 0; i < 120 && hob_step(box, 0) == HOB_STEP_WAIT; i++)
        hob_wait(box, SECOND / 50);
}

/* Runs the job to its end, waiting for timers and for stdin. */
static int exec_drive(hob_sandbox *box, hob_job *job)
{
    while (!hob_job_done(job)) {
        int r = hob_step(box, 0);
        if (r < 0)
            return r;
        if (r == HOB_STEP_MORE || hob_job_done(job))
            continue;
        hob_pending w = {.size = sizeof w};
        hob_wait_for(box, &w);
        if (w.until_ns < 0 && !w.input && w.fd < 0) {
            cli_error("deadlock: every process waits and nothing can wake it");
            return hob_job_signal(job, SIGKILL);
        }
        int ms = w.until_ns < 0 || w.until_ns > SECOND ? 1000 : (int)(w.until_ns / 1000000) + 1;
        if (w.input || w.fd >= 0) {
            struct pollfd p[2] = {{.fd = w.input ? 0 : -1, .events = POLLIN},
                                  {.fd = w.fd, .events = POLLIN}};
            poll(p, 2, ms);
        } else {
            hob_wait(box, w.until_ns);
        }
    }
    return 0;
}

static void exec_json(const hob_result *res, struct buf *diff, struct buf *b)
{
    static const char *const limits[] = {"",          "time",  "fuel",      "memory",  "output",
                                         "interrupt", "stack", "processes", "deadlock"};
    buf_addz(b, "{\"stdout\":");
    cli_json_string(b, res->out, res->out_len);
    buf_addz(b, ",\"stderr\":");
    cli_json_string(b, res->err, res->err_len);
    buf_printf(b, ",\"exit\":%d,\"signal\":%d,\"limit\":", res->status, res->signal);
    if (res->limit)
        buf_printf(b, "\"%s\",\"message\":\"%s\"", limits[res->limit], res->message);
    else
        buf_addz(b, "null");
    buf_printf(b, ",\"time_ms\":%.3f", (double)res->time_ns / 1e6);
    if (diff->n)
        buf_addz(b, ",\"diff\":"), buf_str(b, buf_get(diff));
    buf_addz(b, "}\n");
}

static int64_t exec_clock(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* A moment that parts changes of files before it from those after. Files are stamped by the fine
 * clock or by one that lags a tick behind: waiting for the tick makes the two agree. */
static int64_t exec_file_clock(void)
{
    int64_t now = exec_clock(CLOCK_REALTIME);
    struct timespec tick = {0, 1000000};
    for (int i = 0; i < 50 && exec_clock(CLOCK_REALTIME_COARSE) <= now; i++)
        nanosleep(&tick, NULL);
    return now;
}

/* After the run: the differences, shown and written back. 0, or an exit status. */
static int exec_changes(const struct cli_options *o, hob_sandbox *before, hob_sandbox *box,
                        const hob_snapshot *snap, struct buf *diff, int64_t started)
{
    hob_change *c;
    size_t n;
    int r = hob_snapshot_diff(box, snap, NULL, &c, &n);
    if (r < 0)
        return cli_error("diff: %s", hob_error_text(r));
    r = o->diff ? cli_diff(diff, before, box, c, n, o->json) : 0;
    if (r == 0 && o->apply)
        r = cli_apply(o, box, c, n, started);
    hob_free(c);
    return r;
}

static bool exec_stdin_null(void)
{
    struct stat in, null;
    return fstat(0, &in) == 0 && S_ISCHR(in.st_mode) && stat("/dev/null", &null) == 0 &&
           in.st_rdev == null.st_rdev;
}

static int exec_run(const struct cli_options *o, hob_sandbox *box, const char *script, size_t len,
                    hob_result *res)
{
    hob_exec_options eo = {
        .size = sizeof eo,
        .cwd = o->sandbox ? NULL : o->cwd,
        .read = exec_stdin_null() ? NULL : exec_input,
        .argv = (const char *const *)o->argv,
        .timeout_ns = o->timeout_ns,
        .output = o->json ? NULL : exec_output,
        .script_len = len,
        .name = o->file ? o->file : NULL,
    };
    hob_job *job;
    hob_error err;
    if (hob_exec_start(box, len ? script : " ", &eo, &job, &err) < 0)
        return cli_error("%s", err.msg);
    exec_box = box;
    int r = exec_drive(box, job);
    exec_box = NULL;
    int done = hob_job_finish(job, res);
    if (o->sandbox && res->limit == HOB_LIMIT_INTERRUPT)
        exec_settle(box);
    r = r < 0 ? r : done;
    if (r < 0 && r != HOB_EPIPE)
        return cli_error("%s%s%s", o->sandbox && o->cwd ? o->cwd : "",
                         o->sandbox && o->cwd ? ": " : "", hob_error_text(r));
    if (r == HOB_EPIPE)
        res->status = 141;
    if (res->limit && !o->json)
        cli_error("%s", res->message);
    if (res->limit && res->status == 0)
        res->status = CLI_FAILED;
    return 0;
}

static int exec_all(const struct cli_options *o, hob_sandbox *box, const char *script, size_t len)
{
    hob_sandbox *before = NULL;
    hob_snapshot *snap = NULL;
    hob_result res = {0};
    struct heap h;
    struct buf diff, b;
    cli_heap(&h);
    buf_init(&diff, &h);
    buf_init(&b, &h);
    int64_t started = o->apply ? exec_file_clock() : 0;
    int r = 0;
    if (o->diff || o->apply)
        r = hob_snapshot_take(box, &snap) < 0 || hob_sandbox_fork(box, &before) < 0
                ? cli_error("out of memory")
                : 0;
    if (r == 0)
        r = exec_run(o, box, script, len, &res);
    int status = r ? r : res.status;
    if (r == 0 && snap) {
        r = exec_changes(o, before, box, snap, &diff, started);
        status = r ? r : status;
    }
    if (o->json && res.out)
        exec_json(&res, &diff, &b);
    else
        buf_str(&b, buf_get(&diff));
    if (exec_write_all(1, buf_get(&b).p, b.n) < 0 && status == 0)
        status = cli_error("stdout: cannot write");
    buf_fini(&b);
    buf_fini(&diff);
    if (res.out)
        hob_result_free(&res);
    hob_snapshot_free(snap);
    hob_sandbox_free(before);
    return status;
}

static int exec_start(const struct cli_options *o)
{
    int given = (o->script != NULL) + (o->file != NULL) + (o->argv != NULL);
    if (given != 1)
        return cli_usage("exec", given ? "one of SCRIPT, -f FILE and -- ARGV is enough"
                                       : "there is nothing to run");
    if (o->argv && !o->argv[0])
        return cli_usage("exec", "--: the words of a command are missing");
    size_t len = o->script ? strlen(o->script) : 0;
    char *text = o->file ? cli_read_file(o->file, &len) : NULL;
    if (o->file && !text)
        return cli_error("%s: %s", o->file, strerror(errno));
    hob_sandbox *box;
    int r = cli_sandbox(o, &box);
    if (r == 0) {
        struct sigaction sa = {.sa_handler = exec_on_signal};
        sigaction(SIGINT, &sa, NULL);
        sigaction(SIGTERM, &sa, NULL);
        signal(SIGPIPE, SIG_IGN); /* TM-INP-4 */
        r = exec_all(o, box, text ? text : o->script, len);
        hob_sandbox_free(box);
    }
    free(text);
    return r;
}

static int exec_main(int argc, char **argv)
{
    struct cli_options o;
    int r = cli_parse(&o, &cli_exec, argc, argv);
    if (r == 0 && o.help)
        cli_print_help(&cli_exec);
    else if (r == 0)
        r = exec_start(&o);
    cli_options_fini(&o);
    return r;
}

const struct cli_command cli_exec = {
    .name = "exec",
    .usage = "exec [OPTION]... SCRIPT | -f FILE | -- ARGV...",
    .summary = "Run a script in a fresh sandbox and end with its exit status.",
    .help =
        "      --sandbox KIND    virtual (the default); local: the host's own shell and files,\n"
        "                        nothing is isolated; exec: local, files by commands alone\n"
        "  -C DIR                start in this folder of the sandbox\n"
        "  -f, --file FILE       take the script from a file of the host; - is stdin\n"
        "      --mount HOST:GUEST[:KIND]\n"
        "                        show a folder of the host; KIND is ro, rw (the default),\n"
        "                        overlay (changes stay in memory) or copy\n"
        "      --env NAME=VALUE  set a variable; a local sandbox has 14 of the host's beside\n"
        "      --timeout SECONDS end the script after so long, with status 124\n"
        "      --memory SIZE     limit for everything, files included: 64M, 1G\n"
        "      --allow-net       open the network: every public address; else nothing leaves\n"
        "      --allow-url PREFIX[,METHOD]...\n"
        "                        let requests go to URLs that begin so; GET and HEAD unless\n"
        "                        methods are named, * is all; may be given again\n"
        "      --allow-private   addresses of this machine and of private nets, too\n"
        "      --secret HOST,HEADER,VARIABLE\n"
        "                        requests to HOST get this header, its value from the host's\n"
        "                        environment; nothing in the sandbox can see it\n"
        "      --ca-file FILE    certificates to trust, instead of the system's\n"
        "      --diff            afterwards show what changed in the files\n"
        "      --apply           write the changes of overlay mounts back, all or nothing\n"
        "      --json            print one JSON object instead of the output\n"
        "      --help            show this help\n"
        "\n"
        "stdin is passed to the script. Status: the script's; 124 after the timeout, 125 when\n"
        "hob itself failed, 2 for wrong options.\n",
    .run = exec_main,
};

/* timeout.c -- run a command and end it after a time */
#include "shell/command.h"

#include "base/error.h"
#include "commands/lib/launch.h"
#include "text/number.h"

enum {
    TIMEOUT_TIMED_OUT = 124,
    TIMEOUT_FAILED = 125
};

struct timeout {
    bool preserve, foreground, verbose;
    struct str kill_after, signal;
};

static const struct opt timeout_opts[] = {
    OPT_FLAG(0, "preserve-status", struct timeout, preserve,
             "exit with the status of COMMAND also when it times out"),
    OPT_FLAG(0, "foreground", struct timeout, foreground,
             "let COMMAND stay in the foreground; its children are not timed"),
    OPT_STRING('k', "kill-after", struct timeout, kill_after, "DURATION",
               "send KILL too if it still runs this long after"),
    OPT_STRING('s', "signal", struct timeout, signal, "SIGNAL", "send this signal, not TERM"),
    OPT_FLAG('v', "verbose", struct timeout, verbose, "tell when a signal is sent"),
    OPT_END,
};

static void timeout_send(struct proc *p, const struct timeout *t, int pid, int sig, struct str name)
{
    if (t->verbose) {
        const char *sname = signal_name(sig);
        proc_warn(p, "sending signal %s to command %s", sname ? sname : "?", proc_quote(p, name));
    }
    proc_kill(p, t->foreground ? pid : -pid, sig);
    if (!t->foreground && sig != SIG_KILL && sig != SIG_CONT)
        proc_kill(p, -pid, SIG_CONT);
}

/* Waits until it ends or the time is over. 1 ended, 0 time is over, < 0. */
static int timeout_wait(struct proc *p, int pid, int64_t ns, int *status, int *sig)
{
    int64_t now = sched_now(&p->kernel->sched);
    int64_t deadline = ns <= 0 || ns > INT64_MAX - now ? INT64_MAX : now + ns;
    int r;
    do
        r = proc_wait(p, pid, deadline, status, sig);
    while (r == HOB_EINTR);
    return r == HOB_ETIMEDOUT ? 0 : r < 0 ? r : 1;
}

static int timeout_watch(struct proc *p, const struct timeout *t, int pid, int64_t limit,
                         int64_t kill_after, int sig)
{
    int status = 0, died = 0;
    int r = timeout_wait(p, pid, limit, &status, &died);
    if (r > 0 && died) {
        proc_signal(p, died); /* ends the same way as the command */
        return proc_check(p) < 0 ? HOB_EKILLED : status;
    }
    if (r)
        return r < 0 ? r : status;
    timeout_send(p, t, pid, sig, p->argv[1]);
    bool killed = sig == SIG_KILL;
    if (kill_after > 0) {
        r = timeout_wait(p, pid, kill_after, &status, &died);
        if (r < 0)
            return r;
        if (r == 0) {
            timeout_send(p, t, pid, SIG_KILL, p->argv[1]);
            killed = true;
        } else {
            return t->preserve ? status : TIMEOUT_TIMED_OUT;
        }
    }
    r = timeout_wait(p, pid, 0, &status, &died);
    if (r < 0)
        return r;
    if (killed && died == SIG_KILL) {
        proc_signal(p, SIG_KILL); /* which goes to the whole group, timeout included */
        return proc_check(p) < 0 ? HOB_EKILLED : 128 + SIG_KILL;
    }
    return t->preserve ? status : TIMEOUT_TIMED_OUT;
}

static int timeout_run(struct proc *p, void *args)
{
    struct timeout *t = args;
    int64_t limit, kill_after = 0;
    int sig = SIG_TERM;

    if (p->argc < 2)
        return proc_usage(p);
    if (t->signal.p && (sig = signal_number(t->signal)) < 0) {
        proc_warn(p, "%s: invalid signal", proc_quote(p, t->signal));
        return proc_usage(p);
    }
    if ((t->kill_after.p && number_interval(t->kill_after, &kill_after) < 0)) {
        proc_warn(p, "invalid time interval %s", proc_quote(p, t->kill_after));
        return proc_usage(p);
    }
    if (number_interval(p->argv[0], &limit) < 0) {
        proc_warn(p, "invalid time interval %s", proc_quote(p, p->argv[0]));
        return proc_usage(p);
    }
    struct exec_opts o = {.spawn = true, .new_group = !t->foreground};
    int pid = launch_run(p, p->argv + 1, p->argc - 1, &o);
    if (pid == HOB_ENOENT || pid == HOB_EACCES) {
        proc_warn(p, "failed to run command %s: %s", proc_quote(p, p->argv[1]), error_text(pid));
        return pid == HOB_ENOENT ? 127 : 126;
    }
    return pid < 0 ? pid : timeout_watch(p, t, pid, limit, kill_after, sig);
}

const struct command cmd_timeout = {
    .name = "timeout",
    .usage = "[OPTION] DURATION COMMAND [ARG]...",
    .summary = "Run COMMAND, and end it if it still runs after DURATION.",
    .notes = "DURATION is a number with a unit: s (default), m, h or d; 0 is no limit. The exit "
             "status is\n"
             "124 when COMMAND timed out, 125 when timeout itself fails, 126 and 127 when COMMAND "
             "cannot\n"
             "be run or found, 137 when it was killed, and else that of COMMAND.",
    .opts = timeout_opts,
    .args_size = sizeof(struct timeout),
    .flags = CMD_POSIXLY,
    .usage_status = TIMEOUT_FAILED,
    .run = timeout_run,
};

/* builtin_job.c -- jobs fg bg wait disown kill suspend */
#include "base/error.h"
#include "base/utf8.h"
#include "shell/builtin_control.h"
#include "shell/inner.h"

/* ---- naming jobs ----------------------------------------------------------------------------- */

static struct job *jobs_named(struct shell *sh, struct str spec)
{
    bool ambiguous;
    struct job *j = job_find(sh, spec, &ambiguous);
    if (ambiguous)
        shell_builtin_error(sh, "%.*s: ambiguous job spec",
                            STR_ARG(spec.n && spec.p[0] == '%' ? str_from(spec, 1) : spec));
    if (!j)
        shell_builtin_error(sh, "%.*s: no such job", STR_ARG(spec));
    return j;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* jobs -x: %n in the words of a command becomes its process group. */
static int jobs_exec(struct shell *sh, struct str *argv, int argc)
{
    struct str *words = arena_array(&sh->arena, struct str, argc + 1);
    bool ambiguous;
    if (!words)
        return 1;
    for (int i = 0; i < argc; i++) {
        struct job *j = argv[i].n && argv[i].p[0] == '%' ? job_find(sh, argv[i], &ambiguous) : NULL;
        words[i] = j ? arena_printf(&sh->arena, "%d", j->pgid) : argv[i];
    }
    return argc ? eval_words(sh, words, argc, 0) : 0;
}

enum {
    JOBS_RUNNING = 1,
    JOBS_STOPPED = 2,
    JOBS_NEW = 4
};

static bool jobs_wanted(const struct job *j, int which)
{
    if (j->hidden || (which & JOBS_NEW && j->notified))
        return false;
    if (which & JOBS_RUNNING && (job_is_done(j) || j->stopped))
        return false;
    return !(which & JOBS_STOPPED) || j->stopped;
}

static int jobs_run(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {0};
    int how = 0, which = 0, status = 0;
    struct buf b;
    for (int c; (c = builtin_getopt(sh, &g, argv, argc, "lpnxrs")) != -1;) {
        switch (c) {
        case 'l': how = JOB_LONG; break;
        case 'p': how = JOB_PIDS; break;
        case 'n': which |= JOBS_NEW; break;
        case 'r': which |= JOBS_RUNNING; break;
        case 's': which |= JOBS_STOPPED; break;
        case 'x': return jobs_exec(sh, argv + g.at, argc - g.at);
        default: return builtin_usage(sh);
        }
    }
    job_poll(sh);
    buf_init(&b, sh->heap);
    for (int i = g.at; i < argc; i++) {
        struct job *j = jobs_named(sh, argv[i]);
        if (j)
            job_print(sh, &b, j, how);
        else
            status = 1;
    }
    struct job *next;
    for (struct job *j = sh->jobs; j; j = next) {
        next = j->next;
        if (g.at >= argc && jobs_wanted(j, which)) {
            job_print(sh, &b, j, how);
            j->notified = !(how & JOB_PIDS);
        }
        if (job_is_done(j) && !j->hidden && j->notified && !(how & JOB_PIDS))
            job_remove(sh, j);
    }
    builtin_out(sh, &b);
    buf_fini(&b);
    return status;
}

/* ---- fg and bg ------------------------------------------------------------------------------- */

static int jobs_resume(struct shell *sh, struct str spec, bool foreground)
{
    struct job *j = jobs_named(sh, spec);
    struct buf b;
    if (!j)
        return 1;
    if (!foreground && !j->stopped && !job_is_done(j)) {
        shell_builtin_error(sh, "job %d already in background", j->id);
        return 0;
    }
    buf_init(&b, sh->heap);
    if (foreground)
        buf_printf(&b, "%.*s\n", STR_ARG(j->text));
    else
        buf_printf(&b, "[%d]%c %.*s &\n", j->id, j->id == sh->current_job ? '+' : '-',
                   STR_ARG(j->text));
    builtin_out(sh, &b);
    buf_fini(&b);
    for (int i = 0; i < j->n; i++)
        if (!j->procs[i].done)
            proc_kill(sh->proc, j->procs[i].pid, SIG_CONT);
    if (!foreground)
        return 0;
    int status;
    do {
        status = job_wait(sh, j);
        if (status == HOB_EINTR)
            trap_collect(sh);
    } while (status == HOB_EINTR);
    if (status == HOB_EKILLED)
        return eval_killed(sh);
    const struct job_proc *last = &j->procs[j->n - 1];
    if (last->sig == SIG_TERM)
        job_tell_signal(sh, last->pid, SIG_TERM, NULL);
    else if (last->sig)
        job_tell_signal_text(sh, last->pid, last->sig, j->text);
    job_remove(sh, j);
    return status < 0 ? 127 : status;
}

static int jobs_fg_bg(struct shell *sh, struct str *argv, int argc, bool foreground)
{
    int at, status = 0;
    if (!SH_OPT(sh, OPT_MONITOR)) {
        shell_builtin_error(sh, "no job control");
        return 1;
    }
    if (!builtin_no_options(sh, argv, argc, &at))
        return 2;
    job_poll(sh);
    if (at >= argc) {
        if (!sh->current_job || !sh->jobs) {
            shell_builtin_error(sh, "current: no such job");
            return 1;
        }
        return jobs_resume(sh, STR("%+"), foreground);
    }
    for (; at < argc; at++)
        status = jobs_resume(sh, argv[at], foreground);
    return status;
}

static int jobs_fg(struct shell *sh, struct str *argv, int argc)
{
    return jobs_fg_bg(sh, argv, argc, true);
}

static int jobs_bg(struct shell *sh, struct str *argv, int argc)
{
    return jobs_fg_bg(sh, argv, argc, false);
}

static int jobs_suspend(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {0};
    bool force = false;
    for (int c; (c = builtin_getopt(sh, &g, argv, argc, "f")) != -1;) {
        if (c != 'f')
            return builtin_usage(sh);
        force = true;
    }
    if (g.at < argc) {
        shell_builtin_error(sh, "too many arguments");
        sh->ctl = sh->interactive ? CTL_ABORT : CTL_EXIT;
        return sh->status = 1;
    }
    if (!force && !SH_OPT(sh, OPT_MONITOR)) {
        shell_builtin_error(sh, "cannot suspend: no job control");
        return 1;
    }
    proc_signal(sh->proc, SIG_STOP);
    return proc_tick(sh->proc, 1) < 0 ? eval_killed(sh) : 0;
}

/* ---- disown ---------------------------------------------------------------------------------- */

static int jobs_disown(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {0};
    bool all = false, running = false, keep = false;
    int status = 0;
    for (int c; (c = builtin_getopt(sh, &g, argv, argc, "ahr")) != -1;) {
        switch (c) {
        case 'a': all = true; break;
        case 'h': keep = true; break;
        case 'r': running = true; break;
        default: return builtin_usage(sh);
        }
    }
    job_poll(sh);
    if (g.at >= argc && (all || running)) {
        struct job *next;
        for (struct job *j = sh->jobs; j; j = next) {
            next = j->next;
            if (j->hidden || (running && job_is_done(j)))
                continue;
            j->nohup = true;
            if (!keep)
                job_remove(sh, j);
        }
        return 0;
    }
    for (int i = g.at; i < argc || i == g.at; i++) {
        uint64_t pid;
        bool ambiguous = false;
        struct str spec = i < argc ? argv[i] : STR("%+");
        struct job *j = i < argc && str_uint(spec, &pid) == 0 && pid < INT_MAX
                            ? job_by_pid(sh, (int)pid)
                            : job_find(sh, spec, &ambiguous);
        if (!j) {
            shell_builtin_error(sh, "%.*s: no such job", STR_ARG(i < argc ? spec : STR("current")));
            status = 1;
            continue;
        }
        j->nohup = true;
        if (!keep)
            job_remove(sh, j);
    }
    return status;
}

/* ---- wait ------------------------------------------------------------------------------------ */

struct jobs_wait_opts {
    bool next, force;
    struct str var;
};

/* A trapped signal has ended the wait: its number decides the status. */
static int jobs_wait_interrupted(struct shell *sh)
{
    int sig = 0;
    trap_collect(sh);
    for (int s = 1; s <= SIG_RTMAX && !sig; s++)
        if (sh->traps_pending & SIG_BIT(s) && s != SIG_CHLD)
            sig = s;
    return 128 + sig;
}

static int jobs_wait_failed(struct shell *sh, int err)
{
    return err == HOB_EKILLED ? eval_killed(sh) : jobs_wait_interrupted(sh);
}

static int jobs_wait_all(struct shell *sh)
{
    job_poll(sh);
    job_notify(sh);
    for (;;) {
        struct job *j = sh->jobs;
        while (j && (j->foreign || job_is_done(j) || (j->hidden && j->procs[0].pid != sh->last_bg)))
            j = j->next;
        if (!j)
            break;
        int r = job_wait(sh, j);
        if (r == HOB_ECHILD)
            job_remove(sh, j);
        else if (r < 0)
            return jobs_wait_failed(sh, r);
        job_notify(sh);
    }
    return 0;
}

static void jobs_wait_set_var(struct shell *sh, const struct jobs_wait_opts *o, int pid)
{
    struct sym *s = o->var.p ? sym_intern(sh, o->var) : NULL;
    if (s)
        var_set_int(sh, s, pid);
}

static int jobs_wait_one(struct shell *sh, struct str id, const struct jobs_wait_opts *o)
{
    uint64_t pid;
    struct job *j;
    int r;
    if (id.n && id.p[0] == '%') {
        bool ambiguous;
        j = job_find(sh, id, &ambiguous);
        if (!j || j->foreign) {
            shell_builtin_error(sh, "%.*s: no such job", STR_ARG(id));
            return 127;
        }
        pid = (uint64_t)j->procs[j->n - 1].pid;
        r = job_wait(sh, j);
    } else {
        if (!id.n || str_uint(id, &pid) < 0 || pid > INT_MAX) {
            shell_builtin_error(sh, "`%.*s': not a pid or valid job spec", STR_ARG(id));
            return 1;
        }
        j = job_by_pid(sh, (int)pid);
        r = job_done_status(sh, (int)pid, &r) ? r : HOB_ECHILD;
        if (r == HOB_ECHILD && j)
            r = job_wait(sh, j);
        if (r == HOB_ECHILD) {
            shell_error(sh, "%s: pid %.*s is not a child of this shell", sh->builtin->name,
                        STR_ARG(id));
            return 127;
        }
    }
    if (r < 0)
        return jobs_wait_failed(sh, r);
    jobs_wait_set_var(sh, o, (int)pid);
    job_notify(sh);
    return r;
}

static bool jobs_wait_among(struct shell *sh, struct job *j, struct str *ids, int n)
{
    if (!n)
        return true;
    for (int i = 0; i < n; i++) {
        uint64_t pid;
        bool ambiguous;
        if (ids[i].n && ids[i].p[0] == '%') {
            if (job_find(sh, ids[i], &ambiguous) == j)
                return true;
        } else if (str_uint(ids[i], &pid) == 0 && pid < INT_MAX && job_by_pid(sh, (int)pid) == j) {
            return true;
        }
    }
    return false;
}

/* Complains about what cannot be waited for. */
static void jobs_wait_check(struct shell *sh, struct str id)
{
    uint64_t pid;
    bool ambiguous;
    if (id.n && id.p[0] == '%') {
        if (!job_find(sh, id, &ambiguous))
            shell_builtin_error(sh, "%.*s: no such job", STR_ARG(id));
    } else if (!id.n || str_uint(id, &pid) < 0 || pid > INT_MAX) {
        shell_builtin_error(sh, "`%.*s': not a pid or valid job spec", STR_ARG(id));
    } else if (!job_by_pid(sh, (int)pid)) {
        shell_builtin_error(sh, "%.*s: no such job", STR_ARG(id));
    }
}

static int jobs_wait_next(struct shell *sh, struct str *ids, int n, const struct jobs_wait_opts *o)
{
    for (int i = 0; i < n; i++)
        jobs_wait_check(sh, ids[i]);
    for (;;) {
        bool any = false;
        job_poll(sh);
        for (struct job *j = sh->jobs; j; j = j->next) {
            if (j->hidden || j->foreign || j->notified || !jobs_wait_among(sh, j, ids, n))
                continue;
            any = true;
            if (!job_is_done(j))
                continue;
            int status = job_status(sh, j), pid = j->procs[j->n - 1].pid;
            j->notified = true;
            jobs_wait_set_var(sh, o, pid);
            job_remove(sh, j);
            job_reap(sh);
            return status;
        }
        if (!any)
            return 127;
        int r = proc_wait_on(sh->proc, &sh->proc->changed, INT64_MAX);
        if (r < 0)
            return jobs_wait_failed(sh, r);
    }
}

static int jobs_wait(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {0};
    struct jobs_wait_opts o = {0};
    int status = 0;
    for (int c; (c = builtin_getopt(sh, &g, argv, argc, "fnp:")) != -1;) {
        switch (c) {
        case 'f': o.force = true; break;
        case 'n': o.next = true; break;
        case 'p': o.var = g.arg; break;
        default: return builtin_usage(sh);
        }
    }
    if (o.var.p) {
        if (!parse_is_name(o.var)) {
            shell_builtin_error(sh, "`%.*s': not a valid identifier", STR_ARG(o.var));
            return 1;
        }
        struct sym *s = sym_find(sh, o.var);
        if (s)
            var_unset(sh, s, 0);
    }
    if (o.next)
        return jobs_wait_next(sh, argv + g.at, argc - g.at, &o);
    if (g.at >= argc)
        return jobs_wait_all(sh);
    for (int i = g.at; i < argc; i++) {
        status = jobs_wait_one(sh, argv[i], &o);
        if (trap_pending(sh) || sh->ctl != CTL_NONE)
            break;
    }
    return status;
}

/* ---- kill ------------------------------------------------------------------------------------ */

/* All names in five columns, as `kill -l` and `trap -l` print them. */
void signals_print(struct buf *b)
{
    int column = 0;
    for (int i = 1; i <= SIG_RTMAX; i++) {
        if (!trap_name(i))
            continue;
        buf_printf(b, "%2d) %s", i, trap_name(i));
        if (++column < 5) {
            buf_putc(b, '\t');
        } else {
            buf_putc(b, '\n');
            column = 0;
        }
    }
    if (column)
        buf_putc(b, '\n');
}

static int jobs_kill_list(struct shell *sh, struct str *argv, int argc)
{
    struct buf b;
    int status = 0;
    buf_init(&b, sh->heap);
    if (!argc)
        signals_print(&b);
    for (int i = 0; i < argc; i++) {
        uint64_t n;
        int sig;
        if (str_uint(argv[i], &n) == 0) {
            if (n > 128 && n <= 128 + SIG_RTMAX)
                n -= 128;
            const char *name = n <= SIG_RTMAX ? trap_name((int)n) : NULL;
            if (name) {
                buf_printf(&b, "%s\n", strncmp(name, "SIG", 3) == 0 ? name + 3 : name);
                continue;
            }
        } else if ((sig = trap_number(argv[i])) >= 0) {
            buf_printf(&b, "%d\n", sig);
            continue;
        }
        shell_builtin_error(sh, "%.*s: invalid signal specification", STR_ARG(argv[i]));
        status = 1;
    }
    builtin_out(sh, &b);
    buf_fini(&b);
    return status;
}

static int jobs_kill_one(struct shell *sh, struct str target, int sig)
{
    int64_t pid;
    int r = 0;
    if (target.n && target.p[0] == '%') {
        struct job *j = jobs_named(sh, target);
        if (!j)
            return 1;
        for (int i = 0; i < j->n; i++)
            if (!j->procs[i].done)
                r = proc_kill(sh->proc, j->procs[i].pid, sig);
        return r < 0;
    }
    if (str_int(target, &pid) < 0 || pid > INT_MAX || pid < -INT_MAX) {
        shell_builtin_error(sh, "%.*s: arguments must be process or job IDs", STR_ARG(target));
        return 1;
    }
    r = proc_kill(sh->proc, (int)pid, sig);
    if (r < 0)
        shell_builtin_error(sh, "(%lld) - %s", (long long)pid, error_text(r));
    return r < 0;
}

static int jobs_kill_run(struct shell *sh, struct str *argv, int argc)
{
    int sig = SIG_TERM, at = 1, bad = 0, sent = 0;
    while (at < argc && argv[at].n > 1 && argv[at].p[0] == '-') {
        struct str w = argv[at++];
        if (str_eq(w, STR("--")))
            break;
        if (str_eq(w, STR("-l")) || str_eq(w, STR("-L")))
            return jobs_kill_list(sh, argv + at, argc - at);
        bool separate = str_eq(w, STR("-s")) || str_eq(w, STR("-n"));
        if (separate && at >= argc) {
            shell_builtin_error(sh, "%.*s: option requires an argument", STR_ARG(w));
            return 1;
        }
        struct str name = separate ? argv[at++] : str_from(w, 1);
        if (!separate && name.n > 1 && (name.p[0] == 's' || name.p[0] == 'n') &&
            trap_number(name) < 0)
            name = str_from(name, 1);
        if (str_eq(w, STR("--help"))) {
            struct getopt_state g = {0};
            builtin_getopt(sh, &g, argv, argc, "");
            return builtin_usage(sh);
        }
        sig = str_eqz(name, "0") ? 0 : trap_number(name);
        if (sig < 0 || sig > SIG_RTMAX) {
            shell_builtin_error(sh, "%.*s: invalid signal specification", STR_ARG(name));
            return 1;
        }
        if (!separate) {
            if (at < argc && str_eq(argv[at], STR("--")))
                at++;
            break;
        }
    }
    if (at >= argc)
        return builtin_usage(sh);
    for (; at < argc; at++) {
        if (jobs_kill_one(sh, argv[at], sig))
            bad++;
        else
            sent++;
    }
    if (proc_check(sh->proc) < 0)
        return eval_killed(sh);
    return sent ? 0 : bad ? 1 : 0;
}

/* ---- entries --------------------------------------------------------------------------------- */

const struct builtin builtin_jobs = {
    "jobs", jobs_run, 0, "jobs [-lnprs] [jobspec ...] or jobs -x command [args]",
    "Lists the jobs of this shell.\n"
    "  -l  with process ids\n"
    "  -n  only those whose state has changed since it was last told\n"
    "  -p  process ids only\n"
    "  -r  only running ones\n"
    "  -s  only stopped ones\n"
    "  -x  runs a command with each jobspec replaced by its process id"};
const struct builtin builtin_fg = {"fg", jobs_fg, 0, "fg [job_spec]",
                                   "Brings a job to the foreground and waits for it."};
const struct builtin builtin_bg = {"bg", jobs_bg, 0, "bg [job_spec ...]",
                                   "Lets stopped jobs go on in the background."};
const struct builtin builtin_suspend = {
    "suspend", jobs_suspend, 0, "suspend [-f]",
    "Stops this shell until it gets SIGCONT.\n  -f  also a login shell"};
const struct builtin builtin_disown = {"disown", jobs_disown, 0,
                                       "disown [-h] [-ar] [jobspec ... | pid ...]",
                                       "Takes jobs out of the list.\n"
                                       "  -a  all\n"
                                       "  -h  leaves them in the list, but sends no SIGHUP\n"
                                       "  -r  running ones only"};
const struct builtin builtin_wait = {
    "wait", jobs_wait, 0, "wait [-fn] [-p var] [id ...]",
    "Waits for jobs or processes of this shell and returns the status of the last one.\n"
    "  -f      until they end, not only change state\n"
    "  -n      for the next one to end\n"
    "  -p var  sets var to the process or job whose status is returned"};
const struct builtin builtin_kill = {
    "kill", jobs_kill_run, 0,
    "kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]",
    "Sends a signal, SIGTERM if none is named, to processes or jobs.\n"
    "  -s sig  by name\n"
    "  -n sig  by number\n"
    "  -l      lists the names, or translates numbers and names"};

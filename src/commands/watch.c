/* watch.c -- run a command again and again, one frame after the other
 *
 * Without a terminal frames are printed below each other. It goes on until -g or -e ends it, or the
 * deadline or the fuel of the run.
 */
#include "base/error.h"
#include "commands/lib/getdate.h"
#include "commands/lib/launch.h"
#include "shell/command.h"
#include "text/date.h"
#include "text/number.h"

struct watch {
    struct str interval;
    bool no_title, on_change, on_error, exec, beep, color, precise, no_wrap;
    int differences;
};

static int watch_opt_differences(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p;
    (void)o;
    (void)arg;
    ((struct watch *)args)->differences = 1;
    return 0;
}

static const struct opt watch_opts[] = {
    OPT_FLAG('b', "beep", struct watch, beep, "ring when the command fails"),
    OPT_FLAG('c', "color", struct watch, color, "let colours pass"),
    OPT_CALL_OPTIONAL('d', "differences", watch_opt_differences, "permanent",
                      "(accepted) show what changed"),
    OPT_FLAG('e', "errexit", struct watch, on_error, "end when the command fails"),
    OPT_FLAG('g', "chgexit", struct watch, on_change, "end when the output changes"),
    OPT_STRING('n', "interval", struct watch, interval, "SECS", "wait so long (default 2)"),
    OPT_FLAG('p', "precise", struct watch, precise, "count the time of the command, too"),
    OPT_FLAG('t', "no-title", struct watch, no_title, "no line on top"),
    OPT_FLAG('w', "no-wrap", struct watch, no_wrap, "(accepted) do not fold lines"),
    OPT_FLAG('x', "exec", struct watch, exec, "run the command itself, not sh -c"),
    OPT_END,
};

struct watch_run {
    struct proc *p;
    struct watch *o;
    struct out out;
    struct str *argv;
    int argc;
    struct str line; /* the command as it was typed */
    int64_t ns;
    struct buf frame, last;
};

static void watch_title(struct watch_run *r)
{
    struct buf b;
    struct date d;
    struct date_zone zone = getdate_zone(r->p);
    int64_t now = sched_now(&r->p->kernel->sched) / 1000000000;
    buf_init(&b, &r->p->kernel->heap);
    if (date_from_epoch(now, 0, &zone, &d) == 0)
        date_format(&b, STR("%a %b %e %H:%M:%S %Y"), &d, now, false);
    out_printf(&r->out, "Every %lld.%llds: %.*s    %.*s: %.*s\n\n", (long long)(r->ns / 1000000000),
               (long long)(r->ns / 100000000 % 10), STR_ARG(r->line),
               STR_ARG(r->p->kernel->hostname), STR_ARG(buf_get(&b)));
    buf_fini(&b);
}

/* One run of the command; its output is in r->frame. */
static int watch_once(struct watch_run *r)
{
    struct file *to = memfile_writer(r->p->kernel, &r->frame, 16 << 20, NULL, NULL);
    if (!to)
        return HOB_ENOMEM;
    buf_clear(&r->frame);
    struct exec_opts o = {.fd1 = to, .fd2 = to};
    int status = launch_run(r->p, r->argv, r->argc, &o);
    memfile_detach(to); /* something it left behind may hold the file */
    file_unref(to);
    if (status == HOB_ENOENT || status == HOB_EACCES) {
        buf_printf(&r->frame, "watch: %.*s: %s\n", STR_ARG(r->argv[0]), error_text(status));
        return 127;
    }
    return status;
}

static int watch_loop(struct watch_run *r)
{
    for (bool first = true;; first = false) {
        int64_t start = sched_now(&r->p->kernel->sched);
        int status = watch_once(r);
        if (status < 0)
            return status;
        if (!r->o->no_title)
            watch_title(r);
        if (r->o->beep && status)
            out_putc(&r->out, '\a');
        out_str(&r->out, buf_get(&r->frame));
        if (out_flush(&r->out) < 0)
            return r->out.err;
        if (r->o->on_error && status)
            return 8;
        if (r->o->on_change && !first && !str_eq(buf_get(&r->frame), buf_get(&r->last)))
            return 0;
        struct buf t = r->last;
        r->last = r->frame;
        r->frame = t;
        int64_t spent = r->o->precise ? sched_now(&r->p->kernel->sched) - start : 0;
        int e = proc_sleep(r->p, MAX(r->ns - spent, 1000000));
        if (e < 0 && e != HOB_EINTR)
            return e;
    }
}

static int watch_run(struct proc *p, void *args)
{
    struct watch *o = args;
    struct watch_run r = {.p = p, .o = o, .ns = 2000000000, .argv = p->argv, .argc = p->argc};
    if (p->argc == 0)
        return proc_usage(p);
    if (o->interval.p && number_interval(o->interval, &r.ns) < 0) {
        proc_warn(p, "failed to parse argument: '%.*s': Invalid argument", STR_ARG(o->interval));
        return 1;
    }
    r.ns = MAX(r.ns, 100000000);
    struct buf b;
    buf_init(&b, &p->kernel->heap);
    for (int i = 0; i < p->argc; i++)
        buf_printf(&b, "%s%.*s", i ? " " : "", STR_ARG(p->argv[i]));
    r.line = arena_str(p->arena, buf_get(&b));
    buf_fini(&b);
    struct str shell[3] = {STR("sh"), STR("-c"), r.line};
    if (!r.line.p)
        return HOB_ENOMEM;
    if (!o->exec) {
        r.argv = shell;
        r.argc = 3;
    }
    out_init(&r.out, p, 1);
    buf_init(&r.frame, &p->kernel->heap);
    buf_init(&r.last, &p->kernel->heap);
    int e = watch_loop(&r);
    buf_fini(&r.frame);
    buf_fini(&r.last);
    return command_close(p, &r.out, e);
}

const struct command cmd_watch = {
    .name = "watch",
    .usage = "[OPTION]... COMMAND",
    .summary = "Run COMMAND again and again and show what it prints.",
    .notes = "Without a terminal the frames are printed one below the other.",
    .opts = watch_opts,
    .args_size = sizeof(struct watch),
    .flags = CMD_POSIXLY | CMD_USAGE_LINE,
    .usage_status = 1,
    .run = watch_run,
};

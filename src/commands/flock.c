/* flock.c -- run a command while a lock is held, or lock an open descriptor */
#include "base/error.h"
#include "commands/lib/launch.h"
#include "shell/command.h"
#include "text/number.h"

enum {
    FLOCK_USAGE = 64, /* statuses of sysexits.h */
    FLOCK_DATA = 65,
    FLOCK_NO_INPUT = 66,
    FLOCK_UNAVAILABLE = 69
};

struct flockcmd {
    bool shared, exclusive, unlock, nonblock, close, no_fork, verbose, command;
    struct str timeout, conflict;
};

static const struct opt flock_opts[] = {
    OPT_FLAG('s', "shared", struct flockcmd, shared, "a lock that others may share"),
    OPT_FLAG('x', "exclusive", struct flockcmd, exclusive, "a lock for one alone (the default)"),
    OPT_FLAG('e', NULL, struct flockcmd, exclusive, "the same"),
    OPT_FLAG('u', "unlock", struct flockcmd, unlock, "take a lock away"),
    OPT_FLAG('n', "nonblock", struct flockcmd, nonblock, "fail rather than wait"),
    OPT_FLAG(0, "nb", struct flockcmd, nonblock, "the same"),
    OPT_STRING('w', "timeout", struct flockcmd, timeout, "SECS", "wait so long at the most"),
    OPT_FLAG('o', "close", struct flockcmd, close, "close the file before the command runs"),
    OPT_STRING('E', "conflict-exit-code", struct flockcmd, conflict, "NUM",
               "the status when there is no lock to get (default 1)"),
    OPT_FLAG('F', "no-fork", struct flockcmd, no_fork, "run the command without a fork"),
    OPT_FLAG('c', "command", struct flockcmd, command, "the command is a line for the shell"),
    OPT_FLAG(0, "verbose", struct flockcmd, verbose, "tell what is done"),
    OPT_END,
};

/* 0, the status for a conflict, or another one after a message. */
static int flock_take(struct proc *p, const struct flockcmd *o, struct file *f, int conflict)
{
    int64_t ns = 0, now = sched_now(&p->kernel->sched), deadline = INT64_MAX;
    if (o->unlock) {
        file_unlock(f);
        return 0;
    }
    if (o->timeout.p && (number_interval(o->timeout, &ns) < 0 || ns < 0)) {
        proc_warn(p, "invalid timeout value: '%.*s'", STR_ARG(o->timeout));
        return FLOCK_USAGE;
    }
    if (o->timeout.p)
        deadline = ns > INT64_MAX - now ? INT64_MAX : now + ns;
    if (o->nonblock || (o->timeout.p && ns == 0))
        deadline = 0;
    int e;
    do
        e = file_lock(f, p, !o->shared, deadline);
    while (e == HOB_EINTR);
    if (e == HOB_EAGAIN || e == HOB_ETIMEDOUT) {
        if (o->verbose)
            proc_warn(p,
                      e == HOB_EAGAIN ? "failed to get lock" : "timeout while waiting to get lock");
        return conflict;
    }
    if (e == 0 && o->verbose) {
        int64_t took = (sched_now(&p->kernel->sched) - now) / 1000;
        struct out out;
        out_init(&out, p, 1);
        out_printf(&out, "%.*s: getting lock took %lld.%06lld seconds\n", STR_ARG(p->name),
                   (long long)(took / 1000000), (long long)(took % 1000000));
        out_fini(&out);
    }
    return e;
}

static int flock_fd(struct proc *p, const struct flockcmd *o, int conflict)
{
    int64_t fd;
    if (str_int(p->argv[0], &fd) < 0 || fd < 0) {
        proc_warn(p, "bad file descriptor: '%.*s'", STR_ARG(p->argv[0]));
        return FLOCK_USAGE;
    }
    struct file *f = fd <= INT_MAX ? proc_file(p, (int)fd) : NULL;
    if (!f) {
        proc_warn(p, "%lld: %s", (long long)fd, error_text(HOB_EBADF));
        return FLOCK_DATA;
    }
    return flock_take(p, o, f, conflict);
}

static int flock_open(struct proc *p, struct file **f)
{
    struct stat_info st;
    bool dir = vfs_stat(p, p->argv[0], 0, &st) == 0 && MODE_IS_DIR(st.mode);
    int e = vfs_open(p, p->argv[0], dir ? FILE_READ : FILE_READ | FILE_CREATE, 0666, f);
    if (e == HOB_EKILLED || e == HOB_ENOMEM)
        return e;
    if (e < 0) {
        proc_warn(p, "cannot open lock file %.*s: %s", STR_ARG(p->argv[0]), error_text(e));
        return FLOCK_NO_INPUT;
    }
    return 0;
}

static int flock_command(struct proc *p, const struct flockcmd *o, int conflict)
{
    struct file *f;
    struct str shell[3] = {STR("sh"), STR("-c"), p->argv[1]}, *argv = p->argv + 1;
    int argc = p->argc - 1;
    bool line = o->command || str_eqz(p->argv[1], "-c") || str_eqz(p->argv[1], "--command");
    if (line) {
        if (!o->command && argc > 0) {
            argv++;
            argc--;
        }
        if (argc != 1) {
            proc_warn(p, "%s requires exactly one command argument", p->argv[1].p);
            return FLOCK_USAGE;
        }
        shell[2] = argv[0];
        argv = shell;
        argc = 3;
    }
    int e = flock_open(p, &f);
    if (e)
        return e;
    e = flock_take(p, o, f, conflict);
    if (e == 0) {
        if (o->verbose) {
            struct out out;
            out_init(&out, p, 1);
            out_printf(&out, "%.*s: executing %.*s\n", STR_ARG(p->name), STR_ARG(argv[0]));
            out_fini(&out);
        }
        /* The command has the descriptor, too, and so have those that it leaves behind: the lock
         * lasts as long as any of them. */
        int fd = o->close ? -1 : fdtab_add(p->fds, file_ref(f), 3, false, proc_max_fds(p));
        e = fd < 0 && !o->close ? fd : launch_run(p, argv, argc, NULL);
        if (fd >= 0)
            fdtab_close(p->fds, fd);
        if (e == HOB_ENOENT || e == HOB_EACCES) {
            proc_warn(p, "failed to execute %.*s: %s", STR_ARG(argv[0]), error_text(e));
            e = FLOCK_UNAVAILABLE;
        }
    }
    file_unref(f);
    return e;
}

static int flock_run(struct proc *p, void *args)
{
    struct flockcmd *o = args;
    int64_t conflict = 1;
    if (o->conflict.p && (str_int(o->conflict, &conflict) < 0 || conflict < 0 || conflict > 255)) {
        proc_warn(p, "exit code out of range (expected 0 to 255)");
        return FLOCK_USAGE;
    }
    if (o->close && o->no_fork) {
        proc_warn(p, "the --no-fork and --close options are incompatible");
        return FLOCK_USAGE;
    }
    if (p->argc == 0) {
        proc_warn(p, "not enough arguments");
        return proc_usage(p);
    }
    return p->argc == 1 ? flock_fd(p, o, (int)conflict) : flock_command(p, o, (int)conflict);
}

const struct command cmd_flock = {
    .name = "flock",
    .usage = "[OPTION]... FILE COMMAND [ARG]...\nflock [OPTION]... FILE -c LINE\n"
             "flock [OPTION]... DESCRIPTOR",
    .summary = "Run COMMAND while FILE is locked, or lock an open DESCRIPTOR.",
    .opts = flock_opts,
    .args_size = sizeof(struct flockcmd),
    .flags = CMD_POSIXLY,
    .usage_status = FLOCK_USAGE,
    .run = flock_run,
};

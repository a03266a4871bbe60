/* mkfifo.c -- make fifos */
#include "shell/command.h"

#include "commands/lib/mode.h"

struct mkfifo {
    struct str mode;
    bool selinux;
};

static int mkfifo_context(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)args;
    (void)o;
    if (arg.p)
        proc_warn(p, "warning: ignoring --context; it requires an SELinux/SMACK-enabled kernel");
    return 0;
}

static const struct opt mkfifo_opts[] = {
    OPT_STRING('m', "mode", struct mkfifo, mode, "MODE",
               "permissions as for chmod, not a=rw minus umask"),
    OPT_FLAG('Z', NULL, struct mkfifo, selinux, "accepted and ignored"),
    OPT_CALL_OPTIONAL(0, "context", mkfifo_context, "CTX", "ignored, with a warning"),
    OPT_END,
};

static int mkfifo_run(struct proc *p, void *args)
{
    struct mkfifo *m = args;
    struct mode_change change;
    uint32_t mode = 0666;
    int status = 0;

    if (p->argc == 0)
        return proc_missing_operand(p);
    if (m->mode.p) {
        if (mode_parse(p, m->mode, &change) < 0) {
            proc_warn(p, "invalid mode");
            return 1;
        }
        mode = mode_apply(&change, 0666, false, p->umask);
        if (mode & ~0777u) {
            proc_warn(p, "mode must specify only file permission bits");
            return 1;
        }
    }
    for (int i = 0; i < p->argc; i++) {
        int err = vfs_mkfifo(p, p->argv[i], mode);
        if (err < 0) {
            proc_warn_quoted(p, "cannot create fifo %s", p->argv[i], err);
            status = 1;
        } else if (m->mode.p) {
            vfs_chmod(p, p->argv[i], mode);
        }
    }
    return status;
}

const struct command cmd_mkfifo = {
    .name = "mkfifo",
    .usage = "[OPTION]... NAME...",
    .summary = "Make fifos (named pipes) with the NAMEs.",
    .opts = mkfifo_opts,
    .args_size = sizeof(struct mkfifo),
    .usage_status = 1,
    .run = mkfifo_run,
};

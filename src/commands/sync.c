/* sync.c -- files are in memory: there is nothing to write, but the operands are looked at */
#include "shell/command.h"

struct sync {
    bool data, system;
};

static const struct opt sync_opts[] = {
    OPT_FLAG('d', "data", struct sync, data, "(accepted)"),
    OPT_FLAG('f', "file-system", struct sync, system, "(accepted)"),
    OPT_END,
};

static int sync_run(struct proc *p, void *args)
{
    const struct sync *s = args;
    int status = 0;
    if (s->data && s->system) {
        proc_warn(p, "cannot specify both --data and --file-system");
        return 1;
    }
    if (s->data && p->argc == 0) {
        proc_warn(p, "--data needs at least one argument");
        return 1;
    }
    for (int i = 0; i < p->argc; i++) {
        struct stat_info st;
        int r = vfs_stat(p, p->argv[i], 0, &st);
        if (r == 0)
            continue;
        proc_warn_quoted(p, "error opening %s", p->argv[i], r);
        status = 1;
    }
    return status;
}

const struct command cmd_sync = {
    .name = "sync",
    .usage = "[OPTION] [FILE]...",
    .summary = "Wait until the FILEs, or all of them, are safely stored.",
    .opts = sync_opts,
    .args_size = sizeof(struct sync),
    .usage_status = 1,
    .run = sync_run,
};

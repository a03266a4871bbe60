/* nice.c -- run a command with another niceness, which a sandbox does not have */
#include "shell/command.h"

#include "base/error.h"
#include "commands/lib/launch.h"

struct nice {
    struct str adjustment;
};

static const struct opt nice_opts[] = {
    OPT_STRING('n', "adjustment", struct nice, adjustment, "N",
               "add N to the niceness (default 10)"),
    OPT_END,
};

static int nice_number(struct proc *p, void *args, struct str digits)
{
    (void)p;
    ((struct nice *)args)->adjustment = digits;
    return NUMBER_TAKEN;
}

static int nice_run(struct proc *p, void *args)
{
    struct nice *n = args;
    int64_t v;
    if (n->adjustment.p && str_int(n->adjustment, &v) == HOB_EINVAL) {
        proc_warn(p, "invalid adjustment %s", proc_quote(p, n->adjustment));
        return 125;
    }
    if (p->argc == 0) {
        if (n->adjustment.p) {
            proc_warn(p, "a command must be given with an adjustment");
            return proc_usage(p);
        }
        proc_write(p, 1, "0\n", 2);
        return 0;
    }
    int r = launch_run(p, p->argv, p->argc, NULL);
    if (r == HOB_ENOENT || r == HOB_EACCES) {
        proc_warn(p, "%s: %s", proc_quote(p, p->argv[0]), error_text(r));
        return r == HOB_ENOENT ? 127 : 126;
    }
    return r;
}

const struct command cmd_nice = {
    .name = "nice",
    .usage = "[OPTION] [COMMAND [ARG]...]",
    .summary = "Run COMMAND with an adjusted niceness, or print the present one.",
    .opts = nice_opts,
    .args_size = sizeof(struct nice),
    .flags = CMD_POSIXLY | CMD_NUMERIC,
    .usage_status = 125,
    .run = nice_run,
    .number = nice_number,
};

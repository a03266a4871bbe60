/* nohup.c -- run a command that ignores hangups */
#include "shell/command.h"

#include "base/error.h"
#include "commands/lib/launch.h"

static int nohup_run(struct proc *p, void *args)
{
    struct file *out = proc_file(p, 1), *f = NULL;
    struct exec_opts o = {0};

    (void)args;
    if (p->argc == 0) {
        proc_warn(p, "missing operand");
        return proc_usage(p);
    }
    if (out && (out->flags & FILE_TTY)) {
        int r = vfs_open(p, STR("nohup.out"), FILE_WRITE | FILE_CREATE | FILE_APPEND, 0600, &f);
        if (r < 0) {
            proc_warn_quoted(p, "failed to open %s", STR("nohup.out"), r);
            return 125;
        }
        proc_warn(p, "ignoring input and appending output to 'nohup.out'");
        o.fd1 = f;
    }
    p->sig_ignored |= SIG_BIT(SIG_HUP);
    int r = launch_run(p, p->argv, p->argc, &o);
    file_unref(f);
    if (r == HOB_ENOENT || r == HOB_EACCES) {
        proc_warn(p, "failed to run command %s: %s", proc_quoteaf(p, p->argv[0]), error_text(r));
        return r == HOB_ENOENT ? 127 : 126;
    }
    return r;
}

const struct command cmd_nohup = {
    .name = "nohup",
    .usage = "COMMAND [ARG]...\nOPTION",
    .summary = "Run COMMAND with hangup signals ignored.",
    .notes = "When standard output is a terminal, it goes to the end of nohup.out instead.",
    .flags = CMD_POSIXLY,
    .usage_status = 125,
    .run = nohup_run,
};

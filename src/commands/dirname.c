/* dirname.c -- a path without its last part */
#include "shell/command.h"

#include "commands/lib/files.h"

struct dirname {
    bool zero;
};

static const struct opt dirname_opts[] = {
    OPT_FLAG('z', "zero", struct dirname, zero, "end each line with NUL, not newline"),
    OPT_END,
};

static int dirname_run(struct proc *p, void *args)
{
    struct dirname *d = args;
    struct out o;

    if (p->argc == 0)
        return proc_missing_operand(p);
    out_init(&o, p, 1);
    for (int i = 0; i < p->argc; i++) {
        struct str s = files_strip(p->argv[i]);
        ptrdiff_t slash = str_rchr(s, '/');
        s = slash < 0 ? STR(".") : files_strip(str_sub(s, 0, MAX((size_t)slash, (size_t)1)));
        out_str(&o, s);
        out_putc(&o, d->zero ? '\0' : '\n');
    }
    return command_close(p, &o, 0);
}

const struct command cmd_dirname = {
    .name = "dirname",
    .usage = "[OPTION] NAME...",
    .summary =
        "Print each NAME without its last part and the slashes before it; '.' if it has none.",
    .opts = dirname_opts,
    .args_size = sizeof(struct dirname),
    .flags = CMD_POSIXLY,
    .usage_status = 1,
    .run = dirname_run,
};

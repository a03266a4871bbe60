/* printenv.c -- print the environment, or parts of it */
#include "shell/command.h"

struct printenv {
    bool null;
    struct out out;
};

static const struct opt printenv_opts[] = {
    OPT_FLAG('0', "null", struct printenv, null, "end each line with NUL, not newline"),
    OPT_END,
};

static int printenv_one(void *ud, struct str name, struct str value)
{
    struct printenv *e = ud;
    out_str(&e->out, name);
    out_putc(&e->out, '=');
    out_str(&e->out, value);
    out_putc(&e->out, e->null ? '\0' : '\n');
    return 0;
}

static int printenv_run(struct proc *p, void *args)
{
    struct printenv *e = args;
    struct str value;
    int status = 0;

    out_init(&e->out, p, 1);
    if (p->argc == 0)
        p->env->each(p->env_ctx, printenv_one, e);
    for (int i = 0; i < p->argc; i++) {
        if (str_chr(p->argv[i], '=') >= 0 || !proc_getenv(p, p->argv[i], &value)) {
            status = 1;
            continue;
        }
        out_str(&e->out, value);
        out_putc(&e->out, e->null ? '\0' : '\n');
    }
    return command_close(p, &e->out, status);
}

const struct command cmd_printenv = {
    .name = "printenv",
    .usage = "[OPTION]... [VARIABLE]...",
    .summary = "Print the values of the VARIABLEs, or the whole environment.",
    .opts = printenv_opts,
    .args_size = sizeof(struct printenv),
    .flags = CMD_POSIXLY,
    .usage_status = 2,
    .run = printenv_run,
};

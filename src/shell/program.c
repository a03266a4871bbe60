/* program.c -- builtins that are programs as well: printf, test, [, kill
 *
 * `xargs printf`, `find -exec test`, `env kill` look for a program on the PATH. It is the builtin,
 * run in a shell of its own that has nothing but the process it was started in.
 */
#include "shell/invoke.h"
#include "shell/shell.h"

static int program_run(struct proc *p, void *args)
{
    const struct command *c = p->command;
    struct shell *was = p->shell;
    const struct env_ops *env = p->env;
    void *env_ctx = p->env_ctx;
    struct shell *sh = shell_new(p, p->name, NULL, 0);
    int status = HOB_ENOMEM;

    (void)args;
    if (sh) {
        sh->builtin = (struct builtin *)builtin_find(str_z(c->name));
        sh->lone = true;
        status = sh->builtin->run(sh, p->words, p->nwords);
        shell_free(sh);
    }
    p->shell = was;
    p->env = env;
    p->env_ctx = env_ctx;
    return status;
}

const struct command cmd_printf = {
    .name = "printf",
    .usage = "FORMAT [ARGUMENT]...",
    .summary = "Print arguments under the control of a format, as the builtin does.",
    .flags = CMD_NO_OPTIONS,
    .usage_status = 1,
    .run = program_run,
};

const struct command cmd_test = {
    .name = "test",
    .usage = "[EXPRESSION]",
    .summary = "Evaluate a condition; the exit status tells.",
    .flags = CMD_NO_OPTIONS | CMD_NO_HELP,
    .usage_status = 2,
    .run = program_run,
};

const struct command cmd_bracket = {
    .name = "[",
    .usage = "[EXPRESSION] ]",
    .summary = "Evaluate a condition; the exit status tells.",
    .flags = CMD_NO_OPTIONS,
    .usage_status = 2,
    .run = program_run,
};

const struct command cmd_kill = {
    .name = "kill",
    .usage = "[-s SIGNAL | -SIGNAL] PID...\n-l [SIGNAL]...",
    .summary = "Send a signal to processes.",
    .flags = CMD_NO_OPTIONS,
    .usage_status = 1,
    .run = program_run,
};

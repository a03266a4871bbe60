/* true.c -- do nothing, successfully */
#include "shell/command.h"

static int true_run(struct proc *p, void *args)
{
    (void)p;
    (void)args;
    return 0;
}

const struct command cmd_true = {
    .name = "true",
    .usage = "[ignored command line arguments]",
    .summary = "Exit with a status code indicating success.",
    .flags = CMD_NO_OPTIONS,
    .usage_status = 1,
    .run = true_run,
};

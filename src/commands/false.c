/* false.c -- do nothing, unsuccessfully */
#include "shell/command.h"

static int false_run(struct proc *p, void *args)
{
    (void)p;
    (void)args;
    return 1;
}

const struct command cmd_false = {
    .name = "false",
    .usage = "[ignored command line arguments]",
    .summary = "Exit with a status code indicating failure.",
    .flags = CMD_NO_OPTIONS,
    .usage_status = 1,
    .run = false_run,
};

/* sleep.c -- wait for a time */
#include "shell/command.h"

#include "text/number.h"

static int sleep_run(struct proc *p, void *args)
{
    int64_t total = 0, ns;
    bool bad = false;

    (void)args;
    if (p->argc == 0)
        return proc_missing_operand(p);
    for (int i = 0; i < p->argc; i++) {
        if (number_interval(p->argv[i], &ns) < 0) {
            proc_warn(p, "invalid time interval %s", proc_quote(p, p->argv[i]));
            bad = true;
        } else {
            total = ns > INT64_MAX - total ? INT64_MAX : total + ns;
        }
    }
    if (bad)
        return proc_usage(p);
    int r = proc_sleep(p, total);
    return r == HOB_EINTR ? 0 : r;
}

const struct command cmd_sleep = {
    .name = "sleep",
    .usage = "NUMBER[SUFFIX]...\nOPTION",
    .summary =
        "Wait for NUMBER seconds. SUFFIX may be s for seconds, m for minutes, h for hours or\n"
        "d for days. NUMBER need not be whole. Several of them are added.",
    .usage_status = 1,
    .run = sleep_run,
};

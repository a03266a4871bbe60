/* who.c -- who and users: nobody is logged in to a sandbox */
#include "shell/command.h"

struct who {
    bool all, boot, dead, heading, lookup, login, mine, process, count, runlevel, brief, clock,
        mesg, idle;
};

#define WHO_FLAG(l, n, f, h) OPT_FLAG(l, n, struct who, f, h)
static const struct opt who_opts[] = {
    WHO_FLAG('a', "all", all, "same as -b -d --login -p -r -t -T -u"),
    WHO_FLAG('b', "boot", boot, "when the system began"),
    WHO_FLAG('d', "dead", dead, "dead processes"),
    WHO_FLAG('H', "heading", heading, "a line with the names of the columns"),
    WHO_FLAG('l', "login", login, "where one may log in"),
    WHO_FLAG(0, "lookup", lookup, "look hosts up"),
    WHO_FLAG('m', NULL, mine, "who is at standard input"),
    WHO_FLAG('p', "process", process, "processes that init started"),
    WHO_FLAG('q', "count", count, "names, and how many there are"),
    WHO_FLAG('r', "runlevel", runlevel, "the run level"),
    WHO_FLAG('s', "short", brief, "name, line and time (the default)"),
    WHO_FLAG('t', "time", clock, "when the clock was set"),
    WHO_FLAG('T', "mesg", mesg, "whether one may be written to: +, - or ?"),
    WHO_FLAG('w', "writable", mesg, "the same"),
    WHO_FLAG(0, "message", mesg, "the same"),
    WHO_FLAG('u', "users", idle, "those who are logged in"),
    OPT_END,
};
#undef WHO_FLAG

static int who_run(struct proc *p, void *args)
{
    struct who *w = args;
    if (p->argc > 2)
        return proc_extra_operand(p, p->argv[2]);
    if (w->count)
        return proc_puts(p, 1, STR("\n# users=0\n")) < 0;
    if (!w->heading)
        return 0;
    struct out o;
    out_init(&o, p, 1);
    out_printf(&o, "NAME     %sLINE         TIME             %s%s\n", w->mesg || w->all ? "  " : "",
               w->idle || w->all ? "IDLE          PID COMMENT" : "COMMENT",
               w->dead || w->all ? "  EXIT" : "");
    return command_close(p, &o, 0);
}

const struct command cmd_who = {
    .name = "who",
    .usage = "[OPTION]... [FILE | ARG1 ARG2]",
    .summary = "Tell who is logged in.",
    .opts = who_opts,
    .args_size = sizeof(struct who),
    .usage_status = 1,
    .run = who_run,
};

static int who_users_run(struct proc *p, void *args)
{
    (void)args;
    return p->argc > 1 ? proc_extra_operand(p, p->argv[1]) : 0;
}

const struct command cmd_users = {
    .name = "users",
    .usage = "[OPTION]... [FILE]",
    .summary = "Print the names of those who are logged in.",
    .usage_status = 1,
    .run = who_users_run,
};

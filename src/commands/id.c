/* id.c -- who one is: id, whoami, groups, logname */
#include "shell/command.h"

#include "commands/lib/users.h"

struct id {
    bool group, groups, name, real, user, zero, context, ignored;
    struct users users;
    struct out out;
};

static const struct opt id_opts[] = {
    OPT_FLAG('a', NULL, struct id, ignored, "(ignored)"),
    OPT_FLAG('Z', "context", struct id, context, "the security context (there is none)"),
    OPT_FLAG('g', "group", struct id, group, "only the number of the group"),
    OPT_FLAG('G', "groups", struct id, groups, "only the numbers of all groups"),
    OPT_FLAG('n', "name", struct id, name, "names instead of numbers, with -ugG"),
    OPT_FLAG('r', "real", struct id, real, "the real one, with -ugG"),
    OPT_FLAG('u', "user", struct id, user, "only the number of the user"),
    OPT_FLAG('z', "zero", struct id, zero, "NUL between and behind, not blank and newline"),
    OPT_END,
};

static void id_put(struct id *d, uint32_t v, bool group, bool name)
{
    struct str s = name ? (group ? users_group(&d->users, v) : users_name(&d->users, v)) : STR_NONE;
    if (s.p)
        out_str(&d->out, s);
    else
        out_printf(&d->out, "%u", v);
}

static void id_full(struct id *d, uint32_t uid, uint32_t gid)
{
    static const char *const parts[] = {"uid=", " gid=", " groups="};
    for (int i = 0; i < 3; i++) {
        uint32_t v = i ? gid : uid;
        struct str name = i ? users_group(&d->users, v) : users_name(&d->users, v);
        out_printf(&d->out, "%s%u", parts[i], v);
        if (name.p)
            out_printf(&d->out, "(%.*s)", STR_ARG(name));
    }
}

static int id_check(struct proc *p, const struct id *d)
{
    if (d->context) {
        proc_warn(p, "--context (-Z) works only on an SELinux-enabled kernel");
        return 1;
    }
    if (d->user + d->group + d->groups > 1) {
        proc_warn(p, "cannot print \"only\" of more than one choice");
        return 1;
    }
    bool only = d->user || d->group || d->groups;
    if (!only && (d->real || d->name)) {
        proc_warn(p, "cannot print only names or real IDs in default format");
        return 1;
    }
    if (!only && d->zero) {
        proc_warn(p, "option --zero not permitted in default format");
        return 1;
    }
    return 0;
}

static int id_run(struct proc *p, void *args)
{
    struct id *d = args;
    int status = id_check(p, d);

    if (status)
        return status;
    users_init(&d->users, p);
    out_init(&d->out, p, 1);
    for (int i = 0; i < MAX(p->argc, 1); i++) {
        uint32_t uid = p->uid, gid = p->gid;
        int64_t number;
        if (p->argc && !users_find(&d->users, p->argv[i], &uid, &gid)) {
            struct str name;
            if (str_int(p->argv[i], &number) < 0 ||
                !(name = users_name(&d->users, (uint32_t)number)).p ||
                !users_find(&d->users, name, &uid, &gid)) {
                proc_warn(p, "%s: no such user", proc_quote(p, p->argv[i]));
                status = 1;
                continue;
            }
        }
        if (d->user)
            id_put(d, uid, false, d->name);
        else if (d->group || d->groups)
            id_put(d, gid, true, d->name);
        else
            id_full(d, uid, gid);
        out_putc(&d->out, d->zero ? '\0' : '\n');
    }
    return command_close(p, &d->out, status);
}

const struct command cmd_id = {
    .name = "id",
    .usage = "[OPTION]... [USER]...",
    .summary = "Print the user and group of each USER, or of the process.",
    .opts = id_opts,
    .args_size = sizeof(struct id),
    .usage_status = 1,
    .run = id_run,
};

/* The three small ones print one name. */
static int id_name_run(struct proc *p, void *args)
{
    struct id *d = args;
    bool groups = strcmp(((const struct command *)p->command)->name, "groups") == 0;
    int status = 0;

    if (!groups && p->argc)
        return proc_extra_operand(p, p->argv[0]);
    users_init(&d->users, p);
    out_init(&d->out, p, 1);
    for (int i = 0; i < MAX(p->argc, 1); i++) {
        uint32_t uid = p->uid, gid = p->gid;
        if (p->argc && !users_find(&d->users, p->argv[i], &uid, &gid)) {
            proc_warn(p, "%s: no such user", proc_quote(p, p->argv[i]));
            status = 1;
            continue;
        }
        if (p->argc)
            out_printf(&d->out, "%.*s : ", STR_ARG(p->argv[i]));
        id_put(d, groups ? gid : uid, groups, true);
        out_putc(&d->out, '\n');
    }
    return command_close(p, &d->out, status);
}

const struct command cmd_whoami = {
    .name = "whoami",
    .usage = "[OPTION]...",
    .summary = "Print the name of the user.",
    .args_size = sizeof(struct id),
    .usage_status = 1,
    .run = id_name_run,
};

const struct command cmd_logname = {
    .name = "logname",
    .usage = "[OPTION]",
    .summary = "Print the name of the user who logged in.",
    .args_size = sizeof(struct id),
    .usage_status = 1,
    .run = id_name_run,
};

const struct command cmd_groups = {
    .name = "groups",
    .usage = "[OPTION]... [USERNAME]...",
    .summary = "Print the groups of each USERNAME, or of the process.",
    .args_size = sizeof(struct id),
    .usage_status = 1,
    .run = id_name_run,
};

/* pwd.c -- print the name of the working folder */
#include "shell/command.h"

struct pwd {
    int logical;
};

static const struct opt pwd_opts[] = {
    OPT_SET('L', "logical", struct pwd, logical, 1,
            "use PWD from environment, even if it contains symlinks"),
    OPT_SET('P', "physical", struct pwd, logical, 0, "avoid all symlinks"),
    OPT_END,
};

/* $PWD counts when it is absolute, has no . or .. in it and leads to the same folder. */
static bool pwd_from_env(struct proc *p, struct str *pwd)
{
    struct stat_info here, there;
    if (!proc_getenv(p, STR("PWD"), pwd) || pwd->n == 0 || pwd->p[0] != '/')
        return false;
    for (size_t at = 0; at < pwd->n;) {
        struct str rest = str_from(*pwd, at + 1);
        ptrdiff_t slash = str_chr(rest, '/');
        struct str part = str_sub(rest, 0, slash < 0 ? rest.n : (size_t)slash);
        if (str_eqz(part, ".") || str_eqz(part, ".."))
            return false;
        at += part.n + 1;
    }
    return vfs_stat(p, *pwd, 0, &there) == 0 && vfs_stat(p, STR("."), 0, &here) == 0 &&
           here.dev == there.dev && here.ino == there.ino;
}

static int pwd_run(struct proc *p, void *args)
{
    struct pwd *o = args;
    struct str pwd = p->cwd;
    struct out out;

    if (p->argc > 0)
        proc_warn(p, "ignoring non-option arguments");
    if (o->logical && !pwd_from_env(p, &pwd))
        pwd = p->cwd;
    out_init(&out, p, 1);
    out_str(&out, pwd);
    out_putc(&out, '\n');
    return command_close(p, &out, 0);
}

const struct command cmd_pwd = {
    .name = "pwd",
    .usage = "[OPTION]...",
    .summary = "Print the full filename of the current working directory.",
    .notes = "If no option is specified, -P is assumed.",
    .opts = pwd_opts,
    .args_size = sizeof(struct pwd),
    .usage_status = 1,
    .run = pwd_run,
};

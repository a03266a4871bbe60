/* which.c -- where a command is on PATH */
#include "shell/command.h"

struct which {
    bool all;
};

static const struct opt which_opts[] = {
    OPT_FLAG('a', NULL, struct which, all, "print all of them, not only the first"),
    OPT_END,
};

static bool which_runs(struct proc *p, struct str path)
{
    struct stat_info st;
    return vfs_stat(p, path, 0, &st) == 0 && MODE_IS_FILE(st.mode) && vfs_access(p, path, 1) == 0;
}

static bool which_find(struct proc *p, const struct which *w, struct out *o, struct str name)
{
    struct str path;
    struct buf b;
    bool found = false;

    if (name.n == 0)
        return false;
    if (str_chr(name, '/') >= 0) {
        found = which_runs(p, name);
        if (found)
            out_printf(o, "%.*s\n", STR_ARG(name));
        return found;
    }
    if (!proc_getenv(p, STR("PATH"), &path))
        return false;
    buf_init(&b, &p->kernel->heap);
    for (bool more = true; more && (!found || w->all);) {
        ptrdiff_t colon = str_chr(path, ':');
        struct str dir = str_sub(path, 0, colon < 0 ? path.n : (size_t)colon);
        more = colon >= 0;
        path = str_from(path, dir.n + 1);
        buf_clear(&b);
        buf_str(&b, dir.n ? dir : STR("."));
        buf_putc(&b, '/');
        buf_str(&b, name);
        if (which_runs(p, buf_get(&b))) {
            found = true;
            out_printf(o, "%s\n", b.p);
        }
    }
    buf_fini(&b);
    return found;
}

static int which_run(struct proc *p, void *args)
{
    struct which *w = args;
    int status = p->argc ? 0 : 1;
    struct out o;

    out_init(&o, p, 1);
    for (int i = 0; i < p->argc; i++)
        status |= !which_find(p, w, &o, p->argv[i]);
    return command_close(p, &o, status);
}

const struct command cmd_which = {
    .name = "which",
    .usage = "[-a] args",
    .summary = "Print the path of each command that would be run.",
    .opts = which_opts,
    .args_size = sizeof(struct which),
    .usage_status = 2,
    .run = which_run,
};

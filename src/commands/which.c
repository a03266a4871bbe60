/* which.c -- where a command is on PATH */
#include "shell/command.h"

struct which {
    bool all;
};

static const struct opt which_opts[] = {
    OPT_FLAG('a', NULL, struct which, all, "print all of them, not only the first"),
    OPT_END,
};

/* Options as Debian's script reads them. The first operand, or -1 after a message. */
static int which_options(struct proc *p, struct which *w)
{
    int i = 0;
    for (; i < p->argc && p->argv[i].n > 1 && p->argv[i].p[0] == '-'; i++) {
        if (str_eqz(p->argv[i], "--"))
            return i + 1;
        for (size_t k = 1; k < p->argv[i].n; k++) {
            if (p->argv[i].p[k] != 'a') {
                proc_printf_err(p, "Illegal option -%c\n", p->argv[i].p[k]);
                proc_puts(p, 1, STR("Usage: /usr/bin/which [-a] args\n"));
                return -1;
            }
        }
        w->all = true;
    }
    return i;
}

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
    int first = which_options(p, w), status = p->argc > first ? 0 : 1;
    struct out o;

    if (first < 0)
        return 2;
    out_init(&o, p, 1);
    for (int i = first; i < p->argc; i++)
        status |= !which_find(p, w, &o, p->argv[i]);
    return command_close(p, &o, status);
}

const struct command cmd_which = {
    .name = "which",
    .usage = "[-a] args",
    .summary = "Print the path of each command that would be run.",
    .opts = which_opts,
    .args_size = sizeof(struct which),
    .flags = CMD_NO_OPTIONS,
    .usage_status = 2,
    .run = which_run,
};

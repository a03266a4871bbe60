/* launch.c -- running another command: env, xargs, find, timeout, nice ... */
#include "commands/lib/launch.h"

static int launch_check(struct proc *p, struct str path)
{
    struct stat_info st;
    int r = vfs_stat(p, path, 0, &st);
    if (r < 0)
        return r;
    if (MODE_IS_DIR(st.mode))
        return HOB_EACCES;
    return vfs_access(p, path, 1);
}

int launch_find(struct proc *p, struct str name, const struct env_ops *ops, void *ctx,
                struct buf *b)
{
    struct str path;
    size_t start = b->n;
    int result = HOB_ENOENT;
    bool known = ops ? ops->get(ctx, STR("PATH"), &path) : proc_getenv(p, STR("PATH"), &path);

    if (str_chr(name, '/') >= 0) {
        buf_str(b, name);
        return launch_check(p, name);
    }
    if (name.n == 0)
        return HOB_ENOENT;
    if (!known)
        path = STR("/bin:/usr/bin");
    for (bool more = true; more;) {
        ptrdiff_t colon = str_chr(path, ':');
        struct str dir = str_sub(path, 0, colon < 0 ? path.n : (size_t)colon);
        more = colon >= 0;
        path = str_from(path, dir.n + 1);
        buf_cut(b, start);
        if (dir.n) {
            buf_str(b, dir);
            buf_putc(b, '/');
        }
        buf_str(b, name);
        int r = launch_check(p, str_from(buf_get(b), start));
        if (r == 0)
            return 0;
        if (r == HOB_EACCES)
            result = r;
    }
    buf_cut(b, start);
    return result;
}

int launch_run(struct proc *p, struct str *argv, int argc, const struct exec_opts *o)
{
    struct exec_opts own = {0};
    struct buf where;

    if (o)
        own = *o;
    own.no_builtins = true;
    buf_init(&where, &p->kernel->heap);
    int r = launch_find(p, argv[0], own.env, own.env_ctx, &where);
    buf_fini(&where);
    return r < 0 ? r : p->kernel->exec(p, argv, argc, &own);
}

/* ---- one variable more ----------------------------------------------------------------------- */

static bool launch_env_get(void *ctx, struct str name, struct str *value)
{
    struct launch_env *e = ctx;
    if (!str_eq(name, e->name))
        return proc_getenv(e->p, name, value);
    *value = e->value;
    return true;
}

struct launch_each {
    struct launch_env *env;
    int (*fn)(void *ud, struct str name, struct str value);
    void *ud;
};

static int launch_env_other(void *ud, struct str name, struct str value)
{
    struct launch_each *l = ud;
    return str_eq(name, l->env->name) ? 0 : l->fn(l->ud, name, value);
}

static int launch_env_each(void *ctx, int (*fn)(void *ud, struct str name, struct str value),
                           void *ud)
{
    struct launch_env *e = ctx;
    struct launch_each l = {e, fn, ud};
    int r = e->p->env->each(e->p->env_ctx, launch_env_other, &l);
    return r ? r : fn(ud, e->name, e->value);
}

const struct env_ops launch_env_ops = {launch_env_get, launch_env_each};

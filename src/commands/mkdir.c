/* mkdir.c -- make folders */
#include "shell/command.h"

#include "base/error.h"
#include "commands/lib/mode.h"

struct mkdir {
    struct str mode;
    bool parents, verbose, selinux;
    struct mode_change change;
};

static int mkdir_context(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)args;
    (void)o;
    if (arg.p)
        proc_warn(p, "warning: ignoring --context; it requires an SELinux/SMACK-enabled kernel");
    return 0;
}

static const struct opt mkdir_opts[] = {
    OPT_STRING('m', "mode", struct mkdir, mode, "MODE",
               "permissions as for chmod, not a=rwx minus umask"),
    OPT_FLAG('p', "parents", struct mkdir, parents,
             "make missing parents; an existing folder is no error"),
    OPT_FLAG('v', "verbose", struct mkdir, verbose, "tell about each folder that is made"),
    OPT_FLAG('Z', NULL, struct mkdir, selinux, "accepted and ignored"),
    OPT_CALL_OPTIONAL(0, "context", mkdir_context, "CTX", "ignored, with a warning"),
    OPT_END,
};

struct mkdir_run {
    struct proc *p;
    const struct mkdir *o;
    struct out out;
};

static int mkdir_fail(struct mkdir_run *r, struct str path, int err)
{
    proc_warn(r->p, "cannot create directory %s: %s", proc_quote(r->p, path), error_text(err));
    return 1;
}

/* Makes one folder; HOB_EEXIST and others are the caller's to judge. */
static int mkdir_make(struct mkdir_run *r, struct str path, uint32_t mode)
{
    int err = vfs_mkdir(r->p, path, mode);
    if (err == 0 && r->o->verbose)
        out_printf(&r->out, "%.*s: created directory %s\n", STR_ARG(r->p->name),
                   proc_quoteaf(r->p, path));
    return err;
}

/* The parents of path, from the first one. */
static int mkdir_parents(struct mkdir_run *r, struct str path)
{
    uint32_t mode = 0777 & ~r->p->umask;
    struct stat_info st;
    mode |= 0300;
    for (size_t i = 1; i < path.n; i++) {
        if (path.p[i] != '/' || path.p[i - 1] == '/')
            continue;
        size_t rest = i;
        while (rest < path.n && path.p[rest] == '/')
            rest++;
        if (rest == path.n)
            break;
        struct str dir = str_sub(path, 0, i);
        if (vfs_stat(r->p, dir, 0, &st) == 0 && MODE_IS_DIR(st.mode))
            continue;
        int err = mkdir_make(r, dir, 0777);
        if (err == HOB_EEXIST && vfs_stat(r->p, dir, 0, &st) == 0)
            err = MODE_IS_DIR(st.mode) ? 0 : HOB_ENOTDIR;
        if (err < 0)
            return mkdir_fail(r, dir, err);
        if (r->p->umask & 0300)
            vfs_chmod(r->p, dir, mode);
    }
    return 0;
}

static int mkdir_one(struct mkdir_run *r, struct str path)
{
    const struct mkdir *o = r->o;
    struct stat_info st;

    if (o->parents && mkdir_parents(r, path))
        return 1;
    uint32_t mode = o->mode.p ? mode_apply(&o->change, 0777, true, r->p->umask) : 0777;
    int err = mkdir_make(r, path, mode & 0777);
    if (err == HOB_EEXIST && o->parents && vfs_stat(r->p, path, 0, &st) == 0 &&
        MODE_IS_DIR(st.mode))
        return 0;
    if (err < 0)
        return mkdir_fail(r, path, err);
    if (o->mode.p) {
        /* The umask took bits away that the mode asked for. */
        err = vfs_chmod(r->p, path, mode);
        if (err < 0) {
            proc_warn_quoted(r->p, "cannot set permissions of %s", path, err);
            return 1;
        }
    }
    return 0;
}

static int mkdir_run(struct proc *p, void *args)
{
    struct mkdir *o = args;
    struct mkdir_run r = {.p = p, .o = o};
    int status = 0;

    if (p->argc == 0)
        return proc_missing_operand(p);
    if (o->mode.p && mode_parse(p, o->mode, &o->change) < 0) {
        proc_warn(p, "invalid mode %s", proc_quote(p, o->mode));
        return 1;
    }
    out_init(&r.out, p, 1);
    for (int i = 0; i < p->argc; i++)
        status |= mkdir_one(&r, p->argv[i]);
    return command_close(p, &r.out, status);
}

const struct command cmd_mkdir = {
    .name = "mkdir",
    .usage = "[OPTION]... DIRECTORY...",
    .summary = "Make each DIRECTORY that does not exist yet.",
    .opts = mkdir_opts,
    .args_size = sizeof(struct mkdir),
    .usage_status = 1,
    .run = mkdir_run,
};

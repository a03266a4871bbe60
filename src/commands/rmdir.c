/* rmdir.c -- remove empty folders */
#include "shell/command.h"

struct rmdir {
    bool ignore, parents, verbose;
};

static const struct opt rmdir_opts[] = {
    OPT_FLAG(0, "ignore-fail-on-non-empty", struct rmdir, ignore,
             "a folder that is not empty is no error"),
    OPT_FLAG('p', "parents", struct rmdir, parents, "remove the parents too: -p a/b is like a/b a"),
    OPT_FLAG('v', "verbose", struct rmdir, verbose, "tell about each folder"),
    OPT_END,
};

static int rmdir_one(struct proc *p, const struct rmdir *o, struct out *out, struct str path,
                     bool parent)
{
    if (o->verbose)
        out_printf(out, "%.*s: removing directory, %s\n", STR_ARG(p->name), proc_quoteaf(p, path));
    int err = vfs_rmdir(p, path);
    struct stat_info st;
    if (err == HOB_ENOTDIR && path.n && path.p[path.n - 1] == '/' &&
        vfs_stat(p, str_sub(path, 0, path.n - 1), VFS_NOFOLLOW, &st) == 0 &&
        MODE_IS_LINK(st.mode)) {
        proc_warn(p, "failed to remove %s: Symbolic link not followed", proc_quoteaf(p, path));
        return 1;
    }
    if (err == 0)
        return 0;
    if (o->ignore && (err == HOB_ENOTEMPTY || err == HOB_EEXIST))
        return -1;
    proc_warn_quoted(p, parent ? "failed to remove directory %s" : "failed to remove %s", path,
                     err);
    return 1;
}

static int rmdir_run(struct proc *p, void *args)
{
    struct rmdir *o = args;
    struct out out;
    int status = 0;

    if (p->argc == 0)
        return proc_missing_operand(p);
    out_init(&out, p, 1);
    for (int i = 0; i < p->argc; i++) {
        struct str path = p->argv[i];
        int r = rmdir_one(p, o, &out, path, false);
        while (path.n > 1 && path.p[path.n - 1] == '/')
            path.n--;
        while (r == 0 && o->parents && str_rchr(path, '/') >= 0) {
            path.n = (size_t)str_rchr(path, '/');
            while (path.n > 0 && path.p[path.n - 1] == '/')
                path.n--;
            if (path.n == 0)
                break;
            r = rmdir_one(p, o, &out, path, true);
        }
        status |= r > 0;
    }
    return command_close(p, &out, status);
}

const struct command cmd_rmdir = {
    .name = "rmdir",
    .usage = "[OPTION]... DIRECTORY...",
    .summary = "Remove each DIRECTORY that is empty.",
    .opts = rmdir_opts,
    .args_size = sizeof(struct rmdir),
    .usage_status = 1,
    .run = rmdir_run,
};

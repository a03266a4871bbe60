/* ln.c -- make links between files */
#include "shell/command.h"

#include "base/error.h"
#include "commands/lib/files.h"

enum {
    LN_REPLACE,
    LN_FORCE,
    LN_ASK
};

struct ln {
    bool dirs, symbolic, no_deref, relative, no_target_dir, verbose, logical;
    int overwrite;
    struct str target_dir;
    struct files_backups backup;
    struct out out;
};

static int ln_backup(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct ln *l = args;
    if (o->letter != 'S')
        return files_backup_option(p, &l->backup, arg);
    l->backup.suffix = arg;
    return l->backup.asked ? 0 : files_backup_option(p, &l->backup, STR_NONE);
}

static int ln_physical(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p;
    (void)o;
    (void)arg;
    ((struct ln *)args)->logical = false;
    return 0;
}

static int ln_target(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct ln *c = args;
    (void)o;
    int r = files_target_option(p, &c->target_dir, arg);
    struct stat_info st;
    int err = r ? 0 : vfs_stat(p, arg, 0, &st);
    if (err < 0)
        proc_warn_quoted(p, "failed to access %s", arg, err);
    else if (r == 0 && !MODE_IS_DIR(st.mode))
        proc_warn(p, "target %s is not a directory", proc_quoteaf(p, arg));
    return r ? r : err < 0 || !MODE_IS_DIR(st.mode) ? 2 : 0;
}

static const struct opt ln_opts[] = {
    {OPT_KIND_CALL, OPT_ARG_OPTIONAL | OPT_LONG_ONLY_ARG, 'b', "backup", 0, 0, "CONTROL",
     "keep what would be overwritten: none, numbered, existing or simple", ln_backup},
    OPT_FLAG('d', "directory", struct ln, dirs, "try to make hard links to folders"),
    OPT_FLAG('F', NULL, struct ln, dirs, "same as -d"),
    OPT_SET('f', "force", struct ln, overwrite, LN_FORCE, "remove what is in the way"),
    OPT_SET('i', "interactive", struct ln, overwrite, LN_ASK,
            "ask before removing what is in the way"),
    OPT_FLAG('L', "logical", struct ln, logical, "follow TARGETs that are symbolic links"),
    OPT_FLAG('n', "no-dereference", struct ln, no_deref,
             "treat LINK_NAME as a file when it is a link to a folder"),
    OPT_CALL('P', "physical", ln_physical, NULL, "make hard links to symbolic links themselves"),
    OPT_FLAG('r', "relative", struct ln, relative,
             "with -s, make the link relative to where it stands"),
    OPT_FLAG('s', "symbolic", struct ln, symbolic, "make symbolic links"),
    OPT_CALL('S', "suffix", ln_backup, "SUFFIX", "what to append to the name of a backup"),
    OPT_CALL('t', "target-directory", ln_target, "DIRECTORY", "make all links in DIRECTORY"),
    OPT_FLAG('T', "no-target-directory", struct ln, no_target_dir,
             "treat LINK_NAME as a plain file"),
    OPT_FLAG('v', "verbose", struct ln, verbose, "tell about each link"),
    OPT_END,
};

/* The way from the folder of `link` to `target`. */
static struct str ln_relative(struct proc *p, struct str target, struct str link)
{
    struct buf a, b, out;
    struct str dir = path_dir(link), result = target;

    buf_init(&a, &p->kernel->heap);
    buf_init(&b, &p->kernel->heap);
    buf_init(&out, &p->kernel->heap);
    if (vfs_realpath(p, dir.n ? dir : STR("."), true, &a) == 0 &&
        vfs_realpath(p, target, true, &b) == 0) {
        struct str from = buf_get(&a), to = buf_get(&b);
        size_t common = 0, i = 0;
        for (; i < from.n && i < to.n && from.p[i] == to.p[i]; i++) {
            if (from.p[i] == '/')
                common = i;
        }
        if (i == from.n && (i == to.n || to.p[i] == '/'))
            common = i;
        else if (i == to.n && i < from.n && from.p[i] == '/')
            common = i;
        for (size_t k = common; k < from.n; k++) {
            if (from.p[k] == '/' && k + 1 < from.n)
                buf_addz(&out, out.n ? "/.." : "..");
        }
        struct str rest = str_from(to, common);
        while (rest.n && rest.p[0] == '/')
            rest = str_from(rest, 1);
        if (rest.n) {
            if (out.n)
                buf_putc(&out, '/');
            buf_str(&out, rest);
        }
        if (out.n == 0)
            buf_putc(&out, '.');
        result = arena_str(p->arena, buf_get(&out));
    }
    buf_fini(&a);
    buf_fini(&b);
    buf_fini(&out);
    return result;
}

static bool ln_same_name(struct proc *p, struct str a, struct str b)
{
    struct buf x, y;
    buf_init(&x, &p->kernel->heap);
    buf_init(&y, &p->kernel->heap);
    path_normalise(&x, p->cwd, a);
    path_normalise(&y, p->cwd, b);
    bool same = str_eq(buf_get(&x), buf_get(&y));
    buf_fini(&x);
    buf_fini(&y);
    return same;
}

/* Makes room at `link`. 1 go on, 0 skip, -1 reported. */
static int ln_clear(struct proc *p, struct ln *l, struct str target, struct str link,
                    struct str *backup)
{
    struct stat_info st, src;
    if (vfs_stat(p, link, VFS_NOFOLLOW, &st) < 0)
        return 1;
    if (l->overwrite == LN_REPLACE && !l->backup.kind)
        return 1;
    if (MODE_IS_DIR(st.mode)) {
        proc_warn(p, "%s: cannot overwrite directory", proc_quotef(p, link));
        return -1;
    }
    if (!l->symbolic && vfs_stat(p, target, VFS_NOFOLLOW, &src) == 0 && files_same(&src, &st) &&
        ln_same_name(p, target, link)) {
        proc_warn(p, "%s and %s are the same file", proc_quoteaf(p, target), proc_quoteaf(p, link));
        return -1;
    }
    if (l->overwrite == LN_ASK && !files_ask(p, "replace %s? ", proc_quoteaf(p, link)))
        return 0;
    if (l->backup.kind) {
        *backup = files_backup_name(p, &l->backup, link);
        int err = backup->p ? vfs_rename(p, link, *backup) : HOB_ENOMEM;
        if (err < 0) {
            proc_warn_quoted(p, "cannot backup %s", link, err);
            return -1;
        }
        return 1;
    }
    int err = vfs_unlink(p, link);
    if (err < 0)
        proc_warn_quoted(p, "cannot remove %s", link, err);
    return err < 0 ? -1 : 1;
}

static int ln_one(struct proc *p, struct ln *l, struct str target, struct str link)
{
    struct stat_info st;
    struct str backup = STR_NONE;
    int err;

    if (!l->symbolic) {
        err = vfs_stat(p, target, l->logical ? 0 : VFS_NOFOLLOW, &st);
        if (err < 0) {
            proc_warn_quoted(p, "failed to access %s", target, err);
            return 1;
        }
        if (MODE_IS_DIR(st.mode) && !l->dirs) {
            proc_warn(p, "%s: hard link not allowed for directory", proc_quotef(p, target));
            return 1;
        }
    }
    int clear = ln_clear(p, l, target, link, &backup);
    if (clear <= 0)
        return clear < 0;
    struct str text = l->symbolic && l->relative ? ln_relative(p, target, link) : target;
    if (!text.p)
        return 1; /* the gate tells that memory ran out */
    err = l->symbolic ? vfs_symlink(p, text, link)
                      : vfs_link(p, target, link, l->logical ? 0 : VFS_NOFOLLOW);
    if (err < 0) {
        if (l->symbolic && err != HOB_ENAMETOOLONG && text.n)
            proc_warn_quoted(p, "failed to create symbolic link %s", link, err);
        else if (l->symbolic)
            proc_warn(p, "failed to create symbolic link %s -> %s: %s", proc_quoteaf(p, link),
                      proc_quoteaf(p, text), error_text(err));
        else
            proc_warn(p, "failed to create hard link %s%s%s: %s", proc_quoteaf(p, link),
                      err == HOB_EEXIST ? "" : " => ",
                      err == HOB_EEXIST ? "" : proc_quoteaf(p, target), error_text(err));
        return 1;
    }
    if (l->verbose) {
        if (backup.p)
            out_printf(&l->out, "%s ~ ", proc_quoteaf(p, backup));
        out_printf(&l->out, "%s %s %s\n", proc_quoteaf(p, link), l->symbolic ? "->" : "=>",
                   proc_quoteaf(p, text));
    }
    return 0;
}

static int ln_into(struct proc *p, struct ln *l, struct str dir, int n)
{
    int status = 0;
    for (int i = 0; i < n; i++) {
        struct str link = files_join(p, dir, files_base(p->argv[i]));
        status |= link.p ? ln_one(p, l, p->argv[i], link) : 1;
    }
    return status;
}

static bool ln_is_dir(struct proc *p, const struct ln *l, struct str path)
{
    struct stat_info st;
    return vfs_stat(p, path, l->no_deref ? VFS_NOFOLLOW : 0, &st) == 0 && MODE_IS_DIR(st.mode);
}

static int ln_all(struct proc *p, struct ln *l)
{
    int n = p->argc;
    if (n == 0) {
        proc_warn(p, "missing file operand");
        return proc_usage(p);
    }
    if (l->no_target_dir) {
        if (l->target_dir.p) {
            proc_warn(p, "cannot combine --target-directory and --no-target-directory");
            return 1;
        }
        if (n == 1) {
            proc_warn(p, "missing destination file operand after %s", proc_quoteaf(p, p->argv[0]));
            return proc_usage(p);
        }
        if (n > 2)
            return proc_warn(p, "extra operand %s", proc_quoteaf(p, p->argv[2])), proc_usage(p);
        return ln_one(p, l, p->argv[0], p->argv[1]);
    }
    if (l->target_dir.p) {
        if (!files_is_dir(p, l->target_dir)) {
            struct stat_info st;
            int err = vfs_stat(p, l->target_dir, 0, &st);
            if (err < 0)
                proc_warn_quoted(p, "failed to access %s", l->target_dir, err);
            else
                proc_warn(p, "target %s is not a directory", proc_quoteaf(p, l->target_dir));
            return 1;
        }
        return ln_into(p, l, l->target_dir, n);
    }
    if (n == 1)
        return ln_into(p, l, STR("."), 1);
    struct str last = p->argv[n - 1];
    if (ln_is_dir(p, l, last))
        return ln_into(p, l, last, n - 1);
    if (n == 2)
        return ln_one(p, l, p->argv[0], last);
    struct stat_info st;
    int err = vfs_stat(p, last, 0, &st);
    proc_warn_quoted(p, "target %s", last, err < 0 ? err : HOB_ENOTDIR);
    return 1;
}

static int ln_run(struct proc *p, void *args)
{
    struct ln *l = args;
    if (l->relative && !l->symbolic) {
        proc_warn(p, "cannot do --relative without --symbolic");
        return 1;
    }
    out_init(&l->out, p, 1);
    int status = ln_all(p, l);
    return command_close(p, &l->out, status);
}

const struct command cmd_ln = {
    .name = "ln",
    .usage =
        "[OPTION]... [-T] TARGET LINK_NAME\n[OPTION]... TARGET\n[OPTION]... TARGET... DIRECTORY\n"
        "[OPTION]... -t DIRECTORY TARGET...",
    .summary = "Make a link to TARGET: a hard link, or a symbolic one with -s.",
    .opts = ln_opts,
    .args_size = sizeof(struct ln),
    .usage_status = 1,
    .run = ln_run,
};

/* install.c -- copy files, and give them their mode and owner */
#include "commands/lib/copy.h"

#include "base/error.h"
#include "commands/lib/launch.h"
#include "commands/lib/mode.h"
#include "commands/lib/users.h"

struct install {
    struct copy copy;
    bool compare, folders, leading, strip, ignored;
    struct str group, mode, owner, strip_program, context;
    uint32_t file_mode, folder_mode;
    int64_t uid, gid; /* -1: as it is */
    struct proc *p;
};

static int install_target(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct copy *c = &((struct install *)args)->copy;
    (void)o;
    if (c->target_dir.p) {
        proc_warn(p, "multiple target directories specified");
        return 2;
    }
    c->target_dir = arg;
    return 0;
}

static int install_backup(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct copy *c = &((struct install *)args)->copy;
    if (o->letter != 'S')
        return files_backup_option(p, &c->backup, arg);
    c->backup.suffix = arg;
    return c->backup.asked ? 0 : files_backup_option(p, &c->backup, STR_NONE);
}

static int install_context(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)args;
    (void)o;
    if (arg.p)
        proc_warn(p, "warning: ignoring --context; it requires an SELinux-enabled kernel");
    return 0;
}

static int install_keep_context(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)args;
    (void)o;
    (void)arg;
    proc_warn(p, "WARNING: ignoring --preserve-context; this kernel is not SELinux-enabled");
    return 0;
}

static const struct opt install_opts[] = {
    {OPT_KIND_CALL, OPT_ARG_OPTIONAL | OPT_LONG_ONLY_ARG, 'b', "backup", 0, 0, "CONTROL",
     "keep what would be overwritten: none, numbered, existing or simple", install_backup},
    OPT_FLAG('c', NULL, struct install, ignored, "(ignored)"),
    OPT_FLAG('C', "compare", struct install, compare,
             "leave the target alone when contents, owner and mode are the same"),
    OPT_FLAG('d', "directory", struct install, folders, "make folders, with all their parents"),
    OPT_FLAG('D', NULL, struct install, leading,
             "make the folders above DEST, or DIRECTORY with -t"),
    OPT_STRING('g', "group", struct install, group, "GROUP", "the group of what is made"),
    OPT_STRING('m', "mode", struct install, mode, "MODE", "permissions, not rwxr-xr-x"),
    OPT_STRING('o', "owner", struct install, owner, "OWNER", "the owner of what is made"),
    OPT_FLAG('p', "preserve-timestamps", struct install, copy.keep_times,
             "keep the times of each SOURCE"),
    OPT_FLAG('s', "strip", struct install, strip, "remove the symbols of programs"),
    OPT_STRING(0, "strip-program", struct install, strip_program, "PROGRAM",
               "what does that, not strip"),
    OPT_CALL('S', "suffix", install_backup, "SUFFIX", "what to append to the name of a backup"),
    OPT_CALL('t', "target-directory", install_target, "DIRECTORY",
             "copy all operands into DIRECTORY"),
    OPT_FLAG('T', "no-target-directory", struct install, copy.no_target_dir,
             "treat DEST as a plain file"),
    OPT_FLAG('v', "verbose", struct install, copy.verbose, "tell about each file and folder"),
    OPT_CALL(0, "preserve-context", install_keep_context, NULL, "accepted with a warning"),
    OPT_FLAG('Z', NULL, struct install, ignored, "accepted and ignored"),
    OPT_CALL_OPTIONAL(0, "context", install_context, "CTX", "accepted and ignored"),
    OPT_END,
};

/* Owner and mode of what was made. */
static bool install_attributes(struct install *i, struct str path, uint32_t mode)
{
    int err = 0;
    if (i->uid >= 0 || i->gid >= 0)
        err = vfs_chown(i->p, path, i->uid, i->gid, VFS_NOFOLLOW);
    if (err < 0) {
        proc_warn_quoted(i->p, "cannot change ownership of %s", path, err);
        return false;
    }
    err = vfs_chmod(i->p, path, mode);
    if (err < 0)
        proc_warn_quoted(i->p, "cannot change permissions of %s", path, err);
    return err == 0;
}

/* ---- folders -------------------------------------------------------------------------------- */

/* Makes one folder that may be there already. */
static int install_mkdir(struct install *i, struct str path, bool *made)
{
    struct stat_info st;
    int err = vfs_mkdir(i->p, path, 0755);

    *made = err == 0;
    if (err == 0) {
        if (i->copy.verbose)
            out_printf(&i->copy.out, "%.*s: creating directory %s\n", STR_ARG(i->p->name),
                       proc_quoteaf(i->p, path));
        return 0;
    }
    if (vfs_stat(i->p, path, 0, &st) == 0)
        return MODE_IS_DIR(st.mode) ? 0 : HOB_EEXIST;
    return err;
}

/* The folders above `path`, from the first on: 0, or an error and the one that failed. */
static int install_parents(struct install *i, struct str path, struct str *failed)
{
    for (size_t at = 1; at < path.n; at++) {
        if (path.p[at] != '/' || path.p[at - 1] == '/')
            continue;
        struct str rest = str_from(path, at);
        while (rest.n && rest.p[0] == '/')
            rest = str_from(rest, 1);
        if (rest.n == 0)
            break;
        bool made;
        *failed = arena_str(i->p->arena, str_sub(path, 0, at));
        int err = failed->p ? install_mkdir(i, *failed, &made) : HOB_ENOMEM;
        if (err == 0 && made)
            err = vfs_chmod(i->p, *failed, 0755); /* whatever the umask is */
        if (err == 0 && vfs_access(i->p, *failed, 1) < 0)
            err = HOB_EACCES;
        if (err < 0)
            return err == HOB_EEXIST ? HOB_ENOTDIR : err;
    }
    return 0;
}

/* -d */
static bool install_folder(struct install *i, struct str path)
{
    struct str failed = path;
    bool made;
    int err = install_parents(i, path, &failed);

    if (err == 0) {
        failed = path;
        err = install_mkdir(i, path, &made);
    }
    if (err < 0) {
        proc_warn(i->p, "cannot create directory %s: %s", proc_quote(i->p, failed),
                  error_text(err));
        return false;
    }
    return install_attributes(i, path, i->folder_mode);
}

static bool install_leading(struct install *i, struct str path)
{
    struct str failed = path;
    int err = install_parents(i, path, &failed);
    if (err < 0)
        proc_warn_quoted(i->p, "cannot create directory %s", failed, err);
    return err == 0;
}

/* ---- files ---------------------------------------------------------------------------------- */

static bool install_same_bytes(struct install *i, struct str a, struct str b)
{
    struct in x, y;
    bool same = true;

    if (in_open_quiet(&x, i->p, a) < 0)
        return false;
    if (in_open_quiet(&y, i->p, b) < 0) {
        in_fini(&x);
        return false;
    }
    for (;;) {
        bool more = in_fill(&x);
        if (more != in_fill(&y))
            same = false;
        if (!more || !same)
            break;
        size_t n = MIN((size_t)(x.end - x.p), (size_t)(y.end - y.p));
        same = memcmp(x.p, y.p, n) == 0;
        x.p += n;
        y.p += n;
    }
    same = same && x.err == 0 && y.err == 0;
    in_fini(&x);
    in_fini(&y);
    return same;
}

/* -C: whether there is anything to do. */
static bool install_differs(struct install *i, struct str from, struct str to)
{
    struct stat_info a, b;

    if (i->file_mode & ~0777u || vfs_stat(i->p, from, VFS_NOFOLLOW, &a) < 0 ||
        vfs_stat(i->p, to, VFS_NOFOLLOW, &b) < 0 || !MODE_IS_FILE(a.mode) ||
        !MODE_IS_FILE(b.mode) || a.size != b.size || (b.mode & 07777) != i->file_mode)
        return true;
    if (b.uid != (i->uid < 0 ? i->p->uid : (uint32_t)i->uid) ||
        b.gid != (i->gid < 0 ? i->p->gid : (uint32_t)i->gid))
        return true;
    return !install_same_bytes(i, from, to);
}

static bool install_strip(struct install *i, struct str path)
{
    struct exec_opts none = {0};
    struct str argv[2] = {i->strip_program.p ? i->strip_program : STR("strip"), path};

    if (path.n && path.p[0] == '-')
        argv[1] = arena_printf(i->p->arena, "./%.*s", STR_ARG(path));
    if (!argv[1].p)
        return false;
    out_flush(&i->copy.out);
    int r = launch_run(i->p, argv, 2, &none);
    if (r == 0)
        return true;
    if (r == HOB_ENOENT || r == HOB_EACCES)
        proc_warn_quoted(i->p, "cannot run %s", argv[0], r);
    if (r != HOB_EKILLED)
        proc_warn(i->p, "strip process terminated abnormally");
    return false;
}

static bool install_one(struct install *i, struct str from, struct str to)
{
    struct stat_info st;
    int err = vfs_stat(i->p, from, 0, &st);

    if (err == 0 && MODE_IS_DIR(st.mode)) {
        proc_warn(i->p, "omitting directory %s", proc_quoteaf(i->p, from));
        return false;
    }
    if (err == 0 && i->compare && !install_differs(i, from, to))
        return true;
    if (err == 0 && to.n) {
        err = vfs_stat(i->p, to, VFS_NOFOLLOW, &st);
        if ((err == HOB_ENOTDIR && to.p[to.n - 1] != '/') || err == HOB_EACCES) {
            proc_warn_quoted(i->p, "cannot stat %s", to, err);
            return false;
        }
    }
    if (!copy_one(&i->copy, from, to, true))
        return false;
    if (i->strip && !install_strip(i, to)) {
        vfs_unlink(i->p, to);
        return false;
    }
    if (i->strip && i->copy.keep_times && vfs_stat(i->p, from, 0, &st) == 0)
        vfs_utimes(i->p, to, st.atime, st.mtime, 0);
    return install_attributes(i, to, i->file_mode);
}

static bool install_into(struct install *i, struct str dir, int n)
{
    bool ok = true;
    for (int k = 0; k < n && proc_check(i->p) == 0; k++) {
        struct arena_mark mark = arena_mark(i->p->arena);
        struct str to = files_join(i->p, dir, files_base(i->p->argv[k]));
        ok = to.p && install_one(i, i->p->argv[k], to) && ok;
        arena_release(i->p->arena, mark);
    }
    return ok;
}

/* 0 when the path is a folder, else why not. */
static int install_is_folder(struct install *i, struct str path)
{
    struct stat_info st;
    int err = vfs_stat(i->p, path, 0, &st);
    return err < 0 ? err : MODE_IS_DIR(st.mode) ? 0 : HOB_ENOTDIR;
}

static bool install_files(struct install *i)
{
    struct proc *p = i->p;
    struct str target = i->copy.target_dir, *argv = p->argv;
    int n = p->argc;

    if (target.p) {
        int err = install_is_folder(i, target);
        if (err == HOB_ENOENT && i->leading) {
            bool made;
            if (!install_leading(i, target))
                return false;
            err = install_mkdir(i, target, &made);
            if (err == 0 && made)
                err = vfs_chmod(p, target, 0755);
        }
        if (err < 0) {
            proc_warn_quoted(p, "failed to access %s", target, err);
            return false;
        }
        return install_into(i, target, n);
    }
    if (!i->copy.no_target_dir) {
        int err = install_is_folder(i, argv[n - 1]);
        if (err == 0)
            return install_into(i, argv[n - 1], n - 1);
        if (n > 2) {
            proc_warn_quoted(p, "target %s", argv[n - 1], err);
            return false;
        }
    }
    return (!i->leading || install_leading(i, argv[1])) && install_one(i, argv[0], argv[1]);
}

/* ---- run ------------------------------------------------------------------------------------ */

/* What the options say against each other: 0 or a status. */
static int install_conflicts(struct install *i)
{
    struct proc *p = i->p;
    const char *text = NULL;

    if (i->folders && i->strip) {
        text = "the strip option may not be used when installing a directory";
    } else if (i->folders && i->copy.target_dir.p) {
        proc_warn(p, "target directory not allowed when installing a directory");
        return 1;
    } else if (p->argc == 0) {
        text = "missing file operand";
    } else if (p->argc == 1 && !i->folders && !i->copy.target_dir.p) {
        text = "missing destination file operand after %s";
    } else if (i->copy.no_target_dir && i->copy.target_dir.p) {
        proc_warn(p, "cannot combine --target-directory (-t) and --no-target-directory (-T)");
        return 1;
    } else if (i->copy.no_target_dir && p->argc > 2) {
        proc_warn(p, "extra operand %s", proc_quoteaf(p, p->argv[2]));
        return proc_usage(p);
    } else if (i->compare && i->copy.keep_times) {
        text = "options --compare (-C) and --preserve-timestamps are mutually exclusive";
    } else if (i->compare && i->strip) {
        text = "options --compare (-C) and --strip are mutually exclusive";
    }
    if (!text)
        return 0;
    if (p->argc == 1 && strchr(text, '%'))
        proc_warn(p, "missing destination file operand after %s", proc_quoteaf(p, p->argv[0]));
    else
        proc_warn(p, "%s", text);
    return proc_usage(p);
}

static bool install_number(struct str s, int64_t *out)
{
    uint64_t v;
    if (str_uint(s, &v) < 0 || v > UINT32_MAX - 1)
        return false;
    *out = (int64_t)v;
    return true;
}

static bool install_settle(struct install *i)
{
    struct proc *p = i->p;
    struct mode_change change;
    struct users users;
    uint32_t id;

    i->file_mode = i->folder_mode = 0755;
    i->uid = i->gid = -1;
    if (i->mode.p) {
        if (mode_parse(p, i->mode, &change) < 0) {
            proc_warn(p, "invalid mode %s", proc_quote(p, i->mode));
            return false;
        }
        i->file_mode = mode_apply(&change, 0, false, 0);
        i->folder_mode = mode_apply(&change, 0, true, 0);
    }
    if (i->strip_program.p && !i->strip)
        proc_warn(p, "WARNING: ignoring --strip-program option as -s option was not specified");
    if (i->compare && i->file_mode & ~0777u)
        proc_warn(p, "the --compare (-C) option is ignored when you specify a mode with "
                     "non-permission bits");
    users_init(&users, p);
    if (i->owner.p) {
        if (users_find(&users, i->owner, &id, NULL)) {
            i->uid = id;
        } else if (!install_number(i->owner, &i->uid)) {
            proc_warn(p, "invalid user %s", proc_quote(p, i->owner));
            return false;
        }
    }
    if (i->group.p) {
        if (users_find_group(&users, i->group, &id)) {
            i->gid = id;
        } else if (!install_number(i->group, &i->gid)) {
            proc_warn(p, "invalid group %s", proc_quote(p, i->group));
            return false;
        }
    }
    return true;
}

static int install_run(struct proc *p, void *args)
{
    struct install *i = args;
    bool ok = true;

    i->p = p;
    int status = install_conflicts(i);
    if (status)
        return status;
    if (!install_settle(i))
        return 1;
    i->copy.deref = COPY_DEREF_ALWAYS;
    i->copy.remove_first = !i->copy.backup.kind;
    copy_init(&i->copy, p);
    if (i->folders) {
        for (int k = 0; k < p->argc; k++)
            ok = install_folder(i, p->argv[k]) && ok;
    } else {
        ok = install_files(i);
    }
    i->copy.status |= !ok;
    return copy_fini(&i->copy);
}

const struct command cmd_install = {
    .name = "install",
    .usage = "[OPTION]... [-T] SOURCE DEST\n[OPTION]... SOURCE... DIRECTORY\n"
             "[OPTION]... -t DIRECTORY SOURCE...\n[OPTION]... -d DIRECTORY...",
    .summary = "Copy SOURCE to DEST, or several SOURCEs into DIRECTORY, and set their permissions\n"
               "and owner; or make each DIRECTORY.",
    .notes =
        "Backups have the suffix ~ unless --suffix or SIMPLE_BACKUP_SUFFIX says otherwise; their\n"
        "kind comes from --backup or VERSION_CONTROL.",
    .opts = install_opts,
    .args_size = sizeof(struct install),
    .usage_status = 1,
    .run = install_run,
};

/* rm.c -- remove files and folders */
#include "shell/command.h"

#include "commands/lib/files.h"

enum {
    RM_SOMETIMES,
    RM_NEVER,
    RM_ONCE,
    RM_ALWAYS
};

struct rm {
    int ask;
    bool force, recursive, dirs, verbose, one_fs, no_preserve, preserve_all;
};

static int rm_interactive(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row words[] = {
        {"never", RM_NEVER},   {"no", RM_NEVER},   {"none", RM_NEVER}, {"once", RM_ONCE},
        {"always", RM_ALWAYS}, {"yes", RM_ALWAYS}, {NULL, 0}};
    struct rm *r = args;
    int status = 0;

    r->ask = o->letter == 'I' ? RM_ONCE : o->letter == 'f' ? RM_NEVER : RM_ALWAYS;
    if (arg.p)
        status = proc_word(p, "--interactive", arg, words, &r->ask);
    r->force = o->letter == 'f' || (r->force && r->ask == RM_NEVER);
    return status;
}

static int rm_preserve(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct rm *r = args;
    (void)o;
    r->no_preserve = false;
    if (!arg.p)
        return 0;
    if (str_eqz(arg, "all")) {
        r->preserve_all = true;
        return 0;
    }
    proc_warn(p, "unrecognized --preserve-root argument: %s", proc_quoteaf(p, arg));
    return 2;
}

/* The name must be written in full, so that nobody says it by chance. */
static int rm_no_preserve(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct rm *r = args;
    (void)o;
    (void)arg;
    r->no_preserve = true;
    for (int i = 0; i < p->argc; i++) {
        if (str_starts(p->argv[i], STR("--no-p")) &&
            str_starts(STR("--no-preserve-roo"), p->argv[i])) {
            proc_warn(p, "you may not abbreviate the --no-preserve-root option");
            return 2;
        }
    }
    return 0;
}

static const struct opt rm_opts[] = {
    OPT_FLAG('d', "dir", struct rm, dirs, "remove empty folders too"),
    OPT_CALL('f', "force", rm_interactive, NULL, "no message for what is missing, never ask"),
    OPT_CALL('i', NULL, rm_interactive, NULL, "ask before each removal"),
    OPT_CALL('I', NULL, rm_interactive, NULL,
             "ask once before removing more than three files or recursively"),
    OPT_CALL_OPTIONAL(0, "interactive", rm_interactive, "WHEN",
                      "ask: never, once (-I) or always (-i)"),
    OPT_CALL(0, "no-preserve-root", rm_no_preserve, NULL, "treat / like any other folder"),
    OPT_FLAG(0, "one-file-system", struct rm, one_fs,
             "skip folders that are on another file system"),
    OPT_CALL_OPTIONAL(0, "preserve-root", rm_preserve, "all",
                      "do not remove / (default); with 'all' refuse operands that are mounts"),
    OPT_FLAG('r', "recursive", struct rm, recursive, "remove folders and what is in them"),
    OPT_FLAG('R', NULL, struct rm, recursive, "same as -r"),
    OPT_FLAG('v', "verbose", struct rm, verbose, "tell about each file"),
    OPT_END,
};

struct rm_state {
    struct proc *p;
    const struct rm *o;
    struct out out;
    int status;
    bool tty;
};

static void rm_fail(struct rm_state *s, struct str path, int err)
{
    if (err == HOB_EKILLED)
        return;
    proc_warn_quoted(s->p, "cannot remove %s", path, err);
    s->status = 1;
}

/* Whether the user agrees. Files that cannot be written are asked for when there is a user. */
static bool rm_agreed(struct rm_state *s, struct str path, const struct stat_info *st,
                      const char *action)
{
    bool wp = s->o->ask != RM_NEVER && (s->tty || s->o->ask == RM_ALWAYS) &&
              !MODE_IS_LINK(st->mode) && vfs_access(s->p, path, 2) < 0;
    if (s->o->ask != RM_ALWAYS && !wp)
        return true;
    out_flush(&s->out);
    const char *kind = wp ? "write-protected " : "";
    if (action)
        return files_ask(s->p, "%s %s%s %s? ", action, kind, "directory", proc_quoteaf(s->p, path));
    return files_ask(s->p, "remove %s%s %s? ", kind, files_kind(st), proc_quoteaf(s->p, path));
}

static void rm_done(struct rm_state *s, struct str path, bool dir)
{
    if (s->o->verbose)
        out_printf(&s->out, "removed %s%s\n", dir ? "directory " : "", proc_quoteaf(s->p, path));
}

static bool rm_tree(struct rm_state *s, struct str path, const struct stat_info *st);

/* A folder and all that is in it. True when it is gone. */
static bool rm_folder(struct rm_state *s, struct str path, const struct stat_info *st)
{
    struct arena_mark mark = arena_mark(s->p->arena);
    struct strs names;
    bool all = true;
    int err = files_list(s->p, path, &names);

    if (err < 0) {
        /* An unreadable folder can go if it is empty. */
        int rmdir = vfs_rmdir(s->p, path);
        if (rmdir == 0)
            rm_done(s, path, true);
        else
            rm_fail(s, path, err);
        arena_release(s->p->arena, mark);
        return rmdir == 0;
    }
    if (names.n && !rm_agreed(s, path, st, "descend into")) {
        arena_release(s->p->arena, mark);
        return false;
    }
    for (size_t i = 0; i < names.n && proc_check(s->p) == 0; i++) {
        struct arena_mark inner = arena_mark(s->p->arena);
        struct str name = files_join(s->p, path, names.p[i]);
        struct stat_info sub;
        int r = name.p ? vfs_stat(s->p, name, VFS_NOFOLLOW, &sub) : HOB_ENOMEM;
        if (r < 0)
            rm_fail(s, name.p ? name : path, r);
        else if (s->o->one_fs && sub.dev != st->dev && MODE_IS_DIR(sub.mode)) {
            proc_warn(s->p, "skipping %s, since it's on a different device",
                      proc_quoteaf(s->p, name));
            s->status = 1;
            r = HOB_EXDEV;
        }
        all = r == 0 && rm_tree(s, name, &sub) && all;
        arena_release(s->p->arena, inner);
    }
    arena_release(s->p->arena, mark);
    if (!all || !rm_agreed(s, path, st, "remove"))
        return false;
    err = vfs_rmdir(s->p, path);
    if (err < 0)
        rm_fail(s, path, err);
    else
        rm_done(s, path, true);
    return err == 0;
}

static bool rm_tree(struct rm_state *s, struct str path, const struct stat_info *st)
{
    if (proc_tick(s->p, 1) < 0)
        return false;
    if (MODE_IS_DIR(st->mode)) {
        if (task_stack_low(s->p->task)) {
            rm_fail(s, path, HOB_ENAMETOOLONG);
            return false;
        }
        return rm_folder(s, path, st);
    }
    if (!rm_agreed(s, path, st, NULL))
        return false;
    int err = vfs_unlink(s->p, path);
    if (err < 0 && !(err == HOB_ENOENT && s->o->force))
        rm_fail(s, path, err);
    else
        rm_done(s, path, false);
    return err == 0;
}

static void rm_operand(struct rm_state *s, struct str path)
{
    struct stat_info st, root;
    struct str base = files_base(path);
    int err = vfs_stat(s->p, path, VFS_NOFOLLOW, &st);

    if (err < 0) {
        if (!s->o->force || (err != HOB_ENOENT && err != HOB_ENOTDIR))
            rm_fail(s, path, err);
        return;
    }
    if (!MODE_IS_DIR(st.mode)) {
        rm_tree(s, path, &st);
        return;
    }
    if (!s->o->recursive && !s->o->dirs) {
        rm_fail(s, path, HOB_EISDIR);
        return;
    }
    if (s->o->recursive && (str_eqz(base, ".") || str_eqz(base, ".."))) {
        proc_warn(s->p, "refusing to remove %s or %s directory: skipping %s", "'.'", "'..'",
                  proc_quoteaf(s->p, path));
        s->status = 1;
        return;
    }
    if (!s->o->recursive) {
        struct strs names;
        if (files_list(s->p, path, &names) == 0 && names.n) {
            rm_fail(s, path, HOB_ENOTEMPTY);
            return;
        }
        if (!rm_agreed(s, path, &st, "remove"))
            return;
        err = vfs_rmdir(s->p, path);
        if (err < 0)
            rm_fail(s, path, err);
        else
            rm_done(s, path, true);
        return;
    }
    if (!s->o->no_preserve && vfs_stat(s->p, STR("/"), 0, &root) == 0 && files_same(&st, &root)) {
        if (str_eqz(path, "/"))
            proc_warn(s->p, "it is dangerous to operate recursively on '/'");
        else
            proc_warn(s->p, "it is dangerous to operate recursively on %s (same as '/')",
                      proc_quoteaf(s->p, path));
        proc_warn(s->p, "use --no-preserve-root to override this failsafe");
        s->status = 1;
        return;
    }
    struct str up = s->o->preserve_all ? files_join(s->p, path, STR("..")) : STR_NONE;
    if (up.p && vfs_stat(s->p, up, 0, &root) == 0 && root.dev != st.dev) {
        proc_warn(s->p, "skipping %s, since it's on a different device", proc_quoteaf(s->p, path));
        proc_warn(s->p, "and --preserve-root=all is in effect");
        s->status = 1;
        return;
    }
    /* In one go where nothing is asked and nothing told; what resists is then reported. */
    bool quiet = !s->o->verbose && !s->o->one_fs && s->o->ask != RM_ALWAYS && !s->tty;
    if (quiet && vfs_remove_all(s->p, path) == 0)
        return;
    if (vfs_stat(s->p, path, VFS_NOFOLLOW, &st) == 0)
        rm_tree(s, path, &st);
}

static int rm_run(struct proc *p, void *args)
{
    struct rm *o = args;
    struct rm_state s = {.p = p, .o = o};
    struct file *in = proc_file(p, 0);

    if (p->argc == 0) {
        if (o->force)
            return 0;
        return proc_missing_operand(p);
    }
    s.tty = in && (in->flags & FILE_TTY) && o->ask != RM_NEVER;
    out_init(&s.out, p, 1);
    if (o->ask == RM_ONCE && (o->recursive || p->argc > 3) &&
        !files_ask(p, "remove %d argument%s%s? ", p->argc, p->argc == 1 ? "" : "s",
                   o->recursive ? " recursively" : ""))
        return command_close(p, &s.out, 0);
    for (int i = 0; i < p->argc && proc_check(p) == 0; i++)
        rm_operand(&s, p->argv[i]);
    return command_close(p, &s.out, s.status);
}

const struct command cmd_rm = {
    .name = "rm",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Remove each FILE. Folders are removed with -r (or -d when they are empty).",
    .notes = "To remove a file whose name begins with a '-', write rm -- -name or rm ./-name.",
    .opts = rm_opts,
    .args_size = sizeof(struct rm),
    .usage_status = 1,
    .run = rm_run,
};

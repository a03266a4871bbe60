/* chmod.c -- change permissions */
#include "shell/command.h"

#include "base/error.h"
#include "commands/lib/files.h"
#include "commands/lib/mode.h"

struct chmod {
    bool silent, recursive, preserve_root, no_preserve;
    int tell;                   /* 'c' changes, 'v' every file: the last one counts */
    struct str reference, mode; /* mode: from -x and the like among the options */
    struct mode_change change;
    struct proc *p;
    struct out out;
    int status;
};

/* chmod -x file: letters that look like options are a mode. */
static int chmod_letter(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct chmod *c = args;
    c->mode = c->mode.p
                  ? arena_printf(p->arena, "%.*s,-%c%.*s", STR_ARG(c->mode), o->letter,
                                 STR_ARG(arg.p ? arg : STR("")))
                  : arena_printf(p->arena, "-%c%.*s", o->letter, STR_ARG(arg.p ? arg : STR("")));
    return c->mode.p ? 0 : 2;
}

#define CHMOD_LETTER(c)                                                                            \
    {                                                                                              \
        OPT_KIND_CALL, OPT_ARG_OPTIONAL | OPT_HIDDEN, c, NULL, 0, 0, "", NULL, chmod_letter        \
    }
static const struct opt chmod_opts[] = {
    OPT_SET('c', "changes", struct chmod, tell, 'c', "tell about each change"),
    OPT_FLAG('f', "silent", struct chmod, silent, "few messages"),
    OPT_FLAG('f', "quiet", struct chmod, silent, "same as --silent"),
    OPT_SET('v', "verbose", struct chmod, tell, 'v', "tell about each file"),
    OPT_FLAG(0, "no-preserve-root", struct chmod, no_preserve,
             "treat / like any other folder (default)"),
    OPT_FLAG(0, "preserve-root", struct chmod, preserve_root, "refuse to change / recursively"),
    OPT_STRING(0, "reference", struct chmod, reference, "RFILE", "use the mode of RFILE"),
    OPT_FLAG('R', "recursive", struct chmod, recursive, "change folders and what is in them"),
    CHMOD_LETTER('r'),
    CHMOD_LETTER('w'),
    CHMOD_LETTER('x'),
    CHMOD_LETTER('X'),
    CHMOD_LETTER('s'),
    CHMOD_LETTER('t'),
    CHMOD_LETTER('u'),
    CHMOD_LETTER('g'),
    CHMOD_LETTER('o'),
    CHMOD_LETTER('a'),
    OPT_END,
};
#undef CHMOD_LETTER

static int chmod_number(struct proc *p, void *args, struct str digits)
{
    struct chmod *c = args;
    c->mode = c->mode.p ? arena_printf(p->arena, "%.*s,-%.*s", STR_ARG(c->mode), STR_ARG(digits))
                        : arena_printf(p->arena, "-%.*s", STR_ARG(digits));
    return c->mode.p ? NUMBER_TAKEN : 2;
}

static void chmod_tell(struct chmod *c, struct str path, uint32_t old, uint32_t now, bool failed)
{
    char a[11], b[11];
    bool changed = old != now && !failed;

    if (c->tell != 'v' && !(c->tell == 'c' && changed))
        return;
    mode_string(old, a);
    mode_string(now, b);
    const char *name = proc_quoteaf(c->p, path);
    if (failed)
        out_printf(&c->out, "failed to change mode of %s from %04o (%s) to %04o (%s)\n", name, old,
                   a + 1, now, b + 1);
    else if (changed)
        out_printf(&c->out, "mode of %s changed from %04o (%s) to %04o (%s)\n", name, old, a + 1,
                   now, b + 1);
    else
        out_printf(&c->out, "mode of %s retained as %04o (%s)\n", name, now, b + 1);
}

static void chmod_one(struct chmod *c, struct str path, bool operand);

static void chmod_below(struct chmod *c, struct str path)
{
    struct arena_mark mark = arena_mark(c->p->arena);
    struct strs names;
    int err = task_stack_low(c->p->task) ? HOB_ENAMETOOLONG : files_list(c->p, path, &names);

    if (err < 0) {
        if (!c->silent)
            proc_warn_quoted(c->p, "cannot read directory %s", path, err);
        c->status = 1;
    }
    for (size_t i = 0; err == 0 && i < names.n && proc_check(c->p) == 0; i++) {
        struct arena_mark inner = arena_mark(c->p->arena);
        struct str name = files_join(c->p, path, names.p[i]);
        if (name.p)
            chmod_one(c, name, false);
        arena_release(c->p->arena, inner);
    }
    arena_release(c->p->arena, mark);
}

/* A mode like -rwx takes the umask into account: say when that held bits back. `before` is what
 * the file had. */
static void chmod_check_umask(struct chmod *c, struct str path, uint32_t before)
{
    struct stat_info st;
    if (!c->mode.p || vfs_stat(c->p, path, 0, &st) < 0)
        return;
    uint32_t naive = mode_apply(&c->change, before, MODE_IS_DIR(st.mode), 0);
    if (st.mode & 07777 & ~naive) {
        char a[11], b[11];
        mode_string(st.mode, a);
        mode_string(naive, b);
        proc_warn(c->p, "%s: new permissions are %s, not %s", proc_quotef(c->p, path), a + 1,
                  b + 1);
        c->status = 1;
    }
}

static void chmod_one(struct chmod *c, struct str path, bool operand)
{
    struct stat_info st;
    int err = vfs_stat(c->p, path, operand ? 0 : VFS_NOFOLLOW, &st);

    if (err < 0) {
        struct stat_info link;
        bool dangling = operand && vfs_stat(c->p, path, VFS_NOFOLLOW, &link) == 0;
        if (!c->silent && dangling)
            proc_warn(c->p, "cannot operate on dangling symlink %s", proc_quoteaf(c->p, path));
        else if (!c->silent)
            proc_warn_quoted(c->p, "cannot access %s", path, err);
        c->status = 1;
        if (c->tell == 'v')
            out_printf(&c->out, "%s could not be accessed\n", proc_quoteaf(c->p, path));
        return;
    }
    if (!operand && MODE_IS_LINK(st.mode)) {
        if (c->tell == 'v')
            out_printf(&c->out, "neither symbolic link %s nor referent has been changed\n",
                       proc_quoteaf(c->p, path));
        return;
    }
    uint32_t old = st.mode & 07777;
    uint32_t now = mode_apply(&c->change, st.mode, MODE_IS_DIR(st.mode), c->p->umask);
    err = vfs_chmod(c->p, path, now);
    if (err < 0) {
        if (!c->silent)
            proc_warn_quoted(c->p, "changing permissions of %s", path, err);
        c->status = 1;
    }
    chmod_tell(c, path, old, now, err < 0);
    if (err == 0)
        chmod_check_umask(c, path, st.mode);
    if (c->recursive && MODE_IS_DIR(st.mode))
        chmod_below(c, path);
}

static int chmod_run(struct proc *p, void *args)
{
    struct chmod *c = args;
    int first = 0;

    c->p = p;
    struct str mode = c->mode;
    if (c->reference.p) {
        struct stat_info st;
        int err = vfs_stat(p, c->reference, 0, &st);
        if (mode.p) {
            proc_warn(p, "cannot combine mode and --reference options");
            return proc_usage(p);
        }
        if (err < 0) {
            proc_warn_quoted(p, "failed to get attributes of %s", c->reference, err);
            return 1;
        }
        mode = arena_printf(p->arena, "%05o", st.mode & 07777);
    } else if (!mode.p && p->argc) {
        mode = p->argv[first++];
    }
    if (p->argc <= first) {
        if (first == 1)
            proc_warn(p, "missing operand after %s", proc_quote(p, p->argv[0]));
        else
            proc_warn(p, "missing operand");
        return proc_usage(p);
    }
    if (mode_parse(p, mode, &c->change) < 0) {
        proc_warn(p, "invalid mode: %s", proc_quote(p, mode));
        return proc_usage(p);
    }
    out_init(&c->out, p, 1);
    for (int i = first; i < p->argc; i++) {
        if (c->recursive && c->preserve_root && str_eqz(p->argv[i], "/")) {
            proc_warn(p, "it is dangerous to operate recursively on '/'");
            proc_warn(p, "use --no-preserve-root to override this failsafe");
            c->status = 1;
            continue;
        }
        chmod_one(c, p->argv[i], true);
    }
    return command_close(p, &c->out, c->status);
}

const struct command cmd_chmod = {
    .name = "chmod",
    .usage = "[OPTION]... MODE[,MODE]... FILE...\n[OPTION]... OCTAL-MODE FILE...\n"
             "[OPTION]... --reference=RFILE FILE...",
    .summary = "Change the mode of each FILE to MODE.",
    .notes = "Each MODE is of the form '[ugoa]*([-+=]([rwxXst]*|[ugo]))+|[-+=][0-7]+'.",
    .opts = chmod_opts,
    .args_size = sizeof(struct chmod),
    .flags = CMD_NUMERIC,
    .usage_status = 1,
    .run = chmod_run,
    .number = chmod_number,
};

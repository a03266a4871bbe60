/* mktemp.c -- make a temporary file or folder with a name nobody has */
#include "shell/command.h"

#include "base/error.h"
#include "commands/lib/files.h"

struct mktemp {
    bool dir, dry, quiet, legacy, tmp;
    struct str suffix, tmpdir;
};

static int mktemp_tmpdir(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct mktemp *m = args;
    (void)p;
    (void)o;
    m->tmp = true;
    m->tmpdir = arg;
    return 0;
}

static const struct opt mktemp_opts[] = {
    OPT_FLAG('d', "directory", struct mktemp, dir, "make a folder, not a file"),
    OPT_FLAG('u', "dry-run", struct mktemp, dry, "make nothing, just print a name"),
    OPT_FLAG('q', "quiet", struct mktemp, quiet, "no messages when it fails"),
    OPT_STRING(0, "suffix", struct mktemp, suffix, "SUFF", "append SUFF to the template"),
    OPT_CALL('p', NULL, mktemp_tmpdir, "DIR", "same as --tmpdir=DIR"),
    OPT_CALL_OPTIONAL(0, "tmpdir", mktemp_tmpdir, "DIR",
                      "the template is relative to DIR, or $TMPDIR, or /tmp"),
    OPT_FLAG('t', NULL, struct mktemp, legacy,
             "the template is one name, relative to $TMPDIR, -p or /tmp"),
    OPT_END,
};

/* Fills in the X's and makes it. */
static int mktemp_make(struct proc *p, const struct mktemp *m, char *path, size_t n, size_t xs,
                       size_t nx)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    struct stat_info st;
    struct file *f;

    for (int tries = 0; tries < 1000; tries++) {
        for (size_t i = 0; i < nx; i++)
            path[xs + i] = letters[random_below(&p->kernel->random, sizeof letters - 1)];
        struct str name = str_of(path, n);
        int r;
        if (m->dry) {
            r = vfs_stat(p, name, VFS_NOFOLLOW, &st);
            r = r == 0 ? HOB_EEXIST : r == HOB_ENOENT ? 0 : r;
        } else if (m->dir) {
            r = vfs_mkdir(p, name, 0700);
        } else {
            r = vfs_open(p, name, FILE_READ | FILE_WRITE | FILE_CREATE | FILE_EXCL, 0600, &f);
            if (r == 0)
                file_unref(f);
        }
        if (r != HOB_EEXIST)
            return r;
    }
    return HOB_EEXIST;
}

/* The folder in front of the template; {NULL,0}: none. */
static struct str mktemp_folder(struct proc *p, const struct mktemp *m)
{
    struct str env;
    if (m->legacy && proc_getenv(p, STR("TMPDIR"), &env) && env.n)
        return env;
    if (m->tmpdir.n)
        return m->tmpdir;
    if (proc_getenv(p, STR("TMPDIR"), &env) && env.n)
        return env;
    return STR("/tmp");
}

/* "before 'what'after" */
static int mktemp_fail(struct proc *p, const struct mktemp *m, const char *before, struct str what,
                       const char *after)
{
    if (!m->quiet)
        proc_warn(p, "%s %s%s", before, proc_quote(p, what), after);
    return 1;
}

static int mktemp_run(struct proc *p, void *args)
{
    struct mktemp *m = args;
    struct str template = p->argc ? p->argv[0] : STR("tmp.XXXXXXXXXX"), suffix = m->suffix;
    bool use_dir = m->tmp || m->legacy || p->argc == 0;

    if (p->argc > 1) {
        proc_warn(p, "too many templates");
        return proc_usage(p);
    }
    size_t end = template.n;
    if (suffix.p) {
        if (template.n == 0 || template.p[template.n - 1] != 'X') {
            if (!m->quiet)
                proc_warn(p, "with --suffix, template %s must end in X", proc_quote(p, template));
            return 1;
        }
    } else {
        ptrdiff_t last = str_rchr(template, 'X');
        end = last < 0 ? 0 : (size_t)last + 1;
        suffix = str_from(template, end);
    }
    if (suffix.n && str_chr(suffix, '/') >= 0)
        return mktemp_fail(p, m, "invalid suffix", suffix, ", contains directory separator");
    size_t nx = 0;
    while (nx < end && template.p[end - nx - 1] == 'X')
        nx++;
    if (nx < 3)
        return mktemp_fail(p, m, "too few X's in template", template, "");
    if (m->legacy && str_chr(template, '/') >= 0)
        return mktemp_fail(p, m, "invalid template,", template, ", contains directory separator");
    if (m->tmp && !m->legacy && template.n && template.p[0] == '/')
        return mktemp_fail(p, m, "invalid template,", template,
                           "; with --tmpdir, it may not be absolute");
    struct str front = str_sub(template, 0, end);
    struct str path =
        use_dir ? files_join(p, mktemp_folder(p, m), front) : arena_str(p->arena, front);
    size_t xs = path.n - nx;
    path = path.p ? arena_printf(p->arena, "%.*s%.*s", STR_ARG(path), STR_ARG(suffix)) : path;
    if (!path.p)
        return HOB_ENOMEM;
    int r = mktemp_make(p, m, (char *)path.p, path.n, xs, nx);
    if (r < 0) {
        struct str shown = arena_str(p->arena, path);
        if (shown.p)
            memset((char *)shown.p + xs, 'X', nx);
        if (!m->quiet)
            proc_warn(p, "failed to create %s via template %s: %s", m->dir ? "directory" : "file",
                      proc_quote(p, shown), error_text(r));
        return 1;
    }
    struct out o;
    out_init(&o, p, 1);
    out_str(&o, path);
    out_putc(&o, '\n');
    return command_close(p, &o, 0);
}

const struct command cmd_mktemp = {
    .name = "mktemp",
    .usage = "[OPTION]... [TEMPLATE]",
    .summary = "Make a temporary file or folder and print its name.",
    .notes = "TEMPLATE must have at least three X's together in its last part. Without it,\n"
             "tmp.XXXXXXXXXX is used, and --tmpdir is implied.",
    .opts = mktemp_opts,
    .args_size = sizeof(struct mktemp),
    .usage_status = 1,
    .run = mktemp_run,
};

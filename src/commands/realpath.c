/* realpath.c -- print the resolved absolute names of files */
#include "shell/command.h"

#include "commands/lib/canon.h"

struct realpath {
    int mode;
    bool strip, quiet, zero, logical;
    struct str relative_to, relative_base;
};

/* Of -L, -P and -s the last one counts. */
static int realpath_links(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct realpath *r = args;
    (void)p;
    (void)arg;
    r->strip = o->letter == 's';
    r->logical = o->letter == 'L';
    return 0;
}

static const struct opt realpath_opts[] = {
    OPT_SET('e', "canonicalize-existing", struct realpath, mode, CANON_EXISTING,
            "all parts of the path must exist"),
    OPT_SET('m', "canonicalize-missing", struct realpath, mode, CANON_ANY,
            "no part of the path need exist"),
    OPT_CALL('L', "logical", realpath_links, NULL, "resolve '..' before links"),
    OPT_CALL('P', "physical", realpath_links, NULL, "resolve links as they come (default)"),
    OPT_FLAG('q', "quiet", struct realpath, quiet, "few messages"),
    OPT_STRING(0, "relative-to", struct realpath, relative_to, "DIR",
               "print the path relative to DIR"),
    OPT_STRING(0, "relative-base", struct realpath, relative_base, "DIR",
               "print paths below DIR relative"),
    OPT_CALL('s', "strip", realpath_links, NULL, "do not resolve links"),
    OPT_CALL('s', "no-symlinks", realpath_links, NULL, "do not resolve links"),
    OPT_FLAG('z', "zero", struct realpath, zero, "end each line with NUL, not newline"),
    OPT_END,
};

static void realpath_defaults(struct proc *p, void *args)
{
    (void)p;
    ((struct realpath *)args)->mode = CANON_LAST_MISSING;
}

static int realpath_resolve(struct proc *p, const struct realpath *r, struct str path,
                            enum canon_mode mode, struct str *out)
{
    struct buf b;
    int err = 0;

    buf_init(&b, &p->kernel->heap);
    if (r->logical && !r->strip) {
        err = canon_path(p, path, CANON_ANY, false, &b);
        path = arena_str(p->arena, buf_get(&b));
        buf_clear(&b);
    }
    if (err == 0)
        err = canon_path(p, path, mode, !r->strip, &b);
    *out = arena_str(p->arena, buf_get(&b));
    buf_fini(&b);
    return err < 0 ? err : out->p ? 0 : HOB_ENOMEM;
}

static bool realpath_below(struct str base, struct str path)
{
    return str_eqz(base, "/") ||
           (str_starts(path, base) && (path.n == base.n || path.p[base.n] == '/'));
}

static void realpath_put(struct out *o, struct str path, struct str to)
{
    size_t common = 0, i = 0;
    bool any = false;

    if (!to.p) {
        out_str(o, path);
        return;
    }
    if (str_eqz(to, "/"))
        to = STR("");
    if (str_eqz(path, "/"))
        path = STR("");
    for (; i < to.n && i < path.n && to.p[i] == path.p[i]; i++) {
        if (to.p[i] == '/')
            common = i;
    }
    if ((i == to.n && (i == path.n || path.p[i] == '/')) ||
        (i == path.n && i < to.n && to.p[i] == '/'))
        common = i;
    for (size_t k = common; k < to.n; k++) {
        if (to.p[k] == '/') {
            out_puts(o, any ? "/.." : "..");
            any = true;
        }
    }
    struct str rest = str_from(path, common);
    if (rest.n && rest.p[0] == '/')
        rest = str_from(rest, 1);
    if (rest.n && any)
        out_putc(o, '/');
    out_str(o, rest);
    if (!rest.n && !any)
        out_putc(o, '.');
}

/* The folders of --relative-to and --relative-base. */
static int realpath_folder(struct proc *p, const struct realpath *r, struct str *dir)
{
    struct str given = *dir;
    struct stat_info st;
    int err = realpath_resolve(p, r, given, (enum canon_mode)r->mode, dir);
    if (err == 0 && r->mode == CANON_EXISTING && (err = vfs_stat(p, *dir, 0, &st)) == 0 &&
        !MODE_IS_DIR(st.mode))
        err = HOB_ENOTDIR;
    if (err < 0) {
        proc_warn_file(p, given, err);
        return 1;
    }
    return 0;
}

static int realpath_run(struct proc *p, void *args)
{
    struct realpath *r = args;
    struct str to = STR_NONE, base = STR_NONE, path;
    struct out o;
    int status = 0;

    if (p->argc == 0)
        return proc_missing_operand(p);
    if (r->relative_to.p) {
        to = r->relative_to;
        if (realpath_folder(p, r, &to))
            return 1;
    }
    if (r->relative_base.p) {
        base = r->relative_base;
        if (realpath_folder(p, r, &base))
            return 1;
        if (!to.p)
            to = base;
        else if (!realpath_below(base, to))
            to = base = STR_NONE; /* then nothing is relative */
    }
    out_init(&o, p, 1);
    for (int i = 0; i < p->argc; i++) {
        int err = realpath_resolve(p, r, p->argv[i], (enum canon_mode)r->mode, &path);
        if (err < 0) {
            status = 1;
            if (!r->quiet)
                proc_warn_file(p, p->argv[i], err);
            continue;
        }
        realpath_put(&o, path, base.p && !realpath_below(base, path) ? STR_NONE : to);
        out_putc(&o, r->zero ? '\0' : '\n');
    }
    return command_close(p, &o, status);
}

const struct command cmd_realpath = {
    .name = "realpath",
    .usage = "[OPTION]... FILE...",
    .summary = "Print the resolved absolute path; all but the last part must exist.",
    .opts = realpath_opts,
    .args_size = sizeof(struct realpath),
    .usage_status = 1,
    .run = realpath_run,
    .defaults = realpath_defaults,
};

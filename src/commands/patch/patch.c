/* patch.c -- patch: applying what diff printed; options and the run */
#include "commands/patch/patch.h"

#include "base/error.h"

int patch_fatal(struct patch_run *r, const char *fmt, ...)
{
    struct buf b;
    va_list ap;
    out_flush(&r->out);
    buf_init(&b, &r->p->kernel->heap);
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    proc_printf_err(r->p, "%.*s: **** %s", STR_ARG(r->p->name), buf_get(&b).p);
    buf_fini(&b);
    r->status = 2;
    return HOB_ESYNTAX;
}

static int patch_opt_backup(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct patch *a = args;
    (void)o;
    a->backup = true;
    if (files_backup_kind(arg, &a->kind))
        return 0;
    proc_warn(p, "invalid argument '%.*s' for '--version-control or -V option'", STR_ARG(arg));
    proc_puts(p, 2,
              STR("Valid arguments are:\n  - 'none', 'off'\n  - 'simple', 'never'\n"
                  "  - 'existing', 'nil'\n  - 'numbered', 't'\n"));
    return 3;
}

static int patch_opt_format(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct patch *a = args;
    (void)o;
    if (!str_eqz(arg, "unified") && !str_eqz(arg, "context"))
        return proc_usage(p) + 1;
    a->reject_format = arg;
    return 0;
}

#define PATCH_FLAG(l, n, f, h) OPT_FLAG(l, n, struct patch, f, h)
#define PATCH_STR(l, n, f, a, h) OPT_STRING(l, n, struct patch, f, a, h)
static const struct opt patch_opts[] = {
    OPT_GROUP("What is read:"),
    OPT_INTEGER('p', "strip", struct patch, strip, "NUM", "take NUM leading folders off names"),
    OPT_INTEGER('F', "fuzz", struct patch, fuzz, "LINES", "lines of context that need not fit (2)"),
    PATCH_FLAG('l', "ignore-whitespace", ignore_space, "any blanks are as good as others"),
    OPT_SET('c', "context", struct patch, form, PATCH_CONTEXT, "the patch is a context diff"),
    OPT_SET('e', "ed", struct patch, form, PATCH_ED, "the patch is a script for ed"),
    OPT_SET('n', "normal", struct patch, form, PATCH_NORMAL, "the patch is a normal diff"),
    OPT_SET('u', "unified", struct patch, form, PATCH_UNIFIED, "the patch is a unified diff"),
    PATCH_FLAG('N', "forward", forward, "skip patches that seem to be applied already"),
    PATCH_FLAG('R', "reverse", reverse, "take the changes back"),
    PATCH_STR('i', "input", input, "FILE", "read the patch from FILE"),
    OPT_GROUP("What is written:"),
    PATCH_STR('o', "output", output, "FILE", "write to FILE instead"),
    PATCH_STR('r', "reject-file", reject, "FILE", "write what does not fit to FILE"),
    OPT_CALL(0, "reject-format", patch_opt_format, "FORM", "of it: context or unified"),
    PATCH_FLAG('E', "remove-empty-files", remove_empty, "remove files that become empty"),
    PATCH_FLAG('Z', "set-utc", set_utc, "give files the time that the patch says, in UTC"),
    PATCH_FLAG('T', "set-time", set_time, "the same in local time"),
    PATCH_FLAG(0, "dry-run", dry_run, "only say what would be done"),
    PATCH_FLAG('s', "silent", silent, "say nothing unless something is wrong"),
    PATCH_FLAG(0, "quiet", silent, "the same"),
    PATCH_FLAG(0, "verbose", verbose, "say more"),
    OPT_GROUP("Backups:"),
    PATCH_FLAG('b', "backup", backup, "keep the old file as FILE.orig"),
    PATCH_FLAG(0, "no-backup-if-mismatch", no_backup_mismatch,
               "keep none when a hunk did not fit at once"),
    OPT_CALL('V', "version-control", patch_opt_backup, "KIND", "simple, numbered or existing"),
    PATCH_STR('B', "prefix", prefix, "PREFIX", "put PREFIX in front of the names of backups"),
    PATCH_STR('Y', "basename-prefix", base_prefix, "PREFIX", "the same for their last part"),
    PATCH_STR('z', "suffix", suffix, "SUFFIX", "put SUFFIX behind the names of backups"),
    OPT_GROUP("Others:"),
    PATCH_FLAG('t', "batch", batch, "ask nothing; skip patches without a file"),
    PATCH_FLAG('f', "force", force, "ask nothing; the patch is right"),
    PATCH_STR('d', "directory", dir, "DIR", "work in DIR"),
    PATCH_FLAG(0, "posix", posix, "(accepted)"),
    PATCH_FLAG(0, "binary", binary, "(accepted)"),
    PATCH_FLAG(0, "follow-symlinks", follow, "patch what symbolic links lead to"),
    OPT_END,
};
#undef PATCH_FLAG
#undef PATCH_STR

static void patch_defaults(struct proc *p, void *args)
{
    struct patch *a = args;
    (void)p;
    a->strip = -1;
    a->fuzz = 2;
}

static int patch_load_input(struct patch_run *r, struct str name)
{
    struct in in;
    int e = 0;
    if (!name.p || str_eqz(name, "-"))
        in_init(&in, r->p, 0);
    else
        e = in_open_quiet(&in, r->p, name);
    if (e < 0)
        return patch_fatal(r, "Can't open patch file %s : %s\n", proc_quotef(r->p, name),
                           error_text(e));
    e = in_all(&in, &r->text);
    in_fini(&in);
    return e;
}

void patch_put_leading(struct patch_run *r, const struct patch_file *f)
{
    out_puts(&r->out, "The text leading up to this was:\n--------------------------\n");
    for (struct str s = f->leading; s.n;) {
        ptrdiff_t nl = str_chr(s, '\n');
        struct str line = nl < 0 ? s : str_sub(s, 0, (size_t)nl);
        out_printf(&r->out, "|%.*s\n", STR_ARG(line));
        s = nl < 0 ? STR("") : str_from(s, (size_t)nl + 1);
    }
    out_puts(&r->out, "--------------------------\n");
}

/* --verbose: what kind of diff it was taken for. */
static void patch_tell_kind(struct patch_run *r, const struct patch_file *f)
{
    static const char *const kinds[] = {"", "a new-style context diff", "an ed script",
                                        "a normal diff", "a unified diff"};
    if (!r->o->verbose)
        return;
    out_printf(&r->out, "Hmm...  %s like %s to me...\n", r->any ? "The next patch looks" : "Looks",
               kinds[f->form]);
    if (f->leading.n)
        patch_put_leading(r, f);
}

static int patch_all(struct patch_run *r)
{
    struct patch_file f;
    int e;
    while ((e = patch_read(r, &f)) > 0) {
        patch_tell_kind(r, &f);
        r->any = true;
        e = patch_apply(r, &f);
        if (e < 0)
            return e;
    }
    if (e == HOB_ESYNTAX && f.form) {
        f.broken = true;
        int b = patch_apply(r, &f);
        e = b < 0 ? b : e;
    }
    if (e == 0 && !r->any && r->text.n)
        return patch_fatal(r, "Only garbage was found in the patch input.\n");
    if (e == 0 && r->o->verbose)
        out_puts(&r->out, r->rest ? "Hmm...  Ignoring the trailing garbage.\ndone\n" : "done\n");
    return e;
}

static int patch_run(struct proc *p, void *args)
{
    struct patch *o = args;
    struct patch_run r = {.p = p, .o = o};

    if (p->argc > 2)
        return proc_extra_operand(p, p->argv[2]);
    struct str input = p->argc == 2 ? p->argv[1] : o->input;
    if (o->dir.p) {
        struct buf b;
        buf_init(&b, &p->kernel->heap);
        path_normalise(&b, p->cwd, o->dir);
        p->cwd = arena_str(p->arena, buf_get(&b));
        buf_fini(&b);
        if (!p->cwd.p || !files_is_dir(p, p->cwd)) {
            out_init(&r.out, p, 1);
            patch_fatal(&r, "Can't change to directory %s : %s\n", proc_quotef(p, o->dir),
                        error_text(HOB_ENOENT));
            return command_close(p, &r.out, 2);
        }
    }
    out_init(&r.out, p, 1);
    int e = patch_load_input(&r, input);
    if (e == 0)
        e = patch_all(&r);
    return command_close(p, &r.out, e < 0 && e != HOB_ESYNTAX ? e : r.status);
}

const struct command cmd_patch = {
    .name = "patch",
    .usage = "[OPTION]... [ORIGFILE [PATCHFILE]]",
    .summary = "Apply a patch, as diff printed it, to files.",
    .notes = "Exit status: 0 if everything fit, 1 if some hunks did not, 2 after an error.",
    .opts = patch_opts,
    .args_size = sizeof(struct patch),
    .flags = CMD_USAGE_NAME,
    .usage_status = 2,
    .defaults = patch_defaults,
    .run = patch_run,
};

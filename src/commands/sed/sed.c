/* sed.c -- edit a stream of lines */
#include "commands/sed/sed.h"

#include "base/error.h"
#include "commands/lib/locale.h"

static int sed_add_chunk(struct proc *p, struct sed *o, struct str text, struct str file)
{
    struct sed_chunk *c = arena_new(p->arena, struct sed_chunk);
    if (!c)
        return SED_PANIC + 1;
    c->text = text.p ? text : STR("");
    c->file = file;
    c->expr = file.p ? o->exprs : ++o->exprs;
    if (!o->last)
        o->last = &o->first;
    *o->last = c;
    o->last = &c->next;
    return 0;
}

static int sed_expression(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    (void)opt;
    return sed_add_chunk(p, args, arg, STR_NONE);
}

static int sed_script_file(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    struct in in;
    struct str text;
    int e = in_open_quiet(&in, p, arg);

    (void)opt;
    if (e == 0) {
        e = in_all(&in, &text);
        in_fini(&in);
        if (e < 0)
            proc_warn(p, "read error on %.*s: %s", STR_ARG(arg), error_text(e));
    } else {
        proc_warn(p, "couldn't open file %.*s: %s", STR_ARG(arg), error_text(e));
    }
    if (e < 0)
        return SED_PANIC + 1;
    return sed_add_chunk(p, args, text, arg);
}

static int sed_in_place(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    struct sed *o = args;

    (void)p;
    (void)opt;
    o->in_place = o->separate = true;
    if (arg.p)
        o->suffix = arg;
    return 0;
}

static int sed_line_length(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    int64_t n = 0;

    (void)p;
    (void)opt;
    for (size_t i = 0; i < arg.n && arg.p[i] >= '0' && arg.p[i] <= '9'; i++)
        n = MIN(n * 10 + (arg.p[i] - '0'), INT32_MAX);
    ((struct sed *)args)->line_length = n;
    return 0;
}

static const struct opt sed_opts[] = {
    OPT_FLAG('n', "quiet", struct sed, quiet,
             "do not write the pattern space at the end of a cycle"),
    OPT_FLAG('n', "silent", struct sed, quiet, "same as --quiet"),
    OPT_FLAG(0, "debug", struct sed, debug, "show the program and what it does"),
    OPT_CALL('e', "expression", sed_expression, "SCRIPT", "add SCRIPT to the commands to be run"),
    OPT_CALL('f', "file", sed_script_file, "FILE", "add the contents of FILE to the commands"),
    OPT_FLAG(0, "follow-symlinks", struct sed, follow, "with -i, edit what links lead to"),
    OPT_CALL_OPTIONAL('i', "in-place", sed_in_place, "SUFFIX",
                      "edit files in place; the old contents are kept under a name with SUFFIX"),
    OPT_CALL('l', "line-length", sed_line_length, "N", "fold the lines of the l command at N"),
    OPT_FLAG(0, "posix", struct sed, posix, "without the extensions of GNU"),
    OPT_FLAG('E', "regexp-extended", struct sed, extended, "use extended regular expressions"),
    OPT_FLAG('r', NULL, struct sed, extended, "same as -E"),
    OPT_FLAG('s', "separate", struct sed, separate, "files are separate, not one long stream"),
    OPT_FLAG(0, "sandbox", struct sed, sandbox, "refuse the commands e, r and w"),
    OPT_FLAG('u', "unbuffered", struct sed, unbuffered, "write each line at once"),
    OPT_FLAG('z', "null-data", struct sed, nul_data, "lines end with NUL, not newline"),
    OPT_FLAG('z', "zero-terminated", struct sed, nul_data, "same as --null-data"),
    OPT_FLAG('b', "binary", struct sed, binary, "(ignored)"),
    OPT_END,
};

static void sed_defaults(struct proc *p, void *args)
{
    (void)p;
    ((struct sed *)args)->line_length = 70;
}

static int sed_run(struct proc *p, void *args)
{
    static struct str const standard = STR_INIT("-");
    struct sed *o = args;
    struct sed_run r = {.p = p, .heap = &p->kernel->heap, .o = o, .fresh = true};
    struct str only = standard;

    r.names = p->argv;
    r.nnames = p->argc;
    if (!o->first) {
        if (p->argc == 0)
            return proc_usage(p);
        if (sed_add_chunk(p, o, p->argv[0], STR_NONE))
            return HOB_ENOMEM;
        r.names++;
        r.nnames--;
    }
    if (r.nnames == 0) {
        r.names = &only;
        r.nnames = 1;
    }
    r.eol = o->nul_data ? '\0' : '\n';
    r.quiet = o->quiet;
    r.bytes = locale_bytes(p);
    buf_init(&r.line.own, r.heap);
    buf_init(&r.hold.own, r.heap);
    buf_init(&r.scratch, r.heap);
    buf_init(&r.once, r.heap);
    r.line.p = r.hold.p = "";
    r.line.chomped = r.hold.chomped = true;
    out_init(&r.standard.out, p, 1);
    out_init(&r.error.out, p, 2);
    r.error.out.line = true;
    r.standard.out.line |= o->unbuffered;
    r.out = &r.standard;
    r.standard.to = r.written.to = &r.standard.out;
    r.error.to = &r.error.out;
    r.standard.name = r.written.name = STR("/dev/stdout");
    r.error.name = STR("/dev/stderr");
    r.err = sed_parse(&r);
    int status = 0;
    if (r.err == 0 && o->in_place && r.names == &only)
        sed_panic(&r, SED_PANIC, "no input files");
    if (r.err == 0) {
        if (o->debug)
            sed_debug_program(&r);
        status = sed_execute(&r);
    }
    sed_free(&r);
    if (r.err)
        status = r.err < 0 ? r.err : r.err - 1;
    int err = out_fini(&r.standard.out);
    if (err == 0)
        return status;
    if (proc_check(p) < 0 || err == HOB_EKILLED || err == HOB_ENOMEM)
        return err == HOB_ENOMEM ? err : HOB_EKILLED;
    proc_warn(p, "couldn't %s stdout: %s", err == HOB_EBADF ? "close" : "flush", error_text(err));
    return 4;
}

const struct command cmd_sed = {
    .name = "sed",
    .usage = "[OPTION]... {script-only-if-no-other-script} [input-file]...",
    .summary = "Read lines, run a script of commands on each, and write what comes of it.",
    .notes = "Without -e, -f or their long forms the first operand is the script. All others are\n"
             "names of files; without any, standard input is read.",
    .opts = sed_opts,
    .args_size = sizeof(struct sed),
    .flags = CMD_USAGE_HELP,
    .usage_status = 1,
    .run = sed_run,
    .defaults = sed_defaults,
};

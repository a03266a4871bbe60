/* pager.c -- less and more where there is no terminal: they copy, as cat does */
#include "base/error.h"
#include "commands/lib/files.h"
#include "shell/command.h"

struct pager {
    bool flag;
    struct str text;
    int64_t number;
};

/* None of the options has a meaning without a terminal. */
static int pager_opt_ignored(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p;
    (void)args;
    (void)o;
    (void)arg;
    return 0;
}

#define PAGER_FLAG(l, n, h) OPT_FLAG(l, n, struct pager, flag, h)
#define PAGER_TEXT(l, n, a, h) OPT_CALL(l, n, pager_opt_ignored, a, h)
static const struct opt pager_less_opts[] = {
    PAGER_FLAG('e', "quit-at-eof", "leave at the second end of file"),
    PAGER_FLAG('E', "QUIT-AT-EOF", "leave at the end of file"),
    PAGER_FLAG('F', "quit-if-one-screen", "leave when all fits on the screen"),
    PAGER_FLAG('i', "ignore-case", "searches ignore case"),
    PAGER_FLAG('I', "IGNORE-CASE", "also when the pattern has capitals"),
    PAGER_FLAG('M', "LONG-PROMPT", "a long prompt"),
    PAGER_FLAG('N', "LINE-NUMBERS", "number the lines on the screen"),
    PAGER_FLAG('n', "line-numbers", "do not count lines"),
    PAGER_FLAG('q', "quiet", "no bell"),
    PAGER_FLAG('r', "raw-control-chars", "print control characters as they are"),
    PAGER_FLAG('R', "RAW-CONTROL-CHARS", "let colours pass"),
    PAGER_FLAG('S', "chop-long-lines", "cut long lines at the edge of the screen"),
    PAGER_FLAG('s', "squeeze-blank-lines", "one empty line for many"),
    PAGER_FLAG('X', "no-init", "do not clear the screen"),
    PAGER_TEXT('P', "prompt", "TEXT", "the prompt"),
    PAGER_TEXT('p', "pattern", "PATTERN", "begin at PATTERN"),
    PAGER_TEXT('x', "tabs", "N", "tab stops"),
    OPT_END,
};
static const struct opt pager_more_opts[] = {
    PAGER_FLAG('d', "silent", "help instead of a bell"),
    PAGER_FLAG('f', "logical", "count lines, not rows"),
    PAGER_FLAG('l', "no-pause", "do not stop at form feeds"),
    PAGER_FLAG('c', "print-over", "paint over, do not scroll"),
    PAGER_FLAG('p', "clean-print", "clear the screen first"),
    PAGER_FLAG('e', "exit-on-eof", "leave at the end of file"),
    PAGER_FLAG('s', "squeeze", "one empty line for many"),
    PAGER_FLAG('u', "plain", "no underlining"),
    PAGER_TEXT('n', "lines", "N", "rows of the screen"),
    OPT_END,
};
#undef PAGER_FLAG
#undef PAGER_TEXT

static int pager_copy(struct proc *p, struct file *f, struct out *o)
{
    struct slice s;
    ptrdiff_t n;
    while ((n = file_take(f, p, &s)) > 0 && !o->err)
        out_give(o, &s);
    return n < 0 ? (int)n : 0;
}

static int pager_file(struct proc *p, struct str path, struct out *o, bool more)
{
    struct file *f;
    struct stat_info st;
    int e = vfs_stat(p, path, 0, &st);
    if (e == 0 && MODE_IS_DIR(st.mode)) {
        out_printf(o, more ? "\n*** %.*s: directory ***\n\n" : "%.*s is a directory\n",
                   STR_ARG(path));
        return 0;
    }
    e = vfs_open(p, path, FILE_READ, 0, &f);
    if (e < 0) {
        if (!more)
            out_printf(o, "%.*s: %s\n", STR_ARG(path), error_text(e));
        else if (e != HOB_EKILLED && out_flush(o) == 0)
            proc_warn(p, "cannot open %.*s: %s", STR_ARG(path), error_text(e));
        return e == HOB_EKILLED ? e : 0;
    }
    if (more)
        out_printf(o, "::::::::::::::\n%.*s\n::::::::::::::\n", STR_ARG(path));
    e = pager_copy(p, f, o);
    file_unref(f);
    return e;
}

static int pager_run(struct proc *p, void *args)
{
    const struct command *c = p->command;
    bool more = strcmp(c->name, "more") == 0;
    struct out o;
    int e = 0, files = 0;
    (void)args;
    out_init(&o, p, 1);
    for (int i = 0; i < p->argc && e == 0 && !o.err; i++) {
        if (p->argv[i].n > 1 && p->argv[i].p[0] == '+')
            continue; /* a place to begin at */
        files++;
        e = str_eqz(p->argv[i], "-") && proc_file(p, 0) ? pager_copy(p, proc_file(p, 0), &o)
                                                        : pager_file(p, p->argv[i], &o, more);
    }
    if (files == 0 && proc_file(p, 0))
        e = pager_copy(p, proc_file(p, 0), &o);
    return command_close(p, &o, e);
}

const struct command cmd_less = {
    .name = "less",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Show the FILEs: without a terminal all of them at once.",
    .opts = pager_less_opts,
    .args_size = sizeof(struct pager),
    .usage_status = 1,
    .run = pager_run,
};

const struct command cmd_more = {
    .name = "more",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Show the FILEs: without a terminal all of them at once, each below its name.",
    .opts = pager_more_opts,
    .args_size = sizeof(struct pager),
    .usage_status = 1,
    .run = pager_run,
};

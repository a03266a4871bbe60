/* diff.c -- diff: what changed between two files or folders; options and the run */
#include "commands/diff/diff.h"

#include "base/fmt.h"
#include "shell/quote.h"

enum {
    DIFFCMD_CONTEXT_LINES = 3,
    DIFFCMD_WIDTH = 130
};

/* ---- options that are more than a field ------------------------------------------------------ */

static void diffcmd_style(struct diffcmd *d, int style)
{
    d->conflict |= d->style && d->style != style;
    d->style = style;
}

static int diffcmd_opt_style(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p;
    (void)arg;
    diffcmd_style(args, o->value);
    return 0;
}

static int diffcmd_number(struct proc *p, struct str arg, const char *what, int64_t *out)
{
    if (str_int(arg, out) == 0 && *out >= 0)
        return 0;
    proc_warn(p, "invalid %s '%.*s'", what, STR_ARG(arg));
    return proc_usage(p) + 1;
}

/* -u, -c, -U N, -C N, --unified[=N], --context[=N]. */
static int diffcmd_opt_context(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct diffcmd *d = args;
    int64_t n = DIFFCMD_CONTEXT_LINES;
    diffcmd_style(d, o->value);
    if (arg.p) {
        int e = diffcmd_number(p, arg, "context length", &n);
        if (e)
            return e;
        d->explicit_context = true;
    }
    d->context = MAX(d->context, n);
    return 0;
}

/* -5 as in -u5: lines of context. */
static int diffcmd_opt_digit(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct diffcmd *d = args;
    (void)p;
    (void)arg;
    d->digits = MIN(MAX(d->digits, 0) * 10 + (o->letter - '0'), 1 << 28);
    return 0;
}

static int diffcmd_opt_width(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct diffcmd *d = args;
    bool tab = o->value;
    int64_t n;
    if (str_int(arg, &n) < 0 || n <= 0) {
        proc_warn(p, "invalid %s '%.*s'", tab ? "tabsize" : "width", STR_ARG(arg));
        return proc_usage(p) + 1;
    }
    int64_t was = tab ? d->tabsize : d->width;
    n = MIN(n, 1 << 20);
    if (was && was != n) {
        proc_warn(p, "conflicting %s options", tab ? "tabsize" : "width");
        return 3;
    }
    *(tab ? &d->tabsize : &d->width) = n;
    return 0;
}

static int diffcmd_opt_horizon(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)o;
    return diffcmd_number(p, arg, "horizon length", &((struct diffcmd *)args)->horizon);
}

static int diffcmd_opt_label(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct diffcmd *d = args;
    (void)o;
    if (d->nlabels == 2) {
        proc_warn(p, "too many file label options");
        return proc_usage(p) + 1;
    }
    d->label[d->nlabels++] = arg;
    return 0;
}

static int diffcmd_opt_list(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct diffcmd *d = args;
    struct strs *list = o->letter == 'I'   ? &d->ignore_lines
                        : o->letter == 'F' ? &d->functions
                                           : &d->exclude;
    return proc_push(p, list, arg) ? 0 : HOB_ENOMEM;
}

static int diffcmd_opt_exclude_from(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct diffcmd *d = args;
    struct in in;
    struct str line;
    bool had;
    int e = in_open_quiet(&in, p, arg);
    (void)o;
    if (e < 0) {
        proc_warn_file(p, arg, e);
        return 3;
    }
    while (e == 0 && in_line(&in, '\n', &line, &had)) {
        struct str copy = arena_str(p->arena, line);
        if (line.n && (!copy.p || !proc_push(p, &d->exclude, copy)))
            e = HOB_ENOMEM;
    }
    in_fini(&in);
    return e;
}

static int diffcmd_opt_color(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct diffcmd *d = args;
    static const struct word_row rows[] = {{"always", 1}, {"auto", 2}, {"never", 0}, {NULL, 0}};
    int when = 1;
    (void)o;
    int e = arg.p ? proc_word(p, "--color", arg, rows, &when) : 0;
    if (!arg.p)
        when = 2;
    struct file *f = proc_file(p, 1);
    d->color = when == 1 || (when == 2 && f && (f->flags & FILE_TTY));
    return e;
}

/* A format is given once; or again, if it is the same. */
int diffcmd_specify(struct proc *p, struct str *format, struct str value, const char *option)
{
    if (format->p && !str_eq(*format, value)) {
        proc_warn(p, "conflicting %s option value '%.*s'", option, STR_ARG(value));
        return proc_usage(p) + 1;
    }
    *format = value;
    return 0;
}

static int diffcmd_opt_ifdef(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct diffcmd *d = args;
    (void)o;
    diffcmd_style(d, DIFFCMD_FORMATS);
    d->ifdef = arg;
    return diffcmd_format_ifdef(p, d);
}

static int diffcmd_opt_line_format(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct diffcmd *d = args;
    char option[32];
    int e = 0;
    diffcmd_style(d, DIFFCMD_FORMATS);
    fmt_print(option, sizeof option, "--%s", o->name);
    for (int i = 0; i < 3 && e == 0; i++)
        if (o->value == i || o->value < 0)
            e = diffcmd_specify(p, &d->line_format[i], arg, option);
    return e;
}

static int diffcmd_opt_group_format(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct diffcmd *d = args;
    char option[32];
    diffcmd_style(d, DIFFCMD_FORMATS);
    fmt_print(option, sizeof option, "--%s", o->name);
    return diffcmd_specify(p, &d->group_format[o->value], arg, option);
}

static int diffcmd_opt_name_case(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p, (void)o, (void)arg;
    ((struct diffcmd *)args)->ignore_name_case = false;
    return 0;
}

/* clang-format off */
#define DIFFCMD_CALL(l, n, v, fn, a, h) {OPT_KIND_CALL, 0, l, n, 0, v, a, h, fn}
#define DIFFCMD_DIGIT(l) {OPT_KIND_CALL, OPT_HIDDEN, l, NULL, 0, 0, NULL, "", diffcmd_opt_digit}
#define DIFFCMD_FLAG(l, n, f, h) OPT_FLAG(l, n, struct diffcmd, f, h)
/* clang-format on */
static const struct opt diffcmd_opts[] = {
    OPT_GROUP("Form of the output:"),
    DIFFCMD_CALL(0, "normal", DIFFCMD_NORMAL, diffcmd_opt_style, NULL,
                 "the normal form (the default)"),
    DIFFCMD_FLAG('q', "brief", brief, "say only whether files differ"),
    DIFFCMD_FLAG('s', "report-identical-files", report_same, "say when two files are the same"),
    DIFFCMD_CALL('c', NULL, DIFFCMD_CONTEXT, diffcmd_opt_context, NULL,
                 "3 lines of context, in two parts"),
    {OPT_KIND_CALL, OPT_ARG_OPTIONAL, 0, "context", 0, DIFFCMD_CONTEXT, "NUM",
     "NUM lines of context", diffcmd_opt_context},
    DIFFCMD_CALL('C', NULL, DIFFCMD_CONTEXT, diffcmd_opt_context, "NUM", "the same"),
    DIFFCMD_CALL('u', NULL, DIFFCMD_UNIFIED, diffcmd_opt_context, NULL,
                 "3 lines of context, in one block"),
    {OPT_KIND_CALL, OPT_ARG_OPTIONAL, 0, "unified", 0, DIFFCMD_UNIFIED, "NUM",
     "NUM lines of context", diffcmd_opt_context},
    DIFFCMD_CALL('U', NULL, DIFFCMD_UNIFIED, diffcmd_opt_context, "NUM", "the same"),
    DIFFCMD_CALL('e', "ed", DIFFCMD_ED, diffcmd_opt_style, NULL, "a script for ed"),
    DIFFCMD_CALL('f', "forward-ed", DIFFCMD_FORWARD_ED, diffcmd_opt_style, NULL,
                 "the same, forward"),
    DIFFCMD_CALL('n', "rcs", DIFFCMD_RCS, diffcmd_opt_style, NULL, "the form of RCS"),
    DIFFCMD_CALL('y', "side-by-side", DIFFCMD_SIDE, diffcmd_opt_style, NULL, "two columns"),
    DIFFCMD_CALL('W', "width", 0, diffcmd_opt_width, "NUM", "of the two columns together (130)"),
    DIFFCMD_FLAG(0, "left-column", left_column, "show equal lines in the left column alone"),
    DIFFCMD_FLAG(0, "suppress-common-lines", suppress_common, "show no equal lines"),
    DIFFCMD_FLAG('p', "show-c-function", function, "show which C function a change is in"),
    OPT_CALL('F', "show-function-line", diffcmd_opt_list, "RE",
             "show the last line that matches RE"),
    OPT_CALL(0, "label", diffcmd_opt_label, "LABEL", "in place of a file's name and time; twice"),
    DIFFCMD_FLAG('t', "expand-tabs", expand_tabs, "blanks for tabs"),
    DIFFCMD_FLAG('T', "initial-tab", initial_tab, "a tab in front of lines, so that tabs line up"),
    DIFFCMD_CALL(0, "tabsize", 1, diffcmd_opt_width, "NUM", "of tabs (8)"),
    DIFFCMD_FLAG(0, "suppress-blank-empty", suppress_blank_empty,
                 "no blank in front of empty lines"),
    {OPT_KIND_CALL, OPT_ARG_OPTIONAL, 0, "color", 0, 0, "WHEN", "never, always or auto",
     diffcmd_opt_color},
    OPT_STRING(0, "palette", struct diffcmd, palette, "LIST",
               "colors by the names rs, hd, ad, de and ln: ad=32:de=31"),
    DIFFCMD_FLAG('l', "paginate", paginate, "in pages, with a heading on each"),
    OPT_CALL('D', "ifdef", diffcmd_opt_ifdef, "NAME", "both versions, kept apart by #ifdef NAME"),
    DIFFCMD_CALL(0, "line-format", -1, diffcmd_opt_line_format, "LFMT", "the form of every line"),
    DIFFCMD_CALL(0, "old-line-format", DIFFCMD_OLD, diffcmd_opt_line_format, "LFMT",
                 "of old lines"),
    DIFFCMD_CALL(0, "new-line-format", DIFFCMD_NEW, diffcmd_opt_line_format, "LFMT",
                 "of new lines"),
    DIFFCMD_CALL(0, "unchanged-line-format", DIFFCMD_BOTH, diffcmd_opt_line_format, "LFMT",
                 "of equal lines"),
    DIFFCMD_CALL(0, "old-group-format", DIFFCMD_OLD, diffcmd_opt_group_format, "GFMT",
                 "of old lines"),
    DIFFCMD_CALL(0, "new-group-format", DIFFCMD_NEW, diffcmd_opt_group_format, "GFMT",
                 "of new lines"),
    DIFFCMD_CALL(0, "unchanged-group-format", DIFFCMD_BOTH, diffcmd_opt_group_format, "GFMT",
                 "of equal lines"),
    DIFFCMD_CALL(0, "changed-group-format", DIFFCMD_CHANGED, diffcmd_opt_group_format, "GFMT",
                 "of changes"),
    OPT_GROUP("Which files:"),
    DIFFCMD_FLAG('r', "recursive", recursive, "folders, and what is in them"),
    DIFFCMD_FLAG(0, "no-dereference", no_dereference, "compare links, not what they lead to"),
    DIFFCMD_FLAG('N', "new-file", new_file, "a file that is not there counts as empty"),
    DIFFCMD_FLAG('P', "unidirectional-new-file", unidirectional,
                 "the same for the first file alone"),
    DIFFCMD_FLAG(0, "ignore-file-name-case", ignore_name_case, "case of names does not matter"),
    OPT_CALL(0, "no-ignore-file-name-case", diffcmd_opt_name_case, NULL, "it does (the default)"),
    OPT_CALL('x', "exclude", diffcmd_opt_list, "PAT", "pass over files that match PAT"),
    OPT_CALL('X', "exclude-from", diffcmd_opt_exclude_from, "FILE", "or a pattern in FILE"),
    OPT_STRING('S', "starting-file", struct diffcmd, start, "FILE", "begin with FILE in folders"),
    OPT_STRING(0, "from-file", struct diffcmd, from_file, "FILE", "compare FILE with all operands"),
    OPT_STRING(0, "to-file", struct diffcmd, to_file, "FILE", "compare all operands with FILE"),
    OPT_GROUP("What counts as equal:"),
    DIFFCMD_FLAG('i', "ignore-case", icase, "letters of either case"),
    DIFFCMD_FLAG('E', "ignore-tab-expansion", tab_expansion, "tabs and the blanks they stand for"),
    DIFFCMD_FLAG('Z', "ignore-trailing-space", trailing_space, "blanks at the end of lines"),
    DIFFCMD_FLAG('b', "ignore-space-change", space_change, "any number of blanks"),
    DIFFCMD_FLAG('w', "ignore-all-space", all_space, "blanks, or none"),
    DIFFCMD_FLAG('B', "ignore-blank-lines", blank_lines, "changes of empty lines alone"),
    OPT_CALL('I', "ignore-matching-lines", diffcmd_opt_list, "RE", "changes of such lines alone"),
    DIFFCMD_FLAG('a', "text", text, "all files are text"),
    DIFFCMD_FLAG(0, "strip-trailing-cr", strip_cr, "a CR at the end of lines"),
    DIFFCMD_FLAG('d', "minimal", minimal, "look for the smallest set of changes"),
    OPT_CALL(0, "horizon-lines", diffcmd_opt_horizon, "NUM",
             "lines that are kept at both ends (all are, here)"),
    DIFFCMD_FLAG('H', "speed-large-files", speed, "large files with few changes (always so)"),
    DIFFCMD_DIGIT('0'),
    DIFFCMD_DIGIT('1'),
    DIFFCMD_DIGIT('2'),
    DIFFCMD_DIGIT('3'),
    DIFFCMD_DIGIT('4'),
    DIFFCMD_DIGIT('5'),
    DIFFCMD_DIGIT('6'),
    DIFFCMD_DIGIT('7'),
    DIFFCMD_DIGIT('8'),
    DIFFCMD_DIGIT('9'),
    OPT_END,
};
#undef DIFFCMD_CALL
#undef DIFFCMD_DIGIT
#undef DIFFCMD_FLAG

static void diffcmd_defaults(struct proc *p, void *args)
{
    struct diffcmd *d = args;
    (void)p;
    d->digits = -1;
}

/* ---- the run --------------------------------------------------------------------------------- */

/* The options as they were typed, quoted where a shell would want it. */
static struct str diffcmd_switches(struct proc *p)
{
    struct buf b;
    buf_init(&b, &p->kernel->heap);
    for (int i = 1, op = 0; i < p->nwords; i++) {
        if (op < p->argc && p->words[i].p == p->argv[op].p) {
            op++;
            continue;
        }
        if (str_eqz(p->words[i], "--"))
            continue;
        buf_putc(&b, ' ');
        buf_addz(&b, proc_quotef(p, p->words[i]));
    }
    struct str s = arena_str(p->arena, buf_get(&b));
    buf_fini(&b);
    return s;
}

static int diffcmd_regexes(struct diffcmd_run *r, const struct strs *list, struct regex **out)
{
    struct hob_error err = {0};
    if (!list->n)
        return 0;
    int e = regex_compile_set(&r->p->kernel->heap, list->p, list->n, REGEX_GREP, out, &err);
    if (e == HOB_ESYNTAX || e == HOB_ELIMIT) {
        proc_warn(r->p, "%.*s: %s", STR_ARG(list->p[list->n - 1]), err.msg);
        return 2;
    }
    return e;
}

static int diffcmd_pairs(struct diffcmd_run *r, struct str *names, int n)
{
    const struct diffcmd *o = r->o;
    int e = 0;
    if (o->from_file.p || o->to_file.p) {
        for (int i = 0; i < n && e == 0; i++)
            e = o->from_file.p ? diffcmd_operands(r, o->from_file, names[i])
                               : diffcmd_operands(r, names[i], o->to_file);
        return e;
    }
    return diffcmd_operands(r, names[0], names[1]);
}

static int diffcmd_usage(struct proc *p, const struct diffcmd *o)
{
    if (o->conflict) {
        proc_warn(p, "conflicting output style options");
        return proc_usage(p);
    }
    if (o->from_file.p && o->to_file.p) {
        proc_warn(p, "--from-file and --to-file both specified");
        return 2;
    }
    if (o->from_file.p || o->to_file.p || p->argc == 2)
        return 0;
    if (p->argc < 2)
        proc_warn(p, "missing operand after '%s'", p->words[p->nwords - 1].p);
    else
        proc_warn(p, "extra operand '%s'", p->argv[2].p);
    return proc_usage(p);
}

static int diffcmd_run(struct proc *p, void *args)
{
    struct diffcmd *o = args;
    struct diffcmd_run r = {.p = p, .o = o};
    int e = diffcmd_usage(p, o);

    if (e)
        return e;
    o->switches = diffcmd_switches(p);
    o->width = o->width ? o->width : DIFFCMD_WIDTH;
    o->tabsize = o->tabsize ? o->tabsize : 8;
    if (!o->style)
        o->style = o->function ? DIFFCMD_CONTEXT : DIFFCMD_NORMAL;
    if (o->style == DIFFCMD_CONTEXT && !o->context && (o->function || o->functions.n))
        o->context = DIFFCMD_CONTEXT_LINES;
    if (o->digits >= 0 && (o->context < o->digits || !o->explicit_context))
        o->context = o->digits;
    out_init(&r.out, p, 1);
    buf_init(&r.later, &p->kernel->heap);
    e = diffcmd_regexes(&r, &o->ignore_lines, &r.ignore);
    e = e ? e : diffcmd_regexes(&r, &o->functions, &r.function);
    if (e == 0)
        e = diffcmd_pairs(&r, p->argv, p->argc);
    regex_free(r.ignore);
    regex_free(r.function);
    out_str(&r.out, buf_get(&r.later));
    buf_fini(&r.later);
    return command_close(p, &r.out, e ? e : r.status);
}

const struct command cmd_diff = {
    .name = "diff",
    .usage = "[OPTION]... FILES",
    .summary = "Show what differs between two files, line by line.",
    .notes =
        "FILES are FILE FILE, or FILE and a folder that has a file of that name, or two "
        "folders; - is stdin. Exit status: 0 if they are the same, 1 if they differ, 2 after an "
        "error.",
    .opts = diffcmd_opts,
    .args_size = sizeof(struct diffcmd),
    .flags = CMD_USAGE_NAME,
    .usage_status = 2,
    .defaults = diffcmd_defaults,
    .run = diffcmd_run,
};

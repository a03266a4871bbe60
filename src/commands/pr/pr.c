/* pr.c -- text in pages and columns, for printing */
#include "commands/pr/pr.h"

#include "base/utf8.h"
#include "commands/lib/count.h"

static int pr_number_option(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct pr *r = args;
    int64_t v;

    switch (o->letter) {
    case 'l':
        return 2 * count_parse(p, arg, 1, INT32_MAX, "'-l PAGE_LENGTH' invalid number of lines",
                               &r->page_length);
    case 'N':
        r->start_given = true;
        return 2 * count_parse(p, arg, INT32_MIN, INT32_MAX,
                               "'-N NUMBER' invalid starting line number", &r->start_number);
    case 'o':
        return 2 * count_parse(p, arg, 0, INT32_MAX, "'-o MARGIN' invalid line offset", &r->margin);
    case 'w':
        r->old = r->old_w = true;
        if (count_parse(p, arg, 1, INT32_MAX, "'-w PAGE_WIDTH' invalid number of characters", &v))
            return 2;
        if (!r->truncate)
            r->page_width = v;
        return 0;
    default:
        r->old_w = false;
        r->truncate = true;
        return 2 * count_parse(p, arg, 1, INT32_MAX, "'-W PAGE_WIDTH' invalid number of characters",
                               &r->page_width);
    }
}

/* A character that is no digit, then a number: both may be missing. */
static int pr_char_number(struct proc *p, const struct opt *o, struct str arg, char *c,
                          int64_t *number)
{
    if (arg.n && !ascii_digit(arg.p[0])) {
        *c = arg.p[0];
        arg = str_from(arg, 1);
    }
    if (arg.n == 0)
        return 0;
    int64_t v;
    int err = str_int(arg, &v);
    bool far = err == HOB_ERANGE || (err == 0 && v > INT32_MAX);
    if (err == 0 && !far && v > 0) {
        *number = v;
        return 0;
    }
    proc_warn(p, "'-%c' extra characters or invalid number in the argument: %s%s", o->letter,
              proc_quote(p, arg), far ? ": Value too large for defined data type" : "");
    return proc_usage(p) + 1;
}

static int pr_tab_option(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct pr *r = args;

    if (o->letter == 'e') {
        r->expand = true;
        return pr_char_number(p, o, arg, &r->tab_in, &r->tab_in_width);
    }
    if (o->letter == 'i') {
        r->tabify = true;
        return pr_char_number(p, o, arg, &r->tab_out, &r->tab_out_width);
    }
    r->numbered = true;
    return pr_char_number(p, o, arg, &r->number_sep, &r->number_digits);
}

static int pr_separator_option(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct pr *r = args;
    (void)p;

    if (o->letter == 's') {
        r->old = r->old_s = true;
        if (!r->use_sep && arg.p)
            r->sep = arg;
        return 0;
    }
    r->old_s = false;
    r->use_sep = true;
    r->sep = arg.p ? arg : STR("");
    return 0;
}

static int pr_header_option(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct pr *r = args;
    (void)p;
    (void)arg;
    r->no_header = true;
    r->keep_ff = o->letter == 't';
    return 0;
}

static int pr_columns(struct proc *p, struct pr *r, struct str arg)
{
    r->columns_given = true;
    return 2 * count_parse(p, arg, 1, INT32_MAX, "invalid number of columns", &r->columns);
}

static int pr_columns_option(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)o;
    return pr_columns(p, args, arg);
}

static int pr_digit(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct pr *r = args;
    (void)arg;
    r->digits = arena_printf(p->arena, "%.*s%c", STR_ARG(r->digits), o->letter);
    return r->digits.p ? 0 : 2;
}

/* "3" or "3:5". 1: taken, 0: it is none, -1: reported. */
static int pr_page_range(struct proc *p, struct pr *r, const char *option, struct str s)
{
    uint64_t v[2] = {0, UINT64_MAX};
    struct str rest = s;

    for (int i = 0; i < 2; i++) {
        size_t n = 0;
        while (n < rest.n && ascii_digit(rest.p[n]))
            n++;
        int err = n ? str_uint(str_sub(rest, 0, n), &v[i]) : HOB_EINVAL;
        if (err == HOB_ERANGE)
            proc_warn(p, "%s argument %s too large", option, proc_quoteaf(p, s));
        else if (err < 0)
            proc_warn(p, "invalid %s argument %s", option, proc_quoteaf(p, s));
        if (err < 0)
            return -1;
        rest = str_from(rest, n);
        if (rest.n == 0 || rest.p[0] != ':')
            break;
        rest = str_from(rest, 1);
    }
    if (rest.n || v[0] == 0 || v[1] < v[0])
        return 0;
    r->first_page = v[0];
    r->last_page = v[1];
    return 1;
}

static int pr_pages_option(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    int got = pr_page_range(p, args, "--pages", arg);
    (void)o;
    if (got == 0)
        proc_warn(p, "invalid page range %s", proc_quote(p, arg));
    return got > 0 ? 0 : 2;
}

#define PR_DIGIT(c)                                                                                \
    {                                                                                              \
        OPT_KIND_CALL, OPT_HIDDEN, c, NULL, 0, 0, NULL, NULL, pr_digit                             \
    }
static const struct opt pr_opts[] = {
    OPT_CALL(0, "pages", pr_pages_option, "FIRST[:LAST]", "only these pages; also +FIRST[:LAST]"),
    OPT_CALL(0, "columns", pr_columns_option, "COLUMN", "so many columns; also -COLUMN"),
    OPT_FLAG('a', "across", struct pr, across, "fill the columns across, not down"),
    OPT_FLAG('b', NULL, struct pr, balance, "(ignored)"),
    OPT_FLAG('c', "show-control-chars", struct pr, control, "show control characters as ^X"),
    OPT_FLAG('d', "double-space", struct pr, doubled, "an empty line behind each line"),
    OPT_STRING('D', "date-format", struct pr, date, "FORMAT", "how the date is written"),
    OPT_CALL_OPTIONAL('e', "expand-tabs", pr_tab_option, "CHAR[WIDTH]",
                      "expand CHARs (tabs) of the input to WIDTH (8)"),
    OPT_FLAG('f', NULL, struct pr, form_feed, "same as -F"),
    OPT_FLAG('F', "form-feed", struct pr, form_feed, "end pages with form feeds, not newlines"),
    OPT_STRING('h', "header", struct pr, header, "HEADER", "HEADER instead of the file's name"),
    OPT_CALL_OPTIONAL('i', "output-tabs", pr_tab_option, "CHAR[WIDTH]",
                      "write blanks as CHARs (tabs) of WIDTH (8)"),
    OPT_FLAG('J', "join-lines", struct pr, join, "whole lines: nothing is cut off or aligned"),
    OPT_CALL('l', "length", pr_number_option, "PAGE_LENGTH",
             "lines of a page (66); up to 10 is as -t"),
    OPT_FLAG('m', "merge", struct pr, merge, "all files side by side"),
    OPT_CALL_OPTIONAL('n', "number-lines", pr_tab_option, "SEP[DIGITS]",
                      "number lines, with DIGITS (5) and SEP (tab) behind"),
    OPT_CALL('N', "first-line-number", pr_number_option, "NUMBER",
             "number the first line of the first page so"),
    OPT_CALL('o', "indent", pr_number_option, "MARGIN", "begin lines with MARGIN blanks"),
    OPT_FLAG('r', "no-file-warnings", struct pr, quiet, "no messages about files that fail"),
    OPT_CALL_OPTIONAL('s', "separator", pr_separator_option, "CHAR",
                      "CHAR (a tab) between columns, which are then not cut off without -w"),
    OPT_CALL_OPTIONAL('S', "sep-string", pr_separator_option, "STRING", "STRING between columns"),
    OPT_CALL('t', "omit-header", pr_header_option, NULL, "no headers, and no trailers"),
    OPT_CALL('T', "omit-pagination", pr_header_option, NULL,
             "the same, and no form feeds of the input"),
    OPT_FLAG('v', "show-nonprinting", struct pr, escape, "show control characters as \\ooo"),
    OPT_CALL('w', "width", pr_number_option, "PAGE_WIDTH",
             "columns of a page (72), if there are several text columns"),
    OPT_CALL('W', "page-width", pr_number_option, "PAGE_WIDTH", "columns of a page (72), always"),
    PR_DIGIT('0'),
    PR_DIGIT('1'),
    PR_DIGIT('2'),
    PR_DIGIT('3'),
    PR_DIGIT('4'),
    PR_DIGIT('5'),
    PR_DIGIT('6'),
    PR_DIGIT('7'),
    PR_DIGIT('8'),
    PR_DIGIT('9'),
    OPT_END,
};
#undef PR_DIGIT

static void pr_defaults(struct proc *p, void *args)
{
    struct pr *r = args;
    (void)p;
    r->digits = r->sep = STR("");
    r->tab_in = r->tab_out = r->number_sep = '\t';
    r->tab_in_width = r->tab_out_width = 8;
    r->number_digits = 5;
    r->start_number = 1;
    r->page_length = 66;
    r->page_width = 72;
    r->columns = 1;
    r->last_page = UINT64_MAX;
}

/* What -w and -s of older systems mean in terms of the other options. */
static void pr_old_options(struct pr *r)
{
    bool several = r->merge || r->columns_given;

    if (!r->old)
        return;
    if (r->old_w) {
        if (several) {
            r->truncate = true;
            r->use_sep |= r->old_s;
        } else {
            r->join = true;
        }
    } else if (!r->use_sep && r->old_s && several) {
        if (!r->truncate) {
            r->join = true;
            r->use_sep = r->sep.n > 0;
        } else {
            r->use_sep = true;
        }
    }
}

/* The files among the operands, and +FIRST[:LAST]. The number of files, or -1. */
static int pr_operands(struct proc *p, struct pr *r)
{
    int n = 0;
    for (int i = 0; i < p->argc; i++) {
        struct str s = p->argv[i];
        int got = r->first_page == 0 && s.n && s.p[0] == '+'
                      ? pr_page_range(p, r, "+", str_from(s, 1))
                      : 0;
        if (got < 0)
            return -1;
        if (got == 0)
            p->argv[n++] = s;
    }
    return n;
}

static int pr_print(struct pr *r, int n)
{
    int status = 0, i = 0;
    do {
        /* Each file is a document of its own. */
        int64_t columns = r->columns;
        r->join_now = r->join;
        r->truncate_now = r->truncate;
        r->expand_now = r->expand;
        r->tabify_now = r->tabify;
        r->use_sep_now = r->use_sep;
        r->sep_now = r->sep;
        size_t count = r->merge ? (size_t)n : (size_t)MIN(n, 1);
        int got = pr_files(r, r->p->argv + i, count);
        if (got < 0 || got > 0)
            return got;
        r->columns = columns;
        status |= r->failed;
        i += r->merge ? n : 1;
    } while (i < n && !r->out.err);
    return status;
}

static int pr_run(struct proc *p, void *args)
{
    struct pr *r = args;
    struct str env;

    r->p = p;
    if (r->digits.n && pr_columns(p, r, r->digits))
        return 1;
    int n = pr_operands(p, r);
    if (n < 0)
        return 1;
    if (!r->date.p)
        r->date = proc_getenv(p, STR("POSIXLY_CORRECT"), &env) ? STR("%b %e %H:%M %Y")
                                                               : STR("%Y-%m-%d %H:%M");
    r->first_page = MAX(r->first_page, (uint64_t)1);
    if (r->merge && r->columns_given) {
        proc_warn(p, "cannot specify number of columns when printing in parallel");
        return 1;
    }
    if (r->merge && r->across) {
        proc_warn(p, "cannot specify both printing across and printing in parallel");
        return 1;
    }
    pr_old_options(r);
    r->now = sched_now(&p->kernel->sched);
    r->count = 1;
    out_init(&r->out, p, 1);
    buf_init(&r->store, &p->kernel->heap);
    int status = pr_print(r, n);
    if (r->standard_open) {
        if (r->standard.in.err < 0 && status >= 0) {
            if (r->standard.in.err != HOB_EKILLED)
                proc_warn_file(p, r->standard.name, r->standard.in.err);
            status = r->standard.in.err == HOB_EKILLED ? HOB_EKILLED : 1;
        }
        in_fini(&r->standard.in);
    }
    buf_fini(&r->store);
    vec_fini(&p->kernel->heap, &r->ends);
    vec_fini(&p->kernel->heap, &r->ends_at);
    return command_close(p, &r->out, status);
}

const struct command cmd_pr = {
    .name = "pr",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Print the FILEs in pages with a header, in one column or in several.",
    .notes = "+FIRST[:LAST] prints these pages alone, -COLUMN makes so many columns. Without FILE, "
             "or\nwhen FILE is -, standard input is read.",
    .opts = pr_opts,
    .args_size = sizeof(struct pr),
    .usage_status = 1,
    .run = pr_run,
    .defaults = pr_defaults,
};

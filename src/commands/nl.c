/* nl.c -- number lines */
#include "shell/command.h"

#include "commands/lib/each.h"
#include "text/regex.h"

enum {
    NL_HEADER,
    NL_BODY,
    NL_FOOTER
};

struct nl {
    struct str style[3], delim, separator;
    int64_t increment, start, blanks, width;
    struct str format;
    bool no_renumber;
    struct regex *re[3];
    struct str mark[3]; /* \:\:\: and so on */
    int section;
    int64_t line, empty;
    struct proc *p;
    struct out out;
};

static int nl_number(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct nl *n = args;
    int64_t *to, least = 1;
    const char *what;
    switch (o->letter) {
    case 'i':
        to = &n->increment;
        least = INT64_MIN;
        what = "invalid line number increment";
        break;
    case 'v':
        to = &n->start;
        least = INT64_MIN;
        what = "invalid starting line number";
        break;
    case 'l':
        to = &n->blanks;
        what = "invalid line number of blank lines";
        break;
    default:
        to = &n->width;
        what = "invalid line number field width";
        break;
    }
    int r = str_int(arg, to);
    if (r == 0 && *to >= least)
        return 0;
    proc_warn(p, "%s: %s%s", what, proc_quote(p, arg),
              r == HOB_EINVAL ? "" : ": Numerical result out of range");
    return 2;
}

static const struct opt nl_opts[] = {
    OPT_STRING('b', "body-numbering", struct nl, style[NL_BODY], "STYLE",
               "which lines of a body to number"),
    OPT_STRING('d', "section-delimiter", struct nl, delim, "CC",
               "two characters that make the marks of sections"),
    OPT_STRING('f', "footer-numbering", struct nl, style[NL_FOOTER], "STYLE",
               "which lines of a footer to number"),
    OPT_STRING('h', "header-numbering", struct nl, style[NL_HEADER], "STYLE",
               "which lines of a header to number"),
    OPT_CALL('i', "line-increment", nl_number, "NUMBER", "step from line to line"),
    OPT_CALL('l', "join-blank-lines", nl_number, "NUMBER", "so many empty lines count as one"),
    OPT_STRING('n', "number-format", struct nl, format, "FORMAT",
               "ln (left), rn (right), rz (right with zeros)"),
    OPT_FLAG('p', "no-renumber", struct nl, no_renumber, "do not start anew with each section"),
    OPT_STRING('s', "number-separator", struct nl, separator, "STRING",
               "what stands between number and line"),
    OPT_CALL('v', "starting-line-number", nl_number, "NUMBER", "the first number of each section"),
    OPT_CALL('w', "number-width", nl_number, "NUMBER", "columns for numbers"),
    OPT_END,
};

static void nl_defaults(struct proc *p, void *args)
{
    struct nl *n = args;
    (void)p;
    n->style[NL_HEADER] = n->style[NL_FOOTER] = STR("n");
    n->style[NL_BODY] = STR("t");
    n->increment = n->start = n->blanks = 1;
    n->width = 6;
    n->section = NL_BODY;
    n->separator = STR("\t");
    n->delim = STR("\\:");
    n->format = STR("rn");
}

static void nl_put_number(struct nl *n)
{
    if (str_eqz(n->format, "ln"))
        out_printf(&n->out, "%-*lld", (int)n->width, (long long)n->line);
    else if (str_eqz(n->format, "rz"))
        out_printf(&n->out, "%0*lld", (int)n->width, (long long)n->line);
    else
        out_printf(&n->out, "%*lld", (int)n->width, (long long)n->line);
    out_str(&n->out, n->separator);
    n->line += n->increment;
}

static bool nl_numbers(struct nl *n, struct str line)
{
    switch (n->style[n->section].p[0]) {
    case 'a':
        if (n->blanks > 1 && line.n == 0) {
            if (++n->empty < n->blanks)
                return false;
        }
        n->empty = 0;
        return true;
    case 't': return line.n > 0;
    case 'p': return regex_is_match(n->re[n->section], line) == 1;
    default: return false;
    }
}

static int nl_one(struct in *in, void *ud)
{
    struct nl *n = ud;
    struct str line;
    bool had;

    while (in_line(in, '\n', &line, &had) && !n->out.err) {
        int mark = -1;
        for (int i = 0; i < 3; i++) {
            if (n->mark[i].n && str_eq(line, n->mark[i]))
                mark = i;
        }
        if (mark >= 0) {
            n->section = mark;
            n->empty = 0;
            if (!n->no_renumber)
                n->line = n->start;
            out_putc(&n->out, '\n');
            continue;
        }
        if (nl_numbers(n, line)) {
            nl_put_number(n);
        } else {
            for (size_t i = 0; i < (size_t)n->width + n->separator.n; i++)
                out_putc(&n->out, ' ');
        }
        out_str(&n->out, line);
        out_putc(&n->out, '\n');
    }
    return n->out.err ? 1 : 0;
}

static int nl_settle(struct proc *p, struct nl *n)
{
    static const char *const names[] = {"header", "body", "footer"};
    struct hob_error err;

    for (int i = 0; i < 3; i++) {
        struct str s = n->style[i];
        if (s.n == 0 || !strchr("atnp", s.p[0])) {
            proc_warn(p, "invalid %s numbering style: %s", names[i], proc_quote(p, s));
            return proc_usage(p);
        }
        if (s.p[0] == 'p' &&
            regex_compile(&p->kernel->heap, str_from(s, 1), REGEX_EXPR, &n->re[i], &err) < 0) {
            proc_warn(p, "%s", err.msg);
            return 1;
        }
    }
    if (!str_eqz(n->format, "ln") && !str_eqz(n->format, "rn") && !str_eqz(n->format, "rz")) {
        proc_warn(p, "invalid line numbering format: %s", proc_quote(p, n->format));
        return proc_usage(p);
    }
    struct str d = n->delim;
    if (d.n == 1)
        d = arena_printf(p->arena, "%c:", d.p[0]);
    n->mark[NL_HEADER] = arena_printf(p->arena, "%s%s%s", d.p, d.p, d.p);
    n->mark[NL_BODY] = arena_printf(p->arena, "%s%s", d.p, d.p);
    n->mark[NL_FOOTER] = arena_printf(p->arena, "%s", d.p);
    return 0;
}

static int nl_run(struct proc *p, void *args)
{
    struct nl *n = args;
    n->p = p;
    int r = nl_settle(p, n);
    if (r == 0) {
        n->line = n->start;
        out_init(&n->out, p, 1);
        r = each_file(p, nl_one, n);
        r = command_close(p, &n->out, r);
    }
    for (int i = 0; i < 3; i++)
        regex_free(n->re[i]);
    return r;
}

const struct command cmd_nl = {
    .name = "nl",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write each FILE with line numbers.",
    .notes = "STYLE is a (all lines), t (lines that are not empty), n (none) or pBRE (lines that "
             "match).\n"
             "A line of \\:\\:\\: starts a header, \\:\\: a body, \\: a footer. Defaults: -bt "
             "-d'\\:' -fn -hn\n"
             "-i1 -l1 -n'rn' -s<TAB> -v1 -w6.",
    .opts = nl_opts,
    .args_size = sizeof(struct nl),
    .usage_status = 1,
    .run = nl_run,
    .defaults = nl_defaults,
};

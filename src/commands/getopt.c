/* getopt.c -- options of scripts, sorted and quoted for the shell */
#include "shell/command.h"

struct getoptcmd {
    bool alternative, quiet, quiet_output, unquoted, test;
    struct str name, options, shell;
    struct strs longs;
};

static int getopt_opt_long(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct getoptcmd *g = args;
    (void)o;
    while (arg.n) {
        size_t n = 0;
        while (n < arg.n && !strchr(", \t\n", arg.p[n]))
            n++;
        if (n && !proc_push(p, &g->longs, str_sub(arg, 0, n)))
            return 2;
        arg = str_from(arg, n + 1);
    }
    return 0;
}

static const struct opt getopt_opts[] = {
    OPT_FLAG('a', "alternative", struct getoptcmd, alternative,
             "long options may begin with one -"),
    OPT_CALL('l', "longoptions", getopt_opt_long, "NAMES", "the long options, parted by commas"),
    OPT_STRING('n', "name", struct getoptcmd, name, "NAME", "the name that messages begin with"),
    OPT_STRING('o', "options", struct getoptcmd, options, "LETTERS", "the short options"),
    OPT_FLAG('q', "quiet", struct getoptcmd, quiet, "no messages"),
    OPT_FLAG('Q', "quiet-output", struct getoptcmd, quiet_output, "messages alone"),
    OPT_STRING('s', "shell", struct getoptcmd, shell, "SHELL", "quote for sh, bash, csh or tcsh"),
    OPT_FLAG('T', "test", struct getoptcmd, test, "status 4: this is the enhanced getopt"),
    OPT_FLAG('u', "unquoted", struct getoptcmd, unquoted, "do not quote"),
    OPT_END,
};

struct getopt_run {
    struct proc *p;
    struct getoptcmd *g;
    struct str letters, name;
    struct buf out;
    struct strs rest;
    bool csh, stop_early, in_order, failed;
    struct str *argv;
    int argc, at;
};

static void getopt_complain(struct getopt_run *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void getopt_complain(struct getopt_run *r, const char *fmt, ...)
{
    struct buf b;
    va_list ap;
    r->failed = true;
    if (r->g->quiet)
        return;
    buf_init(&b, &r->p->kernel->heap);
    buf_printf(&b, "%.*s: ", STR_ARG(r->name));
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    buf_putc(&b, '\n');
    proc_puts(r->p, 2, buf_get(&b));
    buf_fini(&b);
}

/* A word between quotes that the shell takes apart again. */
static void getopt_word(struct getopt_run *r, struct str s)
{
    struct buf *b = &r->out;
    buf_putc(b, ' ');
    if (r->g->unquoted) {
        buf_str(b, s);
        return;
    }
    buf_putc(b, '\'');
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '\'')
            buf_addz(b, "'\\''");
        else if (r->csh && c == '\\')
            buf_addz(b, "\\\\");
        else if (r->csh && c == '!')
            buf_addz(b, "'\\!'");
        else if (r->csh && c == '\n')
            buf_addz(b, "\\n");
        else if (r->csh && (c == ' ' || c == '\t'))
            buf_printf(b, "'\\%c'", c);
        else
            buf_putc(b, c);
    }
    buf_putc(b, '\'');
}

/* How many colons stand behind a name: 0 no argument, 1 it needs one, 2 it may have one. */
static int getopt_colons(struct str s, size_t at)
{
    int n = 0;
    while (n < 2 && at + (size_t)n < s.n && s.p[at + (size_t)n] == ':')
        n++;
    return n;
}

static struct str getopt_long_name(struct str row)
{
    while (row.n && row.p[row.n - 1] == ':')
        row.n--;
    return row;
}

/* The long option that a word means; .p NULL after a message. */
static struct str getopt_find(struct getopt_run *r, struct str name, struct str word)
{
    struct str found = STR_NONE;
    struct buf b;
    int hits = 0;
    for (size_t i = 0; i < r->g->longs.n; i++) {
        struct str row = r->g->longs.p[i], full = getopt_long_name(row);
        if (str_eq(full, name))
            return row;
        if (str_starts(full, name)) {
            found = row;
            hits++;
        }
    }
    if (hits == 1)
        return found;
    if (hits == 0) {
        getopt_complain(r, "unrecognized option '%.*s'", STR_ARG(word));
        return STR_NONE;
    }
    buf_init(&b, &r->p->kernel->heap);
    for (size_t i = 0; i < r->g->longs.n; i++) {
        struct str full = getopt_long_name(r->g->longs.p[i]);
        if (str_starts(full, name))
            buf_printf(&b, " '--%.*s'", STR_ARG(full));
    }
    getopt_complain(r, "option '%.*s' is ambiguous; possibilities:%.*s", STR_ARG(word),
                    STR_ARG(buf_get(&b)));
    buf_fini(&b);
    return STR_NONE;
}

static void getopt_take_long(struct getopt_run *r, struct str word, size_t dashes)
{
    ptrdiff_t eq = str_chr(word, '=');
    struct str head = eq < 0 ? word : str_sub(word, 0, (size_t)eq);
    struct str row = getopt_find(r, str_from(head, dashes), word);
    if (!row.p)
        return;
    struct str full = getopt_long_name(row);
    int colons = getopt_colons(row, full.n);
    if (colons == 0 && eq >= 0) {
        getopt_complain(r, "option '--%.*s' doesn't allow an argument", STR_ARG(full));
        return;
    }
    struct str arg = eq < 0 ? STR("") : str_from(word, (size_t)eq + 1);
    if (colons == 1 && eq < 0) {
        if (r->at >= r->argc) {
            getopt_complain(r, "option '--%.*s' requires an argument", STR_ARG(full));
            return;
        }
        arg = r->argv[r->at++];
    }
    buf_printf(&r->out, " --%.*s", STR_ARG(full));
    if (colons)
        getopt_word(r, arg);
}

static void getopt_take_short(struct getopt_run *r, struct str word)
{
    for (size_t i = 1; i < word.n; i++) {
        char c = word.p[i];
        ptrdiff_t at = c == ':' ? -1 : str_chr(r->letters, c);
        if (at < 0) {
            getopt_complain(r, "invalid option -- '%c'", c);
            continue;
        }
        int colons = getopt_colons(r->letters, (size_t)at + 1);
        struct str arg = str_from(word, i + 1);
        if (colons == 1 && arg.n == 0) {
            if (r->at >= r->argc) {
                getopt_complain(r, "option requires an argument -- '%c'", c);
                return;
            }
            arg = r->argv[r->at++];
        }
        buf_printf(&r->out, " -%c", c);
        if (colons) {
            getopt_word(r, arg);
            return;
        }
    }
}

static bool getopt_is_long(const struct getopt_run *r, struct str w)
{
    if (w.n > 2 && w.p[1] == '-')
        return true;
    bool letter = w.p[1] != ':' && str_chr(r->letters, w.p[1]) >= 0;
    if (!r->g->alternative || w.p[1] == '-' || (letter && w.n == 2))
        return false;
    /* With -a one dash will do, unless nothing but a short option is meant. */
    ptrdiff_t eq = str_chr(w, '=');
    struct str name = str_sub(w, 1, (eq < 0 ? w.n : (size_t)eq) - 1);
    for (size_t i = 0; i < r->g->longs.n; i++)
        if (str_starts(getopt_long_name(r->g->longs.p[i]), name))
            return true;
    return !letter;
}

static int getopt_parse(struct getopt_run *r)
{
    while (r->at < r->argc) {
        struct str w = r->argv[r->at++];
        if (str_eqz(w, "--"))
            break;
        if (w.n < 2 || w.p[0] != '-') {
            if (r->in_order)
                getopt_word(r, w);
            else if (!proc_push(r->p, &r->rest, w))
                return HOB_ENOMEM;
            if (r->stop_early)
                break;
            continue;
        }
        if (getopt_is_long(r, w))
            getopt_take_long(r, w, w.p[1] == '-' ? 2 : 1);
        else
            getopt_take_short(r, w);
    }
    buf_addz(&r->out, " --");
    for (size_t i = 0; i < r->rest.n; i++)
        getopt_word(r, r->rest.p[i]);
    while (r->at < r->argc)
        getopt_word(r, r->argv[r->at++]);
    buf_putc(&r->out, '\n');
    return 0;
}

static int getopt_shell(struct getopt_run *r)
{
    struct str s = r->g->shell;
    if (!s.p || str_eqz(s, "sh") || str_eqz(s, "bash"))
        return 0;
    r->csh = str_eqz(s, "csh") || str_eqz(s, "tcsh");
    if (r->csh)
        return 0;
    proc_warn(r->p, "unknown shell after -s or --shell argument");
    return proc_usage(r->p);
}

static int getopt_run(struct proc *p, void *args)
{
    struct getoptcmd *g = args;
    struct getopt_run r = {.p = p, .g = g, .argv = p->argv, .argc = p->argc};
    struct str value;
    bool old = p->nwords > 1 && p->words[1].n && p->words[1].p[0] != '-';
    if (g->test)
        return 4;
    int e = getopt_shell(&r);
    if (e)
        return e;
    if (proc_getenv(p, STR("GETOPT_COMPATIBLE"), &value))
        old = true;
    r.letters = g->options;
    r.name = g->name.p ? g->name : p->name;
    if (!g->options.p) {
        if (p->argc == 0) {
            proc_warn(p, "missing optstring argument");
            return proc_usage(p);
        }
        r.letters = r.argv[r.at++];
    }
    g->unquoted |= old;
    r.stop_early = proc_getenv(p, STR("POSIXLY_CORRECT"), &value);
    if (r.letters.n && (r.letters.p[0] == '+' || r.letters.p[0] == '-')) {
        r.stop_early |= r.letters.p[0] == '+';
        r.in_order = r.letters.p[0] == '-';
        r.letters = str_from(r.letters, 1);
    }
    buf_init(&r.out, &p->kernel->heap);
    e = getopt_parse(&r);
    if (e == 0 && !g->quiet_output)
        e = proc_puts(p, 1, buf_get(&r.out)) < 0 ? 1 : 0;
    buf_fini(&r.out);
    return e ? e : r.failed;
}

const struct command cmd_getopt = {
    .name = "getopt",
    .usage = "OPTSTRING PARAMETER...\ngetopt [OPTION]... [--] OPTSTRING PARAMETER...\n"
             "getopt [OPTION]... -o OPTSTRING [OPTION]... [--] PARAMETER...",
    .summary = "Sort the options out of the PARAMETERs and quote them for the shell.",
    .opts = getopt_opts,
    .args_size = sizeof(struct getoptcmd),
    .flags = CMD_POSIXLY,
    .usage_status = 2,
    .run = getopt_run,
};

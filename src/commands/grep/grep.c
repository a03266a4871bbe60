/* grep.c -- lines that match a pattern: grep, egrep, fgrep */
#include "commands/grep/grep.h"

#include "base/error.h"
#include "base/utf8.h"
#include "commands/lib/locale.h"
#include "text/pcre.h"

/* ---- options --------------------------------------------------------------------------------- */

static int grep_set_matcher(struct proc *p, struct grep *o, int matcher)
{
    if (o->matcher && o->matcher != matcher) {
        proc_warn(p, "conflicting matchers specified");
        return 3;
    }
    o->matcher = matcher;
    return 0;
}

static int grep_matcher(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    if (opt->letter != 'X')
        return grep_set_matcher(p, args,
                                opt->letter == 'G'   ? GREP_MATCHER_BASIC
                                : opt->letter == 'E' ? GREP_MATCHER_EXTENDED
                                : opt->letter == 'F' ? GREP_MATCHER_FIXED
                                                     : GREP_MATCHER_PERL);
    for (int i = 0; grep_matchers[i].name; i++) {
        if (str_eqz(arg, grep_matchers[i].name))
            return grep_set_matcher(p, args, i + 1);
    }
    proc_warn(p, "invalid matcher %.*s", STR_ARG(arg));
    return 3;
}

static int grep_expression(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    (void)opt;
    return grep_pattern_add(p, args, arg, STR_NONE) < 0 ? 3 : 0;
}

static int grep_pattern_file(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    struct grep *o = args;
    struct in in;
    struct str text = STR("");
    int e = in_open_quiet(&in, p, arg);

    (void)opt;
    if (e == 0) {
        e = in_all(&in, &text);
        in_fini(&in);
    }
    if (e < 0) {
        proc_warn(p, "%.*s: %s", STR_ARG(arg), error_text(e));
        return 3;
    }
    o->have_patterns = true;
    if (text.n == 0)
        return 0; /* no pattern at all, which is not the empty pattern */
    text.n -= text.p[text.n - 1] == '\n';
    return grep_pattern_add(p, o, text, str_eqz(arg, "-") ? STR("(standard input)") : arg) < 0 ? 3
                                                                                               : 0;
}

/* A number of lines, as large as it likes. */
static bool grep_number(struct str arg, int64_t *out)
{
    int e = str_int(arg, out);
    if (e == HOB_ERANGE)
        *out = arg.p[0] == '-' ? INT64_MIN : INT64_MAX;
    return e == 0 || e == HOB_ERANGE;
}

static int grep_context(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    struct grep *o = args;
    int64_t n;

    if (!grep_number(arg, &n) || n < 0) {
        proc_warn(p, "%.*s: invalid context length argument", STR_ARG(arg));
        return 3;
    }
    *(opt->letter == 'A' ? &o->after : opt->letter == 'B' ? &o->before : &o->context) = n;
    return 0;
}

/* One digit of -NUM. */
static int grep_digit(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    struct grep *o = args;
    int64_t n = o->digits ? o->context : 0;

    (void)p;
    (void)arg;
    if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, opt->letter - '0', &n))
        n = INT64_MAX;
    o->context = n;
    o->digits = true;
    return 0;
}

/* A word that begins with a digit begins a new number. */
static int grep_numeric(struct proc *p, void *args, struct str digits)
{
    (void)p;
    (void)digits;
    ((struct grep *)args)->digits = false;
    return NUMBER_OPTIONS;
}

static int grep_max(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    struct grep *o = args;

    (void)opt;
    if (!grep_number(arg, &o->max)) {
        proc_warn(p, "invalid max count");
        return 3;
    }
    return 0;
}

static int grep_binary_files(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    struct grep *o = args;

    (void)opt;
    if (str_eqz(arg, "binary"))
        o->binary = GREP_BINARY;
    else if (str_eqz(arg, "text"))
        o->binary = GREP_BINARY_TEXT;
    else if (str_eqz(arg, "without-match"))
        o->binary = GREP_BINARY_SKIP;
    else {
        proc_warn(p, "unknown binary-files type");
        return 3;
    }
    return 0;
}

static int grep_devices(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    struct grep *o = args;

    (void)opt;
    if (str_eqz(arg, "read"))
        o->devices = GREP_DEVICES_READ;
    else if (str_eqz(arg, "skip"))
        o->devices = GREP_DEVICES_SKIP;
    else {
        proc_warn(p, "unknown devices method");
        return 3;
    }
    return 0;
}

static int grep_directories(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    static const struct word_row rows[] = {{"read", GREP_FOLDERS_READ},
                                           {"recurse", GREP_FOLDERS_RECURSE},
                                           {"skip", GREP_FOLDERS_SKIP},
                                           {NULL, 0}};
    (void)opt;
    return proc_word(p, "--directories", arg, rows, &((struct grep *)args)->folders) ? 2 : 0;
}

static int grep_recursive(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    struct grep *o = args;

    (void)p;
    (void)arg;
    o->folders = GREP_FOLDERS_RECURSE;
    o->follow |= opt->letter == 'R';
    return 0;
}

static int grep_filter(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    struct grep *o = args;
    bool dir = strcmp(opt->name, "exclude-dir") == 0;

    while (dir && arg.n > 1 && arg.p[arg.n - 1] == '/')
        arg.n--;
    return grep_walk_rule(p, dir ? &o->dirs : &o->files, arg, opt->name[0] == 'i') < 0 ? 3 : 0;
}

/* --exclude-from: one glob a line. */
static int grep_filter_file(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    struct grep *o = args;
    struct in in;
    struct str line;
    bool had;
    int e = in_open_quiet(&in, p, arg);

    (void)opt;
    if (e == 0) {
        while (e == 0 && in_line(&in, '\n', &line, &had)) {
            while (line.n && ascii_space(line.p[line.n - 1]))
                line.n--;
            line = arena_str(p->arena, line);
            if (!line.p)
                e = HOB_ENOMEM;
            else if (line.n)
                e = grep_walk_rule(p, &o->files, line, false);
        }
        e = e ? e : in.err;
        in_fini(&in);
    }
    if (e == 0)
        return 0;
    proc_warn(p, "%.*s: %s", STR_ARG(arg), error_text(e));
    return 3;
}

static int grep_color(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    static const struct word_row rows[] = {{"always", 1}, {"yes", 1},  {"force", 1}, {"never", 0},
                                           {"no", 0},     {"none", 0}, {"auto", 2},  {"tty", 2},
                                           {"if-tty", 2}, {NULL, 0}};
    struct grep *o = args;
    struct file *f = proc_file(p, 1);
    struct str term;
    int when = 2;

    (void)opt;
    if (arg.p) {
        int e = proc_word(p, "--color", arg, rows, &when);
        if (e)
            return e;
    }
    o->color = when == 1 || (when == 2 && f && (f->flags & FILE_TTY) &&
                             proc_getenv(p, STR("TERM"), &term) && !str_eqz(term, "dumb"));
    return 0;
}

static int grep_obsolete(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    (void)args;
    (void)opt;
    (void)arg;
    proc_warn(p, "warning: --unix-byte-offsets (-u) is obsolete");
    return 0;
}

static int grep_version(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    struct out o;

    (void)args;
    (void)opt;
    (void)arg;
    out_init(&o, p, 1);
    out_puts(&o, "grep (Hob) " HOB_VERSION "\n");
    return command_close(p, &o, 0) + 1;
}

static int grep_no_icase(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    (void)p;
    (void)opt;
    (void)arg;
    ((struct grep *)args)->icase = false;
    return 0;
}

static int grep_no_separator(struct proc *p, void *args, const struct opt *opt, struct str arg)
{
    struct grep *o = args;

    (void)p;
    o->no_separator = !opt->arg;
    o->separator = arg;
    return 0;
}

#define GREP_DIGIT(c)                                                                              \
    {                                                                                              \
        OPT_KIND_CALL, OPT_HIDDEN, c, NULL, 0, 0, NULL, NULL, grep_digit                           \
    }
#define GREP_HIDDEN(l, n, cb, a)                                                                   \
    {                                                                                              \
        OPT_KIND_CALL, OPT_HIDDEN, l, n, 0, 0, a, NULL, cb                                         \
    }
static const struct opt grep_opts[] = {
    OPT_GROUP("What to look for:"),
    OPT_CALL('E', "extended-regexp", grep_matcher, NULL,
             "patterns are extended regular expressions"),
    OPT_CALL('F', "fixed-strings", grep_matcher, NULL, "patterns are plain strings"),
    OPT_CALL('G', "basic-regexp", grep_matcher, NULL,
             "patterns are basic regular expressions; the default"),
    OPT_CALL('P', "perl-regexp", grep_matcher, NULL, "patterns are Perl's regular expressions"),
    OPT_CALL('e', "regexp", grep_expression, "PATTERNS", "look for PATTERNS, one on each line"),
    OPT_CALL('f', "file", grep_pattern_file, "FILE", "take the patterns from FILE"),
    OPT_FLAG('i', "ignore-case", struct grep, icase, "upper and lower case are the same"),
    OPT_CALL(0, "no-ignore-case", grep_no_icase, NULL, "upper and lower case differ; the default"),
    OPT_FLAG('w', "word-regexp", struct grep, word, "match whole words only"),
    OPT_FLAG('x', "line-regexp", struct grep, whole, "match whole lines only"),
    OPT_FLAG('z', "null-data", struct grep, nul_data, "lines end with NUL, not newline"),
    OPT_GROUP("What to select:"),
    OPT_FLAG('s', "no-messages", struct grep, silent,
             "say nothing about files that cannot be read"),
    OPT_FLAG('v', "invert-match", struct grep, invert, "select the lines that do not match"),
    OPT_CALL('m', "max-count", grep_max, "NUM", "stop reading a file after NUM selected lines"),
    OPT_GROUP("What to write:"),
    OPT_FLAG('b', "byte-offset", struct grep, offsets, "with the offset of each line in its file"),
    OPT_FLAG('n', "line-number", struct grep, line_numbers, "with line numbers"),
    OPT_FLAG(0, "line-buffered", struct grep, line_buffered, "flush after every line"),
    OPT_SET('H', "with-filename", struct grep, names, 1, "with the name of the file"),
    OPT_SET('h', "no-filename", struct grep, names, -1, "without the names of files"),
    OPT_STRING(0, "label", struct grep, label, "LABEL", "the name of standard input is LABEL"),
    OPT_FLAG('o', "only-matching", struct grep, only, "only the parts of lines that match"),
    OPT_FLAG('q', "quiet", struct grep, quiet, "nothing: the exit status tells"),
    OPT_FLAG('q', "silent", struct grep, quiet, "same as --quiet"),
    OPT_CALL(0, "binary-files", grep_binary_files, "TYPE",
             "how to take binary files: binary, text or without-match"),
    OPT_SET('a', "text", struct grep, binary, GREP_BINARY_TEXT, "same as --binary-files=text"),
    OPT_SET('I', NULL, struct grep, binary, GREP_BINARY_SKIP,
            "same as --binary-files=without-match"),
    OPT_SET('L', "files-without-match", struct grep, list, GREP_LIST_OTHERS,
            "the names of files without selected lines"),
    OPT_SET('l', "files-with-matches", struct grep, list, GREP_LIST_MATCHING,
            "the names of files with selected lines"),
    OPT_FLAG('c', "count", struct grep, count, "the number of selected lines of each file"),
    OPT_FLAG('T', "initial-tab", struct grep, tabs, "a tab before the line, so that tabs line up"),
    OPT_FLAG('Z', "null", struct grep, nul_names, "a NUL behind file names"),
    OPT_CALL_OPTIONAL(0, "color", grep_color, "WHEN",
                      "mark what matches with colours: always, never or auto"),
    {OPT_KIND_CALL, OPT_HIDDEN | OPT_ARG_OPTIONAL, 0, "colour", 0, 0, "WHEN", NULL, grep_color},
    OPT_GROUP("Which files to read:"),
    OPT_CALL('d', "directories", grep_directories, "ACTION",
             "what to do with folders: read, recurse or skip"),
    OPT_CALL('D', "devices", grep_devices, "ACTION",
             "what to do with devices and fifos: read or skip"),
    OPT_CALL('r', "recursive", grep_recursive, NULL, "read all files below folders"),
    OPT_CALL('R', "dereference-recursive", grep_recursive, NULL,
             "the same, and follow every symbolic link"),
    OPT_CALL(0, "include", grep_filter, "GLOB", "only files whose names match GLOB"),
    OPT_CALL(0, "exclude", grep_filter, "GLOB", "no files whose names match GLOB"),
    OPT_CALL(0, "exclude-from", grep_filter_file, "FILE", "no files that match a glob of FILE"),
    OPT_CALL(0, "exclude-dir", grep_filter, "GLOB", "no folders whose names match GLOB"),
    OPT_GROUP("Context:"),
    OPT_CALL('B', "before-context", grep_context, "NUM", "with NUM lines before each"),
    OPT_CALL('A', "after-context", grep_context, "NUM", "with NUM lines behind each"),
    OPT_CALL('C', "context", grep_context, "NUM", "with NUM lines around each; also -NUM"),
    OPT_CALL(0, "group-separator", grep_no_separator, "SEP", "write SEP between groups, not --"),
    OPT_CALL(0, "no-group-separator", grep_no_separator, NULL, "write nothing between groups"),
    OPT_GROUP("Other:"),
    OPT_FLAG('U', "binary", struct grep, as_bytes, "(ignored)"),
    OPT_CALL('V', NULL, grep_version, NULL, "same as --version"),
    GREP_HIDDEN('u', "unix-byte-offsets", grep_obsolete, NULL),
    GREP_HIDDEN('X', NULL, grep_matcher, "MATCHER"),
    {OPT_KIND_FLAG, OPT_HIDDEN, 'y', NULL, offsetof(struct grep, icase), 0, NULL, NULL, NULL},
    GREP_HIDDEN('F', "fixed-regexp", grep_matcher, NULL),
    GREP_DIGIT('0'),
    GREP_DIGIT('1'),
    GREP_DIGIT('2'),
    GREP_DIGIT('3'),
    GREP_DIGIT('4'),
    GREP_DIGIT('5'),
    GREP_DIGIT('6'),
    GREP_DIGIT('7'),
    GREP_DIGIT('8'),
    GREP_DIGIT('9'),
    OPT_END,
};
#undef GREP_DIGIT
#undef GREP_HIDDEN

static void grep_defaults(struct proc *p, void *args)
{
    struct grep *o = args;
    (void)p;
    o->max = INT64_MAX;
    o->before = o->after = o->context = -1;
    o->separator = STR("--");
}

static void egrep_defaults(struct proc *p, void *args)
{
    grep_defaults(p, args);
    ((struct grep *)args)->matcher = GREP_MATCHER_EXTENDED;
}

static void fgrep_defaults(struct proc *p, void *args)
{
    grep_defaults(p, args);
    ((struct grep *)args)->matcher = GREP_MATCHER_FIXED;
}

/* ---- the run --------------------------------------------------------------------------------- */

/* What follows from the options together. */
static void grep_setup(struct grep_run *r, bool recurse_here, int operands)
{
    const struct grep *o = r->o;
    struct file *f = proc_file(r->p, 1);
    bool null = false;

    if (f && file_stat(f, &r->out_st) == 0) {
        r->out_file = MODE_IS_FILE(r->out_st.mode);
        null = (r->out_st.mode & MODE_TYPE) == MODE_CHR && r->out_st.rdev == 0x103;
    }
    r->eol = o->nul_data ? '\0' : '\n';
    r->first_only = o->quiet || o->list != GREP_LIST_NONE || null;
    r->silent_output = r->first_only || o->count;
    r->before = o->before >= 0 ? o->before : o->context;
    r->after = o->after >= 0 ? o->after : o->context;
    r->names = o->names > 0 || (o->names == 0 && operands > 1);
    r->names_below = o->names == 0;
    r->no_dot = recurse_here;
    r->bytes = locale_bytes(r->p);
    r->out.line |= o->line_buffered;
}

/* Reads all operands. The exit status, or an error. */
static int grep_all(struct grep_run *r, struct str *names, int n)
{
    static const struct str standard = STR_INIT("-"), here = STR_INIT(".");
    bool recurse_here = n == 0 && r->o->folders == GREP_FOLDERS_RECURSE, any = false;

    grep_setup(r, recurse_here, n);
    grep_print_setup(r);
    if (n == 0)
        any = grep_walk_operand(r, recurse_here ? here : standard);
    for (int i = 0; i < n && r->err == 0 && !r->done; i++)
        any |= grep_walk_operand(r, names[i]);
    if (r->err && r->err != r->out.err)
        return r->err;
    return r->done ? 0 : r->failed ? 2 : !any;
}

/* Whether nothing can be selected, so that files need not even be there. */
static bool grep_hopeless(const struct grep *o)
{
    bool all = o->first && !o->word && !o->whole;

    for (const struct grep_pattern *g = o->first; g && all; g = g->next)
        all = g->text.n == 0;
    return (o->max == 0 || (o->invert ? all : !o->first)) &&
           (o->list != GREP_LIST_OTHERS || o->quiet);
}

static int grep_run(struct proc *p, void *args)
{
    struct grep *o = args;
    struct grep_run r = {.p = p, .o = o};
    struct str *names = p->argv;
    int n = p->argc;

    if (!o->have_patterns) {
        if (n == 0)
            return proc_usage(p);
        if (grep_pattern_add(p, o, names[0], STR_NONE) < 0)
            return HOB_ENOMEM;
        names++;
        n--;
    }
    if (grep_hopeless(o))
        return 1;
    r.bytes = locale_bytes(p);
    int e = o->matcher == GREP_MATCHER_PERL ? grep_perl_compile(&r) : grep_pattern_compile(&r);
    if (e) {
        regex_free(r.show);
        regex_free(r.re);
        return e < 0 ? e : e - 1;
    }
    out_init(&r.out, p, 1);
    e = grep_all(&r, names, n);
    regex_free(r.show);
    regex_free(r.re);
    pcre_free(r.perl);
    return command_close(p, &r.out, e);
}

#define GREP_NOTES                                                                                 \
    "Without FILE standard input is read, or with -r the current folder; so it is when FILE is\n"  \
    "-. The exit status is 0 when a line was selected, 1 when none was, and 2 after an error\n"    \
    "(but 0 with -q when a line was selected)."

const struct command cmd_grep = {
    .name = "grep",
    .usage = "[OPTION]... PATTERNS [FILE]...",
    .summary = "Write the lines of each FILE that match one of PATTERNS.",
    .notes = GREP_NOTES,
    .opts = grep_opts,
    .args_size = sizeof(struct grep),
    .flags = CMD_NUMERIC | CMD_USAGE_LINE,
    .usage_status = 2,
    .run = grep_run,
    .defaults = grep_defaults,
    .number = grep_numeric,
};

const struct command cmd_egrep = {
    .name = "egrep",
    .usage = "[OPTION]... PATTERNS [FILE]...",
    .summary = "The same as grep -E.",
    .notes = GREP_NOTES,
    .opts = grep_opts,
    .args_size = sizeof(struct grep),
    .flags = CMD_NUMERIC | CMD_USAGE_LINE,
    .usage_status = 2,
    .run = grep_run,
    .defaults = egrep_defaults,
    .number = grep_numeric,
};

const struct command cmd_fgrep = {
    .name = "fgrep",
    .usage = "[OPTION]... PATTERNS [FILE]...",
    .summary = "The same as grep -F.",
    .notes = GREP_NOTES,
    .opts = grep_opts,
    .args_size = sizeof(struct grep),
    .flags = CMD_NUMERIC | CMD_USAGE_LINE,
    .usage_status = 2,
    .run = grep_run,
    .defaults = fgrep_defaults,
    .number = grep_numeric,
};
#undef GREP_NOTES

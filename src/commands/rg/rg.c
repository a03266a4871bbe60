/* rg.c -- rg: searching folders for lines, as ripgrep does; options and the run */
#include "commands/rg/rg.h"

#include "text/glob.h"

#define RG_USAGE                                                                                   \
    "\nUSAGE:\n    \n    rg [OPTIONS] PATTERN [PATH ...]\n    rg [OPTIONS] -e PATTERN ... "        \
    "[PATH ...]\n    rg [OPTIONS] -f PATTERNFILE ... [PATH ...]\n    rg [OPTIONS] --files "        \
    "[PATH ...]\n    rg [OPTIONS] --type-list\n    command | rg [OPTIONS] PATTERN\n    rg "        \
    "[OPTIONS] --help\n    rg [OPTIONS] --version\n\nFor more information try --help\n\n"

/* ---- options that are more than a field ------------------------------------------------------ */

static int rg_opt_push(struct proc *p, struct strs *list, struct str s)
{
    return proc_push(p, list, s) ? 0 : HOB_ENOMEM;
}

static int rg_opt_pattern(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct rg *g = args;
    (void)o;
    g->have_patterns = true;
    return rg_opt_push(p, &g->patterns, arg);
}

static int rg_opt_pattern_file(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct rg *g = args;
    struct in in;
    struct str line;
    bool had;
    (void)o;
    g->have_patterns = true;
    int e = in_open_quiet(&in, p, arg);
    if (e < 0) {
        proc_printf_err(p, "%.*s: %s (os error %d)\n", STR_ARG(arg), error_text(e), -e);
        return 3;
    }
    while (e == 0 && in_line(&in, '\n', &line, &had)) {
        struct str copy = arena_str(p->arena, line);
        e = copy.p ? rg_opt_push(p, &g->patterns, copy) : HOB_ENOMEM;
    }
    in_fini(&in);
    return e;
}

static int rg_opt_glob(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct rg *g = args;
    bool negated = arg.n && arg.p[0] == '!';
    bool nocase = g->glob_nocase || o->value;
    /* A glob of the command line selects; '!' in front of it leaves out. */
    g->globs = rg_rule_add(p, g->globs, arg, nocase);
    g->globs_include |= !negated;
    return 0;
}

static int rg_opt_type(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)o;
    return rg_opt_push(p, &((struct rg *)args)->types, arg);
}

static int rg_opt_type_not(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)o;
    return rg_opt_push(p, &((struct rg *)args)->types_not, arg);
}

static int rg_opt_type_add(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)o;
    return rg_type_define(p, args, arg);
}

static int rg_opt_type_clear(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)o;
    rg_type_clear(p, args, arg);
    return 0;
}

static int rg_opt_ignore_file(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)o;
    return rg_opt_push(p, &((struct rg *)args)->ignore_files, arg);
}

static int rg_opt_replace(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct rg *g = args;
    (void)p;
    (void)o;
    g->have_replace = true;
    g->replace = arg;
    return 0;
}

static int rg_opt_separator(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct rg *g = args;
    (void)p;
    (void)o;
    g->have_separator = true;
    g->no_context_separator = false;
    g->separator = arg;
    return 0;
}

static int rg_opt_bad(struct proc *p, const char *name, struct str arg)
{
    proc_printf_err(p, "error: Invalid value \"%.*s\" for '--%s'\n", STR_ARG(arg), name);
    return 3;
}

static int rg_opt_color(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct rg *g = args;
    if (str_eqz(arg, "always") || str_eqz(arg, "ansi"))
        g->color = 1;
    else if (str_eqz(arg, "never"))
        g->color = -1;
    else if (str_eqz(arg, "auto"))
        g->color = 0;
    else
        return rg_opt_bad(p, o->name, arg);
    return 0;
}

/* A named colour, one of 256, or r,g,b. False: none of these. */
static bool rg_color(struct str s, uint32_t *out)
{
    static const char *const names[] = {"black", "red",     "green", "yellow",
                                        "blue",  "magenta", "cyan",  "white"};
    uint32_t rgb = 0;
    int parts = 0;
    for (uint32_t i = 0; i < COUNT(names); i++)
        if (str_eqz(s, names[i]))
            return *out = i + 1, true;
    while (parts < 3) {
        ptrdiff_t comma = str_chr(s, ',');
        struct str one = comma < 0 ? s : str_sub(s, 0, (size_t)comma);
        int64_t v;
        if (str_int(one, &v) < 0 || v < 0 || v > 255)
            return false;
        rgb = rgb << 8 | (uint32_t)v;
        parts++;
        if (comma < 0)
            break;
        s = str_from(s, (size_t)comma + 1);
    }
    *out = parts == 1 ? rgb + 9 : RG_TRUE_COLOR | rgb;
    return parts == 1 || parts == 3;
}

/* TYPE:none, TYPE:fg:COLOUR, TYPE:bg:COLOUR, TYPE:style:STYLE. */
static int rg_opt_colors(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const char *const types[] = {"path", "line", "column", "match"};
    static const char *const styles[] = {"nobold",    "bold",      "nounderline",
                                         "underline", "nointense", "intense"};
    struct rg *g = args;
    ptrdiff_t colon = str_chr(arg, ':');
    struct str rest = colon < 0 ? STR("") : str_from(arg, (size_t)colon + 1);
    struct rg_style *s = NULL;
    for (size_t i = 0; i < COUNT(types); i++)
        if (colon >= 0 && str_eqz(str_sub(arg, 0, (size_t)colon), types[i]))
            s = &g->style[i];
    if (!s)
        return rg_opt_bad(p, o->name, arg);
    if (str_eqz(rest, "none")) {
        *s = (struct rg_style){0};
        return 0;
    }
    if (str_starts(rest, STR("fg:")) && rg_color(str_from(rest, 3), &s->fg))
        return 0;
    if (str_starts(rest, STR("bg:")) && rg_color(str_from(rest, 3), &s->bg))
        return 0;
    bool *fields[] = {&s->bold, &s->underline, &s->intense};
    for (size_t i = 0; i < COUNT(styles); i++)
        if (str_starts(rest, STR("style:")) && str_eqz(str_from(rest, 6), styles[i])) {
            *fields[i / 2] = i & 1;
            return 0;
        }
    return rg_opt_bad(p, o->name, arg);
}

static int rg_opt_sort(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const char *const names[] = {"none", "path", "modified", "accessed", "created"};
    struct rg *g = args;
    for (size_t i = 0; i < COUNT(names); i++)
        if (str_eqz(arg, names[i])) {
            g->sort = (int)i;
            g->sort_reverse = strcmp(o->name, "sortr") == 0 && i > 0;
            return 0;
        }
    return rg_opt_bad(p, o->name, arg);
}

static int rg_opt_ignored(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p;
    (void)args;
    (void)o;
    (void)arg;
    return 0;
}

static int rg_opt_encoding(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const char *const known[] = {"auto", "none", "utf-8", "utf8", "ascii", "us-ascii"};
    (void)args;
    for (size_t i = 0; i < COUNT(known); i++)
        if (str_eqz(arg, known[i]))
            return 0;
    return rg_opt_bad(p, o->name, arg);
}

static int rg_opt_filesize(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct rg *g = args;
    if (size_parse(arg, "KMG", &g->max_filesize) < 0)
        return rg_opt_bad(p, o->name, arg);
    return 0;
}

/* clang-format off */
#define RG_FLAG(l, n, f, h) OPT_FLAG(l, n, struct rg, f, h)
#define RG_SET(l, n, f, v, h) OPT_SET(l, n, struct rg, f, v, h)
static const struct opt rg_opts[] = {
    OPT_GROUP("What is looked for:"),
    OPT_CALL('e', "regexp", rg_opt_pattern, "PATTERN", "look for PATTERN; may be repeated"),
    OPT_CALL('f', "file", rg_opt_pattern_file, "FILE", "look for the patterns in FILE, one a line"),
    RG_FLAG('F', "fixed-strings", fixed, "patterns are plain text"),
    RG_SET('i', "ignore-case", cased, RG_CASE_IGNORE, "case does not matter"),
    RG_SET('S', "smart-case", cased, RG_CASE_SMART, "case matters if a pattern has capitals"),
    RG_SET('s', "case-sensitive", cased, RG_CASE_EXACT, "case matters (the default)"),
    RG_FLAG('w', "word-regexp", word, "only whole words"),
    RG_FLAG('x', "line-regexp", whole, "only whole lines"),
    RG_FLAG('v', "invert-match", invert, "lines that do not match"),
    RG_FLAG('U', "multiline", multiline, "a match may span lines"),
    RG_FLAG(0, "multiline-dotall", dotall, "with -U, a dot matches newlines"),
    RG_FLAG('P', "pcre2", perl, "Perl's expressions, by PCRE2"),
    RG_FLAG(0, "crlf", crlf, "lines may end with CR LF"),
    RG_FLAG(0, "null-data", null_data, "lines end with NUL"),
    RG_FLAG(0, "no-unicode", no_unicode, "(accepted)"),
    OPT_INTEGER('m', "max-count", struct rg, max_count, "NUM", "stop a file after NUM lines"),
    OPT_CALL('E', "encoding", rg_opt_encoding, "ENCODING", "of the files: UTF-8"),
    OPT_GROUP("Which files are searched:"),
    OPT_CALL('g', "glob", rg_opt_glob, "GLOB", "only files that match; with ! the others"),
    {OPT_KIND_CALL, 0, 0, "iglob", 0, 1, "GLOB", "the same, and case does not matter", rg_opt_glob},
    RG_FLAG(0, "glob-case-insensitive", glob_nocase, "-g is --iglob from here on"),
    OPT_CALL('t', "type", rg_opt_type, "TYPE", "only files of this type"),
    OPT_CALL('T', "type-not", rg_opt_type_not, "TYPE", "no files of this type"),
    OPT_CALL(0, "type-add", rg_opt_type_add, "SPEC", "add name:glob to the types"),
    OPT_CALL(0, "type-clear", rg_opt_type_clear, "TYPE", "forget the globs of a type"),
    RG_SET(0, "type-list", mode, RG_TYPE_LIST, "show the types"),
    RG_FLAG('.', "hidden", hidden, "hidden files and folders, too"),
    RG_FLAG('L', "follow", follow, "follow symbolic links"),
    RG_FLAG(0, "no-ignore", no_ignore, "take no notice of ignore files"),
    RG_FLAG(0, "no-ignore-dot", no_ignore_dot, "no .ignore and .rgignore"),
    RG_FLAG(0, "no-ignore-vcs", no_ignore_vcs, "no .gitignore"),
    RG_FLAG(0, "no-ignore-exclude", no_ignore_exclude, "no .git/info/exclude"),
    RG_FLAG(0, "no-ignore-parent", no_ignore_parent, "no ignore files of the folders above"),
    RG_FLAG(0, "no-ignore-files", no_ignore_files, "no --ignore-file"),
    RG_FLAG(0, "no-ignore-global", no_unicode, "(accepted: there are none)"),
    RG_FLAG(0, "no-require-git", no_require_git, ".gitignore counts outside of repositories, too"),
    OPT_CALL(0, "ignore-file", rg_opt_ignore_file, "FILE", "rules in FILE count, too"),
    OPT_INC('u', "unrestricted", struct rg, unrestricted,
            "-u no ignore files, -uu hidden files too, -uuu binary files too"),
    OPT_INTEGER('d', "max-depth", struct rg, max_depth, "NUM", "go at most NUM folders deep"),
    OPT_INTEGER(0, "maxdepth", struct rg, max_depth, "NUM", "as --max-depth"),
    OPT_CALL(0, "max-filesize", rg_opt_filesize, "SIZE", "pass over larger files"),
    RG_FLAG(0, "one-file-system", one_fs, "(accepted)"),
    RG_SET('a', "text", binary, RG_BINARY_TEXT, "binary files are searched as text"),
    RG_SET(0, "binary", binary, RG_BINARY_SEARCH, "binary files are searched, not shown"),
    RG_FLAG('z', "search-zip", search_zip, "(accepted: compressed files are searched as they are)"),
    OPT_GROUP("What is printed:"),
    RG_SET('c', "count", mode, RG_COUNT, "the number of lines"),
    RG_SET(0, "count-matches", mode, RG_COUNT_MATCHES, "the number of matches"),
    RG_SET('l', "files-with-matches", mode, RG_FILES_WITH, "the names of files with a match"),
    RG_SET(0, "files-without-match", mode, RG_FILES_WITHOUT, "the names of the others"),
    RG_SET(0, "files", mode, RG_FILES, "the names of all files that would be searched"),
    RG_SET(0, "json", mode, RG_JSON, "everything as JSON lines"),
    RG_FLAG('o', "only-matching", only, "the matches alone"),
    OPT_CALL('r', "replace", rg_opt_replace, "TEXT", "put TEXT in place of matches; $1, $name"),
    OPT_INTEGER('A', "after-context", struct rg, after, "NUM", "NUM lines behind a match"),
    OPT_INTEGER('B', "before-context", struct rg, before, "NUM", "NUM lines before a match"),
    OPT_INTEGER('C', "context", struct rg, context, "NUM", "both"),
    OPT_CALL(0, "context-separator", rg_opt_separator, "TEXT", "between groups of lines"),
    RG_FLAG(0, "no-context-separator", no_context_separator, "nothing between them"),
    OPT_STRING(0, "field-match-separator", struct rg, field_match, "TEXT", "in place of :"),
    OPT_STRING(0, "field-context-separator", struct rg, field_context, "TEXT", "in place of -"),
    RG_FLAG(0, "passthru", passthru, "all lines"),
    RG_FLAG(0, "passthrough", passthru, "all lines"),
    RG_SET('n', "line-number", line_numbers, 1, "line numbers"),
    RG_SET('N', "no-line-number", line_numbers, -1, "no line numbers"),
    RG_FLAG(0, "column", column, "the column of the first match"),
    RG_FLAG(0, "vimgrep", vimgrep, "every match on a line, with line and column"),
    RG_FLAG('b', "byte-offset", byte_offset, "the offset in the file"),
    RG_SET('H', "with-filename", names, 1, "file names"),
    RG_SET('I', "no-filename", names, -1, "no file names"),
    RG_SET(0, "heading", heading, 1, "file names on a line of their own"),
    RG_SET(0, "no-heading", heading, -1, "file names in front of lines"),
    RG_FLAG('p', "pretty", pretty, "as on a terminal: colours, headings, line numbers"),
    OPT_CALL(0, "color", rg_opt_color, "WHEN", "never, auto, always or ansi"),
    OPT_CALL(0, "colors", rg_opt_colors, "SPEC",
             "colours: path, line, column or match, then fg, bg or style, then which"),
    RG_FLAG('0', "null", null, "a NUL behind file names"),
    OPT_STRING(0, "path-separator", struct rg, path_separator, "CHAR", "in place of / in names"),
    RG_FLAG(0, "trim", trim, "no blanks at the begin of lines"),
    OPT_INTEGER('M', "max-columns", struct rg, max_columns, "NUM", "do not show longer lines"),
    RG_FLAG(0, "max-columns-preview", preview, "show the begin of longer lines"),
    RG_FLAG(0, "include-zero", include_zero, "with -c, files without a match, too"),
    OPT_CALL(0, "sort", rg_opt_sort, "BY", "none, path, modified, accessed or created"),
    OPT_CALL(0, "sortr", rg_opt_sort, "BY", "the same, the other way round"),
    RG_FLAG(0, "stats", stats, "figures at the end"),
    RG_FLAG('q', "quiet", quiet, "print nothing; the status tells"),
    RG_FLAG(0, "no-messages", no_messages, "say nothing of files that cannot be read"),
    RG_FLAG(0, "line-buffered", line_buffered, "write every line at once"),
    OPT_CALL('j', "threads", rg_opt_ignored, "NUM", "(accepted: there is one)"),
    RG_FLAG(0, "mmap", no_unicode, "(accepted)"),
    RG_FLAG(0, "no-mmap", no_unicode, "(accepted)"),
    RG_FLAG(0, "no-config", no_unicode, "(accepted: there is none)"),
    RG_FLAG(0, "block-buffered", no_unicode, "(accepted)"),
    OPT_END,
};
/* clang-format on */
#undef RG_FLAG
#undef RG_SET

static void rg_defaults(struct proc *p, void *args)
{
    struct rg *g = args;
    (void)p;
    g->max_count = g->max_depth = -1;
    g->before = g->after = g->context = -1;
    g->style[RG_STYLE_PATH].fg = 6;
    g->style[RG_STYLE_LINE].fg = 3;
    g->style[RG_STYLE_MATCH] = (struct rg_style){.bold = true, .fg = 2};
}

/* ---- the run --------------------------------------------------------------------------------- */

static bool rg_out_tty(struct rg_run *r)
{
    struct file *f = proc_file(r->p, 1);
    return f && (f->flags & FILE_TTY);
}

/* Data comes from stdin when it is a file or a pipe. */
static bool rg_stdin_given(struct proc *p)
{
    struct stat_info st;
    struct file *f = proc_file(p, 0);
    if (!f || file_stat(f, &st) < 0)
        return false;
    return MODE_IS_FILE(st.mode) || (st.mode & MODE_TYPE) == MODE_FIFO;
}

static void rg_settle(struct rg *o)
{
    if (o->unrestricted > 0)
        o->no_ignore = true;
    if (o->unrestricted > 1)
        o->hidden = true;
    if (o->unrestricted > 2 && o->binary == RG_BINARY_AUTO)
        o->binary = RG_BINARY_SEARCH;
    if (o->vimgrep) {
        o->column = true;
        o->line_numbers = o->line_numbers ? o->line_numbers : 1;
    }
    if (o->column && !o->line_numbers)
        o->line_numbers = 1;
    if (o->mode == RG_COUNT && o->only)
        o->mode = RG_COUNT_MATCHES;
    if (o->mode == RG_FILES_WITHOUT || o->mode == RG_FILES_WITH)
        o->passthru = false;
}

/* Colours that nobody asked for by name need a terminal that has some. */
static bool rg_colors_known(struct proc *p)
{
    struct str term, none;
    return proc_getenv(p, STR("TERM"), &term) && !str_eqz(term, "dumb") &&
           !(proc_getenv(p, STR("NO_COLOR"), &none) && none.n);
}

static void rg_layout(struct rg_run *r, const struct rg *o, bool many)
{
    bool tty = rg_out_tty(r), pretty = o->pretty || tty;
    r->names = o->names ? o->names > 0 : many;
    r->line_numbers = o->line_numbers ? o->line_numbers > 0 : pretty || o->mode == RG_JSON;
    r->heading = o->heading ? o->heading > 0 : pretty && !o->vimgrep;
    r->color = o->color ? o->color > 0 : pretty && rg_colors_known(r->p);
    if (o->mode == RG_JSON)
        r->color = r->heading = false;
    if (o->vimgrep && !o->names)
        r->names = true;
    r->eol = o->null_data ? '\0' : '\n';
    int64_t both = o->context >= 0 ? o->context : 0;
    r->before = o->before >= 0 ? o->before : both;
    r->after = o->after >= 0 ? o->after : both;
    if (o->passthru)
        r->before = INT64_MAX;
    if (o->mode != RG_LINES && o->mode != RG_JSON)
        r->before = r->after = 0;
}

static int rg_paths(struct rg_run *r, struct str *paths, int n)
{
    struct stat_info st;
    bool many = n > 1;
    for (int i = 0; i < n && !many; i++)
        many = vfs_stat(r->p, paths[i], 0, &st) == 0 && MODE_IS_DIR(st.mode);
    bool in = n == 0 && r->o->mode != RG_FILES && rg_stdin_given(r->p);
    rg_layout(r, r->o, many || (n == 0 && !in));
    if (in)
        rg_walk(r, STR("-"));
    else if (n == 0)
        rg_walk(r, STR_NONE);
    for (int i = 0; i < n && !r->err && !r->done && !r->out.err; i++)
        rg_walk(r, paths[i]);
    if (r->err)
        return r->err;
    if (r->implicit && !r->visited && !r->o->no_messages && r->o->mode != RG_FILES) {
        proc_puts(r->p, 2,
                  STR("No files were searched, which means ripgrep probably applied a filter you "
                      "didn't expect.\nRunning with --debug will show why files are being "
                      "skipped.\n"));
        r->failed = true;
    }
    if ((r->o->stats || r->o->mode == RG_JSON) && r->o->mode != RG_FILES)
        rg_print_summary(r);
    return r->failed ? 2 : r->matched ? 0 : 1;
}

/* --ignore-file: as if its rules stood in the working folder, before all others. */
static int rg_extra_rules(struct rg *o, struct proc *p)
{
    for (size_t i = 0; i < o->ignore_files.n && !o->no_ignore_files; i++) {
        struct in in;
        struct str line;
        bool had;
        int e = in_open_quiet(&in, p, o->ignore_files.p[i]);
        if (e < 0) {
            proc_printf_err(p, "%.*s: %s (os error %d)\n", STR_ARG(o->ignore_files.p[i]),
                            error_text(e), -e);
            continue;
        }
        while (in_line(&in, '\n', &line, &had)) {
            struct str copy = arena_str(p->arena, line);
            if (copy.p)
                o->extra = rg_rule_add(p, o->extra, copy, false);
        }
        in_fini(&in);
    }
    return 0;
}

static int rg_run(struct proc *p, void *args)
{
    struct rg *o = args;
    struct rg_run r = {.p = p, .o = o, .started = sched_now(&p->kernel->sched)};
    struct str *paths = p->argv;
    int n = p->argc, status = 0;

    rg_settle(o);
    if (!o->have_patterns && o->mode != RG_FILES && o->mode != RG_TYPE_LIST) {
        if (n == 0) {
            proc_printf_err(p, "error: The following required arguments were not provided:\n    "
                               "<PATTERN>\n" RG_USAGE);
            return 2;
        }
        if (!proc_push(p, &o->patterns, paths[0]))
            return HOB_ENOMEM;
        paths++;
        n--;
    }
    rg_extra_rules(o, p);
    out_init(&r.out, p, 1);
    r.out.line |= o->line_buffered;
    buf_init(&r.window, &p->kernel->heap);
    status = rg_type_check(&r);
    if (status == 0 && o->mode == RG_TYPE_LIST)
        rg_type_list(&r);
    else if (status == 0 && o->mode != RG_FILES)
        status = rg_match_compile(&r);
    if (status == 0 && o->mode != RG_TYPE_LIST)
        status = rg_paths(&r, paths, n);
    rg_match_fini(&r);
    buf_fini(&r.window);
    return command_close(p, &r.out, status);
}

const struct command cmd_rg = {
    .name = "rg",
    .usage = "[OPTION]... PATTERN [PATH]...\n[OPTION]... --files [PATH]...",
    .summary =
        "Search folders for lines that match a pattern, leaving out what .gitignore, .ignore "
        "and .rgignore name, hidden and binary files.",
    .notes = "Patterns are Perl's without look-around. Exit status: 0 if a line matched, 1 if none "
             "did, 2 after an error.",
    .opts = rg_opts,
    .args_size = sizeof(struct rg),
    .usage_status = 2,
    .defaults = rg_defaults,
    .run = rg_run,
};

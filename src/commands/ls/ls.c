/* ls.c -- list the contents of folders */
#include "commands/ls/ls.h"

#include "base/utf8.h"
#include "commands/lib/files.h"
#include "commands/lib/getdate.h"

enum {
    LS_PROBLEM = 1,
    LS_TROUBLE = 2
};

/* ---- options -------------------------------------------------------------------------------- */

static const struct word_row ls_when[] = {{"always", 1}, {"yes", 1},  {"force", 1}, {"never", 0},
                                          {"no", 0},     {"none", 0}, {"auto", 2},  {"tty", 2},
                                          {"if-tty", 2}, {NULL, 0}};

static bool ls_tty(struct proc *p)
{
    struct file *f = proc_file(p, 1);
    return f && (f->flags & FILE_TTY);
}

/* Options with a word: --color, --sort ... */
static int ls_word(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row sorts[] = {{"none", LS_UNSORTED},
                                            {"time", LS_BY_TIME},
                                            {"size", LS_BY_SIZE},
                                            {"extension", LS_BY_EXTENSION},
                                            {"version", LS_BY_VERSION},
                                            {"width", LS_BY_WIDTH},
                                            {NULL, 0}};
    static const struct word_row times[] = {
        {"atime", LS_ATIME},  {"access", LS_ATIME}, {"use", LS_ATIME},      {"ctime", LS_CTIME},
        {"status", LS_CTIME}, {"birth", LS_BTIME},  {"creation", LS_BTIME}, {NULL, 0}};
    static const struct word_row formats[] = {{"verbose", LS_LONG},      {"long", LS_LONG},
                                              {"commas", LS_COMMAS},     {"horizontal", LS_ACROSS},
                                              {"across", LS_ACROSS},     {"vertical", LS_COLUMNS},
                                              {"single-column", LS_ONE}, {NULL, 0}};
    static const struct word_row marks[] = {{"none", LS_PLAIN},
                                            {"slash", LS_SLASH},
                                            {"file-type", LS_FILE_TYPE},
                                            {"classify", LS_CLASSIFY},
                                            {NULL, 0}};
    static const struct word_row quotes[] = {{"literal", QUOTE_LITERAL},
                                             {"shell", QUOTE_SHELL},
                                             {"shell-always", QUOTE_SHELL_ALWAYS},
                                             {"shell-escape", QUOTE_SHELL_ESCAPE},
                                             {"shell-escape-always", QUOTE_SHELL_ESCAPE_ALWAYS},
                                             {"c", QUOTE_C},
                                             {"c-maybe", QUOTE_C_MAYBE},
                                             {"escape", QUOTE_ESCAPE},
                                             {"locale", QUOTE_LOCALE},
                                             {"clocale", QUOTE_CLOCALE},
                                             {NULL, 0}};
    struct ls *l = args;
    int when = 1, r;

    switch (o->value) {
    case 's': return proc_word(p, "--sort", arg, sorts, &l->sort);
    case 't': l->time_given = true; return proc_word(p, "--time", arg, times, &l->time);
    case 'f': return proc_word(p, "--format", arg, formats, &l->format);
    case 'i': return proc_word(p, "--indicator-style", arg, marks, &l->indicator);
    case 'q':
        l->quoting_given = true;
        return proc_word(p, "--quoting-style", arg, quotes, &l->quoting);
    default: break;
    }
    const char *name = o->value == 'c' ? "--color" : o->value == 'h' ? "--hyperlink" : "--classify";
    r = arg.p ? proc_word(p, name, arg, ls_when, &when) : 0;
    bool on = when == 1 || (when == 2 && ls_tty(p));
    if (o->value == 'c')
        l->color = on;
    else if (o->value == 'h')
        l->hyperlink = on;
    else if (on)
        l->indicator = LS_CLASSIFY;
    return r;
}

/* Letters that stand for several settings. */
static int ls_letter(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct ls *l = args;
    (void)p;
    (void)arg;
    switch (o->value) {
    case 'a':
        l->all = true;
        l->almost = false;
        break;
    case 'A':
        l->almost = true;
        l->all = false;
        break;
    case 'c':
        l->time = LS_CTIME;
        l->time_given = true;
        break;
    case 'u':
        l->time = LS_ATIME;
        l->time_given = true;
        break;
    case 'f':
        l->all = l->format_f = true;
        l->sort = LS_UNSORTED;
        l->color = l->blocks = false;
        if (l->format == LS_LONG)
            l->format = LS_UNSET;
        break;
    case 'g':
        l->format = LS_LONG;
        l->no_owner = true;
        break;
    case 'n':
        l->format = LS_LONG;
        l->numeric = true;
        break;
    case 'o':
        l->format = LS_LONG;
        l->no_group = true;
        break;
    case 'F':
        l->format = LS_LONG;
        l->time_style = STR("full-iso");
        break;
    case '1': l->format = l->format == LS_LONG ? LS_LONG : LS_ONE; break;
    case 'z':
        l->zero = true;
        l->color = false;
        l->format = l->format == LS_LONG ? LS_LONG : LS_ONE;
        l->quoting = QUOTE_LITERAL;
        l->quoting_given = l->show_control = true;
        break;
    case 'h':
    case 'S':
        l->size_unit = l->block_unit = (struct human){.scale = true, .si = o->value == 'S'};
        l->human_given = true;
        break;
    case 'b':
        l->quoting = QUOTE_ESCAPE;
        l->quoting_given = true;
        break;
    case 'N':
        l->quoting = QUOTE_LITERAL;
        l->quoting_given = true;
        break;
    case 'Q':
        l->quoting = QUOTE_C;
        l->quoting_given = true;
        break;
    case 'q':
        l->hide_control = true;
        l->show_control = false;
        break;
    case 'C':
        l->show_control = true;
        l->hide_control = false;
        break;
    default: break;
    }
    return 0;
}

static int ls_value(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct ls *l = args;
    uint64_t v;
    struct human unit;

    switch (o->value) {
    case 'I': return proc_push(p, &l->ignore, arg) ? 0 : LS_TROUBLE + 1;
    case 'H': return proc_push(p, &l->hide, arg) ? 0 : LS_TROUBLE + 1;
    case 'w':
    case 'T':
        if (size_parse(arg, "", &v) == HOB_EINVAL) {
            proc_warn(p, "invalid %s: %s", o->value == 'w' ? "line width" : "tab size",
                      proc_quote(p, arg));
            return LS_TROUBLE + 1;
        }
        *(o->value == 'w' ? &l->width : &l->tab) = v > INT_MAX ? 0 : (int64_t)v;
        return 0;
    default: break;
    }
    int r = human_parse(arg, &unit);
    if (r < 0) {
        proc_warn(p, "%s%s",
                  r == HOB_ERANGE ? "--block-size argument " : "invalid --block-size argument ",
                  r == HOB_ERANGE ? arena_printf(p->arena, "%s too large", proc_quoteaf(p, arg)).p
                                  : proc_quoteaf(p, arg));
        return LS_TROUBLE + 1;
    }
    l->size_unit = l->block_unit = unit;
    l->human_given = true;
    return 0;
}

#define LS_LETTER(c, n, v, h)                                                                      \
    {                                                                                              \
        OPT_KIND_CALL, 0, c, n, 0, v, NULL, h, ls_letter                                           \
    }
#define LS_WORD(c, n, v, a, h)                                                                     \
    {                                                                                              \
        OPT_KIND_CALL, 0, c, n, 0, v, a, h, ls_word                                                \
    }
#define LS_MAYBE(c, n, v, a, h)                                                                    \
    {                                                                                              \
        OPT_KIND_CALL, OPT_ARG_OPTIONAL | OPT_LONG_ONLY_ARG, c, n, 0, v, a, h, ls_word             \
    }
#define LS_VALUE(c, n, v, a, h)                                                                    \
    {                                                                                              \
        OPT_KIND_CALL, 0, c, n, 0, v, a, h, ls_value                                               \
    }

static const struct opt ls_opts[] = {
    LS_LETTER('a', "all", 'a', "show names that begin with a period"),
    LS_LETTER('A', "almost-all", 'A', "the same, but not . and .."),
    OPT_FLAG(0, "author", struct ls, author, "with -l, show the author of each file"),
    LS_LETTER('b', "escape", 'b', "write odd characters as \\n or \\012"),
    LS_VALUE(0, "block-size", 'B', "SIZE", "show sizes in units of SIZE"),
    OPT_FLAG('B', "ignore-backups", struct ls, backups_hidden, "skip names that end with ~"),
    LS_LETTER('c', NULL, 'c',
              "show (-l) or sort by (-t, or without -l) the time of the last status change"),
    OPT_SET('C', NULL, struct ls, format, LS_COLUMNS, "in columns"),
    LS_MAYBE(0, "color", 'c', "WHEN", "colour names: always, auto or never"),
    OPT_FLAG('d', "directory", struct ls, dirs_only,
             "list folders themselves, not what is in them"),
    OPT_FLAG('D', "dired", struct ls, dired, "add what the dired mode of Emacs wants"),
    LS_LETTER('f', NULL, 'f', "everything, in the order of the folder"),
    LS_MAYBE('F', "classify", 'F', "WHEN", "put one of */=>@| behind names"),
    OPT_SET(0, "file-type", struct ls, indicator, LS_FILE_TYPE, "the same without *"),
    LS_WORD(0, "format", 'f', "WORD",
            "across, commas, horizontal, long, single-column, verbose, vertical"),
    LS_LETTER(0, "full-time", 'F', "as -l --time-style=full-iso"),
    LS_LETTER('g', NULL, 'g', "as -l without owner"),
    OPT_FLAG(0, "group-directories-first", struct ls, dirs_first, "folders before files"),
    OPT_FLAG('G', "no-group", struct ls, no_group, "with -l, no group"),
    LS_LETTER('h', "human-readable", 'h', "sizes like 1K 234M 2G"),
    LS_LETTER(0, "si", 'S', "the same with powers of 1000"),
    OPT_SET('H', "dereference-command-line", struct ls, deref, LS_DEREF_OPERANDS,
            "follow links among the operands"),
    OPT_SET(0, "dereference-command-line-symlink-to-dir", struct ls, deref, LS_DEREF_DIRS,
            "follow operands that are links to folders"),
    LS_VALUE(0, "hide", 'H', "PATTERN", "skip names that match PATTERN, unless -a or -A is given"),
    LS_MAYBE(0, "hyperlink", 'h', "WHEN", "make names links: always, auto or never"),
    LS_WORD(0, "indicator-style", 'i', "WORD", "none, slash (-p), file-type or classify (-F)"),
    OPT_FLAG('i', "inode", struct ls, inode, "show the inode number"),
    LS_VALUE('I', "ignore", 'I', "PATTERN", "skip names that match PATTERN"),
    OPT_FLAG('k', "kibibytes", struct ls, kibibytes, "blocks of 1024 bytes"),
    OPT_SET('l', NULL, struct ls, format, LS_LONG, "the long form"),
    OPT_SET('L', "dereference", struct ls, deref, LS_DEREF_ALWAYS, "show what links point to"),
    OPT_SET('m', NULL, struct ls, format, LS_COMMAS, "names with commas between them"),
    LS_LETTER('n', "numeric-uid-gid", 'n', "as -l with numbers of users and groups"),
    LS_LETTER('N', "literal", 'N', "names without quotes"),
    LS_LETTER('o', NULL, 'o', "as -l without group"),
    OPT_SET('p', NULL, struct ls, indicator, LS_SLASH, "put / behind folders"),
    LS_LETTER('q', "hide-control-chars", 'q', "? instead of odd characters"),
    LS_LETTER(0, "show-control-chars", 'C', "odd characters as they are"),
    LS_LETTER('Q', "quote-name", 'Q', "names in double quotes"),
    LS_WORD(0, "quoting-style", 'q', "WORD",
            "literal, locale, shell, shell-always, shell-escape, shell-escape-always, c, escape"),
    OPT_FLAG('r', "reverse", struct ls, reverse, "the other way round"),
    OPT_FLAG('R', "recursive", struct ls, recursive, "folders in folders too"),
    OPT_FLAG('s', "size", struct ls, blocks, "show the size in blocks"),
    OPT_SET('S', NULL, struct ls, sort, LS_BY_SIZE, "sort by size, the largest first"),
    LS_WORD(0, "sort", 's', "WORD",
            "sort by none (-U), size (-S), time (-t), version (-v), extension (-X) or width"),
    LS_WORD(0, "time", 't', "WORD",
            "which time: atime, access, use; ctime, status; birth, creation"),
    OPT_STRING(0, "time-style", struct ls, time_style, "STYLE",
               "full-iso, long-iso, iso, locale or +FORMAT as for date"),
    OPT_SET('t', NULL, struct ls, sort, LS_BY_TIME, "sort by time, the newest first"),
    LS_VALUE('T', "tabsize", 'T', "COLS", "tabs every COLS columns, not 8"),
    LS_LETTER('u', NULL, 'u',
              "show (-l) or sort by (-t, or without -l) the time of the last access"),
    OPT_SET('U', NULL, struct ls, sort, LS_UNSORTED, "do not sort"),
    OPT_SET('v', NULL, struct ls, sort, LS_BY_VERSION, "sort by the numbers in names"),
    LS_VALUE('w', "width", 'w', "COLS", "width of the output; 0 is no limit"),
    OPT_SET('x', NULL, struct ls, format, LS_ACROSS, "in columns, filled line by line"),
    OPT_SET('X', NULL, struct ls, sort, LS_BY_EXTENSION, "sort by extension"),
    OPT_FLAG('Z', "context", struct ls, context, "show a security context (there is none)"),
    LS_LETTER(0, "zero", 'z', "end lines with NUL, not newline"),
    LS_LETTER('1', NULL, '1', "one name per line"),
    OPT_END,
};
#undef LS_LETTER
#undef LS_WORD
#undef LS_MAYBE
#undef LS_VALUE

static void ls_defaults(struct proc *p, void *args)
{
    struct ls *l = args;
    (void)p;
    l->width = -1;
    l->tab = 8;
    l->quoting = -1;
}

/* ---- settling the options ------------------------------------------------------------------- */

static int ls_time_formats(struct ls *l)
{
    static const struct word_row styles[] = {
        {"full-iso", 0}, {"long-iso", 1}, {"iso", 2}, {"locale", 3}, {NULL, 0}};
    static const char *const recent[] = {"%Y-%m-%d %H:%M:%S.%N %z", "%Y-%m-%d %H:%M", "%m-%d %H:%M",
                                         "%b %e %H:%M"};
    static const char *const old[] = {"%Y-%m-%d %H:%M:%S.%N %z", "%Y-%m-%d %H:%M", "%Y-%m-%d ",
                                      "%b %e  %Y"};
    struct str s = l->time_style;
    int which = 3;

    if (!s.p && !proc_getenv(l->p, STR("TIME_STYLE"), &s))
        s = STR("locale");
    if (str_starts(s, STR("posix-")))
        s = STR("locale");
    if (s.n && s.p[0] == '+') {
        s = str_from(s, 1);
        ptrdiff_t nl = str_chr(s, '\n');
        l->old = str_sub(s, 0, nl < 0 ? s.n : (size_t)nl);
        l->recent = nl < 0 ? l->old : str_from(s, (size_t)nl + 1);
        if (nl >= 0 && str_chr(l->recent, '\n') >= 0) {
            proc_warn(l->p, "invalid time style format %s", proc_quote(l->p, s));
            return LS_TROUBLE;
        }
        return 0;
    }
    const struct word_row *found = NULL;
    bool many = false;
    for (const struct word_row *r = styles; r->name; r++) {
        if (!str_starts(str_z(r->name), s))
            continue;
        many |= found != NULL;
        found = r;
        if (strlen(r->name) == s.n) {
            many = false;
            break;
        }
    }
    if (!found || many) {
        proc_warn(l->p, "%s argument %s for \xe2\x80\x98time style\xe2\x80\x99",
                  many ? "ambiguous" : "invalid", proc_quote(l->p, s));
        proc_puts(l->p, 2,
                  STR("Valid arguments are:\n  - [posix-]full-iso\n  - [posix-]long-iso\n"
                      "  - [posix-]iso\n  - [posix-]locale\n"
                      "  - +FORMAT (e.g., +%H:%M) for a 'date'-style format\n"));
        return proc_usage(l->p);
    }
    which = found->value;
    l->recent = str_z(recent[which]);
    l->old = str_z(old[which]);
    return 0;
}

static void ls_line_width(struct ls *l)
{
    struct str env;
    int64_t v;
    if (l->width >= 0)
        return;
    l->width = 80;
    if (proc_getenv(l->p, STR("COLUMNS"), &env) && env.n && str_int(env, &v) == 0 && v >= 0)
        l->width = v > INT_MAX ? 0 : v;
}

static int ls_settle(struct ls *l)
{
    struct str env;
    struct human unit;

    l->tty = ls_tty(l->p);
    if (l->format == LS_UNSET)
        l->format = l->tty ? LS_COLUMNS : LS_ONE;
    if (l->quoting < 0)
        l->quoting = l->tty ? QUOTE_SHELL_ESCAPE : QUOTE_LITERAL;
    if (l->dired && (l->hyperlink || l->format != LS_LONG))
        l->dired = false;
    l->hide_control |= l->tty && !l->show_control;
    ls_line_width(l);
    if (l->format == LS_ONE || l->format == LS_LONG)
        l->width = 0;
    if (!l->human_given) {
        l->size_unit = (struct human){.unit = 1};
        l->block_unit = (struct human){.unit = 1024};
        if ((proc_getenv(l->p, STR("LS_BLOCK_SIZE"), &env) ||
             proc_getenv(l->p, STR("BLOCK_SIZE"), &env)) &&
            human_parse(env, &unit) == 0)
            l->size_unit = l->block_unit = unit;
        else if (proc_getenv(l->p, STR("POSIXLY_CORRECT"), &env) && !l->kibibytes)
            l->block_unit.unit = 512;
    }
    if (!l->sort)
        l->sort = l->time_given && l->format != LS_LONG ? LS_BY_TIME : LS_BY_NAME;
    if (l->sort == LS_UNSORTED)
        l->dirs_first = false;
    if (l->deref == LS_DEREF_UNSET)
        l->deref = l->dirs_only || l->indicator == LS_CLASSIFY || l->format == LS_LONG
                       ? LS_DEREF_NEVER
                       : LS_DEREF_DIRS;
    if (l->recursive && l->dirs_only)
        l->recursive = false;
    l->align =
        (l->quoting == QUOTE_SHELL || l->quoting == QUOTE_SHELL_ESCAPE ||
         l->quoting == QUOTE_C_MAYBE) &&
        (l->format == LS_LONG || ((l->format == LS_COLUMNS || l->format == LS_ACROSS) && l->width));
    l->need_stat = l->format == LS_LONG || l->blocks || l->sort == LS_BY_TIME ||
                   l->sort == LS_BY_SIZE || l->color || l->indicator == LS_CLASSIFY || l->context;
    l->need_type = l->indicator != LS_PLAIN || l->recursive || l->dirs_first;
    if (l->format == LS_LONG) {
        int r = ls_time_formats(l);
        if (r)
            return r;
    }
    return l->color && ls_colors_init(l) < 0 ? HOB_ENOMEM : 0;
}

/* ---- collecting ----------------------------------------------------------------------------- */

static void ls_warn(struct ls *l, const char *fmt, struct str name, int err, bool operand)
{
    if (err != HOB_EKILLED)
        proc_warn_quoted(l->p, fmt, name, err);
    l->status = MAX(l->status, operand ? LS_TROUBLE : LS_PROBLEM);
}

/* What a link points to, when the listing shows it or depends on it. */
static void ls_look_at_link(struct ls *l, struct ls_file *f, struct str path)
{
    struct stat_info to;
    if (l->format == LS_LONG) {
        buf_clear(&l->line);
        int r = vfs_readlink(l->p, path, &l->line);
        if (r == 0)
            f->target = arena_str(l->p->arena, buf_get(&l->line));
        else
            ls_warn(l, "cannot read symbolic link %s", path, r, false);
    }
    if (vfs_stat(l->p, path, 0, &to) == 0) {
        f->link_ok = true;
        f->target_mode = to.mode;
    }
}

static struct ls_file *ls_add(struct ls *l, struct str name)
{
    if (l->nfiles == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 64;
        struct ls_file *more =
            heap_realloc(&l->p->kernel->heap, l->files, l->cap * sizeof *more, cap * sizeof *more);
        if (!more)
            return NULL;
        l->files = more;
        l->cap = cap;
    }
    struct ls_file *f = &l->files[l->nfiles++];
    *f = (struct ls_file){.name = arena_str(l->p->arena, name)};
    return f;
}

/* Looks at a file as far as the options need it. False: it is not to be listed. */
static bool ls_fill(struct ls *l, struct ls_file *f, struct str path, bool operand, uint32_t type)
{
    bool follow = l->deref == LS_DEREF_ALWAYS ||
                  (operand && (l->deref == LS_DEREF_OPERANDS || l->deref == LS_DEREF_DIRS));
    int r = 0;

    f->st.mode = type;
    if (operand || l->need_stat || (l->need_type && type == 0) || l->inode ||
        (type == MODE_LINK && (l->dirs_first || (l->need_type && l->deref == LS_DEREF_ALWAYS)))) {
        r = vfs_stat(l->p, path, follow ? 0 : VFS_NOFOLLOW, &f->st);
        if (operand && l->deref == LS_DEREF_DIRS && (r < 0 || !MODE_IS_DIR(f->st.mode)))
            r = vfs_stat(l->p, path, VFS_NOFOLLOW, &f->st);
        f->known = r == 0;
    }
    if (r < 0) {
        ls_warn(l, "cannot access %s", path, r, operand);
        f->bad = true;
        f->st.mode = type;
        if (operand)
            return false;
    }
    if (MODE_IS_LINK(f->st.mode) && (l->format == LS_LONG || l->color || l->dirs_first))
        ls_look_at_link(l, f, path);
    if (l->width || l->align || l->sort == LS_BY_WIDTH)
        ls_measure(l, f);
    return true;
}

static bool ls_matches(struct ls *l, const struct strs *patterns, struct str name)
{
    for (size_t i = 0; i < patterns->n; i++) {
        struct arena_mark mark = arena_mark(l->p->arena);
        struct glob_prog *g = glob_compile(l->p->arena, patterns->p[i], GLOB_PERIOD);
        bool yes = g && glob_match(g, name);
        arena_release(l->p->arena, mark);
        if (yes)
            return true;
    }
    return false;
}

static bool ls_hidden(struct ls *l, struct str name)
{
    if (name.n && name.p[0] == '.' && !l->all && !l->almost)
        return true;
    if (l->backups_hidden && name.n && name.p[name.n - 1] == '~')
        return true;
    if (l->hide.n && !l->all && !l->almost && ls_matches(l, &l->hide, name))
        return true;
    return l->ignore.n && ls_matches(l, &l->ignore, name);
}

struct ls_lister {
    struct ls *l;
};

static int ls_entry(void *ud, const struct dir_entry *e)
{
    struct ls *l = ((struct ls_lister *)ud)->l;
    if (ls_hidden(l, e->name))
        return 0;
    struct ls_file *f = ls_add(l, e->name);
    if (!f || !f->name.p)
        return HOB_ENOMEM;
    f->st.mode = e->mode & MODE_TYPE;
    return 0;
}

/* ---- folders -------------------------------------------------------------------------------- */

static void ls_heading(struct ls *l, struct str dir, bool first)
{
    if (!first)
        ls_put(l, STR("\n"));
    if (l->dired)
        ls_put(l, STR("  "));
    uint64_t start = l->written;
    ls_put_plain(l, dir);
    if (l->dired)
        buf_printf(&l->dired2, " %llu %llu", (unsigned long long)start,
                   (unsigned long long)l->written);
    ls_put(l, STR(":\n"));
}

static int ls_folder(struct ls *l, struct str dir, bool operand, bool heading);

/* -R: the folders that were listed, in the same order. */
static int ls_below(struct ls *l, struct str dir)
{
    struct strs subs = {0};
    int r = 0;

    for (size_t i = 0; i < l->nfiles && r == 0; i++) {
        struct ls_file *f = &l->files[i];
        if (!MODE_IS_DIR(f->st.mode) || str_eqz(f->name, ".") || str_eqz(f->name, ".."))
            continue;
        if (!proc_push(l->p, &subs, f->name))
            r = HOB_ENOMEM;
    }
    for (size_t i = 0; i < subs.n && r == 0; i++) {
        struct arena_mark mark = arena_mark(l->p->arena);
        struct str path = files_join(l->p, dir, subs.p[i]);
        r = path.p ? ls_folder(l, path, false, true) : HOB_ENOMEM;
        arena_release(l->p->arena, mark);
    }
    return r;
}

static int ls_read_folder(struct ls *l, struct str dir)
{
    struct ls_lister lister = {l};
    int r = 0;

    l->nfiles = 0;
    l->some_quoted = false;
    if (l->all && !l->almost) {
        if (!ls_hidden(l, STR(".")) && !ls_add(l, STR(".")))
            r = HOB_ENOMEM;
        if (r == 0 && !ls_hidden(l, STR("..")) && !ls_add(l, STR("..")))
            r = HOB_ENOMEM;
    }
    if (r == 0)
        r = vfs_list(l->p, dir, ls_entry, &lister);
    if (r < 0)
        return r;
    for (size_t i = 0; i < l->nfiles; i++) {
        struct ls_file *f = &l->files[i];
        if (str_eqz(f->name, ".") || str_eqz(f->name, ".."))
            f->st.mode = MODE_DIR;
        bool look =
            l->need_stat || l->inode ||
            ((l->need_type || l->dirs_first) && (f->st.mode == 0 || MODE_IS_LINK(f->st.mode)));
        if (!look) {
            if (l->width || l->align || l->sort == LS_BY_WIDTH)
                ls_measure(l, f);
            continue;
        }
        struct arena_mark mark = arena_mark(l->p->arena);
        struct str path = str_eqz(dir, ".") ? f->name : files_join(l->p, dir, f->name);
        if (!path.p)
            return HOB_ENOMEM;
        ls_fill(l, f, path, false, f->st.mode);
        if (!f->target.p)
            arena_release(l->p->arena, mark);
        if (proc_tick(l->p, 1) < 0)
            return HOB_EKILLED;
    }
    return 0;
}

static int ls_folder(struct ls *l, struct str dir, bool operand, bool heading)
{
    if (task_stack_low(l->p->task)) {
        ls_warn(l, "cannot open directory %s", dir, HOB_ENAMETOOLONG, operand);
        return 0;
    }
    struct arena_mark mark = arena_mark(l->p->arena);
    int r = ls_read_folder(l, dir);
    if (r == HOB_ENOMEM || r == HOB_EKILLED)
        return r;
    if (r < 0) {
        ls_warn(l, "cannot open directory %s", dir, r, operand);
        arena_release(l->p->arena, mark);
        return 0;
    }
    if (heading)
        ls_heading(l, dir, !l->printed);
    l->printed = true;
    r = ls_order(l);
    if (r == 0) {
        if (l->format == LS_LONG || l->blocks)
            ls_print_total(l);
        ls_print_all(l, dir);
        if (l->out.err)
            r = HOB_EIO;
    }
    if (r == 0 && l->recursive)
        r = ls_below(l, dir);
    arena_release(l->p->arena, mark);
    return r == HOB_EIO ? 0 : r;
}

/* ---- operands ------------------------------------------------------------------------------- */

/* Sorts operands into files, which are listed together, and folders. */
static int ls_operands(struct ls *l, struct strs *dirs)
{
    struct proc *p = l->p;
    static const struct str here = STR_INIT(".");
    const struct str *names = p->argc ? p->argv : &here;
    int n = p->argc ? p->argc : 1, r;

    for (int i = 0; i < n; i++) {
        struct ls_file *f = ls_add(l, names[i]);
        if (!f || !f->name.p)
            return HOB_ENOMEM;
        if (!ls_fill(l, f, f->name, true, 0))
            l->nfiles--;
    }
    r = ls_order(l);
    if (r < 0)
        return r;
    if (!l->dirs_only) {
        size_t kept = 0;
        for (size_t i = 0; i < l->nfiles; i++) {
            if (MODE_IS_DIR(l->files[i].st.mode)) {
                if (!proc_push(p, dirs, l->files[i].name))
                    return HOB_ENOMEM;
            } else {
                struct ls_file f = l->files[i];
                memmove(l->files + kept + 1, l->files + kept, (i - kept) * sizeof f);
                l->files[kept++] = f;
            }
        }
        l->nall = l->nfiles; /* folders count for the width of columns */
        l->nfiles = kept;
    }
    if (l->nfiles) {
        ls_print_all(l, STR(""));
        l->printed = true;
    }
    l->nall = 0;
    return 0;
}

static int ls_list(struct ls *l)
{
    struct strs dirs = {0};
    int r = ls_operands(l, &dirs);
    bool heading = l->recursive || l->p->argc > 1;

    for (size_t i = 0; r == 0 && i < dirs.n && !l->out.err; i++)
        r = ls_folder(l, dirs.p[i], true, heading);
    return r;
}

static int ls_run(struct proc *p, void *args)
{
    struct ls *l = args;
    int r;

    l->p = p;
    l->now = sched_now(&p->kernel->sched);
    l->zone = getdate_zone(p);
    users_init(&l->users, p);
    r = ls_settle(l);
    if (r)
        return r;
    out_init(&l->out, p, 1);
    buf_init(&l->line, &p->kernel->heap);
    buf_init(&l->dired1, &p->kernel->heap);
    buf_init(&l->dired2, &p->kernel->heap);
    r = ls_list(l);
    if (l->dired && r == 0) {
        if (l->dired1.n)
            out_printf(&l->out, "//DIRED//%s\n", l->dired1.p);
        if (l->dired2.n)
            out_printf(&l->out, "//SUBDIRED//%s\n", l->dired2.p);
        out_puts(&l->out, "//DIRED-OPTIONS// --quoting-style=literal\n");
    }
    buf_fini(&l->line);
    buf_fini(&l->dired1);
    buf_fini(&l->dired2);
    heap_free(&p->kernel->heap, l->files, l->cap * sizeof *l->files);
    return command_close(p, &l->out, r < 0 ? r : l->status);
}

const struct command cmd_ls = {
    .name = "ls",
    .usage = "[OPTION]... [FILE]...",
    .summary =
        "List FILEs, and what is in those that are folders (by default the working folder).\n"
        "Names are sorted unless one of -cftuvSUX or --sort is given.",
    .notes =
        "SIZE is a number with a unit, or a unit: K, M, G, T, P, E (powers of 1024), KB, MB ...\n"
        "(powers of 1000). Exit status: 0 if all went well, 1 for small problems (a folder that\n"
        "cannot be read), 2 for serious trouble (an operand that cannot be accessed).",
    .opts = ls_opts,
    .args_size = sizeof(struct ls),
    .usage_status = LS_TROUBLE,
    .run = ls_run,
    .defaults = ls_defaults,
};

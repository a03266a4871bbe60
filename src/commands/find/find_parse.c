/* find_parse.c -- the expression of find, as a tree */
#include "base/error.h"
#include "base/utf8.h"
#include "commands/find/find.h"
#include "commands/lib/getdate.h"

static struct find_node *find_node_new(struct find *f, int kind)
{
    struct find_node *n = arena_new(f->p->arena, struct find_node);
    if (n)
        n->kind = (uint8_t)kind;
    return n;
}

static struct find_node *find_bad_argument(struct find *f, struct str arg, const char *name)
{
    proc_warn(f->p, "invalid argument `%.*s' to `%s'", STR_ARG(arg), name);
    return NULL;
}

/* The argument of the predicate `name`. */
static bool find_argument(struct find *f, const char *name, struct str *out)
{
    if (f->at >= f->argc) {
        proc_warn(f->p, "missing argument to `%s'", name);
        return false;
    }
    *out = f->argv[f->at++];
    return true;
}

/* [+-]N with an optional fraction, which counts as more. */
static bool find_number(struct str s, char *compare, int64_t *n)
{
    *compare = '\0';
    if (s.n && (s.p[0] == '+' || s.p[0] == '-')) {
        *compare = s.p[0];
        s = str_from(s, 1);
    }
    return s.n && ascii_digit(s.p[0]) && str_int(s, n) == 0;
}

/* ---- predicates ----------------------------------------------------------------------------- */

static struct find_node *find_parse_name(struct find *f, const char *name, int kind, bool icase)
{
    struct find_node *n = find_node_new(f, kind);
    if (!n || !find_argument(f, name, &n->text))
        return NULL;
    n->icase = icase;
    f->last_pattern = name;
    n->glob = glob_compile(f->p->arena, n->text, icase ? GLOB_NOCASE : 0);
    return n->glob ? n : NULL;
}

static struct find_node *find_keep(struct find *f, struct find_node *n)
{
    if (n && f->nall == COUNT(f->all)) {
        proc_warn(f->p, "too many actions");
        regex_free(n->regex);
        return NULL;
    }
    if (n)
        f->all[f->nall++] = n;
    return n;
}

static struct find_node *find_parse_regex(struct find *f, const char *name, bool icase)
{
    struct find_node *n = find_node_new(f, FIND_REGEX);
    struct hob_error err;
    if (!n || !find_argument(f, name, &n->text))
        return NULL;
    if (regex_compile(&f->p->kernel->heap, n->text,
                      f->regex_flavour | REGEX_WHOLE | (icase ? REGEX_ICASE : 0), &n->regex,
                      &err) < 0) {
        proc_warn(f->p, "failed to compile regular expression '%.*s': %s", STR_ARG(n->text),
                  err.msg);
        return NULL;
    }
    return find_keep(f, n);
}

static struct find_node *find_parse_type(struct find *f, const char *name, int kind)
{
    static const char letters[] = "pcdbfls";
    static const uint8_t bits[] = {1, 2, 4, 6, 8, 10, 12};
    struct find_node *n = find_node_new(f, kind);
    struct str s;

    if (!n || !find_argument(f, name, &s))
        return NULL;
    if (s.n == 0) {
        proc_warn(f->p, "Arguments to %s should contain at least one letter", name);
        return NULL;
    }
    for (size_t i = 0; i < s.n; i++) {
        const char *at = s.p[i] ? strchr(letters, s.p[i]) : NULL;
        if (!at) {
            proc_warn(f->p, "Unknown argument to %s: %c", name, s.p[i]);
            return NULL;
        }
        n->types |= 1u << bits[at - letters];
        if (i + 1 < s.n && s.p[++i] != ',') {
            proc_warn(f->p, "Must separate multiple arguments to %s using: ','", name);
            return NULL;
        }
    }
    return n;
}

static struct find_node *find_parse_size(struct find *f)
{
    struct find_node *n = find_node_new(f, FIND_SIZE);
    static const char letters[] = "bcwkMG";
    static const uint64_t units[] = {512, 1, 2, 1024, 1048576, 1073741824};
    struct str s;

    if (!n || !find_argument(f, "-size", &s))
        return NULL;
    if (s.n == 0) {
        proc_warn(f->p, "invalid null argument to -size");
        return NULL;
    }
    char last = s.p[s.n - 1];
    n->unit = 512;
    struct str num = s;
    if (!ascii_digit(last)) {
        const char *at = last ? strchr(letters, last) : NULL;
        if (!at) {
            proc_warn(f->p, "invalid -size type `%c'", last);
            return NULL;
        }
        n->unit = units[at - letters];
        num.n--;
    }
    if (!find_number(num, &n->compare, &n->n)) {
        proc_warn(f->p, "Invalid argument `%.*s' to -size", STR_ARG(s));
        return NULL;
    }
    return n;
}

static struct find_node *find_parse_perm(struct find *f)
{
    struct find_node *n = find_node_new(f, FIND_PERM);
    struct mode_change change;
    struct str s, mode;

    if (!n || !find_argument(f, "-perm", &s))
        return NULL;
    mode = s;
    if (s.n && (s.p[0] == '-' || s.p[0] == '/')) {
        n->compare = s.p[0];
        mode = str_from(s, 1);
    }
    if (mode_parse(f->p, mode, &change) < 0) {
        proc_warn(f->p, "invalid mode %s", proc_quote(f->p, s));
        return NULL;
    }
    n->perm[0] = mode_apply(&change, 0, false, 0);
    n->perm[1] = mode_apply(&change, 0, true, 0);
    return n;
}

static struct find_node *find_parse_number(struct find *f, const char *name, int kind)
{
    struct find_node *n = find_node_new(f, kind);
    struct str s;
    if (!n || !find_argument(f, name, &s))
        return NULL;
    return find_number(s, &n->compare, &n->n) ? n : find_bad_argument(f, s, name);
}

/* -mtime, -amin ... : kind by the unit, the letter of the time is the first one. */
static struct find_node *find_parse_age(struct find *f, const char *name, bool days)
{
    struct find_node *n = find_node_new(f, days ? FIND_AGE_DAYS : FIND_AGE_MINUTES);
    struct str s, num;
    if (!n || !find_argument(f, name, &s))
        return NULL;
    num = s;
    n->time = name[1];
    if (num.n && (num.p[0] == '+' || num.p[0] == '-')) {
        n->compare = num.p[0];
        num = str_from(num, 1);
    }
    /* Fractions are kept: n is in nanoseconds. */
    int64_t unit = days ? INT64_C(86400000000000) : INT64_C(60000000000), whole = 0, part = 0;
    ptrdiff_t dot = str_chr(num, '.');
    struct str front = str_sub(num, 0, dot < 0 ? num.n : (size_t)dot);
    if ((front.n == 0 && dot < 0) || (front.n && (str_int(front, &whole) < 0 || whole < 0)) ||
        whole > 100000000)
        return find_bad_argument(f, s, name);
    int64_t scale = unit;
    for (size_t i = dot < 0 ? num.n : (size_t)dot + 1; i < num.n; i++) {
        if (!ascii_digit(num.p[i]))
            return find_bad_argument(f, s, name);
        scale /= 10;
        part += scale * (num.p[i] - '0');
    }
    n->n = MIN(whole, INT64_MAX / unit - 1) * unit + part;
    return n;
}

static struct find_node *find_parse_newer(struct find *f, const char *name, char x, char y)
{
    struct find_node *n = find_node_new(f, FIND_NEWER);
    struct str s;
    if (!n || !find_argument(f, name, &s))
        return NULL;
    n->time = x;
    if (y == 't') {
        if (getdate_parse(s, f->now, &f->zone, &n->when) < 0) {
            proc_warn(f->p, "I cannot figure out how to interpret %s as a date or time",
                      proc_quote(f->p, s));
            return NULL;
        }
        return n;
    }
    struct stat_info st;
    int err = vfs_stat(f->p, s, f->links == 'P' ? VFS_NOFOLLOW : 0, &st);
    if (err < 0) {
        find_warn(f, s, err);
        return NULL;
    }
    n->when = find_time(&st, y);
    return n;
}

static struct find_node *find_parse_owner(struct find *f, const char *name, bool group)
{
    struct find_node *n = find_node_new(f, group ? FIND_GROUP : FIND_USER);
    struct str s;
    uint32_t id;
    if (!n || !find_argument(f, name, &s))
        return NULL;
    if (group ? users_find_group(&f->users, s, &id) : users_find(&f->users, s, &id, NULL)) {
        n->n = id;
        return n;
    }
    if (s.n && ascii_digit(s.p[0]) && str_int(s, &n->n) == 0)
        return n;
    if (s.n == 0)
        proc_warn(f->p, "The argument to -%s should not be empty", group ? "group" : "user");
    else if (group)
        proc_warn(f->p, "%s is not the name of an existing group", proc_quote(f->p, s));
    else
        proc_warn(f->p, "%s is not the name of a known user", proc_quote(f->p, s));
    return NULL;
}

static struct find_node *find_parse_samefile(struct find *f)
{
    struct find_node *n = find_node_new(f, FIND_SAMEFILE);
    struct stat_info st;
    struct str s;
    if (!n || !find_argument(f, "-samefile", &s))
        return NULL;
    int err = vfs_stat(f->p, s, f->links == 'P' ? VFS_NOFOLLOW : 0, &st);
    if (err < 0) {
        find_warn(f, s, err);
        return NULL;
    }
    n->dev = st.dev;
    n->ino = st.ino;
    return n;
}

/* ---- actions -------------------------------------------------------------------------------- */

static struct find_sink *find_open_sink(struct find *f, struct str name)
{
    for (struct find_sink *s = f->sinks; s; s = s->next) {
        if (str_eq(s->name, name))
            return s;
    }
    struct find_sink *s = arena_new(f->p->arena, struct find_sink);
    if (!s)
        return NULL;
    int err = vfs_open(f->p, name, FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0666, &s->file);
    if (err < 0) {
        find_warn(f, name, err);
        return NULL;
    }
    s->name = name;
    out_init_file(&s->out, f->p, s->file);
    s->next = f->sinks;
    f->sinks = s;
    return s;
}

/* `file`: the predicate that names a file, or NULL for stdout. */
static struct find_node *find_parse_print(struct find *f, int kind, const char *file)
{
    struct find_node *n = find_node_new(f, kind);
    struct str name;
    if (!n)
        return NULL;
    f->has_action = true;
    n->sink = f->std;
    if (file && (!find_argument(f, file, &name) || !(n->sink = find_open_sink(f, name))))
        return NULL;
    if (kind == FIND_PRINTF && !find_argument(f, file ? file : "-printf", &n->text))
        return NULL;
    return n;
}

static struct find_node *find_parse_exec(struct find *f, const char *name, bool dir, bool ask)
{
    struct find_node *n = find_node_new(f, FIND_EXEC);
    int start = f->at, braces = 0;

    if (!n)
        return NULL;
    f->has_action = true;
    n->dir = dir;
    n->ask = ask;
    for (;; f->at++) {
        if (f->at >= f->argc) {
            proc_warn(f->p, "missing argument to `%s'", name);
            return NULL;
        }
        struct str w = f->argv[f->at];
        if (str_eqz(w, ";"))
            break;
        if (!ask && str_eqz(w, "+") && f->at > start && str_eqz(f->argv[f->at - 1], "{}")) {
            n->plus = true;
            break;
        }
        braces += str_find(w, STR("{}")) >= 0;
    }
    n->argv = f->argv + start;
    n->argc = f->at++ - start;
    if (n->argc == 0) {
        proc_warn(f->p, "invalid argument `;' to `%s'", name);
        return NULL;
    }
    if (n->plus && braces > 1) {
        proc_warn(f->p, "Only one instance of {} is supported with %s ... +", name);
        return NULL;
    }
    if (n->plus)
        n->argc--; /* the {} itself */
    return find_keep(f, n);
}

/* ---- options within the expression ---------------------------------------------------------- */

static bool find_parse_depth(struct find *f, const char *name, int64_t *out)
{
    struct str s;
    if (!find_argument(f, name, &s))
        return false;
    if (!s.n || !ascii_digit(s.p[0]) || str_int(s, out) < 0) {
        proc_warn(f->p, "Expected a positive decimal integer argument to %s, but got %s", name,
                  proc_quote(f->p, s));
        return false;
    }
    return true;
}

static bool find_parse_regextype(struct find *f)
{
    static const struct {
        const char *name;
        unsigned flavour;
    } types[] = {{"findutils-default", REGEX_EMACS},
                 {"ed", REGEX_BRE},
                 {"emacs", REGEX_EMACS},
                 {"gnu-awk", REGEX_AWK_GNU},
                 {"grep", REGEX_GREP},
                 {"posix-awk", REGEX_AWK_POSIX},
                 {"awk", REGEX_AWK_OLD},
                 {"posix-basic", REGEX_BRE},
                 {"posix-egrep", REGEX_EGREP},
                 {"egrep", REGEX_EGREP},
                 {"posix-extended", REGEX_ERE},
                 {"posix-minimal-basic", REGEX_BRE_MINIMAL},
                 {"sed", REGEX_BRE}};
    struct str s;
    if (!find_argument(f, "-regextype", &s))
        return false;
    for (size_t i = 0; i < COUNT(types); i++) {
        if (str_eqz(s, types[i].name)) {
            f->regex_flavour = types[i].flavour;
            return true;
        }
    }
    struct buf b;
    buf_init(&b, &f->p->kernel->heap);
    for (size_t i = 0; i < COUNT(types); i++)
        buf_printf(&b, "%s%s", i ? ", " : "", proc_quote(f->p, str_z(types[i].name)));
    proc_warn(f->p, "Unknown regular expression type %s; valid types are %s.", proc_quote(f->p, s),
              buf_get(&b).p);
    buf_fini(&b);
    return false;
}

/* Words that only set something. 1 it was one, 0 not, -1 reported. */
static int find_parse_option(struct find *f, struct str w)
{
    if (str_eqz(w, "-depth") || str_eqz(w, "-d"))
        f->depth_first = true;
    else if (str_eqz(w, "-maxdepth"))
        return find_parse_depth(f, "-maxdepth", &f->max_depth) ? 1 : -1;
    else if (str_eqz(w, "-mindepth"))
        return find_parse_depth(f, "-mindepth", &f->min_depth) ? 1 : -1;
    else if (str_eqz(w, "-mount") || str_eqz(w, "-xdev"))
        f->one_fs = true;
    else if (str_eqz(w, "-follow"))
        f->links = 'L';
    else if (str_eqz(w, "-regextype"))
        return find_parse_regextype(f) ? 1 : -1;
    else if (str_eqz(w, "-daystart")) {
        struct date d;
        int64_t midnight;
        date_from_epoch(f->now / 1000000000, 0, &f->zone, &d);
        d.hour = d.minute = d.second = 0;
        if (date_to_epoch(&d, &f->zone, &midnight) == 0)
            f->origin = (midnight + 86400) * 1000000000;
    } else if (!str_eqz(w, "-noleaf") && !str_eqz(w, "-warn") && !str_eqz(w, "-nowarn") &&
               !str_eqz(w, "-ignore_readdir_race") && !str_eqz(w, "-noignore_readdir_race"))
        return 0;
    return 1;
}

enum find_form {
    F_PLAIN,
    F_NAME,
    F_INAME,
    F_REGEX,
    F_IREGEX,
    F_TYPE,
    F_SIZE,
    F_PERM,
    F_NUMBER,
    F_DAYS,
    F_MINUTES,
    F_NEWER,
    F_OWNER,
    F_SAME,
    F_PRINT,
    F_FPRINT,
    F_EXEC,
    F_TEXT
};

struct find_word {
    const char *name;
    uint8_t form, kind, arg;
};

static const struct find_word find_words[] = {
    {"-true", F_PLAIN, FIND_TRUE, 0},
    {"-false", F_PLAIN, FIND_FALSE, 0},
    {"-empty", F_PLAIN, FIND_EMPTY, 0},
    {"-nouser", F_PLAIN, FIND_NOUSER, 0},
    {"-nogroup", F_PLAIN, FIND_NOGROUP, 0},
    {"-prune", F_PLAIN, FIND_PRUNE, 0},
    {"-quit", F_PLAIN, FIND_QUIT, 0},
    {"-delete", F_PLAIN, FIND_DELETE, 0},
    {"-readable", F_PLAIN, FIND_ACCESS, 4},
    {"-writable", F_PLAIN, FIND_ACCESS, 2},
    {"-executable", F_PLAIN, FIND_ACCESS, 1},
    {"-name", F_NAME, FIND_NAME, 0},
    {"-iname", F_INAME, FIND_NAME, 0},
    {"-path", F_NAME, FIND_PATH, 0},
    {"-wholename", F_NAME, FIND_PATH, 0},
    {"-ipath", F_INAME, FIND_PATH, 0},
    {"-iwholename", F_INAME, FIND_PATH, 0},
    {"-lname", F_NAME, FIND_LNAME, 0},
    {"-ilname", F_INAME, FIND_LNAME, 0},
    {"-regex", F_REGEX, 0, 0},
    {"-iregex", F_IREGEX, 0, 0},
    {"-type", F_TYPE, FIND_TYPE, 0},
    {"-xtype", F_TYPE, FIND_XTYPE, 0},
    {"-size", F_SIZE, 0, 0},
    {"-perm", F_PERM, 0, 0},
    {"-links", F_NUMBER, FIND_LINKS, 0},
    {"-inum", F_NUMBER, FIND_INUM, 0},
    {"-uid", F_NUMBER, FIND_USER, 0},
    {"-gid", F_NUMBER, FIND_GROUP, 0},
    {"-used", F_NUMBER, FIND_USED, 0},
    {"-atime", F_DAYS, 0, 0},
    {"-ctime", F_DAYS, 0, 0},
    {"-mtime", F_DAYS, 0, 0},
    {"-amin", F_MINUTES, 0, 0},
    {"-cmin", F_MINUTES, 0, 0},
    {"-mmin", F_MINUTES, 0, 0},
    {"-newer", F_NEWER, 'm', 'm'},
    {"-anewer", F_NEWER, 'a', 'm'},
    {"-cnewer", F_NEWER, 'c', 'm'},
    {"-user", F_OWNER, 0, 0},
    {"-group", F_OWNER, 1, 0},
    {"-samefile", F_SAME, 0, 0},
    {"-fstype", F_TEXT, FIND_FSTYPE, 0},
    {"-print", F_PRINT, FIND_PRINT, 0},
    {"-print0", F_PRINT, FIND_PRINT0, 0},
    {"-printf", F_PRINT, FIND_PRINTF, 0},
    {"-ls", F_PRINT, FIND_LS, 0},
    {"-fprint", F_FPRINT, FIND_PRINT, 0},
    {"-fprint0", F_FPRINT, FIND_PRINT0, 0},
    {"-fprintf", F_FPRINT, FIND_PRINTF, 0},
    {"-fls", F_FPRINT, FIND_LS, 0},
    {"-exec", F_EXEC, 0, 0},
    {"-execdir", F_EXEC, 1, 0},
    {"-ok", F_EXEC, 0, 1},
    {"-okdir", F_EXEC, 1, 1},
};

static struct find_node *find_parse_word(struct find *f, const struct find_word *w)
{
    struct find_node *n;
    switch (w->form) {
    case F_NAME:
    case F_INAME: return find_parse_name(f, w->name, w->kind, w->form == F_INAME);
    case F_REGEX:
    case F_IREGEX: return find_parse_regex(f, w->name, w->form == F_IREGEX);
    case F_TYPE: return find_parse_type(f, w->name, w->kind);
    case F_SIZE: return find_parse_size(f);
    case F_PERM: return find_parse_perm(f);
    case F_NUMBER: return find_parse_number(f, w->name, w->kind);
    case F_DAYS:
    case F_MINUTES: return find_parse_age(f, w->name, w->form == F_DAYS);
    case F_NEWER: return find_parse_newer(f, w->name, (char)w->kind, (char)w->arg);
    case F_OWNER: return find_parse_owner(f, w->name, w->kind);
    case F_SAME: return find_parse_samefile(f);
    case F_PRINT:
    case F_FPRINT: return find_parse_print(f, w->kind, w->form == F_FPRINT ? w->name : NULL);
    case F_EXEC: return find_parse_exec(f, w->name, w->kind, w->arg);
    default: break;
    }
    n = find_node_new(f, w->kind);
    if (!n || (w->form == F_TEXT && !find_argument(f, w->name, &n->text)))
        return NULL;
    n->n = w->arg;
    if (w->kind == FIND_DELETE)
        f->depth_first = f->has_action = true;
    return n;
}

static struct find_node *find_parse_primary(struct find *f)
{
    struct str w = f->argv[f->at++];

    for (size_t i = 0; i < COUNT(find_words); i++) {
        if (str_eqz(w, find_words[i].name))
            return find_parse_word(f, &find_words[i]);
    }
    if (str_starts(w, STR("-newer")) && w.n == 8) {
        char x = w.p[6], y = w.p[7];
        if (strchr("aBcm", x) && strchr("aBcmt", y))
            return find_parse_newer(f, w.p, x, y);
        proc_warn(f->p, "invalid predicate `%.*s'", STR_ARG(w));
        return NULL;
    }
    int r = find_parse_option(f, w);
    if (r > 0)
        return find_node_new(f, FIND_TRUE);
    if (r == 0 && w.n && w.p[0] == '-')
        proc_warn(f->p, "unknown predicate `%.*s'", STR_ARG(w));
    else if (r == 0) {
        struct stat_info st;
        proc_warn(f->p, "paths must precede expression: `%.*s'", STR_ARG(w));
        if (f->last_pattern && vfs_stat(f->p, w, 0, &st) == 0)
            proc_warn(f->p, "possible unquoted pattern after predicate `%s'?", f->last_pattern);
    }
    return NULL;
}

/* ---- operators ------------------------------------------------------------------------------ */

static struct find_node *find_parse_list(struct find *f, int depth);

static bool find_is(const struct find *f, const char *a, const char *b)
{
    if (f->at >= f->argc)
        return false;
    return str_eqz(f->argv[f->at], a) || (b && str_eqz(f->argv[f->at], b));
}

static bool find_binary(const struct find *f)
{
    return find_is(f, "-o", "-or") || find_is(f, "-a", "-and") || find_is(f, ",", NULL);
}

static struct find_node *find_parse_unary(struct find *f, int depth)
{
    if (find_binary(f)) {
        proc_warn(f->p,
                  "invalid expression; you have used a binary operator '%.*s' with nothing "
                  "before it.",
                  STR_ARG(f->argv[f->at]));
        return NULL;
    }
    if (find_is(f, "!", "-not")) {
        struct str op = f->argv[f->at++];
        if (f->at >= f->argc) {
            proc_warn(f->p, "expected an expression after '%.*s'", STR_ARG(op));
            return NULL;
        }
        struct find_node *n = find_node_new(f, FIND_NOT);
        if (!n || depth > 200 || !(n->left = find_parse_unary(f, depth + 1)))
            return NULL;
        return n;
    }
    if (find_is(f, ")", NULL)) {
        proc_warn(f->p, depth ? "invalid expression; empty parentheses are not allowed."
                              : "invalid expression; you have too many ')'");
        return NULL;
    }
    if (!find_is(f, "(", NULL))
        return find_parse_primary(f);
    f->at++;
    if (f->at >= f->argc || depth > 200) {
        proc_warn(f->p, "invalid expression; expected to find a ')' but didn't see one. Perhaps "
                        "you need an extra predicate after '('");
        return NULL;
    }
    struct find_node *n = find_parse_list(f, depth + 1);
    if (!n)
        return NULL;
    if (!find_is(f, ")", NULL)) {
        proc_warn(f->p, "invalid expression; I was expecting to find a ')' somewhere but did not "
                        "see one.");
        return NULL;
    }
    f->at++;
    return n;
}

static struct find_node *find_join(struct find *f, int kind, struct find_node *a,
                                   struct find_node *b)
{
    struct find_node *n = a && b ? find_node_new(f, kind) : NULL;
    if (n) {
        n->left = a;
        n->right = b;
    }
    return n;
}

/* An operator that nothing follows. */
static bool find_dangling(struct find *f, struct str op)
{
    if (f->at < f->argc && !find_is(f, ")", NULL))
        return false;
    proc_warn(f->p, "expected an expression after '%.*s'", STR_ARG(op));
    return true;
}

static struct find_node *find_parse_and(struct find *f, int depth)
{
    struct find_node *n = find_parse_unary(f, depth);
    while (n && f->at < f->argc && !find_is(f, ")", NULL) && !find_is(f, "-o", "-or") &&
           !find_is(f, ",", NULL)) {
        if (find_is(f, "-a", "-and") && find_dangling(f, f->argv[f->at++]))
            return NULL;
        n = find_join(f, FIND_AND, n, find_parse_unary(f, depth));
    }
    return n;
}

static struct find_node *find_parse_or(struct find *f, int depth)
{
    struct find_node *n = find_parse_and(f, depth);
    while (n && find_is(f, "-o", "-or")) {
        if (find_dangling(f, f->argv[f->at++]))
            return NULL;
        n = find_join(f, FIND_OR, n, find_parse_and(f, depth));
    }
    return n;
}

static struct find_node *find_parse_list(struct find *f, int depth)
{
    struct find_node *n = find_parse_or(f, depth);
    while (n && find_is(f, ",", NULL)) {
        if (find_dangling(f, f->argv[f->at++]))
            return NULL;
        n = find_join(f, FIND_COMMA, n, find_parse_or(f, depth));
    }
    return n;
}

int find_parse(struct find *f)
{
    struct find_node *print = find_node_new(f, FIND_PRINT);

    if (!print)
        return HOB_ENOMEM;
    print->sink = f->std;
    if (f->at < f->argc) {
        f->root = find_parse_list(f, 0);
        if (f->root && f->at < f->argc) {
            proc_warn(f->p, "you have too many ')'");
            f->root = NULL;
        }
        if (!f->root)
            return f->p->kernel->heap.oom ? HOB_ENOMEM : 1;
    }
    if (!f->has_action)
        f->root = f->root ? find_join(f, FIND_AND, f->root, print) : print;
    return f->root ? 0 : HOB_ENOMEM;
}

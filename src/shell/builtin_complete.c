/* builtin_complete.c -- complete, compgen, compopt
 *
 * Specifications are kept and listed as bash does, and compgen generates from them: scripts use it
 * to list files, variables, functions, or words with a prefix. There is no line editor that would
 * ask for completions by itself.
 */
#include "base/utf8.h"
#include "shell/builtin_control.h"
#include "shell/expand_impl.h"
#include "shell/inner.h"
#include "text/glob.h"
#include "vfs/vfs.h"

enum complete_text { /* texts of a specification */
    COMPLETE_NAME,
    COMPLETE_GLOB,
    COMPLETE_WORDS,
    COMPLETE_PREFIX,
    COMPLETE_SUFFIX,
    COMPLETE_FILTER,
    COMPLETE_COMMAND,
    COMPLETE_FUNCTION,
    COMPLETE_TEXTS
};

static const struct {
    const char *name;
    char letter; /* 0: -A name only */
} complete_actions[] = {
    {"alias", 'a'},     {"arrayvar", 0}, {"binding", 0},   {"builtin", 'b'},  {"command", 'c'},
    {"directory", 'd'}, {"disabled", 0}, {"enabled", 0},   {"export", 'e'},   {"file", 'f'},
    {"function", 0},    {"group", 'g'},  {"helptopic", 0}, {"hostname", 0},   {"job", 'j'},
    {"keyword", 'k'},   {"running", 0},  {"service", 's'}, {"setopt", 0},     {"shopt", 0},
    {"signal", 0},      {"stopped", 0},  {"user", 'u'},    {"variable", 'v'},
};
enum complete_action {
    COMPLETE_ALIAS,
    COMPLETE_ARRAYVAR,
    COMPLETE_BINDING,
    COMPLETE_BUILTIN,
    COMPLETE_CMD,
    COMPLETE_DIRECTORY,
    COMPLETE_DISABLED,
    COMPLETE_ENABLED,
    COMPLETE_EXPORT,
    COMPLETE_FILE,
    COMPLETE_FUNC,
    COMPLETE_GROUP,
    COMPLETE_HELPTOPIC,
    COMPLETE_HOSTNAME,
    COMPLETE_JOB,
    COMPLETE_KEYWORD,
    COMPLETE_RUNNING,
    COMPLETE_SERVICE,
    COMPLETE_SETOPT,
    COMPLETE_SHOPT,
    COMPLETE_SIGNAL,
    COMPLETE_STOPPED,
    COMPLETE_USER,
    COMPLETE_VARIABLE
};

static const char *const complete_options[] = {"bashdefault", "default", "dirnames", "filenames",
                                               "noquote",     "nosort",  "nospace",  "plusdirs"};
enum {
    COMPLETE_BASHDEFAULT = 1,
    COMPLETE_DEFAULT = 2,
    COMPLETE_DIRNAMES = 4,
    COMPLETE_PLUSDIRS = 128
};

/* A specification while it is built from options. */
struct complete_spec {
    uint32_t actions, options;
    struct str text[COMPLETE_TEXTS]; /* p NULL: not given */
};

/* One that is kept: its texts in one block. */
struct complete_entry {
    struct params *text;
    uint32_t actions, options, has; /* has: a bit for each text that was given */
};

struct complete {
    unsigned refs;
    struct complete_entry *p;
    size_t n, cap;
};

/* ---- keeping --------------------------------------------------------------------------------- */

void complete_fork(struct shell *child)
{
    if (child->completions)
        child->completions->refs++;
}

void complete_fini(struct shell *sh)
{
    struct complete *c = sh->completions;
    sh->completions = NULL;
    if (!c || --c->refs)
        return;
    for (size_t i = 0; i < c->n; i++)
        params_unref(sh, c->p[i].text);
    vec_fini(sh->heap, c);
    heap_drop(sh->heap, c);
}

static struct complete *complete_own(struct shell *sh)
{
    struct complete *old = sh->completions;
    if (old && old->refs == 1)
        return old;
    struct complete *c = heap_new(sh->heap, struct complete);
    if (!c)
        return NULL;
    c->refs = 1;
    if (old && !vec_reserve(sh->heap, c, old->n)) {
        heap_drop(sh->heap, c);
        return NULL;
    }
    for (size_t i = 0; old && i < old->n; i++) {
        c->p[c->n++] = old->p[i];
        old->p[i].text->refs++;
    }
    if (old)
        old->refs--;
    sh->completions = c;
    return c;
}

static struct complete_entry *complete_find(struct shell *sh, struct str name)
{
    struct complete *c = sh->completions;
    for (size_t i = 0; c && i < c->n; i++)
        if (str_eq(c->p[i].text->p[COMPLETE_NAME], name))
            return &c->p[i];
    return NULL;
}

/* The place among bash's 512 buckets: `complete -p` lists by it. */
static uint32_t complete_bucket(const struct complete_entry *e)
{
    return assoc_hash(e->text->p[COMPLETE_NAME]) & 511;
}

static int complete_put(struct shell *sh, struct str name, const struct complete_spec *s)
{
    struct complete *c = complete_own(sh);
    struct str texts[COMPLETE_TEXTS];
    struct complete_entry e = {.actions = s->actions, .options = s->options};
    for (int i = 0; i < COMPLETE_TEXTS; i++) {
        texts[i] = s->text[i].p ? s->text[i] : STR("");
        e.has |= (uint32_t)(s->text[i].p != NULL) << i;
    }
    texts[COMPLETE_NAME] = name;
    e.text = c ? params_new(sh, texts, COMPLETE_TEXTS) : NULL;
    if (!e.text)
        return 1;
    struct complete_entry *old = complete_find(sh, name);
    if (old) {
        params_unref(sh, old->text);
        *old = e;
        return 0;
    }
    size_t at = 0;
    while (at < c->n && complete_bucket(&c->p[at]) < complete_bucket(&e))
        at++;
    if (!vec_push(sh->heap, c, e)) {
        params_unref(sh, e.text);
        return 1;
    }
    memmove(c->p + at + 1, c->p + at, (c->n - 1 - at) * sizeof *c->p);
    c->p[at] = e;
    return 0;
}

static bool complete_remove(struct shell *sh, struct str name)
{
    struct complete *c = complete_find(sh, name) ? complete_own(sh) : NULL;
    struct complete_entry *e = c ? complete_find(sh, name) : NULL;
    if (!e)
        return false;
    size_t i = (size_t)(e - c->p);
    params_unref(sh, e->text);
    memmove(c->p + i, c->p + i + 1, (c->n - i - 1) * sizeof *c->p);
    c->n--;
    return true;
}

/* ---- options --------------------------------------------------------------------------------- */

static const struct str complete_special[3] = {STR_INIT("_DefaultCmD_"), STR_INIT("_EmptycmD_"),
                                               STR_INIT("_InitialWorD_")};

static bool complete_option(struct shell *sh, struct str name, uint32_t *bit)
{
    for (size_t i = 0; i < COUNT(complete_options); i++)
        if (str_eqz(name, complete_options[i])) {
            *bit = 1u << i;
            return true;
        }
    shell_builtin_error(sh, "%.*s: invalid option name", STR_ARG(name));
    return false;
}

struct complete_args {
    struct complete_spec spec;
    bool print, remove, special[3];
};

/* One option letter: 0, or the status to end with. */
static int complete_letter(struct shell *sh, struct complete_args *a, int c, struct str arg)
{
    static const char texts[] = "?GWPSXCF";
    uint32_t bit = 0;
    switch (c) {
    case 'p': a->print = true; return 0;
    case 'r': a->remove = true; return 0;
    case 'D': a->special[0] = true; return 0;
    case 'E': a->special[1] = true; return 0;
    case 'I': a->special[2] = true; return 0;
    case 'o':
        if (!complete_option(sh, arg, &bit))
            return 2;
        a->spec.options |= bit;
        return 0;
    case 'A':
        for (size_t i = 0; i < COUNT(complete_actions); i++)
            if (str_eqz(arg, complete_actions[i].name))
                bit = 1u << i;
        if (!bit) {
            shell_builtin_error(sh, "%.*s: invalid action name", STR_ARG(arg));
            return 2;
        }
        a->spec.actions |= bit;
        return 0;
    case '?': return builtin_usage(sh);
    default: break;
    }
    const char *at = strchr(texts, c);
    if (at) {
        a->spec.text[at - texts] = arg;
        ptrdiff_t odd = c == 'F' ? 0 : -1;
        for (; odd >= 0 && (size_t)odd < arg.n; odd++)
            if (strchr(" \t\n()<>;&|\"'\\", arg.p[odd]))
                break;
        if (odd >= 0 && (size_t)odd < arg.n) {
            shell_builtin_error(sh, "`%.*s': not a valid identifier", STR_ARG(arg));
            return 2;
        }
        return 0;
    }
    for (size_t i = 0; i < COUNT(complete_actions); i++)
        if (complete_actions[i].letter == c)
            a->spec.actions |= 1u << i;
    return 0;
}

static int complete_parse(struct shell *sh, struct complete_args *a, struct getopt_state *g,
                          struct str *argv, int argc, const char *spec)
{
    int c, r = 0;
    while (r == 0 && (c = builtin_getopt(sh, g, argv, argc, spec)) != -1)
        r = complete_letter(sh, a, c, g->arg);
    return r;
}

/* ---- complete -------------------------------------------------------------------------------- */

static void complete_print(struct buf *b, const struct complete_entry *e)
{
    static const char letters[] = "?GWPSXCF";
    struct str name = e->text->p[COMPLETE_NAME];
    buf_addz(b, "complete ");
    for (size_t i = 0; i < COUNT(complete_options); i++)
        if (e->options & 1u << i)
            buf_printf(b, "-o %s ", complete_options[i]);
    for (size_t i = 0; i < COUNT(complete_actions); i++)
        if ((e->actions & 1u << i) && complete_actions[i].letter)
            buf_printf(b, "-%c ", complete_actions[i].letter);
    for (size_t i = 0; i < COUNT(complete_actions); i++)
        if ((e->actions & 1u << i) && !complete_actions[i].letter)
            buf_printf(b, "-A %s ", complete_actions[i].name);
    for (int i = COMPLETE_GLOB; i < COMPLETE_TEXTS; i++) {
        if (!(e->has & 1u << i))
            continue;
        buf_printf(b, "-%c ", letters[i]);
        if (i == COMPLETE_FUNCTION)
            buf_str(b, e->text->p[i]);
        else
            expand_quote_single(b, e->text->p[i]);
        buf_putc(b, ' ');
    }
    for (int i = 0; i < 3; i++)
        if (str_eq(name, complete_special[i])) {
            buf_printf(b, "-%c\n", "DEI"[i]);
            return;
        }
    if (name.n)
        buf_str(b, name);
    else
        buf_addz(b, "''");
    buf_putc(b, '\n');
}

static int complete_missing(struct shell *sh, struct str name)
{
    shell_builtin_error(sh, "%.*s: no completion specification", STR_ARG(name));
    return 1;
}

/* Prints, removes or sets one name. */
static int complete_one(struct shell *sh, struct complete_args *a, struct str name)
{
    if (a->remove)
        return complete_remove(sh, name) ? 0 : complete_missing(sh, name);
    if (!a->print)
        return complete_put(sh, name, &a->spec);
    struct complete_entry *e = complete_find(sh, name);
    struct buf b;
    if (!e)
        return complete_missing(sh, name);
    buf_init(&b, sh->heap);
    complete_print(&b, e);
    return builtin_print(sh, &b, 0);
}

static int complete_run(struct shell *sh, struct str *argv, int argc)
{
    struct complete_args a = {.print = false};
    struct getopt_state g = {.at = 1};
    int status = 0,
        r = complete_parse(sh, &a, &g, argv, argc, "abcdefgjko:prsuvA:G:W:P:S:X:F:C:DEI");
    bool special = a.special[0] || a.special[1] || a.special[2];
    if (r)
        return r;
    if (g.at >= argc && !special) {
        struct buf b;
        if (a.remove) {
            complete_fini(sh);
            return 0;
        }
        if (!a.print && g.at > 1)
            return builtin_usage(sh);
        buf_init(&b, sh->heap);
        for (size_t i = 0; sh->completions && i < sh->completions->n; i++)
            complete_print(&b, &sh->completions->p[i]);
        return builtin_print(sh, &b, 0);
    }
    if (special) {
        for (int i = 0; i < 3; i++)
            if (a.special[i])
                status |= complete_one(sh, &a, complete_special[i]);
        return status;
    }
    for (int i = g.at; i < argc; i++)
        status |= complete_one(sh, &a, argv[i]);
    return status;
}

const struct builtin builtin_complete = {
    .name = "complete",
    .run = complete_run,
    .usage = "complete [-abcdefgjksuv] [-pr] [-DEI] [-o option] [-A action] [-G globpat] [-W "
             "wordlist] [-F function] [-C command] [-X filterpat] [-P prefix] [-S suffix] "
             "[name ...]",
    .summary = "Say how the arguments of commands are completed.\n"
               "\n"
               "Options:\n"
               "  -p\tprint what is set\n"
               "  -r\tremove it, all of it without a NAME\n"
               "  -D\tfor commands that have nothing set\n"
               "  -E\tfor an empty line\n"
               "  -I\tfor the first word\n"
               "The others are those of `compgen'.\n"
               "\n"
               "Exit Status:\n"
               "Zero unless an option is wrong or NAME has nothing set.",
};

/* ---- generating ------------------------------------------------------------------------------ */

struct compgen {
    struct shell *sh;
    struct str word;
    struct strs found; /* texts on the arena */
};

static int compgen_add(void *ud, struct str s)
{
    struct compgen *g = ud;
    if (str_starts(s, g->word)) {
        s = arena_str(&g->sh->arena, s);
        if (!s.p || !vec_push(g->sh->heap, &g->found, s))
            return HOB_ENOMEM;
    }
    return 0;
}

static void compgen_addz(struct compgen *g, const char *z) { compgen_add(g, str_z(z)); }

static int compgen_alias(void *ud, struct str name, struct str value)
{
    (void)value;
    return compgen_add(ud, name);
}

static int compgen_function(void *ud, struct function *f) { return compgen_add(ud, f->name); }

struct compgen_vars {
    struct compgen *g;
    uint32_t flags;
};

static int compgen_variable(void *ud, struct sym *s, struct var *v)
{
    struct compgen_vars *c = ud;
    if (c->flags && !(v->flags & c->flags))
        return 0;
    if ((v->flags & VAR_UNSET) && !(v->flags & VAR_DYNAMIC))
        return 0;
    if (s->id == SYM_FUNCNAME && c->g->sh->level == 0)
        return 0;
    if (!str_starts(s->name, c->g->word)) /* names live on: they are not copied */
        return 0;
    return vec_push(c->g->sh->heap, &c->g->found, s->name) ? 0 : HOB_ENOMEM;
}

struct compgen_dir {
    struct compgen *g;
    struct str dir; /* what stands before the name in the word */
    struct str base;
    bool only_dirs, executable;
};

static int compgen_dirent(void *ud, const struct dir_entry *e)
{
    struct compgen_dir *d = ud;
    struct shell *sh = d->g->sh;
    struct stat_info st;
    if (!str_starts(e->name, d->base) || (e->name.p[0] == '.' && !d->base.n && !d->executable))
        return 0;
    struct str path = arena_printf(&sh->arena, "%.*s%.*s", STR_ARG(d->dir), STR_ARG(e->name));
    if (!path.p)
        return HOB_ENOMEM;
    if (d->only_dirs && (vfs_stat(sh->proc, path, 0, &st) < 0 || !MODE_IS_DIR(st.mode)))
        return 0;
    if (d->executable) {
        if (vfs_stat(sh->proc, path, 0, &st) < 0 || !MODE_IS_FILE(st.mode) || !(st.mode & 0111))
            return 0;
        path = str_from(path, d->dir.n);
    }
    return vec_push(sh->heap, &d->g->found, path) ? 0 : HOB_ENOMEM;
}

static void compgen_files(struct compgen *g, bool only_dirs)
{
    ptrdiff_t slash = str_rchr(g->word, '/');
    struct str dir = slash < 0 ? STR("") : str_sub(g->word, 0, (size_t)slash + 1);
    struct compgen_dir d = {g, dir, str_from(g->word, dir.n), only_dirs, false};
    vfs_list(g->sh->proc, dir.n ? dir : STR("."), compgen_dirent, &d);
}

/* Programs on PATH. */
static void compgen_programs(struct compgen *g)
{
    struct shell *sh = g->sh;
    struct str path;
    if (str_chr(g->word, '/') >= 0 || !var_str(sh, sym_of(SYM_PATH), &path))
        return;
    path = arena_str(&sh->arena, path);
    for (size_t i = 0; path.p && i < path.n;) {
        size_t end = i;
        while (end < path.n && path.p[end] != ':')
            end++;
        struct str dir = arena_printf(&sh->arena, "%.*s/", (int)(end - i), path.p + i);
        struct compgen_dir d = {g, dir, g->word, false, true};
        if (dir.p && end > i)
            vfs_list(sh->proc, dir, compgen_dirent, &d);
        i = end + 1;
    }
}

static void compgen_keywords(struct compgen *g)
{
    static const char words[] = "if then else elif fi case esac for select while until do done in "
                                "function time { } ! [[ ]] coproc";
    struct str s = str_z(words);
    while (s.n) {
        ptrdiff_t end = str_chr(s, ' ');
        struct str w = end < 0 ? s : str_sub(s, 0, (size_t)end);
        compgen_add(g, w);
        s = str_from(s, w.n + 1);
    }
}

/* The first field of each line of a file like /etc/passwd. */
static void compgen_fields(struct compgen *g, const char *file, const char *ends)
{
    struct buf b;
    buf_init(&b, g->sh->heap);
    if (text_read_file(g->sh, str_z(file), &b) >= 0) {
        struct str s = buf_get(&b);
        for (size_t i = 0; i < s.n;) {
            size_t end = i, stop;
            while (end < s.n && s.p[end] != '\n')
                end++;
            for (stop = i; stop < end && !(s.p[stop] && strchr(ends, s.p[stop])); stop++)
                ;
            if (stop > i && s.p[i] != '#')
                compgen_add(g, str_of(s.p + i, stop - i));
            i = end + 1;
        }
    }
    buf_fini(&b);
}

/* Names of machines: $HOSTFILE or /etc/hosts, without the addresses. */
static void compgen_hosts(struct compgen *g)
{
    struct str path;
    struct buf b;
    buf_init(&b, g->sh->heap);
    if (!var_strz(g->sh, "HOSTFILE", &path) || !path.n)
        path = STR("/etc/hosts");
    if (text_read_file(g->sh, path, &b) >= 0) {
        struct str s = buf_get(&b);
        for (size_t i = 0; i < s.n;) {
            size_t end = i;
            while (end < s.n && s.p[end] != '\n')
                end++;
            while (i < end && s.p[i] != '#') {
                size_t from = i;
                while (i < end && !ascii_space(s.p[i]))
                    i++;
                if (i > from && !ascii_digit(s.p[from]) && s.p[from] != ':')
                    compgen_add(g, str_of(s.p + from, i - from));
                while (i < end && ascii_space(s.p[i]))
                    i++;
            }
            i = end + 1;
        }
    }
    buf_fini(&b);
}

static void compgen_topic(void *ud, const struct builtin *t) { compgen_addz(ud, t->name); }

static void compgen_builtins(struct compgen *g, int want) /* -1: all, 0: disabled, 1: enabled */
{
    for (const struct builtin *const *t = builtin_table; *t; t++)
        if (want < 0 || (builtin_active(g->sh, str_z((*t)->name)) != NULL) == want)
            compgen_addz(g, (*t)->name);
}

static void compgen_jobs(struct compgen *g, int want) /* -1: all, 0: running, 1: stopped */
{
    for (struct job *j = g->sh->jobs; j; j = j->next) {
        ptrdiff_t blank = str_chr(j->text, ' ');
        if (!j->hidden && (want < 0 || (j->stopped == want && !job_is_done(j))))
            compgen_add(g, blank < 0 ? j->text : str_sub(j->text, 0, (size_t)blank));
    }
}

static void compgen_vars(struct compgen *g, uint32_t flags)
{
    struct compgen_vars v = {g, flags};
    var_each(g->sh, compgen_variable, &v);
}

static void compgen_names(struct compgen *g, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        compgen_addz(g, names[i]);
}

static void compgen_command(struct compgen *g)
{
    alias_each(g->sh, compgen_alias, g);
    compgen_keywords(g);
    function_each(g->sh, compgen_function, g);
    compgen_builtins(g, 1);
    compgen_programs(g);
}

static void compgen_action(struct compgen *g, enum complete_action a)
{
    struct shell *sh = g->sh;
    switch (a) {
    case COMPLETE_ALIAS: alias_each(sh, compgen_alias, g); break;
    case COMPLETE_ARRAYVAR: compgen_vars(g, VAR_ARRAY | VAR_ASSOC); break;
    case COMPLETE_BINDING: break; /* there is no line editor */
    case COMPLETE_HOSTNAME: compgen_hosts(g); break;
    case COMPLETE_BUILTIN: compgen_builtins(g, -1); break;
    case COMPLETE_CMD: compgen_command(g); break;
    case COMPLETE_DIRECTORY: compgen_files(g, true); break;
    case COMPLETE_DISABLED: compgen_builtins(g, 0); break;
    case COMPLETE_ENABLED: compgen_builtins(g, 1); break;
    case COMPLETE_EXPORT: compgen_vars(g, VAR_EXPORT); break;
    case COMPLETE_FILE: compgen_files(g, false); break;
    case COMPLETE_FUNC: function_each(sh, compgen_function, g); break;
    case COMPLETE_GROUP: compgen_fields(g, "/etc/group", ":"); break;
    case COMPLETE_HELPTOPIC: help_each(compgen_topic, g); break;
    case COMPLETE_JOB: compgen_jobs(g, -1); break;
    case COMPLETE_KEYWORD: compgen_keywords(g); break;
    case COMPLETE_RUNNING: compgen_jobs(g, 0); break;
    case COMPLETE_SERVICE: compgen_fields(g, "/etc/services", " \t"); break;
    case COMPLETE_SETOPT: compgen_names(g, shell_opt_names, OPT_COUNT); break;
    case COMPLETE_SHOPT: /* bash lists autocd in front of its neighbour */
        compgen_addz(g, shell_shopt_names[SHOPT_AUTOCD]);
        compgen_addz(g, shell_shopt_names[SHOPT_ASSOC_EXPAND_ONCE]);
        compgen_names(g, shell_shopt_names + SHOPT_CDABLE_VARS, SHOPT_COUNT - SHOPT_CDABLE_VARS);
        break;
    case COMPLETE_SIGNAL:
        for (int i = 0; i < TRAP_COUNT; i++)
            compgen_add(g, trap_name(i) ? str_z(trap_name(i))
                                        : arena_printf(&sh->arena, "SIGJUNK(%d)", i));
        break;
    case COMPLETE_STOPPED: compgen_jobs(g, 1); break;
    case COMPLETE_USER: compgen_fields(g, "/etc/passwd", ":"); break;
    case COMPLETE_VARIABLE: compgen_vars(g, 0); break;
    }
}

/* ---- -W, -F, -C, -G -------------------------------------------------------------------------- */

/* The end of the word of the list at s[i]: at a character of IFS that nothing quotes. */
static size_t compgen_word_end(struct str s, size_t i, struct str ifs)
{
    int depth = 0;
    char quote = 0;
    for (; i < s.n; i++) {
        char c = s.p[i];
        if (c == '\\' && quote != '\'') {
            i++;
        } else if (quote) {
            quote = c == quote ? 0 : quote;
        } else if (c == '\'' || c == '"' || c == '`') {
            quote = c;
        } else if (c == '$' && i + 1 < s.n && (s.p[i + 1] == '(' || s.p[i + 1] == '{')) {
            depth++;
            i++;
        } else if (depth && (c == ')' || c == '}')) {
            depth--;
        } else if (!depth && str_chr(ifs, c) >= 0) {
            break;
        }
    }
    return MIN(i, s.n);
}

/* A word of the list as the only element of (...): what would end it gets a backslash. */
static struct str compgen_wrap(struct shell *sh, struct str w)
{
    struct buf b;
    int depth = 0;
    char quote = 0;
    buf_init(&b, sh->heap);
    buf_putc(&b, '(');
    for (size_t i = 0; i < w.n; i++) {
        char c = w.p[i];
        if (c == '\\' && quote != '\'' && i + 1 < w.n) {
            buf_putc(&b, c);
            c = w.p[++i];
        } else if (quote) {
            quote = c == quote ? 0 : quote;
        } else if (c == '\'' || c == '"' || c == '`') {
            quote = c;
        } else if (c == '$' && i + 1 < w.n && (w.p[i + 1] == '(' || w.p[i + 1] == '{')) {
            depth++;
            buf_putc(&b, c);
            c = w.p[++i];
        } else if (depth && (c == ')' || c == '}')) {
            depth--;
        } else if (!depth && c && strchr(" \t\n;&|<>()*?[", c)) {
            buf_putc(&b, '\\');
        }
        buf_putc(&b, c);
    }
    buf_putc(&b, ')');
    struct str s = arena_str(&sh->arena, buf_get(&b));
    buf_fini(&b);
    return s;
}

static void compgen_words(struct compgen *g, struct str list)
{
    struct shell *sh = g->sh;
    struct str ifs;
    if (!var_str(sh, sym_of(SYM_IFS), &ifs))
        ifs = STR(" \t\n");
    ifs = arena_str(&sh->arena, ifs);
    for (size_t i = 0; ifs.p && i < list.n && !shell_unwinding(sh);) {
        if (str_chr(ifs, list.p[i]) >= 0) {
            i++;
            continue;
        }
        size_t end = compgen_word_end(list, i, ifs);
        struct str w = str_of(list.p + i, end - i);
        i = end;
        bool plain = true;
        for (size_t k = 0; k < w.n; k++)
            plain &= !(w.p[k] && strchr("'\"\\$`~", w.p[k]));
        if (plain) {
            compgen_add(g, w);
            continue;
        }
        struct compound c = {0};
        struct str text = compgen_wrap(sh, w);
        if (text.p && compound_parse(sh, STR("_"), text, false, &c) >= 0)
            for (size_t k = 0; k < c.n; k++)
                compgen_add(g, c.items[k].value);
        compound_free(&c);
    }
}

/* The variables that a completion function looks at; there is no line to tell about. */
static void compgen_environment(struct shell *sh, bool set)
{
    static const struct {
        const char *name, *value;
    } vars[] = {{"COMP_LINE", ""},
                {"COMP_POINT", "0"},
                {"COMP_TYPE", "0"},
                {"COMP_KEY", "0"},
                {"COMP_CWORD", "-1"}};
    for (size_t i = 0; i < COUNT(vars); i++) {
        struct sym *s = sym_intern(sh, str_z(vars[i].name));
        if (s && set)
            var_set(sh, s, str_z(vars[i].value), 0);
        else if (s)
            var_unset(sh, s, VAR_NOREF);
    }
}

/* What a function leaves in COMPREPLY; the word does not choose among it. */
static void compgen_call(struct compgen *g, struct str name)
{
    struct shell *sh = g->sh;
    struct function *f = function_find(sh, name);
    struct str index, s, argv[4] = {name, STR("compgen"), g->word, STR("")};
    shell_builtin_error(sh, "warning: -F option may not work as you expect");
    if (!f) {
        shell_error(sh, "completion: function `%.*s' not found", STR_ARG(name));
        return;
    }
    struct sym *reply = sym_of(SYM_COMPREPLY);
    var_unset(sh, reply, VAR_NOREF);
    const struct builtin *outer = sh->builtin;
    compgen_environment(sh, true);
    eval_function(sh, f, argv, 4);
    compgen_environment(sh, false);
    sh->builtin = (struct builtin *)outer;
    struct var *v = var_get(sh, &reply, &index);
    if (!v || !(v->flags & VAR_ARRAY)) {
        if (v && var_str(sh, reply, &s) && (s = arena_str(&sh->arena, s)).p)
            (void)vec_push(sh->heap, &g->found, s);
        return;
    }
    for (int64_t i = -1; array_next(v->u.array, &i, &s);) {
        s = arena_str(&sh->arena, s);
        if (!s.p || !vec_push(sh->heap, &g->found, s))
            return;
    }
}

/* The lines that a command prints. */
static void compgen_output(struct compgen *g, struct str command)
{
    struct shell *sh = g->sh;
    struct buf text, out;
    struct program *prog = NULL, *outer = sh->program;
    struct parse_error err;
    shell_builtin_error(sh, "warning: -C option may not work as you expect");
    buf_init(&text, sh->heap);
    buf_init(&out, sh->heap);
    buf_str(&text, command);
    buf_addz(&text, " compgen ");
    expand_quote_single(&text, g->word);
    buf_addz(&text, " ''");
    parse_error_init(&err, sh->heap);
    struct parser *p = parser_new(sh->heap, buf_get(&text), sh->line);
    if (p && parser_next(p, &prog, &err) == 1) {
        sh->program = prog;
        eval_cmdsub(sh, prog->root, &out);
        sh->program = outer;
    }
    struct str all = arena_str(&sh->arena, buf_get(&out));
    for (size_t i = 0; all.p && i < all.n;) {
        size_t end = i;
        while (end < all.n && all.p[end] != '\n')
            end++;
        if (!vec_push(sh->heap, &g->found, str_of(all.p + i, end - i)))
            break;
        i = end + 1;
    }
    program_unref(prog);
    parser_free(p);
    parse_error_fini(&err);
    buf_fini(&text);
    buf_fini(&out);
}

/* -X: takes out what matches, or with ! in front what does not; & is the word. */
static void compgen_filter(struct compgen *g, struct str pattern)
{
    struct shell *sh = g->sh;
    bool not = pattern.n && pattern.p[0] == '!';
    struct buf b;
    size_t kept = 0;
    buf_init(&b, sh->heap);
    for (size_t i = not ; i < pattern.n; i++) {
        if (pattern.p[i] == '&')
            buf_str(&b, g->word);
        else if (pattern.p[i] == '\\' && i + 1 < pattern.n && pattern.p[i + 1] == '&')
            buf_putc(&b, pattern.p[++i]);
        else
            buf_putc(&b, pattern.p[i]);
    }
    struct glob_prog *p = glob_compile(&sh->arena, buf_get(&b), GLOB_EXT);
    for (size_t i = 0; p && i < g->found.n; i++)
        if (glob_match(p, g->found.p[i]) == not )
            g->found.p[kept++] = g->found.p[i];
    if (p)
        g->found.n = kept;
    buf_fini(&b);
}

static void compgen_generate(struct compgen *g, const struct complete_spec *s)
{
    struct strs names = {0};
    for (size_t i = 0; i < COUNT(complete_actions); i++)
        if (s->actions & 1u << i)
            compgen_action(g, (enum complete_action)i);
    if (s->text[COMPLETE_GLOB].p && expand_pathnames(g->sh, s->text[COMPLETE_GLOB], &names) >= 0)
        for (size_t i = 0; i < names.n; i++)
            (void)vec_push(g->sh->heap, &g->found, names.p[i]);
    if (s->text[COMPLETE_WORDS].p)
        compgen_words(g, s->text[COMPLETE_WORDS]);
    if (s->text[COMPLETE_FUNCTION].p)
        compgen_call(g, s->text[COMPLETE_FUNCTION]);
    if (s->text[COMPLETE_COMMAND].p)
        compgen_output(g, s->text[COMPLETE_COMMAND]);
    if (s->text[COMPLETE_FILTER].p)
        compgen_filter(g, s->text[COMPLETE_FILTER]);
    if (!g->found.n && (s->options & (COMPLETE_DEFAULT | COMPLETE_BASHDEFAULT)))
        compgen_files(g, false);
    if ((!g->found.n && (s->options & COMPLETE_DIRNAMES)) || (s->options & COMPLETE_PLUSDIRS))
        compgen_files(g, true);
}

static int compgen_run(struct shell *sh, struct str *argv, int argc)
{
    struct complete_args a = {.print = false};
    struct getopt_state o = {.at = 1};
    struct buf b;
    if (argc == 1)
        return 0;
    int r = complete_parse(sh, &a, &o, argv, argc, "abcdefgjko:suvA:G:W:P:S:X:F:C:");
    if (r)
        return r;
    struct compgen g = {.sh = sh, .word = o.at < argc ? argv[o.at] : STR("")};
    compgen_generate(&g, &a.spec);
    buf_init(&b, sh->heap);
    for (size_t i = 0; i < g.found.n; i++) {
        buf_str(&b, a.spec.text[COMPLETE_PREFIX]);
        buf_str(&b, g.found.p[i]);
        buf_str(&b, a.spec.text[COMPLETE_SUFFIX]);
        buf_putc(&b, '\n');
    }
    int status = g.found.n ? 0 : 1;
    vec_fini(sh->heap, &g.found);
    proc_puts(sh->proc, 1, buf_get(&b)); /* bash does not look whether that works */
    buf_fini(&b);
    return status;
}

const struct builtin builtin_compgen = {
    .name = "compgen",
    .run = compgen_run,
    .usage = "compgen [-abcdefgjksuv] [-o option] [-A action] [-G globpat] [-W wordlist] [-F "
             "function] [-C command] [-X filterpat] [-P prefix] [-S suffix] [word]",
    .summary = "Print what WORD could be completed to.\n"
               "\n"
               "Options:\n"
               "  -a -b -c -d -e -f\taliases, builtins, commands, folders, exported variables,\n"
               "    \tfiles\n"
               "  -g -j -k -s -u -v\tgroups, jobs, keywords, services, users, variables\n"
               "  -A action\tone of these by name, or arrayvar, disabled, enabled, function,\n"
               "    \thelptopic, running, setopt, shopt, signal, stopped\n"
               "  -W wordlist\tthe words of a list\n"
               "  -G globpat\tfiles that match\n"
               "  -F function\twhat FUNCTION puts into COMPREPLY\n"
               "  -C command\twhat COMMAND prints\n"
               "  -X filterpat\tleave out what matches; `!' turns it round\n"
               "  -P prefix, -S suffix\ttexts around each result\n"
               "  -o option\tbashdefault, default, dirnames, filenames, noquote, nosort, nospace,\n"
               "    \tplusdirs\n"
               "\n"
               "Exit Status:\n"
               "Zero if there is something to print.",
};

/* ---- compopt --------------------------------------------------------------------------------- */

static int compopt_one(struct shell *sh, struct str name, uint32_t on, uint32_t off)
{
    struct complete *c = complete_find(sh, name) ? complete_own(sh) : NULL;
    struct complete_entry *e = c ? complete_find(sh, name) : NULL;
    struct buf b;
    if (!e)
        return complete_missing(sh, name);
    if (on || off) {
        e->options = (e->options | on) & ~off;
        return 0;
    }
    buf_init(&b, sh->heap);
    buf_addz(&b, "compopt ");
    for (size_t i = 0; i < COUNT(complete_options); i++)
        buf_printf(&b, "%co %s ", e->options & 1u << i ? '-' : '+', complete_options[i]);
    buf_str(&b, name);
    buf_putc(&b, '\n');
    return builtin_print(sh, &b, 0);
}

static int compopt_run(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {.at = 1};
    uint32_t on = 0, off = 0, bit;
    bool special[3] = {false, false, false};
    int c, status = 0;
    while ((c = builtin_getopt(sh, &g, argv, argc, "+o:DEI")) != -1) {
        switch (c) {
        case 'o':
            if (!complete_option(sh, g.arg, &bit))
                return 2;
            if (g.plus)
                off |= bit;
            else
                on |= bit;
            break;
        case 'D': special[0] = true; break;
        case 'E': special[1] = true; break;
        case 'I': special[2] = true; break;
        default: return builtin_usage(sh);
        }
    }
    for (int i = 0; i < 3; i++)
        if (special[i])
            return compopt_one(sh, complete_special[i], on, off);
    if (g.at >= argc) {
        shell_builtin_error(sh, "not currently executing completion function");
        return 1;
    }
    for (int i = g.at; i < argc; i++)
        status |= compopt_one(sh, argv[i], on, off);
    return status;
}

const struct builtin builtin_compopt = {
    .name = "compopt",
    .run = compopt_run,
    .usage = "compopt [-o|+o option] [-DEI] [name ...]",
    .summary = "Print or change options of completions.\n"
               "\n"
               "Options:\n"
               "  -o option\tswitch OPTION on, with `+o' off\n"
               "  -D\tfor commands that have nothing set\n"
               "  -E\tfor an empty line\n"
               "  -I\tfor the first word\n"
               "\n"
               "Exit Status:\n"
               "Zero unless an option is wrong or NAME has nothing set.",
};

/* builtin_cd.c -- cd, pwd, and the stack of folders: pushd, popd, dirs
 *
 * The shell keeps two names of its folder: the logical one, as it was walked to through symlinks,
 * in sh->cwd_logical and PWD; and the physical one in the process, where relative paths start.
 */
#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "shell/builtin_impl.h"
#include "vfs/vfs.h"

/* ---- cd -------------------------------------------------------------------------------------- */

/* True for "/x", ".", "..", "./x", "../x": CDPATH does not count for these. */
static bool cd_absolute(struct str s)
{
    if (s.n && s.p[0] == '/')
        return true;
    size_t dots = 0;
    while (dots < s.n && dots < 3 && s.p[dots] == '.')
        dots++;
    return (dots == 1 || dots == 2) && (s.n == dots || s.p[dots] == '/');
}

static bool cd_is_dir(struct shell *sh, struct str path)
{
    struct stat_info st;
    return vfs_stat(sh->proc, path, 0, &st) >= 0 && MODE_IS_DIR(st.mode);
}

/* The logical path without "." and "..": each ".." takes back one name, which must be a folder.
 * Two slashes at the start stay two, as POSIX allows. False: bash would not do it either. */
static bool cd_canonical(struct shell *sh, struct buf *b, struct str path)
{
    struct str cwd = sh->cwd_logical;
    struct buf raw;
    bool ok = true, two;
    buf_init(&raw, sh->heap);
    if (!path.n || path.p[0] != '/') {
        buf_str(&raw, cwd);
        if (!cwd.n || cwd.p[cwd.n - 1] != '/')
            buf_putc(&raw, '/');
    }
    buf_str(&raw, path);
    struct str s = buf_get(&raw);
    two = s.n > 1 && s.p[1] == '/' && (s.n == 2 || s.p[2] != '/');
    if (two)
        buf_putc(b, '/');
    size_t root = b->n;
    for (size_t i = 0; ok && i < s.n;) {
        size_t end = i;
        while (end < s.n && s.p[end] != '/')
            end++;
        struct str name = str_of(s.p + i, end - i);
        i = end + 1;
        if (name.n == 0 || str_eqz(name, "."))
            continue;
        if (!str_eqz(name, "..")) {
            buf_putc(b, '/');
            buf_str(b, name);
            continue;
        }
        if (b->n > root) {
            ok = cd_is_dir(sh, buf_get(b));
            ptrdiff_t slash = str_rchr(buf_get(b), '/');
            buf_cut(b, MAX((size_t)slash, root));
        }
    }
    if (b->n == root)
        buf_putc(b, '/');
    buf_fini(&raw);
    return ok && !sh->heap->oom;
}

/* Where the path leads: an existing folder that may be entered, without symlinks. 0 or an error. */
static int cd_enter(struct shell *sh, struct str path, struct buf *physical)
{
    struct stat_info st;
    int r = vfs_stat(sh->proc, path, 0, &st);
    if (r < 0)
        return r;
    if (!MODE_IS_DIR(st.mode))
        return HOB_ENOTDIR;
    r = vfs_access(sh->proc, path, 1);
    return r < 0 ? r : vfs_realpath(sh->proc, path, false, physical);
}

/* Goes to a folder: the shell's two names of it are set, PWD is not. 0 or an error. */
static int cd_change(struct shell *sh, struct str dir, bool physical)
{
    struct buf logical, real;
    int r;
    buf_init(&logical, sh->heap);
    buf_init(&real, sh->heap);
    bool canonical = cd_canonical(sh, &logical, dir);
    if (physical || !canonical)
        r = cd_enter(sh, dir.n ? dir : STR("."), &real);
    else
        r = cd_enter(sh, buf_get(&logical), &real);
    if (r < 0 && canonical && !physical && !SH_OPT(sh, OPT_POSIX) && dir.n) {
        buf_clear(&real);
        if (cd_enter(sh, dir, &real) >= 0) {
            r = 0;
            canonical = false;
        }
    }
    if (sh->heap->oom)
        r = HOB_ENOMEM;
    if (r >= 0)
        r = shell_set_cwd(sh, buf_get(physical || !canonical ? &real : &logical), buf_get(&real));
    buf_fini(&logical);
    buf_fini(&real);
    return r;
}

/* OLDPWD and PWD after a change. The status. */
static int cd_bind(struct shell *sh)
{
    struct str old = STR("");
    int status = 0;
    if (!var_str(sh, sym_of(SYM_PWD), &old))
        old = STR("");
    old = arena_str(&sh->arena, old);
    if (!old.p || var_set(sh, sym_of(SYM_OLDPWD), old, 0) < 0)
        status = 1;
    if (var_set(sh, sym_of(SYM_PWD), sh->cwd_logical, 0) < 0)
        status = 1;
    return status;
}

static int cd_say(struct shell *sh, struct str dir)
{
    struct out o;
    out_init(&o, sh->proc, 1);
    out_str(&o, dir);
    out_putc(&o, '\n');
    return builtin_close(sh, &o, 0);
}

/* Tries the folders of CDPATH. 1: done, *status is set. */
static int cd_search(struct shell *sh, struct str dir, bool physical, int *status)
{
    struct str list;
    struct buf b;
    int done = 0;
    if (!var_str(sh, sym_of(SYM_CDPATH), &list) || SH_OPT(sh, OPT_PRIVILEGED) || !list.n)
        return 0;
    list = arena_str(&sh->arena, list);
    buf_init(&b, sh->heap);
    for (size_t i = 0; list.p && i <= list.n && !done;) {
        size_t end = i;
        while (end < list.n && list.p[end] != ':')
            end++;
        struct str one = str_of(list.p + i, end - i), home;
        i = end + 1;
        buf_clear(&b);
        if (one.n && one.p[0] == '~' && (one.n == 1 || one.p[1] == '/') &&
            var_str(sh, sym_of(SYM_HOME), &home)) {
            buf_str(&b, home);
            buf_str(&b, str_from(one, 1));
        } else {
            buf_str(&b, one.n ? one : STR("."));
        }
        if (b.n && b.p[b.n - 1] != '/')
            buf_putc(&b, '/');
        buf_str(&b, dir);
        if (cd_change(sh, buf_get(&b), physical) >= 0) {
            done = 1;
            *status = 0;
            if (one.n)
                *status = cd_say(sh, physical ? buf_get(&b) : sh->cwd_logical);
            *status |= cd_bind(sh);
        }
    }
    buf_fini(&b);
    return done;
}

/* ---- names with a slip: shopt -s cdspell ----------------------------------------------------- */

/* How far a name is from what was typed: 0 the same, 1 two bytes changed places, 2 one is wrong,
 * too many or missing, 3 anything else. */
static int cd_distance(struct str name, struct str typed)
{
    size_t i = 0;
    while (i < name.n && i < typed.n && name.p[i] == typed.p[i])
        i++;
    struct str a = str_from(name, i), b = str_from(typed, i);
    if (!a.n && !b.n)
        return 0;
    if (a.n > 1 && b.n > 1 && a.p[0] == b.p[1] && a.p[1] == b.p[0] &&
        str_eq(str_from(a, 2), str_from(b, 2)))
        return 1;
    bool near = (a.n && b.n && str_eq(str_from(a, 1), str_from(b, 1))) ||
                (a.n && str_eq(str_from(a, 1), b)) || (b.n && str_eq(a, str_from(b, 1)));
    return near ? 2 : 3;
}

struct cd_guess {
    struct str typed;
    struct buf best;
    int distance;
};

static int cd_guess_entry(void *ud, const struct dir_entry *e)
{
    struct cd_guess *g = ud;
    int d = cd_distance(e->name, g->typed);
    if (d < 3 && d <= g->distance) {
        g->distance = d;
        buf_clear(&g->best);
        buf_str(&g->best, e->name);
    }
    return d == 0;
}

/* The path with each name put right that is nearly that of an entry. False: there is none, or
 * nothing to put right. */
static bool cd_spell(struct shell *sh, struct str dir, struct buf *out)
{
    struct cd_guess g;
    bool ok = true;
    buf_init(&g.best, sh->heap);
    for (size_t i = 0; i < dir.n && ok;) {
        size_t end = i;
        while (end < dir.n && dir.p[end] != '/')
            end++;
        g.typed = str_sub(dir, i, end - i);
        g.distance = 3;
        bool dots = str_eqz(g.typed, ".") || str_eqz(g.typed, "..");
        if (g.typed.n && !dots) {
            ok = vfs_list(sh->proc, out->n ? buf_get(out) : STR("."), cd_guess_entry, &g) >= 0 &&
                 g.distance < 3;
            buf_str(out, buf_get(&g.best));
        } else {
            buf_str(out, g.typed);
        }
        if (end < dir.n)
            buf_putc(out, '/');
        i = end + 1;
    }
    buf_fini(&g.best);
    return ok && !sh->heap->oom && !str_eq(buf_get(out), dir);
}

/* ---------------------------------------------------------------------------------------------- */

static void cd_complain(struct shell *sh, struct str dir, int err)
{
    struct buf b;
    buf_init(&b, sh->heap);
    bool odd = false;
    for (size_t i = 0; i < dir.n; i++)
        odd |= (unsigned char)dir.p[i] < 32 || dir.p[i] == 127;
    if (odd || !utf8_valid(dir))
        expand_quote(&b, dir);
    else
        buf_str(&b, dir);
    shell_builtin_error(sh, "%.*s: %s", STR_ARG(buf_get(&b)), error_text(err));
    buf_fini(&b);
}

/* cd, on behalf of pushd and popd too. */
static int cd_to(struct shell *sh, struct str dir, bool physical, bool say)
{
    struct str value;
    if (sh->restricted) {
        shell_builtin_error(sh, "restricted");
        return 1;
    }
    int r = cd_change(sh, dir, physical), status = 0;
    if (r < 0 && SH_SHOPT(sh, SHOPT_CDABLE_VARS) && !say) {
        struct sym *s = sym_find(sh, dir);
        if (s && var_str(sh, s, &value)) {
            value = arena_str(&sh->arena, value);
            if (value.p && cd_change(sh, value, physical) >= 0) {
                status = cd_say(sh, value);
                return cd_bind(sh) | status;
            }
        }
    }
    if (r < 0 && SH_SHOPT(sh, SHOPT_CDSPELL) && sh->interactive) {
        struct buf b;
        buf_init(&b, sh->heap);
        bool done = cd_spell(sh, dir, &b) && cd_change(sh, buf_get(&b), physical) >= 0;
        if (done)
            status = cd_say(sh, buf_get(&b));
        buf_fini(&b);
        if (done)
            return cd_bind(sh) | status;
    }
    if (r < 0) {
        cd_complain(sh, dir, r);
        return 1;
    }
    if (say)
        status = cd_say(sh, dir);
    return cd_bind(sh) | status;
}

static int cd_words(struct shell *sh, struct str *words, int n, bool physical)
{
    struct str dir;
    int status = 0;
    if (sh->restricted) {
        shell_builtin_error(sh, "restricted");
        return 1;
    }
    if (n > 1) {
        shell_builtin_error(sh, "too many arguments");
        return 1;
    }
    bool back = n == 1 && str_eqz(words[0], "-");
    if (n == 0 || back) {
        if (!var_str(sh, sym_of(back ? SYM_OLDPWD : SYM_HOME), &dir)) {
            shell_builtin_error(sh, "%s not set", back ? "OLDPWD" : "HOME");
            return 1;
        }
        dir = arena_str(&sh->arena, dir);
        return dir.p ? cd_to(sh, dir, physical, back) : 1;
    }
    if (!cd_absolute(words[0]) && cd_search(sh, words[0], physical, &status))
        return status;
    return cd_to(sh, words[0], physical, false);
}

static int cd_run(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {.at = 1};
    bool physical = SH_OPT(sh, OPT_PHYSICAL);
    int c;
    while ((c = builtin_getopt(sh, &g, argv, argc, "eLP")) != -1) {
        if (c == '?')
            return builtin_usage(sh);
        if (c != 'e')
            physical = c == 'P';
    }
    return cd_words(sh, argv + g.at, argc - g.at, physical);
}

const struct builtin builtin_cd = {
    .name = "cd",
    .run = cd_run,
    .usage = "cd [-L|[-P [-e]] [-@]] [dir]",
    .summary = "Change the working folder of the shell.\n"
               "\n"
               "DIR is $HOME if not given, and $OLDPWD if it is `-'. Unless it begins with a\n"
               "slash or a dot it is looked for in the folders of CDPATH.\n"
               "\n"
               "Options:\n"
               "  -L\tkeep symbolic links in the name of the folder, `..' takes back one name\n"
               "  -P\tuse the folder that they lead to\n"
               "  -e\twith -P, fail if the name of the folder cannot be told\n"
               "\n"
               "Exit Status:\n"
               "Zero if the folder was changed and PWD could be set.",
};

static int cd_pwd_run(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {.at = 1};
    bool physical = SH_OPT(sh, OPT_PHYSICAL);
    struct stat_info st;
    int c;
    while ((c = builtin_getopt(sh, &g, argv, argc, "LP")) != -1) {
        if (c == '?')
            return builtin_usage(sh);
        physical = c == 'P';
    }
    if (physical && vfs_stat(sh->proc, sh->proc->cwd, 0, &st) < 0) {
        proc_puts(sh->proc, 2,
                  STR("pwd: error retrieving current directory: getcwd: cannot access parent "
                      "directories: No such file or directory\n"));
        return 1;
    }
    return cd_say(sh, physical ? sh->proc->cwd : sh->cwd_logical);
}

const struct builtin builtin_pwd = {
    .name = "pwd",
    .run = cd_pwd_run,
    .usage = "pwd [-LP]",
    .summary = "Print the name of the working folder.\n"
               "\n"
               "Options:\n"
               "  -L\tas $PWD has it\n"
               "  -P\twithout symbolic links\n"
               "\n"
               "Exit Status:\n"
               "Zero unless an option is wrong or the folder is gone.",
};

/* ---- the stack ------------------------------------------------------------------------------- */

/* The folders below the current one, the deepest first, as in bash. Shared until written. */
struct dirstack {
    unsigned refs;
    size_t n, cap;
    struct str *p; /* each owned, with a NUL */
};

void dirs_fork(struct shell *child)
{
    if (child->dirs)
        child->dirs->refs++;
}

void dirs_fini(struct shell *sh)
{
    struct dirstack *d = sh->dirs;
    sh->dirs = NULL;
    if (!d || --d->refs)
        return;
    for (size_t i = 0; i < d->n; i++)
        heap_free(sh->heap, (char *)d->p[i].p, d->p[i].n + 1);
    vec_fini(sh->heap, d);
    heap_drop(sh->heap, d);
}

static bool dirs_copy_text(struct shell *sh, struct str s, struct str *out)
{
    char *p = heap_alloc(sh->heap, s.n + 1);
    if (!p)
        return false;
    if (s.n)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    *out = str_of(p, s.n);
    return true;
}

static bool dirs_push(struct shell *sh, struct dirstack *d, struct str s)
{
    struct str copy;
    if (!dirs_copy_text(sh, s, &copy))
        return false;
    if (vec_push(sh->heap, d, copy))
        return true;
    heap_free(sh->heap, (char *)copy.p, copy.n + 1);
    return false;
}

/* The stack, this shell's alone. NULL: out of memory. */
static struct dirstack *dirs_own(struct shell *sh)
{
    struct dirstack *old = sh->dirs;
    if (old && old->refs == 1)
        return old;
    struct dirstack *d = heap_new(sh->heap, struct dirstack);
    if (!d)
        return NULL;
    d->refs = 1;
    sh->dirs = d;
    for (size_t i = 0; old && i < old->n; i++)
        if (!dirs_push(sh, d, old->p[i])) {
            dirs_fini(sh);
            sh->dirs = old;
            return NULL;
        }
    if (old)
        old->refs--;
    return d;
}

static void dirs_drop(struct shell *sh, struct dirstack *d, size_t i)
{
    heap_free(sh->heap, (char *)d->p[i].p, d->p[i].n + 1);
    memmove(d->p + i, d->p + i + 1, (d->n - i - 1) * sizeof *d->p);
    d->n--;
}

static size_t dirs_count(struct shell *sh) { return 1 + (sh->dirs ? sh->dirs->n : 0); }

static bool dirs_get(struct shell *sh, size_t i, struct str *out)
{
    if (i >= dirs_count(sh))
        return false;
    *out = i == 0 ? sh->cwd_logical : sh->dirs->p[sh->dirs->n - i];
    return true;
}

int dirs_each(struct shell *sh, int (*fn)(void *ud, struct str dir), void *ud)
{
    struct str dir;
    int r = 0;
    for (size_t i = 0; r == 0 && dirs_get(sh, i, &dir); i++)
        r = fn(ud, dir);
    return r;
}

int dirs_set(struct shell *sh, size_t i, struct str dir)
{
    struct dirstack *d = i > 0 && i < dirs_count(sh) ? dirs_own(sh) : NULL;
    struct str copy;
    if (!d || !dirs_copy_text(sh, dir, &copy))
        return HOB_EINVAL;
    struct str *at = &d->p[d->n - i];
    heap_free(sh->heap, (char *)at->p, at->n + 1);
    *at = copy;
    return 0;
}

static int dirs_range(struct shell *sh, struct str word)
{
    if (dirs_count(sh) == 1)
        shell_builtin_error(sh, "directory stack empty");
    else
        shell_builtin_error(sh, "%.*s: directory stack index out of range", STR_ARG(word));
    return 1;
}

/* ---- dirs ------------------------------------------------------------------------------------ */

enum {
    DIRS_LONG = 1,
    DIRS_LINES = 2,
    DIRS_NUMBERS = 4
};

static void dirs_add(struct shell *sh, struct buf *b, struct str dir, int how)
{
    struct str home;
    if (!(how & DIRS_LONG) && var_str(sh, sym_of(SYM_HOME), &home) && home.n > 1 &&
        str_starts(dir, home) && (dir.n == home.n || dir.p[home.n] == '/')) {
        buf_putc(b, '~');
        dir = str_from(dir, home.n);
    }
    buf_str(b, dir);
}

static int dirs_print(struct shell *sh, int how)
{
    struct buf b;
    struct str dir;
    buf_init(&b, sh->heap);
    for (size_t i = 0; dirs_get(sh, i, &dir); i++) {
        if (i)
            buf_putc(&b, how & (DIRS_LINES | DIRS_NUMBERS) ? '\n' : ' ');
        if (how & DIRS_NUMBERS)
            buf_printf(&b, "%2zu  ", i);
        dirs_add(sh, &b, dir, how);
    }
    buf_putc(&b, '\n');
    return builtin_print(sh, &b, 0);
}

/* +N and -N: the number, or a message and false. */
static bool dirs_number(struct shell *sh, struct str word, int64_t *n)
{
    struct str digits = str_trim(str_from(word, 1));
    if (digits.n && str_int(digits, n) >= 0)
        return true;
    shell_builtin_error(sh, "%.*s: invalid number", STR_ARG(word));
    builtin_usage(sh);
    return false;
}

static bool dirs_letter(struct str w, char c) { return w.n == 2 && w.p[0] == '-' && w.p[1] == c; }

static int dirs_run(struct shell *sh, struct str *argv, int argc)
{
    int how = 0, i = 1;
    bool clear = false, one = false;
    int64_t n = 0, last = (int64_t)dirs_count(sh) - 1;
    struct str word = STR("");

    if (builtin_help_asked(sh, argv, argc, 1))
        return 2;
    for (; i < argc; i++) {
        struct str w = argv[i];
        if (dirs_letter(w, 'l')) {
            how |= DIRS_LONG;
        } else if (dirs_letter(w, 'c')) {
            clear = true;
        } else if (dirs_letter(w, 'v')) {
            how |= DIRS_NUMBERS;
        } else if (dirs_letter(w, 'p')) {
            how |= DIRS_LINES;
        } else if (dirs_letter(w, '-')) {
            break;
        } else if (w.n && (w.p[0] == '+' || w.p[0] == '-')) {
            if (!dirs_number(sh, w, &n))
                return 2;
            one = true;
            word = str_from(w, 1);
            n = w.p[0] == '+' ? n : last - n;
        } else {
            shell_builtin_error(sh, "%.*s: invalid option", STR_ARG(w));
            return builtin_usage(sh);
        }
    }
    if (clear) {
        dirs_fini(sh);
        return 0;
    }
    if (!one)
        return dirs_print(sh, how);
    struct buf b;
    struct str dir;
    if (n < 0 || n > last || !dirs_get(sh, (size_t)n, &dir))
        return dirs_range(sh, word);
    buf_init(&b, sh->heap);
    if (how & DIRS_NUMBERS)
        buf_printf(&b, "%2lld  ", (long long)n);
    dirs_add(sh, &b, dir, how);
    buf_putc(&b, '\n');
    return builtin_print(sh, &b, 0);
}

const struct builtin builtin_dirs = {
    .name = "dirs",
    .run = dirs_run,
    .usage = "dirs [-clpv] [+N] [-N]",
    .summary = "Print the stack of folders.\n"
               "\n"
               "The current folder comes first. Folders get on the stack by `pushd' and off it\n"
               "by `popd'.\n"
               "\n"
               "Options:\n"
               "  -c\tempty the stack\n"
               "  -l\tdo not write ~ for the home folder\n"
               "  -p\tone a line\n"
               "  -v\tone a line, with its place\n"
               "  +N\tonly the one at place N, counted from the left and from zero\n"
               "  -N\tthe same, counted from the right\n"
               "\n"
               "Exit Status:\n"
               "Zero unless an option is wrong or there is no such place.",
};

/* ---- pushd and popd -------------------------------------------------------------------------- */

/* Goes to dir and prints the stack. */
static int pushd_go(struct shell *sh, struct str dir, bool stay)
{
    if (stay)
        return 0;
    int status = cd_words(sh, &dir, 1, SH_OPT(sh, OPT_PHYSICAL));
    return status ? status : dirs_print(sh, 0);
}

/* Brings place n to the front. */
static int pushd_rotate(struct shell *sh, int64_t n, bool stay)
{
    struct str cwd = arena_str(&sh->arena, sh->cwd_logical), to;
    struct dirstack *d;
    if (n == 0)
        return cwd.p ? pushd_go(sh, cwd, stay) : 1;
    if (!cwd.p || !(d = dirs_own(sh)) || !dirs_copy_text(sh, cwd, &cwd))
        return 1;
    /* The whole ring, the current folder last: turned by n places. */
    if (!vec_push(sh->heap, d, cwd)) {
        heap_free(sh->heap, (char *)cwd.p, cwd.n + 1);
        return 1;
    }
    for (; n > 0; n--) {
        struct str top = d->p[d->n - 1];
        memmove(d->p + 1, d->p, (d->n - 1) * sizeof *d->p);
        d->p[0] = top;
    }
    to = arena_str(&sh->arena, d->p[d->n - 1]);
    dirs_drop(sh, d, d->n - 1);
    return to.p ? pushd_go(sh, to, stay) : 1;
}

/* Without arguments: the two folders at the front change places. */
static int pushd_swap(struct shell *sh)
{
    struct str cwd = arena_str(&sh->arena, sh->cwd_logical), top;
    if (dirs_count(sh) == 1) {
        shell_builtin_error(sh, "no other directory");
        return 1;
    }
    dirs_get(sh, 1, &top);
    top = arena_str(&sh->arena, top);
    if (!cwd.p || !top.p || dirs_set(sh, 1, cwd) < 0)
        return 1;
    return pushd_go(sh, top, false);
}

static int pushd_run(struct shell *sh, struct str *argv, int argc)
{
    bool stay = false, rotate = false, plain = argc > 1 && dirs_letter(argv[1], '-');
    int i = plain ? 2 : 1;
    int64_t n = 0, last = (int64_t)dirs_count(sh) - 1;

    if (builtin_help_asked(sh, argv, argc, 1))
        return 2;
    if (i >= argc)
        return pushd_swap(sh);
    for (; !plain && i < argc; i++) {
        struct str w = argv[i];
        if (dirs_letter(w, 'n')) {
            stay = true;
        } else if (dirs_letter(w, '-')) {
            i++;
            break;
        } else if (w.n > 1 && (w.p[0] == '+' || w.p[0] == '-')) {
            if (!dirs_number(sh, w, &n))
                return 2;
            if (w.p[0] == '-')
                n = last - n;
            if (n > last || n < 0)
                return dirs_range(sh, w);
            rotate = true;
        } else {
            break;
        }
    }
    if (rotate)
        return pushd_rotate(sh, n, stay);
    if (i >= argc)
        return 0;
    struct str cwd = arena_str(&sh->arena, sh->cwd_logical);
    struct dirstack *d = dirs_own(sh);
    if (!cwd.p || !d)
        return 1;
    if (!stay && cd_words(sh, argv + i, argc - i, SH_OPT(sh, OPT_PHYSICAL)))
        return 1;
    return dirs_push(sh, d, stay ? argv[i] : cwd) ? dirs_print(sh, 0) : 1;
}

const struct builtin builtin_pushd = {
    .name = "pushd",
    .run = pushd_run,
    .usage = "pushd [-n] [+N | -N | dir]",
    .summary = "Put a folder on the stack and go there.\n"
               "\n"
               "The current folder is kept below it. Without arguments the two folders at the\n"
               "front change places.\n"
               "\n"
               "Options:\n"
               "  -n\tchange the stack alone, stay in the folder\n"
               "  +N\tturn the stack so that place N, counted from the left, comes first\n"
               "  -N\tthe same, counted from the right\n"
               "\n"
               "Exit Status:\n"
               "Zero unless an argument is wrong or the folder cannot be changed.",
};

static int popd_run(struct shell *sh, struct str *argv, int argc)
{
    bool stay = false;
    char direction = '+';
    int64_t n = 0, last = (int64_t)dirs_count(sh) - 1;
    struct str word = STR("");

    if (builtin_help_asked(sh, argv, argc, 1))
        return 2;
    for (int i = 1; i < argc; i++) {
        struct str w = argv[i];
        if (dirs_letter(w, 'n')) {
            stay = true;
        } else if (dirs_letter(w, '-')) {
            break;
        } else if (w.n && (w.p[0] == '+' || w.p[0] == '-')) {
            if (!dirs_number(sh, w, &n))
                return 2;
            direction = w.p[0];
            word = w;
        } else if (w.n) {
            shell_builtin_error(sh, "%.*s: invalid argument", STR_ARG(w));
            return builtin_usage(sh);
        } else {
            break;
        }
    }
    if (n > last || n < -last || (last == 0 && n == 0))
        return dirs_range(sh, word);
    struct dirstack *d = dirs_own(sh);
    if (!d)
        return 1;
    if (n == (direction == '+' ? 0 : last)) {
        struct str top = arena_str(&sh->arena, d->p[last - 1]);
        if (!top.p || (!stay && cd_words(sh, &top, 1, SH_OPT(sh, OPT_PHYSICAL))))
            return 1;
        dirs_drop(sh, d, (size_t)last - 1);
    } else {
        int64_t i = direction == '+' ? last - n : n;
        if (i < 0 || i >= last)
            return dirs_range(sh, word);
        dirs_drop(sh, d, (size_t)i);
    }
    return dirs_print(sh, 0);
}

const struct builtin builtin_popd = {
    .name = "popd",
    .run = popd_run,
    .usage = "popd [-n] [+N | -N]",
    .summary = "Take a folder off the stack.\n"
               "\n"
               "Without arguments the front one, and the shell goes to the next.\n"
               "\n"
               "Options:\n"
               "  -n\tchange the stack alone, stay in the folder\n"
               "  +N\ttake away place N, counted from the left and from zero\n"
               "  -N\tthe same, counted from the right\n"
               "\n"
               "Exit Status:\n"
               "Zero unless an argument is wrong or the folder cannot be changed.",
};

/* test.c -- the primaries of test, [ and [[, and the grammar of test by number of arguments */
#include "shell/expand_impl.h"
#include "base/utf8.h"
#include "shell/parse.h"
#include "vfs/vfs.h"

/* ---- files ----------------------------------------------------------------------------------- */

static bool test_stat(struct shell *sh, struct str path, int flags, struct stat_info *st)
{
    return vfs_stat(sh->proc, path, flags, st) >= 0;
}

static int test_file(struct shell *sh, char op, struct str path)
{
    struct stat_info st;
    switch (op) {
    case 'r': return vfs_access(sh->proc, path, 4) >= 0;
    case 'w': return vfs_access(sh->proc, path, 2) >= 0;
    case 'x': return vfs_access(sh->proc, path, 1) >= 0;
    case 'h':
    case 'L': return test_stat(sh, path, VFS_NOFOLLOW, &st) && MODE_IS_LINK(st.mode);
    default: break;
    }
    if (!test_stat(sh, path, 0, &st))
        return 0;
    uint32_t type = st.mode & MODE_TYPE;
    switch (op) {
    case 'b': return type == MODE_BLK;
    case 'c': return type == MODE_CHR;
    case 'd': return type == MODE_DIR;
    case 'f': return type == MODE_FILE;
    case 'p': return type == MODE_FIFO;
    case 'S': return type == MODE_SOCK;
    case 'g': return (st.mode & MODE_SGID) != 0;
    case 'u': return (st.mode & MODE_SUID) != 0;
    case 'k': return (st.mode & MODE_STICKY) != 0;
    case 's': return st.size > 0;
    case 'N': return st.mtime > st.atime;
    case 'O': return st.uid == sh->proc->uid;
    case 'G': return st.gid == sh->proc->gid;
    default: return 1; /* -a -e */
    }
}

/* ---- variables and options ------------------------------------------------------------------- */

static int test_is_set(struct shell *sh, struct str ref, bool once)
{
    struct str name, index, value;
    int64_t n;
    if (ref.n && ascii_digit(ref.p[0])) {
        if (str_int(ref, &n) < 0)
            return 0;
        return n == 0 || (sh->params && (uint64_t)n <= sh->params->n - sh->from);
    }
    if (!var_split_ref(ref, &name, &index))
        return 0;
    struct sym *s = sym_find(sh, name);
    if (!s)
        return 0;
    if (!index.p)
        return var_is_set(sh, s);
    struct str ignored;
    struct sym *target = s;
    struct var *v = var_get(sh, &target, &ignored);
    if (!v)
        return 0;
    bool all = index.n == 1 && (*index.p == '@' || *index.p == '*');
    if (all && !(v->flags & VAR_ASSOC))
        return v->flags & VAR_ARRAY ? array_count(v->u.array) > 0 : !(v->flags & VAR_UNSET);
    if (!once && expand_subscript(sh, index, &index) < 0)
        return HOB_EINVAL;
    return var_elem(sh, s, index, &value);
}

static int test_option(struct shell *sh, struct str name)
{
    for (int i = 0; i < OPT_COUNT; i++)
        if (shell_opt_names[i] && str_eqz(name, shell_opt_names[i]))
            return SH_OPT(sh, i) != 0;
    return 0;
}

static int test_tty(struct shell *sh, struct str s)
{
    int64_t fd;
    if (str_int(str_trim(s), &fd) < 0 || fd < 0 || fd > INT_MAX)
        return 0;
    struct file *f = proc_file(sh->proc, (int)fd);
    return f && (f->flags & FILE_TTY);
}

int test_unary(struct shell *sh, char op, struct str arg)
{
    switch (op) {
    case 'n': return arg.n > 0;
    case 'z': return arg.n == 0;
    case 'o': return test_option(sh, arg);
    case 't': return test_tty(sh, arg);
    case 'v': return test_is_set(sh, arg, SH_SHOPT(sh, SHOPT_ASSOC_EXPAND_ONCE));
    case 'V': return test_is_set(sh, arg, true); /* [[ -v ]] */
    case 'W': return test_is_set(sh, arg, false);
    case 'R': {
        struct sym *s = sym_find(sh, arg);
        struct var *v = s ? var_slot(sh, s) : NULL;
        return v && (v->flags & VAR_NAMEREF) && !(v->flags & VAR_UNSET);
    }
    default: return test_file(sh, op, arg);
    }
}

/* ---- two operands ---------------------------------------------------------------------------- */

static int test_integer(struct shell *sh, struct str s, int64_t *out)
{
    if (str_int(str_trim(s), out) >= 0)
        return 0;
    shell_builtin_error(sh, "%.*s: integer expression expected", STR_ARG(s));
    return HOB_EINVAL;
}

static int test_files(struct shell *sh, struct str a, struct str b, char op)
{
    struct stat_info x, y;
    bool has_x = test_stat(sh, a, 0, &x), has_y = test_stat(sh, b, 0, &y);
    if (op == 'e')
        return has_x && has_y && x.dev == y.dev && x.ino == y.ino;
    if (op == 'n')
        return has_x && (!has_y || x.mtime > y.mtime);
    return has_y && (!has_x || x.mtime < y.mtime);
}

/* -1: the operator is none. */
static int test_compare(struct str op, int64_t a, int64_t b)
{
    static const char names[] = "eqneltlegtge";
    for (int i = 0; i < 6; i++) {
        if (op.n != 3 || op.p[0] != '-' || memcmp(op.p + 1, names + 2 * i, 2) != 0)
            continue;
        switch (i) {
        case 0: return a == b;
        case 1: return a != b;
        case 2: return a < b;
        case 3: return a <= b;
        case 4: return a > b;
        default: return a >= b;
        }
    }
    return -1;
}

int test_binary(struct shell *sh, struct str a, struct str op, struct str b)
{
    int64_t x, y;
    if (op.n < 3 && op.n) {
        switch (op.p[0]) {
        case '=': return str_eq(a, b);
        case '!': return !str_eq(a, b);
        case '<': return str_cmp(a, b) < 0;
        default: return str_cmp(a, b) > 0;
        }
    }
    if (op.p[2] == 'f' || op.p[2] == 't') {
        if (str_eqz(op, "-ef") || str_eqz(op, "-nt") || str_eqz(op, "-ot"))
            return test_files(sh, a, b, op.p[1]);
    }
    if (test_integer(sh, a, &x) < 0 || test_integer(sh, b, &y) < 0)
        return HOB_EINVAL;
    return test_compare(op, x, y);
}

/* ---- the grammar ----------------------------------------------------------------------------- */

struct test {
    struct shell *sh;
    struct str *w;
    int n, at;
    bool failed;
};

static int test_or(struct test *t);

static bool test_is_unary(struct str s)
{
    return s.n == 2 && s.p[0] == '-' && strchr("abcdefghknoprstuvwxzGLNORS", s.p[1]) && s.p[1];
}

static bool test_is_binary(struct str s)
{
    static const char *const list[] = {"=",   "==",  "!=",  "<",   ">",   "-eq", "-ne",
                                       "-lt", "-le", "-gt", "-ge", "-ef", "-nt", "-ot"};
    for (size_t i = 0; i < COUNT(list); i++)
        if (str_eqz(s, list[i]))
            return true;
    return false;
}

static int test_fail(struct test *t, struct str what, const char *text)
{
    if (!t->failed) {
        if (what.p)
            shell_builtin_error(t->sh, "%.*s: %s", STR_ARG(what), text);
        else
            shell_builtin_error(t->sh, "%s", text);
    }
    t->failed = true;
    return 0;
}

static void test_unexpected(struct test *t, struct str what)
{
    shell_builtin_error(t->sh, "syntax error: `%.*s' unexpected", STR_ARG(what));
    t->failed = true;
}

static int test_result(struct test *t, int r)
{
    if (r < 0)
        t->failed = true;
    return r > 0;
}

static int test_one(struct test *t, struct str *w)
{
    return test_result(t, test_unary(t->sh, w[0].p[1], w[1]));
}

static int test_two(struct test *t, struct str *w)
{
    return test_result(t, test_binary(t->sh, w[0], w[1], w[2]));
}

/* Two arguments: ! x, or a unary operator. */
static int test_args2(struct test *t, struct str *w)
{
    if (str_eqz(w[0], "!"))
        return w[1].n == 0;
    if (test_is_unary(w[0]))
        return test_one(t, w);
    return test_fail(t, w[0], "unary operator expected");
}

static int test_args3(struct test *t, struct str *w)
{
    if (test_is_binary(w[1]))
        return test_two(t, w);
    if (str_eqz(w[1], "-a"))
        return w[0].n > 0 && w[2].n > 0;
    if (str_eqz(w[1], "-o"))
        return w[0].n > 0 || w[2].n > 0;
    if (str_eqz(w[0], "!"))
        return !test_args2(t, w + 1);
    if (str_eqz(w[0], "(") && str_eqz(w[2], ")"))
        return w[1].n > 0;
    return test_fail(t, w[1], "binary operator expected");
}

static struct str test_peek(const struct test *t) { return t->at < t->n ? t->w[t->at] : STR_NONE; }

/* ( expr ), ! expr, unary, binary, or a string. */
static int test_term(struct test *t)
{
    int r, left = t->n - t->at;
    if (t->failed)
        return 0;
    if (left <= 0)
        return test_fail(t, STR_NONE, "argument expected");
    struct str *w = t->w + t->at;
    if (task_stack_low(t->sh->proc->task))
        return test_fail(t, STR_NONE, "too many arguments");
    if (str_eqz(w[0], "!")) {
        t->at++;
        return !test_term(t);
    }
    if (str_eqz(w[0], "(") && left > 1) {
        t->at++;
        r = test_or(t);
        if (!t->failed && !str_eqz(test_peek(t), ")")) {
            if (t->at < t->n)
                return test_fail(
                    t, STR_NONE,
                    arena_printf(&t->sh->arena, "`)' expected, found %.*s", STR_ARG(test_peek(t)))
                        .p);
            return test_fail(t, STR_NONE, "`)' expected");
        }
        t->at++;
        return r;
    }
    if (left >= 3 && test_is_binary(w[1])) {
        t->at += 3;
        return test_two(t, w);
    }
    if (test_is_unary(w[0]) && left >= 2) {
        t->at += 2;
        return test_one(t, w);
    }
    t->at++;
    return w[0].n > 0;
}

static int test_and(struct test *t)
{
    int r = test_term(t);
    while (!t->failed && str_eqz(test_peek(t), "-a")) {
        t->at++;
        int b = test_term(t);
        r = r && b;
    }
    return r;
}

static int test_or(struct test *t)
{
    int r = test_and(t);
    while (!t->failed && str_eqz(test_peek(t), "-o")) {
        t->at++;
        int b = test_and(t);
        r = r || b;
    }
    return r;
}

static int test_args4(struct test *t, struct str *w)
{
    if (str_eqz(w[0], "!"))
        return !test_args3(t, w + 1);
    if (str_eqz(w[0], "(") && str_eqz(w[3], ")"))
        return test_args2(t, w + 1);
    return -1;
}

int test_run(struct shell *sh, struct str *argv, int argc)
{
    struct test t = {.sh = sh, .w = argv + 1, .n = argc - 1};
    int r;
    if (str_eqz(argv[0], "[")) {
        if (argc < 2 || !str_eqz(argv[argc - 1], "]")) {
            shell_builtin_error(sh, "missing `]'");
            return 2;
        }
        t.n--;
    }
    switch (t.n) {
    case 0: return 1;
    case 1: return t.w[0].n == 0;
    case 2: r = test_args2(&t, t.w); break;
    case 3: r = test_args3(&t, t.w); break;
    case 4: r = test_args4(&t, t.w); break;
    default: r = -1; break;
    }
    if (r < 0) {
        r = test_or(&t);
        if (!t.failed && t.at < t.n && t.w[t.at].n && *t.w[t.at].p == '-')
            test_unexpected(&t, t.w[t.at]);
        else if (!t.failed && t.at < t.n)
            test_fail(&t, STR_NONE, "too many arguments");
    }
    return t.failed ? 2 : !r;
}

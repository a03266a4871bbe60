/* builtin_trap.c -- trap, alias, unalias, umask, ulimit */
#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "shell/builtin_control.h"
#include "shell/inner.h"

/* Text between single quotes. */
static void trap_quote(struct buf *b, struct str s)
{
    buf_putc(b, '\'');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\'')
            buf_addz(b, "'\\''");
        else
            buf_putc(b, s.p[i]);
    }
    buf_putc(b, '\'');
}

/* ---- trap ------------------------------------------------------------------------------------ */

static void trap_print(struct shell *sh, struct buf *b, int which)
{
    struct str cmd = trap_get(sh, which);
    if (!cmd.p)
        return;
    buf_addz(b, "trap -- ");
    trap_quote(b, cmd);
    const char *name = trap_name(which);
    if (SH_OPT(sh, OPT_POSIX) && strncmp(name, "SIG", 3) == 0)
        name += 3;
    buf_printf(b, " %s\n", name);
}

static int trap_list(struct shell *sh, struct str *names, int n)
{
    struct buf b;
    int status = 0;
    buf_init(&b, sh->heap);
    for (int i = 0; i < TRAP_COUNT && !n; i++)
        if (trap_name(i))
            trap_print(sh, &b, i);
    for (int i = 0; i < n; i++) {
        int which = trap_number(names[i]);
        if (which < 0 || !trap_name(which)) {
            shell_builtin_error(sh, "%.*s: invalid signal specification", STR_ARG(names[i]));
            status = 1;
            continue;
        }
        trap_print(sh, &b, which);
    }
    builtin_out(sh, &b);
    buf_fini(&b);
    return status;
}

static int trap_builtin(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {0};
    bool list = false, names = false;
    struct buf b;
    int status = 0;
    for (int c; (c = builtin_getopt(sh, &g, argv, argc, "lp")) != -1;) {
        switch (c) {
        case 'l': names = true; break;
        case 'p': list = true; break;
        default: return builtin_usage(sh);
        }
    }
    if (names) {
        buf_init(&b, sh->heap);
        signals_print(&b);
        builtin_out(sh, &b);
        buf_fini(&b);
        return 0;
    }
    if (list || g.at >= argc)
        return trap_list(sh, argv + g.at, argc - g.at);
    struct str cmd = argv[g.at];
    /* A single signal, or a number in front, resets as `-` does. */
    bool reset = str_eq(cmd, STR("-"));
    bool first =
        !reset && ((argc - g.at == 1 && trap_number(cmd) >= 0) ||
                   (cmd.n && ascii_digit((unsigned char)cmd.p[0]) && trap_number(cmd) >= 0));
    if (argc - g.at == 1 && !first)
        return builtin_usage(sh);
    for (int i = g.at + !first; i < argc; i++) {
        int which = trap_number(argv[i]);
        if (which < 0 || !trap_name(which)) {
            shell_builtin_error(sh, "%.*s: invalid signal specification", STR_ARG(argv[i]));
            status = 1;
        } else if (which != SIG_KILL && which != SIG_STOP) {
            trap_set(sh, which, reset || first ? STR_NONE : cmd);
        }
    }
    return status;
}

/* ---- aliases --------------------------------------------------------------------------------- */

void alias_print(struct buf *b, struct str name, struct str value)
{
    buf_printf(b, "alias %s%.*s=", name.n && name.p[0] == '-' ? "-- " : "", STR_ARG(name));
    trap_quote(b, value);
    buf_putc(b, '\n');
}

/* In posix mode the word `alias` is left out. */
static void alias_show(struct buf *b, struct str name, struct str value)
{
    buf_printf(b, "%.*s=", STR_ARG(name));
    trap_quote(b, value);
    buf_putc(b, '\n');
}

static int alias_print_each(void *ud, struct str name, struct str value)
{
    alias_print(ud, name, value);
    return 0;
}

static int alias_show_each(void *ud, struct str name, struct str value)
{
    alias_show(ud, name, value);
    return 0;
}

static bool alias_valid(struct str name)
{
    for (size_t i = 0; i < name.n; i++)
        if (strchr(" \t\n\"'`\\$&();<>|/", name.p[i]))
            return false;
    return name.n > 0;
}

static int alias_builtin(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {0};
    bool all = false;
    struct buf b;
    int status = 0;
    for (int c; (c = builtin_getopt(sh, &g, argv, argc, "p")) != -1;) {
        if (c != 'p')
            return builtin_usage(sh);
        all = true;
    }
    buf_init(&b, sh->heap);
    bool bare = SH_OPT(sh, OPT_POSIX) && !all;
    if (all || g.at >= argc)
        alias_each(sh, bare ? alias_show_each : alias_print_each, &b);
    for (int i = g.at; i < argc; i++) {
        struct str w = argv[i];
        ptrdiff_t eq = str_chr(w, '=');
        if (eq > 0) {
            struct str name = str_sub(w, 0, (size_t)eq);
            if (!alias_valid(name)) {
                shell_builtin_error(sh, "`%.*s': invalid alias name", STR_ARG(name));
                status = 1;
            } else if (alias_set(sh, name, str_from(w, (size_t)eq + 1)) < 0) {
                status = 1;
            }
            continue;
        }
        struct str value = alias_get(sh, w);
        if (value.p) {
            (bare ? alias_show : alias_print)(&b, w, value);
        } else {
            shell_builtin_error(sh, "%.*s: not found", STR_ARG(w));
            status = 1;
        }
    }
    builtin_out(sh, &b);
    buf_fini(&b);
    return status;
}

static int unalias_builtin(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {0};
    int status = 0;
    for (int c; (c = builtin_getopt(sh, &g, argv, argc, "a")) != -1;) {
        if (c != 'a')
            return builtin_usage(sh);
        alias_clear(sh);
        return 0;
    }
    if (g.at >= argc)
        return builtin_usage(sh);
    for (int i = g.at; i < argc; i++)
        if (!alias_unset(sh, argv[i])) {
            shell_builtin_error(sh, "%.*s: not found", STR_ARG(argv[i]));
            status = 1;
        }
    return status;
}

/* ---- umask ----------------------------------------------------------------------------------- */

static void umask_symbolic(struct buf *b, uint32_t mask)
{
    static const char who[] = "ugo";
    for (int i = 0; i < 3; i++) {
        uint32_t bits = ~mask >> (6 - 3 * i) & 7;
        buf_printf(b, "%s%c=%s%s%s", i ? "," : "", who[i], bits & 4 ? "r" : "", bits & 2 ? "w" : "",
                   bits & 1 ? "x" : "");
    }
}

/* One clause of a symbolic mode on the permissions (not the mask). -1 after a message. */
static int umask_clause(struct shell *sh, struct str *s, uint32_t *perm)
{
    uint32_t who = 0;
    size_t i = 0;
    for (; i < s->n && strchr("ugoa", s->p[i]); i++)
        who |= s->p[i] == 'u' ? 0700 : s->p[i] == 'g' ? 070 : s->p[i] == 'o' ? 07 : 0777;
    if (!who)
        who = 0777;
    char op = i < s->n ? s->p[i] : '\0';
    uint32_t bits = 0;
    if (!op || !strchr("+-=", op)) {
        shell_builtin_error(sh, "`%c': invalid symbolic mode operator", op);
        return -1;
    }
    for (i++; i < s->n && s->p[i] != ','; i++) {
        switch (s->p[i]) {
        case 'r': bits |= 0444; break;
        case 'w': bits |= 0222; break;
        case 'x': bits |= 0111; break;
        default:
            shell_builtin_error(sh, "`%c': invalid symbolic mode character", s->p[i]);
            return -1;
        }
    }
    bits &= who;
    *perm = op == '+' ? *perm | bits : op == '-' ? *perm & ~bits : (*perm & ~who) | bits;
    *s = str_from(*s, i + (i < s->n));
    return 0;
}

static int umask_set(struct shell *sh, struct str arg)
{
    uint32_t mask = 0;
    if (arg.n && ascii_digit((unsigned char)arg.p[0])) {
        for (size_t i = 0; i < arg.n; i++) {
            if (arg.p[i] < '0' || arg.p[i] > '7' || mask > 0777) {
                shell_builtin_error(sh, "%.*s: octal number out of range", STR_ARG(arg));
                return 1;
            }
            mask = mask * 8 + (uint32_t)(arg.p[i] - '0');
        }
        if (mask > 07777) {
            shell_builtin_error(sh, "%.*s: octal number out of range", STR_ARG(arg));
            return 1;
        }
        sh->proc->umask = mask & 0777;
        return 0;
    }
    uint32_t perm = ~sh->proc->umask & 0777;
    do {
        if (umask_clause(sh, &arg, &perm) < 0)
            return 1;
    } while (arg.n);
    sh->proc->umask = ~perm & 0777;
    return 0;
}

static int umask_builtin(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {0};
    bool symbolic = false, reuse = false;
    int status = 0;
    struct buf b;
    for (int c; (c = builtin_getopt(sh, &g, argv, argc, "Sp")) != -1;) {
        switch (c) {
        case 'S': symbolic = true; break;
        case 'p': reuse = true; break;
        default: return builtin_usage(sh);
        }
    }
    if (g.at < argc) {
        status = umask_set(sh, argv[g.at]);
        if (status || !symbolic)
            return status;
    }
    buf_init(&b, sh->heap);
    if (reuse)
        buf_addz(&b, symbolic ? "umask -S " : "umask ");
    if (symbolic)
        umask_symbolic(&b, sh->proc->umask);
    else
        buf_printf(&b, "%04o", sh->proc->umask);
    buf_putc(&b, '\n');
    builtin_out(sh, &b);
    buf_fini(&b);
    return 0;
}

/* ---- ulimit ---------------------------------------------------------------------------------- */

enum {
    ULIMIT_UNLIMITED = -1
};

/* What a limit is called; the values that mean something here come from the sandbox. */
static const struct {
    char letter;
    const char *text, *unit;
    int64_t value;
} ulimit_rows[] = {
    {'R', "real-time non-blocking time", "microseconds", -1},
    {'c', "core file size", "blocks", 0},
    {'d', "data seg size", "kbytes", -1},
    {'e', "scheduling priority", NULL, 0},
    {'f', "file size", "blocks", -1},
    {'i', "pending signals", NULL, 1024},
    {'l', "max locked memory", "kbytes", 8192},
    {'m', "max memory size", "kbytes", -1},
    {'n', "open files", NULL, 1024},
    {'p', "pipe size", "512 bytes", 8},
    {'q', "POSIX message queues", "bytes", 819200},
    {'r', "real-time priority", NULL, 0},
    {'s', "stack size", "kbytes", 8192},
    {'t', "cpu time", "seconds", -1},
    {'u', "max user processes", NULL, 1024},
    {'v', "virtual memory", "kbytes", -1},
    {'x', "file locks", NULL, -1},
};

/* Where the process keeps a limit that is enforced, NULL for the others. */
static uint64_t *ulimit_acts(struct shell *sh, size_t row)
{
    switch (ulimit_rows[row].letter) {
    case 'f': return &sh->proc->max_file;
    case 'n': return &sh->proc->max_fds;
    case 't': return &sh->proc->max_cpu;
    case 'u': return &sh->proc->max_procs;
    default: return NULL;
    }
}

static int64_t ulimit_scale(size_t row) { return ulimit_rows[row].letter == 'f' ? 1024 : 1; }

static int64_t ulimit_value(struct shell *sh, size_t row, bool hard)
{
    const struct limits *l = &sh->kernel->limits;
    uint64_t v = UINT64_MAX;
    if (!hard && ulimit_acts(sh, row) && *ulimit_acts(sh, row))
        return (int64_t)(*ulimit_acts(sh, row) - 1) / ulimit_scale(row);
    if (sh->ulimits_set[hard] >> row & 1)
        return sh->ulimits[hard][row];
    switch (ulimit_rows[row].letter) {
    case 'n': v = l->fds; break;
    case 'u': v = l->processes; break;
    case 's': v = l->stack == UINT64_MAX ? l->stack : l->stack / 1024; break;
    default: return ulimit_rows[row].value;
    }
    return v == UINT64_MAX ? ULIMIT_UNLIMITED : (int64_t)v;
}

static void ulimit_print(struct shell *sh, struct buf *b, size_t row, bool label, bool hard)
{
    if (label) {
        char unit[40];
        const char *u = ulimit_rows[row].unit;
        fmt_print(unit, sizeof unit, "(%s%s-%c)", u ? u : "", u ? ", " : "",
                  ulimit_rows[row].letter);
        int pad = 39 - (int)strlen(ulimit_rows[row].text);
        buf_printf(b, "%s%*s ", ulimit_rows[row].text, MAX(pad, (int)strlen(unit) + 1), unit);
    }
    int64_t v = ulimit_value(sh, row, hard);
    if (v == ULIMIT_UNLIMITED)
        buf_addz(b, "unlimited\n");
    else
        buf_printf(b, "%lld\n", (long long)v);
}

static bool ulimit_above(int64_t v, int64_t max)
{
    return max != ULIMIT_UNLIMITED && (v == ULIMIT_UNLIMITED || v > max);
}

enum {
    ULIMIT_SOFT = 1,
    ULIMIT_HARD = 2
};

/* Files, descriptors, processes and time are counted for each process. Memory and stack are limited
 * for the sandbox as a whole, so a process cannot have less of them: that is refused. What is left
 * (core files, locks, queues ...) does not exist here, and any limit holds. */
static int ulimit_set(struct shell *sh, size_t row, struct str arg, int which)
{
    int64_t v, hard = ulimit_value(sh, row, true);
    int err = 0;
    if (str_eq(arg, STR("unlimited")))
        v = ULIMIT_UNLIMITED;
    else if (str_eq(arg, STR("hard")) || str_eq(arg, STR("soft")))
        v = ulimit_value(sh, row, arg.p[0] == 'h');
    else if (str_int(arg, &v) < 0 || v < 0) {
        shell_builtin_error(sh, "%.*s: invalid number", STR_ARG(arg));
        return 1;
    }
    if (ulimit_rows[row].letter == 'c')
        hard = ULIMIT_UNLIMITED;
    if (v != ulimit_value(sh, row, false) && strchr("dsv", ulimit_rows[row].letter))
        err = HOB_ENOTSUP;
    if (ulimit_rows[row].letter == 'p')
        err = HOB_EINVAL;
    if (which & ULIMIT_HARD && ulimit_above(v, hard))
        err = HOB_EPERM;
    else if (which == ULIMIT_SOFT && ulimit_above(v, hard))
        err = HOB_EINVAL;
    else if (which == ULIMIT_HARD && ulimit_above(ulimit_value(sh, row, false), v))
        err = HOB_EINVAL;
    if (err) {
        shell_builtin_error(sh, "%s: cannot modify limit: %s", ulimit_rows[row].text,
                            error_text(err));
        return 1;
    }
    for (int i = 0; i < 2; i++)
        if (which & (i ? ULIMIT_HARD : ULIMIT_SOFT)) {
            sh->ulimits_set[i] |= UINT32_C(1) << row;
            sh->ulimits[i][row] = v;
        }
    if (ulimit_rows[row].letter == 't')
        sh->proc->max_cpu_hard =
            ulimit_value(sh, row, true) == (which & ULIMIT_SOFT ? v : ulimit_value(sh, row, false));
    uint64_t *acts = which & ULIMIT_SOFT ? ulimit_acts(sh, row) : NULL;
    if (acts)
        *acts = v == ULIMIT_UNLIMITED
                    ? 0
                    : (uint64_t)MIN(v, INT64_MAX / 2048) * (uint64_t)ulimit_scale(row) + 1;
    return 0;
}

struct ulimit {
    bool all;
    int which;
    size_t n;
    struct {
        size_t row;
        struct str limit; /* {NULL,0}: to be shown */
    } want[32];
};

/* The letters of one word. Each limit may have its value behind it, in the word or as the next. */
static int ulimit_word(struct shell *sh, struct ulimit *u, struct str *argv, int argc, int *at)
{
    struct str w = argv[(*at)++];
    for (size_t i = 1; i < w.n; i++) {
        char c = w.p[i];
        if (c == 'S' || c == 'H' || c == 'a') {
            u->all |= c == 'a';
            u->which |= c == 'S' ? ULIMIT_SOFT : c == 'H' ? ULIMIT_HARD : 0;
            continue;
        }
        size_t row = 0;
        while (row < COUNT(ulimit_rows) && ulimit_rows[row].letter != c)
            row++;
        if (!strchr("bcdefiklmnpqrstuvxPRT", c) || u->n == COUNT(u->want)) {
            shell_builtin_error(sh, "-%c: invalid option", c);
            return builtin_usage(sh);
        }
        struct str limit = str_from(w, i + 1);
        bool next = !limit.n && *at < argc && !str_starts(argv[*at], STR("-"));
        if (next)
            limit = argv[(*at)++];
        if (row == COUNT(ulimit_rows)) {
            shell_builtin_error(sh, "-%c: cannot get limit: %s", c, error_text(HOB_EINVAL));
            return 1;
        }
        u->want[u->n].row = row;
        u->want[u->n++].limit = limit.n || next ? limit : STR_NONE;
        return 0;
    }
    return 0;
}

static int ulimit_builtin(struct shell *sh, struct str *argv, int argc)
{
    struct ulimit u = {0};
    int at = 1, status = 0;
    struct buf b;
    while (at < argc && argv[at].n > 1 && argv[at].p[0] == '-' && !str_eqz(argv[at], "--")) {
        if (builtin_help_asked(sh, argv, argc, at))
            return builtin_usage(sh);
        if ((status = ulimit_word(sh, &u, argv, argc, &at)) != 0)
            return status;
    }
    at += at < argc && str_eqz(argv[at], "--");
    if (!u.n && !u.all) {
        while (ulimit_rows[u.want[0].row].letter != 'f')
            u.want[0].row++;
        u.want[u.n++].limit = at < argc ? argv[at] : STR_NONE;
    }
    buf_init(&b, sh->heap);
    for (size_t row = 0; row < COUNT(ulimit_rows) && u.all; row++)
        ulimit_print(sh, &b, row, true, u.which == ULIMIT_HARD);
    for (size_t i = 0; i < u.n && !u.all && status == 0; i++) {
        int which = u.which ? u.which : ULIMIT_SOFT | ULIMIT_HARD;
        if (u.want[i].limit.p)
            status = ulimit_set(sh, u.want[i].row, u.want[i].limit, which);
        else
            ulimit_print(sh, &b, u.want[i].row, u.n > 1, u.which == ULIMIT_HARD);
    }
    builtin_out(sh, &b);
    buf_fini(&b);
    return status;
}

/* ---- entries --------------------------------------------------------------------------------- */

const struct builtin builtin_trap = {
    "trap", trap_builtin, BUILTIN_SPECIAL, "trap [-lp] [[arg] signal_spec ...]",
    "Runs a command when a signal arrives or at another event.\n"
    "EXIT is the end of the shell, DEBUG comes before each command, ERR after one that failed,\n"
    "RETURN at the end of a function or sourced file. An empty command ignores the signal, `-`\n"
    "resets it. Without a command, the traps are listed.\n"
    "  -l  lists signal names\n"
    "  -p  prints the traps, or those of the given signals"};
const struct builtin builtin_alias = {
    "alias", alias_builtin, BUILTIN_ASSIGN, "alias [-p] [name[=value] ... ]",
    "Defines aliases, or prints them.\n  -p  all of them, in a form that can be read back"};
const struct builtin builtin_unalias = {"unalias", unalias_builtin, 0,
                                        "unalias [-a] name [name ...]",
                                        "Removes aliases.\n  -a  all of them"};
const struct builtin builtin_umask = {"umask", umask_builtin, 0, "umask [-p] [-S] [mode]",
                                      "Sets or shows the permissions that new files do not get.\n"
                                      "  -S  in letters\n  -p  as a command that can be read back"};
const struct builtin builtin_ulimit = {
    "ulimit", ulimit_builtin, 0, "ulimit [-SHabcdefiklmnpqrstuvxPRT] [limit]",
    "Shows limits of the shell and what it starts, or lowers one.\n"
    "Files (-f), descriptors (-n) and processes (-u) are counted for each process; time, memory "
    "and\n"
    "stack are limited for the sandbox as a whole, so they cannot be changed here.\n"
    "  -a  all of them"};

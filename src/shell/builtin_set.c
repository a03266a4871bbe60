/* builtin_set.c -- set, shopt, enable */
#include "shell/builtin_control.h"
#include "shell/inner.h"

/* ---- set ------------------------------------------------------------------------------------- */

static int set_option_named(struct str name)
{
    for (int i = 0; i < OPT_COUNT; i++)
        if (str_eqz(name, shell_opt_names[i]))
            return i;
    return -1;
}

static int set_option_letter(char c)
{
    for (int i = 0; i < OPT_COUNT; i++)
        if (c && shell_opt_letters[i] == c)
            return i;
    return -1;
}

static void set_print_options(struct shell *sh, struct buf *b, bool reuse)
{
    for (int i = 0; i < OPT_COUNT; i++) {
        bool on = SH_OPT(sh, i);
        if (reuse)
            buf_printf(b, "set %co %s\n", on ? '-' : '+', shell_opt_names[i]);
        else
            buf_printf(b, "%-15s\t%s\n", shell_opt_names[i], on ? "on" : "off");
    }
}

static int set_print_var(void *ud, struct sym *s, struct var *v)
{
    struct shell *sh = ((void **)ud)[0];
    var_print_set(sh, ((void **)ud)[1], s, v);
    return 0;
}

static int set_print_function(void *ud, struct function *f)
{
    print_function(((void **)ud)[1], f->name, f->body);
    buf_putc(((void **)ud)[1], '\n');
    return 0;
}

static int set_print_all(struct shell *sh)
{
    struct buf b;
    void *ud[2] = {sh, &b};
    buf_init(&b, sh->heap);
    var_each(sh, set_print_var, ud);
    if (!SH_OPT(sh, OPT_POSIX))
        function_each(sh, set_print_function, ud);
    builtin_out(sh, &b);
    buf_fini(&b);
    return 0;
}

/* The letters of one -abc or +abc. *at moves over the name behind o. */
static int set_letters(struct shell *sh, struct str *argv, int argc, int *at, bool apply)
{
    struct str w = argv[*at];
    bool on = w.p[0] == '-';
    for (size_t i = 1; i < w.n; i++) {
        int opt = set_option_letter(w.p[i]);
        if (w.p[i] == 'r' && (on || !sh->restricted)) {
            sh->restricted = sh->restricted || (on && apply);
            continue;
        }
        if (w.p[i] == 'o') {
            if (*at + 1 >= argc || argv[*at + 1].n == 0 || argv[*at + 1].p[0] == '-' ||
                argv[*at + 1].p[0] == '+') {
                if (apply) {
                    struct buf b;
                    buf_init(&b, sh->heap);
                    set_print_options(sh, &b, !on);
                    builtin_out(sh, &b);
                    buf_fini(&b);
                    continue;
                }
                break; /* the letters behind it are not looked at before */
            }
            struct str name = argv[++*at];
            opt = set_option_named(name);
            if (opt < 0) {
                if (!apply)
                    break;
                shell_builtin_error(sh, "%.*s: invalid option name", STR_ARG(name));
                return 2;
            }
        }
        if (opt < 0) {
            shell_builtin_error(sh, "%c%c: invalid option", w.p[0], w.p[i]);
            builtin_usage(sh);
            sh->misused = !apply;
            return w.p[i] == 'r' || apply ? 1 : 2; /* set +r of a restricted shell, or behind o */
        }
        if (!apply && w.p[i] == 'o')
            break;
        if (apply)
            shell_set_opt(sh, opt, on);
    }
    return 0;
}

static int set_pass(struct shell *sh, struct str *argv, int argc, bool apply)
{
    int i = 1;
    for (; i < argc; i++) {
        struct str w = argv[i];
        if (str_eq(w, STR("--"))) {
            i++;
            break;
        }
        if (str_eq(w, STR("-"))) {
            if (apply) {
                shell_set_opt(sh, OPT_XTRACE, false);
                shell_set_opt(sh, OPT_VERBOSE, false);
            }
            if (i + 1 == argc)
                return 0;
            i++;
            break;
        }
        if (w.n < 2 || (w.p[0] != '-' && w.p[0] != '+'))
            break;
        int r = set_letters(sh, argv, argc, &i, apply);
        if (r)
            return r;
    }
    bool words = i < argc || str_eq(argv[argc - 1], STR("--"));
    if (apply && words && params_set(sh, argv + i, (size_t)(argc - i)) < 0)
        return 1;
    return 0;
}

static int set_builtin(struct shell *sh, struct str *argv, int argc)
{
    if (argc == 1)
        return set_print_all(sh);
    if (argc == 2 && str_eq(argv[1], STR("--help"))) {
        struct getopt_state g = {0};
        builtin_getopt(sh, &g, argv, argc, "");
        return builtin_usage(sh);
    }
    /* Wrong letters are found before anything is changed. */
    int r = set_pass(sh, argv, argc, false);
    if (!r)
        r = set_pass(sh, argv, argc, true);
    if (r == 2 && SH_OPT(sh, OPT_POSIX) && !sh->interactive && !sh->noerr)
        shell_fatal(sh, 2);
    return r;
}

/* ---- shopt ----------------------------------------------------------------------------------- */

enum {
    SHOPT_SET = 1,
    SHOPT_UNSET = 2,
    SHOPT_QUIET = 4,
    SHOPT_REUSE = 8,
    SHOPT_O = 16
};

static int shopt_named(struct str name)
{
    for (int i = 0; i < SHOPT_COUNT; i++)
        if (str_eqz(name, shell_shopt_names[i]))
            return i;
    return -1;
}

static void shopt_line(struct buf *b, const char *name, bool on, int how)
{
    if (how & SHOPT_QUIET)
        return;
    if (how & SHOPT_REUSE && how & SHOPT_O)
        buf_printf(b, "set %co %s\n", on ? '-' : '+', name);
    else if (how & SHOPT_REUSE)
        buf_printf(b, "shopt %s %s\n", on ? "-s" : "-u", name);
    else
        buf_printf(b, "%-15s\t%s\n", name, on ? "on" : "off");
}

static void shopt_apply(struct shell *sh, int which, bool on)
{
    uint64_t bit = UINT64_C(1) << which;
    if (which == SHOPT_LOGIN_SHELL || which == SHOPT_RESTRICTED_SHELL)
        return;
    if (which >= SHOPT_COMPAT31 && which <= SHOPT_COMPAT44) {
        struct str level = STR("52"), now;
        int64_t n;
        if (on)
            level = str_from(str_z(shell_shopt_names[which]), 6);
        else if (!SH_SHOPT(sh, which) && var_strz(sh, "BASH_COMPAT", &now) &&
                 str_int(now, &n) >= 0 && n >= 31 && n <= 52)
            level = arena_str(&sh->arena, now);
        var_setz(sh, "BASH_COMPAT", level); /* which puts the options in order */
        return;
    }
    sh->shopts = on ? sh->shopts | bit : sh->shopts & ~bit;
    if (which == SHOPT_INTERACTIVE_COMMENTS)
        shell_set_opt(sh, OPT_INTERACTIVE_COMMENTS, on);
    if (which == SHOPT_EXTDEBUG) {
        if (on)
            shell_keep_args(sh);
        shell_set_opt(sh, OPT_ERRTRACE, on);
        shell_set_opt(sh, OPT_FUNCTRACE, on);
    }
}

static void shopt_all(struct shell *sh, struct buf *b, int how)
{
    int n = how & SHOPT_O ? OPT_COUNT : SHOPT_COUNT;
    for (int k = 0; k < n; k++) {
        int i = k;
        if (!(how & SHOPT_O)) { /* bash lists autocd in front of its neighbour */
            if (k == SHOPT_ASSOC_EXPAND_ONCE || k == SHOPT_AUTOCD)
                i = SHOPT_ASSOC_EXPAND_ONCE + SHOPT_AUTOCD - k;
        }
        bool on = how & SHOPT_O ? SH_OPT(sh, i) : SH_SHOPT(sh, i);
        if ((how & SHOPT_SET && !on) || (how & SHOPT_UNSET && on))
            continue;
        shopt_line(b, how & SHOPT_O ? shell_opt_names[i] : shell_shopt_names[i], on, how);
    }
}

static int shopt_one(struct shell *sh, struct buf *b, struct str name, int how)
{
    int which = how & SHOPT_O ? set_option_named(name) : shopt_named(name);
    if (which < 0) {
        shell_builtin_error(sh, "%.*s: invalid %s", STR_ARG(name),
                            how & SHOPT_O ? "option name" : "shell option name");
        return !(how & SHOPT_O && how & (SHOPT_SET | SHOPT_UNSET));
    }
    if (how & (SHOPT_SET | SHOPT_UNSET)) {
        bool on = how & SHOPT_SET;
        if (how & SHOPT_O)
            shell_set_opt(sh, which, on);
        else
            shopt_apply(sh, which, on);
        return 0;
    }
    bool on = how & SHOPT_O ? SH_OPT(sh, which) : SH_SHOPT(sh, which);
    shopt_line(b, how & SHOPT_O ? shell_opt_names[which] : shell_shopt_names[which], on, how);
    return !on;
}

static int shopt_builtin(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {0};
    int how = 0, status = 0;
    struct buf b;
    for (int c; (c = builtin_getopt(sh, &g, argv, argc, "psuoq")) != -1;) {
        switch (c) {
        case 's': how |= SHOPT_SET; break;
        case 'u': how |= SHOPT_UNSET; break;
        case 'q': how |= SHOPT_QUIET; break;
        case 'p': how |= SHOPT_REUSE; break;
        case 'o': how |= SHOPT_O; break;
        default: return builtin_usage(sh);
        }
    }
    if (how & SHOPT_SET && how & SHOPT_UNSET) {
        shell_builtin_error(sh, "cannot set and unset shell options simultaneously");
        return 1;
    }
    buf_init(&b, sh->heap);
    if (g.at >= argc)
        shopt_all(sh, &b, how);
    for (int i = g.at; i < argc; i++)
        if (shopt_one(sh, &b, argv[i], how))
            status = 1;
    builtin_out(sh, &b);
    buf_fini(&b);
    return status;
}

/* ---- enable ---------------------------------------------------------------------------------- */

enum {
    ENABLE_ALL = 1,
    ENABLE_OFF = 2,
    ENABLE_SPECIAL = 4,
    ENABLE_DELETE = 16,
    ENABLE_PRINT = 8
};

static bool enable_is_off(struct shell *sh, int i) { return sh->disabled[i / 64] >> (i % 64) & 1; }

static int enable_list(struct shell *sh, int how)
{
    struct buf b;
    buf_init(&b, sh->heap);
    for (int i = 0; builtin_table[i]; i++) {
        bool off = enable_is_off(sh, i);
        if (how & ENABLE_SPECIAL && !(builtin_table[i]->flags & BUILTIN_SPECIAL))
            continue;
        if (!(how & ENABLE_ALL) && off != ((how & ENABLE_OFF) != 0))
            continue;
        buf_printf(&b, "enable %s%s\n", off ? "-n " : "", builtin_table[i]->name);
    }
    builtin_out(sh, &b);
    buf_fini(&b);
    return 0;
}

static int enable_builtin(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {0};
    struct str file = STR_NONE;
    int how = 0, status = 0;
    for (int c; (c = builtin_getopt(sh, &g, argv, argc, "adf:nps")) != -1;) {
        switch (c) {
        case 'a': how |= ENABLE_ALL; break;
        case 'n': how |= ENABLE_OFF; break;
        case 'p': how |= ENABLE_PRINT; break;
        case 's': how |= ENABLE_SPECIAL; break;
        case 'f': file = g.arg; break;
        case 'd': how |= ENABLE_DELETE; break;
        default: return builtin_usage(sh);
        }
    }
    if (sh->restricted && (file.p || how & ENABLE_DELETE)) {
        shell_builtin_error(sh, "restricted");
        return 1;
    }
    if (file.p) {
        shell_builtin_error(sh,
                            "cannot open shared object %.*s: %.*s: cannot open shared object "
                            "file: No such file or directory",
                            STR_ARG(file), STR_ARG(file));
        return 1;
    }
    if (g.at >= argc || how & ENABLE_PRINT)
        return enable_list(sh, how);
    for (int i = g.at; i < argc; i++) {
        int at = builtin_index(argv[i]);
        if (at < 0 || how & ENABLE_DELETE) {
            shell_builtin_error(sh, "%.*s: %s", STR_ARG(argv[i]),
                                at < 0 ? "not a shell builtin" : "not dynamically loaded");
            status = 1;
            continue;
        }
        uint64_t bit = UINT64_C(1) << (at % 64);
        if (how & ENABLE_OFF)
            sh->disabled[at / 64] |= bit;
        else
            sh->disabled[at / 64] &= ~bit;
    }
    return status;
}

/* ---- entries --------------------------------------------------------------------------------- */

const struct builtin builtin_set = {
    "set", set_builtin, BUILTIN_SPECIAL,
    "set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]",
    "Switches options on (-) or off (+) and sets the positional parameters.\n"
    "Without arguments it prints all variables and functions; `set -o` lists the options.\n"
    "  -a  export what is assigned      -e  leave at the first failure\n"
    "  -b  tell of ended jobs at once   -f  no pathname expansion\n"
    "  -h  remember where commands are  -k  all assignments go to the environment\n"
    "  -m  job control                  -n  read, do not run\n"
    "  -o  by name                      -p  privileged\n"
    "  -t  leave after one command      -u  unset variables are errors\n"
    "  -v  print lines as they are read -x  print commands as they run\n"
    "  -B  brace expansion              -C  > does not overwrite files\n"
    "  -E  ERR traps in functions       -H  history expansion\n"
    "  -P  cd without symlinks          -T  DEBUG and RETURN traps in functions\n"
    "  --  the rest are parameters      -   the same, and -x and -v off"};
const struct builtin builtin_shopt = {"shopt", shopt_builtin, 0, "shopt [-pqsu] [-o] [optname ...]",
                                      "Switches shell options, or prints them.\n"
                                      "  -s  on        -u  off\n"
                                      "  -q  quiet: only the status tells\n"
                                      "  -p  as commands that can be read back\n"
                                      "  -o  the names are those of set -o"};
const struct builtin builtin_enable = {
    "enable", enable_builtin, 0, "enable [-a] [-dnps] [-f filename] [name ...]",
    "Switches builtins on, or off so that a program of that name runs instead.\n"
    "  -n  off            -a  lists all, on and off\n"
    "  -p  lists          -s  special builtins only"};

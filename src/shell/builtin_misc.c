/* builtin_misc.c -- getopts, let, test, [, bind */
#include "base/error.h"
#include "base/utf8.h"
#include "shell/builtin_impl.h"
#include "shell/parse.h"
#include "vfs/vfs.h"

/* ---- getopts ---------------------------------------------------------------------------------- *
 *
 * The place in the arguments is OPTIND; the place inside a cluster like -abc is the shell's own
 * and is forgotten when OPTIND is assigned. */

struct getopts {
    struct shell *sh;
    const struct str *args; /* args[0] is the first argument, OPTIND 1 */
    int n;
    struct str spec; /* without the leading ':' */
    bool silent;
    int ind, at;    /* 1-based; at: inside the word, 0: at its start */
    char opt;       /* the letter that was met */
    struct str arg; /* its argument; p NULL: none */
};

enum {
    GETOPTS_END = -1,
    GETOPTS_BAD = -2,
    GETOPTS_MISSING = -3
};

static void getopts_say(struct getopts *g, const char *text)
{
    struct str v;
    int64_t on = 1;
    if (g->silent || (var_str(g->sh, sym_of(SYM_OPTERR), &v) && str_int(v, &on) >= 0 && on == 0))
        return;
    struct buf b;
    buf_init(&b, g->sh->heap);
    buf_printf(&b, "%.*s: %s -- %c\n", STR_ARG(g->sh->name0), text, g->opt);
    proc_puts(g->sh->proc, 2, buf_get(&b));
    buf_fini(&b);
}

/* The next option: its letter is in g->opt. 0 or GETOPTS_... */
static int getopts_next(struct getopts *g)
{
    struct str w = STR("");
    if (g->ind <= g->n)
        w = g->args[g->ind - 1];
    if (g->at == 0 || (size_t)g->at >= w.n) {
        g->at = 0;
        if (g->ind > g->n) {
            g->ind = g->n + 1;
            return GETOPTS_END;
        }
        if (str_eqz(w, "--")) {
            g->ind++;
            return GETOPTS_END;
        }
        if (w.n < 2 || w.p[0] != '-')
            return GETOPTS_END;
        g->at = 1;
    }
    g->opt = w.p[g->at++];
    bool last = (size_t)g->at >= w.n;
    ptrdiff_t i = g->opt == ':' ? -1 : str_chr(g->spec, g->opt);
    if (last) {
        g->ind++;
        g->at = 0;
    }
    if (i < 0) {
        getopts_say(g, "illegal option");
        return GETOPTS_BAD;
    }
    if ((size_t)i + 1 >= g->spec.n || g->spec.p[i + 1] != ':')
        return 0;
    if (!last) {
        g->arg = str_from(w, (size_t)g->at);
        g->ind++;
    } else if (g->ind > g->n) {
        getopts_say(g, "option requires an argument");
        return GETOPTS_MISSING;
    } else {
        g->arg = g->args[g->ind++ - 1];
    }
    g->at = 0;
    return 0;
}

static int getopts_bind(struct shell *sh, struct str name, struct str value)
{
    if (!parse_is_name(name)) {
        shell_builtin_error(sh, "`%.*s': not a valid identifier", STR_ARG(name));
        return 1;
    }
    struct sym *s = sym_intern(sh, name);
    if (!s)
        return 1;
    return var_set(sh, s, value, 0) < 0 ? 2 : 0;
}

static int getopts_finish(struct getopts *g, struct str name, int r)
{
    struct shell *sh = g->sh;
    struct str letter = str_of(&g->opt, 1);
    struct sym *optarg = sym_of(SYM_OPTARG);
    var_set_int(sh, sym_of(SYM_OPTIND), g->ind);
    sh->getopts_ind = g->ind;
    sh->getopts_at = g->at;
    if (r == 0) {
        if (g->arg.p)
            var_set(sh, optarg, g->arg, 0);
        else
            var_unset(sh, optarg, VAR_NOREF);
        return getopts_bind(sh, name, letter);
    }
    if (r != GETOPTS_END && g->silent)
        var_set(sh, optarg, letter, 0);
    else
        var_unset(sh, optarg, VAR_NOREF);
    int status = getopts_bind(sh, name, r == GETOPTS_MISSING && g->silent ? STR(":") : STR("?"));
    return r == GETOPTS_END ? 1 : status;
}

static int getopts_run(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state o = {.at = 1};
    if (argc > 1 && builtin_getopt(sh, &o, argv, argc, "") != -1)
        return builtin_usage(sh);
    if (argc - o.at < 2)
        return builtin_usage(sh);
    struct getopts g = {.sh = sh, .spec = argv[o.at], .ind = sh->getopts_ind, .at = sh->getopts_at};
    if (g.spec.n && g.spec.p[0] == ':') {
        g.silent = true;
        g.spec = str_from(g.spec, 1);
    }
    if (argc - o.at > 2) {
        g.args = argv + o.at + 2;
        g.n = argc - o.at - 2;
    } else if (sh->params) {
        g.args = sh->params->p + sh->from;
        g.n = (int)(sh->params->n - sh->from);
    }
    if (g.ind < 1) {
        g.ind = 1;
        g.at = 0;
    }
    return getopts_finish(&g, argv[o.at + 1], getopts_next(&g));
}

const struct builtin builtin_getopts = {
    .name = "getopts",
    .run = getopts_run,
    .usage = "getopts optstring name [arg ...]",
    .summary = "Take the next option out of the arguments.\n"
               "\n"
               "OPTSTRING holds the letters of the options, a colon behind those that have an\n"
               "argument. Each call puts the next letter into NAME, its argument into OPTARG and\n"
               "the place of the next word into OPTIND. The positional parameters are looked at\n"
               "unless ARGs are given.\n"
               "\n"
               "A wrong option gives `?' and a message; OPTERR=0 keeps it quiet. If OPTSTRING\n"
               "begins with a colon there is no message, OPTARG is the letter, and a missing\n"
               "argument gives `:'.\n"
               "\n"
               "Exit Status:\n"
               "Zero as long as there are options.",
};

/* ---- let ------------------------------------------------------------------------------------- */

static int let_run(struct shell *sh, struct str *argv, int argc)
{
    int64_t v = 0;
    int i = 1;
    if (builtin_help_asked(sh, argv, argc, 1))
        return 2;
    if (i < argc && str_eqz(argv[i], "--"))
        i++;
    if (i >= argc) {
        shell_builtin_error(sh, "expression expected");
        return 1;
    }
    const char *outer = sh->arith_name;
    int r = 0;
    sh->arith_name = "let";
    for (; i < argc && r >= 0; i++)
        r = arith_string(sh, argv[i], &v);
    sh->arith_name = outer;
    if (r < 0 && sh->ctl == CTL_ABORT) /* a wrong expression is only a failed command here */
        sh->ctl = CTL_NONE;
    return r < 0 || v == 0;
}

const struct builtin builtin_let = {
    .name = "let",
    .run = let_run,
    .usage = "let arg [arg ...]",
    .summary = "Evaluate arithmetic.\n"
               "\n"
               "Each ARG is an expression on 64-bit integers, as in $((...)); overflow is not\n"
               "checked, division by zero is an error.\n"
               "\n"
               "Operators, those that bind tightest first:\n"
               "  id++ id--\tafterwards\n"
               "  ++id --id\tbefore\n"
               "  - + ! ~\tof one operand\n"
               "  **\tpower\n"
               "  * / %\n"
               "  + -\n"
               "  << >>\n"
               "  <= >= < >\n"
               "  == !=\n"
               "  &\n"
               "  ^\n"
               "  |\n"
               "  &&\n"
               "  ||\n"
               "  a ? b : c\n"
               "  = *= /= %= += -= <<= >>= &= ^= |=\n"
               "\n"
               "Exit Status:\n"
               "One if the last ARG is 0, else zero.",
};

/* ---- test ------------------------------------------------------------------------------------ */

const struct builtin builtin_test = {
    .name = "test",
    .run = test_run,
    .usage = "test [expr]",
    .summary = "Evaluate a condition.\n"
               "\n"
               "Files:\n"
               "  -a FILE, -e FILE\texists\n"
               "  -b -c -d -f -h -L -p -S FILE\tis a block device, character device, folder,\n"
               "    \tregular file, symbolic link (-h, -L), fifo, socket\n"
               "  -r -w -x FILE\tmay be read, written, executed\n"
               "  -g -k -u FILE\thas the set-group-id, sticky, set-user-id bit\n"
               "  -O -G FILE\tbelongs to you, to your group\n"
               "  -s FILE\tis not empty\n"
               "  -N FILE\twas changed since it was last read\n"
               "  -t FD\tis a terminal\n"
               "  A -nt B, A -ot B, A -ef B\tis newer, is older, is the same file\n"
               "\n"
               "Texts:\n"
               "  -z S, -n S, S\tis empty, is not, is not\n"
               "  A = B, A == B, A != B, A < B, A > B\n"
               "\n"
               "The rest:\n"
               "  -o OPTION\tis switched on\n"
               "  -v VAR, -R VAR\tis set, is set and a reference\n"
               "  A -eq -ne -lt -le -gt -ge B\tintegers\n"
               "  ! E, E -a E, E -o E, ( E )\n"
               "\n"
               "Exit Status:\n"
               "Zero if the condition holds, one if not, two if it cannot be understood.",
};

const struct builtin builtin_bracket = {
    .name = "[",
    .run = test_run,
    .usage = "[ arg... ]",
    .summary = "Evaluate a condition.\n"
               "\n"
               "The same as `test', with a last argument `]'.\n"
               "\n"
               "Exit Status:\n"
               "As for `test'.",
};

/* ---- bind ------------------------------------------------------------------------------------ */

/* Scripts that set keys must not fail: bash without line editing warns and goes on. */
static int bind_run(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {.at = 1};
    int c;
    shell_builtin_error(sh, "warning: line editing not enabled");
    while ((c = builtin_getopt(sh, &g, argv, argc, "lvpVPsSXf:q:u:m:r:x:")) != -1) {
        if (c == '?')
            return builtin_usage(sh);
        if (c == 'f') {
            struct stat_info st;
            int r = vfs_stat(sh->proc, g.arg, 0, &st);
            if (r < 0) {
                shell_builtin_error(sh, "%.*s: cannot read: %s", STR_ARG(g.arg), error_text(r));
                return 1;
            }
        }
    }
    return 0;
}

const struct builtin builtin_bind = {
    .name = "bind",
    .run = bind_run,
    .usage = "bind [-lpsvPSVX] [-m keymap] [-f filename] [-q name] [-u name] [-r keyseq] [-x "
             "keyseq:shell-command] [keyseq:readline-function or readline-command]",
    .summary = "Set keys of the line editor.\n"
               "\n"
               "There is no line editor here: options are checked and have no effect.\n"
               "\n"
               "Exit Status:\n"
               "Zero unless an option is wrong.",
};

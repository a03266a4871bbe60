/* builtin_control.c -- : . source eval break continue return exit shift exec caller times logout */
#include "shell/builtin_control.h"

#include "base/error.h"
#include "base/fmt.h"
#include "shell/inner.h"

static int control_colon(struct shell *sh, struct str *argv, int argc)
{
    (void)sh, (void)argv, (void)argc;
    return 0;
}

/* ---- numbers --------------------------------------------------------------------------------- */

enum {
    CONTROL_NONE = 1 /* no argument */,
    CONTROL_BAD = 2
};

/* The only operand as a number, as break, shift, return and exit take it. */
static int control_number(struct shell *sh, struct str *argv, int argc, int64_t *n)
{
    int at = 1;
    if (argc > 1 && str_eq(argv[1], STR("--")))
        at = 2;
    if (at >= argc)
        return CONTROL_NONE;
    if (str_int(str_trim(argv[at]), n) < 0) {
        shell_builtin_error(sh, "%.*s: numeric argument required", STR_ARG(argv[at]));
        return CONTROL_BAD;
    }
    if (at + 1 < argc) {
        shell_builtin_error(sh, "too many arguments");
        return -1;
    }
    return 0;
}

static bool control_wants_help(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {0};
    if (argc != 2 || !str_eq(argv[1], STR("--help")))
        return false;
    builtin_getopt(sh, &g, argv, argc, "");
    sh->help_shown = false;
    return true;
}

static int control_loop(struct shell *sh, struct str *argv, int argc, enum ctl ctl)
{
    int64_t n = 1;
    if (control_wants_help(sh, argv, argc))
        return 2;
    if (!sh->loops) {
        if (SH_OPT(sh, OPT_POSIX))
            return 0;
        shell_builtin_error(sh, "only meaningful in a `for', `while', or `until' loop");
        return 0;
    }
    int r = control_number(sh, argv, argc, &n);
    if (r == CONTROL_BAD || r < 0) {
        sh->status = r < 0 ? 1 : sh->status | 128;
        sh->ctl = sh->interactive ? CTL_ABORT : CTL_EXIT;
        return sh->status;
    }
    if (n <= 0) {
        shell_builtin_error(sh, "%.*s: loop count out of range", STR_ARG(argv[argc - 1]));
        sh->ctl = CTL_BREAK;
        sh->ctl_n = sh->loops;
        return sh->status = 1;
    }
    sh->ctl = (uint8_t)ctl;
    sh->ctl_n = (int)MIN(n, (int64_t)sh->loops);
    return sh->status = 0;
}

static int control_break(struct shell *sh, struct str *argv, int argc)
{
    return control_loop(sh, argv, argc, CTL_BREAK);
}

static int control_continue(struct shell *sh, struct str *argv, int argc)
{
    return control_loop(sh, argv, argc, CTL_CONTINUE);
}

static int control_return(struct shell *sh, struct str *argv, int argc)
{
    int64_t n = sh->in_trap && sh->trap_running & TRAP_BIT_DEBUG ? sh->trap_status : sh->status;
    if (control_wants_help(sh, argv, argc))
        return 2;
    int r = control_number(sh, argv, argc, &n);
    if (r < 0) {
        shell_fatal(sh, 1);
        return 1;
    }
    if (r == CONTROL_BAD)
        n = 2;
    if (!sh->depth && !sh->sourcing) {
        shell_builtin_error(sh, "can only `return' from a function or sourced script");
        return 2;
    }
    sh->ctl = CTL_RETURN;
    return sh->status = (int)(n & 255);
}

static int control_exit(struct shell *sh, struct str *argv, int argc)
{
    int64_t n = sh->in_trap ? sh->trap_status : sh->status;
    if (control_wants_help(sh, argv, argc))
        return 2;
    if (sh->interactive)
        proc_puts(sh->proc, 2, sh->login ? STR("logout\n") : STR("exit\n"));
    int r = control_number(sh, argv, argc, &n);
    if (r < 0) {
        shell_fatal(sh, 1);
        return 1;
    }
    if (r == CONTROL_BAD)
        n = 2;
    sh->ctl = CTL_EXIT;
    return sh->status = (int)(n & 255);
}

static int control_logout(struct shell *sh, struct str *argv, int argc)
{
    if (!sh->login) {
        shell_builtin_error(sh, "not login shell: use `exit'");
        return 1;
    }
    return control_exit(sh, argv, argc);
}

static int control_shift(struct shell *sh, struct str *argv, int argc)
{
    int64_t n = 1, have = sh->params ? (int64_t)(sh->params->n - sh->from) : 0;
    if (control_wants_help(sh, argv, argc))
        return 2;
    int r = control_number(sh, argv, argc, &n);
    if (r < 0) /* too many */
        sh->ctl = sh->interactive ? CTL_ABORT : CTL_EXIT;
    if (r < 0 || r == CONTROL_BAD)
        return sh->status = 1;
    if (n < 0 || n > have) {
        if (n < 0 || SH_SHOPT(sh, SHOPT_SHIFT_VERBOSE))
            shell_builtin_error(sh, "%.*s: shift count out of range",
                                STR_ARG(argc > 1 ? argv[argc - 1] : STR("1")));
        return 1;
    }
    sh->from += (size_t)n;
    return 0;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static int control_eval(struct shell *sh, struct str *argv, int argc)
{
    struct buf b;
    int at;
    if (!builtin_no_options(sh, argv, argc, &at))
        return 2;
    if (at >= argc)
        return 0;
    sh->trace_level++;
    sh->this_name = "eval";
    int status;
    if (at + 1 == argc) {
        status = shell_run_text(sh, argv[at], TEXT_EVAL, sh->line);
    } else {
        buf_init(&b, sh->heap);
        for (int i = at; i < argc; i++) {
            if (i > at)
                buf_putc(&b, ' ');
            buf_str(&b, argv[i]);
        }
        status = shell_run_text(sh, buf_get(&b), TEXT_EVAL, sh->line);
        buf_fini(&b);
    }
    sh->trace_level--;
    return status;
}

/* Where a file to be sourced is: by path, or on PATH, or in the current folder. */
static struct str control_source_path(struct shell *sh, struct str name)
{
    struct str list = STR_NONE, path;
    size_t at = 0;
    int err;
    struct stat_info st;
    if (memchr(name.p, '/', name.n) || !SH_SHOPT(sh, SHOPT_SOURCEPATH))
        return name;
    if (var_strz(sh, "PATH", &list) && list.n)
        while (find_next(sh, list, &at, name, &path, &err))
            if (vfs_access(sh->proc, path, 4) >= 0)
                return path;
    if (SH_OPT(sh, OPT_POSIX))
        return STR_NONE;
    return vfs_stat(sh->proc, name, 0, &st) >= 0 ? name : STR_NONE;
}

static int control_source_text(struct shell *sh, struct str name, struct str text, struct str *args,
                               int nargs)
{
    struct params *params = NULL;
    struct trap_saved traps = {0};
    if (nargs && !(params = params_new(sh, args, (size_t)nargs)))
        return 1;
    struct frame frame = {.up = sh->frame,
                          .name = STR("source"),
                          .file = name,
                          .line = sh->line,
                          .params = sh->params,
                          .from = sh->from,
                          .loops = sh->loops,
                          .source = true,
                          .args = SH_SHOPT(sh, SHOPT_EXTDEBUG)};
    if (params) {
        sh->params = params;
        sh->from = 0;
    }
    if (!SH_OPT(sh, OPT_FUNCTRACE))
        trap_hide(sh, TRAP_BIT_DEBUG, &traps);
    int line = sh->line;
    sh->frame = &frame;
    sh->sourcing++;
    sh->trace_level++;
    shell_run_text(sh, text, TEXT_SOURCE, 1);
    sh->trace_level--;
    if (sh->ctl == CTL_RETURN)
        sh->ctl = CTL_NONE;
    if (sh->ctl == CTL_NONE && sh->trap_special & TRAP_BIT_RETURN)
        trap_run(sh, TRAP_RETURN);
    sh->sourcing--;
    sh->frame = frame.up;
    sh->line = line;
    trap_unhide(sh, &traps);
    if (params) {
        /* `set --` inside of it goes with the arguments. */
        params_unref(sh, sh->params);
        sh->params = frame.params;
        sh->from = frame.from;
    }
    return sh->status;
}

static int control_source_missing(struct shell *sh, struct str name, int err)
{
    if (err == HOB_ENOENT && SH_OPT(sh, OPT_POSIX) && str_chr(name, '/') < 0)
        shell_builtin_error(sh, "%.*s: file not found", STR_ARG(name));
    else if (err == HOB_EISDIR)
        shell_builtin_error(sh, "%.*s: is a directory", STR_ARG(name));
    else
        shell_error(sh, "%.*s: %s", STR_ARG(name), error_text(err));
    if (SH_OPT(sh, OPT_POSIX))
        shell_fatal(sh, 1);
    else if (sh->trap_special & TRAP_BIT_RETURN)
        trap_run(sh, TRAP_RETURN);
    return 1;
}

static int control_source(struct shell *sh, struct str *argv, int argc)
{
    struct buf text;
    int at;
    if (!builtin_no_options(sh, argv, argc, &at))
        return 2;
    if (at >= argc) {
        shell_builtin_error(sh, "filename argument required");
        return builtin_usage(sh);
    }
    if (sh->restricted && str_chr(argv[at], '/') >= 0) {
        shell_builtin_error(sh, "%.*s: restricted", STR_ARG(argv[at]));
        return 1;
    }
    if (task_stack_low(sh->proc->task))
        return eval_too_deep(sh);
    struct str path = control_source_path(sh, argv[at]);
    if (!path.p)
        return control_source_missing(sh, argv[at], HOB_ENOENT);
    struct stat_info st;
    int r = vfs_stat(sh->proc, path, 0, &st);
    if (r >= 0 && MODE_IS_DIR(st.mode))
        r = HOB_EISDIR;
    if (r < 0)
        return control_source_missing(sh, argv[at], r);
    buf_init(&text, sh->heap);
    r = text_read_file(sh, path, &text);
    int status;
    if (r < 0) {
        status = r == HOB_EKILLED ? eval_killed(sh) : control_source_missing(sh, argv[at], r);
    } else {
        struct str name = arena_str(&sh->arena, path);
        status = control_source_text(sh, name, buf_get(&text), argv + at + 1, argc - at - 1);
    }
    buf_fini(&text);
    return status;
}

/* ---- exec ------------------------------------------------------------------------------------ */

static int control_exec_failed(struct shell *sh, struct str name, int err)
{
    int status = 126;
    if (err == HOB_ENOENT) {
        status = 127;
        if (memchr(name.p, '/', name.n))
            shell_error(sh, "%.*s: %s", STR_ARG(name), error_text(err));
        else
            shell_builtin_error(sh, "%.*s: not found", STR_ARG(name));
    } else if (err == HOB_EISDIR) {
        shell_error(sh, "%.*s: %s", STR_ARG(name), error_text(HOB_EISDIR));
    } else {
        shell_error(sh, "%.*s: %s", STR_ARG(name), error_text(err));
        shell_builtin_error(sh, "%.*s: cannot execute: %s", STR_ARG(name), error_text(err));
    }
    if (!SH_SHOPT(sh, SHOPT_EXECFAIL) && !sh->interactive) {
        sh->status = status;
        sh->ctl = CTL_EXIT;
    }
    return status;
}

/* An environment with nothing in it, for exec -c. */
static bool control_no_env(void *ctx, struct str name, struct str *value)
{
    (void)ctx, (void)name, (void)value;
    return false;
}

static int control_no_env_each(void *ctx, int (*fn)(void *ud, struct str n, struct str v), void *ud)
{
    (void)ctx, (void)fn, (void)ud;
    return 0;
}

static const struct env_ops control_empty_env = {control_no_env, control_no_env_each};

/* What takes the place of this shell is not one level deeper. */
static void control_exec_level(struct shell *sh)
{
    struct str old;
    int64_t level = 0;
    char digits[24];
    if (sh->forked || !var_strz(sh, "SHLVL", &old) || str_int(str_trim(old), &level) < 0)
        return;
    var_setz(sh, "SHLVL", str_of(digits, fmt_int(digits, level > 0 ? level - 1 : 0)));
}

static int control_exec(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {0};
    struct str name0 = STR_NONE;
    bool clear = false, login = false;
    struct found f;
    for (int c; (c = builtin_getopt(sh, &g, argv, argc, "cla:")) != -1;) {
        switch (c) {
        case 'c': clear = true; break;
        case 'l': login = true; break;
        case 'a': name0 = g.arg; break;
        default: return builtin_usage(sh);
        }
    }
    if (g.at >= argc) {
        sh->keep_redirs = true;
        return 0;
    }
    argv += g.at;
    argc -= g.at;
    if (sh->restricted) {
        shell_builtin_error(sh, "restricted");
        return 1;
    }
    find_command(sh, argv[0], RUN_NO_FUNC | RUN_NO_BUILTIN, &f);
    if (f.err < 0)
        return control_exec_failed(sh, argv[0], f.err);
    struct str *words = arena_array(&sh->arena, struct str, argc + 1);
    if (!words)
        return 126;
    memcpy(words, argv, (size_t)argc * sizeof *words);
    if (name0.p)
        words[0] = name0;
    if (login)
        words[0] = arena_printf(&sh->arena, "-%.*s", STR_ARG(words[0]));
    if (clear) {
        sh->proc->env = &control_empty_env;
        sh->proc->env_ctx = NULL;
    }
    control_exec_level(sh);
    /* Traps do not survive exec, and what runs now is the process itself. */
    sh->keep_redirs = true;
    sh->proc->sig_caught = 0;
    sh->trap_signals = 0;
    sh->trap_special = 0;
    sh->exiting = true;
    int status = run_found(sh, &f, words, argc, true);
    sh->proc->env = &var_env_ops;
    sh->proc->env_ctx = sh;
    sh->ctl = proc_check(sh->proc) < 0 ? CTL_KILLED : CTL_EXIT;
    return sh->status = status;
}

/* ---- where we are, how long it took ---------------------------------------------------------- */

static int control_caller(struct shell *sh, struct str *argv, int argc)
{
    int64_t skip = -1;
    struct frame *f = sh->frame;
    int at;
    bool help = argc == 2 && str_eqz(argv[1], "--help");
    if (!help && (!f || (!f->fn && !f->source)))
        return 1;
    if (!builtin_no_options(sh, argv, argc, &at))
        return 2;
    if (at < argc && (str_int(argv[at], &skip) < 0 || skip < 0)) {
        shell_builtin_error(sh, "%.*s: invalid number", STR_ARG(argv[at]));
        return builtin_usage(sh);
    }
    for (int64_t i = 0; i < skip && f; i++)
        f = f->up;
    if (!f || (!f->fn && !f->source))
        return 1;
    struct frame *up = f->up;
    struct buf b;
    struct str file = up && up->file.n ? up->file : STR_NONE;
    if (skip >= 0 && !up)
        return 1;
    buf_init(&b, sh->heap);
    if (skip < 0)
        buf_printf(&b, "%d %s\n", f->line, file.p ? file.p : "NULL");
    else
        buf_printf(&b, "%d %.*s %s\n", f->line, STR_ARG(up->name), file.p ? file.p : "NULL");
    builtin_out(sh, &b);
    buf_fini(&b);
    return 0;
}

static void control_times_pair(struct buf *b, int64_t user)
{
    int64_t ms = user / 1000000;
    buf_printf(b, "%lldm%lld.%03llds 0m0.000s\n", (long long)(ms / 60000),
               (long long)(ms / 1000 % 60), (long long)(ms % 1000));
}

static int control_times(struct shell *sh, struct str *argv, int argc)
{
    const struct host *h = sh->kernel->host;
    struct buf b;
    int at;
    if (!builtin_no_options(sh, argv, argc, &at))
        return 2;
    buf_init(&b, sh->heap);
    control_times_pair(&b, h->cpu && !sh->kernel->sched.virtual_clock ? h->cpu(h->ud) : 0);
    control_times_pair(&b, 0);
    builtin_out(sh, &b);
    buf_fini(&b);
    return 0;
}

/* ---- entries --------------------------------------------------------------------------------- */

const struct builtin builtin_colon = {":", control_colon, BUILTIN_SPECIAL, ":",
                                      "Does nothing, successfully; its words are expanded."};
const struct builtin builtin_dot = {
    ".", control_source, BUILTIN_SPECIAL, ". filename [arguments]",
    "Runs the commands of a file in this shell.\n"
    "A name without a slash is looked for on PATH. Arguments become the positional parameters\n"
    "while it runs. The status is that of its last command."};
const struct builtin builtin_source = {
    "source", control_source, BUILTIN_SPECIAL, "source filename [arguments]",
    "Runs the commands of a file in this shell.\n"
    "A name without a slash is looked for on PATH. Arguments become the positional parameters\n"
    "while it runs. The status is that of its last command."};
const struct builtin builtin_eval = {"eval", control_eval, BUILTIN_SPECIAL, "eval [arg ...]",
                                     "Joins its arguments with blanks and runs the result as a\n"
                                     "command of this shell."};
const struct builtin builtin_break = {
    "break", control_break, BUILTIN_SPECIAL, "break [n]",
    "Leaves a for, while, until or select loop.\nWith n, leaves n enclosing loops."};
const struct builtin builtin_continue = {
    "continue", control_continue, BUILTIN_SPECIAL, "continue [n]",
    "Goes on with the next turn of a loop.\nWith n, that of the n-th enclosing loop."};
const struct builtin builtin_return = {
    "return", control_return, BUILTIN_SPECIAL, "return [n]",
    "Leaves a function or a sourced file with status n, or that of the last command."};
const struct builtin builtin_exit = {"exit", control_exit, BUILTIN_SPECIAL, "exit [n]",
                                     "Ends the shell with status n, or that of the last command."};
const struct builtin builtin_logout = {"logout", control_logout, 0, "logout [n]",
                                       "Ends a login shell with status n."};
const struct builtin builtin_shift = {
    "shift", control_shift, BUILTIN_SPECIAL, "shift [n]",
    "Renames the positional parameters $n+1, $n+2 ... to $1, $2 ...; n is 1 if not given."};
const struct builtin builtin_exec = {
    "exec", control_exec, BUILTIN_SPECIAL,
    "exec [-cl] [-a name] [command [argument ...]] [redirection ...]",
    "Replaces the shell by a command.\n"
    "Without a command the redirections stay in effect for this shell.\n"
    "  -a name  is passed to the command as its own name\n"
    "  -c       with an empty environment\n"
    "  -l       as a login shell: a dash in front of its name"};
const struct builtin builtin_caller = {
    "caller", control_caller, 0, "caller [expr]",
    "Tells where the running function or sourced file was called from.\n"
    "With a number, that many calls further up, with the name of the function."};
const struct builtin builtin_times = {"times", control_times, BUILTIN_SPECIAL, "times",
                                      "Prints the time used by the shell and by its children."};

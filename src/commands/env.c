/* env.c -- run a command in a changed environment, or print the environment */
#include "shell/command.h"

#include "base/error.h"
#include "base/fmt.h"
#include "base/map.h"
#include "base/utf8.h"
#include "commands/lib/launch.h"

struct env {
    bool clear, null, debug, list;
    struct str dir;
    struct strs unset;
    struct strs words;                      /* of -S: stand before the operands */
    uint64_t ignore, reset, block, unblock; /* signals */
    uint64_t named;                         /* those that were not meant as a part of all */
};

static int env_unset(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct env *e = args;
    (void)o;
    if (arg.n == 0 || str_chr(arg, '=') >= 0) {
        proc_warn(p, "cannot unset %s: Invalid argument", proc_quote(p, arg));
        return 126;
    }
    return proc_push(p, &e->unset, arg) ? 0 : 126;
}

static int env_split(struct proc *p, void *args, const struct opt *o, struct str arg);
static int env_signals(struct proc *p, void *args, const struct opt *o, struct str arg);

static const struct opt env_opts[] = {
    OPT_FLAG('i', "ignore-environment", struct env, clear, "start with an empty environment"),
    OPT_FLAG('0', "null", struct env, null, "end each line of output with NUL, not newline"),
    OPT_CALL('u', "unset", env_unset, "NAME", "remove a variable from the environment"),
    OPT_STRING('C', "chdir", struct env, dir, "DIR", "change the working folder to DIR"),
    OPT_CALL('S', "split-string", env_split, "S", "split S into several arguments, for #! lines"),
    OPT_CALL_OPTIONAL(0, "block-signal", env_signals, "SIG",
                      "hold signals back, so that they do nothing"),
    OPT_CALL_OPTIONAL(0, "default-signal", env_signals, "SIG", "give signals their default action"),
    OPT_CALL_OPTIONAL(0, "ignore-signal", env_signals, "SIG", "have signals ignored"),
    OPT_FLAG(0, "list-signal-handling", struct env, list,
             "tell on standard error which signals are ignored or held back"),
    OPT_FLAG('v', "debug", struct env, debug, "tell about each step on standard error"),
    OPT_END,
};

static int env_signals(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct env *e = args;
    uint64_t set = 0;

    /* All but those that nobody can change, and two that the C library keeps for itself. */
    if (!arg.p)
        set = ~(SIG_BIT(SIG_KILL) | SIG_BIT(SIG_STOP) | SIG_BIT(32) | SIG_BIT(33));
    while (arg.n) {
        ptrdiff_t comma = str_chr(arg, ',');
        struct str name = str_sub(arg, 0, comma < 0 ? arg.n : (size_t)comma);
        int sig = signal_number(name);
        if (sig <= 0) {
            proc_warn(p, "%s: invalid signal", proc_quote(p, name));
            proc_usage(p);
            return 126;
        }
        set |= SIG_BIT(sig);
        if (o->name[0] != 'b')
            e->named |= SIG_BIT(sig);
        arg = str_from(arg, name.n + 1);
    }
    if (o->name[0] == 'b') {
        e->block |= set & ~(SIG_BIT(SIG_KILL) | SIG_BIT(SIG_STOP));
        e->unblock &= ~set;
        return 0;
    }
    /* The last word about a signal counts. */
    e->ignore = o->name[0] == 'd' ? e->ignore & ~set : e->ignore | set;
    e->reset = o->name[0] == 'd' ? e->reset | set : e->reset & ~set;
    if (o->name[0] == 'd') {
        e->block &= ~set;
        e->unblock |= set;
    }
    return 0;
}

static const char *env_signal_name(int sig, char out[16])
{
    if (sig >= SIG_RTMIN)
        fmt_print(out, 16,
                  sig == SIG_RTMIN   ? "RTMIN"
                  : sig == SIG_RTMAX ? "RTMAX"
                  : sig < 50         ? "RTMIN+%d"
                                     : "RTMAX-%d",
                  sig < 50 ? sig - SIG_RTMIN : SIG_RTMAX - sig);
    else
        fmt_print(out, 16, "%s", sig == SIG_IO ? "POLL" : signal_name(sig));
    return out;
}

/* Sets what was asked for and tells of it. 0, or a status after a message. What is held back stays
 * so for a command that does not know about it: that is to be ignored. */
static int env_handle_signals(struct proc *p, struct env *e)
{
    char name[16];

    for (int sig = 1; sig <= SIG_RTMAX; sig++) {
        bool fixed = sig == SIG_KILL || sig == SIG_STOP;
        if (!((e->ignore | e->reset) & SIG_BIT(sig)))
            continue;
        if (fixed && e->named & SIG_BIT(sig)) {
            proc_warn(p, "failed to set signal action for signal %d: Invalid argument", sig);
            return 125;
        }
        if (e->debug)
            proc_printf_err(p, "Reset signal %s (%d) to %s\n", env_signal_name(sig, name), sig,
                            e->ignore & SIG_BIT(sig) ? "IGNORE" : "DEFAULT");
    }
    p->sig_ignored = (p->sig_ignored & ~e->reset) | e->ignore;
    for (int sig = 1; e->debug && sig <= SIG_RTMAX; sig++)
        if ((e->block | e->unblock) & SIG_BIT(sig))
            proc_printf_err(p, "signal %s (%d) mask set to %s\n", env_signal_name(sig, name), sig,
                            e->block & SIG_BIT(sig) ? "BLOCK" : "UNBLOCK");
    for (int sig = 1; e->list && sig <= SIG_RTMAX; sig++) {
        bool ignored = p->sig_ignored & SIG_BIT(sig), blocked = e->block & SIG_BIT(sig);
        if (ignored || blocked)
            proc_printf_err(p, "%-10s (%2d): %s%s%s\n", env_signal_name(sig, name), sig,
                            blocked ? "BLOCK" : "", blocked && ignored ? "," : "",
                            ignored ? "IGNORE" : "");
    }
    p->sig_ignored |= e->block;
    return 0;
}

/* ---- -S ------------------------------------------------------------------------------------- */

struct env_splitter {
    struct proc *p;
    struct str s;
    size_t i;
    struct buf word;
    bool open; /* a word has begun, be it empty */
};

static int env_split_error(struct env_splitter *s, const char *text)
{
    proc_warn(s->p, "%s", text);
    return 126;
}

/* ${NAME} */
static int env_split_variable(struct env_splitter *s)
{
    size_t at = s->i + 2, end = at;
    struct str value;

    while (end < s->s.n && (ascii_alnum(s->s.p[end]) || s->s.p[end] == '_'))
        end++;
    if (s->i + 1 >= s->s.n || s->s.p[s->i + 1] != '{' || end == at || ascii_digit(s->s.p[at]) ||
        end >= s->s.n || s->s.p[end] != '}') {
        proc_warn(s->p, "only ${VARNAME} expansion is supported, error at: %s", s->s.p + s->i);
        return 126;
    }
    if (proc_getenv(s->p, str_sub(s->s, at, end - at), &value))
        buf_str(&s->word, value);
    s->i = end + 1;
    s->open = true;
    return 0;
}

/* A backslash. 1: \c, the rest is not looked at. */
static int env_split_escape(struct env_splitter *s, char quote)
{
    static const char from[] = "fnrtv#$_\"'\\", to[] = "\f\n\r\t\v#$ \"'\\";
    char c = s->i + 1 < s->s.n ? s->s.p[s->i + 1] : '\0';
    const char *at = c ? strchr(from, c) : NULL;

    if (quote == '\'' && c != '\\' && c != '\'') {
        buf_putc(&s->word, '\\');
        s->i++;
        return 0;
    }
    if (c == 'c' && !quote)
        return 1;
    if (c == 'c')
        return env_split_error(s, "'\\c' must not appear in double-quoted -S string");
    if (c == '\0')
        return env_split_error(s, "invalid backslash at end of string in -S");
    if (!at) {
        proc_warn(s->p, "invalid sequence '\\%c' in -S", c);
        return 126;
    }
    s->i += 2;
    if (c == '_' && !quote)
        return 2; /* as a blank: ends the word */
    buf_putc(&s->word, to[at - from]);
    s->open = true;
    return 0;
}

static int env_split_end(struct env_splitter *s, struct env *e)
{
    if (!s->open)
        return 0;
    struct str w = arena_str(s->p->arena, buf_get(&s->word));
    s->open = false;
    buf_clear(&s->word);
    return w.p && proc_push(s->p, &e->words, w) ? 0 : 126;
}

static int env_split_all(struct env_splitter *s, struct env *e)
{
    char quote = '\0';
    int r = 0;

    while (s->i < s->s.n) {
        char c = s->s.p[s->i];
        if (c == '\\') {
            r = env_split_escape(s, quote);
            if (r == 1)
                break;
            if (r == 2)
                r = env_split_end(s, e);
            if (r)
                return r;
        } else if (c == '$' && quote != '\'') {
            if ((r = env_split_variable(s)) != 0)
                return r;
        } else if ((c == '"' || c == '\'') && (!quote || quote == c)) {
            quote = quote ? '\0' : c;
            s->open = true;
            s->i++;
        } else if (!quote && ascii_space(c)) {
            if ((r = env_split_end(s, e)) != 0)
                return r;
            s->i++;
        } else if (!quote && c == '#' && !s->open) {
            break;
        } else {
            buf_putc(&s->word, c);
            s->open = true;
            s->i++;
        }
    }
    if (quote)
        return env_split_error(s, "no terminating quote in -S string");
    return env_split_end(s, e);
}

static int env_split(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct env_splitter s = {.p = p, .s = arg};
    (void)o;
    struct env *e = args;
    size_t before = e->words.n;
    buf_init(&s.word, &p->kernel->heap);
    int r = env_split_all(&s, e);
    buf_fini(&s.word);
    if (r == 0 && e->debug) {
        proc_printf_err(p, "split -S:  %s\n", proc_quote(p, arg));
        for (size_t i = before; i < e->words.n; i++)
            proc_printf_err(p, "%s    %s\n", i == before ? " into:" : "     &",
                            proc_quote(p, e->words.p[i]));
    }
    return r;
}

/* ---- the environment ------------------------------------------------------------------------ */

struct env_table {
    struct proc *p;
    struct map map; /* name -> struct str * on the arena */
};

static int env_put(void *ud, struct str name, struct str value)
{
    struct env_table *t = ud;
    struct str *v = arena_new(t->p->arena, struct str);
    void **place = v ? map_put(&t->map, name) : NULL;
    if (!place)
        return HOB_ENOMEM;
    *v = value;
    *place = v;
    return 0;
}

static bool env_get(void *ctx, struct str name, struct str *value)
{
    struct env_table *t = ctx;
    struct str *v = map_value(&t->map, name);
    if (v)
        *value = *v;
    return v != NULL;
}

static int env_each(void *ctx, int (*fn)(void *ud, struct str name, struct str value), void *ud)
{
    struct env_table *t = ctx;
    for (struct map_entry *e = NULL; (e = map_next(&t->map, e));) {
        int r = fn(ud, e->key, *(struct str *)e->value);
        if (r)
            return r;
    }
    return 0;
}

static const struct env_ops env_table_ops = {env_get, env_each};

/* ---- run ------------------------------------------------------------------------------------ */

static int env_print(struct proc *p, struct env_table *t, bool null)
{
    struct out o;
    out_init(&o, p, 1);
    for (struct map_entry *e = NULL; (e = map_next(&t->map, e));) {
        out_str(&o, e->key);
        out_putc(&o, '=');
        out_str(&o, *(struct str *)e->value);
        out_putc(&o, null ? '\0' : '\n');
    }
    return command_close(p, &o, 0);
}

static int env_exec(struct proc *p, struct env *e, struct env_table *t, struct strs *words)
{
    struct exec_opts x = {.env = &env_table_ops, .env_ctx = t};
    struct buf cwd;
    uint64_t ignored = p->sig_ignored;
    int r = env_handle_signals(p, e);

    if (r) {
        p->sig_ignored = ignored;
        return r;
    }
    buf_init(&cwd, &p->kernel->heap);
    if (e->dir.p) {
        struct stat_info st;
        r = vfs_stat(p, e->dir, 0, &st);
        if (r == 0 && !MODE_IS_DIR(st.mode))
            r = HOB_ENOTDIR;
        if (r == 0)
            r = vfs_realpath(p, e->dir, false, &cwd);
        if (r < 0) {
            proc_warn(p, "cannot change directory to %s: %s", proc_quoteaf(p, e->dir),
                      error_text(r));
            buf_fini(&cwd);
            p->sig_ignored = ignored;
            return 125;
        }
        if (e->debug)
            proc_printf_err(p, "chdir:    %s\n", proc_quoteaf(p, e->dir));
        x.cwd = buf_get(&cwd);
    }
    if (e->debug) {
        proc_printf_err(p, "executing: %s\n", words->p[0].p);
        for (size_t i = 0; i < words->n; i++)
            proc_printf_err(p, "   arg[%zu]= %s\n", i, proc_quote(p, words->p[i]));
    }
    r = launch_run(p, words->p, (int)words->n, &x);
    p->sig_ignored = ignored;
    buf_fini(&cwd);
    if (r >= 0 || r == HOB_EKILLED || r == HOB_ENOMEM)
        return r;
    proc_warn(p, "%s: %s", proc_quote(p, words->p[0]), error_text(r));
    if (r == HOB_ENOENT && str_chr(words->p[0], ' ') >= 0)
        proc_warn(p, "use -[v]S to pass options in shebang lines");
    return r == HOB_ENOENT ? 127 : 126;
}

/* Fills the table: the old environment, -u, NAME=VALUE. Consumes those words. */
static int env_build(struct proc *p, struct env *e, struct env_table *t, struct strs *words)
{
    if (e->clear && e->debug)
        proc_printf_err(p, "cleaning environ\n");
    if (!e->clear && p->env->each(p->env_ctx, env_put, t) < 0)
        return HOB_ENOMEM;
    for (size_t i = 0; i < e->unset.n; i++) {
        if (e->debug)
            proc_printf_err(p, "unset:    %s\n", e->unset.p[i].p);
        map_del(&t->map, e->unset.p[i]);
    }
    while (words->n) {
        struct str w = words->p[0];
        ptrdiff_t eq = str_chr(w, '=');
        if (eq < 0)
            break;
        if (e->debug)
            proc_printf_err(p, "setenv:   %s\n", w.p);
        if (env_put(t, str_sub(w, 0, (size_t)eq), str_from(w, (size_t)eq + 1)) < 0)
            return HOB_ENOMEM;
        words->p++;
        words->n--;
    }
    return 0;
}

/* -S may bring options of its own: they are parsed with everything behind them. */
static int env_again(struct proc *p, struct env *e)
{
    struct str *argv = arena_array(p->arena, struct str, e->words.n + (size_t)p->argc + 1);
    int n = 0;
    if (!argv)
        return HOB_ENOMEM;
    argv[n++] = p->name;
    for (size_t i = 0; i < e->words.n; i++)
        argv[n++] = e->words.p[i];
    for (int i = 0; i < p->argc; i++)
        argv[n++] = p->argv[i];
    p->argv = argv;
    p->argc = n;
    return command_run(p, p->command);
}

static int env_run(struct proc *p, void *args)
{
    struct env *e = args;
    struct env_table t = {.p = p};
    struct strs words;
    int r;

    if (e->words.n && e->words.p[0].n > 1 && e->words.p[0].p[0] == '-')
        return env_again(p, e);
    words.p = arena_array(p->arena, struct str, e->words.n + (size_t)p->argc + 1);
    words.n = 0;
    map_init(&t.map, &p->kernel->heap);
    r = words.p ? 0 : HOB_ENOMEM;
    for (size_t i = 0; r == 0 && i < e->words.n; i++)
        words.p[words.n++] = e->words.p[i];
    for (int i = 0; r == 0 && i < p->argc; i++)
        words.p[words.n++] = p->argv[i];
    if (r == 0 && words.n && str_eqz(words.p[0], "-")) {
        e->clear = true;
        words.p++;
        words.n--;
    }
    if (r == 0)
        r = env_build(p, e, &t, &words);
    if (r == 0 && words.n && e->null) {
        proc_warn(p, "cannot specify --null (-0) with command");
        r = proc_usage(p);
    } else if (r == 0 && !words.n && e->dir.p) {
        proc_warn(p, "must specify command with --chdir (-C)");
        r = proc_usage(p);
    } else if (r == 0) {
        r = words.n ? env_exec(p, e, &t, &words) : env_print(p, &t, e->null);
    }
    map_fini(&t.map);
    return r;
}

const struct command cmd_env = {
    .name = "env",
    .usage = "[OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]",
    .summary = "Set each NAME to VALUE in the environment and run COMMAND.",
    .notes = "A lone - stands for -i. Without COMMAND the environment is printed.",
    .opts = env_opts,
    .args_size = sizeof(struct env),
    .flags = CMD_POSIXLY,
    .usage_status = 125,
    .run = env_run,
};

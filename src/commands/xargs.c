/* xargs.c -- build command lines from standard input and run them */
#include "shell/command.h"

#include "base/error.h"
#include "base/utf8.h"
#include "commands/lib/files.h"
#include "commands/lib/launch.h"
#include "shell/quote.h"

enum {
    XARGS_LIMIT = 128 * 1024,
    XARGS_FAILED = 123
};

struct xargs {
    bool ask, exit_if_large, no_run, trace, show_limits, open_tty;
    struct str file, delimiter, eof, replace, slot;
    int64_t max_lines, max_args, max_procs, max_chars;
    bool has_delim, replacing;
    char delim;

    struct proc *p;
    struct in in;
    struct str *argv;        /* the command, then arguments; on the heap */
    size_t argc, cap, fixed; /* fixed: words of the command */
    size_t chars, fixed_chars;
    struct arena_mark mark;
    int64_t lines; /* in the command being built */
    bool any_run, stop, bad_input;
    int status, running;
    int *slots; /* the processes that run, 0 where a place is free; on the heap */
    size_t nslots;
};

static int xargs_count(struct proc *p, struct str arg, char letter, int64_t least, int64_t *out)
{
    if (str_int(arg, out) < 0) {
        proc_warn(p, "invalid number \"%.*s\" for -%c option", STR_ARG(arg), letter);
        proc_usage(p);
        return 2;
    }
    if (*out < least) {
        proc_warn(p, "value %lld for -%c option should be >= %lld", (long long)*out, letter,
                  (long long)least);
        proc_usage(p);
        return 2;
    }
    return 0;
}

static void xargs_exclusive(struct proc *p, bool given, const char *was, const char *now)
{
    if (given)
        proc_warn(p,
                  "warning: options %s and %s are mutually exclusive, ignoring previous %s value",
                  was, now, was);
}

static int xargs_number(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct xargs *x = args;
    const char *now = o->letter == 'L' ? "-L" : "--max-lines/-l";
    int r;
    switch (o->letter) {
    case 'L':
    case 'l':
        x->max_lines = 1;
        r = arg.p ? xargs_count(p, arg, o->letter, 1, &x->max_lines) : 0;
        if (r)
            return r;
        xargs_exclusive(p, x->max_args, "--max-args", now);
        xargs_exclusive(p, x->replacing, "--replace", now);
        x->max_args = 0;
        x->replacing = false;
        return 0;
    case 'n':
        r = xargs_count(p, arg, 'n', 1, &x->max_args);
        if (x->replacing && x->max_args == 1) {
            x->max_args = 0;
        } else if (r == 0) {
            xargs_exclusive(p, x->max_lines, "--max-lines", "--max-args/-n");
            xargs_exclusive(p, x->replacing, "--replace", "--max-args/-n");
            x->max_lines = 0;
            x->replacing = false;
        }
        return r;
    case 'P': return xargs_count(p, arg, 'P', 0, &x->max_procs);
    default: return xargs_count(p, arg, 's', 1, &x->max_chars);
    }
}

static int xargs_replace(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct xargs *x = args;
    (void)o;
    x->replace = arg.p ? arg : STR("{}");
    xargs_exclusive(p, x->max_args, "--max-args", "--replace/-I/-i");
    xargs_exclusive(p, x->max_lines, "--max-lines", "--replace/-I/-i");
    x->replacing = true;
    x->max_args = x->max_lines = 0;
    return 0;
}

static int xargs_delim(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const char from[] = "abfnrtv\\", to[] = "\a\b\f\n\r\t\v\\";
    struct xargs *x = args;
    (void)o;
    x->has_delim = true; /* of -0 and -d the last one counts */
    if (!arg.p) {
        x->delim = '\0';
        return 0;
    }
    if (arg.n == 1) {
        x->delim = arg.p[0];
        return 0;
    }
    if (arg.n >= 2 && arg.p[0] == '\\') {
        const char *at = strchr(from, arg.p[1]);
        if (at && arg.n == 2) {
            x->delim = to[at - from];
            return 0;
        }
        int base = arg.p[1] == 'x' ? 16 : 8, v = 0;
        for (size_t i = arg.p[1] == 'x' ? 2 : 1; i < arg.n; i++) {
            int d = ascii_digit(arg.p[i]) ? arg.p[i] - '0' : (arg.p[i] | 32) - 'a' + 10;
            if (d < 0 || d >= base || v > 255)
                goto bad;
            v = v * base + d;
        }
        x->delim = (char)v;
        return 0;
    }
bad:
    proc_warn(p,
              "Invalid input delimiter specification %.*s: the delimiter must be either a single "
              "character or an escape sequence starting with \\.",
              STR_ARG(arg));
    return 2;
}

static int xargs_eof(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct xargs *x = args;
    (void)p;
    (void)o;
    x->eof = arg.p && arg.n ? arg : STR_NONE;
    return 0;
}

static int xargs_slot_var(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct xargs *x = args;
    (void)o;
    if (str_chr(arg, '=') >= 0) {
        proc_warn(p, "option --process-slot-var may not be set to a value which includes `='");
        return 2;
    }
    x->slot = arg;
    return 0;
}

static const struct opt xargs_opts[] = {
    OPT_CALL('0', "null", xargs_delim, NULL,
             "items end with NUL; quotes and backslashes mean nothing"),
    OPT_STRING('a', "arg-file", struct xargs, file, "FILE",
               "read items from FILE, not from standard input"),
    OPT_CALL('d', "delimiter", xargs_delim, "CHAR",
             "items end with CHAR; quotes and backslashes mean nothing"),
    OPT_CALL('E', NULL, xargs_eof, "END", "stop at an item END"),
    OPT_CALL_OPTIONAL('e', "eof", xargs_eof, "END", "the same; without END there is none"),
    OPT_CALL('I', NULL, xargs_replace, "R", "replace R in the command by each line of input"),
    OPT_CALL_OPTIONAL('i', "replace", xargs_replace, "R", "the same; R is {} when it is left out"),
    OPT_CALL('L', NULL, xargs_number, "MAX-LINES",
             "use at most MAX-LINES lines of input per command"),
    OPT_CALL_OPTIONAL('l', "max-lines", xargs_number, "MAX-LINES",
                      "the same; 1 when it is left out"),
    OPT_CALL('n', "max-args", xargs_number, "MAX-ARGS", "use at most MAX-ARGS items per command"),
    OPT_FLAG('o', "open-tty", struct xargs, open_tty,
             "give commands the terminal as standard input"),
    OPT_CALL('P', "max-procs", xargs_number, "MAX-PROCS",
             "run up to MAX-PROCS commands at a time; 0 is as many as possible"),
    OPT_FLAG('p', "interactive", struct xargs, ask, "ask before running commands"),
    OPT_CALL(0, "process-slot-var", xargs_slot_var, "VAR",
             "give VAR a value that no other command has that runs at the time"),
    OPT_FLAG('r', "no-run-if-empty", struct xargs, no_run,
             "do not run the command when there are no items"),
    OPT_CALL('s', "max-chars", xargs_number, "MAX-CHARS", "the longest command line"),
    OPT_FLAG(0, "show-limits", struct xargs, show_limits,
             "tell on standard error how long command lines may be"),
    OPT_FLAG('t', "verbose", struct xargs, trace, "show commands before running them"),
    OPT_FLAG('x', "exit", struct xargs, exit_if_large,
             "stop when a command line would be too long"),
    OPT_END,
};

static void xargs_defaults(struct proc *p, void *args)
{
    struct xargs *x = args;
    (void)p;
    x->max_procs = 1;
    x->max_chars = XARGS_LIMIT;
}

/* ---- running -------------------------------------------------------------------------------- */

/* What a finished command means for xargs. */
static void xargs_result(struct xargs *x, struct str name, int status, int sig)
{
    if (sig) {
        proc_warn(x->p, "%.*s: terminated by signal %d", STR_ARG(name), sig);
        x->status = 125;
        x->stop = true;
    } else if (status == 255) {
        proc_warn(x->p, "%.*s: exited with status 255; aborting", STR_ARG(name));
        x->status = 124;
        x->stop = true;
    } else if (status == 126 || status == 127) {
        x->status = status;
        x->stop = true;
    } else if (status) {
        x->status = XARGS_FAILED;
    }
}

static int xargs_reap(struct xargs *x, int down_to)
{
    while (x->running > down_to) {
        int status, sig, r = proc_wait(x->p, -1, INT64_MAX, &status, &sig);
        if (r == HOB_EINTR)
            continue;
        if (r < 0)
            return r == HOB_ECHILD ? (x->running = 0) : r;
        x->running--;
        for (size_t i = 0; i < x->nslots; i++)
            x->slots[i] = x->slots[i] == r ? 0 : x->slots[i];
        xargs_result(x, x->argv[0], status, sig);
    }
    return 0;
}

static void xargs_trace(struct xargs *x, struct str *argv, size_t n)
{
    struct buf b;
    buf_init(&b, &x->p->kernel->heap);
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_putc(&b, ' ');
        quote_add(&b, argv[i], QUOTE_SHELL_ESCAPE, NULL);
    }
    if (x->ask)
        buf_addz(&b, "?...");
    else
        buf_putc(&b, '\n');
    proc_puts(x->p, 2, buf_get(&b));
    buf_fini(&b);
}

/* -p: the answer comes from the terminal. Where there is none nobody agrees. */
static bool xargs_agreed(struct xargs *x)
{
    struct file *tty;
    char c = '\n', first = '\n';
    if (vfs_open(x->p, STR("/dev/tty"), FILE_READ, 0, &tty) < 0) {
        proc_printf_err(x->p, "\n");
        return false;
    }
    if (file_read(tty, x->p, &c, 1) == 1)
        first = c;
    while (c != '\n' && file_read(tty, x->p, &c, 1) == 1)
        continue;
    file_unref(tty);
    return first == 'y' || first == 'Y';
}

/* Finds a free place, and tells it to the command by --process-slot-var. */
static int xargs_take_slot(struct xargs *x, size_t *at, struct exec_opts *o)
{
    size_t i = 0;

    while (i < x->nslots && x->slots[i])
        i++;
    if (i == x->nslots) {
        int *more =
            heap_realloc(&x->p->kernel->heap, x->slots, i * sizeof *more, (i + 1) * sizeof *more);
        if (!more)
            return HOB_ENOMEM;
        x->slots = more;
        x->slots[x->nslots++] = 0;
    }
    *at = i;
    if (!x->slot.n)
        return 0;
    struct launch_env *env = arena_new(x->p->arena, struct launch_env);
    struct str value = arena_printf(x->p->arena, "%zu", i);
    if (!env || !value.p)
        return HOB_ENOMEM;
    *env = (struct launch_env){x->p, x->slot, value};
    o->env = &launch_env_ops;
    o->env_ctx = env;
    return 0;
}

/* Standard input of commands: the terminal, that of xargs, or nothing. */
static int xargs_input(struct xargs *x, struct file **out)
{
    *out = NULL;
    if (x->open_tty) {
        int r = vfs_open(x->p, STR("/dev/tty"), FILE_READ, 0, out);
        if (r < 0) {
            proc_warn(x->p, "%s: %s", proc_quote(x->p, STR("/dev/tty")), error_text(r));
            x->status = XARGS_FAILED;
        }
        return 0;
    }
    *out = x->file.p ? file_ref(proc_file(x->p, 0)) : memfile_null(x->p->kernel);
    return *out ? 0 : HOB_ENOMEM;
}

static int xargs_run_argv(struct xargs *x, struct str *argv, size_t n)
{
    struct exec_opts o = {0};
    struct file *null;
    size_t slot;
    int r;

    x->any_run = true;
    if (x->trace || x->ask)
        xargs_trace(x, argv, n);
    if (x->ask && !xargs_agreed(x))
        return 0;
    r = xargs_input(x, &null);
    if (r < 0 || !null)
        return r;
    o.fd0 = null;
    if (x->max_procs != 1) {
        r = x->max_procs ? xargs_reap(x, (int)x->max_procs - 1) : 0;
        if (r < 0 || x->stop) {
            file_unref(null);
            return r;
        }
        o.spawn = true;
    }
    r = xargs_take_slot(x, &slot, &o);
    if (r == 0)
        r = launch_run(x->p, argv, (int)n, &o);
    file_unref(null);
    if (r == HOB_ENOENT || r == HOB_EACCES) {
        proc_warn(x->p, "%s: %s", proc_quotef(x->p, argv[0]), error_text(r));
        x->status = r == HOB_ENOENT ? 127 : 126;
        x->stop = true;
        return 0;
    }
    if (r < 0)
        return r;
    if (o.spawn) {
        x->running++;
        x->slots[slot] = r;
    } else
        xargs_result(x, argv[0], r, 0);
    return proc_check(x->p);
}

/* Runs what has been collected and starts anew. */
static int xargs_flush(struct xargs *x)
{
    int r = xargs_run_argv(x, x->argv, x->argc);
    if (x->running == 0)
        arena_release(x->p->arena, x->mark);
    x->argc = x->fixed;
    x->chars = x->fixed_chars;
    x->lines = 0;
    return r;
}

static int xargs_push(struct xargs *x, struct str item)
{
    if (x->argc == x->cap) {
        size_t cap = x->cap ? x->cap * 2 : 64;
        struct str *more =
            heap_realloc(&x->p->kernel->heap, x->argv, x->cap * sizeof *more, cap * sizeof *more);
        if (!more)
            return HOB_ENOMEM;
        x->argv = more;
        x->cap = cap;
    }
    x->argv[x->argc++] = item;
    x->chars += item.n + 1;
    return 0;
}

/* ---- items ---------------------------------------------------------------------------------- */

enum {
    XARGS_END = -1,
    XARGS_ITEM = 0,
    XARGS_LAST_OF_LINE = 1
};

/* The next item. XARGS_LAST_OF_LINE: the line ends behind it. */
static int xargs_delimited(struct xargs *x, struct buf *b)
{
    struct str line;
    bool had;
    if (!in_line(&x->in, x->delim, &line, &had))
        return XARGS_END;
    buf_str(b, line);
    return XARGS_LAST_OF_LINE;
}

static int xargs_bad_quote(struct xargs *x, char quote)
{
    proc_warn(x->p,
              "unmatched %s quote; by default quotes are special to xargs unless you use the "
              "-0 option",
              quote == '"' ? "double" : "single");
    x->bad_input = true;
    return XARGS_END;
}

/* -I takes whole lines without leading blanks; otherwise words. */
static int xargs_word(struct xargs *x, struct buf *b)
{
    bool begun = false;
    char quote = '\0';
    int c;

    while ((c = in_getc(&x->in)) >= 0) {
        bool blank = c == ' ' || c == '\t';
        if (quote) {
            if (c == '\n')
                return xargs_bad_quote(x, quote);
            if (c == quote)
                quote = '\0';
            else
                buf_putc(b, (char)c);
        } else if (c == '\\') {
            c = in_getc(&x->in);
            if (c < 0)
                break;
            buf_putc(b, (char)c);
            begun = true;
        } else if (c == '\'' || c == '"') {
            quote = (char)c;
            begun = true;
        } else if (c == '\n') {
            if (begun)
                return XARGS_LAST_OF_LINE;
        } else if (blank && (!x->replacing || !begun)) {
            if (begun) {
                /* A blank at the end of a line joins it with the next one (-L). */
                while ((c = in_getc(&x->in)) == ' ' || c == '\t')
                    continue;
                if (c >= 0)
                    x->in.p--;
                return XARGS_ITEM;
            }
        } else {
            buf_putc(b, (char)c);
            begun = true;
        }
    }
    if (quote)
        return xargs_bad_quote(x, quote);
    return begun ? XARGS_LAST_OF_LINE : XARGS_END;
}

static int xargs_next(struct xargs *x, struct buf *b)
{
    buf_clear(b);
    int r = x->has_delim ? xargs_delimited(x, b) : xargs_word(x, b);
    if (r >= 0 && x->eof.p && !x->has_delim && str_eq(buf_get(b), x->eof))
        return XARGS_END;
    return r;
}

/* ---- the two ways --------------------------------------------------------------------------- */

static struct str xargs_substitute(struct xargs *x, struct str word, struct str item)
{
    struct buf b;
    buf_init(&b, &x->p->kernel->heap);
    for (;;) {
        ptrdiff_t at = x->replace.n ? str_find(word, x->replace) : -1;
        if (at < 0)
            break;
        buf_add(&b, word.p, (size_t)at);
        buf_str(&b, item);
        word = str_from(word, (size_t)at + x->replace.n);
    }
    buf_str(&b, word);
    struct str result = arena_str(x->p->arena, buf_get(&b));
    buf_fini(&b);
    return result;
}

static int xargs_each_line(struct xargs *x, struct buf *b)
{
    int r = 0;
    while (r == 0 && !x->stop && xargs_next(x, b) >= 0) {
        struct arena_mark mark = arena_mark(x->p->arena);
        struct str *argv = arena_array(x->p->arena, struct str, x->fixed);
        size_t total = 0;
        if (b->n + 1 > (size_t)x->max_chars) {
            proc_warn(x->p, "argument line too long");
            x->status = 1;
            return 0;
        }
        if (!argv)
            return HOB_ENOMEM;
        for (size_t i = 0; i < x->fixed; i++) {
            argv[i] = xargs_substitute(x, x->argv[i], buf_get(b));
            if (!argv[i].p)
                return HOB_ENOMEM;
            total += argv[i].n + 1;
        }
        if (total > (size_t)x->max_chars) {
            proc_warn(x->p, "argument list too long");
            x->status = 1;
            return 0;
        }
        r = xargs_run_argv(x, argv, x->fixed);
        if (x->running == 0)
            arena_release(x->p->arena, mark);
    }
    return r;
}

static int xargs_collect(struct xargs *x, struct buf *b)
{
    int r = 0, kind;

    x->mark = arena_mark(x->p->arena);
    while (r == 0 && !x->stop && (kind = xargs_next(x, b)) >= 0) {
        if (x->chars + b->n + 1 > (size_t)x->max_chars) {
            bool strict = x->max_lines || (x->exit_if_large && x->max_args);
            if (x->argc == x->fixed || strict) {
                proc_warn(x->p, "argument %s too long", x->argc == x->fixed ? "line" : "list");
                x->status = 1;
                return 0;
            }
            if ((r = xargs_flush(x)) < 0 || x->stop)
                return r;
        }
        struct str item = arena_str(x->p->arena, buf_get(b));
        if (!item.p || xargs_push(x, item) < 0)
            return HOB_ENOMEM;
        x->lines += kind == XARGS_LAST_OF_LINE;
        bool full = (x->max_args && (int64_t)(x->argc - x->fixed) >= x->max_args) ||
                    (x->max_lines && x->lines >= x->max_lines);
        if (full)
            r = xargs_flush(x);
    }
    if (r == 0 && !x->stop && (x->argc > x->fixed || (!x->any_run && !x->no_run && !x->bad_input)))
        r = xargs_flush(x);
    return r;
}

static int xargs_env_size(void *ud, struct str name, struct str value)
{
    *(size_t *)ud += name.n + value.n + 2;
    return 0;
}

/* Numbers as Linux has them, where a command line and its environment may have 2 MiB. */
static void xargs_limits(struct xargs *x)
{
    struct proc *p = x->p;
    size_t env = 0, most = (2 << 20) - 2048;

    p->env->each(p->env_ctx, xargs_env_size, &env);
    env = MIN(env, most / 2);
    proc_printf_err(p,
                    "Your environment variables take up %zu bytes\n"
                    "POSIX upper limit on argument length (this system): %zu\n"
                    "POSIX smallest allowable upper limit on argument length (all systems): 4096\n"
                    "Maximum length of command we could actually use: %zu\n"
                    "Size of command buffer we are actually using: %lld\n"
                    "Maximum parallelism (--max-procs must be no greater): 2147483647\n",
                    env, most - env, most - 2 * env, (long long)x->max_chars);
    struct file *in = proc_file(p, 0);
    if (in && in->flags & FILE_TTY)
        proc_printf_err(p, "\nCommands are run from here on, with items of standard input; an end "
                           "of the file (Ctrl-D) or Ctrl-C stops that.\n");
}

static int xargs_start(struct xargs *x)
{
    struct proc *p = x->p;
    int r = 0;

    if (p->argc == 0)
        r = xargs_push(x, STR("echo"));
    for (int i = 0; i < p->argc && r == 0; i++)
        r = xargs_push(x, p->argv[i]);
    x->fixed = x->argc;
    x->fixed_chars = x->chars;
    if (x->eof.p && x->has_delim)
        proc_warn(p, "warning: the -E option has no effect if -0 or -d is used.\n");
    return r;
}

static int xargs_run(struct proc *p, void *args)
{
    struct xargs *x = args;
    struct buf b;

    x->p = p;
    if (x->file.p) {
        int r = in_open_quiet(&x->in, p, x->file);
        if (r < 0) {
            proc_warn(p, "Cannot open input file %s: %s", proc_quote(p, x->file), error_text(r));
            return 1;
        }
    } else {
        in_init(&x->in, p, 0);
    }
    buf_init(&b, &p->kernel->heap);
    if (x->show_limits)
        xargs_limits(x);
    int r = xargs_start(x);
    if (r == 0 && x->replacing && x->replace.n == 0) {
        proc_warn(p, "command too long");
        x->bad_input = true;
    } else if (r == 0)
        r = x->replacing ? xargs_each_line(x, &b) : xargs_collect(x, &b);
    int waited = r == HOB_EKILLED ? 0 : xargs_reap(x, 0);
    if (x->in.err < 0 && r == 0 && x->in.err != HOB_EKILLED) {
        proc_warn(p, "read error: %s", error_text(x->in.err));
        x->status = 1;
    }
    buf_fini(&b);
    in_fini(&x->in);
    heap_free(&p->kernel->heap, x->slots, x->nslots * sizeof *x->slots);
    heap_free(&p->kernel->heap, x->argv, x->cap * sizeof *x->argv);
    return r < 0 ? r : waited < 0 ? waited : x->bad_input ? 1 : x->status;
}

const struct command cmd_xargs = {
    .name = "xargs",
    .usage = "[OPTION]... COMMAND [INITIAL-ARGS]...",
    .summary = "Run COMMAND with INITIAL-ARGS and more arguments read from standard input.",
    .notes =
        "Items are parted by blanks and newlines; quotes and backslashes protect them.\n"
        "Exit status: 123 when a command failed, 124 when one exited with 255, 125 when one was\n"
        "killed, 126 when it cannot be run, 127 when it is not found.",
    .opts = xargs_opts,
    .args_size = sizeof(struct xargs),
    .flags = CMD_POSIXLY,
    .usage_status = 1,
    .run = xargs_run,
    .defaults = xargs_defaults,
};

/* terminal.c -- clear, tput and stty: what a terminal can do, without asking one
 *
 * A sandbox knows the terminals of the xterm family and the dumb one; that is what TERM says in
 * nearly all scripts.
 */
#include "base/error.h"
#include "shell/command.h"

enum terminal_kind {
    TERMINAL_DUMB,
    TERMINAL_XTERM,
    TERMINAL_XTERM_256,
    TERMINAL_UNKNOWN
};

static enum terminal_kind terminal_kind_of(struct str name)
{
    if (str_eqz(name, "dumb"))
        return TERMINAL_DUMB;
    if (str_eqz(name, "xterm-256color") || str_eqz(name, "screen-256color") ||
        str_eqz(name, "tmux-256color"))
        return TERMINAL_XTERM_256;
    return str_eqz(name, "xterm") || str_eqz(name, "xterm-color") || str_eqz(name, "screen") ||
                   str_eqz(name, "tmux")
               ? TERMINAL_XTERM
               : TERMINAL_UNKNOWN;
}

/* Capabilities of the xterm family: %i adds one to the arguments, %1 and %2 are arguments. */
static const struct {
    const char *name, *text;
} terminal_caps[] = {
    {"bel", "\a"},
    {"blink", "\033[5m"},
    {"bold", "\033[1m"},
    {"civis", "\033[?25l"},
    {"clear", "\033[H\033[2J\033[3J"},
    {"cnorm", "\033[?12l\033[?25h"},
    {"cr", "\r"},
    {"cub", "\033[%1D"},
    {"cub1", "\b"},
    {"cud", "\033[%1B"},
    {"cud1", "\n"},
    {"cuf", "\033[%1C"},
    {"cuf1", "\033[C"},
    {"cup", "%i\033[%1;%2H"},
    {"cuu", "\033[%1A"},
    {"cuu1", "\033[A"},
    {"dim", "\033[2m"},
    {"ed", "\033[J"},
    {"el", "\033[K"},
    {"el1", "\033[1K"},
    {"home", "\033[H"},
    {"hpa", "%i\033[%1G"},
    {"op", "\033[39;49m"},
    {"rc", "\0338"},
    {"rev", "\033[7m"},
    {"ritm", "\033[23m"},
    {"rmcup", "\033[?1049l\033[23;0;0t"},
    {"rmso", "\033[27m"},
    {"rmul", "\033[24m"},
    {"sc", "\0337"},
    {"sgr0", "\033(B\033[m"},
    {"sitm", "\033[3m"},
    {"smcup", "\033[?1049h\033[22;0;0t"},
    {"smso", "\033[7m"},
    {"smul", "\033[4m"},
    {"vpa", "%i\033[%1d"},
};

/* Flags that an xterm has, and some that it has not. */
static const struct {
    const char *name;
    bool set;
} terminal_flags[] = {{"am", true},  {"bce", true},  {"km", true},   {"mir", true}, {"msgr", true},
                      {"npc", true}, {"xenl", true}, {"xon", false}, {"hc", false}, {"os", false}};

static void terminal_color(struct out *o, enum terminal_kind kind, bool back, int64_t n)
{
    if (n < 8 || kind == TERMINAL_XTERM)
        out_printf(o, "\033[%d%lldm", back ? 4 : 3, (long long)n);
    else if (n < 16)
        out_printf(o, "\033[%s%lldm", back ? "10" : "9", (long long)n - 8);
    else
        out_printf(o, "\033[%d8;5;%lldm", back ? 4 : 3, (long long)n);
}

static void terminal_expand(struct out *o, const char *text, const int64_t arg[2])
{
    int64_t more = 0;
    for (; *text; text++) {
        if (*text != '%') {
            out_putc(o, *text);
            continue;
        }
        text++;
        if (*text == 'i')
            more = 1;
        else
            out_printf(o, "%lld", (long long)(arg[*text - '1'] + more));
    }
}

static int64_t terminal_size(struct proc *p, bool columns)
{
    struct str value;
    int64_t n;
    if (proc_getenv(p, columns ? STR("COLUMNS") : STR("LINES"), &value) &&
        str_int(value, &n) == 0 && n > 0)
        return n;
    return columns ? 80 : 24;
}

/* One capability; *used of argv are its arguments. The status of tput, -1: it is not known. */
static int terminal_cap(struct proc *p, struct out *o, enum terminal_kind kind, struct str *argv,
                        int argc, int *used)
{
    struct str name = argv[0];
    int64_t arg[2] = {0, 0};
    int want = 0;
    bool dumb = kind == TERMINAL_DUMB;
    *used = 1;
    if (str_eqz(name, "cols") || str_eqz(name, "lines")) {
        out_printf(o, "%lld\n", (long long)terminal_size(p, name.p[0] == 'c'));
        return 0;
    }
    if (str_eqz(name, "colors") || str_eqz(name, "it")) {
        out_printf(o, "%d\n",
                   name.p[0] == 'i' ? 8
                   : dumb           ? -1
                                    : (kind == TERMINAL_XTERM ? 8 : 256));
        return 0;
    }
    bool color = str_eqz(name, "setaf") || str_eqz(name, "setab");
    const char *text = NULL;
    for (size_t i = 0; i < COUNT(terminal_caps) && !text; i++)
        text = str_eqz(name, terminal_caps[i].name) ? terminal_caps[i].text : NULL;
    want = color ? 1 : !text ? 0 : strstr(text, "%2") ? 2 : strstr(text, "%1") ? 1 : 0;
    for (int i = 0; i < want && *used < argc; i++)
        if (str_int(argv[*used], &arg[i]) == 0)
            ++*used;
    if (color || text) {
        if (dumb && !str_eqz(name, "bel") && !str_eqz(name, "cr") && !str_eqz(name, "cud1"))
            return 1;
        if (color)
            terminal_color(o, kind, name.p[4] == 'b', arg[0]);
        else
            terminal_expand(o, text, arg);
        return 0;
    }
    for (size_t i = 0; i < COUNT(terminal_flags); i++)
        if (str_eqz(name, terminal_flags[i].name))
            return !(terminal_flags[i].set && !dumb);
    return str_eqz(name, "init") || str_eqz(name, "reset") ? 0 : -1;
}

struct terminal_tput {
    struct str type;
    bool from_stdin, keep;
};

static const struct opt terminal_tput_opts[] = {
    OPT_FLAG('S', NULL, struct terminal_tput, from_stdin, "read names from standard input"),
    OPT_STRING('T', NULL, struct terminal_tput, type, "TYPE", "for this terminal, not for $TERM"),
    OPT_FLAG('x', NULL, struct terminal_tput, keep, "(accepted)"),
    OPT_END,
};

static int terminal_tput_words(struct proc *p, struct out *o, enum terminal_kind kind,
                               struct str *argv, int argc)
{
    int status = 0;
    for (int i = 0, used; i < argc && status == 0; i += used) {
        int r = terminal_cap(p, o, kind, argv + i, argc - i, &used);
        if (r < 0) {
            out_flush(o);
            proc_warn(p, "unknown terminfo capability '%.*s'", STR_ARG(argv[i]));
            return 4;
        }
        status = r;
    }
    return status;
}

static int terminal_tput_stdin(struct proc *p, struct out *o, enum terminal_kind kind)
{
    struct in in;
    struct str line;
    bool had;
    int status = 0;
    in_init(&in, p, 0);
    while (status == 0 && in_line(&in, '\n', &line, &had)) {
        struct strs words = {0};
        for (struct str s = str_trim(line); s.n;) {
            ptrdiff_t blank = str_chr(s, ' ');
            struct str w = blank < 0 ? s : str_sub(s, 0, (size_t)blank);
            if (!proc_push(p, &words, w))
                break;
            s = str_trim(str_from(s, w.n));
        }
        status = words.n ? terminal_tput_words(p, o, kind, words.p, (int)words.n) : 0;
    }
    in_fini(&in);
    return status;
}

static int terminal_tput_run(struct proc *p, void *args)
{
    struct terminal_tput *t = args;
    struct str type = STR("");
    struct out o;
    if (t->type.p)
        type = t->type;
    else if (!proc_getenv(p, STR("TERM"), &type) || type.n == 0) {
        proc_warn(p, "No value for $TERM and no -T specified");
        return 2;
    }
    enum terminal_kind kind = terminal_kind_of(type);
    if (kind == TERMINAL_UNKNOWN) {
        proc_warn(p, "unknown terminal \"%.*s\"", STR_ARG(type));
        return 3;
    }
    if (p->argc == 0 && !t->from_stdin)
        return proc_usage(p);
    out_init(&o, p, 1);
    int status = t->from_stdin ? terminal_tput_stdin(p, &o, kind)
                 : str_eqz(p->argv[0], "longname")
                     ? (out_puts(&o, "xterm terminal emulator (X Window System)"), 0)
                     : terminal_tput_words(p, &o, kind, p->argv, p->argc);
    return command_close(p, &o, status);
}

const struct command cmd_tput = {
    .name = "tput",
    .usage = "[-T TYPE] [-S] CAPABILITY [ARG]...",
    .summary = "Print what makes a terminal do something: bold, sgr0, setaf 1, cup 2 3, cols ...",
    .opts = terminal_tput_opts,
    .args_size = sizeof(struct terminal_tput),
    .usage_status = 2,
    .flags = CMD_USAGE_LINE,
    .run = terminal_tput_run,
};

static const struct opt terminal_clear_opts[] = {
    OPT_STRING('T', NULL, struct terminal_tput, type, "TYPE", "for this terminal, not for $TERM"),
    OPT_FLAG('x', NULL, struct terminal_tput, keep, "keep what was scrolled away"),
    OPT_END,
};

static int terminal_clear_run(struct proc *p, void *args)
{
    struct terminal_tput *t = args;
    struct str type = STR("");
    if (t->type.p)
        type = t->type;
    else if (!proc_getenv(p, STR("TERM"), &type) || type.n == 0) {
        proc_printf_err(p, "TERM environment variable not set.\n");
        return 1;
    }
    enum terminal_kind kind = terminal_kind_of(type);
    if (kind == TERMINAL_UNKNOWN) {
        proc_printf_err(p, "'%.*s': unknown terminal type.\n", STR_ARG(type));
        return 1;
    }
    if (kind == TERMINAL_DUMB)
        return 1;
    return proc_puts(p, 1, t->keep ? STR("\033[H\033[2J") : STR("\033[H\033[2J\033[3J")) < 0;
}

const struct command cmd_clear = {
    .name = "clear",
    .usage = "[-T TYPE] [-x]",
    .summary = "Clear the screen.",
    .opts = terminal_clear_opts,
    .args_size = sizeof(struct terminal_tput),
    .usage_status = 1,
    .flags = CMD_USAGE_LINE,
    .run = terminal_clear_run,
};

struct terminal_stty {
    bool all;
    struct str file;
    struct strs settings;
};

/* Settings begin with a dash, too, so the few options are picked out by hand. */
static int terminal_stty_words(struct proc *p, struct terminal_stty *t)
{
    for (int i = 0; i < p->argc; i++) {
        struct str w = p->argv[i];
        if (str_eqz(w, "-a") || str_eqz(w, "--all") || str_eqz(w, "-g") || str_eqz(w, "--save")) {
            t->all = true;
        } else if (str_starts(w, STR("--file="))) {
            t->file = str_from(w, 7);
        } else if (str_starts(w, STR("-F"))) {
            t->file = w.n > 2 ? str_from(w, 2) : i + 1 < p->argc ? p->argv[++i] : STR("");
        } else if (str_starts(w, STR("--"))) {
            proc_warn(p, "invalid argument %s", proc_quote(p, w));
            return proc_usage(p);
        } else if (!proc_push(p, &t->settings, w)) {
            return HOB_ENOMEM;
        }
    }
    return 0;
}

/* There are no settings to change: what looks like a terminal is one of a size alone. */
static int terminal_stty_run(struct proc *p, void *args)
{
    struct terminal_stty found = {0}, *t = &found;
    struct file *f = proc_file(p, 0);
    struct out o;
    int rows = (int)terminal_size(p, false), cols = (int)terminal_size(p, true);
    int e = terminal_stty_words(p, t);
    (void)args;
    if (e)
        return e;
    if (t->file.p || !f || !(f->flags & FILE_TTY)) {
        proc_warn(p, "%s: Inappropriate ioctl for device",
                  t->file.p ? proc_quotef(p, t->file) : "'standard input'");
        return 1;
    }
    out_init(&o, p, 1);
    if (t->settings.n && str_eqz(t->settings.p[0], "size"))
        out_printf(&o, "%d %d\n", rows, cols);
    else if (t->settings.n == 0)
        out_printf(&o, "speed 38400 baud;%s\n", t->all ? "" : " line = 0;");
    return command_close(p, &o, 0);
}

const struct command cmd_stty = {
    .name = "stty",
    .usage = "[-F DEVICE] [SETTING]...\n[-F DEVICE] [-a|-g]",
    .summary = "Print or change settings of the terminal on standard input.",
    .usage_status = 1,
    .flags = CMD_NO_OPTIONS,
    .run = terminal_stty_run,
};

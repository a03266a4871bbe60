/* envsubst.c -- variables in a text replaced by their values */
#include "base/utf8.h"
#include "shell/command.h"

struct envsubst {
    bool variables;
};

static const struct opt envsubst_opts[] = {
    OPT_FLAG('v', "variables", struct envsubst, variables,
             "print the names of the variables in SHELL-FORMAT"),
    OPT_END,
};

/* A reference at s, which begins with $: its length, 0 when it is none. */
static size_t envsubst_reference(struct str s, struct str *name)
{
    bool brace = s.n > 1 && s.p[1] == '{';
    size_t start = brace ? 2 : 1, i = start;
    if (i >= s.n || (!ascii_alpha((unsigned char)s.p[i]) && s.p[i] != '_'))
        return 0;
    while (i < s.n && (ascii_alnum((unsigned char)s.p[i]) || s.p[i] == '_'))
        i++;
    *name = str_sub(s, start, i - start);
    if (!brace)
        return i;
    return i < s.n && s.p[i] == '}' ? i + 1 : 0;
}

static bool envsubst_wanted(struct str format, struct str name)
{
    struct str n;
    if (!format.p)
        return true;
    for (size_t i = 0; i < format.n;) {
        size_t len = format.p[i] == '$' ? envsubst_reference(str_from(format, i), &n) : 0;
        if (len && str_eq(n, name))
            return true;
        i += len ? len : 1;
    }
    return false;
}

static void envsubst_names(struct out *o, struct str format)
{
    struct str n;
    for (size_t i = 0; i < format.n;) {
        size_t len = format.p[i] == '$' ? envsubst_reference(str_from(format, i), &n) : 0;
        if (len) {
            out_str(o, n);
            out_putc(o, '\n');
        }
        i += len ? len : 1;
    }
}

/* References do not span lines, so a line at a time is enough. */
static void envsubst_line(struct proc *p, struct out *o, struct str format, struct str line)
{
    while (line.n) {
        ptrdiff_t at = str_chr(line, '$');
        struct str name, value;
        if (at < 0)
            at = (ptrdiff_t)line.n;
        out_str(o, str_sub(line, 0, (size_t)at));
        line = str_from(line, (size_t)at);
        if (line.n == 0)
            return;
        size_t len = envsubst_reference(line, &name);
        if (len && envsubst_wanted(format, name)) {
            if (proc_getenv(p, name, &value))
                out_str(o, value);
        } else {
            len = 1;
            out_putc(o, '$');
        }
        line = str_from(line, len);
    }
}

static int envsubst_run(struct proc *p, void *args)
{
    struct envsubst *e = args;
    struct out o;
    struct in in;
    struct str line, format = p->argc ? p->argv[0] : STR_NONE;
    bool had;
    if (p->argc > 1) {
        proc_warn(p, "too many arguments");
        return 1;
    }
    if (e->variables && p->argc == 0) {
        proc_warn(p, "missing arguments");
        return 1;
    }
    out_init(&o, p, 1);
    if (e->variables) {
        envsubst_names(&o, format);
        return command_close(p, &o, 0);
    }
    in_init(&in, p, 0);
    while (in_line(&in, '\n', &line, &had) && !o.err) {
        envsubst_line(p, &o, format, line);
        if (had)
            out_putc(&o, '\n');
    }
    int err = in.err;
    in_fini(&in);
    return command_close(p, &o, err);
}

const struct command cmd_envsubst = {
    .name = "envsubst",
    .usage = "[OPTION] [SHELL-FORMAT]",
    .summary = "Copy standard input, with the values of environment variables in place of $NAME "
               "and ${NAME}.",
    .notes = "With SHELL-FORMAT only the variables that it mentions are replaced.",
    .opts = envsubst_opts,
    .args_size = sizeof(struct envsubst),
    .usage_status = 1,
    .run = envsubst_run,
};

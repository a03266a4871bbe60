/* strings.c -- the printable parts of files */
#include "shell/command.h"

#include "base/error.h"
#include "base/utf8.h"

struct strings {
    bool all, names, space, octal;
    struct str radix, encoding, separator;
    uint64_t least;
    struct out out;
};

static int strings_least(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct strings *s = args;
    (void)o;
    if (size_parse(arg, "", &s->least) < 0) {
        proc_warn(p, "invalid integer argument %.*s", STR_ARG(arg));
        return 2;
    }
    if (s->least == 0) {
        proc_warn(p, "invalid minimum string length %.*s", STR_ARG(arg));
        return 2;
    }
    return 0;
}

static int strings_number(struct proc *p, void *args, struct str digits)
{
    return strings_least(p, args, NULL, digits);
}

static const struct opt strings_opts[] = {
    OPT_FLAG('a', "all", struct strings, all, "scan the whole file (default)"),
    OPT_FLAG('d', "data", struct strings, all, "the same: there are no object files here"),
    OPT_FLAG('f', "print-file-name", struct strings, names, "put the name of the file in front"),
    OPT_CALL('n', "bytes", strings_least, "NUMBER", "at least NUMBER characters (default 4)"),
    OPT_STRING('t', "radix", struct strings, radix, "RADIX", "show offsets: o, d or x"),
    OPT_FLAG('w', "include-all-whitespace", struct strings, space,
             "newlines and the like are part of strings"),
    OPT_FLAG('o', NULL, struct strings, octal, "same as -t o"),
    OPT_STRING('e', "encoding", struct strings, encoding, "ENC", "s 7 bit, S 8 bit"),
    OPT_STRING('s', "output-separator", struct strings, separator, "STRING",
               "what ends each string"),
    OPT_END,
};

static void strings_defaults(struct proc *p, void *args)
{
    (void)p;
    ((struct strings *)args)->least = 4;
}

static bool strings_part(const struct strings *s, unsigned char c)
{
    if ((c >= 32 && c < 127) || c == '\t')
        return true;
    if (s->space && ascii_space(c))
        return true;
    return c >= 128 && s->encoding.n && s->encoding.p[0] == 'S';
}

static void strings_begin(struct strings *s, struct str name, uint64_t at)
{
    if (s->names) {
        out_str(&s->out, name);
        out_puts(&s->out, ": ");
    }
    if (!s->radix.p)
        return;
    if (s->radix.p[0] == 'o')
        out_printf(&s->out, "%7llo ", (unsigned long long)at);
    else if (s->radix.p[0] == 'x')
        out_printf(&s->out, "%7llx ", (unsigned long long)at);
    else
        out_printf(&s->out, "%7llu ", (unsigned long long)at);
}

static void strings_scan(struct strings *s, struct in *in, struct str name, struct buf *held)
{
    uint64_t at = 0;
    bool open = false; /* the present string is long enough and being written */

    buf_clear(held);
    while (in_fill(in) && !s->out.err) {
        for (; in->p < in->end; in->p++, at++) {
            if (strings_part(s, (unsigned char)*in->p)) {
                if (open) {
                    out_putc(&s->out, *in->p);
                    continue;
                }
                buf_putc(held, *in->p);
                if (held->n >= s->least) {
                    strings_begin(s, name, at + 1 - held->n);
                    out_str(&s->out, buf_get(held));
                    open = true;
                }
                continue;
            }
            if (open)
                out_str(&s->out, s->separator);
            open = false;
            buf_clear(held);
        }
    }
    if (open)
        out_str(&s->out, s->separator);
}

static int strings_run(struct proc *p, void *args)
{
    struct strings *s = args;
    static const struct str only = STR_INIT("-");
    int status = 0, n = p->argc ? p->argc : 1;
    struct buf held;

    if (s->octal)
        s->radix = STR("o");
    if (s->radix.p && (s->radix.n != 1 || !strchr("odx", s->radix.p[0])))
        return proc_usage(p);
    if (!s->separator.p)
        s->separator = STR("\n");
    out_init(&s->out, p, 1);
    buf_init(&held, &p->kernel->heap);
    for (int i = 0; i < n; i++) {
        struct str name = p->argc ? p->argv[i] : only;
        struct in in;
        struct stat_info st;
        if (p->argc && vfs_stat(p, name, 0, &st) == HOB_ENOENT) {
            proc_warn(p, "'%.*s': No such file", STR_ARG(name));
            status = 1;
            continue;
        }
        if (p->argc && MODE_IS_DIR(st.mode)) {
            proc_warn(p, "Warning: '%.*s' is a directory", STR_ARG(name));
            status = 1;
            continue;
        }
        int err = in_open_quiet(&in, p, name);
        if (err < 0) {
            proc_warn(p, "%.*s: %s", STR_ARG(name), error_text(err));
            status = 1;
            continue;
        }
        strings_scan(s, &in, p->argc ? name : STR("{standard input}"), &held);
        in_fini(&in);
    }
    buf_fini(&held);
    return command_close(p, &s->out, status);
}

const struct command cmd_strings = {
    .name = "strings",
    .usage = "[option(s)] [file(s)]",
    .summary = "Print the strings of printable characters in files (standard input by default).",
    .opts = strings_opts,
    .args_size = sizeof(struct strings),
    .flags = CMD_NUMERIC,
    .usage_status = 1,
    .run = strings_run,
    .defaults = strings_defaults,
    .number = strings_number,
};

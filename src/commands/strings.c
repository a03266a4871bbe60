/* strings.c -- the printable parts of files */
#include "shell/command.h"

#include "base/error.h"
#include "base/utf8.h"

struct strings {
    bool all, names, space;
    struct str separator;
    char radix, encoding;
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

/* -t RADIX, -o and -e ENC: one letter each. */
static int strings_letter(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct strings *s = args;
    bool encoding = o->letter == 'e';
    if (!arg.p)
        arg = STR("o");
    if (arg.n != 1 || !strchr(encoding ? "sSblBL" : "odx", arg.p[0]))
        return proc_usage(p) + 1;
    *(encoding ? &s->encoding : &s->radix) = arg.p[0];
    return 0;
}

static const struct opt strings_opts[] = {
    OPT_FLAG('a', "all", struct strings, all, "scan the whole file (default)"),
    OPT_FLAG('d', "data", struct strings, all, "the same: there are no object files here"),
    OPT_FLAG('f', "print-file-name", struct strings, names, "put the name of the file in front"),
    OPT_CALL('n', "bytes", strings_least, "NUMBER", "at least NUMBER characters (default 4)"),
    OPT_CALL('t', "radix", strings_letter, "RADIX", "show offsets: o, d or x"),
    OPT_FLAG('w', "include-all-whitespace", struct strings, space,
             "newlines and the like are part of strings"),
    OPT_CALL('o', NULL, strings_letter, NULL, "same as -t o"),
    OPT_CALL('e', "encoding", strings_letter, "ENC",
             "s 7 bit, S 8 bit, b l 16 bit, B L 32 bit: big and little end first"),
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
    return c >= 128 && s->encoding == 'S';
}

static void strings_begin(struct strings *s, struct str name, uint64_t at)
{
    if (s->names) {
        out_str(&s->out, name);
        out_puts(&s->out, ": ");
    }
    if (!s->radix)
        return;
    if (s->radix == 'o')
        out_printf(&s->out, "%7llo ", (unsigned long long)at);
    else if (s->radix == 'x')
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

/* Characters of two or four bytes: when the bytes are none, one is dropped and the others stay. */
static void strings_scan_wide(struct strings *s, struct in *in, struct str name, struct buf *held)
{
    size_t width = strchr("bl", s->encoding) ? 2 : 4, n = 0;
    bool big = strchr("bB", s->encoding) != NULL, open = false;
    unsigned char q[4];
    uint64_t at = 0; /* of q[0] */

    buf_clear(held);
    while (in_fill(in) && !s->out.err) {
        for (; in->p < in->end; in->p++) {
            q[n++] = (unsigned char)*in->p;
            if (n < width)
                continue;
            unsigned char c = q[big ? width - 1 : 0];
            bool part = strings_part(s, c);
            for (size_t i = 1; i < width; i++)
                part &= q[big ? i - 1 : i] == 0;
            if (!part) {
                if (open)
                    out_str(&s->out, s->separator);
                open = false;
                buf_clear(held);
                memmove(q, q + 1, --n);
                at++;
                continue;
            }
            n = 0;
            at += width;
            buf_putc(held, (char)c);
            if (!open && held->n < s->least)
                continue;
            if (!open)
                strings_begin(s, name, at - held->n * width);
            out_str(&s->out, open ? str_of((char *)&c, 1) : buf_get(held));
            open = true;
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
        struct str shown = p->argc ? name : STR("{standard input}");
        if (s->encoding && strchr("blBL", s->encoding))
            strings_scan_wide(s, &in, shown, &held);
        else
            strings_scan(s, &in, shown, &held);
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

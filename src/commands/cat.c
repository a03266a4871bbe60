/* cat.c -- concatenate files
 *
 * Without an option that changes bytes, what is read is handed on as it came, without copying.
 */
#include "shell/command.h"

#include "base/error.h"
#include "base/fmt.h"

struct cat {
    bool number, nonblank, squeeze, ends, tabs, visible;
    bool unbuffered;
};

static int cat_all(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct cat *c = args;
    (void)p;
    (void)arg;
    c->visible = true;
    c->ends |= o->letter == 'A' || o->letter == 'e';
    c->tabs |= o->letter == 'A' || o->letter == 't';
    return 0;
}

/* In the order of GNU's own table, which an ambiguous option shows. */
static const struct opt cat_opts[] = {
    OPT_FLAG('b', "number-nonblank", struct cat, nonblank,
             "number nonempty output lines, overrides -n"),
    OPT_FLAG('n', "number", struct cat, number, "number all output lines"),
    OPT_FLAG('s', "squeeze-blank", struct cat, squeeze, "suppress repeated empty output lines"),
    OPT_FLAG('v', "show-nonprinting", struct cat, visible,
             "use ^ and M- notation, except for LFD and TAB"),
    OPT_FLAG('E', "show-ends", struct cat, ends, "display $ at end of each line"),
    OPT_FLAG('T', "show-tabs", struct cat, tabs, "display TAB characters as ^I"),
    OPT_CALL('A', "show-all", cat_all, NULL, "equivalent to -vET"),
    OPT_CALL('e', NULL, cat_all, NULL, "equivalent to -vE"),
    OPT_CALL('t', NULL, cat_all, NULL, "equivalent to -vT"),
    OPT_FLAG('u', NULL, struct cat, unbuffered, "(ignored)"),
    OPT_END,
};

struct cat_state {
    const struct cat *o;
    struct out out;
    uint64_t line; /* of the last numbered one */
    int blank;     /* empty lines before this one */
    bool inside;   /* not at the begin of a line */
    bool cr;       /* a \r was read that may turn out to stand before a newline */
};

static int cat_plain(struct cat_state *s, struct in *in)
{
    while (in_fill(in)) {
        struct slice piece = {blob_ref(in->held.blob), in->p, (size_t)(in->end - in->p)};
        in->p = in->end;
        out_give(&s->out, &piece);
        out_flush(&s->out);
        if (s->out.err)
            break;
    }
    return in->err;
}

static void cat_begin(struct cat_state *s, bool empty)
{
    char num[24];
    if (s->o->nonblank ? empty : !s->o->number)
        return;
    size_t n = fmt_uint(num, ++s->line);
    for (size_t i = n; i < 6; i++)
        out_putc(&s->out, ' ');
    num[n] = '\t';
    out_write(&s->out, num, n + 1);
}

static void cat_visible(struct out *o, unsigned char c)
{
    if (c >= 128) {
        out_write(o, "M-", 2);
        c -= 128;
    }
    if (c >= 32 && c < 127) {
        out_putc(o, (char)c);
    } else {
        out_putc(o, '^');
        out_putc(o, c == 127 ? '?' : (char)(c + 64));
    }
}

/* Bytes of one line, without its newline. */
static void cat_bytes(struct cat_state *s, const char *p, size_t n)
{
    if (!s->o->visible && !s->o->tabs) {
        out_write(&s->out, p, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (p[i] == '\t' && s->o->tabs)
            out_write(&s->out, "^I", 2);
        else if (p[i] == '\t' || !s->o->visible)
            out_putc(&s->out, p[i]);
        else
            cat_visible(&s->out, (unsigned char)p[i]);
    }
}

static void cat_newline(struct cat_state *s)
{
    if (!s->inside) {
        if (s->blank < 2)
            s->blank++;
        if (s->o->squeeze && s->blank == 2)
            return;
        cat_begin(s, true);
    } else {
        s->blank = 0;
    }
    if (s->cr)
        out_write(&s->out, "^M", 2);
    s->cr = false;
    if (s->o->ends)
        out_putc(&s->out, '$');
    out_putc(&s->out, '\n');
    s->inside = false;
}

static int cat_formatted(struct cat_state *s, struct in *in)
{
    while (in_fill(in) && !s->out.err) {
        const char *nl = memchr(in->p, '\n', (size_t)(in->end - in->p));
        const char *stop = nl ? nl : in->end;
        if (stop > in->p) {
            if (s->cr)
                out_putc(&s->out, '\r');
            s->cr = false;
            if (!s->inside)
                cat_begin(s, false);
            s->inside = true;
            /* With -E alone, a carriage return before the newline is shown. */
            if (s->o->ends && !s->o->visible && stop[-1] == '\r')
                s->cr = true;
            cat_bytes(s, in->p, (size_t)(stop - in->p) - s->cr);
        }
        in->p = stop;
        if (nl) {
            cat_newline(s);
            in->p++;
        }
    }
    return in->err;
}

/* Reading what one writes to would never end. */
static bool cat_same(struct proc *p, struct in *in)
{
    struct stat_info a, b;
    struct file *f = proc_file(p, 1);
    if (!f || !in->file || file_stat(f, &a) < 0 || file_stat(in->file, &b) < 0)
        return false;
    return MODE_IS_FILE(a.mode) && a.dev == b.dev && a.ino == b.ino && in->file->off < b.size;
}

static int cat_file(struct proc *p, struct cat_state *s, struct str name, bool plain)
{
    struct in in;
    int err = in_open_quiet(&in, p, name);

    if (err < 0) {
        out_flush(&s->out);
        proc_warn_file(p, name, err);
        return 1;
    }
    if (cat_same(p, &in)) {
        out_flush(&s->out);
        proc_warn(p, "%s: input file is output file", proc_quotef(p, name));
        in_fini(&in);
        return 1;
    }
    err = plain ? cat_plain(s, &in) : cat_formatted(s, &in);
    in_fini(&in);
    if (err < 0) {
        out_flush(&s->out);
        proc_warn_file(p, name, err);
    }
    return err < 0;
}

static int cat_run(struct proc *p, void *args)
{
    struct cat *o = args;
    struct cat_state s = {.o = o};
    bool plain = !(o->number || o->nonblank || o->squeeze || o->ends || o->tabs || o->visible);
    int status = 0;

    if (!proc_file(p, 1)) {
        proc_warn(p, "standard output: %s", error_text(HOB_EBADF));
        return 1;
    }
    out_init(&s.out, p, 1);
    if (p->argc == 0)
        status = cat_file(p, &s, STR("-"), plain);
    for (int i = 0; i < p->argc && !s.out.err; i++)
        status |= cat_file(p, &s, p->argv[i], plain);
    if (s.cr)
        out_putc(&s.out, '\r');
    return command_close(p, &s.out, status);
}

const struct command cmd_cat = {
    .name = "cat",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Concatenate FILE(s) to standard output.",
    .notes = "With no FILE, or when FILE is -, read standard input.",
    .opts = cat_opts,
    .args_size = sizeof(struct cat),
    .usage_status = 1,
    .run = cat_run,
};

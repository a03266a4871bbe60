/* fold.c -- wrap long lines */
#include "shell/command.h"

#include "commands/lib/each.h"

struct fold {
    bool bytes, spaces;
    uint64_t width;
    struct out out;
    struct buf line;
    uint64_t col;
};

static int fold_set(struct proc *p, struct fold *f, struct str arg)
{
    int r = size_parse(arg, "", &f->width);
    if (r == 0 && f->width > 0 && f->width < UINT64_MAX - 8)
        return 0;
    proc_warn(p, "invalid number of columns: %s%s", proc_quote(p, arg),
              r == HOB_EINVAL ? "" : ": Numerical result out of range");
    return 2;
}

static int fold_width(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)o;
    return fold_set(p, args, arg);
}

static int fold_number(struct proc *p, void *args, struct str digits)
{
    return fold_set(p, args, digits);
}

static const struct opt fold_opts[] = {
    OPT_FLAG('b', "bytes", struct fold, bytes, "count bytes, not columns"),
    OPT_FLAG('s', "spaces", struct fold, spaces, "break at blanks"),
    OPT_CALL('w', "width", fold_width, "WIDTH", "at most WIDTH columns, not 80"),
    OPT_END,
};

static void fold_defaults(struct proc *p, void *args)
{
    (void)p;
    ((struct fold *)args)->width = 80;
}

static uint64_t fold_column(const struct fold *f, uint64_t col, char c)
{
    if (f->bytes)
        return col + 1;
    switch (c) {
    case '\b': return col ? col - 1 : 0;
    case '\r': return 0;
    case '\t': return col + 8 - col % 8;
    default: return col + 1;
    }
}

/* Breaks the line that is held: all of it, or up to its last blank. */
static void fold_break(struct fold *f)
{
    size_t end = f->line.n;
    if (f->spaces) {
        while (end > 0 && f->line.p[end - 1] != ' ' && f->line.p[end - 1] != '\t')
            end--;
        if (end == 0)
            end = f->line.n;
    }
    out_write(&f->out, f->line.p, end);
    out_putc(&f->out, '\n');
    buf_del(&f->line, 0, end);
    f->col = 0;
    for (size_t i = 0; i < f->line.n; i++)
        f->col = fold_column(f, f->col, f->line.p[i]);
}

static int fold_one(struct in *in, void *ud)
{
    struct fold *f = ud;
    while (in_fill(in) && !f->out.err) {
        char c = *in->p++;
        if (c == '\n') {
            out_str(&f->out, buf_get(&f->line));
            out_putc(&f->out, '\n');
            buf_clear(&f->line);
            f->col = 0;
            continue;
        }
        uint64_t next = fold_column(f, f->col, c);
        while (next > f->width && f->line.n) {
            fold_break(f);
            next = fold_column(f, f->col, c);
        }
        buf_putc(&f->line, c);
        f->col = next;
    }
    out_str(&f->out, buf_get(&f->line));
    buf_clear(&f->line);
    f->col = 0;
    return f->out.err ? 1 : 0;
}

static int fold_run(struct proc *p, void *args)
{
    struct fold *f = args;
    out_init(&f->out, p, 1);
    buf_init(&f->line, &p->kernel->heap);
    int r = each_file(p, fold_one, f);
    buf_fini(&f->line);
    return command_close(p, &f->out, r);
}

const struct command cmd_fold = {
    .name = "fold",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write each FILE with lines wrapped to a width.",
    .notes = "Without FILE, or when FILE is -, standard input is read.",
    .opts = fold_opts,
    .args_size = sizeof(struct fold),
    .flags = CMD_NUMERIC,
    .usage_status = 1,
    .run = fold_run,
    .defaults = fold_defaults,
    .number = fold_number,
};

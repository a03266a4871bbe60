/* comm.c -- compare two sorted files line by line */
#include "shell/command.h"

#include "base/error.h"

enum {
    COMM_ASK,
    COMM_CHECK,
    COMM_TRUST
};

struct comm {
    bool no1, no2, no3, total, zero;
    int order;
    struct str sep;
    char end;
    struct out out;
    struct proc *p;
};

static int comm_delimiter(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct comm *c = args;
    (void)o;
    if (c->sep.p && !str_eq(c->sep, arg)) {
        proc_warn(p, "multiple output delimiters specified");
        return 2;
    }
    c->sep = arg;
    return 0;
}

static const struct opt comm_opts[] = {
    OPT_FLAG('1', NULL, struct comm, no1, "without column 1 (lines only in FILE1)"),
    OPT_FLAG('2', NULL, struct comm, no2, "without column 2 (lines only in FILE2)"),
    OPT_FLAG('3', NULL, struct comm, no3, "without column 3 (lines in both)"),
    OPT_SET(0, "check-order", struct comm, order, COMM_CHECK,
            "look whether the input is sorted, even if all lines pair"),
    OPT_SET(0, "nocheck-order", struct comm, order, COMM_TRUST,
            "do not look whether the input is sorted"),
    OPT_CALL(0, "output-delimiter", comm_delimiter, "STR", "part columns by STR"),
    OPT_FLAG(0, "total", struct comm, total, "print a summary at the end"),
    OPT_FLAG('z', "zero-terminated", struct comm, zero, "lines end with NUL, not newline"),
    OPT_END,
};

struct comm_side {
    struct in in;
    struct buf line, last, before; /* the last three lines */
    uint64_t n;
    bool has, warned;
};

/* Reads the next line. 0, or 1 when the order is wrong and that ends it. */
static int comm_next(struct comm *c, struct comm_side *s, int number, bool unpaired)
{
    struct str line;
    bool had;
    struct buf swap = s->before;
    bool check = c->order == COMM_CHECK || (c->order == COMM_ASK && unpaired);

    s->before = s->last;
    s->last = s->line;
    s->line = swap;
    buf_clear(&s->line);
    s->has = in_line(&s->in, c->end, &line, &had);
    if (s->has)
        buf_str(&s->line, line);
    /* At the end the last two lines are looked at again: lines may have come to be unpaired. */
    struct buf *a = s->has ? &s->last : &s->before, *b = s->has ? &s->line : &s->last;
    if (s->n + s->has > 1 && check && !s->warned && str_cmp(buf_get(a), buf_get(b)) > 0) {
        proc_warn(c->p, "file %d is not in sorted order", number);
        s->warned = true;
        if (c->order == COMM_CHECK)
            return 1;
    }
    s->n += s->has;
    return 0;
}

static void comm_put(struct comm *c, struct str line, int column)
{
    if ((column == 1 && c->no1) || (column == 2 && c->no2) || (column == 3 && c->no3))
        return;
    if (column >= 2 && !c->no1)
        out_str(&c->out, c->sep);
    if (column == 3 && !c->no2)
        out_str(&c->out, c->sep);
    out_str(&c->out, line);
    out_write(&c->out, &c->end, 1);
}

static int comm_compare(struct comm *c, struct comm_side *s, uint64_t total[3])
{
    bool unpaired = false;
    int bad = comm_next(c, &s[0], 1, false) | comm_next(c, &s[1], 2, false);

    while (!bad && (s[0].has || s[1].has) && !c->out.err) {
        int order = !s[0].has   ? 1
                    : !s[1].has ? -1
                                : str_cmp(buf_get(&s[0].line), buf_get(&s[1].line));
        int column = order == 0 ? 3 : order < 0 ? 1 : 2;
        total[column - 1]++;
        unpaired |= order != 0;
        comm_put(c, buf_get(&s[column == 2].line), column);
        if (order <= 0)
            bad |= comm_next(c, &s[0], 1, unpaired);
        if (order >= 0 && !bad)
            bad |= comm_next(c, &s[1], 2, unpaired);
        if (proc_tick(c->p, 0) < 0)
            return HOB_EKILLED;
    }
    if (c->total && !(bad && c->order == COMM_CHECK)) {
        for (int i = 0; i < 3; i++) {
            out_printf(&c->out, "%llu", (unsigned long long)total[i]);
            if (c->sep.p[0]) /* a NUL is none here */
                out_str(&c->out, c->sep);
        }
        out_puts(&c->out, "total");
        out_write(&c->out, &c->end, 1);
    }
    if (c->order == COMM_ASK && (s[0].warned || s[1].warned)) {
        out_flush(&c->out);
        proc_warn(c->p, "input is not in sorted order");
        bad = 1;
    }
    return bad;
}

static int comm_run(struct proc *p, void *args)
{
    struct comm *c = args;
    struct comm_side s[2];
    uint64_t total[3] = {0};
    int opened = 0, r = 0;

    if (p->argc < 2) {
        if (p->argc == 0)
            return proc_missing_operand(p);
        proc_warn(p, "missing operand after %s", proc_quote(p, p->argv[0]));
        return proc_usage(p);
    }
    if (p->argc > 2)
        return proc_extra_operand(p, p->argv[2]);
    c->p = p;
    c->end = c->zero ? '\0' : '\n';
    if (!c->sep.p)
        c->sep = STR("\t");
    else if (c->sep.n == 0)
        c->sep = str_of("\0", 1);
    out_init(&c->out, p, 1);
    memset(s, 0, sizeof s);
    for (; opened < 2 && r == 0; opened += r == 0) {
        buf_init(&s[opened].line, &p->kernel->heap);
        buf_init(&s[opened].last, &p->kernel->heap);
        buf_init(&s[opened].before, &p->kernel->heap);
        r = in_open(&s[opened].in, p, p->argv[opened]) < 0;
    }
    if (r == 0)
        r = comm_compare(c, s, total);
    for (int i = 0; i < opened; i++) {
        if (s[i].in.err < 0 && r >= 0) {
            proc_warn_file(p, p->argv[i], s[i].in.err);
            r = 1;
        }
        in_fini(&s[i].in);
        buf_fini(&s[i].line);
        buf_fini(&s[i].last);
        buf_fini(&s[i].before);
    }
    return command_close(p, &c->out, r);
}

const struct command cmd_comm = {
    .name = "comm",
    .usage = "[OPTION]... FILE1 FILE2",
    .summary = "Compare two sorted files: lines only in FILE1, only in FILE2, and in both.",
    .notes = "One FILE may be -, standard input.",
    .opts = comm_opts,
    .args_size = sizeof(struct comm),
    .usage_status = 1,
    .run = comm_run,
};

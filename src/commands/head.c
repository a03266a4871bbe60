/* head.c -- output the first part of files */
#include "shell/command.h"

#include "commands/lib/queue.h"

struct head {
    uint64_t count;
    bool bytes; /* count bytes, not lines */
    bool from_end;
    int titles; /* 1 always, -1 never */
    bool zero;
    char delim;
};

/* [-]NUM with a multiplier. */
static int head_count(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct head *h = args;
    struct str num = arg;

    h->bytes = o->letter == 'c';
    h->from_end = arg.n > 0 && arg.p[0] == '-';
    if (h->from_end)
        num = str_from(arg, 1);
    int r = size_parse(num, "bkKmMGTPEZYRQ0", &h->count);
    if (r == 0)
        return 0;
    proc_warn(p, "invalid number of %s: %s%s", h->bytes ? "bytes" : "lines", proc_quote(p, num),
              r == HOB_ERANGE ? ": Value too large for defined data type" : "");
    return 2;
}

static const struct opt head_opts[] = {
    OPT_CALL('c', "bytes", head_count, "[-]NUM",
             "show the first NUM bytes of each file; with a '-' all but the last NUM bytes"),
    OPT_CALL('n', "lines", head_count, "[-]NUM",
             "show the first NUM lines instead of 10; with a '-' all but the last NUM lines"),
    OPT_SET('q', "quiet", struct head, titles, -1, "never write headers with file names"),
    OPT_SET('q', "silent", struct head, titles, -1, "same as --quiet"),
    OPT_SET('v', "verbose", struct head, titles, 1, "always write headers with file names"),
    OPT_FLAG('z', "zero-terminated", struct head, zero, "lines end with NUL, not newline"),
    OPT_END,
};

static void head_defaults(struct proc *p, void *args)
{
    (void)p;
    ((struct head *)args)->count = 10;
}

/* The old form: -5, -5c, -5kqv. */
static int head_number(struct proc *p, void *args, struct str digits)
{
    struct head *h = args;
    size_t n = 0;
    char unit = '\0';

    while (n < digits.n && digits.p[n] >= '0' && digits.p[n] <= '9')
        n++;
    h->bytes = h->from_end = false;
    for (size_t i = n; i < digits.n; i++) {
        char c = digits.p[i];
        if (c == 'c' || c == 'b' || c == 'k' || c == 'm') {
            h->bytes = true;
            unit = c == 'c' ? '\0' : c;
        } else if (c == 'l') {
            h->bytes = false;
        } else if (c == 'q' || c == 'v') {
            h->titles = c == 'q' ? -1 : 1;
        } else if (c == 'z') {
            h->zero = true;
        } else {
            proc_warn(p, "invalid trailing option -- %c", c);
            return proc_usage(p) + 1;
        }
    }
    struct str num = arena_printf(p->arena, "%.*s%.*s", (int)n, digits.p, unit ? 1 : 0, &unit);
    if (!num.p)
        return 2;
    if (size_parse(num, "bkKm", &h->count) == 0)
        return NUMBER_TAKEN;
    proc_warn(p, "invalid number of %s: %s: Value too large for defined data type",
              h->bytes ? "bytes" : "lines", proc_quote(p, num));
    return 2;
}

/* Hands on the first n bytes of the window. */
static void head_give(struct out *o, struct in *in, size_t n)
{
    struct slice s = {blob_ref(in->held.blob), in->p, n};
    in->p += n;
    out_give(o, &s);
}

static void head_first_bytes(struct out *o, struct in *in, uint64_t count)
{
    while (count && in_fill(in) && !o->err) {
        size_t n = (size_t)MIN((uint64_t)(in->end - in->p), count);
        head_give(o, in, n);
        count -= n;
    }
}

static void head_first_lines(struct out *o, struct in *in, uint64_t count, char delim)
{
    while (count && in_fill(in) && !o->err) {
        const char *at = in->p;
        while (count && at < in->end) {
            const char *nl = memchr(at, delim, (size_t)(in->end - at));
            at = nl ? nl + 1 : in->end;
            count -= nl != NULL;
        }
        head_give(o, in, (size_t)(at - in->p));
    }
}

/* All but the last `count`: holds back as little as may still turn out to be the last. */
static int head_all_but_lines(struct proc *p, struct out *o, struct in *in, const struct head *h)
{
    struct queue q;
    struct queue_item *front;
    char last = h->delim;
    int r = 0;

    queue_init(&q, &p->kernel->heap);
    while (r == 0 && in_fill(in) && !o->err) {
        last = in->end[-1];
        r = queue_take(&q, in, h->delim);
        while (r == 0 && (front = queue_front(&q)) && q.lines - front->lines > h->count) {
            struct slice s = queue_pop(&q);
            out_give(o, &s);
        }
    }
    /* A last line without its end counts as one. */
    uint64_t keep = q.lines + (last != h->delim);
    keep = keep > h->count ? keep - h->count : 0;
    while (r == 0 && keep && (front = queue_front(&q))) {
        bool all = front->lines <= keep;
        uint64_t lines = front->lines;
        struct slice s = queue_pop(&q);
        if (!all || lines == keep) {
            const char *at = s.p;
            for (uint64_t i = 0; i < keep; i++)
                at = (const char *)memchr(at, h->delim, (size_t)(s.p + s.n - at)) + 1;
            s.n = (size_t)(at - s.p);
            keep = 0;
        } else {
            keep -= lines;
        }
        out_give(o, &s);
    }
    queue_fini(&q);
    return r;
}

static int head_all_but_bytes(struct proc *p, struct out *o, struct in *in, uint64_t count)
{
    struct queue q;
    struct queue_item *front;
    int r = 0;

    queue_init(&q, &p->kernel->heap);
    while (r == 0 && in_fill(in) && !o->err) {
        r = queue_take(&q, in, '\n');
        while (r == 0 && (front = queue_front(&q)) && q.bytes - front->s.n >= count) {
            struct slice s = queue_pop(&q);
            out_give(o, &s);
        }
    }
    if (r == 0 && q.bytes > count && queue_front(&q)) {
        uint64_t extra = q.bytes - count;
        struct slice s = queue_pop(&q);
        s.n = (size_t)extra;
        out_give(o, &s);
    }
    queue_fini(&q);
    return r;
}

static int head_file(struct proc *p, const struct head *h, struct out *o, struct str name,
                     bool title, bool first)
{
    bool std = str_eqz(name, "-");
    struct in in;
    int r = in_open_quiet(&in, p, name);

    if (r < 0) {
        proc_warn_quoted(p, "cannot open %s for reading", name, r);
        return 1;
    }
    if (title)
        out_printf(o, "%s==> %s <==\n", first ? "" : "\n", std ? "standard input" : name.p);
    r = 0;
    if (!h->from_end && h->bytes)
        head_first_bytes(o, &in, h->count);
    else if (!h->from_end)
        head_first_lines(o, &in, h->count, h->delim);
    else if (h->bytes)
        r = head_all_but_bytes(p, o, &in, h->count);
    else
        r = head_all_but_lines(p, o, &in, h);
    int err = in.err;
    in_fini(&in);
    if (err < 0)
        proc_warn_quoted(p, "error reading %s", std ? STR("standard input") : name, err);
    return r < 0 ? r : err < 0;
}

static int head_run(struct proc *p, void *args)
{
    struct head *h = args;
    static const struct str only = STR_INIT("-");
    const struct str *names = p->argc ? p->argv : &only;
    int n = p->argc ? p->argc : 1, status = 0;
    struct out o;
    bool first = true;

    h->delim = h->zero ? '\0' : '\n';
    out_init(&o, p, 1);
    for (int i = 0; i < n && !o.err && status >= 0; i++) {
        int r = head_file(p, h, &o, names[i], h->titles > 0 || (h->titles == 0 && n > 1), first);
        first = first && r == 1;
        status = r < 0 ? r : status | r;
    }
    return command_close(p, &o, status);
}

const struct command cmd_head = {
    .name = "head",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write the first 10 lines of each FILE to standard output.",
    .notes =
        "With more than one FILE, each is headed by its name. Without FILE, or when FILE is -,\n"
        "standard input is read. NUM may have a multiplier: b 512, kB 1000, K 1024, MB 1000*1000,\n"
        "M 1024*1024, and so on for G, T, P, E.",
    .opts = head_opts,
    .args_size = sizeof(struct head),
    .flags = CMD_NUMERIC,
    .usage_status = 1,
    .run = head_run,
    .defaults = head_defaults,
    .number = head_number,
};

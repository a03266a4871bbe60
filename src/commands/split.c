/* split.c -- cut a file into pieces */
#include "shell/command.h"

#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "commands/lib/launch.h"

enum {
    SPLIT_LINES,
    SPLIT_BYTES,
    SPLIT_LINE_BYTES,
    SPLIT_CHUNK_BYTES,
    SPLIT_CHUNK_LINES,
    SPLIT_ROBIN
};

struct split {
    int how;
    bool chosen, elide, unbuffered, verbose;
    uint64_t n;    /* lines, bytes or chunks */
    uint64_t only; /* chunk K of K/N, written to stdout; 0: all */
    int suffix_len;
    bool auto_len; /* the suffix grows when it runs out */
    int base;      /* 0 letters, 10, 16 */
    uint64_t start;
    struct str additional, filter, separator, suffix_arg;
    char delim;
    struct proc *p;
    struct out shown; /* --verbose, and K/N */
    /* the piece being written */
    struct out out;
    struct file *file;
    bool open;
    uint64_t number;
    struct str prefix;
    int pid; /* of the filter, 0: none */
    int status;
};

static int split_fail(struct proc *p, const char *what, struct str arg)
{
    uint64_t v;
    bool range = size_parse(arg, "bEGKkMmPTYZ0", &v) != HOB_EINVAL;
    proc_warn(p, "%s: %s%s", what, proc_quote(p, arg),
              range ? ": Numerical result out of range" : "");
    return 2;
}

static int split_choose(struct proc *p, struct split *s, int how)
{
    if (s->chosen) {
        proc_warn(p, "cannot split in more than one way");
        return proc_usage(p) + 1;
    }
    s->chosen = true;
    s->how = how;
    return 0;
}

/* -n: N, K/N, l/N, l/K/N, r/N, r/K/N */
static int split_chunks(struct proc *p, struct split *s, struct str arg)
{
    int how = SPLIT_CHUNK_BYTES;
    struct str rest = arg;
    if (rest.n > 1 && (rest.p[0] == 'l' || rest.p[0] == 'r') && rest.p[1] == '/') {
        how = rest.p[0] == 'l' ? SPLIT_CHUNK_LINES : SPLIT_ROBIN;
        rest = str_from(rest, 2);
    }
    int r = split_choose(p, s, how);
    if (r)
        return r;
    ptrdiff_t slash = str_chr(rest, '/');
    s->only = 0;
    if (slash >= 0) {
        struct str k = str_sub(rest, 0, (size_t)slash);
        rest = str_from(rest, (size_t)slash + 1);
        if (size_parse(rest, "", &s->n) < 0 || s->n == 0)
            return split_fail(p, "invalid number of chunks", rest);
        if (size_parse(k, "", &s->only) < 0 || s->only == 0 || s->only > s->n)
            return split_fail(p, "invalid chunk number", k);
    } else if (size_parse(rest, "", &s->n) < 0 || s->n == 0) {
        return split_fail(p, "invalid number of chunks", rest);
    }
    return 0;
}

static int split_how(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct split *s = args;
    int r;
    switch (o->letter) {
    case 'b':
        if ((r = split_choose(p, s, SPLIT_BYTES)) != 0)
            return r;
        return size_parse(arg, "bEGKkMmPTYZ0", &s->n) < 0 || s->n == 0
                   ? split_fail(p, "invalid number of bytes", arg)
                   : 0;
    case 'C':
        if ((r = split_choose(p, s, SPLIT_LINE_BYTES)) != 0)
            return r;
        return size_parse(arg, "bEGKkMmPTYZ0", &s->n) < 0 || s->n == 0
                   ? split_fail(p, "invalid number of bytes", arg)
                   : 0;
    case 'l':
        if ((r = split_choose(p, s, SPLIT_LINES)) != 0)
            return r;
        return size_parse(arg, "", &s->n) < 0 || s->n == 0
                   ? split_fail(p, "invalid number of lines", arg)
                   : 0;
    default: return split_chunks(p, s, arg);
    }
}

static int split_suffix(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct split *s = args;
    uint64_t v;
    if (o->letter == 'a') {
        if (size_parse(arg, "", &v) < 0 || v > 200)
            return split_fail(p, "invalid suffix length", arg);
        s->suffix_len = (int)v;
        s->auto_len = v == 0;
        return 0;
    }
    s->base = o->letter == 'x' || (o->name && o->name[0] == 'h') ? 16 : 10;
    if (!arg.p)
        arg = s->suffix_arg; /* the digits of an earlier FROM, now in this base */
    if (!arg.p)
        return 0;
    s->start = 0;
    for (size_t i = 0; i < arg.n; i++) {
        int d = ascii_digit(arg.p[i]) ? arg.p[i] - '0' : (arg.p[i] | 32) - 'a' + 10;
        if (d < 0 || d >= s->base) {
            proc_warn(p, "%s: invalid start value for %s suffix", proc_quote(p, arg),
                      s->base == 10 ? "numerical" : "hexadecimal");
            return proc_usage(p) + 1;
        }
        s->start = s->start * (uint64_t)s->base + (uint64_t)d;
    }
    s->suffix_arg = arg;
    return 0;
}

static int split_extra(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct split *s = args;
    (void)o;
    if (str_chr(arg, '/') >= 0) {
        proc_warn(p, "invalid suffix %s, contains directory separator", proc_quote(p, arg));
        return proc_usage(p) + 1;
    }
    s->additional = arg;
    return 0;
}

static int split_separator(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct split *s = args;
    (void)o;
    if (arg.n == 0) {
        proc_warn(p, "empty record separator");
        return 2;
    }
    char c = str_eqz(arg, "\\0") ? '\0' : arg.p[0];
    if (arg.n > 1 && c) {
        proc_warn(p, "multi-character separator %s", proc_quote(p, arg));
        return 2;
    }
    if (s->separator.p && s->delim != c) {
        proc_warn(p, "multiple separator characters specified");
        return 2;
    }
    s->separator = arg;
    s->delim = c;
    return 0;
}

/* split -5: as -l 5. */
static int split_number(struct proc *p, void *args, struct str digits)
{
    struct split *s = args;
    int r = split_choose(p, s, SPLIT_LINES);
    if (r)
        return r;
    return size_parse(digits, "", &s->n) < 0 || s->n == 0
               ? split_fail(p, "invalid number of lines", digits)
               : NUMBER_TAKEN;
}

static const struct opt split_opts[] = {
    OPT_CALL('a', "suffix-length", split_suffix, "N", "suffixes of N characters (default 2)"),
    OPT_CALL(0, "additional-suffix", split_extra, "SUFFIX", "append SUFFIX to the names"),
    OPT_CALL('b', "bytes", split_how, "SIZE", "SIZE bytes per piece"),
    OPT_CALL('C', "line-bytes", split_how, "SIZE", "at most SIZE bytes of whole lines per piece"),
    OPT_CALL('d', NULL, split_suffix, NULL, "numbers as suffixes, from 0 on"),
    OPT_CALL_OPTIONAL(0, "numeric-suffixes", split_suffix, "FROM", "the same from FROM on"),
    OPT_CALL('x', NULL, split_suffix, NULL, "hexadecimal numbers as suffixes, from 0 on"),
    OPT_CALL_OPTIONAL(0, "hex-suffixes", split_suffix, "FROM", "the same from FROM on"),
    OPT_FLAG('e', "elide-empty-files", struct split, elide, "with -n, make no empty pieces"),
    OPT_STRING(0, "filter", struct split, filter, "COMMAND",
               "write to a shell COMMAND; the name is in $FILE"),
    OPT_CALL('l', "lines", split_how, "NUMBER", "NUMBER lines per piece (default 1000)"),
    OPT_CALL(
        'n', "number", split_how, "CHUNKS",
        "N pieces; K/N only piece K to standard output; l/N of whole lines; r/N lines in turn"),
    OPT_CALL('t', "separator", split_separator, "SEP", "lines end with SEP, not newline"),
    OPT_FLAG('u', "unbuffered", struct split, unbuffered,
             "accepted: with r/N nothing is held back"),
    OPT_FLAG(0, "verbose", struct split, verbose, "tell about each piece"),
    OPT_END,
};

static void split_defaults(struct proc *p, void *args)
{
    struct split *s = args;
    (void)p;
    s->n = 1000;
    s->suffix_len = 2;
    s->auto_len = true;
    s->delim = '\n';
}

/* ---- pieces --------------------------------------------------------------------------------- */

/* The name of piece `number`; {NULL,0} when the suffixes are used up. */
static struct str split_name(struct split *s, uint64_t number)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t base = s->base ? (uint64_t)s->base : 26, v = number + s->start;
    int len = s->suffix_len;
    char suffix[201];
    struct buf b;

    if (s->auto_len) {
        /* The first letter is z (or 9, f) only in front of a longer suffix. */
        uint64_t room = base - 1;
        for (int i = 1; i < len; i++)
            room *= base;
        int extra = 0;
        while (v >= room && len < 100) {
            v -= room;
            room *= base;
            extra++;
            len++;
        }
        buf_init(&b, &s->p->kernel->heap);
        buf_str(&b, s->prefix);
        buf_fill(&b, s->base ? digits[base - 1] : 'z', (size_t)extra);
    } else {
        buf_init(&b, &s->p->kernel->heap);
        buf_str(&b, s->prefix);
    }
    for (int i = len - 1; i >= 0; i--) {
        suffix[i] = s->base ? digits[v % base] : (char)('a' + v % base);
        v /= base;
    }
    struct str name = STR_NONE;
    if (v == 0) {
        buf_add(&b, suffix, (size_t)len);
        buf_str(&b, s->additional);
        name = arena_str(s->p->arena, buf_get(&b));
    }
    buf_fini(&b);
    return name;
}

static int split_filter(struct split *s, struct str name)
{
    struct file *rd, *wr;
    struct launch_env *env = arena_new(s->p->arena, struct launch_env);
    int r = env ? pipe_new(s->p->kernel, &rd, &wr) : HOB_ENOMEM;
    if (r < 0)
        return r;
    *env = (struct launch_env){s->p, STR("FILE"), name};
    struct str argv[] = {STR("sh"), STR("-c"), s->filter};
    struct exec_opts o = {.env = &launch_env_ops, .env_ctx = env, .spawn = true, .fd0 = rd};
    r = launch_run(s->p, argv, 3, &o);
    file_unref(rd);
    if (r < 0) {
        file_unref(wr);
        return r;
    }
    s->pid = r;
    s->file = wr;
    return 0;
}

static int split_close(struct split *s)
{
    int status, sig;
    if (!s->open)
        return 0;
    s->open = false;
    int err = out_fini(&s->out);
    file_unref(s->file);
    s->file = NULL;
    if (s->pid) {
        int r = proc_wait(s->p, s->pid, INT64_MAX, &status, &sig);
        s->pid = 0;
        if (r == HOB_EKILLED)
            return r;
        if (r >= 0 && status && !(sig == SIG_PIPE)) {
            proc_warn(s->p, "with FILE=%.*s, exit %d from command: %.*s", STR_ARG(s->prefix),
                      status, STR_ARG(s->filter));
            s->status = 1;
        }
        return 0;
    }
    if (err < 0 && err != HOB_EKILLED)
        proc_warn(s->p, "%s", error_text(err));
    return err < 0 ? (err == HOB_EKILLED ? err : 1) : 0;
}

/* Starts the next piece. 0, or a status or error. */
static int split_next(struct split *s)
{
    int r = split_close(s);
    if (r)
        return r;
    struct str name = split_name(s, s->number++);
    if (!name.p) {
        if (s->p->kernel->heap.oom)
            return HOB_ENOMEM;
        proc_warn(s->p, "output file suffixes exhausted");
        return 1;
    }
    if (s->verbose)
        out_printf(&s->shown, s->filter.p ? "executing with FILE=%s\n" : "creating file %s\n",
                   s->filter.p ? proc_quotef(s->p, name) : proc_quoteaf(s->p, name));
    r = s->filter.p ? split_filter(s, name)
                    : vfs_open(s->p, name, FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0666, &s->file);
    if (r < 0) {
        proc_warn_file(s->p, name, r);
        return 1;
    }
    out_init_file(&s->out, s->p, s->file);
    s->open = true;
    return 0;
}

/* ---- the ways to split ---------------------------------------------------------------------- */

static int split_by_lines(struct split *s, struct in *in)
{
    uint64_t left = 0;
    while (in_fill(in)) {
        if (left == 0) {
            int r = split_next(s);
            if (r)
                return r;
            left = s->n;
        }
        const char *at = in->p;
        while (left && at < in->end) {
            const char *nl = memchr(at, s->delim, (size_t)(in->end - at));
            at = nl ? nl + 1 : in->end;
            left -= nl != NULL;
        }
        out_write(&s->out, in->p, (size_t)(at - in->p));
        in->p = at;
    }
    return 0;
}

static int split_by_bytes(struct split *s, struct in *in)
{
    uint64_t left = 0;
    while (in_fill(in)) {
        if (left == 0) {
            int r = split_next(s);
            if (r)
                return r;
            left = s->n;
        }
        size_t n = (size_t)MIN(left, (uint64_t)(in->end - in->p));
        out_write(&s->out, in->p, n);
        in->p += n;
        left -= n;
    }
    return 0;
}

/* Whole lines while they fit; longer ones are cut. */
static int split_by_line_bytes(struct split *s, struct in *in)
{
    struct str line;
    bool had;
    uint64_t used = 0;
    int r = 0;

    while (r == 0 && in_line(in, s->delim, &line, &had)) {
        uint64_t n = line.n + had;
        if (!s->open || used + n > s->n) {
            if (s->open && used == 0)
                used = 0;
            else if ((r = split_next(s)) != 0)
                break;
            used = 0;
        }
        while (n > s->n) {
            size_t k = (size_t)s->n;
            out_write(&s->out, line.p, k);
            line = str_from(line, k);
            n -= k;
            if ((r = split_next(s)) != 0)
                return r;
        }
        out_str(&s->out, line);
        if (had)
            out_write(&s->out, &s->delim, 1);
        used += n;
    }
    return r;
}

/* Where chunk k (from 0) of n ends. */
static uint64_t split_bound(const struct split *s, uint64_t size, uint64_t k)
{
    return k >= s->n ? size : MIN(MAX(size / s->n, (uint64_t)1) * k, size);
}

static uint64_t split_line_bound(const struct split *s, struct str text, uint64_t k)
{
    /* A line belongs to the chunk in which it starts. */
    uint64_t at = split_bound(s, text.n, k);
    if (at == 0 || at >= text.n)
        return MIN(at, (uint64_t)text.n);
    if (text.p[at - 1] == s->delim)
        return at;
    const char *nl = memchr(text.p + at, s->delim, text.n - (size_t)at);
    return nl ? (uint64_t)(nl + 1 - text.p) : text.n;
}

static int split_by_chunks(struct split *s, struct in *in)
{
    struct str text;
    int r = in_all(in, &text);
    if (r < 0)
        return in->err == HOB_EISDIR ? 0 : r;
    for (uint64_t k = 0; k < s->n; k++) {
        bool lines = s->how == SPLIT_CHUNK_LINES;
        uint64_t from = lines ? split_line_bound(s, text, k) : split_bound(s, text.n, k);
        uint64_t to = lines ? split_line_bound(s, text, k + 1) : split_bound(s, text.n, k + 1);
        struct str piece = str_sub(text, (size_t)from, (size_t)(to > from ? to - from : 0));
        if (s->only) {
            if (k + 1 == s->only)
                out_str(&s->shown, piece);
            continue;
        }
        if (s->elide && piece.n == 0)
            continue;
        if ((r = split_next(s)) != 0)
            return r;
        out_str(&s->out, piece);
        if (proc_tick(s->p, 1) < 0)
            return HOB_EKILLED;
    }
    return 0;
}

/* r/N: line by line in turn. All pieces are collected in memory first. */
static int split_robin(struct split *s, struct in *in)
{
    struct str line;
    bool had;
    uint64_t k = 0;
    int r = 0;

    if (s->only) {
        while (in_line(in, s->delim, &line, &had)) {
            if (k++ % s->n + 1 != s->only)
                continue;
            out_str(&s->shown, line);
            if (had)
                out_write(&s->shown, &s->delim, 1);
        }
        return 0;
    }
    struct str text;
    r = in_all(in, &text);
    for (uint64_t i = 0; r == 0 && i < s->n; i++) {
        struct str rest = text;
        bool opened = false;
        if (!s->elide) {
            r = split_next(s);
            opened = true;
        }
        for (k = 0; r == 0 && rest.n; k++) {
            const char *nl = memchr(rest.p, s->delim, rest.n);
            size_t n = nl ? (size_t)(nl + 1 - rest.p) : rest.n;
            if (k % s->n == i) {
                if (!opened)
                    r = split_next(s);
                opened = true;
                if (r == 0)
                    out_write(&s->out, rest.p, n);
            }
            rest = str_from(rest, n);
        }
    }
    return r;
}

static int split_run(struct proc *p, void *args)
{
    struct split *s = args;
    struct str name = p->argc ? p->argv[0] : STR("-");
    struct in in;

    if (p->argc > 2)
        return proc_extra_operand(p, p->argv[2]);
    s->p = p;
    s->prefix = p->argc > 1 ? p->argv[1] : STR("x");
    if (s->only && s->filter.p) {
        proc_warn(p, "--filter does not process a chunk extracted to stdout");
        return proc_usage(p);
    }
    if (s->suffix_arg.p)
        s->auto_len = false;
    if (s->how >= SPLIT_CHUNK_BYTES && s->auto_len) {
        /* As long as all pieces need. */
        uint64_t base = s->base ? (uint64_t)s->base : 26, room = base;
        int len = 1;
        for (uint64_t last = s->n + s->start - 1; room <= last && len < 20; len++)
            room *= base;
        s->suffix_len = MAX(s->suffix_len, len);
        s->auto_len = false;
    }
    uint64_t most = 1;
    for (int i = 0; s->base && !s->auto_len && i < s->suffix_len && most <= s->start; i++)
        most *= (uint64_t)s->base;
    if (s->base && !s->auto_len && s->start && s->start >= most) {
        proc_warn(p, "numerical suffix start value is too large for the suffix length");
        return proc_usage(p);
    }
    int r = in_open_quiet(&in, p, name);
    if (r < 0) {
        proc_warn_quoted(p, "cannot open %s for reading", name, r);
        return 1;
    }
    out_init(&s->shown, p, 1);
    switch (s->how) {
    case SPLIT_LINES: r = split_by_lines(s, &in); break;
    case SPLIT_BYTES: r = split_by_bytes(s, &in); break;
    case SPLIT_LINE_BYTES: r = split_by_line_bytes(s, &in); break;
    case SPLIT_ROBIN: r = split_robin(s, &in); break;
    default: r = split_by_chunks(s, &in);
    }
    int closed = split_close(s);
    if (in.err < 0 && r == 0) {
        proc_warn_file(p, name, in.err);
        r = 1;
    }
    in_fini(&in);
    return command_close(p, &s->shown, r ? r : closed ? closed : s->status);
}

const struct command cmd_split = {
    .name = "split",
    .usage = "[OPTION]... [FILE [PREFIX]]",
    .summary =
        "Write pieces of FILE to PREFIXaa, PREFIXab ... (by default 1000 lines each, to xaa, xab).",
    .notes = "Without FILE, or when FILE is -, standard input is read.",
    .opts = split_opts,
    .args_size = sizeof(struct split),
    .flags = CMD_NUMERIC,
    .usage_status = 1,
    .run = split_run,
    .defaults = split_defaults,
    .number = split_number,
};

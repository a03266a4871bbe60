/* cmp.c -- compare two files byte by byte */
#include "commands/lib/files.h"
#include "shell/command.h"

#include "base/error.h"

struct cmp {
    bool bytes, verbose, quiet;
    uint64_t skip[2], limit;
    bool limited;
};

static int cmp_bad(struct proc *p, const char *option, struct str arg)
{
    proc_warn(p, "invalid %s value '%.*s'", option, STR_ARG(arg));
    proc_warn(p, "Try '%.*s --help' for more information.", STR_ARG(p->name));
    return 3;
}

static int cmp_skip(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct cmp *c = args;
    ptrdiff_t colon = str_chr(arg, ':');
    struct str a = str_sub(arg, 0, colon < 0 ? arg.n : (size_t)colon);
    (void)o;
    uint64_t first, second;
    if (size_parse(a, "kKMGTPEZY0", &first) < 0)
        return cmp_bad(p, "--ignore-initial", arg);
    second = 0;
    if (colon >= 0 && size_parse(str_from(arg, (size_t)colon + 1), "kKMGTPEZY0", &second) < 0)
        return cmp_bad(p, "--ignore-initial", arg);
    c->skip[0] = MAX(c->skip[0], first); /* the greatest of several counts */
    c->skip[1] = MAX(c->skip[1], colon < 0 ? c->skip[0] : second);
    return 0;
}

static int cmp_limit(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct cmp *c = args;
    (void)o;
    uint64_t n;
    if (size_parse(arg, "kKMGTPEZY0", &n) < 0)
        return cmp_bad(p, "--bytes", arg);
    c->limit = c->limited ? MIN(c->limit, n) : n; /* the least of several counts */
    c->limited = true;
    return 0;
}

static const struct opt cmp_opts[] = {
    OPT_FLAG('b', "print-bytes", struct cmp, bytes, "show bytes that differ"),
    OPT_CALL('i', "ignore-initial", cmp_skip, "SKIP[:SKIP2]",
             "skip the first SKIP bytes of both files"),
    OPT_FLAG('l', "verbose", struct cmp, verbose,
             "show the numbers and values of all bytes that differ"),
    OPT_CALL('n', "bytes", cmp_limit, "LIMIT", "compare at most LIMIT bytes"),
    OPT_FLAG('s', "quiet", struct cmp, quiet, "print nothing, the status tells"),
    OPT_FLAG('s', "silent", struct cmp, quiet, "same as --quiet"),
    OPT_END,
};

/* A byte as cat -v would show it. */
static const char *cmp_visible(unsigned char c, char out[8])
{
    char *to = out;
    if (c >= 128) {
        *to++ = 'M';
        *to++ = '-';
        c -= 128;
    }
    if (c < 32 || c == 127) {
        *to++ = '^';
        c = c == 127 ? '?' : (unsigned char)(c + 64);
    }
    *to++ = (char)c;
    *to = '\0';
    return out;
}

struct cmp_run {
    struct proc *p;
    const struct cmp *c;
    struct str name[2];
    struct in in[2];
    struct out out;
    uint64_t byte, line; /* compared so far; newlines seen in the first file */
    bool last_newline;
    int width;
};

/* One file ends before the other does. */
static int cmp_eof(struct cmp_run *r, int which)
{
    if (r->c->quiet)
        return 1;
    out_flush(&r->out);
    const char *name = r->name[which].p;
    if (r->byte == 0)
        proc_warn(r->p, "EOF on %s which is empty", name);
    else if (r->c->verbose)
        proc_warn(r->p, "EOF on %s after byte %llu", name, (unsigned long long)r->byte);
    else if (r->last_newline)
        proc_warn(r->p, "EOF on %s after byte %llu, line %llu", name, (unsigned long long)r->byte,
                  (unsigned long long)r->line);
    else
        proc_warn(r->p, "EOF on %s after byte %llu, in line %llu", name,
                  (unsigned long long)r->byte, (unsigned long long)r->line + 1);
    return 1;
}

static void cmp_difference(struct cmp_run *r, unsigned char a, unsigned char b)
{
    char va[8], vb[8];
    unsigned long long at = r->byte + 1;

    if (r->c->verbose && r->c->bytes)
        out_printf(&r->out, "%*llu %3o %-4s %3o %s\n", r->width, at, a, cmp_visible(a, va), b,
                   cmp_visible(b, vb));
    else if (r->c->verbose)
        out_printf(&r->out, "%*llu %3o %3o\n", r->width, at, a, b);
    else if (r->c->bytes)
        out_printf(&r->out, "%s %s differ: byte %llu, line %llu is %3o %s %3o %s\n", r->name[0].p,
                   r->name[1].p, at, (unsigned long long)r->line + 1, a, cmp_visible(a, va), b,
                   cmp_visible(b, vb));
    else
        out_printf(&r->out, "%s %s differ: byte %llu, line %llu\n", r->name[0].p, r->name[1].p, at,
                   (unsigned long long)r->line + 1);
}

static int cmp_compare(struct cmp_run *r)
{
    const struct cmp *c = r->c;
    struct in *a = &r->in[0], *b = &r->in[1];
    int status = 0;

    while (!c->limited || r->byte < c->limit) {
        bool more_a = in_fill(a), more_b = in_fill(b);
        if (!more_a || !more_b) {
            if (a->err || b->err)
                return 2;
            return more_a == more_b ? status : cmp_eof(r, more_a);
        }
        size_t n = MIN((size_t)(a->end - a->p), (size_t)(b->end - b->p));
        if (c->limited)
            n = (size_t)MIN((uint64_t)n, c->limit - r->byte);
        bool same = memcmp(a->p, b->p, n) == 0;
        for (size_t i = 0; i < n; i++) {
            if (!same && a->p[i] != b->p[i]) {
                status = 1;
                if (!c->quiet)
                    cmp_difference(r, (unsigned char)a->p[i], (unsigned char)b->p[i]);
                if (!c->verbose)
                    return 1;
            }
            r->line += a->p[i] == '\n';
            r->byte++;
        }
        r->last_newline = a->p[n - 1] == '\n';
        a->p += n;
        b->p += n;
    }
    return status;
}

static bool cmp_skip_bytes(struct in *in, uint64_t n)
{
    while (n && in_fill(in)) {
        size_t k = (size_t)MIN(n, (uint64_t)(in->end - in->p));
        in->p += k;
        n -= k;
    }
    return in->err == 0;
}

static int cmp_operands(struct proc *p, struct cmp *c)
{
    if (p->argc == 0) {
        proc_warn(p, "missing operand after '%.*s'", STR_ARG(p->name));
        proc_warn(p, "Try '%.*s --help' for more information.", STR_ARG(p->name));
        return 2;
    }
    if (p->argc > 4) {
        proc_warn(p, "extra operand '%.*s'", STR_ARG(p->argv[4]));
        proc_warn(p, "Try '%.*s --help' for more information.", STR_ARG(p->name));
        return 2;
    }
    for (int i = 2; i < p->argc; i++) {
        if (size_parse(p->argv[i], "kKMGTPEZY0", &c->skip[i - 2]) < 0)
            return cmp_bad(p, "--ignore-initial", p->argv[i]) - 1;
    }
    if (c->verbose && c->quiet) {
        proc_warn(p, "options -l and -s are incompatible");
        proc_warn(p, "Try '%.*s --help' for more information.", STR_ARG(p->name));
        return 2;
    }
    return 0;
}

static int cmp_run(struct proc *p, void *args)
{
    struct cmp *c = args;
    struct cmp_run r = {.p = p, .c = c, .width = 1};
    struct stat_info st;
    int status = cmp_operands(p, c), opened = 0;

    if (status)
        return status;
    struct stat_info other;
    if (p->argc > 1 && c->skip[0] == c->skip[1] && vfs_stat(p, p->argv[0], 0, &st) == 0 &&
        vfs_stat(p, p->argv[1], 0, &other) == 0 && files_same(&st, &other))
        return 0; /* the same file, of whatever kind */
    uint64_t size = 0;
    for (; opened < 2; opened++) {
        r.name[opened] = opened < p->argc ? p->argv[opened] : STR("-");
        int err = in_open_quiet(&r.in[opened], p, r.name[opened]);
        if (err < 0) {
            if (!(c->quiet && err == HOB_ENOENT))
                proc_warn(p, "%.*s: %s", STR_ARG(r.name[opened]), error_text(err));
            status = 2;
            break;
        }
        if (r.in[opened].file && file_stat(r.in[opened].file, &st) == 0) {
            uint64_t left = st.size - MIN(st.size, c->skip[opened]);
            size = opened ? MIN(size, left) : left;
        }
    }
    if (c->limited)
        size = MIN(size, c->limit);
    for (; size >= 10; size /= 10)
        r.width++;
    bool told = false;
    out_init(&r.out, p, 1);
    if (status == 0) {
        cmp_skip_bytes(&r.in[0], c->skip[0]);
        cmp_skip_bytes(&r.in[1], c->skip[1]);
        status = cmp_compare(&r);
    }
    for (int i = 0; i < opened; i++) {
        if (r.in[i].err < 0 && r.in[i].err != HOB_EKILLED && !told) {
            told = true;
            proc_warn(p, "%.*s: %s", STR_ARG(r.name[i]), error_text(r.in[i].err));
            status = 2;
        }
        in_fini(&r.in[i]);
    }
    return command_close(p, &r.out, status);
}

const struct command cmd_cmp = {
    .name = "cmp",
    .usage = "[OPTION]... FILE1 [FILE2 [SKIP1 [SKIP2]]]",
    .summary = "Compare two files byte by byte.",
    .notes =
        "A FILE that is - or missing is standard input. Exit status: 0 if they are the same, 1 if\n"
        "they differ, 2 if something goes wrong.",
    .opts = cmp_opts,
    .args_size = sizeof(struct cmp),
    .usage_status = 2,
    .run = cmp_run,
};

/* truncate.c -- shorten or lengthen files */
#include "shell/command.h"

struct truncate {
    bool no_create, io_blocks, sized;
    struct str reference;
    char how; /* 0 + - < > / %; a later size without a sign keeps it */
    uint64_t n;
};

static int truncate_parse(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct truncate *t = args;
    struct str s = arg;
    (void)o;
    while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
        s = str_from(s, 1);
    if (s.n && strchr("<>/%", s.p[0])) {
        t->how = s.p[0];
        s = str_from(s, 1);
    }
    while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
        s = str_from(s, 1);
    struct str digits = s;
    if (t->how == '-')
        t->how = '+'; /* the sign itself belongs to the number */
    if (s.n && (s.p[0] == '+' || s.p[0] == '-')) {
        if (t->how) {
            proc_warn(p, "multiple relative modifiers specified");
            return proc_usage(p) + 1;
        }
        t->how = s.p[0];
        digits = str_from(s, 1);
    }
    t->sized = true;
    int r = size_parse(digits, "EgGkKmMPtTYZ0", &t->n);
    if (r < 0) {
        proc_warn(p, "Invalid number: %s%s", proc_quote(p, s),
                  r == HOB_ERANGE ? ": Value too large for defined data type" : "");
        return 2;
    }
    if ((t->how == '/' || t->how == '%') && t->n == 0) {
        proc_warn(p, "division by zero");
        return 2;
    }
    return 0;
}

static const struct opt truncate_opts[] = {
    OPT_FLAG('c', "no-create", struct truncate, no_create, "do not make files that are missing"),
    OPT_FLAG('o', "io-blocks", struct truncate, io_blocks, "SIZE is a number of I/O blocks"),
    OPT_STRING('r', "reference", struct truncate, reference, "RFILE", "take the size of RFILE"),
    OPT_CALL('s', "size", truncate_parse, "SIZE", "set the size, or change it: +N -N <N >N /N %N"),
    OPT_END,
};

struct truncate_change {
    char how; /* 0 + - < > / % */
    uint64_t n;
};

/* The new size; false: it does not fit. */
static bool truncate_size(const struct truncate_change *c, uint64_t old, uint64_t *out)
{
    uint64_t n = c->n;
    switch (c->how) {
    case '+': return !__builtin_add_overflow(old, n, out) && *out <= INT64_MAX;
    case '-': *out = old > n ? old - n : 0; return true;
    case '<': *out = MIN(old, n); return true;
    case '>': *out = MAX(old, n); return true;
    case '/': *out = old / n * n; return true;
    case '%': *out = (old + n - 1) / n * n; return true;
    default: *out = n; return true;
    }
}

static int truncate_one(struct proc *p, const struct truncate *t, const struct truncate_change *c,
                        uint64_t base, bool has_base, struct str path)
{
    struct file *f;
    struct stat_info st;
    uint64_t size;
    int err = vfs_open(p, path, FILE_WRITE | (t->no_create ? 0 : FILE_CREATE), 0666, &f);

    if (err < 0) {
        if (t->no_create && err == HOB_ENOENT)
            return 0;
        proc_warn_quoted(p, "cannot open %s for writing", path, err);
        return 1;
    }
    err = file_stat(f, &st);
    if (err == 0) {
        if (!truncate_size(c, has_base ? base : st.size, &size)) {
            proc_warn(p, "overflow extending size of file %s", proc_quoteaf(p, path));
            file_unref(f);
            return 1;
        }
        err = file_truncate(f, p, size);
        if (err < 0)
            proc_warn(p, "failed to truncate %s at %llu bytes: %s", proc_quoteaf(p, path),
                      (unsigned long long)size,
                      err == HOB_EFBIG ? "File too large" : "Invalid argument");
    }
    file_unref(f);
    return err < 0;
}

static int truncate_run(struct proc *p, void *args)
{
    struct truncate *t = args;
    struct truncate_change c = {.how = t->how, .n = t->io_blocks ? t->n * 4096 : t->n};
    struct stat_info ref = {0};
    int status = 0;

    if (!t->sized && !t->reference.p) {
        proc_warn(p, "you must specify either %s or %s", proc_quote(p, STR("--size")),
                  proc_quote(p, STR("--reference")));
        return proc_usage(p);
    }
    if (t->sized && t->reference.p && !c.how) {
        proc_warn(p, "you must specify a relative %s with %s", proc_quote(p, STR("--size")),
                  proc_quote(p, STR("--reference")));
        return proc_usage(p);
    }
    if (t->io_blocks && !t->sized) {
        proc_warn(p, "%s was specified but %s was not", proc_quote(p, STR("--io-blocks")),
                  proc_quote(p, STR("--size")));
        return proc_usage(p);
    }
    if (p->argc == 0) {
        proc_warn(p, "missing file operand");
        return proc_usage(p);
    }
    if (t->reference.p) {
        int err = vfs_stat(p, t->reference, 0, &ref);
        if (err < 0) {
            proc_warn_quoted(p, "cannot stat %s", t->reference, err);
            return 1;
        }
        if (!t->sized)
            c.n = ref.size;
    }
    for (int i = 0; i < p->argc; i++)
        status |= truncate_one(p, t, &c, ref.size, t->reference.p != NULL, p->argv[i]);
    return status;
}

const struct command cmd_truncate = {
    .name = "truncate",
    .usage = "OPTION... FILE...",
    .summary = "Shorten or lengthen each FILE to a size. A FILE that is missing is made.",
    .notes =
        "SIZE is a number with a unit, after one of: + lengthen by, - shorten by, < at most, > at\n"
        "least, / round down to a multiple of, % round up to a multiple of.",
    .opts = truncate_opts,
    .args_size = sizeof(struct truncate),
    .usage_status = 1,
    .run = truncate_run,
};

/* dd.c -- copies blocks of a file, and changes them on the way
 *
 * Sizes are those of reads and writes: input comes in blocks of ibs bytes (a pipe may give less,
 * which counts as a partial block), output goes out in blocks of obs.
 */
#include "shell/command.h"

#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "commands/lib/human.h"

enum {
    DD_LCASE = 1,
    DD_UCASE = 2,
    DD_SWAB = 4,
    DD_SYNC = 8,
    DD_NOERROR = 16,
    DD_NOTRUNC = 32,
    DD_EXCL = 64,
    DD_NOCREAT = 128,
    DD_BLOCK = 256,
    DD_UNBLOCK = 512,
    DD_SPARSE = 1024,
    DD_NOTHING = 2048 /* fsync and others that have no effect on memory */
};
enum {
    DD_APPEND = 1,
    DD_FULLBLOCK = 2,
    DD_COUNT_BYTES = 4,
    DD_SKIP_BYTES = 8,
    DD_SEEK_BYTES = 16,
    DD_DIRECTORY = 32,
    DD_NOFOLLOW = 64,
    DD_FLAG_NOTHING = 128
};

struct dd_word {
    const char *name;
    unsigned value;
};
static const struct dd_word dd_convs[] = {{"lcase", DD_LCASE},       {"ucase", DD_UCASE},
                                          {"swab", DD_SWAB},         {"sync", DD_SYNC},
                                          {"noerror", DD_NOERROR},   {"notrunc", DD_NOTRUNC},
                                          {"excl", DD_EXCL},         {"nocreat", DD_NOCREAT},
                                          {"block", DD_BLOCK},       {"unblock", DD_UNBLOCK},
                                          {"sparse", DD_SPARSE},     {"fsync", DD_NOTHING},
                                          {"fdatasync", DD_NOTHING}, {NULL, 0}};
static const struct dd_word dd_flags[] = {{"append", DD_APPEND},
                                          {"fullblock", DD_FULLBLOCK},
                                          {"count_bytes", DD_COUNT_BYTES},
                                          {"skip_bytes", DD_SKIP_BYTES},
                                          {"seek_bytes", DD_SEEK_BYTES},
                                          {"directory", DD_DIRECTORY},
                                          {"nofollow", DD_NOFOLLOW},
                                          {"direct", DD_FLAG_NOTHING},
                                          {"dsync", DD_FLAG_NOTHING},
                                          {"sync", DD_FLAG_NOTHING},
                                          {"nonblock", DD_FLAG_NOTHING},
                                          {"noatime", DD_FLAG_NOTHING},
                                          {"nocache", DD_FLAG_NOTHING},
                                          {"noctty", DD_FLAG_NOTHING},
                                          {"binary", DD_FLAG_NOTHING},
                                          {"text", DD_FLAG_NOTHING},
                                          {NULL, 0}};

struct dd {
    struct proc *p;
    struct str in_name, out_name;
    uint64_t ibs, obs, cbs, count, skip, seek;
    bool has_count, quiet, no_transfer;
    unsigned conv, iflag, oflag;
    struct file *in, *out;
    struct buf pending; /* output that is no whole block yet */
    uint64_t in_full, in_part, out_full, out_part, bytes, truncated;
    int64_t started;
    uint64_t column; /* of a record with block and unblock */
    uint64_t blanks;
    int status;
};

/* ---- operands -------------------------------------------------------------------------------- */

/* "3x1K" and "2B": a product, and whether it counts bytes. */
static int dd_number(struct dd *d, struct str s, uint64_t *out, bool *bytes)
{
    uint64_t v, product = 1;
    struct str all = s;
    *bytes = false;
    if (s.n > 1 && s.p[s.n - 1] == 'B' && ascii_digit(s.p[s.n - 2])) {
        *bytes = true;
        s.n--;
    }
    for (;;) {
        ptrdiff_t x = str_chr(s, 'x');
        if (x == 1 && s.p[0] == '0')
            proc_warn(d->p, "warning: %s is a zero multiplier; use %s if that is intended",
                      proc_quote(d->p, STR("0x")), proc_quote(d->p, STR("00x")));
        struct str one = x < 0 ? s : str_sub(s, 0, (size_t)x);
        int r = size_parse(one, "bcwkKMGTPEZY0", &v);
        if (r == HOB_EINVAL || one.n == 0) {
            proc_warn(d->p, "invalid number: %s", proc_quote(d->p, all));
            return 1;
        }
        if (r == HOB_ERANGE || __builtin_mul_overflow(product, v, &product)) {
            proc_warn(d->p, "invalid number: %s: Value too large for defined data type",
                      proc_quote(d->p, all));
            return 1;
        }
        if (x < 0)
            break;
        s = str_from(s, (size_t)x + 1);
    }
    *out = product;
    return 0;
}

static int dd_words(struct dd *d, struct str list, const struct dd_word *rows, const char *what,
                    unsigned *to)
{
    for (;;) {
        ptrdiff_t comma = str_chr(list, ',');
        struct str one = comma < 0 ? list : str_sub(list, 0, (size_t)comma);
        const struct dd_word *w = rows;
        while (w->name && !str_eqz(one, w->name))
            w++;
        if (!w->name) {
            proc_warn(d->p, "%s: %s", what, proc_quote(d->p, one));
            return proc_usage(d->p);
        }
        *to |= w->value;
        if (comma < 0)
            return 0;
        list = str_from(list, (size_t)comma + 1);
    }
}

static int dd_size(struct dd *d, struct str value, uint64_t *to)
{
    bool bytes;
    int r = dd_number(d, value, to, &bytes);
    if (r == 0 && (*to == 0 || *to > INT64_MAX / 4)) {
        proc_warn(d->p, "invalid number: %s", proc_quote(d->p, value));
        return 1;
    }
    return r;
}

static int dd_operand(struct dd *d, struct str arg)
{
    ptrdiff_t eq = str_chr(arg, '=');
    struct str key = eq < 0 ? arg : str_sub(arg, 0, (size_t)eq);
    struct str value = eq < 0 ? STR("") : str_from(arg, (size_t)eq + 1);
    bool bytes = false;
    int r = 0;

    if (eq < 0) {
        key = STR("?");
    } else if (str_eqz(key, "if")) {
        d->in_name = value;
        return 0;
    } else if (str_eqz(key, "of")) {
        d->out_name = value;
        return 0;
    }
    if (str_eqz(key, "bs")) {
        r = dd_size(d, value, &d->ibs);
        d->obs = 0; /* as it is read */
        return r;
    }
    if (str_eqz(key, "ibs"))
        return dd_size(d, value, &d->ibs);
    if (str_eqz(key, "obs"))
        return dd_size(d, value, &d->obs);
    if (str_eqz(key, "cbs"))
        return dd_size(d, value, &d->cbs);
    if (str_eqz(key, "conv"))
        return dd_words(d, value, dd_convs, "invalid conversion", &d->conv);
    if (str_eqz(key, "iflag"))
        return dd_words(d, value, dd_flags, "invalid input flag", &d->iflag);
    if (str_eqz(key, "oflag"))
        return dd_words(d, value, dd_flags, "invalid output flag", &d->oflag);
    if (str_eqz(key, "status")) {
        d->quiet = str_eqz(value, "none");
        d->no_transfer = str_eqz(value, "noxfer");
        if (d->quiet || d->no_transfer || str_eqz(value, "progress"))
            return 0;
        proc_warn(d->p, "invalid status level: %s", proc_quote(d->p, value));
        return proc_usage(d->p);
    }
    if (str_eqz(key, "count")) {
        d->has_count = true;
        r = dd_number(d, value, &d->count, &bytes);
        d->iflag |= bytes ? DD_COUNT_BYTES : 0;
        return r;
    }
    if (str_eqz(key, "skip") || str_eqz(key, "iseek")) {
        r = dd_number(d, value, &d->skip, &bytes);
        d->iflag |= bytes ? DD_SKIP_BYTES : 0;
        return r;
    }
    if (str_eqz(key, "seek") || str_eqz(key, "oseek")) {
        r = dd_number(d, value, &d->seek, &bytes);
        d->oflag |= bytes ? DD_SEEK_BYTES : 0;
        return r;
    }
    proc_warn(d->p, "unrecognized operand %s", proc_quote(d->p, arg));
    return proc_usage(d->p);
}

static int dd_exclusive(struct dd *d, unsigned bits, const char *text)
{
    unsigned both = d->conv & bits;
    if (both != bits)
        return 0;
    proc_warn(d->p, "%s", text);
    return 1;
}

/* ---- output ---------------------------------------------------------------------------------- */

static bool dd_write(struct dd *d, const char *p, size_t n, bool full)
{
    int r = file_write(d->out, d->p, p, n);
    if (r < 0) {
        if (r != HOB_EKILLED && r != HOB_EPIPE)
            proc_warn(d->p, "error writing '%.*s': %s",
                      STR_ARG(d->out_name.p ? d->out_name : STR("standard output")), error_text(r));
        d->status = r == HOB_EKILLED || r == HOB_EPIPE ? HOB_EKILLED : 1;
        return false;
    }
    d->bytes += n;
    full ? d->out_full++ : d->out_part++;
    return proc_tick(d->p, 1 + (int64_t)(n / 1024)) == 0;
}

static bool dd_put(struct dd *d, const char *p, size_t n)
{
    buf_add(&d->pending, p, n);
    size_t at = 0;
    for (; d->pending.n - at >= d->obs; at += (size_t)d->obs)
        if (!dd_write(d, d->pending.p + at, (size_t)d->obs, true))
            return false;
    buf_del(&d->pending, 0, at);
    return true;
}

/* block: lines become records of cbs bytes; unblock: the other way. */
static bool dd_records(struct dd *d, const char *p, size_t n)
{
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        if (d->conv & DD_BLOCK) {
            if (p[i] == '\n') {
                for (; d->column < d->cbs && ok; d->column++)
                    ok = dd_put(d, " ", 1);
                d->column = 0;
            } else {
                if (d->column == d->cbs)
                    d->truncated++;
                if (d->column++ < d->cbs)
                    ok = dd_put(d, p + i, 1);
            }
            continue;
        }
        if (d->column++ >= d->cbs) {
            d->column = 1;
            d->blanks = 0;
            ok = dd_put(d, "\n", 1);
        }
        if (p[i] == ' ') {
            d->blanks++;
            continue;
        }
        for (; d->blanks && ok; d->blanks--)
            ok = dd_put(d, " ", 1);
        ok = ok && dd_put(d, p + i, 1);
    }
    return ok;
}

static bool dd_finish(struct dd *d)
{
    bool ok = true;
    if (d->conv & DD_BLOCK && d->column)
        for (; d->column < d->cbs && ok; d->column++)
            ok = dd_put(d, " ", 1);
    if (d->conv & DD_UNBLOCK && d->column)
        ok = dd_put(d, "\n", 1);
    if (ok && d->pending.n)
        ok = dd_write(d, d->pending.p, d->pending.n, d->pending.n == d->obs);
    return ok;
}

/* ---- input ----------------------------------------------------------------------------------- */

/* Up to n bytes; all of them with fullblock. */
static ptrdiff_t dd_read(struct dd *d, char *to, size_t n)
{
    size_t have = 0;
    for (;;) {
        ptrdiff_t r = file_read(d->in, d->p, to + have, n - have);
        if (r <= 0)
            return r < 0 && !have ? r : (ptrdiff_t)have;
        have += (size_t)r;
        if (have == n || !(d->iflag & DD_FULLBLOCK))
            return (ptrdiff_t)have;
    }
}

static void dd_convert(struct dd *d, char *p, size_t n)
{
    if (d->conv & DD_UCASE)
        for (size_t i = 0; i < n; i++)
            p[i] = (char)ascii_to_upper(p[i]);
    if (d->conv & DD_LCASE)
        for (size_t i = 0; i < n; i++)
            p[i] = (char)ascii_to_lower(p[i]);
    if (d->conv & DD_SWAB)
        for (size_t i = 0; i + 1 < n; i += 2) {
            char t = p[i];
            p[i] = p[i + 1];
            p[i + 1] = t;
        }
}

static bool dd_one(struct dd *d, char *block, size_t n)
{
    n == d->ibs ? d->in_full++ : d->in_part++;
    if (n < d->ibs && d->conv & DD_SYNC) {
        memset(block + n, d->conv & (DD_BLOCK | DD_UNBLOCK) ? ' ' : 0, (size_t)d->ibs - n);
        n = (size_t)d->ibs;
    }
    dd_convert(d, block, n);
    if (d->conv & (DD_BLOCK | DD_UNBLOCK))
        return dd_records(d, block, n);
    if (d->obs == 0) /* bs=: as it came */
        return dd_write(d, block, n, n == d->ibs);
    return dd_put(d, block, n);
}

static void dd_copy(struct dd *d)
{
    size_t size = (size_t)d->ibs;
    char *block = heap_alloc(&d->p->kernel->heap, size);
    uint64_t left = !d->has_count ? UINT64_MAX : d->iflag & DD_COUNT_BYTES ? d->count : UINT64_MAX;
    if (!block) {
        d->status = HOB_ENOMEM;
        return;
    }
    bool ok = true;
    while (ok && left) {
        if (d->has_count && !(d->iflag & DD_COUNT_BYTES) && d->in_full + d->in_part >= d->count)
            break;
        ptrdiff_t r = dd_read(d, block, (size_t)MIN(left, (uint64_t)size));
        if (r == 0)
            break;
        if (r < 0) {
            if (r != HOB_EKILLED)
                proc_warn(d->p, "error reading '%.*s': %s",
                          STR_ARG(d->in_name.p ? d->in_name : STR("standard input")),
                          error_text((int)r));
            d->status = r == HOB_EKILLED ? (int)r : 1;
            break;
        }
        left -= d->iflag & DD_COUNT_BYTES ? (uint64_t)r : 0;
        ok = dd_one(d, block, (size_t)r);
    }
    if (d->status >= 0)
        dd_finish(d);
    heap_free(&d->p->kernel->heap, block, size);
}

static void dd_beyond(struct dd *d)
{
    struct str name = d->in_name.p ? d->in_name : STR("standard input");
    proc_warn(d->p, "%s: cannot skip to specified offset", proc_quotef(d->p, name));
}

/* skip= : by seeking where that works, else by reading. */
static bool dd_skip(struct dd *d)
{
    uint64_t n = d->skip * (d->iflag & DD_SKIP_BYTES ? 1 : d->ibs);
    struct stat_info st;
    char waste[512];
    if (n == 0)
        return true;
    if (d->in->flags & FILE_SEEKABLE) {
        bool beyond = file_stat(d->in, &st) == 0 && MODE_IS_FILE(st.mode) &&
                      n > st.size - MIN(d->in->off, st.size);
        file_seek(d->in, d->p, (int64_t)MIN(n, (uint64_t)INT64_MAX / 2), 1);
        if (beyond && !d->quiet)
            dd_beyond(d);
        return true;
    }
    while (n) {
        ptrdiff_t r = file_read(d->in, d->p, waste, (size_t)MIN(n, (uint64_t)sizeof waste));
        if (r < 0)
            return false;
        if (r == 0)
            break;
        n -= (uint64_t)r;
    }
    if (n && !d->quiet)
        dd_beyond(d);
    return true;
}

/* ---- run ------------------------------------------------------------------------------------- */

static int dd_open(struct dd *d)
{
    struct proc *p = d->p;
    uint64_t obs = d->obs ? d->obs : d->ibs;
    int r;
    if (d->in_name.p) {
        r = vfs_open(p, d->in_name,
                     FILE_READ | (d->iflag & DD_DIRECTORY ? FILE_DIRECTORY : 0) |
                         (d->iflag & DD_NOFOLLOW ? FILE_NOFOLLOW : 0),
                     0, &d->in);
        if (r < 0) {
            proc_warn_quoted(p, "failed to open %s", d->in_name, r);
            return 1;
        }
    } else {
        d->in = proc_file(p, 0) ? file_ref(proc_file(p, 0)) : memfile_null(p->kernel);
    }
    uint64_t at = d->seek * (d->oflag & DD_SEEK_BYTES ? 1 : obs);
    if (d->out_name.p) {
        bool cut = !(d->conv & DD_NOTRUNC);
        unsigned flags = FILE_WRITE | (d->conv & DD_NOCREAT ? 0 : FILE_CREATE) |
                         (d->conv & DD_EXCL ? FILE_EXCL : 0) |
                         (d->oflag & DD_APPEND ? FILE_APPEND : 0) | (cut && !at ? FILE_TRUNC : 0);
        r = vfs_open(p, d->out_name, flags, 0666, &d->out);
        if (r < 0) {
            proc_warn_quoted(p, "failed to open %s", d->out_name, r);
            return 1;
        }
        if (cut && at)
            file_truncate(d->out, p, at);
    } else {
        d->out = proc_file(p, 1) ? file_ref(proc_file(p, 1)) : memfile_null(p->kernel);
    }
    if (!d->in || !d->out)
        return HOB_ENOMEM;
    if (at && d->out->flags & FILE_SEEKABLE)
        file_seek(d->out, p, (int64_t)MIN(at, (uint64_t)INT64_MAX / 2), 1);
    return dd_skip(d) ? 0 : HOB_EKILLED;
}

/* The lines about what was done. */
static void dd_report(struct dd *d)
{
    struct proc *p = d->p;
    char si[HUMAN_SIZE], iec[HUMAN_SIZE], rate[HUMAN_SIZE];
    if (d->quiet)
        return;
    proc_printf_err(p, "%llu+%llu records in\n%llu+%llu records out\n",
                    (unsigned long long)d->in_full, (unsigned long long)d->in_part,
                    (unsigned long long)d->out_full, (unsigned long long)d->out_part);
    if (d->truncated)
        proc_printf_err(p,
                        d->truncated == 1 ? "%llu truncated record\n" : "%llu truncated records\n",
                        (unsigned long long)d->truncated);
    if (d->no_transfer)
        return;
    double s = (double)MAX(sched_now(&p->kernel->sched) - d->started, 1000) / 1e9;
    struct human h = {.scale = true, .si = true}, b = {.scale = true};
    size_t k = human_print(si, d->bytes, &h), m = human_print(iec, d->bytes, &b);
    size_t q = human_print(rate, (uint64_t)((double)d->bytes / s), &h);
    const char *form = d->bytes == 1 ? "%llu byte" : "%llu bytes";
    proc_printf_err(p, form, (unsigned long long)d->bytes);
    /* A unit is parted from its number by a blank: 3.1 kB, 3.0 KiB. */
    if (d->bytes >= 1000)
        proc_printf_err(p, " (%.*s %cB", (int)(k - 1), si, si[k - 1]);
    if (d->bytes >= 1024)
        proc_printf_err(p, ", %.*s %ciB", (int)(m - 1), iec, iec[m - 1]);
    if (d->bytes >= 1000)
        proc_printf_err(p, ")");
    if (d->bytes == 0) {
        proc_printf_err(p, " copied, %g s, 0.0 kB/s\n", s);
        return;
    }
    bool unit = q && ascii_alpha(rate[q - 1]);
    proc_printf_err(p, " copied, %g s, %.*s %.*sB/s\n", s, (int)(q - unit), rate, unit,
                    rate + q - unit);
}

static int dd_run(struct proc *p, void *args)
{
    struct dd d = {.p = p, .ibs = 512, .obs = 512};
    int r = 0;

    (void)args;
    for (int i = 0; i < p->argc && r == 0; i++)
        if (!(i == 0 && str_eqz(p->argv[i], "--")))
            r = dd_operand(&d, p->argv[i]);
    if (r == 0)
        r = dd_exclusive(&d, DD_LCASE | DD_UCASE, "cannot combine lcase and ucase");
    if (r == 0)
        r = dd_exclusive(&d, DD_BLOCK | DD_UNBLOCK,
                         "cannot combine any two of {ascii,ebcdic,ibm}, {lcase,ucase}, "
                         "{block,unblock}");
    if (r == 0)
        r = dd_exclusive(&d, DD_EXCL | DD_NOCREAT, "cannot combine excl and nocreat");
    if (r)
        return r;
    if (d.cbs == 0)
        d.conv &= ~(unsigned)(DD_BLOCK | DD_UNBLOCK);
    if (d.obs == 0 && d.conv & (DD_BLOCK | DD_UNBLOCK))
        d.obs = d.ibs;
    buf_init(&d.pending, &p->kernel->heap);
    d.started = sched_now(&p->kernel->sched);
    r = dd_open(&d);
    if (r == 0) {
        dd_copy(&d);
        if (d.status >= 0)
            dd_report(&d);
        r = d.status;
    }
    buf_fini(&d.pending);
    file_unref(d.in);
    file_unref(d.out);
    return r;
}

const struct command cmd_dd = {
    .name = "dd",
    .usage = "[OPERAND]...",
    .summary = "Copy a file in blocks, converting it on the way.",
    .notes =
        "  if=FILE of=FILE       from and to; standard input and output without them\n"
        "  bs=N ibs=N obs=N      bytes of a block (512)\n"
        "  count=N skip=N seek=N blocks to copy, to skip in the input, in the output; bytes with "
        "B\n"
        "  conv=WORDS            lcase ucase swab sync noerror notrunc excl nocreat block "
        "unblock;\n"
        "                        sparse fsync fdatasync (accepted)\n"
        "  cbs=N                 bytes of a record with block and unblock\n"
        "  iflag=WORDS           fullblock count_bytes skip_bytes directory nofollow; others are\n"
        "                        accepted\n"
        "  oflag=WORDS           append seek_bytes; others are accepted\n"
        "  status=LEVEL          none, noxfer, progress\n"
        "N may have a suffix: c w b kB K MB M GB G ... and be a product: 2x1K.",
    .flags = CMD_NO_OPTIONS,
    .usage_status = 1,
    .run = dd_run,
};

/* xxd.c -- bytes in hexadecimal, and back */
#include "shell/command.h"

#include "base/error.h"
#include "base/utf8.h"

enum {
    XXD_DUMP,
    XXD_PLAIN,
    XXD_C,
    XXD_BITS,
    XXD_LITTLE
};

struct xxd {
    bool autoskip, upper, upper_c, reverse, little, decimal;
    bool ebcdic;
    struct str cols, group, len, seek, offset, name;
    struct proc *p;
    struct out out;
    int kind;
    uint64_t ncols, ngroup, nlen;
    int64_t noffset;
    int64_t base; /* with -r: -s, which is added to the positions of the dump */
};

/* -ps and -plain are written with one dash, too. */
static int xxd_plain(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p, (void)o, (void)arg;
    ((struct xxd *)args)->kind = XXD_PLAIN;
    return 0;
}

static const struct opt xxd_opts[] = {
    OPT_FLAG('a', "autoskip", struct xxd, autoskip, "one * for lines of zeros"),
    OPT_SET('b', "bits", struct xxd, kind, XXD_BITS, "binary digits, not hexadecimal ones"),
    OPT_FLAG('C', "capitalize", struct xxd, upper_c, "capital names with -i"),
    OPT_STRING('c', "cols", struct xxd, cols, "N",
               "N bytes a line (16; 12 with -i, 30 with -p, 6 with -b)"),
    OPT_FLAG('E', "EBCDIC", struct xxd, ebcdic, "show letters by EBCDIC"),
    OPT_SET('e', NULL, struct xxd, kind, XXD_LITTLE, "groups are little-endian numbers"),
    OPT_STRING('g', "groupsize", struct xxd, group, "N", "groups of N bytes (2; 4 with -e)"),
    OPT_SET('i', "include", struct xxd, kind, XXD_C, "as an array in C"),
    OPT_STRING('l', "len", struct xxd, len, "N", "stop after N bytes"),
    OPT_STRING('n', "name", struct xxd, name, "NAME", "the name of the variable with -i"),
    OPT_STRING('o', "offset", struct xxd, offset, "N", "add N to the positions shown"),
    OPT_FLAG('d', NULL, struct xxd, decimal, "decimal positions"),
    OPT_CALL_OPTIONAL('p', "ps", xxd_plain, "s", "digits only"),
    {OPT_KIND_SET, OPT_HIDDEN, 0, "plain", offsetof(struct xxd, kind), XXD_PLAIN, NULL, "", NULL},
    {OPT_KIND_SET, OPT_HIDDEN, 0, "postscript", offsetof(struct xxd, kind), XXD_PLAIN, NULL, "",
     NULL},
    OPT_FLAG('r', "revert", struct xxd, reverse, "from hexadecimal back to bytes"),
    OPT_STRING('s', "seek", struct xxd, seek, "N",
               "start N bytes from the beginning, or from the end when negative"),
    OPT_FLAG('u', "uppercase", struct xxd, upper, "capital digits"),
    OPT_END,
};

/* As strtol with base 0 reads it: 0x and 0 in front count. */
static int64_t xxd_number(struct str s)
{
    bool neg = s.n && s.p[0] == '-';
    int64_t v = 0, base = 10;
    if (s.n && (s.p[0] == '-' || s.p[0] == '+'))
        s = str_from(s, 1);
    if (s.n > 1 && s.p[0] == '0') {
        bool hex = (s.p[1] | 32) == 'x';
        base = hex ? 16 : 8;
        s = str_from(s, hex ? 2 : 1);
    }
    for (size_t i = 0; i < s.n; i++) {
        int d = ascii_digit(s.p[i])   ? s.p[i] - '0'
                : ascii_alpha(s.p[i]) ? (s.p[i] | 32) - 'a' + 10
                                      : 99;
        if (d >= base || v > INT64_MAX / 32)
            break;
        v = v * base + d;
    }
    return neg ? -v : v;
}

/* The letters of EBCDIC from 0x40 on, as ASCII. */
static const char xxd_ebcdic[] =
    " ...........<(+|&.........!$*);~-/.........,%_>?.........`:#@'=\""
    ".abcdefghi.......jklmnopqr^.......stuvwxyz...[...............].."
    "{ABCDEFGHI......}JKLMNOPQR......\\.STUVWXYZ......0123456789......";

/* ---- dumping --------------------------------------------------------------------------------- */

/* One line of the plain dump: digits in groups, then the letters. */
static void xxd_line(struct xxd *x, uint64_t at, const unsigned char *d, size_t n)
{
    const char *hex = x->upper ? "0123456789ABCDEF" : "0123456789abcdef";
    size_t per = x->kind == XXD_BITS ? 8 : 2, group = x->ngroup ? (size_t)x->ngroup : SIZE_MAX;
    size_t cols = (size_t)x->ncols, width = 0, used = 0;

    out_printf(&x->out,
               x->decimal ? "%08llu:" : "%08llx:", (unsigned long long)(at + (uint64_t)x->noffset));
    width = cols * per + (group == SIZE_MAX ? 0 : (cols - 1) / group) + 2;
    if (x->little)
        width = (cols + group - 1) / group * (group * 2 + 1) + 1;
    out_putc(&x->out, ' ');
    if (x->little) {
        for (size_t g = 0; g < n; g += group) {
            for (size_t k = group; k-- > 0; used += 2) {
                bool there = g + k < n;
                out_putc(&x->out, there ? hex[d[g + k] >> 4] : ' ');
                out_putc(&x->out, there ? hex[d[g + k] & 15] : ' ');
            }
            out_putc(&x->out, ' ');
            used++;
        }
    } else {
        for (size_t i = 0; i < n; i++) {
            if (i && group != SIZE_MAX && i % group == 0) {
                out_putc(&x->out, ' ');
                used++;
            }
            for (size_t k = per; k-- > 0; used++)
                out_putc(&x->out,
                         per == 8 ? (char)('0' + (d[i] >> k & 1)) : hex[d[i] >> (4 * k) & 15]);
        }
    }
    for (; used < width; used++)
        out_putc(&x->out, ' ');
    for (size_t i = 0; i < n; i++)
        out_putc(&x->out, x->ebcdic           ? (d[i] < 64 ? '.' : xxd_ebcdic[d[i] - 64])
                          : ascii_print(d[i]) ? (char)d[i]
                                              : '.');
    out_putc(&x->out, '\n');
}

/* -a: of lines of zeros before `at` the first one was shown; more than one other is a star. */
static void xxd_skipped(struct xxd *x, uint64_t at, uint64_t zeros)
{
    static const unsigned char none[256];
    if (zeros == 2)
        xxd_line(x, at - x->ncols, none, (size_t)x->ncols);
    else if (zeros > 2)
        out_puts(&x->out, "*\n");
}

static void xxd_dump(struct xxd *x, struct in *in, uint64_t at)
{
    unsigned char line[256 + 1];
    uint64_t left = x->nlen, zeros = 0;
    bool more = true;

    while (more && !x->out.err) {
        size_t n = 0, any = 0;
        while (n < x->ncols && left) {
            int c = in_getc(in);
            if (c < 0)
                break;
            line[n++] = (unsigned char)c;
            any |= (size_t)c;
            left--;
        }
        more = n == x->ncols && left;
        if (n == 0)
            break;
        if (x->autoskip && !any && n == x->ncols) {
            if (zeros++ == 0)
                xxd_line(x, at, line, n);
        } else {
            xxd_skipped(x, at, zeros);
            zeros = 0;
            xxd_line(x, at, line, n);
        }
        at += n;
        if (proc_tick(x->p, 1) < 0)
            break;
    }
    /* The last line is shown in every case. */
    if (zeros > 1) {
        memset(line, 0, sizeof line);
        xxd_skipped(x, at - x->ncols, zeros - 1);
        xxd_line(x, at - x->ncols, line, (size_t)x->ncols);
    }
}

static void xxd_digits(struct xxd *x, struct in *in)
{
    const char *hex = x->upper ? "0123456789ABCDEF" : "0123456789abcdef";
    uint64_t left = x->nlen, col = 0;
    for (int c; left && !x->out.err && (c = in_getc(in)) >= 0; left--) {
        out_putc(&x->out, hex[c >> 4]);
        out_putc(&x->out, hex[c & 15]);
        if (++col == x->ncols) {
            out_putc(&x->out, '\n');
            col = 0;
        }
        if (left % 1024 == 0 && proc_tick(x->p, 1) < 0)
            return;
    }
    if (col)
        out_putc(&x->out, '\n');
}

static void xxd_name(struct xxd *x, struct str name)
{
    if (name.n && ascii_digit(name.p[0]))
        out_puts(&x->out, "__");
    for (size_t i = 0; i < name.n; i++) {
        char c = ascii_alnum(name.p[i]) ? name.p[i] : '_';
        out_putc(&x->out, x->upper_c ? (char)ascii_to_upper(c) : c);
    }
}

static void xxd_include(struct xxd *x, struct in *in, struct str name)
{
    uint64_t n = 0;
    const char *form = x->upper ? "%s0X%02X" : "%s0x%02x";
    if (name.p) {
        out_puts(&x->out, "unsigned char ");
        xxd_name(x, name);
        out_puts(&x->out, "[] = {\n");
    }
    for (int c; n < x->nlen && !x->out.err && (c = in_getc(in)) >= 0; n++) {
        out_printf(&x->out, form, n == 0 ? "  " : n % x->ncols ? ", " : ",\n  ", (unsigned)c);
        if (n % 256 == 0 && proc_tick(x->p, 1) < 0)
            return;
    }
    if (n)
        out_putc(&x->out, '\n');
    if (name.p) {
        out_puts(&x->out, "};\nunsigned int ");
        xxd_name(x, name);
        out_printf(&x->out, "_%s = %llu;\n", x->upper_c ? "LEN" : "len", (unsigned long long)n);
    }
}

/* ---- reverting ------------------------------------------------------------------------------- */

static int xxd_hex(int c)
{
    return ascii_digit(c) ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* Brings the output from *at to `to`: moves within a file, else writes zeros. */
static int xxd_go(struct xxd *x, int64_t *at, int64_t to)
{
    if (to == *at)
        return 0;
    struct file *f = x->out.file;
    if (f && f->flags & FILE_SEEKABLE && out_flush(&x->out) == 0 &&
        file_seek(f, x->p, to - *at, 1) >= 0)
        *at = to;
    if (to < *at) {
        proc_warn(x->p, "Sorry, cannot seek backwards.");
        return 5;
    }
    for (; *at < to && !x->out.err; ++*at) {
        out_putc(&x->out, '\0');
        if (*at % 4096 == 0 && proc_tick(x->p, 1) < 0)
            return HOB_EKILLED;
    }
    return 0;
}

static void xxd_revert_plain(struct xxd *x, struct in *in)
{
    int high = -1;
    for (int c; (c = in_getc(in)) >= 0 && !x->out.err;) {
        int d = xxd_hex(c);
        if (d < 0) {
            if (c == '\n')
                high = -1;
            continue;
        }
        if (high >= 0)
            out_putc(&x->out, (char)(high << 4 | d));
        high = high >= 0 ? -1 : d;
    }
}

/* "00000010: 6162 6364  abcd": the position, then digits until two blanks or a letter. */
static int xxd_revert_line(struct xxd *x, struct str line, int64_t *at)
{
    size_t i = 0;
    uint64_t pos = 0, n = 0;
    int r;
    while (i < line.n && line.p[i] == ' ')
        i++;
    for (; i < line.n && xxd_hex(line.p[i]) >= 0; i++)
        pos = pos << 4 | (uint64_t)xxd_hex(line.p[i]);
    if (i == line.n || line.p[i] != ':')
        return 0;
    pos = (pos & INT64_MAX >> 1) + (uint64_t)x->base;
    for (i++; i < line.n && n < x->ncols; n++) {
        if (line.p[i] == ' ')
            i++;
        if (i + 1 < line.n && line.p[i] == ' ')
            break;
        size_t digits = x->kind == XXD_BITS ? 8 : 2;
        unsigned v = 0;
        size_t k = 0;
        for (; k < digits && i + k < line.n; k++) {
            int d = xxd_hex(line.p[i + k]);
            if (d < 0 || (digits == 8 && d > 1))
                break;
            v = v << (digits == 8 ? 1 : 4) | (unsigned)d;
        }
        if (k < digits)
            break;
        if ((r = xxd_go(x, at, (int64_t)(pos + n))) != 0)
            return r;
        out_putc(&x->out, (char)v);
        ++*at;
        i += digits;
    }
    return proc_tick(x->p, 1);
}

static int xxd_revert(struct xxd *x, struct in *in)
{
    struct str line;
    bool had;
    int64_t at = 0;
    int r = 0;
    if (x->kind == XXD_PLAIN) {
        r = xxd_go(x, &at, x->base);
        if (r == 0)
            xxd_revert_plain(x, in);
        return r;
    }
    while (r == 0 && in_line(in, '\n', &line, &had) && !x->out.err)
        r = xxd_revert_line(x, line, &at);
    return r;
}

/* ---- run ------------------------------------------------------------------------------------- */

/* The position to start at; -1 after a message. */
static int64_t xxd_seek(struct xxd *x, struct in *in)
{
    struct stat_info st;
    int64_t at = x->seek.p
                     ? xxd_number(x->seek.n && x->seek.p[0] == '+' ? str_from(x->seek, 1) : x->seek)
                     : 0;
    if (at < 0) {
        if (!in->file || file_stat(in->file, &st) < 0 || !MODE_IS_FILE(st.mode) ||
            (uint64_t)-at > st.size) {
            proc_warn(x->p, "Sorry, cannot seek.");
            return -1;
        }
        at = (int64_t)st.size + at;
    }
    for (int64_t left = at; left > 0;) {
        if (!in_fill(in)) {
            if (in->file && in->file->flags & FILE_SEEKABLE)
                break; /* a file may be shorter than that */
            proc_warn(x->p, "Sorry, cannot seek.");
            return -1;
        }
        int64_t n = MIN(left, (int64_t)(in->end - in->p));
        in->p += n;
        left -= n;
    }
    return at;
}

static int xxd_settle(struct xxd *x)
{
    x->little = x->kind == XXD_LITTLE;
    int64_t cols = x->cols.p ? xxd_number(x->cols) : 0;
    int64_t group = x->group.p ? xxd_number(x->group) : -1;
    x->ncols = cols > 0               ? (uint64_t)cols
               : x->kind == XXD_PLAIN ? (x->cols.p ? 0 : 30)
               : x->kind == XXD_C     ? 12
               : x->kind == XXD_BITS  ? 6
                                      : 16;
    x->ngroup = group >= 0 ? (uint64_t)group : x->kind == XXD_BITS ? 1 : x->little ? 4 : 2;
    x->nlen = x->len.p ? (uint64_t)xxd_number(x->len) : UINT64_MAX;
    x->base = x->reverse && x->seek.p
                  ? MAX(MIN(xxd_number(x->seek), INT64_MAX >> 2), -(INT64_MAX >> 2))
                  : 0;
    x->noffset = x->offset.p ? xxd_number(x->offset) : 0;
    if (x->little && (x->ngroup & (x->ngroup - 1) || !x->ngroup)) {
        proc_warn(x->p, "number of octets per group must be a power of 2 with -e.");
        return 1;
    }
    if (x->ncols > 256 && x->kind != XXD_PLAIN && x->kind != XXD_C) {
        proc_warn(x->p, "invalid number of columns (max. 256).");
        return 1;
    }
    return 0;
}

static int xxd_run(struct proc *p, void *args)
{
    struct xxd *x = args;
    struct in in;
    struct file *own = NULL;
    struct str name = p->argc ? p->argv[0] : STR("-");
    bool std = str_eqz(name, "-");
    int r;

    x->p = p;
    if ((r = xxd_settle(x)) != 0)
        return r;
    if (p->argc > 2)
        return proc_extra_operand(p, p->argv[2]);
    if ((r = in_open_quiet(&in, p, name)) < 0) {
        proc_warn(p, "%.*s: %s", STR_ARG(name), error_text(r));
        return 2;
    }
    if (p->argc > 1 && !str_eqz(p->argv[1], "-")) {
        r = vfs_open(p, p->argv[1], FILE_WRITE | FILE_CREATE | (x->reverse ? 0 : FILE_TRUNC), 0666,
                     &own);
        if (r < 0) {
            proc_warn(p, "%.*s: %s", STR_ARG(p->argv[1]), error_text(r));
            in_fini(&in);
            return 3;
        }
        out_init_file(&x->out, p, own);
    } else {
        out_init(&x->out, p, 1);
    }
    int64_t at = x->reverse ? 0 : xxd_seek(x, &in);
    r = at < 0 ? 4 : 0;
    if (x->reverse)
        r = xxd_revert(x, &in);
    else if (r == 0 && x->kind == XXD_PLAIN)
        xxd_digits(x, &in);
    else if (r == 0 && x->kind == XXD_C)
        xxd_include(x, &in, x->name.p ? x->name : std ? STR_NONE : name);
    else if (r == 0)
        xxd_dump(x, &in, (uint64_t)at);
    if (in.err < 0 && r == 0) {
        proc_warn(p, "%s", error_text(in.err));
        r = in.err == HOB_EKILLED ? in.err : 2;
    }
    in_fini(&in);
    r = command_close(p, &x->out, r);
    file_unref(own);
    return r;
}

const struct command cmd_xxd = {
    .name = "xxd",
    .usage = "[OPTION]... [INFILE [OUTFILE]]\n-r [OPTION]... [INFILE [OUTFILE]]",
    .summary = "Show bytes in hexadecimal, or make bytes of such a dump.",
    .notes = "Without INFILE, or when it is -, standard input is read. Numbers may be written as\n"
             "0x10 and 020, too.",
    .opts = xxd_opts,
    .args_size = sizeof(struct xxd),
    .usage_status = 1,
    .run = xxd_run,
};

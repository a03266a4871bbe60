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
    DD_ASCII = 2048,
    DD_EBCDIC = 4096,
    DD_IBM = 8192,
    DD_NOTHING = 16384 /* fsync and others that have no effect on memory */
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
static const struct dd_word dd_convs[] = {{"ascii", DD_ASCII | DD_UNBLOCK},
                                          {"ebcdic", DD_EBCDIC | DD_BLOCK},
                                          {"ibm", DD_IBM | DD_BLOCK},
                                          {"lcase", DD_LCASE},
                                          {"ucase", DD_UCASE},
                                          {"swab", DD_SWAB},
                                          {"sync", DD_SYNC},
                                          {"noerror", DD_NOERROR},
                                          {"notrunc", DD_NOTRUNC},
                                          {"excl", DD_EXCL},
                                          {"nocreat", DD_NOCREAT},
                                          {"block", DD_BLOCK},
                                          {"unblock", DD_UNBLOCK},
                                          {"sparse", DD_SPARSE},
                                          {"fsync", DD_NOTHING},
                                          {"fdatasync", DD_NOTHING},
                                          {NULL, 0}};
static const struct dd_word dd_flags[] = {
    {"append", DD_APPEND},         {"fullblock", DD_FULLBLOCK},   {"count_bytes", DD_COUNT_BYTES},
    {"skip_bytes", DD_SKIP_BYTES}, {"seek_bytes", DD_SEEK_BYTES}, {"directory", DD_DIRECTORY},
    {"nofollow", DD_NOFOLLOW},     {"direct", DD_FLAG_NOTHING},   {"dsync", DD_FLAG_NOTHING},
    {"sync", DD_FLAG_NOTHING},     {"nonblock", DD_FLAG_NOTHING}, {"noatime", DD_FLAG_NOTHING},
    {"nocache", DD_FLAG_NOTHING},  {"noctty", DD_FLAG_NOTHING},   {NULL, 0}};

/* clang-format off */
/* The letters of EBCDIC in ASCII, and of ASCII in two kinds of EBCDIC, as POSIX has them. */
static const unsigned char dd_to_ascii[256] = {
    0x00, 0x01, 0x02, 0x03, 0x9c, 0x09, 0x86, 0x7f, 0x97, 0x8d, 0x8e, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f,
    0x10, 0x11, 0x12, 0x13, 0x9d, 0x85, 0x08, 0x87, 0x18, 0x19, 0x92, 0x8f, 0x1c, 0x1d, 0x1e, 0x1f,
    0x80, 0x81, 0x82, 0x83, 0x84, 0x0a, 0x17, 0x1b, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x05, 0x06, 0x07,
    0x90, 0x91, 0x16, 0x93, 0x94, 0x95, 0x96, 0x04, 0x98, 0x99, 0x9a, 0x9b, 0x14, 0x15, 0x9e, 0x1a,
    0x20, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xd5, 0x2e, 0x3c, 0x28, 0x2b, 0x7c,
    0x26, 0xa9, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf, 0xb0, 0xb1, 0x21, 0x24, 0x2a, 0x29, 0x3b, 0x7e,
    0x2d, 0x2f, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xcb, 0x2c, 0x25, 0x5f, 0x3e, 0x3f,
    0xba, 0xbb, 0xbc, 0xbd, 0xbe, 0xbf, 0xc0, 0xc1, 0xc2, 0x60, 0x3a, 0x23, 0x40, 0x27, 0x3d, 0x22,
    0xc3, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9,
    0xca, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f, 0x70, 0x71, 0x72, 0x5e, 0xcc, 0xcd, 0xce, 0xcf, 0xd0,
    0xd1, 0xe5, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0xd2, 0xd3, 0xd4, 0x5b, 0xd6, 0xd7,
    0xd8, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xdf, 0xe0, 0xe1, 0xe2, 0xe3, 0xe4, 0x5d, 0xe6, 0xe7,
    0x7b, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0xe8, 0xe9, 0xea, 0xeb, 0xec, 0xed,
    0x7d, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f, 0x50, 0x51, 0x52, 0xee, 0xef, 0xf0, 0xf1, 0xf2, 0xf3,
    0x5c, 0x9f, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9,
    0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff,
};
static const unsigned char dd_to_ebcdic[256] = {
    0x00, 0x01, 0x02, 0x03, 0x37, 0x2d, 0x2e, 0x2f, 0x16, 0x05, 0x25, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f,
    0x10, 0x11, 0x12, 0x13, 0x3c, 0x3d, 0x32, 0x26, 0x18, 0x19, 0x3f, 0x27, 0x1c, 0x1d, 0x1e, 0x1f,
    0x40, 0x5a, 0x7f, 0x7b, 0x5b, 0x6c, 0x50, 0x7d, 0x4d, 0x5d, 0x5c, 0x4e, 0x6b, 0x60, 0x4b, 0x61,
    0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0x7a, 0x5e, 0x4c, 0x7e, 0x6e, 0x6f,
    0x7c, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6,
    0xd7, 0xd8, 0xd9, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xad, 0xe0, 0xbd, 0x9a, 0x6d,
    0x79, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96,
    0x97, 0x98, 0x99, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xc0, 0x4f, 0xd0, 0x5f, 0x07,
    0x20, 0x21, 0x22, 0x23, 0x24, 0x15, 0x06, 0x17, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x09, 0x0a, 0x1b,
    0x30, 0x31, 0x1a, 0x33, 0x34, 0x35, 0x36, 0x08, 0x38, 0x39, 0x3a, 0x3b, 0x04, 0x14, 0x3e, 0xe1,
    0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57,
    0x58, 0x59, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x70, 0x71, 0x72, 0x73, 0x74, 0x75,
    0x76, 0x77, 0x78, 0x80, 0x8a, 0x8b, 0x8c, 0x8d, 0x8e, 0x8f, 0x90, 0x6a, 0x9b, 0x9c, 0x9d, 0x9e,
    0x9f, 0xa0, 0xaa, 0xab, 0xac, 0x4a, 0xae, 0xaf, 0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7,
    0xb8, 0xb9, 0xba, 0xbb, 0xbc, 0xa1, 0xbe, 0xbf, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xda, 0xdb,
    0xdc, 0xdd, 0xde, 0xdf, 0xea, 0xeb, 0xec, 0xed, 0xee, 0xef, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff,
};
static const unsigned char dd_to_ibm[256] = {
    0x00, 0x01, 0x02, 0x03, 0x37, 0x2d, 0x2e, 0x2f, 0x16, 0x05, 0x25, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f,
    0x10, 0x11, 0x12, 0x13, 0x3c, 0x3d, 0x32, 0x26, 0x18, 0x19, 0x3f, 0x27, 0x1c, 0x1d, 0x1e, 0x1f,
    0x40, 0x5a, 0x7f, 0x7b, 0x5b, 0x6c, 0x50, 0x7d, 0x4d, 0x5d, 0x5c, 0x4e, 0x6b, 0x60, 0x4b, 0x61,
    0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0x7a, 0x5e, 0x4c, 0x7e, 0x6e, 0x6f,
    0x7c, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6,
    0xd7, 0xd8, 0xd9, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xad, 0xe0, 0xbd, 0x5f, 0x6d,
    0x79, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96,
    0x97, 0x98, 0x99, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xc0, 0x4f, 0xd0, 0xa1, 0x07,
    0x20, 0x21, 0x22, 0x23, 0x24, 0x15, 0x06, 0x17, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x09, 0x0a, 0x1b,
    0x30, 0x31, 0x1a, 0x33, 0x34, 0x35, 0x36, 0x08, 0x38, 0x39, 0x3a, 0x3b, 0x04, 0x14, 0x3e, 0xe1,
    0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57,
    0x58, 0x59, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x70, 0x71, 0x72, 0x73, 0x74, 0x75,
    0x76, 0x77, 0x78, 0x80, 0x8a, 0x8b, 0x8c, 0x8d, 0x8e, 0x8f, 0x90, 0x9a, 0x9b, 0x9c, 0x9d, 0x9e,
    0x9f, 0xa0, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf, 0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7,
    0xb8, 0xb9, 0xba, 0xbb, 0xbc, 0xbd, 0xbe, 0xbf, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xda, 0xdb,
    0xdc, 0xdd, 0xde, 0xdf, 0xea, 0xeb, 0xec, 0xed, 0xee, 0xef, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff,
};
/* clang-format on */

struct dd {
    struct proc *p;
    struct str in_name, out_name;
    uint64_t bs, ibs, obs, cbs, count, skip, seek;
    bool has_count, quiet, no_transfer, progress;
    bool count_bytes, skip_bytes, seek_bytes; /* the last number said so with a B */
    unsigned conv, iflag, oflag;
    struct file *in, *out;
    struct buf pending; /* output that is no whole block yet */
    uint64_t in_full, in_part, out_full, out_part, bytes, truncated;
    int64_t started, told; /* told: when progress was shown last */
    size_t told_length;    /* columns of that line; 0: it was not */
    unsigned char table[256];
    bool translates;
    char newline, blank; /* in the letters that records have */
    int carry;           /* the first of a pair with swab, or -1 */
    bool sought;         /* the last thing was a hole */
    uint64_t column;     /* of a record with block and unblock */
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
        return dd_size(d, value, &d->bs);
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
    if (str_eqz(key, "oflag")) {
        r = dd_words(d, value, dd_flags, "invalid output flag", &d->oflag);
        if (r == 0 && d->oflag & DD_FULLBLOCK) { /* writes are always whole */
            proc_warn(d->p, "invalid output flag: %s", proc_quote(d->p, STR("fullblock")));
            return proc_usage(d->p);
        }
        return r;
    }
    if (str_eqz(key, "status")) {
        d->quiet = str_eqz(value, "none");
        d->no_transfer = str_eqz(value, "noxfer");
        d->progress = str_eqz(value, "progress");
        if (d->quiet || d->no_transfer || d->progress)
            return 0;
        proc_warn(d->p, "invalid status level: %s", proc_quote(d->p, value));
        return proc_usage(d->p);
    }
    if (str_eqz(key, "count")) {
        d->has_count = true;
        r = dd_number(d, value, &d->count, &bytes);
        d->count_bytes = bytes;
        return r;
    }
    if (str_eqz(key, "skip") || str_eqz(key, "iseek")) {
        r = dd_number(d, value, &d->skip, &bytes);
        d->skip_bytes = bytes;
        return r;
    }
    if (str_eqz(key, "seek") || str_eqz(key, "oseek")) {
        r = dd_number(d, value, &d->seek, &bytes);
        d->seek_bytes = bytes;
        return r;
    }
    proc_warn(d->p, "unrecognized operand %s", proc_quote(d->p, arg));
    return proc_usage(d->p);
}

/* Two of these bits at the same time. */
static int dd_exclusive(struct dd *d, unsigned bits, const char *text)
{
    unsigned both = d->conv & bits;
    if (!(both & (both - 1)))
        return 0;
    proc_warn(d->p, "cannot combine %s", text);
    return 1;
}

/* One table for all conversions of letters: from EBCDIC, then the case, then to EBCDIC. */
static void dd_tables(struct dd *d)
{
    d->translates = d->conv & (DD_ASCII | DD_EBCDIC | DD_IBM | DD_LCASE | DD_UCASE);
    d->newline = '\n';
    d->blank = ' ';
    const unsigned char *to = d->conv & DD_EBCDIC ? dd_to_ebcdic
                              : d->conv & DD_IBM  ? dd_to_ibm
                                                  : NULL;
    for (int i = 0; i < 256; i++) {
        int c = d->conv & DD_ASCII ? dd_to_ascii[i] : i;
        c = d->conv & DD_UCASE ? ascii_to_upper(c) : d->conv & DD_LCASE ? ascii_to_lower(c) : c;
        d->table[i] = (unsigned char)(to ? to[c & 255] : c);
    }
    if (to) {
        d->newline = (char)to['\n'];
        d->blank = (char)to[' '];
    }
}

static void dd_transferred(struct dd *d, bool progress);

/* status=progress: once a second, in the same line. */
static void dd_progress(struct dd *d)
{
    int64_t now = sched_now(&d->p->kernel->sched);
    if (!d->progress || now - d->told < INT64_C(1000000000))
        return;
    d->told += (now - d->told) / INT64_C(1000000000) * INT64_C(1000000000);
    dd_transferred(d, true);
}

/* ---- output ---------------------------------------------------------------------------------- */

/* conv=sparse: a block of zeros is a hole, where there can be one. */
static bool dd_hole(struct dd *d, const char *p, size_t n)
{
    if (!(d->conv & DD_SPARSE) || p[0] || memcmp(p, p + 1, n - 1) != 0)
        return false;
    if (d->out->flags & FILE_SEEKABLE && file_seek(d->out, d->p, (int64_t)n, 1) >= 0)
        return true;
    d->conv &= ~(unsigned)DD_SPARSE;
    return false;
}

static bool dd_write(struct dd *d, const char *p, size_t n, bool full)
{
    d->sought = n && dd_hole(d, p, n);
    int r = d->sought ? 0 : file_write(d->out, d->p, p, n);
    if (r < 0) {
        if (r != HOB_EKILLED && r != HOB_EPIPE)
            proc_warn(d->p, "error writing '%.*s': %s",
                      STR_ARG(d->out_name.p ? d->out_name : STR("standard output")), error_text(r));
        d->status = r == HOB_EKILLED || r == HOB_EPIPE ? HOB_EKILLED : 1;
        return false;
    }
    d->bytes += n;
    full ? d->out_full++ : d->out_part++;
    dd_progress(d);
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
            if (p[i] == d->newline) {
                for (; d->column < d->cbs && ok; d->column++)
                    ok = dd_put(d, &d->blank, 1);
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
            ok = dd_put(d, &d->newline, 1);
        }
        if (p[i] == d->blank) {
            d->blanks++;
            continue;
        }
        for (; d->blanks && ok; d->blanks--)
            ok = dd_put(d, &d->blank, 1);
        ok = ok && dd_put(d, p + i, 1);
    }
    return ok;
}

static bool dd_finish(struct dd *d)
{
    bool ok = true;
    if (d->carry >= 0) {
        char last = (char)d->carry;
        ok = d->conv & (DD_BLOCK | DD_UNBLOCK) ? dd_records(d, &last, 1) : dd_put(d, &last, 1);
    }
    if (d->conv & DD_BLOCK && d->column)
        for (; d->column < d->cbs && ok; d->column++)
            ok = dd_put(d, &d->blank, 1);
    if (d->conv & DD_UNBLOCK && d->column && ok)
        ok = dd_put(d, &d->newline, 1);
    if (ok && d->pending.n)
        ok = dd_write(d, d->pending.p, d->pending.n, d->pending.n == d->obs);
    struct stat_info st;
    if (ok && d->sought && file_stat(d->out, &st) == 0 && MODE_IS_FILE(st.mode) &&
        st.size < d->out->off)
        ok = file_truncate(d->out, d->p, d->out->off) == 0;
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

/* In place; there is room for one byte more. The new length. */
static size_t dd_convert(struct dd *d, char *p, size_t n)
{
    if (d->translates)
        for (size_t i = 0; i < n; i++)
            p[i] = (char)d->table[(unsigned char)p[i]];
    if (!(d->conv & DD_SWAB))
        return n;
    /* Pairs go on from block to block: each byte moves two places, from the end on. */
    int before = d->carry;
    d->carry = -1;
    if ((n + (before >= 0)) % 2)
        d->carry = (unsigned char)p[--n];
    if (before >= 0)
        memmove(p + 1, p, n++), p[0] = (char)before;
    for (size_t i = 0; i + 1 < n; i += 2) {
        char t = p[i];
        p[i] = p[i + 1];
        p[i + 1] = t;
    }
    return n;
}

static bool dd_one(struct dd *d, char *block, size_t n)
{
    n == d->ibs ? d->in_full++ : d->in_part++;
    if (n < d->ibs && d->conv & DD_SYNC) {
        memset(block + n, d->conv & (DD_BLOCK | DD_UNBLOCK) ? ' ' : 0, (size_t)d->ibs - n);
        n = (size_t)d->ibs;
    }
    n = dd_convert(d, block, n);
    if (d->conv & (DD_BLOCK | DD_UNBLOCK))
        return dd_records(d, block, n);
    if (d->obs == 0) /* bs=: as it came */
        return dd_write(d, block, n, n == d->ibs);
    return dd_put(d, block, n);
}

static void dd_copy(struct dd *d)
{
    size_t size = (size_t)d->ibs;
    char *block = heap_alloc(&d->p->kernel->heap, size + 1);
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
    heap_free(&d->p->kernel->heap, block, size + 1);
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
    if (d->quiet)
        return;
    if (d->told_length)
        proc_printf_err(p, "\n");
    proc_printf_err(p, "%llu+%llu records in\n%llu+%llu records out\n",
                    (unsigned long long)d->in_full, (unsigned long long)d->in_part,
                    (unsigned long long)d->out_full, (unsigned long long)d->out_part);
    if (d->truncated)
        proc_printf_err(p,
                        d->truncated == 1 ? "%llu truncated record\n" : "%llu truncated records\n",
                        (unsigned long long)d->truncated);
    if (d->no_transfer)
        return;
    dd_transferred(d, false);
}

/* "4096 bytes (4.1 kB, 4.0 KiB) copied, 0.1 s, 41 kB/s". */
static void dd_transferred(struct dd *d, bool progress)
{
    struct heap *heap = &d->p->kernel->heap;
    char si[HUMAN_SIZE], iec[HUMAN_SIZE], rate[HUMAN_SIZE];
    double s = (double)MAX(sched_now(&d->p->kernel->sched) - d->started, 1000) / 1e9;
    struct human h = {.scale = true, .si = true}, b = {.scale = true};
    size_t k = human_print(si, d->bytes, &h), m = human_print(iec, d->bytes, &b);
    size_t q = human_print(rate, (uint64_t)((double)d->bytes / s), &h);
    struct buf t;

    buf_init(&t, heap);
    buf_printf(&t, d->bytes == 1 ? "%llu byte" : "%llu bytes", (unsigned long long)d->bytes);
    /* A unit is parted from its number by a blank: 3.1 kB, 3.0 KiB. */
    if (d->bytes >= 1000)
        buf_printf(&t, " (%.*s %cB", (int)(k - 1), si, si[k - 1]);
    if (d->bytes >= 1024)
        buf_printf(&t, ", %.*s %ciB", (int)(m - 1), iec, iec[m - 1]);
    if (d->bytes >= 1000)
        buf_addz(&t, ")");
    buf_printf(&t, progress ? " copied, %.0f s, " : " copied, %g s, ", s);
    bool unit = q && ascii_alpha(rate[q - 1]);
    if (d->bytes == 0)
        buf_addz(&t, "0.0 kB/s");
    else
        buf_printf(&t, "%.*s %.*sB/s", (int)(q - unit), rate, unit, rate + q - unit);
    if (progress) {
        /* A shorter line covers the one before. */
        size_t n = t.n;
        if (n < d->told_length)
            buf_fill(&t, ' ', d->told_length - n);
        d->told_length = n;
        proc_printf_err(d->p, "\r%s", buf_get(&t).p);
    } else {
        proc_printf_err(d->p, "%s\n", buf_get(&t).p);
    }
    buf_fini(&t);
}

static int dd_run(struct proc *p, void *args)
{
    struct dd d = {.p = p, .ibs = 512, .obs = 512, .carry = -1};
    int r = 0;

    (void)args;
    for (int i = 0; i < p->argc && r == 0; i++)
        if (!(i == 0 && str_eqz(p->argv[i], "--")))
            r = dd_operand(&d, p->argv[i]);
    d.iflag |= (d.count_bytes ? DD_COUNT_BYTES : 0u) | (d.skip_bytes ? DD_SKIP_BYTES : 0u);
    d.oflag |= d.seek_bytes ? DD_SEEK_BYTES : 0u;
    /* Records without a length are no records. */
    if (d.cbs == 0)
        d.conv &= ~(unsigned)(DD_BLOCK | DD_UNBLOCK);
    if (r == 0)
        r = dd_exclusive(&d, DD_ASCII | DD_EBCDIC | DD_IBM, "any two of {ascii,ebcdic,ibm}");
    if (r == 0)
        r = dd_exclusive(&d, DD_BLOCK | DD_UNBLOCK, "block and unblock");
    if (r == 0)
        r = dd_exclusive(&d, DD_LCASE | DD_UCASE, "lcase and ucase");
    if (r == 0)
        r = dd_exclusive(&d, DD_EXCL | DD_NOCREAT, "excl and nocreat");
    if (r)
        return r;
    dd_tables(&d);
    if (d.bs) {
        /* Blocks go out as they came, unless something changes in them. */
        d.ibs = d.bs;
        d.obs = d.translates || d.conv & (DD_BLOCK | DD_UNBLOCK | DD_SWAB) ? d.bs : 0;
    }
    buf_init(&d.pending, &p->kernel->heap);
    d.started = d.told = sched_now(&p->kernel->sched);
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
        "  conv=WORDS            ascii ebcdic ibm lcase ucase swab sync noerror notrunc excl\n"
        "                        nocreat block unblock sparse; fsync and fdatasync, which files\n"
        "                        in memory do not need\n"
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

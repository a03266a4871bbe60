/* od.c -- dump files in octal and other forms */
#include <float.h>
#include <math.h>

#include "shell/command.h"

#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "text/number.h"

enum {
    OD_FORMATS = 16,
    OD_LINE = 4096
};

struct od_format {
    char kind; /* a c d o u x f */
    int size;
    bool text; /* z: show the characters too */
    int width; /* of one field, without the blank */
};

struct od {
    struct str radix, strings;
    bool no_duplicates, traditional;
    int endian; /* 'l', 'b' or 0 */
    uint64_t skip, limit, per_line, least;
    bool limited, strings_mode;
    bool modern;   /* an option of the new form was given */
    bool labelled; /* a second count of addresses, from `label` on */
    uint64_t label;
    struct od_format f[OD_FORMATS];
    int nf;
    struct proc *p;
    struct out out;
    uint64_t at;
    char base;  /* d o x n */
    int column; /* width of a block of lcm bytes */
};

static int od_add(struct proc *p, struct od *o, char kind, int size, bool text)
{
    static const struct {
        int size, width[4]; /* d o u x */
    } widths[] = {
        {1, {4, 3, 3, 2}}, {2, {6, 6, 5, 4}}, {4, {11, 11, 10, 8}}, {8, {20, 22, 20, 16}}};
    if (o->nf == OD_FORMATS) {
        proc_warn(p, "too many formats");
        return 2;
    }
    struct od_format *f = &o->f[o->nf++];
    *f = (struct od_format){.kind = kind, .size = size, .text = text};
    if (kind == 'a' || kind == 'c') {
        f->width = 3;
    } else if (kind == 'f') {
        f->width = size == 4 ? 15 : size == 8 ? 24 : 28;
    } else {
        const char *at = strchr("doux", kind);
        for (size_t i = 0; i < COUNT(widths); i++) {
            if (widths[i].size == size)
                f->width = widths[i].width[at - "doux"];
        }
    }
    return 0;
}

static int od_bad_type(struct proc *p, struct str s)
{
    proc_warn(p, "invalid type string %s", proc_quote(p, s));
    return 2;
}

/* -t: one or more types. */
static int od_type(struct proc *p, void *args, const struct opt *opt, struct str s)
{
    if (opt && opt->letter == 't')
        ((struct od *)args)->modern = true;
    for (size_t i = 0; i < s.n;) {
        char kind = s.p[i++];
        int size = kind == 'f' ? 8 : kind == 'a' || kind == 'c' ? 1 : 4;
        if (!kind || !strchr("acdofux", kind)) {
            proc_warn(p, "invalid character '%c' in type string %s", kind, proc_quote(p, s));
            return 2;
        }
        if (kind != 'a' && kind != 'c' && i < s.n) {
            const char *names = kind == 'f' ? "FDL" : "CSIL";
            const char *at = s.p[i] ? strchr(names, s.p[i]) : NULL;
            if (at) {
                static const int ints[] = {1, 2, 4, 8}, floats[] = {4, 8, 16};
                size = kind == 'f' ? floats[at - names] : ints[at - names];
                i++;
            } else if (ascii_digit(s.p[i])) {
                int v = 0;
                for (; i < s.n && ascii_digit(s.p[i]); i++)
                    v = MIN(v * 10 + s.p[i] - '0', 1000);
                bool ok = kind == 'f' ? v == 4 || v == 8 || v == 16
                                      : v == 1 || v == 2 || v == 4 || v == 8;
                if (!ok) {
                    proc_warn(
                        p, "invalid type string %s;\nthis system doesn't provide a %d-byte %s type",
                        proc_quote(p, s), v, kind == 'f' ? "floating point" : "integral");
                    return 2;
                }
                size = v;
            }
        }
        bool text = i < s.n && s.p[i] == 'z';
        i += text;
        int r = od_add(p, args, kind, size, text);
        if (r)
            return r;
    }
    return s.n ? 0 : od_bad_type(p, s);
}

/* The old letters. */
static int od_letter(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct {
        char letter;
        const char *type;
    } rows[] = {{'a', "a"},  {'b', "o1"}, {'c', "c"},  {'d', "u2"}, {'f', "fF"},
                {'i', "dI"}, {'l', "dL"}, {'o', "o2"}, {'s', "d2"}, {'x', "x2"},
                {'B', "o2"}, {'D', "u4"}, {'F', "fD"}, {'H', "x4"}, {'I', "dL"},
                {'L', "dL"}, {'O', "o4"}, {'X', "x4"}, {'e', "fD"}, {'h', "x2"}};
    (void)arg;
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (rows[i].letter == o->letter)
            return od_type(p, args, o, str_z(rows[i].type));
    }
    return 0;
}

static int od_size(struct proc *p, struct str s, const char *name, uint64_t *out)
{
    uint64_t v = 0;
    int r;
    if (s.n > 2 && s.p[0] == '0' && (s.p[1] == 'x' || s.p[1] == 'X')) {
        r = 0;
        for (size_t i = 2; i < s.n && r == 0; i++) {
            char c = (char)ascii_to_lower(s.p[i]);
            int d = ascii_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
            if (d < 0 || v >> 60)
                r = HOB_EINVAL;
            v = v << 4 | (uint64_t)(d < 0 ? 0 : d);
        }
    } else if (s.n > 1 && s.p[0] == '0') {
        r = 0;
        for (size_t i = 1; i < s.n && r == 0; i++) {
            if (s.p[i] < '0' || s.p[i] > '7')
                r = HOB_EINVAL;
            v = v << 3 | (uint64_t)(s.p[i] & 7);
        }
    } else {
        r = size_parse(s, "bEGKkMmPTYZ0", &v);
    }
    *out = v;
    if (r == 0)
        return 0;
    proc_warn(p, "invalid %s argument %s", name, proc_quoteaf(p, s));
    return 2;
}

static int od_amount(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct od *d = args;
    d->modern = true;
    switch (o->letter) {
    case 'j': return od_size(p, arg, "-j", &d->skip);
    case 'N': d->limited = true; return od_size(p, arg, "-N", &d->limit);
    case 'w': d->per_line = 32; return arg.p ? od_size(p, arg, "-w", &d->per_line) : 0;
    default:
        d->strings_mode = true;
        d->least = 3;
        return arg.p ? od_size(p, arg, "-S", &d->least) : 0;
    }
}

static int od_endian(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row words[] = {{"little", 'l'}, {"big", 'b'}, {NULL, 0}};
    (void)o;
    return proc_word(p, "--endian", arg, words, &((struct od *)args)->endian);
}

#define OD_OLD(c, h) OPT_CALL(c, NULL, od_letter, NULL, h)
static const struct opt od_opts[] = {
    OPT_STRING('A', "address-radix", struct od, radix, "RADIX",
               "offsets in d, o, x, or n for none"),
    OPT_CALL(0, "endian", od_endian, "ORDER", "byte order: big or little"),
    OPT_CALL('j', "skip-bytes", od_amount, "BYTES", "skip BYTES of input first"),
    OPT_CALL('N', "read-bytes", od_amount, "BYTES", "at most BYTES of input"),
    OPT_CALL('S', NULL, od_amount, "BYTES",
             "strings of at least BYTES characters that end with NUL"),
    OPT_CALL_OPTIONAL(0, "strings", od_amount, "BYTES", "the same; 3 when it is left out"),
    OPT_CALL('t', "format", od_type, "TYPE",
             "one or more of a c d[SIZE] f[SIZE] o[SIZE] u[SIZE] x[SIZE], each with z for text"),
    OPT_FLAG('v', "output-duplicates", struct od, no_duplicates, "do not write * for equal lines"),
    OPT_CALL_OPTIONAL('w', "width", od_amount, "BYTES", "BYTES (32) per line instead of 16"),
    OPT_FLAG(0, "traditional", struct od, traditional,
             "operands are [FILE] [[+]OFFSET[b] [[+]LABEL[b]]], in octal or with 0x in front"),
    OPT_GROUP("Old forms of -t:"),
    OD_OLD('a', "same as -t a"),
    OD_OLD('b', "same as -t o1"),
    OD_OLD('c', "same as -t c"),
    OD_OLD('d', "same as -t u2"),
    OD_OLD('f', "same as -t fF"),
    OD_OLD('i', "same as -t dI"),
    OD_OLD('l', "same as -t dL"),
    OD_OLD('o', "same as -t o2"),
    OD_OLD('s', "same as -t d2"),
    OD_OLD('x', "same as -t x2"),
    OD_OLD('B', NULL),
    OD_OLD('D', NULL),
    OD_OLD('F', NULL),
    OD_OLD('H', NULL),
    OD_OLD('I', NULL),
    OD_OLD('L', NULL),
    OD_OLD('O', NULL),
    OD_OLD('X', NULL),
    OD_OLD('e', NULL),
    OD_OLD('h', NULL),
    OPT_END,
};
#undef OD_OLD

/* ---- fields --------------------------------------------------------------------------------- */

static const char od_names[][4] = {"nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs",
                                   "ht",  "nl",  "vt",  "ff",  "cr",  "so",  "si",  "dle", "dc1",
                                   "dc2", "dc3", "dc4", "nak", "syn", "etb", "can", "em",  "sub",
                                   "esc", "fs",  "gs",  "rs",  "us",  "sp"};

static void od_char(struct buf *b, unsigned char c)
{
    static const char from[] = "\a\b\f\n\r\t\v", to[] = "abfnrtv";
    const char *at = c ? strchr(from, c) : NULL;
    if (c == 0)
        buf_addz(b, "\\0");
    else if (at)
        buf_printf(b, "\\%c", to[at - from]);
    else if (c >= 32 && c < 127)
        buf_putc(b, (char)c);
    else
        buf_printf(b, "%03o", c);
}

static uint64_t od_integer(const struct od *o, const unsigned char *p, int size)
{
    uint64_t v = 0;
    for (int i = 0; i < size; i++) {
        int k = o->endian == 'b' ? i : size - 1 - i;
        v = v << 8 | p[k];
    }
    return v;
}

static void od_float(struct buf *b, const struct od *o, const unsigned char *p, int size)
{
    unsigned char raw[16] = {0};
    for (int i = 0; i < size; i++)
        raw[i] = p[o->endian == 'b' ? size - 1 - i : i];
    if (size == 4) {
        float v;
        memcpy(&v, raw, sizeof v);
        /* The fewest digits that give the value back; tiny values have fewer of them. */
        for (int prec = fabsf(v) < FLT_MIN ? 1 : 6; prec <= 9; prec++) {
            buf_clear(b);
            fmt_double(b, 'g', "", -1, prec, (long double)v);
            size_t used = 0;
            float back = (float)number_parse(buf_get(b), &used);
            if (memcmp(&back, &v, sizeof v) == 0)
                break;
        }
    } else if (size == 8) {
        double v;
        memcpy(&v, raw, sizeof v);
        for (int prec = fabs(v) < DBL_MIN ? 1 : 15; prec <= 17; prec++) {
            buf_clear(b);
            fmt_double(b, 'g', "", -1, prec, (long double)v);
            size_t used = 0;
            double back = (double)number_parse(buf_get(b), &used);
            if (memcmp(&back, &v, sizeof v) == 0)
                break;
        }
    } else {
        long double v = 0;
        memcpy(&v, raw, MIN(sizeof v, sizeof raw));
        for (int prec = fabsl(v) < LDBL_MIN ? 1 : 18; prec <= 21; prec++) {
            buf_clear(b);
            fmt_double(b, 'g', "", -1, prec, v);
            size_t used = 0;
            if (number_parse(buf_get(b), &used) == v)
                break;
        }
    }
}

static void od_field(struct od *o, struct buf *b, const struct od_format *f, const unsigned char *p)
{
    uint64_t v;
    buf_clear(b);
    switch (f->kind) {
    case 'a':
        v = *p & 127;
        if (v <= 32)
            buf_addz(b, od_names[v]);
        else if (v == 127)
            buf_addz(b, "del");
        else
            buf_putc(b, (char)v);
        return;
    case 'c': od_char(b, *p); return;
    case 'f': od_float(b, o, p, f->size); return;
    default: break;
    }
    v = od_integer(o, p, f->size);
    if (f->kind == 'd') {
        int shift = 64 - 8 * f->size;
        buf_printf(b, "%lld", (long long)((int64_t)(v << shift) >> shift));
    } else if (f->kind == 'o') {
        buf_printf(b, "%0*llo", f->width, (unsigned long long)v);
    } else if (f->kind == 'x') {
        buf_printf(b, "%0*llx", f->width, (unsigned long long)v);
    } else {
        buf_printf(b, "%llu", (unsigned long long)v);
    }
}

/* Blanks so that the fields of all formats line up: spread over the fields of a block. */
static void od_row(struct od *o, struct buf *b, const struct od_format *f, const unsigned char *p,
                   size_t n, size_t lcm)
{
    size_t per_line = (size_t)o->per_line;
    size_t total = per_line / lcm * (size_t)o->column, count = per_line / (size_t)f->size;
    size_t pad = total - count * (size_t)(f->width + 1), before = pad;
    size_t have = (n + (size_t)f->size - 1) / (size_t)f->size;

    for (size_t i = 0; i < have; i++) {
        unsigned char whole[16] = {0};
        size_t left = MIN((size_t)f->size, n - i * (size_t)f->size);
        memcpy(whole, p + i * (size_t)f->size, left);
        size_t next = pad * (count - i - 1) / count;
        od_field(o, b, f, whole);
        size_t width = before - next + (size_t)f->width + 1;
        for (size_t k = b->n; k < width; k++)
            out_putc(&o->out, ' ');
        out_str(&o->out, buf_get(b));
        before = next;
    }
    if (f->text) {
        size_t missing = (count - have) * (size_t)(f->width + 1) + (before ? before : 0);
        for (size_t k = 0; k < missing; k++)
            out_putc(&o->out, ' ');
        out_puts(&o->out, "  >");
        for (size_t k = 0; k < n; k++)
            out_putc(&o->out, p[k] >= 32 && p[k] < 127 ? (char)p[k] : '.');
        out_putc(&o->out, '<');
    }
    out_putc(&o->out, '\n');
}

static void od_number(struct od *o, uint64_t at)
{
    if (o->base == 'd')
        out_printf(&o->out, "%07llu", (unsigned long long)at);
    else if (o->base == 'o')
        out_printf(&o->out, "%07llo", (unsigned long long)at);
    else if (o->base == 'x')
        out_printf(&o->out, "%06llx", (unsigned long long)at);
}

static void od_address(struct od *o, uint64_t at)
{
    od_number(o, at);
    if (!o->labelled)
        return;
    if (o->base == 'n') {
        out_printf(&o->out, "(%07llo)", (unsigned long long)at);
        return;
    }
    out_puts(&o->out, " (");
    od_number(o, at - o->skip + o->label);
    out_putc(&o->out, ')');
}

/* ---- input ---------------------------------------------------------------------------------- */

struct od_input {
    struct od *o;
    int next;
    bool open;
    struct in in;
    int status;
};

/* The next file. False: there are no more. */
static bool od_open(struct od_input *d)
{
    struct proc *p = d->o->p;
    for (;;) {
        if (d->next >= MAX(p->argc, 1))
            return false;
        struct str name = p->argc ? p->argv[d->next] : STR("-");
        d->next++;
        if (in_open(&d->in, p, name) == 0) {
            d->open = true;
            return true;
        }
        d->status = 1;
    }
}

/* Up to n bytes of all files as one. */
static size_t od_read(struct od_input *d, unsigned char *to, size_t n)
{
    size_t got = 0;
    while (got < n) {
        if (!d->open && !od_open(d))
            break;
        if (!in_fill(&d->in)) {
            if (d->in.err < 0) {
                proc_warn_file(d->o->p, d->o->p->argc ? d->o->p->argv[d->next - 1] : STR("-"),
                               d->in.err);
                d->status = 1;
            }
            in_fini(&d->in);
            d->open = false;
            continue;
        }
        size_t k = MIN(n - got, (size_t)(d->in.end - d->in.p));
        if (to)
            memcpy(to + got, d->in.p, k);
        d->in.p += k;
        got += k;
    }
    return got;
}

static size_t od_want(const struct od *o, size_t n, uint64_t done)
{
    return o->limited ? (size_t)MIN((uint64_t)n, o->limit - done) : n;
}

static void od_dump(struct od *o, struct od_input *in, size_t lcm)
{
    unsigned char line[OD_LINE], before[OD_LINE];
    size_t n = (size_t)o->per_line;
    bool any = false, star = false;
    uint64_t done = 0;
    struct buf b;

    buf_init(&b, &o->p->kernel->heap);
    while (!o->out.err) {
        size_t want = od_want(o, n, done), got = want ? od_read(in, line, want) : 0;
        if (got == 0)
            break;
        done += got;
        if (!o->no_duplicates && any && got == n && memcmp(line, before, n) == 0) {
            if (!star)
                out_puts(&o->out, "*\n");
            star = true;
            o->at += got;
            continue;
        }
        star = false;
        for (int i = 0; i < o->nf; i++) {
            if (i == 0)
                od_address(o, o->at);
            else if (o->base != 'n')
                out_puts(&o->out, o->base == 'x' ? "      " : "       ");
            od_row(o, &b, &o->f[i], line, got, lcm);
        }
        memcpy(before, line, got);
        any = got == n;
        o->at += got;
        if (got < n || proc_tick(o->p, 1) < 0)
            break;
    }
    if ((o->base != 'n' || o->labelled) && !(done == 0 && in->status)) {
        od_address(o, o->at);
        out_putc(&o->out, '\n');
    }
    buf_fini(&b);
}

/* -S: strings that end with NUL. */
static void od_strings(struct od *o, struct od_input *in)
{
    struct buf b;
    unsigned char c;
    uint64_t done = 0;

    buf_init(&b, &o->p->kernel->heap);
    while (od_want(o, 1, done) && od_read(in, &c, 1) == 1 && !o->out.err) {
        done++;
        o->at++;
        if (c >= 32 && c < 127) {
            buf_putc(&b, (char)c);
            continue;
        }
        if (c == 0 && b.n >= o->least) {
            od_address(o, o->at - 1 - b.n);
            if (o->base != 'n')
                out_putc(&o->out, ' ');
            out_str(&o->out, buf_get(&b));
            out_putc(&o->out, '\n');
        }
        buf_clear(&b);
    }
    buf_fini(&b);
}

static size_t od_settle(struct proc *p, struct od *o)
{
    size_t lcm = 1;
    if (o->nf == 0)
        od_add(p, o, 'o', 2, false);
    for (int i = 0; i < o->nf; i++)
        lcm = MAX(lcm, (size_t)o->f[i].size); /* sizes are powers of two */
    for (int i = 0; i < o->nf; i++)
        o->column = MAX(o->column, (o->f[i].width + 1) * (int)(lcm / (size_t)o->f[i].size));
    if (o->per_line == 0)
        o->per_line = lcm < 16 ? 16 / lcm * lcm : lcm;
    if (o->per_line % lcm || o->per_line > OD_LINE) {
        proc_warn(p, "warning: invalid width %llu; using %zu instead",
                  (unsigned long long)o->per_line, lcm);
        o->per_line = lcm;
    }
    return lcm;
}

/* An offset of the old form: octal, or hexadecimal, in blocks of 512 (b) or 1024 (B) bytes. */
static bool od_offset(struct str s, uint64_t *out)
{
    unsigned base = 8;
    uint64_t v = 0;
    s = s.n && s.p[0] == '+' ? str_from(s, 1) : s;
    char unit = s.n ? s.p[s.n - 1] : 0;
    if (s.n > 1 && s.p[0] == '0' && (s.p[1] == 'x' || s.p[1] == 'X')) {
        base = 16;
        unit = 0;
        s = str_from(s, 2);
    } else if (unit == 'b' || unit == 'B') {
        s.n--;
    } else {
        unit = 0;
    }
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        unsigned digit = ascii_digit(c)                       ? (unsigned)(c - '0')
                         : (c | 32) >= 'a' && (c | 32) <= 'f' ? (unsigned)((c | 32) - 'a' + 10)
                                                              : 99;
        if (digit >= base || v > (UINT64_MAX >> 14))
            return false;
        v = v * base + digit;
    }
    *out = unit == 'b' ? v * 512 : unit == 'B' ? v * 1024 : v;
    return s.n > 0;
}

/* Takes offsets of the old form off the operands. 0, or a status. */
static int od_old_operands(struct proc *p, struct od *o)
{
    struct str *v = p->argv;
    uint64_t a, b;
    if (o->modern && !o->traditional)
        return 0;
    if (p->argc == 1 && (o->traditional || (v[0].n && v[0].p[0] == '+')) && od_offset(v[0], &a)) {
        o->skip = a;
        p->argc = 0;
    } else if (p->argc == 2 &&
               (o->traditional || (v[1].n && (v[1].p[0] == '+' || ascii_digit(v[1].p[0])))) &&
               od_offset(v[1], &b)) {
        o->labelled = o->traditional && od_offset(v[0], &a);
        o->skip = o->labelled ? a : b;
        o->label = b;
        p->argc = o->labelled ? 0 : 1;
    } else if (p->argc == 3 && o->traditional && od_offset(v[1], &a) && od_offset(v[2], &b)) {
        o->skip = a;
        o->label = b;
        o->labelled = true;
        p->argc = 1;
    }
    if (!o->traditional || p->argc < 2)
        return 0;
    proc_warn(p, "extra operand %s", proc_quote(p, v[1]));
    proc_warn(p, "compatibility mode supports at most one file");
    return proc_usage(p);
}

static int od_run(struct proc *p, void *args)
{
    struct od *o = args;
    struct od_input in = {.o = o};

    o->p = p;
    o->base = o->radix.p ? (o->radix.n == 1 ? o->radix.p[0] : '?') : 'o';
    if (!strchr("doxn", o->base)) {
        proc_warn(p, "invalid output address radix '%c'; it must be one character from [doxn]",
                  o->radix.n ? o->radix.p[0] : '\0');
        return 1;
    }
    if (o->strings_mode && o->nf) {
        proc_warn(p, "no type may be specified when dumping strings");
        return 1;
    }
    o->modern |= o->radix.p || o->no_duplicates;
    int bad = od_old_operands(p, o);
    if (bad)
        return bad;
    out_init(&o->out, p, 1);
    uint64_t skipped = 0;
    while (skipped < o->skip) {
        size_t n = od_read(&in, NULL, (size_t)MIN(o->skip - skipped, (uint64_t)1 << 20));
        if (n == 0)
            break;
        skipped += n;
    }
    if (skipped < o->skip) {
        proc_warn(p, "cannot skip past end of combined input");
        in.status = 1;
    } else {
        o->at = skipped;
        if (o->strings_mode)
            od_strings(o, &in);
        else
            od_dump(o, &in, od_settle(p, o));
    }
    if (in.open)
        in_fini(&in.in);
    return command_close(p, &o->out, in.status);
}

const struct command cmd_od = {
    .name = "od",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write FILEs in octal, or in other forms, to standard output.",
    .notes = "Without FILE, or when FILE is -, standard input is read. BYTES may be hexadecimal "
             "with 0x\n"
             "or octal with 0 in front, and may have a multiplier. The default is -A o -t o2 -w16.",
    .opts = od_opts,
    .args_size = sizeof(struct od),
    .usage_status = 1,
    .run = od_run,
};

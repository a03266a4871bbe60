/* seq.c -- print a sequence of numbers
 *
 * Whole numbers are counted as text, digit by digit, so they may be of any length; everything else
 * goes through long double as in GNU's.
 */
#include "shell/command.h"

#include <math.h>

#include "base/fmt.h"
#include "base/utf8.h"
#include "text/number.h"

struct seq {
    struct str format, separator;
    bool equal;
};

static const struct opt seq_opts[] = {
    OPT_STRING('f', "format", struct seq, format, "FORMAT",
               "print with this printf format for floating point"),
    OPT_STRING('s', "separator", struct seq, separator, "STRING",
               "put STRING between numbers, not a newline"),
    OPT_FLAG('w', "equal-width", struct seq, equal, "same width for all, with zeros in front"),
    OPT_END,
};

static int seq_number(struct proc *p, void *args, struct str digits)
{
    (void)p;
    (void)args;
    (void)digits;
    return NUMBER_OPERAND;
}

struct seq_value {
    long double v;
    size_t width; /* as it was written, without leading zeros and plus sign */
    int prec;     /* digits behind the point; INT_MAX: not to be told */
};

/* 0, or a status. */
static int seq_scan(struct proc *p, struct str arg, struct seq_value *out)
{
    size_t used;
    out->v = number_parse(arg, &used);
    if (used == 0 || used != arg.n) {
        proc_warn(p, "invalid floating point argument: %s", proc_quote(p, arg));
        return proc_usage(p);
    }
    if (isnan(out->v)) {
        proc_warn(p, "invalid \xe2\x80\x98%s\xe2\x80\x99 argument: %s", "not-a-number",
                  proc_quote(p, arg));
        return proc_usage(p);
    }
    while (arg.n && (arg.p[0] == ' ' || arg.p[0] == '+' || (arg.p[0] >= '\t' && arg.p[0] <= '\r')))
        arg = str_from(arg, 1);
    out->width = 0;
    out->prec = INT_MAX;
    ptrdiff_t point = str_chr(arg, '.');
    if (point < 0 && str_chr(arg, 'p') < 0 && str_chr(arg, 'P') < 0)
        out->prec = 0;
    if (str_chr(arg, 'x') >= 0 || str_chr(arg, 'X') >= 0 || isinf(out->v))
        return 0;
    out->width = arg.n;
    size_t behind = 0;
    if (point >= 0) {
        while ((size_t)point + 1 + behind < arg.n &&
               !strchr("eE", arg.p[(size_t)point + 1 + behind]))
            behind++;
        out->prec = (int)MIN(behind, (size_t)1000);
        if (behind == 0)
            out->width--;
        else if (point == 0 || !ascii_digit(arg.p[point - 1]))
            out->width++;
    }
    ptrdiff_t e = str_chr(arg, 'e') >= 0 ? str_chr(arg, 'e') : str_chr(arg, 'E');
    int64_t exp = 0;
    if (e >= 0 && str_int(str_from(arg, (size_t)e + 1), &exp) == 0) {
        exp = MAX(MIN(exp, 1000), -1000);
        out->prec += (int)(exp < 0 ? -exp : -MIN((int64_t)out->prec, exp));
        out->width -= arg.n - (size_t)e;
        if (exp < 0) {
            if (point >= 0 && (size_t)point + 1 == (size_t)e)
                out->width++;
            exp = -exp;
        } else {
            if (point >= 0 && out->prec == 0 && out->width)
                out->width--;
            exp -= MIN((int64_t)behind, exp);
        }
        out->width += (size_t)exp;
    }
    return 0;
}

/* ---- whole numbers as text ------------------------------------------------------------------ */

static bool seq_digits(struct str s)
{
    if (s.n == 0 || (s.n > 1 && s.p[0] == '0'))
        return false;
    for (size_t i = 0; i < s.n; i++) {
        if (!ascii_digit(s.p[i]))
            return false;
    }
    return true;
}

static int seq_compare(struct str a, struct str b)
{
    return a.n != b.n ? (a.n < b.n ? -1 : 1) : memcmp(a.p, b.p, a.n);
}

/* Adds `step` to the digits at d[0..*n), which may grow to the left by one or more. */
static char *seq_add(char *d, size_t *n, unsigned step)
{
    char *last = d + *n - 1;
    for (char *c = last; step; c--) {
        if (c < d) {
            d = c;
            *c = '0';
            ++*n;
        }
        step += (unsigned)(*c - '0');
        *c = (char)('0' + step % 10);
        step /= 10;
    }
    return d;
}

/* Numbers that fit 18 digits: counted, and written block by block. */
static int seq_counted(struct proc *p, struct out *o, uint64_t first, uint64_t last, unsigned step,
                       char sep)
{
    enum {
        FIRST = 4096,
        MOST = 32768,
        SPACE = 32
    }; /* blocks grow: `head` may want a few only */
    char space[SPACE + 24], *d;
    uint64_t left = (last - first) / step + 1;
    size_t n = fmt_uint(space, first);

    d = space + SPACE - n;
    memmove(d, space, n);
    for (size_t block = FIRST; left && !o->err; block = MIN(block * 2, (size_t)MOST)) {
        char *to = out_reserve(o, block), *w = to;
        if (!to)
            break;
        for (const char *stop = to + block - SPACE; left && w < stop; left--) {
            memcpy(w, d, 24);
            w += n;
            *w++ = sep;
            if (d[n - 1] + step <= '9')
                d[n - 1] = (char)(d[n - 1] + (char)step);
            else
                d = seq_add(d, &n, step);
        }
        if (!left)
            w[-1] = '\n';
        out_commit(o, (size_t)(w - to));
        if (proc_tick(p, (int64_t)block / 1024) < 0)
            return HOB_EKILLED;
    }
    return 0;
}

static int seq_whole(struct proc *p, struct out *o, struct str first, struct str last,
                     unsigned step, char sep)
{
    size_t cap = MAX(first.n, last.n) + 4, n = first.n;
    uint64_t from, to;

    if (seq_compare(first, last) > 0)
        return 0;
    if (last.n <= 18 && str_uint(first, &from) == 0 && str_uint(last, &to) == 0)
        return seq_counted(p, o, from, to, step, sep);
    char *space = arena_alloc(p->arena, cap), *d;
    if (!space)
        return HOB_ENOMEM;
    d = space + cap - n;
    memcpy(d, first.p, n);
    for (bool more = true; more && !o->err;) {
        out_write(o, d, n);
        d = seq_add(d, &n, step);
        more = seq_compare(str_of(d, n), last) <= 0;
        out_putc(o, more ? sep : '\n');
        if (proc_tick(p, 1) < 0)
            return HOB_EKILLED;
    }
    return 0;
}

/* ---- floating point ------------------------------------------------------------------------- */

struct seq_format {
    struct str before, after; /* with %% written as % */
    char flags[8];
    int width, prec;
    char conv;
};

static int seq_bad_format(struct proc *p, struct str f, const char *what)
{
    proc_warn(p, "format %s %s", proc_quote(p, f), what);
    return 1;
}

static struct str seq_literal(struct proc *p, struct str f, size_t *i)
{
    char *to = arena_alloc(p->arena, f.n + 1);
    size_t n = 0;
    while (to && *i < f.n) {
        if (f.p[*i] == '%') {
            if (*i + 1 >= f.n || f.p[*i + 1] != '%')
                break;
            ++*i;
        }
        to[n++] = f.p[(*i)++];
    }
    return str_of(to, n);
}

static int seq_parse_format(struct proc *p, struct str f, struct seq_format *out)
{
    size_t i = 0, k = 0;
    *out = (struct seq_format){.prec = -1};
    out->before = seq_literal(p, f, &i);
    if (i == f.n)
        return seq_bad_format(p, f, "has no % directive");
    i++;
    for (; i < f.n && f.p[i] && strchr("-+#0 '", f.p[i]); i++) {
        if (k < sizeof out->flags - 1)
            out->flags[k++] = f.p[i];
    }
    for (; i < f.n && ascii_digit(f.p[i]); i++)
        out->width = MIN(out->width * 10 + (f.p[i] - '0'), 1000000);
    if (i < f.n && f.p[i] == '.') {
        out->prec = 0;
        for (i++; i < f.n && ascii_digit(f.p[i]); i++)
            out->prec = MIN(out->prec * 10 + (f.p[i] - '0'), 1000000);
    }
    if (i < f.n && f.p[i] == 'L')
        i++;
    if (i == f.n)
        return seq_bad_format(p, f, "ends in %");
    if (!strchr("efgaEFGA", f.p[i])) {
        proc_warn(p, "format %s has unknown %%%c directive", proc_quote(p, f), f.p[i]);
        return 1;
    }
    out->conv = f.p[i++];
    out->after = seq_literal(p, f, &i);
    if (i < f.n)
        return seq_bad_format(p, f, "has too many % directives");
    return 0;
}

static void seq_put(struct buf *b, const struct seq_format *f, long double v)
{
    buf_str(b, f->before);
    fmt_double(b, f->conv, f->flags, f->width ? f->width : -1, f->prec, v);
    buf_str(b, f->after);
}

/* Past the end by rounding alone: the text of the number is still not beyond the last one. */
static bool seq_one_more(const struct seq_format *f, struct buf *b, long double x, long double last,
                         long double before)
{
    size_t used;
    char seen[64];

    buf_clear(b);
    fmt_double(b, f->conv, f->flags, -1, f->prec, x);
    if (number_parse(buf_get(b), &used) != last || used != b->n || b->n >= sizeof seen)
        return false;
    size_t n = b->n;
    memcpy(seen, b->p, n);
    buf_clear(b);
    fmt_double(b, f->conv, f->flags, -1, f->prec, before);
    return !str_eq(buf_get(b), str_of(seen, n));
}

static int seq_float(struct proc *p, struct out *o, const struct seq_format *f, struct str sep,
                     const long double v[3])
{
    struct buf b;
    bool any = false;
    long double x = v[0], before = v[0];

    buf_init(&b, &p->kernel->heap);
    for (long double i = 0;; i++) {
        x = i > 0 ? v[0] + i * v[1] : v[0];
        bool over = v[1] < 0 ? x < v[2] : v[2] < x;
        if (over && !(any && seq_one_more(f, &b, x, v[2], before)))
            break;
        if (any)
            out_str(o, sep);
        buf_clear(&b);
        seq_put(&b, f, x);
        out_str(o, buf_get(&b));
        any = true;
        before = x;
        if (over || o->err || proc_tick(p, 1) < 0)
            break;
    }
    buf_fini(&b);
    if (any)
        out_putc(o, '\n');
    return proc_check(p);
}

/* ---- run ------------------------------------------------------------------------------------ */

static int seq_general(struct proc *p, const struct seq *s, struct out *o)
{
    struct seq_value a[3] = {{1, 1, 0}, {1, 1, 0}, {0, 0, 0}};
    struct seq_format f = {.prec = -1, .conv = 'f'};
    int n = p->argc, r = 0;

    if (s->format.p && (r = seq_parse_format(p, s->format, &f)) != 0)
        return r;
    if (s->format.p && s->equal) {
        proc_warn(p, "format string may not be specified when printing equal width strings");
        return proc_usage(p);
    }
    if (n > 1)
        r = seq_scan(p, p->argv[0], &a[0]);
    if (r == 0 && n > 2)
        r = seq_scan(p, p->argv[1], &a[1]);
    if (r == 0 && n > 2 && a[1].v == 0) {
        proc_warn(p, "invalid Zero increment value: %s", proc_quote(p, p->argv[1]));
        return proc_usage(p);
    }
    if (r == 0)
        r = seq_scan(p, p->argv[n - 1], &a[2]);
    if (r)
        return r;
    if (!s->format.p) {
        int prec = MAX(a[0].prec, a[1].prec);
        if (prec == INT_MAX || a[2].prec == INT_MAX) {
            f.conv = 'g';
        } else {
            f.prec = prec;
            if (s->equal) {
                size_t w0 = a[0].width + (size_t)(prec - a[0].prec);
                size_t w2 = a[2].width + (size_t)prec - (size_t)a[2].prec;
                if (a[2].prec && prec == 0)
                    w2--;
                if (a[2].prec == 0 && prec)
                    w2++;
                if (a[0].prec == 0 && prec)
                    w0++;
                f.width = (int)MAX(w0, w2);
                f.flags[0] = '0';
            }
        }
    }
    const long double v[3] = {a[0].v, a[1].v, a[2].v};
    return seq_float(p, o, &f, s->separator.p ? s->separator : STR("\n"), v);
}

static int seq_run(struct proc *p, void *args)
{
    struct seq *s = args;
    struct str one = STR("1");
    int64_t step = 1;
    struct out o;
    int r;

    if (p->argc == 0)
        return proc_missing_operand(p);
    if (p->argc > 3)
        return proc_extra_operand(p, p->argv[3]);
    struct str first = p->argc > 1 ? p->argv[0] : one, last = p->argv[p->argc - 1];
    bool whole = seq_digits(first) && seq_digits(last) && !s->equal && !s->format.p &&
                 (!s->separator.p || s->separator.n == 1) &&
                 (p->argc < 3 || (seq_digits(p->argv[1]) && str_int(p->argv[1], &step) == 0 &&
                                  step > 0 && step <= 200));
    out_init(&o, p, 1);
    char sep = s->separator.p && s->separator.n == 1 ? s->separator.p[0] : '\n';
    if (whole && !ascii_digit(sep))
        r = seq_whole(p, &o, first, last, (unsigned)step, sep);
    else
        r = seq_general(p, s, &o);
    return command_close(p, &o, r);
}

const struct command cmd_seq = {
    .name = "seq",
    .usage = "[OPTION]... LAST\n[OPTION]... FIRST LAST\n[OPTION]... FIRST INCREMENT LAST",
    .summary = "Print the numbers from FIRST to LAST, in steps of INCREMENT.",
    .notes = "FIRST and INCREMENT are 1 when they are left out. INCREMENT may be negative, not 0.\n"
             "FORMAT is one of %e %f %g %a, with flags, width and precision; by default as many\n"
             "digits are shown as the operands have.",
    .opts = seq_opts,
    .args_size = sizeof(struct seq),
    .flags = CMD_POSIXLY | CMD_NUMERIC,
    .usage_status = 1,
    .run = seq_run,
    .number = seq_number,
};

/* numfmt.c -- numbers from and to the form people read: 1.5K, 2Mi */
#include "shell/command.h"

#include <math.h>

#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "commands/lib/ranges.h"

enum {
    NUMFMT_NONE,
    NUMFMT_AUTO,
    NUMFMT_SI,
    NUMFMT_IEC,
    NUMFMT_IEC_I
};
enum {
    NUMFMT_UP,
    NUMFMT_DOWN,
    NUMFMT_FROM_ZERO,
    NUMFMT_TO_ZERO,
    NUMFMT_NEAREST
};
enum {
    NUMFMT_ABORT,
    NUMFMT_FAIL,
    NUMFMT_WARN,
    NUMFMT_IGNORE
};
enum {
    NUMFMT_DIGITS = 18, /* that a number without a unit may have */
    NUMFMT_MOST = 27
};

struct numfmt {
    bool grouping, zero, debug, has_header;
    struct str delimiter, field, format, header, padding, suffix, from_unit, to_unit;
    int from, to, round, invalid;
    struct proc *p;
    struct out out;
    struct ranges fields;
    struct range every;       /* --field=- */
    struct str before, after; /* around the directive of the format */
    int precision;            /* of the format, -1: none */
    int64_t width;            /* negative: to the left */
    bool auto_width, pad_left;
    int zero_width;
    long double from_size, to_size;
    char sep, end;
    int status;
};

static const struct word_row numfmt_from[] = {{"none", NUMFMT_NONE},   {"auto", NUMFMT_AUTO},
                                              {"si", NUMFMT_SI},       {"iec", NUMFMT_IEC},
                                              {"iec-i", NUMFMT_IEC_I}, {NULL, 0}};
static const struct word_row numfmt_to[] = {{"none", NUMFMT_NONE},
                                            {"si", NUMFMT_SI},
                                            {"iec", NUMFMT_IEC},
                                            {"iec-i", NUMFMT_IEC_I},
                                            {NULL, 0}};
static const struct word_row numfmt_rounds[] = {{"up", NUMFMT_UP},
                                                {"down", NUMFMT_DOWN},
                                                {"from-zero", NUMFMT_FROM_ZERO},
                                                {"towards-zero", NUMFMT_TO_ZERO},
                                                {"nearest", NUMFMT_NEAREST},
                                                {NULL, 0}};
static const struct word_row numfmt_modes[] = {{"abort", NUMFMT_ABORT},
                                               {"fail", NUMFMT_FAIL},
                                               {"warn", NUMFMT_WARN},
                                               {"ignore", NUMFMT_IGNORE},
                                               {NULL, 0}};

static int numfmt_word(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct numfmt *n = args;
    switch (o->name[0] == 'f' ? 0 : o->name[0] == 't' ? 1 : o->name[0] == 'r' ? 2 : 3) {
    case 0: return proc_word(p, "--from", arg, numfmt_from, &n->from);
    case 1: return proc_word(p, "--to", arg, numfmt_to, &n->to);
    case 2: return proc_word(p, "--round", arg, numfmt_rounds, &n->round);
    default: return proc_word(p, "--invalid", arg, numfmt_modes, &n->invalid);
    }
}

static int numfmt_header(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct numfmt *n = args;
    uint64_t v;
    (void)o;
    n->has_header = true;
    n->header = arg;
    if (arg.p && (str_uint(arg, &v) != 0 || v == 0)) {
        proc_warn(p, "invalid header value %s", proc_quote(p, arg));
        return 2;
    }
    return 0;
}

static int numfmt_fields(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct numfmt *n = args;
    (void)o;
    if (n->field.p) {
        proc_warn(p, "multiple field specifications");
        return 2;
    }
    n->field = arg;
    return 0;
}

/* A negative width aligns to the left, and widths that are given later do not take that back. */
static int numfmt_padding(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct numfmt *n = args;
    (void)o;
    if (str_int(arg, &n->width) != 0 || n->width == 0) {
        proc_warn(p, "invalid padding value %s", proc_quote(p, arg));
        return 2;
    }
    n->padding = arg;
    n->pad_left |= n->width < 0;
    return 0;
}

static const struct opt numfmt_opts[] = {
    OPT_FLAG(0, "debug", struct numfmt, debug, "warn about options without effect"),
    OPT_STRING('d', "delimiter", struct numfmt, delimiter, "X", "fields are parted by X"),
    OPT_CALL(0, "field", numfmt_fields, "FIELDS", "the fields to convert (1); like cut"),
    OPT_STRING(0, "format", struct numfmt, format, "FORMAT", "print with FORMAT: %10.2f"),
    OPT_CALL(0, "from", numfmt_word, "UNIT", "read numbers with units: auto si iec iec-i"),
    OPT_STRING(0, "from-unit", struct numfmt, from_unit, "N", "numbers count N each"),
    OPT_FLAG(0, "grouping", struct numfmt, grouping, "(no effect in this locale)"),
    OPT_CALL_OPTIONAL(0, "header", numfmt_header, "N", "the first N lines (1) stay as they are"),
    OPT_CALL(0, "invalid", numfmt_word, "MODE",
             "what to do about wrong numbers: abort (default) fail warn ignore"),
    OPT_CALL(0, "padding", numfmt_padding, "N", "fill up to N columns; negative: behind"),
    OPT_CALL(0, "round", numfmt_word, "METHOD",
             "up, down, from-zero (default), towards-zero, nearest"),
    OPT_STRING(0, "suffix", struct numfmt, suffix, "SUFFIX",
               "behind numbers, and allowed in input"),
    OPT_CALL(0, "to", numfmt_word, "UNIT", "print numbers with units: si iec iec-i"),
    OPT_STRING(0, "to-unit", struct numfmt, to_unit, "N", "divide by N"),
    OPT_FLAG('z', "zero-terminated", struct numfmt, zero, "lines end with NUL, not newline"),
    OPT_END,
};

static void numfmt_defaults(struct proc *p, void *args)
{
    (void)p;
    struct numfmt *n = args;
    n->round = NUMFMT_FROM_ZERO;
    n->precision = -1;
    n->every = (struct range){1, UINT64_MAX};
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char numfmt_units[] = "KMGTPEZY";

/* How a wrong number is met: a message, and the status. */
static bool numfmt_bad(struct numfmt *n, const char *before, struct str text, const char *after)
{
    if (n->invalid == NUMFMT_IGNORE)
        return false;
    if (n->invalid == NUMFMT_ABORT)
        out_flush(&n->out);
    proc_warn(n->p, "%s%s%s", before, proc_quote(n->p, text), after);
    if (n->invalid != NUMFMT_WARN)
        n->status = 2;
    return false;
}

/* Digits with a point or not. *used is how many bytes. */
static bool numfmt_digits(struct numfmt *n, struct str s, long double *v, int *precision,
                          size_t *used)
{
    size_t i = s.n && s.p[0] == '-';
    bool neg = i;
    int digits = 0;
    long double x = 0, part = 1;

    if (i >= s.n || (!ascii_digit(s.p[i]) && s.p[i] != '.'))
        return numfmt_bad(n, "invalid number: ", s, "");
    for (; i < s.n && ascii_digit(s.p[i]); i++) {
        digits += digits || s.p[i] != '0';
        if (digits > NUMFMT_MOST)
            return numfmt_bad(n, "value too large to be converted: ", s, "");
        x = x * 10 + (s.p[i] - '0');
    }
    *precision = 0;
    if (i < s.n && s.p[i] == '.') {
        if (i + 1 >= s.n || !ascii_digit(s.p[i + 1]))
            return numfmt_bad(n, "invalid number: ", s, "");
        long double below = 0;
        for (i++; i < s.n && ascii_digit(s.p[i]) && *precision < NUMFMT_MOST; i++, ++*precision) {
            below = below * 10 + (s.p[i] - '0');
            part *= 10;
        }
        x += below / part;
    }
    *used = i;
    *v = neg ? -x : x;
    return true;
}

/* A number with its unit. */
static bool numfmt_parse(struct numfmt *n, struct str s, long double *v, int *precision)
{
    size_t i = 0;
    int power = 0;
    long double base = n->from == NUMFMT_IEC || n->from == NUMFMT_IEC_I ? 1024 : 1000;

    if (!numfmt_digits(n, s, v, precision, &i))
        return false;
    bool unit = i < s.n;
    if (unit) {
        while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t'))
            i++;
        const char *at = i < s.n && s.p[i] ? strchr(numfmt_units, s.p[i]) : NULL;
        if (!at)
            return numfmt_bad(n, "invalid suffix in input: ", s, "");
        if (n->from == NUMFMT_NONE)
            return numfmt_bad(n, "rejecting suffix in input: ", s, " (consider using --from)");
        power = (int)(at - numfmt_units) + 1;
        i++;
        if (n->from == NUMFMT_AUTO && i < s.n && s.p[i] == 'i') {
            base = 1024;
            i++;
        }
        *precision = 0;
    }
    if (n->from == NUMFMT_IEC_I) {
        if (i >= s.n || s.p[i] != 'i')
            return numfmt_bad(n, "missing 'i' suffix in input: ", s, " (e.g Ki/Mi/Gi)");
        i++;
    }
    if (i < s.n) {
        struct str rest = str_from(s, i);
        struct str tail = arena_printf(n->p->arena, ": %s", proc_quote(n->p, rest));
        return numfmt_bad(n, "invalid suffix in input ", s, tail.p ? tail.p : "");
    }
    while (power-- > 0)
        *v *= base;
    return true;
}

/* ---- printing -------------------------------------------------------------------------------- */

static long double numfmt_round(long double v, int how)
{
    switch (how) {
    case NUMFMT_UP: return ceill(v);
    case NUMFMT_DOWN: return floorl(v);
    case NUMFMT_FROM_ZERO: return v < 0 ? floorl(v) : ceill(v);
    case NUMFMT_TO_ZERO: return truncl(v);
    default: return v < 0 ? -floorl(-v + 0.5L) : floorl(v + 0.5L);
    }
}

static long double numfmt_ten(int n)
{
    long double v = 1;
    while (n-- > 0)
        v *= 10;
    return v;
}

static void numfmt_print(struct numfmt *n, struct buf *b, long double v, int precision)
{
    char width[2] = {'0', 0};
    if (n->to == NUMFMT_NONE) {
        long double ten = numfmt_ten(precision);
        v = numfmt_round(v * ten, n->round) / ten;
        fmt_double(b, 'f', n->zero_width ? width : "", n->zero_width ? n->zero_width : -1,
                   precision, v == 0 ? 0 : v);
        return;
    }
    long double base = n->to == NUMFMT_SI ? 1000 : 1024;
    int power = 0, adjust = 0;
    while (fabsl(v) >= base && power < (int)sizeof numfmt_units) {
        v /= base;
        power++;
    }
    if (n->precision != -1)
        adjust = MIN(power * 3, n->precision);
    else if (fabsl(v) < 10)
        adjust = 1;
    v = numfmt_round(v * numfmt_ten(adjust), n->round) / numfmt_ten(adjust);
    if (fabsl(v) >= base) {
        v /= base;
        power++;
    }
    int prec = n->precision != -1 ? n->precision : v != 0 && fabsl(v) < 10 && power > 0;
    fmt_double(b, 'f', n->zero_width ? width : "", n->zero_width ? n->zero_width : -1, prec,
               v == 0 ? 0 : v);
    if (power > 0)
        buf_putc(b, numfmt_units[MIN(power, 8) - 1]);
    if (power > 0 && n->to == NUMFMT_IEC_I)
        buf_putc(b, 'i');
}

/* False after a message, when it is too large to be shown exactly. */
static bool numfmt_fits(struct numfmt *n, long double v, int precision)
{
    int digits = 0;
    char text[64];
    struct buf b;
    for (long double x = fabsl(v); x >= 10; x /= 10)
        digits++;
    bool plain = n->to == NUMFMT_NONE;
    if (!(plain && digits + precision > NUMFMT_DIGITS) && digits < NUMFMT_MOST)
        return true;
    if (n->invalid == NUMFMT_IGNORE)
        return false;
    buf_init(&b, &n->p->kernel->heap);
    fmt_double(&b, 'g', "", -1, -1, v);
    size_t k = MIN(b.n, sizeof text - 1);
    memcpy(text, buf_get(&b).p, k);
    text[k] = '\0';
    buf_fini(&b);
    if (plain && precision && digits <= NUMFMT_DIGITS)
        proc_warn(n->p, "value/precision too large to be printed: '%s/%d' (consider using --to)",
                  text, precision);
    else
        proc_warn(n->p, "value too large to be printed: '%s' (%s)", text,
                  plain ? "consider using --to" : "cannot handle values > 999Y");
    if (n->invalid != NUMFMT_WARN)
        n->status = 2;
    return false;
}

/* One field; as it was when it is no number. */
static void numfmt_field(struct numfmt *n, struct str text, uint64_t field)
{
    struct str s = text;
    struct buf b;
    long double v = 0;
    int precision = 0;
    int64_t width = n->width;
    bool in = false;

    for (size_t i = 0; i < n->fields.n; i++)
        in = in || (field >= n->fields.p[i].from && field <= n->fields.p[i].to);
    if (!in || n->status == -1) {
        out_str(&n->out, text);
        return;
    }
    if (n->suffix.p && s.n > n->suffix.n && str_ends(s, n->suffix))
        s.n -= n->suffix.n;
    size_t blanks = 0;
    while (blanks < s.n && (s.p[blanks] == ' ' || s.p[blanks] == '\t'))
        blanks++;
    if (n->auto_width)
        width = blanks || field > 1 ? (int64_t)utf8_count(text) : 0;
    bool ok = numfmt_parse(n, str_from(s, blanks), &v, &precision);
    if (ok) {
        v = v * n->from_size / n->to_size;
        precision = n->precision == -1 ? precision : n->precision;
        ok = numfmt_fits(n, v, precision);
    }
    if (!ok) {
        if (n->invalid != NUMFMT_ABORT)
            out_str(&n->out, text);
        return;
    }
    buf_init(&b, &n->p->kernel->heap);
    numfmt_print(n, &b, v, precision);
    if (n->suffix.p)
        buf_str(&b, n->suffix);
    int64_t fill = (width < 0 ? -width : width) - (int64_t)utf8_count(buf_get(&b));
    out_str(&n->out, n->before);
    for (int64_t i = 0; i < fill && width > 0; i++)
        out_putc(&n->out, ' ');
    out_str(&n->out, buf_get(&b));
    for (int64_t i = 0; i < fill && width < 0; i++)
        out_putc(&n->out, ' ');
    out_str(&n->out, n->after);
    buf_fini(&b);
}

/* False: the first wrong number ends it all. */
static bool numfmt_line(struct numfmt *n, struct str line, bool newline)
{
    size_t at = 0;
    for (uint64_t field = 1;; field++) {
        size_t from = at;
        if (n->sep) {
            while (at < line.n && line.p[at] != n->sep)
                at++;
        } else {
            while (at < line.n && (line.p[at] == ' ' || line.p[at] == '\t' || line.p[at] == '\n'))
                at++;
            while (at < line.n && line.p[at] != ' ' && line.p[at] != '\t' && line.p[at] != '\n')
                at++;
        }
        numfmt_field(n, str_sub(line, from, at - from), field);
        if (n->status && n->invalid == NUMFMT_ABORT)
            return false;
        if (at >= line.n)
            break;
        out_putc(&n->out, n->sep ? n->sep : ' ');
        at++;
    }
    if (newline)
        out_putc(&n->out, n->end);
    return proc_tick(n->p, 1) == 0;
}

/* ---- options --------------------------------------------------------------------------------- */

static int numfmt_format_error(struct numfmt *n, const char *text)
{
    proc_warn(n->p, "format %s %s", proc_quote(n->p, n->format), text);
    return 1;
}

static struct str numfmt_literal(struct numfmt *n, struct str f, size_t *i)
{
    struct str part = str_from(f, *i);
    char *to = arena_alloc(n->p->arena, part.n + 1);
    size_t k = 0;
    for (; to && *i < f.n; ++*i) {
        if (f.p[*i] == '%') {
            if (*i + 1 >= f.n || f.p[*i + 1] != '%')
                break;
            ++*i;
        }
        to[k++] = f.p[*i];
    }
    return str_of(to, k);
}

static int numfmt_format(struct numfmt *n)
{
    struct str f = n->format;
    size_t i = 0;
    bool zero = false, left = false;
    int64_t width = 0;

    n->before = numfmt_literal(n, f, &i);
    if (i >= f.n)
        return numfmt_format_error(n, "has no % directive");
    for (i++; i < f.n && strchr(" '0-", f.p[i]) && f.p[i]; i++) {
        if (f.p[i] == '0')
            zero = true;
        else if (f.p[i] == '-')
            left = true;
        else if (f.p[i] == '\'')
            n->grouping = true;
    }
    for (; i < f.n && ascii_digit(f.p[i]); i++)
        width = MIN(width * 10 + (f.p[i] - '0'), 100000);
    if (width) {
        if (zero && !left)
            n->zero_width = (int)width;
        else
            n->width = left ? -width : width;
    }
    if (i >= f.n)
        return numfmt_format_error(n, "ends in %");
    if (f.p[i] == '.') {
        n->precision = 0;
        for (i++; i < f.n && ascii_digit(f.p[i]); i++)
            n->precision = MIN(n->precision * 10 + (f.p[i] - '0'), 1000);
    }
    if (i >= f.n || f.p[i] != 'f') {
        proc_warn(n->p, "invalid format %s, directive must be %%[0]['][-][N][.][N]f",
                  proc_quote(n->p, f));
        return 1;
    }
    i++;
    n->after = str_from(f, i); /* %% stays as it is */
    for (; i < f.n; i++)
        if (f.p[i] == '%' && (++i >= f.n || f.p[i] != '%'))
            return numfmt_format_error(n, "has too many % directives");
    return 0;
}

static int numfmt_unit(struct numfmt *n, struct str s, long double *out)
{
    struct str digits = s;
    uint64_t v = 1;
    long double base = 1000;
    int power = 0;
    *out = 1;
    if (!s.p)
        return 0;
    if (digits.n && digits.p[digits.n - 1] == 'i') {
        base = 1024;
        digits.n--;
    }
    const char *at =
        digits.n && digits.p[digits.n - 1] ? strchr(numfmt_units, digits.p[digits.n - 1]) : NULL;
    if (at) {
        power = (int)(at - numfmt_units) + 1;
        digits.n--;
    }
    if ((digits.n && str_uint(digits, &v) != 0) || (!digits.n && !at) || v == 0 ||
        (base == 1024 && !at)) {
        proc_warn(n->p, "invalid unit size: %s", proc_quote(n->p, s));
        return 1;
    }
    *out = (long double)v;
    while (power-- > 0)
        *out *= base;
    return 0;
}

static int numfmt_settle(struct numfmt *n)
{
    struct proc *p = n->p;
    int r;
    if ((r = numfmt_unit(n, n->from_unit, &n->from_size)) != 0 ||
        (r = numfmt_unit(n, n->to_unit, &n->to_size)) != 0)
        return r;
    n->width = MAX(MIN(n->width, 1 << 20), -(1 << 20));
    if (n->delimiter.p && n->delimiter.n > 1) {
        proc_warn(p, "the delimiter must be a single character");
        return 1;
    }
    if (n->field.p && str_eqz(n->field, "-"))
        n->fields = (struct ranges){&n->every, 1};
    else if ((r = ranges_parse(p, n->field.p ? n->field : STR("1"), 0, &n->fields)) != 0)
        return r;
    if (n->format.p && n->grouping) {
        proc_warn(p, "--grouping cannot be combined with --format");
        return 1;
    }
    if (n->debug && !n->format.p && !n->grouping && !n->padding.p && n->from == NUMFMT_NONE &&
        n->to == NUMFMT_NONE)
        proc_warn(p, "no conversion option specified");
    if (n->format.p && (r = numfmt_format(n)) != 0)
        return r;
    if (n->grouping && n->to != NUMFMT_NONE) {
        proc_warn(p, "grouping cannot be combined with --to");
        return 1;
    }
    if (n->debug && n->grouping)
        proc_warn(p, "grouping has no effect in this locale");
    n->sep = n->delimiter.n ? n->delimiter.p[0] : '\0';
    n->end = n->zero ? '\0' : '\n';
    if (n->pad_left && n->width > 0)
        n->width = -n->width;
    n->auto_width = n->width == 0 && !n->delimiter.p;
    return 0;
}

static int numfmt_run(struct proc *p, void *args)
{
    struct numfmt *n = args;
    struct in in;
    struct str line;
    bool had, go = true;
    uint64_t header = n->has_header;
    int r;

    n->p = p;
    if ((r = numfmt_settle(n)) != 0)
        return r;
    if (n->header.p)
        str_uint(n->header, &header);
    if (n->debug && p->argc && header)
        proc_warn(p, "--header ignored with command-line input");
    out_init(&n->out, p, 1);
    for (int i = 0; i < p->argc && go; i++)
        go = numfmt_line(n, p->argv[i], true);
    if (p->argc == 0) {
        in_init(&in, p, 0);
        while (go && in_line(&in, n->end, &line, &had) && !n->out.err) {
            struct arena_mark mark = arena_mark(p->arena);
            if (header) {
                header--;
                out_str(&n->out, line);
                if (had)
                    out_putc(&n->out, n->end);
            } else {
                go = numfmt_line(n, line, had);
            }
            arena_release(p->arena, mark);
        }
        in_fini(&in);
    }
    if (n->debug && n->status && n->invalid != NUMFMT_ABORT)
        proc_warn(p, "failed to convert some of the input numbers");
    return command_close(p, &n->out, proc_check(p) < 0 ? HOB_EKILLED : n->status);
}

const struct command cmd_numfmt = {
    .name = "numfmt",
    .usage = "[OPTION]... [NUMBER]...",
    .summary = "Convert NUMBERs, or those of standard input, from and to forms people read.",
    .notes = "Units: si 1K = 1000; iec 1K = 1024; iec-i 1Ki = 1024; auto takes 1K = 1000 and\n"
             "1Ki = 1024; none refuses them.",
    .opts = numfmt_opts,
    .args_size = sizeof(struct numfmt),
    .usage_status = 1,
    .run = numfmt_run,
    .defaults = numfmt_defaults,
};

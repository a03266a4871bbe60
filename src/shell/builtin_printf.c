/* builtin_printf.c -- printf
 *
 * Numbers are 64-bit integers and long doubles, as in bash. Output is gathered in a `struct out`;
 * with -v it goes to a buffer instead, and at the end into the variable. A message about a bad
 * argument is printed at once and the work goes on with what could be read of it.
 */
#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "shell/builtin_impl.h"
#include "shell/parse.h"
#include "shell/zone.h"
#include "text/number.h"

enum {
    BPRINTF_MINUS = 1,
    BPRINTF_PLUS = 2,
    BPRINTF_BLANK = 4,
    BPRINTF_ALT = 8,
    BPRINTF_ZERO = 16,
    BPRINTF_WIDTH_MAX = 1 << 28 /* more than memory could hold is cut */
};

struct bprintf {
    struct shell *sh;
    struct str *argv;
    int argc, at; /* the next argument */
    struct out out;
    struct buf text; /* -v */
    bool mute;       /* nothing is printed for the conversion at hand */
    bool var;
    size_t count; /* bytes so far, for %n */
    bool whole;   /* the last of them was a newline */
    int status;
    bool stop;              /* \c in an argument of %b, or an error */
    int flags, width, prec; /* of the conversion at hand; prec -1: none */
};

/* ---- output ---------------------------------------------------------------------------------- */

static void bprintf_write(struct bprintf *f, const char *p, size_t n)
{
    if (f->mute)
        return;
    f->count += n;
    if (n)
        f->whole = p[n - 1] == '\n';
    if (f->var)
        buf_add(&f->text, p, n);
    else
        out_write(&f->out, p, n);
}

static void bprintf_fill(struct bprintf *f, char c, size_t n)
{
    char pad[64];
    memset(pad, c, sizeof pad);
    while (n > 0) {
        size_t m = MIN(n, sizeof pad);
        if (proc_tick(f->sh->proc, 1) < 0 || f->sh->heap->oom)
            return;
        bprintf_write(f, pad, m);
        n -= m;
    }
}

/* Text in a field of the width. */
static void bprintf_field(struct bprintf *f, struct str s)
{
    size_t pad = f->width > 0 && (size_t)f->width > s.n ? (size_t)f->width - s.n : 0;
    if (pad && !(f->flags & BPRINTF_MINUS))
        bprintf_fill(f, ' ', pad);
    bprintf_write(f, s.p, s.n);
    if (pad && (f->flags & BPRINTF_MINUS))
        bprintf_fill(f, ' ', pad);
}

static void bprintf_string(struct bprintf *f, struct str s)
{
    if (f->prec >= 0 && (size_t)f->prec < s.n)
        s.n = (size_t)f->prec;
    bprintf_field(f, s);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static struct str bprintf_next(struct bprintf *f)
{
    return f->at < f->argc ? f->argv[f->at++] : STR("");
}

/* Whole lines come before a message, as from a buffer that is written line by line. */
static void bprintf_flush(struct bprintf *f)
{
    if (!f->var && f->whole)
        out_flush(&f->out);
}

static void bprintf_invalid(struct bprintf *f, struct str s)
{
    bprintf_flush(f);
    const char *kind = "";
    if (s.n > 1 && s.p[0] == '0')
        kind = ascii_digit(s.p[1]) ? "octal " : s.p[1] == 'x' ? "hex " : "";
    shell_builtin_error(f->sh, "%.*s: invalid %snumber", STR_ARG(s), kind);
    f->status = 1;
}

static void bprintf_range(struct bprintf *f, struct str s)
{
    bprintf_flush(f);
    shell_builtin_error(f->sh, "warning: %.*s: %s", STR_ARG(s), error_text(HOB_ERANGE));
}

/* 'c and "c stand for the number of the character. */
static bool bprintf_char(struct str s, uint32_t *c)
{
    int len;
    if (s.n == 0 || (s.p[0] != '\'' && s.p[0] != '"'))
        return false;
    *c = 0;
    if (s.n > 1) {
        *c = utf8_decode(s.p + 1, s.n - 1, &len);
        if (*c == UTF8_BAD)
            *c = (unsigned char)s.p[1];
    }
    return true;
}

/* The digits of a number in C's notation; how much of s was one is in *used. */
static uint64_t bprintf_digits(struct str s, size_t *used, bool *minus, bool *over)
{
    size_t i = 0;
    uint64_t v = 0;
    unsigned base = 10;

    *minus = *over = false;
    *used = 0;
    while (i < s.n && ascii_space(s.p[i]))
        i++;
    if (i < s.n && (s.p[i] == '-' || s.p[i] == '+'))
        *minus = s.p[i++] == '-';
    if (i < s.n && s.p[i] == '0') {
        base = 8;
        *used = i + 1;
        if (i + 1 < s.n && (s.p[i + 1] | 32) == 'x') {
            base = 16;
            i += 2;
        }
    }
    for (; i < s.n; i++) {
        unsigned c = (unsigned char)s.p[i];
        unsigned d = ascii_digit((int)c) ? c - '0' : ascii_alpha((int)c) ? (c | 32) - 'a' + 10 : 99;
        if (d >= base)
            break;
        if (__builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, d, &v))
            *over = true;
        *used = i + 1;
    }
    return v;
}

/* As strtoimax, or strtoumax when `is_unsigned`, with bash's complaints. */
static uint64_t bprintf_integer(struct bprintf *f, bool is_unsigned)
{
    struct str s;
    uint32_t c;
    size_t used;
    bool minus, over;

    if (f->at >= f->argc)
        return 0;
    s = bprintf_next(f);
    if (bprintf_char(s, &c))
        return c;
    uint64_t v = bprintf_digits(s, &used, &minus, &over);
    if (used < s.n || s.n == 0) {
        if (s.n)
            bprintf_invalid(f, s);
    } else if (over || (!is_unsigned && v > (uint64_t)INT64_MAX + minus)) {
        bprintf_range(f, s);
    }
    if (over && is_unsigned)
        return UINT64_MAX;
    if (over || (!is_unsigned && v > (uint64_t)INT64_MAX + minus))
        return minus ? (uint64_t)INT64_MIN : (uint64_t)INT64_MAX;
    return minus ? 0 - v : v;
}

static int bprintf_int_arg(struct bprintf *f)
{
    int64_t v = (int64_t)bprintf_integer(f, false);
    if (v > INT_MAX || v < INT_MIN) {
        if (f->at < f->argc) /* as bash has it, the argument behind is named */
            bprintf_range(f, f->argv[f->at]);
        v = v > 0 ? INT_MAX : INT_MIN;
    }
    return (int)v;
}

static long double bprintf_float(struct bprintf *f)
{
    uint32_t c;
    size_t used = 0;
    if (f->at >= f->argc)
        return 0;
    struct str s = bprintf_next(f);
    if (bprintf_char(s, &c))
        return c;
    long double v = number_parse(s, &used);
    if (s.n == 0)
        return 0;
    if (used < s.n)
        bprintf_invalid(f, s);
    else if (__builtin_isinf(v) && memchr(s.p, 'e', s.n))
        bprintf_range(f, s);
    return v;
}

/* ---- conversions ----------------------------------------------------------------------------- */

static void bprintf_number(struct bprintf *f, char conv)
{
    char digits[72], sign = 0;
    bool is_signed = conv == 'd' || conv == 'i';
    uint64_t v = bprintf_integer(f, !is_signed);
    size_t at = sizeof digits, zeros = 0, prefix = 0;
    unsigned base = conv == 'o' ? 8 : (conv | 32) == 'x' ? 16 : 10;

    if (is_signed && (int64_t)v < 0) {
        sign = '-';
        v = 0 - v;
    } else if (is_signed && (f->flags & (BPRINTF_PLUS | BPRINTF_BLANK))) {
        sign = f->flags & BPRINTF_PLUS ? '+' : ' ';
    }
    bool nonzero = v != 0;
    for (uint64_t rest = v; rest; rest /= base)
        digits[--at] = (conv == 'X' ? "0123456789ABCDEF" : "0123456789abcdef")[rest % base];
    if (!nonzero && f->prec != 0)
        digits[--at] = '0';
    size_t n = sizeof digits - at;
    if (f->prec >= 0 && (size_t)f->prec > n)
        zeros = (size_t)f->prec - n;
    if ((f->flags & BPRINTF_ALT) && conv == 'o' && zeros == 0 && (nonzero || n == 0))
        zeros = 1;
    if ((f->flags & BPRINTF_ALT) && base == 16 && nonzero)
        prefix = 2;
    size_t whole = n + zeros + prefix + (sign != 0);
    size_t pad = f->width > 0 && (size_t)f->width > whole ? (size_t)f->width - whole : 0;
    if (pad && (f->flags & (BPRINTF_ZERO | BPRINTF_MINUS)) == BPRINTF_ZERO && f->prec < 0) {
        zeros += pad;
        pad = 0;
    }
    if (pad && !(f->flags & BPRINTF_MINUS))
        bprintf_fill(f, ' ', pad);
    if (sign)
        bprintf_write(f, &sign, 1);
    if (prefix)
        bprintf_write(f, conv == 'X' ? "0X" : "0x", 2);
    if (zeros)
        bprintf_fill(f, '0', zeros);
    bprintf_write(f, digits + at, n);
    if (pad && (f->flags & BPRINTF_MINUS))
        bprintf_fill(f, ' ', pad);
}

static void bprintf_double(struct bprintf *f, char conv)
{
    char flags[6];
    int n = 0;
    struct buf b;
    long double v = bprintf_float(f);

    if (f->flags & BPRINTF_MINUS)
        flags[n++] = '-';
    if (f->flags & BPRINTF_PLUS)
        flags[n++] = '+';
    if (f->flags & BPRINTF_BLANK)
        flags[n++] = ' ';
    if (f->flags & BPRINTF_ALT)
        flags[n++] = '#';
    if (f->flags & BPRINTF_ZERO)
        flags[n++] = '0';
    flags[n] = '\0';
    buf_init(&b, f->sh->heap);
    fmt_double(&b, conv, flags, f->width, f->prec, v);
    bprintf_write(f, buf_get(&b).p, b.n);
    buf_fini(&b);
}

static void bprintf_escape_error(struct bprintf *f, int kind, char c)
{
    if (kind == ESCAPE_HEX)
        shell_builtin_error(f->sh, "missing hex digit for \\x");
    else if (kind == ESCAPE_UNICODE)
        shell_builtin_error(f->sh, "missing unicode digit for \\%c", c);
}

/* %b: the argument with its escapes done. */
static void bprintf_escaped(struct bprintf *f)
{
    struct str s = bprintf_next(f);
    struct buf b;
    char dst[8];
    size_t used;

    if (!s.n || !memchr(s.p, '\\', s.n)) {
        bprintf_string(f, s);
        return;
    }
    buf_init(&b, f->sh->heap);
    while (s.n && !f->stop) {
        ptrdiff_t plain = str_chr(s, '\\');
        if (plain != 0) {
            size_t n = plain < 0 ? s.n : (size_t)plain;
            buf_add(&b, s.p, n);
            s = str_from(s, n);
            continue;
        }
        s = str_from(s, 1);
        int n = escape_decode(s, ESCAPE_ARG, dst, &used);
        if (n == ESCAPE_STOP) {
            f->stop = true;
        } else if (n < 0) {
            bprintf_escape_error(f, n, s.n ? s.p[0] : '\0');
            buf_putc(&b, '\\');
        } else {
            buf_add(&b, dst, (size_t)n);
        }
        s = str_from(s, used);
    }
    bprintf_string(f, buf_get(&b));
    buf_fini(&b);
}

static void bprintf_quoted(struct bprintf *f, bool cut_first)
{
    struct str s = bprintf_next(f);
    struct buf b;
    if (cut_first && f->prec >= 0) {
        s.n = MIN(s.n, (size_t)f->prec);
        f->prec = -1;
    }
    buf_init(&b, f->sh->heap);
    expand_quote_q(&b, s);
    bprintf_string(f, buf_get(&b));
    buf_fini(&b);
}

/* %(format)T: -1 is now, -2 when the shell started. */
static void bprintf_time(struct bprintf *f, struct str format)
{
    struct shell *sh = f->sh;
    struct date_zone zone = date_utc;
    struct date d;
    struct str tz;
    struct buf b, zone_bytes;
    int64_t t = f->at < f->argc ? (int64_t)bprintf_integer(f, false) : -1;

    if (t == -1)
        t = sched_now(&sh->kernel->sched) / 1000000000;
    else if (t == -2)
        t = sh->start_ns / 1000000000;
    buf_init(&b, sh->heap);
    buf_init(&zone_bytes, sh->heap);
    zone_find(sh->proc, var_str(sh, sym_of(SYM_TZ), &tz) ? tz : STR_NONE, &zone_bytes, &zone);
    if (date_from_epoch(t, 0, &zone, &d) < 0)
        t = 0;
    if (t || date_from_epoch(t, 0, &zone, &d) >= 0)
        date_format(&b, format.n ? format : STR("%X"), &d, t, false);
    bprintf_string(f, buf_get(&b));
    buf_fini(&zone_bytes);
    buf_fini(&b);
}

/* %n: the number of bytes printed so far goes into the variable. */
static void bprintf_store(struct bprintf *f)
{
    char digits[24];
    struct str name = bprintf_next(f);
    if (!name.n)
        return;
    if (!parse_is_name(name)) {
        shell_builtin_error(f->sh, "`%.*s': not a valid identifier", STR_ARG(name));
        f->status = 1;
        return;
    }
    size_t n = fmt_uint(digits, f->count);
    if (builtin_assign(f->sh, name, str_of(digits, n), 1))
        f->status = 1;
}

/* ---- the format ------------------------------------------------------------------------------ */

/* Digits of a width or precision. More than an int holds makes C's printf fail, and nothing is
 * printed for the conversion. */
static int bprintf_decimal(struct bprintf *f, struct str *s)
{
    int64_t v = 0;
    for (; s->n && ascii_digit(s->p[0]); *s = str_from(*s, 1))
        v = MIN(v * 10 + (s->p[0] - '0'), (int64_t)INT_MAX + 1);
    f->mute |= v > INT_MAX;
    return (int)MIN(v, BPRINTF_WIDTH_MAX);
}

/* Flags, width, precision and length; s is moved to the conversion character. */
static void bprintf_spec(struct bprintf *f, struct str *s)
{
    static const char letters[] = "-+ #0'";
    f->flags = 0;
    f->width = 0;
    f->prec = -1;
    for (const char *at; s->n && s->p[0] && (at = strchr(letters, s->p[0])); *s = str_from(*s, 1))
        f->flags |= 1 << (at - letters);
    if (s->n && s->p[0] == '*') {
        *s = str_from(*s, 1);
        f->width = bprintf_int_arg(f);
        if (f->width < 0) {
            f->flags |= BPRINTF_MINUS;
            f->width = f->width < -BPRINTF_WIDTH_MAX ? BPRINTF_WIDTH_MAX : -f->width;
        }
        f->width = MIN(f->width, BPRINTF_WIDTH_MAX);
    } else {
        f->width = bprintf_decimal(f, s);
    }
    if (s->n && s->p[0] == '.') {
        *s = str_from(*s, 1);
        if (s->n && s->p[0] == '*') {
            *s = str_from(*s, 1);
            int prec = bprintf_int_arg(f);
            f->prec = MIN(prec, BPRINTF_WIDTH_MAX);
        } else if (s->n && s->p[0] == '-') {
            *s = str_from(*s, 1);
            bprintf_decimal(f, s);
        } else {
            f->prec = bprintf_decimal(f, s);
        }
    }
    while (s->n && s->p[0] && strchr("hjlLtz", s->p[0]))
        *s = str_from(*s, 1);
}

/* The end of %(..)T, nested parentheses counted: the format between; s is moved behind. */
static bool bprintf_time_spec(struct bprintf *f, struct str *s, struct str *format)
{
    size_t i = 1;
    int depth = 1;
    for (; i < s->n; i++) {
        if (s->p[i] == '(')
            depth++;
        else if (s->p[i] == ')' && --depth == 0)
            break;
    }
    char behind = i + 1 < s->n ? s->p[i + 1] : '\0';
    if (behind != 'T') {
        shell_builtin_error(f->sh, "warning: `%c': invalid time format specification", behind);
        return false;
    }
    *format = str_sub(*s, 1, i - 1);
    *s = str_from(*s, i + 2);
    return true;
}

/* One conversion; s begins behind the %. */
static void bprintf_convert(struct bprintf *f, struct str *s)
{
    struct str start = *s, arg;
    bprintf_spec(f, s);
    if (!s->n) {
        shell_builtin_error(f->sh, "`%%%.*s': missing format character", STR_ARG(start));
        f->status = 1;
        f->stop = true;
        return;
    }
    char c = s->p[0];
    if (c == '(') {
        if (bprintf_time_spec(f, s, &arg)) {
            bprintf_time(f, arg);
        } else {
            bprintf_write(f, "%", 1);
            *s = start;
        }
        return;
    }
    *s = str_from(*s, 1);
    switch (c) {
    case 's': bprintf_string(f, bprintf_next(f)); break;
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X': bprintf_number(f, c); break;
    case 'c':
        arg = bprintf_next(f);
        bprintf_field(f, str_of(arg.p, 1)); /* of an empty one the NUL behind it */
        break;
    case 'b': bprintf_escaped(f); break;
    case 'q': bprintf_quoted(f, false); break;
    case 'Q': bprintf_quoted(f, true); break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': bprintf_double(f, c); break;
    case 'n': bprintf_store(f); break;
    default:
        shell_builtin_error(f->sh, "`%c': invalid format character", c);
        f->status = 1;
        f->stop = true;
        break;
    }
}

/* An escape in the format; s begins behind the backslash. */
static void bprintf_escape(struct bprintf *f, struct str *s)
{
    char dst[8];
    size_t used;
    int n = escape_decode(*s, ESCAPE_FORMAT, dst, &used);
    if (n < 0) {
        bprintf_escape_error(f, n, s->n ? s->p[0] : '\0');
        dst[0] = '\\';
        n = 1;
    }
    bprintf_write(f, dst, (size_t)n);
    *s = str_from(*s, used);
}

static void bprintf_pass(struct bprintf *f, struct str s)
{
    while (s.n && !f->stop) {
        size_t i = 0;
        while (i < s.n && s.p[i] != '%' && s.p[i] != '\\')
            i++;
        if (i) {
            bprintf_write(f, s.p, i);
            s = str_from(s, i);
            continue;
        }
        char c = s.p[0];
        s = str_from(s, 1);
        if (c == '\\') {
            bprintf_escape(f, &s);
        } else if (s.n && s.p[0] == '%') {
            bprintf_write(f, "%", 1);
            s = str_from(s, 1);
        } else {
            bprintf_convert(f, &s);
            f->mute = false;
        }
    }
}

static int bprintf_run(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {.at = 1};
    struct str var = STR_NONE;
    struct bprintf f;
    int c;

    if (argc < 2)
        return builtin_usage(sh);
    if (argv[1].n && argv[1].p[0] == '-') {
        while ((c = builtin_getopt(sh, &g, argv, argc, "v:")) != -1) {
            if (c != 'v')
                return builtin_usage(sh);
            var = g.arg;
            if (!builtin_is_ref(var)) {
                shell_builtin_error(sh, "`%.*s': not a valid identifier", STR_ARG(var));
                return 2;
            }
        }
    }
    if (g.at >= argc)
        return builtin_usage(sh);
    f.sh = sh;
    f.argv = argv;
    f.argc = argc;
    f.at = g.at + 1;
    f.var = var.p != NULL;
    f.count = 0;
    f.whole = false;
    f.status = 0;
    f.stop = f.mute = false;
    out_init(&f.out, sh->proc, 1);
    f.out.line = false;
    buf_init(&f.text, sh->heap);
    for (;;) {
        int before = f.at;
        bprintf_pass(&f, argv[g.at]);
        if (f.stop || f.at >= argc || f.at == before || proc_tick(sh->proc, 1) < 0)
            break;
    }
    if (f.var) {
        struct str text = buf_get(&f.text);
        const char *nul = text.n ? memchr(text.p, '\0', text.n) : NULL;
        text.n = nul ? (size_t)(nul - text.p) : text.n;
        if (!sh->heap->oom && builtin_assign(sh, var, text, 2))
            f.status = 1;
        buf_fini(&f.text);
        return f.status;
    }
    return f.count ? builtin_close(sh, &f.out, f.status) : f.status;
}

const struct builtin builtin_printf = {
    .name = "printf",
    .run = bprintf_run,
    .usage = "printf [-v var] format [arguments]",
    .summary = "Print arguments by a format.\n"
               "\n"
               "Plain characters of FORMAT are copied, backslash escapes are replaced, and each\n"
               "conversion takes the next argument. The format is used again until no argument\n"
               "is left; where arguments are missing, an empty text or zero counts.\n"
               "\n"
               "Options:\n"
               "  -v var\tassign the output to VAR instead of printing it\n"
               "\n"
               "Besides the conversions of C there are:\n"
               "  %b\tthe argument with its backslash escapes replaced\n"
               "  %q\tthe argument quoted so that the shell reads it back\n"
               "  %Q\tthe same, with the precision applied before quoting\n"
               "  %(fmt)T\ta time, seconds since 1970, as strftime prints it; -1 is now, -2 the\n"
               "    \tstart of the shell\n"
               "\n"
               "Exit Status:\n"
               "Zero unless an option is wrong, an argument is no number, or writing or\n"
               "assigning fails.",
};

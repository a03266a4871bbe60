/* dateform.c -- dates as text: the strftime of GNU date and of the C library */
#include "text/date.h"

#include "base/fmt.h"
#include "base/utf8.h"

/* One conversion: %[flags][width][:...][EO]letter. */
struct dateform {
    struct buf *out;
    const struct date *d;
    int64_t t;
    bool gnu;
    char pad;      /* '-' '_' '0' '+', or 0 */
    char year_pad; /* the same for years, from the conversion that this one is part of */
    bool upper, swap;
    int width; /* -1 when absent */
    int colons;
    bool marked; /* there is something between % and the letter */
    char letter;
};

static void dateform_run(struct dateform *parent, struct str fmt);

/* Text, filled up on the left to the width. */
static void dateform_text(struct dateform *f, struct str s)
{
    /* The C library fills up in spite of the flag -. */
    size_t width = (f->gnu && f->pad == '-') || f->width < 0 ? 0 : (size_t)f->width;

    if (width > s.n)
        buf_fill(f->out, f->pad == '0' || f->pad == '+' ? '0' : ' ', width - s.n);
    for (size_t i = 0; i < s.n; i++)
        buf_putc(f->out, f->upper ? (char)ascii_to_upper(s.p[i]) : s.p[i]);
}

/* Digits with a sign, at least `digits` of them; `pad` is what the conversion fills with. */
static void dateform_signed(struct dateform *f, struct str s, char sign, int digits, char pad)
{
    if (f->pad)
        pad = f->pad;
    if (pad == '-' && !f->gnu && f->width > 0) {
        pad = '_';
        digits = 1;
    }
    int width = f->width < 0 ? digits : f->gnu ? f->width : MAX(f->width, digits);
    size_t taken = s.n + (sign != 0);
    size_t fill = pad != '-' && (size_t)width > taken ? (size_t)width - taken : 0;

    if (pad == '_')
        buf_fill(f->out, ' ', fill);
    if (sign)
        buf_putc(f->out, sign);
    if (pad != '_')
        buf_fill(f->out, '0', fill);
    buf_str(f->out, s);
}

static void dateform_number(struct dateform *f, int64_t v, int digits, char pad)
{
    char tmp[24];
    size_t n = fmt_uint(tmp, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);

    dateform_signed(f, str_of(tmp, n), v < 0 ? '-' : 0, digits, pad);
}

/* Years have a plus with the flag +, when they are longer than usual or the field is. */
static void dateform_year(struct dateform *f, int64_t v, int digits, int64_t most)
{
    char tmp[24];
    size_t n = fmt_uint(tmp, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
    char was = f->pad;

    if (!f->pad)
        f->pad = f->year_pad;
    bool plus = f->pad == '+' && v >= 0 && (v > most || f->width > digits);
    dateform_signed(f, str_of(tmp, n), v < 0 ? '-' : plus ? '+' : 0, digits, '0');
    f->pad = was;
}

/* The last two digits of a year. */
static int64_t dateform_short(const struct dateform *f, int64_t year)
{
    int64_t v = year % 100;
    return v >= 0 ? v : f->gnu ? -v : v + 100;
}

/* A conversion made of others, filled up as a whole. */
static void dateform_sub(struct dateform *f, const char *fmt)
{
    struct buf tmp;
    struct dateform sub = *f;

    buf_init(&tmp, f->out->heap);
    sub.out = &tmp;
    dateform_run(&sub, str_z(fmt));
    dateform_text(f, buf_get(&tmp));
    buf_fini(&tmp);
}

/* %F is %Y-%m-%d, where the width goes to the year. */
static void dateform_iso(struct dateform *f)
{
    struct dateform year = *f;

    if (!f->gnu) {
        dateform_sub(f, "%Y-%m-%d");
        return;
    }
    year.width = f->width < 0 ? -1 : MAX(f->width - 6, 0);
    if (!f->pad && f->width < 0)
        year.pad = '+';
    dateform_year(&year, f->d->year, 4, 9999);
    buf_printf(f->out, "-%02d-%02d", f->d->month, f->d->day);
}

static void dateform_nanos(struct dateform *f)
{
    char tmp[16];
    int width = f->width < 0 ? 9 : f->width, n = MIN(width, 9);

    fmt_print(tmp, sizeof tmp, "%09d", f->d->nanosecond);
    if (n == 0 && width == 0)
        n = 9;
    if ((f->pad == '-' && f->width > 0) || f->pad == '_') {
        /* Trailing zeros go, or become blanks. */
        int keep = n;
        while (keep > 1 && tmp[keep - 1] == '0')
            keep--;
        buf_add(f->out, tmp, (size_t)keep);
        if (f->pad == '_')
            buf_fill(f->out, ' ', (size_t)(MAX(width, n) - keep));
        return;
    }
    buf_add(f->out, tmp, (size_t)n);
    if (width > n)
        buf_fill(f->out, '0', (size_t)(width - n));
}

/* %z +0530, %:z +05:30, %::z +05:30:00, %:::z as short as it can be. */
static void dateform_offset(struct dateform *f)
{
    int32_t off = f->d->offset;
    unsigned v = (unsigned)(off < 0 ? -off : off), h = v / 3600, m = v / 60 % 60, s = v % 60;
    int colons = f->colons;
    char tmp[16];

    if (!f->gnu) {
        /* The sign and the digits are fields of their own there. */
        dateform_text(f, off < 0 ? STR("-") : STR("+"));
        dateform_number(f, h * 100 + m, 4, '0');
        return;
    }
    if (colons == 3)
        colons = s ? 2 : m ? 1 : -1;
    size_t n = colons == 0   ? fmt_print(tmp, sizeof tmp, "%u", h * 100 + m)
               : colons == 1 ? fmt_print(tmp, sizeof tmp, "%u:%02u", h, m)
               : colons == 2 ? fmt_print(tmp, sizeof tmp, "%u:%02u:%02u", h, m, s)
                             : fmt_print(tmp, sizeof tmp, "%u", h);
    static const char digits[] = {5, 6, 9};
    /* A name such as "-00" says that nobody knows the local time. */
    bool minus = off < 0 || (off == 0 && f->d->zone[0] == '-');
    dateform_signed(f, str_of(tmp, n), minus ? '-' : '+', colons < 0 ? 3 : digits[colons], '0');
}

static void dateform_zone(struct dateform *f)
{
    char tmp[16];
    size_t n = strlen(f->d->zone);

    for (size_t i = 0; i < n; i++)
        tmp[i] = f->swap ? (char)ascii_to_lower(f->d->zone[i]) : f->d->zone[i];
    if (f->swap)
        f->upper = false;
    dateform_text(f, str_of(tmp, n));
}

static void dateform_name(struct dateform *f, const char *name, size_t cut)
{
    f->upper |= f->swap;
    dateform_text(f, str_sub(str_z(name), 0, cut));
}

static void dateform_half(struct dateform *f)
{
    static const char *const names[] = {"AM", "PM", "am", "pm"};
    bool small = f->letter == 'P' || f->swap;

    if (small)
        f->upper = false;
    dateform_text(f, str_z(names[(f->d->hour >= 12) + 2 * small]));
}

/* Conversions that are numbers; false if it is none of them. */
static bool dateform_numeric(struct dateform *f)
{
    const struct date *d = f->d;
    int64_t iso_year;
    int iso_week = date_iso_week(d, &iso_year), hour12 = (d->hour + 11) % 12 + 1;

    switch (f->letter) {
    case 'C': {
        int64_t c = d->year / 100 - (d->year % 100 < 0);
        dateform_year(f, c, f->gnu ? 2 : 1, 99);
        break;
    }
    case 'd': dateform_number(f, d->day, 2, '0'); break;
    case 'e': dateform_number(f, d->day, 2, '_'); break;
    case 'g': dateform_year(f, dateform_short(f, iso_year), 2, 99); break;
    case 'G': dateform_year(f, iso_year, f->gnu ? 4 : 1, 9999); break;
    case 'H': dateform_number(f, d->hour, 2, '0'); break;
    case 'I': dateform_number(f, hour12, 2, '0'); break;
    case 'j': dateform_number(f, d->yearday + 1, 3, '0'); break;
    case 'k': dateform_number(f, d->hour, 2, '_'); break;
    case 'l': dateform_number(f, hour12, 2, '_'); break;
    case 'm': dateform_number(f, d->month, 2, '0'); break;
    case 'M': dateform_number(f, d->minute, 2, '0'); break;
    case 's': dateform_number(f, f->t, 1, f->gnu ? '0' : '_'); break;
    case 'S': dateform_number(f, d->second, 2, '0'); break;
    case 'u': dateform_number(f, (d->weekday + 6) % 7 + 1, 1, '0'); break;
    case 'U': dateform_number(f, (d->yearday - d->weekday + 7) / 7, 2, '0'); break;
    case 'V': dateform_number(f, iso_week, 2, '0'); break;
    case 'w': dateform_number(f, d->weekday, 1, '0'); break;
    case 'W': dateform_number(f, (d->yearday - (d->weekday + 6) % 7 + 7) / 7, 2, '0'); break;
    case 'y': dateform_year(f, dateform_short(f, d->year), 2, 99); break;
    case 'Y': dateform_year(f, d->year, f->gnu ? 4 : 1, 9999); break;
    default: return false;
    }
    return true;
}

/* The others; false if there is no such conversion. */
static bool dateform_textual(struct dateform *f)
{
    const struct date *d = f->d;

    switch (f->letter) {
    case '%':
        if (f->gnu && f->marked)
            return false;
        dateform_text(f, STR("%"));
        break;
    case 'a': dateform_name(f, date_day_names[d->weekday], 3); break;
    case 'A': dateform_name(f, date_day_names[d->weekday], SIZE_MAX); break;
    case 'b':
    case 'h': dateform_name(f, date_month_names[d->month - 1], 3); break;
    case 'B': dateform_name(f, date_month_names[d->month - 1], SIZE_MAX); break;
    case 'c': dateform_sub(f, "%a %b %e %H:%M:%S %Y"); break;
    case 'D': dateform_sub(f, "%m/%d/%y"); break;
    case 'x': dateform_sub(f, "%m/%d/%0y"); break;
    case 'F': dateform_iso(f); break;
    case 'n': dateform_text(f, STR("\n")); break;
    case 'p':
    case 'P': dateform_half(f); break;
    case 'r': dateform_sub(f, "%I:%M:%S %p"); break;
    case 'R': dateform_sub(f, "%H:%M"); break;
    case 't': dateform_text(f, STR("\t")); break;
    case 'T':
    case 'X': dateform_sub(f, "%H:%M:%S"); break;
    case 'z': dateform_offset(f); break;
    case 'Z': dateform_zone(f); break;
    default: return false;
    }
    return true;
}

static bool dateform_convert(struct dateform *f)
{
    if (f->colons && (f->letter != 'z' || !f->gnu || f->colons > 3))
        return false;
    if (f->gnu && f->letter == 'N') {
        dateform_nanos(f);
        return true;
    }
    if (f->gnu && f->letter == 'q') {
        dateform_number(f, (f->d->month - 1) / 3 + 1, 1, '0');
        return true;
    }
    return dateform_numeric(f) || dateform_textual(f);
}

static size_t dateform_flags(struct dateform *f, struct str fmt, size_t p)
{
    for (; p < fmt.n; p++) {
        char c = fmt.p[p];
        if (c == '_' || c == '-' || c == '0' || (c == '+' && f->gnu))
            f->pad = c;
        else if (c == '^')
            f->upper = true;
        else if (c == '#')
            f->swap = true;
        else
            break;
    }
    return p;
}

/* Formats into parent->out; the case flag ^ goes down from the parent, the others do not. */
static void dateform_run(struct dateform *parent, struct str fmt)
{
    for (size_t p = 0; p < fmt.n;) {
        size_t run = p;
        while (p < fmt.n && fmt.p[p] != '%')
            p++;
        buf_add(parent->out, fmt.p + run, p - run);
        if (p == fmt.n)
            break;
        size_t start = p++;
        struct dateform f = {.out = parent->out,
                             .d = parent->d,
                             .t = parent->t,
                             .gnu = parent->gnu,
                             .year_pad = parent->gnu ? parent->pad : 0,
                             .upper = parent->upper,
                             .width = -1};
        p = dateform_flags(&f, fmt, p);
        while (p < fmt.n && ascii_digit(fmt.p[p])) {
            f.width = MIN(MAX(f.width, 0) * 10 + (fmt.p[p] - '0'), INT_MAX / 16);
            p++;
        }
        while (p < fmt.n && fmt.p[p] == ':') {
            f.colons++;
            p++;
        }
        if (p < fmt.n && (fmt.p[p] == 'E' || fmt.p[p] == 'O'))
            p++;
        f.marked = p > start + 1;
        if (p < fmt.n)
            f.letter = fmt.p[p++];
        if (!dateform_convert(&f)) {
            p -= f.letter == '%'; /* it may start a conversion of its own */
            dateform_text(&f, str_of(fmt.p + start, p - start));
        }
    }
}

void date_format(struct buf *b, struct str fmt, const struct date *d, int64_t t, bool gnu)
{
    struct dateform f = {.out = b, .d = d, .t = t, .gnu = gnu, .width = -1};
    dateform_run(&f, fmt);
}

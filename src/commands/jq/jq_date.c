/* jq_date.c -- times: seconds since 1970, broken down, and as text */
#include <math.h>

#include "base/utf8.h"
#include "commands/jq/jq.h"
#include "commands/lib/getdate.h"

/* ---- broken-down times ----------------------------------------------------------------------- */

static struct jq_val jq_date_value(struct jq *j, const struct date *d, double second)
{
    struct jq_val a = jq_array(j, 8);
    jq_push(j, &a, jq_number((double)d->year));
    jq_push(j, &a, jq_number(d->month - 1));
    jq_push(j, &a, jq_number(d->day));
    jq_push(j, &a, jq_number(d->hour));
    jq_push(j, &a, jq_number(d->minute));
    jq_push(j, &a, jq_number(second));
    jq_push(j, &a, jq_number(d->weekday));
    jq_push(j, &a, jq_number(d->yearday));
    return a;
}

/* The fields of an array as they are, whether or not there is such a day. */
static bool jq_date_fields(struct jq_val a, struct date *d)
{
    double f[8];
    if (a.kind != JQ_ARRAY || a.arr->n < 6)
        return false;
    for (uint32_t i = 0; i < 8; i++) {
        if (i < a.arr->n && a.arr->v[i].kind != JQ_NUMBER)
            return false;
        f[i] = i < a.arr->n ? jq_double(a.arr->v[i]) : 0;
        if (!(fabs(f[i]) < 1e9))
            return false;
    }
    *d = (struct date){.year = (int64_t)f[0],
                       .month = (int)f[1] + 1,
                       .day = (int)f[2],
                       .hour = (int)f[3],
                       .minute = (int)f[4],
                       .second = (int)f[5],
                       .weekday = (int)f[6],
                       .yearday = (int)f[7]};
    return true;
}

static struct jq_val jq_date_break(struct jq *j, struct jq_val v, const struct date_zone *zone,
                                   const char *name)
{
    struct date d;
    double t;

    if (v.kind != JQ_NUMBER) {
        jq_drop(j, v);
        return jq_fail(j, "%s() requires numeric inputs", name);
    }
    t = jq_double(v);
    jq_drop(j, v);
    if (!(fabs(t) < 1e17) || date_from_epoch((int64_t)floor(t), 0, zone, &d) < 0)
        return jq_fail(j, "error converting number of seconds since epoch to datetime");
    return jq_date_value(j, &d, d.second + (t - floor(t)));
}

static struct jq_val jq_d_gmtime(struct jq *j, struct jq_val *in)
{
    return jq_date_break(j, in[0], &date_utc, "gmtime");
}

static struct jq_val jq_d_localtime(struct jq *j, struct jq_val *in)
{
    struct date_zone zone = getdate_zone(j->p);
    return jq_date_break(j, in[0], &zone, "localtime");
}

static struct jq_val jq_d_mktime(struct jq *j, struct jq_val *in)
{
    struct date d;
    int64_t t;
    bool array = in[0].kind == JQ_ARRAY, ok = jq_date_fields(in[0], &d);

    jq_drop(j, in[0]);
    if (!array)
        return jq_fail(j, "mktime requires array inputs");
    if (!ok)
        return jq_fail(j, "mktime requires parsed datetime inputs");
    if (date_to_epoch(&d, &date_utc, &t) < 0 || t == -1)
        return jq_fail(j, "invalid gmtime representation");
    return jq_number((double)t);
}

static struct jq_val jq_d_now(struct jq *j, struct jq_val *in)
{
    jq_drop(j, in[0]);
    return jq_number((double)(sched_now(&j->p->kernel->sched) / 1000) / 1e6);
}

/* ---- writing --------------------------------------------------------------------------------- */

static struct jq_val jq_date_write(struct jq *j, struct jq_val *in, bool local, const char *name)
{
    struct date_zone zone = local ? getdate_zone(j->p) : date_utc;
    struct date d;
    int64_t t = 0;
    struct buf b;

    if (in[0].kind == JQ_NUMBER)
        in[0] = jq_date_break(j, in[0], &zone, name);
    if (in[0].kind == JQ_NONE || in[1].kind != JQ_STRING || !jq_date_fields(in[0], &d)) {
        bool text = in[1].kind == JQ_STRING;
        jq_drop(j, in[0]);
        jq_drop(j, in[1]);
        return text ? jq_fail(j, "%s/1 requires parsed datetime inputs", name)
                    : jq_fail(j, "%s/1 requires a string format", name);
    }
    struct date known = d;
    date_to_epoch(&d, &zone, &t);
    if (date_from_epoch(t, 0, &zone, &known) == 0) { /* the name and the offset of the zone */
        d.offset = known.offset;
        d.summer = known.summer;
        memcpy(d.zone, known.zone, sizeof d.zone);
    }
    d.month = MIN(MAX(d.month, 1), 12);
    d.weekday = (d.weekday % 7 + 7) % 7;
    buf_init(&b, j->heap);
    date_format(&b, jq_text(in[1]), &d, t, false);
    jq_drop(j, in[0]);
    jq_drop(j, in[1]);
    return jq_string_buf(j, &b);
}

static struct jq_val jq_d_strftime(struct jq *j, struct jq_val *in)
{
    return jq_date_write(j, in, false, "strftime");
}
static struct jq_val jq_d_strflocaltime(struct jq *j, struct jq_val *in)
{
    return jq_date_write(j, in, true, "strflocaltime");
}

/* ---- reading --------------------------------------------------------------------------------- */

struct jq_strptime {
    const char *p, *end;
    struct date d;
    int pm; /* -1: not given */
    bool ok, have_yearday;
};

static int jq_scan_number(struct jq_strptime *s, int digits, int low, int high)
{
    int v = 0, n = 0;
    while (s->p < s->end && ascii_space((unsigned char)*s->p))
        s->p++;
    for (; s->p < s->end && n < digits && ascii_digit((unsigned char)*s->p); s->p++, n++)
        v = v * 10 + (*s->p - '0');
    if (n == 0 || v < low || v > high)
        s->ok = false;
    return v;
}

/* One of the names, or the first three letters of one; its number. */
static int jq_scan_name(struct jq_strptime *s, const char *const *names, int n)
{
    for (int i = 0; i < n; i++) {
        size_t full = strlen(names[i]);
        for (int pass = 0; pass < 2; pass++) {
            size_t len = pass ? 3 : full, k = 0;
            while (k < len && s->p + k < s->end &&
                   ascii_to_lower((unsigned char)s->p[k]) ==
                       ascii_to_lower((unsigned char)names[i][k]))
                k++;
            if (k == len) {
                s->p += len;
                return i;
            }
        }
    }
    s->ok = false;
    return 0;
}

static void jq_scan_zone(struct jq_strptime *s)
{
    while (s->p < s->end && ascii_space((unsigned char)*s->p))
        s->p++;
    if (s->p < s->end && *s->p == 'Z') {
        s->p++;
        return;
    }
    if (s->p == s->end || (*s->p != '+' && *s->p != '-')) {
        s->ok = false;
        return;
    }
    s->p++;
    int n = 0;
    for (; s->p < s->end && n < 4 && (ascii_digit((unsigned char)*s->p) || *s->p == ':'); s->p++)
        n += *s->p != ':';
    s->ok &= n == 2 || n == 4;
}

static void jq_scan(struct jq_strptime *s, const char *fmt, size_t n);

static void jq_scan_epoch(struct jq_strptime *s)
{
    int64_t t = 0;
    bool minus = s->p < s->end && *s->p == '-';
    const char *from = s->p += minus;
    for (; s->p < s->end && ascii_digit((unsigned char)*s->p) && s->p - from < 15; s->p++)
        t = t * 10 + (*s->p - '0');
    if (s->p == from || date_from_epoch(minus ? -t : t, 0, &date_utc, &s->d) < 0)
        s->ok = false;
}

static void jq_scan_conversion(struct jq_strptime *s, char c)
{
    static const struct {
        char c;
        const char *means;
    } shorts[] = {{'T', "%H:%M:%S"}, {'R', "%H:%M"},       {'D', "%m/%d/%y"},
                  {'F', "%Y-%m-%d"}, {'r', "%I:%M:%S %p"}, {'c', "%a %b %e %H:%M:%S %Y"},
                  {'x', "%m/%d/%y"}, {'X', "%H:%M:%S"},    {'h', "%b"}};
    for (size_t i = 0; i < COUNT(shorts); i++)
        if (shorts[i].c == c) {
            jq_scan(s, shorts[i].means, strlen(shorts[i].means));
            return;
        }
    switch (c) {
    case 'Y': s->d.year = jq_scan_number(s, 4, 0, 9999); break;
    case 'y':
        s->d.year = jq_scan_number(s, 2, 0, 99);
        s->d.year += s->d.year < 69 ? 2000 : 1900;
        break;
    case 'm': s->d.month = jq_scan_number(s, 2, 1, 12); break;
    case 'd':
    case 'e': s->d.day = jq_scan_number(s, 2, 1, 31); break;
    case 'H':
    case 'k': s->d.hour = jq_scan_number(s, 2, 0, 23); break;
    case 'I':
    case 'l': s->d.hour = jq_scan_number(s, 2, 1, 12) % 12; break;
    case 'M': s->d.minute = jq_scan_number(s, 2, 0, 59); break;
    case 'S': s->d.second = jq_scan_number(s, 2, 0, 61); break;
    case 'j':
        s->d.yearday = jq_scan_number(s, 3, 1, 366) - 1;
        s->have_yearday = true;
        break;
    case 'a':
    case 'A': s->d.weekday = jq_scan_name(s, date_day_names, 7); break;
    case 'u':
    case 'w': s->d.weekday = jq_scan_number(s, 1, 0, 7) % 7; break;
    case 'U':
    case 'W':
    case 'V': jq_scan_number(s, 2, 0, 53); break;
    case 'b':
    case 'B': s->d.month = jq_scan_name(s, date_month_names, 12) + 1; break;
    case 'p':
        s->ok = s->end - s->p >= 2 && ((s->p[0] | 32) == 'a' || (s->p[0] | 32) == 'p') &&
                (s->p[1] | 32) == 'm';
        if (s->ok) {
            s->pm = (s->p[0] | 32) == 'p';
            s->p += 2;
        }
        break;
    case 'z': jq_scan_zone(s); break;
    case 'Z':
        while (s->p < s->end && ascii_alpha((unsigned char)*s->p))
            s->p++;
        break;
    case 's': jq_scan_epoch(s); break;
    case 'n':
    case 't':
        while (s->p < s->end && ascii_space((unsigned char)*s->p))
            s->p++;
        break;
    case '%':
        s->ok = s->p < s->end && *s->p == '%';
        s->p += s->ok;
        break;
    default: s->ok = false; break;
    }
}

static void jq_scan(struct jq_strptime *s, const char *fmt, size_t n)
{
    for (size_t i = 0; i < n && s->ok; i++) {
        if (ascii_space((unsigned char)fmt[i])) {
            while (s->p < s->end && ascii_space((unsigned char)*s->p))
                s->p++;
        } else if (fmt[i] == '%' && i + 1 < n) {
            i++;
            if ((fmt[i] == 'E' || fmt[i] == 'O') && i + 1 < n)
                i++;
            jq_scan_conversion(s, fmt[i]);
        } else if (s->p < s->end && *s->p == fmt[i]) {
            s->p++;
        } else {
            s->ok = false;
        }
    }
}

static struct jq_val jq_d_strptime(struct jq *j, struct jq_val *in)
{
    if (in[0].kind != JQ_STRING || in[1].kind != JQ_STRING) {
        jq_drop(j, in[1]);
        jq_drop(j, in[0]);
        return jq_fail(j, "strptime/1 requires string inputs and arguments");
    }
    struct str text = jq_text(in[0]), fmt = jq_text(in[1]);
    struct jq_strptime s = {.p = text.p, .end = text.p + text.n, .pm = -1, .ok = true};
    s.d.year = 1900;
    s.d.month = 1;
    jq_scan(&s, fmt.p, fmt.n);
    if (!s.ok || s.p != s.end)
        jq_fail(j, "date \"%s\" does not match format \"%s\"", text.p, fmt.p);
    jq_drop(j, in[0]);
    jq_drop(j, in[1]);
    if (j->raised)
        return jq_none();
    if (s.pm == 1)
        s.d.hour += 12;
    int64_t days = date_days(s.d.year, s.d.month, s.d.day);
    if (s.have_yearday) { /* the day of the year says what month and day it is */
        struct date known;
        days = date_days(s.d.year, 1, 1) + s.d.yearday;
        if (date_from_epoch(days * 86400, 0, &date_utc, &known) == 0) {
            s.d.month = known.month;
            s.d.day = known.day;
        }
    }
    s.d.weekday = (int)(((days + 4) % 7 + 7) % 7);
    s.d.yearday = (int)(days - date_days(s.d.year, 1, 1));
    return jq_date_value(j, &s.d, s.d.second);
}

const struct jq_native jq_natives_date[] = {
    {"gmtime", 0, jq_d_gmtime},     {"localtime", 0, jq_d_localtime},
    {"mktime", 0, jq_d_mktime},     {"now", 0, jq_d_now},
    {"strftime", 1, jq_d_strftime}, {"strflocaltime", 1, jq_d_strflocaltime},
    {"strptime", 1, jq_d_strptime}, {NULL, 0, NULL},
};

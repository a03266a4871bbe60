/* date.c -- civil time: from and to seconds since 1970, time zones by rule */
#include "text/date.h"

#include "base/fmt.h"
#include "base/utf8.h"

const struct date_zone date_utc = {.name = {"UTC", ""}};

const char *const date_month_names[12] = {"January",   "February", "March",    "April",
                                          "May",       "June",     "July",     "August",
                                          "September", "October",  "November", "December"};
const char *const date_day_names[7] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                       "Thursday", "Friday", "Saturday"};

#define DATE_DAY 86400

/* Division and remainder that round down, whatever the sign. */
static int64_t date_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

static int64_t date_mod(int64_t a, int64_t b) { return a % b + (a % b < 0 ? b : 0); }

bool date_leap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int date_month_days(int64_t year, int month)
{
    static const char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && date_leap(year));
}

/*
 * Years are counted from March, so that the leap day is the last one: then months of 31, 30, 31,
 * 30, 31 days repeat every five months, which (153 * m + 2) / 5 adds up.
 */
int64_t date_days(int64_t year, int month, int day)
{
    year -= month <= 2;
    int64_t era = date_div(year, 400), of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void date_from_days(int64_t days, struct date *d)
{
    days += 719468;
    int64_t era = date_div(days, 146097), of_era = days - era * 146097;
    /* Take the leap days of the era away, and every year has 365. */
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153;

    d->day = (int)(of_year - (153 * month + 2) / 5 + 1);
    d->month = (int)(month < 10 ? month + 3 : month - 9);
    d->year = year + era * 400 + (d->month <= 2);
    d->yearday = (int)(days - 719468 - date_days(d->year, 1, 1));
}

int date_iso_week(const struct date *d, int64_t *year)
{
    /* The week belongs to the year that has its Thursday. */
    int thursday = d->yearday + 3 - (d->weekday + 6) % 7;
    int length = 365 + date_leap(d->year);

    *year = d->year;
    if (thursday < 0) {
        --*year;
        thursday += 365 + date_leap(*year);
    } else if (thursday >= length) {
        ++*year;
        thursday -= length;
    }
    return thursday / 7 + 1;
}

/* ---- zones ----------------------------------------------------------------------------------- */

static int date_number(struct str *s)
{
    int v = -1;
    while (s->n && ascii_digit(s->p[0])) {
        v = v < 0 ? s->p[0] - '0' : MIN(v * 10 + (s->p[0] - '0'), 100000);
        *s = str_from(*s, 1);
    }
    return v;
}

static bool date_skip(struct str *s, char c)
{
    if (s->n == 0 || s->p[0] != c)
        return false;
    *s = str_from(*s, 1);
    return true;
}

/* [+-]hh[:mm[:ss]] in seconds. */
static bool date_offset(struct str *s, int max_hour, int32_t *out)
{
    bool minus = date_skip(s, '-');
    if (!minus)
        date_skip(s, '+');
    int h = date_number(s), m = 0, sec = 0;
    if (h >= 0 && date_skip(s, ':')) {
        m = date_number(s);
        if (m >= 0 && date_skip(s, ':'))
            sec = date_number(s);
    }
    if (h < 0 || h > max_hour || m < 0 || m > 59 || sec < 0 || sec > 59)
        return false;
    *out = (h * 3600 + m * 60 + sec) * (minus ? -1 : 1);
    return true;
}

/* Three letters or more, or anything in angle brackets. */
static bool date_zone_name(struct str *s, char out[16])
{
    bool angle = date_skip(s, '<');
    size_t n = 0;

    while (n < s->n && (angle ? s->p[n] != '>' : ascii_alpha(s->p[n])))
        n++;
    if (n < 3 || n > 15 || (angle && n == s->n))
        return false;
    memcpy(out, s->p, n);
    out[n] = '\0';
    *s = str_from(*s, n + angle);
    return true;
}

static bool date_zone_rule(struct str *s, struct date_rule *r)
{
    *r = (struct date_rule){.kind = 'D', .time = 7200};
    if (!date_skip(s, ','))
        return false;
    if (date_skip(s, 'M')) {
        r->kind = 'M';
        r->month = date_number(s);
        r->week = date_skip(s, '.') ? date_number(s) : -1;
        r->day = date_skip(s, '.') ? date_number(s) : -1;
        if (r->month < 1 || r->month > 12 || r->week < 1 || r->week > 5 || r->day < 0 || r->day > 6)
            return false;
    } else {
        if (date_skip(s, 'J'))
            r->kind = 'J';
        r->day = date_number(s);
        if (r->day < (r->kind == 'J') || r->day > 365)
            return false;
    }
    int32_t time = 7200;
    if (date_skip(s, '/') && !date_offset(s, 167, &time))
        return false;
    r->time = time;
    return true;
}

static bool date_zone_read(struct str s, struct date_zone *z)
{
    if (!date_zone_name(&s, z->name[0]) || !date_offset(&s, 24, &z->offset[0]))
        return false;
    z->offset[0] = -z->offset[0];
    if (s.n == 0)
        return true;
    if (!date_zone_name(&s, z->name[1]))
        return false;
    z->offset[1] = z->offset[0] + 3600;
    if (s.n && s.p[0] != ',') {
        if (!date_offset(&s, 24, &z->offset[1]))
            return false;
        z->offset[1] = -z->offset[1];
    }
    z->summer = true;
    if (s.n == 0)
        s = STR(",M3.2.0,M11.1.0");
    return date_zone_rule(&s, &z->start) && date_zone_rule(&s, &z->end) && s.n == 0;
}

int date_zone_parse(struct str tz, struct date_zone *out)
{
    date_skip(&tz, ':');
    *out = date_utc;
    if (tz.n == 0 || str_eqz(tz, "UTC") || str_eqz(tz, "UTC0"))
        return 0;
    if (date_zone_read(tz, out))
        return 0;
    struct date_zone z = date_utc;
    if (date_zone_name(&tz, z.name[0]))
        *out = z;
    else
        *out = date_utc;
    return str_eqz(tz, "") && strcmp(out->name[0], "GMT") == 0 ? 0 : HOB_EINVAL;
}

struct date_zone date_zone_fixed(int32_t offset)
{
    struct date_zone z = date_utc;
    unsigned minutes = (unsigned)(offset < 0 ? -offset : offset) / 60;

    z.offset[0] = offset;
    if (offset)
        fmt_print(z.name[0], sizeof z.name[0], "%c%02u:%02u", offset < 0 ? '-' : '+', minutes / 60,
                  minutes % 60);
    return z;
}

/* The second of the year (from its first midnight, in local time) at which a rule strikes. */
static int64_t date_rule_time(const struct date_rule *r, int64_t year)
{
    int64_t day = r->day;

    if (r->kind == 'J') {
        day += (date_leap(year) && r->day >= 60) - 1;
    } else if (r->kind == 'M') {
        int64_t first = date_days(year, r->month, 1);
        int in_month = (int)date_mod(r->day - (first + 4), 7) + (r->week - 1) * 7;
        if (in_month >= date_month_days(year, r->month))
            in_month -= 7;
        day = first + in_month - date_days(year, 1, 1);
    }
    return day * DATE_DAY + r->time;
}

/* Whether summer time holds at t. */
static bool date_is_summer(const struct date_zone *z, int64_t t)
{
    struct date d;

    if (!z->summer)
        return false;
    date_from_days(date_div(t, DATE_DAY), &d);
    /* As in the C library, rules go back to 1970; what was before is before that year's changes. */
    int64_t first = d.year > 1970 ? date_days(d.year, 1, 1) * DATE_DAY : 0;
    int64_t start = first + date_rule_time(&z->start, d.year) - z->offset[0];
    int64_t end = first + date_rule_time(&z->end, d.year) - z->offset[1];
    return start < end ? t >= start && t < end : !(t >= end && t < start);
}

/* What holds at t. */
static void date_kind_at(const struct date_zone *z, int64_t t, struct date_kind *k)
{
    if (zones_past(z, t, k))
        return;
    k->summer = date_is_summer(z, t);
    k->offset = z->offset[k->summer];
    memcpy(k->name, z->name[k->summer], sizeof k->name);
}

int date_from_epoch(int64_t t, int ns, const struct date_zone *zone, struct date *d)
{
    const int64_t most = (int64_t)INT_MAX * 366 * DATE_DAY;
    struct date_kind k;

    *d = (struct date){.nanosecond = ns};
    if (t > most || t < -most)
        return HOB_EOVERFLOW;
    date_kind_at(zone, t, &k);
    d->summer = k.summer;
    d->offset = k.offset;
    memcpy(d->zone, k.name, sizeof d->zone);
    int64_t days = date_div(t + d->offset, DATE_DAY), rest = date_mod(t + d->offset, DATE_DAY);
    date_from_days(days, d);
    d->weekday = (int)date_mod(days + 4, 7);
    d->hour = (int)(rest / 3600);
    d->minute = (int)(rest / 60 % 60);
    d->second = (int)(rest % 60);
    /* As the C library counts years from 1900 in an int. */
    return d->year - 1900 > INT_MAX || d->year - 1900 < INT_MIN ? HOB_EOVERFLOW : 0;
}

/*
 * The second at which clocks show t, seconds as if in UTC. As the C library does it, which decides
 * about times that come twice: from UTC's second go on by how far the clocks then are from what is
 * wanted. A time that is skipped is found by going to and fro between two seconds; it is the one in
 * summer time, or, when somebody said what it is, the other one.
 */
static int64_t date_search(const struct date_zone *z, int64_t t, int summer, struct date_kind *k)
{
    int64_t at = t, before = t, earlier = t;
    bool summer_before = false;

    for (int i = 0; i < 8; i++) {
        date_kind_at(z, at, k);
        int64_t next = t - k->offset;
        bool wanted = summer < 0 ? summer_before <= k->summer : (summer != 0) != k->summer;
        if (next == at || (at == earlier && at != before && wanted))
            break;
        earlier = before;
        before = at;
        at = next;
        summer_before = k->summer;
    }
    return at;
}

int date_to_epoch_as(const struct date *d, const struct date_zone *zone, int summer, int64_t *out)
{
    const int64_t most = (int64_t)1 << 40, stride = 7 * DATE_DAY;
    int64_t months = (int64_t)d->month - 1;
    struct date_kind k, other;

    if (d->year > most || d->year < -most)
        return HOB_EOVERFLOW;
    int64_t year = d->year + date_div(months, 12);
    int64_t days = date_days(year, (int)date_mod(months, 12) + 1, 1) + d->day - 1;
    int64_t t = days * DATE_DAY + (int64_t)d->hour * 3600 + (int64_t)d->minute * 60 + d->second;
    *out = date_search(zone, t, summer, &k);
    if (summer < 0 || *out != t - k.offset || k.summer == (summer != 0))
        return 0;
    /* It is not as was said: the nearest time within some months when it was gives the offset. */
    for (int64_t far = stride; far < 40 * stride; far += stride) {
        for (int sign = -1; sign < 2; sign += 2) {
            date_kind_at(zone, *out + sign * far, &other);
            if (other.summer == (summer != 0)) {
                *out = t - other.offset;
                return 0;
            }
        }
    }
    return 0;
}

int date_to_epoch(const struct date *d, const struct date_zone *zone, int64_t *out)
{
    return date_to_epoch_as(d, zone, -1, out);
}

#undef DATE_DAY

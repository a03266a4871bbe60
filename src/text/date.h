/* date.h -- civil time: from and to seconds since 1970, time zones by rule, and strftime
 *
 * The calendar is the Gregorian one, extended in both directions; there are no leap seconds.
 */
#ifndef HOB_TEXT_DATE_H
#define HOB_TEXT_DATE_H

#include "base/str.h"

/* When summer time starts or ends: kind 'M' (month, week 1-5, day of the week), 'J' (day 1-365, no
 * leap day) or 'D' (day 0-365), at `time` seconds after midnight. */
struct date_rule {
    char kind;
    int month, week, day, time;
};

/* What holds in a zone for a while. Offsets are seconds east of Greenwich. */
struct date_kind {
    int32_t offset;
    bool summer;
    char name[16];
};

/* The history in a compiled file of the sandbox; its bytes are borrowed. */
struct zone_file {
    const unsigned char *times; /* NULL: there is none */
    uint32_t moves, kinds, letters;
};

/* A zone as a POSIX TZ string describes it, and what was before that, if it has a name. */
struct date_zone {
    char name[2][16]; /* standard and summer time */
    int32_t offset[2];
    bool summer; /* whether there is summer time */
    struct date_rule start, end;
    const struct zone_row *row; /* the history in our own table; NULL: none */
    struct zone_file file;
};

struct date {
    int64_t year;
    int month, day; /* 1-12, 1-31 */
    int hour, minute, second;
    int nanosecond;
    int weekday; /* 0 is Sunday */
    int yearday; /* 0 is the first of January */
    int32_t offset;
    bool summer;
    char zone[16];
};

extern const struct date_zone date_utc;

/* Parses "EST5EDT,M3.2.0,M11.1.0", "<+0530>-5:30", "UTC0", a leading colon allowed. What is not
 * understood is UTC under the letters it starts with, as in the C library, and gives HOB_EINVAL. */
int date_zone_parse(struct str tz, struct date_zone *out);
/* The same for what TZ may hold: a zone by its name, too ("Europe/Berlin"); nothing is UTC. */
int zones_find(struct str tz, struct date_zone *out);
/* A zone from the bytes of a compiled file, which must outlive it. HOB_EINVAL. */
int zones_read(struct str file, struct date_zone *out);
/* What held at t, by the zone's history; false: the rule decides. */
bool zones_past(const struct date_zone *z, int64_t t, struct date_kind *out);
/* A zone of a fixed offset, with a name like "+05:30" or "UTC". */
struct date_zone date_zone_fixed(int32_t offset);

/* Breaks t down; nanosecond becomes ns. HOB_EOVERFLOW if the year does not fit an int. */
int date_from_epoch(int64_t t, int ns, const struct date_zone *zone, struct date *out);
/* The second that the civil time (year to second) is in the zone. Values out of range carry over;
 * everything but these six is ignored. A time that summer time skips is taken as if in standard
 * time; of one that comes twice the C library's is meant. HOB_EOVERFLOW. */
int date_to_epoch(const struct date *d, const struct date_zone *zone, int64_t *out);
/* The same for one who says that it is (1) or is not (0) summer time; -1: nobody said. */
int date_to_epoch_as(const struct date *d, const struct date_zone *zone, int summer, int64_t *out);

int64_t date_days(int64_t year, int month, int day); /* days since 1970-01-01; month 1-12 */
bool date_leap(int64_t year);
int date_month_days(int64_t year, int month);
/* Year and number of the week as ISO 8601 counts. */
int date_iso_week(const struct date *d, int64_t *year);

/* Full English names, months from 0. */
extern const char *const date_month_names[12];
extern const char *const date_day_names[7];

/* Appends d by the format, in the C locale, with all conversions, flags and widths of GNU date; or
 * with gnu == false those of the C library, which lacks %N, %q and %:z. t is for %s. */
void date_format(struct buf *b, struct str fmt, const struct date *d, int64_t t, bool gnu);

#endif

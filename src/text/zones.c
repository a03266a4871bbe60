/* zones.c -- well-known time zones by name, as the rules that hold in them now
 *
 * A sandbox has no zone files. The names that scripts use most are here with their present rule,
 * so dates of this century come out right; older changes of a zone are not known.
 */
#include "text/date.h"

struct zones_row {
    const char *name, *rule;
};

#define ZONES_EU1 "CET-1CEST,M3.5.0,M10.5.0/3"
#define ZONES_EU2 "EET-2EEST,M3.5.0/3,M10.5.0/4"

static const struct zones_row zones_table[] = {
    {"Africa/Cairo", "EET-2EEST,M4.5.5/0,M10.5.4/24"},
    {"Africa/Johannesburg", "SAST-2"},
    {"Africa/Lagos", "WAT-1"},
    {"Africa/Nairobi", "EAT-3"},
    {"America/Anchorage", "AKST9AKDT,M3.2.0,M11.1.0"},
    {"America/Argentina/Buenos_Aires", "<-03>3"},
    {"America/Bogota", "<-05>5"},
    {"America/Chicago", "CST6CDT,M3.2.0,M11.1.0"},
    {"America/Denver", "MST7MDT,M3.2.0,M11.1.0"},
    {"America/Halifax", "AST4ADT,M3.2.0,M11.1.0"},
    {"America/Lima", "<-05>5"},
    {"America/Los_Angeles", "PST8PDT,M3.2.0,M11.1.0"},
    {"America/Mexico_City", "CST6"},
    {"America/New_York", "EST5EDT,M3.2.0,M11.1.0"},
    {"America/Phoenix", "MST7"},
    {"America/Santiago", "<-04>4<-03>,M9.1.6/24,M4.1.6/24"},
    {"America/Sao_Paulo", "<-03>3"},
    {"America/St_Johns", "NST3:30NDT,M3.2.0,M11.1.0"},
    {"America/Toronto", "EST5EDT,M3.2.0,M11.1.0"},
    {"America/Vancouver", "PST8PDT,M3.2.0,M11.1.0"},
    {"Asia/Bangkok", "<+07>-7"},
    {"Asia/Calcutta", "IST-5:30"},
    {"Asia/Dhaka", "<+06>-6"},
    {"Asia/Dubai", "<+04>-4"},
    {"Asia/Ho_Chi_Minh", "<+07>-7"},
    {"Asia/Hong_Kong", "HKT-8"},
    {"Asia/Jakarta", "WIB-7"},
    {"Asia/Jerusalem", "IST-2IDT,M3.4.4/26,M10.5.0"},
    {"Asia/Karachi", "PKT-5"},
    {"Asia/Kathmandu", "<+0545>-5:45"},
    {"Asia/Kolkata", "IST-5:30"},
    {"Asia/Manila", "PST-8"},
    {"Asia/Riyadh", "<+03>-3"},
    {"Asia/Seoul", "KST-9"},
    {"Asia/Shanghai", "CST-8"},
    {"Asia/Singapore", "<+08>-8"},
    {"Asia/Taipei", "CST-8"},
    {"Asia/Tehran", "<+0330>-3:30"},
    {"Asia/Tokyo", "JST-9"},
    {"Atlantic/Reykjavik", "GMT0"},
    {"Australia/Adelaide", "ACST-9:30ACDT,M10.1.0,M4.1.0/3"},
    {"Australia/Brisbane", "AEST-10"},
    {"Australia/Melbourne", "AEST-10AEDT,M10.1.0,M4.1.0/3"},
    {"Australia/Perth", "AWST-8"},
    {"Australia/Sydney", "AEST-10AEDT,M10.1.0,M4.1.0/3"},
    {"CET", ZONES_EU1},
    {"CST6CDT", "CST6CDT,M3.2.0,M11.1.0"},
    {"EET", ZONES_EU2},
    {"EST", "EST5"},
    {"EST5EDT", "EST5EDT,M3.2.0,M11.1.0"},
    {"Etc/GMT", "GMT0"},
    {"Etc/UTC", "UTC0"},
    {"Europe/Amsterdam", ZONES_EU1},
    {"Europe/Athens", ZONES_EU2},
    {"Europe/Berlin", ZONES_EU1},
    {"Europe/Brussels", ZONES_EU1},
    {"Europe/Bucharest", ZONES_EU2},
    {"Europe/Budapest", ZONES_EU1},
    {"Europe/Copenhagen", ZONES_EU1},
    {"Europe/Dublin", "GMT0IST,M3.5.0/1,M10.5.0"},
    {"Europe/Helsinki", ZONES_EU2},
    {"Europe/Istanbul", "<+03>-3"},
    {"Europe/Kiev", ZONES_EU2},
    {"Europe/Kyiv", ZONES_EU2},
    {"Europe/Lisbon", "WET0WEST,M3.5.0/1,M10.5.0"},
    {"Europe/London", "GMT0BST,M3.5.0/1,M10.5.0"},
    {"Europe/Madrid", ZONES_EU1},
    {"Europe/Moscow", "MSK-3"},
    {"Europe/Oslo", ZONES_EU1},
    {"Europe/Paris", ZONES_EU1},
    {"Europe/Prague", ZONES_EU1},
    {"Europe/Rome", ZONES_EU1},
    {"Europe/Stockholm", ZONES_EU1},
    {"Europe/Vienna", ZONES_EU1},
    {"Europe/Warsaw", ZONES_EU1},
    {"Europe/Zurich", ZONES_EU1},
    {"GMT", "GMT0"},
    {"HST", "HST10"},
    {"Japan", "JST-9"},
    {"MST", "MST7"},
    {"MST7MDT", "MST7MDT,M3.2.0,M11.1.0"},
    {"PST8PDT", "PST8PDT,M3.2.0,M11.1.0"},
    {"Pacific/Auckland", "NZST-12NZDT,M9.5.0,M4.1.0/3"},
    {"Pacific/Honolulu", "HST10"},
    {"US/Central", "CST6CDT,M3.2.0,M11.1.0"},
    {"US/Eastern", "EST5EDT,M3.2.0,M11.1.0"},
    {"US/Mountain", "MST7MDT,M3.2.0,M11.1.0"},
    {"US/Pacific", "PST8PDT,M3.2.0,M11.1.0"},
    {"UTC", "UTC0"},
    {"Zulu", "UTC0"},
};

int zones_find(struct str tz, struct date_zone *out)
{
    struct str name = tz.n && tz.p[0] == ':' ? str_from(tz, 1) : tz;
    for (size_t i = 0; i < COUNT(zones_table); i++) {
        if (str_eqz(name, zones_table[i].name))
            return date_zone_parse(str_z(zones_table[i].rule), out);
    }
    if (name.n == 0) {
        *out = date_utc;
        return 0;
    }
    return date_zone_parse(tz, out);
}

#undef ZONES_EU1
#undef ZONES_EU2

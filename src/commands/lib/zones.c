/* zones.c -- the time zone of a process */
#include "commands/lib/getdate.h"

int getdate_zone_named(struct str tz, struct date_zone *out) { return zones_find(tz, out); }

struct date_zone getdate_zone(struct proc *p)
{
    struct date_zone zone = date_utc;
    struct str tz;
    if (proc_getenv(p, STR("TZ"), &tz))
        getdate_zone_named(tz, &zone);
    return zone;
}

/* zones.c -- the time zone of a process */
#include "commands/lib/getdate.h"

#include "shell/zone.h"

int getdate_zone_named(struct str tz, struct date_zone *out) { return zones_find(tz, out); }

struct date_zone getdate_zone(struct proc *p) { return zone_of(p); }

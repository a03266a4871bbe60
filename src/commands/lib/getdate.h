/* getdate.h -- dates as people write them: "next friday", "2024-02-30 5 days ago", "@1700000000" */
#ifndef HOB_COMMANDS_LIB_GETDATE_H
#define HOB_COMMANDS_LIB_GETDATE_H

#include "shell/command.h"
#include "text/date.h"

/* The zone of the process: $TZ as a POSIX rule or the name of a well-known zone, else UTC. */
struct date_zone getdate_zone(struct proc *p);
/* The same for a given value of TZ. HOB_EINVAL when nobody knows it (then it is UTC). */
int getdate_zone_named(struct str tz, struct date_zone *out);

/* What GNU's date -d understands, seen from `now` (nanoseconds) in the zone. HOB_EINVAL. */
int getdate_parse(struct str text, int64_t now, const struct date_zone *zone, int64_t *out);
/* The same, and each part that was understood, each step and each error is told on standard error
 * as by date --debug; utc: the zone was given by -u. */
int getdate_parse_telling(struct proc *p, bool utc, struct str text, int64_t now,
                          const struct date_zone *zone, int64_t *out);
/* [[CC]YY]MMDDhhmm[.ss] of touch -t. */
int getdate_stamp(struct str text, int64_t now, const struct date_zone *zone, int64_t *out);

#endif

/* zone.h -- the time zone of a process */
#ifndef HOB_SHELL_ZONE_H
#define HOB_SHELL_ZONE_H

#include "text/date.h"
#include "vfs/vfs.h"

/* What TZ means: a compiled file of the sandbox (below $TZDIR or /usr/share/zoneinfo, or by its
 * path), a zone of our own table, a POSIX rule. tz.p == NULL: it is not set, and /etc/localtime or
 * UTC holds. The bytes of a file go to `bytes`, which must outlive the zone. */
void zone_find(struct proc *p, struct str tz, struct buf *bytes, struct date_zone *out);

/* The zone of a command, by its environment. It is looked up once and kept in p->zone, which goes
 * when the command ends. */
struct date_zone zone_of(struct proc *p);
void zone_drop(struct proc *p);

#endif

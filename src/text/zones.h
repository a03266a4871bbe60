/* zones.h -- the form of zonedata.c, for zones.c */
#ifndef HOB_TEXT_ZONES_H
#define HOB_TEXT_ZONES_H

#include "text/date.h"

/* One history and one rule, which several names may share. */
struct zone_row {
    const char *rule;  /* for what comes after the last move: a POSIX TZ string */
    const char *kinds; /* two letters each, the lower six bits first: places in zonedata_kinds */
    const char *moves; /* distances and kinds, see zones_moved */
};

struct zone_name {
    const char *name;
    uint16_t row;
};

extern const struct date_kind zonedata_kinds[];
extern const struct zone_row zonedata_rows[];
extern const struct zone_name zonedata_names[]; /* sorted by bytes */
extern const size_t zonedata_count;

#endif

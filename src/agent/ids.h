/* ids.h -- names for runs, operations, tasks and entries */
#ifndef HOB_AGENT_IDS_H
#define HOB_AGENT_IDS_H

#include "base/random.h"

struct ids {
    struct random random;
    uint64_t last_ms, low; /* of the last one: ids of one millisecond still sort by age */
};

void ids_init(struct ids *g, uint64_t seed);
/* prefix + 26 characters that sort by time (48 bits of milliseconds, 80 that are random). dst has
 * room for 32 bytes, the prefix for at most 5. */
void ids_make(struct ids *g, const char *prefix, int64_t time_ms, char dst[32]);
/* The id of the n-th entry of a session: 8 hexadecimal digits, different for every n. */
void ids_entry(uint64_t n, char dst[9]);

#endif

/* ids.c -- names for runs, operations, tasks and entries */
#include "agent/ids.h"

void ids_init(struct ids *g, uint64_t seed)
{
    *g = (struct ids){0};
    random_seed(&g->random, seed);
}

void ids_make(struct ids *g, const char *prefix, int64_t time_ms, char dst[32])
{
    static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    uint64_t ms = (uint64_t)MAX(time_ms, 0), high;
    if (ms <= g->last_ms) { /* the same millisecond, or a clock that was set back */
        ms = g->last_ms;
        g->low++;
    } else {
        g->last_ms = ms;
        g->low = random_next(&g->random) >> 1;
    }
    high = random_next(&g->random) & 0x7fff;
    size_t n = MIN(strlen(prefix), (size_t)5);
    memcpy(dst, prefix, n);
    for (int i = 9; i >= 0; i--, ms >>= 5)
        dst[n + (size_t)i] = digits[ms & 31];
    /* 16 digits: the counter in front, so that order holds, then what is random. */
    uint64_t low = g->low;
    for (int i = 12; i >= 0; i--, low >>= 5)
        dst[n + 10 + (size_t)i] = digits[low & 31];
    for (int i = 15; i >= 13; i--, high >>= 5)
        dst[n + 10 + (size_t)i] = digits[high & 31];
    dst[n + 26] = '\0';
}

/* A mixing of 32 bits that loses none, so no two numbers meet. */
void ids_entry(uint64_t n, char dst[9])
{
    static const char digits[] = "0123456789abcdef";
    uint32_t x = (uint32_t)n + 0x9e3779b9u;
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    x ^= x >> 16;
    for (int i = 7; i >= 0; i--, x >>= 4)
        dst[i] = digits[x & 15];
    dst[8] = '\0';
}

/* random.h -- a small generator that repeats from its seed (xoshiro256**) */
#ifndef HOB_BASE_RANDOM_H
#define HOB_BASE_RANDOM_H

#include "base/types.h"

struct random {
    uint64_t s[4];
};

void random_seed(struct random *r, uint64_t seed);
uint64_t random_next(struct random *r);
uint64_t random_below(struct random *r, uint64_t n); /* 0 .. n-1 without bias; n > 0 */
void random_bytes(struct random *r, void *dst, size_t n);

#endif

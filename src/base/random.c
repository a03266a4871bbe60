/* random.c -- a small generator that repeats from its seed (xoshiro256**) */
#include "base/random.h"

static uint64_t random_rotate(uint64_t x, int k) { return x << k | x >> (64 - k); }

void random_seed(struct random *r, uint64_t seed)
{
    /* splitmix64 spreads the seed, so that near seeds give far states and none is all zero. */
    for (int i = 0; i < 4; i++) {
        seed += 0x9E3779B97F4A7C15u;
        uint64_t z = seed;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        r->s[i] = z ^ z >> 31;
    }
}

uint64_t random_next(struct random *r)
{
    uint64_t *s = r->s, out = random_rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = random_rotate(s[3], 45);
    return out;
}

uint64_t random_below(struct random *r, uint64_t n)
{
    /* What lies above the last whole multiple of n is thrown away. */
    uint64_t over = (UINT64_MAX % n + 1) % n, v;
    do
        v = random_next(r);
    while (v > UINT64_MAX - over);
    return v % n;
}

void random_bytes(struct random *r, void *dst, size_t n)
{
    unsigned char *p = dst;
    while (n > 0) {
        uint64_t v = random_next(r);
        /* Byte by byte, low first: the same on every machine. */
        for (int i = 0; i < 8 && n > 0; i++, n--, v >>= 8)
            *p++ = (unsigned char)v;
    }
}

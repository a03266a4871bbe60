/* hash.h -- MD5, SHA-1, SHA-2, BLAKE2b and SM3, fed piece by piece */
#ifndef HOB_TEXT_HASH_H
#define HOB_TEXT_HASH_H

#include "base/types.h"

enum hash_kind {
    HASH_MD5,
    HASH_SHA1,
    HASH_SHA224,
    HASH_SHA256,
    HASH_SHA384,
    HASH_SHA512,
    HASH_BLAKE2B,
    HASH_SM3
};
enum {
    HASH_MAX = 64 /* bytes of the longest result */
};

struct hash {
    enum hash_kind kind;
    uint64_t state[8]; /* 32-bit words for all but SHA-384 and SHA-512 */
    uint64_t length;   /* bytes so far */
    unsigned char block[128];
    size_t used;
    size_t size;   /* bytes of the result */
    uint64_t done; /* bytes in the blocks that were worked on: BLAKE2b mixes them in */
};

void hash_init(struct hash *h, enum hash_kind kind);
/* BLAKE2b with a result of 1 to 64 bytes: another sum, not just a shorter one. */
void hash_init_blake2b(struct hash *h, size_t size);
void hash_add(struct hash *h, const void *p, size_t n);
/* The result, big-endian as it is printed; its length. */
size_t hash_end(struct hash *h, unsigned char out[HASH_MAX]);
size_t hash_size(enum hash_kind kind);

#endif

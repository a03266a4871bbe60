/* hash.c -- MD5, SHA-1, SHA-2, BLAKE2b and SM3, fed piece by piece
 *
 * As RFC 1321, FIPS 180-4, RFC 7693 and GB/T 32905 describe them. The constants are what those
 * texts define: sines for MD5, roots of primes for SHA-2. On x86-64 SHA-256 uses the instructions
 * of the processor where it has them.
 */
#include "text/hash.h"

static const uint32_t hash_md5_k[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static const uint32_t hash_k256[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static const uint64_t hash_k512[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

static const uint64_t hash_start[][8] = {
    [HASH_MD5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476},
    [HASH_SHA1] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0},
    [HASH_SHA224] = {0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511,
                     0x64f98fa7, 0xbefa4fa4},
    [HASH_SHA256] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                     0x1f83d9ab, 0x5be0cd19},
    [HASH_SHA384] = {0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
                     0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7,
                     0x47b5481dbefa4fa4},
    [HASH_SHA512] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                     0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b,
                     0x5be0cd19137e2179},
    [HASH_BLAKE2B] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                      0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                      0x1f83d9abfb41bd6b, 0x5be0cd19137e2179},
    [HASH_SM3] = {0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa,
                  0xe38dee4d, 0xb0fb0e4e},
};

static inline uint32_t hash_rol(uint32_t x, int n) { return x << n | x >> (32 - n); }
static inline uint32_t hash_ror(uint32_t x, int n) { return x >> n | x << (32 - n); }
static inline uint64_t hash_ror64(uint64_t x, int n) { return x >> n | x << (64 - n); }

static inline uint32_t hash_be32(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint32_t hash_le32(const unsigned char *p)
{
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static inline uint64_t hash_be64(const unsigned char *p)
{
    return (uint64_t)hash_be32(p) << 32 | hash_be32(p + 4);
}

/* ---- MD5 ------------------------------------------------------------------------------------ */

#define HASH_MD5_STEP(f, a, b, c, d, k, i, s)                                                      \
    (a) = (b) + hash_rol((a) + (f) + w[k] + hash_md5_k[i], s)
#define HASH_F(b, c, d) ((d) ^ ((b) & ((c) ^ (d))))
#define HASH_G(b, c, d) ((c) ^ ((d) & ((b) ^ (c))))
#define HASH_H(b, c, d) ((b) ^ (c) ^ (d))
#define HASH_I(b, c, d) ((c) ^ ((b) | ~(d)))
#define HASH_MD5_FOUR(F, k0, k1, k2, k3, i, s0, s1, s2, s3)                                        \
    HASH_MD5_STEP(F(b, c, d), a, b, c, d, k0, i, s0);                                              \
    HASH_MD5_STEP(F(a, b, c), d, a, b, c, k1, (i) + 1, s1);                                        \
    HASH_MD5_STEP(F(d, a, b), c, d, a, b, k2, (i) + 2, s2);                                        \
    HASH_MD5_STEP(F(c, d, a), b, c, d, a, k3, (i) + 3, s3)

static void hash_md5(uint64_t *s, const unsigned char *p, size_t blocks)
{
    uint32_t a0 = (uint32_t)s[0], b0 = (uint32_t)s[1], c0 = (uint32_t)s[2], d0 = (uint32_t)s[3];
    for (; blocks; blocks--, p += 64) {
        uint32_t w[16], a = a0, b = b0, c = c0, d = d0;
        for (int i = 0; i < 16; i++)
            w[i] = hash_le32(p + 4 * i);
        HASH_MD5_FOUR(HASH_F, 0, 1, 2, 3, 0, 7, 12, 17, 22);
        HASH_MD5_FOUR(HASH_F, 4, 5, 6, 7, 4, 7, 12, 17, 22);
        HASH_MD5_FOUR(HASH_F, 8, 9, 10, 11, 8, 7, 12, 17, 22);
        HASH_MD5_FOUR(HASH_F, 12, 13, 14, 15, 12, 7, 12, 17, 22);
        HASH_MD5_FOUR(HASH_G, 1, 6, 11, 0, 16, 5, 9, 14, 20);
        HASH_MD5_FOUR(HASH_G, 5, 10, 15, 4, 20, 5, 9, 14, 20);
        HASH_MD5_FOUR(HASH_G, 9, 14, 3, 8, 24, 5, 9, 14, 20);
        HASH_MD5_FOUR(HASH_G, 13, 2, 7, 12, 28, 5, 9, 14, 20);
        HASH_MD5_FOUR(HASH_H, 5, 8, 11, 14, 32, 4, 11, 16, 23);
        HASH_MD5_FOUR(HASH_H, 1, 4, 7, 10, 36, 4, 11, 16, 23);
        HASH_MD5_FOUR(HASH_H, 13, 0, 3, 6, 40, 4, 11, 16, 23);
        HASH_MD5_FOUR(HASH_H, 9, 12, 15, 2, 44, 4, 11, 16, 23);
        HASH_MD5_FOUR(HASH_I, 0, 7, 14, 5, 48, 6, 10, 15, 21);
        HASH_MD5_FOUR(HASH_I, 12, 3, 10, 1, 52, 6, 10, 15, 21);
        HASH_MD5_FOUR(HASH_I, 8, 15, 6, 13, 56, 6, 10, 15, 21);
        HASH_MD5_FOUR(HASH_I, 4, 11, 2, 9, 60, 6, 10, 15, 21);
        a0 += a;
        b0 += b;
        c0 += c;
        d0 += d;
    }
    s[0] = a0;
    s[1] = b0;
    s[2] = c0;
    s[3] = d0;
}

#undef HASH_MD5_STEP
#undef HASH_MD5_FOUR
#undef HASH_F
#undef HASH_G
#undef HASH_H
#undef HASH_I

/* ---- SHA-1 ---------------------------------------------------------------------------------- */

#define HASH_SHA1_STEP(f, k, x, a, b, c, d, e)                                                     \
    (e) += hash_rol(a, 5) + (f) + (k) + (x);                                                       \
    (b) = hash_rol(b, 30)
/* The schedule needs the last sixteen words only. */
#define HASH_SHA1_W(i)                                                                             \
    (w[(i)&15] =                                                                                   \
         hash_rol(w[((i) + 13) & 15] ^ w[((i) + 8) & 15] ^ w[((i) + 2) & 15] ^ w[(i)&15], 1))
#define HASH_SHA1_FIVE(F, k, W, i)                                                                 \
    HASH_SHA1_STEP(F(b, c, d), k, W(i), a, b, c, d, e);                                            \
    HASH_SHA1_STEP(F(a, b, c), k, W((i) + 1), e, a, b, c, d);                                      \
    HASH_SHA1_STEP(F(e, a, b), k, W((i) + 2), d, e, a, b, c);                                      \
    HASH_SHA1_STEP(F(d, e, a), k, W((i) + 3), c, d, e, a, b);                                      \
    HASH_SHA1_STEP(F(c, d, e), k, W((i) + 4), b, c, d, e, a)
#define HASH_SHA1_RAW(i) w[i]
#define HASH_CH(b, c, d) ((d) ^ ((b) & ((c) ^ (d))))
#define HASH_PARITY(b, c, d) ((b) ^ (c) ^ (d))
#define HASH_MAJ(b, c, d) (((b) & (c)) | ((d) & ((b) | (c))))

static void hash_sha1(uint64_t *s, const unsigned char *p, size_t blocks)
{
    for (; blocks; blocks--, p += 64) {
        uint32_t w[16], a = (uint32_t)s[0], b = (uint32_t)s[1], c = (uint32_t)s[2];
        uint32_t d = (uint32_t)s[3], e = (uint32_t)s[4];
        for (int i = 0; i < 16; i++)
            w[i] = hash_be32(p + 4 * i);
        HASH_SHA1_FIVE(HASH_CH, 0x5a827999, HASH_SHA1_RAW, 0);
        HASH_SHA1_FIVE(HASH_CH, 0x5a827999, HASH_SHA1_RAW, 5);
        HASH_SHA1_FIVE(HASH_CH, 0x5a827999, HASH_SHA1_RAW, 10);
        HASH_SHA1_STEP(HASH_CH(b, c, d), 0x5a827999, w[15], a, b, c, d, e);
        HASH_SHA1_STEP(HASH_CH(a, b, c), 0x5a827999, HASH_SHA1_W(16), e, a, b, c, d);
        HASH_SHA1_STEP(HASH_CH(e, a, b), 0x5a827999, HASH_SHA1_W(17), d, e, a, b, c);
        HASH_SHA1_STEP(HASH_CH(d, e, a), 0x5a827999, HASH_SHA1_W(18), c, d, e, a, b);
        HASH_SHA1_STEP(HASH_CH(c, d, e), 0x5a827999, HASH_SHA1_W(19), b, c, d, e, a);
        for (int i = 20; i < 40; i += 5) {
            HASH_SHA1_FIVE(HASH_PARITY, 0x6ed9eba1, HASH_SHA1_W, i);
        }
        for (int i = 40; i < 60; i += 5) {
            HASH_SHA1_FIVE(HASH_MAJ, 0x8f1bbcdc, HASH_SHA1_W, i);
        }
        for (int i = 60; i < 80; i += 5) {
            HASH_SHA1_FIVE(HASH_PARITY, 0xca62c1d6, HASH_SHA1_W, i);
        }
        s[0] = (uint32_t)(s[0] + a);
        s[1] = (uint32_t)(s[1] + b);
        s[2] = (uint32_t)(s[2] + c);
        s[3] = (uint32_t)(s[3] + d);
        s[4] = (uint32_t)(s[4] + e);
    }
}

#undef HASH_SHA1_STEP
#undef HASH_SHA1_W
#undef HASH_SHA1_FIVE
#undef HASH_SHA1_RAW
#undef HASH_CH
#undef HASH_PARITY
#undef HASH_MAJ

/* ---- SHA-2 ---------------------------------------------------------------------------------- */

static void hash_sha256_plain(uint64_t *s, const unsigned char *p, size_t blocks)
{
    for (; blocks; blocks--, p += 64) {
        uint32_t w[64], v[8];
        for (int i = 0; i < 8; i++)
            v[i] = (uint32_t)s[i];
        for (int i = 0; i < 16; i++)
            w[i] = hash_be32(p + 4 * i);
        for (int i = 16; i < 64; i++) {
            uint32_t x = w[i - 15], y = w[i - 2];
            w[i] = w[i - 16] + (hash_ror(x, 7) ^ hash_ror(x, 18) ^ x >> 3) + w[i - 7] +
                   (hash_ror(y, 17) ^ hash_ror(y, 19) ^ y >> 10);
        }
        for (int i = 0; i < 64; i++) {
            uint32_t e = v[4], a = v[0];
            uint32_t t1 = v[7] + (hash_ror(e, 6) ^ hash_ror(e, 11) ^ hash_ror(e, 25)) +
                          (v[6] ^ (e & (v[5] ^ v[6]))) + hash_k256[i] + w[i];
            uint32_t t2 = (hash_ror(a, 2) ^ hash_ror(a, 13) ^ hash_ror(a, 22)) +
                          ((a & v[1]) | (v[2] & (a | v[1])));
            v[7] = v[6];
            v[6] = v[5];
            v[5] = e;
            v[4] = v[3] + t1;
            v[3] = v[2];
            v[2] = v[1];
            v[1] = a;
            v[0] = t1 + t2;
        }
        for (int i = 0; i < 8; i++)
            s[i] = (uint32_t)(s[i] + v[i]);
    }
}

static void hash_sha512(uint64_t *s, const unsigned char *p, size_t blocks)
{
    for (; blocks; blocks--, p += 128) {
        uint64_t w[80], v[8];
        memcpy(v, s, sizeof v);
        for (int i = 0; i < 16; i++)
            w[i] = hash_be64(p + 8 * i);
        for (int i = 16; i < 80; i++) {
            uint64_t x = w[i - 15], y = w[i - 2];
            w[i] = w[i - 16] + (hash_ror64(x, 1) ^ hash_ror64(x, 8) ^ x >> 7) + w[i - 7] +
                   (hash_ror64(y, 19) ^ hash_ror64(y, 61) ^ y >> 6);
        }
        for (int i = 0; i < 80; i++) {
            uint64_t e = v[4], a = v[0];
            uint64_t t1 = v[7] + (hash_ror64(e, 14) ^ hash_ror64(e, 18) ^ hash_ror64(e, 41)) +
                          (v[6] ^ (e & (v[5] ^ v[6]))) + hash_k512[i] + w[i];
            uint64_t t2 = (hash_ror64(a, 28) ^ hash_ror64(a, 34) ^ hash_ror64(a, 39)) +
                          ((a & v[1]) | (v[2] & (a | v[1])));
            v[7] = v[6];
            v[6] = v[5];
            v[5] = e;
            v[4] = v[3] + t1;
            v[3] = v[2];
            v[2] = v[1];
            v[1] = a;
            v[0] = t1 + t2;
        }
        for (int i = 0; i < 8; i++)
            s[i] += v[i];
    }
}

#if defined(__x86_64__)
/* The same with the SHA instructions. Vectors of four 32-bit words through the compiler's own
 * types: no header of the system is needed. */
typedef int hash_v4 __attribute__((vector_size(16)));
typedef unsigned hash_u4 __attribute__((vector_size(16))); /* sums wrap */
typedef int hash_v4u __attribute__((vector_size(16), aligned(1)));

static inline hash_v4 hash_sum(hash_v4 a, hash_v4 b) { return (hash_v4)((hash_u4)a + (hash_u4)b); }

__attribute__((target("sha,sse4.1,ssse3"))) static void hash_sha256_ni(uint64_t *s,
                                                                       const unsigned char *p,
                                                                       size_t blocks)
{
    /* The instructions want the state as ABEF and CDGH, highest word first. */
    hash_v4 abef = {(int)s[5], (int)s[4], (int)s[1], (int)s[0]};
    hash_v4 cdgh = {(int)s[7], (int)s[6], (int)s[3], (int)s[2]};

    for (; blocks; blocks--, p += 64) {
        hash_v4 w[4], abef0 = abef, cdgh0 = cdgh;
        for (int i = 0; i < 4; i++) {
            hash_v4 raw = *(const hash_v4u *)(const void *)(p + 16 * i);
            for (int j = 0; j < 4; j++)
                w[i][j] = (int)__builtin_bswap32((uint32_t)raw[j]);
        }
        for (int i = 0; i < 16; i++) {
            const uint32_t *k = hash_k256 + 4 * i;
            hash_v4 x = hash_sum(w[i & 3], (hash_v4){(int)k[0], (int)k[1], (int)k[2], (int)k[3]});
            cdgh = __builtin_ia32_sha256rnds2(cdgh, abef, x);
            hash_v4 high = {x[2], x[3], 0, 0};
            abef = __builtin_ia32_sha256rnds2(abef, cdgh, high);
            if (i < 12) {
                hash_v4 a = w[i & 3], b = w[(i + 1) & 3], c = w[(i + 2) & 3], d = w[(i + 3) & 3];
                hash_v4 mid = {c[1], c[2], c[3], d[0]};
                a = hash_sum(__builtin_ia32_sha256msg1(a, b), mid);
                w[i & 3] = __builtin_ia32_sha256msg2(a, d);
            }
        }
        abef = hash_sum(abef, abef0);
        cdgh = hash_sum(cdgh, cdgh0);
    }
    const int out[8] = {abef[3], abef[2], cdgh[3], cdgh[2], abef[1], abef[0], cdgh[1], cdgh[0]};
    for (int i = 0; i < 8; i++)
        s[i] = (uint32_t)out[i];
}
#endif

static void hash_sha256(uint64_t *s, const unsigned char *p, size_t blocks)
{
#if defined(__x86_64__)
    /* CPUID leaf 7, EBX bit 29; __builtin_cpu_supports does not know it in older compilers. */
    unsigned a = 7, b, c = 0, d;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    if (b >> 29 & 1) {
        hash_sha256_ni(s, p, blocks);
        return;
    }
#endif
    hash_sha256_plain(s, p, blocks);
}

/* ---- BLAKE2b -------------------------------------------------------------------------------- */

static inline uint64_t hash_le64(const unsigned char *p)
{
    return (uint64_t)hash_le32(p + 4) << 32 | hash_le32(p);
}

static inline void hash_blake_mix(uint64_t *v, int a, int b, int c, int d, uint64_t x, uint64_t y)
{
    v[a] += v[b] + x;
    v[d] = hash_ror64(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = hash_ror64(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = hash_ror64(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = hash_ror64(v[b] ^ v[c], 63);
}

/* `done` bytes are counted with the first block; `last` tells the end of the message. */
static void hash_blake2b(uint64_t *s, const unsigned char *p, size_t blocks, uint64_t done,
                         bool last)
{
    static const unsigned char order[10][16] = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
        {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
        {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
        {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
        {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
        {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
        {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
        {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
        {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
        {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    };
    for (; blocks; blocks--, p += 128, done += 128) {
        uint64_t w[16], v[16];
        for (int i = 0; i < 16; i++)
            w[i] = hash_le64(p + 8 * i);
        memcpy(v, s, 8 * sizeof *v);
        memcpy(v + 8, hash_start[HASH_BLAKE2B], 8 * sizeof *v);
        v[12] ^= done;
        v[14] = last ? ~v[14] : v[14];
        for (int round = 0; round < 12; round++) {
            const unsigned char *o = order[round % 10];
            for (int i = 0; i < 4; i++)
                hash_blake_mix(v, i, i + 4, i + 8, i + 12, w[o[2 * i]], w[o[2 * i + 1]]);
            for (int i = 0; i < 4; i++)
                hash_blake_mix(v, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12,
                               w[o[2 * i + 8]], w[o[2 * i + 9]]);
        }
        for (int i = 0; i < 8; i++)
            s[i] ^= v[i] ^ v[i + 8];
    }
}

/* ---- SM3 ------------------------------------------------------------------------------------- */

static void hash_sm3(uint64_t *s, const unsigned char *p, size_t blocks)
{
    for (; blocks; blocks--, p += 64) {
        uint32_t w[68], v[8];
        for (int i = 0; i < 8; i++)
            v[i] = (uint32_t)s[i];
        for (int i = 0; i < 16; i++)
            w[i] = hash_be32(p + 4 * i);
        for (int i = 16; i < 68; i++) {
            uint32_t x = w[i - 16] ^ w[i - 9] ^ hash_rol(w[i - 3], 15);
            w[i] = x ^ hash_rol(x, 15) ^ hash_rol(x, 23) ^ hash_rol(w[i - 13], 7) ^ w[i - 6];
        }
        uint32_t t = 0x79cc4519;
        for (int i = 0; i < 64; i++) {
            bool early = i < 16;
            if (i == 16)
                t = hash_rol(0x7a879d8a, 16);
            uint32_t a = hash_rol(v[0], 12), x = hash_rol(a + v[4] + t, 7);
            uint32_t f = early ? v[0] ^ v[1] ^ v[2] : (v[0] & v[1]) | (v[2] & (v[0] | v[1]));
            uint32_t g = early ? v[4] ^ v[5] ^ v[6] : v[6] ^ (v[4] & (v[5] ^ v[6]));
            uint32_t t1 = f + v[3] + (x ^ a) + (w[i] ^ w[i + 4]), t2 = g + v[7] + x + w[i];
            v[3] = v[2];
            v[2] = hash_rol(v[1], 9);
            v[1] = v[0];
            v[0] = t1;
            v[7] = v[6];
            v[6] = hash_rol(v[5], 19);
            v[5] = v[4];
            v[4] = t2 ^ hash_rol(t2, 9) ^ hash_rol(t2, 17);
            t = hash_rol(t, 1);
        }
        for (int i = 0; i < 8; i++)
            s[i] ^= v[i];
    }
}

/* ---- all of them ---------------------------------------------------------------------------- */

static size_t hash_block(const struct hash *h)
{
    return h->kind >= HASH_SHA384 && h->kind != HASH_SM3 ? 128 : 64;
}

static void hash_blocks(struct hash *h, const unsigned char *p, size_t n)
{
    switch (h->kind) {
    case HASH_MD5: hash_md5(h->state, p, n); break;
    case HASH_SHA1: hash_sha1(h->state, p, n); break;
    case HASH_SHA224:
    case HASH_SHA256: hash_sha256(h->state, p, n); break;
    case HASH_BLAKE2B:
        hash_blake2b(h->state, p, n, h->done + 128, false);
        h->done += 128 * n;
        break;
    case HASH_SM3: hash_sm3(h->state, p, n); break;
    default: hash_sha512(h->state, p, n);
    }
}

void hash_init(struct hash *h, enum hash_kind kind)
{
    h->kind = kind;
    h->length = h->done = h->used = 0;
    h->size = hash_size(kind);
    memcpy(h->state, hash_start[kind], sizeof h->state);
    if (kind == HASH_BLAKE2B) /* the parameters: no key, a plain sequence, this length */
        h->state[0] ^= 0x01010000 ^ h->size;
}

void hash_init_blake2b(struct hash *h, size_t size)
{
    hash_init(h, HASH_BLAKE2B);
    h->state[0] ^= h->size ^ size;
    h->size = size;
}

void hash_add(struct hash *h, const void *data, size_t n)
{
    const unsigned char *p = data;
    size_t size = hash_block(h);

    h->length += n;
    /* The last block of BLAKE2b is told apart from the others, so there one is always kept. */
    size_t keep = h->kind == HASH_BLAKE2B;
    if (h->used) {
        size_t take = MIN(n, size - h->used);
        memcpy(h->block + h->used, p, take);
        h->used += take;
        p += take;
        n -= take;
        if (h->used < size || n < keep)
            return;
        hash_blocks(h, h->block, 1);
        h->used = 0;
    }
    size_t whole = n > keep ? (n - keep) / size : 0;
    if (whole)
        hash_blocks(h, p, whole);
    p += whole * size;
    n -= whole * size;
    if (n)
        memcpy(h->block, p, n);
    h->used = n;
}

size_t hash_size(enum hash_kind kind)
{
    static const unsigned char sizes[] = {16, 20, 28, 32, 48, 64, 64, 32};
    return sizes[kind];
}

size_t hash_end(struct hash *h, unsigned char out[HASH_MAX])
{
    size_t size = hash_block(h), tail = size / 8, n = h->size;

    if (h->kind == HASH_BLAKE2B) {
        memset(h->block + h->used, 0, size - h->used);
        hash_blake2b(h->state, h->block, 1, h->length, true);
        for (size_t i = 0; i < n; i++)
            out[i] = (unsigned char)(h->state[i / 8] >> 8 * (i % 8));
        return n;
    }
    uint64_t bits = h->length * 8;

    h->block[h->used++] = 0x80;
    if (h->used > size - tail) {
        memset(h->block + h->used, 0, size - h->used);
        hash_blocks(h, h->block, 1);
        h->used = 0;
    }
    memset(h->block + h->used, 0, size - h->used);
    for (int i = 0; i < 8; i++) {
        size_t at = h->kind == HASH_MD5 ? size - 8 + (size_t)i : size - 1 - (size_t)i;
        h->block[at] = (unsigned char)(bits >> 8 * i);
    }
    hash_blocks(h, h->block, 1);
    for (size_t i = 0; i < n; i++) {
        if (h->kind == HASH_MD5)
            out[i] = (unsigned char)(h->state[i / 4] >> 8 * (i % 4));
        else if (h->kind == HASH_SHA384 || h->kind == HASH_SHA512)
            out[i] = (unsigned char)(h->state[i / 8] >> (56 - 8 * (i % 8)));
        else
            out[i] = (unsigned char)(h->state[i / 4] >> (24 - 8 * (i % 4)));
    }
    return n;
}

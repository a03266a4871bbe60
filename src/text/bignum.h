/* bignum.h -- whole numbers of any size, in limbs of nine decimal digits
 *
 * Decimal limbs make reading, printing and shifting by digits linear, which is what expr, bc, dc
 * and numfmt mostly do. All calculations go through a `struct bignum_calc`, whose error is sticky:
 * after one, results are zero and only the end needs a check. A result may be one of the operands.
 */
#ifndef HOB_TEXT_BIGNUM_H
#define HOB_TEXT_BIGNUM_H

#include "base/str.h"

enum {
    BIGNUM_BASE = 1000000000,
    BIGNUM_DIGITS = 9
};

struct bignum { /* all zero is the number 0 */
    uint32_t *d;
    size_t n, cap; /* limbs, the lowest first; none for 0 */
    bool neg;
};

struct bignum_calc {
    struct heap *heap;
    int (*tick)(void *ud, int64_t steps); /* may be NULL; a negative result ends the calculation */
    void *ud;
    int err; /* the first error: HOB_ENOMEM, or the result of the tick */
};

void bignum_free(struct bignum_calc *c, struct bignum *a); /* it is 0 then */
void bignum_copy(struct bignum_calc *c, struct bignum *r, const struct bignum *a);
void bignum_swap(struct bignum *a, struct bignum *b);
void bignum_set(struct bignum_calc *c, struct bignum *r, uint64_t v);
/* Digits with a sign in front or not. False when it is something else. */
bool bignum_parse(struct bignum_calc *c, struct bignum *r, struct str s);
void bignum_print(struct buf *b, const struct bignum *a);
bool bignum_uint(const struct bignum *a, uint64_t *out); /* false: negative or too big */
size_t bignum_digits(const struct bignum *a);            /* decimal digits; 0 has none */

static inline bool bignum_zero(const struct bignum *a) { return a->n == 0; }
int bignum_cmp_abs(const struct bignum *a, const struct bignum *b);
int bignum_cmp(const struct bignum *a, const struct bignum *b);
void bignum_add(struct bignum_calc *c, struct bignum *r, const struct bignum *a,
                const struct bignum *b);
void bignum_sub(struct bignum_calc *c, struct bignum *r, const struct bignum *a,
                const struct bignum *b);
void bignum_mul(struct bignum_calc *c, struct bignum *r, const struct bignum *a,
                const struct bignum *b);
/* Cut towards zero; the remainder has the sign of a. q or r may be NULL; b must not be 0. */
void bignum_div(struct bignum_calc *c, struct bignum *q, struct bignum *r, const struct bignum *a,
                const struct bignum *b);
/* By a small number: r = a * m + add; the remainder of |a| / m. */
void bignum_mul_small(struct bignum_calc *c, struct bignum *r, const struct bignum *a, uint32_t m,
                      uint32_t add);
uint32_t bignum_div_small(struct bignum_calc *c, struct bignum *r, const struct bignum *a,
                          uint32_t m);
/* a * 10^k, or for a negative k cut off behind. */
void bignum_shift(struct bignum_calc *c, struct bignum *r, const struct bignum *a, int64_t k);
void bignum_pow(struct bignum_calc *c, struct bignum *r, const struct bignum *a, uint64_t e);

#endif

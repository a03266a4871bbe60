/* decimal.h -- decimal numbers with as many digits behind the point as asked for: bc and dc
 *
 * A number is m / 10^scale. It never changes once made, and is shared by counting references. The
 * functions take NULL for "out of memory" and give NULL then; calc->err says why.
 */
#ifndef HOB_TEXT_DECIMAL_H
#define HOB_TEXT_DECIMAL_H

#include "text/bignum.h"

struct decimal {
    unsigned refs;
    size_t scale; /* digits behind the point */
    struct bignum m;
};

struct decimal *decimal_ref(struct decimal *a);
void decimal_unref(struct bignum_calc *c, struct decimal *a);
struct decimal *decimal_int(struct bignum_calc *c, int64_t v);
/* Digits of a base from 2 to 36, with a point or not, letters from A = 10 on. A single digit counts
 * what it is worth in any base, other ones no more than base - 1. */
struct decimal *decimal_parse(struct bignum_calc *c, struct str s, unsigned base);

bool decimal_zero(const struct decimal *a);
bool decimal_neg(const struct decimal *a);
size_t decimal_length(const struct decimal *a); /* digits, as bc's length() counts */
/* The whole part; clipped at the limits of the type. */
int64_t decimal_long(const struct decimal *a);
int decimal_cmp(struct bignum_calc *c, struct decimal *a, struct decimal *b);

struct decimal *decimal_negate(struct bignum_calc *c, struct decimal *a);
struct decimal *decimal_add(struct bignum_calc *c, struct decimal *a, struct decimal *b);
struct decimal *decimal_sub(struct bignum_calc *c, struct decimal *a, struct decimal *b);
/* `scale` is bc's variable. */
struct decimal *decimal_mul(struct bignum_calc *c, struct decimal *a, struct decimal *b,
                            size_t scale);
/* b is not 0. */
struct decimal *decimal_div(struct bignum_calc *c, struct decimal *a, struct decimal *b,
                            size_t scale);
struct decimal *decimal_mod(struct bignum_calc *c, struct decimal *a, struct decimal *b,
                            size_t scale);
struct decimal *decimal_pow(struct bignum_calc *c, struct decimal *a, int64_t e, size_t scale);
struct decimal *decimal_sqrt(struct bignum_calc *c, struct decimal *a, size_t scale); /* a >= 0 */
/* With exactly `scale` digits behind the point, cut off or filled up. */
struct decimal *decimal_rescale(struct bignum_calc *c, struct decimal *a, size_t scale);

/* As bc prints it; no line breaks. */
void decimal_print(struct bignum_calc *c, struct buf *b, struct decimal *a, unsigned base);

#endif

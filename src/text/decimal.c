/* decimal.c -- decimal numbers with as many digits behind the point as asked for: bc and dc */
#include "text/decimal.h"

#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"

static struct decimal *decimal_new(struct bignum_calc *c, size_t scale)
{
    struct decimal *a = c->err ? NULL : heap_new(c->heap, struct decimal);
    if (!a) {
        c->err = c->err ? c->err : HOB_ENOMEM;
        return NULL;
    }
    a->refs = 1;
    a->scale = scale;
    return a;
}

struct decimal *decimal_ref(struct decimal *a)
{
    if (a)
        a->refs++;
    return a;
}

void decimal_unref(struct bignum_calc *c, struct decimal *a)
{
    if (!a || --a->refs)
        return;
    bignum_free(c, &a->m);
    heap_drop(c->heap, a);
}

/* What was made, unless something went wrong on the way. */
static struct decimal *decimal_done(struct bignum_calc *c, struct decimal *r)
{
    if (r && c->err) {
        decimal_unref(c, r);
        return NULL;
    }
    return r;
}

struct decimal *decimal_int(struct bignum_calc *c, int64_t v)
{
    struct decimal *r = decimal_new(c, 0);
    if (r) {
        bignum_set(c, &r->m, v < 0 ? -(uint64_t)v : (uint64_t)v);
        r->m.neg = v < 0 && r->m.n;
    }
    return decimal_done(c, r);
}

static unsigned decimal_digit(char ch)
{
    return ascii_digit(ch) ? (unsigned)(ch - '0') : (unsigned)(ch - 'A') + 10;
}

/* base^n digits in r, base * ... ; used for fractions. */
static void decimal_collect(struct bignum_calc *c, struct bignum *r, struct str s, unsigned base)
{
    for (size_t i = 0; i < s.n && !c->err; i++) {
        bignum_mul_small(c, r, r, base, MIN(decimal_digit(s.p[i]), base - 1));
        if (i % 64 == 0 && c->tick && c->tick(c->ud, 1) < 0)
            c->err = HOB_EKILLED;
    }
}

struct decimal *decimal_parse(struct bignum_calc *c, struct str s, unsigned base)
{
    ptrdiff_t point = str_chr(s, '.');
    struct str whole = point < 0 ? s : str_sub(s, 0, (size_t)point);
    struct str part = point < 0 ? STR("") : str_from(s, (size_t)point + 1);
    struct decimal *r = decimal_new(c, part.n);
    if (!r)
        return NULL;
    if (s.n == 1 && point < 0) {
        bignum_set(c, &r->m, decimal_digit(s.p[0]));
        return decimal_done(c, r);
    }
    bool plain = base == 10;
    for (size_t i = 0; i < s.n; i++)
        plain = plain && (ascii_digit(s.p[i]) || s.p[i] == '.');
    if (plain) {
        struct buf digits;
        buf_init(&digits, c->heap);
        buf_str(&digits, whole);
        buf_str(&digits, part);
        bignum_parse(c, &r->m, buf_get(&digits));
        buf_fini(&digits);
        return decimal_done(c, r);
    }
    decimal_collect(c, &r->m, whole, base);
    if (part.n) {
        struct bignum top = {0}, below = {0};
        decimal_collect(c, &top, part, base);
        bignum_set(c, &below, base);
        bignum_pow(c, &below, &below, part.n);
        bignum_shift(c, &top, &top, (int64_t)part.n);
        if (!c->err)
            bignum_div(c, &top, NULL, &top, &below);
        bignum_shift(c, &r->m, &r->m, (int64_t)part.n);
        bignum_add(c, &r->m, &r->m, &top);
        bignum_free(c, &top);
        bignum_free(c, &below);
    }
    return decimal_done(c, r);
}

bool decimal_zero(const struct decimal *a) { return !a || bignum_zero(&a->m); }
bool decimal_neg(const struct decimal *a) { return a && a->m.neg; }

size_t decimal_length(const struct decimal *a)
{
    size_t n = a ? bignum_digits(&a->m) : 0;
    return a ? MAX(MAX(n, a->scale), (size_t)1) : 1;
}

struct decimal *decimal_rescale(struct bignum_calc *c, struct decimal *a, size_t scale)
{
    if (!a || a->scale == scale)
        return decimal_ref(a);
    struct decimal *r = decimal_new(c, scale);
    if (r)
        bignum_shift(c, &r->m, &a->m, (int64_t)scale - (int64_t)a->scale);
    return decimal_done(c, r);
}

int64_t decimal_long(const struct decimal *a)
{
    size_t digits = a ? bignum_digits(&a->m) : 0, cut = a ? a->scale : 0;
    uint64_t v = 0;
    if (digits <= cut)
        return 0;
    if (digits - cut > 19)
        return a->m.neg ? INT64_MIN : INT64_MAX;
    /* The digits from the top down to the point. */
    for (size_t i = digits; i-- > cut;) {
        uint32_t limb = a->m.d[i / BIGNUM_DIGITS];
        for (size_t k = i % BIGNUM_DIGITS; k; k--)
            limb /= 10;
        v = v * 10 + limb % 10;
    }
    if (v > INT64_MAX)
        return a->m.neg ? INT64_MIN : INT64_MAX;
    return a->m.neg ? -(int64_t)v : (int64_t)v;
}

/* a and b with the same number of digits behind the point. False after an error. */
static bool decimal_align(struct bignum_calc *c, struct decimal **a, struct decimal **b)
{
    size_t scale = *a && *b ? MAX((*a)->scale, (*b)->scale) : 0;
    *a = decimal_rescale(c, *a, scale);
    *b = decimal_rescale(c, *b, scale);
    return *a && *b;
}

int decimal_cmp(struct bignum_calc *c, struct decimal *a, struct decimal *b)
{
    int r = 0;
    if (decimal_align(c, &a, &b))
        r = bignum_cmp(&a->m, &b->m);
    decimal_unref(c, a);
    decimal_unref(c, b);
    return r;
}

struct decimal *decimal_negate(struct bignum_calc *c, struct decimal *a)
{
    struct decimal *r = a ? decimal_new(c, a->scale) : NULL;
    if (r) {
        bignum_copy(c, &r->m, &a->m);
        r->m.neg = r->m.n && !a->m.neg;
    }
    return decimal_done(c, r);
}

static struct decimal *decimal_sum(struct bignum_calc *c, struct decimal *a, struct decimal *b,
                                   bool minus)
{
    struct decimal *r = NULL;
    if (decimal_align(c, &a, &b) && (r = decimal_new(c, a->scale)) != NULL)
        (minus ? bignum_sub : bignum_add)(c, &r->m, &a->m, &b->m);
    decimal_unref(c, a);
    decimal_unref(c, b);
    return decimal_done(c, r);
}

struct decimal *decimal_add(struct bignum_calc *c, struct decimal *a, struct decimal *b)
{
    return decimal_sum(c, a, b, false);
}

struct decimal *decimal_sub(struct bignum_calc *c, struct decimal *a, struct decimal *b)
{
    return decimal_sum(c, a, b, true);
}

struct decimal *decimal_mul(struct bignum_calc *c, struct decimal *a, struct decimal *b,
                            size_t scale)
{
    if (!a || !b)
        return NULL;
    size_t full = a->scale + b->scale, want = MIN(full, MAX(scale, MAX(a->scale, b->scale)));
    struct decimal *r = decimal_new(c, want);
    if (r) {
        bignum_mul(c, &r->m, &a->m, &b->m);
        bignum_shift(c, &r->m, &r->m, (int64_t)want - (int64_t)full);
    }
    return decimal_done(c, r);
}

struct decimal *decimal_div(struct bignum_calc *c, struct decimal *a, struct decimal *b,
                            size_t scale)
{
    struct decimal *r = a && b ? decimal_new(c, scale) : NULL;
    if (!r)
        return NULL;
    int64_t shift = (int64_t)scale + (int64_t)b->scale - (int64_t)a->scale;
    struct bignum by = {0};
    bignum_shift(c, &r->m, &a->m, MAX(shift, 0));
    bignum_shift(c, &by, &b->m, MAX(-shift, 0));
    if (!c->err)
        bignum_div(c, &r->m, NULL, &r->m, &by);
    bignum_free(c, &by);
    return decimal_done(c, r);
}

struct decimal *decimal_mod(struct bignum_calc *c, struct decimal *a, struct decimal *b,
                            size_t scale)
{
    if (!a || !b)
        return NULL;
    size_t want = MAX(a->scale, b->scale + scale);
    struct decimal *q = decimal_div(c, a, b, scale), *t = decimal_mul(c, q, b, want);
    struct decimal *r = decimal_sub(c, a, t), *x = r ? decimal_rescale(c, r, want) : NULL;
    decimal_unref(c, q);
    decimal_unref(c, t);
    decimal_unref(c, r);
    return x;
}

struct decimal *decimal_pow(struct bignum_calc *c, struct decimal *a, int64_t e, size_t scale)
{
    uint64_t n = e < 0 ? -(uint64_t)e : (uint64_t)e;
    if (!a)
        return NULL;
    if (e == 0)
        return decimal_int(c, 1);
    if (a->scale && n > (uint64_t)(INT64_MAX / 2) / a->scale) {
        c->err = HOB_ENOMEM;
        return NULL;
    }
    size_t full = a->scale * (size_t)n;
    size_t want = e < 0 ? scale : MIN(full, MAX(scale, a->scale));
    struct decimal *r = decimal_new(c, full), *x = NULL;
    if (!r)
        return NULL;
    bignum_pow(c, &r->m, &a->m, n);
    if (e > 0) {
        x = decimal_rescale(c, r, want);
    } else {
        struct decimal *one = decimal_int(c, 1);
        x = c->err ? NULL : decimal_div(c, one, r, want);
        decimal_unref(c, one);
    }
    decimal_unref(c, r);
    return decimal_done(c, x);
}

/* Newton's way, from above, on whole numbers: the guesses fall until they would rise. */
struct decimal *decimal_sqrt(struct bignum_calc *c, struct decimal *a, size_t scale)
{
    struct bignum n = {0}, next = {0};
    if (!a)
        return NULL;
    if (bignum_zero(&a->m))
        return decimal_int(c, 0);
    struct decimal *one = decimal_int(c, 1);
    bool is_one = one && decimal_cmp(c, a, one) == 0;
    if (is_one || !one)
        return one;
    decimal_unref(c, one);
    size_t want = MAX(scale, a->scale);
    struct decimal *r = decimal_new(c, want);
    if (!r)
        return NULL;
    bignum_shift(c, &n, &a->m, (int64_t)(2 * want) - (int64_t)a->scale);
    bignum_set(c, &r->m, 1);
    bignum_shift(c, &r->m, &r->m, (int64_t)(bignum_digits(&n) / 2 + 1));
    while (!c->err) {
        bignum_div(c, &next, NULL, &n, &r->m);
        bignum_add(c, &next, &next, &r->m);
        bignum_div_small(c, &next, &next, 2);
        if (bignum_cmp(&next, &r->m) >= 0)
            break;
        bignum_swap(&next, &r->m);
    }
    bignum_free(c, &n);
    bignum_free(c, &next);
    return decimal_done(c, r);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* One digit of a base: a letter or figure up to 16, decimal in a fixed width above. */
static void decimal_put(struct buf *b, uint32_t digit, unsigned base, bool space)
{
    char text[24], most[24];
    if (base <= 16) {
        buf_putc(b, "0123456789ABCDEF"[digit]);
        return;
    }
    size_t n = fmt_uint(text, digit), width = fmt_uint(most, base - 1);
    if (space)
        buf_putc(b, ' ');
    buf_fill(b, '0', width - MIN(n, width));
    buf_add(b, text, n);
}

/* Digits behind the point, until they say as much as the decimal ones. */
static void decimal_put_part(struct bignum_calc *c, struct buf *b, struct bignum *part,
                             size_t scale, unsigned base)
{
    struct bignum said = {0}, digit = {0}, unit = {0};
    uint64_t v;

    bignum_set(c, &said, 1);
    bignum_set(c, &unit, 1);
    bignum_shift(c, &unit, &unit, (int64_t)scale);
    buf_putc(b, '.');
    for (bool space = false; !c->err && bignum_digits(&said) <= scale; space = true) {
        bignum_mul_small(c, part, part, base, 0);
        bignum_div(c, &digit, part, part, &unit);
        decimal_put(b, bignum_uint(&digit, &v) ? (uint32_t)v : 0, base, space);
        bignum_mul_small(c, &said, &said, base, 0);
    }
    bignum_free(c, &said);
    bignum_free(c, &digit);
    bignum_free(c, &unit);
}

/* The digits of a whole number, the highest first. */
static void decimal_put_whole(struct bignum_calc *c, struct buf *b, struct bignum *whole,
                              unsigned base)
{
    struct buf digits;
    uint32_t d;
    buf_init(&digits, c->heap);
    while (whole->n && !c->err) {
        d = bignum_div_small(c, whole, whole, base);
        buf_add(&digits, &d, sizeof d);
        if (c->tick && c->tick(c->ud, (int64_t)(whole->n / 512 + digits.n % 256 / 252)) < 0)
            c->err = HOB_EKILLED;
    }
    for (size_t i = digits.n / sizeof d; i-- > 0;) {
        memcpy(&d, digits.p + i * sizeof d, sizeof d);
        decimal_put(b, d, base, true);
    }
    buf_fini(&digits);
}

static void decimal_print_ten(struct buf *b, const struct decimal *a)
{
    size_t at = b->n, digits = bignum_digits(&a->m);
    if (digits <= a->scale) {
        buf_putc(b, '.');
        buf_fill(b, '0', a->scale - digits);
        at = b->n;
    }
    bignum_print(b, &a->m);
    if (a->m.neg)
        buf_del(b, at, 1);
    if (digits > a->scale && a->scale && buf_reserve(b, 1)) {
        size_t point = b->n - a->scale;
        memmove(b->p + point + 1, b->p + point, a->scale + 1);
        b->p[point] = '.';
        b->n++;
    }
}

void decimal_print(struct bignum_calc *c, struct buf *b, struct decimal *a, unsigned base)
{
    if (!a)
        return;
    if (a->m.neg)
        buf_putc(b, '-');
    if (bignum_zero(&a->m)) {
        buf_putc(b, '0');
        return;
    }
    if (base == 10) {
        decimal_print_ten(b, a);
        return;
    }
    struct bignum whole = {0}, part = {0};
    bignum_shift(c, &whole, &a->m, -(int64_t)a->scale);
    bignum_shift(c, &part, &whole, (int64_t)a->scale);
    bignum_sub(c, &part, &a->m, &part);
    whole.neg = part.neg = false;
    decimal_put_whole(c, b, &whole, base);
    if (a->scale)
        decimal_put_part(c, b, &part, a->scale, base);
    bignum_free(c, &whole);
    bignum_free(c, &part);
}

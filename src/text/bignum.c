/* bignum.c -- whole numbers of any size, in limbs of nine decimal digits */
#include "text/bignum.h"

#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"

enum {
    BIGNUM_KARATSUBA = 48 /* limbs from which splitting pays */
};

static const uint32_t bignum_tens[BIGNUM_DIGITS + 1] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};

/* ---- memory ---------------------------------------------------------------------------------- */

void bignum_free(struct bignum_calc *c, struct bignum *a)
{
    heap_free(c->heap, a->d, a->cap * sizeof *a->d);
    *a = (struct bignum){0};
}

void bignum_swap(struct bignum *a, struct bignum *b)
{
    struct bignum t = *a;
    *a = *b;
    *b = t;
}

/* Room for n limbs; what was in a is kept. False after an error. */
static bool bignum_room(struct bignum_calc *c, struct bignum *a, size_t n)
{
    if (c->err)
        return false;
    if (n <= a->cap)
        return true;
    size_t cap = MAX(n, (size_t)4);
    uint32_t *d = heap_realloc(c->heap, a->d, a->cap * sizeof *d, cap * sizeof *d);
    if (!d) {
        c->err = HOB_ENOMEM;
        return false;
    }
    a->d = d;
    a->cap = cap;
    return true;
}

static void bignum_trim(struct bignum *a)
{
    while (a->n && a->d[a->n - 1] == 0)
        a->n--;
    if (a->n == 0)
        a->neg = false;
}

static bool bignum_tick(struct bignum_calc *c, size_t limbs)
{
    if (!c->err && c->tick) {
        int r = c->tick(c->ud, (int64_t)(limbs / 256));
        if (r < 0)
            c->err = r;
    }
    return c->err == 0;
}

/* Gives the number made in t to r, and frees what was there. After an error r is 0. */
static void bignum_take(struct bignum_calc *c, struct bignum *r, struct bignum *t)
{
    bignum_swap(r, t);
    bignum_free(c, t);
    if (c->err) {
        r->n = 0;
        r->neg = false;
    }
    bignum_trim(r);
}

void bignum_copy(struct bignum_calc *c, struct bignum *r, const struct bignum *a)
{
    if (r == a)
        return;
    r->n = 0;
    if (bignum_room(c, r, a->n) && a->n) {
        memcpy(r->d, a->d, a->n * sizeof *a->d);
        r->n = a->n;
    }
    r->neg = r->n && a->neg;
}

void bignum_set(struct bignum_calc *c, struct bignum *r, uint64_t v)
{
    r->n = 0;
    r->neg = false;
    if (!bignum_room(c, r, 3))
        return;
    for (; v; v /= BIGNUM_BASE)
        r->d[r->n++] = (uint32_t)(v % BIGNUM_BASE);
}

/* ---- text ------------------------------------------------------------------------------------ */

bool bignum_parse(struct bignum_calc *c, struct bignum *r, struct str s)
{
    bool neg = s.n && s.p[0] == '-';
    if (s.n && (s.p[0] == '-' || s.p[0] == '+'))
        s = str_from(s, 1);
    if (s.n == 0)
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (!ascii_digit(s.p[i]))
            return false;
    r->n = 0;
    r->neg = neg;
    if (!bignum_room(c, r, (s.n + BIGNUM_DIGITS - 1) / BIGNUM_DIGITS)) {
        r->neg = false;
        return true;
    }
    for (size_t end = s.n; end;) {
        size_t at = end > BIGNUM_DIGITS ? end - BIGNUM_DIGITS : 0;
        uint32_t v = 0;
        for (size_t i = at; i < end; i++)
            v = v * 10 + (uint32_t)(s.p[i] - '0');
        r->d[r->n++] = v;
        end = at;
    }
    bignum_trim(r);
    return true;
}

void bignum_print(struct buf *b, const struct bignum *a)
{
    if (a->neg)
        buf_putc(b, '-');
    if (a->n == 0) {
        buf_putc(b, '0');
        return;
    }
    char digits[24];
    buf_add(b, digits, fmt_uint(digits, a->d[a->n - 1]));
    for (size_t i = a->n - 1; i-- > 0;) {
        uint32_t v = a->d[i];
        for (int k = BIGNUM_DIGITS - 1; k >= 0; k--, v /= 10)
            digits[k] = (char)('0' + v % 10);
        buf_add(b, digits, BIGNUM_DIGITS);
    }
}

bool bignum_uint(const struct bignum *a, uint64_t *out)
{
    uint64_t v = 0;
    if (a->neg || a->n > 3)
        return false;
    for (size_t i = a->n; i-- > 0;) {
        if (__builtin_mul_overflow(v, (uint64_t)BIGNUM_BASE, &v) ||
            __builtin_add_overflow(v, (uint64_t)a->d[i], &v))
            return false;
    }
    *out = v;
    return true;
}

size_t bignum_digits(const struct bignum *a)
{
    if (a->n == 0)
        return 0;
    size_t k = 1;
    while (k < BIGNUM_DIGITS && a->d[a->n - 1] >= bignum_tens[k])
        k++;
    return (a->n - 1) * BIGNUM_DIGITS + k;
}

/* ---- adding ---------------------------------------------------------------------------------- */

int bignum_cmp_abs(const struct bignum *a, const struct bignum *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (size_t i = a->n; i-- > 0;)
        if (a->d[i] != b->d[i])
            return a->d[i] < b->d[i] ? -1 : 1;
    return 0;
}

int bignum_cmp(const struct bignum *a, const struct bignum *b)
{
    if (a->neg != b->neg)
        return a->neg ? -1 : 1;
    int r = bignum_cmp_abs(a, b);
    return a->neg ? -r : r;
}

/* r[0..n) += a[0..an); the carry that is left. */
static uint32_t bignum_add_limbs(uint32_t *r, size_t n, const uint32_t *a, size_t an)
{
    uint32_t carry = 0;
    for (size_t i = 0; i < n && (i < an || carry); i++) {
        uint32_t v = r[i] + (i < an ? a[i] : 0) + carry;
        carry = v >= BIGNUM_BASE;
        r[i] = carry ? v - BIGNUM_BASE : v;
    }
    return carry;
}

/* r[0..n) -= a[0..an), which is not more. */
static void bignum_sub_limbs(uint32_t *r, size_t n, const uint32_t *a, size_t an)
{
    uint32_t borrow = 0;
    for (size_t i = 0; i < n && (i < an || borrow); i++) {
        uint32_t v = (i < an ? a[i] : 0) + borrow;
        borrow = r[i] < v;
        r[i] = borrow ? r[i] + BIGNUM_BASE - v : r[i] - v;
    }
}

static void bignum_sum(struct bignum_calc *c, struct bignum *r, const struct bignum *a,
                       const struct bignum *b, bool b_neg)
{
    struct bignum t = {0};
    bool same = a->neg == b_neg, neg = a->neg;

    if (bignum_cmp_abs(a, b) < 0) {
        const struct bignum *x = a;
        a = b;
        b = x;
        neg = b_neg;
    }
    if (bignum_room(c, &t, a->n + 1) && bignum_tick(c, a->n)) {
        if (a->n)
            memcpy(t.d, a->d, a->n * sizeof *t.d);
        t.n = a->n;
        if (!same)
            bignum_sub_limbs(t.d, t.n, b->d, b->n);
        else if (bignum_add_limbs(t.d, t.n, b->d, b->n))
            t.d[t.n++] = 1;
        t.neg = neg;
    }
    bignum_take(c, r, &t);
}

void bignum_add(struct bignum_calc *c, struct bignum *r, const struct bignum *a,
                const struct bignum *b)
{
    bignum_sum(c, r, a, b, b->neg);
}

void bignum_sub(struct bignum_calc *c, struct bignum *r, const struct bignum *a,
                const struct bignum *b)
{
    bignum_sum(c, r, a, b, !b->neg);
}

/* ---- multiplying ----------------------------------------------------------------------------- */

/* r[0..an+bn) = a * b, limb by limb. */
static void bignum_mul_plain(uint32_t *r, const uint32_t *a, size_t an, const uint32_t *b,
                             size_t bn)
{
    memset(r, 0, (an + bn) * sizeof *r);
    for (size_t i = 0; i < an; i++) {
        uint64_t carry = 0;
        for (size_t j = 0; j < bn; j++) {
            uint64_t v = (uint64_t)a[i] * b[j] + r[i + j] + carry;
            carry = v / BIGNUM_BASE;
            r[i + j] = (uint32_t)(v - carry * BIGNUM_BASE);
        }
        r[i + bn] = (uint32_t)carry;
    }
}

/* r[0..2n) = a * b, both of n limbs; `room` has 4n + 64 limbs. Karatsuba's way: three products of
 * half the size. The depth is the logarithm of n, so no look at the stack is needed. */
static void bignum_mul_square(struct bignum_calc *c, uint32_t *r, const uint32_t *a,
                              const uint32_t *b, size_t n, uint32_t *room)
{
    if (n < BIGNUM_KARATSUBA) {
        if (!c->err)
            bignum_mul_plain(r, a, n, b, n);
        return;
    }
    if (!bignum_tick(c, n * 16))
        return;
    size_t lo = n / 2, hi = n - lo, m = hi + 1;
    uint32_t *sa = room, *sb = room + m;

    /* The sums live in r while the middle product is made, which is then moved out of the way. */
    bignum_mul_square(c, r, a, b, lo, room);
    memset(sa, 0, 2 * m * sizeof *sa);
    memcpy(sa, a + lo, hi * sizeof *sa);
    memcpy(sb, b + lo, hi * sizeof *sb);
    bignum_add_limbs(sa, m, a, lo);
    bignum_add_limbs(sb, m, b, lo);
    uint32_t *mid = room + 2 * m;
    bignum_mul_square(c, mid, sa, sb, m, room + 4 * m);
    bignum_mul_square(c, r + 2 * lo, a + lo, b + lo, hi, room + 4 * m);
    if (c->err)
        return;
    bignum_sub_limbs(mid, 2 * m, r, 2 * lo);
    bignum_sub_limbs(mid, 2 * m, r + 2 * lo, 2 * hi);
    size_t used = 2 * m;
    while (used && mid[used - 1] == 0)
        used--;
    bignum_add_limbs(r + lo, 2 * n - lo, mid, used);
}

/* The longer one in pieces of the length of the shorter one. */
static void bignum_mul_pieces(struct bignum_calc *c, uint32_t *r, const struct bignum *a,
                              const struct bignum *b)
{
    size_t n = b->n, room = 8 * n + 512;
    uint32_t *t = heap_alloc(c->heap, (room + 3 * n) * sizeof *t);
    if (!t) {
        c->err = HOB_ENOMEM;
        return;
    }
    uint32_t *piece = t + room, *product = piece + n;
    memset(r, 0, (a->n + n) * sizeof *r);
    for (size_t i = 0; i < a->n && !c->err; i += n) {
        size_t have = MIN(n, a->n - i);
        memset(piece, 0, n * sizeof *piece);
        memcpy(piece, a->d + i, have * sizeof *piece);
        bignum_mul_square(c, product, piece, b->d, n, t);
        if (!c->err)
            bignum_add_limbs(r + i, a->n + n - i, product, have + n);
    }
    heap_free(c->heap, t, (room + 3 * n) * sizeof *t);
}

void bignum_mul(struct bignum_calc *c, struct bignum *r, const struct bignum *a,
                const struct bignum *b)
{
    struct bignum t = {0};
    if (a->n < b->n) {
        const struct bignum *x = a;
        a = b;
        b = x;
    }
    if (b->n && bignum_room(c, &t, a->n + b->n)) {
        t.n = a->n + b->n;
        t.neg = a->neg != b->neg;
        if (b->n >= BIGNUM_KARATSUBA)
            bignum_mul_pieces(c, t.d, a, b);
        else if (bignum_tick(c, a->n * b->n))
            bignum_mul_plain(t.d, a->d, a->n, b->d, b->n);
    }
    bignum_take(c, r, &t);
}

void bignum_mul_small(struct bignum_calc *c, struct bignum *r, const struct bignum *a, uint32_t m,
                      uint32_t add)
{
    bool neg = a->neg;
    if (r != a)
        bignum_copy(c, r, a);
    if (!bignum_room(c, r, r->n + 2))
        return;
    uint64_t carry = add;
    for (size_t i = 0; i < r->n; i++) {
        carry += (uint64_t)r->d[i] * m;
        r->d[i] = (uint32_t)(carry % BIGNUM_BASE);
        carry /= BIGNUM_BASE;
    }
    for (; carry; carry /= BIGNUM_BASE)
        r->d[r->n++] = (uint32_t)(carry % BIGNUM_BASE);
    r->neg = neg;
    bignum_trim(r);
}

void bignum_pow(struct bignum_calc *c, struct bignum *r, const struct bignum *a, uint64_t e)
{
    struct bignum base = {0}, t = {0};
    bignum_copy(c, &base, a);
    bignum_set(c, &t, 1);
    while (e && !c->err) {
        if (e & 1)
            bignum_mul(c, &t, &t, &base);
        e >>= 1;
        if (e)
            bignum_mul(c, &base, &base, &base);
    }
    bignum_free(c, &base);
    bignum_take(c, r, &t);
}

/* ---- dividing -------------------------------------------------------------------------------- */

uint32_t bignum_div_small(struct bignum_calc *c, struct bignum *r, const struct bignum *a,
                          uint32_t m)
{
    uint64_t rest = 0;
    bool neg = a->neg;
    if (r != a)
        bignum_copy(c, r, a);
    for (size_t i = r->n; i-- > 0;) {
        rest = rest * BIGNUM_BASE + r->d[i];
        r->d[i] = (uint32_t)(rest / m);
        rest %= m;
    }
    r->neg = neg;
    bignum_trim(r);
    return (uint32_t)rest;
}

/* Knuth's algorithm D: u[0..m+n] (one limb more than the number) by v[0..n), n >= 2, both already
 * scaled so that the top limb of v is at least half the base. The quotient goes to q[0..m], the
 * remainder stays in u. */
static void bignum_div_limbs(struct bignum_calc *c, uint32_t *q, uint32_t *u, size_t m,
                             const uint32_t *v, size_t n)
{
    for (size_t j = m + 1; j-- > 0 && bignum_tick(c, n);) {
        uint64_t top = (uint64_t)u[j + n] * BIGNUM_BASE + u[j + n - 1];
        uint64_t guess = top / v[n - 1], rest = top % v[n - 1];
        while (guess >= BIGNUM_BASE || guess * v[n - 2] > rest * BIGNUM_BASE + u[j + n - 2]) {
            guess--;
            rest += v[n - 1];
            if (rest >= BIGNUM_BASE)
                break;
        }
        uint64_t carry = 0;
        uint32_t borrow = 0;
        for (size_t i = 0; i <= n; i++) {
            carry += (i < n ? guess * v[i] : 0);
            uint32_t part = (uint32_t)(carry % BIGNUM_BASE) + borrow;
            carry /= BIGNUM_BASE;
            borrow = u[j + i] < part;
            u[j + i] = borrow ? u[j + i] + BIGNUM_BASE - part : u[j + i] - part;
        }
        if (borrow) { /* one too many, which is rare */
            guess--;
            bignum_add_limbs(u + j, n + 1, v, n);
        }
        q[j] = (uint32_t)guess;
    }
}

void bignum_div(struct bignum_calc *c, struct bignum *q, struct bignum *r, const struct bignum *a,
                const struct bignum *b)
{
    struct bignum quo = {0}, rem = {0}, by = {0};
    bool qneg = a->neg != b->neg, rneg = a->neg;

    if (c->err) {
        /* nothing */
    } else if (bignum_cmp_abs(a, b) < 0) {
        bignum_copy(c, &rem, a);
    } else if (b->n == 1) {
        bignum_set(c, &rem, bignum_div_small(c, &quo, a, b->d[0]));
    } else {
        uint32_t scale = BIGNUM_BASE / (b->d[b->n - 1] + 1);
        size_t n = b->n, m = a->n - n;
        bignum_mul_small(c, &by, b, scale, 0);
        bignum_mul_small(c, &rem, a, scale, 0);
        if (bignum_room(c, &rem, a->n + 1) && bignum_room(c, &quo, m + 1)) {
            while (rem.n < a->n + 1)
                rem.d[rem.n++] = 0;
            memset(quo.d, 0, (m + 1) * sizeof *quo.d);
            quo.n = m + 1;
            bignum_div_limbs(c, quo.d, rem.d, m, by.d, n);
            bignum_trim(&rem);
            bignum_div_small(c, &rem, &rem, scale);
        }
    }
    quo.neg = qneg;
    rem.neg = rneg;
    bignum_free(c, &by);
    if (q)
        bignum_take(c, q, &quo);
    else
        bignum_free(c, &quo);
    if (r)
        bignum_take(c, r, &rem);
    else
        bignum_free(c, &rem);
}

void bignum_shift(struct bignum_calc *c, struct bignum *r, const struct bignum *a, int64_t k)
{
    uint64_t by = k < 0 ? -(uint64_t)k : (uint64_t)k;
    size_t limbs = (size_t)(by / BIGNUM_DIGITS);
    uint32_t small = bignum_tens[by % BIGNUM_DIGITS];

    bignum_copy(c, r, a);
    if (r->n == 0)
        return;
    if (k < 0) {
        if (limbs >= r->n) {
            r->n = 0;
            r->neg = false;
            return;
        }
        memmove(r->d, r->d + limbs, (r->n - limbs) * sizeof *r->d);
        r->n -= limbs;
        if (small > 1)
            bignum_div_small(c, r, r, small);
        return;
    }
    if (small > 1)
        bignum_mul_small(c, r, r, small, 0);
    if (limbs && bignum_room(c, r, r->n + limbs)) {
        memmove(r->d + limbs, r->d, r->n * sizeof *r->d);
        memset(r->d, 0, limbs * sizeof *r->d);
        r->n += limbs;
    } else if (c->err) {
        r->n = 0;
        r->neg = false;
    }
}

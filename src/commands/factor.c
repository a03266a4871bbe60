/* factor.c -- the prime factors of numbers
 *
 * Small primes are divided out; what is left is split by Pollard's rho, with Brent's cycle, and
 * proved prime by Miller and Rabin with the first primes as bases. Up to 128 bits this runs in
 * Montgomery's form on machine words, above on bignums.
 */
#include "shell/command.h"

#include "base/error.h"
#include "base/utf8.h"
#include "text/bignum.h"

typedef unsigned __int128 factor_wide;

enum {
    FACTOR_SMALL = 5000, /* divisors tried one by one */
    FACTOR_BASES = 24
};

struct factor {
    struct proc *p;
    struct out out;
    struct bignum_calc calc;
    struct bignum *found; /* of the number in work */
    size_t n, cap;
    int err;
};

/* Odd n, -1/n modulo 2^64, and 2^128 modulo n, which is 1 in this form. */
struct factor_mont {
    factor_wide n, one;
    uint64_t inverse;
};

static const uint8_t factor_primes[FACTOR_BASES] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29, 31, 37,
                                                    41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89};

static int factor_tick(void *ud, int64_t n) { return proc_tick(ud, n); }

/* ---- up to 128 bits -------------------------------------------------------------------------- */

static factor_wide factor_add(factor_wide a, factor_wide b, factor_wide n)
{
    return a >= n - b ? a - (n - b) : a + b;
}

static struct factor_mont factor_mont(factor_wide n)
{
    struct factor_mont m = {.n = n, .one = -n % n};
    uint64_t low = (uint64_t)n, x = low; /* right in the lowest 3 bits; each turn doubles them */
    for (int i = 0; i < 5; i++)
        x *= 2 - low * x;
    m.inverse = -x;
    return m;
}

/* a * b / 2^128 modulo n. */
static factor_wide factor_mul(const struct factor_mont *m, factor_wide a, factor_wide b)
{
    uint64_t al[2] = {(uint64_t)a, (uint64_t)(a >> 64)};
    uint64_t b0 = (uint64_t)b, b1 = (uint64_t)(b >> 64);
    uint64_t n0 = (uint64_t)m->n, n1 = (uint64_t)(m->n >> 64);
    uint64_t t0 = 0, t1 = 0, t2 = 0, t3;

    for (int i = 0; i < 2; i++) {
        factor_wide v = (factor_wide)al[i] * b0 + t0;
        t0 = (uint64_t)v;
        v = (factor_wide)al[i] * b1 + t1 + (uint64_t)(v >> 64);
        t1 = (uint64_t)v;
        v = (factor_wide)t2 + (uint64_t)(v >> 64);
        t2 = (uint64_t)v;
        t3 = (uint64_t)(v >> 64);
        uint64_t q = t0 * m->inverse;
        v = (factor_wide)q * n0 + t0;
        v = (factor_wide)q * n1 + t1 + (uint64_t)(v >> 64);
        t0 = (uint64_t)v;
        v = (factor_wide)t2 + (uint64_t)(v >> 64);
        t1 = (uint64_t)v;
        t2 = t3 + (uint64_t)(v >> 64);
    }
    factor_wide r = (factor_wide)t1 << 64 | t0;
    return t2 || r >= m->n ? r - m->n : r;
}

static bool factor_is_prime(factor_wide n)
{
    struct factor_mont m = factor_mont(n);
    factor_wide odd = n - 1, minus = n - m.one;
    int twos = 0;

    for (; !(odd & 1); odd >>= 1)
        twos++;
    for (int i = 0; i < FACTOR_BASES; i++) {
        factor_wide base = 0, x = m.one;
        for (int k = 0; k < factor_primes[i]; k++)
            base = factor_add(base, m.one, n);
        if (base == 0)
            continue;
        for (factor_wide e = odd; e; e >>= 1) {
            if (e & 1)
                x = factor_mul(&m, x, base);
            base = factor_mul(&m, base, base);
        }
        if (x == m.one || x == minus)
            continue;
        int k = 1;
        for (; k < twos && x != minus; k++)
            x = factor_mul(&m, x, x);
        if (x != minus)
            return false;
    }
    return true;
}

static factor_wide factor_gcd(factor_wide a, factor_wide b)
{
    while (b) {
        factor_wide t = a % b;
        a = b;
        b = t;
    }
    return a;
}

/* A factor of n, which is odd and not prime. Products of many differences share one gcd; when that
 * gives n itself, the last of them are looked at one by one. */
static factor_wide factor_rho(struct factor *f, factor_wide n)
{
    struct factor_mont m = factor_mont(n);
    for (factor_wide add = m.one;; add = factor_add(add, m.one, n)) {
        factor_wide y = factor_add(m.one, m.one, n), x = y, from = y, q = m.one, g = 1;
        for (uint64_t r = 1; g == 1; r *= 2) {
            x = y;
            for (uint64_t i = 0; i < r; i++)
                y = factor_add(factor_mul(&m, y, y), add, n);
            for (uint64_t k = 0; k < r && g == 1; k += 512) {
                from = y;
                for (uint64_t i = 0; i < MIN(512, r - k); i++) {
                    y = factor_add(factor_mul(&m, y, y), add, n);
                    q = factor_mul(&m, q, x > y ? x - y : y - x);
                }
                g = factor_gcd(n, q);
                if (proc_tick(f->p, 1) < 0) {
                    f->err = HOB_EKILLED;
                    return 1;
                }
            }
        }
        for (g = g == n ? 1 : g; g == 1;) {
            from = factor_add(factor_mul(&m, from, from), add, n);
            g = factor_gcd(n, x > from ? x - from : from - x);
        }
        if (g != n)
            return g;
    }
}

static void factor_from_wide(struct factor *f, struct bignum *r, factor_wide v)
{
    bignum_set(&f->calc, r, 0);
    for (int shift = 104; shift >= 0; shift -= 26) {
        bignum_mul_small(&f->calc, r, r, 1u << 26, (uint32_t)(v >> shift) & ((1u << 26) - 1));
    }
}

static bool factor_to_wide(const struct bignum *a, factor_wide *out)
{
    factor_wide v = 0;
    if (a->n > 5)
        return false;
    for (size_t i = a->n; i-- > 0;) {
        factor_wide most = ~(factor_wide)0;
        if (v > (most - a->d[i]) / BIGNUM_BASE)
            return false;
        v = v * BIGNUM_BASE + a->d[i];
    }
    *out = v;
    return true;
}

/* Takes the number over. */
static void factor_found(struct factor *f, struct bignum *a)
{
    if (f->n == f->cap) {
        size_t cap = f->cap ? f->cap * 2 : 16;
        struct bignum *p =
            heap_realloc(f->calc.heap, f->found, f->cap * sizeof *p, cap * sizeof *p);
        if (!p) {
            f->err = HOB_ENOMEM;
            bignum_free(&f->calc, a);
            return;
        }
        f->found = p;
        f->cap = cap;
    }
    f->found[f->n++] = *a;
    *a = (struct bignum){0};
}

/* Depth: each turn at least halves the bits. */
static void factor_split(struct factor *f, factor_wide n)
{
    if (n == 1 || f->err)
        return;
    if (n < FACTOR_SMALL * FACTOR_SMALL || factor_is_prime(n)) {
        struct bignum b = {0};
        factor_from_wide(f, &b, n);
        factor_found(f, &b);
        return;
    }
    factor_wide d = factor_rho(f, n);
    if (f->err)
        return;
    factor_split(f, d);
    factor_split(f, n / d);
}

/* ---- above ----------------------------------------------------------------------------------- */

static void factor_mulmod(struct factor *f, struct bignum *r, const struct bignum *a,
                          const struct bignum *b, const struct bignum *n)
{
    bignum_mul(&f->calc, r, a, b);
    bignum_div(&f->calc, NULL, r, r, n);
}

static bool factor_big_prime(struct factor *f, const struct bignum *n)
{
    struct bignum odd = {0}, x = {0}, base = {0}, e = {0}, one = {0}, minus = {0};
    struct bignum_calc *c = &f->calc;
    bool prime = true;
    int twos = 0;

    bignum_set(c, &one, 1);
    bignum_sub(c, &minus, n, &one);
    bignum_copy(c, &odd, &minus);
    while (!c->err && odd.n && !(odd.d[0] & 1)) {
        bignum_div_small(c, &odd, &odd, 2);
        twos++;
    }
    for (int i = 0; i < FACTOR_BASES && prime && !c->err; i++) {
        bignum_set(c, &base, factor_primes[i]);
        bignum_set(c, &x, 1);
        bignum_copy(c, &e, &odd);
        while (!bignum_zero(&e) && !c->err) {
            if (bignum_div_small(c, &e, &e, 2))
                factor_mulmod(f, &x, &x, &base, n);
            factor_mulmod(f, &base, &base, &base, n);
        }
        if (bignum_cmp(&x, &one) == 0)
            continue;
        for (int k = 1; k < twos && bignum_cmp(&x, &minus) != 0 && !c->err; k++)
            factor_mulmod(f, &x, &x, &x, n);
        prime = bignum_cmp(&x, &minus) == 0;
    }
    struct bignum *all[] = {&odd, &x, &base, &e, &one, &minus};
    for (size_t i = 0; i < COUNT(all); i++)
        bignum_free(c, all[i]);
    return prime;
}

static void factor_big_gcd(struct factor *f, struct bignum *r, const struct bignum *a,
                           const struct bignum *b)
{
    struct bignum x = {0}, y = {0};
    bignum_copy(&f->calc, &x, a);
    bignum_copy(&f->calc, &y, b);
    while (!bignum_zero(&y) && !f->calc.err) {
        bignum_div(&f->calc, NULL, &x, &x, &y);
        bignum_swap(&x, &y);
    }
    bignum_copy(&f->calc, r, &x);
    bignum_free(&f->calc, &x);
    bignum_free(&f->calc, &y);
}

/* A factor of n, which is not prime, to g. */
static void factor_big_rho(struct factor *f, const struct bignum *n, struct bignum *g)
{
    struct bignum x = {0}, y = {0}, add = {0}, d = {0};
    struct bignum_calc *c = &f->calc;

    for (uint32_t a = 1; !c->err; a++) {
        bignum_set(c, &add, a);
        bignum_set(c, &x, 2);
        bignum_set(c, &y, 2);
        do {
            for (int i = 0; i < 3; i++) { /* y runs twice as fast */
                struct bignum *v = i ? &y : &x;
                factor_mulmod(f, v, v, v, n);
                bignum_add(c, v, v, &add);
            }
            bignum_sub(c, &d, &x, &y);
            d.neg = false;
            factor_big_gcd(f, g, n, &d);
            if (proc_tick(f->p, 1) < 0)
                c->err = HOB_EKILLED;
        } while (!c->err && g->n == 1 && g->d[0] == 1);
        if (bignum_cmp(g, n) != 0)
            break;
    }
    bignum_free(c, &x);
    bignum_free(c, &y);
    bignum_free(c, &add);
    bignum_free(c, &d);
}

/* Takes n over. */
static void factor_big(struct factor *f, struct bignum *n)
{
    factor_wide small;
    struct bignum g = {0};

    if (factor_to_wide(n, &small)) {
        factor_split(f, small);
    } else if (factor_big_prime(f, n)) {
        factor_found(f, n);
    } else if (task_stack_low(f->p->task)) {
        f->err = HOB_ELOOP;
    } else {
        factor_big_rho(f, n, &g);
        if (!f->calc.err)
            bignum_div(&f->calc, n, NULL, n, &g);
        if (!f->calc.err) {
            factor_big(f, &g);
            factor_big(f, n);
        }
    }
    bignum_free(&f->calc, &g);
    bignum_free(&f->calc, n);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int factor_compare(const void *a, const void *b, void *ud)
{
    (void)ud;
    return bignum_cmp(a, b);
}

static void factor_small(struct factor *f, struct bignum *n)
{
    struct bignum q = {0}, prime = {0};
    for (uint32_t d = 2; d < FACTOR_SMALL && !f->calc.err && n->n; d += d == 2 ? 1 : 2) {
        while (!f->calc.err && bignum_div_small(&f->calc, &q, n, d) == 0) {
            bignum_swap(&q, n);
            bignum_set(&f->calc, &prime, d);
            factor_found(f, &prime);
            if (f->err)
                break;
        }
        if (n->n == 1 && n->d[0] < d * d)
            break;
        if (f->err)
            break;
    }
    bignum_free(&f->calc, &q);
}

static bool factor_number(struct factor *f, struct str s)
{
    struct bignum n = {0};
    struct buf text;
    struct str digits = s;

    while (digits.n && ascii_space(digits.p[0]))
        digits = str_from(digits, 1);
    if (digits.n && digits.p[0] == '+')
        digits = str_from(digits, 1);
    if (!digits.n || !ascii_digit(digits.p[0]) || !bignum_parse(&f->calc, &n, digits)) {
        proc_warn(f->p, "%s is not a valid positive integer", proc_quote(f->p, s));
        return false;
    }
    buf_init(&text, f->calc.heap);
    bignum_print(&text, &n);
    out_str(&f->out, buf_get(&text));
    out_putc(&f->out, ':');
    f->n = 0;
    if (!bignum_zero(&n))
        factor_small(f, &n);
    if (!f->err && !f->calc.err && !bignum_zero(&n))
        factor_big(f, &n);
    bignum_free(&f->calc, &n);
    if (!f->err && !f->calc.err)
        f->err = sort_stable(f->calc.heap, f->found, f->n, sizeof *f->found, factor_compare, NULL);
    for (size_t i = 0; i < f->n; i++) {
        buf_clear(&text);
        bignum_print(&text, &f->found[i]);
        out_putc(&f->out, ' ');
        out_str(&f->out, buf_get(&text));
        bignum_free(&f->calc, &f->found[i]);
    }
    f->n = 0;
    buf_fini(&text);
    out_putc(&f->out, '\n');
    f->err = f->err ? f->err : f->calc.err;
    return true;
}

static int factor_input(struct factor *f)
{
    struct in in;
    struct buf word;
    int status = 0, c = 0;

    in_init(&in, f->p, 0);
    buf_init(&word, f->calc.heap);
    while (c >= 0 && f->err >= 0 && !f->out.err) {
        c = in_getc(&in);
        if (c >= 0 && c != ' ' && c != '\t' && c != '\n') {
            buf_putc(&word, (char)c);
            continue;
        }
        if (word.n) {
            struct arena_mark mark = arena_mark(f->p->arena);
            if (!factor_number(f, buf_get(&word)))
                status = 1;
            arena_release(f->p->arena, mark);
        }
        buf_clear(&word);
    }
    buf_fini(&word);
    in_fini(&in);
    return status;
}

static int factor_run(struct proc *p, void *args)
{
    struct factor f = {.p = p};
    int status = 0;

    (void)args;
    f.calc = (struct bignum_calc){.heap = &p->kernel->heap, .tick = factor_tick, .ud = p};
    out_init(&f.out, p, 1);
    for (int i = 0; i < p->argc && f.err >= 0; i++)
        if (!factor_number(&f, p->argv[i]))
            status = 1;
    if (p->argc == 0)
        status = factor_input(&f);
    heap_free(f.calc.heap, f.found, f.cap * sizeof *f.found);
    return command_close(p, &f.out, f.err < 0 ? f.err : status);
}

static const struct opt factor_opts[] = {OPT_END};

const struct command cmd_factor = {
    .name = "factor",
    .usage = "[NUMBER]...",
    .summary = "Print the prime factors of each NUMBER.",
    .notes = "Without NUMBER, numbers are read from standard input.",
    .opts = factor_opts,
    .usage_status = 1,
    .run = factor_run,
};

/* dc_math.c -- numbers of dc: read, calculated, printed */
#include "commands/dc/dc.h"

#include "base/utf8.h"

/* What GNU's bc takes for too large is one more. */
#define DC_EXPONENT_MAX INT64_C(2147483649)

/* ---- reading -------------------------------------------------------------------------------- */

static int dc_digit(int c)
{
    return ascii_digit(c) ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Digits that are worth more than the base allows count all the same: FF is 165 in base ten. */
static void dc_collect(struct dc *d, struct bignum *r, struct str digits)
{
    for (size_t i = 0; i < digits.n && !d->calc.err; i++) {
        bignum_mul_small(&d->calc, r, r, (uint32_t)d->ibase, (uint32_t)dc_digit(digits.p[i]));
        if (i % 64 == 0 && proc_tick(d->p, 1) < 0)
            d->calc.err = HOB_EKILLED;
    }
}

/* A number out of digits with or without a point. */
static struct decimal *dc_number(struct dc *d, struct str s)
{
    ptrdiff_t point = str_chr(s, '.');
    struct str whole = str_sub(s, 0, point < 0 ? s.n : (size_t)point);
    struct str part = point < 0 ? STR("") : str_from(s, (size_t)point + 1);
    struct bignum_calc *c = &d->calc;
    bool plain = d->ibase == 10;

    for (size_t i = 0; i < s.n; i++)
        plain = plain && !ascii_alpha(s.p[i]);
    if (plain)
        return decimal_parse(c, s.n == 0 || (point == 0 && part.n == 0) ? STR("0") : s, 10);
    struct decimal *a = decimal_int(c, 0), *b = decimal_int(c, 0), *base = decimal_int(c, d->ibase);
    struct decimal *q = NULL, *sum = NULL;
    if (a && b && base) {
        dc_collect(d, &a->m, whole);
        dc_collect(d, &b->m, part);
        struct decimal *power = decimal_pow(c, base, (int64_t)part.n, 0);
        q = decimal_div(c, b, power, part.n);
        sum = decimal_add(c, a, q);
        decimal_unref(c, power);
    }
    decimal_unref(c, a);
    decimal_unref(c, b);
    decimal_unref(c, base);
    decimal_unref(c, q);
    return sum;
}

void dc_read_number(struct dc *d)
{
    struct buf text;
    bool negative = dc_peek(d) == '_', point = false;

    buf_init(&text, &d->p->kernel->heap);
    if (negative) {
        dc_next(d);
        while (dc_peek(d) >= 0 && ascii_space(dc_peek(d)))
            dc_next(d);
    }
    for (int c; (c = dc_peek(d)) >= 0 && (dc_digit(c) >= 0 || (c == '.' && !point)); dc_next(d)) {
        point |= c == '.';
        buf_putc(&text, (char)c);
    }
    struct decimal *n = dc_number(d, buf_get(&text));
    buf_fini(&text);
    if (n && negative) {
        struct decimal *minus = decimal_negate(&d->calc, n);
        decimal_unref(&d->calc, n);
        n = minus;
    }
    dc_push_number(d, n);
}

/* ---- calculating ---------------------------------------------------------------------------- */

static void dc_runtime(struct dc *d, const char *kind, const char *text)
{
    out_flush(&d->out);
    proc_printf_err(d->p, "Runtime %s: %s\n", kind, text);
}

int dc_int(struct dc *d, struct decimal *n)
{
    int64_t v = decimal_long(n);
    if ((v == 0 && !decimal_zero(n)) || v > DC_EXPONENT_MAX || v < -DC_EXPONENT_MAX) {
        dc_say(d, "value overflows simple integer; punting...");
        return -1;
    }
    return (int)(uint32_t)(uint64_t)v;
}

static struct decimal *dc_power(struct dc *d, struct decimal *a, struct decimal *b)
{
    if (b->scale)
        dc_runtime(d, "warning", "non-zero scale in exponent");
    int64_t e = decimal_long(b);
    if (e > DC_EXPONENT_MAX || e < -DC_EXPONENT_MAX) {
        dc_runtime(d, "error", "exponent too large in raise");
        return decimal_int(&d->calc, 1);
    }
    if (e < 0 && decimal_zero(a))
        return decimal_int(&d->calc, 0);
    return decimal_pow(&d->calc, a, e, d->scale);
}

/* Quotient and remainder of ~: the remainder is what this quotient leaves. */
static struct decimal *dc_both(struct dc *d, struct decimal *a, struct decimal *b,
                               struct decimal **rest)
{
    *rest = decimal_mod(&d->calc, a, b, d->scale);
    return decimal_div(&d->calc, a, b, d->scale);
}

static struct decimal *dc_apply(struct dc *d, char op, struct decimal *a, struct decimal *b,
                                struct decimal **second)
{
    struct bignum_calc *c = &d->calc;
    switch (op) {
    case '+': return decimal_add(c, a, b);
    case '-': return decimal_sub(c, a, b);
    case '*': return decimal_mul(c, a, b, d->scale);
    case '/': return decimal_div(c, a, b, d->scale);
    case '%': return decimal_mod(c, a, b, d->scale);
    case '~': return dc_both(d, a, b, second);
    default: return dc_power(d, a, b);
    }
}

/* The top n values, if they are numbers. False: reported. */
static bool dc_operands(struct dc *d, size_t n)
{
    if (d->stack.n < n) {
        dc_say(d, "stack empty");
        return false;
    }
    for (size_t i = d->stack.n - n; i < d->stack.n; i++) {
        if (!d->stack.p[i].number) {
            dc_say(d, "non-numeric value");
            return false;
        }
    }
    return true;
}

static void dc_forget(struct dc *d, size_t n)
{
    for (; n > 0; n--)
        dc_drop(d, d->stack.p[--d->stack.n]);
}

void dc_binary(struct dc *d, char op)
{
    if (!dc_operands(d, 2))
        return;
    struct decimal *a = d->stack.p[d->stack.n - 2].number, *second = NULL;
    struct decimal *b = d->stack.p[d->stack.n - 1].number;
    if ((op == '/' || op == '%' || op == '~') && decimal_zero(b)) {
        dc_say(d, op == '%' ? "remainder by zero" : "divide by zero");
        return;
    }
    struct decimal *r = dc_apply(d, op, a, b, &second);
    dc_forget(d, 2);
    dc_push_number(d, r);
    if (op == '~')
        dc_push_number(d, second);
}

/* x modulo m, with `scale` digits; x is taken over. */
static struct decimal *dc_reduce(struct dc *d, struct decimal *x, struct decimal *m)
{
    struct decimal *r = x ? decimal_mod(&d->calc, x, m, d->scale) : NULL;
    decimal_unref(&d->calc, x);
    return r;
}

static struct decimal *dc_modexp(struct dc *d, struct decimal *base, struct decimal *e,
                                 struct decimal *m)
{
    struct bignum_calc *c = &d->calc;
    struct decimal *power = decimal_ref(base), *r = decimal_int(c, 1);
    size_t scale = MAX(d->scale, base->scale);
    struct bignum left = {0};

    if (base->scale)
        dc_runtime(d, "warning", "non-zero scale in base");
    if (e->scale)
        dc_runtime(d, "warning", "non-zero scale in exponent");
    if (m->scale)
        dc_runtime(d, "warning", "non-zero scale in modulus");
    bignum_shift(c, &left, &e->m, -(int64_t)e->scale);
    while (!bignum_zero(&left) && !c->err && proc_tick(d->p, 1) == 0) {
        if (bignum_div_small(c, &left, &left, 2)) {
            struct decimal *t = decimal_mul(c, r, power, scale);
            decimal_unref(c, r);
            r = dc_reduce(d, t, m);
        }
        struct decimal *t = decimal_mul(c, power, power, scale);
        decimal_unref(c, power);
        power = dc_reduce(d, t, m);
    }
    bignum_free(c, &left);
    decimal_unref(c, power);
    return r;
}

void dc_power_modulo(struct dc *d)
{
    if (!dc_operands(d, 3))
        return;
    struct dc_value *top = d->stack.p + d->stack.n - 3;
    if (decimal_zero(top[2].number)) {
        dc_say(d, "remainder by zero");
        return;
    }
    if (decimal_neg(top[1].number))
        return;
    struct decimal *r = dc_modexp(d, top[0].number, top[1].number, top[2].number);
    dc_forget(d, 3);
    dc_push_number(d, r);
}

void dc_root(struct dc *d)
{
    struct dc_value v;
    if (!dc_pop(d, &v))
        return;
    if (!v.number)
        dc_say(d, "square root of nonnumeric attempted");
    else if (decimal_neg(v.number))
        dc_say(d, "square root of negative number");
    else
        dc_push_number(d, decimal_sqrt(&d->calc, v.number, d->scale));
    dc_drop(d, v);
}

/* ---- printing ------------------------------------------------------------------------------- */

void dc_print_number(struct dc *d, struct decimal *n)
{
    struct buf text;

    buf_init(&text, &d->p->kernel->heap);
    decimal_print(&d->calc, &text, n, d->obase);
    struct str s = buf_get(&text);
    /* Long ones are broken, with a backslash in the last column. */
    while (d->line_length > 1 && s.n >= d->line_length) {
        out_str(&d->out, str_sub(s, 0, d->line_length - 1));
        out_puts(&d->out, "\\\n");
        s = str_from(s, d->line_length - 1);
    }
    out_str(&d->out, s);
    buf_fini(&text);
}

void dc_print_bytes(struct dc *d, struct decimal *n)
{
    struct bignum left = {0};
    struct buf bytes;

    buf_init(&bytes, &d->p->kernel->heap);
    bignum_shift(&d->calc, &left, &n->m, -(int64_t)n->scale);
    do {
        buf_putc(&bytes, (char)bignum_div_small(&d->calc, &left, &left, 256));
    } while (!bignum_zero(&left) && !d->calc.err && proc_tick(d->p, 1) == 0);
    for (size_t i = bytes.n; i-- > 0;)
        out_putc(&d->out, bytes.p[i]);
    buf_fini(&bytes);
    bignum_free(&d->calc, &left);
}
#undef DC_EXPONENT_MAX

/* awk_value.c -- values: text and number, which is which, how they compare; messages */
#include "commands/awk/awk.h"

#include <math.h>

#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "text/number.h"

/* ---- messages -------------------------------------------------------------------------------- */

void awk_nomem(struct awk *a)
{
    if (!a->err)
        a->err = HOB_ENOMEM;
}

/* "awk: cmd. line:1: (FILENAME=x FNR=2) fatal: ". */
static void awk_message(struct awk *a, const char *kind, const char *fmt, va_list ap)
{
    char text[4096];
    size_t n = fmt_print(text, sizeof text, "%.*s: ", STR_ARG(a->p->name));

    out_flush(&a->out);
    if (a->running && a->pc < a->pos.n) {
        struct awk_pos pos = a->pos.p[a->pc];
        if (pos.file.p)
            n += fmt_print(text + n, sizeof text - n, "%.*s:%d: ", MIN((int)pos.file.n, 1000),
                           pos.file.p, pos.line);
        else
            n += fmt_print(text + n, sizeof text - n, "cmd. line:%d: ", pos.line);
        if (a->fnr > 0) {
            char tmp[AWK_TMP];
            struct str f = awk_text(a, awk_special(a, AWK_V_FILENAME), tmp);
            n += fmt_print(text + n, sizeof text - n, "(FILENAME=%.*s FNR=%lld) ",
                           MIN((int)f.n, 1000), f.p, (long long)a->fnr);
        }
    }
    n += fmt_print(text + n, sizeof text - n, "%s: ", kind);
    n += fmt_vprint(text + n, sizeof text - n, fmt, ap);
    n = MIN(n, sizeof text - 2);
    text[n++] = '\n';
    proc_write(a->p, 2, text, n);
}

void awk_fatal(struct awk *a, const char *fmt, ...)
{
    va_list ap;

    if (a->err)
        return;
    va_start(ap, fmt);
    awk_message(a, "fatal", fmt, ap);
    va_end(ap);
    a->err = AWK_FATAL + 1;
}

void awk_warn(struct awk *a, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    awk_message(a, "warning", fmt, ap);
    va_end(ap);
}

/* ---- strings --------------------------------------------------------------------------------- */

struct awk_str *awk_str_room(struct awk *a, size_t n)
{
    size_t cap = n < 8 ? 8 : n;
    struct awk_str *s = heap_alloc(a->heap, sizeof *s + cap + 1);
    if (!s) {
        awk_nomem(a);
        return a->empty ? awk_str_ref(a->empty) : NULL;
    }
    s->refs = 1;
    s->n = n;
    s->cap = cap;
    s->p[n] = '\0';
    return s;
}

struct awk_str *awk_str_new(struct awk *a, const char *p, size_t n)
{
    if (n == 0 && a->empty)
        return awk_str_ref(a->empty);
    if (UNLIKELY(n > 4096) && !a->err) /* long texts are work, too */
        a->err = proc_tick(a->p, (int64_t)(n >> 10));
    struct awk_str *s = awk_str_room(a, n);
    if (s && s->n == n && n)
        memcpy(s->p, p, n);
    return s;
}

void awk_str_free(struct awk *a, struct awk_str *s)
{
    heap_free(a->heap, s, sizeof *s + s->cap + 1);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void awk_place_unref(struct awk *a, struct awk_place *place)
{
    if (--place->refs)
        return;
    awk_array_unref(a, place->array);
    awk_str_unref(a, place->key);
    heap_drop(a->heap, place);
}

void awk_drop_slow(struct awk *a, struct awk_val *v)
{
    if (awk_counted(v))
        awk_str_unref(a, v->u.s);
    else if (v->kind == AWK_ARRAY)
        awk_array_unref(a, v->u.a);
    else if (v->kind == AWK_PLACE)
        awk_place_unref(a, v->u.place);
    v->kind = AWK_UNSET;
    v->n = 0;
}

struct awk_val awk_input_val(struct awk *a, struct str s)
{
    return (struct awk_val){.u.s = awk_str_new(a, s.p, s.n), .kind = AWK_INPUT};
}

struct awk_val awk_copy(struct awk *a, const struct awk_val *v)
{
    struct awk_val c = *v;
    if (awk_counted(v))
        v->u.s->refs++;
    else if (v->kind == AWK_ARRAY)
        v->u.a->refs++;
    else if (v->kind == AWK_PLACE)
        v->u.place->refs++;
    else if (v->kind == AWK_SLICE)
        awk_own(a, &c);
    return c;
}

void awk_own(struct awk *a, struct awk_val *v)
{
    if (v->kind != AWK_SLICE)
        return;
    if (a->rec_s == NULL && v->u.p == a->rec && v->n == a->rec_n && v->n) {
        v->kind = AWK_UNSET; /* or it would be settled there, too */
        awk_record_own(a);   /* all of $0: the next one to ask shares it */
        v->u.s = awk_str_ref(a->rec_s ? a->rec_s : a->empty);
        v->kind = AWK_INPUT;
        return;
    }
    if (v->u.p == awk_nothing)
        v->u.s = awk_str_ref(a->absent);
    else if (a->rec_s && v->u.p == a->rec_s->p && v->n == a->rec_s->n)
        v->u.s = awk_str_ref(a->rec_s);
    else
        v->u.s = awk_str_new(a, v->u.p, v->n);
    v->kind = AWK_INPUT;
}

struct awk_val *awk_special(struct awk *a, int which) { return &a->globals.p[which]; }

/* ---- numbers --------------------------------------------------------------------------------- */

static const double awk_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* gawk's names of what is no number: a sign and inf or nan, nothing else. */
static bool awk_magic(struct str s, double *d)
{
    if (s.n != 4 || (s.p[0] != '+' && s.p[0] != '-'))
        return false;
    char w[3];
    for (int i = 0; i < 3; i++)
        w[i] = (char)ascii_to_lower(s.p[i + 1]);
    bool inf = memcmp(w, "inf", 3) == 0;
    if (!inf && memcmp(w, "nan", 3) != 0)
        return false;
    *d = copysign(inf ? (double)INFINITY : (double)NAN, s.p[0] == '-' ? -1.0 : 1.0);
    return true;
}

double awk_parse_num(struct str s, size_t *used)
{
    const char *p = s.p, *end = s.n ? s.p + s.n : s.p, *start, *digits;
    uint64_t mant = 0;
    int exp = 0, n = 0;
    bool minus = false, exact = true;

    *used = 0;
    while (p < end && ascii_space(*p))
        p++;
    start = p;
    if (p < end && (*p == '-' || *p == '+'))
        minus = *p++ == '-';
    digits = p;
    for (; p < end && ascii_digit(*p); p++, n++) {
        exact &= n < 19;
        mant = mant * 10 + (uint64_t)(*p - '0');
    }
    if (p < end && *p == '.') {
        const char *point = ++p;
        for (; p < end && ascii_digit(*p); p++, n++) {
            exact &= n < 19;
            mant = mant * 10 + (uint64_t)(*p - '0');
        }
        exp = -(int)MIN(p - point, 100000);
    }
    if (n == 0) {
        double d = 0;
        if (digits > start && end - start >= 4 && awk_magic(str_of(start, 4), &d)) {
            const char *rest = start + 4;
            while (rest < end && ascii_space(*rest)) /* nothing but blanks may follow */
                rest++;
            *used = rest == end ? (size_t)(start + 4 - s.p) : 0;
            return rest == end ? d : 0;
        }
        return 0;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char *e = p + 1;
        bool neg = e < end && *e == '-';
        int v = 0;
        if (e < end && (*e == '-' || *e == '+'))
            e++;
        if (e < end && ascii_digit(*e)) {
            for (; e < end && ascii_digit(*e); e++)
                v = MIN(v * 10 + (*e - '0'), 100000);
            exp += neg ? -v : v;
            p = e;
        }
    }
    *used = (size_t)(p - s.p);
    double d;
    if (LIKELY(exact && mant < UINT64_C(1) << 53 && exp >= -22 && exp <= 22)) {
        d = (double)mant;
        d = exp < 0 ? d / awk_powers[-exp] : exp ? d * awk_powers[exp] : d;
    } else {
        size_t ignored;
        d = (double)number_parse(str_of(digits, (size_t)(p - digits)), &ignored);
    }
    return minus ? -d : d;
}

bool awk_looks_numeric(struct str s, double *d)
{
    size_t used;

    if (s.n == 0)
        return false;
    unsigned char c = (unsigned char)s.p[0];
    if (c > '9') /* letters are what most words begin with */
        return false;
    while (s.n && ascii_space(s.p[s.n - 1]))
        s.n--;
    *d = awk_parse_num(s, &used);
    return used == s.n && used > 0;
}

bool awk_is_number(struct awk_val *v)
{
    switch (v->kind) {
    case AWK_UNSET:
    case AWK_REF:
    case AWK_PLACE:
    case AWK_NUM:
    case AWK_STRNUM: return true;
    case AWK_INPUT:
        if (awk_looks_numeric(awk_str_get(v->u.s), &v->num)) {
            v->kind = AWK_STRNUM;
            return true;
        }
        v->kind = AWK_STR;
        return false;
    case AWK_SLICE: return awk_looks_numeric(str_of(v->u.p, v->n), &v->num);
    default: return false;
    }
}

double awk_to_num_slow(struct awk *a, struct awk_val *v)
{
    size_t used;

    switch (v->kind) {
    case AWK_UNSET:
    case AWK_REF:
    case AWK_PLACE: return 0;
    case AWK_STR:
    case AWK_INPUT: return awk_parse_num(awk_str_get(v->u.s), &used);
    case AWK_SLICE: return awk_parse_num(str_of(v->u.p, v->n), &used);
    case AWK_REGEX: return awk_parse_num(awk_str_get(v->u.re->text), &used);
    case AWK_ARRAY: awk_fatal(a, "attempt to use array in a scalar context"); return 0;
    default: return v->num;
    }
}

size_t awk_format_num(struct awk *a, double d, struct awk_str *conv, bool plain, char *tmp)
{
    if (d == rint(d)) {
        if (d > -1e16 && d < 1e16)
            return fmt_int(tmp, (int64_t)d);
        if (isfinite(d))
            return fmt_print(tmp, AWK_TMP, "%.0f", d);
    }
    if (!isfinite(d))
        return fmt_print(tmp, AWK_TMP, "%c%s", signbit(d) ? '-' : '+', isnan(d) ? "nan" : "inf");
    if (plain) {
        size_t n = awk_fast_g6(d, tmp);
        return n ? n : fmt_print(tmp, AWK_TMP, "%.6g", d);
    }
    struct buf b;
    struct awk_val argv[2] = {awk_text_val(conv), awk_number(d)};
    buf_init(&b, a->heap);
    awk_format(a, &b, 2, argv, NULL);
    size_t n = MIN(b.n, (size_t)AWK_TMP);
    if (n)
        memcpy(tmp, b.p, n);
    buf_fini(&b);
    return n;
}

static struct str awk_text_by(struct awk *a, const struct awk_val *v, char *tmp, bool print)
{
    switch (v->kind) {
    case AWK_NUM:
        return str_of(tmp, print ? awk_format_num(a, v->num, a->ofmt, a->ofmt_plain, tmp)
                                 : awk_format_num(a, v->num, a->convfmt, a->convfmt_plain, tmp));
    case AWK_STR:
    case AWK_INPUT:
    case AWK_STRNUM: return awk_str_get(v->u.s);
    case AWK_SLICE: return str_of(v->u.p, v->n);
    case AWK_REGEX: return awk_str_get(v->u.re->text);
    case AWK_ARRAY: awk_fatal(a, "attempt to use array in a scalar context"); FALLTHROUGH;
    default: return STR("");
    }
}

struct str awk_text(struct awk *a, const struct awk_val *v, char *tmp)
{
    return awk_text_by(a, v, tmp, false);
}

struct str awk_print_text(struct awk *a, const struct awk_val *v, char *tmp)
{
    return awk_text_by(a, v, tmp, true);
}

struct awk_str *awk_to_str(struct awk *a, struct awk_val *v)
{
    char tmp[AWK_TMP];

    if (awk_counted(v)) {
        v->kind = AWK_STR;
        return v->u.s;
    }
    if (v->kind == AWK_SLICE) {
        awk_own(a, v);
    } else {
        struct str s = awk_text(a, v, tmp);
        struct awk_str *t = awk_str_new(a, s.p, s.n);
        awk_drop(a, v);
        v->u.s = t;
    }
    v->kind = AWK_STR;
    return v->u.s;
}

bool awk_truth(struct awk *a, struct awk_val *v)
{
    switch (v->kind) {
    case AWK_UNSET:
    case AWK_REF:
    case AWK_PLACE: return false;
    case AWK_NUM: return v->num != 0;
    case AWK_STR: return v->u.s->n != 0;
    case AWK_REGEX: {
        struct awk_val rec = awk_field_quick(a, 0);
        char tmp[AWK_TMP];
        return awk_re_match(a, v->u.re, awk_text(a, &rec, tmp), 0, 0, NULL, 0) > 0;
    }
    case AWK_ARRAY: awk_fatal(a, "attempt to use array in a scalar context"); return false;
    default:
        if (awk_is_number(v))
            return v->num != 0;
        return v->kind == AWK_SLICE ? v->n != 0 : v->u.s->n != 0;
    }
}

int awk_compare_str(struct awk *a, struct str x, struct str y)
{
    size_t n = MIN(x.n, y.n);

    if (a->icase) {
        /* As gawk does it: what is no whole character within the shorter text comes before all. */
        for (size_t i = 0, k = 0; i < n && k < n;) {
            int li = 1, lk = 1;
            uint32_t c = utf8_decode(x.p + i, n - i, &li), d = utf8_decode(y.p + k, n - k, &lk);
            int64_t v = c == UTF8_BAD ? -1 : (int64_t)utf8_lower(c);
            int64_t w = d == UTF8_BAD ? -1 : (int64_t)utf8_lower(d);
            if (v != w)
                return v < w ? -1 : 1;
            i += (size_t)li;
            k += (size_t)lk;
        }
        return x.n < y.n ? -1 : x.n > y.n;
    }
    int c = n ? memcmp(x.p, y.p, n) : 0;
    return c ? (c < 0 ? -1 : 1) : x.n < y.n ? -1 : x.n > y.n;
}

/* A number that is not finite has no text here: gawk 5.2 has exp(1000) == "". */
static struct str awk_compare_text(struct awk *a, struct awk_val *v, char *tmp)
{
    if (v->kind == AWK_NUM && !isfinite(v->num))
        return STR("");
    return awk_text(a, v, tmp);
}

int awk_compare(struct awk *a, struct awk_val *x, struct awk_val *y)
{
    char tx[AWK_TMP], ty[AWK_TMP];
    /* A string constant settles it: nothing need be looked at as a number. */
    bool text = x->kind == AWK_STR || y->kind == AWK_STR;

    if (!text && awk_is_number(x) && awk_is_number(y)) {
        double c = awk_is_unset(x) ? 0 : x->num;
        double d = awk_is_unset(y) ? 0 : y->num;
        if (UNLIKELY(isnan(c) || isnan(d)) && (awk_is_unset(x) || awk_is_unset(y)))
            return isnan(c) ? 1 : -1; /* gawk sorts here: NaN comes last */
        return c < d ? -1 : c > d ? 1 : c == d ? 0 : 2;
    }
    struct str s = awk_compare_text(a, x, tx);
    return awk_compare_str(a, s, awk_compare_text(a, y, ty));
}

/* awk_builtin.c -- the functions that awk brings with it */
#include "commands/awk/awk_run.h"

#include <math.h>

#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"

enum awk_function {
    AWK_F_AND,
    AWK_F_ASORT,
    AWK_F_ASORTI,
    AWK_F_ATAN2,
    AWK_F_BINDTEXTDOMAIN,
    AWK_F_CLOSE,
    AWK_F_COMPL,
    AWK_F_COS,
    AWK_F_DCGETTEXT,
    AWK_F_DCNGETTEXT,
    AWK_F_EXP,
    AWK_F_FFLUSH,
    AWK_F_GENSUB,
    AWK_F_GSUB,
    AWK_F_INDEX,
    AWK_F_INT,
    AWK_F_ISARRAY,
    AWK_F_LENGTH,
    AWK_F_LOG,
    AWK_F_LSHIFT,
    AWK_F_MATCH,
    AWK_F_MKBOOL,
    AWK_F_MKTIME,
    AWK_F_OR,
    AWK_F_PATSPLIT,
    AWK_F_RAND,
    AWK_F_RSHIFT,
    AWK_F_SIN,
    AWK_F_SPLIT,
    AWK_F_SPRINTF,
    AWK_F_SQRT,
    AWK_F_SRAND,
    AWK_F_STRFTIME,
    AWK_F_STRTONUM,
    AWK_F_SUB,
    AWK_F_SUBSTR,
    AWK_F_SYSTEM,
    AWK_F_SYSTIME,
    AWK_F_TOLOWER,
    AWK_F_TOUPPER,
    AWK_F_TYPEOF,
    AWK_F_XOR
};

/* In the order of the numbers, which is that of the names. */
static const struct awk_builtin awk_builtins[] = {
    {"and", 1, 127, AWK_F_AND, true, "v"},
    {"asort", 1, 3, AWK_F_ASORT, true, "aav"},
    {"asorti", 1, 3, AWK_F_ASORTI, true, "aav"},
    {"atan2", 2, 2, AWK_F_ATAN2, false, "v"},
    {"bindtextdomain", 1, 2, AWK_F_BINDTEXTDOMAIN, true, "v"},
    {"close", 1, 2, AWK_F_CLOSE, false, "v"},
    {"compl", 1, 1, AWK_F_COMPL, true, "v"},
    {"cos", 1, 1, AWK_F_COS, false, "v"},
    {"dcgettext", 1, 3, AWK_F_DCGETTEXT, true, "v"},
    {"dcngettext", 1, 5, AWK_F_DCNGETTEXT, true, "v"},
    {"exp", 1, 1, AWK_F_EXP, false, "v"},
    {"fflush", 0, 1, AWK_F_FFLUSH, false, "v"},
    {"gensub", 3, 4, AWK_F_GENSUB, true, "rv"},
    {"gsub", 2, 3, AWK_F_GSUB, false, "rvl"},
    {"index", 2, 2, AWK_F_INDEX, false, "v"},
    {"int", 1, 1, AWK_F_INT, false, "v"},
    {"isarray", 1, 1, AWK_F_ISARRAY, true, "n"},
    {"length", 0, 1, AWK_F_LENGTH, false, "n"},
    {"log", 1, 1, AWK_F_LOG, false, "v"},
    {"lshift", 2, 2, AWK_F_LSHIFT, true, "v"},
    {"match", 2, 3, AWK_F_MATCH, false, "vra"},
    {"mkbool", 1, 1, AWK_F_MKBOOL, true, "v"},
    {"mktime", 1, 2, AWK_F_MKTIME, true, "v"},
    {"or", 1, 127, AWK_F_OR, true, "v"},
    {"patsplit", 2, 4, AWK_F_PATSPLIT, true, "vara"},
    {"rand", 0, 0, AWK_F_RAND, false, "v"},
    {"rshift", 2, 2, AWK_F_RSHIFT, true, "v"},
    {"sin", 1, 1, AWK_F_SIN, false, "v"},
    {"split", 2, 4, AWK_F_SPLIT, false, "vara"},
    {"sprintf", 1, 127, AWK_F_SPRINTF, false, "v"},
    {"sqrt", 1, 1, AWK_F_SQRT, false, "v"},
    {"srand", 0, 1, AWK_F_SRAND, false, "v"},
    {"strftime", 0, 3, AWK_F_STRFTIME, true, "v"},
    {"strtonum", 1, 1, AWK_F_STRTONUM, true, "v"},
    {"sub", 2, 3, AWK_F_SUB, false, "rvl"},
    {"substr", 2, 3, AWK_F_SUBSTR, false, "v"},
    {"system", 1, 1, AWK_F_SYSTEM, false, "v"},
    {"systime", 0, 0, AWK_F_SYSTIME, true, "v"},
    {"tolower", 1, 1, AWK_F_TOLOWER, false, "v"},
    {"toupper", 1, 1, AWK_F_TOUPPER, false, "v"},
    {"typeof", 1, 1, AWK_F_TYPEOF, true, "n"},
    {"xor", 1, 127, AWK_F_XOR, true, "v"},
};

const struct awk_builtin *awk_builtin_find(struct str name)
{
    size_t lo = 0, hi = COUNT(awk_builtins);

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        int c = str_cmp(name, str_z(awk_builtins[mid].name));
        if (c == 0)
            return &awk_builtins[mid];
        if (c < 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    return NULL;
}

const struct awk_builtin *awk_builtin_row(int id) { return &awk_builtins[id]; }

/* ---- text ------------------------------------------------------------------------------------ */

static struct awk_val awk_number_of(size_t n) { return awk_number((double)n); }

/* Texts of ASCII alone, which most are, are recognised eight bytes at a time. */
size_t awk_count(struct awk *a, struct str s)
{
    uint64_t w, all = 0;
    size_t i = 0;

    if (a->bytes)
        return s.n;
    for (; i + 8 <= s.n; i += 8) {
        memcpy(&w, s.p + i, 8);
        all |= w;
    }
    for (; i < s.n; i++)
        all |= (unsigned char)s.p[i];
    return all & UINT64_C(0x8080808080808080) ? utf8_count(s) : s.n;
}

static struct awk_val awk_length(struct awk *a, int argc, struct awk_val *v)
{
    char tmp[AWK_TMP];

    if (argc == 0)
        return awk_number_of(awk_count(a, awk_record(a)));
    if (v->kind >= AWK_REF)
        awk_resolve(a, v, true);
    if (v->kind == AWK_ARRAY && a->posix)
        awk_fatal(a, "length: received array argument");
    if (v->kind == AWK_ARRAY)
        return awk_number_of(v->u.a->live);
    return awk_number_of(awk_count(a, awk_text(a, v, tmp)));
}

static bool awk_same_char(const char *x, size_t n, const char *y, size_t m, int *lx, int *ly)
{
    uint32_t c = utf8_decode(x, n, lx), d = utf8_decode(y, m, ly);
    if (c == UTF8_BAD || d == UTF8_BAD)
        return *x == *y;
    return utf8_lower(c) == utf8_lower(d);
}

/* index() with IGNORECASE. */
static ptrdiff_t awk_find_folded(struct awk *a, struct str s, struct str what)
{
    for (size_t i = 0; i <= s.n;) {
        size_t k = i, m = 0;
        int lx = 1, ly = 1;
        while (m < what.n && k < s.n &&
               awk_same_char(s.p + k, s.n - k, what.p + m, what.n - m, &lx, &ly)) {
            k += (size_t)lx;
            m += (size_t)ly;
        }
        if (m == what.n)
            return (ptrdiff_t)i;
        if (i == s.n)
            break;
        utf8_decode(s.p + i, s.n - i, &lx);
        i += (size_t)lx;
        if ((i & 1023) == 0 && !a->err)
            a->err = proc_tick(a->p, 1);
        if (a->err)
            break;
    }
    return -1;
}

static struct awk_val awk_index(struct awk *a, struct awk_val *argv)
{
    char tx[AWK_TMP], ty[AWK_TMP];
    struct str s = awk_text(a, &argv[0], tx), what = awk_text(a, &argv[1], ty);
    ptrdiff_t at = what.n == 0 ? 0 : a->icase ? awk_find_folded(a, s, what) : str_find(s, what);

    if (at < 0)
        return awk_number(0);
    return awk_number_of(awk_count(a, str_sub(s, 0, (size_t)at)) + 1);
}

/* A start below 1 counts as 1, and the length is not shortened for it: as gawk does. */
static struct awk_val awk_substr(struct awk *a, int argc, struct awk_val *argv)
{
    char tmp[AWK_TMP];
    double from = trunc(awk_to_num(a, &argv[1]));
    double n = argc > 2 ? trunc(awk_to_num(a, &argv[2])) : (double)INFINITY;
    struct str s = awk_text(a, &argv[0], tmp);

    if (!(from >= 1))
        from = 1;
    if (!(n > 0) || from > (double)s.n)
        return awk_text_val(awk_str_ref(a->empty));
    size_t skip = (size_t)from - 1, count = n > (double)s.n ? s.n : (size_t)n;
    if (a->bytes) {
        s = str_sub(s, skip, count);
    } else {
        s = str_from(s, utf8_offset(s, skip));
        s = str_sub(s, 0, count >= s.n ? s.n : utf8_offset(s, count));
    }
    if (awk_counted(&argv[0]) && s.n == argv[0].u.s->n)
        return awk_text_val(awk_str_ref(argv[0].u.s));
    return awk_text_val(awk_str_new(a, s.p, s.n));
}

static struct awk_val awk_fold_case(struct awk *a, struct awk_val *v, bool upper)
{
    char tmp[AWK_TMP];
    struct str s = awk_text(a, v, tmp);
    struct awk_str *t = awk_str_room(a, s.n);
    size_t i = 0;

    if (a->err || t->n != s.n)
        return awk_text_val(t);
    for (; i < s.n && (unsigned char)s.p[i] < 128; i++)
        t->p[i] = (char)(upper ? ascii_to_upper(s.p[i]) : ascii_to_lower(s.p[i]));
    if (i == s.n)
        return awk_text_val(t);
    /* Characters may change their length with their case. */
    buf_clear(&a->scratch);
    buf_add(&a->scratch, t->p, i);
    awk_str_unref(a, t);
    while (i < s.n) {
        int len;
        char out[8];
        uint32_t c = a->bytes ? UTF8_BAD : utf8_decode(s.p + i, s.n - i, &len);
        if (c == UTF8_BAD) {
            char b = s.p[i++];
            buf_putc(&a->scratch, (char)(upper ? ascii_to_upper(b) : ascii_to_lower(b)));
            continue;
        }
        i += (size_t)len;
        buf_add(&a->scratch, out, (size_t)utf8_encode(out, upper ? utf8_upper(c) : utf8_lower(c)));
    }
    struct str all = buf_get(&a->scratch);
    return awk_text_val(awk_str_new(a, all.p, all.n));
}

static struct awk_val awk_do_split(struct awk *a, int argc, struct awk_val *argv, bool pattern)
{
    const char *name = pattern ? "patsplit" : "split";
    char tmp[AWK_TMP], tmp2[AWK_TMP];

    if (argv[1].kind != AWK_ARRAY || (argc > 3 && argv[3].kind != AWK_ARRAY)) {
        awk_fatal(a, "%s: %s argument is not an array", name,
                  argc > 3 && argv[3].kind != AWK_ARRAY ? "fourth" : "second");
        return awk_number(0);
    }
    if (argc > 3 && argv[3].u.a == argv[1].u.a) {
        awk_fatal(a, "%s: cannot use the same array for second and fourth args", name);
        return awk_number(0);
    }
    struct awk_array *to = argv[1].u.a, *seps = argc > 3 ? argv[3].u.a : NULL;
    if (argc > 3 && a->traditional) {
        awk_fatal(a, "%s: fourth argument is a gawk extension", name);
        return awk_number(0);
    }
    if (to->table) {
        awk_fatal(a, "%s: cannot use %.*s as second argument", name, STR_ARG(to->name));
        return awk_number(0);
    }
    awk_own(a, &argv[0]);
    struct str s = awk_text(a, &argv[0], tmp);
    if (seps)
        awk_array_clear(a, seps);
    if (!pattern)
        return awk_number_of(awk_split(a, s, to, argc > 2 ? &argv[2] : NULL, seps));
    struct awk_val *pat = argc > 2 ? &argv[2] : awk_special(a, AWK_V_FPAT);
    size_t n = pat->kind == AWK_REGEX ? pat->u.re->text->n : awk_text(a, pat, tmp2).n;
    if (n == 0 && argc > 2) {
        awk_fatal(a, "%s: third argument must be non-null", name);
        return awk_number(0);
    }
    if (s.n == 0) { /* the pattern is not even looked at */
        awk_array_clear(a, to);
        return awk_number(0);
    }
    struct awk_re *re = awk_re_of(a, pat);
    if (!re)
        return awk_number(0);
    return awk_number_of(awk_patsplit(a, s, to, re, seps));
}

static struct awk_val awk_sprintf(struct awk *a, int argc, struct awk_val *argv)
{
    buf_clear(&a->scratch);
    awk_format(a, &a->scratch, argc, argv, "sprintf");
    struct str s = buf_get(&a->scratch);
    return awk_text_val(awk_str_new(a, s.p, s.n));
}

static struct awk_val awk_typeof(struct awk *a, struct awk_val *v)
{
    const char *t = "untyped";

    awk_resolve(a, v, false);
    switch (v->kind) {
    case AWK_UNSET: t = v->n ? "unassigned" : t; break;
    case AWK_ARRAY: t = "array"; break;
    case AWK_NUM: t = "number"; break;
    case AWK_STR: t = "string"; break;
    case AWK_REGEX: t = "regexp"; break;
    case AWK_SLICE:
        if (v->u.p == awk_nothing) {
            t = "unassigned";
            break;
        }
        FALLTHROUGH;
    case AWK_INPUT:
    case AWK_STRNUM: t = awk_is_number(v) ? "strnum" : "string"; break;
    default: break;
    }
    if (awk_counted(v) && v->u.s == a->absent)
        t = "unassigned";
    return awk_text_val(awk_str_new(a, t, strlen(t)));
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* 0 and digits below 8, up to something else that does not make it a decimal number. */
static bool awk_is_octal(struct str s)
{
    size_t i = 1;

    if (s.n < 2 || s.p[0] != '0' || !ascii_digit(s.p[1]))
        return false;
    while (i < s.n && s.p[i] >= '0' && s.p[i] <= '7')
        i++;
    return i == s.n || !strchr("89eE.", s.p[i]);
}

/* Source text: decimal, or octal and hexadecimal as in C. */
static double awk_strtonum(struct awk *a, struct awk_val *v)
{
    char tmp[AWK_TMP];
    double d = 0;

    if (awk_is_number(v)) /* input that looks like one, too: 077 is 77 there */
        return awk_to_num(a, v);
    struct str s = str_trim(awk_text(a, v, tmp));
    if (awk_looks_numeric(s, &d) && !isfinite(d))
        return d;
    d = 0;
    if (s.n > 2 && s.p[0] == '0' && (s.p[1] == 'x' || s.p[1] == 'X')) {
        for (size_t i = 2; i < s.n; i++) {
            int c = ascii_to_lower(s.p[i]);
            int digit = ascii_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
            if (digit < 0)
                break;
            d = d * 16 + digit;
        }
    } else if (awk_is_octal(s)) {
        for (size_t i = 1; i < s.n && s.p[i] >= '0' && s.p[i] <= '7'; i++)
            d = d * 8 + (s.p[i] - '0');
    } else {
        size_t used;
        d = awk_parse_num(s, &used);
    }
    return d;
}

/* Whole numbers from 0 on; anything else is told and ends the run. */
static uint64_t awk_bits(struct awk *a, const char *name, int i, struct awk_val *v)
{
    double d = awk_to_num(a, v);
    char tmp[AWK_TMP];

    if (d < 0) {
        size_t n = awk_format_num(a, d, a->convfmt, a->convfmt_plain, tmp);
        if (strcmp(name, "compl") == 0)
            awk_fatal(a, "compl(%f): negative value is not allowed", d);
        else
            awk_fatal(a, "%s: argument %d negative value %.*s is not allowed", name, i + 1, (int)n,
                      tmp);
        return 0;
    }
    return d < 18446744073709551616.0 ? (uint64_t)d : UINT64_MAX;
}

static struct awk_val awk_bitwise(struct awk *a, int id, int argc, struct awk_val *argv)
{
    const char *name = awk_builtins[id].name;

    if (id == AWK_F_LSHIFT || id == AWK_F_RSHIFT) {
        double x = awk_to_num(a, &argv[0]), y = awk_to_num(a, &argv[1]);
        if (x < 0 || y < 0) {
            awk_fatal(a, "%s(%f, %f): negative values are not allowed", name, x, y);
            return awk_number(0);
        }
    }
    if (argc < 2 && id != AWK_F_COMPL) {
        awk_fatal(a, "%s: called with less than two arguments", name);
        return awk_number(0);
    }
    uint64_t v = awk_bits(a, name, 0, &argv[0]);

    if (id == AWK_F_COMPL)
        return awk_number((double)(~v & ((UINT64_C(1) << 53) - 1)));
    for (int i = 1; i < argc && !a->err; i++) {
        uint64_t w = awk_bits(a, name, i, &argv[i]);
        switch (id) {
        case AWK_F_AND: v &= w; break;
        case AWK_F_OR: v |= w; break;
        case AWK_F_XOR: v ^= w; break;
        case AWK_F_LSHIFT: v = w < 64 ? v << w : 0; break;
        default: v = w < 64 ? v >> w : 0; break;
        }
    }
    return awk_number((double)v);
}

static double awk_math(struct awk *a, int id, struct awk_val *v)
{
    double d = awk_to_num(a, v), r;
    char tmp[AWK_TMP];

    switch (id) {
    case AWK_F_COS: return cos(d);
    case AWK_F_SIN: return sin(d);
    case AWK_F_INT: return trunc(d);
    case AWK_F_EXP:
        r = exp(d);
        if (isinf(r) && isfinite(d))
            awk_warn(a, "exp: argument %.*s is out of range",
                     (int)fmt_print(tmp, sizeof tmp, "%g", d), tmp);
        return r;
    default:
        if (d < 0)
            awk_warn(a, "%s: received negative argument %.*s", awk_builtins[id].name,
                     (int)fmt_print(tmp, sizeof tmp, "%g", d), tmp);
        r = id == AWK_F_LOG ? log(d) : sqrt(d);
        return d < 0 && isnan(r) ? -(double)NAN : r;
    }
}

/* ---- random numbers -------------------------------------------------------------------------- */

enum {
    AWK_RAND_DEGREE = 63,
    AWK_RAND_SHUFFLE = 512
};

/* The generator of the BSD C library with 63 words of state, behind a shuffle: it gives the numbers
 * that gawk gives for the same seed. */
struct awk_random {
    uint32_t word[AWK_RAND_DEGREE];
    uint32_t shuffle[AWK_RAND_SHUFFLE];
    uint32_t last;
    int front, rear;
};

static uint32_t awk_random_raw(struct awk_random *r)
{
    uint32_t v = r->word[r->front] += r->word[r->rear];
    r->front = (r->front + 1) % AWK_RAND_DEGREE;
    r->rear = (r->rear + 1) % AWK_RAND_DEGREE;
    return v >> 1;
}

static uint32_t awk_random_next(struct awk_random *r)
{
    uint32_t *slot = &r->shuffle[r->last % AWK_RAND_SHUFFLE];
    r->last = *slot;
    *slot = awk_random_raw(r);
    return r->last;
}

void awk_srand(struct awk *a, double seed)
{
    struct awk_random *r = a->random;

    if (!r)
        r = a->random = arena_new(a->p->arena, struct awk_random);
    if (!r) {
        awk_nomem(a);
        return;
    }
    uint32_t x = seed > -9e18 && seed < 9e18 ? (uint32_t)(int64_t)seed : 0;
    for (int i = 0; i < AWK_RAND_DEGREE; i++) {
        r->word[i] = x;
        /* 16807 x mod 2^31 - 1, with a 0 replaced and negative numbers carried through. */
        int32_t s = x ? (int32_t)x : 123459876;
        s = 16807 * (s % 127773) - 2836 * (s / 127773);
        x = (uint32_t)(s < 0 ? s + 0x7fffffff : s);
    }
    r->front = 1;
    r->rear = 0;
    for (int i = 0; i < AWK_RAND_SHUFFLE; i++)
        r->shuffle[i] = awk_random_raw(r);
    r->last = awk_random_raw(r);
    for (int i = 0; i < 10 * AWK_RAND_DEGREE; i++)
        awk_random_next(r);
}

double awk_rand(struct awk *a)
{
    if (!a->random)
        awk_srand(a, 1);
    if (!a->random)
        return 0;
    double low = awk_random_next(a->random), high = awk_random_next(a->random);
    return 0.5 + (low / 2147483648.0 + high) / 2147483648.0 - 0.5;
}

static double awk_do_srand(struct awk *a, int argc, struct awk_val *argv)
{
    double before = a->seed;

    a->seed =
        argc ? awk_to_num(a, &argv[0]) : (double)(sched_now(&a->p->kernel->sched) / 1000000000);
    awk_srand(a, a->seed);
    return before;
}

static void awk_table_add(struct awk *a, struct awk_array *t, struct str name, bool value)
{
    struct awk_val v = {0};
    if (value)
        v = awk_text_val(awk_str_new(a, name.p, name.n));
    awk_array_put(a, t, name, v);
}

void awk_tables(struct awk *a)
{
    if (!a->tables || a->traditional)
        return;
    struct awk_array *t = awk_array_new(a), *f = awk_array_new(a);
    if (t)
        *awk_special(a, AWK_V_SYMTAB) = (struct awk_val){.u.a = t, .kind = AWK_ARRAY};
    if (f)
        *awk_special(a, AWK_V_FUNCTAB) = (struct awk_val){.u.a = f, .kind = AWK_ARRAY};
    if (!t || !f)
        return;
    for (size_t i = 0; i < a->global_names.n && !a->err; i++) {
        if (i != AWK_V_SYMTAB && i != AWK_V_FUNCTAB)
            awk_table_add(a, t, a->global_names.p[i], false);
    }
    for (size_t i = 0; i < COUNT(awk_builtins) && !a->err; i++)
        awk_table_add(a, f, str_z(awk_builtins[i].name), true);
    for (size_t i = 0; i < a->funcs.n && !a->err; i++) {
        if (a->funcs.p[i].defined)
            awk_table_add(a, f, a->funcs.p[i].name, true);
    }
    t->name = STR("SYMTAB");
    f->name = STR("FUNCTAB");
    t->table = AWK_V_SYMTAB;
    f->table = AWK_V_FUNCTAB;
}

bool awk_table_locked(struct awk *a, const struct awk_array *t)
{
    if (t->table)
        awk_fatal(a, "`delete' is not allowed with %.*s", STR_ARG(t->name));
    return t->table != 0;
}

/* ---- the table at work ----------------------------------------------------------------------- */

static struct awk_val awk_do_files(struct awk *a, int id, int argc, struct awk_val *argv)
{
    char tmp[AWK_TMP], tmp2[AWK_TMP];
    struct str s = argc ? awk_text(a, &argv[0], tmp) : STR("");

    if (a->err)
        return awk_number(0);
    if (id == AWK_F_SYSTEM)
        return awk_number(awk_system(a, s));
    if (id == AWK_F_FFLUSH)
        return awk_number(awk_fflush(a, argc ? &s : NULL));
    return awk_number(awk_close(a, s, argc > 1 ? awk_text(a, &argv[1], tmp2) : STR("")));
}

static struct awk_val awk_gettext(struct awk *a, int id, int argc, struct awk_val *argv)
{
    if (id == AWK_F_DCNGETTEXT && argc > 2)
        return awk_copy(a, &argv[awk_to_num(a, &argv[2]) == 1 ? 0 : 1]);
    if (id == AWK_F_BINDTEXTDOMAIN)
        return awk_text_val(awk_str_ref(a->empty));
    return awk_copy(a, &argv[0]);
}

static struct awk_val awk_builtin_value(struct awk *a, int id, int argc, struct awk_val *argv)
{
    switch (id) {
    case AWK_F_ASORT:
    case AWK_F_ASORTI: {
        struct awk_array *t = argv[0].kind == AWK_ARRAY ? argv[0].u.a : NULL;
        size_t n = t ? t->live : 0;
        awk_builtin_asort(a, argc, argv, id == AWK_F_ASORTI);
        return awk_number_of(n);
    }
    case AWK_F_ATAN2: return awk_number(atan2(awk_to_num(a, &argv[0]), awk_to_num(a, &argv[1])));
    case AWK_F_BINDTEXTDOMAIN:
    case AWK_F_DCGETTEXT:
    case AWK_F_DCNGETTEXT: return awk_gettext(a, id, argc, argv);
    case AWK_F_CLOSE:
    case AWK_F_FFLUSH:
    case AWK_F_SYSTEM: return awk_do_files(a, id, argc, argv);
    case AWK_F_GENSUB: return awk_gensub(a, argc, argv);
    case AWK_F_INDEX: return awk_index(a, argv);
    case AWK_F_ISARRAY: return awk_number(argv[0].kind == AWK_ARRAY);
    case AWK_F_LENGTH: return awk_length(a, argc, argv);
    case AWK_F_MATCH: return awk_number(awk_match(a, argc, argv));
    case AWK_F_MKBOOL: return awk_number(awk_truth(a, &argv[0]));
    case AWK_F_MKTIME: return awk_mktime(a, argc, argv);
    case AWK_F_PATSPLIT: return awk_do_split(a, argc, argv, true);
    case AWK_F_RAND: return awk_number(awk_rand(a));
    case AWK_F_SPLIT: return awk_do_split(a, argc, argv, false);
    case AWK_F_SPRINTF: return awk_sprintf(a, argc, argv);
    case AWK_F_SRAND: return awk_number(awk_do_srand(a, argc, argv));
    case AWK_F_STRFTIME: return awk_strftime(a, argc, argv);
    case AWK_F_STRTONUM: return awk_number(awk_strtonum(a, &argv[0]));
    case AWK_F_SUBSTR: return awk_substr(a, argc, argv);
    case AWK_F_SYSTIME: return awk_number((double)(sched_now(&a->p->kernel->sched) / 1000000000));
    case AWK_F_TOLOWER: return awk_fold_case(a, &argv[0], false);
    case AWK_F_TOUPPER: return awk_fold_case(a, &argv[0], true);
    case AWK_F_TYPEOF: return awk_typeof(a, &argv[0]);
    case AWK_F_AND:
    case AWK_F_OR:
    case AWK_F_XOR:
    case AWK_F_LSHIFT:
    case AWK_F_RSHIFT:
    case AWK_F_COMPL: return awk_bitwise(a, id, argc, argv);
    default: return awk_number(awk_math(a, id, &argv[0]));
    }
}

void awk_builtin_run(struct awk *a, int id, int argc)
{
    size_t at = (size_t)(a->sp - a->stack) - (size_t)argc;

    if (id == AWK_F_LENGTH && argc == 1 && a->sp[-1].kind == AWK_SLICE) { /* what most ask for */
        struct awk_val *v = &a->sp[-1];
        awk_put_number(v, (double)awk_count(a, str_of(v->u.p, v->n)));
        return;
    }

    /* The stack may move while a function of the program is called back. */
    if (!awk_push_room(a, 8))
        return;
    struct awk_val r = awk_builtin_value(a, id, argc, a->stack + at);
    while (a->sp > a->stack + at)
        awk_drop(a, --a->sp);
    *a->sp++ = r;
}

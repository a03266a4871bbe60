/* regex_set.c -- sets of characters as sorted spans: classes, negation, case */
#include "base/unicode.h"
#include "text/regex_impl.h"

bool regex_set_add(struct arena *a, struct regex_set *s, uint32_t lo, uint32_t hi)
{
    if (s->n > 0 && s->p[s->n - 1].hi + 1 == lo) {
        s->p[s->n - 1].hi = hi;
        return true;
    }
    if (s->n == s->cap) {
        size_t cap = s->cap ? s->cap * 2 : 4;
        struct regex_span *p = arena_grow(a, s->p, s->cap * sizeof *p, cap * sizeof *p);
        if (!p)
            return false;
        s->p = p;
        s->cap = cap;
    }
    s->p[s->n++] = (struct regex_span){lo, hi};
    return true;
}

/* Restores the heap order below `at`; the spans are sorted by a heap sort, which needs no room. */
static void regex_set_sift(struct regex_span *p, size_t at, size_t n)
{
    for (;;) {
        size_t kid = 2 * at + 1;
        if (kid >= n)
            return;
        if (kid + 1 < n && p[kid].lo < p[kid + 1].lo)
            kid++;
        if (p[at].lo >= p[kid].lo)
            return;
        struct regex_span t = p[at];
        p[at] = p[kid];
        p[kid] = t;
        at = kid;
    }
}

void regex_set_tidy(struct regex_set *s)
{
    struct regex_span *p = s->p;
    bool sorted = true;
    for (size_t i = 1; i < s->n && sorted; i++)
        sorted = p[i - 1].lo <= p[i].lo;
    if (!sorted) {
        for (size_t i = s->n / 2; i-- > 0;)
            regex_set_sift(p, i, s->n);
        for (size_t i = s->n; i-- > 1;) {
            struct regex_span t = p[0];
            p[0] = p[i];
            p[i] = t;
            regex_set_sift(p, 0, i);
        }
    }
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (n > 0 && p[i].lo <= p[n - 1].hi + 1)
            p[n - 1].hi = MAX(p[n - 1].hi, p[i].hi);
        else
            p[n++] = p[i];
    }
    s->n = n;
}

bool regex_set_has(const struct regex_set *s, uint32_t c)
{
    size_t lo = 0, hi = s->n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (c > s->p[mid].hi)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < s->n && s->p[lo].lo <= c;
}

bool regex_set_remove(struct arena *a, struct regex_set *s, uint32_t c)
{
    struct regex_set out = {0};
    if (!regex_set_has(s, c))
        return true;
    for (size_t i = 0; i < s->n; i++) {
        struct regex_span v = s->p[i];
        if (c < v.lo || c > v.hi) {
            if (!regex_set_add(a, &out, v.lo, v.hi))
                return false;
            continue;
        }
        if (c > v.lo && !regex_set_add(a, &out, v.lo, c - 1))
            return false;
        if (c < v.hi && !regex_set_add(a, &out, c + 1, v.hi))
            return false;
    }
    *s = out;
    return true;
}

bool regex_set_negate(struct arena *a, struct regex_set *s, unsigned flags)
{
    /* What is a character at all: no surrogates, and raw bytes only where bytes are characters. */
    static const struct regex_span text[] = {{0, 0xD7FF}, {0xE000, 0x10FFFF}};
    static const struct regex_span bytes[] = {{0, 127}, {REGEX_RAW + 128, REGEX_RAW + 255}};
    const struct regex_span *all = flags & REGEX_BYTES ? bytes : text;
    struct regex_set out = {0};
    for (int k = 0; k < 2; k++) {
        uint32_t at = all[k].lo;
        for (size_t i = 0; i < s->n && at <= all[k].hi; i++) {
            if (s->p[i].hi < at)
                continue;
            if (s->p[i].lo > at && !regex_set_add(a, &out, at, MIN(s->p[i].lo - 1, all[k].hi)))
                return false;
            at = s->p[i].hi + 1;
        }
        if (at <= all[k].hi && !regex_set_add(a, &out, at, all[k].hi))
            return false;
    }
    *s = out;
    return true;
}

uint32_t regex_upper(uint32_t c, unsigned flags)
{
    if (c < 128 || c >= REGEX_RAW || (flags & REGEX_BYTES))
        return ascii_lower((int)c) ? c - 32 : c;
    return utf8_upper(c);
}

bool regex_is_word(uint32_t c)
{
    if (c < 128)
        return ascii_alnum((int)c) || c == '_';
    return c <= 0x10FFFF && (utf8_is_alpha(c) || utf8_is_digit(c));
}

/* The part within ASCII. Two of its letters are the upper case of something else as well: the i
 * without a dot and the long s. */
static bool regex_fold_ascii(struct arena *a, const struct regex_set *s, struct regex_set *out,
                             unsigned flags)
{
    for (int c = 0; c < 128; c++)
        if (regex_set_has(s, regex_upper((uint32_t)c, flags)) &&
            !regex_set_add(a, out, (uint32_t)c, (uint32_t)c))
            return false;
    if (flags & REGEX_BYTES)
        return true;
    return (!regex_set_has(s, 'I') || regex_set_add(a, out, 0x131, 0x131)) &&
           (!regex_set_has(s, 'S') || regex_set_add(a, out, 0x17F, 0x17F));
}

/* Adds the members of s above ASCII that are not in `less`, which is tidy. */
static bool regex_fold_rest(struct arena *a, const struct regex_set *s,
                            const struct regex_set *less, struct regex_set *out)
{
    for (size_t i = 0; i < s->n; i++) {
        uint32_t at = MAX(s->p[i].lo, 128), hi = s->p[i].hi;
        for (size_t k = 0; k < less->n && at <= hi; k++) {
            if (less->p[k].hi < at || less->p[k].lo > hi)
                continue;
            if (less->p[k].lo > at && !regex_set_add(a, out, at, less->p[k].lo - 1))
                return false;
            at = less->p[k].hi + 1;
        }
        if (at <= hi && !regex_set_add(a, out, at, hi))
            return false;
    }
    return true;
}

bool regex_set_fold(struct arena *a, struct regex_set *s, unsigned flags)
{
    struct regex_set out = {0}, lower = {0};
    if (!regex_fold_ascii(a, s, &out, flags))
        return false;
    const struct unicode_case *up = unicode_to_upper;
    bool wide = s->n > 0 && s->p[s->n - 1].hi >= 128 && !(flags & REGEX_BYTES);
    for (size_t i = 0; i < unicode_to_upper_count && wide; i++)
        for (uint32_t k = 0; k < up[i].count; k++) {
            uint32_t c = (up[i].start >> 8) + k * (up[i].start & 0xFF);
            if (c < 128)
                continue;
            if (!regex_set_add(a, &lower, c, c) ||
                (regex_set_has(s, utf8_upper(c)) && !regex_set_add(a, &out, c, c)))
                return false;
        }
    regex_set_tidy(&lower);
    if (!regex_fold_rest(a, s, &lower, &out))
        return false;
    regex_set_tidy(&out);
    *s = out;
    return true;
}

/* ---- classes --------------------------------------------------------------------------------- */

enum regex_class {
    REGEX_C_ALNUM,
    REGEX_C_ALPHA,
    REGEX_C_BLANK,
    REGEX_C_CNTRL,
    REGEX_C_DIGIT,
    REGEX_C_GRAPH,
    REGEX_C_LOWER,
    REGEX_C_PRINT,
    REGEX_C_PUNCT,
    REGEX_C_SPACE,
    REGEX_C_UPPER,
    REGEX_C_XDIGIT
};

static bool regex_class_ascii(enum regex_class k, int c)
{
    switch (k) {
    case REGEX_C_ALNUM: return ascii_alnum(c);
    case REGEX_C_ALPHA: return ascii_alpha(c);
    case REGEX_C_BLANK: return c == ' ' || c == '\t';
    case REGEX_C_CNTRL: return c < 32 || c == 127;
    case REGEX_C_DIGIT: return ascii_digit(c);
    case REGEX_C_GRAPH: return c > 32 && c < 127;
    case REGEX_C_LOWER: return ascii_lower(c);
    case REGEX_C_PRINT: return ascii_print(c);
    case REGEX_C_PUNCT: return c > 32 && c < 127 && !ascii_alnum(c);
    case REGEX_C_SPACE: return ascii_space(c);
    case REGEX_C_UPPER: return ascii_upper(c);
    case REGEX_C_XDIGIT: return ascii_digit(c) || ((unsigned)c | 32) - 'a' < 6;
    }
    return false;
}

/* The letters of one case: those that change, and those that have no partner. */
static bool regex_class_case(struct arena *a, struct regex_set *s, const struct unicode_case *map,
                             uint32_t nmap, const uint32_t *only, uint32_t nonly)
{
    for (uint32_t i = 0; i < nmap; i++)
        for (uint32_t k = 0; k < map[i].count; k++) {
            uint32_t c = (map[i].start >> 8) + k * (map[i].start & 0xFF);
            if (c >= 128 && !regex_set_add(a, s, c, c))
                return false;
        }
    for (uint32_t i = 0; i < nonly; i++) {
        uint32_t c = only[i] >> 8, n = only[i] & 0xFF;
        if (c >= 128 && n > 0 && !regex_set_add(a, s, c, c + n - 1))
            return false;
    }
    return true;
}

static bool regex_class_run(enum regex_class k, unsigned bits)
{
    bool alpha = bits & UNICODE_ALPHA, print = bits & UNICODE_PRINT;
    switch (k) {
    case REGEX_C_ALNUM:
    case REGEX_C_ALPHA: return alpha;
    case REGEX_C_PUNCT: return print && !alpha;
    case REGEX_C_GRAPH:
    case REGEX_C_PRINT: return print;
    default: return false;
    }
}

/* The part of a class above ASCII, by the runs of the Unicode tables. */
static bool regex_class_wide(struct arena *a, struct regex_set *s, enum regex_class k)
{
    static const struct regex_span space[] = {{0x1680, 0x1680}, {0x2000, 0x2006}, {0x2008, 0x200A},
                                              {0x2028, 0x2029}, {0x205F, 0x205F}, {0x3000, 0x3000}};
    if (k == REGEX_C_UPPER)
        return regex_class_case(a, s, unicode_to_lower, unicode_to_lower_count, unicode_only_upper,
                                unicode_only_upper_count);
    if (k == REGEX_C_LOWER)
        return regex_class_case(a, s, unicode_to_upper, unicode_to_upper_count, unicode_only_lower,
                                unicode_only_lower_count);
    if (k == REGEX_C_CNTRL)
        return regex_set_add(a, s, 0x80, 0x9F) && regex_set_add(a, s, 0x2028, 0x2029);
    if (k == REGEX_C_SPACE || k == REGEX_C_BLANK) {
        for (size_t i = 0; i < COUNT(space); i++)
            if ((k == REGEX_C_SPACE || space[i].lo != 0x2028) &&
                !regex_set_add(a, s, space[i].lo, space[i].hi))
                return false;
        return true;
    }
    bool split = k == REGEX_C_PUNCT || k == REGEX_C_GRAPH; /* spaces are printed but not these */
    for (uint32_t i = 0; i < unicode_classes_count; i++) {
        uint32_t lo = unicode_classes[i] >> 8;
        uint32_t hi = i + 1 < unicode_classes_count ? (unicode_classes[i + 1] >> 8) - 1 : 0x10FFFF;
        if (hi < 128 || !regex_class_run(k, unicode_classes[i]))
            continue;
        lo = MAX(lo, 128);
        for (size_t j = 0; split && j < COUNT(space) && lo <= hi; j++) {
            if (space[j].hi < lo || space[j].lo > hi)
                continue;
            if (space[j].lo > lo && !regex_set_add(a, s, lo, space[j].lo - 1))
                return false;
            lo = space[j].hi + 1;
        }
        if (lo <= hi && !regex_set_add(a, s, lo, hi))
            return false;
    }
    return true;
}

int regex_set_class(struct arena *a, struct regex_set *s, struct str name, unsigned flags)
{
    static const char *const names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                        "lower", "print", "punct", "space", "upper", "xdigit"};
    size_t k = 0;
    while (k < COUNT(names) && !str_eqz(name, names[k]))
        k++;
    if (k == COUNT(names))
        return 0;
    if ((flags & REGEX_ICASE) && (k == REGEX_C_UPPER || k == REGEX_C_LOWER))
        k = REGEX_C_ALPHA;
    for (int c = 0; c < 128; c++)
        if (regex_class_ascii((enum regex_class)k, c) &&
            !regex_set_add(a, s, (uint32_t)c, (uint32_t)c))
            return HOB_ENOMEM;
    if (!(flags & REGEX_BYTES) && !regex_class_wide(a, s, (enum regex_class)k))
        return HOB_ENOMEM;
    return 1;
}

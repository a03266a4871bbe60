/* regex_bytes.c -- bytes that every match must hold or begin with, where there is no string to find
 *
 * From the tree comes for each part the set of bytes it may begin with, and a set of which every
 * match holds one. A set that is rare in ordinary text and made of few ranges is looked for at 16
 * places at a time.
 */
#include "text/regex_impl.h"

struct regex_bits {
    uint64_t w[4];
};

/* What is known of a part of the tree. */
struct regex_reach {
    struct regex_bits first; /* bytes that what it matches may begin with */
    struct regex_bits need;  /* what it matches holds one of these, */
    bool needs;              /* if this is true */
    bool empty;              /* it may match nothing */
};

static void regex_bits_add(struct regex_bits *b, unsigned lo, unsigned hi)
{
    for (unsigned c = lo; c <= hi; c++)
        b->w[c / 64] |= (uint64_t)1 << c % 64;
}

static void regex_bits_or(struct regex_bits *b, const struct regex_bits *more)
{
    for (int i = 0; i < 4; i++)
        b->w[i] |= more->w[i];
}

static bool regex_bits_has(const struct regex_bits *b, unsigned c)
{
    return b->w[c / 64] >> c % 64 & 1;
}

/* How many of a thousand bytes of text are in the set. */
static unsigned regex_bits_rate(const struct regex_bits *b)
{
    unsigned sum = 0;
    for (unsigned c = 0; c < 256; c++)
        sum += regex_bits_has(b, c) ? regex_frequency((uint8_t)c, false) : 0;
    return sum;
}

static unsigned regex_lead_byte(uint32_t c)
{
    char text[8];
    utf8_encode(text, c);
    return (unsigned char)text[0];
}

static void regex_reach_set(const struct regex_set *s, struct regex_reach *r)
{
    for (size_t i = 0; i < s->n; i++) {
        uint32_t lo = s->p[i].lo, hi = s->p[i].hi;
        if (lo >= REGEX_RAW)
            regex_bits_add(&r->first, lo - REGEX_RAW, hi - REGEX_RAW);
        else
            regex_bits_add(&r->first, regex_lead_byte(lo),
                           regex_lead_byte(MIN(hi, (uint32_t)0x10FFFF)));
    }
    r->need = r->first;
    r->needs = true;
}

static void regex_reach_of(const struct regex_ast *t, struct regex_reach *r);

/* Parts in a row: of what each of them needs, the rarest is taken. */
static void regex_reach_cat(const struct regex_ast *t, struct regex_reach *r)
{
    unsigned best = UINT32_MAX;
    r->empty = true;
    for (uint32_t i = 0; i < t->nkids; i++) {
        struct regex_reach k;
        regex_reach_of(t->kids[i], &k);
        if (r->empty)
            regex_bits_or(&r->first, &k.first);
        r->empty &= k.empty;
        if (k.needs && regex_bits_rate(&k.need) < best) {
            best = regex_bits_rate(&k.need);
            r->need = k.need;
            r->needs = true;
        }
    }
}

static void regex_reach_alt(const struct regex_ast *t, struct regex_reach *r)
{
    r->needs = true;
    for (uint32_t i = 0; i < t->nkids; i++) {
        struct regex_reach k;
        regex_reach_of(t->kids[i], &k);
        regex_bits_or(&r->first, &k.first);
        regex_bits_or(&r->need, &k.need);
        r->empty |= k.empty;
        r->needs &= k.needs;
    }
}

/* Recursion is bounded by the parser. */
static void regex_reach_of(const struct regex_ast *t, struct regex_reach *r)
{
    memset(r, 0, sizeof *r);
    r->empty = true;
    if (!t || t->op == REGEX_ASSERT)
        return;
    r->empty = false;
    switch (t->op) {
    case REGEX_SET: regex_reach_set(&t->set, r); break;
    case REGEX_CAT: regex_reach_cat(t, r); break;
    case REGEX_ALT: regex_reach_alt(t, r); break;
    case REGEX_GROUP: regex_reach_of(t->kids[0], r); break;
    case REGEX_REP:
        regex_reach_of(t->kids[0], r);
        r->empty |= t->min == 0;
        r->needs &= t->min > 0;
        break;
    case REGEX_WORDS:
        r->empty = t->words->end;
        for (const struct regex_word *w = t->words->child; w; w = w->next)
            regex_bits_add(&r->first, w->byte, w->byte);
        r->need = r->first;
        r->needs = !r->empty;
        break;
    default: /* a back-reference repeats anything */
        regex_bits_add(&r->first, 0, 255);
        r->empty = true;
        break;
    }
}

/* The set as ranges, if it has few and is met in fewer than `rate` of a thousand bytes. */
static void regex_bytes_keep(const struct regex_bits *b, unsigned rate, struct regex_bytes *out)
{
    out->n = 0;
    if (regex_bits_rate(b) >= rate)
        return;
    for (unsigned c = 0; c < 256; c++) {
        if (!regex_bits_has(b, c))
            continue;
        if (out->n == REGEX_RANGES) {
            out->n = 0;
            return;
        }
        unsigned last = c;
        while (last < 255 && regex_bits_has(b, last + 1))
            last++;
        out->lo[out->n] = (uint8_t)c;
        out->width[out->n++] = (uint8_t)(last - c);
        c = last;
    }
}

void regex_bytes_build(const struct regex_ast *t, struct regex_bytes *start,
                       struct regex_bytes *need)
{
    struct regex_reach r;
    regex_reach_of(t, &r);
    start->n = need->n = 0;
    if (!r.empty)
        regex_bytes_keep(&r.first, 150, start);
    if (r.needs)
        regex_bytes_keep(&r.need, 300, need); /* who uses it sees whether it is worth it */
}

static bool regex_bytes_have(const struct regex_bytes *b, uint8_t c)
{
    for (int k = 0; k < b->n; k++)
        if ((uint8_t)(c - b->lo[k]) <= b->width[k])
            return true;
    return false;
}

size_t regex_bytes_find(const struct regex_bytes *b, struct str text, size_t from)
{
    size_t i = from;
#if defined(__x86_64__) && defined(__GNUC__)
    typedef uint8_t vec __attribute__((vector_size(16)));
    typedef char chars __attribute__((vector_size(16)));
    vec lo[REGEX_RANGES], width[REGEX_RANGES], a;
    for (int k = 0; k < b->n; k++) {
        lo[k] = (vec){0} + b->lo[k];
        width[k] = (vec){0} + b->width[k];
    }
    for (; text.n - i >= 16; i += 16) {
        memcpy(&a, text.p + i, sizeof a);
        vec hit = (vec)(a - lo[0] <= width[0]);
        for (int k = 1; k < b->n; k++)
            hit |= (vec)(a - lo[k] <= width[k]);
        uint32_t mask = (uint32_t)__builtin_ia32_pmovmskb128((chars)hit);
        if (mask)
            return i + (size_t)__builtin_ctz(mask);
    }
#endif
    for (; i < text.n; i++)
        if (regex_bytes_have(b, (uint8_t)text.p[i]))
            return i;
    return SIZE_MAX;
}

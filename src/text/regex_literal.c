/* regex_literal.c -- strings that every match must hold, and looking for them fast
 *
 * From the tree come up to eight strings of which each match holds one, and, if there are such, up
 * to eight of which each match begins with one. They are looked for by their two rarest bytes, at
 * 16 or 32 places at a time.
 */
#include "text/regex_impl.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define REGEX_SIMD 1
#else
#define REGEX_SIMD 0
#endif

enum {
    REGEX_LIT_MAX = 64
}; /* longer ones are cut */

/* ---- from the tree --------------------------------------------------------------------------- */

/* Strings in the arena. n == 0: nothing is known. */
struct regex_strs {
    int n;
    struct str v[REGEX_LITERALS];
};

struct regex_info {
    bool exact; /* matches are exactly `start`, or would be but for assertions */
    bool plain; /* no assertion in it */
    struct regex_strs start, need;
};

struct regex_extract {
    struct arena *a;
    unsigned flags;
    bool failed;
};

unsigned regex_frequency(uint8_t c, bool icase)
{
    static const uint8_t letters[26] = {60, 12, 28, 30, 90, 16, 14, 26, 58, 2,  6, 32, 22,
                                        56, 58, 20, 2,  54, 54, 70, 24, 8,  10, 4, 12, 2};
    if (ascii_lower(c))
        return letters[c - 'a'] + (icase ? 5u : 0u);
    if (ascii_upper(c))
        return icase ? letters[c - 'A'] + 5u : 5;
    if (c == ' ')
        return 130;
    if (c == '\n' || c == '0' || c == '1')
        return 25;
    if (ascii_digit(c))
        return 12;
    if (c == '.' || c == ',' || c == '-' || c == '_' || c == '/' || c == '"' || c == '=' ||
        c == '(' || c == ')' || c == ':' || c == ';' || c == '\t')
        return 10;
    return c >= 128 ? 8 : 3;
}

/* How often one of them is met, in a million bytes; at most a million. */
static unsigned regex_rate(const struct regex_strs *s, unsigned flags)
{
    uint64_t sum = s->n ? 0 : 1000000;
    for (int i = 0; i < s->n; i++) {
        unsigned one = 1000, two = 1000;
        for (size_t k = 0; k < s->v[i].n; k++) {
            unsigned f = regex_frequency((uint8_t)s->v[i].p[k], flags & REGEX_ICASE);
            if (f < one) {
                two = one;
                one = f;
            } else if (f < two) {
                two = f;
            }
        }
        sum += (uint64_t)one * two;
    }
    return (unsigned)MIN(sum, 1000000);
}

/* Each of a followed by each of b to *out; false if that is too much. */
static bool regex_cross(struct regex_extract *x, const struct regex_strs *a,
                        const struct regex_strs *b, struct regex_strs *out)
{
    struct regex_strs r = {0};
    if (a->n * b->n > REGEX_LITERALS)
        return false;
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < b->n; k++) {
            size_t n = a->v[i].n + b->v[k].n;
            if (n > REGEX_LIT_MAX)
                return false;
            char *p = arena_alloc(x->a, n + 1);
            if (!p) {
                x->failed = true;
                return false;
            }
            if (a->v[i].n > 0)
                memcpy(p, a->v[i].p, a->v[i].n);
            if (b->v[k].n > 0)
                memcpy(p + a->v[i].n, b->v[k].p, b->v[k].n);
            r.v[r.n++] = str_of(p, n);
        }
    *out = r;
    return true;
}

static bool regex_union(struct regex_strs *a, const struct regex_strs *b)
{
    if (a->n + b->n > REGEX_LITERALS)
        return false;
    for (int i = 0; i < b->n; i++)
        a->v[a->n++] = b->v[i];
    return true;
}

static void regex_better(struct regex_extract *x, struct regex_strs *have,
                         const struct regex_strs *more)
{
    if (more->n > 0 && regex_rate(more, x->flags) < regex_rate(have, x->flags))
        *have = *more;
}

/* A set of few characters. Regardless of case a letter is its lower case, if that and the upper
 * case are all there is: a few letters have a third form. */
static void regex_info_set(struct regex_extract *x, const struct regex_set *s, struct regex_info *r)
{
    struct regex_set few = *s;
    struct regex_span lower;
    if ((x->flags & REGEX_ICASE) && s->n == 2 && s->p[0].lo == s->p[0].hi &&
        s->p[1].lo == s->p[1].hi && ascii_upper((int)s->p[0].lo) && s->p[1].lo == s->p[0].lo + 32) {
        lower = s->p[1];
        few.p = &lower;
        few.n = 1;
    } else if (x->flags & REGEX_ICASE) {
        for (size_t i = 0; i < s->n; i++)
            if (s->p[i].lo <= 'z' && s->p[i].hi >= 'A')
                return;
    }
    struct regex_strs v = {0};
    for (size_t i = 0; i < few.n; i++)
        for (uint32_t c = few.p[i].lo; c <= few.p[i].hi; c++) {
            if (v.n == 4)
                return;
            char *p = arena_alloc(x->a, 8);
            if (!p) {
                x->failed = true;
                return;
            }
            int len = 1;
            if (c >= REGEX_RAW)
                p[0] = (char)(c - REGEX_RAW);
            else
                len = utf8_encode(p, c);
            v.v[v.n++] = str_of(p, (size_t)len);
        }
    if (v.n == 0)
        return;
    r->exact = true;
    r->start = r->need = v;
}

static void regex_info_of(struct regex_extract *x, const struct regex_ast *t, struct regex_info *r);

static void regex_info_cat(struct regex_extract *x, const struct regex_ast *t, struct regex_info *r)
{
    struct regex_strs run = {.n = 1, .v = {STR("")}};
    r->exact = true;
    for (uint32_t i = 0; i < t->nkids; i++) {
        struct regex_info k;
        regex_info_of(x, t->kids[i], &k);
        r->plain &= k.plain;
        if (k.exact && regex_cross(x, &run, &k.start, &run))
            continue;
        /* The run of strings ends here, perhaps with the begin of what comes. */
        if (!k.exact && k.start.n > 0)
            regex_cross(x, &run, &k.start, &run);
        if (r->exact)
            r->start = run;
        r->exact = false;
        regex_better(x, &r->need, &run);
        regex_better(x, &r->need, &k.need);
        run = k.exact ? k.start : (struct regex_strs){.n = 1, .v = {STR("")}};
    }
    if (r->exact)
        r->start = run;
    regex_better(x, &r->need, &run);
}

static void regex_info_alt(struct regex_extract *x, const struct regex_ast *t, struct regex_info *r)
{
    bool start = true, need = true;
    r->exact = true;
    for (uint32_t i = 0; i < t->nkids; i++) {
        struct regex_info k;
        regex_info_of(x, t->kids[i], &k);
        r->plain &= k.plain;
        r->exact &= k.exact;
        start = start && k.start.n > 0 && regex_union(&r->start, &k.start);
        need = need && k.need.n > 0 && regex_union(&r->need, &k.need);
        if (!start && !need)
            break;
    }
    if (!start)
        r->start.n = 0, r->exact = false;
    if (!need)
        r->need.n = 0;
}

static void regex_info_words(struct regex_extract *x, const struct regex_word *w, char *at,
                             size_t n, struct regex_strs *out)
{
    /* n counts down what may still be found, by depth; a set with long strings is left alone. */
    for (; w && out->n <= REGEX_LITERALS && n < REGEX_LIT_MAX; w = w->next) {
        at[n] = (char)w->byte;
        if (w->end) {
            if (out->n == REGEX_LITERALS) {
                out->n++;
                return;
            }
            out->v[out->n++] = arena_str(x->a, str_of(at, n + 1));
        }
        regex_info_words(x, w->child, at, n + 1, out);
    }
    if (w)
        out->n = REGEX_LITERALS + 1;
}

static void regex_info_of(struct regex_extract *x, const struct regex_ast *t, struct regex_info *r)
{
    static const struct regex_strs empty = {.n = 1, .v = {STR_INIT("")}};
    char word[REGEX_LIT_MAX];
    memset(r, 0, sizeof *r);
    r->plain = true;
    if (!t || t->op == REGEX_ASSERT) {
        r->exact = true;
        r->plain = !t;
        r->start = r->need = empty;
        return;
    }
    switch (t->op) {
    case REGEX_SET: regex_info_set(x, &t->set, r); break;
    case REGEX_CAT: regex_info_cat(x, t, r); break;
    case REGEX_ALT: regex_info_alt(x, t, r); break;
    case REGEX_GROUP: regex_info_of(x, t->kids[0], r); break;
    case REGEX_REP:
        if (t->min == 0)
            break;
        regex_info_of(x, t->kids[0], r);
        if (t->min > 1 || t->max != 1)
            r->exact = false;
        break;
    case REGEX_WORDS:
        if (!(x->flags & REGEX_ICASE))
            regex_info_words(x, t->words->child, word, 0, &r->start);
        if (r->start.n > REGEX_LITERALS || t->words->end)
            r->start.n = 0;
        r->exact = r->start.n > 0;
        r->need = r->start;
        break;
    default: break;
    }
}

/* Copies the strings to the heap and picks the bytes to look for. */
static int regex_literals_keep(struct heap *h, const struct regex_strs *s, unsigned flags,
                               struct regex_literals *l)
{
    l->icase = flags & REGEX_ICASE;
    for (int i = 0; i < s->n; i++) {
        struct regex_needle *v = &l->v[i];
        v->p = heap_alloc(h, s->v[i].n);
        if (!v->p)
            return HOB_ENOMEM;
        l->n++;
        v->n = s->v[i].n;
        memcpy(v->p, s->v[i].p, v->n);
        size_t one = 0, two = v->n - 1;
        for (size_t k = 0; k < v->n; k++) {
            unsigned f = regex_frequency((uint8_t)v->p[k], l->icase);
            if (f < regex_frequency((uint8_t)v->p[one], l->icase)) {
                two = one;
                one = k;
            } else if (k != one &&
                       (two == one || f < regex_frequency((uint8_t)v->p[two], l->icase))) {
                two = k;
            }
        }
        v->one = MIN(one, two);
        v->two = MAX(one, two);
    }
    return 0;
}

static bool regex_strs_useful(const struct regex_strs *s, unsigned flags)
{
    for (int i = 0; i < s->n; i++)
        if (s->v[i].n == 0)
            return false;
    /* One in thirty bytes is too often to be worth a jump. */
    return s->n > 0 && regex_rate(s, flags) < 30000;
}

int regex_prefilter_build(struct heap *h, struct arena *a, const struct regex_ast *t,
                          unsigned flags, struct regex_prefilter *f)
{
    struct regex_extract x = {a, flags, false};
    struct regex_info *i = arena_new(a, struct regex_info);
    if (!i)
        return HOB_ENOMEM;
    regex_info_of(&x, t, i);
    if (x.failed)
        return HOB_ENOMEM;
    int r = 0;
    f->whole = false;
    bool whole = i->exact && i->plain && i->start.n > 0;
    for (int k = 0; k < i->start.n; k++)
        whole = whole && i->start.v[k].n > 0;
    if (whole || regex_strs_useful(&i->start, flags))
        r = regex_literals_keep(h, &i->start, flags, &f->start);
    if (r == 0 && (whole || regex_strs_useful(&i->need, flags)))
        r = regex_literals_keep(h, whole ? &i->start : &i->need, flags, &f->need);
    f->whole = whole;
    if (f->start.n == 0 || f->need.n == 0) {
        struct regex_bytes start, need;
        regex_bytes_build(t, &start, &need);
        if (f->start.n == 0)
            f->start_bytes = start;
        if (f->need.n == 0)
            f->need_bytes = need;
    }
    return r;
}

void regex_prefilter_fini(struct heap *h, struct regex_prefilter *f)
{
    for (int k = 0; k < 2; k++) {
        struct regex_literals *l = k ? &f->start : &f->need;
        for (int i = 0; i < l->n; i++)
            heap_free(h, l->v[i].p, l->v[i].n);
        l->n = 0;
    }
}

/* ---- looking for them ------------------------------------------------------------------------ */

/* Whether v stands at p, where there is room for it. */
static bool regex_needle_at(const struct regex_needle *v, const char *p, bool icase)
{
    if (!icase)
        return memcmp(p, v->p, v->n) == 0;
    for (size_t i = 0; i < v->n; i++)
        if (ascii_to_lower((unsigned char)p[i]) != (unsigned char)v->p[i])
            return false;
    return true;
}

size_t regex_literals_at(const struct regex_literals *l, struct str text, size_t at)
{
    size_t best = 0;
    for (int i = 0; i < l->n; i++)
        if (l->v[i].n > best && l->v[i].n <= text.n - at &&
            regex_needle_at(&l->v[i], text.p + at, l->icase))
            best = l->v[i].n;
    return best;
}

static size_t regex_literals_plain(const struct regex_literals *l, struct str text, size_t from)
{
    uint8_t first[256] = {0};
    for (int i = 0; i < l->n; i++) {
        first[(uint8_t)l->v[i].p[0]] = 1;
        if (l->icase)
            first[ascii_to_upper((unsigned char)l->v[i].p[0])] = 1;
    }
    for (size_t i = from; i < text.n; i++)
        if (first[(uint8_t)text.p[i]] && regex_literals_at(l, text, i))
            return i;
    return SIZE_MAX;
}

#if REGEX_SIMD

typedef uint8_t regex_v16 __attribute__((vector_size(16)));
typedef uint8_t regex_v32 __attribute__((vector_size(32)));
typedef char regex_c16 __attribute__((vector_size(16)));
typedef char regex_c32 __attribute__((vector_size(32)));

/* One function for 16 and one for 32 places at a time: each literal gives a mask of the places
 * where its two bytes stand, and a place in any mask is looked at. */
#define REGEX_FIND(name, V, C, WIDTH, MASK, TARGET)                                                \
    TARGET static size_t name(const struct regex_literals *l, struct str text, size_t from,        \
                              size_t stop)                                                         \
    {                                                                                              \
        V fold = (V){0} + (uint8_t)(l->icase ? 0x20 : 0);                                          \
        V one[REGEX_LITERALS], two[REGEX_LITERALS];                                                \
        for (int k = 0; k < l->n; k++) {                                                           \
            one[k] = ((V){0} + (uint8_t)l->v[k].p[l->v[k].one]) | fold;                            \
            two[k] = ((V){0} + (uint8_t)l->v[k].p[l->v[k].two]) | fold;                            \
        }                                                                                          \
        size_t i = from;                                                                           \
        for (; i < stop; i += WIDTH) {                                                             \
            __builtin_prefetch((const void *)((uintptr_t)text.p + i + REGEX_AHEAD));               \
            V hit = {0}, a, b;                                                                     \
            for (int k = 0; k < l->n; k++) {                                                       \
                memcpy(&a, text.p + i + l->v[k].one, sizeof a);                                    \
                memcpy(&b, text.p + i + l->v[k].two, sizeof b);                                    \
                hit |= (V)((a | fold) == one[k]) & (V)((b | fold) == two[k]);                      \
            }                                                                                      \
            for (uint32_t m = (uint32_t)MASK((C)hit); m; m &= m - 1) {                             \
                size_t at = i + (size_t)__builtin_ctz(m);                                          \
                if (regex_literals_at(l, text, at))                                                \
                    return at;                                                                     \
            }                                                                                      \
        }                                                                                          \
        return i | REGEX_NOT_YET;                                                                  \
    }

/* How far ahead memory is asked for: files do not lie in the cache. */
#define REGEX_AHEAD 1024
#define REGEX_NOT_YET ((size_t)1 << (sizeof(size_t) * 8 - 1)) /* not found up to the rest */

REGEX_FIND(regex_find_16, regex_v16, regex_c16, 16, __builtin_ia32_pmovmskb128, )
REGEX_FIND(regex_find_32, regex_v32, regex_c32, 32, __builtin_ia32_pmovmskb256,
           __attribute__((target("avx2"))))

/* Asks the processor, which is slow in a virtual machine: only done once a text is long. */
static bool regex_has_avx2(void)
{
    uint32_t a = 1, b, c = 0, d, lo, hi;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    if ((c & (1u << 27 | 1u << 28)) != (1u << 27 | 1u << 28))
        return false;
    __asm__("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    if ((lo & 6) != 6)
        return false;
    a = 7;
    c = 0;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return b & 1u << 5;
}

size_t regex_literals_find(struct regex_literals *l, struct str text, size_t from)
{
    size_t reach = 0;
    for (int i = 0; i < l->n; i++)
        reach = MAX(reach, l->v[i].n);
    if (l->n == 1 && reach == 1 && !l->icase) {
        const char *p = from < text.n ? memchr(text.p + from, l->v[0].p[0], text.n - from) : NULL;
        return p ? (size_t)(p - text.p) : SIZE_MAX;
    }
    if (text.n - from >= 32768 && !l->asked) {
        l->asked = true;
        l->avx2 = regex_has_avx2();
    }
    size_t width = l->avx2 ? 32 : 16;
    if (text.n - from >= width + reach) {
        size_t stop = text.n - width - reach + 1;
        size_t at =
            l->avx2 ? regex_find_32(l, text, from, stop) : regex_find_16(l, text, from, stop);
        if (!(at & REGEX_NOT_YET))
            return at;
        from = at & ~REGEX_NOT_YET;
    }
    return regex_literals_plain(l, text, from);
}

#undef REGEX_FIND
#undef REGEX_NOT_YET
#undef REGEX_AHEAD

#else

size_t regex_literals_find(struct regex_literals *l, struct str text, size_t from)
{
    if (l->n > 1 || l->icase)
        return regex_literals_plain(l, text, from);
    /* The rarest byte of one string is looked for by the C library. */
    const struct regex_needle *v = &l->v[0];
    while (text.n - from >= v->n) {
        const char *p = memchr(text.p + from + v->one, v->p[v->one], text.n - from - v->n + 1);
        if (!p)
            return SIZE_MAX;
        size_t at = (size_t)(p - text.p) - v->one;
        if (regex_needle_at(v, text.p + at, false))
            return at;
        from = at + 1;
    }
    return SIZE_MAX;
}

#endif
#undef REGEX_SIMD

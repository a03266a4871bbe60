/* sort_key.c -- keys of sort: parsing, finding them in a line, comparing them */
#include <math.h>

#include "base/utf8.h"
#include "commands/lib/version.h"
#include "commands/sort/sort.h"
#include "text/number.h"

/* ---- parsing -------------------------------------------------------------------------------- */

bool sort_key_letter(struct sort_key *k, char c, bool start, bool end)
{
    switch (c) {
    case 'b':
        k->skip_start |= start;
        k->skip_end |= end;
        break;
    case 'd': k->skip = SORT_DICTIONARY; break;
    case 'f': k->fold = true; break;
    case 'g': k->general = true; break;
    case 'h': k->human = true; break;
    case 'i':
        if (k->skip == SORT_ALL_BYTES)
            k->skip = SORT_PRINTABLE;
        break;
    case 'M': k->month = true; break;
    case 'n': k->numeric = true; break;
    case 'R': k->random = true; break;
    case 'r': k->reverse = true; break;
    case 'V': k->version = true; break;
    default: return false;
    }
    k->own = true;
    return true;
}

static int sort_key_bad(struct sorter *s, struct str spec, const char *text)
{
    proc_warn(s->p, "%s: invalid field specification %s", text, proc_quote(s->p, spec));
    return 3;
}

/* A number; false and a message if there is none. Too large a one is the largest. */
static bool sort_key_number(struct sorter *s, struct str spec, size_t *i, size_t *out,
                            const char *text)
{
    size_t start = *i, v = 0;
    for (; *i < spec.n && ascii_digit(spec.p[*i]); ++*i) {
        if (__builtin_mul_overflow(v, 10, &v) ||
            __builtin_add_overflow(v, (size_t)(spec.p[*i] - '0'), &v))
            v = SIZE_MAX / 32;
    }
    *out = v;
    if (*i > start)
        return true;
    proc_warn(s->p, "%s: invalid count at start of %s", text,
              proc_quote(s->p, str_from(spec, start)));
    return false;
}

int sort_key_parse(struct sorter *s, struct str spec, struct sort_key *k)
{
    size_t i = 0;

    *k = (struct sort_key){.end_field = SIZE_MAX};
    if (!sort_key_number(s, spec, &i, &k->start_field, "invalid number at field start"))
        return 3;
    if (k->start_field-- == 0)
        return sort_key_bad(s, spec, "field number is zero");
    if (i < spec.n && spec.p[i] == '.') {
        i++;
        if (!sort_key_number(s, spec, &i, &k->start_char, "invalid number after '.'"))
            return 3;
        if (k->start_char-- == 0)
            return sort_key_bad(s, spec, "character offset is zero");
    }
    while (i < spec.n && sort_key_letter(k, spec.p[i], true, false))
        i++;
    if (i < spec.n && spec.p[i] == ',') {
        i++;
        if (!sort_key_number(s, spec, &i, &k->end_field, "invalid number after ','"))
            return 3;
        if (k->end_field-- == 0)
            return sort_key_bad(s, spec, "field number is zero");
        if (i < spec.n && spec.p[i] == '.') {
            i++;
            if (!sort_key_number(s, spec, &i, &k->end_char, "invalid number after '.'"))
                return 3;
        }
        while (i < spec.n && sort_key_letter(k, spec.p[i], false, true))
            i++;
    }
    return i < spec.n ? sort_key_bad(s, spec, "stray character in field spec") : 0;
}

/* Ways of comparing that exclude each other. */
static int sort_key_clash(struct sorter *s, const struct sort_key *k)
{
    char text[12];
    size_t n = 0;
    int ways = k->numeric + k->general + k->human + k->month +
               (k->version || k->random || k->skip != SORT_ALL_BYTES);

    if (ways <= 1)
        return 0;
    const bool set[] = {k->skip == SORT_DICTIONARY,
                        k->fold,
                        k->general,
                        k->human,
                        k->skip == SORT_PRINTABLE,
                        k->month,
                        k->numeric,
                        k->random,
                        k->version};
    for (size_t i = 0; i < COUNT(set); i++) {
        if (set[i])
            text[n++] = "dfghiMnRV"[i];
    }
    proc_warn(s->p, "options '-%.*s' are incompatible", (int)n, text);
    return 2;
}

int sort_keys_settle(struct sorter *s)
{
    for (size_t i = 0; i < s->nkeys; i++) {
        struct sort_key *k = &s->keys[i];
        if (!k->own) {
            struct sort_key own = *k;
            *k = s->all;
            k->start_field = own.start_field;
            k->start_char = own.start_char;
            k->end_field = own.end_field;
            k->end_char = own.end_char;
        }
        int r = sort_key_clash(s, k);
        if (r)
            return r;
    }
    if (s->nkeys)
        return 0;
    int r = sort_key_clash(s, &s->all);
    const struct sort_key *a = &s->all;
    s->plain = !(a->skip || a->fold || a->skip_start || a->numeric || a->human || a->general ||
                 a->month || a->version || a->random);
    if (r == 0 && !s->plain) {
        /* The whole line is the one key. */
        s->keys = arena_new(s->p->arena, struct sort_key);
        if (!s->keys)
            return HOB_ENOMEM;
        s->keys[0] = *a;
        s->keys[0].end_field = SIZE_MAX;
        s->nkeys = 1;
        s->whole = true;
    }
    return r;
}

/* ---- where a key is ------------------------------------------------------------------------- */

static bool sort_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

static const char *sort_key_field(const struct sorter *s, const char *p, const char *end, size_t n,
                                  bool past_last)
{
    if (s->tab_set) {
        while (p < end && n--) {
            const char *tab = memchr(p, s->tab, (size_t)(end - p));
            p = tab ? tab : end;
            if (p < end && (n || past_last))
                p++;
        }
        return p;
    }
    while (p < end && n--) {
        while (p < end && sort_blank(*p))
            p++;
        while (p < end && !sort_blank(*p))
            p++;
    }
    return p;
}

static const char *sort_key_blanks(const char *p, const char *end)
{
    while (p < end && sort_blank(*p))
        p++;
    return p;
}

struct str sort_key_find(const struct sorter *s, const struct sort_key *k, struct str line)
{
    const char *end = line.p + line.n, *from, *to = end;

    from = sort_key_field(s, line.p, end, k->start_field, true);
    if (k->skip_start)
        from = sort_key_blanks(from, end);
    from = k->start_char < (size_t)(end - from) ? from + k->start_char : end;
    if (k->end_field != SIZE_MAX) {
        size_t fields = k->end_field + (k->end_char == 0);
        to = sort_key_field(s, line.p, end, fields, k->end_char != 0);
        if (k->end_char) {
            if (k->skip_end)
                to = sort_key_blanks(to, end);
            to = k->end_char < (size_t)(end - to) ? to + k->end_char : end;
        }
    }
    return str_of(from, to > from ? (size_t)(to - from) : 0);
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* A decimal number in pieces: digits before the point without leading zeros, and behind it. */
struct sort_number {
    bool minus;
    struct str whole, fraction;
    size_t end; /* offset of what stands behind it */
};

static struct sort_number sort_number_split(struct str s)
{
    struct sort_number n = {0};
    size_t i = 0, start;

    while (i < s.n && sort_blank(s.p[i]))
        i++;
    if (i < s.n && s.p[i] == '-') {
        n.minus = true;
        i++;
    }
    while (i < s.n && s.p[i] == '0')
        i++;
    for (start = i; i < s.n && ascii_digit(s.p[i]);)
        i++;
    n.whole = str_sub(s, start, i - start);
    if (i < s.n && s.p[i] == '.') {
        for (start = ++i; i < s.n && ascii_digit(s.p[i]);)
            i++;
        n.fraction = str_sub(s, start, i - start);
        while (n.fraction.n && n.fraction.p[n.fraction.n - 1] == '0')
            n.fraction.n--;
    }
    n.end = i;
    if (n.whole.n == 0 && n.fraction.n == 0)
        n.minus = false;
    return n;
}

static int sort_number_compare(const struct sort_number *a, const struct sort_number *b)
{
    int r;
    if (a->minus != b->minus)
        return a->minus ? -1 : 1;
    if (a->whole.n != b->whole.n)
        r = a->whole.n < b->whole.n ? -1 : 1;
    else
        r = a->whole.n ? memcmp(a->whole.p, b->whole.p, a->whole.n) : 0;
    if (r == 0)
        r = str_cmp(a->fraction, b->fraction);
    return a->minus ? -r : r;
}

/* The power of the suffix of 1.5K, negative for negative numbers. */
static int sort_number_unit(const struct sort_key *k, struct str s, const struct sort_number *n)
{
    static const char units[] = "KMGTPEZYRQ";
    char c = n->end < s.n ? s.p[n->end] : '\0';
    if (n->whole.n == 0 && n->fraction.n == 0)
        return 0;
    if (c == 'k' || k->fold) /* case is folded before numbers are read */
        c = (char)ascii_to_upper((unsigned char)c);
    const char *at = c ? strchr(units, c) : NULL;
    int power = at ? (int)(at - units) + 1 : 0;
    return n->minus ? -power : power;
}

/* The number as the nearest double, for ranks: never out of order, possibly equal. */
static double sort_number_value(const struct sort_number *n)
{
    double v = 0, scale = 1;
    size_t digits = MIN(n->whole.n, (size_t)17);
    for (size_t i = 0; i < digits; i++)
        v = v * 10 + (n->whole.p[i] - '0');
    for (size_t i = digits; i < n->whole.n && i < 400; i++)
        v *= 10;
    if (n->whole.n < 15) {
        for (size_t i = 0; i < n->fraction.n && i + n->whole.n < 15; i++) {
            v = v * 10 + (n->fraction.p[i] - '0');
            scale *= 10;
        }
        v /= scale;
    }
    return n->minus ? -v : v;
}

/* Doubles as integers in the same order. */
static uint64_t sort_double_rank(double v)
{
    uint64_t bits;
    if (v == 0)
        v = 0; /* no negative zero */
    memcpy(&bits, &v, sizeof bits);
    return bits & UINT64_C(1) << 63 ? ~bits : bits | UINT64_C(1) << 63;
}

int sort_month(struct str s)
{
    static const char names[] = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";
    while (s.n && sort_blank(s.p[0]))
        s = str_from(s, 1);
    if (s.n < 3)
        return 0;
    for (int i = 0; i < 12; i++) {
        int same = 0;
        for (int k = 0; k < 3; k++)
            same += ascii_to_upper(s.p[k]) == names[i * 3 + k];
        if (same == 3)
            return i + 1;
    }
    return 0;
}

/* -g: what is no number comes first, then NaN, then the numbers. */
static int sort_general(struct str a, struct str b)
{
    size_t ua, ub;
    long double x = number_parse(a, &ua), y = number_parse(b, &ub);
    if (!ua || !ub)
        return (ua != 0) - (ub != 0);
    if (x < y)
        return -1;
    if (x > y)
        return 1;
    if (x == y)
        return 0;
    return (isnan(y) != 0) - (isnan(x) != 0);
}

/* ---- text ----------------------------------------------------------------------------------- */

static bool sort_keeps(const struct sort_key *k, char c)
{
    if (k->skip == SORT_DICTIONARY)
        return c == ' ' || c == '\t' || ascii_alnum((unsigned char)c);
    return k->skip != SORT_PRINTABLE || ascii_print((unsigned char)c);
}

static int sort_text(const struct sort_key *k, struct str a, struct str b)
{
    size_t i = 0, j = 0;

    if (!k->skip && !k->fold)
        return str_cmp(a, b);
    for (;;) {
        while (i < a.n && !sort_keeps(k, a.p[i]))
            i++;
        while (j < b.n && !sort_keeps(k, b.p[j]))
            j++;
        if (i == a.n || j == b.n)
            return (i < a.n) - (j < b.n);
        unsigned char x = (unsigned char)a.p[i++], y = (unsigned char)b.p[j++];
        if (k->fold) {
            x = (unsigned char)ascii_to_upper(x);
            y = (unsigned char)ascii_to_upper(y);
        }
        if (x != y)
            return x < y ? -1 : 1;
    }
}

/* What counts of a key for -V and -R with -d, -i or -f: cleaned into b if it must be. */
static struct str sort_clean(const struct sort_key *k, struct str t, struct buf *b)
{
    if (!k->skip && !k->fold)
        return t;
    for (size_t i = 0; i < t.n; i++) {
        if (sort_keeps(k, t.p[i]))
            buf_putc(b, k->fold ? (char)ascii_to_upper((unsigned char)t.p[i]) : t.p[i]);
    }
    return buf_get(b);
}

/* GNU's way, so that the same --random-source gives the same order: MD5 over random bytes, the key,
 * and the NUL that ends it where text has an order of its own. */
static void sort_sum(const struct sorter *s, struct str t, unsigned char out[HASH_MAX])
{
    struct hash h = s->salt;
    hash_add(&h, t.p, t.n);
    if (t.n && !s->bytes)
        hash_add(&h, "", 1);
    hash_end(&h, out);
}

static int sort_cleaned(const struct sorter *s, const struct sort_key *k, struct str a,
                        struct str b)
{
    struct buf x, y;
    int r;

    buf_init(&x, &s->p->kernel->heap);
    buf_init(&y, &s->p->kernel->heap);
    a = sort_clean(k, a, &x);
    b = sort_clean(k, b, &y);
    if (k->random) {
        unsigned char sum[2][HASH_MAX];
        sort_sum(s, a, sum[0]);
        sort_sum(s, b, sum[1]);
        r = memcmp(sum[0], sum[1], 16);
        r = r ? r : str_cmp(a, b);
    } else {
        r = version_compare(a, b);
    }
    buf_fini(&x);
    buf_fini(&y);
    return r;
}

static uint64_t sort_random_rank(const struct sorter *s, const struct sort_key *k, struct str t)
{
    unsigned char sum[HASH_MAX];
    uint64_t rank = 0;
    struct buf b;

    buf_init(&b, &s->p->kernel->heap);
    sort_sum(s, sort_clean(k, t, &b), sum);
    buf_fini(&b);
    for (int i = 0; i < 8; i++)
        rank = rank << 8 | sum[i];
    return rank;
}

static int sort_key_compare(const struct sorter *s, const struct sort_key *k, struct str a,
                            struct str b)
{
    if (k->numeric || k->human) {
        struct sort_number x = sort_number_split(a), y = sort_number_split(b);
        if (k->human) {
            int ux = sort_number_unit(k, a, &x), uy = sort_number_unit(k, b, &y);
            if (ux != uy)
                return ux < uy ? -1 : 1;
        }
        return sort_number_compare(&x, &y);
    }
    if (k->general)
        return sort_general(a, b);
    if (k->month) {
        int x = sort_month(a), y = sort_month(b);
        return (x > y) - (x < y);
    }
    if (k->random || k->version)
        return sort_cleaned(s, k, a, b);
    return sort_text(k, a, b);
}

/* The first eight bytes that count, as a number. */
static uint64_t sort_text_rank(const struct sort_key *k, struct str t)
{
    uint64_t rank = 0;
    int n = 0;
    for (size_t i = 0; i < t.n && n < 8; i++) {
        if (k && !sort_keeps(k, t.p[i]))
            continue;
        unsigned char c = (unsigned char)t.p[i];
        rank = rank << 8 | (k && k->fold ? (unsigned char)ascii_to_upper(c) : c);
        n++;
    }
    return n ? rank << 8 * (8 - n) : 0;
}

static uint64_t sort_number_rank(const struct sort_key *k, struct str t)
{
    struct sort_number n = sort_number_split(t);
    if (!k->human)
        return sort_double_rank(sort_number_value(&n));
    return (uint64_t)(sort_number_unit(k, t, &n) + 16) << 59 |
           sort_double_rank(sort_number_value(&n)) >> 5;
}

uint64_t sort_rank(const struct sorter *s, struct str line)
{
    const struct sort_key *k = s->nkeys ? &s->keys[0] : NULL;
    bool reverse = k ? k->reverse : s->all.reverse;
    uint64_t rank;
    size_t used;

    if (!k) {
        if (line.n >= 8) {
            memcpy(&rank, line.p, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            rank = __builtin_bswap64(rank);
#endif
        } else {
            rank = sort_text_rank(NULL, line);
        }
        return reverse ? ~rank : rank;
    }
    struct str t = sort_key_find(s, k, line);
    if (k->numeric || k->human) {
        rank = sort_number_rank(k, t);
    } else if (k->general) {
        long double v = number_parse(t, &used);
        rank = !used ? 0 : isnan(v) ? 1 : sort_double_rank((double)v);
    } else if (k->month) {
        rank = (uint64_t)sort_month(t);
    } else if (k->random) {
        rank = sort_random_rank(s, k, t);
    } else if (k->version) {
        rank = 0;
    } else {
        rank = sort_text_rank(k, t);
    }
    return reverse ? ~rank : rank;
}

int sort_compare(const struct sorter *s, struct str a, struct str b, bool last)
{
    for (size_t i = 0; i < s->nkeys; i++) {
        const struct sort_key *k = &s->keys[i];
        int r = sort_key_compare(s, k, sort_key_find(s, k, a), sort_key_find(s, k, b));
        if (r)
            return k->reverse ? -r : r;
    }
    if (s->nkeys && (!last || s->unique || s->stable))
        return 0;
    int r = str_cmp(a, b);
    return s->all.reverse ? -r : r;
}

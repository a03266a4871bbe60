/* str.c -- byte strings that carry their length, and a growing buffer */
#include "base/str.h"

#include "base/fmt.h"

int str_cmp(struct str a, struct str b)
{
    size_t n = MIN(a.n, b.n);
    int c = n ? memcmp(a.p, b.p, n) : 0;
    return c ? c : (a.n > b.n) - (a.n < b.n);
}

bool str_starts(struct str s, struct str prefix)
{
    return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

bool str_ends(struct str s, struct str suffix)
{
    return s.n >= suffix.n &&
           (suffix.n == 0 || memcmp(s.p + s.n - suffix.n, suffix.p, suffix.n) == 0);
}

ptrdiff_t str_chr(struct str s, char c)
{
    const char *at = s.n ? memchr(s.p, c, s.n) : NULL;
    return at ? at - s.p : -1;
}

ptrdiff_t str_rchr(struct str s, char c)
{
    for (size_t i = s.n; i > 0; i--) {
        if (s.p[i - 1] == c)
            return (ptrdiff_t)i - 1;
    }
    return -1;
}

/*
 * Two-way search in linear time and no memory, after Crochemore and Perrin: the larger of the two
 * maximal suffixes (under < and under >) splits the needle at a place where it can be matched first
 * to the right, then to the left, and never shifts by less than what was seen.
 */
static size_t str_max_suffix(const unsigned char *w, size_t n, bool reverse, size_t *period)
{
    size_t at = SIZE_MAX, j = 0, k = 1, p = 1; /* `at` is the index before the suffix */
    while (j + k < n) {
        unsigned char a = w[j + k], b = w[at + k];
        if (a == b) {
            if (k == p) {
                j += p;
                k = 1;
            } else {
                k++;
            }
        } else if (reverse ? a > b : a < b) {
            j += k;
            k = 1;
            p = j - at;
        } else {
            at = j++;
            k = p = 1;
        }
    }
    *period = p;
    return at + 1;
}

static ptrdiff_t str_two_way(struct str s, struct str what)
{
    const unsigned char *h = (const unsigned char *)s.p, *w = (const unsigned char *)what.p;
    size_t p1, p2, n = what.n;
    size_t c1 = str_max_suffix(w, n, false, &p1), c2 = str_max_suffix(w, n, true, &p2);
    size_t cut = MAX(c1, c2), period = c1 > c2 ? p1 : p2;
    bool periodic = period + cut <= n && memcmp(w, w + period, cut) == 0;
    size_t known = 0; /* how much of the front is known to match after a shift by the period */

    if (!periodic)
        period = MAX(cut, n - cut) + 1;
    for (size_t at = 0; at + n <= s.n;) {
        size_t i = MAX(cut, known);
        while (i < n && w[i] == h[at + i])
            i++;
        if (i < n) {
            at += i - cut + 1;
            known = 0;
            continue;
        }
        i = cut;
        while (i > known && w[i - 1] == h[at + i - 1])
            i--;
        if (i <= known)
            return (ptrdiff_t)at;
        at += period;
        known = periodic ? n - period : 0;
    }
    return -1;
}

ptrdiff_t str_find(struct str s, struct str what)
{
    if (what.n == 0)
        return 0;
    if (what.n > s.n)
        return -1;
    if (what.n == 1)
        return str_chr(s, what.p[0]);
    /* Most searches end soon after a first byte that is rare; too many false starts change over. */
    const char *end = s.p + (s.n - what.n) + 1, *p = s.p;
    for (int tries = 0; tries < 32; tries++) {
        p = p < end ? memchr(p, what.p[0], (size_t)(end - p)) : NULL;
        if (!p)
            return -1;
        if (memcmp(p, what.p, MIN(what.n, 64)) == 0 && memcmp(p, what.p, what.n) == 0)
            return p - s.p;
        p++;
    }
    ptrdiff_t r = str_two_way(str_from(s, (size_t)(p - s.p)), what);
    return r < 0 ? -1 : r + (p - s.p);
}

struct str str_trim(struct str s)
{
    while (s.n && (s.p[0] == ' ' || s.p[0] == '\t' || s.p[0] == '\n')) {
        s.p++;
        s.n--;
    }
    while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t' || s.p[s.n - 1] == '\n'))
        s.n--;
    return s;
}

uint32_t str_hash(struct str s)
{
    const uint64_t k = 0x9E3779B97F4A7C15u;
    uint64_t h = (uint64_t)s.n * k + 0x2545F4914F6CDD1Du, w;
    const char *p = s.p;
    size_t n = s.n;

    for (; n >= 8; p += 8, n -= 8) {
        memcpy(&w, p, 8);
        h = (h ^ w) * k;
        h ^= h >> 29;
    }
    w = 0;
    for (size_t i = 0; i < n; i++)
        w = w << 8 | (unsigned char)p[i];
    h = (h ^ w) * k;
    h ^= h >> 32;
    h *= 0xD6E8FEB86659FD93u;
    return (uint32_t)(h >> 32);
}

int str_uint(struct str s, uint64_t *out)
{
    uint64_t v = 0;
    size_t i = s.n > 0 && s.p[0] == '+';
    bool over = false;

    if (i == s.n)
        return HOB_EINVAL;
    for (; i < s.n; i++) {
        unsigned d = (unsigned)(unsigned char)s.p[i] - '0';
        if (d > 9)
            return HOB_EINVAL;
        if (v > (UINT64_MAX - d) / 10)
            over = true;
        v = v * 10 + d;
    }
    if (over)
        return HOB_ERANGE;
    *out = v;
    return 0;
}

int str_int(struct str s, int64_t *out)
{
    uint64_t v;
    bool minus = s.n > 0 && s.p[0] == '-';

    if (minus && s.n > 1 && s.p[1] == '+')
        return HOB_EINVAL;
    int r = str_uint(minus ? str_from(s, 1) : s, &v);
    if (r < 0)
        return r;
    if (v > (uint64_t)INT64_MAX + minus)
        return HOB_ERANGE;
    *out = minus ? (int64_t)(0 - v) : (int64_t)v;
    return 0;
}

void buf_init(struct buf *b, struct heap *h) { *b = (struct buf){.heap = h}; }

void buf_fini(struct buf *b)
{
    heap_free(b->heap, b->p, b->cap);
    b->p = NULL;
    b->n = b->cap = 0;
}

bool buf_reserve(struct buf *b, size_t more)
{
    if (more < b->cap - b->n) /* one byte is for the NUL; also false when cap is 0 */
        return true;
    if (more > SIZE_MAX / 2 - b->n) {
        b->heap->oom = true;
        return false;
    }
    size_t cap = heap_step(b->heap, b->cap, MAX(b->n + more + 1, 32));
    char *p = heap_realloc(b->heap, b->p, b->cap, cap);
    if (!p)
        return false;
    b->p = p;
    b->cap = cap;
    p[b->n] = '\0';
    return true;
}

void buf_add(struct buf *b, const void *p, size_t n)
{
    if (n == 0 || !buf_reserve(b, n))
        return;
    memcpy(b->p + b->n, p, n);
    b->n += n;
    b->p[b->n] = '\0';
}

void buf_addz(struct buf *b, const char *z) { buf_add(b, z, strlen(z)); }

void buf_putc_slow(struct buf *b, char c) { buf_add(b, &c, 1); }

void buf_fill(struct buf *b, char c, size_t n)
{
    if (n == 0 || !buf_reserve(b, n))
        return;
    memset(b->p + b->n, c, n);
    b->n += n;
    b->p[b->n] = '\0';
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
    va_list again;

    if (!buf_reserve(b, 0))
        return;
    va_copy(again, ap);
    size_t room = b->cap - b->n, n = fmt_vprint(b->p + b->n, room, fmt, ap);
    if (n >= room) {
        b->p[b->n] = '\0';
        if (!buf_reserve(b, n)) {
            va_end(again);
            return;
        }
        fmt_vprint(b->p + b->n, n + 1, fmt, again);
    }
    va_end(again);
    b->n += n;
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    buf_vprintf(b, fmt, ap);
    va_end(ap);
}

void buf_cut(struct buf *b, size_t n)
{
    if (n < b->n) {
        b->n = n;
        b->p[n] = '\0';
    }
}

void buf_del(struct buf *b, size_t at, size_t n)
{
    if (at >= b->n || n == 0)
        return;
    n = MIN(n, b->n - at);
    memmove(b->p + at, b->p + at + n, b->n - at - n + 1);
    b->n -= n;
}

/* str.h -- byte strings that carry their length, and a growing buffer
 *
 * A `struct str` borrows. Its bytes may be anything, NUL included. Strings that come from the
 * parser, from variables, from argv and from arena_str() have a NUL behind their last byte (not
 * counted), so `.p` may be passed where a C string is wanted.
 */
#ifndef HOB_BASE_STR_H
#define HOB_BASE_STR_H

#include "base/heap.h"
#include "base/types.h"

struct str {
    const char *p;
    size_t n;
};

#define STR(lit) ((struct str){(lit), sizeof(lit) - 1})
#define STR_INIT(lit)                                                                              \
    {                                                                                              \
        (lit), sizeof(lit) - 1                                                                     \
    } /* for static tables */
#define STR_NONE ((struct str){NULL, 0})
/* For "%.*s" of our printf: STR_ARG(s). */
#define STR_ARG(s) (int)(s).n, (s).p

static inline struct str str_of(const char *p, size_t n) { return (struct str){p, n}; }
static inline struct str str_z(const char *z) { return (struct str){z, z ? strlen(z) : 0}; }
static inline struct str str_from(struct str s, size_t at)
{
    at = MIN(at, s.n);
    return at ? (struct str){s.p + at, s.n - at} : s; /* nothing is ever added to a NULL */
}
static inline struct str str_sub(struct str s, size_t at, size_t n)
{
    s = str_from(s, at);
    return (struct str){s.p, MIN(n, s.n)};
}
static inline bool str_eq(struct str a, struct str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}
static inline bool str_eqz(struct str a, const char *z) { return str_eq(a, str_z(z)); }
int str_cmp(struct str a, struct str b); /* by bytes, as memcmp then length */
bool str_starts(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);
/* Index of the first/last such byte or sub-string, -1 if there is none. */
ptrdiff_t str_chr(struct str s, char c);
ptrdiff_t str_rchr(struct str s, char c);
ptrdiff_t str_find(struct str s, struct str what);
struct str str_trim(struct str s); /* without blanks, tabs and newlines at both ends */
uint32_t str_hash(struct str s);

/* Decimal, whole string, optional sign: HOB_EINVAL if it is something else, HOB_ERANGE. */
int str_int(struct str s, int64_t *out);
int str_uint(struct str s, uint64_t *out);

/*
 * A growing byte buffer on a heap. `p` is NULL until something is added; after that p[n] is always
 * NUL. When memory runs out the heap's flag is set and additions are dropped.
 */
struct buf {
    char *p;
    size_t n, cap;
    struct heap *heap;
};

void buf_init(struct buf *b, struct heap *h);
void buf_fini(struct buf *b);
bool buf_reserve(struct buf *b, size_t more); /* room for `more` bytes; false: out of memory */
void buf_add(struct buf *b, const void *p, size_t n);
void buf_addz(struct buf *b, const char *z);
void buf_putc_slow(struct buf *b, char c);
static inline void buf_putc(struct buf *b, char c)
{
    if (LIKELY(b->n + 1 < b->cap)) {
        b->p[b->n++] = c;
        b->p[b->n] = '\0';
    } else {
        buf_putc_slow(b, c);
    }
}
static inline void buf_str(struct buf *b, struct str s) { buf_add(b, s.p, s.n); }
void buf_fill(struct buf *b, char c, size_t n);
void buf_printf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(struct buf *b, const char *fmt, va_list ap);
void buf_cut(struct buf *b, size_t n);            /* shorten to n bytes */
void buf_del(struct buf *b, size_t at, size_t n); /* remove n bytes at `at` */
static inline void buf_clear(struct buf *b) { buf_cut(b, 0); }
/* The contents, never with p == NULL. */
static inline struct str buf_get(const struct buf *b)
{
    return (struct str){b->p ? b->p : "", b->n};
}

#endif

/* glob.c -- fuzz target: a shell pattern and a text through every entry of the matcher
 *
 * The first byte chooses the switches, a line end parts pattern and text. What glob_match() says of
 * all parts of the text tells what the searching entries must find. With a pattern of ordinary
 * operators the C library must agree.
 */
#include <fnmatch.h>

#include "base/utf8.h"
#include "fuzz.h"
#include "text/glob.h"

/* Whether a place is between two characters. */
static int glob_fuzz_edge(struct str s, size_t i, int flags)
{
    return (flags & GLOB_BYTES) || i >= s.n || ((unsigned char)s.p[i] & 0xC0) != 0x80;
}

static int glob_fuzz_ascii(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < 1)
            return 0;
    return 1;
}

/* Every part of a short text, one by one. */
static void glob_fuzz_parts(const struct glob_prog *g, struct str s, int flags)
{
    ptrdiff_t low = -1, high = -1, back_low = -1, back_high = -1;
    size_t start = 0, end = 0, a = 0, z = 0;
    int found = 0;
    for (size_t i = 0; i <= s.n; i++) {
        if (!glob_fuzz_edge(s, i, flags))
            continue;
        if (glob_match(g, str_sub(s, 0, i))) {
            low = low < 0 ? (ptrdiff_t)i : low;
            high = (ptrdiff_t)i;
        }
        if (glob_match(g, str_from(s, i))) {
            back_high = back_high < 0 ? (ptrdiff_t)(s.n - i) : back_high;
            back_low = (ptrdiff_t)(s.n - i);
        }
        for (size_t k = s.n + 1; k-- > i && !found;)
            if (glob_fuzz_edge(s, k, flags) && glob_match(g, str_sub(s, i, k - i))) {
                found = 1;
                start = i;
                end = k;
            }
    }
    fuzz_demand(glob_prefix(g, s, false) == low && glob_prefix(g, s, true) == high);
    fuzz_demand(glob_suffix(g, s, false) == back_low && glob_suffix(g, s, true) == back_high);
    fuzz_demand(glob_find(g, s, 0, &a, &z) == found);
    fuzz_demand(!found || (a == start && z == end));
}

/* The C library on patterns that mean the same to both. */
static void glob_fuzz_compare(const struct glob_prog *g, struct str pattern, struct str s,
                              int flags)
{
    char p[40], t[40];
    if (pattern.n >= sizeof p || s.n >= sizeof t)
        return;
    for (size_t i = 0; i < pattern.n; i++)
        if (!strchr("abcABC*?x.", pattern.p[i]) || !pattern.p[i])
            return;
    for (size_t i = 0; i < s.n; i++)
        if (!s.p[i])
            return;
    memcpy(p, pattern.p, pattern.n);
    p[pattern.n] = '\0';
    if (s.n)
        memcpy(t, s.p, s.n);
    t[s.n] = '\0';
    int how = (flags & GLOB_PERIOD ? FNM_PERIOD : 0) | (flags & GLOB_PATH ? FNM_PATHNAME : 0) |
              (flags & GLOB_NOCASE ? FNM_CASEFOLD : 0);
    fuzz_demand(glob_match(g, s) == (fnmatch(p, t, how) == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > 2048)
        return 0;
    int flags = data[0] & 31;
    const char *p = (const char *)data + 1, *nl = memchr(p, '\n', size - 1);
    struct str pattern = str_of(p, nl ? (size_t)(nl - p) : size - 1);
    struct str text = nl ? str_of(nl + 1, size - 2 - pattern.n) : str_of("", 0);
    struct heap h;
    struct arena arena;
    struct str literal;
    heap_init(&h, fuzz_alloc, NULL, (size_t)64 << 20);
    arena_init(&arena, &h);
    struct glob_prog *g = glob_compile(&arena, pattern, flags);
    if (g) {
        bool whole = glob_match(g, text);
        if (glob_literal(g, &literal))
            fuzz_demand(whole == str_eq(literal, text) || (flags & GLOB_PERIOD));
        /* The searching entries know no GLOB_PERIOD and no GLOB_PATH. */
        bool chars = (flags & GLOB_BYTES) || (utf8_valid(text) && utf8_valid(pattern));
        if (text.n <= 24 && chars && !(flags & (GLOB_PERIOD | GLOB_PATH)))
            glob_fuzz_parts(g, text, flags);
        if (glob_fuzz_ascii(text))
            glob_fuzz_compare(g, pattern, text, flags);
    }
    arena_fini(&arena);
    fuzz_demand(h.used == 0);
    return 0;
}

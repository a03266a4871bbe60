/* regex.c -- fuzz target: a pattern and a text through every entry of the engine
 *
 * The first two bytes choose flavour and switches, a line end parts pattern and text. The entries
 * must agree with each other. With a pattern of ordinary operators they must agree with the C
 * library too, where that is known to be right: no back-references, and no assertion but ^ at the
 * begin and $ at the end.
 */
#include <locale.h>
#include <regex.h>

#include "fuzz.h"
#include "text/regex.h"

static int fuzz_tick(void *ud, uint64_t steps)
{
    uint64_t *left = ud;
    *left -= steps < *left ? steps : *left;
    return *left ? 0 : HOB_EINTR;
}

/* Whether the C library can be trusted, and be kept from taking for ever, with this pattern. */
static int fuzz_comparable(struct str p, struct str t)
{
    if (p.n > 24 || t.n > 24)
        return 0;
    for (size_t i = 0; i < p.n; i++) {
        char c = p.p[i];
        if (!c || !strchr("abcAB()|*+?.[]^-$", c) || (c == '^' && i > 0 && p.p[i - 1] != '[') ||
            (c == '$' && i + 1 < p.n))
            return 0;
    }
    for (size_t i = 0; i < t.n; i++)
        if (!strchr("abcABx\n", t.p[i]) || !t.p[i])
            return 0;
    return 1;
}

/* The bounds of the match as the C library has them; groups too, unless it may loop over nothing,
 * where it is known to hang. */
static void fuzz_compare(struct regex *re, struct str pattern, struct str text, unsigned flags)
{
    char p[32], t[32];
    regex_t libc;
    regmatch_t want[1];
    struct regex_match got[1];
    memcpy(p, pattern.p, pattern.n);
    memcpy(t, text.p, text.n);
    p[pattern.n] = t[text.n] = '\0';
    int cflags = (flags & REGEX_FLAVOUR) == REGEX_ERE ? REG_EXTENDED : 0;
    cflags |= (flags & REGEX_ICASE ? REG_ICASE : 0) | (flags & REGEX_NEWLINE ? REG_NEWLINE : 0);
    int bad = regcomp(&libc, p, cflags);
    fuzz_demand((bad != 0) == (re == NULL));
    if (bad)
        return;
    int r = regexec(&libc, t, 1, want, 0);
    fuzz_demand(regex_exec(re, text, 0, 0, got, 1) == (r == 0));
    fuzz_demand(r || (got[0].start == want[0].rm_so && got[0].end == want[0].rm_eo));
    regfree(&libc);
}

/* All ways to ask about one text give one answer. */
static void fuzz_agree(struct regex *re, struct str text, unsigned eflags, unsigned flags)
{
    struct regex_match m[8], one;
    size_t a, z;
    int r = regex_exec(re, text, 0, eflags, m, 8);
    int r1 = regex_exec(re, text, 0, eflags, &one, 1);
    int r0 = regex_exec(re, text, 0, eflags, NULL, 0);
    if (r < 0 || r1 < 0 || r0 < 0)
        return;
    fuzz_demand(r == r1 && r == r0);
    if (r > 0) {
        fuzz_demand(m[0].start == one.start && m[0].end == one.end);
        fuzz_demand(one.start >= 0 && one.start <= one.end && (size_t)one.end <= text.n);
        fuzz_demand(regex_exec(re, text, (size_t)one.start, eflags | REGEX_HERE, &one, 1) != 0);
        for (int i = 1; i < 8; i++)
            fuzz_demand(m[i].start < 0 || m[i].end <= (ptrdiff_t)text.n);
    }
    if ((flags & REGEX_LINES) && eflags == 0 && text.n > 0) {
        int line = regex_find_line(re, text, 0, &a, &z);
        fuzz_demand(line < 0 || !(line > 0 && r == 0));
        fuzz_demand(line <= 0 || (a <= z && z <= text.n));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3 || size > 4096)
        return 0;
    static int ready;
    if (!ready)
        ready = setlocale(LC_ALL, "C.UTF-8") != NULL;
    unsigned flags = (data[0] % 12u) | (unsigned)data[1] << 4 | (data[0] & 0x80 ? REGEX_BYTES : 0u);
    unsigned eflags = data[0] >> 4 & 3;
    const char *p = (const char *)data + 2, *nl = memchr(p, '\n', size - 2);
    struct str pattern = str_of(p, nl ? (size_t)(nl - p) : size - 2);
    struct str text = nl ? str_of(nl + 1, size - 3 - pattern.n) : str_of("", 0);
    struct heap h;
    struct regex *re = NULL;
    struct hob_error e;
    heap_init(&h, fuzz_alloc, NULL, (size_t)256 << 20);
    uint64_t left = 20000000;
    int r = regex_compile(&h, pattern, flags, &re, &e);
    fuzz_demand((r < 0) == (re == NULL));
    unsigned plain = flags & ~(unsigned)(REGEX_ICASE | REGEX_NEWLINE);
    if ((plain == REGEX_BRE || plain == REGEX_ERE) && fuzz_comparable(pattern, text))
        fuzz_compare(re, pattern, text, flags);
    if (re) {
        regex_set_tick(re, fuzz_tick, &left);
        regex_set_steps(re, 1000000);
        if (data[1] & 0x80)
            regex_set_cache(re, 4096);
        fuzz_agree(re, text, eflags, flags);
        regex_free(re);
    }
    fuzz_demand(h.used == 0);
    return 0;
}

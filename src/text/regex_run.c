/* regex_run.c -- driving the automata over a text, forward and backward */
#include "text/regex_impl.h"

/* The symbol of byte i, which hangs on the character it belongs to. */
static unsigned regex_symbol_wide(const struct regex_alphabet *a, struct str text, size_t i)
{
    unsigned char b = (unsigned char)text.p[i];
    for (size_t k = 0; k < 4 && k <= i; k++) {
        unsigned char lead = (unsigned char)text.p[i - k];
        int len;
        if (lead < 128)
            break;
        if (lead < 0xC0)
            continue;
        uint32_t c = utf8_decode(text.p + i - k, text.n - (i - k), &len);
        if (c == UTF8_BAD || (size_t)len <= k)
            break;
        return regex_is_word(c) ? a->word[b - 128] : k > 0 ? a->cont[b - 128] : a->map[b];
    }
    return a->raw[b - 128];
}

unsigned regex_symbol(const struct regex *re, const struct regex_prog *p, struct str text, size_t i)
{
    unsigned char b = (unsigned char)text.p[i];
    if (b >= 128 && regex_prog_words(p) && !(re->flags & REGEX_BYTES))
        return regex_symbol_wide(&p->abc, text, i);
    return p->abc.map[b];
}

unsigned regex_ctx_before(const struct regex *re, const struct regex_prog *p, struct str text,
                          size_t i, unsigned eflags)
{
    if (!p->asserts)
        return 0;
    if (i == 0)
        return REGEX_CTX_EDGE | (eflags & REGEX_NOTBOL ? 0u : REGEX_CTX_LINE);
    return p->abc.ctx[regex_symbol(re, p, text, i - 1)];
}

unsigned regex_ctx_behind(const struct regex *re, const struct regex_prog *p, struct str text,
                          size_t i, unsigned eflags)
{
    if (!p->asserts)
        return 0;
    if (i == text.n)
        return REGEX_CTX_EDGE | (eflags & REGEX_NOTEOL ? 0u : REGEX_CTX_LINE);
    return p->abc.ctx[regex_symbol(re, p, text, i)];
}

int regex_charge(struct regex *re, struct regex_dfa *d, uint64_t bytes)
{
    d->since += bytes;
    re->owed += bytes + d->work;
    d->work = 0;
    if (re->owed < REGEX_TICK)
        return 0;
    uint64_t steps = re->owed;
    re->owed = 0;
    int r = re->tick ? re->tick(re->tick_ud, steps) : 0;
    return MIN(r, 0);
}

/* The state as the runs below see it. */
struct regex_run {
    struct regex *re;
    struct regex_dfa *d;
    struct str text;
    uint32_t e;   /* the transition that led to the state where we are, */
    uint32_t was; /* and the one before it */
    bool free;    /* states are no longer kept: d->cur is the state */
    size_t charged;
};

static unsigned regex_run_flags(const struct regex_run *r)
{
    if (r->free)
        return r->d->cur.flags;
    return r->d->states.p[(r->e & ~REGEX_SPECIAL) >> r->d->shift].flags;
}

static bool regex_run_dead(const struct regex_run *r)
{
    if (r->free)
        return r->d->cur.n == 0 && !(r->d->cur.flags & REGEX_S_SEARCH);
    return (r->e & ~REGEX_SPECIAL) >> r->d->shift == REGEX_DEAD;
}

/* One symbol in the slow way: makes the transition. */
static int regex_run_step(struct regex_run *r, uint32_t from, unsigned sym)
{
    struct regex_dfa *d = r->d;
    if (r->free)
        return regex_free_step(d, sym);
    int x = regex_dfa_step(d, from >> d->shift, sym, &r->e);
    if (x == 0 && d->thrash > 2) {
        r->free = true;
        x = regex_free_begin(d, (r->e & ~REGEX_SPECIAL) >> d->shift);
    }
    return x;
}

/* Where a run that counts from `from` has come to is told now and then. */
static int regex_run_tick(struct regex_run *r, size_t done)
{
    if (done - r->charged < REGEX_TICK && r->d->work < REGEX_TICK)
        return 0;
    uint64_t bytes = done - r->charged;
    r->charged = done;
    return regex_charge(r->re, r->d, bytes);
}

/* Reads from i on until a state needs a look or `stop`; returns where it stands then. */
static size_t regex_run_fast(struct regex_run *r, size_t i, size_t stop)
{
    const uint8_t *p = (const uint8_t *)r->text.p;
    const uint8_t *map = r->d->prog->abc.map;
    const uint32_t *table = r->d->table.p;
    uint32_t e = r->e, was = e;
    /* The row is added to the column first, so that one state hangs on the last by a load alone. */
    while (stop - i >= 4) {
        const uint32_t *c0 = table + map[p[i]], *c1 = table + map[p[i + 1]];
        const uint32_t *c2 = table + map[p[i + 2]], *c3 = table + map[p[i + 3]];
        uint32_t a = c0[e];
        if (a & REGEX_SPECIAL) {
            r->was = e;
            r->e = a;
            return i + 1;
        }
        e = c1[a];
        if (e & REGEX_SPECIAL) {
            r->was = a;
            r->e = e;
            return i + 2;
        }
        a = c2[e];
        if (a & REGEX_SPECIAL) {
            r->was = e;
            r->e = a;
            return i + 3;
        }
        e = c3[a];
        if (e & REGEX_SPECIAL) {
            r->was = a;
            r->e = e;
            return i + 4;
        }
        i += 4;
    }
    while (i < stop && !(e & REGEX_SPECIAL)) {
        was = e;
        e = table[e + map[p[i++]]];
    }
    r->was = was;
    r->e = e;
    return i;
}

/* The same where symbols depend on the characters around a byte. */
static size_t regex_run_words(struct regex_run *r, size_t i, size_t stop)
{
    const uint8_t *p = (const uint8_t *)r->text.p;
    const uint8_t *map = r->d->prog->abc.map;
    const uint32_t *table = r->d->table.p;
    uint32_t e = r->e, was = e;
    while (i < stop && !(e & REGEX_SPECIAL)) {
        unsigned sym = p[i] < 128 ? map[p[i]] : regex_symbol(r->re, r->d->prog, r->text, i);
        was = e;
        e = table[e + sym];
        i++;
    }
    r->was = was;
    r->e = e;
    return i;
}

/* One or many bytes forward from i; *at is where it stands then. */
static int regex_run_on(struct regex_run *r, size_t i, size_t *at)
{
    size_t stop = MIN(r->text.n, i + REGEX_TICK);
    if (r->free) {
        *at = i + 1;
        return regex_free_step(r->d, regex_symbol(r->re, r->d->prog, r->text, i));
    }
    r->e &= ~REGEX_SPECIAL;
    i = regex_prog_words(r->d->prog) ? regex_run_words(r, i, stop) : regex_run_fast(r, i, stop);
    *at = i;
    if (r->e == REGEX_SPECIAL)
        return regex_run_step(r, r->was, regex_symbol(r->re, r->d->prog, r->text, i - 1));
    return 0;
}

/* From an idle state at *i: goes to the next place where a match can begin. 0: there is none. */
static int regex_run_jump(struct regex_run *r, size_t *i, unsigned eflags)
{
    struct regex *re = r->re;
    size_t to = re->pre.start.n > 0 ? regex_literals_find(&re->pre.start, r->text, *i)
                                    : regex_bytes_find(&re->pre.start_bytes, r->text, *i);
    if (to == SIZE_MAX)
        return 0;
    if (to == *i)
        return 1;
    *i = to;
    unsigned ctx = regex_ctx_before(re, r->d->prog, r->text, to, eflags);
    int x = regex_dfa_start(r->d, ctx, true, &r->e);
    return x < 0 ? x : 1;
}

int regex_forward(struct regex *re, struct regex_dfa *d, struct str text, size_t from,
                  unsigned eflags, bool search, bool earliest, size_t *end)
{
    struct regex_run r = {.re = re, .d = d, .text = text};
    size_t i = from;
    bool found = false;
    int x = regex_dfa_start(d, regex_ctx_before(re, d->prog, text, from, eflags), search, &r.e);
    d->thrash = MIN(d->thrash, 1u);
    while (x >= 0) {
        if (r.free || (r.e & REGEX_SPECIAL)) {
            unsigned flags = regex_run_flags(&r);
            if (flags & (REGEX_S_LATE | REGEX_S_NOW)) {
                found = true;
                *end = flags & REGEX_S_NOW ? i : i - 1;
            }
            if ((found && earliest) || regex_run_dead(&r))
                break;
            if ((flags & REGEX_S_IDLE) && d->idle && !r.free) {
                x = regex_run_jump(&r, &i, eflags);
                if (x <= 0)
                    break;
            }
        }
        if (i == text.n) {
            if (!(regex_run_flags(&r) & REGEX_S_PENDING))
                break;
            x = regex_run_step(&r, r.e & ~REGEX_SPECIAL,
                               d->prog->abc.n + (eflags & REGEX_NOTEOL ? 0u : 1u));
            if (x >= 0 && (regex_run_flags(&r) & REGEX_S_LATE)) {
                found = true;
                *end = i;
            }
            break;
        }
        x = regex_run_on(&r, i, &i);
        if (x >= 0)
            x = regex_run_tick(&r, i - from);
    }
    if (x >= 0)
        x = regex_charge(re, d, i - from - r.charged);
    return x < 0 ? x : found;
}

int regex_backward(struct regex *re, struct regex_dfa *d, struct str text, size_t low, size_t end,
                   unsigned eflags, size_t *start)
{
    struct regex_run r = {.re = re, .d = d, .text = text};
    size_t i = end;
    bool found = false;
    int x = regex_dfa_start(d, regex_ctx_behind(re, d->prog, text, end, eflags), false, &r.e);
    d->thrash = MIN(d->thrash, 1u);
    while (x >= 0) {
        unsigned flags = regex_run_flags(&r);
        if (flags & REGEX_S_NOW || flags & REGEX_S_LATE) {
            found = true;
            *start = flags & REGEX_S_NOW ? i : i + 1;
        }
        if (regex_run_dead(&r))
            break;
        if (i == low && !(flags & REGEX_S_PENDING))
            break;
        unsigned sym = i > 0 ? regex_symbol(re, d->prog, text, i - 1)
                             : d->prog->abc.n + (eflags & REGEX_NOTBOL ? 0u : 1u);
        uint32_t was = r.e & ~REGEX_SPECIAL;
        if (!r.free)
            r.e = d->table.p[was + sym];
        if (r.free || r.e == REGEX_SPECIAL)
            x = regex_run_step(&r, was, sym);
        if (i == low) {
            if (x >= 0 && (regex_run_flags(&r) & REGEX_S_LATE)) {
                found = true;
                *start = low;
            }
            break;
        }
        i--;
        if (x >= 0)
            x = regex_run_tick(&r, end - i);
    }
    if (x >= 0)
        x = regex_charge(re, d, end - i - r.charged);
    return x < 0 ? x : found;
}

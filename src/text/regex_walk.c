/* regex_walk.c -- the groups of a match whose bounds are known
 *
 * One pass back over the match notes for each place from which nodes the end can be reached; one
 * pass forward then takes the first choice that leads there. These are the groups that GNU's
 * regexec reports, which is what sed and bash show, and not always those of the POSIX text: a loop
 * that could turn without reading leaves, an empty turn of an optional group is undone, and a way
 * to the end that needs no assertion there is preferred to one that does.
 *
 * Matches longer than a block are noted block by block, from states kept at the blocks' ends.
 */
#include "text/regex_impl.h"

enum {
    REGEX_BLOCK = 4096
};

struct regex_walker {
    struct regex *re;
    struct regex_dfa *d;
    struct str text;
    unsigned eflags;
    size_t start, end; /* the match */
    bool variant;      /* no assertion at the end of the pattern */
    bool listed;       /* states did not fit the cache: their items are in re->log_items */
    size_t lo, hi;     /* the block in re->log */
    size_t resolved;   /* the place whose nodes d->res holds */
    int error;
};

/* Enters the state from which the block that ends at hi is read. */
static int regex_walk_enter(struct regex_walker *w, size_t hi, uint32_t *id)
{
    struct regex *re = w->re;
    uint32_t e;
    int r;
    if (hi == w->end) {
        unsigned ctx = regex_ctx_behind(re, w->d->prog, w->text, hi, w->eflags);
        r = regex_dfa_start(w->d, ctx, w->variant, &e);
    } else {
        const struct regex_state *s = &re->marks.p[(hi - w->start) / REGEX_BLOCK];
        r = regex_dfa_adopt(w->d, s, re->mark_items.p + s->items, &e);
    }
    *id = (e & ~REGEX_SPECIAL) >> w->d->shift;
    return r;
}

static bool regex_walk_list(struct heap *h, struct regex_items *to, const uint32_t *items, size_t n)
{
    if (!vec_reserve(h, to, n + 1))
        return false;
    if (n > 0)
        memcpy(to->p + to->n, items, n * sizeof *items);
    to->n += n;
    return true;
}

/* Notes the state at one place of the block. */
static bool regex_walk_note(struct regex_walker *w, size_t at, uint32_t id)
{
    struct regex *re = w->re;
    struct regex_state *s = &re->log.p[at - w->lo];
    if (!w->listed) {
        *s = w->d->states.p[id];
        return true;
    }
    *s = w->d->cur;
    s->items = (uint32_t)re->log_items.n;
    return regex_walk_list(re->heap, &re->log_items, w->d->hold.p, s->n);
}

/* Reads the block back from hi to lo. 1, or 0 if nothing reaches lo. */
static int regex_walk_read(struct regex_walker *w)
{
    struct regex *re = w->re;
    struct regex_dfa *d = w->d;
    uint32_t id, e;
    int r = regex_walk_enter(w, w->hi, &id);
    if (r >= 0 && w->listed)
        r = regex_free_begin(d, id);
    uint64_t flushes = d->flushes;
    re->log_items.n = 0;
    for (size_t i = w->hi; r >= 0; i--) {
        if (!regex_walk_note(w, i, id))
            return HOB_ENOMEM;
        if (i == w->lo)
            return 1;
        unsigned sym = regex_symbol(re, d->prog, w->text, i - 1);
        if (w->listed) {
            r = regex_free_step(d, sym);
            if (r >= 0 && d->cur.n == 0)
                return 0;
            continue;
        }
        e = d->table.p[((size_t)id << d->shift) + sym];
        if (e == REGEX_SPECIAL)
            r = regex_dfa_step(d, id, sym, &e);
        id = (e & ~REGEX_SPECIAL) >> d->shift;
        if (r >= 0 && id == REGEX_DEAD)
            return 0;
        if (d->flushes != flushes) {
            /* What was noted is gone with the states; this block is done with lists. */
            w->listed = true;
            return regex_walk_read(w);
        }
    }
    return r;
}

/* Makes the block that begins at lo the current one. */
static int regex_walk_load(struct regex_walker *w, size_t lo)
{
    w->lo = lo;
    w->hi = MIN(lo + REGEX_BLOCK, w->end);
    w->resolved = SIZE_MAX;
    w->re->log.n = 0;
    if (!vec_reserve(w->re->heap, &w->re->log, w->hi - w->lo + 1))
        return HOB_ENOMEM;
    int r = regex_charge(w->re, w->d, w->hi - w->lo);
    return r < 0 ? r : regex_walk_read(w);
}

/* For a match of several blocks: keeps the states at their ends. */
static int regex_walk_marks(struct regex_walker *w)
{
    struct regex *re = w->re;
    size_t blocks = (w->end - w->start + REGEX_BLOCK - 1) / REGEX_BLOCK;
    re->marks.n = re->mark_items.n = 0;
    if (blocks < 2)
        return 1;
    if (!vec_reserve(re->heap, &re->marks, blocks))
        return HOB_ENOMEM;
    for (size_t k = blocks; k-- > 1;) {
        int r = regex_walk_load(w, w->start + k * REGEX_BLOCK);
        if (r <= 0)
            return r;
        struct regex_state s = re->log.p[0];
        const uint32_t *items = (w->listed ? re->log_items.p : w->d->pool.p) + s.items;
        s.items = (uint32_t)re->mark_items.n;
        re->marks.p[k] = s;
        if (!regex_walk_list(re->heap, &re->mark_items, items, s.n))
            return HOB_ENOMEM;
    }
    return 1;
}

/* Whether the end of the match can be reached from node k at place i. */
static bool regex_walk_has(struct regex_walker *w, size_t i, uint32_t k)
{
    struct regex *re = w->re;
    const struct regex_state *s = &re->log.p[i - w->lo];
    const uint32_t *items = (w->listed ? re->log_items.p : w->d->pool.p) + s->items;
    if (!(s->flags & REGEX_S_PENDING))
        return regex_items_have(items, s->n, k);
    if (w->resolved != i) {
        unsigned ctx = regex_ctx_before(re, w->d->prog, w->text, i, w->eflags);
        int r = regex_dfa_resolve(w->d, s, items, ctx);
        if (r < 0) {
            w->error = r;
            return false;
        }
        w->resolved = i;
    }
    return regex_items_have(w->d->res.p, w->d->res.n, k);
}

/* Notes the begin or the end of a group; `kept`, if it is wanted, is what an empty turn falls back
 * to. */
void regex_walk_group(const struct regex_node *n, ptrdiff_t at, struct regex_match *m,
                      struct regex_match *kept, size_t nm)
{
    uint32_t g = n->u.group;
    if (g >= nm)
        return;
    if (n->kind == REGEX_N_OPEN) {
        m[g].start = at;
        m[g].end = -1;
    } else if (m[g].start < at) {
        m[g].end = at;
        if (kept)
            memcpy(kept, m, nm * sizeof *m);
    } else if (n->opt && kept && kept[g].start != -1) {
        memcpy(m, kept, nm * sizeof *m);
    } else {
        m[g].end = at;
    }
}

/* The node behind `k` when byte i is read. */
static uint32_t regex_walk_char(struct regex_walker *w, uint32_t k, size_t i)
{
    const struct regex_prog *p = w->d->prog;
    const struct regex_node *n = &p->nodes.p[k];
    const struct regex_state_edges *s = &p->states.p[n->state];
    uint8_t c = (uint8_t)w->text.p[i];
    uint32_t found = REGEX_FINAL;
    for (uint32_t j = 0; j < s->n && p->edges.p[s->first + j].lo <= c; j++) {
        const struct regex_edge *e = &p->edges.p[s->first + j];
        if (c > e->hi)
            continue;
        uint32_t to = e->to == REGEX_FINAL ? n->out : n->u.base + e->to;
        if (found != REGEX_FINAL && regex_walk_has(w, i + 1, found))
            break; /* two edges are rare: only sets of fixed strings and of raw bytes have them */
        found = to;
    }
    return found;
}

/* Walks from the begin to the end of the match. */
static int regex_walk_forward(struct regex_walker *w, struct regex_match *m,
                              struct regex_match *kept, size_t nm)
{
    struct regex *re = w->re;
    const struct regex_prog *p = w->d->prog;
    uint32_t k = p->start, *via = re->via, gen = ++re->via_gen;
    size_t i = w->start, turns = 0;
    while (k != p->accept || i != w->end) {
        const struct regex_node *n = &p->nodes.p[k];
        if (w->error < 0)
            return w->error;
        if (n->kind == REGEX_N_CHAR) {
            if (i >= w->end)
                return HOB_EBUG;
            if (i == w->hi) {
                int r = regex_walk_load(w, i);
                if (r <= 0)
                    return r < 0 ? r : HOB_EBUG;
            }
            k = regex_walk_char(w, k, i++);
            if (k == REGEX_FINAL)
                return HOB_EBUG;
            gen = ++re->via_gen;
            turns = 0;
            continue;
        }
        if (++turns > 2 * p->nodes.n + 8)
            return HOB_EBUG;
        via[k] = gen;
        if (n->kind == REGEX_N_OPEN || n->kind == REGEX_N_CLOSE)
            regex_walk_group(n, (ptrdiff_t)i, m, kept, nm);
        if (n->kind != REGEX_N_SPLIT || !regex_walk_has(w, i, n->out))
            k = n->kind == REGEX_N_SPLIT ? n->u.alt : n->out;
        else if (via[n->out] == gen && regex_walk_has(w, i, n->u.alt))
            k = n->u.alt;
        else
            k = n->out;
    }
    return 1;
}

int regex_walk(struct regex *re, struct str text, unsigned eflags, struct regex_match *m, size_t nm)
{
    struct regex_walker w = {.re = re, .d = &re->rev, .text = text, .eflags = eflags};
    w.start = (size_t)m[0].start;
    w.end = (size_t)m[0].end;
    w.variant = re->prog.asserts != 0;
    /* Groups that nobody asked for are followed too: what an empty turn undoes hangs on them. */
    size_t all = re->groups + (size_t)1;
    nm = MIN(nm, all);
    re->regs.n = 0;
    if (!vec_reserve(re->heap, &re->regs, 2 * all))
        return HOB_ENOMEM;
    if (re->via && re->via_gen > UINT32_MAX / 2 - (uint32_t)MIN(w.end - w.start, 1u << 30)) {
        memset(re->via, 0, re->prog.nodes.n * sizeof *re->via);
        re->via_gen = 0;
    }
    if (!re->via) {
        re->via = heap_zalloc(re->heap, re->prog.nodes.n * sizeof *re->via);
        if (!re->via)
            return HOB_ENOMEM;
    }
    for (int round = 0; round < 2; round++) {
        int r = regex_walk_marks(&w);
        if (r > 0)
            r = regex_walk_load(&w, w.start);
        if (r > 0 && regex_walk_has(&w, w.start, re->prog.start))
            break;
        if (r < 0 || w.error < 0)
            return r < 0 ? r : w.error;
        if (!w.variant)
            return HOB_EBUG;
        w.variant = false;
    }
    struct regex_match *own = re->regs.p;
    for (size_t g = 0; g < 2 * all; g++)
        own[g] = g % all == 0 ? m[0] : (struct regex_match){-1, -1};
    int r = regex_walk_forward(&w, own, re->prog.undoes ? own + all : NULL, all);
    for (size_t g = 1; r > 0 && g < nm; g++)
        m[g] = own[re->same_as[g]];
    return r;
}

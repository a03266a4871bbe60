/* regex_dfa.c -- the program as a DFA whose states are made when a text first leads to them
 *
 * Forward, a state is the set of nodes that wait for the next byte. To find the leftmost longest
 * match the nodes stand in groups, one for each place where a match may have begun, the earliest
 * first; a node belongs to the first group that reaches it, and once a group has matched those
 * behind it are dropped. Backward, a state is the set of all nodes from which the rest of the
 * match can be read, choices included, because regex_walk.c asks for them.
 *
 * An assertion that needs the character that comes next waits in the state; it is decided when that
 * is read, and a match that hung on it is told one symbol late.
 *
 * The states of one automaton take at most `max` bytes. Then all are dropped; if that happens too
 * often, states are no longer kept at all and the run costs a step for each node.
 */
#include "text/regex_impl.h"

#define REGEX_MARK UINT32_MAX    /* between two groups */
#define REGEX_WAIT REGEX_SPECIAL /* on an item of a state backward: an assertion that waits */
#define REGEX_SWAP(a, b)                                                                           \
    do {                                                                                           \
        struct regex_items swap_ = a;                                                              \
        a = b;                                                                                     \
        b = swap_;                                                                                 \
    } while (0)

int regex_dfa_init(struct regex_dfa *d, struct heap *h, struct regex_prog *p, bool back,
                   bool ordered, size_t max)
{
    if (d->ready)
        return 0;
    if (back) {
        int r = regex_prog_reverse(h, p);
        if (r < 0)
            return r;
    }
    memset(d, 0, sizeof *d);
    d->heap = h;
    d->prog = p;
    d->back = back;
    d->ordered = ordered;
    d->max = max;
    d->ready = true;
    while ((1u << d->shift) < p->abc.n + 2u)
        d->shift++;
    d->nwork = p->nodes.n;
    d->dense = heap_alloc(h, d->nwork * sizeof *d->dense);
    d->sparse = heap_zalloc(h, d->nwork * sizeof *d->sparse);
    d->stack = heap_alloc(h, d->nwork * sizeof *d->stack);
    if (!d->dense || !d->sparse || !d->stack)
        return HOB_ENOMEM;
    return regex_dfa_flush(d);
}

void regex_dfa_fini(struct regex_dfa *d)
{
    if (!d->ready)
        return;
    heap_free(d->heap, d->dense, d->dense ? d->nwork * sizeof *d->dense : 0);
    heap_free(d->heap, d->sparse, d->sparse ? d->nwork * sizeof *d->sparse : 0);
    heap_free(d->heap, d->stack, d->stack ? d->nwork * sizeof *d->stack : 0);
    heap_free(d->heap, d->hash, d->nhash * sizeof *d->hash);
    vec_fini(d->heap, &d->states);
    vec_fini(d->heap, &d->pool);
    vec_fini(d->heap, &d->table);
    vec_fini(d->heap, &d->out);
    vec_fini(d->heap, &d->res);
    vec_fini(d->heap, &d->hold);
    memset(d, 0, sizeof *d);
}

/* ---- keeping states -------------------------------------------------------------------------- */

/* Adds a state with the items in d->out; its transitions are unknown. Its number, or negative. */
static int regex_dfa_push(struct regex_dfa *d, uint32_t hash, unsigned flags, unsigned ctx)
{
    size_t row = (size_t)1 << d->shift, n = d->out.n;
    struct regex_state s = {(uint32_t)d->pool.n, (uint32_t)n, hash, (uint8_t)flags, (uint8_t)ctx};
    if (!vec_reserve(d->heap, &d->pool, n + 1) || !vec_reserve(d->heap, &d->table, row) ||
        !vec_push(d->heap, &d->states, s))
        return HOB_ENOMEM;
    if (n > 0)
        memcpy(d->pool.p + d->pool.n, d->out.p, n * sizeof *d->out.p);
    d->pool.n += n;
    for (size_t i = 0; i < row; i++)
        d->table.p[d->table.n++] = REGEX_SPECIAL;
    return (int)d->states.n - 1;
}

/* Drops all states but the two that always are: the one not yet known and the dead one. */
int regex_dfa_flush(struct regex_dfa *d)
{
    size_t keep = d->out.n;
    if (d->states.n > 2) {
        /* Ten bytes for each state made is less than a run without states would cost. */
        bool bad = d->since < 10 * d->states.n;
        d->thrash = bad ? d->thrash + 1 : 0;
        d->flushes++;
    }
    d->since = 0;
    d->states.n = d->pool.n = d->table.n = 0;
    memset(d->starts, 0, sizeof d->starts);
    if (d->hash)
        memset(d->hash, 0, d->nhash * sizeof *d->hash);
    d->out.n = 0;
    int r = regex_dfa_push(d, 0, 0, 0);
    if (r >= 0)
        r = regex_dfa_push(d, 0, 0, 0);
    d->out.n = keep;
    if (r < 0)
        return r;
    for (size_t i = 0; i < (size_t)1 << d->shift; i++)
        d->table.p[(REGEX_DEAD << d->shift) + i] = REGEX_SPECIAL | REGEX_DEAD << d->shift;
    return 0;
}

static size_t regex_dfa_bytes(const struct regex_dfa *d)
{
    return d->pool.n * sizeof *d->pool.p + d->table.n * sizeof *d->table.p +
           d->states.n * sizeof *d->states.p;
}

/* Room in the hash table for one state more. */
static bool regex_dfa_rehash(struct regex_dfa *d)
{
    if (d->states.n * 2 < d->nhash)
        return true;
    size_t n = d->nhash ? d->nhash * 2 : 64;
    uint32_t *hash = heap_zalloc(d->heap, n * sizeof *hash);
    if (!hash)
        return false;
    heap_free(d->heap, d->hash, d->nhash * sizeof *d->hash);
    d->hash = hash;
    d->nhash = n;
    for (size_t i = 2; i < d->states.n; i++) {
        size_t k = d->states.p[i].hash & (n - 1);
        while (hash[k])
            k = (k + 1) & (n - 1);
        hash[k] = (uint32_t)i;
    }
    return true;
}

/* The number of the state with the items in d->out, made if it is new. */
static int regex_dfa_intern(struct regex_dfa *d, unsigned flags, unsigned ctx)
{
    size_t n = d->out.n;
    if (n == 0 && !(flags & (REGEX_S_NOW | REGEX_S_LATE | REGEX_S_SEARCH)))
        return REGEX_DEAD;
    uint32_t h = flags * 31 + ctx;
    for (size_t i = 0; i < n; i++)
        h = (h ^ d->out.p[i]) * 0x9E3779B1u + (h >> 15);
    h ^= h >> 16;
    for (;;) {
        if (!regex_dfa_rehash(d))
            return HOB_ENOMEM;
        size_t k = h & (d->nhash - 1);
        for (; d->hash[k]; k = (k + 1) & (d->nhash - 1)) {
            const struct regex_state *s = &d->states.p[d->hash[k]];
            if (s->hash == h && s->n == n && s->flags == flags && s->ctx == ctx &&
                (n == 0 || memcmp(d->pool.p + s->items, d->out.p, n * sizeof *d->out.p) == 0))
                return (int)d->hash[k];
        }
        size_t more = n * sizeof *d->out.p + ((size_t)4 << d->shift) + sizeof(struct regex_state);
        if (d->states.n > 2 && regex_dfa_bytes(d) + more > d->max) {
            int r = regex_dfa_flush(d);
            if (r < 0)
                return r;
            continue;
        }
        int id = regex_dfa_push(d, h, flags, ctx);
        if (id >= 0)
            d->hash[k] = (uint32_t)id;
        return id;
    }
}

/* ---- sets of nodes --------------------------------------------------------------------------- */

static inline bool regex_seen(const struct regex_dfa *d, uint32_t k)
{
    uint32_t at = d->sparse[k];
    return at < d->ndense && d->dense[at] == k;
}

static inline void regex_see(struct regex_dfa *d, uint32_t k)
{
    d->sparse[k] = (uint32_t)d->ndense;
    d->dense[d->ndense++] = k;
}

static bool regex_put(struct regex_dfa *d, uint32_t item)
{
    if (vec_push(d->heap, &d->out, item))
        return true;
    d->failed = true;
    return false;
}

static void regex_sift(uint32_t *p, size_t at, size_t n)
{
    uint32_t v = p[at];
    for (size_t kid; (kid = 2 * at + 1) < n; at = kid) {
        if (kid + 1 < n && p[kid] < p[kid + 1])
            kid++;
        if (v >= p[kid])
            break;
        p[at] = p[kid];
    }
    p[at] = v;
}

/* Orders the items of a group, so that equal sets look equal. */
static void regex_sort(uint32_t *p, size_t n)
{
    if (n < 24) {
        for (size_t i = 1; i < n; i++) {
            uint32_t v = p[i];
            size_t k = i;
            for (; k > 0 && p[k - 1] > v; k--)
                p[k] = p[k - 1];
            p[k] = v;
        }
        return;
    }
    for (size_t i = n / 2; i-- > 0;)
        regex_sift(p, i, n);
    for (size_t i = n; i-- > 1;) {
        uint32_t v = p[0];
        p[0] = p[i];
        p[i] = v;
        regex_sift(p, 0, i);
    }
}

/* ---- forward --------------------------------------------------------------------------------- */

/* Adds what node k leads to without reading: nodes that read, and assertions that must wait.
 * True if the end of the pattern is among it. */
static bool regex_closure(struct regex_dfa *d, uint32_t k, unsigned before, unsigned behind)
{
    const struct regex_node *nodes = d->prog->nodes.p;
    bool accept = false;
    size_t n = 0;
    if (regex_seen(d, k))
        return false;
    regex_see(d, k);
    d->stack[n++] = k;
    while (n > 0) {
        k = d->stack[--n];
        const struct regex_node *node = &nodes[k];
        if (node->kind == REGEX_N_CHAR) {
            regex_put(d, k);
            continue;
        }
        if (node->kind == REGEX_N_ACCEPT) {
            accept = true;
            continue;
        }
        if (node->kind == REGEX_N_ASSERT) {
            int holds = regex_assert_holds(node->arg, before, behind);
            if (holds < 0) {
                d->waits = true;
                regex_put(d, k);
            }
            if (holds <= 0)
                continue;
        }
        if (!regex_seen(d, node->out)) {
            regex_see(d, node->out);
            d->stack[n++] = node->out;
        }
        if (node->kind == REGEX_N_SPLIT && !regex_seen(d, node->u.alt)) {
            regex_see(d, node->u.alt);
            d->stack[n++] = node->u.alt;
        }
    }
    return accept;
}

/* Adds where the bytes of node k lead on byte c. */
static bool regex_advance(struct regex_dfa *d, uint32_t k, uint8_t c, unsigned before)
{
    const struct regex_prog *p = d->prog;
    const struct regex_node *node = &p->nodes.p[k];
    const struct regex_state_edges *s = &p->states.p[node->state];
    bool accept = false;
    for (uint32_t i = 0; i < s->n; i++) {
        const struct regex_edge *e = &p->edges.p[s->first + i];
        if (e->lo > c)
            break;
        if (c <= e->hi)
            accept |= regex_closure(d, e->to == REGEX_FINAL ? node->out : node->u.base + e->to,
                                    before, REGEX_CTX_UNKNOWN);
    }
    return accept;
}

/* Closes the group whose items begin at `from` in d->out. */
static void regex_end_group(struct regex_dfa *d, size_t from)
{
    if (d->out.n > from)
        regex_sort(d->out.p + from, d->out.n - from);
    if (d->ordered && d->out.n > from)
        regex_put(d, REGEX_MARK);
}

/* Decides the assertions that waited for symbol context `behind`. The items, now without waiting
 * ones, go to d->res. True if that was a match; then the groups behind it are gone. */
static bool regex_resolve(struct regex_dfa *d, const uint32_t *items, size_t n, unsigned before,
                          unsigned behind)
{
    bool accept = false;
    d->ndense = 0;
    d->out.n = 0;
    for (size_t i = 0; i < n && !accept; i++) {
        for (; i < n && items[i] != REGEX_MARK; i++)
            accept |= regex_closure(d, items[i], before, behind);
        regex_put(d, REGEX_MARK);
    }
    REGEX_SWAP(d->out, d->res);
    return accept;
}

/* The state behind `s`, whose items are given, on a symbol: its items go to d->out, its flags and
 * its context to *flags and *ctx. */
static void regex_step_forward(struct regex_dfa *d, struct regex_state s, const uint32_t *items,
                               unsigned sym, unsigned *flags, unsigned *ctx)
{
    const struct regex_alphabet *a = &d->prog->abc;
    bool search = s.flags & REGEX_S_SEARCH, edge = sym >= a->n, accept = false;
    unsigned here = a->ctx[sym];
    size_t n = s.n;
    *flags = 0;
    if (s.flags & REGEX_S_PENDING) {
        if (regex_resolve(d, items, n, s.ctx, here)) {
            *flags |= REGEX_S_LATE;
            search = false;
        }
        items = d->res.p;
        n = d->res.n;
    }
    d->ndense = 0;
    d->out.n = 0;
    d->waits = false;
    d->work += n + 1;
    for (size_t i = 0; i < n && !accept && !edge; i++) {
        size_t from = d->out.n;
        for (; i < n && items[i] != REGEX_MARK; i++)
            accept |= regex_advance(d, items[i], a->rep[sym], here);
        regex_end_group(d, from);
    }
    if (search && !accept && !edge) {
        size_t from = d->out.n;
        if (from == 0)
            *flags |= REGEX_S_IDLE;
        accept = regex_closure(d, d->prog->start, here, REGEX_CTX_UNKNOWN);
        regex_end_group(d, from);
    }
    if (accept)
        *flags = (*flags & ~(unsigned)REGEX_S_IDLE) | REGEX_S_NOW;
    else if (search && !edge)
        *flags |= REGEX_S_SEARCH;
    if (d->waits)
        *flags |= REGEX_S_PENDING;
    *ctx = d->waits ? here : 0;
}

/* ---- backward -------------------------------------------------------------------------------- */

/* Adds node k and all that leads to it without reading. */
static void regex_closure_back(struct regex_dfa *d, uint32_t k, unsigned before, unsigned behind,
                               bool cross)
{
    const struct regex_prog *p = d->prog;
    size_t n = 0;
    if (regex_seen(d, k))
        return;
    regex_see(d, k);
    d->stack[n++] = k;
    while (n > 0) {
        k = d->stack[--n];
        regex_put(d, k);
        for (uint32_t i = p->first[k]; i < p->first[k + 1]; i++) {
            uint32_t from = p->from[i];
            const struct regex_node *node = &p->nodes.p[from];
            if (node->kind == REGEX_N_CHAR || regex_seen(d, from))
                continue;
            if (node->kind == REGEX_N_ASSERT) {
                int holds = cross ? regex_assert_holds(node->arg, before, behind) : 0;
                if (holds < 0) {
                    d->waits = true;
                    regex_put(d, from | REGEX_WAIT);
                }
                if (holds <= 0)
                    continue;
            }
            regex_see(d, from);
            d->stack[n++] = from;
        }
    }
}

/* As regex_resolve(), for a state backward: d->res gets all nodes that hold. */
static void regex_resolve_back(struct regex_dfa *d, const uint32_t *items, size_t n,
                               unsigned before, unsigned behind)
{
    d->ndense = 0;
    d->out.n = 0;
    for (size_t i = 0; i < n; i++)
        if (!(items[i] & REGEX_WAIT)) {
            regex_see(d, items[i]);
            regex_put(d, items[i]);
        }
    for (size_t i = 0; i < n; i++) {
        uint32_t k = items[i] & ~REGEX_WAIT;
        if ((items[i] & REGEX_WAIT) && !regex_seen(d, k) &&
            regex_assert_holds(d->prog->nodes.p[k].arg, before, behind) > 0)
            regex_closure_back(d, k, before, behind, true);
    }
    regex_sort(d->out.p, d->out.n);
    REGEX_SWAP(d->out, d->res);
}

bool regex_items_have(const uint32_t *items, size_t n, uint32_t k)
{
    size_t lo = 0;
    while (n > 0) {
        size_t half = n / 2;
        if (items[lo + half] < k) {
            lo += half + 1;
            n -= half + 1;
        } else if (items[lo + half] == k) {
            return true;
        } else {
            n = half;
        }
    }
    return false;
}

static void regex_step_back(struct regex_dfa *d, struct regex_state s, const uint32_t *items,
                            unsigned sym, unsigned *flags, unsigned *ctx)
{
    const struct regex_prog *p = d->prog;
    unsigned here = p->abc.ctx[sym];
    size_t n = s.n;
    *flags = 0;
    if (s.flags & REGEX_S_PENDING) {
        regex_resolve_back(d, items, n, here, s.ctx);
        items = d->res.p;
        n = d->res.n;
        if (regex_items_have(items, n, p->start))
            *flags |= REGEX_S_LATE;
    }
    d->ndense = 0;
    d->out.n = 0;
    d->waits = false;
    d->work += n + 1;
    for (size_t i = 0; i < n && sym < p->abc.n; i++)
        for (uint32_t k = p->first[items[i]]; k < p->first[items[i] + 1]; k++) {
            uint32_t from = p->from[k];
            if (p->nodes.p[from].kind == REGEX_N_CHAR && !regex_seen(d, from) &&
                regex_prog_reads(p, from, p->abc.rep[sym], items[i]))
                regex_closure_back(d, from, REGEX_CTX_UNKNOWN, here, true);
        }
    if (d->out.n > 0)
        regex_sort(d->out.p, d->out.n);
    if (regex_items_have(d->out.p, d->out.n, p->start))
        *flags |= REGEX_S_NOW;
    if (d->waits)
        *flags |= REGEX_S_PENDING;
    *ctx = d->waits ? here : 0;
}

/* ---- the outside ----------------------------------------------------------------------------- */

/* The transition to state id, marked when whoever runs must look at it. */
static uint32_t regex_entry(const struct regex_dfa *d, int id)
{
    unsigned look = REGEX_S_NOW | REGEX_S_LATE | (d->idle ? REGEX_S_IDLE : 0u);
    uint32_t e = (uint32_t)id << d->shift;
    return id == REGEX_DEAD || (d->states.p[id].flags & look) ? e | REGEX_SPECIAL : e;
}

int regex_dfa_start(struct regex_dfa *d, unsigned ctx, bool variant, uint32_t *entry)
{
    unsigned slot = ctx * 2 + variant, flags = 0;
    if (d->starts[slot]) {
        *entry = d->starts[slot];
        return 0;
    }
    d->ndense = 0;
    d->out.n = 0;
    d->waits = d->failed = false;
    if (d->back) {
        regex_closure_back(d, d->prog->accept, REGEX_CTX_UNKNOWN, ctx, !variant);
        regex_sort(d->out.p, d->out.n);
        if (regex_items_have(d->out.p, d->out.n, d->prog->start))
            flags |= REGEX_S_NOW;
    } else {
        bool accept = regex_closure(d, d->prog->start, ctx, REGEX_CTX_UNKNOWN);
        regex_end_group(d, 0);
        flags |= accept ? REGEX_S_NOW : variant ? REGEX_S_SEARCH | REGEX_S_IDLE : 0u;
    }
    if (d->failed)
        return HOB_ENOMEM;
    if (d->waits)
        flags |= REGEX_S_PENDING;
    int id = regex_dfa_intern(d, flags, d->waits ? ctx : 0);
    if (id < 0)
        return id;
    *entry = d->starts[slot] = regex_entry(d, id);
    return 0;
}

int regex_dfa_step(struct regex_dfa *d, uint32_t from, unsigned sym, uint32_t *entry)
{
    struct regex_state s = d->states.p[from];
    uint64_t flushes = d->flushes;
    unsigned flags, ctx;
    d->failed = false;
    (d->back ? regex_step_back : regex_step_forward)(d, s, d->pool.p + s.items, sym, &flags, &ctx);
    if (d->failed)
        return HOB_ENOMEM;
    int id = regex_dfa_intern(d, flags, ctx);
    if (id < 0)
        return id;
    *entry = regex_entry(d, id);
    if (d->flushes == flushes)
        d->table.p[((size_t)from << d->shift) + sym] = *entry;
    return 0;
}

int regex_dfa_adopt(struct regex_dfa *d, const struct regex_state *s, const uint32_t *items,
                    uint32_t *entry)
{
    d->out.n = 0;
    if (!vec_reserve(d->heap, &d->out, s->n + 1))
        return HOB_ENOMEM;
    memcpy(d->out.p, items, s->n * sizeof *items);
    d->out.n = s->n;
    int id = regex_dfa_intern(d, s->flags, s->ctx);
    if (id >= 0)
        *entry = regex_entry(d, id);
    return MIN(id, 0);
}

int regex_free_begin(struct regex_dfa *d, uint32_t id)
{
    d->cur = d->states.p[id];
    d->hold.n = 0;
    if (!vec_reserve(d->heap, &d->hold, d->cur.n + 1))
        return HOB_ENOMEM;
    memcpy(d->hold.p, d->pool.p + d->cur.items, d->cur.n * sizeof *d->hold.p);
    d->hold.n = d->cur.n;
    return 0;
}

int regex_free_step(struct regex_dfa *d, unsigned sym)
{
    unsigned flags, ctx;
    d->failed = false;
    (d->back ? regex_step_back : regex_step_forward)(d, d->cur, d->hold.p, sym, &flags, &ctx);
    if (d->failed)
        return HOB_ENOMEM;
    REGEX_SWAP(d->out, d->hold);
    d->cur.flags = (uint8_t)flags;
    d->cur.ctx = (uint8_t)ctx;
    d->cur.n = (uint32_t)d->hold.n;
    return 0;
}

int regex_dfa_resolve(struct regex_dfa *d, const struct regex_state *s, const uint32_t *items,
                      unsigned before)
{
    d->failed = false;
    regex_resolve_back(d, items, s->n, before, s->ctx);
    return d->failed ? HOB_ENOMEM : 0;
}

#undef REGEX_MARK
#undef REGEX_WAIT
#undef REGEX_SWAP

/* regex_back.c -- patterns with back-references: bounded back-tracking
 *
 * All ways are tried in the order of their choices, and the first that ends farthest wins. What
 * follows from a node, a place and the text of the groups that are referred to is tried once: such
 * triples are remembered, which keeps ordinary patterns polynomial. Steps and memory are bounded.
 */
#include "text/regex_impl.h"

/* What to undo when a way has failed. */
struct regex_undo {
    uint32_t what; /* a group, groups + a kept group, or 2 * groups + a node */
    ptrdiff_t a, b;
};

struct regex_choice {
    uint32_t node;
    size_t at, undo;
};

struct regex_back {
    VEC(struct regex_undo) undo;
    VEC(struct regex_choice) choices;
    struct regex_match *regs; /* the groups, then what they fall back to */
    size_t *via;              /* by node: one more than the place where it was last passed */
    uint64_t (*memo)[2];
    size_t nmemo, memo_used;
    uint32_t ngroups;
    uint64_t refs[8]; /* bit set of the groups referred to, of the first 512 */
    uint64_t steps, charged;
};

static int regex_back_init(struct regex *re)
{
    struct regex_back *b = re->back;
    if (b)
        return 0;
    b = re->back = heap_new(re->heap, struct regex_back);
    if (!b)
        return HOB_ENOMEM;
    b->ngroups = re->groups + 1;
    b->regs = heap_zalloc(re->heap, 2 * b->ngroups * sizeof *b->regs);
    b->via = heap_zalloc(re->heap, re->prog.nodes.n * sizeof *b->via);
    if (!b->regs || !b->via) {
        regex_back_free(re);
        return HOB_ENOMEM;
    }
    for (size_t i = 0; i < re->prog.nodes.n; i++) {
        uint32_t g = re->same_as[re->prog.nodes.p[i].u.group % b->ngroups];
        if (re->prog.nodes.p[i].kind == REGEX_N_BACKREF && g < 512)
            b->refs[g / 64] |= (uint64_t)1 << g % 64;
    }
    return 0;
}

void regex_back_free(struct regex *re)
{
    struct regex_back *b = re->back;
    if (!b)
        return;
    heap_free(re->heap, b->regs, b->regs ? 2 * b->ngroups * sizeof *b->regs : 0);
    heap_free(re->heap, b->via, b->via ? re->prog.nodes.n * sizeof *b->via : 0);
    heap_free(re->heap, b->memo, b->memo ? b->nmemo * sizeof *b->memo : 0);
    vec_fini(re->heap, &b->undo);
    vec_fini(re->heap, &b->choices);
    heap_drop(re->heap, b);
    re->back = NULL;
}

/* Room to remember more. Beyond the cache all is forgotten, and steps alone are the bound. */
static bool regex_back_grow(struct regex *re)
{
    struct regex_back *b = re->back;
    size_t n = b->nmemo ? b->nmemo * 2 : 64;
    b->memo_used = 0;
    if (b->nmemo && n * sizeof *b->memo > re->cache) {
        memset(b->memo, 0, b->nmemo * sizeof *b->memo);
        return true;
    }
    uint64_t(*memo)[2] = heap_zalloc(re->heap, n * sizeof *memo);
    if (!memo)
        return false;
    for (size_t i = 0; i < b->nmemo; i++) {
        if (!b->memo[i][1])
            continue;
        size_t k = b->memo[i][0] & (n - 1);
        while (memo[k][1])
            k = (k + 1) & (n - 1);
        memcpy(memo[k], b->memo[i], sizeof *memo);
        b->memo_used++;
    }
    heap_free(re->heap, b->memo, b->nmemo * sizeof *b->memo);
    b->memo = memo;
    b->nmemo = n;
    return true;
}

/* 1 if this node, place and referred groups were met before; else they are noted. */
static int regex_back_met(struct regex *re, uint32_t node, size_t at)
{
    struct regex_back *b = re->back;
    uint64_t x = node * 0x9E3779B97F4A7C15u + at, y = at * 0xC2B2AE3D27D4EB4Fu ^ node;
    for (uint32_t g = 1; g < b->ngroups && g < 512; g++)
        if (b->refs[g / 64] >> g % 64 & 1) {
            x = (x ^ (uint64_t)b->regs[g].start) * 0xD6E8FEB86659FD93u;
            x = (x ^ x >> 32 ^ (uint64_t)b->regs[g].end) * 0xD6E8FEB86659FD93u;
            y = (y ^ (uint64_t)b->regs[g].end) * 0xFF51AFD7ED558CCDu;
            y = (y ^ y >> 29 ^ (uint64_t)b->regs[g].start) * 0xFF51AFD7ED558CCDu;
        }
    x ^= x >> 32;
    y = (y ^ y >> 31) | 1;
    if (b->memo_used * 4 >= b->nmemo * 3 && !regex_back_grow(re))
        return HOB_ENOMEM;
    size_t k = x & (b->nmemo - 1);
    for (; b->memo[k][1]; k = (k + 1) & (b->nmemo - 1))
        if (b->memo[k][0] == x && b->memo[k][1] == y)
            return 1;
    b->memo[k][0] = x;
    b->memo[k][1] = y;
    b->memo_used++;
    return 0;
}

static bool regex_back_note(struct regex *re, uint32_t what, ptrdiff_t a, ptrdiff_t c)
{
    struct regex_undo u = {what, a, c};
    return vec_push(re->heap, &re->back->undo, u);
}

/* Takes back what was noted since the choice. */
static void regex_back_undo(struct regex_back *b, size_t to)
{
    while (b->undo.n > to) {
        struct regex_undo u = b->undo.p[--b->undo.n];
        if (u.what < 2 * b->ngroups)
            b->regs[u.what] = (struct regex_match){u.a, u.b};
        else
            b->via[u.what - 2 * b->ngroups] = (size_t)u.a;
    }
}

/* Begin or end of a group, noting what changes. */
static bool regex_back_group(struct regex *re, const struct regex_node *n, size_t at)
{
    struct regex_back *b = re->back;
    struct regex_match *m = b->regs;
    uint32_t g = n->u.group, all = b->ngroups;
    bool kept = n->kind == REGEX_N_CLOSE && m[g].start < (ptrdiff_t)at;
    bool undone = n->kind == REGEX_N_CLOSE && !kept && n->opt && m[all + g].start != -1;
    for (uint32_t i = 0; i < all; i++) {
        if ((i == g || undone) && !regex_back_note(re, i, m[i].start, m[i].end))
            return false;
        if (kept && !regex_back_note(re, all + i, m[all + i].start, m[all + i].end))
            return false;
    }
    regex_walk_group(n, (ptrdiff_t)at, m, m + all, all);
    return true;
}

/* How far the text at `at` repeats what the group matched; -1: it does not. */
static ptrdiff_t regex_back_same(const struct regex *re, struct str text,
                                 const struct regex_match *g, size_t at)
{
    if (g->start < 0 || g->end < 0)
        return -1;
    size_t n = (size_t)(g->end - g->start), i = (size_t)g->start, k = at;
    if (!(re->flags & REGEX_ICASE))
        return n <= text.n - at && (n == 0 || memcmp(text.p + i, text.p + at, n) == 0)
                   ? (ptrdiff_t)n
                   : -1;
    while (i < (size_t)g->end) {
        int a, b;
        if (k >= text.n)
            return -1;
        uint32_t c = utf8_decode(text.p + i, text.n - i, &a);
        uint32_t d = utf8_decode(text.p + k, text.n - k, &b);
        if (c == UTF8_BAD || d == UTF8_BAD ? c != d || text.p[i] != text.p[k]
                                           : regex_upper(c, re->flags) != regex_upper(d, re->flags))
            return -1;
        i += (size_t)a;
        k += (size_t)b;
    }
    return (ptrdiff_t)(k - at);
}

/* Passes a node that chooses; *k is the next. 0: this was tried before. */
static int regex_back_split(struct regex *re, const struct regex_node *n, uint32_t *k, size_t at)
{
    struct regex_back *b = re->back;
    uint32_t self = *k;
    *k = n->out;
    if (n->out == n->u.alt)
        return 1;
    if (b->via[n->out] == at + 1) {
        *k = n->u.alt; /* a loop that read nothing ends */
        return 1;
    }
    int met = regex_back_met(re, self, at);
    if (met != 0)
        return MIN(met, 0);
    struct regex_choice c = {n->u.alt, at, b->undo.n};
    return vec_push(re->heap, &b->choices, c) ? 1 : HOB_ENOMEM;
}

/* Follows one way from node k at place *at until it ends: 1 at the end of the pattern, else 0. */
static int regex_back_way(struct regex *re, struct str text, unsigned eflags, uint32_t k,
                          size_t *at)
{
    struct regex_back *b = re->back;
    const struct regex_prog *p = &re->prog;
    for (;;) {
        const struct regex_node *n = &p->nodes.p[k];
        uint32_t to = REGEX_FINAL;
        int r = 1;
        if (n->kind == REGEX_N_ACCEPT)
            return 1;
        if (++b->steps > re->max_steps)
            return HOB_ELIMIT;
        if (n->kind == REGEX_N_CHAR) {
            if (*at >= text.n)
                return 0;
            uint8_t c = (uint8_t)text.p[*at];
            const struct regex_state_edges *s = &p->states.p[n->state];
            for (uint32_t i = 0; i < s->n && p->edges.p[s->first + i].lo <= c; i++) {
                const struct regex_edge *e = &p->edges.p[s->first + i];
                if (c <= e->hi)
                    to = e->to == REGEX_FINAL ? n->out : n->u.base + e->to;
            }
            if (to == REGEX_FINAL)
                return 0;
            k = to;
            ++*at;
            continue;
        }
        if (!regex_back_note(re, 2 * b->ngroups + k, (ptrdiff_t)b->via[k], 0))
            return HOB_ENOMEM;
        b->via[k] = *at + 1;
        to = n->out;
        if (n->kind == REGEX_N_SPLIT) {
            to = k;
            r = regex_back_split(re, n, &to, *at);
        } else if (n->kind == REGEX_N_BACKREF) {
            uint32_t g = re->same_as[n->u.group];
            ptrdiff_t len = regex_back_same(re, text, &b->regs[g], *at);
            r = len >= 0;
            *at += len > 0 ? (size_t)len : 0;
        } else if (n->kind == REGEX_N_ASSERT) {
            r = regex_assert_holds(n->arg, regex_ctx_before(re, p, text, *at, eflags),
                                   regex_ctx_behind(re, p, text, *at, eflags));
        } else if (!regex_back_group(re, n, *at)) {
            r = HOB_ENOMEM;
        }
        if (r <= 0)
            return r;
        k = to;
    }
}

/* Tries all ways from `start`. 1 with m filled, 0, or negative. */
static int regex_back_from(struct regex *re, struct str text, size_t start, unsigned eflags,
                           struct regex_match *m, size_t nm)
{
    struct regex_back *b = re->back;
    struct regex_choice c = {re->prog.start, start, 0};
    bool found = false;
    b->undo.n = b->choices.n = 0;
    for (uint32_t i = 0; i < 2 * b->ngroups; i++)
        b->regs[i] = (struct regex_match){-1, -1};
    for (;;) {
        size_t at = c.at;
        int r = regex_back_way(re, text, eflags, c.node, &at);
        if (b->steps - b->charged > REGEX_TICK && re->tick && r >= 0) {
            int t = re->tick(re->tick_ud, b->steps - b->charged);
            b->charged = b->steps;
            r = t < 0 ? t : r;
        }
        if (r < 0)
            return r;
        /* Room is bounded as steps are: a way may be as long as the text. */
        if (b->undo.n * sizeof *b->undo.p + b->choices.n * sizeof c > ((size_t)64 << 20))
            return HOB_ELIMIT;
        if (r > 0 && (!found || (ptrdiff_t)at > m[0].end)) {
            found = true;
            m[0] = (struct regex_match){(ptrdiff_t)start, (ptrdiff_t)at};
            for (size_t g = 1; g < nm && g < b->ngroups; g++)
                m[g] = b->regs[re->same_as[g]];
            if (at == text.n)
                b->choices.n = 0; /* no other way ends farther */
        }
        if (b->choices.n == 0) {
            regex_back_undo(b, 0);
            return found;
        }
        c = b->choices.p[--b->choices.n];
        regex_back_undo(b, c.undo);
    }
}

int regex_back_exec(struct regex *re, struct str text, size_t from, size_t last, unsigned eflags,
                    struct regex_match *m, size_t nm)
{
    struct regex_match whole[1];
    int r = regex_back_init(re);
    if (r < 0)
        return r;
    struct regex_back *b = re->back;
    b->steps = b->charged = 0;
    if (b->nmemo > 1024) {
        heap_free(re->heap, b->memo, b->nmemo * sizeof *b->memo);
        b->memo = NULL;
        b->nmemo = 0;
    } else if (b->memo_used > 0) {
        memset(b->memo, 0, b->nmemo * sizeof *b->memo);
    }
    b->memo_used = 0;
    memset(b->via, 0, re->prog.nodes.n * sizeof *b->via);
    for (size_t i = from; i <= last; i++) {
        r = regex_back_from(re, text, i, eflags, nm > 0 ? m : whole, MAX(nm, 1));
        if (r != 0)
            return r;
    }
    return 0;
}

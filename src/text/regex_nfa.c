/* regex_nfa.c -- from tree to program: nodes that read bytes, choose, or assert
 *
 * A set of characters becomes a small automaton over UTF-8 bytes, minimal and shared by all copies
 * that an interval makes of it; each copy has one node for each of its states. Choices keep the
 * order that GNU's matcher gives them, on which sub-matches depend: see regex_walk.c.
 */
#include "text/regex_impl.h"

struct regex_builder {
    struct heap *heap;
    struct arena *arena;
    struct regex_prog *p;
    unsigned flags;
    bool approximate;
    size_t max;
    struct regex_open *open; /* room for regex_trie_build() */
    int error;
};

static uint32_t regex_node_new(struct regex_builder *b, enum regex_kind kind, uint32_t out)
{
    struct regex_node n = {.kind = (uint8_t)kind, .out = out};
    if (b->error)
        return 0;
    if (b->p->nodes.n >= b->max)
        b->error = HOB_ELIMIT;
    else if (!vec_push(b->heap, &b->p->nodes, n))
        b->error = HOB_ENOMEM;
    return b->error ? 0 : (uint32_t)b->p->nodes.n - 1;
}

/* ---- sets to automata ------------------------------------------------------------------------ */

/* One state of the path that is still open: its finished edges, then the one that goes on. */
struct regex_open {
    struct regex_edge edges[256];
    int n;
    bool last;
    uint8_t lo, hi;
};

struct regex_trie {
    struct regex_builder *b;
    struct regex_open *open; /* five, the root first */
    int depth;               /* how many are in use */
    uint32_t base;           /* the first state of this trie */
    uint32_t heads[256];     /* finished states by hash, to share equal ones */
    VEC(uint32_t) next;
};

/* The finished state with these edges, an old one where there is one. */
static uint32_t regex_trie_state(struct regex_trie *t, const struct regex_edge *e, int n)
{
    struct regex_prog *p = t->b->p;
    struct heap *h = t->b->heap;
    uint32_t hash = (uint32_t)n;
    for (int i = 0; i < n; i++)
        hash = (hash * 31 + e[i].lo) * 31 + e[i].hi + e[i].to * 0x9E3779B1u;
    hash = (hash ^ hash >> 16) & 255;
    for (uint32_t k = t->heads[hash]; k; k = t->next.p[k - 1]) {
        const struct regex_state_edges *s = &p->states.p[t->base + k - 1];
        const struct regex_edge *have = p->edges.p + s->first;
        int i = 0;
        while (s->n == (uint32_t)n && i < n && have[i].lo == e[i].lo && have[i].hi == e[i].hi &&
               have[i].to == e[i].to)
            i++;
        if (s->n == (uint32_t)n && i == n)
            return k - 1;
    }
    struct regex_state_edges s = {(uint32_t)p->edges.n, (uint32_t)n};
    bool ok = vec_reserve(h, &p->edges, (size_t)n) && vec_push(h, &p->states, s) &&
              vec_push(h, &t->next, t->heads[hash]);
    if (!ok) {
        t->b->error = HOB_ENOMEM;
        return 0;
    }
    for (int i = 0; i < n; i++)
        p->edges.p[p->edges.n++] = e[i];
    t->heads[hash] = (uint32_t)t->next.n;
    return t->heads[hash] - 1;
}

/* Ends the edge that is open in a state. */
static void regex_trie_close(struct regex_open *o, uint32_t to)
{
    if (o->last && o->n < 256)
        o->edges[o->n++] = (struct regex_edge){o->lo, o->hi, to};
    o->last = false;
}

/* Finishes the states deeper than `keep`. */
static void regex_trie_finish(struct regex_trie *t, int keep)
{
    uint32_t to = REGEX_FINAL;
    while (t->depth > keep + 1) {
        struct regex_open *o = &t->open[--t->depth];
        regex_trie_close(o, to);
        to = regex_trie_state(t, o->edges, o->n);
    }
    regex_trie_close(&t->open[t->depth - 1], to);
}

/* Adds a sequence of byte ranges; sequences come in ascending order. */
static void regex_trie_add(struct regex_trie *t, const uint8_t *lo, const uint8_t *hi, int n)
{
    int keep = 0;
    while (keep < n && keep < t->depth && t->open[keep].last && t->open[keep].lo == lo[keep] &&
           t->open[keep].hi == hi[keep])
        keep++;
    regex_trie_finish(t, keep);
    for (int i = keep; i < n; i++) {
        struct regex_open *o = &t->open[i];
        if (i >= t->depth) {
            o->n = 0;
            t->depth = i + 1;
        }
        o->last = true;
        o->lo = lo[i];
        o->hi = hi[i];
    }
}

/* Adds the characters lo..hi, split where the bytes of their UTF-8 are not independent. */
static void regex_trie_span(struct regex_trie *t, uint32_t lo, uint32_t hi)
{
    static const uint32_t ends[] = {0x7F, 0x7FF, 0xFFFF};
    struct regex_span todo[16];
    int n = 0;
    todo[n++] = (struct regex_span){lo, hi};
    while (n > 0) {
        struct regex_span s = todo[--n];
        uint32_t cut = 0; /* the part up to here comes first */
        bool split = false;
        for (int i = 0; i < 3 && !split; i++)
            if (s.lo <= ends[i] && s.hi > ends[i])
                split = true, cut = ends[i];
        for (int i = 1; i < 4 && !split && s.hi > 0x7F; i++) {
            uint32_t m = (1u << (6 * i)) - 1;
            if ((s.lo & ~m) == (s.hi & ~m))
                continue;
            if (s.lo & m)
                split = true, cut = s.lo | m;
            else if ((s.hi & m) != m)
                split = true, cut = (s.hi & ~m) - 1;
        }
        if (split) {
            todo[n++] = (struct regex_span){cut + 1, s.hi};
            todo[n++] = (struct regex_span){s.lo, cut};
            continue;
        }
        char a[8], z[8];
        int len = utf8_encode(a, s.lo);
        utf8_encode(z, s.hi);
        regex_trie_add(t, (uint8_t *)a, (uint8_t *)z, len);
    }
}

/* A set within ASCII has one state, whose edges are its spans. */
static void regex_trie_ascii(struct regex_builder *b, struct regex_ast *t)
{
    struct regex_prog *p = b->p;
    struct regex_state_edges s = {(uint32_t)p->edges.n, (uint32_t)t->set.n};
    t->root = 0;
    t->trie = (uint32_t)p->states.n;
    t->trie_n = 1;
    if (!vec_reserve(b->heap, &p->edges, t->set.n) || !vec_push(b->heap, &p->states, s)) {
        b->error = HOB_ENOMEM;
        return;
    }
    for (size_t i = 0; i < t->set.n; i++)
        p->edges.p[p->edges.n++] =
            (struct regex_edge){(uint8_t)t->set.p[i].lo, (uint8_t)t->set.p[i].hi, REGEX_FINAL};
}

/* Compiles the set of leaf t, once for all its copies. */
static void regex_trie_build(struct regex_builder *b, struct regex_ast *t)
{
    struct regex_trie trie = {.b = b, .depth = 1, .base = (uint32_t)b->p->states.n};
    struct regex_set *s = &t->set;
    if (s->n == 0 || s->p[s->n - 1].hi < 128) {
        regex_trie_ascii(b, t);
        return;
    }
    if (!b->open)
        b->open = arena_array(b->arena, struct regex_open, 5);
    trie.open = b->open;
    if (!trie.open) {
        b->error = HOB_ENOMEM;
        return;
    }
    trie.open[0].n = 0;
    trie.open[0].last = false;
    for (size_t i = 0; i < s->n && s->p[i].lo < REGEX_RAW; i++)
        regex_trie_span(&trie, s->p[i].lo, MIN(s->p[i].hi, REGEX_RAW - 1));
    regex_trie_finish(&trie, 0);
    struct regex_open *root = &trie.open[0];
    for (size_t i = 0; i < s->n; i++)
        if (s->p[i].hi >= REGEX_RAW && root->n < 256)
            root->edges[root->n++] =
                (struct regex_edge){s->p[i].lo < REGEX_RAW ? 0 : (uint8_t)(s->p[i].lo - REGEX_RAW),
                                    (uint8_t)(s->p[i].hi - REGEX_RAW), REGEX_FINAL};
    /* Raw bytes may stand before lead bytes; readers want edges by their first byte. */
    for (int i = 1; i < root->n; i++)
        for (int k = i; k > 0 && root->edges[k - 1].lo > root->edges[k].lo; k--) {
            struct regex_edge e = root->edges[k];
            root->edges[k] = root->edges[k - 1];
            root->edges[k - 1] = e;
        }
    t->root = regex_trie_state(&trie, root->edges, root->n);
    t->trie = trie.base;
    t->trie_n = (uint32_t)(b->p->states.n - trie.base);
    vec_fini(b->heap, &trie.next);
}

/* The states of a set of fixed strings. Their nodes are numbered in the order of a walk. */
static void regex_words_build(struct regex_builder *b, struct regex_ast *t)
{
    VEC(struct regex_word *) queue = {0};
    struct regex_prog *p = b->p;
    bool ok = vec_push(b->heap, &queue, t->words);
    t->trie = (uint32_t)p->states.n;
    t->root = 0;
    for (size_t i = 0; ok && i < queue.n; i++) {
        struct regex_state_edges s = {(uint32_t)p->edges.n, 0};
        for (struct regex_word *c = queue.p[i]->child; ok && c; c = c->next) {
            struct regex_word *w = c->twin ? c->twin : c;
            struct regex_edge e = {c->byte, c->byte, REGEX_FINAL};
            if (w->end)
                ok = vec_push(b->heap, &p->edges, e);
            if (ok && w->child && w->number == 0) {
                ok = vec_push(b->heap, &queue, w);
                w->number = (uint32_t)queue.n - 1;
            }
            e.to = w->number;
            if (ok && w->child)
                ok = vec_push(b->heap, &p->edges, e);
        }
        s.n = (uint32_t)p->edges.n - s.first;
        ok = ok && vec_push(b->heap, &p->states, s);
    }
    t->trie_n = (uint32_t)p->states.n - t->trie;
    if (!ok)
        b->error = HOB_ENOMEM;
    vec_fini(b->heap, &queue);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* How a tree is copied. GNU's matcher marks a group that is repeated as optional, but its copies of
 * trees lose the marks, and sub-matches show that. */
enum regex_copy {
    REGEX_FIRST,     /* the tree itself */
    REGEX_FIRST_OPT, /* the same, marked if it is a group */
    REGEX_COPY,      /* a copy: nothing in it is marked */
    REGEX_COPY_OPT,  /* a copy, itself marked if it is a group */
};

static uint32_t regex_emit(struct regex_builder *b, struct regex_ast *t, uint32_t next,
                           enum regex_copy how);

/* One copy of a set: a node for each state of its automaton. */
static uint32_t regex_emit_set(struct regex_builder *b, struct regex_ast *t, uint32_t next)
{
    if (t->trie_n == 0) {
        if (t->op == REGEX_WORDS)
            regex_words_build(b, t);
        else
            regex_trie_build(b, t);
    }
    uint32_t base = (uint32_t)b->p->nodes.n;
    for (uint32_t i = 0; i < t->trie_n && !b->error; i++) {
        uint32_t k = regex_node_new(b, REGEX_N_CHAR, next);
        if (b->error)
            return 0;
        b->p->nodes.p[k].u.base = base;
        b->p->nodes.p[k].state = t->trie + i;
    }
    return base + t->root;
}

static uint32_t regex_emit_split(struct regex_builder *b, uint32_t out, uint32_t alt)
{
    uint32_t k = regex_node_new(b, REGEX_N_SPLIT, out);
    if (!b->error)
        b->p->nodes.p[k].u.alt = alt;
    return k;
}

/* Alternatives lean to the left. An empty left one is the second choice, as in GNU's matcher. */
static uint32_t regex_emit_alt(struct regex_builder *b, struct regex_ast *t, uint32_t next,
                               enum regex_copy how)
{
    bool have = t->kids[0] != NULL;
    uint32_t left = have ? regex_emit(b, t->kids[0], next, how) : next;
    for (uint32_t i = 1; i < t->nkids && !b->error; i++) {
        uint32_t right = t->kids[i] ? regex_emit(b, t->kids[i], next, how) : next;
        left = have ? regex_emit_split(b, left, right) : regex_emit_split(b, right, next);
        have = true;
    }
    return left;
}

/* x{2,4} is xx((x?x)?), x{2,} is xxx*: again as GNU's matcher has it. */
static uint32_t regex_emit_rep(struct regex_builder *b, struct regex_ast *t, uint32_t next,
                               enum regex_copy how)
{
    struct regex_ast *kid = t->kids[0];
    uint32_t at = next;
    bool copy = how == REGEX_COPY;
    enum regex_copy opt = copy ? REGEX_COPY : t->min > 0 ? REGEX_COPY_OPT : REGEX_FIRST_OPT;
    if (t->max < 0) {
        at = regex_emit_split(b, next, next);
        uint32_t body = regex_emit(b, kid, at, opt);
        if (!b->error)
            b->p->nodes.p[at].out = body;
    } else if (t->max > t->min) {
        uint32_t outer = 0, entry = 0;
        for (int32_t i = t->max - t->min; i > 0 && !b->error; i--) {
            uint32_t split = regex_emit_split(b, at, at);
            if (b->error)
                return 0;
            if (outer)
                b->p->nodes.p[outer].out = split;
            else
                entry = split;
            outer = split;
            at = regex_emit(b, kid, at, i == 1 ? opt : REGEX_COPY);
        }
        if (!b->error)
            b->p->nodes.p[outer].out = at;
        at = entry;
    }
    for (int32_t i = t->min; i > 0 && !b->error; i--)
        at = regex_emit(b, kid, at, copy || i > 1 ? REGEX_COPY : REGEX_FIRST);
    return at;
}

static uint32_t regex_emit_group(struct regex_builder *b, struct regex_ast *t, uint32_t next,
                                 enum regex_copy how)
{
    bool opt = how == REGEX_FIRST_OPT || how == REGEX_COPY_OPT;
    enum regex_copy inner = how == REGEX_COPY || how == REGEX_COPY_OPT ? REGEX_COPY : REGEX_FIRST;
    struct regex_ast *kid = t->kids[0];
    if (kid && kid->op == REGEX_GROUP)
        kid = kid->kids[0]; /* it matches what this one does: regex_compile() notes that */
    uint32_t close = regex_node_new(b, REGEX_N_CLOSE, next);
    if (b->error)
        return 0;
    b->p->nodes.p[close].u.group = t->arg;
    b->p->nodes.p[close].opt = opt;
    b->p->undoes |= opt;
    uint32_t body = kid ? regex_emit(b, kid, close, inner) : close;
    uint32_t open = regex_node_new(b, REGEX_N_OPEN, body);
    if (!b->error)
        b->p->nodes.p[open].u.group = t->arg;
    return open;
}

/* Any bytes at all, or any of one line: what a back-reference might match. */
static uint32_t regex_emit_any(struct regex_builder *b, uint32_t next)
{
    uint8_t eol = b->flags & REGEX_NUL ? 0 : '\n';
    struct regex_prog *p = b->p;
    struct regex_state_edges s = {(uint32_t)p->edges.n, 0};
    struct regex_edge e[2] = {{0, 255, REGEX_FINAL}, {0, 0, REGEX_FINAL}};
    if (b->flags & REGEX_LINES) {
        e[0].hi = (uint8_t)(eol - 1);
        e[1] = (struct regex_edge){(uint8_t)(eol + 1), 255, REGEX_FINAL};
    }
    bool ok = true;
    if (!(b->flags & REGEX_LINES) || eol > 0)
        ok = vec_push(b->heap, &p->edges, e[0]);
    if (b->flags & REGEX_LINES)
        ok = ok && vec_push(b->heap, &p->edges, e[1]);
    s.n = (uint32_t)p->edges.n - s.first;
    if (!ok || !vec_push(b->heap, &p->states, s))
        b->error = HOB_ENOMEM;
    uint32_t split = regex_emit_split(b, next, next);
    uint32_t any = regex_node_new(b, REGEX_N_CHAR, split);
    if (b->error)
        return 0;
    p->nodes.p[any].u.base = any;
    p->nodes.p[any].state = (uint32_t)p->states.n - 1;
    p->nodes.p[split].out = any;
    return split;
}

/* Nodes for t that go on to `next`; returns the first. Recursion is bounded by the parser. */
static uint32_t regex_emit(struct regex_builder *b, struct regex_ast *t, uint32_t next,
                           enum regex_copy how)
{
    uint32_t k = next;
    if (b->error || !t)
        return next;
    if (t->op == REGEX_GROUP)
        return regex_emit_group(b, t, next, how);
    if (how == REGEX_FIRST_OPT || how == REGEX_COPY_OPT) /* only a group can be marked */
        how = how == REGEX_FIRST_OPT ? REGEX_FIRST : REGEX_COPY;
    switch (t->op) {
    case REGEX_SET:
    case REGEX_WORDS: return regex_emit_set(b, t, next);
    case REGEX_CAT:
        for (uint32_t i = t->nkids; i-- > 0;)
            k = regex_emit(b, t->kids[i], k, how);
        return k;
    case REGEX_ALT: return regex_emit_alt(b, t, next, how);
    case REGEX_REP: return regex_emit_rep(b, t, next, how);
    case REGEX_GROUP: break;
    case REGEX_ASSERT:
        k = regex_node_new(b, REGEX_N_ASSERT, next);
        b->p->asserts |= 1u << t->arg;
        if (!b->error)
            b->p->nodes.p[k].arg = (uint16_t)t->arg;
        return k;
    case REGEX_BACKREF:
        if (b->approximate)
            return regex_emit_any(b, next);
        k = regex_node_new(b, REGEX_N_BACKREF, next);
        if (!b->error)
            b->p->nodes.p[k].u.group = t->arg;
        return k;
    }
    return k;
}

void regex_forget_tries(struct regex_ast *t)
{
    if (!t)
        return;
    t->trie_n = 0;
    for (uint32_t i = 0; i < t->nkids; i++)
        regex_forget_tries(t->kids[i]);
}

/* ---- the alphabet ---------------------------------------------------------------------------- */

#define REGEX_WORD_ASSERTS                                                                         \
    (1u << REGEX_WORD_FIRST | 1u << REGEX_WORD_LAST | 1u << REGEX_IN_WORD | 1u << REGEX_OUT_WORD | \
     1u << REGEX_NO_WORD_BEFORE | 1u << REGEX_NO_WORD_BEHIND)

bool regex_prog_words(const struct regex_prog *p) { return p->asserts & REGEX_WORD_ASSERTS; }

/* What a byte is as a neighbour of an assertion. */
static uint8_t regex_byte_ctx(const struct regex_prog *p, unsigned flags, unsigned c)
{
    uint8_t ctx = 0;
    if (flags & REGEX_LINES) {
        if (c == (flags & REGEX_NUL ? 0 : '\n'))
            ctx = REGEX_CTX_EDGE | REGEX_CTX_LINE;
    } else if ((flags & REGEX_NEWLINE) && c == '\n') {
        ctx = REGEX_CTX_LINE;
    }
    if (regex_prog_words(p) && c < 128 && regex_is_word(c))
        ctx |= REGEX_CTX_WORD;
    return ctx;
}

/* The symbol, not before `base`, for bytes of the class of c in a context. */
static unsigned regex_alphabet_add(struct regex_alphabet *a, unsigned base, unsigned c,
                                   unsigned ctx)
{
    for (unsigned k = base; k < a->n; k++)
        if (a->map[a->rep[k]] == a->map[c])
            return k;
    a->rep[a->n] = (uint8_t)c;
    a->ctx[a->n] = (uint8_t)ctx;
    return a->n++;
}

/* Bytes that no edge and no assertion tells apart share a symbol. */
static void regex_alphabet_build(struct regex_prog *p, unsigned flags)
{
    struct regex_alphabet *a = &p->abc;
    uint64_t sig[257] = {0};
    /* Each edge has a mark, by where it comes from and leads to; a byte is told by the marks of all
     * edges that take it. They are summed up from where each begins and ends. */
    for (size_t i = 0; i < p->states.n; i++)
        for (uint32_t k = 0; k < p->states.p[i].n; k++) {
            const struct regex_edge *e = &p->edges.p[p->states.p[i].first + k];
            uint64_t mark = ((uint64_t)i << 32 | e->to) * 0x9E3779B97F4A7C15u + 1;
            mark = (mark ^ mark >> 31) * 0xD6E8FEB86659FD93u;
            mark ^= mark >> 32;
            sig[e->lo] ^= mark;
            sig[e->hi + 1] ^= mark;
        }
    for (unsigned c = 1; c < 256; c++)
        sig[c] ^= sig[c - 1];
    for (unsigned c = 0; c < 256; c++)
        sig[c] += regex_byte_ctx(p, flags, c) + (regex_prog_words(p) && c >= 128 ? 16u : 0u);
    a->n = 0;
    for (unsigned c = 0; c < 256; c++) {
        unsigned k = 0;
        if (c && sig[c] == sig[c - 1]) { /* as a rule */
            a->map[c] = a->map[c - 1];
            continue;
        }
        while (k < a->n && sig[a->rep[k]] != sig[c])
            k++;
        a->map[c] = (uint8_t)k;
        if (k == a->n) {
            a->rep[k] = (uint8_t)c;
            a->ctx[k] = regex_byte_ctx(p, flags, c);
            a->n++;
        }
    }
    /* Bytes above ASCII are told apart further by the character they belong to. */
    for (int k = 0; k < 3 && regex_prog_words(p); k++) {
        uint16_t *to = k == 2 ? a->cont : a->word;
        unsigned ctx = (k < 2 ? REGEX_CTX_WORD : 0) | (k > 0 ? REGEX_CTX_CONT : 0);
        for (unsigned c = k ? 128 : 192, base = a->n; c < (k ? 192u : 256u); c++)
            to[c - 128] = (uint16_t)regex_alphabet_add(a, base, c, ctx);
    }
    for (unsigned c = 128, base = a->n; c < 256 && regex_prog_words(p); c++)
        a->raw[c - 128] =
            regex_is_word(c)
                ? (uint16_t)regex_alphabet_add(a, base, c, REGEX_CTX_WORD | REGEX_CTX_RAW)
                : a->map[c];
    a->ctx[a->n] = REGEX_CTX_EDGE;
    a->ctx[a->n + 1] = REGEX_CTX_EDGE | REGEX_CTX_LINE;
}

int regex_prog_build(struct heap *h, struct regex_syntax *s, struct regex_ast *t, bool approximate,
                     struct regex_prog *p)
{
    struct regex_builder b = {.heap = h, .arena = s->arena, .p = p, .flags = s->flags};
    b.approximate = approximate;
    b.max = (s->flags & REGEX_FLAVOUR) == REGEX_FIXED ? REGEX_MAX_WORDS : REGEX_MAX_NODES;
    regex_node_new(&b, REGEX_N_ACCEPT, 0);
    p->accept = 0;
    p->start = regex_emit(&b, t, p->accept, REGEX_FIRST);
    if (!b.error)
        regex_alphabet_build(p, s->flags);
    return b.error;
}

void regex_prog_fini(struct heap *h, struct regex_prog *p)
{
    heap_free(h, p->from, p->nfrom * sizeof *p->from);
    heap_free(h, p->first, p->first ? (p->nodes.n + 1) * sizeof *p->first : 0);
    vec_fini(h, &p->nodes);
    vec_fini(h, &p->states);
    vec_fini(h, &p->edges);
}

/* ---- edges backward -------------------------------------------------------------------------- */

/* The nodes that node k leads to, with repetitions; `each` counts or stores. */
static void regex_targets(const struct regex_prog *p, uint32_t k, uint32_t *count, uint32_t *from)
{
    const struct regex_node *n = &p->nodes.p[k];
    uint32_t to[2] = {n->out, n->kind == REGEX_N_SPLIT ? n->u.alt : n->out};
    int many = n->kind == REGEX_N_SPLIT && to[1] != to[0] ? 2 : 1;
    if (n->kind == REGEX_N_ACCEPT)
        return;
    if (n->kind != REGEX_N_CHAR) {
        for (int i = 0; i < many; i++)
            if (from)
                from[count[to[i]]++] = k;
            else
                count[to[i]]++;
        return;
    }
    const struct regex_state_edges *s = &p->states.p[n->state];
    uint32_t before = REGEX_FINAL - 1;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t e = p->edges.p[s->first + i].to, t = e == REGEX_FINAL ? n->out : n->u.base + e;
        if (e == before)
            continue; /* often many edges in a row lead to one state */
        before = e;
        if (from)
            from[count[t]++] = k;
        else
            count[t]++;
    }
}

int regex_prog_reverse(struct heap *h, struct regex_prog *p)
{
    if (p->first)
        return 0;
    size_t n = p->nodes.n;
    uint32_t *first = heap_zalloc(h, (n + 1) * sizeof *first);
    if (!first)
        return HOB_ENOMEM;
    for (size_t k = 0; k < n; k++)
        regex_targets(p, (uint32_t)k, first + 1, NULL);
    for (size_t k = 0; k < n; k++)
        first[k + 1] += first[k];
    p->nfrom = first[n];
    p->from = heap_alloc(h, p->nfrom * sizeof *p->from);
    if (!p->from && p->nfrom > 0) {
        p->nfrom = 0;
        heap_free(h, first, (n + 1) * sizeof *first);
        return HOB_ENOMEM;
    }
    /* Filling moves each start to the start of the next list; then all move back by one. */
    for (size_t k = 0; k < n; k++)
        regex_targets(p, (uint32_t)k, first, p->from);
    memmove(first + 1, first, n * sizeof *first);
    first[0] = 0;
    p->first = first;
    return 0;
}

bool regex_prog_reads(const struct regex_prog *p, uint32_t node, uint8_t c, uint32_t to)
{
    const struct regex_node *n = &p->nodes.p[node];
    const struct regex_state_edges *s = &p->states.p[n->state];
    for (uint32_t i = 0; i < s->n; i++) {
        const struct regex_edge *e = &p->edges.p[s->first + i];
        if (e->lo > c)
            return false;
        if (c <= e->hi && (e->to == REGEX_FINAL ? n->out : n->u.base + e->to) == to)
            return true;
    }
    return false;
}

/* ---- assertions ------------------------------------------------------------------------------ */

/* Whether both sides are as wanted, where -1 wants nothing: see regex_assert_holds(). */
static int regex_sides(unsigned before, int want_before, unsigned behind, int want_behind)
{
    int unknown = 0;
    if (behind & REGEX_CTX_CONT)
        return 0; /* nothing is asserted within a character */
    if (want_before >= 0) {
        if (before & REGEX_CTX_UNKNOWN)
            unknown = -1;
        else if (!!(before & REGEX_CTX_WORD) != want_before)
            return 0;
    }
    if (want_behind >= 0) {
        if (behind & REGEX_CTX_UNKNOWN)
            unknown = -1;
        else if (!!(behind & REGEX_CTX_WORD) != want_behind)
            return 0;
    }
    return unknown ? unknown : 1;
}

int regex_assert_holds(unsigned kind, unsigned before, unsigned behind)
{
    switch (kind) {
    case REGEX_BOL: return before & REGEX_CTX_UNKNOWN ? -1 : !!(before & REGEX_CTX_LINE);
    case REGEX_EOL: return behind & REGEX_CTX_UNKNOWN ? -1 : !!(behind & REGEX_CTX_LINE);
    case REGEX_BOT: return before & REGEX_CTX_UNKNOWN ? -1 : !!(before & REGEX_CTX_EDGE);
    case REGEX_EOT: return behind & REGEX_CTX_UNKNOWN ? -1 : !!(behind & REGEX_CTX_EDGE);
    case REGEX_WORD_FIRST: return regex_sides(before, 0, behind, 1);
    case REGEX_WORD_LAST: return regex_sides(before, 1, behind, 0);
    case REGEX_IN_WORD: return regex_sides(before, 1, behind, 1);
    case REGEX_OUT_WORD: return regex_sides(before, 0, behind, 0);
    /* For grep -w only characters count. */
    case REGEX_NO_WORD_BEFORE:
        return before & REGEX_CTX_RAW ? 1 : regex_sides(before, 0, behind, -1);
    case REGEX_NO_WORD_BEHIND:
        return behind & REGEX_CTX_RAW ? 1 : regex_sides(before, -1, behind, 0);
    }
    return 0;
}

#undef REGEX_WORD_ASSERTS

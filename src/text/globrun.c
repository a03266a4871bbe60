/* globrun.c -- extended shell patterns as a set of states
 *
 * The machine reads the text once, character by character, and holds all places of the pattern it
 * may be at. A !( ) is such a place too, together with the set of places inside it: it lets the
 * text pass whenever that inner set does not contain the end of the group. Inner sets are shared:
 * equal ones made at the same point of the text are one, so many starts of a negation cost little.
 */
#include "text/globset.h"

#include "base/utf8.h"
#include "base/vec.h"
#include "text/glob.h"

enum globrun_kind {
    GLOBRUN_CHAR,   /* the character c */
    GLOBRUN_FOLDED, /* the character c in any case */
    GLOBRUN_ANY,
    GLOBRUN_SET,
    GLOBRUN_STAR,
    GLOBRUN_SPLIT, /* on to both */
    GLOBRUN_NOT,   /* `also` is the start of what must not match */
    GLOBRUN_END,
};

struct globrun_state {
    enum globrun_kind kind;
    uint32_t c, out, also;
    const struct globset *set;
};

struct globrun {
    struct globrun_state *state;
    uint32_t n, start, depth; /* depth: one more than negations nest */
    int dir, flags;
    bool all_bytes;    /* a match may start with any byte, or be empty */
    uint32_t first[8]; /* else with one of these */
};

/* ---- building -------------------------------------------------------------------------------- */

static uint32_t globrun_count(const struct globset_list *l)
{
    uint32_t n = 0;
    for (const struct globset_node *x = l->first; x; x = x->next) {
        n += x->kind == GLOBSET_TEXT ? (uint32_t)x->text.n : 2;
        for (const struct globset_list *alt = x->alts; alt; alt = alt->next)
            n += globrun_count(alt) + 1;
    }
    return n;
}

static uint32_t globrun_state(struct globrun *m, enum globrun_kind kind, uint32_t out)
{
    m->state[m->n] = (struct globrun_state){.kind = kind, .out = out};
    return m->n++;
}

static uint32_t globrun_list(struct globrun *m, const struct globset_list *l, uint32_t out,
                             uint32_t depth);

/* The alternatives of a group, each going on to `out`. */
static uint32_t globrun_alts(struct globrun *m, const struct globset_list *alt, uint32_t out,
                             uint32_t depth)
{
    uint32_t start = globrun_list(m, alt, out, depth);
    while ((alt = alt->next)) {
        uint32_t other = globrun_list(m, alt, out, depth);
        start = globrun_state(m, GLOBRUN_SPLIT, start);
        m->state[start].also = other;
    }
    return start;
}

static uint32_t globrun_group(struct globrun *m, const struct globset_node *x, uint32_t out,
                              uint32_t depth)
{
    uint32_t s, body;

    switch (x->op) {
    case '?':
        s = globrun_state(m, GLOBRUN_SPLIT, out);
        body = globrun_alts(m, x->alts, out, depth);
        m->state[s].also = body;
        return s;
    case '*':
    case '+':
        s = globrun_state(m, GLOBRUN_SPLIT, out);
        body = globrun_alts(m, x->alts, s, depth);
        m->state[s].also = body;
        return x->op == '*' ? s : body;
    case '!':
        m->depth = MAX(m->depth, depth + 2);
        body = globrun_state(m, GLOBRUN_END, 0);
        body = globrun_alts(m, x->alts, body, depth + 1);
        s = globrun_state(m, GLOBRUN_NOT, out);
        m->state[s].also = body;
        return s;
    default: return globrun_alts(m, x->alts, out, depth);
    }
}

static uint32_t globrun_text(struct globrun *m, struct str text, uint32_t out)
{
    size_t p = m->dir > 0 ? text.n : 0, next;
    while (m->dir > 0 ? p > 0 : p < text.n) {
        uint32_t c = globset_char(text, p, -m->dir, m->flags, &next);
        out = globrun_state(m, GLOBRUN_CHAR, out);
        m->state[out].c = c;
        p = next;
    }
    return out;
}

/* The states of a list, made from its far end so that each knows where to go on. */
static uint32_t globrun_list(struct globrun *m, const struct globset_list *l, uint32_t out,
                             uint32_t depth)
{
    const struct globset_node *x = m->dir > 0 ? l->last : l->first;
    for (; x; x = m->dir > 0 ? x->prev : x->next) {
        switch (x->kind) {
        case GLOBSET_TEXT: out = globrun_text(m, x->text, out); break;
        case GLOBSET_FOLD:
            out = globrun_state(m, GLOBRUN_FOLDED, out);
            m->state[out].c = x->c;
            break;
        case GLOBSET_ANY: out = globrun_state(m, GLOBRUN_ANY, out); break;
        case GLOBSET_SET:
            out = globrun_state(m, GLOBRUN_SET, out);
            m->state[out].set = x->set;
            break;
        case GLOBSET_STAR: out = globrun_state(m, GLOBRUN_STAR, out); break;
        case GLOBSET_GROUP: out = globrun_group(m, x, out, depth); break;
        }
    }
    return out;
}

/* Which bytes a match can start with: glob_find skips the others. */
static bool globrun_first(struct globrun *m, struct heap *h)
{
    uint32_t *stack = heap_alloc(h, (size_t)m->n * 2 * sizeof *stack), n = 0;
    if (!stack)
        return false;
    char *seen = (char *)(stack + m->n);
    char tmp[8];
    memset(seen, 0, m->n);
    stack[n++] = m->start;
    seen[m->start] = 1;
    while (n > 0) {
        const struct globrun_state *s = &m->state[stack[--n]];
        switch (s->kind) {
        case GLOBRUN_CHAR:
            tmp[0] = (char)s->c;
            if (s->c < GLOBSET_BYTE)
                utf8_encode(tmp, s->c);
            m->first[(unsigned char)tmp[0] / 32] |= 1u << (unsigned char)tmp[0] % 32;
            break;
        case GLOBRUN_SET: globset_bytes(s->set, m->first); break;
        case GLOBRUN_SPLIT:
            if (!seen[s->out])
                stack[n++] = s->out;
            seen[s->out] = 1;
            if (!seen[s->also])
                stack[n++] = s->also;
            seen[s->also] = 1;
            break;
        default: m->all_bytes = true; break;
        }
    }
    heap_free(h, stack, (size_t)m->n * 2 * sizeof *stack);
    return true;
}

struct globrun *globrun_new(struct arena *a, const struct globset_list *list, int dir, int flags)
{
    struct globrun *m = arena_new(a, struct globrun);
    if (!m)
        return NULL;
    m->dir = dir;
    m->flags = flags;
    m->depth = 1;
    m->state = arena_alloc(a, (globrun_count(list) + 2) * sizeof *m->state);
    if (!m->state)
        return NULL;
    m->start = globrun_list(m, list, globrun_state(m, GLOBRUN_END, 0), 0);
    return globrun_first(m, a->heap) ? m : NULL;
}

/* ---- running --------------------------------------------------------------------------------- */

/* A place of the pattern: a state, for GLOBRUN_NOT with its inner set; where its match began. */
struct globrun_at {
    uint32_t state, set;
    size_t start;
};

/* An inner set: places in `items`, sorted, so that equal sets are found. */
struct globrun_inner {
    size_t first, n;
    uint32_t hash, owner; /* the GLOBRUN_NOT state it belongs to */
    uint32_t next;        /* what it became with the next character, + 1; 0 = not known yet */
    uint32_t stamp;       /* the list that has it already */
    bool ends;            /* contains the end of the group */
};

/* The inner sets of one point of the text. */
struct globrun_sets {
    VEC(struct globrun_inner) set;
    VEC(uint64_t) item;
    uint32_t *table; /* open addressing: set + 1 */
    size_t slots;
};

/* The list being made for the text or, one level deeper, for the inside of a negation. */
struct globrun_level {
    VEC(struct globrun_at) list;
    bool ends;
    size_t ends_start;
};

struct globrun_job {
    const struct globrun *m;
    struct heap *heap;
    struct str s;
    bool strict; /* a leading period stands here */
    struct globrun_level *level;
    uint32_t *mark, *stack; /* per state: the stamp of the list that has it; states to visit */
    uint32_t stamp;
    struct globrun_sets now, then; /* at this character, behind it */
    bool failed;
};

static uint32_t globrun_enter(struct globrun_job *j, uint32_t not, uint32_t depth);

static void globrun_push(struct globrun_job *j, uint32_t depth, struct globrun_at at)
{
    if (!vec_push(j->heap, &j->level[depth].list, at))
        j->failed = true;
}

/* A negation with its inner set joins the list; true if the text may go on behind it. */
static bool globrun_add_not(struct globrun_job *j, uint32_t depth, struct globrun_at at,
                            uint32_t stamp)
{
    struct globrun_inner *in = &j->then.set.p[at.set];
    if (in->stamp == stamp)
        return false;
    in->stamp = stamp;
    bool ends = in->ends;
    globrun_push(j, depth, at);
    return !ends;
}

/* Adds a state, and all that can be reached from it without a character. */
static void globrun_add(struct globrun_job *j, uint32_t depth, uint32_t state, size_t start,
                        uint32_t stamp)
{
    const struct globrun *m = j->m;
    uint32_t base = 0, n = 0;
    uint32_t *stack = j->stack + (size_t)depth * (m->n + 1);

    stack[n++] = state;
    while (n > base && !j->failed) {
        uint32_t at = stack[--n];
        const struct globrun_state *s = &m->state[at];
        if (j->mark[at] == stamp)
            continue;
        j->mark[at] = stamp;
        switch (s->kind) {
        case GLOBRUN_SPLIT:
            if (j->mark[s->also] != stamp)
                stack[n++] = s->also;
            stack[n++] = s->out;
            break;
        case GLOBRUN_STAR:
            if (j->strict)
                break;
            globrun_push(j, depth, (struct globrun_at){at, 0, start});
            stack[n++] = s->out;
            break;
        case GLOBRUN_NOT: {
            if (j->strict)
                break;
            uint32_t set = globrun_enter(j, at, depth + 1);
            if (!j->failed && globrun_add_not(j, depth, (struct globrun_at){at, set, start}, stamp))
                stack[n++] = s->out;
            break;
        }
        case GLOBRUN_END:
            if (!j->level[depth].ends)
                j->level[depth].ends_start = start;
            j->level[depth].ends = true;
            break;
        default: globrun_push(j, depth, (struct globrun_at){at, 0, start}); break;
        }
    }
}

static void globrun_sort(uint64_t *v, size_t n)
{
    size_t gap = 1;
    while (gap < n / 9)
        gap = gap * 3 + 1;
    for (; gap > 0; gap /= 3) {
        for (size_t i = gap; i < n; i++) {
            uint64_t x = v[i];
            size_t k = i;
            for (; k >= gap && v[k - gap] > x; k -= gap)
                v[k] = v[k - gap];
            v[k] = x;
        }
    }
}

static bool globrun_rehash(struct globrun_job *j)
{
    struct globrun_sets *t = &j->then;
    size_t slots = t->slots ? t->slots * 2 : 16;
    uint32_t *table = heap_zalloc(j->heap, slots * sizeof *table);
    if (!table)
        return false;
    heap_free(j->heap, t->table, t->slots * sizeof *table);
    t->table = table;
    t->slots = slots;
    for (uint32_t i = 0; i < t->set.n; i++) {
        size_t k = t->set.p[i].hash & (slots - 1);
        while (table[k])
            k = (k + 1) & (slots - 1);
        table[k] = i + 1;
    }
    return true;
}

/* The list just made at this depth becomes an inner set; its number. Equal ones get the same. */
static uint32_t globrun_intern(struct globrun_job *j, uint32_t owner, uint32_t depth)
{
    struct globrun_level *l = &j->level[depth];
    struct globrun_sets *t = &j->then;
    size_t first = t->item.n, n = l->list.n;

    if (j->failed || !vec_reserve(j->heap, &t->item, n + 1) || !vec_reserve(j->heap, &t->set, 1) ||
        (t->set.n * 2 >= t->slots && !globrun_rehash(j))) {
        j->failed = true;
        return 0;
    }
    for (size_t i = 0; i < n; i++)
        t->item.p[first + i] = (uint64_t)l->list.p[i].state << 32 | l->list.p[i].set;
    globrun_sort(t->item.p + first, n);
    uint32_t hash =
        owner * 31 + l->ends + str_hash(str_of((char *)(t->item.p + first), n * sizeof(uint64_t)));
    size_t k = hash & (t->slots - 1);
    for (; t->table[k]; k = (k + 1) & (t->slots - 1)) {
        const struct globrun_inner *in = &t->set.p[t->table[k] - 1];
        if (in->hash == hash && in->owner == owner && in->n == n && in->ends == l->ends &&
            memcmp(t->item.p + in->first, t->item.p + first, n * sizeof(uint64_t)) == 0)
            return t->table[k] - 1;
    }
    t->item.n += n;
    t->table[k] = (uint32_t)t->set.n + 1;
    t->set.p[t->set.n] = (struct globrun_inner){
        .first = first, .n = n, .hash = hash, .owner = owner, .ends = l->ends};
    return (uint32_t)t->set.n++;
}

static uint32_t globrun_open(struct globrun_job *j, uint32_t depth)
{
    j->level[depth].list.n = 0;
    j->level[depth].ends = false;
    return ++j->stamp;
}

/* The inner set of a negation that begins here. */
static uint32_t globrun_enter(struct globrun_job *j, uint32_t not, uint32_t depth)
{
    uint32_t stamp = globrun_open(j, depth);
    globrun_add(j, depth, j->m->state[not ].also, 0, stamp);
    return globrun_intern(j, not, depth);
}

static bool globrun_takes(const struct globrun_job *j, const struct globrun_state *s, uint32_t c,
                          bool strict)
{
    bool slash = c == '/' && (j->m->flags & GLOB_PATH);
    switch (s->kind) {
    case GLOBRUN_CHAR: return s->c == c;
    case GLOBRUN_FOLDED: return s->c == utf8_lower(c);
    case GLOBRUN_SET: return !slash && !strict && globset_has(s->set, c);
    default: return !slash && !strict;
    }
}

static uint32_t globrun_step_set(struct globrun_job *j, uint32_t set, uint32_t depth, uint32_t c,
                                 bool strict);

/* One place moves over the character c into the list of `stamp`. */
static void globrun_step(struct globrun_job *j, struct globrun_at at, uint32_t depth,
                         uint32_t stamp, uint32_t c, bool strict)
{
    const struct globrun_state *s = &j->m->state[at.state];

    if (!globrun_takes(j, s, c, strict))
        return;
    if (s->kind == GLOBRUN_NOT) {
        at.set = globrun_step_set(j, at.set, depth + 1, c, strict);
        if (!j->failed && globrun_add_not(j, depth, at, stamp))
            globrun_add(j, depth, s->out, at.start, stamp);
    } else if (s->kind == GLOBRUN_STAR) {
        globrun_add(j, depth, at.state, at.start, stamp);
    } else {
        globrun_add(j, depth, s->out, at.start, stamp);
    }
}

static uint32_t globrun_step_set(struct globrun_job *j, uint32_t set, uint32_t depth, uint32_t c,
                                 bool strict)
{
    struct globrun_inner in = j->now.set.p[set];

    if (in.next)
        return in.next - 1;
    uint32_t stamp = globrun_open(j, depth);
    for (size_t i = 0; i < in.n && !j->failed; i++) {
        uint64_t item = j->now.item.p[in.first + i];
        struct globrun_at at = {(uint32_t)(item >> 32), (uint32_t)item, 0};
        globrun_step(j, at, depth, stamp, c, strict);
    }
    uint32_t next = globrun_intern(j, in.owner, depth);
    j->now.set.p[set].next = next + 1;
    return next;
}

static void globrun_turn(struct globrun_job *j)
{
    struct globrun_sets t = j->now;
    j->now = j->then;
    j->then = t;
    j->then.set.n = j->then.item.n = 0;
    if (j->then.slots)
        memset(j->then.table, 0, j->then.slots * sizeof *j->then.table);
}

/* Whether a period that must be matched by a period stands at p. */
static bool globrun_period(const struct globrun_job *j, size_t p)
{
    int flags = j->m->flags;
    return (flags & GLOB_PERIOD) && p < j->s.n && j->s.p[p] == '.' &&
           (p == 0 || ((flags & GLOB_PATH) && j->s.p[p - 1] == '/'));
}

/* What has been found so far: a match from `from` that reaches to `to`. */
struct globrun_best {
    bool any;
    size_t from, to;
};

static bool globrun_may_start(const struct globrun *m, struct str s, size_t p)
{
    unsigned char c = p < s.n ? (unsigned char)s.p[p] : 0;
    return m->all_bytes || (p < s.n && (m->first[c / 32] >> c % 32 & 1));
}

static size_t globrun_skip(const struct globrun *m, struct str s, size_t p)
{
    while (p < s.n && !globrun_may_start(m, s, p))
        p++;
    return p;
}

static void globrun_loop(struct globrun_job *j, size_t p, enum globrun_want want,
                         struct globrun_best *best)
{
    const struct globrun *m = j->m;
    size_t end = m->dir > 0 ? j->s.n : 0, next;
    VEC(struct globrun_at) from = {0};
    struct globrun_level *top = &j->level[0];

    if (want == GLOBRUN_FIND)
        p = globrun_skip(m, j->s, p);
    bool rules = want == GLOBRUN_WHOLE, strict = rules && globrun_period(j, p);
    j->strict = strict;
    globrun_add(j, 0, m->start, p, globrun_open(j, 0));
    while (!j->failed) {
        if (top->ends && (!best->any || top->ends_start <= best->from))
            *best = (struct globrun_best){true, top->ends_start, p};
        if (p == end || (best->any && want == GLOBRUN_SHORTEST) ||
            (top->list.n == 0 && (want != GLOBRUN_FIND || best->any)))
            break;
        if (top->list.n == 0) {
            p = globrun_skip(m, j->s, p);
            if (p == end)
                break;
            globrun_add(j, 0, m->start, p, globrun_open(j, 0));
        }
        uint32_t c = globset_char(j->s, p, m->dir, m->flags, &next);
        from.n = 0;
        if (!vec_reserve(j->heap, &from, top->list.n + 1)) {
            j->failed = true;
            break;
        }
        if (top->list.n)
            memcpy(from.p, top->list.p, top->list.n * sizeof *from.p);
        from.n = top->list.n;
        globrun_turn(j);
        uint32_t stamp = globrun_open(j, 0);
        p = next;
        bool was = strict;
        j->strict = strict = rules && globrun_period(j, p);
        for (size_t i = 0; i < from.n && !j->failed; i++) {
            if (!best->any || from.p[i].start <= best->from)
                globrun_step(j, from.p[i], 0, stamp, c, was);
        }
        if (want == GLOBRUN_FIND && !best->any && globrun_may_start(m, j->s, p))
            globrun_add(j, 0, m->start, p, stamp);
    }
    vec_fini(j->heap, &from);
    if (want == GLOBRUN_WHOLE && (p != end || !top->ends))
        best->any = false;
}

static void globrun_free_sets(struct heap *h, struct globrun_sets *t)
{
    vec_fini(h, &t->set);
    vec_fini(h, &t->item);
    heap_free(h, t->table, t->slots * sizeof *t->table);
}

bool globrun_match(const struct globrun *m, struct heap *h, struct str s, size_t p,
                   enum globrun_want want, size_t *start, size_t *end)
{
    struct globrun_job j = {.m = m, .heap = h, .s = s};
    struct globrun_best best = {0};
    size_t words = m->n + (size_t)m->depth * (m->n + 1);
    size_t size = words * sizeof *j.mark, levels = m->depth * sizeof *j.level;
    /* Ordinary patterns find room on the stack. */
    uint32_t few[96];
    struct globrun_level one = {0};

    j.mark = words <= COUNT(few) ? memset(few, 0, sizeof few) : heap_zalloc(h, size);
    j.level = m->depth == 1 ? &one : heap_zalloc(h, levels);
    if (j.mark && j.level) {
        j.stack = j.mark + m->n;
        globrun_loop(&j, p, want, &best);
    } else {
        j.failed = true;
    }
    for (uint32_t i = 0; j.level && i < m->depth; i++)
        vec_fini(h, &j.level[i].list);
    if (j.level != &one)
        heap_free(h, j.level, levels);
    if (j.mark != few)
        heap_free(h, j.mark, size);
    globrun_free_sets(h, &j.now);
    globrun_free_sets(h, &j.then);
    *start = best.from;
    *end = best.to;
    return best.any && !j.failed;
}

/* regex.c -- compiling patterns and looking for matches: the way into the engine
 *
 * TM-DOS-6: without back-references a match takes time bounded by pattern times text; with them it
 * is bounded by a number of steps.
 */
#include "text/regex_impl.h"

enum {
    REGEX_CACHE = 4 << 20,
    REGEX_STEPS = 100000000
};

/* ---- compiling ------------------------------------------------------------------------------- */

/* The bytes that a character takes at least and at most. */
static void regex_set_length(const struct regex_set *s, size_t *min, size_t *max)
{
    *min = 4;
    *max = 1;
    for (size_t i = 0; i < s->n; i++) {
        uint32_t lo = s->p[i].lo, hi = s->p[i].hi;
        size_t a = lo < 0x80 || lo >= REGEX_RAW ? 1 : lo < 0x800 ? 2 : lo < 0x10000 ? 3 : 4;
        size_t z = hi < 0x80 || hi >= REGEX_RAW ? 1 : hi < 0x800 ? 2 : hi < 0x10000 ? 3 : 4;
        *min = MIN(*min, a);
        *max = MAX(*max, z);
    }
    *min = MIN(*min, *max);
}

static size_t regex_times(size_t a, size_t n)
{
    return a == SIZE_MAX || (n > 0 && a > (SIZE_MAX >> 16) / n) ? SIZE_MAX : a * n;
}

/* The length of what t matches, max SIZE_MAX if there is no bound. */
static void regex_length(const struct regex_ast *t, size_t *min, size_t *max)
{
    size_t lo, hi;
    *min = *max = 0;
    if (!t || t->op == REGEX_ASSERT)
        return;
    switch (t->op) {
    case REGEX_SET: regex_set_length(&t->set, min, max); return;
    case REGEX_GROUP: regex_length(t->kids[0], min, max); return;
    case REGEX_CAT:
        for (uint32_t i = 0; i < t->nkids; i++) {
            regex_length(t->kids[i], &lo, &hi);
            *min = MIN(*min + lo, SIZE_MAX >> 16);
            *max = *max == SIZE_MAX || hi == SIZE_MAX ? SIZE_MAX : *max + hi;
        }
        return;
    case REGEX_ALT:
        for (uint32_t i = 0; i < t->nkids; i++) {
            regex_length(t->kids[i], &lo, &hi);
            *min = i ? MIN(*min, lo) : lo;
            *max = MAX(*max, hi);
        }
        return;
    case REGEX_REP:
        regex_length(t->kids[0], &lo, &hi);
        *min = MIN(regex_times(lo, (size_t)t->min), SIZE_MAX >> 16);
        *max = t->max < 0 ? SIZE_MAX : regex_times(hi, (size_t)t->max);
        return;
    default: *max = SIZE_MAX; return;
    }
}

/* Whether every match of t begins with ^ or \`. */
static bool regex_begins(const struct regex_ast *t)
{
    if (!t)
        return false;
    switch (t->op) {
    case REGEX_ASSERT: return t->arg == REGEX_BOL || t->arg == REGEX_BOT;
    case REGEX_GROUP: return regex_begins(t->kids[0]);
    case REGEX_REP: return t->min > 0 && regex_begins(t->kids[0]);
    case REGEX_CAT:
        for (uint32_t i = 0; i < t->nkids; i++) {
            if (regex_begins(t->kids[i]))
                return true;
            if (t->kids[i] && t->kids[i]->op != REGEX_ASSERT)
                return false;
        }
        return false;
    case REGEX_ALT:
        for (uint32_t i = 0; i < t->nkids; i++)
            if (!regex_begins(t->kids[i]))
                return false;
        return true;
    default: return false;
    }
}

/* A group that holds nothing but another group is reported for both, as GNU's matcher does. */
static void regex_merge_groups(struct regex *re, const struct regex_ast *t)
{
    if (!t)
        return;
    if (t->op == REGEX_GROUP) {
        const struct regex_ast *kid = t->kids[0];
        if (kid && kid->op == REGEX_GROUP) {
            re->same_as[kid->arg] = t->arg;
            kid = kid->kids[0];
        }
        regex_merge_groups(re, kid);
        return;
    }
    for (uint32_t i = 0; i < t->nkids; i++)
        regex_merge_groups(re, t->kids[i]);
}

/* Whether only ASCII letters of a fixed string have more than one case. */
static bool regex_folds_plainly(struct str s, unsigned flags)
{
    for (size_t i = 0; i < s.n && (flags & REGEX_ICASE) && !(flags & REGEX_BYTES); i++)
        if ((unsigned char)s.p[i] >= 128)
            return false;
    return true;
}

/* The child of w for a byte, made if needed. */
static struct regex_word *regex_word_child(struct arena *a, struct regex_word *w, uint8_t byte)
{
    struct regex_word **at = &w->child;
    while (*at && (*at)->byte < byte)
        at = &(*at)->next;
    if (*at && (*at)->byte == byte)
        return *at;
    struct regex_word *n = arena_new(a, struct regex_word);
    if (!n)
        return NULL;
    n->byte = byte;
    n->next = *at;
    *at = n;
    return n;
}

/* The same for a byte in any case. Two letters have a third form, of two bytes: the long s and the
 * i without a dot. */
static struct regex_word *regex_word_fold(struct regex_syntax *s, struct regex_word *w,
                                          uint8_t byte)
{
    if (!(s->flags & REGEX_ICASE) || !ascii_alpha(byte))
        return regex_word_child(s->arena, w, byte);
    uint8_t low = (uint8_t)ascii_to_lower(byte);
    struct regex_word *to = regex_word_child(s->arena, w, low);
    struct regex_word *up = regex_word_child(s->arena, w, (uint8_t)(low - 32));
    if (!to || !up)
        return NULL;
    up->twin = to;
    if ((low == 's' || low == 'i') && !(s->flags & REGEX_BYTES)) {
        struct regex_word *lead = regex_word_child(s->arena, w, low == 's' ? 0xC5 : 0xC4);
        up = lead ? regex_word_child(s->arena, lead, low == 's' ? 0xBF : 0xB1) : NULL;
        if (!up)
            return NULL;
        up->twin = to;
    }
    return to;
}

/* A tree by bytes for many fixed strings, so that common beginnings are read once. */
static struct regex_ast *regex_words(struct regex_syntax *s, const struct str *v, size_t n)
{
    struct regex_ast *t = regex_ast_new(s, REGEX_WORDS);
    size_t bytes = 0;
    if (!t || !(t->words = arena_new(s->arena, struct regex_word))) {
        regex_fail(s, NULL);
        return NULL;
    }
    for (size_t i = 0; i < n && !s->error; i++) {
        struct regex_word *w = t->words;
        bytes += v[i].n;
        if (bytes > REGEX_MAX_WORDS)
            regex_fail(s, "Regular expression too big");
        for (size_t k = 0; k < v[i].n && !s->error; k++) {
            w = regex_word_fold(s, w, (uint8_t)v[i].p[k]);
            if (!w)
                regex_fail(s, NULL);
        }
        if (!s->error)
            w->end = true;
    }
    return t;
}

/* The tree of one pattern or of many. */
static struct regex_ast *regex_parse_set(struct regex_syntax *s, const struct str *v, size_t n)
{
    bool fixed = (s->flags & REGEX_FLAVOUR) == REGEX_FIXED;
    bool plain = fixed && n > 1;
    for (size_t i = 0; i < n && plain; i++)
        plain = regex_folds_plainly(v[i], s->flags);
    if (plain) {
        struct regex_ast *t = regex_words(s, v, n);
        if (!t || s->error || !t->words->end)
            return t;
        struct regex_ast *alt = regex_ast_new(s, REGEX_ALT);
        if (alt && regex_ast_push(s, alt, t))
            regex_ast_push(s, alt, NULL);
        return alt;
    }
    struct regex_ast *alt = n > 1 ? regex_ast_new(s, REGEX_ALT) : NULL, *t = NULL;
    for (size_t i = 0; i < n && !s->error; i++) {
        t = fixed ? regex_parse_fixed(s, v[i]) : regex_parse(s, v[i]);
        if (alt && !s->error)
            regex_ast_push(s, alt, t);
    }
    return alt ? alt : t;
}

/* Puts the conditions of REGEX_WORD and REGEX_WHOLE around the tree. */
static struct regex_ast *regex_enclose(struct regex_syntax *s, struct regex_ast *t)
{
    for (int k = 0; k < 2 && !s->error; k++) {
        if (!(s->flags & (k ? REGEX_WHOLE : REGEX_WORD)))
            continue;
        struct regex_ast *cat = regex_ast_new(s, REGEX_CAT), *a = regex_ast_new(s, REGEX_ASSERT);
        struct regex_ast *z = regex_ast_new(s, REGEX_ASSERT);
        if (!cat || !a || !z)
            return NULL;
        a->arg = k ? REGEX_BOL : REGEX_NO_WORD_BEFORE;
        z->arg = k ? REGEX_EOL : REGEX_NO_WORD_BEHIND;
        if (regex_ast_push(s, cat, a) && (!t || regex_ast_push(s, cat, t)))
            regex_ast_push(s, cat, z);
        t = cat;
    }
    return t;
}

/* All that is made from the tree. */
static int regex_build(struct regex *re, struct regex_syntax *s, struct regex_ast *t)
{
    struct heap *h = re->heap;
    re->groups = s->groups;
    re->backrefs = s->backrefs;
    re->same_as = heap_alloc(h, (re->groups + (size_t)1) * sizeof *re->same_as);
    if (!re->same_as)
        return HOB_ENOMEM;
    for (uint32_t g = 0; g <= re->groups; g++)
        re->same_as[g] = g;
    regex_merge_groups(re, t);
    regex_length(t, &re->min, &re->max);
    re->anchored = regex_begins(t);
    re->line_end = t && t->op == REGEX_ASSERT && t->arg == REGEX_EOL && (s->flags & REGEX_LINES);
    int r = regex_prog_build(h, s, t, false, &re->prog);
    if (r == 0 && re->backrefs) {
        regex_forget_tries(t);
        r = regex_prog_build(h, s, t, true, &re->approx);
    }
    if (r == 0)
        r = regex_prefilter_build(h, s->arena, t, s->flags, &re->pre);
    return r;
}

int regex_compile_set(struct heap *h, const struct str *patterns, size_t n, unsigned flags,
                      struct regex **out, struct hob_error *err)
{
    struct arena arena;
    *out = NULL;
    struct regex *re = heap_new(h, struct regex);
    if (!re)
        return error_set(err, HOB_ENOMEM, "Memory exhausted");
    arena_init(&arena, h);
    struct regex_syntax s = {.arena = &arena, .flags = flags};
    re->heap = h;
    re->flags = flags;
    re->eol = flags & REGEX_NUL ? '\0' : '\n';
    re->nothing = n == 0;
    re->cache = REGEX_CACHE;
    re->max_steps = REGEX_STEPS;
    struct regex_ast *t = regex_parse_set(&s, patterns, n);
    if (!s.error)
        t = regex_enclose(&s, t);
    int r = s.error ? s.error : regex_build(re, &s, t);
    arena_fini(&arena);
    if (r < 0) {
        regex_free(re);
        const char *text = s.error           ? s.message
                           : r == HOB_ELIMIT ? "Regular expression too big"
                                             : "Memory exhausted";
        return error_set(err, r, "%s", text);
    }
    *out = re;
    return 0;
}

int regex_compile(struct heap *h, struct str pattern, unsigned flags, struct regex **out,
                  struct hob_error *err)
{
    return regex_compile_set(h, &pattern, 1, flags, out, err);
}

void regex_free(struct regex *re)
{
    if (!re)
        return;
    struct heap *h = re->heap;
    regex_back_free(re);
    regex_dfa_fini(&re->any);
    regex_dfa_fini(&re->find);
    regex_dfa_fini(&re->rev);
    heap_free(h, re->via, re->via ? re->prog.nodes.n * sizeof *re->via : 0);
    regex_prog_fini(h, &re->prog);
    regex_prog_fini(h, &re->approx);
    regex_prefilter_fini(h, &re->pre);
    vec_fini(h, &re->log);
    vec_fini(h, &re->marks);
    vec_fini(h, &re->log_items);
    vec_fini(h, &re->mark_items);
    vec_fini(h, &re->regs);
    heap_free(h, re->same_as, re->same_as ? (re->groups + (size_t)1) * sizeof *re->same_as : 0);
    heap_drop(h, re);
}

size_t regex_groups(const struct regex *re) { return re->groups; }

bool regex_literal(const struct regex *re, struct str *lit)
{
    const struct regex_literals *l = &re->pre.start;
    if (!re->pre.whole || l->n != 1 || l->icase)
        return false;
    *lit = str_of(l->v[0].p, l->v[0].n);
    return true;
}

void regex_set_tick(struct regex *re, regex_tick_fn fn, void *ud)
{
    re->tick = fn;
    re->tick_ud = ud;
}

void regex_set_cache(struct regex *re, size_t bytes)
{
    re->cache = re->any.max = re->find.max = re->rev.max = bytes;
}

void regex_set_steps(struct regex *re, uint64_t steps) { re->max_steps = steps; }

/* ---- looking for matches --------------------------------------------------------------------- */

/* The automaton, made at its first use. */
static int regex_ready(struct regex *re, struct regex_dfa *d)
{
    if (d->ready)
        return 0;
    struct regex_prog *p = re->backrefs ? &re->approx : &re->prog;
    int r = regex_dfa_init(d, re->heap, p, d == &re->rev, d == &re->find, re->cache);
    if (r < 0)
        regex_dfa_fini(d);
    d->idle = d != &re->rev && (re->pre.start.n > 0 || re->pre.start_bytes.n > 0);
    return r;
}

/* Whether any match is in the text from `from` on, and where one ends. */
static int regex_exists(struct regex *re, struct str text, size_t from, unsigned eflags,
                        bool search, size_t *end)
{
    int r = regex_ready(re, &re->any);
    return r < 0 ? r : regex_forward(re, &re->any, text, from, eflags, search, true, end);
}

/* The bounds of the leftmost longest match. */
static int regex_bounds(struct regex *re, struct str text, size_t from, unsigned eflags,
                        bool search, struct regex_match *m)
{
    size_t start = from, end = 0;
    int r = regex_ready(re, &re->find);
    if (r >= 0)
        r = regex_forward(re, &re->find, text, from, eflags, search, false, &end);
    if (r <= 0)
        return r;
    if (search && re->min == re->max) {
        start = end - re->min;
    } else if (search) {
        r = regex_ready(re, &re->rev);
        if (r >= 0)
            r = regex_backward(re, &re->rev, text, from, end, eflags, &start);
        if (r <= 0)
            return r < 0 ? r : HOB_EBUG;
    }
    *m = (struct regex_match){(ptrdiff_t)start, (ptrdiff_t)end};
    return 1;
}

/* A pattern that is nothing but a few strings. */
static int regex_exec_literal(struct regex *re, struct str text, size_t from, unsigned eflags,
                              struct regex_match *m)
{
    size_t at = from;
    if (!(eflags & REGEX_HERE))
        at = regex_literals_find(&re->pre.start, text, from);
    size_t n = at == SIZE_MAX ? 0 : regex_literals_at(&re->pre.start, text, at);
    *m = (struct regex_match){(ptrdiff_t)at, (ptrdiff_t)(at + n)};
    return n > 0;
}

int regex_exec(struct regex *re, struct str text, size_t from, unsigned eflags,
               struct regex_match *m, size_t nm)
{
    struct regex_match whole;
    size_t end;
    int r;
    for (size_t i = 0; i < nm; i++)
        m[i] = (struct regex_match){-1, -1};
    if (re->nothing || from > text.n || text.n - from < re->min)
        return 0;
    bool lines = re->flags & (REGEX_LINES | REGEX_NEWLINE);
    bool here = (eflags & REGEX_HERE) || (re->anchored && !lines);
    if (re->anchored && !lines && from > 0)
        return 0;
    if (re->line_end && !(eflags & (REGEX_HERE | REGEX_NOTEOL))) {
        const char *p = from < text.n ? memchr(text.p + from, re->eol, text.n - from) : NULL;
        whole.start = whole.end = p ? p - text.p : (ptrdiff_t)text.n;
        r = 1;
    } else if (re->pre.whole) {
        r = regex_exec_literal(re, text, from, eflags, &whole);
    } else if (re->pre.need.n > 0 && !here &&
               regex_literals_find(&re->pre.need, text, from) == SIZE_MAX) {
        return 0;
    } else if (re->backrefs) {
        r = regex_exists(re, text, from, eflags, !here, &end);
        if (r > 0)
            r = regex_back_exec(re, text, from, here ? from : text.n, eflags, m, nm);
        return r;
    } else if (nm == 0) {
        return regex_exists(re, text, from, eflags, !here, &end);
    } else {
        r = regex_bounds(re, text, from, eflags, !here, &whole);
    }
    if (r <= 0 || nm == 0)
        return r;
    m[0] = whole;
    if (nm == 1 || re->groups == 0)
        return 1;
    r = regex_ready(re, &re->rev);
    return r < 0 ? r : regex_walk(re, text, eflags, m, nm);
}

int regex_is_match(struct regex *re, struct str text)
{
    return regex_exec(re, text, 0, 0, NULL, 0);
}

/* ---- whole buffers of lines ------------------------------------------------------------------ */

/* The bounds of the line around `at`, which begins at or behind `low`. */
static void regex_line_around(const struct regex *re, struct str text, size_t low, size_t at,
                              size_t *start, size_t *end)
{
    const char *p = at < text.n ? memchr(text.p + at, re->eol, text.n - at) : NULL;
    *end = p ? (size_t)(p - text.p) : text.n;
    while (at > low && text.p[at - 1] != re->eol)
        at--;
    *start = at;
}

/* Whether the line matches, which some literal or the approximation has made likely. */
static int regex_line_matches(struct regex *re, struct str line)
{
    size_t end;
    if (re->pre.whole)
        return 1;
    int r = regex_exists(re, line, 0, 0, !re->anchored, &end);
    if (r > 0 && re->backrefs)
        r = regex_back_exec(re, line, 0, re->anchored ? 0 : line.n, 0, NULL, 0);
    return r;
}

/* A place in the next line that may match; 0 if there is none. */
static int regex_line_next(struct regex *re, struct str text, size_t from, bool literals,
                           size_t *at)
{
    size_t end;
    if (literals) {
        *at = re->pre.need.n > 0 ? regex_literals_find(&re->pre.need, text, from)
                                 : regex_bytes_find(&re->pre.need_bytes, text, from);
        return *at != SIZE_MAX;
    }
    if (re->anchored) {
        *at = from;
        return 1;
    }
    int r = regex_exists(re, text, from, 0, true, &end);
    *at = r > 0 ? end : from;
    return r;
}

int regex_find_line(struct regex *re, struct str text, size_t from, size_t *start, size_t *end)
{
    if (text.n > 0 && from < text.n && text.p[text.n - 1] == re->eol)
        text.n--; /* what stands behind the last line end is no line */
    else if (from >= text.n)
        return 0;
    while (!re->nothing && from <= text.n) {
        bool literals = (re->pre.need.n > 0 || re->pre.need_bytes.n > 0) && !re->pre_off;
        size_t at;
        int r = regex_line_next(re, text, from, literals, &at);
        if (r <= 0)
            return r;
        regex_line_around(re, text, from, at, start, end);
        if (literals || re->anchored || re->backrefs)
            r = regex_line_matches(re, str_of(text.p + *start, *end - *start));
        if (literals) {
            /* Literals that stand in nearly every line only cost time. */
            re->pre_tries++;
            re->pre_bytes += *end + 1 - from;
            re->pre_off =
                !re->pre.whole && re->pre_tries > 256 && re->pre_bytes < re->pre_tries * 128;
        }
        if (r != 0)
            return r;
        from = *end + 1;
    }
    return 0;
}

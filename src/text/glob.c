/* glob.c -- shell patterns, matched as bash matches them
 *
 * The pattern is parsed to a list of nodes. Without extended groups it is a row of segments with
 * stars between, and each segment may take the first place where it fits: what comes later then has
 * the most room. So a match never goes back, in either direction.
 */
#include "text/glob.h"

#include "base/utf8.h"
#include "text/globset.h"

/* A run of nodes between two stars; both NULL when there is nothing between them. */
struct glob_seg {
    const struct globset_node *first, *last;
};

struct glob_prog {
    struct heap *heap;
    int flags;
    bool literal; /* one segment of at most one text */
    struct str text;
    size_t n; /* segments; stars + 1 */
    struct glob_seg *seg;
    struct globrun *ahead, *back; /* for extended patterns, else NULL */
};

#define GLOB_DEPTH 100 /* groups nested deeper are literal text */

/* ---- parsing --------------------------------------------------------------------------------- */

struct glob_parser {
    struct arena *arena;
    struct str pat;
    int flags;
    uint32_t *close; /* for each `(` the place of its `)`, 0 if there is none; NULL: no groups */
    size_t dead_bracket; /* from here on no `[` has its `]` */
    char *text;          /* literal text without backslashes collects here */
    bool groups, stars, failed;
};

static size_t glob_bracket(struct glob_parser *g, size_t p, struct globset **out)
{
    if (p >= g->dead_bracket)
        return 0;
    size_t end = globset_parse(g->pat, p, g->flags, g->arena, out);
    /* With GLOB_PATH it may have been a slash that was in the way. */
    if (end == 0 && !(g->flags & GLOB_PATH))
        g->dead_bracket = p;
    return end;
}

/* Pairs the parentheses in one pass. `stack` has room for all of them. */
static void glob_pair(struct glob_parser *g, uint32_t *stack)
{
    size_t n = 0;
    for (size_t i = 0; i < g->pat.n; i++) {
        size_t end;
        switch (g->pat.p[i]) {
        case '\\': i++; break;
        case '[':
            /* As in bash, a `[` without `]` swallows the rest of the groups it stands in. */
            end = glob_bracket(g, i, NULL);
            if (end)
                i = end - 1;
            else
                n = 0;
            break;
        case '(': stack[n++] = (uint32_t)i; break;
        case ')':
            if (n)
                g->close[stack[--n]] = (uint32_t)i;
            break;
        default: break;
        }
    }
}

static struct globset_node *glob_node(struct glob_parser *g, struct globset_list *l,
                                      enum globset_kind kind)
{
    struct globset_node *x = arena_new(g->arena, struct globset_node);
    if (!x) {
        g->failed = true;
        return NULL;
    }
    x->kind = kind;
    x->prev = l->last;
    if (l->last)
        l->last->next = x;
    else
        l->first = x;
    l->last = x;
    return x;
}

/* Appends n literal bytes at p, which are one character. */
static void glob_text(struct glob_parser *g, struct globset_list *l, const char *p, size_t n)
{
    size_t next;
    uint32_t c = globset_char(str_of(p, n), 0, 1, g->flags, &next);
    struct globset_node *x = l->last;

    if ((g->flags & GLOB_NOCASE) && (utf8_lower(c) != c || utf8_upper(c) != c)) {
        x = glob_node(g, l, GLOBSET_FOLD);
        if (x)
            x->c = utf8_lower(c);
        return;
    }
    /* What follows right behind the last text in our store lengthens it. */
    if (!x || x->kind != GLOBSET_TEXT || x->text.p + x->text.n != g->text) {
        x = glob_node(g, l, GLOBSET_TEXT);
        if (!x)
            return;
        x->text = str_of(g->text, 0);
    }
    memcpy(g->text, p, n);
    g->text += n;
    x->text.n += n;
}

static struct globset_list *glob_list(struct glob_parser *g, size_t from, size_t to, int depth);

/* The group whose operator is at p; the place behind it. */
static size_t glob_group(struct glob_parser *g, struct globset_list *l, size_t p, int depth)
{
    size_t close = g->close[p + 1], from = p + 2;
    struct globset_node *x = glob_node(g, l, GLOBSET_GROUP);

    if (!x)
        return close + 1;
    x->op = g->pat.p[p];
    g->groups = true;
    struct globset_list **tail = &x->alts;
    for (size_t i = from; i <= close && !g->failed; i++) {
        char c = i == close ? '|' : g->pat.p[i];
        size_t end;
        if (c == '\\') {
            i++;
        } else if (c == '[' && (end = glob_bracket(g, i, NULL)) != 0) {
            i = end - 1;
        } else if (c == '(' && g->close[i]) {
            i = g->close[i];
        } else if (c == '|') {
            *tail = glob_list(g, from, i, depth + 1);
            if (*tail)
                tail = &(*tail)->next;
            from = i + 1;
        }
    }
    return close + 1;
}

static bool glob_opens(const struct glob_parser *g, size_t p, size_t to, int depth)
{
    return g->close && depth < GLOB_DEPTH && p + 1 < to && g->pat.p[p + 1] == '(' &&
           g->close[p + 1] && g->close[p + 1] < to;
}

/* From a group without end on bash compares the rest as it stands, backslashes included. */
static size_t glob_rest(struct glob_parser *g, struct globset_list *l, size_t p, size_t to)
{
    for (size_t next; p < to && !g->failed; p = next) {
        globset_char(str_of(g->pat.p, to), p, 1, g->flags, &next);
        glob_text(g, l, g->pat.p + p, next - p);
    }
    return to;
}

/* One element of the pattern at p; the place behind it. */
static size_t glob_element(struct glob_parser *g, struct globset_list *l, size_t p, size_t to,
                           int depth)
{
    const char *s = g->pat.p;
    struct globset *set;
    size_t next;

    switch (s[p]) {
    case '?':
    case '*':
    case '+':
    case '@':
    case '!':
        if (glob_opens(g, p, to, depth))
            return glob_group(g, l, p, depth);
        if (g->close && p + 1 < to && s[p + 1] == '(')
            return glob_rest(g, l, p, to);
        if (s[p] == '*') {
            /* Stars in a row are one. */
            if (!l->last || l->last->kind != GLOBSET_STAR)
                glob_node(g, l, GLOBSET_STAR);
            g->stars = true;
            return p + 1;
        }
        if (s[p] == '?') {
            glob_node(g, l, GLOBSET_ANY);
            return p + 1;
        }
        break;
    case '[':
        next = glob_bracket(g, p, &set);
        if (next && next <= to) {
            struct globset_node *x = set ? glob_node(g, l, GLOBSET_SET) : NULL;
            if (x)
                x->set = set;
            else
                g->failed = true;
            return next;
        }
        break;
    case '\\': p += p + 1 < to; break;
    default: break;
    }
    globset_char(str_of(s, to), p, 1, g->flags, &next);
    glob_text(g, l, s + p, next - p);
    return next;
}

static struct globset_list *glob_list(struct glob_parser *g, size_t from, size_t to, int depth)
{
    struct globset_list *l = arena_new(g->arena, struct globset_list);
    if (!l)
        g->failed = true;
    while (from < to && !g->failed)
        from = glob_element(g, l, from, to, depth);
    return g->failed ? NULL : l;
}

/* ---- compiling ------------------------------------------------------------------------------- */

/* Cuts the list at its stars. */
static bool glob_segments(struct glob_prog *g, struct arena *a, const struct globset_list *l)
{
    size_t n = 1;
    for (const struct globset_node *x = l->first; x; x = x->next)
        n += x->kind == GLOBSET_STAR;
    g->seg = arena_array(a, struct glob_seg, n);
    if (!g->seg)
        return false;
    g->n = n;
    struct glob_seg *seg = g->seg;
    for (const struct globset_node *x = l->first; x; x = x->next) {
        if (x->kind == GLOBSET_STAR) {
            seg++;
            continue;
        }
        if (!seg->first)
            seg->first = x;
        seg->last = x;
    }
    if (n == 1 && g->seg->first == g->seg->last &&
        (!g->seg->first || g->seg->first->kind == GLOBSET_TEXT)) {
        g->literal = true;
        g->text = g->seg->first ? g->seg->first->text : STR("");
    }
    return true;
}

static bool glob_plain(struct str pat, int flags)
{
    for (size_t i = 0; i < pat.n; i++) {
        char c = pat.p[i];
        if (c == '*' || c == '?' || c == '[' || c == '\\' || (c == '(' && (flags & GLOB_EXT)))
            return false;
    }
    return !(flags & GLOB_NOCASE);
}

static struct globset_list *glob_parse(struct glob_parser *g)
{
    size_t n = g->pat.n, room = n * 2 * sizeof(uint32_t);
    bool ext = (g->flags & GLOB_EXT) && str_chr(g->pat, '(') >= 0;

    g->dead_bracket = SIZE_MAX;
    g->text = arena_alloc(g->arena, n);
    if (!g->text || n > UINT32_MAX)
        return NULL;
    if (ext) {
        g->close = heap_zalloc(g->arena->heap, room);
        if (!g->close)
            return NULL;
        glob_pair(g, g->close + n);
    }
    struct globset_list *l = glob_list(g, 0, n, 0);
    if (ext)
        heap_free(g->arena->heap, g->close, room);
    return l;
}

struct glob_prog *glob_compile(struct arena *a, struct str pattern, int flags)
{
    struct glob_prog *g = arena_new(a, struct glob_prog);
    if (!g)
        return NULL;
    g->heap = a->heap;
    g->flags = flags;
    if (glob_plain(pattern, flags)) {
        g->literal = true;
        g->text = arena_str(a, pattern);
        return g->text.p ? g : NULL;
    }
    struct glob_parser parser = {.arena = a, .pat = pattern, .flags = flags};
    struct globset_list *l = glob_parse(&parser);
    if (!l)
        return NULL;
    /* Stars that stop at slashes are for the machine, too. */
    if (parser.groups || (parser.stars && (flags & GLOB_PATH))) {
        g->ahead = globrun_new(a, l, 1, flags);
        g->back = g->ahead ? globrun_new(a, l, -1, flags) : NULL;
        return g->back ? g : NULL;
    }
    return glob_segments(g, a, l) ? g : NULL;
}

/* ---- matching without groups ----------------------------------------------------------------- */

/* Text read in one direction: from `at` towards `end`. */
struct glob_view {
    const struct glob_prog *g;
    struct str s;
    int dir;
};

static size_t glob_room(size_t p, size_t q) { return p < q ? q - p : p - q; }

/* Matches a node at *p without passing `end`, and moves *p behind it. */
static bool glob_one(const struct glob_view *v, const struct globset_node *x, size_t *p, size_t end)
{
    if (x->kind == GLOBSET_TEXT) {
        size_t n = x->text.n;
        if (glob_room(*p, end) < n)
            return false;
        if (memcmp(v->dir > 0 ? v->s.p + *p : v->s.p + *p - n, x->text.p, n) != 0)
            return false;
        *p = v->dir > 0 ? *p + n : *p - n;
        return true;
    }
    if (*p == end)
        return false;
    uint32_t c = globset_char(v->s, *p, v->dir, v->g->flags, p);
    if (c == '/' && (v->g->flags & GLOB_PATH))
        return false;
    switch (x->kind) {
    case GLOBSET_FOLD: return utf8_lower(c) == x->c;
    case GLOBSET_SET: return globset_has(x->set, c);
    default: return true;
    }
}

static bool glob_segment(const struct glob_view *v, const struct glob_seg *seg, size_t *p,
                         size_t end)
{
    size_t at = *p;
    const struct globset_node *x = v->dir > 0 ? seg->first : seg->last;
    const struct globset_node *last = v->dir > 0 ? seg->last : seg->first;

    if (!x)
        return true;
    for (;; x = v->dir > 0 ? x->next : x->prev) {
        if (!glob_one(v, x, &at, end))
            return false;
        if (x == last)
            break;
    }
    *p = at;
    return true;
}

/* The next place from p on where a match of text could begin; `end` if there is none. */
static size_t glob_hop(const struct glob_view *v, struct str text, size_t p, size_t end)
{
    if (v->dir > 0) {
        ptrdiff_t at = str_find(str_of(v->s.p + p, end - p), text);
        return at < 0 ? end : p + (size_t)at;
    }
    ptrdiff_t at = str_rchr(str_of(v->s.p + end, p - end), text.p[text.n - 1]);
    return at < 0 ? end : end + (size_t)at + 1;
}

/* The first place from *p on where the segment fits; *p moves behind it, *start to it. */
static bool glob_search(const struct glob_view *v, const struct glob_seg *seg, size_t *p,
                        size_t end, size_t *start)
{
    const struct globset_node *x = v->dir > 0 ? seg->first : seg->last;
    size_t at = *p, next;

    for (;;) {
        if (x && x->kind == GLOBSET_TEXT)
            at = glob_hop(v, x->text, at, end);
        *p = at;
        if (glob_segment(v, seg, p, end)) {
            *start = at;
            return true;
        }
        if (at == end)
            return false;
        globset_char(v->s, at, v->dir, v->g->flags, &next);
        at = next;
    }
}

/* Segment i counted in the direction of the view. */
static const struct glob_seg *glob_nth(const struct glob_view *v, size_t i)
{
    return &v->g->seg[v->dir > 0 ? i : v->g->n - 1 - i];
}

/* From p towards `end`: where the shortest or longest match stops. */
static bool glob_reach(const struct glob_view *v, size_t p, size_t end, bool longest, size_t *stop)
{
    size_t n = v->g->n, start;

    if (!glob_segment(v, glob_nth(v, 0), &p, end))
        return false;
    *stop = p;
    if (n == 1)
        return true;
    for (size_t i = 1; i + 1 < n; i++) {
        if (!glob_search(v, glob_nth(v, i), &p, end, &start))
            return false;
    }
    const struct glob_seg *last = glob_nth(v, n - 1);
    if (!longest) {
        *stop = p;
        return glob_search(v, last, stop, end, &start);
    }
    /* The last segment fits best where it is first met from the other side. */
    struct glob_view turned = {v->g, v->s, -v->dir};
    size_t far = end;
    return glob_search(&turned, last, &far, p, stop);
}

static bool glob_whole(const struct glob_prog *g, struct str s)
{
    struct glob_view v = {g, s, 1}, turned = {g, s, -1};
    size_t p = 0, end = s.n, start;

    if ((g->flags & GLOB_PERIOD) && s.n && s.p[0] == '.' &&
        (!g->seg->first || g->seg->first->kind != GLOBSET_TEXT))
        return false;
    if (!glob_segment(&v, &g->seg[0], &p, s.n))
        return false;
    if (g->n == 1)
        return p == s.n;
    if (!glob_segment(&turned, &g->seg[g->n - 1], &end, p))
        return false;
    for (size_t i = 1; i + 1 < g->n; i++) {
        if (!glob_search(&v, &g->seg[i], &p, end, &start))
            return false;
    }
    return true;
}

/* ---- the functions of the header ------------------------------------------------------------- */

bool glob_match(const struct glob_prog *g, struct str s)
{
    size_t start, end;

    if (s.n == 0)
        s.p = "";
    if (g->literal)
        return str_eq(g->text, s);
    if (g->ahead)
        return globrun_match(g->ahead, g->heap, s, 0, GLOBRUN_WHOLE, &start, &end);
    return glob_whole(g, s);
}

ptrdiff_t glob_prefix(const struct glob_prog *g, struct str s, bool longest)
{
    struct glob_view v = {g, s, 1};
    size_t start, end = 0;

    if (g->literal)
        return str_starts(s, g->text) ? (ptrdiff_t)g->text.n : -1;
    if (s.n == 0)
        v.s.p = "";
    bool ok = g->ahead ? globrun_match(g->ahead, g->heap, v.s, 0,
                                       longest ? GLOBRUN_LONGEST : GLOBRUN_SHORTEST, &start, &end)
                       : glob_reach(&v, 0, s.n, longest, &end);
    return ok ? (ptrdiff_t)end : -1;
}

ptrdiff_t glob_suffix(const struct glob_prog *g, struct str s, bool longest)
{
    struct glob_view v = {g, s, -1};
    size_t start, end = 0;

    if (g->literal)
        return str_ends(s, g->text) ? (ptrdiff_t)g->text.n : -1;
    if (s.n == 0)
        v.s.p = "";
    bool ok = g->back ? globrun_match(g->back, g->heap, v.s, s.n,
                                      longest ? GLOBRUN_LONGEST : GLOBRUN_SHORTEST, &start, &end)
                      : glob_reach(&v, s.n, 0, longest, &end);
    return ok ? (ptrdiff_t)(s.n - end) : -1;
}

bool glob_find(const struct glob_prog *g, struct str s, size_t from, size_t *start, size_t *end)
{
    struct glob_view v = {g, s, 1};

    if (from > s.n)
        return false;
    if (s.n == 0)
        v.s.p = "";
    if (g->literal) {
        ptrdiff_t at = str_find(str_from(v.s, from), g->text);
        if (at < 0)
            return false;
        *start = from + (size_t)at;
        *end = *start + g->text.n;
        return true;
    }
    if (g->ahead)
        return globrun_match(g->ahead, g->heap, v.s, from, GLOBRUN_FIND, start, end);
    /* If the rest has no room behind the first place of the first segment, it never has. */
    size_t p = from;
    return glob_search(&v, &g->seg[0], &p, s.n, start) && glob_reach(&v, *start, s.n, true, end);
}

bool glob_literal(const struct glob_prog *g, struct str *out)
{
    if (g->literal)
        *out = g->text;
    return g->literal;
}

bool glob_magic(struct str pat, int flags)
{
    bool dead = false;
    ptrdiff_t close = flags & GLOB_EXT ? str_rchr(pat, ')') : -1;

    for (size_t i = 0; i < pat.n; i++) {
        switch (pat.p[i]) {
        case '\\': i++; break;
        case '*':
        case '?': return true;
        case '+':
        case '@':
        case '!':
            if ((ptrdiff_t)i + 1 < close && pat.p[i + 1] == '(')
                return true;
            break;
        case '[':
            if (!dead && globset_parse(pat, i, flags, NULL, NULL))
                return true;
            dead = !(flags & GLOB_PATH);
            break;
        default: break;
        }
    }
    return false;
}

#undef GLOB_DEPTH

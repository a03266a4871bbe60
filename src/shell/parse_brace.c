/* parse_brace.c -- {a,b} and {1..9}: which braces of a word are expansions, and their tree
 *
 * While a word is read, each unquoted { , } becomes a mark among its parts. When the word ends,
 * the marks are paired up; a pair with a comma of its own, or around a range, becomes a PART_BRACE,
 * every other mark goes back to plain text.
 */
#include "base/utf8.h"
#include "shell/lex.h"

struct parse_brace {
    struct part *parts;
    int *match; /* of a {: its }, -1 if it has none or they are plain text. Of a ,: its { */
    struct parse_seq *seq;
};

enum {
    PARSE_BRACE_SPREAD = 1000
}; /* the longest range that is written out behind $x */

static char parse_brace_char(const struct part *t)
{
    return t->kind != PARSE_BRACE_MARK ? '\0' : t->out ? '}' : t->dollar ? ',' : '{';
}

/* ---- ranges --------------------------------------------------------------------------------- */

static bool parse_brace_int(struct str s, int64_t *v, int *width)
{
    if (str_int(s, v) < 0 || *v == INT64_MIN)
        return false;
    size_t sign = s.p[0] == '-' || s.p[0] == '+';
    if (s.n > sign + 1 && s.p[sign] == '0')
        *width = MAX(*width, (int)MIN(s.n, 1000));
    return true;
}

/* {from..to} or {from..to..step}: false if the text between the braces is something else. */
static bool parse_brace_range(struct str s, struct brace *t)
{
    ptrdiff_t dots = str_find(s, STR(".."));
    if (dots < 1)
        return false;
    struct str from = str_sub(s, 0, (size_t)dots), to = str_from(s, (size_t)dots + 2);
    int64_t step = 0;
    int width = 0, none = 0;
    dots = str_find(to, STR(".."));
    if (dots >= 0) {
        if (!parse_brace_int(str_from(to, (size_t)dots + 2), &step, &none))
            return false;
        to = str_sub(to, 0, (size_t)dots);
    }
    if (from.n == 1 && to.n == 1 && ascii_alpha(*from.p) && ascii_alpha(*to.p)) {
        t->chars = true;
        t->from = (uint8_t)*from.p;
        t->to = (uint8_t)*to.p;
    } else if (!parse_brace_int(from, &t->from, &width) || !parse_brace_int(to, &t->to, &width)) {
        return false;
    }
    if (width)
        width = MAX(width, (int)MIN(MAX(from.n, to.n), 1000));
    step = step < 0 ? -step : step ? step : 1;
    t->step = t->from <= t->to ? step : -step;
    t->width = width;
    return true;
}

/* ---- pairing -------------------------------------------------------------------------------- */

static void parse_brace_pair(struct parse_brace *b, int n, int *stack)
{
    int top = 0;
    for (int i = 0; i < n; i++) {
        char c = parse_brace_char(&b->parts[i]);
        b->match[i] = -1;
        if (c == '{') {
            b->parts[i].u.sub.n = 0; /* its commas */
            stack[top++] = i;
        } else if (c == ',' && top) {
            b->match[i] = stack[top - 1];
            b->parts[stack[top - 1]].u.sub.n++;
        } else if (c == '}' && top) {
            int open = stack[--top];
            struct brace range = {0};
            bool one = i == open + 2 && b->parts[open + 1].kind == PART_LIT;
            if (b->parts[open].u.sub.n ||
                (one && parse_brace_range(b->parts[open + 1].text, &range)))
                b->match[open] = i;
        }
    }
}

/* ---- building ------------------------------------------------------------------------------- */

static bool parse_brace_emit(struct parser *p, struct parse_brace *b, int lo, int hi);

static int parse_brace_flags(const struct part *t, int n)
{
    int flags = 0;
    for (int i = 0; i < n; i++) {
        if (t[i].kind == PART_LIT)
            for (size_t k = 0; k < t[i].text.n && !(flags & WORD_GLOB); k++)
                flags |= t[i].text.p[k] && strchr("*?[", t[i].text.p[k]) ? WORD_GLOB : 0;
        else if (t[i].kind == PART_QUOTED || t[i].kind == PART_DQUOTE)
            flags |= WORD_QUOTED;
        else if (t[i].kind == PART_BRACE)
            flags |= WORD_BRACE;
    }
    return flags;
}

/* The parts above `base` as a word: one alternative. */
static struct word *parse_brace_word(struct parser *p, size_t base)
{
    struct parse_seq q;
    parse_word_begin(p, &q, 0);
    q.parts = base;
    q.flags = parse_brace_flags((struct part *)(void *)(p->stack.p + base),
                                (int)((p->stack.n - base) / sizeof(struct part)));
    return parse_word_end(p, &q, false, true);
}

/* Braces come first, so $x{1,2} is $x1 $x2: the name goes on in each alternative. */
static struct word *parse_brace_extend(struct parser *p, const struct part *head,
                                       const struct word *alt)
{
    size_t base = p->stack.n, n = 0;
    struct part *t = parse_word_part(p, PART_PARAM);
    struct param *v = t ? arena_new(p->arena, struct param) : NULL;
    if (!v)
        return lex_nomem(p), NULL;
    *v = *head->u.param;
    t->u.param = v;
    struct str text = alt->n && alt->parts[0].kind == PART_LIT ? alt->parts[0].text : STR("");
    while (n < text.n && lex_name_char(text.p[n]))
        n++;
    if (n) {
        size_t from = p->txt.n;
        buf_str(&p->txt, v->name);
        buf_add(&p->txt, text.p, n);
        v->name = lex_keep(p, lex_text(&p->txt, from));
        buf_cut(&p->txt, from);
    }
    for (int i = 0; i < alt->n; i++) {
        if (i == 0 && n && n == text.n)
            continue;
        t = parse_word_part(p, PART_LIT);
        if (!t)
            return NULL;
        *t = alt->parts[i];
        if (i == 0)
            t->text = str_from(t->text, n);
    }
    return parse_brace_word(p, base);
}

/* Behind ~ at the start of the word each alternative may be a user's name. */
static struct word *parse_brace_home(struct parser *p, const struct word *alt)
{
    size_t base = p->stack.n, n = 0;
    struct str text = alt->n && alt->parts[0].kind == PART_LIT ? alt->parts[0].text : STR("");
    while (n < text.n && text.p[n] != '/')
        n++;
    bool tilde = n < text.n || alt->n <= (text.n != 0);
    struct part *t = parse_word_part(p, tilde ? PART_TILDE : PART_LIT);
    if (!t)
        return NULL;
    t->text = tilde ? lex_keep(p, str_sub(text, 0, n)) : STR("~");
    for (int i = tilde && n && n == text.n ? 1 : 0; i < alt->n; i++) {
        t = parse_word_part(p, PART_LIT);
        if (!t)
            return NULL;
        *t = alt->parts[i];
        if (i == 0 && tilde)
            t->text = str_from(t->text, n);
    }
    return parse_brace_word(p, base);
}

/* A short range as a list, because text in front of it joins each number. */
static bool parse_brace_spread(struct parser *p, struct part *t)
{
    uint64_t span = t->u.brace->step > 0 ? (uint64_t)t->u.brace->to - (uint64_t)t->u.brace->from
                                         : (uint64_t)t->u.brace->from - (uint64_t)t->u.brace->to;
    uint64_t step = (uint64_t)(t->u.brace->step < 0 ? -t->u.brace->step : t->u.brace->step);
    uint64_t n = span / step + 1;
    if (n > PARSE_BRACE_SPREAD || t->u.brace->width)
        return false;
    struct word **alts = arena_array(p->arena, struct word *, n);
    if (!alts)
        return lex_nomem(p);
    for (uint64_t i = 0; i < n; i++) {
        int64_t v = t->u.brace->from + (int64_t)i * t->u.brace->step;
        struct str s = t->u.brace->chars ? arena_printf(p->arena, "%c", (int)v)
                                         : arena_printf(p->arena, "%lld", (long long)v);
        alts[i] = parse_word_static(p, s, s, PART_LIT);
        if (!alts[i])
            return false;
    }
    t->u.brace->alts = alts;
    t->u.brace->n = (int)n;
    return true;
}

/* Puts the finished brace part on the stack; what stands right before it may join it. */
static bool parse_brace_place(struct parser *p, struct parse_brace *b, struct part *t, size_t base)
{
    struct part *last =
        p->stack.n > base ? (struct part *)(void *)(p->stack.p + p->stack.n - sizeof *last) : NULL;
    bool name = last && last->kind == PART_PARAM && !last->u.param->braced &&
                last->u.param->what == PARAM_VAR;
    bool home = last && p->stack.n == b->seq->parts + sizeof *last && last->kind == PART_LIT &&
                last->text.n == 1 && *last->text.p == '~';
    if ((name || home) && (t->u.brace->n || parse_brace_spread(p, t))) {
        struct part head = *last;
        p->stack.n -= sizeof *last;
        for (int i = 0; i < t->u.brace->n; i++) {
            struct word *w = name ? parse_brace_extend(p, &head, t->u.brace->alts[i])
                                  : parse_brace_home(p, t->u.brace->alts[i]);
            if (!w)
                return false;
            t->u.brace->alts[i] = w;
        }
    }
    struct part *to = p->fail ? NULL : parse_word_part(p, PART_BRACE);
    if (to)
        *to = *t;
    b->seq->flags |= WORD_BRACE;
    return to != NULL;
}

static bool parse_brace_list(struct parser *p, struct parse_brace *b, int open, size_t base)
{
    struct part t = {.kind = PART_BRACE};
    int close = b->match[open], n = b->parts[open].u.sub.n + 1, k = 0, from = open + 1;
    if (!(t.u.brace = arena_new(p->arena, struct brace)))
        return lex_nomem(p);
    if (n == 1)
        return parse_brace_range(b->parts[open + 1].text, t.u.brace) &&
               parse_brace_place(p, b, &t, base);
    struct word **alts = arena_array(p->arena, struct word *, n);
    if (!alts)
        return lex_nomem(p);
    if (!lex_enter(p))
        return lex_leave(p), false;
    for (int i = from; i <= close; i++) {
        char c = parse_brace_char(&b->parts[i]);
        if (i < close && (c != ',' || b->match[i] != open)) {
            i = c == '{' && b->match[i] >= 0 ? b->match[i] : i;
            continue;
        }
        size_t mark = p->stack.n;
        if (!parse_brace_emit(p, b, from, i) || !(alts[k++] = parse_brace_word(p, mark)))
            return lex_leave(p), false;
        from = i + 1;
    }
    lex_leave(p);
    t.u.brace->alts = alts;
    t.u.brace->n = n;
    return parse_brace_place(p, b, &t, base);
}

/* Text that stands side by side is one part again. */
static bool parse_brace_flush(struct parser *p, struct parse_brace *b, size_t from)
{
    struct parse_seq q = *b->seq;
    q.txt = from;
    return parse_word_flush(p, &q, PART_LIT);
}

static bool parse_brace_emit(struct parser *p, struct parse_brace *b, int lo, int hi)
{
    size_t txt = p->txt.n, base = p->stack.n;
    for (int i = lo; i < hi; i++) {
        const struct part *t = &b->parts[i];
        char c = parse_brace_char(t);
        if (c == '{' && b->match[i] >= 0) {
            if (!parse_brace_flush(p, b, txt) || !parse_brace_list(p, b, i, base))
                return false;
            i = b->match[i];
        } else if (c) {
            buf_putc(&p->txt, c);
        } else if (t->kind == PART_LIT) {
            buf_str(&p->txt, t->text);
        } else {
            struct part *to = parse_brace_flush(p, b, txt) ? parse_word_part(p, 0) : NULL;
            if (!to)
                return false;
            *to = *t;
        }
    }
    return parse_brace_flush(p, b, txt);
}

/* Replaces the parts of q by what they mean. */
bool parse_brace_build(struct parser *p, struct parse_seq *q)
{
    int n = (int)((p->stack.n - q->parts) / sizeof(struct part));
    struct parse_brace b = {.seq = q};
    b.parts = lex_pop(p, &p->stack, q->parts);
    b.match = arena_array(p->arena, int, n);
    int *stack = arena_array(p->arena, int, n);
    if (!b.parts || !b.match || !stack)
        return lex_nomem(p);
    parse_brace_pair(&b, n, stack);
    return parse_brace_emit(p, &b, 0, n);
}

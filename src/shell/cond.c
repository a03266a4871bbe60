/* cond.c -- [[ ]]: conditions, patterns and regular expressions */
#include "shell/expand_impl.h"
#include "shell/arith.h"
#include "text/regex.h"

/* ---- =~ -------------------------------------------------------------------------------------- */

/* The regex of one =~ in the tree: kept as long as its text stays the same. */
struct cond_regex {
    struct heap *heap;
    struct regex *re;
    char *text;
    size_t n;
    unsigned flags;
};

static void cond_regex_drop(struct cond_regex *c)
{
    regex_free(c->re);
    if (c->text)
        heap_free(c->heap, c->text, c->n + 1);
    c->re = NULL;
    c->text = NULL;
    c->n = 0;
}

static void cond_regex_free(void *p) { cond_regex_drop(p); }

static struct cond_regex *cond_regex_slot(struct shell *sh, struct cond *c)
{
    struct cond_regex *r = c->cache;
    struct arena *a = sh->program ? &sh->program->arena : &sh->arena;
    if (r)
        return r;
    r = arena_new(a, struct cond_regex);
    if (!r || arena_on_release(a, cond_regex_free, r) < 0)
        return NULL;
    r->heap = sh->heap;
    if (sh->program)
        c->cache = r;
    return r;
}

static int cond_tick(void *ud, uint64_t steps) { return proc_tick(ud, (int64_t)(steps >> 10) + 1); }

/* The compiled regex for the text. HOB_ESYNTAX: it is none. */
static int cond_regex_get(struct shell *sh, struct cond *c, struct str text, struct regex **out)
{
    unsigned flags = REGEX_ERE | (SH_SHOPT(sh, SHOPT_NOCASEMATCH) ? REGEX_ICASE : 0);
    struct cond_regex *r = cond_regex_slot(sh, c);
    if (!r)
        return HOB_ENOMEM;
    if (r->re && r->flags == flags && str_eq(str_of(r->text, r->n), text)) {
        *out = r->re;
        return 0;
    }
    struct hob_error err;
    cond_regex_drop(r);
    int e = regex_compile(sh->heap, text, flags, &r->re, &err);
    if (e < 0)
        return e;
    regex_set_tick(r->re, cond_tick, sh->proc);
    r->text = heap_alloc(sh->heap, text.n + 1);
    if (!r->text) {
        regex_free(r->re);
        r->re = NULL;
        return HOB_ENOMEM;
    }
    if (text.n)
        memcpy(r->text, text.p, text.n);
    r->n = text.n;
    r->flags = flags;
    *out = r->re;
    return 0;
}

/* BASH_REMATCH: the match and its groups; unset where there is none. */
static int cond_rematch(struct shell *sh, struct str text, const struct regex_match *m, size_t n)
{
    struct sym *s = sym_of(SYM_BASH_REMATCH);
    int r = var_make_array(sh, s, false, true);
    for (size_t i = 0; r >= 0 && i < n; i++) {
        struct str part = STR("");
        if (m[i].start >= 0)
            part = str_sub(text, (size_t)m[i].start, (size_t)(m[i].end - m[i].start));
        r = var_set_index(sh, s, (int64_t)i, part, VAR_NOREF | VAR_FORCE);
    }
    return r;
}

static int cond_match(struct shell *sh, struct cond *c, struct str text, struct str pattern)
{
    struct regex *re;
    struct regex_match few[10], *m = few;
    int r = cond_regex_get(sh, c, pattern, &re);
    if (r == HOB_ESYNTAX || r == HOB_ELIMIT)
        return 2;
    if (r < 0)
        return r;
    size_t n = regex_groups(re) + 1;
    if (n > COUNT(few) && !(m = arena_array(&sh->arena, struct regex_match, n)))
        return HOB_ENOMEM;
    r = regex_exec(re, text, 0, 0, m, n);
    if (r < 0)
        return r;
    int e = cond_rematch(sh, text, m, r ? n : 0);
    return e < 0 ? e : !r;
}

/* ---- tracing --------------------------------------------------------------------------------- */

/* `inverted`: a ! stands right before the primary. */
static void cond_trace(struct shell *sh, struct cond *c, bool inverted, struct str a, struct str b)
{
    struct buf t;
    buf_init(&t, sh->heap);
    const char *head = inverted ? "[[ ! " : "[[ ";
    if (c->op == COND_UNARY) {
        buf_printf(&t, "%s%.*s ", head, STR_ARG(c->name));
        buf_str(&t, a.n ? a : STR("''"));
    } else if (c->op == COND_BINARY) {
        buf_addz(&t, head);
        buf_str(&t, a.n ? a : STR("''"));
        buf_printf(&t, " %.*s ", STR_ARG(c->name));
        if (b.n)
            buf_str(&t, b);
        else
            buf_addz(&t, "''");
    } else {
        buf_printf(&t, "%s-n ", head);
        buf_str(&t, a.n ? a : STR("''"));
    }
    buf_addz(&t, " ]]");
    trace_text(sh, buf_get(&t));
    buf_fini(&t);
}

/* As `set -x` shows a word. */
void expand_quote_trace(struct buf *b, struct str s)
{
    if (s.n == 0)
        buf_addz(b, "''");
    else
        expand_quote_maybe(b, s);
}

/* ---- primaries ------------------------------------------------------------------------------- */

static int cond_unary(struct shell *sh, struct cond *c, bool inverted)
{
    struct str a;
    int r = expand_word(sh, c->a, EXPAND_BLANKS, &a);
    if (r < 0)
        return r;
    if (SH_OPT(sh, OPT_XTRACE))
        cond_trace(sh, c, inverted, a, STR_NONE);
    bool quoted = c->a->flags & WORD_STATIC && c->a->flags & WORD_QUOTED;
    r = test_unary(sh, c->name.p[1] != 'v' ? c->name.p[1] : quoted ? 'W' : 'V', a);
    return r < 0 ? 1 : !r;
}

/* The numbers of -eq and the like are expressions. */
static int cond_numbers(struct shell *sh, struct cond *c, struct str a, struct str b)
{
    int64_t x = 0, y = 0;
    const char *name = sh->arith_name;
    sh->arith_name = "[[";
    int r = arith_string(sh, a, &x);
    if (r >= 0)
        r = arith_string(sh, b, &y);
    sh->arith_name = name;
    if (r < 0)
        return 1;
    switch (c->name.p[1] << 8 | c->name.p[2]) {
    case 'e' << 8 | 'q': return x != y;
    case 'n' << 8 | 'e': return x == y;
    case 'l' << 8 | 't': return x >= y;
    case 'l' << 8 | 'e': return x > y;
    case 'g' << 8 | 't': return x <= y;
    default: return x < y;
    }
}

static bool cond_is_pattern(struct str op)
{
    return (op.n == 1 && *op.p == '=') || (op.n == 2 && op.p[1] == '=');
}

/* Extended patterns count here whatever the option says. */
static int cond_pattern(struct shell *sh, struct cond *c, struct str text, bool *match)
{
    bool nocase = SH_SHOPT(sh, SHOPT_NOCASEMATCH);
    int err = 0;
    if ((c->b->flags & WORD_STATIC) && !nocase && !memchr(c->b->lit.p, '\\', c->b->lit.n)) {
        *match = str_eq(c->b->lit, text);
        return 0;
    }
    struct glob_prog *g =
        expand_pattern(sh, c->b, &c->cache, GLOB_EXT | (nocase ? GLOB_NOCASE : 0), &err);
    *match = g && glob_match(g, text);
    return err;
}

static int cond_binary(struct shell *sh, struct cond *c, bool inverted)
{
    struct str a, b = STR_NONE, op = c->name;
    bool trace = SH_OPT(sh, OPT_XTRACE), match;
    int r = trace || !cond_is_pattern(op) ? expand_word(sh, c->a, EXPAND_BLANKS, &a)
                                          : expand_word_borrow(sh, c->a, EXPAND_BLANKS, &a);
    if (r < 0)
        return r;
    if (cond_is_pattern(op)) {
        if (trace && expand_word(sh, c->b, EXPAND_PATTERN | EXPAND_ESCAPE_ALL, &b) >= 0)
            cond_trace(sh, c, inverted, a, b);
        if (!(c->b->flags & WORD_STATIC) && !expand_constant(c->b)) {
            a = arena_str(&sh->arena, a);
            if (!a.p)
                return HOB_ENOMEM;
        }
        r = cond_pattern(sh, c, a, &match);
        return r < 0 ? r : match != (*op.p == '=');
    }
    bool regex = op.n == 2 && op.p[1] == '~';
    /* With compat31 what is quoted in a regular expression keeps its meaning. */
    bool quoted = regex && !SH_SHOPT(sh, SHOPT_COMPAT31);
    r = expand_word(sh, c->b, EXPAND_BLANKS | (quoted ? EXPAND_REGEX : 0), &b);
    if (r < 0)
        return r;
    if (trace)
        cond_trace(sh, c, inverted, a, b);
    if (regex)
        return cond_match(sh, c, a, b);
    if (op.n == 1)
        return *op.p == '<' ? str_cmp(a, b) >= 0 : str_cmp(a, b) <= 0;
    if (op.p[2] == 'f' || str_eqz(op, "-nt") || str_eqz(op, "-ot"))
        return !test_binary(sh, a, op, b);
    return cond_numbers(sh, c, a, b);
}

static int cond_word(struct shell *sh, struct cond *c, bool inverted)
{
    struct str a;
    int r = expand_word_borrow(sh, c->a, EXPAND_BLANKS, &a);
    if (r < 0)
        return r;
    if (SH_OPT(sh, OPT_XTRACE))
        cond_trace(sh, c, inverted, a, STR_NONE);
    return a.n == 0;
}

static int cond_eval(struct shell *sh, struct cond *c);

static int cond_primary(struct shell *sh, struct cond *c, bool inverted)
{
    switch (c->op) {
    case COND_UNARY: return cond_unary(sh, c, inverted);
    case COND_BINARY: return cond_binary(sh, c, inverted);
    case COND_WORD: return cond_word(sh, c, inverted);
    default: return cond_eval(sh, c);
    }
}

static int cond_not(struct shell *sh, struct cond *c)
{
    bool inverted = true;
    for (c = c->left; c->op == COND_NOT; c = c->left)
        inverted = !inverted;
    int r = cond_primary(sh, c, inverted);
    return r < 0 || r == 2 || !inverted ? r : !r;
}

/* 0 true, 1 false, 2 wrong; negative: an expansion failed. */
static int cond_eval(struct shell *sh, struct cond *c)
{
    int r;
    if (task_stack_low(sh->proc->task))
        return expand_abort(sh);
    switch (c->op) {
    case COND_AND: r = cond_eval(sh, c->left); return r == 0 ? cond_eval(sh, c->right) : r;
    case COND_OR: r = cond_eval(sh, c->left); return r > 0 ? cond_eval(sh, c->right) : r;
    case COND_NOT: return cond_not(sh, c);
    case COND_PAREN: return cond_eval(sh, c->left);
    default: return cond_primary(sh, c, false);
    }
}

int expand_cond(struct shell *sh, struct cond *c, int *result)
{
    int r = cond_eval(sh, c);
    *result = r < 0 ? 1 : r;
    return r < 0 ? r : 0;
}

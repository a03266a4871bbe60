/* arith.c -- evaluation of arithmetic on 64-bit integers that wrap around */
#include "shell/arith.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "shell/expand_impl.h"

enum {
    ARITH_DEPTH = 1024,
    ARITH_PARAMS = 8
};

/* One evaluation: `err` ends it. */
struct arith_run {
    struct shell *sh;
    const struct arith *prog;
    struct word *word; /* what prog->text stands for when it has parameters; else NULL */
    int err;
    bool miss; /* a parameter is not a plain number: nothing was done, expand and retry */
    int64_t params[ARITH_PARAMS]; /* their values, taken before the expression */
};

/* ---- errors ---------------------------------------------------------------------------------- */

static int arith_report(struct shell *sh, struct str text, size_t at, const char *message)
{
    struct str shown = text;
    while (shown.n && (*shown.p == ' ' || *shown.p == '\t'))
        shown = str_from(shown, 1);
    const char *name = sh->arith_name                     ? sh->arith_name
                       : sh->builtin && sh->builtin->name ? sh->builtin->name
                                                          : NULL;
    shell_error(sh, "%s%s%.*s: %s (error token is \"%.*s\")", name ? name : "", name ? ": " : "",
                STR_ARG(shown), message, STR_ARG(str_from(text, at)));
    return HOB_EINVAL;
}

/* An error at offset `at` of the compiled text: parameters in it are shown by their values. */
static int64_t arith_error(struct arith_run *e, uint32_t at, const char *message)
{
    struct str text = e->prog->text;
    size_t off = at;
    if (e->word && e->prog->nparams) {
        int k = 0;
        size_t grown = 0;
        for (size_t i = 0; i < text.n && i < at && k < e->prog->nparams; i++) {
            struct expand_value v;
            if (text.p[i] != ARITH_MARK)
                continue;
            if (expand_param_value(e->sh, e->prog->params[k++], &v, true) >= 0 && v.set)
                grown += v.s.n - 1;
        }
        off += grown;
        expand_word(e->sh, e->word, 0, &text);
    }
    e->err = arith_report(e->sh, text, MIN(off, text.n), message);
    return 0;
}

/* ---- variables ------------------------------------------------------------------------------- */

static int64_t arith_unbound(struct arith_run *e, struct str name)
{
    shell_error(e->sh, "%.*s: unbound variable", STR_ARG(name));
    expand_fatal(e->sh);
    e->err = HOB_EINVAL;
    return 0;
}

/* Whether an = stands at the front. */
static bool arith_assigns(struct str rest)
{
    rest = str_trim(rest);
    return rest.n && rest.p[0] == '=' && !(rest.n > 1 && rest.p[1] == '=');
}

/* Where a name stands in the expression, other than to be assigned to. */
static size_t arith_find(struct str text, struct str name)
{
    for (size_t i = 0; i + name.n <= text.n; i++)
        if (memcmp(text.p + i, name.p, name.n) == 0 && (i == 0 || !ascii_alnum(text.p[i - 1])) &&
            !arith_assigns(str_from(text, i + name.n)))
            return i;
    return 0;
}

static void arith_too_deep(struct arith_run *e, struct str name)
{
    e->err = arith_report(e->sh, e->prog->text, arith_find(e->prog->text, name),
                          "expression recursion level exceeded");
}

/* The value of a text that the variable of this name holds. */
static int64_t arith_text_value(struct arith_run *e, struct str text, struct str name)
{
    int64_t v = 0;
    if (arith_constant(text, &v))
        return v;
    if (e->sh->arith_depth >= ARITH_DEPTH - 1) {
        arith_too_deep(e, name);
        return 0;
    }
    int r = arith_value(e->sh, text, &v);
    if (r < 0)
        e->err = r;
    return v;
}

static int64_t arith_get_slow(struct arith_run *e, struct sym *s)
{
    struct shell *sh = e->sh;
    struct var *v = var_slot(sh, s);
    int64_t n;
    struct str text;
    if (v && (v->flags & VAR_DYNAMIC) && var_dynamic_int(sh, s, &n))
        return n;
    if (!var_str(sh, s, &text)) {
        if (SH_OPT(sh, OPT_NOUNSET))
            return arith_unbound(e, s->name);
        return 0;
    }
    if (arith_constant(text, &n)) {
        if (!(v->flags & (VAR_ODD | VAR_STATIC))) {
            v->num = n;
            v->num_ok = true;
        }
        return n;
    }
    return arith_text_value(e, text, s->name);
}

static inline int64_t arith_get(struct arith_run *e, struct sym *s)
{
    struct var *v = var_slot(e->sh, s);
    if (LIKELY(v && v->num_ok && !(v->flags & VAR_ODD)))
        return v->num;
    return arith_get_slow(e, s);
}

static int64_t arith_eval_node(struct arith_run *e, const struct arith_node *n);

/* What an element refers to: a key of an associative array, or an index. */
struct arith_place {
    struct sym *sym;
    struct var *var;
    struct str key; /* of an associative array */
    int64_t index;
    bool assoc;
};

static bool arith_locate(struct arith_run *e, const struct arith_node *n, struct arith_place *p)
{
    struct shell *sh = e->sh;
    struct str ref, text = n->u.var.text;
    p->sym = n->u.var.sym;
    p->var = var_get(sh, &p->sym, &ref);
    p->assoc = p->var && (p->var->flags & VAR_ASSOC);
    if (p->assoc) {
        bool expand = !n->u.var.index && text.n &&
                      (memchr(text.p, '$', text.n) || memchr(text.p, '`', text.n) ||
                       memchr(text.p, '"', text.n) || memchr(text.p, '\'', text.n) ||
                       memchr(text.p, '\\', text.n));
        p->key = text;
        if (expand && (e->err = expand_subscript(sh, text, &p->key)) < 0)
            return false;
        return true;
    }
    if (text.n == 0) {
        for (int i = 0; i < 2; i++) /* bash looks twice */
            shell_error(sh, "%.*s[]: bad array subscript", STR_ARG(n->u.var.sym->name));
        p->index = -1;
        p->var = NULL;
        return true;
    }
    /* A subscript is a text of its own in messages, without the name of the command, and counts as
     * one more level. */
    if (UNLIKELY(sh->arith_depth >= ARITH_DEPTH - 1)) {
        arith_too_deep(e, n->u.var.sym->name);
        return false;
    }
    sh->arith_depth++;
    const char *name = sh->arith_name;
    const struct builtin *builtin = sh->builtin;
    sh->arith_name = NULL;
    sh->builtin = NULL;
    if (n->u.var.index) {
        struct arith in = {.text = text, .powers = e->prog->powers};
        const struct arith *outer = e->prog;
        e->prog = &in;
        p->index = arith_eval_node(e, n->u.var.index);
        e->prog = outer;
    } else {
        bool literal = memchr(text.p, '\'', text.n) || memchr(text.p, '\\', text.n);
        e->err = literal ? expand_text(sh, text, &text) : expand_subscript(sh, text, &text);
        if (e->err >= 0)
            e->err = arith_string(sh, text, &p->index);
    }
    sh->arith_depth--;
    sh->arith_name = name;
    sh->builtin = (struct builtin *)builtin;
    if (e->err < 0 && e->err != HOB_ENOMEM && e->err != HOB_EAGAIN)
        arith_abort(sh);
    return e->err >= 0;
}

/* The value of an element whose place is known. */
static int64_t arith_fetch(struct arith_run *e, const struct arith_node *n,
                           const struct arith_place *p)
{
    struct str text;
    bool set = false;
    if (p->assoc) {
        set = assoc_get(p->var->u.assoc, p->key, &text);
    } else if (p->var || n->u.var.text.n) {
        const struct array *a = p->var && p->var->flags & VAR_ARRAY ? p->var->u.array : NULL;
        int64_t i = p->index;
        if (i < 0) {
            i = a ? array_back(a, i) : i + (p->var && !(p->var->flags & VAR_UNSET));
            if (i < 0)
                shell_error(e->sh, "%.*s: bad array subscript", STR_ARG(n->u.var.sym->name));
        }
        set = a ? array_get(a, i, &text) : i == 0 && p->var && var_str(e->sh, p->sym, &text);
    }
    if (set)
        return arith_text_value(e, text, n->u.var.sym->name);
    return 0;
}

/* Under set -u the array must be there, before its subscript is looked at; an element need not. */
static bool arith_bound(struct arith_run *e, const struct arith_node *n)
{
    struct sym *s = n->u.var.sym;
    struct str index;
    if (LIKELY(!SH_OPT(e->sh, OPT_NOUNSET)))
        return true;
    struct var *v = var_get(e->sh, &s, &index);
    if (v && !(v->flags & VAR_UNSET))
        return true;
    arith_unbound(e, n->u.var.sym->name);
    return false;
}

static int64_t arith_elem(struct arith_run *e, const struct arith_node *n)
{
    struct arith_place p;
    return arith_bound(e, n) && arith_locate(e, n, &p) ? arith_fetch(e, n, &p) : 0;
}

/* A negative index: one before the first element is told, and the value is lost. */
static int arith_store_back(struct shell *sh, const struct arith_node *n,
                            const struct arith_place *p, struct str s)
{
    const struct array *a = p->var && (p->var->flags & VAR_ARRAY) ? p->var->u.array : NULL;
    bool scalar = p->var && !(p->var->flags & VAR_UNSET);
    int64_t i = a ? array_back(a, p->index) : p->index + scalar;
    if (i >= 0)
        return var_set_index(sh, p->sym, i, s, 0);
    shell_error(sh, "%.*s[%.*s]: bad array subscript", STR_ARG(n->u.var.sym->name),
                STR_ARG(n->u.var.text));
    return 0;
}

/* Assigns to a variable, or to the element at p; NULL: its subscript is looked at now. */
static void arith_store(struct arith_run *e, const struct arith_node *n, struct arith_place *p,
                        int64_t v)
{
    struct arith_place here;
    int r;
    if (n->op == ARITH_VAR) {
        r = var_set_int(e->sh, n->u.var.sym, v);
    } else {
        char text[24];
        struct str s = str_of(text, fmt_int(text, v));
        if (!p && !arith_locate(e, n, p = &here))
            return;
        p->var = var_slot(e->sh, p->sym);
        if (p->assoc)
            r = var_set_elem(e->sh, p->sym, p->key, s, 0);
        else if (p->index < 0 && n->u.var.text.n)
            r = arith_store_back(e->sh, n, p, s);
        else
            r = p->index < 0 ? HOB_EINVAL : var_set_index(e->sh, p->sym, p->index, s, 0);
    }
    if (r < 0)
        e->err = r;
}

/* $x inside the expression: fits only as a plain number, since it is text that is inserted. */
static int64_t arith_param(struct arith_run *e, struct param *p)
{
    struct expand_value v;
    int64_t n = 0;
    if (p->what == PARAM_VAR && p->sym) {
        struct var *var = var_slot(e->sh, p->sym);
        if (var && var->num_only && !(var->flags & VAR_ODD))
            return var->num;
    }
    e->err = expand_param_value(e->sh, p, &v, false);
    if (e->err < 0)
        return 0;
    e->err = 0;
    bool plain = v.set && !v.list && v.s.n && v.s.n < 19;
    for (size_t i = plain && v.s.p[0] == '-' && v.s.n > 1; plain && i < v.s.n; i++) {
        plain = ascii_digit(v.s.p[i]);
        n = n * 10 + (v.s.p[i] - '0');
    }
    if (!plain || (v.s.n > 1 && v.s.p[v.s.p[0] == '-'] == '0')) {
        e->miss = true;
        e->err = HOB_EAGAIN;
        return 0;
    }
    return v.s.p[0] == '-' ? -n : n;
}

/* ---- operators ------------------------------------------------------------------------------- */

static int64_t arith_pow(int64_t base, int64_t n)
{
    uint64_t r = 1, b = (uint64_t)base;
    for (; n > 0; n >>= 1, b *= b)
        if (n & 1)
            r *= b;
    return (int64_t)r;
}

static int64_t arith_binary_op(struct arith_run *e, const struct arith_node *n, int op, int64_t a,
                               int64_t b)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (op) {
    case ARITH_MUL: return (int64_t)(x * y);
    case ARITH_ADD: return (int64_t)(x + y);
    case ARITH_SUB: return (int64_t)(x - y);
    case ARITH_DIV:
    case ARITH_MOD:
        if (b == 0)
            return arith_error(e, n->at, "division by 0");
        if (b == -1)
            return op == ARITH_DIV ? (int64_t)(0 - x) : 0;
        return op == ARITH_DIV ? a / b : a % b;
    case ARITH_SHL: return (int64_t)(x << (y & 63));
    case ARITH_SHR: return a < 0 ? ~(int64_t)(~x >> (y & 63)) : (int64_t)(x >> (y & 63));
    case ARITH_LT: return a < b;
    case ARITH_LE: return a <= b;
    case ARITH_GT: return a > b;
    case ARITH_GE: return a >= b;
    case ARITH_EQ: return a == b;
    case ARITH_NE: return a != b;
    case ARITH_AND: return a & b;
    case ARITH_XOR: return a ^ b;
    case ARITH_OR: return a | b;
    case ARITH_POW:
        if (b < 0)
            return arith_error(e, n->at, "exponent less than 0");
        return arith_pow(a, b);
    default: return 0;
    }
}

/* What t is now; the place of an element is kept for the assignment that follows. */
static int64_t arith_old(struct arith_run *e, const struct arith_node *t, struct arith_place *p)
{
    if (t->op == ARITH_VAR)
        return arith_get(e, t->u.var.sym);
    return arith_bound(e, t) && arith_locate(e, t, p) ? arith_fetch(e, t, p) : 0;
}

static int64_t arith_step(struct arith_run *e, const struct arith_node *n)
{
    const struct arith_node *t = n->u.sub.a;
    struct arith_place p;
    int64_t old = arith_old(e, t, &p);
    bool up = n->op == ARITH_PREINC || n->op == ARITH_POSTINC;
    int64_t v = (int64_t)((uint64_t)old + (up ? 1 : UINT64_MAX));
    if (e->err)
        return 0;
    arith_store(e, t, &p, v);
    return n->op == ARITH_PREINC || n->op == ARITH_PREDEC ? v : old;
}

static int64_t arith_assign_op(struct arith_run *e, const struct arith_node *n)
{
    const struct arith_node *t = n->u.sub.a;
    struct arith_place p;
    int64_t v = n->sub ? arith_old(e, t, &p) : 0;
    if (e->err)
        return 0;
    int64_t b = arith_eval_node(e, n->u.sub.b);
    if (e->err)
        return 0;
    v = n->sub ? arith_binary_op(e, n, n->sub, v, b) : b;
    if (!e->err)
        arith_store(e, t, n->sub ? &p : NULL, v);
    return v;
}

/* What && || ?: leave out is computed by bash, too, with 0 for each variable; all that can go wrong
 * in it is a negative exponent. Called only where there is a ** in the expression. */
static int64_t arith_skip(struct arith_run *e, const struct arith_node *n)
{
    int64_t a, b, c;
    switch (n->op) {
    case ARITH_NUM: return n->u.num;
    case ARITH_PARAM: return e->params[n->u.num];
    case ARITH_VAR:
    case ARITH_ELEM:
    case ARITH_PREINC:
    case ARITH_PREDEC:
    case ARITH_POSTINC:
    case ARITH_POSTDEC: return 0;
    case ARITH_NEG: return (int64_t)(0 - (uint64_t)arith_skip(e, n->u.sub.a));
    case ARITH_PLUS: return arith_skip(e, n->u.sub.a);
    case ARITH_NOT: return !arith_skip(e, n->u.sub.a);
    case ARITH_BITNOT: return ~arith_skip(e, n->u.sub.a);
    case ARITH_ASSIGN: return arith_skip(e, n->u.sub.b);
    case ARITH_COND:
        a = arith_skip(e, n->u.sub.a);
        b = arith_skip(e, n->u.sub.b);
        c = arith_skip(e, n->u.sub.c);
        return a ? b : c;
    default: break;
    }
    a = arith_skip(e, n->u.sub.a);
    b = e->err ? 0 : arith_skip(e, n->u.sub.b);
    switch (e->err ? ARITH_NUM : n->op) {
    case ARITH_LAND: return a && b;
    case ARITH_LOR: return a || b;
    case ARITH_COMMA: return b;
    case ARITH_DIV:
    case ARITH_MOD: return b ? arith_binary_op(e, n, n->op, a, b) : 0;
    case ARITH_NUM: return 0;
    default: return arith_binary_op(e, n, n->op, a, b);
    }
}

static int64_t arith_eval_node(struct arith_run *e, const struct arith_node *n)
{
    int64_t a;
    switch (n->op) {
    case ARITH_NUM: return n->u.num;
    case ARITH_VAR: return arith_get(e, n->u.var.sym);
    case ARITH_ELEM: return arith_elem(e, n);
    case ARITH_PARAM: return e->params[n->u.num];
    case ARITH_NEG: return (int64_t)(0 - (uint64_t)arith_eval_node(e, n->u.sub.a));
    case ARITH_PLUS: return arith_eval_node(e, n->u.sub.a);
    case ARITH_NOT: return !arith_eval_node(e, n->u.sub.a);
    case ARITH_BITNOT: return ~arith_eval_node(e, n->u.sub.a);
    case ARITH_PREINC:
    case ARITH_PREDEC:
    case ARITH_POSTINC:
    case ARITH_POSTDEC: return arith_step(e, n);
    case ARITH_LAND:
        a = arith_eval_node(e, n->u.sub.a);
        if (UNLIKELY(!a && e->prog->powers))
            arith_skip(e, n->u.sub.b);
        return !e->err && a && arith_eval_node(e, n->u.sub.b);
    case ARITH_LOR:
        a = arith_eval_node(e, n->u.sub.a);
        if (UNLIKELY(a && e->prog->powers))
            arith_skip(e, n->u.sub.b);
        return !e->err && (a || arith_eval_node(e, n->u.sub.b));
    case ARITH_COND:
        a = arith_eval_node(e, n->u.sub.a);
        if (UNLIKELY(e->prog->powers) && !e->err)
            arith_skip(e, a ? n->u.sub.c : n->u.sub.b);
        return e->err ? 0 : arith_eval_node(e, a ? n->u.sub.b : n->u.sub.c);
    case ARITH_ASSIGN: return arith_assign_op(e, n);
    case ARITH_COMMA:
        arith_eval_node(e, n->u.sub.a);
        return e->err ? 0 : arith_eval_node(e, n->u.sub.b);
    default:
        a = arith_eval_node(e, n->u.sub.a);
        if (e->err)
            return 0;
        int64_t b = arith_eval_node(e, n->u.sub.b);
        return e->err ? 0 : arith_binary_op(e, n, n->op, a, b);
    }
}

/* ---- programs -------------------------------------------------------------------------------- */

static int arith_compile(struct shell *sh, struct arena *arena, struct arith *prog)
{
    struct arith_parse a = {.sh = sh, .arena = arena, .text = prog->text, .nparams = prog->nparams};
    int r = arith_parse(&a, &prog->root);
    prog->powers = a.powers;
    if (r == HOB_ESYNTAX && a.before) {
        struct arith_run e = {.sh = sh, .prog = prog};
        arith_eval_node(&e, a.before);
        if (e.err)
            return e.err;
    }
    if (r == HOB_ESYNTAX) {
        struct str text = str_of(prog->text.p, (size_t)(a.end - prog->text.p));
        arith_report(sh, text, (size_t)(a.last - prog->text.p), a.error);
    }
    return r;
}

/* Text that is used once. */
static int arith_run_text(struct shell *sh, struct str text, int64_t *out)
{
    struct arena_mark m = arena_mark(&sh->arena);
    struct arith prog = {.text = text};
    int r = arith_compile(sh, &sh->arena, &prog);
    *out = 0;
    if (r >= 0 && prog.root) {
        struct arith_run e;
        e.sh = sh;
        e.prog = &prog;
        e.word = NULL;
        e.err = 0;
        e.miss = false;
        *out = arith_eval_node(&e, prog.root);
        r = e.err;
    }
    arena_release(&sh->arena, m);
    return r < 0 ? r : 0;
}

int arith_value(struct shell *sh, struct str text, int64_t *out)
{
    /* The text may lie in a variable that the expression itself changes. */
    struct arena_mark m = arena_mark(&sh->arena);
    int r;
    if (sh->arith_depth >= ARITH_DEPTH || task_stack_low(sh->proc->task)) {
        r = arith_report(sh, text, 0, "expression recursion level exceeded");
    } else {
        sh->arith_depth++;
        text = arena_str(&sh->arena, text);
        r = text.p ? arith_run_text(sh, text, out) : HOB_ENOMEM;
        sh->arith_depth--;
    }
    arena_release(&sh->arena, m);
    return r;
}

int arith_string(struct shell *sh, struct str text, int64_t *out)
{
    if (arith_constant(text, out))
        return 0;
    sh->arith_depth--; /* the text itself is not inside of anything */
    int r = arith_value(sh, text, out);
    sh->arith_depth++;
    return r;
}

/* Whether the bytes beside a parameter keep it a token of its own. */
static bool arith_fits(struct str text, size_t at)
{
    char before = at ? text.p[at - 1] : ' ', behind = at + 1 < text.n ? text.p[at + 1] : ' ';
    bool glued = ascii_alnum(before) || before == '_' || before == '#' || before == '-' ||
                 before == '[' || before == ARITH_MARK || (unsigned char)before >= 0x80;
    return !glued && !ascii_alnum(behind) && behind != '_' && behind != '#' && behind != '[' &&
           behind != ']' && behind != ARITH_MARK;
}

/* The text of the word with a mark for each plain $x. False: it has other expansions. */
static bool arith_template(const struct part *p, int n, struct buf *b, struct param **params,
                           int *np)
{
    for (int i = 0; i < n; i++, p++) {
        if (p->kind == PART_LIT || p->kind == PART_QUOTED) {
            if (memchr(p->text.p, ARITH_MARK, p->text.n))
                return false;
            buf_str(b, p->text);
        } else if (p->kind == PART_DQUOTE) {
            if (!arith_template(p->u.sub.p, p->u.sub.n, b, params, np))
                return false;
        } else if (p->kind == PART_PARAM) {
            const struct param *v = p->u.param;
            bool list = v->what == PARAM_SPECIAL && (v->special == '@' || v->special == '*');
            if (v->op != PARAM_PLAIN || v->index_all || v->indirect || list || *np >= ARITH_PARAMS)
                return false;
            params[(*np)++] = p->u.param;
            buf_putc(b, ARITH_MARK);
        } else {
            return false;
        }
    }
    return true;
}

/* Compiles the word for good where that is possible; NULL when out of memory. */
static struct arith *arith_prepare(struct shell *sh, struct word *w)
{
    struct param *params[ARITH_PARAMS];
    struct buf b;
    struct arena *arena = &sh->program->arena;
    struct arith *prog = arena_new(arena, struct arith);
    if (!prog)
        return NULL;
    buf_init(&b, sh->heap);
    prog->dynamic = true;
    if (arith_template(w->parts, w->n, &b, params, &prog->nparams)) {
        prog->text = arena_str(arena, buf_get(&b));
        prog->dynamic = !prog->text.p;
        int k = 0;
        for (size_t i = 0; i < prog->text.n; i++)
            if (prog->text.p[i] == ARITH_MARK && (k++, !arith_fits(prog->text, i)))
                prog->dynamic = true;
        prog->params = arena_array(arena, struct param *, prog->nparams + 1);
        if (prog->params && prog->nparams)
            memcpy(prog->params, params, (size_t)prog->nparams * sizeof *params);
        prog->dynamic = prog->dynamic || !prog->params;
    }
    buf_fini(&b);
    if (!prog->dynamic) {
        struct arith_parse a = {
            .sh = sh, .arena = arena, .text = prog->text, .nparams = prog->nparams};
        int r = arith_parse(&a, &prog->root);
        prog->powers = a.powers;
        if (r < 0 || a.nextparam != prog->nparams)
            prog->dynamic = true; /* errors are reported by the slow way, each time */
    }
    return sh->heap->oom ? NULL : prog;
}

/* Text being put together from a word, and how deep in subscripts it stands. */
struct arith_text_run {
    struct buf b;
    int depth;
};

static void arith_add_text(struct arith_text_run *x, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char before = x->b.n ? x->b.p[x->b.n - 1] : ' ';
        if (s.p[i] == '[' && (x->depth || ascii_alnum(before) || before == '_'))
            x->depth++;
        else if (s.p[i] == ']' && x->depth)
            x->depth--;
        buf_putc(&x->b, s.p[i]);
    }
}

/* What an expansion brings into a subscript is text and nothing else: a key may hold brackets,
 * quotes or $( ), which mean nothing in it. */
static void arith_add_value(struct arith_text_run *x, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (x->depth && strchr("[]$`\"'\\", s.p[i]) && s.p[i])
            buf_putc(&x->b, '\\');
        buf_putc(&x->b, s.p[i]);
    }
}

static int arith_add_parts(struct shell *sh, struct arith_text_run *x, struct part *p, int n)
{
    int r = 0;
    for (int i = 0; i < n && r >= 0; i++, p++) {
        if (p->kind == PART_LIT || p->kind == PART_QUOTED) {
            arith_add_text(x, p->text);
        } else if (p->kind == PART_DQUOTE) {
            r = arith_add_parts(sh, x, p->u.sub.p, p->u.sub.n);
        } else {
            struct word one = {.parts = p, .n = 1};
            struct str s;
            r = expand_word(sh, &one, 0, &s);
            if (r >= 0)
                arith_add_value(x, s);
        }
    }
    return r;
}

static int arith_slow(struct shell *sh, struct word *w, int64_t *out)
{
    struct arith_text_run x = {.depth = 0};
    struct str text;
    bool elements = false; /* only a subscript needs the careful way */
    for (int i = 0; i + 1 < w->n && !elements; i++)
        elements = (w->parts[i].kind == PART_LIT || w->parts[i].kind == PART_QUOTED) &&
                   memchr(w->parts[i].text.p, '[', w->parts[i].text.n);
    if (!elements) {
        int e = expand_word(sh, w, 0, &text);
        return e < 0 ? e : arith_string(sh, text, out);
    }
    buf_init(&x.b, sh->heap);
    int r = arith_add_parts(sh, &x, w->parts, w->n);
    text = r < 0 ? STR_NONE : arena_str(&sh->arena, buf_get(&x.b));
    buf_fini(&x.b);
    if (r < 0 || !text.p)
        return r < 0 ? r : HOB_ENOMEM;
    return arith_string(sh, text, out);
}

static int arith_run(struct shell *sh, struct arith_text *t, int64_t *out)
{
    *out = 0;
    if (!t->expr)
        return 0;
    if (!t->prog && sh->program && !(t->prog = arith_prepare(sh, t->expr)))
        return HOB_ENOMEM;
    const struct arith *prog = t->prog;
    if (!prog || prog->dynamic)
        return arith_slow(sh, t->expr, out);
    if (!prog->root)
        return 0;
    struct arith_run e;
    e.sh = sh;
    e.prog = prog;
    e.word = t->expr;
    e.err = 0;
    e.miss = false;
    /* Parameters are looked at first: text that is no number must not be met half way. */
    for (int i = 0; i < prog->nparams && !e.err; i++)
        e.params[i] = arith_param(&e, prog->params[i]);
    if (!e.err)
        *out = arith_eval_node(&e, prog->root);
    return e.miss ? arith_slow(sh, t->expr, out) : e.err;
}

int arith_eval(struct shell *sh, struct arith_text *t, int64_t *out)
{
    return arith_eval_named(sh, t, NULL, out);
}

int arith_eval_named(struct shell *sh, struct arith_text *t, const char *what, int64_t *out)
{
    const char *name = sh->arith_name;
    const struct builtin *builtin = sh->builtin;
    sh->arith_name = what;
    sh->builtin = NULL;
    int r = arith_run(sh, t, out);
    sh->arith_name = name;
    sh->builtin = (struct builtin *)builtin;
    if (r < 0 && r != HOB_ENOMEM && SH_OPT(sh, OPT_POSIX) && !sh->interactive &&
        !shell_unwinding(sh)) {
        expand_fatal(sh);
    } else if (r < 0 && r != HOB_ENOMEM && !shell_unwinding(sh)) {
        sh->ctl = CTL_ABORT; /* errexit does not look at this one */
        sh->status = 1;
    }
    return r;
}

int arith_command(struct shell *sh, struct arith_text *t, int64_t *out)
{
    const char *name = sh->arith_name;
    sh->arith_name = "((";
    int r = arith_run(sh, t, out);
    sh->arith_name = name;
    return r;
}

int arith_abort(struct shell *sh)
{
    if (!shell_unwinding(sh) || sh->ctl == CTL_ABORT) {
        sh->ctl = sh->from_c || SH_OPT(sh, OPT_ERREXIT) ? CTL_EXIT : CTL_ABORT;
        sh->status = 1;
    }
    return HOB_EINVAL;
}

/* A subscript of an indexed array is read as between double quotes: ' and \ stay in it. */
static bool arith_quoted(const struct word *w)
{
    return (w->flags & WORD_QUOTED) && !w->nsubs && w->src.n &&
           (memchr(w->src.p, '\'', w->src.n) || memchr(w->src.p, '\\', w->src.n));
}

int arith_subscript(struct shell *sh, struct word *w, void **cache, int64_t *out)
{
    const struct part *p = w->parts;
    if (UNLIKELY(arith_quoted(w))) {
        struct str text;
        int r = expand_text(sh, w->src, &text);
        if (r >= 0)
            r = arith_string(sh, text, out);
        return r < 0 && r != HOB_ENOMEM ? arith_abort(sh) : r;
    }
    if (w->line < 0) { /* not of the tree: nothing may be kept */
        int r = arith_string(sh, w->lit, out);
        return r < 0 && r != HOB_ENOMEM ? arith_abort(sh) : r;
    }
    if (w->n == 1 && p->kind == PART_LIT && arith_constant(p->text, out) && p->text.n)
        return 0;
    if (w->n == 1 && p->kind == PART_PARAM && p->u.param->op == PARAM_PLAIN && p->u.param->sym &&
        p->u.param->what == PARAM_VAR && !p->u.param->index) {
        struct var *v = var_slot(sh, p->u.param->sym);
        if (v && v->num_ok && !(v->flags & VAR_ODD)) {
            *out = v->num;
            return 0;
        }
    }
    struct arith_text t = {w, *cache};
    int r = arith_eval(sh, &t, out);
    if (sh->program)
        *cache = t.prog;
    return r < 0 && r != HOB_ENOMEM ? arith_abort(sh) : r;
}

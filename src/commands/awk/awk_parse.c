/* awk_parse.c -- the expressions of an awk program
 *
 * Precedence, from loose to tight: ?:, ||, &&, in, ~, comparison (which does not associate),
 * concatenation with `cmd | getline`, + -, * / %, unary + - !, ^, ++ --, $, parentheses. An
 * assignment may stand wherever a comparison takes an operand, as in gawk's grammar.
 */
#include "commands/awk/awk_parse.h"

#include <math.h>

#include "base/error.h"

static struct awk_node *awk_expr_unary(struct awk_parser *p);
static struct awk_node *awk_expr_cond(struct awk_parser *p);

/* ---- helpers --------------------------------------------------------------------------------- */

bool awk_fits(struct awk_parser *p)
{
    if (!task_stack_low(p->a->p->task))
        return true;
    if (!p->failed) {
        awk_syntax(p, "expression too deeply nested");
        p->failed = true;
    }
    return false;
}

struct awk_node *awk_node_new(struct awk_parser *p, int type)
{
    struct awk_node *n = arena_new(p->a->p->arena, struct awk_node);
    if (!n) {
        awk_nomem(p->a);
        p->failed = true;
        return NULL;
    }
    n->type = (uint8_t)type;
    n->line = p->at_line;
    return n;
}

static struct awk_node *awk_node_two(struct awk_parser *p, int type, struct awk_node *a,
                                     struct awk_node *b)
{
    struct awk_node *n = a && b ? awk_node_new(p, type) : NULL;
    if (n) {
        n->a = a;
        n->b = b;
    }
    return n;
}

static struct awk_node *awk_node_one(struct awk_parser *p, int type, struct awk_node *a)
{
    struct awk_node *n = a ? awk_node_new(p, type) : NULL;
    if (n)
        n->a = a;
    return n;
}

struct str awk_keep(struct awk_parser *p, struct str s)
{
    struct str copy = arena_str(p->a->p->arena, s);
    if (!copy.p) {
        awk_nomem(p->a);
        p->failed = true;
        return STR("");
    }
    return copy;
}

bool awk_accept(struct awk_parser *p, int tok)
{
    if (p->tok != tok)
        return false;
    awk_next_token(p);
    return true;
}

bool awk_expect(struct awk_parser *p, int tok)
{
    if (awk_accept(p, tok))
        return true;
    bool end = p->tok == AWK_T_END || p->tok == AWK_T_NEWLINE;
    awk_syntax(p, end ? "unexpected newline or end of string" : "syntax error");
    return false;
}

void awk_newlines(struct awk_parser *p)
{
    while (p->tok == AWK_T_NEWLINE)
        awk_next_token(p);
}

static struct awk_node *awk_bad(struct awk_parser *p)
{
    awk_expect(p, -1);
    return NULL;
}

/* The string of a constant, kept with the constants of the program. */
static struct awk_str *awk_parse_string(struct awk_parser *p, struct str s)
{
    struct awk_val v = awk_text_val(awk_str_new(p->a, s.p, s.n));
    if (!vec_push(p->a->heap, &p->a->consts, v)) {
        awk_drop(p->a, &v);
        awk_nomem(p->a);
        p->failed = true;
        return p->a->empty;
    }
    return v.u.s;
}

/* ---- names ----------------------------------------------------------------------------------- */

struct awk_node *awk_variable(struct awk_parser *p, struct str name)
{
    struct awk_node *n;

    for (int i = 0; p->func && i < p->func->nparams; i++) {
        if (!str_eq(p->func->params[i], name))
            continue;
        n = awk_node_new(p, AWK_N_LOCAL);
        if (n)
            n->index = i;
        return n;
    }
    int func = awk_function_named(p->a, name);
    if (func >= 0 && p->a->funcs.p[func].defined)
        awk_mistake(
            p, p->at_line,
            "function `%.*s' called with space between name and `(',\nor used as a variable "
            "or an array",
            STR_ARG(name));
    n = awk_node_new(p, AWK_N_GLOBAL);
    int index = awk_global(p->a, name);
    if (index < 0) {
        p->failed = true;
        return NULL;
    }
    p->a->tables |= index == AWK_V_SYMTAB || index == AWK_V_FUNCTAB;
    if (n)
        n->index = index;
    return n;
}

struct awk_node *awk_expr_list(struct awk_parser *p, int close, uint16_t *count)
{
    struct awk_node *first = NULL, **last = &first;

    *count = 0;
    while (p->tok != close && !p->failed) {
        struct awk_node *e = awk_expr(p);
        if (!e)
            return NULL;
        *last = e;
        last = &e->next;
        if (++*count == UINT16_MAX - 1) {
            awk_syntax(p, "too many arguments");
            return NULL;
        }
        if (p->tok == close)
            break;
        if (!awk_expect(p, AWK_T_CHAR + ','))
            return NULL;
        awk_newlines(p);
        if (p->tok == close)
            return awk_bad(p);
    }
    return first;
}

/* An error that ends everything at once. */
static void awk_fatal_at(struct awk_parser *p, int line, const char *text)
{
    struct buf b;

    if (p->a->err)
        return;
    buf_init(&b, p->a->heap);
    buf_printf(&b, "%.*s: ", STR_ARG(p->a->p->name));
    awk_source_name(&b, p->source->name, line);
    buf_printf(&b, ": fatal: %s\n", text);
    proc_puts(p->a->p, 2, buf_get(&b));
    buf_fini(&b);
    p->a->err = AWK_FATAL + 1;
    p->failed = true;
}

/* [list] behind a name, once or more often. */
struct awk_node *awk_subscripts(struct awk_parser *p, struct awk_node *base)
{
    while (base && p->tok == AWK_T_CHAR + '[') {
        bool gt = p->no_gt, post = p->no_post;
        p->no_gt = p->no_post = false;
        awk_next_token(p);
        if (base->type == AWK_N_INDEX && p->a->traditional) {
            awk_fatal_at(p, p->at_line, "multidimensional arrays are a gawk extension");
            return NULL;
        }
        struct awk_node *n = awk_node_one(p, AWK_N_INDEX, base);
        if (!n)
            return NULL;
        n->b = awk_expr_list(p, AWK_T_CHAR + ']', &n->count);
        p->no_gt = gt;
        p->no_post = post;
        if (!n->b)
            return awk_bad(p);
        if (!awk_expect(p, AWK_T_CHAR + ']'))
            return NULL;
        base = n;
    }
    return base;
}

static bool awk_is_lvalue(const struct awk_node *n)
{
    return n && (n->type == AWK_N_GLOBAL || n->type == AWK_N_LOCAL || n->type == AWK_N_FIELD ||
                 n->type == AWK_N_INDEX);
}

/* ---- calls ----------------------------------------------------------------------------------- */

int awk_function_named(struct awk *a, struct str name)
{
    for (size_t i = 0; i < a->funcs.n; i++) {
        if (str_eq(a->funcs.p[i].name, name))
            return (int)i;
    }
    return -1;
}

static struct awk_node *awk_arguments(struct awk_parser *p, struct awk_node *n)
{
    bool gt = p->no_gt, post = p->no_post;

    if (!n || !awk_expect(p, AWK_T_CHAR + '('))
        return NULL;
    p->no_gt = p->no_post = false;
    n->a = awk_expr_list(p, AWK_T_CHAR + ')', &n->count);
    p->no_gt = gt;
    p->no_post = post;
    if (p->tok != AWK_T_CHAR + ')')
        return awk_bad(p);
    return n;
}

/* A function of the program gets no regular expressions: what it gets is whether $0 matches. */
static void awk_warn_regex(struct awk_parser *p, const struct awk_node *call)
{
    int i = 1;

    for (const struct awk_node *e = call->a; e; e = e->next, i++) {
        if (e->type == AWK_N_REGEX)
            awk_lex_warn(p, "regexp constant for parameter #%d yields boolean value", i);
    }
}

static struct awk_node *awk_call_user(struct awk_parser *p)
{
    struct awk_node *n = awk_node_new(p, AWK_N_CALL);
    int f = awk_function_named(p->a, p->text);

    if (f < 0 && map_get(&p->a->names, p->text))
        awk_mistake(p, p->at_line, "attempt to use non-function `%.*s' in function call",
                    STR_ARG(p->text));

    if (n && f < 0) {
        struct awk_func func = {.name = p->text, .line = p->at_line, .source = p->source->name};
        f = (int)p->a->funcs.n;
        if (!vec_push(p->a->heap, &p->a->funcs, func)) {
            awk_nomem(p->a);
            p->failed = true;
            return NULL;
        }
        if (p->func) /* the list may have moved */
            p->func = &p->a->funcs.p[p->func_index];
    }
    if (n)
        n->index = f;
    awk_next_token(p);
    if (!awk_arguments(p, n))
        return NULL;
    awk_warn_regex(p, n);
    awk_next_token(p);
    return n;
}

static struct awk_node *awk_call_builtin(struct awk_parser *p)
{
    const struct awk_builtin *b = p->builtin;
    struct awk_node *n = awk_node_new(p, AWK_N_BUILTIN);
    bool length = p->tok == AWK_T_LENGTH;

    if (!n)
        return NULL;
    n->op = b->id;
    awk_next_token(p);
    if (length && p->tok != AWK_T_CHAR + '(')
        return n;
    if (!awk_arguments(p, n))
        return NULL;
    if (n->count < b->min || n->count > b->max) {
        awk_syntax(p, "%d is invalid as number of arguments for %s", n->count, b->name);
        return NULL;
    }
    if (str_eqz(str_z(b->name), "index") && n->a->next->type == AWK_N_REGEX) {
        awk_fatal_at(p, n->line, "index: regexp constant as second argument is not allowed");
        return NULL;
    }
    if (p->a->traditional && n->count > 2 && str_eqz(str_z(b->name), "match")) {
        awk_syntax(p, "match: third argument is a gawk extension");
        return NULL;
    }
    const struct awk_node *last = n->a;
    while (last && last->next)
        last = last->next;
    if (n->count == 3 && strchr(b->args, 'l') && !awk_is_lvalue(last) && last->type != AWK_N_STR &&
        last->type != AWK_N_NUM) {
        awk_syntax(p, "%s third parameter is not a changeable object", b->name);
        return NULL;
    }
    awk_next_token(p);
    return n;
}

/* ---- the operands ---------------------------------------------------------------------------- */

static struct awk_node *awk_regex_node(struct awk_parser *p, bool typed)
{
    awk_lex_regex(p);
    if (p->tok != AWK_T_REGEX)
        return NULL;
    struct awk_node *n = awk_node_new(p, typed ? AWK_N_TYPED : AWK_N_REGEX);
    if (n) {
        struct hob_error e;
        const char *odd;
        for (size_t k = awk_re_hexless(p->text); k > 0; k--)
            awk_lex_warn(p, AWK_HEXLESS);
        for (size_t at = 0; (odd = awk_re_odd(p->a, p->text, &at));)
            awk_lex_warn(p, AWK_ODD_ESCAPE(p->text.p[at], odd));
        n->re = awk_re_new(p->a, p->text, &e);
        if (!n->re) {
            if (!p->a->err)
                awk_mistake(p, p->at_line, "%s: /%.*s/", e.msg, STR_ARG(awk_re_shown(p->text)));
            p->failed = true;
            return NULL;
        }
        n->s = n->re->text;
    }
    awk_next_token(p);
    return n;
}

/* @name(...) and @/re/. */
static struct awk_node *awk_at_sign(struct awk_parser *p)
{
    awk_next_token(p);
    if (p->tok == AWK_T_CHAR + '/' || (p->tok == AWK_T_ASSIGN_OP && p->op == '/'))
        return awk_regex_node(p, true);
    if (p->tok != AWK_T_FUNC_NAME)
        return awk_bad(p);
    struct awk_node *n = awk_node_new(p, AWK_N_INDIRECT);
    if (!n)
        return NULL;
    n->b = awk_variable(p, p->text);
    awk_next_token(p);
    if (!n->b || !awk_arguments(p, n))
        return NULL;
    awk_warn_regex(p, n);
    awk_next_token(p);
    return n;
}

/* (expr) or (list): the latter must be followed by `in`, or be all there is behind print. */
static struct awk_node *awk_group(struct awk_parser *p)
{
    bool gt = p->no_gt, post = p->no_post, list = p->at == p->list;

    awk_next_token(p);
    struct awk_node *n = awk_node_new(p, AWK_N_GROUP);
    if (!n)
        return NULL;
    p->no_gt = p->no_post = false;
    n->a = awk_expr_list(p, AWK_T_CHAR + ')', &n->count);
    p->no_gt = gt;
    p->no_post = post;
    if (!n->a)
        return awk_bad(p);
    if (!awk_expect(p, AWK_T_CHAR + ')'))
        return NULL;
    if (n->count > 1 && p->tok != AWK_T_IN && !list)
        return awk_bad(p);
    return n;
}

/* $x: what follows takes no ++ behind it; that belongs to the field. */
static struct awk_node *awk_dollar(struct awk_parser *p)
{
    struct awk_node *of;

    awk_next_token(p);
    if (!awk_fits(p))
        return NULL;
    if (p->tok == AWK_T_INCR || p->tok == AWK_T_DECR) {
        int step = p->tok == AWK_T_INCR ? AWK_PRE_INC : AWK_PRE_DEC;
        awk_next_token(p);
        of = awk_node_one(p, AWK_N_STEP, awk_lvalue_only(p));
        if (of)
            of->op = (uint8_t)step;
    } else if (p->tok == AWK_T_CHAR + '-' || p->tok == AWK_T_CHAR + '+' ||
               p->tok == AWK_T_CHAR + '!') {
        of = awk_expr_unary(p);
    } else if (p->tok == AWK_T_NAME || p->tok == AWK_T_CHAR + '$') {
        of = awk_lvalue_only(p);
    } else {
        bool post = p->no_post;
        p->no_post = true;
        of = awk_expr_unary(p);
        p->no_post = post;
    }
    return awk_node_one(p, AWK_N_FIELD, of);
}

struct awk_node *awk_lvalue_only(struct awk_parser *p)
{
    if (p->tok == AWK_T_CHAR + '$')
        return awk_dollar(p);
    if (p->tok != AWK_T_NAME)
        return awk_bad(p);
    struct awk_node *n = awk_variable(p, p->text);
    awk_next_token(p);
    return awk_subscripts(p, n);
}

/* getline [var] [< file], without a command in front. */
static struct awk_node *awk_getline_node(struct awk_parser *p)
{
    struct awk_node *n = awk_node_new(p, AWK_N_GETLINE);

    awk_next_token(p);
    if (!n)
        return NULL;
    if (p->tok == AWK_T_NAME || p->tok == AWK_T_CHAR + '$') {
        n->a = awk_lvalue_only(p);
        if (!n->a)
            return NULL;
    }
    return n;
}

static struct awk_node *awk_constant(struct awk_parser *p)
{
    bool string = p->tok == AWK_T_STRING;
    struct awk_node *n = awk_node_new(p, string ? AWK_N_STR : AWK_N_NUM);

    if (n && string)
        n->s = awk_parse_string(p, p->text);
    else if (n)
        n->num = p->num;
    awk_next_token(p);
    return n;
}

static struct awk_node *awk_primary(struct awk_parser *p)
{
    struct awk_node *n;

    switch (p->tok) {
    case AWK_T_NUMBER:
    case AWK_T_STRING: return awk_constant(p);
    case AWK_T_CHAR + '/': return awk_regex_node(p, false);
    case AWK_T_ASSIGN_OP: return p->op == '/' ? awk_regex_node(p, false) : awk_bad(p);
    case AWK_T_CHAR + '@': return awk_at_sign(p);
    case AWK_T_FUNC_NAME: return awk_call_user(p);
    case AWK_T_LENGTH:
    case AWK_T_BUILTIN: return awk_call_builtin(p);
    case AWK_T_CHAR + '(': return awk_group(p);
    case AWK_T_GETLINE:
        n = awk_getline_node(p);
        if (n && p->tok == AWK_T_CHAR + '<') {
            awk_next_token(p);
            n->op = AWK_GET_FILE;
            n->b = awk_expr_unary(p);
            if (!n->b)
                return NULL;
        }
        return n;
    case AWK_T_NAME:
    case AWK_T_CHAR + '$': return awk_lvalue_only(p);
    default: return awk_bad(p);
    }
}

/* ---- operators ------------------------------------------------------------------------------- */

static struct awk_node *awk_expr_postfix(struct awk_parser *p)
{
    if (p->tok == AWK_T_INCR || p->tok == AWK_T_DECR) {
        int op = p->tok == AWK_T_INCR ? AWK_PRE_INC : AWK_PRE_DEC;
        awk_next_token(p);
        struct awk_node *n = awk_node_one(p, AWK_N_STEP, awk_lvalue_only(p));
        if (n)
            n->op = (uint8_t)op;
        return n;
    }
    struct awk_node *n = awk_primary(p);
    if (awk_is_lvalue(n) && !p->no_post && (p->tok == AWK_T_INCR || p->tok == AWK_T_DECR)) {
        struct awk_node *step = awk_node_one(p, AWK_N_STEP, n);
        if (step)
            step->op = p->tok == AWK_T_INCR ? AWK_POST_INC : AWK_POST_DEC;
        awk_next_token(p);
        return step;
    }
    return n;
}

static double awk_fold(int op, double x, double y)
{
    switch (op) {
    case '+': return x + y;
    case '-': return x - y;
    case '*': return x * y;
    case '/': return x / y;
    case '%': return fmod(x, y);
    default: return awk_power(x, y);
    }
}

static struct awk_node *awk_arith(struct awk_parser *p, int op, struct awk_node *x,
                                  struct awk_node *y)
{
    if (!x || !y)
        return NULL;
    if (y->type == AWK_N_NUM && y->num == 0 && (op == '/' || op == '%'))
        awk_mistake(p, p->at_line, "division by zero attempted%s", op == '%' ? " in `%'" : "");
    else if (x->type == AWK_N_NUM && y->type == AWK_N_NUM) {
        x->num = awk_fold(op, x->num, y->num);
        return x;
    }
    struct awk_node *n = awk_node_two(p, AWK_N_ARITH, x, y);
    if (n)
        n->op = (uint8_t)op;
    return n;
}

static struct awk_node *awk_expr_pow(struct awk_parser *p)
{
    struct awk_node *n = awk_expr_postfix(p);

    if (!n || p->tok != AWK_T_POW || p->no_post || !awk_fits(p))
        return n;
    awk_next_token(p);
    return awk_arith(p, '^', n, awk_expr_unary(p));
}

static struct awk_node *awk_not(struct awk_parser *p, struct awk_node *n)
{
    if (!n || (n->type != AWK_N_NUM && n->type != AWK_N_STR))
        return awk_node_one(p, AWK_N_NOT, n);
    n->num = n->type == AWK_N_NUM ? n->num == 0 : n->s->n == 0;
    n->type = AWK_N_NUM;
    return n;
}

static struct awk_node *awk_expr_unary(struct awk_parser *p)
{
    int tok = p->tok;

    if (tok != AWK_T_CHAR + '-' && tok != AWK_T_CHAR + '+' && tok != AWK_T_CHAR + '!')
        return awk_expr_pow(p);
    if (!awk_fits(p))
        return NULL;
    awk_next_token(p);
    struct awk_node *n = awk_expr_unary(p);
    if (!n)
        return NULL;
    if (tok == AWK_T_CHAR + '!') {
        if (p->tok == AWK_T_ASSIGN_OP && awk_is_lvalue(n)) {
            int op = p->op;
            awk_next_token(p);
            n = awk_node_two(p, AWK_N_ASSIGN, n, awk_expr(p));
            if (n)
                n->op = (uint8_t)op;
        }
        return awk_not(p, n);
    }
    if (n->type == AWK_N_NUM && tok == AWK_T_CHAR + '-') {
        n->num = -n->num;
        return n;
    }
    return awk_node_one(p, tok == AWK_T_CHAR + '-' ? AWK_N_NEGATE : AWK_N_PLUS, n);
}

static struct awk_node *awk_expr_mul(struct awk_parser *p)
{
    struct awk_node *n = awk_expr_unary(p);

    while (n && (p->tok == AWK_T_CHAR + '*' || p->tok == AWK_T_CHAR + '/' ||
                 p->tok == AWK_T_CHAR + '%')) {
        int op = p->tok - AWK_T_CHAR;
        awk_next_token(p);
        n = awk_arith(p, op, n, awk_expr_unary(p));
    }
    return n;
}

static struct awk_node *awk_expr_add(struct awk_parser *p)
{
    struct awk_node *n = awk_expr_mul(p);

    while (n && (p->tok == AWK_T_CHAR + '+' || p->tok == AWK_T_CHAR + '-')) {
        int op = p->tok - AWK_T_CHAR;
        awk_next_token(p);
        n = awk_arith(p, op, n, awk_expr_mul(p));
    }
    return n;
}

/* Whether the token can begin a further operand of a concatenation. */
static bool awk_starts_operand(const struct awk_parser *p)
{
    switch (p->tok) {
    case AWK_T_NUMBER:
    case AWK_T_STRING:
    case AWK_T_NAME:
    case AWK_T_FUNC_NAME:
    case AWK_T_BUILTIN:
    case AWK_T_LENGTH:
    case AWK_T_INCR:
    case AWK_T_DECR:
    case AWK_T_GETLINE:
    case AWK_T_CHAR + '$':
    case AWK_T_CHAR + '!':
    case AWK_T_CHAR + '(':
    case AWK_T_CHAR + '@':
    case AWK_T_CHAR + '-':
    case AWK_T_CHAR + '+': return true;
    default: return false;
    }
}

/* Whether getline is the next word: then a | belongs to the expression. */
static bool awk_getline_follows(struct awk_parser *p)
{
    const char *s = p->cur;
    while (s < p->end && (*s == ' ' || *s == '\t' || *s == '\n'))
        s++;
    return p->end - s >= 7 && memcmp(s, "getline", 7) == 0;
}

static struct awk_node *awk_pipe_getline(struct awk_parser *p, struct awk_node *cmd)
{
    awk_next_token(p);
    awk_newlines(p);
    struct awk_node *n = awk_getline_node(p);
    if (n) {
        n->op = AWK_GET_PIPE;
        n->b = cmd;
    }
    return n;
}

static struct awk_node *awk_concat(struct awk_parser *p, struct awk_node *x, struct awk_node *y)
{
    if (!x || !y)
        return NULL;
    if (x->type == AWK_N_CONCAT) {
        struct awk_node *last = x->d;
        last->next = y;
        x->d = y;
        x->count++;
        return x;
    }
    struct awk_node *n = awk_node_one(p, AWK_N_CONCAT, x);
    if (n) {
        x->next = y;
        n->d = y; /* the last one, while the list grows */
        n->count = 2;
    }
    return n;
}

struct awk_node *awk_expr_concat(struct awk_parser *p)
{
    if (!awk_fits(p))
        return NULL;
    struct awk_node *n = awk_expr_add(p);

    while (n && !p->failed) {
        if (p->tok == AWK_T_PIPE_AMP) {
            awk_fatal(p->a, "two-way pipes (`|&') are not supported");
            p->failed = true;
            return NULL;
        }
        if (p->tok == AWK_T_CHAR + '|' && !p->no_gt && !awk_getline_follows(p)) {
            awk_next_token(p);
            return awk_bad(p);
        }
        if (p->tok == AWK_T_CHAR + '|' && !p->no_gt) {
            n = awk_pipe_getline(p, n);
            continue;
        }
        if (!awk_starts_operand(p))
            break;
        if (n->type == AWK_N_GROUP && n->count > 1)
            return awk_bad(p);
        if (n->type == AWK_N_CONCAT && n->count == UINT16_MAX - 1) {
            awk_syntax(p, "too many operands");
            return NULL;
        }
        n = awk_concat(p, n, awk_expr_add(p));
    }
    return n;
}

static struct awk_node *awk_expr_assign(struct awk_parser *p)
{
    struct awk_node *n = awk_expr_concat(p);

    if (!n || p->tok != AWK_T_ASSIGN_OP || !awk_is_lvalue(n))
        return n;
    int op = p->op;
    awk_next_token(p);
    n = awk_node_two(p, AWK_N_ASSIGN, n, awk_expr(p));
    if (n)
        n->op = (uint8_t)op;
    return n;
}

static int awk_relation(const struct awk_parser *p)
{
    switch (p->tok) {
    case AWK_T_CHAR + '<': return '<';
    case AWK_T_CHAR + '>': return p->no_gt ? 0 : '>';
    case AWK_T_LE: return 'l';
    case AWK_T_GE: return 'g';
    case AWK_T_EQ: return '=';
    case AWK_T_NE: return '!';
    default: return 0;
    }
}

static struct awk_node *awk_expr_compare(struct awk_parser *p)
{
    struct awk_node *n = awk_expr_assign(p);
    int op = n ? awk_relation(p) : 0;

    if (!op)
        return n;
    awk_next_token(p);
    n = awk_node_two(p, AWK_N_COMPARE, n, awk_expr_assign(p));
    if (n)
        n->op = (uint8_t)op;
    if (n && awk_relation(p))
        return awk_bad(p);
    return n;
}

static struct awk_node *awk_expr_match(struct awk_parser *p)
{
    struct awk_node *n = awk_expr_compare(p);

    while (n && (p->tok == AWK_T_CHAR + '~' || p->tok == AWK_T_NOMATCH)) {
        bool not = p->tok == AWK_T_NOMATCH;
        awk_next_token(p);
        n = awk_node_two(p, AWK_N_MATCH, n, awk_expr_compare(p));
        if (n)
            n->op = not ;
    }
    return n;
}

static struct awk_node *awk_expr_in(struct awk_parser *p)
{
    struct awk_node *n = awk_expr_match(p);

    while (n && p->tok == AWK_T_IN) {
        awk_next_token(p);
        if (p->tok != AWK_T_NAME)
            return awk_bad(p);
        struct awk_node *array = awk_variable(p, p->text);
        awk_next_token(p);
        n = awk_node_two(p, AWK_N_IN, n, awk_subscripts(p, array));
    }
    if (n && n->type == AWK_N_GROUP && n->count > 1 && !p->no_gt)
        return awk_bad(p);
    return n;
}

static struct awk_node *awk_expr_logic(struct awk_parser *p, bool or)
{
    struct awk_node *n = or ? awk_expr_logic(p, false) : awk_expr_in(p);

    while (n && p->tok == (or ? AWK_T_OR : AWK_T_AND)) {
        awk_next_token(p);
        awk_newlines(p);
        n = awk_node_two(p, or ? AWK_N_OR : AWK_N_AND, n,
                         or ? awk_expr_logic(p, false) : awk_expr_in(p));
    }
    return n;
}

static struct awk_node *awk_expr_cond(struct awk_parser *p)
{
    struct awk_node *n = awk_expr_logic(p, true);

    if (!n || p->tok != AWK_T_CHAR + '?')
        return n;
    awk_next_token(p);
    awk_newlines(p);
    struct awk_node *yes = awk_expr(p);
    awk_newlines(p);
    if (!yes || !awk_expect(p, AWK_T_CHAR + ':'))
        return NULL;
    awk_newlines(p);
    struct awk_node *no = awk_expr(p);
    n = no ? awk_node_two(p, AWK_N_COND, n, yes) : NULL;
    if (n)
        n->c = no;
    return n;
}

struct awk_node *awk_expr(struct awk_parser *p)
{
    if (p->failed || !awk_fits(p))
        return NULL;
    return awk_expr_cond(p);
}

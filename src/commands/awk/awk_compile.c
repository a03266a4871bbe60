/* awk_compile.c -- from the tree of an awk program to instructions
 *
 * The order of evaluation is gawk's: in an assignment the right side comes first, then the
 * subscripts of the left side.
 */
#include "commands/awk/awk_run.h"

struct awk_compiler {
    struct awk *a;
    struct str source;
    int line;
    /* The innermost loop or switch: chains of jumps that are patched when its end is known. */
    int32_t breaks, continues; /* -1: none */
    size_t label;              /* the last place that something jumps to */
};

static void awk_gen(struct awk_compiler *c, struct awk_node *n);
static void awk_gen_stmt(struct awk_compiler *c, struct awk_node *n);

/* ---- emitting -------------------------------------------------------------------------------- */

static size_t awk_emit(struct awk_compiler *c, int op, int n, int32_t operand)
{
    struct awk *a = c->a;
    struct awk_code code = {(uint16_t)op, (uint16_t)n, operand};
    struct awk_pos pos = {c->source, c->line};

    if (!vec_reserve(a->heap, &a->pos, 1) || !vec_push(a->heap, &a->code, code)) {
        awk_nomem(a);
        return 0;
    }
    a->pos.p[a->pos.n++] = pos;
    return a->code.n - 1;
}

static void awk_patch(struct awk_compiler *c, size_t at)
{
    if (!c->a->err)
        c->a->code.p[at].a = (int32_t)c->a->code.n;
    c->label = c->a->code.n;
}

/* A jump when the value on top is false. A comparison right before it does that itself, unless
 * something else jumps in between. */
static size_t awk_emit_if_not(struct awk_compiler *c)
{
    struct awk *a = c->a;

    if (a->code.n && c->label != a->code.n && !a->err) {
        struct awk_code *last = &a->code.p[a->code.n - 1];
        if (last->op >= AWK_LT && last->op <= AWK_GE) {
            last->n = 1;
            return a->code.n - 1;
        }
    }
    return awk_emit(c, AWK_IF_NOT, 0, 0);
}

/* A jump whose target is not known yet, in a chain of such through their operands. */
static void awk_chain(struct awk_compiler *c, int32_t *chain)
{
    size_t at = awk_emit(c, AWK_JUMP, 0, *chain);
    *chain = (int32_t)at;
}

static void awk_patch_chain(struct awk_compiler *c, int32_t chain, size_t target)
{
    c->label = target;
    while (chain >= 0 && !c->a->err) {
        int32_t next = c->a->code.p[chain].a;
        c->a->code.p[chain].a = (int32_t)target;
        chain = next;
    }
}

static int32_t awk_add_const(struct awk_compiler *c, struct awk_val v)
{
    if (!vec_push(c->a->heap, &c->a->consts, v)) {
        awk_drop(c->a, &v);
        awk_nomem(c->a);
        return 0;
    }
    return (int32_t)(c->a->consts.n - 1);
}

static int32_t awk_const_regex(struct awk_compiler *c, struct awk_node *n)
{
    return awk_add_const(c, (struct awk_val){.u.re = n->re, .kind = AWK_REGEX});
}

/* ---- variables ------------------------------------------------------------------------------- */

static void awk_gen_subscript(struct awk_compiler *c, struct awk_node *n)
{
    for (struct awk_node *s = n->b; s; s = s->next)
        awk_gen(c, s);
    if (n->count > 1)
        awk_emit(c, AWK_JOIN, n->count, 0);
}

/* The operand for an array; one within another is brought onto the stack. */
static int32_t awk_gen_array(struct awk_compiler *c, struct awk_node *n)
{
    if (n->type == AWK_N_GLOBAL)
        return n->index;
    if (n->type == AWK_N_LOCAL)
        return ~n->index;
    if (n->type != AWK_N_INDEX)
        return 0;
    int32_t outer = awk_gen_array(c, n->a);
    awk_gen_subscript(c, n);
    awk_emit(c, AWK_SUBARRAY, 0, outer);
    return AWK_ON_STACK;
}

/* The parts of a place to assign to: its kind, and the operand. */
static int awk_gen_place(struct awk_compiler *c, struct awk_node *n, int32_t *operand)
{
    *operand = n->index;
    switch (n->type) {
    case AWK_N_GLOBAL: return AWK_LV_GLOBAL;
    case AWK_N_LOCAL: return AWK_LV_LOCAL;
    case AWK_N_FIELD: awk_gen(c, n->a); return AWK_LV_FIELD;
    case AWK_N_INDEX:
        *operand = awk_gen_array(c, n->a);
        awk_gen_subscript(c, n);
        return AWK_LV_ELEM;
    case AWK_N_GROUP:
        if (n->count == 1)
            return awk_gen_place(c, n->a, operand);
        FALLTHROUGH;
    default: awk_gen(c, n); return AWK_LV_VALUE;
    }
}

static bool awk_is_plain(const struct awk_node *n)
{
    return n->type == AWK_N_GLOBAL && n->index >= AWK_V_HOOKED;
}

/* Whether evaluating it can change a variable. */
static bool awk_is_pure(const struct awk_node *n)
{
    switch (n->type) {
    case AWK_N_NUM:
    case AWK_N_STR:
    case AWK_N_GLOBAL:
    case AWK_N_LOCAL: return true;
    case AWK_N_FIELD: return awk_is_pure(n->a);
    case AWK_N_INDEX: return n->count == 1 && awk_is_pure(n->b) && n->a->type != AWK_N_INDEX;
    default: return false;
    }
}

/* x = x y z: the text is added to x in place. */
static bool awk_gen_append(struct awk_compiler *c, struct awk_node *n)
{
    struct awk_node *to = n->a, *list = n->b;

    if (n->op || list->type != AWK_N_CONCAT || list->a->type != to->type ||
        !(awk_is_plain(to) || to->type == AWK_N_LOCAL) || list->a->index != to->index)
        return false;
    for (struct awk_node *e = list->a->next; e; e = e->next) {
        if (!awk_is_pure(e))
            return false;
    }
    for (struct awk_node *e = list->a->next; e; e = e->next)
        awk_gen(c, e);
    awk_emit(c, to->type == AWK_N_LOCAL ? AWK_APPEND_L : AWK_APPEND_G, list->count - 1, to->index);
    return true;
}

static void awk_gen_assign(struct awk_compiler *c, struct awk_node *n, bool drop)
{
    int32_t operand;

    if (drop && awk_gen_append(c, n))
        return;
    awk_gen(c, n->b);
    int kind = awk_gen_place(c, n->a, &operand);
    if (n->op == '+' && drop && awk_is_plain(n->a))
        awk_emit(c, AWK_ADD_G_DROP, 0, operand);
    else if (n->op == '+' && drop && kind == AWK_LV_ELEM)
        awk_emit(c, AWK_ADD_E_DROP, 0, operand);
    else if (n->op)
        awk_emit(c, AWK_MODIFY, n->op | kind << 8 | (drop ? AWK_OP_DROP : 0), operand);
    else if (awk_is_plain(n->a))
        awk_emit(c, drop ? AWK_SET_G_DROP : AWK_SET_G, 0, operand);
    else if (kind == AWK_LV_LOCAL)
        awk_emit(c, drop ? AWK_SET_L_DROP : AWK_SET_L, 0, operand);
    else if (kind == AWK_LV_ELEM)
        awk_emit(c, drop ? AWK_SET_E_DROP : AWK_SET_E, 0, operand);
    else
        awk_emit(c, drop ? AWK_SET_DROP : AWK_SET, kind, operand);
}

static void awk_gen_step(struct awk_compiler *c, struct awk_node *n, bool drop)
{
    int32_t operand;
    int kind = awk_gen_place(c, n->a, &operand);

    if (awk_is_plain(n->a))
        awk_emit(c, drop ? AWK_STEP_G_DROP : AWK_STEP_G, n->op, operand);
    else if (drop && kind == AWK_LV_LOCAL)
        awk_emit(c, AWK_STEP_L_DROP, n->op, operand);
    else if (drop && kind == AWK_LV_ELEM)
        awk_emit(c, AWK_STEP_E_DROP, n->op, operand);
    else
        awk_emit(c, AWK_STEP, n->op | kind << 8 | (drop ? AWK_OP_DROP : 0), operand);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* An argument that may turn out to be an array, or become one. */
static void awk_gen_arg(struct awk_compiler *c, struct awk_node *n, enum awk_element_use use)
{
    while (n->type == AWK_N_GROUP && n->count == 1)
        n = n->a;
    if (n->type == AWK_N_GLOBAL && n->index > AWK_V_FNR)
        awk_emit(c, AWK_ARG_G, 0, n->index);
    else if (n->type == AWK_N_LOCAL)
        awk_emit(c, AWK_ARG_L, 0, n->index);
    else if (n->type == AWK_N_INDEX) {
        int32_t array = awk_gen_array(c, n->a);
        awk_gen_subscript(c, n);
        awk_emit(c, AWK_ARG_E, use, array);
    } else {
        awk_gen(c, n);
    }
}

static void awk_gen_regex_arg(struct awk_compiler *c, struct awk_node *n)
{
    if (n->type == AWK_N_REGEX)
        awk_emit(c, AWK_CONST, 0, awk_const_regex(c, n));
    else
        awk_gen(c, n);
}

static void awk_gen_array_arg(struct awk_compiler *c, struct awk_node *n)
{
    if (n->type != AWK_N_GLOBAL && n->type != AWK_N_LOCAL && n->type != AWK_N_INDEX) {
        awk_gen(c, n); /* the function will complain */
        return;
    }
    if (n->type == AWK_N_INDEX) { /* as a value: the function complains when it is none */
        awk_gen_arg(c, n, AWK_AS_ARRAY);
        return;
    }
    awk_emit(c, AWK_ARR, 0, awk_gen_array(c, n));
}

static void awk_gen_builtin(struct awk_compiler *c, struct awk_node *n)
{
    const struct awk_builtin *b = awk_builtin_row(n->op);
    const char *how = b->args;

    for (struct awk_node *e = n->a; e; e = e->next, how += how[1] != '\0') {
        if (*how == 'l') { /* sub and gsub */
            int32_t operand;
            int kind = awk_gen_place(c, e, &operand);
            awk_emit(c, AWK_SUBST, kind | (b->name[0] == 'g' ? 256 : 0), operand);
            return;
        }
        if (*how == 'r')
            awk_gen_regex_arg(c, e);
        else if (*how == 'a')
            awk_gen_array_arg(c, e);
        else if (*how == 'n')
            awk_gen_arg(c, e, AWK_AS_ANYTHING);
        else
            awk_gen(c, e);
    }
    if (*how == 'l') { /* $0 */
        awk_emit(c, AWK_INT, 0, 0);
        awk_emit(c, AWK_SUBST, AWK_LV_FIELD | (b->name[0] == 'g' ? 256 : 0), 0);
        return;
    }
    awk_emit(c, AWK_BUILTIN, n->count, n->op);
}

static void awk_gen_call(struct awk_compiler *c, struct awk_node *n)
{
    if (n->type == AWK_N_INDIRECT)
        awk_gen(c, n->b);
    const struct awk_func *f = n->type == AWK_N_CALL ? &c->a->funcs.p[n->index] : NULL;
    int count = 0;
    for (struct awk_node *e = n->a; e; e = e->next) {
        awk_gen_arg(c, e, AWK_AS_ARGUMENT);
        if (f && f->defined && ++count > f->nparams)
            awk_emit(c, AWK_DROP, 0, 0);
    }
    if (!f) {
        awk_emit(c, AWK_CALL_NAMED, n->count, 0);
        return;
    }
    if (!f->defined) {
        awk_emit(c, AWK_CALL, n->count, n->index);
        return;
    }
    if (n->count > f->nparams && !c->a->err) {
        struct buf b;
        buf_init(&b, c->a->heap);
        buf_printf(&b, "%.*s: ", STR_ARG(c->a->p->name));
        if (c->source.p)
            buf_printf(&b, "%.*s:%d", STR_ARG(c->source), n->line);
        else
            buf_printf(&b, "cmd. line:%d", n->line);
        buf_printf(&b, ": warning: function `%.*s' called with more arguments than declared\n",
                   STR_ARG(f->name));
        proc_puts(c->a->p, 2, buf_get(&b));
        buf_fini(&b);
    }
    awk_emit(c, AWK_CALL, MIN((int)n->count, f->nparams), n->index);
}

static void awk_gen_getline(struct awk_compiler *c, struct awk_node *n)
{
    int32_t operand = 0;
    int kind = AWK_LV_NONE;

    if (n->b)
        awk_gen(c, n->b);
    if (n->a)
        kind = awk_gen_place(c, n->a, &operand);
    awk_emit(c, AWK_GETLINE, n->op, 0);
    awk_emit(c, AWK_LVALUE, kind, operand);
    if (n->op == AWK_GET_MAIN)
        c->a->uses_main_getline = true;
}

/* ---- expressions ----------------------------------------------------------------------------- */

static int awk_arith_op(int op)
{
    switch (op) {
    case '+': return AWK_ADD;
    case '-': return AWK_SUB;
    case '*': return AWK_MUL;
    case '/': return AWK_DIV;
    case '%': return AWK_MOD;
    default: return AWK_POW;
    }
}

static int awk_compare_op(int op)
{
    switch (op) {
    case '<': return AWK_LT;
    case '>': return AWK_GT;
    case 'l': return AWK_LE;
    case 'g': return AWK_GE;
    case '=': return AWK_EQ;
    default: return AWK_NE;
    }
}

static void awk_gen_number(struct awk_compiler *c, double d)
{
    if (d == (double)(int32_t)(d >= -1e9 && d <= 1e9 ? d : 0.5) && !(d == 0 && 1 / d < 0))
        awk_emit(c, AWK_INT, 0, (int32_t)d);
    else
        awk_emit(c, AWK_CONST, 0, awk_add_const(c, awk_number(d)));
}

static void awk_gen_match(struct awk_compiler *c, struct awk_node *n)
{
    awk_gen(c, n->a);
    if (n->b->type == AWK_N_REGEX || n->b->type == AWK_N_TYPED) {
        awk_emit(c, AWK_MATCH_RE, n->op, awk_const_regex(c, n->b));
        return;
    }
    awk_gen(c, n->b);
    awk_emit(c, AWK_MATCH_DYN, n->op, 0);
}

static void awk_gen_in(struct awk_compiler *c, struct awk_node *n)
{
    struct awk_node *key = n->a;
    int32_t array = awk_gen_array(c, n->b);

    if (key->type == AWK_N_GROUP && key->count > 1) {
        for (struct awk_node *s = key->a; s; s = s->next)
            awk_gen(c, s);
        awk_emit(c, AWK_JOIN, key->count, 0);
    } else {
        awk_gen(c, key);
    }
    awk_emit(c, AWK_IN, 0, array);
}

/* a ? b : c, a && b, a || b. */
static void awk_gen_branch(struct awk_compiler *c, struct awk_node *n)
{
    size_t skip, end;

    awk_gen(c, n->a);
    if (n->type == AWK_N_COND) {
        skip = awk_emit_if_not(c);
        awk_gen(c, n->b);
        end = awk_emit(c, AWK_JUMP, 0, 0);
        awk_patch(c, skip);
        awk_gen(c, n->c);
    } else {
        end = awk_emit(c, n->type == AWK_N_AND ? AWK_AND_ELSE : AWK_OR_ELSE, 0, 0);
        awk_gen(c, n->b);
        awk_emit(c, AWK_BOOL, 0, 0);
    }
    awk_patch(c, end);
}

static void awk_gen_unary(struct awk_compiler *c, struct awk_node *n, int op)
{
    awk_gen(c, n->a);
    awk_emit(c, op, 0, 0);
}

static void awk_gen_value(struct awk_compiler *c, struct awk_node *n)
{
    struct awk_val v;

    switch (n->type) {
    case AWK_N_NUM: awk_gen_number(c, n->num); break;
    case AWK_N_STR:
        v = awk_text_val(n->s);
        awk_emit(c, AWK_CONST, 0, awk_add_const(c, awk_copy(c->a, &v)));
        break;
    case AWK_N_REGEX: awk_emit(c, AWK_MATCH_REC, 0, awk_const_regex(c, n)); break;
    case AWK_N_TYPED: awk_emit(c, AWK_CONST, 0, awk_const_regex(c, n)); break;
    case AWK_N_GLOBAL:
        awk_emit(c, n->index <= AWK_V_FNR ? AWK_GET_LIVE : AWK_GET_G, 0, n->index);
        break;
    case AWK_N_LOCAL: awk_emit(c, AWK_GET_L, 0, n->index); break;
    case AWK_N_FIELD:
        if (n->a->type == AWK_N_NUM && n->a->num >= 0 && n->a->num < 1e6) {
            awk_emit(c, AWK_FIELD, 0, (int32_t)n->a->num);
            break;
        }
        awk_gen_unary(c, n, AWK_FIELD_TOP);
        break;
    default: {
        int32_t array = awk_gen_array(c, n->a);
        awk_gen_subscript(c, n);
        awk_emit(c, AWK_GET_E, 0, array);
    }
    }
}

static void awk_gen(struct awk_compiler *c, struct awk_node *n)
{
    if (c->a->err)
        return;
    c->line = n->line;
    switch (n->type) {
    case AWK_N_ASSIGN: awk_gen_assign(c, n, false); break;
    case AWK_N_STEP: awk_gen_step(c, n, false); break;
    case AWK_N_COND:
    case AWK_N_AND:
    case AWK_N_OR: awk_gen_branch(c, n); break;
    case AWK_N_NOT: awk_gen_unary(c, n, AWK_NOT); break;
    case AWK_N_NEGATE: awk_gen_unary(c, n, AWK_NEG); break;
    case AWK_N_PLUS: awk_gen_unary(c, n, AWK_TO_NUMBER); break;
    case AWK_N_MATCH: awk_gen_match(c, n); break;
    case AWK_N_COMPARE:
    case AWK_N_ARITH:
        awk_gen(c, n->a);
        awk_gen(c, n->b);
        c->line = n->line;
        awk_emit(c, n->type == AWK_N_ARITH ? awk_arith_op(n->op) : awk_compare_op(n->op), 0, 0);
        break;
    case AWK_N_CONCAT:
        for (struct awk_node *e = n->a; e; e = e->next)
            awk_gen(c, e);
        awk_emit(c, AWK_CONCAT, n->count, 0);
        break;
    case AWK_N_IN: awk_gen_in(c, n); break;
    case AWK_N_GROUP: awk_gen(c, n->a); break;
    case AWK_N_CALL:
    case AWK_N_INDIRECT: awk_gen_call(c, n); break;
    case AWK_N_BUILTIN: awk_gen_builtin(c, n); break;
    case AWK_N_GETLINE: awk_gen_getline(c, n); break;
    default: awk_gen_value(c, n); break;
    }
}

/* ---- statements ------------------------------------------------------------------------------ */

static void awk_gen_drop(struct awk_compiler *c, struct awk_node *n)
{
    while (n->type == AWK_N_GROUP && n->count == 1)
        n = n->a;
    c->line = n->line;
    if (n->type == AWK_N_ASSIGN) {
        awk_gen_assign(c, n, true);
    } else if (n->type == AWK_N_STEP) {
        awk_gen_step(c, n, true);
    } else {
        awk_gen(c, n);
        awk_emit(c, AWK_DROP, 0, 0);
    }
}

static void awk_gen_print(struct awk_compiler *c, struct awk_node *n)
{
    if (n->type == AWK_N_PRINT && n->count == 0 && !n->b) {
        awk_emit(c, AWK_PRINT_REC, 0, 0);
        return;
    }
    for (struct awk_node *e = n->a; e; e = e->next)
        awk_gen(c, e);
    if (n->type == AWK_N_PRINT && n->count == 0)
        awk_emit(c, AWK_FIELD, 0, 0);
    if (n->b)
        awk_gen(c, n->b);
    c->line = n->line;
    int count = n->type == AWK_N_PRINT ? MAX(n->count, 1) : n->count;
    awk_emit(c, n->type == AWK_N_PRINT ? AWK_PRINT : AWK_PRINTF, count, n->op);
}

/* The body of a loop; its jumps are patched to `next` and to the end. */
static void awk_gen_loop(struct awk_compiler *c, struct awk_node *body, int32_t *breaks,
                         int32_t *continues)
{
    struct awk_compiler outer = *c;

    c->breaks = c->continues = -1;
    awk_gen_stmt(c, body);
    *breaks = c->breaks;
    *continues = c->continues;
    c->breaks = outer.breaks;
    c->continues = outer.continues;
}

/* while, do and for: the condition stands at the end, so that a turn is one jump. */
static void awk_gen_while(struct awk_compiler *c, struct awk_node *n)
{
    int32_t breaks, continues;
    bool is_for = n->type == AWK_N_FOR;
    struct awk_node *cond = is_for ? n->b : n->a;
    size_t skip = 0;

    if (is_for && n->a)
        awk_gen_stmt(c, n->a);
    bool test_first = n->type != AWK_N_DO && cond;
    if (test_first)
        skip = awk_emit(c, AWK_JUMP, 0, 0);
    size_t top = c->a->code.n;
    awk_gen_loop(c, is_for ? n->d : n->b, &breaks, &continues);
    awk_patch_chain(c, continues, c->a->code.n);
    if (is_for && n->c)
        awk_gen_stmt(c, n->c);
    if (test_first)
        awk_patch(c, skip);
    if (cond) {
        awk_gen(c, cond);
        size_t out = awk_emit_if_not(c);
        awk_emit(c, AWK_LOOP, 0, (int32_t)top);
        awk_patch(c, out);
    } else {
        awk_emit(c, AWK_LOOP, 0, (int32_t)top);
    }
    awk_patch_chain(c, breaks, c->a->code.n);
}

static void awk_gen_for_in(struct awk_compiler *c, struct awk_node *n)
{
    int32_t breaks, continues;

    awk_emit(c, AWK_FOR_START, 0, awk_gen_array(c, n->b));
    size_t top = awk_emit(c, AWK_FOR_NEXT, 0, 0);
    if (awk_is_plain(n->a))
        awk_emit(c, AWK_SET_G_DROP, 0, n->a->index);
    else if (n->a->type == AWK_N_LOCAL)
        awk_emit(c, AWK_SET_L_DROP, 0, n->a->index);
    else
        awk_emit(c, AWK_SET_DROP, AWK_LV_GLOBAL, n->a->index);
    awk_gen_loop(c, n->d, &breaks, &continues);
    awk_patch_chain(c, continues, c->a->code.n);
    awk_emit(c, AWK_LOOP, 0, (int32_t)top);
    awk_patch(c, top);
    awk_patch_chain(c, breaks, c->a->code.n);
    awk_emit(c, AWK_FOR_END, 0, 0);
}

static void awk_gen_if(struct awk_compiler *c, struct awk_node *n)
{
    awk_gen(c, n->a);
    size_t skip = awk_emit_if_not(c);
    awk_gen_stmt(c, n->b);
    if (n->c) {
        size_t end = awk_emit(c, AWK_JUMP, 0, 0);
        awk_patch(c, skip);
        awk_gen_stmt(c, n->c);
        skip = end;
    }
    awk_patch(c, skip);
}

/* The value stays on the stack while labels are tried, and is dropped before a body runs. */
static void awk_gen_switch(struct awk_compiler *c, struct awk_node *n)
{
    int32_t breaks = c->breaks, to_default = -1;
    size_t pending = 0;
    bool have_pending = false, have_default = false;

    c->breaks = -1;
    awk_gen(c, n->a);
    /* First all tests, each jumping to a stub that is patched when its body is reached. */
    for (struct awk_node *k = n->b; k; k = k->next) {
        if (!k->a)
            continue;
        if (k->a->type == AWK_N_REGEX)
            awk_emit(c, AWK_CONST, 0, awk_const_regex(c, k->a));
        else
            awk_gen(c, k->a);
        awk_emit(c, AWK_CASE, 0, 0);
        k->index = (int)awk_emit(c, AWK_IF, 0, 0);
    }
    size_t none = awk_emit(c, AWK_JUMP, 0, 0);
    for (struct awk_node *k = n->b; k; k = k->next) {
        if (have_pending)
            pending = awk_emit(c, AWK_JUMP, 0, 0); /* falls through, over the DROP */
        if (k->a)
            awk_patch(c, (size_t)k->index);
        else {
            awk_patch(c, none);
            have_default = true;
        }
        awk_emit(c, AWK_DROP, 0, 0);
        if (have_pending)
            awk_patch(c, pending);
        have_pending = true;
        for (struct awk_node *s = k->b; s; s = s->next)
            awk_gen_stmt(c, s);
    }
    awk_chain(c, &to_default);
    if (!have_default) {
        awk_patch(c, none);
        awk_emit(c, AWK_DROP, 0, 0);
    }
    awk_patch_chain(c, to_default, c->a->code.n);
    awk_patch_chain(c, c->breaks, c->a->code.n);
    c->breaks = breaks;
}

static void awk_gen_delete(struct awk_compiler *c, struct awk_node *n)
{
    if (n->a->type == AWK_N_INDEX) {
        int32_t array = awk_gen_array(c, n->a->a);
        awk_gen_subscript(c, n->a);
        awk_emit(c, AWK_DELETE, 0, array);
    } else {
        awk_emit(c, AWK_DELETE_ALL, 0, awk_gen_array(c, n->a));
    }
}

static void awk_gen_stmt(struct awk_compiler *c, struct awk_node *n)
{
    if (c->a->err)
        return;
    c->line = n->line;
    switch (n->type) {
    case AWK_N_BLOCK:
        for (struct awk_node *s = n->a; s; s = s->next)
            awk_gen_stmt(c, s);
        break;
    case AWK_N_EXPR: awk_gen_drop(c, n->a); break;
    case AWK_N_PRINT:
    case AWK_N_PRINTF: awk_gen_print(c, n); break;
    case AWK_N_IF: awk_gen_if(c, n); break;
    case AWK_N_WHILE:
    case AWK_N_DO:
    case AWK_N_FOR: awk_gen_while(c, n); break;
    case AWK_N_FOR_IN: awk_gen_for_in(c, n); break;
    case AWK_N_SWITCH: awk_gen_switch(c, n); break;
    case AWK_N_BREAK: awk_chain(c, &c->breaks); break;
    case AWK_N_CONTINUE: awk_chain(c, &c->continues); break;
    case AWK_N_NEXT: awk_emit(c, AWK_GO_NEXT, 0, 0); break;
    case AWK_N_NEXTFILE: awk_emit(c, AWK_GO_NEXTFILE, 0, 0); break;
    case AWK_N_EXIT:
        if (n->a)
            awk_gen(c, n->a);
        awk_emit(c, AWK_EXIT, n->a != NULL, 0);
        break;
    case AWK_N_RETURN:
        if (n->a)
            awk_gen(c, n->a);
        else
            awk_emit(c, AWK_CONST, 0, 0); /* constant 0 is the unset value */
        awk_emit(c, AWK_RETURN, 0, 0);
        break;
    case AWK_N_DELETE: awk_gen_delete(c, n); break;
    default: break;
    }
}

/* ---- rules ----------------------------------------------------------------------------------- */

static void awk_gen_body(struct awk_compiler *c, struct awk_rule *r)
{
    if (r->body)
        awk_gen_stmt(c, r->body);
    else
        awk_emit(c, AWK_PRINT_REC, 0, 0);
}

/* from, to { body }: the range is open from a record that matches the first up to one that matches
 * the second, which may be the same. */
static void awk_gen_range(struct awk_compiler *c, struct awk_rule *r)
{
    awk_emit(c, AWK_RANGE, 0, r->range);
    size_t open = awk_emit(c, AWK_IF, 0, 0);
    awk_gen(c, r->from);
    size_t skip = awk_emit_if_not(c);
    awk_emit(c, AWK_RANGE_SET, 1, r->range);
    awk_patch(c, open);
    awk_gen(c, r->to);
    size_t go_on = awk_emit_if_not(c);
    awk_emit(c, AWK_RANGE_SET, 0, r->range);
    awk_patch(c, go_on);
    awk_gen_body(c, r);
    awk_patch(c, skip);
}

static void awk_gen_rule(struct awk_compiler *c, struct awk_rule *r)
{
    c->source = r->source;
    c->line = r->line;
    if (r->to) {
        awk_gen_range(c, r);
    } else if (r->from) {
        awk_gen(c, r->from);
        int line = c->line;
        size_t skip = awk_emit_if_not(c);
        awk_gen_body(c, r);
        if (!r->next) /* a message between records names the line that was the last to run */
            awk_emit(c, AWK_HALT, 0, 0);
        awk_patch(c, skip);
        c->line = line;
    } else {
        awk_gen_body(c, r);
    }
}

void awk_compile(struct awk *a)
{
    struct awk_compiler c = {.a = a, .breaks = -1, .continues = -1, .label = SIZE_MAX};

    for (int w = 0; w < AWK_WHEN; w++) {
        a->entry[w] = a->code.n;
        for (struct awk_rule *r = a->rules[w]; r; r = r->next)
            awk_gen_rule(&c, r);
        awk_emit(&c, AWK_HALT, 0, 0);
    }
    a->entry_end = a->code.n;
    a->halt = a->code.n - 1;
    for (size_t i = 0; i < a->funcs.n && !a->err; i++) {
        struct awk_func *f = &a->funcs.p[i];
        c.source = f->source;
        c.line = f->line;
        f->pc = a->code.n;
        if (f->body)
            awk_gen_stmt(&c, f->body);
        awk_emit(&c, AWK_CONST, 0, 0);
        awk_emit(&c, AWK_RETURN, 0, 0);
    }
}

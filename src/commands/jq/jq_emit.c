/* jq_emit.c -- from the resolved tree to the code of the machine
 *
 * The code of an expression takes its input in dot, and goes on behind itself with each of its
 * outputs in dot, the stack being as high as before. Backtracking gives the next one.
 */
#include "commands/jq/jq.h"

struct jq_emitter {
    struct jq *j;
    struct jq_func *todo; /* functions whose code is still to come */
    bool failed;
};

static void jq_emit_expr(struct jq_emitter *m, const struct jq_expr *e, bool tail);

/* Where the instruction stands; nowhere after m->failed. */
static uint32_t jq_emit_op(struct jq_emitter *m, int op)
{
    struct jq_code c = {.op = (uint8_t)op};
    if (!m->failed && !vec_push(m->j->heap, &m->j->code, c))
        m->failed = true;
    return (uint32_t)m->j->code.n - 1;
}

static uint32_t jq_emit_slot(struct jq_emitter *m, int op, int slot)
{
    uint32_t at = jq_emit_op(m, op);
    if (!m->failed)
        m->j->code.p[at].slot = slot;
    return at;
}

static uint32_t jq_emit_of(struct jq_emitter *m, int op, const struct jq_expr *e)
{
    uint32_t at = jq_emit_slot(m, op, e->slot);
    if (!m->failed)
        m->j->code.p[at].e = (struct jq_expr *)e;
    return at;
}

/* The jump at `from` leads to what comes next. */
static void jq_land(struct jq_emitter *m, uint32_t from)
{
    if (!m->failed)
        m->j->code.p[from].to = (uint32_t)m->j->code.n;
}

/* An operand: paths do not count in it, and the input stays on the stack. */
static void jq_emit_operand(struct jq_emitter *m, const struct jq_expr *e)
{
    jq_emit_op(m, JQO_DUP);
    jq_emit_op(m, JQO_NEST);
    jq_emit_expr(m, e, false);
    jq_emit_op(m, JQO_UNNEST);
}

/* Ends a branch: by returning, or by a jump that the caller lands. */
static uint32_t jq_emit_leave(struct jq_emitter *m, bool tail)
{
    return jq_emit_op(m, tail ? JQO_RET : JQO_JUMP);
}

static void jq_emit_object(struct jq_emitter *m, const struct jq_expr *e)
{
    jq_emit_op(m, JQO_OBJECT);
    for (int i = 0; i < e->nargs; i += 2) {
        uint32_t at = jq_emit_op(m, JQO_INPUT);
        if (!m->failed)
            m->j->code.p[at].n = 1;
        jq_emit_op(m, JQO_NEST);
        jq_emit_expr(m, e->args[i], false);
        at = jq_emit_op(m, JQO_PUSH);
        if (!m->failed)
            m->j->code.p[at].n = 2;
        jq_emit_expr(m, e->args[i + 1], false);
        jq_emit_op(m, JQO_UNNEST);
        jq_emit_op(m, JQO_INSERT);
    }
    jq_emit_op(m, JQO_BUILT);
}

static void jq_emit_native(struct jq_emitter *m, const struct jq_expr *e)
{
    for (int i = e->nargs - 1; i >= 0; i--) {
        jq_emit_operand(m, e->args[i]);
        jq_emit_op(m, JQO_SWAP);
    }
    jq_emit_of(m, JQO_NATIVE, e);
}

static void jq_emit_if(struct jq_emitter *m, const struct jq_expr *e, bool tail)
{
    jq_emit_operand(m, e->a);
    uint32_t other = jq_emit_op(m, JQO_UNLESS);
    jq_emit_expr(m, e->b, tail);
    uint32_t end = jq_emit_leave(m, tail);
    jq_land(m, other);
    jq_emit_expr(m, e->c, tail);
    if (!tail)
        jq_land(m, end);
}

/* a and b, a or b: b is looked at only if a does not decide. */
static void jq_emit_logic(struct jq_emitter *m, const struct jq_expr *e)
{
    jq_emit_operand(m, e->a);
    uint32_t at = jq_emit_op(m, JQO_LOGIC);
    if (!m->failed)
        m->j->code.p[at].sub = e->op == JQX_OR;
    jq_emit_op(m, JQO_NEST);
    jq_emit_expr(m, e->b, false);
    jq_emit_op(m, JQO_UNNEST);
    jq_emit_op(m, JQO_TRUTH);
    jq_land(m, at);
}

static void jq_emit_alt(struct jq_emitter *m, const struct jq_expr *e, bool tail)
{
    jq_emit_slot(m, JQO_CLEAR, e->slot);
    uint32_t fork = jq_emit_op(m, JQO_FORK);
    jq_emit_expr(m, e->a, false);
    uint32_t found = jq_emit_slot(m, JQO_FOUND, e->slot);
    jq_land(m, fork);
    jq_emit_slot(m, JQO_UNFOUND, e->slot);
    jq_emit_expr(m, e->b, tail);
    if (tail)
        jq_emit_op(m, JQO_RET);
    jq_land(m, found);
}

static void jq_emit_try(struct jq_emitter *m, const struct jq_expr *e, bool tail)
{
    uint32_t begin = jq_emit_slot(m, JQO_TRY, e->slot);
    jq_emit_expr(m, e->a, false);
    jq_emit_slot(m, JQO_TRYEND, e->slot);
    uint32_t end = jq_emit_leave(m, tail);
    jq_land(m, begin);
    if (e->b)
        jq_emit_expr(m, e->b, tail);
    else
        jq_emit_op(m, JQO_BACK);
    if (!tail)
        jq_land(m, end);
}

/* ---- patterns -------------------------------------------------------------------------------- */

/* A pattern whose keys may have many outputs: dot is the value, and is dropped. */
static void jq_emit_pattern(struct jq_emitter *m, const struct jq_bindings *b)
{
    if (b->simple) {
        uint32_t at = jq_emit_op(m, JQO_MATCH);
        if (!m->failed)
            m->j->code.p[at].pat = (struct jq_bindings *)b;
        return;
    }
    for (uint32_t i = 0; i < b->n; i++) {
        jq_emit_op(m, JQO_DUP);
        if (b->object && b->keys[i]) {
            jq_emit_operand(m, b->keys[i]);
            jq_emit_slot(m, JQO_MEMBER, -1);
        } else {
            uint32_t at = jq_emit_slot(m, JQO_MEMBER, b->object ? b->slots[i] : (int)i);
            if (!m->failed) {
                m->j->code.p[at].sub = b->object ? 2 : 1;
                m->j->code.p[at].pat = (struct jq_bindings *)b;
                m->j->code.p[at].n = (uint16_t)i;
            }
        }
        if (b->sub[i])
            jq_emit_pattern(m, b->sub[i]);
        jq_emit_op(m, JQO_POP);
    }
}

/* dot is destructured by the patterns of e. What follows runs under all but the last of them with a
 * fork that catches its errors and tries the next one. */
static void jq_emit_patterns(struct jq_emitter *m, const struct jq_expr *e)
{
    uint32_t ends[64], n = 0;

    for (uint32_t i = 0; i + 1 < e->npats && n < COUNT(ends); i++) {
        uint32_t next = jq_emit_op(m, JQO_DALT);
        jq_emit_of(m, JQO_NULLS, e);
        jq_emit_pattern(m, e->pats[i]);
        ends[n++] = jq_emit_op(m, JQO_JUMP);
        jq_land(m, next);
    }
    if (e->npats > 1)
        jq_emit_of(m, JQO_NULLS, e);
    jq_emit_pattern(m, e->pats[e->npats - 1]);
    while (n > 0)
        jq_land(m, ends[--n]);
}

static void jq_emit_bind(struct jq_emitter *m, const struct jq_expr *e, bool tail)
{
    jq_emit_operand(m, e->a);
    jq_emit_patterns(m, e);
    jq_emit_op(m, JQO_POP);
    jq_emit_expr(m, e->b, tail);
}

static void jq_emit_reduce(struct jq_emitter *m, const struct jq_expr *e)
{
    jq_emit_op(m, JQO_DUP);
    jq_emit_expr(m, e->b, false);
    jq_emit_slot(m, JQO_STORE, e->slot);
    jq_emit_op(m, JQO_POP);
    uint32_t end = jq_emit_op(m, JQO_BARE);
    jq_emit_expr(m, e->a, false);
    jq_emit_patterns(m, e);
    jq_emit_slot(m, JQO_TAKE, e->slot);
    jq_emit_expr(m, e->c, false);
    jq_emit_slot(m, JQO_STORE, e->slot);
    jq_emit_op(m, JQO_BACK);
    jq_land(m, end);
    jq_emit_slot(m, JQO_TAKE, e->slot);
}

static void jq_emit_foreach(struct jq_emitter *m, const struct jq_expr *e)
{
    jq_emit_op(m, JQO_DUP);
    jq_emit_expr(m, e->b, false);
    jq_emit_slot(m, JQO_STORE, e->slot);
    jq_emit_op(m, JQO_POP);
    jq_emit_expr(m, e->a, false);
    jq_emit_patterns(m, e);
    jq_emit_slot(m, JQO_TAKE, e->slot);
    jq_emit_expr(m, e->c, false);
    jq_emit_slot(m, JQO_KEEP, e->slot);
    if (e->d)
        jq_emit_expr(m, e->d, false);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void jq_emit_assign(struct jq_emitter *m, const struct jq_expr *e)
{
    jq_emit_slot(m, JQO_KEEP, e->slot);
    uint32_t end = jq_emit_op(m, JQO_BARE);
    jq_emit_op(m, JQO_PATH);
    jq_emit_expr(m, e->a, false);
    jq_emit_op(m, JQO_PATHEND);
    jq_emit_of(m, JQO_SETPATH, e);
    jq_land(m, end);
    jq_emit_slot(m, JQO_TAKE, e->slot);
}

/* Slots: the result so far, the paths to be deleted, the path, and two for the cut. */
static void jq_emit_modify(struct jq_emitter *m, const struct jq_expr *e)
{
    jq_emit_slot(m, JQO_KEEP, e->slot);
    jq_emit_slot(m, JQO_ARRAY, e->slot + 1);
    uint32_t end = jq_emit_op(m, JQO_BARE);
    jq_emit_op(m, JQO_PATH);
    jq_emit_expr(m, e->a, false);
    jq_emit_op(m, JQO_PATHEND);
    jq_emit_slot(m, JQO_GETACC, e->slot);
    jq_emit_slot(m, JQO_MARK, e->slot + 3);
    uint32_t none = jq_emit_op(m, JQO_BARE);
    jq_emit_op(m, JQO_NEST);
    jq_emit_expr(m, e->b, false);
    jq_emit_op(m, JQO_UNNEST);
    jq_emit_slot(m, JQO_CUT, e->slot + 3);
    jq_emit_slot(m, JQO_PUTACC, e->slot);
    jq_land(m, none);
    jq_emit_slot(m, JQO_DELACC, e->slot);
    jq_land(m, end);
    jq_emit_slot(m, JQO_ACCEND, e->slot);
}

static void jq_emit_want(struct jq_emitter *m, struct jq_func *f)
{
    if (f->emitted)
        return;
    f->emitted = true;
    f->next = m->todo;
    m->todo = f;
}

static void jq_emit_call(struct jq_emitter *m, const struct jq_expr *e, bool tail)
{
    jq_emit_want(m, e->func);
    for (int i = 0; i < e->nargs; i++)
        if (e->args[i]->op == JQX_CALL)
            jq_emit_want(m, e->args[i]->func);
    jq_emit_of(m, tail ? JQO_TAIL : JQO_CALL, e);
}

static void jq_emit_collect(struct jq_emitter *m, const struct jq_expr *e)
{
    jq_emit_slot(m, JQO_ARRAY, e->slot);
    uint32_t end = jq_emit_op(m, JQO_BARE);
    jq_emit_expr(m, e->a, false);
    jq_emit_slot(m, JQO_APPEND, e->slot);
    jq_land(m, end);
    jq_emit_slot(m, JQO_TAKE, e->slot);
}

static void jq_emit_index(struct jq_emitter *m, const struct jq_expr *e)
{
    if (e->op == JQX_FIELD) {
        jq_emit_expr(m, e->a, false);
        jq_emit_of(m, JQO_INDEX, e);
        return;
    }
    jq_emit_operand(m, e->b);
    jq_emit_op(m, JQO_SWAP);
    if (e->op == JQX_SLICE) {
        jq_emit_operand(m, e->c);
        jq_emit_op(m, JQO_SLICE);
    }
    jq_emit_expr(m, e->a, false);
    jq_emit_of(m, JQO_INDEX, e);
}

static void jq_emit_comma(struct jq_emitter *m, const struct jq_expr *e, bool tail)
{
    uint32_t fork = jq_emit_op(m, JQO_FORK);
    jq_emit_expr(m, e->a, tail);
    uint32_t end = jq_emit_leave(m, tail);
    jq_land(m, fork);
    jq_emit_expr(m, e->b, tail);
    if (!tail)
        jq_land(m, end);
}

static void jq_emit_expr(struct jq_emitter *m, const struct jq_expr *e, bool tail)
{
    if (m->failed || task_stack_low(m->j->p->task)) {
        m->failed = true;
        return;
    }
    if (e->simple) {
        if (e->op != JQX_IDENTITY)
            jq_emit_of(m, JQO_EVAL, e);
        return;
    }
    switch (e->op) {
    case JQX_FIELD:
    case JQX_INDEX:
    case JQX_SLICE: jq_emit_index(m, e); break;
    case JQX_EACH:
        jq_emit_expr(m, e->a, false);
        jq_emit_of(m, JQO_EACH, e);
        break;
    case JQX_PIPE:
        jq_emit_expr(m, e->a, false);
        jq_emit_expr(m, e->b, tail);
        break;
    case JQX_COMMA: jq_emit_comma(m, e, tail); break;
    case JQX_ERROR:
        jq_emit_expr(m, e->a, false);
        jq_emit_op(m, JQO_RAISE);
        break;
    case JQX_COLLECT: jq_emit_collect(m, e); break;
    case JQX_OBJECT: jq_emit_object(m, e); break;
    case JQX_BINARY:
        jq_emit_operand(m, e->b);
        jq_emit_op(m, JQO_SWAP);
        jq_emit_op(m, JQO_NEST);
        jq_emit_expr(m, e->a, false);
        jq_emit_op(m, JQO_UNNEST);
        jq_emit_of(m, JQO_BINARY, e);
        break;
    case JQX_FORMAT:
        jq_emit_expr(m, e->a, false);
        jq_emit_of(m, JQO_FORMAT, e);
        break;
    case JQX_AND:
    case JQX_OR: jq_emit_logic(m, e); break;
    case JQX_ALT: jq_emit_alt(m, e, tail); break;
    case JQX_IF: jq_emit_if(m, e, tail); break;
    case JQX_TRY: jq_emit_try(m, e, tail); break;
    case JQX_REDUCE: jq_emit_reduce(m, e); break;
    case JQX_FOREACH: jq_emit_foreach(m, e); break;
    case JQX_BIND: jq_emit_bind(m, e, tail); break;
    case JQX_LABEL:
        jq_emit_slot(m, JQO_LABEL, e->slot);
        jq_emit_expr(m, e->a, tail);
        break;
    case JQX_BREAK: jq_emit_of(m, JQO_BREAK, e); break;
    case JQX_NATIVE: jq_emit_native(m, e); break;
    case JQX_CALL: jq_emit_call(m, e, tail); break;
    case JQX_CLOSURE: jq_emit_of(m, JQO_CLOSURE, e); break;
    case JQX_FIRST:
        jq_emit_slot(m, JQO_MARK, e->slot);
        jq_emit_expr(m, e->a, false);
        jq_emit_slot(m, JQO_CUT, e->slot);
        break;
    case JQX_RANGE: jq_emit_of(m, JQO_RANGE, e); break;
    case JQX_PATH:
        jq_emit_op(m, JQO_PATH);
        jq_emit_expr(m, e->a, false);
        jq_emit_op(m, JQO_PATHEND);
        break;
    case JQX_ASSIGN: jq_emit_assign(m, e); break;
    case JQX_MODIFY: jq_emit_modify(m, e); break;
    default: m->failed = true; break;
    }
}

int jq_emit(struct jq *j)
{
    struct jq_emitter m = {.j = j};

    j->main->pc = 0;
    jq_emit_expr(&m, j->main->body, false);
    jq_emit_op(&m, JQO_OUTPUT);
    while (m.todo && !m.failed) {
        struct jq_func *f = m.todo;
        m.todo = f->next;
        f->pc = (uint32_t)j->code.n;
        jq_emit_expr(&m, f->body, true);
        jq_emit_op(&m, JQO_RET);
    }
    if (m.failed && !j->heap->oom) {
        proc_warn(j->p, "error: program is nested too deeply");
        j->errors++;
        return -1;
    }
    return m.failed ? HOB_ENOMEM : 0;
}

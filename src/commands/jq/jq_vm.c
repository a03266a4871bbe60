/* jq_vm.c -- the machine: it runs forward until an output, and backtracks for the next one
 *
 * A fork is a place to come back to. What is on the stacks below the top that a fork has seen must
 * survive until the fork is gone: so values and frames are linked lists in an array, and new ones
 * go above the highest place that a fork protects. Popping a protected value copies it; popping one
 * that is not protected moves it.
 */
#include <math.h>

#include "base/error.h"
#include "commands/jq/jq.h"

enum {
    JQ_HEAD = 2,     /* values at the start of a frame: links, and its size */
    JQ_TICKS = 64,   /* steps that cost a unit of fuel */
    JQ_TAIL_ARGS = 8 /* a call with more arguments does not reuse the frame */
};
#define JQ_NOWHERE UINT32_MAX

/* ---- stacks ---------------------------------------------------------------------------------- */

static bool jq_data_push(struct jq *j, struct jq_val v)
{
    uint32_t at = MAX(j->sp, j->dlimit) + 1;
    if (at >= j->data.cap && !vec_grow(j->heap, (void **)&j->data.p, j->data.cap, &j->data.cap,
                                       at + 1 - j->data.cap + 32, sizeof *j->data.p)) {
        jq_drop(j, v);
        return false;
    }
    j->data.p[at] = (struct jq_cell){v, j->sp};
    j->sp = at;
    return true;
}

static struct jq_val jq_data_pop(struct jq *j)
{
    uint32_t at = j->sp;
    if (UNLIKELY(at == 0)) /* only after memory ran out */
        return jq_none();
    struct jq_cell *c = &j->data.p[at];
    j->sp = c->prev;
    return at > j->dlimit ? c->v : jq_copy(c->v);
}

static struct jq_val jq_data_get(struct jq *j, unsigned below)
{
    uint32_t at = j->sp;
    while (below-- > 0 && at)
        at = j->data.p[at].prev;
    return at ? jq_copy(j->data.p[at].v) : jq_none();
}

static void jq_set_dot(struct jq *j, struct jq_val v)
{
    struct jq_val old = j->dot;
    j->dot = v;
    jq_drop(j, old);
}

static struct jq_val jq_take_dot(struct jq *j)
{
    struct jq_val v = j->dot;
    j->dot = jq_none();
    return v;
}

static void jq_slot_set(struct jq *j, int slot, struct jq_val v)
{
    struct jq_val *at = jq_slot(j, slot, 0), old = *at;
    *at = v;
    jq_drop(j, old);
}

static struct jq_val jq_slot_take(struct jq *j, int slot)
{
    struct jq_val *at = jq_slot(j, slot, 0), v = *at;
    *at = jq_null();
    return v;
}

static uint32_t jq_frame_end(const struct jq *j, uint32_t f)
{
    return f + JQ_HEAD + j->frames.p[f + 1].aux;
}

static void jq_frame_free(struct jq *j, uint32_t f)
{
    for (uint32_t i = f + JQ_HEAD, end = jq_frame_end(j, f); i < end; i++) {
        jq_drop(j, j->frames.p[i]);
        j->frames.p[i] = jq_none();
    }
}

/* A frame at `at`; its slots are empty. */
static bool jq_frame_make(struct jq *j, uint32_t at, const struct jq_func *f, uint32_t prev,
                          uint32_t link, uint32_t pc)
{
    uint32_t size = JQ_HEAD + (uint32_t)f->nslots;
    if (at + size > j->frames.cap &&
        !vec_grow(j->heap, (void **)&j->frames.p, j->frames.cap, &j->frames.cap,
                  at + size - j->frames.cap + 64, sizeof *j->frames.p))
        return false;
    struct jq_val *p = j->frames.p + at;
    memset(p, 0, size * sizeof *p);
    p[0].aux = prev;
    p[0].bits = link | (uint64_t)pc << 32;
    p[1].aux = (uint32_t)f->nslots;
    j->fp = at;
    return true;
}

/* ---- forks ----------------------------------------------------------------------------------- */

/* Protects what is on the stacks for the fork. */
static void jq_protect(struct jq *j, const struct jq_fork *f)
{
    j->dlimit = MAX(f->sp, f->dlimit);
    uint32_t end = jq_frame_end(j, f->fp);
    j->flimit = MAX(end, f->flimit);
}

static struct jq_fork *jq_fork(struct jq *j, int kind, uint32_t pc, struct jq_val dot)
{
    if (!vec_reserve(j->heap, &j->forks, 1)) {
        jq_drop(j, dot);
        return NULL;
    }
    struct jq_fork *f = &j->forks.p[j->forks.n++];
    f->kind = (uint8_t)kind;
    f->pc = pc;
    f->dot = dot;
    f->sp = j->sp;
    f->dlimit = j->dlimit;
    f->fp = j->fp;
    f->flimit = j->flimit;
    f->nest = j->nest;
    f->path = jq_copy(j->path);
    f->at = jq_copy(j->at);
    jq_protect(j, f);
    return f;
}

/* Drops what came to the stacks since the fork at the top. */
static void jq_release(struct jq *j)
{
    while (j->sp > j->dlimit) {
        jq_drop(j, j->data.p[j->sp].v);
        j->sp = j->data.p[j->sp].prev;
    }
    while (j->fp >= j->flimit) {
        jq_frame_free(j, j->fp);
        j->fp = j->frames.p[j->fp].aux;
    }
}

static void jq_restore_stacks(struct jq *j, const struct jq_fork *f)
{
    jq_release(j);
    j->sp = f->sp;
    j->dlimit = f->dlimit;
    j->fp = f->fp;
    j->flimit = f->flimit;
}

/* Takes the top fork off and goes back to its state. Its dot goes to the caller. */
static struct jq_fork jq_fork_pop(struct jq *j)
{
    struct jq_fork f = j->forks.p[--j->forks.n];
    jq_restore_stacks(j, &f);
    jq_drop(j, j->path);
    jq_drop(j, j->at);
    j->path = f.path;
    j->at = f.at;
    j->nest = f.nest;
    jq_set_dot(j, jq_none());
    return f;
}

/* Back to the state of the fork at the top, which stays. */
static struct jq_fork *jq_fork_return(struct jq *j)
{
    struct jq_fork *f = &j->forks.p[j->forks.n - 1];
    jq_restore_stacks(j, f);
    jq_protect(j, f);
    if (f->path.kind || j->path.kind) {
        jq_drop(j, j->path);
        jq_drop(j, j->at);
        j->path = jq_copy(f->path);
        j->at = jq_copy(f->at);
    }
    j->nest = f->nest;
    return f;
}

/* The element of a container at or behind *i; false: there is none. */
static bool jq_element(struct jq_val t, uint32_t *i, struct jq_val *v)
{
    if (t.kind == JQ_ARRAY) {
        if (*i >= t.arr->n)
            return false;
        *v = t.arr->v[*i];
        return true;
    }
    while (*i < t.obj->used && !t.obj->m[*i].key)
        ++*i;
    if (*i >= t.obj->used)
        return false;
    *v = t.obj->m[*i].v;
    return true;
}

static void jq_element_path(struct jq *j, struct jq_val t, uint32_t i, struct jq_val v)
{
    if (jq_tracking(j))
        jq_path_step(j, t.kind == JQ_ARRAY ? jq_number(i) : jq_copy(jq_of_string(t.obj->m[i].key)),
                     v);
}

/* The next element of the fork at the top. */
static uint32_t jq_each_next(struct jq *j)
{
    struct jq_fork *f = jq_fork_return(j);
    struct jq_val t = f->dot, v, next;
    uint32_t i = f->index, after, pc = f->pc;

    jq_element(t, &i, &v);
    after = i + 1;
    v = jq_copy(v);
    if (jq_element(t, &after, &next)) {
        f->index = after;
        jq_element_path(j, t, i, v);
    } else {
        struct jq_fork last = jq_fork_pop(j);
        jq_element_path(j, t, i, v);
        jq_drop(j, last.dot);
    }
    jq_set_dot(j, v);
    return pc;
}

/* Iterates over dot. JQ_NOWHERE: nothing, or an error. */
static uint32_t jq_each(struct jq *j, uint32_t pc, bool opt)
{
    struct jq_val t = jq_take_dot(j), v, next;
    uint32_t i = 0, after;

    if (!jq_each_check(j, t, opt) || !jq_element(t, &i, &v)) {
        jq_drop(j, t);
        return JQ_NOWHERE;
    }
    v = jq_copy(v);
    after = i + 1;
    if (jq_element(t, &after, &next)) {
        struct jq_fork *f = jq_fork(j, JQF_EACH, pc, t);
        if (!f) {
            jq_drop(j, v);
            return JQ_NOWHERE;
        }
        f->index = after;
        jq_element_path(j, t, i, v);
    } else {
        jq_element_path(j, t, i, v);
        jq_drop(j, t);
    }
    j->dot = v;
    return pc;
}

static uint32_t jq_range_next(struct jq *j)
{
    struct jq_fork *f = jq_fork_return(j);
    double v = f->num;
    uint32_t pc = f->pc;

    f->num = v + 1;
    if (f->num >= f->end)
        jq_fork_pop(j);
    jq_set_dot(j, jq_number(v));
    return pc;
}

static uint32_t jq_range(struct jq *j, const struct jq_expr *e, uint32_t pc)
{
    struct jq_val from = jq_peek(j, e->a, &j->dot), to = jq_peek(j, e->b, &j->dot);
    double a = from.kind == JQ_NUMBER ? jq_double(from) : 0;
    double b = to.kind == JQ_NUMBER ? jq_double(to) : 0;
    bool bad = from.kind != JQ_NUMBER || to.kind != JQ_NUMBER;

    jq_drop(j, from);
    jq_drop(j, to);
    if (bad) {
        jq_fail(j, "Range bounds must be numeric");
        return JQ_NOWHERE;
    }
    if (!(a < b))
        return JQ_NOWHERE;
    jq_set_dot(j, jq_none());
    if (a + 1 < b) {
        struct jq_fork *f = jq_fork(j, JQF_RANGE, pc, jq_none());
        if (!f)
            return JQ_NOWHERE;
        f->num = a + 1;
        f->end = b;
    }
    j->dot = jq_number(a);
    return pc;
}

/* Goes back to the last fork that has something to offer: where to go on, or JQ_NOWHERE. */
static uint32_t jq_backtrack(struct jq *j)
{
    if ((++j->ticks & (JQ_TICKS - 1)) == 0 && proc_tick(j->p, 1) < 0)
        j->fatal = HOB_EKILLED;
    while (j->forks.n && !j->fatal) {
        struct jq_fork f;
        switch (j->forks.p[j->forks.n - 1].kind) {
        case JQF_EACH: return jq_each_next(j);
        case JQF_RANGE: return jq_range_next(j);
        case JQF_JUMP:
        case JQF_BARE:
            f = jq_fork_pop(j);
            j->dot = f.dot;
            return f.pc;
        default:
            f = jq_fork_pop(j);
            jq_drop(j, f.dot);
            break;
        }
    }
    return JQ_NOWHERE;
}

/* An error was raised, or a break: to the fork that wants it. */
static uint32_t jq_unwind(struct jq *j)
{
    size_t skip = SIZE_MAX;

    while (j->forks.n) {
        struct jq_fork f = jq_fork_pop(j);
        size_t at = j->forks.n;
        if (j->broke && f.kind == JQF_LABEL && f.label == j->break_label) {
            j->broke = false;
            return jq_backtrack(j);
        }
        if (f.kind == JQF_TRYEND && skip > f.match)
            skip = f.match;
        if (!j->broke && ((f.kind == JQF_TRY && at < skip) || f.kind == JQF_DALT)) {
            struct jq_val error = j->error;
            j->raised = false;
            j->error = jq_none();
            if (f.kind == JQF_DALT) {
                jq_drop(j, error);
                error = f.dot;
            } else {
                jq_drop(j, f.dot);
            }
            j->dot = error;
            return f.pc;
        }
        jq_drop(j, f.dot);
    }
    if (j->broke) {
        j->broke = false;
        jq_fail(j, "break");
    }
    return JQ_NOWHERE;
}

/* The forks since the mark go; dot and the path stay. */
static void jq_cut(struct jq *j, int slot)
{
    size_t forks = (size_t)jq_slot(j, slot, 0)->num;
    uint32_t sp = (uint32_t)jq_slot(j, slot + 1, 0)->num, fp = j->fp;

    while (j->forks.n > forks) {
        struct jq_fork f = j->forks.p[--j->forks.n];
        jq_restore_stacks(j, &f);
        jq_drop(j, f.dot);
        jq_drop(j, f.path);
        jq_drop(j, f.at);
    }
    while (j->sp != sp && j->sp) {
        if (j->sp > j->dlimit)
            jq_drop(j, j->data.p[j->sp].v);
        j->sp = j->data.p[j->sp].prev;
    }
    while (j->fp != fp) {
        if (j->fp >= j->flimit)
            jq_frame_free(j, j->fp);
        j->fp = j->frames.p[j->fp].aux;
    }
}

static void jq_try_end(struct jq *j, int slot)
{
    size_t at = (size_t)jq_slot(j, slot, 0)->num;
    if (at + 1 == j->forks.n) { /* nothing can come back to it */
        struct jq_fork f = j->forks.p[--j->forks.n];
        j->dlimit = f.dlimit;
        j->flimit = f.flimit;
        jq_drop(j, f.path);
        jq_drop(j, f.at);
        return;
    }
    struct jq_fork *f = jq_fork(j, JQF_TRYEND, 0, jq_none());
    if (f)
        f->match = (uint32_t)at;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static uint32_t jq_link(const struct jq *j, int level)
{
    uint32_t f = j->fp;
    while (level-- > 0)
        f = (uint32_t)j->frames.p[f].bits;
    return f;
}

static struct jq_val jq_make_closure(struct jq *j, const struct jq_expr *arg)
{
    if (arg->op == JQX_CLOSURE)
        return *jq_slot(j, arg->slot, arg->level);
    return (struct jq_val){.kind = JQ_CLOSURE, .aux = j->fp, .func = arg->func};
}

/* Calls e->func. In a tail the frame of the caller is used again, if nothing needs it any more. */
static uint32_t jq_call(struct jq *j, const struct jq_expr *e, uint32_t pc, bool tail)
{
    uint32_t link = jq_link(j, e->level), at, prev = j->fp;
    struct jq_val args[JQ_TAIL_ARGS];

    tail = tail && e->nargs <= JQ_TAIL_ARGS && j->fp && j->fp >= j->flimit && link != j->fp;
    for (int i = 0; tail && i < e->nargs; i++) {
        args[i] = jq_make_closure(j, e->args[i]);
        tail = args[i].aux != j->fp;
    }
    if (tail) {
        at = j->fp;
        prev = j->frames.p[at].aux;
        pc = (uint32_t)(j->frames.p[at].bits >> 32);
        jq_frame_free(j, at);
    } else {
        at = MAX(jq_frame_end(j, j->fp), j->flimit);
    }
    uint32_t caller = j->fp;
    if (!jq_frame_make(j, at, e->func, prev, link, pc))
        return JQ_NOWHERE;
    for (int i = 0; i < e->nargs; i++) {
        if (!tail) {
            j->fp = caller;
            struct jq_val v = jq_make_closure(j, e->args[i]);
            j->fp = at;
            args[0] = v;
        }
        j->frames.p[at + JQ_HEAD + (uint32_t)i] = args[tail ? i : 0];
    }
    return e->func->pc;
}

static uint32_t jq_call_closure(struct jq *j, const struct jq_expr *e, uint32_t pc)
{
    struct jq_val c = *jq_slot(j, e->slot, e->level);
    uint32_t at = MAX(jq_frame_end(j, j->fp), j->flimit);
    if (c.kind != JQ_CLOSURE || !jq_frame_make(j, at, c.func, j->fp, c.aux, pc))
        return JQ_NOWHERE;
    return c.func->pc;
}

static uint32_t jq_return(struct jq *j)
{
    uint32_t f = j->fp, pc = (uint32_t)(j->frames.p[f].bits >> 32);
    if (f >= j->flimit)
        jq_frame_free(j, f);
    j->fp = j->frames.p[f].aux;
    return pc;
}

/* ---- instructions that do not jump ----------------------------------------------------------- */

static void jq_run_object(struct jq *j, const struct jq_code *c)
{
    struct jq_val k, o;
    switch (c->op) {
    case JQO_OBJECT:
        jq_data_push(j, jq_take_dot(j));
        jq_data_push(j, jq_object(j, 4));
        break;
    case JQO_INPUT: jq_set_dot(j, jq_data_get(j, c->n)); break;
    case JQO_PUSH:
        jq_data_push(j, jq_take_dot(j));
        j->dot = jq_data_get(j, c->n);
        break;
    case JQO_INSERT:
        k = jq_data_pop(j);
        o = jq_data_pop(j);
        jq_data_push(j, jq_insert(j, o, k, jq_take_dot(j)));
        break;
    default:
        jq_set_dot(j, jq_data_pop(j));
        jq_drop(j, jq_data_pop(j));
        break;
    }
}

static void jq_run_native(struct jq *j, const struct jq_expr *e)
{
    struct jq_val in[JQ_NATIVE_ARGS + 1];
    for (int i = 1; i <= e->nargs; i++)
        in[i] = jq_data_pop(j);
    in[0] = jq_take_dot(j);
    j->dot = e->native->fn(j, in);
}

/* One member of a pattern that is no simple one. */
static void jq_run_member(struct jq *j, const struct jq_code *c)
{
    if (c->sub == 0) {
        struct jq_val t = jq_data_pop(j), k = jq_take_dot(j);
        if (k.kind == JQ_STRING) {
            j->dot = jq_index(j, t, k);
            return;
        }
        jq_fail(j, "Cannot index %s with %s", jq_kind_name(t), jq_kind_name(k));
        jq_drop(j, t);
        jq_drop(j, k);
        return;
    }
    struct jq_val k = c->sub == 1 ? jq_number(c->slot) : jq_copy(jq_of_string(c->pat->names[c->n]));
    j->dot = jq_index(j, jq_take_dot(j), k);
    if (c->sub == 2 && c->slot >= 0 && j->dot.kind)
        jq_slot_set(j, c->slot, jq_copy(j->dot));
}

static void jq_run_path(struct jq *j, bool begin)
{
    if (begin) {
        jq_data_push(j, j->path.kind ? j->path : jq_null());
        jq_data_push(j, j->at.kind ? j->at : jq_null());
        jq_data_push(j, jq_number(j->path.kind ? j->nest : -1 - j->nest));
        j->path = jq_array(j, 4);
        j->at = jq_copy(j->dot);
        j->nest = 0;
        return;
    }
    double nest = jq_data_pop(j).num;
    struct jq_val at = jq_data_pop(j), path = jq_data_pop(j);
    if (nest < 0) { /* there was none before */
        nest = -1 - nest;
        at = path = jq_none();
    }
    j->dot = jq_path_end(j, jq_take_dot(j), path, at, (int)nest);
}

/* a = b and a |= b, path by path. */
static void jq_run_change(struct jq *j, const struct jq_code *c)
{
    struct jq_val acc, path, v;

    switch (c->op) {
    case JQO_SETPATH:
        path = jq_take_dot(j);
        acc = jq_slot_take(j, c->slot);
        v = jq_copy(*jq_slot(j, c->e->b->slot, c->e->b->level));
        acc = jq_setpath(j, acc, path, v);
        jq_slot_set(j, c->slot, acc);
        break;
    case JQO_GETACC:
        path = jq_take_dot(j);
        jq_slot_set(j, c->slot + 2, jq_copy(path));
        j->dot = jq_getpath(j, jq_copy(*jq_slot(j, c->slot, 0)), path);
        break;
    case JQO_PUTACC:
        path = jq_slot_take(j, c->slot + 2);
        acc = jq_slot_take(j, c->slot);
        acc = jq_setpath(j, acc, path, jq_take_dot(j));
        jq_slot_set(j, c->slot, acc);
        break;
    case JQO_DELACC:
        path = jq_slot_take(j, c->slot + 2);
        jq_push(j, jq_slot(j, c->slot + 1, 0), path);
        break;
    default:
        acc = jq_slot_take(j, c->slot);
        v = jq_slot_take(j, c->slot + 1);
        jq_set_dot(j,
                   v.kind == JQ_ARRAY && v.arr->n ? jq_delpaths(j, acc, v) : (jq_drop(j, v), acc));
        break;
    }
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* Whether something happened that keeps dot from having a value, other than there being none. */
static bool jq_stopped(struct jq *j) { return j->raised || j->broke || j->halted || jq_end(j) < 0; }

int jq_next(struct jq *j, struct jq_val *out)
{
    uint32_t pc = j->pc;
    bool back = j->started;
    struct jq_val v, w;

    j->started = true;
    for (;;) {
        if (back) {
            back = false;
            if (jq_end(j) < 0)
                return 0;
            if (j->raised || j->broke)
                pc = jq_unwind(j);
            else
                pc = jq_backtrack(j);
            if (j->fatal || j->halted)
                return 0;
            if (pc == JQ_NOWHERE)
                return j->raised ? -1 : 0;
        }
        const struct jq_code *c = &j->code.p[pc++];
        switch (c->op) {
        case JQO_EVAL:
            v = jq_take_dot(j);
            j->dot = jq_eval(j, c->e, v);
            break;
        case JQO_DUP: jq_data_push(j, jq_copy(j->dot)); break;
        case JQO_POP: jq_set_dot(j, jq_data_pop(j)); break;
        case JQO_SWAP:
            v = jq_data_pop(j);
            jq_data_push(j, jq_take_dot(j));
            j->dot = v;
            break;
        case JQO_NEST: j->nest++; continue;
        case JQO_UNNEST: j->nest--; continue;
        case JQO_FORK: jq_fork(j, JQF_JUMP, c->to, jq_copy(j->dot)); break;
        case JQO_BARE: jq_fork(j, JQF_BARE, c->to, jq_none()); break;
        case JQO_JUMP: pc = c->to; continue;
        case JQO_UNLESS:
            if (!jq_truth(j->dot))
                pc = c->to;
            jq_set_dot(j, jq_data_pop(j));
            break;
        case JQO_BACK: back = true; continue;
        case JQO_EACH:
            pc = jq_each(j, pc, c->e->opt);
            if (pc == JQ_NOWHERE)
                back = true;
            break;
        case JQO_INDEX:
            w = c->e->op == JQX_FIELD ? jq_copy(c->e->k) : jq_data_pop(j);
            v = jq_take_dot(j);
            j->dot = jq_step(j, v, w, c->e->opt);
            break;
        case JQO_SLICE:
            v = jq_data_pop(j);
            w = jq_data_pop(j);
            jq_data_push(j, jq_slice_key(j, w, jq_take_dot(j)));
            j->dot = v;
            break;
        case JQO_BINARY:
            w = jq_data_pop(j);
            v = jq_take_dot(j);
            j->dot = jq_binary(j, c->e->sub, v, w);
            break;
        case JQO_LOGIC:
            v = jq_data_pop(j);
            if (jq_truth(j->dot) == c->sub) {
                jq_drop(j, v);
                v = jq_bool(c->sub);
                pc = c->to;
            }
            jq_set_dot(j, v);
            break;
        case JQO_TRUTH: jq_set_dot(j, jq_bool(jq_truth(j->dot))); break;
        case JQO_NATIVE: jq_run_native(j, c->e); break;
        case JQO_FORMAT:
            v = jq_take_dot(j);
            j->dot = jq_format(j, v, str_of(c->e->key->data, c->e->key->n));
            break;
        case JQO_RAISE: jq_raise(j, jq_take_dot(j)); break;
        case JQO_OBJECT:
        case JQO_INPUT:
        case JQO_PUSH:
        case JQO_INSERT:
        case JQO_BUILT:
            jq_run_object(j, c);
            if (c->op == JQO_INSERT || c->op == JQO_OBJECT) {
                if (jq_stopped(j))
                    back = true;
                continue;
            }
            break;
        case JQO_ARRAY: jq_slot_set(j, c->slot, jq_array(j, 0)); break;
        case JQO_APPEND:
            jq_push(j, jq_slot(j, c->slot, 0), jq_take_dot(j));
            back = true;
            continue;
        case JQO_STORE: jq_slot_set(j, c->slot, jq_take_dot(j)); continue;
        case JQO_KEEP: jq_slot_set(j, c->slot, jq_copy(j->dot)); break;
        case JQO_TAKE: jq_set_dot(j, jq_slot_take(j, c->slot)); break;
        case JQO_CLEAR: jq_slot_set(j, c->slot, jq_bool(false)); break;
        case JQO_FOUND:
            if (jq_truth(j->dot)) {
                jq_slot_set(j, c->slot, jq_bool(true));
                pc = c->to;
            } else {
                back = true;
            }
            continue;
        case JQO_UNFOUND: back = jq_slot(j, c->slot, 0)->kind == JQ_TRUE; continue;
        case JQO_MATCH:
            j->nest++;
            jq_bind(j, c->pat, jq_take_dot(j));
            j->nest--;
            if (jq_stopped(j))
                back = true;
            continue;
        case JQO_MEMBER: jq_run_member(j, c); break;
        case JQO_NULLS:
            for (uint32_t i = 0; i < c->e->nclear; i++)
                jq_slot_set(j, c->e->clear[i], jq_null());
            break;
        case JQO_DALT: jq_fork(j, JQF_DALT, c->to, jq_copy(j->dot)); break;
        case JQO_TRY:
            jq_slot_set(j, c->slot, jq_number((double)j->forks.n));
            jq_fork(j, JQF_TRY, c->to, jq_none());
            break;
        case JQO_TRYEND: jq_try_end(j, c->slot); break;
        case JQO_LABEL: {
            jq_slot_set(j, c->slot, jq_number((double)++j->labels));
            struct jq_fork *f = jq_fork(j, JQF_LABEL, 0, jq_none());
            if (f)
                f->label = j->labels;
            break;
        }
        case JQO_BREAK:
            j->broke = true;
            j->break_label = (uint64_t)jq_slot(j, c->slot, c->e->level)->num;
            back = true;
            continue;
        case JQO_MARK:
            jq_slot_set(j, c->slot, jq_number((double)j->forks.n));
            jq_slot_set(j, c->slot + 1, jq_number(j->sp));
            break;
        case JQO_CUT: jq_cut(j, c->slot); break;
        case JQO_RANGE:
            pc = jq_range(j, c->e, pc);
            if (pc == JQ_NOWHERE) {
                back = true;
                continue;
            }
            break;
        case JQO_PATH:
        case JQO_PATHEND: jq_run_path(j, c->op == JQO_PATH); break;
        case JQO_SETPATH:
        case JQO_PUTACC:
        case JQO_DELACC:
            jq_run_change(j, c);
            back = true;
            continue;
        case JQO_GETACC:
        case JQO_ACCEND: jq_run_change(j, c); break;
        case JQO_CALL:
        case JQO_TAIL:
            if ((++j->ticks & (JQ_TICKS - 1)) == 0 && proc_tick(j->p, 1) < 0)
                j->fatal = HOB_EKILLED;
            pc = jq_call(j, c->e, pc, c->op == JQO_TAIL);
            break;
        case JQO_CLOSURE: pc = jq_call_closure(j, c->e, pc); break;
        case JQO_RET: pc = jq_return(j); continue;
        case JQO_OUTPUT:
            j->pc = pc;
            *out = jq_take_dot(j);
            return 1;
        default: return 0;
        }
        if (UNLIKELY(j->dot.kind == JQ_NONE) || pc == JQ_NOWHERE)
            back = true;
        else if (UNLIKELY(j->heap->oom || j->fatal))
            return jq_end(j), 0;
    }
}

void jq_reset(struct jq *j)
{
    while (j->forks.n) {
        struct jq_fork f = jq_fork_pop(j);
        jq_drop(j, f.dot);
    }
    j->dlimit = j->flimit = 0;
    while (j->sp) {
        jq_drop(j, j->data.p[j->sp].v);
        j->sp = j->data.p[j->sp].prev;
    }
    while (j->frames.p && j->framed) {
        jq_frame_free(j, j->fp);
        if (j->fp == 0)
            break;
        j->fp = j->frames.p[j->fp].aux;
    }
    j->framed = false;
    jq_set_dot(j, jq_none());
    jq_drop(j, j->path);
    jq_drop(j, j->at);
    j->path = j->at = jq_none();
    j->nest = 0;
    j->started = false;
    j->broke = false;
}

void jq_start(struct jq *j, struct jq_val input)
{
    jq_reset(j);
    j->pc = 0;
    j->framed = jq_frame_make(j, 0, j->main, 0, 0, 0);
    j->flimit = 0;
    if (!j->framed) {
        jq_drop(j, input);
        jq_end(j);
        j->started = true; /* nothing will come */
        return;
    }
    j->dot = input;
}

#undef JQ_NOWHERE

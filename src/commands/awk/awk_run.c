/* awk_run.c -- the stack machine that runs a compiled awk program
 *
 * Values on the stack hold references of their own, except for slices, which are views of the
 * record and are settled (awk_settle) before its bytes go away. Calls of the program's functions
 * do not use the C stack: only what calls back (sorting, BEGINFILE) runs a machine in a machine.
 */
#include "commands/awk/awk_run.h"

#include <math.h>

#include "base/error.h"
#include "base/fmt.h"

/* Kept out of the machine, whose frame would grow with their buffers. */
#define AWK_SLOW __attribute__((noinline))

/* ---- the stack ------------------------------------------------------------------------------- */

bool awk_push_room(struct awk *a, size_t n)
{
    size_t used = (size_t)(a->sp - a->stack), cap = (size_t)(a->stack_end - a->stack);

    if (LIKELY(used + n <= cap))
        return true;
    size_t more = MAX(cap * 2, used + n + 64);
    struct awk_val *s = heap_realloc(a->heap, a->stack, cap * sizeof *s, more * sizeof *s);
    if (!s) {
        awk_nomem(a);
        return false;
    }
    a->stack = s;
    a->sp = s + used;
    a->stack_end = s + more;
    return true;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* The n values on top, one behind the other with `sep` between, become one. */
static AWK_SLOW void awk_join(struct awk *a, int n, struct str sep)
{
    char tmp[AWK_TMP];
    struct awk_val *v = a->sp - n;

    /* Two or three short pieces are the rule: their text is put together on the stack. */
    struct buf *b = &a->scratch;
    buf_clear(b);
    for (int i = 0; i < n; i++) {
        if (i && sep.n)
            buf_str(b, sep);
        buf_str(b, awk_text(a, &v[i], tmp));
    }
    struct str all = buf_get(b);
    struct awk_str *s = awk_str_new(a, all.p, all.n);
    if (a->heap->oom)
        awk_nomem(a);
    for (int i = 0; i < n; i++)
        awk_pop(a);
    awk_push(a, awk_text_val(s));
}

/* x = x and the n values on top: in place when nobody else holds the text of x. */
static AWK_SLOW void awk_append(struct awk *a, struct awk_val *to, int n, int32_t operand)
{
    char tmp[AWK_TMP];

    if (awk_scalar(a, to, operand)) {
        awk_to_str(a, to);
        for (int i = 0; i < n && !a->err; i++) {
            struct str s = awk_text(a, &a->sp[i - n], tmp);
            struct awk_str *old = to->u.s;
            size_t total = old->n + s.n;
            bool self = s.p >= old->p && s.p <= old->p + old->n;
            if (old->refs != 1 || total > old->cap || self) {
                struct awk_str *grown = awk_str_room(a, total + total / 2 + 16);
                if (a->err) {
                    awk_str_unref(a, grown);
                    break;
                }
                grown->n = total;
                if (old->n)
                    memcpy(grown->p, old->p, old->n);
                if (s.n)
                    memcpy(grown->p + old->n, s.p, s.n);
                to->u.s = grown;
                awk_str_unref(a, old);
            } else if (s.n) {
                memcpy(old->p + old->n, s.p, s.n);
                old->n = total;
            }
            to->u.s->p[total] = '\0';
        }
    }
    for (int i = 0; i < n; i++)
        awk_pop(a);
}

static AWK_SLOW void awk_match_value(struct awk *a, struct awk_re *re, bool not )
{
    char tmp[AWK_TMP];
    struct awk_val *v = &a->sp[-1];
    int r = re ? awk_re_match(a, re, awk_text(a, v, tmp), 0, 0, NULL, 0) : 0;

    awk_top_number(a, (r > 0) != not );
}

static void awk_match_dynamic(struct awk *a, bool not )
{
    struct awk_re *re = awk_re_of(a, &a->sp[-1]);

    awk_pop(a);
    awk_match_value(a, re, not );
}

/* case in a switch. */
static AWK_SLOW void awk_case_match(struct awk *a)
{
    struct awk_val *v = &a->sp[-2], *label = &a->sp[-1];
    char tmp[AWK_TMP];
    bool hit;

    if (label->kind == AWK_REGEX)
        hit = awk_re_match(a, label->u.re, awk_text(a, v, tmp), 0, 0, NULL, 0) > 0;
    else
        hit = awk_compare(a, v, label) == 0;
    awk_top_number(a, hit);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool awk_enter(struct awk *a, int func, int argc, size_t back)
{
    struct awk_func *f = &a->funcs.p[func];
    struct awk_frame frame = {(uint32_t)func, (uint32_t)a->base, back};

    if (!f->defined) {
        awk_fatal(a, "function `%.*s' not defined", STR_ARG(f->name));
        return false;
    }
    if (argc > f->nparams) {
        awk_fatal(a, "function `%.*s' called with more arguments than declared", STR_ARG(f->name));
        return false;
    }
    if ((size_t)(a->sp - a->stack) > UINT32_MAX - 1000 ||
        !awk_push_room(a, (size_t)f->nparams + 16) || !vec_push(a->heap, &a->frames, frame)) {
        awk_nomem(a);
        return false;
    }
    for (int i = 0; i < argc; i++) {
        struct awk_val *v = &a->sp[i - argc];
        if (v->kind == AWK_SLICE)
            awk_own(a, v);
    }
    for (int i = argc; i < f->nparams; i++)
        *a->sp++ = (struct awk_val){0};
    a->base = (size_t)(a->sp - a->stack) - (size_t)f->nparams;
    return true;
}

static void awk_drop_loops(struct awk *a, size_t down_to)
{
    while (a->loops.n > down_to) {
        struct awk_loop *l = &a->loops.p[--a->loops.n];
        for (size_t i = l->at; i < l->n; i++)
            awk_drop(a, &l->keys[i]);
        heap_free(a->heap, l->keys, (l->n + 1) * sizeof *l->keys);
    }
}

/* Takes the frame off; the value on top is the result. Returns where to go on. */
static size_t awk_leave(struct awk *a)
{
    struct awk_frame f = a->frames.p[a->frames.n - 1];
    struct awk_val result = *--a->sp;
    size_t loops = a->loops.n;

    if (result.kind == AWK_ARRAY)
        awk_fatal(a, "attempt to use array in a scalar context");
    else if (result.kind == AWK_UNSET)
        result.n = 1;
    while (loops && a->loops.p[loops - 1].frame >= a->frames.n)
        loops--;
    awk_drop_loops(a, loops);
    while (a->sp > a->stack + a->base)
        awk_pop(a);
    a->frames.n--;
    a->base = f.base;
    *a->sp++ = result;
    return f.pc;
}

/* @name(...): the function of that name, or a builtin. True: the program's function was entered. */
static AWK_SLOW bool awk_call_named(struct awk *a, int argc, size_t back)
{
    char tmp[AWK_TMP];
    struct awk_val *name = &a->sp[-argc - 1];
    struct str s = awk_text(a, name, tmp);
    int func = awk_function_named(a, s);
    const struct awk_builtin *b = func < 0 ? awk_builtin_find(s) : NULL;

    if (func < 0 && (!b || strchr(b->args, 'l') || argc < b->min || argc > b->max)) {
        awk_fatal(a, "`%.*s' is not a function, so it cannot be called indirectly", STR_ARG(s));
        return false;
    }
    awk_drop(a, name);
    memmove(name, name + 1, (size_t)argc * sizeof *name);
    a->sp--;
    if (func >= 0)
        return awk_enter(a, func, argc, back);
    awk_builtin_run(a, b->id, argc);
    return false;
}

struct awk_val awk_call(struct awk *a, int func, struct awk_val *argv, int argc)
{
    struct awk_val none = {0};

    if (task_stack_low(a->p->task)) {
        awk_fatal(a, "function call nesting is too deep");
        for (int i = 0; i < argc; i++)
            awk_drop(a, &argv[i]);
        return none;
    }
    for (int i = 0; i < argc; i++)
        awk_push(a, argv[i]);
    if (a->err || !awk_enter(a, func, argc, a->halt))
        return none;
    awk_run_code(a, a->funcs.p[func].pc);
    if (a->err || a->exiting)
        return none;
    return *--a->sp;
}

/* ---- getline --------------------------------------------------------------------------------- */

static AWK_SLOW void awk_do_getline(struct awk *a, int form, const struct awk_code *lv)
{
    int kind = lv->n, parts = awk_parts(kind, lv->a);
    struct awk_val var = {0};
    struct str rec, rt;
    int r;

    if (form == AWK_GET_MAIN) {
        if (a->when == AWK_BEGINFILE || a->when == AWK_ENDFILE)
            awk_fatal(a, "non-redirected `getline' invalid inside `%s' rule",
                      a->when == AWK_BEGINFILE ? "BEGINFILE" : "ENDFILE");
        r = a->err ? -1 : awk_next_main(a, kind ? &var : NULL);
    } else {
        r = awk_getline(a, form, &a->sp[-parts - 1], &rec, &rt);
        if (r > 0) {
            var = awk_input_val(a, rec);
            awk_set_rt(a, rt);
        }
        if (r > 0 && !kind) {
            awk_record_set(a, var.u.s);
            var.kind = AWK_UNSET;
        }
    }
    if (r <= 0 && kind == AWK_LV_FIELD && !a->err)
        awk_field_reach(a, awk_to_num(a, &a->sp[-1]));
    if (r > 0 && kind)
        awk_store(a, kind, lv->a, var);
    else
        awk_pop_parts(a, kind, lv->a);
    if (form != AWK_GET_MAIN)
        awk_pop(a);
    awk_push(a, awk_number(r));
}

/* ---- printing -------------------------------------------------------------------------------- */

static void awk_print_values(struct awk *a, struct out *o, struct awk_val *v, int n)
{
    char tmp[AWK_TMP];

    for (int i = 0; i < n; i++) {
        if (i)
            out_write(o, a->ofs->p, a->ofs->n);
        struct str s = awk_print_text(a, &v[i], tmp);
        out_write(o, s.p, s.n);
    }
    out_write(o, a->ors->p, a->ors->n);
}

static void awk_print_record(struct awk *a)
{
    struct str s = awk_record(a);

    out_write(&a->out, s.p, s.n);
    out_write(&a->out, a->ors->p, a->ors->n);
    if (UNLIKELY(a->out.err))
        awk_output_check(a, &a->out, "print");
}

static AWK_SLOW void awk_do_print(struct awk *a, const struct awk_code *c)
{
    struct out *o = &a->out;
    bool formatted = c->op == AWK_PRINTF;

    if (c->a != AWK_TO_STDOUT) {
        o = awk_output(a, c->a, &a->sp[-1]);
        awk_pop(a);
    }
    struct awk_val *v = a->sp - c->n;
    uint64_t ignored = a->p->sig_ignored;
    if (c->a == AWK_TO_PIPE) /* a command that has ended is an error, not a signal */
        a->p->sig_ignored |= SIG_BIT(SIG_PIPE);
    if (o && !formatted) {
        awk_print_values(a, o, v, c->n);
    } else if (o && c->n == 0) {
        awk_fatal(a, "printf: no arguments");
    } else if (o) {
        buf_clear(&a->scratch);
        awk_format(a, &a->scratch, c->n, v, "printf");
        if (a->scratch.n && !a->err)
            out_write(o, a->scratch.p, a->scratch.n);
    }
    if (o && o == &a->errors)
        out_flush(o);
    a->p->sig_ignored = ignored;
    if (o && UNLIKELY(o->err))
        awk_output_check(a, o, formatted ? "printf" : "print");
    for (int i = 0; i < c->n; i++)
        awk_pop(a);
}

/* ---- loops over arrays ----------------------------------------------------------------------- */

static void awk_for_start(struct awk *a, int32_t operand)
{
    struct awk_array *t = awk_array_deep(a, operand, 1);
    struct awk_loop loop = {.frame = a->frames.n};

    if (t && awk_sorted_keys(a, t, &loop.keys, &loop.n) && !vec_push(a->heap, &a->loops, loop)) {
        for (size_t i = 0; i < loop.n; i++)
            awk_drop(a, &loop.keys[i]);
        heap_free(a->heap, loop.keys, (loop.n + 1) * sizeof *loop.keys);
        awk_nomem(a);
    }
    if (operand == AWK_ON_STACK)
        awk_pop(a);
}

static void awk_delete_element(struct awk *a, int32_t operand)
{
    struct awk_array *t = awk_array_deep(a, operand, 2);
    if (t && !awk_table_locked(a, t))
        awk_array_del(a, t, &a->sp[-1]);
    awk_pop_subscript(a, operand);
}

static void awk_delete_array(struct awk *a, int32_t operand)
{
    struct awk_array *t = awk_array_deep(a, operand, 1);
    if (t && !awk_table_locked(a, t))
        awk_array_clear(a, t);
    if (operand == AWK_ON_STACK)
        awk_pop(a);
}

static void awk_is_in(struct awk *a, int32_t operand)
{
    struct awk_array *t = awk_array_deep(a, operand, 2);
    bool found = t && awk_array_find(a, t, &a->sp[-1]);
    awk_pop_subscript(a, operand);
    awk_push(a, awk_number(found));
}

static void awk_set_top(struct awk *a, const struct awk_code *c, bool drop)
{
    int parts = awk_parts(c->n, c->a);
    struct awk_val *v = &a->sp[-parts - 1];

    awk_own(a, v);
    awk_store(a, c->n, c->a, awk_copy(a, v));
    if (drop)
        awk_pop(a);
}

static void awk_do_exit(struct awk *a, bool value)
{
    if (value && awk_is_unset(&a->sp[-1])) { /* as if there were none */
        awk_pop(a);
    } else if (value) {
        double d = awk_to_num(a, &a->sp[-1]);
        a->status = d > -1e15 && d < 1e15 ? (int)((int64_t)d & 255) : 0;
        awk_pop(a);
    }
    a->exiting = true;
}

/* ---- the machine ----------------------------------------------------------------------------- */

/* The machine keeps the top of the stack in a register. What it calls finds it in a->sp. */
#define AWK_DO(call)                                                                               \
    {                                                                                              \
        a->sp = sp;                                                                                \
        call;                                                                                      \
        sp = a->sp;                                                                                \
        break;                                                                                     \
    }
#define AWK_ROOM()                                                                                 \
    if (UNLIKELY(sp == a->stack_end)) {                                                            \
        a->sp = sp;                                                                                \
        if (!awk_push_room(a, 1))                                                                  \
            break;                                                                                 \
        sp = a->sp;                                                                                \
    }
#define AWK_PUSH(v)                                                                                \
    {                                                                                              \
        AWK_ROOM()                                                                                 \
        *sp++ = (v);                                                                               \
        continue;                                                                                  \
    }
#define AWK_PUSH_NUMBER(d)                                                                         \
    {                                                                                              \
        AWK_ROOM()                                                                                 \
        awk_put_number(sp, d);                                                                     \
        sp++;                                                                                      \
        continue;                                                                                  \
    }
/* Two numbers compare at once; anything else takes the long way. With n a jump follows: it is taken
 * when the answer is no. */
#define AWK_COMPARE(op)                                                                            \
    {                                                                                              \
        bool r;                                                                                    \
        if (LIKELY(sp[-2].kind == AWK_NUM && sp[-1].kind == AWK_NUM)) {                            \
            r = sp[-2].num op sp[-1].num;                                                          \
        } else {                                                                                   \
            a->sp = sp;                                                                            \
            int cmp = awk_compare(a, &sp[-2], &sp[-1]);                                            \
            r = cmp == 2 ? (1 op 2) && (2 op 1) : (cmp op 0);                                      \
            awk_drop(a, &sp[-2]);                                                                  \
            awk_drop(a, &sp[-1]);                                                                  \
        }                                                                                          \
        sp -= 2;                                                                                   \
        if (c->n) {                                                                                \
            pc = r ? pc : (size_t)c->a;                                                            \
            break;                                                                                 \
        }                                                                                          \
        awk_put_number(sp, r);                                                                     \
        sp++;                                                                                      \
        break;                                                                                     \
    }
#define AWK_QUICK(op, slow)                                                                        \
    {                                                                                              \
        if (LIKELY(sp[-2].kind == AWK_NUM && sp[-1].kind == AWK_NUM)) {                            \
            sp[-2].num = sp[-2].num op sp[-1].num;                                                 \
            sp--;                                                                                  \
            continue;                                                                              \
        }                                                                                          \
        AWK_DO(awk_binary(a, slow))                                                                \
    }

static enum awk_end awk_machine(struct awk *a, size_t pc)
{
    const struct awk_code *code = a->code.p, *c;
    struct awk_val *v, *sp = a->sp;

    for (;;) {
        if (UNLIKELY(a->err) || UNLIKELY(a->exiting)) {
            a->sp = sp;
            return a->err ? AWK_ENDED : AWK_EXITED;
        }
        for (;;) { /* what cannot fail goes on with the next instruction at once: `continue` */
            c = &code[pc];
            a->pc = pc++;
            switch (c->op) {
            case AWK_HALT: a->sp = sp; return AWK_ENDED;
            case AWK_INT: AWK_PUSH_NUMBER(c->a)
            case AWK_CONST: AWK_PUSH(awk_copy(a, &a->consts.p[c->a]))
            case AWK_GET_G:
                v = &a->globals.p[c->a];
                if (LIKELY(v->kind == AWK_NUM))
                    AWK_PUSH_NUMBER(v->num)
                AWK_DO(awk_get(a, v, c->a))
            case AWK_GET_LIVE: AWK_PUSH_NUMBER(awk_live(a, c->a))
            case AWK_GET_L:
                v = awk_local(a, c->a);
                if (LIKELY(v->kind == AWK_NUM))
                    AWK_PUSH_NUMBER(v->num)
                AWK_DO(awk_get(a, v, ~c->a))
            case AWK_FIELD:
                AWK_ROOM()
                a->sp = sp;
                awk_field_put(a, (size_t)c->a, sp);
                sp++;
                break;
            case AWK_FIELD_TOP: AWK_DO(awk_field_top(a))
            case AWK_GET_E: AWK_DO(awk_get_element(a, c->a, AWK_AS_VALUE))
            case AWK_SUBARRAY: AWK_DO(awk_get_subarray(a, c->a))
            case AWK_ARR: AWK_DO(awk_push_array(a, c->a))
            case AWK_ARG_G: AWK_DO(awk_get_arg(a, &a->globals.p[c->a], (size_t)c->a))
            case AWK_ARG_L:
                AWK_DO(awk_get_arg(a, awk_local(a, c->a), AWK_LOCAL_REF + a->base + (size_t)c->a))
            case AWK_ARG_E: AWK_DO(awk_get_element(a, c->a, c->n))
            case AWK_JOIN: AWK_DO(awk_join(a, c->n, awk_str_get(a->subsep)))
            case AWK_SET_G: AWK_DO(awk_set_keep(a, &a->globals.p[c->a], c->a))
            case AWK_SET_G_DROP:
                if (awk_assign_quick(&a->globals.p[c->a], --sp))
                    continue;
                AWK_DO(awk_assign(a, &a->globals.p[c->a], *sp, c->a))
            case AWK_SET_L: AWK_DO(awk_set_keep(a, awk_local(a, c->a), ~c->a))
            case AWK_SET_L_DROP:
                if (awk_assign_quick(awk_local(a, c->a), --sp))
                    continue;
                AWK_DO(awk_assign(a, awk_local(a, c->a), *sp, ~c->a))
            case AWK_SET: AWK_DO(awk_set_top(a, c, false))
            case AWK_SET_DROP: AWK_DO(awk_set_top(a, c, true))
            case AWK_SET_E: AWK_DO(awk_set_element(a, c->a, false))
            case AWK_SET_E_DROP: AWK_DO(awk_set_element(a, c->a, true))
            case AWK_ADD_G_DROP:
                v = &a->globals.p[c->a];
                if (LIKELY(v->kind == AWK_NUM && sp[-1].kind == AWK_NUM)) {
                    v->num += (--sp)->num;
                    continue;
                }
                if (LIKELY(v->kind == AWK_NUM && sp[-1].kind == AWK_SLICE)) {
                    size_t used;
                    sp--;
                    v->num += awk_parse_num(str_of(sp->u.p, sp->n), &used);
                    continue;
                }
                AWK_DO(awk_add_global(a, v, c->a))
            case AWK_ADD_E_DROP: AWK_DO(awk_add_element(a, c->a))
            case AWK_MODIFY: AWK_DO(awk_modify(a, c))
            case AWK_STEP_G: AWK_DO(awk_step(a, c, AWK_LV_GLOBAL))
            case AWK_STEP_G_DROP:
                if (awk_step_quick(&a->globals.p[c->a], c->n))
                    continue;
                AWK_DO(awk_step_drop(a, c, AWK_LV_GLOBAL))
            case AWK_STEP_L_DROP:
                if (awk_step_quick(awk_local(a, c->a), c->n))
                    continue;
                AWK_DO(awk_step_drop(a, c, AWK_LV_LOCAL))
            case AWK_STEP_E_DROP: AWK_DO(awk_step_element(a, c))
            case AWK_STEP: AWK_DO(awk_step(a, c, c->n >> 8 & 0x7f))
            case AWK_APPEND_G: AWK_DO(awk_append(a, &a->globals.p[c->a], c->n, c->a))
            case AWK_APPEND_L: AWK_DO(awk_append(a, awk_local(a, c->a), c->n, ~c->a))
            case AWK_ADD: AWK_QUICK(+, '+')
            case AWK_SUB: AWK_QUICK(-, '-')
            case AWK_MUL: AWK_QUICK(*, '*')
            case AWK_DIV: AWK_DO(awk_binary(a, '/'))
            case AWK_MOD: AWK_DO(awk_binary(a, '%'))
            case AWK_POW: AWK_DO(awk_binary(a, '^'))
            case AWK_NEG: AWK_DO(awk_top_number(a, -awk_to_num(a, &sp[-1])))
            case AWK_TO_NUMBER: AWK_DO(awk_top_number(a, awk_to_num(a, &sp[-1])))
            case AWK_NOT: AWK_DO(awk_top_number(a, !awk_truth(a, &sp[-1])))
            case AWK_BOOL: AWK_DO(awk_top_number(a, awk_truth(a, &sp[-1])))
            case AWK_LT: AWK_COMPARE(<)
            case AWK_LE: AWK_COMPARE(<=)
            case AWK_EQ: AWK_COMPARE(==)
            case AWK_NE: AWK_COMPARE(!=)
            case AWK_GT: AWK_COMPARE(>)
            case AWK_GE: AWK_COMPARE(>=)
            case AWK_CONCAT: AWK_DO(awk_join(a, c->n, STR("")))
            case AWK_MATCH_REC:
                a->sp = sp;
                if (awk_re_match(a, a->consts.p[c->a].u.re, awk_record(a), 0, 0, NULL, 0) > 0)
                    AWK_PUSH_NUMBER(1)
                AWK_DO(awk_push(a, awk_number(0)))
            case AWK_MATCH_RE: AWK_DO(awk_match_value(a, a->consts.p[c->a].u.re, c->n))
            case AWK_MATCH_DYN: AWK_DO(awk_match_dynamic(a, c->n))
            case AWK_IN: AWK_DO(awk_is_in(a, c->a))
            case AWK_JUMP: pc = (size_t)c->a; continue;
            case AWK_LOOP:
                pc = (size_t)c->a;
                a->sp = sp;
                if (LIKELY((a->err = proc_tick(a->p, 1)) == 0))
                    continue;
                break;
            case AWK_IF_NOT:
            case AWK_IF: {
                a->sp = sp;
                bool yes = awk_truth(a, --sp);
                awk_drop(a, sp);
                if (yes == (c->op == AWK_IF))
                    pc = (size_t)c->a;
                break;
            }
            case AWK_AND_ELSE:
            case AWK_OR_ELSE: {
                a->sp = sp;
                bool yes = awk_truth(a, --sp);
                awk_drop(a, sp);
                if (yes == (c->op == AWK_OR_ELSE)) {
                    awk_put_number(sp, yes);
                    sp++;
                    pc = (size_t)c->a;
                }
                break;
            }
            case AWK_DROP:
                --sp;
                awk_drop(a, sp);
                continue;
            case AWK_CALL:
                a->sp = sp;
                if ((a->err = proc_tick(a->p, 1)) == 0 && awk_enter(a, c->a, c->n, pc))
                    pc = a->funcs.p[c->a].pc;
                sp = a->sp;
                break;
            case AWK_CALL_NAMED:
                a->sp = sp;
                if (awk_call_named(a, c->n, pc))
                    pc = a->funcs.p[a->frames.p[a->frames.n - 1].func].pc;
                sp = a->sp;
                break;
            case AWK_RETURN: AWK_DO(pc = awk_leave(a))
            case AWK_BUILTIN: AWK_DO(awk_builtin_run(a, c->a, c->n))
            case AWK_SUBST: AWK_DO(awk_subst(a, c->n & 256, c->n & 255, c->a))
            case AWK_GETLINE: pc++; AWK_DO(awk_do_getline(a, c->n, c + 1))
            case AWK_PRINT_REC: AWK_DO(awk_print_record(a))
            case AWK_PRINT:
            case AWK_PRINTF: AWK_DO(awk_do_print(a, c))
            case AWK_FOR_START: AWK_DO(awk_for_start(a, c->a))
            case AWK_FOR_NEXT: {
                struct awk_loop *l = &a->loops.p[a->loops.n - 1];
                if (l->at < l->n)
                    AWK_PUSH(l->keys[l->at++])
                pc = (size_t)c->a;
                continue;
            }
            case AWK_FOR_END: awk_drop_loops(a, a->loops.n - 1); continue;
            case AWK_DELETE: AWK_DO(awk_delete_element(a, c->a))
            case AWK_DELETE_ALL: AWK_DO(awk_delete_array(a, c->a))
            case AWK_GO_NEXT: a->sp = sp; return AWK_NEXT;
            case AWK_GO_NEXTFILE: a->sp = sp; return AWK_NEXT_FILE;
            case AWK_EXIT: AWK_DO(awk_do_exit(a, c->n))
            case AWK_RANGE: AWK_PUSH_NUMBER(a->ranges.p[c->a])
            case AWK_RANGE_SET: a->ranges.p[c->a] = c->n; continue;
            case AWK_CASE: AWK_DO(awk_case_match(a))
            default: a->err = HOB_EBUG; break;
            }
            break;
        }
    }
}

enum awk_end awk_run_code(struct awk *a, size_t pc)
{
    size_t frames = a->frames.n, loops = a->loops.n, base = a->base, at = a->pc;
    size_t depth = (size_t)(a->sp - a->stack);
    bool call = pc >= a->entry_end;
    int when = a->when;

    for (int w = 0; w < AWK_WHEN; w++) {
        if (a->entry[w] == pc)
            a->when = w;
    }
    if (call) { /* awk_call() has entered already */
        frames--;
        base = a->frames.p[frames].base;
        depth -= (size_t)a->funcs.p[a->frames.p[frames].func].nparams;
    }
    if (a->code.p[pc].op != AWK_HALT)
        a->running = true; /* from now on messages tell where */
    enum awk_end end = awk_machine(a, pc);
    if (end != AWK_ENDED || a->err || !call) {
        awk_drop_loops(a, loops);
        a->frames.n = frames;
        while (a->sp > a->stack + depth)
            awk_pop(a);
    }
    a->base = base;
    if (call)
        a->pc = at;
    a->when = when;
    return end;
}

/* The rules over each record. This is awk_run_code() without what only calls within calls need. */
static void awk_run_rules(struct awk *a)
{
    size_t entry = a->entry[AWK_MAIN];
    bool empty = a->code.p[entry].op == AWK_HALT;

    while (!a->err && !a->exiting && awk_next_main(a, NULL)) {
        enum awk_end end = AWK_ENDED;
        a->when = AWK_MAIN;
        if (!empty) {
            a->running = true;
            end = awk_machine(a, entry);
        }
        if (UNLIKELY(end != AWK_ENDED || a->err)) {
            awk_drop_loops(a, 0);
            a->frames.n = 0;
            a->base = 0;
            while (a->sp > a->stack)
                awk_pop(a);
        }
        if (UNLIKELY(end == AWK_NEXT_FILE))
            awk_next_file(a);
        if (!a->err)
            a->err = proc_tick(a->p, 1);
    }
}

void awk_execute(struct awk *a)
{
    if (a->rules[AWK_BEGIN])
        awk_run_code(a, a->entry[AWK_BEGIN]);
    bool reads =
        a->rules[AWK_MAIN] || a->rules[AWK_END] || a->rules[AWK_BEGINFILE] || a->rules[AWK_ENDFILE];
    if (reads && !a->err && !a->exiting)
        awk_run_rules(a);
    if (a->rules[AWK_END] && !a->err) {
        bool was = a->exiting;
        a->exiting = false;
        awk_run_code(a, a->entry[AWK_END]);
        a->exiting |= was;
    }
}

#undef AWK_DO
#undef AWK_ROOM
#undef AWK_PUSH
#undef AWK_PUSH_NUMBER
#undef AWK_SLOW
#undef AWK_COMPARE
#undef AWK_QUICK

/* awk_vars.c -- the variables of a running awk program: reading, assigning, counting in them */
#include "commands/awk/awk_run.h"

#include <math.h>

#include "base/error.h"

/* ---- variables ------------------------------------------------------------------------------- */

const char *awk_name_of(struct awk *a, int32_t operand)
{
    struct str s = STR("?");

    if (operand == AWK_ON_STACK)
        return "array element";
    if (operand >= 0)
        s = a->global_names.p[operand];
    else if (a->frames.n)
        s = a->funcs.p[a->frames.p[a->frames.n - 1].func].params[~operand];
    s = arena_str(a->p->arena, s);
    return s.p ? s.p : "?";
}

static void awk_not_scalar(struct awk *a, const struct awk_val *v, int32_t operand)
{
    struct str from = v->kind == AWK_ARRAY ? v->u.a->name : STR_NONE;

    if (operand < 0 && from.p)
        awk_fatal(a, "attempt to use array `%s (from %.*s)' in a scalar context",
                  awk_name_of(a, operand), STR_ARG(from));
    else
        awk_fatal(a, "attempt to use array `%s' in a scalar context", awk_name_of(a, operand));
}

/* The variable that an AWK_REF stands for. */
static struct awk_val *awk_root(struct awk *a, const struct awk_val *v)
{
    return v->u.ref >= AWK_LOCAL_REF ? &a->stack[v->u.ref - AWK_LOCAL_REF]
                                     : &a->globals.p[v->u.ref];
}

/* The value becomes an array, if it may. */
static struct awk_array *awk_become_array(struct awk *a, struct awk_val *v, int32_t operand)
{
    if (LIKELY(v->kind == AWK_ARRAY))
        return v->u.a;
    if (v->kind == AWK_REF) {
        struct awk_array *t = awk_become_array(a, awk_root(a, v), operand);
        if (t) {
            t->refs++;
            *v = (struct awk_val){.u.a = t, .kind = AWK_ARRAY};
        }
        return t;
    }
    if (v->kind == AWK_UNSET) {
        struct awk_array *t = awk_array_new(a);
        if (t) {
            *v = (struct awk_val){.u.a = t, .kind = AWK_ARRAY};
            if (operand >= 0 && operand != AWK_ON_STACK)
                t->name = a->global_names.p[operand];
        }
        return t;
    }
    if (operand == AWK_ON_STACK)
        awk_fatal(a, "attempt to use a scalar value as array");
    else
        awk_fatal(a, "attempt to use scalar %s`%s' as an array", operand < 0 ? "parameter " : "",
                  awk_name_of(a, operand));
    return NULL;
}

/* The array of an instruction. One that is on the stack lies below the subscript; `depth` tells how
 * far from the top. */
struct awk_array *awk_array_deep(struct awk *a, int32_t operand, int depth)
{
    struct awk_val *v = operand == AWK_ON_STACK ? &a->sp[-depth]
                        : operand >= 0          ? &a->globals.p[operand]
                                                : awk_local(a, ~operand);
    return awk_become_array(a, v, operand);
}

struct awk_array *awk_array_operand(struct awk *a, int32_t operand)
{
    return awk_array_deep(a, operand, 2);
}

/* Lets go of a subscript, and of the array below it if there is one. */
void awk_pop_subscript(struct awk *a, int32_t operand)
{
    awk_pop(a);
    if (operand == AWK_ON_STACK)
        awk_pop(a);
}

void awk_pop_parts(struct awk *a, int kind, int32_t operand)
{
    if (kind == AWK_LV_FIELD || kind == AWK_LV_VALUE)
        awk_pop(a);
    else if (kind == AWK_LV_ELEM)
        awk_pop_subscript(a, operand);
}

int awk_parts(int kind, int32_t operand)
{
    if (kind == AWK_LV_ELEM)
        return operand == AWK_ON_STACK ? 2 : 1;
    return kind == AWK_LV_FIELD || kind == AWK_LV_VALUE;
}

/* The element that the subscript on top names; NULL after an error. */
static struct awk_val *awk_element(struct awk *a, int32_t operand)
{
    struct awk_array *t = awk_array_deep(a, operand, 2);
    return t ? awk_array_at(a, t, &a->sp[-1]) : NULL;
}

bool awk_scalar(struct awk *a, struct awk_val *v, int32_t operand)
{
    if (LIKELY(v->kind != AWK_ARRAY))
        return true;
    awk_not_scalar(a, v, operand);
    return false;
}

/* A variable gets a value, whose reference goes over. */
void awk_assign(struct awk *a, struct awk_val *to, struct awk_val v, int32_t operand)
{
    if (v.kind == AWK_SLICE)
        awk_own(a, &v);
    else if (v.kind == AWK_REF)
        v.kind = AWK_UNSET;
    if (!awk_scalar(a, to, operand)) {
        awk_drop(a, &v);
        return;
    }
    struct awk_val old = *to;
    *to = v;
    awk_drop(a, &old);
}

void awk_store(struct awk *a, int kind, int32_t operand, struct awk_val v)
{
    struct awk_val *to;

    switch (kind) {
    case AWK_LV_GLOBAL:
        awk_assign(a, &a->globals.p[operand], v, operand);
        if (operand < AWK_V_HOOKED && !a->err)
            awk_special_set(a, operand);
        return;
    case AWK_LV_LOCAL: awk_assign(a, awk_local(a, operand), v, ~operand); return;
    case AWK_LV_FIELD: {
        double i = awk_to_num(a, &a->sp[-1]);
        awk_pop(a);
        awk_own(a, &v);
        awk_field_set(a, i, v);
        return;
    }
    case AWK_LV_ELEM:
        awk_own(a, &v);
        to = awk_element(a, operand);
        if (to)
            awk_assign(a, to, v, AWK_ON_STACK);
        else
            awk_drop(a, &v);
        awk_pop_subscript(a, operand);
        return;
    default: awk_drop(a, &v); awk_pop_parts(a, kind, operand);
    }
}

/* What variables with a meaning do when they are set. */
void awk_special_set(struct awk *a, int which)
{
    struct awk_val *v = awk_special(a, which);
    struct awk_str **text = NULL;

    switch (which) {
    case AWK_V_NF: awk_set_nf(a, trunc(awk_to_num(a, v))); break;
    case AWK_V_NR: a->nr = trunc(awk_to_num(a, v)); break;
    case AWK_V_FNR: a->fnr = trunc(awk_to_num(a, v)); break;
    case AWK_V_FS: awk_field_fs(a); break;
    case AWK_V_RS: awk_set_rs(a); break;
    case AWK_V_IGNORECASE:
        a->icase = awk_truth(a, v);
        if (a->fs == AWK_FS_CHAR || a->fs == AWK_FS_REGEX)
            awk_field_fs(a);
        awk_set_rs(a);
        break;
    case AWK_V_FIELDWIDTHS: awk_field_widths(a); break;
    case AWK_V_FPAT: awk_field_fpat(a); break;
    case AWK_V_OFS:
        if (a->stale)
            awk_record(a); /* it was to be built with the old one */
        text = &a->ofs;
        break;
    case AWK_V_ORS: text = &a->ors; break;
    case AWK_V_OFMT: text = &a->ofmt; break;
    case AWK_V_CONVFMT: text = &a->convfmt; break;
    case AWK_V_SUBSEP: text = &a->subsep; break;
    default: break;
    }
    if (text) {
        struct awk_str *old = *text;
        struct awk_val copy = awk_copy(a, v);
        *text = awk_str_ref(awk_to_str(a, &copy));
        awk_drop(a, &copy);
        awk_str_unref(a, old);
        a->ofmt_plain = str_eqz(awk_str_get(a->ofmt), "%.6g");
        a->convfmt_plain = str_eqz(awk_str_get(a->convfmt), "%.6g");
    }
}

void awk_get(struct awk *a, struct awk_val *v, int32_t operand)
{
    if (v->kind == AWK_NUM) {
        awk_push(a, *v);
        return;
    }
    if (v->kind == AWK_INPUT)
        awk_is_number(v); /* settled once, for all that read it */
    if (v->kind == AWK_ARRAY)
        awk_not_scalar(a, v, operand);
    else if (v->kind == AWK_REF)
        awk_push(a, (struct awk_val){0});
    else
        awk_push(a, awk_copy(a, v));
}

/* An argument of a function: arrays go by reference, what is unset may become one. */
void awk_get_arg(struct awk *a, struct awk_val *v, size_t ref)
{
    if (v->kind == AWK_REF) { /* a function that was called with it may have made an array of it */
        struct awk_val *root = awk_root(a, v);
        if (root->kind == AWK_ARRAY)
            awk_become_array(a, v, 0);
    }
    if (v->kind == AWK_UNSET)
        awk_push(a, (struct awk_val){.u.ref = ref, .kind = AWK_REF});
    else
        awk_push(a, awk_copy(a, v));
}

void awk_get_element(struct awk *a, int32_t operand, bool arg)
{
    struct awk_val *e = awk_element(a, operand), v = {0};

    if (e && e->kind == AWK_ARRAY && !arg)
        awk_fatal(a, "attempt to use array `%s[...]' in a scalar context", awk_name_of(a, operand));
    else if (e) {
        if (e->kind == AWK_INPUT)
            awk_is_number(e);
        v = awk_copy(a, e);
    }
    awk_pop_subscript(a, operand);
    awk_push(a, v);
}

void awk_get_subarray(struct awk *a, int32_t operand)
{
    struct awk_val *e = awk_element(a, operand), v = {0};

    if (e && awk_become_array(a, e, AWK_ON_STACK))
        v = awk_copy(a, e);
    awk_pop_subscript(a, operand);
    awk_push(a, v);
}

void awk_push_array(struct awk *a, int32_t operand)
{
    struct awk_array *t = awk_array_deep(a, operand, 1);
    struct awk_val v = {.u.a = t, .kind = AWK_ARRAY};

    if (t) {
        t->refs++;
        awk_push(a, v);
    } else {
        awk_push(a, (struct awk_val){0});
    }
}

/* [v][subscript] -> [v], or nothing. */
void awk_set_element(struct awk *a, int32_t operand, bool drop)
{
    int below = operand == AWK_ON_STACK ? 3 : 2;
    struct awk_val *v = &a->sp[-below];

    awk_own(a, v);
    struct awk_val *e = awk_element(a, operand);
    if (e && awk_assign_quick(e, v)) {
        /* done */
    } else if (e && awk_scalar(a, e, AWK_ON_STACK)) {
        struct awk_val old = *e;
        *e = v->kind == AWK_REF ? (struct awk_val){0} : drop ? *v : awk_copy(a, v);
        if (drop)
            v->kind = AWK_UNSET;
        awk_drop(a, &old);
    }
    awk_pop_subscript(a, operand);
    if (drop)
        awk_pop(a);
}

void awk_add_element(struct awk *a, int32_t operand)
{
    int below = operand == AWK_ON_STACK ? 3 : 2;
    double d = awk_to_num(a, &a->sp[-below]);
    struct awk_val *e = awk_element(a, operand);

    if (e && LIKELY(e->kind == AWK_NUM))
        e->num += d;
    else if (e && awk_scalar(a, e, AWK_ON_STACK)) {
        d += awk_to_num(a, e);
        awk_drop(a, e);
        awk_put_number(e, d);
    }
    awk_pop_subscript(a, operand);
    awk_pop(a);
}

void awk_add_global(struct awk *a, struct awk_val *v, int32_t operand)
{
    if (awk_scalar(a, v, operand)) {
        double d = awk_to_num(a, v) + awk_to_num(a, &a->sp[-1]);
        awk_drop(a, v);
        *v = awk_number(d);
    }
    awk_pop(a);
}

/* A variable gets what is on top, and that stays there. */
void awk_set_keep(struct awk *a, struct awk_val *to, int32_t operand)
{
    awk_own(a, &a->sp[-1]);
    awk_assign(a, to, awk_copy(a, &a->sp[-1]), operand);
}

void awk_field_top(struct awk *a)
{
    double i = awk_to_num(a, &a->sp[-1]);
    awk_pop(a);
    awk_push(a, awk_field_get(a, i));
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* x to the power y; small whole powers by multiplication, as gawk does. */
static double awk_power(double x, double y)
{
    if (y != (double)(int)(y > -1025 && y < 1025 ? y : 0.5))
        return pow(x, y);
    bool minus = y < 0;
    unsigned n = (unsigned)(minus ? -y : y);
    double r = 1, sq = x;

    for (; n; n >>= 1, sq *= sq) {
        if (n & 1)
            r *= sq;
    }
    return minus ? 1 / r : r;
}

static double awk_operate(struct awk *a, int op, double x, double y, bool assign)
{
    switch (op) {
    case '+': return x + y;
    case '-': return x - y;
    case '*': return x * y;
    case '/':
        if (y == 0) {
            awk_fatal(a, "division by zero attempted%s", assign ? " in `/='" : "");
            return 0;
        }
        return x / y;
    case '%':
        if (y == 0) {
            awk_fatal(a, "division by zero attempted in `%%%s'", assign ? "=" : "");
            return 0;
        }
        return fmod(x, y);
    default: return awk_power(x, y);
    }
}

void awk_binary(struct awk *a, int op)
{
    double y = awk_to_num(a, &a->sp[-1]), x = awk_to_num(a, &a->sp[-2]);

    awk_pop(a);
    awk_top_number(a, awk_operate(a, op, x, y, false));
}

/* The variable of an lvalue, where it can be changed in place; NULL otherwise. */
static struct awk_val *awk_place(struct awk *a, int kind, int32_t operand)
{
    struct awk_val *v = NULL;

    if (kind == AWK_LV_GLOBAL && operand >= AWK_V_HOOKED)
        v = &a->globals.p[operand];
    else if (kind == AWK_LV_LOCAL)
        v = awk_local(a, operand);
    else if (kind == AWK_LV_ELEM)
        v = awk_element(a, operand);
    if (v && !awk_scalar(a, v, kind == AWK_LV_LOCAL ? ~operand : operand))
        return NULL;
    return v;
}

/* The number in a place that cannot be changed directly: a field, or a variable with a hook. */
static double awk_place_num(struct awk *a, int kind, int32_t operand)
{
    struct awk_val v = {0};

    if (kind == AWK_LV_FIELD)
        v = awk_field_get(a, awk_to_num(a, &a->sp[-1]));
    else if (kind == AWK_LV_GLOBAL && operand == AWK_V_NF)
        return (double)awk_nf(a);
    else if (kind == AWK_LV_GLOBAL && operand <= AWK_V_FNR)
        return operand == AWK_V_NR ? a->nr : a->fnr;
    else if (kind == AWK_LV_GLOBAL)
        v = awk_copy(a, &a->globals.p[operand]);
    double d = awk_to_num(a, &v);
    awk_drop(a, &v);
    return d;
}

/* Replaces the number in a place, and takes the parts off the stack. */
static void awk_update(struct awk *a, struct awk_val *place, int kind, int32_t operand, double d)
{
    if (!place) {
        if (a->err)
            awk_pop_parts(a, kind, operand);
        else
            awk_store(a, kind, operand, awk_number(d));
        return;
    }
    awk_drop(a, place);
    *place = awk_number(d);
    awk_pop_parts(a, kind, operand);
}

void awk_modify(struct awk *a, const struct awk_code *c)
{
    int kind = c->n >> 8 & 0x7f, parts = awk_parts(kind, c->a);
    double y = awk_to_num(a, &a->sp[-parts - 1]);
    struct awk_val *place = awk_place(a, kind, c->a);
    double x = a->err ? 0 : place ? awk_to_num(a, place) : awk_place_num(a, kind, c->a);
    double d = awk_operate(a, c->n & 255, x, y, true);

    awk_update(a, place, kind, c->a, d);
    if (c->n & AWK_OP_DROP)
        awk_pop(a);
    else
        awk_top_number(a, d);
}

void awk_step(struct awk *a, const struct awk_code *c, int kind)
{
    struct awk_val *place = awk_place(a, kind, c->a);
    double x = a->err ? 0 : place ? awk_to_num(a, place) : awk_place_num(a, kind, c->a);
    int step = c->n & 3;
    double d = step == AWK_PRE_INC || step == AWK_POST_INC ? x + 1 : x - 1;

    awk_update(a, place, kind, c->a, d);
    if (!(c->n & AWK_OP_DROP))
        awk_push(a, awk_number(step >= AWK_POST_INC ? x : d));
}

void awk_step_drop(struct awk *a, const struct awk_code *c, int kind)
{
    awk_step(a, c, kind);
    awk_pop(a);
}

void awk_step_element(struct awk *a, const struct awk_code *c)
{
    struct awk_val *e = awk_element(a, c->a);

    if (e && !awk_step_quick(e, c->n & 3) && awk_scalar(a, e, AWK_ON_STACK)) {
        double d = awk_to_num(a, e);
        awk_drop(a, e);
        *e = awk_number((c->n & 3) == AWK_PRE_INC || (c->n & 3) == AWK_POST_INC ? d + 1 : d - 1);
    }
    awk_pop_subscript(a, c->a);
}

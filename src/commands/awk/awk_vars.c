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

/* The element that an AWK_PLACE stands for; NULL when out of memory. */
static struct awk_val *awk_placed(struct awk *a, const struct awk_val *v)
{
    return awk_array_at_str(a, v->u.place->array, awk_str_get(v->u.place->key));
}

void awk_resolve(struct awk *a, struct awk_val *v, bool use)
{
    struct awk_val *root = v;

    while (root->kind == AWK_REF)
        root = awk_root(a, root);
    if (root->kind == AWK_PLACE) {
        struct awk_val *e = awk_placed(a, root);
        if (e && e->kind == AWK_ARRAY)
            root = e;
        else if (use)
            awk_drop(a, root);
    }
    if (root->kind == AWK_UNSET && use)
        root->n = 1;
    if (root != v && root->kind == AWK_ARRAY) {
        struct awk_val array = awk_copy(a, root);
        awk_drop(a, v);
        *v = array;
    } else if (root != v && (use || (root->kind == AWK_UNSET && root->n))) {
        *v = (struct awk_val){.n = 1};
    }
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
    if (v->kind == AWK_PLACE) {
        struct awk_val *e = awk_placed(a, v);
        struct awk_array *t = e ? awk_become_array(a, e, AWK_ON_STACK) : NULL;
        if (t) {
            t->refs++;
            awk_drop(a, v);
            *v = (struct awk_val){.u.a = t, .kind = AWK_ARRAY};
        }
        return t;
    }
    if (v->kind == AWK_UNSET && !v->n) {
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

/* An element of SYMTAB is the variable itself. */
static struct awk_val *awk_table_at(struct awk *a, struct awk_array *t, bool assign)
{
    struct awk_val *e = awk_array_find(a, t, &a->sp[-1]);
    struct str key = awk_str_get(awk_to_str(a, &a->sp[-1]));

    if (assign && t->table == AWK_V_FUNCTAB)
        awk_fatal(a, "cannot assign to elements of FUNCTAB");
    else if (!e && assign)
        awk_fatal(a, "cannot assign to arbitrary elements of SYMTAB");
    else if (!e)
        awk_fatal(a, "reference to uninitialized element `%.*s[\"%.*s\"] is not allowed'",
                  STR_ARG(t->name), STR_ARG(key));
    int index = !a->err && t->table == AWK_V_SYMTAB ? awk_global(a, key) : -1;
    if (index < 0)
        return a->err ? NULL : e;
    if (index <= AWK_V_FNR)
        a->globals.p[index] = awk_number(awk_live(a, index));
    return &a->globals.p[index];
}

/* What is written to a variable by way of SYMTAB has the same effect. */
static void awk_wrote(struct awk *a, struct awk_val *e)
{
    if (UNLIKELY(a->tables) && !a->err && e >= a->globals.p && e < a->globals.p + AWK_V_HOOKED)
        awk_special_set(a, (int)(e - a->globals.p));
}

struct awk_val *awk_element(struct awk *a, int32_t operand, bool assign)
{
    struct awk_array *t = awk_array_deep(a, operand, 2);
    if (t && UNLIKELY(t->table))
        return awk_table_at(a, t, assign);
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
    else if (awk_is_unset(&v)) {
        awk_drop(a, &v);
        v = (struct awk_val){.n = 1};
    }
    if (to->kind >= AWK_REF)
        awk_resolve(a, to, true);
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
        to = awk_element(a, operand, true);
        if (to) {
            awk_assign(a, to, v, AWK_ON_STACK);
            awk_wrote(a, to);
        } else
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
        if (a->traditional) {
            if (!a->told_icase)
                awk_warn(a, "`IGNORECASE' is a gawk extension");
            a->told_icase = true;
            break;
        }
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
    else if (awk_is_unset(v))
        awk_resolve(a, v, true);
    if (v->kind == AWK_ARRAY)
        awk_not_scalar(a, v, operand);
    else
        awk_push(a, awk_copy(a, v));
}

/* An argument of a function: arrays go by reference, what is unset may become one. */
void awk_get_arg(struct awk *a, struct awk_val *v, size_t ref)
{
    if (v->kind >= AWK_REF) /* a function that was called with it may have made an array of it */
        awk_resolve(a, v, false);
    if (v->kind == AWK_UNSET && !v->n)
        awk_push(a, (struct awk_val){.u.ref = ref, .kind = AWK_REF});
    else
        awk_push(a, awk_copy(a, v));
}

/* An element without a value, as an argument: the function may make an array of it. */
static struct awk_val awk_element_place(struct awk *a, int32_t operand)
{
    struct awk_array *t = awk_array_deep(a, operand, 2);
    struct awk_place *place = t ? heap_new(a->heap, struct awk_place) : NULL;

    if (!place) {
        awk_nomem(a);
        return (struct awk_val){0};
    }
    place->refs = 1;
    place->array = t;
    t->refs++;
    place->key = awk_str_ref(awk_to_str(a, &a->sp[-1]));
    return (struct awk_val){.u.place = place, .kind = AWK_PLACE};
}

void awk_get_element(struct awk *a, int32_t operand, enum awk_element_use use)
{
    struct awk_val *e = awk_element(a, operand, false), v = {0};

    if (e && e->kind == AWK_UNSET && use == AWK_AS_ARGUMENT && !a->tables)
        v = awk_element_place(a, operand);
    else if (e && e->kind == AWK_ARRAY && use == AWK_AS_VALUE)
        awk_fatal(a, "attempt to use array `%s[...]' in a scalar context", awk_name_of(a, operand));
    else if (e) {
        if (e->kind == AWK_INPUT)
            awk_is_number(e);
        else if (use == AWK_AS_ARRAY && e->kind == AWK_UNSET && !e->n)
            awk_become_array(a, e, AWK_ON_STACK);
        v = awk_copy(a, e);
    }
    awk_pop_subscript(a, operand);
    awk_push(a, v);
}

void awk_get_subarray(struct awk *a, int32_t operand)
{
    struct awk_val *e = awk_element(a, operand, false), v = {0};

    if (e && awk_become_array(a, e, AWK_ON_STACK))
        v = awk_copy(a, e);
    awk_pop_subscript(a, operand);
    awk_push(a, v);
}

/* An array as the argument of a builtin, which complains itself when it gets something else. */
void awk_push_array(struct awk *a, int32_t operand)
{
    struct awk_val *v = operand >= 0 ? &a->globals.p[operand] : awk_local(a, ~operand);

    if (awk_is_unset(v))
        awk_resolve(a, v, false);
    bool may = v->kind == AWK_ARRAY || (awk_is_unset(v) && !(v->kind == AWK_UNSET && v->n));
    struct awk_array *t = may ? awk_become_array(a, v, operand) : NULL;
    if (t)
        t->refs++;
    awk_push(a, t ? (struct awk_val){.u.a = t, .kind = AWK_ARRAY} : (struct awk_val){0});
}

/* [v][subscript] -> [v], or nothing. */
void awk_set_element(struct awk *a, int32_t operand, bool drop)
{
    int below = operand == AWK_ON_STACK ? 3 : 2;
    struct awk_val *v = &a->sp[-below];

    awk_own(a, v);
    struct awk_val *e = awk_element(a, operand, true);
    if (e && awk_assign_quick(e, v)) {
        /* done */
    } else if (e && awk_scalar(a, e, AWK_ON_STACK)) {
        struct awk_val old = *e;
        *e = awk_is_unset(v) ? (struct awk_val){.n = 1} : drop ? *v : awk_copy(a, v);
        if (drop)
            v->kind = AWK_UNSET;
        awk_drop(a, &old);
    }
    if (e)
        awk_wrote(a, e);
    awk_pop_subscript(a, operand);
    if (drop)
        awk_pop(a);
}

void awk_add_element(struct awk *a, int32_t operand)
{
    int below = operand == AWK_ON_STACK ? 3 : 2;
    double d = awk_to_num(a, &a->sp[-below]);
    struct awk_val *e = awk_element(a, operand, true);

    if (e && LIKELY(e->kind == AWK_NUM))
        e->num += d;
    else if (e && awk_scalar(a, e, AWK_ON_STACK)) {
        d += awk_to_num(a, e);
        awk_drop(a, e);
        awk_put_number(e, d);
    }
    if (e)
        awk_wrote(a, e);
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

double awk_power(double x, double y)
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
        v = awk_element(a, operand, true);
    if (v && v->kind >= AWK_REF)
        awk_resolve(a, v, true);
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
    awk_wrote(a, place);
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
    struct awk_val *e = awk_element(a, c->a, true);

    if (e && !awk_step_quick(e, c->n & 3) && awk_scalar(a, e, AWK_ON_STACK)) {
        double d = awk_to_num(a, e);
        awk_drop(a, e);
        *e = awk_number((c->n & 3) == AWK_PRE_INC || (c->n & 3) == AWK_POST_INC ? d + 1 : d - 1);
    }
    if (e)
        awk_wrote(a, e);
    awk_pop_subscript(a, c->a);
}

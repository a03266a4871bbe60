/* awk_run.h -- what the machine shares with its variables: the stack, and places to assign to */
#ifndef HOB_COMMANDS_AWK_AWK_RUN_H
#define HOB_COMMANDS_AWK_AWK_RUN_H

#include "commands/awk/awk.h"
#include "commands/awk/awk_code.h"

static inline void awk_push(struct awk *a, struct awk_val v)
{
    if (UNLIKELY(a->sp == a->stack_end) && !awk_push_room(a, 1)) {
        awk_drop(a, &v);
        return;
    }
    *a->sp++ = v;
}

static inline void awk_pop(struct awk *a)
{
    a->sp--;
    awk_drop(a, a->sp);
}

/* The top becomes a number, its old value is let go. */
static inline void awk_top_number(struct awk *a, double d)
{
    awk_drop(a, &a->sp[-1]);
    awk_put_number(&a->sp[-1], d);
}

static inline struct awk_val *awk_local(struct awk *a, int i)
{
    return &a->stack[a->base + (size_t)i];
}

/* Two numbers: the one takes the place of the other. */
static inline bool awk_assign_quick(struct awk_val *to, const struct awk_val *v)
{
    if (v->kind != AWK_NUM || to->kind > AWK_NUM)
        return false;
    awk_put_number(to, v->num);
    return true;
}

/* ++ and -- as a statement, on a variable that is a number in most cases. */
static inline bool awk_step_quick(struct awk_val *v, int step)
{
    if (v->kind != AWK_NUM)
        return false;
    v->num += step == AWK_PRE_INC || step == AWK_POST_INC ? 1 : -1;
    return true;
}

static inline double awk_live(struct awk *a, int which)
{
    return which == AWK_V_NF ? (double)awk_nf(a) : which == AWK_V_NR ? a->nr : a->fnr;
}

/* awk_vars.c */
struct awk_array *awk_array_deep(struct awk *a, int32_t operand, int depth);
void awk_pop_subscript(struct awk *a, int32_t operand);
void awk_pop_parts(struct awk *a, int kind, int32_t operand);
int awk_parts(int kind, int32_t operand);
/* A parameter that stands for something of the caller learns what has become of that; with `use`
 * both are scalars from now on. */
void awk_resolve(struct awk *a, struct awk_val *v, bool use);
bool awk_scalar(struct awk *a, struct awk_val *v, int32_t operand);
void awk_assign(struct awk *a, struct awk_val *to, struct awk_val v, int32_t operand);
void awk_get(struct awk *a, struct awk_val *v, int32_t operand);
void awk_get_arg(struct awk *a, struct awk_val *v, size_t ref);
/* The element that the subscript on top names; NULL after an error. */
struct awk_val *awk_element(struct awk *a, int32_t operand, bool assign);
enum awk_element_use {
    AWK_AS_VALUE,
    AWK_AS_ARGUMENT, /* of a function of the program */
    AWK_AS_ANYTHING, /* of a builtin that takes arrays and values */
    AWK_AS_ARRAY     /* of a builtin that takes arrays: one that is new becomes an array */
};
void awk_get_element(struct awk *a, int32_t operand, enum awk_element_use use);
void awk_get_subarray(struct awk *a, int32_t operand);
void awk_push_array(struct awk *a, int32_t operand);
void awk_set_element(struct awk *a, int32_t operand, bool drop);
void awk_add_element(struct awk *a, int32_t operand);
void awk_add_global(struct awk *a, struct awk_val *v, int32_t operand);
void awk_set_keep(struct awk *a, struct awk_val *to, int32_t operand);
void awk_field_top(struct awk *a);
void awk_binary(struct awk *a, int op);
void awk_modify(struct awk *a, const struct awk_code *c);
void awk_step(struct awk *a, const struct awk_code *c, int kind);
void awk_step_drop(struct awk *a, const struct awk_code *c, int kind);
void awk_step_element(struct awk *a, const struct awk_code *c);

#endif

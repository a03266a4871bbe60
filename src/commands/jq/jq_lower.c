/* jq_lower.c -- from syntax to a tree whose names are resolved
 *
 * A call of a function that does not call itself is replaced by the body of the function, with the
 * arguments in the place of the parameters: names are looked up in the scope where they were
 * written, so nothing is captured, and variables become slots of the frame that surrounds them.
 * What is left are calls of recursive functions, which have frames of their own.
 */
#include <math.h>

#include "base/error.h"
#include "commands/jq/jq_lower.h"

enum {
    JQ_MAX_NODES = 400000 /* of a whole program */
};

/* ---- nodes ----------------------------------------------------------------------------------- */

struct jq_expr *jq_expr(struct jq_lowering *c, int op, struct jq_expr *a, struct jq_expr *b)
{
    if (c->failed)
        return NULL;
    if (++c->nodes > JQ_MAX_NODES) {
        if (c->j->errors == 0)
            proc_warn(c->j->p, "error: program is too large");
        c->j->errors++;
        c->failed = true;
        return NULL;
    }
    struct jq_expr *e = arena_new(&c->j->arena, struct jq_expr);
    if (!e) {
        c->failed = true;
        return NULL;
    }
    e->op = (uint8_t)op;
    e->a = a;
    e->b = b;
    e->slot = -1;
    e->simple = (!a || a->simple) && (!b || b->simple);
    return e;
}

int jq_new_slot(struct jq_lowering *c) { return c->func->nslots++; }

struct jq_expr *jq_const(struct jq_lowering *c, struct jq_val v)
{
    struct jq_expr *e = jq_expr(c, JQX_CONST, NULL, NULL);
    if (e)
        e->k = v;
    return e;
}

struct jq_expr *jq_variable(struct jq_lowering *c, int slot, const struct jq_func *owner)
{
    struct jq_expr *e = jq_expr(c, JQX_VAR, NULL, NULL);
    if (e) {
        e->slot = slot;
        e->level = jq_hops(c, owner);
    }
    return e;
}

int jq_hops(const struct jq_lowering *c, const struct jq_func *owner)
{
    int n = 0;
    for (const struct jq_func *f = c->func; f && f != owner; f = f->parent)
        n++;
    return n;
}

/* A message about a place in the unit that is being looked at. */
static struct jq_expr *jq_lower_bad(struct jq_lowering *c, const struct jq_ast *a, const char *what,
                                    struct str name, int arity)
{
    if (arity >= 0)
        jq_locate(c->j, c->unit, a->at, a->end, "%.*s/%d %s", STR_ARG(name), arity, what);
    else
        jq_locate(c->j, c->unit, a->at, a->end, "%s%.*s %s", arity == -2 ? "$*label-" : "$",
                  STR_ARG(name), what);
    return jq_expr(c, JQX_EMPTY, NULL, NULL);
}

struct jq_env *jq_scope(struct jq_lowering *c, int kind, struct str name, struct jq_env *parent)
{
    struct jq_env *e = arena_new(&c->j->arena, struct jq_env);
    if (!e) {
        c->failed = true;
        e = &c->scratch;
    }
    e->kind = kind;
    e->name = name;
    e->parent = parent;
    e->owner = c->func;
    e->inl = c->inl;
    e->unit = c->unit;
    return e;
}

/* ---- patterns -------------------------------------------------------------------------------- */

/* The variables of a pattern become slots; a name that is in scope since `since` keeps its own. */
static int jq_pattern_slot(struct jq_lowering *c, struct str name, struct jq_env *since)
{
    for (struct jq_env *e = c->env; e != since; e = e->parent)
        if (e->kind == JQ_ENV_VAR && str_eq(e->name, name))
            return e->slot;
    struct jq_env *e = jq_scope(c, JQ_ENV_VAR, name, c->env);
    if (c->failed)
        return 0;
    e->slot = jq_new_slot(c);
    c->env = e;
    return e->slot;
}

static struct jq_bindings *jq_lower_pattern(struct jq_lowering *c, const struct jq_pattern *p,
                                            struct jq_env *since);

static void jq_lower_members(struct jq_lowering *c, const struct jq_pattern *p,
                             struct jq_bindings *b, struct jq_env *since)
{
    b->keys = arena_array(&c->j->arena, struct jq_expr *, p->n);
    b->names = arena_array(&c->j->arena, struct jq_string *, p->n);
    b->slots = arena_array(&c->j->arena, int, p->n);
    if (!b->keys || !b->names || !b->slots) {
        c->failed = true;
        return;
    }
    for (uint32_t i = 0; i < p->n && !c->failed; i++) {
        b->slots[i] = -1;
        if (p->names[i].p) {
            struct jq_string *s = jq_intern(c->j, p->names[i]);
            b->names[i] = s;
            jq_keep(c->j, jq_of_string(s));
            b->slots[i] = jq_pattern_slot(c, p->names[i], since);
        } else if (p->keys[i]) {
            b->keys[i] = jq_lower(c, p->keys[i]);
            if (b->keys[i])
                b->simple &= b->keys[i]->simple;
        }
        b->sub[i] = p->sub[i] ? jq_lower_pattern(c, p->sub[i], since) : NULL;
        if (b->sub[i])
            b->simple &= b->sub[i]->simple;
    }
}

static struct jq_bindings *jq_lower_pattern(struct jq_lowering *c, const struct jq_pattern *p,
                                            struct jq_env *since)
{
    struct jq_bindings *b = arena_new(&c->j->arena, struct jq_bindings);

    if (!b || task_stack_low(c->j->p->task)) {
        c->failed = true;
        return NULL;
    }
    b->slot = -1;
    b->simple = true;
    b->array = p->array;
    b->object = p->object;
    if (!p->array && !p->object) {
        b->slot = jq_pattern_slot(c, p->name, since);
        return b;
    }
    b->n = p->n;
    b->sub = arena_array(&c->j->arena, struct jq_bindings *, p->n);
    if (!b->sub) {
        c->failed = true;
        return NULL;
    }
    if (p->object) {
        jq_lower_members(c, p, b, since);
        return b;
    }
    for (uint32_t i = 0; i < p->n && !c->failed; i++) {
        b->sub[i] = jq_lower_pattern(c, p->sub[i], since);
        if (b->sub[i])
            b->simple &= b->sub[i]->simple;
    }
    return b;
}

/* The patterns of a into e; c->env then has their variables. */
static void jq_lower_patterns(struct jq_lowering *c, const struct jq_ast *a, struct jq_expr *e)
{
    struct jq_env *since = c->env;

    e->pats = arena_array(&c->j->arena, struct jq_bindings *, a->npats);
    e->npats = a->npats;
    if (!e->pats) {
        c->failed = true;
        return;
    }
    for (uint32_t i = 0; i < a->npats; i++) {
        e->pats[i] = jq_lower_pattern(c, a->pats[i], since);
        e->simple &= e->pats[i] && e->pats[i]->simple;
    }
    e->simple &= a->npats == 1;
    if (a->npats == 1)
        return;
    for (struct jq_env *v = c->env; v != since; v = v->parent)
        e->nclear++;
    e->clear = arena_array(&c->j->arena, int, MAX(e->nclear, 1));
    uint32_t n = 0;
    for (struct jq_env *v = c->env; e->clear && v != since; v = v->parent)
        e->clear[n++] = v->slot;
    c->failed |= !e->clear;
}

/* value as $slot | body, for variables of our own. */
struct jq_expr *jq_bind_slot(struct jq_lowering *c, struct jq_expr *value, int slot,
                             struct jq_expr *body)
{
    struct jq_expr *e = jq_expr(c, JQX_BIND, value, body);
    struct jq_bindings *b = arena_new(&c->j->arena, struct jq_bindings);
    if (!e || !b) {
        c->failed = true;
        return NULL;
    }
    b->slot = slot;
    b->simple = true;
    e->pats = arena_array(&c->j->arena, struct jq_bindings *, 1);
    if (!e->pats) {
        c->failed = true;
        return NULL;
    }
    e->pats[0] = b;
    e->npats = 1;
    return e;
}

/* ---- small forms ----------------------------------------------------------------------------- */

static struct jq_expr *jq_lower_index(struct jq_lowering *c, const struct jq_ast *a)
{
    struct jq_expr *t = jq_lower(c, a->a), *k = jq_lower(c, a->b), *e;
    if (c->failed)
        return NULL;
    if (k->op == JQX_CONST && k->k.kind == JQ_STRING) {
        e = jq_expr(c, JQX_FIELD, t, NULL);
        if (!e)
            return NULL;
        e->key = jq_intern(c->j, jq_text(k->k));
        jq_keep(c->j, jq_of_string(e->key));
        c->failed |= !e->key;
        e->k = k->k;
    } else {
        e = jq_expr(c, JQX_INDEX, t, k);
    }
    if (e)
        e->opt = a->opt;
    return e;
}

static struct jq_expr *jq_lower_slice(struct jq_lowering *c, const struct jq_ast *a)
{
    struct jq_expr *t = jq_lower(c, a->a);
    struct jq_expr *from = a->b ? jq_lower(c, a->b) : jq_const(c, jq_null());
    struct jq_expr *to = a->c ? jq_lower(c, a->c) : jq_const(c, jq_null());
    struct jq_expr *e = jq_expr(c, JQX_SLICE, t, from);
    if (e) {
        e->c = to;
        e->simple &= to->simple;
        e->opt = a->opt;
    }
    return e;
}

static struct jq_expr *jq_lower_format(struct jq_lowering *c, struct jq_expr *a, struct str name)
{
    struct jq_expr *e = jq_expr(c, JQX_FORMAT, a, NULL);
    if (!e)
        return NULL;
    e->key = jq_intern(c->j, name);
    jq_keep(c->j, jq_of_string(e->key));
    c->failed |= !e->key;
    return e;
}

static struct jq_expr *jq_binary_expr(struct jq_lowering *c, int op, struct jq_expr *a,
                                      struct jq_expr *b)
{
    struct jq_expr *e = jq_expr(c, JQX_BINARY, a, b);
    if (e)
        e->sub = (uint8_t)op;
    return e;
}

static struct jq_expr *jq_lower_string(struct jq_lowering *c, const struct jq_ast *a)
{
    struct str format = a->str.p ? a->str : STR("text");
    struct jq_expr *e = jq_expr(c, JQX_STRING, NULL, NULL);

    if (!e)
        return NULL;
    e->nargs = (uint16_t)MIN(a->list.n, 60000u);
    e->args = arena_array(&c->j->arena, struct jq_expr *, a->list.n);
    c->failed |= !e->args;
    for (uint32_t i = 0; i < e->nargs && !c->failed; i++) {
        const struct jq_ast *part = a->list.p[i];
        struct jq_expr *x = jq_lower(c, part->op == JQA_FORMAT ? part->a : part);
        e->args[i] = part->op == JQA_FORMAT ? jq_lower_format(c, x, format) : x;
        e->simple &= e->args[i] && e->args[i]->simple;
    }
    if (c->failed || e->simple)
        return c->failed ? NULL : e;
    /* With more than one output the parts are added up, so that the last one varies slowest. */
    struct jq_expr *sum = e->args[0];
    for (uint32_t i = 1; i < e->nargs; i++)
        sum = jq_binary_expr(c, JQB_ADD, sum, e->args[i]);
    return sum;
}

static struct jq_expr *jq_lower_object(struct jq_lowering *c, const struct jq_ast *a)
{
    struct jq_expr *e = jq_expr(c, JQX_OBJECT, NULL, NULL);
    if (!e)
        return NULL;
    e->nargs = (uint16_t)MIN(a->list.n * 2, 60000u);
    e->args = arena_array(&c->j->arena, struct jq_expr *, MAX(e->nargs, 1));
    c->failed |= !e->args;
    for (uint32_t i = 0; i < e->nargs / 2u && !c->failed; i++) {
        const struct jq_ast *pair = a->list.p[i];
        struct jq_expr *k, *v;
        if (pair->a->op == JQA_VAR && !pair->sub) { /* {$x} */
            k = jq_const(c, jq_keep(c->j, jq_string(c->j, pair->a->str)));
            v = jq_lower(c, pair->a);
        } else {
            k = jq_lower(c, pair->a);
            if (pair->b) {
                v = jq_lower(c, pair->b);
            } else { /* {name}, {"text"}: the field of that name */
                v = jq_expr(c, JQX_INDEX, jq_expr(c, JQX_IDENTITY, NULL, NULL), k);
                if (v && k->op == JQX_CONST && k->k.kind == JQ_STRING) {
                    v->op = JQX_FIELD;
                    v->key = jq_intern(c->j, jq_text(k->k));
                    jq_keep(c->j, jq_of_string(v->key));
                    v->k = k->k;
                    v->b = NULL;
                    c->failed |= !v->key;
                }
            }
        }
        if (c->failed)
            return NULL;
        if (k->op == JQX_CONST && k->k.kind == JQ_STRING)
            k->key = jq_keep(c->j, jq_of_string(jq_intern(c->j, jq_text(k->k)))).str;
        e->args[i * 2] = k;
        e->args[i * 2 + 1] = v;
        e->simple &= k->simple && v->simple;
    }
    return e;
}

static struct jq_expr *jq_lower_array(struct jq_lowering *c, const struct jq_ast *a)
{
    if (!a->a)
        return jq_const(c, jq_keep(c->j, jq_array(c->j, 0)));
    struct jq_expr *x = jq_lower(c, a->a), *e;
    if (c->failed)
        return NULL;
    /* [base[]] and [base[] | f] need no machine when their parts do not. */
    const struct jq_expr *each = x->op == JQX_PIPE ? x->a : x;
    if (each->op == JQX_EACH && each->a->simple && (x->op != JQX_PIPE || x->b->simple)) {
        e = jq_expr(c, JQX_MAP, each->a, x->op == JQX_PIPE ? x->b : NULL);
        if (e)
            e->opt = each->opt;
        return e;
    }
    e = jq_expr(c, JQX_COLLECT, x, NULL);
    if (e && !e->simple)
        e->slot = jq_new_slot(c);
    return e;
}

static struct jq_expr *jq_lower_update(struct jq_lowering *c, const struct jq_ast *a)
{
    static const struct {
        int tok, op;
    } ops[] = {{JQT_SETPLUS, JQB_ADD},
               {JQT_SETMINUS, JQB_SUB},
               {JQT_SETMULT, JQB_MUL},
               {JQT_SETDIV, JQB_DIV},
               {JQT_SETMOD, JQB_MOD}};
    struct jq_expr *e;

    if (a->sub == JQT_SETPIPE) {
        e = jq_expr(c, JQX_MODIFY, jq_lower(c, a->a), jq_lower(c, a->b));
        return jq_reserve(c, e, 5);
    }
    struct jq_expr *value = jq_lower(c, a->b);
    int slot = jq_new_slot(c);
    struct jq_expr *var = jq_variable(c, slot, c->func);
    if (a->sub == '=') {
        e = jq_expr(c, JQX_ASSIGN, jq_lower(c, a->a), var);
        return jq_bind_slot(c, value, slot, jq_reserve(c, e, 1));
    }
    struct jq_expr *dot = jq_expr(c, JQX_IDENTITY, NULL, NULL), *update = NULL;
    if (a->sub == JQT_SETDEFINEDOR)
        update = jq_expr(c, JQX_ALT, dot, var);
    for (size_t i = 0; i < COUNT(ops); i++)
        if (ops[i].tok == a->sub)
            update = jq_binary_expr(c, ops[i].op, dot, var);
    e = jq_expr(c, JQX_MODIFY, jq_lower(c, a->a), update);
    return jq_bind_slot(c, value, slot, jq_reserve(c, e, 5));
}

/* n slots for e, the first of them in e->slot. */
struct jq_expr *jq_reserve(struct jq_lowering *c, struct jq_expr *e, int n)
{
    if (e) {
        e->slot = c->func->nslots;
        c->func->nslots += n;
    }
    return e;
}

static int jq_binary_of(int tok)
{
    switch (tok) {
    case '+': return JQB_ADD;
    case '-': return JQB_SUB;
    case '*': return JQB_MUL;
    case '/': return JQB_DIV;
    case '%': return JQB_MOD;
    case JQT_EQ: return JQB_EQ;
    case JQT_NEQ: return JQB_NE;
    case '<': return JQB_LT;
    case JQT_LE: return JQB_LE;
    case '>': return JQB_GT;
    default: return JQB_GE;
    }
}

/* reduce, foreach and `as`. */
static struct jq_expr *jq_lower_binding(struct jq_lowering *c, const struct jq_ast *a)
{
    int op = a->op == JQA_REDUCE ? JQX_REDUCE : a->op == JQA_FOREACH ? JQX_FOREACH : JQX_BIND;
    struct jq_expr *e = jq_expr(c, op, NULL, NULL);
    struct jq_env *saved = c->env;

    if (!e)
        return NULL;
    e->a = jq_lower(c, a->a);
    if (op != JQX_BIND)
        e->b = jq_lower(c, a->b);
    if (c->failed)
        return NULL;
    jq_lower_patterns(c, a, e);
    if (op == JQX_BIND)
        e->b = jq_lower(c, a->b);
    else
        e->c = jq_lower(c, a->c);
    if (a->d)
        e->d = jq_lower(c, a->d);
    c->env = saved;
    if (c->failed)
        return NULL;
    if (op == JQX_BIND) {
        e->simple = e->simple && e->a->simple && e->b->simple;
        return e;
    }
    e->simple = false;
    return jq_reserve(c, e, 1);
}

static struct jq_expr *jq_lower_label(struct jq_lowering *c, const struct jq_ast *a)
{
    struct jq_env *saved = c->env, *l = jq_scope(c, JQ_ENV_LABEL, a->str, c->env);
    if (c->failed)
        return NULL;
    l->slot = jq_new_slot(c);
    c->env = l;
    struct jq_expr *e = jq_expr(c, JQX_LABEL, jq_lower(c, a->a), NULL);
    c->env = saved;
    if (e) {
        e->slot = l->slot;
        e->simple = false;
    }
    return e;
}

static struct jq_expr *jq_lower_break(struct jq_lowering *c, const struct jq_ast *a)
{
    for (struct jq_env *v = c->env; v; v = v->parent)
        if (v->kind == JQ_ENV_LABEL && str_eq(v->name, a->str)) {
            struct jq_expr *e = jq_expr(c, JQX_BREAK, NULL, NULL);
            if (e) {
                e->slot = v->slot;
                e->level = jq_hops(c, v->owner);
                e->simple = false;
            }
            return e;
        }
    return jq_lower_bad(c, a, "is not defined", a->str, -2);
}

static struct jq_expr *jq_lower_variable(struct jq_lowering *c, const struct jq_ast *a)
{
    for (struct jq_env *v = c->env; v; v = v->parent) {
        if (v->kind == JQ_ENV_VAR && str_eq(v->name, a->str))
            return jq_variable(c, v->slot, v->owner);
        if (v->kind == JQ_ENV_DATA && str_eq(v->name, a->str))
            return jq_const(c, v->value);
    }
    struct jq_string *key = jq_intern(c->j, a->str);
    struct jq_val *named = key && c->j->named.kind ? jq_object_get(c->j->named.obj, key) : NULL;
    jq_drop(c->j, jq_of_string(key));
    if (named)
        return jq_const(c, jq_keep(c->j, jq_copy(*named)));
    if (str_eqz(a->str, "ENV"))
        return jq_const(c, jq_keep(c->j, jq_copy(jq_environment(c->j))));
    return jq_lower_bad(c, a, "is not defined", a->str, -1);
}

static struct jq_expr *jq_lower_negate(struct jq_lowering *c, const struct jq_ast *a)
{
    struct jq_expr *e = jq_expr(c, JQX_NATIVE, NULL, NULL), *x = jq_lower(c, a->a);
    if (c->failed)
        return NULL;
    if (x->op == JQX_CONST && x->k.kind == JQ_NUMBER)
        return jq_const(c, jq_number(-jq_double(x->k)));
    e->native = jq_native_find(c->j, STR("_negate"), 0);
    return jq_expr(c, JQX_PIPE, x, e);
}

static struct jq_expr *jq_lower_def(struct jq_lowering *c, const struct jq_ast *a)
{
    struct jq_env *saved = c->env;
    c->env = jq_define(c, a->def, c->env);
    struct jq_expr *e = jq_lower(c, a->a);
    c->env = saved;
    return e;
}

static struct jq_expr *jq_lower_if(struct jq_lowering *c, const struct jq_ast *a)
{
    struct jq_expr *e = jq_expr(c, JQX_IF, jq_lower(c, a->a), jq_lower(c, a->b));
    struct jq_expr *other = a->c ? jq_lower(c, a->c) : jq_expr(c, JQX_IDENTITY, NULL, NULL);
    if (!e || !other)
        return NULL;
    e->c = other;
    e->simple &= other->simple;
    return e;
}

static struct jq_expr *jq_lower_two(struct jq_lowering *c, const struct jq_ast *a, int op)
{
    struct jq_expr *x = jq_lower(c, a->a);
    struct jq_expr *e = jq_expr(c, op, x, jq_lower(c, a->b));
    if (e && op == JQX_COMMA)
        e->simple = false;
    if (e && op == JQX_ALT && !e->simple)
        e->slot = jq_new_slot(c);
    return e;
}

struct jq_expr *jq_lower(struct jq_lowering *c, const struct jq_ast *a)
{
    struct jq_expr *e;

    if (c->failed || !a || task_stack_low(c->j->p->task)) {
        if (!c->failed && a) {
            proc_warn(c->j->p, "error: program is nested too deeply");
            c->j->errors++;
        }
        c->failed = true;
        return NULL;
    }
    switch (a->op) {
    case JQA_IDENTITY: return jq_expr(c, JQX_IDENTITY, NULL, NULL);
    case JQA_INDEX: return jq_lower_index(c, a);
    case JQA_SLICE: return jq_lower_slice(c, a);
    case JQA_EACH:
        e = jq_expr(c, JQX_EACH, jq_lower(c, a->a), NULL);
        if (e) {
            e->opt = a->opt;
            e->simple = false;
        }
        return e;
    case JQA_CONST: return jq_const(c, a->k);
    case JQA_STRING: return jq_lower_string(c, a);
    case JQA_FORMAT: return jq_lower_format(c, jq_expr(c, JQX_IDENTITY, NULL, NULL), a->str);
    case JQA_ARRAY: return jq_lower_array(c, a);
    case JQA_OBJECT: return jq_lower_object(c, a);
    case JQA_NEGATE: return jq_lower_negate(c, a);
    case JQA_PIPE: return jq_lower_two(c, a, JQX_PIPE);
    case JQA_COMMA: return jq_lower_two(c, a, JQX_COMMA);
    case JQA_BINARY:
        e = jq_lower(c, a->a);
        return jq_binary_expr(c, jq_binary_of(a->sub), e, jq_lower(c, a->b));
    case JQA_AND: return jq_lower_two(c, a, JQX_AND);
    case JQA_OR: return jq_lower_two(c, a, JQX_OR);
    case JQA_ALT: return jq_lower_two(c, a, JQX_ALT);
    case JQA_UPDATE: return jq_lower_update(c, a);
    case JQA_IF: return jq_lower_if(c, a);
    case JQA_TRY:
        e = jq_lower(c, a->a);
        e = jq_expr(c, JQX_TRY, e, a->b ? jq_lower(c, a->b) : NULL);
        return e && !e->simple ? jq_reserve(c, e, 1) : e;
    case JQA_REDUCE:
    case JQA_FOREACH:
    case JQA_BIND: return jq_lower_binding(c, a);
    case JQA_LABEL: return jq_lower_label(c, a);
    case JQA_BREAK: return jq_lower_break(c, a);
    case JQA_DEF: return jq_lower_def(c, a);
    case JQA_CALL: return jq_lower_call(c, a);
    case JQA_VAR: return jq_lower_variable(c, a);
    default: c->failed = true; return NULL;
    }
}

/* The message that a call names nothing. */
struct jq_expr *jq_undefined(struct jq_lowering *c, const struct jq_ast *a)
{
    return jq_lower_bad(c, a, "is not defined", a->str, (int)a->list.n);
}

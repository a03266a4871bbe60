/* jq_call.c -- calls: what a name stands for, and whether the call stays one */
#include <math.h>

#include "commands/jq/jq_lower.h"

enum {
    JQ_INLINE_LIMIT = 60000 /* when the tree has so many nodes, calls stay calls */
};

static bool jq_calls(const struct jq_ast *a, struct str name, uint32_t n);

static bool jq_pattern_calls(const struct jq_pattern *p, struct str name, uint32_t n)
{
    for (uint32_t i = 0; p && i < p->n; i++)
        if ((p->keys[i] && jq_calls(p->keys[i], name, n)) ||
            (p->sub[i] && jq_pattern_calls(p->sub[i], name, n)))
            return true;
    return false;
}

/* Whether the syntax holds a call of that name, whatever it stands for there. */
static bool jq_calls(const struct jq_ast *a, struct str name, uint32_t n)
{
    if (!a)
        return false;
    if (a->op == JQA_CALL && a->list.n == n && str_eq(a->str, name))
        return true;
    for (uint32_t i = 0; i < a->list.n; i++)
        if (jq_calls(a->list.p[i], name, n))
            return true;
    for (uint32_t i = 0; i < a->npats; i++)
        if (jq_pattern_calls(a->pats[i], name, n))
            return true;
    return jq_calls(a->a, name, n) || jq_calls(a->b, name, n) || jq_calls(a->c, name, n) ||
           jq_calls(a->d, name, n) || (a->def && jq_calls(a->def->body, name, n));
}

struct jq_env *jq_define(struct jq_lowering *c, struct jq_def *def, struct jq_env *parent)
{
    struct jq_env *e = jq_scope(c, JQ_ENV_DEF, def->name, parent);
    if (!c->failed)
        e->def = def;
    return e;
}

/* ---- functions with frames ------------------------------------------------------------------- */

static struct jq_func *jq_func_new(struct jq_lowering *c, struct jq_func *parent, int nparams)
{
    struct jq_func *f = arena_new(&c->j->arena, struct jq_func);
    if (!f) {
        c->failed = true;
        return NULL;
    }
    f->parent = parent;
    f->nslots = f->nparams = nparams;
    return f;
}

static struct jq_expr *jq_closure(struct jq_lowering *c, int slot, const struct jq_func *owner)
{
    struct jq_expr *e = jq_expr(c, JQX_CLOSURE, NULL, NULL);
    if (e) {
        e->slot = slot;
        e->level = jq_hops(c, owner);
        e->simple = false;
    }
    return e;
}

/* The body of a function that is called for real: its parameters are closures in its frame. */
static struct jq_expr *jq_func_body(struct jq_lowering *c, const struct jq_def *d)
{
    int *slots = arena_array(&c->j->arena, int, MAX(d->nparams, 1));

    if (!slots) {
        c->failed = true;
        return NULL;
    }
    for (uint32_t i = 0; i < d->nparams; i++) {
        bool value = d->params[i].p[0] == '$';
        struct str name = str_from(d->params[i], value);
        c->env = jq_scope(c, JQ_ENV_PARAM, name, c->env);
        c->env->slot = (int)i;
        slots[i] = -1;
        if (value) {
            slots[i] = jq_new_slot(c);
            c->env = jq_scope(c, JQ_ENV_VAR, name, c->env);
            c->env->slot = slots[i];
        }
        if (c->failed)
            return NULL;
    }
    struct jq_expr *body = jq_lower(c, d->body);
    for (uint32_t i = d->nparams; i-- > 0 && body;)
        if (slots[i] >= 0)
            body = jq_bind_slot(c, jq_closure(c, (int)i, c->func), slots[i], body);
    return body;
}

/* The function behind a definition, made when it is first needed. */
static struct jq_func *jq_func_of(struct jq_lowering *c, struct jq_env *entry)
{
    if (entry->made || c->failed)
        return entry->made;
    struct jq_func *f = jq_func_new(c, entry->owner, (int)entry->def->nparams);
    if (!f)
        return NULL;
    struct jq_lowering saved = *c;
    entry->made = f;
    c->func = f;
    c->env = entry;
    c->inl = NULL;
    c->unit = entry->unit;
    f->body = jq_func_body(c, entry->def);
    c->func = saved.func;
    c->env = saved.env;
    c->inl = saved.inl;
    c->unit = saved.unit;
    return c->failed ? NULL : f;
}

/* An argument as a closure: a parameter that is handed on, or a function made here. */
static struct jq_expr *jq_closure_of(struct jq_lowering *c, const struct jq_ast *arg)
{
    struct jq_func *f = jq_func_new(c, c->func, 0), *func = c->func;

    if (!f)
        return NULL;
    c->func = f;
    f->body = jq_lower(c, arg);
    c->func = func;
    if (c->failed)
        return NULL;
    if (f->body->op == JQX_CLOSURE && f->body->level > 0) {
        f->body->level--;
        return f->body;
    }
    struct jq_expr *e = jq_expr(c, JQX_CALL, NULL, NULL);
    if (e)
        e->func = f;
    return e;
}

static struct jq_expr *jq_real_call(struct jq_lowering *c, struct jq_env *entry,
                                    const struct jq_ast *a)
{
    struct jq_expr *e = jq_expr(c, JQX_CALL, NULL, NULL);
    struct jq_func *f = jq_func_of(c, entry);

    if (!e || !f)
        return NULL;
    e->func = f;
    e->simple = false;
    e->nargs = (uint16_t)a->list.n;
    e->level = jq_hops(c, f->parent);
    e->args = arena_array(&c->j->arena, struct jq_expr *, MAX(a->list.n, 1));
    c->failed |= !e->args;
    for (uint32_t i = 0; i < a->list.n && !c->failed; i++)
        e->args[i] = jq_closure_of(c, a->list.p[i]);
    return c->failed ? NULL : e;
}

/* ---- bodies in the place of calls ------------------------------------------------------------ */

/* A parameter $x: a constant and a variable stand for themselves, everything else gets a slot. */
static void jq_inline_value(struct jq_lowering *c, struct str name, struct jq_expr *value,
                            struct jq_env **env, int *slot)
{
    *slot = -1;
    if (c->failed)
        return;
    if (value->op == JQX_CONST) {
        *env = jq_scope(c, JQ_ENV_DATA, name, *env);
        (*env)->value = value->k;
        return;
    }
    *slot = jq_new_slot(c);
    *env = jq_scope(c, JQ_ENV_VAR, name, *env);
    (*env)->slot = *slot;
}

static struct jq_expr *jq_inline_call(struct jq_lowering *c, struct jq_env *entry,
                                      const struct jq_ast *a)
{
    const struct jq_def *d = entry->def;
    struct jq_lowering saved = *c;
    struct jq_env *env = entry;
    struct jq_inline inl = {d, c->inl}, *kept = arena_new(&c->j->arena, struct jq_inline);
    int *slots = arena_array(&c->j->arena, int, MAX(d->nparams, 1));
    struct jq_expr **values = arena_array(&c->j->arena, struct jq_expr *, MAX(d->nparams, 1));

    if (!slots || !values || !kept) {
        c->failed = true;
        return NULL;
    }
    *kept = inl;
    for (uint32_t i = 0; i < d->nparams && !c->failed; i++) {
        bool value = d->params[i].p[0] == '$';
        struct str name = str_from(d->params[i], value);
        env = jq_scope(c, JQ_ENV_ARG, name, env);
        env->arg = a->list.p[i];
        env->arg_env = saved.env;
        slots[i] = -1;
        if (value && (values[i] = jq_lower(c, a->list.p[i])))
            jq_inline_value(c, name, values[i], &env, &slots[i]);
    }
    c->env = env;
    c->inl = kept;
    c->unit = entry->unit;
    struct jq_expr *body = jq_lower(c, d->body);
    c->env = saved.env;
    c->inl = saved.inl;
    c->unit = saved.unit;
    for (uint32_t i = d->nparams; i-- > 0 && body;)
        if (slots[i] >= 0)
            body = jq_bind_slot(c, values[i], slots[i], body);
    return body;
}

static struct jq_expr *jq_call_def(struct jq_lowering *c, struct jq_env *entry,
                                   const struct jq_ast *a)
{
    struct jq_def *d = entry->def;
    bool within = false;

    if (!d->scanned) {
        d->scanned = true;
        d->recursive = jq_calls(d->body, d->name, d->nparams);
    }
    for (struct jq_inline *i = c->inl; i && !within; i = i->parent)
        within = i->def == d;
    if (entry->made || within || d->recursive || c->nodes > JQ_INLINE_LIMIT)
        return jq_real_call(c, entry, a);
    return jq_inline_call(c, entry, a);
}

/* ---- names ----------------------------------------------------------------------------------- */

static struct jq_expr *jq_unary_form(struct jq_lowering *c, const struct jq_ast *a, int op,
                                     int slots)
{
    struct jq_expr *x = jq_lower(c, a->list.p[0]), *e;
    if (c->failed || (op == JQX_FIRST && x->simple))
        return x;
    e = jq_expr(c, op, x, NULL);
    return slots ? jq_reserve(c, e, slots) : e;
}

static struct jq_expr *jq_range_form(struct jq_lowering *c, const struct jq_ast *a)
{
    bool two = a->list.n == 2;
    struct jq_expr *from = two ? jq_lower(c, a->list.p[0]) : jq_const(c, jq_number(0));
    struct jq_expr *to = jq_lower(c, a->list.p[two]);
    int one = jq_new_slot(c), other = jq_new_slot(c);
    struct jq_expr *e =
        jq_expr(c, JQX_RANGE, jq_variable(c, one, c->func), jq_variable(c, other, c->func));
    if (!e)
        return NULL;
    e->simple = false;
    return jq_bind_slot(c, from, one, jq_bind_slot(c, to, other, e));
}

static struct jq_expr *jq_getpath_form(struct jq_lowering *c, const struct jq_ast *a)
{
    struct jq_expr *x = jq_lower(c, a->list.p[0]);
    if (c->failed || x->simple)
        return jq_expr(c, JQX_GETPATH, x, NULL);
    int slot = jq_new_slot(c);
    return jq_bind_slot(c, x, slot, jq_expr(c, JQX_GETPATH, jq_variable(c, slot, c->func), NULL));
}

/* What the compiler itself knows. *found tells whether it was one of these. */
static struct jq_expr *jq_special(struct jq_lowering *c, const struct jq_ast *a, bool *found)
{
    uint32_t n = a->list.n;

    *found = true;
    if (n == 0) {
        if (str_eqz(a->str, "empty"))
            return jq_expr(c, JQX_EMPTY, NULL, NULL);
        if (str_eqz(a->str, "not"))
            return jq_expr(c, JQX_NOT, NULL, NULL);
        if (str_eqz(a->str, "true") || str_eqz(a->str, "false"))
            return jq_const(c, jq_bool(a->str.n == 4));
        if (str_eqz(a->str, "null"))
            return jq_const(c, jq_null());
        if (str_eqz(a->str, "nan"))
            return jq_const(c, jq_number(NAN));
        if (str_eqz(a->str, "infinite"))
            return jq_const(c, jq_number(INFINITY));
        if (str_eqz(a->str, "error"))
            return jq_expr(c, JQX_ERROR, jq_expr(c, JQX_IDENTITY, NULL, NULL), NULL);
        if (str_eqz(a->str, "env"))
            return jq_const(c, jq_keep(c->j, jq_copy(jq_environment(c->j))));
    } else if (n == 1) {
        if (str_eqz(a->str, "error"))
            return jq_unary_form(c, a, JQX_ERROR, 0);
        if (str_eqz(a->str, "path"))
            return jq_unary_form(c, a, JQX_PATH, 0);
        if (str_eqz(a->str, "first"))
            return jq_unary_form(c, a, JQX_FIRST, 2);
        if (str_eqz(a->str, "getpath"))
            return jq_getpath_form(c, a);
        if (str_eqz(a->str, "range"))
            return jq_range_form(c, a);
    } else if (n == 2 && str_eqz(a->str, "range")) {
        return jq_range_form(c, a);
    }
    *found = false;
    return NULL;
}

static struct jq_expr *jq_native_call(struct jq_lowering *c, const struct jq_native *native,
                                      const struct jq_ast *a)
{
    struct jq_expr *e = jq_expr(c, JQX_NATIVE, NULL, NULL);
    if (!e)
        return NULL;
    e->native = native;
    e->nargs = (uint16_t)a->list.n;
    e->args = arena_array(&c->j->arena, struct jq_expr *, MAX(a->list.n, 1));
    c->failed |= !e->args;
    for (uint32_t i = 0; i < a->list.n && !c->failed; i++) {
        e->args[i] = jq_lower(c, a->list.p[i]);
        e->simple &= e->args[i] && e->args[i]->simple;
    }
    return e;
}

/* A function of the prelude: parsed when it is first called. */
static struct jq_env *jq_prelude_entry(struct jq_lowering *c, int row)
{
    struct jq *j = c->j;

    if (!j->builtins)
        j->builtins = arena_array(&j->arena, struct jq_env *, jq_prelude_count());
    if (!j->builtins) {
        c->failed = true;
        return NULL;
    }
    if (j->builtins[row])
        return j->builtins[row];
    struct jq_unit *u = jq_parse(j, str_z(jq_prelude[row].text), "<builtin>", true);
    struct jq_env *e = arena_new(&j->arena, struct jq_env);
    if (!u || !e || u->defs.n == 0) {
        c->failed = true;
        return NULL;
    }
    e->kind = JQ_ENV_DEF;
    e->def = u->defs.p[0]->def;
    e->name = e->def->name;
    e->owner = j->main;
    e->unit = u;
    return j->builtins[row] = e;
}

/* A definition of a library itself, not of those that it uses. */
static struct jq_env *jq_lib_entry(const struct jq_lib *lib, struct str name, uint32_t n)
{
    for (struct jq_env *e = lib->env; e; e = e->parent)
        if (e->kind == JQ_ENV_DEF && e->def->nparams == n && str_eq(e->name, name))
            return e;
    return NULL;
}

/* The entry of a definition that the library makes visible here under a's name. */
static struct jq_env *jq_imported(const struct jq_env *v, const struct jq_ast *a)
{
    if (!v->name.p)
        return jq_lib_entry(v->lib, a->str, a->list.n);
    if (a->str.n > v->name.n + 2 && str_starts(a->str, v->name) &&
        str_starts(str_from(a->str, v->name.n), STR("::")))
        return jq_lib_entry(v->lib, str_from(a->str, v->name.n + 2), a->list.n);
    return NULL;
}

struct jq_expr *jq_lower_call(struct jq_lowering *c, const struct jq_ast *a)
{
    uint32_t n = a->list.n;

    for (struct jq_env *v = c->env; v; v = v->parent) {
        if (v->kind == JQ_ENV_IMPORT) {
            struct jq_env *entry = jq_imported(v, a);
            if (entry)
                return jq_call_def(c, entry, a);
            continue;
        }
        if (v->kind == JQ_ENV_DATA || v->kind == JQ_ENV_VAR || v->kind == JQ_ENV_LABEL ||
            !str_eq(v->name, a->str))
            continue;
        if (v->kind == JQ_ENV_DEF && v->def->nparams == n)
            return jq_call_def(c, v, a);
        if (n > 0)
            continue;
        if (v->kind == JQ_ENV_PARAM)
            return jq_closure(c, v->slot, v->owner);
        if (v->kind == JQ_ENV_ARG) {
            struct jq_lowering saved = *c;
            c->env = v->arg_env;
            c->inl = v->inl;
            c->unit = v->unit;
            struct jq_expr *e = jq_lower(c, v->arg);
            c->env = saved.env;
            c->inl = saved.inl;
            c->unit = saved.unit;
            return e;
        }
    }
    bool found;
    struct jq_expr *e = jq_special(c, a, &found);
    if (found)
        return e;
    const struct jq_native *native = jq_native_find(c->j, a->str, n);
    if (native)
        return jq_native_call(c, native, a);
    int row = jq_prelude_find(a->str, n);
    if (row >= 0) {
        struct jq_env *entry = jq_prelude_entry(c, row);
        return entry ? jq_call_def(c, entry, a) : NULL;
    }
    return jq_undefined(c, a);
}

/* ---- programs and libraries ------------------------------------------------------------------ */

static struct jq_env *jq_unit_scope(struct jq_lowering *c, struct jq_unit *u, struct str origin,
                                    struct jq_env *env);

static struct jq_env *jq_import(struct jq_lowering *c, const struct jq_dep *d, struct str origin,
                                struct jq_env *env)
{
    bool fresh;
    struct jq_lib *lib = jq_load(c->j, d, origin, &fresh);

    if (!lib) {
        c->failed = true;
        return env;
    }
    if (d->data) { /* $name and $name::name */
        env = jq_scope(c, JQ_ENV_DATA, d->as, env);
        env->value = lib->data;
        env =
            jq_scope(c, JQ_ENV_DATA,
                     arena_printf(&c->j->arena, "%.*s::%.*s", STR_ARG(d->as), STR_ARG(d->as)), env);
        env->value = lib->data;
        return env;
    }
    if (fresh) {
        struct jq_unit *unit = c->unit;
        lib->loading = true;
        lib->env = jq_unit_scope(c, lib->unit, jq_lib_origin(lib), NULL);
        lib->loading = false;
        c->unit = unit;
    }
    if (c->failed)
        return env;
    env = jq_scope(c, JQ_ENV_IMPORT, d->as, env);
    env->lib = lib;
    return env;
}

/* The names that a unit defines, behind those that it imports and those in env. */
static struct jq_env *jq_unit_scope(struct jq_lowering *c, struct jq_unit *u, struct str origin,
                                    struct jq_env *env)
{
    if (task_stack_low(c->j->p->task)) {
        c->failed = true;
        return NULL;
    }
    for (struct jq_dep *d = u->deps; d && !c->failed; d = d->next)
        env = jq_import(c, d, origin, env);
    c->unit = u;
    for (uint32_t i = 0; i < u->defs.n && !c->failed; i++)
        env = jq_define(c, u->defs.p[i]->def, env);
    return env;
}

int jq_compile(struct jq *j, struct jq_unit *u)
{
    struct jq_lowering c = {.j = j, .unit = u};

    j->main = jq_func_new(&c, NULL, 0);
    if (!j->main)
        return HOB_ENOMEM;
    c.func = j->main;
    if (j->extra_defs) {
        struct jq_unit *more = jq_parse(j, str_z(j->extra_defs), "<builtin>", true);
        c.unit = more;
        for (uint32_t i = 0; more && i < more->defs.n && !c.failed; i++)
            c.env = jq_define(&c, more->defs.p[i]->def, c.env);
    }
    c.env = jq_unit_scope(&c, u, STR_NONE, c.env);
    if (!c.failed && u->main)
        j->main->body = jq_lower(&c, u->main);
    if (j->heap->oom)
        return HOB_ENOMEM;
    if (j->errors == 0 && c.failed)
        j->errors++;
    return j->errors ? -1 : jq_emit(j);
}

struct jq_val jq_builtin_names(struct jq *j)
{
    static const char *const special[] = {"empty/0", "not/0",   "error/0", "error/1",    "path/1",
                                          "first/1", "range/1", "range/2", "getpath/1",  "env/0",
                                          "nan/0",   "true/0",  "false/0", "infinite/0", "null/0"};
    static const struct jq_native *const tables[] = {jq_natives, jq_natives_math, jq_natives_text,
                                                     jq_natives_date};
    struct jq_val out = jq_array(j, 256);

    for (size_t i = 0; i < COUNT(special); i++)
        jq_push(j, &out, jq_string(j, str_z(special[i])));
    for (size_t t = 0; t < COUNT(tables); t++)
        for (const struct jq_native *n = tables[t]; n->name; n++)
            if (n->name[0] != '_')
                jq_push(j, &out, jq_string(j, arena_printf(&j->arena, "%s/%d", n->name, n->nargs)));
    for (size_t i = 0; i < jq_prelude_count(); i++)
        if (jq_prelude[i].name[0] != '_')
            jq_push(j, &out,
                    jq_string(j, arena_printf(&j->arena, "%s/%d", jq_prelude[i].name,
                                              jq_prelude[i].nparams)));
    return out;
}

/* scope.c -- shallow binding: what `local` and temporary assignments put aside
 *
 * A scope remembers, for each name it binds, the variable that was in the slot before. Leaving it
 * puts them back in reverse. A subshell shares the scopes of its parent; whoever changes one that
 * is shared copies it first.
 */
#include "shell/var_impl.h"

static struct scope *scope_new(struct shell *sh)
{
    struct scope *s = sh->scope_spare;
    if (s) {
        sh->scope_spare = NULL;
        s->n = 0;
    } else {
        s = heap_new(sh->heap, struct scope);
        if (!s)
            return NULL;
    }
    s->refs = 1;
    return s;
}

void scope_unref(struct shell *sh, struct scope *s)
{
    while (s && --s->refs == 0) {
        struct scope *up = s->up;
        for (uint32_t i = 0; i < s->n; i++)
            var_unref(sh, s->saved[i].old);
        if (!sh->scope_spare && s->cap <= 64) {
            s->n = 0;
            sh->scope_spare = s;
        } else {
            if (s->saved)
                heap_free(sh->heap, s->saved, s->cap * sizeof *s->saved);
            heap_drop(sh->heap, s);
        }
        s = up;
    }
}

int scope_push(struct shell *sh, bool function)
{
    struct scope *s = scope_new(sh);
    if (!s)
        return HOB_ENOMEM;
    sh->level += function;
    s->function = function;
    s->level = sh->level;
    s->builtin = sh->builtin;
    s->up = sh->scopes;
    sh->scopes = s;
    return 0;
}

static bool scope_save(struct shell *sh, struct scope *s, struct sym *sym, struct var *old)
{
    if (s->n == s->cap) {
        uint32_t cap = s->cap ? s->cap * 2 : 4;
        void *p =
            heap_realloc(sh->heap, s->saved, s->cap * sizeof *s->saved, cap * sizeof *s->saved);
        if (!p)
            return false;
        s->saved = p;
        s->cap = cap;
    }
    s->saved[s->n++] = (struct scope_saved){sym, old};
    return true;
}

static struct scope *scope_copy(struct shell *sh, struct scope *from)
{
    struct scope *s = scope_new(sh);
    if (!s)
        return NULL;
    s->function = from->function;
    s->builtin = from->builtin;
    s->level = from->level;
    s->up = NULL;
    for (uint32_t i = 0; i < from->n; i++) {
        struct var *old = from->saved[i].old;
        if (!scope_save(sh, s, from->saved[i].sym, old)) {
            scope_unref(sh, s);
            return NULL;
        }
        if (old && old->refs)
            old->refs++;
    }
    s->up = from->up;
    if (s->up)
        s->up->refs++;
    from->refs--;
    return s;
}

/* Makes the scopes from the newest to `target` the shell's own; the place of the target among
 * them, NULL when out of memory. */
static struct scope *scope_own(struct shell *sh, const struct scope *target)
{
    for (struct scope **at = &sh->scopes; *at; at = &(*at)->up) {
        bool found = *at == target;
        if ((*at)->refs > 1) {
            struct scope *copy = scope_copy(sh, *at);
            if (!copy)
                return NULL;
            *at = copy;
        }
        if (found)
            return *at;
    }
    return NULL;
}

/* Puts a variable into the slot; its reference goes over. */
static bool scope_place(struct shell *sh, struct sym *s, struct var *v)
{
    struct var **at = var_place(sh, s);
    if (!at)
        return false;
    struct var *old = *at;
    *at = v;
    var_unref(sh, old);
    return true;
}

void scope_pop(struct shell *sh)
{
    struct scope *s = sh->scopes;
    bool own = s->refs == 1;
    for (uint32_t i = s->n; i-- > 0;) {
        struct var *old = s->saved[i].old, *now = var_slot(sh, s->saved[i].sym);
        struct sym *sym = s->saved[i].sym;
        if (now && (now->flags & VAR_PROPAGATE) && (now = var_own(sh, sym))) {
            now->flags &= ~(uint32_t)(VAR_PROPAGATE | VAR_TEMP | VAR_LOCAL);
            now->flags |= old ? old->flags & VAR_LOCAL : 0;
            now->level = old ? old->level : s->level;
            continue; /* what it hid goes with the scope */
        }
        if (own)
            s->saved[i].old = NULL;
        else if (old && old->refs)
            old->refs++;
        if (!scope_place(sh, sym, old))
            var_unref(sh, old);
        if (sym->id < SYM_KNOWN)
            var_hook(sh, sym);
    }
    sh->level -= s->function;
    sh->scopes = s->up;
    if (!own && s->up)
        s->up->refs++;
    else
        s->up = NULL;
    scope_unref(sh, s);
}

/* The newest scope that binds s, and where in it. */
static struct scope *scope_find(struct shell *sh, const struct sym *s, uint32_t *at)
{
    for (struct scope *c = sh->scopes; c; c = c->up)
        for (uint32_t i = c->n; i-- > 0;)
            if (c->saved[i].sym == s) {
                *at = i;
                return c;
            }
    return NULL;
}

bool scope_reveal(struct shell *sh, struct sym *s)
{
    uint32_t i;
    struct scope *c = scope_find(sh, s, &i);
    if (!c || !(c = scope_own(sh, c)) || !scope_place(sh, s, c->saved[i].old))
        return false;
    memmove(&c->saved[i], &c->saved[i + 1], (c->n - i - 1) * sizeof *c->saved);
    c->n--;
    return true;
}

/* Binds s anew in scope c: the new variable, alone in its slot. */
static struct var *scope_bind(struct shell *sh, struct scope *c, struct sym *s, struct var *v)
{
    struct var **at = v ? var_place(sh, s) : NULL;
    c = at ? scope_own(sh, c) : NULL;
    if (!c || !scope_save(sh, c, s, *at)) {
        var_unref(sh, v);
        return NULL;
    }
    *at = v; /* the reference of the old one is the scope's now */
    return v;
}

/* A copy that keeps the value, or an unset variable. */
static struct var *scope_fresh(struct shell *sh, const struct var *old, bool inherit)
{
    struct var *v;
    if (inherit && old && !(old->flags & VAR_DYNAMIC)) {
        v = var_copy(sh, old);
    } else {
        v = var_new(sh);
        if (v)
            v->flags = VAR_UNSET | (old ? old->flags & VAR_EXPORT : 0);
    }
    return v;
}

static struct var *scope_temp(struct shell *sh, struct sym *s, int flags)
{
    const uint32_t kept = VAR_INTEGER | VAR_LOWER | VAR_UPPER | VAR_CAPITAL;
    struct str index;
    struct sym *target = s;
    struct var *old = var_get(sh, &target, &index);
    if (!index.p)
        s = target;
    old = var_slot(sh, s);
    bool inherit = (flags & LOCAL_INHERIT) && old && !(old->flags & (VAR_ARRAY | VAR_ASSOC));
    struct var *v = scope_fresh(sh, old, inherit);
    if (!v)
        return NULL;
    v->flags = (v->flags & VAR_UNSET) | VAR_TEMP | VAR_EXPORT;
    if (old && (flags & LOCAL_INHERIT)) /* for += alone: the value itself is plain text */
        v->flags |= old->flags & kept;
    v->level = sh->level;
    return scope_bind(sh, sh->scopes, s, v);
}

struct var *scope_local(struct shell *sh, struct sym *s, int flags)
{
    if (flags & LOCAL_TEMP)
        return scope_temp(sh, s, flags);
    struct scope *fs = sh->scopes;
    while (fs && !fs->function)
        fs = fs->up;
    if (!fs)
        return var_own(sh, s);
    struct var *old = var_slot(sh, s);
    if (old && (old->flags & VAR_LOCAL) && old->level == sh->level)
        return var_own(sh, s);
    if (old && (old->flags & VAR_READONLY) && old->level == 0) {
        shell_builtin_error(sh, "%.*s: readonly variable", STR_ARG(s->name));
        return NULL;
    }
    uint32_t at;
    struct scope *c = old && (old->flags & VAR_TEMP) ? scope_find(sh, s, &at) : NULL;
    struct var *v;
    if (c && c == fs->up && !c->function && c->builtin == fs->builtin) {
        /* x=1 f: what came with the call is the local one. */
        v = var_own(sh, s);
        if (!v)
            return NULL;
        v->flags = (v->flags & ~(uint32_t)VAR_UNSET) | VAR_LOCAL;
        v->level = sh->level;
        return v;
    }
    if (c && c->level == sh->level && c != fs && !c->function) {
        /* x=1 eval "local x": the binding of the command gives way. */
        v = var_copy(sh, old);
        if (!v || !scope_reveal(sh, s)) {
            var_unref(sh, v);
            return NULL;
        }
    } else {
        v = scope_fresh(sh, old,
                        c || (flags & LOCAL_INHERIT) || SH_SHOPT(sh, SHOPT_LOCALVAR_INHERIT));
    }
    if (!v)
        return NULL;
    v->flags = (v->flags & ~(uint32_t)(VAR_TEMP | VAR_READONLY)) | VAR_LOCAL;
    v->level = sh->level;
    return scope_bind(sh, fs, s, v);
}

bool scope_swap_global(struct shell *sh, struct sym *s)
{
    struct scope *bottom = NULL;
    uint32_t at = 0;
    for (struct scope *c = sh->scopes; c; c = c->up)
        for (uint32_t i = 0; i < c->n; i++)
            if (c->saved[i].sym == s) {
                bottom = c;
                at = i;
                break;
            }
    struct var **slot = bottom ? var_place(sh, s) : NULL;
    if (!slot || !(bottom = scope_own(sh, bottom)))
        return false;
    struct var *v = *slot;
    *slot = bottom->saved[at].old;
    bottom->saved[at].old = v;
    return true;
}

void scope_flip(struct shell *sh)
{
    struct scope *s = sh->scopes ? scope_own(sh, sh->scopes) : NULL;
    for (uint32_t i = s ? s->n : 0; i-- > 0;) {
        struct sym *sym = s->saved[i].sym;
        struct var **at = var_place(sh, sym);
        if (!at)
            return;
        struct var *v = *at;
        *at = s->saved[i].old;
        s->saved[i].old = v;
        if (sym->id < SYM_KNOWN)
            var_hook(sh, sym);
    }
}

void scope_keep(struct shell *sh)
{
    struct scope *s = sh->scopes;
    for (uint32_t i = 0; i < s->n; i++) {
        struct var *v = var_slot(sh, s->saved[i].sym);
        if (v && (v->flags & VAR_TEMP) && (v = var_own(sh, s->saved[i].sym))) {
            const struct var *old = s->saved[i].old;
            v->flags &= ~(uint32_t)(VAR_TEMP | VAR_EXPORT);
            v->flags |= old ? old->flags & (VAR_EXPORT | VAR_LOCAL) : 0;
            v->level = old ? old->level : 0;
        }
    }
    sh->scopes = s->up;
    if (s->refs > 1 && s->up)
        s->up->refs++;
    else
        s->up = NULL;
    scope_unref(sh, s);
}

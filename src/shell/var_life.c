/* var_life.c -- the table of variables: constant beginning, sharing, copies, text with room */
#include "shell/var_impl.h"
#include "base/fmt.h"
#include "shell/parse.h"

/* ---- the constant beginning ------------------------------------------------------------------ */

static const struct var var_initial[SYM_KNOWN] = {
#define VAR_X(id, name, attr, text)                                                                \
    {.flags = (uint32_t)(attr) | VAR_STATIC,                                                       \
     .u = {.s = {((attr) & (VAR_ARRAY | VAR_ASSOC)) ? NULL : (text), sizeof(text) - 1}}},
    VAR_KNOWN(VAR_X)
#undef VAR_X
};

/* The table of a new shell. Nothing in it is written before it has been copied. */
static struct var *const var_slots[SYM_KNOWN] = {
#define VAR_X(id, name, attr, text)                                                                \
    (attr) || sizeof(text) > 1 ? (struct var *)&var_initial[SYM_##id] : NULL,
    VAR_KNOWN(VAR_X)
#undef VAR_X
};

static const struct vartab var_table = {0, SYM_KNOWN, 0, (struct var **)var_slots};

/* ---- life of a variable ---------------------------------------------------------------------- */

struct var *var_new(struct shell *sh)
{
    struct var *v = heap_new(sh->heap, struct var);
    if (v) {
        v->refs = 1;
        v->u.s = STR("");
    }
    return v;
}

/* Frees the value; the variable is then an empty scalar. */
void var_drop_value(struct shell *sh, struct var *v)
{
    if (v->flags & VAR_ARRAY)
        array_free(sh->heap, v->u.array);
    else if (v->flags & VAR_ASSOC)
        assoc_free(sh->heap, v->u.assoc);
    else if (v->cap)
        heap_free(sh->heap, (char *)v->u.s.p, v->cap);
    v->cap = 0;
    v->u.s = STR("");
    v->num_ok = v->num_only = false;
    v->flags &= ~(uint32_t)(VAR_ARRAY | VAR_ASSOC);
}

void var_unref(struct shell *sh, struct var *v)
{
    if (!v || v->refs == 0 || --v->refs > 0)
        return;
    var_drop_value(sh, v);
    heap_drop(sh->heap, v);
}

static struct var *var_ref(struct var *v)
{
    if (v && v->refs)
        v->refs++;
    return v;
}

/* Room for a text of n bytes in an own scalar, keeping the first `keep` bytes. */
static bool var_room(struct shell *sh, struct var *v, size_t n, size_t keep)
{
    if (n < v->cap)
        return true;
    size_t room = keep ? heap_step(sh->heap, v->cap, n + 1) : (n + 16) & ~(size_t)15;
    if (room > UINT32_MAX) {
        sh->heap->oom = true;
        return false;
    }
    char *p = heap_alloc(sh->heap, room);
    if (!p)
        return false;
    if (keep)
        memcpy(p, v->u.s.p, keep);
    if (v->cap)
        heap_free(sh->heap, (char *)v->u.s.p, v->cap);
    v->u.s.p = p;
    v->cap = (uint32_t)room;
    return true;
}

void var_sync(struct shell *sh, struct var *v)
{
    char text[24];
    size_t n = fmt_int(text, v->num);
    if (!var_room(sh, v, n, 0)) {
        if (!v->cap)
            v->u.s = STR("");
        return;
    }
    memcpy((char *)v->u.s.p, text, n);
    ((char *)v->u.s.p)[n] = '\0';
    v->u.s.n = n;
    v->num_only = false;
}

/* Replaces the text of an own scalar; s may lie in it. */
int var_put_text(struct shell *sh, struct var *v, struct str s)
{
    if (UNLIKELY(v->cap > 65536 && s.n < v->cap / 4 &&
                 !(s.p >= v->u.s.p && s.p < v->u.s.p + v->cap)))
        var_drop_value(sh, v);
    if (s.n < v->cap) {
        memmove((char *)v->u.s.p, s.n ? s.p : "", s.n);
    } else {
        struct var old = *v;
        v->cap = 0;
        if (!var_room(sh, v, s.n, 0)) {
            v->cap = old.cap;
            return HOB_ENOMEM;
        }
        if (s.n)
            memcpy((char *)v->u.s.p, s.p, s.n);
        if (old.cap)
            heap_free(sh->heap, (char *)old.u.s.p, old.cap);
    }
    ((char *)v->u.s.p)[s.n] = '\0';
    v->u.s.n = s.n;
    v->num_ok = v->num_only = false;
    return 0;
}

/* Linear over many calls: the room doubles. s may lie in the value itself. */
int var_append_text(struct shell *sh, struct var *v, struct str s)
{
    struct str old = var_text(sh, v);
    if (old.n + s.n >= v->cap && s.n && s.p >= old.p && s.p < old.p + old.n) {
        s = arena_str(&sh->arena, s);
        if (!s.p)
            return HOB_ENOMEM;
    }
    if (!var_room(sh, v, old.n + s.n, old.n))
        return HOB_ENOMEM;
    char *p = (char *)v->u.s.p;
    if (s.n)
        memmove(p + old.n, s.p, s.n);
    v->u.s.n = old.n + s.n;
    p[v->u.s.n] = '\0';
    v->num_ok = v->num_only = false;
    return 0;
}

struct var *var_copy(struct shell *sh, const struct var *v)
{
    struct var *c = var_new(sh);
    if (!c)
        return NULL;
    c->flags = v->flags & ~(uint32_t)(VAR_STATIC | VAR_ARRAY | VAR_ASSOC);
    c->level = v->level;
    bool ok = true;
    if (v->flags & VAR_ARRAY) {
        c->u.array = array_copy(sh->heap, v->u.array);
        ok = c->u.array != NULL;
        c->flags |= ok ? VAR_ARRAY : 0;
    } else if (v->flags & VAR_ASSOC) {
        c->u.assoc = assoc_copy(sh->heap, v->u.assoc);
        ok = c->u.assoc != NULL;
        c->flags |= ok ? VAR_ASSOC : 0;
    } else {
        if (!v->num_only && v->u.s.n)
            ok = var_put_text(sh, c, v->u.s) == 0;
        c->num = v->num;
        c->num_ok = v->num_ok;
        c->num_only = v->num_only;
    }
    if (ok)
        return c;
    c->u.s = STR("");
    var_unref(sh, c);
    return NULL;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void var_table_unref(struct shell *sh, struct vartab *t)
{
    if (!t || t->refs == 0 || --t->refs > 0)
        return;
    for (uint32_t i = 0; i < t->n; i++)
        var_unref(sh, t->slots[i]);
    heap_free(sh->heap, t->slots, t->cap * sizeof *t->slots);
    heap_drop(sh->heap, t);
}

/* A table of the shell's own. The variables stay shared, one reference more each. */
static bool var_table_own(struct shell *sh)
{
    struct vartab *old = sh->vars, *t;
    if (old->refs == 1)
        return true;
    t = heap_new(sh->heap, struct vartab);
    if (!t)
        return false;
    t->refs = 1;
    t->n = old->n;
    t->cap = old->n + 32;
    t->slots = heap_alloc(sh->heap, t->cap * sizeof *t->slots);
    if (!t->slots) {
        heap_drop(sh->heap, t);
        return false;
    }
    memcpy(t->slots, old->slots, old->n * sizeof *t->slots);
    for (uint32_t i = 0; i < t->n; i++)
        var_ref(t->slots[i]);
    if (old->refs)
        old->refs--;
    sh->vars = t;
    return true;
}

struct var **var_place(struct shell *sh, const struct sym *s)
{
    if (!var_table_own(sh))
        return NULL;
    struct vartab *t = sh->vars;
    if (s->id >= t->cap) {
        uint32_t cap = MAX(t->cap * 2, s->id + 32);
        struct var **p = heap_realloc(sh->heap, t->slots, t->cap * sizeof *p, cap * sizeof *p);
        if (!p)
            return NULL;
        t->slots = p;
        t->cap = cap;
    }
    if (s->id >= t->n) {
        memset(t->slots + t->n, 0, (s->id + 1 - t->n) * sizeof *t->slots);
        t->n = s->id + 1;
    }
    return &t->slots[s->id];
}

struct var *var_own(struct shell *sh, const struct sym *s)
{
    struct var **at = var_place(sh, s);
    if (!at)
        return NULL;
    if (*at && (*at)->refs == 1)
        return *at;
    struct var *v = *at ? var_copy(sh, *at) : var_new(sh);
    if (!v)
        return NULL;
    if (!*at)
        v->flags = VAR_UNSET;
    var_unref(sh, *at);
    *at = v;
    return v;
}

int vars_init(struct shell *sh)
{
    sh->vars = (struct vartab *)&var_table;
    sh->scopes = NULL;
    return 0;
}

int vars_fork(struct shell *child, struct shell *parent)
{
    child->vars = parent->vars;
    if (child->vars->refs)
        child->vars->refs++;
    child->scopes = parent->scopes;
    if (child->scopes)
        child->scopes->refs++;
    child->level = parent->level;
    child->scope_spare = NULL;
    return 0;
}

void vars_fini(struct shell *sh)
{
    scope_unref(sh, sh->scopes);
    sh->scopes = NULL;
    if (sh->scope_spare) {
        struct scope *s = sh->scope_spare;
        if (s->saved)
            heap_free(sh->heap, s->saved, s->cap * sizeof *s->saved);
        heap_drop(sh->heap, s);
        sh->scope_spare = NULL;
    }
    var_table_unref(sh, sh->vars);
    sh->vars = NULL;
}

int vars_import(struct shell *sh, struct str name, struct str value)
{
    if (!parse_is_name(name))
        return 0;
    struct sym *s = sym_intern(sh, name);
    if (!s)
        return HOB_ENOMEM;
    bool dynamic = s->id < SYM_KNOWN && (var_initial[s->id].flags & VAR_DYNAMIC);
    if (s->id == SYM_IFS || (dynamic && s->id != SYM_HOSTNAME))
        return 0;
    struct var *v = var_own(sh, s);
    if (!v)
        return HOB_ENOMEM;
    v->flags = (v->flags & ~(uint32_t)(VAR_UNSET | VAR_DYNAMIC)) | VAR_EXPORT;
    int r = var_put_text(sh, v, value);
    var_hook(sh, s);
    return r;
}

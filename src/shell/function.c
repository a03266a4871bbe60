/* function.c -- the tables of functions and aliases, shared between shells until one writes */
#include "shell/shell.h"

#include "shell/inner.h"
#include "shell/parse.h"

struct functab {
    unsigned refs;
    struct map map; /* name -> struct function, one reference each */
};

struct aliastab {
    unsigned refs;
    struct map map; /* name -> struct params of one text */
};

/* ---- functions ------------------------------------------------------------------------------- */

static void function_unref(struct shell *sh, struct function *f)
{
    if (--f->refs)
        return;
    program_unref(f->program);
    heap_free(sh->heap, (char *)f->name.p, f->name.n + 1);
    heap_free(sh->heap, (char *)f->file.p, f->file.n + 1);
    heap_drop(sh->heap, f);
}

struct function *function_ref(struct function *f)
{
    f->refs++;
    return f;
}

void function_release(struct shell *sh, struct function *f) { function_unref(sh, f); }

void function_fork(struct shell *child)
{
    if (child->functions)
        child->functions->refs++;
}

void function_fini(struct shell *sh)
{
    struct functab *t = sh->functions;
    sh->functions = NULL;
    if (!t || --t->refs)
        return;
    for (struct map_entry *e = NULL; (e = map_next(&t->map, e));)
        function_unref(sh, e->value);
    map_fini(&t->map);
    heap_drop(sh->heap, t);
}

/* The table, this shell's alone. NULL: out of memory. */
static struct functab *function_own(struct shell *sh)
{
    struct functab *old = sh->functions, *t;
    sh->shared->functions_gen++;
    if (old && old->refs == 1)
        return old;
    t = heap_new(sh->heap, struct functab);
    if (!t)
        return NULL;
    t->refs = 1;
    map_init(&t->map, sh->heap);
    if (old) {
        for (struct map_entry *e = NULL; (e = map_next(&old->map, e));) {
            void **v = map_put(&t->map, e->key);
            if (v)
                *v = function_ref(e->value);
        }
        old->refs--;
    }
    sh->functions = t;
    return sh->heap->oom ? NULL : t;
}

struct function *function_find(struct shell *sh, struct str name)
{
    return sh->functions && sh->functions->map.n ? map_value(&sh->functions->map, name) : NULL;
}

static struct str function_copy(struct shell *sh, struct str s)
{
    char *p = heap_alloc(sh->heap, s.n + 1);
    if (!p)
        return STR_NONE;
    if (s.n)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    return str_of(p, s.n);
}

/* BASH_SOURCE of what is defined here: text that came from no file has this name. */
static struct str function_source(const struct shell *sh)
{
    if (sh->frame && sh->frame->file.n)
        return sh->frame->file;
    return sh->interactive || sh->from_stdin ? STR("main") : STR("environment");
}

int function_define(struct shell *sh, struct node *n, struct program *prog)
{
    struct str name = n->u.func.name;
    struct function *old = function_find(sh, name);
    uint32_t flags = old ? old->flags : 0;
    if (flags & VAR_READONLY) {
        shell_error(sh, "%.*s: readonly function", STR_ARG(name));
        return HOB_EPERM;
    }
    struct functab *t = function_own(sh);
    struct function *f = t ? heap_new(sh->heap, struct function) : NULL;
    if (!f)
        return HOB_ENOMEM;
    f->refs = 1;
    f->body = n->u.func.body;
    f->program = program_ref(prog);
    f->flags = flags | (SH_OPT(sh, OPT_ALLEXPORT) ? VAR_EXPORT : 0);
    f->line = n->u.func.body_line;
    f->line_head = n->line;
    f->name = function_copy(sh, name);
    f->file = function_copy(sh, function_source(sh));
    void **v = f->name.p && f->file.p ? map_put(&t->map, name) : NULL;
    if (!v) {
        function_unref(sh, f);
        return HOB_ENOMEM;
    }
    old = *v;
    *v = f;
    if (old)
        function_unref(sh, old);
    return 0;
}

bool function_unset(struct shell *sh, struct str name)
{
    struct functab *t = function_find(sh, name) ? function_own(sh) : NULL;
    struct function *f = t ? map_value(&t->map, name) : NULL;
    if (!f)
        return false;
    map_del(&t->map, name);
    function_unref(sh, f);
    return true;
}

int function_attr(struct shell *sh, struct str name, uint32_t on, uint32_t off)
{
    struct functab *t = function_find(sh, name) ? function_own(sh) : NULL;
    void **v = t ? map_get(&t->map, name) : NULL;
    if (!v)
        return HOB_ENOENT;
    struct function *old = *v, *f = old;
    if (old->refs > 1) { /* another shell's, or it runs */
        f = heap_new(sh->heap, struct function);
        if (!f)
            return HOB_ENOMEM;
        *f = *old;
        f->refs = 1;
        f->program = program_ref(old->program);
        f->name = function_copy(sh, old->name);
        f->file = function_copy(sh, old->file);
        if (!f->name.p || !f->file.p) {
            function_unref(sh, f);
            return HOB_ENOMEM;
        }
        *v = f;
        function_unref(sh, old);
    }
    f->flags = (f->flags & ~off) | on;
    return 0;
}

static int function_cmp(const void *a, const void *b, void *ud)
{
    (void)ud;
    const struct map_entry *x = *(struct map_entry *const *)a, *y = *(struct map_entry *const *)b;
    return str_cmp(x->key, y->key);
}

/* The entries of a map in order of name, on the arena; NULL when there are none. */
static struct map_entry **function_sorted(struct shell *sh, struct map *m, size_t *n)
{
    *n = 0;
    if (!m->n)
        return NULL;
    struct map_entry **v = arena_alloc(&sh->arena, m->n * sizeof *v);
    if (!v)
        return NULL;
    for (struct map_entry *e = NULL; (e = map_next(m, e));)
        v[(*n)++] = e;
    if (sort_stable(sh->heap, v, *n, sizeof *v, function_cmp, NULL) < 0)
        *n = 0;
    return v;
}

int function_each(struct shell *sh, int (*fn)(void *ud, struct function *f), void *ud)
{
    size_t n = 0;
    int r = 0;
    if (!sh->functions)
        return 0;
    struct map_entry **v = function_sorted(sh, &sh->functions->map, &n);
    for (size_t i = 0; i < n && r == 0; i++)
        r = fn(ud, v[i]->value);
    return r;
}

/* An exported function as it comes in the environment: "() { ...". It must be one function
 * definition and nothing else. */
static void function_import_error(struct shell *sh, struct str name)
{
    struct buf b;
    buf_init(&b, sh->heap);
    buf_printf(&b, "bash: error importing function definition for `%.*s'\n", STR_ARG(name));
    proc_puts(sh->proc, 2, buf_get(&b));
    buf_fini(&b);
}

void function_import(struct shell *sh, struct str name, struct str value)
{
    struct program *prog = NULL;
    struct parse_error err;
    struct buf b;
    if (!str_starts(value, STR("() {")))
        return;
    buf_init(&b, sh->heap);
    buf_printf(&b, "%.*s %.*s\n", STR_ARG(name), STR_ARG(value));
    parse_error_init(&err, sh->heap);
    struct parser *p = parser_new(sh->heap, buf_get(&b), 0);
    if (p) {
        struct parse_options o = text_options(sh);
        parser_set_options(p, &o);
    }
    int r = p ? parser_next(p, &prog, &err) : HOB_ENOMEM;
    if (r == HOB_ESYNTAX && err.comsub) { /* bash lets patterns in $( ) pass there */
        struct parse_options o = text_options(sh);
        parser_free(p);
        p = parser_new(sh->heap, buf_get(&b), 0);
        o.extglob = true;
        if (p)
            parser_set_options(p, &o);
        r = p ? parser_next(p, &prog, &err) : HOB_ENOMEM;
    }
    if (r == HOB_ESYNTAX) {
        shell_syntax_error(sh, name, err.line, buf_get(&err.msg));
        function_import_error(sh, name);
    }
    if (r == 1) {
        struct node *n = prog->root;
        if (n && n->kind == NODE_LIST && n->u.list.n == 1)
            n = n->u.list.items[0].node;
        if (n && n->kind == NODE_FUNC && str_eq(n->u.func.name, name) &&
            function_define(sh, n, prog) >= 0)
            function_find(sh, name)->flags |= VAR_EXPORT;
        else
            function_import_error(sh, name);
        program_unref(prog);
    }
    if (p)
        parser_free(p);
    parse_error_fini(&err);
    buf_fini(&b);
}

/* ---- aliases --------------------------------------------------------------------------------- */

void alias_fork(struct shell *child)
{
    if (child->aliases)
        child->aliases->refs++;
}

void alias_fini(struct shell *sh)
{
    struct aliastab *t = sh->aliases;
    sh->aliases = NULL;
    if (!t || --t->refs)
        return;
    for (struct map_entry *e = NULL; (e = map_next(&t->map, e));)
        params_unref(sh, e->value);
    map_fini(&t->map);
    heap_drop(sh->heap, t);
}

static struct aliastab *alias_own(struct shell *sh)
{
    struct aliastab *old = sh->aliases, *t;
    sh->aliases_gen = ++sh->shared->aliases_gen;
    if (old && old->refs == 1)
        return old;
    t = heap_new(sh->heap, struct aliastab);
    if (!t)
        return NULL;
    t->refs = 1;
    map_init(&t->map, sh->heap);
    if (old) {
        for (struct map_entry *e = NULL; (e = map_next(&old->map, e));) {
            struct params *text = e->value;
            void **v = map_put(&t->map, e->key);
            if (v) {
                text->refs++;
                *v = text;
            }
        }
        old->refs--;
    }
    sh->aliases = t;
    return sh->heap->oom ? NULL : t;
}

struct str alias_get(struct shell *sh, struct str name)
{
    struct params *p = sh->aliases ? map_value(&sh->aliases->map, name) : NULL;
    return p ? p->p[0] : STR_NONE;
}

int alias_set(struct shell *sh, struct str name, struct str value)
{
    struct params *text = params_new(sh, &value, 1);
    struct aliastab *t = text ? alias_own(sh) : NULL;
    void **v = t ? map_put(&t->map, name) : NULL;
    if (!v) {
        params_unref(sh, text);
        return HOB_ENOMEM;
    }
    params_unref(sh, *v);
    *v = text;
    return 0;
}

bool alias_unset(struct shell *sh, struct str name)
{
    struct aliastab *t = alias_get(sh, name).p ? alias_own(sh) : NULL;
    struct params *text = t ? map_value(&t->map, name) : NULL;
    if (!text)
        return false;
    map_del(&t->map, name);
    params_unref(sh, text);
    return true;
}

void alias_clear(struct shell *sh)
{
    alias_fini(sh);
    sh->aliases_gen = ++sh->shared->aliases_gen;
}

int alias_each(struct shell *sh, int (*fn)(void *ud, struct str n, struct str v), void *ud)
{
    size_t n = 0;
    int r = 0;
    if (!sh->aliases)
        return 0;
    struct map_entry **v = function_sorted(sh, &sh->aliases->map, &n);
    for (size_t i = 0; i < n && r == 0; i++)
        r = fn(ud, v[i]->key, ((struct params *)v[i]->value)->p[0]);
    return r;
}

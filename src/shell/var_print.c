/* var_print.c -- variables written down: `declare -p`, `set`, the environment of commands */
#include "shell/expand_impl.h"

/* ---- all of them ----------------------------------------------------------------------------- */

struct var_item {
    struct sym *sym;
    struct var *var;
    uint32_t order;
};

static int var_by_name(const void *a, const void *b, void *ud)
{
    (void)ud;
    return str_cmp(((const struct var_item *)a)->sym->name,
                   ((const struct var_item *)b)->sym->name);
}

/* The order in which bash hands over the environment: its hash table's, bindings of functions and
 * of the command first. */
static int var_by_bucket(const void *a, const void *b, void *ud)
{
    const struct var_item *x = a, *y = b;
    (void)ud;
    return x->order < y->order ? -1 : x->order > y->order;
}

static struct var_item *var_collect(struct shell *sh, struct arena *a, uint32_t flags, size_t *n)
{
    struct var_item *v = arena_array(a, struct var_item, sh->vars->n + 1);
    *n = 0;
    for (uint32_t i = 0; v && i < sh->vars->n; i++) {
        struct var *at = sh->vars->slots[i];
        if (!at || (at->flags & flags) != flags)
            continue;
        struct sym *s = sym_by_id(sh, i);
        uint32_t near = at->flags & (VAR_LOCAL | VAR_TEMP) ? 0 : 1024;
        v[(*n)++] = (struct var_item){s, at, near + (assoc_hash(s->name) & 1023)};
    }
    return v;
}

int var_each(struct shell *sh, int (*fn)(void *ud, struct sym *s, struct var *v), void *ud)
{
    struct arena_mark m = arena_mark(&sh->arena);
    size_t n;
    struct var_item *v = var_collect(sh, &sh->arena, 0, &n);
    int r = v ? sort_stable(sh->heap, v, n, sizeof *v, var_by_name, NULL) : HOB_ENOMEM;
    for (size_t i = 0; r == 0 && i < n; i++) {
        struct var *at = var_slot(sh, v[i].sym);
        /* A listing shows these as they were when something last looked at them. */
        uint32_t id = v[i].sym->id;
        bool stale = id == SYM_DIRSTACK || id == SYM_GROUPS ||
                     ((id == SYM_BASH_ARGC || id == SYM_BASH_ARGV) && !sh->args &&
                      !SH_SHOPT(sh, SHOPT_EXTDEBUG));
        if (at && (at->flags & VAR_DYNAMIC) && (at->flags & (VAR_ARRAY | VAR_ASSOC)) && !stale)
            at = var_dynamic_fill(sh, v[i].sym, at);
        if (at && at->flags & VAR_DYNAMIC && var_dynamic_absent(sh, v[i].sym))
            continue;
        if (at)
            r = fn(ud, v[i].sym, at);
    }
    arena_release(&sh->arena, m);
    return r;
}

/* ---- printing -------------------------------------------------------------------------------- */

void var_letters(struct buf *b, uint32_t flags)
{
    static const struct {
        uint32_t flag;
        char letter;
    } list[] = {{VAR_ARRAY, 'a'},    {VAR_ASSOC, 'A'}, {VAR_INTEGER, 'i'}, {VAR_NAMEREF, 'n'},
                {VAR_READONLY, 'r'}, {VAR_TRACE, 't'}, {VAR_EXPORT, 'x'},  {VAR_CAPITAL, 'c'},
                {VAR_LOWER, 'l'},    {VAR_UPPER, 'u'}};
    for (size_t i = 0; i < COUNT(list); i++)
        if (flags & list[i].flag)
            buf_putc(b, list[i].letter);
}

/* ([0]="a" [1]="b"), with a blank before the ) of an associative one. */
void var_print_array(struct buf *b, const struct var *v)
{
    struct str key, s;
    buf_putc(b, '(');
    if (v->flags & VAR_ARRAY) {
        bool first = true;
        for (int64_t i = -1; array_next(v->u.array, &i, &s); first = false) {
            buf_printf(b, first ? "[%lld]=" : " [%lld]=", (long long)i);
            expand_quote_value(b, s);
        }
    } else {
        for (size_t pos = 0; assoc_next(v->u.assoc, &pos, &key, &s);) {
            buf_putc(b, '[');
            expand_quote_key(b, key);
            buf_addz(b, "]=");
            expand_quote_value(b, s);
            buf_putc(b, ' ');
        }
    }
    buf_putc(b, ')');
}

/* Key of an associative array between [ and ]: quoted only when it must be. */
void expand_quote_key(struct buf *b, struct str key)
{
    if (expand_quote_needs_ansi(key))
        expand_quote_ansi(b, key);
    else if (key.n == 0 || expand_quote_metas(key) ||
             (key.n == 1 && (*key.p == '@' || *key.p == '*')))
        expand_quote_double(b, key);
    else
        buf_str(b, key);
}

void var_print(struct shell *sh, struct buf *b, struct sym *s, struct var *v)
{
    size_t at;
    buf_addz(b, "declare -");
    at = b->n;
    var_letters(b, v->flags);
    if (b->n == at)
        buf_putc(b, '-');
    buf_putc(b, ' ');
    buf_str(b, s->name);
    struct str text;
    if (v->flags & (VAR_ARRAY | VAR_ASSOC)) {
        bool none = v->flags & VAR_UNSET ||
                    (s->id == SYM_FUNCNAME && (v->flags & VAR_DYNAMIC) && !array_count(v->u.array));
        if (!none) {
            buf_putc(b, '=');
            var_print_array(b, v);
        }
    } else if (v->flags & VAR_DYNAMIC ? var_dynamic_shown(sh, s, &text) : !(v->flags & VAR_UNSET)) {
        buf_putc(b, '=');
        expand_quote_value(b, v->flags & VAR_DYNAMIC ? text : var_text(sh, v));
    }
    buf_putc(b, '\n');
}

void var_print_set(struct shell *sh, struct buf *b, struct sym *s, struct var *v)
{
    struct str text;
    if (v->flags & VAR_UNSET ||
        (v->flags & VAR_DYNAMIC && s->id == SYM_FUNCNAME && !array_count(v->u.array)))
        return;
    if (v->flags & (VAR_ARRAY | VAR_ASSOC)) {
        buf_str(b, s->name);
        buf_putc(b, '=');
        var_print_array(b, v);
    } else {
        if (v->flags & VAR_DYNAMIC ? !var_dynamic_shown(sh, s, &text) : false)
            return;
        if (!(v->flags & VAR_DYNAMIC))
            text = var_text(sh, v);
        buf_str(b, s->name);
        buf_putc(b, '=');
        expand_quote_maybe(b, text);
    }
    buf_putc(b, '\n');
}

/* Quoted only when the shell would not read it back as it is. */
void expand_quote_maybe(struct buf *b, struct str s)
{
    if (expand_quote_needs_ansi(s))
        expand_quote_ansi(b, s);
    else if (expand_quote_metas(s))
        expand_quote_single(b, s);
    else
        buf_str(b, s);
}

/* ---- the environment of commands ------------------------------------------------------------- */

static bool var_env_get(void *ctx, struct str name, struct str *value)
{
    struct shell *sh = ctx;
    struct sym *s = sym_find(sh, name);
    struct var *v = s ? var_slot(sh, s) : NULL;
    if (s && s->id == SYM_UNDERSCORE && sh->env_command.p) {
        *value = sh->env_command;
        return true;
    }
    return v && (v->flags & VAR_EXPORT) && !(v->flags & (VAR_ARRAY | VAR_ASSOC)) &&
           var_str(sh, s, value);
}

struct var_env_walk {
    int (*fn)(void *ud, struct str name, struct str value);
    void *ud;
    int result;
    struct shell *sh;
    struct arena *arena;
};

/* Exported functions travel as BASH_FUNC_name%%=() { ... }. The texts live as long as those of
 * variables: until the command ends. */
static int var_env_function(void *ud, struct function *f)
{
    struct var_env_walk *w = ud;
    if (!(f->flags & VAR_EXPORT) || w->result)
        return 0;
    struct arena *a = w->arena;
    struct buf text;
    buf_init(&text, w->sh->heap);
    struct str name = arena_printf(a, "BASH_FUNC_%.*s%%%%", STR_ARG(f->name));
    print_exported(&text, f->body);
    struct str value = arena_str(a, buf_get(&text));
    w->result = name.p && value.p ? w->fn(w->ud, name, value) : HOB_ENOMEM;
    buf_fini(&text);
    return w->result;
}

static int var_env_each(void *ctx, int (*fn)(void *ud, struct str name, struct str value), void *ud)
{
    struct shell *sh = ctx;
    /* Whoever looks may be a process beside this shell (/proc/PID/environ). Its own arena is taken
     * then: that of the shell may be lent to a subshell. What is made at each look is left out. */
    const struct task *now = sh->kernel->sched.current;
    const struct proc *me = now ? now->proc : NULL;
    bool own = !me || !me->arena || me->shell == sh;
    struct var_env_walk w = {fn, ud, 0, sh, own ? &sh->arena : me->arena};
    size_t n;
    struct var_item *v = var_collect(sh, w.arena, VAR_EXPORT, &n);
    w.result = v ? sort_stable(sh->heap, v, n, sizeof *v, var_by_bucket, NULL) : HOB_ENOMEM;
    for (size_t i = 0; w.result == 0 && i < n; i++) {
        struct str text;
        if (v[i].sym->id != SYM_UNDERSCORE && !(v[i].var->flags & (VAR_ARRAY | VAR_ASSOC)) &&
            (own || !(v[i].var->flags & (VAR_DYNAMIC | VAR_NAMEREF))) &&
            var_str(sh, v[i].sym, &text))
            w.result = fn(ud, v[i].sym->name, text);
    }
    if (w.result == 0)
        function_each(sh, var_env_function, &w);
    if (w.result == 0 && sh->env_command.p)
        w.result = fn(ud, STR("_"), sh->env_command);
    return w.result;
}

const struct env_ops var_env_ops = {var_env_get, var_env_each};

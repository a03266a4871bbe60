/* expand_assign.c -- name=value, name[index]+=value, name=(...): expanded and carried out */
#include "shell/builtin_impl.h"
#include "shell/expand_impl.h"
#include "base/fmt.h"
#include "shell/arith.h"

/* (a "b c" [2]=d) as it is written. */
static struct str expand_assign_list_text(struct shell *sh, const struct assign *a)
{
    struct buf b;
    buf_init(&b, sh->heap);
    buf_putc(&b, '(');
    for (int i = 0; i < a->nelems; i++) {
        const struct element *e = &a->elems[i];
        if (i)
            buf_putc(&b, ' ');
        if (e->index) {
            buf_putc(&b, '[');
            print_word(&b, e->index);
            buf_addz(&b, e->append ? "]+=" : "]=");
        }
        if (e->value)
            print_word(&b, e->value);
    }
    buf_putc(&b, ')');
    struct str text = arena_str(&sh->arena, buf_get(&b));
    buf_fini(&b);
    return text;
}

/* Puts the variable that flags ask for in the slot. True: undo by scope_swap_global(). */
static bool expand_list_swap(struct shell *sh, struct sym *s, int flags)
{
    struct var *v = var_slot(sh, s);
    bool own = v && (v->flags & VAR_LOCAL) && v->level == sh->level;
    return ((flags & ASSIGN_GLOBAL) || ((flags & ASSIGN_NEAR) && !own)) && scope_swap_global(sh, s);
}

/* The variable that a list goes to. Elements of a reference are refused; behind (( a builtin that
 * `declares` shows that name. */
static int expand_list_target(struct shell *sh, struct assign *a, int flags, bool declares,
                              struct sym **s, struct var **v)
{
    struct str index;
    if (UNLIKELY(!a->sym) && !(a->sym = sym_intern(sh, a->name)))
        return HOB_ENOMEM;
    *s = a->sym;
    *v = var_slot(sh, *s);
    if ((flags & ASSIGN_LOCAL) && *v && !((*v)->flags & VAR_LOCAL && (*v)->level == sh->level))
        return 0; /* a reference outside of the function is not looked at */
    *v = var_get(sh, s, &index);
    if (!a->index && !index.p)
        return 0;
    if (!a->index)
        shell_error(sh, "%s`%.*s[%.*s]': not a valid identifier",
                    declares && sh->this_name && str_eqz(STR("(("), sh->this_name) ? "((: " : "",
                    STR_ARG((*s)->name), STR_ARG(index));
    else
        shell_error(sh, "%.*s[%.*s]: cannot assign list to array member", STR_ARG((*s)->name),
                    STR_ARG(a->index->src));
    return HOB_EINVAL;
}

int expand_list(struct shell *sh, struct assign *a, bool assoc, struct compound *c)
{
    int r = compound_expand(sh, a, assoc, c); /* only -A counts here, not what the variable is */
    c->quoted = true;
    return r;
}

/* `name` is what the script calls it. */
static int expand_list_put(struct shell *sh, struct sym *s, struct str name, int flags,
                           struct compound *c)
{
    struct var *v = var_slot(sh, s);
    if (v && (v->flags & VAR_READONLY))
        return var_readonly_error(sh, name);
    bool own = v && (v->flags & VAR_LOCAL) && v->level == sh->level;
    if ((flags & ASSIGN_LOCAL) && !(own && (v->flags & (VAR_ARRAY | VAR_ASSOC))) &&
        !scope_local(sh, s, 0))
        return HOB_EPERM;
    int r = compound_store(sh, s, c);
    v = var_slot(sh, s);
    if (r >= 0 && v && c->quoted && SH_OPT(sh, OPT_ALLEXPORT) && (v = var_own(sh, s)))
        v->flags |= VAR_EXPORT; /* only what a builtin declares */
    return r;
}

int expand_list_store(struct shell *sh, struct assign *a, int flags, struct compound *c)
{
    struct sym *s;
    struct var *v;
    if (SH_OPT(sh, OPT_XTRACE))
        trace_list(sh, a->name, a->append, c);
    int r = expand_list_target(sh, a, flags, true, &s, &v);
    if (r < 0)
        return r;
    bool swapped = expand_list_swap(sh, s, flags);
    r = expand_list_put(sh, s, a->name, flags, c);
    if (swapped)
        scope_swap_global(sh, s);
    return r;
}

/* name=(...): every element is expanded before the array changes. */
static int expand_assign_list(struct shell *sh, struct assign *a)
{
    struct compound c;
    struct sym *s;
    struct var *v;
    if (SH_OPT(sh, OPT_XTRACE))
        trace_assign(sh, a->name, STR_NONE, a->append, expand_assign_list_text(sh, a), true);
    int r = expand_list_target(sh, a, 0, false, &s, &v);
    if (r >= 0 && v && (v->flags & VAR_READONLY))
        r = var_readonly_error(sh, a->name);
    if (r >= 0 && !v) { /* there is an array even if the elements cannot be expanded */
        r = var_make_array(sh, s, false, true);
        v = var_slot(sh, s);
    }
    if (r >= 0)
        r = compound_expand(sh, a, v && (v->flags & VAR_ASSOC), &c);
    return r < 0 ? r : expand_list_put(sh, s, a->name, 0, &c);
}

/* name[index]=value: the value is expanded first. */
static int expand_assign_elem(struct shell *sh, struct assign *a, struct str value)
{
    int flags = a->append ? VAR_APPEND : 0;
    struct str ref, key;
    struct sym *s = a->sym;
    struct var *v = var_get(sh, &s, &ref);
    int64_t i;
    if (SH_OPT(sh, OPT_XTRACE))
        trace_assign(sh, a->name, a->index->src, a->append, value, false);
    if (!(v && (v->flags & VAR_ASSOC)) &&
        (str_eqz(a->index->src, "@") || str_eqz(a->index->src, "*"))) {
        shell_error(sh, "%.*s[%.*s]: bad array subscript", STR_ARG(a->name),
                    STR_ARG(a->index->src));
        return HOB_EINVAL;
    }
    if (a->index->n && !(v && (v->flags & VAR_ASSOC)) && !ref.p) {
        int r = arith_subscript(sh, a->index, &a->index->cache, &i);
        if (r < 0)
            return r;
        if (i >= 0)
            return var_set_index(sh, a->sym, i, value, flags);
        char text[24];
        key = str_of(text, fmt_int(text, i));
        if (a->index->src.p && array_end(v && (v->flags & VAR_ARRAY) ? v->u.array : NULL) < -i) {
            shell_error(sh, "%.*s[%.*s]: bad array subscript", STR_ARG(a->name),
                        STR_ARG(a->index->src));
            return HOB_EINVAL;
        }
        return var_set_elem(sh, a->sym, key, value, flags);
    }
    int r = expand_word(sh, a->index, 0, &key);
    if (r >= 0 && key.n == 0 && v && (v->flags & VAR_ASSOC)) {
        shell_error(sh, "%.*s[%.*s]: bad array subscript", STR_ARG(a->name),
                    STR_ARG(a->index->src));
        return HOB_EINVAL;
    }
    return r < 0 ? r : var_set_elem(sh, a->sym, key, value, flags);
}

/* x=1 command: the binding is made when the value is known. */
static int expand_assign_temp(struct shell *sh, struct assign *a, struct str value)
{
    struct var *v = var_slot(sh, a->sym);
    if (SH_OPT(sh, OPT_XTRACE))
        trace_assign(sh, a->name, a->index ? a->index->src : STR_NONE, a->append, value, false);
    if (v && (v->flags & VAR_READONLY))
        return var_readonly_error(sh, a->name);
    struct str index;
    struct sym *s = a->sym;
    if (a->index) { /* an element cannot be exported; the command runs all the same */
        shell_error(sh, "`%.*s[%.*s]': not a valid identifier", STR_ARG(a->name),
                    STR_ARG(a->index->src));
        return 0;
    }
    var_get(sh, &s, &index);
    if (index.p)
        return var_set(sh, a->sym, value, a->append ? VAR_APPEND : 0);
    if (!scope_local(sh, s, LOCAL_TEMP | (a->append ? LOCAL_INHERIT : 0)))
        return HOB_ENOMEM;
    int r = var_set(sh, s, value, a->append ? VAR_APPEND : 0);
    if (a->append && (v = var_slot(sh, s)))
        v->flags &= ~(uint32_t)(VAR_INTEGER | VAR_LOWER | VAR_UPPER | VAR_CAPITAL);
    return r;
}

int expand_assign(struct shell *sh, struct assign *a, int flags)
{
    struct str value;
    int r;
    if (UNLIKELY(!a->sym) && !(a->sym = sym_intern(sh, a->name)))
        return HOB_ENOMEM;
    bool temp = flags & ASSIGN_TEMP, trace = SH_OPT(sh, OPT_XTRACE);
    if (a->array && !temp)
        return expand_assign_list(sh, a);
    const struct word *w = a->value;
    if (w && w->n == 1 && w->parts[0].kind == PART_ARITH && !a->append && !a->index && !temp &&
        !trace) {
        /* x=$((...)): the number never becomes text. */
        struct part *p = &w->parts[0];
        struct arith_text t = {p->u.arith.expr, p->u.arith.prog};
        int64_t n;
        r = arith_eval(sh, &t, &n);
        p->u.arith.prog = t.prog;
        return r < 0 ? r : var_set_int(sh, a->sym, n);
    }
    if (a->array) { /* a=(1 2) command: no array can be exported, so it is text */
        value = expand_assign_list_text(sh, a);
        r = value.p ? 0 : HOB_ENOMEM;
    } else if (temp || a->index || trace) {
        r = expand_word(sh, a->value, EXPAND_TILDE_EQ, &value);
    } else {
        r = expand_word_borrow(sh, a->value, EXPAND_TILDE_EQ, &value);
    }
    if (r < 0)
        return r;
    if (temp)
        return expand_assign_temp(sh, a, value);
    if (a->index)
        return expand_assign_elem(sh, a, value);
    if (trace)
        trace_assign(sh, a->name, STR_NONE, a->append, value, false);
    return var_set(sh, a->sym, value, a->append ? VAR_APPEND : 0);
}

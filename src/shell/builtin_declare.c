/* builtin_declare.c -- declare, typeset, local, export, readonly, unset
 *
 * An argument is taken apart into name, subscript and value; then the variable is made where it
 * belongs (local, global, here), looked at for what forbids the change, given its attributes, and
 * assigned. Readonly and nameref come last: they would be in the way of the assignment.
 */
#include "shell/builtin_impl.h"
#include "shell/expand_impl.h"
#include "shell/parse.h"

struct declare {
    struct shell *sh;
    uint32_t on, off;
    bool local;     /* called as local */
    bool print;     /* -p */
    bool functions; /* -f, -F */
    bool names;     /* -F */
    bool global;    /* -g */
    bool near;      /* with global: a local one of this function comes first */
    bool inherit;   /* -I */
    bool readonly_or_export;
    bool stop; /* no further argument is looked at */
    int status;
};

/* name[index]+=value, taken apart. */
struct declare_arg {
    struct str word, name, index; /* index.p NULL: none */
    struct str value;             /* .p NULL: no = */
    bool append;
};

/* ---- arguments ------------------------------------------------------------------------------- */

/* The end of the subscript that begins at s[at] == '[', behind the ]; 0: it has none. */
static size_t declare_subscript(struct str s, size_t at)
{
    int depth = 0;
    for (size_t i = at; i < s.n; i++) {
        if (s.p[i] == '[')
            depth++;
        else if (s.p[i] == ']' && --depth == 0)
            return i + 1;
    }
    return 0;
}

static void declare_split(struct declare_arg *a, struct str w)
{
    size_t n = 0, end;
    *a = (struct declare_arg){.word = w, .name = w};
    while (n < w.n && w.p[n] != '[' && w.p[n] != '=' && w.p[n] != '+')
        n++;
    if (!parse_is_name(str_sub(w, 0, n)))
        return;
    end = n < w.n && w.p[n] == '[' ? declare_subscript(w, n) : n;
    if (end == 0)
        return;
    bool plus = end < w.n && w.p[end] == '+';
    size_t eq = end + plus;
    if (end == w.n && end > n) { /* name[index] alone */
        a->name = str_sub(w, 0, n);
        a->index = str_sub(w, n + 1, end - n - 2);
        return;
    }
    if (eq >= w.n || w.p[eq] != '=')
        return;
    a->name = str_sub(w, 0, n);
    if (end > n)
        a->index = str_sub(w, n + 1, end - n - 2);
    a->append = plus;
    a->value = str_from(w, eq + 1);
}

static void declare_fail(struct declare *d) { d->status = 1; }

static void declare_bad_name(struct declare *d, struct str w)
{
    shell_builtin_error(d->sh, "`%.*s': not a valid identifier", STR_ARG(w));
    declare_fail(d);
}

/* ---- printing -------------------------------------------------------------------------------- */

struct declare_list {
    struct declare *d;
    struct buf *b;
};

/* In posix mode export -p and readonly -p print commands of their own name. */
static void declare_print_posix(struct declare *d, struct buf *b, size_t from)
{
    struct buf t;
    const char *name = d->sh->builtin->name;
    char own = *name == 'e' ? 'x' : 'r';
    struct str s = str_from(buf_get(b), from + strlen("declare -"));
    size_t n = 0;
    buf_init(&t, d->sh->heap);
    buf_printf(&t, "%s ", name);
    bool dash = false;
    for (; n < s.n && s.p[n] != ' '; n++) {
        if (s.p[n] == own || s.p[n] == '-')
            continue;
        if (!dash)
            buf_putc(&t, '-');
        dash = true;
        buf_putc(&t, s.p[n]);
    }
    if (dash)
        buf_putc(&t, ' ');
    buf_str(&t, str_from(s, n + 1));
    buf_cut(b, from);
    buf_str(b, buf_get(&t));
    buf_fini(&t);
}

static void declare_print(struct declare *d, struct buf *b, struct sym *s, struct var *v)
{
    size_t from = b->n;
    var_print(d->sh, b, s, v);
    if (d->readonly_or_export && SH_OPT(d->sh, OPT_POSIX))
        declare_print_posix(d, b, from);
}

static int declare_print_each(void *ud, struct sym *s, struct var *v)
{
    struct declare_list *l = ud;
    struct declare *d = l->d;
    const uint32_t kinds = VAR_ARRAY | VAR_ASSOC;
    uint32_t want = d->on, kind = want & kinds;
    if (d->local && (!(v->flags & VAR_LOCAL) || v->level != d->sh->level))
        return 0;
    if (!d->local && kind && !(v->flags & kind))
        return 0;
    if (!d->local && want & ~kinds && !(v->flags & want & ~kinds))
        return 0;
    declare_print(d, l->b, s, v);
    return 0;
}

static void declare_print_function(struct declare *d, struct buf *b, struct function *f)
{
    static const struct {
        uint32_t flag;
        char letter;
    } list[] = {{VAR_READONLY, 'r'}, {VAR_TRACE, 't'}, {VAR_EXPORT, 'x'}};
    bool more = false;
    for (size_t i = 0; i < COUNT(list); i++)
        more |= (f->flags & list[i].flag) != 0;
    if (!d->names) {
        print_function(b, f->name, f->body);
        buf_putc(b, '\n');
        if (!more)
            return;
    }
    buf_addz(b, "declare -f");
    for (size_t i = 0; i < COUNT(list); i++)
        if (f->flags & list[i].flag)
            buf_putc(b, list[i].letter);
    buf_printf(b, " %.*s\n", STR_ARG(f->name));
}

static int declare_function_each(void *ud, struct function *f)
{
    struct declare_list *l = ud;
    if (!l->d->on || (f->flags & l->d->on))
        declare_print_function(l->d, l->b, f);
    return 0;
}

/* Without names: everything that has the attributes. */
static int declare_show(struct declare *d)
{
    struct buf b;
    struct declare_list l = {d, &b};
    if (!d->local && !d->print && !d->on && !d->functions && !d->readonly_or_export) {
        const struct builtin *set = builtin_find(STR("set"));
        struct str word = STR("set");
        return set ? set->run(d->sh, &word, 1) : 1;
    }
    buf_init(&b, d->sh->heap);
    if (d->functions)
        function_each(d->sh, declare_function_each, &l);
    else
        var_each(d->sh, declare_print_each, &l);
    return builtin_print(d->sh, &b, 0);
}

static int declare_show_names(struct declare *d, struct str *words, int n)
{
    struct shell *sh = d->sh;
    struct buf b;
    buf_init(&b, sh->heap);
    for (int i = 0; i < n; i++) {
        if (d->functions) {
            struct function *f = function_find(sh, words[i]);
            if (f) {
                declare_print_function(d, &b, f);
                continue;
            }
        } else {
            struct sym *s = sym_find(sh, words[i]);
            struct var *v = s ? var_slot(sh, s) : NULL;
            if (v && d->local && (!(v->flags & VAR_LOCAL) || v->level != sh->level))
                v = NULL;
            if (v && (v->flags & VAR_DYNAMIC) && (v->flags & (VAR_ARRAY | VAR_ASSOC)))
                v = var_dynamic_fill(sh, s, v);
            if (v) {
                declare_print(d, &b, s, v);
                continue;
            }
        }
        builtin_print(sh, &b, 0);
        buf_init(&b, sh->heap);
        shell_builtin_error(sh, "%.*s: not found", STR_ARG(words[i]));
        declare_fail(d);
    }
    return builtin_print(sh, &b, d->status);
}

/* ---- functions ------------------------------------------------------------------------------- */

static void declare_function(struct declare *d, const struct declare_arg *a)
{
    struct shell *sh = d->sh;
    struct function *f = function_find(sh, a->word);
    struct buf b;
    if (!f) {
        declare_fail(d);
        return;
    }
    if ((f->flags & VAR_READONLY) && (d->off & VAR_READONLY)) {
        shell_builtin_error(sh, "%.*s: readonly function", STR_ARG(a->word));
        declare_fail(d);
        return;
    }
    if (d->on || d->off) {
        if (function_attr(sh, a->word, d->on, d->off) < 0)
            declare_fail(d);
        return;
    }
    buf_init(&b, sh->heap);
    if (!d->names)
        print_function(&b, f->name, f->body);
    else if (SH_SHOPT(sh, SHOPT_EXTDEBUG))
        buf_printf(&b, "%.*s %d %.*s", STR_ARG(f->name), f->line_head, STR_ARG(f->file));
    else
        buf_str(&b, f->name);
    buf_putc(&b, '\n');
    d->status |= builtin_print(sh, &b, 0);
}

/* ---- variables ------------------------------------------------------------------------------- */

/* What a nameref may not be, told before anything is made. */
static bool declare_nameref_ok(struct declare *d, const struct declare_arg *a)
{
    struct shell *sh = d->sh;
    struct str name, index;
    if (a->index.p || (d->on & (VAR_ARRAY | VAR_ASSOC))) {
        struct str w = a->index.p ? str_sub(a->word, 0, a->name.n + a->index.n + 2) : a->name;
        shell_builtin_error(sh, "%.*s: reference variable cannot be an array", STR_ARG(w));
        return false;
    }
    if (!a->value.p)
        return true;
    bool ref = var_split_ref(a->value, &name, &index);
    if (ref && str_eq(name, a->name)) {
        if (sh->level == 0) {
            shell_builtin_error(sh, "%.*s: nameref variable self references not allowed",
                                STR_ARG(a->name));
            return false;
        }
        shell_builtin_error(sh, "warning: %.*s: circular name reference", STR_ARG(a->name));
        shell_error(sh, "warning: %.*s: circular name reference", STR_ARG(a->name));
    }
    if (a->value.n == 0) {
        declare_bad_name(d, a->value);
        return false;
    }
    if (!ref && !a->append) {
        shell_builtin_error(sh, "`%.*s': invalid variable name for name reference",
                            STR_ARG(a->value));
        return false;
    }
    return true;
}

/* Makes the binding that the builtin works on. NULL after a message. *swapped: undo by a second
 * scope_swap_global(). */
static struct sym *declare_place(struct declare *d, struct declare_arg *a, struct sym *s,
                                 bool *swapped)
{
    struct shell *sh = d->sh;
    struct var *v = var_slot(sh, s);
    struct str index;
    bool refs = (d->on | d->off) & VAR_NAMEREF;
    bool local_ref = v && (v->flags & VAR_NAMEREF) && (v->flags & VAR_LOCAL) &&
                     v->level == sh->level && !(v->flags & VAR_UNSET) && !refs;
    bool own = v && (v->flags & VAR_LOCAL) && v->level == sh->level;
    if (d->global && sh->level > 0) {
        *swapped = !(d->near && own) && scope_swap_global(sh, s);
    } else if (sh->level > 0 && !d->readonly_or_export && !local_ref) {
        return scope_local(sh, s, d->inherit ? LOCAL_INHERIT : 0) ? s : NULL;
    }
    v = var_slot(sh, s);
    if (!refs && v && (v->flags & VAR_NAMEREF) && !(v->flags & VAR_UNSET)) {
        struct sym *target = s;
        var_get(sh, &target, &index);
        if (index.p && !a->index.p)
            a->index = index; /* an element: the array is declared, the element assigned */
        return target;
    }
    return s;
}

static bool declare_complain(struct declare *d, struct sym *s, const char *what)
{
    shell_builtin_error(d->sh, "%.*s: %s", STR_ARG(s->name), what);
    return false;
}

static bool declare_complain_name(struct declare *d, struct str name, const char *what)
{
    shell_builtin_error(d->sh, "%.*s: %s", STR_ARG(name), what);
    return false;
}

static bool declare_allowed(struct declare *d, const struct declare_arg *a, struct sym *s)
{
    struct var *v = var_slot(d->sh, s);
    struct str given = a->index.p ? s->name : a->name;
    uint32_t flags = v ? v->flags : 0;
    bool value = a->value.p;
    if ((flags & (VAR_ARRAY | VAR_ASSOC)) && (d->on & VAR_NAMEREF))
        return declare_complain(d, s, "reference variable cannot be an array");
    if ((d->on & VAR_NAMEREF) && !value && v &&
        !(flags & (VAR_UNSET | VAR_NAMEREF | VAR_DYNAMIC))) {
        struct str old = var_text(d->sh, v), name, index;
        if (old.n && !var_split_ref(old, &name, &index)) {
            shell_builtin_error(d->sh, "`%.*s': invalid variable name for name reference",
                                STR_ARG(old));
            return false;
        }
    }
    if ((flags & VAR_READONLY) && (value || (d->off & VAR_READONLY))) {
        if (!d->readonly_or_export || (d->on & (VAR_ARRAY | VAR_ASSOC)))
            return declare_complain_name(d, given, "readonly variable");
        if (value && SH_OPT(d->sh, OPT_XTRACE))
            trace_assign(d->sh, s->name, a->index, a->append, a->value, false);
        if (value)
            return var_readonly_error(d->sh, s->name), false;
    }
    if (((d->off & VAR_ARRAY) && (flags & VAR_ARRAY)) ||
        ((d->off & VAR_ASSOC) && (flags & VAR_ASSOC)))
        return declare_complain(d, s, "cannot destroy array variables in this way");
    if ((d->on & VAR_ARRAY) && ((flags | d->on) & VAR_ASSOC))
        return declare_complain_name(d, given, "cannot convert associative to indexed array");
    if ((d->on & VAR_ASSOC) && (flags & VAR_ARRAY))
        return declare_complain_name(d, given, "cannot convert indexed to associative array");
    return true;
}

static bool declare_looks_compound(struct str v)
{
    return v.n > 1 && v.p[0] == '(' && v.p[v.n - 1] == ')';
}

static int declare_value(struct declare *d, const struct declare_arg *a, struct sym *s)
{
    struct shell *sh = d->sh;
    int flags = a->append ? VAR_APPEND : 0;
    struct var *v = var_slot(sh, s);
    if (!a->value.p)
        return 0;
    if (UNLIKELY(d->readonly_or_export && SH_OPT(sh, OPT_XTRACE)))
        trace_assign(sh, s->name, a->index, a->append, a->value, false);
    struct str index = a->index;
    if (index.p && builtin_subscript(sh, s, &index, true) < 0)
        return HOB_EINVAL;
    if (index.p)
        return var_set_elem(sh, s, index, a->value, flags);
    if (d->on & VAR_NAMEREF)
        return var_set(sh, s, a->value, flags | VAR_NOREF);
    if (v && (v->flags & (VAR_ARRAY | VAR_ASSOC)) && !a->append &&
        declare_looks_compound(a->value)) {
        struct compound text = {0};
        int r = compound_parse(sh, s->name, a->value, v->flags & VAR_ASSOC, &text);
        if (r >= 0)
            r = compound_store(sh, s, &text);
        compound_free(&text);
        if (r != HOB_ESYNTAX)
            return r;
    }
    return var_set(sh, s, a->value, flags);
}

/* x=1 export x: the binding of the command becomes the variable itself. */
static void declare_keep_temp(struct declare *d, struct sym *s)
{
    struct shell *sh = d->sh;
    struct var *v = var_slot(sh, s);
    if (!v || !(v->flags & VAR_TEMP) || (v->flags & (VAR_LOCAL | VAR_ODD)))
        return;
    struct str value = arena_str(&sh->arena, var_text(sh, v));
    if (value.p && scope_reveal(sh, s))
        var_set(sh, s, value, 0);
}

/* The attributes and the value of a variable that is in place and may be changed. */
static int declare_apply(struct declare *d, const struct declare_arg *a, struct sym *s)
{
    struct shell *sh = d->sh;
    const uint32_t late = VAR_READONLY | VAR_NAMEREF, kinds = VAR_ARRAY | VAR_ASSOC;
    struct var *v = var_own(sh, s);
    int r = v ? 0 : HOB_ENOMEM;
    bool array = (d->on & kinds) || a->index.p;
    if (r >= 0 && array && !(v->flags & kinds))
        r = var_make_array(sh, s, d->on & VAR_ASSOC, false);
    uint32_t first = d->on & ~(late | kinds);
    if (a->index.p)
        first |= d->on & VAR_READONLY; /* as in bash, an element is then refused */
    if (r >= 0 && (first || (d->off & ~kinds)))
        r = var_attr(sh, s, first, d->off & ~kinds);
    if (r >= 0)
        r = declare_value(d, a, s);
    if (r >= 0 && (d->on & late))
        r = var_attr(sh, s, d->on & late, 0);
    return r;
}

static void declare_one(struct declare *d, struct declare_arg *a)
{
    struct shell *sh = d->sh;
    bool swapped = false;
    if (d->functions) {
        if (a->value.p) {
            shell_builtin_error(sh, "cannot use `-f' to make functions");
            declare_fail(d);
            d->stop = true;
        } else {
            declare_function(d, a);
        }
        return;
    }
    if (!parse_is_name(a->name)) {
        declare_bad_name(d, a->word);
        return;
    }
    if ((d->on & VAR_NAMEREF) && !declare_nameref_ok(d, a)) {
        declare_fail(d);
        return;
    }
    struct sym *first = sym_intern(sh, a->name);
    struct sym *s = first ? declare_place(d, a, first, &swapped) : NULL;
    if (s && (d->on & (VAR_EXPORT | VAR_READONLY)))
        declare_keep_temp(d, s);
    uint32_t on = d->on;
    if (s && s != first && a->index.p && d->readonly_or_export && a->word.n != 0 &&
        !memchr(a->word.p, '[', a->word.n)) { /* an element cannot be marked, only assigned */
        bool array = a->value.p && (d->on & (VAR_ARRAY | VAR_ASSOC)); /* as declare does it */
        bool ok = !array || declare_allowed(d, a, s);
        if (!ok)
            declare_fail(d);
        else if (a->value.p)
            var_set_elem(sh, s, a->index, a->value, a->append ? VAR_APPEND : 0);
        if (ok && array)
            var_attr(sh, s, d->on & (VAR_READONLY | VAR_EXPORT), 0);
        if (d->on)
            shell_builtin_error(sh, "`%.*s[%.*s]': not a valid identifier", STR_ARG(s->name),
                                STR_ARG(a->index));
        return;
    }
    if (d->readonly_or_export && !a->value.p)
        d->on &= ~(uint32_t)(VAR_ARRAY | VAR_ASSOC); /* export -a x: no array is made */
    if (!s || !declare_allowed(d, a, s) || declare_apply(d, a, s) < 0) {
        declare_fail(d);
        if (s && d->readonly_or_export && !shell_unwinding(sh)) /* that is done all the same */
            var_attr(sh, s, on & (VAR_READONLY | VAR_EXPORT), 0);
    }
    d->on = on;
    if (swapped)
        scope_swap_global(sh, first);
}

/* `local -`: the options are put back when the function ends. */
static void declare_keep_options(struct shell *sh)
{
    struct frame *f = sh->frame;
    while (f && !f->fn)
        f = f->up;
    if (f && !f->keep_opts) {
        f->keep_opts = true;
        f->opts = sh->opts;
    }
}

static int declare_all(struct declare *d, struct str *argv, int argc, int at)
{
    for (int i = at; i < argc && !shell_unwinding(d->sh) && !d->stop; i++) {
        struct declare_arg a;
        if (d->local && str_eqz(argv[i], "-")) {
            declare_keep_options(d->sh);
            continue;
        }
        declare_split(&a, argv[i]);
        declare_one(d, &a);
    }
    return d->status;
}

/* ---- declare and local ----------------------------------------------------------------------- */

void declare_restore_options(struct shell *sh, uint64_t opts)
{
    for (int i = 0; i < OPT_COUNT; i++)
        if (((sh->opts ^ opts) >> i) & 1)
            shell_set_opt(sh, i, (opts >> i) & 1);
}

static uint32_t declare_flag(int c)
{
    switch (c) {
    case 'a': return VAR_ARRAY;
    case 'A': return VAR_ASSOC;
    case 'c': return VAR_CAPITAL;
    case 'i': return VAR_INTEGER;
    case 'l': return VAR_LOWER;
    case 'n': return VAR_NAMEREF;
    case 'r': return VAR_READONLY;
    case 't': return VAR_TRACE;
    case 'u': return VAR_UPPER;
    case 'x': return VAR_EXPORT;
    default: return 0;
    }
}

/* 0, or the status to end with. */
static int declare_options(struct declare *d, struct getopt_state *g, struct str *argv, int argc)
{
    int c;
    while ((c = builtin_getopt(d->sh, g, argv, argc, "+acfgilnprtuxAFGI")) != -1) {
        switch (c) {
        case 'p': d->print = true; break;
        case 'f': d->functions = true; break;
        case 'F': d->functions = d->names = true; break;
        case 'g':
        case 'G': d->global = true; break;
        case 'I': d->inherit = true; break;
        case '?': return builtin_usage(d->sh);
        default:
            if (g->plus)
                d->off |= declare_flag(c);
            else
                d->on |= declare_flag(c);
            break;
        }
    }
    return 0;
}

static int declare_run(struct shell *sh, struct str *argv, int argc)
{
    struct declare d = {.sh = sh, .local = sh->builtin->name[0] == 'l'};
    struct getopt_state g = {.at = 1};
    if (d.local && sh->level == 0 && !builtin_help_asked(sh, argv, argc, 1)) {
        shell_builtin_error(sh, "can only be used in a function");
        return 1;
    }
    int status = declare_options(&d, &g, argv, argc);
    if (status)
        return status;
    if (g.at >= argc)
        return declare_show(&d);
    if (d.print)
        return declare_show_names(&d, argv + g.at, argc - g.at);
    return declare_all(&d, argv, argc, g.at);
}

/* ---- name=(..) ------------------------------------------------------------------------------- */

/* What the options in front of words[at] say, as bash reads them: as they are written, and before
 * any of them is checked. True: there is something to declare before the assignment. */
static bool declare_list_options(struct declare *d, struct word **words, int at)
{
    uint32_t kinds = 0, more = 0;
    char sign = '\0';
    bool options = true;
    for (int i = 1; i < at; i++) {
        struct str w = words[i]->src;
        if (w.n < 2 || (*w.p != '-' && *w.p != '+') || str_eqz(w, "--"))
            options = false;
        for (size_t k = 1; k < w.n && (*w.p == '-' || *w.p == '+'); k++) {
            char c = w.p[k];
            bool late = memchr("iluc", c, 4) || c == 'I';
            if (*w.p == '-' && (c == 'A' || (c == 'a' && !(kinds & VAR_ASSOC))))
                kinds = c == 'A' ? VAR_ASSOC : VAR_ARRAY;
            if (*w.p == '-' && c == 'g')
                d->global = true;
            if (options && late) {
                sign = sign ? sign : *w.p;
                more |= declare_flag(c);
                d->inherit |= c == 'I';
            }
        }
    }
    if (kinds || d->global || sign != '+')
        d->on = kinds | more;
    else
        d->off = more;
    return kinds || d->global || sign;
}

/* After a list for a reference to an element has been refused: bash has emptied the array. */
static void declare_list_lost(struct shell *sh, struct sym *s)
{
    struct str index;
    struct var *v = s ? var_get(sh, &s, &index) : NULL;
    if (!s || !index.p || var_make_array(sh, s, v && v->flags & VAR_ASSOC, true) < 0)
        return;
    v = var_slot(sh, s);
    if (v)
        v->flags |= VAR_UNSET;
}

int declare_list(struct shell *sh, const struct builtin *b, struct word **words, int at)
{
    struct assign *a = words[at]->assign;
    struct declare d = {.sh = sh};
    struct builtin *outer = sh->builtin;
    struct compound c;
    if (memchr("era", *b->name, 3)) /* export, readonly, alias: not local */
        d.global = d.near = true;
    bool first = declare_list_options(&d, words, at);
    bool local = sh->level > 0 && !d.near;
    struct builtin last = {.name = sh->this_name};
    sh->builtin = NULL; /* messages do not name this one */
    int flags = !local && !sh->level ? 0
                : d.near             ? ASSIGN_NEAR
                : d.global           ? ASSIGN_GLOBAL
                                     : ASSIGN_LOCAL;
    int r = expand_list(sh, a, d.on & VAR_ASSOC, &c);
    if (r >= 0 && first) {
        struct declare_arg arg = {.word = a->name, .name = a->name};
        sh->builtin = sh->this_name ? &last : NULL;
        declare_one(&d, &arg);
        sh->builtin = NULL;
    }
    if (r >= 0 && !d.status) {
        r = expand_list_store(sh, a, flags, &c);
        if (r < 0 && !first && !d.near && !sh->level)
            declare_list_lost(sh, a->sym);
    }
    sh->builtin = outer;
    if (r >= 0 && d.status && !local && !shell_unwinding(sh)) {
        sh->ctl = CTL_ABORT; /* without a look at errexit */
        sh->status = 1;
        return HOB_EINVAL;
    }
    return r < 0 ? expand_abort(sh) : 0;
}

#define DECLARE_SUMMARY                                                                            \
    "Set values and attributes of variables.\n"                                                    \
    "\n"                                                                                           \
    "Without a NAME the variables that have the attributes are printed.\n"                         \
    "\n"                                                                                           \
    "Options:\n"                                                                                   \
    "  -f\tfunctions instead of variables\n"                                                       \
    "  -F\tthe same, names alone (with line and file under extdebug)\n"                            \
    "  -g\tmake a global variable, in a function too\n"                                            \
    "  -I\ta local variable starts with the outer one's attributes and value\n"                    \
    "  -p\tprint attributes and values\n"                                                          \
    "\n"                                                                                           \
    "Attributes; `+' instead of `-' takes them away:\n"                                            \
    "  -a\tan indexed array\n"                                                                     \
    "  -A\tan associative array\n"                                                                 \
    "  -i\tvalues are arithmetic\n"                                                                \
    "  -l\tvalues become lower case\n"                                                             \
    "  -n\ta reference to the variable of that name\n"                                             \
    "  -r\treadonly\n"                                                                             \
    "  -t\ttrace\n"                                                                                \
    "  -u\tvalues become upper case\n"                                                             \
    "  -x\texported\n"                                                                             \
    "\n"                                                                                           \
    "In a function NAMEs become local, as with `local'.\n"                                         \
    "\n"                                                                                           \
    "Exit Status:\n"                                                                               \
    "Zero unless an option is wrong or a variable cannot be assigned."

const struct builtin builtin_declare = {
    .name = "declare",
    .run = declare_run,
    .flags = BUILTIN_ASSIGN,
    .usage = "declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]",
    .summary = DECLARE_SUMMARY,
};

const struct builtin builtin_typeset = {
    .name = "typeset",
    .run = declare_run,
    .flags = BUILTIN_ASSIGN,
    .usage = "typeset [-aAfFgiIlnrtux] name[=value] ... or typeset -p [-aAfFilnrtux] [name ...]",
    .summary = DECLARE_SUMMARY,
};
#undef DECLARE_SUMMARY

const struct builtin builtin_local = {
    .name = "local",
    .run = declare_run,
    .flags = BUILTIN_ASSIGN,
    .usage = "local [option] name[=value] ...",
    .summary = "Make variables local to a function.\n"
               "\n"
               "They can be seen in the function and in what it calls. OPTION is any option of\n"
               "`declare'. If a NAME is `-', the options of the shell are put back when the\n"
               "function ends.\n"
               "\n"
               "Exit Status:\n"
               "Zero unless an option is wrong, a variable cannot be assigned, or no function\n"
               "runs.",
};

/* ---- export and readonly --------------------------------------------------------------------- */

static void declare_mark_function(struct declare *d, struct str name)
{
    if (!function_find(d->sh, name)) {
        shell_builtin_error(d->sh, "%.*s: not a function", STR_ARG(name));
        declare_fail(d);
    } else if (function_attr(d->sh, name, d->on, d->off) < 0) {
        declare_fail(d);
    }
}

static int declare_mark(struct shell *sh, struct str *argv, int argc, uint32_t flag)
{
    struct declare d = {.sh = sh, .on = flag, .readonly_or_export = true};
    struct getopt_state g = {.at = 1};
    bool undo = false;
    int c;
    while ((c = builtin_getopt(sh, &g, argv, argc, "aAfnp")) != -1) {
        switch (c) {
        case 'a': d.on |= VAR_ARRAY; break;
        case 'A': d.on |= VAR_ASSOC; break;
        case 'f': d.functions = true; break;
        case 'n': undo = true; break;
        case 'p': break;
        default: return builtin_usage(sh);
        }
    }
    if (g.at >= argc)
        return declare_show(&d);
    if (undo) {
        d.off = flag & VAR_EXPORT;
        d.on &= ~flag;
    }
    for (int i = g.at; d.functions && i < argc; i++)
        declare_mark_function(&d, argv[i]);
    if (d.functions)
        return d.status;
    for (int i = g.at; i < argc; i++) {
        struct declare_arg a;
        declare_split(&a, argv[i]);
        if (a.index.p) {
            struct str w = str_sub(argv[i], 0, a.name.n + a.index.n + 2);
            declare_bad_name(&d, w);
            return d.status;
        }
    }
    return declare_all(&d, argv, argc, g.at);
}

static int declare_export_run(struct shell *sh, struct str *argv, int argc)
{
    return declare_mark(sh, argv, argc, VAR_EXPORT);
}

static int declare_readonly_run(struct shell *sh, struct str *argv, int argc)
{
    return declare_mark(sh, argv, argc, VAR_READONLY);
}

const struct builtin builtin_export = {
    .name = "export",
    .run = declare_export_run,
    .flags = BUILTIN_ASSIGN | BUILTIN_SPECIAL,
    .usage = "export [-fn] [name[=value] ...] or export -p",
    .summary = "Put variables into the environment of commands.\n"
               "\n"
               "Options:\n"
               "  -f\tfunctions instead of variables\n"
               "  -n\ttake them out of it\n"
               "  -p\tprint what is exported\n"
               "\n"
               "Exit Status:\n"
               "Zero unless an option or a name is wrong.",
};

const struct builtin builtin_readonly = {
    .name = "readonly",
    .run = declare_readonly_run,
    .flags = BUILTIN_ASSIGN | BUILTIN_SPECIAL,
    .usage = "readonly [-aAf] [name[=value] ...] or readonly -p",
    .summary = "Make variables unchangeable.\n"
               "\n"
               "Options:\n"
               "  -a\tindexed arrays\n"
               "  -A\tassociative arrays\n"
               "  -f\tfunctions instead of variables\n"
               "  -p\tprint what is readonly\n"
               "\n"
               "Exit Status:\n"
               "Zero unless an option or a name is wrong.",
};

/* ---- unset ----------------------------------------------------------------------------------- */

static int unset_function(struct shell *sh, struct str name)
{
    struct function *f = function_find(sh, name);
    if (f && (f->flags & VAR_READONLY)) {
        shell_builtin_error(sh, "%.*s: cannot unset: readonly function", STR_ARG(name));
        return 1;
    }
    if (f)
        function_unset(sh, name);
    return 0;
}

static int unset_element(struct shell *sh, struct sym *s, struct str index)
{
    struct str sub;
    bool all = str_eqz(index, "@") || str_eqz(index, "*");
    struct sym *target = s;
    struct var *v = all ? var_get(sh, &target, &sub) : NULL;
    if (v && SH_COMPAT(sh, 51) && v->flags & (VAR_ARRAY | VAR_ASSOC))
        return var_unset(sh, target, 0) < 0;
    if (v && (v->flags & VAR_ARRAY) && !(v->flags & VAR_READONLY))
        return var_make_array(sh, target, false, true) < 0;
    if (builtin_subscript(sh, s, &index, true) < 0)
        return 1;
    return var_unset_elem(sh, s, index) < 0;
}

static int unset_name(struct shell *sh, struct str name, bool only_var, bool nameref)
{
    struct str index = STR_NONE, base = name;
    bool valid = parse_is_name(name);
    if (!valid && !nameref && var_split_ref(name, &base, &index))
        valid = true;
    if (!valid) {
        if (!only_var)
            return unset_function(sh, name);
        shell_builtin_error(sh, "`%.*s': not a valid identifier", STR_ARG(name));
        return 1;
    }
    struct sym *s = sym_find(sh, base);
    struct var *v = s ? var_slot(sh, s) : NULL;
    if (v && nameref)
        return v->flags & VAR_NAMEREF ? var_unset(sh, s, VAR_NOREF) < 0 : 0;
    if (v && (v->flags & VAR_NOUNSET)) {
        shell_builtin_error(sh, "%.*s: cannot unset", STR_ARG(base));
        return 1;
    }
    if (v && index.p)
        return unset_element(sh, s, index);
    if (v)
        return var_unset(sh, s, 0) < 0;
    return only_var || nameref || index.p ? 0 : unset_function(sh, name);
}

static int unset_run(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {.at = 1};
    bool func = false, var = false, nameref = false;
    int c, status = 0;
    while ((c = builtin_getopt(sh, &g, argv, argc, "fnv")) != -1) {
        switch (c) {
        case 'f': func = true; break;
        case 'v': var = true; break;
        case 'n': nameref = true; break;
        default: return builtin_usage(sh);
        }
    }
    if (func && var) {
        shell_builtin_error(sh, "cannot simultaneously unset a function and a variable");
        return 1;
    }
    for (int i = g.at; i < argc && !shell_unwinding(sh); i++)
        status |= func ? unset_function(sh, argv[i]) : unset_name(sh, argv[i], var, nameref);
    return status;
}

const struct builtin builtin_unset = {
    .name = "unset",
    .run = unset_run,
    .flags = BUILTIN_SPECIAL,
    .usage = "unset [-f] [-v] [-n] [name ...]",
    .summary = "Remove variables and functions.\n"
               "\n"
               "A NAME is a variable, an element of an array, or, if there is no such variable,\n"
               "a function.\n"
               "\n"
               "Options:\n"
               "  -f\tfunctions alone\n"
               "  -v\tvariables alone\n"
               "  -n\tthe reference itself and not the variable it stands for\n"
               "\n"
               "Exit Status:\n"
               "Zero unless an option is wrong or a NAME is readonly.",
};

/* var.c -- variables: references, reading, writing, attributes */
#include "shell/expand_impl.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "shell/arith.h"
#include "shell/builtin_impl.h"
#include "shell/inner.h"

/* ---- references ------------------------------------------------------------------------------ */

bool var_split_ref(struct str ref, struct str *name, struct str *index)
{
    size_t n = 0;
    while (n < ref.n && (ascii_alnum(ref.p[n]) || ref.p[n] == '_'))
        n++;
    *name = str_sub(ref, 0, n);
    *index = STR_NONE;
    if (n == 0 || ascii_digit(ref.p[0]))
        return false;
    if (n == ref.n)
        return true;
    if (ref.p[n] != '[' || ref.p[ref.n - 1] != ']' || ref.n < n + 3)
        return false;
    *index = str_sub(ref, n + 1, ref.n - n - 2);
    return true;
}

/* The binding of s outside of all functions, for a nameref that names itself. */
static struct var *var_global(struct shell *sh, const struct sym *s)
{
    struct var *v = var_slot(sh, s);
    for (struct scope *c = sh->scopes; c; c = c->up)
        for (uint32_t i = c->n; i-- > 0;)
            if (c->saved[i].sym == s)
                v = c->saved[i].old;
    return v;
}

/* Follows namerefs from *s: 0 with *out (NULL if unset); HOB_ELOOP after bash's warning. A nameref
 * without a target yields itself. */
static int var_follow(struct shell *sh, struct sym **s, struct str *index, struct var **out)
{
    struct sym *first = *s;
    *index = STR_NONE;
    for (int depth = 0;; depth++) {
        struct var *v = var_slot(sh, *s);
        *out = v;
        if (!v || !(v->flags & VAR_NAMEREF) || (v->flags & VAR_UNSET))
            return 0;
        struct str name, ref = var_text(sh, v);
        if (!var_split_ref(ref, &name, index))
            return 0;
        struct sym *next = sym_intern(sh, name);
        if (!next)
            return HOB_ENOMEM;
        if (next == *s && v->level > 0) {
            shell_error(sh, "warning: %.*s: circular name reference", STR_ARG(first->name));
            *out = var_global(sh, next);
            return 1;
        }
        if (next == first && v->level > 0) {
            shell_error(sh, "warning: %.*s: circular name reference", STR_ARG(first->name));
            *s = first;
            *out = var_global(sh, first);
            return 1;
        }
        if (next == first || depth >= 8) {
            shell_error(sh, "warning: %.*s: circular name reference", STR_ARG(first->name));
            *out = NULL;
            return HOB_ELOOP;
        }
        *s = next;
        if (index->p) {
            if (sh->arith_depth > 64)
                return HOB_ELOOP;
            sh->arith_depth++;
            int r = expand_subscript(sh, *index, index);
            sh->arith_depth--;
            if (r < 0)
                return r;
            *out = var_slot(sh, next);
            return 0;
        }
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

struct var *var_raw(struct shell *sh, const struct sym *s) { return var_slot(sh, s); }

struct var *var_get(struct shell *sh, struct sym **s, struct str *index)
{
    struct var *v = var_slot(sh, *s);
    *index = STR_NONE;
    if (!v || !(v->flags & (VAR_NAMEREF | VAR_DYNAMIC)))
        return v;
    if (v->flags & VAR_NAMEREF) {
        int r = var_follow(sh, s, index, &v);
        if (r < 0 || !v || (v->flags & VAR_NAMEREF))
            return NULL;
    }
    if ((v->flags & VAR_DYNAMIC) && (v->flags & (VAR_ARRAY | VAR_ASSOC)))
        v = var_dynamic_fill(sh, *s, v);
    return v;
}

static bool var_str_slow(struct shell *sh, struct sym *s, struct str *out)
{
    struct str index;
    struct var *v = var_get(sh, &s, &index);
    if (!v)
        return false;
    if (index.p)
        return var_elem(sh, s, index, out);
    if (v->flags & VAR_ARRAY)
        return array_get(v->u.array, 0, out);
    if (v->flags & VAR_ASSOC)
        return assoc_get(v->u.assoc, STR("0"), out);
    if (v->flags & VAR_DYNAMIC)
        return var_dynamic_str(sh, s, out);
    if (v->flags & VAR_UNSET)
        return false;
    *out = var_text(sh, v);
    return true;
}

bool var_str(struct shell *sh, struct sym *s, struct str *out)
{
    struct var *v = var_slot(sh, s);
    if (!v)
        return false;
    if (UNLIKELY(v->flags & VAR_ODD))
        return var_str_slow(sh, s, out);
    *out = var_text(sh, v);
    return true;
}

bool var_strz(struct shell *sh, const char *name, struct str *out)
{
    struct sym *s = sym_find(sh, str_z(name));
    return s && var_str(sh, s, out);
}

bool var_int(struct shell *sh, struct sym *s, int64_t *out)
{
    struct var *v = var_slot(sh, s);
    *out = 0;
    if (!v)
        return false;
    if (v->num_ok && !(v->flags & VAR_ODD)) {
        *out = v->num;
        return true;
    }
    if ((v->flags & VAR_DYNAMIC) && var_dynamic_int(sh, s, out))
        return true;
    struct str text;
    if (!var_str(sh, s, &text))
        return false;
    if (arith_constant(text, out)) {
        if (!(v->flags & (VAR_ODD | VAR_STATIC))) {
            v->num = *out;
            v->num_ok = true;
        }
        return true;
    }
    return arith_value(sh, text, out) >= 0;
}

int var_index(struct shell *sh, struct sym *s, struct str key, const struct array *a, int64_t *out)
{
    (void)s;
    if (str_uint(key, (uint64_t *)out) < 0 || *out < 0 || (key.n > 1 && key.p[0] == '0') ||
        !ascii_digit(key.p[0])) {
        const char *name = sh->arith_name;
        struct builtin *builtin = sh->builtin;
        sh->arith_name = NULL;
        sh->builtin = NULL;
        int r = arith_string(sh, key, out);
        sh->arith_name = name;
        sh->builtin = builtin;
        if (r < 0)
            return r == HOB_ENOMEM ? r : arith_abort(sh);
    }
    if (*out < 0) {
        *out = array_back(a, *out);
        if (*out < 0)
            return HOB_ERANGE;
    }
    return 0;
}

bool var_elem(struct shell *sh, struct sym *s, struct str key, struct str *out)
{
    struct str index;
    struct sym *first = s;
    struct var *v = var_get(sh, &s, &index);
    if (!v)
        return false;
    if (v->flags & VAR_ASSOC)
        return assoc_get(v->u.assoc, key, out);
    int64_t i;
    const struct array *a = v->flags & VAR_ARRAY ? v->u.array : NULL;
    int r = var_index(sh, s, key, a, &i);
    if (r == HOB_ERANGE && !(v->flags & VAR_ARRAY) && i == -1 && !(v->flags & VAR_UNSET)) {
        i = 0; /* x[-1] of a scalar is x itself */
        r = 0;
    }
    if (r == HOB_ERANGE)
        shell_error(sh, "%.*s: bad array subscript", STR_ARG(first->name));
    if (r < 0)
        return false;
    if (v->flags & VAR_ARRAY)
        return array_get(v->u.array, i, out);
    return i == 0 && var_str(sh, s, out);
}

bool var_is_set(struct shell *sh, struct sym *s)
{
    struct str ignored;
    struct var *v = var_slot(sh, s);
    return v && (!(v->flags & VAR_ODD) || var_str_slow(sh, s, &ignored));
}

/* ---- values with attributes ------------------------------------------------------------------ */

/* Upper and lower case as the attributes ask for, on the arena. */
static struct str var_case(struct shell *sh, struct str s, uint32_t flags)
{
    char *to = arena_alloc(&sh->arena, s.n * 4 + 8);
    size_t n = 0;
    if (!to)
        return STR_NONE;
    for (size_t i = 0; i < s.n;) {
        int len;
        uint32_t c = utf8_decode(s.p + i, s.n - i, &len);
        if (c == UTF8_BAD) {
            to[n++] = s.p[i];
        } else {
            bool up = (flags & VAR_UPPER) || ((flags & VAR_CAPITAL) && i == 0);
            n += (size_t)utf8_encode(to + n, up ? utf8_upper(c) : utf8_lower(c));
        }
        i += (size_t)len;
    }
    to[n] = '\0';
    return str_of(to, n);
}

/* What is stored when `value` is assigned under these attributes; `old` is the text before when it
 * is appended (p NULL: not appending). `num` is set for integers. */
static int var_convert(struct shell *sh, uint32_t flags, struct str *value, const struct str *old,
                       bool *append)
{
    if (flags & VAR_INTEGER) {
        int64_t a = 0, b = 0;
        char text[24];
        int r = old && old->p ? arith_string(sh, *old, &b) : 0;
        if (r >= 0)
            r = arith_string(sh, *value, &a);
        if (r < 0) {
            /* bash leaves the whole text of -c here, not only the line. */
            if (!shell_unwinding(sh)) {
                sh->ctl = sh->from_c ? CTL_EXIT : CTL_ABORT;
                sh->status = 1;
            }
            return r;
        }
        *value = arena_str(&sh->arena,
                           str_of(text, fmt_int(text, (int64_t)((uint64_t)a + (uint64_t)b))));
        *append = false;
    } else if (flags & (VAR_LOWER | VAR_UPPER | VAR_CAPITAL)) {
        if (*append && old && old->p && old->n) { /* the old text is changed too */
            struct str all = arena_printf(&sh->arena, "%.*s%.*s", STR_ARG(*old), STR_ARG(*value));
            *value = all;
            *append = false;
        }
        if (value->p)
            *value = var_case(sh, *value, flags);
    }
    return value->p ? 0 : HOB_ENOMEM;
}

int var_readonly_error(struct shell *sh, struct str name)
{
    shell_error(sh, "%.*s: readonly variable", STR_ARG(name));
    return HOB_EPERM;
}

int var_put(struct shell *sh, struct var *v, struct str s)
{
    v->flags &= ~(uint32_t)VAR_UNSET;
    if (v->flags & VAR_ARRAY) {
        if (!v->u.array && !(v->u.array = array_new(sh->heap)))
            return HOB_ENOMEM;
        return array_set(sh->heap, v->u.array, 0, s);
    }
    if (v->flags & VAR_ASSOC) {
        if (!v->u.assoc && !(v->u.assoc = assoc_new(sh->heap)))
            return HOB_ENOMEM;
        return assoc_set(sh->heap, v->u.assoc, STR("0"), s);
    }
    return var_put_text(sh, v, s);
}

static int var_put_append(struct shell *sh, struct var *v, struct str s)
{
    if (v->flags & VAR_UNSET || (v->flags & VAR_ARRAY && !v->u.array) ||
        (v->flags & VAR_ASSOC && !v->u.assoc))
        return var_put(sh, v, s);
    if (v->flags & VAR_ARRAY)
        return array_append(sh->heap, v->u.array, 0, s);
    if (v->flags & VAR_ASSOC)
        return assoc_append(sh->heap, v->u.assoc, STR("0"), s);
    return var_append_text(sh, v, s);
}

/* ---- effects of some names ------------------------------------------------------------------- */

/* Whether the locale counts bytes: C or POSIX by name. What is not set is C.UTF-8. */
static bool var_locale_bytes(struct shell *sh)
{
    static const enum sym_known order[] = {SYM_LC_ALL, SYM_LC_CTYPE, SYM_LANG};
    struct str v;
    for (size_t i = 0; i < COUNT(order); i++)
        if (var_str(sh, sym_of(order[i]), &v) && v.n)
            return str_eqz(v, "C") || str_eqz(v, "POSIX");
    return false;
}

/* BASH_COMPAT=4.4 or 44: the option of that level is on and the others are off. */
static void var_hook_compat(struct shell *sh)
{
    struct str v = STR("");
    uint64_t all = 0;
    int64_t level = 0;
    var_str(sh, sym_of(SYM_BASH_COMPAT), &v);
    for (int i = SHOPT_COMPAT31; i <= SHOPT_COMPAT44; i++)
        all |= UINT64_C(1) << i;
    sh->shopts &= ~all;
    sh->compat = 0;
    if (v.n == 3 && v.p[1] == '.' && ascii_digit(v.p[0]) && ascii_digit(v.p[2]))
        level = (v.p[0] - '0') * 10 + (v.p[2] - '0');
    else if (v.n && str_int(v, &level) < 0)
        level = -1;
    if (v.n && (level < 31 || level > 52)) {
        shell_error(sh, "BASH_COMPAT: %.*s: compatibility value out of range", STR_ARG(v));
        return;
    }
    sh->compat = (int)level;
    for (int i = SHOPT_COMPAT31; i <= SHOPT_COMPAT44; i++) {
        int64_t n = 0;
        if (str_int(str_from(str_z(shell_shopt_names[i]), 6), &n) >= 0 && n == level)
            sh->shopts |= UINT64_C(1) << i;
    }
}

void var_hook(struct shell *sh, const struct sym *s)
{
    struct str value = STR_NONE;
    int64_t n;
    switch (s->id) {
    case SYM_PATH: sh->changed++; break;
    case SYM_BASH_COMPAT: var_hook_compat(sh); break;
    case SYM_LC_ALL:
    case SYM_LC_CTYPE:
    case SYM_LANG: sh->bytes = var_locale_bytes(sh); break;
    case SYM_OPTIND:
        var_str(sh, sym_of(SYM_OPTIND), &value);
        sh->getopts_at = 0;
        sh->getopts_ind = str_int(value, &n) == 0 && n > 0 && n < INT_MAX ? (int)n : 0;
        break;
    case SYM_IGNOREEOF:
        sh->opts &= ~(UINT64_C(1) << OPT_IGNOREEOF);
        if (var_is_set(sh, sym_of(SYM_IGNOREEOF)))
            sh->opts |= UINT64_C(1) << OPT_IGNOREEOF;
        break;
    case SYM_POSIXLY_CORRECT:
        shell_set_opt(sh, OPT_POSIX, var_is_set(sh, sym_of(SYM_POSIXLY_CORRECT)));
        break;
    case SYM_GLOBIGNORE:
        if (var_str(sh, sym_of(SYM_GLOBIGNORE), &value) && value.n)
            sh->shopts |= UINT64_C(1) << SHOPT_DOTGLOB;
        else
            sh->shopts &= ~(UINT64_C(1) << SHOPT_DOTGLOB);
        break;
    case SYM_BASH_XTRACEFD:
        sh->xtrace_fd = -1;
        if (var_str(sh, sym_of(SYM_BASH_XTRACEFD), &value) && str_int(value, &n) == 0 && n >= 0 &&
            n < 1024)
            sh->xtrace_fd = (int)n;
        break;
    default: break;
    }
}

static int var_done(struct shell *sh, const struct sym *s, struct var *v, int r)
{
    if (r == 0 && SH_OPT(sh, OPT_ALLEXPORT))
        v->flags |= VAR_EXPORT;
    if (s->id < SYM_KNOWN)
        var_hook(sh, s);
    return r;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Resolves what an assignment to *s goes to. 1: to the element *index; 2: to the binding outside of
 * all functions, because a nameref in a function names itself; 0; or an error. */
static int var_target(struct shell *sh, struct sym **s, struct str *index, struct str value,
                      int flags)
{
    struct var *v;
    *index = STR_NONE;
    if (flags & VAR_NOREF)
        return 0;
    int r = var_follow(sh, s, index, &v);
    if (r == 1)
        return 2;
    if (r < 0 || index->p)
        return r < 0 ? r : 1;
    if (v && r == 0 && (v->flags & VAR_NAMEREF)) {
        /* A nameref without a target takes one. */
        struct str name, sub;
        if (!var_split_ref(value, &name, &sub)) {
            shell_error(sh, "`%.*s': not a valid identifier", STR_ARG(value));
            return HOB_EINVAL;
        }
    }
    return 0;
}

static int var_set_slow(struct shell *sh, struct sym *s, struct str value, int flags)
{
    struct str index, old = STR_NONE;
    int r = var_target(sh, &s, &index, value, flags);
    if (r < 0)
        return r;
    if (r == 1)
        return var_set_elem(sh, s, index, value, flags);
    if (r == 2) {
        bool swapped = scope_swap_global(sh, s);
        r = swapped ? var_set_slow(sh, s, value, flags | VAR_NOREF) : HOB_ELOOP;
        if (swapped)
            scope_swap_global(sh, s);
        return r;
    }
    struct var *v = var_slot(sh, s);
    if (v && (v->flags & VAR_READONLY) && !(flags & VAR_FORCE))
        return var_readonly_error(sh, s->name);
    if (v && (v->flags & VAR_DYNAMIC)) {
        bool add = true;
        if ((v->flags & VAR_INTEGER) && (r = var_convert(sh, VAR_INTEGER, &value, NULL, &add)) < 0)
            return r;
        if (var_dynamic_set(sh, s, value))
            return 0;
    }
    bool append = flags & VAR_APPEND;
    if (v && (v->flags & (VAR_INTEGER | VAR_LOWER | VAR_UPPER | VAR_CAPITAL))) {
        if (append)
            var_str(sh, s, &old);
        r = var_convert(sh, v->flags, &value, &old, &append);
        if (r < 0)
            return r;
    }
    v = var_own(sh, s);
    if (!v)
        return HOB_ENOMEM;
    v->flags &= ~(uint32_t)VAR_DYNAMIC;
    r = append ? var_put_append(sh, v, value) : var_put(sh, v, value);
    return var_done(sh, s, v, r);
}

enum {
    VAR_PLAIN = VAR_EXPORT | VAR_LOCAL | VAR_TRACE | VAR_TEMP | VAR_NOUNSET
};

/* Whether the slot may be written without any further look. */
static inline bool var_quick(const struct shell *sh, const struct sym *s, const struct var *v)
{
    return v && v->refs == 1 && sh->vars->refs == 1 && !(v->flags & ~(uint32_t)VAR_PLAIN) &&
           s->id >= SYM_KNOWN && !SH_OPT(sh, OPT_ALLEXPORT);
}

int var_set(struct shell *sh, struct sym *s, struct str value, int flags)
{
    struct var *v = var_slot(sh, s);
    if (var_quick(sh, s, v))
        return flags & VAR_APPEND ? var_append_text(sh, v, value) : var_put_text(sh, v, value);
    return var_set_slow(sh, s, value, flags);
}

int var_setz(struct shell *sh, const char *name, struct str value)
{
    struct sym *s = sym_intern(sh, str_z(name));
    return s ? var_set(sh, s, value, 0) : HOB_ENOMEM;
}

int var_set_int(struct shell *sh, struct sym *s, int64_t value)
{
    struct var *v = var_slot(sh, s);
    if (v && v->refs == 1 && sh->vars->refs == 1 &&
        !(v->flags & ~(uint32_t)(VAR_PLAIN | VAR_INTEGER)) && s->id >= SYM_KNOWN &&
        !SH_OPT(sh, OPT_ALLEXPORT)) {
        v->num = value;
        v->num_ok = v->num_only = true;
        return 0;
    }
    char text[24];
    int r = var_set_slow(sh, s, str_of(text, fmt_int(text, value)), 0);
    v = var_slot(sh, s);
    if (r == 0 && v && !(v->flags & (VAR_ODD | VAR_STATIC))) {
        v->num = value;
        v->num_ok = true;
    }
    return r;
}

/* ---- elements -------------------------------------------------------------------------------- */

static int var_subscript_error(struct shell *sh, struct sym *s, struct str key)
{
    shell_error(sh, "%.*s[%.*s]: bad array subscript", STR_ARG(s->name), STR_ARG(key));
    return HOB_EINVAL;
}

int var_make_array(struct shell *sh, struct sym *s, bool assoc, bool clear)
{
    struct var *v = var_own(sh, s);
    if (!v)
        return HOB_ENOMEM;
    if (v->flags & (assoc ? VAR_ARRAY : VAR_ASSOC))
        return HOB_EINVAL;
    v->flags &= ~(uint32_t)VAR_DYNAMIC;
    if (!(v->flags & (VAR_ARRAY | VAR_ASSOC))) {
        struct str old = v->flags & VAR_UNSET ? STR_NONE : arena_str(&sh->arena, var_text(sh, v));
        var_drop_value(sh, v);
        if (assoc)
            v->u.assoc = NULL;
        else
            v->u.array = NULL;
        v->flags |= assoc ? VAR_ASSOC : VAR_ARRAY;
        if (old.p && !clear) {
            int r = var_put(sh, v, old);
            if (r < 0)
                return r;
        }
    }
    if (assoc && !v->u.assoc && !(v->u.assoc = assoc_new(sh->heap)))
        return HOB_ENOMEM;
    if (!assoc && !v->u.array && !(v->u.array = array_new(sh->heap)))
        return HOB_ENOMEM;
    if (clear) {
        v->flags &= ~(uint32_t)VAR_UNSET;
        if (assoc)
            assoc_clear(sh->heap, v->u.assoc);
        else
            array_clear(sh->heap, v->u.array);
    }
    return 0;
}

/* The array that s holds, ready to be written; what kept it from that is said. */
static struct var *var_elem_own(struct shell *sh, struct sym *s, int flags, int *err)
{
    struct var *v = var_slot(sh, s);
    if (v && (v->flags & VAR_READONLY) && !(flags & VAR_FORCE)) {
        *err = var_readonly_error(sh, s->name);
        return NULL;
    }
    if (!v || v->refs != 1 || sh->vars->refs != 1 || !(v->flags & (VAR_ARRAY | VAR_ASSOC)) ||
        (v->flags & VAR_DYNAMIC) || !v->u.array) {
        if (v && (v->flags & VAR_DYNAMIC) && (v->flags & (VAR_ARRAY | VAR_ASSOC)))
            var_dynamic_fill(sh, s, v);
        *err = var_make_array(sh, s, v && (v->flags & VAR_ASSOC), false);
        v = *err < 0 ? NULL : var_slot(sh, s);
    }
    return v;
}

static int var_array_store(struct shell *sh, struct sym *s, struct var *v, int64_t i,
                           struct str value, bool append)
{
    if (v->flags & (VAR_INTEGER | VAR_LOWER | VAR_UPPER | VAR_CAPITAL)) {
        struct str old = STR_NONE;
        if (append)
            array_get(v->u.array, i, &old);
        int r = var_convert(sh, v->flags, &value, &old, &append);
        v = var_slot(sh, s);
        if (r < 0 || !v || !(v->flags & VAR_ARRAY))
            return r < 0 ? r : HOB_EINVAL;
    }
    v->flags &= ~(uint32_t)VAR_UNSET;
    int r = append ? array_append(sh->heap, v->u.array, i, value)
                   : array_set(sh->heap, v->u.array, i, value);
    if (s->id < SYM_KNOWN) /* elements do not make it exported under set -a */
        var_hook(sh, s);
    return r;
}

static int var_assoc_store(struct shell *sh, struct sym *s, struct var *v, struct str key,
                           struct str value, bool append)
{
    if (key.n == 0)
        return var_subscript_error(sh, s, key);
    if (v->flags & (VAR_INTEGER | VAR_LOWER | VAR_UPPER | VAR_CAPITAL)) {
        struct str old = STR_NONE;
        if (append)
            assoc_get(v->u.assoc, key, &old);
        int r = var_convert(sh, v->flags, &value, &old, &append);
        v = var_slot(sh, s);
        if (r < 0 || !v || !(v->flags & VAR_ASSOC))
            return r < 0 ? r : HOB_EINVAL;
    }
    v->flags &= ~(uint32_t)VAR_UNSET;
    int r = append ? assoc_append(sh->heap, v->u.assoc, key, value)
                   : assoc_set(sh->heap, v->u.assoc, key, value);
    if (s->id < SYM_KNOWN) /* elements do not make it exported under set -a */
        var_hook(sh, s);
    return r;
}

/* Names whose elements stand for something else: aliases and remembered commands. */
static int var_elem_special(struct shell *sh, struct sym *s, struct str key, struct str value)
{
    int64_t n;
    if (s->id == SYM_BASH_ALIASES)
        return alias_set(sh, key, value);
    if (s->id == SYM_BASH_CMDS)
        return find_remember(sh, key, value);
    if (s->id == SYM_DIRSTACK) {
        if (arith_string(sh, key, &n) >= 0 && n > 0)
            dirs_set(sh, (size_t)n, value); /* what is not there stays away */
        return 0;
    }
    return var_dynamic_set(sh, s, value) ? 0 : 1;
}

int var_set_elem(struct shell *sh, struct sym *s, struct str key, struct str value, int flags)
{
    struct str index;
    int err = var_target(sh, &s, &index, s->name, flags);
    if (err < 0)
        return err;
    if (err == 2) {
        bool swapped = scope_swap_global(sh, s);
        err = swapped ? var_set_elem(sh, s, key, value, flags | VAR_NOREF) : HOB_ELOOP;
        if (swapped)
            scope_swap_global(sh, s);
        return err;
    }
    if (index.p) {
        shell_error(sh, "`%.*s[%.*s]': not a valid identifier", STR_ARG(s->name), STR_ARG(index));
        return HOB_EINVAL;
    }
    struct var *v = var_slot(sh, s);
    if (v && (v->flags & VAR_DYNAMIC) && (err = var_elem_special(sh, s, key, value)) <= 0)
        return err;
    if (v && (v->flags & VAR_ASSOC)) {
        v = var_elem_own(sh, s, flags, &err);
        return v ? var_assoc_store(sh, s, v, key, value, flags & VAR_APPEND) : err;
    }
    if (key.n == 0)
        return var_subscript_error(sh, s, key);
    int64_t i;
    const struct array *a = v && (v->flags & VAR_ARRAY) ? v->u.array : NULL;
    err = var_index(sh, s, key, a, &i);
    if (err == HOB_ERANGE && i == -1 && v && !(v->flags & VAR_ODD)) {
        i = 0; /* the only element of a scalar, counted from the end */
        err = 0;
    }
    if (err == HOB_ERANGE)
        return var_subscript_error(sh, s, key);
    if (err < 0)
        return err;
    v = var_elem_own(sh, s, flags, &err);
    return v ? var_array_store(sh, s, v, i, value, flags & VAR_APPEND) : err;
}

int var_set_index(struct shell *sh, struct sym *s, int64_t index, struct str value, int flags)
{
    struct str sub;
    int err = var_target(sh, &s, &sub, s->name, flags);
    if (err < 0)
        return err;
    struct var *v = var_slot(sh, s);
    char text[24];
    if (err == 2) {
        bool swapped = scope_swap_global(sh, s);
        err = swapped ? var_set_index(sh, s, index, value, flags | VAR_NOREF) : HOB_ELOOP;
        if (swapped)
            scope_swap_global(sh, s);
        return err;
    }
    if (sub.p || (v && (v->flags & (VAR_ASSOC | VAR_DYNAMIC))) || index < 0)
        return var_set_elem(sh, s, str_of(text, fmt_int(text, index)), value, flags);
    v = var_elem_own(sh, s, flags, &err);
    return v ? var_array_store(sh, s, v, index, value, flags & VAR_APPEND) : err;
}

int var_set_words(struct shell *sh, struct sym *s, const struct str *w, size_t n)
{
    struct str index;
    int r = var_target(sh, &s, &index, s->name, 0);
    struct var *v = var_slot(sh, s);
    if (r < 0)
        return r;
    if (v && (v->flags & VAR_READONLY))
        return var_readonly_error(sh, s->name);
    r = var_make_array(sh, s, v && (v->flags & VAR_ASSOC), true);
    for (size_t i = 0; r >= 0 && i < n; i++)
        r = var_set_index(sh, s, (int64_t)i, w[i], VAR_NOREF);
    return r < 0 ? r : 0;
}

/* ---- unset and attributes -------------------------------------------------------------------- */

static int var_unset_error(struct shell *sh, struct str name)
{
    shell_builtin_error(sh, "%.*s: cannot unset: readonly variable", STR_ARG(name));
    return HOB_EPERM;
}

int var_unset(struct shell *sh, struct sym *s, int flags)
{
    struct str index = STR_NONE;
    struct var *v = var_slot(sh, s);
    if (!(flags & VAR_NOREF) && v && (v->flags & VAR_NAMEREF)) {
        int r = var_follow(sh, &s, &index, &v);
        if (r < 0)
            return r;
    }
    if (index.p)
        return var_unset_elem(sh, s, index);
    v = var_slot(sh, s);
    if (!v)
        return 0;
    if ((v->flags & VAR_READONLY) && !(flags & VAR_FORCE))
        return var_unset_error(sh, s->name);
    if ((v->flags & VAR_LOCAL) &&
        (v->level == sh->level || (SH_SHOPT(sh, SHOPT_LOCALVAR_UNSET) && v->level < sh->level))) {
        /* It stays a local one, without a value. */
        v = var_own(sh, s);
        if (!v)
            return HOB_ENOMEM;
        var_drop_value(sh, v);
        v->flags = VAR_LOCAL | VAR_UNSET | (v->flags & VAR_TEMP ? VAR_EXPORT | VAR_TEMP : 0);
    } else if (!scope_reveal(sh, s)) {
        struct var **at = var_place(sh, s);
        if (!at)
            return HOB_ENOMEM;
        var_unref(sh, *at);
        *at = NULL;
    }
    if (s->id < SYM_KNOWN)
        var_hook(sh, s);
    return 0;
}

static int var_unset_index(struct shell *sh, struct sym *s, struct var *v, struct str key)
{
    int64_t i;
    int r = var_index(sh, s, key, v->u.array, &i);
    if (r == HOB_ERANGE) {
        shell_builtin_error(sh, "[%.*s]: bad array subscript", STR_ARG(key));
        return HOB_EINVAL;
    }
    if (r < 0)
        return r;
    v = var_own(sh, s);
    if (!v)
        return HOB_ENOMEM;
    array_del(sh->heap, v->u.array, i);
    return 0;
}

int var_unset_elem(struct shell *sh, struct sym *s, struct str key)
{
    struct str index;
    struct var *v = var_get(sh, &s, &index);
    if (!v)
        return 0;
    if (v->flags & VAR_READONLY)
        return var_unset_error(sh, s->name);
    if (v->flags & VAR_ASSOC) {
        v = var_own(sh, s);
        if (!v)
            return HOB_ENOMEM;
        assoc_del(sh->heap, v->u.assoc, key);
        return 0;
    }
    if (v->flags & VAR_ARRAY)
        return var_unset_index(sh, s, v, key);
    int64_t i;
    int r = arith_string(sh, key, &i);
    if (r < 0)
        return r;
    if (i != 0) {
        shell_builtin_error(sh, "%.*s: not an array variable", STR_ARG(s->name));
        return HOB_EINVAL;
    }
    return var_unset(sh, s, 0);
}

int var_attr(struct shell *sh, struct sym *s, uint32_t on, uint32_t off)
{
    struct str index;
    const uint32_t cases = VAR_LOWER | VAR_UPPER | VAR_CAPITAL;
    if (!((on | off) & VAR_NAMEREF)) {
        struct sym *target = s;
        struct var *v;
        int r = var_follow(sh, &target, &index, &v);
        if (r >= 0 && !index.p && !(v && (v->flags & VAR_NAMEREF)))
            s = target;
    }
    struct var *v = var_own(sh, s);
    if (!v)
        return HOB_ENOMEM;
    if (on & cases) {
        uint32_t wanted = on & cases;
        v->flags &= ~cases;
        if (wanted & (wanted - 1))
            on &= ~cases;
    }
    if ((on & VAR_EXPORT) && (v->flags & VAR_TEMP))
        on |= VAR_PROPAGATE; /* x=1 f, and f exports x: it lasts */
    v->flags = (v->flags & ~off) | on;
    return 0;
}

/* expand_at.c -- ${x@Q} and the other letters: values written in another way */
#include "shell/expand_impl.h"
#include "base/utf8.h"

static struct str expand_at_done(struct shell *sh, struct buf *b)
{
    struct str s = arena_str(&sh->arena, buf_get(b));
    buf_fini(b);
    return s;
}

/* The first character, or all, in upper case; or all in lower case. */
static void expand_at_case(struct buf *b, struct str s, char letter)
{
    char to[8];
    for (size_t i = 0; i < s.n;) {
        int len;
        uint32_t c = utf8_decode(s.p + i, s.n - i, &len);
        bool change = c != UTF8_BAD && (letter != 'u' || i == 0);
        if (change)
            buf_add(b, to, (size_t)utf8_encode(to, letter == 'L' ? utf8_lower(c) : utf8_upper(c)));
        else
            buf_add(b, s.p + i, (size_t)len);
        i += (size_t)len;
    }
}

/* One text by its letter; those that need the variable are handled elsewhere. */
static int expand_at_text(struct shell *sh, char letter, struct str s, struct str *out)
{
    struct buf b;
    if (letter == 'P')
        return expand_prompt(sh, s, out);
    buf_init(&b, sh->heap);
    switch (letter) {
    case 'E': expand_ansi_c(&b, s, EXPAND_ANSI_QUOTE); break;
    case 'u':
    case 'U':
    case 'L': expand_at_case(&b, s, letter); break;
    default: expand_quote(&b, s); break;
    }
    *out = expand_at_done(sh, &b);
    return out->p ? 0 : HOB_ENOMEM;
}

static void expand_at_declare(struct buf *b, const struct expand_value *v)
{
    const uint32_t shown = VAR_ARRAY | VAR_ASSOC | VAR_INTEGER | VAR_NAMEREF | VAR_READONLY |
                           VAR_TRACE | VAR_EXPORT | VAR_CAPITAL | VAR_LOWER | VAR_UPPER;
    if (v->var && (v->var->flags & shown)) {
        buf_addz(b, "declare -");
        var_letters(b, v->var->flags);
        buf_putc(b, ' ');
    }
    buf_str(b, v->sym->name);
}

/* Whether the blanks behind `declare` and `set` separate words. */
static bool expand_at_splits(struct shell *sh)
{
    struct str ifs;
    return !var_str(sh, sym_of(SYM_IFS), &ifs) || ifs.n == 0 || str_chr(ifs, ' ') >= 0;
}

/* @A of [@] or $@: each word of the assignment is one of its own, if IFS allows. `set --` and the
 * parameters, or what `b` holds. */
static int expand_at_words(struct shell *sh, struct buf *b, struct expand_value *v)
{
    struct strs all = {0};
    struct buf one;
    size_t n = v->sym ? 0 : v->n;
    bool star = v->star, splits = !star && expand_at_splits(sh);
    bool ok = n == 0 || !splits ||
              (expand_push(sh, &all, STR("set")) && expand_push(sh, &all, STR("--")));
    for (size_t i = 0; ok && i < n; i++) {
        buf_init(&one, sh->heap);
        if (i == 0 && !splits)
            buf_addz(&one, "set -- ");
        expand_quote(&one, v->items[i]);
        ok = expand_push(sh, &all, expand_at_done(sh, &one));
    }
    struct str s = expand_at_done(sh, b);
    for (int i = 0; ok && s.n && i < 3; i++) { /* declare -a name=.. */
        ptrdiff_t end =
            splits && i < 2 && str_starts(s, i ? STR("-") : STR("declare ")) ? str_chr(s, ' ') : -1;
        ok = expand_push(sh, &all, end < 0 ? s : str_sub(s, 0, (size_t)end));
        s = end < 0 ? STR("") : str_from(s, (size_t)end + 1);
    }
    *v = (struct expand_value){.set = true, .list = true, .star = star, .items = all.p, .n = all.n};
    return ok ? 0 : HOB_ENOMEM;
}

/* @A: an assignment that makes the variable again. */
static int expand_at_assign(struct shell *sh, struct param *p, struct expand_value *v)
{
    struct buf b;
    bool words = v->list && (!v->star || (!v->sym && v->n));
    buf_init(&b, sh->heap);
    if (v->sym && v->var && p->index_all && (v->var->flags & (VAR_ARRAY | VAR_ASSOC))) {
        if (v->n || !(v->var->flags & VAR_UNSET)) {
            expand_at_declare(&b, v);
            buf_putc(&b, '=');
            var_print_array(&b, v->var);
        }
    } else if (v->sym && v->set) {
        expand_at_declare(&b, v);
        buf_putc(&b, '=');
        expand_quote(&b, v->list ? v->items[0] : v->s);
    } else if (v->sym && v->var) {
        expand_at_declare(&b, v);
    }
    if (words)
        return expand_at_words(sh, &b, v);
    *v = (struct expand_value){.set = true, .s = expand_at_done(sh, &b)};
    return v->s.p ? 0 : HOB_ENOMEM;
}

/* @K: one text with keys and quoted values; @k: keys and values as elements of their own. */
static int expand_at_keys(struct shell *sh, char letter, struct expand_value *v)
{
    struct buf b;
    struct str key, s;
    struct strs all = {0};
    bool assoc = v->var->flags & VAR_ASSOC;
    int64_t i = -1;
    buf_init(&b, sh->heap);
    for (size_t pos = 0; assoc ? assoc_next(v->var->u.assoc, &pos, &key, &s)
                               : array_next(v->var->u.array, &i, &s);) {
        if (!assoc)
            key = arena_printf(&sh->arena, "%lld", (long long)i);
        if (letter == 'k') {
            if (!expand_push(sh, &all, key) || !expand_push(sh, &all, s))
                break;
            continue;
        }
        if (b.n && !assoc)
            buf_putc(&b, ' ');
        if (assoc)
            expand_quote_key(&b, key);
        else
            buf_str(&b, key);
        buf_putc(&b, ' ');
        expand_quote_value(&b, s);
        if (assoc)
            buf_putc(&b, ' ');
    }
    if (letter == 'K' && (b.n || v->star)) {
        v->list = false;
        v->s = expand_at_done(sh, &b);
        return v->s.p ? 0 : HOB_ENOMEM;
    }
    buf_fini(&b);
    v->items = all.p;
    v->n = all.n;
    return sh->heap->oom ? HOB_ENOMEM : 0;
}

/* @a: the letters of the attributes, once for each element. */
static int expand_at_attr(struct shell *sh, struct expand_value *v)
{
    struct buf b;
    buf_init(&b, sh->heap);
    if (v->var)
        var_letters(&b, v->var->flags);
    struct str s = expand_at_done(sh, &b);
    if (!s.p)
        return HOB_ENOMEM;
    if (!v->list) {
        v->s = s;
        return 0;
    }
    struct str *items = arena_alloc(&sh->arena, (v->n + 1) * sizeof *items);
    for (size_t i = 0; items && i < v->n; i++)
        items[i] = s;
    v->items = items;
    return items ? 0 : HOB_ENOMEM;
}

/* Whether the name is a reference to an element, which is no variable that could be declared. */
static bool expand_at_refers(struct shell *sh, const struct param *p)
{
    struct sym *s = p->sym;
    struct str index = STR_NONE;
    if (!s || p->index || p->index_all)
        return false;
    var_get(sh, &s, &index);
    return index.p != NULL;
}

int expand_op_at(struct shell *sh, struct param *p, struct expand_value *v)
{
    bool array = v->var && (v->var->flags & (VAR_ARRAY | VAR_ASSOC)) && p->index_all;
    if ((p->at == 'A' || p->at == 'a') && expand_at_refers(sh, p)) {
        *v = (struct expand_value){.set = true, .s = STR("")};
        return 0;
    }
    if (p->at == 'A')
        return expand_at_assign(sh, p, v);
    if (p->at == 'a')
        return expand_at_attr(sh, v);
    if ((p->at == 'K' || p->at == 'k') && array)
        return expand_at_keys(sh, p->at, v);
    if (!v->list)
        return v->set ? expand_at_text(sh, p->at, v->s, &v->s) : 0;
    struct str *items = arena_alloc(&sh->arena, (v->n + 1) * sizeof *items);
    int r = items ? 0 : HOB_ENOMEM;
    for (size_t i = 0; r >= 0 && i < v->n; i++)
        r = expand_at_text(sh, p->at, v->items[i], &items[i]);
    v->items = items;
    return r;
}

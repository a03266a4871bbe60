/* builtin_array.c -- name=(...) as an argument of declare, local, export, readonly
 *
 * bash expands the elements before the builtin runs, so that `local a=("${a[@]}")` sees the outer
 * array. They are expanded into a list first and stored when the variable has been made.
 */
#include "shell/builtin_impl.h"
#include "shell/parse.h"

static struct compound_item *compound_push(struct shell *sh, struct compound *c)
{
    if (c->n == c->cap) {
        size_t cap = MAX(c->cap * 2, (size_t)8);
        struct compound_item *p =
            arena_grow(&sh->arena, c->items, c->cap * sizeof *p, cap * sizeof *p);
        if (!p)
            return NULL;
        c->items = p;
        c->cap = cap;
    }
    c->items[c->n] = (struct compound_item){0};
    return &c->items[c->n++];
}

/* One element: with a subscript, or words of its own number. */
static int compound_element(struct shell *sh, struct compound *c, struct element *e, bool assoc)
{
    struct compound_item it = {.value = STR(""), .append = e->append, .from = e};
    struct strs words = {0};
    int r = 0;
    if (!assoc && (!e->index || e->braced)) {
        struct word *w = e->braced ? e->braced : e->value;
        uint64_t opts = sh->opts;
        if (UNLIKELY(e->braced != NULL)) /* [1]={a,b} is no pattern */
            sh->opts |= UINT64_C(1) << OPT_NOGLOB;
        r = w ? expand_words(sh, &w, 1, &words) : 0;
        sh->opts = opts;
        for (size_t i = 0; r >= 0 && i < words.n; i++) {
            struct compound_item *to = compound_push(sh, c);
            if (!to)
                return HOB_ENOMEM;
            to->value = words.p[i];
        }
        return r;
    }
    for (int i = 0; UNLIKELY(e->bad.p != NULL) && i < e->value->n; i++)
        if (e->value->parts[i].text.p && e->value->parts[i].kind == PART_PARAM)
            e->value->parts[i].text = assoc ? e->value->src : e->bad;
    if (e->index)
        r = expand_word(sh, e->index, 0, &it.key);
    if (r >= 0 && e->value && (e->value->flags & WORD_BRACE))
        r = expand_brace_value(sh, e->value, &it.value);
    else if (r >= 0 && e->value)
        r = expand_word(sh, e->value,
                        assoc                   ? EXPAND_NO_TILDE | EXPAND_BLANKS
                        : SH_OPT(sh, OPT_POSIX) ? EXPAND_NO_TILDE | EXPAND_STARS
                                                : EXPAND_TILDE_EQ | EXPAND_STARS,
                        &it.value);
    struct compound_item *to = r >= 0 ? compound_push(sh, c) : NULL;
    if (!to)
        return r < 0 ? r : HOB_ENOMEM;
    *to = it;
    return 0;
}

int compound_expand(struct shell *sh, const struct assign *a, bool assoc, struct compound *c)
{
    *c = (struct compound){.append = a->append};
    for (int i = 0; i < a->nelems; i++) {
        int r = compound_element(sh, c, &a->elems[i], assoc);
        if (r < 0)
            return r;
    }
    return 0;
}

int compound_parse(struct shell *sh, struct str name, struct str text, bool assoc,
                   struct compound *c)
{
    struct str whole = arena_printf(&sh->arena, "%.*s=%.*s", STR_ARG(name), STR_ARG(text));
    struct parser *p = whole.p ? parser_new(sh->heap, whole, sh->line) : NULL;
    struct program *prog = NULL, *outer = sh->program;
    struct parse_error err;
    int r = HOB_ESYNTAX;
    if (!p)
        return HOB_ENOMEM;
    parse_error_init(&err, sh->heap);
    if (parser_next(p, &prog, &err) == 1) {
        struct node *n = prog->root;
        while (n && n->kind == NODE_LIST && n->u.list.n == 1)
            n = n->u.list.items[0].node;
        if (n && n->kind == NODE_SIMPLE && n->u.simple.nassigns == 1 &&
            n->u.simple.assigns[0].array) {
            sh->program = prog;
            r = compound_expand(sh, &n->u.simple.assigns[0], assoc, c);
            sh->program = outer;
            c->program = prog;
            prog = NULL;
        }
    }
    program_unref(prog);
    parse_error_fini(&err);
    parser_free(p);
    return r;
}

/* A key that is empty: the element is left out. bash shows it as it is written, or as `declare` has
 * quoted it. */
static void compound_no_key(struct shell *sh, const struct compound *c,
                            const struct compound_item *it)
{
    struct buf b;
    const struct element *e = it->from;
    buf_init(&b, sh->heap);
    if (it->key.p)
        buf_putc(&b, '[');
    if (c->quoted)
        buf_addz(&b, "''");
    else if (e && (e->index || e->value))
        print_word(&b, e->index ? e->index : e->value);
    if (it->key.p) {
        buf_addz(&b, it->append ? "]+=" : "]=");
        if (c->quoted)
            buf_printf(&b, "'%.*s'", STR_ARG(it->value));
        else if (e && e->value)
            print_word(&b, e->value);
    }
    shell_error(sh, "%.*s: bad array subscript", (int)b.n, b.p ? b.p : "");
    buf_fini(&b);
}

/* How a word of the list is written. */
static struct str compound_source(struct shell *sh, const struct compound_item *it)
{
    struct buf b;
    buf_init(&b, sh->heap);
    if (it->from && it->from->value)
        print_word(&b, it->from->value);
    else
        buf_str(&b, it->value);
    struct str text = arena_str(&sh->arena, buf_get(&b));
    buf_fini(&b);
    return text;
}

/* In a list of keys and values a [k]=v is no more than a word. */
static struct str compound_whole(struct shell *sh, const struct compound_item *it, bool raw)
{
    if (raw && !it->key.p)
        return compound_source(sh, it);
    return it->key.p ? arena_printf(&sh->arena, "[%.*s]%s=%.*s", STR_ARG(it->key),
                                    it->append ? "+" : "", STR_ARG(it->value))
                     : it->value;
}

static int compound_store_assoc(struct shell *sh, struct sym *s, const struct compound *c)
{
    /* The first word decides. When it begins with [ but is no [k]=v, a plain assignment refuses it,
     * and declare takes the words as they are written. */
    bool pairs = c->n && !c->items[0].key.p;
    bool raw = pairs && str_starts(compound_source(sh, &c->items[0]), STR("["));
    int r = 0;
    pairs = pairs && (!raw || c->quoted);
    for (size_t i = 0; r >= 0 && i < c->n; i++) {
        const struct compound_item *it = &c->items[i];
        if (pairs) {
            struct str key = compound_whole(sh, it, raw);
            struct str value = i + 1 < c->n ? compound_whole(sh, &c->items[i + 1], raw) : STR("");
            if (key.n)
                r = var_set_elem(sh, s, key, value, 0);
            else
                compound_no_key(sh, c, it);
            i++;
        } else if (!it->key.p) {
            struct buf b;
            buf_init(&b, sh->heap);
            if (c->quoted)
                trace_quoted(&b, compound_source(sh, it));
            else
                buf_str(&b, compound_source(sh, it));
            shell_error(sh, "%.*s: %.*s: must use subscript when assigning associative array",
                        STR_ARG(s->name), (int)b.n, b.p ? b.p : "");
            buf_fini(&b);
        } else if (it->key.n == 0) {
            compound_no_key(sh, c, it);
        } else {
            r = var_set_elem(sh, s, it->key, it->value, it->append ? VAR_APPEND : 0);
        }
    }
    return r;
}

static int compound_store_array(struct shell *sh, struct sym *s, const struct compound *c)
{
    struct var *v = var_slot(sh, s);
    int64_t next = c->append && v && (v->flags & VAR_ARRAY) ? array_end(v->u.array) : 0;
    int r = 0;
    for (size_t i = 0; r >= 0 && i < c->n; i++) {
        const struct compound_item *it = &c->items[i];
        if (it->key.p) {
            v = var_slot(sh, s);
            int64_t at;
            r = var_index(sh, s, it->key, v && (v->flags & VAR_ARRAY) ? v->u.array : NULL, &at);
            next = r >= 0 && it->key.n ? at : next;
            if (r == HOB_ERANGE || (r >= 0 && it->key.n == 0)) {
                shell_error(sh, "[%.*s]=%.*s: bad array subscript", STR_ARG(it->key),
                            STR_ARG(it->value));
                r = 0;
                continue;
            }
        }
        if (r >= 0)
            r = var_set_index(sh, s, next, it->value, it->append ? VAR_APPEND : 0);
        next += next < INT64_MAX;
    }
    return r;
}

/* [k]+=v in a list that replaces the array adds to what the old one has under k. */
static int compound_join(struct shell *sh, const struct var *v, struct compound *c)
{
    for (size_t i = 0; i < c->n; i++) {
        struct compound_item *it = &c->items[i];
        struct str old;
        if (!it->append)
            continue;
        it->append = false;
        if (it->key.p && assoc_get(v->u.assoc, it->key, &old)) {
            it->value = arena_printf(&sh->arena, "%.*s%.*s", STR_ARG(old), STR_ARG(it->value));
            if (!it->value.p)
                return HOB_ENOMEM;
        }
    }
    return 0;
}

int compound_store(struct shell *sh, struct sym *s, struct compound *c)
{
    struct var *v = var_slot(sh, s);
    bool assoc = v && (v->flags & VAR_ASSOC);
    if (v && (v->flags & VAR_DYNAMIC) && (v->flags & VAR_ARRAY)) {
        /* PIPESTATUS and the like are made anew each time; only the folder stack listens. */
        for (size_t i = 1; s->id == SYM_DIRSTACK && i < c->n; i++)
            dirs_set(sh, i, c->items[i].value);
        return 0;
    }
    if (assoc && !c->append && compound_join(sh, v, c) < 0)
        return HOB_ENOMEM;
    int r = var_make_array(sh, s, assoc, !c->append);
    if (r < 0)
        return r;
    r = assoc ? compound_store_assoc(sh, s, c) : compound_store_array(sh, s, c);
    v = var_own(sh, s);
    if (v)
        v->flags &= ~(uint32_t)VAR_UNSET; /* declare -a x=() has a value */
    return r;
}

void compound_free(struct compound *c)
{
    if (c->program)
        program_unref(c->program);
    c->program = NULL;
}

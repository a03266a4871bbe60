/* expand_op.c -- operators on values: patterns, slices, case, replacement */
#include "shell/expand_impl.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "shell/arith.h"

/* ---- patterns -------------------------------------------------------------------------------- */

/* A compiled pattern in a cache slot of the tree. */
struct expand_cached {
    int flags;
    struct glob_prog *prog;
};

enum {
    EXPAND_OP_SUBST = 1 << 16 /* a flag of expand_pattern(): for ${x/pattern/} */
};

/* bash measures a pattern before it replaces: without a star only texts of that many characters are
 * tried. It takes [^]..] to end at its first ], so such a pattern never fits what it matches. */
static bool expand_op_mismeasured(struct str pattern)
{
    bool found = false;
    for (size_t i = 0; i < pattern.n; i++) {
        char c = pattern.p[i];
        if (c == '*' || (c == '(' && i && memchr("?+@!", pattern.p[i - 1], 4)))
            return false;
        if (c == '\\') {
            i++;
        } else if (c == '[' && i + 2 < pattern.n && pattern.p[i + 2] == ']' &&
                   (pattern.p[i + 1] == '^' || pattern.p[i + 1] == '!')) {
            ptrdiff_t end = str_chr(str_from(pattern, i + 3), ']');
            found = found || end >= 0;
            i += end >= 0 ? (size_t)end + 3 : 0;
        } else if (c == '[') {
            ptrdiff_t end = i + 2 < pattern.n ? str_chr(str_from(pattern, i + 2), ']') : -1;
            i += end >= 0 ? (size_t)end + 2 : 0;
        }
    }
    return found;
}

/* [a- at the end of a pattern: a bracket that is not closed stands for itself, but not a range. */
static bool expand_op_open_range(struct str s)
{
    if (s.n < 3 || s.p[s.n - 1] != '-')
        return false;
    ptrdiff_t open = str_rchr(s, '[');
    return open >= 0 && (size_t)open + 3 <= s.n && (open == 0 || s.p[open - 1] != '\\') &&
           str_chr(str_from(s, (size_t)open), ']') < 0;
}

struct glob_prog *expand_pattern(struct shell *sh, struct word *w, void **cache, int flags,
                                 int *err)
{
    flags |= SH_SHOPT(sh, SHOPT_EXTGLOB) ? GLOB_EXT : 0;
    flags |= sh->bytes ? GLOB_BYTES : 0;
    struct expand_cached *c = *cache;
    if (c && c->flags == flags)
        return c->prog;
    struct str text;
    *err = expand_word_borrow(sh, w, EXPAND_PATTERN, &text);
    if (*err < 0)
        return NULL;
    if (((flags & EXPAND_OP_SUBST) && expand_op_mismeasured(text)) || expand_op_open_range(text))
        text = STR("[b-a]"); /* matches nothing */
    bool keep = sh->program && !c && (!w || expand_constant(w));
    struct arena *a = keep ? &sh->program->arena : &sh->arena;
    struct glob_prog *g = glob_compile(a, text, flags & ~EXPAND_OP_SUBST);
    *err = g ? 0 : HOB_ENOMEM;
    if (g && keep && (c = arena_new(a, struct expand_cached))) {
        c->flags = flags;
        c->prog = g;
        *cache = c;
    }
    return g;
}

int expand_glob_match(struct shell *sh, struct word *w, void **cache, struct str text, bool nocase,
                      bool *match)
{
    int err = 0;
    if ((w->flags & WORD_STATIC) && !nocase && !memchr(w->lit.p, '\\', w->lit.n)) {
        *match = str_eq(w->lit, text);
        return 0;
    }
    struct glob_prog *g = expand_pattern(sh, w, cache, nocase ? GLOB_NOCASE : 0, &err);
    *match = g && glob_match(g, text);
    return err;
}

/* ---- one text at a time ---------------------------------------------------------------------- */

struct expand_op {
    struct shell *sh;
    struct param *p;
    struct glob_prog *g; /* NULL: no pattern was given */
    struct str rep;      /* replacement, with its escapes */
    bool rep_plain;      /* has neither & nor \ with a meaning */
    struct expand_value *v;
};

static struct str expand_op_trim(struct expand_op *o, struct str s)
{
    ptrdiff_t n = o->p->op == PARAM_PREFIX ? glob_prefix(o->g, s, o->p->twice)
                                           : glob_suffix(o->g, s, o->p->twice);
    if (n <= 0)
        return s;
    struct str rest =
        o->p->op == PARAM_PREFIX ? str_from(s, (size_t)n) : str_sub(s, 0, s.n - (size_t)n);
    return rest.n ? rest : STR("");
}

static void expand_op_put(struct expand_op *o, struct buf *b, struct str match)
{
    if (o->rep_plain) {
        buf_str(b, o->rep);
        return;
    }
    for (size_t i = 0; i < o->rep.n; i++) {
        char c = o->rep.p[i];
        if (c == '&') {
            buf_str(b, match);
        } else {
            if (c == '\\' && i + 1 < o->rep.n &&
                (o->rep.p[i + 1] == '&' || o->rep.p[i + 1] == '\\'))
                c = o->rep.p[++i];
            buf_putc(b, c);
        }
    }
}

/* Where the next match is, at or behind `from`. */
static bool expand_op_find(struct expand_op *o, struct str s, size_t from, size_t *start,
                           size_t *end)
{
    ptrdiff_t n;
    switch (o->p->anchor) {
    case '#':
        n = glob_prefix(o->g, s, true);
        *start = 0;
        *end = (size_t)MAX(n, 0);
        return n >= 0;
    case '%':
        n = glob_suffix(o->g, s, true);
        *start = s.n - (size_t)MAX(n, 0);
        *end = s.n;
        return n >= 0;
    default: return glob_find(o->g, s, from, start, end);
    }
}

static struct str expand_op_replace(struct expand_op *o, struct str s)
{
    struct buf b;
    size_t at = 0, from = 0, start, end;
    bool some = false;
    struct str lit;
    if (!o->p->anchor && glob_literal(o->g, &lit) && lit.n == 0)
        return s; /* nothing to look for */
    buf_init(&b, o->sh->heap);
    while (expand_op_find(o, s, from, &start, &end)) {
        if (start == s.n && end == start && s.n && !o->p->anchor)
            break; /* nothing is replaced behind the last character */
        some = true;
        buf_add(&b, s.p + at, start - at);
        expand_op_put(o, &b, str_sub(s, start, end - start));
        at = from = end;
        if (start == end && end < s.n) { /* an empty match: the next one is a character on */
            int len;
            utf8_decode(s.p + end, s.n - end, &len);
            from = end + (size_t)len;
        }
        if (!o->p->twice || o->p->anchor || from >= s.n)
            break;
    }
    if (some) {
        buf_str(&b, str_from(s, at));
        s = arena_str(&o->sh->arena, buf_get(&b));
    }
    buf_fini(&b);
    return s;
}

static uint32_t expand_op_change(int op, uint32_t c)
{
    uint32_t up = utf8_upper(c), low = utf8_lower(c);
    switch (op) {
    case PARAM_UPPER: return up;
    case PARAM_LOWER: return low;
    default: return c != low ? low : up;
    }
}

static struct str expand_op_case(struct expand_op *o, struct str s)
{
    char *to = arena_alloc(&o->sh->arena, s.n * 4 + 8);
    size_t n = 0;
    if (!to)
        return STR_NONE;
    for (size_t i = 0; i < s.n;) {
        int len;
        uint32_t c = utf8_decode(s.p + i, s.n - i, &len);
        struct str one = str_sub(s, i, (size_t)len);
        if (c != UTF8_BAD && (!o->g || glob_match(o->g, one)))
            n += (size_t)utf8_encode(to + n, expand_op_change(o->p->op, c));
        else
            for (int k = 0; k < len; k++)
                to[n++] = one.p[k];
        i += (size_t)len;
        if (!o->p->twice) {
            struct str rest = str_from(s, i);
            if (rest.n)
                memcpy(to + n, rest.p, rest.n);
            n += rest.n;
            break;
        }
    }
    to[n] = '\0';
    return str_of(to, n);
}

/* Characters, or bytes when the locale is C. */
size_t expand_count(struct shell *sh, struct str s) { return sh->bytes ? s.n : utf8_count(s); }

/* ---- slices ---------------------------------------------------------------------------------- */

/* One bound of ${x:off:len}; 0 without one. */
static int expand_op_bound(struct shell *sh, struct param *p, struct word *w, void **cache,
                           int64_t *out)
{
    struct arith_text t = {w, *cache};
    *out = 0;
    struct str name = w ? expand_param_name(sh, p) : STR("");
    if (!w || !name.p)
        return w ? HOB_ENOMEM : 0;
    int r = arith_eval_named(sh, &t, name.p, out);
    *cache = t.prog;
    return r;
}

/* The length, which is looked at only when the offset is good; INT64_MAX without one. */
static int expand_op_length(struct shell *sh, struct param *p, int64_t *len)
{
    *len = INT64_MAX;
    return p->has_rep ? expand_op_bound(sh, p, p->word2, &p->cache2, len) : 0;
}

static int expand_op_substr_error(struct shell *sh, struct param *p, int64_t len)
{
    struct str text = p->word2 ? p->word2->src : STR("");
    if (p->word2 && p->word2->lit.p)
        text = p->word2->lit;
    else
        text = arena_printf(&sh->arena, "%lld", (long long)len);
    shell_error(sh, "%.*s: substring expression < 0", STR_ARG(text));
    expand_abort(sh);
    if (sh->ctl == CTL_EXIT)
        sh->ctl = CTL_ABORT; /* errexit does not look at this one */
    return HOB_EINVAL;
}

static int expand_op_substr(struct shell *sh, struct param *p, struct expand_value *v)
{
    int64_t off, len;
    bool has = p->has_rep;
    int r = expand_op_bound(sh, p, p->word, &p->cache, &off);
    if (r < 0)
        return r;
    struct str s = v->s;
    int64_t n = (int64_t)expand_count(sh, s);
    if (off < 0)
        off += n;
    v->s = STR("");
    if (off < 0 || off > n)
        return 0;
    r = expand_op_length(sh, p, &len);
    if (r < 0)
        return r;
    int64_t end = n;
    if (has && len < 0) {
        end = n + len;
        if (end < off)
            return expand_op_substr_error(sh, p, len);
    } else if (has && len < n - off) {
        end = off + len;
    }
    if (n == (int64_t)s.n) {
        v->s = str_sub(s, (size_t)off, (size_t)(end - off));
    } else {
        size_t a = utf8_offset(s, (size_t)off);
        s = str_from(s, a);
        v->s = str_sub(s, 0, utf8_offset(s, (size_t)(end - off)));
    }
    if (!v->s.p)
        v->s = STR("");
    return 0;
}

/* ${@:off:len} counts from $0, ${a[@]:off:len} by index, associative ones by place, where bash
 * takes the first for the second and never less than one. */
static int expand_op_slice(struct shell *sh, struct param *p, struct expand_value *v)
{
    int64_t off, len, at = 0;
    if (v->var && v->n == 1 && !(v->var->flags & (VAR_ARRAY | VAR_ASSOC))) {
        struct str *one = arena_new(&sh->arena, struct str);
        v->s = v->items[0];
        int e = one ? expand_op_substr(sh, p, v) : HOB_ENOMEM;
        if (e >= 0) { /* of a scalar x[@] cuts the text */
            *one = v->s;
            v->items = one;
        }
        return e;
    }
    int r = expand_op_bound(sh, p, p->word, &p->cache, &off);
    if (r < 0)
        return r;
    struct str *items = arena_alloc(&sh->arena, (v->n + 1) * sizeof *items);
    if (!items)
        return HOB_ENOMEM;
    size_t n = 0, i = 0;
    bool array = v->var && (v->var->flags & VAR_ARRAY);
    int64_t top = array ? array_end(v->var->u.array) : v->var ? (int64_t)v->n : (int64_t)v->n + 1;
    bool assoc = v->var && (v->var->flags & VAR_ASSOC);
    off += off < 0 ? top + assoc : 0;
    if (off < 0 || off > top - array || (!v->var && p->what == PARAM_VAR)) {
        v->n = 0;
        return 0;
    }
    r = expand_op_length(sh, p, &len);
    if (r < 0)
        return r;
    if (len < 0)
        return expand_op_substr_error(sh, p, len);
    if (array) {
        struct str s;
        for (int64_t k = off - 1; len-- > 0 && array_next(v->var->u.array, &k, &s);)
            items[n++] = s;
    } else {
        if (!v->var && off == 0 && len > 0) {
            items[n++] = sh->name0;
            len -= len != INT64_MAX;
        }
        i = off > 0 && (!v->var || assoc) ? (size_t)(off - 1) : (size_t)off;
        len = assoc && len < 1 ? 1 : len;
        for (; i < v->n && at < len; i++, at++)
            items[n++] = v->items[i];
    }
    v->items = items;
    v->n = n;
    return 0;
}

/* ---- all together ---------------------------------------------------------------------------- */

static struct str expand_op_text(struct expand_op *o, struct str s)
{
    switch (o->p->op) {
    case PARAM_PREFIX:
    case PARAM_SUFFIX: return expand_op_trim(o, s);
    case PARAM_REPLACE: return expand_op_replace(o, s);
    default: return expand_op_case(o, s);
    }
}

static int expand_op_prepare(struct expand_op *o)
{
    struct param *p = o->p;
    int err = 0;
    bool nocase = p->op == PARAM_REPLACE && SH_SHOPT(o->sh, SHOPT_NOCASEMATCH);
    int flags = (nocase ? GLOB_NOCASE : 0) | (p->op == PARAM_REPLACE ? EXPAND_OP_SUBST : 0);
    if (p->word || p->op < PARAM_UPPER)
        o->g = expand_pattern(o->sh, p->word, &p->cache, flags, &err);
    if (err < 0 || p->op != PARAM_REPLACE)
        return err;
    bool sub = SH_SHOPT(o->sh, SHOPT_PATSUB_REPLACEMENT);
    err = expand_word(o->sh, p->word2, sub ? EXPAND_REPLACE : 0, &o->rep);
    o->rep_plain = !sub || !o->rep.n ||
                   (!memchr(o->rep.p, '&', o->rep.n) && !memchr(o->rep.p, '\\', o->rep.n));
    return err;
}

/* Texts that are borrowed from variables are copied before anything else is expanded. */
static bool expand_op_keep(struct shell *sh, struct expand_value *v)
{
    if (!v->list)
        return (v->s = arena_str(&sh->arena, v->s)).p != NULL;
    struct str *items = arena_alloc(&sh->arena, (v->n + 1) * sizeof *items);
    for (size_t i = 0; items && i < v->n; i++) {
        items[i] = arena_str(&sh->arena, v->items[i]);
        if (!items[i].p)
            return false;
    }
    v->items = items;
    return items != NULL;
}

int expand_op(struct shell *sh, struct param *p, struct expand_value *v)
{
    if (p->op == PARAM_AT)
        return expand_op_at(sh, p, v);
    if (v->list && v->n == 0 && p->what == PARAM_VAR)
        return 0; /* what stands behind the operator is not looked at */
    if (p->op == PARAM_SUBSTR) {
        bool fixed =
            (!p->word || expand_constant(p->word)) && (!p->word2 || expand_constant(p->word2));
        if (!fixed && !expand_op_keep(sh, v))
            return HOB_ENOMEM;
        return v->list ? expand_op_slice(sh, p, v) : v->set ? expand_op_substr(sh, p, v) : 0;
    }
    bool fixed = (!p->word || expand_constant(p->word)) && (!p->word2 || expand_constant(p->word2));
    if (!v->list && !v->s.p)
        v->s = STR("");
    if (!fixed && !expand_op_keep(sh, v))
        return HOB_ENOMEM;
    struct expand_op o = {.sh = sh, .p = p, .v = v};
    int r = expand_op_prepare(&o);
    if (r < 0)
        return r;
    if (!v->list) {
        v->s = expand_op_text(&o, v->s);
        return v->s.p ? 0 : HOB_ENOMEM;
    }
    struct str *items = arena_alloc(&sh->arena, (v->n + 1) * sizeof *items);
    if (!items)
        return HOB_ENOMEM;
    for (size_t i = 0; i < v->n; i++) {
        items[i] = expand_op_text(&o, v->items[i]);
        if (!items[i].p)
            return HOB_ENOMEM;
    }
    v->items = items;
    return 0;
}

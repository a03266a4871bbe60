/* expand_param.c -- parameters: their values, indirection, and the operators - = ? + */
#include "shell/expand_impl.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "shell/arith.h"
#include "shell/inner.h"
#include "shell/parse.h"

/* ---- positional and special ones ------------------------------------------------------------- */

static size_t expand_param_count(const struct shell *sh)
{
    return sh->params && sh->params->n > sh->from ? sh->params->n - sh->from : 0;
}

static bool expand_param_number(struct shell *sh, int64_t n, struct str *out)
{
    char text[24];
    *out = arena_str(&sh->arena, str_of(text, fmt_int(text, n)));
    return out->p != NULL;
}

static int expand_param_special(struct shell *sh, char c, struct expand_value *v)
{
    bool ok = true;
    v->set = true;
    switch (c) {
    case '@':
    case '*':
        v->list = true;
        v->star = c == '*';
        v->n = expand_param_count(sh);
        v->items = v->n ? sh->params->p + sh->from : NULL;
        v->set = v->n > 0;
        break;
    case '#': ok = expand_param_number(sh, (int64_t)expand_param_count(sh), &v->s); break;
    case '?': ok = expand_param_number(sh, sh->status, &v->s); break;
    case '$': ok = expand_param_number(sh, sh->pid, &v->s); break;
    case '!':
        v->set = sh->last_bg != 0;
        if (v->set)
            ok = expand_param_number(sh, sh->last_bg, &v->s);
        break;
    case '-': {
        struct buf b;
        buf_init(&b, sh->heap);
        shell_flags(sh, &b);
        v->s = arena_str(&sh->arena, buf_get(&b));
        buf_fini(&b);
        ok = v->s.p != NULL;
        break;
    }
    default: v->set = false; break;
    }
    return ok ? 0 : HOB_ENOMEM;
}

static void expand_param_pos(struct shell *sh, int64_t pos, struct expand_value *v)
{
    v->set = true;
    if (pos == 0)
        v->s = sh->name0;
    else if ((uint64_t)pos <= expand_param_count(sh))
        v->s = sh->params->p[sh->from + (size_t)pos - 1];
    else
        v->set = false;
}

/* ---- variables ------------------------------------------------------------------------------- */

/* All elements, as borrowed texts. */
static int expand_param_all(struct shell *sh, struct expand_value *v, bool keys)
{
    struct var *a = v->var;
    v->list = true;
    v->n = 0;
    if (!a)
        return 0;
    size_t most = a->flags & VAR_ARRAY   ? array_count(a->u.array)
                  : a->flags & VAR_ASSOC ? assoc_count(a->u.assoc)
                                         : 1;
    v->items = arena_alloc(&sh->arena, (most + 1) * sizeof *v->items);
    if (!v->items)
        return HOB_ENOMEM;
    struct str key, s;
    if (a->flags & VAR_ARRAY) {
        for (int64_t i = -1; v->n < most && array_next(a->u.array, &i, &s); v->n++) {
            v->items[v->n] = s;
            if (keys && !expand_param_number(sh, i, &v->items[v->n]))
                return HOB_ENOMEM;
        }
    } else if (a->flags & VAR_ASSOC) {
        for (size_t pos = 0; v->n < most && assoc_next(a->u.assoc, &pos, &key, &s); v->n++)
            v->items[v->n] = keys ? key : s;
    } else if (var_str(sh, v->sym, &s)) {
        v->items[v->n++] = keys ? STR("0") : s;
    }
    v->set = v->n > 0;
    return 0;
}

/* A subscript that stands for no element. It matters only when a length is asked for. */
static int expand_param_subscript(struct shell *sh, const struct param *p)
{
    if (p->op == PARAM_LENGTH) {
        shell_error(sh, "%.*s]: bad array subscript", STR_ARG(p->index->src));
        return expand_abort(sh);
    }
    bool twice = p->op == PARAM_AT && (p->at == 'a' || p->at == 'A');
    for (int i = 0; i <= twice; i++) { /* bash looks once more */
        shell_error(sh, "%.*s: bad array subscript", STR_ARG(p->name));
        if (SH_OPT(sh, OPT_ERREXIT)) {
            sh->status = sh->status ? sh->status : 1;
            sh->ctl = CTL_EXIT;
            return HOB_EINVAL;
        }
    }
    return 0;
}

/* x[index]: of the kind that x is. */
static int expand_param_elem(struct shell *sh, struct param *p, struct expand_value *v)
{
    struct var *a = v->var;
    if (a && (a->flags & VAR_ASSOC)) {
        int r = expand_word(sh, p->index, 0, &v->index);
        if (r >= 0 && v->index.n == 0)
            return expand_param_subscript(sh, p);
        if (r >= 0)
            v->set = assoc_get(a->u.assoc, v->index, &v->s);
        return r;
    }
    int64_t i;
    if (p->op == PARAM_LENGTH && !a)
        return 0;
    int r = arith_subscript(sh, p->index, &p->index->cache, &i);
    if (r < 0)
        return r;
    const struct array *array = a && (a->flags & VAR_ARRAY) ? a->u.array : NULL;
    if (i < 0) {
        i = array ? array_back(array, i) : i + (a && !(a->flags & VAR_UNSET));
        if (i < 0)
            return expand_param_subscript(sh, p);
    }
    if (array)
        v->set = array_get(array, i, &v->s);
    else if (a && i == 0)
        v->set = var_str(sh, v->sym, &v->s);
    return 0;
}

static int expand_param_var(struct shell *sh, struct param *p, struct expand_value *v)
{
    if (!p->sym && !(p->sym = sym_intern(sh, p->name)))
        return HOB_ENOMEM;
    v->sym = p->sym;
    if (!p->index && !p->index_all) {
        v->var = var_slot(sh, p->sym);
        if (v->var && (v->var->flags & VAR_NAMEREF)) {
            v->var = var_get(sh, &v->sym, &v->index);
            if (!v->var)
                return 0;
            if (v->index.n == 1 && (*v->index.p == '@' || *v->index.p == '*')) {
                v->star = *v->index.p == '*';
                return expand_param_all(sh, v, false);
            }
            if (v->index.p) { /* as bash has it, such a reference has no length */
                v->set = p->op != PARAM_LENGTH && var_elem(sh, v->sym, v->index, &v->s);
                return 0;
            }
            if (v->sym == p->sym && !(v->var->flags & VAR_ODD)) { /* it names itself: the global */
                v->s = var_text(sh, v->var);
                v->set = true;
                return 0;
            }
        }
        v->set = var_str(sh, v->sym, &v->s);
        return 0;
    }
    struct str index;
    v->var = var_get(sh, &v->sym, &index);
    if (p->index)
        return expand_param_elem(sh, p, v);
    if (index.n == 1 && (*index.p == '@' || *index.p == '*'))
        v->var = NULL; /* all elements of all elements: nothing */
    v->star = p->index_all == '*';
    return expand_param_all(sh, v, p->op == PARAM_KEYS);
}

static int expand_param_direct(struct shell *sh, struct param *p, struct expand_value *v)
{
    switch (p->what) {
    case PARAM_VAR: return expand_param_var(sh, p, v);
    case PARAM_POS: expand_param_pos(sh, p->pos, v); return 0;
    default: return expand_param_special(sh, p->special, v);
    }
}

/* ---- indirection ----------------------------------------------------------------------------- */

/* Takes the text of a reference apart: name, name[sub], number or special. False: none of them. */
static bool expand_param_refer(struct shell *sh, struct str ref, struct param *t, struct word *w,
                               struct part *part)
{
    struct str name, index;
    int64_t pos;
    if (ref.n == 1 && strchr("@*#?-$!", ref.p[0]) && ref.p[0]) {
        t->what = PARAM_SPECIAL;
        t->special = ref.p[0];
        return true;
    }
    if (ref.n && ascii_digit(ref.p[0]) && str_int(ref, &pos) == 0) {
        t->what = PARAM_POS;
        t->pos = pos;
        return true;
    }
    if (!var_split_ref(ref, &name, &index))
        return false;
    t->what = PARAM_VAR;
    t->name = arena_str(&sh->arena, name);
    if (index.n == 1 && (index.p[0] == '@' || index.p[0] == '*')) {
        t->index_all = index.p[0];
    } else if (index.p) {
        /* The subscript is expanded once more, as in ${x[$i]}. */
        struct str text;
        if (expand_text(sh, index, &text) < 0)
            return false;
        *part = (struct part){.kind = PART_QUOTED, .text = text};
        *w = (struct word){
            .parts = part, .n = 1, .flags = WORD_STATIC, .line = -1, .lit = text, .src = text};
        t->index = w;
    }
    return t->name.p != NULL;
}

/* ${!x}: *p becomes the parameter that x names. 1: the value is in v already (a nameref's name). */
static int expand_param_indirect(struct shell *sh, struct param *p, struct param *t,
                                 struct expand_value *v)
{
    struct var *raw = p->what == PARAM_VAR && p->sym ? var_slot(sh, p->sym) : NULL;
    if (!p->sym && p->what == PARAM_VAR) {
        p->sym = sym_intern(sh, p->name);
        raw = p->sym ? var_slot(sh, p->sym) : NULL;
    }
    if (raw && (raw->flags & VAR_NAMEREF) && !p->index && !p->index_all) {
        v->set = !(raw->flags & VAR_UNSET);
        v->s = var_text(sh, raw);
        return 1;
    }
    struct param plain = *p;
    plain.indirect = false;
    plain.op = PARAM_PLAIN;
    int r = expand_param_direct(sh, &plain, v);
    if (r < 0)
        return r;
    struct str ref = v->list ? expand_join(sh, v->items, v->n, STR(" ")) : v->s;
    struct str name = expand_param_name(sh, p);
    bool set = v->set;
    *v = (struct expand_value){0};
    if (!set && p->what != PARAM_VAR)
        return 1; /* ${!1} without $1 is not set itself */
    if (!set) {
        shell_error(sh, "%.*s: invalid indirect expansion", STR_ARG(name));
        return expand_discard(sh);
    }
    *t = *p;
    t->indirect = false;
    t->sym = NULL;
    t->index = NULL;
    t->index_all = 0;
    /* Lives as long as the arena's mark: nothing of it is kept in the tree. */
    struct word *w = arena_new(&sh->arena, struct word);
    struct part *part = arena_new(&sh->arena, struct part);
    if (!w || !part)
        return HOB_ENOMEM;
    if (!expand_param_refer(sh, ref, t, w, part)) {
        if (!shell_unwinding(sh))
            shell_error(sh, "%.*s: invalid variable name", STR_ARG(ref));
        return expand_discard(sh);
    }
    return 0;
}

/* ---- messages -------------------------------------------------------------------------------- */

struct str expand_param_name(struct shell *sh, const struct param *p)
{
    const char *bang = p->indirect ? "!" : "";
    if (p->what == PARAM_SPECIAL)
        return arena_printf(&sh->arena, "%s%c", bang, p->special);
    if (p->what == PARAM_POS)
        return arena_printf(&sh->arena, "%s%lld", bang, (long long)p->pos);
    if (p->index)
        return arena_printf(&sh->arena, "%.*s[%.*s]", STR_ARG(p->name), STR_ARG(p->index->src));
    if (p->index_all)
        return arena_printf(&sh->arena, "%.*s[%c]", STR_ARG(p->name), p->index_all);
    return p->name;
}

static int expand_param_unbound(struct shell *sh, const struct param *p)
{
    struct str name = expand_param_name(sh, p);
    if (p->what == PARAM_VAR && p->indirect)
        name = arena_printf(&sh->arena, "!%.*s", STR_ARG(name));
    const char *dollar = p->what == PARAM_VAR || p->braced ? "" : "$";
    shell_error(sh, "%s%.*s: unbound variable", dollar, STR_ARG(name));
    expand_fatal(sh);
    return HOB_EINVAL;
}

static int expand_param_bad(struct shell *sh, struct str text)
{
    shell_error(sh, "%.*s: bad substitution", STR_ARG(text));
    return expand_abort(sh);
}

/* ---- operators that look whether there is a value -------------------------------------------- */

static bool expand_param_present(const struct param *p, const struct expand_value *v)
{
    if (!v->set)
        return false;
    if (!p->colon)
        return true;
    if (!v->list)
        return v->s.n > 0;
    if (v->n > 1)
        return true;
    return v->n == 1 && v->items[0].n > 0;
}

static int expand_param_error(struct shell *sh, struct param *p)
{
    struct str text = STR("");
    struct strs words = {0};
    sh->status = 1; /* what $? is in the message */
    int r = p->word ? expand_words(sh, &p->word, 1, &words) : 0;
    if (r >= 0 && p->word)
        text = expand_join(sh, words.p, words.n, STR(" "));
    if (r < 0)
        return r;
    struct str name = expand_param_name(sh, p);
    if (p->word)
        shell_error(sh, "%.*s: %.*s", STR_ARG(name), STR_ARG(text));
    else
        shell_error(sh, "%.*s: parameter %snot set", STR_ARG(name), p->colon ? "null or " : "");
    expand_fatal(sh);
    return HOB_EINVAL;
}

static int expand_param_assign(struct shell *sh, struct param *p, struct expand_value *v)
{
    struct str name = expand_param_name(sh, p), key = STR_NONE, text;
    if (p->what != PARAM_VAR) {
        if (p->indirect)
            shell_error(sh, "%.*s: invalid indirect expansion", STR_ARG(name));
        else
            shell_error(sh, "$%.*s: cannot assign in this way", STR_ARG(name));
        return expand_abort(sh);
    }
    int r = expand_word(sh, p->word, 0, &text);
    if (r >= 0 && p->index)
        r = expand_word(sh, p->index, 0, &key);
    if (r < 0)
        return r;
    if (p->index_all) { /* a key of an associative array; elsewhere it is none */
        struct sym *s = p->sym;
        struct str ref;
        struct var *var = s ? var_get(sh, &s, &ref) : NULL;
        key = str_of(&p->index_all, 1);
        if (!var || !(var->flags & VAR_ASSOC)) {
            shell_error(sh, "%.*s: bad array subscript", STR_ARG(name));
            expand_abort(sh);
            if (sh->forked && !sh->in_cmdsub && !sh->subshell_late && sh->ctl == CTL_ABORT)
                sh->status = 2;
            return HOB_EINVAL;
        }
    }
    if (p->index && key.n == 0) {
        struct sym *s = p->sym;
        struct str ref;
        struct var *var = var_get(sh, &s, &ref);
        if (var && (var->flags & VAR_ASSOC)) {
            shell_error(sh, "%.*s: bad array subscript", STR_ARG(name));
            expand_abort(sh);
            if (sh->forked && !sh->in_cmdsub && !sh->subshell_late && sh->ctl == CTL_ABORT)
                sh->status = 2;
            return HOB_EINVAL;
        }
        key = STR("0");
    }
    r = key.p ? var_set_elem(sh, p->sym, key, text, 0) : var_set(sh, p->sym, text, 0);
    if (r < 0)
        return expand_abort(sh);
    *v = (struct expand_value){.set = true, .s = text, .sym = p->sym};
    if (!p->index)
        var_str(sh, p->sym, &v->s);
    return 0;
}

/* The operand stands for the value: its parts join the field that is being built. */
static int expand_param_operand(struct expand *x, const struct param *p, bool quoted)
{
    if (!p->word) {
        x->after_space = x->after_space && !quoted;
        return 0;
    }
    int mode = quoted ? EXPAND_IN_DQUOTE : x->flags & EXPAND_SPLIT ? EXPAND_SPLIT_LIT : 0;
    bool operand = x->operand, nothing = x->nothing;
    x->operand = !quoted;
    int r = expand_parts(x, p->word->parts, p->word->n, mode);
    x->operand = operand;
    if (quoted)
        x->nothing = nothing; /* "${x+$@}" is a word even without any parameter */
    return r;
}

/* 1: the operand was added; 0: the value is to be added; or an error. */
static int expand_param_test(struct expand *x, struct param *p, struct expand_value *v, bool quoted)
{
    bool present = expand_param_present(p, v);
    int r = 0;
    switch (p->op) {
    case PARAM_DEFAULT:
        if (present)
            return 0;
        r = expand_param_operand(x, p, quoted);
        return r < 0 ? r : 1;
    case PARAM_ALT:
        if (present)
            r = expand_param_operand(x, p, quoted);
        else if (quoted && v->list && !v->star && v->n == 0 && x->out)
            x->nothing = true;
        return r < 0 ? r : 1;
    case PARAM_ASSIGN: return present ? 0 : expand_param_assign(x->sh, p, v);
    default: return present ? 0 : expand_param_error(x->sh, p);
    }
}

/* ---- names and lengths ----------------------------------------------------------------------- */

struct expand_param_names {
    struct shell *sh;
    struct str prefix;
    struct strs found;
};

static int expand_param_name_fits(void *ud, struct sym *s, struct var *v)
{
    struct expand_param_names *n = ud;
    struct str ignored;
    if (!str_starts(s->name, n->prefix) || (v->flags & VAR_UNSET))
        return 0;
    if ((v->flags & VAR_DYNAMIC) && !(v->flags & (VAR_ARRAY | VAR_ASSOC)) &&
        !var_dynamic_str(n->sh, s, &ignored))
        return 0;
    return expand_push(n->sh, &n->found, s->name) ? 0 : HOB_ENOMEM;
}

/* The vector grows in the arena, which var_each() gives back: so it is filled in two turns. */
static int expand_param_names(struct shell *sh, struct param *p, struct expand_value *v)
{
    struct expand_param_names n = {.sh = sh, .prefix = p->name};
    n.found.p = arena_array(&sh->arena, struct str, sh->vars->n + 1);
    n.found.cap = sh->vars->n + 1;
    int r = n.found.p ? var_each(sh, expand_param_name_fits, &n) : HOB_ENOMEM;
    *v = (struct expand_value){.set = n.found.n > 0,
                               .list = true,
                               .star = p->at == '*',
                               .items = n.found.p,
                               .n = n.found.n};
    return r;
}

static int expand_param_length(struct shell *sh, struct expand_value *v)
{
    size_t n = v->list ? v->n : expand_count(sh, v->s);
    *v = (struct expand_value){.set = true};
    return expand_param_number(sh, (int64_t)n, &v->s) ? 0 : HOB_ENOMEM;
}

/* ---- all together ---------------------------------------------------------------------------- */

/* The value before any operator; *use is the parameter it belongs to (another one after !). */
static int expand_param_fetch(struct shell *sh, struct param **use, struct param *temp,
                              struct expand_value *v)
{
    struct param *p = *use;
    *v = (struct expand_value){0};
    bool later = p->at == '@' || (p->indirect && p->at == ':');
    if ((p->op == PARAM_BAD && !later) || (p->index && !p->index->n))
        return HOB_ESYNTAX;
    if (p->op == PARAM_NAMES)
        return expand_param_names(sh, p, v);
    if (p->indirect) {
        int r = expand_param_indirect(sh, p, temp, v);
        if (r != 0)
            return r < 0 ? r : 0;
        *use = p = temp;
        *v = (struct expand_value){0};
    }
    int r = p->op == PARAM_BAD && p->at != '@' ? HOB_ESYNTAX : expand_param_direct(sh, p, v);
    return r >= 0 && p->op == PARAM_BAD && v->set ? HOB_ESYNTAX : r;
}

int expand_param_value(struct shell *sh, struct param *p, struct expand_value *v, bool quiet)
{
    struct param temp;
    int r = expand_param_fetch(sh, &p, &temp, v);
    if (r >= 0 && !v->set && !quiet && SH_OPT(sh, OPT_NOUNSET) && !v->list)
        return expand_param_unbound(sh, p);
    return r;
}

static bool expand_param_is_test(const struct param *p)
{
    return p->op >= PARAM_DEFAULT && p->op <= PARAM_ALT;
}

static int expand_param_slow(struct expand *x, const struct part *part, bool quoted)
{
    struct shell *sh = x->sh;
    struct param *p = part->u.param, temp;
    struct expand_value v;
    const struct param *given = p;
    if (task_stack_low(sh->proc->task)) {
        shell_error(sh, "expansion nested too deep");
        return expand_abort(sh);
    }
    int r = expand_param_fetch(sh, &p, &temp, &v);
    if (r == HOB_ESYNTAX && p->op == PARAM_BAD && p->at == PARAM_BAD_COMSUB) {
        shell_syntax_error(sh, STR("command substitution"), (int)p->pos, part->text);
        expand_abort(sh);
        sh->status = SH_OPT(sh, OPT_ERREXIT) ? 2 : 1;
        return HOB_EINVAL;
    }
    if (r == HOB_ESYNTAX && p->op == PARAM_BAD && p->at == PARAM_BAD_WHOLE) {
        shell_error(sh, "%.*s", STR_ARG(part->text));
        return expand_abort(sh);
    }
    if (r == HOB_ESYNTAX) {
        expand_param_bad(sh, part->text.p
                                 ? part->text
                                 : arena_printf(&sh->arena, "${%.*s[]}", STR_ARG(p->name)));
        if (p->op == PARAM_BAD && p->at == '@') {
            sh->ctl = CTL_NONE;
            expand_fatal(sh);
        }
        return HOB_EINVAL;
    }
    if (r < 0)
        return shell_unwinding(sh) || r == HOB_ENOMEM ? r : expand_abort(sh);
    if (expand_param_is_test(p)) {
        r = expand_param_test(x, p, &v, quoted);
        return r ? (r < 0 ? r : 0) : expand_add_value(x, &v, quoted);
    }
    if (p->op == PARAM_LENGTH && SH_OPT(sh, OPT_NOUNSET) && p->what == PARAM_VAR && !v.var &&
        (p->index || p->index_all)) {
        shell_error(sh, "%.*s: unbound variable", STR_ARG(p->name));
        shell_fatal(sh, 1);
        return HOB_EINVAL;
    }
    bool attr = p->op == PARAM_AT && (p->at == 'a' || p->at == 'A');
    if (!v.set && !v.list && SH_OPT(sh, OPT_NOUNSET) && p->op != PARAM_NAMES && !(attr && v.var))
        return expand_param_unbound(sh, given->indirect ? given : p);
    if (p->op == PARAM_LENGTH)
        r = expand_param_length(sh, &v);
    else if (p->op == PARAM_REPLACE && !v.set && !v.list)
        v.s = STR(""); /* nothing is replaced, not even by an empty match */
    else if (p->op != PARAM_PLAIN && p->op != PARAM_KEYS && p->op < PARAM_NAMES)
        r = expand_op(sh, p, &v);
    v.op = p->op;
    return r < 0 ? r : expand_add_value(x, &v, quoted);
}

int expand_param(struct expand *x, const struct part *part, bool quoted)
{
    struct param *p = part->u.param;
    if (LIKELY(p->op == PARAM_PLAIN && !p->indirect && !p->index && !p->index_all)) {
        struct expand_value v = {0};
        if (p->what == PARAM_VAR && p->sym)
            v.set = var_str(x->sh, p->sym, &v.s);
        else if (p->what == PARAM_POS)
            expand_param_pos(x->sh, p->pos, &v);
        if (v.set)
            return expand_add_value(x, &v, quoted);
    }
    return expand_param_slow(x, part, quoted);
}

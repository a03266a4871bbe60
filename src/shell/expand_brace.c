/* expand_brace.c -- {a,b} and {1..9}: one word becomes several before anything else happens */
#include "shell/expand_impl.h"
#include "base/fmt.h"
#include "shell/inner.h"
#include "shell/parse.h"

/* The parts in front of the braces that are open, as a list from the back. */
struct expand_brace_list {
    const struct expand_brace_list *before;
    const struct part *p;
    int n;
};

static int expand_brace_run(struct expand *x, const struct expand_brace_list *done,
                            const struct expand_brace_list *rest);

/* {~,x}/y: a ~ that came to stand at the start is a tilde prefix now. There is room for one part
 * more; their number. */
static int expand_brace_tilde(struct part *p, int n)
{
    if (p->kind != PART_LIT || !p->text.n || p->text.p[0] != '~')
        return n;
    ptrdiff_t slash = str_chr(p->text, '/');
    bool ends =
        slash >= 0 || n == 1 || (p[1].kind == PART_LIT && p[1].text.n && p[1].text.p[0] == '/');
    if (!ends)
        return n;
    size_t end = slash >= 0 ? (size_t)slash : p->text.n;
    memmove(p + 1, p, (size_t)n * sizeof *p);
    p[1].text = str_from(p[1].text, end);
    *p = (struct part){.kind = PART_TILDE, .text = str_sub(p->text, 1, end - 1)};
    return n + 1;
}

/* The parts as they were written, as far as a message shows them. */
static void expand_brace_shown(struct buf *b, const struct part *p, int n)
{
    for (int i = 0; i < n; i++) {
        if (p[i].kind == PART_DQUOTE) {
            buf_putc(b, '"');
            for (int k = 0; k < p[i].u.sub.n; k++)
                if (p[i].u.sub.p[k].kind == PART_QUOTED)
                    buf_str(b, p[i].u.sub.p[k].text);
                else
                    expand_brace_shown(b, p[i].u.sub.p + k, 1);
            buf_putc(b, '"');
        } else if (p[i].kind == PART_QUOTED) {
            buf_printf(b, "'%.*s'", STR_ARG(p[i].text));
        } else if (p[i].kind == PART_PARAM && p[i].u.param->what == PARAM_VAR) {
            buf_printf(b, p[i].u.param->braced ? "${%.*s}" : "$%.*s", STR_ARG(p[i].u.param->name));
        } else if (p[i].text.p) {
            buf_printf(b, p[i].kind == PART_TILDE ? "~%.*s" : "%.*s", STR_ARG(p[i].text));
        }
    }
}

/* {Z..a} makes a ` too, and with more of the word behind it that is a substitution without its
 * end. False after the message. */
static bool expand_brace_open(struct expand *x, const struct part *p, int n)
{
    int at = 0;
    while (at < n && !(p[at].kind == PART_QUOTED && p[at].backquote))
        at++;
    for (int i = at + 1; i < n; i++)
        if (p[i].kind == PART_CMDSUB)
            return true;
    if (at >= n - 1)
        return true;
    struct buf b;
    buf_init(&b, x->sh->heap);
    expand_brace_shown(&b, p + at + 1, n - at - 1);
    struct str rest = buf_get(&b);
    if (rest.n)
        shell_error(x->sh, "bad substitution: no closing \"`\" in `%.*s", STR_ARG(rest));
    bool ok = !rest.n;
    buf_fini(&b);
    return ok;
}

/* All parts are known: they are one word. */
static int expand_brace_word(struct expand *x, const struct expand_brace_list *l)
{
    int n = 0;
    for (const struct expand_brace_list *at = l; at; at = at->before)
        n += at->n;
    if (n == 0)
        return 0;
    struct part *all = arena_alloc(&x->sh->arena, ((size_t)n + 1) * sizeof *all);
    if (!all)
        return HOB_ENOMEM;
    int at_end = n;
    for (const struct expand_brace_list *at = l; at; at = at->before) {
        at_end -= at->n;
        if (at->n)
            memcpy(all + at_end, at->p, (size_t)at->n * sizeof *all);
    }
    if (x->sh->heap->oom)
        return HOB_ENOMEM;
    n = expand_brace_tilde(all, n);
    if (!expand_brace_open(x, all, n))
        return expand_abort(x->sh);
    x->after_space = false;
    int r = proc_tick(x->sh->proc, 1);
    if (r >= 0)
        r = expand_parts(x, all, n, 0);
    return r < 0 ? r : expand_end_field(x);
}

static struct str expand_brace_number(struct shell *sh, const struct part *b, int64_t v)
{
    char c[4];
    if (b->u.brace->chars) {
        c[0] = (char)v;
        return arena_str(&sh->arena, str_of(c, 1));
    }
    if (!b->u.brace->width) {
        char text[24];
        return arena_str(&sh->arena, str_of(text, fmt_int(text, v)));
    }
    return arena_printf(&sh->arena, "%0*lld", b->u.brace->width, (long long)v);
}

/* A range: each number in turn. What is left of the word follows it. */
static int expand_brace_range(struct expand *x, const struct part *b,
                              const struct expand_brace_list *done,
                              const struct expand_brace_list *rest)
{
    int64_t v = b->u.brace->from, to = b->u.brace->to, step = b->u.brace->step;
    bool up = v <= to;
    bool alone = !done->before && !done->n && !rest->n && !rest->before && !b->u.brace->chars;
    uint64_t many = up ? ((uint64_t)to - (uint64_t)v) / (uint64_t)(step > 0 ? step : -step)
                       : ((uint64_t)v - (uint64_t)to) / (uint64_t)(step > 0 ? step : -step);
    for (uint64_t i = 0;; i++, v += step) {
        struct str s = expand_brace_number(x->sh, b, v);
        int r;
        if (!s.p)
            return HOB_ENOMEM;
        if (alone) {
            r = (i & 1023) ? 0 : proc_tick(x->sh->proc, 1);
            if (r >= 0 && !expand_push(x->sh, x->out, s))
                r = HOB_ENOMEM;
        } else {
            struct part lit = {.kind = PART_LIT, .text = s};
            /* {Z..a} makes a backslash, which then quotes what follows and is gone. */
            if (b->u.brace->chars && *s.p == '\\')
                lit = (struct part){.kind = PART_QUOTED, .text = STR("")};
            if (b->u.brace->chars && *s.p == '`') {
                lit.kind = PART_QUOTED;
                lit.backquote = true;
            }
            struct expand_brace_list l = {done, &lit, 1};
            r = expand_brace_run(x, &l, rest);
        }
        if (r < 0)
            return r;
        if (i == many)
            return 0;
    }
}

/* Handles the first brace of what is left; `rest` is a list from the front. Words are made one by
 * one, so that the heap's cap ends what multiplies. TM-DOS-7 */
static int expand_brace_run(struct expand *x, const struct expand_brace_list *done,
                            const struct expand_brace_list *rest)
{
    if (task_stack_low(x->sh->proc->task))
        return expand_abort(x->sh);
    if (!rest)
        return expand_brace_word(x, done);
    for (int i = 0; i < rest->n; i++) {
        const struct part *b = &rest->p[i];
        if (b->kind != PART_BRACE)
            continue;
        struct expand_brace_list front = {done, rest->p, i};
        struct expand_brace_list tail = {rest->before, b + 1, rest->n - i - 1};
        if (b->u.brace->n == 0)
            return expand_brace_range(x, b, i ? &front : done, &tail);
        for (int k = 0; k < b->u.brace->n; k++) {
            const struct word *w = b->u.brace->alts[k];
            struct expand_brace_list alt = {&tail, w->parts, w->n};
            int r = expand_brace_run(x, &front, &alt);
            if (r < 0)
                return r;
        }
        return 0;
    }
    struct expand_brace_list all = {done, rest->p, rest->n};
    return expand_brace_run(x, &all, rest->before);
}

/* Reads a word again with braces that mean nothing; `head` stands before it. The word lives as long
 * as the program that is returned. */
static struct program *expand_brace_again(struct shell *sh, const struct word *w, const char *head,
                                          struct word **out)
{
    struct parse_options o = text_options(sh);
    struct parse_error err;
    struct program *prog = NULL;
    struct buf text;
    buf_init(&text, sh->heap);
    buf_addz(&text, head);
    print_word(&text, w);
    struct parser *p = sh->heap->oom ? NULL : parser_new(sh->heap, buf_get(&text), sh->line);
    parse_error_init(&err, sh->heap);
    o.no_brace = true;
    o.aliases = false;
    *out = NULL;
    if (p) {
        parser_set_options(p, &o);
        if (parser_next(p, &prog, &err) != 1)
            prog = NULL;
        parser_free(p);
    }
    struct node *n = prog ? prog->root : NULL;
    while (n && n->kind == NODE_LIST && n->u.list.n == 1)
        n = n->u.list.items[0].node;
    if (n && n->kind == NODE_SIMPLE)
        *out = n->u.simple.nwords == 2     ? n->u.simple.words[1]
               : n->u.simple.nassigns == 1 ? n->u.simple.assigns[0].value
                                           : NULL;
    parse_error_fini(&err);
    buf_fini(&text);
    return prog;
}

/* `set +B` after the word was read. */
static int expand_brace_off(struct expand *x, const struct word *w)
{
    struct program *outer = x->sh->program;
    struct word *plain;
    struct program *prog = expand_brace_again(x->sh, w, ": ", &plain);
    int r = plain ? 0 : HOB_ENOMEM;
    if (plain) {
        size_t from = x->out->n;
        x->sh->program = prog;
        r = expand_words(x->sh, &plain, 1, x->out);
        x->sh->program = outer;
        for (size_t i = from; r >= 0 && i < x->out->n; i++) {
            x->out->p[i] = arena_str(&x->sh->arena, x->out->p[i]);
            r = x->out->p[i].p ? 0 : HOB_ENOMEM;
        }
    }
    program_unref(prog);
    return r;
}

int expand_brace_value(struct shell *sh, struct word *w, struct str *out)
{
    struct program *outer = sh->program;
    struct word *plain;
    struct program *prog = expand_brace_again(sh, w, "x=", &plain);
    int r = plain ? 0 : HOB_ENOMEM;
    if (plain) {
        sh->program = prog;
        r = expand_word(sh, plain, EXPAND_NO_TILDE, out);
        sh->program = outer;
    }
    if (r >= 0) {
        *out = arena_str(&sh->arena, *out);
        r = out->p ? 0 : HOB_ENOMEM;
    }
    program_unref(prog);
    return r;
}

int expand_brace(struct expand *x, struct word *w)
{
    if (UNLIKELY(!SH_OPT(x->sh, OPT_BRACEEXPAND)))
        return expand_brace_off(x, w);
    struct expand_brace_list none = {NULL, NULL, 0}, rest = {NULL, w->parts, w->n};
    return expand_brace_run(x, &none, &rest);
}

/* awk_stmt.c -- the statements, rules and functions of an awk program */
#include "commands/awk/awk_parse.h"

#include "base/error.h"

static struct awk_node *awk_statement(struct awk_parser *p);

/* ---- simple statements ----------------------------------------------------------------------- */

static bool awk_at_end_of_statement(const struct awk_parser *p)
{
    return p->tok == AWK_T_NEWLINE || p->tok == AWK_T_CHAR + ';' || p->tok == AWK_T_CHAR + '}' ||
           p->tok == AWK_T_END;
}

static bool awk_at_redirection(const struct awk_parser *p)
{
    return p->tok == AWK_T_CHAR + '>' || p->tok == AWK_T_APPEND || p->tok == AWK_T_CHAR + '|' ||
           p->tok == AWK_T_PIPE_AMP;
}

/* What print prints: a list, perhaps in parentheses of its own. */
static bool awk_print_list(struct awk_parser *p, struct awk_node *n)
{
    struct awk_node **last = &n->a;

    if (awk_at_end_of_statement(p) || awk_at_redirection(p))
        return true;
    bool in_parens = p->tok == AWK_T_CHAR + '(';
    p->list = in_parens ? p->at : NULL;
    for (;;) {
        struct awk_node *e = awk_expr(p);
        if (!e)
            return false;
        if (in_parens && n->count == 0 && e->type == AWK_N_GROUP && e->count > 1) {
            if (!awk_at_end_of_statement(p) && !awk_at_redirection(p))
                return awk_expect(p, -1);
            n->a = e->a;
            n->count = e->count;
            return true;
        }
        if (e->type == AWK_N_GROUP && e->count > 1)
            return awk_expect(p, -1);
        *last = e;
        last = &e->next;
        if (++n->count == UINT16_MAX - 1) {
            awk_syntax(p, "too many arguments");
            return false;
        }
        if (p->tok != AWK_T_CHAR + ',')
            return true;
        awk_next_token(p);
        awk_newlines(p);
    }
}

static struct awk_node *awk_print(struct awk_parser *p)
{
    struct awk_node *n = awk_node_new(p, p->tok == AWK_T_PRINT ? AWK_N_PRINT : AWK_N_PRINTF);

    awk_next_token(p);
    if (!n)
        return NULL;
    p->no_gt = true;
    bool ok = awk_print_list(p, n);
    p->no_gt = false;
    if (!ok)
        return NULL;
    if (!awk_at_redirection(p))
        return n;
    if (p->tok == AWK_T_PIPE_AMP) {
        awk_fatal(p->a, "two-way pipes (`|&') are not supported");
        p->failed = true;
        return NULL;
    }
    n->op = p->tok == AWK_T_CHAR + '>' ? AWK_TO_FILE
            : p->tok == AWK_T_APPEND   ? AWK_TO_APPEND
                                       : AWK_TO_PIPE;
    awk_next_token(p);
    n->b = awk_expr_concat(p);
    return n->b ? n : NULL;
}

static struct awk_node *awk_delete(struct awk_parser *p)
{
    struct awk_node *n = awk_node_new(p, AWK_N_DELETE);

    awk_next_token(p);
    bool parens = awk_accept(p, AWK_T_CHAR + '(');
    if (!n || p->tok != AWK_T_NAME) {
        awk_expect(p, -1);
        return NULL;
    }
    n->a = awk_lvalue_only(p);
    if (!n->a || (parens && !awk_expect(p, AWK_T_CHAR + ')')))
        return NULL;
    return n;
}

struct awk_node *awk_simple_statement(struct awk_parser *p)
{
    if (p->tok == AWK_T_PRINT || p->tok == AWK_T_PRINTF)
        return awk_print(p);
    if (p->tok == AWK_T_DELETE)
        return awk_delete(p);
    struct awk_node *n = awk_node_new(p, AWK_N_EXPR);
    if (!n)
        return NULL;
    n->a = awk_expr(p);
    return n->a ? n : NULL;
}

/* The end of a simple statement: ; or a newline, or a } that is left where it is. */
static bool awk_terminator(struct awk_parser *p)
{
    if (p->tok == AWK_T_CHAR + '}')
        return true;
    if (p->tok == AWK_T_END)
        return awk_expect(p, -1);
    if (p->tok != AWK_T_CHAR + ';' && p->tok != AWK_T_NEWLINE)
        return awk_expect(p, -1);
    awk_next_token(p);
    return true;
}

/* ---- loops and branches ---------------------------------------------------------------------- */

static struct awk_node *awk_condition(struct awk_parser *p)
{
    if (!awk_expect(p, AWK_T_CHAR + '('))
        return NULL;
    struct awk_node *n = awk_expr(p);
    if (!n || !awk_expect(p, AWK_T_CHAR + ')'))
        return NULL;
    return n;
}

/* The statement that a loop or branch governs. */
static struct awk_node *awk_body(struct awk_parser *p)
{
    awk_newlines(p);
    if (p->tok == AWK_T_CHAR + ';') {
        awk_next_token(p);
        return awk_node_new(p, AWK_N_BLOCK);
    }
    return awk_statement(p);
}

static struct awk_node *awk_loop_body(struct awk_parser *p)
{
    p->loops++;
    struct awk_node *n = awk_body(p);
    p->loops--;
    return n;
}

static struct awk_node *awk_if(struct awk_parser *p)
{
    struct awk_node *n = awk_node_new(p, AWK_N_IF);

    awk_next_token(p);
    if (!n || !(n->a = awk_condition(p)) || !(n->b = awk_body(p)))
        return NULL;
    /* An else may stand on a later line. Looking for it costs nothing but newlines and one ;. */
    struct awk_parser saved = *p;
    awk_newlines(p);
    if (p->tok == AWK_T_CHAR + ';') {
        awk_next_token(p);
        awk_newlines(p);
    }
    if (p->tok != AWK_T_ELSE) {
        saved.buf = p->buf;
        saved.failed = p->failed;
        saved.errors = p->errors;
        if (p->tok != AWK_T_BAD)
            *p = saved;
        return n;
    }
    awk_next_token(p);
    n->c = awk_body(p);
    return n->c ? n : NULL;
}

static struct awk_node *awk_while(struct awk_parser *p)
{
    struct awk_node *n = awk_node_new(p, AWK_N_WHILE);

    awk_next_token(p);
    if (!n || !(n->a = awk_condition(p)) || !(n->b = awk_loop_body(p)))
        return NULL;
    return n;
}

static struct awk_node *awk_do(struct awk_parser *p)
{
    struct awk_node *n = awk_node_new(p, AWK_N_DO);

    awk_next_token(p);
    if (!n || !(n->b = awk_loop_body(p)))
        return NULL;
    while (p->tok == AWK_T_NEWLINE || p->tok == AWK_T_CHAR + ';')
        awk_next_token(p);
    if (!awk_expect(p, AWK_T_WHILE) || !(n->a = awk_condition(p)))
        return NULL;
    return awk_terminator(p) ? n : NULL;
}

/* for (name in array): tried first, and given up without a trace when it is something else. */
static struct awk_node *awk_for_in(struct awk_parser *p)
{
    struct awk_parser saved = *p;

    if (p->tok == AWK_T_NAME) {
        struct str name = p->text;
        awk_next_token(p);
        if (p->tok == AWK_T_IN) {
            awk_next_token(p);
            struct awk_node *n = awk_node_new(p, AWK_N_FOR_IN);
            if (n && p->tok == AWK_T_NAME) {
                struct str array = p->text;
                awk_next_token(p);
                if (p->tok == AWK_T_CHAR + ')' || p->tok == AWK_T_CHAR + '[') {
                    n->a = awk_variable(p, name);
                    n->b = awk_subscripts(p, awk_variable(p, array));
                    if (p->tok == AWK_T_CHAR + ')' && n->a && n->b)
                        return n;
                }
            }
        }
    }
    if (!p->failed) {
        saved.buf = p->buf;
        *p = saved;
    }
    return NULL;
}

static struct awk_node *awk_for(struct awk_parser *p)
{
    awk_next_token(p);
    if (!awk_expect(p, AWK_T_CHAR + '('))
        return NULL;
    struct awk_node *n = awk_for_in(p);
    if (n) {
        awk_next_token(p);
        n->d = awk_loop_body(p);
        return n->d ? n : NULL;
    }
    n = awk_node_new(p, AWK_N_FOR);
    if (!n || p->failed)
        return NULL;
    if (p->tok != AWK_T_CHAR + ';' && !(n->a = awk_simple_statement(p)))
        return NULL;
    if (!awk_expect(p, AWK_T_CHAR + ';'))
        return NULL;
    awk_newlines(p);
    if (p->tok != AWK_T_CHAR + ';' && !(n->b = awk_expr(p)))
        return NULL;
    if (!awk_expect(p, AWK_T_CHAR + ';'))
        return NULL;
    awk_newlines(p);
    if (p->tok != AWK_T_CHAR + ')' && !(n->c = awk_simple_statement(p)))
        return NULL;
    if (!awk_expect(p, AWK_T_CHAR + ')'))
        return NULL;
    n->d = awk_loop_body(p);
    return n->d ? n : NULL;
}

static struct awk_node *awk_case(struct awk_parser *p)
{
    struct awk_node *n = awk_node_new(p, AWK_N_CASE);
    bool is_default = p->tok == AWK_T_DEFAULT;

    if (!n)
        return NULL;
    if (!is_default && p->tok != AWK_T_CASE) {
        awk_expect(p, -1);
        return NULL;
    }
    awk_next_token(p);
    if (!is_default) {
        n->a = awk_expr_concat(p);
        if (!n->a)
            return NULL;
    }
    if (!awk_expect(p, AWK_T_CHAR + ':'))
        return NULL;
    struct awk_node **last = &n->b;
    for (;;) {
        while (p->tok == AWK_T_NEWLINE || p->tok == AWK_T_CHAR + ';')
            awk_next_token(p);
        if (p->tok == AWK_T_CASE || p->tok == AWK_T_DEFAULT || p->tok == AWK_T_CHAR + '}')
            return n;
        struct awk_node *s = awk_statement(p);
        if (!s)
            return NULL;
        *last = s;
        last = &s->next;
    }
}

/* Cases with the same text, from the last to the first: each is told of where it is first met. */
static void awk_case_twice(struct awk_parser *p, struct awk_node *last)
{
    char tmp[AWK_TMP];
    struct map seen;
    bool other = false;

    map_init(&seen, p->a->heap);
    for (struct awk_node *c = last; c; c = c->c) {
        struct str s = {0};
        if (!c->a && other)
            awk_mistake(p, c->line, "duplicate `default' detected in switch body");
        other |= !c->a;
        if (c->a && c->a->type == AWK_N_NUM)
            s = str_of(tmp, awk_format_num(p->a, c->a->num, NULL, true, tmp));
        else if (c->a && c->a->type == AWK_N_STR)
            s = str_of(c->a->s->p, c->a->s->n);
        else
            continue;
        if (map_get(&seen, s))
            awk_mistake(p, c->line, "duplicate case values in switch body: %.*s", STR_ARG(s));
        else if (!map_put(&seen, s))
            awk_nomem(p->a);
    }
    map_fini(&seen);
}

static struct awk_node *awk_switch(struct awk_parser *p)
{
    struct awk_node *n = awk_node_new(p, AWK_N_SWITCH);

    awk_next_token(p);
    if (!n || !(n->a = awk_condition(p)))
        return NULL;
    awk_newlines(p);
    if (!awk_expect(p, AWK_T_CHAR + '{'))
        return NULL;
    p->switches++;
    struct awk_node **last = &n->b, *before = NULL;
    for (;;) {
        while (p->tok == AWK_T_NEWLINE)
            awk_next_token(p);
        if (p->tok == AWK_T_CHAR + '}')
            break;
        struct awk_node *c = awk_case(p);
        if (!c)
            return NULL;
        *last = c;
        last = &c->next;
        c->c = before;
        before = c;
    }
    p->switches--;
    awk_case_twice(p, before);
    awk_next_token(p);
    return n;
}

/* ---- statements ------------------------------------------------------------------------------ */

static struct awk_node *awk_block(struct awk_parser *p)
{
    struct awk_node *n = awk_node_new(p, AWK_N_BLOCK), **last;

    if (!n || !awk_expect(p, AWK_T_CHAR + '{'))
        return NULL;
    last = &n->a;
    for (;;) {
        while (p->tok == AWK_T_NEWLINE || p->tok == AWK_T_CHAR + ';')
            awk_next_token(p);
        if (p->tok == AWK_T_CHAR + '}')
            break;
        struct awk_node *s = awk_statement(p);
        if (!s)
            return NULL;
        *last = s;
        last = &s->next;
    }
    awk_next_token(p);
    return n;
}

/* Words that stand alone, or with a value. */
static struct awk_node *awk_jump(struct awk_parser *p)
{
    static const struct {
        int tok, type;
    } kinds[] = {{AWK_T_BREAK, AWK_N_BREAK}, {AWK_T_CONTINUE, AWK_N_CONTINUE},
                 {AWK_T_NEXT, AWK_N_NEXT},   {AWK_T_NEXTFILE, AWK_N_NEXTFILE},
                 {AWK_T_EXIT, AWK_N_EXIT},   {AWK_T_RETURN, AWK_N_RETURN}};
    static const char *const rules[] = {"BEGIN", "", "END", "BEGINFILE", "ENDFILE"};
    int tok = p->tok, type = 0;

    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (kinds[i].tok == tok)
            type = kinds[i].type;
    }
    struct awk_node *n = awk_node_new(p, type);
    if (!n)
        return NULL;
    if (tok == AWK_T_BREAK && !p->loops && !p->switches)
        awk_mistake(p, p->at_line, "`break' is not allowed outside a loop or switch");
    if (tok == AWK_T_CONTINUE && !p->loops)
        awk_mistake(p, p->at_line, "`continue' is not allowed outside a loop");
    bool next = tok == AWK_T_NEXT && p->rule >= 0 && p->rule != AWK_MAIN;
    bool nextfile =
        tok == AWK_T_NEXTFILE && p->rule >= 0 && p->rule != AWK_MAIN && p->rule != AWK_BEGINFILE;
    if (next || nextfile)
        awk_mistake(p, p->at_line, "`%s' used in %s action", next ? "next" : "nextfile",
                    rules[p->rule]);
    if (tok == AWK_T_RETURN && !p->func) {
        awk_syntax(p, "`return' used outside function context");
        return NULL;
    }
    awk_next_token(p);
    if ((tok == AWK_T_EXIT || tok == AWK_T_RETURN) && !awk_at_end_of_statement(p)) {
        n->a = awk_expr(p);
        if (!n->a)
            return NULL;
    }
    return awk_terminator(p) ? n : NULL;
}

static struct awk_node *awk_statement(struct awk_parser *p)
{
    if (p->failed || !awk_fits(p))
        return NULL;
    switch (p->tok) {
    case AWK_T_CHAR + '{': return awk_block(p);
    case AWK_T_IF: return awk_if(p);
    case AWK_T_WHILE: return awk_while(p);
    case AWK_T_DO: return awk_do(p);
    case AWK_T_FOR: return awk_for(p);
    case AWK_T_SWITCH: return awk_switch(p);
    case AWK_T_BREAK:
    case AWK_T_CONTINUE:
    case AWK_T_NEXT:
    case AWK_T_NEXTFILE:
    case AWK_T_EXIT:
    case AWK_T_RETURN: return awk_jump(p);
    case AWK_T_CHAR + ';': awk_next_token(p); return awk_node_new(p, AWK_N_BLOCK);
    default: break;
    }
    struct awk_node *n = awk_simple_statement(p);
    return n && awk_terminator(p) ? n : NULL;
}

/* ---- functions ------------------------------------------------------------------------------- */

static bool awk_parameters(struct awk_parser *p, struct awk_func *f)
{
    struct strs names = {0};

    awk_newlines(p);
    while (p->tok != AWK_T_CHAR + ')') {
        if (p->tok != AWK_T_NAME)
            return awk_expect(p, -1);
        if (str_eq(p->text, f->name))
            awk_mistake(p, p->at_line,
                        "function `%.*s': cannot use function name as parameter name",
                        STR_ARG(f->name));
        for (size_t i = 0; i < names.n; i++) {
            if (str_eq(names.p[i], p->text))
                awk_mistake(p, p->at_line,
                            "function `%.*s': parameter #%zu, `%.*s', duplicates parameter #%zu",
                            STR_ARG(f->name), names.n + 1, STR_ARG(p->text), i + 1);
        }
        if (!proc_push(p->a->p, &names, p->text)) {
            awk_nomem(p->a);
            p->failed = true;
            return false;
        }
        awk_next_token(p);
        awk_newlines(p);
        if (p->tok == AWK_T_CHAR + ')')
            break;
        if (!awk_expect(p, AWK_T_CHAR + ','))
            return false;
        awk_newlines(p);
        if (p->tok == AWK_T_CHAR + ')')
            return awk_expect(p, -1);
    }
    f->params = names.p;
    f->nparams = (int)names.n;
    awk_next_token(p);
    return true;
}

static void awk_function(struct awk_parser *p)
{
    awk_next_token(p);
    if (p->tok != AWK_T_FUNC_NAME && p->tok != AWK_T_NAME) {
        awk_expect(p, -1);
        return;
    }
    int i = awk_function_named(p->a, p->text);
    if (i < 0) {
        struct awk_func f = {.name = p->text};
        i = (int)p->a->funcs.n;
        if (!vec_push(p->a->heap, &p->a->funcs, f)) {
            awk_nomem(p->a);
            p->failed = true;
            return;
        }
    }
    if (p->a->funcs.p[i].defined || map_get(&p->a->names, p->text)) {
        awk_mistake(p, p->at_line, "function name `%.*s' previously defined", STR_ARG(p->text));
    }
    struct awk_func *f = &p->a->funcs.p[i];
    f->defined = true;
    f->line = p->at_line;
    f->source = p->source->name;
    awk_next_token(p);
    if (!awk_expect(p, AWK_T_CHAR + '(') || !awk_parameters(p, f))
        return;
    awk_newlines(p);
    p->func = f;
    p->func_index = i;
    p->rule = -1;
    struct awk_node *body = awk_block(p);
    p->a->funcs.p[i].body = body;
    p->func = NULL;
}

/* ---- rules ----------------------------------------------------------------------------------- */

static void awk_add_rule(struct awk_parser *p, int when, struct awk_rule *r)
{
    struct awk *a = p->a;

    if (!a->rules_last[when])
        a->rules_last[when] = &a->rules[when];
    *a->rules_last[when] = r;
    a->rules_last[when] = &r->next;
}

static void awk_special_rule(struct awk_parser *p, struct awk_rule *r)
{
    static const char *const names[] = {"BEGIN", "", "END", "BEGINFILE", "ENDFILE"};
    int when = p->tok == AWK_T_BEGIN       ? AWK_BEGIN
               : p->tok == AWK_T_END_RULE  ? AWK_END
               : p->tok == AWK_T_BEGINFILE ? AWK_BEGINFILE
                                           : AWK_ENDFILE;

    awk_next_token(p);
    if (p->tok != AWK_T_CHAR + '{') {
        if (p->tok == AWK_T_NEWLINE || p->tok == AWK_T_END || p->tok == AWK_T_CHAR + ';') {
            struct buf b;
            buf_init(&b, p->a->heap);
            buf_printf(&b, "%.*s: ", STR_ARG(p->a->p->name));
            awk_source_name(&b, p->source->name, p->at_line);
            buf_printf(&b, ": %s blocks must have an action part\n", names[when]);
            proc_puts(p->a->p, 2, buf_get(&b));
            buf_fini(&b);
            p->errors++;
            p->failed = true;
        } else {
            awk_expect(p, -1);
        }
        return;
    }
    p->rule = when;
    r->body = awk_block(p);
    awk_add_rule(p, when, r);
}

static void awk_rule(struct awk_parser *p)
{
    struct awk_rule *r = arena_new(p->a->p->arena, struct awk_rule);

    if (!r) {
        awk_nomem(p->a);
        p->failed = true;
        return;
    }
    r->line = p->at_line;
    r->source = p->source->name;
    if (p->tok == AWK_T_BEGIN || p->tok == AWK_T_END_RULE || p->tok == AWK_T_BEGINFILE ||
        p->tok == AWK_T_ENDFILE) {
        awk_special_rule(p, r);
        return;
    }
    p->rule = AWK_MAIN;
    if (p->tok != AWK_T_CHAR + '{') {
        r->from = awk_expr(p);
        if (r->from && p->tok == AWK_T_CHAR + ',') {
            awk_next_token(p);
            awk_newlines(p);
            r->to = awk_expr(p);
            if (!r->to)
                return;
            r->range = (int)p->a->ranges.n;
            if (!vec_push(p->a->heap, &p->a->ranges, false)) {
                awk_nomem(p->a);
                p->failed = true;
            }
        }
        if (!r->from)
            return;
    }
    if (p->tok == AWK_T_CHAR + '{') {
        r->body = awk_block(p);
    } else if (p->tok != AWK_T_NEWLINE && p->tok != AWK_T_CHAR + ';' && p->tok != AWK_T_END) {
        awk_expect(p, -1);
        return;
    }
    awk_add_rule(p, AWK_MAIN, r);
}

/* ---- sources --------------------------------------------------------------------------------- */

static void awk_parse_source(struct awk_parser *p, struct awk_source *s);

/* A file with program text: as it is named, on AWKPATH, or with .awk behind. */
static int awk_open_source(struct awk *a, struct str name, struct str *found, struct str *text)
{
    struct str path = STR(".:/usr/local/share/awk");
    struct in in;
    int e;

    proc_getenv(a->p, STR("AWKPATH"), &path);
    for (int suffix = 0; suffix < 2; suffix++) {
        struct str rest = str_chr(name, '/') >= 0 ? STR(".") : path;
        for (bool more = true; more;) {
            ptrdiff_t colon = str_chr(rest, ':');
            struct str dir = str_sub(rest, 0, colon < 0 ? rest.n : (size_t)colon);
            more = colon >= 0;
            rest = str_from(rest, dir.n + 1);
            bool here = dir.n == 0 || str_eqz(dir, ".");
            *found = arena_printf(a->p->arena, "%.*s%s%.*s%s", here ? 0 : (int)dir.n, dir.p,
                                  here ? "" : "/", STR_ARG(name), suffix ? ".awk" : "");
            if (!found->p)
                return HOB_ENOMEM;
            e = in_open_quiet(&in, a->p, *found);
            if (e == 0) {
                e = in_all(&in, text);
                in_fini(&in);
                return e;
            }
        }
    }
    return HOB_ENOENT;
}

static void awk_include(struct awk_parser *p)
{
    struct awk_parser outer;

    awk_next_token(p);
    if (p->tok != AWK_T_STRING) {
        awk_expect(p, -1);
        return;
    }
    struct str name = awk_keep(p, p->text), found = STR_NONE, text = STR_NONE;
    int e = awk_open_source(p->a, name, &found, &text);
    if (e < 0) {
        awk_mistake(p, p->at_line, "cannot open source file `%.*s' for reading: %s", STR_ARG(name),
                    error_text(e));
        p->failed = true;
        return;
    }
    for (struct awk_source *s = p->a->sources; s; s = s->next) {
        if (s->done && s->name.p && str_eq(s->name, found)) {
            awk_next_token(p);
            return;
        }
    }
    struct awk_source *s = arena_new(p->a->p->arena, struct awk_source);
    if (!s || !awk_fits(p)) {
        p->failed = true;
        return;
    }
    s->name = found;
    s->text = text;
    s->done = true;
    *p->a->sources_last = s;
    p->a->sources_last = &s->next;
    outer = *p;
    awk_parse_source(p, s);
    outer.failed = p->failed;
    outer.errors = p->errors;
    outer.buf = p->buf;
    *p = outer;
    awk_next_token(p);
}

static void awk_parse_source(struct awk_parser *p, struct awk_source *s)
{
    awk_lex_open(p, s);
    awk_next_token(p);
    while (!p->failed && !p->a->err) {
        while (p->tok == AWK_T_NEWLINE)
            awk_next_token(p);
        if (p->tok == AWK_T_END)
            return;
        if (p->tok == AWK_T_INCLUDE) {
            awk_include(p);
            continue;
        }
        if (p->tok == AWK_T_LOAD || p->tok == AWK_T_NAMESPACE) {
            bool load = p->tok == AWK_T_LOAD;
            awk_next_token(p);
            if (load)
                awk_mistake(p, p->at_line, "@load: there are no dynamic libraries here");
            if (p->tok == AWK_T_STRING)
                awk_next_token(p);
            continue;
        }
        if (p->tok == AWK_T_FUNCTION)
            awk_function(p);
        else
            awk_rule(p);
        if (!p->failed && p->tok == AWK_T_CHAR + ';')
            awk_next_token(p);
    }
}

void awk_parse(struct awk *a)
{
    struct awk_parser p = {.a = a, .rule = -1};

    buf_init(&p.buf, a->heap);
    /* Files that are included join the list while it is walked; they are done already. */
    for (struct awk_source *s = a->sources; s && !p.failed; s = s->next) {
        if (s->done)
            continue;
        s->done = true;
        if (!s->text.p) {
            struct str found;
            int e = str_eqz(s->name, "-") ? 0 : awk_open_source(a, s->name, &found, &s->text);
            if (e < 0) {
                proc_printf_err(a->p,
                                "%.*s: fatal: cannot open source file `%.*s' for reading: %s\n",
                                STR_ARG(a->p->name), STR_ARG(s->name), error_text(e));
                a->err = AWK_FATAL + 1;
                break;
            }
            if (str_eqz(s->name, "-")) {
                struct in in;
                in_init(&in, a->p, 0);
                e = in_all(&in, &s->text);
                in_fini(&in);
                if (e < 0)
                    a->err = e;
            } else {
                s->name = found;
            }
        }
        if (!a->err)
            awk_parse_source(&p, s);
    }
    buf_fini(&p.buf);
    if (!a->err && p.errors)
        a->err = 1 + 1;
}

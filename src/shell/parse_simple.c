/* parse_simple.c -- simple commands: assignments, words, redirections */
#include "shell/lex.h"

/* ---- redirections --------------------------------------------------------------------------- */

static const struct {
    char text[4];
    uint8_t op;
} parse_redir_ops[] = {
    {"&>>", REDIR_BOTHAPP}, {"&>", REDIR_BOTH},    {"<<<", REDIR_HERESTR}, {"<<", REDIR_HEREDOC},
    {"<&", REDIR_DUPIN},    {"<>", REDIR_RDWR},    {"<", REDIR_IN},        {">>", REDIR_APPEND},
    {">&", REDIR_DUPOUT},   {">|", REDIR_CLOBBER}, {">", REDIR_OUT},
};

/* Bytes of the operator `op` at the cursor, 0 if it is not there. Continued lines may stand between
 * its characters. */
static size_t parse_redir_size(const struct parser *p, const char *op)
{
    size_t n = 0;
    for (size_t i = 0; op[i]; i++, n++) {
        while (i && lex_ahead(p, n) == '\\' && lex_ahead(p, n + 1) == '\n')
            n += 2;
        if (lex_ahead(p, n) != op[i])
            return 0;
    }
    return n;
}

/* The number or {name} in front of the operator. */
static bool parse_redir_prefix(struct parser *p, struct redir *r)
{
    const char *e = p->at;
    r->fd = -1;
    if (*e == '{') {
        e = memchr(e, '}', (size_t)(p->end - e));
        r->var = lex_keep(p, str_of(p->at + 1, (size_t)(e - p->at - 1)));
        p->at = e + 1;
    } else if (*e >= '0' && *e <= '9') {
        for (r->fd = 0; *e >= '0' && *e <= '9'; e++)
            r->fd = r->fd * 10 + (*e - '0');
        p->at = e;
    }
    return !p->fail;
}

/* Whether the word names a descriptor, so that >& duplicates: N, N- or -. */
static bool parse_redir_is_fd(const struct word *w)
{
    if (!(w->flags & WORD_STATIC))
        return true;
    size_t n = w->lit.n, i = 0;
    while (i < n && w->lit.p[i] >= '0' && w->lit.p[i] <= '9')
        i++;
    return i == n || (i + 1 == n && w->lit.p[i] == '-');
}

/* At a redirection: reads it and leaves it on its stack. */
bool parse_redir(struct parser *p)
{
    struct redir r = {.line = p->line};
    if (!parse_redir_prefix(p, &r))
        return false;
    size_t i = 0, size;
    while ((size = parse_redir_size(p, parse_redir_ops[i].text)) == 0 &&
           i + 1 < COUNT(parse_redir_ops))
        i++;
    r.op = parse_redir_ops[i].op;
    for (; size; size--)
        p->line += *p->at++ == '\n';
    if (r.op == REDIR_HEREDOC && lex_ahead(p, 0) == '-') {
        r.strip = true;
        p->at++;
    }
    bool dup = r.op == REDIR_DUPIN || r.op == REDIR_DUPOUT;
    bool literal = r.op == REDIR_HEREDOC || r.op == REDIR_HERESTR;
    enum lex_token t = lex_peek(p);
    struct word *w;
    if (t != LEX_WORD && !(dup && t == LEX_REDIR && *p->at >= '0' && *p->at <= '9'))
        return lex_unexpected(p);
    if (dup && *p->at == '-') {
        p->at++; /* a token by itself */
        w = parse_word_static(p, STR("-"), STR("-"), PART_LIT);
    } else {
        w = parse_word_read(p, r.op == REDIR_HERESTR ? PARSE_WORD_NOBRACE | PARSE_WORD_VALUE
                               : literal             ? PARSE_WORD_NOBRACE
                                                     : 0);
    }
    if (!w)
        return false;
    r.word = w;
    if (r.op == REDIR_DUPOUT && r.fd < 0 && !r.var.p && !parse_redir_is_fd(w))
        r.op = REDIR_BOTH, r.amp_behind = true;
    if (r.op == REDIR_HEREDOC && !parse_heredoc_add(p, &r, w))
        return false;
    struct redir *to = lex_push(p, &p->redirs, sizeof *to);
    if (to)
        *to = r;
    return to != NULL;
}

bool parse_redirs_end(struct parser *p, struct node *n, size_t base)
{
    n->nredirs = (int)((p->redirs.n - base) / sizeof(struct redir));
    n->redirs = lex_pop(p, &p->redirs, base);
    return !p->fail;
}

/* ---- assignments ---------------------------------------------------------------------------- */

enum {
    PARSE_SUBSCRIPT = 1 << 16
}; /* the longest index that is looked through for its ] */

/* Behind the [ at `at`: the byte after the matching ], or NULL. Where blanks may stand in it, bash
 * insists on the ]. */
static const char *parse_subscript_end(struct parser *p, const char *at, bool blanks)
{
    const char *end = p->end - at > PARSE_SUBSCRIPT ? at + PARSE_SUBSCRIPT : p->end;
    const char *from = at;
    char quote = '\0';
    bool ansi = false;
    int depth = 1, inner = 0; /* inner: open ${ and $( */
    for (; at < end; at++) {
        if (*at == '\\' && (quote != '\'' || ansi)) {
            at++;
        } else if (quote) {
            quote = *at == quote ? '\0' : quote;
        } else if (*at == '\'' || *at == '"' || *at == '`') {
            quote = *at;
            ansi = at[-1] == '$';
        } else if (*at == '$' && at + 1 < end && (at[1] == '{' || at[1] == '(')) {
            inner++;
            at++;
        } else if (inner) {
            inner -= *at == '}' || *at == ')';
        } else if (*at == '[') {
            depth++;
        } else if (*at == ']' && --depth == 0) {
            return at + 1;
        } else if (!blanks && (*at == ' ' || *at == '\t' || *at == '\n')) {
            return NULL;
        }
    }
    if (blanks && end == p->end) { /* what is open in it comes first */
        int line = p->line;
        p->at = from;
        parse_param_index(p, "]");
        lex_unexpected_end(p, line, ']');
    }
    return NULL;
}

/* The = of an assignment that begins at the cursor, NULL if none does. *sub is its [, if any. An
 * element of an array may have an index without a name. */
static const char *parse_assign_find(struct parser *p, const char **sub, bool blanks, bool element)
{
    const char *e = element ? p->at : lex_name_end(p->at, p->end);
    *sub = NULL;
    if (e == p->end || (e == p->at && !element))
        return NULL;
    if (*e == '[') {
        *sub = e;
        e = parse_subscript_end(p, e + 1, blanks);
        if (!e)
            return NULL;
    } else if (element) {
        return NULL;
    }
    if (e < p->end && *e == '+')
        e++;
    return e < p->end && *e == '=' ? e : NULL;
}

/* The index between [ and ], as a word of its own. */
static struct word *parse_assign_index(struct parser *p, const char *sub)
{
    size_t src = p->src.n, subs = p->subs.n;
    p->at = sub + 1;
    struct word *w = parse_param_index(p, "]");
    buf_cut(&p->src, src);
    p->subs.n = subs;
    if (w && (!lex_more(p) || *p->at != ']'))
        return lex_unexpected_end(p, p->line, ']'), NULL;
    p->at += w != NULL;
    return w;
}

/* The value behind =; NULL without a failure: it is empty. */
static struct word *parse_assign_value(struct parser *p, int mode)
{
    if (!lex_more(p))
        return NULL;
    char c = *p->at;
    if ((lex_class[(uint8_t)c] & LEX_C_META) &&
        !((c == '<' || c == '>') && lex_ahead(p, 1) == '(') && !(mode & PARSE_WORD_LIST))
        return NULL;
    return parse_word_read(p, mode);
}

/* An element whose value holds a brace expansion is a plain word, index and all. */
static struct word *parse_element_braced(struct parser *p, const struct element *e)
{
    struct parse_seq q;
    parse_word_begin(p, &q, 0);
    q.flags = e->value->flags;
    buf_putc(&p->txt, '[');
    buf_str(&p->txt, e->index->src);
    buf_addz(&p->txt, e->append ? "]+=" : "]=");
    buf_str(&p->src, lex_text(&p->txt, q.txt));
    buf_str(&p->src, e->value->src);
    if (!parse_word_flush(p, &q, PART_LIT))
        return NULL;
    for (int i = 0; i < e->value->n; i++) {
        struct part *t = parse_word_part(p, PART_LIT);
        if (!t)
            return NULL;
        *t = e->value->parts[i];
    }
    struct word *w = parse_word_end(p, &q, true, true);
    buf_cut(&p->src, q.src);
    return w;
}

/* What bash shows of an element that cannot be expanded. */
static void parse_element_bad(struct parser *p, struct element *e)
{
    for (int i = 0; !p->fail && e->value && i < e->value->n; i++) {
        struct part *t = &e->value->parts[i];
        if (t->kind != PART_PARAM || t->u.param->op != PARAM_BAD)
            continue;
        bool whole = t->u.param->at == PARAM_BAD_WHOLE;
        t->text = arena_printf(
            p->arena, "%s\\[%.*s\\]%s=%.*s", whole ? "bad substitution: no closing `}' in " : "",
            STR_ARG(e->index->src), e->append ? "+" : "", STR_ARG(e->value->src));
        if (!whole)
            e->bad = t->text;
    }
}

static bool parse_element(struct parser *p, struct element *e)
{
    const char *sub, *eq = *p->at == '[' ? parse_assign_find(p, &sub, true, true) : NULL;
    if (eq) {
        if (!(e->index = parse_assign_index(p, sub)))
            return false;
        e->append = eq[-1] == '+';
        if (p->at + e->append != eq)
            return lex_unexpected_end(p, p->line, ']');
        p->at = eq + 1;
        e->value = parse_assign_value(p, PARSE_WORD_VALUE);
        parse_element_bad(p, e);
        if (!p->fail && e->value && (e->value->flags & WORD_BRACE)) {
            e->braced = parse_element_braced(p, e);
        }
    } else {
        e->value = parse_word_read(p, PARSE_WORD_ELEMENT);
    }
    return !p->fail;
}

/* 2<(..) is a word where no redirection may stand. */
static bool parse_number_word(const struct parser *p)
{
    size_t n = 0;
    while (lex_ahead(p, n) >= '0' && lex_ahead(p, n) <= '9')
        n++;
    return n && (lex_ahead(p, n) == '<' || lex_ahead(p, n) == '>') && lex_ahead(p, n + 1) == '(';
}

/* Behind name=: the ( and the elements up to its ). */
static bool parse_assign_array(struct parser *p, struct assign *a)
{
    size_t base = p->stack.n;
    int line = p->line;
    p->at++;
    a->array = true;
    for (;;) {
        enum lex_token t = lex_peek(p);
        if (t == LEX_NEWLINE && p->at < p->end) {
            p->at++;
            p->line++;
            continue;
        }
        if (t == LEX_RPAREN)
            break;
        if (p->at == p->end) {
            lex_unexpected_end(p, line, ')');
            p->err->status = 1;
            p->err->keep = false;
            return false;
        }
        if (t != LEX_WORD && !parse_number_word(p)) {
            lex_unexpected(p);
            p->err->status = 1;
            return false;
        }
        struct element e = {0}, *to;
        if (!parse_element(p, &e)) {
            if (p->fail == HOB_ESYNTAX && p->err->incomplete) {
                lex_error_more(p, lex_last_line(p),
                               p->comsub ? "unexpected EOF while looking for matching `)'"
                                         : "syntax error: unexpected end of file");
                p->err->status = 1;
                p->err->keep = false;
            }
            return false;
        }
        if (!(to = lex_push(p, &p->stack, sizeof *to)))
            return false;
        *to = e;
    }
    p->at++;
    a->nelems = (int)((p->stack.n - base) / sizeof(struct element));
    a->elems = lex_pop(p, &p->stack, base);
    return !p->fail;
}

/* Behind the ) of an array: whether the word goes on. Not looked at where something in it runs
 * commands, because those are not read twice. */
static bool parse_assign_goes_on(struct parser *p, const char *from)
{
    if (p->at == p->end || (lex_class[(uint8_t)*p->at] & LEX_C_META))
        return false;
    if (*p->at == '\\' && lex_ahead(p, 1) == '\n')
        return false;
    for (const char *q = from; q < p->at; q++)
        if (*q == '`' || (*q == '(' && q > from && (q[-1] == '$' || q[-1] == '<' || q[-1] == '>')))
            return false;
    return true;
}

/* The assignment whose = is at eq. */
static bool parse_assign_read(struct parser *p, struct assign *a, const char *sub, const char *eq,
                              int mode)
{
    const char *end = sub ? sub : eq - (eq[-1] == '+');
    a->line = p->line;
    a->append = eq[-1] == '+';
    a->name = lex_keep(p, str_of(p->at, (size_t)(end - p->at)));
    if (sub && !(a->index = parse_assign_index(p, sub)))
        return false;
    if (sub && p->at + a->append != eq) /* quotes in it were not what they seemed */
        return lex_unexpected_end(p, a->line, ']');
    p->at = eq + 1;
    if (lex_more(p) && *p->at == '(') {
        const char *from = p->at;
        int line = p->line;
        struct lex_frame *frames = p->frames;
        if (!parse_assign_array(p, a))
            return false;
        if (p->frames != frames || !parse_assign_goes_on(p, from))
            return true;
        p->at = from; /* a=(1 2)x: no array, the word is text with its parentheses */
        p->line = line;
        a->array = false;
        a->elems = NULL;
        a->nelems = 0;
        mode |= PARSE_WORD_LIST;
    }
    a->value = parse_assign_value(p, mode);
    return !p->fail;
}

/* 1: an assignment was read, 0: there is none, -1: failed. */
static int parse_assign(struct parser *p)
{
    const char *sub, *eq = parse_assign_find(p, &sub, true, false);
    struct assign a = {0}, *to;
    if (!eq)
        return p->fail ? -1 : 0;
    if (!parse_assign_read(p, &a, sub, eq, PARSE_WORD_VALUE | PARSE_WORD_NOBRACE) ||
        !(to = lex_push(p, &p->assigns, sizeof *to)))
        return -1;
    *to = a;
    return 1;
}

/* ---- arguments of declaration builtins ------------------------------------------------------ */

static bool parse_decl_copy(struct parser *p, struct parse_seq *q, const struct word *w)
{
    if (!w)
        return true;
    size_t src = p->src.n;
    buf_str(&p->src, w->src);
    q->flags |= w->flags & (WORD_QUOTED | WORD_BRACE);
    for (int i = 0; i < w->n; i++) {
        struct part *t = parse_word_part(p, 0);
        if (!t)
            return false;
        *t = w->parts[i];
    }
    for (int i = 0; i < w->nsubs; i++) {
        struct word_sub *s = lex_push(p, &p->subs, sizeof *s);
        if (!s)
            return false;
        *s = w->subs[i];
        s->at += src;
    }
    return true;
}

static bool parse_decl_text(struct parser *p, struct parse_seq *q, const char *text)
{
    buf_addz(&p->txt, text);
    buf_addz(&p->src, text);
    return parse_word_flush(p, q, PART_LIT);
}

/* The whole word again, from the assignment it was taken apart into. */
static struct word *parse_decl_join(struct parser *p, struct parse_seq *q, const struct assign *a)
{
    buf_str(&p->txt, a->name);
    buf_str(&p->src, a->name);
    if (a->index && (!parse_decl_text(p, q, "[") || !parse_decl_copy(p, q, a->index)))
        return NULL;
    if (a->index)
        buf_putc(&p->txt, ']'), buf_putc(&p->src, ']');
    if (!parse_decl_text(p, q, a->append ? "+=" : "=") || !parse_decl_copy(p, q, a->value))
        return NULL;
    return parse_word_end(p, q, true, true);
}

/* name=value as an argument of declare and its like, NULL without a failure if it is none. */
static struct word *parse_decl_word(struct parser *p)
{
    const char *sub, *eq = parse_assign_find(p, &sub, false, false);
    struct parse_seq q;
    if (!eq)
        return NULL;
    struct assign *a = arena_new(p->arena, struct assign);
    if (!a)
        return lex_nomem(p), NULL;
    if (!parse_assign_read(p, a, sub, eq, PARSE_WORD_VALUE))
        return NULL;
    parse_word_begin(p, &q, 0);
    struct word *w = parse_decl_join(p, &q, a);
    buf_cut(&p->src, q.src);
    p->subs.n = q.subs;
    for (int i = 0; w && i < w->n; i++) /* messages show the whole word */
        if (w->parts[i].kind == PART_PARAM && w->parts[i].u.param->op == PARAM_BAD)
            w->parts[i].text = w->src;
    if (w && !(w->flags & WORD_BRACE)) {
        w->flags |= WORD_ASSIGN | (a->array ? WORD_ARRAY : 0);
        w->assign = a;
    }
    return w;
}

/* ---- simple commands ------------------------------------------------------------------------ */

enum {
    PARSE_ARGS_PLAIN,
    PARSE_ARGS_DECL,
    PARSE_ARGS_BEHIND, /* the same behind `command` in posix mode, but for name=(..) */
    PARSE_ARGS_COMMAND,
    PARSE_ARGS_TEXT
};

/* What the command word says about its arguments. */
static int parse_args_kind(const struct word *w)
{
    static const struct {
        char name[9];
        uint8_t kind;
    } names[] = {{"declare", PARSE_ARGS_DECL},   {"typeset", PARSE_ARGS_DECL},
                 {"local", PARSE_ARGS_DECL},     {"export", PARSE_ARGS_DECL},
                 {"readonly", PARSE_ARGS_DECL},  {"eval", PARSE_ARGS_TEXT},
                 {"alias", PARSE_ARGS_DECL},     {"let", PARSE_ARGS_TEXT},
                 {"command", PARSE_ARGS_COMMAND}};
    if (!(w->flags & WORD_STATIC) || w->flags & WORD_QUOTED || w->lit.n > 8)
        return PARSE_ARGS_PLAIN;
    for (size_t i = 0; i < COUNT(names); i++)
        if (names[i].name[0] == w->lit.p[0] && str_eqz(w->lit, names[i].name))
            return names[i].kind;
    return PARSE_ARGS_PLAIN;
}

static struct word *parse_argument(struct parser *p, int kind)
{
    int mode = p->opt.posix ? 0 : PARSE_WORD_ASSIGN;
    const char *sub, *eq;
    if (kind == PARSE_ARGS_DECL ||
        (kind == PARSE_ARGS_BEHIND && (eq = parse_assign_find(p, &sub, false, false)) &&
         eq + 1 < p->end && eq[1] != '(')) {
        struct word *w = parse_decl_word(p);
        if (w || p->fail)
            return w;
    } else if (kind == PARSE_ARGS_TEXT) {
        eq = parse_assign_find(p, &sub, false, false);
        if (eq && eq + 1 < p->end && eq[1] == '(')
            mode |= PARSE_WORD_LIST; /* eval a=(1 2): the text goes on to its ) */
    }
    return parse_word_read(p, mode);
}

/* One word of the command. 1: go on, 0: the command ends, -1: failed. */
static int parse_simple_word(struct parser *p, struct node *n, int *kind)
{
    bool first = n->u.simple.nwords == 0;
    if (first) {
        int r = parse_assign(p);
        if (r != 0)
            return r;
        if ((p->assigns.n || p->redirs.n) && lex_alias(p))
            return 1;
    } else if (p->alias_next && lex_alias(p)) {
        p->alias_next = true; /* its first word may be one again */
        return 1;
    }
    p->alias_next = false;
    struct word *w =
        first ? parse_word_read(p, PARSE_WORD_COMMAND | (p->opt.posix ? 0 : PARSE_WORD_ASSIGN))
              : parse_argument(p, *kind);
    struct word **to = w ? lex_push(p, &p->stack, sizeof *to) : NULL;
    if (!to)
        return -1;
    *to = w;
    if (first)
        *kind = parse_args_kind(w);
    else if (*kind == PARSE_ARGS_COMMAND && p->opt.posix)
        switch (parse_args_kind(w)) {
        case PARSE_ARGS_DECL: *kind = PARSE_ARGS_BEHIND; break;
        case PARSE_ARGS_COMMAND: break;
        default: *kind = PARSE_ARGS_PLAIN;
        }
    n->u.simple.nwords++;
    return 1;
}

/* A word and then "(": the head of a function. */
static struct node *parse_simple_function(struct parser *p, const struct word *name, int line)
{
    lex_take(p);
    if (lex_peek(p) != LEX_RPAREN)
        return lex_unexpected(p), NULL;
    lex_take(p);
    return parse_function(p, name, false, line);
}

struct node *parse_simple(struct parser *p)
{
    size_t words = p->stack.n, redirs = p->redirs.n, assigns = p->assigns.n;
    struct node *n = parse_node(p, NODE_SIMPLE, p->line);
    int kind = PARSE_ARGS_PLAIN, count = 0;
    if (!n)
        return NULL;
    for (;; count++) {
        enum lex_token t = lex_peek(p);
        bool bare = p->redirs.n == redirs && p->assigns.n == assigns;
        if (t == LEX_LPAREN && n->u.simple.nwords == 1 && bare) {
            struct word *name = *(struct word **)(void *)(p->stack.p + words);
            p->stack.n = words;
            return parse_simple_function(p, name, n->line);
        }
        /* bash takes the line where it stands after two tokens, or after one if that is no word,
         * because only then it knows that this is no function. */
        if (count == 1 && n->u.simple.nwords && t != LEX_WORD)
            n->line = p->line;
        if (t != LEX_REDIR && t != LEX_WORD)
            break;
        if (t == LEX_REDIR ? !parse_redir(p) : parse_simple_word(p, n, &kind) < 0)
            return NULL;
        if (t == LEX_REDIR && n->u.simple.nwords) /* no name=(..) behind it */
            kind = kind == PARSE_ARGS_DECL   ? PARSE_ARGS_BEHIND
                   : kind == PARSE_ARGS_TEXT ? PARSE_ARGS_PLAIN
                                             : kind;
        if (count == 0 ? !n->u.simple.nwords : count == 1 && n->u.simple.nwords == 2)
            n->line = p->line;
    }
    n->line_end = p->line;
    n->u.simple.words = lex_pop(p, &p->stack, words);
    n->u.simple.nassigns = (int)((p->assigns.n - assigns) / sizeof(struct assign));
    n->u.simple.assigns = lex_pop(p, &p->assigns, assigns);
    return parse_redirs_end(p, n, redirs) ? n : NULL;
}

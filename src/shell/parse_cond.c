/* parse_cond.c -- [[ ... ]]: a grammar of its own, with words of its own */
#include "shell/lex.h"

static struct cond *parse_cond_or(struct parser *p, int line);

/* [[ errors leave $? as it is: bash reports them from inside its lexer. */
static struct cond *parse_cond_error(struct parser *p, int line, const char *before,
                                     const char *behind)
{
    struct buf name;
    bool named = lex_peek(p) != LEX_WORD || lex_is_plain(p, "]]");
    buf_init(&name, p->heap);
    bool end = p->at == p->end;
    lex_token_text(p, &name);
    if (!p->fail) {
        lex_error(p, line, end ? 2 : p->comsub ? 127 : 0, "%s", before);
        p->err->incomplete = end;
        p->err->keep = end || !p->comsub;
        if (named) {
            buf_addz(&p->err->msg, " `");
            buf_str(&p->err->msg, buf_get(&name));
            buf_addz(&p->err->msg, "'");
        }
        buf_addz(&p->err->msg, behind);
    }
    buf_fini(&name);
    return NULL;
}

/* A word of it. When the text ends inside of it, bash adds a line of its own. */
static struct word *parse_cond_read(struct parser *p, int mode, const char *more)
{
    struct word *w = parse_word_read(p, mode);
    if (!w && p->fail == HOB_ESYNTAX && p->err->incomplete)
        lex_error_more(p, lex_last_line(p), more);
    return w;
}

static struct cond *parse_cond_new(struct parser *p, int op)
{
    struct cond *c = arena_new(p->arena, struct cond);
    if (c)
        c->op = (uint8_t)op;
    else
        lex_nomem(p);
    return c;
}

static bool parse_cond_unary(struct str s)
{
    return s.n == 2 && s.p[0] == '-' && s.p[1] && strchr("abcdefghknoprstuvwxzGLNORS", s.p[1]);
}

static bool parse_cond_binary(struct str s)
{
    static const char *const ops[] = {"=",   "==",  "!=",  "-nt", "-ot", "-ef", "-eq",
                                      "-ne", "-lt", "-le", "-gt", "-ge", "<",   ">"};
    for (size_t i = 0; i < COUNT(ops); i++)
        if (str_eqz(s, ops[i]))
            return true;
    return false;
}

static bool parse_cond_closes(struct parser *p)
{
    return lex_peek(p) == LEX_WORD && lex_is_plain(p, "]]");
}

/* A word, and nothing that only looks like one. A number before < is no redirection here. */
static bool parse_cond_is_word(struct parser *p)
{
    enum lex_token t = lex_peek(p);
    if (t == LEX_REDIR)
        return *p->at != '<' && *p->at != '>' && *p->at != '&';
    return t == LEX_WORD && !lex_is_plain(p, "]]");
}

/* Behind the left operand and the operator. */
static struct cond *parse_cond_right(struct parser *p, struct cond *c)
{
    bool regex = str_eqz(c->name, "=~");
    bool pattern = str_eqz(c->name, "=") || str_eqz(c->name, "==") || str_eqz(c->name, "!=");
    int mode =
        PARSE_WORD_NOBRACE | (pattern ? PARSE_WORD_EXTGLOB : 0) | (regex ? PARSE_WORD_REGEX : 0);
    c->op = COND_BINARY;
    enum lex_token t = lex_peek(p);
    /* A regular expression may begin with ( and |, and is empty before another operator. */
    bool odd = regex && t != LEX_WORD && t != LEX_NEWLINE && t != LEX_END;
    if (!parse_cond_is_word(p) && !odd)
        return parse_cond_error(p, p->line, "unexpected argument",
                                " to conditional binary operator");
    c->b = parse_cond_read(p, mode, "unexpected argument to conditional binary operator");
    return c->b ? c : NULL;
}

/* Behind a word: an operator, or the word stands alone. */
static struct cond *parse_cond_operator(struct parser *p, struct cond *c)
{
    enum lex_token t = lex_peek(p);
    if (t == LEX_AND || t == LEX_OR || t == LEX_RPAREN || parse_cond_closes(p)) {
        c->op = COND_WORD;
        return c;
    }
    if (t == LEX_REDIR && (*p->at == '<' || *p->at == '>') && lex_ahead(p, 1) != *p->at &&
        lex_ahead(p, 1) != '&') {
        c->name = *p->at == '<' ? STR("<") : STR(">");
        p->at++;
        return parse_cond_right(p, c);
    }
    const char *end = lex_word_end(p);
    if (t == LEX_WORD && end) {
        struct str op = str_of(p->at, (size_t)(end - p->at));
        if (parse_cond_binary(op) || str_eqz(op, "=~")) {
            c->name = lex_keep(p, op);
            p->at = end;
            return parse_cond_right(p, c);
        }
    }
    if (t == LEX_WORD)
        return parse_cond_error(p, p->line, "conditional binary operator expected", "");
    return parse_cond_error(p, p->line, "unexpected token",
                            ", conditional binary operator expected");
}

static struct cond *parse_cond_paren(struct parser *p, int line)
{
    struct cond *c = parse_cond_new(p, COND_PAREN);
    lex_take(p);
    if (!c || !(c->left = parse_cond_or(p, line))) {
        lex_error_more(p, line, "expected `)'");
        return NULL;
    }
    if (lex_peek(p) != LEX_RPAREN) {
        if (lex_peek(p) == LEX_WORD && !parse_cond_closes(p))
            return parse_cond_error(p, line, "expected `)'", "");
        return parse_cond_error(p, line, "unexpected token", ", expected `)'");
    }
    lex_take(p);
    lex_newlines(p);
    return p->fail ? NULL : c;
}

static struct cond *parse_cond_word(struct parser *p)
{
    const char *end = lex_word_end(p);
    struct str text = end ? str_of(p->at, (size_t)(end - p->at)) : STR("");
    struct cond *c = parse_cond_new(p, COND_UNARY);
    if (!c)
        return NULL;
    if (parse_cond_unary(text)) {
        c->name = lex_keep(p, text);
        p->at = end;
        if (!parse_cond_is_word(p))
            return parse_cond_error(p, p->line, "unexpected argument",
                                    " to conditional unary operator");
        c->a = parse_cond_read(p, PARSE_WORD_NOBRACE,
                               "unexpected argument to conditional unary operator");
    } else {
        c->a = parse_cond_read(p, PARSE_WORD_NOBRACE,
                               "unexpected token `\377' in conditional command");
        if (!c->a || !parse_cond_operator(p, c))
            return NULL;
        if (c->op == COND_WORD)
            return c;
    }
    if (c->a)
        lex_newlines(p);
    return c->a && !p->fail ? c : NULL;
}

static struct cond *parse_cond_term(struct parser *p)
{
    int line = p->line;
    lex_newlines(p);
    if (p->fail)
        return NULL;
    if (parse_cond_closes(p)) {
        /* bash says nothing at all here. */
        lex_error(p, line, 0, "%s", "");
        p->err->keep = true;
        return NULL;
    }
    if (lex_peek(p) == LEX_LPAREN)
        return parse_cond_paren(p, line);
    bool pattern = p->opt.extglob && lex_ahead(p, 1) == '('; /* !(x), a word */
    if (lex_peek(p) == LEX_WORD && lex_is_plain(p, "!") && !pattern) {
        struct cond *c = parse_cond_new(p, COND_NOT);
        p->at++;
        bool deeper = lex_enter(p);
        if (c && deeper)
            c->left = parse_cond_term(p);
        lex_leave(p);
        return c && c->left ? c : NULL;
    }
    if (!parse_cond_is_word(p))
        return parse_cond_error(p, p->line, "unexpected token", " in conditional command");
    return parse_cond_word(p);
}

/* Both operators group to the right. */
static struct cond *parse_cond_and(struct parser *p)
{
    struct cond *left = parse_cond_term(p);
    if (!left || lex_peek(p) != LEX_AND)
        return left;
    struct cond *c = parse_cond_new(p, COND_AND);
    lex_take(p);
    if (!c)
        return NULL;
    c->left = left;
    c->right = lex_enter(p) ? parse_cond_and(p) : NULL;
    lex_leave(p);
    return c->right ? c : NULL;
}

static struct cond *parse_cond_or(struct parser *p, int line)
{
    struct cond *left = lex_enter(p) ? parse_cond_and(p) : NULL, *c = left;
    if (left && lex_peek(p) == LEX_OR) {
        c = parse_cond_new(p, COND_OR);
        lex_take(p);
        if (c) {
            c->left = left;
            c->right = parse_cond_or(p, line);
            c = c->right ? c : NULL;
        }
    }
    lex_leave(p);
    return c;
}

struct node *parse_cond(struct parser *p)
{
    int line = p->line;
    struct node *n = parse_node(p, NODE_COND, line);
    if (!n)
        return NULL;
    lex_take_reserved(p, LEX_LCOND);
    if (!(n->u.cond = parse_cond_or(p, line)))
        return NULL;
    if (!parse_cond_closes(p)) {
        if (lex_peek(p) == LEX_END) {
            lex_error(p, line, 2, "unexpected EOF while looking for `]]'");
            p->err->incomplete = p->err->keep = true;
        } else if (lex_peek(p) == LEX_WORD) {
            lex_error(p, line, 0, "syntax error in conditional expression");
            p->err->keep = true;
        } else {
            parse_cond_error(p, line, "syntax error in conditional expression: unexpected token",
                             "");
        }
        return NULL;
    }
    lex_take_reserved(p, LEX_RCOND);
    return n;
}

/* parse.c -- the grammar: lists, pipelines, compound commands; and the parser object
 *
 * Any bytes are a script or a syntax error. TM-INP-1
 */
#include "shell/lex.h"

struct node *parse_node(struct parser *p, int kind, int line)
{
    struct node *n = arena_new(p->arena, struct node);
    if (!n) {
        lex_nomem(p);
        return NULL;
    }
    n->kind = (uint8_t)kind;
    n->line = n->line_end = line;
    return n;
}

/* The next token where a command may begin: aliases are expanded. */
static enum lex_token parse_start(struct parser *p)
{
    enum lex_token t;
    do
        t = lex_peek(p);
    while (t == LEX_WORD && p->opt.aliases && lex_alias(p));
    return p->fail ? LEX_END : t;
}

static bool parse_at(struct parser *p, enum lex_reserved r)
{
    return parse_start(p) == LEX_WORD && lex_reserved(p) == r;
}

static bool parse_expect(struct parser *p, enum lex_reserved r)
{
    if (p->fail || !parse_at(p, r))
        return lex_unexpected(p);
    lex_take_reserved(p, r);
    return true;
}

static bool parse_expect_token(struct parser *p, enum lex_token t)
{
    if (p->fail || lex_peek(p) != t)
        return lex_unexpected(p);
    lex_take(p);
    return !p->fail;
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* ! and time, in front of a pipeline or alone. */
static struct node *parse_prefix(struct parser *p, enum lex_reserved r);

/* `a |& b` is `a 2>&1 | b`: a redirection behind all others of the command. */
static bool parse_pipe_both(struct parser *p, struct node *n)
{
    struct redir *r = arena_array(p->arena, struct redir, n->nredirs + 1);
    struct word *w = arena_new(p->arena, struct word);
    struct part *part = arena_new(p->arena, struct part);
    if (!r || !w || !part) {
        lex_nomem(p);
        return false;
    }
    *part = (struct part){.kind = PART_LIT, .text = STR("1")};
    *w = (struct word){.parts = part,
                       .n = 1,
                       .flags = WORD_STATIC,
                       .line = n->line,
                       .lit = part->text,
                       .src = part->text};
    if (n->nredirs)
        memcpy(r, n->redirs, (size_t)n->nredirs * sizeof *r);
    r[n->nredirs++] = (struct redir){.op = REDIR_DUPOUT, .fd = 2, .word = w, .line = n->line};
    n->redirs = r;
    return true;
}

static struct node *parse_pipeline(struct parser *p)
{
    size_t base = p->stack.n;
    int line = p->line;
    if (parse_start(p) == LEX_WORD) {
        enum lex_reserved r = lex_reserved(p);
        if (r == LEX_BANG || r == LEX_TIME)
            return parse_prefix(p, r);
    }
    struct node *n = parse_command(p);
    enum lex_token t = p->fail ? LEX_END : lex_peek(p);
    if (t != LEX_PIPE && t != LEX_PIPEAMP)
        return n;
    for (;;) {
        struct list_item *i = n ? lex_push(p, &p->stack, sizeof *i) : NULL;
        if (!i)
            return NULL;
        *i = (struct list_item){n, t == LEX_PIPEAMP, false};
        if (t != LEX_PIPE && t != LEX_PIPEAMP)
            break;
        lex_take(p);
        lex_newlines(p);
        n = p->fail ? NULL : parse_command(p);
        t = n ? lex_peek(p) : LEX_END;
    }
    int count = (int)((p->stack.n - base) / sizeof(struct list_item));
    struct list_item *items = (struct list_item *)(void *)(p->stack.p + base);
    struct node *pipe = parse_node(p, NODE_PIPE, line);
    struct node **cmds = arena_array(p->arena, struct node *, count);
    p->stack.n = base;
    if (!pipe || !cmds)
        return lex_nomem(p), NULL;
    for (int i = 0; i < count; i++) {
        cmds[i] = items[i].node;
        if (items[i].sep && !parse_pipe_both(p, cmds[i]))
            return NULL;
    }
    pipe->u.pipe.cmds = cmds;
    pipe->u.pipe.n = count;
    pipe->line = cmds[0]->line;
    return pipe;
}

static struct node *parse_prefix(struct parser *p, enum lex_reserved r)
{
    struct node *n = parse_node(p, r == LEX_BANG ? NODE_NOT : NODE_TIME, p->line);
    if (!n)
        return NULL;
    lex_take_reserved(p, r);
    enum lex_token t = lex_peek(p);
    if (r == LEX_TIME && t == LEX_WORD && lex_is_plain(p, "-p")) {
        n->flag = true;
        p->at += 2;
        t = lex_peek(p);
    }
    if (r == LEX_TIME && t == LEX_WORD && lex_is_plain(p, "--")) {
        p->at += 2;
        t = lex_peek(p);
    }
    if (t == LEX_SEMI || t == LEX_NEWLINE || t == LEX_END)
        return n;
    if (lex_enter(p))
        n->u.body.body = parse_pipeline(p);
    lex_leave(p);
    return n->u.body.body ? n : NULL;
}

static struct node *parse_and_or(struct parser *p)
{
    struct node *left = parse_pipeline(p);
    while (left) {
        enum lex_token t = lex_peek(p);
        if (t != LEX_AND && t != LEX_OR)
            break;
        lex_take(p);
        lex_newlines(p);
        struct node *n = parse_node(p, t == LEX_AND ? NODE_AND : NODE_OR, left->line);
        struct node *right = n && !p->fail ? parse_pipeline(p) : NULL;
        if (!right)
            return NULL;
        n->u.bin.left = left;
        n->u.bin.right = right;
        left = n;
    }
    return left;
}

/* Whether a list ends before the next token: what closes a compound command, or, for the list of
 * one line, its end. */
static bool parse_list_ends(struct parser *p, bool compound)
{
    enum lex_token t = parse_start(p);
    if (!compound)
        return t == LEX_NEWLINE || t == LEX_END;
    switch (t) {
    case LEX_END:
    case LEX_RPAREN:
    case LEX_DSEMI:
    case LEX_SEMIAMP:
    case LEX_DSEMIAMP: return true;
    case LEX_WORD: break;
    default: return false;
    }
    switch (lex_reserved(p)) {
    case LEX_THEN:
    case LEX_ELSE:
    case LEX_ELIF:
    case LEX_FI:
    case LEX_DO:
    case LEX_DONE:
    case LEX_ESAC:
    case LEX_RBRACE: return true;
    default: return false;
    }
}

/* One node for the items above base; a single one that is not in the background stands alone. */
static struct node *parse_list_end(struct parser *p, size_t base)
{
    struct list_item *items = (struct list_item *)(void *)(p->stack.p + base);
    int n = (int)((p->stack.n - base) / sizeof *items);
    if (n == 0)
        return NULL;
    if (n == 1 && items->sep == ';') {
        p->stack.n = base;
        return items->node;
    }
    struct node *list = parse_node(p, NODE_LIST, items->node->line);
    items = lex_pop(p, &p->stack, base);
    if (!list || !items)
        return NULL;
    list->u.list.items = items;
    list->u.list.n = n;
    list->line_end = items[n - 1].node->line_end;
    return list;
}

/* When a list is complete and what follows cannot stand there, bash has read the documents of the
 * list before it complains: its line number is that of their end. */
static void parse_docs_early(struct parser *p)
{
    const char *at = p->at, *nl = memchr(at, '\n', (size_t)(p->end - at));
    if (!p->heredocs || p->frames)
        return;
    p->at = nl ? nl + 1 : p->end;
    p->ended = !nl;
    p->line++;
    parse_heredoc_read(p);
    p->line--;
    p->at = at;
    p->seen_at = NULL;
}

/* Commands separated by ; & and, in compound commands, newlines; puts them on the stack. */
static bool parse_list_items(struct parser *p, bool compound)
{
    if (compound)
        lex_newlines(p);
    for (;;) {
        struct node *n = p->fail ? NULL : parse_and_or(p);
        struct list_item *i = n ? lex_push(p, &p->stack, sizeof *i) : NULL;
        if (!i)
            return false;
        *i = (struct list_item){n, ';', false};
        enum lex_token t = lex_peek(p);
        if (t == LEX_AMP)
            i->sep = '&';
        else if (t != LEX_SEMI && !(t == LEX_NEWLINE && compound))
            return !p->fail;
        i->newline = t == LEX_NEWLINE;
        lex_take(p);
        if (compound)
            lex_newlines(p);
        if (p->fail)
            return false;
        if (parse_list_ends(p, compound))
            return !p->fail;
        if (UNLIKELY(!compound && p->heredocs) && parse_list_ends(p, true))
            parse_docs_early(p);
    }
}

static struct node *parse_list(struct parser *p, bool compound)
{
    size_t base = p->stack.n;
    return parse_list_items(p, compound) ? parse_list_end(p, base) : NULL;
}

struct node *parse_compound(struct parser *p) { return parse_list(p, true); }

/* ---- compound commands ---------------------------------------------------------------------- */

static struct node *parse_if(struct parser *p, int line)
{
    size_t base = p->stack.n;
    struct node *n = parse_node(p, NODE_IF, line);
    if (!n)
        return NULL;
    lex_take_reserved(p, LEX_IF);
    for (;;) {
        struct node *pair[2], **to;
        if (!(pair[0] = parse_compound(p)) || !parse_expect(p, LEX_THEN) ||
            !(pair[1] = parse_compound(p)) || !(to = lex_push(p, &p->stack, sizeof pair)))
            return NULL;
        memcpy(to, pair, sizeof pair);
        if (!parse_at(p, LEX_ELIF))
            break;
        lex_take_reserved(p, LEX_ELIF);
    }
    if (parse_at(p, LEX_ELSE)) {
        lex_take_reserved(p, LEX_ELSE);
        if (!(n->u.cond_if.other = parse_compound(p)))
            return NULL;
    }
    if (!parse_expect(p, LEX_FI))
        return NULL;
    int count = (int)((p->stack.n - base) / sizeof(struct node *) / 2);
    struct node **conds = arena_array(p->arena, struct node *, 2 * count);
    if (!conds)
        return lex_nomem(p), NULL;
    struct node **all = (struct node **)(void *)(p->stack.p + base);
    for (int i = 0; i < count; i++) {
        conds[i] = all[2 * i];
        conds[count + i] = all[2 * i + 1];
    }
    p->stack.n = base;
    n->u.cond_if.conds = conds;
    n->u.cond_if.bodies = conds + count;
    n->u.cond_if.n = count;
    return n;
}

static struct node *parse_while(struct parser *p, int line, enum lex_reserved r)
{
    struct node *n = parse_node(p, NODE_WHILE, line);
    if (!n)
        return NULL;
    n->flag = r == LEX_UNTIL;
    lex_take_reserved(p, r);
    if (!(n->u.loop_while.cond = parse_compound(p)) || !parse_expect(p, LEX_DO) ||
        !(n->u.loop_while.body = parse_compound(p)) || !parse_expect(p, LEX_DONE))
        return NULL;
    return n;
}

/* do LIST done, or { LIST } */
static struct node *parse_loop_body(struct parser *p, bool *braces)
{
    *braces = parse_at(p, LEX_LBRACE);
    if (!parse_expect(p, *braces ? LEX_LBRACE : LEX_DO))
        return NULL;
    struct node *body = parse_compound(p);
    return body && parse_expect(p, *braces ? LEX_RBRACE : LEX_DONE) ? body : NULL;
}

/* The words of for and select, up to the end of the list. */
static bool parse_loop_words(struct parser *p, struct node *n)
{
    size_t base = p->stack.n;
    while (lex_peek(p) == LEX_WORD) {
        struct word *w = parse_word_read(p, p->opt.posix ? 0 : PARSE_WORD_ASSIGN), **to;
        if (!w || !(to = lex_push(p, &p->stack, sizeof *to)))
            return false;
        *to = w;
    }
    n->u.loop.nwords = (int)((p->stack.n - base) / sizeof(struct word *));
    n->u.loop.words = lex_pop(p, &p->stack, base);
    enum lex_token t = lex_peek(p);
    if (t != LEX_SEMI && t != LEX_NEWLINE && t != LEX_END)
        return lex_unexpected(p);
    if (t != LEX_END)
        lex_take(p);
    lex_newlines(p);
    return !p->fail;
}

static bool parse_for_arith(struct parser *p, struct node *n)
{
    struct word *parts[3] = {NULL, NULL, NULL};
    const char *start = p->at;
    const struct lex_frame *frame = p->frames;
    size_t src = p->src.n, subs = p->subs.n;
    int count = 0, line = p->line;
    char c;
    p->at += 2;
    do {
        for (; lex_more(p) && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n'); p->at++)
            p->line += *p->at == '\n';
        struct word *w = parse_dq_arith(p, PARSE_DQ_FOR);
        buf_cut(&p->src, src);
        p->subs.n = subs;
        if (p->fail)
            return false;
        if (!lex_more(p))
            return lex_unexpected_end(p, line, ')');
        if (count < 3)
            parts[count] = w;
        count++;
        c = *p->at++;
    } while (c == ';');
    if (!lex_more(p) || *p->at != ')')
        return lex_unexpected_end(p, line, ')');
    p->at++;
    if (count != 3) {
        lex_error(p, p->line, 2, "syntax error: %s\nsyntax error: `",
                  count < 3 ? "arithmetic expression required" : "`;' unexpected");
        if (p->frames == frame)
            buf_add(&p->err->msg, start, (size_t)(p->at - start));
        buf_putc(&p->err->msg, '\'');
        return false;
    }
    n->kind = NODE_FORARITH;
    if (!(n->u.forarith = arena_new(p->arena, struct forarith)))
        return lex_nomem(p);
    for (int i = 0; i < 3; i++) /* as bash has it */
        if (!parts[i] && !(parts[i] = parse_word_static(p, STR("1"), STR("1"), PART_LIT)))
            return false;
    n->u.forarith->init.expr = parts[0];
    n->u.forarith->cond.expr = parts[1];
    n->u.forarith->step.expr = parts[2];
    enum lex_token t = lex_peek(p);
    if (t == LEX_SEMI || t == LEX_NEWLINE) {
        lex_take(p);
        lex_newlines(p);
    }
    return !p->fail && (n->u.forarith->body = parse_loop_body(p, &n->u.forarith->braces));
}

static struct node *parse_for(struct parser *p, int line, enum lex_reserved r)
{
    struct node *n = parse_node(p, r == LEX_FOR ? NODE_FOR : NODE_SELECT, line);
    if (!n)
        return NULL;
    lex_take_reserved(p, r);
    const char *close;
    enum lex_token t = lex_peek(p);
    if (r == LEX_FOR && t == LEX_LPAREN && lex_ahead(p, 1) == '(' &&
        parse_dq_is_arith(p, p->at, &close))
        return parse_for_arith(p, n) ? n : NULL;
    if (t != LEX_WORD)
        return lex_unexpected(p), NULL;
    struct word *name = parse_word_read(p, PARSE_WORD_NOBRACE);
    if (!name)
        return NULL;
    n->u.loop.name = name->src;
    t = lex_peek(p);
    if (t == LEX_SEMI) {
        lex_take(p);
        lex_newlines(p);
    } else {
        lex_newlines(p);
        if (!p->fail && lex_peek(p) == LEX_WORD && lex_is_plain(p, "in")) {
            lex_take_reserved(p, LEX_IN);
            n->flag = true;
            if (!parse_loop_words(p, n))
                return NULL;
        } else if (t == LEX_WORD && !p->fail && lex_reserved(p) != LEX_DO) {
            return lex_unexpected(p), NULL;
        }
    }
    return !p->fail && (n->u.loop.body = parse_loop_body(p, &n->u.loop.braces)) ? n : NULL;
}

static struct node *parse_arith(struct parser *p, int line);

static bool parse_case_patterns(struct parser *p, struct case_item *item, bool after_in)
{
    size_t base = p->stack.n;
    for (;; after_in = false) {
        if (lex_peek(p) != LEX_WORD)
            return lex_unexpected(p);
        if (p->braces && !after_in && lex_reserved(p) == LEX_RBRACE)
            return lex_unexpected(p); /* bash takes it for that of the group around */
        struct word *w = parse_word_read(p, PARSE_WORD_NOBRACE), **to;
        if (!w || !(to = lex_push(p, &p->stack, sizeof *to)))
            return false;
        *to = w;
        if (lex_peek(p) != LEX_PIPE)
            break;
        lex_take(p);
    }
    item->npatterns = (int)((p->stack.n - base) / sizeof(struct word *));
    item->patterns = lex_pop(p, &p->stack, base);
    return item->patterns && parse_expect_token(p, LEX_RPAREN);
}

/* At (( in the place of a pattern, where bash has read it as a command: fails. */
static bool parse_case_arith(struct parser *p)
{
    struct str line = lex_line_text(p, p->at);
    const char *close;
    if (parse_dq_is_arith(p, p->at, &close)) {
        struct node *n = parse_arith(p, p->line);
        if (n && n->u.arith.expr)
            lex_error(p, p->line, p->comsub ? 127 : 2,
                      "syntax error near unexpected token `%.*s'\n`%.*s'",
                      STR_ARG(n->u.arith.expr->src), STR_ARG(line));
    }
    return lex_unexpected(p);
}

/* One clause; *last is set when no ;; follows it, so that esac must. */
static bool parse_case_item(struct parser *p, struct case_item *item, bool after_in, bool *last)
{
    bool open = lex_peek(p) == LEX_LPAREN;
    if (open && lex_ahead(p, 1) == '(' && !after_in)
        return parse_case_arith(p);
    if (open)
        lex_take(p);
    if (!parse_case_patterns(p, item, after_in && !open))
        return false;
    lex_newlines(p);
    if (p->fail)
        return false;
    enum lex_token t = parse_start(p);
    bool empty = t == LEX_DSEMI || t == LEX_SEMIAMP || t == LEX_DSEMIAMP ||
                 (t == LEX_WORD && lex_reserved(p) == LEX_ESAC);
    if (!empty && !(item->body = parse_compound(p)))
        return false;
    t = lex_peek(p);
    item->term = t == LEX_SEMIAMP ? '&' : t == LEX_DSEMIAMP ? '+' : ';';
    *last = t != LEX_DSEMI && t != LEX_SEMIAMP && t != LEX_DSEMIAMP;
    if (!*last)
        lex_take(p);
    return true;
}

static struct node *parse_case(struct parser *p, int line)
{
    size_t base = p->stack.n;
    struct node *n = parse_node(p, NODE_CASE, line);
    if (!n)
        return NULL;
    lex_take_reserved(p, LEX_CASE);
    if (lex_peek(p) != LEX_WORD)
        return lex_unexpected(p), NULL;
    if (!(n->u.match.word = parse_word_read(p, PARSE_WORD_NOBRACE)))
        return NULL;
    n->line = p->line;
    lex_newlines(p);
    if (p->fail || lex_peek(p) != LEX_WORD || !lex_is_plain(p, "in"))
        return lex_unexpected(p), NULL;
    lex_take_reserved(p, LEX_IN);
    bool after_in = lex_peek(p) != LEX_NEWLINE;
    for (bool last = false; !last; after_in = false) {
        lex_newlines(p);
        if (p->fail)
            return NULL;
        if (lex_peek(p) == LEX_WORD && lex_reserved(p) == LEX_ESAC)
            break;
        struct case_item item = {0}, *to;
        if (!parse_case_item(p, &item, after_in, &last) ||
            !(to = lex_push(p, &p->stack, sizeof *to)))
            return NULL;
        *to = item;
    }
    if (!parse_expect(p, LEX_ESAC))
        return NULL;
    n->u.match.n = (int)((p->stack.n - base) / sizeof(struct case_item));
    n->u.match.items = lex_pop(p, &p->stack, base);
    return p->fail ? NULL : n;
}

/* { LIST } and ( LIST ) */
static struct node *parse_group(struct parser *p, int line, bool subshell)
{
    struct node *n = parse_node(p, subshell ? NODE_SUBSHELL : NODE_GROUP, line);
    if (!n)
        return NULL;
    if (subshell)
        lex_take(p);
    else
        lex_take_reserved(p, LEX_LBRACE);
    p->braces += !subshell;
    n->u.body.body = parse_compound(p);
    p->braces -= !subshell;
    if (!n->u.body.body)
        return NULL;
    return (subshell ? parse_expect_token(p, LEX_RPAREN) : parse_expect(p, LEX_RBRACE)) ? n : NULL;
}

static struct node *parse_arith(struct parser *p, int line)
{
    size_t src = p->src.n, subs = p->subs.n;
    struct node *n = parse_node(p, NODE_ARITH, line);
    if (!n)
        return NULL;
    p->at += 2;
    n->u.arith.expr = parse_dq_arith(p, PARSE_DQ_ARITH);
    buf_cut(&p->src, src);
    p->subs.n = subs;
    if (p->fail)
        return NULL;
    if (!lex_more(p) || lex_ahead(p, 1) != ')')
        return lex_unexpected_end(p, line, ')'), NULL;
    p->at += 2;
    n->line = p->line;
    return n;
}

/* At a "((" that begins no arithmetic. bash has read up to the byte behind the ) of the second one
 * and puts that back as a line of its own, which is what its messages show. */
static void parse_pushed(struct parser *p)
{
    const char *s = p->at + 1, *end = p->end - s > 1000 ? s + 1000 : p->end;
    int depth = 0;
    do
        depth += *s == '(' ? 1 : *s == ')' ? -1 : 0;
    while (depth && ++s < end);
    if (s < end) {
        p->pushed = p->at + 1;
        p->pushed_end = s + 1 < p->end && s[1] != '\n' ? s + 2 : s + 1;
    }
}

/* A compound command without its redirections; NULL without a failure if none begins here. */
static struct node *parse_shell_command(struct parser *p)
{
    enum lex_token t = parse_start(p);
    const char *close;
    int line = p->line;
    if (t == LEX_LPAREN) {
        if (lex_ahead(p, 1) == '(' && parse_dq_is_arith(p, p->at, &close))
            return parse_arith(p, line);
        if (lex_ahead(p, 1) == '(')
            parse_pushed(p);
        return parse_group(p, line, true);
    }
    if (t != LEX_WORD)
        return NULL;
    enum lex_reserved r = lex_reserved(p);
    switch (r) {
    case LEX_IF: return parse_if(p, line);
    case LEX_WHILE:
    case LEX_UNTIL: return parse_while(p, line, r);
    case LEX_FOR:
    case LEX_SELECT: return parse_for(p, line, r);
    case LEX_CASE: return parse_case(p, line);
    case LEX_LBRACE: return parse_group(p, line, false);
    case LEX_LCOND: return parse_cond(p);
    default: return NULL;
    }
}

/* ... and with them. */
static struct node *parse_compound_command(struct parser *p)
{
    size_t base = p->redirs.n;
    struct node *n = parse_shell_command(p);
    if (!n)
        return NULL;
    n->line_end = p->line;
    while (lex_peek(p) == LEX_REDIR) {
        p->compound_redirs = true;
        bool ok = parse_redir(p);
        p->compound_redirs = false;
        if (!ok)
            return NULL;
    }
    return parse_redirs_end(p, n, base) ? n : NULL;
}

/* Whether a name holds what bash marks as an expansion; backquotes are none there. */
static bool parse_has_dollar(const struct word *name)
{
    return memchr(name->src.p, '$', name->src.n) || name->nsubs;
}

/* Behind name and (), or behind `function name`: the body is any compound command. */
struct node *parse_function(struct parser *p, const struct word *name, bool keyword, int line)
{
    struct node *n = parse_node(p, NODE_FUNC, line);
    if (!n)
        return NULL;
    n->u.func.name = name->src;
    n->u.func.keyword = keyword;
    n->u.func.program = p->prog;
    n->u.func.bad = (name->flags & WORD_QUOTED) || parse_has_dollar(name);
    p->func_line = p->line;
    lex_newlines(p);
    enum lex_token t = p->fail ? LEX_END : lex_peek(p);
    if (t == LEX_LPAREN || (t == LEX_WORD && lex_reserved(p) == LEX_LBRACE))
        p->func_body = p->line;
    if (!p->fail && !(n->u.func.body = parse_compound_command(p)))
        lex_unexpected(p);
    n->line = p->func_line; /* as bash has it, that of a function inside, if there is one */
    n->u.func.body_line = p->func_body;
    n->line_end = p->line;
    return p->fail ? NULL : n;
}

static struct node *parse_function_keyword(struct parser *p)
{
    int line = p->line;
    lex_take_reserved(p, LEX_FUNCTION);
    if (lex_peek(p) != LEX_WORD)
        return lex_unexpected(p), NULL;
    struct word *name = parse_word_read(p, PARSE_WORD_NOBRACE);
    if (!name)
        return NULL;
    if (lex_peek(p) == LEX_LPAREN && lex_ahead(p, 1) != '(') {
        const char *at = p->at;
        lex_take(p);
        if (lex_peek(p) == LEX_RPAREN)
            lex_take(p);
        else
            p->at = at; /* a subshell as the body */
    }
    return parse_function(p, name, true, line);
}

/* coproc NAME compound, coproc compound, coproc simple. */
static struct node *parse_coproc(struct parser *p)
{
    struct node *n = parse_node(p, NODE_COPROC, p->line);
    if (!n)
        return NULL;
    lex_take_reserved(p, LEX_COPROC);
    n->u.coproc.name = STR("COPROC");
    enum lex_token t = lex_peek(p);
    if (t != LEX_WORD && t != LEX_LPAREN && t != LEX_REDIR)
        return lex_unexpected(p), NULL;
    if (t == LEX_REDIR)
        return (n->u.coproc.body = parse_simple(p)) ? n : NULL;
    if (!(n->u.coproc.body = parse_compound_command(p)) && !p->fail) {
        const char *at = p->at, *end = lex_word_end(p);
        int line = p->line;
        if (end && end > at && end < p->end && (*end == ' ' || *end == '\t')) {
            p->at = end;
            n->u.coproc.body = parse_compound_command(p);
            if (n->u.coproc.body)
                n->u.coproc.name = lex_keep(p, str_of(at, (size_t)(end - at)));
        }
        if (!n->u.coproc.body && !p->fail) {
            p->at = at;
            p->line = line;
            n->u.coproc.body = parse_simple(p);
        }
    }
    return n->u.coproc.body && !p->fail ? n : NULL;
}

static struct node *parse_command_inner(struct parser *p)
{
    enum lex_token t = parse_start(p);
    if (t == LEX_REDIR)
        return parse_simple(p);
    if (t == LEX_WORD) {
        switch (lex_reserved(p)) {
        case LEX_NONE:
        case LEX_TIME: return parse_simple(p);
        case LEX_FUNCTION: return parse_function_keyword(p);
        case LEX_COPROC: return parse_coproc(p);
        default: break;
        }
    }
    struct node *n = parse_compound_command(p);
    if (!n)
        lex_unexpected(p);
    return n;
}

struct node *parse_command(struct parser *p)
{
    struct node *n = lex_enter(p) ? parse_command_inner(p) : NULL;
    lex_leave(p);
    return p->fail ? NULL : n;
}

/* ---- substitutions -------------------------------------------------------------------------- */

/* bash keeps a substitution as the text that it prints of it, and reads that again to run it, so
 * that lines are those of this text. Behind the outermost ")": numbers them that way. */
static void parse_comsub_again(struct parser *p, struct part *t, int line)
{
    struct node *b = t->u.cmd.body;
    struct buf text;
    if (b->kind == NODE_SIMPLE && line == p->line && !b->u.simple.nassigns &&
        b->u.simple.nwords == 1 && b->nredirs == 0)
        return;
    buf_init(&text, p->heap);
    bool whole = print_comsub(&text, b);
    struct str s = buf_get(&text);
    if (whole && s.n && (line != p->line || memchr(s.p, '\n', s.n))) {
        struct part bad = {.kind = PART_CMDSUB};
        struct str kept = lex_keep(p, s);
        bool aliases = p->opt.aliases;
        p->opt.aliases = false;
        p->again = true;
        struct node *body = kept.p ? parse_script(p, kept, p->line, false, &bad) : NULL;
        p->again = false;
        p->opt.aliases = aliases;
        if (body && !bad.text.p) {
            t->u.cmd.body = body;
            t->u.cmd.line = p->line;
        }
    }
    buf_fini(&text);
}

/* Behind "$(", "<(" or ">(": read to its ")" by the same grammar, as bash 5.2 does. */
bool parse_comsub(struct parser *p, char kind)
{
    struct lex_heredoc *docs = p->heredocs, **docs_end = p->heredocs_end;
    struct part t = {.kind = kind == '$' ? PART_CMDSUB : PART_PROCSUB, .out = kind == '>'};
    const char *start = p->start;
    int line = p->line, count = 0, shift = p->doc_line && !p->comsub ? p->doc_line - p->line : 0;
    p->line += shift;
    if (p->doc_line && !p->comsub)
        p->start = p->at; /* messages show the line from here on */
    p->heredocs = NULL;
    p->heredocs_end = &p->heredocs;
    p->comsub++;
    if (lex_enter(p)) {
        lex_newlines(p);
        t.u.cmd.line = p->line;
        if (!p->fail && lex_peek(p) != LEX_RPAREN)
            t.u.cmd.body = parse_compound(p);
        parse_expect_token(p, LEX_RPAREN);
    }
    lex_leave(p);
    p->comsub--;
    p->line -= shift;
    p->start = start;
    /* Here-documents that were not read before the ")" begin behind the line around it. */
    struct lex_heredoc *left = p->heredocs;
    p->heredocs = docs;
    p->heredocs_end = docs_end;
    *docs_end = left;
    for (; left; left = left->next) {
        p->heredocs_end = &left->next;
        count++;
    }
    if (count && !p->fail)
        lex_warn(p, p->line, "command substitution: %d unterminated here-document%s", count,
                 count == 1 ? "" : "s");
    struct node *b = t.u.cmd.body;
    t.read_file = kind == '$' && b && b->kind == NODE_SIMPLE && !b->u.simple.nwords &&
                  !b->u.simple.nassigns && b->nredirs == 1 && b->redirs->op == REDIR_IN &&
                  b->redirs->fd <= 0 && !b->redirs->var.p;
    struct word_sub *s = p->fail ? NULL : lex_push(p, &p->subs, sizeof *s);
    struct part *to = s ? parse_word_part(p, t.kind) : NULL;
    if (!to)
        return false;
    *s = (struct word_sub){p->src.n, b, kind};
    if (p->comsub == 0 && !p->doc_line && !count && b && !p->again)
        parse_comsub_again(p, &t, line);
    *to = t;
    return !p->fail;
}

/* What a nested text must leave as it was. */
struct parse_state {
    struct parse_error *err;
    struct lex_heredoc *heredocs, **heredocs_end;
    size_t stack, redirs, assigns, subs, txt, src;
    int depth, comsub, line, doc_line, quotes;
};

static void parse_save(const struct parser *p, struct parse_state *s)
{
    *s = (struct parse_state){p->err,       p->heredocs, p->heredocs_end, p->stack.n, p->redirs.n,
                              p->assigns.n, p->subs.n,   p->txt.n,        p->src.n,   p->depth,
                              p->comsub,    p->line,     p->doc_line,     p->quotes};
}

static void parse_restore(struct parser *p, const struct parse_state *s)
{
    p->err = s->err;
    p->heredocs = s->heredocs;
    p->heredocs_end = s->heredocs_end;
    p->stack.n = s->stack;
    p->redirs.n = s->redirs;
    p->assigns.n = s->assigns;
    p->subs.n = s->subs;
    buf_cut(&p->txt, s->txt);
    buf_cut(&p->src, s->src);
    p->depth = s->depth;
    p->comsub = s->comsub;
    p->line = s->line;
    p->doc_line = s->doc_line;
    p->quotes = s->quotes;
}

/* A syntax error of a nested text goes into the part it belongs to; a limit ends everything. */
static void parse_settle(struct parser *p, struct parse_state *s, struct parse_error *err,
                         struct part *into)
{
    if (p->fail == HOB_ESYNTAX) {
        p->fail = 0;
        into->text = lex_keep(p, buf_get(&err->msg));
        into->u.cmd.error_line = err->line;
    } else if (p->fail == HOB_ELIMIT) {
        buf_clear(&s->err->msg);
        buf_str(&s->err->msg, buf_get(&err->msg));
        s->err->line = err->line;
    }
    parse_error_fini(err);
}

/* The commands of one line go on the stack. False at the end or after a failure. */
static bool parse_line(struct parser *p)
{
    lex_newlines(p);
    if (p->fail || parse_start(p) == LEX_END)
        return false;
    if (!parse_list_items(p, false))
        return false;
    enum lex_token t = lex_peek(p);
    if (t != LEX_NEWLINE && t != LEX_END)
        return parse_docs_early(p), lex_unexpected(p);
    if (t == LEX_NEWLINE)
        lex_take(p);
    else if (p->heredocs) /* the last line was continued, and nothing followed */
        parse_heredoc_read(p);
    return !p->fail;
}

/* A text of its own, as in `..`. A syntax error goes into the part, behind what stood before. */
struct node *parse_script(struct parser *p, struct str text, int line, bool inside,
                          struct part *into)
{
    struct parse_state state;
    struct parse_error err;
    struct lex_frame frame;
    parse_save(p, &state);
    parse_error_init(&err, p->heap);
    lex_hard_push(p, &frame, text);
    p->err = &err;
    p->heredocs = NULL;
    p->heredocs_end = &p->heredocs;
    p->comsub = p->doc_line = p->quotes = 0;
    p->line = line;
    if (inside) { /* what is known about its "((" still holds */
        p->arith_from = frame.arith_from;
        p->arith_to = frame.arith_to;
        p->arith_base = frame.arith_base;
    }
    size_t good;
    do
        good = p->stack.n;
    while (parse_line(p));
    lex_hard_pop(p, &frame);
    parse_settle(p, &state, &err, into);
    p->stack.n = good;
    struct node *body = p->fail ? NULL : parse_list_end(p, state.stack);
    parse_restore(p, &state);
    return body;
}

/* What bash says when a here-document that cannot be read is expanded. */
static void parse_document_bad(struct parser *p, struct str text, const struct parse_error *err,
                               struct part *bad)
{
    struct param *v = arena_new(p->arena, struct param);
    struct str msg = buf_get(&err->msg);
    if (!v) {
        lex_nomem(p);
        return;
    }
    struct buf b;
    buf_init(&b, p->heap);
    v->op = PARAM_BAD;
    v->at = err->comsub ? PARAM_BAD_COMSUB : PARAM_BAD_WHOLE;
    v->pos = err->line;
    if (err->comsub) {
        buf_str(&b, msg);
    } else if (*p->doc_open == '`') {
        buf_addz(&b, "bad substitution: no closing \"`\" in ");
        buf_add(&b, p->doc_open, (size_t)(text.p + text.n - p->doc_open));
    } else if (p->doc_name) {
        buf_str(&b, text);
        buf_addz(&b, ": bad substitution");
    } else {
        buf_printf(&b, "bad substitution: no closing `%c' in ", p->doc_open[1] == '{' ? '}' : ')');
        buf_str(&b, text);
    }
    *bad = (struct part){.kind = PART_PARAM, .text = lex_keep(p, buf_get(&b))};
    bad->u.param = v;
    buf_fini(&b);
}

/* The body of a here-document. A failure in it counts when it is expanded: it goes into `bad`, and
 * the result is NULL. */
struct word *parse_document(struct parser *p, struct str text, int line, struct part *bad)
{
    struct parse_state state;
    struct parse_error err;
    struct lex_frame frame;
    struct parse_seq q;
    struct word *w = NULL;
    parse_save(p, &state);
    parse_error_init(&err, p->heap);
    lex_hard_push(p, &frame, text);
    p->err = &err;
    p->heredocs = NULL;
    p->heredocs_end = &p->heredocs;
    p->comsub = p->quotes = 0;
    p->line = p->doc_line = line;
    parse_word_begin(p, &q, 0);
    if (lex_enter(p) && parse_dq_run(p, &q, PARSE_DQ_HEREDOC))
        w = parse_word_end(p, &q, false, true);
    lex_hard_pop(p, &frame);
    if (p->fail == HOB_ESYNTAX) {
        p->fail = 0;
        parse_document_bad(p, text, &err, bad);
        parse_error_fini(&err);
    } else {
        parse_settle(p, &state, &err, bad);
    }
    parse_restore(p, &state);
    return w;
}

/* ---- the parser object ---------------------------------------------------------------------- */

void parse_error_init(struct parse_error *e, struct heap *h)
{
    *e = (struct parse_error){.status = 2};
    buf_init(&e->msg, h);
}

void parse_error_fini(struct parse_error *e) { buf_fini(&e->msg); }

static bool parse_has_joins(struct str s)
{
    for (const char *c = s.p, *end = s.p + s.n; (c = memchr(c, '\\', (size_t)(end - c))); c++)
        if (c + 1 < end && c[1] == '\n')
            return true;
    return false;
}

/* bash drops NULs of a script as it reads. Continued lines are joined in a copy. */
static bool parse_own_text(struct parser *p)
{
    if (!p->text.n)
        return true;
    p->joins = parse_has_joins(p->text);
    if (!p->joins && !memchr(p->text.p, 0, p->text.n))
        return true;
    p->owned = heap_alloc(p->heap, p->text.n);
    if (!p->owned)
        return false;
    p->owned_size = p->text.n;
    size_t n = 0;
    for (size_t i = 0; i < p->text.n; i++)
        if (p->text.p[i])
            p->owned[n++] = p->text.p[i];
    if (n == p->text.n)
        p->given = p->text;
    p->text = str_of(p->owned, n);
    return true;
}

static void parse_init(struct parser *p, struct heap *h)
{
    memset(p, 0, offsetof(struct parser, room));
    p->heap = h;
    p->stack = (struct lex_stack){p->room, 0, sizeof p->room};
    buf_init(&p->txt, h);
    buf_init(&p->src, h);
    buf_init(&p->warnings, h);
    p->heredocs_end = &p->heredocs;
}

static void parse_stack_fini(struct parser *p, struct lex_stack *s)
{
    if (s->p && s->p != p->room)
        heap_free(p->heap, s->p, s->cap);
}

static void parse_fini(struct parser *p)
{
    while (p->frames) {
        p->at = p->end;
        if (!lex_more_slow(p) && p->frames)
            break;
    }
    parse_stack_fini(p, &p->stack);
    parse_stack_fini(p, &p->redirs);
    parse_stack_fini(p, &p->assigns);
    parse_stack_fini(p, &p->subs);
    parse_stack_fini(p, &p->arith_bad);
    buf_fini(&p->txt);
    buf_fini(&p->src);
    buf_fini(&p->warnings);
    if (p->owned)
        heap_free(p->heap, p->owned, p->owned_size);
}

struct parser *parser_new(struct heap *h, struct str text, int first_line)
{
    struct parser *p = heap_alloc(h, sizeof *p);
    if (!p)
        return NULL;
    parse_init(p, h);
    p->text = text.p ? text : STR("");
    p->line = first_line;
    if (!parse_own_text(p)) {
        parser_free(p);
        return NULL;
    }
    p->at = p->start = p->source = p->source_end = p->text.p;
    p->end = p->text.p + p->text.n;
    return p;
}

void parser_free(struct parser *p)
{
    if (!p)
        return;
    parse_fini(p);
    heap_drop(p->heap, p);
}

void parser_set_options(struct parser *p, const struct parse_options *o) { p->opt = *o; }
void parser_set_line(struct parser *p, int line) { p->line = line; }

int parser_line(const struct parser *p) { return p->line; }

/* Where the cursor stands in the text itself, below the aliases. */
static const char *parse_place(const struct parser *p)
{
    const char *at = p->at;
    for (const struct lex_frame *f = p->frames; f; f = f->up)
        at = f->at;
    return at;
}

size_t parser_offset(const struct parser *p) { return (size_t)(parse_place(p) - p->text.p); }

struct str parser_source(const struct parser *p)
{
    size_t n = (size_t)(p->source_end - p->source);
    if (p->given.n)
        return str_sub(p->given, (size_t)(p->source - p->text.p), n);
    return str_of(p->source, n);
}

struct str parser_warnings(const struct parser *p) { return buf_get(&p->warnings); }

/* After an error: reading goes on with the next line. */
static void parse_resync(struct parser *p)
{
    while (p->frames) {
        p->at = p->end;
        lex_more_slow(p);
        p->at = p->frames ? p->end : p->at;
    }
    const char *nl = memchr(p->at, '\n', (size_t)(p->end - p->at));
    if (p->fail == HOB_ESYNTAX && p->err->incomplete)
        nl = NULL; /* what was not closed goes on to the end */
    p->at = nl ? nl + 1 : p->end;
    p->line += nl != NULL;
}

static void parse_reset(struct parser *p, struct program *prog, struct parse_error *err)
{
    p->prog = prog;
    p->arena = &prog->arena;
    p->err = err;
    p->fail = 0;
    p->stack.n = p->redirs.n = p->assigns.n = p->subs.n = 0;
    buf_clear(&p->txt);
    buf_clear(&p->src);
    buf_clear(&p->warnings);
    p->heredocs = NULL;
    p->heredocs_end = &p->heredocs;
    p->depth = p->comsub = p->braces = p->quotes = 0;
    p->pushed = NULL;
    p->alias_bytes = 0;
}

int parser_next(struct parser *p, struct program **out, struct parse_error *err)
{
    struct program *prog = program_new(p->heap);
    *out = NULL;
    if (!prog)
        return HOB_ENOMEM;
    parse_reset(p, prog, err);
    p->source = parse_place(p);
    bool some = parse_line(p);
    if (some)
        prog->root = parse_list_end(p, 0);
    if (p->heap->oom)
        p->fail = HOB_ENOMEM;
    if (p->fail)
        parse_resync(p);
    p->source_end = parse_place(p);
    p->prog = NULL;
    p->arena = NULL;
    if (p->fail || !some) {
        program_unref(prog);
        return p->fail;
    }
    *out = prog;
    return 1;
}

int parse_dquoted(struct program *prog, struct str text, bool heredoc,
                  const struct parse_options *o, struct word **out, struct parse_error *err)
{
    struct parser *p = parser_new(prog->heap, text, 1);
    struct parse_seq q;
    *out = NULL;
    if (!p)
        return HOB_ENOMEM;
    if (o)
        p->opt = *o;
    parse_reset(p, prog, err);
    parse_word_begin(p, &q, 0);
    /* A " has no meaning here: only the whole text ends the string. */
    if (parse_dq_run(p, &q, heredoc ? PARSE_DQ_HEREDOC : PARSE_DQ_TEXT))
        *out = parse_word_end(p, &q, true, true);
    int fail = p->heap->oom ? HOB_ENOMEM : p->fail;
    parser_free(p);
    return fail;
}

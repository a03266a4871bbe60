/* parse_param.c -- ${...}: the parameter, its index, and every operator */
#include "shell/lex.h"

/* Takes n bytes into the text of the word. */
static void parse_param_take(struct parser *p, size_t n)
{
    buf_add(&p->src, p->at, n);
    p->at += n;
}

/* A continued line may stand anywhere between the bytes. */
static char parse_param_peek(struct parser *p)
{
    while (lex_more(p) && *p->at == '\\' && lex_ahead(p, 1) == '\n') {
        p->at += 2;
        p->line++;
    }
    return lex_more(p) ? *p->at : '\0';
}

/* Behind the [ of an index, up to the ] that closes it, or to another byte of `stops`. */
struct word *parse_param_index(struct parser *p, const char *stops)
{
    struct parse_seq q;
    struct word *w = NULL;
    parse_word_begin(p, &q, PARSE_WORD_NOBRACE);
    if (lex_enter(p) && parse_word_run(p, &q, stops))
        w = parse_word_end(p, &q, true, true);
    lex_leave(p);
    if (w && (w->flags & WORD_GLOB) && !(w->flags & WORD_STATIC)) {
        /* Patterns mean nothing in an index. */
        bool plain = w->n == 1 && w->parts[0].kind == PART_LIT;
        w->flags &= ~WORD_GLOB;
        if (plain) {
            w->flags |= WORD_STATIC;
            w->lit = w->parts[0].text;
        }
    }
    return w;
}

/* The operand of an operator, up to one of `stops`. Inside "..", words are read as quoted text,
 * but patterns are not. NULL without a failure: it is empty. */
static struct word *parse_param_operand(struct parser *p, const char *stops, bool quoted, int mode)
{
    struct parse_seq q;
    struct word *w = NULL;
    bool ok;
    parse_word_begin(p, &q, PARSE_WORD_NOBRACE | mode);
    /* The slash of ${x////y} that comes first is the pattern's own. */
    if (*stops == '/' && lex_ahead(p, 0) == '/') {
        buf_putc(&p->txt, '/');
        parse_param_take(p, 1);
    }
    if (!lex_enter(p))
        ok = false;
    else if (quoted)
        ok = parse_dq_run(p, &q, PARSE_DQ_OPERAND);
    else
        ok = parse_word_run(p, &q, stops);
    if (ok)
        w = parse_word_end(p, &q, false, false);
    lex_leave(p);
    return w;
}

/* The parameter itself: a name, a number or a special one. False: there is none. */
static bool parse_param_name(struct parser *p, struct param *v)
{
    char c = parse_param_peek(p);
    if (lex_name_start(c)) {
        lex_join_name(p);
        const char *e = lex_name_end(p->at, p->end);
        v->what = PARAM_VAR;
        v->name = lex_keep(p, str_of(p->at, (size_t)(e - p->at)));
        parse_param_take(p, (size_t)(e - p->at));
    } else if (c >= '0' && c <= '9') {
        v->what = PARAM_POS;
        for (; lex_more(p) && *p->at >= '0' && *p->at <= '9'; parse_param_take(p, 1))
            v->pos = v->pos > INT64_MAX / 10 - 10 ? INT64_MAX / 10 : v->pos * 10 + (*p->at - '0');
    } else if (c == '$' && (lex_ahead(p, 1) == '{' || lex_ahead(p, 1) == '(')) {
        return false;
    } else if (c && memchr("@*#?-$!", c, 7)) {
        v->what = PARAM_SPECIAL;
        v->special = c;
        parse_param_take(p, 1);
    } else {
        return false;
    }
    return !p->fail;
}

/* Whether a ] follows in the same word: then a } before it is part of the subscript. */
static bool parse_param_closes(const struct parser *p)
{
    int depth = 1;
    for (const char *s = p->at; s < p->end && !(lex_class[(uint8_t)*s] & LEX_C_META); s++) {
        depth += *s == '[' ? 1 : *s == ']' ? -1 : 0;
        if (depth == 0)
            return true;
    }
    return false;
}

/* Whether a } ends it all while a [ in the subscript is open, as in ${a[[ b}. */
static bool parse_param_open(const struct parser *p)
{
    int depth = 1, inner = 0;
    for (const char *s = p->at; s < p->end; s++) {
        if (*s == '"' || *s == '\'' || *s == '\\' || *s == '$' || *s == '`')
            return false;
        if (*s == '}')
            return depth > 0 && inner > 0;
        inner += *s == '[';
        depth += *s == '[' ? 1 : *s == ']' ? -1 : 0;
        if (depth == 0)
            return false;
    }
    return false;
}

static bool parse_param_subscript(struct parser *p, struct param *v)
{
    if (v->what != PARAM_VAR || parse_param_peek(p) != '[')
        return true;
    int line = p->line;
    parse_param_take(p, 1);
    char c = lex_ahead(p, 0);
    if ((c == '@' || c == '*') && lex_ahead(p, 1) == ']') {
        v->index_all = c;
        parse_param_take(p, 1);
    } else {
        bool closes = parse_param_closes(p);
        if (!closes && parse_param_open(p))
            return v->at = PARAM_BAD_OPEN, false;
        v->index = parse_param_index(p, closes ? "]" : "]}");
        if (p->fail)
            return false;
        if (!lex_more(p))
            return lex_unexpected_end(p, line, '}');
        if (*p->at != ']')
            return v->at = PARAM_BAD_OPEN, false;
    }
    parse_param_take(p, 1);
    return true;
}

static void parse_param_replace(struct parser *p, struct param *v, bool quoted)
{
    v->op = PARAM_REPLACE;
    char c = parse_param_peek(p);
    if (c == '/') {
        v->twice = true;
        parse_param_take(p, 1);
    } else if (c == '#' || c == '%') {
        v->anchor = c;
        parse_param_take(p, 1);
    }
    if (v->twice || lex_ahead(p, 0) != '/')
        v->word = parse_param_operand(p, "/}", false, 0);
    if (p->fail || parse_param_peek(p) != '/')
        return;
    parse_param_take(p, 1);
    v->has_rep = true;
    v->word2 = parse_param_operand(p, "}", quoted && p->opt.compat42, 0);
}

static void parse_param_substr(struct parser *p, struct param *v)
{
    struct word **to = &v->word;
    v->op = PARAM_SUBSTR;
    for (int i = 0; i < 2; i++, to = &v->word2) {
        *to = parse_dq_arith(p, i ? PARSE_DQ_LENGTH : PARSE_DQ_SUBSTR);
        if (p->fail || parse_param_peek(p) != ':' || i == 1)
            break;
        parse_param_take(p, 1);
        v->has_rep = true;
    }
    if (!v->word && !v->has_rep) {
        v->op = PARAM_BAD;
        v->at = ':';
    }
}

/* The operators - = ? +, with or without a colon before them. */
static bool parse_param_test(struct parser *p, struct param *v, bool quoted)
{
    char c = lex_ahead(p, 0);
    bool colon = c == ':';
    if (colon)
        c = lex_ahead(p, 1);
    if (c != '-' && c != '=' && c != '?' && c != '+')
        return false;
    v->colon = colon;
    v->op = c == '-' ? PARAM_DEFAULT : c == '=' ? PARAM_ASSIGN : c == '?' ? PARAM_ERROR : PARAM_ALT;
    parse_param_take(p, colon ? 2 : 1);
    /* Inside of "$(..)" bash takes a $'..' here for one inside of "..". */
    v->word =
        parse_param_operand(p, "}", quoted && v->op != PARAM_ERROR,
                            (quoted ? v->op == PARAM_ERROR : p->quotes > 0) ? PARSE_WORD_BARE : 0);
    return true;
}

static bool parse_param_doubled(struct parser *p, struct param *v)
{
    static const char chars[] = "#%^,~";
    static const uint8_t ops[] = {PARAM_PREFIX, PARAM_SUFFIX, PARAM_UPPER, PARAM_LOWER,
                                  PARAM_TOGGLE};
    char c = lex_ahead(p, 0);
    for (size_t i = 0; i < sizeof ops; i++) {
        if (chars[i] != c)
            continue;
        v->op = ops[i];
        if (i >= 2 && v->what == PARAM_SPECIAL && memchr("#?-", v->special, 3))
            v->op = PARAM_BAD; /* as bash has it */
        v->twice = lex_ahead(p, 1) == c;
        parse_param_take(p, v->twice ? 2 : 1);
        v->word = parse_param_operand(p, "}", false, 0);
        return true;
    }
    return false;
}

static void parse_param_operator(struct parser *p, struct param *v, bool quoted)
{
    char c = parse_param_peek(p);
    lex_join(p, 1);
    if (c == '@')
        lex_join(p, 2);
    if (c == '}' || parse_param_test(p, v, quoted) || parse_param_doubled(p, v))
        return;
    if (c == '/') {
        parse_param_take(p, 1);
        parse_param_replace(p, v, quoted);
    } else if (c == ':') {
        parse_param_take(p, 1);
        parse_param_substr(p, v);
    } else if (c == '@' && lex_ahead(p, 2) == '}' && lex_ahead(p, 1) &&
               strchr("QEPAKkaUuL", lex_ahead(p, 1))) {
        v->op = PARAM_AT;
        v->at = lex_ahead(p, 1);
        parse_param_take(p, 2);
    } else {
        v->op = PARAM_BAD;
        v->at = c; /* an unknown letter behind @ matters only if there is a value */
    }
}

/* ${!...}: the ! is taken. Names by prefix and keys of an array look like it. */
static void parse_param_indirect(struct parser *p, struct param *v, bool quoted)
{
    char c = parse_param_peek(p);
    v->indirect = true;
    if ((c == '*' || c == '@') && lex_ahead(p, 1) == '}' && v->what == PARAM_VAR && !v->index &&
        !v->index_all) {
        v->op = PARAM_NAMES;
        v->at = c;
        v->indirect = false;
        parse_param_take(p, 1);
    } else if (c == '}' && v->index_all) {
        v->op = PARAM_KEYS;
        v->at = v->index_all;
        v->indirect = false;
    } else {
        parse_param_operator(p, v, quoted);
    }
}

/* Whether ${# at the cursor asks for a length, and not for the parameter # with an operator. */
static bool parse_param_is_length(struct parser *p)
{
    char c = lex_ahead(p, 1);
    if (!c || c == '}')
        return false;
    if (memchr("=+%", c, 3) && lex_ahead(p, 2) == '}')
        return true; /* of a parameter that there is none */
    if (c == '@' && lex_ahead(p, 2) != '}')
        return false; /* ${#@Q} */
    if (lex_name_char(c) || c == '@' || c == '*')
        return true;
    return memchr("#?-$!", c, 5) && lex_ahead(p, 2) == '}';
}

static void parse_param_inside(struct parser *p, struct param *v, bool quoted)
{
    char c = parse_param_peek(p);
    lex_join(p, 1);
    char next = lex_ahead(p, 1);
    if (c == '#' && parse_param_is_length(p)) {
        parse_param_take(p, 1);
        if (!parse_param_name(p, v) || !parse_param_subscript(p, v))
            v->op = PARAM_BAD;
        else
            v->op = parse_param_peek(p) == '}' ? PARAM_LENGTH : PARAM_BAD;
    } else if (c == '!' && next && (lex_name_char(next) || memchr("#?@*", next, 4))) {
        parse_param_take(p, 1);
        if (parse_param_name(p, v) && parse_param_subscript(p, v))
            parse_param_indirect(p, v, quoted);
        else
            v->op = PARAM_BAD;
    } else if (!parse_param_name(p, v) || !parse_param_subscript(p, v)) {
        v->op = PARAM_BAD;
    } else {
        parse_param_operator(p, v, quoted);
    }
}

/* Behind "${". What is no valid expansion is read to its } all the same: it counts only when it
 * is expanded. */
bool parse_param_read(struct parser *p, struct parse_seq *q, bool quoted)
{
    int line = p->line;
    const char *open = p->at - 2;
    struct param *v = arena_new(p->arena, struct param);
    if (!v)
        return lex_nomem(p);
    v->braced = true;
    if (!lex_enter(p))
        return lex_leave(p), false;
    parse_param_inside(p, v, quoted);
    if (!p->fail && parse_param_peek(p) != '}') {
        p->doc_name = open == p->doc_open && lex_more(p);
        v->op = PARAM_BAD;
        parse_param_operand(p, "}", quoted, 0);
    }
    lex_leave(p);
    if (p->fail)
        return false;
    if (v->index && !v->index->n)
        v->op = PARAM_BAD; /* ${a[]} */
    if (!lex_more(p))
        return lex_unexpected_end(p, line, '}');
    parse_param_take(p, 1);
    struct part *t = parse_word_part(p, PART_PARAM);
    if (!t)
        return false;
    t->u.param = v;
    q->bad = q->bad || v->op == PARAM_BAD;
    return true;
}

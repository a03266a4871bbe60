/* jq_parse.c -- from the text of a program to its syntax */
#include "base/error.h"
#include "base/fmt.h"
#include "commands/jq/jq.h"

struct jq_parser {
    struct jq_lexer l;
    struct jq *j;
    struct jq_unit *u;
    bool failed;
    bool eof; /* because the text ended */
};

/* How tightly binary operators bind. */
enum {
    JQ_BIND_PIPE,
    JQ_BIND_COMMA,
    JQ_BIND_ALT,
    JQ_BIND_ASSIGN,
    JQ_BIND_OR,
    JQ_BIND_AND,
    JQ_BIND_COMPARE,
    JQ_BIND_ADD,
    JQ_BIND_MUL
};

static struct jq_ast *jq_parse_exp(struct jq_parser *p, int min);
static struct jq_ast *jq_parse_postfix(struct jq_parser *p, bool question);

/* ---- errors, memory -------------------------------------------------------------------------- */

static struct jq_ast *jq_parse_error(struct jq_parser *p, const char *what)
{
    if (!p->failed)
        jq_locate(p->j, p->u, p->l.start, p->l.at, "%s", what);
    p->failed = true;
    return NULL;
}

static struct jq_ast *jq_unexpected(struct jq_parser *p, const char *expecting)
{
    char text[200], sign[4] = {'\'', (char)p->l.tok, '\'', 0};
    const char *name = jq_token_name(&p->l, p->l.tok);

    fmt_print(text, sizeof text, "syntax error, unexpected %s%s%s (Unix shell quoting issues?)",
              name ? name : sign, expecting ? ", expecting " : "", expecting ? expecting : "");
    p->eof |= p->l.tok == JQT_EOF;
    return jq_parse_error(p, text);
}

static bool jq_expect(struct jq_parser *p, int tok, const char *name)
{
    if (p->failed)
        return false;
    if (p->l.tok != tok) {
        jq_unexpected(p, name);
        return false;
    }
    jq_lex(&p->l);
    return true;
}

static struct jq_ast *jq_node(struct jq_parser *p, int op)
{
    struct jq_ast *a = p->failed ? NULL : arena_new(&p->j->arena, struct jq_ast);
    if (!a) {
        p->failed = true;
        return NULL;
    }
    a->op = (uint8_t)op;
    a->at = p->l.start;
    a->end = p->l.at;
    return a;
}

static struct jq_ast *jq_node2(struct jq_parser *p, int op, struct jq_ast *a, struct jq_ast *b)
{
    struct jq_ast *x = jq_node(p, op);
    if (x) {
        x->a = a;
        x->b = b;
        if (a)
            x->at = a->at;
    }
    return x;
}

static bool jq_list_add(struct jq_parser *p, struct jq_list *l, struct jq_ast *a)
{
    if (l->n == l->cap) {
        uint32_t cap = l->cap ? l->cap * 2 : 4;
        struct jq_ast **x = arena_grow(&p->j->arena, l->p, l->cap * sizeof *x, cap * sizeof *x);
        if (!x) {
            p->failed = true;
            return false;
        }
        l->p = x;
        l->cap = cap;
    }
    l->p[l->n++] = a;
    return a != NULL;
}

/* ---- strings --------------------------------------------------------------------------------- */

/* The literal text between from and to of a string, with its escapes resolved. */
static struct jq_ast *jq_parse_text_part(struct jq_parser *p, uint32_t from, uint32_t to)
{
    struct jq_ast *a = jq_node(p, JQA_CONST);
    struct buf b;

    if (!a)
        return NULL;
    buf_init(&b, p->j->heap);
    buf_putc(&b, '"');
    for (uint32_t i = from; i < to; i++) {
        unsigned char c = (unsigned char)p->l.text.p[i];
        if (c >= 0x20)
            buf_putc(&b, (char)c);
        else /* what JSON would not take as it is */
            buf_printf(&b, "\\u%04x", c);
    }
    buf_putc(&b, '"');
    struct jq_val message, v = jq_parse_text(p->j, buf_get(&b), &message);
    if (message.kind) {
        /* jq reads each escape on its own, and complains about that one alone. */
        uint32_t i = from;
        while (i + 1 < to && !(p->l.text.p[i] == '\\' &&
                               (!p->l.text.p[i + 1] || !strchr("\\\"/bfnrtu", p->l.text.p[i + 1]))))
            i += p->l.text.p[i] == '\\' ? 2 : 1;
        struct str esc = str_sub(str_of(p->l.text.p + from, to - from), i - from, 2);
        char text[160];
        p->l.start = i;
        fmt_print(text, sizeof text, "%s%.*s (while parsing '\"%.*s\"')",
                  esc.n ? "Invalid escape at line 1, column 4" : jq_text(message).p, 0, "",
                  STR_ARG(esc));
        jq_parse_error(p, text);
    }
    jq_drop(p->j, message);
    buf_fini(&b);
    a->k = jq_keep(p->j, v);
    return a;
}

/* A string whose quote has been read; format: what interpolations go through, or none. */
static struct jq_ast *jq_parse_string(struct jq_parser *p, struct str format)
{
    struct jq_ast *s = jq_node(p, JQA_STRING);
    uint32_t from = p->l.at, at = from;
    struct str text = p->l.text;

    if (!s)
        return NULL;
    s->str = format;
    for (;;) {
        while (at < text.n && text.p[at] != '"' &&
               !(text.p[at] == '\\' && at + 1 < text.n && text.p[at + 1] == '('))
            at += text.p[at] == '\\' ? 2 : 1;
        if (at >= text.n) {
            p->l.tok = JQT_EOF;
            p->l.start = from;
            return jq_unexpected(p, "QQSTRING_TEXT or QQSTRING_INTERP_START or QQSTRING_END");
        }
        if (at > from && !jq_list_add(p, &s->list, jq_parse_text_part(p, from, at)))
            return NULL;
        if (text.p[at] == '"')
            break;
        p->l.at = at + 2;
        jq_lex(&p->l);
        struct jq_ast *e = jq_parse_exp(p, JQ_BIND_PIPE);
        if (p->failed)
            return NULL;
        if (p->l.tok != ')')
            return jq_unexpected(p, NULL);
        /* Marks the interpolations among the parts. */
        struct jq_ast *part = jq_node2(p, JQA_FORMAT, e, NULL);
        if (!part || !jq_list_add(p, &s->list, part))
            return NULL;
        from = at = p->l.at;
    }
    p->l.at = at + 1;
    s->end = p->l.at;
    jq_lex(&p->l);
    /* Without interpolations it is a constant. */
    if (s->list.n == 0) {
        s->op = JQA_CONST;
        s->k = jq_keep(p->j, jq_string(p->j, STR("")));
    } else if (s->list.n == 1 && s->list.p[0]->op == JQA_CONST) {
        s->op = JQA_CONST;
        s->k = s->list.p[0]->k;
    }
    return s;
}

/* ---- patterns -------------------------------------------------------------------------------- */

static struct jq_pattern *jq_parse_pattern(struct jq_parser *p);

static bool jq_pattern_add(struct jq_parser *p, struct jq_pattern *x, struct jq_ast *key,
                           struct str name, struct jq_pattern *sub)
{
    struct arena *a = &p->j->arena;
    if (x->n == x->cap) {
        uint32_t cap = x->cap ? x->cap * 2 : 4;
        x->sub = arena_grow(a, x->sub, x->cap * sizeof *x->sub, cap * sizeof *x->sub);
        x->keys = arena_grow(a, x->keys, x->cap * sizeof *x->keys, cap * sizeof *x->keys);
        x->names = arena_grow(a, x->names, x->cap * sizeof *x->names, cap * sizeof *x->names);
        if (!x->sub || !x->keys || !x->names) {
            p->failed = true;
            return false;
        }
        x->cap = cap;
    }
    x->sub[x->n] = sub;
    x->keys[x->n] = key;
    x->names[x->n++] = name;
    return true;
}

static bool jq_check_key(struct jq_parser *p, const struct jq_ast *key, uint32_t at)
{
    struct jq_val k;
    char brief[15], text[80];
    if (!jq_constant(p->j, key, &k) || k.kind == JQ_STRING)
        return true;
    p->l.start = at;
    fmt_print(text, sizeof text, "Cannot use %s (%s) as object key", jq_kind_name(k),
              jq_brief(p->j, k, brief, sizeof brief));
    jq_parse_error(p, text);
    return false;
}

/* One member of {...}: $x, $x: pattern, name: pattern, "text": pattern, (exp): pattern. */
static bool jq_parse_pattern_member(struct jq_parser *p, struct jq_pattern *x)
{
    struct jq_ast *key = NULL;
    struct str name = STR_NONE;
    uint32_t at = p->l.start;

    if (p->l.tok == JQT_BINDING) {
        name = p->l.str;
        jq_lex(&p->l);
        if (p->l.tok != ':')
            return jq_pattern_add(p, x, NULL, name, NULL);
    } else if (p->l.tok == JQT_IDENT || jq_is_keyword(p->l.tok)) {
        key = jq_node(p, JQA_CONST);
        if (!key)
            return false;
        key->k = jq_keep(p->j, jq_string(p->j, p->l.str));
        jq_lex(&p->l);
    } else if (p->l.tok == JQT_STRING) {
        key = jq_parse_string(p, STR_NONE);
    } else if (p->l.tok == '(') {
        jq_lex(&p->l);
        key = jq_parse_exp(p, JQ_BIND_PIPE);
        if (!jq_expect(p, ')', "')'") || !jq_check_key(p, key, at))
            return false;
    } else {
        jq_unexpected(p, NULL);
        return false;
    }
    if (!jq_expect(p, ':', "':'"))
        return false;
    struct jq_pattern *sub = jq_parse_pattern(p);
    return sub && jq_pattern_add(p, x, key, name, sub);
}

static struct jq_pattern *jq_parse_pattern(struct jq_parser *p)
{
    struct jq_pattern *x = p->failed ? NULL : arena_new(&p->j->arena, struct jq_pattern);
    int open = p->l.tok, close = open == '[' ? ']' : '}';

    if (!x || task_stack_low(p->j->p->task)) {
        p->failed = true;
        return NULL;
    }
    if (open == JQT_BINDING) {
        x->name = p->l.str;
        jq_lex(&p->l);
        return x;
    }
    if (open != '[' && open != '{') {
        jq_unexpected(p, "BINDING or '[' or '{'");
        return NULL;
    }
    x->array = open == '[';
    x->object = open == '{';
    jq_lex(&p->l);
    do {
        if (x->n > 0 && !jq_expect(p, ',', NULL))
            return NULL;
        if (x->object) {
            if (!jq_parse_pattern_member(p, x))
                return NULL;
        } else {
            struct jq_pattern *sub = jq_parse_pattern(p);
            if (!sub || !jq_pattern_add(p, x, NULL, STR_NONE, sub))
                return NULL;
        }
    } while (p->l.tok == ',');
    return jq_expect(p, close, open == '[' ? "']'" : "'}'") ? x : NULL;
}

/* The alternatives behind `as`, into a. */
static bool jq_parse_patterns(struct jq_parser *p, struct jq_ast *a)
{
    uint32_t cap = 0;
    for (;;) {
        struct jq_pattern *x = jq_parse_pattern(p);
        if (!x)
            return false;
        if (a->npats == cap) {
            a->pats = arena_grow(&p->j->arena, a->pats, cap * sizeof *a->pats,
                                 (cap + 4) * sizeof *a->pats);
            cap += 4;
            if (!a->pats) {
                p->failed = true;
                return false;
            }
        }
        a->pats[a->npats++] = x;
        if (p->l.tok != JQT_ALTERNATION)
            return true;
        jq_lex(&p->l);
    }
}

/* ---- terms ----------------------------------------------------------------------------------- */

static struct jq_ast *jq_parse_loc(struct jq_parser *p)
{
    struct jq_ast *a = jq_node(p, JQA_CONST);
    struct jq_val o = jq_object(p->j, 2);
    double line = 1;

    for (uint32_t i = 0; i < p->l.start; i++)
        line += p->l.text.p[i] == '\n';
    jq_putz(p->j, &o, "file", jq_string(p->j, str_z(p->u->name)));
    jq_putz(p->j, &o, "line", jq_number(line));
    o = jq_keep(p->j, o);
    if (a)
        a->k = o;
    jq_lex(&p->l);
    return a;
}

/* The value of a member: terms with | between them, and minus. */
static struct jq_ast *jq_parse_member_value(struct jq_parser *p)
{
    struct jq_ast *a;
    if (task_stack_low(p->j->p->task))
        return jq_parse_error(p, "Program is nested too deeply");
    bool minus = false;
    for (; p->l.tok == '-'; jq_lex(&p->l))
        minus = !minus;
    a = jq_parse_postfix(p, true);
    if (minus)
        a = jq_node2(p, JQA_NEGATE, a, NULL);
    if (p->failed || p->l.tok != '|')
        return a;
    jq_lex(&p->l);
    return jq_node2(p, JQA_PIPE, a, jq_parse_member_value(p));
}

static struct jq_ast *jq_parse_member_key(struct jq_parser *p, bool *alone)
{
    struct jq_ast *key;
    uint32_t at = p->l.start;

    *alone = true;
    if (p->l.tok == JQT_BINDING) {
        key = jq_node(p, JQA_VAR);
        if (key)
            key->str = p->l.str;
        jq_lex(&p->l);
    } else if (p->l.tok == JQT_LOC) {
        key = jq_parse_loc(p);
    } else if (p->l.tok == JQT_IDENT || jq_is_keyword(p->l.tok)) {
        key = jq_node(p, JQA_CONST);
        struct jq_val name = jq_keep(p->j, jq_string(p->j, p->l.str));
        if (key)
            key->k = name;
        jq_lex(&p->l);
    } else if (p->l.tok == JQT_STRING) {
        key = jq_parse_string(p, STR_NONE);
    } else if (p->l.tok == JQT_FORMAT) {
        struct str format = p->l.str;
        if (jq_lex(&p->l) != JQT_STRING)
            return jq_unexpected(p, "QQSTRING_START");
        key = jq_parse_string(p, format);
    } else if (p->l.tok == '(') {
        *alone = false;
        jq_lex(&p->l);
        key = jq_parse_exp(p, JQ_BIND_PIPE);
        if (!jq_expect(p, ')', "')'") || !jq_check_key(p, key, at))
            return NULL;
    } else {
        bool number = p->l.tok == JQT_NUMBER;
        jq_unexpected(p, NULL);
        if (number)
            jq_locate(p->j, p->u, at, at, "May need parentheses around object key expression");
        return NULL;
    }
    return key;
}

static struct jq_ast *jq_parse_object(struct jq_parser *p)
{
    struct jq_ast *o = jq_node(p, JQA_OBJECT);

    jq_lex(&p->l);
    while (o && !p->failed && p->l.tok != '}') {
        bool alone, loc = p->l.tok == JQT_LOC;
        struct jq_ast *key = jq_parse_member_key(p, &alone), *pair;
        if (p->failed)
            return NULL;
        pair = jq_node2(p, JQA_PAIR, key, NULL);
        if (pair && loc) { /* {$__loc__} */
            pair->b = key;
            pair->a = jq_node(p, JQA_CONST);
            if (pair->a)
                pair->a->k = jq_keep(p->j, jq_string(p->j, STR("__loc__")));
        } else if (pair && (!alone || p->l.tok == ':')) {
            if (!jq_expect(p, ':', "':'"))
                return NULL;
            pair->sub = 1; /* the key is what $x holds, not its name */
            pair->b = jq_parse_member_value(p);
        }
        if (!pair || p->failed || !jq_list_add(p, &o->list, pair))
            return NULL;
        if (p->l.tok != ',')
            break;
        jq_lex(&p->l);
    }
    return jq_expect(p, '}', p->l.tok == JQT_EOF && o && o->list.n ? "'}'" : NULL) ? o : NULL;
}

static struct jq_ast *jq_parse_if(struct jq_parser *p)
{
    struct jq_ast *a = jq_node(p, JQA_IF);
    uint32_t at = p->l.start;
    bool first = p->l.tok == JQT_IF;

    if (!a || task_stack_low(p->j->p->task))
        return jq_parse_error(p, "Program is nested too deeply");
    jq_lex(&p->l);
    a->a = jq_parse_exp(p, JQ_BIND_PIPE);
    if (jq_expect(p, JQT_THEN, NULL)) {
        a->b = jq_parse_exp(p, JQ_BIND_PIPE);
        if (!p->failed && p->l.tok == JQT_ELIF) {
            a->c = jq_parse_if(p);
            if (!p->failed)
                return a;
        }
        if (!p->failed && p->l.tok == JQT_ELSE) {
            jq_lex(&p->l);
            a->c = jq_parse_exp(p, JQ_BIND_PIPE);
        }
    }
    if (jq_expect(p, JQT_END, NULL))
        return a;
    if (p->eof && first)
        jq_locate(p->j, p->u, at, at, "Possibly unterminated 'if' statement");
    return NULL;
}

/* reduce and foreach */
static struct jq_ast *jq_parse_loop(struct jq_parser *p)
{
    bool reduce = p->l.tok == JQT_REDUCE;
    struct jq_ast *a = jq_node(p, reduce ? JQA_REDUCE : JQA_FOREACH);

    jq_lex(&p->l);
    if (!a)
        return NULL;
    a->a = jq_parse_postfix(p, true);
    if (!jq_expect(p, JQT_AS, "as") || !jq_parse_patterns(p, a) || !jq_expect(p, '(', "'('"))
        return NULL;
    a->b = jq_parse_exp(p, JQ_BIND_PIPE);
    if (!jq_expect(p, ';', NULL))
        return NULL;
    a->c = jq_parse_exp(p, JQ_BIND_PIPE);
    if (!reduce && !p->failed && p->l.tok == ';') {
        jq_lex(&p->l);
        a->d = jq_parse_exp(p, JQ_BIND_PIPE);
    }
    return jq_expect(p, ')', NULL) ? a : NULL;
}

static struct jq_ast *jq_parse_call(struct jq_parser *p)
{
    struct jq_ast *a = jq_node(p, JQA_CALL);
    if (!a)
        return NULL;
    a->str = p->l.str;
    if (jq_lex(&p->l) != '(')
        return a;
    do {
        jq_lex(&p->l);
        if (!jq_list_add(p, &a->list, jq_parse_exp(p, JQ_BIND_PIPE)) || p->failed)
            return NULL;
    } while (p->l.tok == ';');
    return jq_expect(p, ')', "';' or ')'") ? a : NULL;
}

/* What begins a term, other than a dot. */
static struct jq_ast *jq_parse_primary(struct jq_parser *p)
{
    struct jq_ast *a;
    switch (p->l.tok) {
    case JQT_NUMBER:
        a = jq_node(p, JQA_CONST);
        if (a)
            a->k = jq_keep(p->j, jq_copy(p->l.number));
        jq_lex(&p->l);
        return a;
    case JQT_STRING: return jq_parse_string(p, STR_NONE);
    case JQT_FORMAT:
        a = jq_node(p, JQA_FORMAT);
        if (a)
            a->str = p->l.str;
        if (jq_lex(&p->l) == JQT_STRING && a)
            return jq_parse_string(p, a->str);
        return a;
    case '(':
        jq_lex(&p->l);
        a = jq_parse_exp(p, JQ_BIND_PIPE);
        return jq_expect(p, ')', p->l.tok == JQT_EOF ? NULL : "')'") ? a : NULL;
    case '[':
        a = jq_node(p, JQA_ARRAY);
        if (jq_lex(&p->l) != ']' && a)
            a->a = jq_parse_exp(p, JQ_BIND_PIPE);
        return jq_expect(p, ']', p->l.tok == JQT_EOF ? NULL : "']'") ? a : NULL;
    case '{': return jq_parse_object(p);
    case JQT_IF: return jq_parse_if(p);
    case JQT_REDUCE:
    case JQT_FOREACH: return jq_parse_loop(p);
    case JQT_LOC: return jq_parse_loc(p);
    case JQT_BINDING:
        a = jq_node(p, JQA_VAR);
        if (a)
            a->str = p->l.str;
        jq_lex(&p->l);
        return a;
    case JQT_RECURSE:
        a = jq_node(p, JQA_CALL);
        if (a)
            a->str = STR("recurse");
        jq_lex(&p->l);
        return a;
    case JQT_BREAK:
        a = jq_node(p, JQA_BREAK);
        if (jq_lex(&p->l) != JQT_BINDING)
            return jq_parse_error(p, "break requires a label to break to");
        if (a)
            a->str = p->l.str;
        jq_lex(&p->l);
        return a;
    case JQT_IDENT: return jq_parse_call(p);
    default: return jq_unexpected(p, NULL);
    }
}

/* [e], [], [a:b] behind a term whose bracket is the next token. */
static struct jq_ast *jq_parse_brackets(struct jq_parser *p, struct jq_ast *a)
{
    struct jq_ast *x = jq_node2(p, JQA_INDEX, a, NULL);

    if (!x)
        return NULL;
    if (jq_lex(&p->l) == ']') {
        x->op = JQA_EACH;
    } else if (p->l.tok == ':') {
        x->op = JQA_SLICE;
        jq_lex(&p->l);
        x->c = jq_parse_exp(p, JQ_BIND_PIPE);
    } else {
        x->b = jq_parse_exp(p, JQ_BIND_PIPE);
        if (!p->failed && p->l.tok == ':') {
            x->op = JQA_SLICE;
            if (jq_lex(&p->l) != ']')
                x->c = jq_parse_exp(p, JQ_BIND_PIPE);
        }
    }
    return jq_expect(p, ']', p->l.tok == JQT_EOF ? NULL : "']'") ? x : NULL;
}

/* .name or ."text" behind a term; the token is the field, or the string behind the dot. */
static struct jq_ast *jq_parse_field(struct jq_parser *p, struct jq_ast *a)
{
    struct jq_ast *x = jq_node2(p, JQA_INDEX, a, NULL);
    if (!x)
        return NULL;
    if (p->l.tok == JQT_STRING) {
        x->b = jq_parse_string(p, STR_NONE);
        return p->failed ? NULL : x;
    }
    x->b = jq_node(p, JQA_CONST);
    struct jq_val name = jq_keep(p->j, jq_string(p->j, p->l.str));
    if (x->b)
        x->b->k = name;
    jq_lex(&p->l);
    return x;
}

static struct jq_ast *jq_parse_dot(struct jq_parser *p)
{
    struct jq_ast *a = jq_node(p, JQA_IDENTITY);
    int tok = jq_lex(&p->l);
    if (tok == JQT_STRING)
        return jq_parse_field(p, a);
    if (tok == JQT_FORMAT) {
        struct jq_ast *x = jq_node2(p, JQA_INDEX, a, NULL);
        struct str format = p->l.str;
        if (jq_lex(&p->l) != JQT_STRING)
            return jq_unexpected(p, "QQSTRING_START");
        if (x)
            x->b = jq_parse_string(p, format);
        return x;
    }
    if (tok == JQT_IDENT || (jq_is_keyword(tok) && tok != JQT_AND && tok != JQT_OR &&
                             tok != JQT_AS && tok != JQT_THEN && tok != JQT_ELSE &&
                             tok != JQT_ELIF && tok != JQT_END && tok != JQT_CATCH)) {
        uint32_t at = a ? a->at : 0, start = p->l.start;
        if (jq_lex(&p->l) == JQT_EOF) /* jq notices only then */
            p->l.start = start;
        jq_unexpected(p, NULL);
        jq_locate(p->j, p->u, at, at,
                  "try .[\"field\"] instead of .field for unusually named fields");
        return NULL;
    }
    return a;
}

static struct jq_ast *jq_parse_postfix(struct jq_parser *p, bool question)
{
    struct jq_ast *a;

    if (task_stack_low(p->j->p->task))
        return jq_parse_error(p, "Program is nested too deeply");
    if (p->l.tok == '.')
        a = jq_parse_dot(p);
    else if (p->l.tok == JQT_FIELD)
        a = jq_parse_field(p, jq_node(p, JQA_IDENTITY));
    else
        a = jq_parse_primary(p);
    while (!p->failed && a) {
        if (p->l.tok == JQT_FIELD) {
            a = jq_parse_field(p, a);
        } else if (p->l.tok == '[') {
            a = jq_parse_brackets(p, a);
        } else if (p->l.tok == '.') {
            int tok = jq_lex(&p->l);
            if (tok == JQT_STRING)
                a = jq_parse_field(p, a);
            else if (tok == '[')
                a = jq_parse_brackets(p, a);
            else
                return jq_unexpected(p, "FORMAT or QQSTRING_START or '['");
        } else if (p->l.tok == '?' &&
                   (a->op == JQA_INDEX || a->op == JQA_EACH || a->op == JQA_SLICE) && !a->opt) {
            a->opt = true;
            jq_lex(&p->l);
        } else if (p->l.tok == '?' && question) {
            a = jq_node2(p, JQA_TRY, a, NULL);
            jq_lex(&p->l);
        } else {
            break;
        }
    }
    return p->failed ? NULL : a;
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* def name(params): body; with `def` as the present token. */
static struct jq_def *jq_parse_def(struct jq_parser *p)
{
    struct jq_def *d = p->failed ? NULL : arena_new(&p->j->arena, struct jq_def);

    if (!d) {
        p->failed = true;
        return NULL;
    }
    if (jq_lex(&p->l) != JQT_IDENT && !jq_is_keyword(p->l.tok)) {
        jq_unexpected(p, "IDENT");
        return NULL;
    }
    d->name = p->l.str;
    if (jq_lex(&p->l) == '(') {
        uint32_t cap = 0;
        do {
            int tok = jq_lex(&p->l);
            if (tok != JQT_IDENT && tok != JQT_BINDING && !jq_is_keyword(tok)) {
                jq_unexpected(p, "IDENT or BINDING");
                return NULL;
            }
            if (d->nparams == cap) {
                d->params = arena_grow(&p->j->arena, d->params, cap * sizeof *d->params,
                                       (cap + 4) * sizeof *d->params);
                cap += 4;
                if (!d->params) {
                    p->failed = true;
                    return NULL;
                }
            }
            d->params[d->nparams++] =
                tok == JQT_BINDING ? str_of(p->l.str.p - 1, p->l.str.n + 1) : p->l.str;
        } while (jq_lex(&p->l) == ';');
        if (!jq_expect(p, ')', "';' or ')'"))
            return NULL;
    }
    if (!jq_expect(p, ':', d->nparams ? "':'" : "'(' or ':'"))
        return NULL;
    d->body = jq_parse_exp(p, JQ_BIND_PIPE);
    return jq_expect(p, ';', NULL) ? d : NULL;
}

static struct jq_ast *jq_parse_try(struct jq_parser *p)
{
    struct jq_ast *a = jq_node(p, JQA_TRY);
    bool minus = jq_lex(&p->l) == '-';

    if (!a)
        return NULL;
    if (minus)
        jq_lex(&p->l);
    a->a = p->l.tok == JQT_TRY ? jq_parse_try(p) : jq_parse_postfix(p, false);
    if (minus)
        a->a = jq_node2(p, JQA_NEGATE, a->a, NULL);
    if (!p->failed && p->l.tok == JQT_CATCH) {
        jq_lex(&p->l);
        a->b = p->l.tok == JQT_TRY ? jq_parse_try(p) : jq_parse_postfix(p, false);
    }
    while (!p->failed && p->l.tok == '?') {
        a = jq_node2(p, JQA_TRY, a, NULL);
        jq_lex(&p->l);
    }
    return p->failed ? NULL : a;
}

static struct jq_ast *jq_parse_unary(struct jq_parser *p)
{
    struct jq_ast *a;

    if (p->failed || task_stack_low(p->j->p->task))
        return jq_parse_error(p, "Program is nested too deeply");
    switch (p->l.tok) {
    case '-':
        a = jq_node(p, JQA_NEGATE);
        jq_lex(&p->l);
        if (a)
            a->a = jq_parse_exp(p, JQ_BIND_MUL);
        return a;
    case JQT_DEF:
        a = jq_node(p, JQA_DEF);
        if (!a || !(a->def = jq_parse_def(p)))
            return NULL;
        a->a = jq_parse_exp(p, JQ_BIND_PIPE);
        return a;
    case JQT_LABEL:
        a = jq_node(p, JQA_LABEL);
        if (jq_lex(&p->l) != JQT_BINDING || !a)
            return jq_unexpected(p, "BINDING");
        a->str = p->l.str;
        jq_lex(&p->l);
        if (!jq_expect(p, '|', "'|'"))
            return NULL;
        a->a = jq_parse_exp(p, JQ_BIND_PIPE);
        return a;
    case JQT_TRY: return jq_parse_try(p);
    default: break;
    }
    a = jq_parse_postfix(p, true);
    if (p->failed || p->l.tok != JQT_AS)
        return a;
    struct jq_ast *x = jq_node2(p, JQA_BIND, a, NULL);
    jq_lex(&p->l);
    if (!x || !jq_parse_patterns(p, x) || !jq_expect(p, '|', "'|'"))
        return NULL;
    x->b = jq_parse_exp(p, JQ_BIND_PIPE);
    return x;
}

static int jq_operator_strength(int tok)
{
    switch (tok) {
    case '|': return JQ_BIND_PIPE;
    case ',': return JQ_BIND_COMMA;
    case JQT_DEFINEDOR: return JQ_BIND_ALT;
    case '=':
    case JQT_SETPIPE:
    case JQT_SETPLUS:
    case JQT_SETMINUS:
    case JQT_SETMULT:
    case JQT_SETDIV:
    case JQT_SETMOD:
    case JQT_SETDEFINEDOR: return JQ_BIND_ASSIGN;
    case JQT_OR: return JQ_BIND_OR;
    case JQT_AND: return JQ_BIND_AND;
    case JQT_EQ:
    case JQT_NEQ:
    case '<':
    case '>':
    case JQT_LE:
    case JQT_GE: return JQ_BIND_COMPARE;
    case '+':
    case '-': return JQ_BIND_ADD;
    case '*':
    case '/':
    case '%': return JQ_BIND_MUL;
    default: return -1;
    }
}

static struct jq_ast *jq_parse_exp(struct jq_parser *p, int min)
{
    static const uint8_t ops[] = {
        [JQ_BIND_PIPE] = JQA_PIPE,      [JQ_BIND_COMMA] = JQA_COMMA, [JQ_BIND_ALT] = JQA_ALT,
        [JQ_BIND_ASSIGN] = JQA_UPDATE,  [JQ_BIND_OR] = JQA_OR,       [JQ_BIND_AND] = JQA_AND,
        [JQ_BIND_COMPARE] = JQA_BINARY, [JQ_BIND_ADD] = JQA_BINARY,  [JQ_BIND_MUL] = JQA_BINARY,
    };
    struct jq_ast *a = jq_parse_unary(p);
    int last = -1;

    while (!p->failed) {
        int tok = p->l.tok, strength = jq_operator_strength(tok);
        bool right = strength == JQ_BIND_PIPE || strength == JQ_BIND_ALT;
        bool none = strength == JQ_BIND_ASSIGN || strength == JQ_BIND_COMPARE;
        if (strength < min)
            break;
        if (none && last == strength)
            return jq_unexpected(p, NULL);
        last = strength;
        jq_lex(&p->l);
        struct jq_ast *b = jq_parse_exp(p, right ? strength : strength + 1);
        a = jq_node2(p, ops[strength], a, b);
        if (a)
            a->sub = tok;
    }
    return p->failed ? NULL : a;
}

/* ---- programs -------------------------------------------------------------------------------- */

/* The object behind module, import or include. */
static bool jq_parse_meta(struct jq_parser *p, uint32_t at, struct jq_val *out)
{
    struct jq_ast *a = jq_parse_postfix(p, true);
    if (p->failed)
        return false;
    p->l.start = at;
    if (!jq_constant(p->j, a, out) && a->op != JQA_ARRAY)
        jq_parse_error(p, "Module metadata must be constant");
    else if (a->op == JQA_ARRAY || out->kind != JQ_OBJECT)
        jq_parse_error(p, "Module metadata must be an object");
    return !p->failed;
}

static bool jq_parse_import(struct jq_parser *p)
{
    bool include = p->l.tok == JQT_INCLUDE;
    uint32_t at = p->l.start;
    struct jq_dep *d = arena_new(&p->j->arena, struct jq_dep);

    if (!d || jq_lex(&p->l) != JQT_STRING)
        return jq_unexpected(p, "QQSTRING_START") != NULL;
    struct jq_ast *path = jq_parse_string(p, STR_NONE);
    if (p->failed)
        return false;
    if (path->op != JQA_CONST) {
        p->l.start = at;
        return jq_parse_error(p, "Import path must be constant") != NULL;
    }
    d->path = jq_text(path->k);
    if (!include) {
        if (!jq_expect(p, JQT_AS, "as"))
            return false;
        d->data = p->l.tok == JQT_BINDING;
        d->as = p->l.str;
        if (!d->data && p->l.tok != JQT_IDENT)
            return jq_unexpected(p, "IDENT or BINDING") != NULL;
        jq_lex(&p->l);
    }
    if (p->l.tok != ';' && !jq_parse_meta(p, at, &d->meta))
        return false;
    if (!jq_expect(p, ';', "';'"))
        return false;
    *p->u->last_dep = d;
    p->u->last_dep = &d->next;
    return true;
}

static void jq_parse_unit(struct jq_parser *p, bool library)
{
    jq_lex(&p->l);
    if (p->l.tok == JQT_MODULE) {
        uint32_t at = p->l.start;
        jq_lex(&p->l);
        p->u->is_module = true;
        if (!jq_parse_meta(p, at, &p->u->module) || !jq_expect(p, ';', "';'"))
            return;
    }
    while (p->l.tok == JQT_IMPORT || p->l.tok == JQT_INCLUDE)
        if (!jq_parse_import(p))
            return;
    while (!p->failed && p->l.tok == JQT_DEF) {
        struct jq_ast *d = jq_node(p, JQA_DEF);
        if (!d || !(d->def = jq_parse_def(p)) || !jq_list_add(p, &p->u->defs, d))
            return;
    }
    if (p->failed)
        return;
    if (p->l.tok != JQT_EOF) {
        /* What can begin nothing at all is taken for the end of an empty program. */
        if (p->l.tok == JQT_INVALID || (p->l.tok < 256 && strchr("%*/+=;,:|?<>)]}", p->l.tok)))
            jq_unexpected(p, "end of file");
        else
            p->u->main = jq_parse_exp(p, JQ_BIND_PIPE);
        if (!p->failed && p->l.tok != JQT_EOF)
            jq_unexpected(p, "end of file");
        if (library && !p->failed)
            jq_parse_error(p, "library should only have function definitions, not a main "
                              "expression");
    } else if (!library) {
        p->u->main = jq_node(p, JQA_IDENTITY);
    }
}

struct jq_unit *jq_parse(struct jq *j, struct str text, const char *name, bool library)
{
    struct jq_parser p = {.j = j, .l = {.j = j, .text = text}};

    p.u = arena_new(&j->arena, struct jq_unit);
    if (!p.u)
        return NULL;
    p.u->text = text;
    p.u->name = name;
    p.u->last_dep = &p.u->deps;
    jq_parse_unit(&p, library);
    jq_drop(j, p.l.number);
    return p.failed || j->heap->oom ? NULL : p.u;
}

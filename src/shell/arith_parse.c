/* arith_parse.c -- the text of an arithmetic expression to a tree
 *
 * Precedence climbing over bash's operators. Where bash stops with an error it shows the rest of
 * the text from the token it read last; `last` follows that token.
 */
#include "shell/arith.h"
#include "base/utf8.h"

enum { /* tokens beside single characters */
    ARITH_T_END = 0,
    ARITH_T_NUM = 256,
    ARITH_T_NAME,
    ARITH_T_PARAM,
    ARITH_T_PREINC,
    ARITH_T_PREDEC,
    ARITH_T_POSTINC,
    ARITH_T_POSTDEC,
    ARITH_T_BINARY = 512, /* + enum arith_op: an operator between two operands */
    ARITH_T_ASSIGN = 768  /* + enum arith_op: op=, or = alone with 0 */
};

static int arith_fail(struct arith_parse *a, const char *message)
{
    if (!a->failed) {
        a->error = message;
        a->failed = true;
    }
    return HOB_ESYNTAX;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int arith_digit(char c, uint64_t base)
{
    if (ascii_digit(c))
        return c - '0';
    if (ascii_lower(c))
        return c - 'a' + 10;
    if (ascii_upper(c))
        return c - 'A' + (base <= 36 ? 10 : 36);
    return c == '@' ? 62 : c == '_' ? 63 : -1;
}

/* Reads a number of bash's forms; the message of an error, NULL if it is right. */
static const char *arith_number(struct str s, int64_t *out)
{
    uint64_t base = 10, v = 0;
    bool found = false;
    size_t i = 0;
    if (s.n > 1 && s.p[0] == '0') {
        found = true;
        base = s.p[1] == 'x' || s.p[1] == 'X' ? 16 : 8;
        i = base == 16 ? 2 : 1;
    }
    for (; i < s.n; i++) {
        if (s.p[i] == '#') {
            if (found)
                return "invalid number";
            if (v < 2 || v > 64)
                return "invalid arithmetic base";
            base = v;
            v = 0;
            found = true;
            if (i + 1 >= s.n || arith_digit(s.p[i + 1], base) < 0)
                return "invalid integer constant";
            continue;
        }
        int d = arith_digit(s.p[i], base);
        if (d < 0 || (uint64_t)d >= base)
            return "value too great for base";
        v = v * base + (uint64_t)d;
    }
    *out = (int64_t)v;
    return NULL;
}

/* White space in an expression is a blank, a tab or a newline; bash takes no other. */
static bool arith_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

bool arith_constant(struct str s, int64_t *out)
{
    size_t i = 0;
    while (s.n && arith_blank(s.p[s.n - 1]))
        s.n--;
    while (i < s.n && arith_blank(s.p[i]))
        i++;
    bool minus = i < s.n && s.p[i] == '-';
    i += minus;
    if (i == s.n) {
        *out = 0;
        return !minus; /* an empty text counts as 0 */
    }
    if (!ascii_digit(s.p[i]))
        return false;
    uint64_t v = 0;
    if (s.p[i] != '0' && s.n - i < 19) {
        for (; i < s.n && ascii_digit(s.p[i]); i++)
            v = v * 10 + (uint64_t)(s.p[i] - '0');
        *out = minus ? -(int64_t)v : (int64_t)v;
        if (i == s.n)
            return true;
        return false;
    }
    for (size_t k = i; k < s.n; k++)
        if (!ascii_alnum(s.p[k]) && s.p[k] != '#' && s.p[k] != '@' && s.p[k] != '_')
            return false;
    if (arith_number(str_from(s, i), out))
        return false;
    if (minus)
        *out = (int64_t)(0 - (uint64_t)*out);
    return true;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static char arith_at(const struct arith_parse *a, size_t k)
{
    return (size_t)(a->end - a->p) > k ? a->p[k] : '\0';
}

/* Behind a name: its subscript up to the ] that belongs to it. */
static int arith_index(struct arith_parse *a)
{
    const char *s = a->p + 1;
    int depth = 1;
    for (; s < a->end; s++) {
        if (*s == '\\' && s + 1 < a->end) {
            s++;
        } else if (*s == '\'' || *s == '"') {
            const char *e = memchr(s + 1, *s, (size_t)(a->end - s - 1));
            s = e ? e : s;
        } else if (*s == '[') {
            depth++;
        } else if (*s == ']' && --depth == 0) {
            break;
        }
    }
    if (s >= a->end)
        return arith_fail(a, "bad array subscript");
    a->index = str_of(a->p + 1, (size_t)(s - a->p - 1));
    a->p = s + 1;
    return 0;
}

/* Behind a name bash reads one token more, and behind that one if it is a name too: what is wrong
 * there counts before anything else. */
static int arith_peek(struct arith_parse *a)
{
    const char *s = a->p;
    for (;;) {
        while (s < a->end && arith_blank(*s))
            s++;
        if (s == a->end || !(ascii_alpha(*s) || *s == '_'))
            break;
        while (s < a->end && (ascii_alnum(*s) || *s == '_'))
            s++;
        if (s < a->end && *s == '[')
            return 0;
    }
    if (s == a->end || *s == ARITH_MARK || strchr("+-*/%<>=!&|^~()?:,", *s))
        return 0;
    const char *bad = "syntax error: invalid arithmetic operator";
    if (ascii_digit(*s)) {
        const char *e = s;
        int64_t n;
        while (e < a->end && (ascii_alnum(*e) || *e == '#' || *e == '@' || *e == '_'))
            e++;
        bad = arith_number(str_of(s, (size_t)(e - s)), &n);
        if (!bad)
            return 0;
        a->end = e;
    }
    a->last = s;
    return arith_fail(a, bad);
}

static int arith_name_token(struct arith_parse *a)
{
    const char *s = a->p;
    while (s < a->end && (ascii_alnum(*s) || *s == '_'))
        s++;
    a->name = str_of(a->p, (size_t)(s - a->p));
    a->index = STR_NONE;
    a->p = s;
    a->token = ARITH_T_NAME;
    int r = arith_at(a, 0) == '[' ? arith_index(a) : 0;
    return r < 0 ? r : arith_peek(a);
}

static int arith_number_token(struct arith_parse *a)
{
    const char *s = a->p;
    while (s < a->end && (ascii_alnum(*s) || *s == '#' || *s == '@' || *s == '_'))
        s++;
    const char *bad = arith_number(str_of(a->p, (size_t)(s - a->p)), &a->num);
    if (bad) {
        a->end = s; /* the text is shown up to here */
        return arith_fail(a, bad);
    }
    a->p = s;
    a->token = ARITH_T_NUM;
    return 0;
}

/* ++ and --: behind a name, before a name, or two signs. */
static bool arith_double_sign(struct arith_parse *a, char c, int before)
{
    if (before == ARITH_T_NAME) {
        a->token = c == '+' ? ARITH_T_POSTINC : ARITH_T_POSTDEC;
        a->p += 2;
        return true;
    }
    const char *s = a->p + 2;
    while (s < a->end && arith_blank(*s))
        s++;
    if (s < a->end && (ascii_alpha(*s) || *s == '_')) {
        a->token = c == '+' ? ARITH_T_PREINC : ARITH_T_PREDEC;
        a->p += 2;
        return true;
    }
    return false;
}

static const struct {
    char text[4];
    int token;
} arith_operators[] = {
    /* longest first */
    {"<<=", ARITH_T_ASSIGN + ARITH_SHL},
    {">>=", ARITH_T_ASSIGN + ARITH_SHR},
    {"**", ARITH_T_BINARY + ARITH_POW},
    {"<<", ARITH_T_BINARY + ARITH_SHL},
    {">>", ARITH_T_BINARY + ARITH_SHR},
    {"<=", ARITH_T_BINARY + ARITH_LE},
    {">=", ARITH_T_BINARY + ARITH_GE},
    {"==", ARITH_T_BINARY + ARITH_EQ},
    {"!=", ARITH_T_BINARY + ARITH_NE},
    {"&&", ARITH_T_BINARY + ARITH_LAND},
    {"||", ARITH_T_BINARY + ARITH_LOR},
    {"*=", ARITH_T_ASSIGN + ARITH_MUL},
    {"/=", ARITH_T_ASSIGN + ARITH_DIV},
    {"%=", ARITH_T_ASSIGN + ARITH_MOD},
    {"+=", ARITH_T_ASSIGN + ARITH_ADD},
    {"-=", ARITH_T_ASSIGN + ARITH_SUB},
    {"&=", ARITH_T_ASSIGN + ARITH_AND},
    {"^=", ARITH_T_ASSIGN + ARITH_XOR},
    {"|=", ARITH_T_ASSIGN + ARITH_OR},
    {"=", ARITH_T_ASSIGN},
    {"*", ARITH_T_BINARY + ARITH_MUL},
    {"/", ARITH_T_BINARY + ARITH_DIV},
    {"%", ARITH_T_BINARY + ARITH_MOD},
    {"+", ARITH_T_BINARY + ARITH_ADD},
    {"-", ARITH_T_BINARY + ARITH_SUB},
    {"<", ARITH_T_BINARY + ARITH_LT},
    {">", ARITH_T_BINARY + ARITH_GT},
    {"&", ARITH_T_BINARY + ARITH_AND},
    {"^", ARITH_T_BINARY + ARITH_XOR},
    {"|", ARITH_T_BINARY + ARITH_OR},
    {"!", '!'},
    {"~", '~'},
    {"(", '('},
    {")", ')'},
    {"?", '?'},
    {":", ':'},
    {",", ','},
};

/* Reads the next token. */
static int arith_next(struct arith_parse *a)
{
    int before = a->token;
    while (a->p < a->end && arith_blank(*a->p))
        a->p++;
    if (a->p >= a->end) {
        a->token = ARITH_T_END;
        return 0;
    }
    a->last = a->p;
    char c = *a->p;
    if (ascii_alpha(c) || c == '_')
        return arith_name_token(a);
    if (ascii_digit(c))
        return arith_number_token(a);
    if (c == ARITH_MARK && a->nextparam < a->nparams) {
        a->p++;
        a->token = ARITH_T_PARAM;
        return 0;
    }
    bool changed = before == ARITH_T_PREINC || before == ARITH_T_PREDEC; /* ++x stands before */
    if ((c == '+' || c == '-') && arith_at(a, 1) == c) {
        if (changed)
            return arith_fail(a, c == '+' ? "++: assignment requires lvalue"
                                          : "--: assignment requires lvalue");
        if (arith_double_sign(a, c, before))
            return 0;
    }
    for (size_t i = 0; i < COUNT(arith_operators); i++) {
        size_t n = strlen(arith_operators[i].text);
        if ((size_t)(a->end - a->p) < n || memcmp(a->p, arith_operators[i].text, n) != 0)
            continue;
        if (n == 2 && (c == '+' || c == '-') && a->p[1] == c)
            continue;
        a->p += n;
        a->token = arith_operators[i].token;
        return 0;
    }
    bool operand =
        changed || before == ARITH_T_NUM || before == ARITH_T_NAME || before == ARITH_T_PARAM;
    return arith_fail(a, operand ? "syntax error: invalid arithmetic operator"
                                 : "syntax error: operand expected");
}

/* ---- the tree -------------------------------------------------------------------------------- */

static struct arith_node *arith_comma(struct arith_parse *a);
static struct arith_node *arith_assign(struct arith_parse *a);
static struct arith_node *arith_unary(struct arith_parse *a);

static struct arith_node *arith_node(struct arith_parse *a, int op)
{
    struct arith_node *n = arena_new(a->arena, struct arith_node);
    if (!n) {
        arith_fail(a, NULL);
        return NULL;
    }
    n->op = (uint8_t)op;
    n->at = (uint32_t)(a->last - a->text.p);
    return n;
}

static struct arith_node *arith_node2(struct arith_parse *a, int op, struct arith_node *x,
                                      struct arith_node *y)
{
    struct arith_node *n = x && y ? arith_node(a, op) : NULL;
    if (n) {
        n->u.sub.a = x;
        n->u.sub.b = y;
    }
    return n;
}

/* bash evaluates while it reads: what stands before an error takes effect. On the way out of a
 * failed parse each level puts what it has read in front of `before`. Returns NULL. */
static struct arith_node *arith_before(struct arith_parse *a, int op, struct arith_node *x)
{
    struct arith_node *n = x ? arith_node(a, op) : NULL;
    struct arith_node *zero = n ? arith_node(a, ARITH_NUM) : NULL;
    if (zero) {
        n->u.sub.a = x;
        n->u.sub.b = a->before ? a->before : zero;
        n->u.sub.c = zero;
        a->before = n;
    }
    return NULL;
}

/* Whether a subscript has to be expanded before it can be read. */
static bool arith_expands(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '$' || s.p[i] == '`' || s.p[i] == '"' || s.p[i] == '\'' || s.p[i] == '\\' ||
            s.p[i] == ARITH_MARK)
            return true;
    return false;
}

/* A subscript is an expression of its own; if it is none it may still be a key. */
static struct arith_node *arith_index_node(struct arith_parse *a, struct str text)
{
    struct arith_parse in = {.sh = a->sh, .arena = a->arena, .text = text, .depth = a->depth + 1};
    struct arith_node *n = NULL;
    if (text.n == 0 || arith_expands(text) || arith_parse(&in, &n) < 0)
        return NULL;
    return n;
}

static struct arith_node *arith_name(struct arith_parse *a)
{
    struct arith_node *n = arith_node(a, a->index.p ? ARITH_ELEM : ARITH_VAR);
    if (!n)
        return NULL;
    n->u.var.sym = sym_intern(a->sh, a->name);
    if (!n->u.var.sym) {
        arith_fail(a, NULL);
        return NULL;
    }
    if (a->index.p) {
        n->u.var.text = arena_str(a->arena, a->index);
        n->u.var.index = arith_index_node(a, n->u.var.text);
    }
    return n;
}

static struct arith_node *arith_primary(struct arith_parse *a)
{
    struct arith_node *n = NULL;
    int t = a->token;
    switch (t) {
    case ARITH_T_PREINC:
    case ARITH_T_PREDEC:
        if (arith_next(a) < 0)
            return NULL;
        if (a->token != ARITH_T_NAME) {
            arith_fail(a, "identifier expected after pre-increment or pre-decrement");
            return NULL;
        }
        n = arith_node(a, t == ARITH_T_PREINC ? ARITH_PREINC : ARITH_PREDEC);
        if (!n || !(n->u.sub.a = arith_name(a)))
            return NULL;
        a->token = t; /* no ++ may follow */
        break;
    case ARITH_T_NUM:
        n = arith_node(a, ARITH_NUM);
        if (n)
            n->u.num = a->num;
        break;
    case ARITH_T_PARAM:
        n = arith_node(a, ARITH_PARAM);
        if (n)
            n->u.num = a->nextparam++;
        break;
    case ARITH_T_NAME: n = arith_name(a); break;
    case '(':
        if (arith_next(a) < 0 || !(n = arith_comma(a)))
            return NULL;
        if (a->token != ')') {
            arith_fail(a, "missing `)'");
            return arith_before(a, ARITH_COMMA, n);
        }
        a->token = ARITH_T_NUM;
        break;
    default: arith_fail(a, "syntax error: operand expected"); return NULL;
    }
    if (!n || arith_next(a) < 0)
        return arith_before(a, ARITH_COMMA, n);
    if (t == ARITH_T_NAME && (a->token == ARITH_T_POSTINC || a->token == ARITH_T_POSTDEC)) {
        struct arith_node *m =
            arith_node(a, a->token == ARITH_T_POSTINC ? ARITH_POSTINC : ARITH_POSTDEC);
        if (!m)
            return NULL;
        a->token = ARITH_T_NUM;
        m->u.sub.a = n;
        n = m;
        if (arith_next(a) < 0)
            return arith_before(a, ARITH_COMMA, n);
    }
    return n;
}

static struct arith_node *arith_unary(struct arith_parse *a)
{
    int op;
    switch (a->token) {
    case '!': op = ARITH_NOT; break;
    case '~': op = ARITH_BITNOT; break;
    case ARITH_T_BINARY + ARITH_SUB: op = ARITH_NEG; break;
    case ARITH_T_BINARY + ARITH_ADD: op = ARITH_PLUS; break;
    default: return arith_primary(a);
    }
    if (++a->depth > 1000 || task_stack_low(a->sh->proc->task)) {
        arith_fail(a, "expression recursion level exceeded");
        return NULL;
    }
    struct arith_node *n = arith_next(a) < 0 ? NULL : arith_node(a, op);
    struct arith_node *x = n ? arith_unary(a) : NULL;
    a->depth--;
    if (!x)
        return NULL;
    n->u.sub.a = x;
    return n;
}

static struct arith_node *arith_power(struct arith_parse *a)
{
    struct arith_node *n = arith_unary(a);
    if (!n || a->token != ARITH_T_BINARY + ARITH_POW)
        return n;
    if (++a->depth > 1000) {
        arith_fail(a, "expression recursion level exceeded");
        return NULL;
    }
    struct arith_node *b = arith_next(a) < 0 ? NULL : arith_power(a);
    a->depth--;
    a->powers = true;
    return b ? arith_node2(a, ARITH_POW, n, b) : arith_before(a, ARITH_COMMA, n);
}

/* How tightly an operator binds; 0: it is none between two operands. */
static int arith_level(int token)
{
    if (token < ARITH_T_BINARY || token >= ARITH_T_ASSIGN)
        return 0;
    switch (token - ARITH_T_BINARY) {
    case ARITH_LOR: return 1;
    case ARITH_LAND: return 2;
    case ARITH_OR: return 3;
    case ARITH_XOR: return 4;
    case ARITH_AND: return 5;
    case ARITH_EQ:
    case ARITH_NE: return 6;
    case ARITH_LT:
    case ARITH_LE:
    case ARITH_GT:
    case ARITH_GE: return 7;
    case ARITH_SHL:
    case ARITH_SHR: return 8;
    case ARITH_ADD:
    case ARITH_SUB: return 9;
    case ARITH_MUL:
    case ARITH_DIV:
    case ARITH_MOD: return 10;
    default: return 0;
    }
}

static struct arith_node *arith_binary(struct arith_parse *a, int level)
{
    struct arith_node *n = arith_power(a);
    int l;
    while (n && (l = arith_level(a->token)) >= level && l) {
        int op = a->token - ARITH_T_BINARY;
        const char *s = a->p;
        struct arith_node *b = arith_next(a) < 0 ? NULL : arith_binary(a, l + 1);
        if (!b)
            return arith_before(a, op == ARITH_LAND || op == ARITH_LOR ? op : ARITH_COMMA, n);
        n = arith_node2(a, op, n, b);
        while (s < a->end && arith_blank(*s))
            s++;
        if (n && (op == ARITH_DIV || op == ARITH_MOD))
            n->at = (uint32_t)(s - a->text.p);
    }
    return n;
}

static struct arith_node *arith_cond(struct arith_parse *a)
{
    struct arith_node *c = arith_binary(a, 1), *n;
    if (!c || a->token != '?')
        return c;
    if (arith_next(a) < 0)
        return arith_before(a, ARITH_COND, c);
    if (a->token == ARITH_T_END || a->token == ':') {
        arith_fail(a, "expression expected");
        return arith_before(a, ARITH_COND, c);
    }
    struct arith_node *x = arith_comma(a);
    if (!x)
        return arith_before(a, ARITH_COND, c);
    n = arith_node2(a, ARITH_COND, c, x);
    if (!n)
        return NULL;
    if (a->token != ':')
        arith_fail(a, "`:' expected for conditional expression");
    else if (arith_next(a) >= 0 && a->token == ARITH_T_END)
        arith_fail(a, "expression expected");
    n->u.sub.c = a->failed ? NULL : arith_cond(a);
    if (n->u.sub.c)
        return n;
    n->u.sub.c = a->before ? a->before : arith_node(a, ARITH_NUM);
    a->before = n->u.sub.c ? n : NULL;
    return NULL;
}

static struct arith_node *arith_assign(struct arith_parse *a)
{
    if (++a->depth > 1000 || task_stack_low(a->sh->proc->task)) {
        arith_fail(a, "expression recursion level exceeded");
        return NULL;
    }
    struct arith_node *n = arith_cond(a);
    if (n && a->token >= ARITH_T_ASSIGN) {
        if (n->op != ARITH_VAR && n->op != ARITH_ELEM) {
            arith_fail(a, "attempted assignment to non-variable");
            struct arith_node *last = n; /* what stands before the = was not looked at */
            while (last->op > ARITH_ELEM && last->op != ARITH_COND && last->op != ARITH_PARAM &&
                   last->op != ARITH_NUM && last->op != ARITH_POSTINC &&
                   last->op != ARITH_POSTDEC && last->op != ARITH_PREINC &&
                   last->op != ARITH_PREDEC)
                last = last->op == ARITH_NEG || last->op == ARITH_PLUS || last->op == ARITH_NOT ||
                               last->op == ARITH_BITNOT
                           ? last->u.sub.a
                           : last->u.sub.b;
            if (a->token == ARITH_T_ASSIGN && (last->op == ARITH_VAR || last->op == ARITH_ELEM)) {
                last->op = ARITH_NUM;
                last->u.num = 1;
            }
            return arith_before(a, ARITH_COMMA, n);
        }
        int op = a->token - ARITH_T_ASSIGN;
        struct arith_node *b = arith_next(a) < 0 ? NULL : arith_assign(a);
        if (!b && op)
            arith_before(a, ARITH_COMMA, n);
        n = arith_node2(a, ARITH_ASSIGN, n, b);
        if (n)
            n->sub = (uint8_t)op;
    }
    a->depth--;
    return n;
}

static struct arith_node *arith_comma(struct arith_parse *a)
{
    struct arith_node *n = arith_assign(a);
    while (n && a->token == ',') {
        struct arith_node *b = arith_next(a) < 0 ? NULL : arith_assign(a);
        n = b ? arith_node2(a, ARITH_COMMA, n, b) : arith_before(a, ARITH_COMMA, n);
    }
    return n;
}

int arith_parse(struct arith_parse *a, struct arith_node **out)
{
    *out = NULL;
    a->p = a->last = a->text.p ? a->text.p : "";
    a->end = a->p + a->text.n;
    a->token = ARITH_T_END;
    if (arith_next(a) < 0)
        return HOB_ESYNTAX;
    if (a->token == ARITH_T_END)
        return 0;
    *out = arith_comma(a);
    if (*out && a->token != ARITH_T_END) {
        arith_fail(a, "syntax error in expression");
        a->before = *out;
        const char *s = a->p;
        while (s < a->end && arith_blank(*s))
            s++;
        bool assigned = a->end - s > 0 && *s == '=' && (a->end - s == 1 || s[1] != '=');
        if (a->token == ARITH_T_NAME && !assigned) { /* its value was looked at when it was read */
            struct arith_node *name = arith_name(a);
            struct arith_node *both = name ? arith_node2(a, ARITH_COMMA, *out, name) : NULL;
            a->before = both ? both : *out;
        }
    }
    if (a->failed) {
        *out = NULL;
        return a->error ? HOB_ESYNTAX : HOB_ENOMEM;
    }
    return *out ? 0 : HOB_ENOMEM;
}

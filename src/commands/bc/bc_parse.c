/* bc_parse.c -- from the words of bc to the bytes of its machine */
#include "commands/bc/bc.h"

#include "base/error.h"

/* What an expression was, for the statement around it. */
enum {
    BC_EX_ASSIGN = 0, /* its value is not printed */
    BC_EX_VALUE = 1,
    BC_EX_COMPARE = 2,
    BC_EX_PAREN = 4,
    BC_EX_VOID = 8
};
/* How strongly operators bind, from the weakest. */
enum {
    BC_P_OR,
    BC_P_AND,
    BC_P_NOT,
    BC_P_RELATION,
    BC_P_ASSIGN,
    BC_P_ADD,
    BC_P_MUL,
    BC_P_POW,
    BC_P_UNARY
};

static int bc_expression(struct bc *b, int level);
static void bc_statement(struct bc *b);

static void bc_syntax(struct bc *b)
{
    if (!b->failed)
        bc_complain(b, "syntax error");
    b->failed = true;
}

/* Constructs that POSIX does not have: -w tells, -s refuses. */
static void bc_extension(struct bc *b, const char *what)
{
    if (b->source || b->failed)
        return;
    if (b->standard) {
        bc_complain(b, "Error: %s", what);
        b->failed = true;
    } else if (b->warn) {
        bc_complain(b, "(Warning) %s", what);
    }
}

static void bc_long_name(struct bc *b, struct str name)
{
    if (name.n < 2 || !(b->warn || b->standard))
        return;
    struct str text = arena_printf(b->p->arena, "multiple letter name - %.*s", STR_ARG(name));
    bc_extension(b, text.p ? text.p : "multiple letter name");
}

static bool bc_is(struct bc *b, int kind) { return !b->failed && b->token.kind == kind; }

static bool bc_accept(struct bc *b, int kind)
{
    if (!bc_is(b, kind))
        return false;
    bc_next(b);
    return true;
}

static void bc_expect(struct bc *b, int kind)
{
    if (!bc_accept(b, kind))
        bc_syntax(b);
}

/* ---- writing bytes --------------------------------------------------------------------------- */

static void bc_emit(struct bc *b, const char *ops) { buf_addz(&b->func->code, ops); }

static void bc_emit_var(struct bc *b, char op, int var)
{
    buf_putc(&b->func->code, op);
    if (var > 127)
        buf_putc(&b->func->code, (char)(var >> 8 | 0x80));
    buf_putc(&b->func->code, (char)var);
}

static int bc_label(struct bc *b)
{
    return vec_push(&b->p->kernel->heap, &b->func->labels, 0) ? (int)b->func->labels.n - 1 : 0;
}

static void bc_emit_jump(struct bc *b, char op, int label)
{
    buf_putc(&b->func->code, op);
    buf_putc(&b->func->code, (char)label);
    buf_putc(&b->func->code, (char)(label >> 8));
}

static void bc_emit_label(struct bc *b, int label)
{
    if ((size_t)label < b->func->labels.n)
        b->func->labels.p[label] = b->func->code.n;
}

/* The number of a variable (0), array (1) or function (2), made when it is new. */
static int bc_lookup(struct bc *b, int kind, struct str name)
{
    struct heap *h = &b->p->kernel->heap;
    void **v = map_put(&b->names[kind], name);
    if (!v)
        return BC_SPECIAL;
    if (*v)
        return (int)(intptr_t)*v - 1;
    size_t n = kind == 0 ? b->vars.n : kind == 1 ? b->arrays.n : b->funcs.n;
    struct str own = arena_str(b->p->arena, name);
    bool ok = own.p && n < BC_MAX_NAMES;
    if (kind == 0) {
        ok = ok && vec_push(h, &b->vars, (struct bc_var){0}) && vec_push(h, &b->var_names, own);
    } else if (kind == 1) {
        ok = ok && vec_push(h, &b->arrays, (struct bc_var){0}) && vec_push(h, &b->array_names, own);
    } else {
        struct bc_func *f = ok ? heap_new(h, struct bc_func) : NULL;
        if (f) {
            f->name = own;
            buf_init(&f->code, h);
        }
        if (f && !vec_push(h, &b->funcs, f)) {
            heap_drop(h, f);
            f = NULL;
        }
        ok = f != NULL;
    }
    if (!ok) {
        map_del(&b->names[kind], name);
        b->failed = true;
        b->err = HOB_ENOMEM;
        return BC_SPECIAL;
    }
    *v = (void *)(intptr_t)(n + 1);
    return (int)n;
}

/* ---- expressions ----------------------------------------------------------------------------- */

static void bc_number(struct bc *b)
{
    struct str s = b->token.text;
    if (str_eqz(s, "0") || str_eqz(s, "1")) {
        buf_str(&b->func->code, s);
    } else {
        buf_putc(&b->func->code, b->source ? 'k' : 'K');
        buf_str(&b->func->code, s);
        buf_putc(&b->func->code, ':');
    }
    bc_next(b);
}

static int bc_call(struct bc *b, struct str name)
{
    struct buf types;
    int f = bc_lookup(b, 2, name);

    buf_init(&types, &b->p->kernel->heap);
    for (bool first = true; !b->failed && !bc_is(b, ')'); first = false) {
        if (!first)
            bc_expect(b, ',');
        bool array = false;
        if (bc_is(b, BC_T_NAME)) {
            /* `a[]` hands a whole array over; it shows only behind the bracket. */
            struct str own = arena_str(b->p->arena, b->token.text);
            struct bc_token save = b->token;
            int c = bc_getc(b);
            while (c == ' ' || c == '\t')
                c = bc_getc(b);
            int d = c == '[' ? bc_getc(b) : 0;
            if (c == '[' && d == ']' && own.p) {
                array = true;
                bc_next(b);
                int v = bc_lookup(b, 1, own);
                buf_printf(&b->func->code, "k%d:", v);
            } else {
                /* Not one: what was read goes back by way of the source text. */
                b->token = save;
                b->token.op = (char)(c == '[' ? '[' : 0);
                if (c == '[' && d == '\n')
                    b->line--;
                else if (c == '\n')
                    b->line--;
                b->ahead = c == '[' ? d : c;
            }
        }
        if (!array && bc_expression(b, BC_P_OR) & BC_EX_COMPARE)
            bc_extension(b, "comparison in argument");
        buf_putc(&types, array ? '1' : '0');
    }
    if (bc_is(b, ')'))
        bc_long_name(b, name);
    bc_expect(b, ')');
    bc_emit_var(b, 'C', f);
    buf_str(&b->func->code, buf_get(&types));
    buf_putc(&b->func->code, ':');
    buf_fini(&types);
    struct bc_func *func = bc_func_at(b, (size_t)f);
    return func && func->is_void ? BC_EX_VOID : BC_EX_VALUE;
}

/* A place that can be assigned to: a variable (*array false), or an element whose subscript the
 * code pushes. -1: it was a call, whose kind is *ex. */
static int bc_place(struct bc *b, bool *array, int *ex)
{
    int kind = b->token.kind, var = BC_SPECIAL;
    *array = false;
    if (kind != BC_T_NAME) {
        if (kind == BC_W_LAST || kind == BC_W_HISTORY)
            bc_extension(b, kind == BC_W_LAST ? "Last variable" : "History variable");
        bc_next(b);
        return kind == BC_W_IBASE     ? BC_IBASE
               : kind == BC_W_OBASE   ? BC_OBASE
               : kind == BC_W_SCALE   ? BC_SCALE
               : kind == BC_W_HISTORY ? BC_HISTORY
                                      : BC_LAST;
    }
    struct str name = arena_str(b->p->arena, b->token.text);
    bool bracket = b->token.op == '['; /* taken already, see bc_call */
    if (!name.p) {
        b->failed = true;
        return var;
    }
    bc_next(b);
    if (bracket || bc_accept(b, '[')) {
        *array = true;
        if (bc_expression(b, BC_P_OR) & BC_EX_COMPARE)
            bc_extension(b, "comparison in subscript");
        if (bc_is(b, ']'))
            bc_long_name(b, name);
        bc_expect(b, ']');
        return bc_lookup(b, 1, name);
    }
    if (bc_accept(b, '(')) {
        *ex = bc_call(b, name);
        return -1;
    }
    bc_long_name(b, name);
    return bc_lookup(b, 0, name);
}

static int bc_named(struct bc *b)
{
    bool array;
    int ex = BC_EX_VALUE, var = bc_place(b, &array, &ex);
    if (var < 0 || b->failed)
        return ex;
    if (bc_is(b, BC_T_INCR) || bc_is(b, BC_T_DECR)) {
        bool up = b->token.kind == BC_T_INCR;
        bc_next(b);
        if (array) {
            bc_emit(b, "D");
            bc_emit_var(b, 'L', var);
            bc_emit(b, "x");
            bc_emit_var(b, up ? 'A' : 'M', var);
        } else {
            bc_emit_var(b, 'l', var);
            bc_emit_var(b, up ? 'i' : 'd', var);
        }
        return BC_EX_VALUE;
    }
    if (bc_is(b, BC_T_ASSIGN)) {
        char op[2] = {b->token.op, 0};
        bc_next(b);
        if (op[0] != '=') {
            if (array)
                bc_emit(b, "D");
            bc_emit_var(b, array ? 'L' : 'l', var);
        }
        bc_expression(b, BC_P_ASSIGN);
        if (op[0] != '=')
            bc_emit(b, op);
        bc_emit_var(b, array ? 'S' : 's', var);
        return BC_EX_ASSIGN;
    }
    bc_emit_var(b, array ? 'L' : 'l', var);
    return BC_EX_VALUE;
}

/* length(), sqrt(), read(), random(), scale() and the variable scale. */
static int bc_special(struct bc *b)
{
    int kind = b->token.kind;
    if (kind == BC_W_SCALE) {
        int c = bc_getc(b);
        while (c == ' ' || c == '\t')
            c = bc_getc(b);
        if (c != '(') {
            if (c == '\n')
                b->line--;
            b->ahead = c;
            return bc_named(b);
        }
        b->ahead = c;
    }
    bc_next(b);
    bc_expect(b, '(');
    if (kind == BC_W_READ || kind == BC_W_RANDOM) {
        bc_extension(b, kind == BC_W_READ ? "read function" : "random function");
        bc_expect(b, ')');
        bc_emit(b, kind == BC_W_READ ? "cI" : "cX");
        return BC_EX_VALUE;
    }
    bc_expression(b, BC_P_OR);
    bc_expect(b, ')');
    bc_emit(b, kind == BC_W_LENGTH ? "cL" : kind == BC_W_SQRT ? "cR" : "cS");
    return BC_EX_VALUE;
}

static int bc_primary(struct bc *b)
{
    bool array;
    int ex = BC_EX_VALUE;
    switch (b->token.kind) {
    case BC_T_NUMBER: bc_number(b); return BC_EX_VALUE;
    case '(':
        bc_next(b);
        ex = bc_expression(b, BC_P_OR);
        bc_expect(b, ')');
        return ex | BC_EX_VALUE | BC_EX_PAREN;
    case '-':
        bc_next(b);
        ex = bc_expression(b, BC_P_UNARY);
        bc_emit(b, "n");
        return BC_EX_VALUE | (ex & BC_EX_COMPARE);
    case BC_T_INCR:
    case BC_T_DECR: {
        bool up = b->token.kind == BC_T_INCR;
        bc_next(b);
        int var = b->token.kind == BC_T_NAME || b->token.kind >= BC_T_WORDS
                      ? bc_place(b, &array, &ex)
                      : -1;
        if (var < 0) {
            bc_syntax(b);
            return ex;
        }
        if (array)
            bc_emit(b, "D");
        bc_emit_var(b, array ? up ? 'A' : 'M' : up ? 'i' : 'd', var);
        bc_emit_var(b, array ? 'L' : 'l', var);
        return BC_EX_VALUE;
    }
    case BC_T_NAME:
    case BC_W_IBASE:
    case BC_W_OBASE:
    case BC_W_HISTORY:
    case BC_W_LAST: return bc_named(b);
    case BC_W_SCALE:
    case BC_W_LENGTH:
    case BC_W_SQRT:
    case BC_W_READ:
    case BC_W_RANDOM: return bc_special(b);
    default: bc_syntax(b); return ex;
    }
}

/* && and ||, whose right side may not run. */
static int bc_logical(struct bc *b, bool is_and)
{
    int label = bc_label(b), right;
    bc_extension(b, is_and ? "&& operator" : "|| operator");
    if (is_and) {
        bc_emit(b, "D");
        bc_emit_jump(b, 'Z', label);
        bc_emit(b, "p");
        right = bc_expression(b, BC_P_AND + 1);
        bc_emit(b, "D");
        bc_emit_jump(b, 'Z', label);
        bc_emit(b, "p1");
        bc_emit_label(b, label);
    } else {
        int end = bc_label(b);
        bc_emit_jump(b, 'B', label);
        right = bc_expression(b, BC_P_OR + 1);
        bc_emit_jump(b, 'B', label);
        bc_emit(b, "0");
        bc_emit_jump(b, 'J', end);
        bc_emit_label(b, label);
        bc_emit(b, "1");
        bc_emit_label(b, end);
    }
    return BC_EX_VALUE | (right & BC_EX_COMPARE);
}

static int bc_operator(struct bc *b, int level, int *ex)
{
    int kind = b->token.kind;
    char op[2] = {(char)kind, 0};
    int own = kind == BC_T_OR                             ? BC_P_OR
              : kind == BC_T_AND                          ? BC_P_AND
              : kind == BC_T_RELATION                     ? BC_P_RELATION
              : kind == '+' || kind == '-'                ? BC_P_ADD
              : kind == '*' || kind == '/' || kind == '%' ? BC_P_MUL
              : kind == '^'                               ? BC_P_POW
                                                          : -1;
    if (own < level)
        return 0;
    if (kind == BC_T_RELATION)
        op[0] = b->token.op;
    bc_next(b);
    if (own <= BC_P_AND) {
        *ex = bc_logical(b, own == BC_P_AND) | (*ex & BC_EX_COMPARE);
        return 1;
    }
    *ex |= bc_expression(b, own == BC_P_POW ? BC_P_POW : own + 1);
    bc_emit(b, op);
    *ex = BC_EX_VALUE | (own == BC_P_RELATION ? BC_EX_COMPARE : *ex & BC_EX_COMPARE);
    return 1;
}

static int bc_expression(struct bc *b, int level)
{
    int ex;
    if (b->failed)
        return BC_EX_VALUE;
    if (task_stack_low(b->p->task)) {
        b->failed = true;
        b->err = HOB_ELOOP;
        return BC_EX_VALUE;
    }
    if (bc_is(b, '!')) {
        bc_next(b);
        ex = bc_expression(b, MAX(level, BC_P_RELATION));
        bc_extension(b, "! operator");
        bc_emit(b, "!");
        ex = BC_EX_VALUE | (ex & BC_EX_COMPARE);
    } else {
        ex = bc_primary(b);
    }
    while (!b->failed && bc_operator(b, level, &ex))
        ;
    return ex;
}

/* ---- statements ------------------------------------------------------------------------------ */

static void bc_newlines(struct bc *b)
{
    while (bc_accept(b, '\n'))
        ;
}

static void bc_if(struct bc *b)
{
    int no = bc_label(b);
    bc_expect(b, '(');
    bc_expression(b, BC_P_OR);
    bc_expect(b, ')');
    bc_emit_jump(b, 'Z', no);
    bc_newlines(b);
    bc_statement(b);
    if (bc_accept(b, BC_W_ELSE)) {
        int end = bc_label(b);
        bc_extension(b, "else clause in if statement");
        bc_emit_jump(b, 'J', end);
        bc_emit_label(b, no);
        bc_newlines(b);
        bc_statement(b);
        no = end;
    }
    bc_emit_label(b, no);
}

static void bc_while(struct bc *b)
{
    int top = bc_label(b), old_break = b->loop_break, old_continue = b->loop_continue;
    b->loop_break = bc_label(b);
    b->loop_continue = top;
    bc_emit_label(b, top);
    bc_expect(b, '(');
    bc_expression(b, BC_P_OR);
    bc_emit_jump(b, 'Z', b->loop_break);
    bc_expect(b, ')');
    bc_newlines(b);
    bc_statement(b);
    bc_emit_jump(b, 'J', top);
    bc_emit_label(b, b->loop_break);
    b->loop_break = old_break;
    b->loop_continue = old_continue;
}

/* A part of `for` that is left out. */
static bool bc_for_empty(struct bc *b, int end)
{
    if (!bc_is(b, end))
        return false;
    bc_extension(b, "Missing expression in for statement");
    return true;
}

static void bc_for(struct bc *b)
{
    int old_break = b->loop_break, old_continue = b->loop_continue;
    int test = bc_label(b), body = bc_label(b);
    b->loop_break = bc_label(b);
    b->loop_continue = bc_label(b);
    bc_expect(b, '(');
    if (!bc_for_empty(b, ';')) {
        bc_expression(b, BC_P_OR);
        bc_emit(b, "p");
    }
    bc_expect(b, ';');
    bc_emit_label(b, test);
    if (bc_for_empty(b, ';'))
        bc_emit(b, "1");
    else
        bc_expression(b, BC_P_OR);
    bc_expect(b, ';');
    bc_emit_jump(b, 'B', body);
    bc_emit_jump(b, 'J', b->loop_break);
    bc_emit_label(b, b->loop_continue);
    if (!bc_for_empty(b, ')')) {
        bc_expression(b, BC_P_OR);
        bc_emit(b, "p");
    }
    bc_expect(b, ')');
    bc_emit_jump(b, 'J', test);
    bc_emit_label(b, body);
    bc_newlines(b);
    bc_statement(b);
    bc_emit_jump(b, 'J', b->loop_continue);
    bc_emit_label(b, b->loop_break);
    b->loop_break = old_break;
    b->loop_continue = old_continue;
}

static void bc_print(struct bc *b)
{
    bc_extension(b, "print statement");
    do {
        if (bc_is(b, BC_T_STRING)) {
            buf_putc(&b->func->code, 'O');
            buf_str(&b->func->code, b->token.text);
            buf_putc(&b->func->code, '"');
            bc_next(b);
        } else {
            bc_expression(b, BC_P_OR);
            bc_emit(b, "P");
        }
    } while (bc_accept(b, ','));
}

/* break and continue; a complaint tells the line of the word, so what follows is not yet read. */
static void bc_jump(struct bc *b, int label, const char *what)
{
    if (label < 0) {
        bc_complain(b, what[0] == 'C' ? "%s outside a for" : "%s outside a for/while", what);
        b->failed = true;
        return;
    }
    bc_emit_jump(b, 'J', label);
    bc_next(b);
}

static void bc_return(struct bc *b)
{
    if (bc_is(b, '\n') || bc_is(b, ';') || bc_is(b, '}'))
        bc_emit(b, "0");
    else {
        int ex = bc_expression(b, BC_P_OR);
        if (ex & BC_EX_COMPARE)
            bc_extension(b, "comparison in return expresion");
        if (!(ex & BC_EX_PAREN))
            bc_extension(b, "return expression requires parenthesis");
    }
    bc_emit(b, "R");
    if (!b->in_function && !b->failed) {
        bc_complain(b, "Return outside of a function.");
        b->failed = true;
    }
}

static void bc_limits(struct bc *b)
{
    static const char text[] = "BC_BASE_MAX     = 2147483647\n"
                               "BC_DIM_MAX      = 16777215\n"
                               "BC_SCALE_MAX    = 2147483647\n"
                               "BC_STRING_MAX   = 2147483647\n"
                               "MAX Exponent    = 9223372036854775807\n"
                               "Number of vars  = 32767\n";
    out_puts(&b->out, text);
}

/* Statements up to a closing brace. */
static void bc_block(struct bc *b)
{
    while (!b->failed && !bc_is(b, '}')) {
        if (bc_accept(b, '\n') || bc_accept(b, ';'))
            continue;
        if (bc_is(b, BC_T_EOF)) {
            bc_syntax(b);
            return;
        }
        bc_statement(b);
        if (!bc_is(b, '\n') && !bc_is(b, ';') && !bc_is(b, '}'))
            bc_syntax(b);
    }
    bc_expect(b, '}');
}

static void bc_statement(struct bc *b)
{
    int kind = b->token.kind;
    if (b->failed)
        return;
    if (task_stack_low(b->p->task)) {
        b->failed = true;
        b->err = HOB_ELOOP;
        return;
    }
    if (kind == BC_T_STRING) {
        buf_putc(&b->func->code, 'w');
        buf_str(&b->func->code, b->token.text);
        buf_putc(&b->func->code, '"');
        bc_next(b);
        return;
    }
    if (kind == BC_W_QUIT) { /* at once, wherever it stands */
        b->halted = b->failed = true;
        return;
    }
    if (kind == ';' || kind == '\n')
        return;
    bool word = kind == '{' || kind == BC_W_IF || kind == BC_W_WHILE || kind == BC_W_FOR ||
                kind == BC_W_PRINT || kind == BC_W_BREAK || kind == BC_W_CONTINUE ||
                kind == BC_W_HALT || kind == BC_W_RETURN || kind == BC_W_LIMITS ||
                kind == BC_W_WARRANTY;
    if (word && kind != BC_W_BREAK && kind != BC_W_CONTINUE)
        bc_next(b);
    switch (kind) {
    case '{': bc_block(b); break;
    case BC_W_IF: bc_if(b); break;
    case BC_W_WHILE: bc_while(b); break;
    case BC_W_FOR: bc_for(b); break;
    case BC_W_PRINT: bc_print(b); break;
    case BC_W_BREAK: bc_jump(b, b->loop_break, "Break"); break;
    case BC_W_CONTINUE:
        bc_extension(b, "Continue statement");
        bc_jump(b, b->loop_continue, "Continue");
        break;
    case BC_W_HALT: bc_emit(b, "h"); break;
    case BC_W_RETURN: bc_return(b); break;
    case BC_W_LIMITS: bc_limits(b); break;
    case BC_W_WARRANTY:
        out_puts(&b->out,
                 "\nThis bc is a part of Hob, under the Apache License, version 2.0: it comes "
                 "without\nwarranties or conditions of any kind.\n\n");
        break;
    default: {
        int ex = bc_expression(b, BC_P_OR);
        if (ex & BC_EX_COMPARE)
            bc_extension(b, "comparison in expression");
        bc_emit(b, ex & BC_EX_VALUE ? "W" : "p");
    }
    }
}

/* ---- definitions ----------------------------------------------------------------------------- */

static void bc_local(struct bc *b, struct bc_func *f, bool param)
{
    struct bc_local l = {.by_ref = bc_accept(b, '*')};
    struct str name = arena_str(b->p->arena, b->token.text);
    if (!bc_is(b, BC_T_NAME) || !name.p) {
        bc_syntax(b);
        return;
    }
    bc_next(b);
    bc_long_name(b, name);
    if (bc_accept(b, '[')) {
        l.array = true;
        bc_expect(b, ']');
    }
    l.var = bc_lookup(b, l.array, name);
    for (size_t i = 0; i < f->params.n; i++)
        if (f->params.p[i].var == l.var && f->params.p[i].array == l.array && !b->failed) {
            bc_complain(b, "%s",
                        param ? "duplicate parameter names" : "parameter and auto conflict");
            b->failed = true;
        }
    bool ok = param ? vec_push(&b->p->kernel->heap, &f->params, l)
                    : vec_push(&b->p->kernel->heap, &f->autos, l);
    if (!ok)
        b->failed = true;
}

static void bc_define(struct bc *b)
{
    struct heap *h = &b->p->kernel->heap;
    bool is_void = bc_accept(b, BC_W_VOID);
    if (!bc_is(b, BC_T_NAME)) {
        bc_syntax(b);
        return;
    }
    struct bc_func *f = bc_func_at(b, (size_t)bc_lookup(b, 2, b->token.text)), *main = b->func;
    struct str name = arena_str(b->p->arena, b->token.text);
    bc_next(b);
    if (!f || b->err)
        return;
    buf_clear(&f->code);
    vec_fini(h, &f->labels);
    vec_fini(h, &f->params);
    vec_fini(h, &f->autos);
    f->is_void = is_void;
    b->func = f;
    b->in_function = true;
    bc_expect(b, '(');
    for (bool first = true; !b->failed && !bc_is(b, ')'); first = false) {
        if (!first)
            bc_expect(b, ',');
        bc_local(b, f, true);
    }
    bc_expect(b, ')');
    bc_newlines(b);
    bc_expect(b, '{');
    if (!bc_is(b, '\n'))
        bc_extension(b, "End of line required");
    bc_newlines(b);
    if (bc_accept(b, BC_W_AUTO)) {
        do
            bc_local(b, f, false);
        while (bc_accept(b, ','));
        if (!bc_is(b, '\n') && !bc_is(b, ';'))
            bc_syntax(b);
    }
    bc_long_name(b, name);
    bc_block(b);
    bc_emit(b, "0R");
    f->defined = f->defined || !b->failed;
    b->func = main;
    b->in_function = false;
}

bool bc_compile(struct bc *b)
{
    struct heap *h = &b->p->kernel->heap;
    b->func = b->funcs.p[0];
    buf_clear(&b->func->code);
    vec_fini(h, &b->func->labels);
    b->loop_break = b->loop_continue = -1;
    b->failed = b->in_function = false;
    bc_next(b);
    if (bc_is(b, BC_T_EOF))
        return false;
    if (bc_accept(b, BC_W_DEFINE)) {
        bc_define(b);
    } else {
        for (;;) {
            bc_statement(b);
            if (b->failed || bc_is(b, '\n'))
                break;
            bc_expect(b, ';');
        }
    }
    /* A statement may stand behind a definition: it is compiled for itself. */
    if (!b->failed && !bc_is(b, '\n') && !bc_is(b, ';'))
        bc_syntax(b);
    /* What is wrong ends with the line. */
    while (b->failed && !b->halted && !b->err && b->token.kind != '\n' && b->token.kind != BC_T_EOF)
        bc_next(b);
    b->func = b->funcs.p[0];
    return !b->failed;
}

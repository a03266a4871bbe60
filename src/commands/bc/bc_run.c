/* bc_run.c -- the machine of bc */
#include "commands/bc/bc.h"

#include "base/error.h"
#include "base/utf8.h"

struct bc_state { /* while code runs */
    size_t func, pc;
    bool failed;
};

struct bc_func *bc_func_at(struct bc *b, size_t i) { return i < b->funcs.n ? b->funcs.p[i] : NULL; }

/* ---- memory ---------------------------------------------------------------------------------- */

static void bc_array_unref(struct bc *b, struct bc_array *a)
{
    if (!a || --a->refs)
        return;
    for (struct map_entry *e = NULL; (e = map_next(&a->items, e));)
        decimal_unref(&b->calc, e->value);
    map_fini(&a->items);
    heap_drop(&b->p->kernel->heap, a);
}

static struct bc_array *bc_array_new(struct bc *b)
{
    struct bc_array *a = heap_new(&b->p->kernel->heap, struct bc_array);
    if (a) {
        a->refs = 1;
        map_init(&a->items, &b->p->kernel->heap);
    } else {
        b->err = HOB_ENOMEM;
    }
    return a;
}

static struct bc_array *bc_array_copy(struct bc *b, const struct bc_array *from)
{
    struct bc_array *a = bc_array_new(b);
    if (!a || !from)
        return a;
    for (struct map_entry *e = NULL; (e = map_next(&from->items, e));) {
        void **v = map_put(&a->items, e->key);
        if (v)
            *v = decimal_ref(e->value);
    }
    return a;
}

static void bc_push(struct bc *b, struct decimal *v) /* takes the reference */
{
    if (!v || !vec_push(&b->p->kernel->heap, &b->stack, v)) {
        decimal_unref(&b->calc, v);
        b->err = b->calc.err ? b->calc.err : HOB_ENOMEM;
    }
}

static struct decimal *bc_pop(struct bc *b) /* gives the reference */
{
    return b->stack.n ? b->stack.p[--b->stack.n] : decimal_ref(b->zero);
}

static void bc_drop(struct bc *b) { decimal_unref(&b->calc, bc_pop(b)); }

/* Takes back what a call changed, down to `n` saved variables. */
static void bc_restore(struct bc *b, size_t n)
{
    while (b->saved.n > n) {
        struct bc_saved s = b->saved.p[--b->saved.n];
        struct bc_var *v = s.local.array ? &b->arrays.p[s.local.var] : &b->vars.p[s.local.var];
        if (s.local.array) {
            bc_array_unref(b, v->array);
            v->array = s.array;
        } else {
            decimal_unref(&b->calc, v->value);
            v->value = s.value;
        }
    }
}

void bc_free(struct bc *b)
{
    struct heap *h = &b->p->kernel->heap;
    bc_restore(b, 0);
    while (b->stack.n)
        bc_drop(b);
    for (size_t i = 0; i < b->vars.n; i++)
        decimal_unref(&b->calc, b->vars.p[i].value);
    for (size_t i = 0; i < b->arrays.n; i++)
        bc_array_unref(b, b->arrays.p[i].array);
    for (size_t i = 0; i < b->funcs.n; i++) {
        struct bc_func *f = b->funcs.p[i];
        buf_fini(&f->code);
        vec_fini(h, &f->labels);
        vec_fini(h, &f->params);
        vec_fini(h, &f->autos);
        heap_drop(h, f);
    }
    vec_fini(h, &b->funcs);
    vec_fini(h, &b->vars);
    vec_fini(h, &b->arrays);
    vec_fini(h, &b->stack);
    vec_fini(h, &b->frames);
    vec_fini(h, &b->saved);
    vec_fini(h, &b->var_names);
    vec_fini(h, &b->array_names);
    for (size_t i = 0; i < COUNT(b->names); i++)
        map_fini(&b->names[i]);
    decimal_unref(&b->calc, b->last);
    decimal_unref(&b->calc, b->zero);
    decimal_unref(&b->calc, b->one);
    buf_fini(&b->text);
}

/* ---- output ---------------------------------------------------------------------------------- */

void bc_put(struct bc *b, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\n') {
            b->column = 0;
        } else if (++b->column == b->line_size - 1 && b->line_size) {
            out_puts(&b->out, "\\\n");
            b->column = 1;
        }
        out_putc(&b->out, s.p[i]);
    }
}

static void bc_put_number(struct bc *b, struct decimal *v)
{
    struct buf text;
    buf_init(&text, &b->p->kernel->heap);
    decimal_print(&b->calc, &text, v, b->obase);
    bc_put(b, buf_get(&text));
    buf_fini(&text);
}

/* A string of `print`: \n and others are what they mean. */
static void bc_put_string(struct bc *b, struct str s)
{
    static const char letters[] = "abfnqrt\\e", meanings[] = "\a\b\f\n\"\r\t\\\\";
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '\\' && i + 1 < s.n) {
            const char *at = s.p[i + 1] ? strchr(letters, s.p[i + 1]) : NULL;
            i++;
            if (!at)
                continue;
            c = meanings[at - letters];
        }
        bc_put(b, str_of(&c, 1));
    }
}

static void bc_report(struct bc *b, struct bc_state *s, const char *kind, const char *text)
{
    struct str name = s->func ? b->funcs.p[s->func]->name : STR("(main)");
    out_flush(&b->out);
    proc_printf_err(b->p, "Runtime %s (func=%.*s, adr=%llu): %s\n", kind, STR_ARG(name),
                    (unsigned long long)s->pc, text);
}

static void bc_fail(struct bc *b, struct bc_state *s, const char *text)
{
    if (!s->failed)
        bc_report(b, s, "error", text);
    s->failed = true;
}

/* ---- variables ------------------------------------------------------------------------------- */

static struct decimal *bc_load(struct bc *b, int var)
{
    switch (var) {
    case BC_IBASE: return decimal_int(&b->calc, b->ibase);
    case BC_OBASE: return decimal_int(&b->calc, b->obase);
    case BC_SCALE: return decimal_int(&b->calc, (int64_t)b->scale);
    case BC_HISTORY: return decimal_int(&b->calc, -1);
    case BC_LAST: return decimal_ref(b->last);
    default: return decimal_ref(b->vars.p[var].value ? b->vars.p[var].value : b->zero);
    }
}

static void bc_set_special(struct bc *b, struct bc_state *s, int var, struct decimal *v)
{
    int64_t n = decimal_long(v);
    int64_t low = var == BC_SCALE ? 0 : 2;
    int64_t high = var != BC_IBASE ? INT_MAX : b->standard ? 16 : 36;
    const char *text = NULL;
    if (n < low)
        text = var == BC_IBASE   ? "ibase too small, set to 2"
               : var == BC_OBASE ? "obase too small, set to 2"
                                 : "negative scale, set to 0";
    else if (n > high)
        text = var == BC_IBASE
                   ? b->standard ? "ibase too large, set to 16" : "ibase too large, set to 36"
               : var == BC_OBASE ? "obase too large, set to 2147483647"
                                 : "scale too large, set to 2147483647";
    if (text)
        bc_report(b, s, "warning", text);
    n = MAX(low, MIN(n, high));
    if (var == BC_IBASE)
        b->ibase = (unsigned)n;
    else if (var == BC_OBASE)
        b->obase = (unsigned)n;
    else
        b->scale = (size_t)n;
}

/* Takes the reference. */
static void bc_store(struct bc *b, struct bc_state *s, int var, struct decimal *v)
{
    if (var == BC_HISTORY) {
        decimal_unref(&b->calc, v);
        return;
    }
    if (var < BC_HISTORY) {
        bc_set_special(b, s, var, v);
        decimal_unref(&b->calc, v);
        return;
    }
    struct decimal **at = var == BC_LAST ? &b->last : &b->vars.p[var].value;
    decimal_unref(&b->calc, *at);
    *at = v;
}

/* The place of an element, whose subscript is taken from under `above` values of the stack. */
static void **bc_element(struct bc *b, struct bc_state *s, int var, struct decimal *index,
                         bool make)
{
    int64_t n = decimal_long(index);
    struct bc_var *v = &b->arrays.p[var];
    uint32_t key = (uint32_t)n;

    if (n < 0 || n > BC_MAX_INDEX) {
        struct str text = arena_printf(b->p->arena, "Array %.*s subscript out of bounds.",
                                       STR_ARG(b->array_names.p[var]));
        bc_fail(b, s, text.p ? text.p : "");
        return NULL;
    }
    if (!v->array && make)
        v->array = bc_array_new(b);
    if (!v->array)
        return NULL;
    struct str k = str_of((const char *)&key, sizeof key);
    return make ? map_put(&v->array->items, k) : map_get(&v->array->items, k);
}

static void bc_load_element(struct bc *b, struct bc_state *s, int var)
{
    struct decimal *index = bc_pop(b);
    void **at = bc_element(b, s, var, index, false);
    decimal_unref(&b->calc, index);
    if (!s->failed)
        bc_push(b, decimal_ref(at && *at ? *at : b->zero));
}

/* Puts v, whose reference is taken, where the subscript says. */
static void bc_store_element(struct bc *b, struct bc_state *s, int var, struct decimal *index,
                             struct decimal *v)
{
    void **at = v ? bc_element(b, s, var, index, true) : NULL;
    if (at) {
        decimal_unref(&b->calc, *at);
        *at = v;
    } else {
        decimal_unref(&b->calc, v);
        if (!s->failed)
            b->err = HOB_ENOMEM;
    }
}

/* ---- operations ------------------------------------------------------------------------------ */

static struct decimal *bc_power(struct bc *b, struct bc_state *s, struct decimal *x,
                                struct decimal *y)
{
    if (y->scale)
        bc_report(b, s, "warning", "non-zero scale in exponent");
    int64_t e = decimal_long(y);
    if (e > 2147483649 || e < -2147483649) { /* GNU's bc cannot tell more from nothing */
        bc_fail(b, s, "exponent too large in raise");
        return decimal_ref(b->zero);
    }
    if (e < 0 && decimal_zero(x)) {
        bc_fail(b, s, "divide by zero");
        return decimal_ref(b->zero);
    }
    return decimal_pow(&b->calc, x, e, b->scale);
}

static void bc_binary(struct bc *b, struct bc_state *s, char op)
{
    struct decimal *y = bc_pop(b), *x = bc_pop(b), *r = NULL;
    struct bignum_calc *c = &b->calc;
    bool truth = false;
    switch (op) {
    case '+': r = decimal_add(c, x, y); break;
    case '-': r = decimal_sub(c, x, y); break;
    case '*': r = decimal_mul(c, x, y, b->scale); break;
    case '/':
    case '%':
        if (decimal_zero(y)) {
            bc_fail(b, s, op == '/' ? "Divide by zero" : "Modulo by zero");
            r = decimal_ref(b->zero);
        } else {
            r = (op == '/' ? decimal_div : decimal_mod)(c, x, y, b->scale);
        }
        break;
    case '^': r = bc_power(b, s, x, y); break;
    default: {
        int order = decimal_cmp(c, x, y);
        truth = op == '='   ? order == 0
                : op == '#' ? order != 0
                : op == '<' ? order < 0
                : op == '>' ? order > 0
                : op == '{' ? order <= 0
                            : order >= 0;
        r = decimal_ref(truth ? b->one : b->zero);
    }
    }
    decimal_unref(c, x);
    decimal_unref(c, y);
    bc_push(b, r);
}

/* A number from the input, for read(). */
static struct decimal *bc_read(struct bc *b)
{
    struct buf s;
    bool neg = false;
    int c;
    buf_init(&s, &b->p->kernel->heap);
    while ((c = bc_getc(b)) == ' ' || c == '\t' || c == '\n')
        ;
    if (c == '-') {
        neg = true;
        c = bc_getc(b);
    }
    for (; c == '.' || ascii_digit(c) || ascii_upper(c); c = bc_getc(b))
        buf_putc(&s, (char)c);
    struct decimal *v = s.n ? decimal_parse(&b->calc, buf_get(&s), b->ibase) : decimal_ref(b->zero);
    buf_fini(&s);
    if (neg) {
        struct decimal *n = decimal_negate(&b->calc, v);
        decimal_unref(&b->calc, v);
        v = n;
    }
    return v;
}

static void bc_builtin(struct bc *b, struct bc_state *s, char which)
{
    struct decimal *r = NULL;
    if (which == 'I') {
        bc_push(b, bc_read(b));
        return;
    }
    if (which == 'X') {
        bc_push(b, decimal_int(&b->calc, (int64_t)random_below(&b->p->kernel->random, 1u << 31)));
        return;
    }
    struct decimal *x = bc_pop(b);
    if (which == 'L') {
        r = decimal_int(&b->calc, (int64_t)decimal_length(x));
    } else if (which == 'S') {
        r = decimal_int(&b->calc, (int64_t)(x ? x->scale : 0));
    } else if (decimal_neg(x)) {
        bc_fail(b, s, "Square root of a negative number");
        r = decimal_ref(b->zero);
    } else {
        r = decimal_sqrt(&b->calc, x, b->scale);
    }
    decimal_unref(&b->calc, x);
    bc_push(b, r);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Saves a variable and gives it a new value, which is taken. */
static void bc_shadow(struct bc *b, struct bc_local l, struct decimal *v, struct bc_array *a)
{
    struct bc_var *at = l.array ? &b->arrays.p[l.var] : &b->vars.p[l.var];
    struct bc_saved s = {.local = l, .value = at->value, .array = at->array};
    if (!vec_push(&b->p->kernel->heap, &b->saved, s)) {
        decimal_unref(&b->calc, v);
        bc_array_unref(b, a);
        b->err = HOB_ENOMEM;
        return;
    }
    if (l.array)
        at->array = a;
    else
        at->value = v;
}

/* The array that was handed over, or a copy of it. */
static struct bc_array *bc_argument(struct bc *b, const struct bc_local *l, struct decimal *v)
{
    struct bc_var *from = &b->arrays.p[MIN((size_t)decimal_long(v), b->arrays.n - 1)];
    if (!l->by_ref)
        return bc_array_copy(b, from->array);
    if (!from->array)
        from->array = bc_array_new(b);
    if (from->array)
        from->array->refs++;
    return from->array;
}

/* The arguments are on the stack, the last on top; their types stand in the code. */
static bool bc_parameters(struct bc *b, struct bc_state *s, const struct bc_func *f)
{
    const struct buf *code = &b->funcs.p[s->func]->code;
    size_t n = 0, given = 0;
    while (s->pc + given < code->n && code->p[s->pc + given] != ':')
        given++;
    if (given > f->params.n) {
        s->pc += f->params.n + 1;
        bc_fail(b, s, "Parameter number mismatch");
        return false;
    }
    struct decimal **args = b->stack.p + (b->stack.n - MIN(given, b->stack.n));
    for (; n < given; n++) {
        const struct bc_local *l = &f->params.p[n];
        bool array = code->p[s->pc++] == '1';
        if (array != l->array) {
            struct str name = l->array ? b->array_names.p[l->var] : b->var_names.p[l->var];
            struct str text =
                arena_printf(b->p->arena, "Parameter type mismatch parameter %.*s.", STR_ARG(name));
            bc_fail(b, s, text.p ? text.p : "");
            return false;
        }
    }
    s->pc++;
    if (n < f->params.n) {
        bc_fail(b, s, "Parameter number mismatch");
        return false;
    }
    /* All arrays are fetched first: a parameter may hide one that is still to be copied. */
    struct bc_array **arrays = arena_alloc(b->p->arena, (given + 1) * sizeof *arrays);
    for (n = 0; n < given && arrays; n++)
        arrays[n] = f->params.p[n].array ? bc_argument(b, &f->params.p[n], args[n]) : NULL;
    for (n = 0; n < given && arrays; n++)
        bc_shadow(b, f->params.p[n], f->params.p[n].array ? NULL : decimal_ref(args[n]), arrays[n]);
    for (n = 0; n < given; n++)
        bc_drop(b);
    return arrays != NULL;
}

static void bc_call_function(struct bc *b, struct bc_state *s, size_t index)
{
    struct bc_func *f = bc_func_at(b, index);
    if (!f || !f->defined) {
        struct str text =
            arena_printf(b->p->arena, "Function %.*s not defined.", STR_ARG(f ? f->name : STR("")));
        bc_fail(b, s, text.p ? text.p : "");
        return;
    }
    struct bc_frame frame = {.func = s->func, .saved = b->saved.n};
    struct arena_mark mark = arena_mark(b->p->arena);
    bool ok = bc_parameters(b, s, f);
    arena_release(b->p->arena, mark);
    frame.pc = s->pc;
    if (!ok || s->failed || b->err)
        return;
    for (size_t i = 0; i < f->autos.n && !b->err; i++)
        bc_shadow(b, f->autos.p[i], NULL, NULL);
    if (!vec_push(&b->p->kernel->heap, &b->frames, frame))
        b->err = HOB_ENOMEM;
    s->func = index;
    s->pc = 0;
}

static void bc_leave(struct bc *b, struct bc_state *s)
{
    if (!b->frames.n) {
        s->failed = true;
        return;
    }
    struct bc_frame f = b->frames.p[--b->frames.n];
    bc_restore(b, f.saved);
    s->func = f.func;
    s->pc = f.pc;
}

/* ---- the loop -------------------------------------------------------------------------------- */

static int bc_operand(const struct buf *code, struct bc_state *s)
{
    int v = (unsigned char)code->p[s->pc++];
    if (v & 0x80)
        v = (v & 0x7f) << 8 | (unsigned char)code->p[s->pc++];
    return v;
}

/* The bytes up to `end`, which is skipped. */
static struct str bc_text(const struct buf *code, struct bc_state *s, char end)
{
    size_t from = s->pc;
    while (s->pc < code->n && code->p[s->pc] != end)
        s->pc++;
    return str_of(code->p + from, s->pc++ - from);
}

static void bc_branch(struct bc *b, struct bc_state *s, const struct bc_func *f, char op)
{
    size_t label = (unsigned char)f->code.p[s->pc] | (size_t)(unsigned char)f->code.p[s->pc + 1]
                                                         << 8;
    bool jump = op == 'J';
    s->pc += 2;
    if (!jump) {
        struct decimal *v = bc_pop(b);
        jump = decimal_zero(v) == (op == 'Z');
        decimal_unref(&b->calc, v);
    }
    if (jump && label < f->labels.n)
        s->pc = f->labels.p[label];
}

static void bc_step_variable(struct bc *b, struct bc_state *s, char op, int var)
{
    bool element = op == 'A' || op == 'M', up = op == 'i' || op == 'A';
    struct decimal *index = element ? bc_pop(b) : NULL, *old, *v;
    void **at = element ? bc_element(b, s, var, index, false) : NULL;
    old = element ? decimal_ref(at && *at ? *at : b->zero) : bc_load(b, var);
    v = (up ? decimal_add : decimal_sub)(&b->calc, old, b->one);
    decimal_unref(&b->calc, old);
    if (element)
        bc_store_element(b, s, var, index, v);
    else
        bc_store(b, s, var, v);
    decimal_unref(&b->calc, index);
}

static void bc_step_memory(struct bc *b, struct bc_state *s, char op, int var)
{
    struct decimal *v, *index;
    switch (op) {
    case 'l': bc_push(b, bc_load(b, var)); break;
    case 's': /* the value stays on the stack */
        v = bc_pop(b);
        bc_push(b, decimal_ref(v));
        bc_store(b, s, var, v);
        break;
    case 'L': bc_load_element(b, s, var); break;
    case 'S':
        v = bc_pop(b);
        index = bc_pop(b);
        bc_store_element(b, s, var, index, decimal_ref(v));
        decimal_unref(&b->calc, index);
        bc_push(b, v);
        break;
    default: bc_step_variable(b, s, op, var);
    }
}

static void bc_step_stack(struct bc *b, char op)
{
    struct decimal *x = bc_pop(b), *y;
    switch (op) {
    case 'D':
        bc_push(b, decimal_ref(x));
        bc_push(b, x);
        return;
    case 'x':
        y = bc_pop(b);
        bc_push(b, x);
        bc_push(b, y);
        return;
    case 'n': bc_push(b, decimal_negate(&b->calc, x)); break;
    case '!': bc_push(b, decimal_ref(decimal_zero(x) ? b->one : b->zero)); break;
    case 'W':
    case 'P':
        bc_put_number(b, x);
        if (op == 'W')
            bc_put(b, STR("\n"));
        decimal_unref(&b->calc, b->last);
        b->last = decimal_ref(x);
        break;
    default: break; /* p */
    }
    decimal_unref(&b->calc, x);
}

void bc_execute(struct bc *b)
{
    struct bc_state s = {0};
    while (!s.failed && !b->err && !b->halted && b->calc.err == 0) {
        struct bc_func *f = b->funcs.p[s.func];
        if (s.pc >= f->code.n)
            break;
        char op = f->code.p[s.pc++];
        if (proc_tick(b->p, 1) < 0)
            b->err = HOB_EKILLED;
        if (strchr("lsidLSAM", op)) {
            bc_step_memory(b, &s, op, bc_operand(&f->code, &s));
        } else if (strchr("+-*/%^=#<>{}", op)) {
            bc_binary(b, &s, op);
        } else if (strchr("JBZ", op)) {
            bc_branch(b, &s, f, op);
        } else if (op == '0' || op == '1') {
            bc_push(b, decimal_ref(op == '1' ? b->one : b->zero));
        } else if (op == 'K' || op == 'k') {
            struct str digits = bc_text(&f->code, &s, ':');
            bc_push(b, decimal_parse(&b->calc, digits, op == 'k' ? 10 : b->ibase));
        } else if (op == 'w') {
            bc_put(b, bc_text(&f->code, &s, '"'));
        } else if (op == 'O') {
            bc_put_string(b, bc_text(&f->code, &s, '"'));
        } else if (op == 'c') {
            bc_builtin(b, &s, f->code.p[s.pc++]);
        } else if (op == 'C') {
            bc_call_function(b, &s, (size_t)bc_operand(&f->code, &s));
        } else if (op == 'R') {
            bc_leave(b, &s);
        } else if (op == 'h') {
            b->halted = true;
        } else {
            bc_step_stack(b, op);
        }
    }
    if (b->calc.err)
        b->err = b->calc.err;
    b->frames.n = 0;
    bc_restore(b, 0);
    while (b->stack.n)
        bc_drop(b);
}

/* dc.c -- the desk calculator: numbers of any precision, on a stack
 *
 * Strings are programs. Those that run each other stand on a stack of frames, not on the C stack; a
 * string that ends by running another gives its frame to it, so that loops may go on for ever. How
 * q and Q leave such frames follows GNU to the letter, oddities included.
 */
#include "commands/dc/dc.h"

#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "commands/lib/each.h"
#include "commands/lib/launch.h"

static int dc_work(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct dc *d = args;
    struct str s = arena_printf(p->arena, "%c%.*s", o->letter, STR_ARG(arg));
    return s.p && proc_push(p, &d->work, s) ? 0 : 2;
}

static const struct opt dc_opts[] = {
    OPT_CALL('e', "expression", dc_work, "EXPR", "run EXPR"),
    OPT_CALL('f', "file", dc_work, "FILE", "run what is in FILE"),
    OPT_CALL('h', NULL, each_about, NULL, "same as --help"),
    OPT_CALL('V', NULL, each_about, NULL, "same as --version"),
    OPT_END,
};

void dc_say(struct dc *d, const char *text)
{
    out_flush(&d->out);
    proc_warn(d->p, "%s", text);
}

/* ---- values --------------------------------------------------------------------------------- */

static struct dc_text *dc_text_new(struct dc *d, struct str s)
{
    struct dc_text *t = heap_alloc(&d->p->kernel->heap, sizeof *t + s.n + 1);
    if (!t)
        return NULL;
    t->refs = 1;
    t->n = s.n;
    if (s.n)
        memcpy(t->bytes, s.p, s.n);
    t->bytes[s.n] = '\0';
    return t;
}

static void dc_text_unref(struct dc *d, struct dc_text *t)
{
    if (t && --t->refs == 0)
        heap_free(&d->p->kernel->heap, t, sizeof *t + t->n + 1);
}

void dc_drop(struct dc *d, struct dc_value v)
{
    decimal_unref(&d->calc, v.number);
    dc_text_unref(d, v.text);
}

static struct dc_value dc_ref(struct dc_value v)
{
    decimal_ref(v.number);
    if (v.text)
        v.text->refs++;
    return v;
}

bool dc_push(struct dc *d, struct dc_value v)
{
    if ((v.number || v.text) && vec_push(&d->p->kernel->heap, &d->stack, v))
        return true;
    dc_drop(d, v);
    d->err = d->err ? d->err : d->calc.err ? d->calc.err : HOB_ENOMEM;
    return false;
}

bool dc_push_number(struct dc *d, struct decimal *n)
{
    return dc_push(d, (struct dc_value){.number = n});
}

static bool dc_push_int(struct dc *d, int64_t n)
{
    return dc_push_number(d, decimal_int(&d->calc, n));
}

static bool dc_push_text(struct dc *d, struct str s)
{
    return dc_push(d, (struct dc_value){.text = dc_text_new(d, s)});
}

/* The top of the stack, where it stays; NULL: it is empty (reported). */
static struct dc_value *dc_top(struct dc *d)
{
    if (d->stack.n == 0) {
        dc_say(d, "stack empty");
        return NULL;
    }
    return &d->stack.p[d->stack.n - 1];
}

bool dc_pop(struct dc *d, struct dc_value *v)
{
    struct dc_value *top = dc_top(d);
    if (!top)
        return false;
    *v = *top;
    d->stack.n--;
    return true;
}

/* ---- frames --------------------------------------------------------------------------------- */

static struct dc_frame *dc_frame(struct dc *d)
{
    return d->frames.n ? &d->frames.p[d->frames.n - 1] : NULL;
}

int dc_peek(struct dc *d)
{
    struct dc_frame *f = dc_frame(d);
    if (!f)
        return -1;
    if (f->text)
        return f->at < f->text->n ? (unsigned char)f->text->bytes[f->at] : -1;
    return d->in->p < d->in->end || in_fill(d->in) ? (unsigned char)*d->in->p : -1;
}

int dc_next(struct dc *d)
{
    int c = dc_peek(d);
    if (c >= 0 && dc_frame(d)->text)
        dc_frame(d)->at++;
    else if (c >= 0)
        d->in->p++;
    return c;
}

static void dc_leave(struct dc *d) { dc_text_unref(d, d->frames.p[--d->frames.n].text); }

/* Whether nothing but blanks and comments follows. */
static bool dc_at_end(const struct dc_frame *f)
{
    bool comment = false;
    for (size_t i = f->at; i < f->text->n; i++) {
        char c = f->text->bytes[i];
        comment = c == '#' || (comment && c != '\n');
        if (!comment && !ascii_space(c))
            return false;
    }
    return true;
}

/* Runs a value: strings are entered, numbers go on the stack. Takes the reference over. */
static void dc_enter(struct dc *d, struct dc_value v)
{
    struct dc_frame *f = dc_frame(d);

    if (v.number) {
        dc_push(d, v);
    } else if (f && f->text && dc_at_end(f)) {
        dc_text_unref(d, f->text);
        f->text = v.text;
        f->at = 0;
        f->tail++;
    } else if (!vec_push(&d->p->kernel->heap, &d->frames, ((struct dc_frame){v.text, 0, 1}))) {
        dc_drop(d, v);
        d->err = HOB_ENOMEM;
    }
}

/* q (one level, and the end when there are not so many) and Q. */
static void dc_unwind(struct dc *d, int64_t n, bool quit)
{
    struct dc_frame *f = dc_frame(d);

    if (f->text) {
        if (n < f->tail) {
            f->tail -= n;
            return;
        }
        n -= f->tail;
        dc_leave(d);
        while ((f = dc_frame(d)) && f->text) {
            dc_leave(d);
            if (n-- == 0)
                return;
        }
        if (!f) { /* all of -e */
            d->quit = quit;
            return;
        }
    }
    if (quit) {
        d->quit = true;
        d->status = 1;
    } else {
        dc_say(d, "Q command argument exceeded string execution depth");
    }
}

/* ---- registers ------------------------------------------------------------------------------ */

/* The top level of a register, made if there is none. NULL: out of memory. */
static struct dc_level *dc_level(struct dc *d, struct dc_register *r, bool push)
{
    struct heap *h = &d->p->kernel->heap;
    if (push || r->levels.n == 0) {
        struct dc_level level = {0};
        map_init(&level.array, h);
        if (!vec_push(h, &r->levels, level)) {
            d->err = HOB_ENOMEM;
            return NULL;
        }
    }
    return &r->levels.p[r->levels.n - 1];
}

static void dc_level_free(struct dc *d, struct dc_level *l)
{
    for (struct map_entry *e = NULL; (e = map_next(&l->array, e));) {
        struct dc_value *v = e->value;
        if (v)
            dc_drop(d, *v);
        heap_drop(&d->p->kernel->heap, v);
    }
    map_fini(&l->array);
    dc_drop(d, l->value);
}

/* sr and Sr */
static void dc_store(struct dc *d, struct dc_register *r, bool push)
{
    struct dc_value v;
    if (!dc_pop(d, &v))
        return;
    struct dc_level *l = dc_level(d, r, push);
    if (l) {
        dc_drop(d, l->value);
        l->value = v;
    } else {
        dc_drop(d, v);
    }
}

/* What a register holds; nothing counts as 0. A new reference. */
static struct dc_value dc_load(struct dc *d, struct dc_register *r)
{
    struct dc_value v = {0};
    if (r->levels.n)
        v = r->levels.p[r->levels.n - 1].value;
    if (!v.number && !v.text)
        v.number = decimal_int(&d->calc, 0);
    else
        dc_ref(v);
    return v;
}

/* "'a' (0141)", or the number alone when it cannot be shown. */
static void dc_name(char out[16], int c)
{
    if (ascii_print(c))
        fmt_print(out, 16, "'%c' (%#o)", c, (unsigned)c);
    else
        fmt_print(out, 16, "%#o", (unsigned)c);
}

/* Lr */
static void dc_unstore(struct dc *d, struct dc_register *r, int c)
{
    struct dc_level *l = r->levels.n ? &r->levels.p[r->levels.n - 1] : NULL;
    char name[16];

    if (!l || (!l->value.number && !l->value.text)) {
        dc_name(name, c);
        out_flush(&d->out);
        proc_warn(d->p, "stack register %s is empty", name);
        return;
    }
    dc_push(d, dc_ref(l->value));
    dc_level_free(d, l);
    r->levels.n--;
}

/* The subscript on the stack, -1 when it is none. False: the stack is empty. */
static bool dc_subscript(struct dc *d, int *out)
{
    struct dc_value v;
    if (!dc_pop(d, &v))
        return false;
    *out = v.number ? dc_int(d, v.number) : -1;
    dc_drop(d, v);
    return true;
}

static bool dc_subscript_ok(struct dc *d, int i)
{
    if (i < 0)
        dc_say(d, "array index must be a nonnegative integer");
    return i >= 0;
}

/* :r */
static void dc_array_put(struct dc *d, struct dc_register *r)
{
    int i;
    struct dc_value v;

    if (!dc_subscript(d, &i) || !dc_pop(d, &v))
        return;
    bool ok = dc_subscript_ok(d, i);
    struct dc_level *l = ok ? dc_level(d, r, false) : NULL;
    void **place = l ? map_put(&l->array, str_of((const char *)&i, sizeof i)) : NULL;
    if (place && !*place)
        *place = heap_new(&d->p->kernel->heap, struct dc_value);
    if (!place || !*place) {
        dc_drop(d, v);
        d->err = ok ? HOB_ENOMEM : d->err;
        return;
    }
    dc_drop(d, *(struct dc_value *)*place);
    *(struct dc_value *)*place = v;
}

/* ;r */
static void dc_array_get(struct dc *d, struct dc_register *r)
{
    int i;
    if (!dc_subscript(d, &i) || !dc_subscript_ok(d, i))
        return;
    struct dc_level *l = r->levels.n ? &r->levels.p[r->levels.n - 1] : NULL;
    struct dc_value *v = l ? map_value(&l->array, str_of((const char *)&i, sizeof i)) : NULL;
    if (v)
        dc_push(d, dc_ref(*v));
    else
        dc_push_int(d, 0);
}

/* ---- commands ------------------------------------------------------------------------------- */

static void dc_print(struct dc *d, struct dc_value v)
{
    if (v.number)
        dc_print_number(d, v.number);
    else
        out_write(&d->out, v.text->bytes, v.text->n);
}

/* p, n and P */
static void dc_print_top(struct dc *d, char how)
{
    struct dc_value *v = dc_top(d);
    if (!v)
        return;
    if (how == 'P' && v->number)
        dc_print_bytes(d, v->number);
    else
        dc_print(d, *v);
    if (how == 'p')
        out_putc(&d->out, '\n');
    else
        dc_drop(d, d->stack.p[--d->stack.n]);
}

/* a: the character of a number, or the first one of a string. */
static void dc_character(struct dc *d)
{
    struct dc_value v;
    char c = '\0';
    if (!dc_pop(d, &v))
        return;
    if (v.number)
        c = (char)dc_int(d, v.number);
    else if (v.text->n)
        c = v.text->bytes[0];
    dc_push_text(d, str_of(&c, 1));
    dc_drop(d, v);
}

/* R: turns the top n values around, upwards or downwards. */
static void dc_rotate(struct dc *d)
{
    struct dc_value v;
    if (!dc_pop(d, &v))
        return;
    int64_t n = v.number ? dc_int(d, v.number) : 0;
    dc_drop(d, v);
    size_t count = (size_t)MIN(n < 0 ? -(uint64_t)n : (uint64_t)n, (uint64_t)d->stack.n);
    if (count < 2)
        return;
    struct dc_value *low = d->stack.p + d->stack.n - count;
    if (n > 0) {
        v = low[0];
        memmove(low, low + 1, (count - 1) * sizeof *low);
        low[count - 1] = v;
    } else {
        v = low[count - 1];
        memmove(low + 1, low, (count - 1) * sizeof *low);
        low[0] = v;
    }
}

/* i, o and k */
static void dc_set(struct dc *d, char which)
{
    struct dc_value v;
    if (!dc_pop(d, &v))
        return;
    int n = v.number ? dc_int(d, v.number) : -1;
    dc_drop(d, v);
    if (which == 'i' && n >= 2 && n <= 16)
        d->ibase = n;
    else if (which == 'i')
        dc_say(d, "input base must be a number between 2 and 16 (inclusive)");
    else if (which == 'o' && n > 1)
        d->obase = (unsigned)n;
    else if (which == 'o')
        dc_say(d, "output base must be a number greater than 1");
    else if (n >= 0)
        d->scale = (size_t)n;
    else
        dc_say(d, "scale must be a nonnegative number");
}

/* Z and X: digits, and digits behind the point. */
static void dc_measure(struct dc *d, char which)
{
    struct dc_value v;
    if (!dc_pop(d, &v))
        return;
    int64_t n = v.text ? (int64_t)v.text->n : (int64_t)MAX(bignum_digits(&v.number->m), (size_t)1);
    if (which == 'X')
        n = v.number ? (int64_t)v.number->scale : 0;
    dc_drop(d, v);
    dc_push_int(d, n);
}

/* Q */
static void dc_leave_levels(struct dc *d)
{
    struct dc_value v;
    if (!dc_pop(d, &v))
        return;
    int n = v.number ? dc_int(d, v.number) : 0;
    dc_drop(d, v);
    if (n > 0)
        dc_unwind(d, n - 1, false);
    else
        dc_say(d, "Q command requires a number >= 1");
}

/* [text]: brackets inside are counted. */
static void dc_string(struct dc *d)
{
    struct buf b;
    int depth = 1;

    buf_init(&b, &d->p->kernel->heap);
    for (int c; (c = dc_next(d)) >= 0;) {
        depth += (c == '[') - (c == ']');
        if (depth == 0)
            break;
        buf_putc(&b, (char)c);
    }
    dc_push_text(d, buf_get(&b));
    buf_fini(&b);
}

static struct in *dc_stdin(struct dc *d)
{
    if (!d->standard_open)
        in_init(&d->standard, d->p, 0);
    d->standard_open = true;
    return &d->standard;
}

/* ?: runs a line of standard input. */
static void dc_ask(struct dc *d)
{
    struct str line = STR("");
    bool had;

    out_flush(&d->out);
    if (!in_line(dc_stdin(d), '\n', &line, &had))
        line = STR("");
    struct dc_text *t = dc_text_new(d, line);
    if (t)
        dc_enter(d, (struct dc_value){.text = t});
    else
        d->err = HOB_ENOMEM;
}

/* !command */
static void dc_system(struct dc *d)
{
    struct exec_opts none = {0};
    struct buf b;

    buf_init(&b, &d->p->kernel->heap);
    for (int c; (c = dc_next(d)) >= 0 && c != '\n';)
        buf_putc(&b, (char)c);
    struct str argv[3] = {STR("sh"), STR("-c"), arena_str(d->p->arena, buf_get(&b))};
    buf_fini(&b);
    out_flush(&d->out);
    int r = argv[2].p ? launch_run(d->p, argv, 3, &none) : HOB_ENOMEM;
    if (r == HOB_EKILLED || r == HOB_ENOMEM)
        d->err = r;
}

/* How the top two numbers stand to each other. What cannot be compared stays, and counts as equal:
 * =r runs then, as in GNU's dc. */
static int dc_order(struct dc *d)
{
    struct dc_value *top = d->stack.p + d->stack.n;
    if (d->stack.n < 2) {
        dc_say(d, "stack empty");
        return 0;
    }
    if (!top[-1].number || !top[-2].number) {
        dc_say(d, "non-numeric value");
        return 0;
    }
    int order = decimal_cmp(&d->calc, top[-1].number, top[-2].number);
    dc_drop(d, d->stack.p[--d->stack.n]);
    dc_drop(d, d->stack.p[--d->stack.n]);
    return order;
}

/* <r and the others: runs the register when the top stands so to the one below. */
static void dc_compare(struct dc *d, char op, bool negated, struct dc_register *r)
{
    int order = dc_order(d);
    bool is = op == '<' ? order < 0 : op == '>' ? order > 0 : order == 0;
    if (is != negated) {
        struct dc_value v = dc_load(d, r);
        if (v.number || v.text)
            dc_enter(d, v);
    }
}

/* Commands whose next character is a register. */
static void dc_with_register(struct dc *d, int op, bool negated)
{
    int c = dc_next(d);
    if (c < 0) {
        bool file = !dc_frame(d)->text;
        dc_say(d, file ? "unexpected EOF" : "unexpected EOS");
        d->quit = file;
        d->status = file;
        return;
    }
    struct dc_register *r = &d->registers[c];
    switch (op) {
    case 's': dc_store(d, r, false); break;
    case 'S': dc_store(d, r, true); break;
    case 'l': dc_push(d, dc_load(d, r)); break;
    case 'L': dc_unstore(d, r, c); break;
    case ':': dc_array_put(d, r); break;
    case ';': dc_array_get(d, r); break;
    default: dc_compare(d, (char)op, negated, r);
    }
}

static void dc_unknown(struct dc *d, int c)
{
    char name[16];
    /* As GNU has it: the name of the program on stderr, the rest on stdout. */
    dc_name(name, c);
    out_flush(&d->out);
    proc_printf_err(d->p, "%.*s: ", STR_ARG(d->p->name));
    out_printf(&d->out, "%s unimplemented\n", name);
}

/* Commands that only move values around. */
static void dc_shuffle(struct dc *d, int c)
{
    struct dc_value *top = d->stack.p + d->stack.n, v;
    switch (c) {
    case 'c':
        while (d->stack.n)
            dc_drop(d, d->stack.p[--d->stack.n]);
        break;
    case 'd':
        if (dc_top(d))
            dc_push(d, dc_ref(top[-1]));
        break;
    case 'f':
        for (size_t i = d->stack.n; i-- > 0 && !d->out.err;) {
            dc_print(d, d->stack.p[i]);
            out_putc(&d->out, '\n');
        }
        break;
    case 'r':
        if (d->stack.n > 1) {
            v = top[-1];
            top[-1] = top[-2];
            top[-2] = v;
        }
        break;
    default: dc_push_int(d, (int64_t)d->stack.n); /* z */
    }
}

static void dc_bang(struct dc *d)
{
    int c = dc_peek(d);
    if (c == '<' || c == '>' || c == '=')
        dc_with_register(d, dc_next(d), true);
    else
        dc_system(d);
}

static void dc_command(struct dc *d, int c)
{
    struct dc_value v;
    switch (c) {
    case ' ':
    case '\t':
    case '\n': break;
    case '#':
        while (dc_peek(d) >= 0 && dc_next(d) != '\n')
            ;
        break;
    case '[': dc_string(d); break;
    case '!': dc_bang(d); break;
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '~':
    case '^': dc_binary(d, (char)c); break;
    case '|': dc_power_modulo(d); break;
    case 'v': dc_root(d); break;
    case 'p':
    case 'n':
    case 'P': dc_print_top(d, (char)c); break;
    case 'c':
    case 'd':
    case 'f':
    case 'r':
    case 'z': dc_shuffle(d, c); break;
    case 'R': dc_rotate(d); break;
    case 'i':
    case 'o':
    case 'k': dc_set(d, (char)c); break;
    case 'I': dc_push_int(d, d->ibase); break;
    case 'O': dc_push_int(d, d->obase); break;
    case 'K': dc_push_int(d, (int64_t)d->scale); break;
    case 'Z':
    case 'X': dc_measure(d, (char)c); break;
    case 'a': dc_character(d); break;
    case 'x':
        if (dc_pop(d, &v))
            dc_enter(d, v);
        break;
    case '?': dc_ask(d); break;
    case 'q': dc_unwind(d, 1, true); break;
    case 'Q': dc_leave_levels(d); break;
    case 's':
    case 'S':
    case 'l':
    case 'L':
    case ':':
    case ';':
    case '<':
    case '>':
    case '=': dc_with_register(d, c, false); break;
    default: dc_unknown(d, c);
    }
}

/* ---- run ------------------------------------------------------------------------------------ */

/* Runs what stands in the first frame to its end. */
static void dc_go(struct dc *d)
{
    while (d->frames.n && !d->quit && !d->err && !d->out.err) {
        int c = dc_peek(d), r = proc_tick(d->p, 1);
        if (r < 0) {
            d->err = r;
        } else if (c < 0) {
            dc_leave(d);
        } else if (ascii_digit(c) || (c >= 'A' && c <= 'F') || c == '_' || c == '.') {
            dc_read_number(d);
        } else {
            dc_next(d);
            dc_command(d, c);
        }
        if (d->calc.err)
            d->err = d->calc.err;
    }
    while (d->frames.n)
        dc_leave(d);
}

static void dc_run_text(struct dc *d, struct str s)
{
    struct dc_text *t = dc_text_new(d, s);
    if (t)
        dc_enter(d, (struct dc_value){.text = t});
    else
        d->err = HOB_ENOMEM;
    dc_go(d);
}

static void dc_run_file(struct dc *d, struct str name)
{
    struct in in;
    struct stat_info st;
    bool standard = str_eqz(name, "-");

    if (!standard && vfs_stat(d->p, name, 0, &st) == 0 && MODE_IS_DIR(st.mode)) {
        proc_warn(d->p, "Will not attempt to process directory %.*s", STR_ARG(name));
        return;
    }
    if (!standard && in_open_quiet(&in, d->p, name) < 0) {
        proc_warn(d->p, "Could not open file %.*s", STR_ARG(name));
        return;
    }
    d->in = standard ? dc_stdin(d) : &in;
    if (vec_push(&d->p->kernel->heap, &d->frames, (struct dc_frame){0}))
        dc_go(d);
    else
        d->err = HOB_ENOMEM;
    if (d->in->err < 0 && !d->err)
        d->err = d->in->err;
    if (!standard)
        in_fini(&in);
}

static void dc_free(struct dc *d)
{
    struct heap *h = &d->p->kernel->heap;

    while (d->stack.n)
        dc_drop(d, d->stack.p[--d->stack.n]);
    vec_fini(h, &d->stack);
    vec_fini(h, &d->frames);
    for (size_t i = 0; i < COUNT(d->registers); i++) {
        struct dc_register *r = &d->registers[i];
        while (r->levels.n)
            dc_level_free(d, &r->levels.p[--r->levels.n]);
        vec_fini(h, &r->levels);
    }
    if (d->standard_open)
        in_fini(&d->standard);
}

static int dc_tick(void *ud, int64_t n) { return proc_tick(ud, n); }

static int dc_run(struct proc *p, void *args)
{
    struct dc *d = args;
    struct str env;
    uint64_t n;

    d->p = p;
    d->calc = (struct bignum_calc){.heap = &p->kernel->heap, .tick = dc_tick, .ud = p};
    d->ibase = 10;
    d->obase = 10;
    d->line_length = 70;
    if (proc_getenv(p, STR("DC_LINE_LENGTH"), &env) && str_uint(env, &n) == 0)
        d->line_length = (size_t)MIN(n, (uint64_t)INT32_MAX);
    out_init(&d->out, p, 1);
    for (size_t i = 0; i < d->work.n && !d->quit && !d->err; i++) {
        struct str w = d->work.p[i];
        if (w.p[0] == 'e')
            dc_run_text(d, str_from(w, 1));
        else
            dc_run_file(d, str_from(w, 1));
    }
    for (int i = 0; i < p->argc && !d->quit && !d->err; i++)
        dc_run_file(d, p->argv[i]);
    if (d->work.n == 0 && p->argc == 0)
        dc_run_file(d, STR("-"));
    dc_free(d);
    return command_close(p, &d->out, d->err ? d->err : d->status);
}

const struct command cmd_dc = {
    .name = "dc",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Calculate with numbers of any precision, on a stack.",
    .notes =
        "Numbers go on the stack: 5, _5 (minus five), 1.5, FF in base 16.\n"
        "  + - * / % ^ v   calculate; ~ quotient and remainder; | power modulo\n"
        "  p n P f         print the top; without a newline; as bytes; the whole stack\n"
        "  c d r R z       clear, double, swap, rotate, count the stack\n"
        "  i o k I O K     set and get the bases of input and output, and digits behind the point\n"
        "  Z X a           digits; digits behind the point; a number as a character\n"
        "  sR lR SR LR     store and load register R; push and pop it\n"
        "  :R ;R           store and load an element of array R\n"
        "  [text] x        a string; run it as a program\n"
        "  <R >R =R !<R !>R !=R   run register R if the top stands so to the one below\n"
        "  q NQ ? !CMD #   quit two levels; quit N; run a line of input; run a command; comment\n"
        "Long numbers are broken at DC_LINE_LENGTH columns (70; 0 is never). Without FILE, -e and\n"
        "-f, standard input is read.",
    .opts = dc_opts,
    .args_size = sizeof(struct dc),
    .flags = CMD_USAGE_HELP,
    .usage_status = 1,
    .run = dc_run,
};

/* expr.c -- the value of an expression given as words
 *
 * Every value is a string; one that looks like a whole number is taken for one where numbers are
 * wanted, of any size. What a | or & makes unneeded is still parsed, with `live` false.
 */
#include "shell/command.h"

#include "base/error.h"
#include "base/utf8.h"
#include "commands/lib/locale.h"
#include "text/bignum.h"
#include "text/regex.h"

enum {
    EXPR_BAD = 2, /* status of a wrong expression */
    EXPR_FAIL = 3
};

struct expr {
    struct proc *p;
    size_t at; /* the next word */
    int err;   /* a status or a negative error; the message is out */
    bool bytes;
    struct bignum_calc calc;
};

static struct str expr_or(struct expr *e, bool live);

static int expr_tick(void *ud, int64_t n) { return proc_tick(ud, n); }

static bool expr_more(struct expr *e) { return e->at < (size_t)e->p->argc; }

static bool expr_next(struct expr *e, const char *word)
{
    if (e->err || !expr_more(e) || !str_eqz(e->p->argv[e->at], word))
        return false;
    e->at++;
    return true;
}

/* True when there is a word; else the complaint names the one before. */
static bool expr_need(struct expr *e)
{
    if (e->err)
        return false;
    if (expr_more(e))
        return true;
    proc_warn(e->p, "syntax error: missing argument after %s",
              proc_quote(e->p, e->p->argv[e->at - 1]));
    e->err = EXPR_BAD;
    return false;
}

static struct str expr_number(struct expr *e, uint64_t v)
{
    return arena_printf(e->p->arena, "%llu", (unsigned long long)v);
}

static bool expr_is_null(struct str s)
{
    size_t i = s.n && s.p[0] == '-';
    if (s.n == 0)
        return true;
    if (i == s.n)
        return false;
    for (; i < s.n; i++)
        if (s.p[i] != '0')
            return false;
    return true;
}

static bool expr_is_number(struct str s)
{
    size_t i = s.n && s.p[0] == '-';
    if (i == s.n)
        return false;
    for (; i < s.n; i++)
        if (!ascii_digit(s.p[i]))
            return false;
    return true;
}

static size_t expr_length(struct expr *e, struct str s) { return e->bytes ? s.n : utf8_count(s); }

/* ---- words ----------------------------------------------------------------------------------- */

static struct str expr_match(struct expr *e, struct str text, struct str pattern)
{
    struct regex *re;
    struct regex_match m[2] = {{-1, -1}, {-1, -1}};
    struct hob_error error = {0};
    int r = regex_compile(&e->p->kernel->heap, pattern, REGEX_EXPR | (e->bytes ? REGEX_BYTES : 0),
                          &re, &error);
    if (r < 0) {
        e->err = r == HOB_ENOMEM ? r : EXPR_BAD;
        if (r != HOB_ENOMEM)
            proc_warn(e->p, "%s", error.msg);
        return STR("");
    }
    bool group = regex_groups(re) > 0;
    r = regex_exec(re, text, 0, REGEX_HERE, m, 2);
    regex_free(re);
    if (r < 0) {
        e->err = r == HOB_ENOMEM || r == HOB_EKILLED ? r : EXPR_FAIL;
        if (e->err == EXPR_FAIL)
            proc_warn(e->p, "error in regular expression matcher");
        return STR("");
    }
    if (group)
        return r && m[1].start >= 0
                   ? str_sub(text, (size_t)m[1].start, (size_t)(m[1].end - m[1].start))
                   : STR("");
    return expr_number(e, r ? expr_length(e, str_sub(text, 0, (size_t)m[0].end)) : 0);
}

static struct str expr_index(struct expr *e, struct str s, struct str set)
{
    int len, n;
    uint64_t at = 1;
    for (size_t i = 0; i < s.n; i += (size_t)len, at++) {
        len = 1;
        if (!e->bytes)
            utf8_decode(s.p + i, s.n - i, &len);
        for (size_t k = 0; k < set.n; k += (size_t)n) {
            n = 1;
            if (!e->bytes)
                utf8_decode(set.p + k, set.n - k, &n);
            if (n == len && memcmp(set.p + k, s.p + i, (size_t)n) == 0)
                return expr_number(e, at);
        }
        if (proc_tick(e->p, 1) < 0)
            e->err = HOB_EKILLED;
        if (e->err)
            break;
    }
    return STR("0");
}

/* A position as substr takes it: 0 for what is no positive number. */
static uint64_t expr_position(struct str s)
{
    uint64_t v = 0;
    if (!expr_is_number(s) || s.p[0] == '-')
        return 0;
    return str_uint(s, &v) == HOB_ERANGE ? UINT64_MAX : v;
}

static struct str expr_substr(struct expr *e, struct str s, uint64_t from, uint64_t count)
{
    if (!from || !count || from > s.n)
        return STR("");
    size_t start = e->bytes ? (size_t)from - 1 : utf8_offset(s, (size_t)from - 1);
    s = str_from(s, start);
    size_t n = (size_t)MIN(count, (uint64_t)s.n);
    return str_sub(s, 0, e->bytes ? n : utf8_offset(s, n));
}

/* ( ... ) and plain words. */
static struct str expr_primary(struct expr *e, bool live)
{
    if (!expr_need(e))
        return STR("");
    if (expr_next(e, "(")) {
        struct str v = expr_or(e, live);
        if (e->err)
            return v;
        if (!expr_more(e)) {
            proc_warn(e->p, "syntax error: expecting ')' after %s",
                      proc_quote(e->p, e->p->argv[e->at - 1]));
            e->err = EXPR_BAD;
        } else if (!expr_next(e, ")")) {
            proc_warn(e->p, "syntax error: expecting ')' instead of %s",
                      proc_quote(e->p, e->p->argv[e->at]));
            e->err = EXPR_BAD;
        }
        return v;
    }
    if (expr_next(e, ")")) {
        proc_warn(e->p, "syntax error: unexpected ')'");
        e->err = EXPR_BAD;
        return STR("");
    }
    return e->p->argv[e->at++];
}

/* The functions with names, and + which quotes a word. */
static struct str expr_word(struct expr *e, bool live)
{
    if (e->err)
        return STR("");
    if (task_stack_low(e->p->task)) {
        e->err = HOB_ELOOP;
        return STR("");
    }
    if (expr_next(e, "+"))
        return expr_need(e) ? e->p->argv[e->at++] : STR("");
    if (expr_next(e, "length")) {
        struct str s = expr_word(e, live);
        return expr_number(e, expr_length(e, s));
    }
    if (expr_next(e, "match")) {
        struct str s = expr_word(e, live), pattern = expr_word(e, live);
        return live && !e->err ? expr_match(e, s, pattern) : s;
    }
    if (expr_next(e, "index")) {
        struct str s = expr_word(e, live), set = expr_word(e, live);
        return live && !e->err ? expr_index(e, s, set) : s;
    }
    if (expr_next(e, "substr")) {
        struct str s = expr_word(e, live), from = expr_word(e, live), n = expr_word(e, live);
        return expr_substr(e, s, expr_position(from), expr_position(n));
    }
    return expr_primary(e, live);
}

/* ---- operators ------------------------------------------------------------------------------- */

static struct str expr_colon(struct expr *e, bool live)
{
    struct str l = expr_word(e, live);
    while (expr_next(e, ":")) {
        struct str r = expr_word(e, live);
        if (live && !e->err)
            l = expr_match(e, l, r);
    }
    return l;
}

static struct str expr_calculate(struct expr *e, struct str l, char op, struct str r)
{
    struct bignum a = {0}, b = {0};
    struct buf text;
    struct bignum_calc *c = &e->calc;
    struct str v = STR("");

    if (!expr_is_number(l) || !expr_is_number(r)) {
        proc_warn(e->p, "non-integer argument");
        e->err = EXPR_BAD;
        return v;
    }
    bignum_parse(c, &a, l);
    bignum_parse(c, &b, r);
    if ((op == '/' || op == '%') && !c->err && bignum_zero(&b)) {
        proc_warn(e->p, "division by zero");
        e->err = EXPR_BAD;
    } else if (op == '/' || op == '%') {
        bignum_div(c, op == '/' ? &a : NULL, op == '%' ? &a : NULL, &a, &b);
    } else {
        (op == '+' ? bignum_add : op == '-' ? bignum_sub : bignum_mul)(c, &a, &a, &b);
    }
    buf_init(&text, c->heap);
    bignum_print(&text, &a);
    v = arena_str(e->p->arena, buf_get(&text));
    buf_fini(&text);
    bignum_free(c, &a);
    bignum_free(c, &b);
    if (c->err && !e->err)
        e->err = c->err;
    return v.p ? v : STR("");
}

static struct str expr_times(struct expr *e, bool live)
{
    struct str l = expr_colon(e, live);
    for (;;) {
        char op = expr_next(e, "*") ? '*' : expr_next(e, "/") ? '/' : expr_next(e, "%") ? '%' : 0;
        if (!op)
            return l;
        struct str r = expr_colon(e, live);
        if (live && !e->err)
            l = expr_calculate(e, l, op, r);
    }
}

static struct str expr_plus(struct expr *e, bool live)
{
    struct str l = expr_times(e, live);
    for (;;) {
        char op = expr_next(e, "+") ? '+' : expr_next(e, "-") ? '-' : 0;
        if (!op)
            return l;
        struct str r = expr_times(e, live);
        if (live && !e->err)
            l = expr_calculate(e, l, op, r);
    }
}

static int expr_order(struct expr *e, struct str l, struct str r)
{
    struct bignum a = {0}, b = {0};
    if (!expr_is_number(l) || !expr_is_number(r))
        return str_cmp(l, r);
    bignum_parse(&e->calc, &a, l);
    bignum_parse(&e->calc, &b, r);
    int order = bignum_cmp(&a, &b);
    bignum_free(&e->calc, &a);
    bignum_free(&e->calc, &b);
    if (e->calc.err)
        e->err = e->calc.err;
    return order;
}

static struct str expr_relation(struct expr *e, bool live)
{
    static const char *const words[] = {"<", "<=", "=", "==", "!=", ">=", ">"};
    struct str l = expr_plus(e, live);
    for (;;) {
        size_t op = 0;
        while (op < COUNT(words) && !expr_next(e, words[op]))
            op++;
        if (op == COUNT(words))
            return l;
        struct str r = expr_plus(e, live);
        if (!live || e->err)
            continue;
        int order = expr_order(e, l, r);
        const bool truth[] = {
            order<0, order <= 0, order == 0, order == 0, order != 0, order >= 0, order> 0};
        l = truth[op] ? STR("1") : STR("0");
    }
}

static struct str expr_and(struct expr *e, bool live)
{
    struct str l = expr_relation(e, live);
    while (expr_next(e, "&")) {
        struct str r = expr_relation(e, live && !expr_is_null(l));
        if (expr_is_null(l) || expr_is_null(r))
            l = STR("0");
    }
    return l;
}

static struct str expr_or(struct expr *e, bool live)
{
    if (task_stack_low(e->p->task)) {
        e->err = HOB_ELOOP;
        return STR("");
    }
    struct str l = expr_and(e, live);
    while (expr_next(e, "|")) {
        struct str r = expr_and(e, live && expr_is_null(l));
        if (expr_is_null(l))
            l = expr_is_null(r) ? STR("0") : r;
    }
    return l;
}

static int expr_run(struct proc *p, void *args)
{
    struct expr e = {.p = p, .bytes = locale_bytes(p)};
    struct out out;

    (void)args;
    e.calc = (struct bignum_calc){.heap = &p->kernel->heap, .tick = expr_tick, .ud = p};
    if (p->argc && str_eqz(p->argv[0], "--"))
        e.at = 1;
    if (!expr_more(&e))
        return proc_missing_operand(p);
    struct str v = expr_or(&e, true);
    if (!e.err && expr_more(&e)) {
        proc_warn(p, "syntax error: unexpected argument %s", proc_quote(p, p->argv[e.at]));
        e.err = EXPR_BAD;
    }
    if (e.err)
        return e.err;
    out_init(&out, p, 1);
    out_str(&out, v);
    out_putc(&out, '\n');
    return command_close(p, &out, expr_is_null(v) ? 1 : 0);
}

const struct command cmd_expr = {
    .name = "expr",
    .usage = "EXPRESSION",
    .summary = "Print the value of EXPRESSION, whose parts are words of their own.",
    .notes = "From weak to strong:\n"
             "  A | B    A unless it is empty or 0, else B\n"
             "  A & B    A if neither is empty or 0, else 0\n"
             "  A < B, A <= B, A = B, A != B, A >= B, A > B\n"
             "  A + B, A - B\n"
             "  A * B, A / B, A % B\n"
             "  STRING : REGEX, match STRING REGEX   what \\(...\\) matched, or how much\n"
             "  substr STRING POSITION LENGTH, index STRING CHARACTERS, length STRING\n"
             "  + WORD   the word, even if it is an operator\n"
             "  ( EXPRESSION )\n"
             "The status is 1 when the value is empty or 0, and 2 when the expression is wrong.",
    .flags = CMD_NO_OPTIONS,
    .usage_status = 2,
    .run = expr_run,
};

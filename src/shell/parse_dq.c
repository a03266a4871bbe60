/* parse_dq.c -- text that is read like the inside of "..": strings, here-documents, arithmetic */
#include "base/vec.h"
#include "shell/lex.h"

/* What is open inside such a text. */
struct parse_dq {
    int kind;
    int depth;   /* of ( ) or [ ] in arithmetic */
    int choices; /* ? without their : in a substring offset */
    int line[2]; /* where `inner` and `single` began */
    bool inner;  /* inside a "..." of an operand or of arithmetic */
    bool single; /* inside a '...' there, where nothing ends the text */
};

static bool parse_dq_bound(const struct parse_dq *d)
{
    return d->kind == PARSE_DQ_SUBSTR || d->kind == PARSE_DQ_LENGTH;
}

/* Whether the byte c ends the text; counts the nesting. */
static bool parse_dq_ends(struct parse_dq *d, char c)
{
    switch (d->kind) {
    case PARSE_DQ_STRING: return c == '"';
    case PARSE_DQ_OPERAND: return c == '}' && !d->inner && !d->single;
    case PARSE_DQ_TEXT:
    case PARSE_DQ_HEREDOC: return false;
    default: break;
    }
    if (d->inner || d->single)
        return false;
    char open = d->kind == PARSE_DQ_INDEX ? '[' : '(',
         close = d->kind == PARSE_DQ_INDEX ? ']' : ')';
    if (c == open) {
        d->depth++;
    } else if (c == close && (!parse_dq_bound(d) || d->depth)) {
        return d->depth-- == 0;
    } else if (d->kind == PARSE_DQ_FOR && c == ';') {
        return d->depth == 0;
    } else if (parse_dq_bound(d) && d->depth == 0) {
        if (c == '}')
            return true;
        if (c == '?')
            d->choices++;
        else if (c == ':' && d->kind == PARSE_DQ_SUBSTR)
            return d->choices-- <= 0;
    }
    return false;
}

/* A backslash protects only some bytes here; before others it stays. */
static void parse_dq_backslash(struct parser *p, const struct parse_dq *d)
{
    p->at++;
    if (!lex_more(p)) {
        buf_putc(&p->src, '\\');
        buf_putc(&p->txt, '\\');
        return;
    }
    char c = *p->at++;
    if (c == '\n') {
        p->line++;
        return;
    }
    buf_putc(&p->src, '\\');
    buf_putc(&p->src, c);
    bool protects = c == '$' || c == '`' || c == '\\' ||
                    (c == '"' && d->kind != PARSE_DQ_HEREDOC) ||
                    (c == '}' && d->kind == PARSE_DQ_OPERAND);
    if (!protects)
        buf_putc(&p->txt, '\\');
    buf_putc(&p->txt, c);
}

/* Copies bytes up to the next one that must be looked at. */
static void parse_dq_plain(struct parser *p, struct parse_dq *d)
{
    bool each = d->kind > PARSE_DQ_HEREDOC;
    const char *e = p->at;
    do {
        p->line += *e == '\n';
        e++;
    } while (!each && e < p->end && (!(lex_class[(uint8_t)*e] & LEX_C_DQUOTE) || *e == '\n'));
    buf_add(&p->txt, p->at, (size_t)(e - p->at));
    buf_add(&p->src, p->at, (size_t)(e - p->at));
    p->at = e;
}

/* A " inside: ends and begins a quoted stretch of an operand, and is dropped. One in '..' is
 * dropped as well, but ends nothing. */
static void parse_dq_inner(struct parser *p, struct parse_seq *q, struct parse_dq *d)
{
    if (!d->single) {
        d->inner = !d->inner;
        d->line[0] = p->line;
    }
    q->flags |= WORD_QUOTED;
    buf_putc(&p->src, '"');
    p->at++;
}

/* $'..' in the operand of "${x-..}", but not of one in a here-document. */
static bool parse_dq_is_ansi(const struct parser *p, const struct parse_dq *d)
{
    return d->kind == PARSE_DQ_OPERAND && lex_ahead(p, 1) == '\'' && !d->inner && !d->single &&
           (!p->doc_line || p->comsub);
}

/* bash puts its text in its place and reads that again when the word is expanded. */
static bool parse_dq_ansi(struct parser *p)
{
    size_t from = p->txt.n, count[3] = {0};
    bool odd = false;
    p->at += 2;
    if (!parse_word_ansi_text(p))
        return false;
    struct str text = lex_text(&p->txt, from);
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '\\' && i++ + 1 == text.n)
            odd = true;
        else if (c == '\'' || c == '"' || c == '`')
            count[c == '"' ? 0 : c == '`' ? 1 : 2]++;
    }
    if (odd || (count[0] | count[1] | count[2]) & 1) {
        p->ansi_bad = true;
        buf_str(&p->src, text);
        return true;
    }
    return parse_word_ansi_again(p, from);
}

/* Reads up to the byte that ends a text of this kind, which stays, or to the end of the input:
 * the caller says whether that is an error. */
bool parse_dq_run(struct parser *p, struct parse_seq *q, int kind)
{
    struct parse_dq d = {.kind = kind};
    while (!p->fail && lex_more(p)) {
        char c = *p->at;
        if (parse_dq_ends(&d, c))
            break;
        if (c == '\\') {
            parse_dq_backslash(p, &d);
        } else if (c == '`' || (c == '$' && parse_word_expands(p))) {
            if (kind == PARSE_DQ_HEREDOC) {
                p->doc_open = p->at;
                p->doc_name = false;
            }
            if (!parse_word_flush(p, q, PART_QUOTED) ||
                !(c == '`' ? parse_word_backquote(p, kind == PARSE_DQ_STRING)
                           : parse_word_dollar(p, q, true)))
                return false;
        } else if (c == '$' && parse_dq_is_ansi(p, &d)) {
            if (!parse_dq_ansi(p))
                return false;
        } else if (c == '$') {
            buf_putc(&p->txt, c);
            buf_putc(&p->src, c);
            p->at++;
        } else if (c == '"' && kind >= PARSE_DQ_OPERAND &&
                   (!d.single || kind == PARSE_DQ_OPERAND)) {
            parse_dq_inner(p, q, &d);
        } else {
            bool plain = kind == PARSE_DQ_OPERAND && p->opt.posix && !p->opt.compat42;
            if (c == '\'' && kind >= PARSE_DQ_OPERAND && !d.inner && !plain) {
                d.single = !d.single;
                d.line[1] = p->line;
            }
            parse_dq_plain(p, &d);
        }
    }
    if ((d.single || d.inner) && !lex_more(p))
        return lex_unexpected_end(p, d.line[d.single], d.single ? '\'' : '"');
    return !p->fail && parse_word_flush(p, q, PART_QUOTED);
}

/* In messages the inside of ".." is shown without the backslash of a protected ". */
static struct str parse_dq_unprotect(struct str copy)
{
    char *to = (char *)copy.p;
    size_t n = 0;
    for (size_t i = 0; copy.p && i < copy.n; i++) {
        if (copy.p[i] == '\\' && i + 1 < copy.n) {
            if (copy.p[i + 1] != '"')
                to[n++] = copy.p[i];
            i++;
        }
        to[n++] = copy.p[i];
    }
    if (copy.p)
        to[n] = '\0';
    return copy.p ? str_of(copy.p, n) : copy;
}

/* Behind an opening ": a string without expansions is one quoted part. */
bool parse_dq_string(struct parser *p, struct parse_seq *q, bool dollar)
{
    struct parse_seq in;
    int line = p->line;
    buf_putc(&p->src, '"');
    parse_word_begin(p, &in, 0);
    p->quotes++;
    bool ok = lex_enter(p) && parse_dq_run(p, &in, PARSE_DQ_STRING);
    p->quotes--;
    lex_leave(p);
    if (!ok)
        return false;
    if (!lex_more(p))
        return lex_unexpected_end(p, line, '"');
    p->at++;
    int n = (int)((p->stack.n - in.parts) / sizeof(struct part));
    struct part *sub = (struct part *)(void *)(p->stack.p + in.parts);
    q->flags |= WORD_QUOTED;
    if (n == 1 && sub->kind == PART_QUOTED) {
        sub->dollar = dollar;
    } else if (n == 0) {
        struct part *t = parse_word_part(p, PART_QUOTED);
        if (!t)
            return false;
        t->text = STR("");
        t->dollar = dollar;
    } else {
        struct str bad = in.bad ? parse_dq_unprotect(parse_word_shown(p, &in)) : STR_NONE;
        for (int i = 0; bad.p && i < n; i++)
            if (sub[i].kind == PART_PARAM && sub[i].u.param->op == PARAM_BAD && !sub[i].text.p) {
                sub[i].text = bad;
                p->ansi_bad = p->ansi_bad || sub[i].u.param->at == PARAM_BAD_OPEN;
            }
        sub = lex_pop(p, &p->stack, in.parts);
        struct part *t = sub ? parse_word_part(p, PART_DQUOTE) : NULL;
        if (!t)
            return false;
        t->u.sub.p = sub;
        t->u.sub.n = n;
        t->dollar = dollar;
    }
    buf_putc(&p->src, '"');
    return true;
}

/* The text of $((..)), ((..)), for ((..;..)) or $[..] up to what ends it; NULL if it is empty. */
struct word *parse_dq_arith(struct parser *p, int kind)
{
    struct parse_seq q;
    struct word *w = NULL;
    parse_word_begin(p, &q, 0);
    if (lex_enter(p) && parse_dq_run(p, &q, kind))
        w = parse_word_end(p, &q, true, false);
    lex_leave(p);
    return w;
}

/* ---- is it arithmetic? ---------------------------------------------------------------------- */

/* A "((" that is none of arithmetic, and the ")" of its first parenthesis. */
struct parse_dq_bad {
    const char *at, *close;
};

static int parse_dq_order(const void *a, const void *b, void *ud)
{
    const char *x = ((const struct parse_dq_bad *)a)->at, *y = ((const struct parse_dq_bad *)b)->at;
    (void)ud;
    return x < y ? -1 : x > y;
}

/* Skips what quotes protect; s is behind the opening one. */
static const char *parse_dq_skip(const char *s, const char *end, char quote)
{
    while (s < end && *s != quote)
        s += *s == '\\' && quote != '\'' && s + 1 < end ? 2 : 1;
    return s < end ? s + 1 : end;
}

/* An open parenthesis of the scan. */
struct parse_dq_open {
    const char *at;
    const char *inner; /* where the one right behind it was closed */
};

static bool parse_dq_note(struct parser *p, const char *at, const char *close)
{
    struct parse_dq_bad *bad = lex_push(p, &p->arith_bad, sizeof *bad);
    if (bad)
        *bad = (struct parse_dq_bad){at, close};
    return bad != NULL;
}

/* At a ) behind s - 1: closes the last one open. "((" without "))" is noted. */
static bool parse_dq_close(struct parser *p, const char *s, size_t base)
{
    p->stack.n -= sizeof(struct parse_dq_open);
    struct parse_dq_open *o = (struct parse_dq_open *)(void *)(p->stack.p + p->stack.n);
    if (o->inner && o->inner != s - 2 && !parse_dq_note(p, o->at, s - 1))
        return false;
    if (p->stack.n > base && o[-1].at == o->at - 1)
        o[-1].inner = s - 1;
    return true;
}

/* Pairs up all parentheses from `at` to the one that closes it, and notes each "((" that does not
 * end with "))". When the text ends before, "$((" is still taken for arithmetic. */
static bool parse_dq_scan(struct parser *p, const char *at)
{
    size_t base = p->stack.n;
    const char *s = at, *end = p->end;
    struct parse_dq_open *o;
    p->arith_bad.n = p->arith_base;
    do {
        char c = *s++;
        if (c == '\\') {
            s += s < end;
        } else if (c == '\'' || c == '"' || c == '`') {
            s = parse_dq_skip(s, end, c);
        } else if (c == '(') {
            if (!(o = lex_push(p, &p->stack, sizeof *o)))
                return false;
            o->at = s - 1;
        } else if (c == ')' && !parse_dq_close(p, s, base)) {
            return false;
        }
    } while (s < end && p->stack.n > base);
    for (size_t n = base; n < p->stack.n; n += sizeof *o) {
        o = (struct parse_dq_open *)(void *)(p->stack.p + n);
        if (o->inner && (o->at == p->start || o->at[-1] != '$') && !parse_dq_note(p, o->at, NULL))
            return false;
    }
    p->stack.n = base;
    p->arith_from = at;
    p->arith_to = s;
    size_t n = (p->arith_bad.n - p->arith_base) / sizeof(struct parse_dq_bad);
    return n < 2 ||
           sort_stable(p->heap, p->arith_bad.p + p->arith_base, n, sizeof(struct parse_dq_bad),
                       parse_dq_order, NULL) >= 0 ||
           lex_nomem(p);
}

/* Whether the "((" at `at` has its "))": otherwise it is a subshell in a subshell. The answers of
 * one scan serve for all that stands inside, so that nesting costs nothing. */
bool parse_dq_is_arith(struct parser *p, const char *at, const char **close)
{
    *close = NULL;
    if ((at < p->arith_from || at >= p->arith_to) && !parse_dq_scan(p, at))
        return true;
    size_t lo = 0, hi = (p->arith_bad.n - p->arith_base) / sizeof(struct parse_dq_bad);
    if (hi == 0)
        return true;
    const struct parse_dq_bad *bad = (const void *)(p->arith_bad.p + p->arith_base);
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (bad[mid].at == at) {
            *close = bad[mid].close;
            return false;
        }
        if (bad[mid].at < at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return true;
}

/* parse_word.c -- words: literal text, quotes, and what may stand in an unquoted word */
#include "shell/lex.h"
#include "base/utf8.h"

void parse_word_begin(struct parser *p, struct parse_seq *q, int mode)
{
    *q = (struct parse_seq){
        .parts = p->stack.n, .txt = p->txt.n, .src = p->src.n, .subs = p->subs.n, .mode = mode};
}

struct part *parse_word_part(struct parser *p, int kind)
{
    struct part *t = lex_push(p, &p->stack, sizeof *t);
    if (t)
        t->kind = (uint8_t)kind;
    return t;
}

/* The text collected since q began becomes a part. */
bool parse_word_flush(struct parser *p, struct parse_seq *q, int kind)
{
    if (p->txt.n == q->txt)
        return true;
    struct str text = lex_keep(p, lex_text(&p->txt, q->txt));
    buf_cut(&p->txt, q->txt);
    struct part *t = text.p ? parse_word_part(p, kind) : NULL;
    if (t)
        t->text = text;
    return t != NULL;
}

/* A part of kind QUOTED from the text collected since `from`; it may be empty. */
static bool parse_word_quoted(struct parser *p, struct parse_seq *q, size_t from, bool dollar)
{
    struct str text = lex_keep(p, lex_text(&p->txt, from));
    buf_cut(&p->txt, from);
    struct part *t = text.p ? parse_word_part(p, PART_QUOTED) : NULL;
    if (t) {
        t->text = text;
        t->dollar = dollar;
    }
    q->flags |= WORD_QUOTED;
    return t != NULL;
}

/* ---- making the word ------------------------------------------------------------------------ */

/* Parts that always give the same text. A "[" counts as a pattern only with a "]" behind it. */
static bool parse_word_constant(const struct part *t, int n, bool bracket, size_t *size)
{
    bool open = false;
    *size = 0;
    for (int i = 0; i < n; i++) {
        if (t[i].kind == PART_DQUOTE) {
            for (int k = 0; k < t[i].u.sub.n; k++) {
                if (t[i].u.sub.p[k].kind != PART_QUOTED)
                    return false;
                *size += t[i].u.sub.p[k].text.n;
            }
        } else if (t[i].kind == PART_LIT || t[i].kind == PART_QUOTED) {
            *size += t[i].text.n;
        } else {
            return false;
        }
        if (bracket && t[i].kind == PART_LIT) {
            const char *at = open ? t[i].text.p : memchr(t[i].text.p, '[', t[i].text.n);
            if (at && memchr(at, ']', t[i].text.n - (size_t)(at - t[i].text.p)))
                return false;
            open = open || at;
        }
    }
    return true;
}

static void parse_word_join(const struct part *t, int n, char *to)
{
    for (int i = 0; i < n; i++) {
        if (t[i].kind == PART_DQUOTE) {
            parse_word_join(t[i].u.sub.p, t[i].u.sub.n, to);
            for (int k = 0; k < t[i].u.sub.n; k++)
                to += t[i].u.sub.p[k].text.n;
        } else if (t[i].text.n) {
            memcpy(to, t[i].text.p, t[i].text.n);
            to += t[i].text.n;
        }
    }
}

static bool parse_word_lit(struct parser *p, struct word *w, bool bracket)
{
    size_t size;
    if (w->flags & WORD_GLOB)
        return true;
    if (!parse_word_constant(w->parts, w->n, bracket, &size)) {
        w->flags |= bracket ? WORD_GLOB : 0;
        return true;
    }
    w->flags |= WORD_STATIC;
    if (w->n == 1 && w->parts[0].kind != PART_DQUOTE) {
        w->lit = w->parts[0].text;
        return true;
    }
    char *to = arena_alloc(p->arena, size + 1);
    if (!to)
        return lex_nomem(p);
    parse_word_join(w->parts, w->n, to);
    to[size] = '\0';
    w->lit = str_of(to, size);
    return true;
}

/* Copies the text of a word and the substitutions in it, which stay on their stacks: they belong
 * to the word around it as well. */
static bool parse_word_src(struct parser *p, struct word *w, const struct parse_seq *q)
{
    if (w->lit.p && w->n == 1 && w->parts[0].kind == PART_LIT && w->lit.n == p->src.n - q->src)
        w->src = w->lit;
    else
        w->src = lex_keep(p, lex_text(&p->src, q->src));
    size_t n = p->subs.n - q->subs;
    if (n) {
        w->subs = arena_alloc(p->arena, n);
        if (!w->subs)
            return lex_nomem(p);
        memcpy(w->subs, p->subs.p + q->subs, n);
        w->nsubs = (int)(n / sizeof *w->subs);
        for (int i = 0; i < w->nsubs; i++)
            w->subs[i].at -= q->src;
    }
    return w->src.p != NULL;
}

/* What was read since q began, as a message shows it: with its substitutions. */
struct str parse_word_shown(struct parser *p, const struct parse_seq *q)
{
    struct word w = {.src = lex_text(&p->src, q->src)};
    size_t n = (p->subs.n - q->subs) / sizeof *w.subs;
    if (n == 0)
        return lex_keep(p, w.src);
    struct buf b;
    buf_init(&b, p->heap);
    w.nsubs = (int)n;
    w.subs = arena_array(p->arena, struct word_sub, n);
    for (size_t i = 0; w.subs && i < n; i++) {
        w.subs[i] = ((struct word_sub *)(void *)(p->subs.p + q->subs))[i];
        w.subs[i].at -= q->src;
    }
    if (w.subs)
        print_word(&b, &w);
    struct str copy = lex_keep(p, buf_get(&b));
    buf_fini(&b);
    return copy;
}

static void parse_word_bad(struct part *t, int n, struct str text)
{
    for (int i = 0; i < n; i++)
        if (t[i].kind == PART_PARAM && t[i].u.param->op == PARAM_BAD && !t[i].text.p)
            t[i].text = text;
}

/* A $'..' in "${..}" whose text has a quote of its own, or a subscript there without its ]: the
 * word cannot be expanded. */
static bool parse_word_unclosed(struct parser *p, struct word *w, const struct parse_seq *q)
{
    struct param *v = arena_new(p->arena, struct param);
    struct str text = arena_printf(p->arena, "bad substitution: no closing `}' in %.*s",
                                   STR_ARG(lex_text(&p->src, q->src)));
    p->ansi_bad = false;
    if (!v || !text.p || !w->n)
        return !w->n || lex_nomem(p);
    v->op = PARAM_BAD;
    v->at = PARAM_BAD_WHOLE;
    w->parts[0] = (struct part){.kind = PART_PARAM, .text = text};
    w->parts[0].u.param = v;
    w->n = 1;
    return true;
}

struct word *parse_word_end(struct parser *p, struct parse_seq *q, bool own_src, bool empty)
{
    if (!parse_word_flush(p, q, PART_LIT) || (q->braces && !parse_brace_build(p, q)))
        return NULL;
    int n = (int)((p->stack.n - q->parts) / sizeof(struct part));
    if (n == 0 && !empty)
        return NULL;
    struct word *w = arena_new(p->arena, struct word);
    struct part *parts = lex_pop(p, &p->stack, q->parts);
    if (!w || (n && !parts)) {
        lex_nomem(p);
        return NULL;
    }
    w->parts = parts;
    w->n = n;
    w->flags = q->flags;
    w->line = p->line;
    if (q->bad)
        parse_word_bad(parts, n, parse_word_shown(p, q));
    if (UNLIKELY(p->ansi_bad && own_src) && !parse_word_unclosed(p, w, q))
        return NULL;
    if (q->mode & PARSE_WORD_VALUE)
        w->flags &= ~WORD_GLOB;
    if (!parse_word_lit(p, w, q->bracket && !(q->mode & PARSE_WORD_VALUE)) ||
        (own_src && !parse_word_src(p, w, q)))
        return NULL;
    return w;
}

/* A word and its one part in one block: by far the most frequent kind. */
struct word *parse_word_static(struct parser *p, struct str lit, struct str src, int kind)
{
    struct word *w = arena_zalloc(p->arena, sizeof *w + sizeof(struct part));
    if (!w || !lit.p || !src.p) {
        lex_nomem(p);
        return NULL;
    }
    w->parts = (struct part *)(w + 1);
    w->n = 1;
    w->parts->kind = (uint8_t)kind;
    w->parts->text = w->lit = lit;
    w->src = src;
    w->line = p->line;
    w->flags = WORD_STATIC | (kind == PART_QUOTED ? WORD_QUOTED : 0);
    return w;
}

/* ---- quotes --------------------------------------------------------------------------------- */

/* Behind an opening ': the text up to the closing one goes to txt and src. */
bool parse_word_single(struct parser *p)
{
    int line = p->line;
    for (;;) {
        if (!lex_more(p))
            return lex_unexpected_end(p, line, '\'');
        const char *e = memchr(p->at, '\'', (size_t)(p->end - p->at));
        const char *stop = e ? e : p->end;
        for (const char *c = p->at; (c = memchr(c, '\n', (size_t)(stop - c))); c++)
            p->line++;
        buf_add(&p->txt, p->at, (size_t)(stop - p->at));
        buf_add(&p->src, p->at, (size_t)(stop - p->at));
        p->at = stop;
        if (e) {
            p->at++;
            buf_putc(&p->src, '\'');
            return true;
        }
    }
}

static int parse_word_digits(struct parser *p, int base, int most, uint32_t *value)
{
    int n = 0;
    *value = 0;
    for (; n < most && lex_more(p); n++) {
        int c = *p->at, d = ascii_digit(c)   ? c - '0'
                            : ascii_alpha(c) ? ascii_to_lower(c) - 'a' + 10
                                             : 99;
        if (d >= base)
            break;
        *value = *value * (uint32_t)base + (uint32_t)d;
        p->at++;
    }
    return n;
}

/* One escape of $'..', behind the backslash; false when it ends the string (a \0 and the like cuts
 * the value there, as in bash, and *cut says so). */
static void parse_word_escape(struct parser *p, bool *cut)
{
    static const char from[] = "abeEfnrtv\\'\"?", to[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
    char c = *p->at++, utf8[8];
    uint32_t v;
    const char *simple = c ? memchr(from, c, sizeof from - 1) : NULL;
    if (simple) {
        buf_putc(&p->txt, to[simple - from]);
    } else if (c >= '0' && c <= '7') {
        p->at--;
        parse_word_digits(p, 8, 3, &v);
        buf_putc(&p->txt, (char)v);
        *cut = *cut || !(v & 255);
    } else if (c == 'x' && lex_more(p) && *p->at == '{') {
        p->at++;
        parse_word_digits(p, 16, INT_MAX, &v);
        if (lex_more(p) && *p->at == '}')
            p->at++;
        buf_putc(&p->txt, (char)v);
        *cut = *cut || !(v & 255);
    } else if (c == 'x' || c == 'u' || c == 'U') {
        if (!parse_word_digits(p, 16, c == 'x' ? 2 : c == 'u' ? 4 : 8, &v)) {
            buf_putc(&p->txt, '\\');
            buf_putc(&p->txt, c);
        } else if (c == 'x') {
            buf_putc(&p->txt, (char)v);
        } else {
            buf_add(&p->txt, utf8, (size_t)utf8_encode(utf8, v));
        }
        *cut = *cut || (v == 0 && p->txt.n && !p->txt.p[p->txt.n - 1]);
    } else if (c == 'c' && lex_more(p)) {
        c = *p->at++;
        if (c == '\\' && lex_more(p) && *p->at == '\\')
            p->at++;
        c = c == '?' ? 127 : (char)(ascii_to_upper(c) & 31);
        *cut = *cut || !c;
        buf_putc(&p->txt, c);
    } else {
        p->line += c == '\n';
        buf_putc(&p->txt, '\\');
        buf_putc(&p->txt, c);
    }
}

/* Behind $': the escapes are done here, and bash keeps the result in plain quotes. */
bool parse_word_ansi_text(struct parser *p)
{
    size_t end = SIZE_MAX;
    int line = p->line;
    bool cut = false;
    for (;;) {
        if (!lex_more(p))
            return lex_unexpected_end(p, line, '\'');
        char c = *p->at++;
        if (c == '\'')
            break;
        if (c == '\\' && lex_more(p)) {
            size_t before = p->txt.n;
            parse_word_escape(p, &cut);
            if (cut && end == SIZE_MAX)
                end = before;
        } else {
            p->line += c == '\n';
            buf_putc(&p->txt, c);
        }
    }
    if (end != SIZE_MAX && end < p->txt.n)
        buf_cut(&p->txt, end);
    return true;
}

/* The text of a $'..', behind `from`, is read again without quotes around it. */
bool parse_word_ansi_again(struct parser *p, size_t from)
{
    struct str text = lex_text(&p->txt, from);
    for (size_t i = 0; i < text.n; i++)
        p->line -= text.p[i] == '\n'; /* they are no lines of the script */
    bool ok = text.n == 0 || lex_insert(p, text);
    buf_cut(&p->txt, from);
    return ok;
}

static bool parse_word_ansi(struct parser *p, struct parse_seq *q)
{
    size_t from = p->txt.n;
    if (!parse_word_ansi_text(p))
        return false;
    if (q->mode & PARSE_WORD_BARE)
        return parse_word_ansi_again(p, from);
    if (p->txt.n == from + 1 && p->txt.p[from] == '\'') {
        buf_addz(&p->src, "\\'"); /* as bash writes it */
        return parse_word_quoted(p, q, from, true);
    }
    buf_putc(&p->src, '\'');
    for (size_t i = from; i < p->txt.n; i++) {
        if (p->txt.p[i] == '\'')
            buf_addz(&p->src, "'\\'");
        buf_putc(&p->src, p->txt.p[i]);
    }
    buf_putc(&p->src, '\'');
    return parse_word_quoted(p, q, from, true);
}

/* ---- substitutions -------------------------------------------------------------------------- */

/* `..` is a text of its own: backslashes that protect are taken away, then it is read when the
 * word is expanded, so that a syntax error in it counts only then. */
bool parse_word_backquote(struct parser *p, bool quoted)
{
    size_t from = p->txt.n;
    int line = p->line;
    p->at++;
    buf_putc(&p->src, '`');
    for (;;) {
        if (!lex_more(p))
            return lex_unexpected_end(p, line, '`');
        char c = *p->at++;
        buf_putc(&p->src, c);
        if (c == '`')
            break;
        if (c == '\\' && lex_more(p)) {
            char e = *p->at++;
            buf_putc(&p->src, e);
            if (e == '\n') { /* A continued line vanishes wherever it is. */
                p->line++;
                buf_cut(&p->src, p->src.n - 2);
                continue;
            }
            if (e != '$' && e != '`' && e != '\\' && !(quoted && e == '"'))
                buf_putc(&p->txt, '\\');
            c = e;
        }
        p->line += c == '\n';
        buf_putc(&p->txt, c);
    }
    struct str text = lex_keep(p, lex_text(&p->txt, from));
    buf_cut(&p->txt, from);
    struct part t = {.kind = PART_CMDSUB, .backquote = true};
    if (!text.p || !lex_enter(p))
        return false;
    t.u.cmd.line = line;
    t.u.cmd.body = parse_script(p, text, line, false, &t);
    lex_leave(p);
    struct part *to = p->fail ? NULL : parse_word_part(p, PART_CMDSUB);
    if (to)
        *to = t;
    return to != NULL;
}

static bool parse_word_arith(struct parser *p, bool bracket)
{
    int line = p->line;
    struct word *w = parse_dq_arith(p, bracket ? PARSE_DQ_INDEX : PARSE_DQ_ARITH);
    if (p->fail)
        return false;
    if (!lex_more(p) || (!bracket && lex_ahead(p, 1) != ')'))
        return lex_unexpected_end(p, line, bracket ? ']' : ')');
    p->at += bracket ? 1 : 2;
    buf_addz(&p->src, bracket ? "]" : "))");
    struct part *t = parse_word_part(p, PART_ARITH);
    if (!t)
        return false;
    t->backquote = bracket;
    t->u.arith.expr = w;
    return true;
}

/* A name, in spite of continued lines inside it. */
static struct str parse_word_name(struct parser *p)
{
    const char *e = lex_name_end(p->at, p->end);
    struct str name = str_of(p->at, (size_t)(e - p->at));
    buf_str(&p->src, name);
    p->at = e;
    if (lex_ahead(p, 0) != '\\' || lex_ahead(p, 1) != '\n')
        return lex_keep(p, name);
    size_t from = p->txt.n;
    buf_str(&p->txt, name);
    while (lex_ahead(p, 0) == '\\' && lex_ahead(p, 1) == '\n') {
        p->at += 2;
        p->line++;
        for (; p->at < p->end && lex_name_char(*p->at); p->at++) {
            buf_putc(&p->txt, *p->at);
            buf_putc(&p->src, *p->at);
        }
    }
    name = lex_keep(p, lex_text(&p->txt, from));
    buf_cut(&p->txt, from);
    return name;
}

static bool parse_word_simple(struct parser *p)
{
    struct part *t = parse_word_part(p, PART_PARAM);
    struct param *v = t ? arena_new(p->arena, struct param) : NULL;
    if (!v)
        return lex_nomem(p);
    t->u.param = v;
    char c = *++p->at;
    buf_putc(&p->src, '$');
    if (lex_name_start(c)) {
        v->what = PARAM_VAR;
        v->name = parse_word_name(p);
        return !p->fail;
    }
    v->what = c >= '0' && c <= '9' ? PARAM_POS : PARAM_SPECIAL;
    if (v->what == PARAM_POS)
        v->pos = c - '0';
    else
        v->special = c;
    buf_putc(&p->src, c);
    p->at++;
    return true;
}

/* At "$((" without its "))". bash looks at that as a text first, and so reads the commands in it
 * only when the word is expanded, and prints it as it was written. */
static bool parse_word_raw_comsub(struct parser *p, const char *close)
{
    const char *start = p->at;
    struct part t = {.kind = PART_CMDSUB}, *to;
    t.u.cmd.line = p->line;
    buf_putc(&p->src, '$');
    buf_add(&p->src, start + 1, (size_t)(close - start));
    if (!lex_enter(p))
        return lex_leave(p), false;
    t.u.cmd.body =
        parse_script(p, str_of(start + 2, (size_t)(close - start - 2)), p->line, true, &t);
    lex_leave(p);
    for (const char *c = start; (c = memchr(c, '\n', (size_t)(close - c))); c++)
        p->line++;
    p->at = close + 1;
    if (p->fail || !(to = parse_word_part(p, PART_CMDSUB)))
        return false;
    *to = t;
    return true;
}

/* At a $; `quoted` inside "..". What was collected before is a part of its own already. */
bool parse_word_dollar(struct parser *p, struct parse_seq *q, bool quoted)
{
    const char *close = NULL;
    switch (lex_ahead(p, 1)) {
    case '{':
        p->at += 2;
        buf_addz(&p->src, "${");
        return parse_param_read(p, q, quoted);
    case '[':
        p->at += 2;
        buf_addz(&p->src, "$[");
        return parse_word_arith(p, true);
    case '(':
        lex_join(p, 2);
        if (lex_ahead(p, 2) == '(' && parse_dq_is_arith(p, p->at + 1, &close)) {
            p->at += 3;
            buf_addz(&p->src, "$((");
            return parse_word_arith(p, false);
        }
        if (close)
            return parse_word_raw_comsub(p, close);
        p->at += 2;
        return parse_comsub(p, '$');
    default: return parse_word_simple(p);
    }
}

/* Whether the $ at the cursor begins an expansion. Lines that are continued right behind it are
 * skipped, so that the cursor stands before the next byte in any case. */
bool parse_word_expands(struct parser *p)
{
    while (lex_ahead(p, 1) == '\\' && lex_ahead(p, 2) == '\n') {
        p->at += 2;
        p->line++;
    }
    char c = lex_ahead(p, 1);
    return c && (lex_name_char(c) || memchr("{([@*#?-$!", c, 10));
}

/* ---- unquoted text -------------------------------------------------------------------------- */

/* Whether the text read so far begins with name=, name+= or name[..]=. */
static bool parse_word_assigns(struct parser *p, struct parse_seq *q)
{
    if (q->assign == 0) {
        const char *s = p->src.p + q->src, *end = p->src.p + p->src.n;
        const char *e = lex_name_end(s, end);
        if (e > s && e < end && *e == '[') {
            const char *close = memchr(e, ']', (size_t)(end - e));
            e = close ? close + 1 : end;
        }
        if (e < end && *e == '+')
            e++;
        q->assign = e > s && e < end && *e == '=' ? 1 : -1;
    }
    return q->assign > 0;
}

/* Whether a ~ here is a tilde prefix: at the start, behind the = of an assignment, behind : in
 * its value. */
static bool parse_word_tilde_here(struct parser *p, struct parse_seq *q)
{
    if (p->src.n == q->src)
        return true;
    if (p->txt.n == q->txt || !(q->mode & (PARSE_WORD_ASSIGN | PARSE_WORD_VALUE)))
        return false;
    char last = p->txt.p[p->txt.n - 1];
    if (last != ':' && last != '=')
        return false;
    if (q->mode & PARSE_WORD_VALUE)
        return last == ':';
    if (!parse_word_assigns(p, q))
        return false;
    return last == ':' ||
           memchr(p->src.p + q->src, '=', p->src.n - q->src) == p->src.p + p->src.n - 1;
}

/* At a ~ that may begin a tilde prefix. True with nothing taken: it is plain text. */
bool parse_word_tilde(struct parser *p, struct parse_seq *q)
{
    const char *e = p->at + 1;
    while (e < p->end && *e != '/' && *e != '}' && !(lex_class[(uint8_t)*e] & LEX_C_META) &&
           *e != ':') {
        if (lex_class[(uint8_t)*e] & LEX_C_SPECIAL)
            return true;
        e++;
    }
    struct str user = lex_keep(p, str_of(p->at + 1, (size_t)(e - p->at - 1)));
    if (!user.p || !parse_word_flush(p, q, PART_LIT))
        return false;
    struct part *t = parse_word_part(p, PART_TILDE);
    if (!t)
        return false;
    t->text = user;
    buf_add(&p->src, p->at, (size_t)(e - p->at));
    p->at = e;
    return true;
}

/* At {, or at , or } while a { is open: a mark that parse_brace.c looks at when the word ends. */
static bool parse_word_mark(struct parser *p, struct parse_seq *q)
{
    char c = *p->at++;
    buf_putc(&p->src, c);
    if (c == '{' && lex_more(p) && *p->at == '}') { /* {} is never an expansion */
        p->at++;
        buf_putc(&p->src, '}');
        buf_addz(&p->txt, "{}");
        return true;
    }
    if (!parse_word_flush(p, q, PART_LIT))
        return false;
    struct part *t = parse_word_part(p, PARSE_BRACE_MARK);
    if (!t)
        return false;
    t->out = c == '}';
    t->dollar = c == ',';
    q->open += c == '{' ? 1 : c == '}' ? -1 : 0;
    q->braces = true;
    return true;
}

/* A backslash: the next byte is quoted, a continued line vanishes. */
static bool parse_word_backslash(struct parser *p, struct parse_seq *q)
{
    p->at++;
    if (!lex_more(p)) { /* at the end of the text it stands for itself */
        p->line += 2;   /* bash has looked for more lines */
        buf_addz(&p->src, "\\\\");
        buf_putc(&p->txt, '\\');
        return true;
    }
    if (*p->at == '\n') {
        p->at++;
        p->line++;
        return true;
    }
    if (!parse_word_flush(p, q, PART_LIT))
        return false;
    buf_putc(&p->src, '\\');
    buf_putc(&p->src, *p->at);
    size_t from = p->txt.n;
    buf_putc(&p->txt, *p->at++);
    return parse_word_quoted(p, q, from, false);
}

static bool parse_word_quote(struct parser *p, struct parse_seq *q, bool dollar)
{
    if (!parse_word_flush(p, q, PART_LIT))
        return false;
    p->at += dollar ? 2 : 1;
    if (dollar && p->at[-1] == '\'')
        return parse_word_ansi(p, q);
    if (p->at[-1] == '"')
        return parse_dq_string(p, q, dollar);
    buf_putc(&p->src, '\'');
    size_t from = p->txt.n;
    return parse_word_single(p) && parse_word_quoted(p, q, from, false);
}

/* Whether a name, at the place of a command, is all that was read so far. */
static bool parse_word_after_name(struct parser *p, const struct parse_seq *q)
{
    struct str s = lex_text(&p->src, q->src);
    if (q->mode & PARSE_WORD_ELEMENT) /* the [ itself begins it */
        return s.n == 0 && p->txt.n == q->txt && p->stack.n == q->parts;
    return (q->mode & PARSE_WORD_COMMAND) && s.n && p->txt.n - q->txt == s.n &&
           p->stack.n == q->parts && parse_is_name(s);
}

/* bash takes name[ for the start of an assignment there, and reads on to the ] in any case. */
static bool parse_word_subscript(struct parser *p, struct parse_seq *q)
{
    int line = p->line;
    buf_putc(&p->txt, '[');
    buf_putc(&p->src, '[');
    p->at++;
    if (!parse_word_run(p, q, "]"))
        return false;
    return lex_more(p) || lex_unexpected_end(p, line, ']');
}

/* An unquoted byte with a meaning. 1: taken, 0: it ends the word, -1: failed. */
static int parse_word_special(struct parser *p, struct parse_seq *q)
{
    char c = *p->at;
    switch (c) {
    case '\\': return parse_word_backslash(p, q) ? 1 : -1;
    case '\'':
    case '"': return parse_word_quote(p, q, false) ? 1 : -1;
    case '`': return parse_word_flush(p, q, PART_LIT) && parse_word_backquote(p, false) ? 1 : -1;
    case '$':
        if (!parse_word_expands(p)) {
            if (lex_ahead(p, 1) != '\'' && lex_ahead(p, 1) != '"')
                break;
            return parse_word_quote(p, q, true) ? 1 : -1;
        }
        return parse_word_flush(p, q, PART_LIT) && parse_word_dollar(p, q, false) ? 1 : -1;
    case '{':
        if (q->mode & PARSE_WORD_NOBRACE || p->opt.no_brace)
            break;
        return parse_word_mark(p, q) ? 1 : -1;
    case '~':
        if (parse_word_tilde_here(p, q)) {
            const char *before = p->at;
            if (!parse_word_tilde(p, q))
                return -1;
            if (p->at != before)
                return 1;
        }
        break;
    case '*':
    case '?': q->flags |= WORD_GLOB; break;
    case '[':
        q->bracket = true;
        if (parse_word_after_name(p, q))
            return parse_word_subscript(p, q) ? 1 : -1;
        break;
    default: break;
    }
    buf_putc(&p->txt, c);
    buf_putc(&p->src, c);
    p->at++;
    return 1;
}

/* A byte that ends words. 1: it belongs to this one, 0: it ends it, -1: failed. */
static int parse_word_meta(struct parser *p, struct parse_seq *q, const char *stops)
{
    char c = *p->at;
    if (c == '<' || c == '>')
        lex_join(p, 1);
    if (q->ext) {
        q->ext += c == '(' ? 1 : c == ')' ? -1 : 0;
    } else if (stops) {
        if ((c == '<' || c == '>') && lex_ahead(p, 1) == '(') {
            p->at += 2;
            return parse_word_flush(p, q, PART_LIT) && parse_comsub(p, c) ? 1 : -1;
        }
    } else if (c == '(') {
        char last = p->txt.n > q->txt ? p->txt.p[p->txt.n - 1] : '\0';
        bool ext =
            (p->opt.extglob || (q->mode & PARSE_WORD_EXTGLOB)) && last && memchr("?*+@!", last, 5);
        bool list = (q->mode & PARSE_WORD_LIST) && !q->listed;
        if (!ext && !list && !(q->mode & PARSE_WORD_REGEX))
            return 0;
        q->listed = true;
        q->flags |= ext ? WORD_GLOB : 0;
        q->ext = 1;
    } else if ((c == '<' || c == '>') && lex_ahead(p, 1) == '(') {
        p->at += 2;
        return parse_word_flush(p, q, PART_LIT) && parse_comsub(p, c) ? 1 : -1;
    } else if (c != '|' || !(q->mode & PARSE_WORD_REGEX)) {
        return 0;
    }
    p->line += c == '\n';
    buf_putc(&p->txt, c);
    buf_putc(&p->src, c);
    p->at++;
    return 1;
}

/* Bytes without a meaning go over in one piece. */
static void parse_word_plain(struct parser *p, const struct parse_seq *q, const char *stops)
{
    const char *e = p->at;
    for (; e < p->end && !(lex_class[(uint8_t)*e] & (LEX_C_META | LEX_C_SPECIAL)); e++)
        if ((q->open && (*e == ',' || *e == '}')) || (stops && strchr(stops, *e)))
            break;
    buf_add(&p->txt, p->at, (size_t)(e - p->at));
    buf_add(&p->src, p->at, (size_t)(e - p->at));
    p->at = e;
}

/* Reads unquoted text: up to a metacharacter, or, with stops, up to one of those bytes outside
 * quotes (nested brackets are counted if "]" is one). The end of the text ends it too, and that
 * of an alias if it is a word by itself. */
bool parse_word_run(struct parser *p, struct parse_seq *q, const char *stops)
{
    int line = p->line, depth = 0;
    bool index = stops && *stops == ']';
    while (!p->fail && (p->at < p->end || ((stops || q->ext) && lex_more(p)))) {
        char c = *p->at;
        int r = 1;
        if (stops && !q->ext && c && strchr(stops, c)) {
            if (depth == 0)
                return true;
            depth--;
            buf_putc(&p->txt, c);
            buf_putc(&p->src, c);
            p->at++;
        } else if (q->open && (c == ',' || c == '}')) {
            r = parse_word_mark(p, q) ? 1 : -1;
        } else if (lex_class[(uint8_t)c] & LEX_C_META) {
            r = parse_word_meta(p, q, stops);
        } else if (lex_class[(uint8_t)c] & LEX_C_SPECIAL) {
            depth += index && c == '[';
            r = parse_word_special(p, q);
        } else {
            parse_word_plain(p, q, stops);
        }
        if (r <= 0)
            return r == 0;
    }
    return !p->fail && (!q->ext || lex_unexpected_end(p, line, ')'));
}

/* ---- whole words ---------------------------------------------------------------------------- */

/* A word of plain bytes needs no collecting. NULL without a failure: it is not plain. */
static struct word *parse_word_fast(struct parser *p, int mode)
{
    const char *e = p->at;
    while (e < p->end && !(lex_class[(uint8_t)*e] & (LEX_C_META | LEX_C_SPECIAL)))
        e++;
    if (e == p->at)
        return NULL;
    if (e < p->end) {
        if (!(lex_class[(uint8_t)*e] & LEX_C_META) || *e == '(' || *e == '|' ||
            ((*e == '<' || *e == '>') && e + 1 < p->end && e[1] == '('))
            if (*e != '|' || (mode & PARSE_WORD_REGEX))
                return NULL;
    }
    size_t n = (size_t)(e - p->at), head = sizeof(struct word) + sizeof(struct part);
    struct word *w = arena_alloc(p->arena, head + n + 1); /* the text behind, in the same block */
    if (!w)
        return lex_nomem(p), NULL;
    char *text = (char *)w + head;
    memcpy(text, p->at, n);
    text[n] = '\0';
    p->at = e;
    *w = (struct word){
        .parts = (struct part *)(w + 1), .n = 1, .flags = WORD_STATIC, .line = p->line};
    w->lit = w->src = str_of(text, n);
    *w->parts = (struct part){.kind = PART_LIT, .text = w->lit};
    return w;
}

struct word *parse_word_read(struct parser *p, int mode)
{
    struct word *fast = parse_word_fast(p, mode);
    if (fast || p->fail)
        return fast;
    struct parse_seq q;
    struct word *w = NULL;
    parse_word_begin(p, &q, mode);
    if (lex_enter(p) && parse_word_run(p, &q, NULL))
        w = parse_word_end(p, &q, true, true);
    lex_leave(p);
    p->stack.n = q.parts;
    buf_cut(&p->txt, q.txt);
    buf_cut(&p->src, q.src);
    p->subs.n = q.subs;
    if (!w && !p->fail)
        lex_nomem(p);
    return w;
}

/* lex.c -- the input of the parser: bytes, blanks, aliases, operators, reserved words, messages */
#include "shell/lex.h"
#include "shell/expand_impl.h"

/* One row per sixteen bytes; see LEX_C_META and the others. */
const uint8_t lex_class[256] = {
    0, 0, 0, 0, 0, 0,  0, 0,  0, 1,  9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 1, 0, 10, 0, 10, 0, 1,  2, 1, 1, 2, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
    0, 1, 1, 0, 1, 2,  0, 4,  4, 4,  4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 2, 10, 0, 0,  4, 10, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 4, 4,  4, 2,  1, 0,  2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0,  0, 0,  0, 0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0,  0, 0,  0, 0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0,  0, 0,  0, 0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0,  0, 0,  0, 0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

/* ---- input ---------------------------------------------------------------------------------- */

static void lex_frame_pop(struct parser *p)
{
    struct lex_frame *f = p->frames;
    p->seen_at = NULL;
    p->at = f->at;
    p->end = f->end;
    p->start = f->start;
    p->frames = f->up;
    if (f->hard) {
        p->arith_bad.n = f->arith_n;
        p->arith_from = f->arith_from;
        p->arith_to = f->arith_to;
        p->arith_base = f->arith_base;
        p->ended = f->ended;
    }
    if (f->size)
        heap_free(p->heap, f, f->size);
}

bool lex_more_slow(struct parser *p)
{
    while (p->at == p->end && p->frames && !p->frames->hard) {
        p->alias_next = p->frames->blank;
        lex_frame_pop(p);
    }
    return p->at < p->end;
}

void lex_hard_push(struct parser *p, struct lex_frame *f, struct str text)
{
    *f = (struct lex_frame){p->frames,     p->at,          p->end,  p->start,      0,
                            STR_NONE,      true,           false,   p->arith_from, p->arith_to,
                            p->arith_base, p->arith_bad.n, p->ended};
    p->seen_at = NULL;
    p->ended = false;
    p->arith_base = p->arith_bad.n;
    p->arith_from = p->arith_to = NULL;
    p->frames = f;
    p->at = p->start = text.p;
    p->end = text.p + text.n;
}

void lex_hard_pop(struct parser *p, struct lex_frame *f)
{
    while (p->frames != f)
        lex_frame_pop(p);
    lex_frame_pop(p);
}

/* Words end where the text of an alias ends; only what is quoted goes on below it. */
static bool lex_alias_push(struct parser *p, struct str name, struct str value)
{
    char last = value.n ? value.p[value.n - 1] : '\0';
    size_t size = sizeof(struct lex_frame) + name.n + value.n;

    p->alias_bytes += size;
    if (p->alias_bytes > LEX_ALIAS_BYTES) {
        lex_error(p, p->line, 2, "aliases expand to too much text");
        p->fail = HOB_ELIMIT;
        return false;
    }
    struct lex_frame *f = heap_alloc(p->heap, size);
    if (!f)
        return lex_nomem(p);
    char *text = (char *)(f + 1);
    memcpy(text, name.p, name.n);
    if (value.n)
        memcpy(text + name.n, value.p, value.n);
    *f = (struct lex_frame){.up = p->frames,
                            .at = p->at + name.n,
                            .end = p->end,
                            .start = p->start,
                            .size = size,
                            .name = str_of(text, name.n),
                            .blank = last == ' ' || last == '\t'};
    p->seen_at = NULL;
    p->frames = f;
    p->at = p->start = text + name.n;
    p->end = p->at + value.n;
    return true;
}

bool lex_insert(struct parser *p, struct str text)
{
    if (!lex_alias_push(p, STR(""), text))
        return false;
    p->frames->blank = false;
    return true;
}

bool lex_alias(struct parser *p)
{
    p->alias_next = false;
    if (!p->opt.aliases || !p->opt.alias || p->fail)
        return false;
    const char *end = lex_word_end(p);
    if (!end || end == p->at)
        return false;
    struct str name = str_of(p->at, (size_t)(end - p->at));
    for (struct lex_frame *f = p->frames; f; f = f->up)
        if (f->name.p && str_eq(f->name, name))
            return false;
    struct str value = p->opt.alias(p->opt.ud, name);
    return value.p && lex_alias_push(p, name, value);
}

/* ---- tokens --------------------------------------------------------------------------------- */

/* Skips blanks, continued lines and a comment. */
static void lex_blanks(struct parser *p)
{
    for (;;) {
        while (p->at < p->end && (*p->at == ' ' || *p->at == '\t'))
            p->at++;
        if (p->at == p->end) {
            if (!lex_more_slow(p))
                return;
        } else if (*p->at == '\\' && lex_ahead(p, 1) == '\n') {
            p->at += 2;
            p->line++;
        } else if (*p->at == '#') {
            const char *nl = memchr(p->at, '\n', (size_t)(p->end - p->at));
            p->at = nl ? nl : p->end;
        } else {
            return;
        }
    }
}

const char *lex_name_end(const char *at, const char *end)
{
    if (at == end || !lex_name_start(*at))
        return at;
    while (at < end && lex_name_char(*at))
        at++;
    return at;
}

static bool lex_continued(const struct parser *p, size_t n)
{
    return lex_ahead(p, n) == '\\' && lex_ahead(p, n + 1) == '\n';
}

void lex_join(struct parser *p, size_t n)
{
    while (p->joins && lex_continued(p, n)) {
        char *at = (char *)(uintptr_t)p->at; /* a copy of our own, see parse_own_text() */
        memmove(at + 2, at, n);
        memcpy(at, "\\\n", 2);
        p->at += 2;
        p->line++;
    }
}

void lex_join_name(struct parser *p)
{
    for (size_t n = 0; p->joins && n < LEX_JOIN;) {
        n = (size_t)(lex_name_end(p->at, p->end) - p->at);
        if (!n || !lex_continued(p, n) || !lex_name_char(lex_ahead(p, n + 2)))
            return;
        lex_join(p, n);
    }
}

/* The start of the token at the cursor: ( < >, or a word up to its first quote or $. */
static void lex_join_token(struct parser *p)
{
    if (lex_class[(uint8_t)*p->at] & LEX_C_META) {
        if (*p->at == '(' || *p->at == '<' || *p->at == '>')
            lex_join(p, 1);
        return;
    }
    for (size_t n = 0; n < LEX_JOIN;) {
        char c = lex_ahead(p, n);
        if (!c || c == '\'' || c == '"' || c == '$' || c == '`' ||
            (lex_class[(uint8_t)c] & LEX_C_META))
            return;
        if (c != '\\') {
            n++;
            continue;
        }
        char next = lex_ahead(p, n + 2);
        if (!lex_continued(p, n) || !next || (lex_class[(uint8_t)next] & LEX_C_META))
            return;
        lex_join(p, n);
    }
}

/* At a digit or {: whether a redirection operator follows the number or {name}. */
static bool lex_redir_prefix(struct parser *p)
{
    const char *q = p->at;
    if (*q == '{') {
        const char *e = lex_name_end(q + 1, p->end);
        if (e == q + 1)
            return false;
        if (e < p->end && *e == '[') { /* {a[1]}> */
            while (e < p->end && *e != ']' && !(lex_class[(uint8_t)*e] & LEX_C_META))
                e++;
            e += e < p->end && *e == ']';
        }
        if (e == p->end || *e != '}')
            return false;
        q = e + 1;
    } else {
        while (q < p->end && *q >= '0' && *q <= '9')
            q++;
        if (q - p->at > 9)
            return false;
    }
    return q < p->end && (*q == '<' || *q == '>');
}

/* The byte behind n of the operator at the cursor; continued lines in between are part of it. */
static char lex_operator_next(const struct parser *p, size_t *n)
{
    while (lex_ahead(p, *n) == '\\' && lex_ahead(p, *n + 1) == '\n')
        *n += 2;
    return lex_ahead(p, *n);
}

static enum lex_token lex_operator(struct parser *p, char c)
{
    size_t n = 1;
    char next = lex_ahead(p, 1);
    if (UNLIKELY(next == '\\'))
        next = lex_operator_next(p, &n);
    p->token_size = 1;
    switch (c) {
    case '\n': return LEX_NEWLINE;
    case '(': return LEX_LPAREN;
    case ')': return LEX_RPAREN;
    case ';':
        if (next != ';' && next != '&')
            return LEX_SEMI;
        p->token_size = (int)++n;
        if (next == '&')
            return LEX_SEMIAMP;
        if (lex_operator_next(p, &n) != '&')
            return LEX_DSEMI;
        p->token_size = (int)++n;
        return LEX_DSEMIAMP;
    case '&':
        if (next == '>')
            return LEX_REDIR;
        p->token_size = next == '&' ? (int)n + 1 : 1;
        return next == '&' ? LEX_AND : LEX_AMP;
    case '|':
        p->token_size = next == '|' || next == '&' ? (int)n + 1 : 1;
        return next == '|' ? LEX_OR : next == '&' ? LEX_PIPEAMP : LEX_PIPE;
    default: /* < > */ return next == '(' ? LEX_WORD : LEX_REDIR;
    }
}

enum lex_token lex_peek_slow(struct parser *p)
{
    lex_blanks(p);
    if (p->at == p->end) {
        p->token_size = 0;
        p->seen_at = NULL;
        return p->ended || p->end == p->start || p->end[-1] == '\n' ? LEX_END : LEX_NEWLINE;
    }
    if (UNLIKELY(p->joins))
        lex_join_token(p);
    char c = *p->at;
    enum lex_token t = LEX_WORD;
    if (lex_class[(uint8_t)c] & LEX_C_META)
        t = lex_operator(p, c);
    else if (((c >= '0' && c <= '9') || c == '{') && lex_redir_prefix(p))
        t = LEX_REDIR;
    p->seen_at = p->at;
    p->seen_end = p->end;
    p->seen = (uint8_t)t;
    p->seen_word = -1;
    return t;
}

void lex_take(struct parser *p)
{
    p->alias_next = false;
    if (p->at < p->end && *p->at != '\n') {
        for (int i = 1; UNLIKELY(p->token_size > 1) && i < p->token_size; i++)
            p->line += p->at[i] == '\n';
        p->at += p->token_size;
        return;
    }
    if (p->at == p->end)
        p->ended = true;
    else
        p->at++;
    p->line++;
    if (p->heredocs)
        parse_heredoc_read(p);
}

void lex_newlines(struct parser *p)
{
    while (!p->fail && lex_peek(p) == LEX_NEWLINE)
        lex_take(p);
}

/* Whether a word that was read up to q ends there; a continued line may stand between. */
static bool lex_at_end(struct parser *p, const char *q)
{
    while (p->end - q >= 2 && q[0] == '\\' && q[1] == '\n')
        q += 2;
    return q == p->end || (lex_class[(uint8_t)*q] & LEX_C_META);
}

const char *lex_word_end(struct parser *p)
{
    const char *q = p->at;
    for (; q < p->end && !(lex_class[(uint8_t)*q] & LEX_C_META); q++)
        if (*q == '\'' || *q == '"' || *q == '\\' || *q == '$' || *q == '`')
            return lex_at_end(p, q) ? q : NULL;
    return q;
}

bool lex_is_plain(struct parser *p, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(p->end - p->at) >= n && memcmp(p->at, word, n) == 0 && lex_at_end(p, p->at + n);
}

static const struct {
    char word[9];
    uint8_t size;
} lex_words[] = {
    [LEX_IF] = {"if", 2},         [LEX_THEN] = {"then", 4},     [LEX_ELSE] = {"else", 4},
    [LEX_ELIF] = {"elif", 4},     [LEX_FI] = {"fi", 2},         [LEX_DO] = {"do", 2},
    [LEX_DONE] = {"done", 4},     [LEX_WHILE] = {"while", 5},   [LEX_UNTIL] = {"until", 5},
    [LEX_FOR] = {"for", 3},       [LEX_CASE] = {"case", 4},     [LEX_ESAC] = {"esac", 4},
    [LEX_SELECT] = {"select", 6}, [LEX_IN] = {"in", 2},         [LEX_FUNCTION] = {"function", 8},
    [LEX_TIME] = {"time", 4},     [LEX_COPROC] = {"coproc", 6}, [LEX_LBRACE] = {"{", 1},
    [LEX_RBRACE] = {"}", 1},      [LEX_BANG] = {"!", 1},        [LEX_LCOND] = {"[[", 2},
    [LEX_RCOND] = {"]]", 2},
};

/* The words that begin with each letter. */
static const uint8_t lex_by_letter[26][3] = {
    ['c' - 'a'] = {LEX_CASE, LEX_COPROC},
    ['d' - 'a'] = {LEX_DO, LEX_DONE},
    ['e' - 'a'] = {LEX_ELSE, LEX_ELIF, LEX_ESAC},
    ['f' - 'a'] = {LEX_FI, LEX_FOR, LEX_FUNCTION},
    ['i' - 'a'] = {LEX_IF, LEX_IN},
    ['s' - 'a'] = {LEX_SELECT},
    ['t' - 'a'] = {LEX_THEN, LEX_TIME},
    ['u' - 'a'] = {LEX_UNTIL},
    ['w' - 'a'] = {LEX_WHILE},
};

static bool lex_is_word(int i, const char *s, size_t n)
{
    return lex_words[i].size == n && memcmp(lex_words[i].word, s, n) == 0;
}

static enum lex_reserved lex_lookup(const char *s, size_t n)
{
    if (n && *s >= 'a' && *s <= 'z') {
        const uint8_t *few = lex_by_letter[*s - 'a'];
        for (int k = 0; k < 3 && few[k]; k++)
            if (lex_is_word(few[k], s, n))
                return few[k];
        return LEX_NONE;
    }
    for (int i = LEX_LBRACE; n && i <= LEX_RCOND; i++)
        if (lex_is_word(i, s, n))
            return i;
    return LEX_NONE;
}

enum lex_reserved lex_reserved_slow(struct parser *p)
{
    const char *q = p->at;
    if (q == p->end)
        return LEX_NONE;
    if (*q >= 'a' && *q <= 'z') {
        if (!lex_by_letter[*q - 'a'][0])
            return LEX_NONE;
        while (q < p->end && *q >= 'a' && *q <= 'z' && q - p->at < 9)
            q++;
    } else if (*q == '{' || *q == '}' || *q == '!') {
        q++;
    } else if (*q == '[' || *q == ']') {
        q += q + 1 < p->end ? 2 : 1;
    } else {
        return LEX_NONE;
    }
    enum lex_reserved r = lex_lookup(p->at, (size_t)(q - p->at));
    return r && lex_at_end(p, q) ? r : LEX_NONE;
}

void lex_take_reserved(struct parser *p, enum lex_reserved r)
{
    p->at += lex_words[r].size;
    p->alias_next = false;
}

bool parse_is_reserved(struct str s) { return lex_lookup(s.p, s.n) != LEX_NONE; }

bool parse_is_name(struct str s) { return s.n && lex_name_end(s.p, s.p + s.n) == s.p + s.n; }

/* ---- messages ------------------------------------------------------------------------------- */

bool lex_nomem(struct parser *p)
{
    if (!p->fail || p->fail == HOB_ESYNTAX)
        p->fail = HOB_ENOMEM;
    return false;
}

/* TM-STK-2: each level of nesting looks at the room that is left. */
bool lex_enter(struct parser *p)
{
    p->depth++;
    if (p->depth <= LEX_DEPTH && !(p->opt.stack_low && p->opt.stack_low(p->opt.ud)))
        return true;
    lex_error(p, p->line, 2, "syntax error: nested too deep");
    p->fail = HOB_ELIMIT;
    return false;
}

bool lex_error(struct parser *p, int line, int status, const char *fmt, ...)
{
    va_list ap;
    if (p->fail)
        return false;
    p->fail = HOB_ESYNTAX;
    p->err->line = line;
    p->err->status = status;
    p->err->incomplete = p->err->keep = false;
    p->err->comsub = p->comsub > 0;
    p->err->nlines = 1;
    memset(p->err->lines, 0, sizeof p->err->lines);
    buf_clear(&p->err->msg);
    va_start(ap, fmt);
    buf_vprintf(&p->err->msg, fmt, ap);
    va_end(ap);
    return false;
}

struct str lex_line_text(const struct parser *p, const char *at)
{
    const char *start = p->start, *end = p->end;
    for (const struct lex_frame *f = p->frames; f && !f->hard; f = f->up) {
        at = f->at;
        start = f->start;
        end = f->end;
    }
    if (p->given.n && start == p->owned) { /* where continued lines are not joined */
        at = p->given.p + (at - start);
        start = p->given.p;
        end = start + p->given.n;
    }
    while (at > start && at[-1] != '\n')
        at--;
    const char *nl = memchr(at, '\n', (size_t)(end - at));
    return str_of(at, (size_t)((nl ? nl : end) - at));
}

bool lex_unexpected_end(struct parser *p, int line, char match)
{
    lex_error(p, line, 2, "unexpected EOF while looking for matching `%c'", match);
    if (p->fail == HOB_ESYNTAX)
        p->err->incomplete = p->err->keep = true;
    return false;
}

void lex_error_more(struct parser *p, int line, const char *text)
{
    struct parse_error *e = p->err;
    if (p->fail != HOB_ESYNTAX || e->nlines > (int)COUNT(e->lines))
        return;
    e->lines[e->nlines++ - 1] = line;
    buf_putc(&e->msg, '\n');
    buf_addz(&e->msg, text);
}

int lex_last_line(const struct parser *p)
{
    struct str msg = buf_get(&p->err->msg);
    bool comsub = msg.n > 1 && msg.p[msg.n - 2] == ')';
    int line = p->line + (p->end > p->start && p->end[-1] != '\n' && !p->ended);
    line += p->err->comsub && !p->comsub && !comsub; /* the one around it has ended too */
    for (const char *s = p->at; s < p->end && (s = memchr(s, '\n', (size_t)(p->end - s))); s++)
        line++;
    return line;
}

/* Whether the word that is not expected stands where bash would read name[..] as one. */
static bool lex_begins(const struct parser *p)
{
    static const char *const words[] = {";", "\n", ")", "}", " fi", " done", " esac"};
    size_t n = (size_t)(p->at - p->start);
    while (n && (p->start[n - 1] == ' ' || p->start[n - 1] == '\t'))
        n--;
    for (size_t i = 0; i < COUNT(words); i++)
        if (str_ends(str_of(p->start, n), str_z(words[i])))
            return true;
    return false;
}

bool lex_token_text(struct parser *p, struct buf *b)
{
    switch (lex_peek(p)) {
    case LEX_NEWLINE: buf_addz(b, "newline"); return true;
    case LEX_END: buf_addz(b, "EOF"); return true;
    case LEX_WORD: {
        const char *e = lex_name_end(p->at, p->end);
        bool list = e > p->at && p->end - e > 1 && e[0] == '=' && e[1] == '(';
        struct word *w = parse_word_read(p, PARSE_WORD_NOBRACE | (list ? PARSE_WORD_LIST : 0) |
                                                (lex_begins(p) ? PARSE_WORD_COMMAND : 0));
        struct buf text;
        buf_init(&text, p->heap);
        if (w)
            print_word(&text, w);
        if (expand_quote_needs_ansi(buf_get(&text)))
            expand_quote_ansi(b, buf_get(&text));
        else
            buf_str(b, buf_get(&text));
        buf_fini(&text);
        return w != NULL;
    }
    case LEX_REDIR: {
        const char *q = p->at;
        if (*q == '{') {
            while (*q != '}')
                q++;
            q++;
        } else if (*q >= '0' && *q <= '9') {
            while (*q >= '0' && *q <= '9')
                q++;
        } else {
            static const char *const ops[] = {"&>>", "&>", "<<<", "<<-", "<<", ">>",
                                              "<&",  ">&", "<>",  ">|",  "<",  ">"};
            struct str rest = str_of(q, (size_t)(p->end - q));
            for (size_t i = 0; i < COUNT(ops) && q == p->at; i++)
                if (str_starts(rest, str_z(ops[i])))
                    q += strlen(ops[i]);
        }
        buf_add(b, p->at, (size_t)(q - p->at));
        return true;
    }
    default: buf_add(b, p->at, (size_t)p->token_size); return true;
    }
}

bool lex_unexpected(struct parser *p)
{
    if (p->fail)
        return false;
    if (lex_peek(p) == LEX_END) {
        if (p->comsub) {
            lex_unexpected_end(p, p->line, ')');
            p->err->keep = false;
            return false;
        }
        lex_error(p, p->line, 2, "syntax error: unexpected end of file");
        p->err->incomplete = true;
        return false;
    }
    struct buf name;
    buf_init(&name, p->heap);
    if (lex_token_text(p, &name)) {
        struct str line = lex_line_text(p, p->at);
        if (p->pushed && p->at >= p->pushed && p->at < p->pushed_end)
            line = str_of(p->pushed, (size_t)(p->pushed_end - p->pushed));
        lex_error(p, p->line, p->comsub ? 127 : 2, "syntax error near unexpected token `");
        buf_str(&p->err->msg, buf_get(&name));
        buf_addz(&p->err->msg, "'\n`");
        buf_str(&p->err->msg, line);
        buf_putc(&p->err->msg, '\'');
    }
    buf_fini(&name);
    return false;
}

void lex_warn(struct parser *p, int line, const char *fmt, ...)
{
    va_list ap;
    buf_printf(&p->warnings, "%d:", line);
    va_start(ap, fmt);
    buf_vprintf(&p->warnings, fmt, ap);
    va_end(ap);
    buf_putc(&p->warnings, '\n');
}

/* ---- collecting ----------------------------------------------------------------------------- */

static bool lex_stack_grow(struct parser *p, struct lex_stack *s, size_t size)
{
    size_t cap = MAX(s->cap * 2, s->n + size + 512);
    char *fresh = heap_alloc(p->heap, cap);
    if (!fresh)
        return lex_nomem(p);
    if (s->n)
        memcpy(fresh, s->p, s->n);
    if (s->p && s->p != p->room)
        heap_free(p->heap, s->p, s->cap);
    s->p = fresh;
    s->cap = cap;
    return true;
}

void *lex_push(struct parser *p, struct lex_stack *s, size_t size)
{
    if (UNLIKELY(s->cap - s->n < size) && !lex_stack_grow(p, s, size))
        return NULL;
    char *slot = s->p + s->n;
    s->n += size;
    if (size == sizeof(void *)) { /* by far the most are pointers */
        memset(slot, 0, sizeof(void *));
        return slot;
    }
    return memset(slot, 0, size);
}

void *lex_pop(struct parser *p, struct lex_stack *s, size_t base)
{
    size_t n = s->n - base;
    s->n = base;
    if (!n)
        return NULL;
    void *to = arena_alloc(p->arena, n);
    if (!to) {
        lex_nomem(p);
        return NULL;
    }
    return memcpy(to, s->p + base, n);
}

struct str lex_keep(struct parser *p, struct str s)
{
    struct str kept = arena_str(p->arena, s);
    if (!kept.p)
        lex_nomem(p);
    return kept;
}

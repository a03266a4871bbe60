/* parse_heredoc.c -- here-documents: noted where << stands, read behind the end of that line */
#include "shell/lex.h"

/* The delimiter without its quotes; *quoted tells whether it had any. */
static struct str parse_heredoc_unquote(struct parser *p, struct str s, bool *quoted)
{
    size_t from = p->txt.n;
    char quote = '\0';
    *quoted = false;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == quote) {
            quote = '\0';
        } else if (!quote && (c == '\'' || c == '"')) {
            quote = c;
            *quoted = true;
        } else if (c == '\\' && quote != '\'' && i + 1 < s.n) {
            *quoted = true;
            if (quote && s.p[i + 1] != '"' && s.p[i + 1] != '\\' && s.p[i + 1] != '$' &&
                s.p[i + 1] != '`')
                buf_putc(&p->txt, c);
            buf_putc(&p->txt, s.p[++i]);
        } else {
            buf_putc(&p->txt, c);
        }
    }
    struct str kept = lex_keep(p, lex_text(&p->txt, from));
    buf_cut(&p->txt, from);
    return kept;
}

bool parse_heredoc_add(struct parser *p, struct redir *r, const struct word *delim)
{
    struct lex_heredoc *d = arena_new(p->arena, struct lex_heredoc);
    struct word *w = arena_new(p->arena, struct word);
    if (!d || !w)
        return lex_nomem(p);
    struct buf text; /* substitutions in a delimiter are text */
    buf_init(&text, p->heap);
    if (delim->nsubs)
        print_word(&text, delim);
    r->delim = parse_heredoc_unquote(p, delim->nsubs ? buf_get(&text) : delim->src, &r->raw);
    buf_fini(&text);
    r->word = w;
    *d = (struct lex_heredoc){NULL, w, r->delim, 0, r->raw, r->strip, p->compound_redirs};
    *p->heredocs_end = d;
    p->heredocs_end = &d->next;
    return !p->fail;
}

/* Adds one line to txt, with its newline if there is one. A backslash at the end of a line joins
 * the next one to it, so that it is no delimiter, unless the document is raw. */
static void parse_heredoc_line(struct parser *p, const struct lex_heredoc *d)
{
    bool fresh = true;
    while (lex_more(p)) {
        if (fresh && d->strip)
            while (p->at < p->end && *p->at == '\t')
                p->at++;
        if (p->at == p->end)
            continue;
        const char *nl = memchr(p->at, '\n', (size_t)(p->end - p->at));
        const char *e = nl ? nl + 1 : p->end;
        size_t slashes = 0;
        buf_add(&p->txt, p->at, (size_t)(e - p->at));
        while (nl && nl - slashes > p->at && nl[-1 - (ptrdiff_t)slashes] == '\\')
            slashes++;
        p->at = e;
        fresh = false;
        if (!nl)
            continue;
        p->line++;
        if (d->raw || slashes % 2 == 0)
            return;
        buf_cut(&p->txt, p->txt.n - 2);
    }
    if (!fresh && !p->ended) { /* a last line without its newline gets one */
        buf_putc(&p->txt, '\n');
        p->ended = true;
        p->line++;
    }
}

/* Whether the line that begins at `from` in txt ends the document. In a command substitution the
 * delimiter may be followed by its ")" in the same line, which then stays in the input. */
static bool parse_heredoc_ends(struct parser *p, const struct lex_heredoc *d, size_t from)
{
    struct str line = lex_text(&p->txt, from);
    size_t n = line.n - (line.n && line.p[line.n - 1] == '\n');
    if (n == d->delim.n && (!n || memcmp(line.p, d->delim.p, n) == 0))
        return line.n > 0;
    if (p->comsub && n > d->delim.n && memcmp(line.p, d->delim.p, d->delim.n) == 0 &&
        memchr(line.p + d->delim.n, ')', n - d->delim.n)) {
        bool added = p->at == p->end && p->at > p->start && p->at[-1] != '\n'; /* the newline */
        size_t back = line.n - d->delim.n - added;
        if ((size_t)(p->at - p->start) < back || memcmp(p->at - back, line.p + d->delim.n, back))
            return false;
        p->at -= back;
        p->ended = p->ended && !added;
        p->line -= line.n > n;
        lex_warn(p, p->line, "here-document at line %d delimited by end-of-file (wanted `%.*s')",
                 d->line, STR_ARG(d->delim));
        return true;
    }
    return false;
}

/* The body as it will be expanded. What cannot be read is an error only then. */
static struct word *parse_heredoc_word(struct parser *p, const struct lex_heredoc *d,
                                       struct str body, int line)
{
    if (d->raw || !(memchr(body.p, '$', body.n) || memchr(body.p, '`', body.n) ||
                    memchr(body.p, '\\', body.n)))
        return parse_word_static(p, body, body, PART_QUOTED);
    struct part bad = {.kind = PART_CMDSUB};
    struct word *w = parse_document(p, body, line, &bad);
    if (!w && !p->fail) {
        struct part again = {.kind = PART_CMDSUB};
        size_t good = p->doc_open > body.p ? (size_t)(p->doc_open - body.p) : 0;
        struct word *front = good ? parse_document(p, str_sub(body, 0, good), line, &again) : NULL;
        struct parse_seq q;
        parse_word_begin(p, &q, 0);
        for (int i = 0; front && i < front->n; i++) {
            struct part *t = parse_word_part(p, 0);
            if (!t)
                return NULL;
            *t = front->parts[i];
        }
        struct part *t = p->fail ? NULL : parse_word_part(p, bad.kind);
        if (!t)
            return NULL;
        *t = bad;
        w = parse_word_end(p, &q, false, true);
    }
    if (w)
        w->src = body;
    return w;
}

static bool parse_heredoc_one(struct parser *p, struct lex_heredoc *d)
{
    size_t from = p->txt.n;
    int line = p->line;
    d->line = p->line - 1;
    for (;;) {
        size_t at = p->txt.n;
        parse_heredoc_line(p, d);
        if (p->txt.n == at) {
            bool whole = p->ended || (p->end > p->start && p->end[-1] == '\n');
            lex_warn(p, MAX(p->line - whole, d->line),
                     "here-document at line %d delimited by end-of-file (wanted `%.*s')", d->line,
                     STR_ARG(d->delim));
            break;
        }
        if (parse_heredoc_ends(p, d, at)) {
            buf_cut(&p->txt, at);
            break;
        }
    }
    struct str body = lex_keep(p, lex_text(&p->txt, from));
    buf_cut(&p->txt, from);
    bool joins = p->joins;
    p->joins = false; /* the body is printed as it is */
    /* For a compound command bash counts from the end of the document. */
    struct word *w = body.p ? parse_heredoc_word(p, d, body, d->compound ? p->line : line) : NULL;
    p->joins = joins;
    if (w)
        *d->word = *w;
    return w != NULL;
}

/* Reads the bodies of all documents that wait, in order. */
bool parse_heredoc_read(struct parser *p)
{
    struct lex_heredoc *d = p->heredocs;
    p->heredocs = NULL;
    p->heredocs_end = &p->heredocs;
    for (; d && !p->fail; d = d->next)
        if (!parse_heredoc_one(p, d))
            return false;
    return !p->fail;
}

/* markdown.c -- HTML as Markdown
 *
 * Text is collected in a line until a block ends; then it is written with what stands in front of
 * each of its lines: quote marks, the marks and indents of lists. All that nests is kept in small
 * arrays of fixed size: what is nested deeper is written as if it were not.
 */
#include "commands/html/html.h"
#include "net/url.h"

enum {
    MARKDOWN_DEPTH = 32
};

enum markdown_block {
    MARKDOWN_QUOTE,
    MARKDOWN_BULLETS,
    MARKDOWN_NUMBERS,
    MARKDOWN_ITEM
};

struct markdown {
    struct proc *p;
    struct buf *out;
    struct buf line; /* the block that is being collected */
    struct {
        enum markdown_block kind;
        int number;    /* of the next item */
        bool unmarked; /* an item whose mark is not written yet */
        int width;     /* of the mark */
    } blocks[MARKDOWN_DEPTH];
    int depth, deeper; /* deeper: blocks that found no room */
    struct {
        size_t at;
        struct str href;
    } links[MARKDOWN_DEPTH];
    int nlinks;
    int skip; /* in <head>, <script> ... */
    int pre, heading;
    struct str language; /* of the code in <pre> */
    int open[16];        /* how often each mark of markdown_inline_tag() is open */
    int tables;          /* nested in each other */
    bool in_cell;        /* the line holds a cell */
    struct buf row;      /* of a table */
    int columns, rows;
    bool gap;   /* a blank line is due before the next block, */
    bool fresh; /* unless it is the first of a quote */
    bool space; /* a blank is due before the next word */
    struct url base;
    bool has_base;
};

/* ---- blocks ---------------------------------------------------------------------------------- */

/* What stands in front of a line. An empty line gets no blanks at its end. */
static void markdown_prefix(struct markdown *m, bool empty)
{
    size_t from = m->out->n;
    for (int i = 0; i < m->depth; i++) {
        if (m->blocks[i].kind == MARKDOWN_QUOTE) {
            buf_addz(m->out, "> ");
        } else if (m->blocks[i].kind == MARKDOWN_ITEM) {
            if (!m->blocks[i].unmarked || empty) {
                buf_fill(m->out, ' ', (size_t)m->blocks[i].width);
                continue;
            }
            m->blocks[i].unmarked = false;
            size_t had = m->out->n;
            if (i > 0 && m->blocks[i - 1].kind == MARKDOWN_NUMBERS)
                buf_printf(m->out, "%d. ", m->blocks[i - 1].number++);
            else
                buf_addz(m->out, "- ");
            m->blocks[i].width = (int)(m->out->n - had);
        }
    }
    while (empty && m->out->n > from && m->out->p[m->out->n - 1] == ' ')
        buf_cut(m->out, m->out->n - 1);
}

static void markdown_gap(struct markdown *m)
{
    if (m->gap && m->out->n && !m->fresh) {
        markdown_prefix(m, true);
        buf_putc(m->out, '\n');
    }
    m->gap = m->fresh = false;
}

/* Lines of a text, each with its prefix. */
static void markdown_lines(struct markdown *m, struct str s)
{
    for (;;) {
        ptrdiff_t end = str_chr(s, '\n');
        struct str line = end < 0 ? s : str_sub(s, 0, (size_t)end);
        markdown_prefix(m, line.n == 0);
        buf_str(m->out, line);
        buf_putc(m->out, '\n');
        if (end < 0)
            return;
        s = str_from(s, (size_t)end + 1);
    }
}

/* The block ends: what was collected is written. */
static void markdown_flush(struct markdown *m)
{
    struct str s = buf_get(&m->line);
    if (m->in_cell)
        return;
    while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\n'))
        s.n--;
    m->nlinks = 0;
    m->space = false;
    if (s.n) {
        markdown_gap(m);
        if (m->heading) {
            struct str mark = str_sub(STR("###### "), (size_t)(6 - m->heading), 7);
            markdown_prefix(m, false);
            buf_str(m->out, mark);
            buf_str(m->out, s);
            buf_putc(m->out, '\n');
        } else {
            markdown_lines(m, s);
        }
    }
    buf_clear(&m->line);
}

static void markdown_paragraph(struct markdown *m)
{
    bool had = m->line.n > 0;
    markdown_flush(m);
    m->gap |= had || m->out->n > 0;
}

static void markdown_push(struct markdown *m, enum markdown_block kind)
{
    if (m->depth == MARKDOWN_DEPTH) {
        m->deeper++;
        return;
    }
    m->blocks[m->depth].kind = kind;
    m->blocks[m->depth].number = 1;
    m->blocks[m->depth].unmarked = kind == MARKDOWN_ITEM;
    m->blocks[m->depth].width = 2;
    m->depth++;
}

/* Ends the innermost block of a kind, with what is open in it. */
static void markdown_pop(struct markdown *m, enum markdown_block kind, enum markdown_block stop)
{
    if (m->deeper) {
        m->deeper--;
        return;
    }
    for (int i = m->depth; i-- > 0;) {
        if (m->blocks[i].kind == kind) {
            m->depth = i;
            return;
        }
        if (m->blocks[i].kind == stop)
            return;
    }
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Blanks are joined to one, and there is none at the begin of a line. */
static void markdown_text(struct markdown *m, struct str s)
{
    struct buf b;
    buf_init(&b, &m->p->kernel->heap);
    html_decode(&b, s);
    if (m->pre) {
        buf_str(&m->line, buf_get(&b));
        buf_fini(&b);
        return;
    }
    for (size_t i = 0; i < b.n; i++) {
        char c = b.p[i];
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f') {
            m->space = m->line.n > 0 && m->line.p[m->line.n - 1] != '\n';
            continue;
        }
        if (m->space)
            buf_putc(&m->line, ' ');
        m->space = false;
        if (m->in_cell && c == '|')
            buf_putc(&m->line, '\\');
        buf_putc(&m->line, c);
    }
    buf_fini(&b);
}

/* A mark that belongs to the word that follows, or to the one in front. */
static void markdown_mark(struct markdown *m, const char *mark, bool open)
{
    size_t n = strlen(mark);
    if (m->pre)
        return;
    if (open && m->space) {
        buf_putc(&m->line, ' ');
        m->space = false;
    }
    /* <b></b>: nothing between them, so neither is written. */
    if (!open && m->line.n >= n && memcmp(m->line.p + m->line.n - n, mark, n) == 0 && !m->space)
        buf_cut(&m->line, m->line.n - n);
    else
        buf_addz(&m->line, mark);
}

static struct str markdown_address(struct markdown *m, const struct html_token *t, const char *name)
{
    struct str v;
    struct url u;
    struct buf b;
    if (!html_attribute(t, name, &v))
        return STR_NONE;
    buf_init(&b, &m->p->kernel->heap);
    html_decode(&b, str_trim(v));
    v = arena_str(m->p->arena, buf_get(&b));
    if (m->has_base && v.n && v.p[0] != '#' && url_join(m->p->arena, &m->base, v, &u, NULL) == 0) {
        buf_clear(&b);
        url_write(&b, &u);
        v = arena_str(m->p->arena, buf_get(&b));
    }
    buf_fini(&b);
    return v;
}

/* Blanks and brackets would end it. */
static void markdown_target(struct markdown *m, struct str href)
{
    for (size_t i = 0; i < href.n; i++) {
        char c = href.p[i];
        if (c == ' ' || c == '(' || c == ')' || c == '<' || c == '>' || c == '\n')
            buf_printf(&m->line, "%%%02X", (unsigned char)c);
        else
            buf_putc(&m->line, c);
    }
}

static void markdown_link(struct markdown *m, const struct html_token *t)
{
    if (t->kind == HTML_OPEN) {
        struct str href = markdown_address(m, t, "href");
        if (m->space && m->line.n) {
            buf_putc(&m->line, ' ');
            m->space = false;
        }
        if (m->nlinks < MARKDOWN_DEPTH) {
            m->links[m->nlinks].at = m->line.n;
            m->links[m->nlinks++].href = href;
        }
        return;
    }
    if (!m->nlinks)
        return;
    m->nlinks--;
    struct str href = m->links[m->nlinks].href;
    size_t at = m->links[m->nlinks].at;
    if (!href.n || at >= m->line.n)
        return;
    struct str text = arena_str(m->p->arena, str_from(buf_get(&m->line), at));
    if (!text.p)
        return;
    buf_cut(&m->line, at);
    buf_putc(&m->line, '[');
    buf_str(&m->line, text);
    buf_addz(&m->line, "](");
    markdown_target(m, href);
    buf_putc(&m->line, ')');
}

static void markdown_image(struct markdown *m, const struct html_token *t)
{
    struct str src = markdown_address(m, t, "src"), alt = STR("");
    if (!src.n)
        return;
    html_attribute(t, "alt", &alt);
    markdown_mark(m, "![", true);
    html_decode(&m->line, alt);
    buf_addz(&m->line, "](");
    markdown_target(m, src);
    buf_putc(&m->line, ')');
}

/* ---- tables and code ------------------------------------------------------------------------- */

static void markdown_cell_end(struct markdown *m)
{
    if (!m->in_cell)
        return;
    struct str s = str_trim(buf_get(&m->line));
    buf_addz(&m->row, " ");
    for (size_t i = 0; i < s.n; i++)
        buf_putc(&m->row, s.p[i] == '\n' ? ' ' : s.p[i]);
    buf_addz(&m->row, " |");
    buf_clear(&m->line);
    m->in_cell = m->space = false;
    m->nlinks = 0;
    m->columns++;
}

static void markdown_row_end(struct markdown *m)
{
    markdown_cell_end(m);
    if (!m->columns)
        return;
    markdown_gap(m);
    markdown_prefix(m, false);
    buf_putc(m->out, '|');
    buf_str(m->out, buf_get(&m->row));
    buf_putc(m->out, '\n');
    if (m->rows++ == 0) {
        markdown_prefix(m, false);
        buf_putc(m->out, '|');
        for (int i = 0; i < m->columns; i++)
            buf_addz(m->out, " --- |");
        buf_putc(m->out, '\n');
    }
    buf_clear(&m->row);
    m->columns = 0;
}

static void markdown_table(struct markdown *m, const struct html_token *t)
{
    bool open = t->kind == HTML_OPEN, cell = str_eqz(t->name, "td") || str_eqz(t->name, "th");
    if (str_eqz(t->name, "table")) {
        if (open && m->tables++ == 0) {
            markdown_paragraph(m);
            m->rows = m->columns = 0;
        } else if (!open && m->tables && --m->tables == 0) {
            markdown_row_end(m);
            m->gap = true;
        }
    } else if (m->tables == 1 && cell) {
        markdown_cell_end(m);
        if (open)
            markdown_flush(m);
        m->in_cell = open;
    } else if (m->tables == 1 && str_eqz(t->name, "tr")) {
        markdown_row_end(m);
    } else if (m->tables > 1 && !open) {
        m->space = true;
    }
}

/* class="language-c" says what the code is. */
static void markdown_language(struct markdown *m, const struct html_token *t)
{
    struct str v;
    ptrdiff_t at = html_attribute(t, "class", &v) ? str_find(v, STR("language-")) : -1;
    if (at < 0)
        return;
    v = str_from(v, (size_t)at + 9);
    size_t n = 0;
    while (n < v.n && n < 20 && v.p[n] > ' ' && v.p[n] != '`' && v.p[n] < 127)
        n++;
    m->language = str_sub(v, 0, n);
}

/* A fence longer than any in the text. */
static void markdown_pre(struct markdown *m, const struct html_token *t)
{
    if (t->kind == HTML_OPEN) {
        if (m->pre++ == 0) {
            markdown_paragraph(m);
            m->language = STR("");
            markdown_language(m, t);
        }
        return;
    }
    if (!m->pre || --m->pre)
        return;
    struct str s = buf_get(&m->line);
    size_t ticks = 3, run = 0;
    for (size_t i = 0; i < s.n; i++) {
        run = s.p[i] == '`' ? run + 1 : 0;
        ticks = MAX(ticks, run + 1);
    }
    s = s.n && s.p[0] == '\n' ? str_from(s, 1) : s;
    while (s.n && (s.p[s.n - 1] == '\n' || s.p[s.n - 1] == ' '))
        s.n--;
    if (m->in_cell)
        return;
    markdown_gap(m);
    markdown_prefix(m, false);
    buf_fill(m->out, '`', ticks);
    buf_str(m->out, m->language);
    buf_putc(m->out, '\n');
    markdown_lines(m, s);
    markdown_prefix(m, false);
    buf_fill(m->out, '`', ticks);
    buf_putc(m->out, '\n');
    buf_clear(&m->line);
    m->gap = true;
}

/* ---- tags ------------------------------------------------------------------------------------ */

static bool markdown_among(struct str name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_eqz(name, names[i]))
            return true;
    return false;
}

static void markdown_list(struct markdown *m, bool open, bool numbers)
{
    markdown_flush(m);
    bool inner = false;
    for (int i = 0; i < m->depth; i++)
        inner |= m->blocks[i].kind == MARKDOWN_ITEM;
    if (!inner)
        m->gap |= m->out->n > 0;
    if (open)
        markdown_push(m, numbers ? MARKDOWN_NUMBERS : MARKDOWN_BULLETS);
    else
        markdown_pop(m, numbers ? MARKDOWN_NUMBERS : MARKDOWN_BULLETS, MARKDOWN_QUOTE);
}

static void markdown_item(struct markdown *m, bool open)
{
    markdown_flush(m);
    if (m->depth && !m->deeper) /* an item ends where the next one begins */
        markdown_pop(m, MARKDOWN_ITEM,
                     m->blocks[m->depth - 1].kind == MARKDOWN_ITEM ? MARKDOWN_QUOTE
                                                                   : m->blocks[m->depth - 1].kind);
    if (open)
        markdown_push(m, MARKDOWN_ITEM);
}

/* Tags that begin or end a block; false: it is none of them. */
static bool markdown_block_tag(struct markdown *m, const struct html_token *t)
{
    static const char *const blocks[] = {
        "p",       "div",     "section",  "article", "main",   "header",     "footer", "nav",
        "aside",   "form",    "figure",   "address", "dl",     "figcaption", "body",   "html",
        "details", "summary", "fieldset", "caption", "hgroup", "dt"};
    bool open = t->kind == HTML_OPEN;
    struct str n = t->name;
    if (n.n == 2 && n.p[0] == 'h' && n.p[1] >= '1' && n.p[1] <= '6') {
        markdown_paragraph(m);
        m->heading = open ? n.p[1] - '0' : 0;
    } else if (str_eqz(n, "ul") || str_eqz(n, "ol") || str_eqz(n, "menu")) {
        markdown_list(m, open, str_eqz(n, "ol"));
    } else if (str_eqz(n, "li")) {
        markdown_item(m, open);
    } else if (str_eqz(n, "blockquote")) {
        markdown_paragraph(m);
        if (open) {
            markdown_gap(m);
            markdown_push(m, MARKDOWN_QUOTE);
            m->fresh = true;
        } else {
            markdown_pop(m, MARKDOWN_QUOTE, MARKDOWN_QUOTE);
        }
    } else if (str_eqz(n, "pre")) {
        markdown_pre(m, t);
    } else if (str_eqz(n, "hr") && open) {
        markdown_paragraph(m);
        buf_addz(&m->line, "---");
        markdown_paragraph(m);
    } else if (str_eqz(n, "dd")) {
        markdown_flush(m);
        if (open)
            buf_addz(&m->line, ": ");
    } else if (str_eqz(n, "table") || str_eqz(n, "tr") || str_eqz(n, "td") || str_eqz(n, "th")) {
        markdown_table(m, t);
    } else if (markdown_among(n, blocks, COUNT(blocks))) {
        if (m->in_cell)
            m->space = m->line.n > 0;
        else if (m->depth && m->blocks[m->depth - 1].kind == MARKDOWN_ITEM &&
                 m->blocks[m->depth - 1].unmarked)
            markdown_flush(m); /* the first paragraph of an item stands beside its mark */
        else
            markdown_paragraph(m);
    } else {
        return false;
    }
    return true;
}

static void markdown_inline_tag(struct markdown *m, const struct html_token *t)
{
    static const struct {
        const char *tag, *mark;
    } marks[] = {{"b", "**"},   {"strong", "**"}, {"i", "*"},       {"em", "*"},
                 {"del", "~~"}, {"s", "~~"},      {"strike", "~~"}, {"code", "`"},
                 {"kbd", "`"},  {"samp", "`"},    {"tt", "`"}};
    bool open = t->kind == HTML_OPEN;
    if (m->pre && open)
        markdown_language(m, t);
    for (size_t i = 0; i < COUNT(marks); i++)
        if (str_eqz(t->name, marks[i].tag)) {
            bool stray = !open && !m->open[i];
            m->open[i] += stray ? 0 : open ? 1 : -1;
            if (!stray)
                markdown_mark(m, marks[i].mark, open);
            return;
        }
    if (str_eqz(t->name, "a")) {
        markdown_link(m, t);
    } else if (str_eqz(t->name, "img") && open) {
        markdown_image(m, t);
    } else if (str_eqz(t->name, "br") && open) {
        if (m->pre)
            buf_putc(&m->line, '\n');
        else if (m->in_cell)
            m->space = true;
        else if (m->line.n)
            buf_addz(&m->line, "  \n");
    }
}

int markdown_write(struct proc *p, struct str html, struct str base, struct buf *out)
{
    static const char *const hidden[] = {"head",     "script", "style",  "noscript",
                                         "template", "svg",    "iframe", "object",
                                         "title",    "select", "button", "textarea"};
    struct html_reader r = {.rest = html};
    struct html_token t;
    struct markdown *m = arena_new(p->arena, struct markdown);
    int e = 0;
    if (!m)
        return HOB_ENOMEM;
    m->p = p;
    m->out = out;
    m->has_base = base.n && url_parse(p->arena, base, &m->base, NULL) == 0;
    buf_init(&m->line, &p->kernel->heap);
    buf_init(&m->row, &p->kernel->heap);
    for (html_next(&r, &t); t.kind != HTML_END && e == 0; html_next(&r, &t)) {
        e = proc_tick(p, 1 + (int64_t)(t.text.n >> 10));
        bool hides = t.kind != HTML_TEXT && markdown_among(t.name, hidden, COUNT(hidden));
        if (hides && t.kind == HTML_OPEN && !str_ends(str_trim(t.attributes), STR("/")))
            m->skip++;
        else if (hides)
            m->skip -= m->skip > 0 && t.kind == HTML_CLOSE;
        else if (str_eqz(t.name, "body"))
            m->skip = 0; /* a head that was never closed */
        else if (m->skip)
            continue;
        else if (t.kind == HTML_TEXT)
            markdown_text(m, t.text);
        else if (!markdown_block_tag(m, &t))
            markdown_inline_tag(m, &t);
    }
    markdown_row_end(m);
    markdown_flush(m);
    buf_fini(&m->line);
    buf_fini(&m->row);
    return e;
}

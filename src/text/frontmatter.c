/* frontmatter.c -- the settings at the head of a Markdown file, in a subset of YAML
 *
 * One pass by lines. The reader always stands on the first character of something (`p`), knows its
 * column, and a block ends at the first line that is indented less. A list item is a line whose
 * content begins behind the dash, so `- a: 1` needs no rule of its own.
 */
#include "text/frontmatter.h"

#include "base/utf8.h"

enum {
    FRONT_DEPTH = 24,       /* nesting of maps and lists */
    FRONT_BYTES = 64 << 10, /* of the settings */
};

struct front_node {
    struct json v;
    int line;
};

struct front {
    struct arena *arena;
    struct str in;
    size_t p;     /* the present character */
    size_t start; /* of its line */
    int line;
    int depth;
    const char *name;
    struct hob_error *err;
    struct buf text; /* the scalar that is being read */
};

static int front_block(struct front *f, int parent, struct json *v);
static int front_flow(struct front *f, struct json *v);

static int front_bad(struct front *f, const char *what)
{
    return error_set(f->err, HOB_ESYNTAX, "%s:%d: %s", f->name, f->line, what);
}

static int front_no_memory(struct front *f)
{
    return error_set(f->err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
}

int frontmatter_line(const struct json *v)
{
    return CONTAINER(v, const struct front_node, v)->line;
}

static int front_peek(const struct front *f)
{
    return f->p < f->in.n ? (unsigned char)f->in.p[f->p] : -1;
}

static bool front_is_end(const struct front *f)
{
    int c = front_peek(f);
    return c < 0 || c == '\n' || (c == '\r' && (f->p + 1 >= f->in.n || f->in.p[f->p + 1] == '\n'));
}

static int front_column(const struct front *f)
{
    return (int)MIN(f->p - f->start, (size_t)INT_MAX);
}

/* A blank, the end of the line or of the text at `at`. */
static bool front_blank_at(const struct front *f, size_t at)
{
    return at >= f->in.n || strchr(" \t\r\n", f->in.p[at] ? f->in.p[at] : 'x');
}

static void front_blanks(struct front *f)
{
    while (front_peek(f) == ' ' || front_peek(f) == '\t')
        f->p++;
}

/* To the start of the next line; false at the end of the text. */
static bool front_newline(struct front *f)
{
    while (f->p < f->in.n && f->in.p[f->p] != '\n')
        f->p++;
    if (f->p >= f->in.n)
        return false;
    f->start = ++f->p;
    f->line++;
    return true;
}

/* Behind something: only blanks and a comment may follow on the line. */
static int front_rest(struct front *f)
{
    size_t was = f->p;
    front_blanks(f);
    if (front_is_end(f) || (front_peek(f) == '#' && f->p > was))
        return 0;
    return front_bad(f, "something behind the value; a text with such characters wants quotes");
}

/* To the next line that says something. *column is where it does, -1 at the end of the text. */
static int front_next(struct front *f, int *column)
{
    for (;;) {
        while (front_peek(f) == ' ')
            f->p++;
        bool tab = front_peek(f) == '\t';
        front_blanks(f);
        if (!front_is_end(f) && front_peek(f) != '#') {
            if (tab)
                return front_bad(f, "a tab cannot indent; use blanks");
            *column = front_column(f);
            return 0;
        }
        if (!front_newline(f)) {
            f->p = f->in.n;
            *column = -1;
            return 0;
        }
    }
}

/* ---- scalars
 * ----------------------------------------------------------------------------------- */

static bool front_is_number(struct str s)
{
    size_t i = s.n && s.p[0] == '-', was = i;
    if (i < s.n && s.p[i] == '0')
        i++;
    else
        while (i < s.n && ascii_digit(s.p[i]))
            i++;
    if (i == was)
        return false;
    if (i < s.n && s.p[i] == '.') {
        was = ++i;
        while (i < s.n && ascii_digit(s.p[i]))
            i++;
        if (i == was)
            return false;
    }
    if (i < s.n && (s.p[i] | 32) == 'e') {
        i++;
        i += i < s.n && (s.p[i] == '+' || s.p[i] == '-');
        was = i;
        while (i < s.n && ascii_digit(s.p[i]))
            i++;
        if (i == was)
            return false;
    }
    return i == s.n;
}

/* What a plain scalar stands for. */
static enum json_kind front_kind(struct str s)
{
    static const struct {
        const char *word;
        enum json_kind kind;
    } words[] = {{"", JSON_NULL},       {"~", JSON_NULL},     {"null", JSON_NULL},
                 {"Null", JSON_NULL},   {"NULL", JSON_NULL},  {"true", JSON_TRUE},
                 {"True", JSON_TRUE},   {"TRUE", JSON_TRUE},  {"false", JSON_FALSE},
                 {"False", JSON_FALSE}, {"FALSE", JSON_FALSE}};
    for (size_t i = 0; i < COUNT(words); i++) {
        if (str_eqz(s, words[i].word))
            return words[i].kind;
    }
    return front_is_number(s) ? JSON_NUMBER : JSON_STRING;
}

/* Keeps f->text as the text of v. */
static int front_keep(struct front *f, struct json *v, enum json_kind kind)
{
    v->kind = kind;
    v->text = arena_str(f->arena, buf_get(&f->text));
    return v->text.p ? 0 : front_no_memory(f);
}

/* \x and its like inside double quotes; f->p is behind the backslash. */
static int front_escape(struct front *f)
{
    static const char from[] = "0abtnvfre \"/\\N_", to[] = "\0\a\b\t\n\v\f\r\x1b \"/\\";
    int c = front_peek(f);
    const char *at = c > 0 ? strchr(from, c) : NULL;
    char text[8];

    if (c < 0)
        return front_bad(f, "a quote is not closed");
    f->p++;
    if (c == 'N' || c == '_') {
        buf_add(&f->text, c == 'N' ? "\xC2\x85" : "\xC2\xA0", 2);
        return 0;
    }
    if (at) {
        buf_putc(&f->text, to[at - from]);
        return 0;
    }
    size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    uint32_t v = 0;
    for (size_t i = 0; i < digits; i++, f->p++) {
        int h = front_peek(f);
        if (!ascii_digit(h) && !(ascii_alpha(h) && (h | 32) <= 'f'))
            return front_bad(f, "a hexadecimal digit is missing");
        v = v << 4 | (uint32_t)(ascii_digit(h) ? h - '0' : (h | 32) - 'a' + 10);
    }
    if (digits == 0 || v > 0x10FFFF)
        return front_bad(f, "an unknown escape; single quotes take a backslash for itself");
    buf_add(&f->text, text, (size_t)utf8_encode(text, v));
    return 0;
}

/* A line break inside quotes or a plain scalar: one becomes a blank, n more become n newlines. */
static int front_fold(struct front *f)
{
    size_t breaks = 0;
    while (f->text.n && (f->text.p[f->text.n - 1] == ' ' || f->text.p[f->text.n - 1] == '\t'))
        buf_cut(&f->text, f->text.n - 1);
    while (front_is_end(f)) {
        if (!front_newline(f))
            return front_bad(f, "a quote is not closed");
        breaks++;
        front_blanks(f);
    }
    if (breaks == 1)
        buf_putc(&f->text, ' ');
    else
        buf_fill(&f->text, '\n', breaks - 1);
    return 0;
}

/* "..." or '...' to f->text; f->p is on the quote. */
static int front_quoted(struct front *f)
{
    char quote = f->in.p[f->p++];
    int r = 0;

    buf_clear(&f->text);
    while (r == 0) {
        int c = front_peek(f);
        if (c < 0)
            return front_bad(f, "a quote is not closed");
        if (front_is_end(f)) {
            r = front_fold(f);
        } else if (c == '\\' && quote == '"') {
            f->p++;
            if (!front_is_end(f)) {
                r = front_escape(f);
            } else if (front_newline(f)) { /* the line goes on without a blank */
                front_blanks(f);
            }
        } else if (c == (unsigned char)quote) {
            f->p++;
            if (quote != '\'' || front_peek(f) != '\'')
                return 0;
            buf_putc(&f->text, '\'');
            f->p++;
        } else {
            buf_putc(&f->text, (char)c);
            f->p++;
        }
    }
    return r;
}

/* The end of plain text on this line: before ": ", " #", and in brackets before , ] }. */
static size_t front_plain_end(const struct front *f, bool flow)
{
    size_t p = f->p, end = p;
    for (; p < f->in.n && f->in.p[p] != '\n'; p++) {
        char c = f->in.p[p];
        if (c == ':' && (front_blank_at(f, p + 1) || (flow && strchr(",]}[{", f->in.p[p + 1]))))
            break;
        if (c == '#' && p > f->p && (f->in.p[p - 1] == ' ' || f->in.p[p - 1] == '\t'))
            break;
        if (flow && c && strchr(",[]{}", c))
            break;
        if (c != ' ' && c != '\t' && c != '\r')
            end = p + 1;
    }
    return end;
}

static int front_plain_check(struct front *f)
{
    int c = front_peek(f);
    if (c > 0 && strchr("&*!%@`", c))
        return front_bad(f, c == '*' || c == '&'
                                ? "anchors are not known here; a text that begins so wants quotes"
                                : "a text that begins with this character wants quotes");
    if ((c == '?' || c == '|' || c == '>') && front_blank_at(f, f->p + 1))
        return front_bad(f, "this character wants quotes here");
    return 0;
}

/* A plain scalar that goes on over lines indented deeper than `parent`. */
static int front_plain(struct front *f, int parent, struct json *v)
{
    int r = front_plain_check(f);
    buf_clear(&f->text);
    while (r == 0) {
        size_t end = front_plain_end(f, false);
        buf_add(&f->text, f->in.p + f->p, end - f->p);
        f->p = end;
        front_blanks(f);
        if (front_peek(f) == ':')
            return front_bad(f, "a second ':' in the value; a text that holds \": \" wants quotes");
        if (!front_is_end(f))
            break; /* a comment */
        /* Does the next line that says something belong to it? */
        size_t p = f->p, start = f->start, breaks = 0;
        int line = f->line, column = -1;
        while (front_newline(f)) {
            breaks++;
            front_blanks(f);
            if (!front_is_end(f)) {
                column = front_column(f);
                break;
            }
        }
        if (column <= parent || front_peek(f) == '#') {
            f->p = p, f->start = start, f->line = line;
            break;
        }
        if (breaks == 1)
            buf_putc(&f->text, ' ');
        else
            buf_fill(&f->text, '\n', breaks - 1);
    }
    if (r < 0)
        return r;
    struct str s = buf_get(&f->text);
    return front_keep(f, v, front_kind(s));
}

/* ---- | and >
 * ----------------------------------------------------------------------------------- */

struct front_literal {
    bool fold;
    char chomp;   /* '-', '+' or 0 */
    int indent;   /* given in the header, or found */
    size_t blank; /* empty lines that wait to be written */
    bool deeper;  /* the last line was indented further: a fold keeps its breaks */
    bool any;
};

/* The header: | or >, then - or +, and a digit. */
static int front_literal_head(struct front *f, struct front_literal *b, int parent)
{
    b->fold = f->in.p[f->p++] == '>';
    for (int c; (c = front_peek(f)) == '-' || c == '+' || (c >= '1' && c <= '9'); f->p++) {
        if (c == '-' || c == '+')
            b->chomp = (char)c;
        else
            b->indent = MAX(parent, 0) + (c - '0');
    }
    return front_rest(f);
}

static void front_literal_line(struct front *f, struct front_literal *b, struct str line)
{
    bool deeper = line.n && (line.p[0] == ' ' || line.p[0] == '\t');
    if (b->any && b->fold && !deeper && !b->deeper) {
        if (b->blank == 0)
            buf_putc(&f->text, ' ');
        else
            buf_fill(&f->text, '\n', b->blank);
    } else if (b->any) {
        buf_fill(&f->text, '\n', b->blank + 1);
    } else {
        buf_fill(&f->text, '\n', b->blank);
    }
    buf_str(&f->text, line);
    b->any = true;
    b->deeper = deeper;
    b->blank = 0;
}

static int front_literal(struct front *f, int parent, struct json *v)
{
    struct front_literal b = {0};
    int r = front_literal_head(f, &b, parent);

    if (r < 0)
        return r;
    buf_clear(&f->text);
    while (front_newline(f) && f->p < f->in.n) {
        size_t p = f->p, end;
        while (p < f->in.n && f->in.p[p] == ' ' && (!b.indent || p - f->start < (size_t)b.indent))
            p++;
        for (end = p; end < f->in.n && f->in.p[end] != '\n'; end++)
            ;
        struct str line = str_sub(str_from(f->in, p), 0, end - p);
        if (line.n && line.p[line.n - 1] == '\r')
            line.n--;
        if (line.n == 0) {
            b.blank++;
            continue;
        }
        if (!b.indent)
            b.indent = (int)(p - f->start);
        if ((int)(p - f->start) < b.indent || b.indent <= parent) {
            if (parent < 0 && (int)(p - f->start) == 0)
                return front_bad(f, "the lines of a block want to be indented");
            break; /* belongs to what stands above */
        }
        front_literal_line(f, &b, line);
    }
    /* The last line read is not ours, unless the text is at its end. */
    f->p = f->p < f->in.n ? f->start : f->in.n;
    if (b.any && b.chomp != '-')
        buf_putc(&f->text, '\n');
    if (b.chomp == '+')
        buf_fill(&f->text, '\n', b.blank);
    return front_keep(f, v, JSON_STRING);
}

/* ---- maps and lists
 * ---------------------------------------------------------------------------- */

static struct json *front_add(struct front *f, struct json *in)
{
    struct front_node *n = arena_new(f->arena, struct front_node);
    if (!n) {
        front_no_memory(f);
        return NULL;
    }
    n->line = f->line;
    n->v.parent = in;
    if (!in)
        return &n->v;
    if (in->last)
        in->last->next = &n->v;
    else
        in->first = &n->v;
    in->last = &n->v;
    in->n++;
    return &n->v;
}

/* The key before a colon to f->text; f->p is behind the colon then. */
static int front_key(struct front *f, bool flow)
{
    int c = front_peek(f), r;

    if (c == '"' || c == '\'') {
        r = front_quoted(f);
        front_blanks(f);
    } else {
        r = front_plain_check(f);
        size_t end = r < 0 ? f->p : front_plain_end(f, flow);
        buf_clear(&f->text);
        buf_add(&f->text, f->in.p + f->p, end - f->p);
        f->p = end;
        front_blanks(f);
    }
    if (r < 0)
        return r;
    if (front_peek(f) != ':')
        return front_bad(f, "expected \"name: value\"");
    f->p++;
    return 0;
}

/* Adds a member with the name in f->text. */
static struct json *front_member(struct front *f, struct json *map)
{
    struct str key = arena_str(f->arena, buf_get(&f->text));
    if (!key.p) {
        front_no_memory(f);
        return NULL;
    }
    for (const struct json *m = map->first; m; m = m->next) {
        if (str_eq(m->key, key)) {
            error_set(f->err, HOB_ESYNTAX, "%s:%d: \"%.*s\" was set before, at line %d", f->name,
                      f->line, STR_ARG(str_sub(key, 0, 60)), frontmatter_line(m));
            return NULL;
        }
    }
    struct json *v = front_add(f, map);
    if (v)
        v->key = key;
    return v;
}

/* Whether the line at f->p is "key: ..."; looks and stays. */
static int front_is_member(struct front *f, bool *is)
{
    size_t p = f->p, start = f->start;
    int line = f->line, r = 0;

    if (front_peek(f) == '"' || front_peek(f) == '\'') {
        r = front_quoted(f);
        front_blanks(f);
    } else {
        f->p = front_plain_end(f, false);
        front_blanks(f);
    }
    *is = r == 0 && front_peek(f) == ':' && front_blank_at(f, f->p + 1) && f->line == line;
    f->p = p, f->start = start, f->line = line;
    return r;
}

static bool front_is_item(const struct front *f)
{
    return front_peek(f) == '-' && front_blank_at(f, f->p + 1);
}

/* A value that begins on the line it is on: behind a key or a dash. */
static int front_inline(struct front *f, int parent, struct json *v)
{
    int c = front_peek(f), r;

    if (c == '|' || c == '>')
        return front_literal(f, parent, v);
    if (c == '[' || c == '{') {
        r = front_flow(f, v);
        return r < 0 ? r : front_rest(f);
    }
    if (c == '"' || c == '\'') {
        r = front_quoted(f);
        r = r < 0 ? r : front_keep(f, v, JSON_STRING);
        return r < 0 ? r : front_rest(f);
    }
    return front_plain(f, parent, v);
}

/* Behind "key:": the value may be on this line or below. */
static int front_value(struct front *f, int column, struct json *v)
{
    int next;
    front_blanks(f);
    if (!front_is_end(f) && front_peek(f) != '#')
        return front_inline(f, column, v);
    if (!front_newline(f)) {
        f->p = f->in.n;
        return 0; /* null */
    }
    int r = front_next(f, &next);
    if (r < 0)
        return r;
    if (next > column)
        return front_block(f, column, v);
    if (next == column && front_is_item(f)) /* a list may stand below its key */
        return front_block(f, column - 1, v);
    return 0;
}

/* Steps to the next entry of a block at `column`: 1, 0 when the block is over. */
static int front_more(struct front *f, int column)
{
    int next, r = front_next(f, &next);
    if (r < 0)
        return r;
    if (next > column)
        return front_bad(f, "the line is indented further than the ones before it");
    return next == column;
}

static int front_map(struct front *f, int column, struct json *map)
{
    int r = 1;
    map->kind = JSON_OBJECT;
    while (r == 1) {
        if (front_is_item(f))
            return front_bad(f, "a list item where \"name: value\" is expected");
        r = front_key(f, false);
        struct json *v = r < 0 ? NULL : front_member(f, map);
        if (r == 0 && !v)
            return f->arena->heap->oom ? HOB_ENOMEM : HOB_ESYNTAX;
        r = r < 0 ? r : front_value(f, column, v);
        r = r < 0 ? r : front_more(f, column);
    }
    return r;
}

static int front_list(struct front *f, int column, struct json *list)
{
    int r = 1;
    list->kind = JSON_ARRAY;
    while (r == 1 && front_is_item(f)) {
        struct json *v = front_add(f, list);
        if (!v)
            return HOB_ENOMEM;
        f->p++;
        front_blanks(f);
        if (front_is_end(f) || front_peek(f) == '#') {
            int next = -1;
            r = front_newline(f) ? front_next(f, &next) : 0;
            if (r == 0 && next > column)
                r = front_block(f, column, v);
        } else {
            r = front_block(f, column, v);
        }
        r = r < 0 ? r : front_more(f, column);
    }
    return r;
}

/* What begins at f->p, at its column, inside something at `parent`. */
static int front_block(struct front *f, int parent, struct json *v)
{
    bool member = false;
    int r, column = front_column(f), c = front_peek(f);

    if (++f->depth > FRONT_DEPTH)
        return front_bad(f, "nested too deeply");
    if (front_is_item(f)) {
        r = front_list(f, column, v);
    } else if (c == '[' || c == '{' || c == '|' || c == '>') {
        r = front_inline(f, parent, v);
    } else {
        r = front_is_member(f, &member);
        if (r == 0)
            r = member ? front_map(f, column, v) : front_inline(f, parent, v);
    }
    f->depth--;
    return r < 0 ? r : 0;
}

/* ---- brackets
 * ---------------------------------------------------------------------------------- */

/* Over blanks, line ends and comments inside brackets. */
static int front_gap(struct front *f)
{
    for (;;) {
        front_blanks(f);
        if (!front_is_end(f) && front_peek(f) != '#')
            return 0;
        if (!front_newline(f))
            return front_bad(f, "a bracket is not closed");
    }
}

static int front_flow_value(struct front *f, struct json *v)
{
    int c = front_peek(f), r;
    if (c == '[' || c == '{')
        return front_flow(f, v);
    if (c == '"' || c == '\'') {
        r = front_quoted(f);
        return r < 0 ? r : front_keep(f, v, JSON_STRING);
    }
    r = front_plain_check(f);
    if (r < 0)
        return r;
    size_t end = front_plain_end(f, true);
    buf_clear(&f->text);
    buf_add(&f->text, f->in.p + f->p, end - f->p);
    f->p = end;
    return front_keep(f, v, front_kind(buf_get(&f->text)));
}

/* One entry of brackets, up to what follows it. */
static int front_entry(struct front *f, struct json *in)
{
    struct json *v;
    int r = in->kind == JSON_OBJECT ? front_key(f, true) : 0;

    if (r < 0)
        return r;
    v = in->kind == JSON_OBJECT ? front_member(f, in) : front_add(f, in);
    if (!v)
        return f->arena->heap->oom ? HOB_ENOMEM : HOB_ESYNTAX;
    r = front_gap(f);
    if (r == 0 && front_peek(f) != ',' && front_peek(f) != '}' && front_peek(f) != ']')
        r = front_flow_value(f, v);
    return r < 0 ? r : front_gap(f);
}

/* [a, b] or {a: b}; f->p is on the bracket, and behind its partner afterwards. */
static int front_flow(struct front *f, struct json *v)
{
    char close = f->in.p[f->p++] == '[' ? ']' : '}';
    int r;

    if (++f->depth > FRONT_DEPTH)
        return front_bad(f, "nested too deeply");
    v->kind = close == ']' ? JSON_ARRAY : JSON_OBJECT;
    r = front_gap(f);
    while (r == 0 && front_peek(f) != close) {
        r = front_entry(f, v);
        if (r == 0 && front_peek(f) == ',') {
            f->p++;
            r = front_gap(f);
        } else if (r == 0 && front_peek(f) != close) {
            r = front_bad(f, close == ']' ? "expected ',' or ']'" : "expected ',' or '}'");
        }
    }
    if (r < 0)
        return r;
    f->p++;
    f->depth--;
    return 0;
}

/* ---- the whole
 * --------------------------------------------------------------------------------- */

int frontmatter_parse(struct arena *a, struct str text, const char *name, int line,
                      struct json **out, struct hob_error *err)
{
    struct front f = {.arena = a, .in = text, .line = line, .name = name, .err = err};
    int column = -1, r;

    *out = NULL;
    if (text.n > FRONT_BYTES)
        return error_set(err, HOB_ELIMIT, "%s:%d: the settings are longer than 64 KiB", name, line);
    buf_init(&f.text, a->heap);
    struct json *top = front_add(&f, NULL);
    r = top ? front_next(&f, &column) : HOB_ENOMEM;
    if (r == 0 && column < 0) {
        top->kind = JSON_OBJECT; /* nothing is set */
    } else if (r == 0) {
        r = front_block(&f, -1, top);
        if (r == 0)
            r = front_next(&f, &column);
        if (r == 0 && column >= 0)
            r = front_bad(&f, "the line is indented less than the ones before it");
        if (r == 0 && top->kind != JSON_OBJECT)
            r = error_set(err, HOB_ESYNTAX, "%s:%d: settings are lines of \"name: value\"", name,
                          frontmatter_line(top));
    }
    buf_fini(&f.text);
    if (a->heap->oom)
        r = error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    *out = r < 0 ? NULL : top;
    return r;
}

/* The length of the line at `at`, its end included; *text is the line without it. */
static size_t front_line(struct str in, size_t at, struct str *text)
{
    struct str rest = str_from(in, at);
    ptrdiff_t end = str_chr(rest, '\n');
    *text = end < 0 ? rest : str_sub(rest, 0, (size_t)end);
    while (text->n && strchr(" \t\r", text->p[text->n - 1]) && text->p[text->n - 1])
        text->n--;
    return end < 0 ? rest.n : (size_t)end + 1;
}

int frontmatter_read(struct arena *a, struct str text, const char *name, struct frontmatter *out,
                     struct hob_error *err)
{
    struct str line;
    size_t at, start;
    int number = 1;

    *out = (struct frontmatter){.body = text, .body_line = 1};
    if (str_starts(text, STR("\xEF\xBB\xBF")))
        text = out->body = str_from(text, 3);
    start = at = front_line(text, 0, &line);
    if (!str_eqz(line, "---"))
        return frontmatter_parse(a, STR(""), name, 1, &out->top, err);
    while (at < text.n) {
        size_t n = front_line(text, at, &line);
        number++;
        if (str_eqz(line, "---") || str_eqz(line, "...")) {
            out->present = true;
            out->body = str_from(text, at + n);
            out->body_line = number + 1;
            return frontmatter_parse(a, str_sub(text, start, at - start), name, 2, &out->top, err);
        }
        at += n;
    }
    return error_set(err, HOB_ESYNTAX, "%s:1: the settings that begin here have no closing ---",
                     name);
}

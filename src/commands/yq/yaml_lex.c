/* yaml_lex.c -- YAML below the structure: gaps, comments, scalars of every style */
#include "base/utf8.h"
#include "commands/yq/yaml.h"

void *yaml_fail(struct yaml_reader *y, const char *what)
{
    if (!y->wrong) {
        y->wrong = what;
        y->wrong_at = y->p;
    }
    return NULL;
}

struct yaml_node *yaml_new(struct yaml_reader *y, int kind, int style)
{
    struct yaml_node *n = arena_new(&y->doc->arena, struct yaml_node);
    if (n) {
        n->kind = (uint8_t)kind;
        n->style = (uint8_t)style;
        n->text = STR("");
    }
    return n;
}

struct yaml_notes *yaml_notes(struct yaml_doc *d, struct yaml_node *n)
{
    if (!n->notes)
        n->notes = arena_new(&d->arena, struct yaml_notes);
    return n->notes;
}

static inline bool yaml_blank(char c) { return c == ' ' || c == '\t'; }

/* Whether what stands at q ends a word: a blank, or the end of the line. */
static inline bool yaml_space_at(const struct yaml_reader *y, const char *q)
{
    return q >= y->end || yaml_blank(*q) || *q == '\n';
}

static inline bool yaml_flow_mark(char c)
{
    return c == ',' || c == '[' || c == ']' || c == '{' || c == '}';
}

static const char *yaml_line_end(const struct yaml_reader *y, const char *q)
{
    const char *nl = q < y->end ? memchr(q, '\n', (size_t)(y->end - q)) : NULL;
    return nl ? nl : y->end;
}

/* Skips blanks, comments and ends of lines, up to the next token. A comment on the line where it
 * began becomes y->note; whole lines become y->gap unless one is pending. */
void yaml_gap(struct yaml_reader *y)
{
    const char *from = y->p == y->bol ? y->p : NULL;

    y->note = STR_NONE;
    for (;;) {
        const char *q = y->p;
        while (q < y->end && yaml_blank(*q))
            q++;
        if (q < y->end && *q == '#' && (q == y->bol || yaml_blank(q[-1]))) {
            const char *stop = yaml_line_end(y, q);
            if (!from)
                y->note = str_of(q, (size_t)(stop - q));
            q = stop;
        }
        y->p = q;
        if (q == y->end || *q != '\n')
            break;
        y->p = y->bol = q + 1;
        if (!from)
            from = y->p;
    }
    if (from && y->p == y->end)
        y->bol = y->p; /* what follows is as good as a line of its own */
    if (from && from < y->bol && y->gap.n == 0)
        y->gap = str_of(from, (size_t)(y->bol - from));
}

bool yaml_indicator(const struct yaml_reader *y, char c)
{
    return y->p < y->end && *y->p == c && yaml_space_at(y, y->p + 1);
}

/* --- or ... in the first column. */
static bool yaml_marker(const struct yaml_reader *y, const char *q)
{
    return y->end - q >= 3 && (memcmp(q, "---", 3) == 0 || memcmp(q, "...", 3) == 0) &&
           yaml_space_at(y, q + 3);
}

bool yaml_ended(const struct yaml_reader *y)
{
    return y->p >= y->end || (y->p == y->bol && yaml_marker(y, y->p));
}

/* ---- is this a key? -------------------------------------------------------------------------- */

/* Behind the quoted string at q, or NULL when it does not end on this line. */
static const char *yaml_skip_quoted(const struct yaml_reader *y, const char *q)
{
    char quote = *q++;

    for (; q < y->end && *q != '\n'; q++) {
        if (*q == '\\' && quote == '"')
            q++;
        else if (*q == quote && quote == '\'' && q + 1 < y->end && q[1] == '\'')
            q++;
        else if (*q == quote)
            return q + 1;
    }
    return NULL;
}

static const char *yaml_skip_flow(const struct yaml_reader *y, const char *q)
{
    size_t depth = 0;

    while (q && q < y->end && *q != '\n') {
        char c = *q;
        if ((c == '"' || c == '\'') && strchr(" \t,[{:", q[-1])) {
            q = yaml_skip_quoted(y, q);
            continue;
        }
        depth += c == '[' || c == '{';
        q++;
        if ((c == ']' || c == '}') && --depth == 0)
            return q;
    }
    return NULL;
}

static const char *yaml_skip_plain(const struct yaml_reader *y, const char *q)
{
    for (const char *from = q; q < y->end && *q != '\n'; q++) {
        if (*q == ':' && yaml_space_at(y, q + 1))
            return q;
        if (*q == '#' && q > from && yaml_blank(q[-1]))
            return NULL;
    }
    return NULL;
}

/* Whether a key of a block mapping begins here: something on one line with a : behind it. */
bool yaml_key_ahead(const struct yaml_reader *y)
{
    const char *q = y->p;

    while (q < y->end && (*q == '&' || *q == '!')) {
        while (!yaml_space_at(y, q))
            q++;
        while (q < y->end && yaml_blank(*q))
            q++;
    }
    if (q >= y->end)
        return false;
    if (*q == '"' || *q == '\'')
        q = yaml_skip_quoted(y, q);
    else if (*q == '[' || *q == '{')
        q = yaml_skip_flow(y, q);
    else if (*q == '*')
        while (!yaml_space_at(y, q))
            q++;
    else
        q = yaml_skip_plain(y, q);
    while (q && q < y->end && yaml_blank(*q))
        q++;
    return q && q < y->end && *q == ':' && yaml_space_at(y, q + 1);
}

/* ---- text over several lines ----------------------------------------------------------------- */

/* At the end of a line within a scalar: skips it and the empty ones behind it, and adds what they
 * fold to. */
static void yaml_fold(struct yaml_reader *y, struct buf *b)
{
    size_t breaks = 0;

    while (b->n && yaml_blank(b->p[b->n - 1]))
        buf_cut(b, b->n - 1);
    while (y->p < y->end && (*y->p == '\n' || yaml_blank(*y->p))) {
        if (*y->p++ == '\n') {
            breaks++;
            y->bol = y->p;
        }
    }
    if (breaks == 1)
        buf_putc(b, ' ');
    else
        buf_fill(b, '\n', breaks - 1);
}

/* Gives the text of b to the node and ends b. */
static struct yaml_node *yaml_take(struct yaml_reader *y, struct yaml_node *n, struct buf *b)
{
    struct str s = arena_str(&y->doc->arena, buf_get(b));
    buf_fini(b);
    if (!n || !s.p || y->j->heap->oom)
        return NULL;
    n->text = s;
    return n;
}

/* The end of a plain scalar on this line, blanks at its end not counted. y->p goes to what ended
 * it. */
static const char *yaml_plain_line(struct yaml_reader *y, bool flow)
{
    const char *q = y->p, *last = q;

    for (; q < y->end && *q != '\n'; q++) {
        if (*q == ':' && (yaml_space_at(y, q + 1) || (flow && yaml_flow_mark(q[1]))))
            break;
        if (*q == '#' && q > y->bol && yaml_blank(q[-1]))
            break;
        if (flow && yaml_flow_mark(*q))
            break;
        if (!yaml_blank(*q))
            last = q + 1;
    }
    y->p = q;
    return last;
}

/* Whether a plain scalar goes on behind the end of this line. */
static bool yaml_plain_more(const struct yaml_reader *y, int n, bool flow)
{
    const char *q = y->p, *bol = q;

    if (q >= y->end || *q != '\n')
        return false;
    for (; q < y->end && (*q == '\n' || yaml_blank(*q)); q++)
        if (*q == '\n')
            bol = q + 1;
    if (q >= y->end || *q == '#' || (q == bol && yaml_marker(y, q)))
        return false;
    if (flow)
        return !yaml_flow_mark(*q) && !(*q == ':' && yaml_space_at(y, q + 1));
    return q - bol > n;
}

struct yaml_node *yaml_plain(struct yaml_reader *y, int n, bool flow)
{
    struct yaml_node *node = yaml_new(y, YAML_SCALAR, YAML_PLAIN);
    const char *from = y->p, *to;

    if (!node)
        return NULL;
    if (*from && strchr(",[]{}#&*!|>'\"%@`", *from))
        return yaml_fail(y, "a value cannot begin with this character");
    if (*from == '\t')
        return yaml_fail(y, "a tab cannot be used for indentation");
    to = yaml_plain_line(y, flow);
    node->text = str_of(from, (size_t)(to - from));
    if (!yaml_plain_more(y, n, flow))
        return node;
    struct buf b;
    buf_init(&b, y->j->heap);
    buf_str(&b, node->text);
    while (yaml_plain_more(y, n, flow) && !y->j->heap->oom) {
        yaml_fold(y, &b);
        from = y->p;
        to = yaml_plain_line(y, flow);
        buf_add(&b, from, (size_t)(to - from));
        if (to == from) /* it ended at once: a key follows, which is reported by the caller */
            break;
    }
    return yaml_take(y, node, &b);
}

/* ---- quoted ---------------------------------------------------------------------------------- */

static bool yaml_hex(struct yaml_reader *y, int digits, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < digits; i++) {
        int c = y->p < y->end ? ascii_to_lower((unsigned char)*y->p) : 0;
        if (!ascii_digit((unsigned char)c) && (c < 'a' || c > 'f'))
            return false;
        *out = *out << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
        y->p++;
    }
    return true;
}

static void yaml_put_code(struct buf *b, uint32_t c)
{
    char text[4];
    if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        c = 0xFFFD;
    buf_add(b, text, (size_t)utf8_encode(text, c));
}

/* Behind a backslash. */
static bool yaml_escape(struct yaml_reader *y, struct buf *b)
{
    static const char from[] = "0abtnvfre \"/\\\t";
    static const char to[] = "\0\a\b\t\n\v\f\r\x1b \"/\\\t";
    char c = y->p < y->end ? *y->p++ : 'q';
    const char *at = c ? strchr(from, c) : NULL;
    uint32_t code;

    if (c == '\n') { /* the line goes on without a blank; those that were written count */
        y->bol = y->p;
        while (y->p < y->end && (yaml_blank(*y->p) || *y->p == '\n'))
            if (*y->p++ == '\n') {
                y->bol = y->p;
                buf_putc(b, '\n');
            }
        return true;
    }
    if (at) {
        buf_putc(b, to[at - from]);
        return true;
    }
    if (strchr("N_LP", c)) {
        yaml_put_code(b, c == 'N' ? 0x85 : c == '_' ? 0xA0 : c == 'L' ? 0x2028 : 0x2029);
        return true;
    }
    if ((c != 'x' && c != 'u' && c != 'U') || !yaml_hex(y, c == 'x' ? 2 : c == 'u' ? 4 : 8, &code))
        return false;
    if (c == 'u' && code >= 0xD800 && code < 0xDC00 && y->end - y->p >= 6 && y->p[0] == '\\' &&
        y->p[1] == 'u') { /* the pairs of JSON */
        const char *again = y->p;
        uint32_t low;
        y->p += 2;
        if (yaml_hex(y, 4, &low) && low >= 0xDC00 && low < 0xE000)
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        else
            y->p = again;
    }
    yaml_put_code(b, code);
    return true;
}

struct yaml_node *yaml_quoted(struct yaml_reader *y)
{
    char quote = *y->p++;
    struct yaml_node *n = yaml_new(y, YAML_SCALAR, quote == '"' ? YAML_DOUBLE : YAML_SINGLE);
    const char *q = y->p;
    struct buf b;

    while (q < y->end && *q != quote && *q != '\\' && *q != '\n')
        q++;
    if (n && q < y->end && *q == quote && !(quote == '\'' && q + 1 < y->end && q[1] == quote)) {
        n->text = str_of(y->p, (size_t)(q - y->p));
        y->p = q + 1;
        return n;
    }
    buf_init(&b, y->j->heap);
    while (y->p < y->end && !y->j->heap->oom) {
        char c = *y->p;
        if (c == quote) {
            y->p++;
            if (quote == '"' || y->p == y->end || *y->p != '\'')
                return yaml_take(y, n, &b);
            buf_putc(&b, '\'');
            y->p++;
        } else if (c == '\\' && quote == '"') {
            y->p++;
            if (!yaml_escape(y, &b)) {
                yaml_fail(y, "unknown escape in a double-quoted string");
                break;
            }
        } else if (c == '\n') {
            yaml_fold(y, &b);
            if (y->p == y->bol && yaml_marker(y, y->p))
                break;
        } else {
            buf_putc(&b, c);
            y->p++;
        }
    }
    buf_fini(&b);
    return yaml_fail(y, "a quoted string does not end");
}

/* ---- | and > --------------------------------------------------------------------------------- */

/* What stands behind | or >: the chomping (-1, 0, 1) and the indentation (0: not given). */
static bool yaml_block_header(struct yaml_reader *y, int *chomp, int *indent)
{
    *chomp = *indent = 0;
    for (; y->p < y->end && !yaml_space_at(y, y->p); y->p++) {
        if (*y->p == '-' || *y->p == '+')
            *chomp = *y->p == '-' ? -1 : 1;
        else if (*y->p >= '1' && *y->p <= '9')
            *indent = *y->p - '0';
        else
            return false;
    }
    while (y->p < y->end && yaml_blank(*y->p))
        y->p++;
    y->note = STR_NONE;
    if (y->p < y->end && *y->p == '#') {
        const char *stop = yaml_line_end(y, y->p);
        y->note = str_of(y->p, (size_t)(stop - y->p));
        y->p = stop;
    }
    return y->p == y->end || *y->p == '\n';
}

/* The indentation of the first line that has something. */
static int yaml_block_detect(const struct yaml_reader *y, int n)
{
    const char *bol = y->p, *q = bol;

    for (; q < y->end && (*q == ' ' || *q == '\n'); q++)
        if (*q == '\n')
            bol = q + 1;
    ptrdiff_t indent = q < y->end ? q - bol : 0;
    return indent > n && indent < 1 << 20 ? (int)indent : n + 1;
}

/* Adds the lines of a block scalar. *breaks: newlines at the end that are not added yet. The end
 * of the last line that has something. */
static const char *yaml_block_lines(struct yaml_reader *y, int indent, bool folded, struct buf *b,
                                    size_t *breaks)
{
    bool some = false, wide = true; /* the line before: there is one, it was more indented */
    const char *last = y->p;

    *breaks = 0;
    while (y->p < y->end && !y->j->heap->oom) {
        const char *q = y->p, *stop;
        while (q < y->end && *q == ' ' && q - y->p < indent)
            q++;
        if (q < y->end && *q != '\n' && (q - y->p < indent || (q == y->p && yaml_marker(y, q))))
            break;
        stop = yaml_line_end(y, q);
        if (q < stop) {
            bool now = yaml_blank(*q);
            if (some && folded && !wide && !now && *breaks == 1)
                buf_putc(b, ' ');
            else
                buf_fill(b, '\n', some && folded && !wide && !now ? *breaks - 1 : *breaks);
            buf_add(b, q, (size_t)(stop - q));
            some = true;
            wide = now;
            *breaks = 0;
        }
        y->p = y->bol = stop < y->end ? stop + 1 : stop;
        *breaks += stop < y->end;
        if (q < stop)
            last = y->p;
        if (proc_tick(y->j->p, 1) < 0)
            break;
    }
    return last;
}

/* A literal or folded scalar below something at column n. */
struct yaml_node *yaml_block_scalar(struct yaml_reader *y, int n)
{
    bool folded = *y->p++ == '>';
    struct yaml_node *node = yaml_new(y, YAML_SCALAR, folded ? YAML_FOLDED : YAML_LITERAL);
    int chomp, indent;
    size_t breaks;
    struct buf b;

    if (!yaml_block_header(y, &chomp, &indent))
        return yaml_fail(y,
                         "a block scalar begins with | or > and an indicator, alone on its line");
    struct str note = y->note;
    y->note = STR_NONE;
    if (y->p < y->end)
        y->p = y->bol = y->p + 1;
    indent = indent ? MAX(n, 0) + indent : yaml_block_detect(y, n);
    const char *from = y->p;
    buf_init(&b, y->j->heap);
    const char *last = yaml_block_lines(y, indent, folded, &b, &breaks);
    if (chomp <= 0) /* empty lines behind it belong to what follows */
        y->p = y->bol = last;
    if (b.n == 0 && chomp == 0)
        breaks = 0;
    if (chomp > 0)
        buf_fill(&b, '\n', breaks);
    else if (chomp == 0 && breaks)
        buf_putc(&b, '\n');
    struct yaml_notes *notes = node ? yaml_notes(y->doc, node) : NULL;
    if (notes) {
        notes->line = note;
        notes->raw = str_of(from, (size_t)(y->p - from));
        notes->raw_indent = indent;
        node->indent = (uint8_t)MIN(indent - MAX(n, 0), 32);
    }
    return yaml_take(y, node, &b);
}

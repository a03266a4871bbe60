/* yaml_parse.c -- the structure of YAML: documents, block collections, flow collections
 *
 * The text is walked once, by indentation. A collection at column m owns what is further to the
 * right; comments go to the entry that they stand in front of, to what they stand behind, or, when
 * they are indented more than what follows, to the end of the collection they are in.
 */
#include "commands/yq/yaml.h"

enum {
    YAML_INLINE = 1, /* a collection may begin on this line, behind - or ? */
    YAML_VALUE = 2,  /* behind key: -- a sequence may stand in the column of the key */
    YAML_FOOT = 8192 /* bytes that are looked at for comments at the end of a collection */
};

static struct yaml_node *yaml_block_node(struct yaml_reader *y, int n, int flags);
static struct yaml_node *yaml_flow_node(struct yaml_reader *y);

static struct yaml_node *yaml_empty(struct yaml_reader *y)
{
    return yaml_new(y, YAML_SCALAR, YAML_PLAIN);
}

/* False: something failed, and parsing ends. */
static bool yaml_add(struct yaml_reader *y, struct yaml_node *parent, struct yaml_node *child)
{
    if (!child || proc_tick(y->j->p, 1) < 0)
        return false;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->n++;
    return true;
}

static struct str yaml_take_gap(struct yaml_reader *y)
{
    struct str s = y->gap;
    y->gap = STR_NONE;
    return s;
}

static void yaml_add_head(struct yaml_reader *y, struct yaml_node *n, struct str head)
{
    struct yaml_notes *notes = head.n && n ? yaml_notes(y->doc, n) : NULL;
    if (notes)
        notes->head = head;
}

static void yaml_add_note(struct yaml_reader *y, struct yaml_node *n, struct str note)
{
    struct yaml_notes *notes = note.p && n ? yaml_notes(y->doc, n) : NULL;
    if (notes && !notes->line.p)
        notes->line = note;
}

/* Behind a node: a comment on its line belongs to it. */
static void yaml_settle(struct yaml_reader *y, struct yaml_node *n)
{
    yaml_gap(y);
    yaml_add_note(y, n, y->note);
    y->note = STR_NONE;
}

/* At the end of a collection at column m: comments that are indented as it is stay with it. */
static void yaml_add_foot(struct yaml_reader *y, struct yaml_node *n, int m)
{
    int next = yaml_ended(y) ? -1 : yaml_column(y);
    size_t cut = 0, at = 0;

    while (at < y->gap.n && at < YAML_FOOT) {
        struct str line = str_from(y->gap, at);
        ptrdiff_t nl = str_chr(line, '\n');
        if (nl >= 0)
            line = str_sub(line, 0, (size_t)nl);
        at += line.n + (nl >= 0);
        struct str text = str_trim(line);
        if (text.n == 0)
            continue;
        ptrdiff_t column = text.p - line.p;
        if (column < m || column <= next)
            break;
        cut = at;
    }
    if (!cut)
        return;
    struct yaml_notes *notes = yaml_notes(y->doc, n);
    if (notes)
        notes->foot = str_sub(y->gap, 0, cut);
    y->gap = str_from(y->gap, cut);
}

/* ---- properties and aliases ------------------------------------------------------------------ */

/* A word that ends at a blank, or at what ends an entry of a flow collection. */
static struct str yaml_word(struct yaml_reader *y)
{
    const char *from = y->p;

    if (y->end - from > 1 && from[0] == '!' && from[1] == '<') {
        while (y->p < y->end && *y->p != '>' && *y->p != '\n')
            y->p++;
        y->p += y->p < y->end && *y->p == '>';
    }
    while (y->p < y->end && !strchr(" \t\n,[]{}", *y->p))
        y->p++;
    return str_of(from, (size_t)(y->p - from));
}

struct yaml_properties {
    struct str tag, anchor;
};

/* &anchor and !tag, in any order, with the blanks behind them. */
static bool yaml_read_properties(struct yaml_reader *y, struct yaml_properties *props)
{
    *props = (struct yaml_properties){STR_NONE, STR_NONE};
    while (y->p < y->end && (*y->p == '&' || *y->p == '!')) {
        struct str *to = *y->p == '&' ? &props->anchor : &props->tag, word = yaml_word(y);
        if (to->p)
            return yaml_fail(y, "two anchors or two tags at one value"), false;
        *to = word.p[0] == '&' ? str_from(word, 1) : word;
        if (to->n == 0)
            return yaml_fail(y, "an anchor without a name"), false;
        while (y->p < y->end && (*y->p == ' ' || *y->p == '\t'))
            y->p++;
    }
    return true;
}

static struct yaml_node *yaml_apply(struct yaml_reader *y, struct yaml_node *n,
                                    const struct yaml_properties *props)
{
    if (!n)
        return NULL;
    if ((n->kind == YAML_ALIAS && (props->tag.p || props->anchor.p)) ||
        (props->tag.p && n->tag.p) || (props->anchor.p && n->anchor.p))
        return yaml_fail(y, "an alias, or a value that has one, cannot have an anchor or a tag");
    if (props->tag.p)
        n->tag = props->tag;
    if (props->anchor.p) {
        n->anchor = props->anchor;
        struct yaml_node **list = &y->anchors[str_hash(n->anchor) % COUNT(y->anchors)];
        n->same = *list;
        *list = n;
    }
    return n;
}

static struct yaml_node *yaml_alias(struct yaml_reader *y)
{
    struct yaml_node *n = yaml_new(y, YAML_ALIAS, YAML_PLAIN);

    if (!n)
        return NULL;
    n->text = str_from(yaml_word(y), 1);
    struct yaml_node *a = y->anchors[str_hash(n->text) % COUNT(y->anchors)];
    while (a && !str_eq(a->anchor, n->text))
        a = a->same;
    n->target = a;
    return n->target ? n : yaml_fail(y, "an alias to an anchor that is not known here");
}

/* ---- block collections ----------------------------------------------------------------------- */

/* The key of a block mapping, on one line, up to its colon. */
static struct yaml_node *yaml_block_key(struct yaml_reader *y)
{
    struct yaml_properties props;
    struct yaml_node *key;

    if (!yaml_read_properties(y, &props))
        return NULL;
    switch (*y->p) {
    case '"':
    case '\'': key = yaml_quoted(y); break;
    case '*': key = yaml_alias(y); break;
    case '[':
    case '{': return yaml_fail(y, "a key that is a sequence or a mapping is not supported");
    default: key = yaml_plain(y, 1 << 30, false); break;
    }
    while (y->p < y->end && (*y->p == ' ' || *y->p == '\t'))
        y->p++;
    if (!key || y->p >= y->end || *y->p != ':')
        return yaml_fail(y, "a key without a colon");
    y->p++;
    return yaml_apply(y, key, &props);
}

/* One key and its value; the key gets the comment in front of it. */
static bool yaml_block_entry(struct yaml_reader *y, struct yaml_node *map, int m)
{
    struct str head = yaml_take_gap(y);
    struct yaml_node *key, *value;

    if (yaml_indicator(y, '?')) {
        y->p++;
        key = yaml_block_node(y, m, YAML_INLINE);
        if (key && key->kind != YAML_SCALAR && key->kind != YAML_ALIAS)
            return yaml_fail(y, "a key that is a sequence or a mapping is not supported"), false;
        if (key)
            yaml_settle(y, key);
        if (key && !yaml_ended(y) && yaml_column(y) == m && yaml_indicator(y, ':')) {
            y->p++;
            value = yaml_block_node(y, m, YAML_INLINE | YAML_VALUE);
        } else {
            value = key ? yaml_empty(y) : NULL;
        }
    } else if (yaml_indicator(y, ':')) {
        key = yaml_empty(y);
        y->p++;
        value = yaml_block_node(y, m, YAML_VALUE);
    } else {
        if (!yaml_key_ahead(y))
            return yaml_fail(y, yaml_indicator(y, '-')
                                    ? "an item of a sequence where a key is expected"
                                    : "a key and a colon are expected"),
                   false;
        key = yaml_block_key(y);
        value = key ? yaml_block_node(y, m, YAML_VALUE) : NULL;
    }
    yaml_add_head(y, key, head);
    if (!key || !value || !yaml_add(y, map, key) || !yaml_add(y, map, value))
        return false;
    yaml_settle(y, value);
    return true;
}

static struct yaml_node *yaml_block_map(struct yaml_reader *y, int m)
{
    struct yaml_node *map = yaml_new(y, YAML_MAP, YAML_PLAIN);

    while (map) {
        if (!yaml_block_entry(y, map, m))
            return NULL;
        if (yaml_ended(y) || yaml_column(y) < m)
            break;
        if (yaml_column(y) > m)
            return yaml_fail(y, "something is left over behind a value, or indented too far");
    }
    if (map)
        yaml_add_foot(y, map, m);
    return map;
}

static struct yaml_node *yaml_block_seq(struct yaml_reader *y, int m)
{
    struct yaml_node *seq = yaml_new(y, YAML_SEQ, YAML_PLAIN);

    while (seq) {
        struct str head = yaml_take_gap(y);
        y->p++;
        struct yaml_node *item = yaml_block_node(y, m, YAML_INLINE);
        yaml_add_head(y, item, head);
        if (!yaml_add(y, seq, item))
            return NULL;
        yaml_settle(y, item);
        if (yaml_ended(y) || yaml_column(y) < m)
            break;
        if (yaml_column(y) > m)
            return yaml_fail(y, "something is left over behind an item, or indented too far");
        if (!yaml_indicator(y, '-'))
            break; /* the next key of the mapping around, or its mistake */
    }
    if (seq)
        yaml_add_foot(y, seq, m);
    return seq;
}

/* Whether only blanks are in front of the token on its line. */
static bool yaml_fresh(const struct yaml_reader *y)
{
    for (const char *q = y->bol; q < y->p; q++)
        if (*q != ' ')
            return false;
    return true;
}

/* Whether the next line has nothing more for a node below column n. */
static bool yaml_outside(const struct yaml_reader *y, int n, int flags)
{
    int column = yaml_column(y);

    return column <= n && !((flags & YAML_VALUE) && column == n && yaml_indicator(y, '-'));
}

/* Notes how far a collection is indented below what stands at column n. */
static struct yaml_node *yaml_indented(struct yaml_node *node, int column, int n)
{
    if (node && n >= 0)
        node->indent = (uint8_t)MIN(column - n, 32);
    return node;
}

/* A node whose first character is at hand. */
static struct yaml_node *yaml_block_content(struct yaml_reader *y, int n, int flags)
{
    bool fresh = yaml_fresh(y), may = fresh || (flags & YAML_INLINE);
    struct yaml_properties props;
    int column = yaml_column(y);

    if (task_stack_low(y->j->p->task))
        return yaml_fail(y, "nested too deep");
    if (fresh && (flags & YAML_VALUE) && column > n && y->doc->indent == 0)
        y->doc->indent = column - n;
    if (yaml_indicator(y, '-') && may)
        return yaml_indented(yaml_block_seq(y, column), column, n);
    if (yaml_indicator(y, '?') || yaml_indicator(y, ':') || yaml_key_ahead(y)) {
        if (may)
            return yaml_indented(yaml_block_map(y, column), column, n);
        return yaml_fail(y, memchr(y->bol, '\t', (size_t)(y->p - y->bol))
                                ? "a tab cannot be used for indentation"
                                : "a mapping cannot begin here");
    }
    if (yaml_indicator(y, '-'))
        return yaml_fail(y, "a sequence cannot begin here");
    if (*y->p == '&' || *y->p == '!') {
        const char *line = y->bol;
        if (!yaml_read_properties(y, &props))
            return NULL;
        yaml_gap(y);
        struct str note = y->note;
        y->note = STR_NONE;
        struct yaml_node *node = yaml_ended(y) || (y->bol != line && yaml_outside(y, n, flags))
                                     ? yaml_empty(y)
                                     : yaml_block_content(y, n, y->bol != line ? flags : 0);
        yaml_add_note(y, node, note);
        return yaml_apply(y, node, &props);
    }
    switch (*y->p) {
    case '|':
    case '>': return yaml_block_scalar(y, n);
    case '[':
    case '{': return yaml_flow_node(y);
    case '"':
    case '\'': return yaml_quoted(y);
    case '*': return yaml_alias(y);
    default: return yaml_plain(y, n, false);
    }
}

/* The node below something at column n, on the same line or on the ones that follow. */
static struct yaml_node *yaml_block_node(struct yaml_reader *y, int n, int flags)
{
    const char *line = y->bol;

    yaml_gap(y);
    struct str note = y->note;
    y->note = STR_NONE;
    struct yaml_node *node = yaml_ended(y) || (y->bol != line && yaml_outside(y, n, flags))
                                 ? yaml_empty(y)
                                 : yaml_block_content(y, n, flags);
    yaml_add_note(y, node, note);
    return node;
}

/* ---- flow collections ------------------------------------------------------------------------ */

/* What may stand between the parts of a flow collection; comments are not kept. */
static bool yaml_flow_gap(struct yaml_reader *y)
{
    struct str gap = y->gap;

    yaml_gap(y);
    y->gap = gap;
    y->note = STR_NONE;
    if (y->p < y->end && !yaml_ended(y))
        return true;
    return yaml_fail(y, "a flow collection does not end"), false;
}

/* A colon that parts key and value: a quoted key needs no blank behind it. */
static bool yaml_flow_colon(const struct yaml_reader *y, const struct yaml_node *key)
{
    if (*y->p != ':')
        return false;
    return yaml_indicator(y, ':') || strchr(",[]{}", y->p[1]) ||
           (key && (key->kind != YAML_SCALAR || key->style != YAML_PLAIN));
}

/* A key if there is one, a value if there is one. */
static bool yaml_flow_value(struct yaml_reader *y, struct yaml_node *map, struct yaml_node *key)
{
    struct yaml_node *value = NULL;

    if (!yaml_flow_gap(y))
        return false;
    if (yaml_flow_colon(y, key)) {
        y->p++;
        if (!yaml_flow_gap(y))
            return false;
        if (*y->p != ',' && *y->p != ']' && *y->p != '}') {
            value = yaml_flow_node(y);
            if (!value)
                return false;
        }
    }
    if (key && key->kind != YAML_SCALAR && key->kind != YAML_ALIAS)
        return yaml_fail(y, "a key that is a sequence or a mapping is not supported"), false;
    if (!value)
        value = yaml_empty(y);
    return yaml_add(y, map, key) && yaml_add(y, map, value);
}

/* [key: value]: a mapping of one, without braces. */
static struct yaml_node *yaml_flow_pair(struct yaml_reader *y, struct yaml_node *key)
{
    struct yaml_node *map = yaml_new(y, YAML_MAP, YAML_FLOW);
    return map && yaml_flow_value(y, map, key) ? map : NULL;
}

static struct yaml_node *yaml_flow_item(struct yaml_reader *y, struct yaml_node *in)
{
    bool asked = yaml_indicator(y, '?');
    struct yaml_node *node;

    if (asked) {
        y->p++;
        if (!yaml_flow_gap(y))
            return NULL;
    }
    node = yaml_flow_colon(y, NULL) || *y->p == ',' || *y->p == ']' || *y->p == '}'
               ? yaml_empty(y)
               : yaml_flow_node(y);
    if (!node || !yaml_flow_gap(y))
        return NULL;
    if (in->kind == YAML_MAP)
        return yaml_flow_value(y, in, node) ? in : NULL;
    if (asked || yaml_flow_colon(y, node))
        node = yaml_flow_pair(y, node);
    return node && yaml_add(y, in, node) ? in : NULL;
}

static struct yaml_node *yaml_flow_collection(struct yaml_reader *y)
{
    char close = *y->p++ == '[' ? ']' : '}';
    struct yaml_node *in = yaml_new(y, close == ']' ? YAML_SEQ : YAML_MAP, YAML_FLOW);

    while (in) {
        if (!yaml_flow_gap(y))
            return NULL;
        if (*y->p == close) {
            y->p++;
            return in;
        }
        if (*y->p == ',')
            return yaml_fail(y, "a comma with nothing in front of it");
        if (!yaml_flow_item(y, in) || !yaml_flow_gap(y))
            return NULL;
        if (*y->p == ',')
            y->p++;
        else if (*y->p != close)
            return yaml_fail(y, close == ']' ? "a comma or ] is expected"
                                             : "a comma or } is expected");
    }
    return NULL;
}

static struct yaml_node *yaml_flow_node(struct yaml_reader *y)
{
    struct yaml_properties props;
    struct yaml_node *node;

    if (task_stack_low(y->j->p->task))
        return yaml_fail(y, "nested too deep");
    if (!yaml_read_properties(y, &props) || !yaml_flow_gap(y))
        return NULL;
    switch (*y->p) {
    case '[':
    case '{': node = yaml_flow_collection(y); break;
    case '"':
    case '\'': node = yaml_quoted(y); break;
    case '*': node = yaml_alias(y); break;
    case ',':
    case ']':
    case '}':
        node = props.tag.p || props.anchor.p ? yaml_empty(y) : yaml_fail(y, "a value is expected");
        break;
    default: node = yaml_flow_colon(y, NULL) ? yaml_empty(y) : yaml_plain(y, -1, true); break;
    }
    return yaml_apply(y, node, &props);
}

/* ---- documents ------------------------------------------------------------------------------- */

void yaml_reader_init(struct yaml_reader *y, struct jq *j, struct str text)
{
    if (str_starts(text, STR("\xEF\xBB\xBF")))
        text = str_from(text, 3);
    *y = (struct yaml_reader){.j = j, .text = text, .p = text.p, .bol = text.p};
    y->end = text.p + text.n;
    for (const char *q = y->p; q < y->end && !y->wrong; q++)
        if ((unsigned char)*q < ' ' && *q != '\n' && *q != '\t') {
            y->wrong = "control characters are not allowed";
            y->wrong_at = q;
        }
}

/* Comments, %directives, and the --- that begins a document. False: the text has ended. */
static bool yaml_doc_begin(struct yaml_reader *y, struct yaml_doc *d)
{
    bool directives = false;

    for (;;) {
        yaml_gap(y);
        if (y->p < y->end && y->p == y->bol && *y->p == '%') {
            const char *nl = memchr(y->p, '\n', (size_t)(y->end - y->p));
            y->p = y->bol = nl ? nl + 1 : y->end;
            directives = true;
            continue;
        }
        if (y->p == y->end)
            break;
        if (!yaml_ended(y)) {
            if (directives)
                return yaml_fail(y, "--- is expected behind a directive"), false;
            return true;
        }
        if (*y->p == '-') {
            y->p += 3;
            d->marked = true;
            d->before = yaml_take_gap(y);
            return true;
        }
        y->p += 3; /* ... */
    }
    /* Behind --- there is a document, even an empty one; so there is in an empty text. */
    return false;
}

/* Comments in front of the first entry, up to an empty line, are those of the document. */
static void yaml_doc_head(struct yaml_reader *y, struct yaml_doc *d)
{
    size_t cut = 0;

    for (size_t i = 0; i + 1 < y->gap.n; i++)
        if (y->gap.p[i] == '\n' && y->gap.p[i + 1] == '\n')
            cut = i + 2;
    d->head = str_sub(y->gap, 0, cut);
    y->gap = str_from(y->gap, cut);
}

/* One document behind its ---, up to the mark that ends it. */
static bool yaml_doc_read(struct yaml_reader *y, struct yaml_doc *d)
{
    yaml_gap(y);
    struct str note = y->note;
    y->note = STR_NONE;
    yaml_doc_head(y, d);
    d->root = yaml_ended(y) ? yaml_empty(y) : yaml_block_content(y, -1, 0);
    if (!d->root)
        return false;
    yaml_add_note(y, d->root, note);
    yaml_settle(y, d->root);
    if (!yaml_ended(y))
        return yaml_fail(y, "something is left over behind the value of the document"), false;
    struct yaml_notes *notes = y->gap.n ? yaml_notes(d, d->root) : NULL;
    if (notes && !notes->foot.p)
        notes->foot = yaml_take_gap(y);
    y->gap = STR_NONE;
    if (y->p < y->end && *y->p == '.') {
        y->p += 3;
        yaml_gap(y);
        y->gap = y->note = STR_NONE;
    }
    return true;
}

int yaml_reader_next(struct yaml_reader *y, struct yaml_doc *d)
{
    bool first = !y->any;

    *d = (struct yaml_doc){.j = y->j, .value = jq_null()};
    arena_init(&d->arena, y->j->heap);
    y->doc = d;
    memset(y->anchors, 0, sizeof y->anchors);
    if (y->wrong)
        return -1;
    if (!yaml_doc_begin(y, d)) {
        if (y->wrong)
            return -1;
        if (!first)
            return 0;
        d->blank = true; /* an empty text is one empty document */
        d->head = yaml_take_gap(y);
    }
    y->any = true;
    if (!d->blank && !yaml_doc_read(y, d))
        return y->wrong ? -1 : -2;
    if (!d->blank && !yaml_build(y, d))
        return y->wrong ? -1 : -2;
    return 1;
}

struct str yaml_reader_message(const struct yaml_reader *y)
{
    size_t line = 1;
    const char *at = y->wrong_at ? y->wrong_at : y->p;

    for (const char *q = y->text.p; q < at; q++)
        line += *q == '\n';
    return arena_printf(y->j->p->arena, "line %zu: %s", line, y->wrong);
}

void yaml_doc_fini(struct yaml_doc *d)
{
    if (!d->j)
        return;
    jq_drop(d->j, d->value);
    for (size_t i = 0; i < d->kept.n; i++)
        jq_drop(d->j, d->kept.p[i]);
    vec_fini(d->j->heap, &d->kept);
    if (d->table)
        heap_free(d->j->heap, d->table, ((size_t)d->mask + 1) * sizeof *d->table);
    arena_fini(&d->arena);
    *d = (struct yaml_doc){.j = NULL};
}

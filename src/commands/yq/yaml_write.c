/* yaml_write.c -- values as YAML, with the comments and styles of the document they come from
 *
 * A value finds its node by the address of its container when the program only passed it on, else
 * by the place where it stands: the same key of a mapping, the same item of a sequence. What is
 * found lends comments, quotes, flow or block style, tags; aliases stay aliases when nothing was
 * changed at their place and their anchor has been written.
 */
#include <math.h>

#include "base/fmt.h"
#include "base/utf8.h"
#include "commands/yq/yaml.h"

enum yaml_place {
    YAML_AT_ROOT,
    YAML_AT_KEY, /* behind "key:" */
    YAML_AT_ITEM /* behind "-" */
};

enum {
    YAML_NEAR = 64 /* nodes that are looked at for a key or an item that is not the next one */
};

static void yaml_put(struct yaml_writer *w, struct jq_val v, struct yaml_node *hint, int col,
                     enum yaml_place place);
static void yaml_put_flow(struct yaml_writer *w, struct jq_val v, struct yaml_node *hint);

/* ---- small parts ----------------------------------------------------------------------------- */

static bool yaml_is_container(struct jq_val v) { return v.kind == JQ_ARRAY || v.kind == JQ_OBJECT; }

static bool yaml_is_same(struct yaml_writer *w, struct jq_val a, struct jq_val b)
{
    if (a.kind != b.kind)
        return false;
    return yaml_is_container(a) ? a.refs == b.refs : jq_equal(w->j, a, b);
}

static void yaml_paint(struct yaml_writer *w, const char *code)
{
    if (w->color)
        buf_addz(w->b, code);
}

/* Lines of comments, each at the column. Empty ones only when they are kept. */
static void yaml_put_lines(struct yaml_writer *w, struct str lines, int col)
{
    while (lines.n) {
        ptrdiff_t nl = str_chr(lines, '\n');
        struct str text = str_trim(str_sub(lines, 0, nl < 0 ? lines.n : (size_t)nl));
        if (text.n || w->blanks) {
            if (text.n)
                buf_fill(w->b, ' ', (size_t)col);
            yaml_paint(w, "\x1b[90m");
            buf_str(w->b, text);
            yaml_paint(w, "\x1b[0m");
            buf_putc(w->b, '\n');
        }
        lines = nl < 0 ? STR("") : str_from(lines, (size_t)nl + 1);
    }
}

static void yaml_put_head(struct yaml_writer *w, const struct yaml_node *n, int col)
{
    if (n && n->notes)
        yaml_put_lines(w, n->notes->head, col);
}

static void yaml_put_foot(struct yaml_writer *w, const struct yaml_node *n, int col)
{
    if (n && n->notes)
        yaml_put_lines(w, n->notes->foot, col);
}

static void yaml_put_note(struct yaml_writer *w, const struct yaml_node *n)
{
    if (!n || !n->notes || !n->notes->line.n)
        return;
    const char *from = n->notes->line.p;
    do /* in the column where it was, when blanks are kept */
        buf_putc(w->b, *--from);
    while (w->blanks && (from[-1] == ' ' || from[-1] == '\t'));
    yaml_paint(w, "\x1b[90m");
    buf_str(w->b, str_trim(n->notes->line));
    yaml_paint(w, "\x1b[0m");
}

/* ---- strings --------------------------------------------------------------------------------- */

/* Whether a character cannot stand for itself: controls, and what older readers take for the end of
 * a line. Its length, or 0. */
static size_t yaml_special(struct str s, size_t i)
{
    const unsigned char *p = (const unsigned char *)s.p + i;

    if (p[0] < ' ' || p[0] == 0x7f)
        return 1;
    if (p[0] == 0xC2 && s.n - i > 1 && p[1] < 0xA0)
        return 2;
    if (s.n - i > 2 && ((p[0] == 0xE2 && p[1] == 0x80 && (p[2] == 0xA8 || p[2] == 0xA9)) ||
                        (p[0] == 0xEF && p[1] == 0xBB && p[2] == 0xBF)))
        return 3;
    return 0;
}

/* Whether a string may stand without quotes; it is one line. */
static bool yaml_plain_fits(struct str s, bool flow)
{
    if (s.n == 0 || s.p[0] == ' ' || s.p[s.n - 1] == ' ' || s.p[s.n - 1] == ':' ||
        strchr("#,[]{}&*!|>'\"%@`", s.p[0]) || str_starts(s, STR("---")) ||
        str_starts(s, STR("...")))
        return false;
    if ((s.p[0] == '-' || s.p[0] == '?' || s.p[0] == ':') &&
        (s.n == 1 || s.p[1] == ' ' || (flow && s.p[0] != '-')))
        return false;
    for (size_t i = 0; i < s.n; i++) {
        if (yaml_special(s, i))
            return false;
        if (s.p[i] == ':' && (s.p[i + 1] == ' ' || flow))
            return false;
        if (s.p[i] == '#' && i > 0 && s.p[i - 1] == ' ')
            return false;
        if (flow && strchr(",[]{}?", s.p[i]))
            return false;
    }
    return true;
}

/* Whether an older reader takes the word for something else: yes and no, dates, base 60. */
static bool yaml_odd(struct str s)
{
    static const char *const words[] = {"yes", "Yes", "YES", "no",  "No", "NO", "on", "On",
                                        "ON",  "off", "Off", "OFF", "<<", "=",  NULL};
    size_t digits = 0, colons = 0;

    for (size_t i = 0; words[i]; i++)
        if (str_eqz(s, words[i]))
            return true;
    if (s.n >= 10 && s.p[4] == '-' && s.p[7] == '-' && ascii_digit((unsigned char)s.p[0]) &&
        ascii_digit((unsigned char)s.p[3]) && ascii_digit((unsigned char)s.p[9]))
        return true;
    for (size_t i = 0; i < s.n; i++) {
        digits += ascii_digit((unsigned char)s.p[i]) != 0;
        colons += s.p[i] == ':';
    }
    return colons && ascii_digit((unsigned char)s.p[0]) && digits + colons == s.n;
}

static void yaml_put_single(struct buf *b, struct str s)
{
    buf_putc(b, '\'');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\'')
            buf_putc(b, '\'');
        buf_putc(b, s.p[i]);
    }
    buf_putc(b, '\'');
}

static bool yaml_has_special(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (yaml_special(s, i))
            return true;
    return false;
}

static void yaml_put_double(struct buf *b, struct str s)
{
    static const char from[] = "\a\b\t\n\v\f\r\x1b", to[] = "abtnvfre";

    buf_putc(b, '"');
    for (size_t i = 0; i < s.n; i++) {
        size_t n = yaml_special(s, i);
        const char *at = s.p[i] ? strchr(from, s.p[i]) : NULL;
        int len;
        if (n == 1 && at) {
            buf_putc(b, '\\');
            buf_putc(b, to[at - from]);
        } else if (n == 1) {
            buf_printf(b, s.p[i] ? "\\x%02X" : "\\0", (unsigned)(unsigned char)s.p[i]);
        } else if (n) {
            buf_printf(b, "\\u%04X", (unsigned)utf8_decode(s.p + i, s.n - i, &len));
            i += n - 1;
        } else {
            if (s.p[i] == '"' || s.p[i] == '\\')
                buf_putc(b, '\\');
            buf_putc(b, s.p[i]);
        }
    }
    buf_putc(b, '"');
}

/* A string on one line, in the style asked for if it can be. */
static void yaml_put_string(struct yaml_writer *w, struct str s, int style, bool flow, bool key)
{
    bool string = true;

    if (style == YAML_DOUBLE || yaml_has_special(s)) {
        yaml_put_double(w->b, s);
    } else if (style == YAML_SINGLE) {
        yaml_put_single(w->b, s);
    } else if (!yaml_plain_fits(s, flow) && s.n) {
        yaml_put_single(w->b, s);
    } else {
        jq_drop(w->j, yaml_resolve(w->j, s, &string));
        if (!string || (key ? str_eqz(s, "<<") : yaml_odd(s)))
            yaml_put_double(w->b, s);
        else
            buf_str(w->b, s);
    }
}

/* Whether a string can be a literal block. */
static bool yaml_literal_fits(struct str s)
{
    bool some = false;

    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] != '\n' && s.p[i] != '\t' && yaml_special(s, i))
            return false;
        if (s.p[i] == '\n' && i && (s.p[i - 1] == ' ' || s.p[i - 1] == '\t'))
            return false;
        some |= s.p[i] != '\n' && s.p[i] != ' ' && s.p[i] != '\t';
    }
    return some && s.p[s.n - 1] != ' ' && s.p[s.n - 1] != '\t';
}

/* The header of a block scalar and its lines; raw: those of a folded one, as they were. */
static void yaml_put_block(struct yaml_writer *w, struct str s, const struct yaml_node *n,
                           bool folded, int col)
{
    int indent = n && w->blanks && n->indent && n->indent < 10 ? n->indent : MIN(w->indent, 9);
    bool ends = s.p[s.n - 1] == '\n', keep = s.n > 1 && ends && s.p[s.n - 2] == '\n';
    struct str lines = folded ? n->notes->raw : s;
    size_t i = 0;

    buf_putc(w->b, folded ? '>' : '|');
    while (i < s.n && s.p[i] == '\n')
        i++;
    if (i < s.n && s.p[i] == ' ')
        buf_printf(w->b, "%d", indent);
    if (!ends || keep)
        buf_putc(w->b, ends ? '+' : '-');
    yaml_put_note(w, n);
    buf_putc(w->b, '\n');
    while (lines.n) {
        ptrdiff_t nl = str_chr(lines, '\n');
        struct str line = str_sub(lines, 0, nl < 0 ? lines.n : (size_t)nl);
        size_t cut = 0;
        while (folded && cut < line.n && line.p[cut] == ' ' && cut < (size_t)n->notes->raw_indent)
            cut++;
        line = str_from(line, cut);
        if (line.n) {
            buf_fill(w->b, ' ', (size_t)(col + indent));
            yaml_paint(w, "\x1b[32m");
            buf_str(w->b, line);
            yaml_paint(w, "\x1b[0m");
        }
        buf_putc(w->b, '\n');
        lines = nl < 0 ? STR("") : str_from(lines, (size_t)nl + 1);
    }
}

/* ---- scalars --------------------------------------------------------------------------------- */

static void yaml_put_number(struct yaml_writer *w, struct jq_val v)
{
    char small[40];

    if (isnan(jq_double(v)))
        buf_addz(w->b, ".nan");
    else if (isinf(jq_double(v)))
        buf_addz(w->b, jq_double(v) < 0 ? "-.inf" : ".inf");
    else
        buf_str(w->b, jq_literal_text(v, small));
}

/* A scalar on one line. n: the node it comes from or replaces, or NULL. */
static void yaml_put_word(struct yaml_writer *w, struct jq_val v, const struct yaml_node *n,
                          bool flow)
{
    bool same = n && yaml_is_same(w, n->v, v);

    yaml_paint(w, v.kind == JQ_STRING ? "\x1b[32m" : "\x1b[95m");
    if (same && n->style == YAML_PLAIN && n->text.n == 0 && flow)
        buf_addz(w->b, "null");
    else if (same && n->style == YAML_PLAIN && !yaml_has_special(n->text) &&
             (!flow || v.kind != JQ_STRING || yaml_plain_fits(n->text, true)))
        buf_str(w->b, n->text);
    else if (v.kind == JQ_STRING)
        yaml_put_string(w, jq_text(v),
                        n && !w->plain && n->v.kind == JQ_STRING ? n->style : YAML_PLAIN, flow,
                        false);
    else if (v.kind == JQ_NUMBER)
        yaml_put_number(w, v);
    else
        buf_addz(w->b, v.kind == JQ_NULL ? "null" : v.kind == JQ_TRUE ? "true" : "false");
    yaml_paint(w, "\x1b[0m");
}

/* The anchor and the tag, each with a blank in front of it. home: the node stands at its place. */
static void yaml_put_properties(struct yaml_writer *w, struct jq_val v, struct yaml_node *n,
                                bool home)
{
    if (!n || n->kind == YAML_ALIAS)
        return;
    if (home && n->anchor.p && !w->expand) {
        buf_printf(w->b, " &%.*s", STR_ARG(n->anchor));
        n->written = w->serial;
    }
    bool own = str_starts(n->tag, STR("!!")) || str_starts(n->tag, STR("!<"));
    if (n->tag.p && v.kind == n->v.kind && (!own || yaml_is_same(w, v, n->v)))
        buf_printf(w->b, " %.*s", STR_ARG(n->tag));
}

/* Whether the alias can stand for the value. */
static bool yaml_put_alias(struct yaml_writer *w, struct jq_val v, const struct yaml_node *n)
{
    if (!n || n->kind != YAML_ALIAS || w->expand || n->target->written != w->serial ||
        !yaml_is_same(w, v, n->v))
        return false;
    buf_printf(w->b, " *%.*s", STR_ARG(n->text));
    return true;
}

/* A scalar, with a blank in front of it and the newline behind it. */
static void yaml_put_scalar(struct yaml_writer *w, struct jq_val v, struct yaml_node *n, int col)
{
    size_t before;
    struct str s = v.kind == JQ_STRING ? jq_text(v) : STR("");
    bool same = n && !w->plain && yaml_is_same(w, n->v, v);

    yaml_put_properties(w, v, n, true);
    buf_putc(w->b, ' ');
    before = w->b->n;
    if (same && n->style == YAML_FOLDED && n->notes && s.n && yaml_literal_fits(s)) {
        yaml_put_block(w, s, n, true, col);
        return;
    }
    bool quoted = n && !w->plain && (n->style == YAML_DOUBLE || n->style == YAML_SINGLE);
    bool block = (s.n && memchr(s.p, '\n', s.n) && !quoted) || (same && n->style == YAML_LITERAL);
    if (block && yaml_literal_fits(s)) {
        yaml_put_block(w, s, n, false, col);
        return;
    }
    yaml_put_word(w, v, n && n->kind == YAML_SCALAR ? n : NULL, false);
    if (w->b->n == before && before)
        buf_cut(w->b, before - 1); /* a null that was written as nothing */
    yaml_put_note(w, n);
    buf_putc(w->b, '\n');
}

/* ---- finding nodes --------------------------------------------------------------------------- */

/* The node that lends its style to v. */
static struct yaml_node *yaml_layout(struct yaml_writer *w, struct jq_val v, struct yaml_node *hint)
{
    struct yaml_node *n;

    if (!w->doc)
        return NULL;
    if (!yaml_is_container(v))
        return hint && (hint->kind == YAML_SCALAR || hint->kind == YAML_ALIAS) ? hint : NULL;
    n = yaml_find(w->doc, v);
    if (n)
        return n;
    return hint && hint->kind == (v.kind == JQ_ARRAY ? YAML_SEQ : YAML_MAP) ? hint : NULL;
}

static struct str yaml_key_text(const struct yaml_node *key)
{
    return key->kind == YAML_ALIAS ? key->target->text : key->text;
}

/* The key of a mapping; *at is where the search begins, and then the key behind the one found. */
static struct yaml_node *yaml_pair(const struct yaml_node *map, struct yaml_node **at,
                                   struct str name)
{
    struct yaml_node *k = *at ? *at : map ? map->first : NULL;
    uint32_t limit = map && map->n > 16 * YAML_NEAR ? YAML_NEAR : UINT32_MAX;

    if (!k || !map->n)
        return NULL;
    for (uint32_t i = 0; i < map->n / 2 && i < limit; i++) {
        if (!k->merge && str_eq(yaml_key_text(k), name)) {
            *at = k->next->next;
            return k;
        }
        k = k->next->next ? k->next->next : map->first;
    }
    return NULL;
}

/* The item of a sequence that v was or replaces: by its place when as many are there as before,
 * else the next one with the same value. */
static struct yaml_node *yaml_item(struct yaml_writer *w, const struct yaml_node *seq,
                                   struct yaml_node **at, struct jq_val v, const struct jq_array *a)
{
    struct yaml_node *n = *at;

    if (!seq || !n)
        return NULL;
    if (a->n >= seq->n && yaml_is_container(v)) {
        *at = n->next;
        return n;
    }
    if (a->n == seq->n) {
        *at = n->next;
        return n;
    }
    for (int i = 0; n && i < YAML_NEAR; i++, n = n->next)
        if (yaml_is_same(w, n->v, v)) {
            *at = n->next;
            return n;
        }
    return NULL;
}

/* ---- merge keys ------------------------------------------------------------------------------ */

/* What the merge keys of a mapping give for a key; NULL: nothing. */
static const struct jq_val *yaml_merged(const struct yaml_node *map, const struct jq_string *key)
{
    for (struct yaml_node *k = map->first; k; k = k->next->next) {
        struct jq_val v = k->next->v;
        const struct jq_val *found = NULL;
        if (!k->merge)
            continue;
        if (v.kind == JQ_OBJECT)
            found = jq_object_get(v.obj, key);
        for (uint32_t i = 0; v.kind == JQ_ARRAY && i < v.arr->n && !found; i++)
            found = jq_object_get(v.arr->v[i].obj, key);
        if (found)
            return found;
    }
    return NULL;
}

static bool yaml_covers(const struct jq_object *o, const struct jq_object *source)
{
    for (uint32_t i = 0; i < source->used; i++)
        if (source->m[i].key && !jq_object_get(o, source->m[i].key))
            return false;
    return true;
}

/* Whether an alias below a merge key, or each of a list, has its anchor in the output. */
static bool yaml_anchored(struct yaml_writer *w, const struct yaml_node *n)
{
    if (n->kind == YAML_ALIAS)
        return n->target->written == w->serial;
    for (const struct yaml_node *c = n->kind == YAML_SEQ ? n->first : NULL; c; c = c->next)
        if (c->kind == YAML_ALIAS && c->target->written != w->serial)
            return false;
    return true;
}

/* Whether << can be written again: nothing that it gives was deleted. */
static bool yaml_merges(struct yaml_writer *w, const struct yaml_node *map,
                        const struct jq_object *o)
{
    bool any = false;

    if (!map || w->expand)
        return false;
    for (struct yaml_node *k = map->first; k; k = k->next->next) {
        struct jq_val v = k->next->v;
        if (!k->merge)
            continue;
        any = true;
        if (!yaml_anchored(w, k->next) || (v.kind == JQ_OBJECT && !yaml_covers(o, v.obj)))
            return false;
        for (uint32_t i = 0; v.kind == JQ_ARRAY && i < v.arr->n; i++)
            if (!yaml_covers(o, v.arr->v[i].obj))
                return false;
    }
    return any;
}

/* ---- block collections ----------------------------------------------------------------------- */

static void yaml_put_key(struct yaml_writer *w, struct str key, const struct yaml_node *n)
{
    yaml_paint(w, "\x1b[36m");
    if (n && n->kind == YAML_SCALAR && n->style == YAML_PLAIN && n->text.n &&
        !yaml_has_special(n->text))
        buf_str(w->b, n->text);
    else
        yaml_put_string(w, key, n && !w->plain && n->style <= YAML_DOUBLE ? n->style : YAML_PLAIN,
                        false, true);
    yaml_paint(w, "\x1b[0m");
}

static void yaml_put_merges(struct yaml_writer *w, const struct yaml_node *map, int col,
                            bool *inlined)
{
    for (struct yaml_node *k = map->first; k; k = k->next->next) {
        if (!k->merge)
            continue;
        if (!*inlined) {
            yaml_put_head(w, k, col);
            buf_fill(w->b, ' ', (size_t)col);
        }
        *inlined = false;
        yaml_paint(w, "\x1b[36m");
        buf_addz(w->b, "<<");
        yaml_paint(w, "\x1b[0m");
        buf_putc(w->b, ':');
        yaml_put(w, k->next->v, k->next, col, YAML_AT_KEY);
    }
}

struct yaml_mapping {
    struct yaml_node *map, *at;
    bool merges, merged, inlined; /* inlined: the first entry stands behind a dash */
};

static void yaml_put_member(struct yaml_writer *w, const struct jq_member *m,
                            struct yaml_mapping *x, int col)
{
    struct str name = str_of(m->key->data, m->key->n);
    struct yaml_node *key = x->map ? yaml_pair(x->map, &x->at, name) : NULL;

    if (x->merges && !key) {
        const struct jq_val *given = yaml_merged(x->map, m->key);
        if (given && !x->merged) {
            x->merged = true;
            yaml_put_merges(w, x->map, col, &x->inlined);
        }
        if (given && yaml_is_same(w, *given, m->v))
            return;
    }
    if (!x->inlined) {
        yaml_put_head(w, key, col);
        buf_fill(w->b, ' ', (size_t)col);
    }
    x->inlined = false;
    if (key && key->anchor.p && !w->expand) {
        buf_printf(w->b, "&%.*s ", STR_ARG(key->anchor));
        key->written = w->serial;
    }
    yaml_put_key(w, name, key);
    buf_putc(w->b, ':');
    yaml_put(w, m->v, key ? key->next : NULL, col, YAML_AT_KEY);
}

static void yaml_put_map(struct yaml_writer *w, const struct jq_object *o, struct yaml_node *n,
                         int col, bool inlined)
{
    const struct jq_member **sorted = w->sort ? jq_sorted(w->j, o) : NULL;
    struct yaml_mapping x = {.map = n, .inlined = inlined, .merges = yaml_merges(w, n, o)};

    for (uint32_t i = 0; i < (sorted ? o->n : o->used); i++) {
        const struct jq_member *m = sorted ? sorted[i] : &o->m[i];
        if (m->key)
            yaml_put_member(w, m, &x, col);
        if (proc_tick(w->j->p, 1) < 0 || w->j->heap->oom)
            break;
    }
    if (x.merges && !x.merged)
        yaml_put_merges(w, n, col, &x.inlined);
    if (sorted)
        heap_free(w->j->heap, sorted, MAX(o->n, 1) * sizeof *sorted);
}

/* Comments in front of the first key of a mapping that will stand behind a dash. */
static void yaml_put_first_head(struct yaml_writer *w, struct jq_val v, struct yaml_node *hint,
                                int col)
{
    struct yaml_node *n = v.kind == JQ_OBJECT && v.obj->n ? yaml_layout(w, v, hint) : NULL;

    if (n && n->style != YAML_FLOW && n->first && !n->anchor.p && !n->tag.p &&
        !(n->notes && n->notes->line.p))
        yaml_put_head(w, n->first, col);
}

static void yaml_put_seq(struct yaml_writer *w, const struct jq_array *a, struct yaml_node *n,
                         int col, bool inlined)
{
    struct yaml_node *at = n ? n->first : NULL;

    for (uint32_t i = 0; i < a->n; i++) {
        int near = 0;
        struct yaml_node *item = w->doc && n ? yaml_find(w->doc, a->v[i]) : NULL;
        if (!item || !at || item->v.refs == at->v.refs || n->n <= a->n)
            item = yaml_item(w, n, &at, a->v[i], a);
        else /* some are gone: go on behind this one */
            for (struct yaml_node *c = at; c && near < YAML_NEAR; c = c->next, near++)
                if (c == item)
                    at = c->next;
        if (!inlined || i) {
            yaml_put_head(w, item, col);
            yaml_put_first_head(w, a->v[i], item, col);
            buf_fill(w->b, ' ', (size_t)col);
        }
        buf_putc(w->b, '-');
        yaml_put(w, a->v[i], item, col, YAML_AT_ITEM);
        if (proc_tick(w->j->p, 1) < 0 || w->j->heap->oom)
            break;
    }
}

/* A container that is not empty, as a block. */
static void yaml_put_collection(struct yaml_writer *w, struct jq_val v, struct yaml_node *n,
                                bool home, int col, enum yaml_place place)
{
    size_t before = w->b->n;
    bool known = n && w->blanks && (n->indent || (v.kind == JQ_ARRAY && place == YAML_AT_KEY));
    int inner = place == YAML_AT_ROOT   ? 0
                : known                 ? col + n->indent
                : place == YAML_AT_ITEM ? col + 2
                                        : col + w->indent;

    yaml_put_properties(w, v, n, home && place != YAML_AT_ROOT);
    if (place != YAML_AT_ROOT)
        yaml_put_note(w, n);
    bool inlined = place == YAML_AT_ITEM && w->b->n == before;
    if (inlined)
        buf_fill(w->b, ' ', (size_t)(inner - col - 1));
    else if (place != YAML_AT_ROOT)
        buf_putc(w->b, '\n');
    else if (w->b->n > before) { /* the tag of a document */
        buf_del(w->b, before, 1);
        buf_putc(w->b, '\n');
    }
    if (v.kind == JQ_OBJECT)
        yaml_put_map(w, v.obj, n, inner, inlined);
    else
        yaml_put_seq(w, v.arr, n, inner, inlined);
    yaml_put_foot(w, n, inner);
}

static bool yaml_is_empty(struct jq_val v)
{
    return v.kind == JQ_ARRAY ? v.arr->n == 0 : v.obj->n == 0;
}

static void yaml_put(struct yaml_writer *w, struct jq_val v, struct yaml_node *hint, int col,
                     enum yaml_place place)
{
    if (yaml_put_alias(w, v, hint)) {
        yaml_put_note(w, hint);
        buf_putc(w->b, '\n');
        return;
    }
    struct yaml_node *n = yaml_layout(w, v, hint);
    if (task_stack_low(w->j->p->task)) {
        w->deep = true;
        return;
    }
    if (!yaml_is_container(v)) {
        yaml_put_scalar(w, v, n, col);
        return;
    }
    if (!yaml_is_empty(v) && (!n || n->style != YAML_FLOW || w->plain)) {
        yaml_put_collection(w, v, n, n == hint, col, place);
        return;
    }
    yaml_put_properties(w, v, n, n == hint);
    buf_putc(w->b, ' ');
    yaml_put_flow(w, v, n);
    yaml_put_note(w, n);
    buf_putc(w->b, '\n');
}

/* ---- flow collections ------------------------------------------------------------------------ */

static void yaml_put_flow_value(struct yaml_writer *w, struct jq_val v, struct yaml_node *hint)
{
    size_t at = w->b->n;
    struct yaml_node *n = yaml_layout(w, v, hint);

    if (!yaml_put_alias(w, v, hint)) {
        yaml_put_properties(w, v, n, n == hint);
        if (w->b->n > at)
            buf_putc(w->b, ' ');
        if (yaml_is_container(v))
            yaml_put_flow(w, v, n);
        else
            yaml_put_word(w, v, n && n->kind == YAML_SCALAR ? n : NULL, true);
    }
    if (w->b->n > at && w->b->p[at] == ' ')
        buf_del(w->b, at, 1);
}

static void yaml_put_flow_map(struct yaml_writer *w, const struct jq_object *o, struct yaml_node *n)
{
    const struct jq_member **sorted = w->sort ? jq_sorted(w->j, o) : NULL;
    struct yaml_node *at = NULL;
    bool first = true;

    for (uint32_t i = 0; i < (sorted ? o->n : o->used) && !w->j->heap->oom; i++) {
        const struct jq_member *m = sorted ? sorted[i] : &o->m[i];
        if (!m->key)
            continue;
        struct str name = str_of(m->key->data, m->key->n);
        struct yaml_node *key = n ? yaml_pair(n, &at, name) : NULL;
        if (!first)
            buf_addz(w->b, ", ");
        first = false;
        yaml_paint(w, "\x1b[36m");
        if (key && key->style == YAML_PLAIN && key->kind == YAML_SCALAR && name.n &&
            yaml_plain_fits(name, true))
            buf_str(w->b, name);
        else
            yaml_put_string(w, name, key && key->style <= YAML_DOUBLE ? key->style : YAML_PLAIN,
                            true, true);
        yaml_paint(w, "\x1b[0m");
        buf_addz(w->b, ": ");
        yaml_put_flow_value(w, m->v, key ? key->next : NULL);
    }
    if (sorted)
        heap_free(w->j->heap, sorted, MAX(o->n, 1) * sizeof *sorted);
}

static void yaml_put_flow(struct yaml_writer *w, struct jq_val v, struct yaml_node *n)
{
    struct yaml_node *at = n ? n->first : NULL;

    if (task_stack_low(w->j->p->task) || proc_tick(w->j->p, 1) < 0) {
        w->deep = true;
        return;
    }
    buf_putc(w->b, v.kind == JQ_ARRAY ? '[' : '{');
    if (v.kind == JQ_OBJECT)
        yaml_put_flow_map(w, v.obj, n);
    for (uint32_t i = 0; v.kind == JQ_ARRAY && i < v.arr->n && !w->j->heap->oom; i++) {
        if (i)
            buf_addz(w->b, ", ");
        yaml_put_flow_value(w, v.arr->v[i], yaml_item(w, n, &at, v.arr->v[i], v.arr));
    }
    buf_putc(w->b, v.kind == JQ_ARRAY ? ']' : '}');
}

/* ---- documents ------------------------------------------------------------------------------- */

void yaml_write(struct yaml_writer *w, struct jq_val v, bool whole)
{
    struct yaml_node *root = w->doc ? w->doc->root : NULL;
    size_t at;

    w->serial++;
    at = w->b->n;
    if (whole && w->doc)
        yaml_put_lines(w, w->doc->head, 0);
    if (w->b->n > at && !w->blanks)
        buf_putc(w->b, '\n'); /* what parts them from the comments of the first key */
    at = w->b->n;
    yaml_put(w, v, whole ? root : NULL, 0, YAML_AT_ROOT);
    /* What is not a block was written as if it stood behind a key. */
    if (w->b->n > at && w->b->p[at] == ' ')
        buf_del(w->b, at, 1);
    if (whole && root && root->notes && (!yaml_is_container(v) || yaml_is_empty(v)))
        yaml_put_lines(w, root->notes->foot, 0);
}

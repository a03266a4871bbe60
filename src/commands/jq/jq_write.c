/* jq_write.c -- values as JSON text: indented, sorted, coloured, or in plain ASCII */
#include "base/fmt.h"
#include "base/utf8.h"
#include "commands/jq/jq.h"

enum {
    JQ_PRINT_DEPTH = 256,
    JQ_FLUSH = 16384
};

#define JQ_RESET "\x1b[0m"

static void jq_write_code(struct buf *b, uint32_t c)
{
    static const char hex[] = "0123456789abcdef";
    char text[6] = {'\\', 'u', hex[c >> 12 & 15], hex[c >> 8 & 15], hex[c >> 4 & 15], hex[c & 15]};
    buf_add(b, text, sizeof text);
}

/* One byte or character that cannot stand for itself; the bytes it took. */
static size_t jq_write_special(struct buf *b, const char *p, size_t n)
{
    static const char from[] = "\"\\\n\t\r\b\f", to[] = "\"\\ntrbf";
    const char *at = *p ? strchr(from, *p) : NULL;
    int len = 1;

    if (at) {
        char text[2] = {'\\', to[at - from]};
        buf_add(b, text, 2);
    } else if ((unsigned char)*p < 0x80) {
        jq_write_code(b, (unsigned char)*p);
    } else {
        uint32_t c = utf8_decode(p, n, &len);
        if (c == UTF8_BAD)
            c = 0xFFFD;
        if (c >= 0x10000) {
            jq_write_code(b, 0xD800 + ((c - 0x10000) >> 10));
            c = 0xDC00 + ((c - 0x10000) & 0x3FF);
        }
        jq_write_code(b, c);
    }
    return (size_t)len;
}

void jq_write_string(struct buf *b, struct str s, bool ascii)
{
    const uint64_t ones = 0x0101010101010101u, high = ones * 0x80;

    buf_putc(b, '"');
    for (size_t i = 0; i < s.n;) {
        size_t from = i;
        while (i < s.n) {
            if (s.n - i >= 8) {
                uint64_t w, quote, slash, del;
                memcpy(&w, s.p + i, 8);
                quote = w ^ ones * '"';
                slash = w ^ ones * '\\';
                del = w ^ ones * 0x7f;
                uint64_t odd = ((quote - ones) & ~quote) | ((slash - ones) & ~slash) |
                               ((del - ones) & ~del) | ((w - ones * 0x20) & ~w) | (ascii ? w : 0);
                if (!(odd & high)) {
                    i += 8;
                    continue;
                }
            }
            unsigned char c = (unsigned char)s.p[i];
            if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f || (ascii && c >= 0x80))
                break;
            i++;
        }
        buf_add(b, s.p + from, i - from);
        if (i < s.n)
            i += jq_write_special(b, s.p + i, s.n - i);
    }
    buf_putc(b, '"');
}

static void jq_write_break(struct jq_writer *w, int level)
{
    if (w->style->compact)
        return;
    buf_putc(&w->b, '\n');
    if (w->style->indent < 0)
        buf_fill(&w->b, '\t', (size_t)level);
    else
        buf_fill(&w->b, ' ', (size_t)(level * w->style->indent));
}

static void jq_write_scalar(struct jq_writer *w, struct jq_val v)
{
    char text[40];

    switch (v.kind) {
    case JQ_NULL: buf_addz(&w->b, "null"); break;
    case JQ_FALSE: buf_addz(&w->b, "false"); break;
    case JQ_TRUE: buf_addz(&w->b, "true"); break;
    case JQ_NUMBER:
        if (v.flags & JQ_LITERAL)
            buf_add(&w->b, v.lit->text, v.lit->n);
        else
            buf_add(&w->b, text, jq_number_write(text, v.num));
        break;
    case JQ_STRING: jq_write_string(&w->b, jq_text(v), w->style->ascii); break;
    default: buf_addz(&w->b, "<invalid>"); break;
    }
}

static void jq_write_value(struct jq_writer *w, struct jq_val v, int level);

static void jq_write_array(struct jq_writer *w, const struct jq_array *a, const char *color,
                           int level)
{
    buf_putc(&w->b, '[');
    for (uint32_t i = 0; i < a->n; i++) {
        if (i > 0) {
            buf_addz(&w->b, color);
            buf_putc(&w->b, ',');
        }
        jq_write_break(w, level + 1);
        jq_write_value(w, a->v[i], level + 1);
    }
    if (a->n) {
        buf_addz(&w->b, color);
        jq_write_break(w, level);
        buf_addz(&w->b, color);
    }
    buf_putc(&w->b, ']');
}

static void jq_write_member(struct jq_writer *w, const struct jq_member *m, bool first,
                            const char *color, int level)
{
    bool colored = *color;
    if (!first) {
        buf_addz(&w->b, color);
        buf_putc(&w->b, ',');
    }
    jq_write_break(w, level + 1);
    if (colored) {
        buf_addz(&w->b, JQ_RESET);
        buf_addz(&w->b, w->style->colors[7]);
    }
    jq_write_string(&w->b, str_of(m->key->data, m->key->n), w->style->ascii);
    if (colored) {
        buf_addz(&w->b, JQ_RESET);
        buf_addz(&w->b, color);
    }
    buf_putc(&w->b, ':');
    if (!w->style->compact)
        buf_putc(&w->b, ' ');
    if (colored)
        buf_addz(&w->b, JQ_RESET);
    jq_write_value(w, m->v, level + 1);
}

static void jq_write_object(struct jq_writer *w, const struct jq_object *o, const char *color,
                            int level)
{
    const struct jq_member **sorted = w->style->sort ? jq_sorted(w->j, o) : NULL;
    bool first = true;

    buf_putc(&w->b, '{');
    for (uint32_t i = 0; i < (sorted ? o->n : o->used); i++) {
        const struct jq_member *m = sorted ? sorted[i] : &o->m[i];
        if (!m->key)
            continue;
        jq_write_member(w, m, first, color, level);
        first = false;
    }
    if (o->n) {
        buf_addz(&w->b, color);
        jq_write_break(w, level);
        buf_addz(&w->b, color);
    }
    buf_putc(&w->b, '}');
    if (sorted)
        heap_free(w->j->heap, sorted, MAX(o->n, 1) * sizeof *sorted);
}

static void jq_write_value(struct jq_writer *w, struct jq_val v, int level)
{
    const char *color = w->style->color ? w->style->colors[v.kind - JQ_NULL] : "";

    if (level > JQ_PRINT_DEPTH || task_stack_low(w->j->p->task)) {
        buf_addz(&w->b, "<skipped: too deep>");
        return;
    }
    /* Containers may be shared: what is small in memory can be endless as text. */
    if (v.kind >= JQ_ARRAY && (w->j->heap->oom || proc_tick(w->j->p, 1) < 0))
        return;
    buf_addz(&w->b, color);
    if (v.kind == JQ_ARRAY)
        jq_write_array(w, v.arr, color, level);
    else if (v.kind == JQ_OBJECT)
        jq_write_object(w, v.obj, color, level);
    else
        jq_write_scalar(w, v);
    if (w->style->color)
        buf_addz(&w->b, JQ_RESET);
    if (w->out && w->b.n > JQ_FLUSH) {
        out_str(w->out, buf_get(&w->b));
        buf_clear(&w->b);
        proc_tick(w->j->p, JQ_FLUSH / 1024);
    }
}

void jq_write(struct jq_writer *w, struct jq_val v) { jq_write_value(w, v, 0); }

static const struct jq_style jq_plain = {.compact = true};

void jq_dump(struct jq *j, struct buf *b, struct jq_val v)
{
    struct jq_writer w = {.j = j, .style = &jq_plain, .b = *b};
    jq_write_value(&w, v, 0);
    *b = w.b;
}

struct jq_val jq_to_json(struct jq *j, struct jq_val v)
{
    struct buf b;
    buf_init(&b, j->heap);
    jq_dump(j, &b, v);
    jq_drop(j, v);
    return jq_string_buf(j, &b);
}

struct jq_val jq_to_string(struct jq *j, struct jq_val v)
{
    return v.kind == JQ_STRING ? v : jq_to_json(j, v);
}

#undef JQ_RESET

/* rg_print.c -- what rg prints: lines, counts, names, JSON, statistics */
#include "commands/rg/rg.h"

#include "base/fmt.h"
#include "base/utf8.h"
#include "text/base64.h"
#include "text/json.h"

enum {
    RG_NM = 64 /* groups a replacement can name */
};

/* Everything goes through here, so that bytes are counted. */
static void rg_put(struct rg_run *r, const char *p, size_t n)
{
    out_write(&r->out, p, n);
    r->stats.printed += n;
    r->file.printed += n;
}

static void rg_puts(struct rg_run *r, const char *z) { rg_put(r, z, strlen(z)); }

static void rg_put_color(struct rg_run *r, uint32_t color, int base, bool intense)
{
    char text[32];
    if (!color)
        return;
    if (color >= RG_TRUE_COLOR)
        fmt_print(text, sizeof text, "\033[%d;2;%u;%u;%um", base + 8, color >> 16 & 255,
                  color >> 8 & 255, color & 255);
    else if (color > 8)
        fmt_print(text, sizeof text, "\033[%d;5;%um", base + 8, color - 9);
    else if (intense)
        fmt_print(text, sizeof text, "\033[%d;5;%um", base + 8, color + 7);
    else
        fmt_print(text, sizeof text, "\033[%dm", base + (int)color - 1);
    rg_puts(r, text);
}

static void rg_style_on(struct rg_run *r, int which)
{
    const struct rg_style *s = &r->o->style[which];
    if (!r->color)
        return;
    rg_puts(r, "\033[0m");
    if (s->bold)
        rg_puts(r, "\033[1m");
    if (s->underline)
        rg_puts(r, "\033[4m");
    rg_put_color(r, s->fg, 30, s->intense);
    rg_put_color(r, s->bg, 40, s->intense);
}

static void rg_style_off(struct rg_run *r)
{
    if (r->color)
        rg_puts(r, "\033[0m");
}

static void rg_putnum(struct rg_run *r, uint64_t n, int style)
{
    char text[32];
    size_t at = sizeof text;
    do
        text[--at] = (char)('0' + n % 10);
    while (n /= 10);
    if (style >= 0)
        rg_style_on(r, style);
    rg_put(r, text + at, sizeof text - at);
    if (style >= 0)
        rg_style_off(r);
}

static void rg_putname(struct rg_run *r, struct str name)
{
    rg_style_on(r, RG_STYLE_PATH);
    if (r->o->path_separator.n == 1) {
        for (size_t i = 0; i < name.n; i++)
            rg_put(r, name.p[i] == '/' ? r->o->path_separator.p : name.p + i, 1);
    } else {
        rg_put(r, name.p, name.n);
    }
    rg_style_off(r);
}

void rg_print_path(struct rg_run *r, struct str name)
{
    rg_putname(r, name);
    rg_put(r, r->o->null ? "" : "\n", 1);
}

static void rg_field(struct rg_run *r, bool selected)
{
    struct str f = selected ? r->o->field_match : r->o->field_context;
    if (f.p)
        rg_put(r, f.p, f.n);
    else
        rg_puts(r, selected ? ":" : "-");
}

/* The name in front of a line, with what parts it from the line. */
static void rg_prefix_name(struct rg_run *r, bool selected)
{
    if (!r->names || r->heading)
        return;
    rg_putname(r, r->name);
    if (r->o->null)
        rg_put(r, "", 1);
    else
        rg_field(r, selected);
}

static void rg_prefix(struct rg_run *r, const struct rg_line *l, uint64_t column, uint64_t offset)
{
    rg_prefix_name(r, l->selected);
    if (r->line_numbers) {
        rg_putnum(r, l->number, RG_STYLE_LINE);
        rg_field(r, l->selected);
    }
    if (r->o->column && l->selected && column) {
        rg_putnum(r, column, RG_STYLE_COLUMN);
        rg_field(r, l->selected);
    }
    if (r->o->byte_offset) {
        rg_putnum(r, offset, RG_STYLE_COLUMN);
        rg_field(r, l->selected);
    }
}

void rg_print_separator(struct rg_run *r)
{
    if (r->o->no_context_separator || r->o->mode == RG_JSON)
        return;
    if (r->o->have_separator)
        rg_put(r, r->o->separator.p, r->o->separator.n);
    else
        rg_puts(r, "--");
    rg_put(r, &r->eol, 1);
}

void rg_print_count(struct rg_run *r, uint64_t n)
{
    if (r->names) {
        rg_putname(r, r->name);
        rg_puts(r, r->o->null ? "" : ":");
        if (r->o->null)
            rg_put(r, "", 1);
    }
    rg_putnum(r, n, -1);
    rg_put(r, &r->eol, 1);
}

void rg_print_binary(struct rg_run *r, bool stopped)
{
    char text[128];
    if (r->o->mode != RG_LINES)
        return;
    if (r->names) {
        rg_putname(r, r->name);
        rg_puts(r, ": ");
    }
    fmt_print(text, sizeof text,
              stopped ? "WARNING: stopped searching binary file after match (found \"\\0\" byte "
                        "around offset %llu)\n"
                      : "binary file matches (found \"\\0\" byte around offset %llu)\n",
              (unsigned long long)r->binary);
    rg_puts(r, text);
}

/* ---- replacements ---------------------------------------------------------------------------- */

/* The group that $1, ${name} or $name stands for; -1: there is none. */
static ptrdiff_t rg_replace_group(const struct rg_run *r, struct str name)
{
    uint64_t n;
    if (str_uint(name, &n) == 0)
        return n == 0 ? 0 : n <= r->match.ngroups ? (ptrdiff_t)r->match.group[n - 1].index : -1;
    for (size_t i = 0; i < r->match.ngroups; i++)
        if (str_eq(r->match.group[i].name, name))
            return (ptrdiff_t)r->match.group[i].index;
    return -1;
}

static void rg_replace_one(struct rg_run *r, struct buf *b, struct str text)
{
    struct str with = r->o->replace;
    for (size_t i = 0; i < with.n; i++) {
        if (with.p[i] != '$' || i + 1 >= with.n) {
            buf_putc(b, with.p[i]);
            continue;
        }
        size_t from = i + 1, end;
        if (with.p[from] == '$') {
            buf_putc(b, '$');
            i++;
            continue;
        }
        bool braces = with.p[from] == '{';
        for (end = from += braces; end < with.n; end++)
            if (!(ascii_alnum(with.p[end]) || with.p[end] == '_'))
                break;
        if (end == from || (braces && (end >= with.n || with.p[end] != '}'))) {
            buf_putc(b, '$');
            continue;
        }
        ptrdiff_t g = rg_replace_group(r, str_sub(with, from, end - from));
        if (g >= 0 && (size_t)g < r->match.nm && r->match.m[g].start >= 0)
            buf_add(b, text.p + r->match.m[g].start,
                    (size_t)(r->match.m[g].end - r->match.m[g].start));
        i = end - !braces;
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* The text of a line without its end. */
static struct str rg_body(const struct rg_run *r, struct str s)
{
    if (s.n && s.p[s.n - 1] == r->eol)
        s.n--;
    if (r->o->crlf && s.n && s.p[s.n - 1] == '\r')
        s.n--;
    return s;
}

/* The next match in the line at or behind *at. Empty ones right behind a match do not count. */
static bool rg_next(struct rg_run *r, struct str line, size_t *at, struct regex_match *m)
{
    if (*at > line.n)
        return false;
    int e = rg_match_at(r, line, *at, RG_NM);
    if (e < 0)
        r->err = e;
    if (e <= 0)
        return false;
    *m = r->match.m[0];
    *at = (size_t)m->end + (m->end == m->start);
    return true;
}

static void rg_put_match(struct rg_run *r, const char *p, size_t n)
{
    if (n)
        rg_style_on(r, RG_STYLE_MATCH);
    rg_put(r, p, n);
    if (n)
        rg_style_off(r);
}

/* The line with its matches coloured or replaced. */
static void rg_put_marked(struct rg_run *r, struct str body)
{
    struct regex_match m;
    struct buf b;
    size_t at = 0, done = 0;
    buf_init(&b, &r->p->kernel->heap);
    while (rg_next(r, body, &at, &m)) {
        rg_put(r, body.p + done, (size_t)m.start - done);
        if (r->o->have_replace) {
            buf_clear(&b);
            rg_replace_one(r, &b, body);
            rg_put_match(r, buf_get(&b).p, b.n);
        } else {
            rg_put_match(r, body.p + m.start, (size_t)(m.end - m.start));
        }
        done = (size_t)m.end;
    }
    rg_put(r, body.p + done, body.n - done);
    buf_fini(&b);
}

/* A line longer than --max-columns. */
static bool rg_put_long(struct rg_run *r, const struct rg_line *l, struct str body)
{
    char text[80];
    uint64_t n = 0;
    size_t at = 0;
    struct regex_match m;

    if (r->o->max_columns <= 0 || body.n <= (uint64_t)r->o->max_columns)
        return false;
    if (r->o->preview) {
        size_t cut = utf8_offset(body, (size_t)r->o->max_columns);
        rg_put_marked(r, str_sub(body, 0, cut));
        while (l->selected && r->color && rg_next(r, body, &at, &m))
            n += (size_t)m.start >= cut;
        if (n == 0)
            fmt_print(text, sizeof text, " [... omitted end of long line]");
        else
            fmt_print(text, sizeof text, " [... %llu more match%s]", (unsigned long long)n,
                      n == 1 ? "" : "es");
        rg_puts(r, text);
    } else if (!l->selected) {
        rg_puts(r, "[Omitted long context line]");
    } else if (r->o->only || r->o->vimgrep) {
        rg_puts(r, "[Omitted long matching line]");
    } else {
        while (r->color && rg_next(r, body, &at, &m))
            n++;
        if (n)
            fmt_print(text, sizeof text, "[Omitted long line with %llu matches]",
                      (unsigned long long)n);
        else
            fmt_print(text, sizeof text, "[Omitted long matching line]");
        rg_puts(r, text);
    }
    rg_put(r, &r->eol, 1);
    return true;
}

static void rg_put_body(struct rg_run *r, const struct rg_line *l, struct str body)
{
    bool marked = l->selected && !r->o->invert && (r->color || r->o->have_replace);
    if (rg_put_long(r, l, body))
        return;
    if (marked)
        rg_put_marked(r, body);
    else
        rg_put(r, body.p, body.n);
    rg_put(r, &r->eol, 1);
}

/* -o and --vimgrep: a line for each match. */
static void rg_print_each(struct rg_run *r, const struct rg_line *l, struct str body)
{
    struct regex_match m;
    size_t at = 0;
    struct buf b;
    buf_init(&b, &r->p->kernel->heap);
    while (rg_next(r, body, &at, &m) && !r->out.err) {
        struct rg_line one = *l;
        size_t start = (size_t)m.start, n = (size_t)(m.end - m.start);
        if (r->o->only && !n)
            continue;
        rg_prefix(r, &one, start + 1, l->offset + (r->o->only ? start : 0));
        if (!r->o->only) {
            rg_put_body(r, l, body);
            continue;
        }
        if (r->o->have_replace) {
            buf_clear(&b);
            rg_replace_one(r, &b, body);
            rg_put_match(r, buf_get(&b).p, b.n);
        } else {
            rg_put_match(r, body.p + start, n);
        }
        rg_put(r, &r->eol, 1);
    }
    buf_fini(&b);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void rg_json_text(struct buf *b, struct str s)
{
    if (utf8_valid(s)) {
        buf_addz(b, "{\"text\":");
        json_quote(b, s);
    } else {
        buf_addz(b, "{\"bytes\":\"");
        base64_encode(b, s, false);
        buf_putc(b, '"');
    }
    buf_putc(b, '}');
}

static void rg_json_flush(struct rg_run *r, struct buf *b)
{
    buf_putc(b, '\n');
    rg_put(r, b->p ? b->p : "", b->n);
    buf_fini(b);
}

static void rg_json_path(struct rg_run *r, struct buf *b, const char *type)
{
    buf_init(b, &r->p->kernel->heap);
    buf_printf(b, "{\"type\":\"%s\",\"data\":{\"path\":", type);
    rg_json_text(b, r->name);
}

static void rg_json_line(struct rg_run *r, const struct rg_line *l)
{
    struct regex_match m;
    struct buf b;
    size_t at = 0;
    bool first = true;

    rg_json_path(r, &b, l->selected ? "match" : "context");
    buf_addz(&b, ",\"lines\":");
    rg_json_text(&b, l->text);
    if (r->line_numbers)
        buf_printf(&b, ",\"line_number\":%llu", (unsigned long long)l->number);
    else
        buf_addz(&b, ",\"line_number\":null");
    buf_printf(&b, ",\"absolute_offset\":%llu,\"submatches\":[", (unsigned long long)l->offset);
    struct str body = rg_body(r, l->text);
    while (l->selected != r->o->invert && rg_next(r, body, &at, &m)) {
        buf_addz(&b, first ? "{\"match\":" : ",{\"match\":");
        first = false;
        rg_json_text(&b, str_sub(body, (size_t)m.start, (size_t)(m.end - m.start)));
        buf_printf(&b, ",\"start\":%zu,\"end\":%zu}", (size_t)m.start, (size_t)m.end);
    }
    buf_addz(&b, "]}}");
    rg_json_flush(r, &b);
}

static void rg_json_elapsed(struct buf *b, int64_t ns, bool sorted)
{
    char human[32];
    fmt_print(human, sizeof human, "%.6fs", (double)ns / 1e9);
    if (sorted)
        buf_printf(b, "{\"human\":\"%s\",\"nanos\":%llu,\"secs\":%llu}", human,
                   (unsigned long long)ns % 1000000000, (unsigned long long)ns / 1000000000);
    else
        buf_printf(b, "{\"secs\":%llu,\"nanos\":%llu,\"human\":\"%s\"}",
                   (unsigned long long)ns / 1000000000, (unsigned long long)ns % 1000000000, human);
}

/* ---- the begin and the end ------------------------------------------------------------------- */

void rg_print_begin(struct rg_run *r)
{
    if (r->began)
        return;
    r->began = true;
    if (r->o->mode == RG_JSON) {
        struct buf b;
        rg_json_path(r, &b, "begin");
        buf_addz(&b, "}}");
        rg_json_flush(r, &b);
        return;
    }
    if (r->heading && r->names) {
        if (r->used)
            rg_puts(r, "\n");
        rg_print_path(r, r->name);
    } else if (r->used && (r->before > 0 || r->after > 0) && !r->o->passthru) {
        rg_print_separator(r);
    }
}

void rg_print_line(struct rg_run *r, const struct rg_line *l)
{
    rg_print_begin(r);
    r->used = true;
    if (r->o->mode == RG_JSON) {
        rg_json_line(r, l);
        return;
    }
    struct str body = rg_body(r, l->text);
    if (r->o->trim)
        while (body.n && ascii_space(body.p[0]))
            body = str_from(body, 1);
    if (l->selected && !r->o->invert && (r->o->only || r->o->vimgrep)) {
        rg_print_each(r, l, body);
        return;
    }
    uint64_t column = 0;
    if (r->o->column && l->selected && !r->o->invert) {
        struct regex_match m;
        size_t at = 0;
        column = rg_next(r, body, &at, &m) ? (uint64_t)m.start + 1 : 1;
    }
    rg_prefix(r, l, column, l->offset);
    rg_put_body(r, l, body);
}

void rg_print_end(struct rg_run *r, int64_t spent)
{
    struct buf b;
    if (r->o->mode != RG_JSON || !r->began)
        return;
    const struct rg_stats *s = &r->file;
    uint64_t printed = s->printed;
    rg_json_path(r, &b, "end");
    if (r->binary == UINT64_MAX)
        buf_addz(&b, ",\"binary_offset\":null");
    else
        buf_printf(&b, ",\"binary_offset\":%llu", (unsigned long long)r->binary);
    buf_addz(&b, ",\"stats\":{\"elapsed\":");
    rg_json_elapsed(&b, spent, false);
    buf_printf(&b,
               ",\"searches\":1,\"searches_with_match\":%d,\"bytes_searched\":%llu,"
               "\"bytes_printed\":%llu,\"matched_lines\":%llu,\"matches\":%llu}}}",
               s->lines > 0, (unsigned long long)s->bytes, (unsigned long long)printed,
               (unsigned long long)s->lines, (unsigned long long)s->matches);
    uint64_t before = r->stats.printed;
    rg_json_flush(r, &b);
    r->stats.printed = before;
}

void rg_print_summary(struct rg_run *r)
{
    const struct rg_stats *s = &r->stats;
    int64_t total = sched_now(&r->p->kernel->sched) - r->started;
    if (r->o->mode == RG_JSON) {
        struct buf b;
        uint64_t printed = s->printed;
        buf_init(&b, &r->p->kernel->heap);
        buf_addz(&b, "{\"data\":{\"elapsed_total\":");
        rg_json_elapsed(&b, total, true);
        buf_printf(&b, ",\"stats\":{\"bytes_printed\":%llu,\"bytes_searched\":%llu,\"elapsed\":",
                   (unsigned long long)printed, (unsigned long long)s->bytes);
        rg_json_elapsed(&b, s->spent, true);
        buf_printf(&b,
                   ",\"matched_lines\":%llu,\"matches\":%llu,\"searches\":%llu,"
                   "\"searches_with_match\":%llu}},\"type\":\"summary\"}",
                   (unsigned long long)s->lines, (unsigned long long)s->matches,
                   (unsigned long long)s->searched, (unsigned long long)s->with_match);
        rg_json_flush(r, &b);
        return;
    }
    out_printf(&r->out,
               "\n%llu matches\n%llu matched lines\n%llu files contained matches\n%llu files "
               "searched\n%llu bytes printed\n%llu bytes searched\n%.6f seconds spent searching\n"
               "%.6f seconds\n",
               (unsigned long long)s->matches, (unsigned long long)s->lines,
               (unsigned long long)s->with_match, (unsigned long long)s->searched,
               (unsigned long long)s->printed, (unsigned long long)s->bytes, (double)s->spent / 1e9,
               (double)total / 1e9);
}

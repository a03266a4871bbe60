/* diff_side.c -- both files side by side: diff -y */
#include "commands/diff/diff.h"

#include "base/utf8.h"

/* Fills up to a column, with tabs where they fit. */
static size_t diffcmd_side_fill(struct diffcmd_run *r, size_t from, size_t to)
{
    size_t tab = (size_t)r->o->tabsize;
    if (!r->o->expand_tabs)
        for (size_t at = from + tab - from % tab; at <= to; at += tab) {
            out_putc(&r->out, '\t');
            from = at;
        }
    for (; from < to; from++)
        out_putc(&r->out, ' ');
    return to;
}

/* As much of a line as fits into `room` columns; where it ended. */
static size_t diffcmd_side_half(struct diffcmd_run *r, struct str line, size_t indent, size_t room)
{
    size_t seen = 0, shown = 0, tab = (size_t)r->o->tabsize;

    if (r->o->strip_cr && str_ends(line, STR("\r\n")))
        line.n -= 2;
    for (size_t i = 0; i < line.n && line.p[i] != '\n';) {
        int n;
        uint32_t c = utf8_decode(line.p + i, line.n - i, &n);
        if (c == '\t') {
            size_t spaces = tab - seen % tab;
            if (seen == shown) {
                size_t stop = shown + spaces;
                if (r->o->expand_tabs) {
                    for (stop = MIN(stop, room); shown < stop; shown++)
                        out_putc(&r->out, ' ');
                } else if (stop < room) {
                    shown = stop;
                    out_putc(&r->out, '\t');
                }
            }
            seen += spaces;
        } else if (c == '\r') {
            out_putc(&r->out, '\r');
            diffcmd_side_fill(r, 0, indent);
            seen = shown = 0;
        } else if (c == '\b') {
            if (seen && --seen < room) {
                if (shown <= seen)
                    for (; shown < seen; shown++)
                        out_putc(&r->out, ' ');
                else
                    shown = seen, out_putc(&r->out, '\b');
            }
        } else {
            int w = c == UTF8_BAD ? 1 : utf8_width(c);
            size_t width = w < 0 ? 0 : (size_t)w;
            if (seen + width <= room) {
                out_write(&r->out, line.p + i, (size_t)n);
                shown = seen + width;
            }
            seen += width;
        }
        i += (size_t)n;
    }
    return shown;
}

static bool diffcmd_side_ends(const struct str *s) { return s && s->n && s->p[s->n - 1] == '\n'; }

static void diffcmd_side_line(struct diffcmd_run *r, const struct str *left, char mark,
                              const struct str *right)
{
    size_t tab = r->o->expand_tabs ? 1 : (size_t)r->o->tabsize, w = (size_t)r->o->width;
    size_t off = (w + tab + 3) / (2 * tab) * tab;
    size_t half = w > off && off > 3 ? MIN(off - 3, w - off) : 0, second = half ? off : w;
    size_t column = left ? diffcmd_side_half(r, *left, 0, half) : 0;
    bool nl = diffcmd_side_ends(left);

    if (mark != ' ') {
        column = diffcmd_side_fill(r, column, (half + second - 1) / 2) + 1;
        if (mark == '|' && nl != diffcmd_side_ends(right))
            mark = nl ? '/' : '\\';
        out_putc(&r->out, mark);
    }
    if (right) {
        nl |= diffcmd_side_ends(right);
        if (!(right->n && right->p[0] == '\n')) {
            column = diffcmd_side_fill(r, column, second);
            diffcmd_side_half(r, *right, column, half);
        }
    }
    if (nl)
        out_putc(&r->out, '\n');
}

/* Lines a .. a_end and b .. b_end, which count as equal. There are more on one side when a change
 * between them was ignored. */
static void diffcmd_side_common(struct diffcmd_run *r, size_t a, size_t a_end, size_t b,
                                size_t b_end)
{
    if (r->o->suppress_common)
        return;
    for (; a < a_end && b < b_end && !r->o->left_column; a++, b++)
        diffcmd_side_line(r, &r->d.a.line[a], ' ', &r->d.b.line[b]);
    for (; b < b_end && !r->o->left_column; b++)
        diffcmd_side_line(r, NULL, ')', &r->d.b.line[b]);
    for (; a < a_end; a++)
        diffcmd_side_line(r, &r->d.a.line[a], '(', NULL);
}

void diffcmd_print_side(struct diffcmd_run *r)
{
    size_t a = 0, b = 0;
    for (size_t i = 0; i < r->d.n; i++) {
        const struct diff_edit *e = &r->d.edit[i];
        if (r->trivial[i])
            continue;
        diffcmd_side_common(r, a, e->a, b, e->b);
        size_t both = MIN(e->an, e->bn);
        for (size_t k = 0; k < both; k++)
            diffcmd_side_line(r, &r->d.a.line[e->a + k], '|', &r->d.b.line[e->b + k]);
        for (size_t k = both; k < e->bn; k++)
            diffcmd_side_line(r, NULL, '>', &r->d.b.line[e->b + k]);
        for (size_t k = both; k < e->an; k++)
            diffcmd_side_line(r, &r->d.a.line[e->a + k], '<', NULL);
        a = e->a + e->an;
        b = e->b + e->bn;
    }
    diffcmd_side_common(r, a, r->d.a.n, b, r->d.b.n);
}

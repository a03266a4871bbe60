/* pr_text.c -- characters of pr: tabs, control characters, blanks, numbers, the header */
#include "commands/pr/pr.h"

#include "base/fmt.h"
#include "base/utf8.h"

static int64_t pr_tab(int64_t width, int64_t at) { return width - at % width; }

/* Shows a byte as \ooo or ^X; how wide it is. */
static int64_t pr_unprintable(struct pr *r, int c, struct buf *out)
{
    if (r->escape || (r->control && c >= 0200)) {
        buf_printf(out, "\\%03o", (unsigned)c);
        return 4;
    }
    if (r->control) {
        buf_putc(out, '^');
        buf_putc(out, (char)(c ^ 0100));
        return 2;
    }
    buf_putc(out, (char)c);
    return c == '\b' ? -1 : 0;
}

int64_t pr_clump(struct pr *r, int c, struct buf *out)
{
    int64_t width = 1;

    buf_clear(out);
    if (c == (unsigned char)r->tab_in || c == '\t') {
        width = pr_tab(c == (unsigned char)r->tab_in ? r->tab_in_width : 8, r->in_pos);
        if (r->expand_now)
            buf_fill(out, ' ', (size_t)width);
        else
            buf_putc(out, (char)c);
    } else if (!ascii_print(c)) {
        width = pr_unprintable(r, c, out);
    } else {
        buf_putc(out, (char)c);
    }
    /* No backspace leads over the edge, and one that would is not printed. */
    if (width < 0 && r->in_pos == 0)
        buf_clear(out);
    else
        r->in_pos = MAX(r->in_pos + width, (int64_t)0);
    return width;
}

void pr_blanks(struct pr *r)
{
    int64_t at = r->out_pos, goal = at + r->spaces_due;

    while (goal - at > 1 && at + pr_tab(r->tab_out_width, at) <= goal) {
        out_putc(&r->out, r->tab_out);
        at += pr_tab(r->tab_out_width, at);
    }
    for (; at < goal && !r->out.err; at++)
        out_putc(&r->out, ' ');
    r->out_pos = goal;
    r->spaces_due = 0;
}

void pr_pad_to(struct pr *r, int64_t position)
{
    if (r->tabify_now) {
        r->spaces_due = position - r->out_pos;
        return;
    }
    for (int64_t at = r->out_pos; at < position && !r->out.err; at++)
        out_putc(&r->out, ' ');
    r->out_pos = position;
}

void pr_put_char(struct pr *r, char c)
{
    if (r->tabify_now) {
        if (c == ' ') {
            r->spaces_due++;
            return;
        }
        if (r->spaces_due > 0)
            pr_blanks(r);
        if (ascii_print((unsigned char)c))
            r->out_pos++;
        else if (c == '\b')
            r->out_pos--;
    }
    out_putc(&r->out, c);
}

void pr_put(struct pr *r, struct pr_column *col, struct str s)
{
    if (col->stored) {
        buf_str(&r->store, s);
        return;
    }
    for (size_t i = 0; i < s.n; i++)
        pr_put_char(r, s.p[i]);
}

void pr_separators(struct pr *r)
{
    if (r->seps_due <= 0) {
        if (r->spaces_due > 0)
            pr_blanks(r);
        return;
    }
    for (size_t i = 0; i < r->sep_now.n; i++) {
        if (r->sep_now.p[i] == ' ') {
            r->spaces_due++;
            continue;
        }
        if (r->spaces_due > 0)
            pr_blanks(r);
        out_putc(&r->out, r->sep_now.p[i]);
        r->out_pos++;
    }
    if (r->spaces_due > 0)
        pr_blanks(r);
    r->seps_due = 0;
}

void pr_line_number(struct pr *r, struct pr_column *col)
{
    char digits[32];
    size_t n = fmt_print(digits, sizeof digits, "%lld", (long long)r->line_number++);
    size_t room = (size_t)r->number_digits;

    /* The last digits count when there are too many. */
    for (size_t i = n; i < room && !r->out.err; i++)
        pr_put(r, col, STR(" "));
    pr_put(r, col, n > room ? str_of(digits + n - room, room) : str_of(digits, n));
    if (r->columns > 1 && r->number_sep == '\t') {
        for (int64_t i = r->number_digits; i < r->number_width; i++)
            pr_put(r, col, STR(" "));
    } else {
        pr_put(r, col, str_of(&r->number_sep, 1));
        if (r->columns <= 1 && r->number_sep == '\t')
            r->out_pos += pr_tab(r->tab_out_width, r->out_pos);
    }
    if (r->truncate_now && !r->merge)
        r->in_pos += r->number_width;
}

static void pr_spaces(struct pr *r, int64_t n)
{
    for (; n > 0 && !r->out.err; n--)
        out_putc(&r->out, ' ');
}

void pr_header(struct pr *r)
{
    char page[32];
    size_t n = fmt_print(page, sizeof page, "Page %llu", (unsigned long long)r->page);
    int64_t room = MAX(r->header_room - (int64_t)n, (int64_t)0);

    r->out_pos = 0;
    pr_pad_to(r, r->margin);
    pr_blanks(r);
    out_puts(&r->out, "\n\n");
    pr_spaces(r, r->margin);
    out_str(&r->out, r->date_text);
    pr_spaces(r, MAX(room / 2, (int64_t)1));
    out_str(&r->out, r->file_text);
    pr_spaces(r, MAX(room - room / 2, (int64_t)1));
    out_write(&r->out, page, n);
    out_puts(&r->out, "\n\n\n");
    r->header_due = false;
    r->out_pos = 0;
}

/* pr_page.c -- pages of pr: columns are filled, form feeds obeyed, lines put together
 *
 * With -COLUMN the lines of a page are stored first, because they run down the columns; with -a and
 * -m each line is read when it is printed. A form feed ends the page of the file it came from.
 */
#include "commands/pr/pr.h"

#include "base/error.h"
#include "base/utf8.h"
#include "commands/lib/getdate.h"

static int pr_getc(struct pr_column *c) { return in_getc(&c->file->in); }

/* Past the newline that follows a form feed. */
static void pr_skip_newline(struct pr_column *c)
{
    struct in *in = &c->file->in;
    if ((in->p < in->end || in_fill(in)) && *in->p == '\n')
        in->p++;
}

/* ---- the state of files --------------------------------------------------------------------- */

static void pr_hold(struct pr *r, struct pr_column *c)
{
    if (r->merge) {
        c->status = PR_ON_HOLD;
    } else {
        for (size_t i = 0; i < r->ncols; i++)
            r->cols[i].status = r->storing ? PR_FF_FOUND : PR_ON_HOLD;
    }
    c->to_print = 0;
    r->ready--;
}

static void pr_close(struct pr *r, struct pr_column *c)
{
    if (c->status == PR_CLOSED)
        return;
    if (r->merge) {
        c->status = PR_CLOSED;
        c->to_print = 0;
    } else {
        for (size_t i = 0; i < r->ncols; i++) {
            r->cols[i].status = PR_CLOSED;
            if (r->cols[i].lines_stored == 0)
                r->cols[i].to_print = 0;
        }
    }
    r->ready--;
}

static void pr_resume(struct pr *r)
{
    for (size_t i = 0; i < r->ncols; i++) {
        if (r->cols[i].status == PR_ON_HOLD) {
            r->cols[i].status = PR_OPEN;
            r->ready++;
        }
    }
    if (r->storing)
        r->ready = r->cols[0].status != PR_CLOSED;
}

static size_t pr_ready_columns(const struct pr *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->ncols; i++) {
        const struct pr_column *c = &r->cols[i];
        n += c->status == PR_OPEN || c->status == PR_FF_FOUND ||
             (r->storing && c->lines_stored > 0 && c->to_print > 0);
    }
    return n;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* Up to where a column begins, and what parts it from the one before. */
static void pr_go_to(struct pr *r)
{
    int64_t sep = (int64_t)r->sep_now.n;
    if (sep < r->padding_due) {
        pr_pad_to(r, r->padding_due - sep);
        r->padding_due = 0;
    }
    if (r->use_sep_now)
        pr_separators(r);
}

static void pr_align(struct pr *r, struct pr_column *c)
{
    r->padding_due = c->start;
    pr_go_to(r);
    if (c->numbered)
        pr_line_number(r, c);
}

/* What comes before the text of a line that is printed at once. */
static void pr_begin_line(struct pr *r, struct pr_column *c)
{
    r->pad_page = true;
    if (r->header_due && !r->storing)
        pr_header(r);
    if (r->merge && r->align_empty) {
        int64_t n = r->seps_due;
        r->seps_due = 0;
        for (int64_t i = 0; i < n && i < (int64_t)r->ncols; i++) {
            pr_align(r, &r->cols[i]);
            r->seps_due++;
        }
        r->padding_due = c->start;
        r->spaces_due = r->truncate_now ? r->column_width : 0;
        r->align_empty = false;
    }
    pr_go_to(r);
}

/* A form feed in front of a line. */
static void pr_lone_feed(struct pr *r, struct pr_column *c)
{
    pr_skip_newline(c);
    r->ff_only = true;
    if (r->header_due && !r->storing) {
        r->pad_page = true;
        pr_header(r);
    } else if (r->ff_kept) {
        r->ff_due = true;
    }
    pr_hold(r, c);
}

static void pr_feed(struct pr *r, struct pr_column *c)
{
    pr_skip_newline(c);
    if (r->ff_kept)
        r->ff_due = true;
    pr_hold(r, c);
}

/* True when a line, or what ends it, was read; false when the rest of it is to be left out. */
static bool pr_line_text(struct pr *r, struct pr_column *c, struct buf *clump)
{
    bool first = true;
    for (int ch = pr_getc(c);; ch = pr_getc(c)) {
        int64_t before = r->in_pos;
        if (first && ch == '\f' && c->full_page) {
            /* The page was full: this form feed would make an empty one. */
            ch = pr_getc(c);
            if (ch == '\n')
                ch = pr_getc(c);
        }
        if (first)
            c->full_page = false;
        if (ch == '\f') {
            (first ? pr_lone_feed : pr_feed)(r, c);
            return true;
        }
        if (ch < 0) {
            pr_close(r, c);
            return true;
        }
        if (ch != '\n')
            pr_clump(r, ch, clump);
        else if (!first)
            return true;
        if (r->truncate_now && r->in_pos > r->column_width) {
            r->in_pos = before;
            return false;
        }
        if (first) {
            if (!c->stored)
                pr_begin_line(r, c);
            if (c->numbered)
                pr_line_number(r, c);
            r->empty_line = false;
            if (ch == '\n')
                return true;
        }
        pr_put(r, c, buf_get(clump));
        first = false;
    }
}

static void pr_rest_of_line(struct pr *r, struct pr_column *c)
{
    for (int ch; (ch = pr_getc(c)) != '\n';) {
        if (ch == '\f') {
            pr_feed(r, c);
            return;
        }
        if (ch < 0) {
            pr_close(r, c);
            return;
        }
    }
}

static void pr_read_line(struct pr *r, struct pr_column *c)
{
    struct buf clump;
    buf_init(&clump, &r->p->kernel->heap);
    if (!pr_line_text(r, c, &clump))
        pr_rest_of_line(r, c);
    buf_fini(&clump);
}

/* ---- stored columns ------------------------------------------------------------------------- */

/* The same number of lines in all columns, as far as that goes. */
static void pr_balance(struct pr *r)
{
    size_t total = r->ends.n, line = 0;
    for (size_t i = 0; i < r->ncols; i++) {
        size_t n = total / r->ncols + (i < total % r->ncols);
        r->cols[i].lines_stored = (int64_t)n;
        r->cols[i].line = line;
        line += n;
    }
}

static int pr_store_page(struct pr *r)
{
    struct heap *h = &r->p->kernel->heap;
    size_t start = 0;

    buf_clear(&r->store);
    r->ends.n = r->ends_at.n = 0;
    for (size_t i = 0; i < r->ncols; i++)
        r->cols[i].lines_stored = 0;
    for (size_t i = 0; i < r->ncols && r->ready > 0; i++) {
        struct pr_column *c = &r->cols[i];
        c->line = r->ends.n;
        for (int64_t left = r->body; left > 0 && r->ready > 0; left--) {
            if (c->status != PR_OPEN)
                continue;
            r->in_pos = 0;
            pr_read_line(r, c);
            if (c->status != PR_OPEN && start == r->store.n)
                continue;
            c->lines_stored++;
            start = r->store.n;
            if (h->oom || !vec_push(h, &r->ends, start) || !vec_push(h, &r->ends_at, r->in_pos))
                return HOB_ENOMEM;
        }
    }
    pr_balance(r);
    return 0;
}

static void pr_print_stored(struct pr *r, struct pr_column *c)
{
    size_t line = c->line++;

    r->pad_page = true;
    if (r->header_due)
        pr_header(r);
    if (c->status == PR_FF_FOUND) {
        for (size_t i = 0; i < r->ncols; i++)
            r->cols[i].status = PR_ON_HOLD;
        if (r->cols[0].to_print <= 0) {
            if (!r->headers)
                r->pad_page = false;
            return; /* a header alone */
        }
    }
    pr_go_to(r);
    if (line >= r->ends.n)
        return;
    size_t from = line ? r->ends.p[line - 1] : 0;
    for (size_t i = from; i < r->ends.p[line]; i++)
        pr_put_char(r, r->store.p[i]);
    if (r->spaces_due == 0) {
        r->out_pos = c->start + r->ends_at.p[line];
        if (c->start - (int64_t)r->sep_now.n == r->margin)
            r->out_pos -= (int64_t)r->sep_now.n;
    }
}

/* ---- pages ---------------------------------------------------------------------------------- */

/* One line of all columns. */
static void pr_row(struct pr *r, bool *padded)
{
    r->out_pos = r->spaces_due = r->seps_due = 0;
    r->pad_page = r->align_empty = false;
    r->empty_line = true;
    for (size_t i = 0; i < r->ncols; i++) {
        struct pr_column *c = &r->cols[i];
        r->in_pos = 0;
        if (c->to_print > 0 || c->status == PR_FF_FOUND) {
            r->ff_only = false;
            r->padding_due = c->start;
            if (c->stored)
                pr_print_stored(r, c);
            else
                pr_read_line(r, c);
            *padded |= r->pad_page;
            if (--c->to_print <= 0 && pr_ready_columns(r) == 0)
                break;
            if (r->merge && c->status != PR_OPEN) {
                if (r->empty_line)
                    r->align_empty = true;
                else if (c->status == PR_CLOSED || (c->status == PR_ON_HOLD && r->ff_only))
                    pr_align(r, c);
            }
        } else if (r->merge) {
            if (r->empty_line)
                r->align_empty = true;
            else
                pr_align(r, c);
        }
        if (r->use_sep_now)
            r->seps_due++;
    }
}

static void pr_finish_page(struct pr *r, bool padded)
{
    for (size_t i = 0; i < r->ncols && r->left_on_page == 0; i++) {
        if (r->cols[i].status == PR_OPEN)
            r->cols[i].full_page = true;
    }
    if (padded && r->headers) {
        if (r->form_feed)
            out_putc(&r->out, '\f');
        for (int64_t n = r->left_on_page + 5; !r->form_feed && n > 0 && !r->out.err; n--)
            out_putc(&r->out, '\n');
    } else if (r->ff_kept && r->ff_due) {
        out_putc(&r->out, '\f');
        r->ff_due = false;
    }
}

/* 1: there may be more, 0: it was the last, or an error. */
static int pr_page(struct pr *r)
{
    bool padded = false;

    if (r->storing) {
        int err = pr_store_page(r);
        if (err < 0)
            return err;
    }
    for (size_t i = 0; i < r->ncols; i++) {
        struct pr_column *c = &r->cols[i];
        c->to_print = r->storing ? c->lines_stored : c->status == PR_OPEN ? r->body : 0;
    }
    if (pr_ready_columns(r) == 0)
        return 0;
    r->header_due = r->headers;
    r->left_on_page = r->doubled ? r->body * 2 : r->body;
    while (r->left_on_page > 0 && pr_ready_columns(r) > 0 && !r->out.err) {
        int err = proc_tick(r->p, 1);
        if (err < 0)
            return err;
        pr_row(r, &padded);
        if (r->pad_page) {
            out_putc(&r->out, '\n');
            r->left_on_page--;
        }
        if (pr_ready_columns(r) == 0 && !r->headers)
            break;
        if (r->doubled && padded) {
            out_putc(&r->out, '\n');
            r->left_on_page--;
        }
    }
    pr_finish_page(r, padded);
    if (r->last_page < ++r->page || r->out.err)
        return 0;
    pr_resume(r);
    return 1;
}

/* ---- the first page ------------------------------------------------------------------------- */

static void pr_skip_line(struct pr *r, struct pr_column *c, bool first_column)
{
    int ch = pr_getc(c);

    if (ch == '\f' && c->full_page) {
        ch = pr_getc(c);
        if (ch == '\n')
            ch = pr_getc(c);
    }
    c->full_page = r->last_skipped;
    bool lone = ch == '\f';
    for (; ch != '\n'; ch = pr_getc(c)) {
        if (ch == '\f') {
            for (size_t i = 0; r->last_skipped && i < r->ncols; i++) {
                if (!r->merge || &r->cols[i] == c)
                    r->cols[i].full_page = false;
            }
            pr_skip_newline(c);
            pr_hold(r, c);
            break;
        }
        if (ch < 0) {
            pr_close(r, c);
            break;
        }
    }
    if (!r->start_given && (!r->merge || first_column) && !lone)
        r->count++;
}

static bool pr_skip_pages(struct pr *r)
{
    for (uint64_t n = 1; n < r->first_page; n++) {
        for (int64_t line = 1; line <= r->body; line++) {
            r->last_skipped = line == r->body;
            for (size_t i = 0; i < r->ncols; i++) {
                if (r->cols[i].status == PR_OPEN)
                    pr_skip_line(r, &r->cols[i], i == 0);
            }
            if (proc_tick(r->p, 1) < 0)
                return false;
            if (r->ready < 1 && !r->last_skipped)
                line = r->body - 1; /* nothing is left to skip on this page */
        }
        for (size_t i = 0; r->storing && i < r->ncols; i++) {
            if (r->cols[i].status != PR_CLOSED)
                r->cols[i].status = PR_ON_HOLD;
        }
        pr_resume(r);
        r->last_skipped = false;
        if (r->ready < 1) {
            proc_warn(r->p, "starting page number %llu exceeds page count %llu",
                      (unsigned long long)r->first_page, (unsigned long long)n);
            break;
        }
    }
    return r->ready > 0;
}

/* ---- files ---------------------------------------------------------------------------------- */

static void pr_make_header(struct pr *r, struct str name, const struct stat_info *st)
{
    struct date_zone zone = getdate_zone(r->p);
    struct date d;
    struct buf b;
    int64_t t = st ? st->mtime : r->now, sec = t / 1000000000;

    if (t % 1000000000 < 0)
        sec--;
    buf_init(&b, &r->p->kernel->heap);
    if (date_from_epoch(sec, (int)(t - sec * 1000000000), &zone, &d) == 0)
        date_format(&b, r->date, &d, sec, true);
    r->date_text = arena_str(r->p->arena, buf_get(&b));
    buf_fini(&b);
    r->file_text = r->header.p ? r->header : st ? name : STR("");
    r->header_room =
        r->page_width - (int64_t)utf8_columns(r->date_text) - (int64_t)utf8_columns(r->file_text);
}

static bool pr_open(struct pr *r, struct str name, struct pr_file **out)
{
    if (str_eqz(name, "-")) {
        if (!r->standard_open)
            in_init(&r->standard.in, r->p, 0);
        r->standard_open = true;
        r->standard.name = STR("standard input");
        *out = &r->standard;
        return true;
    }
    struct pr_file *f = &r->files[r->nfiles];
    int err = in_open_quiet(&f->in, r->p, name);
    if (err < 0) {
        r->failed = true;
        if (!r->quiet)
            proc_warn_file(r->p, name, err);
        return false;
    }
    r->nfiles++;
    f->name = name;
    *out = f;
    return true;
}

/* Opens what is to be printed and makes the columns. False: there is nothing. */
static bool pr_open_all(struct pr *r, const struct str *names, size_t n)
{
    static const struct str only = STR_INIT("-");
    struct stat_info st;
    struct pr_file *file = NULL;

    if (r->merge) {
        for (size_t i = 0; i < n; i++) {
            if (pr_open(r, names[i], &r->cols[r->ncols].file))
                r->ncols++;
        }
        r->columns = (int64_t)r->ncols;
        r->ready = (int64_t)r->ncols;
        pr_make_header(r, STR(""), NULL);
        return r->ncols > 0;
    }
    if (!pr_open(r, n ? names[0] : only, &file))
        return false;
    bool known = file != &r->standard && file_stat(file->in.file, &st) == 0;
    pr_make_header(r, file->name, known ? &st : NULL);
    r->ncols = (size_t)r->columns;
    for (size_t i = 0; i < r->ncols; i++)
        r->cols[i].file = file;
    r->ready = 1;
    return true;
}

/* Options that work together, settled for this number of files. 0 or a status. */
static int pr_settle(struct pr *r, size_t n)
{
    int64_t used = 0;

    r->headers = !r->no_header;
    r->ff_kept = r->keep_ff;
    r->body = r->page_length - 10;
    if (r->body <= 0) {
        r->headers = false;
        r->ff_kept = true;
    }
    if (!r->headers)
        r->body = r->page_length;
    if (r->doubled) /* a page without any line would never end */
        r->body = MAX(r->body / 2, (int64_t)1);
    if (n == 0)
        r->merge = false;
    if (r->merge)
        r->columns = (int64_t)n;
    r->storing = r->columns > 1 && !r->merge && !r->across;
    if (r->columns > 1) {
        if (!r->use_sep_now) {
            r->sep_now = r->join_now ? STR("\t") : STR(" ");
            r->use_sep_now = true;
        } else if (!r->join_now && str_eqz(r->sep_now, "\t")) {
            r->sep_now = STR(" ");
        }
        r->truncate_now = true;
        r->expand_now |= !str_eqz(r->sep_now, "\t");
        r->tabify_now = true;
    }
    if (r->join_now)
        r->truncate_now = false;
    if (r->numbered) {
        r->count = r->start_number;
        r->number_width = r->number_digits + (r->number_sep == '\t' ? 8 - r->number_digits % 8 : 1);
        used = r->merge ? r->number_width : 0;
    }
    int64_t room = r->page_width - used - (r->columns - 1) * (int64_t)r->sep_now.n;
    r->column_width = room / r->columns;
    if (room < r->columns) {
        proc_warn(r->p, "page width too narrow");
        return 1;
    }
    return 0;
}

static void pr_lay_out(struct pr *r)
{
    int64_t sep = (int64_t)r->sep_now.n, at = r->margin + sep;
    int64_t next = r->margin + r->column_width + (r->merge && r->numbered ? r->number_width : 0);

    for (size_t i = 0; i < r->ncols; i++) {
        struct pr_column *c = &r->cols[i];
        c->stored = r->storing;
        c->numbered = r->numbered && (!r->merge || i == 0);
        c->start = at;
        at = r->truncate_now ? next + sep : 0;
        next = at + r->column_width;
    }
}

/* Prints everything; the columns exist. */
static int pr_document(struct pr *r, const struct str *names, size_t n)
{
    if (!pr_open_all(r, names, n))
        return 0;
    r->page = 1;
    if (r->first_page > 1) {
        if (!pr_skip_pages(r))
            return 0;
        r->page = r->first_page;
    }
    pr_lay_out(r);
    r->line_number = r->count;
    int more = 1;
    while (more > 0)
        more = pr_page(r);
    return more;
}

int pr_files(struct pr *r, const struct str *names, size_t n)
{
    struct heap *h = &r->p->kernel->heap;
    int status = pr_settle(r, n);

    if (status)
        return status;
    size_t cols = (size_t)r->columns, files = MAX(n, (size_t)1);
    r->cols = heap_zalloc(h, cols * sizeof *r->cols);
    r->files = heap_zalloc(h, files * sizeof *r->files);
    r->ncols = r->nfiles = 0;
    int err = r->cols && r->files ? pr_document(r, names, n) : HOB_ENOMEM;
    for (size_t i = 0; i < r->nfiles; i++) {
        struct pr_file *f = &r->files[i];
        if (f->in.err < 0 && err == 0) {
            err = f->in.err == HOB_EKILLED ? f->in.err : 1;
            if (err == 1)
                proc_warn_file(r->p, f->name, f->in.err);
        }
        in_fini(&f->in);
    }
    heap_free(h, r->cols, cols * sizeof *r->cols);
    heap_free(h, r->files, files * sizeof *r->files);
    r->cols = NULL;
    r->files = NULL;
    return err;
}

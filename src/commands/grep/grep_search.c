/* grep_search.c -- looking through the lines of one file
 *
 * Lines are searched where they lie, in the windows of the input; only a line that a window cuts is
 * copied. Newlines are counted when a number is asked for.
 *
 * A NUL makes a file binary. GNU looks for one in blocks of 96 KiB before it searches, and what
 * was found in earlier blocks is already printed: so the block that a line ends in counts. When the
 * pattern is one plain string, a block without that string needs no look at all.
 */
#include "commands/grep/grep.h"

#include "commands/lib/queue.h"

enum {
    GREP_BLOCK = 96 * 1024
};

uint64_t grep_line_number(struct grep_run *r, const char *at)
{
    struct grep_file *f = &r->f;
    if (at >= f->counted)
        f->lines += count_byte(f->counted, (size_t)(at - f->counted), r->eol);
    else
        f->lines -= count_byte(at, (size_t)(f->counted - at), r->eol);
    f->counted = at;
    return f->lines + 1;
}

static uint64_t grep_offset(const struct grep_file *f, const char *at)
{
    return f->off + (uint64_t)(at - f->p);
}

/* ---- binary files ---------------------------------------------------------------------------- */

/* Whether NULs are looked for. */
static bool grep_wants_text(const struct grep_run *r)
{
    return !r->f.binary && r->eol == '\n' && r->o->binary != GREP_BINARY_TEXT;
}

/* Whether a NUL stands in the block around offset `at`. */
static bool grep_block_has_nul(struct grep_run *r, uint64_t at)
{
    struct grep_file *f = &r->f;
    struct in *in = &f->in;
    uint64_t off = at - at % GREP_BLOCK, stop = off + GREP_BLOCK;

    if (!f->seekable || !in->file->ops->take) {
        f->clean = f->window_end;
        return (f->carry.n && memchr(f->carry.p, '\0', f->carry.n)) ||
               (f->in.held.n && memchr(f->in.held.p, '\0', f->in.held.n));
    }
    f->clean = stop;
    while (off < stop) {
        struct slice s;
        ptrdiff_t n = in->file->ops->take(in->file, r->p, f->begin + off, &s);
        if (n <= 0)
            break;
        size_t part = (size_t)MIN((uint64_t)n, stop - off);
        bool found = memchr(s.p, '\0', part) != NULL;
        slice_drop(&s);
        if (found)
            return true;
        off += part;
    }
    return false;
}

/* From here on NULs end lines, too. */
static void grep_now_binary(struct grep_run *r)
{
    struct grep_file *f = &r->f;
    f->binary = true;
    f->pending = 0;
    if (r->o->binary == GREP_BINARY_SKIP) {
        f->selected = 0;
        f->stop = true;
    }
    f->before_nul = f->selected;
}

/* Puts a copy in place of the lines, with line ends for NULs. */
static bool grep_zap(struct grep_run *r)
{
    struct grep_file *f = &r->f;
    size_t n = (size_t)(f->end - f->p);

    buf_clear(&f->zapped);
    buf_add(&f->zapped, f->p, n);
    if (f->zapped.n != n) {
        r->err = HOB_ENOMEM;
        return false;
    }
    char *lim = f->zapped.p + n;
    for (char *z = f->zapped.p; (z = memchr(z, '\0', (size_t)(lim - z)));)
        while (z < lim && !*z)
            *z++ = r->eol;
    f->p = f->counted = f->zapped.p;
    f->end = f->p + n;
    return true;
}

/* ---- context --------------------------------------------------------------------------------- */

static bool grep_prints(const struct grep_run *r) { return !r->silent_output && !r->f.binary; }

/* A line that cannot be shown does not count as printed: GNU tries it again as context. */
static void grep_print(struct grep_run *r, const char *beg, const char *lim, char sep)
{
    struct grep_file *f = &r->f;
    uint64_t number = r->o->line_numbers ? grep_line_number(r, beg) : 0;
    if (!grep_print_line(r, beg, lim, sep, grep_offset(f, beg), number))
        return;
    f->printed = true;
    f->printed_to = grep_offset(f, lim);
}

/* The first byte of the lines at hand that is not printed. */
static const char *grep_unprinted(const struct grep_file *f)
{
    return f->printed && f->printed_to > f->off ? f->p + (f->printed_to - f->off) : f->p;
}

static const char *grep_line_end(const struct grep_run *r, const char *at)
{
    const char *nl = memchr(at, r->eol, (size_t)(r->f.end - at));
    return nl ? nl + 1 : r->f.end;
}

/* Lines of context behind a selected one, up to lim. */
static void grep_print_pending(struct grep_run *r, const char *lim)
{
    struct grep_file *f = &r->f;
    const char *at;

    for (; f->pending && (at = grep_unprinted(f)) < lim; f->pending--)
        grep_print(r, at, grep_line_end(r, at), '-');
}

/* Drops lines that were kept until no more than `most` are left. */
static void grep_trim_past(struct grep_run *r, uint64_t most)
{
    struct grep_file *f = &r->f;
    for (; f->past_lines > most; f->past_lines--) {
        const char *nl = memchr(f->past.p + f->past_at, r->eol, f->past.n - f->past_at);
        f->past_at = nl ? (size_t)(nl + 1 - f->past.p) : f->past.n;
    }
}

/* The lines before p that were kept. */
static void grep_print_past(struct grep_run *r)
{
    struct grep_file *f = &r->f;
    uint64_t off = f->off - (f->past.n - f->past_at), number = f->lines - f->past_lines;

    for (; f->past_lines; f->past_lines--) {
        const char *at = f->past.p + f->past_at;
        const char *nl = memchr(at, r->eol, f->past.n - f->past_at);
        size_t n = nl ? (size_t)(nl + 1 - at) : f->past.n - f->past_at;
        off += n;
        if (grep_print_line(r, at, at + n, '-', off - n, ++number)) {
            f->printed = true;
            f->printed_to = off;
        }
        f->past_at += n;
    }
}

/* What stands before a selected line: the mark between groups, and lines of context. */
static void grep_print_before(struct grep_run *r, const char *beg)
{
    struct grep_file *f = &r->f;
    const char *low = grep_unprinted(f), *at = beg;
    uint64_t want = r->before > 0 ? (uint64_t)r->before : 0;

    for (; want && at > low; want--) {
        for (at--; at > low && at[-1] != r->eol; at--)
            ;
    }
    uint64_t start = grep_offset(f, at);
    bool past = at == f->p && want && f->past_lines;
    if (past) {
        grep_trim_past(r, want);
        start = f->off - (f->past.n - f->past_at);
    }
    if ((r->before >= 0 || r->after >= 0) && r->used && !(f->printed && f->printed_to == start))
        grep_print_group(r);
    if (past)
        grep_print_past(r);
    while (at < beg) {
        const char *next = grep_line_end(r, at);
        grep_print(r, at, next, '-');
        at = next;
    }
}

/* Keeps the last lines as context of the next ones. */
static void grep_keep_past(struct grep_run *r)
{
    struct grep_file *f = &r->f;
    const char *low = grep_unprinted(f), *at = f->end;
    uint64_t lines = 0, most = (uint64_t)r->before;

    for (; lines < most && at > low; lines++) {
        for (at--; at > low && at[-1] != r->eol; at--)
            ;
    }
    if (low > f->p || lines == most) {
        buf_clear(&f->past);
        f->past_at = 0;
        f->past_lines = 0;
    }
    grep_trim_past(r, most - lines);
    if (f->past_at > f->past.n / 2) {
        buf_del(&f->past, 0, f->past_at);
        f->past_at = 0;
    }
    size_t had = f->past.n, n = (size_t)(f->end - at);
    buf_add(&f->past, at, n);
    f->past_lines += lines;
    if (f->past.n != had + n)
        r->err = HOB_ENOMEM;
}

/* ---- selecting ------------------------------------------------------------------------------- */

static void grep_selected(struct grep_run *r, uint64_t n, const char *lim)
{
    struct grep_file *f = &r->f;
    f->selected += n;
    f->left -= (int64_t)n;
    f->after_last = grep_offset(f, lim);
    if (r->first_only || (f->binary && !r->o->count))
        f->stop = true;
}

/* All lines of [beg, lim), which has some; one that matches, or a run of those that do not. */
static void grep_select(struct grep_run *r, const char *beg, const char *lim)
{
    struct grep_file *f = &r->f;
    bool print = grep_prints(r);
    uint64_t n = 0, most = r->first_only ? 1 : (uint64_t)f->left;

    if (print && f->pending)
        grep_print_pending(r, beg);
    if (print)
        grep_print_before(r, beg);
    r->used = true;
    if (!print)
        f->pending = 0;
    if (!print && !r->first_only) {
        uint64_t all = count_byte(beg, (size_t)(lim - beg), r->eol);
        if (all <= (uint64_t)f->left) {
            grep_selected(r, all, lim);
            return;
        }
    }
    while (beg < lim && n < most && r->err == 0) {
        const char *next = grep_line_end(r, beg);
        if (print)
            grep_print(r, beg, next, ':');
        beg = next;
        n++;
    }
    f->pending = print && r->after > 0 ? (uint64_t)r->after : 0;
    grep_selected(r, n, beg);
}

/* Whether lines with one plain string are only counted. NULs then matter where the string is,
 * and nowhere else. */
static bool grep_counts_literal(const struct grep_run *r)
{
    return r->literal && !r->o->invert && r->silent_output && r->o->binary != GREP_BINARY_SKIP;
}

/* The next line that matches at or behind `from`; only its end is sure when lines are counted. */
static int grep_find(struct grep_run *r, struct str text, size_t from, size_t *start, size_t *end)
{
    if (!r->re)
        return grep_perl_find(r, text, from, start, end);
    if (!grep_counts_literal(r))
        return regex_find_line(r->re, text, from, start, end);
    struct regex_match m;
    int e = regex_exec(r->re, text, from, 0, &m, 1);
    if (e <= 0)
        return e;
    *start = (size_t)m.start;
    const char *nl = memchr(text.p + m.end, r->eol, text.n - (size_t)m.end);
    *end = nl ? (size_t)(nl - text.p) : text.n;
    if (grep_wants_text(r)) {
        nl = memchr(text.p + m.end, '\0', *end - (size_t)m.end);
        *end = nl ? (size_t)(nl - text.p) : *end;
    }
    return 1;
}

/* Searches the lines [p, end) of the file. `first` says what is known of their first match: 1 with
 * its bounds, 0 there is none, -1 nothing. */
static void grep_lines(struct grep_run *r, int first, size_t s, size_t e)
{
    struct grep_file *f = &r->f;
    struct str text = str_of(f->p, (size_t)(f->end - f->p));
    size_t at = 0;

    if (r->o->invert && r->o->max < 0)
        return; /* GNU counts -v -m -1 down from there */
    while (at < text.n && f->left > 0 && !f->stop && r->err == 0) {
        int found = first >= 0 ? first : grep_find(r, text, at, &s, &e);
        first = -1;
        if (found < 0) {
            r->err = found;
            break;
        }
        if (r->o->invert) {
            size_t lim = found ? s : text.n;
            if (at < lim)
                grep_select(r, f->p + at, f->p + lim);
        } else if (found && r->silent_output) {
            grep_selected(r, 1, f->p + MIN(e + 1, text.n));
        } else if (found) {
            grep_select(r, f->p + s, f->p + MIN(e + 1, text.n));
        }
        if (!found)
            break;
        at = MIN(e + 1, text.n);
    }
    if (r->err)
        return;
    if (f->pending)
        grep_print_pending(r, f->end);
    if (f->left <= 0 && !f->pending)
        f->stop = true;
    if (f->stop)
        return;
    if (r->o->line_numbers && grep_prints(r))
        grep_line_number(r, f->end);
    if (r->before > 0 && grep_prints(r))
        grep_keep_past(r);
}

/* The lines at hand all end in one block. */
static void grep_block(struct grep_run *r)
{
    struct grep_file *f = &r->f;
    struct str text = str_of(f->p, (size_t)(f->end - f->p));
    size_t s = 0, e = 0;
    int first = -1;

    if (grep_wants_text(r) && f->off + text.n > f->clean && !grep_counts_literal(r)) {
        if (r->literal && !r->o->invert) {
            first = grep_find(r, text, 0, &s, &e);
            if (first < 0) {
                r->err = first;
                return;
            }
        }
        if (first != 0 && grep_block_has_nul(r, f->off + text.n - 1))
            grep_now_binary(r);
    }
    if (f->binary && !f->stop) {
        first = -1;
        if (!grep_zap(r))
            return;
    }
    if (!f->stop)
        grep_lines(r, first, s, e);
}

/* Lines [p, end) of which the first byte has the offset off: cut where a block ends. */
static void grep_region(struct grep_run *r, const char *p, const char *end, uint64_t off)
{
    struct grep_file *f = &r->f;

    while (p < end && !f->stop && r->err == 0) {
        const char *nl = memchr(p, r->eol, (size_t)(end - p)), *stop = end;
        uint64_t last = off + (uint64_t)(nl ? nl - p : end - p - 1);
        uint64_t limit = last - last % GREP_BLOCK + GREP_BLOCK;
        if (nl && off + (uint64_t)(end - p) > limit) {
            for (stop = p + (limit - off); stop > nl + 1 && stop[-1] != r->eol; stop--)
                ;
        }
        f->p = f->counted = p;
        f->end = stop;
        f->off = off;
        grep_block(r);
        off += (uint64_t)(stop - p);
        p = stop;
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Adds to the line that waits for its end. */
static bool grep_carry(struct grep_run *r, const char *p, size_t n)
{
    size_t had = r->f.carry.n;
    buf_add(&r->f.carry, p, n);
    if (r->f.carry.n != had + n)
        r->err = HOB_ENOMEM;
    return r->err == 0;
}

/* Behind the first line end, NULL if there is none. */
static const char *grep_first_end(const struct grep_run *r, const char *p, const char *end)
{
    const char *nl = memchr(p, r->eol, (size_t)(end - p));
    const char *nul = r->f.binary ? memchr(p, '\0', (size_t)((nl ? nl : end) - p)) : NULL;
    return nul ? nul + 1 : nl ? nl + 1 : NULL;
}

/* One window, whose first byte has the offset *off. */
static void grep_window(struct grep_run *r, uint64_t *off)
{
    struct grep_file *f = &r->f;
    const char *p = f->in.p, *end = f->in.end, *last = end;

    f->in.p = end;
    f->window_end = *off + (uint64_t)(end - p);
    /* A binary file may have no lines for a long time. */
    if (grep_wants_text(r) && !memchr(p, r->eol, (size_t)(end - p)) &&
        memchr(p, '\0', (size_t)(end - p)))
        grep_now_binary(r);
    if (f->carry.n) {
        const char *stop = grep_first_end(r, p, end);
        uint64_t begin = *off - f->carry.n;
        if (!grep_carry(r, p, (size_t)((stop ? stop : end) - p)))
            return;
        *off += (uint64_t)((stop ? stop : end) - p);
        p = stop ? stop : end;
        if (stop) {
            grep_region(r, f->carry.p, f->carry.p + f->carry.n, begin);
            buf_clear(&f->carry);
        }
    }
    while (last > p && last[-1] != r->eol && !(f->binary && last[-1] == '\0'))
        last--;
    grep_region(r, p, last, *off);
    *off += (uint64_t)(end - p);
    if (last < end && !f->stop && r->err == 0)
        grep_carry(r, last, (size_t)(end - last));
}

/* Where the next reader of standard input goes on: behind the last selected line when no more were
 * wanted, else at the end. */
static void grep_leave_standard(struct grep_run *r)
{
    struct grep_file *f = &r->f;
    struct stat_info st;

    if (r->o->list != GREP_LIST_NONE) {
        /* As if whole blocks had been read. */
        uint64_t read = (f->after_last + GREP_BLOCK - 1) / GREP_BLOCK * GREP_BLOCK;
        if (f->after_last && f->seekable && file_stat(f->in.file, &st) == 0)
            f->in.file->off = MIN(f->begin + read, MAX(st.size, f->in.file->off));
    } else if (f->left <= 0) {
        if (f->seekable)
            f->in.file->off = f->begin + f->after_last;
    } else if (f->stop && !r->o->quiet) {
        if (f->seekable && file_stat(f->in.file, &st) == 0)
            f->in.file->off = MAX(st.size, f->in.file->off);
        while (!f->seekable && in_fill(&f->in))
            f->in.p = f->in.end;
    }
}

void grep_search(struct grep_run *r)
{
    struct grep_file *f = &r->f;
    struct heap *h = &r->p->kernel->heap;
    uint64_t off = 0;

    buf_init(&f->past, h);
    buf_init(&f->carry, h);
    buf_init(&f->zapped, h);
    f->left = r->o->max < 0 ? INT64_MAX : r->o->max;
    while (!f->stop && r->err == 0 && in_fill(&f->in)) {
        grep_window(r, &off);
        if (r->out.err)
            r->err = r->out.err;
    }
    if (f->carry.n && !f->stop && r->err == 0 && !f->in.err) {
        uint64_t begin = off - f->carry.n;
        bool ended = f->carry.p[f->carry.n - 1] == '\0' && (f->binary || grep_wants_text(r));
        if (ended || grep_carry(r, &r->eol, 1)) {
            grep_region(r, f->carry.p, f->carry.p + f->carry.n, begin);
            f->after_last = MIN(f->after_last, off); /* the line end was ours */
        }
    }
    if (f->standard && r->err == 0 && !f->in.err)
        grep_leave_standard(r);
    buf_fini(&f->past);
    buf_fini(&f->carry);
    buf_fini(&f->zapped);
}

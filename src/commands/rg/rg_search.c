/* rg_search.c -- looking through one file
 *
 * The file is read in pieces of 64 KiB. The window holds whole lines: those that may be context of
 * what comes, then those that are not searched yet. With -U it holds the whole file.
 *
 * A NUL makes a file binary. One that was found in a folder is not searched further; one that was
 * named is, with a message in place of its lines.
 */
#include "commands/rg/rg.h"

#include "commands/lib/queue.h"

enum {
    RG_PIECE = 64 << 10,
    RG_CONTEXT_MAX = 1 << 20 /* bytes of lines kept as context */
};

static uint64_t rg_offset(const struct rg_run *r, size_t at) { return r->base + at; }

static uint64_t rg_number(struct rg_run *r, size_t at)
{
    uint64_t off = rg_offset(r, at);
    if (!r->line_numbers)
        return 0;
    if (off >= r->counted)
        r->lines +=
            count_byte(r->window.p + (r->counted - r->base), (size_t)(off - r->counted), r->eol);
    else
        r->lines -= count_byte(r->window.p + at, (size_t)(r->counted - off), r->eol);
    r->counted = off;
    return r->lines + 1;
}

static size_t rg_line_end(const struct rg_run *r, size_t at, size_t lim)
{
    const char *nl = memchr(r->window.p + at, r->eol, lim - at);
    return nl ? (size_t)(nl - r->window.p) + 1 : lim;
}

static bool rg_prints(const struct rg_run *r)
{
    return !r->o->quiet && (r->o->mode == RG_LINES || r->o->mode == RG_JSON);
}

static void rg_show(struct rg_run *r, size_t from, size_t to, bool selected)
{
    struct rg_line l = {str_of(r->window.p + from, to - from), rg_offset(r, from),
                        rg_number(r, from), selected};
    rg_print_line(r, &l);
    r->printed_to = rg_offset(r, to);
}

/* Where printing goes on inside the window. */
static size_t rg_unprinted(const struct rg_run *r)
{
    return r->printed_to == UINT64_MAX || r->printed_to < r->base
               ? 0
               : (size_t)(r->printed_to - r->base);
}

/* Context behind the last selected line, up to lim. */
static void rg_show_after(struct rg_run *r, size_t lim)
{
    size_t at = rg_unprinted(r);
    while (r->pending && at < lim) {
        size_t end = rg_line_end(r, at, lim);
        rg_show(r, at, end, false);
        at = end;
        if (r->pending != UINT64_MAX)
            r->pending--;
    }
}

static void rg_show_before(struct rg_run *r, size_t at)
{
    size_t low = rg_unprinted(r), from = at;
    for (int64_t want = r->before; want > 0 && from > low; want--)
        for (from--; from > low && r->window.p[from - 1] != r->eol; from--)
            ;
    bool gap = r->printed_to != UINT64_MAX && r->printed_to != rg_offset(r, from);
    if (gap && (r->before > 0 || r->after > 0))
        rg_print_separator(r);
    while (from < at) {
        size_t end = rg_line_end(r, from, at);
        rg_show(r, from, end, false);
        from = end;
    }
}

static void rg_count_matches(struct rg_run *r, size_t from, size_t to)
{
    struct str text = str_of(r->window.p + from, to - from);
    bool need = r->o->mode == RG_COUNT_MATCHES || r->o->mode == RG_JSON || r->o->stats;
    if (text.n && text.p[text.n - 1] == r->eol)
        text.n--;
    for (size_t at = 0; need && !r->o->invert && at <= text.n;) {
        int e = rg_match_at(r, text, at, 1);
        if (e <= 0) {
            r->err = MIN(e, 0);
            break;
        }
        r->file.matches++;
        at = (size_t)r->match.m[0].end + (r->match.m[0].end == r->match.m[0].start);
    }
}

/* [from, to) is one selected line, or with -U all lines of a match. */
static void rg_select(struct rg_run *r, size_t from, size_t to)
{
    bool binary = r->binary != UINT64_MAX;
    r->file.lines +=
        r->o->multiline ? MAX(count_byte(r->window.p + from, to - from, r->eol), 1u) : 1;
    rg_count_matches(r, from, to);
    r->matched = true;
    if (r->o->quiet && !r->o->stats)
        r->done = r->stop = true;
    if (r->o->mode == RG_FILES_WITH || r->o->mode == RG_FILES_WITHOUT)
        r->stop = !r->o->stats;
    if (!rg_prints(r))
        return;
    if (binary && r->o->mode == RG_LINES) {
        rg_print_begin(r);
        rg_print_binary(r, false);
        r->used = r->stop = true;
        return;
    }
    rg_show_after(r, from);
    rg_show_before(r, from);
    if (r->o->multiline && !r->o->only && r->o->mode == RG_LINES) {
        while (from < to && !r->out.err) {
            size_t end = rg_line_end(r, from, to);
            rg_show(r, from, end, true);
            from = end;
        }
    } else {
        rg_show(r, from, to, true);
    }
    r->pending = r->o->passthru ? UINT64_MAX : (uint64_t)MAX(r->after, 0);
}

static bool rg_enough(struct rg_run *r)
{
    if (r->o->max_count >= 0 && r->file.lines >= (uint64_t)r->o->max_count)
        return true;
    return r->stop || r->err || r->out.err;
}

/* Lines [from, to) do not match. */
static void rg_others(struct rg_run *r, size_t from, size_t to)
{
    while (r->o->invert && from < to && !rg_enough(r)) {
        size_t end = rg_line_end(r, from, to);
        rg_select(r, from, end);
        from = end;
    }
}

/* Searches the lines [fresh, lim) of the window. */
static void rg_lines(struct rg_run *r, size_t lim)
{
    struct str text = str_of(r->window.p, lim);
    size_t at = r->fresh, s, e;

    while (at < lim && !rg_enough(r)) {
        int found = rg_match_line(r, text, at, &s, &e);
        if (found < 0)
            r->err = found;
        if (found <= 0)
            break;
        size_t end = MIN(e + 1, lim);
        if (r->o->invert)
            rg_others(r, at, MAX(s, at));
        else
            rg_select(r, MAX(s, at), end);
        at = end;
    }
    if (!r->err && !rg_enough(r))
        rg_others(r, at, lim);
    if (!r->err && rg_prints(r) && !r->stop)
        rg_show_after(r, lim);
    if (r->o->passthru && rg_prints(r) && !r->err && !r->stop) {
        r->pending = UINT64_MAX;
        if (r->printed_to == UINT64_MAX)
            r->printed_to = 0;
        rg_show_after(r, lim);
    }
    if (rg_enough(r) && !(r->pending && r->pending != UINT64_MAX))
        r->stop = true;
    r->fresh = lim;
}

/* Drops what is not needed any more from the window; context and a cut line stay. */
static void rg_slide(struct rg_run *r)
{
    size_t keep = r->fresh, low = rg_unprinted(r);
    for (int64_t want = r->before; want > 0 && keep > low && r->fresh - keep < RG_CONTEXT_MAX;
         want--)
        for (keep--; keep > low && r->window.p[keep - 1] != r->eol; keep--)
            ;
    if (keep < RG_PIECE)
        return;
    rg_number(r, keep);
    r->base += keep;
    r->fresh -= keep;
    buf_del(&r->window, 0, keep);
}

/* The next piece. False at the end. */
static bool rg_read(struct rg_run *r, struct in *in)
{
    size_t had = r->window.n;
    while (r->window.n - had < RG_PIECE && in_fill(in)) {
        size_t n = MIN((size_t)(in->end - in->p), RG_PIECE - (r->window.n - had)),
               was = r->window.n;
        buf_add(&r->window, in->p, n);
        if (r->window.n != was + n) {
            r->err = HOB_ENOMEM;
            return false;
        }
        in->p += n;
        if (memchr(r->window.p + was, r->eol, n))
            break; /* whole lines are there: a pipe may have no more for a while */
    }
    size_t n = r->window.n - had;
    r->file.bytes += n;
    const char *nul = NULL;
    if (n && r->o->binary != RG_BINARY_TEXT && r->eol == '\n')
        nul = memchr(r->window.p + had, '\0', n);
    if (!nul)
        return n > 0;
    if (r->binary == UINT64_MAX)
        r->binary = rg_offset(r, (size_t)(nul - r->window.p));
    if (!r->named && r->o->binary == RG_BINARY_AUTO) {
        r->file.bytes -= n;
        r->stop = true;
        return false;
    }
    for (char *z = r->window.p + had; (z = memchr(z, '\0', n - (size_t)(z - r->window.p - had)));)
        *z = '\n';
    return true;
}

static void rg_body_of(struct rg_run *r, struct in *in)
{
    while (!r->stop && !r->err && !r->out.err && rg_read(r, in)) {
        size_t lim = r->window.n;
        if (r->o->multiline)
            continue;
        while (lim > r->fresh && r->window.p[lim - 1] != r->eol)
            lim--;
        if (lim > r->fresh)
            rg_lines(r, lim);
        rg_slide(r);
        int e = proc_tick(r->p, RG_PIECE >> 10);
        if (e < 0)
            r->err = e;
    }
    if (!r->stop && !r->err && r->window.n > r->fresh)
        rg_lines(r, r->window.n);
    if (in->err && in->err != HOB_EPIPE && !r->err) {
        if (in->err == HOB_EKILLED || in->err == HOB_ENOMEM)
            r->err = in->err;
        else if (!r->o->no_messages)
            proc_printf_err(r->p, "%.*s: %s (os error %d)\n", STR_ARG(r->name), error_text(in->err),
                            -in->err);
        r->failed = true;
    }
}

/* What is printed when the file is done. */
static void rg_finish(struct rg_run *r)
{
    bool some = r->file.lines > 0;
    bool skipped = r->binary != UINT64_MAX && !r->named && r->o->binary == RG_BINARY_AUTO;
    switch (r->o->mode) {
    case RG_FILES_WITH:
        if (some && !r->o->quiet)
            rg_print_path(r, r->name);
        break;
    case RG_FILES_WITHOUT:
        if (!some && !skipped && !r->o->quiet)
            rg_print_path(r, r->name);
        break;
    case RG_COUNT:
        if ((some || r->o->include_zero) && !r->o->quiet)
            rg_print_count(r, r->file.lines);
        break;
    case RG_COUNT_MATCHES:
        if ((some || r->o->include_zero) && !r->o->quiet)
            rg_print_count(r, r->o->invert ? r->file.lines : r->file.matches);
        break;
    default:
        if (skipped && some && !r->o->quiet)
            rg_print_binary(r, true);
        break;
    }
}

void rg_search(struct rg_run *r, struct str name, struct in *in, bool named)
{
    int64_t began = sched_now(&r->p->kernel->sched);
    r->name = name;
    r->named = named;
    buf_clear(&r->window);
    r->base = r->counted = r->lines = r->pending = 0;
    r->fresh = 0;
    r->file = (struct rg_stats){0};
    r->began = r->stop = false;
    r->binary = r->printed_to = UINT64_MAX;
    rg_body_of(r, in);
    if (r->err)
        return;
    rg_finish(r);
    int64_t spent = sched_now(&r->p->kernel->sched) - began;
    rg_print_end(r, spent);
    if (r->o->mode == RG_FILES_WITHOUT)
        r->matched = r->matched || r->file.lines == 0;
    r->stats.matches += r->file.matches;
    r->stats.lines += r->file.lines;
    r->stats.with_match += r->file.lines > 0;
    r->stats.searched++;
    r->stats.bytes += r->file.bytes;
    r->stats.spent += spent;
}

/* sed_bulk.c -- scripts of one command, over whole buffers of lines
 *
 * `s/a/b/g` without an address does to a buffer of lines what it does to each line, as long as no
 * match reaches over a line end: the engine sees to that. The same holds for `/re/d` and
 * `-n /re/p`, where lines that do not match are passed over together.
 */
#include "commands/sed/sed.h"

#include "base/utf8.h"

struct sed_bulk {
    struct sed_run *r;
    struct regex *re; /* with REGEX_LINES */
    const struct sed_subst *sub;
    bool keep; /* print lines that match */
    bool rest; /* print lines that do not match */
};

/* What stands for the begin and the end of a line may not stand for those of the buffer. */
static bool sed_bulk_regex(struct str text)
{
    for (size_t i = 0; i + 1 < text.n; i++) {
        if (text.p[i] == '\\' && (text.p[i + 1] == '`' || text.p[i + 1] == '\''))
            return false;
        i += text.p[i] == '\\';
    }
    return true;
}

/* Whether the script is one that can be done so. */
static bool sed_bulk_suits(struct sed_run *r, struct sed_bulk *b, const struct sed_regex **x)
{
    const struct sed_cmd *c = r->cmds.p;

    if (r->cmds.n != 1 || c->a2.kind || r->o->unbuffered)
        return false;
    if (c->name == 's' && !c->a1.kind && !c->bang) {
        b->sub = c->subst;
        *x = c->subst->regex;
        if (r->quiet || c->subst->print || c->subst->file || c->subst->number)
            return false;
    } else if (c->a1.kind == SED_REGEX && (r->quiet ? c->name == 'p' : c->name == 'd')) {
        *x = c->a1.regex;
        b->keep = (c->name == 'p') != c->bang;
        b->rest = !b->keep;
    } else {
        return false;
    }
    return (*x)->re && sed_bulk_regex((*x)->pattern);
}

/* s over text, whose last line has no end. */
static void sed_bulk_replace(struct sed_bulk *b, struct str text)
{
    struct sed_run *r = b->r;
    struct out *o = r->out->to;
    struct regex_match m[SED_GROUPS];
    size_t nm = (size_t)MAX(b->sub->groups, 0) + 1, at = 0, copied = 0, last = SIZE_MAX;
    int found = 0;

    while (at <= text.n && (found = regex_exec(b->re, text, at, 0, m, nm)) > 0) {
        size_t start = (size_t)m[0].start, end = (size_t)m[0].end;
        bool counts = !(start == end && start == last);
        if (counts) {
            out_write(o, text.p + copied, start - copied);
            copied = end;
            if (b->sub->plain && b->sub->groups < 0 && b->sub->parts.n <= 1) {
                if (b->sub->parts.n)
                    out_str(o, b->sub->parts.p[0].text);
            } else {
                buf_clear(&r->scratch);
                sed_expand(r, b->sub, text, m, &r->scratch);
                out_write(o, r->scratch.p, r->scratch.n);
            }
        }
        last = at = end;
        if (counts && !b->sub->global) {
            const char *nl = at < text.n ? memchr(text.p + at, r->eol, text.n - at) : NULL;
            if (!nl)
                break;
            at = (size_t)(nl - text.p) + 1;
        } else if (start == end) {
            int len = 1;
            if (at < text.n && !r->bytes)
                utf8_decode(text.p + at, text.n - at, &len);
            at += (size_t)len;
        }
    }
    if (found < 0)
        r->err = found;
    out_write(o, text.p + copied, text.n - copied);
}

/* Lines that match go one way, the others the other. */
static void sed_bulk_filter(struct sed_bulk *b, struct str text)
{
    struct sed_run *r = b->r;
    size_t at = 0, start, end;
    int found;

    while (at < text.n) {
        found = regex_find_line(b->re, text, at, &start, &end);
        if (found < 0)
            r->err = found;
        if (found <= 0)
            break;
        end = MIN(end + 1, text.n);
        if (b->rest)
            out_write(r->out->to, text.p + at, start - at);
        if (b->keep)
            out_write(r->out->to, text.p + start, end - start);
        at = end;
    }
    if (b->rest)
        out_write(r->out->to, text.p + at, text.n - at);
}

/* Complete lines, each with its end. */
static void sed_bulk_lines(struct sed_bulk *b, struct str text)
{
    struct sed_run *r = b->r;

    sed_newline(r, r->out);
    if (b->sub) {
        sed_bulk_replace(b, str_sub(text, 0, text.n - 1));
        out_putc(r->out->to, r->eol);
    } else {
        sed_bulk_filter(b, text);
    }
}

/* A last line without its end. */
static void sed_bulk_last(struct sed_bulk *b, struct str line)
{
    struct sed_run *r = b->r;

    if (b->sub) {
        sed_newline(r, r->out);
        sed_bulk_replace(b, line);
        r->out->missing_newline = true;
        return;
    }
    int found = regex_exec(b->re, line, 0, 0, NULL, 0);
    if (found < 0)
        r->err = found;
    else if (found ? b->keep : b->rest)
        sed_write(r, r->out, line.p, line.n, false);
}

/* The rest of the open file. */
static void sed_bulk_file(struct sed_bulk *b)
{
    struct sed_run *r = b->r;
    struct str line;
    bool had;

    while (!r->err && in_fill(&r->in)) {
        const char *p = r->in.p, *last = r->in.end;
        while (last > p && last[-1] != r->eol)
            last--;
        if (last > p) {
            r->in.p = last;
            sed_bulk_lines(b, str_of(p, (size_t)(last - p)));
        } else if (in_line(&r->in, r->eol, &line, &had)) {
            /* It spans windows, so it lies in a buffer where there is room behind it. */
            if (!had)
                sed_bulk_last(b, line);
            else if (b->sub) {
                sed_newline(r, r->out);
                sed_bulk_replace(b, line);
                out_putc(r->out->to, r->eol);
            } else {
                int found = regex_exec(b->re, line, 0, 0, NULL, 0);
                if (found < 0)
                    r->err = found;
                else if (found ? b->keep : b->rest)
                    sed_write(r, r->out, line.p, line.n, true);
            }
        }
        if (!r->err && (r->out->to->err || r->heap->oom))
            r->err = r->out->to->err ? r->out->to->err : HOB_ENOMEM;
    }
}

static int sed_bulk_tick(void *ud, uint64_t steps)
{
    return proc_tick(ud, (int64_t)(steps >> 10) + 1);
}

bool sed_bulk(struct sed_run *r)
{
    struct sed_bulk b = {.r = r};
    const struct sed_regex *x;
    struct hob_error err;

    if (!sed_bulk_suits(r, &b, &x))
        return false;
    /* The same pattern again, for buffers. */
    unsigned flags = x->flags | REGEX_LINES | (r->eol ? 0u : REGEX_NUL);
    if (x->flags & REGEX_NEWLINE || !r->eol)
        return false;
    if (regex_compile(r->heap, x->pattern, flags, &b.re, &err) < 0) {
        heap_gate(r->heap);
        return false;
    }
    regex_set_tick(b.re, sed_bulk_tick, r->p);
    while (!r->err && sed_open_next(r)) {
        r->fresh = false;
        sed_bulk_file(&b);
        if (r->in.err && !r->err)
            sed_at_end(r); /* tells what is wrong */
        if (!r->err)
            sed_close_input(r);
    }
    regex_free(b.re);
    return true;
}

/* sed_run.c -- running a sed script: spaces, addresses, commands */
#include "commands/sed/sed.h"

#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"

/* ---- spaces ---------------------------------------------------------------------------------- */

static void sed_space_sync(struct sed_run *r, struct sed_space *s, size_t want)
{
    if (s->own.n != want)
        r->err = HOB_ENOMEM;
    s->p = buf_get(&s->own).p;
    s->n = s->own.n;
    s->lent = false;
}

void sed_space_set(struct sed_run *r, struct sed_space *s, const char *p, size_t n)
{
    buf_clear(&s->own);
    buf_add(&s->own, p, n);
    sed_space_sync(r, s, n);
}

bool sed_space_own(struct sed_run *r, struct sed_space *s)
{
    if (s->lent && s->own.p && s->p >= s->own.p && s->p <= s->own.p + s->own.n) {
        buf_del(&s->own, 0, (size_t)(s->p - s->own.p)); /* D has left the end of it */
        sed_space_sync(r, s, s->n);
    } else if (s->lent) {
        sed_space_set(r, s, s->p, s->n);
    }
    return r->err == 0;
}

void sed_space_add(struct sed_run *r, struct sed_space *s, const char *p, size_t n)
{
    if (!sed_space_own(r, s))
        return;
    size_t want = s->own.n + n;
    buf_add(&s->own, p, n);
    sed_space_sync(r, s, want);
}

/* G and H. */
static void sed_space_join(struct sed_run *r, struct sed_space *to, const struct sed_space *from)
{
    sed_space_add(r, to, &r->eol, 1);
    if (!r->err)
        sed_space_add(r, to, from->p, from->n);
    to->chomped = from->chomped;
}

/* ---- addresses ------------------------------------------------------------------------------- */

int sed_match(struct sed_run *r, struct sed_regex *x, struct str text, size_t from,
              struct regex_match *m, size_t nm)
{
    if (!x->re)
        x = r->last;
    if (!x) {
        sed_panic(r, SED_USAGE, "-e expression #%zu, char 0: no previous regular expression",
                  MAX(r->o->exprs, (size_t)1));
        return -1;
    }
    r->last = x;
    int found = regex_exec(x->re, text, from, 0, m, nm);
    if (found < 0 && !r->err)
        r->err = found;
    return found;
}

static bool sed_address_holds(struct sed_run *r, const struct sed_address *a)
{
    switch (a->kind) {
    case SED_LINE: return r->number == a->n;
    case SED_STEP: return r->number >= a->n && (r->number - a->n) % a->step == 0;
    case SED_LAST: return sed_at_end(r);
    case SED_REGEX: return sed_match(r, a->regex, str_of(r->line.p, r->line.n), 0, NULL, 0) > 0;
    default: return true;
    }
}

/* The first line of a range, or the only one. */
static bool sed_range_begins(struct sed_run *r, struct sed_cmd *c)
{
    uint64_t l = r->number;

    if (c->a1.kind == SED_LINE) {
        /* Lines may have gone by unseen, by N. */
        if (c->range == SED_CLOSED || l < c->a1.n)
            return false;
    } else if (!sed_address_holds(r, &c->a1)) {
        return false;
    }
    switch (c->a2.kind) {
    case SED_LINE:
        if (l >= c->a2.n) {
            c->range = SED_CLOSED;
            return c->a1.kind != SED_LINE || l == c->a1.n || l == c->a2.n;
        }
        c->range_end = c->a2.n;
        break;
    case SED_STEP:
    case SED_LAST:
        if (sed_address_holds(r, &c->a2)) {
            c->range = SED_CLOSED;
            return true;
        }
        break;
    case SED_PLUS:
        if (c->a2.n == 0) {
            c->range = SED_CLOSED;
            return true;
        }
        if (__builtin_add_overflow(l, c->a2.n, &c->range_end))
            c->range_end = UINT64_MAX;
        break;
    case SED_MULTIPLE:
        if (c->a2.n == 0) {
            c->range = SED_CLOSED;
            return true;
        }
        if (__builtin_add_overflow(l - l % c->a2.n, c->a2.n, &c->range_end))
            c->range_end = UINT64_MAX;
        break;
    default: break;
    }
    c->range = SED_ACTIVE;
    return true;
}

static bool sed_selects(struct sed_run *r, struct sed_cmd *c)
{
    if (c->a1.kind == SED_ALWAYS)
        return true;
    if (c->a2.kind == SED_ALWAYS)
        return sed_address_holds(r, &c->a1);
    if (c->range != SED_ACTIVE)
        return sed_range_begins(r, c);
    switch (c->a2.kind) {
    case SED_LINE:
        if (r->number >= c->range_end)
            c->range = SED_CLOSED;
        return r->number <= c->range_end;
    case SED_PLUS:
    case SED_MULTIPLE:
        if (r->number >= c->range_end)
            c->range = SED_CLOSED;
        return true;
    default:
        if (sed_address_holds(r, &c->a2))
            c->range = SED_CLOSED;
        return true;
    }
}

/* ---- commands -------------------------------------------------------------------------------- */

static void sed_print(struct sed_run *r)
{
    sed_write(r, r->out, r->line.p, r->line.n, r->line.chomped);
}

/* The part up to the first line end: P and W. */
static void sed_print_first(struct sed_run *r, struct sed_output *o)
{
    const char *nl = r->line.n ? memchr(r->line.p, r->eol, r->line.n) : NULL;
    sed_write(r, o, r->line.p, nl ? (size_t)(nl - r->line.p) : r->line.n, nl || r->line.chomped);
}

/* l: the space in plain characters, folded. */
static void sed_list(struct sed_run *r, int64_t width)
{
    static const char from[] = "\\\a\b\f\n\r\t\v", to[] = "\\abfnrtv";
    struct out *o = r->out->to;
    int64_t column = 0;

    sed_newline(r, r->out);
    for (size_t i = 0; i < r->line.n; i++) {
        unsigned char c = (unsigned char)r->line.p[i];
        const char *known = c ? strchr(from, c) : NULL;
        char item[8];
        size_t n = 1;
        item[0] = (char)c;
        if (known)
            n = fmt_print(item, sizeof item, "\\%c", to[known - from]);
        else if (!ascii_print(c))
            n = fmt_print(item, sizeof item, "\\%03o", c);
        if (width > 0 && column + (int64_t)n > width - 1) {
            out_putc(o, '\\');
            out_putc(o, r->eol);
            column = 0;
        }
        out_write(o, item, n);
        column += (int64_t)n;
    }
    out_putc(o, '$');
    out_putc(o, r->eol);
}

static void sed_enqueue(struct sed_run *r, struct sed_append a)
{
    if (vec_push(r->heap, &r->queue, a))
        return;
    if (a.owned)
        heap_free(r->heap, (void *)(uintptr_t)a.text.p, a.text.n);
    r->err = HOB_ENOMEM;
}

/* R: the next line of another file. */
static void sed_enqueue_line(struct sed_run *r, struct sed_lines *l)
{
    struct str text;
    bool had;

    if (!l->open && !l->ended) {
        bool standard = str_eqz(l->name, "/dev/stdin");
        if (in_open_quiet(&l->in, r->p, standard ? STR("-") : l->name) < 0)
            l->ended = true;
        else
            l->open = true;
    }
    if (l->ended || !in_line(&l->in, r->eol, &text, &had)) {
        l->ended = true;
        return;
    }
    size_t n = text.n + had;
    if (n == 0)
        return;
    char *copy = heap_alloc(r->heap, n);
    if (!copy) {
        r->err = HOB_ENOMEM;
        return;
    }
    memcpy(copy, text.p, text.n);
    if (had)
        copy[text.n] = r->eol;
    sed_enqueue(r, (struct sed_append){.text = str_of(copy, n), .owned = true});
}

static void sed_insert(struct sed_run *r, const struct sed_cmd *c)
{
    if (c->text.n)
        sed_write(r, r->out, c->text.p, c->text.n - 1, true);
}

/* What to do after a command. */
enum sed_after {
    SED_GO_ON,
    SED_JUMP,    /* to the command's target */
    SED_END,     /* of the script: print, next line */
    SED_DELETE,  /* next line, without printing */
    SED_RESTART, /* the script again, without reading */
    SED_QUIT,    /* print and leave */
    SED_LEAVE
};

/* D: up to the first line end. */
static enum sed_after sed_delete_first(struct sed_run *r)
{
    const char *nl = r->line.n ? memchr(r->line.p, r->eol, r->line.n) : NULL;
    if (!nl)
        return SED_DELETE;
    r->line.n -= (size_t)(nl + 1 - r->line.p);
    r->line.p = nl + 1;
    r->line.lent = true;
    return SED_RESTART;
}

static enum sed_after sed_next_line(struct sed_run *r)
{
    if (sed_at_end(r))
        return SED_END;
    if (!r->quiet)
        sed_print(r);
    return sed_read(r, false) ? SED_GO_ON : SED_LEAVE;
}

static enum sed_after sed_append_next(struct sed_run *r)
{
    if (sed_at_end(r))
        return r->o->posix ? SED_DELETE : SED_END;
    sed_space_add(r, &r->line, &r->eol, 1);
    return sed_read(r, true) ? SED_GO_ON : SED_LEAVE;
}

static enum sed_after sed_do(struct sed_run *r, struct sed_cmd *c)
{
    struct sed_space swap;

    switch (c->name) {
    case '{':
    case '}':
    case ':': break;
    case '=':
        sed_newline(r, r->out);
        out_printf(r->out->to, "%llu", (unsigned long long)r->number);
        out_putc(r->out->to, r->eol);
        break;
    case 'a': sed_enqueue(r, (struct sed_append){.text = c->text}); break;
    case 'b': return SED_JUMP;
    case 'c':
        if (c->range != SED_ACTIVE || c->a2.kind == SED_ALWAYS)
            sed_insert(r, c);
        return SED_DELETE;
    case 'd': return SED_DELETE;
    case 'D': return sed_delete_first(r);
    case 'F': sed_write(r, r->out, r->name.p, r->name.n, true); break;
    case 'g':
        sed_space_set(r, &r->line, r->hold.p, r->hold.n);
        r->line.chomped = r->hold.chomped;
        break;
    case 'G': sed_space_join(r, &r->line, &r->hold); break;
    case 'h':
        sed_space_set(r, &r->hold, r->line.p, r->line.n);
        r->hold.chomped = r->line.chomped;
        break;
    case 'H': sed_space_join(r, &r->hold, &r->line); break;
    case 'i': sed_insert(r, c); break;
    case 'l': sed_list(r, c->number < 0 ? r->o->line_length : c->number); break;
    case 'n': return sed_next_line(r);
    case 'N': return sed_append_next(r);
    case 'p': sed_print(r); break;
    case 'P': sed_print_first(r, r->out); break;
    case 'q': return SED_QUIT;
    case 'Q': return SED_LEAVE;
    case 'r': sed_enqueue(r, (struct sed_append){.file = c->text}); break;
    case 'R': sed_enqueue_line(r, c->lines); break;
    case 's': sed_substitute(r, c); break;
    case 't':
        if (!r->replaced)
            break;
        r->replaced = false;
        return SED_JUMP;
    case 'T':
        if (!r->replaced)
            return SED_JUMP;
        r->replaced = false;
        break;
    case 'w': sed_write(r, c->output, r->line.p, r->line.n, r->line.chomped); break;
    case 'W': sed_print_first(r, c->output); break;
    case 'x':
        if (!sed_space_own(r, &r->line))
            break;
        swap = r->line;
        r->line = r->hold;
        r->hold = swap;
        break;
    case 'y': sed_translate(r, c->map); break;
    case 'z': sed_space_set(r, &r->line, "", 0); break;
    default: break;
    }
    return SED_GO_ON;
}

static bool sed_changes(char name) { return strchr("dDgGhHnNsxyz", name) != NULL; }

/* The script over one line. *quit is the command that ended it. */
static enum sed_after sed_cycle(struct sed_run *r, const struct sed_cmd **quit)
{
    for (size_t i = 0; i < r->cmds.n;) {
        struct sed_cmd *c = &r->cmds.p[i];
        if (r->o->debug)
            sed_debug_command(r, c);
        bool selected = sed_selects(r, c) != c->bang;
        if (r->err)
            return SED_LEAVE;
        if (!selected) {
            i = c->name == '{' ? c->jump : i + 1;
            continue;
        }
        enum sed_after after = sed_do(r, c);
        if (r->o->debug && sed_changes(c->name) && after == SED_GO_ON)
            sed_debug_space(r);
        if (r->err)
            return SED_LEAVE;
        if (after == SED_GO_ON) {
            i++;
            continue;
        }
        if (after != SED_JUMP) {
            *quit = c;
            return after;
        }
        i = c->jump;
        r->err = proc_tick(r->p, 1);
        if (r->err)
            return SED_LEAVE;
    }
    return SED_END;
}

/* The last line that any command can be meant for, UINT64_MAX when that is not known. */
static uint64_t sed_horizon(const struct sed_run *r)
{
    uint64_t last = 0;

    for (size_t i = 0; i < r->cmds.n; i++) {
        const struct sed_cmd *c = &r->cmds.p[i];
        bool one = c->a1.kind == SED_LINE && !c->a2.kind;
        bool range = c->a1.kind == SED_LINE && c->a2.kind == SED_LINE;
        if (c->name == '}')
            continue;
        if (!(one || range) || c->bang || r->o->debug)
            return UINT64_MAX;
        last = MAX(last, MAX(c->a1.n, range ? c->a2.n : 0));
        if (c->name == '{')
            i = c->jump - 1; /* what is in there is not reached either */
    }
    return last;
}

/* The rest of the input, or of a file that counts for itself: nothing is done to it any more. */
static void sed_pass_rest(struct sed_run *r)
{
    sed_flush_queue(r);
    sed_space_set(r, &r->line, "", 0); /* it was borrowed from what is read over now */
    while (!r->err && sed_open_next(r)) {
        char last = r->eol;
        while (!r->err && in_fill(&r->in)) {
            last = r->in.end[-1];
            struct slice piece = {blob_ref(r->in.held.blob), r->in.p,
                                  (size_t)(r->in.end - r->in.p)};
            r->in.p = r->in.end;
            if (r->quiet) {
                slice_drop(&piece);
                continue;
            }
            sed_newline(r, r->out);
            out_give(r->out->to, &piece);
            r->err = r->out->to->err;
        }
        r->out->missing_newline |= !r->quiet && last != r->eol;
        if (r->err || r->o->separate)
            return;
        if (r->in.err)
            sed_at_end(r); /* tells what is wrong */
        if (!r->err)
            sed_close_input(r);
    }
}

int sed_execute(struct sed_run *r)
{
    uint64_t horizon = sed_horizon(r);
    bool again = false;

    if (!r->o->debug && sed_bulk(r))
        return r->status;
    while (!r->err) {
        if (!again && r->number >= horizon && r->open)
            sed_pass_rest(r);
        if (r->err || !(again || sed_read(r, false)))
            break;
        const struct sed_cmd *quit = NULL;
        if (r->o->debug)
            sed_debug_input(r);
        enum sed_after after = sed_cycle(r, &quit);
        if (r->err)
            break;
        if (r->o->debug && after != SED_LEAVE && !(quit && quit->name == 'q'))
            out_puts(&r->standard.out, "END-OF-CYCLE:\n");
        if ((after == SED_END || after == SED_QUIT) && !r->quiet)
            sed_print(r);
        if (r->o->unbuffered)
            out_flush(r->out->to);
        again = after == SED_RESTART;
        if (again)
            sed_flush_queue(r);
        if (after == SED_QUIT || after == SED_LEAVE) {
            if (quit && quit->name == 'Q')
                sed_drop_queue(r);
            else
                sed_newline(r, r->out);
            sed_flush_queue(r);
            bool coded = quit && (quit->name == 'q' || quit->name == 'Q') && quit->number > 0;
            return coded && !r->status ? (int)(quit->number & 255) : r->status;
        }
        if (!r->err)
            r->err = proc_tick(r->p, 1);
    }
    return r->status;
}

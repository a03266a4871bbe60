/* sed_subst.c -- s and y: what they do to the pattern space */
#include "commands/sed/sed.h"

#include "base/utf8.h"

/* ---- replacements ---------------------------------------------------------------------------- */

static void sed_add_char(struct buf *to, uint32_t c, const char *p, int len, enum sed_case mode)
{
    char out[8];
    uint32_t other = mode == SED_UPPER ? utf8_upper(c) : utf8_lower(c);

    if (c == UTF8_BAD || mode == SED_ASIS || other == c)
        buf_add(to, p, (size_t)len);
    else
        buf_add(to, out, (size_t)utf8_encode(out, other));
}

/* Text in the given case; its first character may have one of its own. */
static void sed_add_case(struct sed_run *r, struct buf *to, struct str text, enum sed_case mode,
                         enum sed_case first)
{
    if (mode == SED_ASIS && first == SED_ASIS) {
        buf_str(to, text);
        return;
    }
    for (size_t i = 0; i < text.n;) {
        int len = 1;
        uint32_t c = (unsigned char)text.p[i];
        if (c >= 128)
            c = r->bytes ? UTF8_BAD : utf8_decode(text.p + i, text.n - i, &len);
        sed_add_char(to, c, text.p + i, len, first ? first : mode);
        first = SED_ASIS;
        i += (size_t)len;
    }
}

void sed_expand(struct sed_run *r, const struct sed_subst *sub, struct str text,
                const struct regex_match *m, struct buf *to)
{
    enum sed_case waiting = SED_ASIS; /* \u before a group that matched nothing */

    for (size_t i = 0; i < sub->parts.n; i++) {
        const struct sed_part *p = &sub->parts.p[i];
        enum sed_case first = p->first ? p->first : waiting;
        waiting = SED_ASIS;
        if (p->text.n) {
            sed_add_case(r, to, p->text, p->mode, first);
            first = SED_ASIS;
        }
        if (p->group < 0)
            waiting = p->text.n ? SED_ASIS : first;
        else if (m[p->group].start >= 0 && m[p->group].end > m[p->group].start)
            sed_add_case(r, to,
                         str_sub(text, (size_t)m[p->group].start,
                                 (size_t)(m[p->group].end - m[p->group].start)),
                         p->mode, first);
        else
            waiting = first;
    }
}

/* ---- s --------------------------------------------------------------------------------------- */

/* The length of the character at `at`. */
static size_t sed_char_len(struct sed_run *r, struct str text, size_t at)
{
    int len = 1;
    if (!r->bytes && (unsigned char)text.p[at] >= 128)
        utf8_decode(text.p + at, text.n - at, &len);
    return (size_t)len;
}

/* Builds the new line in r->scratch; false when nothing is replaced. */
static bool sed_replace(struct sed_run *r, const struct sed_subst *sub, struct str text)
{
    struct regex_match m[SED_GROUPS];
    size_t nm = r->o->debug ? SED_GROUPS : (size_t)MAX(sub->groups, 0) + 1;
    size_t at = 0, copied = 0, last = SIZE_MAX;
    uint64_t count = 0;
    bool done = false;
    int found;

    if (!sub->regex->re && r->last && r->last->address &&
        sub->groups > (int)regex_groups(r->last->re)) {
        sed_panic(r, SED_USAGE,
                  "-e expression #%zu, char 0: invalid reference \\%d on `s' command's RHS",
                  MAX(r->o->exprs, (size_t)1), sub->groups);
        return false;
    }
    while (at <= text.n && (found = sed_match(r, sub->regex, text, at, m, nm)) > 0) {
        size_t start = (size_t)m[0].start, end = (size_t)m[0].end;
        /* Nothing right behind a match is no match of its own. */
        if (!(start == end && start == last) && ++count >= MAX(sub->number, 1)) {
            if (!done)
                buf_clear(&r->scratch);
            if (r->o->debug)
                sed_debug_match(r, m, nm);
            buf_add(&r->scratch, text.p + copied, start - copied);
            sed_expand(r, sub, text, m, &r->scratch);
            copied = end;
            done = true;
            if (!sub->global)
                break;
        }
        last = end;
        at = end;
        if (start == end)
            at += at < text.n ? sed_char_len(r, text, at) : 1;
    }
    if (done)
        buf_add(&r->scratch, text.p + copied, text.n - copied);
    return done;
}

void sed_substitute(struct sed_run *r, struct sed_cmd *c)
{
    const struct sed_subst *sub = c->subst;
    struct sed_space *line = &r->line;

    if (!sed_replace(r, sub, str_of(line->p, line->n)) || r->err)
        return;
    if (r->heap->oom) {
        r->err = HOB_ENOMEM;
        return;
    }
    struct buf swap = line->own;
    line->own = r->scratch;
    r->scratch = swap;
    struct str now = buf_get(&line->own);
    line->p = now.p;
    line->n = now.n;
    line->lent = false;
    r->replaced = true;
    if (sub->print)
        sed_write(r, r->out, line->p, line->n, line->chomped);
    if (sub->file)
        sed_write(r, sub->file, line->p, line->n, line->chomped);
}

/* ---- y --------------------------------------------------------------------------------------- */

static void sed_translate_wide(struct sed_run *r, const struct sed_map *map, struct str text)
{
    for (size_t i = 0; i < text.n;) {
        struct str c = str_sub(text, i, sed_char_len(r, text, i)), to = c;
        for (size_t k = 0; k < map->n; k++) {
            if (str_eq(map->pairs[k].from, c)) {
                to = map->pairs[k].to;
                break;
            }
        }
        buf_str(&r->scratch, to);
        i += c.n;
    }
}

void sed_translate(struct sed_run *r, const struct sed_map *map)
{
    struct sed_space *line = &r->line;

    if (!map->pairs) {
        if (!sed_space_own(r, line))
            return;
        for (size_t i = 0; i < line->n; i++)
            line->own.p[i] = (char)map->bytes[(unsigned char)line->own.p[i]];
        return;
    }
    buf_clear(&r->scratch);
    sed_translate_wide(r, map, str_of(line->p, line->n));
    sed_space_set(r, line, r->scratch.p, r->scratch.n);
}

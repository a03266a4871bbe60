/* diff_compare.c -- which lines count as equal, and which changes do not count */
#include "commands/diff/diff.h"

#include "base/utf8.h"

static bool diffcmd_is_ed(const struct diffcmd *o)
{
    return o->style == DIFFCMD_ED || o->style == DIFFCMD_FORWARD_ED;
}

/* What a line is compared by, appended to b. */
static void diffcmd_key_text(const struct diffcmd *o, struct str line, struct buf *b)
{
    size_t column = 0;
    bool nl = line.n && line.p[line.n - 1] == '\n';
    struct str s = nl ? str_sub(line, 0, line.n - 1) : line;

    if (o->strip_cr && nl && s.n && s.p[s.n - 1] == '\r')
        s.n--;
    if (o->all_space || o->space_change || o->trailing_space)
        while (s.n && ascii_space(s.p[s.n - 1]))
            s.n--;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (o->all_space && ascii_space(c))
            continue;
        if (o->space_change && ascii_space(c)) {
            while (i + 1 < s.n && ascii_space(s.p[i + 1]))
                i++;
            buf_putc(b, ' ');
            continue;
        }
        if (o->tab_expansion && c == '\t') {
            size_t tab = (size_t)o->tabsize, n = tab - column % tab;
            buf_fill(b, ' ', n);
            column += n;
            continue;
        }
        column = c == '\b' ? column - (column > 0) : column + 1;
        buf_putc(b, o->icase ? (char)ascii_to_lower(c) : c);
    }
    /* Without these a missing newline makes a difference. */
    if (nl || o->all_space || o->space_change || o->trailing_space || diffcmd_is_ed(o))
        buf_putc(b, '\n');
}

static struct str diffcmd_key(void *ud, struct str line)
{
    struct diffcmd_run *r = ud;
    struct buf b;
    buf_init(&b, &r->p->kernel->heap);
    diffcmd_key_text(r->o, line, &b);
    struct str key = arena_str(r->p->arena, buf_get(&b));
    buf_fini(&b);
    return key.p ? key : line;
}

static bool diffcmd_plain(const struct diffcmd *o)
{
    return !(o->icase || o->all_space || o->space_change || o->tab_expansion || o->trailing_space ||
             o->strip_cr || diffcmd_is_ed(o));
}

/* -B and -I: whether the line does not count. */
static bool diffcmd_trivial_line(struct diffcmd_run *r, struct str line)
{
    struct str s = line;
    if (s.n && s.p[s.n - 1] == '\n')
        s.n--;
    if (r->o->blank_lines) {
        size_t i = 0;
        bool spaces = r->o->all_space || r->o->space_change || r->o->trailing_space;
        while (spaces && i < s.n && ascii_space(s.p[i]))
            i++;
        if (i == s.n)
            return true;
    }
    return r->ignore && regex_is_match(r->ignore, s) > 0;
}

static bool diffcmd_trivial(struct diffcmd_run *r, const struct diff_edit *e)
{
    if (!r->o->blank_lines && !r->ignore)
        return false;
    for (size_t i = 0; i < e->an; i++)
        if (!diffcmd_trivial_line(r, r->d.a.line[e->a + i]))
            return false;
    for (size_t i = 0; i < e->bn; i++)
        if (!diffcmd_trivial_line(r, r->d.b.line[e->b + i]))
            return false;
    return true;
}

int diffcmd_compare(struct diffcmd_run *r)
{
    const struct diffcmd *o = r->o;
    struct arena *a = r->p->arena;
    bool around = o->style == DIFFCMD_UNIFIED || o->style == DIFFCMD_CONTEXT;
    size_t margin = (size_t)MAX(around ? o->context : 0, o->horizon);

    int e = diff_lines_by(a, r->f[0].text, r->f[1].text, margin,
                          diffcmd_plain(o) ? NULL : diffcmd_key, r, &r->d);
    if (e < 0)
        return e;
    r->trivial = arena_array(a, bool, r->d.n + 1);
    if (!r->trivial)
        return HOB_ENOMEM;
    for (size_t i = 0; i < r->d.n; i++)
        r->trivial[i] = diffcmd_trivial(r, &r->d.edit[i]);
    return heap_gate(&r->p->kernel->heap);
}

/* diff_print.c -- the normal, unified, context, ed and RCS forms */
#include "commands/diff/diff.h"

#include "base/fmt.h"
#include "base/utf8.h"
#include "commands/lib/getdate.h"
#include "text/date.h"

#define DIFFCMD_RED "\033[31m"
#define DIFFCMD_GREEN "\033[32m"
#define DIFFCMD_CYAN "\033[36m"
#define DIFFCMD_BOLD "\033[1m"
#define DIFFCMD_RESET "\033[0m"

/* What --palette has in place of a color; false: nothing. */
static bool diffcmd_palette(struct diffcmd_run *r, const char *code)
{
    const char *name = strcmp(code, DIFFCMD_RED) == 0     ? "de="
                       : strcmp(code, DIFFCMD_GREEN) == 0 ? "ad="
                       : strcmp(code, DIFFCMD_CYAN) == 0  ? "ln="
                       : strcmp(code, DIFFCMD_BOLD) == 0  ? "hd="
                                                          : "rs=";
    for (struct str rest = r->o->palette; rest.n;) {
        ptrdiff_t colon = str_chr(rest, ':');
        struct str one = colon < 0 ? rest : str_sub(rest, 0, (size_t)colon);
        if (str_starts(one, str_z(name))) {
            out_printf(&r->out, "\033[%.*sm", STR_ARG(str_from(one, 3)));
            return true;
        }
        rest = str_from(rest, one.n + 1);
    }
    return false;
}

void diffcmd_print_color(struct diffcmd_run *r, const char *code)
{
    if (r->o->color && code && r->o->palette.p && diffcmd_palette(r, code))
        return;
    if (r->o->color && code)
        out_puts(&r->out, code);
}

void diffcmd_print_text(struct diffcmd_run *r, struct str line)
{
    size_t column = 0, tab = (size_t)r->o->tabsize;
    if (!r->o->expand_tabs) {
        out_str(&r->out, line);
        return;
    }
    for (size_t i = 0; i < line.n; i++) {
        if (line.p[i] == '\t') {
            do
                out_putc(&r->out, ' ');
            while (++column % tab);
        } else {
            column += line.p[i] == '\b' ? (size_t) - (column > 0) : 1;
            out_putc(&r->out, line.p[i]);
        }
    }
}

void diffcmd_print_line(struct diffcmd_run *r, const char *mark, struct str line, const char *color)
{
    bool nl = line.n && line.p[line.n - 1] == '\n';
    struct str body = nl ? str_sub(line, 0, line.n - 1) : line;
    bool empty =
        r->o->suppress_blank_empty && body.n == 0 && *mark && mark[strlen(mark) - 1] == ' ';

    diffcmd_print_color(r, color);
    if (*mark) {
        size_t n = strlen(mark);
        size_t blanks = mark[n - 1] == ' ' && (r->o->initial_tab || empty);
        while (empty && blanks < n && mark[n - blanks - 1] == ' ')
            blanks++;
        out_write(&r->out, mark, n - blanks);
        if (r->o->initial_tab && !(r->o->suppress_blank_empty && body.n == 0))
            out_putc(&r->out, '\t');
    }
    diffcmd_print_text(r, body);
    diffcmd_print_color(r, color ? DIFFCMD_RESET : NULL);
    out_puts(&r->out, nl ? "\n" : "\n\\ No newline at end of file\n");
}

/* ---- normal, ed, RCS ------------------------------------------------------------------------- */

/* "3" or "3,5"; of nothing, the line before it. */
static void diffcmd_numbers_print(struct diffcmd_run *r, char sep, size_t first, size_t n)
{
    if (n > 1)
        out_printf(&r->out, "%zu%c%zu", first + 1, sep, first + n);
    else
        out_printf(&r->out, "%zu", first + n);
}

static char diffcmd_letter(const struct diff_edit *e) { return !e->an ? 'a' : !e->bn ? 'd' : 'c'; }

static void diffcmd_print_normal(struct diffcmd_run *r)
{
    for (size_t i = 0; i < r->d.n; i++) {
        const struct diff_edit *e = &r->d.edit[i];
        if (r->trivial[i])
            continue;
        diffcmd_print_color(r, DIFFCMD_CYAN);
        diffcmd_numbers_print(r, ',', e->a, e->an);
        out_putc(&r->out, diffcmd_letter(e));
        diffcmd_numbers_print(r, ',', e->b, e->bn);
        diffcmd_print_color(r, DIFFCMD_RESET);
        out_putc(&r->out, '\n');
        for (size_t k = 0; k < e->an; k++)
            diffcmd_print_line(r, "< ", r->d.a.line[e->a + k], DIFFCMD_RED);
        if (e->an && e->bn)
            out_puts(&r->out, "---\n");
        for (size_t k = 0; k < e->bn; k++)
            diffcmd_print_line(r, "> ", r->d.b.line[e->b + k], DIFFCMD_GREEN);
    }
}

/* A line of a script for ed, which cannot say that the last one has no newline. */
static void diffcmd_print_ended(struct diffcmd_run *r, struct str line)
{
    diffcmd_print_text(r, line);
    if (!(line.n && line.p[line.n - 1] == '\n'))
        out_putc(&r->out, '\n');
}

/* Lines for ed: a lone dot would end the text, so it is put in as two and mended afterwards. */
static void diffcmd_print_ed_text(struct diffcmd_run *r, const struct diff_edit *e)
{
    bool open = true;
    for (size_t k = 0; k < e->bn; k++) {
        struct str line = r->d.b.line[e->b + k];
        bool dot = line.n && line.p[0] == '.' && (line.n == 1 || line.p[1] == '\n');
        if (!open)
            out_puts(&r->out, "a\n");
        open = true;
        if (dot) {
            out_puts(&r->out, "..\n.\ns/.//\n");
            open = false;
            continue;
        }
        diffcmd_print_ended(r, line);
    }
    if (open)
        out_puts(&r->out, ".\n");
}

static void diffcmd_print_ed(struct diffcmd_run *r)
{
    for (size_t i = r->d.n; i-- > 0;) {
        const struct diff_edit *e = &r->d.edit[i];
        if (r->trivial[i])
            continue;
        diffcmd_numbers_print(r, ',', e->a, e->an);
        out_printf(&r->out, "%c\n", diffcmd_letter(e));
        if (e->bn)
            diffcmd_print_ed_text(r, e);
    }
}

static void diffcmd_print_forward_ed(struct diffcmd_run *r)
{
    for (size_t i = 0; i < r->d.n; i++) {
        const struct diff_edit *e = &r->d.edit[i];
        if (r->trivial[i])
            continue;
        out_putc(&r->out, diffcmd_letter(e));
        diffcmd_numbers_print(r, ' ', e->a, e->an);
        out_putc(&r->out, '\n');
        for (size_t k = 0; k < e->bn; k++)
            diffcmd_print_ended(r, r->d.b.line[e->b + k]);
        if (e->bn)
            out_puts(&r->out, ".\n");
    }
}

static void diffcmd_print_rcs(struct diffcmd_run *r)
{
    for (size_t i = 0; i < r->d.n; i++) {
        const struct diff_edit *e = &r->d.edit[i];
        if (r->trivial[i])
            continue;
        if (e->an)
            out_printf(&r->out, "d%zu %zu\n", e->a + 1, e->an);
        if (e->bn)
            out_printf(&r->out, "a%zu %zu\n", e->a + e->an, e->bn);
        for (size_t k = 0; k < e->bn; k++)
            out_str(&r->out, r->d.b.line[e->b + k]);
    }
}

/* ---- with context ---------------------------------------------------------------------------- */

/* A name with characters that would spoil the line is written as a C string. */
static const char *diffcmd_print_name(struct diffcmd_run *r, struct str name)
{
    bool odd = false;
    for (size_t i = 0; i < name.n; i++)
        odd |= (unsigned char)name.p[i] < 32 || name.p[i] == '"' || name.p[i] == '\\';
    if (!odd)
        return name.p;
    struct buf b;
    buf_init(&b, &r->p->kernel->heap);
    buf_putc(&b, '"');
    for (size_t i = 0; i < name.n; i++) {
        static const char from[] = "\a\b\t\n\v\f\r", to[] = "abtnvfr";
        char c = name.p[i];
        const char *at = c ? strchr(from, c) : NULL;
        if (at)
            buf_printf(&b, "\\%c", to[at - from]);
        else if (c == '"' || c == '\\')
            buf_printf(&b, "\\%c", c);
        else if ((unsigned char)c < 32)
            buf_printf(&b, "\\%03o", (unsigned)(unsigned char)c);
        else
            buf_putc(&b, c);
    }
    buf_putc(&b, '"');
    struct str out = arena_str(r->p->arena, buf_get(&b));
    buf_fini(&b);
    return out.p ? out.p : name.p;
}

static void diffcmd_print_header(struct diffcmd_run *r, const char *mark, int side)
{
    const struct diffcmd_file *f = &r->f[side];
    diffcmd_print_color(r, DIFFCMD_BOLD);
    if (r->o->label[side].p) {
        out_printf(&r->out, "%s %.*s", mark, STR_ARG(r->o->label[side]));
    } else {
        struct date_zone zone = getdate_zone(r->p);
        int64_t ns = f->missing ? 0 : f->st.mtime, sec = ns / 1000000000;
        struct date d;
        struct buf b;
        if (ns % 1000000000 < 0)
            sec--;
        buf_init(&b, &r->p->kernel->heap);
        if (date_from_epoch(sec, (int)(ns - sec * 1000000000), &zone, &d) == 0)
            date_format(&b, STR("%Y-%m-%d %H:%M:%S.%N %z"), &d, sec, true);
        out_printf(&r->out, "%s %s\t%s", mark, diffcmd_print_name(r, f->name), buf_get(&b).p);
        buf_fini(&b);
    }
    diffcmd_print_color(r, DIFFCMD_RESET);
    out_putc(&r->out, '\n');
}

/* The last line before `at` that looks like the begin of a function, for -p and -F. */
static struct str diffcmd_function(struct diffcmd_run *r, size_t at)
{
    for (; r->function_at < at; r->function_at++) {
        struct str line = r->d.a.line[r->function_at];
        struct str body =
            line.n && line.p[line.n - 1] == '\n' ? str_sub(line, 0, line.n - 1) : line;
        bool hit = r->function
                       ? regex_is_match(r->function, body) > 0
                       : body.n && (ascii_alpha(body.p[0]) || body.p[0] == '_' || body.p[0] == '$');
        if (hit)
            r->function_line = body;
    }
    return r->function_line;
}

static void diffcmd_print_function(struct diffcmd_run *r, size_t at)
{
    if (!r->o->function && !r->function)
        return;
    struct str f = diffcmd_function(r, at);
    size_t from = 0;
    while (from < f.n && ascii_space(f.p[from]))
        from++;
    f = str_sub(f, from, 40);
    while (f.n && ascii_space(f.p[f.n - 1]))
        f.n--;
    if (f.n)
        out_printf(&r->out, " %.*s", STR_ARG(f));
}

/* "@@ -1,3 +1,4 @@": a length of 1 goes without saying; of nothing, the line before it. */
static void diffcmd_print_range(struct diffcmd_run *r, char mark, size_t first, size_t n)
{
    out_printf(&r->out,
               n == 0   ? "%c%zu,0"
               : n == 1 ? "%c%zu"
                        : "%c%zu,%zu",
               mark, n ? first + 1 : first, n);
}

/* What a group of edits covers, with the lines around it. */
struct diffcmd_group {
    const struct diff_edit *first, *last;
    size_t a, an, b, bn;
};

static void diffcmd_print_unified_group(struct diffcmd_run *r, const struct diffcmd_group *g)
{
    size_t a = g->a;
    diffcmd_print_color(r, DIFFCMD_CYAN);
    out_puts(&r->out, "@@ ");
    diffcmd_print_range(r, '-', g->a, g->an);
    out_putc(&r->out, ' ');
    diffcmd_print_range(r, '+', g->b, g->bn);
    out_puts(&r->out, " @@");
    diffcmd_print_color(r, DIFFCMD_RESET);
    diffcmd_print_function(r, g->a);
    out_putc(&r->out, '\n');
    for (const struct diff_edit *e = g->first; e <= g->last; e++) {
        for (; a < e->a; a++)
            diffcmd_print_line(r, " ", r->d.a.line[a], NULL);
        for (; a < e->a + e->an; a++)
            diffcmd_print_line(r, "-", r->d.a.line[a], DIFFCMD_RED);
        for (size_t i = 0; i < e->bn; i++)
            diffcmd_print_line(r, "+", r->d.b.line[e->b + i], DIFFCMD_GREEN);
    }
    for (; a < g->a + g->an; a++)
        diffcmd_print_line(r, " ", r->d.a.line[a], NULL);
}

static void diffcmd_print_context_range(struct diffcmd_run *r, const char *mark, size_t first,
                                        size_t n)
{
    diffcmd_print_color(r, DIFFCMD_CYAN);
    out_printf(&r->out, n > 1 ? "%s %zu,%zu %s" : "%s %zu%.0zu %s", mark,
               n > 1 ? first + 1 : first + n, n > 1 ? first + n : 0,
               *mark == '*' ? "****" : "----");
    diffcmd_print_color(r, DIFFCMD_RESET);
    out_putc(&r->out, '\n');
}

/* One half of a group: the lines of one side, when it has any that changed. */
static void diffcmd_print_context_half(struct diffcmd_run *r, const struct diffcmd_group *g,
                                       int side)
{
    const struct diff_text *t = side ? &r->d.b : &r->d.a;
    size_t at = side ? g->b : g->a, end = at + (side ? g->bn : g->an);
    bool any = false;
    const char *color = side ? DIFFCMD_GREEN : DIFFCMD_RED;

    for (const struct diff_edit *e = g->first; e <= g->last; e++)
        any |= side ? e->bn > 0 : e->an > 0;
    if (!any)
        return;
    for (const struct diff_edit *e = g->first; e <= g->last; e++) {
        size_t from = side ? e->b : e->a, n = side ? e->bn : e->an;
        for (; at < from; at++)
            diffcmd_print_line(r, "  ", t->line[at], color);
        for (; at < from + n; at++)
            diffcmd_print_line(r, e->an && e->bn ? "! " : side ? "+ " : "- ", t->line[at], color);
    }
    for (; at < end; at++)
        diffcmd_print_line(r, "  ", t->line[at], color);
}

static void diffcmd_print_context_group(struct diffcmd_run *r, const struct diffcmd_group *g)
{
    out_puts(&r->out, "***************");
    diffcmd_print_function(r, g->a);
    out_putc(&r->out, '\n');
    diffcmd_print_context_range(r, "***", g->a, g->an);
    diffcmd_print_context_half(r, g, 0);
    diffcmd_print_context_range(r, "---", g->b, g->bn);
    diffcmd_print_context_half(r, g, 1);
}

static void diffcmd_print_groups(struct diffcmd_run *r)
{
    size_t around = (size_t)r->o->context;
    bool unified = r->o->style == DIFFCMD_UNIFIED;
    const struct diff_edit *end = r->d.edit + r->d.n;

    diffcmd_print_header(r, unified ? "---" : "***", 0);
    diffcmd_print_header(r, unified ? "+++" : "---", 1);
    for (const struct diff_edit *e = r->d.edit, *last; e < end; e = last + 1) {
        bool counts = !r->trivial[e - r->d.edit];
        for (last = e; last + 1 < end; last++) {
            /* A change that does not count does not reach as far. */
            size_t reach = r->trivial[last + 1 - r->d.edit] ? around : 2 * around + 1;
            if (last[1].a - (last->a + last->an) >= reach)
                break;
            counts |= !r->trivial[last + 1 - r->d.edit];
        }
        if (!counts)
            continue;
        size_t above = MIN(around, e->a);
        size_t below = MIN(around, r->d.a.n - (last->a + last->an));
        struct diffcmd_group g = {e, last, e->a - above, 0, e->b - above, 0};
        g.an = last->a + last->an + below - g.a;
        g.bn = last->b + last->bn + below - g.b;
        if (unified)
            diffcmd_print_unified_group(r, &g);
        else
            diffcmd_print_context_group(r, &g);
    }
}

void diffcmd_print(struct diffcmd_run *r)
{
    r->function_at = 0;
    r->function_line = STR("");
    switch (r->o->style) {
    case DIFFCMD_UNIFIED:
    case DIFFCMD_CONTEXT: diffcmd_print_groups(r); break;
    case DIFFCMD_ED: diffcmd_print_ed(r); break;
    case DIFFCMD_FORWARD_ED: diffcmd_print_forward_ed(r); break;
    case DIFFCMD_RCS: diffcmd_print_rcs(r); break;
    case DIFFCMD_SIDE: diffcmd_print_side(r); break;
    case DIFFCMD_FORMATS: diffcmd_print_formats(r); break;
    default: diffcmd_print_normal(r); break;
    }
}

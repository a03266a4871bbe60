/* diff_format.c -- formats of one's own: --line-format, --GROUP-group-format, and -D, which is one
 *
 * A format is text with %-sequences. A group is what changed, or the equal lines between two
 * changes; its format says where its lines go, and the format of lines how each one looks.
 */
#include "commands/diff/diff.h"

#include "base/fmt.h"
#include "base/utf8.h"

/* What a group format can ask for. */
struct diffcmd_extent {
    size_t a, an, b, bn;
    int kind;
};

static struct str diffcmd_format_line(const struct diffcmd *o, int kind)
{
    return o->line_format[kind].p ? o->line_format[kind] : STR("%l\n");
}

/* %c'x' and %c'\101', behind the c. The length, 0 if it is something else. */
static size_t diffcmd_format_char(struct str s, char *out)
{
    size_t n = 1;
    unsigned value = 0;
    if (s.n >= 3 && s.p[0] == '\'' && s.p[1] != '\\' && s.p[2] == '\'') {
        *out = s.p[1];
        return 3;
    }
    if (s.n < 4 || s.p[0] != '\'' || s.p[1] != '\\')
        return 0;
    for (n = 2; n < s.n && n < 5 && s.p[n] >= '0' && s.p[n] <= '7'; n++)
        value = value * 8 + (unsigned)(s.p[n] - '0');
    if (n == 2 || n >= s.n || s.p[n] != '\'')
        return 0;
    *out = (char)value;
    return n + 1;
}

/* The number that a letter of a group format stands for. */
static bool diffcmd_format_value(const struct diffcmd_extent *g, char letter, size_t *out)
{
    bool old = ascii_lower(letter);
    size_t first = old ? g->a : g->b, n = old ? g->an : g->bn;
    switch (ascii_to_lower(letter)) {
    case 'e': *out = first; return true;
    case 'f': *out = first + 1; return true;
    case 'l': *out = first + n; return true;
    case 'm': *out = first + n + 1; return true;
    case 'n': *out = n; return true;
    default: return false;
    }
}

/* %[-'0][W][.P]{doxX}: a printf conversion; its length, 0 if it is none. */
static size_t diffcmd_format_spec(struct str s, char *spec, size_t cap)
{
    size_t n = 0, k = 0;
    spec[k++] = '%';
    while (n < s.n && strchr("-'0", s.p[n]) && k + 8 < cap) {
        if (s.p[n] != '\'')
            spec[k++] = s.p[n];
        n++;
    }
    while (n < s.n && (ascii_digit(s.p[n]) || s.p[n] == '.') && k + 8 < cap)
        spec[k++] = s.p[n++];
    if (n >= s.n || !strchr("doxX", s.p[n]))
        return 0;
    memcpy(spec + k, "ll", 2);
    spec[k + 2] = s.p[n] == 'd' ? 'u' : s.p[n];
    spec[k + 3] = '\0';
    return n + 1;
}

static void diffcmd_format_number(struct diffcmd_run *r, const char *spec, size_t value)
{
    char text[128];
    unsigned long long v = value;
    char last = spec[strlen(spec) - 1];
    int64_t width = 0, prec = -1;
    bool minus = false, zero = false;
    const char *at = spec + 1;

    for (; *at == '-' || *at == '0'; at++)
        minus |= *at == '-', zero |= *at == '0';
    for (; ascii_digit(*at); at++)
        width = MIN(width * 10 + (*at - '0'), 100);
    if (*at == '.')
        for (prec = 0, at++; ascii_digit(*at); at++)
            prec = MIN(prec * 10 + (*at - '0'), 100);
    size_t n = fmt_print(text, sizeof text,
                         last == 'o'   ? "%llo"
                         : last == 'x' ? "%llx"
                         : last == 'X' ? "%llX"
                                       : "%llu",
                         v);
    int64_t zeros = MAX(prec - (int64_t)n, 0);
    if (zero && !minus && prec < 0)
        zeros = MAX(width - (int64_t)n, 0);
    int64_t blanks = MAX(width - (int64_t)n - zeros, 0);
    for (int64_t i = 0; i < blanks && !minus; i++)
        out_putc(&r->out, ' ');
    for (int64_t i = 0; i < zeros; i++)
        out_putc(&r->out, '0');
    out_write(&r->out, text, n);
    for (int64_t i = 0; i < blanks && minus; i++)
        out_putc(&r->out, ' ');
}

/* The last line may lack its newline, which #endif cannot do without. */
static struct str diffcmd_format_ended(struct diffcmd_run *r, struct str line)
{
    struct buf b;
    buf_init(&b, &r->p->kernel->heap);
    buf_str(&b, line);
    buf_putc(&b, '\n');
    struct str s = arena_str(r->p->arena, buf_get(&b));
    buf_fini(&b);
    return s.p ? s : line;
}

static void diffcmd_format_one(struct diffcmd_run *r, struct str format, struct str line,
                               size_t number)
{
    bool nl = line.n && line.p[line.n - 1] == '\n';
    struct str body = nl ? str_sub(line, 0, line.n - 1) : line;
    char spec[40], c;

    for (size_t i = 0; i < format.n; i++) {
        if (format.p[i] != '%' || i + 1 >= format.n) {
            out_putc(&r->out, format.p[i]);
            continue;
        }
        struct str rest = str_from(format, i + 1);
        size_t n = 0;
        if (rest.p[0] == '%')
            out_putc(&r->out, '%'), i++;
        else if (rest.p[0] == 'l')
            diffcmd_print_text(r, body), i++;
        else if (rest.p[0] == 'L')
            diffcmd_print_text(r, r->o->ifdef.p && !nl ? diffcmd_format_ended(r, line) : line), i++;
        else if (rest.p[0] == 'c' && (n = diffcmd_format_char(str_from(rest, 1), &c)))
            out_putc(&r->out, c), i += n + 1;
        else if ((n = diffcmd_format_spec(rest, spec, sizeof spec)) && n < rest.n &&
                 rest.p[n] == 'n')
            diffcmd_format_number(r, spec, number), i += n + 1;
        else
            out_putc(&r->out, '%');
    }
}

static void diffcmd_format_lines(struct diffcmd_run *r, const struct diff_text *t, size_t from,
                                 size_t n, int kind)
{
    struct str format = diffcmd_format_line(r->o, kind);
    for (size_t i = from; i < from + n; i++)
        diffcmd_format_one(r, format, t->line[i], i + 1);
}

static size_t diffcmd_format_group(struct diffcmd_run *r, const struct diffcmd_extent *g,
                                   struct str format, char until, bool mute, int depth);

/* One operand of %(A=B?T:E): a number or a letter. */
static bool diffcmd_format_operand(const struct diffcmd_extent *g, struct str *s, size_t *out)
{
    if (s->n && diffcmd_format_value(g, s->p[0], out)) {
        *s = str_from(*s, 1);
        return true;
    }
    size_t n = 0, v = 0;
    while (n < s->n && ascii_digit(s->p[n]))
        v = v * 10 + (size_t)(s->p[n++] - '0');
    *s = str_from(*s, n);
    *out = v;
    return n > 0;
}

/* Behind "(": how much of the format it took; 0 if it is wrong. */
static size_t diffcmd_format_if(struct diffcmd_run *r, const struct diffcmd_extent *g, struct str s,
                                bool mute, int depth)
{
    struct str at = s;
    size_t a, b;
    if (depth > 20 || !diffcmd_format_operand(g, &at, &a) || !at.n || at.p[0] != '=')
        return 0;
    at = str_from(at, 1);
    if (!diffcmd_format_operand(g, &at, &b) || !at.n || at.p[0] != '?')
        return 0;
    at = str_from(at, 1);
    at = str_from(at, diffcmd_format_group(r, g, at, ':', mute || a != b, depth + 1));
    if (at.n && at.p[0] == ':')
        at = str_from(at, 1);
    at = str_from(at, diffcmd_format_group(r, g, at, ')', mute || a == b, depth + 1));
    return s.n - at.n + (at.n > 0);
}

/* The format up to `until`, which is not taken; how long it is. */
static size_t diffcmd_format_group(struct diffcmd_run *r, const struct diffcmd_extent *g,
                                   struct str f, char until, bool mute, int depth)
{
    char spec[40], c;
    size_t i, value;

    for (i = 0; i < f.n && !(until && f.p[i] == until); i++) {
        struct str rest = str_from(f, i + 1);
        size_t n = 0;
        if (f.p[i] != '%' || !rest.n) {
            if (!mute)
                out_putc(&r->out, f.p[i]);
            continue;
        }
        if (rest.p[0] == '(' && (n = diffcmd_format_if(r, g, str_from(rest, 1), mute, depth))) {
            i += n + 1;
            continue;
        }
        if (strchr("<>=%", rest.p[0])) {
            i++;
            if (mute)
                continue;
            if (rest.p[0] == '<')
                diffcmd_format_lines(r, &r->d.a, g->a, g->an, DIFFCMD_OLD);
            else if (rest.p[0] == '>')
                diffcmd_format_lines(r, &r->d.b, g->b, g->bn, DIFFCMD_NEW);
            else if (rest.p[0] == '=')
                diffcmd_format_lines(r, &r->d.a, g->a, g->kind == DIFFCMD_BOTH ? g->an : 0,
                                     DIFFCMD_BOTH);
            else
                out_putc(&r->out, '%');
        } else if (rest.p[0] == 'c' && (n = diffcmd_format_char(str_from(rest, 1), &c))) {
            if (!mute)
                out_putc(&r->out, c);
            i += n + 1;
        } else if ((n = diffcmd_format_spec(rest, spec, sizeof spec)) && n < rest.n &&
                   diffcmd_format_value(g, rest.p[n], &value)) {
            if (!mute)
                diffcmd_format_number(r, spec, value);
            i += n + 1;
        } else if (!mute) {
            out_putc(&r->out, '%');
        }
    }
    return i;
}

static struct str diffcmd_format_of(const struct diffcmd *o, int kind)
{
    const struct str *f = o->group_format;
    if (f[kind].p)
        return f[kind];
    switch (kind) {
    case DIFFCMD_OLD: return f[DIFFCMD_CHANGED].p ? f[DIFFCMD_CHANGED] : STR("%<");
    case DIFFCMD_NEW: return f[DIFFCMD_CHANGED].p ? f[DIFFCMD_CHANGED] : STR("%>");
    case DIFFCMD_BOTH: return STR("%=");
    default: return STR("%<%>");
    }
}

static void diffcmd_format_put(struct diffcmd_run *r, struct diffcmd_extent g)
{
    if (g.kind == DIFFCMD_CHANGED && !r->o->group_format[DIFFCMD_CHANGED].p &&
        (r->o->group_format[DIFFCMD_OLD].p || r->o->group_format[DIFFCMD_NEW].p)) {
        /* Both formats, one after the other. */
        diffcmd_format_group(r, &g, diffcmd_format_of(r->o, DIFFCMD_OLD), 0, false, 0);
        diffcmd_format_group(r, &g, diffcmd_format_of(r->o, DIFFCMD_NEW), 0, false, 0);
        return;
    }
    diffcmd_format_group(r, &g, diffcmd_format_of(r->o, g.kind), 0, false, 0);
}

void diffcmd_print_formats(struct diffcmd_run *r)
{
    size_t a = 0, b = 0;
    for (size_t i = 0; i < r->d.n; i++) {
        const struct diff_edit *e = &r->d.edit[i];
        if (e->a > a)
            diffcmd_format_put(r, (struct diffcmd_extent){a, e->a - a, b, e->b - b, DIFFCMD_BOTH});
        diffcmd_format_put(r, (struct diffcmd_extent){e->a, e->an, e->b, e->bn,
                                                      !e->an   ? DIFFCMD_NEW
                                                      : !e->bn ? DIFFCMD_OLD
                                                               : DIFFCMD_CHANGED});
        a = e->a + e->an;
        b = e->b + e->bn;
    }
    if (a < r->d.a.n)
        diffcmd_format_put(r,
                           (struct diffcmd_extent){a, r->d.a.n - a, b, r->d.b.n - b, DIFFCMD_BOTH});
}

/* -D NAME: both versions, as the C preprocessor keeps them apart. */
int diffcmd_format_ifdef(struct proc *p, struct diffcmd *o)
{
    static const struct {
        int kind;
        const char *text; /* @ is the name */
    } rows[] = {
        {DIFFCMD_OLD, "#ifndef @\n%<#endif /* ! @ */\n"},
        {DIFFCMD_NEW, "#ifdef @\n%>#endif /* @ */\n"},
        {DIFFCMD_CHANGED, "#ifndef @\n%<#else /* @ */\n%>#endif /* @ */\n"},
    };
    struct buf b;
    int e = 0;
    buf_init(&b, &p->kernel->heap);
    for (size_t i = 0; i < COUNT(rows) && e == 0; i++) {
        buf_clear(&b);
        for (const char *c = rows[i].text; *c; c++) {
            if (*c != '@') {
                buf_putc(&b, *c);
                continue;
            }
            for (size_t k = 0; k < o->ifdef.n; k++) {
                if (o->ifdef.p[k] == '%')
                    buf_putc(&b, '%');
                buf_putc(&b, o->ifdef.p[k]);
            }
        }
        e = diffcmd_specify(p, &o->group_format[rows[i].kind], arena_str(p->arena, buf_get(&b)),
                            "-D");
    }
    buf_fini(&b);
    return e ? e : heap_gate(&p->kernel->heap);
}

/* grep_print.c -- what grep writes: names, numbers, lines, colours */
#include "commands/grep/grep.h"

#include "base/fmt.h"
#include "base/utf8.h"

/* ---- colours --------------------------------------------------------------------------------- */

static void grep_color_on(struct grep_run *r, struct str color)
{
    if (color.n == 0)
        return;
    out_write(&r->out, "\33[", 2);
    out_str(&r->out, color);
    out_puts(&r->out, r->colors.no_clear ? "m" : "m\33[K");
}

static void grep_color_off(struct grep_run *r, struct str color)
{
    if (color.n)
        out_puts(&r->out, r->colors.no_clear ? "\33[m" : "\33[m\33[K");
}

static void grep_colored(struct grep_run *r, struct str color, const char *p, size_t n)
{
    if (r->o->color)
        grep_color_on(r, color);
    out_write(&r->out, p, n);
    if (r->o->color)
        grep_color_off(r, color);
}

/* One of NAME=VALUE and NAME in GREP_COLORS. False when it is ill-formed. */
static bool grep_color_set(struct grep_colors *c, struct str name, struct str value)
{
    static const struct {
        const char *name;
        size_t one, two;
    } rows[] = {
        {"mt", offsetof(struct grep_colors, match), offsetof(struct grep_colors, match_context)},
        {"ms", offsetof(struct grep_colors, match), offsetof(struct grep_colors, match)},
        {"mc", offsetof(struct grep_colors, match_context),
         offsetof(struct grep_colors, match_context)},
        {"fn", offsetof(struct grep_colors, name), offsetof(struct grep_colors, name)},
        {"ln", offsetof(struct grep_colors, number), offsetof(struct grep_colors, number)},
        {"bn", offsetof(struct grep_colors, offset), offsetof(struct grep_colors, offset)},
        {"se", offsetof(struct grep_colors, separator), offsetof(struct grep_colors, separator)},
        {"sl", offsetof(struct grep_colors, line), offsetof(struct grep_colors, line)},
        {"cx", offsetof(struct grep_colors, line_context),
         offsetof(struct grep_colors, line_context)},
    };

    if (str_eqz(name, "rv"))
        c->reverse = true;
    else if (str_eqz(name, "ne"))
        c->no_clear = true;
    for (size_t i = 0; i < COUNT(rows) && value.p; i++) {
        if (!str_eqz(name, rows[i].name))
            continue;
        *(struct str *)(void *)((char *)c + rows[i].one) = value;
        *(struct str *)(void *)((char *)c + rows[i].two) = value;
    }
    for (size_t i = 0; i < value.n; i++) {
        if (!ascii_digit(value.p[i]) && value.p[i] != ';')
            return false;
    }
    return true;
}

static void grep_colors_read(struct grep_colors *c, struct str spec)
{
    while (spec.n) {
        ptrdiff_t colon = str_chr(spec, ':');
        struct str item = str_sub(spec, 0, colon < 0 ? spec.n : (size_t)colon);
        ptrdiff_t eq = str_chr(item, '=');
        struct str name = str_sub(item, 0, eq < 0 ? item.n : (size_t)eq);
        struct str value = eq < 0 ? STR_NONE : str_from(item, (size_t)eq + 1);
        struct grep_colors was = *c;
        if (!grep_color_set(c, name, value)) {
            *c = was;
            return;
        }
        spec = str_from(spec, item.n + 1);
    }
}

void grep_print_setup(struct grep_run *r)
{
    struct str v;

    r->colors = (struct grep_colors){.match = STR("01;31"),
                                     .match_context = STR("01;31"),
                                     .name = STR("35"),
                                     .number = STR("32"),
                                     .offset = STR("32"),
                                     .separator = STR("36")};
    if (!r->o->color)
        return;
    if (proc_getenv(r->p, STR("GREP_COLOR"), &v) && v.n) {
        r->colors.match = r->colors.match_context = v;
        proc_warn(r->p, "warning: GREP_COLOR='%.*s' is deprecated; use GREP_COLORS='mt=%.*s'",
                  STR_ARG(v), STR_ARG(v));
    }
    if (proc_getenv(r->p, STR("GREP_COLORS"), &v))
        grep_colors_read(&r->colors, v);
}

/* ---- lines ----------------------------------------------------------------------------------- */

void grep_print_name(struct grep_run *r)
{
    grep_colored(r, r->colors.name, r->f.name.p, r->f.name.n);
}

void grep_print_separator(struct grep_run *r, char sep)
{
    grep_colored(r, r->colors.separator, &sep, 1);
}

void grep_print_group(struct grep_run *r)
{
    if (r->o->no_separator)
        return;
    grep_colored(r, r->colors.separator, r->o->separator.p, r->o->separator.n);
    out_putc(&r->out, '\n');
}

static void grep_print_number(struct grep_run *r, uint64_t n, struct str color, char sep)
{
    char digits[24];
    size_t len = fmt_uint(digits, n);
    if (len < r->f.width) {
        memmove(digits + r->f.width - len, digits, len);
        memset(digits, ' ', r->f.width - len);
        len = r->f.width;
    }
    if (!r->o->color) {
        digits[len] = sep;
        out_write(&r->out, digits, len + 1);
        return;
    }
    grep_colored(r, color, digits, len);
    grep_print_separator(r, sep);
}

/* What stands before `text`. False: the text cannot be shown. */
static bool grep_print_head(struct grep_run *r, struct str text, char sep, uint64_t off,
                            uint64_t number)
{
    const struct grep *o = r->o;

    if (o->binary != GREP_BINARY_TEXT && !r->bytes && !utf8_valid(text)) {
        r->f.odd = true;
        return false;
    }
    if (r->names) {
        grep_print_name(r);
        if (o->nul_names)
            out_putc(&r->out, '\0');
        else
            grep_print_separator(r, sep);
    }
    if (o->line_numbers)
        grep_print_number(r, number, r->colors.number, sep);
    if (o->offsets)
        grep_print_number(r, off, r->colors.offset, sep);
    if (o->tabs && (r->names || o->line_numbers || o->offsets) && text.n)
        out_putc(&r->out, '\t');
    return true;
}

struct grep_line {
    const char *beg, *lim; /* with the line end */
    char sep;
    uint64_t off, number;
    struct str color, match;
};

/* The matches of a line: alone, or in colour between the rest. Returns what is left of the line, or
 * NULL when it cannot be shown. */
static const char *grep_print_matches(struct grep_run *r, const struct grep_line *l)
{
    struct str text = str_of(l->beg, (size_t)(l->lim - l->beg));
    size_t at = 0, shown = 0;
    struct regex_match m;
    struct regex *re = r->show ? r->show : r->re;
    int found = 0, len;

    text.n -= text.n && text.p[text.n - 1] == r->eol;
    while (at <= text.n && (found = re ? regex_exec(re, text, at, 0, &m, 1)
                                       : grep_perl_exec(r, text, at, &m)) > 0) {
        size_t start = (size_t)m.start, n = (size_t)(m.end - m.start);
        if (n == 0) {
            if (start == text.n)
                break;
            utf8_decode(text.p + start, text.n - start, &len);
            at = start + (size_t)len;
            continue;
        }
        if (r->o->only) {
            if (!grep_print_head(r, str_of(text.p + start, n), r->o->invert ? '-' : ':',
                                 l->off + start, l->number))
                return NULL;
        } else {
            grep_color_on(r, l->color);
            out_write(&r->out, text.p + shown, start - shown);
        }
        grep_colored(r, l->match, text.p + start, n);
        if (r->o->only)
            out_putc(&r->out, r->eol);
        at = shown = (size_t)m.end;
    }
    if (found < 0)
        r->err = found;
    return r->o->only ? l->lim : l->beg + shown;
}

/* The rest of a coloured line, but for its end. */
static const char *grep_print_tail(struct grep_run *r, const char *beg, const struct grep_line *l)
{
    const char *stop = l->lim;

    stop -= stop > beg && stop[-1] == r->eol;
    stop -= stop > beg && stop[-1] == '\r';
    if (stop > beg) {
        grep_color_on(r, l->color);
        out_write(&r->out, beg, (size_t)(stop - beg));
        grep_color_off(r, l->color);
    }
    return stop;
}

bool grep_print_line(struct grep_run *r, const char *beg, const char *lim, char sep, uint64_t off,
                     uint64_t number)
{
    const struct grep *o = r->o;
    struct grep_line l = {.beg = beg, .lim = lim, .sep = sep, .off = off, .number = number};
    bool matching = (sep == ':') != o->invert;

    if (!o->only && !grep_print_head(r, str_of(beg, (size_t)(lim - beg) - 1), sep, off, number))
        return false;
    if (o->color) {
        bool selected = (sep == ':') != (o->invert && r->colors.reverse);
        l.color = selected ? r->colors.line : r->colors.line_context;
        l.match = sep == ':' ? r->colors.match : r->colors.match_context;
    }
    if ((o->only && matching) || l.color.n || l.match.n) {
        if (matching && (o->only || l.match.n))
            beg = grep_print_matches(r, &l);
        if (beg && !o->only && l.color.n)
            beg = grep_print_tail(r, beg, &l);
    }
    if (beg && !o->only && lim > beg)
        out_write(&r->out, beg, (size_t)(lim - beg));
    return beg != NULL;
}

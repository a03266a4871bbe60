/* sort_debug.c -- sort --debug: what of each line is compared, and which keys mislead */
#include "base/utf8.h"
#include "commands/lib/locale.h"
#include "commands/sort/sort.h"
#include "text/number.h"

static bool sort_debug_numeric(const struct sort_key *k)
{
    return k->numeric || k->general || k->human;
}

/* The letters of the options that a key has. */
static size_t sort_debug_letters(const struct sort_key *k, char out[16])
{
    const bool set[] = {k->skip_start || k->skip_end,
                        k->skip == SORT_DICTIONARY,
                        k->fold,
                        k->general,
                        k->human,
                        k->skip == SORT_PRINTABLE,
                        k->month,
                        k->numeric,
                        k->random,
                        k->reverse,
                        k->version};
    size_t n = 0;
    for (size_t i = 0; i < COUNT(set); i++)
        if (set[i])
            out[n++] = "bdfghiMnRrV"[i];
    return n;
}

/* One key; true if it is a number that goes over several fields. */
static bool sort_debug_key(struct sorter *s, const struct sort_key *k, size_t number)
{
    bool none = k->end_field < k->start_field;
    bool implied = sort_debug_numeric(k) || k->month;
    bool line_offset = k->end_field == 0 && k->end_char != 0;

    if (none)
        proc_warn(s->p, "key %zu has zero width and will be ignored", number);
    if (!none && !s->whole && !s->tab_set && !line_offset &&
        ((!k->skip_start && !implied) || (!k->skip_start && k->start_char) ||
         (!k->skip_end && k->end_char)))
        proc_warn(s->p, "leading blanks are significant in key %zu; consider also specifying 'b'",
                  number);
    /* An end in a character of the next field counts as that field, as there. */
    size_t last = k->end_field == SIZE_MAX ? 0 : k->end_field + 1;
    if (s->whole || !sort_debug_numeric(k) || (last && k->start_field + 1 >= last))
        return false;
    proc_warn(s->p, "key %zu is numeric and spans multiple fields", number);
    return true;
}

/* Options that stand alone and that no key took over. */
static void sort_debug_unused(struct sorter *s, struct sort_key left)
{
    char letters[16];
    bool reverse = left.reverse, only = s->stable || s->unique;

    if (!only || s->nkeys == 0)
        left.reverse = false;
    size_t n = sort_debug_letters(&left, letters);
    if (n)
        proc_warn(s->p, n == 1 ? "option '-%.*s' is ignored" : "options '-%.*s' are ignored",
                  (int)n, letters);
    if (reverse && !only && s->nkeys)
        proc_warn(s->p, "option '-r' only applies to last-resort comparison");
}

void sort_debug_start(struct sorter *s)
{
    struct sort_key left = s->all;
    bool number = false, spans = false, general_spans = false;

    if (locale_bytes(s->p))
        proc_warn(s->p, "text ordering performed using simple byte comparison");
    else
        proc_warn(s->p, "text ordering performed using %s sorting rules",
                  proc_quote(s->p, STR("C.UTF-8")));
    for (size_t i = 0; i < s->nkeys; i++) {
        const struct sort_key *k = &s->keys[i];
        number |= sort_debug_numeric(k);
        if (sort_debug_key(s, k, i + 1)) {
            spans = true;
            general_spans |= k->general;
        }
        if (left.skip == k->skip)
            left.skip = SORT_ALL_BYTES;
        left.fold &= !k->fold;
        left.skip_start &= !k->skip_start;
        left.skip_end &= !k->skip_end;
        left.numeric &= !k->numeric;
        left.human &= !k->human;
        left.general &= !k->general;
        left.month &= !k->month;
        left.version &= !k->version;
        left.random &= !k->random;
        left.reverse &= !k->reverse;
    }
    const char *tab = proc_quote(s->p, str_of(&s->tab, 1));
    bool point = s->tab_set && s->tab == '.';
    if (spans && point)
        proc_warn(s->p, "field separator %s is treated as a decimal point in numbers", tab);
    else if (spans && s->tab_set && s->tab == '-')
        proc_warn(s->p, "field separator %s is treated as a minus sign in numbers", tab);
    else if (general_spans && s->tab_set && s->tab == '+')
        proc_warn(s->p, "field separator %s is treated as a plus sign in numbers", tab);
    if (number && !(spans && point))
        proc_warn(s->p, "%snumbers use %s as a decimal point in this locale", point ? "" : "note ",
                  proc_quote(s->p, STR(".")));
    sort_debug_unused(s, left);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Columns on a screen; a tab, which is shown as >, has one. */
static size_t sort_debug_width(struct str s)
{
    size_t width = 0;
    while (s.n) {
        int n, w = utf8_width(utf8_decode(s.p, s.n, &n));
        width += s.p[0] == '\t' ? 1 : w > 0 ? (size_t)w : 0;
        s = str_from(s, (size_t)n);
    }
    return width;
}

/* The part of a key that a number or a month takes; blanks in front are not among it. */
static struct str sort_debug_tight(const struct sort_key *k, struct str t)
{
    size_t i = 0, used = 0;

    while (t.n && (t.p[0] == ' ' || t.p[0] == '\t' || t.p[0] == '\n'))
        t = str_from(t, 1);
    if (k->month)
        return str_sub(t, 0, sort_month(t) ? 3 : 0);
    if (k->general) {
        number_parse(t, &used);
        return str_sub(t, 0, used);
    }
    if (!k->numeric && !k->human)
        return t;
    i += t.n && t.p[0] == '-';
    bool digits = false;
    for (; i < t.n && ascii_digit(t.p[i]); i++)
        digits = true;
    if (i < t.n && t.p[i] == '.')
        for (i++; i < t.n && ascii_digit(t.p[i]); i++)
            digits = true;
    if (digits && k->human && i < t.n && strchr("KMGTPEZYRQk", t.p[i]) && t.p[i])
        i++;
    return str_sub(t, 0, digits ? i : 0);
}

static void sort_debug_mark(struct out *o, struct str line, struct str part)
{
    size_t before = sort_debug_width(str_sub(line, 0, (size_t)(part.p - line.p)));
    size_t width = sort_debug_width(part);

    for (size_t i = 0; i < before + width; i++)
        out_putc(o, i < before ? ' ' : '_');
    if (width == 0)
        out_str(o, STR("^ no match for key"));
    out_write(o, "\n", 1);
}

void sort_debug_line(struct sorter *s, struct out *o, struct str line)
{
    for (size_t i = 0; i < line.n; i++)
        out_write(o, line.p[i] == '\t' ? ">" : &line.p[i], 1);
    out_write(o, "\n", 1);
    for (size_t i = 0; i < s->nkeys; i++) {
        const struct sort_key *k = &s->keys[i];
        struct str part = sort_key_find(s, k, line);
        if ((s->whole && k->skip_start) || k->month || sort_debug_numeric(k))
            part = sort_debug_tight(k, part);
        sort_debug_mark(o, line, part);
    }
    if (s->nkeys == 0 || !(s->unique || s->stable))
        sort_debug_mark(o, line, line);
}

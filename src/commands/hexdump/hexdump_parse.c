/* hexdump_parse.c -- hexdump's formats, read and taken apart */
#include "commands/hexdump/hexdump.h"

#include "base/utf8.h"

static struct str hexdump_blank(struct str s)
{
    while (s.n && ascii_space((unsigned char)s.p[0]))
        s = str_from(s, 1);
    return s;
}

/* Digits in front of s, which are taken off it. */
static uint64_t hexdump_number(struct str *s)
{
    uint64_t v = 0;
    for (; s->n && ascii_digit(s->p[0]); *s = str_from(*s, 1))
        v = MIN(v * 10 + (uint64_t)(s->p[0] - '0'), (uint64_t)INT32_MAX);
    return v;
}

/* \n and the like, on the arena; a \0 ends the text. */
static struct str hexdump_escapes(struct hexdump *h, struct str s)
{
    static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
    char *out = arena_alloc(h->p->arena, s.n + 1);
    size_t n = 0;

    for (size_t i = 0; out && i < s.n; i++) {
        char c = s.p[i];
        if (c == '\\' && i + 1 < s.n) {
            c = s.p[++i];
            const char *at = c ? strchr(from, c) : NULL;
            if (c == '0')
                break;
            c = at ? to[at - from] : c;
        }
        out[n++] = c;
    }
    return out ? str_of(out, n) : STR("");
}

static int hexdump_bad_format(struct hexdump *h, struct str format)
{
    proc_warn(h->p, "bad format {%.*s}", STR_ARG(format));
    return 1;
}

/* One unit from the front of *rest. 0 or a status. */
static int hexdump_add_unit(struct hexdump *h, struct str format, struct str *rest,
                            struct hexdump_unit *u)
{
    struct str s = *rest;

    *u = (struct hexdump_unit){.times = 1};
    if (ascii_digit(s.p[0])) {
        u->times = hexdump_number(&s);
        u->times_given = true;
        if (s.n == 0 || (!ascii_space((unsigned char)s.p[0]) && s.p[0] != '/'))
            return hexdump_bad_format(h, format);
        s = hexdump_blank(str_from(s, 1));
    }
    if (s.n && s.p[0] == '/')
        s = hexdump_blank(str_from(s, 1));
    if (s.n && ascii_digit(s.p[0])) {
        u->bytes = hexdump_number(&s);
        if (s.n == 0 || !ascii_space((unsigned char)s.p[0]))
            return hexdump_bad_format(h, format);
        s = hexdump_blank(s);
    }
    if (s.n == 0 || s.p[0] != '"')
        return hexdump_bad_format(h, format);
    s = str_from(s, 1);
    ptrdiff_t close = str_chr(s, '"');
    if (close < 0)
        return hexdump_bad_format(h, format);
    u->format = hexdump_escapes(h, str_sub(s, 0, (size_t)close));
    *rest = hexdump_blank(str_from(s, (size_t)close + 1));
    return 0;
}

static int hexdump_add(struct hexdump *h, struct str format)
{
    struct heap *heap = &h->p->kernel->heap;
    struct str rest = hexdump_blank(format);

    if (!vec_push(heap, &h->formats, (struct hexdump_format){0}))
        return HOB_ENOMEM;
    struct hexdump_format *f = &h->formats.p[h->formats.n - 1];
    while (rest.n) {
        struct hexdump_unit u;
        int r = hexdump_add_unit(h, format, &rest, &u);
        if (r)
            return r;
        if (!vec_push(heap, &f->units, u))
            return HOB_ENOMEM;
    }
    return 0;
}

/* ---- items ---------------------------------------------------------------------------------- */

static int hexdump_bad(struct hexdump *h, const char *what, struct str conversion)
{
    proc_warn(h->p, "%s%.*s", what, STR_ARG(conversion));
    return 1;
}
static int hexdump_bad_conversion(struct hexdump *h, struct str s)
{
    return hexdump_bad(h, "bad conversion character %", s);
}
static int hexdump_bad_count(struct hexdump *h, struct str s)
{
    return hexdump_bad(h, "bad byte count for conversion character ", s);
}

static const char *hexdump_colour_code(struct str name)
{
    static const char *const names[][2] = {
        {"black", "30"},        {"blink", "5"},
        {"blue", "34"},         {"bold", "1"},
        {"brown", "33"},        {"cyan", "36"},
        {"darkgray", "1;30"},   {"gray", "37"},
        {"green", "32"},        {"halfbright", "2"},
        {"lightblue", "1;34"},  {"lightcyan", "1;36"},
        {"lightgreen", "1;32"}, {"lightmagenta", "1;35"},
        {"lightred", "1;31"},   {"magenta", "35"},
        {"red", "31"},          {"reset", "0"},
        {"reverse", "7"},       {"yellow", "1;33"},
    };
    for (size_t i = 0; i < COUNT(names); i++) {
        if (str_eqz(name, names[i][0]))
            return names[i][1];
    }
    return NULL;
}

/* "!red:0x41@16-31". A value that begins with 0 is a number, in hexadecimal or octal digits. */
static int hexdump_colour_unit(struct hexdump *h, struct str s, struct hexdump_item *item)
{
    struct hexdump_colour c = {0};

    if (s.n && s.p[0] == '!') {
        c.negated = true;
        s = str_from(s, 1);
    }
    ptrdiff_t at = str_rchr(s, '@');
    if (at >= 0) {
        struct str range = str_from(s, (size_t)at + 1);
        s = str_sub(s, 0, (size_t)at);
        c.has_range = true;
        c.from = c.to = hexdump_number(&range);
        if (range.n && range.p[0] == '-') {
            range = str_from(range, 1);
            c.to = hexdump_number(&range);
        }
    }
    ptrdiff_t colon = str_chr(s, ':');
    if (colon >= 0) {
        struct str value = str_from(s, (size_t)colon + 1);
        s = str_sub(s, 0, (size_t)colon);
        c.has_value = true;
        if (value.n && value.p[0] == '0') {
            bool hex = value.n > 2 && (value.p[1] | 32) == 'x';
            for (size_t i = hex ? 2 : 0; i < value.n && ascii_alnum(value.p[i]); i++) {
                int d = ascii_digit(value.p[i]) ? value.p[i] - '0' : (value.p[i] | 32) - 'a' + 10;
                c.value = c.value * (hex ? 16 : 8) + (uint64_t)d;
            }
        } else {
            c.text = value;
            if (value.n != item->bytes)
                return hexdump_bad_count(h, STR("_L"));
        }
    }
    c.code = hexdump_colour_code(s);
    return vec_push(&h->p->kernel->heap, &item->colours, c) ? 0 : HOB_ENOMEM;
}

/* "_L[red:x,green]" at the front of *rest. */
static int hexdump_colours(struct hexdump *h, struct str *rest, struct hexdump_item *item)
{
    if (!str_starts(*rest, STR("_L[")))
        return 0;
    ptrdiff_t close = str_chr(*rest, ']');
    if (close < 0)
        return hexdump_bad_conversion(h, STR("_L"));
    struct str list = str_sub(*rest, 3, (size_t)close - 3);
    *rest = str_from(*rest, (size_t)close + 1);
    for (bool more = true; more && h->colour;) {
        ptrdiff_t comma = str_chr(list, ',');
        more = comma >= 0;
        struct str one = str_sub(list, 0, more ? (size_t)comma : list.n);
        int r = hexdump_colour_unit(h, one, item);
        if (r)
            return r;
        list = str_from(list, one.n + 1);
    }
    return 0;
}

/* Flags, width and precision behind the %; what is left begins with the conversion. */
static struct str hexdump_flags(struct str s, struct hexdump_item *item)
{
    for (; s.n && s.p[0] && strchr("#-+ 0", s.p[0]); s = str_from(s, 1)) {
        item->sharp |= s.p[0] == '#';
        item->left |= s.p[0] == '-';
        item->plus |= s.p[0] == '+';
        item->space |= s.p[0] == ' ';
        item->zero |= s.p[0] == '0';
    }
    item->width = (int)hexdump_number(&s);
    item->precision = -1;
    if (s.n && s.p[0] == '.') {
        s = str_from(s, 1);
        if (s.n && ascii_digit(s.p[0]))
            item->precision = (int)hexdump_number(&s);
    }
    return s;
}

/* %_a and the others that have two letters or more; s begins behind the underscore. */
static int hexdump_underscore(struct hexdump *h, struct str s, struct hexdump_unit *u,
                              struct hexdump_item *item, size_t *used)
{
    static const char letters[] = "cpu";
    char c = s.n ? s.p[0] : '\0';
    struct str whole = str_of(s.p - 1, MIN(s.n, (size_t)1) + 1);

    if (c == 'a' || c == 'A') {
        whole.n = MIN(s.n, (size_t)2) + 1;
        if (s.n < 2 || !s.p[1] || !strchr("dox", s.p[1]))
            return hexdump_bad_conversion(h, whole);
        u->at_end |= c == 'A';
        item->kind = HEXDUMP_ADDRESS;
        item->bytes = 0;
        item->conv = s.p[1];
        *used = 2;
        return 0;
    }
    const char *at = c ? strchr(letters, c) : NULL;
    if (!at)
        return hexdump_bad_conversion(h, whole);
    static const enum hexdump_kind kinds[] = {HEXDUMP_ESCAPED, HEXDUMP_PRINT, HEXDUMP_NAMED};
    item->kind = kinds[at - letters];
    item->bytes = 1;
    *used = 1;
    return u->bytes > 1 ? hexdump_bad_count(h, whole) : 0;
}

/* What a conversion reads. */
static int hexdump_conversion(struct hexdump *h, struct str s, struct hexdump_unit *u,
                              struct hexdump_item *item, size_t *used)
{
    char c = s.n ? s.p[0] : '\0';
    struct str whole = str_sub(s, 0, 1);
    bool ok = true;

    *used = 1;
    item->conv = c;
    item->bytes = (size_t)u->bytes;
    if (c == '_') {
        int r = hexdump_underscore(h, str_from(s, 1), u, item, used);
        ++*used;
        return r;
    }
    if (c == 'c') {
        item->kind = HEXDUMP_CHAR;
        ok = u->bytes <= 1;
        item->bytes = 1;
    } else if (c && strchr("diouxX", c)) {
        item->kind = c == 'd' || c == 'i' ? HEXDUMP_SIGNED : HEXDUMP_UNSIGNED;
        ok = u->bytes <= 2 || u->bytes == 4 || u->bytes == 8;
        if (u->bytes == 0)
            item->bytes = 4;
    } else if (c && strchr("efgEG", c)) {
        item->kind = HEXDUMP_REAL;
        ok = u->bytes == 0 || u->bytes == 4 || u->bytes == 8;
        if (u->bytes == 0)
            item->bytes = 8;
    } else if (c == 's') {
        item->kind = HEXDUMP_STRING;
        if (u->bytes == 0 && item->precision < 0) {
            proc_warn(h->p, "%%s requires a precision or a byte count");
            return 1;
        }
        if (u->bytes == 0)
            item->bytes = (size_t)item->precision;
    } else {
        return hexdump_bad_conversion(h, whole);
    }
    return ok ? 0 : hexdump_bad_count(h, whole);
}

static int hexdump_items(struct hexdump *h, struct hexdump_unit *u)
{
    struct heap *heap = &h->p->kernel->heap;
    struct str s = u->format;
    uint64_t bytes = 0;
    int conversions = 0;

    while (s.n) {
        ptrdiff_t at = str_chr(s, '%');
        struct hexdump_item item = {.text = str_sub(s, 0, at < 0 ? s.n : (size_t)at)};
        size_t used = 0;
        int r = 0;

        s = at < 0 ? str_from(s, s.n) : hexdump_flags(str_from(s, (size_t)at + 1), &item);
        if (at >= 0)
            r = hexdump_conversion(h, s, u, &item, &used);
        s = str_from(s, used);
        if (r == 0 && at >= 0)
            r = hexdump_colours(h, &s, &item);
        if (r == 0 && !vec_push(heap, &u->items, item))
            r = HOB_ENOMEM;
        if (r) {
            vec_fini(heap, &item.colours);
            return r;
        }
        bool reads = item.kind != HEXDUMP_TEXT && item.kind != HEXDUMP_ADDRESS;
        if (reads && u->bytes && conversions++) {
            proc_warn(h->p, "byte count with multiple conversion characters");
            return 1;
        }
        bytes += item.bytes;
    }
    if (u->bytes == 0)
        u->bytes = bytes;
    return 0;
}

/* A last unit that reads something and has no count goes on to the end of the block; where a unit
 * is printed several times, the blank behind the last is left out. */
static void hexdump_repeat(struct hexdump *h, struct hexdump_format *f)
{
    for (size_t i = 0; i < f->units.n; i++) {
        struct hexdump_unit *u = &f->units.p[i];
        if (i + 1 == f->units.n && f->bytes < h->block && !u->times_given && u->bytes)
            u->times += (h->block - f->bytes) / u->bytes;
        struct hexdump_item *last = u->items.n ? &u->items.p[u->items.n - 1] : NULL;
        if (u->times > 1 && last && last->kind == HEXDUMP_TEXT && last->text.n)
            last->trim = ascii_space((unsigned char)last->text.p[last->text.n - 1]);
    }
}

int hexdump_parse(struct hexdump *h)
{
    for (size_t i = 0; i < h->given.n; i++) {
        int r = hexdump_add(h, h->given.p[i]);
        if (r)
            return r;
    }
    for (size_t i = 0; i < h->formats.n; i++) {
        struct hexdump_format *f = &h->formats.p[i];
        for (size_t k = 0; k < f->units.n; k++) {
            int r = hexdump_items(h, &f->units.p[k]);
            if (r)
                return r;
            f->bytes += f->units.p[k].bytes * f->units.p[k].times;
            if (f->bytes > SIZE_MAX / 8)
                return HOB_ENOMEM; /* no such block can be held */
        }
        h->block = MAX(h->block, (size_t)f->bytes);
    }
    for (size_t i = 0; i < h->formats.n; i++)
        hexdump_repeat(h, &h->formats.p[i]);
    return 0;
}

void hexdump_free(struct hexdump *h)
{
    struct heap *heap = &h->p->kernel->heap;

    for (size_t i = 0; i < h->formats.n; i++) {
        struct hexdump_format *f = &h->formats.p[i];
        for (size_t k = 0; k < f->units.n; k++) {
            struct hexdump_unit *u = &f->units.p[k];
            for (size_t m = 0; m < u->items.n; m++)
                vec_fini(heap, &u->items.p[m].colours);
            vec_fini(heap, &u->items);
        }
        vec_fini(heap, &f->units);
    }
    vec_fini(heap, &h->formats);
}

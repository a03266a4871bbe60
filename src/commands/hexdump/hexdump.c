/* hexdump.c -- show bytes by formats: hexdump, hd
 *
 * The input of all files is one stream of blocks. A block that equals the one before is not shown,
 * a * stands for all of them. The last one is filled up, and what would show bytes behind the end
 * shows blanks of the same width.
 */
#include "commands/hexdump/hexdump.h"

#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "commands/lib/each.h"

#define HEXDUMP_END "\"%07.7_Ax\n\""

/* -b and the others: the formats they stand for. */
static int hexdump_style(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct {
        char letter;
        const char *formats[3];
    } styles[] = {
        {'b', {HEXDUMP_END, "\"%07.7_ax \" 16/1 \"%03o \" \"\\n\"", NULL}},
        {'c', {HEXDUMP_END, "\"%07.7_ax \" 16/1 \"%3_c \" \"\\n\"", NULL}},
        {'C',
         {"\"%08.8_Ax\n\"", "\"%08.8_ax  \" 8/1 \"%02x \" \"  \" 8/1 \"%02x \" ",
          "\"  |\" 16/1 \"%_p\" \"|\\n\""}},
        {'d', {HEXDUMP_END, "\"%07.7_ax \" 8/2 \"  %05u \" \"\\n\"", NULL}},
        {'o', {HEXDUMP_END, "\"%07.7_ax \" 8/2 \" %06o \" \"\\n\"", NULL}},
        {'x', {HEXDUMP_END, "\"%07.7_ax \" 8/2 \"   %04x \" \"\\n\"", NULL}},
        {'\0', {HEXDUMP_END, "\"%07.7_ax \" 8/2 \"%04x \" \"\\n\"", NULL}},
    };
    struct hexdump *h = args;
    size_t i = 0;
    (void)arg;

    while (styles[i].letter && styles[i].letter != o->letter)
        i++;
    for (size_t k = 0; k < 3 && styles[i].formats[k]; k++)
        proc_push(p, &h->given, str_z(styles[i].formats[k]));
    return 0;
}
#undef HEXDUMP_END

static int hexdump_format(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)o;
    proc_push(p, &((struct hexdump *)args)->given, arg);
    return 0;
}

static int hexdump_format_file(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct file *file;
    struct in in;
    struct str line;
    bool had;
    int err = vfs_open(p, arg, FILE_READ, 0, &file);
    (void)o;

    if (err == 0) {
        in_init_file(&in, p, file, true);
        while (in_line(&in, '\n', &line, &had)) {
            line = str_trim(line);
            if (line.n && line.p[0] != '#')
                proc_push(p, &((struct hexdump *)args)->given, arena_str(p->arena, line));
        }
        in_fini(&in);
    }
    if (err == 0 || err == HOB_EISDIR) /* one can be opened, and has no lines */
        return 0;
    proc_warn(p, "can't read %.*s: %s", STR_ARG(arg), error_text(err));
    return 2;
}

/* Sizes as util-linux takes them: hexadecimal and octal, too; K is 1024, KB is 1000. */
static int hexdump_size(struct str s, uint64_t *out)
{
    s = str_trim(s);
    unsigned base = s.n > 1 && s.p[0] == '0' ? (s.p[1] | 32) == 'x' ? 16 : 8 : 10;
    uint64_t v = 0;
    size_t i = base == 16 ? 2 : 0, start = i;

    for (; i < s.n; i++) {
        unsigned d = ascii_digit(s.p[i]) ? (unsigned)(s.p[i] - '0')
                     : base == 16 && (s.p[i] | 32) >= 'a' && (s.p[i] | 32) <= 'f'
                         ? (unsigned)((s.p[i] | 32) - 'a' + 10)
                         : 99;
        if (d >= base)
            break;
        if (v > (UINT64_MAX - d) / base)
            return HOB_ERANGE;
        v = v * base + d;
    }
    struct str unit = str_from(s, i);
    *out = v;
    if (i == start || unit.n == 0)
        return i == start ? HOB_EINVAL : 0;
    const char *at = strchr("KMGTPEZY", ascii_to_upper(unit.p[0]));
    bool decimal = unit.n == 2 && ascii_to_upper(unit.p[1]) == 'B';
    if (!unit.p[0] || !at ||
        (unit.n > 1 && !decimal && !(unit.n == 3 && unit.p[1] == 'i' && unit.p[2] == 'B')))
        return HOB_EINVAL;
    for (ptrdiff_t k = at - "KMGTPEZY"; k >= 0; k--) {
        uint64_t factor = decimal ? 1000 : 1024;
        if (v > UINT64_MAX / factor)
            return HOB_ERANGE;
        v *= factor;
    }
    *out = v;
    return 0;
}

static int hexdump_size_option(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct hexdump *h = args;
    uint64_t v;
    int err = hexdump_size(arg, &v);

    if (err == 0 && v > INT64_MAX)
        err = HOB_ERANGE;
    if (err < 0) {
        proc_warn(p, "failed to parse %s: '%.*s': %s", o->letter == 'n' ? "length" : "offset",
                  STR_ARG(arg), error_text(err));
        return 2;
    }
    if (o->letter == 'n')
        h->length = (int64_t)v;
    else
        h->skip = v;
    return 0;
}

static int hexdump_colour_option(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct hexdump *h = args;
    (void)o;
    if (arg.n && arg.p[0] == '=')
        arg = str_from(arg, 1);
    if (!arg.p || str_eqz(arg, "auto") || str_eqz(arg, "never")) {
        h->colour = 0; /* nothing here is a terminal that would show them */
    } else if (str_eqz(arg, "always")) {
        h->colour = 1;
    } else {
        proc_warn(p, "unsupported color mode: '%.*s'", STR_ARG(arg));
        return 2;
    }
    return 0;
}

static const struct opt hexdump_opts[] = {
    OPT_CALL('b', "one-byte-octal", hexdump_style, NULL, "bytes in octal digits"),
    OPT_CALL('c', "one-byte-char", hexdump_style, NULL, "bytes as characters"),
    OPT_CALL('C', "canonical", hexdump_style, NULL, "bytes in hexadecimal and as characters"),
    OPT_CALL('d', "two-bytes-decimal", hexdump_style, NULL, "numbers of two bytes, decimal"),
    OPT_CALL('o', "two-bytes-octal", hexdump_style, NULL, "numbers of two bytes, octal"),
    OPT_CALL('x', "two-bytes-hex", hexdump_style, NULL, "numbers of two bytes, hexadecimal"),
    OPT_CALL_OPTIONAL('L', "color", hexdump_colour_option, "MODE",
                      "use the colours of the formats: auto, always or never"),
    OPT_CALL('e', "format", hexdump_format, "FORMAT", "show data by this format"),
    OPT_CALL('f', "format-file", hexdump_format_file, "FILE", "formats, one in a line"),
    OPT_CALL('n', "length", hexdump_size_option, "LENGTH", "only LENGTH bytes of the input"),
    OPT_CALL('s', "skip", hexdump_size_option, "OFFSET", "without the first OFFSET bytes"),
    OPT_SET('v', "no-squeezing", struct hexdump, squeeze, HEXDUMP_ALL,
            "show blocks that are the same, too"),
    OPT_CALL('h', NULL, each_about, NULL, "same as --help"),
    OPT_CALL('V', NULL, each_about, NULL, "same as --version"),
    OPT_END,
};

static void hexdump_defaults(struct proc *p, void *args)
{
    struct hexdump *h = args;
    static const struct opt canonical = {.letter = 'C'};

    h->squeeze = HEXDUMP_FIRST;
    h->length = -1;
    if (strcmp(((const struct command *)p->command)->name, "hd") == 0)
        hexdump_style(p, args, &canonical, STR_NONE);
}

/* ---- input ---------------------------------------------------------------------------------- */

/* -s in the file that is open. Files that are shorter are passed over. 0 or an error. */
static int hexdump_seek(struct hexdump *h, bool operand)
{
    struct stat_info st = {0};

    if (h->in.file)
        file_stat(h->in.file, &st);
    if (operand && MODE_IS_FILE(st.mode) && h->skip > st.size) {
        h->skip -= st.size;
        h->address += st.size;
        return 0;
    }
    int64_t at = h->in.file ? file_seek(h->in.file, h->p, (int64_t)h->skip, 0) : HOB_EBADF;
    /* In /dev/zero and such every place is the same. */
    bool device = (st.mode & MODE_TYPE) == MODE_CHR && !(h->in.file->flags & FILE_TTY);
    if (at < 0 && !(at == HOB_ESPIPE && device))
        return (int)at;
    h->address += h->skip;
    h->skip = 0;
    return 0;
}

/* Opens the next file. 1, or 0: there is none, or an error that ends everything. */
static int hexdump_next(struct hexdump *h)
{
    struct proc *p = h->p;

    if (h->open)
        in_fini(&h->in);
    h->open = false;
    for (;;) {
        bool operand = h->next < p->argc;
        struct str name = operand ? p->argv[h->next] : STR("stdin");
        struct file *file;
        int err = 0;

        if (!operand && (h->next > 0 || p->argc > 0)) {
            if (p->argc > 0 && !h->any)
                proc_warn(p, "all input file arguments failed");
            return 0;
        }
        h->next++;
        if (!operand)
            in_init(&h->in, p, 0);
        else if ((err = vfs_open(p, name, FILE_READ, 0, &file)) == 0)
            in_init_file(&h->in, p, file, true);
        if (err < 0) {
            proc_warn(p, "%.*s: %s", STR_ARG(name), error_text(err));
            h->status = 1;
            continue;
        }
        h->open = h->any = true;
        err = h->skip ? hexdump_seek(h, operand) : 0;
        if (err < 0) {
            proc_warn(p, "%.*s: %s", STR_ARG(name), error_text(err));
            h->status = 1;
            h->address = 0; /* nothing at all is shown */
            return 0;
        }
        if (h->skip == 0)
            return 1;
        in_fini(&h->in);
        h->open = false;
    }
}

/* Reads into the block; 0 when there is nothing more. */
static size_t hexdump_read(struct hexdump *h, size_t have)
{
    for (;;) {
        if (h->length == 0)
            return 0;
        if (!h->open && !hexdump_next(h))
            return 0;
        if (h->block > have && in_fill(&h->in)) {
            size_t n = MIN((size_t)(h->in.end - h->in.p), h->block - have);
            if (h->length > 0)
                n = (size_t)MIN((uint64_t)n, (uint64_t)h->length);
            memcpy(h->now + have, h->in.p, n);
            h->in.p += n;
            if (h->length > 0)
                h->length -= (int64_t)n;
            return n;
        }
        if (h->in.err == HOB_EKILLED)
            return 0;
        if (h->in.err < 0 && h->next <= h->p->argc)
            proc_warn(h->p, "%.*s: %s", STR_ARG(h->p->argv[h->next - 1]), error_text(h->in.err));
        if (!hexdump_next(h))
            return 0;
    }
}

/* The next block that is shown. False at the end. */
static bool hexdump_get(struct hexdump *h)
{
    size_t have = 0;

    for (;;) {
        size_t n = hexdump_read(h, have);
        have += n;
        if (n == 0) {
            if (have == 0)
                return false;
            memset(h->now + have, 0, h->block - have);
            h->end = h->address + have;
            return true;
        }
        if (have < h->block)
            continue;
        if (h->squeeze == HEXDUMP_ALL || h->squeeze == HEXDUMP_FIRST ||
            memcmp(h->now, h->before, h->block) != 0) {
            if (h->squeeze != HEXDUMP_ALL)
                h->squeeze = HEXDUMP_WAIT;
            return true;
        }
        if (h->squeeze == HEXDUMP_WAIT)
            out_puts(&h->out, "*\n");
        h->squeeze = HEXDUMP_DUP;
        h->address += h->block;
        have = 0;
    }
}

/* ---- output --------------------------------------------------------------------------------- */

static uint64_t hexdump_value(const unsigned char *p, size_t n)
{
    uint64_t v = 0;
    for (size_t i = MIN(n, (size_t)8); i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

static void hexdump_number_out(struct hexdump *h, const struct hexdump_item *i, uint64_t v)
{
    char spec[24], *s = spec;

    *s++ = '%';
    if (i->sharp)
        *s++ = '#';
    if (i->left)
        *s++ = '-';
    if (i->plus)
        *s++ = '+';
    if (i->space)
        *s++ = ' ';
    if (i->zero)
        *s++ = '0';
    *s++ = '*';
    if (i->precision >= 0) {
        *s++ = '.';
        *s++ = '*';
    }
    *s++ = 'l';
    *s++ = 'l';
    *s++ = i->conv;
    *s = '\0';
    if (i->precision < 0)
        out_printf(&h->out, spec, i->width, (unsigned long long)v);
    else
        out_printf(&h->out, spec, i->width, i->precision, (unsigned long long)v);
}

/* Digits with zeros in front, the form that all the usual formats have. */
static bool hexdump_quick(struct hexdump *h, const struct hexdump_item *i, uint64_t v)
{
    char digits[24];
    int n = 0;
    unsigned base = i->conv == 'x' ? 16 : i->conv == 'o' ? 8 : 10;
    int width = i->precision < 0 ? i->width : i->precision;

    if (i->conv == 'X' || i->sharp || i->left || i->plus || i->space || i->width > width ||
        width > 20 || (i->precision < 0 && !i->zero))
        return false;
    do {
        digits[sizeof digits - 1 - (size_t)n++] = "0123456789abcdef"[v % base];
        v /= base;
    } while (v);
    while (n < width)
        digits[sizeof digits - 1 - (size_t)n++] = '0';
    out_write(&h->out, digits + sizeof digits - n, (size_t)n);
    return true;
}

static void hexdump_text_out(struct hexdump *h, const struct hexdump_item *i, struct str s,
                             bool cut)
{
    if (cut && i->precision >= 0)
        s.n = MIN(s.n, (size_t)i->precision);
    size_t blanks = (size_t)i->width > s.n ? (size_t)i->width - s.n : 0;
    for (size_t k = 0; !i->left && k < blanks && !h->out.err; k++)
        out_putc(&h->out, ' ');
    out_str(&h->out, s);
    for (size_t k = 0; i->left && k < blanks && !h->out.err; k++)
        out_putc(&h->out, ' ');
}

/* %_c */
static void hexdump_escaped_out(struct hexdump *h, const struct hexdump_item *i, unsigned char c)
{
    static const char letters[] = "abtnvfr";
    char text[4] = {(char)c};

    if (ascii_print(c)) {
        hexdump_text_out(h, i, str_of(text, 1), false);
    } else if (c == 0 || (c >= '\a' && c <= '\r')) {
        text[0] = '\\';
        text[1] = c ? letters[c - '\a'] : '0';
        hexdump_text_out(h, i, str_of(text, 2), true);
    } else {
        fmt_print(text, sizeof text, "%03o", c);
        hexdump_text_out(h, i, str_of(text, 3), true);
    }
}

/* %_u */
static void hexdump_named_out(struct hexdump *h, const struct hexdump_item *i, unsigned char c)
{
    static const char names[][4] = {"nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel",
                                    "bs",  "ht",  "lf",  "vt",  "ff",  "cr",  "so",  "si",
                                    "dle", "dcl", "dc2", "dc3", "dc4", "nak", "syn", "etb",
                                    "can", "em",  "sub", "esc", "fs",  "gs",  "rs",  "us"};
    char text[1] = {(char)c};

    if (c < COUNT(names) || c == 0x7f) {
        hexdump_text_out(h, i, str_z(c == 0x7f ? "del" : names[c]), true);
    } else if (ascii_print(c)) {
        hexdump_text_out(h, i, str_of(text, 1), false);
    } else {
        struct hexdump_item hex = *i;
        hex.conv = 'x';
        hexdump_number_out(h, &hex, c);
    }
}

static void hexdump_real_out(struct hexdump *h, const struct hexdump_item *i, uint64_t v)
{
    char flags[6] = "";
    size_t n = 0;
    struct buf b;
    double d;

    if (i->sharp)
        flags[n++] = '#';
    if (i->left)
        flags[n++] = '-';
    if (i->plus)
        flags[n++] = '+';
    if (i->space)
        flags[n++] = ' ';
    if (i->zero)
        flags[n++] = '0';
    if (i->bytes == 4) {
        uint32_t low = (uint32_t)v;
        float f;
        memcpy(&f, &low, sizeof f);
        d = (double)f;
    } else {
        memcpy(&d, &v, sizeof d);
    }
    buf_init(&b, &h->p->kernel->heap);
    fmt_double(&b, i->conv, flags, i->width ? i->width : -1, i->precision, d);
    out_str(&h->out, buf_get(&b));
    buf_fini(&b);
}

/* One item; `room` bytes of the block stand at p. */
static void hexdump_item_out(struct hexdump *h, const struct hexdump_item *i,
                             const unsigned char *p, size_t room, uint64_t address)
{
    uint64_t v = hexdump_value(p, MIN(i->bytes, room));

    switch (i->kind) {
    case HEXDUMP_TEXT: break;
    case HEXDUMP_ADDRESS:
        if (!hexdump_quick(h, i, address))
            hexdump_number_out(h, i, address);
        break;
    case HEXDUMP_CHAR: hexdump_text_out(h, i, str_of((const char *)p, 1), false); break;
    case HEXDUMP_ESCAPED: hexdump_escaped_out(h, i, *p); break;
    case HEXDUMP_PRINT:
        hexdump_text_out(h, i, ascii_print(*p) ? str_of((const char *)p, 1) : STR("."), false);
        break;
    case HEXDUMP_NAMED: hexdump_named_out(h, i, *p); break;
    case HEXDUMP_STRING: {
        const void *nul = memchr(p, '\0', room);
        size_t n = nul ? (size_t)((const unsigned char *)nul - p) : room;
        hexdump_text_out(h, i, str_of((const char *)p, n), true);
        break;
    }
    case HEXDUMP_SIGNED:
        if (i->bytes < 8 && v >> (8 * i->bytes - 1) & 1)
            v |= UINT64_MAX << 8 * i->bytes;
        hexdump_number_out(h, i, v);
        break;
    case HEXDUMP_UNSIGNED:
        if (!hexdump_quick(h, i, v))
            hexdump_number_out(h, i, v);
        break;
    case HEXDUMP_REAL: hexdump_real_out(h, i, v);
    }
}

/* The colour of what stands at p, NULL: none. */
static const char *hexdump_colour_of(const struct hexdump_item *i, const unsigned char *p,
                                     size_t room, uint64_t address)
{
    for (size_t k = 0; k < i->colours.n; k++) {
        const struct hexdump_colour *c = &i->colours.p[k];
        bool same = true;
        if (c->has_value && c->text.p)
            same = i->bytes <= room && memcmp(p, c->text.p, c->text.n) == 0;
        else if (c->has_value)
            same = hexdump_value(p, MIN(i->bytes, room)) == c->value;
        bool here = !c->has_range || (address >= c->from && address <= c->to);
        if (c->code && here && same != c->negated)
            return c->code;
    }
    return NULL;
}

static void hexdump_one(struct hexdump *h, const struct hexdump_item *i, bool last, size_t at)
{
    uint64_t address = h->address + at;
    const unsigned char *p = h->now + MIN(at, h->block);
    size_t room = h->block - MIN(at, h->block);
    const char *colour = NULL;
    struct str text = i->text;

    if (last && i->trim)
        text.n--;
    if (h->end && address >= h->end && i->kind != HEXDUMP_TEXT) {
        out_str(&h->out, text);
        struct hexdump_item blank = {.width = i->width};
        hexdump_text_out(h, &blank, STR(""), false);
        return;
    }
    if (i->colours.n)
        colour = hexdump_colour_of(i, p, room, address);
    if (colour)
        out_printf(&h->out, "\033[%sm", colour);
    out_str(&h->out, text);
    if (i->kind == HEXDUMP_TEXT || i->kind == HEXDUMP_ADDRESS || room > 0)
        hexdump_item_out(h, i, p, room, address);
    if (colour)
        out_puts(&h->out, "\033[0m");
}

static void hexdump_show(struct hexdump *h, const struct hexdump_format *f)
{
    size_t at = 0;

    for (size_t k = 0; k < f->units.n && !f->units.p[k].at_end; k++) {
        const struct hexdump_unit *u = &f->units.p[k];
        for (uint64_t times = u->times; times > 0 && !h->out.err; times--) {
            if (times % 4096 == 0 && proc_tick(h->p, 1) < 0)
                return;
            for (size_t m = 0; m < u->items.n; m++) {
                hexdump_one(h, &u->items.p[m], times == 1, at);
                at += u->items.p[m].bytes;
            }
        }
    }
}

/* What has %_A in it, behind everything. The last of them counts. */
static void hexdump_finish(struct hexdump *h)
{
    const struct hexdump_unit *last = NULL;

    if (h->end == 0)
        h->end = h->address;
    for (size_t i = 0; i < h->formats.n; i++) {
        for (size_t k = 0; k < h->formats.p[i].units.n; k++) {
            if (h->formats.p[i].units.p[k].at_end)
                last = &h->formats.p[i].units.p[k];
        }
    }
    for (size_t i = 0; last && h->end && i < last->items.n; i++) {
        const struct hexdump_item *item = &last->items.p[i];
        if (item->kind == HEXDUMP_TEXT || item->kind == HEXDUMP_ADDRESS) {
            out_str(&h->out, item->text);
            hexdump_item_out(h, item, (const unsigned char *)"", 0, h->end);
        }
    }
}

static int hexdump_all(struct hexdump *h)
{
    struct heap *heap = &h->p->kernel->heap;

    h->now = heap_alloc(heap, h->block + 1);
    h->before = heap_alloc(heap, h->block + 1);
    if (h->now && h->before) {
        while (!h->out.err && proc_tick(h->p, 1) == 0 && hexdump_get(h)) {
            for (size_t i = 0; i < h->formats.n; i++)
                hexdump_show(h, &h->formats.p[i]);
            unsigned char *swap = h->now;
            h->now = h->before;
            h->before = swap;
            h->address += h->block;
            if (h->end)
                break;
        }
        hexdump_finish(h);
    } else {
        h->status = HOB_ENOMEM;
    }
    if (h->open) {
        if (h->in.err == HOB_EKILLED)
            h->status = h->in.err;
        in_fini(&h->in);
    }
    heap_free(heap, h->now, h->block + 1);
    heap_free(heap, h->before, h->block + 1);
    return h->status;
}

static int hexdump_run(struct proc *p, void *args)
{
    struct hexdump *h = args;
    static const struct opt plain = {.letter = '\0'};

    h->p = p;
    if (h->given.n == 0)
        hexdump_style(p, args, &plain, STR_NONE);
    int r = hexdump_parse(h);
    if (r == 0) {
        out_init(&h->out, p, 1);
        r = command_close(p, &h->out, hexdump_all(h));
    }
    hexdump_free(h);
    return r;
}

#define HEXDUMP_COMMAND(n, what)                                                                   \
    {                                                                                              \
        .name = n, .usage = "[OPTION]... [FILE]...", .summary = what,                              \
        .notes = "LENGTH and OFFSET may have a suffix: K, M, G ... (powers of 1024), KB, MB, "     \
                 "GB ...\n(powers of 1000). Without FILE standard input is read.",                 \
        .opts = hexdump_opts, .args_size = sizeof(struct hexdump), .usage_status = 1,              \
        .run = hexdump_run, .defaults = hexdump_defaults,                                          \
    }
const struct command cmd_hexdump =
    HEXDUMP_COMMAND("hexdump", "Show bytes in hexadecimal digits, or as a format says.");
const struct command cmd_hd =
    HEXDUMP_COMMAND("hd", "Show bytes in hexadecimal digits and as characters: hexdump -C.");
#undef HEXDUMP_COMMAND

/* iconv.c -- text from one encoding to another
 *
 * Characters go through one at a time, so that nothing is held but the bytes of one of them.
 */
#include "shell/command.h"

#include "base/error.h"
#include "base/utf8.h"

enum iconv_kind {
    ICONV_UTF8,
    ICONV_UTF16,
    ICONV_UTF16LE,
    ICONV_UTF16BE,
    ICONV_UTF32,
    ICONV_UTF32LE,
    ICONV_UTF32BE,
    ICONV_ASCII,
    ICONV_LATIN1,
    ICONV_LATIN9,
    ICONV_CP1252
};

struct iconv {
    struct str from, to, output;
    bool omit, list, silent, verbose;
    struct proc *p;
    struct out out;
    int in_kind, out_kind;
    bool translit, ignore;
    bool begun;  /* the byte order mark is written */
    bool big;    /* the input is big-endian, as its mark says */
    bool bad;    /* //IGNORE left something out */
    uint64_t at; /* position in the file */
    unsigned char held[4];
    int nheld;
};

static const struct opt iconv_opts[] = {
    OPT_STRING('f', "from-code", struct iconv, from, "NAME", "encoding of the input (UTF-8)"),
    OPT_STRING('t', "to-code", struct iconv, to, "NAME",
               "encoding of the output (UTF-8); //TRANSLIT and //IGNORE may follow"),
    OPT_FLAG('l', "list", struct iconv, list, "list the encodings"),
    OPT_FLAG('c', NULL, struct iconv, omit, "leave out what cannot be converted"),
    OPT_STRING('o', "output", struct iconv, output, "FILE", "write to FILE"),
    OPT_FLAG('s', "silent", struct iconv, silent, "(accepted: there are no warnings to keep back)"),
    OPT_FLAG(0, "verbose", struct iconv, verbose, "tell the names of files"),
    OPT_END,
};

static const struct iconv_name {
    const char *name;
    int kind;
} iconv_names[] = {
    {"UTF-8", ICONV_UTF8},        {"UTF8", ICONV_UTF8},           {"UTF-16", ICONV_UTF16},
    {"UTF16", ICONV_UTF16},       {"UTF-16LE", ICONV_UTF16LE},    {"UTF16LE", ICONV_UTF16LE},
    {"UTF-16BE", ICONV_UTF16BE},  {"UTF16BE", ICONV_UTF16BE},     {"UCS-2LE", ICONV_UTF16LE},
    {"UCS-2BE", ICONV_UTF16BE},   {"UTF-32", ICONV_UTF32},        {"UTF32", ICONV_UTF32},
    {"UTF-32LE", ICONV_UTF32LE},  {"UTF32LE", ICONV_UTF32LE},     {"UTF-32BE", ICONV_UTF32BE},
    {"UTF32BE", ICONV_UTF32BE},   {"UCS-4LE", ICONV_UTF32LE},     {"UCS-4", ICONV_UTF32BE},
    {"ASCII", ICONV_ASCII},       {"US-ASCII", ICONV_ASCII},      {"ANSI_X3.4-1968", ICONV_ASCII},
    {"ISO-8859-1", ICONV_LATIN1}, {"ISO8859-1", ICONV_LATIN1},    {"ISO_8859-1", ICONV_LATIN1},
    {"LATIN1", ICONV_LATIN1},     {"L1", ICONV_LATIN1},           {"ISO-8859-15", ICONV_LATIN9},
    {"ISO8859-15", ICONV_LATIN9}, {"ISO_8859-15", ICONV_LATIN9},  {"LATIN-9", ICONV_LATIN9},
    {"CP1252", ICONV_CP1252},     {"WINDOWS-1252", ICONV_CP1252},
};

/* What bytes 80 to 9F are in CP1252; 0: nothing. */
static const uint16_t iconv_cp1252[32] = {
    0x20ac, 0x0000, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x0000, 0x017d, 0x0000, 0x0000, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x0000, 0x017e, 0x0178};
/* Where ISO-8859-15 is not ISO-8859-1. */
static const uint16_t iconv_latin9[][2] = {{0xa4, 0x20ac}, {0xa6, 0x0160}, {0xa8, 0x0161},
                                           {0xb4, 0x017d}, {0xb8, 0x017e}, {0xbc, 0x0152},
                                           {0xbd, 0x0153}, {0xbe, 0x0178}};
/* What //TRANSLIT writes instead. */
static const struct {
    uint16_t c;
    const char *text;
} iconv_plain[] = {
    {0x00a0, " "},  {0x00a1, "!"},   {0x00a2, "c"},     {0x00a3, "GBP"},   {0x00a5, "JPY"},
    {0x00a6, "|"},  {0x00a9, "(C)"}, {0x00aa, "a"},     {0x00ab, "<<"},    {0x00ac, "!"},
    {0x00ad, "-"},  {0x00ae, "(R)"}, {0x00b1, "+-"},    {0x00b2, "2"},     {0x00b3, "3"},
    {0x00b4, "'"},  {0x00b5, "u"},   {0x00b7, "."},     {0x00b8, ","},     {0x00b9, "1"},
    {0x00ba, "o"},  {0x00bb, ">>"},  {0x00bc, " 1/4 "}, {0x00bd, " 1/2 "}, {0x00be, " 3/4 "},
    {0x00c0, "A"},  {0x00c1, "A"},   {0x00c2, "A"},     {0x00c3, "A"},     {0x00c4, "A"},
    {0x00c5, "A"},  {0x00c6, "AE"},  {0x00c7, "C"},     {0x00c8, "E"},     {0x00c9, "E"},
    {0x00ca, "E"},  {0x00cb, "E"},   {0x00cc, "I"},     {0x00cd, "I"},     {0x00ce, "I"},
    {0x00cf, "I"},  {0x00d0, "D"},   {0x00d1, "N"},     {0x00d2, "O"},     {0x00d3, "O"},
    {0x00d4, "O"},  {0x00d5, "O"},   {0x00d6, "O"},     {0x00d7, "x"},     {0x00d8, "O"},
    {0x00d9, "U"},  {0x00da, "U"},   {0x00db, "U"},     {0x00dc, "U"},     {0x00dd, "Y"},
    {0x00de, "TH"}, {0x00df, "ss"},  {0x00e0, "a"},     {0x00e1, "a"},     {0x00e2, "a"},
    {0x00e3, "a"},  {0x00e4, "a"},   {0x00e5, "a"},     {0x00e6, "ae"},    {0x00e7, "c"},
    {0x00e8, "e"},  {0x00e9, "e"},   {0x00ea, "e"},     {0x00eb, "e"},     {0x00ec, "i"},
    {0x00ed, "i"},  {0x00ee, "i"},   {0x00ef, "i"},     {0x00f0, "d"},     {0x00f1, "n"},
    {0x00f2, "o"},  {0x00f3, "o"},   {0x00f4, "o"},     {0x00f5, "o"},     {0x00f6, "o"},
    {0x00f7, "/"},  {0x00f8, "o"},   {0x00f9, "u"},     {0x00fa, "u"},     {0x00fb, "u"},
    {0x00fc, "u"},  {0x00fd, "y"},   {0x00fe, "th"},    {0x00ff, "y"},     {0x0100, "A"},
    {0x0101, "a"},  {0x0102, "A"},   {0x0103, "a"},     {0x0104, "A"},     {0x0105, "a"},
    {0x0106, "C"},  {0x0107, "c"},   {0x0108, "C"},     {0x0109, "c"},     {0x010a, "C"},
    {0x010b, "c"},  {0x010c, "C"},   {0x010d, "c"},     {0x010e, "D"},     {0x010f, "d"},
    {0x0110, "D"},  {0x0111, "d"},   {0x0112, "E"},     {0x0113, "e"},     {0x0114, "E"},
    {0x0115, "e"},  {0x0116, "E"},   {0x0117, "e"},     {0x0118, "E"},     {0x0119, "e"},
    {0x011a, "E"},  {0x011b, "e"},   {0x011c, "G"},     {0x011d, "g"},     {0x011e, "G"},
    {0x011f, "g"},  {0x0120, "G"},   {0x0121, "g"},     {0x0122, "G"},     {0x0123, "g"},
    {0x0124, "H"},  {0x0125, "h"},   {0x0126, "H"},     {0x0127, "h"},     {0x0128, "I"},
    {0x0129, "i"},  {0x012a, "I"},   {0x012b, "i"},     {0x012c, "I"},     {0x012d, "i"},
    {0x012e, "I"},  {0x012f, "i"},   {0x0130, "I"},     {0x0131, "i"},     {0x0132, "IJ"},
    {0x0133, "ij"}, {0x0134, "J"},   {0x0135, "j"},     {0x0136, "K"},     {0x0137, "k"},
    {0x0138, "q"},  {0x0139, "L"},   {0x013a, "l"},     {0x013b, "L"},     {0x013c, "l"},
    {0x013d, "L"},  {0x013e, "l"},   {0x013f, "L"},     {0x0140, "l"},     {0x0141, "L"},
    {0x0142, "l"},  {0x0143, "N"},   {0x0144, "n"},     {0x0145, "N"},     {0x0146, "n"},
    {0x0147, "N"},  {0x0148, "n"},   {0x0149, "'n"},    {0x014a, "N"},     {0x014b, "n"},
    {0x014c, "O"},  {0x014d, "o"},   {0x014e, "O"},     {0x014f, "o"},     {0x0150, "O"},
    {0x0151, "o"},  {0x0152, "OE"},  {0x0153, "oe"},    {0x0154, "R"},     {0x0155, "r"},
    {0x0156, "R"},  {0x0157, "r"},   {0x0158, "R"},     {0x0159, "r"},     {0x015a, "S"},
    {0x015b, "s"},  {0x015c, "S"},   {0x015d, "s"},     {0x015e, "S"},     {0x015f, "s"},
    {0x0160, "S"},  {0x0161, "s"},   {0x0162, "T"},     {0x0163, "t"},     {0x0164, "T"},
    {0x0165, "t"},  {0x0166, "T"},   {0x0167, "t"},     {0x0168, "U"},     {0x0169, "u"},
    {0x016a, "U"},  {0x016b, "u"},   {0x016c, "U"},     {0x016d, "u"},     {0x016e, "U"},
    {0x016f, "u"},  {0x0170, "U"},   {0x0171, "u"},     {0x0172, "U"},     {0x0173, "u"},
    {0x0174, "W"},  {0x0175, "w"},   {0x0176, "Y"},     {0x0177, "y"},     {0x0178, "Y"},
    {0x0179, "Z"},  {0x017a, "z"},   {0x017b, "Z"},     {0x017c, "z"},     {0x017d, "Z"},
    {0x017e, "z"},  {0x017f, "s"},   {0x2002, " "},     {0x2003, " "},     {0x2009, " "},
    {0x2010, "-"},  {0x2011, "-"},   {0x2012, "-"},     {0x2013, "-"},     {0x2014, "--"},
    {0x2015, "-"},  {0x2018, "'"},   {0x2019, "'"},     {0x201a, ","},     {0x201b, "'"},
    {0x201c, "\""}, {0x201d, "\""},  {0x201e, ",,"},    {0x201f, "\""},    {0x2020, "+"},
    {0x2022, "o"},  {0x2024, "."},   {0x2025, ".."},    {0x2026, "..."},   {0x202f, " "},
    {0x2035, "`"},  {0x2036, "``"},  {0x2037, "```"},   {0x2039, "<"},     {0x203a, ">"},
    {0x203c, "!!"}, {0x20ac, "EUR"}, {0x2116, "No"},    {0x2122, "(TM)"},  {0x2190, "<-"},
    {0x2192, "->"}, {0x2194, "<->"}, {0x21d2, "=>"},    {0x2212, "-"},     {0xfb01, "fi"},
    {0xfb02, "fl"}, {0xfeff, ""},
};

/* ---- reading --------------------------------------------------------------------------------- */

enum {
    ICONV_END = -1,
    ICONV_WRONG = -2,
    ICONV_SHORT = -3
};

/* n bytes to held[]; fewer at the end. */
static bool iconv_need(struct iconv *v, struct in *in, int n)
{
    while (v->nheld < n) {
        int c = in_getc(in);
        if (c < 0)
            return false;
        v->held[v->nheld++] = (unsigned char)c;
    }
    return true;
}

static int64_t iconv_next_utf8(struct iconv *v, struct in *in, int *used)
{
    int n = v->held[0] < 0x80 ? 1 : v->held[0] < 0xe0 ? 2 : v->held[0] < 0xf0 ? 3 : 4, len;
    *used = 1;
    if (v->held[0] >= 0x80 && (v->held[0] < 0xc2 || v->held[0] > 0xf4))
        return ICONV_WRONG;
    for (int i = 1; i < n; i++) {
        if (!iconv_need(v, in, i + 1))
            return ICONV_SHORT;
        if ((v->held[i] & 0xc0) != 0x80) {
            *used = i;
            return ICONV_WRONG;
        }
    }
    uint32_t c = utf8_decode((const char *)v->held, (size_t)n, &len);
    *used = n;
    return c == UTF8_BAD ? ICONV_WRONG : (int64_t)c;
}

static uint32_t iconv_unit(const unsigned char *p, int n, bool big)
{
    uint32_t c = 0;
    for (int i = 0; i < n; i++)
        c |= (uint32_t)p[i] << 8 * (big ? n - 1 - i : i);
    return c;
}

static int64_t iconv_next_wide(struct iconv *v, struct in *in, int *used)
{
    int size = v->in_kind >= ICONV_UTF32 ? 4 : 2;
    bool big = v->big || v->in_kind == ICONV_UTF16BE || v->in_kind == ICONV_UTF32BE;
    if (!iconv_need(v, in, size))
        return ICONV_SHORT;
    uint32_t c = iconv_unit(v->held, size, big);
    *used = size;
    if (size == 4)
        return c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? ICONV_WRONG : (int64_t)c;
    if (c < 0xd800 || c > 0xdfff)
        return c;
    if (c >= 0xdc00)
        return ICONV_WRONG;
    if (!iconv_need(v, in, 4))
        return ICONV_SHORT;
    uint32_t low = iconv_unit(v->held + 2, 2, big);
    if (low < 0xdc00 || low > 0xdfff)
        return ICONV_WRONG;
    *used = 4;
    return 0x10000 + ((int64_t)(c - 0xd800) << 10) + (low - 0xdc00);
}

/* The next character, or what is wrong; *used bytes of held[] belong to it. */
static int64_t iconv_next(struct iconv *v, struct in *in, int *used)
{
    *used = 1;
    if (!iconv_need(v, in, 1))
        return ICONV_END;
    unsigned char c = v->held[0];
    switch (v->in_kind) {
    case ICONV_UTF8: return iconv_next_utf8(v, in, used);
    case ICONV_ASCII: return c < 0x80 ? c : ICONV_WRONG;
    case ICONV_LATIN1: return c;
    case ICONV_LATIN9:
        for (size_t i = 0; i < COUNT(iconv_latin9); i++)
            if (iconv_latin9[i][0] == c)
                return iconv_latin9[i][1];
        return c;
    case ICONV_CP1252:
        if (c < 0x80 || c >= 0xa0)
            return c;
        return iconv_cp1252[c - 0x80] ? iconv_cp1252[c - 0x80] : ICONV_WRONG;
    default: return iconv_next_wide(v, in, used);
    }
}

/* ---- writing --------------------------------------------------------------------------------- */

static void iconv_put_unit(struct iconv *v, uint32_t c, int n, bool big)
{
    for (int i = 0; i < n; i++)
        out_putc(&v->out, (char)(c >> 8 * (big ? n - 1 - i : i)));
}

static void iconv_put_wide(struct iconv *v, uint32_t c)
{
    bool big = v->out_kind == ICONV_UTF16BE || v->out_kind == ICONV_UTF32BE;
    bool wide = v->out_kind >= ICONV_UTF32;
    if (!v->begun && (v->out_kind == ICONV_UTF16 || v->out_kind == ICONV_UTF32))
        iconv_put_unit(v, 0xfeff, wide ? 4 : 2, false);
    v->begun = true;
    if (wide) {
        iconv_put_unit(v, c, 4, big);
    } else if (c < 0x10000) {
        iconv_put_unit(v, c, 2, big);
    } else {
        iconv_put_unit(v, 0xd800 + ((c - 0x10000) >> 10), 2, big);
        iconv_put_unit(v, 0xdc00 + ((c - 0x10000) & 0x3ff), 2, big);
    }
}

/* False when the encoding does not have the character. */
static bool iconv_put(struct iconv *v, uint32_t c)
{
    char b[8];
    switch (v->out_kind) {
    case ICONV_UTF8: out_write(&v->out, b, (size_t)utf8_encode(b, c)); return true;
    case ICONV_ASCII:
        if (c >= 0x80)
            return false;
        break;
    case ICONV_LATIN9:
        for (size_t i = 0; i < COUNT(iconv_latin9); i++) {
            if (iconv_latin9[i][0] == c)
                return false;
            if (iconv_latin9[i][1] == c) {
                out_putc(&v->out, (char)iconv_latin9[i][0]);
                return true;
            }
        }
        if (c >= 0x100)
            return false;
        break;
    case ICONV_LATIN1:
        if (c >= 0x100)
            return false;
        break;
    case ICONV_CP1252:
        for (size_t i = 0; i < COUNT(iconv_cp1252); i++)
            if (c && iconv_cp1252[i] == c) {
                out_putc(&v->out, (char)(0x80 + i));
                return true;
            }
        if (c >= 0x100 || (c >= 0x80 && c < 0xa0))
            return false;
        break;
    default: iconv_put_wide(v, c); return true;
    }
    out_putc(&v->out, (char)c);
    return true;
}

static bool iconv_put_plain(struct iconv *v, uint32_t c)
{
    for (size_t i = 0; i < COUNT(iconv_plain); i++)
        if (iconv_plain[i].c == c) {
            for (const char *t = iconv_plain[i].text; *t; t++)
                iconv_put(v, (unsigned char)*t);
            return true;
        }
    return iconv_put(v, '?');
}

/* ---- run ------------------------------------------------------------------------------------- */

/* A byte order mark in front of the input says how to read it. */
static void iconv_mark(struct iconv *v, struct in *in)
{
    v->big = false;
    if (v->in_kind != ICONV_UTF16 && v->in_kind != ICONV_UTF32)
        return;
    int n = v->in_kind == ICONV_UTF32 ? 4 : 2;
    if (!iconv_need(v, in, n))
        return;
    v->big = iconv_unit(v->held, n, true) == 0xfeff;
    if (v->big || iconv_unit(v->held, n, false) == 0xfeff) {
        v->at += (uint64_t)n;
        v->nheld = 0;
    }
}

static int iconv_file(struct iconv *v, struct in *in)
{
    int used, r = 0;
    v->at = 0;
    v->nheld = 0;
    v->bad = false;
    iconv_mark(v, in);
    while (!v->out.err && r == 0) {
        int64_t c = iconv_next(v, in, &used);
        if (c == ICONV_END)
            break;
        if (c == ICONV_SHORT) {
            out_flush(&v->out);
            proc_warn(v->p, "incomplete character or shift sequence at end of buffer");
            return 1;
        }
        bool ok = c >= 0 &&
                  (iconv_put(v, (uint32_t)c) || (v->translit && iconv_put_plain(v, (uint32_t)c)));
        if (!ok && !v->omit && !v->ignore) {
            out_flush(&v->out);
            proc_warn(v->p, "illegal input sequence at position %llu", (unsigned long long)v->at);
            return 1;
        }
        v->bad = v->bad || !ok;
        v->at += (uint64_t)used;
        v->nheld -= used;
        memmove(v->held, v->held + used, (size_t)v->nheld);
        if (v->at % 1024 < (uint64_t)used)
            r = proc_tick(v->p, 1);
    }
    if (r == 0 && v->bad && !v->omit) {
        out_flush(&v->out);
        proc_warn(v->p, "illegal input sequence at position %llu", (unsigned long long)v->at);
        r = 1;
    }
    return r;
}

/* The encoding of a name, -1: unknown. What follows // is taken off. */
static int iconv_find(struct iconv *v, struct str name, bool output)
{
    ptrdiff_t at = str_find(name, STR("//"));
    struct str rest = at < 0 ? STR("") : str_from(name, (size_t)at + 2);
    if (at >= 0)
        name = str_sub(name, 0, (size_t)at);
    if (output) {
        v->translit = str_find(rest, STR("TRANSLIT")) >= 0 || str_find(rest, STR("translit")) >= 0;
        v->ignore = str_find(rest, STR("IGNORE")) >= 0 || str_find(rest, STR("ignore")) >= 0;
    }
    if (name.n == 0)
        return ICONV_UTF8;
    for (size_t i = 0; i < COUNT(iconv_names); i++) {
        const char *z = iconv_names[i].name;
        size_t k = 0;
        while (k < name.n && z[k] && ascii_to_upper(name.p[k]) == z[k])
            k++;
        if (k == name.n && !z[k])
            return iconv_names[i].kind;
    }
    return -1;
}

static int iconv_each(struct iconv *v)
{
    int status = 0;
    struct in in;
    for (int i = 0; i < MAX(v->p->argc, 1); i++) {
        struct str name = v->p->argc ? v->p->argv[i] : STR("-");
        int r = in_open_quiet(&in, v->p, name);
        if (r < 0) {
            proc_warn(v->p, "cannot open input file `%.*s': %s", STR_ARG(name), error_text(r));
            status = 1;
            continue;
        }
        if (v->verbose && v->p->argc)
            proc_printf_err(v->p, "%.*s:\n", STR_ARG(name));
        r = iconv_file(v, &in);
        if (in.err < 0 && r == 0) {
            if (in.err != HOB_EKILLED)
                proc_warn(v->p, "unable to read file `%.*s': %s", STR_ARG(name),
                          error_text(in.err));
            r = in.err == HOB_EKILLED ? in.err : 1;
        }
        in_fini(&in);
        if (r)
            return r;
    }
    return status;
}

static int iconv_run(struct proc *p, void *args)
{
    struct iconv *v = args;
    struct file *own = NULL;
    int r;

    v->p = p;
    if (v->list) {
        out_init(&v->out, p, 1);
        for (size_t i = 0; i < COUNT(iconv_names); i++)
            out_printf(&v->out, "%s//\n", iconv_names[i].name);
        return command_close(p, &v->out, 0);
    }
    v->in_kind = iconv_find(v, v->from.p ? v->from : STR(""), false);
    v->out_kind = iconv_find(v, v->to.p ? v->to : STR(""), true);
    if (v->in_kind < 0 || v->out_kind < 0) {
        proc_warn(p, "failed to start conversion processing: No such file or directory");
        return 1;
    }
    if (v->output.p && !str_eqz(v->output, "-")) {
        r = vfs_open(p, v->output, FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0666, &own);
        if (r < 0) {
            proc_warn(p, "cannot open output file: %s", error_text(r));
            return 1;
        }
        out_init_file(&v->out, p, own);
    } else {
        out_init(&v->out, p, 1);
    }
    r = command_close(p, &v->out, iconv_each(v));
    file_unref(own);
    return r;
}

const struct command cmd_iconv = {
    .name = "iconv",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write the text of the FILEs in another encoding.",
    .notes = "UTF-8, UTF-16 and UTF-32 with LE or BE, ASCII, ISO-8859-1, ISO-8859-15, CP1252.\n"
             "Without FILE, or when FILE is -, standard input is read.",
    .opts = iconv_opts,
    .args_size = sizeof(struct iconv),
    .usage_status = 64,
    .run = iconv_run,
};

/* html.c -- HTML read as a stream of tags and texts */
#include "commands/html/html.h"

#include "base/utf8.h"

static bool html_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool html_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool html_name_is(const struct html_token *t, const char *name)
{
    return str_eqz(t->name, name);
}

/* Where the tag that begins at s ends, its > included; 0: it has no end. Quotes are looked at. */
static size_t html_tag_end(struct str s)
{
    char quote = '\0', last = '\0';
    for (size_t i = 1; i < s.n; i++) {
        char c = s.p[i];
        if (quote) {
            if (c == quote)
                quote = '\0';
        } else if ((c == '"' || c == '\'') && last == '=') {
            quote = c;
        } else if (c == '>') {
            return i + 1;
        }
        last = html_blank(c) && last == '=' ? last : c;
    }
    return 0;
}

/* A quote that is never closed would hide all that follows: then the first > counts. */
static size_t html_tag_length(struct str s)
{
    size_t n = html_tag_end(s);
    ptrdiff_t plain = n ? -1 : str_chr(s, '>');
    return n ? n : plain < 0 ? 0 : (size_t)plain + 1;
}

static void html_name(struct html_token *t, struct str tag, size_t at)
{
    size_t n = 0;
    for (; at < tag.n && !html_blank(tag.p[at]) && tag.p[at] != '>' && tag.p[at] != '/'; at++)
        if (n < sizeof t->letters - 1)
            t->letters[n++] = (char)ascii_to_lower((unsigned char)tag.p[at]);
    t->letters[n] = '\0';
    t->name = str_of(t->letters, n);
    t->attributes = at < tag.n ? str_sub(tag, at, tag.n - at - 1) : STR("");
}

/* <!-- -->, <!doctype>, <?xml ?>: nothing. The bytes it takes, 0: it is none. */
static size_t html_skip(struct str s)
{
    if (str_starts(s, STR("<!--"))) {
        ptrdiff_t end = str_find(str_from(s, 4), STR("-->"));
        return end < 0 ? s.n : (size_t)end + 7;
    }
    if (str_starts(s, STR("<!")) || str_starts(s, STR("<?"))) {
        ptrdiff_t end = str_chr(s, '>');
        return end < 0 ? s.n : (size_t)end + 1;
    }
    return 0;
}

/* Up to </name, in any case. */
static size_t html_raw_end(const struct html_reader *r)
{
    size_t n = strlen(r->raw);
    for (size_t i = 0; i + 2 + n <= r->rest.n; i++) {
        if (r->rest.p[i] != '<' || r->rest.p[i + 1] != '/')
            continue;
        size_t k = 0;
        while (k < n &&
               ascii_to_lower((unsigned char)r->rest.p[i + 2 + k]) == (unsigned char)r->raw[k])
            k++;
        if (k == n)
            return i;
    }
    return r->rest.n;
}

static void html_text(struct html_reader *r, struct html_token *t, size_t n)
{
    t->kind = HTML_TEXT;
    t->text = str_sub(r->rest, 0, n);
    r->rest = str_from(r->rest, n);
}

void html_next(struct html_reader *r, struct html_token *t)
{
    static const char *const raw[] = {"script", "style",    "textarea",
                                      "title",  "noscript", "template"};
    *t = (struct html_token){.kind = HTML_END};
    if (r->raw[0]) {
        size_t n = html_raw_end(r);
        r->raw[0] = '\0';
        if (n) {
            html_text(r, t, n);
            return;
        }
    }
    for (size_t skip; (skip = html_skip(r->rest)) > 0;)
        r->rest = str_from(r->rest, skip);
    if (!r->rest.n)
        return;
    bool open = r->rest.n > 1 && r->rest.p[0] == '<' && html_letter(r->rest.p[1]);
    bool close =
        r->rest.n > 2 && r->rest.p[0] == '<' && r->rest.p[1] == '/' && html_letter(r->rest.p[2]);
    if (!open && !close) {
        ptrdiff_t next = str_chr(str_from(r->rest, 1), '<');
        html_text(r, t, r->rest.n > 1 && next >= 0 ? (size_t)next + 1 : r->rest.n);
        return;
    }
    size_t n = html_tag_length(r->rest);
    if (!n) { /* the page ends within a tag: nothing of it shows */
        r->rest = STR("");
        return;
    }
    t->kind = open ? HTML_OPEN : HTML_CLOSE;
    html_name(t, str_sub(r->rest, 0, n), open ? 1 : 2);
    r->rest = str_from(r->rest, n);
    for (size_t i = 0; open && i < COUNT(raw); i++)
        if (html_name_is(t, raw[i]))
            memcpy(r->raw, raw[i], strlen(raw[i]) + 1);
}

bool html_attribute(const struct html_token *t, const char *name, struct str *value)
{
    struct str s = t->attributes;
    for (size_t i = 0; i < s.n;) {
        while (i < s.n && (html_blank(s.p[i]) || s.p[i] == '/'))
            i++;
        size_t from = i;
        while (i < s.n && !html_blank(s.p[i]) && s.p[i] != '=' && s.p[i] != '/')
            i++;
        struct str key = str_sub(s, from, i - from), v = STR("");
        size_t after = i;
        while (after < s.n && html_blank(s.p[after]))
            after++;
        if (after < s.n && s.p[after] == '=') {
            for (i = after + 1; i < s.n && html_blank(s.p[i]); i++)
                continue;
            char quote = i < s.n && (s.p[i] == '"' || s.p[i] == '\'') ? s.p[i] : '\0';
            from = i += quote != '\0';
            while (i < s.n && (quote ? s.p[i] != quote : !html_blank(s.p[i])))
                i++;
            v = str_sub(s, from, i - from);
            i += quote != '\0';
        } else if (i == from) {
            i++;
        }
        size_t k = 0;
        while (k < key.n && name[k] &&
               ascii_to_lower((unsigned char)key.p[k]) == (unsigned char)name[k])
            k++;
        if (k == key.n && !name[k] && k) {
            *value = v;
            return true;
        }
    }
    return false;
}

/* ---- entities -------------------------------------------------------------------------------- */

static const struct html_entity {
    const char *name;
    uint32_t code;
} html_entities[] = {
    {"amp", '&'},      {"lt", '<'},        {"gt", '>'},       {"quot", '"'},     {"apos", '\''},
    {"nbsp", 0xa0},    {"copy", 0xa9},     {"reg", 0xae},     {"trade", 0x2122}, {"hellip", 0x2026},
    {"mdash", 0x2014}, {"ndash", 0x2013},  {"lsquo", 0x2018}, {"rsquo", 0x2019}, {"ldquo", 0x201c},
    {"rdquo", 0x201d}, {"laquo", 0xab},    {"raquo", 0xbb},   {"bull", 0x2022},  {"middot", 0xb7},
    {"deg", 0xb0},     {"plusmn", 0xb1},   {"times", 0xd7},   {"divide", 0xf7},  {"frac12", 0xbd},
    {"frac14", 0xbc},  {"frac34", 0xbe},   {"euro", 0x20ac},  {"pound", 0xa3},   {"yen", 0xa5},
    {"cent", 0xa2},    {"sect", 0xa7},     {"para", 0xb6},    {"larr", 0x2190},  {"rarr", 0x2192},
    {"uarr", 0x2191},  {"darr", 0x2193},   {"le", 0x2264},    {"ge", 0x2265},    {"ne", 0x2260},
    {"infin", 0x221e}, {"micro", 0xb5},    {"szlig", 0xdf},   {"auml", 0xe4},    {"ouml", 0xf6},
    {"uuml", 0xfc},    {"Auml", 0xc4},     {"Ouml", 0xd6},    {"Uuml", 0xdc},    {"eacute", 0xe9},
    {"egrave", 0xe8},  {"agrave", 0xe0},   {"aacute", 0xe1},  {"ccedil", 0xe7},  {"ntilde", 0xf1},
    {"iacute", 0xed},  {"oacute", 0xf3},   {"uacute", 0xfa},  {"oslash", 0xf8},  {"aring", 0xe5},
    {"aelig", 0xe6},   {"shy", 0xad},      {"zwj", 0x200d},   {"zwnj", 0x200c},  {"ensp", 0x2002},
    {"emsp", 0x2003},  {"thinsp", 0x2009}, {"check", 0x2713}, {"lbrace", '{'},   {"rbrace", '}'},
};

/* The number in &#123; or &#x7b;. */
static uint32_t html_number(struct str s)
{
    bool hex = s.n > 1 && (s.p[1] | 32) == 'x';
    uint32_t v = 0;
    for (size_t i = hex ? 2 : 1; i < s.n; i++) {
        char c = s.p[i];
        uint32_t d = c >= '0' && c <= '9'                 ? (uint32_t)(c - '0')
                     : (c | 32) >= 'a' && (c | 32) <= 'f' ? (uint32_t)((c | 32) - 'a' + 10)
                                                          : 99;
        if (d >= (hex ? 16u : 10u))
            return 0;
        v = MIN(v * (hex ? 16 : 10) + d, (uint32_t)0x110000);
    }
    bool odd = v == 0 || v > 0x10ffff || (v >= 0xd800 && v < 0xe000);
    return odd ? 0xfffd : v;
}

static void html_put(struct buf *b, uint32_t c)
{
    char utf8[8];
    size_t n = (size_t)utf8_encode(utf8, c);
    buf_add(b, utf8, n);
}

void html_decode(struct buf *b, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        size_t end = i + 1;
        uint32_t code = 0;
        if (s.p[i] == '&')
            while (end < s.n && end - i < 12 && s.p[end] != ';' && s.p[end] != '&')
                end++;
        if (s.p[i] == '&' && end < s.n && s.p[end] == ';') {
            struct str name = str_sub(s, i + 1, end - i - 1);
            if (name.n > 1 && name.p[0] == '#')
                code = html_number(name);
            for (size_t k = 0; !code && k < COUNT(html_entities); k++)
                if (str_eqz(name, html_entities[k].name))
                    code = html_entities[k].code;
        }
        if (code) {
            html_put(b, code);
            i = end;
        } else {
            buf_putc(b, s.p[i]);
        }
    }
}

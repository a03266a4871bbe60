/* jq_format.c -- @csv, @base64 and the others */
#include "base/utf8.h"
#include "commands/jq/jq.h"
#include "text/base64.h"

/* Appends s with the characters of `from` replaced by the strings of `to`. */
static void jq_replace(struct buf *b, struct str s, const char *from, const char *const *to)
{
    for (size_t i = 0; i < s.n; i++) {
        const char *at = s.p[i] ? strchr(from, s.p[i]) : NULL;
        if (at)
            buf_addz(b, to[at - from]);
        else
            buf_putc(b, s.p[i]);
    }
}

/* Numbers, booleans and null within a row: csv and tsv leave null out. */
static bool jq_format_plain(struct jq *j, struct buf *b, struct jq_val v)
{
    if (v.kind == JQ_NUMBER || v.kind == JQ_FALSE || v.kind == JQ_TRUE)
        jq_dump(j, b, v);
    return v.kind <= JQ_NUMBER;
}

static struct jq_val jq_format_row(struct jq *j, struct jq_val v, bool csv)
{
    static const char *const quotes[] = {"\"\""};
    static const char *const escapes[] = {"\\t", "\\n", "\\r", "\\\\"};
    struct buf b;

    if (v.kind != JQ_ARRAY)
        return jq_fail1(j, v,
                        csv ? "cannot be csv-formatted, only array"
                            : "cannot be tsv-formatted, only array");
    buf_init(&b, j->heap);
    for (uint32_t i = 0; i < v.arr->n; i++) {
        struct jq_val x = v.arr->v[i];
        if (i > 0)
            buf_putc(&b, csv ? ',' : '\t');
        if (x.kind == JQ_STRING && csv) {
            buf_putc(&b, '"');
            jq_replace(&b, jq_text(x), "\"", quotes);
            buf_putc(&b, '"');
        } else if (x.kind == JQ_STRING) {
            jq_replace(&b, jq_text(x), "\t\n\r\\", escapes);
        } else if (!jq_format_plain(j, &b, x)) {
            x = jq_copy(x);
            jq_drop(j, v);
            buf_fini(&b);
            return jq_fail1(j, x, "is not valid in a csv row");
        }
    }
    jq_drop(j, v);
    return jq_string_buf(j, &b);
}

static struct jq_val jq_format_sh(struct jq *j, struct jq_val v)
{
    static const char *const quotes[] = {"'\\''"};
    uint32_t n = v.kind == JQ_ARRAY ? v.arr->n : 1;
    struct buf b;

    buf_init(&b, j->heap);
    for (uint32_t i = 0; i < n; i++) {
        struct jq_val x = v.kind == JQ_ARRAY ? v.arr->v[i] : v;
        if (i > 0)
            buf_putc(&b, ' ');
        if (x.kind == JQ_STRING) {
            buf_putc(&b, '\'');
            jq_replace(&b, jq_text(x), "'", quotes);
            buf_putc(&b, '\'');
        } else if (x.kind == JQ_ARRAY || x.kind == JQ_OBJECT) {
            x = jq_copy(x);
            jq_drop(j, v);
            buf_fini(&b);
            return jq_fail1(j, x, "can not be escaped for shell");
        } else {
            jq_dump(j, &b, x);
        }
    }
    jq_drop(j, v);
    return jq_string_buf(j, &b);
}

static void jq_format_uri(struct buf *b, struct str s)
{
    static const char hex[] = "0123456789ABCDEF";
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (ascii_alnum(c) || (c && strchr("-_.~", c))) {
            buf_putc(b, (char)c);
        } else {
            char text[3] = {'%', hex[c >> 4], hex[c & 15]};
            buf_add(b, text, 3);
        }
    }
}

static struct jq_val jq_format_base64d(struct jq *j, struct jq_val v)
{
    struct base64_decoder d = {0};
    struct str s = jq_text(v);
    struct buf b;
    size_t n = s.n;

    buf_init(&b, j->heap);
    /* Without its padding, and without what stands behind it. */
    for (size_t i = 0; i < s.n && n == s.n; i++)
        if (s.p[i] == '=')
            n = i;
    int e = n % 4 == 1 && n == 1 ? 1 : base64_decode(&d, str_sub(s, 0, n), &b);
    if (e == 0 && d.have == 1)
        e = 1;
    if (e == 0 && d.have)
        e = base64_decode(&d, str_sub(STR("=="), 0, (size_t)(4 - d.have)), &b);
    if (e == 0)
        e = base64_finish(&d, &b);
    if (e != 0) {
        buf_fini(&b);
        return jq_fail1(j, v, e > 0 ? "trailing base64 byte found" : "is not valid base64 data");
    }
    struct jq_val out = jq_string_checked(j, buf_get(&b));
    buf_fini(&b);
    jq_drop(j, v);
    return out;
}

static void jq_format_base32(struct buf *b, struct str s)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    for (size_t i = 0; i < s.n; i += 5) {
        size_t n = MIN(s.n - i, 5);
        uint64_t bits = 0;
        for (size_t k = 0; k < 5; k++)
            bits = bits << 8 | (k < n ? (unsigned char)s.p[i + k] : 0);
        size_t used = (n * 8 + 4) / 5;
        for (size_t k = 0; k < 8; k++)
            buf_putc(b, k < used ? letters[bits >> (35 - 5 * k) & 31] : '=');
    }
}

static struct jq_val jq_format_base32d(struct jq *j, struct jq_val v)
{
    struct str s = jq_text(v);
    struct buf b;
    uint64_t bits = 0;
    int have = 0;

    buf_init(&b, j->heap);
    for (size_t i = 0; i < s.n && s.p[i] != '='; i++) {
        int c = (unsigned char)s.p[i];
        int x = ascii_upper(c) ? c - 'A' : c >= '2' && c <= '7' ? c - '2' + 26 : -1;
        if (x < 0) {
            buf_fini(&b);
            return jq_fail1(j, v, "is not valid base32 data");
        }
        bits = bits << 5 | (uint64_t)x;
        have += 5;
        if (have >= 8) {
            have -= 8;
            buf_putc(&b, (char)(bits >> have & 255));
        }
    }
    jq_drop(j, v);
    struct jq_val out = jq_string_checked(j, buf_get(&b));
    buf_fini(&b);
    return out;
}

struct jq_val jq_format(struct jq *j, struct jq_val v, struct str name)
{
    static const char *const entities[] = {"&lt;", "&gt;", "&amp;", "&apos;", "&quot;"};
    struct buf b;

    if (str_eqz(name, "json"))
        return jq_to_json(j, v);
    if (str_eqz(name, "text"))
        return jq_to_string(j, v);
    if (str_eqz(name, "csv") || str_eqz(name, "tsv"))
        return jq_format_row(j, v, name.p[0] == 'c');
    if (str_eqz(name, "sh"))
        return jq_format_sh(j, v);
    bool html = str_eqz(name, "html"), uri = str_eqz(name, "uri");
    bool base64 = str_eqz(name, "base64"), base32 = str_eqz(name, "base32");
    bool decode64 = str_eqz(name, "base64d"), decode32 = str_eqz(name, "base32d");
    if (!html && !uri && !base64 && !base32 && !decode64 && !decode32) {
        jq_drop(j, v);
        return jq_fail(j, "%.*s is not a valid format", STR_ARG(name));
    }
    v = jq_to_string(j, v);
    if (v.kind == JQ_NONE)
        return v;
    if (decode64)
        return jq_format_base64d(j, v);
    if (decode32)
        return jq_format_base32d(j, v);
    buf_init(&b, j->heap);
    if (html)
        jq_replace(&b, jq_text(v), "<>&'\"", entities);
    else if (uri)
        jq_format_uri(&b, jq_text(v));
    else if (base64)
        base64_encode(&b, jq_text(v), false);
    else
        jq_format_base32(&b, jq_text(v));
    jq_drop(j, v);
    return jq_string_buf(j, &b);
}

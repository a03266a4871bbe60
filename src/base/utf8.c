/* utf8.c -- UTF-8 as bash in C.UTF-8 sees it: what is not valid counts as single bytes */
#include "base/utf8.h"

#include "base/unicode.h"

uint32_t utf8_decode(const char *str, size_t n, int *len)
{
    const unsigned char *s = (const unsigned char *)str;
    unsigned c = s[0], need;
    uint32_t v, least;

    *len = 1;
    if (c < 0x80)
        return c;
    if (c < 0xC2 || c > 0xF4)
        return UTF8_BAD;
    if (c < 0xE0) {
        need = 1, v = c & 0x1F, least = 0x80;
    } else if (c < 0xF0) {
        need = 2, v = c & 0x0F, least = 0x800;
    } else {
        need = 3, v = c & 0x07, least = 0x10000;
    }
    if (n <= need)
        return UTF8_BAD;
    for (unsigned i = 1; i <= need; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return UTF8_BAD;
        v = v << 6 | (s[i] & 0x3F);
    }
    if (v < least || v > 0x10FFFF || (v >= 0xD800 && v < 0xE000))
        return UTF8_BAD;
    *len = (int)need + 1;
    return v;
}

int utf8_encode(char *dst, uint32_t c)
{
    if (c < 0x80) {
        dst[0] = (char)c;
        return 1;
    }
    /* n bytes carry 5n + 1 bits, two bytes 11 of them. */
    int n = c < 0x800 ? 2 : c < 0x10000 ? 3 : c < 0x200000 ? 4 : c < 0x4000000 ? 5 : 6;
    for (int i = n - 1; i > 0; i--, c >>= 6)
        dst[i] = (char)(0x80 | (c & 0x3F));
    dst[0] = (char)((0xFF00 >> n & 0xFF) | (c & 0x3F));
    return n;
}

/* How many bytes from s on are plain ASCII; most strings are nothing else. */
static size_t utf8_ascii(const char *s, size_t n)
{
    size_t i = 0;
    for (uint64_t w; n - i >= 8; i += 8) {
        memcpy(&w, s + i, 8);
        if (w & 0x8080808080808080u)
            break;
    }
    while (i < n && !(s[i] & 0x80))
        i++;
    return i;
}

size_t utf8_count(struct str s)
{
    size_t count = 0;
    for (size_t i = 0; i < s.n;) {
        size_t plain = utf8_ascii(s.p + i, s.n - i);
        i += plain;
        count += plain;
        while (i < s.n && (s.p[i] & 0x80)) {
            int len;
            utf8_decode(s.p + i, s.n - i, &len);
            i += (size_t)len;
            count++;
        }
    }
    return count;
}

size_t utf8_offset(struct str s, size_t chr)
{
    size_t i = 0;
    while (i < s.n && chr > 0) {
        size_t plain = utf8_ascii(s.p + i, MIN(s.n - i, chr));
        i += plain;
        chr -= plain;
        while (i < s.n && chr > 0 && (s.p[i] & 0x80)) {
            int len;
            utf8_decode(s.p + i, s.n - i, &len);
            i += (size_t)len;
            chr--;
        }
    }
    return i;
}

bool utf8_valid(struct str s)
{
    for (size_t i = 0; i < s.n;) {
        i += utf8_ascii(s.p + i, s.n - i);
        if (i == s.n)
            break;
        int len;
        if (utf8_decode(s.p + i, s.n - i, &len) == UTF8_BAD)
            return false;
        i += (size_t)len;
    }
    return true;
}

static unsigned utf8_class(uint32_t c)
{
    if (c > 0x10FFFF)
        return 0;
    uint32_t lo = 0, hi = unicode_classes_count;
    while (hi - lo > 1) {
        uint32_t mid = (lo + hi) / 2;
        if (unicode_classes[mid] >> 8 <= c)
            lo = mid;
        else
            hi = mid;
    }
    return unicode_classes[lo] & 0xFF;
}

/* The case of c by the runs of one map; c itself where it has no partner. */
static uint32_t utf8_map(uint32_t c, const struct unicode_case *runs, uint32_t count)
{
    uint32_t lo = 0, hi = count;
    while (hi - lo > 1) {
        uint32_t mid = (lo + hi) / 2;
        if (runs[mid].start >> 8 <= c)
            lo = mid;
        else
            hi = mid;
    }
    uint32_t first = runs[lo].start >> 8, stride = runs[lo].start & 0xFF;
    if (c < first || (c - first) % stride || (c - first) / stride >= runs[lo].count)
        return c;
    return (c & ~0xFFFFu) | ((c + runs[lo].distance) & 0xFFFF);
}

static bool utf8_listed(uint32_t c, const uint32_t *runs, uint32_t count)
{
    uint32_t lo = 0, hi = count;
    while (hi - lo > 1) {
        uint32_t mid = (lo + hi) / 2;
        if (runs[mid] >> 8 <= c)
            lo = mid;
        else
            hi = mid;
    }
    uint32_t first = runs[lo] >> 8;
    return c >= first && c - first < (runs[lo] & 0xFF);
}

int utf8_width(uint32_t c)
{
    if (c < 0x7F)
        return c >= 32 ? 1 : c == 0 ? 0 : -1;
    unsigned k = utf8_class(c);
    return k & UNICODE_PRINT ? (int)(k & UNICODE_WIDTH) : -1;
}

size_t utf8_columns(struct str s)
{
    size_t columns = 0;
    for (size_t i = 0; i < s.n;) {
        int len;
        uint32_t c = utf8_decode(s.p + i, s.n - i, &len);
        int w = c == UTF8_BAD ? 1 : utf8_width(c);
        columns += (size_t)MAX(w, 0);
        i += (size_t)len;
    }
    return columns;
}

bool utf8_is_alpha(uint32_t c)
{
    return c < 0x80 ? ascii_alpha((int)c) : utf8_class(c) & UNICODE_ALPHA;
}

bool utf8_is_upper(uint32_t c)
{
    if (c < 0x80)
        return ascii_upper((int)c);
    return utf8_lower(c) != c || utf8_listed(c, unicode_only_upper, unicode_only_upper_count);
}

bool utf8_is_lower(uint32_t c)
{
    if (c < 0x80)
        return ascii_lower((int)c);
    return utf8_upper(c) != c || utf8_listed(c, unicode_only_lower, unicode_only_lower_count);
}

bool utf8_is_digit(uint32_t c) { return c - '0' < 10; }

bool utf8_is_space(uint32_t c)
{
    if (c < 0x80)
        return ascii_space((int)c);
    /* The blanks that may be broken at, and both separators. */
    return c == 0x1680 || (c >= 0x2000 && c <= 0x200A && c != 0x2007) || c == 0x2028 ||
           c == 0x2029 || c == 0x205F || c == 0x3000;
}

bool utf8_is_punct(uint32_t c)
{
    return utf8_is_print(c) && !utf8_is_alpha(c) && !utf8_is_digit(c) && !utf8_is_space(c);
}

bool utf8_is_print(uint32_t c)
{
    return c < 0x80 ? ascii_print((int)c) : utf8_class(c) & UNICODE_PRINT;
}

bool utf8_is_cntrl(uint32_t c)
{
    return c < 32 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029;
}

uint32_t utf8_upper(uint32_t c)
{
    if (c < 0x80)
        return (uint32_t)ascii_to_upper((int)c);
    return utf8_map(c, unicode_to_upper, unicode_to_upper_count);
}

uint32_t utf8_lower(uint32_t c)
{
    if (c < 0x80)
        return (uint32_t)ascii_to_lower((int)c);
    return utf8_map(c, unicode_to_lower, unicode_to_lower_count);
}

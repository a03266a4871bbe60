/* utf8.c -- our UTF-8 and character tables against the C library's C.UTF-8 */
#include "unit.h"

#include <locale.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

#include "base/utf8.h"

static void coding(void)
{
    char tmp[8];
    int len;

    for (uint32_t c = 0; c < 0x110000; c++) {
        int n = utf8_encode(tmp, c);
        uint32_t back = utf8_decode(tmp, (size_t)n, &len);
        bool surrogate = c >= 0xD800 && c < 0xE000;
        if (!CHECK(surrogate ? back == UTF8_BAD && len == 1 : back == c && len == n))
            return;
        if (n > 1 && !CHECK(utf8_decode(tmp, (size_t)n - 1, &len) == UTF8_BAD))
            return;
    }
    CHECK_EQ(utf8_encode(tmp, 0x110000), 4);
    CHECK(utf8_decode(tmp, 4, &len) == UTF8_BAD);
    CHECK_EQ(utf8_encode(tmp, 0x7FFFFFFF), 6);
    CHECK_MEM(tmp, 6, "\xfd\xbf\xbf\xbf\xbf\xbf", 6);
    CHECK(utf8_decode("\xc0\x80", 2, &len) == UTF8_BAD);
    CHECK(utf8_decode("\xe0\x80\x80", 3, &len) == UTF8_BAD);
    CHECK(utf8_decode("\x80", 1, &len) == UTF8_BAD);
}

static void counting(void)
{
    struct str s = STR("abcdefghij\xc3\xa4\xff\xe2\x82\xacx\xe2\x82");

    CHECK_EQ(utf8_count(s), 10 + 1 + 1 + 1 + 1 + 2);
    CHECK_EQ(utf8_offset(s, 0), 0);
    CHECK_EQ(utf8_offset(s, 10), 10);
    CHECK_EQ(utf8_offset(s, 11), 12);
    CHECK_EQ(utf8_offset(s, 13), 16);
    CHECK_EQ(utf8_offset(s, 99), s.n);
    CHECK_EQ(utf8_offset(STR_NONE, 9), 0);
    CHECK(!utf8_valid(s));
    CHECK(utf8_valid(str_sub(s, 0, 12)));
    CHECK(utf8_valid(STR("")));
    CHECK_EQ(utf8_columns(STR("a\xe4\xb8\xad\xcc\x81")), 3);
}

static void properties(void)
{
    if (!setlocale(LC_ALL, "C.UTF-8")) {
        printf("# no C.UTF-8 here\n");
        return;
    }
    for (uint32_t c = 0; c < 0x110010 && !unit_failed; c++) {
        wint_t w = (wint_t)c;
        CHECK_EQ(utf8_is_alpha(c), !!iswalpha(w));
        CHECK_EQ(utf8_is_upper(c), !!iswupper(w));
        CHECK_EQ(utf8_is_lower(c), !!iswlower(w));
        CHECK_EQ(utf8_is_digit(c), !!iswdigit(w));
        CHECK_EQ(utf8_is_space(c), !!iswspace(w));
        CHECK_EQ(utf8_is_punct(c), !!iswpunct(w));
        CHECK_EQ(utf8_is_print(c), !!iswprint(w));
        CHECK_EQ(utf8_is_cntrl(c), !!iswcntrl(w));
        CHECK_EQ(utf8_upper(c), towupper(w));
        CHECK_EQ(utf8_lower(c), towlower(w));
        CHECK_EQ(utf8_width(c), wcwidth((wchar_t)c));
        if (unit_failed)
            printf("# U+%04X\n", (unsigned)c);
    }
    CHECK(!utf8_is_alpha(UTF8_BAD) && !utf8_is_upper(UTF8_BAD) && !utf8_is_print(UTF8_BAD));
    CHECK(utf8_upper(UTF8_BAD) == UTF8_BAD);
}

UNIT_MAIN(UNIT(coding), UNIT(counting), UNIT(properties))

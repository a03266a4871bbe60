/* formats.c -- tests of JSON, base64 and dates */
#include "testheap.h"

#include <time.h>

#include "base/arena.h"
#include "base/random.h"
#include "text/base64.h"
#include "text/date.h"
#include "text/json.h"

static struct testheap t;
static struct arena a;
static struct buf b;

static void begin(void)
{
    testheap_init(&t, SIZE_MAX);
    arena_init(&a, &t.heap);
    buf_init(&b, &t.heap);
}

static void end(void)
{
    buf_fini(&b);
    arena_fini(&a);
    CHECK_EMPTY(&t);
}

static void json_good(void)
{
    /* What is read, and how it looks when it is written again (NULL: the same). */
    static const char *const rows[][2] = {
        {"null", NULL},
        {" true ", "true"},
        {"false\n", "false"},
        {"-0.5e+3", NULL},
        {"0", NULL},
        {"123456789012345678901234567890", NULL},
        {"\"\"", NULL},
        {"\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"a\\\"\\\\/\\b\\f\\n\\r\\t\""},
        {"\"\\u00e4\\u20AC\"", "\"\xc3\xa4\xe2\x82\xac\""},
        {"\"\\ud83d\\ude00\"", "\"\xf0\x9f\x98\x80\""},
        {"\"\\ud83dx\"", "\"\\ud83dx\""},
        {"\"\\udc00\\ud83d\"", "\"\\udc00\\ud83d\""},
        {"\"\\u0001\\u001f\"", "\"\\u0001\\u001f\""},
        {"[]", NULL},
        {"[ ]", "[]"},
        {"{}", NULL},
        {"[1,[2,[]],{\"a\":{}}]", NULL},
        {" { \"a\" : 1 , \"b\" : [ true , null ] } ", "{\"a\":1,\"b\":[true,null]}"},
    };
    begin();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct json *v;
        struct hob_error e = {0};
        if (!CHECK_EQ(json_parse(&a, str_z(rows[i][0]), 10, &v, &e), 0)) {
            printf("# %s: %s\n", rows[i][0], e.msg);
            continue;
        }
        buf_clear(&b);
        json_write(&b, v);
        CHECK_STR(b.p, rows[i][1] ? rows[i][1] : rows[i][0]);
    }
    end();
}

static void json_bad(void)
{
    static const char *const rows[] = {"",
                                       " ",
                                       "nul",
                                       "nulll",
                                       "01",
                                       "-",
                                       "1.",
                                       ".5",
                                       "1e",
                                       "+1",
                                       "\"",
                                       "\"\\x\"",
                                       "\"\\u12\"",
                                       "\"\\u12g4\"",
                                       "\"a\nb\"",
                                       "[",
                                       "[1",
                                       "[1,",
                                       "[1,]",
                                       "[,1]",
                                       "[1 2]",
                                       "]",
                                       "{",
                                       "{\"a\"",
                                       "{\"a\":",
                                       "{\"a\":1",
                                       "{\"a\":1,}",
                                       "{a:1}",
                                       "{\"a\" 1}",
                                       "1 2",
                                       "[1}",
                                       "{\"a\":1]",
                                       "\"\\",
                                       "\"\\u",
                                       "'a'",
                                       "NaN",
                                       "[[[[[[[[[[[1]]]]]]]]]]]",
                                       "\xef\xbb\xbf 1"};
    begin();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct json *v;
        struct hob_error e = {0};
        if (!CHECK_EQ(json_parse(&a, str_z(rows[i]), 10, &v, &e), HOB_ESYNTAX))
            printf("# %s\n", rows[i]);
        CHECK(e.msg[0] != '\0');
    }
    struct hob_error e;
    struct json *v;
    json_parse(&a, STR("[1,\n 2 x]"), 10, &v, &e);
    CHECK_STR(e.msg, "expected ',' or ']' at line 2, column 4");
    end();
}

static void json_access(void)
{
    struct json *v;
    struct str s;
    int64_t i = 0;

    begin();
    REQUIRE(json_parse(&a,
                       STR("{\"s\":\"a\\u0000b\",\"n\":-7,\"f\":1.5,\"t\":true,\"s2\":[1,2],"
                           "\"n\":8}"),
                       10, &v, NULL) == 0);
    CHECK(json_string(json_get(v, "s"), &s));
    CHECK_MEM(s.p, s.n, "a\0b", 3);
    CHECK(json_int(json_get(v, "n"), &i)); /* the last one counts */
    CHECK_EQ(i, 8);
    CHECK(!json_int(json_get(v, "f"), &i));
    CHECK(json_bool(json_get(v, "t"), false));
    CHECK(json_bool(json_get(v, "missing"), true));
    CHECK(json_int(json_at(json_get(v, "s2"), 1), &i) && i == 2);
    CHECK(json_at(json_get(v, "s2"), 2) == NULL);
    CHECK(json_get(json_get(json_get(v, "x"), "y"), "z") == NULL);
    CHECK(json_quote(&b, STR("\xc3\xa4\x7f")));
    CHECK(!json_quote(&b, STR("x\xff\xc3")));
    CHECK_STR(b.p, "\"\xc3\xa4\x7f\"\"x\xef\xbf\xbd\xef\xbf\xbd\"");
    /* Depth costs no stack. */
    char *deep = malloc(2000000);
    REQUIRE(deep != NULL);
    memset(deep, '[', 1000000);
    memset(deep + 1000000, ']', 1000000);
    CHECK_EQ(json_parse(&a, str_of(deep, 2000000), INT_MAX, &v, NULL), 0);
    buf_clear(&b);
    json_write(&b, v);
    CHECK_MEM(b.p, b.n, deep, 2000000);
    free(deep);
    end();
}

static int json_work(struct heap *h)
{
    struct arena mine;
    struct json *v;
    struct buf out;

    arena_init(&mine, h);
    buf_init(&out, h);
    int r = json_parse(&mine, STR("{\"a\":[1,\"x\",{\"b\":null}],\"c\":\"dd\"}"), 9, &v, NULL);
    if (r == 0)
        json_write(&out, v);
    buf_fini(&out);
    arena_fini(&mine);
    int gate = heap_gate(h);
    return gate < 0 ? gate : r;
}

static void json_torture(void) { testheap_torture(json_work); }

static void base64(void)
{
    static const struct {
        const char *text, *out;
        int r;
    } rows[] = {
        {"QUJD", "ABC", 0},         {"QUI=", "AB", 0},
        {"QQ==", "A", 0},           {"QQ", "A", HOB_EINVAL},
        {"QQ=", "A", HOB_EINVAL},   {"QUJD!", "ABC", HOB_EINVAL},
        {"QUI!", "AB", HOB_EINVAL}, {"=", "", HOB_EINVAL},
        {"QQ==QUI=", "AAB", 0},     {"QQ=A", "A", HOB_EINVAL},
        {"Q", "", HOB_EINVAL},      {"QQ===", "A", HOB_EINVAL},
        {"QU\nJD\n", "ABC", 0},     {"", "", 0},
    };
    begin();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct base64_decoder d = {0};
        buf_clear(&b);
        int r = base64_decode(&d, str_z(rows[i].text), &b);
        if (r == 0)
            r = base64_finish(&d, &b);
        CHECK_EQ(r, rows[i].r);
        CHECK_STR(buf_get(&b).p, rows[i].out);
    }
    struct random r;
    random_seed(&r, 2);
    for (size_t n = 0; n < 100; n++) {
        char data[100], *copy = data;
        struct buf back;
        struct base64_decoder d = {.url = n & 1, .lenient = n & 2};
        random_bytes(&r, data, n);
        buf_clear(&b);
        buf_init(&back, &t.heap);
        base64_encode(&b, str_of(copy, n), n & 1);
        CHECK_EQ(b.n, (n + 2) / 3 * 4);
        if (n & 2)
            buf_addz(&b, " \t!");
        for (size_t i = 0; i < b.n; i++) /* byte by byte */
            CHECK_EQ(base64_decode(&d, str_of(b.p + i, 1), &back), 0);
        CHECK_EQ(base64_finish(&d, &back), 0);
        CHECK_MEM(back.p, back.n, data, n);
        buf_fini(&back);
    }
    end();
}

static void calendar(void)
{
    struct random r;

    random_seed(&r, 4);
    for (int i = 0; i < 20000; i++) {
        int64_t at = (int64_t)random_below(&r, 200000000000) - 100000000000, back;
        time_t when = (time_t)at;
        struct tm tm;
        struct date d;
        CHECK_EQ(date_from_epoch(at, 0, &date_utc, &d), 0);
        gmtime_r(&when, &tm);
        bool same = d.year == tm.tm_year + 1900 && d.month == tm.tm_mon + 1 &&
                    d.day == tm.tm_mday && d.hour == tm.tm_hour && d.minute == tm.tm_min &&
                    d.second == tm.tm_sec && d.weekday == tm.tm_wday && d.yearday == tm.tm_yday;
        if (!CHECK(same) || !CHECK_EQ(date_to_epoch(&d, &date_utc, &back), 0) ||
            !CHECK_EQ(back, at))
            return;
    }
    struct date d = {.year = 2024, .month = 14, .day = 31, .hour = -1};
    int64_t at;
    CHECK_EQ(date_to_epoch(&d, &date_utc, &at), 0);
    CHECK_EQ(at, 1740956400); /* 2025-03-02 23:00 */
    CHECK_EQ(date_from_epoch(INT64_MAX, 0, &date_utc, &d), HOB_EOVERFLOW);
    CHECK_EQ(date_from_epoch(INT64_MIN, 0, &date_utc, &d), HOB_EOVERFLOW);
    d.year = INT64_MAX;
    CHECK_EQ(date_to_epoch(&d, &date_utc, &at), HOB_EOVERFLOW);
    CHECK(date_leap(2000) && !date_leap(1900) && date_month_days(2024, 2) == 29);
}

static void zones(void)
{
    static const char *const names[] = {"EST5EDT,M3.2.0,M11.1.0",
                                        "CET-1CEST,M3.5.0,M10.5.0/3",
                                        "NZST-12NZDT,M9.5.0,M4.1.0/3",
                                        "<+0530>-5:30",
                                        "AAA5BBB,J60/0,300/-2",
                                        "XXX3:30:15",
                                        "EST5EDT"};
    struct random r;
    struct date d;
    struct date_zone z;
    int64_t at;

    random_seed(&r, 8);
    for (size_t i = 0; i < COUNT(names) - 1; i++) {
        setenv("TZ", names[i], 1);
        tzset();
        CHECK_EQ(date_zone_parse(str_z(names[i]), &z), 0);
        for (int k = 0; k < 3000; k++) {
            time_t when = (time_t)random_below(&r, 6000000000) - 1000000000;
            struct tm tm;
            date_from_epoch(when, 0, &z, &d);
            localtime_r(&when, &tm);
            if (!(CHECK_EQ(d.hour, tm.tm_hour) & CHECK_EQ(d.day, tm.tm_mday) &
                  CHECK_EQ(d.offset, tm.tm_gmtoff) & CHECK_STR(d.zone, tm.tm_zone)))
                break;
        }
    }
    date_zone_parse(STR("EST5EDT"), &z);
    d = (struct date){.year = 2024, .month = 11, .day = 3, .hour = 1, .minute = 30};
    date_to_epoch(&d, &z, &at);
    CHECK_EQ(at, 1730611800); /* the first of two */
    d = (struct date){.year = 2024, .month = 3, .day = 10, .hour = 2, .minute = 30};
    date_to_epoch(&d, &z, &at);
    CHECK_EQ(at, 1710055800); /* skipped */
    static const char *const bad[] = {"Foo/Bar", "E",   "EST5EDT,M13.1.0,M1.1.0",
                                      "EST99",   "<AB", "EST5EDT,x"};
    for (size_t i = 0; i < COUNT(bad); i++)
        CHECK_EQ(date_zone_parse(str_z(bad[i]), &z), HOB_EINVAL);
    CHECK_EQ(date_zone_parse(STR("Foo/Bar"), &z), HOB_EINVAL);
    CHECK_STR(z.name[0], "Foo");
    CHECK_EQ(date_zone_parse(STR(""), &z), 0);
    CHECK_STR(z.name[0], "UTC");
    z = date_zone_fixed(-19800);
    CHECK_STR(z.name[0], "-05:30");
}

/* Our table and compiled files against the C library, for the years that nobody changes any more.
 * Where the machine has no database only the table is looked at, for a few known moments. */
static void zone_history(void)
{
    static const char *const names[] = {"Europe/Berlin",  "America/New_York", "Asia/Kolkata",
                                        "Pacific/Apia",   "Africa/Cairo",     "America/Sao_Paulo",
                                        "Asia/Jerusalem", "Australia/Sydney", "EST5EDT"};
    static char file[65536];
    struct random r;
    struct date d;
    struct date_zone z[2];

    random_seed(&r, 9);
    for (size_t i = 0; i < COUNT(names); i++) {
        char path[64];
        CHECK_EQ(zones_find(str_z(names[i]), &z[0]), 0);
        snprintf(path, sizeof path, "/usr/share/zoneinfo/%s", names[i]);
        FILE *f = fopen(path, "rb");
        if (!f)
            continue;
        size_t n = fread(file, 1, sizeof file, f);
        fclose(f);
        CHECK_EQ(zones_read(str_of(file, n), &z[1]), 0);
        setenv("TZ", names[i], 1);
        tzset();
        for (int k = 0; k < 2000; k++) {
            time_t when = (time_t)random_below(&r, 2000000000) - 400000000;
            struct tm tm;
            localtime_r(&when, &tm);
            for (int w = 0; w < 2; w++) {
                date_from_epoch(when, 0, &z[w], &d);
                if (!(CHECK_EQ(d.offset, tm.tm_gmtoff) & CHECK_STR(d.zone, tm.tm_zone)))
                    return;
            }
        }
        /* A file that ends early, or says anything else, is refused or read within its bytes. */
        for (size_t cut = 0; cut < n; cut += 7) {
            char *part = malloc(cut + 1);
            memcpy(part, file, cut);
            if (zones_read(str_of(part, cut), &z[1]) == 0)
                date_from_epoch(1000000000, 0, &z[1], &d);
            if (cut > 44) {
                part[random_below(&r, cut)] = (char)random_below(&r, 256);
                if (zones_read(str_of(part, cut), &z[1]) == 0)
                    date_from_epoch(1000000000, 0, &z[1], &d);
            }
            free(part);
        }
    }
    zones_find(STR("Europe/Berlin"), &z[0]);
    date_from_epoch(-775882800, 0, &z[0], &d);
    CHECK_STR(d.zone, "CEMT");
    CHECK_EQ(d.offset, 10800);
}

/* Each line was printed by GNU date. */
static void formats(void)
{
    static const char *const rows[][2] = {
        {"%a %b %e %H:%M:%S %Z %Y", "Sun Mar  9 08:05:03 EDT 2025"},
        {"%F %T.%N", "2025-03-09 08:05:03.012300000"},
        {"%3N|%-3N|%_6N|%12N", "012|012|0123  |012300000000"},
        {"%A %B %C %y %g %G %j %u %w %U %V %W", "Sunday March 20 25 25 2025 068 7 0 10 10 09"},
        {"%I %l %k %p %P %r %R %D %x %X",
         "08  8  8 AM am 08:05:03 AM 08:05 03/09/25 03/09/25 08:05:03"},
        {"%z %:z %::z %:::z %-z %_6z", "-0400 -04:00 -04:00:00 -04 -400   -400"},
        {"%-d %_m %05d %-H %^a %#Z %10A|%-10A|%010A",
         "9  3 00009 8 SUN edt     Sunday|Sunday|0000Sunday"},
        {"%c|%25c|%^c",
         "Sun Mar  9 08:05:03 2025| Sun Mar  9 08:05:03 2025|SUN MAR  9 08:05:03 2025"},
        {"%s %q %n%t%% %E", "1741521903 1 \n\t% %E"},
        {"%Ey %Od %Q %", "25 09 %Q %"},
    };
    struct date_zone z;
    struct date d;

    begin();
    date_zone_parse(STR("EST5EDT,M3.2.0,M11.1.0"), &z);
    date_from_epoch(1741521903, 12300000, &z, &d);
    for (size_t i = 0; i < COUNT(rows); i++) {
        buf_clear(&b);
        date_format(&b, str_z(rows[i][0]), &d, 1741521903, true);
        CHECK_STR(b.p, rows[i][1]);
    }
    buf_clear(&b);
    date_format(&b, STR("%N %q %:z %s %F"), &d, 1741521903, false);
    CHECK_STR(b.p, "%N %q %:z 1741521903 2025-03-09");
    end();
}

UNIT_MAIN(UNIT(json_good), UNIT(json_bad), UNIT(json_access), UNIT(json_torture), UNIT(base64),
          UNIT(calendar), UNIT(zones), UNIT(zone_history), UNIT(formats))

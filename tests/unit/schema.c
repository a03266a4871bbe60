/* schema.c -- tests of JSON Schema and of the nearest name */
#include "testheap.h"

#include "base/arena.h"
#include "text/nearest.h"
#include "text/regex.h"
#include "text/schema.h"

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

/* The faults of a value against a schema as one text; "" when it fits. */
static const char *check(const char *schema, const char *value)
{
    struct json *s, *v;
    struct schema *compiled;
    struct hob_error e = {0};

    buf_clear(&b);
    buf_putc(&b, ' ');
    buf_clear(&b);
    if (json_parse(&a, str_z(schema), 100, &s, &e) < 0 ||
        json_parse(&a, str_z(value), 100, &v, &e) < 0 || schema_compile(&a, s, &compiled, &e) < 0) {
        printf("# %s: %s\n", schema, e.msg);
        return "not checked";
    }
    int n = schema_check(compiled, &a, v, &b, 10);
    if ((n == 0) != (b.n == 0))
        return "the number and the lines differ";
    return b.p;
}

static void types(void)
{
    begin();
    CHECK_STR(check("{\"type\":\"string\"}", "\"x\""), "");
    CHECK_STR(check("{\"type\":\"string\"}", "1.5"), "/: expected a string, found a number 1.5\n");
    CHECK_STR(check("{\"type\":\"integer\"}", "3"), "");
    CHECK_STR(check("{\"type\":\"integer\"}", "3.0"), "");
    CHECK_STR(check("{\"type\":\"integer\"}", "3.5"),
              "/: expected an integer, found a number 3.5\n");
    CHECK_STR(check("{\"type\":\"number\"}", "3"), "");
    CHECK_STR(check("{\"type\":[\"string\",\"null\"]}", "null"), "");
    CHECK_STR(check("{\"type\":[\"string\",\"null\"]}", "[]"),
              "/: expected a string or null, found an array\n");
    CHECK_STR(check("{\"type\":\"string\",\"nullable\":true}", "null"), "");
    CHECK_STR(check("{\"type\":\"boolean\"}", "false"), "");
    CHECK_STR(check("{}", "[1,{}]"), "");
    CHECK_STR(check("true", "1"), "");
    CHECK_STR(check("false", "1"), "/: nothing is allowed here\n");
    end();
}

static void objects(void)
{
    static const char s[] =
        "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"},\"limit\":{\"type\":"
        "\"integer\",\"minimum\":1}},\"required\":[\"path\"],\"additionalProperties\":false}";
    begin();
    CHECK_STR(check(s, "{\"path\":\"a\"}"), "");
    CHECK_STR(check(s, "{}"), "/: the property \"path\" is missing\n");
    CHECK_STR(check(s, "{\"path\":\"a\",\"limit\":0}"), "/limit: must be at least 1, found 0\n");
    CHECK_STR(check(s, "{\"pth\":\"a\"}"), "/: the property \"path\" is missing\n"
                                           "/pth: unknown property; did you mean \"path\"?\n");
    CHECK_STR(check(s, "{\"path\":\"a\",\"colour\":1}"), "/colour: unknown property\n");
    CHECK_STR(check("{\"additionalProperties\":{\"type\":\"number\"}}", "{\"a\":1,\"b/c\":\"x\"}"),
              "/b~1c: expected a number, found a string\n");
    CHECK_STR(check("{\"patternProperties\":{\"^x-\":{\"type\":\"number\"}},"
                    "\"additionalProperties\":false}",
                    "{\"x-a\":1}"),
              "");
    CHECK_STR(check("{\"minProperties\":1,\"maxProperties\":2}", "{}"),
              "/: must have at least 1 properties, has 0\n");
    end();
}

static void arrays(void)
{
    begin();
    CHECK_STR(check("{\"items\":{\"type\":\"string\"}}", "[\"a\",1]"),
              "/1: expected a string, found a number 1\n");
    CHECK_STR(check("{\"minItems\":1,\"maxItems\":2}", "[1,2,3]"),
              "/: must have at most 2 items, has 3\n");
    CHECK_STR(check("{\"prefixItems\":[{\"type\":\"string\"}],\"items\":{\"type\":\"number\"}}",
                    "[\"a\",1,\"b\"]"),
              "/2: expected a number, found a string\n");
    CHECK_STR(check("{\"uniqueItems\":true}", "[1,2,{\"a\":1,\"b\":2},{\"b\":2,\"a\":1.0}]"),
              "/: items 2 and 3 are equal\n");
    CHECK_STR(check("{\"uniqueItems\":true}", "[1,\"1\",[1],true]"), "");
    end();
}

static void scalars(void)
{
    begin();
    CHECK_STR(check("{\"enum\":[\"a\",1]}", "1.0"), "");
    CHECK_STR(check("{\"enum\":[\"a\",1]}", "\"b\""), "/: must be one of \"a\", 1, found \"b\"\n");
    CHECK_STR(check("{\"const\":{\"a\":[1]}}", "{\"a\":[1]}"), "");
    CHECK_STR(check("{\"const\":2}", "3"), "/: must be 2\n");
    CHECK_STR(check("{\"exclusiveMinimum\":0,\"exclusiveMaximum\":1}", "1"),
              "/: must be less than 1, found 1\n");
    CHECK_STR(check("{\"multipleOf\":0.1}", "0.3"), "");
    CHECK_STR(check("{\"multipleOf\":5}", "12"), "/: must be a multiple of 5, found 12\n");
    CHECK_STR(check("{\"minLength\":2,\"maxLength\":3}", "\"\xc3\xa4\""),
              "/: must have at least 2 characters, has 1\n");
    CHECK_STR(check("{\"minLength\":2}", "5"), "");
    CHECK_STR(check("{\"format\":\"date\"}", "\"2026-13-01\""), "/: is no date\n");
    CHECK_STR(check("{\"format\":\"date-time\"}", "\"2026-01-31T10:00:00.5Z\""), "");
    CHECK_STR(check("{\"format\":\"email\"}", "\"a@b\""), "");
    CHECK_STR(check("{\"format\":\"ipv4\"}", "\"1.2.3.256\""), "/: is no ipv4\n");
    CHECK_STR(check("{\"format\":\"uuid\"}", "\"123e4567-e89b-12d3-a456-42661417400g\""),
              "/: is no uuid\n");
    CHECK_STR(check("{\"format\":\"colour\"}", "\"x\""), "");
    end();
}

static void logic(void)
{
    begin();
    CHECK_STR(check("{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}", "1"),
              "/: fits none of the forms that are allowed: (/: expected a string, found a number 1)"
              " (/: expected null, found a number 1)\n");
    CHECK_STR(check("{\"anyOf\":[{\"type\":\"string\"},{\"minimum\":2}]}", "3"), "");
    CHECK_STR(check("{\"oneOf\":[{\"minimum\":1},{\"minimum\":2}]}", "3"),
              "/: fits 2 of the forms, and must fit exactly one\n");
    CHECK_STR(check("{\"allOf\":[{\"minimum\":1},{\"maximum\":2}]}", "3"),
              "/: must be at most 2, found 3\n");
    CHECK_STR(check("{\"not\":{\"type\":\"string\"}}", "\"x\""),
              "/: has a form that is not allowed\n");
    CHECK_STR(check("{\"$defs\":{\"n\":{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":"
                    "\"#/$defs/n\"}},\"required\":[\"v\"]}},\"$ref\":\"#/$defs/n\"}",
                    "{\"v\":1,\"next\":{\"v\":2,\"next\":{}}}"),
              "/next/next: the property \"v\" is missing\n");
    end();
}

static void patterns(void)
{
    static const struct {
        const char *pattern, *yes, *no;
    } rows[] = {
        {"^\\\\d{3}-\\\\d+$", "\"123-4\"", "\"12-4\""},
        {"^[\\\\w.-]+@[a-z]+\\\\.com$", "\"a.b-c@x.com\"", "\"a b@x.com\""},
        {"^(?:a|b)+?$", "\"abab\"", "\"abc\""},
        {"^[^\\\\s/]+$", "\"abc\"", "\"a/c\""},
        {"^\\\\S+$", "\"\xc3\xa4\xc3\xb6\"", "\"a b\""},
        {"^[\\\\s\\\\S]$", "\"\\n\"", "\"ab\""},
        {"^[^\\\\Sa]$", "\" \"", "\"a\""},
        {"^[\\u4e00-\\u9fff]+$", "\"\\u4e2d\"", "\"a\""},
        {"^.$", "\"\xe2\x82\xac\"", "\"\\n\""},
        {"^[\\\\]\\\\^\\\\[-]+$", "\"^]-[\"", "\"a\""},
        {"^[\\\\^-]$", "\"^\"", "\"a\""},
        {"^[^^]$", "\"a\"", "\"^\""},
        {"^a{2}b{c$", "\"aab{c\"", "\"abc\""},
        {"\\\\u00e4|\\\\x41", "\"\xc3\xa4\"", "\"B\""},
        {"^(?<year>\\\\d{4})$", "\"2026\"", "\"x\""},
        {"^\\\\/x\\\\-y$", "\"/x-y\"", "\"x\""},
        {"\\\\bfoo\\\\b", "\"a foo b\"", "\"food\""},
        {"^\\\\p{L}+$", "\"\xc3\xa4z\"", "\"1\""},
        {"^[a-z0-9]+(-[a-z0-9]+)*$", "\"my-skill-2\"", "\"My-\""},
        {"^(?=x)y$", "\"anything\"", NULL},
    };
    begin();
    for (size_t i = 0; i < COUNT(rows); i++) {
        char schema[200];
        snprintf(schema, sizeof schema, "{\"pattern\":\"%s\"}", rows[i].pattern);
        if (!CHECK_STR(check(schema, rows[i].yes), ""))
            printf("# %s\n", rows[i].pattern);
        if (rows[i].no && !CHECK(strstr(check(schema, rows[i].no), "does not match")))
            printf("# %s\n", rows[i].pattern);
    }
    end();
}

static void wrong_schemas(void)
{
    static const char *const rows[][2] = {
        {"1", "/: expected a schema, which is an object"},
        {"{\"type\":\"text\"}", "/type: no type; "},
        {"{\"properties\":{\"a\":{\"minimum\":\"x\"}}}",
         "/properties/a/minimum: expected a number"},
        {"{\"properties\":[]}", "/properties: expected an object"},
        {"{\"required\":\"a\"}", "/required: expected a list"},
        {"{\"items\":3}", "/items: expected a schema"},
        {"{\"anyOf\":[{},2]}", "/anyOf/1: expected a schema"},
        {"{\"pattern\":\"(\"}", "/pattern: the pattern is not a regular expression"},
        {"{\"pattern\":\"[z-a]\"}", "/pattern: the pattern is not a regular expression"},
        {"{\"$ref\":\"#/$defs/x\"}", "/$ref: there is nothing"},
        {"{\"$ref\":\"http://x\"}", "/$ref: expected a place in the same schema"},
        {"{\"minLength\":-1}", "/minLength: expected a whole number"},
    };
    begin();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct json *v;
        struct schema *s;
        struct hob_error e = {0};
        REQUIRE(json_parse(&a, str_z(rows[i][0]), 100, &v, &e) == 0);
        CHECK_EQ(schema_compile(&a, v, &s, &e), HOB_EINVAL);
        if (!CHECK(strncmp(e.msg, rows[i][1], strlen(rows[i][1])) == 0))
            printf("# %s: %s\n", rows[i][0], e.msg);
    }
    end();
}

/* Schemas that would take for ever if nothing bounded them. */
static void hostile(void)
{
    begin();
    CHECK(strstr(check("{\"$ref\":\"#\"}", "1"), "too deep"));
    CHECK(strstr(check("{\"allOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#\"}]}", "1"), "too deep"));
    struct buf s;
    buf_init(&s, &t.heap);
    buf_addz(&s, "{\"$defs\":{\"d0\":{}");
    for (int i = 1; i < 20; i++)
        buf_printf(&s,
                   ",\"d%d\":{\"anyOf\":[{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"},false]},{\"$ref\":"
                   "\"#/$defs/d%d\"}]}",
                   i, i - 1, i - 1);
    buf_addz(&s, "},\"not\":{\"$ref\":\"#/$defs/d19\"}}");
    CHECK(strstr(check(s.p, "1"), "too deep"));
    buf_clear(&s);
    buf_addz(&s, "[0");
    for (int i = 1; i < 20000; i++)
        buf_printf(&s, ",%d", i);
    buf_addz(&s, "]");
    CHECK_STR(check("{\"uniqueItems\":true}", s.p), "");
    buf_fini(&s);
    end();
}

static int torture_one(struct heap *h)
{
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{\"a\":{\"pattern\":\"^[a-z\\\\d]+$\"},\"b\":{"
        "\"anyOf\":[{\"type\":\"number\"},{\"$ref\":\"#/$defs/x\"}]},\"c\":{\"uniqueItems\":true}},"
        "\"$defs\":{\"x\":{\"enum\":[\"p\",\"q\"]}},\"additionalProperties\":false}";
    struct arena ta;
    struct json *s, *v;
    struct schema *compiled;
    struct hob_error e;
    struct buf faults;
    arena_init(&ta, h);
    buf_init(&faults, h);
    int r = json_parse(&ta, STR(schema), 100, &s, &e);
    if (r == 0)
        r = json_parse(&ta, STR("{\"a\":\"A!\",\"b\":\"z\",\"c\":[1,2,1],\"cc\":2}"), 100, &v, &e);
    if (r == 0)
        r = schema_compile(&ta, s, &compiled, &e);
    if (r == 0) {
        int n = schema_check(compiled, &ta, v, &faults, 10);
        r = n < 0 ? n : n == 4 ? 0 : HOB_EBUG;
        if (!h->oom)
            CHECK_EQ(n, 4);
    }
    buf_fini(&faults);
    arena_fini(&ta);
    return r;
}

static void torture(void) { testheap_torture(torture_one); }

static void nearest(void)
{
    static const struct str names[] = {STR_INIT("instructions"), STR_INIT("model"), STR_INIT("cwd"),
                                       STR_INIT("sandbox")};
    struct str out;
    CHECK_EQ(nearest_distance(STR("model"), STR("modle")), 1);
    CHECK_EQ(nearest_distance(STR(""), STR("abc")), 3);
    CHECK_EQ(nearest_distance(STR("Model"), STR("model")), 0);
    CHECK(nearest_find(STR("modle"), names, COUNT(names), &out) && str_eqz(out, "model"));
    CHECK(nearest_find(STR("sandbx"), names, COUNT(names), &out) && str_eqz(out, "sandbox"));
    CHECK(!nearest_find(STR("colour"), names, COUNT(names), &out));
    CHECK(!nearest_find(STR("x"), names, COUNT(names), &out));
}

UNIT_MAIN(UNIT(types), UNIT(objects), UNIT(arrays), UNIT(scalars), UNIT(logic), UNIT(patterns),
          UNIT(wrong_schemas), UNIT(hostile), UNIT(torture), UNIT(nearest))

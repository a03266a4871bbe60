/* frontmatter.c -- tests of the settings at the head of a file */
#include "testheap.h"

#include "base/arena.h"
#include "text/frontmatter.h"

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

static void values(void)
{
    static const char *const rows[][2] = {
        {"", "{}"},
        {"# nothing\n\n", "{}"},
        {"a: 1", "{\"a\":1}"},
        {"a: 1 # one\nb: -2.5e3\nc: 007\nd: 1.\n",
         "{\"a\":1,\"b\":-2.5e3,\"c\":\"007\",\"d\":\"1.\"}"},
        {"a: true\nb: False\nc: null\nd: ~\ne:\nf: yes\n",
         "{\"a\":true,\"b\":false,\"c\":null,\"d\":null,\"e\":null,\"f\":\"yes\"}"},
        {"a: two words\nurl: http://x/y#z\ntime: 12:30\n",
         "{\"a\":\"two words\",\"url\":\"http://x/y#z\",\"time\":\"12:30\"}"},
        {"a: one\n  two\n\n  three # end\nb: 2", "{\"a\":\"one two\\nthree\",\"b\":2}"},
        {"a: \"x\\ty \\u00e4 \\\"q\\\"\" # c\nb: 'it''s'\n",
         "{\"a\":\"x\\ty \xc3\xa4 \\\"q\\\"\",\"b\":\"it's\"}"},
        {"\"a b\": 1\n'c': 2\n", "{\"a b\":1,\"c\":2}"},
        {"a: \"one\n  two\n\n  three\"\n", "{\"a\":\"one two\\nthree\"}"},
        {"a: |\n  one\n    two\n\n  three\nb: 1\n",
         "{\"a\":\"one\\n  two\\n\\nthree\\n\",\"b\":1}"},
        {"a: |-\n  one\n\nb: 1\n", "{\"a\":\"one\",\"b\":1}"},
        {"a: |+\n  one\n\nb: 1\n", "{\"a\":\"one\\n\\n\",\"b\":1}"},
        {"a: >\n  one\n  two\n\n  three\n   four\n  five\n",
         "{\"a\":\"one two\\nthree\\n four\\nfive\\n\"}"},
        {"a: |2\n    x\n", "{\"a\":\"  x\\n\"}"},
        {"a: |\n  x", "{\"a\":\"x\\n\"}"},
        {"a:\n  - 1\n  - two\n  -\n  - [x, y]\n", "{\"a\":[1,\"two\",null,[\"x\",\"y\"]]}"},
        {"a:\n- 1\n- 2\nb: 3\n", "{\"a\":[1,2],\"b\":3}"},
        {"a:\n  - b: 1\n    c: 2\n  - b: 3\n", "{\"a\":[{\"b\":1,\"c\":2},{\"b\":3}]}"},
        {"a:\n  - - 1\n    - 2\n  - 3\n", "{\"a\":[[1,2],3]}"},
        {"a:\n  b:\n    c: 1\n  d: 2\ne: 3\n", "{\"a\":{\"b\":{\"c\":1},\"d\":2},\"e\":3}"},
        {"a: {b: 1, 'c': [x y, \"z\"], d: {}}\n",
         "{\"a\":{\"b\":1,\"c\":[\"x y\",\"z\"],\"d\":{}}}"},
        {"a: [\n  one, # first\n  two,\n]\nb: 1\n", "{\"a\":[\"one\",\"two\"],\"b\":1}"},
        {"a: {b: , c: null}\n", "{\"a\":{\"b\":null,\"c\":null}}"},
        {"a:\n  - |\n    x\n    y\n  - z\n", "{\"a\":[\"x\\ny\\n\",\"z\"]}"},
        {"a: 1\r\nb:\r\n  - x\r\n  - y\r\n", "{\"a\":1,\"b\":[\"x\",\"y\"]}"},
        {"a: -1\nb: - not a list\n", NULL},
        {"a: '-x'\nb: a-b\nc: -x\n", "{\"a\":\"-x\",\"b\":\"a-b\",\"c\":\"-x\"}"},
        {"a:\n  # comment\n  b: 1\n\n# more\nc: 2\n", "{\"a\":{\"b\":1},\"c\":2}"},
        {"{a: 1, b: 2}", "{\"a\":1,\"b\":2}"},
    };
    begin();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct json *v;
        struct hob_error e = {0};
        int r = frontmatter_parse(&a, str_z(rows[i][0]), "f", 1, &v, &e);
        if (!rows[i][1])
            continue;
        if (!CHECK_EQ(r, 0)) {
            printf("# %s: %s\n", rows[i][0], e.msg);
            continue;
        }
        buf_clear(&b);
        json_write(&b, v);
        CHECK_STR(b.p, rows[i][1]);
    }
    end();
}

static void faults(void)
{
    static const char *const rows[][2] = {
        {"a: 1\na: 2", "f:2: \"a\" was set before, at line 1"},
        {"a: 1\n  b: 2", "f:2: a second ':'"},
        {"a:\n  b: 1\n c: 2", "f:3: "},
        {"a: 1\njust text\n", "f:2: expected \"name: value\""},
        {"- a\n- b", "f:1: settings are lines"},
        {"just text", "f:1: settings are lines"},
        {"a:\n\tb: 1", "f:2: a tab"},
        {"a: \"open\n", "f:2: a quote is not closed"},
        {"a: [1, 2\nb: 3\n", "f:2: expected ',' or ']'"},
        {"a: [1, 2\n", "f:2: a bracket is not closed"},
        {"a: *x", "f:1: anchors"},
        {"a: &x 1", "f:1: anchors"},
        {"a: !tag x", "f:1: a text that begins"},
        {"a: \"x\" y", "f:1: something behind the value"},
        {"a: \"\\q\"", "f:1: an unknown escape"},
        {"a: b: c", "f:1: a second ':'"},
        {"a: [[[[[[[[[[[[[[[[[[[[[[[[[[[", "f:1: nested too deeply"},
        {"a: {b: 1, b: 2}", "f:1: \"b\" was set before"},
    };
    begin();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct json *v;
        struct hob_error e = {0};
        CHECK_EQ(frontmatter_parse(&a, str_z(rows[i][0]), "f", 1, &v, &e), HOB_ESYNTAX);
        CHECK(v == NULL);
        if (!CHECK(strncmp(e.msg, rows[i][1], strlen(rows[i][1])) == 0))
            printf("# %s: %s\n", rows[i][0], e.msg);
    }
    end();
}

static void files(void)
{
    struct frontmatter f;
    struct hob_error e = {0};
    begin();
    CHECK_EQ(frontmatter_read(&a, STR("---\nname: x\nlist:\n  - 1\n---\n\nBody\n"), "f", &f, &e),
             0);
    CHECK(f.present);
    CHECK_EQ(f.body_line, 6);
    CHECK_MEM(f.body.p, f.body.n, "\nBody\n", 6);
    CHECK_EQ(frontmatter_line(json_get(f.top, "name")), 2);
    CHECK_EQ(frontmatter_line(json_get(f.top, "list")), 3);
    CHECK_EQ(frontmatter_line(json_at(json_get(f.top, "list"), 0)), 4);
    CHECK_EQ(frontmatter_read(&a, STR("# Title\n---\nx\n"), "f", &f, &e), 0);
    CHECK(!f.present);
    CHECK_EQ(f.body.n, 14);
    CHECK_EQ(frontmatter_read(&a, STR("\xEF\xBB\xBF---\r\na: 1\r\n---\r\nx"), "f", &f, &e), 0);
    CHECK(f.present);
    CHECK_MEM(f.body.p, f.body.n, "x", 1);
    CHECK_EQ(frontmatter_read(&a, STR("---\na: 1\n"), "f", &f, &e), HOB_ESYNTAX);
    CHECK_STR(e.msg, "f:1: the settings that begin here have no closing ---");
    CHECK_EQ(frontmatter_read(&a, STR(""), "f", &f, &e), 0);
    end();
}

static int torture_one(struct heap *h)
{
    static const char text[] =
        "a: 1\nb:\n  - x: \"q\"\n    y: |\n      z\n  - [1, {k: v}]\nc: >-\n  "
        "f\n  g\n";
    struct arena ta;
    struct json *v;
    struct hob_error e;
    arena_init(&ta, h);
    int r = frontmatter_parse(&ta, STR(text), "f", 1, &v, &e);
    arena_fini(&ta);
    return r;
}

static void torture(void) { testheap_torture(torture_one); }

UNIT_MAIN(UNIT(values), UNIT(faults), UNIT(files), UNIT(torture))

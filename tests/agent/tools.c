/* tools.c -- the tools of the model, over every kind of sandbox: they give the same everywhere */
#include <time.h>

#include "toolbox.h"

static const char *const kinds[] = {"virtual", "local", "exec"};

/* Runs a case over every kind of sandbox. */
static void each(void (*run)(struct toolbox *b))
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct toolbox b;
        int before = unit_failed;
        if (CHECK(toolbox_open(&b, kinds[i]) == 0))
            run(&b);
        if (unit_failed > before)
            printf("#   in a %s sandbox\n", kinds[i]);
        toolbox_close(&b);
    }
}

static void put(struct toolbox *b, const char *path, const char *text)
{
    CHECK_EQ(hob_write(b->box, path, text, strlen(text)), 0);
}

static void has(struct toolbox *b, const char *path, const char *text)
{
    hob_bytes data = {0};
    if (CHECK_EQ(hob_read(b->box, path, &data), 0))
        CHECK_STR(data.data, text);
    hob_free(data.data);
}

/* The result begins with the folder of the sandbox where it names a path. */
static const char *at(struct toolbox *b, const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", hob_sandbox_cwd(b->box), name);
    return path;
}

static void contains(const char *text, const char *part)
{
    if (!CHECK(text && strstr(text, part)))
        printf("# \"%s\" is not in \"%.300s\"\n", part, text ? text : "(null)");
}

static void read_files_on(struct toolbox *b)
{
    put(b, "a.txt", "one\ntwo\nthree\n");
    toolbox_call(b, "read", "{\"path\":\"a.txt\"}");
    CHECK_STR(b->result, "one\ntwo\nthree\n");
    CHECK(!b->failed);
    contains(b->details, "\"lines\":3");
    toolbox_call(b, "read", "{\"path\":\"a.txt\",\"offset\":2,\"limit\":1}");
    CHECK_STR(b->result, "two\n");
    toolbox_call(b, "read", "{\"path\":\"a.txt\",\"offset\":9}");
    CHECK_STR(b->result, "offset 9 is behind the end: the file has 3 lines");
    CHECK(b->failed);
    toolbox_call(b, "read", "{\"path\":\"none\"}");
    contains(b->result, "No such file or directory");
    CHECK(b->failed);
    put(b, "empty", "");
    toolbox_call(b, "read", "{\"path\":\"empty\"}");
    CHECK_STR(b->result, "(an empty file)");
    put(b, "sub/x", "1");
    toolbox_call(b, "read", "{\"path\":\".\"}");
    CHECK_STR(b->result, "a.txt\nempty\nsub/");
    CHECK_EQ(hob_write(b->box, "bin", "a\0b", 3), 0);
    toolbox_call(b, "read", "{\"path\":\"bin\"}");
    contains(b->result, "is no text: a binary file of 3 bytes");
    CHECK(b->failed);
}

static void read_files(void) { each(read_files_on); }

static void read_cuts(void)
{
    struct toolbox b;
    REQUIRE(toolbox_open(&b, "virtual") == 0);
    char *big = malloc(400000);
    size_t n = 0;
    for (int i = 1; i <= 3000; i++)
        n += (size_t)sprintf(big + n, "%d\n", i);
    put(&b, "lines", big);
    toolbox_call(&b, "read", "{\"path\":\"lines\"}");
    contains(b.result, "\n2000\n\n[Lines 1-2000 of 3000. Go on with offset=2001.]");
    toolbox_call(&b, "read", "{\"path\":\"lines\",\"offset\":2001}");
    contains(b.result, "\n3000\n");
    CHECK(!strstr(b.result, "["));
    toolbox_call(&b, "read", "{\"path\":\"lines\",\"limit\":2500}");
    contains(b.result, "[Lines 1-2000 of 3000.");
    memset(big, 'x', 300000);
    for (int i = 999; i < 300000; i += 1000)
        big[i] = '\n';
    big[300000] = '\0';
    put(&b, "wide", big);
    toolbox_call(&b, "read", "{\"path\":\"wide\"}");
    contains(b.result, "[Lines 1-51 of 300. Go on with offset=52.]");
    memset(big, 'y', 100000);
    memcpy(big + 100000, "\nend\n", 6);
    put(&b, "long", big);
    toolbox_call(&b, "read", "{\"path\":\"long\"}");
    CHECK_EQ(strspn(b.result, "y"), 51200);
    contains(b.result, "[The first 51200 of 100001 bytes of line 1;");
    contains(b.result, "Line 2 of 2 follows with offset=2.");
    free(big);
    toolbox_close(&b);
}

static void write_files_on(struct toolbox *b)
{
    char want[300];
    toolbox_call(b, "write", "{\"path\":\"d/e/f.txt\",\"content\":\"h\\u00e4llo\"}");
    snprintf(want, sizeof want, "Wrote 6 bytes to %s", at(b, "d/e/f.txt"));
    CHECK_STR(b->result, want);
    has(b, "d/e/f.txt", "h\xc3\xa4llo");
    CHECK_EQ(hob_chmod(b->box, "d/e/f.txt", 0750), 0);
    toolbox_call(b, "write", "{\"path\":\"d/e/f.txt\",\"content\":\"new\"}");
    has(b, "d/e/f.txt", "new");
    hob_stat_t st;
    CHECK_EQ(hob_stat(b->box, "d/e/f.txt", &st), 0);
    CHECK_EQ(st.mode & 07777, 0750);
    /* A link is written through, and nothing is left beside. */
    CHECK_EQ(hob_symlink(b->box, "f.txt", "d/e/link"), 0);
    toolbox_call(b, "write", "{\"path\":\"d/e/link\",\"content\":\"through\"}");
    has(b, "d/e/f.txt", "through");
    CHECK_EQ(hob_lstat(b->box, "d/e/link", &st), 0);
    CHECK_EQ(st.mode & 0170000, 0120000);
    toolbox_call(b, "read", "{\"path\":\"d/e\"}");
    CHECK_STR(b->result, "f.txt\nlink");
    toolbox_call(b, "write", "{\"path\":\"d\",\"content\":\"x\"}");
    CHECK(b->failed);
    toolbox_call(b, "write", "{\"path\":\"it's \\\"odd\\\" $x\",\"content\":\"y\"}");
    has(b, "it's \"odd\" $x", "y");
}

static void write_files(void) { each(write_files_on); }

static void edit_files_on(struct toolbox *b)
{
    put(b, "f", "a b a b\n");
    toolbox_call(b, "edit", "{\"path\":\"f\",\"oldText\":\"zz\",\"newText\":\"y\"}");
    contains(b->result, "oldText does not occur");
    toolbox_call(b, "edit", "{\"path\":\"f\",\"oldText\":\"a\",\"newText\":\"y\"}");
    contains(b->result, "oldText occurs 2 times");
    CHECK(b->failed);
    has(b, "f", "a b a b\n");
    toolbox_call(b, "edit", "{\"path\":\"f\",\"oldText\":\"a b a\",\"newText\":\"$& \\\\1 `x`\"}");
    CHECK(!b->failed);
    has(b, "f", "$& \\1 `x` b\n");
    toolbox_call(b, "edit", "{\"path\":\"f\",\"oldText\":\"\",\"newText\":\"y\"}");
    contains(b->result, "oldText is empty");
    toolbox_call(b, "edit", "{\"path\":\"f\",\"oldText\":\"b\",\"newText\":\"b\"}");
    contains(b->result, "the same");
    put(b, "f", "aaa aaa");
    toolbox_call(b, "edit",
                 "{\"path\":\"f\",\"oldText\":\"aa\",\"newText\":\"b\",\"replaceAll\":true}");
    contains(b->result, "Replaced 2 occurrences");
    contains(b->details, "\"replacements\":2");
    has(b, "f", "ba ba");
    put(b, "w", "one\r\ntwo\r\n");
    toolbox_call(b, "edit", "{\"path\":\"w\",\"oldText\":\"one\\ntwo\",\"newText\":\"x\"}");
    contains(b->result, "end with \\r\\n");
}

static void edit_files(void) { each(edit_files_on); }

/* Calls of one message on one file: in order, none lost. */
static void edits_at_once_on(struct toolbox *b)
{
    put(b, "n", "1 2 3 4");
    CHECK_EQ(toolbox_play(b,
                          "{\"calls\":["
                          "{\"name\":\"edit\",\"args\":{\"path\":\"n\",\"oldText\":\"1\","
                          "\"newText\":\"one\"}},"
                          "{\"name\":\"edit\",\"args\":{\"path\":\"./x/../n\",\"oldText\":\"2\","
                          "\"newText\":\"two\"}},"
                          "{\"name\":\"edit\",\"args\":{\"path\":\"n\",\"oldText\":\"two\","
                          "\"newText\":\"deux\"}},"
                          "{\"name\":\"edit\",\"args\":{\"path\":\"n\",\"oldText\":\"nine\","
                          "\"newText\":\"x\"}},"
                          "{\"name\":\"edit\",\"args\":{\"path\":\"n\",\"oldText\":\"4\","
                          "\"newText\":\"four\"}}]}\n{\"text\":\"done\"}\n",
                          NULL),
             0);
    CHECK_EQ(b->results, 5);
    has(b, "n", "one deux 3 four");
}

static void edits_at_once(void) { each(edits_at_once_on); }

static void bash_calls_on(struct toolbox *b)
{
    toolbox_call(b, "bash", "{\"command\":\"echo out; echo err >&2\"}");
    CHECK_STR(b->result, "out\nerr");
    toolbox_call(b, "bash", "{\"command\":\"true\"}");
    CHECK_STR(b->result, "(no output)");
    toolbox_call(b, "bash", "{\"command\":\"echo x; exit 3\"}");
    CHECK_STR(b->result, "x\n\nExit code: 3");
    CHECK(!b->failed);
    contains(b->details, "\"exitCode\":3");
    toolbox_call(b, "bash",
                 "{\"command\":\"echo before; sleep 20; echo after\","
                 "\"timeout\":0.3}");
    contains(b->result, "before\n\n[Timed out after 0.3 s and was ended.]");
    contains(b->result, "Exit code: 124");
    toolbox_call(b, "bash", "{\"command\":\"seq 5000\"}");
    contains(b->result, "[The last 2000 of 5000 lines; the output was cut here.]\n3001\n");
    CHECK_STR(b->result + strlen(b->result) - 5, "\n5000");
    toolbox_call(b, "bash", "{\"command\":\"printf 'a\\\\0b'\"}");
    CHECK_STR(b->result, "a\xEF\xBF\xBD"
                         "b");
}

static void bash_calls(void) { each(bash_calls_on); }

/* They run beside each other: three sleeps take as long as one. */
static void calls_at_once_on(struct toolbox *b)
{
    struct timespec t0, t1;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    CHECK_EQ(toolbox_play(b,
                          "{\"calls\":["
                          "{\"name\":\"bash\",\"args\":{\"command\":\"sleep 0.6; echo 1\"}},"
                          "{\"name\":\"bash\",\"args\":{\"command\":\"sleep 0.4; echo 2\"}},"
                          "{\"name\":\"bash\",\"args\":{\"command\":\"sleep 0.2; echo 3\"}}]}\n"
                          "{\"text\":\"done\"}\n",
                          NULL),
             0);
    clock_gettime(CLOCK_MONOTONIC, &t1);
    double s = (double)(t1.tv_sec - t0.tv_sec) + (double)(t1.tv_nsec - t0.tv_nsec) / 1e9;
    CHECK(s < 1.1);
    CHECK_STR(b->all[0], "3");
    CHECK_STR(b->all[2], "1");
    /* The conversation has them in the order of the calls. */
    hob_bytes log;
    REQUIRE(hob_session_export(b->s, &log) == 0);
    const char *one = strstr(log.data, "\"text\":\"1\""), *two = strstr(log.data, "\"text\":\"2\""),
               *three = strstr(log.data, "\"text\":\"3\"");
    CHECK(one && two && three && one < two && two < three);
    hob_free(log.data);
}

static void calls_at_once(void) { each(calls_at_once_on); }

static void grep_calls_on(struct toolbox *b)
{
    put(b, "src/a.c", "int main\nint x = 42;\n");
    put(b, "src/b.h", "int y;\n-dash\na.b*c\n");
    toolbox_call(b, "grep", "{\"pattern\":\"int (main|y)\",\"path\":\"src\"}");
    contains(b->result, "src/a.c:1:int main");
    contains(b->result, "src/b.h:1:int y;");
    toolbox_call(b, "grep", "{\"pattern\":\"\\\\d+;\"}");
    CHECK_STR(b->result, "src/a.c:2:int x = 42;");
    toolbox_call(b, "grep", "{\"pattern\":\"-dash\"}");
    CHECK_STR(b->result, "src/b.h:2:-dash");
    toolbox_call(b, "grep", "{\"pattern\":\"a.b*c\",\"literal\":true,\"include\":\"*.h\"}");
    CHECK_STR(b->result, "src/b.h:3:a.b*c");
    toolbox_call(b, "grep", "{\"pattern\":\"int\",\"include\":\"*.c\",\"path\":\"src/a.c\"}");
    contains(b->result, "src/a.c:1:int main");
    toolbox_call(b, "grep", "{\"pattern\":\"it's nowhere\"}");
    CHECK_STR(b->result, "No matches");
    CHECK(!b->failed);
    toolbox_call(b, "grep", "{\"pattern\":\"x\",\"path\":\"nowhere\"}");
    CHECK(b->failed);
    toolbox_call(b, "grep", "{\"pattern\":\"(\"}");
    CHECK(b->failed);
    toolbox_call(b, "bash", "{\"command\":\"seq 500 > n; printf '%0700d\\\\n' 7 > w\"}");
    toolbox_call(b, "grep", "{\"pattern\":\"[0-9]\",\"path\":\"n\"}");
    contains(b->result, "\nn:100:100\n\n[The first 100 of 500 matching lines. Narrow the search.]");
    toolbox_call(b, "grep", "{\"pattern\":\"0\",\"path\":\"w\"}");
    CHECK_EQ(strlen(b->result), 503);
    contains(b->result, "000...");
}

static void grep_calls(void) { each(grep_calls_on); }

static void glob_calls_on(struct toolbox *b)
{
    put(b, "src/a.c", "");
    put(b, "src/deep/er/b.c", "");
    put(b, "src/deep/c.ts", "");
    put(b, "src/(odd)/d.tsx", "");
    put(b, ".hid/e.c", "");
    toolbox_call(b, "glob", "{\"pattern\":\"*.c\"}");
    CHECK_STR(b->result, ".hid/e.c\nsrc/a.c\nsrc/deep/er/b.c");
    toolbox_call(b, "glob", "{\"pattern\":\"src/**/*.{c,ts}\"}");
    CHECK_STR(b->result, "src/a.c\nsrc/deep/c.ts\nsrc/deep/er/b.c");
    toolbox_call(b, "glob", "{\"pattern\":\"src/*.c\"}");
    CHECK_STR(b->result, "src/a.c");
    toolbox_call(b, "glob", "{\"pattern\":\"**/er/*\"}");
    CHECK_STR(b->result, "src/deep/er/b.c");
    toolbox_call(b, "glob", "{\"pattern\":\"*/c.ts\",\"path\":\"src\"}");
    CHECK_STR(b->result, "src/deep/c.ts");
    toolbox_call(b, "glob", "{\"pattern\":\"src/(odd)/*\"}");
    CHECK_STR(b->result, "src/(odd)/d.tsx");
    toolbox_call(b, "glob", "{\"pattern\":\"[ab].?\",\"path\":\"src/deep\"}");
    CHECK_STR(b->result, "src/deep/er/b.c");
    toolbox_call(b, "glob", "{\"pattern\":\"*.rs\"}");
    CHECK_STR(b->result, "No files found");
    toolbox_call(b, "glob", "{\"pattern\":\"*\",\"path\":\"nowhere\"}");
    CHECK(b->failed);
    toolbox_call(b, "bash", "{\"command\":\"mkdir m; cd m; touch $(seq 1200)\"}");
    toolbox_call(b, "glob", "{\"pattern\":\"m/*\"}");
    contains(b->result, "\n\n[The first 1000 of 1200 files. Narrow the pattern.]");
}

static void glob_calls(void) { each(glob_calls_on); }

static void wrong_calls(void)
{
    struct toolbox b;
    REQUIRE(toolbox_open(&b, "virtual") == 0);
    toolbox_call(&b, "raed", "{\"path\":\"a\"}");
    contains(b.result, "There is no tool named \"raed\". Did you mean \"read\"?");
    contains(b.result, "The tools are: read, write, edit, bash, grep, glob.");
    CHECK(b.failed);
    CHECK_EQ(b.starts, 1);
    toolbox_call(&b, "read", "{\"pth\":\"a\"}");
    contains(b.result, "The arguments of read do not fit its schema:\n"
                       "/: the property \"path\" is missing\n"
                       "/pth: unknown property; did you mean \"path\"?");
    toolbox_call(&b, "read", "{\"path\":5}");
    contains(b.result, "/path: expected a string, found a number 5");
    toolbox_call(&b, "read", "\"{\\\"path\\\": \"");
    contains(b.result, "no valid JSON");
    CHECK(b.failed);
    toolbox_call(&b, "read", "{\"path\":\"\"}");
    contains(b.result, "the path is empty");
    toolbox_call(&b, "read", "{\"path\":\"a\\u0000b\"}");
    contains(b.result, "NUL");
    toolbox_close(&b);
}

static void abort_now_on(struct toolbox *b)
{
    FILE *f;
    char path[100];
    struct timespec t0, t1;
    hob_op *op;
    hob_prompt_options o = {.size = sizeof o, .model = "offline/abort"};
    snprintf(path, sizeof path, "%s/abort.ndjson", b->scripts);
    REQUIRE((f = fopen(path, "w")));
    fputs("{\"calls\":[{\"name\":\"bash\",\"args\":{\"command\":\"echo a; sleep 30\"}},"
          "{\"name\":\"write\",\"args\":{\"path\":\"f\",\"content\":\"x\"}}]}\n",
          f);
    fclose(f);
    clock_gettime(CLOCK_MONOTONIC, &t0);
    REQUIRE(hob_prompt_start(b->s, "go", &o, &op, &b->err) == 0);
    for (int i = 0; i < 100 && b->starts < 2; i++) {
        hob_loop_step(hob_harness_loop(b->h));
        hob_loop_wait(hob_harness_loop(b->h), 10000000);
    }
    hob_loop_step(hob_harness_loop(b->h));
    hob_op_abort(op, "enough");
    CHECK_EQ(hob_op_finish(op, NULL, NULL, &b->err), HOB_ECANCELED);
    contains(b->err.msg, "enough");
    clock_gettime(CLOCK_MONOTONIC, &t1);
    CHECK(t1.tv_sec - t0.tv_sec < 15);
    CHECK_EQ(b->results, 2);
    bool aborted = false;
    for (int i = 0; i < b->results; i++)
        aborted = aborted || strncmp(b->all[i], "Operation aborted", 17) == 0;
    CHECK(aborted);
    /* The conversation is whole, and goes on. */
    toolbox_call(b, "bash", "{\"command\":\"echo again\"}");
    CHECK_STR(b->result, "again");
}

static void abort_now(void) { each(abort_now_on); }

static void builtin_selection(void)
{
    static const char *const some[] = {"read", "bash", NULL}, *const wrong[] = {"raed", NULL};
    struct toolbox b;
    toolbox_init(&b, "virtual");
    b.agent.builtin = some;
    REQUIRE(toolbox_start(&b) == 0);
    toolbox_call(&b, "write", "{\"path\":\"a\",\"content\":\"x\"}");
    contains(b.result, "The tools are: read, bash.");
    toolbox_close(&b);
    toolbox_init(&b, "virtual");
    b.agent.builtin = wrong;
    int r = hob_init(NULL, &b.agent, "test", &b.h, &b.err);
    if (r == 0 && hob_harness_session(b.h, NULL, HOB_SESSION_OPEN, &b.s, &b.err) == 0)
        r = toolbox_play(&b, "{\"text\":\"x\"}\n", NULL);
    CHECK_EQ(r, HOB_EINVAL);
    contains(b.err.msg, "read");
    toolbox_close(&b);
}

UNIT_MAIN(UNIT(read_files), UNIT(read_cuts), UNIT(write_files), UNIT(edit_files),
          UNIT(edits_at_once), UNIT(bash_calls), UNIT(calls_at_once), UNIT(grep_calls),
          UNIT(glob_calls), UNIT(wrong_calls), UNIT(abort_now), UNIT(builtin_selection))

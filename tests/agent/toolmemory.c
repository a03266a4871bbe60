/* toolmemory.c -- tools, skills and results with every allocation of the loop failing once
 *
 * A harness is made, one prompt runs all tools, and it is freed again: with the first, second, ...
 * allocation failing. Nothing may crash or leak, and the loop must be as good as new afterwards.
 */
#include "toolbox.h"

#include "agent/loop.h"

static int answer(hob_toolcall *call, void *ud)
{
    (void)ud;
    return hob_toolcall_answer(call, "yes", HOB_Z);
}

static const hob_tool tools[] = {
    {.name = "ask", .fn = answer},
    {.name = "say",
     .schema = "{\"type\":\"object\",\"properties\":{\"a\":{\"pattern\":\"^\\\\w+$\"}}}",
     .command = "echo \"$ARG_a\""},
};

static const char script[] =
    "{\"calls\":[{\"name\":\"write\",\"args\":{\"path\":\"d/f\",\"content\":\"one two\"}},"
    "{\"name\":\"edit\",\"args\":{\"path\":\"d/f\",\"oldText\":\"two\",\"newText\":\"three\"}},"
    "{\"name\":\"read\",\"args\":{\"path\":\"d/f\"}},{\"name\":\"read\",\"args\":{\"path\":5}}]}\n"
    "{\"calls\":[{\"name\":\"bash\",\"args\":{\"command\":\"echo hi; false\"}},"
    "{\"name\":\"grep\",\"args\":{\"pattern\":\"t\\\\\\\\dx?h\"}},"
    "{\"name\":\"glob\",\"args\":{\"pattern\":\"**/*.{c,md}\"}},"
    "{\"name\":\"activate_skill\",\"args\":{\"name\":\"s\"}},{\"name\":\"ask\"},"
    "{\"name\":\"say\",\"args\":{\"a\":\"hey\"}},{\"name\":\"nope\"}]}\n"
    "{\"calls\":[{\"name\":\"finish\",\"args\":{\"result\":7}}]}\n";

static const hob_file files[] = {
    {.path = "AGENTS.md", .data = "Be short.", .len = HOB_Z},
    {.path = ".agents/skills/s/SKILL.md",
     .data = "---\nname: s\ndescription: d\nmetadata: {a: [b, c]}\n---\nBody\n",
     .len = HOB_Z},
    {.path = ".agents/skills/bad/SKILL.md", .data = "---\nname: [\n---\n", .len = HOB_Z},
};

/* One whole life. The code of the first thing that failed. */
static int live(hob_loop *loop, struct toolbox *b)
{
    hob_options vo = HOB_OPTIONS_INIT;
    hob_sandbox_options so = {.size = sizeof so, .virtual_options = &vo};
    hob_prompt_options o = {.size = sizeof o, .schema = "{\"type\":\"integer\"}"};
    hob_reply reply = {0};
    hob_harness *h = NULL;
    hob_session *s;
    hob_error err = {0};

    vo.files = files;
    vo.nfiles = sizeof files / sizeof *files;
    b->agent.sandbox_options = &so;
    b->agent.event = NULL;
    b->agent.tools = tools;
    b->agent.ntools = 2;
    int r = hob_init(loop, &b->agent, "t", &h, &err);
    if (r == 0)
        r = hob_harness_session(h, NULL, HOB_SESSION_OPEN, &s, &err);
    if (r == 0)
        r = hob_session_prompt(s, "go", &o, &reply, &err);
    if (r == 0)
        CHECK_STR(reply.data, "7");
    else if (r != HOB_ENOMEM && r != HOB_ERESULT)
        printf("# %s\n", err.msg);
    hob_reply_free(&reply);
    hob_harness_free(h);
    return r;
}

static void every_allocation(void)
{
    struct toolbox b;
    hob_loop *loop;
    char path[100];
    toolbox_init(&b, "virtual");
    snprintf(path, sizeof path, "%s/test.ndjson", b.scripts);
    FILE *f = fopen(path, "w");
    REQUIRE(f);
    fputs(script, f);
    fclose(f);
    REQUIRE(hob_loop_new(&loop, NULL) == 0);
    CHECK_EQ(live(loop, &b), 0);
    size_t before = loop->heap.used;
    uint64_t failed = 0, n = 1, asked = 0;
    do {
        uint64_t start = loop->heap.count;
        loop->heap.fail_at = start + n;
        int r = live(loop, &b);
        asked = loop->heap.count - start;
        loop->heap.fail_at = 0;
        loop->heap.oom = false;
        failed += r < 0;
        if (!CHECK_EQ(loop->heap.used, before)) {
            printf("# after allocation %llu failed (result %d)\n", (unsigned long long)n, r);
            break;
        }
    } while (asked >= n++); /* fewer were asked for: the last run was whole */
    CHECK(failed > 100);
    CHECK_EQ(live(loop, &b), 0);
    hob_loop_free(loop);
    toolbox_close(&b);
}

UNIT_MAIN(UNIT(every_allocation))

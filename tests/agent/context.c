/* context.c -- skills, AGENTS.md, tools of the embedder's, structured results */
#include "toolbox.h"

static void put(struct toolbox *b, const char *path, const char *text)
{
    CHECK_EQ(hob_write(b->box, path, text, strlen(text)), 0);
}

static void contains(const char *text, const char *part)
{
    if (!CHECK(text && strstr(text, part)))
        printf("# \"%s\" is not in \"%.600s\"\n", part, text ? text : "(null)");
}

/* ---- skills ---------------------------------------------------------------------------------- */

static void skills(void)
{
    struct toolbox b;
    REQUIRE(toolbox_open(&b, "virtual") == 0);
    toolbox_call(&b, "activate_skill", "{\"name\":\"greet\"}");
    contains(b.result, "There is no tool named \"activate_skill\"");
    put(&b, ".agents/skills/greet/SKILL.md",
        "---\nname: greet\ndescription: Says hello\n---\n\nSay hello in French.\n");
    put(&b, ".agents/skills/greet/words.txt", "bonjour");
    put(&b, ".agents/skills/stray.txt", "no skill");
    toolbox_call(&b, "activate_skill", "{\"name\":\"greet\"}");
    CHECK(!b.failed);
    contains(b.result, "Paths in it start at its folder, .agents/skills/greet.");
    contains(b.result, "Say hello in French.");
    CHECK(!strstr(b.result, "description"));
    put(&b, ".agents/skills/greet/SKILL.md",
        "---\nname: greet\ndescription: Says hello\n---\nSay hello in Spanish.\n");
    toolbox_call(&b, "activate_skill", "{\"name\":\"greet\"}");
    contains(b.result, "Spanish");
    toolbox_call(&b, "activate_skill", "{\"name\":\"other\"}");
    CHECK(b.failed);
    contains(b.result, "there is no skill named \"other\"\nThe skills are: greet");
    CHECK_EQ(b.warnings, 0);
    toolbox_close(&b);
}

/* A skill that is wrong is left out, with a warning that says why. */
static void wrong_skills(void)
{
    static const char *const rows[][2] = {
        {"no front matter", "bad/SKILL.md: there are no settings"},
        {"---\ndescription: x\n---\n", "bad/SKILL.md: name is missing"},
        {"---\nname: Bad\ndescription: x\n---\n", "name: at most 64 small letters"},
        {"---\nname: other\ndescription: x\n---\n", "is not the name of the folder"},
        {"---\nname: bad\n---\n", "description is missing"},
        {"---\nname: bad\ndescription: \"open\n---\n", "bad/SKILL.md:4: a quote is not closed"},
        {"---\nname: bad\nmetadata:\n\ta: b\n---\n", "bad/SKILL.md:4: a tab"},
    };
    struct toolbox b;
    REQUIRE(toolbox_open(&b, "virtual") == 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put(&b, ".agents/skills/bad/SKILL.md", rows[i][0]);
        put(&b, ".agents/skills/good/SKILL.md", "---\nname: good\ndescription: x\n---\nBody\n");
        b.warnings = 0;
        toolbox_call(&b, "activate_skill", "{\"name\":\"good\"}");
        CHECK(!b.failed);
        CHECK_EQ(b.warnings, 1);
        contains(b.warning, rows[i][1]);
    }
    toolbox_close(&b);
}

static void skills_handed_in(void)
{
    static const hob_skill given[] = {{"sum", "Adds numbers", "Add them all."}};
    struct toolbox b;
    hob_prompt_options o = {.size = sizeof o, .model = "offline/skill", .args = "{\"n\":[1,2]}"};
    char path[100];
    toolbox_init(&b, "virtual");
    b.agent.skills = given;
    b.agent.nskills = 1;
    REQUIRE(toolbox_start(&b) == 0);
    toolbox_call(&b, "activate_skill", "{\"name\":\"sum\"}");
    CHECK_STR(b.result, "Add them all.");
    snprintf(path, sizeof path, "%s/skill.ndjson", b.scripts);
    FILE *f = fopen(path, "w");
    REQUIRE(f);
    fputs("{\"match\":\"Add them all.\",\"text\":\"3\"}\n", f);
    fclose(f);
    toolbox_forget(&b);
    CHECK_EQ(hob_session_skill(b.s, "sum", &o, &b.reply, &b.err), 0);
    CHECK_STR(b.reply.text, "3");
    CHECK_EQ(hob_session_skill(b.s, "sun", &o, NULL, &b.err), HOB_ENOENT);
    contains(b.err.msg, "there are sum");
    toolbox_close(&b);
}

/* ---- tools of the embedder's ----------------------------------------------------------------- */

static hob_toolcall *later;
static int callbacks;

static int add(hob_toolcall *call, void *ud)
{
    char text[100];
    callbacks++;
    snprintf(text, sizeof text, "%s: %s", (const char *)ud, hob_toolcall_args(call));
    return hob_toolcall_answer(call, text, HOB_Z);
}

static int fail(hob_toolcall *call, void *ud)
{
    (void)ud;
    return hob_toolcall_fail(call, "no luck", 7);
}

static int broken(hob_toolcall *call, void *ud)
{
    (void)call, (void)ud;
    return HOB_EIO;
}

static int silent(hob_toolcall *call, void *ud)
{
    (void)call, (void)ud;
    return 0;
}

static int wait_for_it(hob_toolcall *call, void *ud)
{
    (void)ud;
    later = call;
    return HOB_EAGAIN;
}

static const hob_tool tools[] = {
    {.name = "add",
     .schema =
         "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\"}},\"required\":[\"a\"]}",
     .fn = add,
     .ud = (void *)"sum"},
    {.name = "fail", .fn = fail},
    {.name = "broken", .fn = broken},
    {.name = "silent", .fn = silent},
    {.name = "slow", .fn = wait_for_it, .timeout_ns = 200000000},
    {.name = "later", .fn = wait_for_it},
    {.name = "greet",
     .schema = "{\"type\":\"object\",\"properties\":{\"who\":{\"type\":\"string\"},"
               "\"n-times\":{\"type\":\"number\"}}}",
     .command = "cat; echo \"hello $ARG_who $ARG_n_times\""},
    {.name = "bad_command", .command = "echo so far; exit 7"},
    {.name = "slow_command", .command = "echo so far; sleep 20", .timeout_ns = 200000000},
};

static void custom_tools(void)
{
    struct toolbox b;
    toolbox_init(&b, "virtual");
    b.agent.tools = tools;
    b.agent.ntools = sizeof tools / sizeof *tools;
    REQUIRE(toolbox_start(&b) == 0);
    toolbox_call(&b, "add", "{\"a\":3}");
    CHECK_STR(b.result, "sum: {\"a\":3}");
    callbacks = 0;
    toolbox_call(&b, "add", "{\"a\":\"x\"}");
    contains(b.result, "/a: expected a number, found a string");
    CHECK_EQ(callbacks, 0);
    toolbox_call(&b, "fail", "{}");
    CHECK_STR(b.result, "no luck");
    CHECK(b.failed);
    toolbox_call(&b, "broken", "{}");
    contains(b.result, "broken failed: Input/output error");
    toolbox_call(&b, "silent", "{}");
    contains(b.result, "gave no answer");
    toolbox_call(&b, "silent", "{\"x\":1}");
    contains(b.result, "/x: unknown property");
    later = NULL;
    toolbox_call(&b, "slow", "{}");
    contains(b.result, "slow gave no answer within 0.2 s");
    REQUIRE(later);
    CHECK_EQ(hob_toolcall_aborted(later), 1);
    CHECK_EQ(hob_toolcall_answer(later, "too late", HOB_Z), HOB_ECANCELED);
    toolbox_call(&b, "greet", "{\"who\":\"it's me\",\"n-times\":2}");
    CHECK_STR(b.result, "{\"who\":\"it's me\",\"n-times\":2}\nhello it's me 2");
    toolbox_call(&b, "bad_command", "\"\"");
    CHECK_STR(b.result, "so far\n\nExit code: 7");
    CHECK(b.failed);
    toolbox_call(&b, "slow_command", "{}");
    contains(b.result, "so far\n\n[Timed out after 0.2 s and was ended.]");
    CHECK(b.failed);
    toolbox_close(&b);
}

/* An answer that comes later, from outside of the loop; and one that never comes. */
static void answers_later(void)
{
    struct toolbox b;
    hob_op *op;
    hob_prompt_options o = {.size = sizeof o, .model = "offline/late"};
    char path[100];
    toolbox_init(&b, "virtual");
    b.agent.tools = tools;
    b.agent.ntools = sizeof tools / sizeof *tools;
    REQUIRE(toolbox_start(&b) == 0);
    snprintf(path, sizeof path, "%s/late.ndjson", b.scripts);
    FILE *f = fopen(path, "w");
    REQUIRE(f);
    fputs("{\"calls\":[{\"name\":\"later\"}]}\n{\"text\":\"thanks\"}\n"
          "{\"calls\":[{\"name\":\"later\"}]}\n{\"text\":\"thanks\"}\n",
          f);
    fclose(f);
    later = NULL;
    REQUIRE(hob_prompt_start(b.s, "go", &o, &op, &b.err) == 0);
    while (!later)
        hob_loop_step(hob_harness_loop(b.h));
    CHECK_EQ(hob_toolcall_aborted(later), 0);
    CHECK(hob_toolcall_session(later) == b.s);
    CHECK_EQ(hob_toolcall_answer(later, "at last", HOB_Z), 0);
    while (!hob_op_done(op))
        hob_loop_step(hob_harness_loop(b.h));
    CHECK_EQ(hob_op_finish(op, &b.reply, NULL, &b.err), 0);
    CHECK_STR(b.result, "at last");
    CHECK_STR(b.reply.text, "thanks");
    later = NULL;
    REQUIRE(hob_prompt_start(b.s, "go", &o, &op, &b.err) == 0);
    while (!later)
        hob_loop_step(hob_harness_loop(b.h));
    hob_op_abort(op, "no time");
    CHECK_EQ(hob_op_finish(op, NULL, NULL, &b.err), HOB_ECANCELED);
    CHECK_STR(b.result, "Operation aborted");
    CHECK_EQ(hob_toolcall_aborted(later), 1);
    toolbox_close(&b); /* and the handle with it */
}

static void tools_of_a_call(void)
{
    static const hob_tool reserved[] = {{.name = "bash", .fn = add}},
                          twice[] = {{.name = "x", .fn = add}, {.name = "x", .fn = add}},
                          schema[] = {{.name = "x", .fn = add, .schema = "{\"type\":3}"}},
                          good[] = {{.name = "x", .fn = add, .ud = (void *)"x"}};
    const struct {
        const hob_tool *tools;
        size_t n;
        const char *why;
    } rows[] = {{reserved, 1, "a tool of Hob's own"},
                {twice, 2, "two are named \"x\""},
                {schema, 1, "the schema of the tool \"x\""}};
    struct toolbox b;
    hob_prompt_options o = {.size = sizeof o};
    REQUIRE(toolbox_open(&b, "virtual") == 0);
    for (size_t i = 0; i < 3; i++) {
        o.tools = rows[i].tools;
        o.ntools = rows[i].n;
        CHECK_EQ(toolbox_play(&b, "{\"text\":\"x\"}\n", &o), HOB_EINVAL);
        contains(b.err.msg, rows[i].why);
    }
    o.tools = good;
    o.ntools = 1;
    CHECK_EQ(toolbox_play(&b, "{\"calls\":[{\"name\":\"x\"}]}\n{\"text\":\"y\"}\n", &o), 0);
    CHECK_STR(b.result, "x: {}");
    toolbox_call(&b, "x", "{}");
    contains(b.result, "There is no tool named \"x\"");
    toolbox_close(&b);
}

/* ---- results --------------------------------------------------------------------------------- */

static void results(void)
{
    struct toolbox b;
    hob_prompt_options o = {.size = sizeof o};
    REQUIRE(toolbox_open(&b, "virtual") == 0);
    o.schema = "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":"
               "[\"n\"],\"additionalProperties\":false}";
    CHECK_EQ(toolbox_play(&b,
                          "{\"calls\":[{\"name\":\"finish\",\"args\":{\"n\":\"x\"}}]}\n"
                          "{\"text\":\"Let me see.\"}\n"
                          "{\"calls\":[{\"name\":\"finish\",\"args\":{\"n\":4}},"
                          "{\"name\":\"finish\",\"args\":{\"n\":5}}]}\n",
                          &o),
             0);
    contains(b.all[0], "/n: expected an integer, found a string");
    CHECK_STR(b.reply.data, "{\"n\":4}");
    contains(b.all[2], "already ended");
    /* What is no object is wrapped, and unwrapped again. */
    o.schema = "{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/w\"},\"$defs\":{\"w\":{\"type\":"
               "\"string\"}}}";
    CHECK_EQ(toolbox_play(&b,
                          "{\"calls\":[{\"name\":\"finish\",\"args\":{\"result\":[1]}}]}\n"
                          "{\"calls\":[{\"name\":\"finish\",\"args\":{\"result\":[\"a\"]}}]}\n",
                          &o),
             0);
    contains(b.all[0], "/result/0: expected a string");
    CHECK_STR(b.reply.data, "[\"a\"]");
    CHECK_EQ(
        toolbox_play(&b,
                     "{\"calls\":[{\"name\":\"give_up\",\"args\":{\"reason\":\"\"}}]}\n"
                     "{\"calls\":[{\"name\":\"give_up\",\"args\":{\"reason\":\"too dark\"}}]}\n",
                     &o),
        HOB_ERESULT);
    contains(b.err.msg, "too dark");
    o.schema = "{\"type\":\"nothing\"}";
    CHECK_EQ(toolbox_play(&b, "{\"text\":\"x\"}\n", &o), HOB_EINVAL);
    contains(b.err.msg, "the schema of the result: /type");
    toolbox_close(&b);
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static void tasks(void)
{
    hob_agent helper = HOB_AGENT_INIT;
    const hob_agent *const list[] = {&helper, NULL};
    struct toolbox b;
    helper.name = "helper";
    helper.description = "Helps";
    toolbox_init(&b, "virtual");
    b.agent.subagents = list;
    REQUIRE(toolbox_start(&b) == 0);
    CHECK_EQ(
        toolbox_play(&b,
                     "{\"match\":\"go\",\"calls\":[{\"name\":\"task\",\"args\":{\"agent\":"
                     "\"helper\",\"prompt\":\"look\"}}]}\n"
                     "{\"match\":\"look\",\"text\":\"seen\"}\n{\"match\":\"go\",\"text\":\"ok\"}\n",
                     NULL),
        0);
    CHECK_STR(b.result, "seen");
    CHECK_STR(b.reply.text, "ok");
    CHECK_EQ(
        toolbox_play(&b,
                     "{\"calls\":[{\"name\":\"task\",\"args\":{\"agent\":\"nobody\",\"prompt\":"
                     "\"look\"}}]}\n{\"text\":\"ok\"}\n",
                     NULL),
        0);
    CHECK_STR(b.result, "There is no agent named \"nobody\". The agents are: helper");
    CHECK(!b.failed);
    toolbox_close(&b);
}

UNIT_MAIN(UNIT(skills), UNIT(wrong_skills), UNIT(skills_handed_in), UNIT(custom_tools),
          UNIT(answers_later), UNIT(tools_of_a_call), UNIT(results), UNIT(tasks))

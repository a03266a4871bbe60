/* sessions.c -- prompts, tools, sessions, recorded scripts, what is busy */
#include "kit.h"

/* ---- prompts --------------------------------------------------------------------------------- */

static void test_prompt(void)
{
    struct kit k;
    kit_init(&k, "{\"text\":\"Hello there.\",\"usage\":{\"input\":10,\"output\":3}}\n"
                 "{\"text\":\"Again.\",\"usage\":{\"input\":20,\"output\":2,\"cost\":0.5}}\n");
    kit_open(&k);
    hob_reply reply;
    hob_error err;
    REQUIRE(hob_session_prompt(k.s, "Hi", NULL, &reply, &err) == 0);
    CHECK_STR(reply.text, "Hello there.");
    CHECK_EQ(reply.text_len, 12);
    CHECK_STR(reply.model, "offline/test");
    CHECK_EQ(reply.usage.input, 10);
    CHECK_EQ(reply.usage.output, 3);
    CHECK_EQ(reply.turns, 1);
    CHECK(reply.data == NULL);
    hob_reply_free(&reply);
    PROMPT(&k, "Once more", "Again.");
    const char *text = kit_export(k.s);
    TIMES(text, "\n", 4);
    HAS(text, "\"parentId\":null");
    HAS(text, "\"source\":\"prompt\"");
    kit_fini(&k);
}

static void test_tools(void)
{
    struct kit k;
    kit_init(
        &k,
        "{\"text\":\"I look.\",\"calls\":[{\"name\":\"bash\",\"args\":{\"command\":\"echo one; "
        "echo two >&2; exit 3\"}},{\"name\":\"write\",\"args\":{\"path\":\"a.txt\","
        "\"content\":\"made\"}}]}\n"
        "{\"calls\":[{\"name\":\"nope\",\"args\":{}},{\"name\":\"read\",\"args\":\"{wrong\"}]}\n"
        "{\"text\":\"Done.\"}\n");
    kit_open(&k);
    PROMPT(&k, "Go", "Done.");
    const char *text = kit_export(k.s);
    TIMES(text, "\n", 1 + 1 + 2 + 1 + 2 + 1);
    HAS(text, "one\\ntwo");
    TIMES(text, "\"isError\":true", 2);
    TIMES(text, "\"isError\":false", 2);
    hob_bytes b;
    REQUIRE(hob_read(hob_harness_sandbox(k.h), "a.txt", &b) == 0);
    CHECK_MEM(b.data, b.len, "made", 4);
    hob_free(b.data);
    kit_fini(&k);
}

static int tool_answers(hob_toolcall *call, void *ud)
{
    (void)ud;
    CHECK(strstr(hob_toolcall_args(call), "\"n\":7") != NULL);
    return hob_toolcall_answer(call, "fourteen", HOB_Z);
}

static void test_custom_tool(void)
{
    struct kit k;
    kit_init(&k, "{\"calls\":[{\"name\":\"double\",\"args\":{\"n\":7}}]}\n{\"text\":\"14\"}\n");
    hob_tool tool = {.name = "double",
                     .description = "Doubles",
                     .schema =
                         "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}",
                     .fn = tool_answers};
    k.agent.tools = &tool;
    k.agent.ntools = 1;
    kit_open(&k);
    PROMPT(&k, "Go", "14");
    HAS(kit_export(k.s), "fourteen");
    kit_fini(&k);
}

static int tool_asks(hob_toolcall *call, void *ud)
{
    hob_session *other = NULL;
    hob_reply reply;
    hob_harness *h = ((struct kit *)ud)->h;
    int r = hob_harness_session(h, "other", HOB_SESSION_OPEN, &other, NULL);
    if (r == 0)
        r = hob_session_prompt(other, "inner question", NULL, &reply, NULL);
    if (r < 0)
        return r;
    r = hob_toolcall_answer(call, reply.text, reply.text_len);
    hob_reply_free(&reply);
    return r;
}

/* A tool may run a prompt of another session to its end: its task waits, nothing else does. */
static void test_tool_prompts(void)
{
    struct kit k;
    kit_init(&k, "{\"match\":\"inner\",\"text\":\"from within\",\"delay_ms\":1}\n"
                 "{\"match\":\"outer\",\"calls\":[{\"name\":\"ask\",\"args\":{}}]}\n"
                 "{\"match\":\"outer\",\"text\":\"all said\"}\n");
    hob_tool tool = {.name = "ask", .description = "Asks", .fn = tool_asks, .ud = &k};
    k.agent.tools = &tool;
    k.agent.ntools = 1;
    kit_open(&k);
    PROMPT(&k, "outer question", "all said");
    HAS(kit_export(k.s), "from within");
    kit_fini(&k);
}

static hob_toolcall *pending;
static int tool_later(hob_toolcall *call, void *ud)
{
    (void)ud;
    pending = call;
    return HOB_EAGAIN;
}

static void test_deferred_tool(void)
{
    struct kit k;
    kit_init(&k, "{\"calls\":[{\"name\":\"wait\",\"args\":{}}]}\n{\"text\":\"came\"}\n"
                 "{\"calls\":[{\"name\":\"wait\",\"args\":{}}]}\n{\"text\":\"never\"}\n");
    hob_tool tool = {.name = "wait", .description = "Waits", .fn = tool_later};
    k.agent.tools = &tool;
    k.agent.ntools = 1;
    kit_open(&k);
    hob_op *op;
    hob_reply reply;
    hob_error err;
    REQUIRE(hob_prompt_start(k.s, "Go", NULL, &op, &err) == 0);
    while (!pending && !hob_op_done(op))
        hob_loop_step(hob_harness_loop(k.h));
    REQUIRE(pending != NULL);
    CHECK_EQ(hob_loop_step(hob_harness_loop(k.h)), HOB_STEP_WAIT);
    CHECK(!hob_op_done(op));
    CHECK_EQ(hob_toolcall_answer(pending, "late", HOB_Z), 0);
    pending = NULL;
    while (!hob_op_done(op))
        hob_loop_step(hob_harness_loop(k.h));
    CHECK_EQ(hob_op_finish(op, &reply, NULL, &err), 0);
    CHECK_STR(reply.text, "came");
    hob_reply_free(&reply);
    /* Run to its end there is nobody who could answer: that is said instead of hanging. */
    CHECK_EQ(PROMPT(&k, "Go", NULL), HOB_ECANCELED);
    kit_fini(&k);
}

/* A command of the sandbox that asks a model: by starting an operation and yielding. */
static int command_ask(hob_cmd *cmd, void *ud)
{
    struct kit *k = ud;
    hob_session *s;
    hob_op *op;
    hob_reply reply;
    hob_error err;
    if (hob_harness_session(k->h, "inner", HOB_SESSION_OPEN, &s, &err) < 0)
        return 1;
    CHECK_EQ(hob_session_prompt(s, "inner", NULL, &reply, &err), HOB_EMISUSE);
    if (hob_prompt_start(s, "inner", NULL, &op, &err) < 0)
        return 1;
    while (!hob_op_done(op))
        if (hob_cmd_yield(cmd) < 0)
            break;
    int r = hob_op_finish(op, &reply, NULL, &err);
    hob_cmd_print(cmd, r < 0 ? err.msg : reply.text);
    hob_reply_free(&reply);
    return r < 0;
}

static void test_command_prompts(void)
{
    struct kit k;
    hob_result res;
    hob_error err;
    kit_init(&k, "{\"match\":\"inner\",\"text\":\"said inside\",\"delay_ms\":2,\"repeat\":true}\n"
                 "{\"calls\":[{\"name\":\"bash\",\"args\":{\"command\":\"ask | tr a-z A-Z\"}}]}\n"
                 "{\"text\":\"done\"}\n");
    kit_open(&k);
    REQUIRE(hob_command_add(hob_harness_sandbox(k.h), "ask", NULL, command_ask, &k) == 0);
    PROMPT(&k, "Go", "done");
    HAS(kit_export(k.s), "SAID INSIDE");
    REQUIRE(hob_session_shell(k.s, "echo \"<$(ask)>\"", NULL, &res, &err) == 0);
    CHECK_STR(res.out, "<said inside>\n");
    hob_result_free(&res);
    kit_fini(&k);
}

static void test_options(void)
{
    struct kit k;
    kit_init(&k, "{\"match\":\"model\",\"text\":\"m\"}\n{\"match\":\"picture\",\"text\":\"p\"}\n");
    k.agent.model = NULL;
    kit_open(&k);
    hob_error err;
    CHECK_EQ(hob_session_prompt(k.s, "x", NULL, &(hob_reply){0}, &err), HOB_EINVAL);
    HAS(err.msg, "model");
    hob_prompt_options o = {.size = sizeof o, .model = "offline/other"};
    PROMPT_WITH(&k, "a model", &o, "m");
    hob_image image = {"\x89PNG", 4, "image/png"};
    o.images = &image;
    o.nimages = 1;
    PROMPT_WITH(&k, "a picture", &o, "p");
    HAS(kit_export(k.s), "\"data\":\"iVBORw==\"");
    HAS(kit_export(k.s), "\"model\":\"offline/other\"");
    o.model = "nothing";
    CHECK_EQ(PROMPT_WITH(&k, "x", &o, NULL), HOB_EINVAL);
    o.size = 3;
    CHECK_EQ(PROMPT_WITH(&k, "x", &o, NULL), HOB_EINVAL);
    CHECK_EQ(PROMPT(&k, "", NULL), HOB_EINVAL);
    kit_fini(&k);
}

static void test_result(void)
{
    struct kit k;
    kit_init(&k, "{\"calls\":[{\"name\":\"finish\",\"args\":{\"n\":\"x\"}}]}\n"
                 "{\"text\":\"I forgot.\",\"usage\":{\"input\":5}}\n"
                 "{\"calls\":[{\"name\":\"finish\",\"args\":{\"n\":4}}],\"usage\":{\"input\":5}}\n"
                 "{\"match\":\"hard\",\"text\":\"Hm.\",\"calls\":[{\"name\":\"give_up\",\"args\":"
                 "{\"reason\":\"too hard\"}}]}\n"
                 "{\"text\":\"no\",\"repeat\":true}\n");
    kit_open(&k);
    hob_prompt_options o = {.size = sizeof o,
                            .schema = "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":"
                                      "\"integer\"}},\"required\":[\"n\"]}"};
    hob_reply reply;
    hob_error err;
    REQUIRE(hob_session_prompt(k.s, "Count", &o, &reply, &err) == 0);
    CHECK_STR(reply.data, "{\"n\":4}");
    CHECK_EQ(reply.turns, 3);
    hob_reply_free(&reply);
    HAS(kit_export(k.s), "\"source\":\"retry\"");
    CHECK_EQ(hob_session_prompt(k.s, "hard", &o, &reply, &err), HOB_ERESULT);
    HAS(err.msg, "too hard");
    CHECK_STR(reply.text, "Hm.");
    hob_reply_free(&reply);
    CHECK_EQ(hob_session_prompt(k.s, "again", &o, &reply, &err), HOB_ERESULT);
    CHECK_EQ(reply.turns, 33);
    CHECK_STR(reply.text, "no");
    hob_reply_free(&reply);
    kit_fini(&k);
}

static void test_length(void)
{
    struct kit k;
    kit_init(&k, "{\"text\":\"part\",\"calls\":[{\"name\":\"bash\",\"args\":{\"command\":\"touch "
                 "ran\"}}],\"stop\":\"length\"}\n{\"text\":\"cut off\",\"stop\":\"length\"}\n");
    kit_open(&k);
    PROMPT(&k, "Go", "cut off");
    CHECK_EQ(hob_exists(hob_harness_sandbox(k.h), "ran"), 0);
    HAS(kit_export(k.s), "This call was not run");
    kit_fini(&k);
}

static void test_refused(void)
{
    struct kit k;
    kit_init(&k, "{\"text\":\"I would rather not.\",\"stop\":\"refused\"}\n{\"text\":\"ok\"}\n");
    kit_open(&k);
    hob_reply reply;
    hob_error err;
    CHECK_EQ(hob_session_prompt(k.s, "Go", NULL, &reply, &err), HOB_EREFUSED);
    hob_reply_free(&reply);
    HAS(kit_export(k.s), "\"stopReason\":\"refused\"");
    PROMPT(&k, "Go", "ok");
    kit_fini(&k);
}

/* ---- sessions -------------------------------------------------------------------------------- */

static void test_names(void)
{
    struct kit k;
    hob_session *s = NULL, *t = NULL;
    hob_error err;
    kit_init(&k, "{\"text\":\"x\",\"repeat\":true}\n");
    kit_open(&k);
    CHECK_EQ(hob_harness_session(k.h, "a", HOB_SESSION_GET, &s, &err), HOB_ENOENT);
    CHECK_EQ(hob_harness_session(k.h, "a", HOB_SESSION_CREATE, &s, &err), 0);
    CHECK_EQ(hob_harness_session(k.h, "a", HOB_SESSION_CREATE, &t, &err), HOB_EEXIST);
    CHECK_EQ(hob_harness_session(k.h, "a", HOB_SESSION_OPEN, &t, &err), 0);
    CHECK(s == t);
    CHECK_STR(hob_session_name(s), "a");
    CHECK_EQ(hob_harness_session(k.h, "default", HOB_SESSION_GET, &t, &err), 0);
    CHECK(t == k.s);
    CHECK_EQ(hob_harness_session(k.h, "", HOB_SESSION_OPEN, &t, &err), HOB_EINVAL);
    CHECK_EQ(hob_harness_session(k.h, "a\nb", HOB_SESSION_OPEN, &t, &err), HOB_EINVAL);
    CHECK_EQ(hob_harness_session(k.h, "task:a:b", HOB_SESSION_CREATE, &t, &err), HOB_EINVAL);
    CHECK_EQ(hob_harness_delete(k.h, "a", &err), 0);
    CHECK_EQ(hob_harness_delete(k.h, "a", &err), 0);
    CHECK_EQ(hob_harness_session(k.h, "a", HOB_SESSION_GET, &s, &err), HOB_ENOENT);
    kit_fini(&k);
}

static void test_busy(void)
{
    struct kit k;
    hob_op *op, *second = NULL;
    hob_error err;
    kit_init(&k, "{\"text\":\"x\",\"repeat\":true,\"delay_ms\":5}\n");
    kit_open(&k);
    REQUIRE(hob_prompt_start(k.s, "Go", NULL, &op, &err) == 0);
    CHECK_EQ(hob_prompt_start(k.s, "Go", NULL, &second, &err), HOB_EBUSY);
    CHECK_STR(err.msg, "session \"default\" is already running a prompt; wait for it, or use "
                       "another session");
    CHECK(second == NULL);
    CHECK_EQ(hob_session_shell(k.s, "true", NULL, NULL, &err), HOB_EBUSY);
    CHECK_EQ(hob_session_compact(k.s, &err), HOB_EBUSY);
    CHECK_EQ(hob_harness_delete(k.h, NULL, &err), HOB_EBUSY);
    HAS(err.msg, "prompt");
    hob_session *other;
    hob_reply reply;
    REQUIRE(hob_harness_session(k.h, "other", HOB_SESSION_OPEN, &other, &err) == 0);
    CHECK_EQ(hob_session_prompt(other, "Go", NULL, &reply, &err), 0);
    hob_reply_free(&reply);
    while (!hob_op_done(op))
        hob_loop_step(hob_harness_loop(k.h));
    CHECK_EQ(hob_op_finish(op, NULL, NULL, &err), 0);
    PROMPT(&k, "Go", "x");
    kit_fini(&k);
}

/* ---- recorded scripts ------------------------------------------------------------------------ */

static void test_shell(void)
{
    struct kit k;
    hob_result res;
    hob_error err;
    const char *env[] = {"TOKEN=canary-value", "GONE", NULL};
    hob_exec_options o = HOB_EXEC_OPTIONS_INIT;
    o.env = env;
    o.cwd = "/tmp";
    kit_init(&k, "{\"text\":\"x\"}\n");
    kit_open(&k);
    REQUIRE(hob_session_shell(k.s, "echo ${#TOKEN} `pwd`; echo e >&2; exit 4", &o, &res, &err) ==
            0);
    CHECK_STR(res.out, "12 /tmp\n");
    CHECK_STR(res.err, "e\n");
    CHECK_EQ(res.status, 4);
    hob_result_free(&res);
    const char *text = kit_export(k.s);
    TIMES(text, "\n", 3);
    TIMES(text, "\"source\":\"shell\"", 3);
    HAS(text, "```bash\\necho ${#TOKEN} `pwd`");
    HAS(text, "\\\"env\\\":{\\\"TOKEN\\\":\\\"***\\\",\\\"GONE\\\":null}");
    HAS(text, "\\\"cwd\\\":\\\"/tmp\\\"");
    HAS(text, "\"stopReason\":\"toolUse\"");
    HAS(text, "12 /tmp\\ne\\n\\n");
    TIMES(text, "canary", 0);
    TIMES(k.log, "canary", 0);
    TIMES(k.log, "\"type\":\"tool_start\"", 1);
    TIMES(k.log, "\"type\":\"tool_call\"", 1);
    /* The harness's own are not recorded. */
    REQUIRE(hob_harness_shell(k.h, "echo here", NULL, &res, &err) == 0);
    CHECK_STR(res.out, "here\n");
    hob_result_free(&res);
    TIMES(kit_export(k.s), "\n", 3);
    PROMPT(&k, "Go", "x");
    kit_fini(&k);
}

static int shell_output(void *ud, int stream, const void *data, size_t len)
{
    (void)data;
    (void)stream;
    *(size_t *)ud += len;
    return 0;
}

static void test_shell_more(void)
{
    struct kit k;
    hob_result res;
    hob_error err;
    size_t seen = 0;
    hob_exec_options o = HOB_EXEC_OPTIONS_INIT;
    kit_init(&k, "{\"text\":\"x\"}\n");
    kit_open(&k);
    o.output = shell_output;
    o.output_ud = &seen;
    REQUIRE(hob_session_shell(k.s, "echo streamed", &o, &res, &err) == 0);
    hob_result_free(&res);
    CHECK_EQ(seen, 9);
    HAS(kit_export(k.s), "\"text\":\"streamed\"");
    /* What could not be run is recorded, and returned. */
    o = (hob_exec_options)HOB_EXEC_OPTIONS_INIT;
    o.cwd = "/nowhere";
    CHECK_EQ(hob_session_shell(k.s, "echo never", &o, &res, &err), HOB_ENOENT);
    hob_result_free(&res);
    TIMES(kit_export(k.s), "\"isError\":true", 1);
    TIMES(kit_export(k.s), "\n", 6);
    const char *argv[] = {"printf", "%s|", "a b", "it's", NULL};
    o = (hob_exec_options)HOB_EXEC_OPTIONS_INIT;
    o.argv = argv;
    REQUIRE(hob_session_shell(k.s, NULL, &o, &res, &err) == 0);
    CHECK_STR(res.out, "a b|it's|");
    hob_result_free(&res);
    HAS(kit_export(k.s), "printf '%s|' 'a b' 'it'\\\\\\\\''s'");
    CHECK_EQ(hob_session_shell(k.s, NULL, NULL, &res, &err), HOB_EINVAL);
    kit_fini(&k);
}

/* ---- configuration --------------------------------------------------------------------------- */

static void expect_bad(struct kit *k, const char *what, int line)
{
    hob_error err;
    hob_harness *h = NULL;
    int r = hob_init(NULL, &k->agent, NULL, &h, &err);
    if (!unit_check(r < 0 && h == NULL && strstr(err.msg, what), __FILE__, line, what))
        printf("#   %d: %s\n", r, r < 0 ? err.msg : "");
    hob_harness_free(h);
}
#define BAD(k, what) expect_bad(k, what, __LINE__)

static void test_config(void)
{
    struct kit k;
    kit_init(&k, "");
    hob_tool tools[2] = {{.name = "a", .command = "true"}, {.name = "a", .command = "true"}};
    k.agent.model = "noslash";
    BAD(&k, "model");
    k.agent.model = "nobody/x";
    BAD(&k, "model");
    k.agent.model = "offline/test";
    k.agent.tools = tools;
    k.agent.ntools = 2;
    BAD(&k, "tools: two are named \"a\"");
    tools[1].name = "bash";
    BAD(&k, "tools[1].name");
    tools[1].name = "b c";
    BAD(&k, "tools[1].name");
    tools[1].name = "b";
    tools[1].schema = "{\"type\":3}";
    BAD(&k, "tools[1].schema");
    tools[1].schema = NULL;
    tools[1].fn = tool_answers;
    BAD(&k, "one of fn and command");
    k.agent.ntools = 0;
    const char *builtin[] = {"read", "reed", NULL};
    k.agent.builtin = builtin;
    BAD(&k, "\"reed\"");
    k.agent.builtin = NULL;
    k.agent.thinking = 99;
    BAD(&k, "thinking");
    k.agent.thinking = 0;
    k.agent.compaction.keep = -1;
    BAD(&k, "compaction.keep");
    k.agent.compaction.keep = 0;
    k.agent.sandbox = "nonsense";
    BAD(&k, "sandbox");
    k.agent.sandbox = NULL;
    hob_skill skill = {"Bad_Name", "d", "b"};
    k.agent.skills = &skill;
    k.agent.nskills = 1;
    BAD(&k, "skills[0].name");
    k.agent.nskills = 0;
    hob_agent sub = HOB_AGENT_INIT, *sub_ref = &sub;
    const hob_agent *subs[] = {&sub, NULL}, *inner[] = {sub_ref, NULL};
    k.agent.subagents = subs;
    BAD(&k, "subagents[0].name");
    sub.name = "helper";
    sub.subagents = inner;
    BAD(&k, "contains itself");
    sub.subagents = NULL;
    sub.model = "x";
    BAD(&k, "subagents (helper): model");
    sub.size = 1;
    BAD(&k, "size");
    k.agent.subagents = NULL;
    k.agent.store = "/nowhere/at/all.db";
    BAD(&k, "/nowhere/at/all.db");
    k.agent.size = 0;
    BAD(&k, "size");
    kit_fini(&k);
}

static void test_skill(void)
{
    struct kit k;
    hob_reply reply;
    hob_error err;
    hob_skill skill = {"greet", "Greets people", "Say hello politely."};
    kit_init(&k, "{\"match\":\"politely\",\"text\":\"Good day.\"}\n"
                 "{\"match\":\"Sing\",\"text\":\"La.\"}\n");
    k.agent.skills = &skill;
    k.agent.nskills = 1;
    kit_open(&k);
    hob_prompt_options o = {.size = sizeof o, .args = "{\"who\":\"Ann\"}"};
    REQUIRE(hob_session_skill(k.s, "greet", &o, &reply, &err) == 0);
    CHECK_STR(reply.text, "Good day.");
    hob_reply_free(&reply);
    HAS(kit_export(k.s), "\"source\":\"skill\"");
    HAS(kit_export(k.s), "Ann");
    CHECK_EQ(hob_session_skill(k.s, "grete", NULL, &reply, &err), HOB_ENOENT);
    HAS(err.msg, "greet");
    static const char sing[] = "---\nname: sing\ndescription: Sings\n---\nSing a song.\n";
    REQUIRE(hob_write(hob_harness_sandbox(k.h), ".agents/skills/sing/SKILL.md", sing,
                      strlen(sing)) == 0);
    REQUIRE(hob_session_skill(k.s, "sing", NULL, &reply, &err) == 0);
    CHECK_STR(reply.text, "La.");
    hob_reply_free(&reply);
    kit_fini(&k);
}

UNIT_MAIN(UNIT(test_prompt), UNIT(test_tools), UNIT(test_custom_tool), UNIT(test_tool_prompts),
          UNIT(test_deferred_tool), UNIT(test_command_prompts), UNIT(test_options),
          UNIT(test_result), UNIT(test_length), UNIT(test_refused), UNIT(test_names),
          UNIT(test_busy), UNIT(test_shell), UNIT(test_shell_more), UNIT(test_config),
          UNIT(test_skill))

/* tasks.c -- prompts in sessions of their own, and compaction */
#include "kit.h"

static void test_task(void)
{
    struct kit k;
    hob_reply reply;
    hob_error err;
    hob_agent sub = HOB_AGENT_INIT;
    sub.name = "helper";
    sub.instructions = "You help.";
    const hob_agent *subs[] = {&sub, NULL};
    kit_init(
        &k, "{\"match\":\"count\",\"calls\":[{\"name\":\"bash\",\"args\":{\"command\":\"pwd; ls\"}}"
            "],\"usage\":{\"input\":7}}\n"
            "{\"match\":\"count\",\"text\":\"two files\",\"usage\":{\"input\":7}}\n"
            "{\"match\":\"Go\",\"calls\":[{\"name\":\"task\",\"args\":{\"prompt\":\"count "
            "them\",\"agent\":\"helper\",\"cwd\":\"sub\"}}],\"usage\":{\"input\":1}}\n"
            "{\"match\":\"Go\",\"text\":\"There are two.\",\"usage\":{\"input\":1}}\n");
    k.agent.subagents = subs;
    k.agent.store = k.store;
    kit_open(&k);
    hob_sandbox *box = hob_harness_sandbox(k.h);
    hob_write(box, "sub/a", "", 0);
    hob_write(box, "sub/b", "", 0);
    REQUIRE(hob_session_prompt(k.s, "Go", NULL, &reply, &err) == 0);
    CHECK_STR(reply.text, "There are two.");
    CHECK_EQ(reply.usage.input, 16);
    hob_reply_free(&reply);
    HAS(kit_export(k.s), "two files");
    TIMES(kit_export(k.s), "\n", 4);
    TIMES(k.log, "\"type\":\"task_start\"", 1);
    TIMES(k.log, "\"type\":\"task\"", 1);
    HAS(k.log, "\"session\":\"task:default:");
    HAS(k.log, "\"parentSession\":\"default\",\"taskId\":\"");
    HAS(k.log, "/home/user/sub");
    hob_bytes list;
    REQUIRE(hob_store_list(k.store, &list, &err) == 0);
    TIMES(list.data, "\n", 2);
    HAS(list.data, "\"session\":\"task:default:");
    /* The child's history can be read again, by the name that the events gave. */
    char name[100];
    sscanf(strstr(list.data, "task:default:"), "%99[^\"]", name);
    hob_free(list.data);
    hob_session *child;
    REQUIRE(hob_harness_session(k.h, name, HOB_SESSION_GET, &child, &err) == 0);
    HAS(kit_export(child), "\"source\":\"task\"");
    /* Deleting the parent takes the children along. */
    CHECK_EQ(hob_harness_delete(k.h, NULL, &err), 0);
    REQUIRE(hob_store_list(k.store, &list, &err) == 0);
    CHECK_EQ(list.len, 0);
    hob_free(list.data);
    kit_fini(&k);
}

static void test_api_task(void)
{
    struct kit k;
    hob_reply reply;
    hob_error err;
    kit_init(&k,
             "{\"match\":\"child\",\"calls\":[{\"name\":\"finish\",\"args\":{\"ok\":true}}]}\n");
    kit_open(&k);
    hob_prompt_options o = {.size = sizeof o, .schema = "{\"type\":\"object\"}"};
    REQUIRE(hob_session_task(k.s, "child", &o, &reply, &err) == 0);
    CHECK_STR(reply.data, "{\"ok\":true}");
    hob_reply_free(&reply);
    CHECK_EQ(strlen(kit_export(k.s)), 0);
    o.agent = "nobody";
    CHECK_EQ(hob_session_task(k.s, "child", &o, &reply, &err), HOB_ENOENT);
    HAS(err.msg, "nobody");
    hob_reply_free(&reply);
    kit_fini(&k);
}

/* A task inside of a task, and so on: four deep, then no more. */
static void test_depth(void)
{
    struct kit k;
    hob_agent subs[6];
    const hob_agent *lists[6][2];
    kit_init(&k, "{\"match\":\"deep\",\"calls\":[{\"name\":\"task\",\"args\":{\"prompt\":\"deep\","
                 "\"agent\":\"next\"}}]}\n"
                 "{\"match\":\"deep\",\"calls\":[{\"name\":\"task\",\"args\":{\"prompt\":\"deep\","
                 "\"agent\":\"next\"}}]}\n"
                 "{\"match\":\"deep\",\"calls\":[{\"name\":\"task\",\"args\":{\"prompt\":\"deep\","
                 "\"agent\":\"next\"}}]}\n"
                 "{\"match\":\"deep\",\"calls\":[{\"name\":\"task\",\"args\":{\"prompt\":\"deep\","
                 "\"agent\":\"next\"}}]}\n"
                 "{\"match\":\"deep\",\"calls\":[{\"name\":\"task\",\"args\":{\"prompt\":\"deep\","
                 "\"agent\":\"next\"}}]}\n"
                 "{\"text\":\"bottom\",\"repeat\":true}\n");
    for (int i = 5; i >= 0; i--) {
        subs[i] = (hob_agent)HOB_AGENT_INIT;
        subs[i].name = "next";
        lists[i][0] = &subs[i];
        lists[i][1] = NULL;
        if (i < 5)
            subs[i].subagents = lists[i + 1];
    }
    k.agent.subagents = lists[0];
    kit_open(&k);
    PROMPT(&k, "deep", "bottom");
    TIMES(k.log, "\"type\":\"task_start\"", 4);
    HAS(k.log, "\"session\":\"task:task:task:task:default:");
    kit_fini(&k);
}

/* ---- compaction ------------------------------------------------------------------------------ */

static const hob_model small_model = {.id = "offline/test", .window = 8000, .output = 1000};

static void compaction_kit(struct kit *k, const char *script)
{
    kit_init(k, script);
    k->agent.models = &small_model;
    k->agent.nmodels = 1;
    k->agent.compaction.reserve = 1000;
    k->agent.compaction.keep = 50;
}

static void test_threshold(void)
{
    struct kit k;
    compaction_kit(
        &k,
        "{\"match\":\"conversation above so\",\"text\":\"## Goal\\nSUMMARY ONE\",\"usage\":{"
        "\"input\":100,\"output\":10}}\n"
        "{\"match\":\"first part of one turn\",\"text\":\"SUMMARY TWO\"}\n"
        "{\"match\":\"first\",\"text\":\"A long answer about many things, so that it counts for "
        "more than fifty tokens when somebody makes an estimate of it: aaaaaaaaaaaaaaaaaaaaa "
        "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb cccccccccccccccccccccccccccccccccc "
        "dddddddddddddddddddddddddd\",\"usage\":{\"input\":100,\"output\":60}}\n"
        "{\"match\":\"second\",\"calls\":[{\"name\":\"read\",\"args\":{\"path\":\"in.txt\"}},{"
        "\"name\":\"write\",\"args\":{\"path\":\"out.txt\",\"content\":\"x\"}}],\"usage\":{"
        "\"input\":200}}\n"
        "{\"match\":\"second\",\"text\":\"Another long answer, long enough that it stays alone: "
        "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee "
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff\","
        "\"usage\":{\"input\":7500,\"output\":100}}\n"
        "{\"match\":\"third\",\"text\":\"short\",\"usage\":{\"input\":300}}\n");
    kit_open(&k);
    hob_reply reply;
    hob_error err;
    hob_write(hob_harness_sandbox(k.h), "in.txt", "in", 2);
    PROMPT(&k, "first", NULL);
    TIMES(k.log, "compaction", 0);
    REQUIRE(hob_session_prompt(k.s, "second", NULL, &reply, &err) == 0);
    /* The summary's tokens count. */
    CHECK(reply.usage.input >= 200 + 7500 + 100);
    hob_reply_free(&reply);
    TIMES(k.log, "\"type\":\"compaction_start\"", 1);
    TIMES(k.log, "\"type\":\"compaction\"", 1);
    HAS(k.log, "\"reason\":\"threshold\",\"estimatedTokens\":7600");
    const char *text = kit_export(k.s);
    HAS(text, "\"type\":\"compaction\"");
    HAS(text, "SUMMARY ONE\\n\\n---\\n\\n**The turn that is still going on:**\\n\\nSUMMARY TWO");
    HAS(text, "\"tokensBefore\":7600");
    HAS(text, "\"readFiles\":[\"in.txt\"],\"modifiedFiles\":[\"out.txt\"]");
    HAS(text, "<read-files>\\nin.txt\\n</read-files>");
    /* Everything is still in the store; the model sees the summary and what was kept. */
    HAS(text, "A long answer");
    PROMPT(&k, "third", "short");
    TIMES(k.log, "\"type\":\"compaction_start\"", 1);
    kit_fini(&k);
}

static void test_overflow(void)
{
    struct kit k;
    compaction_kit(
        &k,
        "{\"match\":\"conversation above\",\"text\":\"what was\",\"repeat\":true}\n"
        "{\"match\":\"one\",\"text\":"
        "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "x"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "x"
        "xxxx\"}\n"
        "{\"match\":\"two\",\"error\":{\"kind\":\"context\",\"message\":\"too long\"}}\n"
        "{\"match\":\"two\",\"text\":\"recovered\"}\n"
        "{\"match\":\"three\",\"error\":{\"kind\":\"context\",\"message\":\"too long\"}}\n"
        "{\"match\":\"three\",\"error\":{\"kind\":\"context\",\"message\":\"too long again\"}}\n");
    k.agent.compaction.off = 1;
    kit_open(&k);
    PROMPT(&k, "one", NULL);
    PROMPT(&k, "two", "recovered");
    HAS(k.log, "\"reason\":\"overflow\"");
    TIMES(kit_export(k.s), "too long", 0);
    hob_reply reply;
    hob_error err;
    CHECK_EQ(hob_session_prompt(k.s,
                                "three three three three three three three three three three "
                                "three three three three three three three three three three "
                                "three three three three three three three three three three "
                                "three three three three three three three three three three",
                                NULL, &reply, &err),
             HOB_ECONTEXT);
    hob_reply_free(&reply);
    kit_fini(&k);
}

/* By hand: nothing to cut is no error; then it is; and it is used after a restart. */
static void test_manual(void)
{
    struct kit k;
    hob_error err;
    compaction_kit(&k,
                   "{\"match\":\"conversation above\",\"text\":\"THE SUMMARY\"}\n"
                   "{\"match\":\"hi\",\"text\":\"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
                   "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
                   "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
                   "yyyyyyyyyyyyyyyyyyy\"}\n{\"match\":\"ho\",\"text\":\"ok\",\"repeat\":true}\n");
    k.agent.store = k.store;
    kit_open(&k);
    CHECK_EQ(hob_session_compact(k.s, &err), 0);
    TIMES(k.log, "\"type\":\"compaction_start\"", 0);
    PROMPT(&k, "hi", NULL);
    PROMPT(&k,
           "ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho "
           "ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho ho",
           "ok");
    CHECK_EQ(hob_session_compact(k.s, &err), 0);
    HAS(k.log, "\"reason\":\"manual\"");
    HAS(k.log, "\"messagesBefore\":4,\"messagesAfter\":");
    kit_close(&k);
    kit_open(&k);
    HAS(kit_export(k.s), "THE SUMMARY");
    PROMPT(&k, "ho", "ok");
    kit_fini(&k);
}

/* A summary that fails is logged, and the prompt goes on. */
static void test_failed_compaction(void)
{
    struct kit k;
    compaction_kit(&k,
                   "{\"match\":\"conversation above\",\"error\":{\"kind\":\"model\",\"message\":"
                   "\"no summary today\"}}\n"
                   "{\"match\":\"go\",\"calls\":[{\"name\":\"bash\",\"args\":{\"command\":\"seq "
                   "500\"}}],\"usage\":{\"input\":7900}}\n{\"match\":\"go\",\"text\":\"done\"}\n");
    kit_open(&k);
    PROMPT(&k, "go", "done");
    HAS(k.log, "no summary today");
    TIMES(k.log, "\"type\":\"log\"", 1);
    kit_fini(&k);
}

UNIT_MAIN(UNIT(test_task), UNIT(test_api_task), UNIT(test_depth), UNIT(test_threshold),
          UNIT(test_overflow), UNIT(test_manual), UNIT(test_failed_compaction))

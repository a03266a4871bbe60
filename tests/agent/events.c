/* events.c -- which events come, in which order, and what they carry */
#include "agent/agent.h"
#include "kit.h"

/* The types of the log in order, joined by blanks; runs of text_delta count once. */
static const char *types(struct kit *k)
{
    static char out[4000];
    size_t n = 0;
    char last[40] = "";
    out[0] = '\0';
    for (const char *p = k->log ? k->log : ""; (p = strstr(p, "{\"type\":\"")); p++) {
        char type[40];
        if (p != k->log && p[-1] != '\n')
            continue;
        sscanf(p + 9, "%39[a-z_]", type);
        if (strcmp(type, last) != 0 || strcmp(type, "text_delta") != 0)
            n += (size_t)snprintf(out + n, sizeof out - n, "%s%s", n ? " " : "", type);
        snprintf(last, sizeof last, "%s", type);
    }
    return out;
}

static void test_order(void)
{
    struct kit k;
    kit_init(&k,
             "{\"thinking\":\"Let me see.\",\"text\":\"I look around.\",\"chunk\":4,\"calls\":[{"
             "\"name\":\"bash\",\"args\":{\"command\":\"true\"}}]}\n{\"text\":\"Done.\"}\n");
    kit_open(&k);
    CHECK_STR(types(&k), "");
    PROMPT(&k, "Go", "Done.");
    CHECK_STR(types(&k),
              "run_start operation_start thinking_start thinking_delta thinking_delta "
              "thinking_delta thinking_end text_delta turn tool_start tool_call text_delta turn "
              "operation idle");
    HAS(k.log, "\"content\":\"Let me see.\"");
    HAS(k.log, "\"stopReason\":\"toolUse\"");
    HAS(k.log, "\"operationKind\":\"prompt\",\"durationMs\":");
    kit_clear(&k);
    CHECK_EQ(hob_harness_shell(k.h, "true", NULL, NULL, NULL), 0);
    CHECK_STR(types(&k), "operation_start tool_start tool_call operation idle");
    kit_clear(&k);
    kit_close(&k);
    CHECK_STR(types(&k), "run_end");
    HAS(k.log, "\"isError\":false");
    kit_fini(&k);
}

/* Each event has its place: run, number, time, harness, session, operation. */
static void test_decoration(void)
{
    struct kit k;
    char want[64];
    kit_init(&k, "{\"text\":\"x\"}\n");
    kit_open(&k);
    PROMPT(&k, "Go", "x");
    int n = 0;
    for (char *line = strtok(k.log, "\n"); line; line = strtok(NULL, "\n"), n++) {
        snprintf(want, sizeof want, "\"eventIndex\":%d,", n);
        HAS(line, want);
        HAS(line, "\"runId\":\"run_");
        HAS(line, "\"timestamp\":\"20");
        HAS(line, "\"harness\":\"tester\"");
        int inside = !strstr(line, "\"run_start\"") && !strstr(line, "\"idle\"");
        CHECK_EQ(strstr(line, "\"session\":\"default\"") != NULL, inside);
        CHECK_EQ(strstr(line, "\"operationId\":\"op_") != NULL, inside);
        CHECK(strstr(line, "parentSession") == NULL);
    }
    CHECK_EQ(n, 6);
    k.log_len = 0;
    kit_fini(&k);
}

static void text_seen(struct kit *k, const hob_event *e)
{
    if (strcmp(e->type, "text_delta") == 0) {
        CHECK_STR(e->session, "default");
        CHECK_EQ(e->text[e->text_len], 0);
        memcpy((char *)k->ud + k->count, e->text, e->text_len + 1);
        k->count += (int)e->text_len;
    } else {
        CHECK(e->text == NULL);
    }
}

static void test_text(void)
{
    struct kit k;
    char all[200] = "";
    kit_init(&k, "{\"text\":\"gr\\u00fc\\u00dfe \\u2713 and more\",\"chunk\":2}\n");
    k.on_event = text_seen;
    k.ud = all;
    kit_open(&k);
    PROMPT(&k, "Go",
           "gr\xc3\xbc\xc3\x9f"
           "e \xe2\x9c\x93 and more");
    CHECK_STR(all, "gr\xc3\xbc\xc3\x9f"
                   "e \xe2\x9c\x93 and more");
    kit_fini(&k);
}

/* Something is tried again: the partial answer is not kept, and the answer is there once. */
static void test_retry(void)
{
    struct kit k;
    kit_init(&k, "{\"text\":\"half of it\",\"error\":{\"kind\":\"network\",\"message\":\"cut\"}}\n"
                 "{\"text\":\"all of it\"}\n");
    kit_open(&k);
    catalog_limits(k.h->catalog)->second_ns = 1000;
    PROMPT(&k, "Go", "all of it");
    TIMES(kit_export(k.s), "half of it", 0);
    TIMES(kit_export(k.s), "all of it", 1);
    TIMES(kit_export(k.s), "\n", 2);
    TIMES(k.log, "\"type\":\"retry\"", 1);
    TIMES(k.log, "\"stopReason\":\"error\"", 1);
    kit_fini(&k);
}

static void test_failure(void)
{
    struct kit k;
    hob_reply reply;
    hob_error err;
    kit_init(&k, "{\"error\":{\"kind\":\"auth\",\"message\":\"the key is wrong\"}}\n"
                 "{\"text\":\"better\"}\n");
    kit_open(&k);
    CHECK_EQ(hob_session_prompt(k.s, "Go", NULL, &reply, &err), HOB_EAUTH);
    HAS(err.msg, "the key is wrong");
    hob_reply_free(&reply);
    HAS(k.log, "\"isError\":true");
    PROMPT(&k, "Go", "better");
    kit_fini(&k);
}

/* Keys and secrets: never in events, the store, errors. */
static void test_canaries(void)
{
    struct kit k;
    hob_reply reply;
    hob_error err;
    kit_init(&k, "{\"text\":\"The key is canary-key-1234567. Or "
                 "can.\",\"chunk\":5,\"calls\":[{\"name\":\"bash\",\"args\":{"
                 "\"command\":\"echo canary-key-1234567 canary-env-7654321\"}}]}\n"
                 "{\"error\":{\"kind\":\"auth\",\"message\":\"canary-key-1234567 is wrong\"}}\n");
    hob_provider providers[2] = {k.provider, {.id = "anthropic", .key = "canary-key-1234567"}};
    const char *env[] = {"OPENAI_API_KEY=canary-env-7654321", NULL};
    k.agent.providers = providers;
    k.agent.nproviders = 2;
    k.agent.env = env;
    k.agent.store = k.store;
    kit_open(&k);
    CHECK_EQ(hob_session_prompt(k.s, "Go", NULL, &reply, &err), HOB_EAUTH);
    TIMES(err.msg, "canary", 0);
    hob_reply_free(&reply);
    TIMES(kit_export(k.s), "canary", 0);
    TIMES(kit_export(k.s), "***", 5);
    TIMES(k.log, "canary-key", 0);
    TIMES(k.log, "can", 1); /* a begin of it that does not go on is shown */
    TIMES(k.log, "1234567", 0);
    TIMES(k.log, "canary-env", 0);
    kit_close(&k);
    char cmd[300];
    snprintf(cmd, sizeof cmd, "cat %s* | grep -c canary >/dev/null", k.store);
    CHECK(system(cmd) != 0);
    kit_fini(&k);
}

UNIT_MAIN(UNIT(test_order), UNIT(test_decoration), UNIT(test_text), UNIT(test_retry),
          UNIT(test_failure), UNIT(test_canaries))

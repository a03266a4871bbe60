/* memory.c -- every allocation of an agent fails once: no crash, no leak, and it goes on
 *
 * The loop has one heap. The N-th request to it fails, for all N, while an agent is made, prompts
 * with tools and a task, records a script and compacts. After each failure the conversation must be
 * whole and the session usable.
 */
#include "agent/agent.h"
#include "kit.h"

static const char script[] =
    "{\"match\":\"conversation above\",\"text\":\"summary\",\"repeat\":true}\n"
    "{\"match\":\"child\",\"text\":\"of the child\",\"repeat\":true}\n"
    "{\"match\":\"Go\",\"text\":\"I do things.\",\"calls\":[{\"name\":\"bash\",\"args\":{"
    "\"command\":\"echo a\"}},{\"name\":\"task\",\"args\":{\"prompt\":\"child\",\"agent\":"
    "\"helper\"}},{\"name\":\"write\",\"args\":{\"path\":\"x\",\"content\":\"y\"}}]}\n"
    "{\"text\":\"fine\",\"repeat\":true}\n";

/* Everything once, with the N-th request failing. False when there were fewer. */
static bool memory_one(const struct kit *base, uint64_t n)
{
    struct kit k = *base;
    hob_error err;
    hob_reply reply = {0};
    hob_result res = {0};
    hob_loop *l;
    if (hob_loop_new(&l, &err) < 0)
        kit_die("loop", &err);
    l->heap.fail_at = n;
    int r = hob_init(l, &k.agent, "one", &k.h, &err);
    CHECK(r == 0 || r == HOB_ENOMEM);
    if (r == 0)
        r = hob_harness_session(k.h, NULL, HOB_SESSION_OPEN, &k.s, &err);
    if (r == 0)
        r = hob_session_prompt(k.s, "Go", NULL, &reply, &err);
    hob_reply_free(&reply);
    if (r == 0)
        r = hob_session_shell(k.s, "echo b", NULL, &res, &err);
    hob_result_free(&res);
    if (r == 0)
        r = hob_session_compact(k.s, &err);
    bool met = l->heap.count >= n;
    if (!CHECK(r == 0 || r == HOB_ENOMEM))
        printf("# %d: %s\n", r, err.msg);
    CHECK(!l->heap.oom);
    l->heap.fail_at = 0;
    if (k.h) {
        r = hob_harness_session(k.h, NULL, HOB_SESSION_OPEN, &k.s, &err);
        CHECK_EQ(r, 0);
        if (r == 0) {
            CHECK_EQ(hob_session_prompt(k.s, "after", NULL, &reply, &err), 0);
            hob_reply_free(&reply);
            WHOLE(kit_export(k.s));
        }
    }
    hob_harness_free(k.h);
    CHECK_EQ(l->heap.used, l->sched.captimers * sizeof(void *));
    hob_loop_free(l);
    return met;
}

static void memory_all(bool events, bool sqlite)
{
    struct kit k;
    hob_agent sub = HOB_AGENT_INIT;
    sub.name = "helper";
    const hob_agent *subs[] = {&sub, NULL};
    hob_skill skill = {"greet", "Greets", "Say hello."};
    kit_init(&k, script);
    k.agent.subagents = subs;
    k.agent.skills = &skill;
    k.agent.nskills = 1;
    k.agent.compaction.keep = 5;
    if (!events)
        k.agent.event = NULL;
    uint64_t n = 1;
    for (; n < 20000; n++) {
        int failed = unit_failed;
        kit_clear(&k);
        if (sqlite) {
            char path[128];
            for (int i = 0; i < 4; i++) {
                static const char *const ends[] = {"", "-wal", "-shm", "-lock"};
                snprintf(path, sizeof path, "%s%s", k.store, ends[i]);
                unlink(path);
            }
            k.agent.store = k.store;
        }
        bool met = memory_one(&k, n);
        if (unit_failed != failed)
            printf("# with request %llu failing\n", (unsigned long long)n);
        if (!met || unit_failed > 20)
            break;
    }
    printf("# %llu requests\n", (unsigned long long)n);
    CHECK(n > 200 && n < 20000);
    kit_fini(&k);
}

static void test_memory(void) { memory_all(false, false); }
static void test_with_events(void) { memory_all(true, false); }

static void test_with_file(void)
{
    if (access("/dev/shm", W_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 1);
    memory_all(false, true);
}

UNIT_MAIN(UNIT(test_memory), UNIT(test_with_events), UNIT(test_with_file))

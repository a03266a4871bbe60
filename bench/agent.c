/* agent.c -- what the harness costs: a tool call, an idle session, a thousand active ones
 *
 * The model is the offline player without delays, so what is measured is the harness, the tools
 * and the sandbox, and the little that the player itself needs.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hob.h"

enum {
    AGENT_TURNS = 20, /* of one prompt */
    AGENT_CALLS = 5,  /* of one turn */
    AGENT_PROMPTS = 40,
    AGENT_SESSIONS = 1000
};

static char agent_dir[] = "/tmp/hob-bench-XXXXXX";
static char agent_script[64], agent_store[64];

static int64_t agent_clock(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static long agent_rss(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%*d %ld", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return pages * sysconf(_SC_PAGESIZE);
}

static void agent_check(int result, const hob_error *err)
{
    if (result >= 0)
        return;
    fprintf(stderr, "agent: %s\n", err->msg);
    exit(1);
}

static FILE *agent_open_script(void)
{
    FILE *f = fopen(agent_script, "w");
    if (!f)
        exit(1);
    return f;
}

static hob_harness *agent_harness(const char *store)
{
    static hob_provider offline = {.id = "offline"};
    hob_agent agent = HOB_AGENT_INIT;
    hob_harness *h;
    hob_error err;
    offline.base_url = agent_script;
    agent.model = "offline/bench";
    agent.providers = &offline;
    agent.nproviders = 1;
    agent.store = store;
    agent_check(hob_init(NULL, &agent, NULL, &h, &err), &err);
    return h;
}

/* Prompts whose turns call `calls` (the elements of a JSON array); CPU and time per call. */
static void agent_tools(const char *what, const char *calls, const char *store, int prompts)
{
    hob_session *s;
    hob_reply reply;
    hob_error err;
    FILE *f = agent_open_script();
    for (int i = 0; i < prompts; i++) {
        for (int k = 0; k < AGENT_TURNS; k++)
            fprintf(f, "{\"calls\":[%s]}\n", calls);
        fprintf(f, "{\"text\":\"done\"}\n");
    }
    fclose(f);
    hob_harness *h = agent_harness(store);
    hob_write(hob_harness_sandbox(h), "file.txt", "one\ntwo\nthree\n", 14);
    int64_t cpu = 0, wall = 0;
    for (int i = 0; i < prompts; i++) {
        char name[32];
        snprintf(name, sizeof name, "s%d", i);
        agent_check(hob_harness_session(h, name, HOB_SESSION_CREATE, &s, &err), &err);
        int64_t c = agent_clock(CLOCK_PROCESS_CPUTIME_ID), w = agent_clock(CLOCK_MONOTONIC);
        agent_check(hob_session_prompt(s, "Go", NULL, &reply, &err), &err);
        cpu += agent_clock(CLOCK_PROCESS_CPUTIME_ID) - c;
        wall += agent_clock(CLOCK_MONOTONIC) - w;
        hob_reply_free(&reply);
    }
    hob_harness_free(h);
    double n = (double)prompts * AGENT_TURNS * AGENT_CALLS;
    printf("%-44s %10.2f us (%.2f us of CPU)\n", what, (double)wall / n / 1000,
           (double)cpu / n / 1000);
    fflush(stdout);
}

#define AGENT_BASH "{\"name\":\"bash\",\"args\":{\"command\":\"echo hello | tr a-z A-Z\"}}"
#define AGENT_READ "{\"name\":\"read\",\"args\":{\"path\":\"file.txt\"}}"
#define AGENT_WRITE "{\"name\":\"write\",\"args\":{\"path\":\"new.txt\",\"content\":\"text\"}}"
#define AGENT_GREP "{\"name\":\"grep\",\"args\":{\"pattern\":\"two\"}}"

static void agent_sessions(void)
{
    static hob_op *ops[AGENT_SESSIONS];
    hob_session *s;
    hob_error err;
    FILE *f = agent_open_script();
    fprintf(f, "{\"text\":\"said\",\"delay_ms\":100,\"repeat\":true}\n");
    fclose(f);
    hob_harness *h = agent_harness(NULL);
    hob_loop *loop = hob_harness_loop(h);
    agent_check(hob_harness_session(h, NULL, HOB_SESSION_OPEN, &s, &err), &err);
    agent_check(hob_session_prompt(s, "Go", NULL, &(hob_reply){0}, &err), &err);
    long idle = agent_rss();
    int64_t cpu = agent_clock(CLOCK_PROCESS_CPUTIME_ID), wall = agent_clock(CLOCK_MONOTONIC);
    for (int i = 0; i < AGENT_SESSIONS; i++) {
        char name[32];
        snprintf(name, sizeof name, "s%d", i);
        agent_check(hob_harness_session(h, name, HOB_SESSION_CREATE, &s, &err), &err);
        agent_check(hob_prompt_start(s, "Go", NULL, &ops[i], &err), &err);
    }
    hob_loop_step(loop);
    long active = agent_rss();
    for (int r; (r = hob_loop_step(loop)) != HOB_STEP_IDLE;)
        if (r == HOB_STEP_WAIT)
            hob_loop_wait(loop, -1);
    for (int i = 0; i < AGENT_SESSIONS; i++)
        agent_check(hob_op_finish(ops[i], NULL, NULL, &err), &err);
    wall = agent_clock(CLOCK_MONOTONIC) - wall;
    cpu = agent_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    printf("%-44s %10.1f ms (%.1f ms of CPU, a reply takes 100 ms)\n",
           "1,000 sessions active, one reply each", (double)wall / 1e6, (double)cpu / 1e6);
    printf("%-44s %10.1f KB\n", "an active session",
           (double)(active - idle) / AGENT_SESSIONS / 1024);
    printf("%-44s %10.1f KB\n", "an idle session",
           (double)(agent_rss() - idle) / AGENT_SESSIONS / 1024);
    hob_harness_free(h);
}

int main(void)
{
    if (!mkdtemp(agent_dir))
        return 1;
    snprintf(agent_script, sizeof agent_script, "%s/replies", agent_dir);
    snprintf(agent_store, sizeof agent_store, "%s/store", agent_dir);
    agent_tools("tool call: bash, a pipe",
                AGENT_BASH "," AGENT_BASH "," AGENT_BASH "," AGENT_BASH "," AGENT_BASH, NULL,
                AGENT_PROMPTS);
    agent_tools("tool call: read, write, grep, bash",
                AGENT_READ "," AGENT_WRITE "," AGENT_GREP "," AGENT_READ "," AGENT_BASH, NULL,
                AGENT_PROMPTS);
    agent_tools("the same, sessions kept in SQLite",
                AGENT_READ "," AGENT_WRITE "," AGENT_GREP "," AGENT_READ "," AGENT_BASH,
                agent_store, AGENT_PROMPTS / 4);
    agent_sessions();
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", agent_dir);
    return system(command) != 0;
}

/* kit.h -- what the programs of this folder share: an agent over a script of replies
 *
 * A kit is a folder of its own, a script for the offline provider, and a harness with an event log:
 * one JSON event a line.
 */
#ifndef KIT_H
#define KIT_H

#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hob.h"
#include "unit.h"

struct kit {
    char dir[64];
    char script[96], store[96];
    hob_provider provider;
    hob_agent agent;
    hob_loop *loop;
    hob_harness *h;
    hob_session *s;
    char *log; /* events, a line each */
    size_t log_len, log_cap;
    void (*on_event)(struct kit *k, const hob_event *e);
    void *ud;
    int count; /* for on_event */
};

static inline void kit_die(const char *what, const hob_error *err)
{
    printf("# %s: %s\n", what, err ? err->msg : "");
    exit(1);
}

static inline void kit_event(void *ud, const hob_event *e)
{
    struct kit *k = ud;
    if (k->log_len + e->json_len + 2 > k->log_cap) {
        k->log_cap = (k->log_len + e->json_len + 2) * 2;
        k->log = realloc(k->log, k->log_cap);
        if (!k->log)
            abort();
    }
    memcpy(k->log + k->log_len, e->json, e->json_len);
    k->log_len += e->json_len;
    k->log[k->log_len++] = '\n';
    k->log[k->log_len] = '\0';
    if (k->on_event)
        k->on_event(k, e);
}

static inline void kit_write(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    if (!f || fputs(text, f) < 0 || fclose(f) != 0)
        kit_die(path, NULL);
}

/* A folder, and an agent that plays `script`; the caller may change k->agent before kit_open(). */
static inline void kit_init(struct kit *k, const char *script)
{
    *k = (struct kit){0};
    snprintf(k->dir, sizeof k->dir, "%s/hob-agent-XXXXXX",
             getenv("TMPDIR") && strlen(getenv("TMPDIR")) < 30 ? getenv("TMPDIR") : "/tmp");
    if (!mkdtemp(k->dir))
        kit_die(k->dir, NULL);
    snprintf(k->script, sizeof k->script, "%s/replies.ndjson", k->dir);
    snprintf(k->store, sizeof k->store, "%s/sessions.db", k->dir);
    kit_write(k->script, script);
    k->provider = (hob_provider){.id = "offline", .base_url = k->script};
    k->agent = (hob_agent)HOB_AGENT_INIT;
    k->agent.name = "tester";
    k->agent.model = "offline/test";
    k->agent.providers = &k->provider;
    k->agent.nproviders = 1;
    k->agent.event = kit_event;
    k->agent.event_ud = k;
}

static inline void kit_open(struct kit *k)
{
    hob_error err;
    if (hob_init(k->loop, &k->agent, "one", &k->h, &err) < 0)
        kit_die("hob_init", &err);
    if (hob_harness_session(k->h, NULL, HOB_SESSION_OPEN, &k->s, &err) < 0)
        kit_die("hob_harness_session", &err);
}

static inline void kit_close(struct kit *k)
{
    hob_harness_free(k->h);
    k->h = NULL;
    k->s = NULL;
}

static inline void kit_clear(struct kit *k)
{
    k->log_len = 0;
    if (k->log)
        k->log[0] = '\0';
}

static inline void kit_fini(struct kit *k)
{
    static const char *const names[] = {"replies.ndjson",
                                        "sessions.db",
                                        "sessions.db-wal",
                                        "sessions.db-shm",
                                        "sessions.db-lock",
                                        "sessions.db-journal",
                                        "note"};
    char path[128];
    kit_close(k);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", k->dir, names[i]);
        unlink(path);
    }
    rmdir(k->dir);
    free(k->log);
}

/* How often `what` stands in the text. */
static inline int kit_times(const char *text, const char *what)
{
    int n = 0;
    for (const char *p = text ? text : ""; (p = strstr(p, what)); p += strlen(what))
        n++;
    return n;
}

/* The conversation; valid until the next call. */
static inline const char *kit_export(hob_session *s)
{
    static char *text;
    hob_bytes b;
    hob_free(text);
    text = NULL;
    if (hob_session_export(s, &b) < 0)
        return "";
    return text = b.data;
}

/* A prompt to its end; the answer must be `want` (NULL: whatever it is). */
static inline int kit_prompt(struct kit *k, const char *text, const hob_prompt_options *o,
                             const char *want, const char *file, int line)
{
    hob_reply reply;
    hob_error err = {0};
    int r = hob_session_prompt(k->s, text, o, &reply, &err);
    if (want) {
        unit_equal(r, 0, file, line, err.msg);
        unit_string(reply.text ? reply.text : "(none)", want, file, line, text);
    }
    hob_reply_free(&reply);
    return r;
}

/* One string member of a line of JSON, as it is written there; "" if it is not there. */
static inline const char *kit_member(const char *line, const char *name, char *dst, size_t cap)
{
    char want[64];
    const char *end = strchr(line, '\n'), *p;
    snprintf(want, sizeof want, "\"%s\":\"", name);
    dst[0] = '\0';
    p = strstr(line, want);
    if (!p || (end && p > end))
        return dst;
    p += strlen(want);
    size_t n = strcspn(p, "\"");
    n = n < cap - 1 ? n : cap - 1;
    memcpy(dst, p, n);
    dst[n] = '\0';
    return dst;
}

/* The ids of calls of an assistant's line that have no result yet. */
struct kit_open_calls {
    char id[16][64];
    int n;
};

/* Looks at a conversation, line by line: each entry names the one before it, ids are there once,
 * every result follows its call and is there once, every call has a result before anything else is
 * said; the last message alone may still wait for results, unless `whole`. What is wrong, or
 * NULL. */
static inline const char *kit_wrong(const char *text, bool whole)
{
    char last[16] = "", id[64], role[32];
    struct kit_open_calls open = {.n = 0};
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        if (strncmp(line, "{\"type\":\"", 9) != 0 || !strchr(line, '\n'))
            return "a line is no entry";
        if (strcmp(kit_member(line, "parentId", id, sizeof id), last) != 0)
            return "the chain is broken";
        kit_member(line, "id", last, sizeof last);
        char key[60];
        snprintf(key, sizeof key, "{\"type\":\"message\",\"id\":\"%s\"", last);
        if (kit_times(text, key) > 1)
            return "an entry is there twice";
        kit_member(line, "role", role, sizeof role);
        if (strcmp(role, "toolResult") == 0) {
            kit_member(line, "toolCallId", id, sizeof id);
            int at = 0;
            while (at < open.n && strcmp(open.id[at], id) != 0)
                at++;
            if (at == open.n)
                return "a result without a call, or twice";
            memcpy(open.id[at], open.id[--open.n], sizeof open.id[0]);
            continue;
        }
        if (open.n > 0)
            return "a call without a result";
        const char *end = strchr(line, '\n');
        for (const char *p = line; (p = strstr(p, "\"type\":\"toolCall\"")) && p < end; p++)
            if (open.n < 16)
                kit_member(p, "id", open.id[open.n++], sizeof open.id[0]);
    }
    return whole && open.n > 0 ? "a call at the end without a result" : NULL;
}

#define WHOLE(text) CHECK_STR(kit_wrong(text, true), NULL)
#define PROMPT(k, text, want) kit_prompt(k, text, NULL, want, __FILE__, __LINE__)
#define PROMPT_WITH(k, text, o, want) kit_prompt(k, text, o, want, __FILE__, __LINE__)
#define HAS(text, what) CHECK(strstr(text, what) != NULL)
#define TIMES(text, what, n) CHECK_EQ(kit_times(text, what), n)

#endif

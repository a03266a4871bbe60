/* toolbox.h -- an agent whose model is a script, for tests of tools: call one, look at its result
 *
 *     struct toolbox b;
 *     toolbox_open(&b, "virtual", NULL);
 *     toolbox_call(&b, "read", "{\"path\":\"a\"}");
 *     CHECK_STR(b.result, "...");
 *     toolbox_close(&b);
 *
 * Every call is a prompt of its own: the model's reply is the call, its next reply ends the prompt.
 */
#ifndef TOOLBOX_H
#define TOOLBOX_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "hob.h"
#include "text/json.h"
#include "unit.h"

extern char **environ;

enum {
    TOOLBOX_CALLS = 16
};

struct toolbox {
    char scripts[64], folder[64]; /* of the model, and the sandbox on the host */
    int plays;
    hob_agent agent;
    hob_provider provider;
    hob_harness *h;
    hob_session *s;
    hob_sandbox *box;
    char *result; /* text of the last tool result */
    char *details;
    int failed; /* whether it is an error */
    int results, starts, warnings;
    char *all[TOOLBOX_CALLS]; /* results of one message, in the order they came */
    char *warning;
    hob_reply reply;
    hob_error err;
};

static inline void *toolbox_alloc(void *ud, void *p, size_t old, size_t n)
{
    (void)ud, (void)old;
    if (n == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, n);
}

static inline void toolbox_event(void *ud, const hob_event *e)
{
    struct toolbox *b = ud;
    struct heap heap;
    struct arena a;
    struct json *v;
    struct str s = STR("");

    b->starts += strcmp(e->type, "tool_start") == 0;
    if (strcmp(e->type, "tool_call") != 0 && strcmp(e->type, "log") != 0)
        return;
    heap_init(&heap, toolbox_alloc, NULL, SIZE_MAX);
    arena_init(&a, &heap);
    if (CHECK(json_parse(&a, str_of(e->json, e->json_len), 100, &v, NULL) == 0)) {
        if (strcmp(e->type, "log") == 0) {
            json_string(json_get(v, "message"), &s);
            free(b->warning);
            b->warning = strndup(s.p, s.n);
            b->warnings++;
        } else {
            struct buf d;
            buf_init(&d, &heap);
            json_string(json_get(v, "result"), &s);
            if (json_get(v, "details"))
                json_write(&d, json_get(v, "details"));
            free(b->result);
            free(b->details);
            b->result = strndup(s.p, s.n);
            b->details = strdup(buf_get(&d).p);
            b->failed = json_bool(json_get(v, "isError"), false);
            if (b->results < TOOLBOX_CALLS)
                b->all[b->results] = strdup(b->result);
            b->results++;
            buf_fini(&d);
        }
    }
    arena_fini(&a);
}

/* Settings may be changed in b->agent between the two. */
static inline void toolbox_init(struct toolbox *b, const char *kind)
{
    memset(b, 0, sizeof *b);
    snprintf(b->scripts, sizeof b->scripts, "/tmp/hob-scripts-XXXXXX");
    snprintf(b->folder, sizeof b->folder, "/tmp/hob-folder-XXXXXX");
    if (!mkdtemp(b->scripts) || !mkdtemp(b->folder))
        CHECK(!"no temporary folder");
    b->provider = (hob_provider){.id = "offline", .base_url = b->scripts};
    b->agent = (hob_agent)HOB_AGENT_INIT;
    b->agent.model = "offline/test";
    b->agent.sandbox = kind;
    b->agent.providers = &b->provider;
    b->agent.nproviders = 1;
    b->agent.event = toolbox_event;
    b->agent.event_ud = b;
}

static inline int toolbox_start(struct toolbox *b)
{
    hob_sandbox_options so = {.size = sizeof so};
    if (strcmp(b->agent.sandbox, "virtual") != 0) {
        so.cwd = b->folder;
        so.host_env = (const char *const *)environ;
        b->agent.sandbox_options = &so;
    }
    int r = hob_init(NULL, &b->agent, "test", &b->h, &b->err);
    b->agent.sandbox_options = NULL;
    if (r == 0)
        r = hob_harness_session(b->h, NULL, HOB_SESSION_OPEN, &b->s, &b->err);
    if (r < 0) {
        printf("# %s\n", b->err.msg);
        return r;
    }
    b->box = hob_harness_sandbox(b->h);
    return 0;
}

static inline int toolbox_open(struct toolbox *b, const char *kind)
{
    toolbox_init(b, kind);
    return toolbox_start(b);
}

static inline void toolbox_forget(struct toolbox *b)
{
    for (int i = 0; i < TOOLBOX_CALLS; i++) {
        free(b->all[i]);
        b->all[i] = NULL;
    }
    b->results = b->starts = b->failed = 0;
    free(b->result);
    free(b->details);
    b->result = b->details = NULL;
    hob_reply_free(&b->reply);
    memset(&b->reply, 0, sizeof b->reply);
}

/* The model's next replies, as lines of the script; then a prompt. */
static inline int toolbox_play(struct toolbox *b, const char *replies, const hob_prompt_options *o)
{
    hob_prompt_options opt = o ? *o : (hob_prompt_options){.size = sizeof opt};
    char path[100], model[40];

    toolbox_forget(b);
    snprintf(path, sizeof path, "%s/%d.ndjson", b->scripts, b->plays);
    snprintf(model, sizeof model, "offline/%d", b->plays++);
    FILE *f = fopen(path, "w");
    if (!f)
        return HOB_EIO;
    fputs(replies, f);
    fclose(f);
    opt.model = model;
    return hob_session_prompt(b->s, "go", &opt, &b->reply, &b->err);
}

/* One call of one tool. */
static inline void toolbox_call(struct toolbox *b, const char *name, const char *args)
{
    size_t n = strlen(args) + strlen(name) + 100;
    char *text = malloc(n);
    snprintf(text, n, "{\"calls\":[{\"name\":\"%s\",\"args\":%s}]}\n{\"text\":\"done\"}\n", name,
             args);
    if (!CHECK_EQ(toolbox_play(b, text, NULL), 0))
        printf("# %s\n", b->err.msg);
    free(text);
}

static inline void toolbox_close(struct toolbox *b)
{
    char command[160];
    toolbox_forget(b);
    free(b->warning);
    hob_harness_free(b->h);
    snprintf(command, sizeof command, "rm -rf %s %s", b->folder, b->scripts);
    if (system(command) != 0)
        printf("# %s stays\n", b->folder);
}

#endif

/* driver.c -- calls models as the tests say
 *
 * Each line of stdin is a JSON object with the agent's env, providers and models, and one
 * request; each line of stdout is what came of it: the error, the message, and everything that
 * was shown. All requests share one loop; {"together":[...]} makes several at the same time.
 * With an argument N every request is made again with the N-th, the 2N-th ... allocation
 * failing, and only the numbers are told.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/model_wire.h"

struct run {
    hob_loop *loop;
    struct arena arena;
    const struct json *spec;
    struct cancel cancel;
    int64_t cancel_after; /* deltas */
    struct buf deltas;
    struct buf out;
    bool done;
};

static const char *text_of(const struct json *v, const char *key)
{
    struct str s;
    return json_string(json_get(v, key), &s) ? s.p : NULL;
}

static int64_t int_of(const struct json *v, const char *key, int64_t fallback)
{
    int64_t n;
    return json_int(json_get(v, key), &n) ? n : fallback;
}

static double number_of(const struct json *v, const char *key)
{
    const struct json *x = json_get(v, key);
    return x ? strtod(x->text.p, NULL) : 0;
}

/* A list of strings, ended by NULL. NULL when out of memory. */
static const char **texts_of(struct run *r, const struct json *v)
{
    const char **list = arena_array(&r->arena, const char *, (v ? v->n : 0) + 1);
    size_t n = 0;
    for (const struct json *x = v ? v->first : NULL; list && x; x = x->next)
        list[n++] = x->text.p;
    return list;
}

static int read_agent(struct run *r, hob_agent *agent)
{
    const struct json *providers = json_get(r->spec, "providers");
    const struct json *models = json_get(r->spec, "models");
    agent->env = texts_of(r, json_get(r->spec, "env"));
    agent->nproviders = providers ? providers->n : 0;
    agent->nmodels = models ? models->n : 0;
    hob_provider *p = arena_array(&r->arena, hob_provider, agent->nproviders + 1);
    hob_model *m = arena_array(&r->arena, hob_model, agent->nmodels + 1);
    if (!agent->env || !p || !m)
        return HOB_ENOMEM;
    for (size_t i = 0; i < agent->nproviders; i++) {
        const struct json *v = json_at(providers, i);
        p[i] = (hob_provider){.id = text_of(v, "id"),
                              .wire = (int)int_of(v, "wire", 0),
                              .base_url = text_of(v, "base_url"),
                              .key = text_of(v, "key"),
                              .key_env = text_of(v, "key_env")};
        if (json_get(v, "headers"))
            p[i].headers = texts_of(r, json_get(v, "headers"));
    }
    for (size_t i = 0; i < agent->nmodels; i++) {
        const struct json *v = json_at(models, i);
        m[i] = (hob_model){.id = text_of(v, "id"),
                           .window = int_of(v, "window", 0),
                           .output = int_of(v, "output", 0),
                           .price_input = number_of(v, "price_input"),
                           .price_output = number_of(v, "price_output"),
                           .thinking = json_bool(json_get(v, "thinking"), false),
                           .images = json_bool(json_get(v, "images"), true)};
    }
    agent->providers = p;
    agent->models = m;
    return 0;
}

static void read_limits(const struct run *r, struct model_limits *l)
{
    const struct json *v = json_get(r->spec, "limits");
    l->second_ns = int_of(v, "second_ns", l->second_ns);
    l->idle_ns = int_of(v, "idle_ns", l->idle_ns);
    l->connect_ns = int_of(v, "connect_ns", l->connect_ns);
    l->retries = (int)int_of(v, "retries", l->retries);
    l->reply_bytes = (size_t)int_of(v, "reply_bytes", (int64_t)l->reply_bytes);
}

static int read_request(struct run *r, struct model_request *req)
{
    const struct json *messages = json_get(r->spec, "messages"),
                      *tools = json_get(r->spec, "tools");
    req->nmessages = messages ? messages->n : 0;
    req->ntools = tools ? tools->n : 0;
    struct message **list = arena_array(&r->arena, struct message *, req->nmessages + 1);
    struct model_tool *t = arena_array(&r->arena, struct model_tool, req->ntools + 1);
    if (!list || !t)
        return HOB_ENOMEM;
    for (size_t i = 0; i < req->nmessages; i++) {
        int e = message_read(&r->arena, json_at(messages, i), &list[i]);
        if (e < 0)
            return e;
    }
    for (size_t i = 0; i < req->ntools; i++) {
        const struct json *v = json_at(tools, i);
        t[i].name = str_z(text_of(v, "name"));
        t[i].description = str_z(text_of(v, "description"));
        t[i].schema = str_z(text_of(v, "schema"));
    }
    req->messages = (const struct message *const *)list;
    req->tools = t;
    req->system = STR("");
    req->affinity = req->force = STR("");
    json_string(json_get(r->spec, "system"), &req->system);
    json_string(json_get(r->spec, "affinity"), &req->affinity);
    json_string(json_get(r->spec, "force"), &req->force);
    req->thinking = (int)int_of(r->spec, "thinking", 0);
    req->max_tokens = int_of(r->spec, "max_tokens", 0);
    return 0;
}

static void on_delta(void *ud, enum model_delta kind, struct str text)
{
    static const char *const names[] = {"text", "thinking_start", "thinking", "thinking_end",
                                        "retry"};
    struct run *r = ud;
    buf_printf(&r->deltas, "%s[\"%s\",", r->deltas.n ? "," : "", names[kind]);
    json_quote(&r->deltas, text);
    buf_addz(&r->deltas, "]");
    if (r->cancel_after > 0 && --r->cancel_after == 0)
        cancel_fire(&r->cancel, "the test says so");
}

static int call(struct run *r, struct message **out, struct hob_error *err)
{
    hob_agent agent = HOB_AGENT_INIT;
    struct model_request req = {0};
    struct catalog *c = NULL;
    struct str name = STR("");
    int e = read_agent(r, &agent);
    e = e < 0 ? e : read_request(r, &req);
    e = e < 0 ? e : catalog_new(&r->loop->heap, &agent, &c, err);
    if (e < 0)
        return e;
    read_limits(r, catalog_limits(c));
    json_string(json_get(r->spec, "model"), &name);
    e = catalog_find(c, name, &req.model, err);
    if (e == 0) {
        r->cancel_after = int_of(r->spec, "cancel_after", 0);
        e = model_call(r->loop, c, &req, &r->cancel, on_delta, r, &r->arena, out, err);
    }
    catalog_free(c);
    return e;
}

static void task(void *arg)
{
    struct run *r = arg;
    struct hob_error err = {0};
    struct message *m = NULL;
    int e = call(r, &m, &err);
    buf_printf(&r->out, "{\"code\":\"%s\",\"error\":", e < 0 ? hob_error_name(e) : "OK");
    json_quote(&r->out, str_z(e < 0 ? err.msg : ""));
    buf_addz(&r->out, ",\"message\":");
    if (m)
        message_write(&r->out, m);
    else
        buf_addz(&r->out, "null");
    buf_addz(&r->out, ",\"deltas\":[");
    buf_str(&r->out, buf_get(&r->deltas));
    buf_addz(&r->out, "]}");
    r->done = true;
}

static void run_start(struct run *r, hob_loop *loop, const struct json *spec)
{
    memset(r, 0, sizeof *r);
    r->loop = loop;
    r->spec = spec;
    arena_init(&r->arena, &loop->heap);
    buf_init(&r->deltas, &loop->heap);
    buf_init(&r->out, &loop->heap);
    cancel_init(&r->cancel, NULL);
    if (!loop_spawn(loop, task, r))
        r->done = true;
}

static void run_finish(struct run *r)
{
    cancel_fini(&r->cancel);
    buf_fini(&r->deltas);
    buf_fini(&r->out);
    arena_fini(&r->arena);
}

static void wait_for(hob_loop *loop, struct run *runs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        while (!runs[i].done) {
            hob_loop_step(loop);
            if (!runs[i].done)
                hob_loop_wait(loop, -1);
        }
    }
}

/* All requests of a line, at the same time; one line of output each. */
static int serve(hob_loop *loop, const struct json *line)
{
    const struct json *list = json_get(line, "together");
    size_t n = list ? list->n : 1;
    struct run *runs = calloc(n, sizeof *runs);
    if (!runs)
        return 1;
    for (size_t i = 0; i < n; i++)
        run_start(&runs[i], loop, list ? json_at(list, i) : line);
    wait_for(loop, runs, n);
    for (size_t i = 0; i < n; i++) {
        printf("%s\n", runs[i].out.p);
        run_finish(&runs[i]);
    }
    fflush(stdout);
    free(runs);
    return 0;
}

/* The request again and again, each time with another allocation that fails. */
static int torture(hob_loop *loop, const struct json *line, uint64_t step)
{
    uint64_t tries = 0, failed = 0;
    for (uint64_t at = step;; at += step) {
        struct run r;
        run_start(&r, loop, line);
        loop->heap.count = 0;
        loop->heap.fail_at = at;
        wait_for(loop, &r, 1);
        loop->heap.fail_at = 0;
        bool hit = loop->heap.count >= at;
        heap_gate(&loop->heap);
        tries++;
        failed += r.out.p && strncmp(r.out.p, "{\"code\":\"OK\"", 12) != 0;
        run_finish(&r);
        if (!hit)
            break;
    }
    printf("{\"tries\":%llu,\"failed\":%llu}\n", (unsigned long long)tries,
           (unsigned long long)failed);
    fflush(stdout);
    return 0;
}

int main(int argc, char **argv)
{
    hob_loop *loop;
    hob_error err;
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    int bad = 0;
    if (hob_loop_new(&loop, &err) < 0)
        return 2;
    while (!bad && (n = getline(&line, &cap, stdin)) > 0) {
        struct arena arena;
        struct json *v;
        arena_init(&arena, &loop->heap);
        if (json_parse(&arena, str_of(line, (size_t)n), 100, &v, &err) < 0) {
            fprintf(stderr, "driver: %s\n", err.msg);
            bad = 2;
        } else {
            bad = argc > 1 ? torture(loop, v, strtoull(argv[1], NULL, 10)) : serve(loop, v);
        }
        arena_fini(&arena);
    }
    free(line);
    hob_loop_free(loop);
    return bad;
}

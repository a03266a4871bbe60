/* harness.c -- one agent at work in one sandbox: making it, its runs, letting it go */
#include "agent/agent.h"
#include "agent/tool.h"
#include "sandbox/sandbox.h"

/* ---- runs ------------------------------------------------------------------------------------ */

void harness_run_start(struct hob_harness *h)
{
    if (h->run_open)
        return;
    ids_make(&h->ids, "run_", loop_wall_ms(h->loop), h->run_id);
    h->run_open = true;
    h->run_started = loop_now(h->loop);
    event_send(h, NULL, "run_start", STR_NONE, STR_NONE);
}

void harness_run_end(struct hob_harness *h, struct str result, const struct hob_error *err)
{
    struct buf b;
    if (!h->run_open)
        return;
    buf_init(&b, h->heap);
    buf_printf(&b, "\"isError\":%s,\"durationMs\":%lld", err && err->code < 0 ? "true" : "false",
               (long long)((loop_now(h->loop) - h->run_started) / 1000000));
    if (err && err->code < 0) {
        buf_addz(&b, ",\"error\":");
        json_quote(&b, str_z(err->msg));
    } else if (result.n) {
        buf_addz(&b, ",\"result\":");
        buf_str(&b, result);
    }
    event_send(h, NULL, "run_end", STR_NONE, buf_get(&b));
    buf_fini(&b);
    h->run_open = false;
}

/* ---- what was found in the sandbox ----------------------------------------------------------- */

/* A workspace that others use stays as it is: what is newer is read into another one. */
int workspace_hold(struct hob_harness *h, hob_sandbox *box, struct workspace **slot,
                   struct cancel *c, struct workspace **out, struct hob_error *err)
{
    struct workspace *w = *slot;
    if (!w || w->users > 0) {
        w = heap_new(h->heap, struct workspace);
        if (!w)
            return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
        arena_init(&w->arena, h->heap);
    }
    w->users++;
    int r = workspace_refresh(h, box, w, c, err);
    if (r < 0) {
        workspace_drop(h, slot, w);
        return r;
    }
    struct workspace *now = *slot;
    if (now && now != w && now->users > 0 && now->stamp == w->stamp) {
        workspace_drop(h, slot, w); /* nothing is new after all */
        now->users++;
        w = now;
    } else if (now != w) {
        *slot = w;
        if (now && now->users == 0) {
            now->users = 1;
            workspace_drop(h, slot, now);
        }
    }
    *out = w;
    return 0;
}

void workspace_drop(struct hob_harness *h, struct workspace **slot, struct workspace *w)
{
    if (!w || --w->users > 0 || *slot == w)
        return;
    workspace_fini(w);
    heap_drop(h->heap, w);
}

/* ---- making it ------------------------------------------------------------------------------- */

/* Every model that the configuration names must be one that can be found. */
static int harness_models(struct hob_harness *h, const hob_agent *o, struct hob_error *err)
{
    const struct model *m;
    if (o->model && catalog_find(h->catalog, str_z(o->model), &m, err) < 0)
        return err ? error_prefix(err, "model") : HOB_EINVAL;
    if (o->compaction.model && catalog_find(h->catalog, str_z(o->compaction.model), &m, err) < 0)
        return err ? error_prefix(err, "compaction.model") : HOB_EINVAL;
    for (const hob_agent *const *s = o->subagents; s && *s; s++) {
        int r = harness_models(h, *s, err);
        if (r < 0)
            return err ? error_prefix(err, "subagents (%s)", (*s)->name) : r;
    }
    return 0;
}

static int harness_sandbox(struct hob_harness *h, const hob_agent *o, struct hob_error *err)
{
    hob_sandbox *base = o->box;
    int r = 0;
    if (!base) {
        r = hob_sandbox_open(o->sandbox ? o->sandbox : "virtual", o->sandbox_options, &h->base,
                             err);
        base = h->base;
    }
    if (r < 0)
        return err && err->code ? error_prefix(err, "sandbox") : r;
    /* Secrets of the network are none of the conversation's business either. */
    const hob_network *net = base->v ? &base->v->network : NULL;
    for (size_t i = 0; net && i < net->nsecrets && r == 0; i++)
        r = catalog_secret(h->catalog, str_z(net->secrets[i].value));
    if (r < 0)
        return error_set(err, r, "%s", error_text(r));
    r = hob_sandbox_view(base, o->cwd ? o->cwd : hob_sandbox_cwd(base), &h->box);
    return r < 0 ? error_set(err, r, "cwd: %s", error_text(r)) : 0;
}

static int harness_fill(struct hob_harness *h, const hob_agent *o, const char *id,
                        struct hob_error *err)
{
    uint64_t seed = (uint64_t)loop_now(h->loop);
    int r = agent_copy(&h->agent, o, err);
    if (r == 0)
        r = catalog_new(h->heap, o, &h->catalog, err);
    if (r == 0)
        r = harness_models(h, &h->agent.o, err);
    if (r == 0)
        r = harness_sandbox(h, o, err);
    if (r == 0)
        r = store_open(h->heap, &h->loop->stores, h->agent.o.store, true, &h->store, err);
    if (r < 0)
        return r;
    h->loop->host.entropy(h->loop->host.ud, &seed, sizeof seed);
    ids_init(&h->ids, seed);
    ids_make(&h->ids, "run_", loop_wall_ms(h->loop), h->run_id);
    h->id = arena_str(&h->agent.arena, str_z(id && *id ? id : "default"));
    return h->id.p ? 0 : error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
}

int hob_init(hob_loop *loop, const hob_agent *agent, const char *id, hob_harness **out,
             hob_error *err)
{
    hob_error local;
    hob_loop *own = NULL;
    err = err ? err : &local;
    *out = NULL;
    *err = (hob_error){0};
    if (!agent)
        return error_set(err, HOB_EINVAL, "hob_init: no agent");
    int r = loop ? 0 : hob_loop_new(&own, err);
    if (r < 0)
        return r;
    loop = loop ? loop : own;
    struct hob_harness *h = heap_new(&loop->heap, struct hob_harness);
    if (!h) {
        heap_gate(&loop->heap);
        hob_loop_free(own);
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    }
    h->loop = loop;
    h->own_loop = own != NULL;
    h->heap = &loop->heap;
    arena_init(&h->agent.arena, h->heap);
    map_init(&h->sessions, h->heap);
    map_init(&h->locks, h->heap);
    r = harness_fill(h, agent, id, err);
    if (heap_gate(h->heap) < 0 && r == 0)
        r = error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    if (r < 0) {
        if (!err->code)
            error_set(err, r, "%s", error_text(r));
        hob_harness_free(h);
        return r;
    }
    *out = h;
    return 0;
}

/* Ends what runs. False when it cannot be waited for, which only a callback can bring about. */
static bool harness_quiet(struct hob_harness *h)
{
    for (struct hob_op *op = h->ops; op; op = op->next)
        if (!op->done)
            hob_op_abort(op, "the harness was freed");
    for (struct hob_op *op = h->ops; op; op = op->next)
        if (!op->done && (op->task == loop_task(h->loop) || op_wait(op) < 0))
            return false;
    return true;
}

void hob_harness_free(hob_harness *h)
{
    if (!h || !harness_quiet(h))
        return;
    harness_run_end(h, STR_NONE, NULL);
    tool_custom_forget(h);
    while (h->ops)
        hob_op_finish(h->ops, NULL, NULL, NULL);
    for (struct map_entry *e = NULL; (e = map_next(&h->sessions, e));)
        session_close(e->value);
    map_fini(&h->sessions);
    map_fini(&h->locks);
    if (h->workspace) {
        struct workspace *w = h->workspace;
        h->workspace = NULL;
        w->users = 1;
        workspace_drop(h, &h->workspace, w);
    }
    store_close(h->store);
    catalog_free(h->catalog);
    if (h->box)
        loop_forget(h->loop, h->box);
    hob_sandbox_free(h->box);
    hob_sandbox_free(h->base);
    hob_loop *loop = h->own_loop ? h->loop : NULL;
    arena_fini(&h->agent.arena);
    heap_drop(h->heap, h);
    hob_loop_free(loop);
}

hob_loop *hob_harness_loop(hob_harness *h) { return h->loop; }

hob_sandbox *hob_harness_sandbox(hob_harness *h) { return h->box; }

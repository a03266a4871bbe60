/* prompt.c -- the loop of an agent: ask the model, run the tools it calls, until it is done
 *
 * Each message is in the store before anything is done because of it: the user's before the model
 * is asked, the model's before its tools run, their results before it is asked again. So a process
 * may die anywhere and the conversation goes on from its last message (session_mend()).
 */
#include "agent/agent.h"
#include "agent/tool.h"
#include "text/base64.h"

enum {
    PROMPT_REMINDERS = 32, /* that a structured result is still missing */
    PROMPT_ARGS_DEPTH = 64 /* nesting of a skill's arguments */
};

/* What stays the same from turn to turn of one prompt_run(). */
struct prompt_state {
    struct str system, affinity;
    struct model_tool *tools;
    int attempts;   /* answers that broke off, in a row */
    bool recovered; /* the conversation was too long once, and was compacted */
};

void prompt_add_usage(hob_tokens *sum, const hob_tokens *u)
{
    sum->input += u->input;
    sum->output += u->output;
    sum->cache_read += u->cache_read;
    sum->cache_write += u->cache_write;
    sum->cost += u->cost;
}

/* ---- events of an answer --------------------------------------------------------------------- */

static void prompt_show(struct turn *t, enum model_delta kind, struct str text)
{
    static const struct {
        const char *type, *member;
    } events[] = {
        [DELTA_TEXT] = {"text_delta", "text"},
        [DELTA_THINKING_START] = {"thinking_start", NULL},
        [DELTA_THINKING] = {"thinking_delta", "delta"},
        [DELTA_THINKING_END] = {"thinking_end", "content"},
        [DELTA_RETRY] = {"retry", "reason"},
    };
    struct hob_harness *h = t->session->harness;
    struct buf b;
    buf_init(&b, h->heap);
    if (events[kind].member) {
        buf_printf(&b, "\"%s\":", events[kind].member);
        json_quote(&b, text);
    }
    bool shown = kind == DELTA_TEXT || kind == DELTA_THINKING;
    event_send(h, t->op, events[kind].type, shown ? text : STR_NONE, buf_get(&b));
    buf_fini(&b);
}

/* Shows what is held back, but not its last `keep` bytes. */
static void prompt_release(struct turn *t, size_t keep)
{
    struct str s = buf_get(&t->held);
    if (s.n <= keep)
        return;
    prompt_show(t, (enum model_delta)t->held_kind, str_sub(s, 0, s.n - keep));
    memmove(t->held.p, t->held.p + s.n - keep, keep);
    buf_cut(&t->held, keep);
}

/* A secret is hidden in the event that holds it. It may come in several pieces, so an end that may
 * be the begin of one waits for what follows. */
static void prompt_delta(void *ud, enum model_delta kind, struct str text)
{
    struct turn *t = ud;
    struct hob_harness *h = t->session->harness;
    if (!h->agent.o.event)
        return;
    if (t->held_kind != (int)kind)
        prompt_release(t, 0);
    t->held_kind = (int)kind;
    if (kind != DELTA_TEXT && kind != DELTA_THINKING) {
        prompt_show(t, kind, text);
        return;
    }
    buf_str(&t->held, text);
    prompt_release(t, catalog_secret_tail(h->catalog, buf_get(&t->held)));
}

static void prompt_turn_event(struct turn *t, const struct message *m, int code,
                              const struct hob_error *err, int64_t started)
{
    struct hob_harness *h = t->session->harness;
    struct buf b;
    if (!h->agent.o.event)
        return;
    buf_init(&b, h->heap);
    buf_printf(
        &b, "\"durationMs\":%lld,\"model\":", (long long)((loop_now(h->loop) - started) / 1000000));
    json_quote(&b, t->model->full);
    if (m) {
        buf_addz(&b, ",\"usage\":");
        message_write_usage(&b, &m->usage);
    }
    enum stop stop = m && code == 0 ? m->stop : code == HOB_ECANCELED ? STOP_ABORTED : STOP_ERROR;
    buf_printf(&b, ",\"stopReason\":\"%s\",\"isError\":%s",
               message_stop_name(code == HOB_EREFUSED ? STOP_REFUSED : stop),
               code < 0 ? "true" : "false");
    if (code < 0) {
        buf_addz(&b, ",\"error\":");
        json_quote(&b, str_z(err->msg));
    }
    event_send(h, t->op, "turn", STR_NONE, buf_get(&b));
    buf_fini(&b);
}

/* ---- an answer that failed ------------------------------------------------------------------- */

/* Keeps the text of a message that ended before its time; its calls and thoughts are not whole. */
static int prompt_keep_text(struct turn *t, struct arena *a, const struct message *m,
                            enum stop stop, struct str why, struct hob_error *err)
{
    struct message *kept = message_new(a, ROLE_ASSISTANT);
    bool any = false;
    if (!kept)
        return HOB_ENOMEM;
    kept->model = t->model->full;
    kept->usage = m->usage;
    kept->stop = stop;
    kept->error = why;
    for (const struct block *b = m->blocks; b; b = b->next) {
        struct block *copy =
            b->kind == BLOCK_TEXT && b->text.n ? message_add(a, kept, BLOCK_TEXT) : NULL;
        if (copy) {
            copy->text = b->text;
            any = true;
        }
    }
    buf_clear(&t->answer);
    message_texts(&t->answer, kept);
    return any ? session_append(t->session, t->source, &kept, 1, err) : 0;
}

/* Whether another attempt may go better. */
static bool prompt_transient(int code)
{
    return code == HOB_ENETWORK || code == HOB_ETIMEDOUT || code == HOB_EOVERLOADED ||
           code == HOB_ERATE || code == HOB_EPROTO;
}

/* The answer broke off after a part of it was shown: that part is forgotten, and after a while the
 * model is asked again. */
static int prompt_again(struct turn *t, struct prompt_state *p, struct hob_error *err)
{
    struct hob_harness *h = t->session->harness;
    struct model_limits *limits = catalog_limits(h->catalog);
    if (p->attempts >= limits->retries)
        return err->code;
    double wait = (double)(2 << MIN(p->attempts++, 10)) *
                  (0.75 + (double)random_below(&h->ids.random, 256) / 1024);
    struct buf b;
    buf_init(&b, h->heap);
    buf_printf(&b, "\"attempt\":%d,\"reason\":", p->attempts);
    json_quote(&b, str_z(err->msg));
    event_send(h, t->op, "retry", STR_NONE, buf_get(&b));
    buf_fini(&b);
    if (loop_sleep(h->loop, (int64_t)(wait * (double)limits->second_ns), t->cancel) < 0)
        return cancel_check(t->cancel, err);
    *err = (struct hob_error){0};
    return 0;
}

/* 0: ask again. m is what came of the answer, or NULL. */
static int prompt_failed(struct turn *t, struct prompt_state *p, struct arena *a,
                         const struct message *m, struct hob_error *err)
{
    struct hob_error why = {0};
    int code = err->code;
    switch (code) {
    case HOB_ECANCELED:
        if (m)
            prompt_keep_text(t, a, m, STOP_ABORTED, str_z(err->msg), &why);
        return code;
    case HOB_EREFUSED:
        if (m)
            prompt_keep_text(t, a, m, STOP_REFUSED, STR(""), &why);
        return code;
    case HOB_ECONTEXT:
        if (p->recovered)
            return code;
        p->recovered = true;
        if (compact_run(t, "overflow", &why) == 1) {
            *err = (struct hob_error){0};
            return 0;
        }
        if (cancel_check(t->cancel, err) < 0)
            return HOB_ECANCELED;
        if (why.code)
            event_log(t->session->harness, t->op, "error", "compaction failed: %s", why.msg);
        return code;
    default: return m && prompt_transient(code) ? prompt_again(t, p, err) : code;
    }
}

/* ---- a turn ---------------------------------------------------------------------------------- */

static bool prompt_calls(const struct message *m)
{
    for (const struct block *b = m->blocks; b; b = b->next)
        if (b->kind == BLOCK_CALL)
            return true;
    return false;
}

/* An answer that the output limit cut: its calls may not be what the model meant, so none runs. */
static int prompt_cut(const struct message *m, struct arena *a, struct message ***results,
                      size_t *n)
{
    size_t count = 0;
    for (const struct block *b = m->blocks; b; b = b->next)
        count += b->kind == BLOCK_CALL;
    struct message **list = arena_array(a, struct message *, count);
    *n = 0;
    for (const struct block *b = m->blocks; b && list; b = b->next) {
        if (b->kind != BLOCK_CALL)
            continue;
        struct message *r = message_text(
            a, ROLE_TOOL,
            STR("This call was not run: the answer reached the limit of its length. Call again, "
                "in smaller steps."));
        if (!r)
            return HOB_ENOMEM;
        r->call_id = b->id;
        r->tool = b->name;
        r->is_error = true;
        list[(*n)++] = r;
    }
    *results = list;
    return list ? 0 : HOB_ENOMEM;
}

/* Runs the calls of the message and adds their results, those of an aborted prompt too. */
static int prompt_tools(struct turn *t, struct arena *a, const struct message *m, bool *ends,
                        struct hob_error *err)
{
    struct message **results = NULL;
    struct hob_error store = {0};
    size_t n = 0;
    int r = m->stop == STOP_LENGTH ? prompt_cut(m, a, &results, &n)
                                   : tools_run(t, m, a, &results, &n, ends, err);
    if (r < 0 && r != HOB_ECANCELED)
        return r;
    int s = session_append(t->session, t->source, results, n, &store);
    if (r == 0 && s < 0) {
        *err = store;
        return s;
    }
    return r;
}

static void prompt_compact(struct turn *t)
{
    struct hob_error why = {0};
    if (!compact_due(t))
        return;
    if (compact_run(t, "threshold", &why) < 0 && !t->cancel->fired)
        event_log(t->session->harness, t->op, "error", "compaction failed: %s", why.msg);
}

static int prompt_ask(struct turn *t, struct prompt_state *p, struct arena *a, struct message **m,
                      struct hob_error *err)
{
    struct hob_harness *h = t->session->harness;
    struct message **context;
    size_t n;
    int r = session_context(t->session, a, &context, &n);
    if (r < 0)
        return error_set(err, r, "%s", error_text(r));
    struct model_request q = {
        .model = t->model,
        .system = p->system,
        .messages = (const struct message *const *)context,
        .nmessages = n,
        .tools = p->tools,
        .ntools = t->ntools,
        .thinking = t->thinking,
        .affinity = p->affinity,
    };
    int64_t started = loop_now(h->loop);
    r = model_call(h->loop, h->catalog, &q, t->cancel, prompt_delta, t, a, m, err);
    prompt_release(t, 0);
    if (r < 0 && err->code != r)
        error_set(err, r, "%s", error_text(r));
    if (*m)
        prompt_add_usage(&t->usage, &(*m)->usage);
    prompt_turn_event(t, *m, r, err, started);
    return r;
}

/* One answer and what it asks for. *done: the model needs nothing more. */
static int prompt_turn(struct turn *t, struct prompt_state *p, struct arena *a, bool *done,
                       struct hob_error *err)
{
    struct message *m = NULL;
    int r = cancel_check(t->cancel, err);
    if (r == 0)
        r = op_memory(t->op, err);
    if (r < 0)
        return r;
    r = prompt_ask(t, p, a, &m, err);
    if (r < 0)
        return prompt_failed(t, p, a, m, err);
    p->attempts = 0;
    t->turns++;
    if (m->blocks) /* providers take no message without content */
        r = session_append(t->session, t->source, &m, 1, err);
    if (r < 0)
        return r;
    buf_clear(&t->answer);
    message_texts(&t->answer, m);
    if (prompt_calls(m))
        r = prompt_tools(t, a, m, done, err);
    else
        *done = true;
    if (r == 0)
        prompt_compact(t);
    return r;
}

int prompt_run(struct turn *t, struct hob_error *err)
{
    struct hob_harness *h = t->session->harness;
    struct prompt_state p = {0};
    struct buf system;
    struct arena a, turn;
    bool done = false;
    arena_init(&a, h->heap);
    buf_init(&system, h->heap);
    int r = context_system(h, t, t->workspace, &system);
    p.system = buf_get(&system);
    p.affinity =
        arena_printf(&a, "%.*s::%s::%.*s", STR_ARG(h->id),
                     h->agent.o.name ? h->agent.o.name : "default", STR_ARG(t->session->name));
    p.tools = arena_array(&a, struct model_tool, t->ntools + 1);
    if (r == 0)
        r = op_memory(t->op, err);
    else
        error_set(err, r, "%s", error_text(r));
    for (size_t i = 0; r == 0 && i < t->ntools; i++)
        p.tools[i] =
            (struct model_tool){t->tools[i]->name, t->tools[i]->description, t->tools[i]->schema};
    while (r == 0 && !done) {
        arena_init(&turn, h->heap);
        r = prompt_turn(t, &p, &turn, &done, err);
        arena_fini(&turn);
    }
    buf_fini(&system);
    arena_fini(&a);
    return r;
}

/* ---- a prompt -------------------------------------------------------------------------------- */

int prompt_model(struct hob_session *s, const hob_prompt_options *o, const struct model *fallback,
                 const struct model **out, struct hob_error *err)
{
    const char *name = o && o->model ? o->model : s->agent->model;
    *out = fallback;
    if (name)
        return catalog_find(s->harness->catalog, str_z(name), out, err);
    if (!fallback && s->harness->agent.o.model)
        return catalog_find(s->harness->catalog, str_z(s->harness->agent.o.model), out, err);
    return *out ? 0
                : error_set(err, HOB_EINVAL,
                            "model: the agent has none, so every call must name one");
}

/* The user's message: the text and the images. */
static int prompt_say(struct turn *t, const char *source, struct str text, const hob_image *images,
                      size_t n, struct hob_error *err)
{
    struct arena *a = &t->op->arena;
    struct message *m = message_text(a, ROLE_USER, text);
    struct buf b;
    buf_init(&b, a->heap);
    for (size_t i = 0; m && i < n; i++) {
        struct block *x = message_add(a, m, BLOCK_IMAGE);
        buf_clear(&b);
        base64_encode(&b, str_of(images[i].data, images[i].len), false);
        if (x) {
            x->data = arena_str(a, buf_get(&b));
            x->mime = str_z(images[i].mime ? images[i].mime : "image/png");
        }
    }
    buf_fini(&b);
    int r = op_memory(t->op, err);
    return r < 0 ? r : session_append(t->session, source, &m, 1, err);
}

/* Until the result is there, or the model gave up, or was reminded often enough. */
static int prompt_result(struct turn *t, struct hob_error *err)
{
    struct result *want = t->result;
    struct buf b;
    int r = prompt_run(t, err);
    buf_init(&b, t->op->harness->heap);
    for (int i = 0; want && r == 0 && !want->given && !want->gave_up && i < PROMPT_REMINDERS; i++) {
        buf_clear(&b);
        result_reminder(want, &b);
        r = prompt_say(t, "retry", buf_get(&b), NULL, 0, err);
        if (r == 0)
            r = prompt_run(t, err);
    }
    buf_fini(&b);
    if (r < 0 || !want || want->given)
        return r;
    if (want->gave_up)
        return error_set(err, HOB_ERESULT, "the model gave up: %.*s", STR_ARG(want->reason));
    return error_set(err, HOB_ERESULT, "the model gave no result, after %d reminders",
                     PROMPT_REMINDERS);
}

/* What the caller gets, also when it failed on the way. */
static int prompt_reply(struct turn *t, struct hob_error *err)
{
    hob_reply *reply = &t->op->reply;
    struct str text = buf_get(&t->answer);
    reply->usage = t->usage;
    reply->turns = t->turns;
    size_t n = MIN(t->model->full.n, sizeof reply->model - 1);
    memcpy(reply->model, t->model->full.p, n);
    reply->model[n] = '\0';
    reply->text = hob_alloc(text.n + 1);
    if (!reply->text)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    memcpy(reply->text, text.p, text.n + 1);
    reply->text_len = text.n;
    if (!t->result || !t->result->given)
        return 0;
    struct str data = t->result->data;
    reply->data = hob_alloc(data.n + 1);
    if (!reply->data)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    memcpy(reply->data, data.p, data.n);
    reply->data[data.n] = '\0';
    reply->data_len = data.n;
    return 0;
}

/* The message that a skill stands for: its text, read now, and the arguments. */
static int prompt_skill_text(struct turn *t, struct str name, const hob_prompt_options *o,
                             struct buf *out, struct hob_error *err)
{
    int r = context_skill_text(t, name, out, err);
    if (r < 0 || !o->args || !*o->args)
        return r;
    struct json *v;
    struct arena a;
    arena_init(&a, t->session->harness->heap);
    r = json_parse(&a, str_z(o->args), PROMPT_ARGS_DEPTH, &v, err);
    if (r < 0) {
        error_prefix(err, "args");
    } else if (v->kind != JSON_NULL && !(v->kind == JSON_OBJECT && v->n == 0)) {
        buf_addz(out, "\n\nArguments:\n\n```json\n");
        json_write(out, v);
        buf_addz(out, "\n```");
    }
    arena_fini(&a);
    return r;
}

/* Everything that a prompt needs before its first message. */
static int prompt_prepare(struct turn *t, const hob_prompt_options *o, const struct model *fallback,
                          struct result *result, struct hob_error *err)
{
    struct hob_session *s = t->session;
    int r = prompt_model(s, o, fallback, &t->model, err);
    t->thinking = o->thinking ? o->thinking : s->agent->thinking;
    if (t->thinking == HOB_THINK_DEFAULT)
        t->thinking = HOB_THINK_MEDIUM;
    if (r == 0)
        r = session_mend(s, err);
    if (r == 0)
        r = workspace_hold(s->harness, s->box, s->workspace, t->cancel, &t->workspace, err);
    if (r == 0 && o->schema) {
        r = result_init(result, &t->op->arena, o->schema, err);
        t->result = result;
    }
    return r < 0 ? r : tools_choose(t, o, &t->op->arena, err);
}

static int prompt_with(struct hob_op *op, const char *source, struct str text, bool skill,
                       const hob_prompt_options *o, const struct model *fallback,
                       struct hob_error *err)
{
    struct hob_session *s = op->session;
    struct result result = {0};
    struct turn t = {.op = op,
                     .session = s,
                     .agent = s->agent,
                     .box = s->box,
                     .cancel = &op->cancel,
                     .source = source};
    struct buf said;
    buf_init(&said, op->harness->heap);
    buf_init(&t.answer, op->harness->heap);
    buf_init(&t.held, op->harness->heap);
    int r = prompt_prepare(&t, o, fallback, &result, err);
    if (r == 0 && skill)
        r = prompt_skill_text(&t, text, o, &said, err);
    else
        buf_str(&said, text);
    if (r == 0 && t.result)
        result_footer(t.result, &said);
    if (r == 0)
        r = prompt_say(&t, source, buf_get(&said), o->images, o->nimages, err);
    if (r == 0)
        r = prompt_result(&t, err);
    if (t.turns > 0 || r == 0) {
        struct hob_error why = {0};
        int w = prompt_reply(&t, &why);
        if (r == 0 && w < 0) {
            *err = why;
            r = w;
        }
    }
    op->reply.usage = t.usage;
    workspace_drop(op->harness, s->workspace, t.workspace);
    buf_fini(&t.held);
    buf_fini(&t.answer);
    buf_fini(&said);
    return r;
}

int prompt_do(struct hob_op *op, const char *source, struct str text, const hob_prompt_options *o,
              const struct model *model, struct hob_error *err)
{
    return prompt_with(op, source, text, false, o, model, err);
}

int prompt_skill(struct hob_op *op, struct str name, const hob_prompt_options *o,
                 struct hob_error *err)
{
    return prompt_with(op, "skill", name, true, o, NULL, err);
}

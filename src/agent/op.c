/* op.c -- operations: one at a time in a session, each on a task of its own
 *
 * The functions of hob.h come in pairs: *_start() copies what it is given and returns at once, its
 * twin starts the same operation and drives the loop until it is done.
 */
#include "agent/agent.h"

/* ---- life ------------------------------------------------------------------------------------ */

static void op_init(struct hob_op *op, struct hob_harness *h, struct hob_session *s,
                    const char *kind, struct cancel *parent)
{
    *op = (struct hob_op){.harness = h, .session = s, .kind = kind};
    cancel_init(&op->cancel, parent);
    arena_init(&op->arena, h->heap);
    ids_make(&h->ids, "op_", loop_wall_ms(h->loop), op->id);
}

static int op_free_session(struct hob_session *s, struct hob_error *err)
{
    if (!s || !s->op)
        return 0;
    return error_set(
        err, HOB_EBUSY,
        "session \"%.*s\" is already running a %s; wait for it, or use another session",
        STR_ARG(s->name), s->op->kind);
}

int op_new(struct hob_harness *h, struct hob_session *s, const char *kind, struct hob_op **out,
           struct hob_error *err)
{
    *out = NULL;
    int r = op_free_session(s, err);
    if (r < 0)
        return r;
    struct hob_op *op = heap_new(h->heap, struct hob_op);
    if (!op)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    op_init(op, h, s, kind, NULL);
    *out = op;
    return 0;
}

void op_fini(struct hob_op *op)
{
    cancel_fini(&op->cancel);
    hob_reply_free(&op->reply);
    hob_result_free(&op->result);
    arena_fini(&op->arena);
}

static void op_free(struct hob_op *op)
{
    struct hob_harness *h = op->harness;
    for (struct hob_op **at = &h->ops; *at; at = &(*at)->next)
        if (*at == op) {
            *at = op->next;
            break;
        }
    op_fini(op);
    heap_drop(h->heap, op);
}

int op_memory(struct hob_op *op, struct hob_error *err)
{
    return op->harness->heap->oom ? error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM)) : 0;
}

/* ---- beginning and ending -------------------------------------------------------------------- */

static void op_enter(struct hob_op *op)
{
    op->started = loop_now(op->harness->loop);
    op->task = loop_task(op->harness->loop);
    harness_run_start(op->harness);
    event_sendf(op->harness, op, "operation_start", "\"operationKind\":\"%s\"", op->kind);
}

int op_begin(struct hob_op *op, struct hob_harness *h, struct hob_session *s, const char *kind,
             struct cancel *parent, struct hob_error *err)
{
    int r = op_free_session(s, err);
    if (r < 0)
        return r;
    op_init(op, h, s, kind, parent);
    s->op = op;
    op_enter(op);
    return 0;
}

void op_end(struct hob_op *op, int r, const struct hob_error *err)
{
    struct hob_harness *h = op->harness;
    struct buf b;
    op->code = MIN(r, 0);
    if (r < 0) {
        /* The memory that ran out comes back with what the operation held. */
        h->heap->oom = false;
        op->error = *err;
        if (op->error.code != r)
            error_set(&op->error, r, "%s", error_text(r));
        catalog_redact_error(h->catalog, &op->error);
    }
    buf_init(&b, h->heap);
    buf_printf(&b, "\"operationKind\":\"%s\",\"durationMs\":%lld,\"isError\":%s", op->kind,
               (long long)((loop_now(h->loop) - op->started) / 1000000), r < 0 ? "true" : "false");
    if (r < 0) {
        buf_addz(&b, ",\"error\":");
        json_quote(&b, str_z(op->error.msg));
    }
    if (op->reply.turns) {
        buf_addz(&b, ",\"usage\":");
        message_write_usage(&b, &op->reply.usage);
    }
    event_send(h, op, "operation", STR_NONE, buf_get(&b));
    buf_fini(&b);
    op->task = NULL;
    if (op->session)
        op->session->op = NULL;
}

static void op_main(void *arg)
{
    struct hob_op *op = arg;
    struct hob_harness *h = op->harness;
    struct hob_error err = {0};
    op_enter(op);
    int r = op->run(op, &err);
    if (r >= 0)
        r = op_memory(op, &err);
    op_end(op, r, &err);
    if (--h->running == 0)
        event_send(h, NULL, "idle", STR_NONE, STR_NONE);
    op->done = true;
    waitq_wake_all(&op->waiting);
}

int op_start(struct hob_op *op, hob_op **out, struct hob_error *err)
{
    struct hob_harness *h = op->harness;
    *out = NULL;
    int r = op_memory(op, err);
    if (r == 0 && !loop_spawn(h->loop, op_main, op))
        r = error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    if (r < 0) {
        op_free(op);
        heap_gate(h->heap);
        return r;
    }
    if (op->session)
        op->session->op = op;
    op->next = h->ops;
    h->ops = op;
    h->running++;
    *out = op;
    return 0;
}

/* ---- waiting, aborting, finishing ------------------------------------------------------------ */

int op_may_wait(struct hob_harness *h, struct hob_error *err)
{
    if (!h->loop->stepping || loop_task(h->loop))
        return 0;
    return error_set(err, HOB_EMISUSE,
                     "a command of the sandbox cannot wait here: start the "
                     "operation, and call hob_cmd_yield() until it is done");
}

int op_wait(struct hob_op *op)
{
    int r = loop_until(op->harness->loop, &op->done, &op->waiting);
    if (r != HOB_ENODATA)
        return r;
    /* All that is left waits for the thread that waits here. */
    cancel_fire(&op->cancel, "nothing can end this wait: a tool that answers later needs an "
                             "operation that was started and a loop that is stepped");
    return loop_until(op->harness->loop, &op->done, &op->waiting);
}

int hob_op_done(const hob_op *op) { return op->done; }

void hob_op_abort(hob_op *op, const char *reason)
{
    if (!op->done)
        cancel_fire(&op->cancel, reason);
}

int hob_op_finish(hob_op *op, hob_reply *reply, hob_result *res, hob_error *err)
{
    struct hob_harness *h = op->harness;
    if (reply)
        *reply = (hob_reply){0};
    if (res)
        *res = (hob_result){0};
    if (err)
        *err = (hob_error){0};
    if (!op->done) {
        struct task *t = loop_task(h->loop);
        if ((t && t == op->task) || op_may_wait(h, err) < 0)
            return error_set(err, HOB_EMISUSE, "an operation cannot finish itself");
        cancel_fire(&op->cancel, NULL);
        int w = op_wait(op);
        if (w < 0)
            return error_set(err, w, "%s", error_text(w));
    }
    int r = op->code;
    if (r < 0 && err)
        *err = op->error;
    if (reply) {
        *reply = op->reply;
        op->reply = (hob_reply){0};
    }
    if (res) {
        *res = op->result;
        op->result = (hob_result){0};
    }
    op_free(op);
    return r;
}

void hob_reply_free(hob_reply *reply)
{
    hob_free(reply->text);
    hob_free(reply->data);
    reply->text = reply->data = NULL;
    reply->text_len = reply->data_len = 0;
}

/* ---- copies of what the caller gave ---------------------------------------------------------- */

char *op_strdup(struct hob_op *op, const char *z)
{
    return z ? (char *)arena_str(&op->arena, str_z(z)).p : NULL;
}

static const char *const *op_copy_list(struct hob_op *op, const char *const *list)
{
    size_t n = 0;
    while (list && list[n])
        n++;
    const char **copy = list ? arena_array(&op->arena, const char *, n + 1) : NULL;
    for (size_t i = 0; copy && i < n; i++)
        copy[i] = op_strdup(op, list[i]);
    return copy;
}

static void op_copy_tools(struct hob_op *op, hob_prompt_options *o)
{
    hob_tool *tools = arena_array(&op->arena, hob_tool, o->ntools + 1);
    for (size_t i = 0; tools && i < o->ntools; i++) {
        tools[i] = o->tools[i];
        tools[i].name = op_strdup(op, tools[i].name);
        tools[i].description = op_strdup(op, tools[i].description);
        tools[i].schema = op_strdup(op, tools[i].schema);
        tools[i].command = op_strdup(op, tools[i].command);
    }
    o->tools = tools;
    hob_image *images = arena_array(&op->arena, hob_image, o->nimages + 1);
    for (size_t i = 0; images && i < o->nimages; i++) {
        images[i] = o->images[i];
        images[i].data = arena_str(&op->arena, str_of(o->images[i].data, o->images[i].len)).p;
        images[i].mime = op_strdup(op, images[i].mime);
    }
    o->images = images;
}

hob_prompt_options *op_copy_options(struct hob_op *op, const hob_prompt_options *from,
                                    struct hob_error *err)
{
    hob_prompt_options *o = arena_new(&op->arena, hob_prompt_options);
    if (o && from) {
        if (from->size != sizeof *from) {
            error_set(err, HOB_EINVAL, "options: size is not set");
            return NULL;
        }
        *o = *from;
        o->model = op_strdup(op, o->model);
        o->schema = op_strdup(op, o->schema);
        o->args = op_strdup(op, o->args);
        o->agent = op_strdup(op, o->agent);
        o->cwd = op_strdup(op, o->cwd);
        op_copy_tools(op, o);
    }
    if (!o || op->harness->heap->oom) {
        error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
        return NULL;
    }
    return o;
}

/* ---- the public functions -------------------------------------------------------------------- */

/* What prompt, skill and task are given. */
struct op_prompt {
    struct str text; /* or the name of a skill */
    const hob_prompt_options *o;
};

static int op_run_prompt(struct hob_op *op, struct hob_error *err)
{
    struct op_prompt *p = op->args;
    return prompt_do(op, "prompt", p->text, p->o, NULL, err);
}

static int op_run_skill(struct hob_op *op, struct hob_error *err)
{
    struct op_prompt *p = op->args;
    return prompt_skill(op, p->text, p->o, err);
}

static int op_run_task(struct hob_op *op, struct hob_error *err)
{
    struct op_prompt *p = op->args;
    return delegate_op(op, p->text, p->o, err);
}

static int op_run_compact(struct hob_op *op, struct hob_error *err) { return compact_op(op, err); }

/* Makes the operation, with a copy of text and options, and starts it. */
static int op_go(struct hob_session *s, const char *kind,
                 int (*run)(struct hob_op *, struct hob_error *), const char *text,
                 const hob_prompt_options *o, hob_op **out, hob_error *err)
{
    struct hob_op *op;
    *out = NULL;
    if (err)
        *err = (hob_error){0};
    if (run != op_run_compact && (!text || !*text) && !(o && o->nimages))
        return error_set(err, HOB_EINVAL, "%s: there is no text", kind);
    int r = op_new(s->harness, s, kind, &op, err);
    if (r < 0) {
        heap_gate(s->harness->heap);
        return r;
    }
    struct op_prompt *p = arena_new(&op->arena, struct op_prompt);
    struct hob_error why = {0};
    if (p) {
        p->o = op_copy_options(op, o, &why);
        p->text = arena_str(&op->arena, str_z(text ? text : ""));
    }
    if (why.code && why.code != HOB_ENOMEM) {
        op_free(op);
        return error_set(err, why.code, "%s", why.msg);
    }
    op->run = run;
    op->args = p;
    return op_start(op, out, err);
}

/* Drives the operation to its end; `r` is what starting it gave. */
static int op_drive(hob_op *op, int r, hob_reply *reply, hob_result *res, hob_error *err)
{
    if (reply)
        *reply = (hob_reply){0};
    if (res)
        *res = (hob_result){0};
    if (r < 0)
        return r;
    op_wait(op);
    return hob_op_finish(op, reply, res, err);
}

int hob_prompt_start(hob_session *s, const char *text, const hob_prompt_options *opt, hob_op **out,
                     hob_error *err)
{
    return op_go(s, "prompt", op_run_prompt, text, opt, out, err);
}

int hob_skill_start(hob_session *s, const char *name, const hob_prompt_options *opt, hob_op **out,
                    hob_error *err)
{
    return op_go(s, "skill", op_run_skill, name, opt, out, err);
}

int hob_task_start(hob_session *s, const char *text, const hob_prompt_options *opt, hob_op **out,
                   hob_error *err)
{
    return op_go(s, "task", op_run_task, text, opt, out, err);
}

int hob_compact_start(hob_session *s, hob_op **out, hob_error *err)
{
    return op_go(s, "compact", op_run_compact, NULL, NULL, out, err);
}

/* An operation on a session, or on the harness alone. */
int op_shell(hob_harness *h, hob_session *s, const char *script, const hob_exec_options *o,
             hob_op **out, hob_error *err)
{
    struct hob_op *op;
    *out = NULL;
    if (err)
        *err = (hob_error){0};
    if (o && o->size != sizeof *o)
        return error_set(err, HOB_EINVAL, "shell: size of the options is not set");
    if (!script && !(o && o->argv && o->argv[0]))
        return error_set(err, HOB_EINVAL, "shell: there is nothing to run");
    int r = op_new(h, s, "shell", &op, err);
    if (r < 0) {
        heap_gate(h->heap);
        return r;
    }
    struct record *rec = arena_new(&op->arena, struct record);
    if (rec) {
        rec->o = o ? *o : (hob_exec_options)HOB_EXEC_OPTIONS_INIT;
        bool sized = script && rec->o.script_len && rec->o.script_len != HOB_Z;
        rec->script = arena_str(&op->arena, sized ? str_of(script, rec->o.script_len)
                                                  : str_z(script ? script : ""));
        rec->o.cwd = op_strdup(op, rec->o.cwd);
        rec->o.env = op_copy_list(op, rec->o.env);
        rec->o.argv = op_copy_list(op, rec->o.argv);
        rec->o.args = op_copy_list(op, rec->o.args);
        rec->o.name = op_strdup(op, rec->o.name);
        if (rec->o.input_len)
            rec->o.input = arena_str(&op->arena, str_of(rec->o.input, rec->o.input_len)).p;
        rec->o.script_len = rec->script.n;
    }
    op->run = record_do;
    op->args = rec;
    return op_start(op, out, err);
}

int hob_shell_start(hob_session *s, const char *script, const hob_exec_options *opt, hob_op **out,
                    hob_error *err)
{
    return op_shell(s->harness, s, script, opt, out, err);
}

int hob_session_prompt(hob_session *s, const char *text, const hob_prompt_options *opt,
                       hob_reply *reply, hob_error *err)
{
    hob_op *op = NULL;
    int r = op_may_wait(s->harness, err);
    if (r == 0)
        r = hob_prompt_start(s, text, opt, &op, err);
    return op_drive(op, r, reply, NULL, err);
}

int hob_session_skill(hob_session *s, const char *name, const hob_prompt_options *opt,
                      hob_reply *reply, hob_error *err)
{
    hob_op *op = NULL;
    int r = op_may_wait(s->harness, err);
    if (r == 0)
        r = hob_skill_start(s, name, opt, &op, err);
    return op_drive(op, r, reply, NULL, err);
}

int hob_session_task(hob_session *s, const char *text, const hob_prompt_options *opt,
                     hob_reply *reply, hob_error *err)
{
    hob_op *op = NULL;
    int r = op_may_wait(s->harness, err);
    if (r == 0)
        r = hob_task_start(s, text, opt, &op, err);
    return op_drive(op, r, reply, NULL, err);
}

int hob_session_compact(hob_session *s, hob_error *err)
{
    hob_op *op = NULL;
    int r = op_may_wait(s->harness, err);
    if (r == 0)
        r = hob_compact_start(s, &op, err);
    return op_drive(op, r, NULL, NULL, err);
}

int hob_session_shell(hob_session *s, const char *script, const hob_exec_options *opt,
                      hob_result *res, hob_error *err)
{
    hob_op *op = NULL;
    int r = op_may_wait(s->harness, err);
    if (r == 0)
        r = op_shell(s->harness, s, script, opt, &op, err);
    return op_drive(op, r, NULL, res, err);
}

int hob_harness_shell(hob_harness *h, const char *script, const hob_exec_options *opt,
                      hob_result *res, hob_error *err)
{
    hob_op *op = NULL;
    int r = op_may_wait(h, err);
    if (r == 0)
        r = op_shell(h, NULL, script, opt, &op, err);
    return op_drive(op, r, NULL, res, err);
}

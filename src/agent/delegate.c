/* delegate.c -- tasks: a prompt in a session of its own, in the same sandbox
 *
 * The child has its own history and perhaps another agent's settings and another folder. Its parent
 * waits for it and gets its answer alone. Aborting the parent aborts the child.
 */
#include "agent/agent.h"
#include "agent/tool.h"
#include "base/fmt.h"

/* Who is asked, where, and what comes of it. */
struct delegate {
    struct hob_session *parent;
    struct cancel *cancel;
    struct hob_op *op; /* of the parent, for events */
    struct str text;
    const hob_prompt_options *o;
    const struct model *model; /* of the parent's turn, or NULL */
    const hob_agent *agent;
    struct hob_session *child;
    hob_reply reply;
};

static int delegate_agent(struct delegate *d, struct hob_error *err)
{
    const hob_agent *of = d->parent->agent;
    struct str name = str_z(d->o->agent ? d->o->agent : "");
    char names[200] = "";
    d->agent = name.n ? agent_find(of, name) : of;
    if (d->agent)
        return 0;
    size_t n = 0;
    for (const hob_agent *const *s = of->subagents; s && *s && n < sizeof names - 1; s++)
        n += fmt_print(names + n, sizeof names - n, "%s%s", n ? ", " : "", (*s)->name);
    return error_set(err, HOB_ENOENT, "there is no agent \"%.*s\"; %s%s",
                     STR_ARG(str_sub(name, 0, 60)), names[0] ? "there are: " : "there are none",
                     names);
}

/* The child's session, with a view of the sandbox of its own if it works in another folder. */
static int delegate_open(struct delegate *d, struct hob_error *err)
{
    struct hob_harness *h = d->parent->harness;
    char id[32];
    bool made;
    struct buf name;
    if (d->parent->depth >= TOOL_DEPTH)
        return error_set(err, HOB_ELIMIT, "tasks can be nested %d deep", TOOL_DEPTH);
    int r = delegate_agent(d, err);
    if (r < 0)
        return r;
    ids_make(&h->ids, "", loop_wall_ms(h->loop), id);
    buf_init(&name, h->heap);
    buf_printf(&name, "task:%.*s:%s", STR_ARG(d->parent->name), id);
    r = session_open(h, buf_get(&name), true, &made, &d->child, err);
    buf_fini(&name);
    if (r < 0)
        return r;
    struct hob_session *c = d->child;
    memcpy(c->task_id, id, sizeof id);
    c->parent = d->parent;
    c->depth = d->parent->depth + 1;
    c->agent = d->agent;
    c->box = d->parent->box;
    c->workspace = d->parent->workspace;
    const char *cwd = d->o->cwd ? d->o->cwd : d->agent != d->parent->agent ? d->agent->cwd : NULL;
    if (!cwd)
        return 0;
    hob_sandbox *view;
    r = hob_sandbox_view(d->parent->box, cwd, &view);
    if (r < 0)
        return error_set(err, r, "cwd: %s", error_text(r));
    c->box = view;
    c->workspace = &c->own_workspace;
    c->own_box = true;
    return 0;
}

static void delegate_started(struct delegate *d)
{
    struct hob_harness *h = d->parent->harness;
    struct buf b;
    if (!h->agent.o.event)
        return;
    buf_init(&b, h->heap);
    buf_printf(&b, "\"taskId\":\"%s\",\"taskSession\":", d->child->task_id);
    json_quote(&b, d->child->name);
    buf_addz(&b, ",\"prompt\":");
    json_quote(&b, d->text);
    if (d->o->agent) {
        buf_addz(&b, ",\"agent\":");
        json_quote(&b, str_z(d->o->agent));
    }
    if (d->child->own_box) {
        buf_addz(&b, ",\"cwd\":");
        json_quote(&b, str_z(hob_sandbox_cwd(d->child->box)));
    }
    event_send(h, d->op, "task_start", STR_NONE, buf_get(&b));
    buf_fini(&b);
}

static void delegate_ended(struct delegate *d, int64_t started, int r, const struct hob_error *err)
{
    struct hob_harness *h = d->parent->harness;
    struct buf b;
    if (!h->agent.o.event)
        return;
    buf_init(&b, h->heap);
    buf_printf(&b, "\"taskId\":\"%s\",\"taskSession\":", d->child->task_id);
    json_quote(&b, d->child->name);
    buf_printf(&b, ",\"isError\":%s,\"durationMs\":%lld,\"usage\":", r < 0 ? "true" : "false",
               (long long)((loop_now(h->loop) - started) / 1000000));
    message_write_usage(&b, &d->reply.usage);
    buf_addz(&b, r < 0 ? ",\"error\":" : ",\"result\":");
    json_quote(&b, r < 0 ? str_z(err->msg) : str_of(d->reply.text, d->reply.text_len));
    event_send(h, d->op, "task", STR_NONE, buf_get(&b));
    buf_fini(&b);
}

/* Runs the task to its end; d->reply is filled, and the caller's to free. */
static int delegate_run(struct delegate *d, struct hob_error *err)
{
    struct hob_harness *h = d->parent->harness;
    struct hob_op op;
    int64_t started = loop_now(h->loop);
    int r = delegate_open(d, err);
    if (r < 0) {
        session_close(d->child);
        return r;
    }
    delegate_started(d);
    r = op_begin(&op, h, d->child, "prompt", d->cancel, err);
    if (r == 0) {
        r = prompt_do(&op, "task", d->text, d->o, d->model, err);
        if (r >= 0)
            r = op_memory(&op, err);
        op_end(&op, r, err);
        d->reply = op.reply;
        op.reply = (hob_reply){0};
        if (r < 0)
            *err = op.error;
        op_fini(&op);
    }
    delegate_ended(d, started, r, err);
    session_close(d->child);
    return r;
}

int delegate_op(struct hob_op *op, struct str text, const hob_prompt_options *o,
                struct hob_error *err)
{
    struct delegate d = {
        .parent = op->session, .cancel = &op->cancel, .op = op, .text = text, .o = o};
    int r = delegate_run(&d, err);
    op->reply = d.reply;
    return r;
}

int prompt_task(struct turn *parent, struct cancel *cancel, struct str text,
                const hob_prompt_options *o, struct buf *answer, struct hob_error *err)
{
    static const hob_prompt_options none = {.size = sizeof none};
    struct delegate d = {.parent = parent->session,
                         .cancel = cancel,
                         .op = parent->op,
                         .text = text,
                         .o = o ? o : &none,
                         .model = parent->model};
    int r = delegate_run(&d, err);
    prompt_add_usage(&parent->usage, &d.reply.usage);
    if (d.reply.text)
        buf_add(answer, d.reply.text, d.reply.text_len);
    hob_reply_free(&d.reply);
    return r;
}

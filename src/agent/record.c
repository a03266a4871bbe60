/* record.c -- scripts that the embedder runs: in a session they become part of the conversation
 *
 * A recorded script reads as if the model had called `bash`: a user's message that quotes it, an
 * assistant's with the call, and the result. The first two are stored before the script runs, so a
 * process that dies meanwhile leaves a call whose outcome is not known. Values of env never get
 * there.
 */
#include "agent/agent.h"
#include "agent/tool.h"

enum {
    RECORD_TEE = 256 << 10 /* bytes of each stream kept beside an output callback of the caller's */
};

/* Output that goes to the caller's callback, and is kept for the record. */
struct record_tee {
    hob_output_fn output;
    void *ud;
    struct buf kept[2];
};

static int record_output(void *ud, int stream, const void *data, size_t len)
{
    struct record_tee *t = ud;
    struct buf *b = &t->kept[stream == HOB_STDERR];
    if (b->n > RECORD_TEE)
        buf_del(b, 0, b->n - RECORD_TEE / 2); /* the end of long output is what is shown */
    if (len > RECORD_TEE)
        buf_add(b, (const char *)data + len - RECORD_TEE, RECORD_TEE);
    else
        buf_add(b, data, len);
    return t->output(t->ud, stream, data, len);
}

/* The script as text: what was given, or the words of argv, quoted where they need it. */
static struct str record_command(struct hob_op *op, const struct record *rec)
{
    if (!rec->o.argv)
        return rec->script;
    struct buf b;
    buf_init(&b, op->harness->heap);
    for (const char *const *w = rec->o.argv; *w; w++) {
        bool plain = **w != '\0';
        for (const char *p = *w; *p; p++)
            plain = plain && (strchr("%+,-./:=@_", *p) || (*p >= '0' && *p <= '9') ||
                              (*p >= 'A' && *p <= 'Z') || (*p >= 'a' && *p <= 'z'));
        if (b.n)
            buf_putc(&b, ' ');
        if (plain)
            buf_addz(&b, *w);
        else
            tool_quote(&b, str_z(*w));
    }
    struct str s = arena_str(&op->arena, buf_get(&b));
    buf_fini(&b);
    return s;
}

/* {"command":...,"cwd":...,"env":{"NAME":"***"}} */
static struct str record_args(struct hob_op *op, const struct record *rec, struct str command)
{
    struct buf b;
    buf_init(&b, op->harness->heap);
    buf_addz(&b, "{\"command\":");
    json_quote(&b, command);
    if (rec->o.cwd) {
        buf_addz(&b, ",\"cwd\":");
        json_quote(&b, str_z(rec->o.cwd));
    }
    for (const char *const *e = rec->o.env; e && *e; e++) {
        const char *eq = strchr(*e, '=');
        buf_addz(&b, e == rec->o.env ? ",\"env\":{" : ",");
        json_quote(&b, str_of(*e, eq ? (size_t)(eq - *e) : strlen(*e)));
        buf_addz(&b, eq ? ":\"***\"" : ":null");
    }
    buf_addz(&b, rec->o.env && rec->o.env[0] ? "}}" : "}");
    struct str s = arena_str(&op->arena, buf_get(&b));
    buf_fini(&b);
    return s;
}

/* The command between fences that it does not contain itself. */
static void record_quote(struct buf *b, struct str command)
{
    size_t fence = 3, row = 0;
    for (size_t i = 0; i < command.n; i++) {
        row = command.p[i] == '`' ? row + 1 : 0;
        fence = MAX(fence, row + 1);
    }
    buf_addz(b, "I ran this in the sandbox:\n\n");
    buf_fill(b, '`', fence);
    buf_addz(b, "bash\n");
    buf_str(b, command);
    buf_putc(b, '\n');
    buf_fill(b, '`', fence);
}

/* The user's message and the assistant's call. */
static int record_call(struct hob_op *op, struct str id, struct str args, struct str command,
                       struct hob_error *err)
{
    struct arena *a = &op->arena;
    struct buf b;
    buf_init(&b, a->heap);
    record_quote(&b, command);
    struct message *m[2] = {message_text(a, ROLE_USER, buf_get(&b)),
                            message_new(a, ROLE_ASSISTANT)};
    struct block *call = m[1] ? message_add(a, m[1], BLOCK_CALL) : NULL;
    buf_fini(&b);
    if (call) {
        call->id = id;
        call->name = STR("bash");
        call->args = args;
        m[1]->model = STR("hob/shell");
        m[1]->stop = STOP_TOOLS;
    }
    int r = op_memory(op, err);
    return r < 0 ? r : session_append(op->session, "shell", m, 2, err);
}

static int record_result(struct hob_op *op, struct str id, struct str text, bool failed,
                         struct hob_error *err)
{
    struct message *m = message_text(&op->arena, ROLE_TOOL, text);
    if (!m)
        return op_memory(op, err);
    m->call_id = id;
    m->tool = STR("bash");
    m->is_error = failed;
    return session_append(op->session, "shell", &m, 1, err);
}

static void record_event(struct hob_op *op, struct str id, struct str args, struct str result,
                         bool failed, int64_t started)
{
    struct hob_harness *h = op->harness;
    struct buf b;
    if (!h->agent.o.event)
        return;
    buf_init(&b, h->heap);
    buf_addz(&b, "\"toolName\":\"bash\",\"toolCallId\":");
    json_quote(&b, id);
    if (started) {
        buf_printf(&b, ",\"isError\":%s,\"durationMs\":%.3f,\"result\":", failed ? "true" : "false",
                   (double)(loop_now(h->loop) - started) / 1e6);
        json_quote(&b, result);
        buf_printf(&b, ",\"details\":{\"exitCode\":%d}", failed ? -1 : op->result.status);
    } else {
        buf_addz(&b, ",\"args\":");
        buf_str(&b, args);
    }
    event_send(h, op, started ? "tool_call" : "tool_start", STR_NONE, buf_get(&b));
    buf_fini(&b);
}

/* Runs it; `text` is what the model would see of it. */
static int record_exec(struct hob_op *op, struct record *rec, struct buf *text,
                       struct hob_error *err)
{
    struct hob_harness *h = op->harness;
    hob_sandbox *box = op->session ? op->session->box : h->box;
    struct record_tee tee = {rec->o.output, rec->o.output_ud, {{0}}};
    hob_exec_options o = rec->o;
    buf_init(&tee.kept[0], h->heap);
    buf_init(&tee.kept[1], h->heap);
    if (o.output) {
        o.output = record_output;
        o.output_ud = &tee;
    }
    int r = loop_exec(h->loop, box, rec->script.p, &o, &op->cancel, &op->result, err);
    hob_result shown = op->result;
    if (o.output) {
        shown.out = (char *)buf_get(&tee.kept[0]).p;
        shown.out_len = tee.kept[0].n;
        shown.err = (char *)buf_get(&tee.kept[1]).p;
        shown.err_len = tee.kept[1].n;
    }
    if (r < 0) {
        buf_addz(text, err->msg);
        if (shown.out_len + shown.err_len)
            buf_addz(text, "\n\n");
    }
    if (r >= 0 || shown.out_len + shown.err_len)
        tool_result_text(text, &shown, o.timeout_ns);
    buf_fini(&tee.kept[0]);
    buf_fini(&tee.kept[1]);
    return r;
}

int record_do(struct hob_op *op, struct hob_error *err)
{
    struct record *rec = op->args;
    struct str command = record_command(op, rec), args = record_args(op, rec, command);
    struct str id = arena_printf(&op->arena, "call_%s", op->id + 3);
    struct hob_error store = {0};
    struct buf text;
    int s = 0, r = op_memory(op, err);
    if (r == 0 && op->session)
        r = session_mend(op->session, err);
    if (r == 0 && op->session)
        r = record_call(op, id, args, command, err);
    if (r < 0)
        return r;
    buf_init(&text, op->harness->heap);
    int64_t started = loop_now(op->harness->loop);
    record_event(op, id, args, STR_NONE, false, 0);
    r = record_exec(op, rec, &text, err);
    record_event(op, id, args, buf_get(&text), r < 0, started);
    if (op->session)
        s = record_result(op, id, buf_get(&text), r < 0, &store);
    buf_fini(&text);
    if (r == 0 && s < 0) {
        *err = store;
        return s;
    }
    return r;
}

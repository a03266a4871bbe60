/* tool_custom.c -- tools of the embedder's: callbacks, and commands of the sandbox
 *
 * A callback may answer at once or later. Until it has, the handle belongs to two: the task that
 * waits for the answer, and the embedder. Whoever is done last frees it, so an answer that comes
 * after an abort or a deadline finds a handle that nobody listens to.
 */
#include "agent/tool.h"

#include "base/fmt.h"
#include "base/utf8.h"

struct hob_toolcall {
    struct hob_harness *harness;
    struct hob_toolcall *next; /* in harness->toolcalls, while it is answered later */
    struct call *call;         /* NULL: nobody waits any more */
    struct hob_session *session;
    struct str id, args; /* owned */
    bool later;          /* the callback returned HOB_EAGAIN */
    bool answered, failed;
    struct waitq waiting;
};

static int toolcall_copy(struct heap *h, struct str s, struct str *out)
{
    char *p = heap_alloc(h, s.n + 1);
    if (!p)
        return HOB_ENOMEM;
    if (s.n)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    *out = str_of(p, s.n);
    return 0;
}

static void toolcall_free(struct hob_toolcall *x)
{
    struct heap *h = x->harness->heap;
    for (struct hob_toolcall **at = &x->harness->toolcalls; *at; at = &(*at)->next) {
        if (*at == x) {
            *at = x->next;
            break;
        }
    }
    if (x->id.p)
        heap_free(h, (void *)(uintptr_t)x->id.p, x->id.n + 1);
    if (x->args.p)
        heap_free(h, (void *)(uintptr_t)x->args.p, x->args.n + 1);
    heap_drop(h, x);
}

void tool_custom_forget(struct hob_harness *h)
{
    while (h->toolcalls)
        toolcall_free(h->toolcalls);
}

/* ---- callbacks
 * --------------------------------------------------------------------------------- */

const char *hob_toolcall_args(const hob_toolcall *x) { return x->args.p; }
const char *hob_toolcall_id(const hob_toolcall *x) { return x->id.p; }
hob_session *hob_toolcall_session(hob_toolcall *x) { return x->session; }
int hob_toolcall_aborted(const hob_toolcall *x) { return !x->call || x->call->cancel.fired; }

static int toolcall_answer(hob_toolcall *x, const char *text, size_t len, bool failed)
{
    if (x->answered)
        return HOB_EMISUSE;
    if (!x->call) { /* given up meanwhile */
        toolcall_free(x);
        return HOB_ECANCELED;
    }
    if (len == HOB_Z)
        len = text ? strlen(text) : 0;
    buf_add(&x->call->out, text, len);
    /* Callers outside of a task have no gate of their own. */
    int r = x->harness->loop->sched.current ? 0 : heap_gate(x->harness->heap);
    x->answered = true;
    x->failed = failed || r < 0;
    waitq_wake_all(&x->waiting);
    return r;
}

int hob_toolcall_answer(hob_toolcall *x, const char *text, size_t len)
{
    return toolcall_answer(x, text, len, false);
}

int hob_toolcall_fail(hob_toolcall *x, const char *text, size_t len)
{
    return toolcall_answer(x, text, len, true);
}

/* Waits for an answer that comes later. */
static int toolcall_wait(struct call *c, struct hob_toolcall *x, struct hob_error *err)
{
    struct hob_loop *l = c->harness->loop;
    int64_t limit = c->tool->custom->timeout_ns, until = INT64_MAX;
    int r = 0;

    if (limit > 0 && __builtin_add_overflow(loop_now(l), limit, &until))
        until = INT64_MAX;
    while (!x->answered && r == 0)
        r = loop_wait(l, &x->waiting, until, &c->cancel);
    if (x->answered)
        return 0;
    if (r == HOB_ETIMEDOUT)
        return error_set(err, r, "%.*s gave no answer within %g s", STR_ARG(c->tool->name),
                         (double)limit / 1e9);
    return cancel_check(&c->cancel, err);
}

static int toolcall_callback(struct call *c, struct hob_error *err)
{
    const hob_tool *t = c->tool->custom;
    struct heap *h = c->harness->heap;
    struct hob_toolcall *x = heap_new(h, struct hob_toolcall);
    struct buf args;
    int r;

    if (!x)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    x->harness = c->harness;
    x->call = c;
    x->session = c->turn->session;
    x->next = c->harness->toolcalls;
    c->harness->toolcalls = x;
    buf_init(&args, h);
    json_write(&args, c->args);
    r = h->oom ? HOB_ENOMEM : toolcall_copy(h, buf_get(&args), &x->args);
    r = r < 0 ? r : toolcall_copy(h, c->id, &x->id);
    buf_fini(&args);
    if (r < 0) {
        toolcall_free(x);
        return error_set(err, r, "%s", error_text(r));
    }
    r = t->fn(x, t->ud);
    if (r == HOB_EAGAIN) {
        x->later = true;
        r = toolcall_wait(c, x, err);
        if (r < 0) { /* the embedder still holds it, and frees it by answering */
            x->call = NULL;
            return r;
        }
    } else if (r < 0) {
        error_set(err, r, "%.*s failed: %s", STR_ARG(c->tool->name), error_text(r));
    } else if (!x->answered) {
        r = error_set(err, HOB_EMISUSE, "%.*s gave no answer", STR_ARG(c->tool->name));
    }
    c->failed = x->failed;
    toolcall_free(x);
    return r < 0 ? r : 0;
}

/* ---- commands
 * ---------------------------------------------------------------------------------- */

/* "ARG_name=value" for every argument: strings as they are, other values as JSON. */
static int toolcall_env(struct call *c, const char ***out)
{
    const char **env = arena_array(&c->arena, const char *, c->args->n + 1);
    size_t n = 0;
    struct buf b;

    if (!env)
        return HOB_ENOMEM;
    buf_init(&b, c->arena.heap);
    for (const struct json *v = c->args->first; v; v = v->next) {
        buf_clear(&b);
        buf_addz(&b, "ARG_");
        for (size_t i = 0; i < v->key.n; i++)
            buf_putc(&b, ascii_alnum(v->key.p[i]) ? v->key.p[i] : '_');
        buf_putc(&b, '=');
        if (v->kind != JSON_STRING)
            json_write(&b, v);
        else if (v->text.n && memchr(v->text.p, 0, v->text.n))
            continue; /* no variable can hold a NUL; stdin has it */
        else
            buf_str(&b, v->text);
        struct str s = arena_str(&c->arena, buf_get(&b));
        if (!s.p)
            break;
        env[n++] = s.p;
    }
    buf_fini(&b);
    *out = env;
    return c->arena.heap->oom ? HOB_ENOMEM : 0;
}

static int toolcall_command(struct call *c, struct hob_error *err)
{
    const hob_tool *t = c->tool->custom;
    hob_exec_options o = HOB_EXEC_OPTIONS_INIT;
    hob_result res;
    const char **env;
    struct buf args;

    buf_init(&args, c->arena.heap);
    json_write(&args, c->args);
    buf_putc(&args, '\n');
    int r = toolcall_env(c, &env);
    if (r < 0) {
        buf_fini(&args);
        return error_set(err, r, "%s", error_text(r));
    }
    o.env = env;
    o.input = buf_get(&args).p;
    o.input_len = args.n;
    o.timeout_ns = t->timeout_ns;
    r = loop_exec(c->harness->loop, c->turn->box, t->command, &o, &c->cancel, &res, err);
    if (res.out)
        tool_result_text(&c->out, &res, t->timeout_ns);
    if (r == 0)
        buf_printf(&c->details, "\"exitCode\":%d", res.status);
    /* What a command says of itself by its status is the tool's result too. */
    c->failed = r == 0 && res.status != 0;
    hob_result_free(&res);
    buf_fini(&args);
    return r;
}

int tool_custom_run(struct call *c, struct hob_error *err)
{
    return c->tool->custom->command ? toolcall_command(c, err) : toolcall_callback(c, err);
}

/* tool.c -- the gate of all tool calls: which tools there are, and running those of one message
 *
 * Arguments come from a model and may be anything. They are parsed and checked against the
 * tool's schema here, once, so that the tools can take them as they are; what does not fit
 * becomes an error result that says where and why, and the model tries again.
 */
#include "agent/tool.h"

#include "base/fmt.h"
#include "base/utf8.h"
#include "text/nearest.h"
#include "text/number.h"
#include "vfs/vfs.h"

enum {
    TOOL_ARGS_DEPTH = 60, /* nesting of arguments */
    TOOL_FAULTS = 10      /* lines about arguments that do not fit */
};

/* ---- choosing
 * ---------------------------------------------------------------------------------- */

static const struct tool *const tool_builtin[] = {
    &tool_read, &tool_write, &tool_edit, &tool_bash,
    &tool_grep, &tool_glob,  &tool_task, &tool_skill,
};

struct tool_list {
    struct arena *arena;
    const struct tool **p;
    size_t n, cap;
};

static int tool_no_memory(struct hob_error *err)
{
    return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
}

static int tool_push(struct tool_list *l, const struct tool *t, struct hob_error *err)
{
    for (size_t i = 0; i < l->n; i++) {
        if (str_eq(l->p[i]->name, t->name))
            return error_set(err, HOB_EINVAL, "tools: two are named \"%.*s\"", STR_ARG(t->name));
    }
    if (l->n == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 16;
        void *p = arena_grow(l->arena, l->p, l->cap * sizeof *l->p, cap * sizeof *l->p);
        if (!p)
            return tool_no_memory(err);
        l->p = p;
        l->cap = cap;
    }
    l->p[l->n++] = t;
    return 0;
}

/* Names in `builtin` that no tool has are a mistake that would go unnoticed. */
static int tool_check_builtin(const hob_agent *agent, struct hob_error *err)
{
    struct str names[COUNT(tool_builtin)], near;

    for (size_t i = 0; i < COUNT(tool_builtin); i++)
        names[i] = tool_builtin[i]->name;
    for (const char *const *b = agent->builtin; b && *b; b++) {
        struct str name = str_z(*b);
        bool known = false;
        for (size_t i = 0; i < COUNT(names); i++)
            known = known || str_eq(name, names[i]);
        if (known)
            continue;
        if (nearest_find(name, names, COUNT(names), &near))
            return error_set(err, HOB_EINVAL,
                             "builtin: there is no tool \"%s\"; did you mean %.*s?", *b,
                             STR_ARG(near));
        return error_set(err, HOB_EINVAL, "builtin: there is no tool \"%s\"", *b);
    }
    return 0;
}

static bool tool_listed(const hob_agent *agent, struct str name)
{
    if (!agent->builtin)
        return true;
    for (const char *const *b = agent->builtin; *b; b++) {
        if (str_eqz(name, *b))
            return true;
    }
    return false;
}

/* The task tool names the agents that can be asked. */
static const struct tool *tool_with_agents(struct turn *t, struct arena *a)
{
    struct tool *x = arena_new(a, struct tool);
    struct buf b;

    if (!x)
        return NULL;
    *x = tool_task;
    buf_init(&b, a->heap);
    buf_str(&b, tool_task.description);
    buf_addz(&b, " The agents:");
    for (const hob_agent *const *s = t->agent->subagents; *s; s++) {
        buf_printf(&b, "\n- %s", (*s)->name);
        if ((*s)->description && (*s)->description[0])
            buf_printf(&b, ": %s", (*s)->description);
    }
    x->description = arena_str(a, buf_get(&b));
    buf_fini(&b);
    return x->description.p ? x : NULL;
}

static int tool_push_builtin(struct turn *t, struct tool_list *l, struct hob_error *err)
{
    bool agents = t->agent->subagents && t->agent->subagents[0] && t->session->depth < TOOL_DEPTH;
    bool skills = t->agent->nskills > 0 || (t->workspace && t->workspace->nskills > 0);
    int r = tool_check_builtin(t->agent, err);

    for (size_t i = 0; r == 0 && i < COUNT(tool_builtin); i++) {
        const struct tool *x = tool_builtin[i];
        if (!tool_listed(t->agent, x->name) || (x == &tool_task && !agents) ||
            (x == &tool_skill && !skills))
            continue;
        if (x == &tool_task)
            x = tool_with_agents(t, l->arena);
        r = x ? tool_push(l, x, err) : tool_no_memory(err);
    }
    return r;
}

static int tool_check_name(const char *name, struct hob_error *err)
{
    struct str s = str_z(name);
    bool ok = s.n > 0 && s.n <= 64;
    for (size_t i = 0; i < s.n; i++)
        ok = ok && (ascii_alnum(s.p[i]) || s.p[i] == '_' || s.p[i] == '-');
    if (!ok)
        return error_set(err, HOB_EINVAL,
                         "tools: \"%s\" is no name; it wants 1 to 64 letters, digits, _ and -",
                         name ? name : "");
    if (agent_reserved(s))
        return error_set(err, HOB_EINVAL, "tools: \"%s\" is a tool of Hob's own", name);
    return 0;
}

static int tool_check_schema(struct arena *a, const struct tool *t, struct hob_error *err)
{
    struct arena_mark mark = arena_mark(a);
    struct json *v;
    struct schema *s;
    int r = json_parse(a, t->schema, 64, &v, err);

    if (r == 0 && v->kind != JSON_OBJECT)
        r = error_set(err, HOB_EINVAL, "it is no object");
    if (r == 0)
        r = schema_compile(a, v, &s, err);
    arena_release(a, mark);
    if (r < 0 && err)
        error_prefix(err, "the schema of the tool \"%.*s\"", STR_ARG(t->name));
    return r < 0 && r != HOB_ENOMEM ? HOB_EINVAL : r;
}

static int tool_push_custom(struct tool_list *l, const hob_tool *tools, size_t n,
                            struct hob_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const hob_tool *c = &tools[i];
        struct tool *t = arena_new(l->arena, struct tool);
        if (!t)
            return tool_no_memory(err);
        int r = tool_check_name(c->name, err);
        if (r < 0)
            return r;
        if (!c->fn == !c->command)
            return error_set(err, HOB_EINVAL, "tools: \"%s\" needs one of fn and command", c->name);
        t->name = str_z(c->name);
        t->description = str_z(c->description ? c->description : c->name);
        t->schema = c->schema ? str_z(c->schema)
                              : STR("{\"type\":\"object\",\"properties\":{},"
                                    "\"additionalProperties\":false}");
        t->run = tool_custom_run;
        t->custom = c;
        r = tool_check_schema(l->arena, t, err);
        r = r < 0 ? r : tool_push(l, t, err);
        if (r < 0)
            return r;
    }
    return 0;
}

static int tool_push_result(struct tool_list *l, const struct result *result, struct hob_error *err)
{
    struct tool *finish = arena_new(l->arena, struct tool);
    if (!finish)
        return tool_no_memory(err);
    *finish = tool_finish;
    finish->schema = result->schema;
    int r = tool_push(l, finish, err);
    return r < 0 ? r : tool_push(l, &tool_give_up, err);
}

int tools_choose(struct turn *t, const hob_prompt_options *o, struct arena *a,
                 struct hob_error *err)
{
    struct tool_list l = {.arena = a};
    int r = tool_push_builtin(t, &l, err);

    r = r < 0 ? r : tool_push_custom(&l, t->agent->tools, t->agent->ntools, err);
    if (o)
        r = r < 0 ? r : tool_push_custom(&l, o->tools, o->ntools, err);
    if (t->result)
        r = r < 0 ? r : tool_push_result(&l, t->result, err);
    t->tools = l.p;
    t->ntools = r < 0 ? 0 : l.n;
    return r;
}

/* ---- arguments
 * --------------------------------------------------------------------------------- */

struct str tool_text(const struct call *c, const char *name)
{
    struct str s = STR("");
    json_string(json_get(c->args, name), &s);
    return s;
}

bool tool_flag(const struct call *c, const char *name)
{
    return json_bool(json_get(c->args, name), false);
}

double tool_number(const struct call *c, const char *name, double fallback)
{
    const struct json *v = json_get(c->args, name);
    size_t used;
    return v && v->kind == JSON_NUMBER ? (double)number_parse(v->text, &used) : fallback;
}

int tool_path(struct call *c, struct str path, struct str *out, struct hob_error *err)
{
    struct buf b;

    if (path.n == 0)
        return error_set(err, HOB_EINVAL, "the path is empty");
    if (memchr(path.p, 0, path.n))
        return error_set(err, HOB_EINVAL, "a path cannot hold a NUL byte");
    buf_init(&b, c->arena.heap);
    path_normalise(&b, str_z(hob_sandbox_cwd(c->turn->box)), path);
    *out = arena_str(&c->arena, buf_get(&b));
    buf_fini(&b);
    return out->p && !c->arena.heap->oom ? 0 : tool_no_memory(err);
}

void tool_quote(struct buf *b, struct str s)
{
    buf_putc(b, '\'');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\'')
            buf_addz(b, "'\\''");
        else
            buf_putc(b, s.p[i]);
    }
    buf_putc(b, '\'');
}

int tool_failed(struct hob_error *err, int code, const char *verb, struct str path)
{
    return error_set(err, code, "cannot %s %.*s: %s", verb, STR_ARG(str_sub(path, 0, 150)),
                     error_text(code));
}

/* ---- one call
 * ---------------------------------------------------------------------------------- */

static const struct tool *tool_find(const struct turn *t, struct str name)
{
    for (size_t i = 0; i < t->ntools; i++) {
        if (str_eq(t->tools[i]->name, name))
            return t->tools[i];
    }
    return NULL;
}

static void tool_unknown(struct call *c)
{
    struct str near = STR_NONE;
    size_t least = SIZE_MAX;

    buf_printf(&c->out, "There is no tool named \"%.*s\".", STR_ARG(str_sub(c->name, 0, 100)));
    for (size_t i = 0; i < c->turn->ntools; i++) {
        struct str name = c->turn->tools[i]->name;
        size_t d = nearest_distance(c->name, name);
        if (d < least && nearest_close(c->name, name)) {
            least = d;
            near = name;
        }
    }
    if (near.p)
        buf_printf(&c->out, " Did you mean \"%.*s\"?", STR_ARG(near));
    buf_addz(&c->out, " The tools are:");
    for (size_t i = 0; i < c->turn->ntools; i++)
        buf_printf(&c->out, "%s %.*s", i ? "," : "", STR_ARG(c->turn->tools[i]->name));
    buf_putc(&c->out, '.');
}

/* Parses the arguments and checks them. False: `out` says what is wrong. */
static bool tool_check_args(struct call *c, struct hob_error *err)
{
    struct json *schema, *v;
    struct schema *compiled;
    struct str text = str_trim(c->args_text);
    struct hob_error why = {0};
    int n;

    if (text.n == 0)
        text = STR("{}"); /* what models send for a tool without arguments */
    if (json_parse(&c->arena, text, TOOL_ARGS_DEPTH, &v, &why) < 0) {
        buf_printf(&c->out, "The arguments of %.*s are no valid JSON: %s.", STR_ARG(c->name),
                   why.msg);
        return false;
    }
    if (json_parse(&c->arena, c->tool->schema, 64, &schema, err) < 0 ||
        schema_compile(&c->arena, schema, &compiled, err) < 0)
        return false;
    size_t start = c->out.n;
    n = schema_check(compiled, &c->arena, v, &c->out, TOOL_FAULTS);
    if (n == 0) {
        c->args = v;
        return true;
    }
    struct str faults = arena_str(&c->arena, str_from(buf_get(&c->out), start));
    buf_cut(&c->out, start);
    buf_printf(&c->out, "The arguments of %.*s do not fit its schema:\n%.*s", STR_ARG(c->name),
               STR_ARG(faults));
    if (n > TOOL_FAULTS)
        buf_printf(&c->out, "... and %d more", n - TOOL_FAULTS);
    return false;
}

static void tool_start_event(struct call *c)
{
    struct buf b;
    struct json *v;
    buf_init(&b, c->arena.heap);
    buf_addz(&b, "\"toolName\":");
    json_quote(&b, c->name);
    buf_addz(&b, ",\"toolCallId\":");
    json_quote(&b, c->id);
    buf_addz(&b, ",\"args\":");
    if (c->args)
        json_write(&b, c->args);
    else if (json_parse(&c->arena, c->args_text, TOOL_ARGS_DEPTH, &v, NULL) == 0)
        json_write(&b, v);
    else
        json_quote(&b, c->args_text);
    event_send(c->harness, c->turn->op, "tool_start", STR_NONE, buf_get(&b));
    buf_fini(&b);
}

static void tool_end_event(struct call *c, int64_t started)
{
    struct buf b;
    buf_init(&b, c->arena.heap);
    buf_addz(&b, "\"toolName\":");
    json_quote(&b, c->name);
    buf_addz(&b, ",\"toolCallId\":");
    json_quote(&b, c->id);
    buf_printf(&b, ",\"isError\":%s,\"durationMs\":%.3f,\"result\":", c->failed ? "true" : "false",
               (double)(loop_now(c->harness->loop) - started) / 1e6);
    json_quote(&b, buf_get(&c->out));
    if (c->details.n) {
        buf_addz(&b, ",\"details\":{");
        buf_str(&b, buf_get(&c->details));
        buf_putc(&b, '}');
    }
    event_send(c->harness, c->turn->op, "tool_call", STR_NONE, buf_get(&b));
    buf_fini(&b);
}

/* The text of an error before what the tool had to say. */
static void tool_put_error(struct call *c, const struct hob_error *err, int code)
{
    struct buf b;

    c->failed = true;
    buf_init(&b, c->arena.heap);
    if (code == HOB_ECANCELED || c->cancel.fired)
        buf_addz(&b, "Operation aborted");
    else
        buf_addz(&b, err->msg[0] ? err->msg : error_text(code));
    if (c->out.n) {
        buf_putc(&b, '\n');
        buf_str(&b, buf_get(&c->out));
    }
    buf_fini(&c->out);
    c->out = b;
}

/* Texts go to a model as JSON, and some providers refuse NUL bytes and empty texts. */
static void tool_clean(struct call *c)
{
    struct str s = buf_get(&c->out);
    if (s.n && memchr(s.p, 0, s.n)) {
        struct buf b;
        buf_init(&b, c->arena.heap);
        for (size_t i = 0; i < s.n; i++) {
            if (s.p[i])
                buf_putc(&b, s.p[i]);
            else
                buf_addz(&b, "\xEF\xBF\xBD");
        }
        buf_fini(&c->out);
        c->out = b;
    }
    if (c->out.n == 0 && c->image.n == 0)
        buf_addz(&c->out, "(nothing)");
}

static void tool_run_one(struct call *c)
{
    int64_t started = loop_now(c->harness->loop);
    struct hob_error err = {0};
    int r = 0;

    if (c->cancel.fired) {
        tool_put_error(c, &err, HOB_ECANCELED);
    } else if (!c->tool) {
        tool_unknown(c);
        c->failed = true;
    } else if (!tool_check_args(c, &err)) {
        c->failed = true;
        if (err.code)
            tool_put_error(c, &err, err.code);
    } else {
        tool_start_event(c);
        r = c->tool->run(c, &err);
        if (r < 0 || c->arena.heap->oom)
            tool_put_error(c, &err, r < 0 ? r : HOB_ENOMEM);
        tool_clean(c);
        tool_end_event(c, started);
        return;
    }
    tool_start_event(c);
    tool_end_event(c, started);
}

/* ---- all calls of a message
 * -------------------------------------------------------------------- */

struct tool_batch {
    struct turn *turn;
    struct call *calls;
    size_t n, left;
    struct waitq done;
};

struct tool_start {
    struct tool_batch *batch;
    struct call *call;
};

static void tool_task_main(void *arg)
{
    struct tool_start s = *(struct tool_start *)arg;
    tool_run_one(s.call);
    if (s.call->arena.heap->oom)
        s.call->failed = true;
    s.batch->left--;
    waitq_wake_all(&s.batch->done);
}

static void tool_call_init(struct call *c, struct turn *t, const struct block *b)
{
    struct heap *h = t->session->harness->heap;
    *c = (struct call){.turn = t,
                       .harness = t->session->harness,
                       .id = b->id,
                       .name = b->name,
                       .args_text = b->args,
                       .tool = tool_find(t, b->name)};
    cancel_init(&c->cancel, t->cancel);
    arena_init(&c->arena, h);
    buf_init(&c->out, h);
    buf_init(&c->details, h);
    buf_init(&c->image, h);
}

static void tool_call_fini(struct call *c)
{
    buf_fini(&c->image);
    buf_fini(&c->details);
    buf_fini(&c->out);
    arena_fini(&c->arena);
    cancel_fini(&c->cancel);
}

static struct message *tool_message(struct call *c, struct arena *a)
{
    struct message *m = message_new(a, ROLE_TOOL);
    struct block *b = m ? message_add(a, m, BLOCK_TEXT) : NULL;

    if (!b)
        return NULL;
    m->time_ms = loop_wall_ms(c->harness->loop);
    m->call_id = arena_str(a, c->id);
    m->tool = arena_str(a, c->name);
    m->is_error = c->failed;
    b->text = arena_str(a, c->out.n ? buf_get(&c->out) : STR("(nothing)"));
    if (c->image.n) {
        b = message_add(a, m, BLOCK_IMAGE);
        if (!b)
            return NULL;
        b->mime = str_z(c->image_mime);
        b->data = arena_str(a, buf_get(&c->image));
    }
    return a->heap->oom ? NULL : m;
}

/* Starts every call; one that cannot have a task of its own runs at once. */
static void tool_batch_run(struct tool_batch *b, struct tool_start *starts)
{
    struct hob_loop *l = b->turn->session->harness->loop;

    b->left = b->n;
    for (size_t i = 0; i < b->n; i++) {
        starts[i] = (struct tool_start){b, &b->calls[i]};
        if (b->n == 1 || !loop_spawn(l, tool_task_main, &starts[i]))
            tool_task_main(&starts[i]);
    }
    /* Every wait of a tool ends with the operation, so this does too. */
    while (b->left > 0)
        loop_wait(l, &b->done, INT64_MAX, NULL);
}

int tools_run(struct turn *t, const struct message *assistant, struct arena *a,
              struct message ***results, size_t *n, bool *ends, struct hob_error *err)
{
    struct hob_harness *h = t->session->harness;
    struct tool_batch batch = {.turn = t};
    struct arena local;
    int r = 0;

    *n = 0;
    *ends = false;
    for (const struct block *b = assistant->blocks; b; b = b->next)
        batch.n += b->kind == BLOCK_CALL;
    if (batch.n == 0)
        return cancel_check(t->cancel, err);
    arena_init(&local, h->heap);
    batch.calls = arena_array(&local, struct call, batch.n);
    struct tool_start *starts = arena_array(&local, struct tool_start, batch.n);
    *results = arena_array(a, struct message *, batch.n);
    if (!batch.calls || !starts || !*results) {
        arena_fini(&local);
        return tool_no_memory(err);
    }
    size_t i = 0;
    for (const struct block *b = assistant->blocks; b; b = b->next) {
        if (b->kind == BLOCK_CALL)
            tool_call_init(&batch.calls[i++], t, b);
    }
    tool_batch_run(&batch, starts);
    for (i = 0; i < batch.n; i++) {
        struct call *c = &batch.calls[i];
        struct message *m = r == 0 ? tool_message(c, a) : NULL;
        *ends = *ends || (c->ends && !c->failed);
        if (m)
            (*results)[(*n)++] = m;
        else
            r = tool_no_memory(err);
        tool_call_fini(c);
    }
    arena_fini(&local);
    return r < 0 ? r : cancel_check(t->cancel, err);
}

/* ---- locks
 * ------------------------------------------------------------------------------------- */

/* Lives on the stack of the task that waits. */
struct pathlock_wait {
    struct pathlock_wait *next;
    bool granted;
    struct waitq queue;
};

struct pathlock {
    struct pathlock_wait *first; /* the longest waiting one; the holder is not in the list */
};

int pathlock_take(struct call *c, struct str resolved)
{
    struct hob_harness *h = c->harness;
    void **place = map_put(&h->locks, resolved);
    struct pathlock_wait w = {0}, **at;

    if (!place)
        return HOB_ENOMEM;
    if (!*place) {
        *place = heap_new(h->heap, struct pathlock);
        if (!*place) {
            map_del(&h->locks, resolved);
            return HOB_ENOMEM;
        }
        return 0;
    }
    struct pathlock *lock = *place;
    for (at = &lock->first; *at; at = &(*at)->next)
        ;
    *at = &w;
    while (!w.granted && !c->cancel.fired)
        loop_wait(h->loop, &w.queue, INT64_MAX, &c->cancel);
    if (w.granted)
        return 0;
    for (at = &lock->first; *at != &w; at = &(*at)->next)
        ;
    *at = w.next;
    return HOB_ECANCELED;
}

void pathlock_drop(struct call *c, struct str resolved)
{
    struct hob_harness *h = c->harness;
    struct pathlock *lock = map_value(&h->locks, resolved);

    if (!lock)
        return;
    struct pathlock_wait *w = lock->first;
    if (w) {
        lock->first = w->next;
        w->granted = true;
        waitq_wake_all(&w->queue);
        return;
    }
    map_del(&h->locks, resolved);
    heap_drop(h->heap, lock);
}

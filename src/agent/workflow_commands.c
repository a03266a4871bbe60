/* workflow_commands.c -- the commands of a workflow: session, prompt, skill, task, shell, fs,
 * ...
 *
 * A command that asks the model starts an operation of the harness and then yields until it is
 * done: the loop is stepped outside, between two steps of the script. Whatever ends the command
 * early (a signal, the end of the script, an abort) ends the operation too.
 */
#include "agent/workflow.h"

#include "agent/tool.h"
#include "base/utf8.h"
#include "text/number.h"

enum {
    FLOW_INPUT = 64 << 20, /* bytes that a command reads from its stdin */
    FLOW_USAGE = 2,        /* exit statuses */
    FLOW_FAILED = 1,
    FLOW_ABORTED = 130
};

/* A command while it runs: its arguments behind the options. */
struct flow {
    struct workflow *w;
    hob_cmd *cmd;
    int at, n;
    const char *session, *model, *schema, *agent, *cwd, *thinking, *level;
    double timeout;
    bool unrecorded, json, recursive, force;
    struct arena arena;
};

/* ---- talking --------------------------------------------------------------------------------- */

static int flow_error(struct flow *f, const char *fmt, ...) PRINTF_LIKE(2, 3);
static int flow_error(struct flow *f, const char *fmt, ...)
{
    struct buf b;
    va_list ap;
    buf_init(&b, f->w->heap);
    buf_printf(&b, "%s: ", hob_cmd_arg(f->cmd, 0));
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    buf_putc(&b, '\n');
    hob_cmd_error(f->cmd, buf_get(&b).p, b.n);
    buf_fini(&b);
    return FLOW_FAILED;
}

static int flow_usage(struct flow *f, const char *usage)
{
    flow_error(f, "usage: %s %s", hob_cmd_arg(f->cmd, 0), usage);
    return FLOW_USAGE;
}

/* A text with a newline behind. */
static int flow_print(struct flow *f, const char *p, size_t n)
{
    int r = n ? hob_cmd_write(f->cmd, p, n) : 0;
    if (r >= 0 && (n == 0 || p[n - 1] != '\n'))
        r = hob_cmd_write(f->cmd, "\n", 1);
    return r < 0 ? FLOW_FAILED : 0;
}

static int flow_read_stdin(struct flow *f, struct buf *b)
{
    char piece[8192];
    ptrdiff_t n;
    while ((n = hob_cmd_read(f->cmd, piece, sizeof piece)) > 0) {
        if (b->n > FLOW_INPUT)
            return HOB_EFBIG;
        buf_add(b, piece, (size_t)n);
    }
    return n < 0 ? (int)n : b->heap->oom ? HOB_ENOMEM : 0;
}

/* The operands joined by blanks; without any, or for -, what comes from stdin. */
static int flow_text(struct flow *f, struct buf *b)
{
    if (f->at >= f->n || (f->at + 1 == f->n && strcmp(hob_cmd_arg(f->cmd, f->at), "-") == 0)) {
        int r = flow_read_stdin(f, b);
        return r < 0 ? flow_error(f, "stdin: %s", error_text(r)) : 0;
    }
    for (int i = f->at; i < f->n; i++) {
        buf_addz(b, i > f->at ? " " : "");
        buf_addz(b, hob_cmd_arg(f->cmd, i));
    }
    return 0;
}

/* ---- options --------------------------------------------------------------------------------- */

enum flow_takes {
    FLOW_SESSION = 1,
    FLOW_MODEL = 2,
    FLOW_SCHEMA = 4,
    FLOW_AGENT = 8,
    FLOW_TIMEOUT = 16,
    FLOW_RM = 32,
    FLOW_LEVEL = 64,
    FLOW_JSON = 128
};

static const struct flow_option {
    const char *name;
    enum flow_takes group;
    bool argument;
    size_t place; /* of a const char * or a bool */
} flow_options[] = {
    {"-s", FLOW_SESSION, true, offsetof(struct flow, session)},
    {"--session", FLOW_SESSION, true, offsetof(struct flow, session)},
    {"--model", FLOW_MODEL, true, offsetof(struct flow, model)},
    {"--thinking", FLOW_MODEL, true, offsetof(struct flow, thinking)},
    {"--schema", FLOW_SCHEMA, true, offsetof(struct flow, schema)},
    {"--agent", FLOW_AGENT, true, offsetof(struct flow, agent)},
    {"--cwd", FLOW_AGENT, true, offsetof(struct flow, cwd)},
    {"-n", FLOW_TIMEOUT, false, offsetof(struct flow, unrecorded)},
    {"-r", FLOW_RM, false, offsetof(struct flow, recursive)},
    {"-p", FLOW_RM, false, offsetof(struct flow, recursive)},
    {"-f", FLOW_RM, false, offsetof(struct flow, force)},
    {"-l", FLOW_LEVEL, true, offsetof(struct flow, level)},
    {"--json", FLOW_JSON, false, offsetof(struct flow, json)},
};

/* Takes the options of the groups: 0, or -1 after a message. f->at is at the first operand then. */
static int flow_parse(struct flow *f, unsigned takes)
{
    for (; f->at < f->n; f->at++) {
        const char *arg = hob_cmd_arg(f->cmd, f->at);
        const struct flow_option *o = NULL;
        if (arg[0] != '-' || !arg[1])
            return 0;
        if (strcmp(arg, "--") == 0) {
            f->at++;
            return 0;
        }
        if ((takes & FLOW_TIMEOUT) && strcmp(arg, "--timeout") == 0 && f->at + 1 < f->n) {
            struct str s = str_z(hob_cmd_arg(f->cmd, ++f->at));
            size_t used;
            f->timeout = (double)number_parse(s, &used);
            if (used == s.n && f->timeout > 0 && f->timeout < 9e9)
                continue;
            flow_error(f, "--timeout: expected a number of seconds");
            return -1;
        }
        for (size_t i = 0; i < COUNT(flow_options) && !o; i++) {
            if ((flow_options[i].group & takes) && strcmp(arg, flow_options[i].name) == 0)
                o = &flow_options[i];
        }
        if (!o || (o->argument && f->at + 1 >= f->n)) {
            flow_error(f, o ? "%s: its argument is missing" : "%s: unknown option", arg);
            return -1;
        }
        if (o->argument)
            *(const char **)(void *)((char *)f + o->place) = hob_cmd_arg(f->cmd, ++f->at);
        else
            *(bool *)((char *)f + o->place) = true;
    }
    return 0;
}

/* The session: by option, by $HOB_SESSION, or the workflow's. NULL after a message. */
static hob_session *flow_session(struct flow *f, int mode)
{
    const char *name = f->session ? f->session : hob_cmd_getenv(f->cmd, "HOB_SESSION");
    hob_session *s = NULL;
    hob_error err = {0};

    if (!f->w->harness) {
        flow_error(f, "this workflow has no agent; name one between #--- and #--- at its head");
        return NULL;
    }
    if (!name || !*name)
        name = f->w->session;
    if (hob_harness_session(f->w->harness, name, mode, &s, &err) < 0)
        flow_error(f, "%s", err.msg);
    return s;
}

/* ---- operations ------------------------------------------------------------------------------ */

/* Waits for the operation while the other processes of the script go on. */
static int flow_wait(struct flow *f, hob_op *op, hob_reply *reply, hob_result *res)
{
    hob_error err = {0};
    int r = 0;

    while (r == 0 && !hob_op_done(op) && !f->w->aborted)
        r = hob_cmd_yield(f->cmd);
    if (!hob_op_done(op))
        hob_op_abort(op, "the workflow ended the command");
    r = hob_op_finish(op, reply, res, &err);
    if (r == HOB_ECANCELED)
        return FLOW_ABORTED;
    return r < 0 ? flow_error(f, "%s", err.msg) : 0;
}

/* The schema itself, or of @FILE. */
static int flow_schema(struct flow *f, const char **out)
{
    hob_bytes data;
    *out = f->schema;
    if (!f->schema || f->schema[0] != '@')
        return 0;
    struct str path = arena_printf(&f->arena, "%s/%s", hob_cmd_cwd(f->cmd), f->schema + 1);
    if (f->schema[1] == '/')
        path = str_z(f->schema + 1);
    int r = path.p ? hob_read(f->w->box, path.p, &data) : HOB_ENOMEM;
    if (r < 0)
        return flow_error(f, "%s: %s", f->schema + 1, error_text(r));
    *out = arena_str(&f->arena, str_of(data.data, data.len)).p;
    hob_free(data.data);
    return *out ? 0 : flow_error(f, "%s", error_text(HOB_ENOMEM));
}

static int flow_prompt_options(struct flow *f, hob_prompt_options *o)
{
    static const char *const levels[] = {"off", "minimal", "low", "medium", "high", "xhigh"};

    *o = (hob_prompt_options){.size = sizeof *o};
    o->model = f->model ? f->model : f->w->model;
    o->agent = f->agent;
    o->cwd = f->cwd;
    for (size_t i = 0; f->thinking && i < COUNT(levels); i++) {
        if (strcmp(f->thinking, levels[i]) == 0)
            o->thinking = HOB_THINK_OFF + (int)i;
    }
    if (f->thinking && !o->thinking)
        return flow_error(f, "--thinking: expected off, minimal, low, medium, high or xhigh");
    return flow_schema(f, &o->schema);
}

static int flow_answer(struct flow *f, hob_op *op)
{
    hob_reply reply = {0};
    int r = flow_wait(f, op, &reply, NULL);
    if (r == 0 && reply.data) {
        r = flow_print(f, reply.data, reply.data_len);
    } else if (r == 0) {
        f->w->answering = true;
        r = flow_print(f, reply.text, reply.text_len);
        f->w->answering = false;
    }
    hob_reply_free(&reply);
    return r;
}

static int flow_prompt(struct flow *f)
{
    hob_prompt_options o;
    hob_session *s;
    hob_op *op;
    hob_error err = {0};
    struct buf text;
    bool task = strcmp(hob_cmd_arg(f->cmd, 0), "task") == 0;

    if (flow_parse(f, FLOW_SESSION | FLOW_MODEL | FLOW_SCHEMA | (task ? FLOW_AGENT : 0)) < 0)
        return flow_usage(f, task ? "[--agent NAME] [--cwd DIR] [OPTION]... TEXT..."
                                  : "[-s SESSION] [--model M] [--thinking LEVEL] "
                                    "[--schema JSON|@FILE] TEXT... | -");
    int r = flow_prompt_options(f, &o);
    s = r ? NULL : flow_session(f, HOB_SESSION_OPEN);
    if (!s)
        return FLOW_FAILED;
    buf_init(&text, f->w->heap);
    r = flow_text(f, &text);
    if (r == 0 && text.n == 0)
        r = flow_error(f, "there is no text");
    if (r == 0) {
        r = task ? hob_task_start(s, text.p, &o, &op, &err)
                 : hob_prompt_start(s, text.p, &o, &op, &err);
        r = r < 0 ? flow_error(f, "%s", err.msg) : flow_answer(f, op);
    }
    buf_fini(&text);
    return r;
}

static int flow_skill(struct flow *f)
{
    hob_prompt_options o;
    hob_op *op;
    hob_error err = {0};

    if (flow_parse(f, FLOW_SESSION | FLOW_MODEL | FLOW_SCHEMA) < 0 || f->at >= f->n ||
        f->at + 2 < f->n)
        return flow_usage(f, "[OPTION]... NAME [JSON]");
    int r = flow_prompt_options(f, &o);
    hob_session *s = r ? NULL : flow_session(f, HOB_SESSION_OPEN);
    if (!s)
        return FLOW_FAILED;
    o.args = f->at + 1 < f->n ? hob_cmd_arg(f->cmd, f->at + 1) : NULL;
    r = hob_skill_start(s, hob_cmd_arg(f->cmd, f->at), &o, &op, &err);
    return r < 0 ? flow_error(f, "%s", err.msg) : flow_answer(f, op);
}

/* Its output and status are the command's. */
static int flow_shell(struct flow *f)
{
    hob_exec_options o = HOB_EXEC_OPTIONS_INIT;
    hob_result res = {0};
    hob_op *op;
    hob_error err = {0};
    struct buf text;

    if (flow_parse(f, FLOW_SESSION | FLOW_TIMEOUT) < 0 || f->at >= f->n)
        return flow_usage(f, "[-s SESSION] [-n] [--timeout SECONDS] SCRIPT...");
    hob_session *s = flow_session(f, HOB_SESSION_OPEN);
    if (!s)
        return FLOW_FAILED;
    buf_init(&text, f->w->heap);
    int r = flow_text(f, &text);
    o.timeout_ns = (int64_t)(f->timeout * 1e9);
    if (r == 0) {
        r = op_shell(f->w->harness, f->unrecorded ? NULL : s, buf_get(&text).p, &o, &op, &err);
        r = r < 0 ? flow_error(f, "%s", err.msg) : flow_wait(f, op, NULL, &res);
    }
    buf_fini(&text);
    if (res.out) {
        hob_cmd_write(f->cmd, res.out, res.out_len);
        hob_cmd_error(f->cmd, res.err, res.err_len);
        r = r ? r : res.status;
        hob_result_free(&res);
    }
    return r;
}

/* ---- sessions -------------------------------------------------------------------------------- */

static int flow_sessions(struct flow *f)
{
    static const char usage[] = "[NAME] | create NAME | get NAME | delete NAME | compact [NAME] | "
                                "export [NAME]";
    const char *verb = f->at < f->n ? hob_cmd_arg(f->cmd, f->at) : "";
    const char *name = f->at + 1 < f->n ? hob_cmd_arg(f->cmd, f->at + 1) : NULL;
    hob_error err = {0};
    hob_op *op;
    hob_bytes data;

    bool create = strcmp(verb, "create") == 0, get = strcmp(verb, "get") == 0;
    if (f->at + 2 < f->n)
        return flow_usage(f, usage);
    if (strcmp(verb, "delete") == 0 || create || get) {
        if (!name)
            return flow_usage(f, usage);
    }
    if (strcmp(verb, "delete") == 0) {
        if (!f->w->harness)
            return flow_session(f, HOB_SESSION_GET) ? 0 : FLOW_FAILED;
        int r = hob_harness_delete(f->w->harness, name, &err);
        return r < 0 ? flow_error(f, "%s", err.msg) : 0;
    }
    bool compact = strcmp(verb, "compact") == 0, export = strcmp(verb, "export") == 0;
    f->session = create || get || compact || export ? name : *verb ? verb : NULL;
    if (f->session == verb && name)
        return flow_usage(f, usage);
    hob_session *s = flow_session(f, create ? HOB_SESSION_CREATE
                                     : get  ? HOB_SESSION_GET
                                            : HOB_SESSION_OPEN);
    if (!s)
        return FLOW_FAILED;
    if (compact) {
        int r = hob_compact_start(s, &op, &err);
        return r < 0 ? flow_error(f, "%s", err.msg) : flow_wait(f, op, NULL, NULL);
    }
    if (!export)
        return flow_print(f, hob_session_name(s), strlen(hob_session_name(s)));
    int r = hob_session_export(s, &data);
    if (r < 0)
        return flow_error(f, "%s", error_text(r));
    r = hob_cmd_write(f->cmd, data.data, data.len);
    hob_free(data.data);
    return r < 0 ? FLOW_FAILED : 0;
}

/* ---- files of the sandbox -------------------------------------------------------------------- */

static int flow_fs_read(struct flow *f, hob_sandbox *box, const char *path)
{
    hob_bytes data;
    int r = hob_read(box, path, &data);
    if (r < 0)
        return flow_error(f, "%s: %s", path, error_text(r));
    r = hob_cmd_write(f->cmd, data.data, data.len);
    hob_free(data.data);
    return r < 0 ? FLOW_FAILED : 0;
}

static int flow_fs_write(struct flow *f, hob_sandbox *box, const char *path)
{
    struct buf text;
    buf_init(&text, f->w->heap);
    f->at++;
    int r = flow_text(f, &text);
    if (r == 0) {
        r = hob_write(box, path, buf_get(&text).p, text.n);
        r = r < 0 ? flow_error(f, "%s: %s", path, error_text(r)) : 0;
    }
    buf_fini(&text);
    return r;
}

static int flow_fs_ls(struct flow *f, hob_sandbox *box, const char *path)
{
    hob_dirent *all;
    size_t n;
    int r = hob_readdir(box, path, &all, &n);
    if (r < 0)
        return flow_error(f, "%s: %s", path, error_text(r));
    for (size_t i = 0; i < n && r == 0; i++)
        r = flow_print(f, all[i].name, strlen(all[i].name));
    hob_free(all);
    return r;
}

static int flow_fs_stat(struct flow *f, hob_sandbox *box, const char *path)
{
    hob_stat_t st, link;
    struct buf b;
    int r = hob_stat(box, path, &st);
    if (r < 0)
        return flow_error(f, "%s: %s", path, error_text(r));
    bool is_link = hob_lstat(box, path, &link) == 0 && (link.mode & 0170000) == 0120000;
    buf_init(&b, f->w->heap);
    buf_printf(&b,
               "{\"isFile\":%s,\"isDirectory\":%s,\"isSymbolicLink\":%s,\"size\":%llu,\"mtime\":\"",
               (st.mode & 0170000) == 0100000 ? "true" : "false",
               (st.mode & 0170000) == 0040000 ? "true" : "false", is_link ? "true" : "false",
               (unsigned long long)st.bytes);
    event_time(&b, st.mtime_ns / 1000000);
    buf_addz(&b, "\"}");
    r = flow_print(f, buf_get(&b).p, b.n);
    buf_fini(&b);
    return r;
}

static int flow_fs_each(struct flow *f, hob_sandbox *box, bool rm)
{
    int status = 0;
    int flags = (f->recursive ? HOB_RECURSIVE : 0) | (f->force ? HOB_FORCE : 0);
    for (; f->at < f->n; f->at++) {
        const char *path = hob_cmd_arg(f->cmd, f->at);
        int r = rm ? hob_rm(box, path, flags) : hob_mkdir(box, path, flags);
        if (r < 0)
            status = flow_error(f, "%s: %s", path, error_text(r));
    }
    return status;
}

static int flow_fs(struct flow *f)
{
    static const char usage[] = "read|write|ls|stat|exists|mkdir [-p]|rm [-r] [-f] PATH...";
    const char *verb = f->at < f->n ? hob_cmd_arg(f->cmd, f->at++) : "", *path;
    hob_sandbox *box;

    bool rm = strcmp(verb, "rm") == 0, mkdir = strcmp(verb, "mkdir") == 0;
    if (flow_parse(f, rm || mkdir ? FLOW_RM : 0) < 0)
        return flow_usage(f, usage);
    if (!f->w->harness)
        return flow_session(f, HOB_SESSION_GET) ? 0 : FLOW_FAILED;
    box = hob_harness_sandbox(f->w->harness);
    path = f->at < f->n ? hob_cmd_arg(f->cmd, f->at) : NULL;
    if (strcmp(verb, "ls") == 0)
        return flow_fs_ls(f, box, path ? path : ".");
    if (!path)
        return flow_usage(f, usage);
    if (strcmp(verb, "read") == 0)
        return flow_fs_read(f, box, path);
    if (strcmp(verb, "write") == 0)
        return flow_fs_write(f, box, path);
    if (strcmp(verb, "stat") == 0)
        return flow_fs_stat(f, box, path);
    if (strcmp(verb, "exists") == 0)
        return hob_exists(box, path) ? 0 : 1;
    return rm || mkdir ? flow_fs_each(f, box, rm) : flow_usage(f, usage);
}

/* ---- input and output ------------------------------------------------------------------------ */

/* The whole input, or one member of it: strings as they are, all else as JSON. */
static int flow_payload(struct flow *f)
{
    struct json *v;
    struct buf b;

    if (f->at >= f->n)
        return flow_print(f, f->w->payload.p, f->w->payload.n);
    if (json_parse(&f->arena, f->w->payload, 100, &v, NULL) < 0)
        return flow_error(f, "the payload is no JSON");
    for (; v && f->at < f->n; f->at++) {
        const char *name = hob_cmd_arg(f->cmd, f->at);
        uint64_t i;
        if (v->kind == JSON_ARRAY)
            v = str_uint(str_z(name), &i) == 0 ? json_at(v, (size_t)i) : NULL;
        else
            v = json_get(v, name);
    }
    if (!v)
        return FLOW_FAILED; /* it is not there; a script asks with `if payload name` */
    buf_init(&b, f->w->heap);
    if (v->kind == JSON_STRING)
        buf_str(&b, v->text);
    else
        json_write(&b, v);
    int r = flow_print(f, buf_get(&b).p, b.n);
    buf_fini(&b);
    return r;
}

static int flow_result(struct flow *f)
{
    struct json *v;
    hob_error err = {0};
    struct buf text;

    if (flow_parse(f, FLOW_JSON) < 0)
        return flow_usage(f, "[--json] TEXT... | -");
    buf_init(&text, f->w->heap);
    int r = flow_text(f, &text);
    if (r == 0 && f->json && json_parse(&f->arena, buf_get(&text), 100, &v, &err) < 0)
        r = flow_error(f, "no valid JSON: %s", err.msg);
    if (r == 0) {
        buf_fini(&f->w->result);
        f->w->result = text;
        f->w->has_result = true;
    } else {
        buf_fini(&text);
    }
    return r;
}

static int flow_log(struct flow *f)
{
    struct buf text;
    if (flow_parse(f, FLOW_LEVEL) < 0)
        return flow_usage(f, "[-l info|warn|error] TEXT... | -");
    const char *level = f->level ? f->level : "info";
    if (strcmp(level, "info") != 0 && strcmp(level, "warn") != 0 && strcmp(level, "error") != 0)
        return flow_error(f, "-l: expected info, warn or error");
    buf_init(&text, f->w->heap);
    int r = flow_text(f, &text);
    struct str s = str_trim(buf_get(&text));
    if (r == 0 && f->w->harness)
        event_log(f->w->harness, NULL, level, "%.*s", STR_ARG(s));
    else if (r == 0)
        hob_cmd_error(f->cmd, s.p, s.n), hob_cmd_error(f->cmd, "\n", 1);
    buf_fini(&text);
    return r;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct flow_command {
    const char *name, *summary;
    int (*run)(struct flow *f);
} flow_commands[] = {
    {"session", "open, make, delete, compact or export a session", flow_sessions},
    {"prompt", "ask the model and print its answer", flow_prompt},
    {"skill", "let the model use a skill", flow_skill},
    {"task", "ask in a session of its own", flow_prompt},
    {"shell", "run a script in the agent's sandbox", flow_shell},
    {"fs", "files of the agent's sandbox", flow_fs},
    {"payload", "print the input of the workflow, or a member of it", flow_payload},
    {"result", "set the result of the workflow", flow_result},
    {"log", "write a line to the log of the run", flow_log},
};

static int flow_run(hob_cmd *cmd, void *ud)
{
    struct flow f = {.w = ud, .cmd = cmd, .at = 1, .n = hob_cmd_argc(cmd)};
    int r = FLOW_FAILED;

    arena_init(&f.arena, f.w->heap);
    for (size_t i = 0; i < COUNT(flow_commands); i++) {
        if (strcmp(hob_cmd_arg(cmd, 0), flow_commands[i].name) == 0)
            r = flow_commands[i].run(&f);
    }
    arena_fini(&f.arena);
    return r;
}

int workflow_commands(struct workflow *w)
{
    int r = 0;
    for (size_t i = 0; i < COUNT(flow_commands) && r == 0; i++)
        r = hob_command_add(w->box, flow_commands[i].name, flow_commands[i].summary, flow_run, w);
    return r;
}

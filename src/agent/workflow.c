/* workflow.c -- workflows: reading one, and its life from start to end */
#include "agent/workflow.h"

#include <signal.h>

#include "base/utf8.h"
#include "text/schema.h"

/* ---- the head -------------------------------------------------------------------------------- */

static struct workflow_head *workflow_head_of(struct config_reader *r) { return r->out; }

static int workflow_set_agent(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &workflow_head_of(r)->agent);
}
static int workflow_set_description(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &workflow_head_of(r)->description);
}
static int workflow_set_session(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &workflow_head_of(r)->session);
}
static int workflow_set_model(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &workflow_head_of(r)->model);
}
static int workflow_set_sandbox(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &workflow_head_of(r)->sandbox);
}
static int workflow_set_payload(struct config_reader *r, const struct json *v)
{
    struct schema *s;
    struct hob_error why = {0};
    if (schema_compile(&r->config->arena, v, &s, &why) < 0)
        return config_bad(r, v, "%s", why.msg);
    workflow_head_of(r)->payload = v;
    return 0;
}

static int workflow_set_network(struct config_reader *r, const struct json *v)
{
    return config_network(r, v, &workflow_head_of(r)->network);
}

static const struct config_key workflow_keys[] = {
    {"agent", workflow_set_agent},     {"description", workflow_set_description},
    {"session", workflow_set_session}, {"model", workflow_set_model},
    {"sandbox", workflow_set_sandbox}, {"payload", workflow_set_payload},
    {"network", workflow_set_network},
};

/* A line without its end, and what follows. */
static struct str workflow_line(struct str *rest)
{
    ptrdiff_t end = str_chr(*rest, '\n');
    struct str line = end < 0 ? *rest : str_sub(*rest, 0, (size_t)end);
    *rest = end < 0 ? STR_NONE : str_from(*rest, (size_t)end + 1);
    if (line.n && line.p[line.n - 1] == '\r')
        line.n--;
    return line;
}

static bool workflow_marker(struct str line)
{
    line = str_trim(line);
    return line.n > 3 && line.p[0] == '#' && str_eqz(str_trim(str_from(line, 1)), "---");
}

/* The settings between the markers with their # taken off; *first is the number of their first
 * line. HOB_ENODATA: there are none. */
static int workflow_settings(struct str text, struct buf *out, int *first)
{
    int number = 1;
    struct str line = workflow_line(&text);

    if (str_starts(line, STR("#!"))) {
        line = workflow_line(&text);
        number++;
    }
    while (text.n && str_trim(line).n == 0) {
        line = workflow_line(&text);
        number++;
    }
    if (!workflow_marker(line))
        return HOB_ENODATA;
    *first = number + 1;
    while (text.n > 0) {
        line = workflow_line(&text);
        if (workflow_marker(line))
            return 0;
        if (line.n == 0 || line.p[0] != '#')
            return HOB_ESYNTAX;
        line = str_from(line, 1);
        if (line.n && line.p[0] == ' ')
            line = str_from(line, 1);
        buf_str(out, line);
        buf_putc(out, '\n');
    }
    return HOB_ESYNTAX;
}

static int workflow_read_head(struct workflow *w, struct hob_error *err)
{
    struct config_reader r = {.config = w->config, .file = w->file, .err = err, .out = &w->head};
    struct json *top;
    struct buf settings;
    int line = 1;

    buf_init(&settings, w->heap);
    int code = workflow_settings(buf_get(&w->script), &settings, &line);
    if (code == HOB_ESYNTAX)
        error_set(err, code, "%s:%d: the settings that begin here have no closing #---", w->file,
                  line - 1);
    if (code == 0)
        code = frontmatter_parse(&w->config->arena, buf_get(&settings), w->file, line, &top, err);
    if (code == 0)
        code = config_each(&r, top, workflow_keys, COUNT(workflow_keys));
    buf_fini(&settings);
    return code == HOB_ENODATA ? 0 : code;
}

int workflow_read(struct workflow *w, struct config *c, struct str name, struct hob_error *err)
{
    struct str path = STR_NONE;

    *w = (struct workflow){.config = c, .heap = c->heap, .payload = STR("null")};
    buf_init(&w->script, c->heap);
    buf_init(&w->result, c->heap);
    int r = config_text(c, "workflows", name, ".sh", &path, &w->script, err);
    if (r < 0)
        return r;
    w->file = path.p;
    if (str_starts(path, c->root) && path.n > c->root.n + 1)
        w->file = path.p + c->root.n + 1;
    return workflow_read_head(w, err);
}

/* ---- its life -------------------------------------------------------------------------------- */

/* Does the input have the form the head asks for? */
static int workflow_check(struct workflow *w, struct hob_error *err)
{
    struct json *v;
    struct schema *s;
    struct buf faults;

    if (!w->head.payload)
        return 0;
    int r = json_parse(&w->config->arena, w->payload, 100, &v, err);
    r = r < 0 ? r : schema_compile(&w->config->arena, w->head.payload, &s, err);
    if (r < 0)
        return r;
    buf_init(&faults, w->heap);
    r = schema_check(s, &w->config->arena, v, &faults, 3);
    if (r > 0) {
        struct str text = str_trim(buf_get(&faults));
        ptrdiff_t end = str_chr(text, '\n');
        r = error_set(err, HOB_EINVAL, "the payload does not fit %s: %.*s", w->file,
                      STR_ARG(end < 0 ? text : str_sub(text, 0, (size_t)end)));
    }
    buf_fini(&faults);
    return r;
}

/* Variables of the process that mean something else inside of the interpreter. */
static bool workflow_hides(const char *entry)
{
    static const char *const names[] = {"PATH", "HOME",    "PWD",    "OLDPWD", "SHELL", "USER",
                                        "TERM", "LOGNAME", "TMPDIR", "IFS",    "_",     "SHLVL"};
    size_t n = strcspn(entry, "=");
    if (strncmp(entry, "BASH", 4) == 0 || strncmp(entry, "LD_", 3) == 0)
        return true;
    for (size_t i = 0; i < COUNT(names); i++) {
        if (strlen(names[i]) == n && strncmp(entry, names[i], n) == 0)
            return true;
    }
    return false;
}

static int workflow_open(struct workflow *w, struct hob_error *err)
{
    hob_options o = HOB_OPTIONS_INIT;
    hob_mount_options m = {.size = sizeof m, .kind = HOB_MOUNT_RW, .host_dir = w->config->root.p};
    size_t n = 0, k = 0;

    while (w->config->env && w->config->env[n])
        n++;
    const char **env = arena_array(&w->config->arena, const char *, n + 1);
    if (!env)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    for (size_t i = 0; i < n; i++) {
        if (!workflow_hides(w->config->env[i]))
            env[k++] = w->config->env[i];
    }
    o.env = env;
    o.network = w->head.network;
    int r = hob_sandbox_new(&o, &w->box, err);
    if (r == 0 && w->config->root.n > 1)
        r = hob_mount(w->box, w->config->root.p, &m, err);
    if (r == 0 && workflow_commands(w) < 0)
        r = error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    return r;
}

/* `prompt` prints its answer for a pipe or a file. Where it would go to the terminal, the events
 * have shown it already. */
static int workflow_output(void *ud, int stream, const void *data, size_t len)
{
    struct workflow *w = ud;
    if (w->answering && w->streamed)
        return 0;
    return w->output ? w->output(w->output_ud, stream, data, len) : 0;
}

int workflow_start(struct workflow *w, struct hob_error *err)
{
    hob_exec_options o = HOB_EXEC_OPTIONS_INIT;
    int r = workflow_check(w, err);

    r = r < 0 ? r : workflow_open(w, err);
    if (r < 0)
        return r;
    o.cwd = w->config->root.p;
    o.name = w->file;
    o.output = workflow_output;
    o.output_ud = w;
    o.script_len = w->script.n ? w->script.n : 1;
    return hob_exec_start(w->box, w->script.n ? w->script.p : "\n", &o, &w->job, err);
}

int workflow_step(struct workflow *w) { return hob_step(w->box, 0); }

bool workflow_done(const struct workflow *w) { return !w->job || hob_job_done(w->job); }

int64_t workflow_timeout(struct workflow *w)
{
    hob_pending p = {.size = sizeof p, .until_ns = -1};
    return hob_wait_for(w->box, &p) < 0 ? 0 : p.until_ns;
}

void workflow_abort(struct workflow *w)
{
    w->aborted = true; /* commands that wait see it and give up what they wait for */
    if (w->job && !hob_job_done(w->job))
        hob_job_signal(w->job, SIGINT);
}

int workflow_finish(struct workflow *w, struct hob_error *err)
{
    hob_result res = {0};
    int r = hob_job_finish(w->job, &res);

    w->job = NULL;
    if (r == 0 && w->aborted)
        r = error_set(err, HOB_ECANCELED, "the workflow was aborted");
    else if (r == 0 && res.limit)
        r = error_set(err, HOB_ELIMIT, "%s: %s", w->file, res.message);
    else if (r < 0)
        error_set(err, r, "%s: %s", w->file, error_text(r));
    else
        r = res.status;
    hob_result_free(&res);
    return r;
}

void workflow_fini(struct workflow *w)
{
    if (w->job)
        hob_job_finish(w->job, NULL);
    hob_sandbox_free(w->box);
    buf_fini(&w->result);
    buf_fini(&w->script);
}

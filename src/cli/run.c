/* run.c -- hob run: an agent with one message, or a workflow, to its end */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/agent.h"
#include "cli/agentcli.h"
#include "text/json.h"

struct run {
    const struct project_options *o;
    struct project project;
    struct report report;
    struct workflow workflow;
    bool is_workflow;
    hob_op *op;
    struct buf payload; /* JSON */
};

/* ---- input ----------------------------------------------------------------------------------- */

/* --payload: JSON, @FILE or - for stdin; must be JSON. 0, or an exit status. */
static int run_payload(struct run *r)
{
    const char *p = r->o->payload;
    struct arena a;
    struct json *v;
    hob_error err = {0};
    char *text = NULL;
    size_t n = p ? strlen(p) : 0;

    if (!p)
        return 0;
    if (strcmp(p, "-") == 0 || p[0] == '@') {
        const char *path = p[0] == '@' ? p + 1 : "-";
        text = cli_read_file(path, &n);
        if (!text) {
            cli_error("--payload %s: %s", p, strerror(errno));
            return AGENT_FAILED;
        }
        p = text;
    }
    arena_init(&a, &r->project.heap);
    int bad = json_parse(&a, str_of(p, n), 200, &v, &err);
    if (bad == 0)
        json_write(&r->payload, v);
    arena_fini(&a);
    free(text);
    return bad < 0 ? cli_usage("run", "--payload: no valid JSON: %s", err.msg) : 0;
}

/* What an agent is asked: -m, the payload, or stdin. NULL after a message. */
static char *run_message(struct run *r)
{
    struct arena a;
    struct json *v;
    size_t n;
    char *text = NULL;

    if (r->o->message && strcmp(r->o->message, "-") != 0)
        return strdup(r->o->message);
    if (!r->o->message && r->payload.n) {
        arena_init(&a, &r->project.heap);
        if (json_parse(&a, buf_get(&r->payload), 200, &v, NULL) == 0 && v->kind == JSON_STRING)
            text = strdup(v->text.p); /* a text is asked as it is, all else as JSON */
        arena_fini(&a);
        return text ? text : strdup(r->payload.p);
    }
    if (!r->o->message && isatty(0)) {
        cli_usage("run", "there is nothing to say: give -m TEXT, --payload JSON, or stdin");
        return NULL;
    }
    text = cli_read_file("-", &n);
    if (text && n == 0) {
        cli_usage("run", "there is nothing to say: stdin is empty");
        free(text);
        return NULL;
    }
    return text;
}

/* ---- output ---------------------------------------------------------------------------------- */

static void run_json_tokens(struct buf *b, const hob_tokens *u)
{
    buf_printf(
        b, "{\"input\":%lld,\"output\":%lld,\"cacheRead\":%lld,\"cacheWrite\":%lld,\"cost\":%g}",
        (long long)u->input, (long long)u->output, (long long)u->cache_read,
        (long long)u->cache_write, u->cost);
}

static int run_show(struct run *r, const hob_reply *reply)
{
    struct buf b;
    if (!r->o->json && !reply->data && r->report.tty && isatty(1))
        return 0; /* it stands there already, streamed */
    if (!r->o->json)
        return report_print(reply->data ? str_of(reply->data, reply->data_len)
                                        : str_of(reply->text, reply->text_len));
    buf_init(&b, &r->project.heap);
    buf_addz(&b, "{\"text\":");
    json_quote(&b, str_of(reply->text, reply->text_len));
    if (reply->data) {
        buf_addz(&b, ",\"result\":");
        buf_add(&b, reply->data, reply->data_len);
    }
    buf_printf(&b, ",\"model\":\"%s\",\"turns\":%d,\"usage\":", reply->model, reply->turns);
    run_json_tokens(&b, &reply->usage);
    buf_addz(&b, "}\n");
    int status = report_print(buf_get(&b));
    buf_fini(&b);
    return status;
}

/* The result of a workflow as JSON: what it is, or a string of it. */
static void run_result_json(struct run *r, struct buf *b)
{
    struct arena a;
    struct json *v;
    if (!r->workflow.has_result) {
        buf_addz(b, "null");
        return;
    }
    arena_init(&a, &r->project.heap);
    if (json_parse(&a, buf_get(&r->workflow.result), 200, &v, NULL) == 0)
        json_write(b, v);
    else
        json_quote(b, buf_get(&r->workflow.result));
    arena_fini(&a);
}

static int run_failed(struct run *r, int code, const hob_error *err)
{
    report_end(&r->report);
    cli_error("%s", err->msg[0] ? err->msg : hob_error_text(code));
    if (code == HOB_ECANCELED)
        return project_interrupted() ? 128 + project_interrupted() : AGENT_ABORTED;
    return AGENT_FAILED;
}

/* ---- an agent -------------------------------------------------------------------------------- */

static bool run_op_done(void *ud) { return hob_op_done(((struct run *)ud)->op); }

static void run_op_stop(void *ud) { hob_op_abort(((struct run *)ud)->op, "interrupted"); }

static int run_agent(struct run *r)
{
    const struct project_options *o = r->o;
    hob_prompt_options po = {.size = sizeof po};
    hob_session *s;
    hob_reply reply = {0};
    hob_error err = {0};
    int status = project_harness(&r->project, o, o->name, o->session || o->id, &r->report);
    if (status)
        return status;
    char *message = run_message(r);
    if (!message)
        return CLI_USAGE;
    hob_harness *h = r->project.harness;
    po.schema = r->project.agent->result;
    int code = hob_harness_session(h, o->session, HOB_SESSION_OPEN, &s, &err);
    code = code < 0 ? code : hob_prompt_start(s, message, &po, &r->op, &err);
    free(message);
    if (code < 0)
        return run_failed(r, code, &err);
    project_drive(hob_harness_loop(h), NULL, &r->report, run_op_done, run_op_stop, r);
    code = hob_op_finish(r->op, &reply, NULL, &err);
    struct buf result;
    buf_init(&result, &r->project.heap);
    if (reply.data)
        buf_add(&result, reply.data, reply.data_len);
    else if (reply.text)
        json_quote(&result, str_of(reply.text, reply.text_len));
    harness_run_end(h, buf_get(&result), code < 0 ? &err : NULL);
    buf_fini(&result);
    if (code < 0) {
        status = run_failed(r, code, &err);
    } else {
        report_end(&r->report);
        status = run_show(r, &reply);
    }
    hob_reply_free(&reply);
    return status;
}

/* ---- a workflow ------------------------------------------------------------------------------ */

static bool run_flow_done(void *ud) { return workflow_done(&((struct run *)ud)->workflow); }

static void run_flow_stop(void *ud) { workflow_abort(&((struct run *)ud)->workflow); }

/* What the script itself prints is for people; the result alone goes to stdout. */
static int run_flow_output(void *ud, int stream, const void *data, size_t len)
{
    struct run *r = ud;
    struct buf b;
    report_clear(&r->report);
    buf_init(&b, &r->project.heap);
    if (r->o->json) {
        buf_printf(&b, "{\"type\":\"output\",\"stream\":\"%s\",\"text\":",
                   stream == HOB_STDERR ? "stderr" : "stdout");
        json_quote(&b, str_of(data, len));
        buf_addz(&b, "}\n");
    } else if (r->report.tty) {
        report_clean(&b, str_of(data, len));
    } else {
        buf_add(&b, data, len);
    }
    fwrite(buf_get(&b).p, 1, b.n, stderr);
    fflush(stderr);
    buf_fini(&b);
    return 0;
}

/* The agent it names, or the one of its own name if there is one. */
static int run_flow_harness(struct run *r)
{
    const struct workflow_head *head = &r->workflow.head;
    struct project_options o = *r->o;
    struct str path;
    struct buf text;
    const char *agent = head->agent;

    if (!agent) {
        buf_init(&text, &r->project.heap);
        int found =
            config_text(&r->project.config, "agents", str_z(o.name), ".md", &path, &text, NULL);
        buf_fini(&text);
        if (found < 0)
            return 0;
        agent = o.name;
    }
    if (!o.sandbox)
        o.sandbox = head->sandbox;
    int status = project_harness(&r->project, &o, agent, o.session || o.id, &r->report);
    if (status)
        return status;
    r->workflow.harness = r->project.harness;
    r->workflow.loop = hob_harness_loop(r->project.harness);
    return 0;
}

static int run_flow_end(struct run *r, int code, const hob_error *err)
{
    struct buf json;
    int status = 0;

    buf_init(&json, &r->project.heap);
    run_result_json(r, &json);
    if (r->project.harness)
        harness_run_end(r->project.harness, buf_get(&json), code < 0 ? err : NULL);
    if (code < 0) {
        status = run_failed(r, code, err);
    } else {
        report_end(&r->report);
        if (code > 0) {
            cli_error("%s: ended with status %d", r->workflow.file, code);
            status = project_interrupted() ? 128 + project_interrupted() : AGENT_FAILED;
        }
        int shown = 0;
        if (r->o->json) {
            buf_addz(&json, "}\n");
            struct buf all;
            buf_init(&all, &r->project.heap);
            buf_addz(&all, "{\"result\":");
            buf_str(&all, buf_get(&json));
            shown = report_print(buf_get(&all));
            buf_fini(&all);
        } else if (r->workflow.has_result) {
            shown = report_print(buf_get(&r->workflow.result));
        }
        status = status ? status : shown;
    }
    buf_fini(&json);
    return status;
}

static int run_flow(struct run *r)
{
    hob_error err = {0};
    int status = run_flow_harness(r);

    if (status)
        return status;
    struct workflow *w = &r->workflow;
    w->session = r->o->session ? r->o->session : w->head.session;
    w->model = r->o->model ? r->o->model : w->head.model;
    if (r->payload.n)
        w->payload = buf_get(&r->payload);
    w->output = run_flow_output;
    w->output_ud = r;
    w->streamed = true;
    int code = workflow_start(w, &err);
    if (code == 0) {
        project_drive(w->loop, w, &r->report, run_flow_done, run_flow_stop, r);
        code = workflow_finish(w, &err);
    }
    return run_flow_end(r, code, &err);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Which of the two is meant: with -m an agent, else a workflow of that name comes first. */
static int run_choose(struct run *r)
{
    hob_error err = {0};
    int code = r->o->message
                   ? HOB_ENOENT
                   : workflow_read(&r->workflow, &r->project.config, str_z(r->o->name), &err);
    r->is_workflow = code == 0;
    if (code == 0 || code == HOB_ENOENT)
        return 0;
    cli_error("%s", err.msg);
    return AGENT_FAILED;
}

static int run_start(const struct project_options *o)
{
    struct run r = {.o = o};
    if (!o->name || o->noperands)
        return cli_usage("run", o->name ? "one name is enough"
                                        : "the name of an agent or workflow "
                                          "is missing");
    int status = project_open(&r.project, o);
    if (status)
        return status;
    report_init(&r.report, o->json);
    buf_init(&r.payload, &r.project.heap);
    project_signals();
    status = run_payload(&r);
    status = status ? status : run_choose(&r);
    if (status == 0)
        status = r.is_workflow ? run_flow(&r) : run_agent(&r);
    if (r.workflow.config)
        workflow_fini(&r.workflow);
    buf_fini(&r.payload);
    project_close(&r.project);
    report_fini(&r.report);
    return status;
}

static int run_main(int argc, char **argv)
{
    struct project_options o;
    int r = project_parse(&o, &cli_run,
                          PROJECT_DIR | PROJECT_MESSAGE | PROJECT_PAYLOAD | PROJECT_ID |
                              PROJECT_SESSION | PROJECT_MODEL | PROJECT_SANDBOX | PROJECT_ENV |
                              PROJECT_JSON | PROJECT_STORE,
                          argc, argv);
    if (r == 0 && o.help)
        cli_print_help(&cli_run);
    else if (r == 0)
        r = run_start(&o);
    project_options_fini(&o);
    return r;
}

const struct cli_command cli_run = {
    .name = "run",
    .usage = "run [OPTION]... NAME [-m TEXT | --payload JSON|@FILE|-]",
    .summary = "Run an agent or a workflow of the project to its end.",
    .help = "  -C DIR                the project; default is the present folder\n"
            "  -m, --message TEXT    what to say to the agent; - is stdin, which is also the\n"
            "                        default for an agent without a payload\n"
            "      --payload JSON    the input of a workflow; @FILE reads it, - is stdin\n"
            "      --session NAME    go on with this session; sessions last then\n"
            "      --id ID           the instance that the sessions belong to\n"
            "      --store FILE      where they are kept; default is .hob/sessions.db\n"
            "      --model MODEL     instead of the agent's: provider/model-id\n"
            "      --sandbox KIND    instead of the agent's: virtual, local, ...\n"
            "      --env FILE        variables from a file, instead of .env; may be repeated,\n"
            "                        the environment comes before all\n"
            "      --json            events as JSON lines on stderr, the result as JSON on stdout\n"
            "      --help            show this help\n"
            "\n"
            "NAME is agents/NAME.md or workflows/NAME.sh, below .hob if the project has it there.\n"
            "What happens goes to stderr, the result to stdout. Ctrl-C ends the work cleanly, a\n"
            "second one at once. Status: 0, 1 when it failed, 130 when it was interrupted, 2 for\n"
            "wrong options.\n",
    .run = run_main,
};

/* session.c -- hob session: what is kept of conversations */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/agent.h"
#include "cli/agentcli.h"
#include "text/json.h"

struct session_call {
    const struct project_options *o;
    struct project project;
    const char *store;
    const char *id, *session;
};

static int session_failed(const hob_error *err)
{
    cli_error("%s", err->msg);
    return AGENT_FAILED;
}

static struct str session_member(const struct json *v, const char *name)
{
    struct str s = STR("");
    const struct json *m = json_get(v, name);
    if (m && m->kind == JSON_NUMBER)
        return m->text;
    json_string(m, &s);
    return s;
}

static int session_list(struct session_call *c)
{
    hob_bytes data = {0};
    hob_error err = {0};
    struct arena a;

    if (access(c->store, F_OK) < 0)
        return 0; /* none yet */
    if (hob_store_list(c->store, &data, &err) < 0)
        return session_failed(&err);
    if (c->o->json) {
        fwrite(data.data, 1, data.len, stdout);
        hob_free(data.data);
        return 0;
    }
    arena_init(&a, &c->project.heap);
    struct str rest = str_of(data.data, data.len);
    while (rest.n > 0) {
        ptrdiff_t end = str_chr(rest, '\n');
        struct json *v;
        struct str line = end < 0 ? rest : str_sub(rest, 0, (size_t)end);
        rest = end < 0 ? STR_NONE : str_from(rest, (size_t)end + 1);
        if (json_parse(&a, line, 20, &v, NULL) < 0)
            continue;
        struct buf when;
        int64_t ms = 0;
        buf_init(&when, &c->project.heap);
        if (json_int(json_get(v, "updated"), &ms))
            event_time(&when, ms);
        printf("%-24s %-24s %6s entries  %s\n", session_member(v, "id").p,
               session_member(v, "session").p, session_member(v, "entries").p, buf_get(&when).p);
        buf_fini(&when);
    }
    arena_fini(&a);
    hob_free(data.data);
    return 0;
}

/* ---- show ------------------------------------------------------------------------------------ */

static void session_show_blocks(const struct json *m, struct buf *b)
{
    for (const struct json *x = json_get(m, "content") ? json_get(m, "content")->first : NULL; x;
         x = x->next) {
        struct str type = session_member(x, "type");
        if (str_eqz(type, "text")) {
            buf_str(b, session_member(x, "text"));
            buf_putc(b, '\n');
        } else if (str_eqz(type, "toolCall") || str_eqz(type, "call") || json_get(x, "name")) {
            const struct json *args = json_get(x, "arguments");
            args = args ? args : json_get(x, "args");
            buf_addz(b, "> ");
            buf_str(b, session_member(x, "name"));
            buf_putc(b, ' ');
            if (args && args->kind == JSON_STRING)
                buf_str(b, args->text);
            else if (args)
                json_write(b, args);
            buf_putc(b, '\n');
        } else if (!str_eqz(type, "thinking")) {
            buf_printf(b, "[%.*s]\n", STR_ARG(type));
        }
    }
}

static void session_show_entry(const struct json *e, struct buf *b)
{
    const struct json *m = json_get(e, "message");
    if (!m) {
        struct str summary = session_member(e, "summary");
        if (summary.n)
            buf_printf(b, "== compaction\n%.*s\n\n", STR_ARG(summary));
        return;
    }
    struct str role = session_member(m, "role"), tool = session_member(m, "toolName");
    if (tool.n == 0)
        tool = session_member(m, "tool");
    buf_printf(b, "== %.*s%s%.*s\n", STR_ARG(role), tool.n ? " " : "", STR_ARG(tool));
    session_show_blocks(m, b);
    buf_putc(b, '\n');
}

static int session_print(struct session_call *c, bool readable)
{
    hob_bytes data = {0};
    hob_error err = {0};
    struct buf b;
    struct arena a;

    if (hob_store_export(c->store, c->id, c->session, &data, &err) < 0)
        return session_failed(&err);
    if (!readable) {
        fwrite(data.data, 1, data.len, stdout);
        hob_free(data.data);
        return 0;
    }
    buf_init(&b, &c->project.heap);
    struct str rest = str_of(data.data, data.len);
    while (rest.n > 0) {
        ptrdiff_t end = str_chr(rest, '\n');
        struct json *v;
        arena_init(&a, &c->project.heap);
        if (json_parse(&a, end < 0 ? rest : str_sub(rest, 0, (size_t)end), 200, &v, NULL) == 0)
            session_show_entry(v, &b);
        arena_fini(&a);
        rest = end < 0 ? STR_NONE : str_from(rest, (size_t)end + 1);
    }
    int status = b.n ? report_print(str_trim(buf_get(&b))) : 0;
    buf_fini(&b);
    hob_free(data.data);
    return status;
}

static int session_delete(struct session_call *c)
{
    hob_error err = {0};
    return hob_store_delete(c->store, c->id, c->session, &err) < 0 ? session_failed(&err) : 0;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int session_run(struct session_call *c)
{
    const char *verb = c->o->name;
    if (strcmp(verb, "list") == 0)
        return c->o->noperands ? cli_usage("session", "list takes no operand") : session_list(c);
    bool show = strcmp(verb, "show") == 0, export = strcmp(verb, "export") == 0;
    if (!show && !export && strcmp(verb, "delete") != 0)
        return cli_usage("session", "%s: none of list, show, delete and export", verb);
    if (c->o->noperands < 1 || c->o->noperands > 2)
        return cli_usage("session", "%s: the ID is missing; 'hob session list' shows them", verb);
    c->id = c->o->operands[0];
    c->session = c->o->noperands > 1 ? c->o->operands[1] : "default";
    if (access(c->store, F_OK) < 0) {
        cli_error("%s: %s", c->store, strerror(errno));
        return AGENT_FAILED;
    }
    return show || export ? session_print(c, show) : session_delete(c);
}

static int session_main(int argc, char **argv)
{
    struct project_options o;
    struct session_call c = {.o = &o};
    int r = project_parse(&o, &cli_session, PROJECT_DIR | PROJECT_STORE | PROJECT_JSON, argc, argv);
    if (r == 0 && o.help) {
        cli_print_help(&cli_session);
    } else if (r == 0 && !o.name) {
        r = cli_usage("session", "one of list, show, delete and export is missing");
    } else if (r == 0) {
        r = project_open(&c.project, &o);
        if (r == 0) {
            c.store = project_store(&c.project, &o);
            r = session_run(&c);
            project_close(&c.project);
        }
    }
    project_options_fini(&o);
    return r;
}

const struct cli_command cli_session = {
    .name = "session",
    .usage = "session [-C DIR] [--store FILE] [--json] list | show|delete|export ID [SESSION]",
    .summary = "Look at the conversations that are kept.",
    .help =
        "  list                  the sessions: ID (AGENT/INSTANCE), name, entries, last change\n"
        "  show ID [SESSION]     the conversation to read; SESSION is \"default\" without it\n"
        "  export ID [SESSION]   the same as JSON lines\n"
        "  delete ID [SESSION]   remove it\n"
        "      --store FILE      where they are; default is .hob/sessions.db\n"
        "      --json            list as JSON lines\n"
        "      --help            show this help\n",
    .run = session_main,
};

/* tools.c -- hob tools: what a model can do */
#include <string.h>

#include "agent/tool.h"
#include "cli/agentcli.h"

static const struct tool *const tools_all[] = {&tool_read,   &tool_write,  &tool_edit, &tool_bash,
                                               &tool_grep,   &tool_glob,   &tool_task, &tool_skill,
                                               &tool_finish, &tool_give_up};

static void tools_print(const struct project_options *o, struct str name, struct str description,
                        struct str schema, const char *kind)
{
    struct heap h;
    struct buf b;
    cli_heap(&h);
    buf_init(&b, &h);
    if (o->json) {
        buf_addz(&b, "{\"name\":");
        json_quote(&b, name);
        buf_printf(&b, ",\"kind\":\"%s\",\"description\":", kind);
        json_quote(&b, description);
        buf_addz(&b, ",\"parameters\":");
        buf_str(&b, schema);
        buf_addz(&b, "}");
    } else {
        ptrdiff_t end = str_find(description, STR(". "));
        struct str first = end < 0 ? description : str_sub(description, 0, (size_t)end + 1);
        buf_printf(&b, "%-16.*s %.*s", STR_ARG(name), STR_ARG(first));
    }
    puts(buf_get(&b).p);
    buf_fini(&b);
}

static bool tools_shown(const hob_agent *a, const struct tool *t)
{
    if (!a)
        return true;
    if (t == &tool_finish || t == &tool_give_up)
        return false;
    if (t == &tool_task && (!a->subagents || !a->subagents[0]))
        return false;
    for (const char *const *b = a->builtin; b && *b; b++) {
        if (str_eqz(t->name, *b))
            return true;
    }
    return !a->builtin;
}

static void tools_list(const struct project_options *o, const hob_agent *a)
{
    for (size_t i = 0; i < COUNT(tools_all); i++) {
        if (tools_shown(a, tools_all[i]))
            tools_print(o, tools_all[i]->name, tools_all[i]->description, tools_all[i]->schema,
                        "builtin");
    }
    for (size_t i = 0; a && i < a->ntools; i++) {
        const hob_tool *t = &a->tools[i];
        tools_print(o, str_z(t->name), str_z(t->description ? t->description : ""),
                    str_z(t->schema ? t->schema : "{\"type\":\"object\"}"), "command");
    }
}

static int tools_run_command(const struct project_options *o)
{
    struct project p;
    hob_error err = {0};
    if (o->noperands)
        return cli_usage("tools", "one name is enough");
    if (!o->name) {
        tools_list(o, NULL);
        return 0;
    }
    int status = project_open(&p, o);
    if (status)
        return status;
    if (config_agent_read(&p.config, str_z(o->name), &p.agent, &err) < 0) {
        cli_error("%s", err.msg);
        status = AGENT_FAILED;
    } else {
        tools_list(o, &p.agent->o);
    }
    project_close(&p);
    return status;
}

static int tools_main(int argc, char **argv)
{
    struct project_options o;
    int r = project_parse(&o, &cli_tools, PROJECT_DIR | PROJECT_JSON, argc, argv);
    if (r == 0 && o.help)
        cli_print_help(&cli_tools);
    else if (r == 0)
        r = tools_run_command(&o);
    project_options_fini(&o);
    return r;
}

const struct cli_command cli_tools = {
    .name = "tools",
    .usage = "tools [-C DIR] [--json] [AGENT]",
    .summary = "List the tools that a model can call.",
    .help = "      --json            one object a line, with the JSON Schema of its arguments\n"
            "      --help            show this help\n"
            "\n"
            "With AGENT, those that this agent of the project shows.\n",
    .run = tools_main,
};

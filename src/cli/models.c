/* models.c -- hob models: the models that are known */
#include <string.h>

#include "cli/agentcli.h"
#include "text/json.h"

static void models_json(const hob_model *m)
{
    struct heap h;
    struct buf b;
    cli_heap(&h);
    buf_init(&b, &h);
    buf_addz(&b, "{\"id\":");
    json_quote(&b, str_z(m->id));
    buf_printf(&b, ",\"window\":%lld,\"output\":%lld,\"thinking\":%s,\"images\":%s",
               (long long)m->window, (long long)m->output, m->thinking ? "true" : "false",
               m->images ? "true" : "false");
    buf_printf(&b, ",\"price\":{\"input\":%g,\"output\":%g,\"cacheRead\":%g,\"cacheWrite\":%g}}",
               m->price_input, m->price_output, m->price_cache_read, m->price_cache_write);
    puts(buf_get(&b).p);
    buf_fini(&b);
}

static void models_row(const hob_model *m)
{
    printf("%-44s %9lld %8lld  %7.2f %7.2f %s%s\n", m->id, (long long)m->window,
           (long long)m->output, m->price_input, m->price_output, m->thinking ? " thinks" : "",
           m->images ? " sees" : "");
}

/* Rows whose id holds the text; how many there were. */
static size_t models_list(const struct project_options *o, const hob_model *rows, size_t n)
{
    size_t shown = 0;
    for (size_t i = 0; i < n; i++) {
        if (o->name && !strstr(rows[i].id, o->name))
            continue;
        if (o->json)
            models_json(&rows[i]);
        else
            models_row(&rows[i]);
        shown++;
    }
    return shown;
}

static int models_main(int argc, char **argv)
{
    struct project_options o;
    size_t n, shown;
    int r = project_parse(&o, &cli_models, PROJECT_JSON, argc, argv);
    if (r == 0 && o.help) {
        cli_print_help(&cli_models);
    } else if (r == 0 && o.noperands) {
        r = cli_usage("models", "one text is enough");
    } else if (r == 0) {
        const hob_model *rows = hob_models(&n);
        if (!o.json)
            printf("%-44s %9s %8s  %7s %7s\n", "model", "window", "output", "$ in", "$ out");
        shown = models_list(&o, rows, n);
        r = shown ? 0 : AGENT_FAILED;
    }
    project_options_fini(&o);
    return r;
}

const struct cli_command cli_models = {
    .name = "models",
    .usage = "models [--json] [TEXT]",
    .summary = "List the models that are known, with their prices per million tokens.",
    .help = "      --json            one object a line\n"
            "      --help            show this help\n"
            "\n"
            "With TEXT, those whose name holds it. Any other model of a provider can be used too:\n"
            "its window and price are unknown then, unless the agent's file gives them.\n",
    .run = models_main,
};

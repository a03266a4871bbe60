/* listing.c -- hob commands: what can be typed in a virtual sandbox, with the options of each */
#include <string.h>

#include "cli/cli.h"
#include "commands/table.h"
#include "text/json.h"

static void listing_member(struct buf *b, const char *key, const char *text)
{
    buf_printf(b, ",\"%s\":", key);
    json_quote(b, str_z(text));
}

static void listing_option(struct buf *b, const struct opt *o)
{
    char letter[2] = {o->letter, '\0'};
    buf_addz(b, "{\"kind\":");
    json_quote(b, o->arg ? STR("value") : STR("flag"));
    if (o->letter)
        listing_member(b, "short", letter);
    if (o->name)
        listing_member(b, "long", o->name);
    if (o->arg)
        listing_member(b, "argument", o->arg);
    if (o->flags & OPT_ARG_OPTIONAL)
        buf_addz(b, ",\"optional\":true");
    if (o->flags & OPT_LONG_ONLY_ARG)
        buf_addz(b, ",\"longOnly\":true");
    if (o->help && *o->help)
        listing_member(b, "help", o->help);
    buf_putc(b, '}');
}

static bool listing_is_option(const struct opt *o)
{
    return o->kind != OPT_KIND_GROUP && (o->letter || o->name);
}

static void listing_json(struct buf *b, const struct command *c)
{
    bool any = false;
    buf_addz(b, "{\"name\":");
    json_quote(b, str_z(c->name));
    listing_member(b, "summary", c->summary ? c->summary : "");
    listing_member(b, "usage", c->usage ? c->usage : "");
    if (c->flags & CMD_POSIXLY)
        buf_addz(b, ",\"posixly\":true"); /* options end at the first operand */
    buf_addz(b, ",\"options\":[");
    for (const struct opt *o = c->opts; o && o->kind != OPT_KIND_END; o++) {
        if (!listing_is_option(o))
            continue;
        if (any)
            buf_putc(b, ',');
        listing_option(b, o);
        any = true;
    }
    buf_addz(b, "]}");
}

/* One line: the name and the first line of what it does. */
static void listing_row(struct buf *b, const struct command *c)
{
    const char *text = c->summary ? c->summary : "";
    buf_printf(b, "%-16s %.*s", c->name, (int)strcspn(text, "\n"), text);
}

static void listing_print(const struct command *c, bool json)
{
    struct heap h;
    struct buf b;
    cli_heap(&h);
    buf_init(&b, &h);
    if (json)
        listing_json(&b, c);
    else
        listing_row(&b, c);
    puts(buf_get(&b).p);
    buf_fini(&b);
}

/* The help of one command, as --help prints it in the sandbox. */
static void listing_help(const struct command *c)
{
    struct heap h;
    struct buf b;
    cli_heap(&h);
    buf_init(&b, &h);
    command_help(&b, c);
    fputs(buf_get(&b).p, stdout);
    buf_fini(&b);
}

static const struct command *listing_find(const char *name)
{
    for (const struct command *const *c = commands_table; *c; c++) {
        if (strcmp((*c)->name, name) == 0)
            return *c;
    }
    return NULL;
}

static int listing_main(int argc, char **argv)
{
    bool json = false;
    int first = 1;
    for (; first < argc && argv[first][0] == '-' && argv[first][1]; first++) {
        if (strcmp(argv[first], "--help") == 0) {
            cli_print_help(&cli_listing);
            return 0;
        }
        if (strcmp(argv[first], "--json") != 0)
            return cli_usage("commands", "%s: unknown option", argv[first]);
        json = true;
    }
    for (int i = first; i < argc; i++) {
        const struct command *c = listing_find(argv[i]);
        if (!c)
            return cli_error("%s: there is no such command in a sandbox", argv[i]);
        if (json)
            listing_print(c, true);
        else
            listing_help(c);
    }
    for (const struct command *const *c = commands_table; first == argc && *c; c++)
        listing_print(*c, json);
    return 0;
}

const struct cli_command cli_listing = {
    .name = "commands",
    .usage = "commands [--json] [NAME]...",
    .summary = "List the commands of a virtual sandbox.",
    .help = "      --json            one object a line, with the options of each command\n"
            "      --help            show this help\n"
            "\n"
            "With NAME, what that command can do.\n",
    .run = listing_main,
};

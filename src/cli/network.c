/* network.c -- the options of `hob exec` and `hob shell` that open the network */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* Copies of arguments that are cut in place live until the end of the program's options. */
static char *cli_net_keep(struct cli_options *o, const char *arg)
{
    char **kept = realloc(o->kept, (o->nkept + 1) * sizeof *kept);
    char *copy = strdup(arg);
    if (kept)
        o->kept = kept;
    if (!kept || !copy) {
        free(copy);
        cli_error("out of memory");
        return NULL;
    }
    o->kept[o->nkept++] = copy;
    return copy;
}

/* PREFIX[,METHOD]...: methods are capital letters, so that a comma of the URL stays in it. */
int cli_parse_url(struct cli_options *o, const char *name, const char *arg)
{
    hob_net_rule *r = realloc(o->rules, (o->nrules + 1) * sizeof *r);
    char *prefix = cli_net_keep(o, arg), *comma;
    if (r)
        o->rules = r;
    if (!r || !prefix)
        return CLI_FAILED;
    if (!strstr(prefix, "://"))
        return cli_usage(name,
                         "--allow-url %s: the begin of a URL is wanted, such as "
                         "https://api.example.com/v1",
                         arg);
    r += o->nrules++;
    *r = (hob_net_rule){.prefix = prefix};
    for (comma = prefix; (comma = strchr(comma, ',')); comma++) {
        if (comma[1] && comma[1 + strspn(comma + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ*,")] == '\0')
            break;
    }
    if (!comma)
        return 0;
    *comma = '\0';
    r->methods = comma + 1;
    for (char *p = comma + 1; *p; p++)
        *p = *p == ',' ? ' ' : *p;
    return 0;
}

/* HOST,HEADER,VARIABLE: the value comes out of the environment, so that it is in no list of
 * processes. */
int cli_parse_secret(struct cli_options *o, const char *name, const char *arg)
{
    hob_net_secret *s = realloc(o->secrets, (o->nsecrets + 1) * sizeof *s);
    char *host = cli_net_keep(o, arg);
    if (s)
        o->secrets = s;
    if (!s || !host)
        return CLI_FAILED;
    char *header = strchr(host, ','), *variable = header ? strchr(header + 1, ',') : NULL;
    if (!variable || header == host || variable == header + 1 || !variable[1])
        return cli_usage(name, "--secret %s: HOST,HEADER,VARIABLE is wanted", arg);
    *header++ = *variable++ = '\0';
    const char *value = getenv(variable);
    if (!value)
        return cli_error("--secret %s: the variable %s is not set", arg, variable);
    o->secrets[o->nsecrets++] = (hob_net_secret){.host = host, .header = header, .value = value};
    return 0;
}

hob_network cli_network(const struct cli_options *o)
{
    return (hob_network){
        .mode = o->allow_net ? HOB_NET_OPEN
                : o->nrules  ? HOB_NET_LIST
                             : HOB_NET_CLOSED,
        .rules = o->rules,
        .nrules = o->nrules,
        .allow_private = o->allow_private,
        .secrets = o->secrets,
        .nsecrets = o->nsecrets,
        .ca_file = o->ca_file,
    };
}

const char *cli_network_given(const struct cli_options *o)
{
    return o->allow_net       ? "--allow-net"
           : o->nrules        ? "--allow-url"
           : o->allow_private ? "--allow-private"
           : o->nsecrets      ? "--secret"
           : o->ca_file       ? "--ca-file"
                              : NULL;
}

void cli_network_fini(struct cli_options *o)
{
    for (size_t i = 0; i < o->nkept; i++)
        free(o->kept[i]);
    free(o->kept);
    free(o->rules);
    free(o->secrets);
}

/* options.c -- the options that `hob exec` and `hob shell` share */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

uint64_t cli_size(const char *s)
{
    char *end;
    double v = strtod(s, &end);
    static const char units[] = "KMGT";
    const char *u = *end ? strchr(units, *end & ~32) : NULL;
    if (end == s || !(v > 0))
        return 0;
    if (u) {
        v *= pow(1024, (double)(u - units + 1));
        end++;
        if (*end == 'i')
            end++;
        if (*end == 'B' || *end == 'b')
            end++;
    }
    return *end || v >= 9e18 ? 0 : (uint64_t)v;
}

/* HOST:GUEST[:KIND], cut in place. */
static int cli_parse_mount(struct cli_options *o, const char *name, const char *arg)
{
    static const char *const kinds[] = {"ro", "rw", "overlay", "copy"};
    struct cli_mount *m = realloc(o->mounts, (o->nmounts + 1) * sizeof *m);
    if (!m)
        return cli_error("out of memory");
    o->mounts = m;
    m += o->nmounts;
    *m = (struct cli_mount){.host = strdup(arg), .kind = HOB_MOUNT_RW};
    if (!m->host)
        return cli_error("out of memory");
    o->nmounts++;
    char *guest = strchr(m->host, ':');
    if (!guest || guest == m->host || guest[1] != '/')
        return cli_usage(name,
                         "--mount %s: HOST:GUEST[:ro|:rw|:overlay|:copy] is wanted, GUEST "
                         "absolute",
                         arg);
    *guest++ = '\0';
    char *kind = strchr(guest, ':');
    m->guest = guest;
    if (!kind)
        return 0;
    *kind++ = '\0';
    for (size_t i = 0; i < 4; i++)
        if (strcmp(kind, kinds[i]) == 0) {
            m->kind = (int)i;
            return 0;
        }
    return cli_usage(name, "--mount %s: '%s' is none of ro, rw, overlay, copy", arg, kind);
}

static int cli_parse_env(struct cli_options *o, const char *name, const char *arg)
{
    const char *eq = strchr(arg, '=');
    if (!eq || eq == arg)
        return cli_usage(name, "--env %s: NAME=VALUE is wanted", arg);
    const char **e = realloc(o->env, (o->nenv + 2) * sizeof *e);
    if (!e)
        return cli_error("out of memory");
    o->env = e;
    e[o->nenv++] = arg;
    e[o->nenv] = NULL;
    return 0;
}

static int cli_parse_timeout(struct cli_options *o, const char *name, const char *arg)
{
    char *end;
    double v = strtod(arg, &end);
    if (end == arg || (*end && !(*end == 's' && !end[1])) || !(v > 0) || v > 9e9)
        return cli_usage(name, "--timeout %s: a number of seconds is wanted", arg);
    o->timeout_ns = (int64_t)(v * 1e9);
    return 0;
}

/* An option with an argument: "--name ARG", "--name=ARG", "-xARG". The argument, or NULL. */
static const char *cli_argument(const char *opt, const char *name, int argc, char **argv, int *i)
{
    size_t n = strlen(name);
    if (strncmp(opt, name, n) != 0)
        return NULL;
    if (name[1] != '-' && opt[n])
        return opt + n;
    if (opt[n] == '=')
        return opt + n + 1;
    if (opt[n] || *i + 1 >= argc)
        return NULL;
    return argv[++*i];
}

/* `virtual` is the default, and NULL. What only a virtual sandbox has is looked at afterwards. */
static int cli_parse_sandbox(struct cli_options *o, const char *name, const char *arg)
{
    static const char *const others[] = {"local", "exec"};
    o->sandbox = NULL;
    if (strcmp(arg, "virtual") == 0 || strcmp(arg, "empty") == 0)
        return 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(arg, others[i]) == 0) {
            o->sandbox = others[i];
            return 0;
        }
    return cli_usage(name, "--sandbox %s: one of virtual, local and exec is wanted", arg);
}

static int cli_check_sandbox(const struct cli_options *o, const char *name)
{
    const char *what = o->nmounts  ? "--mount: only a virtual sandbox has mounts"
                       : o->memory ? "--memory: only a virtual sandbox has this limit"
                       : o->diff   ? "--diff: only a virtual sandbox can tell what changed"
                       : o->apply  ? "--apply: only a virtual sandbox holds changes back"
                                   : NULL;
    if (o->sandbox && cli_network_given(o))
        return cli_usage(name,
                         "%s: only a virtual sandbox has a network of its own; a %s one "
                         "has the host's",
                         cli_network_given(o), o->sandbox);
    if (!cli_network(o).mode && cli_network_given(o))
        return cli_usage(name, "%s: the network is closed; open it with --allow-net or --allow-url",
                         cli_network_given(o));
    if (!o->sandbox || !what)
        return 0;
    return cli_usage(name, "%s; in a %s one a script works on the host's own files", what,
                     o->sandbox);
}

static int cli_parse_one(struct cli_options *o, const char *name, int argc, char **argv, int *i)
{
    const char *opt = argv[*i], *arg;
    if (strcmp(opt, "--json") == 0)
        o->json = true;
    else if (strcmp(opt, "--diff") == 0)
        o->diff = true;
    else if (strcmp(opt, "--apply") == 0)
        o->apply = true;
    else if (strcmp(opt, "--allow-net") == 0)
        o->allow_net = true;
    else if (strcmp(opt, "--allow-private") == 0)
        o->allow_private = true;
    else if (strcmp(opt, "--help") == 0 || strcmp(opt, "-h") == 0)
        o->help = true;
    else if ((arg = cli_argument(opt, "--sandbox", argc, argv, i)))
        return cli_parse_sandbox(o, name, arg);
    else if ((arg = cli_argument(opt, "--mount", argc, argv, i)))
        return cli_parse_mount(o, name, arg);
    else if ((arg = cli_argument(opt, "--env", argc, argv, i)))
        return cli_parse_env(o, name, arg);
    else if ((arg = cli_argument(opt, "--allow-url", argc, argv, i)))
        return cli_parse_url(o, name, arg);
    else if ((arg = cli_argument(opt, "--secret", argc, argv, i)))
        return cli_parse_secret(o, name, arg);
    else if ((arg = cli_argument(opt, "--ca-file", argc, argv, i)))
        o->ca_file = arg;
    else if ((arg = cli_argument(opt, "--timeout", argc, argv, i)))
        return cli_parse_timeout(o, name, arg);
    else if ((arg = cli_argument(opt, "--memory", argc, argv, i))) {
        o->memory = cli_size(arg);
        if (!o->memory)
            return cli_usage(name, "--memory %s: a size such as 64M is wanted", arg);
    } else if ((arg = cli_argument(opt, "-C", argc, argv, i)))
        o->cwd = arg;
    else if ((arg = cli_argument(opt, "-f", argc, argv, i)) ||
             (arg = cli_argument(opt, "--file", argc, argv, i)))
        o->file = arg;
    else
        return cli_usage(name, "%s: unknown option, or its argument is missing", opt);
    return 0;
}

int cli_parse(struct cli_options *o, const struct cli_command *c, int argc, char **argv)
{
    *o = (struct cli_options){0};
    int i = 1;
    for (; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            o->argv = argv + i + 1;
            break;
        }
        if (argv[i][0] != '-' || !argv[i][1]) {
            if (o->script)
                return cli_usage(c->name, "%s: one script is enough", argv[i]);
            o->script = argv[i];
            continue;
        }
        int r = cli_parse_one(o, c->name, argc, argv, &i);
        if (r)
            return r;
    }
    return cli_check_sandbox(o, c->name);
}

void cli_options_fini(struct cli_options *o)
{
    for (size_t i = 0; i < o->nmounts; i++)
        free(o->mounts[i].host);
    free(o->mounts);
    free(o->env);
    cli_network_fini(o);
}

hob_sandbox_options cli_sandbox_options(const struct cli_options *o)
{
    extern char **environ;
    return (hob_sandbox_options){
        .size = sizeof(hob_sandbox_options),
        .cwd = o->cwd,
        .env = o->env,
        .host_env = (const char *const *)environ,
        .output = o->json ? 0 : HOB_UNLIMITED, /* what is streamed is not kept */
    };
}

int cli_sandbox(const struct cli_options *o, hob_sandbox **out)
{
    hob_options opt = {.size = sizeof opt,
                       .env = o->env,
                       .limits = {.memory = o->memory},
                       .network = cli_network(o)};
    hob_error err;
    if (o->sandbox) {
        hob_sandbox_options so = cli_sandbox_options(o);
        return hob_sandbox_open(o->sandbox, &so, out, &err) < 0 ? cli_error("%s", err.msg) : 0;
    }
    if (hob_sandbox_new(&opt, out, &err) < 0)
        return cli_error("%s", err.msg);
    for (size_t i = 0; i < o->nmounts; i++) {
        const struct cli_mount *m = &o->mounts[i];
        hob_mount_options mo = {.size = sizeof mo, .kind = m->kind, .host_dir = m->host};
        if (hob_mount(*out, m->guest, &mo, &err) < 0) {
            hob_sandbox_free(*out);
            *out = NULL;
            return cli_error("--mount %s: %s", m->host, err.msg);
        }
    }
    if (o->cwd && !hob_exists(*out, o->cwd)) {
        int r = hob_mkdir(*out, o->cwd, HOB_RECURSIVE);
        if (r < 0) {
            hob_sandbox_free(*out);
            *out = NULL;
            return cli_error("-C %s: %s", o->cwd, hob_error_text(r));
        }
    }
    return 0;
}

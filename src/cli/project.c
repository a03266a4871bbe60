/* project.c -- options of the subcommands for agents, and a harness made from them */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/agentcli.h"

extern char **environ;

/* ---- options --------------------------------------------------------------------------------- */

static const struct project_option {
    const char *name;
    unsigned group;
    bool argument;
    size_t place; /* of a const char * or a bool */
} project_table[] = {
    {"-C", PROJECT_DIR, true, offsetof(struct project_options, dir)},
    {"-m", PROJECT_MESSAGE, true, offsetof(struct project_options, message)},
    {"--message", PROJECT_MESSAGE, true, offsetof(struct project_options, message)},
    {"--payload", PROJECT_PAYLOAD, true, offsetof(struct project_options, payload)},
    {"--id", PROJECT_ID, true, offsetof(struct project_options, id)},
    {"--session", PROJECT_SESSION, true, offsetof(struct project_options, session)},
    {"--model", PROJECT_MODEL, true, offsetof(struct project_options, model)},
    {"--sandbox", PROJECT_SANDBOX, true, offsetof(struct project_options, sandbox)},
    {"--store", PROJECT_STORE, true, offsetof(struct project_options, store)},
    {"--env", PROJECT_ENV, true, offsetof(struct project_options, env)},
    {"--json", PROJECT_JSON, false, offsetof(struct project_options, json)},
    {"--force", PROJECT_FORCE, false, offsetof(struct project_options, force)},
    {"--help", ~0u, false, offsetof(struct project_options, help)},
    {"-h", ~0u, false, offsetof(struct project_options, help)},
};

/* --name ARG, --name=ARG, -xARG. */
static const char *project_argument(const struct project_option *t, int argc, char **argv, int *i)
{
    size_t n = strlen(t->name);
    const char *arg = argv[*i];
    if (t->name[1] != '-' && arg[n])
        return arg + n;
    if (arg[n] == '=')
        return arg + n + 1;
    return *i + 1 < argc ? argv[++*i] : NULL;
}

static const struct project_option *project_find(const char *arg, unsigned takes)
{
    for (size_t i = 0; i < COUNT(project_table); i++) {
        const struct project_option *t = &project_table[i];
        size_t n = strlen(t->name);
        if (!(t->group & takes) && t->group != ~0u)
            continue;
        bool is = strcmp(arg, t->name) == 0 || (t->argument && strncmp(arg, t->name, n) == 0 &&
                                                (arg[n] == '=' || t->name[1] != '-'));
        if (is)
            return t;
    }
    return NULL;
}

static int project_set(struct project_options *o, const struct project_option *t, const char *arg)
{
    if (!t->argument) {
        *(bool *)((char *)o + t->place) = true;
        return 0;
    }
    if (t->group != PROJECT_ENV) {
        *(const char **)(void *)((char *)o + t->place) = arg;
        return 0;
    }
    const char **e = realloc(o->env, (o->nenv + 2) * sizeof *e);
    if (!e)
        return cli_error("out of memory");
    o->env = e;
    e[o->nenv++] = arg;
    e[o->nenv] = NULL;
    return 0;
}

int project_parse(struct project_options *o, const struct cli_command *c, unsigned takes, int argc,
                  char **argv)
{
    *o = (struct project_options){0};
    for (int i = 1; i < argc; i++) {
        const char *opt = argv[i];
        if (opt[0] != '-' || !opt[1]) {
            if (!o->name)
                o->name = opt;
            else if (o->noperands < COUNT(o->operands))
                o->operands[o->noperands++] = opt;
            else
                return cli_usage(c->name, "%s: too many operands", opt);
            continue;
        }
        const struct project_option *t = project_find(opt, takes);
        const char *arg = t && t->argument ? project_argument(t, argc, argv, &i) : NULL;
        if (!t || (t->argument && !arg))
            return cli_usage(c->name, "%s: unknown option, or its argument is missing", opt);
        int r = project_set(o, t, arg);
        if (r)
            return r;
    }
    return 0;
}

void project_options_fini(struct project_options *o) { free(o->env); }

/* ---- opening --------------------------------------------------------------------------------- */

int project_open(struct project *p, const struct project_options *o)
{
    hob_error err = {0};
    *p = (struct project){0};
    cli_heap(&p->heap);
    if (config_open(&p->config, &p->heap, o->dir ? o->dir : ".", (const char *const *)environ,
                    o->env, &err) < 0) {
        config_close(&p->config);
        cli_error("%s", err.msg);
        return AGENT_FAILED;
    }
    return 0;
}

const char *project_store(struct project *p, const struct project_options *o)
{
    if (o->store)
        return o->store;
    if (p->agent && p->agent->o.store)
        return p->agent->o.store;
    struct str path = config_path(&p->config, STR(".hob/sessions.db"));
    return path.p;
}

/* The folder that the file of sessions is in. */
static void project_make_folder(struct project *p, const char *store)
{
    const char *slash = strrchr(store, '/');
    struct str dir =
        slash ? arena_str(&p->config.arena, str_of(store, (size_t)(slash - store))) : STR_NONE;
    if (dir.n)
        mkdir(dir.p, 0777); /* that it cannot be made is said by whoever opens the file */
}

int project_harness(struct project *p, const struct project_options *o, const char *agent,
                    bool keep, struct report *report)
{
    hob_error err = {0};
    int r = config_agent_read(&p->config, str_z(agent), &p->agent, &err);

    if (r == 0)
        r = config_sandbox_open(&p->config, p->agent, o->sandbox, &p->box, &err);
    if (r == 0) {
        hob_agent *a = &p->agent->o;
        for (const char *const *e = p->config.env; e && *e; e++)
            if (strncmp(*e, "HOB_MODEL=", 10) == 0 && (*e)[10])
                a->model = *e + 10;
        if (o->model)
            a->model = o->model;
        if (keep)
            a->store = project_store(p, o);
        if (a->store)
            project_make_folder(p, a->store);
        a->event = report_event;
        a->event_ud = report;
        snprintf(p->id, sizeof p->id, "%s/%s", agent, o->id ? o->id : "default");
        r = hob_init(NULL, a, p->id, &p->harness, &err);
        if (r < 0 && !strstr(err.msg, p->agent->file))
            error_prefix(&err, "%s", p->agent->file);
    }
    if (r < 0) {
        report_clear(report);
        cli_error("%s", err.msg);
        return AGENT_FAILED;
    }
    return 0;
}

void project_close(struct project *p)
{
    hob_harness_free(p->harness);
    hob_sandbox_free(p->box);
    config_close(&p->config);
}

/* ---- driving --------------------------------------------------------------------------------- */

static volatile sig_atomic_t project_signal;

static void project_on_signal(int sig)
{
    if (project_signal)
        _exit(128 + sig);
    project_signal = sig;
}

void project_signals(void)
{
    struct sigaction sa = {.sa_handler = project_on_signal};
    sigaction(SIGINT, &sa, NULL);
    sigaction(SIGTERM, &sa, NULL);
    signal(SIGPIPE, SIG_IGN);
}

int project_interrupted(void) { return project_signal; }

void project_forget_signal(void) { project_signal = 0; }

void project_drive(hob_loop *loop, struct workflow *w, struct report *report,
                   bool (*done)(void *ud), void (*stop)(void *ud), void *ud)
{
    bool stopped = false;
    while (!done(ud)) {
        if (project_signal && !stopped) {
            stopped = true;
            stop(ud);
        }
        int r = loop ? hob_loop_step(loop) : HOB_STEP_IDLE;
        int s = w && !workflow_done(w) ? workflow_step(w) : HOB_STEP_IDLE;
        report_tick(report);
        if (r == HOB_STEP_MORE || s == HOB_STEP_MORE || done(ud))
            continue;
        /* A signal may come before the wait begins: it is never long. */
        int64_t most = 100000000, left = w ? workflow_timeout(w) : -1;
        most = left >= 0 && left < most ? left : most;
        if (loop) {
            hob_loop_wait(loop, most);
        } else {
            struct timespec t = {0, (long)most};
            nanosleep(&t, NULL);
        }
    }
}

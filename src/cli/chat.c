/* chat.c -- hob chat: a conversation with an agent, line by line */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/agentcli.h"

struct chat {
    struct project project;
    struct report report;
    struct line *line;
    hob_session *session;
    hob_op *op;
    char *model; /* from /model, or NULL */
    bool tty;
    int status;
};

static bool chat_done(void *ud) { return hob_op_done(((struct chat *)ud)->op); }

static void chat_stop(void *ud) { hob_op_abort(((struct chat *)ud)->op, "interrupted"); }

static void chat_failed(struct chat *c, const hob_error *err)
{
    report_clear(&c->report);
    cli_error("%s", err->msg);
    c->status = AGENT_FAILED;
}

/* Drives the operation that was started; Ctrl-C ends it and not the chat. */
static int chat_wait(struct chat *c, hob_reply *reply, hob_result *res)
{
    hob_error err = {0};
    project_forget_signal();
    project_drive(hob_harness_loop(c->project.harness), NULL, &c->report, chat_done, chat_stop, c);
    int r = hob_op_finish(c->op, reply, res, &err);
    project_forget_signal();
    report_clear(&c->report);
    if (r < 0)
        chat_failed(c, &err);
    return r;
}

static void chat_say(struct chat *c, const char *text)
{
    hob_prompt_options o = {.size = sizeof o, .model = c->model};
    hob_reply reply = {0};
    hob_error err = {0};
    c->status = 0;
    if (hob_prompt_start(c->session, text, &o, &c->op, &err) < 0)
        chat_failed(c, &err);
    else
        chat_wait(c, &reply, NULL);
    hob_reply_free(&reply);
}

/* ---- commands -------------------------------------------------------------------------------- */

static void chat_help(struct chat *c, const char *arg);

static void chat_compact(struct chat *c, const char *arg)
{
    hob_error err = {0};
    (void)arg;
    if (hob_compact_start(c->session, &c->op, &err) < 0)
        chat_failed(c, &err);
    else if (chat_wait(c, NULL, NULL) == 0)
        puts("The conversation was compacted.");
}

/* In the agent's sandbox; the agent sees it in the conversation. */
static void chat_shell(struct chat *c, const char *arg)
{
    hob_error err = {0};
    hob_result res = {0};
    if (!*arg) {
        puts("/shell COMMAND runs a command in the agent's sandbox.");
        return;
    }
    if (hob_shell_start(c->session, arg, NULL, &c->op, &err) < 0) {
        chat_failed(c, &err);
        return;
    }
    if (chat_wait(c, NULL, &res) == 0) {
        if (res.out_len)
            report_print(str_of(res.out, res.out_len));
        if (res.err_len)
            report_print(str_of(res.err, res.err_len));
        if (res.status)
            printf("(status %d)\n", res.status);
    }
    if (res.out)
        hob_result_free(&res);
}

static void chat_session(struct chat *c, const char *arg)
{
    hob_error err = {0};
    if (*arg &&
        hob_harness_session(c->project.harness, arg, HOB_SESSION_OPEN, &c->session, &err) < 0)
        chat_failed(c, &err);
    else
        printf("session %s\n", hob_session_name(c->session));
}

static void chat_model(struct chat *c, const char *arg)
{
    if (*arg) {
        free(c->model);
        c->model = strdup(arg);
    }
    const char *own = c->project.agent->o.model;
    printf("model %s\n", c->model ? c->model : own ? own : "(none)");
}

static void chat_skill(struct chat *c, const char *arg)
{
    hob_prompt_options o = {.size = sizeof o, .model = c->model};
    hob_reply reply = {0};
    hob_error err = {0};
    char name[80];
    size_t n = strcspn(arg, " ");
    snprintf(name, sizeof name, "%.*s", (int)n, arg);
    while (arg[n] == ' ')
        n++;
    o.args = arg[n] ? arg + n : NULL;
    if (hob_skill_start(c->session, name, &o, &c->op, &err) < 0)
        chat_failed(c, &err);
    else
        chat_wait(c, &reply, NULL);
    hob_reply_free(&reply);
}

static void chat_usage(struct chat *c, const char *arg)
{
    (void)arg;
    printf("%d turns, %.0f tokens in, %.0f out, $%.4f\n", c->report.turns, c->report.tokens_in,
           c->report.tokens_out, c->report.cost);
}

static const struct chat_command {
    const char *name, *help;
    void (*run)(struct chat *c, const char *arg);
} chat_commands[] = {
    {"help", "this list", chat_help},
    {"exit", "end the chat; Ctrl-D does too", NULL},
    {"shell", "COMMAND: run it in the agent's sandbox; !COMMAND does too", chat_shell},
    {"skill", "NAME [JSON]: let the agent use a skill", chat_skill},
    {"session", "[NAME]: go to another session", chat_session},
    {"model", "[MODEL]: talk to another model", chat_model},
    {"compact", "sum up the conversation so far", chat_compact},
    {"usage", "tokens and cost of this chat", chat_usage},
};

static void chat_help(struct chat *c, const char *arg)
{
    (void)c, (void)arg;
    for (size_t i = 0; i < COUNT(chat_commands); i++)
        printf("  /%-8s %s\n", chat_commands[i].name, chat_commands[i].help);
    puts("A line that ends with \\ goes on in the next. Ctrl-C ends what the agent does.");
}

/* False: the chat is over. */
static bool chat_command(struct chat *c, const char *text)
{
    size_t n = strcspn(text, " ");
    const char *arg = text + n + strspn(text + n, " ");

    if (strncmp(text, "quit", n) == 0 && n == 4)
        return false;
    for (size_t i = 0; i < COUNT(chat_commands); i++) {
        if (strlen(chat_commands[i].name) != n || strncmp(text, chat_commands[i].name, n) != 0)
            continue;
        if (!chat_commands[i].run)
            return false;
        chat_commands[i].run(c, arg);
        return true;
    }
    printf("There is no /%.*s; /help lists what there is.\n", (int)n, text);
    return true;
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* One message: a line, and those that continue it. NULL at the end. */
static char *chat_read(struct chat *c, bool *interrupted)
{
    char *all = NULL;
    size_t n = 0;
    for (;;) {
        char *part = line_read(c->line, all ? "... " : "> ", interrupted);
        if (!part)
            return all;
        size_t m = strlen(part);
        bool more = m && part[m - 1] == '\\' && !*interrupted;
        char *p = realloc(all, n + m + 2);
        if (!p || *interrupted) {
            free(part);
            free(p ? p : all);
            return p ? strdup("") : NULL;
        }
        all = p;
        memcpy(all + n, part, m + 1);
        free(part);
        n += m;
        if (!more)
            return all;
        all[n - 1] = '\n';
        all[n] = '\0';
    }
}

static void chat_loop(struct chat *c)
{
    bool interrupted = false, on = true;
    char *text;
    while (on && (text = chat_read(c, &interrupted))) {
        const char *at = text + strspn(text, " \t");
        if (interrupted) {
            project_forget_signal();
            putchar('\n');
        } else if (at[0] == '/') {
            on = chat_command(c, at + 1);
        } else if (at[0] == '!') {
            chat_shell(c, at + 1 + strspn(at + 1, " "));
        } else if (*at) {
            chat_say(c, text);
        }
        fflush(stdout);
        free(text);
    }
    if (on && c->tty)
        putchar('\n');
}

static int chat_start(const struct project_options *o)
{
    struct chat c = {.tty = isatty(0) && isatty(1)};
    hob_error err = {0};
    if (!o->name || o->noperands)
        return cli_usage("chat",
                         o->name ? "one name is enough" : "the name of an agent is missing");
    int status = project_open(&c.project, o);
    if (status)
        return status;
    report_init(&c.report, o->json);
    c.report.echo = !o->json;
    project_signals();
    status = project_harness(&c.project, o, o->name, true, &c.report);
    if (status == 0 && hob_harness_session(c.project.harness, o->session, HOB_SESSION_OPEN,
                                           &c.session, &err) < 0) {
        cli_error("%s", err.msg);
        status = AGENT_FAILED;
    }
    if (status == 0 && (c.line = line_open())) {
        if (c.tty)
            printf("%s in a %s sandbox, session %s. /help lists commands.\n", o->name,
                   hob_sandbox_kind(c.project.box), hob_session_name(c.session));
        chat_loop(&c);
        status = c.tty ? 0 : c.status;
    }
    line_close(c.line);
    free(c.model);
    project_close(&c.project);
    report_fini(&c.report);
    return status;
}

static int chat_main(int argc, char **argv)
{
    struct project_options o;
    int r = project_parse(&o, &cli_chat,
                          PROJECT_DIR | PROJECT_ID | PROJECT_SESSION | PROJECT_MODEL |
                              PROJECT_SANDBOX | PROJECT_ENV | PROJECT_JSON | PROJECT_STORE,
                          argc, argv);
    if (r == 0 && o.help)
        cli_print_help(&cli_chat);
    else if (r == 0)
        r = chat_start(&o);
    project_options_fini(&o);
    return r;
}

const struct cli_command cli_chat = {
    .name = "chat",
    .usage = "chat [OPTION]... NAME",
    .summary = "Talk with an agent of the project.",
    .help = "  -C DIR, --session NAME, --id ID, --store FILE, --model MODEL, --sandbox KIND,\n"
            "  --env FILE, --json    as for 'hob run'\n"
            "      --help            show this help\n"
            "\n"
            "Sessions are kept in .hob/sessions.db of the project: the next chat goes on where\n"
            "this one ended. /help in the chat lists its commands. Without a terminal every line\n"
            "of stdin is a message.\n",
    .run = chat_main,
};

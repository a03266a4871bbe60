/* agentcli.h -- what the subcommands for agents share: a project, a harness, and how events look */
#ifndef HOB_CLI_AGENTCLI_H
#define HOB_CLI_AGENTCLI_H

#include "agent/config.h"
#include "agent/workflow.h"
#include "cli/cli.h"

enum {
    AGENT_FAILED = 1, /* exit statuses of `hob run` and `hob chat` */
    AGENT_ABORTED = 130
};

/* ---- report.c: events for people ---- */

struct report {
    bool json;   /* NDJSON instead */
    bool tty;    /* of stderr: a progress line, colours */
    bool colour; /* NO_COLOR is not set */
    bool echo;   /* texts of the model go to stdout as they come (chat) */
    struct heap heap;
    bool in_text;    /* the last thing printed was text without a newline */
    bool progress;   /* a progress line stands there */
    struct buf text; /* of the message that is being streamed */
    struct buf line; /* a line of it that is not complete */
    struct buf busy; /* names of the tools that run, each with a newline */
    int64_t since;   /* when the wait began, nanoseconds */
    int64_t ticked;
    int turns;
    double tokens_in, tokens_out, cost;
    char session[80]; /* of the last event shown */
    char call[80];    /* the tool call whose line was printed last */
};

void report_init(struct report *r, bool json);
void report_fini(struct report *r);
void report_event(void *ud, const hob_event *event); /* a hob_event_fn; ud is the report */
void report_tick(struct report *r);                  /* now and then, for the progress line */
void report_clear(struct report *r);                 /* before something else is printed */
void report_end(struct report *r);                   /* a last line: turns, tokens, cost */
/* Bytes for a terminal: what could move its cursor is shown as \xNN. */
void report_clean(struct buf *out, struct str s);
/* To stdout: cleaned when that is a terminal, as it is otherwise. A newline is added if none is
 * there. */
int report_print(struct str s);

/* ---- project.c: options, and a harness from them ---- */

struct project_options {
    const char *name; /* of the agent or workflow */
    const char *dir, *message, *payload, *id, *session, *model, *sandbox, *store;
    const char **env; /* files, ended by NULL */
    size_t nenv;
    bool json, help, force;
    const char *operands[4]; /* behind the name */
    size_t noperands;
};

enum {
    PROJECT_DIR = 1,
    PROJECT_MESSAGE = 2,
    PROJECT_PAYLOAD = 4,
    PROJECT_ID = 8,
    PROJECT_SESSION = 16,
    PROJECT_MODEL = 32,
    PROJECT_SANDBOX = 64,
    PROJECT_ENV = 128,
    PROJECT_JSON = 256,
    PROJECT_STORE = 512,
    PROJECT_FORCE = 1024
};
/* Fills o from the options that the command takes: 0, or an exit status after a message. */
int project_parse(struct project_options *o, const struct cli_command *c, unsigned takes, int argc,
                  char **argv);
void project_options_fini(struct project_options *o);

struct project {
    struct heap heap;
    struct config config;
    struct config_agent *agent;
    hob_sandbox *box;
    hob_harness *harness;
    char id[200]; /* NAME/ID in the store */
};

/* 0, or an exit status after a message. */
int project_open(struct project *p, const struct project_options *o);
/* Reads the agent and makes its harness. keep: sessions last, in .hob/sessions.db unless the
 * agent or --store says otherwise. */
int project_harness(struct project *p, const struct project_options *o, const char *agent,
                    bool keep, struct report *report);
void project_close(struct project *p);
/* The file of sessions, in the arena of the config. */
const char *project_store(struct project *p, const struct project_options *o);

/* Signals: the first SIGINT or SIGTERM is noticed here, a second one ends the program. */
void project_signals(void);
int project_interrupted(void); /* the signal, or 0 */
void project_forget_signal(void);
/* Steps the loop and the workflow (may be NULL) until done(ud). An interrupt calls abort(ud)
 * once. */
void project_drive(hob_loop *loop, struct workflow *w, struct report *report,
                   bool (*done)(void *ud), void (*stop)(void *ud), void *ud);

/* ---- line.c: a line from a terminal or a pipe ---- */
struct line;
struct line *line_open(void);
/* The next line without its newline, malloc'ed; NULL at the end. *interrupted is set by Ctrl-C, and
 * the line is empty then. */
char *line_read(struct line *l, const char *prompt, bool *interrupted);
void line_close(struct line *l);

extern const struct cli_command cli_run, cli_chat, cli_session, cli_init, cli_tools, cli_models;

#endif

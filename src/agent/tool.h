/* tool.h -- what the model can do: one struct per tool, and the gate all calls go through
 *
 * A tool runs on a task of its own, beside the other calls of the same message. It fills `out` with
 * the text for the model. Its result: 0, or an error whose text (err) becomes an error result;
 * what stands in `out` then is shown below that text.
 */
#ifndef HOB_AGENT_TOOL_H
#define HOB_AGENT_TOOL_H

#include "agent/agent.h"
#include "text/schema.h"

enum {
    TOOL_LINES = 2000,     /* of read and bash */
    TOOL_BYTES = 50 << 10, /* of read and bash */
    TOOL_MATCHES = 100,    /* of grep */
    TOOL_COLUMNS = 500,    /* of one line of grep */
    TOOL_FILES = 1000,     /* of glob */
    TOOL_DEPTH = 4         /* of tasks inside of tasks */
};

/* One call, while it runs. */
struct call {
    struct turn *turn;
    struct hob_harness *harness;
    struct cancel cancel; /* a child of the operation's */
    struct arena arena;
    const struct tool *tool; /* NULL: there is none of that name */
    struct str id, name;
    const struct json *args; /* checked against the schema */
    struct str args_text;
    struct buf out;
    struct buf details;     /* members of a JSON object for events, may be empty */
    struct buf image;       /* base64, for a model that sees images; may be empty */
    const char *image_mime; /* static */
    bool ends;              /* the prompt ends with this call (finish, give_up) */
    bool failed;            /* the result is an error */
};

struct tool {
    struct str name, description;
    struct str schema; /* JSON text */
    int (*run)(struct call *c, struct hob_error *err);
    const hob_tool *custom; /* of the embedder's */
};

extern const struct tool tool_read, tool_write, tool_edit, tool_bash, tool_grep, tool_glob,
    tool_task, tool_skill;

/* The tools of a turn: built-in ones that the agent shows, its own, the call's, and finish and
 * give_up when t->result is set. HOB_EINVAL for two of one name, an unknown built-in name or a
 * wrong schema. */
int tools_choose(struct turn *t, const hob_prompt_options *o, struct arena *a,
                 struct hob_error *err);
/* Runs all calls of the message at the same time, and gives one ROLE_TOOL message for each, in
 * order. *ends is set when one of them ends the prompt. HOB_ECANCELED: aborted; every call has a
 * result all the same. */
int tools_run(struct turn *t, const struct message *assistant, struct arena *a,
              struct message ***results, size_t *n, bool *ends, struct hob_error *err);

/* stdout, then stderr, trimmed, the last TOOL_LINES and TOOL_BYTES of it, and the status: what
 * `bash` and recorded shell calls show. */
void tool_bash_text(struct buf *out, struct str stdout_text, struct str stderr_text, int status);
/* The same of a result, with a note on the limit that ended it. timeout_ns is what was asked
 * for. */
void tool_result_text(struct buf *out, const hob_result *res, int64_t timeout_ns);

/* ---- for the tools ---- */

/* A string argument; empty when it is not there. */
struct str tool_text(const struct call *c, const char *name);
bool tool_flag(const struct call *c, const char *name);
double tool_number(const struct call *c, const char *name, double fallback);
/* The absolute path, normalised, with a NUL behind. HOB_EINVAL with a text. */
int tool_path(struct call *c, struct str path, struct str *out, struct hob_error *err);
/* In single quotes, for a shell. */
void tool_quote(struct buf *b, struct str s);
/* The text for a path that could not be used. Returns code. */
int tool_failed(struct hob_error *err, int code, const char *verb, struct str path);

int tool_custom_run(struct call *c, struct hob_error *err);
/* Lets go of calls that were answered with HOB_EAGAIN and never finished; the harness goes. */
void tool_custom_forget(struct hob_harness *h);

/* ---- locks for write and edit: in the order they were asked for ---- */
int pathlock_take(struct call *c, struct str resolved); /* HOB_ECANCELED, HOB_ENOMEM */
void pathlock_drop(struct call *c, struct str resolved);

/* ---- structured results (result.c) ---- */
struct result {
    struct str schema; /* of the arguments of `finish` */
    struct schema *compiled;
    bool wrapped; /* the schema is no object: it is asked for as {"result": ...} */
    bool given, gave_up;
    struct str data; /* JSON, in the operation's arena */
    struct str reason;
};
int result_init(struct result *r, struct arena *a, const char *schema, struct hob_error *err);
extern const struct tool tool_finish, tool_give_up;
/* Appended to the prompt: how the result is to be given. */
void result_footer(const struct result *r, struct buf *prompt);
/* What is said to a model that ended its turn without one. */
void result_reminder(const struct result *r, struct buf *prompt);

#endif

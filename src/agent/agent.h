/* agent.h -- the harness: one agent in one sandbox, its sessions, and the loop of a prompt
 *
 * Reading order: loop.h (what drives it), message.h (what it says), model.h (who answers), tool.h
 * (what it can do), store.h (what lasts); then prompt.c, which is the heart.
 */
#ifndef HOB_AGENT_AGENT_H
#define HOB_AGENT_AGENT_H

#include "agent/ids.h"
#include "agent/loop.h"
#include "agent/message.h"
#include "agent/model.h"
#include "agent/store.h"
#include "base/map.h"
#include "base/vec.h"

struct tool;

/* A skill by its name; those of the sandbox's files are read again when they are used. */
struct skill {
    struct str name, description;
    struct str path; /* in the sandbox; empty: body was handed in */
    struct str body;
};

/* What the harness found in the sandbox (context.c); made anew when it changed. */
struct workspace {
    struct arena arena;
    struct str agents_md; /* AGENTS.md and CLAUDE.md, trimmed, joined by a blank line */
    struct skill *skills;
    size_t nskills;
    struct str listing; /* names in cwd, one per line */
    uint64_t stamp;     /* of what it was made from: names, sizes, times */
    int users;          /* prompts that work with it; it does not change while there are any */
};

/* The agent's configuration, copied (agent.c). */
struct agent {
    struct arena arena;
    /* Every pointer in it is into the arena, or the caller's callback and ud. env, providers,
     * models and sandbox_options are not kept: the catalog and the sandbox were made from them. */
    hob_agent o;
};

struct hob_harness {
    hob_loop *loop;
    bool own_loop;
    struct heap *heap; /* the loop's */
    struct agent agent;
    struct str id;     /* of the instance */
    hob_sandbox *box;  /* a view with the agent's cwd */
    hob_sandbox *base; /* that hob_init opened, or NULL */
    struct catalog *catalog;
    struct store *store;
    struct workspace *workspace;    /* the newest; prompts hold theirs through struct turn */
    struct map sessions;            /* name -> struct hob_session, those that are open */
    struct hob_op *ops;             /* not yet finished by the caller */
    size_t running;                 /* of them, in flight */
    struct map locks;               /* resolved path -> struct pathlock, for write and edit */
    struct hob_toolcall *toolcalls; /* of callbacks; tool_custom_forget() lets go of them */
    int rg;                         /* whether the sandbox has rg: 1, -1, 0: not yet known */
    uint64_t events;                /* index of the next event */
    struct ids ids;
    char run_id[32]; /* "run_..." */
    bool run_open;   /* run_start was sent, run_end was not */
    int64_t run_started;
};

/* One entry of the active path. */
struct entry {
    char id[9], parent[9]; /* parent "": the first one */
    enum {
        ENTRY_MESSAGE,
        ENTRY_COMPACTION
    } kind;
    const char *source; /* "prompt", "skill", "shell", "task", "retry" */
    int64_t time_ms;
    struct message *msg;
    /* COMPACTION */
    struct str summary;
    char first_kept[9];
    int64_t tokens_before;
    struct str read_files, modified_files; /* one path per line */
    hob_tokens usage;
};

struct hob_session {
    struct hob_harness *harness;
    struct str name;             /* owned, with a NUL behind */
    struct arena arena;          /* entries and messages */
    VEC(struct entry *) entries; /* from the last compaction's first kept one on */
    uint64_t count;              /* entries in the store: ids follow from it */
    struct store_session *stored;
    struct hob_op *op; /* the one in flight */
    int depth;         /* 0; tasks have the depth of their parent + 1 */
    /* The harness's, or a task's own: whose settings count, where relative paths start, and what
     * was found there. Tools use these (through struct turn), never the harness's. */
    const hob_agent *agent;
    hob_sandbox *box;
    struct workspace **workspace;
    struct workspace *own_workspace;
    bool own_box;               /* box and workspace are the session's own */
    struct hob_session *parent; /* of a task; it outlives the task */
    char task_id[32];           /* of a task, else "" */
};

/* An operation. Its task runs `run` and fills the result. */
struct hob_op {
    struct hob_harness *harness;
    struct hob_session *session; /* NULL: of the harness */
    struct hob_op *next;         /* in harness->ops */
    struct task *task;           /* that it runs on, NULL before and after */
    struct cancel cancel;
    const char *kind; /* "prompt", "skill", "task", "shell", "compact" */
    char id[32];      /* "op_..." */
    bool done;
    struct waitq waiting;
    int64_t started;
    int code;
    struct hob_error error;
    hob_reply reply;
    hob_result result;
    struct arena arena; /* what lives as long as the operation */
    int (*run)(struct hob_op *op, struct hob_error *err);
    void *args; /* of run, in the arena */
};

/* What one prompt runs with: the agent's settings and the call's. */
struct turn {
    struct hob_op *op;
    struct hob_session *session;
    const hob_agent *agent;      /* whose settings count: the harness's, or a subagent's */
    hob_sandbox *box;            /* where tools work: relative paths start at the session's cwd */
    struct workspace *workspace; /* what was found there */
    struct cancel *cancel;       /* of the operation */
    const struct model *model;
    int thinking;
    const struct tool *const *tools; /* that the model sees */
    size_t ntools;
    struct result *result; /* the structured result that is wanted, or NULL (result.h) */
    hob_tokens usage;
    int turns;
    const char *source; /* of the entries it adds */
    struct buf answer;  /* the text of the last assistant message */
    struct buf held;    /* the end of what came of it: a secret may begin there (prompt.c) */
    int held_kind;      /* enum model_delta */
};

/* ---- agent.c ---- */
/* Copies and checks a configuration. Errors name the field. */
int agent_copy(struct agent *a, const hob_agent *o, struct hob_error *err);
const hob_agent *agent_find(const hob_agent *o, struct str name); /* a subagent, or NULL */
/* Whether it is the name of a tool that Hob brings; `read` ... `give_up`. */
bool agent_reserved(struct str tool);

/* ---- harness.c ---- */
/* A run is what happens between run_start and run_end: the life of the harness, unless these say
 * otherwise. result is JSON, or empty. */
void harness_run_start(struct hob_harness *h);
void harness_run_end(struct hob_harness *h, struct str result, const struct hob_error *err);

/* ---- events.c ---- */
/* Sends {"type":type, ...common, body}: body is the members, `"text":"..."`, without braces;
 * secrets in it are replaced. op may be NULL. */
void event_send(struct hob_harness *h, struct hob_op *op, const char *type, struct str text,
                struct str body);
/* The same with a body by format; strings must be JSON already. */
void event_sendf(struct hob_harness *h, struct hob_op *op, const char *type, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/* {"type":"log"}: level is "info", "warn" or "error". */
void event_log(struct hob_harness *h, struct hob_op *op, const char *level, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
void event_time(struct buf *b, int64_t time_ms); /* "2026-01-02T03:04:05.678Z" */

/* ---- op.c ---- */
/* A new operation, not yet started. HOB_EBUSY while the session has one; the text names it. */
int op_new(struct hob_harness *h, struct hob_session *s, const char *kind, struct hob_op **out,
           struct hob_error *err);
int op_start(struct hob_op *op, hob_op **out, struct hob_error *err); /* frees it on failure */
/* For an operation inside of another, as a task's prompt is: begins, and ends with the code r. */
int op_begin(struct hob_op *op, struct hob_harness *h, struct hob_session *s, const char *kind,
             struct cancel *parent, struct hob_error *err);
void op_end(struct hob_op *op, int r, const struct hob_error *err);
void op_fini(struct hob_op *op);
/* May the caller wait for an operation here? 0 or HOB_EMISUSE. */
int op_may_wait(struct hob_harness *h, struct hob_error *err);
int op_wait(struct hob_op *op);
/* 0, or HOB_ENOMEM when an allocation failed since the operation began. */
int op_memory(struct hob_op *op, struct hob_error *err);
hob_prompt_options *op_copy_options(struct hob_op *op, const hob_prompt_options *o,
                                    struct hob_error *err);
char *op_strdup(struct hob_op *op, const char *z); /* NULL gives NULL */
/* Starts a script; s NULL: of the harness, not recorded. */
int op_shell(hob_harness *h, hob_session *s, const char *script, const hob_exec_options *o,
             hob_op **out, hob_error *err);

/* ---- session.c ---- */
/* Opens it in the store and reads it; it is not mended yet. */
int session_open(struct hob_harness *h, struct str name, bool create, bool *made,
                 struct hob_session **out, struct hob_error *err);
void session_close(struct hob_session *s); /* NULL is allowed */
/* Kept and stored, all or none: when it fails nothing has changed, here and on the disk. */
int session_append(struct hob_session *s, const char *source, struct message *const *msgs, size_t n,
                   struct hob_error *err);
/* A compaction; what stands before the first entry it keeps is let go. */
int session_compacted(struct hob_session *s, const struct entry *e, struct hob_error *err);
/* The messages a model sees now, behind the last compaction: an array in the arena. */
int session_context(struct hob_session *s, struct arena *a, struct message ***out, size_t *n);
const struct entry *session_compaction(const struct hob_session *s); /* the last one, or NULL */
/* Tool calls of the last assistant message that have no result get one that says so. */
int session_mend(struct hob_session *s, struct hob_error *err);

/* ---- prompt.c ---- */
/* A whole prompt in op->session: settles model and tools, appends the user's message, and runs
 * until the answer is there. Fills op->reply, also when it fails. `model` (may be NULL) counts when
 * neither the call nor the agent names one. */
int prompt_do(struct hob_op *op, const char *source, struct str text, const hob_prompt_options *o,
              const struct model *model, struct hob_error *err);
int prompt_skill(struct hob_op *op, struct str name, const hob_prompt_options *o,
                 struct hob_error *err);
/* What model an operation of the session runs with. */
int prompt_model(struct hob_session *s, const hob_prompt_options *o, const struct model *fallback,
                 const struct model **out, struct hob_error *err);
void prompt_add_usage(hob_tokens *sum, const hob_tokens *u);
/* The loop: ask the model, run its tools, until it stops. The user's messages were appended
 * before. */
int prompt_run(struct turn *t, struct hob_error *err);

/* ---- delegate.c ---- */
int delegate_op(struct hob_op *op, struct str text, const hob_prompt_options *o,
                struct hob_error *err);
/* A prompt in a child session, for the task tool; o (may be NULL) gives agent, cwd and the others.
 * `cancel` ends it. The child's last text is appended to answer, its usage added to the parent's.
 * HOB_ENOENT: no such subagent, the text lists them. */
int prompt_task(struct turn *parent, struct cancel *cancel, struct str text,
                const hob_prompt_options *o, struct buf *answer, struct hob_error *err);

/* ---- record.c ---- */
struct record {
    struct str script;
    hob_exec_options o;
};
/* Runs a script (op->args is a struct record) for a session, which is recorded, or for the harness;
 * fills op->result. */
int record_do(struct hob_op *op, struct hob_error *err);

/* ---- compact.c ---- */
/* reason: "threshold", "overflow", "manual". 1: done, 0: nothing to cut, or an error. */
int compact_run(struct turn *t, const char *reason, struct hob_error *err);
bool compact_due(struct turn *t);
int compact_op(struct hob_op *op, struct hob_error *err); /* hob_session_compact() */

/* ---- context.c ---- */
/* Reads again what has changed. All zero but for its arena is an empty one. */
int workspace_refresh(struct hob_harness *h, hob_sandbox *box, struct workspace *w,
                      struct cancel *c, struct hob_error *err);
void workspace_fini(struct workspace *w);
int context_system(struct hob_harness *h, struct turn *t, const struct workspace *w,
                   struct buf *out);
/* A workspace that is up to date, for one prompt; *slot is where the newest is kept. */
int workspace_hold(struct hob_harness *h, hob_sandbox *box, struct workspace **slot,
                   struct cancel *c, struct workspace **out, struct hob_error *err); /* harness.c */
void workspace_drop(struct hob_harness *h, struct workspace **slot, struct workspace *w);
/* The i-th skill, those handed in first; false behind the last. w may be NULL. */
bool context_skill_at(const hob_agent *agent, const struct workspace *w, size_t i,
                      struct skill *out);
bool context_find_skill(const hob_agent *agent, const struct workspace *w, struct str name,
                        struct skill *out);
/* Its text as it is now, and where it is. */
int context_skill_body(struct hob_harness *h, hob_sandbox *box, const struct skill *s,
                       struct cancel *c, struct buf *out, struct hob_error *err);
/* The message that asks for a skill: its name, where it is, and its text as it is now. HOB_ENOENT:
 * the error lists the names there are and the folder they are looked for in. */
int context_skill_text(struct turn *t, struct str name, struct buf *out, struct hob_error *err);

#endif

/* workflow.h -- workflows: scripts on the trusted side that drive a harness
 *
 * workflows/NAME.sh is run by Hob's own interpreter, in a sandbox of its own that sees the
 * project folder at its real path. Beside all commands it has those that act on the harness:
 * session, prompt, skill, task, shell, fs, payload, result, log. They take their time without
 * stopping the script's other processes, so `prompt a & prompt b & wait` runs both at once.
 */
#ifndef HOB_AGENT_WORKFLOW_H
#define HOB_AGENT_WORKFLOW_H

#include "agent/config.h"

/* What stands at the head of a workflow, as comments between #--- and #---. */
struct workflow_head {
    const char *agent, *description, *session, *model, *sandbox;
    const struct json *payload; /* JSON Schema of the input, or NULL */
    hob_network network;        /* of the script itself; closed without it */
};

struct workflow {
    struct config *config;
    struct heap *heap;
    struct workflow_head head;
    const char *file; /* as messages name it */
    struct buf script;
    hob_harness *harness; /* NULL: it has no agent */
    hob_loop *loop;
    const char *session, *model; /* unless a command says otherwise; may be NULL */
    struct str payload;          /* JSON */
    hob_sandbox *box;
    hob_job *job;
    hob_output_fn output; /* what the script prints */
    void *output_ud;
    bool streamed;  /* answers are shown as they come: the script's own stdout has them not again */
    bool answering; /* such an answer is being printed */
    bool aborted;
    bool has_result;
    struct buf result;
};

/* Reads workflows/NAME.sh and its head. HOB_ENOENT: there is none. */
int workflow_read(struct workflow *w, struct config *c, struct str name, struct hob_error *err);
/* Starts it; harness (borrowed, may be NULL), loop, session, model, payload and output are set
 * before. */
int workflow_start(struct workflow *w, struct hob_error *err);
/* Moves the script on; HOB_STEP_... Afterwards the loop wants a step too. */
int workflow_step(struct workflow *w);
bool workflow_done(const struct workflow *w);
int64_t workflow_timeout(struct workflow *w); /* nanoseconds until a step is due; -1: none */
void workflow_abort(struct workflow *w);
/* The exit status of the script, or an error; what it printed last is out. */
int workflow_finish(struct workflow *w, struct hob_error *err);
void workflow_fini(struct workflow *w); /* also after a failed read */

/* workflow_commands.c */
int workflow_commands(struct workflow *w);

#endif

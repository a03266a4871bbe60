/* message.h -- what a conversation is made of
 *
 * Messages live in an arena and do not change once they are made. As JSON they are kept in the
 * store and shown in events; providers have shapes of their own (model_*.c).
 */
#ifndef HOB_AGENT_MESSAGE_H
#define HOB_AGENT_MESSAGE_H

#include "base/arena.h"
#include "text/json.h"

enum role {
    ROLE_USER,
    ROLE_ASSISTANT,
    ROLE_TOOL /* the result of one tool call */
};

enum block_kind {
    BLOCK_TEXT,
    BLOCK_IMAGE,
    BLOCK_THINKING,
    BLOCK_CALL /* the model calls a tool */
};

struct block {
    enum block_kind kind;
    struct block *next;
    struct str text;      /* TEXT, THINKING */
    struct str signature; /* THINKING: what the provider wants back with it, opaque */
    bool redacted;        /* THINKING: the text is hidden, the signature holds it */
    struct str mime;      /* IMAGE */
    struct str data;      /* IMAGE: base64 */
    struct str id;        /* CALL; also the id of a THINKING item that has one */
    struct str name;      /* CALL: of the tool */
    struct str args;      /* CALL: JSON text as the model wrote it; may be wrong JSON */
};

enum stop {
    STOP_END,     /* it is done */
    STOP_TOOLS,   /* it wants the results of its calls */
    STOP_LENGTH,  /* the output limit cut it */
    STOP_REFUSED, /* it declined */
    STOP_ERROR,   /* the stream broke; error says how */
    STOP_ABORTED
};

struct message {
    enum role role;
    struct message *next;
    struct block *blocks;
    int64_t time_ms; /* since 1970 */
    /* ROLE_TOOL */
    struct str call_id, tool;
    bool is_error;
    /* ROLE_ASSISTANT */
    struct str model; /* "provider/model-id" */
    struct hob_tokens usage;
    enum stop stop;
    struct str error;
};

struct message *message_new(struct arena *a, enum role role); /* NULL: out of memory */
struct block *message_add(struct arena *a, struct message *m, enum block_kind kind);
struct message *message_text(struct arena *a, enum role role, struct str text);
struct message *message_copy(struct arena *a, const struct message *m);
/* {"role":"user","content":[...],...} and back. */
void message_write(struct buf *b, const struct message *m);
int message_read(struct arena *a, const struct json *v, struct message **out);
/* "stop", "toolUse", "length", "refused", "error", "aborted": stopReason in JSON and in events. */
const char *message_stop_name(enum stop stop);
/* {"input":1,"output":2,"cacheRead":0,"cacheWrite":0,"totalTokens":3,"cost":0.5} and back. */
void message_write_usage(struct buf *b, const hob_tokens *u);
void message_read_usage(const struct json *v, hob_tokens *u);
/* The text blocks joined by newlines, appended. */
void message_texts(struct buf *b, const struct message *m);
/* About four characters to a token. */
int64_t message_tokens(const struct message *m);

#endif

/* model_wire.h -- what the wire formats share, and the contract each of them fills
 *
 * A wire format turns a request into a body of JSON, and one server-sent event after the other into
 * the blocks of an answer. It sees no socket and does not wait.
 */
#ifndef HOB_AGENT_MODEL_WIRE_H
#define HOB_AGENT_MODEL_WIRE_H

#include "agent/model.h"
#include "base/vec.h"

/* A block of the answer while it is being read. */
struct answer_part {
    enum block_kind kind;
    int64_t index; /* the provider's number or order for it */
    bool open;     /* more of it may come */
    bool redacted;
    struct buf text;      /* TEXT, THINKING: the text; CALL: the arguments */
    struct buf signature; /* THINKING */
    struct buf id, name;  /* CALL; id of THINKING too */
};

/* An answer that is being read. */
struct answer {
    struct heap *heap;
    const struct model_request *req;
    model_delta_fn fn;
    void *ud;
    VEC(struct answer_part *) parts;
    bool full;    /* it has more parts than a message may have */
    bool shown;   /* something was handed to fn */
    bool ended;   /* the stream said so itself */
    bool whole;   /* nothing is missing, although the stream did not say so yet */
    bool refused; /* it declined */
    bool retry;   /* the error that an event stood for is worth another attempt */
    enum stop stop;
    hob_tokens usage;
    struct arena *json; /* for the event at hand; released after it */
    uint64_t seed;      /* for ids that the server left out */
};

struct model_wire {
    /* The path behind base_url, appended. */
    void (*path)(const struct model_request *req, struct buf *b);
    /* The body, appended. */
    void (*body)(const struct model_request *req, struct buf *b, struct arena *scratch);
    /* Headers beside content-type and those of the provider: at most WIRE_HEADERS, their number. */
    size_t (*headers)(const struct model_request *req, struct arena *a, struct http_header *out);
    /* One server-sent event, or a whole answer where the server did not stream. 0, or an error with
     * its text. */
    int (*event)(struct answer *an, struct str name, struct str data, struct hob_error *err);
};
enum {
    WIRE_HEADERS = 4
};
extern const struct model_wire model_anthropic, model_responses, model_chat;

/* ---- reading an answer ---- */

void answer_init(struct answer *an, struct heap *h, const struct model_request *req,
                 model_delta_fn fn, void *ud);
void answer_fini(struct answer *an);
enum {
    ANSWER_PARTS = 4096
}; /* that one message may have */
/* A new part at the end. NULL: out of memory, or `full`. */
struct answer_part *answer_add(struct answer *an, enum block_kind kind, int64_t index);
/* The newest part of that kind and number that is open; NULL if there is none. */
struct answer_part *answer_find(struct answer *an, enum block_kind kind, int64_t index);
/* The open part of that kind, or a new one when the last part is another: for streams that do not
 * number their text. */
struct answer_part *answer_flow(struct answer *an, enum block_kind kind);
/* More text or thinking, which is shown at once; or more of a call's arguments, which is not. */
void answer_more(struct answer *an, struct answer_part *p, struct str text);
void answer_close(struct answer *an, struct answer_part *p);
/* Closes what is open; calls only where the answer is whole. */
void answer_finish(struct answer *an, bool calls);
/* The parts as a message in the arena; calls that are still open are left out. NULL: out of
 * memory. */
struct message *answer_message(struct answer *an, struct arena *a);

/* ---- writing requests (model_wire.c) ---- */

/* ,"name": before a value: the comma unless it is the first of its object. */
void wire_key(struct buf *b, const char *name);
void wire_text(struct buf *b, const char *name, struct str value); /* "name":"value" */
/* A call's id as every provider takes it: letters, digits, _ and -, at most 64; quoted. */
void wire_id(struct buf *b, struct str id);
/* The arguments of a call as a JSON object; {"_invalid_json":"..."} when the model wrote something
 * else. */
void wire_args(struct buf *b, struct str args, struct arena *scratch);
/* A schema, or that of an object without members where there is none. */
void wire_schema(struct buf *b, struct str schema);
/* Whether the thinking of this message may go back to the model of the request: it was its own. */
bool wire_own(const struct model_request *req, const struct message *m);
/* The level that is asked for: HOB_THINK_OFF for models that cannot. */
int wire_level(const struct model_request *req);
/* "claude-opus-4-6" is 46, "claude-sonnet-5" 50; 0 for names of another form. */
int wire_claude_version(struct str id);
/* Whether a model that no table knows can think, by its name. */
bool wire_thinks(struct str id);
/* The same as OpenAI's models name it, clamped to what the model has; NULL: nothing is to be
 * said. */
const char *wire_effort(const struct model_request *req);
/* How many tokens the answer may have: what is asked for, or the model's, as far as there is
 * room. */
int64_t wire_max_tokens(const struct model_request *req, int64_t fallback);
/* What is sent for an image that the model cannot see. */
#define WIRE_NO_IMAGE "[an image that this model cannot see]"

/* ---- errors ---- */

/* An answer whose status is not 200, or an error inside a stream: what it stands for, and whether
 * another attempt may help. type and message are the provider's. */
int wire_error(int status, struct str type, struct str code, struct str message, bool *retry,
               struct hob_error *err);
/* The same from the body of an answer, JSON or not. */
int wire_failure(int status, struct str body, struct arena *scratch, bool *retry,
                 struct hob_error *err);
/* An event that cannot be read. */
int wire_malformed(struct hob_error *err, const char *what, struct str data);

/* ---- the offline player (offline.c) ---- */

struct offline; /* the scripts that were read, and how far each was played */
void offline_free(struct heap *h, struct offline *o);
/* Where the catalog keeps its own. */
struct offline **catalog_offline(struct catalog *c);
/* One answer, as model_call() gives it. */
int offline_play(struct hob_loop *l, struct catalog *c, struct answer *an, struct cancel *cancel,
                 struct hob_error *err);

#endif

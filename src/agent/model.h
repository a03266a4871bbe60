/* model.h -- model providers: one call that streams an answer
 *
 * Three wire formats and the offline player stand behind model_call(). It retries what is worth a
 * retry before the first byte of an answer was shown, and turns every failure into one of the
 * HOB_E... numbers of models (HOB_EAUTH ... HOB_EMODEL). Keys never appear in an error text.
 */
#ifndef HOB_AGENT_MODEL_H
#define HOB_AGENT_MODEL_H

#include "agent/loop.h"
#include "agent/message.h"

/* A model that was looked up: where it is and what it can do. Strings live in the catalog. */
struct model {
    struct str provider, id; /* of "provider/model-id", split at the first slash */
    struct str full;
    int wire; /* HOB_WIRE_... */
    struct str base_url, key;
    struct str key_env; /* to name it when the key is missing; "": none is needed */
    const struct http_header *headers;
    size_t nheaders;
    struct str ca_file, proxy, no_proxy; /* from the agent's env, see http.h */
    int64_t window, output;              /* 0: unknown */
    double price_input, price_output, price_cache_read, price_cache_write;
    bool thinking, images;
};

/* What the waits of model_call() go by; tests make a second shorter. */
struct model_limits {
    int64_t second_ns;  /* how long a second of back-off and Retry-After is */
    int retries;        /* attempts after the first one */
    int64_t retry_max;  /* seconds; a provider that asks for more is not waited for */
    int64_t connect_ns; /* see struct http_request */
    int64_t idle_ns;    /* see struct http_request */
    size_t reply_bytes; /* of one answer on the wire */
};

/* The providers and models one agent knows: the built-in ones, its own, its keys. */
struct catalog;
int catalog_new(struct heap *h, const hob_agent *agent, struct catalog **out,
                struct hob_error *err);
void catalog_free(struct catalog *c); /* NULL is allowed */
/* HOB_EINVAL without a slash, HOB_ENOENT for an unknown provider (the text names near ones). A
 * model that is not in the table is taken as it is, with an unknown window. */
int catalog_find(struct catalog *c, struct str name, const struct model **out,
                 struct hob_error *err);
/* Length of the longest end of the text with which a secret begins, but not a whole one. */
size_t catalog_secret_tail(const struct catalog *c, struct str text);
/* Replaces every key and secret that the catalog holds by ***: the providers' keys and headers,
 * and values of the agent's env that are named like secrets. Those shorter than 8 bytes are no
 * secrets. */
void catalog_redact(const struct catalog *c, struct buf *text);
void catalog_redact_error(const struct catalog *c, struct hob_error *err);
/* One more text to hide. HOB_ENOMEM. */
int catalog_secret(struct catalog *c, struct str secret);
struct model_limits *catalog_limits(struct catalog *c);
/* The value of a variable of the agent's env; false if it is not set. */
bool catalog_env(const struct catalog *c, const char *name, struct str *out);

struct model_tool {
    struct str name, description, schema; /* schema: JSON text */
};

struct model_request {
    const struct model *model;
    struct str system;
    const struct message *const *messages;
    size_t nmessages;
    const struct model_tool *tools;
    size_t ntools;
    int thinking;        /* HOB_THINK_...; ignored by models that cannot */
    int64_t max_tokens;  /* 0: the model's, as far as its window has room */
    struct str affinity; /* for prompt caching at the provider */
    struct str force;    /* != "": the name of the tool it must call */
};

enum model_delta {
    DELTA_TEXT,
    DELTA_THINKING_START,
    DELTA_THINKING,
    DELTA_THINKING_END, /* text is the whole of it */
    DELTA_RETRY         /* text says why; a new attempt follows */
};
typedef void (*model_delta_fn)(void *ud, enum model_delta kind, struct str text);

/* Runs on a task of the loop. On success *out is the assistant's message, in the arena. When the
 * stream breaks after something was shown, the error is returned and *out is the partial message
 * (stop ERROR or ABORTED, calls that were not whole left out), else NULL. A model that declines
 * gives HOB_EREFUSED and what it said (stop REFUSED). fn may be NULL. */
int model_call(struct hob_loop *l, struct catalog *c, const struct model_request *req,
               struct cancel *cancel, model_delta_fn fn, void *ud, struct arena *a,
               struct message **out, struct hob_error *err);

/* ---- what a file says about providers and models (models_file.c) ---- */

struct models_file {
    hob_provider *providers;
    size_t nproviders;
    hob_model *models;
    size_t nmodels;
};
/* JSON as docs/models.md has it; everything lives in the arena. HOB_ESYNTAX, HOB_EINVAL with the
 * key in the text and the nearest valid one; HOB_ENOMEM. */
int models_file_parse(struct arena *a, struct str json, struct models_file *out,
                      struct hob_error *err);

#endif

/* message.c -- what a conversation is made of: messages, their JSON, and their size in tokens
 *
 * The JSON is the form that lasts: the store keeps it and events show it. A reader takes what it
 * knows and passes over the rest, so that a newer Hob may add members.
 */
#include "agent/message.h"

#include "base/utf8.h"
#include "text/number.h"

/* An image stands for so many characters when tokens are estimated. */
enum {
    MESSAGE_IMAGE_CHARS = 4800
};

static const char *const message_roles[] = {"user", "assistant", "toolResult"};
static const char *const message_kinds[] = {"text", "image", "thinking", "toolCall"};
static const char *const message_stops[] = {"stop",    "toolUse", "length",
                                            "refused", "error",   "aborted"};

const char *message_stop_name(enum stop stop) { return message_stops[stop]; }

struct message *message_new(struct arena *a, enum role role)
{
    struct message *m = arena_new(a, struct message);
    if (m)
        m->role = role;
    return m;
}

struct block *message_add(struct arena *a, struct message *m, enum block_kind kind)
{
    struct block *b = arena_new(a, struct block), **at = &m->blocks;
    if (!b)
        return NULL;
    b->kind = kind;
    while (*at)
        at = &(*at)->next;
    return *at = b;
}

struct message *message_text(struct arena *a, enum role role, struct str text)
{
    struct message *m = message_new(a, role);
    struct block *b = m ? message_add(a, m, BLOCK_TEXT) : NULL;
    if (!b)
        return NULL;
    b->text = arena_str(a, text);
    return b->text.p ? m : NULL;
}

/* Copies a string into the arena. An empty one needs no memory. */
static bool message_keep(struct arena *a, struct str *s)
{
    if (s->n == 0) {
        *s = STR("");
        return true;
    }
    *s = arena_str(a, *s);
    return s->p != NULL;
}

static bool message_keep_block(struct arena *a, struct block *b)
{
    return message_keep(a, &b->text) && message_keep(a, &b->signature) &&
           message_keep(a, &b->mime) && message_keep(a, &b->data) && message_keep(a, &b->id) &&
           message_keep(a, &b->name) && message_keep(a, &b->args);
}

struct message *message_copy(struct arena *a, const struct message *m)
{
    struct message *out = message_new(a, m->role);
    if (!out)
        return NULL;
    *out = *m;
    out->next = NULL;
    out->blocks = NULL;
    struct block **at = &out->blocks;
    for (const struct block *b = m->blocks; b; b = b->next) {
        struct block *copy = arena_new(a, struct block);
        if (!copy)
            return NULL;
        *copy = *b;
        copy->next = NULL;
        if (!message_keep_block(a, copy))
            return NULL;
        *at = copy;
        at = &copy->next;
    }
    bool kept = message_keep(a, &out->call_id) && message_keep(a, &out->tool) &&
                message_keep(a, &out->model) && message_keep(a, &out->error);
    return kept ? out : NULL;
}

/* ---- writing ---- */

static void message_member(struct buf *b, const char *name, struct str value)
{
    buf_printf(b, ",\"%s\":", name);
    json_quote(b, value);
}

static void message_member_some(struct buf *b, const char *name, struct str value)
{
    if (value.n > 0)
        message_member(b, name, value);
}

static void message_write_block(struct buf *b, const struct block *x)
{
    buf_printf(b, "{\"type\":\"%s\"", message_kinds[x->kind]);
    switch (x->kind) {
    case BLOCK_TEXT: message_member(b, "text", x->text); break;
    case BLOCK_IMAGE:
        message_member(b, "mimeType", x->mime);
        message_member(b, "data", x->data);
        break;
    case BLOCK_THINKING:
        message_member(b, "thinking", x->text);
        message_member_some(b, "signature", x->signature);
        message_member_some(b, "id", x->id);
        if (x->redacted)
            buf_addz(b, ",\"redacted\":true");
        break;
    case BLOCK_CALL:
        message_member(b, "id", x->id);
        message_member(b, "name", x->name);
        message_member(b, "arguments", x->args);
        break;
    }
    buf_putc(b, '}');
}

void message_write_usage(struct buf *b, const hob_tokens *u)
{
    buf_printf(b,
               "{\"input\":%lld,\"output\":%lld,\"cacheRead\":%lld,\"cacheWrite\":%lld,"
               "\"totalTokens\":%lld,\"cost\":%.9g}",
               (long long)u->input, (long long)u->output, (long long)u->cache_read,
               (long long)u->cache_write,
               (long long)(u->input + u->output + u->cache_read + u->cache_write), u->cost);
}

void message_write(struct buf *b, const struct message *m)
{
    buf_printf(b, "{\"role\":\"%s\"", message_roles[m->role]);
    if (m->role == ROLE_TOOL) {
        message_member(b, "toolCallId", m->call_id);
        message_member(b, "toolName", m->tool);
    }
    buf_addz(b, ",\"content\":[");
    for (const struct block *x = m->blocks; x; x = x->next) {
        message_write_block(b, x);
        if (x->next)
            buf_putc(b, ',');
    }
    buf_putc(b, ']');
    if (m->role == ROLE_TOOL)
        buf_printf(b, ",\"isError\":%s", m->is_error ? "true" : "false");
    if (m->role == ROLE_ASSISTANT) {
        message_member(b, "model", m->model);
        buf_addz(b, ",\"usage\":");
        message_write_usage(b, &m->usage);
        buf_printf(b, ",\"stopReason\":\"%s\"", message_stops[m->stop]);
        message_member_some(b, "errorMessage", m->error);
    }
    buf_printf(b, ",\"timestamp\":%lld}", (long long)m->time_ms);
}

/* ---- reading ---- */

/* The index of the member's text among the names; -1 if it is none of them. */
static int message_which(const struct json *v, const char *key, const char *const *names, size_t n)
{
    struct str s;
    if (!json_string(json_get(v, key), &s))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (str_eqz(s, names[i]))
            return (int)i;
    return -1;
}

/* Takes a text member, copied: the tree may live in another arena. Missing ones are empty. */
static bool message_take(struct arena *a, const struct json *v, const char *key, struct str *out)
{
    *out = STR("");
    json_string(json_get(v, key), out);
    return message_keep(a, out);
}

static int message_read_block(struct arena *a, const struct json *v, struct message *m)
{
    int kind = message_which(v, "type", message_kinds, COUNT(message_kinds));
    if (kind < 0)
        return HOB_ESYNTAX;
    struct block *b = message_add(a, m, (enum block_kind)kind);
    if (!b)
        return HOB_ENOMEM;
    b->redacted = json_bool(json_get(v, "redacted"), false);
    bool kept = message_take(a, v, kind == BLOCK_THINKING ? "thinking" : "text", &b->text) &&
                message_take(a, v, "signature", &b->signature) &&
                message_take(a, v, "mimeType", &b->mime) && message_take(a, v, "data", &b->data) &&
                message_take(a, v, "id", &b->id) && message_take(a, v, "name", &b->name) &&
                message_take(a, v, "arguments", &b->args);
    return kept ? 0 : HOB_ENOMEM;
}

void message_read_usage(const struct json *v, hob_tokens *u)
{
    struct json *cost = json_get(v, "cost");
    size_t used;
    json_int(json_get(v, "input"), &u->input);
    json_int(json_get(v, "output"), &u->output);
    json_int(json_get(v, "cacheRead"), &u->cache_read);
    json_int(json_get(v, "cacheWrite"), &u->cache_write);
    if (cost && cost->kind == JSON_NUMBER)
        u->cost = (double)number_parse(cost->text, &used);
}

int message_read(struct arena *a, const struct json *v, struct message **out)
{
    int role = message_which(v, "role", message_roles, COUNT(message_roles));
    const struct json *content = json_get(v, "content");
    *out = NULL;
    if (role < 0 || !content || content->kind != JSON_ARRAY)
        return HOB_ESYNTAX;
    struct message *m = message_new(a, (enum role)role);
    if (!m)
        return HOB_ENOMEM;
    for (const struct json *x = content->first; x; x = x->next) {
        int r = message_read_block(a, x, m);
        if (r < 0)
            return r;
    }
    int stop = message_which(v, "stopReason", message_stops, COUNT(message_stops));
    m->stop = stop < 0 ? STOP_END : (enum stop)stop;
    m->is_error = json_bool(json_get(v, "isError"), false);
    json_int(json_get(v, "timestamp"), &m->time_ms);
    message_read_usage(json_get(v, "usage"), &m->usage);
    bool kept =
        message_take(a, v, "toolCallId", &m->call_id) && message_take(a, v, "toolName", &m->tool) &&
        message_take(a, v, "model", &m->model) && message_take(a, v, "errorMessage", &m->error);
    if (!kept)
        return HOB_ENOMEM;
    *out = m;
    return 0;
}

/* ---- views ---- */

void message_texts(struct buf *b, const struct message *m)
{
    bool first = true;
    for (const struct block *x = m->blocks; x; x = x->next) {
        if (x->kind != BLOCK_TEXT)
            continue;
        if (!first)
            buf_putc(b, '\n');
        buf_str(b, x->text);
        first = false;
    }
}

int64_t message_tokens(const struct message *m)
{
    size_t chars = 0;
    for (const struct block *x = m->blocks; x; x = x->next) {
        switch (x->kind) {
        case BLOCK_TEXT:
        case BLOCK_THINKING: chars += utf8_count(x->text); break;
        case BLOCK_IMAGE: chars += MESSAGE_IMAGE_CHARS; break;
        case BLOCK_CALL: chars += x->name.n + utf8_count(x->args); break;
        }
    }
    return (int64_t)((chars + 3) / 4);
}

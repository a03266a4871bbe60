/* model_anthropic.c -- Anthropic messages
 *
 * Thinking blocks go back to the model that wrote them, with their signatures, as the API
 * demands between a call and its result. The prompt is marked for the cache at the ends of what
 * repeats: tools, system, and the last two messages of the user.
 */
#include "agent/model_wire.h"

#include "base/utf8.h"

#define ANTHROPIC_CACHE ",\"cache_control\":{\"type\":\"ephemeral\"}"

enum {
    ANTHROPIC_OUTPUT = 16384,
    ANTHROPIC_BUDGET_MIN = 1024
};

static void anthropic_path(const struct model_request *req, struct buf *b)
{
    /* Both forms of base URL are in use: with the version and without. */
    buf_addz(b, str_ends(req->model->base_url, STR("/v1")) ? "/messages" : "/v1/messages");
}

static size_t anthropic_headers(const struct model_request *req, struct arena *a,
                                struct http_header *out)
{
    size_t n = 0;
    (void)a;
    out[n++] = (struct http_header){STR("anthropic-version"), STR("2023-06-01")};
    if (req->model->key.n > 0)
        out[n++] = (struct http_header){STR("x-api-key"), req->model->key};
    return n;
}

/* ---- thinking ---- */

static const char *anthropic_effort(int level, struct str id)
{
    int version = wire_claude_version(id);
    switch (level) {
    case HOB_THINK_MINIMAL:
    case HOB_THINK_LOW: return "low";
    case HOB_THINK_MEDIUM: return "medium";
    case HOB_THINK_HIGH: return "high";
    default:
        if (version >= 47)
            return "xhigh";
        return str_starts(id, STR("claude-opus-")) ? "max" : "high";
    }
}

static void anthropic_thinking(const struct model_request *req, struct buf *b, int64_t max_tokens)
{
    static const int64_t budgets[] = {[HOB_THINK_MINIMAL] = 1024,
                                      [HOB_THINK_LOW] = 2048,
                                      [HOB_THINK_MEDIUM] = 8192,
                                      [HOB_THINK_HIGH] = 16384,
                                      [HOB_THINK_XHIGH] = 32768};
    int level = wire_level(req);
    /* A call that is forced and thinking exclude each other. */
    if (level <= HOB_THINK_OFF || level > HOB_THINK_XHIGH || req->force.n > 0)
        return;
    if (wire_claude_version(req->model->id) >= 46) {
        /* Later models keep the text of their thoughts unless it is asked for. */
        bool ask = wire_claude_version(req->model->id) >= 47;
        buf_printf(
            b, ",\"thinking\":{\"type\":\"adaptive\"%s},\"output_config\":{\"effort\":\"%s\"}",
            ask ? ",\"display\":\"summarized\"" : "", anthropic_effort(level, req->model->id));
        return;
    }
    int64_t budget = MIN(budgets[level], max_tokens / 2);
    if (budget >= ANTHROPIC_BUDGET_MIN)
        buf_printf(b, ",\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":%lld}",
                   (long long)budget);
}

/* ---- messages ---- */

static void anthropic_image(const struct model_request *req, struct buf *b, const struct block *x)
{
    if (!req->model->images) {
        buf_addz(b, "{\"type\":\"text\",\"text\":\"" WIRE_NO_IMAGE "\"");
        return;
    }
    buf_addz(b, "{\"type\":\"image\",\"source\":{\"type\":\"base64\"");
    wire_text(b, "media_type", x->mime);
    wire_text(b, "data", x->data);
    buf_putc(b, '}');
}

/* One block, without its closing brace, so that a cache mark can follow. False: there is nothing to
 * send (the API refuses empty texts). */
static bool anthropic_block(const struct model_request *req, const struct message *m,
                            const struct block *x, struct buf *b, struct arena *scratch)
{
    switch (x->kind) {
    case BLOCK_TEXT:
        if (str_trim(x->text).n == 0)
            return false;
        buf_addz(b, "{\"type\":\"text\"");
        wire_text(b, "text", x->text);
        return true;
    case BLOCK_IMAGE: anthropic_image(req, b, x); return true;
    case BLOCK_THINKING:
        if (!wire_own(req, m) || x->signature.n == 0)
            return false;
        buf_printf(b, "{\"type\":\"%s\"", x->redacted ? "redacted_thinking" : "thinking");
        if (x->redacted) {
            wire_text(b, "data", x->signature);
        } else {
            wire_text(b, "thinking", x->text);
            wire_text(b, "signature", x->signature);
        }
        return true;
    case BLOCK_CALL:
        buf_addz(b, "{\"type\":\"tool_use\",\"id\":");
        wire_id(b, x->id);
        wire_text(b, "name", x->name);
        buf_addz(b, ",\"input\":");
        wire_args(b, x->args, scratch);
        return true;
    }
    return false;
}

/* The blocks of a message; `mark` puts the cache mark on the last one. Their number. */
static size_t anthropic_blocks(const struct model_request *req, const struct message *m,
                               struct buf *b, struct arena *scratch, bool mark)
{
    size_t n = 0, end = 0;
    for (const struct block *x = m->blocks; x; x = x->next) {
        size_t before = b->n;
        if (n > 0)
            buf_putc(b, ',');
        if (!anthropic_block(req, m, x, b, scratch)) {
            buf_cut(b, before);
            continue;
        }
        end = b->n;
        buf_putc(b, '}');
        n++;
    }
    if (n > 0 && mark && b->n > end) {
        buf_cut(b, end);
        buf_addz(b, ANTHROPIC_CACHE "}");
    }
    return n;
}

/* The result of a call; without its closing brace. */
static void anthropic_result(const struct model_request *req, const struct message *m,
                             struct buf *b, struct arena *scratch)
{
    buf_addz(b, "{\"type\":\"tool_result\",\"tool_use_id\":");
    wire_id(b, m->call_id);
    size_t before = b->n;
    buf_addz(b, ",\"content\":[");
    if (anthropic_blocks(req, m, b, scratch, false) > 0)
        buf_putc(b, ']');
    else
        buf_cut(b, before);
    if (m->is_error)
        buf_addz(b, ",\"is_error\":true");
}

/* Results of the calls of one message, and what the user says right behind them, are one message of
 * the user. [from, to) are such. */
static void anthropic_user(const struct model_request *req, size_t from, size_t to, struct buf *b,
                           struct arena *scratch, bool mark)
{
    size_t start = b->n, inside, n = 0;
    buf_addz(b, b->n > 0 && b->p[b->n - 1] == '}' ? "," : "");
    buf_addz(b, "{\"role\":\"user\",\"content\":[");
    for (size_t i = from; i < to; i++) {
        const struct message *m = req->messages[i];
        bool last = mark && i + 1 == to;
        inside = b->n;
        if (n > 0)
            buf_putc(b, ',');
        if (m->role == ROLE_TOOL) {
            anthropic_result(req, m, b, scratch);
            buf_addz(b, last ? ANTHROPIC_CACHE "}" : "}");
        } else if (anthropic_blocks(req, m, b, scratch, last) == 0) {
            buf_cut(b, inside);
            continue;
        }
        n++;
    }
    if (n > 0)
        buf_addz(b, "]}");
    else
        buf_cut(b, start);
}

static void anthropic_assistant(const struct model_request *req, const struct message *m,
                                struct buf *b, struct arena *scratch)
{
    size_t start = b->n;
    buf_addz(b, b->n > 0 && b->p[b->n - 1] == '}' ? "," : "");
    buf_addz(b, "{\"role\":\"assistant\",\"content\":[");
    if (anthropic_blocks(req, m, b, scratch, false) > 0)
        buf_addz(b, "]}");
    else
        buf_cut(b, start);
}

/* The begin of the run of messages that are not the assistant's and end before `end`. */
static size_t anthropic_run(const struct model_request *req, size_t end)
{
    while (end > 0 && req->messages[end - 1]->role != ROLE_ASSISTANT)
        end--;
    return end;
}

static void anthropic_messages(const struct model_request *req, struct buf *b,
                               struct arena *scratch)
{
    /* Where the last two messages of the user begin: these are marked. */
    size_t last = anthropic_run(req, req->nmessages), second = last;
    while (second > 0 && req->messages[second - 1]->role == ROLE_ASSISTANT)
        second--;
    second = anthropic_run(req, second);
    buf_addz(b, ",\"messages\":[");
    for (size_t i = 0; i < req->nmessages;) {
        const struct message *m = req->messages[i];
        if (m->role == ROLE_ASSISTANT) {
            anthropic_assistant(req, m, b, scratch);
            i++;
            continue;
        }
        size_t end = i;
        while (end < req->nmessages && req->messages[end]->role != ROLE_ASSISTANT)
            end++;
        anthropic_user(req, i, end, b, scratch, i == last || i == second);
        i = end;
    }
    buf_putc(b, ']');
}

static void anthropic_tools(const struct model_request *req, struct buf *b)
{
    if (req->ntools == 0)
        return;
    buf_addz(b, ",\"tools\":[");
    for (size_t i = 0; i < req->ntools; i++) {
        const struct model_tool *t = &req->tools[i];
        buf_addz(b, i ? ",{" : "{");
        wire_text(b, "name", t->name);
        wire_text(b, "description", t->description);
        buf_addz(b, ",\"input_schema\":");
        wire_schema(b, t->schema);
        buf_addz(b, i + 1 == req->ntools ? ANTHROPIC_CACHE "}" : "}");
    }
    buf_putc(b, ']');
    if (req->force.n > 0) {
        buf_addz(b, ",\"tool_choice\":{\"type\":\"tool\"");
        wire_text(b, "name", req->force);
        buf_putc(b, '}');
    }
}

static void anthropic_body(const struct model_request *req, struct buf *b, struct arena *scratch)
{
    int64_t max_tokens = wire_max_tokens(req, ANTHROPIC_OUTPUT);
    buf_putc(b, '{');
    wire_text(b, "model", req->model->id);
    buf_printf(b, ",\"max_tokens\":%lld,\"stream\":true", (long long)max_tokens);
    anthropic_thinking(req, b, max_tokens);
    if (str_trim(req->system).n > 0) {
        buf_addz(b, ",\"system\":[{\"type\":\"text\"");
        wire_text(b, "text", req->system);
        buf_addz(b, ANTHROPIC_CACHE "}]");
    }
    anthropic_tools(req, b);
    anthropic_messages(req, b, scratch);
    buf_putc(b, '}');
}

/* ---- the stream ---- */

static void anthropic_usage(struct answer *an, const struct json *u)
{
    /* Later numbers are sums, not additions. */
    json_int(json_get(u, "input_tokens"), &an->usage.input);
    json_int(json_get(u, "output_tokens"), &an->usage.output);
    json_int(json_get(u, "cache_read_input_tokens"), &an->usage.cache_read);
    json_int(json_get(u, "cache_creation_input_tokens"), &an->usage.cache_write);
}

static int anthropic_start(struct answer *an, const struct json *v)
{
    const struct json *block = json_get(v, "content_block");
    struct str type = STR(""), s;
    int64_t index = 0;
    json_int(json_get(v, "index"), &index);
    json_string(json_get(block, "type"), &type);
    enum block_kind kind = BLOCK_TEXT;
    if (str_eqz(type, "tool_use"))
        kind = BLOCK_CALL;
    else if (str_eqz(type, "thinking") || str_eqz(type, "redacted_thinking"))
        kind = BLOCK_THINKING;
    else if (!str_eqz(type, "text"))
        return 0; /* a block of a kind that was not asked for */
    struct answer_part *p = answer_add(an, kind, index);
    if (!p)
        return HOB_ENOMEM;
    if (kind == BLOCK_CALL) {
        if (json_string(json_get(block, "id"), &s))
            buf_str(&p->id, s);
        if (json_string(json_get(block, "name"), &s))
            buf_str(&p->name, s);
        const struct json *input = json_get(block, "input");
        if (input && input->kind == JSON_OBJECT && input->n > 0)
            json_write(&p->text, input);
    } else if (str_eqz(type, "redacted_thinking")) {
        p->redacted = true;
        if (json_string(json_get(block, "data"), &s))
            buf_str(&p->signature, s);
    } else {
        if (json_string(json_get(block, kind == BLOCK_TEXT ? "text" : "thinking"), &s))
            answer_more(an, p, s);
        if (json_string(json_get(block, "signature"), &s))
            buf_str(&p->signature, s);
    }
    return 0;
}

static int anthropic_delta(struct answer *an, const struct json *v, struct str data,
                           struct hob_error *err)
{
    static const struct {
        const char *type, *member;
        enum block_kind kind;
    } deltas[] = {{"text_delta", "text", BLOCK_TEXT},
                  {"thinking_delta", "thinking", BLOCK_THINKING},
                  {"input_json_delta", "partial_json", BLOCK_CALL},
                  {"signature_delta", "signature", BLOCK_THINKING}};
    const struct json *delta = json_get(v, "delta");
    struct str type = STR(""), s;
    int64_t index = 0;
    json_int(json_get(v, "index"), &index);
    json_string(json_get(delta, "type"), &type);
    for (size_t i = 0; i < COUNT(deltas); i++) {
        if (!str_eqz(type, deltas[i].type) || !json_string(json_get(delta, deltas[i].member), &s))
            continue;
        struct answer_part *p = answer_find(an, deltas[i].kind, index);
        if (!p)
            return wire_malformed(err, "a delta of a block that did not start", data);
        if (i == 3)
            buf_str(&p->signature, s);
        else
            answer_more(an, p, s);
        break;
    }
    return 0;
}

static void anthropic_block_stop(struct answer *an, const struct json *v)
{
    int64_t index = 0;
    json_int(json_get(v, "index"), &index);
    for (size_t i = 0; i < an->parts.n; i++)
        if (an->parts.p[i]->index == index)
            answer_close(an, an->parts.p[i]);
}

static void anthropic_stop(struct answer *an, struct str reason)
{
    if (str_eqz(reason, "tool_use"))
        an->stop = STOP_TOOLS;
    else if (str_eqz(reason, "max_tokens") || str_eqz(reason, "model_context_window_exceeded"))
        an->stop = STOP_LENGTH;
    else if (str_eqz(reason, "refusal"))
        an->stop = STOP_REFUSED;
    else
        an->stop = STOP_END; /* end_turn, stop_sequence, pause_turn */
}

static int anthropic_error(struct answer *an, const struct json *v, struct hob_error *err)
{
    const struct json *e = json_get(v, "error");
    struct str type = STR(""), message = STR("");
    json_string(json_get(e, "type"), &type);
    json_string(json_get(e, "message"), &message);
    return wire_error(0, type, STR(""), message, &an->retry, err);
}

/* A whole message: a server that does not stream. */
static int anthropic_whole(struct answer *an, const struct json *v)
{
    struct str reason;
    const struct json *content = json_get(v, "content");
    int64_t index = 0;
    for (const struct json *x = content ? content->first : NULL; x; x = x->next, index++) {
        struct json holder = {.kind = JSON_OBJECT}, block = *x;
        block.key = STR("content_block");
        block.next = NULL;
        holder.first = holder.last = &block;
        holder.n = 1;
        int r = anthropic_start(an, &holder);
        if (r < 0)
            return r;
        if (an->parts.n > 0)
            answer_close(an, an->parts.p[an->parts.n - 1]);
    }
    anthropic_usage(an, json_get(v, "usage"));
    if (json_string(json_get(v, "stop_reason"), &reason))
        anthropic_stop(an, reason);
    an->ended = true;
    return 0;
}

static int anthropic_event(struct answer *an, struct str name, struct str data,
                           struct hob_error *err)
{
    struct json *v = NULL;
    struct str type = STR(""), reason;
    (void)name; /* the data says it too */
    int r = json_parse(an->json, data, 200, &v, NULL);
    if (r == HOB_ENOMEM)
        return error_set(err, r, "%s", error_text(r));
    if (r < 0 || !json_string(json_get(v, "type"), &type))
        return wire_malformed(err, r < 0 ? "not JSON" : "no type", data);
    if (str_eqz(type, "message_start")) {
        anthropic_usage(an, json_get(json_get(v, "message"), "usage"));
    } else if (str_eqz(type, "content_block_start")) {
        r = anthropic_start(an, v);
    } else if (str_eqz(type, "content_block_delta")) {
        r = anthropic_delta(an, v, data, err);
    } else if (str_eqz(type, "content_block_stop")) {
        anthropic_block_stop(an, v);
    } else if (str_eqz(type, "message_delta")) {
        anthropic_usage(an, json_get(v, "usage"));
        if (json_string(json_get(json_get(v, "delta"), "stop_reason"), &reason))
            anthropic_stop(an, reason);
    } else if (str_eqz(type, "message_stop")) {
        answer_finish(an, true);
        an->ended = true;
    } else if (str_eqz(type, "error")) {
        r = anthropic_error(an, v, err);
    } else if (str_eqz(type, "message")) {
        r = anthropic_whole(an, v);
    } /* ping, and what may be added later */
    return r == HOB_ENOMEM ? error_set(err, r, "%s", error_text(r)) : r;
}

const struct model_wire model_anthropic = {.path = anthropic_path,
                                           .body = anthropic_body,
                                           .headers = anthropic_headers,
                                           .event = anthropic_event};

#undef ANTHROPIC_CACHE

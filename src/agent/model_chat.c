/* model_chat.c -- OpenAI chat completions, and what the many servers of that form make of it
 *
 * Servers differ in what they leave out: ids and numbers of calls, usage, the last line. What is
 * there is taken, what is missing is made up, and only what makes no sense is an error.
 */
#include "agent/model_wire.h"

#include "text/number.h"

#define CHAT_CACHE ",\"cache_control\":{\"type\":\"ephemeral\"}"

static void chat_path(const struct model_request *req, struct buf *b)
{
    (void)req;
    buf_addz(b, "/chat/completions");
}

static size_t chat_headers(const struct model_request *req, struct arena *a,
                           struct http_header *out)
{
    if (req->model->key.n == 0)
        return 0;
    out[0].name = STR("Authorization");
    out[0].value = arena_printf(a, "Bearer %.*s", STR_ARG(req->model->key));
    return out[0].value.p ? 1 : 0;
}

/* ---- messages ---- */

static bool chat_is_openrouter(const struct model_request *req)
{
    return str_eqz(req->model->provider, "openrouter");
}

/* OpenRouter hands cache marks on to the makers that want them. */
static bool chat_marks(const struct model_request *req)
{
    return chat_is_openrouter(req) && str_starts(req->model->id, STR("anthropic/"));
}

static void chat_text_part(struct buf *b, struct str text, bool mark)
{
    buf_addz(b, "{\"type\":\"text\"");
    wire_text(b, "text", text);
    buf_addz(b, mark ? CHAT_CACHE "}" : "}");
}

static void chat_image_part(const struct model_request *req, struct buf *b, const struct block *x)
{
    if (!req->model->images) {
        chat_text_part(b, STR(WIRE_NO_IMAGE), false);
        return;
    }
    buf_addz(b, "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:");
    buf_str(b, x->mime);
    buf_addz(b, ";base64,");
    buf_str(b, x->data);
    buf_addz(b, "\"}}");
}

/* A message of the user: a plain string where it is one, which every server understands. */
static void chat_user(const struct model_request *req, const struct message *m, struct buf *b,
                      bool mark)
{
    const struct block *x = m->blocks;
    buf_addz(b, ",{\"role\":\"user\",\"content\":");
    if (x && !x->next && x->kind == BLOCK_TEXT && !mark) {
        json_quote(b, x->text);
    } else {
        buf_putc(b, '[');
        for (bool first = true; x; x = x->next) {
            if (x->kind != BLOCK_TEXT && x->kind != BLOCK_IMAGE)
                continue;
            buf_addz(b, first ? "" : ",");
            first = false;
            if (x->kind == BLOCK_TEXT)
                chat_text_part(b, x->text, mark && !x->next);
            else
                chat_image_part(req, b, x);
        }
        buf_putc(b, ']');
    }
    buf_putc(b, '}');
}

static void chat_calls(const struct message *m, struct buf *b, struct arena *scratch)
{
    struct buf args;
    bool first = true;
    buf_init(&args, b->heap);
    for (const struct block *x = m->blocks; x; x = x->next) {
        if (x->kind != BLOCK_CALL)
            continue;
        buf_addz(b, first ? ",\"tool_calls\":[{\"id\":" : ",{\"id\":");
        first = false;
        wire_id(b, x->id);
        buf_addz(b, ",\"type\":\"function\",\"function\":{");
        wire_text(b, "name", x->name);
        buf_clear(&args);
        wire_args(&args, x->args, scratch);
        wire_text(b, "arguments", buf_get(&args));
        buf_addz(b, "}}");
    }
    if (!first)
        buf_putc(b, ']');
    buf_fini(&args);
}

static bool chat_has(const struct message *m, enum block_kind kind)
{
    for (const struct block *x = m->blocks; x; x = x->next)
        if (x->kind == kind)
            return true;
    return false;
}

/* Thinking between a call and its result goes back under the name it came with. */
static void chat_thinking(const struct model_request *req, const struct message *m, struct buf *b)
{
    if (!wire_own(req, m) || !chat_has(m, BLOCK_CALL))
        return;
    for (const struct block *x = m->blocks; x; x = x->next) {
        bool known =
            str_eqz(x->signature, "reasoning_content") || str_eqz(x->signature, "reasoning");
        if (x->kind == BLOCK_THINKING && known) {
            wire_text(b, x->signature.p, x->text);
            return;
        }
    }
}

static void chat_assistant(const struct model_request *req, const struct message *m, struct buf *b,
                           struct arena *scratch)
{
    bool text = chat_has(m, BLOCK_TEXT);
    if (!text && !chat_has(m, BLOCK_CALL))
        return;
    buf_addz(b, ",{\"role\":\"assistant\"");
    if (text) {
        struct buf joined;
        buf_init(&joined, b->heap);
        message_texts(&joined, m);
        wire_text(b, "content", buf_get(&joined));
        buf_fini(&joined);
    } else {
        buf_addz(b, ",\"content\":null");
    }
    chat_thinking(req, m, b);
    chat_calls(m, b, scratch);
    buf_putc(b, '}');
}

/* The result of a call is text. Images of results follow in a message of the user. */
static void chat_result(const struct message *m, struct buf *b)
{
    struct buf text;
    buf_init(&text, b->heap);
    message_texts(&text, m);
    if (text.n == 0)
        buf_addz(&text, chat_has(m, BLOCK_IMAGE) ? "(the image follows)" : "(no output)");
    buf_addz(b, ",{\"role\":\"tool\",\"tool_call_id\":");
    wire_id(b, m->call_id);
    wire_text(b, "content", buf_get(&text));
    buf_putc(b, '}');
    buf_fini(&text);
}

static void chat_result_images(const struct model_request *req, size_t from, size_t to,
                               struct buf *b)
{
    bool any = false;
    for (size_t i = from; i < to; i++) {
        for (const struct block *x = req->messages[i]->blocks; x; x = x->next) {
            if (x->kind != BLOCK_IMAGE)
                continue;
            buf_addz(b, any ? "," : ",{\"role\":\"user\",\"content\":[");
            any = true;
            chat_image_part(req, b, x);
        }
    }
    buf_addz(b, any ? "]}" : "");
}

static void chat_messages(const struct model_request *req, struct buf *b, struct arena *scratch)
{
    /* Every message begins with a comma; the one behind the bracket is taken out at the end. */
    buf_addz(b, ",\"messages\":[");
    size_t begin = b->n, i = 0;
    if (str_trim(req->system).n > 0) {
        buf_addz(b, ",{\"role\":\"system\",\"content\":");
        if (chat_marks(req)) {
            buf_putc(b, '[');
            chat_text_part(b, req->system, true);
            buf_putc(b, ']');
        } else {
            json_quote(b, req->system);
        }
        buf_putc(b, '}');
    }
    while (i < req->nmessages) {
        const struct message *m = req->messages[i];
        size_t from = i++;
        if (m->role == ROLE_USER) {
            chat_user(req, m, b, chat_marks(req) && i == req->nmessages);
        } else if (m->role == ROLE_ASSISTANT) {
            chat_assistant(req, m, b, scratch);
        } else {
            chat_result(m, b);
            while (i < req->nmessages && req->messages[i]->role == ROLE_TOOL)
                chat_result(req->messages[i++], b);
            chat_result_images(req, from, i, b);
        }
    }
    if (b->n > begin)
        buf_del(b, begin, 1);
    buf_putc(b, ']');
}

static void chat_tools(const struct model_request *req, struct buf *b)
{
    if (req->ntools == 0)
        return;
    buf_addz(b, ",\"tools\":[");
    for (size_t i = 0; i < req->ntools; i++) {
        const struct model_tool *t = &req->tools[i];
        buf_addz(b, i ? ",{\"type\":\"function\",\"function\":{"
                      : "{\"type\":\"function\",\"function\":{");
        wire_text(b, "name", t->name);
        wire_text(b, "description", t->description);
        buf_addz(b, ",\"parameters\":");
        wire_schema(b, t->schema);
        buf_addz(b, "}}");
    }
    buf_putc(b, ']');
    if (req->force.n > 0) {
        buf_addz(b, ",\"tool_choice\":{\"type\":\"function\",\"function\":{");
        wire_text(b, "name", req->force);
        buf_addz(b, "}}");
    }
}

static void chat_body(const struct model_request *req, struct buf *b, struct arena *scratch)
{
    bool openai = str_eqz(req->model->provider, "openai");
    const char *effort = wire_effort(req);
    buf_putc(b, '{');
    wire_text(b, "model", req->model->id);
    buf_addz(b, ",\"stream\":true,\"stream_options\":{\"include_usage\":true}");
    /* Without a bound the server takes the model's; a large one is money to be reserved. */
    if (req->max_tokens > 0)
        buf_printf(b, ",\"%s\":%lld", openai ? "max_completion_tokens" : "max_tokens",
                   (long long)wire_max_tokens(req, 0));
    if (effort && chat_is_openrouter(req))
        buf_printf(b, ",\"reasoning\":{\"effort\":\"%s\"}",
                   wire_level(req) == HOB_THINK_OFF ? "none" : effort);
    else if (effort)
        buf_printf(b, ",\"reasoning_effort\":\"%s\"", effort);
    if (openai && req->affinity.n > 0)
        wire_text(b, "prompt_cache_key", req->affinity);
    chat_tools(req, b);
    chat_messages(req, b, scratch);
    buf_putc(b, '}');
}

/* ---- the stream ---- */

static void chat_usage(struct answer *an, const struct json *u)
{
    int64_t input, output, read = 0, write = 0;
    const struct json *details = json_get(u, "prompt_tokens_details"), *cost = json_get(u, "cost");
    size_t used;
    if (!json_int(json_get(u, "prompt_tokens"), &input))
        return;
    if (!json_int(json_get(u, "completion_tokens"), &output))
        output = 0;
    if (!json_int(json_get(details, "cached_tokens"), &read))
        json_int(json_get(u, "prompt_cache_hit_tokens"), &read);
    json_int(json_get(details, "cache_write_tokens"), &write);
    an->usage.input = MAX(input - read - write, 0);
    an->usage.output = output;
    an->usage.cache_read = read;
    an->usage.cache_write = write;
    if (cost && cost->kind == JSON_NUMBER)
        an->usage.cost = (double)number_parse(cost->text, &used);
}

/* The part that a piece of a call belongs to: by its number, else by its id, else the last one. */
static struct answer_part *chat_call_part(struct answer *an, const struct json *call)
{
    struct str id = STR(""), name = STR("");
    int64_t index = -1;
    struct answer_part *p = NULL;
    json_string(json_get(call, "id"), &id);
    json_string(json_get(json_get(call, "function"), "name"), &name);
    if (json_int(json_get(call, "index"), &index)) {
        p = answer_find(an, BLOCK_CALL, index);
    } else {
        for (size_t i = an->parts.n; i-- > 0 && !p;)
            if (an->parts.p[i]->kind == BLOCK_CALL)
                p = an->parts.p[i];
    }
    /* Servers that number every call 0 tell a new one by its id and name. */
    bool fresh = p && id.n > 0 && name.n > 0 && p->id.n > 0 && !str_eq(id, buf_get(&p->id));
    if (!p || fresh || (index < 0 && name.n > 0 && id.n == 0))
        p = answer_add(an, BLOCK_CALL, index);
    if (p && p->id.n == 0)
        buf_str(&p->id, id);
    if (p && p->name.n == 0)
        buf_str(&p->name, name);
    return p;
}

static int chat_tool_calls(struct answer *an, const struct json *calls)
{
    for (const struct json *x = calls ? calls->first : NULL; x; x = x->next) {
        const struct json *args = json_get(json_get(x, "function"), "arguments");
        struct answer_part *p = chat_call_part(an, x);
        if (!p)
            return HOB_ENOMEM;
        if (args && args->kind == JSON_STRING)
            answer_more(an, p, args->text);
        else if (args && args->kind == JSON_OBJECT)
            json_write(&p->text, args);
    }
    return 0;
}

static int chat_flow(struct answer *an, enum block_kind kind, struct str text, const char *mark)
{
    if (text.n == 0)
        return 0;
    struct answer_part *p = answer_flow(an, kind);
    if (!p)
        return HOB_ENOMEM;
    if (p->signature.n == 0)
        buf_addz(&p->signature, mark);
    answer_more(an, p, text);
    return 0;
}

/* Content is a string, or a list of parts (whole answers of some servers). */
static int chat_content(struct answer *an, const struct json *content)
{
    struct str s;
    if (json_string(content, &s))
        return chat_flow(an, BLOCK_TEXT, s, "");
    int r = 0;
    for (const struct json *x = content ? content->first : NULL; x && r == 0; x = x->next)
        if (json_string(json_get(x, "text"), &s))
            r = chat_flow(an, BLOCK_TEXT, s, "");
    return r;
}

static int chat_delta(struct answer *an, const struct json *delta)
{
    struct str s;
    int r = 0;
    if (json_string(json_get(delta, "reasoning_content"), &s))
        r = chat_flow(an, BLOCK_THINKING, s, "reasoning_content");
    else if (json_string(json_get(delta, "reasoning"), &s))
        r = chat_flow(an, BLOCK_THINKING, s, "reasoning");
    r = r < 0 ? r : chat_content(an, json_get(delta, "content"));
    if (r == 0 && json_string(json_get(delta, "refusal"), &s) && s.n > 0) {
        an->refused = true;
        r = chat_flow(an, BLOCK_TEXT, s, "");
    }
    return r < 0 ? r : chat_tool_calls(an, json_get(delta, "tool_calls"));
}

static void chat_finish(struct answer *an, struct str reason)
{
    if (str_eqz(reason, "length") || str_eqz(reason, "max_tokens"))
        an->stop = STOP_LENGTH;
    else if (str_eqz(reason, "tool_calls") || str_eqz(reason, "function_call"))
        an->stop = STOP_TOOLS;
    else if (str_eqz(reason, "content_filter"))
        an->stop = STOP_REFUSED;
    else
        an->stop = STOP_END;
    an->whole = true;
}

static int chat_event(struct answer *an, struct str name, struct str data, struct hob_error *err)
{
    struct json *v = NULL;
    struct str reason;
    (void)name;
    if (str_eqz(str_trim(data), "[DONE]")) {
        answer_finish(an, true);
        an->ended = true;
        return 0;
    }
    int r = json_parse(an->json, data, 200, &v, NULL);
    if (r == HOB_ENOMEM)
        return error_set(err, r, "%s", error_text(r));
    if (r < 0 || v->kind != JSON_OBJECT)
        return wire_malformed(err, r < 0 ? "not JSON" : "no object", data);
    const struct json *e = json_get(v, "error");
    if (e && e->kind != JSON_NULL)
        return wire_failure(0, data, an->json, &an->retry, err);
    const struct json *choice = json_at(json_get(v, "choices"), 0);
    const struct json *message = json_get(choice, "message");
    r = chat_delta(an, message ? message : json_get(choice, "delta"));
    chat_usage(an, json_get(choice, "usage"));
    chat_usage(an, json_get(v, "usage"));
    if (r == 0 && json_string(json_get(choice, "finish_reason"), &reason) && reason.n > 0)
        chat_finish(an, reason);
    if (message)
        an->whole = true;
    return r < 0 ? error_set(err, r, "%s", error_text(r)) : 0;
}

const struct model_wire model_chat = {
    .path = chat_path, .body = chat_body, .headers = chat_headers, .event = chat_event};

#undef CHAT_CACHE

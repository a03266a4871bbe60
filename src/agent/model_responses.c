/* model_responses.c -- OpenAI responses
 *
 * Nothing is stored at the provider: the reasoning comes back encrypted and is sent again with what
 * followed it.
 */
#include "agent/model_wire.h"

static void responses_path(const struct model_request *req, struct buf *b)
{
    (void)req;
    buf_addz(b, "/responses");
}

static size_t responses_headers(const struct model_request *req, struct arena *a,
                                struct http_header *out)
{
    if (req->model->key.n == 0)
        return 0;
    out[0].name = STR("Authorization");
    out[0].value = arena_printf(a, "Bearer %.*s", STR_ARG(req->model->key));
    return out[0].value.p ? 1 : 0;
}

/* ---- input items ---- */

static void responses_image(const struct model_request *req, struct buf *b, const struct block *x)
{
    if (!req->model->images) {
        buf_addz(b, "{\"type\":\"input_text\",\"text\":\"" WIRE_NO_IMAGE "\"}");
        return;
    }
    buf_addz(b, "{\"type\":\"input_image\",\"detail\":\"auto\",\"image_url\":\"data:");
    buf_str(b, x->mime);
    buf_addz(b, ";base64,");
    buf_str(b, x->data);
    buf_addz(b, "\"}");
}

/* Texts and images as a list of parts. */
static void responses_parts(const struct model_request *req, const struct message *m, struct buf *b)
{
    bool first = true;
    buf_putc(b, '[');
    for (const struct block *x = m->blocks; x; x = x->next) {
        if (x->kind != BLOCK_TEXT && x->kind != BLOCK_IMAGE)
            continue;
        buf_addz(b, first ? "" : ",");
        first = false;
        if (x->kind == BLOCK_IMAGE) {
            responses_image(req, b, x);
        } else {
            buf_addz(b, "{\"type\":\"input_text\"");
            wire_text(b, "text", x->text);
            buf_putc(b, '}');
        }
    }
    buf_putc(b, ']');
}

static void responses_result(const struct model_request *req, const struct message *m,
                             struct buf *b)
{
    bool image = false;
    for (const struct block *x = m->blocks; x; x = x->next)
        image |= x->kind == BLOCK_IMAGE;
    buf_addz(b, ",{\"type\":\"function_call_output\",\"call_id\":");
    wire_id(b, m->call_id);
    if (image) {
        buf_addz(b, ",\"output\":");
        responses_parts(req, m, b);
    } else {
        struct buf text;
        buf_init(&text, b->heap);
        message_texts(&text, m);
        wire_text(b, "output", buf_get(&text));
        buf_fini(&text);
    }
    buf_putc(b, '}');
}

/* Reasoning that nothing follows is refused; so is that of another model. */
static void responses_reasoning(const struct model_request *req, const struct message *m,
                                const struct block *x, struct buf *b)
{
    if (!wire_own(req, m) || x->signature.n == 0 || !x->next || x->next->kind == BLOCK_THINKING)
        return;
    buf_addz(b, ",{\"type\":\"reasoning\"");
    if (x->id.n > 0)
        wire_text(b, "id", x->id);
    buf_addz(b, ",\"summary\":[");
    if (x->text.n > 0) {
        buf_addz(b, "{\"type\":\"summary_text\"");
        wire_text(b, "text", x->text);
        buf_putc(b, '}');
    }
    buf_putc(b, ']');
    wire_text(b, "encrypted_content", x->signature);
    buf_putc(b, '}');
}

static void responses_assistant(const struct model_request *req, const struct message *m,
                                struct buf *b, struct arena *scratch)
{
    struct buf args;
    buf_init(&args, b->heap);
    for (const struct block *x = m->blocks; x; x = x->next) {
        if (x->kind == BLOCK_THINKING) {
            responses_reasoning(req, m, x, b);
        } else if (x->kind == BLOCK_TEXT && x->text.n > 0) {
            buf_addz(b, ",{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":"
                        "\"output_text\"");
            wire_text(b, "text", x->text);
            buf_addz(b, ",\"annotations\":[]}]}");
        } else if (x->kind == BLOCK_CALL) {
            buf_addz(b, ",{\"type\":\"function_call\",\"call_id\":");
            wire_id(b, x->id);
            wire_text(b, "name", x->name);
            buf_clear(&args);
            wire_args(&args, x->args, scratch);
            wire_text(b, "arguments", buf_get(&args));
            buf_putc(b, '}');
        }
    }
    buf_fini(&args);
}

static void responses_input(const struct model_request *req, struct buf *b, struct arena *scratch)
{
    /* Every item begins with a comma; the one behind the bracket is taken out at the end. */
    buf_addz(b, ",\"input\":[");
    size_t begin = b->n;
    for (size_t i = 0; i < req->nmessages; i++) {
        const struct message *m = req->messages[i];
        if (m->role == ROLE_ASSISTANT) {
            responses_assistant(req, m, b, scratch);
        } else if (m->role == ROLE_TOOL) {
            responses_result(req, m, b);
        } else {
            buf_addz(b, ",{\"type\":\"message\",\"role\":\"user\",\"content\":");
            responses_parts(req, m, b);
            buf_putc(b, '}');
        }
    }
    if (b->n > begin)
        buf_del(b, begin, 1);
    buf_putc(b, ']');
}

static void responses_tools(const struct model_request *req, struct buf *b)
{
    if (req->ntools == 0)
        return;
    buf_addz(b, ",\"tools\":[");
    for (size_t i = 0; i < req->ntools; i++) {
        const struct model_tool *t = &req->tools[i];
        buf_addz(b, i ? ",{\"type\":\"function\"" : "{\"type\":\"function\"");
        wire_text(b, "name", t->name);
        wire_text(b, "description", t->description);
        buf_addz(b, ",\"parameters\":");
        wire_schema(b, t->schema);
        buf_addz(b, ",\"strict\":false}");
    }
    buf_putc(b, ']');
    if (req->force.n > 0) {
        buf_addz(b, ",\"tool_choice\":{\"type\":\"function\"");
        wire_text(b, "name", req->force);
        buf_putc(b, '}');
    }
}

static void responses_body(const struct model_request *req, struct buf *b, struct arena *scratch)
{
    const char *effort = wire_effort(req);
    buf_putc(b, '{');
    wire_text(b, "model", req->model->id);
    buf_addz(b, ",\"stream\":true,\"store\":false");
    if (req->max_tokens > 0)
        buf_printf(b, ",\"max_output_tokens\":%lld", (long long)wire_max_tokens(req, 0));
    if (effort)
        buf_printf(b,
                   ",\"reasoning\":{\"effort\":\"%s\"%s},"
                   "\"include\":[\"reasoning.encrypted_content\"]",
                   effort, wire_level(req) == HOB_THINK_OFF ? "" : ",\"summary\":\"auto\"");
    if (req->affinity.n > 0)
        wire_text(b, "prompt_cache_key", str_sub(req->affinity, 0, 64));
    if (str_trim(req->system).n > 0)
        wire_text(b, "instructions", req->system);
    responses_tools(req, b);
    responses_input(req, b, scratch);
    buf_putc(b, '}');
}

/* ---- the stream ---- */

static void responses_usage(struct answer *an, const struct json *u)
{
    int64_t input, read = 0;
    if (!json_int(json_get(u, "input_tokens"), &input))
        return;
    json_int(json_get(json_get(u, "input_tokens_details"), "cached_tokens"), &read);
    an->usage.input = MAX(input - read, 0);
    an->usage.cache_read = read;
    json_int(json_get(u, "output_tokens"), &an->usage.output);
}

static bool responses_kind(const struct json *item, enum block_kind *kind)
{
    struct str type = STR("");
    json_string(json_get(item, "type"), &type);
    if (str_eqz(type, "message"))
        *kind = BLOCK_TEXT;
    else if (str_eqz(type, "reasoning"))
        *kind = BLOCK_THINKING;
    else if (str_eqz(type, "function_call"))
        *kind = BLOCK_CALL;
    else
        return false; /* an item that was not asked for */
    return true;
}

/* The part of an item, made when it was not announced. NULL: out of memory. */
static struct answer_part *responses_part(struct answer *an, enum block_kind kind, int64_t index)
{
    struct answer_part *p = answer_find(an, kind, index);
    return p ? p : answer_add(an, kind, index);
}

/* The texts of a list of parts that none of was streamed. */
static void responses_show(struct answer *an, struct answer_part *p, const struct json *list)
{
    struct str s;
    for (const struct json *x = list ? list->first : NULL; x; x = x->next) {
        if (p->kind == BLOCK_THINKING && p->text.n > 0)
            answer_more(an, p, STR("\n\n"));
        if (json_string(json_get(x, "text"), &s))
            answer_more(an, p, s);
        if (json_string(json_get(x, "refusal"), &s)) {
            an->refused = true;
            answer_more(an, p, s);
        }
    }
}

static void responses_set(struct buf *b, const struct json *item, const char *member)
{
    struct str s;
    if (json_string(json_get(item, member), &s) && s.n > 0) {
        buf_clear(b);
        buf_str(b, s);
    }
}

/* An item that is whole: it says all that its pieces said, and more. */
static int responses_item(struct answer *an, const struct json *item, int64_t index)
{
    enum block_kind kind;
    if (!responses_kind(item, &kind))
        return 0;
    struct answer_part *p = responses_part(an, kind, index);
    if (!p)
        return HOB_ENOMEM;
    if (kind == BLOCK_CALL) {
        responses_set(&p->id, item, "call_id");
        responses_set(&p->name, item, "name");
        responses_set(&p->text, item, "arguments");
    } else if (kind == BLOCK_THINKING) {
        responses_set(&p->id, item, "id");
        responses_set(&p->signature, item, "encrypted_content");
        if (p->text.n == 0)
            responses_show(an, p, json_get(item, "summary"));
    } else if (p->text.n == 0) {
        responses_show(an, p, json_get(item, "content"));
    }
    answer_close(an, p);
    return 0;
}

static int responses_added(struct answer *an, const struct json *item, int64_t index)
{
    enum block_kind kind;
    if (!responses_kind(item, &kind))
        return 0;
    struct answer_part *p = responses_part(an, kind, index);
    if (p && kind == BLOCK_CALL) {
        responses_set(&p->id, item, "call_id");
        responses_set(&p->name, item, "name");
    }
    return p ? 0 : HOB_ENOMEM;
}

/* The end, with the answer as a whole: its items are taken where none was streamed. */
static int responses_end(struct answer *an, const struct json *v, struct hob_error *err)
{
    struct str status = STR("completed"), reason = STR(""), code = STR(""), message = STR("");
    const struct json *e = json_get(v, "error"), *output = json_get(v, "output");
    json_string(json_get(v, "status"), &status);
    json_string(json_get(json_get(v, "incomplete_details"), "reason"), &reason);
    responses_usage(an, json_get(v, "usage"));
    if (str_eqz(status, "failed") || str_eqz(status, "cancelled")) {
        json_string(json_get(e, "code"), &code);
        json_string(json_get(e, "message"), &message);
        return wire_error(0, STR(""), code, message, &an->retry, err);
    }
    int64_t index = 0;
    if (an->parts.n == 0)
        for (const struct json *x = output ? output->first : NULL; x; x = x->next)
            if (responses_item(an, x, index++) < 0)
                return HOB_ENOMEM;
    bool cut = str_eqz(status, "incomplete");
    an->stop = !cut ? STOP_END : str_eqz(reason, "content_filter") ? STOP_REFUSED : STOP_LENGTH;
    /* A call that the limit cut stays open, and is left out. */
    answer_finish(an, !cut);
    an->ended = true;
    return 0;
}

static int responses_delta(struct answer *an, const struct json *v, enum block_kind kind,
                           int64_t index)
{
    struct str s;
    if (!json_string(json_get(v, "delta"), &s))
        return 0;
    struct answer_part *p = responses_part(an, kind, index);
    if (p)
        answer_more(an, p, s);
    return p ? 0 : HOB_ENOMEM;
}

static int responses_dispatch(struct answer *an, struct str type, const struct json *v,
                              struct hob_error *err)
{
    int64_t index = 0;
    json_int(json_get(v, "output_index"), &index);
    if (str_eqz(type, "response.output_text.delta"))
        return responses_delta(an, v, BLOCK_TEXT, index);
    if (str_eqz(type, "response.refusal.delta")) {
        an->refused = true;
        return responses_delta(an, v, BLOCK_TEXT, index);
    }
    if (str_eqz(type, "response.reasoning_summary_text.delta") ||
        str_eqz(type, "response.reasoning_text.delta"))
        return responses_delta(an, v, BLOCK_THINKING, index);
    if (str_eqz(type, "response.reasoning_summary_part.added")) {
        struct answer_part *p = answer_find(an, BLOCK_THINKING, index);
        if (p && p->text.n > 0)
            answer_more(an, p, STR("\n\n"));
        return 0;
    }
    if (str_eqz(type, "response.function_call_arguments.delta"))
        return responses_delta(an, v, BLOCK_CALL, index);
    if (str_eqz(type, "response.output_item.added"))
        return responses_added(an, json_get(v, "item"), index);
    if (str_eqz(type, "response.output_item.done"))
        return responses_item(an, json_get(v, "item"), index);
    if (str_eqz(type, "response.completed") || str_eqz(type, "response.incomplete") ||
        str_eqz(type, "response.failed"))
        return responses_end(an, json_get(v, "response"), err);
    if (str_eqz(type, "error")) {
        struct str code = STR(""), message = STR("");
        const struct json *e = json_get(v, "error") ? json_get(v, "error") : v;
        json_string(json_get(e, "code"), &code);
        json_string(json_get(e, "message"), &message);
        return wire_error(0, STR(""), code, message, &an->retry, err);
    }
    return 0; /* what repeats, and what may be added later */
}

static int responses_event(struct answer *an, struct str name, struct str data,
                           struct hob_error *err)
{
    struct json *v = NULL;
    struct str type = STR(""), object = STR("");
    (void)name; /* the data says it too */
    if (str_eqz(str_trim(data), "[DONE]"))
        return 0;
    int r = json_parse(an->json, data, 200, &v, NULL);
    if (r == HOB_ENOMEM)
        return error_set(err, r, "%s", error_text(r));
    json_string(json_get(v, "object"), &object);
    if (r < 0)
        return wire_malformed(err, "not JSON", data);
    if (str_eqz(object, "response"))
        r = responses_end(an, v, err);
    else if (!json_string(json_get(v, "type"), &type))
        return wire_malformed(err, "no type", data);
    else
        r = responses_dispatch(an, type, v, err);
    return r == HOB_ENOMEM ? error_set(err, r, "%s", error_text(r)) : r;
}

const struct model_wire model_responses = {.path = responses_path,
                                           .body = responses_body,
                                           .headers = responses_headers,
                                           .event = responses_event};

/* model_wire.c -- what the wire formats share: pieces of requests, and what errors mean */
#include "agent/model_wire.h"

#include "base/fmt.h"
#include "base/utf8.h"

/* Room that is left beside an estimate of the input: estimates are low for code. */
enum {
    WIRE_MARGIN = 1024,
    WIRE_OUTPUT_MIN = 4096
};

void wire_key(struct buf *b, const char *name)
{
    if (b->n > 0 && b->p[b->n - 1] != '{' && b->p[b->n - 1] != '[')
        buf_putc(b, ',');
    buf_printf(b, "\"%s\":", name);
}

void wire_text(struct buf *b, const char *name, struct str value)
{
    wire_key(b, name);
    json_quote(b, value);
}

void wire_id(struct buf *b, struct str id)
{
    buf_putc(b, '"');
    for (size_t i = 0; i < id.n && i < 64; i++) {
        char c = id.p[i];
        buf_putc(b, ascii_alnum((unsigned char)c) || c == '_' || c == '-' ? c : '_');
    }
    buf_putc(b, '"');
}

void wire_args(struct buf *b, struct str args, struct arena *scratch)
{
    struct arena_mark mark = arena_mark(scratch);
    struct json *v = NULL;
    args = str_trim(args);
    if (args.n == 0)
        buf_addz(b, "{}");
    else if (json_parse(scratch, args, 200, &v, NULL) == 0 && v->kind == JSON_OBJECT)
        json_write(b, v);
    else {
        buf_addz(b, "{\"_invalid_json\":");
        json_quote(b, args);
        buf_putc(b, '}');
    }
    arena_release(scratch, mark);
}

void wire_schema(struct buf *b, struct str schema)
{
    if (str_trim(schema).n > 0)
        buf_str(b, schema);
    else
        buf_addz(b, "{\"type\":\"object\",\"properties\":{}}");
}

bool wire_own(const struct model_request *req, const struct message *m)
{
    return str_eq(m->model, req->model->full);
}

int wire_level(const struct model_request *req)
{
    if (!req->model->thinking)
        return HOB_THINK_OFF;
    return req->thinking == HOB_THINK_DEFAULT ? HOB_THINK_MEDIUM : req->thinking;
}

/* "gpt-5.2-codex" is 52, "gpt-5" 50; 0 for other names. Gateways put the maker before a slash. */
static int wire_gpt_version(struct str id)
{
    id = str_from(id, (size_t)(str_rchr(id, '/') + 1));
    if (!str_starts(id, STR("gpt-")) || id.n < 5 || !ascii_digit((unsigned char)id.p[4]))
        return 0;
    bool minor = id.n >= 7 && id.p[5] == '.' && ascii_digit((unsigned char)id.p[6]);
    return (id.p[4] - '0') * 10 + (minor ? id.p[6] - '0' : 0);
}

int wire_claude_version(struct str id)
{
    size_t at = 7;
    if (!str_starts(id, STR("claude-")))
        return 0;
    while (at < id.n && ascii_lower((unsigned char)id.p[at]))
        at++;
    struct str rest = str_from(id, at + 1);
    if (at == 7 || rest.n == 0 || !ascii_digit((unsigned char)rest.p[0]))
        return 0;
    /* A second number of more than one digit is a date. */
    bool minor = rest.n >= 3 && (rest.p[1] == '-' || rest.p[1] == '.') &&
                 ascii_digit((unsigned char)rest.p[2]) &&
                 (rest.n == 3 || !ascii_digit((unsigned char)rest.p[3]));
    return (rest.p[0] - '0') * 10 + (minor ? rest.p[2] - '0' : 0);
}

bool wire_thinks(struct str id)
{
    id = str_from(id, (size_t)(str_rchr(id, '/') + 1));
    bool o_series = id.n >= 2 && id.p[0] == 'o' && ascii_digit((unsigned char)id.p[1]);
    return wire_claude_version(id) >= 40 || wire_gpt_version(id) >= 50 || o_series;
}

const char *wire_effort(const struct model_request *req)
{
    int version = wire_gpt_version(req->model->id);
    if (!req->model->thinking)
        return NULL;
    switch (wire_level(req)) {
    case HOB_THINK_OFF: return version >= 51 ? "none" : version == 50 ? "minimal" : "low";
    case HOB_THINK_MINIMAL: return version == 50 ? "minimal" : "low";
    case HOB_THINK_LOW: return "low";
    case HOB_THINK_MEDIUM: return "medium";
    case HOB_THINK_HIGH: return "high";
    default: return version >= 52 ? "xhigh" : "high";
    }
}

/* About what the input takes: the usage that was last reported, and estimates for what came
 * since. */
static int64_t wire_input_tokens(const struct model_request *req)
{
    int64_t n = 0;
    for (size_t i = req->nmessages; i-- > 0;) {
        const struct message *m = req->messages[i];
        const hob_tokens *u = &m->usage;
        int64_t known = u->input + u->output + u->cache_read + u->cache_write;
        if (m->role == ROLE_ASSISTANT && known > 0)
            return n + known;
        n += message_tokens(m);
    }
    n += (int64_t)(req->system.n / 4);
    for (size_t i = 0; i < req->ntools; i++)
        n += (int64_t)((req->tools[i].description.n + req->tools[i].schema.n) / 4);
    return n;
}

int64_t wire_max_tokens(const struct model_request *req, int64_t fallback)
{
    const struct model *m = req->model;
    int64_t most = req->max_tokens > 0 ? req->max_tokens : m->output > 0 ? m->output : fallback;
    if (m->output > 0)
        most = MIN(most, m->output);
    if (most > 0 && m->window > 0) {
        int64_t room = m->window - wire_input_tokens(req) - WIRE_MARGIN;
        most = MIN(most, MAX(room, WIRE_OUTPUT_MIN));
    }
    return most;
}

/* ---- errors ---- */

/* Whether one of the words, separated by '|', is in the text, in any case. */
static bool wire_says(struct str text, const char *words)
{
    while (*words) {
        size_t n = strcspn(words, "|");
        for (size_t i = 0; i + n <= text.n; i++) {
            size_t k = 0;
            while (k < n && ascii_to_lower((unsigned char)text.p[i + k]) == words[k])
                k++;
            if (k == n)
                return true;
        }
        words += n + (words[n] == '|');
    }
    return false;
}

static int wire_kind(int status, struct str type, struct str code, struct str message, bool *retry)
{
    *retry = false;
    bool too_long = wire_says(message, "prompt is too long|context length|context window|"
                                       "maximum context|input is too long|too many tokens|"
                                       "exceed context limit|reduce the length") ||
                    wire_says(code, "context_length_exceeded") ||
                    wire_says(type, "request_too_large") || status == 413;
    if (too_long && status != 429)
        return HOB_ECONTEXT;
    if (wire_says(code, "insufficient_quota|billing") ||
        wire_says(type, "insufficient_quota|billing") ||
        wire_says(message, "credit balance|exceeded your current quota|insufficient credits") ||
        status == 402)
        return HOB_ERATE;
    if (status == 401 || status == 403 ||
        wire_says(type, "authentication_error|permission_error") ||
        wire_says(code, "invalid_api_key"))
        return HOB_EAUTH;
    *retry = true;
    if (status == 429 || wire_says(type, "rate_limit|too_many_requests") ||
        wire_says(code, "rate_limit"))
        return HOB_ERATE;
    if (status == 529 || status == 503 || wire_says(type, "overloaded|unavailable") ||
        wire_says(code, "overloaded|slow_down") || wire_says(message, "overloaded"))
        return HOB_EOVERLOADED;
    if (status == 408 || status == 425 || status == 409 || status >= 500 ||
        wire_says(type, "api_error|server_error|timeout_error") ||
        wire_says(code, "server_error|timeout"))
        return HOB_EMODEL;
    *retry = false;
    if (wire_says(code, "content_policy|content_filter") || wire_says(type, "content_filter"))
        return HOB_EREFUSED;
    return HOB_EMODEL;
}

int wire_error(int status, struct str type, struct str code, struct str message, bool *retry,
               struct hob_error *err)
{
    int r = wire_kind(status, type, code, message, retry);
    char where[16] = "";
    if (status)
        fmt_print(where, sizeof where, "%d ", status);
    struct str kind = type.n ? type : code;
    message = str_trim(message);
    if (kind.n > 0 && message.n > 0)
        return error_set(err, r, "%s%.*s: %.*s", where, STR_ARG(kind), STR_ARG(message));
    if (kind.n + message.n > 0)
        return error_set(err, r, "%s%.*s%.*s", where, STR_ARG(kind), STR_ARG(message));
    return error_set(err, r, "%s%s", where, error_text(r));
}

int wire_failure(int status, struct str body, struct arena *scratch, bool *retry,
                 struct hob_error *err)
{
    struct arena_mark mark = arena_mark(scratch);
    struct str type = STR(""), code = STR(""), message = STR("");
    struct json *v = NULL;
    if (json_parse(scratch, body, 100, &v, NULL) == 0) {
        /* {"error":{...}}; a list of one such (some gateways); or the members at the top. */
        const struct json *top = v->kind == JSON_ARRAY ? v->first : v;
        const struct json *e = json_get(top, "error");
        if (!json_string(e, &message)) {
            e = e && e->kind == JSON_OBJECT ? e : top;
            json_string(json_get(e, "type"), &type);
            if (!json_string(json_get(e, "message"), &message))
                json_string(json_get(e, "detail"), &message);
            const struct json *c = json_get(e, "code");
            if (c && (c->kind == JSON_STRING || (c->kind == JSON_NUMBER && status == 0)))
                code = c->text;
        }
    } else {
        message = str_sub(str_trim(body), 0, 200);
    }
    /* A number as code is the status of the server behind a gateway. */
    int64_t inner;
    if (status == 0 && str_int(code, &inner) == 0 && inner >= 400 && inner < 600) {
        status = (int)inner;
        code = STR("");
    }
    int r = wire_error(status, type, code, message, retry, err);
    arena_release(scratch, mark);
    return r;
}

int wire_malformed(struct hob_error *err, const char *what, struct str data)
{
    return error_set(err, HOB_EMODEL, "malformed event: %s: %.*s", what,
                     STR_ARG(str_sub(data, 0, 100)));
}

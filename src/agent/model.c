/* model.c -- one call of a model: the request, the stream that answers it, and another attempt
 * where that may help
 *
 * An attempt may be repeated as long as nothing of it was shown. After that the error goes up
 * with the part that came, and the harness decides: text is never shown twice.
 */
#include "agent/model.h"
#include "agent/model_wire.h"

#include "base/fmt.h"
#include "base/random.h"
#include "net/sse.h"
#include "text/date.h"
#include "text/number.h"

enum {
    MODEL_EVENT_BYTES =
        32 << 20,                /* of one event: the last one of some formats repeats everything */
    MODEL_ERROR_BYTES = 64 << 10 /* of the body of an answer that is no success */
};

/* One attempt. */
struct model_try {
    struct hob_loop *loop;
    struct catalog *catalog;
    const struct model_wire *wire;
    struct answer an;
    struct arena scratch;
    struct cancel *cancel;
    struct hob_error *err;
    double wait; /* seconds that the provider asks for; < 0: it does not say */
    bool began;  /* a byte of the answer came */
};

static const struct model_wire *model_wire_of(int wire)
{
    switch (wire) {
    case HOB_WIRE_ANTHROPIC: return &model_anthropic;
    case HOB_WIRE_RESPONSES: return &model_responses;
    case HOB_WIRE_CHAT: return &model_chat;
    default: return NULL;
    }
}

/* ---- the request ---- */

static void model_url(const struct model_wire *wire, const struct model_request *req,
                      struct buf *out)
{
    struct str base = req->model->base_url;
    while (base.n > 0 && base.p[base.n - 1] == '/')
        base.n--;
    buf_str(out, base);
    wire->path(req, out);
}

/* Fills what the transport needs. Everything it points to is in the arena or in the buffers. */
static int model_request_make(struct model_try *t, struct buf *url, struct buf *body,
                              struct http_request *out)
{
    const struct model_request *req = t->an.req;
    const struct model *m = req->model;
    struct http_header *h =
        arena_array(&t->scratch, struct http_header, 2 + WIRE_HEADERS + m->nheaders);
    if (!h)
        return HOB_ENOMEM;
    size_t n = 0;
    h[n++] = (struct http_header){STR("Content-Type"), STR("application/json")};
    h[n++] = (struct http_header){STR("Accept"), STR("application/json")};
    n += t->wire->headers(req, &t->scratch, h + n);
    for (size_t i = 0; i < m->nheaders; i++)
        h[n++] = m->headers[i];
    model_url(t->wire, req, url);
    t->wire->body(req, body, &t->scratch);
    struct model_limits *limits = catalog_limits(t->catalog);
    *out = (struct http_request){.method = STR("POST"),
                                 .url = buf_get(url),
                                 .headers = h,
                                 .nheaders = n,
                                 .body = buf_get(body),
                                 .connect_ns = limits->connect_ns,
                                 .idle_ns = limits->idle_ns,
                                 .ca_file = m->ca_file,
                                 .proxy = m->proxy,
                                 .no_proxy = m->no_proxy};
    return t->loop->heap.oom ? HOB_ENOMEM : 0;
}

/* ---- the answer ---- */

/* Seconds until an HTTP date ("Wed, 21 Oct 2015 07:28:00 GMT"), < 0 if it is none or in the
 * past. */
static double model_until(struct hob_loop *l, struct str s)
{
    struct date d = {0};
    int64_t part[4], at;
    if (s.n < 25 || s.p[3] != ',')
        return -1;
    struct str month = str_sub(s, 8, 3);
    for (int i = 0; i < 12; i++)
        if (str_eq(month, str_of(date_month_names[i], 3)))
            d.month = i + 1;
    static const struct {
        size_t at, n;
    } fields[] = {{5, 2}, {12, 4}, {17, 2}, {20, 2}};
    for (size_t i = 0; i < COUNT(fields); i++)
        if (str_int(str_sub(s, fields[i].at, fields[i].n), &part[i]) < 0)
            return -1;
    int64_t second;
    if (d.month == 0 || str_int(str_sub(s, 23, 2), &second) < 0)
        return -1;
    d.day = (int)part[0];
    d.year = part[1];
    d.hour = (int)part[2];
    d.minute = (int)part[3];
    d.second = (int)second;
    if (date_to_epoch(&d, &date_utc, &at) < 0)
        return -1;
    return MAX((double)at - (double)loop_wall_ms(l) / 1000, 0);
}

/* Retry-After in seconds or as a date, or in milliseconds under the name some providers use. */
static double model_retry_after(struct model_try *t, const struct loop_http *x)
{
    struct str v;
    size_t used;
    if (loop_http_header(x, "retry-after-ms", &v)) {
        double ms = (double)number_parse(v, &used);
        if (used > 0 && used == v.n && ms >= 0)
            return ms / 1000;
    }
    if (!loop_http_header(x, "retry-after", &v))
        return -1;
    double seconds = (double)number_parse(v, &used);
    if (used > 0 && used == v.n)
        return seconds >= 0 ? seconds : -1;
    return model_until(t->loop, v);
}

static int model_on_event(void *ud, struct str name, struct str data)
{
    struct model_try *t = ud;
    if (t->an.ended)
        return 0;
    /* Much may have come at once: nothing is shown behind an abort. */
    int r = cancel_check(t->cancel, t->err);
    if (r < 0)
        return r;
    struct arena_mark mark = arena_mark(&t->scratch);
    t->an.json = &t->scratch;
    r = t->wire->event(&t->an, name, data, t->err);
    arena_release(&t->scratch, mark);
    if (t->an.full)
        r = error_set(t->err, HOB_ELIMIT, "the answer has more than %d parts", ANSWER_PARTS);
    else if (r == 0 && t->loop->heap.oom)
        r = error_set(t->err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    return r;
}

static int model_too_large(struct model_try *t)
{
    return error_set(t->err, HOB_ELIMIT, "the answer is larger than %zu MiB",
                     catalog_limits(t->catalog)->reply_bytes >> 20);
}

/* The stream to its end. What comes behind the end of the answer is not waited for. */
static int model_stream(struct model_try *t, struct loop_http *x)
{
    struct sse sse;
    struct str bytes;
    size_t total = 0;
    int r = 0;
    sse_init(&sse, t->an.heap, MODEL_EVENT_BYTES);
    while (!t->an.ended && (r = loop_http_read(x, &bytes, t->err)) > 0) {
        t->began = true;
        total += bytes.n;
        r = total > catalog_limits(t->catalog)->reply_bytes
                ? model_too_large(t)
                : sse_feed(&sse, bytes, model_on_event, t, t->err);
        if (r < 0)
            break;
    }
    if (!t->an.ended && r == 0) {
        r = sse_finish(&sse, model_on_event, t, t->err);
        if (r == 0 && !t->an.ended && !t->an.whole)
            r = error_set(t->err, HOB_ENETWORK, "the stream ended before the answer did");
    }
    sse_fini(&sse);
    return t->an.ended && r > 0 ? 0 : r;
}

/* The whole body, for errors and for servers that do not stream. */
static int model_slurp(struct model_try *t, struct loop_http *x, size_t limit, struct buf *out)
{
    struct str bytes;
    int r;
    while ((r = loop_http_read(x, &bytes, t->err)) > 0) {
        if (out->n + bytes.n > limit)
            return HOB_ELIMIT;
        buf_str(out, bytes);
        if (out->heap->oom)
            return error_set(t->err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    }
    return r;
}

/* An answer that is JSON and no stream: an error in spite of its status, or all at once. */
static int model_whole(struct model_try *t, struct loop_http *x)
{
    struct buf body;
    buf_init(&body, t->an.heap);
    int r = model_slurp(t, x, catalog_limits(t->catalog)->reply_bytes, &body);
    if (r == HOB_ELIMIT)
        r = model_too_large(t);
    struct json *v = NULL;
    struct arena_mark mark = arena_mark(&t->scratch);
    if (r == 0 && json_parse(&t->scratch, buf_get(&body), 200, &v, NULL) < 0)
        r = wire_malformed(t->err, "not JSON", buf_get(&body));
    else if (r == 0 && json_get(v, "error") && json_get(v, "error")->kind != JSON_NULL)
        r = wire_failure(0, buf_get(&body), &t->scratch, &t->an.retry, t->err);
    arena_release(&t->scratch, mark);
    if (r == 0) {
        t->began = true;
        r = model_on_event(t, STR(""), buf_get(&body));
    }
    if (r == 0 && !t->an.ended && !t->an.whole)
        r = wire_malformed(t->err, "no answer in it", buf_get(&body));
    buf_fini(&body);
    return r;
}

static int model_failure(struct model_try *t, struct loop_http *x)
{
    struct buf body;
    buf_init(&body, t->an.heap);
    t->wait = model_retry_after(t, x);
    /* What can be read of the body is enough; that more of it cannot be read does not matter. */
    int r = model_slurp(t, x, MODEL_ERROR_BYTES, &body);
    if (r != HOB_ECANCELED && r != HOB_ENOMEM) {
        struct str says;
        r = wire_failure(loop_http_status(x), buf_get(&body), &t->scratch, &t->an.retry, t->err);
        if (loop_http_header(x, "x-should-retry", &says))
            t->an.retry = str_eqz(says, "true") || (t->an.retry && !str_eqz(says, "false"));
    }
    buf_fini(&body);
    return r;
}

static int model_exchange(struct model_try *t, const struct http_request *http)
{
    struct loop_http *x;
    struct str type;
    int r = loop_http_open(t->loop, http, t->cancel, &x, t->err);
    if (r < 0)
        return r;
    if (loop_http_status(x) != 200)
        r = model_failure(t, x);
    else if (loop_http_header(x, "content-type", &type) &&
             str_starts(type, STR("application/json")))
        r = model_whole(t, x);
    else
        r = model_stream(t, x);
    loop_http_close(x);
    return r;
}

static int model_attempt(struct model_try *t)
{
    struct http_request http;
    struct buf url, body;
    if (!t->wire)
        return offline_play(t->loop, t->catalog, &t->an, t->cancel, t->err);
    buf_init(&url, t->an.heap);
    buf_init(&body, t->an.heap);
    int r = model_request_make(t, &url, &body, &http);
    r = r < 0 ? error_set(t->err, r, "%s", error_text(r)) : model_exchange(t, &http);
    buf_fini(&url);
    buf_fini(&body);
    return r;
}

/* ---- attempts ---- */

/* Whether another attempt may help, and after how many seconds. */
static bool model_again(struct model_try *t, int r, int attempt, struct random *random,
                        double *seconds)
{
    const struct model_limits *limits = catalog_limits(t->catalog);
    bool may = t->an.retry || r == HOB_ENETWORK || (r == HOB_ETIMEDOUT && !t->began);
    if (!may || t->an.shown || attempt >= limits->retries || r == HOB_ECANCELED)
        return false;
    if (t->wait > (double)limits->retry_max) {
        error_prefix(t->err, "the provider asks to wait %.0f s", t->wait);
        return false;
    }
    /* 2, 4, 8 ... seconds, a little less by chance, so that many clients do not come at once. */
    double jitter = 0.75 + 0.25 * ((double)random_below(random, 1001) / 1000);
    *seconds = t->wait >= 0 ? t->wait : 2.0 * (double)(1u << MIN(attempt, 16)) * jitter;
    return true;
}

static int model_pause(struct model_try *t, int attempt, double seconds)
{
    const struct model_limits *limits = catalog_limits(t->catalog);
    char text[320];
    size_t n = fmt_print(text, sizeof text, "%s; attempt %d of %d in %.1f s", t->err->msg,
                         attempt + 2, limits->retries + 1, seconds);
    if (t->an.fn)
        t->an.fn(t->an.ud, DELTA_RETRY, str_of(text, MIN(n, sizeof text - 1)));
    int64_t ns = (int64_t)(seconds * (double)limits->second_ns);
    if (loop_sleep(t->loop, ns, t->cancel) < 0)
        return cancel_check(t->cancel, t->err);
    return 0;
}

static void model_cost(const struct model *m, hob_tokens *u)
{
    if (u->cost > 0)
        return; /* the provider said it */
    u->cost = ((double)u->input * m->price_input + (double)u->output * m->price_output +
               (double)u->cache_read * m->price_cache_read +
               (double)u->cache_write * m->price_cache_write) /
              1e6;
}

/* The message that stands for how the last attempt ended. */
static int model_result(struct model_try *t, int r, struct arena *a, struct message **out)
{
    bool keep = r >= 0 || t->an.shown || r == HOB_EREFUSED;
    answer_finish(&t->an, r >= 0);
    if (!keep)
        return r;
    model_cost(t->an.req->model, &t->an.usage);
    struct message *m = answer_message(&t->an, a);
    struct str text = r < 0 ? arena_str(a, str_z(t->err->msg)) : STR("");
    if (!m || !text.p)
        return error_set(t->err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    m->time_ms = loop_wall_ms(t->loop);
    m->error = text;
    if (r < 0)
        m->stop = r == HOB_EREFUSED ? STOP_REFUSED : r == HOB_ECANCELED ? STOP_ABORTED : STOP_ERROR;
    *out = m;
    return r;
}

/* One attempt from begin to end. 1: another one is due, after *seconds. */
static int model_once(struct model_try *t, int attempt, struct random *random, double *seconds)
{
    t->wait = -1;
    int r = model_attempt(t);
    /* Memory that ran out is noticed here at the latest; the loop goes on with the next call. */
    if (heap_gate(&t->loop->heap) < 0)
        r = error_set(t->err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    if (r >= 0 && (t->an.refused || t->an.stop == STOP_REFUSED)) {
        t->an.stop = STOP_REFUSED;
        r = error_set(t->err, HOB_EREFUSED, "the model declined to answer");
    }
    if (r < 0)
        catalog_redact_error(t->catalog, t->err);
    return r < 0 && model_again(t, r, attempt, random, seconds) ? 1 : r;
}

int model_call(struct hob_loop *l, struct catalog *c, const struct model_request *req,
               struct cancel *cancel, model_delta_fn fn, void *ud, struct arena *a,
               struct message **out, struct hob_error *err)
{
    const struct model *m = req->model;
    struct hob_error own = {0};
    struct random random;
    uint64_t seed = (uint64_t)loop_now(l);
    double seconds = 0;
    int r = 0;
    *out = NULL;
    if (m->key_env.n > 0 && m->key.n == 0)
        return error_set(err, HOB_EAUTH, "%s is not set, which holds the key of %.*s", m->key_env.p,
                         STR_ARG(m->provider));
    l->host.entropy(l->host.ud, &seed, sizeof seed);
    random_seed(&random, seed);
    for (int attempt = 0;; attempt++) {
        struct model_try t = {
            .loop = l, .catalog = c, .wire = model_wire_of(m->wire), .cancel = cancel, .err = &own};
        answer_init(&t.an, &l->heap, req, fn, ud);
        arena_init(&t.scratch, &l->heap);
        t.an.seed = random_next(&random);
        r = model_once(&t, attempt, &random, &seconds);
        if (r == 1)
            r = model_pause(&t, attempt, seconds) < 0 ? HOB_ECANCELED : 1;
        if (r != 1)
            r = model_result(&t, r, a, out);
        arena_fini(&t.scratch);
        answer_fini(&t.an);
        if (r != 1)
            break;
    }
    return r < 0 ? error_set(err, r, "%s", own.msg) : 0;
}

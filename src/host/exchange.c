/* exchange.c -- the HTTP of task/host.h, by libcurl
 *
 * The callbacks of host/http.h become a state that can be looked at. What has come and was not
 * taken is bounded: beyond that the call is paused, and the server waits. TM-NET-7
 */
#include "host/exchange.h"

enum {
    EXCHANGE_WINDOW = 256 << 10
};

struct http_stream {
    struct exchange_set *set;
    struct heap *heap;
    struct http_call *call;
    struct buf data;
    size_t taken; /* bytes of data that are used up */
    bool head, ended;
    int result;
    struct hob_error error;
};

static void exchange_event(void *ud, struct http_call *call, enum http_event event, struct str data,
                           const struct hob_error *err)
{
    struct http_stream *s = ud;
    switch (event) {
    case HTTP_HEAD: s->head = true; break;
    case HTTP_DATA:
        buf_str(&s->data, data);
        if (s->data.n - s->taken > EXCHANGE_WINDOW)
            http_call_pause(call, true);
        break;
    case HTTP_END: s->ended = true; break;
    case HTTP_FAIL:
        s->ended = true;
        s->result = http_call_result(call);
        s->error = *err;
        break;
    }
    if (s->heap->oom && !s->ended) { /* bytes may be missing */
        s->ended = true;
        error_set(&s->error, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    }
    if (s->error.code == HOB_ENOMEM)
        s->result = HTTP_OUT_OF_MEMORY;
}

static int exchange_start(void *ud, struct heap *h, const struct http_request *req,
                          struct http_stream **out, struct hob_error *err)
{
    struct exchange_set *set = ud;
    *out = NULL;
    if (!set->client) {
        int r = http_client_new(h, &set->client, err);
        if (r < 0)
            return r;
    }
    struct http_stream *s = heap_new(h, struct http_stream);
    if (!s)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    s->set = set;
    s->heap = h;
    buf_init(&s->data, h);
    int r = http_call_start(set->client, req, exchange_event, s, &s->call, err);
    if (r < 0) {
        heap_drop(h, s);
        return r;
    }
    set->n++;
    *out = s;
    return 0;
}

static void exchange_look(struct http_stream *s, struct http_state *out)
{
    *out = (struct http_state){
        .head = s->head,
        .ended = s->ended,
        .status = http_call_status(s->call),
        .raw = http_call_raw(s->call),
        .data = str_from(buf_get(&s->data), s->taken),
        .result = s->result,
        .error = s->error,
    };
    if (s->ended || s->head)
        out->info = *http_call_info(s->call);
}

static void exchange_take(struct http_stream *s, size_t n)
{
    s->taken += n;
    if (s->taken < s->data.n)
        return;
    buf_clear(&s->data);
    s->taken = 0;
    if (!s->ended)
        http_call_pause(s->call, false);
}

static void exchange_close(struct http_stream *s)
{
    http_call_close(s->call);
    buf_fini(&s->data);
    s->set->n--;
    heap_drop(s->heap, s);
}

static void exchange_step(void *ud)
{
    struct exchange_set *set = ud;
    if (set->client)
        http_client_step(set->client);
}

static int exchange_fd(void *ud)
{
    const struct exchange_set *set = ud;
    return set->client && set->n ? http_client_fd(set->client) : -1;
}

static int64_t exchange_timeout(void *ud)
{
    struct exchange_set *set = ud;
    return set->client && set->n ? http_client_timeout(set->client) : -1;
}

static void exchange_rest(void *ud)
{
    struct exchange_set *set = ud;
    if (set->n == 0)
        exchange_fini(set);
}

void exchange_fini(struct exchange_set *set)
{
    http_client_free(set->client);
    set->client = NULL;
}

const struct host_http exchange_http = {
    .start = exchange_start,
    .look = exchange_look,
    .take = exchange_take,
    .close = exchange_close,
    .step = exchange_step,
    .fd = exchange_fd,
    .timeout = exchange_timeout,
    .rest = exchange_rest,
};

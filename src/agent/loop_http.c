/* loop_http.c -- HTTP exchanges read as streams by tasks of the loop */
#include <sys/epoll.h>

#include "agent/loop.h"

enum {
    LOOP_HTTP_MOST = 256 << 10 /* bytes kept for a reader that is slow */
};

struct loop_http {
    struct hob_loop *loop;
    struct cancel *cancel;
    struct http_call *call;
    struct waitq waiting;
    struct buf in, out; /* what came, and what the reader has now */
    bool head, ended, paused;
    int code; /* 0, or why it failed */
    struct hob_error error;
};

/* Called inside of http_client_step(), outside of every task. */
static void loop_http_event(void *ud, struct http_call *call, enum http_event event,
                            struct str data, const struct hob_error *err)
{
    struct loop_http *x = ud;
    (void)call;
    switch (event) {
    case HTTP_HEAD: x->head = true; break;
    case HTTP_DATA:
        buf_add(&x->in, data.p, data.n);
        if (heap_gate(&x->loop->heap) < 0) {
            x->ended = true;
            x->code = error_set(&x->error, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
        } else if (x->in.n >= LOOP_HTTP_MOST && !x->paused) {
            x->paused = true;
            http_call_pause(x->call, true);
        }
        break;
    case HTTP_END: x->head = x->ended = true; break;
    case HTTP_FAIL:
        if (!x->ended && err) {
            x->error = *err;
            x->code = err->code;
        }
        x->ended = true;
        break;
    }
    waitq_wake_all(&x->waiting);
}

static int loop_http_client(struct hob_loop *l, struct hob_error *err)
{
    if (l->http)
        return 0;
    int r = http_client_new(&l->heap, &l->http, err);
    if (r < 0)
        return r;
    int fd = http_client_fd(l->http);
    struct epoll_event e = {.events = EPOLLIN, .data.fd = fd};
    if (fd >= 0 && epoll_ctl(l->epoll, EPOLL_CTL_ADD, fd, &e) < 0) {
        http_client_free(l->http);
        l->http = NULL;
        return error_set(err, HOB_EIO, "http: %s", error_text(HOB_EIO));
    }
    return 0;
}

/* The error of a wait or of the exchange itself. */
static int loop_http_error(struct loop_http *x, int r, struct hob_error *err)
{
    if (r == HOB_ECANCELED)
        return cancel_check(x->cancel, err);
    if (x->code < 0)
        return error_set(err, x->code, "%s", x->error.msg);
    return 0;
}

int loop_http_open(struct hob_loop *l, const struct http_request *req, struct cancel *c,
                   struct loop_http **out, struct hob_error *err)
{
    *out = NULL;
    int r = cancel_check(c, err);
    if (r == 0)
        r = loop_http_client(l, err);
    if (r < 0)
        return r;
    struct loop_http *x = heap_new(&l->heap, struct loop_http);
    if (!x)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    x->loop = l;
    x->cancel = c;
    buf_init(&x->in, &l->heap);
    buf_init(&x->out, &l->heap);
    l->http_calls++;
    r = http_call_start(l->http, req, loop_http_event, x, &x->call, err);
    while (r == 0 && !x->head && !x->ended)
        r = loop_wait(l, &x->waiting, INT64_MAX, c);
    if (x->call && (r < 0 || (x->ended && x->code < 0)))
        r = loop_http_error(x, r, err);
    if (r < 0) {
        loop_http_close(x);
        return r;
    }
    *out = x;
    return 0;
}

int loop_http_status(const struct loop_http *x) { return http_call_status(x->call); }

bool loop_http_header(const struct loop_http *x, const char *name, struct str *value)
{
    return http_call_header(x->call, str_z(name), value);
}

int loop_http_read(struct loop_http *x, struct str *out, struct hob_error *err)
{
    int r = 0;
    *out = STR("");
    while (r == 0 && x->in.n == 0 && !x->ended)
        r = loop_wait(x->loop, &x->waiting, INT64_MAX, x->cancel);
    if (r == HOB_ECANCELED || x->in.n == 0)
        return loop_http_error(x, r, err);
    struct buf full = x->in;
    x->in = x->out;
    x->out = full;
    buf_clear(&x->in);
    if (x->paused) {
        x->paused = false;
        http_call_pause(x->call, false);
    }
    *out = buf_get(&x->out);
    return 1;
}

void loop_http_close(struct loop_http *x)
{
    if (!x)
        return;
    http_call_close(x->call);
    x->loop->http_calls--;
    buf_fini(&x->in);
    buf_fini(&x->out);
    heap_drop(&x->loop->heap, x);
}

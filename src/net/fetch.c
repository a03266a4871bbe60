/* fetch.c -- HTTP for the commands of a sandbox: the one way out */
#include "net/fetch.h"

#include "base/utf8.h"
#include "net/policy.h"

static bool fetch_same_name(struct str a, struct str b)
{
    for (size_t i = 0; i < a.n && a.n == b.n; i++)
        if (ascii_to_lower((unsigned char)a.p[i]) != ascii_to_lower((unsigned char)b.p[i]))
            return false;
    return a.n == b.n;
}

/* The transport asks before it connects. */
static int fetch_admit(void *ud, const struct addr *addr)
{
    struct fetch *f = ud;
    struct kernel *k = f->p->kernel;
    return policy_address(k->policy, &k->heap, f->method, &f->url, addr, NULL);
}

/* TM-NET-3: the headers of the process, without those that a secret stands for, then the secrets.
 * They go to the transport alone. */
static struct http_header *fetch_headers(struct arena *a, const struct http_request *req,
                                         const struct http_header *secrets, size_t nsecrets,
                                         bool listed, size_t *n)
{
    struct http_header *all = arena_array(a, struct http_header, req->nheaders + nsecrets + 1);
    *n = 0;
    for (size_t i = 0; all && i < req->nheaders; i++) {
        /* TM-NET-5: a rule is for one host; another one behind the same address is not named. */
        bool hidden = listed && fetch_same_name(req->headers[i].name, STR("Host"));
        for (size_t j = 0; j < nsecrets && !hidden; j++)
            hidden = fetch_same_name(req->headers[i].name, secrets[j].name);
        if (!hidden)
            all[(*n)++] = req->headers[i];
    }
    for (size_t j = 0; all && j < nsecrets; j++)
        all[(*n)++] = secrets[j];
    return all;
}

/* Decides, and fills in what is really sent. */
static int fetch_decide(struct fetch *f, struct arena *a, struct http_request *req,
                        struct hob_error *err)
{
    static const struct policy closed = {.mode = POLICY_CLOSED};
    struct kernel *k = f->p->kernel;
    struct http_header *secrets;
    size_t nsecrets;
    int r = url_parse(f->p->arena, req->url, &f->url, err);
    if (r < 0)
        return r;
    f->url.userinfo = STR("");
    f->method = arena_str(f->p->arena, req->method);
    if (!f->method.p)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    const struct policy *policy = k->policy ? k->policy : &closed;
    r = policy_decide(policy, a, req->method, &f->url, &secrets, &nsecrets, err);
    if (r < 0)
        return r;
    if (!k->host->http)
        return error_set(err, HOB_ENOTSUP, "Hob was built without a network");
    struct buf b;
    buf_init(&b, &k->heap);
    url_write(&b, &f->url);
    req->url = arena_str(a, buf_get(&b));
    buf_fini(&b);
    size_t n;
    req->headers = fetch_headers(a, req, secrets, nsecrets, policy->mode == POLICY_LIST, &n);
    req->nheaders = n;
    req->ca_file = k->ca_file;
    req->proxy = req->no_proxy = STR("");
    req->admit = fetch_admit;
    req->admit_ud = f;
    return req->url.p && req->headers ? 0
                                      : error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
}

int fetch_open(struct fetch *f, struct proc *p, const struct http_request *req,
               struct hob_error *err)
{
    struct http_request sent = *req;
    struct kernel *k = p->kernel;
    struct arena a; /* holds secrets: gone before the process goes on */
    *f = (struct fetch){.p = p};
    arena_init(&a, &k->heap);
    int r = fetch_decide(f, &a, &sent, err);
    if (r == 0)
        r = k->host->http->start(k->host->http_ud, &k->heap, &sent, &f->stream, err);
    arena_fini(&a);
    return r;
}

static void fetch_look(struct fetch *f)
{
    f->p->kernel->host->http->look(f->stream, &f->state);
    f->used = 0;
}

/* Until the next step of the sandbox. */
static int fetch_wait(struct fetch *f)
{
    struct kernel *k = f->p->kernel;
    k->sched.outside = ++k->net_waits > 0;
    int r = proc_wait_on(f->p, &k->net, INT64_MAX);
    k->sched.outside = --k->net_waits > 0;
    return r;
}

int fetch_head(struct fetch *f)
{
    for (;;) {
        fetch_look(f);
        if (f->state.head || f->state.ended)
            return 0;
        int r = fetch_wait(f);
        if (r < 0)
            return r;
    }
}

int fetch_read(struct fetch *f, struct str *out)
{
    const struct host_http *http = f->p->kernel->host->http;
    *out = STR("");
    if (f->used)
        http->take(f->stream, f->used);
    for (;;) {
        fetch_look(f);
        if (f->state.data.n > 0 || f->state.ended)
            break;
        int r = fetch_wait(f);
        if (r < 0)
            return r;
    }
    *out = f->state.data;
    f->used = out->n;
    return proc_tick(f->p, (int64_t)(out->n >> 10) + 1);
}

void fetch_close(struct fetch *f)
{
    if (f->stream)
        f->p->kernel->host->http->close(f->stream);
    f->stream = NULL;
}

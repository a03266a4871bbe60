/* curl_send.c -- one exchange of a transfer: its headers, and the trace of -v */
#include "commands/curl/curl.h"

#include "text/base64.h"

static bool curl_hop_add(struct curl_hop *h, struct str name, struct str value)
{
    struct http_header header = {name, value};
    if (h->nheaders == h->cap) {
        size_t cap = h->cap ? h->cap * 2 : 16;
        void *more = arena_grow(h->t->c->p->arena, h->headers, h->cap * sizeof *h->headers,
                                cap * sizeof *h->headers);
        if (!more)
            return false;
        h->headers = more;
        h->cap = cap;
    }
    h->headers[h->nheaders++] = header;
    return true;
}

/* The name of a -H line; *value.p == NULL: the header is to be left out. False: it is none. */
static bool curl_line(struct str line, struct str *name, struct str *value)
{
    ptrdiff_t colon = str_chr(line, ':'), semi = str_chr(line, ';');
    if (colon > 0) {
        *name = str_sub(line, 0, (size_t)colon);
        *value = str_trim(str_from(line, (size_t)colon + 1));
        if (!value->n)
            *value = STR_NONE;
        return true;
    }
    *name = str_sub(line, 0, (size_t)MAX(semi, 0));
    *value = STR("");
    return semi > 0 && (size_t)semi + 1 == line.n;
}

/* What -H says about a header comes before what curl would send. */
static bool curl_given(const struct curl *c, struct str name)
{
    struct str n, v;
    for (size_t i = 0; i < c->headers.n; i++)
        if (curl_line(c->headers.p[i], &n, &v) && curl_same(n, name))
            return true;
    return false;
}

static void curl_default(struct curl_hop *h, const char *name, struct str value)
{
    if (!curl_given(h->t->c, str_z(name)))
        curl_hop_add(h, str_z(name), value);
}

/* Keys are for the host that they were given for. */
static bool curl_own_host(const struct curl_hop *h)
{
    return h->t->c->trusted || (str_eq(h->url.host, h->first_host) && h->url.port == h->first_port);
}

static void curl_hop_auth(struct curl_hop *h)
{
    struct curl *c = h->t->c;
    struct buf b;
    if (!curl_own_host(h) || (!c->user.p && !c->bearer.p))
        return;
    if (c->user.p && (c->digest || c->any_auth) && !h->t->basic) {
        if (h->t->digest.n)
            curl_default(h, "Authorization", h->t->digest);
        return;
    }
    buf_init(&b, &c->p->kernel->heap);
    if (c->user.p) {
        struct str user = str_chr(c->user, ':') < 0 ? curl_join(c, c->user, STR(":")) : c->user;
        buf_addz(&b, "Basic ");
        base64_encode(&b, user, false);
    } else {
        buf_printf(&b, "Bearer %.*s", STR_ARG(c->bearer));
    }
    struct str value = arena_str(c->p->arena, buf_get(&b));
    buf_fini(&b);
    curl_default(h, "Authorization", value);
}

static void curl_hop_body(struct curl_hop *h)
{
    struct curl *c = h->t->c;
    if (!h->has_body)
        return;
    if (h->body_type.n)
        curl_default(h, "Content-Type", h->body_type);
    else if (!curl_given(c, STR("Content-Type")))
        curl_hop_add(h, STR("Content-Type"), STR_NONE);
    if (h->upload && h->t->node->upload.p && str_eqz(h->t->node->upload, "-"))
        curl_default(h, "Transfer-Encoding", STR("chunked"));
}

static int curl_hop_headers(struct curl_hop *h)
{
    struct curl *c = h->t->c;
    struct str cookies = curl_jar_get(c, &h->url), name, value;
    h->nheaders = 0;
    curl_hop_auth(h);
    curl_default(h, "User-Agent",
                 !c->agent.p  ? STR("curl/" CURL_VERSION)
                 : c->agent.n ? c->agent
                              : STR_NONE);
    if (c->json)
        curl_default(h, "Accept", STR("application/json"));
    if (h->t->referer.n)
        curl_default(h, "Referer", h->t->referer);
    if (cookies.n)
        curl_default(h, "Cookie", cookies);
    if (c->range.p)
        curl_default(h, "Range", curl_join(c, STR("bytes="), c->range));
    if (c->cond_name.p)
        curl_default(h, c->cond_name.p, c->cond_value);
    if (c->etag_compare.p)
        curl_default(h, "If-None-Match", c->etag);
    curl_hop_body(h);
    for (size_t i = 0; i < c->headers.n; i++) {
        if (!curl_line(c->headers.p[i], &name, &value))
            continue;
        bool key = curl_same(name, STR("Authorization")) || curl_same(name, STR("Cookie"));
        if (!key || curl_own_host(h))
            curl_hop_add(h, name, value);
    }
    return c->p->kernel->heap.oom ? CURL_OUT_OF_MEMORY : 0;
}

/* What the errors of opening mean to curl. */
static int curl_hop_failed(struct curl_transfer *t, int r)
{
    switch (r) {
    case HOB_EDENIED: return CURL_COULDNT_CONNECT; /* the text says which policy */
    case HOB_EINVAL:
        error_set(&t->error, r, "URL using bad/illegal format or missing URL");
        return CURL_URL_MALFORMAT;
    case HOB_ENOMEM: error_set(&t->error, r, "Out of memory"); return CURL_OUT_OF_MEMORY;
    default: return CURL_FAILED_INIT;
    }
}

int curl_hop_open(struct curl_hop *h, int64_t left_ns)
{
    struct curl_transfer *t = h->t;
    struct curl *c = t->c;
    int r = curl_hop_headers(h);
    if (r)
        return r;
    struct buf b;
    buf_init(&b, &c->p->kernel->heap);
    url_write(&b, &h->url);
    t->effective = arena_str(c->p->arena, buf_get(&b));
    buf_fini(&b);
    if (!t->effective.p)
        return CURL_OUT_OF_MEMORY;
    struct http_request req = {
        .method = h->method,
        .url = t->effective,
        .headers = h->headers,
        .nheaders = h->nheaders,
        .body = h->has_body ? h->body : STR(""),
        .has_body = h->has_body,
        .no_body = c->head,
        .insecure = c->insecure,
        .decode = c->compressed,
        .version = c->version,
        .connect_ns =
            c->connect_time > 0 ? (int64_t)(c->connect_time * 1e9) : INT64_C(300000000000),
        .total_ns = left_ns,
    };
    t->method = h->method;
    r = fetch_open(&h->fetch, c->p, &req, &t->error);
    return r < 0 ? curl_hop_failed(t, r) : 0;
}

/* ---- -v -------------------------------------------------------------------------------------- */

static void curl_trace_line(struct buf *b, struct str name, struct str value)
{
    buf_printf(b, "> %.*s:%s%.*s\r\n", STR_ARG(name), value.n ? " " : "", STR_ARG(value));
}

/* TM-NET-3: the headers as curl made them. Secrets are added further out and never seen here. */
void curl_trace_request(struct curl_hop *h)
{
    const struct http_info *i = &h->t->info;
    struct buf b;
    const char *version = i->version == 20 ? "2" : i->version == 10 ? "1.0" : "1.1";
    bool v6 = strchr(i->remote_ip, ':') != NULL;
    if (!h->t->c->verbose)
        return;
    buf_init(&b, &h->t->c->p->kernel->heap);
    if (i->connects) {
        buf_printf(&b, "*   Trying %s%s%s:%ld...\n", v6 ? "[" : "", i->remote_ip, v6 ? "]" : "",
                   i->remote_port);
        buf_printf(&b, "* Connected to %.*s (%s) port %ld (#%d)\n", STR_ARG(h->url.host),
                   i->remote_ip, i->remote_port, h->t->redirects);
    }
    buf_printf(&b, "> %.*s %.*s%s%.*s HTTP/%s\r\n", STR_ARG(h->method), STR_ARG(h->url.path),
               h->url.has_query ? "?" : "", STR_ARG(h->url.query), version);
    bool usual = h->url.port == (str_eqz(h->url.scheme, "https") ? 443 : 80);
    if (!curl_given(h->t->c, STR("Host"))) {
        buf_printf(&b, "> Host: %.*s", STR_ARG(h->url.host));
        if (!usual)
            buf_printf(&b, ":%d", h->url.port);
        buf_addz(&b, "\r\n");
    }
    bool accept = false;
    for (size_t k = 0; k < h->nheaders; k++) {
        accept |= curl_same(h->headers[k].name, STR("Accept"));
        if (h->headers[k].value.p)
            curl_trace_line(&b, h->headers[k].name, h->headers[k].value);
        if (curl_same(h->headers[k].name, STR("User-Agent")) && !accept && !h->t->c->json &&
            !curl_given(h->t->c, STR("Accept"))) {
            buf_addz(&b, "> Accept: */*\r\n");
            accept = true;
        }
    }
    if (h->has_body)
        buf_printf(&b, "> Content-Length: %zu\r\n", h->body.n);
    buf_addz(&b, "> \r\n");
    proc_puts(h->t->c->p, 2, buf_get(&b));
    buf_fini(&b);
}

void curl_trace_head(struct curl_hop *h)
{
    struct str rest = h->t->head;
    struct buf b;
    if (!h->t->c->verbose)
        return;
    buf_init(&b, &h->t->c->p->kernel->heap);
    while (rest.n) {
        ptrdiff_t end = str_chr(rest, '\n');
        size_t n = end < 0 ? rest.n : (size_t)end + 1;
        buf_addz(&b, "< ");
        buf_str(&b, str_sub(rest, 0, n));
        rest = str_from(rest, n);
    }
    proc_puts(h->t->c->p, 2, buf_get(&b));
    buf_fini(&b);
}

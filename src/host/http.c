/* http.c -- HTTP by libcurl's multi interface
 *
 * libcurl must not be called from its own callbacks in most ways, so these only collect: bytes
 * go to the call's buffer, and the call to the list of those that have something to tell. When
 * libcurl has returned, the step works off that list. So the owner's callback may do everything.
 */
#include "host/http.h"

#include "base/utf8.h"
#include "net/addr.h"

#ifdef HAVE_LIBCURL

#include <curl/curl.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    HTTP_HEAD_LIMIT = 256 << 10,
    HTTP_EVENTS = 64
};
#define HTTP_SECOND INT64_C(1000000000)

struct http_call {
    struct http_client *client;
    struct http_call *next, *prev; /* all calls of the client */
    struct http_call *ready_next;  /* in the list of those with something to tell */
    CURL *easy;
    struct curl_slist *headers;
    http_fn fn;
    void *ud;
    struct buf body;  /* of the request */
    struct buf head;  /* header lines of the answer, "name: value\n" */
    struct buf raw;   /* all heads as they came */
    struct buf in;    /* bytes of the answer that were not handed on yet */
    int64_t idle_ns;  /* how long it may be silent */
    int64_t active;   /* when something last moved */
    curl_off_t moved; /* bytes in both directions at that time */
    int status;       /* of the answer, 0 before its head is whole */
    bool head_told;   /* HTTP_HEAD was handed on */
    bool head_full;   /* too many headers */
    bool public_only; /* no private addresses */
    int (*admit)(void *ud, const struct addr *addr); /* asked before each connection, or NULL */
    void *admit_ud;
    bool denied; /* one was met */
    bool queued; /* is in the ready list */
    bool paused; /* by the owner */
    bool held;   /* libcurl waits for curl_easy_pause */
    bool added;  /* is in the multi handle */
    bool done;   /* libcurl is done with it; result says how */
    bool closed; /* by its own callback: freed when that returns */
    bool busy;   /* its callback runs */
    CURLcode result;
    struct hob_error error;
    struct http_info info; /* as it was when libcurl was done with it */
    char text[CURL_ERROR_SIZE];
};

struct http_client {
    struct heap *heap;
    CURLM *multi;
    int epoll;
    int64_t timer;   /* when libcurl wants to be called; -1: not */
    int64_t idle_at; /* no call is too long silent before; INT64_MAX: none runs */
    struct http_call *calls;
    struct http_call *ready, **ready_end;
};

static pthread_once_t http_once = PTHREAD_ONCE_INIT;

static void http_global(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }

static int64_t http_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * HTTP_SECOND + t.tv_nsec;
}

/* ---- SIGPIPE: a write by the TLS library may raise it, and the program must not see it ---- */

struct http_quiet {
    sigset_t before;
    bool pending;
};

static void http_quiet_begin(struct http_quiet *q)
{
    sigset_t pipe, waiting;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigpending(&waiting);
    q->pending = sigismember(&waiting, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe, &q->before);
}

static void http_quiet_end(struct http_quiet *q)
{
    if (!q->pending) {
        sigset_t pipe;
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        while (sigtimedwait(&pipe, NULL, &(struct timespec){0}) < 0 && errno == EINTR)
            continue;
    }
    pthread_sigmask(SIG_SETMASK, &q->before, NULL);
}

/* ---- what libcurl calls ---- */

static void http_call_ready(struct http_call *call)
{
    struct http_client *c = call->client;
    if (call->queued)
        return;
    call->queued = true;
    call->ready_next = NULL;
    *c->ready_end = call;
    c->ready_end = &call->ready_next;
}

/* One line of the answer's head. Lines of an earlier head (100 Continue) are dropped when a new
 * status line comes; trailers behind the body are passed over. */
static size_t http_on_header(char *p, size_t size, size_t n, void *ud)
{
    struct http_call *call = ud;
    struct str line = str_of(p, size * n);
    while (line.n > 0 && (line.p[line.n - 1] == '\n' || line.p[line.n - 1] == '\r'))
        line.n--;
    call->active = http_now();
    if (call->status)
        return size * n;
    call->head_full |= call->raw.n + size * n > HTTP_HEAD_LIMIT;
    if (call->head_full)
        return 0;
    buf_add(&call->raw, p, size * n);
    if (str_starts(line, STR("HTTP/"))) {
        buf_clear(&call->head);
    } else if (line.n > 0) {
        buf_str(&call->head, line);
        buf_putc(&call->head, '\n');
    } else {
        long status = 0;
        curl_easy_getinfo(call->easy, CURLINFO_RESPONSE_CODE, &status);
        if (status >= 200) {
            call->status = (int)status;
            http_call_ready(call);
        }
    }
    return call->client->heap->oom ? 0 : size * n;
}

static size_t http_on_data(char *p, size_t size, size_t n, void *ud)
{
    struct http_call *call = ud;
    call->active = http_now();
    if (call->paused) {
        call->held = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    if (!buf_reserve(&call->in, size * n))
        return 0;
    buf_add(&call->in, p, size * n);
    http_call_ready(call);
    return size * n;
}

/* Sees a long upload move, which the callbacks above do not. */
static int http_on_progress(void *ud, curl_off_t dtotal, curl_off_t dnow, curl_off_t utotal,
                            curl_off_t unow)
{
    struct http_call *call = ud;
    (void)dtotal, (void)utotal;
    if (dnow + unow != call->moved) {
        call->moved = dnow + unow;
        call->active = http_now();
    }
    return 0;
}

/* libcurl says which sockets it waits for. The pointer it keeps for us tells new ones from old. */
static int http_on_socket(CURL *easy, curl_socket_t fd, int what, void *ud, void *known)
{
    struct http_client *c = ud;
    struct epoll_event ev = {.data.fd = fd};
    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(c->epoll, EPOLL_CTL_DEL, fd, NULL);
        curl_multi_assign(c->multi, fd, NULL);
        return 0;
    }
    ev.events = (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u);
    if (epoll_ctl(c->epoll, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &ev) < 0)
        epoll_ctl(c->epoll, known ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &ev);
    curl_multi_assign(c->multi, fd, c);
    return 0;
}

/* The last word before a connection is made: names may lead anywhere. */
static curl_socket_t http_on_open(void *ud, curlsocktype purpose, struct curl_sockaddr *to)
{
    struct http_call *call = ud;
    struct addr addr = {.v6 = to->family == AF_INET6};
    (void)purpose;
    if (addr.v6)
        memcpy(addr.b, &((struct sockaddr_in6 *)(void *)&to->addr)->sin6_addr, 16);
    else
        memcpy(addr.b, &((struct sockaddr_in *)(void *)&to->addr)->sin_addr, 4);
    if ((call->public_only && !addr_public(&addr)) ||
        (call->admit && call->admit(call->admit_ud, &addr) < 0)) { /* TM-NET-2 */
        call->denied = true;
        return CURL_SOCKET_BAD;
    }
    return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

static int http_on_timer(CURLM *multi, long ms, void *ud)
{
    struct http_client *c = ud;
    (void)multi;
    c->timer = ms < 0 ? -1 : http_now() + ms * (HTTP_SECOND / 1000);
    return 0;
}

/* ---- the client ---- */

static void http_call_free(struct http_call *call)
{
    struct heap *h = call->client->heap;
    buf_fini(&call->body);
    buf_fini(&call->head);
    buf_fini(&call->raw);
    buf_fini(&call->in);
    heap_drop(h, call);
}

int http_client_new(struct heap *h, struct http_client **out, struct hob_error *err)
{
    *out = NULL;
    pthread_once(&http_once, http_global);
    struct http_client *c = heap_new(h, struct http_client);
    if (!c)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    c->heap = h;
    c->timer = -1;
    c->idle_at = INT64_MAX;
    c->ready_end = &c->ready;
    c->epoll = epoll_create1(EPOLL_CLOEXEC);
    c->multi = curl_multi_init();
    if (c->epoll < 0 || !c->multi) {
        http_client_free(c);
        return error_set(err, HOB_EMFILE, "no descriptor for HTTP");
    }
    curl_multi_setopt(c->multi, CURLMOPT_SOCKETFUNCTION, http_on_socket);
    curl_multi_setopt(c->multi, CURLMOPT_SOCKETDATA, c);
    curl_multi_setopt(c->multi, CURLMOPT_TIMERFUNCTION, http_on_timer);
    curl_multi_setopt(c->multi, CURLMOPT_TIMERDATA, c);
    *out = c;
    return 0;
}

void http_client_free(struct http_client *c)
{
    if (!c)
        return;
    while (c->calls)
        http_call_close(c->calls);
    for (struct http_call *call = c->ready; call;) {
        struct http_call *next = call->ready_next;
        http_call_free(call);
        call = next;
    }
    struct http_quiet q;
    http_quiet_begin(&q);
    if (c->multi)
        curl_multi_cleanup(c->multi);
    http_quiet_end(&q);
    if (c->epoll >= 0)
        close(c->epoll);
    heap_drop(c->heap, c);
}

int http_client_fd(const struct http_client *c) { return c->epoll; }

int64_t http_client_timeout(struct http_client *c)
{
    if (c->ready)
        return 0;
    int64_t at = c->idle_at;
    if (c->timer >= 0)
        at = MIN(at, c->timer);
    return at == INT64_MAX ? -1 : MAX(at - http_now(), 0);
}

/* ---- handing on ---- */

/* What libcurl's result means. Its own text is kept: it names hosts and ports, never a header. */
static void http_call_judge(struct http_call *call)
{
    const char *text = call->text[0] ? call->text : curl_easy_strerror(call->result);
    if (call->client->heap->oom || call->result == CURLE_OUT_OF_MEMORY)
        error_set(&call->error, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    else if (call->result == CURLE_OK) /* libcurl is content with half a head */
        error_set(&call->error, HOB_ENETWORK, "the connection ended within the head of the answer");
    else if (call->denied)
        error_set(&call->error, HOB_EDENIED, "the name stands for a private address");
    else if (call->head_full)
        error_set(&call->error, HOB_ELIMIT, "the headers of the answer are larger than %d KiB",
                  HTTP_HEAD_LIMIT >> 10);
    else if (call->result == CURLE_OPERATION_TIMEDOUT)
        error_set(&call->error, HOB_ETIMEDOUT, "%s", text);
    else if (call->result == CURLE_PEER_FAILED_VERIFICATION ||
             call->result == CURLE_SSL_CACERT_BADFILE || call->result == CURLE_SSL_ISSUER_ERROR)
        error_set(&call->error, HOB_EDENIED, "%s", text);
    else
        error_set(&call->error, HOB_ENETWORK, "%s", text);
}

static void http_copy_ip(char dst[48], const char *ip)
{
    size_t n = ip ? MIN(strlen(ip), (size_t)47) : 0;
    if (n)
        memcpy(dst, ip, n);
    dst[n] = '\0';
}

/* What libcurl knows about the call now. */
static void http_call_measure(struct http_call *call)
{
    struct http_info *i = &call->info;
    CURL *e = call->easy;
    char *ip = NULL;
    long version = 0, sent = 0;
    curl_off_t up = 0, down = 0;
    curl_easy_getinfo(e, CURLINFO_PRIMARY_IP, &ip);
    http_copy_ip(i->remote_ip, ip);
    ip = NULL;
    curl_easy_getinfo(e, CURLINFO_LOCAL_IP, &ip);
    http_copy_ip(i->local_ip, ip);
    curl_easy_getinfo(e, CURLINFO_PRIMARY_PORT, &i->remote_port);
    curl_easy_getinfo(e, CURLINFO_LOCAL_PORT, &i->local_port);
    curl_easy_getinfo(e, CURLINFO_HTTP_VERSION, &version);
    curl_easy_getinfo(e, CURLINFO_REQUEST_SIZE, &sent);
    curl_easy_getinfo(e, CURLINFO_SIZE_UPLOAD_T, &up);
    curl_easy_getinfo(e, CURLINFO_SIZE_DOWNLOAD_T, &down);
    curl_easy_getinfo(e, CURLINFO_NUM_CONNECTS, &i->connects);
    curl_easy_getinfo(e, CURLINFO_SSL_VERIFYRESULT, &i->verify);
    curl_easy_getinfo(e, CURLINFO_NAMELOOKUP_TIME, &i->lookup);
    curl_easy_getinfo(e, CURLINFO_CONNECT_TIME, &i->connect);
    curl_easy_getinfo(e, CURLINFO_APPCONNECT_TIME, &i->secure);
    curl_easy_getinfo(e, CURLINFO_PRETRANSFER_TIME, &i->before);
    curl_easy_getinfo(e, CURLINFO_STARTTRANSFER_TIME, &i->first);
    curl_easy_getinfo(e, CURLINFO_TOTAL_TIME, &i->total);
    i->version = version == CURL_HTTP_VERSION_1_0   ? 10
                 : version == CURL_HTTP_VERSION_1_1 ? 11
                 : version == CURL_HTTP_VERSION_2_0 ? 20
                 : version == CURL_HTTP_VERSION_3   ? 30
                                                    : 0;
    i->sent_head = (uint64_t)MAX(sent, 0);
    i->sent_body = (uint64_t)MAX(up, 0);
    i->received = (uint64_t)MAX(down, 0);
}

static void http_call_detach(struct http_call *call)
{
    struct http_quiet q;
    http_call_measure(call);
    http_quiet_begin(&q);
    if (call->added)
        curl_multi_remove_handle(call->client->multi, call->easy);
    curl_easy_cleanup(call->easy);
    curl_slist_free_all(call->headers);
    http_quiet_end(&q);
    call->added = false;
    call->easy = NULL;
    call->headers = NULL;
}

/* Hands on what the call has to tell. The callback may close the call, or pause it. */
static void http_call_tell(struct http_call *call)
{
    call->busy = true;
    if (!call->head_told && call->status) {
        call->head_told = true;
        call->fn(call->ud, call, HTTP_HEAD, STR(""), NULL);
    }
    if (!call->closed && !call->paused && call->in.n > 0) {
        /* The buffer is the callback's while it runs; it may pause and go on, which adds to
         * ours. */
        struct buf data = call->in;
        buf_init(&call->in, call->client->heap);
        call->fn(call->ud, call, HTTP_DATA, buf_get(&data), NULL);
        buf_fini(&data);
    }
    if (!call->closed && !call->paused && call->done && call->in.n == 0) {
        if (call->result == CURLE_OK && call->head_told) {
            call->fn(call->ud, call, HTTP_END, STR(""), NULL);
        } else {
            if (!call->error.code)
                http_call_judge(call);
            call->fn(call->ud, call, HTTP_FAIL, STR(""), &call->error);
        }
    } else if (!call->closed && !call->paused && call->in.n > 0) {
        http_call_ready(call);
    }
    call->busy = false;
    if (call->closed)
        http_call_free(call);
}

/* Ends the calls that were silent for too long, and finds out when to look again. */
static void http_client_idle(struct http_client *c, int64_t now)
{
    if (now < c->idle_at)
        return;
    c->idle_at = INT64_MAX;
    for (struct http_call *call = c->calls; call; call = call->next) {
        if (call->done || call->paused)
            continue;
        if (now - call->active < call->idle_ns) {
            c->idle_at = MIN(c->idle_at, call->active + call->idle_ns);
            continue;
        }
        call->done = true;
        call->result = CURLE_OPERATION_TIMEDOUT;
        error_set(&call->error, HOB_ETIMEDOUT, "no data for %g s",
                  (double)call->idle_ns / (double)HTTP_SECOND);
        http_call_detach(call);
        http_call_ready(call);
    }
}

static void http_client_drive(struct http_client *c)
{
    struct epoll_event ev[HTTP_EVENTS];
    struct http_quiet q;
    int running, n = epoll_wait(c->epoll, ev, HTTP_EVENTS, 0);
    http_quiet_begin(&q);
    for (int i = 0; i < n; i++) {
        int bits = (ev[i].events & EPOLLIN ? CURL_CSELECT_IN : 0) |
                   (ev[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                   (ev[i].events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
        curl_multi_socket_action(c->multi, ev[i].data.fd, bits, &running);
    }
    if (c->timer >= 0 && http_now() >= c->timer) {
        c->timer = -1;
        curl_multi_socket_action(c->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    http_quiet_end(&q);
    CURLMsg *msg;
    while ((msg = curl_multi_info_read(c->multi, &running))) {
        struct http_call *call = NULL;
        curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, (char **)&call);
        if (msg->msg != CURLMSG_DONE || !call)
            continue;
        call->done = true;
        call->result = msg->data.result;
        http_call_detach(call);
        http_call_ready(call);
    }
}

/* The first of the ready list, taken out; NULL if there is none. */
static struct http_call *http_client_pop(struct http_client *c)
{
    struct http_call *call = c->ready;
    if (!call)
        return NULL;
    c->ready = call->ready_next;
    if (!c->ready)
        c->ready_end = &c->ready;
    call->queued = false;
    return call;
}

void http_client_step(struct http_client *c)
{
    http_client_drive(c);
    http_client_idle(c, http_now());
    /* What becomes ready while these are told waits for the next step, so that this one ends. */
    size_t n = 0;
    for (struct http_call *call = c->ready; call; call = call->ready_next)
        n++;
    while (n-- > 0) {
        struct http_call *call = http_client_pop(c);
        if (call && call->closed)
            http_call_free(call);
        else if (call)
            http_call_tell(call);
    }
}

/* ---- calls ---- */

static bool http_clean(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '\0' || s.p[i] == '\r' || s.p[i] == '\n')
            return false;
    return true;
}

static bool http_is_url(struct str url)
{
    return http_clean(url) && (str_starts(url, STR("http://")) || str_starts(url, STR("https://")));
}

/* The request's headers as libcurl wants them: one line each, a semicolon where a value is
 * empty. */
static int http_call_headers(struct http_call *call, const struct http_request *req,
                             struct hob_error *err)
{
    struct buf line;
    buf_init(&line, call->client->heap);
    for (size_t i = 0; i <= req->nheaders; i++) {
        buf_clear(&line);
        if (i == req->nheaders) {
            buf_addz(&line, "Expect:"); /* no round trip before a large body */
        } else if (!http_clean(req->headers[i].name) || !http_clean(req->headers[i].value) ||
                   req->headers[i].name.n == 0) {
            buf_fini(&line);
            return error_set(err, HOB_EINVAL, "a header with a line end in it");
        } else {
            buf_str(&line, req->headers[i].name);
            buf_addz(&line, req->headers[i].value.n ? ": " : req->headers[i].value.p ? ";" : ":");
            buf_str(&line, req->headers[i].value);
        }
        struct curl_slist *more = line.n ? curl_slist_append(call->headers, line.p) : NULL;
        if (!more) {
            buf_fini(&line);
            return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
        }
        call->headers = more;
    }
    buf_fini(&line);
    return 0;
}

/* An option that is text: libcurl copies it. */
static CURLcode http_text(CURL *easy, struct heap *h, CURLoption option, struct str value)
{
    struct buf z;
    buf_init(&z, h);
    buf_str(&z, value);
    buf_putc(&z, '\0');
    CURLcode r = z.n == value.n + 1 ? curl_easy_setopt(easy, option, z.p) : CURLE_OUT_OF_MEMORY;
    buf_fini(&z);
    return r;
}

static void http_call_method(struct http_call *call, const struct http_request *req)
{
    CURL *e = call->easy;
    if (call->body.n > 0 || req->has_body || str_eqz(req->method, "POST")) {
        curl_easy_setopt(e, CURLOPT_POST, 1L);
        curl_easy_setopt(e, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)call->body.n);
        curl_easy_setopt(e, CURLOPT_POSTFIELDS, buf_get(&call->body).p);
    }
    if (req->no_body || str_eqz(req->method, "HEAD"))
        curl_easy_setopt(e, CURLOPT_NOBODY, 1L);
    if (!str_eqz(req->method, "POST") && !str_eqz(req->method, "HEAD"))
        http_text(e, call->client->heap, CURLOPT_CUSTOMREQUEST, req->method);
}

/* Everything that does not depend on the request: no signals, no environment, no files of the
 * user's, certificates checked. */
static void http_call_defaults(struct http_call *call)
{
    CURL *e = call->easy;
    curl_easy_setopt(e, CURLOPT_PRIVATE, call);
    curl_easy_setopt(e, CURLOPT_ERRORBUFFER, call->text);
    curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(e, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    curl_easy_setopt(e, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(e, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(e, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    curl_easy_setopt(e, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(e, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(e, CURLOPT_USERAGENT, "hob/" HOB_VERSION);
    curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, http_on_header);
    curl_easy_setopt(e, CURLOPT_HEADERDATA, call);
    curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, http_on_data);
    curl_easy_setopt(e, CURLOPT_WRITEDATA, call);
    curl_easy_setopt(e, CURLOPT_OPENSOCKETFUNCTION, http_on_open);
    curl_easy_setopt(e, CURLOPT_OPENSOCKETDATA, call);
    curl_easy_setopt(e, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(e, CURLOPT_XFERINFOFUNCTION, http_on_progress);
    curl_easy_setopt(e, CURLOPT_XFERINFODATA, call);
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(e, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
    curl_easy_setopt(e, CURLOPT_QUICK_EXIT, 1L);
#endif
}

static void http_call_choices(struct http_call *call, const struct http_request *req)
{
    CURL *e = call->easy;
    static const struct {
        int asked;
        long means;
    } versions[] = {
        {10, CURL_HTTP_VERSION_1_0}, {11, CURL_HTTP_VERSION_1_1}, {20, CURL_HTTP_VERSION_2_0}};
    for (size_t i = 0; i < COUNT(versions); i++)
        if (req->version == versions[i].asked)
            curl_easy_setopt(e, CURLOPT_HTTP_VERSION, versions[i].means);
    if (req->insecure) {
        curl_easy_setopt(e, CURLOPT_SSL_VERIFYPEER, 0L);
        curl_easy_setopt(e, CURLOPT_SSL_VERIFYHOST, 0L);
    }
    if (req->decode)
        curl_easy_setopt(e, CURLOPT_ACCEPT_ENCODING, "");
    if (req->total_ns > 0)
        curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, (long)MAX(req->total_ns / (HTTP_SECOND / 1000), 1));
}

static int http_call_setup(struct http_call *call, const struct http_request *req,
                           struct hob_error *err)
{
    struct heap *h = call->client->heap;
    int64_t connect_ns = req->connect_ns > 0 ? req->connect_ns : 30 * HTTP_SECOND;
    call->public_only = req->public_only;
    call->admit = req->admit;
    call->admit_ud = req->admit_ud;
    call->idle_ns = req->idle_ns > 0 ? req->idle_ns : 300 * HTTP_SECOND;
    buf_str(&call->body, req->body);
    int r = http_call_headers(call, req, err);
    if (r < 0)
        return r;
    if (call->body.n < req->body.n)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    http_call_defaults(call);
    http_call_method(call, req);
    http_call_choices(call, req);
    CURLcode code = http_text(call->easy, h, CURLOPT_URL, req->url);
    /* An empty proxy keeps libcurl from looking into the environment for one. */
    code = code ? code : http_text(call->easy, h, CURLOPT_PROXY, req->proxy);
    code = code ? code : http_text(call->easy, h, CURLOPT_NOPROXY, req->no_proxy);
    if (!code && req->ca_file.n > 0)
        code = http_text(call->easy, h, CURLOPT_CAINFO, req->ca_file);
    /* A connection that another call made was not asked about. */
    curl_easy_setopt(call->easy, CURLOPT_FRESH_CONNECT, req->public_only ? 1L : 0L);
    curl_easy_setopt(call->easy, CURLOPT_HTTPHEADER, call->headers);
    curl_easy_setopt(call->easy, CURLOPT_CONNECTTIMEOUT_MS,
                     (long)MAX(connect_ns / (HTTP_SECOND / 1000), 1));
    if (code)
        return error_set(err, code == CURLE_OUT_OF_MEMORY ? HOB_ENOMEM : HOB_EINVAL, "%s",
                         curl_easy_strerror(code));
    return 0;
}

int http_call_start(struct http_client *c, const struct http_request *req, http_fn fn, void *ud,
                    struct http_call **out, struct hob_error *err)
{
    *out = NULL;
    if (!http_is_url(req->url) || !http_clean(req->method) || req->method.n == 0)
        return error_set(err, HOB_EINVAL, "not an http or https URL: %.*s", STR_ARG(req->url));
    struct http_call *call = heap_new(c->heap, struct http_call);
    if (!call)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    call->client = c;
    call->fn = fn;
    call->ud = ud;
    buf_init(&call->body, c->heap);
    buf_init(&call->head, c->heap);
    buf_init(&call->raw, c->heap);
    buf_init(&call->in, c->heap);
    call->active = http_now();
    call->next = c->calls;
    if (c->calls)
        c->calls->prev = call;
    c->calls = call;
    call->easy = curl_easy_init();
    int r = call->easy ? http_call_setup(call, req, err)
                       : error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    if (r == 0 && curl_multi_add_handle(c->multi, call->easy) != CURLM_OK)
        r = error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    if (r < 0) {
        http_call_close(call);
        return r;
    }
    call->added = true;
    c->idle_at = MIN(c->idle_at, call->active + call->idle_ns);
    *out = call;
    return 0;
}

void http_call_close(struct http_call *call)
{
    if (!call || call->closed)
        return;
    struct http_client *c = call->client;
    call->closed = true;
    if (call->easy)
        http_call_detach(call);
    if (call->next)
        call->next->prev = call->prev;
    if (call->prev)
        call->prev->next = call->next;
    else
        c->calls = call->next;
    /* Whoever takes it from the ready list, or runs its callback now, frees it. */
    if (!call->queued && !call->busy)
        http_call_free(call);
}

void http_call_pause(struct http_call *call, bool paused)
{
    if (call->paused == paused)
        return;
    call->paused = paused;
    if (paused)
        return;
    call->active = http_now();
    call->client->idle_at = MIN(call->client->idle_at, call->active + call->idle_ns);
    if (call->held && call->easy) {
        struct http_quiet q;
        call->held = false;
        http_quiet_begin(&q);
        curl_easy_pause(call->easy, CURLPAUSE_CONT);
        http_quiet_end(&q);
    }
    http_call_ready(call);
}

int http_call_status(const struct http_call *call) { return call->status; }

struct str http_call_raw(const struct http_call *call) { return buf_get(&call->raw); }

int http_call_result(const struct http_call *call)
{
    return call->result == CURLE_OK && !call->head_told ? CURLE_GOT_NOTHING : (int)call->result;
}

const struct http_info *http_call_info(struct http_call *call)
{
    if (call->easy)
        http_call_measure(call);
    return &call->info;
}

static bool http_same_name(struct str a, struct str b)
{
    for (size_t i = 0; i < a.n && a.n == b.n; i++)
        if (ascii_to_lower((unsigned char)a.p[i]) != ascii_to_lower((unsigned char)b.p[i]))
            return false;
    return a.n == b.n;
}

bool http_call_header(const struct http_call *call, struct str name, struct str *value)
{
    struct str rest = buf_get(&call->head);
    while (rest.n > 0) {
        ptrdiff_t end = str_chr(rest, '\n');
        struct str line = str_sub(rest, 0, (size_t)end);
        ptrdiff_t colon = str_chr(line, ':');
        if (colon > 0 && http_same_name(str_sub(line, 0, (size_t)colon), name)) {
            *value = str_trim(str_from(line, (size_t)colon + 1));
            return true;
        }
        rest = str_from(rest, (size_t)end + 1);
    }
    return false;
}

#undef HTTP_SECOND

#else /* no libcurl */

int http_client_new(struct heap *h, struct http_client **out, struct hob_error *err)
{
    (void)h;
    *out = NULL;
    return error_set(err, HOB_ENOTSUP, "Hob was built without libcurl: no HTTP");
}

/* No client can exist, so none of these is ever reached with one. */
void http_client_free(struct http_client *c) { (void)c; }
int http_client_fd(const struct http_client *c)
{
    (void)c;
    return -1;
}
int64_t http_client_timeout(struct http_client *c)
{
    (void)c;
    return -1;
}
void http_client_step(struct http_client *c) { (void)c; }

int http_call_start(struct http_client *c, const struct http_request *req, http_fn fn, void *ud,
                    struct http_call **out, struct hob_error *err)
{
    (void)c, (void)req, (void)fn, (void)ud;
    *out = NULL;
    return error_set(err, HOB_ENOTSUP, "Hob was built without libcurl: no HTTP");
}

void http_call_close(struct http_call *call) { (void)call; }
void http_call_pause(struct http_call *call, bool paused) { (void)call, (void)paused; }
int http_call_status(const struct http_call *call)
{
    (void)call;
    return 0;
}
struct str http_call_raw(const struct http_call *call)
{
    (void)call;
    return STR("");
}
int http_call_result(const struct http_call *call)
{
    (void)call;
    return 0;
}
const struct http_info *http_call_info(struct http_call *call)
{
    (void)call;
    return NULL;
}
bool http_call_header(const struct http_call *call, struct str name, struct str *value)
{
    (void)call, (void)name, (void)value;
    return false;
}

#endif

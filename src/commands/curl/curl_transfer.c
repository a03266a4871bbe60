/* curl_transfer.c -- one URL: its redirects, its retries, and where the answer goes */
#include "commands/curl/curl.h"

#include "base/error.h"

#define CURL_SECOND INT64_C(1000000000)

static int curl_bad(struct curl_transfer *t, int result, const char *text)
{
    error_set(&t->error, HOB_EIO, "%s", text);
    return result;
}

/* ---- output ---------------------------------------------------------------------------------- */

/* The last part of the path of a URL, as it was typed. */
static struct str curl_remote_name(struct str url)
{
    ptrdiff_t at = str_find(url, STR("://"));
    struct str s = at < 0 ? url : str_from(url, (size_t)at + 3);
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '?' || s.p[i] == '#')
            s.n = i;
    at = str_rchr(s, '/');
    return at < 0 ? STR("") : str_from(s, (size_t)at + 1);
}

/* The name in a Content-Disposition, without folders. */
static struct str curl_given_name(struct curl_transfer *t)
{
    struct str v;
    if (!curl_header(t->head, STR("Content-Disposition"), &v))
        return STR("");
    ptrdiff_t at = str_find(v, STR("filename="));
    if (at < 0)
        return STR("");
    v = str_from(v, (size_t)at + 9);
    bool quoted = v.n && (v.p[0] == '"' || v.p[0] == '\'');
    ptrdiff_t end = quoted ? str_chr(str_from(v, 1), v.p[0]) : str_chr(v, ';');
    if (quoted)
        v = end < 0 ? str_from(v, 1) : str_sub(v, 1, (size_t)end);
    else if (end >= 0)
        v = str_sub(v, 0, (size_t)end);
    ptrdiff_t back = str_rchr(v, '\\');
    v = back < 0 ? v : str_from(v, (size_t)back + 1);
    v = path_base(v); /* TM-NET-6: no folder of the server's choosing */
    return str_eqz(v, ".") || str_eqz(v, "..") ? STR("") : arena_str(t->c->p->arena, v);
}

/* With --no-clobber: the first free one of name, name.1 ... name.100. */
static struct str curl_free_name(struct curl *c, struct str name)
{
    struct stat_info st;
    struct str at = name;
    for (int i = 1; i <= 100 && vfs_stat(c->p, at, 0, &st) == 0; i++)
        at = arena_printf(c->p->arena, "%.*s.%d", STR_ARG(name), i);
    return at;
}

static int curl_output_name(struct curl_transfer *t)
{
    struct curl *c = t->c;
    struct curl_node *n = t->node;
    bool given = false;
    if (n->remote) {
        struct str name = c->disposition ? curl_given_name(t) : STR("");
        given = name.n > 0;
        t->filename = given ? name : arena_str(c->p->arena, curl_remote_name(t->url));
    }
    if (n->remote && !t->filename.n)
        return curl_bad(t, CURL_WRITE_ERROR, "Failed writing received data to disk/application");
    if (c->output_dir.n)
        t->filename = curl_join(c, curl_join(c, c->output_dir, STR("/")), t->filename);
    struct stat_info st;
    if (given && vfs_stat(c->p, t->filename, 0, &st) == 0) {
        curl_warn(c, "Refusing to overwrite %.*s: File exists", STR_ARG(t->filename));
        return curl_bad(t, CURL_WRITE_ERROR, "Failed writing header");
    }
    if (c->no_clobber)
        t->filename = curl_free_name(c, t->filename);
    return t->filename.p ? 0 : CURL_OUT_OF_MEMORY;
}

int curl_body_open(struct curl_transfer *t)
{
    struct curl *c = t->c;
    if (t->body_open)
        return 0;
    if (!t->node->remote && (!t->filename.p || str_eqz(t->filename, "-"))) {
        t->body_open = true;
        return 0;
    }
    int r = curl_output_name(t);
    if (r)
        return r;
    if (c->create_dirs && path_dir(t->filename).n)
        vfs_mkdirs(c->p, path_dir(t->filename), 0750);
    unsigned flags = FILE_WRITE | FILE_CREATE | (c->resume.p ? FILE_APPEND : FILE_TRUNC);
    int e = vfs_open(c->p, t->filename, flags, 0666, &t->file);
    if (e < 0) {
        t->file = NULL;
        if (e == HOB_EKILLED)
            return e;
        curl_warn(c, "Failed to open the file %.*s: %s", STR_ARG(t->filename), error_text(e));
        return curl_bad(t, CURL_WRITE_ERROR, "Failure writing output to destination");
    }
    out_init_file(&t->body, c->p, t->file);
    t->body_open = true;
    return 0;
}

static int curl_put(struct curl_transfer *t, struct str bytes)
{
    int r = curl_body_open(t);
    if (r)
        return r;
    struct out *o = t->file ? &t->body : &t->c->out;
    out_str(o, bytes);
    out_flush(o);
    t->wrote = true;
    if (o->err == HOB_EKILLED)
        return o->err;
    return o->err ? curl_bad(t, CURL_WRITE_ERROR, "Failure writing output to destination") : 0;
}

static void curl_body_close(struct curl_transfer *t)
{
    if (t->file) {
        out_fini(&t->body);
        file_unref(t->file);
        if (t->result && t->c->remove_on_error)
            vfs_unlink(t->c->p, t->filename);
    }
    t->file = NULL;
    t->body_open = false;
}

static int curl_dump(struct curl_transfer *t, struct str head)
{
    struct curl *c = t->c;
    struct file *f;
    if (!c->dump_header.p)
        return 0;
    if (str_eqz(c->dump_header, "-")) {
        out_str(&c->out, head);
        return 0;
    }
    bool first = t->redirects == 0 && t->number == 0;
    unsigned flags = FILE_WRITE | FILE_CREATE | (first ? FILE_TRUNC : FILE_APPEND);
    int e = vfs_open(c->p, c->dump_header, flags, 0666, &f);
    if (e == 0) {
        e = file_write(f, c->p, head.p, head.n);
        file_unref(f);
    }
    return e < 0 ? curl_bad(t, CURL_WRITE_ERROR, "Failed writing header") : 0;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* Cookies, and what -w will want to know. */
static void curl_take_head(struct curl_transfer *t, struct curl_hop *h)
{
    struct str rest;
    t->head = arena_str(t->c->p->arena, h->fetch.state.raw);
    t->status = h->fetch.state.status;
    t->info = h->fetch.state.info;
    t->head_bytes += t->head.n;
    t->headers = 0;
    t->content_type = STR("");
    t->retry_after = 0;
    for (rest = t->head; rest.n;) {
        ptrdiff_t end = str_chr(rest, '\n');
        struct str line = end < 0 ? rest : str_sub(rest, 0, (size_t)end);
        ptrdiff_t colon = str_chr(line, ':');
        rest = end < 0 ? STR("") : str_from(rest, (size_t)end + 1);
        if (line.n && line.p[line.n - 1] == '\r')
            line.n--;
        if (str_starts(line, STR("HTTP/")) || colon <= 0)
            continue;
        t->headers++;
        struct str name = str_sub(line, 0, (size_t)colon);
        struct str value = str_trim(str_from(line, (size_t)colon + 1));
        if (curl_same(name, STR("Set-Cookie")) && t->c->jar.active)
            curl_jar_set(&t->c->jar, &h->url, value);
        else if (curl_same(name, STR("Content-Type")))
            t->content_type = value;
        else if (curl_same(name, STR("Retry-After")) && str_int(value, &t->retry_after) < 0)
            t->retry_after = 0;
    }
}

/* 1: there is a place to go on to, in h->url; 0; or an exit status + 1. */
static int curl_redirect(struct curl_transfer *t, struct curl_hop *h)
{
    struct curl *c = t->c;
    struct str where;
    struct url next;
    t->redirect = STR("");
    if (t->status < 300 || t->status >= 400 || t->status == 304 ||
        !curl_header(t->head, STR("Location"), &where))
        return 0;
    int r = url_join(c->p->arena, &h->url, where, &next, NULL);
    if (r < 0 && !(c->location || c->trusted)) {
        t->redirect = where;
        return 0;
    }
    if (r < 0) {
        ptrdiff_t colon = str_find(where, STR("://"));
        if (str_starts(where, STR("file:")))
            error_set(&t->error, r, "Protocol \"file\" not supported or disabled in libcurl");
        else if (colon > 0)
            error_set(&t->error, r,
                      "The redirect target URL could not be parsed: Unsupported URL scheme");
        else
            error_set(&t->error, r, "URL using bad/illegal format or missing URL");
        return (colon > 0 ? CURL_UNSUPPORTED_PROTOCOL : CURL_URL_MALFORMAT) + 1;
    }
    if (!(c->location || c->trusted)) {
        struct buf b;
        buf_init(&b, &c->p->kernel->heap);
        url_write(&b, &next);
        t->redirect = arena_str(c->p->arena, buf_get(&b));
        buf_fini(&b);
        return 0;
    }
    if (c->max_redirs >= 0 && t->redirects >= c->max_redirs) {
        error_set(&t->error, HOB_ELOOP, "Maximum (%lld) redirects followed",
                  (long long)c->max_redirs);
        return CURL_TOO_MANY_REDIRECTS + 1;
    }
    if (str_ends(c->referer, STR(";auto")))
        t->referer = t->effective;
    t->time_redirect += h->fetch.state.info.total;
    t->redirects++;
    h->url = next;
    return 1;
}

/* POST becomes GET where browsers do so. */
static void curl_redirect_method(struct curl *c, struct curl_hop *h, int status)
{
    bool post = h->has_body && !h->upload, keep = status == 307 || status == 308;
    if (status == 301)
        keep = c->post301 || !post;
    else if (status == 302)
        keep = c->post302 || !post;
    else if (status == 303)
        keep = post && c->post303;
    if (keep)
        return;
    h->has_body = h->upload = false;
    if (!c->method.p)
        h->method = c->head ? STR("HEAD") : STR("GET");
}

static int curl_body(struct curl_transfer *t, struct curl_hop *h)
{
    for (;;) {
        struct str piece;
        int r = fetch_read(&h->fetch, &piece);
        if (r < 0)
            return r;
        t->info = h->fetch.state.info;
        if (!piece.n)
            break;
        t->received += piece.n;
        r = curl_put(t, piece);
        if (r)
            return r;
    }
    if (h->fetch.state.result) {
        t->error = h->fetch.state.error;
        return h->fetch.state.result;
    }
    return 0;
}

/* The answer that is not a redirect to be followed. */
static int curl_answer(struct curl_transfer *t, struct curl_hop *h)
{
    struct curl *c = t->c;
    bool failed = t->status >= 400 && (c->fail || c->fail_body);
    if (failed)
        error_set(&t->error, HOB_EIO, "The requested URL returned error: %d", t->status);
    if (failed && c->fail && !(t->status == 416 && c->resume.p))
        return CURL_HTTP_ERROR;
    if (c->resume.p && c->range.p && !str_eqz(c->range, "0-") && t->status == 200)
        return curl_bad(t, CURL_RANGE_ERROR,
                        "HTTP server doesn't seem to support byte ranges. Cannot resume.");
    if (c->resume.p && t->status == 416)
        return 0;
    int r = curl_etag_keep(t);
    if (r)
        return curl_bad(t, r, "Failed writing the tag of the answer");
    if (curl_time_unmet(t))
        return 0;
    r = curl_body(t, h);
    if (r == 0 && !t->wrote && (t->node->remote || t->filename.p) && t->status != 304)
        r = curl_body_open(t); /* an empty file */
    return r ? r : failed ? CURL_HTTP_ERROR : 0;
}

/* ---- requests -------------------------------------------------------------------------------- */

/* The rest of the time that -m gives, in nanoseconds; 0: there is no limit; -1: it is over. */
static int64_t curl_time_left(const struct curl_transfer *t, int64_t began)
{
    struct curl *c = t->c;
    if (c->max_time <= 0)
        return 0;
    int64_t left = (int64_t)(c->max_time * 1e9) -
                   (c->p->kernel->host->monotonic(c->p->kernel->host->ud) - began);
    return left > 0 ? left : -1;
}

/* Whether a server that wants to know who asks is to be asked once more. */
static bool curl_authenticates(struct curl_transfer *t, struct curl_hop *h)
{
    struct curl *c = t->c;
    struct str ask;

    if (t->status != 401 || t->digest.n || t->basic || !c->user.p || !(c->digest || c->any_auth))
        return false;
    if (curl_digest_answer(t, &h->url, h->method))
        return true;
    t->basic = c->any_auth && curl_header(t->head, STR("WWW-Authenticate"), &ask) && ask.n >= 5 &&
               curl_same(str_sub(ask, 0, 5), STR("Basic"));
    return t->basic;
}

/* One exchange after the other, as far as redirects lead. */
static int curl_follow(struct curl_transfer *t, struct curl_hop *h)
{
    struct kernel *k = t->c->p->kernel;
    int64_t began = k->host->monotonic(k->host->ud);
    struct str body = h->body;
    /* What a server refuses at first is not sent to it in vain. */
    if (t->c->user.p && (t->c->digest || t->c->any_auth))
        h->body = STR("");
    for (;;) {
        int64_t left = curl_time_left(t, began);
        if (left < 0)
            return curl_bad(t, 28, "Operation timed out");
        int r = curl_hop_open(h, left);
        if (r)
            return r;
        r = fetch_head(&h->fetch);
        if (r < 0)
            return r;
        if (!h->fetch.state.head) {
            t->error = h->fetch.state.error;
            t->info = h->fetch.state.info;
            return h->fetch.state.result;
        }
        curl_take_head(t, h);
        curl_trace_request(h);
        curl_trace_head(h);
        r = curl_dump(t, t->head);
        if (r == 0 && (t->c->include || t->c->head))
            r = curl_put(t, t->head);
        if (r)
            return r;
        if (curl_authenticates(t, h)) {
            fetch_close(&h->fetch);
            h->body = body;
            continue;
        }
        int status = t->status;
        int next = curl_redirect(t, h);
        if (next == 0)
            return curl_answer(t, h);
        if (next > 1)
            return next - 1;
        fetch_close(&h->fetch);
        curl_redirect_method(t->c, h, status);
        if (proc_check(t->c->p) < 0)
            return HOB_EKILLED;
    }
}

/* What is sent with the request; 0 or an exit status. */
static int curl_request_body(struct curl_transfer *t, struct curl_hop *h, struct buf *b)
{
    struct curl *c = t->c;
    if (t->node->upload.p) {
        h->has_body = h->upload = true;
        if (curl_slurp(c, t->node->upload, b) < 0) {
            proc_printf_err(c->p,
                            "curl: Can't open '%.*s'!\ncurl: try 'curl --help' or 'curl --manual' "
                            "for more information\n",
                            STR_ARG(t->node->upload));
            return curl_bad(t, CURL_READ_ERROR,
                            "Failed to open/read local data from file/application");
        }
    } else if (c->parts.n) {
        h->has_body = true;
        int r = curl_form(c, b, &h->body_type);
        if (r)
            return curl_bad(t, r, "Failed to open/read local data from file/application");
    } else if (c->has_data && !c->get) {
        h->has_body = true;
        buf_str(b, buf_get(&c->data));
        h->body_type = c->json ? STR("application/json") : STR("application/x-www-form-urlencoded");
    }
    h->body = buf_get(b);
    h->method = c->method.p   ? c->method
                : c->head     ? STR("HEAD")
                : h->upload   ? STR("PUT")
                : h->has_body ? STR("POST")
                              : STR("GET");
    return c->p->kernel->heap.oom ? curl_bad(t, CURL_OUT_OF_MEMORY, "Out of memory") : 0;
}

/* -G: the data behind the URL. -T with a folder: the name of the file behind it. */
static struct str curl_full_url(struct curl_transfer *t)
{
    struct curl *c = t->c;
    struct str url = t->url;
    if (str_find(url, STR("://")) < 0)
        url = curl_join(c, STR("http://"), url);
    if (c->get && c->has_data && c->data.n && url.p) {
        ptrdiff_t hash = str_chr(url, '#');
        struct str body = hash < 0 ? url : str_sub(url, 0, (size_t)hash);
        struct str mark = str_chr(body, '?') >= 0 ? STR("&") : STR("?");
        if (str_ends(body, STR("?")))
            mark = STR("");
        url = curl_join(c, curl_join(c, body, mark), buf_get(&c->data));
    }
    if (t->node->upload.p && url.p && !str_eqz(t->node->upload, "-")) {
        ptrdiff_t slashes = str_find(url, STR("://"));
        struct str rest = str_from(url, (size_t)slashes + 3);
        if (str_chr(rest, '/') < 0)
            url = curl_join(c, url, STR("/"));
        if (str_ends(url, STR("/")) && str_chr(rest, '?') < 0) {
            struct buf b;
            buf_init(&b, &c->p->kernel->heap);
            curl_escape(&b, path_base(t->node->upload));
            url = curl_join(c, url, buf_get(&b));
            buf_fini(&b);
        }
    }
    return url;
}

/* %41 becomes A: a user and a password in a URL. */
static struct str curl_unescape(struct curl *c, struct str s)
{
    static const char hex[] = "0123456789abcdef0123456789ABCDEF";
    struct buf b;
    buf_init(&b, &c->p->kernel->heap);
    for (size_t i = 0; i < s.n; i++) {
        const char *x = i + 2 < s.n && s.p[i + 1] ? strchr(hex, s.p[i + 1]) : NULL;
        const char *y = x && s.p[i + 2] ? strchr(hex, s.p[i + 2]) : NULL;
        if (s.p[i] == '%' && y) {
            buf_putc(&b, (char)(((x - hex) & 15) << 4 | ((y - hex) & 15)));
            i += 2;
        } else {
            buf_putc(&b, s.p[i]);
        }
    }
    struct str out = arena_str(c->p->arena, buf_get(&b));
    buf_fini(&b);
    return out;
}

/* A file of the sandbox. */
static int curl_local(struct curl_transfer *t, struct str url)
{
    struct curl *c = t->c;
    struct str path = str_from(url, 7);
    ptrdiff_t slash = str_chr(path, '/');
    path = slash < 0 ? STR("/") : curl_unescape(c, str_from(path, (size_t)slash));
    t->effective = url;
    struct in in;
    struct stat_info st;
    int e = vfs_stat(c->p, path, 0, &st);
    if (e == 0 && MODE_IS_DIR(st.mode))
        e = HOB_EISDIR;
    if (e == 0)
        e = in_open_quiet(&in, c->p, path);
    if (e < 0) {
        error_set(&t->error, e, "Couldn't open file %.*s", STR_ARG(path));
        return CURL_FILE_ERROR;
    }
    int r = 0;
    while (r == 0 && in_fill(&in)) {
        struct str piece = str_of(in.p, (size_t)(in.end - in.p));
        t->received += piece.n;
        r = c->head ? 0 : curl_put(t, piece);
        in.p = in.end;
    }
    if (r == 0 && in.err)
        r = in.err == HOB_EKILLED ? in.err : curl_bad(t, CURL_READ_ERROR, error_text(in.err));
    in_fini(&in);
    if (r == 0 && !t->wrote && (t->node->remote || t->filename.p))
        r = curl_body_open(t);
    return r;
}

/* -C: where the file ends already. */
static int curl_resume(struct curl_transfer *t)
{
    struct curl *c = t->c;
    struct stat_info st = {0};
    if (!c->resume.p)
        return 0;
    if (str_eqz(c->resume, "-")) {
        struct str name = t->node->remote ? curl_remote_name(t->url) : t->filename;
        name = arena_str(c->p->arena, name);
        if (!name.p || vfs_stat(c->p, name, 0, &st) < 0)
            st.size = 0;
        if (st.size == 0)
            return 0;
        c->range = arena_printf(c->p->arena, "%llu-", (unsigned long long)st.size);
    } else {
        c->range = curl_join(c, c->resume, STR("-"));
    }
    return c->range.p ? 0 : CURL_OUT_OF_MEMORY;
}

static int curl_once(struct curl_transfer *t)
{
    struct curl *c = t->c;
    struct curl_hop h = {.t = t};
    struct buf body;
    struct str url = curl_full_url(t);
    if (!url.p)
        return curl_bad(t, CURL_OUT_OF_MEMORY, "Out of memory");
    if (c->proxy.n)
        return curl_bad(t, CURL_NO_PROXY, "a sandbox uses no proxy of its own");
    if (str_starts(url, STR("file://")))
        return curl_local(t, url);
    ptrdiff_t colon = str_find(url, STR("://"));
    struct str scheme = str_sub(url, 0, (size_t)colon);
    if (!curl_same(scheme, STR("http")) && !curl_same(scheme, STR("https"))) {
        error_set(&t->error, HOB_EPROTO, "Protocol \"%.*s\" not supported or disabled in libcurl",
                  STR_ARG(scheme));
        return CURL_UNSUPPORTED_PROTOCOL;
    }
    if (url_parse(c->p->arena, url, &h.url, NULL) < 0)
        return curl_bad(t, CURL_URL_MALFORMAT, "URL using bad/illegal format or missing URL");
    if (h.url.userinfo.n && !c->user.p)
        c->user = curl_unescape(c, h.url.userinfo);
    h.url.userinfo = STR("");
    h.first_host = h.url.host;
    h.first_port = h.url.port;
    t->referer =
        str_ends(c->referer, STR(";auto")) ? str_sub(c->referer, 0, c->referer.n - 5) : c->referer;
    buf_init(&body, &c->p->kernel->heap);
    int r = curl_resume(t);
    r = r ? r : curl_request_body(t, &h, &body);
    r = r ? r : curl_follow(t, &h);
    fetch_close(&h.fetch);
    buf_fini(&body);
    return r;
}

/* ---- retries --------------------------------------------------------------------------------- */

static const char *curl_retry_reason(const struct curl_transfer *t)
{
    const struct curl *c = t->c;
    if (t->result == 28)
        return ": timeout";
    if (t->result == 6 || t->result == 5)
        return c->retry_all ? ": (retrying all errors)" : NULL;
    if (t->result == CURL_COULDNT_CONNECT && c->retry_refused && t->error.code != HOB_EDENIED)
        return ": connection refused";
    if ((t->result == 0 || t->result == CURL_HTTP_ERROR) &&
        (t->status == 408 || t->status == 429 || t->status == 500 || t->status == 502 ||
         t->status == 503 || t->status == 504))
        return ": HTTP error";
    return t->result && c->retry_all && t->error.code != HOB_EDENIED ? "(retrying all errors)"
                                                                     : NULL;
}

int curl_transfer_run(struct curl_transfer *t)
{
    struct curl *c = t->c;
    struct kernel *k = c->p->kernel;
    int64_t began = k->host->monotonic(k->host->ud), left = c->retries;
    double wait = c->retry_delay > 0 ? c->retry_delay : 1;
    struct str name = t->filename;
    for (;;) {
        t->filename = name;
        t->error = (struct hob_error){0};
        t->redirects = t->status = 0;
        t->received = t->head_bytes = 0;
        t->wrote = false;
        t->result = curl_once(t);
        curl_body_close(t);
        if (t->result < 0)
            return t->result;
        const char *why = left > 0 ? curl_retry_reason(t) : NULL;
        double pause = t->retry_after > 0 ? (double)MIN(t->retry_after, 3600) : wait;
        double spent = (double)(k->host->monotonic(k->host->ud) - began) / 1e9;
        if (!why || (c->retry_max > 0 && spent + pause > c->retry_max))
            return t->result;
        curl_warn(c, "Problem %s. Will retry in %lld seconds. %lld retries left.", why,
                  (long long)pause, (long long)left);
        int r = proc_sleep(c->p, (int64_t)(pause * 1e9));
        if (r < 0)
            return r;
        left--;
        if (c->retry_delay <= 0)
            wait = MIN(wait * 2, 600);
    }
}

#undef CURL_SECOND

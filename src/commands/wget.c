/* wget.c -- fetches URLs into files: the common part of GNU wget */
#include "base/error.h"
#include "base/utf8.h"
#include "commands/lib/human.h"
#include "net/fetch.h"
#include "shell/command.h"
#include "text/base64.h"
#include "text/date.h"

enum { /* exit statuses of wget */
    WGET_GENERIC = 1,
    WGET_FILE = 3,
    WGET_NETWORK = 4,
    WGET_TLS = 5,
    WGET_SERVER = 8
};

struct wget {
    struct proc *p;
    bool quiet, server, spider, resume, no_clobber, insecure, terse, disposition, on_error;
    bool force_dirs, no_host, early_auth, ignored;
    struct str output, prefix, agent, post_data, post_file, method, body_data, body_file, input;
    struct str user, password, referer;
    double timeout;
    int64_t tries, max_redirect;
    struct strs headers;
    struct file *all; /* of -O */
    struct out out;
    int status;
};

/* One URL on its way. */
struct wget_job {
    struct wget *w;
    struct str url, name, head;
    struct url at;
    struct str method, body;
    bool has_body, authorised, append;
    int status;
    uint64_t length, got, from; /* length UINT64_MAX: not told */
    struct fetch fetch;
    struct hob_error error;
};

static void wget_say(struct wget *w, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void wget_say(struct wget *w, const char *fmt, ...)
{
    struct buf b;
    va_list ap;
    if (w->quiet)
        return;
    buf_init(&b, &w->p->kernel->heap);
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    proc_puts(w->p, 2, buf_get(&b));
    buf_fini(&b);
}

static void wget_fail(struct wget *w, int status)
{
    if (!w->status || status < w->status)
        w->status = status;
}

static bool wget_same(struct str a, struct str b)
{
    for (size_t i = 0; i < a.n && a.n == b.n; i++)
        if (ascii_to_lower((unsigned char)a.p[i]) != ascii_to_lower((unsigned char)b.p[i]))
            return false;
    return a.n == b.n;
}

/* The time, as it stands in front of messages. */
static const char *wget_time(struct wget *w)
{
    struct date d;
    int64_t now = sched_now(&w->p->kernel->sched);
    date_from_epoch(now / 1000000000, 0, &date_utc, &d);
    struct str s = arena_printf(w->p->arena, "%04lld-%02d-%02d %02d:%02d:%02d", (long long)d.year,
                                d.month, d.day, d.hour, d.minute, d.second);
    return s.p ? s.p : "";
}

static bool wget_header(struct str head, struct str name, struct str *value)
{
    while (head.n) {
        ptrdiff_t end = str_chr(head, '\n');
        struct str line = end < 0 ? head : str_sub(head, 0, (size_t)end);
        ptrdiff_t colon = str_chr(line, ':');
        head = end < 0 ? STR("") : str_from(head, (size_t)end + 1);
        if (colon > 0 && wget_same(str_sub(line, 0, (size_t)colon), name)) {
            *value = str_trim(str_from(line, (size_t)colon + 1));
            if (value->n && value->p[value->n - 1] == '\r')
                value->n--;
            return true;
        }
    }
    return false;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* What a URL is called as a file: its last part with the query. */
static struct str wget_base(struct wget_job *j)
{
    struct wget *w = j->w;
    struct str path = j->at.path, v;
    struct buf b;
    ptrdiff_t slash = str_rchr(path, '/');
    buf_init(&b, &w->p->kernel->heap);
    if (w->disposition && wget_header(j->head, STR("Content-Disposition"), &v)) {
        ptrdiff_t at = str_find(v, STR("filename="));
        v = at < 0 ? STR("") : str_trim(str_from(v, (size_t)at + 9));
        if (v.n && v.p[0] == '"') {
            ptrdiff_t end = str_chr(str_from(v, 1), '"');
            v = end < 0 ? str_from(v, 1) : str_sub(v, 1, (size_t)end);
        }
        v = path_base(v); /* TM-NET-6: no folder of the server's choosing */
        if (!str_eqz(v, ".") && !str_eqz(v, ".."))
            buf_str(&b, v);
    }
    if (!b.n) {
        struct str last = str_from(path, (size_t)(slash + 1));
        buf_str(&b, last.n ? last : STR("index.html"));
        if (j->at.has_query) {
            buf_putc(&b, '?');
            for (size_t i = 0; i < j->at.query.n; i++)
                buf_addz(&b, j->at.query.p[i] == '/' ? "%2F" : (char[]){j->at.query.p[i], '\0'});
        }
    }
    struct str s = arena_str(w->p->arena, buf_get(&b));
    buf_fini(&b);
    return s;
}

/* The whole name, with folders in front. */
static struct str wget_path(struct wget_job *j)
{
    struct wget *w = j->w;
    struct str base = wget_base(j), out;
    struct buf b;
    buf_init(&b, &w->p->kernel->heap);
    if (w->prefix.n) {
        buf_str(&b, w->prefix);
        buf_addz(&b, str_ends(w->prefix, STR("/")) ? "" : "/");
    }
    if (w->force_dirs) {
        if (!w->no_host)
            buf_printf(&b, "%.*s/", STR_ARG(j->at.host));
        struct str dir = path_dir(j->at.path);
        dir = dir.n && dir.p[0] == '/' ? str_from(dir, 1) : dir;
        buf_str(&b, dir);
        buf_addz(&b, dir.n ? "/" : "");
    }
    buf_str(&b, base);
    out = arena_str(w->p->arena, buf_get(&b));
    buf_fini(&b);
    return base.p ? out : base;
}

/* name, name.1, name.2 ...: the first that is free. */
static struct str wget_free(struct wget *w, struct str name)
{
    struct stat_info st;
    struct str at = name;
    for (int i = 1; at.p && i < 10000 && vfs_stat(w->p, at, 0, &st) == 0; i++)
        at = arena_printf(w->p->arena, "%.*s.%d", STR_ARG(name), i);
    return at;
}

/* ---- requests -------------------------------------------------------------------------------- */

static size_t wget_headers(struct wget_job *j, struct http_header *list)
{
    struct wget *w = j->w;
    size_t n = 0;
    list[n++] = (struct http_header){
        STR("User-Agent"), w->agent.p ? (w->agent.n ? w->agent : STR_NONE) : STR("Wget/1.21.3")};
    list[n++] = (struct http_header){STR("Accept-Encoding"), STR("identity")};
    list[n++] = (struct http_header){STR("Connection"), STR("Keep-Alive")};
    if (w->referer.n)
        list[n++] = (struct http_header){STR("Referer"), w->referer};
    if (j->has_body)
        list[n++] =
            (struct http_header){STR("Content-Type"), STR("application/x-www-form-urlencoded")};
    if (j->from)
        list[n++] = (struct http_header){
            STR("Range"), arena_printf(w->p->arena, "bytes=%llu-", (unsigned long long)j->from)};
    if (w->user.p && (w->early_auth || j->authorised)) {
        struct buf b, t;
        buf_init(&b, &w->p->kernel->heap);
        buf_init(&t, &w->p->kernel->heap);
        buf_printf(&t, "%.*s:%.*s", STR_ARG(w->user), STR_ARG(w->password));
        buf_addz(&b, "Basic ");
        base64_encode(&b, buf_get(&t), false);
        list[n++] = (struct http_header){STR("Authorization"), arena_str(w->p->arena, buf_get(&b))};
        buf_fini(&b);
        buf_fini(&t);
    }
    for (size_t i = 0; i < w->headers.n; i++) {
        ptrdiff_t colon = str_chr(w->headers.p[i], ':');
        struct str name = str_sub(w->headers.p[i], 0, (size_t)MAX(colon, 0));
        size_t at = 0;
        while (at < n && !wget_same(list[at].name, name))
            at++;
        if (colon > 0)
            list[at] =
                (struct http_header){name, str_trim(str_from(w->headers.p[i], (size_t)colon + 1))};
        n += colon > 0 && at == n;
    }
    return n;
}

/* The line behind the version: "200 OK". */
static struct str wget_status_line(struct str head)
{
    ptrdiff_t at;
    struct str line = head;
    while ((at = str_find(str_from(line, 1), STR("HTTP/"))) >= 0 && line.n > 1)
        line = str_from(line, (size_t)at + 1);
    ptrdiff_t end = str_chr(line, '\r'), space = str_chr(line, ' ');
    if (end < 0)
        end = str_chr(line, '\n');
    line = end < 0 ? line : str_sub(line, 0, (size_t)end);
    return space < 0 ? STR("") : str_from(line, (size_t)space + 1);
}

/* Sends and waits for the head. 0, an exit status, or a negative error of the process. */
static int wget_ask(struct wget_job *j)
{
    struct wget *w = j->w;
    struct http_header *list = arena_array(w->p->arena, struct http_header, w->headers.n + 12);
    struct buf b;
    struct str v;
    uint64_t n;
    if (!list)
        return HOB_ENOMEM;
    buf_init(&b, &w->p->kernel->heap);
    url_write(&b, &j->at);
    struct http_request req = {
        .method = j->method,
        .url = arena_str(w->p->arena, buf_get(&b)),
        .headers = list,
        .nheaders = wget_headers(j, list),
        .body = j->body,
        .has_body = j->has_body,
        .insecure = w->insecure,
        .connect_ns = w->timeout > 0 ? (int64_t)(w->timeout * 1e9) : 0,
        .idle_ns = w->timeout > 0 ? (int64_t)(w->timeout * 1e9) : INT64_C(900000000000),
    };
    buf_fini(&b);
    if (!req.url.p)
        return HOB_ENOMEM;
    fetch_close(&j->fetch);
    int r = fetch_open(&j->fetch, w->p, &req, &j->error);
    if (r < 0) {
        wget_say(w, "wget: %s\n", j->error.msg);
        return r == HOB_ENOMEM ? r : WGET_NETWORK;
    }
    r = fetch_head(&j->fetch);
    if (r < 0)
        return r;
    const struct http_state *s = &j->fetch.state;
    if (!s->head) {
        wget_say(w, "failed: %s.\n", s->error.msg);
        return s->result == 35 || s->result == 60 ? WGET_TLS : WGET_NETWORK;
    }
    j->status = s->status;
    j->head = arena_str(w->p->arena, s->raw);
    j->length = UINT64_MAX;
    if (wget_header(j->head, STR("Content-Length"), &v) && str_uint(v, &n) == 0)
        j->length = n;
    if (!w->terse)
        wget_say(w, "HTTP request sent, awaiting response... %s%.*s\n", w->server ? "\n" : "",
                 w->server ? 0 : (int)wget_status_line(j->head).n, wget_status_line(j->head).p);
    for (struct str rest = w->server ? j->head : STR(""); rest.n;) {
        ptrdiff_t end = str_find(rest, STR("\r\n"));
        struct str line = end < 0 ? rest : str_sub(rest, 0, (size_t)end);
        rest = end < 0 ? STR("") : str_from(rest, (size_t)end + 2);
        if (line.n)
            wget_say(w, "  %.*s\n", STR_ARG(line));
    }
    return 0;
}

/* Until an answer that is no redirect. */
static int wget_follow(struct wget_job *j)
{
    struct wget *w = j->w;
    for (int64_t hops = 0;; hops++) {
        struct str where;
        int r = wget_ask(j);
        if (r)
            return r;
        if (j->status == 401 && w->user.p && !j->authorised && !w->early_auth) {
            j->authorised = true;
            continue;
        }
        if (j->status < 300 || j->status >= 400 || j->status == 304 ||
            !wget_header(j->head, STR("Location"), &where))
            return 0;
        wget_say(w, "Location: %.*s [following]\n", STR_ARG(where));
        if (hops >= w->max_redirect) {
            wget_say(w, "%lld redirections exceeded.\n", (long long)w->max_redirect);
            return WGET_SERVER;
        }
        struct str old = j->at.host;
        r = url_join(w->p->arena, &j->at, where, &j->at, &j->error);
        if (r < 0) {
            wget_say(w, "%.*s: %s.\n", STR_ARG(where), j->error.msg);
            return WGET_GENERIC;
        }
        if (!str_eq(old, j->at.host))
            j->authorised = false;
        if (j->status != 307 && j->status != 308 && j->has_body) {
            j->has_body = false;
            j->method = STR("GET");
        }
        if (proc_check(w->p) < 0)
            return HOB_EKILLED;
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Where the body goes: a file of its own, or NULL for -O. */
static int wget_open(struct wget_job *j, struct file **own)
{
    struct wget *w = j->w;
    *own = NULL;
    if (w->all)
        return 0;
    if (!j->append && !j->name.p)
        j->name = wget_free(w, wget_path(j));
    if (!j->name.p)
        return HOB_ENOMEM;
    if (path_dir(j->name).n)
        vfs_mkdirs(w->p, path_dir(j->name), 0777);
    int r = vfs_open(w->p, j->name,
                     FILE_WRITE | FILE_CREATE | (j->append ? FILE_APPEND : FILE_TRUNC), 0666, own);
    if (r < 0 && r != HOB_EKILLED) {
        wget_say(w, "%.*s: %s\n\nCannot write to \xe2\x80\x98%.*s\xe2\x80\x99 (%s).\n",
                 STR_ARG(j->name), error_text(r), STR_ARG(j->name), error_text(r));
        return WGET_FILE;
    }
    return r;
}

static int wget_save(struct wget_job *j)
{
    struct wget *w = j->w;
    struct file *own;
    struct out o;
    struct str v = STR("");
    int r = wget_open(j, &own);
    if (r)
        return r;
    out_init_file(&o, w->p, own ? own : w->all);
    struct str name = own ? j->name : w->output;
    if (!w->terse) {
        struct human h = {.scale = true};
        char size[HUMAN_SIZE];
        wget_header(j->head, STR("Content-Type"), &v);
        ptrdiff_t semi = str_chr(v, ';');
        v = semi < 0 ? v : str_sub(v, 0, (size_t)semi);
        if (j->length == UINT64_MAX)
            wget_say(w, "Length: unspecified [%.*s]\n", STR_ARG(v));
        else
            wget_say(w, "Length: %llu (%.*s) [%.*s]\n", (unsigned long long)j->length,
                     (int)human_print(size, j->length, &h), size, STR_ARG(v));
        wget_say(w, "Saving to: \xe2\x80\x98%s\xe2\x80\x99\n\n",
                 str_eqz(name, "-") ? "STDOUT" : name.p);
    }
    struct str piece;
    while ((r = fetch_read(&j->fetch, &piece)) == 0 && piece.n && !o.err) {
        j->got += piece.n;
        out_str(&o, piece);
        out_flush(&o);
    }
    int e = out_fini(&o);
    file_unref(own);
    if (r < 0 || e == HOB_EKILLED)
        return r < 0 ? r : e;
    if (e < 0)
        return WGET_FILE;
    if (j->fetch.state.result) {
        wget_say(w, "%s (%s) - Read error: %s.\n", wget_time(w), "", j->fetch.state.error.msg);
        return WGET_NETWORK;
    }
    if (w->terse)
        wget_say(w, "%s URL:%.*s [%llu/%llu] -> \"%.*s\" [1]\n", wget_time(w), STR_ARG(j->url),
                 (unsigned long long)j->got, (unsigned long long)j->got, STR_ARG(name));
    else
        wget_say(w, "%s - \xe2\x80\x98%s\xe2\x80\x99 saved [%llu/%llu]\n\n", wget_time(w),
                 str_eqz(name, "-") ? "-" : name.p, (unsigned long long)j->got,
                 (unsigned long long)j->got);
    return 0;
}

/* What an answer that has come means. */
static int wget_answer(struct wget_job *j)
{
    struct wget *w = j->w;
    struct str line = wget_status_line(j->head);
    if (j->status >= 400 && !(j->status == 416 && j->append)) {
        struct str text = str_from(line, MIN(line.n, (size_t)4));
        if (w->spider)
            wget_say(w, "Remote file does not exist -- broken link!!!\n\n");
        else
            wget_say(w, "%s ERROR %d: %.*s.\n\n", wget_time(w), j->status, STR_ARG(text));
        int r = w->on_error && !w->spider ? wget_save(j) : 0;
        return r ? r : WGET_SERVER;
    }
    if (j->status == 416) {
        wget_say(w, "\n    The file is already fully retrieved; nothing to do.\n\n");
        return 0;
    }
    if (w->spider) {
        wget_say(w, "Remote file exists.\n\n");
        return 0;
    }
    if (j->append && j->status == 200)
        j->append = false; /* the server sends all of it */
    return wget_save(j);
}

/* -nc and -c look at what is there before anything is asked. True: nothing is to be done. */
static bool wget_there(struct wget_job *j)
{
    struct wget *w = j->w;
    struct stat_info st;
    struct str name = w->output.p ? w->output : wget_path(j);
    if (!name.p || str_eqz(name, "-") || vfs_stat(w->p, name, 0, &st) < 0)
        return false;
    if (w->no_clobber) {
        wget_say(w, "File \xe2\x80\x98%.*s\xe2\x80\x99 already there; not retrieving.\n",
                 STR_ARG(name));
        return true;
    }
    if (w->resume) {
        j->from = st.size;
        j->append = true;
        j->name = name;
    }
    return false;
}

/* 0, an exit status, or a negative error of the process. */
static int wget_one(struct wget *w, struct str text, struct str body, bool has_body)
{
    struct wget_job j = {.w = w, .body = body, .has_body = has_body};
    j.url = str_find(text, STR("://")) < 0 ? arena_printf(w->p->arena, "http://%.*s", STR_ARG(text))
                                           : text;
    if (!j.url.p)
        return HOB_ENOMEM;
    if (url_parse(w->p->arena, j.url, &j.at, &j.error) < 0) {
        wget_say(w, "%.*s: %s.\n", STR_ARG(text), j.error.msg);
        return WGET_GENERIC;
    }
    j.at.userinfo = STR("");
    j.method = w->method.p ? w->method
               : has_body  ? STR("POST")
               : w->spider ? STR("HEAD")
                           : STR("GET");
    if (wget_there(&j))
        return w->output.p && w->no_clobber ? WGET_GENERIC : 0;
    int r = 0;
    for (int64_t i = 1; i <= w->tries; i++) {
        if (!w->terse)
            wget_say(w, "--%s--  %.*s\n", wget_time(w), STR_ARG(j.url));
        r = wget_follow(&j);
        r = r ? r : wget_answer(&j);
        int result = j.fetch.stream ? j.fetch.state.result : 0;
        bool again =
            r == WGET_NETWORK && (result == 18 || result == 28 || result == 52 || result == 56);
        if (!again || i == w->tries)
            break;
        if (!w->all && j.got && !j.append)
            j.append = j.name.p != NULL;
        j.from += j.got;
        j.got = 0;
        wget_say(w, "Retrying.\n\n");
        int e = proc_sleep(w->p, MIN(i, 10) * INT64_C(1000000000));
        if (e < 0) {
            r = e;
            break;
        }
    }
    fetch_close(&j.fetch);
    return r;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int wget_slurp(struct wget *w, struct str path, struct buf *b)
{
    struct in in;
    int r = in_open_quiet(&in, w->p, path);
    if (r < 0)
        return r;
    while (in_fill(&in)) {
        buf_add(b, in.p, (size_t)(in.end - in.p));
        in.p = in.end;
    }
    r = in.err;
    in_fini(&in);
    return r;
}

static int wget_set_header(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct wget *w = args;
    (void)o;
    return proc_push(p, &w->headers, arg) ? 0 : 2;
}

/* -nv, -nc, -nH, -nd: letters behind an n. */
static int wget_set_no(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct wget *w = args;
    (void)o;
    for (size_t i = 0; i < arg.n; i++) {
        switch (arg.p[i]) {
        case 'v': w->terse = true; break;
        case 'c': w->no_clobber = true; break;
        case 'H': w->no_host = true; break;
        case 'd': w->force_dirs = false; break;
        default: proc_warn(p, "invalid option -- 'n%c'", arg.p[i]); return proc_usage(p) + 1;
        }
    }
    return 0;
}

static int wget_set_seconds(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    int64_t n;
    ptrdiff_t point = str_chr(arg, '.');
    (void)o;
    if (str_int(point < 0 ? arg : str_sub(arg, 0, (size_t)point), &n) < 0 || n < 0) {
        proc_warn(p, "--timeout: Invalid time period \xe2\x80\x98%.*s\xe2\x80\x99", STR_ARG(arg));
        return 3;
    }
    ((struct wget *)args)->timeout = (double)n + (n == 0 && point >= 0 ? 0.5 : 0);
    return 0;
}

static int wget_ignore(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p, (void)args, (void)o, (void)arg;
    return 0;
}

/* clang-format off */
#define FLAG(l, n, f, h) OPT_FLAG(l, n, struct wget, f, h)
#define TEXT(l, n, f, a, h) OPT_STRING(l, n, struct wget, f, a, h)
static const struct opt wget_opts[] = {
    FLAG('q', "quiet", quiet, "no messages"),
    OPT_CALL('v', "verbose", wget_ignore, NULL, "messages (the default)"),
    OPT_CALL('d', "debug", wget_ignore, NULL, "ignored"),
    FLAG(0, "no-verbose", terse, "a line per file; also -nv"),
    OPT_CALL('n', NULL, wget_set_no, "v|c|H|d",
         "-nv --no-verbose, -nc --no-clobber, -nH --no-host-directories, -nd"),
    TEXT('O', "output-document", output, "FILE", "write all of it to FILE; -: stdout"),
    TEXT('P', "directory-prefix", prefix, "DIR", "put files below DIR"),
    FLAG('x', "force-directories", force_dirs, "make folders as the URL has them"),
    FLAG(0, "no-host-directories", no_host, "without one for the host"),
    FLAG(0, "no-clobber", no_clobber, "leave files that are there"),
    FLAG('c', "continue", resume, "go on where a file ends"),
    TEXT('i', "input-file", input, "FILE", "URLs from FILE"),
    FLAG('S', "server-response", server, "show the head of the answer"),
    FLAG(0, "spider", spider, "ask whether it is there, and fetch nothing"),
    OPT_CALL('T', "timeout", wget_set_seconds, "SECONDS", "time without a byte"),
    OPT_INTEGER('t', "tries", struct wget, tries, "N", "try so often when it may help (20)"),
    OPT_INTEGER(0, "max-redirect", struct wget, max_redirect, "N", "follow so many redirects (20)"),
    TEXT('U', "user-agent", agent, "NAME", "send this as User-Agent"),
    TEXT(0, "referer", referer, "URL", "send this as Referer"),
    OPT_CALL(0, "header", wget_set_header, "LINE", "send this header"),
    TEXT(0, "user", user, "NAME", "the user"),
    TEXT(0, "password", password, "TEXT", "and the password"),
    FLAG(0, "auth-no-challenge", early_auth, "send them without being asked"),
    TEXT(0, "post-data", post_data, "TEXT", "POST this"),
    TEXT(0, "post-file", post_file, "FILE", "POST a file"),
    TEXT(0, "method", method, "METHOD", "use this method"),
    TEXT(0, "body-data", body_data, "TEXT", "with it"),
    TEXT(0, "body-file", body_file, "FILE", "with a file"),
    FLAG(0, "content-disposition", disposition, "the name that the server gives"),
    FLAG(0, "content-on-error", on_error, "keep what comes with an error"),
    FLAG(0, "no-check-certificate", insecure, "do not check certificates"),
    OPT_CALL(0, "no-cache", wget_ignore, NULL, "ignored"),
    OPT_CALL(0, "no-hsts", wget_ignore, NULL, "ignored"),
    OPT_CALL(0, "no-cookies", wget_ignore, NULL, "ignored: there are none"),
    OPT_CALL('e', "execute", wget_ignore, "COMMAND", "ignored"),
    OPT_CALL(0, "progress", wget_ignore, "KIND", "ignored: progress is never shown"),
    OPT_CALL(0, "show-progress", wget_ignore, NULL, "ignored: progress is never shown"),
    OPT_END,
};
#undef FLAG
#undef TEXT
/* clang-format on */

static void wget_defaults(struct proc *p, void *args)
{
    struct wget *w = args;
    (void)p;
    w->tries = w->max_redirect = 20;
}

/* The operands and the lines of -i. */
static int wget_all(struct wget *w, struct str body, bool has_body)
{
    struct strs urls = {0};
    struct buf b;
    for (int i = 0; i < w->p->argc; i++)
        if (!proc_push(w->p, &urls, w->p->argv[i]))
            return HOB_ENOMEM;
    buf_init(&b, &w->p->kernel->heap);
    int r = w->input.p ? wget_slurp(w, w->input, &b) : 0;
    struct str rest = arena_str(w->p->arena, buf_get(&b));
    buf_fini(&b);
    if (r < 0) {
        wget_say(w, "%.*s: %s\n", STR_ARG(w->input), error_text(r));
        wget_fail(w, WGET_FILE);
    }
    while (rest.n) {
        ptrdiff_t end = str_chr(rest, '\n');
        struct str line = str_trim(end < 0 ? rest : str_sub(rest, 0, (size_t)end));
        rest = end < 0 ? STR("") : str_from(rest, (size_t)end + 1);
        if (line.n && line.p[0] != '#' && !proc_push(w->p, &urls, line))
            return HOB_ENOMEM;
    }
    for (size_t i = 0; i < urls.n; i++) {
        r = wget_one(w, urls.p[i], body, has_body);
        if (r < 0)
            return r;
        if (r)
            wget_fail(w, r);
    }
    return 0;
}

static int wget_run(struct proc *p, void *args)
{
    struct wget *w = args;
    struct buf body;
    struct str file = w->post_file.p ? w->post_file : w->body_file;
    struct str data = w->post_data.p ? w->post_data : w->body_data;
    int r = 0;
    w->p = p;
    w->tries = w->tries <= 0 ? INT64_MAX : w->tries;
    if (p->argc == 0 && !w->input.p) {
        proc_printf_err(p, "wget: missing URL\nUsage: wget [OPTION]... [URL]...\n\nTry `wget "
                           "--help' for more options.\n");
        return 1;
    }
    buf_init(&body, &p->kernel->heap);
    buf_str(&body, data);
    if (file.p && (r = wget_slurp(w, file, &body)) < 0) {
        wget_say(w, "BODY data file \xe2\x80\x98%.*s\xe2\x80\x99 missing: %s\n", STR_ARG(file),
                 error_text(r));
        r = WGET_FILE;
    }
    struct stat_info st;
    bool keep = w->no_clobber && w->output.p && vfs_stat(p, w->output, 0, &st) == 0;
    if (r == 0 && w->output.p && !keep) {
        if (str_eqz(w->output, "-"))
            w->all = proc_file(p, 1) ? file_ref(proc_file(p, 1)) : NULL;
        else
            r = vfs_open(p, w->output,
                         FILE_WRITE | FILE_CREATE | (w->resume ? FILE_APPEND : FILE_TRUNC), 0666,
                         &w->all);
        if (r < 0 && r != HOB_EKILLED) {
            wget_say(w, "%.*s: %s\n", STR_ARG(w->output), error_text(r));
            r = 1;
        }
    }
    if (r == 0)
        r = wget_all(w, buf_get(&body), data.p || file.p);
    file_unref(w->all);
    buf_fini(&body);
    return r ? r : w->status;
}

const struct command cmd_wget = {
    .name = "wget",
    .usage = "[OPTION]... [URL]...",
    .summary = "Fetch URLs into files, as far as the network policy of the sandbox allows it.",
    .opts = wget_opts,
    .args_size = sizeof(struct wget),
    .usage_status = 2,
    .run = wget_run,
    .defaults = wget_defaults,
};

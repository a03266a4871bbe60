/* curl_write.c -- -w: what a transfer was like */
#include "commands/curl/curl.h"

#include "text/json.h"

bool curl_header(struct str head, struct str name, struct str *value)
{
    bool found = false;
    while (head.n) {
        ptrdiff_t end = str_chr(head, '\n');
        struct str line = end < 0 ? head : str_sub(head, 0, (size_t)end);
        ptrdiff_t colon = str_chr(line, ':');
        head = end < 0 ? STR("") : str_from(head, (size_t)end + 1);
        if (str_starts(line, STR("HTTP/")))
            found = false; /* a further answer */
        if (colon > 0 && curl_same(str_sub(line, 0, (size_t)colon), name) && !found) {
            *value = str_trim(str_from(line, (size_t)colon + 1));
            if (value->n && value->p[value->n - 1] == '\r')
                value->n--;
            found = true;
        }
    }
    return found;
}

enum curl_var {
    CV_CONTENT_TYPE,
    CV_ERRORMSG,
    CV_EXITCODE,
    CV_FILENAME,
    CV_CODE,
    CV_CONNECT_CODE,
    CV_VERSION,
    CV_LOCAL_IP,
    CV_LOCAL_PORT,
    CV_METHOD,
    CV_CONNECTS,
    CV_HEADERS,
    CV_REDIRECTS,
    CV_PROXY_VERIFY,
    CV_REDIRECT_URL,
    CV_REFERER,
    CV_REMOTE_IP,
    CV_REMOTE_PORT,
    CV_SCHEME,
    CV_SIZE_DOWN,
    CV_SIZE_HEADER,
    CV_SIZE_REQUEST,
    CV_SIZE_UP,
    CV_SPEED_DOWN,
    CV_SPEED_UP,
    CV_VERIFY,
    CV_T_APP,
    CV_T_CONNECT,
    CV_T_LOOKUP,
    CV_T_PRE,
    CV_T_REDIRECT,
    CV_T_START,
    CV_T_TOTAL,
    CV_URL,
    CV_EFFECTIVE,
    CV_NUMBER
};

static const struct curl_var_row {
    const char *name;
    int var;
} curl_vars[] = {
    {"content_type", CV_CONTENT_TYPE},
    {"errormsg", CV_ERRORMSG},
    {"exitcode", CV_EXITCODE},
    {"filename_effective", CV_FILENAME},
    {"http_code", CV_CODE},
    {"http_connect", CV_CONNECT_CODE},
    {"http_version", CV_VERSION},
    {"local_ip", CV_LOCAL_IP},
    {"local_port", CV_LOCAL_PORT},
    {"method", CV_METHOD},
    {"num_connects", CV_CONNECTS},
    {"num_headers", CV_HEADERS},
    {"num_redirects", CV_REDIRECTS},
    {"proxy_ssl_verify_result", CV_PROXY_VERIFY},
    {"redirect_url", CV_REDIRECT_URL},
    {"referer", CV_REFERER},
    {"remote_ip", CV_REMOTE_IP},
    {"remote_port", CV_REMOTE_PORT},
    {"response_code", CV_CODE},
    {"scheme", CV_SCHEME},
    {"size_download", CV_SIZE_DOWN},
    {"size_header", CV_SIZE_HEADER},
    {"size_request", CV_SIZE_REQUEST},
    {"size_upload", CV_SIZE_UP},
    {"speed_download", CV_SPEED_DOWN},
    {"speed_upload", CV_SPEED_UP},
    {"ssl_verify_result", CV_VERIFY},
    {"time_appconnect", CV_T_APP},
    {"time_connect", CV_T_CONNECT},
    {"time_namelookup", CV_T_LOOKUP},
    {"time_pretransfer", CV_T_PRE},
    {"time_redirect", CV_T_REDIRECT},
    {"time_starttransfer", CV_T_START},
    {"time_total", CV_T_TOTAL},
    {"url", CV_URL},
    {"url_effective", CV_EFFECTIVE},
    {"urlnum", CV_NUMBER},
};

/* A text; .p == NULL: the variable is a number. */
static struct str curl_var_text(const struct curl_transfer *t, int var)
{
    switch (var) {
    case CV_CONTENT_TYPE: return t->content_type.p ? t->content_type : STR("");
    case CV_ERRORMSG: return t->result ? str_z(t->error.msg) : STR("");
    case CV_FILENAME: return t->filename.p ? t->filename : STR("");
    case CV_VERSION:
        return t->info.version == 20   ? STR("2")
               : t->info.version == 11 ? STR("1.1")
               : t->info.version == 10 ? STR("1.0")
                                       : STR("0");
    case CV_LOCAL_IP: return str_z(t->info.local_ip);
    case CV_METHOD: return t->method.p ? t->method : STR("");
    case CV_REDIRECT_URL: return t->redirect.p ? t->redirect : STR("");
    case CV_REFERER: return t->referer.p ? t->referer : STR("");
    case CV_REMOTE_IP: return str_z(t->info.remote_ip);
    case CV_SCHEME:
        return str_starts(t->effective, STR("https"))  ? STR("HTTPS")
               : str_starts(t->effective, STR("http")) ? STR("HTTP")
                                                       : STR("FILE");
    case CV_URL: return t->url;
    case CV_EFFECTIVE: return t->effective.p ? t->effective : t->url;
    default: return STR_NONE;
    }
}

static void curl_var_number(const struct curl_transfer *t, int var, struct buf *b)
{
    const struct http_info *i = &t->info;
    double total = i->total > 0 ? i->total : 1, time = -1;
    long long n = 0;
    switch (var) {
    case CV_EXITCODE: n = t->result; break;
    case CV_CODE: n = t->status; break;
    case CV_LOCAL_PORT: n = i->local_port; break;
    case CV_CONNECTS: n = i->connects; break;
    case CV_HEADERS: n = t->headers; break;
    case CV_REDIRECTS: n = t->redirects; break;
    case CV_REMOTE_PORT: n = i->remote_port; break;
    case CV_SIZE_DOWN: n = (long long)t->received; break;
    case CV_SIZE_HEADER: n = (long long)t->head_bytes; break;
    case CV_SIZE_REQUEST: n = (long long)i->sent_head; break;
    case CV_SIZE_UP: n = (long long)i->sent_body; break;
    case CV_SPEED_DOWN: n = (long long)((double)t->received / total); break;
    case CV_SPEED_UP: n = (long long)((double)i->sent_body / total); break;
    case CV_VERIFY: n = i->verify; break;
    case CV_NUMBER: n = t->number; break;
    case CV_T_APP: time = i->secure; break;
    case CV_T_CONNECT: time = i->connect; break;
    case CV_T_LOOKUP: time = i->lookup; break;
    case CV_T_PRE: time = i->before; break;
    case CV_T_REDIRECT: time = t->time_redirect; break;
    case CV_T_START: time = i->first; break;
    case CV_T_TOTAL: time = t->time_redirect + i->total; break;
    default: break;
    }
    if (time >= 0)
        buf_printf(b, "%.6f", time);
    else
        buf_printf(b, var == CV_CODE || var == CV_CONNECT_CODE ? "%03lld" : "%lld", n);
}

static void curl_var_json(const struct curl_transfer *t, struct buf *b)
{
    buf_putc(b, '{');
    for (size_t i = 0; i < COUNT(curl_vars); i++) {
        struct str s = curl_var_text(t, curl_vars[i].var);
        buf_printf(b, "%s\"%s\":", i ? "," : "", curl_vars[i].name);
        if (!s.p && (curl_vars[i].var == CV_CODE || curl_vars[i].var == CV_CONNECT_CODE))
            buf_printf(b, "%d", curl_vars[i].var == CV_CODE ? t->status : 0);
        else if (!s.p)
            curl_var_number(t, curl_vars[i].var, b);
        else if (!s.n)
            buf_addz(b, "null");
        else
            json_quote(b, s);
    }
    buf_printf(b, ",\"curl_version\":\"curl/%s\"}", CURL_VERSION);
}

/* {"name":["value",...],...} in lower case, in the order of first meeting. */
static void curl_headers_json(const struct curl_transfer *t, struct buf *b)
{
    struct str rest = t->head;
    size_t n = 0;
    buf_putc(b, '{');
    while (rest.n) {
        ptrdiff_t end = str_chr(rest, '\n');
        struct str line = str_trim(end < 0 ? rest : str_sub(rest, 0, (size_t)end));
        ptrdiff_t colon = str_starts(line, STR("HTTP/")) ? -1 : str_chr(line, ':');
        rest = end < 0 ? STR("") : str_from(rest, (size_t)end + 1);
        if (line.n && line.p[line.n - 1] == '\r')
            line.n--;
        if (colon <= 0)
            continue;
        buf_addz(b, n++ ? ",\n\"" : "\"");
        for (ptrdiff_t i = 0; i < colon; i++)
            buf_putc(b, line.p[i] >= 'A' && line.p[i] <= 'Z' ? (char)(line.p[i] + 32) : line.p[i]);
        buf_addz(b, "\":[");
        json_quote(b, str_trim(str_from(line, (size_t)colon + 1)));
        buf_putc(b, ']');
    }
    buf_addz(b, "\n}");
}

/* %{name} or %header{name}; false: nothing of that name. */
static bool curl_var_write(struct curl_transfer *t, struct str name, struct buf *b, bool *to_err,
                           bool *stop)
{
    for (size_t i = 0; i < COUNT(curl_vars); i++)
        if (str_eqz(name, curl_vars[i].name)) {
            struct str s = curl_var_text(t, curl_vars[i].var);
            if (s.p)
                buf_str(b, s);
            else
                curl_var_number(t, curl_vars[i].var, b);
            return true;
        }
    if (str_eqz(name, "json"))
        curl_var_json(t, b);
    else if (str_eqz(name, "header_json"))
        curl_headers_json(t, b);
    else if (str_eqz(name, "stdout") || str_eqz(name, "stderr"))
        *to_err = str_eqz(name, "stderr");
    else if (str_eqz(name, "onerror"))
        *stop = t->result == 0;
    else
        return str_eqz(name, "certs") || str_eqz(name, "ftp_entry_path");
    return true;
}

static void curl_write_piece(struct curl_transfer *t, struct buf *b, bool to_err)
{
    if (to_err)
        proc_puts(t->c->p, 2, buf_get(b));
    else
        out_str(&t->c->out, buf_get(b));
    buf_clear(b);
}

/* The text of -w, which may be in a file. */
static struct str curl_write_format(struct curl *c)
{
    if (!c->write_out.n || c->write_out.p[0] != '@')
        return c->write_out;
    struct buf b;
    buf_init(&b, &c->p->kernel->heap);
    if (curl_slurp(c, str_from(c->write_out, 1), &b) < 0)
        curl_warn(c, "Failed to open %.*s", STR_ARG(str_from(c->write_out, 1)));
    struct str s = arena_str(c->p->arena, buf_get(&b));
    buf_fini(&b);
    return s;
}

void curl_write_out(struct curl_transfer *t)
{
    struct str f = curl_write_format(t->c);
    struct buf b;
    bool to_err = false, stop = false;
    buf_init(&b, &t->c->p->kernel->heap);
    for (size_t i = 0; i < f.n && !stop; i++) {
        struct str rest = str_from(f, i);
        static const char header[] = "%header{";
        bool of_header = str_starts(rest, str_z(header));
        if (f.p[i] == '\\' && i + 1 < f.n) {
            char ch = f.p[++i];
            if (ch == 'n' || ch == 't' || ch == 'r')
                buf_putc(&b, ch == 'n' ? '\n' : ch == 't' ? '\t' : '\r');
            else
                buf_putc(&b, '\\'), buf_putc(&b, ch);
        } else if (str_starts(rest, STR("%%"))) {
            buf_putc(&b, '%');
            i++;
        } else if (of_header || str_starts(rest, STR("%{"))) {
            size_t at = of_header ? sizeof header - 1 : 2;
            ptrdiff_t end = str_chr(rest, '}');
            if (end < 0) {
                buf_str(&b, rest);
                break;
            }
            struct str name = str_sub(rest, at, (size_t)end - at), value;
            bool err = to_err;
            if (of_header) {
                if (curl_header(t->head, name, &value))
                    buf_str(&b, value);
            } else if (!curl_var_write(t, name, &b, &err, &stop)) {
                proc_printf_err(t->c->p, "curl: unknown --write-out variable: '%.*s'\n",
                                STR_ARG(name));
            }
            if (err != to_err)
                curl_write_piece(t, &b, to_err);
            to_err = err;
            i += (size_t)end;
        } else {
            buf_putc(&b, f.p[i]);
        }
    }
    curl_write_piece(t, &b, to_err);
    buf_fini(&b);
}

/* url.c -- URLs taken apart, made canonical and joined */
#include "net/url.h"

#include "base/utf8.h"
#include "net/addr.h"

static int url_hex(char c)
{
    if (ascii_digit((unsigned char)c))
        return c - '0';
    int low = ascii_to_lower((unsigned char)c);
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

/* Whether a byte may stand in a path or query as it is. */
static bool url_plain(char c, bool query)
{
    return ascii_alnum((unsigned char)c) ||
           (c != '\0' && strchr(query ? "-._~!$&'()*+,;=:@/?" : "-._~!$&'()*+,;=:@/", c) != NULL);
}

static bool url_unreserved(char c)
{
    return ascii_alnum((unsigned char)c) || (c != '\0' && strchr("-._~", c) != NULL);
}

/* Appends the text with one way of escaping: plain characters plain, the rest as %XX. */
static void url_escape(struct buf *b, struct str s, bool query)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        int high = -1, low = -1;
        if (c == '%' && i + 2 < s.n) {
            high = url_hex(s.p[i + 1]);
            low = url_hex(s.p[i + 2]);
        }
        bool escaped = high >= 0 && low >= 0;
        if (escaped) {
            c = (unsigned char)(high << 4 | low);
            i += 2;
        }
        /* An escape stays one unless the character means nothing special. */
        if (escaped ? url_unreserved((char)c) : url_plain((char)c, query)) {
            buf_putc(b, (char)c);
        } else {
            buf_putc(b, '%');
            buf_putc(b, digits[c >> 4]);
            buf_putc(b, digits[c & 15]);
        }
    }
}

/* Takes . and .. out of a path that is escaped already. Works within the buffer: it only
 * shrinks. */
static void url_dots(struct buf *b)
{
    size_t from = 0, to = 0, n = b->n;
    while (from < n) {
        size_t end = from + 1; /* from is at a slash */
        while (end < n && b->p[end] != '/')
            end++;
        struct str segment = str_of(b->p + from + 1, end - from - 1);
        bool last = end == n;
        if (str_eqz(segment, "..")) {
            while (to > 0 && b->p[--to] != '/')
                continue;
        }
        if (str_eqz(segment, "..") || str_eqz(segment, ".")) {
            if (last)
                b->p[to++] = '/';
        } else {
            memmove(b->p + to, b->p + from, end - from);
            to += end - from;
        }
        from = end;
    }
    buf_cut(b, to);
}

/* The canonical path; empty ones become a slash. */
static int url_path(struct arena *a, struct str path, struct str *out)
{
    struct buf b;
    buf_init(&b, a->heap);
    if (path.n == 0 || path.p[0] != '/')
        buf_putc(&b, '/');
    url_escape(&b, path, false);
    if (b.n > 0)
        url_dots(&b);
    *out = b.n ? arena_str(a, buf_get(&b)) : STR("/");
    buf_fini(&b);
    return out->p && !a->heap->oom ? 0 : HOB_ENOMEM;
}

static int url_query(struct arena *a, struct str query, struct str *out)
{
    struct buf b;
    buf_init(&b, a->heap);
    url_escape(&b, query, true);
    *out = b.n ? arena_str(a, buf_get(&b)) : STR("");
    buf_fini(&b);
    return out->p && !a->heap->oom ? 0 : HOB_ENOMEM;
}

/* ---- hosts ---- */

static int url_host(struct arena *a, struct str host, struct url *u, struct hob_error *err)
{
    struct addr addr;
    struct buf b;
    buf_init(&b, a->heap);
    for (size_t i = 0; i < host.n; i++) {
        char c = host.p[i];
        bool fits = ascii_alnum((unsigned char)c) || c == '-' || c == '.' || c == '_' ||
                    (u->ipv6 && c == ':');
        if (!fits) {
            buf_fini(&b);
            return error_set(err, HOB_EINVAL,
                             "a host name with a character that has no place there");
        }
        buf_putc(&b, (char)ascii_to_lower((unsigned char)c));
    }
    if (b.n > 0 && b.p[b.n - 1] == '.')
        buf_cut(&b, b.n - 1); /* the root of the DNS: the same host */
    if (str_find(buf_get(&b), STR("..")) >= 0 ||
        (b.n > 0 && (b.p[0] == '.' || b.p[b.n - 1] == '.'))) {
        buf_fini(&b);
        return error_set(err, HOB_EINVAL, "a host name with an empty part");
    }
    bool numeric = addr_parse(buf_get(&b), &addr);
    if (u->ipv6 && !(numeric && addr.v6)) {
        buf_fini(&b);
        return error_set(err, HOB_EINVAL, "not an IPv6 address: [%.*s]", STR_ARG(host));
    }
    if (numeric) {
        buf_clear(&b);
        addr_write(&b, &addr);
    }
    u->host = b.n ? arena_str(a, buf_get(&b)) : STR("");
    buf_fini(&b);
    if (!u->host.p || a->heap->oom)
        return HOB_ENOMEM;
    return u->host.n ? 0 : error_set(err, HOB_EINVAL, "a URL without a host");
}

static int url_port(struct str text, struct url *u, struct hob_error *err)
{
    uint64_t port;
    if (text.n == 0)
        return 0;
    if (str_uint(text, &port) < 0 || port == 0 || port > 65535 ||
        !ascii_digit((unsigned char)text.p[0]))
        return error_set(err, HOB_EINVAL, "not a port: %.*s", STR_ARG(text));
    u->port = (int)port;
    return 0;
}

/* user:password@host:port */
static int url_authority(struct arena *a, struct str text, struct url *u, struct hob_error *err)
{
    ptrdiff_t at = str_rchr(text, '@');
    struct str port = STR("");
    u->userinfo = at < 0 ? STR("") : arena_str(a, str_sub(text, 0, (size_t)at));
    if (!u->userinfo.p)
        return HOB_ENOMEM;
    text = str_from(text, (size_t)(at + 1));
    if (text.n > 0 && text.p[0] == '[') {
        ptrdiff_t close = str_chr(text, ']');
        if (close < 0)
            return error_set(err, HOB_EINVAL, "an IPv6 address without its closing bracket");
        port = str_from(text, (size_t)close + 1);
        if (port.n > 0 && port.p[0] != ':')
            return error_set(err, HOB_EINVAL, "something behind an IPv6 address that is no port");
        port = str_from(port, 1);
        text = str_sub(text, 1, (size_t)close - 1);
        u->ipv6 = true;
    } else {
        ptrdiff_t colon = str_chr(text, ':');
        if (colon >= 0) {
            port = str_from(text, (size_t)colon + 1);
            text = str_sub(text, 0, (size_t)colon);
        }
    }
    int r = url_port(port, u, err);
    return r < 0 ? r : url_host(a, text, u, err);
}

/* ---- whole URLs ---- */

/* The first of these bytes in s; s.n if there is none. */
static size_t url_until(struct str s, const char *bytes)
{
    size_t n = 0;
    while (n < s.n && (s.p[n] == '\0' || !strchr(bytes, s.p[n])))
        n++;
    return n;
}

/* Path and query of a reference, from its first slash or question mark on. */
static int url_rest(struct arena *a, struct str rest, struct url *u)
{
    size_t path = url_until(rest, "?#");
    u->has_query = path < rest.n && rest.p[path] == '?';
    struct str query = u->has_query ? str_from(rest, path + 1) : STR("");
    int r = url_path(a, str_sub(rest, 0, path), &u->path);
    return r < 0 ? r : url_query(a, str_sub(query, 0, url_until(query, "#")), &u->query);
}

/* Control characters and blanks have no place in a URL, and a backslash is taken for a slash by
 * some. */
static int url_clean(struct str s, struct hob_error *err)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] <= ' ' || s.p[i] == 127 || s.p[i] == '\\')
            return error_set(err, HOB_EINVAL,
                             "a URL with a blank, a control character or a backslash");
    return 0;
}

int url_parse(struct arena *a, struct str text, struct url *out, struct hob_error *err)
{
    memset(out, 0, sizeof *out);
    text = str_trim(text);
    int r = url_clean(text, err);
    if (r < 0)
        return r;
    ptrdiff_t colon = str_find(text, STR("://"));
    struct str scheme = str_sub(text, 0, (size_t)MAX(colon, 0));
    bool secure = scheme.n == 5;
    const char *name = secure ? "https" : "http";
    for (size_t i = 0; i < scheme.n && (scheme.n == 4 || secure); i++)
        if (ascii_to_lower((unsigned char)scheme.p[i]) != name[i])
            scheme.n = 0;
    if (scheme.n != 4 && scheme.n != 5)
        return error_set(err, HOB_EINVAL, "not an http or https URL: %.*s",
                         STR_ARG(str_sub(text, 0, 100)));
    out->scheme = str_z(name);
    out->port = secure ? 443 : 80;
    struct str rest = str_from(text, (size_t)colon + 3);
    size_t authority = url_until(rest, "/?#");
    r = url_authority(a, str_sub(rest, 0, authority), out, err);
    r = r < 0 ? r : url_rest(a, str_from(rest, authority), out);
    return r == HOB_ENOMEM ? error_set(err, r, "%s", error_text(r)) : r;
}

void url_write(struct buf *b, const struct url *u)
{
    bool standard = u->port == (u->scheme.n == 5 ? 443 : 80);
    buf_str(b, u->scheme);
    buf_addz(b, "://");
    if (u->userinfo.n > 0) {
        buf_str(b, u->userinfo);
        buf_putc(b, '@');
    }
    buf_addz(b, u->ipv6 ? "[" : "");
    buf_str(b, u->host);
    buf_addz(b, u->ipv6 ? "]" : "");
    if (!standard)
        buf_printf(b, ":%d", u->port);
    buf_str(b, u->path);
    if (u->has_query) {
        buf_putc(b, '?');
        buf_str(b, u->query);
    }
}

int url_join(struct arena *a, const struct url *base, struct str ref, struct url *out,
             struct hob_error *err)
{
    ref = str_trim(ref);
    int r = url_clean(ref, err);
    if (r < 0)
        return r;
    /* A scheme is letters before a colon, in front of every slash. */
    size_t colon = url_until(ref, ":/?#");
    if (colon < ref.n && ref.p[colon] == ':')
        return url_parse(a, ref, out, err);
    struct buf b;
    buf_init(&b, a->heap);
    if (str_starts(ref, STR("//"))) {
        buf_str(&b, base->scheme);
        buf_putc(&b, ':');
        buf_str(&b, ref);
        r = url_parse(a, buf_get(&b), out, err);
        buf_fini(&b);
        return r;
    }
    *out = *base;
    if (ref.n == 0 || ref.p[0] == '#')
        return 0;
    if (ref.p[0] != '/') {
        ptrdiff_t slash = str_rchr(base->path, '/');
        buf_str(&b, ref.p[0] == '?' ? base->path : str_sub(base->path, 0, (size_t)(slash + 1)));
    }
    buf_str(&b, ref);
    r = url_rest(a, buf_get(&b), out);
    buf_fini(&b);
    return r == HOB_ENOMEM ? error_set(err, r, "%s", error_text(r)) : r;
}

/* curl_cookie.c -- cookies: taken from answers, sent to whom they belong, kept in files */
#include "commands/curl/curl.h"

#include "commands/lib/getdate.h"
#include "net/addr.h"

enum {
    CURL_COOKIES = 3000,       /* kept at the most */
    CURL_COOKIE_SIZE = 8 << 10 /* bytes of a name with its value */
};

static int64_t curl_cookie_now(struct curl_jar *j)
{
    return sched_now(&j->p->kernel->sched) / 1000000000;
}

static struct str curl_cookie_str(struct curl_jar *j, struct str s)
{
    return arena_str(j->p->arena, s);
}

/* Takes the place of one with the same name, domain and path. */
static void curl_jar_put(struct curl_jar *j, struct curl_cookie k)
{
    k.domain = curl_cookie_str(j, k.domain);
    k.path = curl_cookie_str(j, k.path);
    k.name = curl_cookie_str(j, k.name);
    k.value = curl_cookie_str(j, k.value);
    if (!k.domain.p || !k.path.p || !k.name.p || !k.value.p)
        return;
    for (size_t i = 0; i < j->list.n; i++) {
        struct curl_cookie *o = &j->list.p[i];
        if (str_eq(o->name, k.name) && curl_same(o->domain, k.domain) && str_eq(o->path, k.path)) {
            *o = k;
            return;
        }
    }
    if (!k.dead && j->list.n < CURL_COOKIES)
        (void)vec_push(&j->p->kernel->heap, &j->list, k);
}

/* Whether host is the domain or stands below it. */
static bool curl_cookie_tail(struct str host, struct str domain)
{
    struct addr addr;
    if (curl_same(host, domain))
        return true;
    return host.n > domain.n + 1 && !addr_parse(host, &addr) &&
           host.p[host.n - domain.n - 1] == '.' &&
           curl_same(str_from(host, host.n - domain.n), domain);
}

static bool curl_cookie_path(struct str path, struct str prefix)
{
    if (!str_starts(path, prefix))
        return false;
    return path.n == prefix.n || prefix.n == 0 || prefix.p[prefix.n - 1] == '/' ||
           path.p[prefix.n] == '/';
}

/* One of "Path=/x"; false: the cookie is refused. */
static bool curl_cookie_attribute(struct curl_jar *j, const struct url *u, struct curl_cookie *k,
                                  struct str name, struct str value, bool *aged)
{
    if (curl_same(name, STR("path"))) {
        if (value.n && value.p[0] == '/')
            k->path =
                value.n > 1 && value.p[value.n - 1] == '/' ? str_sub(value, 0, value.n - 1) : value;
    } else if (curl_same(name, STR("domain")) && value.n) {
        struct str domain = value.p[0] == '.' ? str_from(value, 1) : value;
        bool dotted = str_chr(domain, '.') >= 0 || curl_same(domain, STR("localhost"));
        if (!dotted || !curl_cookie_tail(u->host, domain))
            return false;
        struct addr addr;
        k->domain = domain;
        k->tail = !addr_parse(domain, &addr);
    } else if (curl_same(name, STR("max-age"))) {
        int64_t n;
        *aged = true;
        k->dead = str_int(value, &n) < 0 || n <= 0;
        k->expires = k->dead ? 1 : curl_cookie_now(j) + MIN(n, INT64_C(34560000));
    } else if (curl_same(name, STR("expires")) && !*aged) {
        int64_t at;
        if (getdate_parse(value, 0, &date_utc, &at) == 0) {
            k->expires = MAX(at / 1000000000, 1);
            k->dead = k->expires < curl_cookie_now(j);
        }
    } else if (curl_same(name, STR("secure"))) {
        k->secure = true;
        return str_eqz(u->scheme, "https");
    } else if (curl_same(name, STR("httponly"))) {
        k->http_only = true;
    }
    return true;
}

void curl_jar_set(struct curl_jar *j, const struct url *u, struct str header)
{
    struct curl_cookie k = {.domain = u->host};
    ptrdiff_t slash = str_rchr(u->path, '/');
    bool aged = false;
    k.path = slash > 0 ? str_sub(u->path, 0, (size_t)slash) : STR("/");
    for (bool first = true; header.n; first = false) {
        ptrdiff_t semi = str_chr(header, ';');
        struct str word = str_trim(semi < 0 ? header : str_sub(header, 0, (size_t)semi));
        header = semi < 0 ? STR("") : str_from(header, (size_t)semi + 1);
        ptrdiff_t eq = str_chr(word, '=');
        struct str name = str_trim(eq < 0 ? word : str_sub(word, 0, (size_t)eq));
        struct str value = eq < 0 ? STR("") : str_trim(str_from(word, (size_t)eq + 1));
        if (first) {
            if (eq <= 0 || word.n > CURL_COOKIE_SIZE)
                return;
            k.name = name;
            k.value = value;
        } else if (!curl_cookie_attribute(j, u, &k, name, value, &aged)) {
            return;
        }
    }
    curl_jar_put(j, k);
}

/* Longer paths first, then longer domains and names, then the newer ones. */
static int curl_cookie_order(const void *a, const void *b, void *ud)
{
    const struct curl_cookie *x = *(const struct curl_cookie *const *)a;
    const struct curl_cookie *y = *(const struct curl_cookie *const *)b;
    (void)ud;
    if (x->path.n != y->path.n)
        return x->path.n > y->path.n ? -1 : 1;
    if (x->domain.n != y->domain.n)
        return x->domain.n > y->domain.n ? -1 : 1;
    if (x->name.n != y->name.n)
        return x->name.n > y->name.n ? -1 : 1;
    return x > y ? -1 : 1;
}

struct str curl_jar_get(struct curl *c, const struct url *u)
{
    struct curl_jar *j = &c->jar;
    struct heap *h = &c->p->kernel->heap;
    VEC(const struct curl_cookie *) fit = {0};
    int64_t now = curl_cookie_now(j);
    struct buf b;
    for (size_t i = 0; i < j->list.n; i++) {
        const struct curl_cookie *k = &j->list.p[i];
        bool host = k->tail ? curl_cookie_tail(u->host, k->domain) : curl_same(u->host, k->domain);
        if (host && !k->dead && (!k->expires || k->expires > now) &&
            curl_cookie_path(u->path, k->path) && (!k->secure || str_eqz(u->scheme, "https")))
            (void)vec_push(h, &fit, k);
    }
    if (fit.n > 1)
        sort_stable(h, fit.p, fit.n, sizeof *fit.p, curl_cookie_order, NULL);
    buf_init(&b, h);
    for (size_t i = 0; i < fit.n; i++)
        buf_printf(&b, "%s%.*s=%.*s", b.n ? "; " : "", STR_ARG(fit.p[i]->name),
                   STR_ARG(fit.p[i]->value));
    vec_fini(h, &fit);
    size_t own = b.n == 0;
    for (size_t i = 0; i < c->cookie_args.n; i++)
        if (str_chr(c->cookie_args.p[i], '=') >= 0) {
            buf_addz(&b, !b.n ? "" : own++ ? ";" : "; ");
            buf_str(&b, c->cookie_args.p[i]);
        }
    struct str out = arena_str(c->p->arena, buf_get(&b));
    buf_fini(&b);
    return out.p ? out : STR("");
}

/* ---- files ----------------------------------------------------------------------------------- */

/* domain, tail, path, secure, expires, name, value, with tabs between them. */
static void curl_jar_line(struct curl *c, struct str line)
{
    struct curl_cookie k = {0};
    struct str field[7] = {{0}};
    size_t n = 0;
    static const char only[] = "#HttpOnly_";
    if (str_starts(line, str_z(only))) {
        k.http_only = true;
        line = str_from(line, sizeof only - 1);
    } else if (!line.n || line.p[0] == '#') {
        return;
    }
    while (n < 7) {
        ptrdiff_t tab = n < 6 ? str_chr(line, '\t') : -1;
        field[n++] = tab < 0 ? line : str_sub(line, 0, (size_t)tab);
        if (tab < 0)
            break;
        line = str_from(line, (size_t)tab + 1);
    }
    if (n < 6 || str_int(field[4], &k.expires) < 0)
        return;
    k.domain = field[0].n && field[0].p[0] == '.' ? str_from(field[0], 1) : field[0];
    k.tail = curl_same(field[1], STR("TRUE"));
    k.path = field[2];
    k.secure = curl_same(field[3], STR("TRUE"));
    k.name = field[5];
    k.value = n > 6 ? field[6] : STR("");
    if ((k.expires && k.expires < curl_cookie_now(&c->jar)) || (c->junk_session && !k.expires))
        return;
    curl_jar_put(&c->jar, k);
}

int curl_jar_load(struct curl *c)
{
    c->jar.active = c->jar_file.p != NULL;
    for (size_t i = 0; i < c->cookie_args.n; i++) {
        struct str arg = c->cookie_args.p[i];
        if (str_chr(arg, '=') >= 0)
            continue;
        struct buf b;
        c->jar.active = true;
        buf_init(&b, &c->p->kernel->heap);
        if (arg.n)
            curl_slurp(c, arg, &b); /* one that is not there turns cookies on */
        struct str rest = buf_get(&b);
        while (rest.n) {
            ptrdiff_t end = str_chr(rest, '\n');
            struct str line = end < 0 ? rest : str_sub(rest, 0, (size_t)end);
            rest = end < 0 ? STR("") : str_from(rest, (size_t)end + 1);
            if (line.n && line.p[line.n - 1] == '\r')
                line.n--;
            curl_jar_line(c, line);
        }
        buf_fini(&b);
    }
    return c->p->kernel->heap.oom ? CURL_OUT_OF_MEMORY : 0;
}

int curl_jar_save(struct curl *c)
{
    struct buf b;
    int r = 0;
    int64_t now = curl_cookie_now(&c->jar);
    if (!c->jar_file.p)
        return 0;
    buf_init(&b, &c->p->kernel->heap);
    buf_addz(&b, "# Netscape HTTP Cookie File\n# https://curl.se/docs/http-cookies.html\n"
                 "# This file was generated by libcurl! Edit at your own risk.\n\n");
    for (size_t i = c->jar.list.n; i-- > 0;) { /* the newest first */
        const struct curl_cookie *k = &c->jar.list.p[i];
        if (k->dead || (k->expires && k->expires < now))
            continue;
        buf_printf(&b, "%s%s%.*s\t%s\t%.*s\t%s\t%lld\t%.*s\t%.*s\n",
                   k->http_only ? "#HttpOnly_" : "", k->tail ? "." : "", STR_ARG(k->domain),
                   k->tail ? "TRUE" : "FALSE", STR_ARG(k->path), k->secure ? "TRUE" : "FALSE",
                   (long long)k->expires, STR_ARG(k->name), STR_ARG(k->value));
    }
    if (str_eqz(c->jar_file, "-")) {
        out_str(&c->out, buf_get(&b));
    } else {
        struct file *f;
        r = vfs_open(c->p, c->jar_file, FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0666, &f);
        if (r == 0) {
            r = file_write(f, c->p, b.p ? b.p : "", b.n);
            file_unref(f);
        }
        if (r < 0)
            curl_warn(c, "failed to save cookies in %.*s", STR_ARG(c->jar_file));
    }
    buf_fini(&b);
    return r < 0 ? r : 0;
}

void curl_jar_fini(struct curl *c) { vec_fini(&c->p->kernel->heap, &c->jar.list); }

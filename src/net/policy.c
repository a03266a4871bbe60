/* policy.c -- which requests may leave, and which secrets go with them */
#include "net/policy.h"

#include "base/utf8.h"

static bool policy_same(struct str a, struct str b)
{
    for (size_t i = 0; i < a.n && a.n == b.n; i++)
        if (ascii_to_lower((unsigned char)a.p[i]) != ascii_to_lower((unsigned char)b.p[i]))
            return false;
    return a.n == b.n;
}

/* Whether the method is one of the words. */
static bool policy_method(struct str methods, struct str method)
{
    methods = methods.n ? methods : STR("GET HEAD");
    while (methods.n > 0) {
        size_t n = 0;
        while (n < methods.n && methods.p[n] != ' ' && methods.p[n] != ',')
            n++;
        struct str word = str_sub(methods, 0, n);
        if (str_eqz(word, "*") || (word.n > 0 && policy_same(word, method)))
            return true;
        methods = str_from(methods, n + 1);
    }
    return false;
}

/* A path covers itself and what is below it; /v1 does not cover /v10. TM-NET-1 */
static bool policy_covers(struct str prefix, struct str path)
{
    if (!str_starts(path, prefix))
        return false;
    return path.n == prefix.n || prefix.p[prefix.n - 1] == '/' || path.p[prefix.n] == '/';
}

/* 1: the rule is about this URL, 0: it is not. */
static int policy_match(struct arena *a, struct str prefix, const struct url *u,
                        struct hob_error *err)
{
    static const char star[] = "://*.";
    struct url want;
    struct buf b;
    ptrdiff_t at = str_find(prefix, str_z(star));
    buf_init(&b, a->heap);
    buf_str(&b, prefix);
    if (at >= 0)
        buf_del(&b, (size_t)at + 3, 2);
    int r = url_parse(a, buf_get(&b), &want, err);
    buf_fini(&b);
    if (r < 0)
        return r;
    bool host = str_eq(want.host, u->host);
    if (at >= 0)
        host = u->host.n > want.host.n + 1 && str_ends(u->host, want.host) &&
               u->host.p[u->host.n - want.host.n - 1] == '.';
    return host && str_eq(want.scheme, u->scheme) && want.port == u->port &&
           policy_covers(want.path, u->path);
}

static int policy_rules(const struct policy *p, struct arena *a, struct str method,
                        const struct url *u, const char **reason, struct hob_error *err)
{
    *reason = "no rule";
    for (size_t i = 0; i < p->nrules; i++) {
        struct arena_mark mark = arena_mark(a);
        int r = policy_match(a, p->rules[i].prefix, u, err);
        arena_release(a, mark);
        if (r < 0)
            return r;
        if (r == 0)
            continue;
        if (policy_method(p->rules[i].methods, method)) {
            *reason = "rule";
            return 1;
        }
        *reason = "method";
    }
    return 0;
}

/* The headers for exactly this host. */
static int policy_secrets(const struct policy *p, struct arena *a, const struct url *u,
                          struct http_header **headers, size_t *n)
{
    *n = 0;
    *headers = arena_array(a, struct http_header, p->nsecrets + 1);
    if (!*headers)
        return HOB_ENOMEM;
    for (size_t i = 0; i < p->nsecrets; i++) {
        const struct policy_secret *s = &p->secrets[i];
        if (policy_same(s->host, u->host) && (s->plain || str_eqz(u->scheme, "https")))
            (*headers)[(*n)++] = (struct http_header){s->name, s->value};
    }
    return 0;
}

static bool policy_is_local(struct str host)
{
    return str_eqz(host, "localhost") || str_ends(host, STR(".localhost"));
}

static int policy_allowed(const struct policy *p, struct arena *a, struct str method,
                          const struct url *u, const char **reason, struct hob_error *err)
{
    struct addr addr;
    int r = 0;
    if (p->mode == POLICY_CLOSED)
        *reason = "closed";
    else if (p->mode == POLICY_LIST)
        r = policy_rules(p, a, method, u, reason, err);
    else
        r = 1, *reason = "open";
    /* A rule that names a private address allows it: whoever wrote it knew. */
    if (r == 1 && p->mode == POLICY_OPEN && !p->private_ok &&
        (policy_is_local(u->host) || (addr_parse(u->host, &addr) && !addr_public(&addr)))) {
        *reason = "private address";
        r = 0;
    }
    return r;
}

int policy_decide(const struct policy *p, struct arena *a, struct str method, const struct url *u,
                  struct http_header **headers, size_t *nheaders, struct hob_error *err)
{
    struct policy_decision d = {.method = method, .reason = ""};
    struct url shown = *u;
    struct buf text;
    *headers = NULL;
    *nheaders = 0;
    int r = policy_allowed(p, a, method, u, &d.reason, err);
    if (r == 1)
        r = policy_secrets(p, a, u, headers, nheaders) < 0 ? HOB_ENOMEM : 1;
    if (r < 0)
        return r == HOB_ENOMEM ? error_set(err, r, "%s", error_text(r)) : r;
    shown.userinfo = STR("");
    buf_init(&text, a->heap);
    url_write(&text, &shown);
    d.url = buf_get(&text);
    d.allowed = r == 1;
    d.secrets = *nheaders;
    if (p->record)
        p->record(p->ud, &d);
    if (!d.allowed)
        error_set(err, HOB_EDENIED, "%.*s %.*s is refused by the network policy (%s)",
                  STR_ARG(method), STR_ARG(d.url), d.reason);
    buf_fini(&text);
    return d.allowed ? 0 : HOB_EDENIED;
}

int policy_address(const struct policy *p, struct heap *h, struct str method, const struct url *u,
                   const struct addr *addr, struct hob_error *err)
{
    struct addr own;
    bool named = p->mode == POLICY_LIST && (policy_is_local(u->host) || addr_parse(u->host, &own));
    if (p->private_ok || named || addr_public(addr))
        return 0;
    if (p->record) {
        struct policy_decision d = {.method = method, .reason = "private address"};
        struct url shown = *u;
        struct buf text;
        shown.userinfo = STR("");
        buf_init(&text, h);
        url_write(&text, &shown);
        d.url = buf_get(&text);
        p->record(p->ud, &d);
        buf_fini(&text);
    }
    return error_set(err, HOB_EDENIED, "%.*s stands for a private address", STR_ARG(u->host));
}

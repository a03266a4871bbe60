/* catalog.c -- the providers and models that one agent knows, and the secrets it must hide
 *
 * A provider is a wire format, a place and a key. Four are built in; the agent's own are added or
 * change them. Keys come from the agent's env and from nowhere else.
 */
#include "agent/model.h"
#include "agent/model_wire.h"

#include "base/fmt.h"
#include "base/map.h"
#include "base/utf8.h"
#include "text/nearest.h"

/* A key this short is a placeholder ("none", "ollama"): hiding it would tear holes into texts. */
enum {
    CATALOG_SECRET_MIN = 8
};

struct catalog_provider {
    struct str id, base_url, key, key_env;
    int wire;
    const char *url_env; /* a variable that changes base_url; NULL: none */
    struct http_header *headers;
    size_t nheaders;
};

struct catalog {
    struct heap *heap;
    struct arena arena;
    VEC(struct catalog_provider) providers;
    VEC(hob_model) models; /* the agent's own; the table's come behind them */
    struct strs env;       /* "NAME=value" */
    struct strs secrets;   /* the longest first */
    struct map found;      /* full name -> struct model */
    struct model_limits limits;
    struct offline *offline;
};

static const struct catalog_builtin {
    const char *id, *base_url, *key_env, *url_env;
    int wire;
} catalog_builtins[] = {
    {"anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL",
     HOB_WIRE_ANTHROPIC},
    {"openai", "https://api.openai.com/v1", "OPENAI_API_KEY", "OPENAI_BASE_URL",
     HOB_WIRE_RESPONSES},
    {"openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", "OPENROUTER_BASE_URL",
     HOB_WIRE_CHAT},
    {"offline", "", "", "HOB_OFFLINE", HOB_WIRE_OFFLINE},
};

struct model_limits *catalog_limits(struct catalog *c) { return &c->limits; }
struct offline **catalog_offline(struct catalog *c) { return &c->offline; }

bool catalog_env(const struct catalog *c, const char *name, struct str *out)
{
    struct str want = str_z(name);
    for (size_t i = 0; i < c->env.n; i++) {
        struct str s = c->env.p[i];
        if (s.n > want.n && s.p[want.n] == '=' && str_starts(s, want)) {
            *out = str_from(s, want.n + 1);
            return true;
        }
    }
    return false;
}

/* ---- secrets ---- */

static int catalog_secret_add(struct catalog *c, struct str s)
{
    if (s.n < CATALOG_SECRET_MIN)
        return 0;
    for (size_t i = 0; i < c->secrets.n; i++)
        if (str_eq(c->secrets.p[i], s))
            return 0;
    s = arena_str(&c->arena, s);
    if (!s.p || !vec_push(c->heap, &c->secrets, s))
        return HOB_ENOMEM;
    size_t at = c->secrets.n - 1;
    for (; at > 0 && c->secrets.p[at - 1].n < s.n; at--)
        c->secrets.p[at] = c->secrets.p[at - 1];
    c->secrets.p[at] = s;
    return 0;
}

int catalog_secret(struct catalog *c, struct str secret)
{
    int r = catalog_secret_add(c, secret);
    if (r < 0)
        return r;
    /* Texts are often JSON: there a secret may be written with backslashes. */
    struct buf b;
    buf_init(&b, c->heap);
    json_quote(&b, secret);
    struct str quoted = buf_get(&b);
    r = quoted.n < 2 ? HOB_ENOMEM : catalog_secret_add(c, str_sub(quoted, 1, quoted.n - 2));
    buf_fini(&b);
    return r;
}

size_t catalog_secret_tail(const struct catalog *c, struct str text)
{
    size_t longest = 0;
    for (size_t i = 0; i < c->secrets.n; i++) {
        struct str s = c->secrets.p[i];
        for (size_t n = MIN(s.n - 1, text.n); n > longest; n--)
            if (memcmp(text.p + text.n - n, s.p, n) == 0)
                longest = n;
    }
    return longest;
}

/* In place and in one pass for each secret: what is put in is shorter than what it replaces. */
void catalog_redact(const struct catalog *c, struct buf *text)
{
    for (size_t i = 0; i < c->secrets.n; i++) {
        struct str s = c->secrets.p[i];
        size_t from = 0, to = 0;
        ptrdiff_t at;
        while ((at = str_find(str_from(buf_get(text), from), s)) >= 0) {
            memmove(text->p + to, text->p + from, (size_t)at);
            to += (size_t)at;
            memcpy(text->p + to, "***", 3);
            to += 3;
            from += (size_t)at + s.n;
        }
        if (from > 0) {
            memmove(text->p + to, text->p + from, text->n - from);
            buf_cut(text, to + text->n - from);
        }
    }
}

/* An error text has little room: a secret at its end may have been cut. What is left of it goes. */
static void catalog_redact_tail(struct str secret, char *msg, size_t room)
{
    size_t n = strlen(msg);
    if (n + 1 < room)
        return;
    for (size_t left = MIN(secret.n, n); left > 3; left--) {
        if (memcmp(msg + n - left, secret.p, left) == 0) {
            memcpy(msg + n - left, "***", 4);
            return;
        }
    }
}

void catalog_redact_error(const struct catalog *c, struct hob_error *err)
{
    /* Done in place: this must work without memory. */
    for (size_t i = 0; err && i < c->secrets.n; i++) {
        struct str s = c->secrets.p[i];
        size_t from = 0;
        ptrdiff_t at;
        catalog_redact_tail(s, err->msg, sizeof err->msg);
        while ((at = str_find(str_z(err->msg + from), s)) >= 0) {
            char *here = err->msg + from + at;
            memcpy(here, "***", 3);
            memmove(here + 3, here + s.n, strlen(here + s.n) + 1);
            from += (size_t)at + 3;
        }
    }
}

/* Whether a variable is named as secrets are. */
static bool catalog_is_secret(struct str name)
{
    static const char *const ends[] = {"_KEY", "_TOKEN", "_SECRET", "_PASSWORD", "_CREDENTIALS"};
    for (size_t i = 0; i < COUNT(ends); i++)
        if (str_ends(name, str_z(ends[i])))
            return true;
    return str_eqz(name, "PASSWORD") || str_eqz(name, "TOKEN");
}

static int catalog_env_copy(struct catalog *c, const char *const *env)
{
    for (size_t i = 0; env && env[i]; i++) {
        struct str s = arena_str(&c->arena, str_z(env[i]));
        if (!s.p || !vec_push(c->heap, &c->env, s))
            return HOB_ENOMEM;
        ptrdiff_t eq = str_chr(s, '=');
        if (eq > 0 && catalog_is_secret(str_sub(s, 0, (size_t)eq)) &&
            catalog_secret(c, str_from(s, (size_t)eq + 1)) < 0)
            return HOB_ENOMEM;
    }
    return 0;
}

/* ---- providers ---- */

static struct catalog_provider *catalog_provider(struct catalog *c, struct str id)
{
    for (size_t i = 0; i < c->providers.n; i++)
        if (str_eq(c->providers.p[i].id, id))
            return &c->providers.p[i];
    return NULL;
}

static struct str catalog_copy(struct catalog *c, const char *z)
{
    return arena_str(&c->arena, str_z(z ? z : ""));
}

/* "Name: value" lines, ended by NULL. What may be a key in them is hidden as the key is. */
static int catalog_headers(struct catalog *c, struct catalog_provider *p,
                           const char *const *headers, struct hob_error *err)
{
    size_t n = 0;
    while (headers[n])
        n++;
    p->headers = arena_array(&c->arena, struct http_header, n + 1);
    if (!p->headers)
        return HOB_ENOMEM;
    for (p->nheaders = 0; p->nheaders < n; p->nheaders++) {
        struct str line = catalog_copy(c, headers[p->nheaders]);
        ptrdiff_t colon = str_chr(line, ':');
        if (!line.p)
            return HOB_ENOMEM;
        if (colon <= 0)
            return error_set(err, HOB_EINVAL, "provider %.*s: a header is \"Name: value\"",
                             STR_ARG(p->id));
        struct str value = str_trim(str_from(line, (size_t)colon + 1));
        p->headers[p->nheaders].name = str_trim(str_sub(line, 0, (size_t)colon));
        p->headers[p->nheaders].value = value;
        if (str_starts(value, STR("Bearer ")))
            value = str_from(value, 7);
        if (catalog_secret(c, value) < 0)
            return HOB_ENOMEM;
    }
    return 0;
}

static int catalog_add_builtins(struct catalog *c)
{
    for (size_t i = 0; i < COUNT(catalog_builtins); i++) {
        const struct catalog_builtin *b = &catalog_builtins[i];
        struct catalog_provider p = {.id = str_z(b->id),
                                     .base_url = str_z(b->base_url),
                                     .key = STR(""),
                                     .key_env = str_z(b->key_env),
                                     .wire = b->wire,
                                     .url_env = b->url_env};
        struct str url;
        if (catalog_env(c, b->url_env, &url) && url.n > 0)
            p.base_url = url;
        if (!vec_push(c->heap, &c->providers, p))
            return HOB_ENOMEM;
    }
    return 0;
}

/* One of the agent's: a new one, or a change of one that is there. */
static int catalog_add_provider(struct catalog *c, const hob_provider *o, struct hob_error *err)
{
    struct str id = catalog_copy(c, o->id);
    if (!id.p)
        return HOB_ENOMEM;
    if (id.n == 0 || str_chr(id, '/') >= 0)
        return error_set(err, HOB_EINVAL, "a provider's id is empty or has a slash: \"%s\"", id.p);
    if (o->wire < HOB_WIRE_DEFAULT || o->wire > HOB_WIRE_OFFLINE)
        return error_set(err, HOB_EINVAL, "provider %s: no such wire format: %d", id.p, o->wire);
    struct catalog_provider *p = catalog_provider(c, id), fresh = {.id = id, .wire = HOB_WIRE_CHAT};
    if (!p) {
        fresh.base_url = fresh.key = fresh.key_env = STR("");
        if (!vec_push(c->heap, &c->providers, fresh))
            return HOB_ENOMEM;
        p = &c->providers.p[c->providers.n - 1];
        if (!o->base_url && o->wire != HOB_WIRE_OFFLINE)
            return error_set(err, HOB_EINVAL, "provider %s: base_url is missing", id.p);
    }
    if (o->wire)
        p->wire = o->wire;
    if (o->base_url)
        p->base_url = catalog_copy(c, o->base_url);
    if (o->key_env)
        p->key_env = catalog_copy(c, o->key_env);
    if (o->key) {
        p->key = catalog_copy(c, o->key);
        p->key_env = STR(""); /* it was handed in: none is looked for */
    }
    if (!p->base_url.p || !p->key_env.p || !p->key.p || catalog_secret(c, p->key) < 0)
        return HOB_ENOMEM;
    return o->headers ? catalog_headers(c, p, o->headers, err) : 0;
}

/* ---- making it ---- */

static int catalog_fill(struct catalog *c, const hob_agent *agent, struct hob_error *err)
{
    int r = catalog_env_copy(c, agent->env);
    r = r < 0 ? r : catalog_add_builtins(c);
    for (size_t i = 0; r == 0 && i < agent->nproviders; i++)
        r = catalog_add_provider(c, &agent->providers[i], err);
    for (size_t i = 0; r == 0 && i < agent->nmodels; i++) {
        hob_model m = agent->models[i];
        m.id = catalog_copy(c, m.id).p;
        if (!m.id || !vec_push(c->heap, &c->models, m))
            r = HOB_ENOMEM;
    }
    /* The keys that are in the env under the names that providers have for them. */
    for (size_t i = 0; r == 0 && i < c->providers.n; i++) {
        struct catalog_provider *p = &c->providers.p[i];
        if (p->key_env.n > 0 && catalog_env(c, p->key_env.p, &p->key))
            r = catalog_secret(c, p->key);
    }
    return r;
}

int catalog_new(struct heap *h, const hob_agent *agent, struct catalog **out, struct hob_error *err)
{
    struct hob_error own = {0};
    struct catalog *c = heap_new(h, struct catalog);
    *out = NULL;
    if (!c)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    c->heap = h;
    c->limits = (struct model_limits){.second_ns = INT64_C(1000000000),
                                      .retries = 3,
                                      .retry_max = 60,
                                      .reply_bytes = (size_t)64 << 20};
    arena_init(&c->arena, h);
    map_init(&c->found, h);
    int r = catalog_fill(c, agent, &own);
    if (r < 0) {
        catalog_free(c);
        return error_set(err, r, "%s", own.code == r ? own.msg : error_text(r));
    }
    *out = c;
    return 0;
}

void catalog_free(struct catalog *c)
{
    if (!c)
        return;
    offline_free(c->heap, c->offline);
    map_fini(&c->found);
    vec_fini(c->heap, &c->providers);
    vec_fini(c->heap, &c->models);
    vec_fini(c->heap, &c->env);
    vec_fini(c->heap, &c->secrets);
    arena_fini(&c->arena);
    heap_drop(c->heap, c);
}

/* ---- looking up ---- */

static int catalog_unknown(struct catalog *c, struct str provider, struct hob_error *err)
{
    char known[160] = "";
    struct str names[32], near;
    size_t n = 0, count = 0;
    for (size_t i = 0; i < c->providers.n; i++) {
        struct str id = c->providers.p[i].id;
        if (count < COUNT(names))
            names[count++] = id;
        if (n + id.n + 3 < sizeof known)
            n += fmt_print(known + n, sizeof known - n, "%s%.*s", n ? ", " : "", STR_ARG(id));
    }
    if (nearest_find(provider, names, count, &near))
        return error_set(err, HOB_ENOENT, "unknown provider \"%.*s\"; did you mean %.*s?",
                         STR_ARG(provider), STR_ARG(near));
    return error_set(err, HOB_ENOENT, "unknown provider \"%.*s\" (known: %s)", STR_ARG(provider),
                     known);
}

/* "-20250514", "-2025-05-14" or "-latest": another name of the model before it. */
static bool catalog_is_date(struct str s)
{
    if (str_eqz(s, "-latest"))
        return true;
    const char *shape = s.n == 9 ? "-########" : s.n == 11 ? "-####-##-##" : "";
    for (size_t i = 0; shape[i]; i++)
        if (shape[i] == '#' ? !ascii_digit((unsigned char)s.p[i]) : s.p[i] != shape[i])
            return false;
    return *shape != '\0';
}

/* The row for a model: its own, else that of the model it is a dated form of. */
static const hob_model *catalog_row(struct catalog *c, struct str full)
{
    const hob_model *dated = NULL;
    size_t ntable;
    const hob_model *table = hob_models(&ntable);
    for (size_t i = 0; i < c->models.n + ntable; i++) {
        const hob_model *row =
            i < c->models.n ? &c->models.p[c->models.n - 1 - i] : &table[i - c->models.n];
        struct str id = str_z(row->id);
        if (str_eq(id, full))
            return row;
        if (!dated && str_starts(full, id) && catalog_is_date(str_from(full, id.n)))
            dated = row;
    }
    return dated;
}

static struct model *catalog_make(struct catalog *c, const struct catalog_provider *p,
                                  struct str name, size_t slash)
{
    struct model *m = arena_new(&c->arena, struct model);
    struct str full = arena_str(&c->arena, name);
    if (!m || !full.p)
        return NULL;
    m->full = full;
    m->provider = str_sub(full, 0, slash);
    m->id = str_from(full, slash + 1);
    m->wire = p->wire;
    m->base_url = p->base_url;
    m->key = p->key;
    m->key_env = p->key_env;
    m->headers = p->headers;
    m->nheaders = p->nheaders;
    m->images = true; /* unless the table knows better, the provider decides */
    m->thinking = wire_thinks(m->id);
    m->ca_file = m->proxy = m->no_proxy = STR("");
    catalog_env(c, "SSL_CERT_FILE", &m->ca_file);
    bool plain = str_starts(m->base_url, STR("http:"));
    if (!catalog_env(c, plain ? "http_proxy" : "HTTPS_PROXY", &m->proxy) && !plain)
        catalog_env(c, "https_proxy", &m->proxy);
    if (!catalog_env(c, "NO_PROXY", &m->no_proxy))
        catalog_env(c, "no_proxy", &m->no_proxy);
    const hob_model *row = catalog_row(c, full);
    if (row) {
        m->window = row->window;
        m->output = row->output;
        m->price_input = row->price_input;
        m->price_output = row->price_output;
        m->price_cache_read = row->price_cache_read;
        m->price_cache_write = row->price_cache_write;
        m->thinking = row->thinking != 0;
        m->images = row->images != 0;
    }
    return m;
}

int catalog_find(struct catalog *c, struct str name, const struct model **out,
                 struct hob_error *err)
{
    *out = map_value(&c->found, name);
    if (*out)
        return 0;
    ptrdiff_t slash = str_chr(name, '/');
    if (slash <= 0 || (size_t)slash + 1 == name.n)
        return error_set(err, HOB_EINVAL, "a model is \"provider/model-id\", not \"%.*s\"",
                         STR_ARG(name));
    struct catalog_provider *p = catalog_provider(c, str_sub(name, 0, (size_t)slash));
    if (!p)
        return catalog_unknown(c, str_sub(name, 0, (size_t)slash), err);
    struct model *m = catalog_make(c, p, name, (size_t)slash);
    void **at = m ? map_put(&c->found, name) : NULL;
    if (!at)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    *at = m;
    *out = m;
    return 0;
}

/* config_net.c -- the key `network`: what may leave a sandbox
 *
 *     network: closed                  or open
 *     network:
 *       allow:
 *         - https://api.github.com/repos
 *         - {url: https://api.example.com/v1, methods: [GET, POST]}
 *       secrets:
 *         - {host: api.github.com, header: Authorization, value: "Bearer ${GITHUB_TOKEN}"}
 *       private: false
 */
#include "agent/config.h"

/* Setters find what they fill here. */
struct config_net {
    struct config_reader r; /* first */
    hob_network *out;
};

static hob_network *config_net_of(struct config_reader *r) { return ((struct config_net *)r)->out; }

static int config_net_no_memory(struct config_reader *r)
{
    return error_set(r->err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
}

static int config_net_mode(struct config_reader *r, const struct json *v)
{
    static const char *const modes[] = {"closed", "list", "open"};
    return config_choice(r, v, modes, COUNT(modes), &config_net_of(r)->mode);
}

static int config_net_private(struct config_reader *r, const struct json *v)
{
    return config_bool(r, v, &config_net_of(r)->allow_private);
}

static int config_net_ca_file(struct config_reader *r, const struct json *v)
{
    const char *path;
    int code = config_string(r, v, &path);
    if (code < 0)
        return code;
    config_net_of(r)->ca_file = config_path(r->config, str_z(path)).p;
    return config_net_of(r)->ca_file ? 0 : config_net_no_memory(r);
}

/* ---- rules ---- */

static hob_net_rule *config_net_rule(struct config_reader *r)
{
    hob_network *n = config_net_of(r);
    return (hob_net_rule *)(uintptr_t)&n->rules[n->nrules];
}

static int config_net_url(struct config_reader *r, const struct json *v)
{
    int code = config_string(r, v, &config_net_rule(r)->prefix);
    if (code == 0 && !strstr(config_net_rule(r)->prefix, "://"))
        return config_bad(r, v, "expected the begin of a URL, such as https://api.example.com/v1");
    return code;
}

static int config_net_methods(struct config_reader *r, const struct json *v)
{
    struct buf b;
    int code = 0;

    buf_init(&b, r->config->heap);
    if (v->kind == JSON_STRING)
        buf_str(&b, str_eqz(v->text, "all") ? STR("*") : v->text);
    for (const struct json *x = v->kind == JSON_ARRAY ? v->first : NULL; x && code == 0;
         x = x->next) {
        if (x->kind != JSON_STRING)
            code = config_bad(r, x, "expected a method such as POST");
        buf_addz(&b, b.n ? " " : "");
        buf_str(&b, x->text);
    }
    if (code == 0 && b.n == 0)
        code = config_bad(r, v, "expected methods such as [GET, POST], or all");
    if (code == 0) {
        config_net_rule(r)->methods = arena_str(&r->config->arena, buf_get(&b)).p;
        code = config_net_rule(r)->methods ? 0 : config_net_no_memory(r);
    }
    buf_fini(&b);
    return code;
}

static int config_net_allow(struct config_reader *r, const struct json *v)
{
    static const struct config_key keys[] = {{"url", config_net_url},
                                             {"methods", config_net_methods}};
    hob_network *n = config_net_of(r);

    if (v->kind != JSON_ARRAY)
        return config_bad(r, v, "expected a list of URLs");
    n->rules = arena_array(&r->config->arena, hob_net_rule, v->n + 1);
    if (!n->rules)
        return config_net_no_memory(r);
    for (const struct json *x = v->first; x; x = x->next, n->nrules++) {
        int code =
            x->kind == JSON_STRING ? config_net_url(r, x) : config_each(r, x, keys, COUNT(keys));
        if (code < 0)
            return code;
        if (!config_net_rule(r)->prefix)
            return config_bad(r, x, "url is missing");
    }
    return 0;
}

/* ---- secrets ---- */

static hob_net_secret *config_net_secret(struct config_reader *r)
{
    hob_network *n = config_net_of(r);
    return (hob_net_secret *)(uintptr_t)&n->secrets[n->nsecrets];
}

static int config_net_host(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &config_net_secret(r)->host);
}

static int config_net_header(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &config_net_secret(r)->header);
}

static int config_net_plain(struct config_reader *r, const struct json *v)
{
    return config_bool(r, v, &config_net_secret(r)->plain);
}

static int config_net_value(struct config_reader *r, const struct json *v)
{
    const char *text;
    int code = config_string(r, v, &text);
    if (code == 0 && !strstr(text, "${"))
        return config_bad(r, v, "a secret does not belong into a file; name a variable: ${NAME}");
    return code < 0 ? code : config_expand(r, v, &config_net_secret(r)->value);
}

static int config_net_secrets(struct config_reader *r, const struct json *v)
{
    static const struct config_key keys[] = {{"host", config_net_host},
                                             {"header", config_net_header},
                                             {"value", config_net_value},
                                             {"plain", config_net_plain}};
    hob_network *n = config_net_of(r);

    if (v->kind != JSON_ARRAY)
        return config_bad(r, v, "expected a list of secrets");
    n->secrets = arena_array(&r->config->arena, hob_net_secret, v->n + 1);
    if (!n->secrets)
        return config_net_no_memory(r);
    for (const struct json *x = v->first; x; x = x->next, n->nsecrets++) {
        int code = config_each(r, x, keys, COUNT(keys));
        if (code < 0)
            return code;
        const hob_net_secret *s = config_net_secret(r);
        if (!s->host || !s->header || !s->value)
            return config_bad(r, x, "%s is missing",
                              !s->host     ? "host"
                              : !s->header ? "header"
                                           : "value");
    }
    return 0;
}

int config_network(struct config_reader *r, const struct json *v, hob_network *out)
{
    static const struct config_key keys[] = {{"mode", config_net_mode},
                                             {"allow", config_net_allow},
                                             {"secrets", config_net_secrets},
                                             {"private", config_net_private},
                                             {"ca_file", config_net_ca_file}};
    struct config_net n = {.r = *r, .out = out};

    if (v->kind != JSON_OBJECT)
        return config_net_mode(&n.r, v);
    out->mode = json_get(v, "allow") ? HOB_NET_LIST : HOB_NET_CLOSED;
    return config_each(&n.r, v, keys, COUNT(keys));
}

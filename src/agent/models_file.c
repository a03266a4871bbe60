/* models_file.c -- providers and models from a JSON file
 *
 *
 * {
 *
 *
 * "providers": {"local": {"api": "openai-completions", "baseUrl": "http://localhost:8080/v1"}},
 *
 *
 * "models": {"local/qwen": {"window": 32768, "price": {"input": 0.1, "output": 0.4}}}
 *
 *
 * }
 *
 *
 * A key that is not known is an error, because it is a misspelt one: a window that is not read
 * would be found out when a conversation overflows.
 */
#include "agent/model.h"

#include "text/nearest.h"
#include "text/number.h"

/* Where a fault is, for the text of the error: "models.local/qwen". */
struct models_place {
    struct str section, name;
};

static int models_fault(const struct models_place *at, struct str key, const char *what,
                        struct hob_error *err)
{
    return error_set(err, HOB_EINVAL, "%.*s%s%.*s%s%.*s: %s", STR_ARG(at->section),
                     at->name.n ? "." : "", STR_ARG(at->name), key.n ? "." : "", STR_ARG(key),
                     what);
}

/* Every member is one of the names, which are parted by blanks. */
static int models_keys(const struct json *v, const char *names, const struct models_place *at,
                       struct hob_error *err)
{
    struct str known[16], rest = str_z(names), near;
    size_t n = 0;
    if (!v || v->kind != JSON_OBJECT)
        return models_fault(at, STR(""), "an object is wanted", err);
    while (rest.n > 0 && n < COUNT(known)) {
        ptrdiff_t blank = str_chr(rest, ' ');
        known[n++] = blank < 0 ? rest : str_sub(rest, 0, (size_t)blank);
        rest = blank < 0 ? STR("") : str_from(rest, (size_t)blank + 1);
    }
    for (const struct json *m = v->first; m; m = m->next) {
        bool found = false;
        for (size_t i = 0; i < n; i++)
            found |= str_eq(m->key, known[i]);
        if (found)
            continue;
        if (nearest_find(m->key, known, n, &near)) {
            models_fault(at, m->key, "unknown key; did you mean ", err);
            size_t used = err ? strlen(err->msg) : 0;
            if (err && used + near.n + 2 < sizeof err->msg) {
                memcpy(err->msg + used, near.p, near.n);
                memcpy(err->msg + used + near.n, "?", 2);
            }
            return HOB_EINVAL;
        }
        return models_fault(at, m->key, "unknown key", err);
    }
    return 0;
}

/* The readers below leave *out as it is when the member is missing. */
static int models_text(const struct json *v, const char *key, const struct models_place *at,
                       const char **out, struct hob_error *err)
{
    const struct json *x = json_get(v, key);
    struct str s;
    if (!x)
        return 0;
    if (!json_string(x, &s) || strlen(s.p) != s.n)
        return models_fault(at, str_z(key), "a text is wanted", err);
    *out = s.p;
    return 0;
}

static int models_count(const struct json *v, const char *key, const struct models_place *at,
                        int64_t *out, struct hob_error *err)
{
    const struct json *x = json_get(v, key);
    if (x && (!json_int(x, out) || *out < 0))
        return models_fault(at, str_z(key), "a whole number is wanted", err);
    return 0;
}

static int models_price(const struct json *v, const char *key, const struct models_place *at,
                        double *out, struct hob_error *err)
{
    const struct json *x = json_get(v, key);
    size_t used;
    if (!x)
        return 0;
    if (x->kind != JSON_NUMBER || (*out = (double)number_parse(x->text, &used)) < 0)
        return models_fault(at, str_z(key), "a price in dollars per million tokens is wanted", err);
    return 0;
}

static int models_flag(const struct json *v, const char *key, const struct models_place *at,
                       int *out, struct hob_error *err)
{
    const struct json *x = json_get(v, key);
    if (x && x->kind != JSON_TRUE && x->kind != JSON_FALSE)
        return models_fault(at, str_z(key), "true or false is wanted", err);
    *out = json_bool(x, *out != 0);
    return 0;
}

static int models_wire(const struct json *v, const struct models_place *at, int *out,
                       struct hob_error *err)
{
    static const struct {
        const char *name;
        int wire;
    } wires[] = {{"anthropic-messages", HOB_WIRE_ANTHROPIC},
                 {"openai-responses", HOB_WIRE_RESPONSES},
                 {"openai-completions", HOB_WIRE_CHAT},
                 {"offline", HOB_WIRE_OFFLINE}};
    const char *api = NULL;
    int r = models_text(v, "api", at, &api, err);
    if (r < 0 || !api)
        return r;
    for (size_t i = 0; i < COUNT(wires); i++) {
        if (strcmp(api, wires[i].name) == 0) {
            *out = wires[i].wire;
            return 0;
        }
    }
    return models_fault(at, STR("api"),
                        "anthropic-messages, openai-responses, openai-completions or offline", err);
}

/* {"Name": "value"} as "Name: value" lines. */
static int models_headers(struct arena *a, const struct json *v, const struct models_place *at,
                          hob_provider *p, struct hob_error *err)
{
    const struct json *headers = json_get(v, "headers");
    if (!headers)
        return 0;
    if (headers->kind != JSON_OBJECT)
        return models_fault(at, STR("headers"), "an object is wanted", err);
    const char **lines = arena_array(a, const char *, headers->n + 1);
    size_t n = 0;
    for (const struct json *h = headers->first; lines && h; h = h->next) {
        if (h->kind != JSON_STRING)
            return models_fault(at, h->key, "a text is wanted", err);
        lines[n] = arena_printf(a, "%s: %s", h->key.p, h->text.p).p;
        if (!lines[n++])
            return HOB_ENOMEM;
    }
    p->headers = lines;
    return lines ? 0 : HOB_ENOMEM;
}

static int models_provider(struct arena *a, const struct json *v, hob_provider *p,
                           struct hob_error *err)
{
    struct models_place at = {STR("providers"), v->key};
    p->id = v->key.p;
    int r = models_keys(v, "api baseUrl key keyEnv headers", &at, err);
    r = r < 0 ? r : models_wire(v, &at, &p->wire, err);
    r = r < 0 ? r : models_text(v, "baseUrl", &at, &p->base_url, err);
    r = r < 0 ? r : models_text(v, "key", &at, &p->key, err);
    r = r < 0 ? r : models_text(v, "keyEnv", &at, &p->key_env, err);
    return r < 0 ? r : models_headers(a, v, &at, p, err);
}

static int models_model(const struct json *v, hob_model *m, struct hob_error *err)
{
    struct models_place at = {STR("models"), v->key};
    const struct json *price = json_get(v, "price");
    m->id = v->key.p;
    m->images = 1;
    if (str_chr(v->key, '/') <= 0)
        return models_fault(&at, STR(""), "a model is named \"provider/model-id\"", err);
    int r = models_keys(v, "window output price thinking images", &at, err);
    r = r < 0 ? r : models_count(v, "window", &at, &m->window, err);
    r = r < 0 ? r : models_count(v, "output", &at, &m->output, err);
    r = r < 0 ? r : models_flag(v, "thinking", &at, &m->thinking, err);
    r = r < 0 ? r : models_flag(v, "images", &at, &m->images, err);
    if (r < 0 || !price)
        return r;
    r = models_keys(price, "input output cacheRead cacheWrite", &at, err);
    r = r < 0 ? r : models_price(price, "input", &at, &m->price_input, err);
    r = r < 0 ? r : models_price(price, "output", &at, &m->price_output, err);
    r = r < 0 ? r : models_price(price, "cacheRead", &at, &m->price_cache_read, err);
    return r < 0 ? r : models_price(price, "cacheWrite", &at, &m->price_cache_write, err);
}

int models_file_parse(struct arena *a, struct str json, struct models_file *out,
                      struct hob_error *err)
{
    struct json *v = NULL;
    struct models_place top = {STR("models file"), STR("")};
    memset(out, 0, sizeof *out);
    int r = json_parse(a, json, 50, &v, err);
    r = r < 0 ? r : models_keys(v, "providers models", &top, err);
    if (r < 0)
        return r;
    const struct json *providers = json_get(v, "providers"), *models = json_get(v, "models");
    if ((providers && providers->kind != JSON_OBJECT) || (models && models->kind != JSON_OBJECT))
        return models_fault(&top, STR(""), "providers and models are objects", err);
    out->providers = arena_array(a, hob_provider, (providers ? providers->n : 0) + 1);
    out->models = arena_array(a, hob_model, (models ? models->n : 0) + 1);
    if (!out->providers || !out->models)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    for (const struct json *x = providers ? providers->first : NULL; x && r == 0; x = x->next)
        r = models_provider(a, x, &out->providers[out->nproviders++], err);
    for (const struct json *x = models ? models->first : NULL; x && r == 0; x = x->next)
        r = models_model(x, &out->models[out->nmodels++], err);
    return r == HOB_ENOMEM ? error_set(err, r, "%s", error_text(r)) : r;
}

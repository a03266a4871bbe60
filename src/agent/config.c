/* config.c -- reading agents/NAME.md: every key of an agent, checked
 *
 * One table row per key. What is wrong is said with file, line and key, and a key that is not known
 * with the nearest one that is: a setting that is silently ignored is the worst kind of mistake.
 */
#include "agent/config.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/tool.h"
#include "base/utf8.h"
#include "text/nearest.h"
#include "text/number.h"

enum {
    CONFIG_FILE = 64 << 20, /* bytes of one file */
    CONFIG_NESTED = 4       /* agents below agents */
};

static int config_no_memory(struct hob_error *err)
{
    return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
}

/* ---- files ----------------------------------------------------------------------------------- */

int config_slurp(const char *path, struct buf *out)
{
    char piece[16384];
    struct stat st;
    size_t n;
    FILE *f = fopen(path, "rbe");

    if (!f)
        return -errno;
    if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode)) {
        fclose(f);
        return HOB_EISDIR;
    }
    while ((n = fread(piece, 1, sizeof piece, f)) > 0 && out->n <= CONFIG_FILE)
        buf_add(out, piece, n);
    int bad = ferror(f);
    fclose(f);
    return bad ? HOB_EIO : out->n > CONFIG_FILE ? HOB_EFBIG : out->heap->oom ? HOB_ENOMEM : 0;
}

struct str config_path(struct config *c, struct str path)
{
    if (path.n && path.p[0] == '/')
        return arena_str(&c->arena, path);
    if (str_starts(path, STR("./")))
        path = str_from(path, 2);
    return arena_printf(&c->arena, "%.*s/%.*s", STR_ARG(c->root), STR_ARG(path));
}

/* Names become parts of paths. */
static bool config_name_ok(struct str name)
{
    if (name.n == 0 || name.n > 64 || !ascii_alnum(name.p[0]))
        return false;
    for (size_t i = 0; i < name.n; i++) {
        if (!ascii_alnum(name.p[i]) && name.p[i] != '_' && name.p[i] != '-' && name.p[i] != '.')
            return false;
    }
    return true;
}

int config_text(struct config *c, const char *folder, struct str name, const char *suffix,
                struct str *path, struct buf *text, struct hob_error *err)
{
    if (!config_name_ok(name))
        return error_set(err, HOB_EINVAL, "\"%.*s\" is no name", STR_ARG(str_sub(name, 0, 100)));
    *path = arena_printf(&c->arena, "%.*s/%s/%.*s%s", STR_ARG(c->source), folder, STR_ARG(name),
                         suffix);
    if (!path->p)
        return config_no_memory(err);
    int r = config_slurp(path->p, text);
    return r < 0 ? error_set(err, r, "%s: %s", path->p, error_text(r)) : 0;
}

static int config_by_name(const void *a, const void *b, void *ud)
{
    (void)ud;
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

int config_names(struct config *c, const char *folder, const char *suffix, struct strs *out)
{
    struct str path = arena_printf(&c->arena, "%.*s/%s", STR_ARG(c->source), folder);
    struct str end = str_z(suffix);
    size_t cap = 0;

    *out = (struct strs){0};
    DIR *d = path.p ? opendir(path.p) : NULL;
    for (struct dirent *e; d && (e = readdir(d));) {
        struct str name = str_z(e->d_name);
        if (name.p[0] == '.' || !str_ends(name, end) || name.n <= end.n)
            continue;
        if (out->n == cap) {
            size_t more = cap ? cap * 2 : 16;
            void *p = arena_grow(&c->arena, out->p, cap * sizeof *out->p, more * sizeof *out->p);
            if (!p)
                break;
            out->p = p;
            cap = more;
        }
        out->p[out->n] = arena_str(&c->arena, str_sub(name, 0, name.n - end.n));
        out->n += out->p[out->n].p != NULL;
    }
    if (d)
        closedir(d);
    if (c->heap->oom)
        return HOB_ENOMEM;
    return out->n ? sort_stable(c->heap, out->p, out->n, sizeof *out->p, config_by_name, NULL) : 0;
}

int config_missing(struct config *c, const char *what, const char *folder, const char *suffix,
                   struct str name, struct hob_error *err)
{
    struct strs names;
    struct str near;
    int r = config_names(c, folder, suffix, &names);

    if (r < 0)
        return config_no_memory(err);
    if (nearest_find(name, names.p, names.n, &near))
        return error_set(err, HOB_ENOENT, "there is no %s \"%.*s\"; did you mean \"%.*s\"?", what,
                         STR_ARG(str_sub(name, 0, 64)), STR_ARG(near));
    return error_set(err, HOB_ENOENT, "there is no %s \"%.*s\" (%.*s/%s/%.*s%s)", what,
                     STR_ARG(str_sub(name, 0, 40)), STR_ARG(str_sub(c->source, 0, 100)), folder,
                     STR_ARG(str_sub(name, 0, 40)), suffix);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* sandbox.limits.memory, tools[2].name: the way to a value. */
static void config_where(struct buf *b, const struct json *v)
{
    const struct json *up[32];
    size_t n = 0;

    for (; v && v->parent && n < COUNT(up); v = v->parent)
        up[n++] = v;
    while (n-- > 0) {
        if (up[n]->parent->kind == JSON_ARRAY) {
            size_t i = 0;
            for (const struct json *x = up[n]->parent->first; x != up[n]; x = x->next)
                i++;
            buf_printf(b, "[%zu]", i);
        } else {
            buf_addz(b, b->n ? "." : "");
            buf_str(b, str_sub(up[n]->key, 0, 60));
        }
    }
}

int config_bad(struct config_reader *r, const struct json *v, const char *fmt, ...)
{
    struct buf where, text;
    va_list ap;

    buf_init(&where, r->config->heap);
    buf_init(&text, r->config->heap);
    config_where(&where, v);
    va_start(ap, fmt);
    buf_vprintf(&text, fmt, ap);
    va_end(ap);
    int code = error_set(r->err, HOB_EINVAL, "%s:%d: %s%s%s", r->file, frontmatter_line(v),
                         buf_get(&where).p, where.n ? ": " : "", buf_get(&text).p);
    buf_fini(&text);
    buf_fini(&where);
    return code;
}

int config_each(struct config_reader *r, const struct json *map, const struct config_key *keys,
                size_t n)
{
    struct str names[40], near;

    if (map->kind != JSON_OBJECT)
        return config_bad(r, map, "expected settings of its own (name: value)");
    for (size_t i = 0; i < n && i < COUNT(names); i++)
        names[i] = str_z(keys[i].name);
    for (const struct json *v = map->first; v; v = v->next) {
        size_t i = 0;
        while (i < n && !str_eqz(v->key, keys[i].name))
            i++;
        if (i == n) {
            if (nearest_find(v->key, names, n, &near))
                return config_bad(r, v, "unknown key; did you mean \"%.*s\"?", STR_ARG(near));
            return config_bad(r, v, "unknown key");
        }
        int code = keys[i].set(r, v);
        if (code < 0)
            return code;
    }
    return 0;
}

int config_string(struct config_reader *r, const struct json *v, const char **out)
{
    if (v->kind != JSON_STRING && v->kind != JSON_NUMBER)
        return config_bad(r, v, "expected a text");
    if (v->text.n && memchr(v->text.p, 0, v->text.n))
        return config_bad(r, v, "a NUL byte in the text");
    *out = v->text.p;
    return 0;
}

int config_bool(struct config_reader *r, const struct json *v, int *out)
{
    if (v->kind != JSON_TRUE && v->kind != JSON_FALSE)
        return config_bad(r, v, "expected true or false");
    *out = v->kind == JSON_TRUE;
    return 0;
}

int config_count(struct config_reader *r, const struct json *v, int64_t *out)
{
    if (!json_int(v, out) || *out < 0)
        return config_bad(r, v, "expected a whole number, 0 or more");
    return 0;
}

int config_real(struct config_reader *r, const struct json *v, double *out)
{
    size_t used;
    if (v->kind != JSON_NUMBER)
        return config_bad(r, v, "expected a number");
    *out = (double)number_parse(v->text, &used);
    return 0;
}

int config_bytes(struct config_reader *r, const struct json *v, uint64_t *out)
{
    static const char units[] = "KMGT";
    size_t used;
    double n;

    if (v->kind == JSON_STRING && str_eqz(v->text, "unlimited")) {
        *out = HOB_UNLIMITED;
        return 0;
    }
    if (v->kind != JSON_STRING && v->kind != JSON_NUMBER)
        return config_bad(r, v, "expected a size such as 64M");
    n = (double)number_parse(v->text, &used);
    struct str unit = str_from(v->text, used);
    const char *u = unit.n ? strchr(units, ascii_to_upper(unit.p[0])) : NULL;
    bool ok = used > 0 && n > 0 && (unit.n == 0 || (u && *u));
    if (unit.n > 1 && !str_eqz(str_from(unit, 1), "iB") && !str_eqz(str_from(unit, 1), "B"))
        ok = false;
    for (ptrdiff_t i = 0; ok && u && i <= u - units; i++)
        n *= 1024;
    if (!ok || n >= 9e18)
        return config_bad(r, v, "expected a size such as 64M");
    *out = (uint64_t)n;
    return 0;
}

int config_list(struct config_reader *r, const struct json *v, const char *const **out)
{
    if (v->kind != JSON_ARRAY)
        return config_bad(r, v, "expected a list");
    const char **list = arena_array(&r->config->arena, const char *, v->n + 1);
    size_t n = 0;
    if (!list)
        return config_no_memory(r->err);
    for (const struct json *x = v->first; x; x = x->next) {
        int code = config_string(r, x, &list[n++]);
        if (code < 0)
            return code;
    }
    *out = list;
    return 0;
}

int config_choice(struct config_reader *r, const struct json *v, const char *const *names, size_t n,
                  int *out)
{
    struct buf b;
    /* YAML takes a plain `off` for text and `false` for a truth; both are meant here. */
    struct str text = v->kind == JSON_FALSE ? STR("off") : v->text;

    for (size_t i = 0; i < n; i++) {
        if ((v->kind == JSON_STRING || v->kind == JSON_FALSE) && str_eqz(text, names[i])) {
            *out = (int)i;
            return 0;
        }
    }
    buf_init(&b, r->config->heap);
    for (size_t i = 0; i < n; i++)
        buf_printf(&b, "%s%s", i == 0 ? "" : i + 1 == n ? " or " : ", ", names[i]);
    int code = config_bad(r, v, "expected %s", buf_get(&b).p);
    buf_fini(&b);
    return code;
}

int config_json(struct config_reader *r, const struct json *v, const char **out)
{
    struct buf b;
    buf_init(&b, r->config->heap);
    if (v->kind == JSON_STRING)
        buf_str(&b, v->text);
    else
        json_write(&b, v);
    *out = arena_str(&r->config->arena, buf_get(&b)).p;
    buf_fini(&b);
    return *out ? 0 : config_no_memory(r->err);
}

/* ---- the keys of an agent -------------------------------------------------------------------- */

static hob_agent *config_of(struct config_reader *r) { return &((struct config_agent *)r->out)->o; }

static int config_set_name(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &config_of(r)->name);
}

static int config_set_description(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &config_of(r)->description);
}

static int config_set_model(struct config_reader *r, const struct json *v)
{
    int code;
    if (v->kind == JSON_FALSE || v->kind == JSON_NULL)
        return 0; /* every call names one */
    code = config_string(r, v, &config_of(r)->model);
    if (code == 0 && !strchr(config_of(r)->model, '/'))
        return config_bad(r, v, "expected provider/model-id, such as anthropic/claude-sonnet-4-6");
    return code;
}

static int config_set_cwd(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &config_of(r)->cwd);
}

static int config_set_builtin(struct config_reader *r, const struct json *v)
{
    return config_list(r, v, &config_of(r)->builtin);
}

static int config_set_thinking(struct config_reader *r, const struct json *v)
{
    static const char *const levels[] = {"off", "minimal", "low", "medium", "high", "xhigh"};
    int n, code = config_choice(r, v, levels, COUNT(levels), &n);
    if (code == 0)
        config_of(r)->thinking = HOB_THINK_OFF + n;
    return code;
}

static int config_set_store(struct config_reader *r, const struct json *v)
{
    const char *path;
    int code = config_string(r, v, &path);
    if (code < 0)
        return code;
    config_of(r)->store = config_path(r->config, str_z(path)).p;
    return config_of(r)->store ? 0 : config_no_memory(r->err);
}

static int config_set_result(struct config_reader *r, const struct json *v)
{
    struct result check;
    struct hob_error why = {0};
    const char **out = &((struct config_agent *)r->out)->result;
    int code = config_json(r, v, out);
    if (code == 0 && result_init(&check, &r->config->arena, *out, &why) < 0)
        return config_bad(r, v, "%s", why.msg);
    return code;
}

/* compaction: off, or its numbers. */
static int config_compact_reserve(struct config_reader *r, const struct json *v)
{
    return config_count(r, v, &config_of(r)->compaction.reserve);
}
static int config_compact_keep(struct config_reader *r, const struct json *v)
{
    return config_count(r, v, &config_of(r)->compaction.keep);
}
static int config_compact_model(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &config_of(r)->compaction.model);
}

static int config_set_compaction(struct config_reader *r, const struct json *v)
{
    static const struct config_key keys[] = {{"reserve", config_compact_reserve},
                                             {"keep", config_compact_keep},
                                             {"model", config_compact_model}};
    if (v->kind == JSON_FALSE || (v->kind == JSON_STRING && str_eqz(v->text, "off"))) {
        config_of(r)->compaction.off = 1;
        return 0;
    }
    return v->kind == JSON_TRUE ? 0 : config_each(r, v, keys, COUNT(keys));
}

/* ---- tools ---- */

static hob_tool *config_tool(struct config_reader *r)
{
    hob_agent *o = config_of(r);
    return (hob_tool *)(uintptr_t)&o->tools[o->ntools];
}
static int config_tool_name(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &config_tool(r)->name);
}
static int config_tool_description(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &config_tool(r)->description);
}
static int config_tool_command(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &config_tool(r)->command);
}
static int config_tool_parameters(struct config_reader *r, const struct json *v)
{
    struct schema *compiled;
    struct hob_error why = {0};
    if (v->kind != JSON_OBJECT)
        return config_bad(r, v, "expected a JSON Schema");
    int code = schema_compile(&r->config->arena, v, &compiled, &why);
    if (code < 0)
        return config_bad(r, v, "%s", why.msg);
    return config_json(r, v, &config_tool(r)->schema);
}
static int config_tool_timeout(struct config_reader *r, const struct json *v)
{
    double s = 0;
    int code = config_real(r, v, &s);
    if (code == 0 && !(s > 0 && s < 9e9))
        return config_bad(r, v, "expected a number of seconds");
    if (code == 0)
        config_tool(r)->timeout_ns = (int64_t)(s * 1e9);
    return code;
}

static int config_set_tools(struct config_reader *r, const struct json *v)
{
    static const struct config_key keys[] = {{"name", config_tool_name},
                                             {"description", config_tool_description},
                                             {"command", config_tool_command},
                                             {"parameters", config_tool_parameters},
                                             {"timeout", config_tool_timeout}};
    hob_agent *o = config_of(r);

    if (v->kind != JSON_ARRAY)
        return config_bad(r, v, "expected a list of tools");
    o->tools = arena_array(&r->config->arena, hob_tool, v->n + 1);
    if (!o->tools)
        return config_no_memory(r->err);
    for (const struct json *x = v->first; x; x = x->next, o->ntools++) {
        int code = config_each(r, x, keys, COUNT(keys));
        if (code < 0)
            return code;
        if (!config_tool(r)->name || !config_tool(r)->command)
            return config_bad(r, x, "%s is missing", config_tool(r)->name ? "command" : "name");
    }
    return 0;
}

/* ---- providers and models ---- */

static hob_provider *config_provider(struct config_reader *r)
{
    hob_agent *o = config_of(r);
    return (hob_provider *)(uintptr_t)&o->providers[o->nproviders];
}
static int config_provider_wire(struct config_reader *r, const struct json *v)
{
    static const char *const names[] = {"anthropic", "responses", "chat", "offline"};
    int n, code = config_choice(r, v, names, COUNT(names), &n);
    if (code == 0)
        config_provider(r)->wire = HOB_WIRE_ANTHROPIC + n;
    return code;
}
static int config_provider_url(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &config_provider(r)->base_url);
}
static int config_provider_key(struct config_reader *r, const struct json *v)
{
    return config_bad(r, v, "a key does not belong into a file; name its variable with key_env");
}
static int config_provider_key_env(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &config_provider(r)->key_env);
}
static int config_provider_headers(struct config_reader *r, const struct json *v)
{
    const char **list = arena_array(&r->config->arena, const char *, v->n + 1);
    size_t n = 0;
    if (v->kind != JSON_OBJECT)
        return config_bad(r, v, "expected lines of \"Name: value\"");
    if (!list)
        return config_no_memory(r->err);
    for (const struct json *x = v->first; x; x = x->next) {
        const char *text;
        int code = config_string(r, x, &text);
        if (code < 0)
            return code;
        list[n] = arena_printf(&r->config->arena, "%.*s: %s", STR_ARG(x->key), text).p;
        if (!list[n++])
            return config_no_memory(r->err);
    }
    config_provider(r)->headers = list;
    return 0;
}

/* A script of replies is a file of the project. */
static int config_provider_settle(struct config_reader *r, hob_provider *p)
{
    bool offline = p->wire == HOB_WIRE_OFFLINE || (!p->wire && strcmp(p->id, "offline") == 0);
    if (!offline || !p->base_url)
        return 0;
    p->base_url = config_path(r->config, str_z(p->base_url)).p;
    return p->base_url ? 0 : config_no_memory(r->err);
}

static int config_set_providers(struct config_reader *r, const struct json *v)
{
    static const struct config_key keys[] = {{"wire", config_provider_wire},
                                             {"url", config_provider_url},
                                             {"key", config_provider_key},
                                             {"key_env", config_provider_key_env},
                                             {"headers", config_provider_headers}};
    hob_agent *o = config_of(r);

    if (v->kind != JSON_OBJECT)
        return config_bad(r, v, "expected names of providers with their settings");
    o->providers = arena_array(&r->config->arena, hob_provider, v->n + 1);
    if (!o->providers)
        return config_no_memory(r->err);
    for (const struct json *x = v->first; x; x = x->next, o->nproviders++) {
        config_provider(r)->id = x->key.p;
        int code = config_each(r, x, keys, COUNT(keys));
        code = code < 0 ? code : config_provider_settle(r, config_provider(r));
        if (code < 0)
            return code;
    }
    return 0;
}

static hob_model *config_model(struct config_reader *r)
{
    hob_agent *o = config_of(r);
    return (hob_model *)(uintptr_t)&o->models[o->nmodels];
}
static int config_model_window(struct config_reader *r, const struct json *v)
{
    return config_count(r, v, &config_model(r)->window);
}
static int config_model_output(struct config_reader *r, const struct json *v)
{
    return config_count(r, v, &config_model(r)->output);
}
static int config_model_thinking(struct config_reader *r, const struct json *v)
{
    return config_bool(r, v, &config_model(r)->thinking);
}
static int config_model_images(struct config_reader *r, const struct json *v)
{
    return config_bool(r, v, &config_model(r)->images);
}
static int config_price_input(struct config_reader *r, const struct json *v)
{
    return config_real(r, v, &config_model(r)->price_input);
}
static int config_price_output(struct config_reader *r, const struct json *v)
{
    return config_real(r, v, &config_model(r)->price_output);
}
static int config_price_read(struct config_reader *r, const struct json *v)
{
    return config_real(r, v, &config_model(r)->price_cache_read);
}
static int config_price_write(struct config_reader *r, const struct json *v)
{
    return config_real(r, v, &config_model(r)->price_cache_write);
}
static int config_model_price(struct config_reader *r, const struct json *v)
{
    static const struct config_key keys[] = {{"input", config_price_input},
                                             {"output", config_price_output},
                                             {"cache_read", config_price_read},
                                             {"cache_write", config_price_write}};
    return config_each(r, v, keys, COUNT(keys));
}

static int config_set_models(struct config_reader *r, const struct json *v)
{
    static const struct config_key keys[] = {{"window", config_model_window},
                                             {"output", config_model_output},
                                             {"thinking", config_model_thinking},
                                             {"images", config_model_images},
                                             {"price", config_model_price}};
    hob_agent *o = config_of(r);

    if (v->kind != JSON_OBJECT)
        return config_bad(r, v, "expected provider/model-id with its settings");
    o->models = arena_array(&r->config->arena, hob_model, v->n + 1);
    if (!o->models)
        return config_no_memory(r->err);
    for (const struct json *x = v->first; x; x = x->next, o->nmodels++) {
        if (str_chr(x->key, '/') < 0)
            return config_bad(r, x, "expected provider/model-id");
        config_model(r)->id = x->key.p;
        int code = config_each(r, x, keys, COUNT(keys));
        if (code < 0)
            return code;
    }
    return 0;
}

/* ---- subagents ---- */

/* Agents that are being read, from the innermost outwards. */
struct config_chain {
    const struct config_chain *up;
    struct str name;
    int depth;
};

struct config_agent_reader {
    struct config_reader r; /* first: setters see only this */
    const struct config_chain *chain;
};

static int config_read(struct config *c, const struct config_chain *chain,
                       struct config_agent **out, struct hob_error *err);

static int config_set_subagents(struct config_reader *r, const struct json *v)
{
    const struct config_chain *chain = ((struct config_agent_reader *)r)->chain;

    if (v->kind != JSON_ARRAY)
        return config_bad(r, v, "expected a list of names");
    const hob_agent **list = arena_array(&r->config->arena, const hob_agent *, v->n + 1);
    size_t n = 0;
    if (!list)
        return config_no_memory(r->err);
    for (const struct json *x = v->first; x; x = x->next) {
        struct config_chain next = {.up = chain, .name = x->text, .depth = chain->depth + 1};
        struct config_agent *sub;
        struct hob_error why = {0};
        if (x->kind != JSON_STRING)
            return config_bad(r, x, "expected the name of an agent");
        for (const struct config_chain *k = chain; k; k = k->up) {
            if (str_eq(k->name, x->text))
                return config_bad(r, x, "\"%.*s\" would be below itself", STR_ARG(x->text));
        }
        if (next.depth > CONFIG_NESTED)
            return config_bad(r, x, "agents nest at most %d deep", CONFIG_NESTED);
        int code = config_read(r->config, &next, &sub, &why);
        if (code == HOB_ENOENT)
            return config_bad(r, x, "%s", why.msg);
        if (code < 0) {
            *r->err = why;
            return code;
        }
        list[n++] = &sub->o;
    }
    config_of(r)->subagents = list;
    return 0;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static const struct config_key config_keys[] = {
    {"name", config_set_name},
    {"description", config_set_description},
    {"model", config_set_model},
    {"sandbox", config_sandbox},
    {"cwd", config_set_cwd},
    {"tools", config_set_tools},
    {"builtin", config_set_builtin},
    {"skills", config_skills},
    {"subagents", config_set_subagents},
    {"thinking", config_set_thinking},
    {"compaction", config_set_compaction},
    {"store", config_set_store},
    {"providers", config_set_providers},
    {"models", config_set_models},
    {"result", config_set_result},
};

/* The path as a person would name it: from the project on. */
static const char *config_display(struct config *c, struct str path)
{
    if (str_starts(path, c->root) && path.n > c->root.n + 1)
        return path.p + c->root.n + 1;
    return path.p;
}

static int config_fill(struct config *c, const struct config_chain *chain, struct str text,
                       struct config_agent *a, struct hob_error *err)
{
    struct config_agent_reader r = {.r = {.config = c, .file = a->file, .err = err, .out = a},
                                    .chain = chain};
    struct frontmatter f;
    struct str body;
    int code = frontmatter_read(&c->arena, text, a->file, &f, err);

    a->o.name = arena_str(&c->arena, chain->name).p;
    a->o.env = c->env;
    a->sandbox.size = sizeof a->sandbox;
    a->box.size = sizeof a->box;
    a->sandbox.host_env = c->given;
    code = code < 0 ? code : config_each(&r.r, f.top, config_keys, COUNT(config_keys));
    if (code < 0)
        return code;
    body = arena_str(&c->arena, str_trim(f.body));
    a->o.instructions = body.p;
    /* Those below see what the outermost one has in the sandbox. */
    if (!json_get(f.top, "skills") && chain->depth == 0)
        code = config_skills(&r.r, NULL);
    return code < 0 ? code : c->heap->oom ? config_no_memory(err) : 0;
}

static int config_read(struct config *c, const struct config_chain *chain,
                       struct config_agent **out, struct hob_error *err)
{
    struct str path;
    struct buf text;
    struct config_agent *a = arena_new(&c->arena, struct config_agent);

    *out = NULL;
    if (!a)
        return config_no_memory(err);
    a->o = (hob_agent)HOB_AGENT_INIT;
    buf_init(&text, c->heap);
    int r = config_text(c, "agents", chain->name, ".md", &path, &text, err);
    if (r == HOB_ENOENT)
        r = config_missing(c, "agent", "agents", ".md", chain->name, err);
    if (r == 0) {
        a->file = config_display(c, path);
        r = config_fill(c, chain, buf_get(&text), a, err);
    }
    buf_fini(&text);
    *out = r < 0 ? NULL : a;
    return r;
}

int config_agent_read(struct config *c, struct str name, struct config_agent **out,
                      struct hob_error *err)
{
    struct config_chain chain = {.name = name};
    return config_read(c, &chain, out, err);
}

/* ---- the project ----------------------------------------------------------------------------- */

/* "NAME=value" of the list, by the name of `entry`. */
static bool config_env_has(const char *const *list, struct str entry)
{
    size_t n = (size_t)MAX(str_chr(entry, '='), 0) + 1;
    for (; list && *list; list++) {
        if (strncmp(*list, entry.p, n) == 0)
            return true;
    }
    return false;
}

/* The value of a line of an .env file. */
static void config_env_value(struct buf *b, struct str s)
{
    char quote = s.n && (s.p[0] == '"' || s.p[0] == '\'' || s.p[0] == '`') ? s.p[0] : '\0';

    for (size_t i = quote ? 1 : 0; i < s.n; i++) {
        if (quote && s.p[i] == quote)
            return;
        if (!quote && s.p[i] == '#' && (i == 0 || ascii_space(s.p[i - 1])))
            break;
        if (quote == '"' && s.p[i] == '\\' && i + 1 < s.n) {
            char c = s.p[++i];
            buf_putc(b, c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c);
        } else {
            buf_putc(b, s.p[i]);
        }
    }
    while (!quote && b->n && ascii_space(b->p[b->n - 1]))
        buf_cut(b, b->n - 1);
}

/* One line: NAME=value, export NAME=value, nothing or a comment. */
static int config_env_line(struct config *c, struct str line, struct strs *vars)
{
    struct buf b;
    line = str_trim(line);
    if (line.n == 0 || line.p[0] == '#')
        return 0;
    if (str_starts(line, STR("export ")))
        line = str_trim(str_from(line, 7));
    ptrdiff_t eq = str_chr(line, '=');
    struct str name = eq < 0 ? STR_NONE : str_trim(str_sub(line, 0, (size_t)eq));
    bool ok = name.n > 0 && !ascii_digit(name.p[0]);
    for (size_t i = 0; i < name.n; i++)
        ok = ok && (ascii_alnum(name.p[i]) || name.p[i] == '_');
    if (!ok)
        return HOB_EINVAL;
    buf_init(&b, c->heap);
    buf_str(&b, name);
    buf_putc(&b, '=');
    struct buf value;
    buf_init(&value, c->heap);
    config_env_value(&value, str_trim(str_from(line, (size_t)eq + 1)));
    buf_str(&b, buf_get(&value));
    buf_fini(&value);
    struct str entry = arena_str(&c->arena, buf_get(&b));
    buf_fini(&b);
    for (size_t i = 0; entry.p && i < vars->n; i++) {
        if (strncmp(vars->p[i].p, entry.p, name.n + 1) == 0) { /* a later file overrides */
            vars->p[i] = entry;
            return 0;
        }
    }
    return entry.p && vec_push(c->heap, vars, entry) ? 0 : HOB_ENOMEM;
}

static int config_env_file(struct config *c, const char *path, bool wanted, struct strs *vars,
                           struct hob_error *err)
{
    struct buf text;
    buf_init(&text, c->heap);
    int r = config_slurp(path, &text), number = 0;
    if (r == HOB_ENOENT && !wanted) {
        buf_fini(&text);
        return 0;
    }
    if (r < 0)
        error_set(err, r, "%s: %s", path, error_text(r));
    struct str rest = buf_get(&text);
    while (r == 0 && rest.n > 0) {
        ptrdiff_t end = str_chr(rest, '\n');
        r = config_env_line(c, end < 0 ? rest : str_sub(rest, 0, (size_t)end), vars);
        number++;
        rest = end < 0 ? STR_NONE : str_from(rest, (size_t)end + 1);
        if (r < 0)
            error_set(err, r, "%s:%d: expected NAME=value", path, number);
    }
    buf_fini(&text);
    return r;
}

static int config_env(struct config *c, const char *const *env_files, struct hob_error *err)
{
    struct strs vars = {0};
    size_t n = 0;
    int r = 0;

    if (env_files && *env_files) {
        for (; r == 0 && *env_files; env_files++)
            r = config_env_file(c, *env_files, true, &vars, err);
    } else {
        struct str path = config_path(c, STR(".env"));
        r = path.p ? config_env_file(c, path.p, false, &vars, err) : config_no_memory(err);
    }
    while (c->given && c->given[n])
        n++;
    const char **env = r == 0 ? arena_array(&c->arena, const char *, n + vars.n + 1) : NULL;
    if (r == 0 && !env)
        r = config_no_memory(err);
    if (r == 0) {
        size_t at = 0;
        for (; at < n; at++)
            env[at] = c->given[at];
        for (size_t i = 0; i < vars.n; i++) {
            if (!config_env_has(c->given, vars.p[i]))
                env[at++] = vars.p[i].p;
        }
        c->env = env;
    }
    if (vars.p)
        vec_fini(c->heap, &vars);
    return r;
}

int config_open(struct config *c, struct heap *h, const char *root, const char *const *process,
                const char *const *env_files, struct hob_error *err)
{
    struct stat st;

    *c = (struct config){.heap = h, .given = process};
    arena_init(&c->arena, h);
    char *path = realpath(root, NULL);
    if (!path)
        return error_set(err, -errno, "%s: %s", root, error_text(-errno));
    c->root = arena_str(&c->arena, str_z(path));
    free(path);
    c->source = arena_printf(&c->arena, "%.*s/.hob", STR_ARG(c->root));
    if (!c->root.p || !c->source.p)
        return config_no_memory(err);
    /* .hob also holds sessions; it counts when there is something of ours in it. */
    struct str agents = arena_printf(&c->arena, "%.*s/agents", STR_ARG(c->source));
    struct str flows = arena_printf(&c->arena, "%.*s/workflows", STR_ARG(c->source));
    if (!agents.p || !flows.p)
        return config_no_memory(err);
    if (stat(agents.p, &st) < 0 && stat(flows.p, &st) < 0)
        c->source = c->root;
    return config_env(c, env_files, err);
}

void config_close(struct config *c) { arena_fini(&c->arena); }

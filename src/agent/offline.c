/* offline.c -- the offline/ provider: plays replies from a file, as a model would stream them
 *
 * The file is NDJSON, one reply a line (docs/models.md). Replies are played in the order of the
 * file; one with `match` only when the last text of the user holds it. Nothing here depends on
 * time or chance, so a conversation repeats byte for byte.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "agent/model_wire.h"
#include "base/utf8.h"
#include "text/nearest.h"

enum {
    OFFLINE_CHUNK = 32,
    OFFLINE_BYTES = 16 << 20
};

struct offline_reply {
    const struct json *v;
    bool used;
};

struct offline {
    struct offline *next;
    struct arena arena; /* the texts and trees */
    struct str path;
    VEC(struct offline_reply) replies;
    size_t played;
};

void offline_free(struct heap *h, struct offline *o)
{
    while (o) {
        struct offline *next = o->next;
        vec_fini(h, &o->replies);
        arena_fini(&o->arena);
        heap_drop(h, o);
        o = next;
    }
}

/* ---- reading a script ---- */

static const struct offline_key {
    const char *name;
    enum json_kind kind; /* JSON_TRUE: a boolean */
} offline_keys[] = {
    {"text", JSON_STRING},  {"thinking", JSON_STRING}, {"calls", JSON_ARRAY},
    {"match", JSON_STRING}, {"repeat", JSON_TRUE},     {"delay_ms", JSON_NUMBER},
    {"chunk", JSON_NUMBER}, {"usage", JSON_OBJECT},    {"stop", JSON_STRING},
    {"error", JSON_OBJECT}, {"comment", JSON_STRING},
};

static int offline_check_calls(const struct json *calls, struct hob_error *err)
{
    for (const struct json *x = calls ? calls->first : NULL; x; x = x->next) {
        const struct json *name = json_get(x, "name");
        if (!name || name->kind != JSON_STRING)
            return error_set(err, HOB_ESYNTAX, "a call is {\"name\":\"...\",\"args\":{...}}");
    }
    return 0;
}

static int offline_check(const struct json *v, struct hob_error *err)
{
    if (v->kind != JSON_OBJECT)
        return error_set(err, HOB_ESYNTAX, "a reply is an object");
    struct str names[COUNT(offline_keys)], near = STR("");
    for (size_t i = 0; i < COUNT(offline_keys); i++)
        names[i] = str_z(offline_keys[i].name);
    for (const struct json *m = v->first; m; m = m->next) {
        const struct offline_key *key = NULL;
        for (size_t i = 0; i < COUNT(offline_keys); i++)
            if (str_eq(m->key, names[i]))
                key = &offline_keys[i];
        if (!key && nearest_find(m->key, names, COUNT(names), &near))
            return error_set(err, HOB_ESYNTAX, "unknown key \"%.*s\"; did you mean %.*s?",
                             STR_ARG(m->key), STR_ARG(near));
        if (!key)
            return error_set(err, HOB_ESYNTAX, "unknown key \"%.*s\"", STR_ARG(m->key));
        enum json_kind kind = m->kind == JSON_FALSE ? JSON_TRUE : m->kind;
        if (kind != key->kind)
            return error_set(err, HOB_ESYNTAX, "\"%s\" has a value of the wrong kind", key->name);
    }
    return offline_check_calls(json_get(v, "calls"), err);
}

static int offline_parse(struct heap *h, struct offline *o, struct str text, struct hob_error *err)
{
    for (int number = 1; text.n > 0; number++) {
        ptrdiff_t end = str_chr(text, '\n');
        struct str line = str_trim(str_sub(text, 0, end < 0 ? text.n : (size_t)end));
        text = end < 0 ? STR("") : str_from(text, (size_t)end + 1);
        if (line.n == 0 || line.p[0] == '#')
            continue;
        struct json *v = NULL;
        int r = json_parse(&o->arena, line, 100, &v, err);
        r = r < 0 ? r : offline_check(v, err);
        if (r == HOB_ESYNTAX)
            return error_prefix(err, "%s:%d", o->path.p, number);
        if (r < 0 || !vec_push(h, &o->replies, ((struct offline_reply){v, false})))
            return HOB_ENOMEM;
    }
    return 0;
}

static int offline_slurp(struct offline *o, struct buf *b, struct hob_error *err)
{
    char piece[8192];
    size_t n;
    FILE *f = fopen(o->path.p, "rbe");
    if (!f)
        return error_set(err, -errno, "%s: %s", o->path.p, error_text(-errno));
    while ((n = fread(piece, 1, sizeof piece, f)) > 0 && b->n <= OFFLINE_BYTES)
        buf_add(b, piece, n);
    int bad = ferror(f);
    fclose(f);
    if (bad)
        return error_set(err, HOB_EIO, "%s: cannot be read", o->path.p);
    if (b->n > OFFLINE_BYTES)
        return error_set(err, HOB_ELIMIT, "%s: larger than %d MiB", o->path.p, OFFLINE_BYTES >> 20);
    return b->heap->oom ? HOB_ENOMEM : 0;
}

/* The path of the script for a model: HOB_OFFLINE or base_url; in a folder NAME.ndjson. */
static int offline_path(struct offline *o, const struct model *m, struct hob_error *err)
{
    struct stat st;
    if (m->base_url.n == 0)
        return error_set(err, HOB_EINVAL, "%.*s: no script: set HOB_OFFLINE to its path",
                         STR_ARG(m->full));
    o->path = arena_str(&o->arena, m->base_url);
    if (o->path.p && stat(o->path.p, &st) == 0 && S_ISDIR(st.st_mode))
        o->path = arena_printf(&o->arena, "%.*s/%.*s.ndjson", STR_ARG(m->base_url), STR_ARG(m->id));
    return o->path.p ? 0 : HOB_ENOMEM;
}

/* The script of the model, read when it is first asked for. */
static int offline_open(struct heap *h, struct offline **all, const struct model *m,
                        struct offline **out, struct hob_error *err)
{
    struct offline *o = heap_new(h, struct offline);
    struct buf text;
    if (!o)
        return HOB_ENOMEM;
    arena_init(&o->arena, h);
    buf_init(&text, h);
    int r = offline_path(o, m, err);
    for (struct offline *x = *all; r == 0 && x; x = x->next) {
        if (str_eq(x->path, o->path)) {
            offline_free(h, o);
            *out = x;
            return 0;
        }
    }
    r = r < 0 ? r : offline_slurp(o, &text, err);
    r = r < 0 ? r : offline_parse(h, o, buf_get(&text), err);
    buf_fini(&text);
    if (r < 0) {
        offline_free(h, o);
        return r;
    }
    o->next = *all;
    *all = *out = o;
    return 0;
}

/* ---- playing ---- */

/* The text of the last message of the user, in the arena. */
static struct str offline_last_user(const struct model_request *req, struct buf *b)
{
    for (size_t i = req->nmessages; i-- > 0;) {
        if (req->messages[i]->role == ROLE_USER) {
            message_texts(b, req->messages[i]);
            break;
        }
    }
    return buf_get(b);
}

static const struct json *offline_choose(struct offline *o, struct str said)
{
    for (size_t i = 0; i < o->replies.n; i++) {
        struct offline_reply *reply = &o->replies.p[i];
        struct str match;
        if (reply->used ||
            (json_string(json_get(reply->v, "match"), &match) && str_find(said, match) < 0))
            continue;
        reply->used = !json_bool(json_get(reply->v, "repeat"), false);
        o->played++;
        return reply->v;
    }
    return NULL;
}

struct offline_play {
    struct hob_loop *loop;
    struct answer *an;
    struct cancel *cancel;
    int64_t delay_ns;
    int64_t chunk; /* characters */
};

static int offline_stream(struct offline_play *p, enum block_kind kind, struct str text)
{
    struct answer_part *part = text.n ? answer_add(p->an, kind, -1) : NULL;
    while (part && text.n > 0) {
        size_t n = utf8_offset(text, (size_t)p->chunk);
        int r = p->delay_ns > 0 ? loop_sleep(p->loop, p->delay_ns, p->cancel) : 0;
        if (r < 0)
            return r;
        answer_more(p->an, part, str_sub(text, 0, n));
        text = str_from(text, n);
    }
    if (part)
        answer_close(p->an, part);
    return 0;
}

static int offline_calls(struct offline_play *p, const struct json *calls, size_t played)
{
    size_t number = 0;
    for (const struct json *x = calls ? calls->first : NULL; x; x = x->next) {
        const struct json *args = json_get(x, "args"), *id = json_get(x, "id");
        struct answer_part *part = answer_add(p->an, BLOCK_CALL, -1);
        int r = p->delay_ns > 0 ? loop_sleep(p->loop, p->delay_ns, p->cancel) : 0;
        if (r < 0 || !part)
            return r < 0 ? r : HOB_ENOMEM;
        buf_str(&part->name, json_get(x, "name")->text);
        if (id && id->kind == JSON_STRING)
            buf_str(&part->id, id->text);
        else
            buf_printf(&part->id, "call_%zu_%zu", played, ++number);
        /* A string is what the model wrote, and may be wrong JSON. */
        if (args && args->kind == JSON_STRING)
            buf_str(&part->text, args->text);
        else if (args)
            json_write(&part->text, args);
        else
            buf_addz(&part->text, "{}");
        answer_close(p->an, part);
    }
    return 0;
}

/* Usage as the script has it, else estimates. */
static void offline_usage(struct answer *an, const struct json *usage)
{
    const struct model_request *req = an->req;
    size_t out = 0;
    an->usage.input = (int64_t)(req->system.n / 4);
    for (size_t i = 0; i < req->nmessages; i++)
        an->usage.input += message_tokens(req->messages[i]);
    for (size_t i = 0; i < an->parts.n; i++)
        out += utf8_count(buf_get(&an->parts.p[i]->text)) + an->parts.p[i]->name.n;
    an->usage.output = (int64_t)((out + 3) / 4);
    message_read_usage(usage, &an->usage);
}

static int offline_stop(struct answer *an, struct str stop)
{
    static const char *const names[] = {"stop", "toolUse", "length", "refused"};
    an->stop = STOP_END;
    for (size_t i = 0; i < COUNT(names); i++)
        if (str_eqz(stop, names[i]))
            an->stop = (enum stop)i;
    an->refused = an->stop == STOP_REFUSED;
    an->ended = true;
    return 0;
}

/* A failure to play: by its name, or by the HTTP status it comes with. */
static int offline_error(struct answer *an, const struct json *e, struct hob_error *err)
{
    static const struct {
        const char *name;
        int code;
        bool retry;
    } kinds[] = {
        {"auth", HOB_EAUTH, false},       {"rate", HOB_ERATE, true},
        {"quota", HOB_ERATE, false},      {"overloaded", HOB_EOVERLOADED, true},
        {"context", HOB_ECONTEXT, false}, {"refused", HOB_EREFUSED, false},
        {"network", HOB_ENETWORK, true},  {"timeout", HOB_ETIMEDOUT, true},
        {"model", HOB_EMODEL, false},
    };
    struct str kind = STR(""), message = STR("an error of the script");
    int64_t status = 0;
    json_string(json_get(e, "kind"), &kind);
    json_string(json_get(e, "message"), &message);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (str_eqz(kind, kinds[i].name)) {
            an->retry = kinds[i].retry;
            return error_set(err, kinds[i].code, "%.*s", STR_ARG(message));
        }
    }
    json_int(json_get(e, "status"), &status);
    return wire_error((int)status, STR(""), kind, message, &an->retry, err);
}

int offline_play(struct hob_loop *l, struct catalog *c, struct answer *an, struct cancel *cancel,
                 struct hob_error *err)
{
    struct offline *o;
    struct buf said;
    int r = offline_open(an->heap, catalog_offline(c), an->req->model, &o, err);
    if (r < 0)
        return r == HOB_ENOMEM ? error_set(err, r, "%s", error_text(r)) : r;
    buf_init(&said, an->heap);
    struct str user = offline_last_user(an->req, &said);
    const struct json *v = offline_choose(o, user);
    if (!v)
        r = error_set(err, HOB_EMODEL, "%s: no reply is left (%zu of %zu were played) for \"%.*s\"",
                      o->path.p, o->played, o->replies.n, STR_ARG(str_sub(user, 0, 60)));
    buf_fini(&said);
    if (r < 0)
        return r;
    struct offline_play p = {.loop = l, .an = an, .cancel = cancel, .chunk = OFFLINE_CHUNK};
    struct str text = STR(""), thinking = STR(""), stop = STR("");
    int64_t ms = 0;
    json_string(json_get(v, "text"), &text);
    json_string(json_get(v, "thinking"), &thinking);
    json_string(json_get(v, "stop"), &stop);
    json_int(json_get(v, "delay_ms"), &ms);
    json_int(json_get(v, "chunk"), &p.chunk);
    p.delay_ns = MIN(MAX(ms, 0), 3600000) * (catalog_limits(c)->second_ns / 1000);
    p.chunk = MAX(p.chunk, 1);
    r = offline_stream(&p, BLOCK_THINKING, thinking);
    r = r < 0 ? r : offline_stream(&p, BLOCK_TEXT, text);
    r = r < 0 ? r : offline_calls(&p, json_get(v, "calls"), o->played);
    offline_usage(an, json_get(v, "usage"));
    if (r < 0)
        return r == HOB_ECANCELED ? cancel_check(cancel, err) : r;
    if (json_get(v, "error"))
        return offline_error(an, json_get(v, "error"), err);
    return offline_stop(an, stop);
}

/* events.c -- telling the embedder what happens
 *
 * Every event is one JSON object. Its common members come first, then what the kind of event adds.
 * Keys and secrets are replaced before the callback sees anything.
 */
#include "agent/agent.h"
#include "text/date.h"

void event_time(struct buf *b, int64_t time_ms)
{
    struct date d;
    int64_t seconds = time_ms / 1000;
    if (date_from_epoch(seconds, 0, &date_utc, &d) < 0)
        return;
    buf_printf(b, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", (int)d.year, d.month, d.day, d.hour,
               d.minute, d.second, (int)(time_ms % 1000));
}

static void event_member(struct buf *b, const char *name, struct str value)
{
    buf_printf(b, ",\"%s\":", name);
    json_quote(b, value);
}

/* What all events have: which run, when, where. */
static void event_common(struct buf *b, struct hob_harness *h, const struct hob_op *op,
                         const char *type)
{
    const struct hob_session *s = op ? op->session : NULL;
    buf_printf(b, "{\"type\":\"%s\",\"runId\":\"%s\",\"eventIndex\":%llu,\"timestamp\":\"", type,
               h->run_id, (unsigned long long)h->events);
    event_time(b, loop_wall_ms(h->loop));
    buf_putc(b, '"');
    event_member(b, "harness", str_z(h->agent.o.name ? h->agent.o.name : "default"));
    if (s)
        event_member(b, "session", s->name);
    if (s && s->parent) {
        event_member(b, "parentSession", s->parent->name);
        event_member(b, "taskId", str_z(s->task_id));
    }
    if (op)
        event_member(b, "operationId", str_z(op->id));
}

void event_send(struct hob_harness *h, struct hob_op *op, const char *type, struct str text,
                struct str body)
{
    if (!h->agent.o.event)
        return;
    struct buf json, plain;
    buf_init(&json, h->heap);
    buf_init(&plain, h->heap);
    event_common(&json, h, op, type);
    if (body.n) {
        buf_putc(&json, ',');
        buf_str(&json, body);
    }
    buf_putc(&json, '}');
    buf_str(&plain, text);
    catalog_redact(h->catalog, &json);
    catalog_redact(h->catalog, &plain);
    if (!h->heap->oom) {
        hob_event e = {.type = type,
                       .session = op && op->session ? op->session->name.p : NULL,
                       .text = text.p ? buf_get(&plain).p : NULL,
                       .text_len = plain.n,
                       .json = json.p,
                       .json_len = json.n,
                       .index = h->events++};
        h->agent.o.event(h->agent.o.event_ud, &e);
    }
    buf_fini(&json);
    buf_fini(&plain);
}

void event_sendf(struct hob_harness *h, struct hob_op *op, const char *type, const char *fmt, ...)
{
    struct buf body;
    va_list ap;
    if (!h->agent.o.event)
        return;
    buf_init(&body, h->heap);
    va_start(ap, fmt);
    buf_vprintf(&body, fmt, ap);
    va_end(ap);
    event_send(h, op, type, STR_NONE, buf_get(&body));
    buf_fini(&body);
}

void event_log(struct hob_harness *h, struct hob_op *op, const char *level, const char *fmt, ...)
{
    struct buf text, body;
    va_list ap;
    if (!h->agent.o.event)
        return;
    buf_init(&text, h->heap);
    buf_init(&body, h->heap);
    va_start(ap, fmt);
    buf_vprintf(&text, fmt, ap);
    va_end(ap);
    buf_printf(&body, "\"level\":\"%s\",\"message\":", level);
    json_quote(&body, buf_get(&text));
    event_send(h, op, "log", STR_NONE, buf_get(&body));
    buf_fini(&text);
    buf_fini(&body);
}

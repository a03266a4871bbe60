/* jq_stream.c -- JSON as a stream of [path, leaf] and [path], one event at a time (--stream) */
#include "base/fmt.h"
#include "commands/jq/jq.h"

enum { /* what may come */
    JQ_WANT_VALUE,
    JQ_WANT_FIRST, /* a value, or the end of the container that has just begun */
    JQ_WANT_NEXT,  /* a comma or the end */
    JQ_WANT_KEY,
    JQ_WANT_COLON
};

/* [path] or [path, leaf]; leaf may be JQ_NONE. */
static struct jq_val jq_stream_event(struct jq_reader *r, struct jq_val leaf)
{
    struct jq_val e = jq_array(r->j, 2);
    jq_push(r->j, &e, jq_copy(r->path));
    if (leaf.kind)
        jq_push(r->j, &e, leaf);
    return e;
}

static void jq_stream_set(struct jq_reader *r, struct jq_val key)
{
    jq_array_put(r->j, &r->path, r->path.arr->n - 1, key);
}

static void jq_stream_pop(struct jq_reader *r)
{
    if (jq_own_array(r->j, &r->path) && r->path.arr->n)
        jq_drop(r->j, r->path.arr->v[--r->path.arr->n]);
    r->levels.n--;
}

static const char *jq_stream_open(struct jq_reader *r, bool object)
{
    struct jq_level l = {.object = object};
    if (r->state != JQ_WANT_VALUE && r->state != JQ_WANT_FIRST)
        return "Expected separator between values";
    if (r->levels.n >= JQ_DEPTH)
        return "Exceeds depth limit for parsing";
    if (!vec_push(r->j->heap, &r->levels, l))
        return NULL;
    jq_push(r->j, &r->path, object ? jq_null() : jq_number(0));
    r->state = JQ_WANT_FIRST;
    r->want_key = object;
    return NULL;
}

/* The end of a container: an event of its own, in *out. */
static const char *jq_stream_close(struct jq_reader *r, bool object, struct jq_val *out)
{
    if (r->levels.n == 0 || r->levels.p[r->levels.n - 1].object != object)
        return object ? "Unmatched '}'" : "Unmatched ']'";
    if (r->state != JQ_WANT_NEXT && r->state != JQ_WANT_FIRST)
        return object ? "Expected another key-value pair" : "Expected another array element";
    if (r->state == JQ_WANT_FIRST) {
        jq_stream_pop(r);
        *out = jq_stream_event(r, object ? jq_object(r->j, 0) : jq_array(r->j, 0));
    } else {
        *out = jq_stream_event(r, jq_none());
        jq_stream_pop(r);
    }
    r->state = r->levels.n ? JQ_WANT_NEXT : JQ_WANT_VALUE;
    r->want_key = false;
    return NULL;
}

static const char *jq_stream_value(struct jq_reader *r, struct jq_val *out)
{
    struct jq_val v = r->tok;
    bool object = r->levels.n && r->levels.p[r->levels.n - 1].object;

    r->tok = jq_none();
    if (r->state == JQ_WANT_KEY || (r->state == JQ_WANT_FIRST && object)) {
        if (v.kind != JQ_STRING) {
            jq_drop(r->j, v);
            return "Object keys must be strings";
        }
        jq_stream_set(r, v);
        r->state = JQ_WANT_COLON;
        r->want_key = false;
        return NULL;
    }
    if (r->state != JQ_WANT_VALUE && r->state != JQ_WANT_FIRST) {
        jq_drop(r->j, v);
        return "Expected separator between values";
    }
    *out = jq_stream_event(r, v);
    r->state = r->levels.n ? JQ_WANT_NEXT : JQ_WANT_VALUE;
    return NULL;
}

static const char *jq_stream_comma(struct jq_reader *r)
{
    if (r->state != JQ_WANT_NEXT)
        return "Expected value before ','";
    if (r->levels.p[r->levels.n - 1].object) {
        r->state = JQ_WANT_KEY;
        r->want_key = true;
    } else {
        double i = r->path.arr->v[r->path.arr->n - 1].num;
        jq_stream_set(r, jq_number(i + 1));
        r->state = JQ_WANT_VALUE;
    }
    return NULL;
}

static const char *jq_stream_take(struct jq_reader *r, int t, struct jq_val *out)
{
    switch (t) {
    case 'v': return jq_stream_value(r, out);
    case '[':
    case '{': return jq_stream_open(r, t == '{');
    case ']':
    case '}': return jq_stream_close(r, t == '}', out);
    case ',': return jq_stream_comma(r);
    default:
        if (r->state != JQ_WANT_COLON)
            return "':' not as part of an object";
        r->state = JQ_WANT_VALUE;
        return NULL;
    }
}

int jq_reader_stream(struct jq_reader *r, struct jq_val *out)
{
    if (r->skipping)
        jq_reader_resync(r);
    if (r->path.kind == JQ_NONE) {
        r->path = jq_array(r->j, 8);
        r->state = JQ_WANT_VALUE;
    }
    *out = jq_none();
    for (;;) {
        int t = jq_reader_token(r);
        const char *wrong = t == -1 ? r->message : NULL;
        char eof[96];
        if (t < -1 || r->j->heap->oom)
            return -2;
        if (t == 'R' && r->levels.n == 0)
            continue;
        if (t == 0) {
            if (r->levels.n == 0)
                return 0;
            wrong = "Unfinished JSON term at EOF";
        } else if (t == 'R') {
            wrong = "Truncated value";
        } else if (t == -1 && r->ended && wrong[0] == 'I') {
            fmt_print(eof, sizeof eof, "%s at EOF", wrong);
            wrong = eof;
        }
        if (!wrong)
            wrong = jq_stream_take(r, t, out);
        if (wrong) {
            struct jq_val path = jq_copy(r->path);
            int n = jq_reader_fail(r, wrong, out);
            if (n == -1 && r->in && r->in->stream_errors) { /* as a value: [message, path] */
                struct jq_val e = jq_array(r->j, 2);
                jq_push(r->j, &e, *out);
                jq_push(r->j, &e, path);
                *out = e;
                return 1;
            }
            jq_drop(r->j, path);
            return n;
        }
        if (out->kind)
            return 1;
    }
}

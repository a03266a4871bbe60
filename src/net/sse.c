/* sse.c -- server-sent events, read from bytes in pieces of any size */
#include "net/sse.h"

void sse_init(struct sse *s, struct heap *h, size_t limit)
{
    memset(s, 0, sizeof *s);
    buf_init(&s->line, h);
    buf_init(&s->name, h);
    buf_init(&s->data, h);
    s->limit = limit;
}

void sse_fini(struct sse *s)
{
    buf_fini(&s->line);
    buf_fini(&s->name);
    buf_fini(&s->data);
}

static int sse_dispatch(struct sse *s, sse_fn fn, void *ud)
{
    int r = s->has_data ? fn(ud, buf_get(&s->name), buf_get(&s->data)) : 0;
    buf_clear(&s->name);
    buf_clear(&s->data);
    s->has_data = false;
    return r;
}

/* The sum is checked before anything is kept, so that memory stays within the limit. */
static int sse_room(struct sse *s, size_t more, struct hob_error *err)
{
    if (s->line.n + s->data.n + more > s->limit)
        return error_set(err, HOB_ELIMIT, "an event is larger than %zu KiB", s->limit >> 10);
    return 0;
}

static int sse_line(struct sse *s, struct str line, sse_fn fn, void *ud)
{
    struct heap *h = s->data.heap;
    if (line.n == 0)
        return sse_dispatch(s, fn, ud);
    ptrdiff_t colon = str_chr(line, ':');
    struct str field = colon < 0 ? line : str_sub(line, 0, (size_t)colon);
    struct str value = colon < 0 ? STR("") : str_from(line, (size_t)colon + 1);
    if (value.n > 0 && value.p[0] == ' ')
        value = str_from(value, 1);
    if (str_eqz(field, "data")) {
        if (s->has_data)
            buf_putc(&s->data, '\n');
        s->has_data = true;
        buf_str(&s->data, value);
    } else if (str_eqz(field, "event")) {
        buf_clear(&s->name);
        buf_str(&s->name, value);
    }
    return h->oom ? HOB_ENOMEM : 0;
}

/* Passes over a byte order mark at the very begin, which may come in pieces. */
static struct str sse_skip_bom(struct sse *s, struct str bytes)
{
    static const char bom[] = "\xef\xbb\xbf";
    while (s->seen < 3 && bytes.n > 0) {
        if (bytes.p[0] != bom[s->seen]) {
            /* What looked like one was text: it belongs to the first line. */
            buf_add(&s->line, bom, s->seen);
            s->seen = 3;
            break;
        }
        s->seen++;
        bytes = str_from(bytes, 1);
    }
    return bytes;
}

/* The length of the line at the begin of bytes, or their number when it has no end there. */
static size_t sse_line_end(struct str bytes)
{
    size_t n = 0;
    while (n < bytes.n && bytes.p[n] != '\n' && bytes.p[n] != '\r')
        n++;
    return n;
}

int sse_feed(struct sse *s, struct str bytes, sse_fn fn, void *ud, struct hob_error *err)
{
    bytes = sse_skip_bom(s, bytes);
    while (bytes.n > 0) {
        if (s->cr && bytes.p[0] == '\n') {
            s->cr = false;
            bytes = str_from(bytes, 1);
            continue;
        }
        s->cr = false;
        size_t n = sse_line_end(bytes);
        int r = sse_room(s, n, err);
        if (r < 0)
            return r;
        struct str line = str_sub(bytes, 0, n);
        if (s->line.n > 0 || n == bytes.n) {
            buf_str(&s->line, line);
            line = buf_get(&s->line);
        }
        if (s->line.heap->oom)
            return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
        if (n == bytes.n)
            return 0;
        s->cr = bytes.p[n] == '\r';
        r = sse_line(s, line, fn, ud);
        buf_clear(&s->line);
        if (r < 0)
            return r == HOB_ENOMEM ? error_set(err, r, "%s", error_text(r)) : r;
        bytes = str_from(bytes, n + 1);
    }
    return 0;
}

int sse_finish(struct sse *s, sse_fn fn, void *ud, struct hob_error *err)
{
    buf_clear(&s->line);
    int r = sse_dispatch(s, fn, ud);
    return r == HOB_ENOMEM ? error_set(err, r, "%s", error_text(r)) : r;
}

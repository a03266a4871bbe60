/* sse.c -- fuzz target: a stream of server-sent events through the three wire formats, and URLs
 *
 * The first byte chooses the format, the second how the stream is cut into pieces. What comes of
 * it must not depend on the pieces; what was shown must be what the message holds; all memory
 * comes back.
 */
#include "agent/model_wire.h"
#include "fuzz.h"
#include "net/sse.h"
#include "net/url.h"

struct fuzz_run {
    struct answer an;
    const struct model_wire *wire;
    struct arena scratch;
    struct buf shown;
    struct hob_error err;
    int result;
};

static void fuzz_delta(void *ud, enum model_delta kind, struct str text)
{
    struct fuzz_run *r = ud;
    if (kind == DELTA_TEXT)
        buf_str(&r->shown, text);
}

static int fuzz_event(void *ud, struct str name, struct str data)
{
    struct fuzz_run *r = ud;
    struct arena_mark mark = arena_mark(&r->scratch);
    r->an.json = &r->scratch;
    int code = r->an.ended ? 0 : r->wire->event(&r->an, name, data, &r->err);
    arena_release(&r->scratch, mark);
    return code;
}

/* Reads the stream in pieces and gives the message as JSON, with the error in front. */
static void fuzz_read(struct heap *h, const struct model_wire *wire, struct str stream,
                      size_t piece, struct buf *out)
{
    static const struct model model = {.full = STR_INIT("p/m"), .id = STR_INIT("m")};
    static const struct model_request req = {.model = &model};
    struct fuzz_run r = {.wire = wire};
    struct sse sse;
    answer_init(&r.an, h, &req, fuzz_delta, &r);
    r.an.seed = 7;
    arena_init(&r.scratch, h);
    buf_init(&r.shown, h);
    sse_init(&sse, h, 1 << 16);
    while (stream.n > 0 && r.result == 0) {
        r.result = sse_feed(&sse, str_sub(stream, 0, piece), fuzz_event, &r, &r.err);
        stream = str_from(stream, piece);
    }
    if (r.result == 0)
        r.result = sse_finish(&sse, fuzz_event, &r, &r.err);
    answer_finish(&r.an, r.result == 0);
    struct message *m = answer_message(&r.an, &r.scratch);
    fuzz_demand(m != NULL && !h->oom);
    size_t at = 0;
    for (const struct block *b = m->blocks; b; b = b->next) {
        fuzz_demand(b->kind != BLOCK_CALL || (b->id.n > 0 && b->name.n > 0));
        if (b->kind == BLOCK_TEXT)
            at += b->text.n;
    }
    fuzz_demand(at == r.shown.n && r.an.parts.n <= ANSWER_PARTS);
    buf_printf(out, "%d ", r.result);
    message_write(out, m);
    sse_fini(&sse);
    buf_fini(&r.shown);
    answer_fini(&r.an);
    arena_fini(&r.scratch);
}

/* A canonical URL stays as it is when it is read again, and so does one that is joined to it. */
static void fuzz_url(struct heap *h, struct str text)
{
    struct arena a;
    struct url u, v;
    struct buf one, two;
    arena_init(&a, h);
    buf_init(&one, h);
    buf_init(&two, h);
    ptrdiff_t nl = str_chr(text, '\n');
    struct str ref = nl < 0 ? STR("") : str_from(text, (size_t)nl + 1);
    int r = url_parse(&a, nl < 0 ? text : str_sub(text, 0, (size_t)nl), &u, NULL);
    if (r == 0 && ref.n > 0)
        r = url_join(&a, &u, ref, &u, NULL);
    if (r == 0) {
        url_write(&one, &u);
        fuzz_demand(url_parse(&a, buf_get(&one), &v, NULL) == 0);
        url_write(&two, &v);
        fuzz_demand(str_eq(buf_get(&one), buf_get(&two)));
    }
    buf_fini(&one);
    buf_fini(&two);
    arena_fini(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct model_wire *const wires[] = {&model_anthropic, &model_chat,
                                                     &model_responses};
    if (size < 2 || size > 1 << 16)
        return 0;
    struct heap h;
    struct str stream = str_of((const char *)data + 2, size - 2);
    heap_init(&h, fuzz_alloc, NULL, (size_t)1 << 30);
    if (data[0] % 4 == 3) {
        fuzz_url(&h, stream);
    } else {
        struct buf whole, pieces;
        buf_init(&whole, &h);
        buf_init(&pieces, &h);
        fuzz_read(&h, wires[data[0] % 4], stream, SIZE_MAX, &whole);
        fuzz_read(&h, wires[data[0] % 4], stream, 1 + data[1] % 32, &pieces);
        fuzz_demand(str_eq(buf_get(&whole), buf_get(&pieces)));
        buf_fini(&whole);
        buf_fini(&pieces);
    }
    fuzz_demand(h.used == 0);
    return 0;
}

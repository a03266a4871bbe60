/* model_answer.c -- an answer that is being read: its parts, what was shown, the message it
 * becomes
 *
 * Text and thinking are handed on as they come. Calls are kept back until they are whole: half a
 * call must never run.
 */
#include "agent/model_wire.h"

void answer_init(struct answer *an, struct heap *h, const struct model_request *req,
                 model_delta_fn fn, void *ud)
{
    memset(an, 0, sizeof *an);
    an->heap = h;
    an->req = req;
    an->fn = fn;
    an->ud = ud;
}

void answer_fini(struct answer *an)
{
    for (size_t i = 0; i < an->parts.n; i++) {
        struct answer_part *p = an->parts.p[i];
        buf_fini(&p->text);
        buf_fini(&p->signature);
        buf_fini(&p->id);
        buf_fini(&p->name);
        heap_drop(an->heap, p);
    }
    vec_fini(an->heap, &an->parts);
}

static void answer_show(struct answer *an, enum model_delta kind, struct str text)
{
    an->shown = true;
    if (an->fn)
        an->fn(an->ud, kind, text);
}

struct answer_part *answer_add(struct answer *an, enum block_kind kind, int64_t index)
{
    an->full |= an->parts.n >= ANSWER_PARTS;
    struct answer_part *p = an->full ? NULL : heap_new(an->heap, struct answer_part);
    if (!p)
        return NULL;
    p->kind = kind;
    p->index = index;
    p->open = true;
    buf_init(&p->text, an->heap);
    buf_init(&p->signature, an->heap);
    buf_init(&p->id, an->heap);
    buf_init(&p->name, an->heap);
    if (!vec_push(an->heap, &an->parts, p)) {
        heap_drop(an->heap, p);
        return NULL;
    }
    return p;
}

struct answer_part *answer_find(struct answer *an, enum block_kind kind, int64_t index)
{
    for (size_t i = an->parts.n; i-- > 0;) {
        struct answer_part *p = an->parts.p[i];
        if (p->open && p->kind == kind && p->index == index)
            return p;
    }
    return NULL;
}

struct answer_part *answer_flow(struct answer *an, enum block_kind kind)
{
    struct answer_part *last = an->parts.n ? an->parts.p[an->parts.n - 1] : NULL;
    if (last && last->open && last->kind == kind)
        return last;
    if (last && last->kind != BLOCK_CALL)
        answer_close(an, last);
    return answer_add(an, kind, -1);
}

void answer_more(struct answer *an, struct answer_part *p, struct str text)
{
    if (text.n == 0)
        return;
    if (p->kind == BLOCK_THINKING && p->text.n == 0)
        answer_show(an, DELTA_THINKING_START, STR(""));
    buf_str(&p->text, text);
    if (p->kind == BLOCK_TEXT)
        answer_show(an, DELTA_TEXT, text);
    else if (p->kind == BLOCK_THINKING)
        answer_show(an, DELTA_THINKING, text);
}

void answer_close(struct answer *an, struct answer_part *p)
{
    if (!p->open)
        return;
    p->open = false;
    if (p->kind == BLOCK_THINKING && p->text.n > 0)
        answer_show(an, DELTA_THINKING_END, buf_get(&p->text));
}

void answer_finish(struct answer *an, bool calls)
{
    for (size_t i = 0; i < an->parts.n; i++)
        if (calls || an->parts.p[i]->kind != BLOCK_CALL)
            answer_close(an, an->parts.p[i]);
}

static bool answer_keep(struct arena *a, const struct buf *b, struct str *out)
{
    *out = b->n ? arena_str(a, buf_get(b)) : STR("");
    return out->p != NULL;
}

/* An id for a call whose server gave none: no two answers have the same seed. */
static bool answer_call_id(struct answer *an, struct arena *a, size_t i, struct block *b)
{
    if (b->id.n > 0)
        return true;
    b->id = arena_printf(a, "call_%016llx_%zu", (unsigned long long)an->seed, i);
    return b->id.p != NULL;
}

struct message *answer_message(struct answer *an, struct arena *a)
{
    struct message *m = message_new(a, ROLE_ASSISTANT);
    if (!m)
        return NULL;
    bool calls = false;
    for (size_t i = 0; i < an->parts.n; i++) {
        struct answer_part *p = an->parts.p[i];
        bool empty = p->kind == BLOCK_CALL ? p->open || p->name.n == 0
                                           : p->text.n == 0 && p->signature.n == 0;
        if (empty)
            continue;
        struct block *b = message_add(a, m, p->kind);
        if (!b || !answer_keep(a, &p->text, p->kind == BLOCK_CALL ? &b->args : &b->text) ||
            !answer_keep(a, &p->signature, &b->signature) || !answer_keep(a, &p->id, &b->id) ||
            !answer_keep(a, &p->name, &b->name))
            return NULL;
        b->redacted = p->redacted;
        if (p->kind == BLOCK_CALL && !answer_call_id(an, a, i, b))
            return NULL;
        calls |= p->kind == BLOCK_CALL;
    }
    m->model = arena_str(a, an->req->model->full);
    m->usage = an->usage;
    m->stop = an->stop;
    m->error = STR("");
    /* Some servers say "stop" although calls came, others "tool_calls" although none did. */
    if (m->stop == STOP_END && calls)
        m->stop = STOP_TOOLS;
    if (m->stop == STOP_TOOLS && !calls)
        m->stop = STOP_END;
    return m->model.p ? m : NULL;
}

/* queue.c -- the last slices of a stream: what head -n -5 and tail hold back */
#include "commands/lib/queue.h"

enum {
    QUEUE_BLOCK = 128
};

uint64_t count_byte(const char *p, size_t n, char c)
{
    uint64_t total = 0;
    for (; n >= QUEUE_BLOCK; n -= QUEUE_BLOCK, p += QUEUE_BLOCK) {
        unsigned char sum = 0; /* a block of a fixed size becomes vector instructions */
        for (int i = 0; i < QUEUE_BLOCK; i++)
            sum = (unsigned char)(sum + (p[i] == c));
        total += sum;
    }
    while (n--)
        total += *p++ == c;
    return total;
}

void queue_init(struct queue *q, struct heap *h) { *q = (struct queue){.heap = h}; }

static void queue_uncharge(struct queue *q, const struct slice *s)
{
    heap_uncharge(q->heap, s->n);
    q->bytes -= s->n;
}

void queue_fini(struct queue *q)
{
    while (q->n) {
        struct slice s = queue_pop(q);
        slice_drop(&s);
    }
    vec_fini(q->heap, q);
}

/* Small pieces of a slow pipe would each hold a whole blob: they are joined to the one before. */
static bool queue_join(struct queue *q, struct in *in, size_t n, uint64_t lines)
{
    struct queue_item *last = q->n > q->first ? &q->p[q->n - 1] : NULL;
    if (!last || !last->s.blob || !blob_alone(last->s.blob))
        return false;
    char *end = (char *)last->s.p + last->s.n;
    if ((size_t)(last->s.blob->data + last->s.blob->cap - end) < n || !heap_charge(q->heap, n))
        return false;
    memcpy(end, in->p, n);
    last->s.n += n;
    last->lines += lines;
    return true;
}

static bool queue_copy(struct queue *q, struct in *in, size_t n, struct slice *s)
{
    struct blob *b = blob_new(q->heap, PIPE_SIZE);
    if (!b)
        return false;
    memcpy(b->data, in->p, n);
    *s = (struct slice){b, b->data, n};
    return true;
}

int queue_take(struct queue *q, struct in *in, char delim)
{
    size_t n = (size_t)(in->end - in->p);
    uint64_t lines = count_byte(in->p, n, delim);
    struct slice s = {NULL, in->p, n};

    if (n >= PIPE_SIZE / 2 || !queue_join(q, in, n, lines)) {
        if (n >= PIPE_SIZE / 2)
            s.blob = blob_ref(in->held.blob);
        else if (!queue_copy(q, in, n, &s))
            return HOB_ENOMEM;
        if (q->first && q->n == q->cap) {
            memmove(q->p, q->p + q->first, (q->n - q->first) * sizeof *q->p);
            q->n -= q->first;
            q->first = 0;
        }
        if (!vec_reserve(q->heap, q, 1) || !heap_charge(q->heap, n)) {
            slice_drop(&s);
            return HOB_ENOMEM;
        }
        q->p[q->n++] = (struct queue_item){s, lines};
    }
    q->bytes += n;
    q->lines += lines;
    in->p = in->end;
    return 0;
}

struct queue_item *queue_front(struct queue *q) { return q->first < q->n ? &q->p[q->first] : NULL; }

struct slice queue_pop(struct queue *q)
{
    struct queue_item *i = &q->p[q->first++];
    struct slice s = i->s;
    queue_uncharge(q, &s);
    q->lines -= i->lines;
    if (q->first == q->n)
        q->first = q->n = 0;
    return s;
}

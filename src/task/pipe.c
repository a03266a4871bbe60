/* pipe.c -- bounded pipes that pass blobs without copying
 *
 * A pipe is a short queue of slices, PIPE_SIZE bytes at the most. A large write by file_give()
 * moves a reference; small writes are appended to a blob that belongs to the pipe alone. A reader
 * that takes gets the slice as it is.
 */
#include "task/file.h"
#include "task/proc.h"

enum {
    PIPE_SLOTS = 16,
    PIPE_SMALL = 4096
};

struct pipe {
    struct kernel *kernel;
    unsigned refs;
    uint64_t id; /* st_ino */
    int readers, writers;
    uint64_t opened_rd, opened_wr; /* how many ends were ever opened, for fifos */
    size_t bytes;
    unsigned head, count; /* slices[head .. head + count) modulo PIPE_SLOTS */
    struct slice slices[PIPE_SLOTS];
    size_t tail_room;     /* bytes still free behind the last slice in its own blob */
    struct waitq changed; /* readers, writers and openers wait here together */
};

struct pipe_end {
    struct file file;
    struct pipe *pipe;
};

static struct slice *pipe_last(struct pipe *p)
{
    return &p->slices[(p->head + p->count - 1) % PIPE_SLOTS];
}

struct pipe *pipe_create(struct kernel *k)
{
    struct pipe *p = heap_new(&k->heap, struct pipe);
    if (p) {
        p->kernel = k;
        p->refs = 1;
        p->id = ++k->next_pipe;
    }
    return p;
}

struct pipe *pipe_ref(struct pipe *p)
{
    p->refs++;
    return p;
}

/* Blobs in a pipe are real memory of this sandbox. */
static void pipe_drop_slice(struct pipe *p, struct slice *s)
{
    heap_uncharge(&p->kernel->heap, s->n);
    p->bytes -= s->n;
    slice_drop(s);
}

static void pipe_drain(struct pipe *p)
{
    for (; p->count; p->count--) {
        pipe_drop_slice(p, &p->slices[p->head]);
        p->head = (p->head + 1) % PIPE_SLOTS;
    }
    p->tail_room = 0;
}

void pipe_unref(struct pipe *p)
{
    if (--p->refs)
        return;
    pipe_drain(p);
    heap_drop(&p->kernel->heap, p);
}

static struct pipe *pipe_of(struct file *f) { return CONTAINER(f, struct pipe_end, file)->pipe; }

static void pipe_shift(struct pipe *p)
{
    p->head = (p->head + 1) % PIPE_SLOTS;
    if (--p->count == 0)
        p->tail_room = 0;
}

/* Waits until there is something to read. 1, 0 at the end, or an error. */
static int pipe_wait_data(struct file *f, struct proc *proc)
{
    struct pipe *p = pipe_of(f);
    while (!p->count) {
        if (!p->writers)
            return 0;
        if (f->flags & FILE_NONBLOCK)
            return HOB_EAGAIN;
        int r = proc_wait_on(proc, &p->changed, INT64_MAX);
        if (r < 0)
            return r;
    }
    return 1;
}

static ptrdiff_t pipe_read(struct file *f, struct proc *proc, uint64_t off, void *dst, size_t n)
{
    (void)off;
    struct pipe *p = pipe_of(f);
    int r = pipe_wait_data(f, proc);
    if (r <= 0)
        return r;
    size_t got = 0;
    while (got < n && p->count) {
        struct slice *s = &p->slices[p->head];
        size_t m = MIN(n - got, s->n);
        memcpy((char *)dst + got, s->p, m);
        got += m;
        f->ops->skip(f, m);
    }
    return (ptrdiff_t)got;
}

static ptrdiff_t pipe_take(struct file *f, struct proc *proc, uint64_t off, struct slice *out)
{
    (void)off;
    struct pipe *p = pipe_of(f);
    int r = pipe_wait_data(f, proc);
    if (r <= 0)
        return r;
    struct slice *s = &p->slices[p->head];
    *out = *s;
    heap_uncharge(&p->kernel->heap, s->n);
    p->bytes -= s->n;
    *s = (struct slice){0};
    pipe_shift(p);
    waitq_wake_all(&p->changed);
    return (ptrdiff_t)out->n;
}

static int pipe_peek(struct file *f, struct proc *proc, struct str *out)
{
    struct pipe *p = pipe_of(f);
    int r = pipe_wait_data(f, proc);
    *out = r > 0 ? str_of(p->slices[p->head].p, p->slices[p->head].n) : STR("");
    return MIN(r, 0);
}

static void pipe_skip(struct file *f, size_t n)
{
    struct pipe *p = pipe_of(f);
    struct slice *s = &p->slices[p->head];
    if (n < s->n) {
        s->p += n;
        s->n -= n;
        p->bytes -= n;
        heap_uncharge(&p->kernel->heap, n);
    } else {
        pipe_drop_slice(p, s);
        pipe_shift(p);
    }
    waitq_wake_all(&p->changed);
}

/* Waits for room. The bytes that may be written now, or an error after SIGPIPE. */
static ptrdiff_t pipe_wait_room(struct file *f, struct proc *proc, bool slot)
{
    struct pipe *p = pipe_of(f);
    for (;;) {
        if (!p->readers) {
            proc_signal(proc, SIG_PIPE);
            return HOB_EPIPE;
        }
        if (p->bytes < PIPE_SIZE && (p->count < PIPE_SLOTS || (!slot && p->tail_room)))
            return (ptrdiff_t)(PIPE_SIZE - p->bytes);
        if (f->flags & FILE_NONBLOCK)
            return HOB_EAGAIN;
        int r = proc_wait_on(proc, &p->changed, INT64_MAX);
        if (r < 0)
            return r;
    }
}

/* Puts s at the end; `room` bytes behind it belong to the pipe. May switch tasks. */
static int pipe_push(struct pipe *p, struct proc *proc, struct slice s, size_t room)
{
    if (!heap_charge(&p->kernel->heap, s.n))
        return HOB_ENOMEM;
    bool empty = p->count == 0;
    p->count++;
    *pipe_last(p) = s;
    p->bytes += s.n;
    p->tail_room = room;
    waitq_wake_all(&p->changed);
    /* The reader gets a large piece at once: `seq 1000000000 | head` ends early, and the bytes are
     * still in the cache. */
    if (empty && s.n >= PIPE_SMALL / 2)
        task_yield(proc->task);
    return 0;
}

static ptrdiff_t pipe_write(struct file *f, struct proc *proc, uint64_t off, const void *src,
                            size_t n)
{
    (void)off;
    struct pipe *p = pipe_of(f);
    if (n == 0)
        return 0;
    ptrdiff_t room = pipe_wait_room(f, proc, false);
    if (room < 0)
        return room;
    size_t m = MIN(n, (size_t)room);
    struct slice *last = p->count ? pipe_last(p) : NULL;
    if (last && p->tail_room && blob_alone(last->blob)) {
        m = MIN(m, p->tail_room);
        if (!heap_charge(&p->kernel->heap, m))
            return HOB_ENOMEM;
        memcpy((char *)last->p + last->n, src, m);
        last->n += m;
        p->bytes += m;
        p->tail_room -= m;
        waitq_wake_all(&p->changed);
        return (ptrdiff_t)m;
    }
    if (p->count == PIPE_SLOTS) {
        room = pipe_wait_room(f, proc, true);
        if (room < 0)
            return room;
        m = MIN(n, (size_t)room);
    }
    struct blob *b = blob_new(&p->kernel->heap, MAX(m, (size_t)PIPE_SMALL));
    if (!b)
        return HOB_ENOMEM;
    memcpy(b->data, src, m);
    int r = pipe_push(p, proc, (struct slice){b, b->data, m}, b->cap - m);
    if (r < 0) {
        blob_unref(b);
        return r;
    }
    return (ptrdiff_t)m;
}

/* A slice goes in whole when there is a slot and any room: a pipe may so hold up to one slice more
 * than PIPE_SIZE, which is what makes passing 64 KiB blobs copy-free. */
static ptrdiff_t pipe_give(struct file *f, struct proc *proc, uint64_t off, struct slice *s)
{
    (void)off;
    struct pipe *p = pipe_of(f);
    size_t n = s->n;
    ptrdiff_t r = n ? pipe_wait_room(f, proc, true) : 0;
    if (n && r > 0)
        r = pipe_push(p, proc, *s, 0);
    if (n == 0 || r < 0) {
        slice_drop(s);
        return MIN(r, 0);
    }
    *s = (struct slice){0};
    return (ptrdiff_t)n;
}

static int pipe_stat(struct file *f, struct stat_info *st)
{
    st->mode = MODE_FIFO | 0600;
    st->nlink = 1;
    st->ino = pipe_of(f)->id;
    st->uid = f->kernel->uid;
    st->gid = f->kernel->gid;
    return 0;
}

static int pipe_ready(struct file *f)
{
    struct pipe *p = pipe_of(f);
    int r = 0;
    if (p->count || !p->writers)
        r |= FILE_READABLE;
    if (!p->readers || (p->bytes < PIPE_SIZE && p->count < PIPE_SLOTS))
        r |= FILE_WRITABLE;
    return r;
}

static struct waitq *pipe_queue(struct file *f) { return &pipe_of(f)->changed; }

static void pipe_close(struct file *f)
{
    struct pipe *p = pipe_of(f);
    if (f->flags & FILE_READ)
        p->readers--;
    if (f->flags & FILE_WRITE)
        p->writers--;
    if (!p->readers && !p->writers)
        pipe_drain(p); /* a fifo forgets what nobody read */
    waitq_wake_all(&p->changed);
    heap_drop(&f->kernel->heap, CONTAINER(f, struct pipe_end, file));
    pipe_unref(p);
}

static const struct file_ops pipe_ops = {
    .name = "pipe",
    .read = pipe_read,
    .write = pipe_write,
    .take = pipe_take,
    .give = pipe_give,
    .peek = pipe_peek,
    .skip = pipe_skip,
    .stat = pipe_stat,
    .ready = pipe_ready,
    .queue = pipe_queue,
    .close = pipe_close,
};

static struct file *pipe_end(struct pipe *p, unsigned flags)
{
    struct pipe_end *e = heap_new(&p->kernel->heap, struct pipe_end);
    if (!e)
        return NULL;
    e->file = (struct file){.ops = &pipe_ops, .kernel = p->kernel, .refs = 1, .flags = flags};
    e->pipe = pipe_ref(p);
    if (flags & FILE_READ) {
        p->readers++;
        p->opened_rd++;
    }
    if (flags & FILE_WRITE) {
        p->writers++;
        p->opened_wr++;
    }
    return &e->file;
}

int pipe_new(struct kernel *k, struct file **rd, struct file **wr)
{
    struct pipe *p = pipe_create(k);
    if (!p)
        return HOB_ENOMEM;
    *rd = pipe_end(p, FILE_READ);
    *wr = *rd ? pipe_end(p, FILE_WRITE) : NULL;
    if (*rd && !*wr)
        file_unref(*rd);
    pipe_unref(p);
    return *wr ? 0 : HOB_ENOMEM;
}

int pipe_open(struct pipe *p, struct proc *proc, unsigned flags, struct file **out)
{
    unsigned both = FILE_READ | FILE_WRITE, rw = flags & both;
    uint64_t rd = p->opened_rd, wr = p->opened_wr;
    if (rw == FILE_WRITE && (flags & FILE_NONBLOCK) && !p->readers)
        return HOB_ENXIO;
    struct file *f = pipe_end(p, rw | (flags & FILE_NONBLOCK));
    if (!f)
        return HOB_ENOMEM;
    waitq_wake_all(&p->changed);
    /* The other side counts as there if it came while we waited, even if it left again. */
    while (
        rw != both && !(flags & FILE_NONBLOCK) &&
        (rw == FILE_READ ? !p->writers && p->opened_wr == wr : !p->readers && p->opened_rd == rd)) {
        int r = proc_wait_on(proc, &p->changed, INT64_MAX);
        if (r < 0) {
            file_unref(f);
            return r;
        }
    }
    *out = f;
    return 0;
}

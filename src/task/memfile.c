/* memfile.c -- files that are buffers or callbacks: captured output, given input, /dev/null */
#include "task/file.h"
#include "task/proc.h"

struct memfile {
    struct file file;
    struct buf *to; /* writer: where bytes go; NULL when detached */
    uint64_t limit, put;
    memfile_fn fn; /* writer: instead of `to` */
    void *ud;
    hob_input_fn input; /* reader by callback */
    struct buf bytes;   /* reader: the contents */
    bool eof;
    struct waitq queue; /* woken when references go */
};

static struct memfile *memfile_of(struct file *f) { return CONTAINER(f, struct memfile, file); }

static struct memfile *memfile_make(struct kernel *k, const struct file_ops *ops, unsigned flags)
{
    struct memfile *m = heap_new(&k->heap, struct memfile);
    if (m) {
        m->file = (struct file){.ops = ops, .kernel = k, .refs = 1, .flags = flags};
        buf_init(&m->bytes, &k->heap);
    }
    return m;
}

static void memfile_close(struct file *f)
{
    struct memfile *m = memfile_of(f);
    buf_fini(&m->bytes);
    heap_drop(&f->kernel->heap, m);
}

static int memfile_stat(struct file *f, struct stat_info *st)
{
    st->mode = f->flags & FILE_TTY ? MODE_CHR | 0620 : MODE_FIFO | 0600;
    st->nlink = 1;
    st->size = memfile_of(f)->bytes.n;
    st->uid = f->kernel->uid;
    st->gid = f->kernel->gid;
    return 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

static ptrdiff_t memfile_write(struct file *f, struct proc *p, uint64_t off, const void *src,
                               size_t n)
{
    (void)off;
    struct memfile *m = memfile_of(f);
    if (m->put + n > m->limit) {
        /* What still fits is kept; the rest ends the run with a named limit. */
        size_t room = (size_t)(m->limit - m->put);
        if (room)
            memfile_write(f, p, 0, src, room);
        run_kill(p->run, SIG_KILL, HOB_LIMIT_OUTPUT);
        return HOB_EKILLED;
    }
    if (m->fn) {
        int r = m->fn(m->ud, src, n);
        if (r < 0)
            return r;
    } else if (m->to) {
        size_t had = m->to->n;
        buf_add(m->to, src, n);
        if (m->to->n != had + n)
            return HOB_ENOMEM;
    }
    m->put += n;
    return (ptrdiff_t)n;
}

static const struct file_ops memfile_write_ops = {
    .name = "capture",
    .write = memfile_write,
    .stat = memfile_stat,
    .close = memfile_close,
};

struct file *memfile_writer(struct kernel *k, struct buf *to, uint64_t limit, memfile_fn fn,
                            void *ud)
{
    struct memfile *m = memfile_make(k, &memfile_write_ops, FILE_WRITE);
    if (!m)
        return NULL;
    m->to = to;
    m->limit = limit;
    m->fn = fn;
    m->ud = ud;
    return &m->file;
}

void memfile_detach(struct file *f)
{
    memfile_of(f)->to = NULL;
    memfile_of(f)->fn = NULL;
}

void memfile_redirect(struct file *f, memfile_fn fn, void *ud)
{
    struct memfile *m = memfile_of(f);
    m->to = NULL;
    m->fn = fn;
    m->ud = ud;
    m->limit = UINT64_MAX;
}

void memfile_end(struct file *f) { memfile_of(f)->eof = true; }

int memfile_wait_alone(struct file *f, struct proc *p)
{
    /* Whoever holds another reference is a process; each exit wakes `changed` of all parents, but
     * the holder may be anybody's child: look again whenever any process ends. */
    while (f->refs > 1) {
        int r = proc_wait_on(p, &f->kernel->exited, INT64_MAX);
        if (r < 0 && r != HOB_EINTR)
            return r;
    }
    return 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

static ptrdiff_t memfile_read(struct file *f, struct proc *p, uint64_t off, void *dst, size_t n)
{
    (void)p;
    struct buf *b = &memfile_of(f)->bytes;
    if (off >= b->n)
        return 0;
    n = MIN(n, b->n - (size_t)off);
    memcpy(dst, b->p + off, n);
    return (ptrdiff_t)n;
}

static const struct file_ops memfile_read_ops = {
    .name = "input",
    .read = memfile_read,
    .stat = memfile_stat,
    .close = memfile_close,
};

struct file *memfile_reader(struct kernel *k, struct str bytes)
{
    struct memfile *m = memfile_make(k, &memfile_read_ops, FILE_READ | FILE_SEEKABLE);
    if (!m)
        return NULL;
    buf_add(&m->bytes, bytes.p, bytes.n);
    if (m->bytes.n != bytes.n) {
        memfile_close(&m->file);
        return NULL;
    }
    return &m->file;
}

/* Makes sure that something is buffered, or the end is reached. 1, 0 at the end, or an error. */
static int memfile_more(struct memfile *m, struct proc *p)
{
    while (!m->bytes.n) {
        if (m->eof)
            return 0;
        if (!buf_reserve(&m->bytes, 4096))
            return HOB_ENOMEM;
        ptrdiff_t n = m->input(m->ud, m->bytes.p, 4096);
        if (n > 0) {
            m->bytes.n = (size_t)MIN(n, 4096);
        } else if (n == 0) {
            /* A terminal may go on after Ctrl-D; anything else has ended. */
            m->eof = !(m->file.flags & FILE_TTY);
            return 0;
        } else if (n == HOB_EAGAIN) {
            struct kernel *k = m->file.kernel;
            k->input_waits++;
            int r = proc_wait_on(p, &k->input, INT64_MAX);
            k->input_waits--;
            if (r < 0)
                return r;
        } else {
            return (int)n;
        }
    }
    return 1;
}

static int memfile_input_peek(struct file *f, struct proc *p, struct str *out)
{
    struct memfile *m = memfile_of(f);
    int r = memfile_more(m, p);
    *out = buf_get(&m->bytes);
    return MIN(r, 0);
}

static void memfile_input_skip(struct file *f, size_t n) { buf_del(&memfile_of(f)->bytes, 0, n); }

static ptrdiff_t memfile_input_read(struct file *f, struct proc *p, uint64_t off, void *dst,
                                    size_t n)
{
    (void)off;
    struct memfile *m = memfile_of(f);
    int r = memfile_more(m, p);
    if (r <= 0)
        return r;
    n = MIN(n, m->bytes.n);
    memcpy(dst, m->bytes.p, n);
    memfile_input_skip(f, n);
    return (ptrdiff_t)n;
}

static int memfile_input_ready(struct file *f)
{
    struct memfile *m = memfile_of(f);
    if (!m->bytes.n && !m->eof && buf_reserve(&m->bytes, 4096)) {
        ptrdiff_t n = m->input(m->ud, m->bytes.p, 4096);
        if (n > 0)
            m->bytes.n = (size_t)MIN(n, 4096);
        else if (n != HOB_EAGAIN)
            m->eof = true;
    }
    return m->bytes.n || m->eof ? FILE_READABLE : 0;
}

static struct waitq *memfile_input_queue(struct file *f) { return &f->kernel->input; }

static const struct file_ops memfile_input_ops = {
    .name = "input",
    .read = memfile_input_read,
    .peek = memfile_input_peek,
    .skip = memfile_input_skip,
    .stat = memfile_stat,
    .ready = memfile_input_ready,
    .queue = memfile_input_queue,
    .close = memfile_close,
};

struct file *memfile_input(struct kernel *k, hob_input_fn fn, void *ud, bool tty)
{
    struct memfile *m = memfile_make(k, &memfile_input_ops, FILE_READ | (tty ? FILE_TTY : 0));
    if (!m)
        return NULL;
    m->input = fn;
    m->ud = ud;
    return &m->file;
}

/* ---- nothing --------------------------------------------------------------------------------- */

static ptrdiff_t memfile_null_read(struct file *f, struct proc *p, uint64_t off, void *dst,
                                   size_t n)
{
    (void)f, (void)p, (void)off, (void)dst, (void)n;
    return 0;
}

static ptrdiff_t memfile_null_write(struct file *f, struct proc *p, uint64_t off, const void *src,
                                    size_t n)
{
    (void)f, (void)p, (void)off, (void)src;
    return (ptrdiff_t)n;
}

static ptrdiff_t memfile_null_give(struct file *f, struct proc *p, uint64_t off, struct slice *s)
{
    (void)f, (void)p, (void)off;
    ptrdiff_t n = (ptrdiff_t)s->n;
    slice_drop(s);
    return n;
}

static int memfile_null_stat(struct file *f, struct stat_info *st)
{
    (void)f;
    st->mode = MODE_CHR | 0666;
    st->nlink = 1;
    st->rdev = 0x103; /* 1, 3 */
    return 0;
}

static const struct file_ops memfile_null_ops = {
    .name = "null",
    .read = memfile_null_read,
    .write = memfile_null_write,
    .give = memfile_null_give,
    .stat = memfile_null_stat,
    .close = memfile_close,
};

struct file *memfile_null(struct kernel *k)
{
    struct memfile *m = memfile_make(k, &memfile_null_ops, FILE_READ | FILE_WRITE);
    return m ? &m->file : NULL;
}

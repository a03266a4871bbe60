/* file.c -- open files: what is the same for every backend; and descriptor tables */
#include "task/file.h"

#include "task/proc.h"

void file_unref(struct file *f)
{
    if (f && --f->refs == 0) {
        if (UNLIKELY(f->kernel && f->kernel->locks))
            file_unlock(f);
        f->ops->close(f);
    }
}

/* Moving bytes is work: one unit a KiB. */
static int file_charge(struct proc *p, ptrdiff_t n) { return proc_tick(p, 1 + (n >> 10)); }

ptrdiff_t file_read(struct file *f, struct proc *p, void *dst, size_t n)
{
    if (!(f->flags & FILE_READ) || !f->ops->read)
        return HOB_EBADF;
    int r = proc_check(p);
    if (r < 0)
        return r;
    ptrdiff_t got = f->ops->read(f, p, f->off, dst, n);
    if (got > 0) {
        if (f->flags & FILE_SEEKABLE)
            f->off += (uint64_t)got;
        r = file_charge(p, got);
    }
    return r < 0 ? r : got;
}

/* Where the next write goes: the end of the file when appending. */
static int file_write_offset(struct file *f, uint64_t *off)
{
    *off = f->off;
    if ((f->flags & (FILE_APPEND | FILE_SEEKABLE)) != (FILE_APPEND | FILE_SEEKABLE))
        return 0;
    struct stat_info st;
    int r = f->ops->stat(f, &st);
    if (r < 0)
        return r;
    *off = st.size;
    return 0;
}

/* Bytes that may still be written at off under ulimit -f; 0 raises SIGXFSZ. */
static size_t file_room(struct file *f, struct proc *p, uint64_t off, size_t n)
{
    uint64_t most = p->max_file - 1;
    if (n == 0 || !(f->flags & FILE_SEEKABLE) || off + n <= most)
        return n;
    if (off >= most) {
        proc_signal(p, SIG_XFSZ);
        return 0;
    }
    return (size_t)(most - off);
}

int file_write(struct file *f, struct proc *p, const void *src, size_t n)
{
    if (!(f->flags & FILE_WRITE) || !f->ops->write)
        return HOB_EBADF;
    const char *at = src;
    do {
        uint64_t off;
        int r = proc_check(p);
        if (r == 0)
            r = file_write_offset(f, &off);
        if (r < 0)
            return r;
        size_t some = UNLIKELY(p->max_file) ? file_room(f, p, off, n) : n;
        if (UNLIKELY(some == 0 && n))
            return HOB_EFBIG;
        ptrdiff_t put = f->ops->write(f, p, off, at, some);
        if (put < 0)
            return (int)put;
        if (f->flags & FILE_SEEKABLE)
            f->off = off + (uint64_t)put;
        at += put;
        n -= (size_t)put;
        r = file_charge(p, put);
        if (r < 0)
            return r;
    } while (n > 0);
    return 0;
}

/* For backends that cannot hand out references: a copy in a blob of its own. */
static ptrdiff_t file_take_copy(struct file *f, struct proc *p, struct slice *out)
{
    struct blob *b = blob_new(&p->kernel->heap, PIPE_SIZE);
    if (!b)
        return HOB_ENOMEM;
    ptrdiff_t n = f->ops->read(f, p, f->off, b->data, b->cap);
    if (n <= 0) {
        blob_unref(b);
        return n;
    }
    *out = (struct slice){b, b->data, (size_t)n};
    return n;
}

ptrdiff_t file_take(struct file *f, struct proc *p, struct slice *out)
{
    *out = (struct slice){0};
    if (!(f->flags & FILE_READ) || !f->ops->read)
        return HOB_EBADF;
    int r = proc_check(p);
    if (r < 0)
        return r;
    ptrdiff_t n = f->ops->take ? f->ops->take(f, p, f->off, out) : file_take_copy(f, p, out);
    if (n > 0) {
        if (f->flags & FILE_SEEKABLE)
            f->off += (uint64_t)n;
        r = file_charge(p, n);
        if (r < 0)
            slice_drop(out);
    }
    return r < 0 ? r : n;
}

int file_give(struct file *f, struct proc *p, struct slice *s)
{
    uint64_t off = 0;
    int r = (f->flags & FILE_WRITE) && f->ops->write ? proc_check(p) : HOB_EBADF;
    if (r == 0 && f->ops->give && !p->max_file) {
        ptrdiff_t n = (ptrdiff_t)s->n;
        r = file_write_offset(f, &off);
        if (r == 0) {
            ptrdiff_t put = f->ops->give(f, p, off, s);
            if (put < 0)
                return (int)put;
            if (f->flags & FILE_SEEKABLE)
                f->off = off + (uint64_t)put;
            return file_charge(p, n);
        }
    }
    if (r == 0)
        r = file_write(f, p, s->p, s->n);
    slice_drop(s);
    return r;
}

int64_t file_seek(struct file *f, struct proc *p, int64_t off, int whence)
{
    (void)p;
    if (!(f->flags & FILE_SEEKABLE))
        return HOB_ESPIPE;
    int64_t base = 0;
    if (whence == 1) {
        base = (int64_t)f->off;
    } else if (whence == 2) {
        struct stat_info st;
        int r = f->ops->stat(f, &st);
        if (r < 0)
            return r;
        base = (int64_t)st.size;
    }
    int64_t to;
    if (__builtin_add_overflow(base, off, &to) || to < 0)
        return HOB_EINVAL;
    f->off = (uint64_t)to;
    return to;
}

int file_stat(struct file *f, struct stat_info *st)
{
    memset(st, 0, sizeof *st);
    return f->ops->stat ? f->ops->stat(f, st) : HOB_ENOTSUP;
}

int file_truncate(struct file *f, struct proc *p, uint64_t size)
{
    if (!(f->flags & FILE_WRITE) || !f->ops->truncate)
        return HOB_EINVAL;
    return f->ops->truncate(f, p, size);
}

int file_wait_readable(struct file *f, struct proc *p, int64_t deadline)
{
    while (f->ops->ready && !(f->ops->ready(f) & FILE_READABLE)) {
        int r = proc_wait_on(p, f->ops->queue ? f->ops->queue(f) : NULL, deadline);
        if (r < 0)
            return r;
    }
    return proc_check(p);
}

/* ---- descriptors ----------------------------------------------------------------------------- */

void fdtab_init(struct fdtab *t, struct heap *h)
{
    memset(t, 0, sizeof *t);
    t->heap = h;
    t->p = t->first;
    t->n = (int)COUNT(t->first);
}

void fdtab_fini(struct fdtab *t)
{
    for (int fd = 0; fd < t->n; fd++)
        if (t->p[fd].file) {
            struct file *f = t->p[fd].file;
            t->p[fd].file = NULL;
            file_unref(f);
        }
    if (t->p != t->first)
        heap_free(t->heap, t->p, (size_t)t->n * sizeof *t->p);
    t->p = t->first;
    t->n = (int)COUNT(t->first);
}

static int fdtab_grow(struct fdtab *t, int fd)
{
    int n = t->n;
    while (n <= fd)
        n *= 2;
    size_t old = (size_t)t->n * sizeof *t->p, size = (size_t)n * sizeof *t->p;
    struct fdent *p =
        t->p == t->first ? heap_alloc(t->heap, size) : heap_realloc(t->heap, t->p, old, size);
    if (!p)
        return HOB_ENOMEM;
    if (t->p == t->first)
        memcpy(p, t->first, old);
    memset(p + t->n, 0, size - old);
    t->p = p;
    t->n = n;
    return 0;
}

int fdtab_copy(struct fdtab *dst, const struct fdtab *src)
{
    fdtab_init(dst, src->heap);
    if (src->n > dst->n) {
        int r = fdtab_grow(dst, src->n - 1);
        if (r < 0)
            return r;
    }
    for (int fd = 0; fd < src->n; fd++)
        if (src->p[fd].file) {
            dst->p[fd] = src->p[fd];
            file_ref(dst->p[fd].file);
        }
    return 0;
}

int fdtab_set(struct fdtab *t, int fd, struct file *f, bool cloexec)
{
    if (fd >= t->n) {
        int r = fdtab_grow(t, fd);
        if (r < 0) {
            file_unref(f);
            return r;
        }
    }
    struct file *old = t->p[fd].file;
    t->p[fd] = (struct fdent){f, cloexec};
    file_unref(old);
    return fd;
}

int fdtab_add(struct fdtab *t, struct file *f, int min, bool cloexec, int limit)
{
    int fd = min;
    while (fd < t->n && t->p[fd].file)
        fd++;
    if (fd >= limit) {
        file_unref(f);
        return HOB_EMFILE;
    }
    return fdtab_set(t, fd, f, cloexec);
}

int fdtab_close(struct fdtab *t, int fd)
{
    if (!fdtab_get(t, fd))
        return HOB_EBADF;
    struct file *f = t->p[fd].file;
    t->p[fd] = (struct fdent){NULL, false};
    file_unref(f);
    return 0;
}

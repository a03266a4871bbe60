/* stream.c -- buffered reading and writing */
#include "task/stream.h"

#include "base/fmt.h"

enum {
    OUT_FIRST = 4096
};

/* ---- writing --------------------------------------------------------------------------------- */

void out_init_file(struct out *o, struct proc *p, struct file *f)
{
    o->proc = p;
    o->file = f;
    o->blob = NULL;
    o->buf = o->small;
    o->n = 0;
    o->cap = sizeof o->small;
    o->err = f ? 0 : HOB_EBADF;
    o->next = OUT_FIRST;
    o->line = f && (f->flags & FILE_TTY);
}

void out_init(struct out *o, struct proc *p, int fd) { out_init_file(o, p, proc_file(p, fd)); }

int out_flush(struct out *o)
{
    size_t n = o->n;
    o->n = 0;
    if (n == 0 || o->err)
        return o->err;
    if (o->blob && n >= OUT_FIRST / 2 && o->file->ops->give) {
        struct slice s = {o->blob, o->blob->data, n};
        o->blob = NULL;
        o->buf = o->small;
        o->cap = sizeof o->small;
        o->err = file_give(o->file, o->proc, &s);
    } else {
        o->err = file_write(o->file, o->proc, o->buf, n);
    }
    return o->err;
}

/* From the small buffer in the struct to a blob, when it turns out that more is coming: a short one
 * first, so that a reader gets to see the beginning early, then larger ones. */
static bool out_grow(struct out *o, size_t n)
{
    if (o->blob)
        return false;
    struct blob *b = blob_new(&o->proc->kernel->heap, MAX(o->next, n));
    if (!b)
        return false;
    o->next = MIN(o->next * 2, (size_t)PIPE_SIZE);
    memcpy(b->data, o->buf, o->n);
    o->blob = b;
    o->buf = b->data;
    o->cap = b->cap;
    return true;
}

int out_fini(struct out *o)
{
    out_flush(o);
    blob_unref(o->blob);
    o->blob = NULL;
    o->buf = o->small;
    o->cap = sizeof o->small;
    return o->err;
}

static bool out_room(struct out *o, size_t n)
{
    if (o->n + n <= o->cap)
        return true;
    if (out_grow(o, o->n + n) && o->n + n <= o->cap)
        return true;
    out_flush(o);
    if (n > o->cap && o->blob) {
        blob_unref(o->blob);
        o->blob = NULL;
        o->buf = o->small;
        o->cap = sizeof o->small;
    }
    if (n > o->cap)
        out_grow(o, n);
    return o->err == 0 && n <= o->cap;
}

void out_write(struct out *o, const void *p, size_t n)
{
    if (n == 0 || o->err)
        return;
    if (n > PIPE_SIZE) {
        if (out_flush(o) == 0)
            o->err = file_write(o->file, o->proc, p, n);
        return;
    }
    if (!out_room(o, n)) {
        if (!o->err) /* no memory for a larger buffer: write straight through */
            o->err = file_write(o->file, o->proc, p, n);
        return;
    }
    memcpy(o->buf + o->n, p, n);
    o->n += n;
    if (o->line && memchr(p, '\n', n))
        out_flush(o);
}

void out_putc_slow(struct out *o, char c) { out_write(o, &c, 1); }

void out_puts(struct out *o, const char *z) { out_write(o, z, strlen(z)); }

void out_printf(struct out *o, const char *fmt, ...)
{
    char small[512];
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    size_t n = fmt_vprint(small, sizeof small, fmt, ap);
    va_end(ap);
    if (n < sizeof small) {
        out_write(o, small, n);
    } else {
        struct buf b;
        buf_init(&b, &o->proc->kernel->heap);
        buf_vprintf(&b, fmt, again);
        out_write(o, b.p, b.n);
        buf_fini(&b);
    }
    va_end(again);
}

void out_give(struct out *o, struct slice *s)
{
    if (s->n < 4096 && o->n + s->n <= PIPE_SIZE) {
        out_write(o, s->p, s->n);
        slice_drop(s);
    } else if (out_flush(o) < 0) {
        slice_drop(s);
    } else {
        o->err = file_give(o->file, o->proc, s);
    }
}

char *out_reserve(struct out *o, size_t n)
{
    if (o->err)
        return NULL;
    if (!out_room(o, n)) {
        if (!o->err)
            o->err = HOB_ENOMEM;
        return NULL;
    }
    return o->buf + o->n;
}

/* ---- reading --------------------------------------------------------------------------------- */

void in_init_file(struct in *i, struct proc *p, struct file *f, bool own)
{
    memset(i, 0, sizeof *i);
    i->proc = p;
    i->file = f;
    i->own = own;
    if (!f)
        i->err = HOB_EBADF;
    buf_init(&i->spill, &p->kernel->heap);
}

void in_init(struct in *i, struct proc *p, int fd) { in_init_file(i, p, proc_file(p, fd), false); }

void in_fini(struct in *i)
{
    if (i->file && i->p < i->end && (i->file->flags & FILE_SEEKABLE))
        i->file->off -= (uint64_t)(i->end - i->p);
    slice_drop(&i->held);
    buf_fini(&i->spill);
    if (i->own)
        file_unref(i->file);
    i->file = NULL;
    i->p = i->end = NULL;
}

bool in_fill(struct in *i)
{
    if (i->p < i->end)
        return true;
    if (i->eof || i->err)
        return false;
    slice_drop(&i->held);
    i->p = i->end = NULL;
    ptrdiff_t n;
    do
        n = file_take(i->file, i->proc, &i->held);
    while (n == HOB_EINTR);
    if (n <= 0) {
        i->eof = n == 0;
        i->err = (int)MIN(n, 0);
        return false;
    }
    i->p = i->held.p;
    i->end = i->p + i->held.n;
    return true;
}

int in_getc_slow(struct in *i) { return in_fill(i) ? (unsigned char)*i->p++ : -1; }

bool in_line(struct in *i, char delim, struct str *line, bool *had)
{
    if (!in_fill(i))
        return false;
    const char *nl = memchr(i->p, delim, (size_t)(i->end - i->p));
    if (LIKELY(nl != NULL)) {
        *line = str_of(i->p, (size_t)(nl - i->p));
        *had = true;
        i->p = nl + 1;
        return true;
    }
    buf_clear(&i->spill);
    *had = false;
    while (in_fill(i)) {
        size_t n = (size_t)(i->end - i->p), before = i->spill.n;
        nl = memchr(i->p, delim, n);
        size_t m = nl ? (size_t)(nl - i->p) : n;
        buf_add(&i->spill, i->p, m);
        if (i->spill.n != before + m) {
            i->err = HOB_ENOMEM;
            return false;
        }
        i->p += m + (nl != NULL);
        if (nl) {
            *had = true;
            break;
        }
    }
    if (i->err)
        return false;
    *line = buf_get(&i->spill);
    return true;
}

int in_all(struct in *i, struct str *out)
{
    struct buf b;
    buf_init(&b, &i->proc->kernel->heap);
    while (in_fill(i)) {
        size_t n = (size_t)(i->end - i->p), before = b.n;
        buf_add(&b, i->p, n);
        i->p = i->end;
        if (b.n != before + n)
            i->err = HOB_ENOMEM;
    }
    *out = arena_str(i->proc->arena, buf_get(&b));
    buf_fini(&b);
    return i->err ? i->err : out->p ? 0 : HOB_ENOMEM;
}

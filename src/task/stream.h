/* stream.h -- buffered reading and writing for commands
 *
 * `struct out` collects small writes and hands full blobs over without copying where the file can
 * take them; `struct in` gives windows of bytes, straight out of file contents or pipes where it
 * can. A command writes its stdout through p's writer and flushes once; errors are remembered, so
 * only the end needs a check.
 */
#ifndef HOB_TASK_STREAM_H
#define HOB_TASK_STREAM_H

#include "task/proc.h"

struct out {
    struct proc *proc;
    struct file *file; /* borrowed; NULL: writing fails with HOB_EBADF */
    struct blob *blob; /* NULL until something is written */
    char *buf;         /* = blob->data or `small` */
    size_t n, cap;
    size_t next; /* size of the next blob */
    int err;     /* the first error; sticky */
    bool line;   /* flush at every newline (a terminal, --line-buffered) */
    char small[256];
};

void out_init(struct out *o, struct proc *p, int fd);
void out_init_file(struct out *o, struct proc *p, struct file *f);
int out_flush(struct out *o);
int out_fini(struct out *o); /* flushes and frees; the first error, or 0 */
void out_write(struct out *o, const void *p, size_t n);
void out_putc_slow(struct out *o, char c);
static inline void out_putc(struct out *o, char c)
{
    if (LIKELY(o->n < o->cap && c != '\n'))
        o->buf[o->n++] = c;
    else
        out_putc_slow(o, c);
}
static inline void out_str(struct out *o, struct str s) { out_write(o, s.p, s.n); }
void out_puts(struct out *o, const char *z);
void out_printf(struct out *o, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Writes a slice without copying where possible; the reference goes over. */
void out_give(struct out *o, struct slice *s);
/* A place to build n bytes (n <= 65536): NULL on error. out_commit(o, m) adds m <= n of them. */
char *out_reserve(struct out *o, size_t n);
static inline void out_commit(struct out *o, size_t n) { o->n += n; }

struct in {
    struct proc *proc;
    struct file *file; /* borrowed, or owned when opened by in_open */
    bool own, eof;
    int err; /* the first error; sticky, reads as the end */
    struct slice held;
    const char *p, *end; /* the window: bytes not yet consumed */
    struct buf spill;    /* a line that spans windows */
};

void in_init(struct in *i, struct proc *p, int fd);
void in_init_file(struct in *i, struct proc *p, struct file *f, bool own);
/* Gives back the window: for a seekable file the offset is set to the first byte not consumed. */
void in_fini(struct in *i);
/* Makes the window non-empty: true, or false at the end or an error (i->err). */
bool in_fill(struct in *i);
/* The next line without its delimiter; *had tells whether the delimiter was there. Borrowed until
 * the next call. False at the end (or error). */
bool in_line(struct in *i, char delim, struct str *line, bool *had);
int in_getc_slow(struct in *i);
static inline int in_getc(struct in *i) /* -1 at the end */
{
    return LIKELY(i->p < i->end) ? (unsigned char)*i->p++ : in_getc_slow(i);
}
/* Everything that is left, in one piece on the arena of the process. 0 or an error. */
int in_all(struct in *i, struct str *out);

#endif

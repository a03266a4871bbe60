/* file.h -- open files and descriptors
 *
 * A `struct file` is an open file description: what dup() shares. The offset belongs to it, the
 * bytes to the backend, which works in pread/pwrite form. Pipes, captured output, host streams and
 * every VFS backend implement file_ops. Calls may switch tasks when they would block.
 */
#ifndef HOB_TASK_FILE_H
#define HOB_TASK_FILE_H

#include "base/blob.h"
#include "base/str.h"
#include "task/task.h"

struct proc;
struct kernel;
struct file;

/* What stat() tells. Type and permission bits as in unix. */
struct stat_info {
    uint32_t mode, uid, gid, nlink;
    uint64_t dev, ino, size, blocks, rdev; /* blocks of 512 bytes */
    int64_t atime, mtime, ctime, btime;    /* nanoseconds since 1970 */
};

enum { /* mode bits */
    MODE_TYPE = 0170000,
    MODE_SOCK = 0140000,
    MODE_LINK = 0120000,
    MODE_FILE = 0100000,
    MODE_BLK = 0060000,
    MODE_DIR = 0040000,
    MODE_CHR = 0020000,
    MODE_FIFO = 0010000,
    MODE_SUID = 04000,
    MODE_SGID = 02000,
    MODE_STICKY = 01000
};
#define MODE_IS_DIR(m) (((m)&MODE_TYPE) == MODE_DIR)
#define MODE_IS_FILE(m) (((m)&MODE_TYPE) == MODE_FILE)
#define MODE_IS_LINK(m) (((m)&MODE_TYPE) == MODE_LINK)

enum { /* flags of an open file */
    FILE_READ = 1,
    FILE_WRITE = 2,
    FILE_APPEND = 4,
    FILE_CREATE = 8,     /* open only */
    FILE_EXCL = 16,      /* open only */
    FILE_TRUNC = 32,     /* open only */
    FILE_DIRECTORY = 64, /* open only: must be a folder */
    FILE_NOFOLLOW = 128, /* open only: a symlink as last component is HOB_ELOOP */
    FILE_NONBLOCK = 256,
    FILE_SEEKABLE = 512, /* set by the backend: has offsets */
    FILE_TTY = 1024      /* set by the backend: looks like a terminal */
};

/* Bytes of a blob, held by a reference. */
struct slice {
    struct blob *blob;
    const char *p;
    size_t n;
};
static inline void slice_drop(struct slice *s)
{
    blob_unref(s->blob);
    *s = (struct slice){0};
}

enum {
    FILE_READABLE = 1,
    FILE_WRITABLE = 2
};

struct file_ops {
    const char *name;
    /* Bytes moved (0 at the end) or an error; waits until at least one can be moved. `off` counts
     * for FILE_SEEKABLE files only. */
    ptrdiff_t (*read)(struct file *f, struct proc *p, uint64_t off, void *dst, size_t n);
    ptrdiff_t (*write)(struct file *f, struct proc *p, uint64_t off, const void *src, size_t n);
    /* Optional, without copying: as read, as much as is there at once; the slice's reference goes
     * to the caller. 0 at the end. */
    ptrdiff_t (*take)(struct file *f, struct proc *p, uint64_t off, struct slice *out);
    /* Optional, without copying: as write of a whole slice, whose reference the callee takes over
     * in every case. */
    ptrdiff_t (*give)(struct file *f, struct proc *p, uint64_t off, struct slice *s);
    /* Optional, for streams: what could be read now, without consuming it (waits for some; n == 0
     * at the end). The caller calls `skip` before anything else happens to the file. */
    int (*peek)(struct file *f, struct proc *p, struct str *out);
    void (*skip)(struct file *f, size_t n);
    int (*stat)(struct file *f, struct stat_info *st);
    int (*truncate)(struct file *f, struct proc *p, uint64_t size);
    int (*ready)(struct file *f);           /* FILE_READABLE | FILE_WRITABLE; NULL: always both */
    struct waitq *(*queue)(struct file *f); /* woken when `ready` may have changed */
    void (*close)(struct file *f);          /* last reference: frees f itself */
};

struct file {
    const struct file_ops *ops;
    struct kernel *kernel;
    unsigned refs;
    unsigned flags;
    uint64_t off;
    struct str path; /* as it was opened, absolute, for /proc and error texts; may be empty. Owned
                        by the backend, freed in close */
};

static inline struct file *file_ref(struct file *f)
{
    f->refs++;
    return f;
}
void file_unref(struct file *f); /* NULL is allowed */

/* Checks the open mode, moves the offset, charges fuel, delivers HOB_EPIPE. Errors: HOB_EBADF,
 * HOB_EKILLED, HOB_EINTR (a caught signal came before anything was moved) ... */
ptrdiff_t file_read(struct file *f, struct proc *p, void *dst, size_t n);
/* Writes everything unless there is an error. 0 or an error. */
int file_write(struct file *f, struct proc *p, const void *src, size_t n);
/* As much as is there, zero-copy when the backend can. 0 at the end. Drop the slice. */
ptrdiff_t file_take(struct file *f, struct proc *p, struct slice *out);
int file_give(struct file *f, struct proc *p, struct slice *s); /* the reference goes over */
int64_t file_seek(struct file *f, struct proc *p, int64_t off, int whence); /* 0 SET 1 CUR 2 END */
int file_stat(struct file *f, struct stat_info *st);
int file_truncate(struct file *f, struct proc *p, uint64_t size);
/* flock(2): the lock belongs to the open file and goes when the last descriptor of it is closed.
 * Waits for others until `deadline`. 0, HOB_EAGAIN or HOB_ETIMEDOUT, HOB_EINTR, HOB_EKILLED,
 * HOB_ENOMEM. deadline 0: does not wait. */
int file_lock(struct file *f, struct proc *p, bool exclusive, int64_t deadline);
void file_unlock(struct file *f);
/* Waits until reading would not block. 0, HOB_ETIMEDOUT, HOB_EINTR, HOB_EKILLED. */
int file_wait_readable(struct file *f, struct proc *p, int64_t deadline);

/* ---- descriptors ---------------------------------------------------------------------------- */

struct fdent {
    struct file *file; /* NULL: closed */
    bool cloexec;
};

/* The table of one process. The first ten live in the struct. */
struct fdtab {
    struct heap *heap;
    struct fdent *p;
    int n; /* size of p */
    struct fdent first[10];
};

void fdtab_init(struct fdtab *t, struct heap *h);
void fdtab_fini(struct fdtab *t); /* closes all */
int fdtab_copy(struct fdtab *dst, const struct fdtab *src);
static inline struct file *fdtab_get(const struct fdtab *t, int fd) /* borrowed; NULL: not open */
{
    return fd >= 0 && fd < t->n ? t->p[fd].file : NULL;
}
/* Puts f (its reference goes over, also on failure) at fd, closing what was there. */
int fdtab_set(struct fdtab *t, int fd, struct file *f, bool cloexec);
/* The lowest free descriptor >= min; the reference goes over, also on failure. */
int fdtab_add(struct fdtab *t, struct file *f, int min, bool cloexec, int limit);
int fdtab_close(struct fdtab *t, int fd); /* HOB_EBADF */

/* ---- pipes and memory files ----------------------------------------------------------------- */

enum {
    PIPE_SIZE = 65536
};

/* Two ends, one reference each. Writing with no reader left raises SIGPIPE in the writer and gives
 * HOB_EPIPE. */
int pipe_new(struct kernel *k, struct file **rd, struct file **wr);

/* The shared middle of a fifo that lives in a file tree: ends come and go. */
struct pipe;
struct pipe *pipe_create(struct kernel *k);
struct pipe *pipe_ref(struct pipe *p);
void pipe_unref(struct pipe *p);
/* Opens an end as open(2) of a fifo does: waits for the other side unless FILE_NONBLOCK. */
int pipe_open(struct pipe *p, struct proc *proc, unsigned flags, struct file **out);

/* A file whose writes are appended to a buffer of the caller's (command substitution, captured
 * output). `limit` bytes at the most: then HOB_EFBIG. fn, if not NULL, is called instead of
 * appending. The buffer must outlive the file or be detached. */
typedef int (*memfile_fn)(void *ud, const void *p, size_t n);
struct file *memfile_writer(struct kernel *k, struct buf *to, uint64_t limit, memfile_fn fn,
                            void *ud);
void memfile_detach(struct file *f);                            /* later writes are dropped */
void memfile_redirect(struct file *f, memfile_fn fn, void *ud); /* later writes go there */
void memfile_end(struct file *f); /* an input: reads as ended from now on */
/* Waits until nobody else holds the file. */
int memfile_wait_alone(struct file *f, struct proc *p);
/* Reads from bytes (copied: a here-document or given input). */
struct file *memfile_reader(struct kernel *k, struct str bytes);
/* Reads through a callback of the embedder's; HOB_EAGAIN waits for the host. */
struct file *memfile_input(struct kernel *k, hob_input_fn fn, void *ud, bool tty);
struct file *memfile_null(struct kernel *k); /* reads nothing, takes everything */

#endif

/* shims.c -- backends that wrap another one: read-only, quota, trace, fault injection
 *
 * Each method asks the shim first (`before`: an error ends the call), then the backend, and tells
 * the shim what came of it (`after`). Files that have offsets are wrapped, too, so that reading and
 * writing pass the same two places.
 */
#include "vfs/vfs.h"

struct shim;

/* What is about to happen. */
struct shim_call {
    const char *op;
    struct str path;
    bool change;     /* it would change something */
    uint64_t grow;   /* bytes it would add to a file */
    uint64_t shrink; /* bytes that go if it succeeds */
};

struct shim {
    struct fs fs;
    struct fs *below;
    int (*before)(struct shim *s, const struct shim_call *c);
    void (*after)(struct shim *s, const struct shim_call *c, int64_t result);
    bool wrap; /* wraps open files, and wants to know sizes */
    bool sizes;
    uint64_t limit, used; /* quota */
    shim_trace_fn fn;     /* trace */
    void *ud;
    uint64_t calls, fault; /* fault injection: fails when calls == fault */
    int error;
};

struct shim_file {
    struct file f;
    struct shim *shim;
    struct file *inner;
};

static struct shim *shim_self(struct fs *fs)
{
    struct shim *s = (struct shim *)fs;

    s->below->dev = fs->dev;
    s->below->at = fs->at;
    return s;
}

static int shim_before(struct shim *s, const struct shim_call *c)
{
    return s->before ? s->before(s, c) : 0;
}

static int64_t shim_after(struct shim *s, const struct shim_call *c, int64_t result)
{
    if (s->after)
        s->after(s, c, result);
    return result;
}

/* Calls a method of the backend below between the two. */
#define SHIM_CALL(s, call, method, ...)                                                            \
    do {                                                                                           \
        int r_ = shim_before(s, call);                                                             \
        if (r_ == 0)                                                                               \
            r_ = (s)->below->ops->method ? (s)->below->ops->method((s)->below, __VA_ARGS__)        \
                                         : ((call)->change ? HOB_EROFS : HOB_ENOTSUP);             \
        return (int)shim_after(s, call, r_);                                                       \
    } while (0)

/* The bytes that go when the name is taken away. */
static uint64_t shim_size(struct shim *s, struct str path)
{
    struct stat_info st;

    if (!s->sizes || s->below->ops->stat(s->below, path, &st) < 0)
        return 0;
    return MODE_IS_FILE(st.mode) && st.nlink == 1 ? st.size : 0;
}

/* ---- methods --------------------------------------------------------------------------------- */

static int shim_walk(struct fs *fs, struct cred c, struct str path, size_t *used,
                     struct stat_info *st)
{
    struct shim *s = shim_self(fs);
    struct shim_call call = {.op = "walk", .path = path};
    int r = shim_before(s, &call);

    *used = 0;
    if (r == 0)
        r = fs_walk(s->below, c, path, used, st);
    return (int)shim_after(s, &call, r);
}

static int shim_stat(struct fs *fs, struct str path, struct stat_info *st)
{
    struct shim *s = shim_self(fs);
    struct shim_call call = {.op = "stat", .path = path};
    SHIM_CALL(s, &call, stat, path, st);
}

static int shim_list(struct fs *fs, struct cred c, struct str path, dir_fn fn, void *ud)
{
    struct shim *s = shim_self(fs);
    struct shim_call call = {.op = "list", .path = path};
    SHIM_CALL(s, &call, list, c, path, fn, ud);
}

static int shim_readlink(struct fs *fs, struct str path, struct buf *out)
{
    struct shim *s = shim_self(fs);
    struct shim_call call = {.op = "readlink", .path = path};
    SHIM_CALL(s, &call, readlink, path, out);
}

static int shim_mkdir(struct fs *fs, struct cred c, struct str path, uint32_t mode)
{
    struct shim *s = shim_self(fs);
    struct shim_call call = {.op = "mkdir", .path = path, .change = true};
    SHIM_CALL(s, &call, mkdir, c, path, mode);
}

static int shim_rmdir(struct fs *fs, struct cred c, struct str path)
{
    struct shim *s = shim_self(fs);
    struct shim_call call = {.op = "rmdir", .path = path, .change = true};
    SHIM_CALL(s, &call, rmdir, c, path);
}

static int shim_unlink(struct fs *fs, struct cred c, struct str path)
{
    struct shim *s = shim_self(fs);
    struct shim_call call = {.op = "unlink", .path = path, .change = true};
    call.shrink = shim_size(s, path);
    SHIM_CALL(s, &call, unlink, c, path);
}

static int shim_rename(struct fs *fs, struct cred c, struct str from, struct str to)
{
    struct shim *s = shim_self(fs);
    struct shim_call call = {.op = "rename", .path = from, .change = true};
    call.shrink = str_eq(from, to) ? 0 : shim_size(s, to);
    SHIM_CALL(s, &call, rename, c, from, to);
}

static int shim_link(struct fs *fs, struct cred c, struct str from, struct str to)
{
    struct shim *s = shim_self(fs);
    struct shim_call call = {.op = "link", .path = to, .change = true};
    SHIM_CALL(s, &call, link, c, from, to);
}

static int shim_symlink(struct fs *fs, struct cred c, struct str target, struct str path)
{
    struct shim *s = shim_self(fs);
    struct shim_call call = {.op = "symlink", .path = path, .change = true};
    SHIM_CALL(s, &call, symlink, c, target, path);
}

static int shim_mkfifo(struct fs *fs, struct cred c, struct str path, uint32_t mode)
{
    struct shim *s = shim_self(fs);
    struct shim_call call = {.op = "mkfifo", .path = path, .change = true};
    SHIM_CALL(s, &call, mkfifo, c, path, mode);
}

static int shim_chmod(struct fs *fs, struct cred c, struct str path, uint32_t mode)
{
    struct shim *s = shim_self(fs);
    struct shim_call call = {.op = "chmod", .path = path, .change = true};
    SHIM_CALL(s, &call, chmod, c, path, mode);
}

static int shim_chown(struct fs *fs, struct cred c, struct str path, int64_t uid, int64_t gid)
{
    struct shim *s = shim_self(fs);
    struct shim_call call = {.op = "chown", .path = path, .change = true};
    SHIM_CALL(s, &call, chown, c, path, uid, gid);
}

static int shim_utimes(struct fs *fs, struct cred c, struct str path, int64_t atime, int64_t mtime)
{
    struct shim *s = shim_self(fs);
    struct shim_call call = {.op = "utimes", .path = path, .change = true};
    SHIM_CALL(s, &call, utimes, c, path, atime, mtime);
}

static int shim_truncate(struct fs *fs, struct cred c, struct str path, uint64_t size)
{
    struct shim *s = shim_self(fs);
    struct shim_call call = {.op = "truncate", .path = path, .change = true};
    uint64_t was = shim_size(s, path);
    call.shrink = was > size ? was - size : 0;
    call.grow = size > was ? size - was : 0;
    SHIM_CALL(s, &call, truncate, c, path, size);
}

static int shim_statfs(struct fs *fs, struct fs_info *out)
{
    struct shim *s = shim_self(fs);
    struct shim_call call = {.op = "statfs", .path = STR("")};
    int r = shim_before(s, &call);

    if (r == 0)
        r = s->below->ops->statfs ? s->below->ops->statfs(s->below, out) : HOB_ENOTSUP;
    if (r == 0 && s->sizes) {
        out->bytes_total = s->limit;
        out->bytes_used = s->used;
    }
    return (int)shim_after(s, &call, r);
}

#undef SHIM_CALL

/* ---- open files ------------------------------------------------------------------------------ */

static struct shim_file *shim_file_self(struct file *f) { return (struct shim_file *)f; }

static uint64_t shim_file_size(struct shim_file *f)
{
    struct stat_info st;
    return f->shim->sizes && f->inner->ops->stat(f->inner, &st) == 0 ? st.size : 0;
}

static ptrdiff_t shim_file_read(struct file *file, struct proc *p, uint64_t off, void *dst,
                                size_t n)
{
    struct shim_file *f = shim_file_self(file);
    struct shim_call call = {.op = "read", .path = file->path};
    ptrdiff_t r = shim_before(f->shim, &call);

    if (r == 0)
        r = f->inner->ops->read(f->inner, p, off, dst, n);
    return (ptrdiff_t)shim_after(f->shim, &call, r);
}

static ptrdiff_t shim_file_write(struct file *file, struct proc *p, uint64_t off, const void *src,
                                 size_t n)
{
    struct shim_file *f = shim_file_self(file);
    struct shim_call call = {.op = "write", .path = file->path, .change = true};
    uint64_t size = shim_file_size(f);

    call.grow = off + n > size ? off + n - size : 0;
    ptrdiff_t r = shim_before(f->shim, &call);
    if (r == 0)
        r = f->inner->ops->write(f->inner, p, off, src, n);
    if (r >= 0) /* what it really grew by */
        call.grow = off + (uint64_t)r > size ? off + (uint64_t)r - size : 0;
    return (ptrdiff_t)shim_after(f->shim, &call, r);
}

static int shim_file_stat(struct file *file, struct stat_info *st)
{
    struct shim_file *f = shim_file_self(file);
    struct shim_call call = {.op = "fstat", .path = file->path};
    int r = shim_before(f->shim, &call);

    if (r == 0)
        r = f->inner->ops->stat(f->inner, st);
    return (int)shim_after(f->shim, &call, r);
}

static int shim_file_truncate(struct file *file, struct proc *p, uint64_t size)
{
    struct shim_file *f = shim_file_self(file);
    struct shim_call call = {.op = "ftruncate", .path = file->path, .change = true};
    uint64_t was = shim_file_size(f);

    call.shrink = was > size ? was - size : 0;
    call.grow = size > was ? size - was : 0;
    int r = shim_before(f->shim, &call);
    if (r == 0)
        r = f->inner->ops->truncate ? f->inner->ops->truncate(f->inner, p, size) : HOB_EINVAL;
    return (int)shim_after(f->shim, &call, r);
}

static void shim_file_close(struct file *file)
{
    struct shim_file *f = shim_file_self(file);
    struct fs *fs = &f->shim->fs;

    file_unref(f->inner);
    heap_drop(&fs->kernel->heap, f);
    fs_unref(fs);
}

static const struct file_ops shim_file_ops = {
    .name = "file",
    .read = shim_file_read,
    .write = shim_file_write,
    .stat = shim_file_stat,
    .truncate = shim_file_truncate,
    .close = shim_file_close,
};

static int shim_wrap(struct shim *s, struct file **at)
{
    struct file *inner = *at;

    if (!s->wrap || !(inner->flags & FILE_SEEKABLE))
        return 0;
    struct shim_file *f = heap_alloc(&s->fs.kernel->heap, sizeof *f);
    if (!f) {
        file_unref(inner);
        return HOB_ENOMEM;
    }
    *f = (struct shim_file){.shim = s, .inner = inner};
    f->f = (struct file){.ops = &shim_file_ops,
                         .kernel = s->fs.kernel,
                         .refs = 1,
                         .flags = inner->flags,
                         .path = inner->path};
    fs_ref(&s->fs);
    *at = &f->f;
    return 0;
}

static int shim_open(struct fs *fs, struct proc *p, struct cred c, struct str path, unsigned flags,
                     uint32_t mode, struct file **out)
{
    struct shim *s = shim_self(fs);
    struct shim_call call = {.op = "open", .path = path, .change = flags & FILE_WRITE};

    if (flags & FILE_TRUNC)
        call.shrink = shim_size(s, path);
    int r = shim_before(s, &call);
    if (r == 0)
        r = s->below->ops->open(s->below, p, c, path, flags, mode, out);
    if (r == 0)
        r = shim_wrap(s, out);
    else if (r > 0)
        r = HOB_ELOOP;
    return (int)shim_after(s, &call, r);
}

static unsigned shim_busy(struct fs *fs) { return fs_busy(shim_self(fs)->below); }

static void shim_free(struct fs *fs)
{
    struct shim *s = (struct shim *)fs;

    fs_unref(s->below);
    heap_drop(&fs->kernel->heap, s);
}

static const struct fs_ops shim_ops = {
    .name = "shim",
    .walk = shim_walk,
    .stat = shim_stat,
    .open = shim_open,
    .list = shim_list,
    .readlink = shim_readlink,
    .mkdir = shim_mkdir,
    .rmdir = shim_rmdir,
    .unlink = shim_unlink,
    .rename = shim_rename,
    .link = shim_link,
    .symlink = shim_symlink,
    .mkfifo = shim_mkfifo,
    .chmod = shim_chmod,
    .chown = shim_chown,
    .utimes = shim_utimes,
    .truncate = shim_truncate,
    .statfs = shim_statfs,
    .busy = shim_busy,
    .free = shim_free,
};

static struct shim *shim_new(struct fs *below)
{
    struct shim *s = below ? heap_new(&below->kernel->heap, struct shim) : NULL;

    if (!s) {
        fs_unref(below);
        return NULL;
    }
    s->fs = (struct fs){
        .ops = &shim_ops, .kernel = below->kernel, .refs = 1, .flags = below->flags & FS_READONLY};
    s->below = below;
    return s;
}

/* ---- the four kinds -------------------------------------------------------------------------- */

static int shim_readonly_before(struct shim *s, const struct shim_call *c)
{
    (void)s;
    return c->change ? HOB_EROFS : 0;
}

struct fs *shim_readonly(struct fs *below)
{
    struct shim *s = shim_new(below);

    if (!s)
        return NULL;
    s->before = shim_readonly_before;
    s->fs.flags |= FS_READONLY;
    return &s->fs;
}

static int shim_quota_before(struct shim *s, const struct shim_call *c)
{
    return c->grow > s->limit - s->used ? HOB_ENOSPC : 0;
}

static void shim_quota_after(struct shim *s, const struct shim_call *c, int64_t result)
{
    if (result < 0)
        return;
    s->used += MIN(c->grow, s->limit - s->used);
    s->used -= MIN(c->shrink, s->used);
}

struct fs *shim_quota(struct fs *below, uint64_t bytes)
{
    struct shim *s = shim_new(below);

    if (!s)
        return NULL;
    s->before = shim_quota_before;
    s->after = shim_quota_after;
    s->wrap = s->sizes = true;
    s->limit = bytes;
    return &s->fs;
}

static void shim_trace_after(struct shim *s, const struct shim_call *c, int64_t result)
{
    s->fn(s->ud, c->op, c->path, (int)MIN(result, INT_MAX));
}

struct fs *shim_trace(struct fs *below, shim_trace_fn fn, void *ud)
{
    struct shim *s = shim_new(below);

    if (!s)
        return NULL;
    s->after = shim_trace_after;
    s->wrap = true;
    s->fn = fn;
    s->ud = ud;
    return &s->fs;
}

static int shim_fault_before(struct shim *s, const struct shim_call *c)
{
    (void)c;
    return ++s->calls == s->fault ? s->error : 0;
}

struct fs *shim_fault(struct fs *below)
{
    struct shim *s = shim_new(below);

    if (!s)
        return NULL;
    s->before = shim_fault_before;
    s->wrap = true;
    return &s->fs;
}

void shim_fault_set(struct fs *fs, uint64_t n, int error)
{
    struct shim *s = (struct shim *)fs;

    s->fault = n > 0 ? s->calls + n : 0;
    s->error = error;
}

uint64_t shim_fault_calls(struct fs *fs) { return ((struct shim *)fs)->calls; }

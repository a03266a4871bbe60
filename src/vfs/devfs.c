/* devfs.c -- /dev: the devices that scripts know
 *
 * null, zero, full, random, urandom, tty; and symlinks to the descriptors of the process that
 * looks, which live in /proc.
 */
#include "vfs/vfs.h"

enum devfs_kind {
    DEVFS_NULL,
    DEVFS_ZERO,
    DEVFS_FULL,
    DEVFS_RANDOM,
    DEVFS_TTY,
    DEVFS_LINK
};

struct devfs_entry {
    struct str name;
    uint8_t kind;
    uint8_t major, minor;
    uint16_t mode;
    const char *target;
};

/* Sorted by name. */
static const struct devfs_entry devfs_entries[] = {
    {STR_INIT("fd"), DEVFS_LINK, 0, 0, 0777, "/proc/self/fd"},
    {STR_INIT("full"), DEVFS_FULL, 1, 7, 0666, NULL},
    {STR_INIT("null"), DEVFS_NULL, 1, 3, 0666, NULL},
    {STR_INIT("random"), DEVFS_RANDOM, 1, 8, 0666, NULL},
    {STR_INIT("stderr"), DEVFS_LINK, 0, 0, 0777, "/proc/self/fd/2"},
    {STR_INIT("stdin"), DEVFS_LINK, 0, 0, 0777, "/proc/self/fd/0"},
    {STR_INIT("stdout"), DEVFS_LINK, 0, 0, 0777, "/proc/self/fd/1"},
    {STR_INIT("tty"), DEVFS_TTY, 5, 0, 0666, NULL},
    {STR_INIT("urandom"), DEVFS_RANDOM, 1, 9, 0666, NULL},
    {STR_INIT("zero"), DEVFS_ZERO, 1, 5, 0666, NULL},
};

struct devfs_file {
    struct file f;
    struct fs *fs;
    const struct devfs_entry *e; /* NULL: /dev itself */
    struct blob *zeros;          /* made when first taken */
    size_t size;
};

static void devfs_fill(struct fs *fs, const struct devfs_entry *e, struct stat_info *st)
{
    int64_t boot = fs->kernel->boot;

    *st = (struct stat_info){.mode = MODE_DIR | 0755,
                             .nlink = 2,
                             .dev = fs->dev,
                             .ino = 1,
                             .size = e ? 0 : 4096,
                             .atime = boot,
                             .mtime = boot,
                             .ctime = boot,
                             .btime = boot};
    if (!e)
        return;
    st->ino = 2 + (uint64_t)(e - devfs_entries);
    st->nlink = 1;
    st->mode = (e->kind == DEVFS_LINK ? MODE_LINK : MODE_CHR) | (uint32_t)e->mode;
    st->rdev = (uint64_t)e->major << 8 | e->minor;
    if (e->target)
        st->size = strlen(e->target);
}

/* The entry for the first name of the path; *used is its length. */
static const struct devfs_entry *devfs_find(struct str path, size_t *used)
{
    ptrdiff_t slash = str_chr(path, '/');
    struct str name = slash < 0 ? path : str_sub(path, 0, (size_t)slash);

    *used = name.n;
    for (size_t i = 0; i < COUNT(devfs_entries); i++)
        if (str_eq(devfs_entries[i].name, name))
            return &devfs_entries[i];
    *used = 0;
    return NULL;
}

static int devfs_walk(struct fs *fs, struct cred c, struct str path, size_t *used,
                      struct stat_info *st)
{
    const struct devfs_entry *e = NULL;

    (void)c;
    *used = 0;
    if (path.n > 0 && !(e = devfs_find(path, used)))
        return HOB_ENOENT;
    devfs_fill(fs, e, st);
    if (e && e->kind == DEVFS_LINK)
        return 1;
    return *used < path.n ? HOB_ENOTDIR : 0;
}

static int devfs_stat(struct fs *fs, struct str path, struct stat_info *st)
{
    size_t used;
    int r = devfs_walk(fs, (struct cred){0, 0}, path, &used, st);
    return r == 1 ? 0 : r;
}

static int devfs_readlink(struct fs *fs, struct str path, struct buf *out)
{
    size_t used;
    const struct devfs_entry *e = devfs_find(path, &used);

    (void)fs;
    if (!e || !e->target)
        return e || path.n == 0 ? HOB_EINVAL : HOB_ENOENT;
    buf_addz(out, e->target);
    return out->heap->oom ? HOB_ENOMEM : 0;
}

static int devfs_list(struct fs *fs, struct cred c, struct str path, dir_fn fn, void *ud)
{
    (void)fs;
    (void)c;
    if (path.n > 0)
        return HOB_ENOTDIR;
    for (size_t i = 0; i < COUNT(devfs_entries); i++) {
        const struct devfs_entry *e = &devfs_entries[i];
        struct dir_entry d = {e->name, 2 + i, e->kind == DEVFS_LINK ? MODE_LINK : MODE_CHR};
        int r = fn(ud, &d);
        if (r)
            return r;
    }
    return 0;
}

/* ---- open devices ---------------------------------------------------------------------------- */

static ptrdiff_t devfs_read(struct file *file, struct proc *p, uint64_t off, void *dst, size_t n)
{
    struct devfs_file *f = (struct devfs_file *)file;

    (void)p;
    (void)off;
    if (!f->e)
        return HOB_EISDIR;
    if (f->e->kind == DEVFS_NULL)
        return 0;
    n = MIN(n, 1u << 20); /* so that whoever reads for ever is asked now and then */
    if (f->e->kind == DEVFS_RANDOM)
        random_bytes(&file->kernel->random, dst, n);
    else
        memset(dst, 0, n);
    return (ptrdiff_t)n;
}

static ptrdiff_t devfs_take(struct file *file, struct proc *p, uint64_t off, struct slice *out)
{
    struct devfs_file *f = (struct devfs_file *)file;
    struct heap *h = &file->kernel->heap;
    struct blob *b;

    *out = (struct slice){0};
    if (!f->e || f->e->kind == DEVFS_NULL)
        return devfs_read(file, p, off, NULL, 0);
    if (f->e->kind == DEVFS_RANDOM) {
        b = blob_new(h, PIPE_SIZE);
        if (!b)
            return HOB_ENOMEM;
        random_bytes(&file->kernel->random, b->data, b->cap);
    } else {
        if (!f->zeros && (f->zeros = blob_new(h, PIPE_SIZE)))
            memset(f->zeros->data, 0, PIPE_SIZE);
        if (!f->zeros)
            return HOB_ENOMEM;
        b = blob_ref(f->zeros);
    }
    *out = (struct slice){b, b->data, b->cap};
    return (ptrdiff_t)out->n;
}

static ptrdiff_t devfs_write(struct file *file, struct proc *p, uint64_t off, const void *src,
                             size_t n)
{
    struct devfs_file *f = (struct devfs_file *)file;

    (void)p;
    (void)off;
    (void)src;
    return f->e && f->e->kind == DEVFS_FULL && n > 0 ? HOB_ENOSPC : (ptrdiff_t)MIN(n, PTRDIFF_MAX);
}

static ptrdiff_t devfs_give(struct file *file, struct proc *p, uint64_t off, struct slice *s)
{
    ptrdiff_t r = devfs_write(file, p, off, s->p, s->n);
    slice_drop(s);
    return r;
}

static int devfs_file_stat(struct file *file, struct stat_info *st)
{
    struct devfs_file *f = (struct devfs_file *)file;
    devfs_fill(f->fs, f->e, st);
    return 0;
}

static void devfs_close(struct file *file)
{
    struct devfs_file *f = (struct devfs_file *)file;
    struct fs *fs = f->fs;

    blob_unref(f->zeros);
    fs->open_files--;
    heap_free(&fs->kernel->heap, f, f->size);
    fs_unref(fs);
}

static const struct file_ops devfs_file_ops = {
    .name = "device",
    .read = devfs_read,
    .write = devfs_write,
    .take = devfs_take,
    .give = devfs_give,
    .stat = devfs_file_stat,
    .close = devfs_close,
};

/* The terminal of a process: the first of its streams that is one. */
static int devfs_open_tty(struct proc *p, struct file **out)
{
    for (int fd = 0; p && fd < 3; fd++) {
        struct file *f = fdtab_get(p->fds, fd);
        if (f && (f->flags & FILE_TTY)) {
            *out = file_ref(f);
            return 0;
        }
    }
    return HOB_ENXIO;
}

static int devfs_open(struct fs *fs, struct proc *p, struct cred c, struct str path, unsigned flags,
                      uint32_t mode, struct file **out)
{
    size_t used = 0;
    const struct devfs_entry *e = path.n > 0 ? devfs_find(path, &used) : NULL;

    (void)c;
    (void)mode;
    if (path.n > 0 && !e)
        return flags & FILE_CREATE ? HOB_EACCES : HOB_ENOENT;
    if (used < path.n)
        return HOB_ENOTDIR;
    if (e && (flags & FILE_DIRECTORY))
        return HOB_ENOTDIR;
    if (!e && (flags & (FILE_WRITE | FILE_CREATE)))
        return HOB_EISDIR;
    if (e && e->kind == DEVFS_TTY)
        return devfs_open_tty(p, out);
    size_t size = sizeof(struct devfs_file) + fs_path_size(fs, path);
    struct devfs_file *f = heap_alloc(&fs->kernel->heap, size);
    if (!f)
        return HOB_ENOMEM;
    *f = (struct devfs_file){.fs = fs_ref(fs), .e = e, .size = size};
    f->f = (struct file){.ops = &devfs_file_ops,
                         .kernel = fs->kernel,
                         .refs = 1,
                         .flags = flags & (FILE_READ | FILE_WRITE),
                         .path = fs_path_fill(fs, path, (char *)(f + 1))};
    fs->open_files++;
    *out = &f->f;
    return 0;
}

static void devfs_free(struct fs *fs) { heap_drop(&fs->kernel->heap, fs); }

static const struct fs_ops devfs_ops = {
    .name = "devtmpfs",
    .walk = devfs_walk,
    .stat = devfs_stat,
    .open = devfs_open,
    .list = devfs_list,
    .readlink = devfs_readlink,
    .free = devfs_free,
};

struct fs *devfs_new(struct kernel *k)
{
    struct fs *fs = heap_new(&k->heap, struct fs);

    if (fs) {
        fs->ops = &devfs_ops;
        fs->kernel = k;
        fs->refs = 1;
    }
    return fs;
}

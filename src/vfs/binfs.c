/* binfs.c -- /usr/bin: a file for each command
 *
 * The files say which command they stand for, so that a copy of one, run as a script, still is it.
 */
#include "vfs/textfile.h"

struct binfs {
    struct fs fs;
    binfs_fn names;
    binfs_has_fn has;
    void *ud;
};

static const char binfs_text[] = "#!/usr/bin/hob ";

static void binfs_fill(struct fs *fs, struct str name, struct stat_info *st)
{
    int64_t boot = fs->kernel->boot;

    *st = (struct stat_info){.mode = MODE_DIR | 0755,
                             .nlink = 2,
                             .dev = fs->dev,
                             .ino = 1,
                             .size = 4096,
                             .atime = boot,
                             .mtime = boot,
                             .ctime = boot,
                             .btime = boot};
    if (name.n == 0)
        return;
    st->mode = MODE_FILE | 0755;
    st->nlink = 1;
    st->ino = str_hash(name) | UINT64_C(1) << 32;
    st->size = sizeof binfs_text - 1 + name.n + 1;
    st->blocks = 8;
}

static int binfs_walk(struct fs *fs, struct cred c, struct str path, size_t *used,
                      struct stat_info *st)
{
    struct binfs *b = (struct binfs *)fs;
    ptrdiff_t slash = str_chr(path, '/');
    struct str name = slash < 0 ? path : str_sub(path, 0, (size_t)slash);

    (void)c;
    *used = 0;
    if (path.n > 0 && !b->has(b->ud, name))
        return HOB_ENOENT;
    *used = name.n;
    binfs_fill(fs, name, st);
    return slash < 0 ? 0 : HOB_ENOTDIR;
}

static int binfs_stat(struct fs *fs, struct str path, struct stat_info *st)
{
    size_t used;
    return binfs_walk(fs, (struct cred){0, 0}, path, &used, st);
}

static int binfs_open(struct fs *fs, struct proc *p, struct cred c, struct str path, unsigned flags,
                      uint32_t mode, struct file **out)
{
    struct stat_info st;
    int r = binfs_stat(fs, path, &st);

    (void)p;
    (void)c;
    (void)mode;
    if (r < 0)
        return r == HOB_ENOENT && (flags & FILE_CREATE) ? HOB_EROFS : r;
    if ((flags & FILE_DIRECTORY) && path.n > 0)
        return HOB_ENOTDIR;
    if (flags & FILE_WRITE)
        return path.n > 0 ? HOB_EROFS : HOB_EISDIR;
    if (path.n == 0)
        return textfile_open(fs, path, &st, NULL, 0, out);
    struct buf text;
    buf_init(&text, &fs->kernel->heap);
    buf_printf(&text, "%s%.*s\n", binfs_text, STR_ARG(path));
    r = text.heap->oom ? HOB_ENOMEM : textfile_copy(fs, path, &st, buf_get(&text), out);
    buf_fini(&text);
    return r;
}

struct binfs_names {
    struct heap *heap;
    struct strs v;
};

static int binfs_collect(void *ctx, struct str name)
{
    struct binfs_names *n = ctx;
    return vec_push(n->heap, &n->v, name) ? 0 : HOB_ENOMEM;
}

static int binfs_cmp(const void *a, const void *b, void *ud)
{
    (void)ud;
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static int binfs_list(struct fs *fs, struct cred c, struct str path, dir_fn fn, void *ud)
{
    struct binfs *b = (struct binfs *)fs;
    struct binfs_names n = {&fs->kernel->heap, {NULL, 0, 0}};

    (void)c;
    if (path.n > 0)
        return HOB_ENOTDIR;
    int r = b->names(b->ud, binfs_collect, &n);
    if (r == 0)
        r = sort_stable(n.heap, n.v.p, n.v.n, sizeof *n.v.p, binfs_cmp, NULL);
    for (size_t i = 0; i < n.v.n && r == 0; i++) {
        struct dir_entry e = {n.v.p[i], str_hash(n.v.p[i]) | UINT64_C(1) << 32, MODE_FILE};
        if (i == 0 || !str_eq(n.v.p[i - 1], n.v.p[i]))
            r = fn(ud, &e);
    }
    vec_fini(n.heap, &n.v);
    return r;
}

static void binfs_free(struct fs *fs) { heap_drop(&fs->kernel->heap, (struct binfs *)fs); }

static const struct fs_ops binfs_ops = {
    .name = "binfs",
    .walk = binfs_walk,
    .stat = binfs_stat,
    .open = binfs_open,
    .list = binfs_list,
    .free = binfs_free,
};

struct fs *binfs_new(struct kernel *k, binfs_fn names, binfs_has_fn has, void *ud)
{
    struct binfs *b = heap_new(&k->heap, struct binfs);

    if (!b)
        return NULL;
    b->fs = (struct fs){.ops = &binfs_ops, .kernel = k, .refs = 1, .flags = FS_READONLY};
    b->names = names;
    b->has = has;
    b->ud = ud;
    return &b->fs;
}

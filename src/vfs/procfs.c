/* procfs.c -- /proc: what the sandbox tells about itself and its processes
 *
 * Everything comes from the kernel of the sandbox, nothing from the machine (TM-INF-3). Text is
 * made when a file is opened. A path is an entry of one of three tables: the top, a process, or a
 * descriptor of a process. The descriptors are not symlinks as on Linux, because what they stand
 * for may have no name; opening one gives the same file, and readlink tells what it is.
 */
#include "vfs/procfs.h"

/* ---- finding --------------------------------------------------------------------------------- */

enum procfs_kind {
    PROCFS_TOP,
    PROCFS_ENTRY,
    PROCFS_PID,
    PROCFS_FDS,
    PROCFS_FD
};

struct procfs_node {
    enum procfs_kind kind;
    struct proc *proc;                /* PID and below */
    const struct procfs_entry *entry; /* ENTRY */
    int fd;
};

static bool procfs_number(struct str s, int *out)
{
    uint64_t n;

    if (s.n == 0 || s.n > 9 || (s.n > 1 && s.p[0] == '0') || str_uint(s, &n) < 0)
        return false;
    *out = (int)n;
    return true;
}

/* The entry of a table with this name, or below this folder ("sys/kernel"). */
static const struct procfs_entry *procfs_lookup(const struct procfs_entry *t, struct str name)
{
    for (; t->name; t++)
        if (str_eqz(name, t->name))
            return t;
    return NULL;
}

/* One step from a node to the entry `name` of it. `path` is the whole way from the table's top. */
static bool procfs_step(struct kernel *k, struct procfs_node *n, struct str path, struct str name)
{
    if (n->kind == PROCFS_TOP && procfs_number(name, &n->fd)) {
        n->proc = proc_find(k, n->fd);
        n->kind = PROCFS_PID;
        return n->proc != NULL;
    }
    if (n->kind == PROCFS_FDS) {
        n->kind = PROCFS_FD;
        return procfs_number(name, &n->fd) && fdtab_get(n->proc->fds, n->fd);
    }
    if (n->kind == PROCFS_PID && str_eqz(name, "fd")) {
        n->kind = PROCFS_FDS;
        return true;
    }
    n->entry = procfs_lookup(n->proc ? procfs_pid_table : procfs_top_table, path);
    n->kind = PROCFS_ENTRY;
    return n->entry != NULL;
}

static bool procfs_is_dir(const struct procfs_node *n)
{
    return n->kind == PROCFS_TOP || n->kind == PROCFS_PID || n->kind == PROCFS_FDS ||
           (n->kind == PROCFS_ENTRY && n->entry->type == PROCFS_DIR);
}

static bool procfs_is_link(const struct procfs_node *n)
{
    return n->kind == PROCFS_ENTRY && n->entry->type == PROCFS_LINK;
}

/* 0, 1 at a symlink (perhaps the last), HOB_ENOENT, HOB_ENOTDIR. */
static int procfs_find(struct kernel *k, struct str path, struct procfs_node *n, size_t *used)
{
    size_t top = 0; /* where the names of the table in use begin */

    *n = (struct procfs_node){.kind = PROCFS_TOP};
    *used = 0;
    for (size_t i = 0; i < path.n;) {
        ptrdiff_t slash = str_chr(str_from(path, i), '/');
        size_t end = slash < 0 ? path.n : i + (size_t)slash;
        if (!procfs_is_dir(n))
            return HOB_ENOTDIR;
        if (!procfs_step(k, n, str_sub(path, top, end - top), str_sub(path, i, end - i)))
            return HOB_ENOENT;
        if (n->kind == PROCFS_PID)
            top = end + 1;
        *used = end;
        if (procfs_is_link(n))
            return 1;
        i = end + 1;
    }
    return 0;
}

/* ---- attributes ------------------------------------------------------------------------------ */

static void procfs_fill(struct fs *fs, const struct procfs_node *n, struct stat_info *st)
{
    struct kernel *k = fs->kernel;
    int64_t t = n->proc ? n->proc->started : k->boot;
    uint64_t id = n->proc ? (uint64_t)n->proc->pid << 20 : 0;

    *st = (struct stat_info){.mode = MODE_DIR | 0555,
                             .nlink = 2,
                             .dev = fs->dev,
                             .ino = id + 1,
                             .atime = t,
                             .mtime = t,
                             .ctime = t,
                             .btime = t};
    if (n->proc) {
        st->uid = n->proc->uid;
        st->gid = n->proc->gid;
    }
    if (n->kind == PROCFS_FDS) {
        st->mode = MODE_DIR | 0500;
        st->ino = id + 2;
    } else if (n->kind == PROCFS_ENTRY) {
        const struct procfs_entry *t0 = n->proc ? procfs_pid_table : procfs_top_table;
        st->ino = id + 16 + (uint64_t)(n->entry - t0);
        if (n->entry->type == PROCFS_DIR)
            return;
        st->nlink = 1;
        st->mode = n->entry->type == PROCFS_LINK ? MODE_LINK | 0777 : MODE_FILE | n->entry->mode;
    } else if (n->kind == PROCFS_FD) {
        /* As a symlink that is followed: what the descriptor is. */
        struct file *f = fdtab_get(n->proc->fds, n->fd);
        st->nlink = 1;
        st->mode = MODE_CHR | 0620;
        st->ino = id + 4096 + (uint64_t)n->fd;
        if (f->ops->stat)
            f->ops->stat(f, st);
    }
}

static int procfs_walk(struct fs *fs, struct cred c, struct str path, size_t *used,
                       struct stat_info *st)
{
    struct procfs_node n;
    int r = procfs_find(fs->kernel, path, &n, used);

    (void)c;
    if (r >= 0)
        procfs_fill(fs, &n, st);
    return r;
}

static int procfs_stat(struct fs *fs, struct str path, struct stat_info *st)
{
    size_t used;
    int r = procfs_walk(fs, (struct cred){0, 0}, path, &used, st);
    return r == 1 ? (used == path.n ? 0 : HOB_ENOTDIR) : r;
}

static void procfs_fd_name(struct proc *p, int fd, struct buf *out)
{
    struct file *f = fdtab_get(p->fds, fd);

    if (f->path.n > 0)
        buf_str(out, f->path);
    else
        buf_printf(out, "%s:[%d]", f->ops->name, p->pid * 100 + fd);
}

static int procfs_readlink(struct fs *fs, struct str path, struct buf *out)
{
    struct procfs_node n;
    size_t used;
    int r = procfs_find(fs->kernel, path, &n, &used);

    if (r < 0)
        return r;
    if (n.kind == PROCFS_FD)
        procfs_fd_name(n.proc, n.fd, out);
    else if (r == 1)
        n.entry->text(fs->kernel, n.proc, out);
    else
        return HOB_EINVAL;
    return out->heap->oom ? HOB_ENOMEM : 0;
}

/* ---- listing --------------------------------------------------------------------------------- */

enum {
    PROCFS_DIGITS = 24
}; /* room for one number */

struct procfs_listing {
    struct heap *heap;
    dir_fn fn;
    void *ud;
    struct {
        struct dir_entry *p;
        size_t n, cap;
    } found;
    char *numbers;
    size_t size; /* of numbers */
};

static int procfs_cmp(const void *a, const void *b, void *ud)
{
    (void)ud;
    return str_cmp(((const struct dir_entry *)a)->name, ((const struct dir_entry *)b)->name);
}

/* The entries of a table right below the folder `prefix` ("" or "sys/kernel"). */
static bool procfs_list_table(struct procfs_listing *l, const struct procfs_entry *t,
                              struct str prefix)
{
    for (; t->name; t++) {
        struct str name = str_z(t->name);
        if (prefix.n > 0) {
            if (!str_starts(name, prefix) || name.n <= prefix.n + 1 || name.p[prefix.n] != '/')
                continue;
            name = str_from(name, prefix.n + 1);
        }
        if (str_chr(name, '/') >= 0)
            continue;
        uint32_t type = t->type == PROCFS_DIR    ? MODE_DIR
                        : t->type == PROCFS_LINK ? MODE_LINK
                                                 : MODE_FILE;
        if (!vec_push(l->heap, &l->found, ((struct dir_entry){name, 16, type})))
            return false;
    }
    return true;
}

/* The numbers of processes, or of the descriptors of one. What they are called is kept in a block
 * of its own, because a callback may wait and processes end meanwhile. Whoever lists its own
 * descriptors sees the one more that it does that with. */
static bool procfs_list_numbers(struct fs *fs, struct procfs_listing *l, struct proc *of)
{
    size_t n = of ? (size_t)of->fds->n + 1 : fs->kernel->nprocs;
    const struct task *now = fs->kernel->sched.current;
    int own = of && now && now->proc == of ? 0 : -1;
    while (own >= 0 && fdtab_get(of->fds, own))
        own++;
    uint32_t type = of ? MODE_LINK : MODE_DIR;

    l->size = n * PROCFS_DIGITS;
    l->numbers = heap_alloc(l->heap, l->size);
    if (n > 0 && !l->numbers)
        return false;
    struct proc *p = fs->kernel->procs;
    char *at = l->numbers;
    for (size_t i = 0; i < n && (of || p); i++) {
        int number = of ? (int)i : p->pid;
        if (!of)
            p = p->next;
        else if (!fdtab_get(of->fds, number) && number != own)
            continue;
        struct str name = {at, fmt_uint(at, (uint64_t)number)};
        if (!vec_push(l->heap, &l->found, ((struct dir_entry){name, 1, type})))
            return false;
        at += PROCFS_DIGITS;
    }
    return true;
}

static int procfs_list_node(struct fs *fs, struct procfs_node *n, struct procfs_listing *l)
{
    const struct procfs_entry *table = n->proc ? procfs_pid_table : procfs_top_table;
    bool ok = true;

    if (n->kind != PROCFS_FDS)
        ok = procfs_list_table(l, table, n->entry ? str_z(n->entry->name) : STR(""));
    if (n->kind == PROCFS_PID)
        ok = ok && vec_push(l->heap, &l->found, ((struct dir_entry){STR("fd"), 2, MODE_DIR}));
    if (n->kind == PROCFS_TOP || n->kind == PROCFS_FDS)
        ok = ok && procfs_list_numbers(fs, l, n->proc);
    if (!ok)
        return HOB_ENOMEM;
    int r = sort_stable(l->heap, l->found.p, l->found.n, sizeof *l->found.p, procfs_cmp, NULL);
    for (size_t i = 0; i < l->found.n && r == 0; i++)
        r = l->fn(l->ud, &l->found.p[i]);
    return r;
}

static int procfs_list(struct fs *fs, struct cred c, struct str path, dir_fn fn, void *ud)
{
    struct procfs_listing l = {.heap = &fs->kernel->heap, .fn = fn, .ud = ud};
    struct procfs_node n;
    size_t used;
    int r = procfs_find(fs->kernel, path, &n, &used);

    (void)c;
    if (r < 0)
        return r;
    if (r == 1 || !procfs_is_dir(&n))
        return HOB_ENOTDIR;
    r = procfs_list_node(fs, &n, &l);
    vec_fini(l.heap, &l.found);
    heap_free(l.heap, l.numbers, l.size);
    return r;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* As on Linux a file with a name is opened anew, from its beginning; anything else is shared. */
static int procfs_open_fd(struct proc *p, struct procfs_node *n, unsigned flags, uint32_t mode,
                          struct file **out)
{
    struct file *f = fdtab_get(n->proc->fds, n->fd);
    struct stat_info was, is;
    unsigned rw = flags & (FILE_READ | FILE_WRITE);

    if ((f->flags & FILE_SEEKABLE) && f->path.n > 0 && p && f->ops->stat &&
        f->ops->stat(f, &was) == 0 && vfs_stat(p, f->path, 0, &is) == 0 && was.ino == is.ino &&
        was.dev == is.dev)
        return vfs_open(p, f->path, flags, mode, out);
    if ((f->flags & rw) != rw)
        return HOB_EACCES;
    *out = file_ref(f);
    return 0;
}

static int procfs_open(struct fs *fs, struct proc *p, struct cred c, struct str path,
                       unsigned flags, uint32_t mode, struct file **out)
{
    struct procfs_node n;
    struct stat_info st;
    struct buf text;
    size_t used;
    int r = procfs_find(fs->kernel, path, &n, &used);

    if (r < 0)
        return r;
    if (r == 1)
        return HOB_ELOOP;
    if (n.kind == PROCFS_FD)
        return procfs_open_fd(p, &n, flags, mode, out);
    procfs_fill(fs, &n, &st);
    if (flags & FILE_WRITE)
        return procfs_is_dir(&n) ? HOB_EISDIR : HOB_EACCES;
    if ((flags & FILE_DIRECTORY) && !procfs_is_dir(&n))
        return HOB_ENOTDIR;
    if (!cred_may(c, &st, 4))
        return HOB_EACCES;
    buf_init(&text, &fs->kernel->heap);
    if (n.kind == PROCFS_ENTRY && n.entry->text)
        n.entry->text(fs->kernel, n.proc, &text);
    r = text.heap->oom ? HOB_ENOMEM : textfile_copy(fs, path, &st, buf_get(&text), out);
    buf_fini(&text);
    return r;
}

static void procfs_free(struct fs *fs) { heap_drop(&fs->kernel->heap, fs); }

static const struct fs_ops procfs_ops = {
    .name = "proc",
    .walk = procfs_walk,
    .stat = procfs_stat,
    .open = procfs_open,
    .list = procfs_list,
    .readlink = procfs_readlink,
    .free = procfs_free,
};

struct fs *procfs_new(struct kernel *k)
{
    struct fs *fs = heap_new(&k->heap, struct fs);

    if (fs) {
        fs->ops = &procfs_ops;
        fs->kernel = k;
        fs->refs = 1;
    }
    return fs;
}

/* tree_file.c -- open files of a tree
 *
 * An open file knows its inode by number, so that a rename or a snapshot does not matter to it; the
 * pointer is remembered as long as the tree's generation stays the same.
 */
#include "vfs/tree.h"

static struct tree_file *tree_file_self(struct file *f) { return (struct tree_file *)f; }

static struct tree_inode *tree_file_node(struct tree_file *f)
{
    if (LIKELY(f->gen == f->t->gen))
        return f->node;
    f->node = f->orphan ? f->orphan : tree_get(f->t, f->ino);
    f->gen = f->t->gen;
    f->owned = false;
    return f->node;
}

/* The inode, for writing. NULL: out of memory. */
static struct tree_inode *tree_file_own(struct tree_file *f)
{
    struct tree *t = f->t;

    if (LIKELY(f->gen == t->gen && f->owned))
        return f->node;
    struct tree_inode *n = f->orphan;
    if (!n) {
        n = tree_own(t, f->ino);
    } else if (!tree_alone(&n->refs) && (n = tree_inode_copy(t, n))) {
        for (struct tree_file *o = t->open; o; o = o->next)
            if (o->ino == f->ino)
                o->orphan = n;
    }
    if (n) {
        f->node = n;
        f->gen = t->gen;
        f->owned = true;
    }
    return n;
}

/* The access time, as relatime keeps it: it moves when the contents are newer, or once a day. */
static void tree_file_touch(struct tree_file *f, const struct tree_inode *n)
{
    const int64_t day = INT64_C(86400000000000);

    f->touched = true;
    if (n->atime == TREE_BOOT || tree_is_static(&n->refs))
        return;
    int64_t now = tree_now(f->t);
    if (n->atime > n->mtime && n->atime > n->ctime && now - n->atime < day)
        return;
    /* A mere reader does not copy what is shared. */
    struct tree_inode *mine = f->orphan ? NULL : tree_owned(f->t, f->ino);
    if (mine)
        mine->atime = now;
}

static ptrdiff_t tree_file_read(struct file *file, struct proc *p, uint64_t off, void *dst,
                                size_t n)
{
    struct tree_file *f = tree_file_self(file);
    struct tree_inode *node = tree_file_node(f);

    (void)p;
    if (node->kind == TREE_DIR)
        return HOB_EISDIR;
    if (!f->touched)
        tree_file_touch(f, node);
    return (ptrdiff_t)tree_data_read(tree_file_node(f), off, dst, MIN(n, PTRDIFF_MAX));
}

static ptrdiff_t tree_file_take(struct file *file, struct proc *p, uint64_t off, struct slice *out)
{
    struct tree_file *f = tree_file_self(file);
    struct tree_inode *node = tree_file_node(f);

    (void)p;
    if (node->kind == TREE_DIR)
        return HOB_EISDIR;
    if (!f->touched)
        tree_file_touch(f, node);
    return (ptrdiff_t)tree_data_take(tree_file_node(f), off, out);
}

static ptrdiff_t tree_file_write(struct file *file, struct proc *p, uint64_t off, const void *src,
                                 size_t n)
{
    struct tree_file *f = tree_file_self(file);
    struct tree_inode *node = tree_file_own(f);

    (void)p;
    if (!node)
        return HOB_ENOMEM;
    if (file->flags & FILE_APPEND)
        off = node->size;
    ptrdiff_t w = tree_data_write(f->t, node, off, src, MIN(n, PTRDIFF_MAX));
    if (w > 0)
        node->mtime = node->ctime = tree_now(f->t);
    return w;
}

static ptrdiff_t tree_file_give(struct file *file, struct proc *p, uint64_t off, struct slice *s)
{
    struct tree_file *f = tree_file_self(file);
    struct tree_inode *node = tree_file_own(f);
    size_t n = s->n, done = 0;

    if (node && (file->flags & FILE_APPEND))
        off = node->size;
    if (node && n > 0 && tree_data_adopt(f->t, node, off, s)) {
        node->mtime = node->ctime = tree_now(f->t);
        return (ptrdiff_t)n;
    }
    ptrdiff_t w = node ? 0 : HOB_ENOMEM;
    while (w >= 0 && done < n) {
        w = tree_file_write(file, p, off + done, s->p + done, n - done);
        if (w > 0)
            done += (size_t)w;
    }
    slice_drop(s);
    return w < 0 ? w : (ptrdiff_t)n;
}

static int tree_file_stat(struct file *file, struct stat_info *st)
{
    struct tree_file *f = tree_file_self(file);

    tree_fill(f->t, f->ino, tree_file_node(f), st);
    if (f->orphan)
        st->nlink = 0;
    return 0;
}

static int tree_file_truncate(struct file *file, struct proc *p, uint64_t size)
{
    struct tree_file *f = tree_file_self(file);
    struct tree_inode *node = tree_file_own(f);

    (void)p;
    if (!node)
        return HOB_ENOMEM;
    if (!MODE_IS_FILE(node->mode))
        return HOB_EINVAL;
    int r = tree_data_resize(f->t, node, size);
    if (r == 0)
        node->mtime = node->ctime = tree_now(f->t);
    return r;
}

static void tree_file_close(struct file *file)
{
    struct tree_file *f = tree_file_self(file);
    struct tree *t = f->t;
    struct heap *h = &t->fs.kernel->heap;

    if (f->next)
        f->next->prev = f->prev;
    if (f->prev)
        f->prev->next = f->next;
    else
        t->open = f->next;
    if (f->orphan) {
        struct tree_file *o = t->open;
        while (o && o->ino != f->ino)
            o = o->next;
        if (!o)
            tree_drop(t, f->orphan);
    }
    t->fs.open_files--;
    heap_free(h, f, f->size);
    fs_unref(&t->fs);
}

static const struct file_ops tree_file_ops = {
    .name = "file",
    .read = tree_file_read,
    .write = tree_file_write,
    .take = tree_file_take,
    .give = tree_file_give,
    .stat = tree_file_stat,
    .truncate = tree_file_truncate,
    .close = tree_file_close,
};

int tree_file_open(struct tree *t, uint64_t ino, struct tree_inode *n, struct str path,
                   unsigned flags, struct file **out)
{
    size_t size = sizeof(struct tree_file) + fs_path_size(&t->fs, path);
    struct tree_file *f = heap_alloc(&t->fs.kernel->heap, size);

    if (!f)
        return HOB_ENOMEM;
    memset(f, 0, sizeof *f);
    f->f.ops = &tree_file_ops;
    f->f.kernel = t->fs.kernel;
    f->f.refs = 1;
    f->f.flags = (flags & (FILE_READ | FILE_WRITE | FILE_APPEND | FILE_NONBLOCK)) | FILE_SEEKABLE;
    f->f.path = fs_path_fill(&t->fs, path, (char *)(f + 1));
    f->t = t;
    f->ino = ino;
    f->node = n;
    f->gen = t->gen;
    f->size = size;
    f->next = t->open;
    if (t->open)
        t->open->prev = f;
    t->open = f;
    fs_ref(&t->fs)->open_files++;
    *out = &f->f;
    return 0;
}

/* Hands an inode that lost its last name over to the files that have it open. False: there are
 * none. They hold one reference together; the last to close drops it. */
bool tree_file_orphan(struct tree *t, uint64_t ino, struct tree_inode *n)
{
    bool any = false;

    for (struct tree_file *f = t->open; f; f = f->next) {
        if (f->ino == ino) {
            f->orphan = n;
            any = true;
        }
    }
    t->gen += any;
    return any;
}

/* ---- fifos ----------------------------------------------------------------------------------- */

int tree_file_fifo(struct tree *t, struct proc *p, uint64_t ino, unsigned flags, struct file **out)
{
    struct heap *h = &t->fs.kernel->heap;
    struct tree_fifo *q = t->fifos;

    while (q && q->ino != ino)
        q = q->next;
    if (!q) {
        q = heap_new(h, struct tree_fifo);
        struct pipe *pipe = q ? pipe_create(t->fs.kernel) : NULL;
        if (!pipe) {
            heap_free(h, q, sizeof *q);
            return HOB_ENOMEM;
        }
        *q = (struct tree_fifo){t->fifos, ino, pipe};
        t->fifos = q;
    }
    /* Opening may wait, and the fifo may be removed meanwhile. */
    struct pipe *pipe = pipe_ref(q->pipe);
    int r = pipe_open(pipe, p, flags, out);
    pipe_unref(pipe);
    return r;
}

void tree_file_forget_fifo(struct tree *t, uint64_t ino)
{
    for (struct tree_fifo **at = &t->fifos; *at; at = &(*at)->next) {
        struct tree_fifo *q = *at;
        if (q->ino != ino)
            continue;
        *at = q->next;
        pipe_unref(q->pipe);
        heap_drop(&t->fs.kernel->heap, q);
        return;
    }
}

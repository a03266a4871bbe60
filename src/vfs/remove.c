/* remove.c -- taking away whole folders, without recursion on the stack */
#include "vfs/vfs.h"

/* Where the removal stands: the folder being emptied, and for each folder above it the names of
 * its folders that are still to go, as one stack of bytes. */
struct remove {
    struct proc *proc;
    struct buf path;
    struct buf names; /* each with a NUL behind */
    struct {
        size_t *p; /* where the names of each level begin */
        size_t n, cap;
    } levels;
    struct buf files; /* of the folder being looked at */
};

static int remove_collect(void *ud, const struct dir_entry *e)
{
    struct remove *m = ud;
    struct buf *b = MODE_IS_DIR(e->mode) ? &m->names : &m->files;

    buf_str(b, e->name);
    buf_putc(b, '\0');
    return b->heap->oom ? HOB_ENOMEM : 0;
}

static int remove_push(struct remove *m, const char *name)
{
    buf_putc(&m->path, '/');
    buf_addz(&m->path, name);
    return m->path.heap->oom ? HOB_ENOMEM : 0;
}

static void remove_pop(struct remove *m)
{
    buf_cut(&m->path, (size_t)str_rchr(buf_get(&m->path), '/'));
}

/* Begins with the folder at path: what is no folder goes at once. */
static int remove_enter(struct remove *m)
{
    int r = 0;

    buf_clear(&m->files);
    if (!vec_push(m->path.heap, &m->levels, m->names.n))
        return HOB_ENOMEM;
    r = vfs_list(m->proc, buf_get(&m->path), remove_collect, m);
    for (size_t i = 0; i < m->files.n && r == 0; i += strlen(m->files.p + i) + 1) {
        r = remove_push(m, m->files.p + i);
        if (r < 0)
            break;
        r = vfs_unlink(m->proc, buf_get(&m->path));
        remove_pop(m);
    }
    return r;
}

/* One step: into the next folder, or out of one that is empty now. */
static int remove_step(struct remove *m)
{
    size_t start = m->levels.p[m->levels.n - 1], end = m->names.n;

    if (end == start) {
        int r = vfs_rmdir(m->proc, buf_get(&m->path));
        if (--m->levels.n > 0)
            remove_pop(m);
        return r;
    }
    for (end--; end > start && m->names.p[end - 1] != '\0';)
        end--;
    int r = remove_push(m, m->names.p + end);
    buf_cut(&m->names, end);
    return r < 0 ? r : remove_enter(m);
}

int vfs_remove_all(struct proc *p, struct str path)
{
    struct remove m = {.proc = p};
    struct stat_info st;
    int r = vfs_stat(p, path, VFS_NOFOLLOW, &st);

    if (r < 0)
        return r;
    if (!MODE_IS_DIR(st.mode))
        return vfs_unlink(p, path);
    buf_init(&m.path, &p->kernel->heap);
    buf_init(&m.names, &p->kernel->heap);
    buf_init(&m.files, &p->kernel->heap);
    while (path.n > 1 && path.p[path.n - 1] == '/')
        path.n--;
    buf_str(&m.path, path);
    r = m.path.heap->oom ? HOB_ENOMEM : remove_enter(&m);
    while (r == 0 && m.levels.n > 0)
        r = remove_step(&m);
    vec_fini(&p->kernel->heap, &m.levels);
    buf_fini(&m.files);
    buf_fini(&m.names);
    buf_fini(&m.path);
    return r;
}

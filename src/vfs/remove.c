/* remove.c -- taking away whole folders, without recursion on the stack */
#include "vfs/vfs.h"

/* Collects the names of one folder, each with a NUL behind; folders have a '/' in front of it. */
struct remove_names {
    struct buf *b;
};

static int remove_collect(void *ud, const struct dirent *e)
{
    struct remove_names *n = ud;

    buf_str(n->b, e->name);
    if (MODE_IS_DIR(e->mode))
        buf_putc(n->b, '/');
    buf_putc(n->b, '\0');
    return n->b->heap->oom ? HOB_ENOMEM : 0;
}

/* Removes what is no folder from the folder `path`, and returns 1 with the name of a folder in it
 * appended to path if there is one. */
static int remove_level(struct proc *p, struct buf *path, struct buf *names)
{
    struct remove_names list = {names};
    size_t top = path->n;

    buf_clear(names);
    int r = vfs_list(p, buf_get(path), remove_collect, &list);
    if (r < 0)
        return r;
    size_t folder = SIZE_MAX, len = 0;
    for (size_t i = 0; i < names->n;) {
        size_t n = strlen(names->p + i);
        if (names->p[i + n - 1] == '/') {
            folder = i;
            len = n - 1;
        } else {
            buf_putc(path, '/');
            buf_add(path, names->p + i, n);
            r = path->heap->oom ? HOB_ENOMEM : vfs_unlink(p, buf_get(path));
            buf_cut(path, top);
            if (r < 0)
                return r;
        }
        i += n + 1;
    }
    if (folder == SIZE_MAX)
        return 0;
    buf_putc(path, '/');
    buf_add(path, names->p + folder, len);
    return path->heap->oom ? HOB_ENOMEM : 1;
}

int vfs_remove_all(struct proc *p, struct str path)
{
    struct stat_info st;
    struct buf at, names;
    int r = vfs_stat(p, path, VFS_NOFOLLOW, &st);

    if (r < 0)
        return r;
    if (!MODE_IS_DIR(st.mode))
        return vfs_unlink(p, path);
    while (path.n > 1 && path.p[path.n - 1] == '/')
        path.n--;
    buf_init(&at, &p->kernel->heap);
    buf_init(&names, &p->kernel->heap);
    buf_str(&at, path);
    if (at.heap->oom)
        r = HOB_ENOMEM;
    /* Down to a folder without folders, which then goes; and up again. */
    while (r >= 0 && at.n >= path.n) {
        r = remove_level(p, &at, &names);
        if (r != 0)
            continue;
        r = vfs_rmdir(p, buf_get(&at));
        if (at.n == path.n)
            break;
        while (at.p[at.n - 1] != '/')
            buf_cut(&at, at.n - 1);
        buf_cut(&at, at.n - 1);
    }
    buf_fini(&names);
    buf_fini(&at);
    return MIN(r, 0);
}

/* mount.c -- the mount table, and the life of backends */
#include "vfs/walk.h"

struct fs *fs_ref(struct fs *fs)
{
    fs->refs++;
    return fs;
}

void fs_unref(struct fs *fs)
{
    if (fs && --fs->refs == 0)
        fs->ops->free(fs);
}

unsigned fs_busy(struct fs *fs) { return fs->ops->busy ? fs->ops->busy(fs) : fs->open_files; }

int fs_walk(struct fs *fs, struct cred c, struct str path, size_t *used, struct stat_info *st)
{
    struct stat_info up;

    if (fs->ops->walk)
        return fs->ops->walk(fs, c, path, used, st);
    struct str dir = path_dir(path);
    int r = fs->ops->stat(fs, path, st);
    *used = r == 0 ? path.n : 0;
    if (r == HOB_ENOENT && fs->ops->stat(fs, dir, &up) == 0)
        *used = dir.n;
    return r;
}

int vfs_init(struct vfs *v, struct kernel *k, struct fs *root)
{
    *v = (struct vfs){.kernel = k, .next_dev = 1};
    if (!root)
        return HOB_ENOMEM;
    return vfs_mount(v, STR("/"), root);
}

static void vfs_drop(struct vfs *v, size_t i)
{
    struct mount m = v->mounts[i];

    v->n--;
    memmove(&v->mounts[i], &v->mounts[i + 1], (v->n - i) * sizeof *v->mounts);
    m.fs->at = STR("");
    fs_unref(m.fs);
    if (m.path.n > 1)
        heap_free(&v->kernel->heap, (char *)(uintptr_t)m.path.p, m.path.n + 1);
}

void vfs_fini(struct vfs *v)
{
    while (v->n > 0)
        vfs_drop(v, 0);
    heap_free(&v->kernel->heap, v->mounts, v->cap * sizeof *v->mounts);
    v->mounts = NULL;
}

/* Adds the row; path is clean, absolute and without symlinks. */
static int vfs_add(struct vfs *v, struct str path, struct fs *fs)
{
    struct heap *h = &v->kernel->heap;
    char *copy = NULL;

    if (v->n == v->cap) {
        size_t cap = v->cap ? v->cap * 2 : 4;
        struct mount *m = heap_realloc(h, v->mounts, v->cap * sizeof *m, cap * sizeof *m);
        if (!m)
            return HOB_ENOMEM;
        v->mounts = m;
        v->cap = cap;
    }
    if (path.n > 1) {
        copy = heap_alloc(h, path.n + 1);
        if (!copy)
            return HOB_ENOMEM;
        memcpy(copy, path.p, path.n);
        copy[path.n] = '\0';
    }
    size_t i = 0;
    while (i < v->n && v->mounts[i].path.n >= path.n)
        i++;
    memmove(&v->mounts[i + 1], &v->mounts[i], (v->n - i) * sizeof *v->mounts);
    v->mounts[i] = (struct mount){copy ? str_of(copy, path.n) : STR("/"), fs};
    v->n++;
    fs->dev = v->next_dev++;
    fs->at = v->mounts[i].path;
    return 0;
}

int vfs_mount(struct vfs *v, struct str path, struct fs *fs)
{
    struct spot s;
    int r = 0;

    if (v->n > 0) {
        r = walk(v, (struct cred){0, 0}, STR("/"), path, WALK_FOLLOW | WALK_DEEP, &s);
        if (r == 0 && walk_is_mount(v, str_of(s.path, s.n)))
            r = HOB_EBUSY;
        if (r == 0 && !s.missing && !MODE_IS_DIR(s.st.mode))
            r = HOB_ENOTDIR;
    } else {
        s.path[0] = '/';
        s.n = 1;
    }
    if (r == 0)
        r = vfs_add(v, str_of(s.path, s.n), fs);
    if (r < 0)
        fs_unref(fs);
    return r;
}

int vfs_unmount(struct vfs *v, struct str path)
{
    struct spot s;
    int r = walk(v, (struct cred){0, 0}, STR("/"), path, WALK_FOLLOW, &s);

    /* A mount whose folder vanished can be taken away by its plain name. */
    if (r < 0 && path.n < sizeof s.path) {
        memcpy(s.path, path.p, path.n);
        s.n = path.n;
    }
    for (size_t i = 0; i < v->n; i++) {
        struct mount *m = &v->mounts[i];
        if (!str_eq(m->path, str_of(s.path, s.n)))
            continue;
        if (m->path.n == 1 || fs_busy(m->fs) > 0 || walk_above_mount(v, m->path))
            return HOB_EBUSY;
        vfs_drop(v, i);
        return 0;
    }
    return r < 0 ? r : HOB_EINVAL;
}

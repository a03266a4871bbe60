/* mounts.c -- host folders, overlays and lazy folders, mounted live */
#include "base/error.h"
#include "host/hostfs.h"
#include "sandbox/sandbox.h"

/* ---- copying a host folder into the tree ----------------------------------------------------- */

struct mounts_copy {
    struct proc *p;
    struct heap *heap;
    struct str from, to;  /* the two roots */
    VEC(struct str) todo; /* folders still to copy, relative to the roots; owned */
    struct str dir;       /* the one that is listed */
    int err;
};

static void mounts_join(struct buf *b, struct str a, struct str c, struct str d)
{
    buf_str(b, a);
    if (c.n)
        buf_putc(b, '/'), buf_str(b, c);
    if (d.n)
        buf_putc(b, '/'), buf_str(b, d);
}

static int mounts_copy_file(struct mounts_copy *c, struct str src, struct str dst, uint32_t mode)
{
    struct file *in, *out;
    int r = vfs_open(c->p, src, FILE_READ | FILE_NONBLOCK, 0, &in);
    if (r < 0)
        return r;
    r = vfs_open(c->p, dst, FILE_WRITE | FILE_CREATE | FILE_TRUNC, mode & 0777, &out);
    if (r < 0) {
        file_unref(in);
        return r;
    }
    for (;;) {
        struct slice s;
        ptrdiff_t n = file_take(in, c->p, &s);
        if (n <= 0) {
            r = (int)n;
            break;
        }
        r = file_give(out, c->p, &s);
        if (r < 0)
            break;
    }
    file_unref(in);
    file_unref(out);
    return r < 0 ? r : vfs_chmod(c->p, dst, mode & 07777);
}

static int mounts_copy_link(struct mounts_copy *c, struct str src, struct str dst)
{
    struct buf b;
    buf_init(&b, c->heap);
    int r = vfs_readlink(c->p, src, &b);
    if (r == 0)
        r = vfs_symlink(c->p, buf_get(&b), dst);
    buf_fini(&b);
    return r;
}

static int mounts_copy_entry(void *ud, const struct dir_entry *e)
{
    struct mounts_copy *c = ud;
    struct buf src, dst, rel;
    buf_init(&src, c->heap);
    buf_init(&dst, c->heap);
    buf_init(&rel, c->heap);
    mounts_join(&src, c->from, c->dir, e->name);
    mounts_join(&dst, c->to, c->dir, e->name);
    if (c->dir.n)
        buf_str(&rel, c->dir), buf_putc(&rel, '/');
    buf_str(&rel, e->name);
    struct stat_info st;
    int r = vfs_stat(c->p, buf_get(&src), VFS_NOFOLLOW, &st);
    if (r == 0 && MODE_IS_DIR(st.mode)) {
        struct str s = heap_str(c->heap, buf_get(&rel));
        r = vfs_mkdir(c->p, buf_get(&dst), (st.mode & 0777) | 0700);
        if (r == 0 || !s.p)
            r = s.p && vec_push(c->heap, &c->todo, s) ? 0 : HOB_ENOMEM;
        else
            heap_free(c->heap, (void *)s.p, s.n + 1);
    } else if (r == 0 && MODE_IS_LINK(st.mode)) {
        r = mounts_copy_link(c, buf_get(&src), buf_get(&dst));
    } else if (r == 0 && MODE_IS_FILE(st.mode)) {
        r = mounts_copy_file(c, buf_get(&src), buf_get(&dst), st.mode);
    }
    if (r == 0)
        vfs_utimes(c->p, buf_get(&dst), st.atime, st.mtime, VFS_NOFOLLOW);
    buf_fini(&src);
    buf_fini(&dst);
    buf_fini(&rel);
    c->err = r;
    return r;
}

/* The host folder is mounted aside while it is copied. */
static int mounts_copy(struct virtual_box *box, struct str path, struct fs *host)
{
    struct outside o;
    struct mounts_copy c = {.p = outside_init(&o, box),
                            .heap = &box->kernel.heap,
                            .from = STR("/.hob-copy"),
                            .to = path.n == 1 ? STR("") : path};
    int r = vfs_mount(&box->vfs, c.from, host);
    if (r < 0)
        return r;
    c.p->uid = c.p->gid = 0;
    r = vfs_mkdirs(c.p, path, 0755);
    c.p->uid = box->kernel.uid;
    c.p->gid = box->kernel.gid;
    struct stat_info st;
    if (r == 0 && vfs_stat(c.p, path, 0, &st) == 0 && st.uid != box->kernel.uid) {
        c.p->uid = 0;
        r = vfs_chown(c.p, path, box->kernel.uid, box->kernel.gid, 0);
        c.p->uid = box->kernel.uid;
    }
    struct str root = heap_str(c.heap, STR(""));
    if (r == 0 && (!root.p || !vec_push(c.heap, &c.todo, root)))
        r = HOB_ENOMEM;
    for (size_t i = 0; r == 0 && i < c.todo.n; i++) {
        struct buf b;
        c.dir = c.todo.p[i];
        buf_init(&b, c.heap);
        mounts_join(&b, c.from, c.dir, STR(""));
        r = vfs_list(c.p, buf_get(&b), mounts_copy_entry, &c);
        buf_fini(&b);
    }
    for (size_t i = 0; i < c.todo.n; i++)
        heap_free(c.heap, (void *)c.todo.p[i].p, c.todo.p[i].n + 1);
    vec_fini(c.heap, &c.todo);
    vfs_unmount(&box->vfs, c.from);
    return r;
}

/* ---- mounting -------------------------------------------------------------------------------- */

static int mounts_backend(struct virtual_box *box, struct box_mount *m, struct fs **out,
                          struct hob_error *err)
{
    struct kernel *k = &box->kernel;
    struct fs *fs = NULL;
    m->tree = NULL;
    switch (m->kind) {
    case HOB_MOUNT_RO:
    case HOB_MOUNT_RW:
    case HOB_MOUNT_COPY: fs = hostfs_new(k, m->host_dir, m->kind == HOB_MOUNT_RW, err); break;
    case HOB_MOUNT_OVERLAY:
        fs = hostfs_new(k, m->host_dir, false, err);
        fs = fs ? overlay_new(k, fs) : NULL;
        m->tree = fs;
        break;
    case HOB_MOUNT_MEMORY: fs = m->tree = tree_new(k, false); break;
    case HOB_MOUNT_LAZY: fs = lazy_new(k, &m->lazy); break;
    default: return error_set(err, HOB_EINVAL, "mount: there is no such kind");
    }
    if (fs && m->quota)
        fs = shim_quota(fs, m->quota);
    if (!fs)
        return err && err->code ? err->code
                                : error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    *out = fs;
    return 0;
}

int box_mount(struct virtual_box *box, const struct box_mount *like, struct hob_error *err)
{
    struct heap *h = &box->kernel.heap;
    struct box_mount m = *like;
    struct fs *fs = NULL;
    int r = mounts_backend(box, &m, &fs, err);
    if (r < 0)
        return r;
    if (m.kind == HOB_MOUNT_COPY)
        return mounts_copy(box, like->path, fs);
    m.path = heap_str(h, like->path);
    m.host_dir_size = like->host_dir ? strlen(like->host_dir) + 1 : 0;
    m.host_dir = m.host_dir_size ? heap_alloc(h, m.host_dir_size) : NULL;
    if (m.host_dir)
        memcpy(m.host_dir, like->host_dir, m.host_dir_size);
    bool kept = m.path.p && (m.host_dir || !m.host_dir_size) && vec_push(h, &box->mounts, m);
    if (kept) {
        r = vfs_mount(&box->vfs, m.path, fs);
        if (r == 0)
            return 0;
        box->mounts.n--;
    } else {
        fs_unref(fs);
        r = HOB_ENOMEM;
    }
    if (m.path.p)
        heap_free(h, (void *)m.path.p, m.path.n + 1);
    heap_free(h, m.host_dir, m.host_dir_size);
    return r;
}

int hob_mount(hob_sandbox *handle, const char *path, const hob_mount_options *opt, hob_error *err)
{
    struct virtual_box *box = handle->v;
    if (err)
        *err = (hob_error){0};
    if (!box)
        return error_set(err, HOB_ENOTSUP, "mount: only a virtual sandbox has mounts");
    if (!opt || opt->size != sizeof *opt)
        return error_set(err, HOB_EINVAL, "hob_mount_options: size is not set");
    bool host = opt->kind <= HOB_MOUNT_COPY;
    if ((host && !opt->host_dir) || (opt->kind == HOB_MOUNT_LAZY && !opt->lazy))
        return error_set(err, HOB_EINVAL, "mount: there is nothing to mount");
    struct buf b;
    buf_init(&b, &box->kernel.heap);
    path_normalise(&b, handle->cwd, str_z(path));
    struct box_mount m = {.path = buf_get(&b),
                          .kind = opt->kind,
                          .host_dir = host ? (char *)opt->host_dir : NULL,
                          .quota = opt->quota};
    if (opt->lazy)
        m.lazy = *opt->lazy;
    int r = heap_gate(&box->kernel.heap);
    if (r == 0 && m.path.n == 1 && opt->kind != HOB_MOUNT_COPY)
        r = HOB_EBUSY;
    if (r == 0)
        r = box_mount(box, &m, err);
    buf_fini(&b);
    heap_gate(&box->kernel.heap);
    if (r < 0 && err && !err->code)
        error_set(err, r, "%s: %s", path, error_text(r));
    return r;
}

int hob_unmount(hob_sandbox *handle, const char *path)
{
    struct virtual_box *box = handle->v;
    if (!box)
        return HOB_ENOTSUP;
    struct heap *h = &box->kernel.heap;
    struct buf b;
    buf_init(&b, h);
    path_normalise(&b, handle->cwd, str_z(path));
    int r = HOB_EINVAL;
    for (size_t i = 0; i < box->mounts.n; i++) {
        struct box_mount *m = &box->mounts.p[i];
        if (!str_eq(m->path, buf_get(&b)))
            continue;
        r = vfs_unmount(&box->vfs, m->path);
        if (r == 0) {
            heap_free(h, (void *)m->path.p, m->path.n + 1);
            heap_free(h, m->host_dir, m->host_dir_size);
            memmove(m, m + 1, (--box->mounts.n - i) * sizeof *m);
        }
        break;
    }
    buf_fini(&b);
    return r;
}

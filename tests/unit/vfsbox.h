/* vfsbox.h -- for tests of files: a kernel, a process and a file tree without a sandbox around
 *
 * The process runs on a task that never yields, so nothing here may wait.
 */
#ifndef VFSBOX_H
#define VFSBOX_H

#include "testheap.h"
#include "vfs/vfs.h"

struct vfsbox {
    struct testheap mem;
    struct kernel kernel;
    struct host host;
    struct run run;
    struct task task;
    struct fdtab fds;
    struct proc proc;
    struct vfs vfs;
};

static inline int64_t vfsbox_now(void *ud)
{
    int64_t *t = ud;
    return *t += 1000; /* time moves when it is looked at */
}

static inline void vfsbox_release(void *ud, void *p)
{
    (void)ud;
    free(p);
}

/* All but the files. */
static inline void vfsbox_begin(struct vfsbox *b)
{
    static int64_t clock;
    memset(b, 0, sizeof *b);
    clock = INT64_C(1700000000000000000);
    testheap_init(&b->mem, SIZE_MAX);
    struct kernel *k = &b->kernel;
    heap_init(&k->heap, testheap_fn, &b->mem, SIZE_MAX);
    b->host = (struct host){.ud = &clock,
                            .now = vfsbox_now,
                            .monotonic = vfsbox_now,
                            .cpu = vfsbox_now,
                            .release = vfsbox_release};
    k->host = &b->host;
    sched_init(&k->sched, &k->heap, &b->host);
    k->limits = (struct limits){.memory = UINT64_C(1) << 30,
                                .files = 1000000,
                                .file_size = UINT64_C(1) << 30,
                                .processes = 1024,
                                .fds = 1024};
    k->user = STR("user");
    k->hostname = STR("hob");
    k->uid = k->gid = 1000;
    k->boot = INT64_C(1600000000000000000);
    k->vfs = &b->vfs;
    random_seed(&k->random, 1);
    b->run = (struct run){.kernel = k, .refs = 1, .deadline = INT64_MAX, .fuel_left = UINT64_MAX};
    b->task.slice = INT64_MAX;
    b->task.sched = &k->sched;
    fdtab_init(&b->fds, &k->heap);
    b->proc = (struct proc){.kernel = k, .task = &b->task, .run = &b->run, .pid = 7, .pgid = 7};
    b->proc.fds = &b->fds;
    b->proc.cwd = STR("/");
    b->proc.umask = 022;
    b->proc.uid = b->proc.gid = 1000;
    b->task.proc = &b->proc;
}

/* Takes the root over. */
static inline int vfsbox_mount(struct vfsbox *b, struct fs *root)
{
    return vfs_init(&b->vfs, &b->kernel, root);
}

static inline void vfsbox_end(struct vfsbox *b)
{
    fdtab_fini(&b->fds);
    vfs_fini(&b->vfs);
    sched_fini(&b->kernel.sched);
    CHECK_EQ(b->kernel.heap.used, 0);
    CHECK_EQ(b->mem.live, 0);
}

static inline int vfsbox_put(struct vfsbox *b, const char *path, const void *bytes, size_t n,
                             unsigned flags)
{
    struct file *f;
    int r = vfs_open(&b->proc, str_z(path), FILE_WRITE | FILE_CREATE | flags, 0666, &f);
    if (r < 0)
        return r;
    r = file_write(f, &b->proc, bytes, n);
    file_unref(f);
    return r;
}

static inline int vfsbox_write(struct vfsbox *b, const char *path, const char *text)
{
    return vfsbox_put(b, path, text, strlen(text), FILE_TRUNC);
}

/* The contents with a NUL behind, or the name of the error; good until the next call. */
static inline const char *vfsbox_read(struct vfsbox *b, const char *path)
{
    static char text[200000];
    struct file *f;
    int r = vfs_open(&b->proc, str_z(path), FILE_READ, 0, &f);
    if (r < 0)
        return hob_error_name(r);
    size_t n = 0;
    ptrdiff_t got;
    while ((got = file_read(f, &b->proc, text + n, sizeof text - 1 - n)) > 0)
        n += (size_t)got;
    file_unref(f);
    text[n] = '\0';
    return got < 0 ? hob_error_name((int)got) : text;
}

static inline int vfsbox_list_each(void *ud, const struct dir_entry *e)
{
    char *text = ud;
    size_t n = strlen(text);
    snprintf(text + n, 4000 - n, "%s%.*s%s", n ? " " : "", (int)e->name.n, e->name.p,
             MODE_IS_DIR(e->mode)    ? "/"
             : MODE_IS_LINK(e->mode) ? "@"
                                     : "");
    return 0;
}

/* "a b/ c@", or the name of the error. */
static inline const char *vfsbox_list(struct vfsbox *b, const char *path)
{
    static char text[4000];
    text[0] = '\0';
    int r = vfs_list(&b->proc, str_z(path), vfsbox_list_each, text);
    return r < 0 ? hob_error_name(r) : text;
}

static inline int vfsbox_mode(struct vfsbox *b, const char *path)
{
    struct stat_info st;
    int r = vfs_stat(&b->proc, str_z(path), VFS_NOFOLLOW, &st);
    return r < 0 ? r : (int)st.mode;
}

#endif

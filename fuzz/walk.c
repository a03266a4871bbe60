/* walk.c -- fuzz target: a sequence of calls with any paths on a tree, an overlay and their mounts
 *
 * Each line is a call: a letter, a path, and after a tab a second one. Whatever is asked, the walk
 * stays inside, each answer is a known error, a path that it resolves is clean and leads to the
 * same file, and all memory comes back.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "vfs/vfs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t fuzz_live; /* bytes handed out */

static void *fuzz_alloc(void *ud, void *p, size_t old, size_t n)
{
    (void)ud;
    fuzz_live += n - old;
    if (n == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, n);
}

static void fuzz_demand(int x)
{
    if (!x)
        abort();
}

static int64_t fuzz_now(void *ud)
{
    (void)ud;
    return INT64_C(1700000000000000000);
}

static int fuzz_each(void *ud, const struct dirent *e)
{
    (void)ud;
    fuzz_demand(e->name.n > 0 && e->name.n <= VFS_NAME_MAX && !memchr(e->name.p, '/', e->name.n));
    return 0;
}

/* A resolved path has no dots, and resolving it again changes nothing. */
static void fuzz_real(struct proc *p, struct str path)
{
    struct buf b, again;
    struct stat_info st, same;
    buf_init(&b, &p->kernel->heap);
    buf_init(&again, &p->kernel->heap);
    if (vfs_realpath(p, path, false, &b) == 0) {
        fuzz_demand(b.p[0] == '/' && !strstr(b.p, "//") && !strstr(b.p, "/../"));
        fuzz_demand(vfs_stat(p, path, 0, &st) == 0);
        fuzz_demand(vfs_stat(p, buf_get(&b), VFS_NOFOLLOW, &same) == 0);
        fuzz_demand(st.ino == same.ino && st.dev == same.dev);
        fuzz_demand(vfs_realpath(p, buf_get(&b), false, &again) == 0);
        fuzz_demand(str_eq(buf_get(&b), buf_get(&again)));
    }
    buf_fini(&b);
    buf_fini(&again);
}

static int fuzz_open(struct proc *p, struct str path, unsigned flags, struct str text)
{
    struct file *f;
    int r = vfs_open(p, path, flags | FILE_NONBLOCK, 0666, &f);
    if (r < 0)
        return r;
    if ((flags & FILE_WRITE) && (f->flags & FILE_SEEKABLE))
        file_write(f, p, text.p ? text.p : "", text.n);
    file_unref(f);
    return r;
}

static void fuzz_call(struct proc *p, char what, struct str a, struct str b)
{
    struct stat_info st;
    struct buf out;
    int r = 0;
    switch (what) {
    case 'm': r = vfs_mkdir(p, a, 0777); break;
    case 'M': r = vfs_mkdirs(p, a, 0777); break;
    case 'd': r = vfs_rmdir(p, a); break;
    case 'u': r = vfs_unlink(p, a); break;
    case 'x': r = vfs_remove_all(p, a); break;
    case 'r': r = vfs_rename(p, a, b); break;
    case 'l': r = vfs_link(p, a, b, 0); break;
    case 's': r = vfs_symlink(p, b, a); break;
    case 'f': r = vfs_mkfifo(p, a, 0666); break;
    case 'c': r = vfs_chmod(p, a, (uint32_t)(b.n ? b.p[0] * 7 : 0755)); break;
    case 't': r = vfs_truncate(p, a, b.n * 50000); break;
    case 'o': r = fuzz_open(p, a, FILE_READ, b); break;
    case 'w': r = fuzz_open(p, a, FILE_WRITE | FILE_CREATE | FILE_TRUNC, b); break;
    case 'a': r = fuzz_open(p, a, FILE_WRITE | FILE_CREATE | FILE_APPEND, b); break;
    case 'L': r = vfs_list(p, a, fuzz_each, NULL); break;
    case 'k':
        buf_init(&out, &p->kernel->heap);
        r = vfs_readlink(p, a, &out);
        buf_fini(&out);
        break;
    case 'n': r = vfs_mount(p->kernel->vfs, a, tree_new(p->kernel, false)); break;
    case 'v': r = vfs_unmount(p->kernel->vfs, a); break;
    default: r = vfs_stat(p, a, VFS_NOFOLLOW, &st);
    }
    fuzz_demand(r <= 0 && r != HOB_EBUG && r != HOB_ENOMEM);
    fuzz_real(p, a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct host host = {.now = fuzz_now, .monotonic = fuzz_now, .cpu = fuzz_now};
    struct kernel k;
    struct vfs v;
    struct run run = {.kernel = &k, .refs = 1, .deadline = INT64_MAX, .fuel_left = UINT64_MAX};
    struct task task = {.slice = INT64_MAX};
    struct fdtab fds;
    struct proc p = {.kernel = &k, .task = &task, .run = &run, .pid = 1, .uid = 1000, .gid = 1000};

    memset(&k, 0, sizeof k);
    fuzz_live = 0;
    heap_init(&k.heap, fuzz_alloc, NULL, SIZE_MAX);
    sched_init(&k.sched, &k.heap, &host);
    k.host = &host;
    k.limits = (struct limits){.memory = 1 << 30, .files = 10000, .file_size = 1 << 24};
    k.user = STR("user");
    k.hostname = STR("hob");
    k.uid = k.gid = 1000;
    k.vfs = &v;
    task.sched = &k.sched;
    task.proc = &p;
    fdtab_init(&fds, &k.heap);
    p.fds = &fds;
    p.cwd = STR("/home/user");
    p.umask = 022;
    fuzz_demand(vfs_init(&v, &k, tree_new(&k, true)) == 0);
    fuzz_demand(vfs_mount(&v, STR("/mnt"), overlay_new(&k, tree_new(&k, true))) == 0);
    fuzz_demand(vfs_mount(&v, STR("/dev"), devfs_new(&k)) == 0);
    fuzz_demand(vfs_mount(&v, STR("/proc"), procfs_new(&k)) == 0);

    struct str text = {(const char *)data, size};
    for (int n = 0; text.n > 0 && n < 200; n++) {
        ptrdiff_t nl = str_chr(text, '\n');
        struct str line = nl < 0 ? text : str_sub(text, 0, (size_t)nl);
        text = str_from(text, line.n + (nl >= 0));
        if (line.n < 2)
            continue;
        struct str path = str_from(line, 1), second = STR("");
        ptrdiff_t tab = str_chr(path, '\t');
        if (tab >= 0) {
            second = str_from(path, (size_t)tab + 1);
            path.n = (size_t)tab;
        }
        fuzz_call(&p, line.p[0], path, second);
    }
    fdtab_fini(&fds);
    vfs_fini(&v);
    sched_fini(&k.sched);
    fuzz_demand(k.heap.used == 0 && fuzz_live == 0);
    return 0;
}

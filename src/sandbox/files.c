/* files.c -- files from outside: the embedder's own reads and writes */
#include "sandbox/sandbox.h"

static struct str files_path(const char *path) { return str_z(path); }

static void files_stat_out(hob_stat_t *out, const struct stat_info *st)
{
    *out = (hob_stat_t){
        .mode = st->mode,
        .uid = st->uid,
        .gid = st->gid,
        .nlink = st->nlink,
        .ino = st->ino,
        .bytes = st->size,
        .atime_ns = st->atime,
        .mtime_ns = st->mtime,
        .ctime_ns = st->ctime,
    };
}

/* Every call ends here: a failed allocation inside becomes its result. */
static int files_done(hob_sandbox *box, int r)
{
    int oom = heap_gate(&box->kernel.heap);
    return r < 0 ? r : oom;
}

int hob_read(hob_sandbox *box, const char *path, hob_bytes *out)
{
    struct outside o;
    struct proc *p = outside_init(&o, box);
    struct file *f;
    *out = (hob_bytes){0};
    int r = vfs_open(p, files_path(path), FILE_READ | FILE_NONBLOCK, 0, &f);
    if (r < 0)
        return files_done(box, r);
    struct stat_info st;
    r = file_stat(f, &st);
    if (r == 0 && MODE_IS_DIR(st.mode))
        r = HOB_EISDIR;
    /* The size is a hint: /proc and devices say 0. */
    size_t cap = r == 0 && st.size < SIZE_MAX / 2 ? (size_t)st.size + 1 : 1, n = 0;
    char *data = r == 0 ? hob_alloc(cap) : NULL;
    while (r == 0) {
        if (n + 1 >= cap) {
            char *more = hob_alloc(cap * 2 + 4096);
            if (more && data)
                memcpy(more, data, n);
            hob_free(data);
            data = more;
            cap = cap * 2 + 4096;
        }
        if (!data) {
            r = HOB_ENOMEM;
            break;
        }
        if (n > box->kernel.limits.memory) {
            r = HOB_EFBIG; /* /dev/zero has no end */
            break;
        }
        ptrdiff_t got = file_read(f, p, data + n, cap - n - 1);
        if (got <= 0) {
            r = (int)got;
            break;
        }
        n += (size_t)got;
        if (n == st.size)
            break;
    }
    file_unref(f);
    if (r < 0) {
        hob_free(data);
        return files_done(box, r);
    }
    data[n] = '\0';
    *out = (hob_bytes){data, n};
    return files_done(box, 0);
}

static int files_open_write(struct proc *p, struct str path, unsigned flags, struct file **f)
{
    int r = vfs_open(p, path, flags, 0644, f);
    if (r != HOB_ENOENT)
        return r;
    /* Missing folders are made; the second error is the one that counts. */
    struct buf b;
    buf_init(&b, &p->kernel->heap);
    path_normalise(&b, p->cwd, path);
    vfs_mkdirs(p, path_dir(buf_get(&b)), 0755);
    buf_fini(&b);
    return vfs_open(p, path, flags, 0644, f);
}

static int files_write(hob_sandbox *box, const char *path, const void *data, size_t len,
                       unsigned flags)
{
    struct outside o;
    struct proc *p = outside_init(&o, box);
    struct file *f;
    if (len == HOB_Z)
        len = data ? strlen(data) : 0;
    int r =
        files_open_write(p, files_path(path), FILE_WRITE | FILE_CREATE | FILE_NONBLOCK | flags, &f);
    if (r < 0)
        return files_done(box, r);
    if (len)
        r = file_write(f, p, data, len);
    file_unref(f);
    return files_done(box, r);
}

int hob_write(hob_sandbox *box, const char *path, const void *data, size_t len)
{
    return files_write(box, path, data, len, FILE_TRUNC);
}

int hob_append(hob_sandbox *box, const char *path, const void *data, size_t len)
{
    return files_write(box, path, data, len, FILE_APPEND);
}

static int files_stat(hob_sandbox *box, const char *path, hob_stat_t *out, int flags)
{
    struct outside o;
    struct stat_info st;
    int r = vfs_stat(outside_init(&o, box), files_path(path), flags, &st);
    if (r == 0)
        files_stat_out(out, &st);
    return files_done(box, r);
}

int hob_stat(hob_sandbox *box, const char *path, hob_stat_t *out)
{
    return files_stat(box, path, out, 0);
}

int hob_lstat(hob_sandbox *box, const char *path, hob_stat_t *out)
{
    return files_stat(box, path, out, VFS_NOFOLLOW);
}

int hob_exists(hob_sandbox *box, const char *path)
{
    hob_stat_t st;
    return hob_stat(box, path, &st) == 0;
}

/* Names and the array go into one block for the caller: first counted, then filled. */
struct files_listing {
    size_t n, text;
    hob_dirent *out;
    char *at;
};

static int files_count(void *ud, const struct dirent *e)
{
    struct files_listing *l = ud;
    l->n++;
    l->text += e->name.n + 1;
    return 0;
}

static int files_fill(void *ud, const struct dirent *e)
{
    struct files_listing *l = ud;
    memcpy(l->at, e->name.p, e->name.n);
    l->at[e->name.n] = '\0';
    l->out[l->n++] = (hob_dirent){l->at, e->mode & MODE_TYPE};
    l->at += e->name.n + 1;
    return 0;
}

int hob_readdir(hob_sandbox *box, const char *path, hob_dirent **out, size_t *n)
{
    struct outside o;
    struct proc *p = outside_init(&o, box);
    struct files_listing l = {0};
    int r = vfs_list(p, files_path(path), files_count, &l);
    if (r < 0)
        return files_done(box, r);
    l.out = hob_alloc(l.n * sizeof *l.out + l.text + 1);
    if (!l.out)
        return HOB_ENOMEM;
    l.at = (char *)(l.out + l.n);
    l.n = 0;
    r = vfs_list(p, files_path(path), files_fill, &l);
    if (r < 0)
        hob_free(l.out);
    else
        *out = l.out, *n = l.n;
    return files_done(box, r);
}

int hob_mkdir(hob_sandbox *box, const char *path, int flags)
{
    struct outside o;
    struct proc *p = outside_init(&o, box);
    int r = flags & HOB_RECURSIVE ? vfs_mkdirs(p, files_path(path), 0755)
                                  : vfs_mkdir(p, files_path(path), 0755);
    return files_done(box, r);
}

int hob_rm(hob_sandbox *box, const char *path, int flags)
{
    struct outside o;
    struct proc *p = outside_init(&o, box);
    struct stat_info st;
    int r = vfs_stat(p, files_path(path), VFS_NOFOLLOW, &st);
    if (r == 0 && MODE_IS_DIR(st.mode))
        r = flags & HOB_RECURSIVE ? vfs_remove_all(p, files_path(path)) : HOB_EISDIR;
    else if (r == 0)
        r = vfs_unlink(p, files_path(path));
    if (r == HOB_ENOENT && (flags & HOB_FORCE))
        r = 0;
    return files_done(box, r);
}

int hob_rename(hob_sandbox *box, const char *from, const char *to)
{
    struct outside o;
    return files_done(box, vfs_rename(outside_init(&o, box), files_path(from), files_path(to)));
}

int hob_symlink(hob_sandbox *box, const char *target, const char *path)
{
    struct outside o;
    return files_done(box, vfs_symlink(outside_init(&o, box), str_z(target), files_path(path)));
}

int hob_readlink(hob_sandbox *box, const char *path, hob_bytes *out)
{
    struct outside o;
    struct buf b;
    buf_init(&b, &box->kernel.heap);
    int r = vfs_readlink(outside_init(&o, box), files_path(path), &b);
    if (r == 0) {
        out->data = hob_alloc(b.n + 1);
        if (!out->data) {
            r = HOB_ENOMEM;
        } else {
            memcpy(out->data, buf_get(&b).p, b.n);
            out->data[b.n] = '\0';
            out->len = b.n;
        }
    }
    buf_fini(&b);
    return files_done(box, r);
}

int hob_chmod(hob_sandbox *box, const char *path, uint32_t mode)
{
    struct outside o;
    return files_done(box, vfs_chmod(outside_init(&o, box), files_path(path), mode & 07777));
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* A stack of names to visit: no recursion, so depth costs heap and not stack. */
struct files_walk {
    struct proc *p;
    struct heap *heap;
    VEC(struct str) todo; /* owned paths, next one last */
    struct strs names;    /* of the folder that is listed */
};

static int files_walk_name(void *ud, const struct dirent *e)
{
    struct files_walk *w = ud;
    struct str s = heap_str(w->heap, e->name);
    if (!s.p || !vec_push(w->heap, &w->names, s)) {
        if (s.p)
            heap_free(w->heap, (void *)s.p, s.n + 1);
        return HOB_ENOMEM;
    }
    return 0;
}

/* Puts the children of dir on the stack, the last name first. */
static int files_walk_push(struct files_walk *w, struct str dir)
{
    int r = vfs_list(w->p, dir, files_walk_name, w);
    for (size_t i = w->names.n; i-- > 0;) {
        struct str name = w->names.p[i];
        struct buf b;
        buf_init(&b, w->heap);
        buf_str(&b, dir);
        if (dir.n && dir.p[dir.n - 1] != '/')
            buf_putc(&b, '/');
        buf_str(&b, name);
        struct str path = r < 0 ? STR_NONE : heap_str(w->heap, buf_get(&b));
        buf_fini(&b);
        heap_free(w->heap, (void *)name.p, name.n + 1);
        if (r == 0 && (!path.p || !vec_push(w->heap, &w->todo, path)))
            r = HOB_ENOMEM;
    }
    w->names.n = 0;
    return r;
}

int hob_walk(hob_sandbox *box, const char *path, hob_walk_fn fn, void *ud)
{
    struct outside o;
    struct files_walk w = {.p = outside_init(&o, box), .heap = &box->kernel.heap};
    struct buf whole;
    buf_init(&whole, w.heap);
    path_normalise(&whole, box->cwd, str_z(path));
    struct str start = heap_str(w.heap, buf_get(&whole));
    buf_fini(&whole);
    int r = start.p && vec_push(w.heap, &w.todo, start) ? 0 : HOB_ENOMEM;
    bool first = true;
    while (r == 0 && w.todo.n) {
        struct str at = w.todo.p[--w.todo.n];
        struct stat_info st;
        hob_stat_t out;
        r = vfs_stat(w.p, at, VFS_NOFOLLOW, &st);
        if (r == 0) {
            files_stat_out(&out, &st);
            r = fn(ud, at.p, &out);
        }
        if (r == 0 && MODE_IS_DIR(st.mode)) {
            r = files_walk_push(&w, at);
            if (r == HOB_EACCES && !first)
                r = 0; /* a closed folder is shown, what is in it is not */
        }
        first = false;
        heap_free(w.heap, (void *)at.p, at.n + 1);
    }
    while (w.todo.n) {
        struct str at = w.todo.p[--w.todo.n];
        heap_free(w.heap, (void *)at.p, at.n + 1);
    }
    vec_fini(w.heap, &w.todo);
    vec_fini(w.heap, &w.names);
    int oom = heap_gate(w.heap);
    return r ? r : oom;
}

/* files.c -- files of a virtual sandbox from outside: the embedder's own reads and writes */
#include "sandbox/sandbox.h"

/* Paths are read by the letter: ".." after a symlink leads back to where the link stands, and a
 * slash at the end says nothing. Only then is there something to do; the walk does the rest. */
static bool files_plain(struct str path)
{
    if (path.n > 1 && path.p[path.n - 1] == '/')
        return false;
    for (size_t i = 0; i + 1 < path.n; i++)
        if (path.p[i] == '.' && path.p[i + 1] == '.' && (i == 0 || path.p[i - 1] == '/'))
            return false;
    return true;
}

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

/* One call from outside: the process that stands for the embedder, and the path. */
struct files_call {
    struct outside o;
    struct proc *p;
    struct heap *heap;
    struct buf text; /* of the path, where it had to be made plain */
    struct str path;
};

static void files_begin(struct files_call *c, hob_sandbox *box, const char *path)
{
    c->p = outside_of(&c->o, box);
    c->heap = &box->v->kernel.heap;
    buf_init(&c->text, c->heap);
    c->path = str_z(path);
    if (files_plain(c->path))
        return;
    path_normalise(&c->text, box->cwd, c->path);
    c->path = buf_get(&c->text); /* without memory "": no call finds that */
}

/* Every call ends here: a failed allocation inside becomes its result. */
static int files_end(struct files_call *c, int r)
{
    buf_fini(&c->text);
    int oom = heap_gate(c->heap);
    return oom < 0 ? oom : r;
}

/* All of an open file; `most` bounds what has no end. */
static int files_read_all(struct file *f, struct proc *p, uint64_t most, hob_bytes *out)
{
    struct stat_info st;
    int r = file_stat(f, &st);
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
        if (n > most) {
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
    if (r < 0) {
        hob_free(data);
        return r;
    }
    data[n] = '\0';
    *out = (hob_bytes){data, n};
    return 0;
}

int files_read(hob_sandbox *box, const char *path, hob_bytes *out)
{
    struct files_call c;
    struct file *f;
    files_begin(&c, box, path);
    *out = (hob_bytes){0};
    int r = vfs_open(c.p, c.path, FILE_READ | FILE_NONBLOCK, 0, &f);
    if (r == 0) {
        r = files_read_all(f, c.p, box->v->kernel.limits.memory, out);
        file_unref(f);
    }
    r = files_end(&c, r);
    if (r < 0) {
        hob_free(out->data);
        *out = (hob_bytes){0};
    }
    return r;
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

int files_write(hob_sandbox *box, const char *path, const void *data, size_t len, int flags)
{
    struct files_call c;
    struct file *f;
    files_begin(&c, box, path);
    unsigned how = FILE_WRITE | FILE_CREATE | FILE_NONBLOCK;
    int r =
        files_open_write(c.p, c.path, how | (flags & HOB_APPEND ? FILE_APPEND : FILE_TRUNC), &f);
    if (r == 0) {
        if (len)
            r = file_write(f, c.p, data, len);
        file_unref(f);
    }
    return files_end(&c, r);
}

int files_stat(hob_sandbox *box, const char *path, int follow, hob_stat_t *out)
{
    struct files_call c;
    struct stat_info st;
    files_begin(&c, box, path);
    int r = vfs_stat(c.p, c.path, follow ? 0 : VFS_NOFOLLOW, &st);
    if (r == 0)
        files_stat_out(out, &st);
    return files_end(&c, r);
}

/* Names and the array go into one block for the caller: first counted, then filled. */
struct files_listing {
    size_t n, text;
    hob_dirent *out;
    char *at;
};

static int files_count(void *ud, const struct dir_entry *e)
{
    struct files_listing *l = ud;
    l->n++;
    l->text += e->name.n + 1;
    return 0;
}

static int files_fill(void *ud, const struct dir_entry *e)
{
    struct files_listing *l = ud;
    memcpy(l->at, e->name.p, e->name.n);
    l->at[e->name.n] = '\0';
    l->out[l->n++] = (hob_dirent){l->at, e->mode & MODE_TYPE};
    l->at += e->name.n + 1;
    return 0;
}

int files_readdir(hob_sandbox *box, const char *path, hob_dirent **out, size_t *n)
{
    struct files_call c;
    struct files_listing l = {0};
    files_begin(&c, box, path);
    int r = vfs_list(c.p, c.path, files_count, &l);
    if (r == 0) {
        l.out = hob_alloc(l.n * sizeof *l.out + l.text + 1);
        r = l.out ? 0 : HOB_ENOMEM;
    }
    if (r == 0) {
        l.at = (char *)(l.out + l.n);
        l.n = 0;
        r = vfs_list(c.p, c.path, files_fill, &l);
    }
    r = files_end(&c, r);
    if (r < 0)
        hob_free(l.out);
    else
        *out = l.out, *n = l.n;
    return r;
}

int files_mkdir(hob_sandbox *box, const char *path, int flags)
{
    struct files_call c;
    files_begin(&c, box, path);
    int r = flags & HOB_RECURSIVE ? vfs_mkdirs(c.p, c.path, 0755) : vfs_mkdir(c.p, c.path, 0755);
    return files_end(&c, r);
}

int files_rm(hob_sandbox *box, const char *path, int flags)
{
    struct files_call c;
    struct stat_info st;
    files_begin(&c, box, path);
    int r = vfs_stat(c.p, c.path, VFS_NOFOLLOW, &st);
    if (r == 0 && MODE_IS_DIR(st.mode))
        r = flags & HOB_RECURSIVE ? vfs_remove_all(c.p, c.path) : HOB_EISDIR;
    else if (r == 0)
        r = vfs_unlink(c.p, c.path);
    if (r == HOB_ENOENT && (flags & HOB_FORCE))
        r = 0;
    return files_end(&c, r);
}

int files_rename(hob_sandbox *box, const char *from, const char *to)
{
    struct files_call a, b;
    files_begin(&a, box, from);
    files_begin(&b, box, to);
    return files_end(&a, files_end(&b, vfs_rename(a.p, a.path, b.path)));
}

int files_symlink(hob_sandbox *box, const char *target, const char *path)
{
    struct files_call c;
    files_begin(&c, box, path);
    return files_end(&c, vfs_symlink(c.p, str_z(target), c.path));
}

int files_readlink(hob_sandbox *box, const char *path, hob_bytes *out)
{
    struct files_call c;
    struct buf b;
    files_begin(&c, box, path);
    buf_init(&b, c.heap);
    int r = vfs_readlink(c.p, c.path, &b);
    if (r == 0)
        r = sandbox_bytes(buf_get(&b), out);
    buf_fini(&b);
    return files_end(&c, r);
}

int files_chmod(hob_sandbox *box, const char *path, uint32_t mode)
{
    struct files_call c;
    files_begin(&c, box, path);
    return files_end(&c, vfs_chmod(c.p, c.path, mode & 07777));
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* A stack of names to visit: no recursion, so depth costs heap and not stack. */
struct files_walk {
    struct proc *p;
    struct heap *heap;
    VEC(struct str) todo; /* owned paths, next one last */
    struct strs names;    /* of the folder that is listed */
};

static int files_walk_name(void *ud, const struct dir_entry *e)
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

int files_walk(hob_sandbox *box, const char *path, hob_walk_fn fn, void *ud)
{
    struct outside o;
    struct files_walk w = {.p = outside_of(&o, box), .heap = &box->v->kernel.heap};
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

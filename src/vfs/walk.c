/* walk.c -- the path walk: `.`, `..`, symlinks, loops, mounts
 *
 * The walk asks a backend once for a whole run of names and gets told how far that went: to the end
 * or to the first symlink. `..` is taken off what has been resolved so far, so it means the real
 * parent, across mounts too (TM-FS-1). Ordinary paths need no memory but the spot of the caller.
 *
 * Folders on the way to a mount are not searched for permission: who may not see a mount should not
 * be given one.
 */
#include "vfs/walk.h"

/* True when the absolute clean path `path` is `top` or lies below it. */
static bool walk_below(struct str path, struct str top)
{
    if (top.n == 1)
        return true;
    return path.n >= top.n && memcmp(path.p, top.p, top.n) == 0 &&
           (path.n == top.n || path.p[top.n] == '/');
}

struct mount *walk_mount(struct vfs *v, struct str path)
{
    struct mount *m = v->mounts;

    while (!walk_below(path, m->path))
        m++; /* the root is last and holds everything */
    return m;
}

bool walk_above_mount(const struct vfs *v, struct str path)
{
    for (size_t i = 0; i + 1 < v->n; i++)
        if (v->mounts[i].path.n > path.n && walk_below(v->mounts[i].path, path))
            return true;
    return false;
}

bool walk_is_mount(const struct vfs *v, struct str path)
{
    for (size_t i = 0; i < v->n; i++)
        if (str_eq(v->mounts[i].path, path))
            return true;
    return false;
}

/* The part of an absolute path that its backend sees. */
static struct str walk_rel(const struct mount *m, struct str path)
{
    size_t skip = m->path.n == 1 ? 1 : m->path.n + 1;
    return str_from(path, skip);
}

/* What is still to be done. `text` is the caller's until a symlink is met; then it lies at the end
 * of `own`, so that more can be put in front. */
struct walk_state {
    struct vfs *vfs;
    struct cred cred;
    unsigned flags;
    unsigned links;
    struct str text;
    struct spot *spot;
    struct buf *target;
    bool owned; /* text is in `own` */
    char own[VFS_PATH_MAX];
};

static void walk_pop(struct spot *s)
{
    while (s->n > 0 && s->path[--s->n] != '/')
        ;
}

/* Moves plain names from the text to the path, up to a ".." or the end. */
static int walk_take(struct walk_state *w, struct str *text)
{
    struct spot *s = w->spot;

    while (text->n > 0) {
        const char *p = text->p;
        size_t n = 0;
        while (n < text->n && p[n] != '/')
            n++;
        bool more = n < text->n;
        bool dot = n == 1 && p[0] == '.', up = n == 2 && p[0] == '.' && p[1] == '.';
        if (up)
            return 1;
        s->slash = more || dot;
        if (n > 0)
            s->dots = dot;
        if (n > 0 && !dot) {
            if (n > VFS_NAME_MAX || s->n + n + 1 >= VFS_PATH_MAX)
                return HOB_ENAMETOOLONG;
            s->path[s->n++] = '/';
            memcpy(s->path + s->n, p, n);
            s->n += n;
        }
        *text = str_from(*text, n + more);
    }
    return 0;
}

/* Puts a piece in front of what is still to be done. */
static bool walk_prepend(struct walk_state *w, struct str piece, bool slash)
{
    size_t n = w->text.n, room = sizeof w->own - n;

    if (piece.n + slash > room)
        return false;
    char *at = w->own + room - piece.n - slash;
    memcpy(at, piece.p, piece.n);
    if (slash)
        at[piece.n] = '/';
    w->text = (struct str){at, n + piece.n + slash};
    return true;
}

/* Replaces the symlink that ends at path[0..end) by what it points to. */
static int walk_link(struct walk_state *w, struct fs *fs, struct str rel, size_t end)
{
    struct spot *s = w->spot;
    struct buf *t = w->target;

    if (++w->links > VFS_LINKS_MAX) /* TM-FS-5 */
        return HOB_ELOOP;
    buf_clear(t);
    int r = fs->ops->readlink ? fs->ops->readlink(fs, rel, t) : HOB_EINVAL;
    if (r < 0)
        return r;
    if (t->n == 0)
        return HOB_ENOENT;
    if (t->n >= VFS_PATH_MAX)
        return HOB_ENAMETOOLONG;
    struct str tail = str_sub(str_of(s->path, s->n), end, s->n - end);
    if (!w->owned) {
        struct str first = w->text;
        w->owned = true;
        w->text = (struct str){w->own + sizeof w->own, 0};
        if (first.n > 0 && !walk_prepend(w, first, false))
            return HOB_ENAMETOOLONG;
    }
    bool slash = w->text.n > 0 || s->slash;
    if (!walk_prepend(w, tail, slash) || !walk_prepend(w, buf_get(t), false))
        return HOB_ENAMETOOLONG;
    s->n = end;
    if (t->p[0] == '/')
        s->n = 0;
    else
        walk_pop(s);
    s->slash = s->dots = false;
    return 0;
}

/* A folder that is not in its backend, on the way to a mount. */
static void walk_virtual(struct walk_state *w, struct mount *m)
{
    struct spot *s = w->spot;
    int64_t boot = w->vfs->kernel->boot;

    s->is_virtual = true;
    s->st = (struct stat_info){.mode = MODE_DIR | 0755,
                               .nlink = 2,
                               .dev = m->fs->dev,
                               .ino = str_hash(str_of(s->path, s->n)) | UINT64_C(1) << 40,
                               .size = 4096,
                               .blocks = 8,
                               .atime = boot,
                               .mtime = boot,
                               .ctime = boot,
                               .btime = boot};
}

/* Handles a name that is not there: it may be virtual, or allowed to be missing. */
static int walk_absent(struct walk_state *w, struct mount *m, size_t skip, size_t used)
{
    struct spot *s = w->spot;
    size_t next = used > 0 ? skip + used + 1 : skip;

    if (walk_above_mount(w->vfs, str_of(s->path, s->n))) {
        walk_virtual(w, m);
        return 0;
    }
    if (next > s->n) /* the folder that is mounted here is gone */
        return HOB_ENOENT;
    bool last = !memchr(s->path + next, '/', s->n - next);
    if (w->text.n > 0 || !(last ? w->flags & (WALK_MISSING | WALK_DEEP) : w->flags & WALK_DEEP))
        return HOB_ENOENT;
    s->missing = true;
    return 0;
}

/* Asks the backend about the path as far as it is known. 1: there was a symlink, go on. */
static int walk_ask(struct walk_state *w)
{
    struct spot *s = w->spot;
    struct str path = {s->n ? s->path : "/", s->n ? s->n : 1};
    struct mount *m = walk_mount(w->vfs, path);
    size_t skip = m->path.n == 1 ? 1 : m->path.n + 1, used = 0;

    s->fs = m->fs;
    s->rel = walk_rel(m, path);
    s->missing = s->is_virtual = false;
    int r = fs_walk(m->fs, w->cred, s->rel, &used, &s->st);
    if (r == 0) {
        s->st.dev = m->fs->dev;
        return 0;
    }
    if (r == HOB_ENOENT)
        return walk_absent(w, m, skip, used);
    if (r < 0)
        return r;
    size_t end = skip + used;
    if (end == s->n && w->text.n == 0 && !s->slash && !(w->flags & WALK_FOLLOW)) {
        s->st.dev = m->fs->dev;
        return 0;
    }
    r = walk_link(w, m->fs, str_sub(s->rel, 0, used), end);
    return r < 0 ? r : 1;
}

static int walk_run(struct walk_state *w)
{
    struct spot *s = w->spot;

    for (;;) {
        struct str text = w->text;
        int up = walk_take(w, &text); /* a name that is too long counts when it is reached */
        w->text = text;
        int r = walk_ask(w);
        if (r < 0)
            return r;
        if (r > 0)
            continue;
        if (!up)
            break;
        if (s->missing)
            return HOB_ENOENT;
        if (!MODE_IS_DIR(s->st.mode))
            return HOB_ENOTDIR;
        if (up < 0)
            return up;
        walk_pop(s);
        w->text = str_from(w->text, 2);
        if (w->text.n > 0) /* the slash behind ".." */
            w->text = str_from(w->text, 1);
        s->slash = s->dots = true;
    }
    if (s->slash && !s->missing && !MODE_IS_DIR(s->st.mode))
        return HOB_ENOTDIR;
    if (s->n == 0)
        s->path[s->n++] = '/';
    return 0;
}

/* Fills in the beginning of the path. What no backend shall ever see is refused (TM-FS-6). */
static int walk_begin(struct str cwd, struct str path, struct spot *s)
{
    s->n = 0;
    s->missing = s->slash = s->dots = s->is_virtual = false;
    if (path.n == 0)
        return HOB_ENOENT;
    if (path.n >= VFS_PATH_MAX)
        return HOB_ENAMETOOLONG;
    if (memchr(path.p, '\0', path.n))
        return HOB_EINVAL;
    if (path.p[0] == '/' || cwd.n <= 1)
        return 0;
    if (cwd.n >= VFS_PATH_MAX)
        return HOB_ENAMETOOLONG;
    memcpy(s->path, cwd.p, cwd.n);
    s->n = cwd.n;
    return 0;
}

int walk(struct vfs *v, struct cred c, struct str cwd, struct str path, unsigned flags,
         struct spot *s)
{
    struct buf target;
    struct walk_state w;
    int r = walk_begin(cwd, path, s);

    if (r < 0)
        return r;
    buf_init(&target, &v->kernel->heap);
    w.vfs = v;
    w.cred = c;
    w.flags = flags;
    w.links = 0;
    w.owned = false;
    w.text = path;
    w.spot = s;
    w.target = &target;
    r = walk_run(&w);
    buf_fini(&target);
    return r;
}

/* True when a path has neither empty nor dotted names, nor a NUL, nor one that is too long. */
static bool walk_is_clean(struct str path)
{
    size_t start = 0;

    for (size_t i = 0; i <= path.n; i++) {
        if (i < path.n && path.p[i] != '/') {
            if (path.p[i] == '\0')
                return false;
            continue;
        }
        size_t n = i - start;
        if (n == 0 || n > VFS_NAME_MAX)
            return false;
        if (path.p[start] == '.' && (n == 1 || (n == 2 && path.p[start + 1] == '.')))
            return false;
        start = i + 1;
    }
    return true;
}

bool walk_plain(struct vfs *v, struct str cwd, struct str path, struct spot *s)
{
    bool absolute = path.n > 0 && path.p[0] == '/';
    struct str names = absolute ? str_from(path, 1) : path;

    if (names.n == 0 || cwd.n + path.n + 1 >= VFS_PATH_MAX || !walk_is_clean(names))
        return false;
    s->full = path;
    if (!absolute) {
        size_t n = cwd.n > 1 ? cwd.n : 0;
        if (n > 0)
            memcpy(s->path, cwd.p, n);
        s->path[n] = '/';
        memcpy(s->path + n + 1, path.p, path.n);
        s->full = (struct str){s->path, n + 1 + path.n};
    }
    struct mount *m = walk_mount(v, s->full);
    s->fs = m->fs;
    s->rel = walk_rel(m, s->full);
    return true;
}

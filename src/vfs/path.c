/* path.c -- paths as text, and where a backend's names stand in the whole */
#include "vfs/vfs.h"

/* Takes the last component off what stands in b from `start` on. */
static void path_pop(struct buf *b, size_t start)
{
    size_t n = b->n;

    while (n > start && b->p[n - 1] != '/')
        n--;
    buf_cut(b, n > start ? n - 1 : start);
}

/* Adds the components of path one by one; "/" stands in front of each. */
static void path_push(struct buf *b, size_t start, struct str path)
{
    for (size_t i = 0; i < path.n;) {
        size_t end = i;
        while (end < path.n && path.p[end] != '/')
            end++;
        struct str name = str_sub(path, i, end - i);
        if (str_eqz(name, "..")) {
            path_pop(b, start);
        } else if (name.n > 0 && !str_eqz(name, ".")) {
            buf_putc(b, '/');
            buf_str(b, name);
        }
        i = end + 1;
    }
}

void path_normalise(struct buf *b, struct str cwd, struct str path)
{
    size_t start = b->n;

    if (path.n == 0 || path.p[0] != '/')
        path_push(b, start, cwd);
    path_push(b, start, path);
    if (b->n == start)
        buf_putc(b, '/');
}

struct str path_base(struct str path)
{
    ptrdiff_t i = str_rchr(path, '/');
    return i < 0 ? path : str_from(path, (size_t)i + 1);
}

struct str path_dir(struct str path)
{
    ptrdiff_t i = str_rchr(path, '/');
    return i < 0 ? STR("") : i == 0 ? STR("/") : str_sub(path, 0, (size_t)i);
}

static size_t fs_prefix(const struct fs *fs) { return fs->at.n > 1 ? fs->at.n : 0; }

size_t fs_path_size(const struct fs *fs, struct str rel) { return fs_prefix(fs) + rel.n + 2; }

struct str fs_path_fill(const struct fs *fs, struct str rel, char *dst)
{
    size_t n = fs_prefix(fs);

    if (n > 0)
        memcpy(dst, fs->at.p, n);
    if (rel.n > 0 || n == 0)
        dst[n++] = '/';
    if (rel.n > 0)
        memcpy(dst + n, rel.p, rel.n);
    dst[n + rel.n] = '\0';
    return (struct str){dst, n + rel.n};
}

/* canon.c -- paths without links and dots, existing or not: readlink -f, -m and realpath */
#include "commands/lib/canon.h"

/* Resolves the longest part that exists, and appends the rest without dots. */
static int canon_missing(struct proc *p, struct str path, struct buf *out)
{
    size_t start = out->n;
    for (size_t n = path.n; n > 0; n--) {
        if (n < path.n && path.p[n] != '/')
            continue;
        struct str front = str_sub(path, 0, n);
        buf_cut(out, start);
        if (vfs_realpath(p, front, false, out) < 0)
            continue;
        struct str base = arena_str(p->arena, str_from(buf_get(out), start));
        buf_cut(out, start);
        if (!base.p)
            return HOB_ENOMEM;
        struct str rest = str_from(path, n);
        while (rest.n && rest.p[0] == '/')
            rest = str_from(rest, 1);
        path_normalise(out, base, rest);
        return 0;
    }
    buf_cut(out, start);
    path_normalise(out, path.n && path.p[0] == '/' ? STR("/") : p->cwd, path);
    return 0;
}

int canon_path(struct proc *p, struct str path, enum canon_mode mode, bool links, struct buf *out)
{
    struct stat_info st;

    if (path.n == 0)
        return HOB_ENOENT;
    if (!links) {
        size_t start = out->n;
        path_normalise(out, p->cwd, path);
        struct str clean = arena_str(p->arena, str_from(buf_get(out), start));
        if (mode == CANON_ANY || !clean.p)
            return clean.p ? 0 : HOB_ENOMEM;
        if (mode == CANON_LAST_MISSING)
            clean = path_dir(clean);
        return vfs_stat(p, clean.n ? clean : STR("/"), 0, &st);
    }
    if (mode == CANON_ANY) {
        int r = vfs_realpath(p, path, true, out);
        return r == HOB_ENOENT || r == HOB_ENOTDIR ? canon_missing(p, path, out) : r;
    }
    while (mode == CANON_LAST_MISSING && path.n > 1 && path.p[path.n - 1] == '/' &&
           vfs_stat(p, path, 0, &st) == HOB_ENOENT)
        path.n--;
    return vfs_realpath(p, path, mode == CANON_LAST_MISSING, out);
}

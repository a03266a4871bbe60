/* copy.c -- copying and moving files: the engine of cp, mv and install
 *
 * What is read is handed to the new file as it came, so that trees in memory share the bytes.
 */
#include "commands/lib/copy.h"

#include "base/error.h"
#include "base/fmt.h"

static bool copy_fail(struct copy *c, const char *fmt, struct str what, int err)
{
    if (err != HOB_EKILLED)
        proc_warn_quoted(c->p, fmt, what, err);
    c->status = 1;
    return false;
}

static struct str copy_key(const struct stat_info *st, char *buf, size_t cap)
{
    size_t n =
        fmt_print(buf, cap, "%llu:%llu", (unsigned long long)st->dev, (unsigned long long)st->ino);
    return str_of(buf, n);
}

static void copy_note_created(struct copy *c, struct str path)
{
    struct stat_info st;
    char key[48];
    if (vfs_stat(c->p, path, VFS_NOFOLLOW, &st) == 0)
        map_put(&c->created, copy_key(&st, key, sizeof key));
}

/* ---- data and attributes -------------------------------------------------------------------- */

static int copy_bytes(struct copy *c, struct file *in, struct file *out, int *write_err)
{
    struct slice s;
    for (;;) {
        ptrdiff_t n = file_take(in, c->p, &s);
        if (n == HOB_EINTR)
            continue;
        if (n <= 0)
            return (int)n;
        *write_err = file_give(out, c->p, &s);
        if (*write_err < 0)
            return 0;
    }
}

static bool copy_attributes(struct copy *c, struct str to, const struct stat_info *st)
{
    bool link = MODE_IS_LINK(st->mode);
    int flags = link ? VFS_NOFOLLOW : 0, err;

    if (c->keep_owner)
        vfs_chown(c->p, to, st->uid, st->gid, flags); /* an ordinary user may not: no complaint */
    if (c->keep_mode && !link && (err = vfs_chmod(c->p, to, st->mode & 07777)) < 0)
        return copy_fail(c, "preserving permissions for %s", to, err);
    if (c->keep_times && (err = vfs_utimes(c->p, to, st->atime, st->mtime, flags)) < 0)
        return copy_fail(c, "preserving times for %s", to, err);
    return true;
}

/* Opens the new file; `fresh` when there was none. */
static int copy_open_target(struct copy *c, struct str to, const struct stat_info *st, bool fresh,
                            struct file **out)
{
    uint32_t mode = c->no_keep_mode ? 0666 : st->mode & (c->keep_mode ? 07777 : 0777);
    unsigned flags = FILE_WRITE | (fresh                ? FILE_CREATE | FILE_EXCL
                                   : c->attributes_only ? 0u
                                                        : FILE_TRUNC);
    struct stat_info there;
    int err = vfs_open(c->p, to, flags, mode, out);

    if (err < 0 && !fresh && c->force && vfs_unlink(c->p, to) == 0) {
        if (c->verbose)
            out_printf(&c->out, "removed %s\n", proc_quoteaf(c->p, to));
        err = vfs_open(c->p, to, FILE_WRITE | FILE_CREATE | FILE_EXCL, mode, out);
    }
    if (err == HOB_EEXIST && fresh && vfs_stat(c->p, to, VFS_NOFOLLOW, &there) == 0 &&
        MODE_IS_LINK(there.mode))
        return HOB_ELOOP; /* a link to nothing */
    return err;
}

static bool copy_regular(struct copy *c, struct str from, struct str to, const struct stat_info *st,
                         bool fresh)
{
    struct file *in, *out;
    int werr = 0, err = vfs_open(c->p, from, FILE_READ, 0, &in);

    if (err < 0)
        return copy_fail(c, "cannot open %s for reading", from, err);
    err = copy_open_target(c, to, st, fresh, &out);
    if (err < 0) {
        file_unref(in);
        if (err == HOB_ELOOP && fresh) {
            proc_warn(c->p, "not writing through dangling symlink %s", proc_quoteaf(c->p, to));
            c->status = 1;
            return false;
        }
        if (err == HOB_EISDIR && fresh)
            err = HOB_ENOTDIR;
        return copy_fail(c, "cannot create regular file %s", to, err);
    }
    err = c->attributes_only ? 0 : copy_bytes(c, in, out, &werr);
    file_unref(in);
    file_unref(out);
    if (err < 0)
        return copy_fail(c, "error reading %s", from, err);
    /* Files are memory here: without room for more the disk is full, and the message has a name. */
    if (werr == HOB_ENOMEM && heap_gate(&c->p->kernel->heap))
        werr = HOB_ENOSPC;
    if (werr < 0)
        return copy_fail(c, "error writing %s", to, werr);
    return copy_attributes(c, to, st);
}

static bool copy_symlink(struct copy *c, struct str from, struct str to, const struct stat_info *st)
{
    struct buf target;
    bool ok = true;

    buf_init(&target, &c->p->kernel->heap);
    int err = vfs_readlink(c->p, from, &target);
    if (err < 0) {
        ok = copy_fail(c, "cannot read symbolic link %s", from, err);
    } else if ((err = vfs_symlink(c->p, buf_get(&target), to)) < 0) {
        ok = copy_fail(c, "cannot create symbolic link %s", to, err);
    }
    buf_fini(&target);
    return ok && copy_attributes(c, to, st);
}

static bool copy_folder(struct copy *c, struct str from, struct str to, const struct stat_info *st,
                        bool fresh)
{
    struct arena_mark mark = arena_mark(c->p->arena);
    struct strs names;
    bool ok = true;
    uint32_t mode = c->no_keep_mode ? 0777 : st->mode & (c->keep_mode ? 07777 : 0777);
    int err;

    if (task_stack_low(c->p->task))
        return copy_fail(c, "cannot copy %s", from, HOB_ENAMETOOLONG);
    if (fresh) {
        err = vfs_mkdir(c->p, to, mode | 0700);
        if (err < 0)
            return copy_fail(c, "cannot create directory %s", to, err);
        if (!c->has_made && vfs_stat(c->p, to, 0, &c->made) == 0)
            c->has_made = true;
        copy_note_created(c, to);
        if (c->verbose && !c->move)
            out_printf(&c->out, "%s -> %s\n", proc_quoteaf(c->p, from), proc_quoteaf(c->p, to));
    }
    err = files_list(c->p, from, &names);
    if (err < 0)
        ok = copy_fail(c, "cannot access %s", from, err);
    for (size_t i = 0; err == 0 && i < names.n && proc_check(c->p) == 0; i++) {
        struct arena_mark inner = arena_mark(c->p->arena);
        struct str a = files_join(c->p, from, names.p[i]), b = files_join(c->p, to, names.p[i]);
        ok = a.p && b.p && copy_one(c, a, b, false) && ok;
        arena_release(c->p->arena, inner);
    }
    arena_release(c->p->arena, mark);
    if (fresh && !c->keep_mode && !c->no_keep_mode &&
        (mode & ~c->p->umask & 0777) != ((mode | 0700) & ~c->p->umask))
        vfs_chmod(c->p, to, mode & ~c->p->umask);
    return (fresh || c->keep_mode || c->keep_times ? copy_attributes(c, to, st) : true) && ok;
}

/* ---- one file ------------------------------------------------------------------------------- */

static bool copy_follows(const struct copy *c, bool operand)
{
    if (c->move)
        return false;
    return c->deref == COPY_DEREF_ALWAYS || (c->deref == COPY_DEREF_OPERANDS && operand);
}

static void copy_tell(struct copy *c, struct str from, struct str to, struct str backup)
{
    if (!c->verbose)
        return;
    out_printf(&c->out, "%s -> %s", proc_quoteaf(c->p, from), proc_quoteaf(c->p, to));
    if (backup.p)
        out_printf(&c->out, " (backup: %s)", proc_quoteaf(c->p, backup));
    out_putc(&c->out, '\n');
}

/* A file that may not be written over without being forced: what mv asks for on a terminal. */
static bool copy_protected(struct copy *c, struct str to, const struct stat_info *dst)
{
    struct file *in = proc_file(c->p, 0);
    return c->move && c->overwrite == COPY_REPLACE && in && (in->flags & FILE_TTY) &&
           !MODE_IS_LINK(dst->mode) && vfs_access(c->p, to, 2) < 0;
}

static bool copy_asked(struct copy *c, struct str to, const struct stat_info *dst)
{
    char mode[11] = "?rwxrwxrwx";
    const char *name = proc_quoteaf(c->p, to);

    out_flush(&c->out);
    if (vfs_access(c->p, to, 2) < 0 && !MODE_IS_LINK(dst->mode)) {
        for (int i = 0; i < 9; i++)
            mode[i + 1] = dst->mode & (0400u >> i) ? mode[i + 1] : '-';
        return files_ask(c->p,
                         c->move ? "replace %s, overriding mode %04o (%s)? "
                                 : "unwritable %s (mode %04o, %s); try anyway? ",
                         name, dst->mode & 07777, mode + 1);
    }
    return files_ask(c->p, "overwrite %s? ", name);
}

/* Whether both paths are one entry of one folder, not two names of one file. */
static bool copy_same_name(struct copy *c, struct str a, struct str b)
{
    struct stat_info x, y;
    struct str da = path_dir(a), db = path_dir(b);

    return str_eq(path_base(a), path_base(b)) && vfs_stat(c->p, da.n ? da : STR("."), 0, &x) == 0 &&
           vfs_stat(c->p, db.n ? db : STR("."), 0, &y) == 0 && files_same(&x, &y);
}

/* What stands in the way: 1 go on, 0 skip quietly, -1 reported. */
static int copy_existing(struct copy *c, struct str from, struct str to,
                         const struct stat_info *src, const struct stat_info *dst)
{
    struct stat_info real;
    char key[48];
    bool follow_same = vfs_stat(c->p, to, 0, &real) == 0 && files_same(src, &real);
    bool same = files_same(src, dst) ||
                (follow_same && !c->move && !c->remove_first && !MODE_IS_LINK(src->mode));

    if (same && c->hard_link && files_same(src, dst))
        return 0;
    if (same && c->overwrite == COPY_SKIP)
        return 0;
    if (same &&
        !(c->backup.asked && c->backup.kind && !str_eq(from, to) && !files_same(src, dst))) {
        if (!(c->remove_first && (!files_same(src, dst) || !copy_same_name(c, from, to)))) {
            proc_warn(c->p, "%s and %s are the same file", proc_quoteaf(c->p, from),
                      proc_quoteaf(c->p, to));
            c->status = 1;
            return -1;
        }
    }
    if (c->update && !MODE_IS_DIR(src->mode) && src->mtime <= dst->mtime)
        return 0;
    if (c->overwrite == COPY_SKIP && (!MODE_IS_DIR(src->mode) || c->move))
        return 0;
    if ((c->overwrite == COPY_ASK || copy_protected(c, to, dst)) &&
        (!MODE_IS_DIR(src->mode) || c->move) && !copy_asked(c, to, dst))
        return 0;
    if (MODE_IS_DIR(src->mode) && !MODE_IS_DIR(dst->mode)) {
        if (!c->move || !c->backup.kind) {
            proc_warn(c->p, "cannot overwrite non-directory %s with directory %s",
                      proc_quoteaf(c->p, to), proc_quoteaf(c->p, from));
            c->status = 1;
            return -1;
        }
    }
    if (!MODE_IS_DIR(src->mode) && MODE_IS_DIR(dst->mode) && !(c->move && c->backup.kind)) {
        copy_fail(c, "cannot overwrite directory %s with non-directory", to, 0);
        return -1;
    }
    if (!c->backup.kind && (!MODE_IS_DIR(src->mode) || c->move) &&
        map_get(&c->created, copy_key(dst, key, sizeof key))) {
        proc_warn(c->p, "will not overwrite just-created %s with %s", proc_quoteaf(c->p, to),
                  proc_quoteaf(c->p, from));
        c->status = 1;
        return -1;
    }
    return 1;
}

/* rename(2) where it can be done. 1 moved, 0 must be copied, -1 reported. */
static int copy_rename(struct copy *c, struct str from, struct str to, const struct stat_info *src,
                       struct str backup)
{
    int err = vfs_rename(c->p, from, to);

    if (err == 0) {
        if (c->verbose)
            out_puts(&c->out, "renamed ");
        copy_tell(c, from, to, backup);
        if (!MODE_IS_DIR(src->mode))
            copy_note_created(c, to);
        return 1;
    }
    if (err == HOB_EINVAL) {
        proc_warn(c->p, "cannot move %s to a subdirectory of itself, %s", proc_quoteaf(c->p, from),
                  proc_quoteaf(c->p, to));
        c->status = 1;
        return -1;
    }
    if (err == HOB_EXDEV)
        return 0;
    proc_warn(c->p, "cannot move %s to %s: %s", proc_quoteaf(c->p, from), proc_quoteaf(c->p, to),
              error_text(err));
    c->status = 1;
    return -1;
}

/* A second name of a file that was copied already. 1 done, 0 not one, -1 reported. */
static int copy_linked(struct copy *c, struct str to, const struct stat_info *src, bool exists)
{
    char key[48];
    struct str k = copy_key(src, key, sizeof key);

    if (!c->keep_links || MODE_IS_DIR(src->mode) ||
        (src->nlink < 2 && c->deref == COPY_DEREF_NEVER))
        return 0;
    struct str *first = map_value(&c->links, k);
    if (!first) {
        void **place = map_put(&c->links, k);
        struct str *copy = heap_new(&c->p->kernel->heap, struct str);
        char *bytes = heap_alloc(&c->p->kernel->heap, to.n + 1);
        if (!place || !copy || !bytes) {
            heap_free(&c->p->kernel->heap, bytes, to.n + 1);
            heap_drop(&c->p->kernel->heap, copy);
            return -1;
        }
        memcpy(bytes, to.p, to.n);
        bytes[to.n] = '\0';
        *copy = str_of(bytes, to.n);
        *place = copy;
        return 0;
    }
    if (exists)
        vfs_unlink(c->p, to);
    int err = vfs_link(c->p, *first, to, VFS_NOFOLLOW);
    if (err == 0)
        return 1;
    proc_warn(c->p, "cannot create hard link %s to %s: %s", proc_quoteaf(c->p, to),
              proc_quoteaf(c->p, *first), error_text(err));
    c->status = 1;
    return -1;
}

static bool copy_as_symlink(struct copy *c, struct str from, struct str to)
{
    struct str dir = path_dir(to);
    struct stat_info st, here;
    /* A folder that is missing has an error of its own. */
    if (from.n && from.p[0] != '/' && dir.n && vfs_stat(c->p, dir, 0, &st) == 0 &&
        vfs_stat(c->p, STR("."), 0, &here) == 0 && !files_same(&st, &here)) {
        proc_warn(c->p, "%s: can make relative symbolic links only in current directory",
                  proc_quotef(c->p, to));
        c->status = 1;
        return false;
    }
    int err = vfs_symlink(c->p, from, to);
    if (err == 0)
        return true;
    proc_warn(c->p, "cannot create symbolic link %s to %s: %s", proc_quoteaf(c->p, to),
              proc_quoteaf(c->p, from), error_text(err));
    c->status = 1;
    return false;
}

static bool copy_as_hard_link(struct copy *c, struct str from, struct str to, bool exists,
                              bool follow)
{
    if (exists && (c->force || c->remove_first))
        vfs_unlink(c->p, to);
    int err = vfs_link(c->p, from, to, follow ? 0 : VFS_NOFOLLOW);
    if (err == 0)
        return true;
    proc_warn(c->p, "cannot create hard link %s to %s: %s", proc_quoteaf(c->p, to),
              proc_quoteaf(c->p, from), error_text(err));
    c->status = 1;
    return false;
}

/* Makes the copy itself, all obstacles being out of the way. */
static bool copy_make(struct copy *c, struct str from, struct str to, const struct stat_info *src,
                      bool exists, bool follow)
{
    if (MODE_IS_DIR(src->mode))
        return copy_folder(c, from, to, src, !exists);
    if (c->sym_link)
        return copy_as_symlink(c, from, to);
    if (c->hard_link)
        return copy_as_hard_link(c, from, to, exists, follow);
    if (MODE_IS_LINK(src->mode))
        return copy_symlink(c, from, to, src);
    if ((src->mode & MODE_TYPE) == MODE_FIFO && (c->recursive || c->move) && !c->copy_contents) {
        int err = vfs_mkfifo(c->p, to, src->mode & 0777);
        if (err < 0)
            return copy_fail(c, "cannot create fifo %s", to, err);
        return copy_attributes(c, to, src);
    }
    return copy_regular(c, from, to, src, !exists);
}

static bool copy_backup(struct copy *c, struct str from, struct str to, struct str *backup)
{
    *backup = files_backup_name(c->p, &c->backup, to);
    if (!backup->p)
        return false;
    if (str_eq(*backup, from)) {
        proc_warn(c->p, "backing up %s might destroy source;  %s not %s", proc_quoteaf(c->p, to),
                  proc_quoteaf(c->p, from), c->move ? "moved" : "copied");
        c->status = 1;
        return false;
    }
    int err = vfs_rename(c->p, to, *backup);
    return err < 0 ? copy_fail(c, "cannot backup %s", to, err) : true;
}

bool copy_one(struct copy *c, struct str from, struct str to, bool operand)
{
    struct stat_info src, dst;
    struct str backup = STR_NONE;
    bool follow = copy_follows(c, operand);
    int err = vfs_stat(c->p, from, follow ? 0 : VFS_NOFOLLOW, &src);

    if (proc_tick(c->p, 1) < 0)
        return false;
    if (err < 0)
        return copy_fail(c, "cannot stat %s", from, err);
    if (MODE_IS_DIR(src.mode) && !c->recursive && !c->move) {
        proc_warn(c->p, "-r not specified; omitting directory %s", proc_quoteaf(c->p, from));
        c->status = 1;
        return false;
    }
    if (operand) {
        c->top = src;
        c->top_from = from;
        c->top_to = to;
        c->has_made = false;
    } else if (c->one_fs && src.dev != c->top.dev && MODE_IS_DIR(src.mode)) {
        return true;
    }
    /* A link at the target is followed when plain contents are written through it. */
    bool through = !c->move && !c->sym_link && !c->hard_link && !c->remove_first &&
                   !MODE_IS_LINK(src.mode) && !(c->backup.kind && !MODE_IS_DIR(src.mode));
    err = vfs_stat(c->p, to, through ? 0 : VFS_NOFOLLOW, &dst);
    bool exists = err == 0;
    if (MODE_IS_DIR(src.mode) && c->has_made && files_same(&src, &c->made)) {
        /* The copy was made inside of what is copied, and is now met there. */
        proc_warn(c->p, "cannot copy a directory, %s, into itself, %s",
                  proc_quoteaf(c->p, c->top_from), proc_quoteaf(c->p, c->top_to));
        c->status = 1;
        return false;
    }
    if (exists) {
        int r = copy_existing(c, from, to, &src, &dst);
        if (r <= 0)
            return r == 0;
        if (c->backup.kind && (!MODE_IS_DIR(dst.mode) || c->move)) {
            if (!copy_backup(c, from, to, &backup))
                return false;
            exists = false;
        } else if (!MODE_IS_DIR(dst.mode) && !c->move &&
                   (c->remove_first || MODE_IS_LINK(src.mode) || c->sym_link ||
                    (c->hard_link && c->force))) {
            bool wanted = c->remove_first || c->recursive || c->force;
            if (wanted && vfs_unlink(c->p, to) == 0) {
                if (c->verbose)
                    out_printf(&c->out, "removed %s\n", proc_quoteaf(c->p, to));
                exists = false;
            }
        }
    }
    if (c->move) {
        int r = copy_rename(c, from, to, &src, backup);
        if (r)
            return r > 0;
        /* To another file system: a copy that keeps everything, then the old one goes. */
        if (c->verbose && !MODE_IS_DIR(src.mode))
            out_puts(&c->out, "copied ");
    }
    if (!MODE_IS_DIR(src.mode))
        copy_tell(c, from, to, backup);
    int linked = copy_linked(c, to, &src, exists);
    bool ok = linked ? linked > 0 : copy_make(c, from, to, &src, exists, follow);
    if (ok && !MODE_IS_DIR(src.mode) && !exists)
        copy_note_created(c, to);
    if (ok && c->move) {
        err = MODE_IS_DIR(src.mode) ? vfs_rmdir(c->p, from) : vfs_unlink(c->p, from);
        if (err < 0)
            return copy_fail(c, "cannot remove %s", from, err);
        if (c->verbose)
            out_printf(&c->out, "removed %s%s\n", MODE_IS_DIR(src.mode) ? "directory " : "",
                       proc_quoteaf(c->p, from));
    }
    return ok;
}

/* ---- operands ------------------------------------------------------------------------------- */

void copy_init(struct copy *c, struct proc *p)
{
    c->p = p;
    c->status = 0;
    c->has_made = false;
    map_init(&c->links, &p->kernel->heap);
    map_init(&c->created, &p->kernel->heap);
    out_init(&c->out, p, 1);
}

int copy_fini(struct copy *c)
{
    struct heap *h = &c->p->kernel->heap;
    for (struct map_entry *e = NULL; (e = map_next(&c->links, e));) {
        struct str *s = e->value;
        if (s) {
            heap_free(h, (char *)s->p, s->n + 1);
            heap_drop(h, s);
        }
    }
    map_fini(&c->links);
    map_fini(&c->created);
    return command_close(c->p, &c->out, c->status);
}

/* --parents: the folders of `from` below `dir`, made where they are missing. */
static bool copy_parents(struct copy *c, struct str from, struct str dir)
{
    for (size_t i = 1; i < from.n; i++) {
        if (from.p[i] != '/')
            continue;
        struct str part = str_sub(from, 0, i), to = files_join(c->p, dir, part);
        struct stat_info st;
        if (!to.p)
            return false;
        int err = vfs_stat(c->p, part, 0, &st);
        if (err < 0)
            return copy_fail(c, "failed to get attributes of %s", part, err);
        if (files_is_dir(c->p, to))
            continue;
        err = vfs_mkdir(c->p, to, (st.mode & 0777) | 0700);
        if (err < 0)
            return copy_fail(c, "cannot make directory %s", to, err);
        if (c->verbose)
            out_printf(&c->out, "%s -> %s\n", part.n ? arena_str(c->p->arena, part).p : "", to.p);
        copy_attributes(c, to, &st);
    }
    return true;
}

static void copy_to_dir(struct copy *c, struct str from, struct str dir)
{
    struct str name = files_base(from);

    if (c->strip_slashes)
        from = files_strip(from);
    if (c->parents) {
        struct str rel = files_strip(from);
        while (rel.n && rel.p[0] == '/')
            rel = str_from(rel, 1);
        if (!copy_parents(c, rel, dir))
            return;
        name = rel;
    } else if (str_eqz(name, "..")) {
        name = STR(".");
    }
    struct str to = files_join(c->p, dir, name);
    if (to.p)
        copy_one(c, from, to, true);
}

/* A source that was named before is taken once. */
static bool copy_repeated(struct copy *c, int i)
{
    struct stat_info a, b;
    if (c->move || vfs_stat(c->p, c->p->argv[i], 0, &a) < 0 || MODE_IS_DIR(a.mode) ||
        c->backup.kind)
        return false;
    for (int k = 0; k < i; k++) {
        if (str_eq(files_base(c->p->argv[i]), files_base(c->p->argv[k])) &&
            vfs_stat(c->p, c->p->argv[k], 0, &b) == 0 && files_same(&a, &b)) {
            proc_warn(c->p, "warning: source file %s specified more than once",
                      proc_quoteaf(c->p, c->p->argv[i]));
            return true;
        }
    }
    return false;
}

static int copy_all_to_dir(struct copy *c, struct str dir, int n)
{
    for (int i = 0; i < n && proc_check(c->p) == 0; i++) {
        struct arena_mark mark = arena_mark(c->p->arena);
        if (n == 1 || !copy_repeated(c, i))
            copy_to_dir(c, c->p->argv[i], dir);
        arena_release(c->p->arena, mark);
    }
    return c->status;
}

/* The target must be a folder: 0, or HOB_E... of why it is not. */
static int copy_check_dir(struct copy *c, struct str dir)
{
    struct stat_info st;
    int err = vfs_stat(c->p, dir, 0, &st);
    return err < 0 ? err : MODE_IS_DIR(st.mode) ? 0 : HOB_ENOTDIR;
}

static int copy_two(struct copy *c, struct str from, struct str to)
{
    if (c->strip_slashes)
        from = files_strip(from);
    copy_one(c, from, to, true);
    return c->status;
}

int copy_operands(struct copy *c)
{
    struct proc *p = c->p;
    int n = p->argc, err;

    if (n == 0 || (n == 1 && !c->target_dir.p)) {
        if (n == 0)
            proc_warn(p, "missing file operand");
        else
            proc_warn(p, "missing destination file operand after %s", proc_quoteaf(p, p->argv[0]));
        return c->status = proc_usage(p);
    }
    if (c->no_target_dir) {
        if (c->target_dir.p) {
            proc_warn(p, "cannot combine --target-directory (-t) and --no-target-directory (-T)");
            return c->status = 1;
        }
        if (n > 2) {
            proc_warn(p, "extra operand %s", proc_quoteaf(p, p->argv[2]));
            return c->status = proc_usage(p);
        }
        if (c->parents) {
            proc_warn(p, "with --parents, the destination must be a directory");
            return c->status = proc_usage(p);
        }
        return copy_two(c, p->argv[0], p->argv[1]);
    }
    if (c->target_dir.p) {
        err = copy_check_dir(c, c->target_dir);
        if (err < 0) {
            copy_fail(c, "target directory %s", c->target_dir, err);
            return c->status;
        }
        return copy_all_to_dir(c, c->target_dir, n);
    }
    struct str last = p->argv[n - 1];
    err = copy_check_dir(c, last);
    if (err == 0)
        return copy_all_to_dir(c, last, n - 1);
    if (n > 2) {
        copy_fail(c, "target %s", last, err);
        return c->status;
    }
    if (c->parents) {
        proc_warn(p, "with --parents, the destination must be a directory");
        return c->status = proc_usage(p);
    }
    return copy_two(c, p->argv[0], last);
}

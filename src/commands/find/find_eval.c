/* find_eval.c -- tests and actions of find on one file */
#include "base/error.h"
#include "commands/find/find.h"
#include "commands/lib/files.h"
#include "commands/lib/launch.h"

enum {
    FIND_BATCH_BYTES = 128 * 1024,
    FIND_BATCH_WORDS = 4096
};

void find_warn(struct find *f, struct str what, int err)
{
    if (err != HOB_EKILLED)
        proc_warn(f->p, "%s: %s", proc_quote(f->p, what), error_text(err));
    f->status = 1;
}

int64_t find_time(const struct stat_info *st, char which)
{
    return which == 'a'   ? st->atime
           : which == 'c' ? st->ctime
           : which == 'B' ? st->btime
                          : st->mtime;
}

bool find_stat(struct find *f)
{
    struct str path = buf_get(&f->path);
    bool follow = f->links == 'L' || (f->links == 'H' && f->level == 0);

    if (f->has_stat)
        return true;
    if (f->bad)
        return false;
    int err = vfs_stat(f->p, path, follow ? 0 : VFS_NOFOLLOW, &f->st);
    if (err < 0 && follow && vfs_stat(f->p, path, VFS_NOFOLLOW, &f->st) == 0)
        err = 0; /* a link to nothing is shown itself */
    if (err < 0) {
        find_warn(f, path, err);
        f->bad = true;
        return false;
    }
    f->has_stat = true;
    f->type = f->st.mode & MODE_TYPE;
    return true;
}

uint32_t find_type(struct find *f)
{
    if (f->type == 0 || (f->type == MODE_LINK && f->links == 'L'))
        find_stat(f);
    return f->type;
}

static struct str find_base(const struct find *f)
{
    return files_base(str_from(buf_get(&f->path), f->base));
}

static bool find_compare(const struct find_node *n, int64_t v)
{
    return n->compare == '+' ? v > n->n : n->compare == '-' ? v < n->n : v == n->n;
}

/* ---- tests ---------------------------------------------------------------------------------- */

static bool find_lname(struct find *f, struct find_node *n)
{
    struct buf b;
    if (find_type(f) != MODE_LINK)
        return false;
    buf_init(&b, &f->p->kernel->heap);
    bool yes = vfs_readlink(f->p, buf_get(&f->path), &b) == 0 && glob_match(n->glob, buf_get(&b));
    buf_fini(&b);
    return yes;
}

static bool find_xtype(struct find *f, struct find_node *n)
{
    struct stat_info st;
    bool follow = f->links == 'P' || (f->links == 'H' && f->level > 0);
    int err = vfs_stat(f->p, buf_get(&f->path), follow ? 0 : VFS_NOFOLLOW, &st);
    if (err == HOB_ENOENT && follow) /* a link to nothing is a link */
        err = vfs_stat(f->p, buf_get(&f->path), VFS_NOFOLLOW, &st);
    return err == 0 && (n->types >> ((st.mode & MODE_TYPE) >> 12) & 1);
}

static int find_any_entry(void *ud, const struct dir_entry *e)
{
    (void)ud;
    (void)e;
    return 1;
}

static bool find_empty(struct find *f)
{
    uint32_t type = find_type(f);
    if (type == MODE_DIR) {
        int r = vfs_list(f->p, buf_get(&f->path), find_any_entry, NULL);
        if (r < 0)
            find_warn(f, buf_get(&f->path), r);
        return r == 0;
    }
    return type == MODE_FILE && find_stat(f) && f->st.size == 0;
}

static bool find_perm(struct find *f, struct find_node *n)
{
    if (!find_stat(f))
        return false;
    uint32_t mode = f->st.mode & 07777, want = n->perm[MODE_IS_DIR(f->st.mode)];
    if (n->compare == '-')
        return (mode & want) == want;
    if (n->compare == '/')
        return want == 0 || (mode & want);
    return mode == want;
}

/* -mtime counts whole days of age, -mmin compares with the moment n minutes ago. */
static bool find_age(struct find *f, struct find_node *n)
{
    if (!find_stat(f))
        return false;
    int64_t age = f->origin - find_time(&f->st, n->time);
    if (n->kind == FIND_AGE_MINUTES) {
        if (n->compare == '+')
            return age > n->n;
        if (n->compare == '-')
            return age < n->n;
        return age < n->n && age >= n->n - INT64_C(60000000000);
    }
    int64_t day = INT64_C(86400000000000);
    if (n->compare == '+')
        return age >= n->n + day;
    if (n->compare == '-')
        return age < n->n;
    return age >= n->n && age < n->n + day;
}

static bool find_fstype(struct find *f, struct find_node *n)
{
    struct fs_info info;
    return vfs_statfs(f->p, buf_get(&f->path), &info) == 0 && str_eqz(n->text, info.type);
}

static bool find_owned(struct find *f, struct find_node *n)
{
    if (!find_stat(f))
        return false;
    switch (n->kind) {
    case FIND_USER: return find_compare(n, f->st.uid);
    case FIND_GROUP: return find_compare(n, f->st.gid);
    case FIND_NOUSER: return !users_name(&f->users, f->st.uid).p;
    case FIND_NOGROUP: return !users_group(&f->users, f->st.gid).p;
    case FIND_LINKS: return find_compare(n, f->st.nlink);
    case FIND_INUM: return find_compare(n, (int64_t)f->st.ino);
    case FIND_SAMEFILE: return f->st.dev == n->dev && f->st.ino == n->ino;
    case FIND_NEWER: return find_time(&f->st, n->time) > n->when;
    case FIND_USED: return find_compare(n, (f->st.atime - f->st.ctime) / INT64_C(86400000000000));
    default: /* FIND_SIZE */
        return find_compare(n, (int64_t)(f->st.size / n->unit + (f->st.size % n->unit != 0)));
    }
}

/* ---- actions -------------------------------------------------------------------------------- */

static bool find_delete(struct find *f)
{
    struct str path = buf_get(&f->path);
    if (str_eqz(path, ".") || find_type(f) == 0)
        return true;
    int err = f->type == MODE_DIR ? vfs_rmdir(f->p, path) : vfs_unlink(f->p, path);
    if (err == 0)
        return true;
    proc_warn(f->p, "cannot delete %s: %s", proc_quote(f->p, path), error_text(err));
    f->status = 1;
    return false;
}

/* Every {} in a word replaced. */
static struct str find_substitute(struct find *f, struct str word, struct str by)
{
    struct buf b;
    if (str_find(word, STR("{}")) < 0)
        return word;
    buf_init(&b, &f->p->kernel->heap);
    for (ptrdiff_t at; (at = str_find(word, STR("{}"))) >= 0;
         word = str_from(word, (size_t)at + 2)) {
        buf_add(&b, word.p, (size_t)at);
        buf_str(&b, by);
    }
    buf_str(&b, word);
    struct str result = arena_str(f->p->arena, buf_get(&b));
    buf_fini(&b);
    return result;
}

/* Where -execdir runs: the folder of the file, absolute. */
static struct str find_exec_dir(struct find *f)
{
    struct buf b;
    struct str dir = path_dir(files_strip(buf_get(&f->path)));
    buf_init(&b, &f->p->kernel->heap);
    path_normalise(&b, f->p->cwd, dir.n ? dir : STR("."));
    struct str result = arena_str(f->p->arena, buf_get(&b));
    buf_fini(&b);
    return result;
}

static int find_launch(struct find *f, struct str *argv, int argc, struct str dir)
{
    struct exec_opts o = {.cwd = dir};
    out_flush(&f->std->out);
    int r = launch_run(f->p, argv, argc, &o);
    if (r == HOB_ENOENT || r == HOB_EACCES) {
        proc_warn(f->p, "%s: %s", proc_quote(f->p, argv[0]), error_text(r));
        return 1;
    }
    if (r == HOB_EKILLED)
        f->quit = true;
    return r;
}

static bool find_exec_one(struct find *f, struct find_node *n)
{
    struct arena_mark mark = arena_mark(f->p->arena);
    struct str *argv = arena_array(f->p->arena, struct str, n->argc);
    struct str name = buf_get(&f->path), dir = STR_NONE;
    bool ok = argv != NULL;

    if (n->dir) {
        name =
            arena_printf(f->p->arena, "%s%.*s", f->path.n == 1 && f->path.p[0] == '/' ? "" : "./",
                         STR_ARG(find_base(f)));
        dir = find_exec_dir(f);
    }
    for (int i = 0; ok && i < n->argc; i++) {
        argv[i] = find_substitute(f, n->argv[i], name);
        ok = argv[i].p != NULL;
    }
    if (ok && n->ask) {
        out_flush(&f->std->out);
        proc_printf_err(f->p, "< %.*s ... %.*s > ? ", STR_ARG(argv[0]), STR_ARG(f->path));
        char c = '\n', first = '\n';
        struct file *in = proc_file(f->p, 0);
        if (in && file_read(in, f->p, &c, 1) == 1)
            first = c;
        while (c != '\n' && file_read(in, f->p, &c, 1) == 1)
            continue;
        ok = first == 'y' || first == 'Y';
    }
    ok = ok && find_launch(f, argv, n->argc, dir) == 0;
    arena_release(f->p->arena, mark);
    return ok;
}

static void find_batch_free(struct find *f, struct find_node *n)
{
    struct heap *h = &f->p->kernel->heap;
    for (size_t i = 0; i < n->batch.n; i++)
        heap_free(h, (char *)n->batch.p[i].p, n->batch.p[i].n + 1);
    vec_fini(h, &n->batch);
    heap_free(h, (char *)n->batch_dir.p, n->batch_dir.n + 1);
    n->batch_dir = STR_NONE;
    n->batch_bytes = 0;
}

static void find_batch_run(struct find *f, struct find_node *n)
{
    struct arena_mark mark = arena_mark(f->p->arena);
    int argc = n->argc + (int)n->batch.n;
    struct str *argv = n->batch.n ? arena_array(f->p->arena, struct str, argc) : NULL;

    if (argv && !f->quit) {
        memcpy(argv, n->argv, (size_t)n->argc * sizeof *argv);
        memcpy(argv + n->argc, n->batch.p, n->batch.n * sizeof *argv);
        if (find_launch(f, argv, argc, n->dir ? n->batch_dir : STR_NONE) != 0)
            f->status = 1;
    }
    arena_release(f->p->arena, mark);
    find_batch_free(f, n);
}

static struct str find_copy(struct heap *h, const char *front, struct str s)
{
    size_t k = strlen(front);
    char *to = heap_alloc(h, k + s.n + 1);
    if (!to)
        return STR_NONE;
    memcpy(to, front, k);
    if (s.n)
        memcpy(to + k, s.p, s.n);
    to[k + s.n] = '\0';
    return str_of(to, k + s.n);
}

static bool find_exec_batch(struct find *f, struct find_node *n)
{
    struct heap *h = &f->p->kernel->heap;

    if (n->dir) {
        struct arena_mark mark = arena_mark(f->p->arena);
        struct str dir = find_exec_dir(f);
        if (n->batch.n && !str_eq(dir, n->batch_dir))
            find_batch_run(f, n);
        if (!n->batch_dir.p && dir.p)
            n->batch_dir = find_copy(h, "", dir);
        arena_release(f->p->arena, mark);
    }
    struct str item =
        n->dir ? find_copy(h, "./", find_base(f)) : find_copy(h, "", buf_get(&f->path));
    if (!item.p || !vec_push(h, &n->batch, item)) {
        if (item.p)
            heap_free(h, (char *)item.p, item.n + 1);
        f->quit = true;
        return false;
    }
    n->batch_bytes += item.n + 1;
    if (n->batch_bytes > FIND_BATCH_BYTES || n->batch.n >= FIND_BATCH_WORDS)
        find_batch_run(f, n);
    return true;
}

static void find_batches(struct find *f)
{
    for (size_t i = 0; i < f->nall; i++)
        if (f->all[i]->kind == FIND_EXEC && f->all[i]->plus)
            find_batch_run(f, f->all[i]);
}

int find_finish_exec(struct find *f)
{
    find_batches(f);
    for (size_t i = 0; i < f->nall; i++) {
        regex_free(f->all[i]->regex);
        f->all[i]->regex = NULL;
    }
    return proc_check(f->p);
}

static bool find_act(struct find *f, struct find_node *n)
{
    switch (n->kind) {
    case FIND_PRINT:
    case FIND_PRINT0:
        out_str(&n->sink->out, buf_get(&f->path));
        out_putc(&n->sink->out, n->kind == FIND_PRINT ? '\n' : '\0');
        return true;
    case FIND_PRINTF: find_printf(f, n); return true;
    case FIND_LS: find_list(f, n->sink); return true;
    case FIND_PRUNE: f->prune = true; return true;
    case FIND_QUIT:
        find_batches(f);
        f->quit = true;
        return true;
    case FIND_DELETE: return find_delete(f);
    default: return n->plus ? find_exec_batch(f, n) : find_exec_one(f, n);
    }
}

bool find_eval(struct find *f, struct find_node *n)
{
    switch (n->kind) {
    case FIND_AND: return find_eval(f, n->left) && !f->quit && find_eval(f, n->right);
    case FIND_OR: return find_eval(f, n->left) || (!f->quit && find_eval(f, n->right));
    case FIND_COMMA: find_eval(f, n->left); return !f->quit && find_eval(f, n->right);
    case FIND_NOT: return !find_eval(f, n->left);
    case FIND_TRUE: return true;
    case FIND_FALSE: return false;
    case FIND_NAME: return glob_match(n->glob, find_base(f));
    case FIND_PATH: return glob_match(n->glob, buf_get(&f->path));
    case FIND_LNAME: return find_lname(f, n);
    case FIND_REGEX: return regex_is_match(n->regex, buf_get(&f->path)) == 1;
    case FIND_TYPE: return n->types >> (find_type(f) >> 12) & 1;
    case FIND_XTYPE: return find_xtype(f, n);
    case FIND_EMPTY: return find_empty(f);
    case FIND_PERM: return find_perm(f, n);
    case FIND_AGE_DAYS:
    case FIND_AGE_MINUTES: return find_age(f, n);
    case FIND_ACCESS: return vfs_access(f->p, buf_get(&f->path), (int)n->n) == 0;
    case FIND_FSTYPE: return find_fstype(f, n);
    case FIND_SIZE:
    case FIND_USER:
    case FIND_GROUP:
    case FIND_NOUSER:
    case FIND_NOGROUP:
    case FIND_LINKS:
    case FIND_INUM:
    case FIND_SAMEFILE:
    case FIND_NEWER:
    case FIND_USED: return find_owned(f, n);
    default: return find_act(f, n);
    }
}

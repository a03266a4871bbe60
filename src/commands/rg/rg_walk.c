/* rg_walk.c -- the files below a folder, but those that are ignored, hidden or of another type */
#include "commands/rg/rg.h"

#include "commands/lib/files.h"

/* A name of a folder, with what is sorted by. */
struct rg_entry {
    struct str name;
    int64_t key;
};

static void rg_walk_warn(struct rg_run *r, struct str path, int err)
{
    r->failed = true;
    if (!r->o->no_messages)
        proc_printf_err(r->p, "%.*s: %s (os error %d)\n", STR_ARG(path), error_text(err), -err);
}

static void rg_walk_open(struct rg_run *r, struct str path, bool named)
{
    struct in in;
    if (r->o->mode == RG_FILES) {
        r->matched = true;
        if (r->o->quiet)
            r->done = true;
        else
            rg_print_path(r, path);
        return;
    }
    int e = in_open_quiet(&in, r->p, path);
    if (e < 0) {
        rg_walk_warn(r, path, e);
        return;
    }
    r->visited = true;
    rg_search(r, path, &in, named);
    in_fini(&in);
}

/* -g: the last that matches decides; once one includes, what none includes is left out. */
static bool rg_walk_globbed(struct rg_run *r, struct str path, bool dir, bool *forced)
{
    struct str rel = str_starts(path, STR("./")) ? str_from(path, 2) : path;
    int hit = rg_rule_match(r->o->globs, rel, dir);
    *forced = hit > 0;
    return hit < 0 || (hit == 0 && r->o->globs_include && !dir);
}

static bool rg_walk_skips(struct rg_run *r, const struct rg_ignore *ig, struct str path, bool dir)
{
    struct str base = files_base(path);
    bool forced;
    if (r->o->globs && rg_walk_globbed(r, path, dir, &forced))
        return true;
    if (r->o->globs && forced)
        return !dir && rg_type_skips(r, path);
    if (!r->o->no_ignore && rg_ignored(r, ig, path, dir))
        return true;
    if (!r->o->hidden && base.n && base.p[0] == '.')
        return true;
    return !dir && rg_type_skips(r, path);
}

static int rg_walk_compare(const struct rg_run *r, const struct rg_entry *a,
                           const struct rg_entry *b)
{
    int c = a->key != b->key ? (a->key < b->key ? -1 : 1) : str_cmp(a->name, b->name);
    return r->o->sort_reverse ? -c : c;
}

/* By time where that is asked for; names are sorted already. A merge of halves keeps it short. */
static void rg_walk_sort(const struct rg_run *r, struct rg_entry *e, struct rg_entry *tmp, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2, i = 0, j = half, k = 0;
    rg_walk_sort(r, e, tmp, half);
    rg_walk_sort(r, e + half, tmp, n - half);
    while (i < half || j < n)
        tmp[k++] = j == n || (i < half && rg_walk_compare(r, &e[i], &e[j]) <= 0) ? e[i++] : e[j++];
    memcpy(e, tmp, n * sizeof *e);
}

static bool rg_walk_order(struct rg_run *r, struct str dir, struct strs *names)
{
    const struct rg *o = r->o;
    struct rg_entry *e;
    if (names->n < 2 || (o->sort <= RG_SORT_PATH && !o->sort_reverse))
        return true;
    e = arena_array(r->p->arena, struct rg_entry, names->n * 2);
    if (!e)
        return false;
    for (size_t i = 0; i < names->n; i++) {
        struct stat_info st = {0};
        struct str path = files_join(r->p, dir, names->p[i]);
        if (o->sort > RG_SORT_PATH && path.p)
            vfs_stat(r->p, path, 0, &st);
        e[i].name = names->p[i];
        e[i].key = o->sort == RG_SORT_MODIFIED   ? st.mtime
                   : o->sort == RG_SORT_ACCESSED ? st.atime
                   : o->sort == RG_SORT_CREATED  ? st.ctime
                                                 : 0;
    }
    rg_walk_sort(r, e, e + names->n, names->n);
    for (size_t i = 0; i < names->n; i++)
        names->p[i] = e[i].name;
    return true;
}

static void rg_walk_dir(struct rg_run *r, struct rg_ignore *up, struct str dir, int64_t depth);

static void rg_walk_one(struct rg_run *r, struct rg_ignore *ig, struct str path, int64_t depth)
{
    struct stat_info st;
    int e = vfs_stat(r->p, path, VFS_NOFOLLOW, &st);
    if (e == 0 && MODE_IS_LINK(st.mode)) {
        if (!r->o->follow)
            return;
        e = vfs_stat(r->p, path, 0, &st);
    }
    if (e < 0) {
        rg_walk_warn(r, path, e);
        return;
    }
    bool dir = MODE_IS_DIR(st.mode);
    if ((!dir && !MODE_IS_FILE(st.mode)) || rg_walk_skips(r, ig, path, dir))
        return;
    if (dir)
        rg_walk_dir(r, ig, path, depth);
    else if (!r->o->max_filesize || st.size <= r->o->max_filesize)
        rg_walk_open(r, path, false);
}

static void rg_walk_dir(struct rg_run *r, struct rg_ignore *up, struct str dir, int64_t depth)
{
    struct proc *p = r->p;
    struct strs names = {0};
    struct arena_mark mark = arena_mark(p->arena);

    if (r->o->max_depth >= 0 && depth >= r->o->max_depth)
        return;
    if (task_stack_low(p->task)) {
        rg_walk_warn(r, dir, HOB_ELOOP);
        return;
    }
    struct rg_ignore *ig = rg_ignore_enter(r, up, dir);
    int e = files_list(p, dir, &names);
    if (e < 0)
        rg_walk_warn(r, dir, e);
    else if (!rg_walk_order(r, dir, &names))
        r->err = HOB_ENOMEM;
    for (size_t i = 0; e == 0 && i < names.n && !r->err && !r->done && !r->out.err; i++) {
        bool here = r->implicit && depth == 0;
        struct str path = here ? names.p[i] : files_join(p, dir, names.p[i]);
        if (!path.p)
            r->err = HOB_ENOMEM;
        else
            rg_walk_one(r, ig, path, depth + 1);
    }
    arena_release(p->arena, mark);
}

/* Without operands the working folder is searched, and names are printed without "./". */
void rg_walk(struct rg_run *r, struct str path)
{
    struct stat_info st;
    struct in in;
    bool implicit = !path.p;

    if (!implicit && str_eqz(path, "-")) {
        in_init(&in, r->p, 0);
        rg_search(r, STR("<stdin>"), &in, true);
        in_fini(&in);
        return;
    }
    r->implicit = implicit;
    if (implicit)
        path = STR("./");
    int e = vfs_stat(r->p, path, 0, &st);
    if (e < 0) {
        rg_walk_warn(r, path, e);
        return;
    }
    if (MODE_IS_DIR(st.mode))
        rg_walk_dir(r, rg_ignore_parents(r, path), path, 0);
    else
        rg_walk_open(r, path, true);
}

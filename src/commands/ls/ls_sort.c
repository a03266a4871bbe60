/* ls_sort.c -- the order of a listing */
#include "commands/ls/ls.h"

#include "commands/lib/version.h"

int64_t ls_time_of(const struct ls *l, const struct stat_info *st)
{
    switch (l->time) {
    case LS_ATIME: return st->atime;
    case LS_CTIME: return st->ctime;
    case LS_BTIME: return st->btime;
    default: return st->mtime;
    }
}

static bool ls_sort_dir(const struct ls_file *f)
{
    return MODE_IS_DIR(f->st.mode) || (MODE_IS_LINK(f->st.mode) && MODE_IS_DIR(f->target_mode));
}

static struct str ls_sort_extension(struct str name)
{
    ptrdiff_t dot = str_rchr(name, '.');
    return dot < 0 ? STR("") : str_from(name, (size_t)dot);
}

static int ls_sort_compare(const void *x, const void *y, void *ud)
{
    const struct ls_file *a = x, *b = y;
    const struct ls *l = ud;
    int r = 0;

    if (l->dirs_first && ls_sort_dir(a) != ls_sort_dir(b))
        return ls_sort_dir(a) ? -1 : 1;
    switch (l->sort) {
    case LS_BY_TIME: {
        int64_t ta = ls_time_of(l, &a->st), tb = ls_time_of(l, &b->st);
        r = (ta < tb) - (ta > tb);
        break;
    }
    case LS_BY_SIZE: r = (a->st.size < b->st.size) - (a->st.size > b->st.size); break;
    case LS_BY_EXTENSION:
        r = str_cmp(ls_sort_extension(a->name), ls_sort_extension(b->name));
        break;
    case LS_BY_VERSION: r = version_compare(a->name, b->name); break;
    case LS_BY_WIDTH: r = (a->width > b->width) - (a->width < b->width); break;
    default: break;
    }
    if (r == 0)
        r = str_cmp(a->name, b->name);
    return l->reverse ? -r : r;
}

int ls_order(struct ls *l)
{
    if (l->sort == LS_UNSORTED || l->nfiles < 2)
        return 0;
    /* Folders are listed in order of name already. */
    if (l->sort == LS_BY_NAME && !l->dirs_first && !l->reverse) {
        size_t i = 1;
        while (i < l->nfiles && str_cmp(l->files[i - 1].name, l->files[i].name) <= 0)
            i++;
        if (i == l->nfiles)
            return 0;
    }
    return sort_stable(&l->p->kernel->heap, l->files, l->nfiles, sizeof *l->files, ls_sort_compare,
                       l);
}

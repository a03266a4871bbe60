/* expand_glob.c -- pathname expansion: patterns against the file tree */
#include "shell/expand_impl.h"
#include "vfs/vfs.h"

/* What stands between two slashes. */
struct expand_glob_part {
    struct str text;        /* the literal name, or the pattern */
    struct str slashes;     /* that follow */
    struct glob_prog *prog; /* NULL: literal */
    bool dot;               /* begins with a literal period */
    bool deep;              /* ** with globstar */
};

struct expand_glob {
    struct shell *sh;
    struct strs *out;
    struct expand_glob_part *parts;
    int n;
    bool hidden; /* dotglob */
    bool skip_dots;
    int err;
};

struct expand_glob_name {
    struct str name;
    uint32_t mode;
};

struct expand_glob_list {
    struct expand_glob *g;
    const struct expand_glob_part *part; /* NULL: every name */
    struct expand_glob_name *p;
    size_t n, cap;
};

static void expand_glob_run(struct expand_glob *g, struct str dir, int at, bool magic);

/* ---- the pattern ----------------------------------------------------------------------------- */

static struct str expand_glob_literal(struct shell *sh, struct str s)
{
    char *p = arena_alloc(&sh->arena, s.n + 1);
    size_t n = 0;
    if (!p)
        return STR_NONE;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\\' && i + 1 < s.n)
            i++;
        p[n++] = s.p[i];
    }
    p[n] = '\0';
    return str_of(p, n);
}

static bool expand_glob_part(struct expand_glob *g, struct expand_glob_part *t, struct str s)
{
    struct shell *sh = g->sh;
    int ext = SH_SHOPT(sh, SHOPT_EXTGLOB) ? GLOB_EXT : 0;
    int flags = ext | (SH_SHOPT(sh, SHOPT_NOCASEGLOB) ? GLOB_NOCASE : 0);
    t->dot = s.n && (s.p[0] == '.' || (s.n > 1 && s.p[0] == '\\' && s.p[1] == '.'));
    if (!glob_magic(s, ext)) {
        t->text = expand_glob_literal(sh, s);
        return t->text.p != NULL;
    }
    t->text = s;
    t->deep = SH_SHOPT(sh, SHOPT_GLOBSTAR) && s.n == 2 && s.p[0] == '*' && s.p[1] == '*';
    t->prog = glob_compile(&sh->arena, s, flags);
    return t->prog != NULL;
}

/* Takes the pattern apart at its slashes. */
static int expand_glob_split(struct expand_glob *g, struct str s)
{
    int most = 1;
    for (size_t i = 0; i < s.n; i++)
        most += s.p[i] == '/';
    g->parts = arena_array(&g->sh->arena, struct expand_glob_part, most);
    if (!g->parts)
        return HOB_ENOMEM;
    for (size_t i = 0; i < s.n;) {
        size_t from = i, end;
        while (i < s.n && s.p[i] != '/')
            i += s.p[i] == '\\' && i + 1 < s.n && s.p[i + 1] != '/' ? 2 : 1;
        i = MIN(i, s.n);
        end = i > from && i < s.n && s.p[i - 1] == '\\' ? i - 1 : i;
        struct expand_glob_part *t = &g->parts[g->n];
        if (!expand_glob_part(g, t, str_sub(s, from, end - from)))
            return HOB_ENOMEM;
        from = i;
        while (i < s.n && s.p[i] == '/')
            i++;
        t->slashes = str_sub(s, from, i - from);
        /* Several ** in a row are as good as one. */
        if (!(g->n && t->deep && g->parts[g->n - 1].deep))
            g->n++;
        else
            g->parts[g->n - 1].slashes = t->slashes;
    }
    return 0;
}

/* ---- folders --------------------------------------------------------------------------------- */

static bool expand_glob_fits(const struct expand_glob *g, const struct expand_glob_part *t,
                             struct str name)
{
    if (name.n && name.p[0] == '.') {
        bool self = name.n == 1 || (name.n == 2 && name.p[1] == '.');
        if (self && (g->skip_dots || !t || !t->dot))
            return false;
        if (!g->hidden && !(t && t->dot))
            return false;
    }
    return !t || t->deep || glob_match(t->prog, name);
}

static int expand_glob_entry(void *ud, const struct dir_entry *e)
{
    struct expand_glob_list *l = ud;
    struct arena *a = &l->g->sh->arena;
    if (!expand_glob_fits(l->g, l->part, e->name))
        return 0;
    if (l->n == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 16;
        void *p = arena_grow(a, l->p, l->cap * sizeof *l->p, cap * sizeof *l->p);
        if (!p)
            return HOB_ENOMEM;
        l->p = p;
        l->cap = cap;
    }
    struct str name = arena_str(a, e->name);
    if (!name.p)
        return HOB_ENOMEM;
    l->p[l->n++] = (struct expand_glob_name){name, e->mode};
    return 0;
}

/* The names in a folder that fit, collected before anything else is looked at. */
static void expand_glob_list(struct expand_glob *g, struct str dir,
                             const struct expand_glob_part *t, struct expand_glob_list *l)
{
    struct dir_entry self[2] = {{.name = STR("."), .mode = MODE_DIR},
                                {.name = STR(".."), .mode = MODE_DIR}};
    *l = (struct expand_glob_list){.g = g, .part = t};
    if (!g->skip_dots && t && t->dot)
        for (int i = 0; i < 2; i++)
            expand_glob_entry(l, &self[i]);
    vfs_list(g->sh->proc, dir.n ? dir : STR("."), expand_glob_entry, l);
    if (g->sh->heap->oom)
        g->err = HOB_ENOMEM;
    int r = proc_tick(g->sh->proc, 1);
    if (r < 0)
        g->err = r;
}

static bool expand_glob_is_dir(struct expand_glob *g, struct str path)
{
    struct stat_info st;
    return vfs_stat(g->sh->proc, path, 0, &st) >= 0 && MODE_IS_DIR(st.mode);
}

static struct str expand_glob_join(struct expand_glob *g, struct str dir, struct str name,
                                   struct str slashes)
{
    char *p = arena_alloc(&g->sh->arena, dir.n + name.n + slashes.n + 1);
    if (!p) {
        g->err = HOB_ENOMEM;
        return STR_NONE;
    }
    if (dir.n)
        memcpy(p, dir.p, dir.n);
    if (name.n)
        memcpy(p + dir.n, name.p, name.n);
    if (slashes.n)
        memcpy(p + dir.n + name.n, slashes.p, slashes.n);
    p[dir.n + name.n + slashes.n] = '\0';
    return str_of(p, dir.n + name.n + slashes.n);
}

static void expand_glob_found(struct expand_glob *g, struct str path)
{
    if (path.p && path.n && !expand_push(g->sh, g->out, path))
        g->err = HOB_ENOMEM;
}

/* One name that fits part `at`: the end of the pattern, or a folder to go into. */
static void expand_glob_name(struct expand_glob *g, struct str dir, struct str name, uint32_t mode,
                             int at)
{
    const struct expand_glob_part *t = &g->parts[at];
    struct str path = expand_glob_join(g, dir, name, t->slashes);
    if (!path.p)
        return;
    bool maybe = mode == 0 || MODE_IS_DIR(mode) || MODE_IS_LINK(mode);
    if (t->slashes.n && !maybe)
        return;
    if (at + 1 < g->n)
        expand_glob_run(g, path, at + 1, true);
    else if (!t->slashes.n || MODE_IS_DIR(mode) || expand_glob_is_dir(g, path))
        expand_glob_found(g, path);
}

/* ** : everything below dir, without going through symlinks. */
static void expand_glob_deep(struct expand_glob *g, struct str dir, int at)
{
    const struct expand_glob_part *t = &g->parts[at];
    struct expand_glob_list l;
    bool last = at + 1 == g->n;
    if (task_stack_low(g->sh->proc->task)) {
        g->err = HOB_ELIMIT;
        return;
    }
    expand_glob_list(g, dir, t, &l);
    for (size_t i = 0; i < l.n && !g->err; i++) {
        bool folder = MODE_IS_DIR(l.p[i].mode);
        struct str path = expand_glob_join(g, dir, l.p[i].name, STR(""));
        if (!path.p)
            return;
        if (last && t->slashes.n) {
            if (folder || (MODE_IS_LINK(l.p[i].mode) && expand_glob_is_dir(g, path)))
                expand_glob_found(g, expand_glob_join(g, path, STR(""), t->slashes));
        } else if (last) {
            expand_glob_found(g, path);
        }
        if (!folder)
            continue;
        path = expand_glob_join(g, path, STR(""), STR("/"));
        if (!last && path.p)
            expand_glob_run(g, path, at + 1, true);
        if (path.p)
            expand_glob_deep(g, path, at);
    }
}

/* Matches the parts from `at` on below dir ("" or with a slash at its end). */
static void expand_glob_run(struct expand_glob *g, struct str dir, int at, bool magic)
{
    struct expand_glob_part *t = &g->parts[at];
    struct expand_glob_list l;
    struct stat_info st;
    if (g->err)
        return;
    if (!t->prog) {
        struct str path = expand_glob_join(g, dir, t->text, t->slashes);
        if (!path.p)
            return;
        if (at + 1 < g->n)
            expand_glob_run(g, path, at + 1, magic);
        else if (vfs_stat(g->sh->proc, path, VFS_NOFOLLOW, &st) >= 0)
            expand_glob_found(g, path);
    } else if (t->deep) {
        bool last = at + 1 == g->n;
        if (last && dir.n && expand_glob_is_dir(g, dir))
            /* The folder itself: with its slash, unless a pattern found it. */
            expand_glob_found(g, magic && !t->slashes.n ? str_sub(dir, 0, dir.n - 1) : dir);
        else if (!last)
            expand_glob_run(g, dir, at + 1, magic);
        expand_glob_deep(g, dir, at);
    } else {
        expand_glob_list(g, dir, t, &l);
        for (size_t i = 0; i < l.n && !g->err; i++)
            expand_glob_name(g, dir, l.p[i].name, l.p[i].mode, at);
    }
}

/* ---- the result ------------------------------------------------------------------------------ */

static int expand_glob_order(const void *a, const void *b, void *ud)
{
    (void)ud;
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* Takes out what one of the patterns of GLOBIGNORE matches. */
static int expand_glob_ignore(struct expand_glob *g, size_t first, struct str list)
{
    int flags = (SH_SHOPT(g->sh, SHOPT_EXTGLOB) ? GLOB_EXT : 0) | GLOB_PATH;
    while (list.n) {
        size_t n = 0;
        while (n < list.n && list.p[n] != ':')
            n += list.p[n] == '\\' && n + 1 < list.n ? 2 : 1;
        struct glob_prog *prog = glob_compile(&g->sh->arena, str_sub(list, 0, n), flags);
        size_t kept = first;
        if (!prog)
            return HOB_ENOMEM;
        for (size_t i = first; i < g->out->n; i++)
            if (!glob_match(prog, g->out->p[i]))
                g->out->p[kept++] = g->out->p[i];
        g->out->n = kept;
        list = str_from(list, n + 1);
    }
    return 0;
}

int expand_pathnames(struct shell *sh, struct str pattern, struct strs *out)
{
    struct expand_glob g = {.sh = sh, .out = out};
    struct str ignore;
    size_t first = out->n;
    bool ignores = var_str(sh, sym_of(SYM_GLOBIGNORE), &ignore) && ignore.n;
    g.hidden = SH_SHOPT(sh, SHOPT_DOTGLOB);
    g.skip_dots = SH_SHOPT(sh, SHOPT_GLOBSKIPDOTS) || ignores;
    int r = expand_glob_split(&g, pattern);
    if (r < 0 || g.n == 0)
        return r;
    expand_glob_run(&g, STR(""), 0, false);
    if (g.err < 0)
        return g.err == HOB_ELIMIT ? expand_abort(sh) : g.err;
    if (ignores && (r = expand_glob_ignore(&g, first, ignore)) < 0)
        return r;
    return out->n - first < 2 ? 0
                              : sort_stable(sh->heap, out->p + first, out->n - first,
                                            sizeof *out->p, expand_glob_order, NULL);
}

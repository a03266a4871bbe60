/* find.c -- where a command is: functions, builtins, the table of remembered paths, PATH */
#include "shell/inner.h"
#include "shell/var_impl.h"

struct hash_entry {
    int hits;
    const struct command *command; /* when the path is one of ours */
    size_t size;                   /* of this block */
    struct str path;               /* text behind */
};

struct hashtab {
    unsigned refs;
    struct map map;       /* name -> struct hash_entry */
    struct params *paths; /* the value of PATH that it was filled with */
};

/* ---- remembered paths ------------------------------------------------------------------------ */

static void find_drop_entry(struct shell *sh, struct hash_entry *e)
{
    if (e)
        heap_free(sh->heap, e, e->size);
}

void find_fork(struct shell *child)
{
    if (child->hash)
        child->hash->refs++;
}

void find_fini(struct shell *sh)
{
    struct hashtab *t = sh->hash;
    sh->hash = NULL;
    if (!t || --t->refs)
        return;
    for (struct map_entry *e = NULL; (e = map_next(&t->map, e));)
        find_drop_entry(sh, e->value);
    map_fini(&t->map);
    params_unref(sh, t->paths);
    heap_drop(sh->heap, t);
}

/* A subshell that finds something new starts its own table: remembering is only a matter of speed,
 * except for `hash` itself, which is rare there. */
static struct hashtab *find_own(struct shell *sh)
{
    if (sh->hash && sh->hash->refs == 1)
        return sh->hash;
    find_fini(sh);
    struct hashtab *t = heap_new(sh->heap, struct hashtab);
    if (!t)
        return NULL;
    t->refs = 1;
    map_init(&t->map, sh->heap);
    sh->hash = t;
    return t;
}

static struct str find_path_value(struct shell *sh)
{
    struct str v = STR("");
    return var_str(sh, sym_of(SYM_PATH), &v) ? v : STR("");
}

/* An assignment to PATH makes everything remembered worthless. */
static void find_check_path(struct shell *sh, struct str path)
{
    struct hashtab *t = sh->hash;
    if (t && t->paths && !str_eq(t->paths->p[0], path))
        find_fini(sh);
}

static struct hash_entry *find_add(struct shell *sh, struct str name, struct str path,
                                   const struct command *c)
{
    struct hashtab *t = find_own(sh);
    size_t size = sizeof(struct hash_entry) + path.n + 1;
    struct hash_entry *e = t ? heap_alloc(sh->heap, size) : NULL;
    void **v = e ? map_put(&t->map, name) : NULL;
    if (!v) {
        if (e)
            heap_free(sh->heap, e, size);
        return NULL;
    }
    char *text = (char *)(e + 1);
    memcpy(text, path.p, path.n);
    text[path.n] = '\0';
    *e = (struct hash_entry){.command = c, .size = size, .path = str_of(text, path.n)};
    find_drop_entry(sh, *v);
    *v = e;
    if (!t->paths) {
        struct str now = find_path_value(sh);
        t->paths = params_new(sh, &now, 1);
    }
    return e;
}

int find_remember(struct shell *sh, struct str name, struct str path)
{
    struct found f = {0};
    find_check_path(sh, find_path_value(sh));
    find_file(sh->proc, path, &f);
    return find_add(sh, name, path, f.command) ? 0 : HOB_ENOMEM;
}

void find_forget(struct shell *sh, struct str name)
{
    if (!name.p) {
        find_fini(sh);
        return;
    }
    struct hash_entry *e = sh->hash ? map_value(&sh->hash->map, name) : NULL;
    if (e && sh->hash->refs == 1) {
        map_del(&sh->hash->map, name);
        find_drop_entry(sh, e);
    } else if (e) {
        find_fini(sh);
    }
}

bool find_remembered(struct shell *sh, struct str name, struct str *path, int **hits)
{
    find_check_path(sh, find_path_value(sh));
    struct hash_entry *e = sh->hash ? map_value(&sh->hash->map, name) : NULL;
    if (!e)
        return false;
    *path = e->path;
    if (hits)
        *hits = &e->hits;
    return true;
}

/* The bucket that a name has in bash's own table of 256, which decides the order of listings. */
static uint32_t find_bucket(struct str name)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < name.n; i++)
        h = (h * 16777619u) ^ (unsigned char)name.p[i];
    return h & 255;
}

int find_each(struct shell *sh, int (*fn)(void *ud, struct str name, struct str path, int hits),
              void *ud)
{
    int r = 0;
    if (!sh->hash)
        return 0;
    for (uint32_t bucket = 0; bucket < 256; bucket++)
        for (struct map_entry *e = NULL; r == 0 && (e = map_next(&sh->hash->map, e));) {
            struct hash_entry *h = e->value;
            if (find_bucket(e->key) == bucket)
                r = fn(ud, e->key, h->path, h->hits);
        }
    return r;
}

/* ---- files ----------------------------------------------------------------------------------- */

static const struct command *find_ours(struct proc *p, struct str path)
{
    struct str dir = path_dir(path);
    if (!str_eq(dir, STR("/usr/bin")) && !str_eq(dir, STR("/bin")))
        return NULL;
    return command_find(p->kernel, path_base(path));
}

/* Whether a file that was looked at may be run: 0 or an error. */
static int find_may_run(struct proc *p, const struct stat_info *st)
{
    struct cred c = {p->uid, p->gid};
    return cred_may(c, st, 1) ? 0 : HOB_EACCES;
}

/* A file that may be run: which of our commands it is. */
static void find_what(struct proc *p, struct str path, struct found *out)
{
    out->path = path;
    out->err = 0;
    out->command = find_ours(p, path);
    if (!out->command) {
        /* A symlink to one of ours, or a path with dots in it. */
        struct buf real;
        buf_init(&real, &p->kernel->heap);
        if (vfs_realpath(p, path, false, &real) >= 0)
            out->command = find_ours(p, buf_get(&real));
        buf_fini(&real);
    }
}

void find_file(struct proc *p, struct str path, struct found *out)
{
    struct stat_info st;
    out->path = path;
    out->command = NULL;
    out->err = vfs_stat(p, path, 0, &st);
    if (out->err >= 0 && MODE_IS_DIR(st.mode))
        out->err = HOB_EISDIR;
    if (out->err >= 0)
        out->err = find_may_run(p, &st);
    if (out->err >= 0)
        find_what(p, path, out);
}

/* dir/name, on the arena. */
static struct str find_path(struct shell *sh, struct str dir, struct str name)
{
    if (!dir.n)
        dir = STR(".");
    bool slash = dir.p[dir.n - 1] != '/';
    size_t n = dir.n + slash + name.n;
    char *p = arena_alloc(&sh->arena, n + 1);
    if (!p)
        return STR_NONE;
    memcpy(p, dir.p, dir.n);
    p[dir.n] = '/';
    memcpy(p + n - name.n, name.p, name.n);
    p[n] = '\0';
    return str_of(p, n);
}

bool find_next(struct shell *sh, struct str list, size_t *at, struct str name, struct str *path,
               int *err)
{
    while (*at <= list.n) {
        struct str rest = str_from(list, *at);
        ptrdiff_t end = str_chr(rest, ':');
        struct str dir = end < 0 ? rest : str_sub(rest, 0, (size_t)end);
        *at += dir.n + 1;
        *path = find_path(sh, dir, name);
        if (!path->p)
            return false;
        struct stat_info st;
        if (vfs_stat(sh->proc, *path, 0, &st) < 0 || MODE_IS_DIR(st.mode))
            continue;
        *err = find_may_run(sh->proc, &st);
        return true;
    }
    return false;
}

/* The first file of that name on the path that may be run; or else the first that may not. */
static bool find_on_path(struct shell *sh, struct str list, struct str name, struct str *path,
                         int *err)
{
    size_t at = 0;
    struct str p, first = STR_NONE;
    int e;
    if (!list.n || !name.n)
        return false;
    while (find_next(sh, list, &at, name, &p, &e)) {
        if (e >= 0) {
            *path = p;
            *err = 0;
            return true;
        }
        if (!first.p)
            first = p;
    }
    *path = first;
    *err = HOB_EACCES;
    return first.p != NULL;
}

static const struct str find_default_path = STR_INIT("/usr/local/bin:/usr/local/sbin:/usr/bin:"
                                                     "/usr/sbin:/bin:/sbin");

static void find_external(struct shell *sh, struct str name, int flags, struct found *out)
{
    if (memchr(name.p, '/', name.n)) {
        find_file(sh->proc, name, out);
        return;
    }
    bool standard = flags & RUN_DEFAULT_PATH;
    struct str list = standard ? find_default_path : find_path_value(sh);
    struct hash_entry *e = NULL;
    if (!standard) {
        find_check_path(sh, list);
        e = sh->hash ? map_value(&sh->hash->map, name) : NULL;
    }
    if (e && SH_SHOPT(sh, SHOPT_CHECKHASH) && vfs_access(sh->proc, e->path, 1) < 0) {
        find_forget(sh, name);
        e = NULL;
    }
    if (e) {
        if (!sh->forked || sh->hash->refs == 1)
            e->hits++; /* the table is its own */
        out->path = e->path;
        out->command = e->command;
        out->err = 0;
        return;
    }
    if (!find_on_path(sh, list, name, &out->path, &out->err)) {
        out->path = STR_NONE;
        out->err = HOB_ENOENT;
        return;
    }
    if (out->err < 0)
        return;
    find_what(sh->proc, out->path, out);
    /* A stage of a pipeline ends with its command: it remembers nothing. */
    bool last = sh->stage && sh->stage == sh->command;
    if (!standard && !last && SH_OPT(sh, OPT_HASHALL)) {
        e = find_add(sh, name, out->path, out->command);
        if (e) {
            e->hits = 1;
            out->path = e->path;
        }
    }
}

void find_command(struct shell *sh, struct str name, int flags, struct found *out)
{
    *out = (struct found){0};
    const struct builtin *b = flags & RUN_NO_BUILTIN ? NULL : builtin_active(sh, name);
    if (b && (b->flags & BUILTIN_SPECIAL) && SH_OPT(sh, OPT_POSIX)) {
        out->builtin = b;
        return;
    }
    if (!(flags & RUN_NO_FUNC)) {
        out->function = function_find(sh, name);
        if (out->function)
            return;
    }
    out->builtin = b;
    if (!b)
        find_external(sh, name, flags, out);
}

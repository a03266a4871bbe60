/* jq_module.c -- import and include: libraries and data from the files of the sandbox */
#include "base/error.h"
#include "commands/jq/jq.h"

struct str jq_lib_origin(const struct jq_lib *lib)
{
    ptrdiff_t slash = str_rchr(lib->path, '/');
    return slash < 0 ? STR(".") : str_sub(lib->path, 0, MAX((size_t)slash, 1));
}

static struct str jq_home(struct jq *j)
{
    struct str home;
    return proc_getenv(j->p, STR("HOME"), &home) ? home : STR("/");
}

/* A folder to search, seen from origin: ~ is the home, $ORIGIN where jq is. */
static struct str jq_search_folder(struct jq *j, struct str dir, struct str origin)
{
    struct arena *a = &j->arena;
    if (str_eqz(dir, "~") || str_starts(dir, STR("~/")))
        return arena_printf(a, "%.*s%.*s", STR_ARG(jq_home(j)), STR_ARG(str_from(dir, 1)));
    if (str_starts(dir, STR("$ORIGIN")))
        return arena_printf(a, "/usr/bin%.*s", STR_ARG(str_from(dir, 7)));
    if (dir.n && dir.p[0] == '/')
        return dir;
    return arena_printf(a, "%.*s/%.*s", STR_ARG(origin.p ? origin : STR(".")), STR_ARG(dir));
}

static const char *const jq_default_search[] = {"~/.jq", "$ORIGIN/../lib/jq", "$ORIGIN/../lib"};

struct jq_val jq_search_list(struct jq *j)
{
    struct jq_val out = jq_array(j, 3);
    for (size_t i = 0; i < j->search.n; i++)
        jq_push(j, &out, jq_string_checked(j, j->search.p[i]));
    for (size_t i = 0; j->search.n == 0 && i < COUNT(jq_default_search); i++)
        jq_push(j, &out, jq_string(j, str_z(jq_default_search[i])));
    return out;
}

/* Reads a file whole. HOB_ENOENT and others. */
static int jq_slurp(struct jq *j, struct str path, struct str *out)
{
    struct in in;
    int e = in_open_quiet(&in, j->p, path);
    if (e < 0)
        return e;
    e = in_all(&in, out);
    in_fini(&in);
    return e;
}

/* dir/name.jq, or dir/name/last.jq. */
static bool jq_find_in(struct jq *j, struct str dir, struct str name, bool data, struct str *path,
                       struct str *text)
{
    const char *suffix = data ? "json" : "jq";
    ptrdiff_t slash = str_rchr(name, '/');
    struct str last = str_from(name, (size_t)(slash + 1));

    *path = arena_printf(&j->arena, "%.*s/%.*s.%s", STR_ARG(dir), STR_ARG(name), suffix);
    if (path->p && jq_slurp(j, *path, text) == 0)
        return true;
    *path = arena_printf(&j->arena, "%.*s/%.*s/%.*s.%s", STR_ARG(dir), STR_ARG(name), STR_ARG(last),
                         suffix);
    return path->p && jq_slurp(j, *path, text) == 0;
}

static bool jq_find(struct jq *j, const struct jq_dep *d, struct str origin, struct str *path,
                    struct str *text)
{
    struct jq_val *search =
        d->meta.kind == JQ_OBJECT ? jq_object_getz(j, d->meta.obj, "search") : NULL;
    struct jq_val list = jq_search_list(j);
    bool found = false;

    if (search && search->kind == JQ_STRING)
        found = jq_find_in(j, jq_search_folder(j, jq_text(*search), origin), d->path, d->data, path,
                           text);
    for (uint32_t i = 0; search && search->kind == JQ_ARRAY && i < search->arr->n && !found; i++)
        if (search->arr->v[i].kind == JQ_STRING)
            found = jq_find_in(j, jq_search_folder(j, jq_text(search->arr->v[i]), origin), d->path,
                               d->data, path, text);
    for (uint32_t i = 0; list.kind && i < list.arr->n && !found; i++)
        found = jq_find_in(j, jq_search_folder(j, jq_text(list.arr->v[i]), STR(".")), d->path,
                           d->data, path, text);
    jq_drop(j, list);
    return found;
}

/* All values of a data file, as an array. */
static struct jq_val jq_data(struct jq *j, struct str text, struct str path)
{
    struct jq_reader r;
    struct jq_val out = jq_array(j, 1), v;
    int n;

    jq_reader_init(&r, j, NULL, text);
    while ((n = jq_reader_next(&r, &v)) == 1)
        jq_push(j, &out, v);
    if (n < 0) {
        if (v.kind)
            proc_printf_err(j->p, "%s: error: %.*s: %s\n\n", j->name, STR_ARG(path), jq_text(v).p);
        jq_drop(j, v);
        jq_drop(j, out);
        out = jq_none();
    }
    jq_reader_fini(&r);
    return out;
}

struct jq_lib *jq_load(struct jq *j, const struct jq_dep *d, struct str origin, bool *fresh)
{
    struct str path, text;

    *fresh = false;
    if (!jq_find(j, d, origin, &path, &text)) {
        proc_printf_err(j->p, "%s: error: module not found: %.*s\n\n", j->name, STR_ARG(d->path));
        j->errors++;
        return NULL;
    }
    for (struct jq_lib *l = j->libs; l; l = l->next)
        if (str_eq(l->path, path)) {
            if (l->loading) {
                proc_printf_err(j->p, "%s: error: module %.*s imports itself\n\n", j->name,
                                STR_ARG(d->path));
                j->errors++;
                return NULL;
            }
            return l;
        }
    struct jq_lib *lib = arena_new(&j->arena, struct jq_lib);
    if (!lib)
        return NULL;
    lib->path = path;
    if (d->data) {
        lib->data = jq_keep(j, jq_data(j, text, path));
        j->errors += lib->data.kind == JQ_NONE;
        if (lib->data.kind == JQ_NONE)
            return NULL;
    } else if (!(lib->unit = jq_parse(j, text, path.p, true))) {
        return NULL;
    }
    lib->next = j->libs;
    j->libs = lib;
    *fresh = true;
    return lib;
}

/* ---- modulemeta ------------------------------------------------------------------------------ */

static struct jq_val jq_meta_deps(struct jq *j, const struct jq_unit *u)
{
    struct jq_val out = jq_array(j, 0);
    for (const struct jq_dep *d = u->deps; d; d = d->next) {
        struct jq_val o = d->meta.kind ? jq_copy(d->meta) : jq_object(j, 3);
        if (d->as.p)
            jq_putz(j, &o, "as", jq_string(j, d->as));
        jq_putz(j, &o, "is_data", jq_bool(d->data));
        jq_putz(j, &o, "relpath", jq_string(j, d->path));
        jq_push(j, &out, o);
    }
    return out;
}

struct jq_val jq_modulemeta(struct jq *j, struct jq_val name)
{
    struct str path, text;
    struct jq_val out;

    if (name.kind != JQ_STRING) {
        jq_drop(j, name);
        return jq_fail(j, "modulemeta input module name must be a string");
    }
    struct jq_dep d = {.path = jq_text(name)};
    if (!jq_find(j, &d, STR_NONE, &path, &text)) {
        jq_fail(j, "module not found: %s", jq_text(name).p);
        jq_drop(j, name);
        return jq_none();
    }
    jq_drop(j, name);
    struct jq_unit *u = jq_parse(j, text, path.p, true);
    if (!u)
        return jq_fail(j, "module could not be read");
    out = u->is_module ? jq_copy(u->module) : jq_object(j, 2);
    jq_putz(j, &out, "deps", jq_meta_deps(j, u));
    struct jq_val defs = jq_array(j, u->defs.n);
    for (uint32_t i = 0; i < u->defs.n; i++) {
        const struct jq_def *f = u->defs.p[i]->def;
        jq_push(j, &defs,
                jq_string(j, arena_printf(&j->arena, "%.*s/%u", STR_ARG(f->name), f->nparams)));
    }
    jq_putz(j, &out, "defs", defs);
    return out;
}

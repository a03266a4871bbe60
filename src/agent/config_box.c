/* config_box.c -- the sandbox of an agent, as its file describes it, and the skills of the
 * project
 *
 * Skills stand on the host, in skills/ of the project, and an agent looks for them in its
 * sandbox. In a virtual one they are staged where it looks; a local one sees them where they
 * are.
 */
#include "agent/config.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/utf8.h"

enum {
    CONFIG_BOX_DEPTH = 32,           /* folders below a folder that is copied */
    CONFIG_BOX_FILES = 20000,        /* files of one folder that is copied */
    CONFIG_BOX_BYTES = 256 * 1048576 /* of all that is copied */
};

static struct config_agent *config_box_of(struct config_reader *r) { return r->out; }

static int config_box_no_memory(struct hob_error *err)
{
    return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
}

/* ---- env ------------------------------------------------------------------------------------- */

/* Puts values for ${NAME}, from the environment of the process and the .env files. */
static int config_box_expand(struct config_reader *r, const struct json *v, struct buf *b)
{
    struct str s = v->text;
    while (s.n > 0) {
        ptrdiff_t at = str_find(s, STR("${"));
        ptrdiff_t end = at < 0 ? -1 : str_chr(str_from(s, (size_t)at), '}');
        if (end < 0) {
            buf_str(b, s);
            return 0;
        }
        struct str name = str_sub(s, (size_t)at + 2, (size_t)end - 2);
        const char *const *e = r->config->env;
        while (e && *e && !(str_starts(str_z(*e), name) && (*e)[name.n] == '='))
            e++;
        if (!e || !*e)
            return config_bad(r, v, "the variable %.*s is not set", STR_ARG(name));
        buf_str(b, str_sub(s, 0, (size_t)at));
        buf_addz(b, *e + name.n + 1);
        s = str_from(s, (size_t)(at + end) + 1);
    }
    return 0;
}

int config_expand(struct config_reader *r, const struct json *v, const char **out)
{
    struct buf b;
    buf_init(&b, r->config->heap);
    int code = config_box_expand(r, v, &b);
    if (code == 0) {
        *out = arena_str(&r->config->arena, buf_get(&b)).p;
        code = *out ? 0 : config_box_no_memory(r->err);
    }
    buf_fini(&b);
    return code;
}

static int config_box_env(struct config_reader *r, const struct json *v)
{
    struct config_agent *a = config_box_of(r);
    const char **list = arena_array(&r->config->arena, const char *, v->n + 1);
    size_t n = 0;
    int code = 0;

    if (v->kind != JSON_OBJECT)
        return config_bad(r, v, "expected lines of \"NAME: value\"");
    if (!list)
        return config_box_no_memory(r->err);
    for (const struct json *x = v->first; x && code == 0; x = x->next) {
        struct buf b;
        buf_init(&b, r->config->heap);
        buf_str(&b, x->key);
        if (x->kind == JSON_ARRAY || x->kind == JSON_OBJECT)
            code = config_bad(r, x, "expected a text");
        if (x->kind != JSON_NULL)
            buf_putc(&b, '='); /* without it the variable is removed */
        if (x->kind == JSON_STRING)
            code = config_box_expand(r, x, &b);
        else if (x->kind != JSON_NULL && code == 0)
            json_write(&b, x);
        list[n] = arena_str(&r->config->arena, buf_get(&b)).p;
        buf_fini(&b);
        if (code == 0 && !list[n++])
            code = config_box_no_memory(r->err);
    }
    a->sandbox.env = list;
    return code;
}

/* ---- files ----------------------------------------------------------------------------------- */

static struct config_file *config_box_file(struct config_reader *r)
{
    struct config_agent *a = config_box_of(r);
    return &a->files[a->nfiles];
}
static int config_file_text(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &config_box_file(r)->text);
}
static int config_file_link(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &config_box_file(r)->link);
}
static int config_file_from(struct config_reader *r, const struct json *v)
{
    struct stat st;
    const char *path;
    int code = config_string(r, v, &path);
    if (code < 0)
        return code;
    path = config_path(r->config, str_z(path)).p;
    if (path && stat(path, &st) < 0)
        return config_bad(r, v, "%s: %s", path, error_text(-errno));
    config_box_file(r)->from = path;
    return path ? 0 : config_box_no_memory(r->err);
}
static int config_file_mode(struct config_reader *r, const struct json *v)
{
    int64_t mode = 0;
    struct str s = v->text;
    if (v->kind != JSON_STRING && v->kind != JSON_NUMBER)
        s = STR_NONE;
    for (size_t i = 0; i < s.n && mode >= 0; i++)
        mode = s.p[i] >= '0' && s.p[i] <= '7' && mode < 01000 ? mode * 8 + s.p[i] - '0' : -1;
    if (s.n == 0 || mode < 0)
        return config_bad(r, v, "expected permissions such as 0755");
    config_box_file(r)->mode = mode;
    return 0;
}

/* files: path: text, or path: {from: ..., mode: ...}. */
static int config_box_files(struct config_reader *r, const struct json *v)
{
    static const struct config_key keys[] = {{"text", config_file_text},
                                             {"link", config_file_link},
                                             {"from", config_file_from},
                                             {"mode", config_file_mode}};
    struct config_agent *a = config_box_of(r);

    if (v->kind != JSON_OBJECT)
        return config_bad(r, v, "expected paths with their texts");
    a->files = arena_array(&r->config->arena, struct config_file, v->n + 1);
    if (!a->files)
        return config_box_no_memory(r->err);
    for (const struct json *x = v->first; x; x = x->next, a->nfiles++) {
        struct config_file *f = config_box_file(r);
        f->path = x->key.p;
        int code =
            x->kind == JSON_STRING ? config_file_text(r, x) : config_each(r, x, keys, COUNT(keys));
        if (code < 0)
            return code;
        if ((f->text != NULL) + (f->link != NULL) + (f->from != NULL) != 1)
            return config_bad(r, x, "set one of text, from and link");
    }
    return 0;
}

/* ---- mounts ---------------------------------------------------------------------------------- */

static const char *const config_mount_kinds[] = {"ro", "rw", "overlay", "copy"};

static struct config_mount *config_box_mount(struct config_reader *r)
{
    struct config_agent *a = config_box_of(r);
    return &a->mounts[a->nmounts];
}
static int config_mount_set_host(struct config_reader *r, const struct json *v, struct str host)
{
    struct stat st;
    const char *path = config_path(r->config, host).p;
    if (!path)
        return config_box_no_memory(r->err);
    if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
        return config_bad(r, v, "%s is no folder of this machine", path);
    config_box_mount(r)->host = path;
    return 0;
}
static int config_mount_host(struct config_reader *r, const struct json *v)
{
    const char *host;
    int code = config_string(r, v, &host);
    return code < 0 ? code : config_mount_set_host(r, v, str_z(host));
}
static int config_mount_path(struct config_reader *r, const struct json *v)
{
    int code = config_string(r, v, &config_box_mount(r)->path);
    if (code == 0 && config_box_mount(r)->path[0] != '/')
        return config_bad(r, v, "expected an absolute path");
    return code;
}
static int config_mount_kind(struct config_reader *r, const struct json *v)
{
    return config_choice(r, v, config_mount_kinds, COUNT(config_mount_kinds),
                         &config_box_mount(r)->kind);
}

/* HOST:PATH[:KIND], as the program takes it. */
static int config_mount_short(struct config_reader *r, const struct json *v)
{
    struct config_mount *m = config_box_mount(r);
    ptrdiff_t colon = str_find(v->text, STR(":/"));
    if (colon <= 0)
        return config_bad(r, v, "expected HOST:PATH or HOST:PATH:KIND, PATH absolute");
    struct str path = str_from(v->text, (size_t)colon + 1);
    ptrdiff_t kind = str_rchr(path, ':');
    m->path = arena_str(&r->config->arena, kind < 0 ? path : str_sub(path, 0, (size_t)kind)).p;
    for (size_t i = 0; kind >= 0 && i <= COUNT(config_mount_kinds); i++) {
        if (i == COUNT(config_mount_kinds))
            return config_bad(r, v, "expected one of ro, rw, overlay and copy at the end");
        if (str_eqz(str_from(path, (size_t)kind + 1), config_mount_kinds[i])) {
            m->kind = (int)i;
            break;
        }
    }
    return m->path ? config_mount_set_host(r, v, str_sub(v->text, 0, (size_t)colon))
                   : config_box_no_memory(r->err);
}

static int config_box_mounts(struct config_reader *r, const struct json *v)
{
    static const struct config_key keys[] = {
        {"host", config_mount_host}, {"path", config_mount_path}, {"kind", config_mount_kind}};
    struct config_agent *a = config_box_of(r);

    if (v->kind != JSON_ARRAY)
        return config_bad(r, v, "expected a list of mounts");
    a->mounts = arena_array(&r->config->arena, struct config_mount, v->n + 1);
    if (!a->mounts)
        return config_box_no_memory(r->err);
    for (const struct json *x = v->first; x; x = x->next, a->nmounts++) {
        struct config_mount *m = config_box_mount(r);
        *m = (struct config_mount){.kind = HOB_MOUNT_RO, .line = frontmatter_line(x)};
        int code = x->kind == JSON_STRING ? config_mount_short(r, x)
                                          : config_each(r, x, keys, COUNT(keys));
        if (code < 0)
            return code;
        if (!m->host || !m->path)
            return config_bad(r, x, "%s is missing", m->host ? "path" : "host");
    }
    return 0;
}

/* ---- limits and the rest --------------------------------------------------------------------- */

static hob_limits *config_box_limits_of(struct config_reader *r)
{
    return &config_box_of(r)->box.limits;
}
#define CONFIG_LIMIT(name)                                                                         \
    static int config_limit_##name(struct config_reader *r, const struct json *v)                  \
    {                                                                                              \
        return config_bytes(r, v, &config_box_limits_of(r)->name);                                 \
    }
CONFIG_LIMIT(memory)
CONFIG_LIMIT(fuel)
CONFIG_LIMIT(output)
CONFIG_LIMIT(files)
CONFIG_LIMIT(file_size)
CONFIG_LIMIT(processes)
CONFIG_LIMIT(fds)
CONFIG_LIMIT(stack)
CONFIG_LIMIT(script)
CONFIG_LIMIT(depth)
#undef CONFIG_LIMIT

static int config_box_limits(struct config_reader *r, const struct json *v)
{
    static const struct config_key keys[] = {{"memory", config_limit_memory},
                                             {"fuel", config_limit_fuel},
                                             {"output", config_limit_output},
                                             {"files", config_limit_files},
                                             {"file_size", config_limit_file_size},
                                             {"processes", config_limit_processes},
                                             {"fds", config_limit_fds},
                                             {"stack", config_limit_stack},
                                             {"script", config_limit_script},
                                             {"depth", config_limit_depth}};
    int code = config_each(r, v, keys, COUNT(keys));
    config_box_of(r)->sandbox.output = config_box_limits_of(r)->output;
    return code;
}

static int config_box_kind(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &config_box_of(r)->o.sandbox);
}
static int config_box_cwd(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &config_box_of(r)->sandbox.cwd);
}
static int config_box_user(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &config_box_of(r)->box.user);
}
static int config_box_hostname(struct config_reader *r, const struct json *v)
{
    return config_string(r, v, &config_box_of(r)->box.hostname);
}
static int config_box_seed(struct config_reader *r, const struct json *v)
{
    int64_t seed;
    int code = config_count(r, v, &seed);
    if (code == 0)
        config_box_of(r)->box.seed = (uint64_t)seed;
    return code;
}
static int config_box_network(struct config_reader *r, const struct json *v)
{
    return config_network(r, v, &config_box_of(r)->box.network);
}

int config_sandbox(struct config_reader *r, const struct json *v)
{
    static const struct config_key keys[] = {
        {"kind", config_box_kind},         {"cwd", config_box_cwd},
        {"env", config_box_env},           {"files", config_box_files},
        {"mounts", config_box_mounts},     {"limits", config_box_limits},
        {"network", config_box_network},   {"user", config_box_user},
        {"hostname", config_box_hostname}, {"seed", config_box_seed}};
    static const char *const only_virtual[] = {"files", "mounts",   "network",
                                               "user",  "hostname", "seed"};
    const char *kind;

    if (v->kind == JSON_STRING)
        return config_box_kind(r, v);
    int code = config_each(r, v, keys, COUNT(keys));
    kind = config_box_of(r)->o.sandbox;
    if (code < 0 || !kind || strcmp(kind, "virtual") == 0 || strcmp(kind, "empty") == 0)
        return code;
    for (size_t i = 0; i < COUNT(only_virtual); i++) {
        const struct json *x = json_get(v, only_virtual[i]);
        if (x)
            return config_bad(r, x, "only a virtual sandbox takes it");
    }
    return 0;
}

/* ---- skills ---------------------------------------------------------------------------------- */

/* What is handed to an agent that does not find it in its sandbox. */
static int config_skill_hand(struct config_reader *r, const struct config_skill *s, hob_skill *out)
{
    struct config *c = r->config;
    struct str path = arena_printf(&c->arena, "%s/SKILL.md", s->folder);
    struct frontmatter f;
    struct buf text;

    if (!path.p)
        return config_box_no_memory(r->err);
    buf_init(&text, c->heap);
    int code = config_slurp(path.p, &text);
    if (code < 0)
        error_set(r->err, code, "%s: %s", path.p, error_text(code));
    code = code < 0 ? code : frontmatter_read(&c->arena, buf_get(&text), path.p, &f, r->err);
    if (code == 0) {
        const struct json *d = json_get(f.top, "description");
        out->name = s->name;
        out->description = d && d->kind == JSON_STRING ? d->text.p : NULL;
        out->body = arena_printf(&c->arena, "The files of this skill are in %s.\n\n%.*s", s->folder,
                                 STR_ARG(str_trim(f.body)))
                        .p;
        if (!out->description || !*out->description)
            code = error_set(r->err, HOB_EINVAL, "%s:1: description is missing", path.p);
        else if (!out->body)
            code = config_box_no_memory(r->err);
    }
    buf_fini(&text);
    return code;
}

static int config_skill_add(struct config_reader *r, const struct json *v, struct str name)
{
    struct config_agent *a = config_box_of(r);
    struct config *c = r->config;
    struct stat st;
    ptrdiff_t slash = str_rchr(name, '/');
    struct str folder =
        slash >= 0 ? config_path(c, name)
                   : arena_printf(&c->arena, "%.*s/skills/%.*s", STR_ARG(c->source), STR_ARG(name));
    struct str file = arena_printf(&c->arena, "%.*s/SKILL.md", STR_ARG(folder));

    if (!folder.p || !file.p)
        return config_box_no_memory(r->err);
    if (stat(file.p, &st) < 0)
        return v ? config_bad(r, v, "there is no %s", file.p) : 0;
    a->skills[a->nskills].folder = folder.p;
    a->skills[a->nskills].name = arena_str(&c->arena, str_from(name, (size_t)(slash + 1))).p;
    int code = config_skill_hand(r, &a->skills[a->nskills],
                                 (hob_skill *)(uintptr_t)&a->o.skills[a->nskills]);
    if (code == 0)
        a->o.nskills = ++a->nskills;
    return code;
}

int config_skills(struct config_reader *r, const struct json *v)
{
    struct config_agent *a = config_box_of(r);
    struct strs names = {0};
    int code = 0;

    if (v && v->kind != JSON_ARRAY)
        return config_bad(r, v, "expected a list of names");
    if (!v && config_names(r->config, "skills", "", &names) < 0)
        return config_box_no_memory(r->err);
    size_t n = v ? v->n : names.n;
    a->skills = arena_array(&r->config->arena, struct config_skill, n + 1);
    a->o.skills = arena_array(&r->config->arena, hob_skill, n + 1);
    if (!a->skills || !a->o.skills)
        return config_box_no_memory(r->err);
    for (size_t i = 0; !v && i < n && code == 0; i++)
        code = config_skill_add(r, NULL, names.p[i]);
    for (const struct json *x = v ? v->first : NULL; x && code == 0; x = x->next) {
        if (x->kind != JSON_STRING)
            code = config_bad(r, x, "expected a name");
        else
            code = config_skill_add(r, x, x->text);
    }
    return code;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* A copy of something of the host in the sandbox. */
struct config_copy {
    struct heap *heap;
    hob_sandbox *box;
    struct hob_error *err;
    size_t files, bytes;
    int depth;
};

static int config_copy_path(struct config_copy *k, const char *from, const char *to);

static int config_copy_file(struct config_copy *k, const char *from, const char *to, unsigned mode)
{
    struct buf text;
    buf_init(&text, k->heap);
    int r = config_slurp(from, &text);
    k->bytes += text.n;
    if (r == 0 && (++k->files > CONFIG_BOX_FILES || k->bytes > CONFIG_BOX_BYTES))
        r = error_set(k->err, HOB_ELIMIT, "%s: too much to copy; mount it instead", from);
    else if (r < 0)
        error_set(k->err, r, "%s: %s", from, error_text(r));
    else if ((r = hob_write(k->box, to, buf_get(&text).p, text.n)) < 0)
        error_set(k->err, r, "%s: %s", to, error_text(r));
    else
        r = mode & 0111 ? hob_chmod(k->box, to, mode & 0777) : 0;
    buf_fini(&text);
    return r;
}

static int config_copy_folder(struct config_copy *k, const char *from, const char *to)
{
    struct dirent *e;
    DIR *d = opendir(from);
    int r = d ? hob_mkdir(k->box, to, HOB_RECURSIVE) : -errno;

    if (r < 0)
        error_set(k->err, r, "%s: %s", from, error_text(r));
    if (r == 0 && ++k->depth > CONFIG_BOX_DEPTH)
        r = error_set(k->err, HOB_ELIMIT, "%s: nested too deeply", from);
    while (r == 0 && (e = readdir(d))) {
        struct buf a, b;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        buf_init(&a, k->heap);
        buf_init(&b, k->heap);
        buf_printf(&a, "%s/%s", from, e->d_name);
        buf_printf(&b, "%s/%s", to, e->d_name);
        r = k->heap->oom ? HOB_ENOMEM : config_copy_path(k, a.p, b.p);
        buf_fini(&a);
        buf_fini(&b);
    }
    if (d)
        closedir(d);
    k->depth--;
    return r;
}

/* Links and devices are left out: what is copied is what the project holds itself. */
static int config_copy_path(struct config_copy *k, const char *from, const char *to)
{
    struct stat st;
    if ((k->depth ? lstat(from, &st) : stat(from, &st)) < 0)
        return error_set(k->err, -errno, "%s: %s", from, error_text(-errno));
    if (S_ISDIR(st.st_mode))
        return config_copy_folder(k, from, to);
    return S_ISREG(st.st_mode) ? config_copy_file(k, from, to, st.st_mode) : 0;
}

static int config_stage_file(struct config_copy *k, const struct config_file *f)
{
    int r;
    if (f->from)
        r = config_copy_path(k, f->from, f->path);
    else if (f->link)
        r = hob_symlink(k->box, f->link, f->path);
    else
        r = hob_write(k->box, f->path, f->text, strlen(f->text));
    if (r == 0 && f->mode)
        r = hob_chmod(k->box, f->path, (uint32_t)f->mode);
    if (r < 0 && !k->err->code)
        error_set(k->err, r, "%s: %s", f->path, error_text(r));
    return r;
}

static int config_stage_mount(struct config_copy *k, const struct config_mount *m)
{
    hob_mount_options o = {.size = sizeof o, .kind = m->kind, .host_dir = m->host};
    int r = hob_mount(k->box, m->path, &o, k->err);
    return r < 0 ? error_prefix(k->err, "%s", m->path) : 0;
}

/* Files and skills go where the agent works. */
static int config_stage(struct config *c, struct config_agent *a, hob_sandbox *box,
                        struct hob_error *err)
{
    struct config_copy k = {.heap = c->heap, .box = box, .err = err};
    hob_sandbox *view = NULL;
    int r = 0;

    *err = (struct hob_error){0};
    for (size_t i = 0; r == 0 && i < a->nmounts; i++)
        r = config_stage_mount(&k, &a->mounts[i]);
    if (r == 0 && a->o.cwd) {
        r = hob_mkdir(box, a->o.cwd, HOB_RECURSIVE);
        r = r < 0 ? r : hob_sandbox_view(box, a->o.cwd, &view);
        k.box = r < 0 ? box : view;
    }
    for (size_t i = 0; r == 0 && i < a->nfiles; i++)
        r = config_stage_file(&k, &a->files[i]);
    for (size_t i = 0; r == 0 && i < a->nskills; i++) {
        struct str to = arena_printf(&c->arena, ".agents/skills/%s", a->skills[i].name);
        r = to.p ? config_copy_path(&k, a->skills[i].folder, to.p) : HOB_ENOMEM;
    }
    hob_sandbox_free(view);
    if (r < 0 && !err->code)
        error_set(err, r, "%s", error_text(r));
    return r;
}

int config_sandbox_open(struct config *c, struct config_agent *a, const char *kind,
                        hob_sandbox **out, struct hob_error *err)
{
    const char *own = a->o.sandbox ? a->o.sandbox : "virtual";
    hob_sandbox_options so = a->sandbox;
    struct hob_error why = {0};
    bool same = !kind || strcmp(kind, own) == 0;

    kind = kind ? kind : own;
    bool in_memory = strcmp(kind, "virtual") == 0 || strcmp(kind, "empty") == 0;
    so.virtual_options = &a->box;
    if (!same) /* paths of one kind mean nothing in another */
        so.cwd = NULL;
    if (!in_memory)
        so.cwd = so.cwd ? config_path(c, str_z(so.cwd)).p : c->root.p;
    int r = hob_sandbox_open(kind, &so, out, &why);
    if (r == 0 && in_memory) {
        r = config_stage(c, a, *out, &why);
        a->o.nskills = 0; /* it finds them by itself */
    }
    if (r < 0) {
        hob_sandbox_free(*out);
        *out = NULL;
        if (err) {
            *err = why;
            error_prefix(err, "%s: sandbox", a->file);
        }
        return r;
    }
    if (!same)
        a->o.cwd = NULL;
    a->o.box = *out;
    return 0;
}

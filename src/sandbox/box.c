/* box.c -- making and freeing a virtual sandbox */
#include "base/error.h"
#include "commands/table.h"
#include "sandbox/sandbox.h"

enum {
    BOX_MEMORY = 1 << 30,
    BOX_OUTPUT = 256 << 20,
    BOX_FILES = 1000000,
    BOX_PROCESSES = 1024,
    BOX_FDS = 1024,
    BOX_STACK = 8 << 20,
    BOX_STACK_MIN = 256 << 10,
    BOX_SCRIPT = 64 << 20
};

struct str heap_str(struct heap *h, struct str s)
{
    char *p = heap_alloc(h, s.n + 1);
    if (!p)
        return STR_NONE;
    if (s.n)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    return str_of(p, s.n);
}

static void box_str_free(struct heap *h, struct str s)
{
    if (s.p)
        heap_free(h, (void *)s.p, s.n + 1);
}

/* ---- environment ----------------------------------------------------------------------------- */

static struct str envlist_name(struct str s)
{
    ptrdiff_t eq = str_chr(s, '=');
    return eq < 0 ? s : str_sub(s, 0, (size_t)eq);
}

static bool envlist_get(void *ctx, struct str name, struct str *value)
{
    const struct envlist *e = ctx;
    for (size_t i = 0; i < e->n; i++)
        if (e->p[i].n > name.n && e->p[i].p[name.n] == '=' && str_starts(e->p[i], name)) {
            *value = str_from(e->p[i], name.n + 1);
            return true;
        }
    return false;
}

static int envlist_each(void *ctx, int (*fn)(void *ud, struct str name, struct str value), void *ud)
{
    const struct envlist *e = ctx;
    int r = 0;
    for (size_t i = 0; i < e->n && r == 0; i++) {
        struct str name = envlist_name(e->p[i]);
        r = fn(ud, name, str_from(e->p[i], name.n + 1));
    }
    return r;
}

const struct env_ops envlist_ops = {envlist_get, envlist_each};

int envlist_set(struct heap *h, struct envlist *e, struct str assignment)
{
    struct str name = envlist_name(assignment), copy = STR_NONE;
    if (name.n < assignment.n) {
        copy = heap_str(h, assignment);
        if (!copy.p)
            return HOB_ENOMEM;
    }
    for (size_t i = 0; i < e->n; i++)
        if (str_eq(envlist_name(e->p[i]), name)) {
            box_str_free(h, e->p[i]);
            if (copy.p)
                e->p[i] = copy;
            else
                memmove(e->p + i, e->p + i + 1, (--e->n - i) * sizeof *e->p);
            return 0;
        }
    if (!copy.p)
        return 0;
    if (!vec_push(h, e, copy)) {
        box_str_free(h, copy);
        return HOB_ENOMEM;
    }
    return 0;
}

int envlist_copy(struct heap *h, struct envlist *to, const struct envlist *from)
{
    for (size_t i = 0; i < from->n; i++) {
        int r = envlist_set(h, to, from->p[i]);
        if (r < 0)
            return r;
    }
    return 0;
}

void envlist_fini(struct heap *h, struct envlist *e)
{
    for (size_t i = 0; i < e->n; i++)
        box_str_free(h, e->p[i]);
    vec_fini(h, e);
}

/* ---- making ---------------------------------------------------------------------------------- */

static uint64_t box_limit(uint64_t asked, uint64_t standard) { return asked ? asked : standard; }

static void box_limits(struct limits *l, const hob_limits *o)
{
    l->memory = box_limit(o->memory, BOX_MEMORY);
    l->fuel = box_limit(o->fuel, HOB_UNLIMITED);
    l->output = box_limit(o->output, BOX_OUTPUT);
    l->files = box_limit(o->files, BOX_FILES);
    l->file_size = box_limit(o->file_size, l->memory);
    l->processes = box_limit(o->processes, BOX_PROCESSES);
    l->fds = MIN(box_limit(o->fds, BOX_FDS), (uint64_t)INT32_MAX);
    l->stack = MAX(box_limit(o->stack, BOX_STACK), (uint64_t)BOX_STACK_MIN);
    l->script = box_limit(o->script, BOX_SCRIPT);
    l->depth = box_limit(o->depth, HOB_UNLIMITED);
}

/* The names that /usr/bin shows. */
static int box_names(void *ud, int (*each)(void *ctx, struct str name), void *ctx)
{
    struct kernel *k = ud;
    int r = 0;
    for (const struct command *const *c = k->commands_table; *c && r == 0; c++)
        r = each(ctx, str_z((*c)->name));
    for (struct map_entry *e = NULL; r == 0 && k->custom && (e = map_next(k->custom, e));)
        r = each(ctx, e->key);
    return r;
}

static bool box_has_name(void *ud, struct str name) { return command_find(ud, name) != NULL; }

/* The tree and what the standard layout mounts in it. */
static int box_files(struct virtual_box *box)
{
    struct kernel *k = &box->kernel;
    box->root = tree_new(k, true);
    if (!box->root)
        return HOB_ENOMEM;
    int r = vfs_init(&box->vfs, k, box->root);
    if (r < 0)
        return r;
    k->vfs = &box->vfs;
    struct fs *dev = devfs_new(k);
    r = dev ? vfs_mount(&box->vfs, STR("/dev"), dev) : HOB_ENOMEM;
    struct fs *proc = r < 0 ? NULL : procfs_new(k);
    r = r < 0 ? r : proc ? vfs_mount(&box->vfs, STR("/proc"), proc) : HOB_ENOMEM;
    struct fs *bin = r < 0 ? NULL : binfs_new(k, box_names, box_has_name, k);
    return r < 0 ? r : bin ? vfs_mount(&box->vfs, STR("/usr/bin"), bin) : HOB_ENOMEM;
}

/* TM-INF-1: what the options say, and nothing of the host's. */
static int box_environment(struct virtual_box *box, const hob_options *o)
{
    struct heap *h = &box->kernel.heap;
    struct buf b;
    buf_init(&b, h);
    int r = 0;
    static const char *const fixed[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "SHELL=/bin/bash",
                                        "LANG=C.UTF-8"};
    for (size_t i = 0; i < COUNT(fixed) && r == 0; i++)
        r = envlist_set(h, &box->env, str_z(fixed[i]));
    static const char *const named[] = {"HOME=/home/%s", "USER=%s", "LOGNAME=%s"};
    for (size_t i = 0; i < COUNT(named) && r == 0; i++) {
        buf_clear(&b);
        ptrdiff_t at = str_find(str_z(named[i]), STR("%s"));
        buf_add(&b, named[i], (size_t)at);
        buf_str(&b, box->kernel.user);
        r = heap_gate(h);
        r = r < 0 ? r : envlist_set(h, &box->env, buf_get(&b));
    }
    for (const char *const *e = o->env; e && *e && r == 0; e++)
        r = envlist_set(h, &box->env, str_z(*e));
    buf_fini(&b);
    return r;
}

/* TM-INF-2: names come from the options or are constant. */
static int box_identity(struct virtual_box *box, const hob_options *o, struct hob_error *err)
{
    struct kernel *k = &box->kernel;
    const char *user = o->user ? o->user : "user", *host = o->hostname ? o->hostname : "hob";
    if (!*user || strchr(user, '/') || strlen(user) > 32)
        return error_set(err, HOB_EINVAL, "user: a plain name of at most 32 bytes is wanted");
    if (!*host || strlen(host) > 64)
        return error_set(err, HOB_EINVAL, "hostname: 1 to 64 bytes are wanted");
    k->user = heap_str(&k->heap, str_z(user));
    k->hostname = heap_str(&k->heap, str_z(host));
    k->uid = o->uid ? o->uid : 1000;
    k->gid = o->gid ? o->gid : 1000;
    uint64_t seed = o->seed;
    if (!seed && k->host->entropy(k->host->ud, &seed, sizeof seed) < 0)
        return error_set(err, HOB_EIO, "the host has no entropy");
    random_seed(&k->random, seed);
    return k->user.p && k->hostname.p ? 0 : HOB_ENOMEM;
}

/* A folder of the user's with its parents, wherever it is: made as root, then handed over. */
static int box_make_dir(struct virtual_box *box, struct proc *p, struct str path)
{
    int r = 0;
    p->uid = p->gid = 0;
    for (size_t n = 1; n <= path.n && r == 0; n++) {
        if (n < path.n && path.p[n] != '/')
            continue;
        struct str at = str_sub(path, 0, n);
        r = vfs_mkdir(p, at, 0755);
        if (r == 0)
            r = vfs_chown(p, at, box->kernel.uid, box->kernel.gid, 0);
        else if (r == HOB_EEXIST)
            r = 0;
    }
    p->uid = box->kernel.uid;
    p->gid = box->kernel.gid;
    return r;
}

/* The working folder: made when it is not there. */
static int box_cwd(struct virtual_box *box, const hob_options *o)
{
    struct heap *h = &box->kernel.heap;
    struct outside out;
    struct proc *p = outside_init(&out, box);
    struct buf b;
    buf_init(&b, h);
    buf_addz(&b, "/home/");
    buf_str(&b, box->kernel.user);
    int r = heap_gate(h);
    struct str home = buf_get(&b);
    struct stat_info st;
    if (r == 0 && vfs_stat(p, home, 0, &st) < 0)
        r = box_make_dir(box, p, home);
    if (r == 0 && o->cwd) {
        struct str given = str_z(o->cwd);
        struct buf n;
        buf_init(&n, h);
        path_normalise(&n, home, given);
        box->head.cwd = heap_str(h, buf_get(&n));
        buf_fini(&n);
        if (box->head.cwd.p && vfs_stat(p, box->head.cwd, 0, &st) < 0)
            r = box_make_dir(box, p, box->head.cwd);
    } else if (r == 0) {
        box->head.cwd = heap_str(h, home);
    }
    buf_fini(&b);
    return r < 0 ? r : box->head.cwd.p ? 0 : HOB_ENOMEM;
}

/* One file at a clean absolute path whose folder is there. */
static int box_put_at(struct virtual_box *box, struct proc *p, const hob_file *f, struct str path)
{
    size_t n = f->len == HOB_Z ? (f->data ? strlen(f->data) : 0) : f->len;
    uint32_t mode = f->mode ? f->mode & 07777 : 0644;
    struct str bytes = {f->data ? f->data : "", n}, rel = str_from(path, 1);
    switch (f->kind) {
    case HOB_FILE: return tree_put(box->root, rel, bytes, mode);
    case HOB_FILE_STATIC: return tree_put_static(box->root, rel, bytes, mode);
    case HOB_LAZY:
        return f->read ? tree_put_lazy(box->root, rel, mode, f->read, f->ud) : HOB_EINVAL;
    case HOB_SYMLINK: return vfs_symlink(p, bytes, path);
    default: return HOB_EINVAL;
    }
}

static int box_put_file(struct virtual_box *box, struct proc *p, const hob_file *f)
{
    struct buf b;
    buf_init(&b, &box->kernel.heap);
    path_normalise(&b, box->head.cwd, str_z(f->path));
    int r = heap_gate(&box->kernel.heap);
    struct str path = buf_get(&b);
    if (r == 0 && f->kind == HOB_DIR) {
        r = box_make_dir(box, p, path);
        if (r == 0 && f->mode)
            r = vfs_chmod(p, path, f->mode & 07777);
    } else if (r == 0) {
        r = box_put_at(box, p, f, path);
        if (r == HOB_ENOENT) { /* missing folders are made */
            r = box_make_dir(box, p, path_dir(path));
            r = r < 0 ? r : box_put_at(box, p, f, path);
        }
    }
    buf_fini(&b);
    return r;
}

static int box_put_files(struct virtual_box *box, const hob_options *o, struct hob_error *err)
{
    struct outside out;
    struct proc *p = outside_init(&out, box);
    for (size_t i = 0; i < o->nfiles; i++) {
        if (!o->files[i].path)
            return error_set(err, HOB_EINVAL, "file %zu: there is no path", i);
        int r = box_put_file(box, p, &o->files[i]);
        if (r < 0)
            return error_set(err, r, "%s: %s", o->files[i].path, error_text(r));
    }
    return 0;
}

static int box_setup(struct virtual_box *box, const hob_options *o, struct hob_error *err)
{
    struct kernel *k = &box->kernel;
    sched_init(&k->sched, &k->heap, &box->host);
    k->sched.stack_size = (size_t)k->limits.stack;
    k->sched.virtual_clock = o->clock == HOB_CLOCK_VIRTUAL;
    k->sched.clock = o->clock_start;
    kernel_init_procs(k);
    k->boot = sched_now(&k->sched);
    k->commands_table = commands_table;
    k->ncommands = commands_count;
    k->owner = &box->head;
    k->default_env = &box->env;
    shell_attach(k);
    map_init(&box->custom, &k->heap);
    k->custom = &box->custom;
    buf_init(&box->background[0], &k->heap);
    buf_init(&box->background[1], &k->heap);
    arena_init(&box->given, &k->heap);
    int r = box_identity(box, o, err);
    r = r < 0 ? r : network_set(box, &o->network, err);
    r = r < 0 ? r : box_files(box);
    r = r < 0 ? r : box_environment(box, o);
    r = r < 0 ? r : box_cwd(box, o);
    return r < 0 ? r : box_put_files(box, o, err);
}

static void box_free(struct virtual_box *box);

int box_new(const hob_options *opt, struct virtual_box **out, struct hob_error *err)
{
    static const hob_options none = {.size = sizeof(hob_options)};
    const hob_options *o = opt ? opt : &none;
    *out = NULL;
    if (err)
        *err = (hob_error){0};
    if (o->size != sizeof *o)
        return error_set(err, HOB_EINVAL, "hob_options: size is not set, or of another version");
    struct host host;
    host_init(&host, o->alloc, o->alloc_ud);
    struct virtual_box *box = host.alloc(host.alloc_ud, NULL, 0, sizeof *box);
    if (!box)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    memset(box, 0, sizeof *box);
    box->head.v = box;
    box->refs = 1;
    box->host = host;
    box->kernel.host = &box->host;
    box_limits(&box->kernel.limits, &o->limits);
    uint64_t cap = box->kernel.limits.memory;
    heap_init(&box->kernel.heap, host.alloc, host.alloc_ud,
              cap > SIZE_MAX ? SIZE_MAX : (size_t)cap);
    box->kernel.heap.used = sizeof *box;
    int r = box_setup(box, o, err);
    if (r == 0)
        r = heap_gate(&box->kernel.heap);
    if (r < 0) {
        if (err && !err->code)
            error_set(err, r, "%s", error_text(r));
        box_free(box);
        return r;
    }
    *out = box;
    return 0;
}

/* ---- freeing --------------------------------------------------------------------------------- */

/* Ends every process: they unwind by themselves once all is dead. */
static void box_kill_all(struct virtual_box *box)
{
    struct kernel *k = &box->kernel;
    while (k->sched.ntasks) {
        for (struct proc *p = k->procs; p; p = p->next)
            run_kill(p->run, SIG_KILL, HOB_LIMIT_INTERRUPT);
        if (sched_run(&k->sched, INT64_MAX / 2) == HOB_STEP_WAIT && !k->sched.head)
            for (struct proc *p = k->procs; p; p = p->next)
                if (p->task)
                    task_wake(p->task);
    }
}

static void box_free(struct virtual_box *box)
{
    struct kernel *k = &box->kernel;
    struct heap *h = &k->heap;
    box_kill_all(box);
    while (box->jobs)
        exec_finish(box->jobs, NULL);
    while (box->shells)
        hob_shell_close(box->shells);
    if (box->vfs.kernel)
        vfs_fini(&box->vfs);
    else if (box->root)
        fs_unref(box->root);
    for (struct map_entry *e = NULL; box->custom.heap && (e = map_next(&box->custom, e));)
        custom_free(h, e->value);
    if (box->custom.heap)
        map_fini(&box->custom);
    custom_free_retired(box);
    for (size_t i = 0; i < box->mounts.n; i++) {
        box_str_free(h, box->mounts.p[i].path);
        heap_free(h, box->mounts.p[i].host_dir, box->mounts.p[i].host_dir_size);
    }
    vec_fini(h, &box->mounts);
    envlist_fini(h, &box->env);
    box_str_free(h, box->head.cwd);
    box_str_free(h, k->user);
    box_str_free(h, k->hostname);
    if (box->background[0].heap) {
        buf_fini(&box->background[0]);
        buf_fini(&box->background[1]);
    }
    shell_detach(k);
    exchange_fini(&box->exchanges);
    if (box->given.heap)
        arena_fini(&box->given);
    blob_unref(k->spare);
    if (k->sched.heap)
        sched_fini(&k->sched);
    box->host.alloc(box->host.alloc_ud, box, sizeof *box, 0);
}

void box_unref(hob_sandbox *handle)
{
    struct virtual_box *box = handle->v;
    if (handle != &box->head) {
        box_str_free(&box->kernel.heap, handle->cwd);
        heap_drop(&box->kernel.heap, handle);
    }
    if (--box->refs == 0)
        box_free(box);
}

int box_view(hob_sandbox *handle, struct str cwd, hob_sandbox **out)
{
    struct virtual_box *box = handle->v;
    struct heap *h = &box->kernel.heap;
    hob_sandbox *view = heap_new(h, hob_sandbox);
    struct str copy = view ? heap_str(h, cwd) : STR_NONE;
    if (!copy.p) {
        heap_free(h, view, view ? sizeof *view : 0);
        return heap_gate(h);
    }
    *view = (hob_sandbox){.v = box, .cwd = copy};
    box->refs++;
    *out = view;
    return 0;
}

int box_usage(struct virtual_box *box, hob_usage *out)
{
    *out = (hob_usage){
        .size = sizeof *out,
        .memory = box->kernel.heap.used,
        .memory_peak = box->kernel.heap.peak,
        .files = tree_files(box->root),
        .file_bytes = tree_bytes(box->root),
        .processes = box->kernel.nprocs,
        .fuel = box->kernel.sched.fuel_used,
        .commands = box->kernel.commands,
    };
    return 0;
}

/* ---- a process for calls from outside -------------------------------------------------------- */

struct proc *outside_of(struct outside *o, const struct hob_sandbox *handle)
{
    struct proc *p = outside_init(o, handle->v);
    if (handle->cwd.p)
        p->cwd = handle->cwd;
    return p;
}

struct proc *outside_init(struct outside *o, struct virtual_box *box)
{
    struct kernel *k = &box->kernel;
    memset(o, 0, sizeof *o);
    o->run = (struct run){.kernel = k, .refs = 1, .deadline = INT64_MAX, .fuel_left = UINT64_MAX};
    o->task.sched = &k->sched;
    o->task.proc = &o->proc;
    o->task.slice = INT64_MAX / 2; /* never the end of a slice: nothing here may switch */
    o->task.timer = -1;
    fdtab_init(&o->fds, &k->heap);
    o->proc = (struct proc){
        .kernel = k,
        .task = &o->task,
        .run = &o->run,
        .fds = &o->fds,
        .cwd = box->head.cwd.p ? box->head.cwd : STR("/"),
        .umask = 022,
        .uid = k->uid,
        .gid = k->gid,
        .env = &envlist_ops,
        .env_ctx = &box->env,
    };
    return &o->proc;
}

/* sandbox.c -- the functions of hob.h that every kind of sandbox has, and the kinds by name
 *
 * The two sorts are told apart here and nowhere else.
 */
#include "sandbox/sandbox.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "sandbox/driven.h"

enum {
    SANDBOX_KINDS = 64 /* drivers that can be registered */
};

/* Kinds that were added. The lock is held for a look at the table, never while a driver runs. */
static struct {
    pthread_mutex_t lock;
    size_t n;
    const hob_driver *list[SANDBOX_KINDS];
} sandbox_kinds = {.lock = PTHREAD_MUTEX_INITIALIZER};

const char *hob_version(void) { return HOB_VERSION; }

const char *hob_error_name(int code) { return error_name(code); }

const char *hob_error_text(int code) { return error_text(code); }

void *hob_alloc(size_t n) { return malloc(n ? n : 1); }

void hob_free(void *p) { free(p); }

int sandbox_bytes(struct str s, hob_bytes *out)
{
    char *p = hob_alloc(s.n + 1);
    *out = (hob_bytes){0};
    if (!p)
        return HOB_ENOMEM;
    if (s.n)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    *out = (hob_bytes){p, s.n};
    return 0;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static const hob_driver *sandbox_builtin(const char *name)
{
    static const hob_driver *const builtin[] = {&local_driver, &execbox_driver};
    for (size_t i = 0; i < COUNT(builtin); i++)
        if (strcmp(name, builtin[i]->name) == 0)
            return builtin[i];
    return NULL;
}

static bool sandbox_is_virtual(const char *name)
{
    return strcmp(name, "virtual") == 0 || strcmp(name, "empty") == 0;
}

static const hob_driver *sandbox_added(const char *name) /* under the lock */
{
    for (size_t i = 0; i < sandbox_kinds.n; i++)
        if (strcmp(name, sandbox_kinds.list[i]->name) == 0)
            return sandbox_kinds.list[i];
    return NULL;
}

int hob_driver_register(const hob_driver *driver)
{
    if (!driver || driver->size != sizeof *driver || !driver->name || !*driver->name ||
        !driver->open || !driver->exec)
        return HOB_EINVAL;
    if (sandbox_is_virtual(driver->name) || sandbox_builtin(driver->name))
        return HOB_EEXIST;
    int r = 0;
    pthread_mutex_lock(&sandbox_kinds.lock);
    if (sandbox_added(driver->name))
        r = HOB_EEXIST;
    else if (sandbox_kinds.n == SANDBOX_KINDS)
        r = HOB_ELIMIT;
    else
        sandbox_kinds.list[sandbox_kinds.n++] = driver;
    pthread_mutex_unlock(&sandbox_kinds.lock);
    return r;
}

static const hob_driver *sandbox_driver(const char *name)
{
    const hob_driver *driver = sandbox_builtin(name);
    if (driver)
        return driver;
    pthread_mutex_lock(&sandbox_kinds.lock);
    driver = sandbox_added(name);
    pthread_mutex_unlock(&sandbox_kinds.lock);
    return driver;
}

static int sandbox_open_virtual(const hob_sandbox_options *o, hob_sandbox **out, hob_error *err)
{
    hob_options v = HOB_OPTIONS_INIT;
    if (o->virtual_options) {
        if (o->virtual_options->size != sizeof v)
            return error_set(err, HOB_EINVAL, "virtual_options: size is not set");
        v = *o->virtual_options;
    }
    if (o->cwd)
        v.cwd = o->cwd;
    if (o->output)
        v.limits.output = o->output;
    struct virtual_box *box = NULL;
    int r = box_new(&v, &box, err);
    if (r < 0)
        return r;
    for (const char *const *e = o->env; e && *e && r == 0; e++)
        r = envlist_set(&box->kernel.heap, &box->env, str_z(*e));
    if (r < 0) {
        box_unref(&box->head);
        return error_set(err, r, "%s", error_text(r));
    }
    *out = &box->head;
    return 0;
}

int hob_sandbox_open(const char *kind, const hob_sandbox_options *opt, hob_sandbox **out,
                     hob_error *err)
{
    static const hob_sandbox_options none = {.size = sizeof(hob_sandbox_options)};
    const hob_sandbox_options *o = opt ? opt : &none;
    *out = NULL;
    if (err)
        *err = (hob_error){0};
    if (o->size != sizeof *o)
        return error_set(err, HOB_EINVAL, "hob_sandbox_options: size is not set");
    if (!kind || sandbox_is_virtual(kind))
        return sandbox_open_virtual(o, out, err);
    const hob_driver *driver = sandbox_driver(kind);
    if (!driver)
        return error_set(err, HOB_ENOENT, "%s: there is no such kind of sandbox", kind);
    struct driven *d = NULL;
    int r = driven_open(driver, o, &d, err);
    if (r == 0)
        *out = &d->head;
    return r;
}

int hob_sandbox_new(const hob_options *opt, hob_sandbox **out, hob_error *err)
{
    struct virtual_box *box = NULL;
    int r = box_new(opt, &box, err);
    *out = r < 0 ? NULL : &box->head;
    return r;
}

void hob_sandbox_free(hob_sandbox *box)
{
    if (!box)
        return;
    if (box->v)
        box_unref(box);
    else
        driven_unref(box);
}

const char *hob_sandbox_kind(const hob_sandbox *box)
{
    return box->v ? "virtual" : box->d->driver->name;
}

const char *hob_sandbox_cwd(hob_sandbox *box) { return box->cwd.p; }

int sandbox_resolve(const hob_sandbox *box, const char *path, struct buf *b)
{
    if (!path || !*path)
        return HOB_ENOENT;
    path_normalise(b, box->cwd, str_z(path));
    return b->heap->oom ? HOB_ENOMEM : 0;
}

static struct heap *sandbox_heap(const hob_sandbox *box)
{
    return box->v ? &box->v->kernel.heap : &box->d->heap;
}

int hob_resolve(const hob_sandbox *box, const char *path, hob_bytes *out)
{
    struct buf b;
    buf_init(&b, sandbox_heap(box));
    *out = (hob_bytes){0};
    int r = sandbox_resolve(box, path, &b);
    r = r < 0 ? r : sandbox_bytes(buf_get(&b), out);
    buf_fini(&b);
    heap_gate(sandbox_heap(box));
    return r;
}

int hob_sandbox_view(hob_sandbox *box, const char *cwd, hob_sandbox **out)
{
    struct buf b;
    struct heap *h = sandbox_heap(box);
    *out = NULL;
    buf_init(&b, h);
    path_normalise(&b, box->cwd, str_z(cwd ? cwd : ""));
    int r = heap_gate(h);
    if (r == 0)
        r = box->v ? box_view(box, buf_get(&b), out) : driven_view(box, buf_get(&b), out);
    buf_fini(&b);
    return r;
}

int hob_sandbox_usage(hob_sandbox *box, hob_usage *out)
{
    if (out->size != sizeof *out)
        return HOB_EINVAL;
    return box->v ? box_usage(box->v, out) : driven_usage(box->d, out);
}

/* ---- running --------------------------------------------------------------------------------- */

static struct virtual_job *sandbox_virtual(hob_job *job) { return (struct virtual_job *)job; }

static struct driven_job *sandbox_driven(hob_job *job) { return (struct driven_job *)job; }

int hob_exec(hob_sandbox *box, const char *script, const hob_exec_options *opt, hob_result *res)
{
    return LIKELY(box->v != NULL) ? exec_run_script(box, script, opt, res)
                                  : calljob_exec(box, script, opt, res);
}

int hob_exec_start(hob_sandbox *box, const char *script, const hob_exec_options *opt, hob_job **out,
                   hob_error *err)
{
    struct virtual_job *v;
    struct driven_job *d;
    int r =
        box->v ? exec_start(box, script, opt, &v, err) : calljob_start(box, script, opt, &d, err);
    *out = r < 0 ? NULL : box->v ? &v->head : &d->head;
    return r;
}

int hob_step(hob_sandbox *box, uint64_t fuel)
{
    return box->v ? exec_step(box->v, fuel) : driven_step(box->d, fuel);
}

int hob_wait_for(hob_sandbox *box, hob_pending *out)
{
    if (out->size != sizeof *out)
        return HOB_EINVAL;
    return box->v ? exec_wait_for(box->v, out) : driven_wait_for(box->d, out);
}

int hob_wait(hob_sandbox *box, int64_t max_ns)
{
    return box->v ? exec_wait(box->v, max_ns) : driven_wait(box->d, max_ns);
}

void hob_interrupt(hob_sandbox *box)
{
    if (box->v)
        exec_interrupt(box->v);
    else
        driven_interrupt(box->d);
}

int hob_job_done(const hob_job *job)
{
    return job->driven ? ((const struct driven_job *)job)->done
                       : ((const struct virtual_job *)job)->done;
}

int hob_job_pid(const hob_job *job)
{
    if (!job->driven)
        return exec_pid((const struct virtual_job *)job);
    const struct hob_call *c = ((const struct driven_job *)job)->call;
    return c ? c->pid : 0;
}

int hob_job_signal(hob_job *job, int sig)
{
    return job->driven ? calljob_signal(sandbox_driven(job), sig)
                       : exec_signal(sandbox_virtual(job), sig);
}

int hob_job_read(hob_job *job, int stream, hob_bytes *out)
{
    if (stream != HOB_STDOUT && stream != HOB_STDERR)
        return HOB_EINVAL;
    return job->driven ? calljob_read(sandbox_driven(job), stream, out)
                       : exec_read(sandbox_virtual(job), stream, out);
}

int hob_job_finish(hob_job *job, hob_result *res)
{
    return job->driven ? calljob_finish(sandbox_driven(job), res)
                       : exec_finish(sandbox_virtual(job), res);
}

void hob_result_free(hob_result *res)
{
    hob_free(res->out);
    hob_free(res->err);
    res->out = res->err = NULL;
}

int hob_processes(hob_sandbox *box, hob_process **out, size_t *n)
{
    return box->v ? exec_processes(box->v, out, n) : driven_processes(box->d, out, n);
}

int hob_kill(hob_sandbox *box, int pid, int sig)
{
    return box->v ? exec_kill(box->v, pid, sig) : driven_kill(box->d, pid, sig);
}

int hob_background_output(hob_sandbox *box, int stream, hob_bytes *out)
{
    if (stream != HOB_STDOUT && stream != HOB_STDERR)
        return HOB_EINVAL;
    return box->v ? exec_background(box->v, stream, out) : driven_background(box->d, stream, out);
}

/* ---- files ----------------------------------------------------------------------------------- */

int hob_read(hob_sandbox *box, const char *path, hob_bytes *out)
{
    if (box->v)
        return files_read(box, path, out);
    struct fileop_result res;
    int r = fileop_do(box, &(struct fileop_args){.kind = FILEOP_READ, .path = path}, &res);
    *out = r < 0 ? (hob_bytes){0} : res.out;
    return r;
}

static int sandbox_write(hob_sandbox *box, const char *path, const void *data, size_t len,
                         int flags)
{
    if (len == HOB_Z)
        len = data ? strlen(data) : 0;
    if (box->v)
        return files_write(box, path, data, len, flags);
    struct fileop_args a = {.kind = flags & HOB_APPEND ? FILEOP_APPEND : FILEOP_WRITE,
                            .path = path,
                            .data = data,
                            .len = len};
    return fileop_do(box, &a, NULL);
}

int hob_write(hob_sandbox *box, const char *path, const void *data, size_t len)
{
    return sandbox_write(box, path, data, len, 0);
}

int hob_append(hob_sandbox *box, const char *path, const void *data, size_t len)
{
    return sandbox_write(box, path, data, len, HOB_APPEND);
}

static int sandbox_stat(hob_sandbox *box, const char *path, int follow, hob_stat_t *out)
{
    if (box->v)
        return files_stat(box, path, follow, out);
    struct fileop_result res;
    struct fileop_args a = {.kind = follow ? FILEOP_STAT : FILEOP_LSTAT, .path = path};
    int r = fileop_do(box, &a, &res);
    if (r == 0)
        *out = res.st;
    return r;
}

int hob_stat(hob_sandbox *box, const char *path, hob_stat_t *out)
{
    return sandbox_stat(box, path, 1, out);
}

int hob_lstat(hob_sandbox *box, const char *path, hob_stat_t *out)
{
    return sandbox_stat(box, path, 0, out);
}

int hob_exists(hob_sandbox *box, const char *path)
{
    hob_stat_t st;
    return hob_stat(box, path, &st) == 0;
}

int hob_readdir(hob_sandbox *box, const char *path, hob_dirent **out, size_t *n)
{
    if (box->v)
        return files_readdir(box, path, out, n);
    struct fileop_result res;
    int r = fileop_do(box, &(struct fileop_args){.kind = FILEOP_READDIR, .path = path}, &res);
    if (r == 0)
        *out = res.list, *n = res.n;
    return r;
}

int hob_mkdir(hob_sandbox *box, const char *path, int flags)
{
    if (box->v)
        return files_mkdir(box, path, flags);
    struct fileop_args a = {.kind = FILEOP_MKDIR, .path = path, .flags = flags};
    return fileop_do(box, &a, NULL);
}

int hob_rm(hob_sandbox *box, const char *path, int flags)
{
    if (box->v)
        return files_rm(box, path, flags);
    if (!*path && (flags & HOB_FORCE))
        return 0; /* nothing is what it names */
    struct fileop_args a = {.kind = FILEOP_RM, .path = path, .flags = flags};
    return fileop_do(box, &a, NULL);
}

int hob_rename(hob_sandbox *box, const char *from, const char *to)
{
    if (box->v)
        return files_rename(box, from, to);
    struct fileop_args a = {.kind = FILEOP_RENAME, .path = from, .to = to};
    return fileop_do(box, &a, NULL);
}

int hob_symlink(hob_sandbox *box, const char *target, const char *path)
{
    if (box->v)
        return files_symlink(box, target, path);
    struct fileop_args a = {.kind = FILEOP_SYMLINK, .path = path, .to = target};
    return fileop_do(box, &a, NULL);
}

int hob_readlink(hob_sandbox *box, const char *path, hob_bytes *out)
{
    if (box->v)
        return files_readlink(box, path, out);
    struct fileop_result res;
    int r = fileop_do(box, &(struct fileop_args){.kind = FILEOP_READLINK, .path = path}, &res);
    *out = r < 0 ? (hob_bytes){0} : res.out;
    return r;
}

int hob_chmod(hob_sandbox *box, const char *path, uint32_t mode)
{
    if (box->v)
        return files_chmod(box, path, mode);
    struct fileop_args a = {.kind = FILEOP_CHMOD, .path = path, .mode = mode & 07777};
    return fileop_do(box, &a, NULL);
}

int hob_walk(hob_sandbox *box, const char *path, hob_walk_fn fn, void *ud)
{
    return box->v ? files_walk(box, path, fn, ud) : fileop_walk(box, path, fn, ud);
}

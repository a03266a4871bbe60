/* fileop.c -- file operations through a driver: the rules of the contract, once for all of them */
#include "base/error.h"
#include "sandbox/driven.h"

struct fileop {
    struct heap *heap;
    struct driven *d;      /* NULL: of a virtual sandbox, and done */
    struct hob_call *call; /* NULL when it was answered */
    bool done;
    int result;
    struct fileop_result res;
};

/* ---- on the call's task ---------------------------------------------------------------------- */

/* One call of a slot; what the driver lacks goes through its exec. */
static int fileop_write_once(struct hob_call *c)
{
    const struct fileop_args *a = &c->file;
    const hob_driver *d = c->d->driver;
    int flags = c->kind == FILEOP_APPEND ? HOB_APPEND : 0;
    return d->write ? d->write(c->d->state, c, a->path, a->data, a->len, flags)
                    : execfs_write(c, a->path, a->data, a->len, flags);
}

static int fileop_mkdir(struct hob_call *c, const char *path, int flags)
{
    const hob_driver *d = c->d->driver;
    return d->mkdir ? d->mkdir(c->d->state, c, path, flags) : execfs_mkdir(c, path, flags);
}

/* Missing folders are made after the first failure, whatever it was; the second error counts. */
static int fileop_write(struct hob_call *c)
{
    int r = fileop_write_once(c);
    if (r >= 0 || r == HOB_ECANCELED || r == HOB_EDIED || r == HOB_EISDIR)
        return r;
    struct str dir = path_dir(str_z(c->file.path));
    struct str parent = arena_str(&c->arena, dir.n ? dir : STR("/"));
    if (!parent.p)
        return HOB_ENOMEM;
    fileop_mkdir(c, parent.p, HOB_RECURSIVE);
    return fileop_write_once(c);
}

static int fileop_order(const void *a, const void *b, void *ud)
{
    (void)ud;
    return strcmp(((const hob_dirent *)a)->name, ((const hob_dirent *)b)->name);
}

/* Letters and names to one sorted block. The text of the names follows the array. */
static int fileop_list(struct hob_call *c, struct str raw, struct fileop_result *res)
{
    size_t n = 0;
    for (size_t i = 0; i < raw.n; i++)
        n += raw.p[i] == '\0';
    hob_dirent *list = hob_alloc(n * sizeof *list + raw.n + 1);
    if (!list)
        return HOB_ENOMEM;
    char *at = (char *)(list + n);
    size_t used = 0;
    for (size_t i = 0; i < raw.n;) {
        const char *end = memchr(raw.p + i, '\0', raw.n - i);
        if (!end)
            break;
        size_t len = (size_t)(end - raw.p) - i;
        char letter = raw.p[i];
        if (len > 1) {
            memcpy(at, raw.p + i + 1, len);
            list[used++] = (hob_dirent){at, letter == 'd'   ? 0040000
                                            : letter == 'f' ? 0100000
                                            : letter == 'l' ? 0120000
                                                            : 0};
            at += len;
        }
        i += len + 1;
    }
    int r = sort_stable(&c->d->heap, list, used, sizeof *list, fileop_order, NULL);
    if (r < 0) {
        hob_free(list);
        return r;
    }
    res->list = list;
    res->n = used;
    return 0;
}

static int fileop_readdir(struct hob_call *c, struct fileop_result *res)
{
    const hob_driver *d = c->d->driver;
    hob_bytes raw = {0};
    int r = d->readdir ? d->readdir(c->d->state, c, c->file.path, &raw)
                       : execfs_readdir(c, c->file.path, &raw);
    if (r == 0)
        r = fileop_list(c, str_of(raw.data ? raw.data : "", raw.len), res);
    hob_free(raw.data);
    return r;
}

static int fileop_slot(struct hob_call *c, struct fileop_result *res)
{
    const hob_driver *d = c->d->driver;
    const struct fileop_args *a = &c->file;
    void *s = c->d->state;
    int follow = c->kind == FILEOP_STAT;
    switch (c->kind) {
    case FILEOP_READ:
        return d->read ? d->read(s, c, a->path, &res->out) : execfs_read(c, a->path, &res->out);
    case FILEOP_WRITE:
    case FILEOP_APPEND: return fileop_write(c);
    case FILEOP_STAT:
    case FILEOP_LSTAT:
        return d->stat ? d->stat(s, c, a->path, follow, &res->st)
                       : execfs_stat(c, a->path, follow, &res->st);
    case FILEOP_READDIR: return fileop_readdir(c, res);
    case FILEOP_MKDIR: return fileop_mkdir(c, a->path, a->flags);
    case FILEOP_RM: return d->rm ? d->rm(s, c, a->path, a->flags) : execfs_rm(c, a->path, a->flags);
    case FILEOP_RENAME:
        return d->rename ? d->rename(s, c, a->path, a->to) : execfs_rename(c, a->path, a->to);
    case FILEOP_SYMLINK:
        return d->symlink ? d->symlink(s, c, a->to, a->path) : execfs_symlink(c, a->to, a->path);
    case FILEOP_READLINK:
        return d->readlink ? d->readlink(s, c, a->path, &res->out)
                           : execfs_readlink(c, a->path, &res->out);
    case FILEOP_CHMOD:
        return d->chmod ? d->chmod(s, c, a->path, a->mode) : execfs_chmod(c, a->path, a->mode);
    default: return HOB_EBUG;
    }
}

static void fileop_drop(struct fileop_result *res)
{
    hob_free(res->out.data);
    hob_free(res->list);
    *res = (struct fileop_result){0};
}

/* What was read is kept when somebody still waits for it. */
int fileop_run(struct hob_call *c)
{
    struct fileop_result res = {0};
    int r = fileop_slot(c, &res);
    r = MIN(r, 0);
    if (r < 0 || !c->op)
        fileop_drop(&res);
    else
        c->op->res = res;
    return r;
}

void fileop_answer(struct fileop *op, int result)
{
    if (op->call)
        op->call->op = NULL;
    op->call = NULL;
    op->done = true;
    op->result = result;
    op->d->sched.budget = 0;
}

/* ---- starting and finishing ------------------------------------------------------------------ */

static int fileop_virtual(hob_sandbox *box, const struct fileop_args *a, struct fileop_result *res)
{
    switch (a->kind) {
    case FILEOP_READ: return files_read(box, a->path, &res->out);
    case FILEOP_WRITE: return files_write(box, a->path, a->data, a->len, 0);
    case FILEOP_APPEND: return files_write(box, a->path, a->data, a->len, HOB_APPEND);
    case FILEOP_STAT: return files_stat(box, a->path, 1, &res->st);
    case FILEOP_LSTAT: return files_stat(box, a->path, 0, &res->st);
    case FILEOP_READDIR: return files_readdir(box, a->path, &res->list, &res->n);
    case FILEOP_MKDIR: return files_mkdir(box, a->path, a->flags);
    case FILEOP_RM: return files_rm(box, a->path, a->flags);
    case FILEOP_RENAME: return files_rename(box, a->path, a->to);
    case FILEOP_SYMLINK: return files_symlink(box, a->to, a->path);
    case FILEOP_READLINK: return files_readlink(box, a->path, &res->out);
    case FILEOP_CHMOD: return files_chmod(box, a->path, a->mode);
    default: return HOB_EINVAL;
    }
}

static const char *fileop_path(hob_sandbox *box, struct hob_call *c, const char *path, int *r)
{
    struct buf b;
    buf_init(&b, &box->d->heap);
    int e = sandbox_resolve(box, path, &b);
    const char *p = e < 0 ? NULL : arena_str(&c->arena, buf_get(&b)).p;
    buf_fini(&b);
    *r = e < 0 ? e : p ? 0 : HOB_ENOMEM;
    return p;
}

/* Copies of the arguments in the call: the driver may outlive whoever asked. */
static int fileop_copy(hob_sandbox *box, struct hob_call *c, const struct fileop_args *a)
{
    int r;
    c->file = *a;
    c->file.path = fileop_path(box, c, a->path, &r);
    if (r == 0 && a->kind == FILEOP_RENAME)
        c->file.to = fileop_path(box, c, a->to, &r);
    if (r == 0 && a->kind == FILEOP_SYMLINK) {
        c->file.to = arena_str(&c->arena, str_z(a->to)).p;
        r = c->file.to ? 0 : HOB_ENOMEM;
    }
    if (r == 0 && a->len) {
        c->file.data = arena_str(&c->arena, str_of(a->data, a->len)).p;
        r = c->file.data ? 0 : HOB_ENOMEM;
    }
    return r;
}

static int fileop_begin(hob_sandbox *box, const struct fileop_args *a, struct fileop *op)
{
    struct driven *d = box->d;
    if (!d->calls)
        driven_forget_interrupt(d);
    struct hob_call *c = call_new(d, a->kind);
    int r = c ? fileop_copy(box, c, a) : HOB_ENOMEM;
    if (r < 0 && c)
        call_drop(c);
    if (r == 0)
        r = call_begin(c);
    if (r < 0)
        return r;
    op->d = d;
    op->call = c;
    c->op = op;
    if (!d->sched.current) /* most drivers are done with it at once */
        sched_run(&d->sched, 1000);
    return 0;
}

int fileop_start(hob_sandbox *box, const struct fileop_args *a, struct fileop **out)
{
    struct heap *h = box->v ? &box->v->kernel.heap : &box->d->heap;
    struct fileop *op = heap_new(h, struct fileop);
    *out = NULL;
    if (!op)
        return heap_gate(h);
    op->heap = h;
    int r = 0;
    if (box->v) {
        op->result = fileop_virtual(box, a, &op->res);
        op->done = true;
    } else {
        r = fileop_begin(box, a, op);
    }
    if (r < 0) {
        heap_drop(h, op);
        heap_gate(h);
        return r;
    }
    *out = op;
    return 0;
}

int fileop_done(const struct fileop *op) { return op->done; }

int fileop_finish(struct fileop *op, struct fileop_result *res)
{
    struct heap *h = op->heap;
    if (!op->done) {
        call_give_up(op->call, HOB_ECANCELED, NULL);
        if (!op->d->sched.current)
            sched_run(&op->d->sched, 1000);
    }
    int r = op->result;
    if (res)
        *res = op->res;
    else
        fileop_drop(&op->res);
    heap_drop(h, op);
    heap_gate(h);
    return r;
}

int fileop_do(hob_sandbox *box, const struct fileop_args *a, struct fileop_result *res)
{
    struct driven *d = box->d;
    struct fileop *op;
    if (d->sched.current)
        return HOB_EMISUSE;
    int r = fileop_start(box, a, &op);
    if (r < 0)
        return r;
    while (!op->done)
        if (driven_step(d, 0) != HOB_STEP_MORE && !op->done)
            driven_wait(d, -1);
    return fileop_finish(op, res);
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* Puts the children of dir on the stack of paths, the last name first. */
static int fileop_push(hob_sandbox *box, struct strs *todo, struct str dir)
{
    struct heap *h = &box->d->heap;
    hob_dirent *list;
    size_t n;
    int r = hob_readdir(box, dir.p, &list, &n);
    if (r < 0)
        return r;
    for (size_t i = n; i-- > 0 && r == 0;) {
        struct buf b;
        buf_init(&b, h);
        buf_str(&b, dir);
        if (dir.n > 1)
            buf_putc(&b, '/');
        buf_addz(&b, list[i].name);
        struct str path = heap_str(h, buf_get(&b));
        buf_fini(&b);
        if (!path.p || !vec_push(h, todo, path)) {
            if (path.p)
                heap_free(h, (void *)path.p, path.n + 1);
            r = HOB_ENOMEM;
        }
    }
    hob_free(list);
    return r;
}

int fileop_walk(hob_sandbox *box, const char *path, hob_walk_fn fn, void *ud)
{
    struct heap *h = &box->d->heap;
    struct strs todo = {0}; /* owned paths, the next one last */
    struct buf b;
    buf_init(&b, h);
    int r = sandbox_resolve(box, path, &b);
    struct str start = r < 0 ? STR_NONE : heap_str(h, buf_get(&b));
    buf_fini(&b);
    if (r == 0 && (!start.p || !vec_push(h, &todo, start)))
        r = HOB_ENOMEM;
    bool first = true;
    while (todo.n) {
        struct str at = todo.p[--todo.n];
        hob_stat_t st = {0};
        int e = r ? r : hob_lstat(box, at.p, &st);
        if (!r && e == HOB_ENOENT && !first)
            e = 0; /* removed meanwhile */
        else if (!r && e == 0)
            e = fn(ud, at.p, &st);
        if (!r && e == 0 && (st.mode & 0170000) == 0040000) {
            e = fileop_push(box, &todo, at);
            if (e == HOB_EACCES && !first)
                e = 0; /* a closed folder is shown, what is in it is not */
        }
        r = r ? r : e;
        first = false;
        heap_free(h, (void *)at.p, at.n + 1);
    }
    vec_fini(h, &todo);
    int oom = heap_gate(h);
    return r ? r : oom;
}

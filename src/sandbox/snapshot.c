/* snapshot.c -- snapshots, forks, and what changed between two of them
 *
 * A snapshot is one more reference to the root of each in-memory tree: the sandbox's own, those of
 * memory mounts, and the upper trees of overlays.
 */
#include "base/error.h"
#include "sandbox/sandbox.h"

struct hob_snapshot {
    hob_alloc_fn fn;
    void *ud;
    size_t n, size;
    struct snapshot_part {
        char *path; /* of the mount, in this block; "" for the root */
        struct tree_snap *snap;
    } part[];
};

static struct fs *snapshot_tree(const struct box_mount *m)
{
    return m->kind == HOB_MOUNT_OVERLAY ? overlay_upper(m->tree) : m->tree;
}

int hob_snapshot_take(hob_sandbox *handle, hob_snapshot **out)
{
    struct virtual_box *box = handle->v;
    *out = NULL;
    if (!box)
        return HOB_ENOTSUP;
    size_t n = 1, text = 1;
    for (size_t i = 0; i < box->mounts.n; i++)
        if (box->mounts.p[i].tree)
            n++, text += box->mounts.p[i].path.n + 1;
    size_t size = sizeof(hob_snapshot) + n * sizeof(struct snapshot_part) + text;
    hob_snapshot *s = box->host.alloc(box->host.alloc_ud, NULL, 0, size);
    if (!s)
        return HOB_ENOMEM;
    *s = (hob_snapshot){.fn = box->host.alloc, .ud = box->host.alloc_ud, .n = n, .size = size};
    char *at = (char *)&s->part[n];
    s->part[0] = (struct snapshot_part){at, tree_snapshot(box->root)};
    *at++ = '\0';
    bool ok = s->part[0].snap != NULL;
    size_t k = 1;
    for (size_t i = 0; i < box->mounts.n; i++) {
        struct box_mount *m = &box->mounts.p[i];
        if (!m->tree)
            continue;
        s->part[k] = (struct snapshot_part){at, ok ? tree_snapshot(snapshot_tree(m)) : NULL};
        ok = s->part[k++].snap != NULL;
        memcpy(at, m->path.p, m->path.n + 1);
        at += m->path.n + 1;
    }
    if (!ok) {
        hob_snapshot_free(s);
        heap_gate(&box->kernel.heap);
        return HOB_ENOMEM;
    }
    *out = s;
    return 0;
}

void hob_snapshot_free(hob_snapshot *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n; i++)
        tree_snap_free(s->part[i].snap);
    s->fn(s->ud, s, s->size, 0);
}

static const struct snapshot_part *snapshot_find(const hob_snapshot *s, struct str path)
{
    for (size_t i = 1; i < s->n; i++)
        if (str_eqz(path, s->part[i].path))
            return &s->part[i];
    return NULL;
}

int hob_snapshot_restore(hob_sandbox *handle, const hob_snapshot *s)
{
    struct virtual_box *box = handle->v;
    if (!box)
        return HOB_ENOTSUP;
    if (box->kernel.nprocs)
        return HOB_EBUSY;
    int r = tree_restore(box->root, s->part[0].snap);
    for (size_t i = 0; i < box->mounts.n && r == 0; i++) {
        struct box_mount *m = &box->mounts.p[i];
        const struct snapshot_part *part = m->tree ? snapshot_find(s, m->path) : NULL;
        if (part)
            r = tree_restore(snapshot_tree(m), part->snap);
    }
    heap_gate(&box->kernel.heap);
    return r;
}

/* ---- fork ------------------------------------------------------------------------------------ */

static int snapshot_fork_mounts(struct virtual_box *from, struct virtual_box *to)
{
    for (size_t i = 0; i < from->mounts.n; i++) {
        struct box_mount *m = &from->mounts.p[i];
        int r = box_mount(to, m, NULL);
        if (r < 0)
            return r;
        if (!m->tree)
            continue;
        struct tree_snap *snap = tree_snapshot(snapshot_tree(m));
        if (!snap)
            return HOB_ENOMEM;
        r = tree_restore(snapshot_tree(&to->mounts.p[to->mounts.n - 1]), snap);
        tree_snap_free(snap);
        if (r < 0)
            return r;
    }
    return 0;
}

static int snapshot_fork_rest(struct virtual_box *from, struct virtual_box *to)
{
    struct tree_snap *snap = tree_snapshot(from->root);
    if (!snap)
        return HOB_ENOMEM;
    int r = tree_restore(to->root, snap);
    tree_snap_free(snap);
    if (r == 0) {
        envlist_fini(&to->kernel.heap, &to->env);
        r = envlist_copy(&to->kernel.heap, &to->env, &from->env);
    }
    if (r == 0)
        r = snapshot_fork_mounts(from, to);
    for (struct map_entry *e = NULL; r == 0 && (e = map_next(&from->custom, e));) {
        const struct command *c = e->value;
        r = hob_command_add(&to->head, c->name, c->summary, c->custom, c->custom_ud);
    }
    return r;
}

int hob_sandbox_fork(hob_sandbox *handle, hob_sandbox **out)
{
    struct virtual_box *box = handle->v;
    *out = NULL;
    if (!box)
        return HOB_ENOTSUP;
    struct kernel *k = &box->kernel;
    if (k->nprocs)
        return HOB_EBUSY;
    /* cwd is set afterwards: it exists in the files that come with the snapshot. */
    hob_options o = {
        .size = sizeof o,
        .user = k->user.p,
        .uid = k->uid,
        .gid = k->gid,
        .hostname = k->hostname.p,
        .clock = k->sched.virtual_clock ? HOB_CLOCK_VIRTUAL : HOB_CLOCK_REAL,
        .clock_start = k->sched.clock,
        .seed = random_next(&k->random) | 1,
        .limits = {.size = sizeof(hob_limits),
                   .memory = k->limits.memory,
                   .fuel = k->limits.fuel,
                   .output = k->limits.output,
                   .files = k->limits.files,
                   .file_size = k->limits.file_size,
                   .processes = k->limits.processes,
                   .fds = k->limits.fds,
                   .stack = k->limits.stack,
                   .script = k->limits.script,
                   .depth = k->limits.depth},
        .alloc = box->host.alloc,
        .alloc_ud = box->host.alloc_ud,
        .network = box->network,
    };
    struct virtual_box *to;
    int r = box_new(&o, &to, NULL);
    if (r < 0)
        return r;
    to->kernel.boot = k->boot;
    r = snapshot_fork_rest(box, to);
    struct str cwd = r == 0 ? heap_str(&to->kernel.heap, handle->cwd) : STR_NONE;
    if (r == 0 && !cwd.p)
        r = HOB_ENOMEM;
    if (r < 0) {
        box_unref(&to->head);
        return r;
    }
    heap_free(&to->kernel.heap, (void *)to->head.cwd.p, to->head.cwd.n + 1);
    to->head.cwd = cwd;
    *out = &to->head;
    return 0;
}

/* ---- differences ----------------------------------------------------------------------------- */

struct snapshot_changes {
    struct heap *heap;
    struct str mount;     /* "" or "/mnt" */
    VEC(hob_change) list; /* paths on the heap until they are packed */
    size_t text;
};

static int snapshot_change(void *ud, struct str path, const struct stat_info *was,
                           const struct stat_info *is)
{
    struct snapshot_changes *c = ud;
    struct buf b;
    buf_init(&b, c->heap);
    buf_str(&b, c->mount);
    buf_putc(&b, '/');
    buf_str(&b, path);
    struct str full = heap_str(c->heap, buf_get(&b));
    buf_fini(&b);
    if (!full.p)
        return HOB_ENOMEM;
    hob_change ch = {.path = (char *)full.p,
                     .what = !was  ? HOB_ADDED
                             : !is ? HOB_REMOVED
                                   : HOB_MODIFIED,
                     .old_mode = was ? was->mode : 0,
                     .new_mode = is ? is->mode : 0};
    if (!vec_push(c->heap, &c->list, ch)) {
        heap_free(c->heap, (void *)full.p, full.n + 1);
        return HOB_ENOMEM;
    }
    c->text += full.n + 1;
    return 0;
}

static int snapshot_order(const void *a, const void *b, void *ud)
{
    (void)ud;
    return strcmp(((const hob_change *)a)->path, ((const hob_change *)b)->path);
}

/* One block for the caller: the array, then the texts. */
static int snapshot_pack(struct snapshot_changes *c, hob_change **out, size_t *n)
{
    int r = sort_stable(c->heap, c->list.p, c->list.n, sizeof *c->list.p, snapshot_order, NULL);
    hob_change *block = r < 0 ? NULL : hob_alloc(c->list.n * sizeof *block + c->text + 1);
    if (!block)
        return HOB_ENOMEM;
    char *at = (char *)(block + c->list.n);
    for (size_t i = 0; i < c->list.n; i++) {
        size_t len = strlen(c->list.p[i].path) + 1;
        block[i] = c->list.p[i];
        block[i].path = memcpy(at, c->list.p[i].path, len);
        at += len;
    }
    *out = block;
    *n = c->list.n;
    return 0;
}

int hob_snapshot_diff(hob_sandbox *handle, const hob_snapshot *from, const hob_snapshot *to,
                      hob_change **out, size_t *n)
{
    struct virtual_box *box = handle->v;
    if (!box)
        return HOB_ENOTSUP;
    struct snapshot_changes c = {.heap = &box->kernel.heap, .mount = STR("")};
    hob_snapshot *now = NULL;
    int r = 0;
    if (!to) {
        r = hob_snapshot_take(handle, &now);
        to = now;
    }
    if (r == 0)
        r = tree_diff(c.heap, from->part[0].snap, to->part[0].snap, snapshot_change, &c);
    for (size_t i = 0; i < box->mounts.n && r == 0; i++) {
        struct box_mount *m = &box->mounts.p[i];
        const struct snapshot_part *a = m->tree ? snapshot_find(from, m->path) : NULL;
        const struct snapshot_part *b = m->tree ? snapshot_find(to, m->path) : NULL;
        c.mount = m->path;
        if (a && b)
            r = m->kind == HOB_MOUNT_OVERLAY
                    ? overlay_snap_diff(m->tree, a->snap, b->snap, snapshot_change, &c)
                    : tree_diff(c.heap, a->snap, b->snap, snapshot_change, &c);
    }
    if (r == 0)
        r = snapshot_pack(&c, out, n);
    for (size_t i = 0; i < c.list.n; i++)
        heap_free(c.heap, c.list.p[i].path, strlen(c.list.p[i].path) + 1);
    vec_fini(c.heap, &c.list);
    hob_snapshot_free(now);
    heap_gate(c.heap);
    return r;
}

/* The part that holds a path, and the path inside it. */
static const struct snapshot_part *snapshot_part_of(const hob_snapshot *s, struct str *path)
{
    const struct snapshot_part *best = &s->part[0];
    size_t cut = 0;
    for (size_t i = 1; i < s->n; i++) {
        struct str m = str_z(s->part[i].path);
        if (m.n > cut && str_starts(*path, m) && (path->n == m.n || path->p[m.n] == '/')) {
            best = &s->part[i];
            cut = m.n;
        }
    }
    *path = str_from(*path, cut);
    while (path->n && path->p[0] == '/')
        *path = str_from(*path, 1);
    return best;
}

int hob_snapshot_read(const hob_snapshot *s, const char *path, hob_bytes *out)
{
    struct str rel = str_z(path);
    const struct snapshot_part *part = snapshot_part_of(s, &rel);
    struct heap h;
    struct buf b;
    heap_init(&h, s->fn, s->ud, SIZE_MAX);
    buf_init(&b, &h);
    *out = (hob_bytes){0};
    int r = tree_snap_read(part->snap, rel, &b);
    if (r == 0)
        r = heap_gate(&h);
    if (r == 0) {
        out->data = hob_alloc(b.n + 1);
        out->len = b.n;
        if (out->data) {
            memcpy(out->data, buf_get(&b).p, b.n);
            out->data[b.n] = '\0';
        } else {
            r = HOB_ENOMEM;
        }
    }
    buf_fini(&b);
    return r;
}

int hob_snapshot_lstat(const hob_snapshot *s, const char *path, hob_stat_t *out)
{
    struct str rel = str_z(path);
    const struct snapshot_part *part = snapshot_part_of(s, &rel);
    struct stat_info st;
    int r = tree_snap_stat(part->snap, rel, &st);
    if (r == 0)
        *out = (hob_stat_t){.mode = st.mode,
                            .uid = st.uid,
                            .gid = st.gid,
                            .nlink = st.nlink,
                            .ino = st.ino,
                            .bytes = st.size,
                            .atime_ns = st.atime,
                            .mtime_ns = st.mtime,
                            .ctime_ns = st.ctime};
    return r;
}

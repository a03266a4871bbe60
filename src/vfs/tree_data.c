/* tree_data.c -- contents of files: one blob, or 64 KiB chunks
 *
 * Bytes of a blob behind the size of its file are undefined; whoever makes the file grow clears
 * them first. A blob may be shorter than what it stands for: the rest reads as zeros and costs
 * nothing. A blob whose bytes lie elsewhere (borrowed ones) is never written.
 */
#include "vfs/tree.h"

enum {
    TREE_DATA_ZEROS = 4096
};
static const char tree_data_zero_bytes[TREE_DATA_ZEROS];
/* What reading a hole gives. */
static const struct blob tree_data_zeros = {BLOB_STATIC, NULL, NULL, TREE_DATA_ZEROS,
                                            (char *)(uintptr_t)tree_data_zero_bytes};

static bool tree_data_borrowed(const struct blob *b) { return b->data != (const char *)(b + 1); }

/* How many bytes of a blob may be read. Borrowed ones have them all. */
static uint64_t tree_data_reach(const struct blob *b)
{
    return !b ? 0 : tree_data_borrowed(b) ? UINT64_MAX : b->cap;
}

size_t tree_data_cost(const struct blob *b)
{
    return b && !tree_is_static(&b->refs) ? sizeof *b + b->cap : 0;
}

static struct radix tree_data_radix(const struct tree_inode *n)
{
    return (struct radix){n->u.chunks, n->height};
}

/* The blob that holds byte `off`, and where in it. */
static struct blob *tree_data_at(const struct tree_inode *n, uint64_t off, size_t *in, size_t *end)
{
    if (n->kind == TREE_CHUNKS) {
        *in = off % TREE_CHUNK;
        *end = TREE_CHUNK;
        return radix_get(tree_data_radix(n), off / TREE_CHUNK);
    }
    *in = (size_t)off;
    *end = (size_t)n->size;
    return n->u.blob;
}

size_t tree_data_take(const struct tree_inode *n, uint64_t off, struct slice *out)
{
    size_t in, end;

    *out = (struct slice){0};
    if (off >= n->size)
        return 0;
    struct blob *b = tree_data_at(n, off, &in, &end);
    uint64_t left = MIN(n->size - off, end - in), reach = tree_data_reach(b);
    if (in < reach) {
        out->p = b->data + in;
        out->n = (size_t)MIN(left, reach - in);
    } else {
        b = (struct blob *)(uintptr_t)&tree_data_zeros;
        out->p = b->data;
        out->n = (size_t)MIN(left, TREE_DATA_ZEROS);
    }
    out->blob = blob_ref(b);
    return out->n;
}

size_t tree_data_read(const struct tree_inode *n, uint64_t off, void *dst, size_t len)
{
    size_t done = 0, in, end;

    while (done < len && off < n->size) {
        const struct blob *b = tree_data_at(n, off, &in, &end);
        uint64_t left = MIN(n->size - off, end - in), reach = tree_data_reach(b);
        size_t part = (size_t)MIN(left, len - done);
        if (in < reach) {
            part = (size_t)MIN(part, reach - in);
            memcpy((char *)dst + done, b->data + in, part);
        } else {
            memset((char *)dst + done, 0, part);
        }
        done += part;
        off += part;
    }
    return done;
}

void tree_data_ref(struct tree_inode *n)
{
    if (n->kind == TREE_DIR)
        tree_dir_ref(n->u.dir);
    else if (n->kind == TREE_LAZY)
        tree_ref(&n->u.lazy->refs);
    else if (n->kind == TREE_BLOB)
        blob_ref(n->u.blob);
    else if (n->u.chunks)
        tree_ref(&n->u.chunks->refs);
}

void tree_data_unref(struct tree_mem m, struct tree_inode *n)
{
    if (n->kind == TREE_DIR)
        tree_dir_unref(m, n->u.dir);
    else if (n->kind == TREE_BLOB)
        blob_unref(n->u.blob);
    else if (n->kind == TREE_CHUNKS)
        radix_unref(m, tree_data_radix(n), RADIX_BLOBS);
    else if (tree_unref(&n->u.lazy->refs))
        tree_free(m, n->u.lazy, sizeof *n->u.lazy + n->u.lazy->n + 1);
}

void tree_data_clear(struct tree *t, struct tree_inode *n)
{
    tree_uncharge(t, (size_t)n->charge);
    tree_data_unref(tree_mem(t), n);
    n->kind = TREE_BLOB;
    n->u.blob = NULL;
    n->height = 0;
    n->size = n->charge = 0;
}

uint64_t tree_data_blocks(const struct tree_inode *n)
{
    uint64_t full = (n->size + 4095) / 4096 * 8;

    if (n->kind == TREE_DIR)
        return 8;
    if (!MODE_IS_FILE(n->mode))
        return 0;
    if (n->kind == TREE_LAZY ||
        (n->kind == TREE_BLOB && n->u.blob && tree_data_borrowed(n->u.blob)))
        return full;
    return MIN(full, (n->charge + 4095) / 4096 * 8);
}

/* A blob of this tree: as blob_new, but charged, with `instead` bytes given back. */
static struct blob *tree_data_blob(struct tree *t, size_t cap, size_t instead)
{
    struct blob *b = tree_alloc(t, sizeof *b + cap, instead);

    if (!b)
        return NULL;
    struct tree_mem m = tree_mem(t);
    atomic_init(&b->refs, 1);
    b->fn = m.fn;
    b->ud = m.ud;
    b->cap = cap;
    b->data = (char *)(b + 1);
    return b;
}

struct blob *tree_data_borrow(struct tree *t, struct str bytes)
{
    struct blob *b = tree_data_blob(t, 0, 0);
    if (b)
        b->data = (char *)(uintptr_t)bytes.p;
    return b;
}

/* Makes *at a blob that may be written up to `end`, keeping its first `used` bytes; of the whole
 * size of a chunk at once if `whole`. */
static bool tree_data_grow(struct tree *t, struct blob **at, size_t used, size_t end, bool whole)
{
    struct blob *old = *at;

    if (old && blob_alone(old) && old->cap >= end && !tree_data_borrowed(old))
        return true;
    size_t cap = (end + 63) & ~(size_t)63;
    if (old && !tree_data_borrowed(old)) {
        size_t more = old->cap < end ? heap_step(&t->fs.kernel->heap, old->cap, end) : old->cap;
        cap = MAX(cap, MIN(more, TREE_CHUNK));
    }
    if (whole || (cap > TREE_CHUNK / 2 && cap < TREE_CHUNK && old))
        cap = TREE_CHUNK;
    struct blob *b = tree_data_blob(t, cap, tree_data_cost(old));
    if (!b)
        return false;
    if (old && used > 0)
        memcpy(b->data, old->data, (size_t)MIN(used, MIN(tree_data_reach(old), cap)));
    /* A short blob stood for zeros behind its end. */
    if (used > tree_data_reach(old))
        memset(b->data + tree_data_reach(old), 0, MIN(used, cap) - (size_t)tree_data_reach(old));
    blob_unref(old);
    *at = b;
    return true;
}

/* Turns the single blob of a file into chunks. A borrowed one of any size is copied. */
static int tree_data_chunked(struct tree *t, struct tree_inode *n)
{
    uint64_t before = t->bytes;
    struct radix r = {NULL, 0};
    struct blob *b = n->u.blob;
    bool move = b && !tree_data_borrowed(b);
    bool ok = true;

    for (uint64_t off = 0; ok && b && off < MAX(n->size, 1); off += TREE_CHUNK) {
        size_t len = (size_t)MIN(n->size - off, TREE_CHUNK);
        void **slot = radix_own(t, &r, off / TREE_CHUNK, RADIX_BLOBS);
        if (slot && move)
            *slot = b;
        else if (slot && (*slot = tree_data_blob(t, TREE_CHUNK, 0)))
            memcpy(((struct blob *)*slot)->data, b->data + off, len);
        ok = slot && *slot;
        if (move)
            break;
    }
    if (!ok) {
        tree_uncharge(t, (size_t)(t->bytes - before));
        radix_unref(tree_mem(t), r, RADIX_BLOBS);
        return HOB_ENOMEM;
    }
    if (b && !move) {
        tree_uncharge(t, tree_data_cost(b));
        blob_unref(b);
    }
    n->charge += t->bytes - before;
    n->kind = TREE_CHUNKS;
    n->u.chunks = r.root;
    n->height = r.height;
    return 0;
}

/* The place of the blob for byte off, with the nodes above it owned. */
static struct blob **tree_data_slot(struct tree *t, struct tree_inode *n, uint64_t off)
{
    if (n->kind == TREE_BLOB)
        return &n->u.blob;
    struct radix r = tree_data_radix(n);
    void **slot = radix_own(t, &r, off / TREE_CHUNK, RADIX_BLOBS);
    n->u.chunks = r.root;
    n->height = r.height;
    return (struct blob **)slot;
}

/* Clears what lies between the end of the file and `to` in the last blob: the file will grow, and
 * nothing that was there before may be seen (TM-INF-4). */
static int tree_data_clear_tail(struct tree *t, struct tree_inode *n, uint64_t to)
{
    size_t in, end;
    uint64_t size = n->size;

    if (to <= size || (n->kind == TREE_CHUNKS && size % TREE_CHUNK == 0))
        return 0;
    struct blob *b = tree_data_at(n, size, &in, &end);
    if (!b || tree_data_borrowed(b) || in >= b->cap)
        return 0;
    size_t len = (size_t)MIN(to - size, b->cap - in);
    if (!blob_alone(b)) {
        /* Shared: it must be copied, cut where the file ends. */
        struct blob **slot = tree_data_slot(t, n, size);
        uint64_t before = t->bytes;
        struct blob *copy = slot ? tree_data_blob(t, in, tree_data_cost(b)) : NULL;
        if (!copy)
            return HOB_ENOMEM;
        memcpy(copy->data, b->data, in);
        blob_unref(b);
        *slot = copy;
        n->charge += t->bytes - before;
        return 0;
    }
    struct blob **slot = tree_data_slot(t, n, size);
    if (!slot)
        return HOB_ENOMEM;
    memset((*slot)->data + in, 0, len);
    return 0;
}

/* Bytes that may still be put at off under the limit on the size of a file. Holes are free. */
static size_t tree_data_room(struct tree *t, const struct tree_inode *n, uint64_t off, size_t len)
{
    uint64_t limit = t->fs.kernel->limits.file_size;

    if (off > INT64_MAX || len > INT64_MAX - off)
        len = off > INT64_MAX ? 0 : (size_t)(INT64_MAX - off);
    if (LIKELY(off + len <= limit))
        return len;
    /* With holes, what it takes counts; without, its size. */
    uint64_t takes = MIN(n->charge, n->size);
    bool holes = n->charge < n->size - n->size / 8 || off > n->size;
    if (holes)
        return takes >= limit ? 0 : (size_t)MIN(len, limit - takes);
    return off >= limit ? 0 : (size_t)(limit - off);
}

ptrdiff_t tree_data_write(struct tree *t, struct tree_inode *n, uint64_t off, const void *src,
                          size_t len)
{
    size_t done = 0;

    if (len == 0)
        return 0;
    len = tree_data_room(t, n, off, len);
    if (len == 0)
        return HOB_EFBIG;
    if (n->kind == TREE_BLOB && (off + len > TREE_CHUNK || n->size > TREE_CHUNK) &&
        tree_data_chunked(t, n) < 0)
        return HOB_ENOMEM;
    while (done < len) {
        uint64_t at = off + done, base = n->kind == TREE_CHUNKS ? at / TREE_CHUNK * TREE_CHUNK : 0;
        size_t in = (size_t)(at - base), part = MIN(len - done, TREE_CHUNK - in);
        size_t used = n->size > base ? (size_t)MIN(n->size - base, TREE_CHUNK) : 0;
        bool fits = tree_data_clear_tail(t, n, at) == 0;
        uint64_t before = t->bytes;
        struct blob **slot = fits ? tree_data_slot(t, n, at) : NULL;
        bool ok = slot && tree_data_grow(t, slot, used, in + part, base >= 4 * TREE_CHUNK);
        n->charge += t->bytes - before;
        if (!ok)
            break;
        if (in > used)
            memset((*slot)->data + used, 0, in - used);
        memcpy((*slot)->data + in, (const char *)src + done, part);
        done += part;
        n->size = MAX(n->size, at + part);
    }
    return done > 0 ? (ptrdiff_t)done : HOB_ENOMEM;
}

/* Takes a whole blob over as contents instead of copying it. False: it does not fit, nothing was
 * done and the slice is still the caller's. */
bool tree_data_adopt(struct tree *t, struct tree_inode *n, uint64_t off, struct slice *s)
{
    struct blob *b = s->blob;
    struct tree_mem m = tree_mem(t);
    uint64_t end = off + s->n;

    if (!b || s->p != b->data || tree_data_borrowed(b) || !blob_alone(b) || b->fn != m.fn ||
        b->ud != m.ud || off % TREE_CHUNK || off != n->size || s->n > TREE_CHUNK ||
        b->cap > TREE_CHUNK || s->n < b->cap / 2 || end > t->fs.kernel->limits.file_size)
        return false;
    if (n->kind == TREE_BLOB && end > TREE_CHUNK && tree_data_chunked(t, n) < 0)
        return false;
    uint64_t before = t->bytes;
    struct blob **slot = tree_data_slot(t, n, off);
    size_t cost = tree_data_cost(b);
    bool ok = slot && !*slot && heap_charge(&t->fs.kernel->heap, cost);
    if (ok) {
        t->bytes += cost;
        *slot = b;
        *s = (struct slice){0};
        n->size = end;
    }
    n->charge += t->bytes - before;
    return ok;
}

/* Drops the chunks from `keep` on; keep > 0. All or nothing. */
static int tree_data_cut(struct tree *t, struct tree_inode *n, uint64_t keep)
{
    uint64_t before = t->bytes;
    struct radix r = tree_data_radix(n);
    void **slot = radix_own(t, &r, keep - 1, RADIX_BLOBS);

    if (slot)
        radix_cut(t, &r, keep - 1);
    n->u.chunks = r.root;
    n->height = r.height;
    n->charge += t->bytes - before;
    return slot ? 0 : HOB_ENOMEM;
}

/* A chunked file that became small: its first chunk is its blob. */
static void tree_data_single(struct tree *t, struct tree_inode *n)
{
    struct blob *b = blob_ref(radix_get(tree_data_radix(n), 0));
    size_t cost = tree_data_cost(b);

    tree_uncharge(t, (size_t)n->charge - cost);
    tree_data_unref(tree_mem(t), n);
    n->kind = TREE_BLOB;
    n->height = 0;
    n->u.blob = b;
    n->charge = cost;
}

int tree_data_resize(struct tree *t, struct tree_inode *n, uint64_t size)
{
    if (size > INT64_MAX)
        return HOB_EFBIG;
    if (size == 0) {
        tree_data_clear(t, n);
        return 0;
    }
    if (size > n->size) {
        int r = 0;
        if (n->kind == TREE_BLOB && (size > TREE_CHUNK || n->size > TREE_CHUNK))
            r = tree_data_chunked(t, n);
        else if (n->kind == TREE_BLOB && n->u.blob && tree_data_borrowed(n->u.blob)) {
            uint64_t before = t->bytes;
            r = tree_data_grow(t, &n->u.blob, (size_t)n->size, (size_t)n->size, false) ? 0
                                                                                       : HOB_ENOMEM;
            n->charge += t->bytes - before;
        }
        if (r == 0)
            r = tree_data_clear_tail(t, n, size);
        if (r < 0)
            return r;
    } else if (n->kind == TREE_CHUNKS) {
        int r = tree_data_cut(t, n, (size + TREE_CHUNK - 1) / TREE_CHUNK);
        if (r < 0)
            return r;
        if (size <= TREE_CHUNK)
            tree_data_single(t, n);
    }
    n->size = size;
    return 0;
}

bool tree_data_equal(const struct tree_inode *a, const struct tree_inode *b)
{
    uint64_t off = 0;

    if (a->size != b->size)
        return false;
    if (a->kind == b->kind && a->u.blob == b->u.blob)
        return true;
    while (off < a->size) {
        struct slice x, y;
        tree_data_take(a, off, &x);
        tree_data_take(b, off, &y);
        size_t len = MIN(x.n, y.n);
        bool same = len > 0 && (x.p == y.p || memcmp(x.p, y.p, len) == 0);
        slice_drop(&x);
        slice_drop(&y);
        if (!same)
            return false;
        off += len;
    }
    return true;
}

int tree_data_ask(const struct tree_lazy *l, hob_bytes *out)
{
    *out = (hob_bytes){NULL, 0};
    return MIN(l->fn(l->ud, l->path, out), 0);
}

int tree_data_load(struct tree *t, uint64_t ino, struct tree_inode **at)
{
    hob_bytes bytes;

    if ((*at)->kind != TREE_LAZY)
        return 0;
    struct tree_inode *n = tree_own(t, ino);
    if (!n)
        return HOB_ENOMEM;
    struct tree_lazy *l = n->u.lazy;
    int r = tree_data_ask(l, &bytes);
    if (r < 0)
        return r;
    struct tree_inode got = *n;
    got.kind = TREE_BLOB;
    got.u.blob = NULL;
    got.size = got.charge = 0;
    ptrdiff_t w = tree_data_write(t, &got, 0, bytes.data, bytes.len);
    tree_data_release(l, &bytes);
    if (w < 0 || (size_t)w != bytes.len) {
        tree_data_clear(t, &got);
        return w < 0 ? (int)w : HOB_ENOMEM;
    }
    struct tree_inode old = *n;
    n->kind = got.kind;
    n->u = got.u;
    n->height = got.height;
    n->size = got.size;
    n->charge = got.charge;
    tree_uncharge(t, (size_t)old.charge);
    tree_data_unref(tree_mem(t), &old);
    *at = n;
    return 0;
}

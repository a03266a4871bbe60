/* tree.h -- the parts of the persistent tree, shared by the tree_*.c files
 *
 * A tree is a table from inode numbers to inodes: a radix trie of reference-counted nodes. Folders
 * map names to inode numbers in a small B-tree; contents are one blob, or a radix trie of 64 KiB
 * blobs. Whoever changes a node first makes it his own: one reference, reached through nodes with
 * one reference. Others are copied, from the root down to it. A snapshot is therefore one more
 * reference to the root of the table, whatever hangs below, and nobody sees what others change
 * (TM-INF-5).
 *
 * A count of 0 marks constant memory (TREE_STATIC): never counted, written or freed, always copied.
 *
 * Two kinds of accounts. Memory is physical: a node is freed by whoever drops the last reference,
 * perhaps in another sandbox. What is charged to the heap is logical: each tree pays for all it can
 * reach (constant memory apart), shared or not; so a limit does not depend on what others do.
 */
#ifndef HOB_VFS_TREE_H
#define HOB_VFS_TREE_H

#include "vfs/vfs.h"

enum {
    TREE_STATIC = 0,
    TREE_ROOT = 1,      /* the inode of the root folder */
    TREE_FIRST = 64,    /* the first number of an inode that is not constant */
    TREE_CHUNK = 65536, /* bytes of one piece of a large file */
    TREE_DIR_MAX = 64,  /* entries of one node of a folder */
    RADIX_BITS = 5,
    RADIX_FANOUT = 32
};
#define TREE_BOOT INT64_MIN  /* a time: when the sandbox was made */
#define TREE_USER UINT32_MAX /* an owner: the user of the sandbox */

struct tree;
struct tree_mem {
    hob_alloc_fn fn;
    void *ud;
};

/* ---- radix tries (radix.c) ------------------------------------------------------------------- */

enum radix_kind {
    RADIX_INODES,
    RADIX_BLOBS
}; /* what the leaves point to */

struct radix_node {
    atomic_uint refs;
    void *slot[RADIX_FANOUT];
};

struct radix {
    struct radix_node *root; /* NULL: empty */
    uint8_t height;          /* levels; keys are below 32^height */
};

static inline bool radix_fits(unsigned height, uint64_t key)
{
    return height * RADIX_BITS >= 64 || key >> (height * RADIX_BITS) == 0;
}

static inline void *radix_get(struct radix r, uint64_t key)
{
    const struct radix_node *n = r.root;
    if (!radix_fits(r.height, key))
        return NULL;
    for (unsigned shift = r.height * RADIX_BITS; n && shift > RADIX_BITS;)
        n = n->slot[key >> (shift -= RADIX_BITS) & (RADIX_FANOUT - 1)];
    return n ? n->slot[key & (RADIX_FANOUT - 1)] : NULL;
}
/* The slot of the key, in nodes that may be written; made if needed. NULL: out of memory. */
void **radix_own(struct tree *t, struct radix *r, uint64_t key, enum radix_kind k);
/* Empties the slot and drops nodes left without any. The path must be owned. The value is not
 * dropped. */
void radix_clear(struct tree *t, struct radix *r, uint64_t key);
/* Drops all values above key, whose path must be owned. For blobs. */
void radix_cut(struct tree *t, struct radix *r, uint64_t key);
/* Calls fn for all values in order; a result != 0 ends it. */
int radix_each(struct radix r, int (*fn)(void *ud, uint64_t key, void *value), void *ud);
void radix_unref(struct tree_mem m, struct radix r, enum radix_kind k);
/* A copy that shares no node, made of what `value` makes of the values. False: out of memory, *out
 * is as far as it got. */
bool radix_copy(struct tree *t, struct radix r, struct radix *out,
                void *(*value)(struct tree *t, void *v));

/* ---- folders (tree_dir.c) -------------------------------------------------------------------- */

struct tree_slot {
    union {
        uint64_t ino;           /* level 0 */
        struct tree_dir *child; /* above */
    } u;
    uint32_t key; /* the first four bytes of the name, big end first: most searches need no more */
    uint16_t off; /* of the name, from the start of the node */
    uint8_t len;
    uint8_t type; /* mode >> 12 */
};

/* One node: slots in the order of their names, names packed from the end downwards. */
struct tree_dir {
    atomic_uint refs;
    uint32_t size; /* of the block */
    uint16_t n;
    uint16_t low;  /* offset of the lowest name */
    uint16_t live; /* bytes of names in use; the rest above `low` is holes */
    uint8_t level;
    uint8_t pad;
    struct tree_slot slot[];
};

static inline struct str tree_dir_name(const struct tree_dir *d, size_t i)
{
    return (struct str){(const char *)d + d->slot[i].off, d->slot[i].len};
}
/* NULL: there is no such name. */
const struct tree_slot *tree_dir_find(const struct tree_dir *d, struct str name);
/* Adds a name that is not there. All or nothing. */
int tree_dir_insert(struct tree *t, struct tree_dir **root, struct str name, uint64_t ino,
                    uint32_t mode);
/* Makes the nodes from the root to the name writable. After that the next two cannot fail. */
int tree_dir_own(struct tree *t, struct tree_dir **root, struct str name);
void tree_dir_remove(struct tree *t, struct tree_dir **root, struct str name);
void tree_dir_set(struct tree_dir *root, struct str name, uint64_t ino, uint32_t mode);
/* In the order of names. A result != 0 of fn ends it. */
typedef int (*tree_dir_fn)(void *ud, struct str name, const struct tree_slot *s);
int tree_dir_each(const struct tree_dir *d, tree_dir_fn fn, void *ud);
void tree_dir_unref(struct tree_mem m, struct tree_dir *d);
struct tree_dir *tree_dir_ref(struct tree_dir *d);
struct tree_dir *tree_dir_copy(struct tree *t, const struct tree_dir *d); /* shares nothing */

/* A place in a folder, to go through two of them side by side. */
struct tree_dir_iter {
    const struct tree_dir *at[8];
    uint16_t i[8];
    int depth; /* -1: at the end */
};
void tree_dir_first(struct tree_dir_iter *it, const struct tree_dir *d);
void tree_dir_next(struct tree_dir_iter *it);
static inline const struct tree_slot *tree_dir_at(const struct tree_dir_iter *it, struct str *name)
{
    if (it->depth < 0)
        return NULL;
    *name = tree_dir_name(it->at[it->depth], it->i[it->depth]);
    return &it->at[it->depth]->slot[it->i[it->depth]];
}

/* ---- inodes ---------------------------------------------------------------------------------- */

enum tree_kind {
    TREE_BLOB,   /* u.blob: all contents, or NULL. What lies behind blob->cap reads as zeros */
    TREE_CHUNKS, /* u.chunks: files over TREE_CHUNK bytes; a missing chunk reads as zeros */
    TREE_DIR,    /* u.dir */
    TREE_LAZY    /* u.lazy: a file whose contents were not asked for yet */
};

enum {                /* flags of folders */
    TREE_OPAQUE = 1,  /* of an overlay: it hides what is below */
    TREE_UNLISTED = 2 /* of a lazy folder: its names were not asked for yet */
};

struct tree_lazy {
    atomic_uint refs;
    hob_lazy_fn fn;
    void *ud;
    void (*release)(void *ud, void *p); /* frees what fn gives; from struct host */
    void *release_ud;
    size_t n;
    char path[];
};

struct tree_inode {
    atomic_uint refs;
    uint16_t mode;
    uint8_t kind;   /* enum tree_kind */
    uint8_t height; /* of u.chunks */
    uint32_t uid, gid, nlink;
    uint16_t flags;
    uint16_t pad;
    uint64_t size;   /* bytes of contents */
    uint64_t charge; /* logical bytes of memory of the contents */
    uint64_t parent; /* the folder it is in; 0: not known (it had several names) */
    int64_t atime, mtime, ctime, btime;
    union {
        struct blob *blob;
        struct radix_node *chunks;
        struct tree_dir *dir;
        struct tree_lazy *lazy;
    } u;
};

struct tree_file;

/* The pipe of a fifo that was opened, kept while the fifo has a name. */
struct tree_fifo {
    struct tree_fifo *next;
    uint64_t ino;
    struct pipe *pipe;
};

struct tree {
    struct fs fs;
    struct radix table;
    uint64_t next_ino;
    uint64_t files;    /* inodes */
    uint64_t bytes;    /* logical, charged to the heap */
    uint64_t ino_base; /* added to the numbers that stat tells, so that an overlay's do not clash */
    uint64_t gen; /* changes when pointers to inodes that open files remember may be out of date */
    struct tree_file *open;
    struct tree_fifo *fifos;
};

struct tree_snap {
    atomic_uint refs;
    struct tree_mem mem;
    struct radix table;
    uint64_t next_ino, files, bytes;
    int64_t boot;
    uint32_t uid, gid;
};

struct tree_file {
    struct file f;
    struct tree *t;
    uint64_t ino;
    struct tree_inode *node; /* as of `gen` */
    uint64_t gen;
    bool owned;                /* node may be written as long as gen holds */
    bool touched;              /* its access time was looked at */
    struct tree_inode *orphan; /* it has no name any more, and is not in the table */
    struct tree_file *next, *prev;
    size_t size; /* of this block */
};

static inline struct tree_mem tree_mem(const struct tree *t)
{
    return (struct tree_mem){t->fs.kernel->heap.fn, t->fs.kernel->heap.ud};
}
static inline bool tree_alone(const atomic_uint *refs)
{
    return atomic_load_explicit((atomic_uint *)refs, memory_order_acquire) == 1;
}
static inline bool tree_is_static(const atomic_uint *refs)
{
    return atomic_load_explicit((atomic_uint *)refs, memory_order_relaxed) == TREE_STATIC;
}
static inline void tree_ref(atomic_uint *refs)
{
    if (!tree_is_static(refs))
        atomic_fetch_add_explicit(refs, 1, memory_order_relaxed);
}
/* True when that was the last reference. */
static inline bool tree_unref(atomic_uint *refs)
{
    return !tree_is_static(refs) && atomic_fetch_sub_explicit(refs, 1, memory_order_acq_rel) == 1;
}
/* A block of the tree, in place of one that was charged with `instead` bytes. NULL: out of memory.
 * A copy that is no larger than what it replaces is not held against the cap. */
void *tree_alloc(struct tree *t, size_t size, size_t instead);
static inline void tree_uncharge(struct tree *t, size_t size)
{
    t->bytes -= size;
    heap_uncharge(&t->fs.kernel->heap, size);
}
static inline void tree_free(struct tree_mem m, void *p, size_t size) { m.fn(m.ud, p, size, 0); }

/* tree_node.c */
struct tree_inode *tree_get(const struct tree *t, uint64_t ino);
struct tree_inode *tree_own(struct tree *t, uint64_t ino);   /* NULL: out of memory */
struct tree_inode *tree_owned(struct tree *t, uint64_t ino); /* NULL: it would have to be copied */
/* Makes a folder's node and the entry for name writable. */
struct tree_inode *tree_own_dir(struct tree *t, uint64_t ino, struct str name);
struct tree_inode *tree_inode_new(struct tree *t, uint32_t mode, struct cred c);
struct tree_inode *tree_inode_copy(struct tree *t, struct tree_inode *old);
void tree_inode_unref(struct tree_mem m, struct tree_inode *n);
/* Takes a nameless inode out of the table, or leaves it to the files that have it open. The path in
 * the table must be owned. */
void tree_forget(struct tree *t, uint64_t ino);
void tree_drop(struct tree *t, struct tree_inode *n); /* with its charge */
void tree_fill(const struct tree *t, uint64_t ino, const struct tree_inode *n,
               struct stat_info *st);
static inline int64_t tree_now(struct tree *t) { return sched_now(&t->fs.kernel->sched); }

/* tree_data.c: contents. The inode of a changing call must be owned. */
size_t tree_data_read(const struct tree_inode *n, uint64_t off, void *dst, size_t len);
size_t tree_data_take(const struct tree_inode *n, uint64_t off, struct slice *out);
ptrdiff_t tree_data_write(struct tree *t, struct tree_inode *n, uint64_t off, const void *src,
                          size_t len);
bool tree_data_adopt(struct tree *t, struct tree_inode *n, uint64_t off, struct slice *s);
int tree_data_resize(struct tree *t, struct tree_inode *n, uint64_t size);
void tree_data_clear(struct tree *t, struct tree_inode *n);
void tree_data_unref(struct tree_mem m, struct tree_inode *n);
void tree_data_ref(struct tree_inode *n);
bool tree_data_equal(const struct tree_inode *a, const struct tree_inode *b);
size_t tree_data_cost(const struct blob *b); /* what it is charged with */
uint64_t tree_data_blocks(const struct tree_inode *n);
/* Asks for the contents of a lazy file, without keeping them; and gives them back. */
int tree_data_ask(const struct tree_lazy *l, hob_bytes *out);
static inline void tree_data_release(const struct tree_lazy *l, hob_bytes *b)
{
    l->release(l->release_ud, b->data);
}
/* Asks for them and keeps them: the file is an ordinary one from then on. */
int tree_data_load(struct tree *t, uint64_t ino, struct tree_inode **n);
struct blob *tree_data_borrow(struct tree *t, struct str bytes);

/* tree.c */
enum {
    TREE_LAST = 1
}; /* tree_at.flags: only the last component is missing */
struct tree_at {
    struct tree_inode *node, *dir; /* node: NULL if it is missing */
    uint64_t ino, dir_ino;
    struct str name; /* of the last component looked at */
    size_t used;
    unsigned flags;
};
int tree_find(const struct tree *t, struct cred c, struct str path, struct tree_at *a);
struct tree *tree_blank(struct kernel *k); /* without a table; NULL: out of memory */
struct tree *tree_of(struct fs *fs);       /* NULL if it is something else */
int tree_add(struct tree *t, struct cred c, const struct tree_at *a, uint32_t mode,
             struct blob *blob, uint64_t *ino);
/* Moves a name; with `leave`, a whiteout stays in its place. */
int tree_move(struct tree *t, struct cred c, struct str from, struct str to, bool leave);
/* Puts a whiteout at a->name, in place of what is there or not. */
int tree_hide(struct tree *t, const struct tree_at *a);
/* Makes what tree_add makes where a whiteout stands. */
int tree_unhide(struct tree *t, struct cred c, const struct tree_at *a, uint32_t mode);
/* Whiteouts say that a name is not there although an overlay's lower folder has it. */
static inline bool tree_is_whiteout(const struct tree_inode *n)
{
    return (n->mode & MODE_TYPE) == MODE_CHR;
}
bool tree_may(const struct tree *t, struct cred c, const struct tree_inode *n, int bits);

/* tree_file.c */
int tree_file_open(struct tree *t, uint64_t ino, struct tree_inode *n, struct str path,
                   unsigned flags, struct file **out);
int tree_file_fifo(struct tree *t, struct proc *p, uint64_t ino, unsigned flags, struct file **out);
bool tree_file_orphan(struct tree *t, uint64_t ino, struct tree_inode *n);
void tree_file_forget_fifo(struct tree *t, uint64_t ino);

/* tree_snap.c: a kernel and a tree on the stack, enough for tree_find and tree_fill to look at a
 * snapshot. */
struct tree_snap_view {
    struct kernel kernel;
    struct tree tree;
};
void tree_snap_open(struct tree_snap_view *v, const struct tree_snap *s);
int tree_snap_fill_stat(const struct tree_snap_view *v, uint64_t ino, const struct tree_inode *n,
                        struct stat_info *st);

/* tree_std.c */
extern const struct radix_node tree_std_table;
enum {
    TREE_STD_FILES = 36,
    TREE_STD_HEIGHT = 2
};
int tree_std_adapt(struct tree *t);

#endif

/* vfs_tree.c -- the persistent tree: snapshots, forks, differences, accounts, limits, torture */
#include "vfs/tree.h"
#include "vfsbox.h"

static struct fs *root_of(struct vfsbox *b) { return b->vfs.mounts[b->vfs.n - 1].fs; }

static void begin(struct vfsbox *b, bool standard)
{
    vfsbox_begin(b);
    CHECK_EQ(vfsbox_mount(b, tree_new(&b->kernel, standard)), 0);
    if (standard)
        b->proc.cwd = STR("/home/user");
}

/* The logical bytes of a tree, counted anew. */
struct weight {
    uint64_t bytes, files;
};

static size_t weigh_dir(const struct tree_dir *d)
{
    size_t sum = d && !tree_is_static(&d->refs) ? d->size : 0;
    for (size_t i = 0; d && d->level > 0 && i < d->n; i++)
        sum += weigh_dir(d->slot[i].u.child);
    return sum;
}

static size_t weigh_radix(const struct radix_node *n, unsigned height, bool blobs)
{
    size_t sum = n && !tree_is_static(&n->refs) ? sizeof *n : 0;
    for (size_t i = 0; n && i < RADIX_FANOUT; i++) {
        if (height > 1)
            sum += weigh_radix(n->slot[i], height - 1, blobs);
        else if (blobs)
            sum += tree_data_cost(n->slot[i]);
    }
    return sum;
}

static int weigh_each(void *ud, uint64_t ino, void *value)
{
    struct weight *w = ud;
    struct tree_inode *n = value;
    (void)ino;
    w->files++;
    w->bytes += tree_is_static(&n->refs) ? 0 : sizeof *n;
    uint64_t contents = 0;
    if (n->kind == TREE_DIR)
        w->bytes += weigh_dir(n->u.dir);
    else if (n->kind == TREE_BLOB)
        contents = tree_data_cost(n->u.blob);
    else if (n->kind == TREE_CHUNKS)
        contents = weigh_radix(n->u.chunks, n->height, true);
    else
        contents = sizeof *n->u.lazy + n->u.lazy->n + 1;
    CHECK_EQ(n->charge, contents);
    w->bytes += contents;
    return 0;
}

/* Every name leads to an inode, every inode has its names, and the accounts are right. */
struct census {
    const struct tree *t;
    uint64_t dirs;
};

static int census_each(void *ud, struct str name, const struct tree_slot *s)
{
    struct census *c = ud;
    struct tree_inode *n = tree_get(c->t, s->u.ino);
    (void)name;
    if (CHECK(n != NULL)) {
        CHECK_EQ(n->mode >> 12, s->type);
        c->dirs += n->kind == TREE_DIR;
    }
    return 0;
}

static int sound_each(void *ud, uint64_t ino, void *value)
{
    struct tree_inode *n = value;
    struct census c = {ud, 0};
    if (n->kind != TREE_DIR)
        return 0;
    tree_dir_each(n->u.dir, census_each, &c);
    if (n->nlink != c.dirs + 2)
        printf("# inode %d\n", (int)ino);
    CHECK_EQ(n->nlink, c.dirs + 2);
    return 0;
}

static void check_sound(struct fs *fs)
{
    struct tree *t = tree_of(fs);
    struct weight w = {0, 0};
    radix_each(t->table, weigh_each, &w);
    w.bytes += weigh_radix(t->table.root, t->table.height, false);
    if (!t->open) {
        CHECK_EQ(t->bytes, w.bytes);
        CHECK_EQ(t->files, w.files);
    }
    radix_each(t->table, sound_each, t);
}

/* ---- the standard folders -------------------------------------------------------------------- */

static int std_each(void *ud, struct str name, const struct tree_slot *s)
{
    CHECK(tree_dir_find(ud, name) == s);
    return 0;
}

static int std_inode(void *ud, uint64_t ino, void *value)
{
    struct tree_inode *n = value;
    (void)ino;
    (void)ud;
    CHECK(tree_is_static(&n->refs));
    if (n->kind == TREE_DIR)
        tree_dir_each(n->u.dir, std_each, n->u.dir);
    return 0;
}

static void test_standard(void)
{
    struct vfsbox b;
    begin(&b, true);
    radix_each(tree_of(root_of(&b))->table, std_inode, NULL);
    check_sound(root_of(&b));
    CHECK_EQ(tree_bytes(root_of(&b)), 0);
    CHECK_EQ(vfsbox_mode(&b, "/tmp"), MODE_DIR | 01777);
    CHECK_EQ(vfsbox_mode(&b, "/home/user"), MODE_DIR | 0755);
    CHECK_STR(vfsbox_read(&b, "/etc/hostname"), "hob\n");
    struct stat_info st;
    CHECK_EQ(vfs_stat(&b.proc, STR("/home/user"), 0, &st), 0);
    CHECK_EQ(st.uid, 1000);
    CHECK_EQ(st.mtime, b.kernel.boot);
    CHECK_EQ(vfsbox_write(&b, "/usr/x", ""), HOB_EACCES);
    CHECK_EQ(vfsbox_write(&b, "/home/user/x", ""), 0);
    CHECK_EQ(vfsbox_write(&b, "/tmp/x", ""), 0);
    check_sound(root_of(&b));
    vfsbox_end(&b);

    vfsbox_begin(&b);
    b.kernel.user = STR("alice");
    b.kernel.hostname = STR("box");
    CHECK_EQ(vfsbox_mount(&b, tree_new(&b.kernel, true)), 0);
    CHECK_STR(vfsbox_list(&b, "/home"), "alice/");
    CHECK_STR(vfsbox_read(&b, "/etc/hostname"), "box\n");
    CHECK(strstr(vfsbox_read(&b, "/etc/passwd"), "alice:x:1000:1000:alice:/home/alice:/bin/bash"));
    check_sound(root_of(&b));
    vfsbox_end(&b);
}

/* ---- snapshots ------------------------------------------------------------------------------- */

static int diff_each(void *ud, struct str path, const struct stat_info *was,
                     const struct stat_info *is)
{
    char *text = ud;
    size_t n = strlen(text);
    snprintf(text + n, 2000 - n, "%s%c %.*s", n ? ", " : "",
             !was  ? 'A'
             : !is ? 'D'
                   : 'M',
             (int)path.n, path.p);
    return 0;
}

static const char *diff(struct vfsbox *b, struct tree_snap *from, struct tree_snap *to)
{
    static char text[2000];
    text[0] = '\0';
    int r = tree_diff(&b->kernel.heap, from, to, diff_each, text);
    return r < 0 ? hob_error_name(r) : text;
}

/* Forks do not see each other's changes: TM-INF-5. */
static void test_snapshots(void)
{
    struct vfsbox b;
    static char big[300000];
    memset(big, 'b', sizeof big);
    begin(&b, true);
    CHECK_EQ(vfsbox_write(&b, "a", "one"), 0);
    CHECK_EQ(vfs_mkdir(&b.proc, STR("d"), 0755), 0);
    CHECK_EQ(vfsbox_write(&b, "d/f", "F"), 0);
    CHECK_EQ(vfsbox_put(&b, "big", big, sizeof big, 0), 0);
    struct tree_snap *s1 = tree_snapshot(root_of(&b));
    REQUIRE(s1);
    CHECK_EQ(vfsbox_write(&b, "a", "two"), 0);
    CHECK_EQ(vfs_unlink(&b.proc, STR("d/f")), 0);
    CHECK_EQ(vfsbox_write(&b, "d/g", "G"), 0);
    struct file *f;
    REQUIRE(vfs_open(&b.proc, STR("big"), FILE_WRITE, 0, &f) == 0);
    file_seek(f, &b.proc, 150000, 0);
    CHECK_EQ(file_write(f, &b.proc, "X", 1), 0);
    CHECK_EQ(tree_restore(root_of(&b), s1), HOB_EBUSY);
    file_unref(f);
    check_sound(root_of(&b));
    struct tree_snap *s2 = tree_snapshot(root_of(&b));
    REQUIRE(s2);
    CHECK_STR(diff(&b, s1, s2), "M home/user/a, M home/user/big, D home/user/d/f, A home/user/d/g");
    CHECK_STR(diff(&b, s1, s1), "");
    struct buf out;
    buf_init(&out, &b.kernel.heap);
    CHECK_EQ(tree_snap_read(s1, STR("home/user/a"), &out), 0);
    CHECK_MEM(out.p, out.n, "one", 3);
    buf_fini(&out);
    struct stat_info st;
    CHECK_EQ(tree_snap_stat(s1, STR("/home/user/d/g"), &st), HOB_ENOENT);
    CHECK_EQ(tree_snap_stat(s2, STR("/home/user/d/g"), &st), 0);

    /* Back, forth, and a fork that goes its own way. */
    CHECK_EQ(tree_restore(root_of(&b), s1), 0);
    CHECK_STR(vfsbox_read(&b, "a"), "one");
    CHECK_STR(vfsbox_list(&b, "d"), "f");
    check_sound(root_of(&b));
    struct fs *fork = tree_from_snapshot(&b.kernel, s2);
    REQUIRE(fork);
    CHECK_EQ(vfs_mount(&b.vfs, STR("/mnt"), fork), 0);
    CHECK_STR(vfsbox_read(&b, "/mnt/home/user/a"), "two");
    CHECK_EQ(vfsbox_write(&b, "/mnt/home/user/a", "three"), 0);
    CHECK_STR(vfsbox_read(&b, "a"), "one");
    check_sound(fork);
    CHECK_EQ(tree_restore(root_of(&b), s2), 0);
    CHECK_STR(vfsbox_read(&b, "a"), "two");
    CHECK_EQ(vfs_remove_all(&b.proc, STR("/home/user/d")), 0);
    check_sound(root_of(&b));
    CHECK_EQ(tree_restore(root_of(&b), s1), 0);
    tree_snap_free(s1);
    tree_snap_free(s2);
    CHECK_STR(vfsbox_read(&b, "d/f"), "F");
    check_sound(root_of(&b));
    vfsbox_end(&b);
}

static void test_diff(void)
{
    struct vfsbox b;
    begin(&b, false);
    b.proc.cwd = STR("/");
    CHECK_EQ(vfs_mkdirs(&b.proc, STR("a/b/c"), 0755), 0);
    CHECK_EQ(vfsbox_write(&b, "a/b/c/f", "1"), 0);
    CHECK_EQ(vfsbox_write(&b, "h1", "1"), 0);
    CHECK_EQ(vfs_mkdir(&b.proc, STR("z"), 0755), 0);
    struct tree_snap *s = tree_snapshot(root_of(&b)), *t;
    CHECK_EQ(vfs_rename(&b.proc, STR("a/b"), STR("z/b")), 0);
    t = tree_snapshot(root_of(&b));
    CHECK_STR(diff(&b, s, t), "D a/b, D a/b/c, D a/b/c/f, A z/b, A z/b/c, A z/b/c/f");
    tree_snap_free(s);
    CHECK_EQ(vfs_chmod(&b.proc, STR("z/b"), 0700), 0);
    CHECK_EQ(vfs_link(&b.proc, STR("h1"), STR("z/h2"), 0), 0);
    s = tree_snapshot(root_of(&b));
    CHECK_STR(diff(&b, t, s), "M z/b, A z/h2");
    tree_snap_free(t);
    CHECK_EQ(vfsbox_write(&b, "h1", "2"), 0);
    CHECK_EQ(vfsbox_write(&b, "z/b/c/f", "1"), 0); /* the same bytes */
    t = tree_snapshot(root_of(&b));
    CHECK_STR(diff(&b, s, t), "M h1, M z/h2");
    tree_snap_free(s);
    CHECK_EQ(vfs_remove_all(&b.proc, STR("z/b")), 0);
    CHECK_EQ(vfsbox_write(&b, "z/b", "file"), 0);
    for (int i = 0; i < 2000; i++) { /* a higher table */
        char name[32];
        snprintf(name, sizeof name, "t%d", i);
        CHECK_EQ(vfsbox_write(&b, name, ""), 0);
    }
    CHECK_EQ(vfs_unlink(&b.proc, STR("t5")), 0);
    s = tree_snapshot(root_of(&b));
    char *long_text = (char *)(uintptr_t)diff(&b, t, s);
    CHECK(strncmp(long_text, "A t0, A t1, A t10, A t100", 25) == 0);
    for (int i = 0; i < 2000; i++) {
        char name[32];
        snprintf(name, sizeof name, "t%d", i);
        CHECK_EQ(vfs_unlink(&b.proc, str_z(name)), i == 5 ? HOB_ENOENT : 0);
    }
    tree_snap_free(s);
    s = tree_snapshot(root_of(&b));
    CHECK_STR(diff(&b, t, s), "M z/b, D z/b/c, D z/b/c/f");
    CHECK_STR(diff(&b, s, t), "M z/b, A z/b/c, A z/b/c/f");
    tree_snap_free(s);
    tree_snap_free(t);
    check_sound(root_of(&b));
    vfsbox_end(&b);
}

/* A snapshot in a sandbox with another allocator is copied, and nothing is mixed up. */
static void test_other_allocator(void)
{
    struct vfsbox a, b;
    static char big[200000];
    begin(&a, true);
    CHECK_EQ(vfsbox_write(&a, "x", "text"), 0);
    CHECK_EQ(vfsbox_put(&a, "big", big, sizeof big, 0), 0);
    for (int i = 0; i < 200; i++) {
        char name[32];
        snprintf(name, sizeof name, "n%d", i);
        CHECK_EQ(vfsbox_write(&a, name, name), 0);
    }
    struct tree_snap *s = tree_snapshot(root_of(&a));
    vfsbox_begin(&b);
    CHECK_EQ(vfsbox_mount(&b, tree_from_snapshot(&b.kernel, s)), 0);
    check_sound(root_of(&b));
    CHECK_STR(vfsbox_read(&b, "/home/user/x"), "text");
    CHECK_STR(vfsbox_read(&b, "/home/user/n77"), "n77");
    CHECK_EQ(vfsbox_write(&b, "/home/user/x", "mine"), 0);
    CHECK_STR(vfsbox_read(&a, "x"), "text");
    /* Blobs are shared and go home when the last of them is dropped. */
    vfsbox_end(&b);
    tree_snap_free(s);
    vfsbox_end(&a);
}

static void test_open_across_snapshot(void)
{
    struct vfsbox b;
    struct file *f;
    begin(&b, true);
    CHECK_EQ(vfsbox_write(&b, "a", "one"), 0);
    REQUIRE(vfs_open(&b.proc, STR("a"), FILE_READ | FILE_WRITE | FILE_APPEND, 0, &f) == 0);
    CHECK_EQ(file_write(f, &b.proc, "+", 1), 0);
    struct tree_snap *s = tree_snapshot(root_of(&b));
    CHECK_EQ(file_write(f, &b.proc, "two", 3), 0);
    struct buf out;
    buf_init(&out, &b.kernel.heap);
    CHECK_EQ(tree_snap_read(s, STR("home/user/a"), &out), 0);
    CHECK_MEM(out.p, out.n, "one+", 4);
    CHECK_STR(vfsbox_read(&b, "a"), "one+two");
    CHECK_EQ(vfs_unlink(&b.proc, STR("a")), 0);
    struct tree_snap *t = tree_snapshot(root_of(&b));
    CHECK_EQ(file_write(f, &b.proc, "three", 5), 0);
    CHECK_STR(diff(&b, s, t), "D home/user/a");
    struct fs *fork = tree_from_snapshot(&b.kernel, t); /* without the nameless file */
    check_sound(fork);
    fs_unref(fork);
    file_unref(f);
    check_sound(root_of(&b));
    buf_fini(&out);
    tree_snap_free(s);
    tree_snap_free(t);
    vfsbox_end(&b);
}

/* ---- lazy and borrowed files ----------------------------------------------------------------- */

static int lazy_calls;
static int lazy_read(void *ud, const char *path, hob_bytes *out)
{
    (void)ud;
    lazy_calls++;
    if (strstr(path, "bad"))
        return HOB_EIO;
    out->data = hob_alloc(5);
    memcpy(out->data, "lazy!", 5);
    out->len = 5;
    return 0;
}

static void test_lazy(void)
{
    struct vfsbox b;
    struct stat_info st;
    begin(&b, true);
    lazy_calls = 0;
    CHECK_EQ(tree_put_lazy(root_of(&b), STR("/home/user/l"), 0644, lazy_read, NULL), 0);
    CHECK_EQ(tree_put_lazy(root_of(&b), STR("/home/user/bad"), 0644, lazy_read, NULL), 0);
    CHECK_STR(vfsbox_list(&b, "."), "bad l");
    CHECK_EQ(lazy_calls, 0);
    struct tree_snap *s = tree_snapshot(root_of(&b));
    CHECK_EQ(vfs_stat(&b.proc, STR("l"), 0, &st), 0);
    CHECK_EQ(st.size, 5);
    CHECK_STR(vfsbox_read(&b, "l"), "lazy!");
    CHECK_EQ(lazy_calls, 1);
    struct tree_snap *t = tree_snapshot(root_of(&b));
    CHECK_STR(diff(&b, s, t), "");
    CHECK_STR(vfsbox_read(&b, "bad"), "EIO");
    CHECK_EQ(vfsbox_write(&b, "l", "mine"), 0);
    CHECK_STR(vfsbox_read(&b, "l"), "mine");
    check_sound(root_of(&b));
    tree_snap_free(s);
    tree_snap_free(t);
    vfsbox_end(&b);
}

static void test_borrowed(void)
{
    struct vfsbox b;
    static char bytes[150000];
    memset(bytes, 's', sizeof bytes);
    begin(&b, true);
    uint64_t before = tree_bytes(root_of(&b));
    CHECK_EQ(tree_put_static(root_of(&b), STR("home/user/s"), str_of(bytes, sizeof bytes), 0444),
             0);
    CHECK(tree_bytes(root_of(&b)) - before < 2000);
    CHECK_EQ(vfs_chmod(&b.proc, STR("s"), 0644), 0);
    CHECK_EQ(strlen(vfsbox_read(&b, "s")), sizeof bytes);
    CHECK_EQ(vfsbox_put(&b, "s", "end", 3, FILE_APPEND), 0);
    CHECK_EQ(bytes[0], 's');
    CHECK_STR(vfsbox_read(&b, "s") + sizeof bytes, "end");
    CHECK_EQ(tree_put_static(root_of(&b), STR("home/user/t"), STR("abc"), 0644), 0);
    CHECK_EQ(vfs_truncate(&b.proc, STR("t"), 2), 0);
    CHECK_EQ(vfs_truncate(&b.proc, STR("t"), 4), 0);
    struct file *f;
    char got[8];
    REQUIRE(vfs_open(&b.proc, STR("t"), FILE_READ, 0, &f) == 0);
    CHECK_EQ(file_read(f, &b.proc, got, 8), 4);
    CHECK_MEM(got, 4, "ab\0\0", 4);
    file_unref(f);
    check_sound(root_of(&b));
    vfsbox_end(&b);
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* TM-DOS-5 */
static void test_limits(void)
{
    struct vfsbox b;
    static char bytes[100000];
    begin(&b, true);
    b.kernel.limits.files = tree_files(root_of(&b)) + 2;
    CHECK_EQ(vfsbox_write(&b, "1", ""), 0);
    CHECK_EQ(vfs_mkdir(&b.proc, STR("2"), 0755), 0);
    CHECK_EQ(vfsbox_write(&b, "3", ""), HOB_ENOSPC);
    CHECK_EQ(vfs_unlink(&b.proc, STR("1")), 0);
    CHECK_EQ(vfsbox_write(&b, "3", ""), 0);
    b.kernel.limits.file_size = 70000;
    CHECK_EQ(vfsbox_put(&b, "3", bytes, 70000, 0), 0);
    CHECK_EQ(vfsbox_put(&b, "3", bytes, 1, FILE_APPEND), HOB_EFBIG);
    CHECK_EQ(vfsbox_put(&b, "3", bytes, 70001, FILE_TRUNC), HOB_EFBIG);
    struct stat_info st;
    CHECK_EQ(vfs_stat(&b.proc, STR("3"), 0, &st), 0);
    CHECK_EQ(st.size, 70000);                                        /* what fitted is there */
    CHECK_EQ(vfs_truncate(&b.proc, STR("3"), UINT64_C(1) << 40), 0); /* holes are free */

    /* The memory cap: what was written stays, and removing works when all is full. */
    b.kernel.limits.file_size = UINT64_MAX;
    b.kernel.limits.files = 1000;
    CHECK_EQ(vfsbox_write(&b, "keep", "kept"), 0);
    b.kernel.heap.cap = b.kernel.heap.used + 500000;
    int r = 0;
    for (int i = 0; i < 100 && r == 0; i++)
        r = vfsbox_put(&b, "fill", bytes, sizeof bytes, FILE_APPEND);
    CHECK_EQ(r, HOB_ENOMEM);
    CHECK_EQ(heap_gate(&b.kernel.heap), HOB_ENOMEM);
    CHECK_STR(vfsbox_read(&b, "keep"), "kept");
    struct tree_snap *s = tree_snapshot(root_of(&b));
    heap_gate(&b.kernel.heap);
    b.kernel.heap.cap = b.kernel.heap.used;
    CHECK_EQ(vfs_unlink(&b.proc, STR("fill")), 0); /* though all nodes are shared */
    CHECK_EQ(vfsbox_write(&b, "more", "x"), 0);
    b.kernel.heap.cap = SIZE_MAX;
    tree_snap_free(s);
    check_sound(root_of(&b));
    vfsbox_end(&b);
}

/* ---- random changes among forks -------------------------------------------------------------- */

static void test_forks_at_random(void)
{
    struct vfsbox b;
    struct tree_snap *snaps[6] = {NULL};
    struct random rnd;
    static char bytes[180000];
    begin(&b, false);
    random_seed(&rnd, 42);
    for (int i = 0; i < 6000; i++) {
        char p[40], q[40];
        uint64_t x = random_next(&rnd);
        snprintf(p, sizeof p, "/d%d/f%d", (int)(x & 3), (int)(x >> 2 & 31));
        snprintf(q, sizeof q, "/d%d/f%d", (int)(x >> 7 & 3), (int)(x >> 9 & 31));
        struct tree_snap **slot = &snaps[x >> 14 & 3];
        switch (x >> 20 & 15) {
        case 0: vfs_mkdir(&b.proc, str_of(p, 3), 0755); break;
        case 1: vfs_unlink(&b.proc, str_z(p)); break;
        case 2: vfs_rename(&b.proc, str_z(p), str_z(q)); break;
        case 3: vfs_link(&b.proc, str_z(p), str_z(q), 0); break;
        case 4: vfs_symlink(&b.proc, str_z(q), str_z(p)); break;
        case 5: vfs_rename(&b.proc, str_of(p, 3), str_z(q)); break;
        case 6: vfs_remove_all(&b.proc, str_z(p)); break;
        case 7: vfs_truncate(&b.proc, str_z(p), x >> 30 & 0x3ffff); break;
        case 8:
            tree_snap_free(*slot);
            *slot = tree_snapshot(root_of(&b));
            break;
        case 9:
            if (*slot)
                CHECK_EQ(tree_restore(root_of(&b), *slot), 0);
            break;
        case 10: vfs_mkdir(&b.proc, str_z(p), 0755); break;
        default:
            vfsbox_put(&b, p, bytes, x >> 40 & 0x1ffff, x >> 60 & 1 ? FILE_TRUNC : FILE_APPEND);
        }
        if (i % 100 == 0)
            check_sound(root_of(&b));
        if (unit_failed)
            break;
    }
    for (size_t i = 0; i < 6; i++)
        tree_snap_free(snaps[i]);
    check_sound(root_of(&b));
    vfsbox_end(&b);
}

/* ---- torture --------------------------------------------------------------------------------- */

/* The whole tree as text: names, modes, sizes, the first byte of files. */
static int dump_each(void *ud, struct str path, const struct stat_info *was,
                     const struct stat_info *is)
{
    struct buf *out = ud;
    (void)was;
    buf_printf(out, "%.*s %o %u %llu\n", STR_ARG(path), is->mode, is->nlink,
               (unsigned long long)is->size);
    return 0;
}

/* As text, by comparison with an empty tree. Uses a heap of its own. */
static void dump(struct fs *fs, const struct tree_snap *nothing, struct buf *out)
{
    struct heap *h = &fs->kernel->heap;
    uint64_t fail = h->fail_at;
    bool oom = h->oom;
    h->fail_at = 0;
    h->oom = false;
    struct tree_snap *s = tree_snapshot(fs);
    CHECK_EQ(tree_diff(out->heap, nothing, s, dump_each, out), 0);
    tree_snap_free(s);
    h->fail_at = fail;
    h->oom = oom;
}

static char step_bytes[200000];
static int step_create(struct vfsbox *b) { return vfsbox_write(b, "d/new", "x"); }
static int step_mkdir(struct vfsbox *b) { return vfs_mkdir(&b->proc, STR("d/dir"), 0755); }
static int step_unlink(struct vfsbox *b) { return vfs_unlink(&b->proc, STR("d/f7")); }
static int step_rename(struct vfsbox *b)
{
    return vfs_rename(&b->proc, STR("d/f8"), STR("e/much-longer-name-than-before"));
}
static int step_onto(struct vfsbox *b) { return vfs_rename(&b->proc, STR("d/f9"), STR("d/f10")); }
static int step_link(struct vfsbox *b) { return vfs_link(&b->proc, STR("d/f11"), STR("e/l"), 0); }
static int step_symlink(struct vfsbox *b) { return vfs_symlink(&b->proc, STR("t"), STR("e/s")); }
static int step_chmod(struct vfsbox *b) { return vfs_chmod(&b->proc, STR("d/f12"), 0600); }
static int step_cut(struct vfsbox *b) { return vfs_truncate(&b->proc, STR("big"), 66000); }
static int step_cut_more(struct vfsbox *b) { return vfs_truncate(&b->proc, STR("big"), 100); }
static int step_grow(struct vfsbox *b) { return vfs_truncate(&b->proc, STR("d/f13"), 90000); }
static int step_rmdir(struct vfsbox *b) { return vfs_rmdir(&b->proc, STR("empty")); }
static int step_fifo(struct vfsbox *b) { return vfs_mkfifo(&b->proc, STR("e/p"), 0644); }
static int step_split(struct vfsbox *b)
{
    /* The folder has 64 names: one more splits its node. */
    return vfsbox_write(b, "full/one-more", "");
}

static const struct step {
    const char *what;
    int (*run)(struct vfsbox *b);
} steps[] = {
    {"create", step_create},     {"mkdir", step_mkdir}, {"unlink", step_unlink},
    {"rename", step_rename},     {"onto", step_onto},   {"link", step_link},
    {"symlink", step_symlink},   {"chmod", step_chmod}, {"cut", step_cut},
    {"cut more", step_cut_more}, {"grow", step_grow},   {"rmdir", step_rmdir},
    {"mkfifo", step_fifo},       {"split", step_split},
};

static void torture_setup(struct vfsbox *b)
{
    char name[32];
    begin(b, true);
    CHECK_EQ(vfs_mkdir(&b->proc, STR("d"), 0755), 0);
    CHECK_EQ(vfs_mkdir(&b->proc, STR("e"), 0755), 0);
    CHECK_EQ(vfs_mkdir(&b->proc, STR("empty"), 0755), 0);
    CHECK_EQ(vfs_mkdir(&b->proc, STR("full"), 0755), 0);
    for (int i = 0; i < 80; i++) {
        snprintf(name, sizeof name, "d/f%d", i);
        CHECK_EQ(vfsbox_write(b, name, "contents"), 0);
        snprintf(name, sizeof name, "full/%d", i);
        if (i < 64)
            CHECK_EQ(vfsbox_write(b, name, ""), 0);
    }
    CHECK_EQ(vfsbox_put(b, "big", step_bytes, sizeof step_bytes, 0), 0);
}

/* Fails each allocation of each step once, on a tree that shares everything with a snapshot and on
 * one that shares nothing: the tree is then as before or as after, and sound. */
static void torture(bool shared)
{
    struct testheap other;
    testheap_init(&other, SIZE_MAX);
    for (size_t i = 0; i < COUNT(steps); i++) {
        for (uint64_t n = 1;; n++) {
            struct vfsbox b;
            struct buf before, after;
            torture_setup(&b);
            struct fs *blank = tree_new(&b.kernel, false);
            struct tree_snap *nothing = tree_snapshot(blank);
            struct tree_snap *s = shared ? tree_snapshot(root_of(&b)) : NULL;
            buf_init(&before, &other.heap);
            buf_init(&after, &other.heap);
            dump(root_of(&b), nothing, &before);
            b.kernel.heap.fail_at = b.kernel.heap.count + n;
            int r = steps[i].run(&b);
            bool reached = b.kernel.heap.count >= b.kernel.heap.fail_at;
            b.kernel.heap.fail_at = 0;
            CHECK_EQ(heap_gate(&b.kernel.heap) < 0, reached);
            dump(root_of(&b), nothing, &after);
            bool same = str_eq(buf_get(&before), buf_get(&after));
            /* Creating and then writing are two steps; the first may stand. */
            bool two = steps[i].run == step_create || steps[i].run == step_split;
            if (!CHECK(reached ? r == HOB_ENOMEM && (same || two) : r == 0 && !same))
                printf("# ^ %s, allocation %d: %d\n", steps[i].what, (int)n, r);
            check_sound(root_of(&b));
            if (reached && !two)
                CHECK_EQ(steps[i].run(&b), 0); /* and it works when there is memory */
            buf_fini(&before);
            buf_fini(&after);
            tree_snap_free(s);
            tree_snap_free(nothing);
            fs_unref(blank);
            vfsbox_end(&b);
            if (!reached || unit_failed > 20)
                break;
        }
    }
    CHECK_EMPTY(&other);
}

static void test_torture_shared(void) { torture(true); }
static void test_torture_alone(void) { torture(false); }

UNIT_MAIN(UNIT(test_standard), UNIT(test_snapshots), UNIT(test_diff), UNIT(test_other_allocator),
          UNIT(test_open_across_snapshot), UNIT(test_lazy), UNIT(test_borrowed), UNIT(test_limits),
          UNIT(test_forks_at_random), UNIT(test_torture_shared), UNIT(test_torture_alone))

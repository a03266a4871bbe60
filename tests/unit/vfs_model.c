/* vfs_model.c -- random calls on a tree, on an overlay and on a real folder: all must agree
 *
 * The folder of the host is the model: its answers are the kernel's. The same sequence of calls
 * runs over each backend, results are compared call by call and the whole contents now and then.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "host/hostfs.h"
#include "vfsbox.h"

enum {
    MODEL = 3
}; /* backends: /0 the host, /1 a tree, /2 an overlay over a tree */

static char model_dir[64];

struct op {
    unsigned kind, size;
    char a[40], b[40];
};

/* Few names, so that calls meet: "d1/f2", "d0/d1/f3", "f0" ... */
static void pick_path(struct random *r, char *out)
{
    static const char *const names[] = {"a", "b", "c", "dir", "e", "link"};
    size_t depth = 1 + random_below(r, 3);
    out[0] = '\0';
    for (size_t i = 0; i < depth; i++) {
        if (i > 0)
            strcat(out, "/");
        strcat(out, names[random_below(r, COUNT(names))]);
    }
    if (random_below(r, 12) == 0)
        strcat(out, "/");
    if (random_below(r, 20) == 0)
        strcat(out, "/..");
    if (random_below(r, 20) == 0)
        strcat(out, "/.");
}

static int run(struct vfsbox *b, const struct op *o)
{
    static char bytes[200000];
    struct stat_info st;
    struct buf out;
    struct file *f;
    struct proc *p = &b->proc;
    struct str a = str_z(o->a), c = str_z(o->b);
    int r;

    memset(bytes, 'A' + (int)(o->size % 26), sizeof bytes);
    switch (o->kind) {
    case 0:
    case 1: return vfs_mkdir(p, a, 0755);
    case 2: return vfs_rmdir(p, a);
    case 3: return vfs_unlink(p, a);
    case 4:
    case 5: return vfs_rename(p, a, c);
    case 6: return vfs_link(p, a, c, VFS_NOFOLLOW);
    case 7: return vfs_symlink(p, c, a);
    case 8:
        r = vfs_chmod(p, a, o->size & 0777);
        vfs_chmod(p, p->cwd, 0755); /* the top must stay open, or nothing more can happen */
        return r;
    case 9: return vfs_truncate(p, a, o->size % 150000);
    case 10: r = vfs_stat(p, a, 0, &st); return r < 0 ? r : (int)(st.mode ^ st.nlink << 20);
    case 11:
        buf_init(&out, &b->kernel.heap);
        r = vfs_readlink(p, a, &out);
        buf_fini(&out);
        return r;
    case 12: return vfs_access(p, a, (int)(o->size & 7));
    case 13: return vfs_remove_all(p, a);
    case 14:
        r = vfs_open(p, a, FILE_READ | FILE_WRITE, 0, &f);
        if (r < 0)
            return r;
        file_seek(f, p, o->size % 100000, 0);
        r = file_write(f, p, bytes, o->size % 5000);
        file_unref(f);
        return r;
    default:
        return vfsbox_put(b, o->a, bytes, o->size % 3 ? o->size % 300 : o->size % 150000,
                          o->size & 1 ? FILE_TRUNC : FILE_APPEND);
    }
}

/* Everything below the folder as text. */
struct scan {
    struct vfsbox *b;
    struct buf *out;
    char path[300];
    size_t top; /* length of the path of the root */
};

static int scan_each(void *ud, const struct dir_entry *e)
{
    struct scan *s = ud;
    struct stat_info st;
    size_t n = strlen(s->path);
    snprintf(s->path + n, sizeof s->path - n, "/%.*s", (int)e->name.n, e->name.p);
    CHECK_EQ(vfs_stat(&s->b->proc, str_z(s->path), VFS_NOFOLLOW, &st), 0);
    CHECK_EQ(st.mode & MODE_TYPE, e->mode);
    buf_printf(s->out, "%s %o", s->path + s->top, st.mode);
    if (MODE_IS_DIR(st.mode)) {
        buf_addz(s->out, "\n");
        if (st.mode & 0400 && st.mode & 0100)
            CHECK_EQ(vfs_list(&s->b->proc, str_z(s->path), scan_each, s), 0);
    } else {
        buf_printf(s->out, " %u %llu ", st.nlink, (unsigned long long)st.size);
        if (MODE_IS_LINK(st.mode))
            CHECK_EQ(vfs_readlink(&s->b->proc, str_z(s->path), s->out), 0);
        else if (st.mode & 0400)
            buf_printf(s->out, "%08x", str_hash(str_z(vfsbox_read(s->b, s->path))));
        buf_addz(s->out, "\n");
    }
    s->path[n] = '\0';
    return 0;
}

static void scan(struct vfsbox *b, const char *root, struct buf *out)
{
    struct scan s = {.b = b, .out = out};
    snprintf(s.path, sizeof s.path, "%s", root);
    s.top = strlen(root);
    int r = vfs_list(&b->proc, str_z(root), scan_each, &s);
    buf_printf(out, "%d\n", r);
}

static void compare(struct vfsbox *b)
{
    struct buf want, got;
    buf_init(&want, &b->kernel.heap);
    buf_init(&got, &b->kernel.heap);
    scan(b, "/0", &want);
    for (int i = 1; i < MODEL; i++) {
        char root[4] = {'/', (char)('0' + i), '\0'};
        buf_clear(&got);
        scan(b, root, &got);
        if (!CHECK(str_eq(buf_get(&want), buf_get(&got))))
            printf("# host:\n%s# %s:\n%s", want.p, root, got.p);
    }
    buf_fini(&want);
    buf_fini(&got);
}

static void model(uint64_t seed, int steps)
{
    struct vfsbox b;
    struct random rnd;
    snprintf(model_dir, sizeof model_dir, "/tmp/hob-model-XXXXXX");
    REQUIRE(mkdtemp(model_dir) && chmod(model_dir, 0755) == 0);
    vfsbox_begin(&b);
    CHECK_EQ(vfsbox_mount(&b, tree_new(&b.kernel, true)), 0);
    struct fs *host = hostfs_new(&b.kernel, model_dir, true, NULL);
    struct fs *below = tree_new(&b.kernel, false);
    CHECK_EQ(vfs_mount(&b.vfs, STR("/0"), host), 0);
    CHECK_EQ(vfs_mount(&b.vfs, STR("/1"), tree_new(&b.kernel, false)), 0);
    CHECK_EQ(vfs_mount(&b.vfs, STR("/2"), below), 0);
    random_seed(&rnd, seed);
    for (int i = 0; i < steps && !unit_failed; i++) {
        struct op o = {(unsigned)random_below(&rnd, 20), (unsigned)random_below(&rnd, 1 << 20), "",
                       ""};
        int got[MODEL];
        pick_path(&rnd, o.a);
        pick_path(&rnd, o.b);
        /* A file that has several names below loses that when it is copied up. */
        if (i <= steps / 3 && o.kind == 6)
            o.kind = 7;
        if (i == steps / 3) {
            /* What the third backend holds by now becomes the lower half of an overlay. */
            struct fs *half = fs_ref(below);
            CHECK_EQ(vfs_unmount(&b.vfs, STR("/2")), 0);
            CHECK_EQ(vfs_mount(&b.vfs, STR("/2"), overlay_new(&b.kernel, shim_readonly(half))), 0);
        }
        for (int j = 0; j < MODEL; j++) {
            static const struct str cwd[] = {STR_INIT("/0"), STR_INIT("/1"), STR_INIT("/2")};
            b.proc.cwd = cwd[j];
            got[j] = run(&b, &o);
        }
        /* Overlays count links of merged folders and of copied files in their own way. */
        if (o.kind == 10 && got[2] >= 0)
            got[2] = got[1];
        if (!CHECK(got[0] == got[1]) || !CHECK(got[1] == got[2]))
            printf("# seed %d step %d: %u %s %s %u: %d %d %d\n", (int)seed, i, o.kind, o.a, o.b,
                   o.size, got[0], got[1], got[2]);
        if (i % 50 == 49)
            compare(&b);
    }
    vfsbox_end(&b);
    char command[200];
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", model_dir, model_dir);
    CHECK_EQ(system(command), 0);
}

static void test_model(void)
{
    for (uint64_t seed = 1; seed <= 60 && !unit_failed; seed++)
        model(seed, 300);
}

UNIT_MAIN(UNIT(test_model))

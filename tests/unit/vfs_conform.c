/* vfs_conform.c -- one suite of rules for files, run over every backend that can be written */
#include <sys/stat.h>
#include <unistd.h>

#include "host/hostfs.h"
#include "vfsbox.h"

/* ---- the backends ---------------------------------------------------------------------------- */

struct backend {
    const char *name;
    struct fs *(*make)(struct vfsbox *b);
    bool fifos; /* can have them */
};

static char conform_dir[64]; /* a folder of the host, made for each case */

static struct fs *make_tree(struct vfsbox *b) { return tree_new(&b->kernel, false); }

static struct fs *make_overlay(struct vfsbox *b)
{
    struct fs *below = tree_new(&b->kernel, false);
    /* Something to be hidden, merged and copied up; no case looks at these names. */
    CHECK_EQ(tree_put(below, STR("zz-below"), STR("below"), 0644), 0);
    return overlay_new(&b->kernel, below);
}

static struct fs *make_host(struct vfsbox *b)
{
    return hostfs_new_with(&b->kernel, conform_dir, HOSTFS_WRITABLE, NULL);
}

static struct fs *make_host_steps(struct vfsbox *b)
{
    return hostfs_new_with(&b->kernel, conform_dir, HOSTFS_WRITABLE | HOSTFS_STEPWISE, NULL);
}

static struct fs *make_overlay_host(struct vfsbox *b)
{
    return overlay_new(&b->kernel, hostfs_new(&b->kernel, conform_dir, false, NULL));
}

static struct fs *make_quota(struct vfsbox *b) { return shim_quota(make_tree(b), 1 << 30); }
static struct fs *make_fault(struct vfsbox *b) { return shim_fault(make_tree(b)); }

static void trace_nothing(void *ud, const char *op, struct str path, int result)
{
    (void)op;
    (void)path;
    (void)result;
    ++*(int *)ud;
}

static struct fs *make_trace(struct vfsbox *b)
{
    static int calls;
    return shim_trace(make_tree(b), trace_nothing, &calls);
}

static const struct backend backends[] = {
    {"tree", make_tree, true},
    {"overlay over tree", make_overlay, true},
    {"overlay over host", make_overlay_host, true},
    {"host", make_host, false},
    {"host, stepwise", make_host_steps, false},
    {"quota over tree", make_quota, true},
    {"trace over tree", make_trace, true},
    {"fault over tree", make_fault, true},
};

/* ---- helpers --------------------------------------------------------------------------------- */

static int opens(struct vfsbox *b, const char *path, unsigned flags)
{
    struct file *f;
    int r = vfs_open(&b->proc, str_z(path), flags, 0666, &f);
    if (r == 0)
        file_unref(f);
    return r;
}

static struct stat_info lstat_of(struct vfsbox *b, const char *path)
{
    struct stat_info st = {0};
    CHECK_EQ(vfs_stat(&b->proc, str_z(path), VFS_NOFOLLOW, &st), 0);
    return st;
}

#define DO(call) CHECK_EQ(call, 0)
#define P(z) str_z(z)
#define MKDIR(path) vfs_mkdir(&b->proc, P(path), 0777)
#define RMDIR(path) vfs_rmdir(&b->proc, P(path))
#define UNLINK(path) vfs_unlink(&b->proc, P(path))
#define RENAME(from, to) vfs_rename(&b->proc, P(from), P(to))
#define LINK(from, to) vfs_link(&b->proc, P(from), P(to), VFS_NOFOLLOW)
#define SYMLINK(target, path) vfs_symlink(&b->proc, P(target), P(path))
#define CHMOD(path, mode) vfs_chmod(&b->proc, P(path), mode)
#define WRITE(path, text) vfsbox_write(b, path, text)
#define READ(path) vfsbox_read(b, path)
#define LIST(path) vfsbox_list(b, path)
#define MODE(path) vfsbox_mode(b, path)

/* ---- the rules ------------------------------------------------------------------------------- */

static void rule_files(struct vfsbox *b)
{
    CHECK_STR(READ("a"), "ENOENT");
    CHECK_EQ(opens(b, "a", FILE_WRITE), HOB_ENOENT);
    DO(WRITE("a", "hello"));
    CHECK_STR(READ("a"), "hello");
    CHECK_EQ(lstat_of(b, "a").size, 5);
    CHECK_EQ(lstat_of(b, "a").nlink, 1);
    DO(vfsbox_put(b, "a", " you", 4, FILE_APPEND));
    CHECK_STR(READ("a"), "hello you");
    DO(vfsbox_put(b, "a", "J", 1, 0));
    CHECK_STR(READ("a"), "Jello you");
    DO(WRITE("a", "x"));
    CHECK_STR(READ("a"), "x");
    CHECK_EQ(opens(b, "a", FILE_WRITE | FILE_CREATE | FILE_EXCL), HOB_EEXIST);
    CHECK_EQ(opens(b, "a", FILE_READ | FILE_DIRECTORY), HOB_ENOTDIR);
    CHECK_EQ(opens(b, "a/b", FILE_READ), HOB_ENOTDIR);
    CHECK_EQ(opens(b, "a/b", FILE_WRITE | FILE_CREATE), HOB_ENOTDIR);
    CHECK_EQ(opens(b, "n/b", FILE_WRITE | FILE_CREATE), HOB_ENOENT);
    DO(MKDIR("d"));
    CHECK_EQ(opens(b, "d", FILE_WRITE), HOB_EISDIR);
    CHECK_EQ(opens(b, "d", FILE_READ), 0);
    CHECK_STR(READ("d"), "EISDIR");
    DO(WRITE("empty", ""));
    CHECK_STR(READ("empty"), "");
}

/* What is cut off never comes back when the file grows: TM-INF-4. */
static void rule_offsets(struct vfsbox *b)
{
    static char want[300000], got[300001];
    struct file *f;
    REQUIRE(vfs_open(&b->proc, P("big"), FILE_READ | FILE_WRITE | FILE_CREATE, 0644, &f) == 0);
    memset(want, 0, sizeof want);
    unsigned seed = 7;
    size_t size = 0;
    for (int i = 0; i < 300; i++) {
        seed = seed * 1103515245 + 12345;
        size_t at = (seed >> 4) % 250000, n = 1 + (seed >> 9) % 9000;
        if (i % 5 == 4) { /* cut or grow */
            DO(file_truncate(f, &b->proc, at));
            if (at < size)
                memset(want + at, 0, size - at);
            size = at;
        } else {
            memset(want + at, 'a' + i % 26, n);
            CHECK_EQ(file_seek(f, &b->proc, (int64_t)at, 0), at);
            DO(file_write(f, &b->proc, want + at, n));
            size = MAX(size, at + n);
        }
        struct stat_info st;
        DO(file_stat(f, &st));
        CHECK_EQ(st.size, size);
        if (i % 20)
            continue;
        file_seek(f, &b->proc, 0, 0);
        size_t have = 0;
        ptrdiff_t r;
        while ((r = file_read(f, &b->proc, got + have, sizeof got - have)) > 0)
            have += (size_t)r;
        if (!CHECK_EQ(have, size) || !CHECK(memcmp(got, want, size) == 0))
            break;
    }
    file_unref(f);
}

static void rule_holes(struct vfsbox *b)
{
    struct file *f;
    char c[4] = "";
    REQUIRE(vfs_open(&b->proc, P("hole"), FILE_READ | FILE_WRITE | FILE_CREATE, 0644, &f) == 0);
    file_seek(f, &b->proc, 100000000, 0);
    DO(file_write(f, &b->proc, "end", 3));
    CHECK_EQ(lstat_of(b, "hole").size, 100000003);
    CHECK(lstat_of(b, "hole").blocks < 1000);
    file_seek(f, &b->proc, 5000, 0);
    CHECK_EQ(file_read(f, &b->proc, c, 3), 3);
    CHECK_MEM(c, 3, "\0\0\0", 3);
    file_seek(f, &b->proc, -3, 2);
    CHECK_EQ(file_read(f, &b->proc, c, 3), 3);
    CHECK_STR(c, "end");
    CHECK_EQ(file_read(f, &b->proc, c, 3), 0);
    file_unref(f);
    DO(vfs_truncate(&b->proc, P("hole"), 3));
    CHECK_EQ(lstat_of(b, "hole").size, 3);
    DO(vfs_truncate(&b->proc, P("hole"), 70000));
    CHECK_EQ(lstat_of(b, "hole").size, 70000);
}

static void rule_folders(struct vfsbox *b)
{
    DO(MKDIR("d"));
    CHECK_EQ(MKDIR("d"), HOB_EEXIST);
    CHECK_EQ(MODE("d"), MODE_DIR | 0755);
    CHECK_EQ(MKDIR("x/y"), HOB_ENOENT);
    DO(MKDIR("d/e/")); /* a slash behind is fine */
    CHECK_EQ(RMDIR("d"), HOB_ENOTEMPTY);
    CHECK_EQ(UNLINK("d"), HOB_EISDIR);
    DO(WRITE("d/f", "1"));
    CHECK_EQ(RMDIR("d/f"), HOB_ENOTDIR);
    CHECK_EQ(MKDIR("d/f"), HOB_EEXIST);
    CHECK_EQ(MKDIR("d/f/g"), HOB_ENOTDIR);
    CHECK_STR(LIST("d"), "e/ f");
    DO(RMDIR("d/e"));
    CHECK_STR(LIST("d"), "f");
    DO(UNLINK("d/f"));
    CHECK_STR(LIST("d"), "");
    DO(RMDIR("d"));
    CHECK_STR(LIST("d"), "ENOENT");
    CHECK_EQ(RMDIR("d"), HOB_ENOENT);
    CHECK_EQ(UNLINK("d"), HOB_ENOENT);
    DO(MKDIR("d")); /* again, and it is empty */
    CHECK_STR(LIST("d"), "");
    DO(WRITE("f", ""));
    CHECK_STR(LIST("f"), "ENOTDIR");
}

struct in_order {
    char last[300];
    int n;
};

static int rule_many_each(void *ud, const struct dir_entry *e)
{
    struct in_order *o = ud;
    char name[300];
    snprintf(name, sizeof name, "%.*s", (int)e->name.n, e->name.p);
    CHECK(o->n == 0 || strcmp(o->last, name) < 0);
    snprintf(o->last, sizeof o->last, "%s", name);
    o->n++;
    return 0;
}

static void rule_many(struct vfsbox *b)
{
    char name[64];
    DO(MKDIR("m"));
    for (unsigned i = 0; i < 500; i++) {
        snprintf(name, sizeof name, "m/%x-%u", i * 2654435761u, i);
        DO(WRITE(name, "x"));
    }
    struct in_order o = {"", 0};
    DO(vfs_list(&b->proc, P("m"), rule_many_each, &o));
    CHECK_EQ(o.n, 500);
    for (unsigned i = 0; i < 500; i += 2) {
        snprintf(name, sizeof name, "m/%x-%u", i * 2654435761u, i);
        DO(UNLINK(name));
    }
    o.n = 0;
    DO(vfs_list(&b->proc, P("m"), rule_many_each, &o));
    CHECK_EQ(o.n, 250);
    DO(vfs_remove_all(&b->proc, P("m")));
    CHECK_STR(LIST("m"), "ENOENT");
}

static void rule_rename(struct vfsbox *b)
{
    DO(WRITE("a", "A"));
    DO(WRITE("b", "B"));
    DO(RENAME("a", "c"));
    CHECK_STR(READ("a"), "ENOENT");
    CHECK_STR(READ("c"), "A");
    DO(RENAME("c", "b"));
    CHECK_STR(READ("b"), "A");
    DO(RENAME("b", "b"));
    CHECK_STR(READ("b"), "A");
    CHECK_EQ(RENAME("nope", "x"), HOB_ENOENT);
    CHECK_EQ(RENAME("b", "no/x"), HOB_ENOENT);
    DO(MKDIR("d"));
    DO(WRITE("d/f", "F"));
    DO(MKDIR("e"));
    CHECK_EQ(RENAME("b", "e"), HOB_EISDIR);
    CHECK_EQ(RENAME("d", "b"), HOB_ENOTDIR);
    CHECK_EQ(RENAME("d", "d/x"), HOB_EINVAL);
    CHECK_EQ(RENAME("e", "d"), HOB_ENOTEMPTY);
    DO(RENAME("d", "e")); /* onto an empty folder */
    CHECK_STR(READ("e/f"), "F");
    CHECK_STR(LIST("d"), "ENOENT");
    DO(MKDIR("g"));
    DO(RENAME("e", "g/h"));
    CHECK_STR(READ("g/h/f"), "F");
    DO(RENAME("g/h/f", "f"));
    CHECK_STR(LIST("g/h"), "");
    CHECK_EQ(RENAME("f", "new/"), HOB_ENOTDIR);
    DO(RENAME("g/h/", "k/"));
    CHECK_STR(LIST("k"), "");
    CHECK_EQ(RENAME("k/.", "z"), HOB_EBUSY);
}

static void rule_links(struct vfsbox *b)
{
    DO(WRITE("a", "one"));
    DO(LINK("a", "b"));
    CHECK_EQ(lstat_of(b, "a").nlink, 2);
    CHECK_EQ(lstat_of(b, "a").ino, lstat_of(b, "b").ino);
    DO(WRITE("b", "two"));
    CHECK_STR(READ("a"), "two");
    CHECK_EQ(LINK("a", "b"), HOB_EEXIST);
    DO(RENAME("a", "b")); /* the same file: nothing happens */
    CHECK_STR(READ("a"), "two");
    DO(UNLINK("a"));
    CHECK_EQ(lstat_of(b, "b").nlink, 1);
    CHECK_STR(READ("b"), "two");
    DO(MKDIR("d"));
    CHECK_EQ(LINK("d", "e"), HOB_EPERM);
    DO(LINK("b", "d/c"));
    DO(WRITE("other", "x"));
    DO(RENAME("other", "b"));
    CHECK_STR(READ("d/c"), "two");
    CHECK_EQ(lstat_of(b, "d/c").nlink, 1);
    DO(UNLINK("b"));
    DO(LINK("d/c", "b")); /* where a name was taken away before */
    CHECK_STR(READ("b"), "two");
}

/* Loops among them: TM-FS-5. */
static void rule_symlinks(struct vfsbox *b)
{
    struct stat_info st;
    struct buf out;
    DO(MKDIR("d"));
    DO(MKDIR("d/e"));
    DO(WRITE("d/f", "F"));
    DO(SYMLINK("d/f", "l"));
    CHECK_STR(READ("l"), "F");
    CHECK_EQ(MODE("l"), MODE_LINK | 0777);
    CHECK_EQ(lstat_of(b, "l").size, 3);
    CHECK_EQ(SYMLINK("x", "l"), HOB_EEXIST);
    CHECK_EQ(SYMLINK("", "m"), HOB_ENOENT);
    buf_init(&out, &b->kernel.heap);
    DO(vfs_readlink(&b->proc, P("l"), &out));
    CHECK_MEM(out.p, out.n, "d/f", 3);
    CHECK_EQ(vfs_readlink(&b->proc, P("d"), &out), HOB_EINVAL);
    buf_fini(&out);
    DO(SYMLINK("d", "ld"));
    CHECK_STR(READ("ld/f"), "F");
    CHECK_STR(LIST("ld"), "e/ f");
    CHECK_STR(LIST("ld/"), "e/ f");
    CHECK_STR(READ("ld/e/../f"), "F");
    DO(SYMLINK("../d/e/..", "d/up"));
    CHECK_STR(READ("d/up/f"), "F");
    DO(SYMLINK("/t/d/f", "abs"));
    CHECK_STR(READ("abs"), "F");
    DO(SYMLINK("loop2", "loop1"));
    DO(SYMLINK("loop1", "loop2"));
    CHECK_STR(READ("loop1"), "ELOOP");
    CHECK_STR(READ("loop1/x"), "ELOOP");
    CHECK_EQ(vfs_stat(&b->proc, P("loop1"), VFS_NOFOLLOW, &st), 0);
    DO(SYMLINK("nowhere", "dang"));
    CHECK_STR(READ("dang"), "ENOENT");
    CHECK_EQ(opens(b, "dang", FILE_WRITE | FILE_CREATE | FILE_EXCL), HOB_EEXIST);
    CHECK_EQ(opens(b, "dang", FILE_READ | FILE_NOFOLLOW), HOB_ELOOP);
    DO(WRITE("dang", "made"));
    CHECK_STR(READ("nowhere"), "made");
    CHECK_STR(READ("l/"), "ENOTDIR");
    CHECK_EQ(RMDIR("ld"), HOB_ENOTDIR);
    CHECK_EQ(RMDIR("ld/"), HOB_ENOTDIR);
    DO(RENAME("ld", "ln"));
    CHECK_EQ(MODE("ln"), MODE_LINK | 0777);
    DO(UNLINK("ln"));
    CHECK_STR(LIST("d"), "e/ f up@");
    DO(LINK("l", "hard")); /* of the symlink itself */
    CHECK_EQ(MODE("hard"), MODE_LINK | 0777);
}

static void rule_modes(struct vfsbox *b)
{
    DO(WRITE("a", "A"));
    CHECK_EQ(MODE("a"), MODE_FILE | 0644);
    DO(CHMOD("a", 0600));
    CHECK_EQ(MODE("a"), MODE_FILE | 0600);
    DO(CHMOD("a", 0000));
    CHECK_STR(READ("a"), "EACCES");
    CHECK_EQ(opens(b, "a", FILE_WRITE), HOB_EACCES);
    CHECK_EQ(vfs_access(&b->proc, P("a"), 4), HOB_EACCES);
    CHECK_EQ(vfs_access(&b->proc, P("a"), 0), 0);
    DO(CHMOD("a", 0444));
    CHECK_STR(READ("a"), "A");
    CHECK_EQ(WRITE("a", "B"), HOB_EACCES);
    DO(MKDIR("d"));
    DO(WRITE("d/f", "F"));
    DO(CHMOD("d", 0555));
    CHECK_EQ(WRITE("d/g", "G"), HOB_EACCES);
    CHECK_EQ(UNLINK("d/f"), HOB_EACCES);
    CHECK_EQ(RENAME("d/f", "f"), HOB_EACCES);
    CHECK_EQ(RENAME("a", "d/a"), HOB_EACCES);
    CHECK_EQ(MKDIR("d/x"), HOB_EACCES);
    CHECK_EQ(SYMLINK("x", "d/x"), HOB_EACCES);
    CHECK_EQ(LINK("a", "d/x"), HOB_EACCES);
    DO(WRITE("d/f", "G")); /* the file itself may be written */
    DO(CHMOD("d", 0444));
    CHECK_STR(READ("d/f"), "EACCES");
    CHECK_STR(LIST("d"), "f");
    DO(CHMOD("d", 0311));
    CHECK_STR(LIST("d"), "EACCES");
    CHECK_STR(READ("d/f"), "G");
    DO(CHMOD("d", 0755));
    b->proc.umask = 077;
    DO(WRITE("p", ""));
    DO(MKDIR("q"));
    CHECK_EQ(MODE("p"), MODE_FILE | 0600);
    CHECK_EQ(MODE("q"), MODE_DIR | 0700);
    b->proc.umask = 022;
    /* Another user. */
    b->proc.uid = b->proc.gid = 1001;
    CHECK_EQ(CHMOD("a", 0777), HOB_EPERM);
    CHECK_STR(READ("p"), "EACCES");
    CHECK_EQ(UNLINK("d/f"), HOB_EACCES);
    CHECK_EQ(vfs_utimes(&b->proc, P("a"), 1, 1, 0), HOB_EPERM);
    b->proc.uid = b->proc.gid = 1000;
    CHECK_EQ(vfs_chown(&b->proc, P("a"), 0, -1, 0), HOB_EPERM);
    DO(vfs_chown(&b->proc, P("a"), 1000, 1000, 0));
}

static void rule_times(struct vfsbox *b)
{
    DO(WRITE("a", "A"));
    DO(vfs_utimes(&b->proc, P("a"), INT64_C(1000000000123456789), INT64_C(1000000001987654321), 0));
    CHECK_EQ(lstat_of(b, "a").atime, INT64_C(1000000000123456789));
    CHECK_EQ(lstat_of(b, "a").mtime, INT64_C(1000000001987654321));
    DO(vfs_utimes(&b->proc, P("a"), VFS_OMIT, INT64_C(5000000000), 0));
    CHECK_EQ(lstat_of(b, "a").atime, INT64_C(1000000000123456789));
    CHECK_EQ(lstat_of(b, "a").mtime, INT64_C(5000000000));
    DO(WRITE("a", "B"));
    CHECK(lstat_of(b, "a").mtime > INT64_C(1500000000000000000));
    DO(vfs_utimes(&b->proc, P("a"), INT64_C(-1500000000), INT64_C(-1), 0));
    CHECK_EQ(lstat_of(b, "a").mtime, -1);
    DO(vfs_utimes(&b->proc, P("a"), VFS_NOW, VFS_NOW, 0));
    CHECK(lstat_of(b, "a").mtime > INT64_C(1500000000000000000));
    DO(MKDIR("d"));
    DO(vfs_utimes(&b->proc, P("d"), INT64_C(1000000000), INT64_C(1000000000), 0));
    DO(WRITE("d/x", ""));
    CHECK(lstat_of(b, "d").mtime > INT64_C(1000000000));
    DO(SYMLINK("a", "l"));
    DO(vfs_utimes(&b->proc, P("l"), INT64_C(7000000000), INT64_C(7000000000), VFS_NOFOLLOW));
    CHECK_EQ(lstat_of(b, "l").mtime, INT64_C(7000000000));
}

static void rule_open_files(struct vfsbox *b)
{
    struct file *f, *g;
    struct stat_info st;
    char c[8] = "";
    DO(WRITE("a", "old"));
    REQUIRE(vfs_open(&b->proc, P("a"), FILE_READ | FILE_WRITE, 0, &f) == 0);
    DO(UNLINK("a"));
    DO(WRITE("a", "other"));
    CHECK_EQ(file_read(f, &b->proc, c, 8), 3);
    CHECK_STR(c, "old");
    DO(file_write(f, &b->proc, "er", 2));
    DO(file_stat(f, &st));
    CHECK_EQ(st.size, 5);
    CHECK_EQ(st.nlink, 0);
    CHECK_STR(READ("a"), "other");
    file_unref(f);
    REQUIRE(vfs_open(&b->proc, P("a"), FILE_WRITE | FILE_APPEND, 0, &f) == 0);
    REQUIRE(vfs_open(&b->proc, P("a"), FILE_WRITE | FILE_APPEND, 0, &g) == 0);
    DO(RENAME("a", "b"));
    DO(file_write(f, &b->proc, "-f", 2));
    DO(file_write(g, &b->proc, "-g", 2));
    DO(file_write(f, &b->proc, "-f", 2));
    file_unref(f);
    file_unref(g);
    CHECK_STR(READ("b"), "other-f-g-f");
    REQUIRE(vfs_open(&b->proc, P("b"), FILE_READ, 0, &f) == 0);
    CHECK_EQ(file_write(f, &b->proc, "x", 1), HOB_EBADF);
    struct slice s;
    CHECK_EQ(file_take(f, &b->proc, &s), 11);
    CHECK_MEM(s.p, s.n, "other-f-g-f", 11);
    DO(WRITE("b", "changed")); /* what was taken stays as it was */
    CHECK_MEM(s.p, s.n, "other-f-g-f", 11);
    slice_drop(&s);
    file_unref(f);
    DO(WRITE("c", "c"));
    REQUIRE(vfs_open(&b->proc, P("b"), FILE_READ, 0, &f) == 0);
    DO(RENAME("c", "b")); /* replaced while open */
    CHECK_EQ(file_read(f, &b->proc, c, 8), 7);
    file_unref(f);
}

/* TM-FS-6 */
static void rule_names(struct vfsbox *b)
{
    char name[300], deep[5000];
    memset(name, 'n', 255);
    name[255] = '\0';
    DO(WRITE(name, "long"));
    CHECK_STR(READ(name), "long");
    strcat(name, "n");
    CHECK_EQ(WRITE(name, "x"), HOB_ENAMETOOLONG);
    CHECK_EQ(MKDIR(name), HOB_ENAMETOOLONG);
    CHECK_STR(READ(""), "ENOENT");
    struct stat_info st;
    CHECK_EQ(vfs_stat(&b->proc, str_of("a\0b", 3), 0, &st), HOB_EINVAL);
    memset(deep, '/', 4095);
    deep[4095] = '\0';
    CHECK_STR(READ(deep), "EISDIR");
    deep[4095] = '/';
    deep[4096] = '\0';
    CHECK_STR(READ(deep), "ENAMETOOLONG");
    DO(WRITE("\xff\xfe\n\t x", "odd"));
    CHECK_STR(READ("\xff\xfe\n\t x"), "odd");
    DO(UNLINK("\xff\xfe\n\t x"));
    DO(WRITE("-x", ""));
    DO(WRITE("..x", ""));
    DO(WRITE(".x", ""));
    CHECK_EQ(MODE("..x"), MODE_FILE | 0644);
}

static void rule_dots(struct vfsbox *b)
{
    DO(MKDIR("a"));
    DO(MKDIR("a/b"));
    DO(WRITE("a/f", "F"));
    CHECK_STR(READ("./a/./f"), "F");
    CHECK_STR(READ("a//f"), "F");
    CHECK_STR(READ("a/b/../f"), "F");
    CHECK_STR(READ("a/no/../f"), "ENOENT");
    CHECK_STR(READ("a/f/../f"), "ENOTDIR");
    CHECK_STR(READ("a/f/"), "ENOTDIR");
    CHECK_STR(READ("a/f/."), "ENOTDIR");
    CHECK_STR(READ("../t/a/f"), "F");
    CHECK_STR(READ("../../../../../t/a/f"), "F");
    CHECK_EQ(RMDIR("a/b/."), HOB_EINVAL);
    CHECK_EQ(RMDIR("a/b/.."), HOB_ENOTEMPTY);
    CHECK_EQ(WRITE("new/", "x"), HOB_EISDIR);
    CHECK_EQ(WRITE("a/", "x"), HOB_EISDIR);
    CHECK_EQ(MKDIR("a/."), HOB_EEXIST);
    CHECK_EQ(MKDIR("a/.."), HOB_EEXIST);
    CHECK_EQ(MODE("a/b/.."), MODE_DIR | 0755);
    DO(RMDIR("a/b/"));
    DO(vfs_mkdirs(&b->proc, P("x/y//z/"), 0777));
    DO(vfs_mkdirs(&b->proc, P("x/y/z"), 0777));
    CHECK_EQ(vfs_mkdirs(&b->proc, P("a/f/g"), 0777), HOB_ENOTDIR);
    CHECK_EQ(vfs_mkdirs(&b->proc, P("a/f"), 0777), HOB_EEXIST);
    CHECK_STR(LIST("x/y"), "z/");
    struct buf out;
    buf_init(&out, &b->kernel.heap);
    DO(SYMLINK("../y", "x/y/l"));
    DO(vfs_realpath(&b->proc, P("x/y/l/l/z/../q"), true, &out));
    CHECK_STR(out.p, "/t/x/y/q");
    CHECK_EQ(vfs_realpath(&b->proc, P("x/y/q"), false, &out), HOB_ENOENT);
    CHECK_EQ(vfs_realpath(&b->proc, P("x/q/q"), true, &out), HOB_ENOENT);
    buf_fini(&out);
}

static int rule_busy_each(void *ud, const struct dir_entry *e)
{
    struct vfsbox *b = ud;
    char path[64];
    snprintf(path, sizeof path, "r/%.*s", (int)e->name.n, e->name.p);
    DO(UNLINK(path));
    return 0;
}

static void rule_change_while_listing(struct vfsbox *b)
{
    char path[32];
    DO(MKDIR("r"));
    for (int i = 0; i < 100; i++) {
        snprintf(path, sizeof path, "r/%d", i);
        DO(WRITE(path, "x"));
    }
    DO(vfs_list(&b->proc, P("r"), rule_busy_each, b));
    DO(RMDIR("r"));
}

static void rule_whole_trees(struct vfsbox *b)
{
    char path[4000] = "deep";
    DO(MKDIR(path));
    for (int i = 0; i < 200; i++) {
        strcat(path, "/d");
        DO(MKDIR(path));
    }
    strcat(path, "/f");
    DO(WRITE(path, "bottom"));
    CHECK_STR(READ(path), "bottom");
    DO(RENAME("deep", "moved"));
    CHECK_STR(READ(path), "ENOENT");
    DO(vfs_remove_all(&b->proc, P("moved")));
    CHECK_STR(LIST("moved"), "ENOENT");
    DO(WRITE("one", "1"));
    DO(vfs_remove_all(&b->proc, P("one")));
    CHECK_EQ(vfs_remove_all(&b->proc, P("one")), HOB_ENOENT);
}

static void rule_fifos(struct vfsbox *b)
{
    struct file *f;
    char c[8] = "";
    DO(vfs_mkfifo(&b->proc, P("p"), 0666));
    CHECK_EQ(MODE("p"), MODE_FIFO | 0644);
    CHECK_EQ(vfs_mkfifo(&b->proc, P("p"), 0666), HOB_EEXIST);
    REQUIRE(vfs_open(&b->proc, P("p"), FILE_READ | FILE_WRITE, 0, &f) == 0);
    DO(file_write(f, &b->proc, "hi", 2));
    CHECK_EQ(file_read(f, &b->proc, c, 8), 2);
    CHECK_STR(c, "hi");
    DO(UNLINK("p"));
    DO(file_write(f, &b->proc, "yo", 2));
    file_unref(f);
    DO(vfs_mkfifo(&b->proc, P("p"), 0666));
    DO(RENAME("p", "q"));
    CHECK_EQ(MODE("q"), MODE_FIFO | 0644);
}

static void rule_mounted(struct vfsbox *b)
{
    struct fs_info info;
    struct stat_info st, root;
    DO(vfs_statfs(&b->proc, P("."), &info));
    CHECK(info.type[0] != '\0');
    DO(vfs_stat(&b->proc, P("."), 0, &st));
    DO(vfs_stat(&b->proc, P("/"), 0, &root));
    CHECK(MODE_IS_DIR(st.mode));
    CHECK(st.dev != root.dev);
    DO(vfs_stat(&b->proc, P(".."), 0, &st));
    CHECK_EQ(st.ino, root.ino);
    CHECK_EQ(RMDIR("/t"), HOB_EBUSY);
    CHECK_EQ(RENAME("/t", "/tmp/t"), HOB_EBUSY);
    DO(WRITE("a", "A"));
    DO(vfsbox_write(b, "/tmp/b", "B"));
    CHECK_EQ(RENAME("a", "/tmp/a"), HOB_EXDEV);
    CHECK_EQ(RENAME("/tmp/b", "b"), HOB_EXDEV);
    CHECK_EQ(LINK("a", "/tmp/a"), HOB_EXDEV);
    struct file *f;
    REQUIRE(vfs_open(&b->proc, P("a"), FILE_READ, 0, &f) == 0);
    CHECK_MEM(f->path.p, f->path.n, "/t/a", 4);
    DO(file_stat(f, &st));
    CHECK_EQ(st.ino, lstat_of(b, "a").ino);
    CHECK_EQ(st.dev, lstat_of(b, "a").dev);
    CHECK_EQ(vfs_unmount(&b->vfs, STR("/t")), HOB_EBUSY);
    file_unref(f);
}

static void rule_sticky(struct vfsbox *b)
{
    DO(MKDIR("s"));
    DO(CHMOD("s", 01777));
    CHECK_EQ(MODE("s"), MODE_DIR | 01777);
    DO(WRITE("s/mine", "x"));
    b->proc.uid = b->proc.gid = 1001;
    CHECK_EQ(UNLINK("s/mine"), HOB_EPERM);
    CHECK_EQ(RENAME("s/mine", "s/yours"), HOB_EPERM);
    b->proc.uid = b->proc.gid = 1000;
    DO(UNLINK("s/mine"));
}

static const struct rule {
    const char *name;
    void (*run)(struct vfsbox *b);
    bool fifos;
} rules[] = {
    {"files", rule_files, false},
    {"offsets", rule_offsets, false},
    {"holes", rule_holes, false},
    {"folders", rule_folders, false},
    {"many names", rule_many, false},
    {"rename", rule_rename, false},
    {"hard links", rule_links, false},
    {"symlinks", rule_symlinks, false},
    {"modes", rule_modes, false},
    {"times", rule_times, false},
    {"open files", rule_open_files, false},
    {"names", rule_names, false},
    {"dots", rule_dots, false},
    {"changes while listing", rule_change_while_listing, false},
    {"whole trees", rule_whole_trees, false},
    {"fifos", rule_fifos, true},
    {"mounts", rule_mounted, false},
    {"sticky folders", rule_sticky, false},
};

/* Runs each rule over a fresh backend mounted at /t, then checks that all memory came back. */
static void conform(const struct backend *be)
{
    for (size_t i = 0; i < COUNT(rules); i++) {
        static struct vfsbox b;
        int before = unit_failed;
        if (rules[i].fifos && !be->fifos)
            continue;
        snprintf(conform_dir, sizeof conform_dir, "/tmp/hob-vfs-XXXXXX");
        REQUIRE(mkdtemp(conform_dir) && chmod(conform_dir, 0755) == 0);
        vfsbox_begin(&b);
        CHECK_EQ(vfsbox_mount(&b, tree_new(&b.kernel, true)), 0);
        CHECK_EQ(vfs_mount(&b.vfs, STR("/t"), be->make(&b)), 0);
        b.proc.cwd = STR("/t");
        rules[i].run(&b);
        vfsbox_end(&b);
        char command[100];
        snprintf(command, sizeof command, "rm -rf %s", conform_dir);
        CHECK_EQ(system(command), 0);
        if (unit_failed != before)
            printf("# ^ %s: %s\n", be->name, rules[i].name);
    }
}

static void test_tree(void) { conform(&backends[0]); }
static void test_overlay(void) { conform(&backends[1]); }
static void test_overlay_host(void) { conform(&backends[2]); }
static void test_host(void) { conform(&backends[3]); }
static void test_host_stepwise(void) { conform(&backends[4]); }
static void test_quota(void) { conform(&backends[5]); }
static void test_trace(void) { conform(&backends[6]); }
static void test_fault(void) { conform(&backends[7]); }

UNIT_MAIN(UNIT(test_tree), UNIT(test_overlay), UNIT(test_overlay_host), UNIT(test_host),
          UNIT(test_host_stepwise), UNIT(test_quota), UNIT(test_trace), UNIT(test_fault))

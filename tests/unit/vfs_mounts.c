/* vfs_mounts.c -- mounts, the special backends, shims and overlays in particular */
#include "vfsbox.h"

static void begin(struct vfsbox *b)
{
    vfsbox_begin(b);
    CHECK_EQ(vfsbox_mount(b, tree_new(&b->kernel, true)), 0);
    b->proc.cwd = STR("/home/user");
}

#define P(z) str_z(z)

static void test_mounts(void)
{
    struct vfsbox b;
    struct stat_info st;
    begin(&b);
    CHECK_EQ(vfs_mount(&b.vfs, STR("/data/deep/er"), tree_new(&b.kernel, false)), 0);
    CHECK_EQ(vfs_mount(&b.vfs, STR("/data/deep/er"), tree_new(&b.kernel, false)), HOB_EBUSY);
    CHECK_EQ(vfs_mount(&b.vfs, STR("/mnt"), tree_new(&b.kernel, false)), 0);
    CHECK_EQ(vfs_mount(&b.vfs, STR("/mnt/in"), tree_new(&b.kernel, false)), 0);
    /* Folders on the way to a mount are there although nobody made them. */
    CHECK(strstr(vfsbox_list(&b, "/"), "bin@ data/ dev/") != NULL);
    CHECK_STR(vfsbox_list(&b, "/data"), "deep/");
    CHECK_STR(vfsbox_list(&b, "/data/deep"), "er/");
    CHECK_STR(vfsbox_list(&b, "/mnt"), "in/");
    CHECK_EQ(vfs_stat(&b.proc, P("/data/deep"), 0, &st), 0);
    CHECK(MODE_IS_DIR(st.mode));
    CHECK_STR(vfsbox_read(&b, "/data/none"), "ENOENT");
    CHECK_STR(vfsbox_read(&b, "/data/deep/../../etc/hostname"), "hob\n");
    CHECK_EQ(vfsbox_write(&b, "/data/x", ""), HOB_ENOENT);
    CHECK_EQ(vfs_rmdir(&b.proc, P("/data")), HOB_EBUSY);
    CHECK_EQ(vfsbox_write(&b, "/data/deep/er/f", "F"), 0);
    CHECK_STR(vfsbox_read(&b, "/data/deep/er/../er/f"), "F");
    CHECK_EQ(vfsbox_write(&b, "/mnt/in/f", "I"), 0);
    CHECK_EQ(vfs_symlink(&b.proc, P("/mnt/in"), P("l")), 0);
    CHECK_STR(vfsbox_read(&b, "l/f"), "I");
    CHECK_STR(vfsbox_list(&b, "l/.."), "in/");
    CHECK_EQ(vfs_symlink(&b.proc, P("../../home/user"), P("/mnt/in/out")), 0);
    CHECK_STR(vfsbox_read(&b, "/mnt/in/out/l/f"), "I");
    /* A mount point goes by its real name. */
    CHECK_EQ(vfs_mount(&b.vfs, STR("/home/user/l/sub"), tree_new(&b.kernel, false)), 0);
    CHECK_STR(vfsbox_list(&b, "/mnt/in"), "f out@ sub/");
    CHECK_EQ(vfs_unmount(&b.vfs, STR("/mnt/in")), HOB_EBUSY);
    CHECK_EQ(vfs_unmount(&b.vfs, STR("/mnt/in/sub")), 0);
    CHECK_EQ(vfs_unmount(&b.vfs, STR("/mnt/in")), 0);
    CHECK_STR(vfsbox_list(&b, "/mnt"), "");
    CHECK_EQ(vfs_unmount(&b.vfs, STR("/mnt/in")), HOB_ENOENT);
    CHECK_EQ(vfs_unmount(&b.vfs, STR("/etc")), HOB_EINVAL);
    CHECK_EQ(vfs_unmount(&b.vfs, STR("/")), HOB_EBUSY);
    CHECK_EQ(vfs_mount(&b.vfs, STR("/etc/hostname"), tree_new(&b.kernel, false)), HOB_ENOTDIR);
    vfsbox_end(&b);
}

static void test_dev(void)
{
    struct vfsbox b;
    struct file *f, *g;
    char c[16];
    begin(&b);
    CHECK_EQ(vfs_mount(&b.vfs, STR("/dev"), devfs_new(&b.kernel)), 0);
    CHECK_EQ(vfs_mount(&b.vfs, STR("/proc"), procfs_new(&b.kernel)), 0);
    /* The process of the box, where the kernel would have it. */
    b.kernel.procs = b.kernel.procs_last = &b.proc;
    b.kernel.nprocs = 1;
    CHECK_STR(vfsbox_list(&b, "/dev"),
              "fd@ full null random stderr@ stdin@ stdout@ tty urandom zero");
    CHECK_STR(vfsbox_read(&b, "/dev/null"), "");
    CHECK_EQ(vfsbox_write(&b, "/dev/null", "gone"), 0);
    CHECK_EQ(vfsbox_write(&b, "/dev/full", "x"), HOB_ENOSPC);
    CHECK_EQ(vfsbox_mode(&b, "/dev/null"), MODE_CHR | 0666);
    CHECK_EQ(vfsbox_write(&b, "/dev/none", "x"), HOB_EACCES);
    CHECK_EQ(vfs_unlink(&b.proc, P("/dev/null")), HOB_EROFS);
    REQUIRE(vfs_open(&b.proc, P("/dev/zero"), FILE_READ, 0, &f) == 0);
    CHECK_EQ(file_read(f, &b.proc, c, 4), 4);
    CHECK_MEM(c, 4, "\0\0\0\0", 4);
    struct slice s;
    CHECK(file_take(f, &b.proc, &s) > 0);
    CHECK_EQ(s.p[s.n - 1], 0);
    slice_drop(&s);
    file_unref(f);
    CHECK_EQ(vfs_open(&b.proc, P("/dev/tty"), FILE_READ, 0, &f), HOB_ENXIO);
    CHECK_STR(vfsbox_read(&b, "/dev/stdin"), "ENOENT"); /* closed */
    /* Something without a name is shared, a file is opened anew. */
    CHECK_EQ(fdtab_set(&b.fds, 0, memfile_reader(&b.kernel, STR("input")), false), 0);
    REQUIRE(vfs_open(&b.proc, P("/dev/stdin"), FILE_READ, 0, &f) == 0);
    CHECK_EQ(file_read(f, &b.proc, c, 2), 2);
    file_unref(f);
    CHECK_STR(vfsbox_read(&b, "/dev/fd/0"), "put");
    CHECK_EQ(vfs_open(&b.proc, P("/dev/stdin"), FILE_WRITE, 0, &f), HOB_EACCES);
    CHECK_EQ(vfsbox_write(&b, "file", "abc"), 0);
    REQUIRE(vfs_open(&b.proc, P("file"), FILE_READ, 0, &f) == 0);
    CHECK_EQ(file_read(f, &b.proc, c, 1), 1);
    CHECK_EQ(fdtab_set(&b.fds, 5, f, false), 5);
    REQUIRE(vfs_open(&b.proc, P("/dev/fd/5"), FILE_READ, 0, &g) == 0);
    CHECK(f != g);
    CHECK_EQ(file_read(g, &b.proc, c, 9), 3);
    file_unref(g);
    CHECK_STR(vfsbox_list(&b, "/dev/fd/"), "0@ 5@");
    struct buf out;
    buf_init(&out, &b.kernel.heap);
    CHECK_EQ(vfs_readlink(&b.proc, P("/proc/self/fd/5"), &out), 0);
    CHECK_STR(out.p, "/home/user/file");
    buf_fini(&out);
    b.kernel.procs = b.kernel.procs_last = NULL;
    b.kernel.nprocs = 0;
    vfsbox_end(&b);
}

static void test_proc(void)
{
    struct vfsbox b;
    begin(&b);
    CHECK_EQ(vfs_mount(&b.vfs, STR("/proc"), procfs_new(&b.kernel)), 0);
    b.kernel.procs = b.kernel.procs_last = &b.proc;
    b.kernel.nprocs = 1;
    b.proc.name = STR("/usr/bin/cat");
    struct str argv[2] = {STR("cat"), STR("-n")};
    b.proc.words = argv; /* of a command, which nothing here looks at */
    b.proc.command = &b;
    b.proc.nwords = 2;
    CHECK_STR(vfsbox_list(&b, "/proc"), "7/ cmdline cpuinfo filesystems loadavg meminfo mounts@ "
                                        "self@ stat sys/ uptime version");
    CHECK_STR(vfsbox_list(&b, "/proc/self/"),
              "cmdline comm cwd@ environ exe@ fd/ mounts root@ stat statm status");
    CHECK_STR(vfsbox_list(&b, "/proc/sys/kernel"),
              "hostname osrelease ostype pid_max random/ version");
    CHECK_STR(vfsbox_read(&b, "/proc/7/comm"), "cat\n");
    CHECK_STR(vfsbox_read(&b, "/proc/self/cmdline"), "cat");
    CHECK(strstr(vfsbox_read(&b, "/proc/self/status"), "\nPid:\t7\n") != NULL);
    CHECK(strncmp(vfsbox_read(&b, "/proc/self/stat"), "7 (cat) R ", 10) == 0);
    CHECK_STR(vfsbox_read(&b, "/proc/sys/kernel/hostname"), "hob\n");
    CHECK(strncmp(vfsbox_read(&b, "/proc/meminfo"), "MemTotal:        1048576 kB\n", 28) == 0);
    CHECK(strstr(vfsbox_read(&b, "/proc/mounts"), "proc /proc proc rw,relatime 0 0\n") != NULL);
    CHECK_EQ(strlen(vfsbox_read(&b, "/proc/sys/kernel/random/uuid")), 37);
    CHECK_STR(vfsbox_list(&b, "/proc/self/cwd/"), "");
    CHECK_STR(vfsbox_read(&b, "/proc/8/comm"), "ENOENT");
    CHECK_STR(vfsbox_read(&b, "/proc/07/comm"), "ENOENT");
    CHECK_STR(vfsbox_read(&b, "/proc/self/comm/x"), "ENOTDIR");
    CHECK_STR(vfsbox_read(&b, "/proc/sys"), "EISDIR");
    CHECK_EQ(vfsbox_write(&b, "/proc/version", ""), HOB_EACCES);
    CHECK_EQ(vfs_mkdir(&b.proc, P("/proc/x"), 0755), HOB_EROFS);
    b.kernel.procs = b.kernel.procs_last = NULL;
    b.kernel.nprocs = 0;
    vfsbox_end(&b);
}

static int bin_names(void *ud, int (*each)(void *ctx, struct str name), void *ctx)
{
    static const char *const names[] = {"ls", "cat", "awk", "ls"};
    int r = 0;
    (void)ud;
    for (size_t i = 0; i < COUNT(names) && r == 0; i++)
        r = each(ctx, str_z(names[i]));
    return r;
}

static bool bin_has(void *ud, struct str name)
{
    (void)ud;
    return str_eqz(name, "ls") || str_eqz(name, "cat") || str_eqz(name, "awk");
}

static void test_bin(void)
{
    struct vfsbox b;
    begin(&b);
    CHECK_EQ(vfs_mount(&b.vfs, STR("/usr/bin"), binfs_new(&b.kernel, bin_names, bin_has, NULL)), 0);
    CHECK_STR(vfsbox_list(&b, "/bin/"), "awk cat ls");
    CHECK_EQ(vfsbox_mode(&b, "/bin/ls"), MODE_FILE | 0755);
    CHECK_STR(vfsbox_read(&b, "/usr/bin/ls"), "#!/usr/bin/hob ls\n");
    CHECK_STR(vfsbox_read(&b, "/usr/bin/rm"), "ENOENT");
    CHECK_STR(vfsbox_read(&b, "/usr/bin/ls/x"), "ENOTDIR");
    CHECK_EQ(vfsbox_write(&b, "/usr/bin/ls", "x"), HOB_EROFS);
    CHECK_EQ(vfsbox_write(&b, "/usr/bin/new", "x"), HOB_EROFS);
    CHECK_EQ(vfs_unlink(&b.proc, P("/bin/ls")), HOB_EROFS);
    CHECK_EQ(vfs_access(&b.proc, P("/bin/ls"), 1), 0);
    vfsbox_end(&b);
}

/* ---- lazy folders ---------------------------------------------------------------------------- */

static int lazy_lists, lazy_reads;

static int lazy_give(hob_bytes *out, const char *text)
{
    out->len = strlen(text);
    out->data = hob_alloc(out->len + 1);
    memcpy(out->data, text, out->len);
    return 0;
}

static int lazy_list(void *ud, const char *path, hob_bytes *out)
{
    (void)ud;
    lazy_lists++;
    if (!*path)
        return lazy_give(out, "sub/\nfile\nfile\n../evil\n\n.\nbroken/\nlast");
    if (strcmp(path, "sub") == 0)
        return lazy_give(out, "inner\n");
    return HOB_EIO;
}

static int lazy_read(void *ud, const char *path, hob_bytes *out)
{
    (void)ud;
    lazy_reads++;
    return strcmp(path, "last") == 0 ? HOB_EACCES : lazy_give(out, path);
}

static void test_lazy_folder(void)
{
    struct vfsbox b;
    hob_lazy_dir dir = {sizeof dir, lazy_list, lazy_read, NULL};
    begin(&b);
    lazy_lists = lazy_reads = 0;
    CHECK_EQ(vfs_mount(&b.vfs, STR("/lazy"), lazy_new(&b.kernel, &dir)), 0);
    CHECK_EQ(lazy_lists, 0);
    CHECK_STR(vfsbox_list(&b, "/lazy"), "broken/ file last sub/");
    CHECK_EQ(lazy_lists, 1);
    CHECK_STR(vfsbox_read(&b, "/lazy/sub/inner"), "sub/inner");
    CHECK_STR(vfsbox_read(&b, "/lazy/sub/inner"), "sub/inner");
    CHECK_EQ(lazy_lists, 2);
    CHECK_EQ(lazy_reads, 1);
    CHECK_STR(vfsbox_read(&b, "/lazy/sub/none"), "ENOENT");
    CHECK_STR(vfsbox_read(&b, "/lazy/last"), "EACCES");
    CHECK_STR(vfsbox_list(&b, "/lazy/broken"), "EIO");
    CHECK_EQ(vfsbox_write(&b, "/lazy/file", "x"), HOB_EROFS);
    CHECK_EQ(vfsbox_write(&b, "/lazy/new", "x"), HOB_EROFS);
    CHECK_EQ(vfs_mkdir(&b.proc, P("/lazy/d"), 0755), HOB_EROFS);
    CHECK_EQ(vfs_unlink(&b.proc, P("/lazy/file")), HOB_EROFS);
    CHECK_EQ(vfs_rename(&b.proc, P("/lazy/file"), P("/lazy/f")), HOB_EROFS);
    CHECK_EQ(vfs_chmod(&b.proc, P("/lazy/file"), 0), HOB_EROFS);
    vfsbox_end(&b);
}

/* ---- shims ----------------------------------------------------------------------------------- */

static struct fs *filled(struct vfsbox *b)
{
    struct fs *t = tree_new(&b->kernel, false);
    CHECK_EQ(t->ops->mkdir(t, (struct cred){1000, 1000}, STR("d"), 0755), 0);
    CHECK_EQ(tree_put(t, STR("d/f"), STR("F"), 0644), 0);
    CHECK_EQ(tree_put(t, STR("f"), STR("top"), 0644), 0);
    CHECK_EQ(t->ops->symlink(t, (struct cred){1000, 1000}, STR("d/f"), STR("l")), 0);
    return t;
}

static void test_readonly(void)
{
    struct vfsbox b;
    begin(&b);
    CHECK_EQ(vfs_mount(&b.vfs, STR("/ro"), shim_readonly(filled(&b))), 0);
    CHECK_STR(vfsbox_list(&b, "/ro"), "d/ f l@");
    CHECK_STR(vfsbox_read(&b, "/ro/l"), "F");
    CHECK_EQ(vfsbox_write(&b, "/ro/f", "x"), HOB_EROFS);
    CHECK_EQ(vfsbox_write(&b, "/ro/new", "x"), HOB_EROFS);
    CHECK_EQ(vfs_mkdir(&b.proc, P("/ro/new"), 0755), HOB_EROFS);
    CHECK_EQ(vfs_mkdir(&b.proc, P("/ro/d"), 0755), HOB_EEXIST);
    CHECK_EQ(vfs_rmdir(&b.proc, P("/ro/d")), HOB_EROFS);
    CHECK_EQ(vfs_unlink(&b.proc, P("/ro/f")), HOB_EROFS);
    CHECK_EQ(vfs_rename(&b.proc, P("/ro/f"), P("/ro/g")), HOB_EROFS);
    CHECK_EQ(vfs_link(&b.proc, P("/ro/f"), P("/ro/g"), 0), HOB_EROFS);
    CHECK_EQ(vfs_symlink(&b.proc, P("x"), P("/ro/g")), HOB_EROFS);
    CHECK_EQ(vfs_chmod(&b.proc, P("/ro/f"), 0600), HOB_EROFS);
    CHECK_EQ(vfs_utimes(&b.proc, P("/ro/f"), 0, 0, 0), HOB_EROFS);
    CHECK_EQ(vfs_truncate(&b.proc, P("/ro/f"), 0), HOB_EROFS);
    CHECK_EQ(vfs_access(&b.proc, P("/ro/f"), 2), HOB_EROFS);
    CHECK_EQ(vfs_remove_all(&b.proc, P("/ro/d")), HOB_EROFS);
    CHECK_STR(vfsbox_read(&b, "/ro/f"), "top");
    vfsbox_end(&b);
}

static void test_quota(void)
{
    struct vfsbox b;
    struct fs_info info;
    begin(&b);
    CHECK_EQ(vfs_mount(&b.vfs, STR("/q"), shim_quota(filled(&b), 10)), 0);
    CHECK_EQ(vfsbox_write(&b, "/q/a", "12345"), 0);
    CHECK_EQ(vfsbox_write(&b, "/q/b", "123456"), HOB_ENOSPC);
    CHECK_EQ(vfsbox_write(&b, "/q/b", "12345"), 0);
    CHECK_EQ(vfsbox_put(&b, "/q/b", "x", 1, FILE_APPEND), HOB_ENOSPC);
    CHECK_EQ(vfsbox_put(&b, "/q/b", "x", 1, 0), 0); /* within what is there */
    CHECK_STR(vfsbox_read(&b, "/q/b"), "x2345");
    CHECK_EQ(vfs_statfs(&b.proc, P("/q"), &info), 0);
    CHECK_EQ(info.bytes_used, 10);
    CHECK_EQ(vfs_truncate(&b.proc, P("/q/b"), 100), HOB_ENOSPC);
    CHECK_EQ(vfs_truncate(&b.proc, P("/q/b"), 2), 0);
    CHECK_EQ(vfs_rename(&b.proc, P("/q/b"), P("/q/a")), 0);
    CHECK_EQ(vfsbox_write(&b, "/q/c", "12345678"), 0);
    CHECK_EQ(vfs_unlink(&b.proc, P("/q/c")), 0);
    CHECK_EQ(vfsbox_write(&b, "/q/a", "1234567890"), 0);
    vfsbox_end(&b);
}

static void trace_line(void *ud, const char *op, struct str path, int result)
{
    char *text = ud;
    size_t n = strlen(text);
    snprintf(text + n, 1000 - n, "%s %.*s %d;", op, (int)path.n, path.p, result);
}

static void test_trace(void)
{
    struct vfsbox b;
    static char text[1000];
    begin(&b);
    CHECK_EQ(vfs_mount(&b.vfs, STR("/t"), shim_trace(filled(&b), trace_line, text)), 0);
    text[0] = '\0';
    CHECK_STR(vfsbox_read(&b, "/t/f"), "top");
    CHECK_STR(text, "walk f 0;open f 0;read /t/f 3;read /t/f 0;");
    text[0] = '\0';
    CHECK_EQ(vfs_unlink(&b.proc, P("/t/no")), HOB_ENOENT);
    CHECK_STR(text, "walk no -2;");
    vfsbox_end(&b);
}

/* Every call of a backend fails once; the caller gets that error and nothing is lost or leaked. */
static void test_faults(void)
{
    for (uint64_t n = 1; n < 100; n++) {
        struct vfsbox b;
        begin(&b);
        struct fs *fault = shim_fault(filled(&b));
        CHECK_EQ(vfs_mount(&b.vfs, STR("/t"), fault), 0);
        shim_fault_set(fault, n, HOB_EIO);
        uint64_t before = shim_fault_calls(fault);
        int r = vfsbox_write(&b, "/t/d/new", "text");
        if (r == 0)
            r = vfs_rename(&b.proc, P("/t/d/new"), P("/t/l"));
        if (r == 0)
            r = vfs_remove_all(&b.proc, P("/t/d"));
        if (r == 0)
            r = vfs_symlink(&b.proc, P("f"), P("/t/s"));
        if (r == 0 && strcmp(vfsbox_read(&b, "/t/s"), "top") != 0)
            r = HOB_EIO;
        bool reached = shim_fault_calls(fault) - before >= n;
        CHECK_EQ(r, reached ? HOB_EIO : 0);
        shim_fault_set(fault, 0, 0);
        CHECK_STR(vfsbox_read(&b, "/t/f"), "top");
        vfsbox_end(&b);
        if (!reached)
            return;
    }
    CHECK(!"faults do not end");
}

/* ---- overlays -------------------------------------------------------------------------------- */

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

static const char *changes(struct fs *fs)
{
    static char text[2000];
    text[0] = '\0';
    int r = overlay_diff(fs, diff_each, text);
    return r < 0 ? hob_error_name(r) : text;
}

static struct fs *begin_overlay(struct vfsbox *b)
{
    begin(b);
    struct fs *o = overlay_new(&b->kernel, shim_readonly(filled(b)));
    CHECK_EQ(vfs_mount(&b->vfs, STR("/o"), o), 0);
    b->proc.cwd = STR("/o");
    return o;
}

static void test_overlay(void)
{
    struct vfsbox b;
    struct fs *o = begin_overlay(&b);
    CHECK_STR(vfsbox_list(&b, "."), "d/ f l@");
    CHECK_STR(vfsbox_read(&b, "l"), "F");
    CHECK_STR(changes(o), "");
    CHECK_EQ(vfsbox_write(&b, "d/f", "changed"), 0);
    CHECK_STR(vfsbox_read(&b, "l"), "changed");
    CHECK_STR(changes(o), "M d/f");
    CHECK_EQ(vfs_unlink(&b.proc, P("f")), 0);
    CHECK_STR(vfsbox_read(&b, "f"), "ENOENT");
    CHECK_STR(vfsbox_list(&b, "."), "d/ l@");
    CHECK_STR(changes(o), "M d/f, D f");
    CHECK_EQ(vfs_mkdir(&b.proc, P("f"), 0755), 0); /* a folder where a file was hidden */
    CHECK_EQ(vfsbox_write(&b, "f/x", "X"), 0);
    CHECK_STR(vfsbox_list(&b, "f"), "x");
    CHECK_STR(changes(o), "M d/f, M f, A f/x");
    CHECK_EQ(vfs_remove_all(&b.proc, P("d")), 0);
    CHECK_STR(vfsbox_list(&b, "d"), "ENOENT");
    CHECK_STR(vfsbox_read(&b, "l"), "ENOENT");
    CHECK_EQ(vfs_mkdir(&b.proc, P("d"), 0755), 0); /* opaque */
    CHECK_STR(vfsbox_list(&b, "d"), "");
    CHECK_STR(changes(o), "D d/f, M f, A f/x");
    CHECK_EQ(vfs_rmdir(&b.proc, P("d")), 0);
    CHECK_STR(changes(o), "D d, D d/f, M f, A f/x");
    CHECK_EQ(vfsbox_write(&b, "d", "now a file"), 0);
    CHECK_STR(changes(o), "M d, D d/f, M f, A f/x");
    vfsbox_end(&b);
}

static void test_overlay_rename(void)
{
    struct vfsbox b;
    struct fs *o = begin_overlay(&b);
    CHECK_EQ(vfs_rename(&b.proc, P("d"), P("e")), 0);
    CHECK_STR(vfsbox_list(&b, "."), "e/ f l@");
    CHECK_STR(vfsbox_read(&b, "e/f"), "F");
    CHECK_STR(changes(o), "D d, D d/f, A e, A e/f");
    CHECK_EQ(vfs_rename(&b.proc, P("e"), P("d")), 0);
    CHECK_STR(vfsbox_read(&b, "l"), "F");
    CHECK_STR(changes(o), "");
    CHECK_EQ(vfs_rename(&b.proc, P("f"), P("d/f")), 0);
    CHECK_STR(vfsbox_list(&b, "."), "d/ l@");
    CHECK_STR(vfsbox_read(&b, "d/f"), "top");
    CHECK_STR(changes(o), "M d/f, D f");
    CHECK_EQ(vfs_link(&b.proc, P("d/f"), P("f"), 0), 0); /* over a whiteout */
    CHECK_STR(vfsbox_read(&b, "f"), "top");
    CHECK_STR(changes(o), "M d/f");
    CHECK_EQ(vfs_symlink(&b.proc, P("f"), P("g")), 0);
    CHECK_EQ(vfs_unlink(&b.proc, P("l")), 0);
    CHECK_EQ(vfs_rename(&b.proc, P("g"), P("l")), 0);
    CHECK_STR(vfsbox_read(&b, "l"), "top");
    CHECK_EQ(vfs_chmod(&b.proc, P("."), 0700), 0);
    CHECK_EQ(vfsbox_mode(&b, "."), MODE_DIR | 0700);
    vfsbox_end(&b);
}

static void test_overlay_snapshot(void)
{
    struct vfsbox b;
    struct fs *o = begin_overlay(&b);
    CHECK_EQ(vfsbox_write(&b, "new", "1"), 0);
    struct tree_snap *s = tree_snapshot(overlay_upper(o));
    CHECK_EQ(vfs_unlink(&b.proc, P("f")), 0);
    CHECK_EQ(vfs_unlink(&b.proc, P("new")), 0);
    CHECK_STR(changes(o), "D f");
    CHECK_EQ(tree_restore(overlay_upper(o), s), 0);
    CHECK_STR(vfsbox_list(&b, "."), "d/ f l@ new");
    CHECK_STR(changes(o), "A new");
    tree_snap_free(s);
    vfsbox_end(&b);
}

/* Each allocation fails once: what is seen is as before or as after. */
static void test_overlay_torture(void)
{
    for (uint64_t n = 1; n < 300; n++) {
        struct vfsbox b;
        struct fs *o = begin_overlay(&b);
        int r = 0;
        b.kernel.heap.fail_at = b.kernel.heap.count + n;
        r = vfs_rename(&b.proc, P("d"), P("e"));
        int step = 0;
        if (r == 0) {
            step = 1;
            r = vfs_unlink(&b.proc, P("e/f"));
        }
        if (r == 0) {
            step = 2;
            r = vfs_mkdir(&b.proc, P("d"), 0755);
        }
        if (r == 0) {
            step = 3;
            r = vfs_chmod(&b.proc, P("f"), 0600);
        }
        bool reached = b.kernel.heap.count >= b.kernel.heap.fail_at;
        b.kernel.heap.fail_at = 0;
        heap_gate(&b.kernel.heap);
        static const char *const want[] = {"", "D d, D d/f, A e, A e/f", "D d, D d/f, A e",
                                           "D d/f, A e"};
        if (reached)
            CHECK_STR(changes(o), want[step]);
        else
            CHECK_STR(changes(o), "D d/f, A e, M f");
        CHECK_EQ(r, reached ? HOB_ENOMEM : 0);
        vfsbox_end(&b);
        if (!reached || unit_failed)
            return;
    }
    CHECK(!"torture does not end");
}

UNIT_MAIN(UNIT(test_mounts), UNIT(test_dev), UNIT(test_proc), UNIT(test_bin),
          UNIT(test_lazy_folder), UNIT(test_readonly), UNIT(test_quota), UNIT(test_trace),
          UNIT(test_faults), UNIT(test_overlay), UNIT(test_overlay_rename),
          UNIT(test_overlay_snapshot), UNIT(test_overlay_torture))

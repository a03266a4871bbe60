/* mounts.c -- mounts of every kind, live, and snapshots over them */
#include <sys/stat.h>
#include <unistd.h>

#include "api.h"

static char host[64]; /* a folder of the host, made for each case */

static void host_write(const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", host, name);
    FILE *f = fopen(path, "w");
    if (f) {
        fputs(text, f);
        fclose(f);
    }
}

static void host_check(const char *name, const char *want, int line)
{
    char path[200], text[200] = "";
    snprintf(path, sizeof path, "%s/%s", host, name);
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = '\0';
    unit_string(f ? text : NULL, want, __FILE__, line, name);
}
#define HOST(name, want) host_check(name, want, __LINE__)

static void host_make(void)
{
    char path[200];
    strcpy(host, "/tmp/hob-api-XXXXXX");
    if (!mkdtemp(host))
        exit(1);
    host_write("f", "one\n");
    snprintf(path, sizeof path, "%s/d", host);
    mkdir(path, 0755);
    host_write("d/g", "two\n");
    snprintf(path, sizeof path, "%s/link", host);
    if (symlink("d/g", path) != 0)
        exit(1);
    snprintf(path, sizeof path, "%s/out", host);
    if (symlink("/etc/hostname", path) != 0)
        exit(1);
}

static void host_remove(void)
{
    static const char *const names[] = {"f", "new", "d/g", "d/h", "link", "out", "d", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[200];
        snprintf(path, sizeof path, "%s/%s", host, names[i]);
        remove(path);
    }
}

static int mounts_add(hob_sandbox *box, const char *path, int kind)
{
    hob_mount_options m = {.size = sizeof m, .kind = kind, .host_dir = host};
    hob_error err;
    int r = hob_mount(box, path, &m, &err);
    CHECK_EQ(err.code, r);
    CHECK(r == 0 || err.msg[0]);
    return r;
}

static void test_read_only(void) /* TM-FS-4 */
{
    hob_sandbox *box = api_box();
    host_make();
    CHECK_EQ(mounts_add(box, "/mnt/h", HOB_MOUNT_RO), 0);
    RUN(box, "cat /mnt/h/f /mnt/h/link; ls /mnt/h", "one\ntwo\nd\nf\nlink\nout\n");
    RUN_WITH(box, "echo x > /mnt/h/f", NULL, 1, "",
             "bash: line 1: /mnt/h/f: Read-only file system\n");
    CHECK_EQ(hob_write(box, "/mnt/h/new", "x", 1), HOB_EROFS);
    CHECK_EQ(hob_mkdir(box, "/mnt/h/new", 0), HOB_EROFS);
    CHECK_EQ(hob_rm(box, "/mnt/h/f", 0), HOB_EROFS);
    CHECK_EQ(hob_rename(box, "/mnt/h/f", "/mnt/h/new"), HOB_EROFS);
    CHECK_EQ(hob_symlink(box, "x", "/mnt/h/new"), HOB_EROFS);
    CHECK_EQ(hob_chmod(box, "/mnt/h/f", 0600), HOB_EROFS);
    HOST("f", "one\n");
    host_write("new", "live\n"); /* the host goes on */
    CHECK_FILE(box, "/mnt/h/new", "live\n");
    hob_bytes b; /* TM-FS-2: a link out of the folder means a file of the sandbox */
    int r = hob_read(box, "/mnt/h/out", &b);
    if (r == 0) {
        CHECK_STR(b.data, "hob\n");
        hob_free(b.data);
    }
    CHECK_EQ(hob_unmount(box, "/mnt/h"), 0);
    CHECK_EQ(hob_exists(box, "/mnt/h/f"), 0);
    CHECK_EQ(hob_unmount(box, "/mnt/h"), HOB_EINVAL);
    hob_sandbox_free(box);
    host_remove();
}

static void test_read_write(void)
{
    hob_sandbox *box = api_box();
    host_make();
    CHECK_EQ(mounts_add(box, "/h", HOB_MOUNT_RW), 0);
    RUN(box, "echo more >> /h/f; mv /h/d/g /h/d/h; echo n > /h/new; rm /h/link", "");
    HOST("f", "one\nmore\n");
    HOST("d/h", "two\n");
    HOST("d/g", NULL);
    HOST("new", "n\n");
    CHECK_EQ(hob_rename(box, "/h/new", "/tmp/new"), HOB_EXDEV);
    RUN(box, "mv /h/new /tmp/new; cat /tmp/new", "n\n");
    hob_sandbox_free(box);
    host_remove();
}

static void test_overlay(void)
{
    hob_sandbox *box = api_box(), *fork;
    hob_snapshot *before, *after;
    hob_change *list;
    hob_bytes b;
    hob_stat_t st;
    size_t n;
    host_make();
    CHECK_EQ(mounts_add(box, "work", HOB_MOUNT_OVERLAY), 0); /* relative to the cwd */
    REQUIRE(hob_snapshot_take(box, &before) == 0);
    RUN(box, "cd work; echo more >> f; rm d/g; echo n > new; chmod 700 d; cat f; ls d",
        "one\nmore\n");
    HOST("f", "one\n");
    HOST("d/g", "two\n");
    REQUIRE(hob_snapshot_take(box, &after) == 0);
    CHECK_EQ(hob_snapshot_diff(box, before, after, &list, &n), 0);
    if (CHECK_EQ(n, 4)) {
        CHECK_STR(list[0].path, "/home/user/work/d");
        CHECK_EQ(list[0].what, HOB_MODIFIED);
        CHECK_EQ(list[0].new_mode, 040700);
        CHECK_STR(list[1].path, "/home/user/work/d/g");
        CHECK_EQ(list[1].what, HOB_REMOVED);
        CHECK_EQ(list[1].new_mode, 0);
        CHECK_STR(list[2].path, "/home/user/work/f");
        CHECK_EQ(list[2].what, HOB_MODIFIED);
        CHECK_STR(list[3].path, "/home/user/work/new");
        CHECK_EQ(list[3].what, HOB_ADDED);
        CHECK_EQ(list[3].old_mode, 0);
    }
    hob_free(list);
    CHECK_EQ(hob_snapshot_read(after, "/home/user/work/f", &b), 0);
    CHECK_STR(b.data, "one\nmore\n");
    hob_free(b.data);
    CHECK_EQ(hob_snapshot_lstat(after, "/home/user/work/new", &st), 0);
    CHECK_EQ(st.bytes, 2);
    REQUIRE(hob_sandbox_fork(box, &fork) == 0);
    CHECK_FILE(fork, "work/new", "n\n");
    CHECK_EQ(hob_write(fork, "work/new", "fork", HOB_Z), 0);
    CHECK_FILE(box, "work/new", "n\n");
    CHECK_EQ(hob_snapshot_restore(box, before), 0);
    CHECK_FILE(box, "work/f", "one\n");
    CHECK_FILE(box, "work/d/g", "two\n");
    CHECK_EQ(hob_exists(box, "work/new"), 0);
    CHECK_FILE(fork, "work/new", "fork");
    CHECK_EQ(hob_snapshot_restore(box, after), 0);
    CHECK_FILE(box, "work/f", "one\nmore\n");
    CHECK_EQ(hob_exists(box, "work/d/g"), 0);
    hob_sandbox_free(fork);
    hob_sandbox_free(box);
    hob_snapshot_free(before);
    CHECK_EQ(hob_snapshot_read(after, "/home/user/work/new", &b), 0); /* outlives them */
    CHECK_STR(b.data, "n\n");
    hob_free(b.data);
    hob_snapshot_free(after);
    host_remove();
}

static void test_copy(void)
{
    hob_sandbox *box = api_box();
    host_make();
    CHECK_EQ(mounts_add(box, "/opt/c", HOB_MOUNT_COPY), 0);
    host_write("f", "changed\n");
    RUN(box, "cat /opt/c/f /opt/c/link; readlink /opt/c/link; echo x >> /opt/c/f; rm /opt/c/d/g",
        "one\ntwo\nd/g\n");
    HOST("f", "changed\n");
    HOST("d/g", "two\n");
    CHECK_EQ(hob_unmount(box, "/opt/c"), HOB_EINVAL); /* it is no mount */
    host_remove();
    CHECK_FILE(box, "/opt/c/f", "one\nx\n");
    hob_sandbox_free(box);
}

static void test_memory(void)
{
    hob_sandbox *box = api_box(), *fork;
    hob_mount_options m = {.size = sizeof m, .kind = HOB_MOUNT_MEMORY};
    hob_snapshot *snap;
    hob_change *list;
    size_t n;
    CHECK_EQ(hob_mount(box, "/data", &m, NULL), 0);
    CHECK_EQ(hob_mount(box, "/data", &m, NULL), HOB_EBUSY);
    CHECK_EQ(hob_mount(box, "/", &m, NULL), HOB_EBUSY);
    RUN(box, "echo 1 > /data/f; ls /data; ls -d /data", "f\n/data\n");
    REQUIRE(hob_snapshot_take(box, &snap) == 0);
    RUN(box, "echo 2 > /data/f; echo x > /tmp/x", "");
    CHECK_EQ(hob_snapshot_diff(box, snap, NULL, &list, &n), 0);
    if (CHECK_EQ(n, 2)) {
        CHECK_STR(list[0].path, "/data/f");
        CHECK_STR(list[1].path, "/tmp/x");
    }
    hob_free(list);
    REQUIRE(hob_sandbox_fork(box, &fork) == 0);
    CHECK_FILE(fork, "/data/f", "2\n");
    CHECK_EQ(hob_snapshot_restore(fork, snap), 0);
    CHECK_FILE(fork, "/data/f", "1\n");
    CHECK_FILE(box, "/data/f", "2\n");
    hob_sandbox_free(fork);
    hob_snapshot_free(snap);
    /* A file that is open keeps the mount. */
    hob_job *job;
    REQUIRE(hob_exec_start(box, "exec 3< /data/f; while [ -e /tmp/x ]; do :; done", NULL, &job,
                           NULL) == 0);
    hob_step(box, 5000);
    CHECK_EQ(hob_unmount(box, "/data"), HOB_EBUSY);
    CHECK_EQ(hob_job_finish(job, NULL), 0);
    CHECK_EQ(hob_unmount(box, "/data"), 0);
    CHECK_EQ(hob_exists(box, "/data/f"), 0);
    hob_sandbox_free(box);
}

static void test_quota(void)
{
    hob_sandbox *box = api_box();
    hob_mount_options m = {.size = sizeof m, .kind = HOB_MOUNT_MEMORY, .quota = 1000};
    CHECK_EQ(hob_mount(box, "/q", &m, NULL), 0);
    RUN(box, "head -c 900 /dev/zero > /q/a; wc -c < /q/a", "900\n");
    RUN_WITH(box, "head -c 900 /dev/zero > /q/b", NULL, 1, "", NULL);
    RUN_WITH(box, "rm /q/b; head -c 900 /dev/zero > /f; cp /f /q/b; echo $?; ls /q; rm /q/b /f",
             NULL, 0, "1\na\nb\n", "cp: error writing '/q/b': No space left on device\n");
    char data[500] = {0};
    CHECK_EQ(hob_write(box, "/q/c", data, sizeof data), HOB_ENOSPC);
    CHECK_EQ(hob_rm(box, "/q", HOB_RECURSIVE) < 0, 1); /* a mount stays */
    RUN(box, "rm -f /q/*", "");
    CHECK_EQ(hob_write(box, "/q/c", data, sizeof data), 0); /* room again */
    hob_sandbox *fork;
    REQUIRE(hob_sandbox_fork(box, &fork) == 0);
    CHECK_EQ(hob_exists(fork, "/q/c"), 1);
    hob_sandbox_free(fork);
    hob_sandbox_free(box);
}

static int mounts_list(void *ud, const char *path, hob_bytes *out)
{
    (void)ud;
    const char *names = !*path ? "a\nsub/\n" : strcmp(path, "sub") == 0 ? "deep\n" : NULL;
    if (!names)
        return HOB_ENOENT;
    out->len = strlen(names);
    out->data = hob_alloc(out->len + 1);
    if (!out->data)
        return HOB_ENOMEM;
    memcpy(out->data, names, out->len + 1);
    return 0;
}

static int mounts_read(void *ud, const char *path, hob_bytes *out)
{
    (void)ud;
    out->data = hob_alloc(100);
    if (!out->data)
        return HOB_ENOMEM;
    out->len = (size_t)snprintf(out->data, 100, "I am %s\n", path);
    return 0;
}

static void test_lazy(void)
{
    hob_sandbox *box = api_box();
    hob_lazy_dir dir = {.size = sizeof dir, .list = mounts_list, .read = mounts_read};
    hob_mount_options m = {.size = sizeof m, .kind = HOB_MOUNT_LAZY, .lazy = &dir};
    CHECK_EQ(hob_mount(box, "/lazy", &m, NULL), 0);
    RUN(box, "ls /lazy /lazy/sub; cat /lazy/a /lazy/sub/deep",
        "/lazy:\na\nsub\n\n/lazy/sub:\ndeep\nI am a\nI am sub/deep\n");
    CHECK_EQ(hob_write(box, "/lazy/a", "", 0), HOB_EROFS);
    hob_bytes b;
    CHECK_EQ(hob_read(box, "/lazy/none", &b), HOB_ENOENT);
    hob_sandbox *fork;
    REQUIRE(hob_sandbox_fork(box, &fork) == 0);
    CHECK_FILE(fork, "/lazy/a", "I am a\n");
    hob_sandbox_free(fork);
    CHECK_EQ(hob_unmount(box, "/lazy"), 0);
    hob_sandbox_free(box);
}

static void test_refused(void)
{
    hob_sandbox *box = api_box();
    hob_mount_options m = {.size = sizeof m, .kind = HOB_MOUNT_RO};
    hob_error err;
    CHECK_EQ(hob_mount(box, "/m", NULL, &err), HOB_EINVAL);
    CHECK_EQ(hob_mount(box, "/m", &m, &err), HOB_EINVAL); /* no folder */
    m.host_dir = "/no/such/folder";
    CHECK_EQ(hob_mount(box, "/m", &m, &err), HOB_ENOENT);
    CHECK(strstr(err.msg, "/no/such/folder"));
    m.host_dir = "/etc/passwd";
    CHECK_EQ(hob_mount(box, "/m", &m, &err), HOB_ENOTDIR);
    m.kind = HOB_MOUNT_LAZY;
    CHECK_EQ(hob_mount(box, "/m", &m, &err), HOB_EINVAL);
    m.kind = 77;
    CHECK_EQ(hob_mount(box, "/m", &m, &err), HOB_EINVAL);
    m.kind = -1;
    CHECK_EQ(hob_mount(box, "/m", &m, &err), HOB_EINVAL);
    m.kind = HOB_MOUNT_MEMORY;
    CHECK_EQ(hob_mount(box, "/etc/passwd", &m, &err), HOB_ENOTDIR);
    m.size = 0;
    CHECK_EQ(hob_mount(box, "/m", &m, &err), HOB_EINVAL);
    CHECK_EQ(hob_unmount(box, "/dev"), HOB_EINVAL);
    CHECK_EQ(hob_unmount(box, "/"), HOB_EINVAL);
    hob_sandbox_free(box);
}

static void test_vanished(void) /* TM-FS-7 */
{
    hob_sandbox *box = api_box();
    host_make();
    CHECK_EQ(mounts_add(box, "/h", HOB_MOUNT_RW), 0);
    CHECK_EQ(mounts_add(box, "/o", HOB_MOUNT_OVERLAY), 0);
    RUN(box, "echo mine > /o/mine", "");
    host_remove();
    hob_bytes b;
    CHECK_EQ(hob_read(box, "/h/f", &b), HOB_ENOENT);
    CHECK(hob_write(box, "/h/new", "x", 1) < 0);
    RUN_WITH(box, "ls /h/d; cat /o/f; cat /o/mine; echo alive", NULL, 0, "mine\nalive\n", NULL);
    CHECK_EQ(hob_unmount(box, "/h"), 0);
    hob_sandbox_free(box);
}

UNIT_MAIN(UNIT(test_read_only), UNIT(test_read_write), UNIT(test_overlay), UNIT(test_copy),
          UNIT(test_memory), UNIT(test_quota), UNIT(test_lazy), UNIT(test_refused),
          UNIT(test_vanished))

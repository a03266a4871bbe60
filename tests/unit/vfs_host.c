/* vfs_host.c -- host folders: nothing outside can be reached, whatever stands inside
 *
 * Each case runs twice, with openat2() and name by name.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "host/hostfs.h"
#include "vfsbox.h"

static char top[64]; /* holds `secret` and `box`; box is what the sandbox gets */
static char inside[80];

static void sh(const char *format)
{
    char command[400];
    snprintf(command, sizeof command, "cd %s && %s", top, format);
    CHECK_EQ(system(command), 0);
}

static void begin(struct vfsbox *b, unsigned flags)
{
    snprintf(top, sizeof top, "/tmp/hob-host-XXXXXX");
    CHECK(mkdtemp(top) && chmod(top, 0755) == 0);
    snprintf(inside, sizeof inside, "%s/box", top);
    sh("mkdir box box/d && echo outside > secret && echo in > box/in && echo df > box/d/f");
    vfsbox_begin(b);
    CHECK_EQ(vfsbox_mount(b, tree_new(&b->kernel, true)), 0);
    CHECK_EQ(vfs_mount(&b->vfs, STR("/h"), hostfs_new_with(&b->kernel, inside, flags, NULL)), 0);
    b->proc.cwd = STR("/h");
}

static void end(struct vfsbox *b)
{
    char command[200];
    vfsbox_end(b);
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", top, top);
    CHECK_EQ(system(command), 0);
}

static const unsigned ways[] = {HOSTFS_WRITABLE, HOSTFS_WRITABLE | HOSTFS_STEPWISE};

static int list_nothing(void *ud, const struct dir_entry *e)
{
    (void)ud;
    (void)e;
    return 0;
}

/* Calls on the backend itself, which the walk would never make. TM-FS-1 */
static void test_escape_direct(void)
{
    static const char *const paths[] = {
        "..",
        "../secret",
        "d/../../secret",
        "up/secret",
        "abs",
        "rel",
        "d/../in/../../secret",
        "/etc/passwd",
        "proc/self/root/etc/passwd",
        "chain/secret",
    };
    for (size_t w = 0; w < 2; w++) {
        struct vfsbox b;
        struct cred c = {1000, 1000};
        begin(&b, ways[w]);
        sh("ln -s .. box/up; ln -s $PWD/secret box/abs; ln -s ../secret box/rel; "
           "ln -s up box/chain; ln -s /proc box/proc");
        struct fs *fs = b.vfs.mounts[0].fs;
        for (size_t i = 0; i < COUNT(paths); i++) {
            struct str p = str_z(paths[i]);
            struct file *f = NULL;
            struct buf out;
            buf_init(&out, &b.kernel.heap);
            int r = fs->ops->open(fs, &b.proc, c, p, FILE_READ, 0, &f);
            if (!CHECK(r < 0))
                printf("# opened %s\n", paths[i]);
            r = fs->ops->open(fs, &b.proc, c, p, FILE_WRITE | FILE_TRUNC, 0, &f);
            CHECK(r < 0);
            CHECK(fs->ops->truncate(fs, c, p, 0) < 0);
            CHECK(fs->ops->list(fs, c, p, list_nothing, NULL) < 0);
            CHECK(fs->ops->chmod(fs, c, p, 0777) < 0);
            /* Links may be removed or moved: that does not leave the folder. */
            if (strchr(paths[i], '/')) {
                CHECK(fs->ops->unlink(fs, c, p) < 0);
                CHECK(fs->ops->rename(fs, c, p, STR("stolen")) < 0);
                CHECK(fs->ops->rename(fs, c, STR("in"), p) < 0);
                CHECK(fs->ops->link(fs, c, p, STR("stolen")) < 0);
                CHECK(fs->ops->mkdir(fs, c, p, 0755) < 0);
                CHECK(fs->ops->symlink(fs, c, STR("x"), p) < 0);
            }
            buf_fini(&out);
        }
        sh("test \"$(cat secret)\" = outside && test ! -e box/stolen && test -f box/in");
        end(&b);
    }
}

/* Through the walk, symlinks mean paths of the sandbox. TM-FS-2, TM-INF-3 */
static void test_symlinks(void)
{
    for (size_t w = 0; w < 2; w++) {
        struct vfsbox b;
        begin(&b, ways[w]);
        sh("ln -s ../secret box/rel; ln -s $PWD/secret box/abs; ln -s /etc/hostname box/name; "
           "ln -s .. box/up; ln -s d/f box/ok; ln -s $PWD/box/in box/here");
        CHECK_STR(vfsbox_read(&b, "rel"), "ENOENT"); /* /secret of the sandbox */
        CHECK_STR(vfsbox_read(&b, "abs"), "ENOENT");
        CHECK_STR(vfsbox_read(&b, "here"), "ENOENT");
        CHECK_STR(vfsbox_read(&b, "name"), "hob\n"); /* not the host's */
        CHECK_STR(vfsbox_read(&b, "up/etc/hostname"), "hob\n");
        CHECK_STR(vfsbox_read(&b, "up/h/in"), "in\n");
        CHECK_STR(vfsbox_read(&b, "ok"), "df\n");
        CHECK_EQ(vfsbox_write(&b, "rel", "x"), 0); /* is made in / of the sandbox */
        CHECK_STR(vfsbox_read(&b, "/secret"), "x");
        sh("test \"$(cat secret)\" = outside");
        CHECK_EQ(vfs_symlink(&b.proc, STR("/etc/passwd"), STR("mine")), 0);
        CHECK(strstr(vfsbox_read(&b, "mine"), "user:x:1000") != NULL);
        end(&b);
    }
}

/* TM-FS-9 */
static void test_special_files(void)
{
    for (size_t w = 0; w < 2; w++) {
        struct vfsbox b;
        struct file *f;
        begin(&b, ways[w]);
        sh("mkfifo box/p");
        int s = socket(AF_UNIX, SOCK_STREAM, 0);
        struct sockaddr_un a = {.sun_family = AF_UNIX};
        snprintf(a.sun_path, sizeof a.sun_path, "%s/s", inside);
        CHECK_EQ(bind(s, (struct sockaddr *)&a, sizeof a), 0);
        CHECK_STR(vfsbox_list(&b, "."), "d/ in p s");
        CHECK_EQ(vfsbox_mode(&b, "p") & MODE_TYPE, MODE_FIFO);
        CHECK_EQ(vfsbox_mode(&b, "s") & MODE_TYPE, MODE_SOCK);
        /* Neither blocks. */
        CHECK_EQ(vfs_open(&b.proc, STR("p"), FILE_READ, 0, &f), HOB_EACCES);
        CHECK_EQ(vfs_open(&b.proc, STR("p"), FILE_WRITE | FILE_CREATE, 0, &f), HOB_EACCES);
        CHECK_EQ(vfs_open(&b.proc, STR("s"), FILE_READ, 0, &f), HOB_EACCES);
        CHECK_EQ(vfs_mkfifo(&b.proc, STR("q"), 0666), HOB_EPERM);
        CHECK_EQ(vfs_unlink(&b.proc, STR("p")), 0);
        close(s);
        end(&b);
    }
}

static void test_no_set_id(void)
{
    struct vfsbox b;
    begin(&b, HOSTFS_WRITABLE);
    CHECK_EQ(vfs_chmod(&b.proc, STR("in"), 06755), 0);
    CHECK_EQ(vfsbox_mode(&b, "in"), MODE_FILE | 0755);
    struct file *f;
    REQUIRE(vfs_open(&b.proc, STR("new"), FILE_WRITE | FILE_CREATE, 04777, &f) == 0);
    file_unref(f);
    CHECK_EQ(vfsbox_mode(&b, "new"), MODE_FILE | 0755);
    CHECK_EQ(vfs_mkdir(&b.proc, STR("n"), 02777), 0);
    CHECK_EQ(vfsbox_mode(&b, "n"), MODE_DIR | 0755);
    end(&b);
}

/* TM-FS-4 */
static void test_readonly(void)
{
    for (size_t w = 0; w < 2; w++) {
        struct vfsbox b;
        begin(&b, ways[w] & ~(unsigned)HOSTFS_WRITABLE);
        CHECK_STR(vfsbox_read(&b, "d/f"), "df\n");
        CHECK_EQ(vfsbox_write(&b, "in", "x"), HOB_EROFS);
        CHECK_EQ(vfsbox_write(&b, "new", "x"), HOB_EROFS);
        CHECK_EQ(vfs_mkdir(&b.proc, STR("n"), 0755), HOB_EROFS);
        CHECK_EQ(vfs_unlink(&b.proc, STR("in")), HOB_EROFS);
        CHECK_EQ(vfs_rmdir(&b.proc, STR("d")), HOB_EROFS);
        CHECK_EQ(vfs_rename(&b.proc, STR("in"), STR("out")), HOB_EROFS);
        CHECK_EQ(vfs_link(&b.proc, STR("in"), STR("out"), 0), HOB_EROFS);
        CHECK_EQ(vfs_symlink(&b.proc, STR("in"), STR("out")), HOB_EROFS);
        CHECK_EQ(vfs_chmod(&b.proc, STR("in"), 0), HOB_EROFS);
        CHECK_EQ(vfs_utimes(&b.proc, STR("in"), 0, 0, 0), HOB_EROFS);
        CHECK_EQ(vfs_truncate(&b.proc, STR("in"), 0), HOB_EROFS);
        /* Asked directly it refuses, too. */
        struct fs *fs = b.vfs.mounts[0].fs;
        struct cred c = {1000, 1000};
        struct file *f;
        CHECK_EQ(fs->ops->unlink(fs, c, STR("in")), HOB_EROFS);
        CHECK_EQ(fs->ops->open(fs, NULL, c, STR("in"), FILE_WRITE, 0, &f), HOB_EROFS);
        sh("test \"$(cat box/in)\" = in");
        end(&b);
    }
}

/* TM-FS-7 */
static void test_vanished(void)
{
    for (size_t w = 0; w < 2; w++) {
        struct vfsbox b;
        struct file *f;
        begin(&b, ways[w]);
        REQUIRE(vfs_open(&b.proc, STR("in"), FILE_READ, 0, &f) == 0);
        sh("rm -rf box");
        CHECK_STR(vfsbox_read(&b, "in"), "ENOENT");
        CHECK_STR(vfsbox_list(&b, "."), "ENOENT");
        CHECK_EQ(vfsbox_write(&b, "new", "x"), HOB_ENOENT);
        CHECK_EQ(vfs_mkdir(&b.proc, STR("n"), 0755), HOB_ENOENT);
        CHECK_STR(vfsbox_read(&b, "/etc/hostname"), "hob\n");
        char c[4] = "";
        CHECK_EQ(file_read(f, &b.proc, c, 2), 2); /* what was open still is */
        CHECK_STR(c, "in");
        file_unref(f);
        CHECK_EQ(vfs_unmount(&b.vfs, STR("/h")), 0);
        end(&b);
    }
    struct vfsbox b;
    struct hob_error err;
    vfsbox_begin(&b);
    CHECK(!hostfs_new(&b.kernel, "/tmp/hob-no-such-folder", false, &err));
    CHECK_EQ(err.code, HOB_ENOENT);
    CHECK_STR(err.msg, "/tmp/hob-no-such-folder: No such file or directory");
    CHECK(!hostfs_new(&b.kernel, "/etc/passwd", false, &err));
    CHECK_EQ(err.code, HOB_ENOTDIR);
    sched_fini(&b.kernel.sched);
}

/* Somebody swaps a folder for a symlink to the outside, again and again. TM-FS-3 */
static atomic_int swap_stop;

static void *swap_loop(void *arg)
{
    char d[100], other[100];
    (void)arg;
    snprintf(d, sizeof d, "%s/d", inside);
    snprintf(other, sizeof other, "%s/e", inside);
    CHECK_EQ(symlink("..", other), 0);
    while (!atomic_load(&swap_stop))
        if (renameat2(AT_FDCWD, d, AT_FDCWD, other, 2 /* RENAME_EXCHANGE */) < 0)
            break;
    return NULL;
}

static void test_swapped_symlink(void)
{
    for (size_t w = 0; w < 2; w++) {
        struct vfsbox b;
        pthread_t t;
        begin(&b, ways[w]);
        sh("echo outside > f"); /* what `d/f` would be if the link was followed */
        atomic_store(&swap_stop, 0);
        REQUIRE(pthread_create(&t, NULL, swap_loop, NULL) == 0);
        int seen = 0;
        struct fs *fs = b.vfs.mounts[0].fs;
        struct cred c = {1000, 1000};
        for (int i = 0; i < 20000; i++) {
            struct file *f;
            char got[16] = "";
            if (fs->ops->open(fs, &b.proc, c, STR("d/f"), FILE_READ, 0, &f) == 0) {
                CHECK(file_read(f, &b.proc, got, 15) >= 0);
                seen += strcmp(got, "df\n") == 0;
                if (!CHECK(strcmp(got, "outside\n") != 0))
                    i = 20000;
                file_unref(f);
            }
            fs->ops->unlink(fs, c, STR("d/secret"));
            fs->ops->rename(fs, c, STR("d/secret"), STR("stolen"));
        }
        atomic_store(&swap_stop, 1);
        pthread_join(t, NULL);
        CHECK(seen > 0);
        sh("test \"$(cat secret)\" = outside");
        end(&b);
    }
}

UNIT_MAIN(UNIT(test_escape_direct), UNIT(test_symlinks), UNIT(test_special_files),
          UNIT(test_no_set_id), UNIT(test_readonly), UNIT(test_vanished),
          UNIT(test_swapped_symlink))

/* files.c -- the file functions, and the errors they give */
#include "api.h"

static void test_read_and_write(void)
{
    hob_sandbox *box = api_box();
    hob_bytes b;
    CHECK_EQ(hob_write(box, "f", "text", HOB_Z), 0);
    CHECK_FILE(box, "f", "text");
    CHECK_EQ(hob_write(box, "f", "a\0b", 3), 0); /* shorter: the rest goes */
    CHECK_EQ(hob_read(box, "f", &b), 0);
    CHECK_MEM(b.data, b.len, "a\0b", 3);
    CHECK_EQ(b.data[3], 0);
    hob_free(b.data);
    CHECK_EQ(hob_append(box, "f", "c", 1), 0);
    CHECK_EQ(hob_append(box, "new", "n", 1), 0);
    CHECK_FILE(box, "new", "n");
    CHECK_EQ(hob_write(box, "deep/er/still/f", "d", 1), 0); /* makes folders */
    CHECK_FILE(box, "/home/user/deep/er/still/f", "d");
    CHECK_EQ(hob_append(box, "deep/other/f", "d", 1), 0);
    CHECK_EQ(hob_write(box, "empty", NULL, 0), 0);
    CHECK_FILE(box, "empty", "");
    RUN(box, "wc -c < f; cat deep/er/still/f", "4\nd");
    CHECK_EQ(hob_symlink(box, "f", "l"), 0);
    CHECK_EQ(hob_write(box, "l", "through", HOB_Z), 0);
    CHECK_FILE(box, "f", "through");
    size_t big = 10 << 20;
    char *data = malloc(big);
    REQUIRE(data);
    for (size_t i = 0; i < big; i++)
        data[i] = (char)(i * 31 >> 3);
    CHECK_EQ(hob_write(box, "big", data, big), 0);
    CHECK_EQ(hob_read(box, "big", &b), 0);
    CHECK(b.len == big && memcmp(b.data, data, big) == 0);
    hob_free(b.data);
    free(data);
    hob_sandbox_free(box);
}

static void test_read_errors(void)
{
    hob_sandbox *box = api_box();
    hob_bytes b;
    char longname[300], longpath[5000];
    memset(longname, 'x', sizeof longname);
    longname[299] = '\0';
    for (size_t i = 0; i < sizeof longpath; i++)
        longpath[i] = i % 2 ? '/' : 'x';
    longpath[4999] = '\0';
    CHECK_EQ(hob_write(box, "f", "x", 1), 0);
    CHECK_EQ(hob_write(box, "closed", "x", 1), 0);
    CHECK_EQ(hob_chmod(box, "closed", 0), 0);
    CHECK_EQ(hob_symlink(box, "a", "b"), 0);
    CHECK_EQ(hob_symlink(box, "b", "a"), 0);
    CHECK_EQ(hob_symlink(box, "nowhere", "dangling"), 0);
    CHECK_EQ(hob_read(box, "none", &b), HOB_ENOENT);
    CHECK(b.data == NULL);
    CHECK_EQ(hob_read(box, "", &b), HOB_ENOENT);
    CHECK_EQ(hob_read(box, "/tmp", &b), HOB_EISDIR);
    CHECK_EQ(hob_read(box, "f/x", &b), HOB_ENOTDIR);
    CHECK_EQ(hob_read(box, "f/x/.", &b), HOB_ENOTDIR);
    CHECK_EQ(hob_read(box, "closed", &b), HOB_EACCES);
    CHECK_EQ(hob_read(box, "a", &b), HOB_ELOOP); /* TM-FS-5 */
    CHECK_EQ(hob_read(box, "dangling", &b), HOB_ENOENT);
    CHECK_EQ(hob_read(box, longname, &b), HOB_ENAMETOOLONG); /* TM-FS-6 */
    CHECK_EQ(hob_read(box, longpath, &b), HOB_ENAMETOOLONG);
    CHECK_EQ(hob_write(box, "/usr/x", "", 0), HOB_EACCES);
    CHECK_EQ(hob_write(box, "/tmp", "", 0), HOB_EISDIR);
    CHECK_EQ(hob_write(box, "f/x/y", "", 0), HOB_ENOTDIR);
    CHECK_EQ(hob_write(box, longname, "", 0), HOB_ENAMETOOLONG);
    CHECK_EQ(hob_write(box, "closed", "", 0), HOB_EACCES);
    CHECK_EQ(hob_write(box, "/proc/version", "", 0) < 0, 1);
    CHECK_EQ(hob_write(box, "/dev/full", "x", 1), HOB_ENOSPC);
    CHECK_EQ(hob_append(box, "/etc/passwd", "x", 1), HOB_EACCES);
    CHECK(hob_read(box, "/proc/version", &b) == 0 && b.len > 0);
    hob_free(b.data);
    CHECK_EQ(hob_read(box, "/dev/null", &b), 0);
    CHECK_EQ(b.len, 0);
    hob_free(b.data);
    hob_sandbox_free(box);
}

/* /dev/zero has no end: reading it stops at the memory limit. */
static void test_endless(void)
{
    hob_options o = api_options();
    hob_sandbox *box;
    hob_bytes b;
    o.limits.memory = 4 << 20;
    REQUIRE(hob_sandbox_new(&o, &box, NULL) == 0);
    CHECK_EQ(hob_read(box, "/dev/zero", &b), HOB_EFBIG);
    CHECK_EQ(hob_write(box, "fine", "x", 1), 0);
    char *data = calloc(1, 8 << 20);
    REQUIRE(data);
    memset(data, 'x', 8 << 20);
    int r = hob_write(box, "big", data, 8 << 20);
    CHECK(r == HOB_ENOSPC || r == HOB_ENOMEM || r == HOB_EFBIG);
    free(data);
    CHECK_FILE(box, "fine", "x");
    RUN(box, "echo alive", "alive\n");
    hob_sandbox_free(box);
}

static void test_stat(void)
{
    hob_sandbox *box = api_box();
    hob_stat_t st, ls;
    CHECK_EQ(hob_write(box, "f", "12345", 5), 0);
    CHECK_EQ(hob_symlink(box, "f", "l"), 0);
    CHECK_EQ(hob_stat(box, "f", &st), 0);
    CHECK_EQ(st.mode, 0100644);
    CHECK_EQ(st.bytes, 5);
    CHECK_EQ(st.uid, 1000);
    CHECK_EQ(st.gid, 1000);
    CHECK_EQ(st.nlink, 1);
    CHECK(st.ino > 0);
    CHECK_EQ(st.mtime_ns, API_START);
    CHECK_EQ(hob_stat(box, "l", &ls), 0);
    CHECK_EQ(ls.ino, st.ino);
    CHECK_EQ(hob_lstat(box, "l", &ls), 0);
    CHECK_EQ(ls.mode, 0120777);
    CHECK_EQ(ls.bytes, 1);
    RUN(box, "ln f g", "");
    CHECK_EQ(hob_stat(box, "g", &ls), 0);
    CHECK_EQ(ls.nlink, 2);
    CHECK_EQ(ls.ino, st.ino);
    CHECK_EQ(hob_stat(box, "none", &st), HOB_ENOENT);
    CHECK_EQ(hob_lstat(box, "f/x", &st), HOB_ENOTDIR);
    CHECK_EQ(hob_exists(box, "f"), 1);
    CHECK_EQ(hob_exists(box, "none"), 0);
    CHECK_EQ(hob_exists(box, "f/x"), 0);
    CHECK_EQ(hob_exists(box, ""), 0);
    CHECK_EQ(hob_symlink(box, "none", "dangling"), 0);
    CHECK_EQ(hob_exists(box, "dangling"), 0);
    hob_sandbox_free(box);
}

static void test_readdir(void)
{
    hob_sandbox *box = api_box();
    hob_dirent *list;
    size_t n;
    CHECK_EQ(hob_mkdir(box, "d", 0), 0);
    CHECK_EQ(hob_readdir(box, "d", &list, &n), 0);
    CHECK_EQ(n, 0);
    hob_free(list);
    CHECK_EQ(hob_write(box, "d/b", "", 0), 0);
    CHECK_EQ(hob_write(box, "d/.a", "", 0), 0);
    CHECK_EQ(hob_mkdir(box, "d/c", 0), 0);
    CHECK_EQ(hob_symlink(box, "b", "d/B"), 0);
    CHECK_EQ(hob_readdir(box, "d", &list, &n), 0);
    if (CHECK_EQ(n, 4)) {
        CHECK_STR(list[0].name, ".a");
        CHECK_STR(list[1].name, "B");
        CHECK_STR(list[2].name, "b");
        CHECK_STR(list[3].name, "c");
        CHECK_EQ(list[1].mode, 0120000);
        CHECK_EQ(list[2].mode, 0100000);
        CHECK_EQ(list[3].mode, 040000);
    }
    hob_free(list);
    CHECK_EQ(hob_readdir(box, "none", &list, &n), HOB_ENOENT);
    CHECK_EQ(hob_readdir(box, "d/b", &list, &n), HOB_ENOTDIR);
    CHECK_EQ(hob_chmod(box, "d", 0), 0);
    CHECK_EQ(hob_readdir(box, "d", &list, &n), HOB_EACCES);
    CHECK_EQ(hob_readdir(box, "/usr/bin", &list, &n), 0);
    CHECK(n > 10);
    hob_free(list);
    hob_sandbox_free(box);
}

static void test_folders(void)
{
    hob_sandbox *box = api_box();
    CHECK_EQ(hob_mkdir(box, "a", 0), 0);
    CHECK_EQ(hob_mkdir(box, "a", 0), HOB_EEXIST);
    CHECK_EQ(hob_mkdir(box, "a", HOB_RECURSIVE), 0);
    CHECK_EQ(hob_mkdir(box, "x/y/z", 0), HOB_ENOENT);
    CHECK_EQ(hob_mkdir(box, "x/y/z", HOB_RECURSIVE), 0);
    CHECK_EQ(hob_mkdir(box, "/usr/no", 0), HOB_EACCES);
    CHECK_EQ(hob_write(box, "f", "", 0), 0);
    CHECK_EQ(hob_mkdir(box, "f/x", HOB_RECURSIVE), HOB_ENOTDIR);
    CHECK_EQ(hob_mkdir(box, "f", 0), HOB_EEXIST);
    CHECK_EQ(hob_rm(box, "x", 0), HOB_EISDIR);
    CHECK_EQ(hob_rm(box, "x", HOB_RECURSIVE), 0);
    CHECK_EQ(hob_exists(box, "x"), 0);
    CHECK_EQ(hob_rm(box, "f", 0), 0);
    CHECK_EQ(hob_rm(box, "f", 0), HOB_ENOENT);
    CHECK_EQ(hob_rm(box, "f", HOB_FORCE), 0);
    CHECK_EQ(hob_rm(box, "none/x", HOB_RECURSIVE | HOB_FORCE), 0);
    CHECK_EQ(hob_rm(box, "/usr/lib", HOB_RECURSIVE), HOB_EACCES);
    CHECK(hob_rm(box, "/usr", HOB_RECURSIVE) < 0);
    CHECK_EQ(hob_exists(box, "/usr/bin/cat"), 1);
    CHECK(hob_rm(box, "/dev", HOB_RECURSIVE) < 0);
    CHECK_EQ(hob_symlink(box, "a", "link"), 0);
    CHECK_EQ(hob_rm(box, "link", HOB_RECURSIVE), 0); /* the link, not what it points to */
    CHECK_EQ(hob_exists(box, "a"), 1);
    hob_sandbox_free(box);
}

static void test_rename(void)
{
    hob_sandbox *box = api_box();
    CHECK_EQ(hob_write(box, "f", "1", 1), 0);
    CHECK_EQ(hob_write(box, "g", "2", 1), 0);
    CHECK_EQ(hob_rename(box, "f", "g"), 0);
    CHECK_FILE(box, "g", "1");
    CHECK_EQ(hob_exists(box, "f"), 0);
    CHECK_EQ(hob_rename(box, "f", "h"), HOB_ENOENT);
    CHECK_EQ(hob_mkdir(box, "d/e", HOB_RECURSIVE), 0);
    CHECK_EQ(hob_rename(box, "g", "d"), HOB_EISDIR);
    CHECK_EQ(hob_rename(box, "d", "g"), HOB_ENOTDIR);
    CHECK_EQ(hob_rename(box, "d", "d/e/x"), HOB_EINVAL);
    CHECK_EQ(hob_mkdir(box, "full/x", HOB_RECURSIVE), 0);
    CHECK_EQ(hob_rename(box, "d", "full"), HOB_ENOTEMPTY);
    CHECK_EQ(hob_mkdir(box, "empty", 0), 0);
    CHECK_EQ(hob_rename(box, "d", "empty"), 0);
    CHECK_EQ(hob_exists(box, "empty/e"), 1);
    CHECK_EQ(hob_rename(box, "g", "/dev/g"), HOB_EXDEV);
    CHECK_EQ(hob_rename(box, "g", "/usr/g"), HOB_EACCES);
    CHECK_EQ(hob_rename(box, "g", "g"), 0);
    CHECK_EQ(hob_rename(box, "g", "no/such/g"), HOB_ENOENT);
    hob_sandbox_free(box);
}

static void test_links_and_modes(void)
{
    hob_sandbox *box = api_box();
    hob_bytes b;
    hob_stat_t st;
    CHECK_EQ(hob_symlink(box, "any/thing at all", "l"), 0);
    CHECK_EQ(hob_symlink(box, "x", "l"), HOB_EEXIST);
    CHECK_EQ(hob_symlink(box, "x", "no/l"), HOB_ENOENT);
    CHECK_EQ(hob_symlink(box, "x", "/usr/l"), HOB_EACCES);
    CHECK_EQ(hob_symlink(box, "", "e"), HOB_ENOENT);
    CHECK_EQ(hob_readlink(box, "l", &b), 0);
    CHECK_STR(b.data, "any/thing at all");
    hob_free(b.data);
    CHECK_EQ(hob_readlink(box, "none", &b), HOB_ENOENT);
    CHECK_EQ(hob_write(box, "f", "", 0), 0);
    CHECK_EQ(hob_readlink(box, "f", &b), HOB_EINVAL);
    CHECK_EQ(hob_chmod(box, "f", 04751), 0);
    CHECK_EQ(hob_stat(box, "f", &st), 0);
    CHECK_EQ(st.mode, 0104751);
    CHECK_EQ(hob_chmod(box, "f", 0100600), 0); /* the bits of the kind are not looked at */
    CHECK_EQ(hob_stat(box, "f", &st), 0);
    CHECK_EQ(st.mode, 0100600);
    CHECK_EQ(hob_chmod(box, "none", 0600), HOB_ENOENT);
    CHECK_EQ(hob_chmod(box, "/etc/passwd", 0666), HOB_EPERM);
    hob_sandbox_free(box);
}

struct seen {
    char text[512];
    int stop_at, n;
};

static int files_seen(void *ud, const char *path, const hob_stat_t *st)
{
    struct seen *s = ud;
    size_t n = strlen(s->text);
    snprintf(s->text + n, sizeof s->text - n, "%s%s\n", path,
             (st->mode & 0170000) == 040000 ? "/" : "");
    return ++s->n == s->stop_at ? 42 : 0;
}

static void test_walk(void)
{
    hob_sandbox *box = api_box();
    struct seen s = {.n = 0};
    CHECK_EQ(hob_write(box, "t/b/2", "", 0), 0);
    CHECK_EQ(hob_write(box, "t/b/1", "", 0), 0);
    CHECK_EQ(hob_write(box, "t/a", "", 0), 0);
    CHECK_EQ(hob_symlink(box, "..", "t/up"), 0);
    CHECK_EQ(hob_walk(box, "t", files_seen, &s), 0);
    CHECK_STR(s.text, "/home/user/t/\n/home/user/t/a\n/home/user/t/b/\n/home/user/t/b/1\n"
                      "/home/user/t/b/2\n/home/user/t/up\n");
    s = (struct seen){.stop_at = 2};
    CHECK_EQ(hob_walk(box, "t", files_seen, &s), 42);
    CHECK_EQ(s.n, 2);
    CHECK_EQ(hob_walk(box, "none", files_seen, &s), HOB_ENOENT);
    s = (struct seen){.n = 0};
    CHECK_EQ(hob_walk(box, "t/a", files_seen, &s), 0);
    CHECK_STR(s.text, "/home/user/t/a\n");
    CHECK_EQ(hob_walk(box, "/", files_seen, &s), 0);
    CHECK(s.n > 100);
    hob_sandbox_free(box);
}

/* Between two steps the embedder and the script see the same files. */
static void test_beside_a_job(void)
{
    hob_sandbox *box = api_box();
    hob_job *job;
    hob_result res;
    REQUIRE(hob_exec_start(box, "while ! [ -e go ]; do :; done; cat go", NULL, &job, NULL) == 0);
    CHECK_EQ(hob_step(box, 5000), HOB_STEP_MORE);
    CHECK_EQ(hob_write(box, "go", "went\n", HOB_Z), 0);
    while (!hob_job_done(job))
        hob_step(box, 0);
    CHECK_EQ(hob_job_finish(job, &res), 0);
    CHECK_STR(res.out, "went\n");
    hob_result_free(&res);
    hob_sandbox_free(box);
}

UNIT_MAIN(UNIT(test_read_and_write), UNIT(test_read_errors), UNIT(test_endless), UNIT(test_stat),
          UNIT(test_readdir), UNIT(test_folders), UNIT(test_rename), UNIT(test_links_and_modes),
          UNIT(test_walk), UNIT(test_beside_a_job))

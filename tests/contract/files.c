/* files.c -- the file functions of the contract, over every kind of sandbox */
#include "contract.h"

static void read_and_write(hob_sandbox *box, const struct kind *k)
{
    static const char odd[] = "a\0b\r\n\xff\xfe\x80 $(id) 'x' `y` \\ \n\n";
    hob_bytes b = {(char *)1, 1};
    (void)k;
    CHECK_EQ(hob_write(box, "odd", odd, sizeof odd), 0);
    contract_file(box, "odd", odd, sizeof odd, __FILE__, __LINE__);
    CHECK_EQ(hob_write(box, "odd", "short", HOB_Z), 0); /* replaces */
    CHECK_FILE(box, "odd", "short");
    CHECK_EQ(hob_write(box, "empty", NULL, 0), 0);
    CHECK_FILE(box, "empty", "");
    CHECK_EQ(hob_read(box, "missing", &b), HOB_ENOENT);
    CHECK(b.data == NULL && b.len == 0);
    CHECK_EQ(hob_read(box, ".", &b), HOB_EISDIR);
    CHECK_EQ(hob_read(box, "odd/x", &b), HOB_ENOTDIR);
    CHECK_EQ(hob_read(box, "", &b), HOB_ENOENT);
    CHECK_EQ(hob_write(box, ".", "x", 1), HOB_EISDIR);
}

static void parents_are_made(hob_sandbox *box, const struct kind *k)
{
    (void)k;
    CHECK_EQ(hob_write(box, "a/b/c/d", "1", 1), 0);
    CHECK_FILE(box, "a/b/c/d", "1");
    CHECK_EQ(hob_append(box, "e/f", "1", 1), 0);
    CHECK_EQ(hob_append(box, "e/f", "2", 1), 0);
    CHECK_FILE(box, "e/f", "12");
    CHECK_EQ(hob_write(box, "a/b/c/d/e", "1", 1), HOB_ENOTDIR); /* the second error counts */
    CHECK_FILE(box, "a/b/c/d", "1");
}

static void stat_of_links(hob_sandbox *box, const struct kind *k)
{
    hob_stat_t st;
    hob_bytes b;
    (void)k;
    CHECK_EQ(hob_write(box, "d/f", "12345", 5), 0);
    CHECK_EQ(hob_symlink(box, "d/f", "l"), 0);
    CHECK_EQ(hob_symlink(box, "nowhere", "dangling"), 0);
    CHECK_EQ(hob_symlink(box, "x", "l"), HOB_EEXIST);
    CHECK_EQ(hob_stat(box, "l", &st), 0);
    CHECK_EQ(st.mode & 0170000, 0100000);
    CHECK_EQ(st.bytes, 5);
    CHECK(st.mtime_ns > 1600000000 * SECOND && st.mtime_ns < 4000000000 * SECOND);
    CHECK_EQ(hob_lstat(box, "l", &st), 0);
    CHECK_EQ(st.mode & 0170000, 0120000);
    CHECK_EQ(hob_stat(box, "d", &st), 0);
    CHECK_EQ(st.mode & 0170000, 0040000);
    CHECK_EQ(hob_stat(box, "dangling", &st), HOB_ENOENT);
    CHECK_EQ(hob_lstat(box, "dangling", &st), 0);
    CHECK_EQ(hob_stat(box, "missing", &st), HOB_ENOENT);
    CHECK_EQ(hob_stat(box, "d/f/g", &st), HOB_ENOTDIR);
    CHECK_EQ(hob_readlink(box, "l", &b), 0);
    CHECK_STR(b.data, "d/f");
    hob_free(b.data);
    CHECK_EQ(hob_readlink(box, "d/f", &b), HOB_EINVAL);
    CHECK_EQ(hob_readlink(box, "missing", &b), HOB_ENOENT);
    CHECK_EQ(hob_chmod(box, "d/f", 0640), 0);
    CHECK_EQ(hob_stat(box, "d/f", &st), 0);
    CHECK_EQ(st.mode & 07777, 0640);
    CHECK_EQ(hob_chmod(box, "missing", 0640), HOB_ENOENT);
}

static void exists_never_fails(hob_sandbox *box, const struct kind *k)
{
    (void)k;
    CHECK_EQ(hob_write(box, "f", "", 0), 0);
    CHECK_EQ(hob_exists(box, "f"), 1);
    CHECK_EQ(hob_exists(box, "."), 1);
    CHECK_EQ(hob_exists(box, "g"), 0);
    CHECK_EQ(hob_exists(box, "f/g"), 0);
    CHECK_EQ(hob_exists(box, ""), 0);
}

/* TM-LOC-4: names that a shell, a line or a decoder could trip over. */
static const char *const odd_names[] = {"-n",  ".dot",     "..two",      "a b", "a\nb",
                                        "a'b", "\\",       "$(touch x)", "`y`", "\xff\xfe",
                                        "*",   "\xc3\xa4", "\"",         "a;b"};

static void names_of_any_bytes(hob_sandbox *box, const struct kind *k)
{
    enum {
        N = sizeof odd_names / sizeof *odd_names
    };
    hob_dirent *list;
    size_t n, found = 0;
    (void)k;
    CHECK_EQ(hob_mkdir(box, "n", 0), 0);
    for (size_t i = 0; i < N; i++) {
        char path[60], to[60];
        snprintf(path, sizeof path, "n/%s", odd_names[i]);
        snprintf(to, sizeof to, "n/moved %s", odd_names[i]);
        CHECK_EQ(hob_write(box, path, odd_names[i], HOB_Z), 0);
        CHECK_FILE(box, path, odd_names[i]);
        CHECK_EQ(hob_rename(box, path, to), 0);
        CHECK_EQ(hob_exists(box, path), 0);
        CHECK_EQ(hob_rename(box, to, path), 0);
    }
    REQUIRE(hob_readdir(box, "n", &list, &n) == 0);
    CHECK_EQ(n, N);
    for (size_t i = 0; i < n; i++) {
        CHECK(i == 0 || strcmp(list[i - 1].name, list[i].name) < 0); /* sorted */
        CHECK_EQ(list[i].mode, 0100000);
        for (size_t j = 0; j < N; j++)
            found += strcmp(list[i].name, odd_names[j]) == 0;
    }
    CHECK_EQ(found, N);
    hob_free(list);
    for (size_t i = 0; i < N; i++) {
        char path[60];
        snprintf(path, sizeof path, "n/%s", odd_names[i]);
        CHECK_EQ(hob_rm(box, path, 0), 0);
    }
    REQUIRE(hob_readdir(box, "n", &list, &n) == 0);
    CHECK_EQ(n, 0);
    hob_free(list);
}

static void listing_has_types(hob_sandbox *box, const struct kind *k)
{
    static const char *const names[] = {"d", "f", "l"};
    static const uint32_t modes[] = {0040000, 0100000, 0120000};
    hob_dirent *list;
    size_t n;
    (void)k;
    CHECK_EQ(hob_write(box, "t/f", "", 0), 0);
    CHECK_EQ(hob_mkdir(box, "t/d", 0), 0);
    CHECK_EQ(hob_symlink(box, "d", "t/l"), 0);
    REQUIRE(hob_readdir(box, "t/", &list, &n) == 0);
    REQUIRE(n == 3);
    for (size_t i = 0; i < n; i++) {
        CHECK_STR(list[i].name, names[i]);
        CHECK_EQ(list[i].mode, modes[i]);
    }
    hob_free(list);
    CHECK_EQ(hob_readdir(box, "t/l", &list, &n), 0); /* a link to a folder is one */
    CHECK_EQ(n, 0);
    hob_free(list);
    CHECK_EQ(hob_readdir(box, "t/f", &list, &n), HOB_ENOTDIR);
    CHECK_EQ(hob_readdir(box, "missing", &list, &n), HOB_ENOENT);
}

static void mkdir_flags(hob_sandbox *box, const struct kind *k)
{
    (void)k;
    CHECK_EQ(hob_mkdir(box, "a/b", 0), HOB_ENOENT);
    CHECK_EQ(hob_mkdir(box, "a/b", HOB_RECURSIVE), 0);
    CHECK_EQ(hob_mkdir(box, "a/b", HOB_RECURSIVE), 0);
    CHECK_EQ(hob_mkdir(box, "a/b", 0), HOB_EEXIST);
    CHECK_EQ(hob_write(box, "f", "", 0), 0);
    CHECK_EQ(hob_mkdir(box, "f", 0), HOB_EEXIST);
    CHECK(hob_mkdir(box, "f", HOB_RECURSIVE) < 0);
    CHECK(hob_mkdir(box, "f/g", HOB_RECURSIVE) < 0);
}

static void rm_flags(hob_sandbox *box, const struct kind *k)
{
    (void)k;
    CHECK_EQ(hob_write(box, "t/a/b/c", "", 0), 0);
    CHECK_EQ(hob_write(box, "t/x", "", 0), 0);
    CHECK_EQ(hob_write(box, "kept/file", "", 0), 0);
    CHECK_EQ(hob_symlink(box, "../kept", "t/link"), 0);
    CHECK_EQ(hob_rm(box, "missing", 0), HOB_ENOENT);
    CHECK_EQ(hob_rm(box, "missing", HOB_RECURSIVE), HOB_ENOENT);
    CHECK_EQ(hob_rm(box, "missing", HOB_FORCE), 0);
    CHECK_EQ(hob_rm(box, "t", 0), HOB_EISDIR);
    CHECK_EQ(hob_rm(box, "t", HOB_FORCE), HOB_EISDIR);    /* force hides a missing path, no more */
    CHECK_EQ(hob_rm(box, "", HOB_RECURSIVE), HOB_ENOENT); /* not the folder itself */
    CHECK_EQ(hob_rm(box, "", HOB_RECURSIVE | HOB_FORCE), 0);
    CHECK_EQ(hob_exists(box, "t/a/b/c"), 1);
    CHECK_EQ(hob_rm(box, "t/x", 0), 0);
    CHECK_EQ(hob_rm(box, "t", HOB_RECURSIVE), 0);
    CHECK_EQ(hob_exists(box, "t"), 0);
    CHECK_EQ(hob_exists(box, "kept/file"), 1); /* links are removed, not followed */
    CHECK_EQ(hob_symlink(box, "kept", "l"), 0);
    CHECK_EQ(hob_rm(box, "l", 0), 0);
    CHECK_EQ(hob_exists(box, "kept"), 1);
    CHECK_EQ(hob_mkdir(box, "t/deep", HOB_RECURSIVE), 0);
    CHECK_EQ(hob_rm(box, "t", HOB_RECURSIVE | HOB_FORCE), 0);
}

static void rename_as_unix(hob_sandbox *box, const struct kind *k)
{
    (void)k;
    CHECK_EQ(hob_write(box, "f", "f", 1), 0);
    CHECK_EQ(hob_write(box, "g", "g", 1), 0);
    CHECK_EQ(hob_write(box, "d/x", "x", 1), 0);
    CHECK_EQ(hob_mkdir(box, "e", 0), 0);
    CHECK_EQ(hob_rename(box, "missing", "f"), HOB_ENOENT);
    CHECK_EQ(hob_rename(box, "f", "e"), HOB_EISDIR);
    CHECK_EQ(hob_rename(box, "d", "f"), HOB_ENOTDIR);
    CHECK_EQ(hob_rename(box, "e", "d"), HOB_ENOTEMPTY);
    CHECK_EQ(hob_rename(box, "f", "none/f"), HOB_ENOENT);
    CHECK_EQ(hob_rename(box, "f", "g"), 0);
    CHECK_FILE(box, "g", "f");
    CHECK_EQ(hob_exists(box, "f"), 0);
    CHECK_EQ(hob_rename(box, "d", "e"), 0); /* an empty folder gives way */
    CHECK_FILE(box, "e/x", "x");
    CHECK_EQ(hob_symlink(box, "e", "l"), 0);
    CHECK_EQ(hob_rename(box, "g", "l"), 0); /* the link is replaced, its target is not entered */
    CHECK_FILE(box, "l", "f");
}

static void paths_by_the_letter(hob_sandbox *box, const struct kind *k)
{
    hob_bytes b;
    char want[300];
    const char *cwd = hob_sandbox_cwd(box);
    (void)k;
    CHECK_EQ(hob_write(box, "x", "here", 4), 0);
    CHECK_EQ(hob_write(box, "d/sub/y", "y", 1), 0);
    CHECK_EQ(hob_symlink(box, "d/sub", "s"), 0);
    CHECK_FILE(box, "./d/.././/x", "here");
    CHECK_FILE(box, "s/../x", "here"); /* back to where the link stands */
    CHECK_FILE(box, "none/../x", "here");
    CHECK_FILE(box, "x/", "here");
    snprintf(want, sizeof want, "%s/x", cwd);
    CHECK_FILE(box, want, "here");
    snprintf(want, sizeof want, "/../../..%s/x", cwd);
    CHECK_FILE(box, want, "here");
    snprintf(want, sizeof want, "%s/a/c", cwd);
    REQUIRE(hob_resolve(box, "a/./b/..//c/", &b) == 0);
    CHECK_STR(b.data, want);
    hob_free(b.data);
    REQUIRE(hob_resolve(box, "/../a/../..", &b) == 0);
    CHECK_STR(b.data, "/");
    hob_free(b.data);
    CHECK_EQ(hob_resolve(box, "", &b), HOB_ENOENT);
}

static void large_files(hob_sandbox *box, const struct kind *k)
{
    size_t n = (size_t)(k->view ? 200000 : 7000003);
    unsigned char *data = malloc(n);
    hob_bytes b = {0};
    uint32_t x = 1;
    REQUIRE(data != NULL);
    for (size_t i = 0; i < n; i++) {
        x = x * 1664525 + 1013904223;
        data[i] = (unsigned char)(x >> 24);
    }
    CHECK_EQ(hob_write(box, "big", data, n), 0);
    CHECK_EQ(hob_append(box, "big", data, 100000), 0);
    CHECK_EQ(hob_read(box, "big", &b), 0);
    CHECK_EQ(b.len, n + 100000);
    CHECK(b.data && b.len == n + 100000 && memcmp(b.data, data, n) == 0 &&
          memcmp(b.data + n, data, 100000) == 0);
    hob_free(b.data);
    free(data);
}

struct walked {
    char text[400];
    size_t skip;
};

static int walk_one(void *ud, const char *path, const hob_stat_t *st)
{
    struct walked *w = ud;
    size_t n = strlen(w->text);
    snprintf(w->text + n, sizeof w->text - n, "%s%s\n", path + w->skip,
             (st->mode & 0170000) == 0040000 ? "/" : "");
    return strstr(path, "stop") ? 7 : 0;
}

static void walk_in_order(hob_sandbox *box, const struct kind *k)
{
    struct walked w = {.skip = strlen(hob_sandbox_cwd(box)) + 1};
    (void)k;
    CHECK_EQ(hob_write(box, "w/b/2", "", 0), 0);
    CHECK_EQ(hob_write(box, "w/b/.1", "", 0), 0);
    CHECK_EQ(hob_write(box, "w/a", "", 0), 0);
    CHECK_EQ(hob_symlink(box, "b", "w/c"), 0);
    CHECK_EQ(hob_walk(box, "w", walk_one, &w), 0);
    CHECK_STR(w.text, "w/\nw/a\nw/b/\nw/b/.1\nw/b/2\nw/c\n");
    CHECK_EQ(hob_walk(box, "missing", walk_one, &w), HOB_ENOENT);
    CHECK_EQ(hob_write(box, "w/b/stop", "", 0), 0);
    CHECK_EQ(hob_walk(box, "w", walk_one, &w), 7);
}

/* What the shell does and what the functions do is the same place. */
static void shell_and_functions_agree(hob_sandbox *box, const struct kind *k)
{
    (void)k;
    CHECK_EQ(hob_write(box, "from/outside", "one\n", 4), 0);
    RUN(box, "cat from/outside; mkdir -p x; printf two > x/y", 0, "one\n");
    CHECK_FILE(box, "x/y", "two");
}

CONTRACT_MAIN(CASE(read_and_write), CASE(parents_are_made), CASE(stat_of_links),
              CASE(exists_never_fails), CASE(names_of_any_bytes), CASE(listing_has_types),
              CASE(mkdir_flags), CASE(rm_flags), CASE(rename_as_unix), CASE(paths_by_the_letter),
              CASE(large_files), CASE(walk_in_order), CASE(shell_and_functions_agree))

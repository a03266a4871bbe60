/* snapshots.c -- snapshots, restore, fork and the changes between two states */
#include "api.h"

static void test_restore(void)
{
    hob_sandbox *box = api_box();
    hob_snapshot *a, *b;
    RUN(box, "echo 1 > f; mkdir d; echo x > d/x; ln -s f l", "");
    REQUIRE(hob_snapshot_take(box, &a) == 0);
    RUN(box, "echo 2 > f; rm -r d; mkdir e; rm l", "");
    REQUIRE(hob_snapshot_take(box, &b) == 0);
    for (int i = 0; i < 3; i++) { /* any number of times */
        CHECK_EQ(hob_snapshot_restore(box, a), 0);
        RUN(box, "cat f l d/x; ls; echo changed > d/x; rm l", "1\n1\nx\nd\nf\nl\n");
        CHECK_EQ(hob_snapshot_restore(box, b), 0);
        RUN(box, "cat f; ls", "2\ne\nf\n");
    }
    hob_snapshot_free(b);
    hob_sandbox_free(box);
    hob_bytes text; /* outlives the sandbox */
    hob_stat_t st;
    CHECK_EQ(hob_snapshot_read(a, "/home/user/d/x", &text), 0);
    CHECK_STR(text.data, "x\n");
    hob_free(text.data);
    CHECK_EQ(hob_snapshot_read(a, "/home/user/none", &text), HOB_ENOENT);
    CHECK_EQ(hob_snapshot_read(a, "/home/user/d", &text), HOB_EISDIR);
    CHECK_EQ(hob_snapshot_lstat(a, "/home/user/l", &st), 0);
    CHECK_EQ(st.mode & 0170000, 0120000);
    CHECK_EQ(hob_snapshot_lstat(a, "/home/user/f", &st), 0);
    CHECK_EQ(st.bytes, 2);
    CHECK_EQ(hob_snapshot_lstat(a, "/", &st), 0);
    CHECK_EQ(hob_snapshot_lstat(a, "/none", &st), HOB_ENOENT);
    CHECK_EQ(hob_snapshot_lstat(a, "/home/user/f/x", &st) < 0, 1);
    /* A snapshot can be put into another sandbox. */
    box = api_box();
    CHECK_EQ(hob_snapshot_restore(box, a), 0);
    RUN(box, "cat d/x", "x\n");
    hob_sandbox_free(box);
    hob_snapshot_free(a);
    hob_snapshot_free(NULL);
}

static void test_busy(void)
{
    hob_sandbox *box = api_box(), *fork;
    hob_snapshot *snap;
    hob_job *job;
    REQUIRE(hob_snapshot_take(box, &snap) == 0);
    REQUIRE(hob_exec_start(box, "while :; do :; done", NULL, &job, NULL) == 0);
    hob_step(box, 1000);
    CHECK_EQ(hob_snapshot_restore(box, snap), HOB_EBUSY);
    CHECK_EQ(hob_sandbox_fork(box, &fork), HOB_EBUSY);
    CHECK(fork == NULL);
    hob_snapshot *during;
    CHECK_EQ(hob_snapshot_take(box, &during), 0); /* taking one is always allowed */
    hob_snapshot_free(during);
    CHECK_EQ(hob_job_finish(job, NULL), 0);
    CHECK_EQ(hob_snapshot_restore(box, snap), 0);
    hob_snapshot_free(snap);
    hob_sandbox_free(box);
}

static int snapshots_hello(hob_cmd *cmd, void *ud)
{
    hob_cmd_print(cmd, ud);
    return 0;
}

static void test_fork(void) /* TM-INF-5 */
{
    static const char *const env[] = {"MINE=yes", NULL};
    hob_options o = api_options();
    hob_sandbox *box, *fork, *second;
    o.env = env;
    o.user = "ada";
    o.uid = 77;
    o.hostname = "there";
    o.cwd = "/work";
    o.limits.output = 5000;
    REQUIRE(hob_sandbox_new(&o, &box, NULL) == 0);
    CHECK_EQ(hob_command_add(box, "hello", NULL, snapshots_hello, "hello\n"), 0);
    RUN(box, "echo 1 > f; sleep 100", "");
    REQUIRE(hob_sandbox_fork(box, &fork) == 0);
    CHECK_STR(hob_sandbox_cwd(fork), "/work");
    RUN(fork,
        "cat f; echo $MINE $USER $UID $HOSTNAME $PWD; hello; date +%s; whoami 2>/dev/null || echo "
        "ada",
        "1\nyes ada 77 there /work\nhello\n1704164745\nada\n");
    RUN(fork, "echo 2 > f; echo new > g", "");
    RUN(box, "cat f; ls", "1\nf\n");
    REQUIRE(hob_sandbox_fork(fork, &second) == 0);
    hob_sandbox_free(fork); /* forks do not depend on each other */
    hob_sandbox_free(box);
    RUN(second, "cat f g; hello", "2\nnew\nhello\n");
    hob_result res;
    REQUIRE(hob_exec(second, "yes", NULL, &res) == 0);
    CHECK_EQ(res.limit, HOB_LIMIT_OUTPUT);
    CHECK_EQ(res.out_len, 5000);
    hob_result_free(&res);
    hob_sandbox_free(second);
}

static void test_diff(void)
{
    static const struct {
        const char *path;
        int what;
        uint32_t was, is;
    } want[] = {
        {"/home/user/added", HOB_ADDED, 0, 0100644},
        {"/home/user/gone", HOB_REMOVED, 040755, 0},
        {"/home/user/gone/x", HOB_REMOVED, 0100644, 0},
        {"/home/user/kind", HOB_MODIFIED, 0100644, 040755},
        {"/home/user/mode", HOB_MODIFIED, 0100644, 0100600},
        {"/home/user/new", HOB_ADDED, 0, 040755},
        {"/home/user/new/y", HOB_ADDED, 0, 0100644},
        {"/home/user/text", HOB_MODIFIED, 0100644, 0100644},
    };
    hob_sandbox *box = api_box();
    hob_snapshot *a, *b;
    hob_change *list;
    size_t n;
    RUN(box, "mkdir gone; echo x > gone/x; echo > kind; echo > mode; echo 1 > text; echo > same",
        "");
    REQUIRE(hob_snapshot_take(box, &a) == 0);
    CHECK_EQ(hob_snapshot_diff(box, a, NULL, &list, &n), 0);
    CHECK_EQ(n, 0);
    hob_free(list);
    RUN(box,
        "rm -r gone; rm kind; mkdir kind; chmod 600 mode; echo 2 > text; mkdir new; echo y > "
        "new/y; "
        "echo > added; touch same; rm same; echo > same",
        "");
    REQUIRE(hob_snapshot_take(box, &b) == 0);
    for (int round = 0; round < 2; round++) {
        CHECK_EQ(hob_snapshot_diff(box, a, round ? b : NULL, &list, &n), 0);
        CHECK_EQ(n, sizeof want / sizeof *want);
        for (size_t i = 0; i < n && i < sizeof want / sizeof *want; i++) {
            CHECK_STR(list[i].path, want[i].path);
            CHECK_EQ(list[i].what, want[i].what);
            CHECK_EQ(list[i].old_mode, want[i].was);
            CHECK_EQ(list[i].new_mode, want[i].is);
        }
        hob_free(list);
    }
    CHECK_EQ(hob_snapshot_diff(box, b, a, &list, &n), 0); /* and back */
    CHECK_EQ(n, sizeof want / sizeof *want);
    CHECK(n && list[0].what == HOB_REMOVED);
    hob_free(list);
    hob_snapshot_free(a);
    hob_snapshot_free(b);
    hob_sandbox_free(box);
}

/* TM-INF-4: room that is added to a file reads as zeros. */
static void test_holes(void)
{
    hob_sandbox *box = api_box();
    hob_bytes b;
    RUN(box,
        "yes secret | head -c 100000 > f; rm f; : > g; truncate -s 5000 g 2>/dev/null || "
        "head -c 5000 /dev/zero > g",
        "");
    CHECK_EQ(hob_read(box, "g", &b), 0);
    CHECK_EQ(b.len, 5000);
    for (size_t i = 0; i < b.len; i++)
        if (b.data[i]) {
            CHECK(!"a byte is not zero");
            break;
        }
    hob_free(b.data);
    hob_sandbox_free(box);
}

UNIT_MAIN(UNIT(test_restore), UNIT(test_busy), UNIT(test_fork), UNIT(test_diff), UNIT(test_holes))

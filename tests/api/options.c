/* options.c -- what a sandbox is made from: files, environment, names, clocks, seed */
#include "api.h"

static int lazy_calls;

static int options_lazy(void *ud, const char *path, hob_bytes *out)
{
    (void)path;
    lazy_calls++;
    if (!ud)
        return HOB_EIO;
    out->len = strlen(ud);
    out->data = hob_alloc(out->len);
    if (!out->data)
        return HOB_ENOMEM;
    memcpy(out->data, ud, out->len);
    return 0;
}

static void test_defaults(void)
{
    hob_sandbox *box = NULL;
    hob_error err;
    CHECK_EQ(hob_sandbox_new(NULL, &box, &err), 0);
    REQUIRE(box);
    CHECK_EQ(err.code, 0);
    CHECK_STR(hob_sandbox_cwd(box), "/home/user");
    /* TM-INF-1, TM-INF-2: names, zone and language are Hob's own. */
    RUN(box,
        "pwd; echo $HOME $USER $LOGNAME $HOSTNAME; id -u 2>/dev/null || echo $UID; "
        "echo $PATH; date +%Z",
        "/home/user\n/home/user user user hob\n1000\n/usr/local/bin:/usr/bin:/bin\nUTC\n");
    hob_sandbox_free(box);
    CHECK_STR(hob_version(), HOB_VERSION);
}

static void test_names(void)
{
    static const char *const env[] = {"A=1", "B=x y", "PATH=/usr/bin", "EMPTY=", NULL};
    hob_options o = api_options();
    hob_sandbox *box;
    o.user = "ada";
    o.uid = 501;
    o.gid = 20;
    o.hostname = "engine";
    o.env = env;
    o.cwd = "/work/here";
    REQUIRE(hob_sandbox_new(&o, &box, NULL) == 0);
    CHECK_STR(hob_sandbox_cwd(box), "/work/here");
    RUN(box, "pwd; echo $USER $UID $HOSTNAME $HOME; echo \"$A|$B|$PATH|$EMPTY|${EMPTY+set}\"",
        "/work/here\nada 501 engine /home/ada\n1|x y|/usr/bin||set\n");
    RUN(box, "echo mine > f; cat f", "mine\n"); /* the folder belongs to the user */
    hob_stat_t st;
    CHECK_EQ(hob_stat(box, "f", &st), 0);
    CHECK_EQ(st.uid, 501);
    CHECK_EQ(st.gid, 20);
    hob_sandbox_free(box);
}

static void test_files(void)
{
    static const char borrowed[] = "borrowed bytes";
    const hob_file files[] = {
        {.path = "plain", .data = "text", .len = HOB_Z},
        {.path = "bytes", .data = "a\0b", .len = 3, .mode = 0600},
        {.path = "/opt/deep/er/run", .data = "echo ran", .len = HOB_Z, .mode = 0755},
        {.path = "dir", .kind = HOB_DIR},
        {.path = "closed", .kind = HOB_DIR, .mode = 0700},
        {.path = "link", .data = "plain", .len = HOB_Z, .kind = HOB_SYMLINK},
        {.path = "static", .data = borrowed, .len = sizeof borrowed - 1, .kind = HOB_FILE_STATIC},
        {.path = "lazy", .kind = HOB_LAZY, .read = options_lazy, .ud = (void *)"came late"},
        {.path = "never", .kind = HOB_LAZY, .read = options_lazy},
        {.path = "empty"},
    };
    hob_options o = api_options();
    hob_sandbox *box;
    o.files = files;
    o.nfiles = sizeof files / sizeof *files;
    lazy_calls = 0;
    REQUIRE(hob_sandbox_new(&o, &box, NULL) == 0);
    CHECK_EQ(lazy_calls, 0);
    CHECK_FILE(box, "plain", "text");
    CHECK_FILE(box, "link", "text");
    CHECK_FILE(box, "static", borrowed);
    CHECK_FILE(box, "empty", "");
    RUN(box, "/opt/deep/er/run; wc -c < bytes", "ran\n3\n");
    CHECK_EQ(lazy_calls, 0);
    RUN(box, "cat lazy; echo; cat lazy; echo", "came late\ncame late\n");
    CHECK_EQ(lazy_calls, 1);
    hob_bytes b;
    CHECK_EQ(hob_read(box, "never", &b), HOB_EIO);
    hob_stat_t st;
    CHECK_EQ(hob_stat(box, "bytes", &st), 0);
    CHECK_EQ(st.mode, 0100600);
    CHECK_EQ(hob_stat(box, "dir", &st), 0);
    CHECK_EQ(st.mode, 040755);
    CHECK_EQ(hob_stat(box, "closed", &st), 0);
    CHECK_EQ(st.mode, 040700);
    CHECK_EQ(hob_lstat(box, "link", &st), 0);
    CHECK_EQ(st.mode & 0170000, 0120000);
    /* What is changed is changed in the sandbox alone. */
    RUN(box, "echo more >> static; echo new > lazy; cat static lazy", "borrowed bytesmore\nnew\n");
    CHECK_STR(borrowed, "borrowed bytes");
    hob_sandbox_free(box);
}

static void test_refused(void)
{
    static const struct {
        hob_file file;
        int want;
    } bad[] = {
        {{.path = NULL}, HOB_EINVAL},
        {{.path = "x", .kind = 99}, HOB_EINVAL},
        {{.path = "x", .kind = HOB_LAZY}, HOB_EINVAL},
        {{.path = "/"}, HOB_EISDIR},
        {{.path = "/etc/passwd/x", .data = "", .len = 0}, HOB_ENOTDIR},
    };
    hob_options o = api_options();
    hob_sandbox *box = (void *)1;
    hob_error err;
    o.nfiles = 1;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        o.files = &bad[i].file;
        CHECK_EQ(hob_sandbox_new(&o, &box, &err), bad[i].want);
        CHECK(box == NULL);
        CHECK_EQ(err.code, bad[i].want);
        CHECK(err.msg[0]);
    }
    o = api_options();
    o.size = 0;
    CHECK_EQ(hob_sandbox_new(&o, &box, &err), HOB_EINVAL);
    o = api_options();
    o.user = "a/b";
    CHECK_EQ(hob_sandbox_new(&o, &box, &err), HOB_EINVAL);
    o.user = "";
    CHECK_EQ(hob_sandbox_new(&o, &box, NULL), HOB_EINVAL);
    o = api_options();
    o.hostname = "";
    CHECK_EQ(hob_sandbox_new(&o, &box, &err), HOB_EINVAL);
    o = api_options();
    o.limits.memory = 1000; /* too little for a sandbox at all */
    CHECK_EQ(hob_sandbox_new(&o, &box, &err), HOB_ENOMEM);
    CHECK(box == NULL);
    hob_sandbox_free(NULL);
}

static void test_virtual_clock(void)
{
    hob_sandbox *box = api_box();
    hob_result res;
    REQUIRE(hob_exec(box, "date +%s; sleep 3600; date +%s; echo $SECONDS", NULL, &res) == 0);
    CHECK_STR(res.out, "1704164645\n1704168245\n3600\n");
    CHECK_EQ(res.time_ns, 3600LL * 1000000000);
    hob_result_free(&res);
    RUN(box, "date +%s", "1704168245\n"); /* it does not move by itself */
    hob_sandbox_free(box);
}

/* What never sleeps meets its timeout too, after the same work each time. */
static void test_virtual_timeout(void)
{
    static const char script[] = "n=0; timeout 2 bash -c 'while :; do :; done'; echo $?; date +%s";
    for (int i = 0; i < 2; i++) {
        hob_sandbox *box = api_box();
        hob_result res;
        hob_exec_options o = API_EXEC;
        REQUIRE(hob_exec(box, script, NULL, &res) == 0);
        CHECK_STR(res.out, "124\n1704164647\n");
        hob_result_free(&res);
        o.timeout_ns = 3LL * 1000000000;
        REQUIRE(hob_exec(box, "while :; do :; done", &o, &res) == 0);
        CHECK_EQ(res.limit, HOB_LIMIT_TIME);
        CHECK(res.time_ns >= o.timeout_ns && res.time_ns < o.timeout_ns + 1000000);
        hob_result_free(&res);
        hob_sandbox_free(box);
    }
}

static void test_real_clock(void)
{
    hob_sandbox *box;
    hob_result res;
    REQUIRE(hob_sandbox_new(NULL, &box, NULL) == 0);
    REQUIRE(hob_exec(box, "sleep 0.05", NULL, &res) == 0);
    CHECK(res.time_ns >= 50000000 && res.time_ns < 20000000000);
    hob_result_free(&res);
    RUN(box, "timeout 0.05 bash -c 'while :; do :; done'; echo $?", "124\n");
    hob_sandbox_free(box);
}

/* One seed, one run: byte for byte. Another seed, another. */
static void test_seed(void)
{
    static const char script[] =
        "echo $RANDOM $SRANDOM; mktemp -u; head -c 8 /dev/urandom | wc -c; "
        "head -c 16 /dev/urandom; echo $$";
    hob_result res[3];
    for (int i = 0; i < 3; i++) {
        hob_options o = api_options();
        hob_sandbox *box;
        o.seed = i == 2 ? 8 : 7;
        REQUIRE(hob_sandbox_new(&o, &box, NULL) == 0);
        REQUIRE(hob_exec(box, script, NULL, &res[i]) == 0);
        hob_sandbox_free(box);
    }
    CHECK_MEM(res[0].out, res[0].out_len, res[1].out, res[1].out_len);
    CHECK(strcmp(res[0].out, res[2].out) != 0);
    for (int i = 0; i < 3; i++)
        hob_result_free(&res[i]);
}

static void test_errors_have_names(void)
{
    CHECK_STR(hob_error_name(HOB_ENOENT), "ENOENT");
    CHECK_STR(hob_error_text(HOB_ENOENT), "No such file or directory");
    CHECK_STR(hob_error_name(HOB_ELIMIT), "ELIMIT");
    CHECK(hob_error_name(-9999) != NULL);
    CHECK(hob_error_text(-9999) != NULL);
    CHECK(hob_error_text(5) != NULL);
}

UNIT_MAIN(UNIT(test_defaults), UNIT(test_names), UNIT(test_files), UNIT(test_refused),
          UNIT(test_virtual_clock), UNIT(test_virtual_timeout), UNIT(test_real_clock),
          UNIT(test_seed), UNIT(test_errors_have_names))

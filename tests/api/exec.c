/* exec.c -- every option of a call */
#include "api.h"

static void test_folder_and_environment(void)
{
    static const char *const add[] = {"NEW=1", "USER=other", "LANG", NULL};
    static const char *const whole[] = {"ONLY=this", NULL};
    hob_sandbox *box = api_box();
    hob_exec_options o = API_EXEC;
    CHECK_EQ(hob_mkdir(box, "sub", 0), 0);
    o.cwd = "sub";
    RUN_WITH(box, "pwd", &o, 0, "/home/user/sub\n", "");
    o.cwd = "/tmp";
    RUN_WITH(box, "pwd", &o, 0, "/tmp\n", "");
    hob_result res;
    o.cwd = "/no/such";
    CHECK_EQ(hob_exec(box, "pwd", &o, &res), HOB_ENOENT);
    o.cwd = "/etc/passwd";
    CHECK_EQ(hob_exec(box, "pwd", &o, &res), HOB_ENOTDIR);
    hob_job *job;
    hob_error err;
    CHECK_EQ(hob_exec_start(box, "pwd", &o, &job, &err), HOB_ENOTDIR);
    CHECK(job == NULL && strstr(err.msg, "/etc/passwd"));
    o.cwd = NULL;
    o.env = add;
    RUN_WITH(box, "echo $NEW $USER ${LANG-gone} $HOME", &o, 0, "1 other gone /home/user\n", "");
    o.env = whole;
    o.replace_env = 1;
    RUN_WITH(box, "env | grep -v ^_ | sort 2>/dev/null || env", &o, 0, NULL, NULL);
    RUN_WITH(box, "echo $ONLY ${USER-none} ${LANG-none}", &o, 0, "this none none\n", "");
    RUN(box, "echo ${ONLY-none} $USER", "none user\n");
    hob_sandbox_free(box);
}

struct feed {
    const char *text;
    int again; /* so many times there is nothing yet */
    int fail;
};

static ptrdiff_t exec_feed(void *ud, void *dst, size_t cap)
{
    struct feed *f = ud;
    if (f->again > 0 && f->again--)
        return HOB_EAGAIN;
    if (!*f->text)
        return f->fail;
    size_t n = strlen(f->text);
    n = n > 3 ? 3 : n;
    n = n > cap ? cap : n;
    memcpy(dst, f->text, n);
    f->text += n;
    return (ptrdiff_t)n;
}

static void test_input(void)
{
    hob_sandbox *box = api_box();
    hob_exec_options o = API_EXEC;
    RUN(box, "cat; echo end", "end\n");
    o.input = "a\0b\n";
    o.input_len = 4;
    hob_result res;
    REQUIRE(hob_exec(box, "cat", &o, &res) == 0);
    CHECK_MEM(res.out, res.out_len, "a\0b\n", 4);
    hob_result_free(&res);
    o.input = "one\ntwo\n";
    o.input_len = 8;
    RUN_WITH(box, "read x; echo \"got $x\"; cat", &o, 0, "got one\ntwo\n", "");
    struct feed f = {.text = "hello\nworld\n"};
    o = (hob_exec_options)API_EXEC;
    o.read = exec_feed;
    o.read_ud = &f;
    RUN_WITH(box, "read x; echo \"<$x>\"; cat", &o, 0, "<hello>\nworld\n", "");
    f = (struct feed){.text = "late\n", .again = 3};
    RUN_WITH(box, "cat", &o, 0, "late\n", "");
    f = (struct feed){.text = "x\n", .fail = HOB_EIO};
    RUN_WITH(box, "cat", &o, 1, "x\n", "cat: -: Input/output error\n");
    hob_sandbox_free(box);
}

/* Nothing is read that nobody asks for. */
/* No input is /dev/null; an empty one is a pipe that has ended. */
static void test_input_kind(void)
{
    hob_sandbox *box = api_box();
    hob_exec_options o = API_EXEC;
    const char *script = "test -c /dev/stdin; echo $?; test -p /dev/stdin; echo $?; cat";
    api_run(box, script, &o, 0, "0\n1\n", "", __FILE__, __LINE__);
    o.input = "";
    api_run(box, script, &o, 0, "1\n0\n", "", __FILE__, __LINE__);
    hob_sandbox_free(box);
}

static void test_input_is_lazy(void)
{
    hob_sandbox *box = api_box();
    hob_exec_options o = API_EXEC;
    struct feed f = {.text = "never"};
    o.read = exec_feed;
    o.read_ud = &f;
    RUN_WITH(box, "echo hi", &o, 0, "hi\n", "");
    CHECK_STR(f.text, "never");
    hob_sandbox_free(box);
}

static void test_words(void)
{
    static const char *const argv[] = {"echo", "a  b", "$HOME", "*", "", NULL};
    static const char *const missing[] = {"no-such-command", NULL};
    static const char *const none[] = {NULL};
    static const char *const args[] = {"one", "two words", "", NULL};
    hob_sandbox *box = api_box();
    hob_exec_options o = API_EXEC;
    hob_result res;
    o.argv = argv;
    RUN_WITH(box, NULL, &o, 0, "a  b $HOME * \n", "");
    o.argv = missing;
    RUN_WITH(box, NULL, &o, 127, "", NULL);
    o.argv = none;
    CHECK_EQ(hob_exec(box, NULL, &o, &res), HOB_EINVAL);
    o.argv = NULL;
    o.args = args;
    o.name = "tool";
    RUN_WITH(box, "echo $0 $# \"$1|$2|$3\"", &o, 0, "tool 3 one|two words|\n", "");
    RUN_WITH(box, "no-such", &o, 127, "", "tool: line 1: no-such: command not found\n");
    RUN(box, "echo $0 $#", "bash 0\n");
    hob_sandbox_free(box);
}

static void test_script_length(void)
{
    hob_sandbox *box = api_box();
    hob_exec_options o = API_EXEC;
    o.script_len = 7;
    RUN_WITH(box, "echo ab; echo cut", &o, 0, "ab\n", "");
    o.script_len = HOB_Z;
    RUN_WITH(box, "echo ab", &o, 0, "ab\n", "");
    /* A NUL in a script does not end the program: it runs, or is refused with a status. */
    hob_result res;
    o.script_len = 13;
    REQUIRE(hob_exec(box, "echo a\0b\necho", &o, &res) == 0);
    CHECK(res.status >= 0 && res.status < 256);
    hob_result_free(&res);
    RUN(box, "", "");
    RUN_WITH(box, "echo 'open", NULL, 2, "", NULL);
    hob_sandbox_free(box);
}

struct got {
    char text[256];
    size_t n;
    int calls, fail_at;
};

static int exec_take(void *ud, int stream, const void *data, size_t len)
{
    struct got *g = ud;
    if (++g->calls == g->fail_at)
        return HOB_ECANCELED;
    if (g->n + len + 2 < sizeof g->text) {
        g->text[g->n++] = stream == HOB_STDOUT ? 'o' : 'e';
        memcpy(g->text + g->n, data, len);
        g->n += len;
    }
    return 0;
}

static void test_output(void)
{
    hob_sandbox *box = api_box();
    hob_exec_options o = API_EXEC;
    struct got g = {.n = 0};
    hob_result res;
    o.output = exec_take;
    o.output_ud = &g;
    REQUIRE(hob_exec(box, "echo 1; echo 2 >&2; echo 3", &o, &res) == 0);
    CHECK_STR(g.text, "o1\ne2\no3\n");
    CHECK_EQ(res.out_len + res.err_len, 0);
    CHECK(res.out && res.err);
    hob_result_free(&res);
    o.merge = 1;
    g = (struct got){.n = 0};
    RUN_WITH(box, "echo 1; echo 2 >&2", &o, 0, "", "");
    CHECK_STR(g.text, "o1\no2\n");
    g = (struct got){.fail_at = 2};
    CHECK_EQ(hob_exec(box, "trap '' PIPE; while :; do echo x; done", &o, &res), HOB_ECANCELED);
    CHECK_EQ(g.calls, 2); /* the callback that failed is not called again */
    hob_result_free(&res);
    RUN(box, "echo on", "on\n");
    o = (hob_exec_options)API_EXEC;
    o.merge = 1;
    RUN_WITH(box, "echo 1; echo 2 >&2; echo 3", &o, 0, "1\n2\n3\n", "");
    hob_sandbox_free(box);
}

static void test_terminal(void)
{
    static const char script[] = "for i in 0 1 2; do [ -t $i ] && echo $i; done; true";
    hob_sandbox *box = api_box();
    hob_exec_options o = API_EXEC;
    struct feed f = {.text = ""};
    RUN(box, script, "");
    o.tty = 1;
    o.read = exec_feed;
    o.read_ud = &f;
    RUN_WITH(box, script, &o, 0, "0\n1\n2\n", "");
    RUN_WITH(box, "for i in 0 1 2; do [ -t $i ] && echo $i; done | cat; true", &o, 0, "0\n2\n", "");
    o.read = NULL;
    RUN_WITH(box, "[ -t 0 ]; echo $?", &o, 0, "0\n", "");
    hob_sandbox_free(box);
}

/* Only files outlive a call. */
static void test_fresh_each_time(void)
{
    hob_sandbox *box = api_box();
    RUN(box,
        "x=1; export Y=2; f() { :; }; cd /tmp; alias l=ls; set -u; trap 'echo t' EXIT; echo f > f",
        "t\n");
    RUN_WITH(box, "echo ${x-no} ${Y-no} $PWD $-; cat /tmp/f; f", NULL, 127, NULL, NULL);
    CHECK_FILE(box, "/tmp/f", "f\n");
    hob_sandbox_free(box);
}

static void test_misuse(void)
{
    hob_sandbox *box = api_box();
    hob_exec_options o = API_EXEC;
    hob_result res;
    hob_job *job;
    hob_error err;
    CHECK_EQ(hob_exec(box, NULL, NULL, &res), HOB_EINVAL);
    o.size = 3;
    CHECK_EQ(hob_exec(box, "echo", &o, &res), HOB_EINVAL);
    CHECK_EQ(hob_exec_start(box, "echo", &o, &job, &err), HOB_EINVAL);
    CHECK(job == NULL);
    CHECK(err.msg[0]);
    CHECK_EQ(hob_exec_start(box, NULL, NULL, &job, NULL), HOB_EINVAL);
    CHECK_EQ(hob_exec(box, "exit 3", NULL, NULL), 0); /* the result is not wanted */
    hob_sandbox_free(box);
}

UNIT_MAIN(UNIT(test_folder_and_environment), UNIT(test_input), UNIT(test_input_kind),
          UNIT(test_input_is_lazy), UNIT(test_words), UNIT(test_script_length), UNIT(test_output),
          UNIT(test_terminal), UNIT(test_fresh_each_time), UNIT(test_misuse))

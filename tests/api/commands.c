/* commands.c -- commands of the embedder */
#include "api.h"

static int commands_show(hob_cmd *cmd, void *ud)
{
    (void)ud;
    char line[300];
    for (int i = 0; i < hob_cmd_argc(cmd); i++) {
        snprintf(line, sizeof line, "%d=%s\n", i, hob_cmd_arg(cmd, i));
        hob_cmd_print(cmd, line);
    }
    CHECK(hob_cmd_arg(cmd, -1) == NULL);
    CHECK(hob_cmd_arg(cmd, hob_cmd_argc(cmd)) == NULL);
    const char *v = hob_cmd_getenv(cmd, "V");
    snprintf(line, sizeof line, "V=%s cwd=%s\n", v ? v : "(none)", hob_cmd_cwd(cmd));
    hob_cmd_print(cmd, line);
    return 3;
}

/* Upper case of stdin, as a stage of a pipe. */
static int commands_upper(hob_cmd *cmd, void *ud)
{
    char buf[7];
    ptrdiff_t n;
    size_t *total = ud;
    while ((n = hob_cmd_read(cmd, buf, sizeof buf)) > 0) {
        for (ptrdiff_t i = 0; i < n; i++)
            if (buf[i] >= 'a' && buf[i] <= 'z')
                buf[i] = (char)(buf[i] - 32);
        if (hob_cmd_write(cmd, buf, (size_t)n) < 0)
            return 1;
        if (total)
            *total += (size_t)n;
    }
    return n < 0;
}

static int commands_complain(hob_cmd *cmd, void *ud)
{
    (void)ud;
    CHECK_EQ(hob_cmd_error(cmd, "went wrong\n", HOB_Z), 0);
    CHECK_EQ(hob_cmd_error(cmd, "xyz", 1), 0);
    CHECK_EQ(hob_cmd_write(cmd, "out\n", HOB_Z), 0);
    return 300; /* 300 & 255 */
}

static int commands_exec(hob_cmd *cmd, void *ud)
{
    (void)ud;
    int r = hob_cmd_exec(cmd, hob_cmd_argc(cmd) > 1 ? hob_cmd_arg(cmd, 1) : "echo nothing");
    return r < 0 ? 99 : r;
}

/* File functions work inside a command, running scripts with hob_exec() does not. */
static int commands_files(hob_cmd *cmd, void *ud)
{
    (void)ud;
    hob_sandbox *box = hob_cmd_sandbox(cmd), *fork;
    hob_result res;
    hob_snapshot *snap;
    CHECK_EQ(hob_write(box, "made", "by a command\n", HOB_Z), 0);
    CHECK_EQ(hob_exec(box, "echo", NULL, &res), HOB_EMISUSE);
    CHECK_EQ(hob_step(box, 0), HOB_EMISUSE);
    CHECK_EQ(hob_sandbox_fork(box, &fork), HOB_EBUSY);
    CHECK_EQ(hob_snapshot_take(box, &snap), 0);
    CHECK_EQ(hob_snapshot_restore(box, snap), HOB_EBUSY);
    hob_snapshot_free(snap);
    return 0;
}

static int commands_never(hob_cmd *cmd, void *ud)
{
    (void)ud;
    while (hob_cmd_print(cmd, "again\n") == 0)
        ;
    return 1;
}

static void test_arguments(void)
{
    hob_sandbox *box = api_box();
    CHECK_EQ(hob_command_add(box, "show", "Shows what it got.", commands_show, NULL), 0);
    RUN_WITH(box, "cd /tmp; V=1 show a 'b c' ''", NULL, 3, "0=show\n1=a\n2=b c\n3=\nV=1 cwd=/tmp\n",
             "");
    RUN_WITH(box, "V=2; show --help -x", NULL, 3, NULL, "");
    RUN(box, "type -t show; ls /usr/bin/show; /usr/bin/show > f; head -n 1 f",
        "file\n/usr/bin/show\n0=/usr/bin/show\n");
    hob_sandbox_free(box);
}

static void test_streams(void)
{
    hob_sandbox *box = api_box();
    size_t total = 0;
    CHECK_EQ(hob_command_add(box, "upper", NULL, commands_upper, &total), 0);
    CHECK_EQ(hob_command_add(box, "complain", NULL, commands_complain, NULL), 0);
    CHECK_EQ(hob_command_add(box, "never", NULL, commands_never, NULL), 0);
    RUN(box, "echo hello | upper | cat; upper <<< text; echo $(echo sub | upper)",
        "HELLO\nTEXT\nSUB\n");
    RUN(box, "seq 1 100000 | upper | tail -n 1", "100000\n");
    CHECK(total > 500000);
    RUN_WITH(box, "complain", NULL, 44, "out\n", "went wrong\nx");
    RUN_WITH(box, "complain 2>/dev/null && echo yes || echo no", NULL, 0, "out\nno\n", "");
    RUN(box, "never | head -n 2", "again\nagain\n");
    RUN(box, "upper < /dev/null; echo x | upper > f; cat f", "X\n");
    hob_exec_options o = API_EXEC;
    o.input = "given";
    o.input_len = 5;
    RUN_WITH(box, "upper", &o, 0, "GIVEN", "");
    hob_sandbox_free(box);
}

static void test_exec(void)
{
    hob_sandbox *box = api_box();
    CHECK_EQ(hob_command_add(box, "run", NULL, commands_exec, NULL), 0);
    CHECK_EQ(hob_command_add(box, "files", NULL, commands_files, NULL), 0);
    RUN(box, "run 'echo a; echo b' | cat", "a\nb\n");
    RUN_WITH(box, "run 'exit 6'", NULL, 6, "", "");
    RUN(box, "x=1; run 'x=2; cd /; echo $x'; echo $x $PWD", "2\n1 /home/user\n");
    RUN(box, "echo in | run cat", "in\n");
    RUN(box, "run \"run 'echo deep'\"", "deep\n");
    RUN(box, "files; cat made", "by a command\n");
    hob_sandbox_free(box);
}

static int commands_one(hob_cmd *cmd, void *ud)
{
    hob_cmd_print(cmd, ud);
    return 0;
}

/* A command that replaces and removes itself while it runs. */
static int commands_suicide(hob_cmd *cmd, void *ud)
{
    (void)ud;
    hob_sandbox *box = hob_cmd_sandbox(cmd);
    CHECK_EQ(hob_command_add(box, "me", NULL, commands_one, "replaced\n"), 0);
    hob_cmd_print(cmd, hob_cmd_arg(cmd, 0));
    CHECK_EQ(hob_command_add(box, "me", NULL, NULL, NULL), 0);
    hob_cmd_print(cmd, "\n");
    return 0;
}

static void test_registry(void)
{
    hob_sandbox *box = api_box();
    char name[300];
    CHECK_EQ(hob_command_add(box, "one", NULL, commands_one, "first\n"), 0);
    RUN(box, "one", "first\n");
    CHECK_EQ(hob_command_add(box, "one", "Another.", commands_one, "second\n"), 0);
    RUN(box, "one", "second\n");
    CHECK_EQ(hob_command_add(box, "one", NULL, NULL, NULL), 0);
    RUN_WITH(box, "one", NULL, 127, "", NULL);
    CHECK_EQ(hob_command_add(box, "one", NULL, NULL, NULL), HOB_ENOENT);
    CHECK_EQ(hob_command_add(box, "seq", NULL, commands_one, "mine\n"), 0); /* hides Hob's own */
    RUN(box, "seq 3", "mine\n");
    CHECK_EQ(hob_command_add(box, "seq", NULL, NULL, NULL), 0);
    RUN(box, "seq 1", "1\n");
    CHECK_EQ(hob_command_add(box, "", NULL, commands_one, NULL), HOB_EINVAL);
    CHECK_EQ(hob_command_add(box, "a/b", NULL, commands_one, NULL), HOB_EINVAL);
    memset(name, 'n', sizeof name);
    name[299] = '\0';
    CHECK_EQ(hob_command_add(box, name, NULL, commands_one, NULL), HOB_EINVAL);
    CHECK_EQ(hob_command_add(box, "me", NULL, commands_suicide, NULL), 0);
    RUN(box, "me", "me\n");
    RUN_WITH(box, "me", NULL, 127, "", NULL);
    hob_sandbox_free(box);
}

static void test_ended(void) /* a command that does not stop by itself */
{
    hob_sandbox *box = api_box();
    hob_exec_options o = API_EXEC;
    hob_result res;
    CHECK_EQ(hob_command_add(box, "never", NULL, commands_never, NULL), 0);
    o.fuel = 20000;
    REQUIRE(hob_exec(box, "never > /dev/null", &o, &res) == 0);
    CHECK_EQ(res.limit, HOB_LIMIT_FUEL);
    hob_result_free(&res);
    RUN(box, "echo on", "on\n");
    hob_sandbox_free(box);
}

UNIT_MAIN(UNIT(test_arguments), UNIT(test_streams), UNIT(test_exec), UNIT(test_registry),
          UNIT(test_ended))

/* shell.c -- a shell that stays: state, errors, exit, prompt, completion */
#include "api.h"

static hob_shell *shell_of(hob_sandbox *box, const hob_exec_options *opt)
{
    hob_shell *sh = NULL;
    hob_error err;
    if (!CHECK_EQ(hob_shell_open(box, opt, &sh, &err), 0)) {
        printf("# %s\n", err.msg);
        exit(1);
    }
    return sh;
}

static void shell_run(hob_shell *sh, const char *script, const hob_exec_options *opt, int status,
                      const char *out, const char *err, int line)
{
    hob_result res;
    if (!unit_equal(hob_shell_exec(sh, script, opt, &res), 0, __FILE__, line, script))
        return;
    unit_equal(res.status, status, __FILE__, line, script);
    unit_string(res.out, out, __FILE__, line, script);
    if (err)
        unit_string(res.err, err, __FILE__, line, script);
    hob_result_free(&res);
}
#define SH(sh, script, status, out) shell_run(sh, script, NULL, status, out, "", __LINE__)

static void test_state(void)
{
    hob_sandbox *box = api_box();
    hob_shell *sh = shell_of(box, NULL), *other = shell_of(box, NULL);
    CHECK_STR(hob_shell_cwd(sh), "/home/user");
    SH(sh, "x=1; export E=2; a=(1 2 3); declare -A m=([k]=v); f() { echo \"f $x\"; }", 0, "");
    SH(sh, "mkdir -p /tmp/d; cd /tmp/d; umask 077", 0, "");
    CHECK_STR(hob_shell_cwd(sh), "/tmp/d");
    CHECK_STR(hob_shell_cwd(other), "/home/user");
    CHECK_STR(hob_sandbox_cwd(box), "/home/user");
    SH(sh, "f; echo $x $E ${a[2]} ${m[k]} $PWD; umask", 0, "f 1\n1 2 3 v /tmp/d\n0077\n");
    SH(sh, "false", 1, "");
    SH(sh, "echo $?", 0, "1\n");
    SH(sh, "(exit 7)", 7, "");
    SH(sh, "set -o noglob; shopt -s nullglob; alias hi='echo hi'; shopt -s expand_aliases", 0, "");
    SH(sh, "hi; echo *; shopt -q nullglob; echo $?", 0, "hi\n*\n0\n");
    SH(other, "echo ${x-none} ${E-none} $PWD", 0, "none none /home/user\n");
    SH(sh, "exec 5> log; echo to the log >&5", 0, "");
    SH(sh, "echo more >&5; exec 5>&-; cat log", 0, "to the log\nmore\n");
    hob_shell_close(sh);
    SH(other, "echo still", 0, "still\n");
    hob_sandbox_free(box); /* closes what is open */
}

/* An error, a signal or a limit ends the line and not the shell. */
static void test_errors(void)
{
    hob_sandbox *box = api_box();
    hob_shell *sh = shell_of(box, NULL);
    hob_exec_options o = API_EXEC;
    hob_result res;
    SH(sh, "x=kept", 0, "");
    shell_run(sh, "if then", NULL, 2, "", NULL, __LINE__);
    shell_run(sh, "no-such", NULL, 127, "", NULL, __LINE__);
    shell_run(sh, "echo ${y?missing}; echo not reached", NULL, 1, "", NULL, __LINE__);
    CHECK_EQ(hob_shell_exited(sh), 0);
    o.timeout_ns = 1000000000;
    REQUIRE(hob_shell_exec(sh, "sleep 100", &o, &res) == 0);
    CHECK_EQ(res.status, 124);
    CHECK_EQ(res.limit, HOB_LIMIT_TIME);
    hob_result_free(&res);
    o = (hob_exec_options)API_EXEC;
    o.fuel = 10000;
    REQUIRE(hob_shell_exec(sh, "while :; do :; done", &o, &res) == 0);
    CHECK_EQ(res.limit, HOB_LIMIT_FUEL);
    hob_result_free(&res);
    REQUIRE(hob_shell_exec(sh, "f() { f; }; f", NULL, &res) == 0);
    CHECK_EQ(res.limit, HOB_LIMIT_STACK);
    hob_result_free(&res);
    SH(sh, "echo $x", 0, "kept\n");
    CHECK_EQ(hob_shell_exited(sh), 0);
    hob_sandbox_free(box);
}

static void test_exit(void)
{
    hob_sandbox *box = api_box();
    hob_shell *sh = shell_of(box, NULL);
    hob_result res;
    hob_job *job;
    hob_error err;
    SH(sh, "trap 'echo bye' EXIT", 0, "");
    SH(sh, "echo a; exit 5; echo b", 5, "a\nbye\n");
    CHECK_EQ(hob_shell_exited(sh), 1);
    CHECK_EQ(hob_shell_exec(sh, "echo", NULL, &res), HOB_EBUSY);
    CHECK_EQ(hob_shell_exec_start(sh, "echo", NULL, &job, &err), HOB_EBUSY);
    CHECK(job == NULL && err.msg[0]);
    hob_shell_close(sh);
    sh = shell_of(box, NULL);
    SH(sh, "set -e; true", 0, "");
    SH(sh, "false; echo not reached", 1, "");
    CHECK_EQ(hob_shell_exited(sh), 1);
    hob_shell_close(sh);
    hob_sandbox_free(box);
}

static void test_options(void)
{
    static const char *const env[] = {"MINE=1", "USER", NULL};
    static const char *const args[] = {"p", "q r", NULL};
    hob_sandbox *box = api_box();
    hob_exec_options o = API_EXEC;
    hob_error err;
    hob_shell *sh;
    o.cwd = "/tmp";
    o.env = env;
    o.name = "tool";
    sh = shell_of(box, &o);
    SH(sh, "echo $MINE ${USER-none} $PWD $0", 0, "1 none /tmp tool\n");
    o = (hob_exec_options)API_EXEC;
    o.args = args;
    shell_run(sh, "echo $# \"$2\"", &o, 0, "2 q r\n", "", __LINE__);
    o = (hob_exec_options)API_EXEC;
    o.input = "line\nrest\n";
    o.input_len = 10;
    shell_run(sh, "read l; echo \"$l\"; cat", &o, 0, "line\nrest\n", "", __LINE__);
    SH(sh, "cat; echo \"$l\"", 0, "line\n");
    o = (hob_exec_options)API_EXEC;
    o.merge = 1;
    o.script_len = 12;
    shell_run(sh, "echo err >&2; echo cut", &o, 0, "err\n", "", __LINE__);
    hob_shell_close(sh);
    o = (hob_exec_options)API_EXEC;
    o.cwd = "/no/such";
    CHECK_EQ(hob_shell_open(box, &o, &sh, &err), HOB_ENOENT);
    CHECK(sh == NULL && strstr(err.msg, "/no/such"));
    o.size = 0;
    CHECK_EQ(hob_shell_open(box, &o, &sh, &err), HOB_EINVAL);
    sh = shell_of(box, NULL);
    hob_result res;
    CHECK_EQ(hob_shell_exec(sh, "echo", &o, &res), HOB_EINVAL);
    CHECK_EQ(hob_shell_exec(sh, NULL, NULL, &res), HOB_EINVAL);
    SH(sh, "echo on", 0, "on\n");
    hob_sandbox_free(box);
}

static void test_steps(void)
{
    hob_sandbox *box = api_box();
    hob_shell *sh = shell_of(box, NULL);
    hob_job *job, *second;
    hob_result res;
    hob_bytes b;
    REQUIRE(hob_shell_exec_start(sh, "x=1; while :; do :; done", NULL, &job, NULL) == 0);
    CHECK_EQ(hob_step(box, 1000), HOB_STEP_MORE);
    CHECK_EQ(hob_shell_exec_start(sh, "echo", NULL, &second, NULL), HOB_EBUSY);
    CHECK_EQ(hob_shell_exec(sh, "echo", NULL, &res), HOB_EBUSY);
    CHECK_EQ(hob_shell_prompt(sh, 0, &b), HOB_EBUSY);
    RUN(box, "echo beside", "beside\n");
    CHECK_EQ(hob_job_finish(job, &res), 0);
    CHECK_EQ(res.signal, 9);
    hob_result_free(&res);
    SH(sh, "echo $x", 0, "1\n");
    REQUIRE(hob_shell_exec_start(sh, "sleep 5; echo end", NULL, &job, NULL) == 0);
    while (!hob_job_done(job))
        hob_step(box, 0);
    CHECK_EQ(hob_job_finish(job, &res), 0);
    CHECK_STR(res.out, "end\n");
    hob_result_free(&res);
    REQUIRE(hob_shell_exec_start(sh, "while :; do :; done", NULL, &job, NULL) == 0);
    hob_step(box, 1000);
    hob_shell_close(sh); /* its job ends with it */
    RUN(box, "echo on", "on\n");
    hob_sandbox_free(box);
}

/* Background jobs belong to the shell from line to line. */
static void test_shell_jobs(void)
{
    hob_sandbox *box = api_box();
    hob_shell *sh = shell_of(box, NULL);
    SH(sh, "(sleep 3; echo done > f; exit 4) & p=$!", 0, "");
    SH(sh, "wait $p", 4, "");
    SH(sh, "cat f", 0, "done\n");
    SH(sh, "sleep 1000 &", 0, "");
    SH(sh, "kill %1 2>/dev/null || kill $!; wait $! 2>/dev/null", 143, "");
    SH(sh, "sleep 1000 &", 0, "");
    hob_shell_close(sh);
    hob_sandbox_free(box);
}

static void shell_expect(hob_shell *sh, const char *line, const char *want, int exact)
{
    hob_bytes b;
    CHECK_EQ(hob_shell_completions(sh, line, strlen(line), &b), 0);
    if (exact)
        CHECK_STR(b.data, want);
    else if (!CHECK(strstr(b.data, want)))
        printf("#   %s gave %s\n", line, b.data);
    hob_free(b.data);
}

static void test_prompt(void)
{
    hob_sandbox *box = api_box();
    hob_exec_options o = API_EXEC;
    hob_shell *sh;
    hob_bytes b;
    o.tty = 1;
    sh = shell_of(box, &o);
    CHECK_EQ(hob_shell_prompt(sh, 0, &b), 0);
    CHECK(b.len > 0);
    hob_free(b.data);
    SH(sh, "PS1='\\u@\\h:\\w$x> '; PS2='more '; x=1; cd /tmp", 0, "");
    CHECK_EQ(hob_shell_prompt(sh, 0, &b), 0);
    CHECK_STR(b.data, "user@hob:/tmp1> ");
    hob_free(b.data);
    CHECK_EQ(hob_shell_prompt(sh, 1, &b), 0);
    CHECK_STR(b.data, "more ");
    hob_free(b.data);
    /* What cannot run here must not crash either. */
    SH(sh, "PS1='$(echo sub) $((1+1)) '", 0, "");
    if (hob_shell_prompt(sh, 0, &b) == 0)
        hob_free(b.data);
    SH(sh, "echo on", 0, "on\n");
    hob_sandbox_free(box);
}

static void test_completion(void)
{
    static const struct {
        const char *text;
        int want;
    } texts[] = {
        {"echo hi", 1},
        {"", 1},
        {"echo 'open", 0},
        {"if true; then", 0},
        {"for i in a", 0},
        {"f() {", 0},
        {"cat <<E\nx", 0},
        {"cat <<E\nx\nE\n", 1},
        {"echo \\\n", 0},
        {"a |", 0},
        {"a &&", 0},
        {"$(", 0},
        {")", HOB_ESYNTAX},
        {"fi", HOB_ESYNTAX},
        {"if then", HOB_ESYNTAX},
        {"{ echo; }", 1},
    };
    hob_sandbox *box = api_box();
    hob_shell *sh = shell_of(box, NULL);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!CHECK_EQ(hob_shell_complete_text(sh, texts[i].text, strlen(texts[i].text)),
                      texts[i].want))
            printf("#   of: %s\n", texts[i].text);
    SH(sh, "mkdir -p one/two; echo > one/file; echo > other; echo > .hidden; myfunc() { :; }", 0,
       "");
    shell_expect(sh, "cat o", "one/\nother\n", 1);
    shell_expect(sh, "cat one/", "one/file\none/two/\n", 1);
    shell_expect(sh, "cat .h", ".hidden\n", 1);
    shell_expect(sh, "cat zzz", "", 1);
    shell_expect(sh, "ech", "echo\n", 0);
    shell_expect(sh, "true; myf", "myfunc\n", 1);
    shell_expect(sh, "true | hea", "head\n", 1);
    shell_expect(sh, "/usr/bin/hea", "/usr/bin/head\n", 1);
    shell_expect(sh, "", "echo\n", 0);
    hob_sandbox_free(box);
}

UNIT_MAIN(UNIT(test_state), UNIT(test_errors), UNIT(test_exit), UNIT(test_options),
          UNIT(test_steps), UNIT(test_shell_jobs), UNIT(test_prompt), UNIT(test_completion))

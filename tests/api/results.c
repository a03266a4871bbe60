/* results.c -- status, signal, and every limit with its name */
#include "api.h"

static void test_status(void)
{
    static const struct {
        const char *script;
        int status, signal;
    } cases[] = {
        {"true", 0, 0},
        {"false", 1, 0},
        {"exit 255", 255, 0},
        {"exit 256", 0, 0},
        {"exit -1", 255, 0},
        {"no-such", 127, 0},
        {"/etc", 126, 0},
        {"kill -TERM $$", 143, 15},
        {"kill -9 $$", 137, 9},
        {"(exit 4)", 4, 0},
        {"if", 2, 0},
        {"kill -INT $$", 130, 2},
        {"sh -c 'kill -TERM $$' 2>/dev/null", 143, 0},
    };
    hob_sandbox *box = api_box();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hob_result res;
        REQUIRE(hob_exec(box, cases[i].script, NULL, &res) == 0);
        if (!CHECK_EQ(res.status, cases[i].status) || !CHECK_EQ(res.signal, cases[i].signal))
            printf("#   of: %s\n", cases[i].script);
        CHECK_EQ(res.limit, HOB_LIMIT_NONE);
        CHECK_STR(res.message, "");
        CHECK_EQ(res.truncated, 0);
        hob_result_free(&res);
    }
    hob_sandbox_free(box);
}

/* Runs a script that meets a limit; the sandbox works afterwards. */
static void results_limit(const hob_options *so, const hob_exec_options *eo, const char *script,
                          int limit, int status, const char *word)
{
    hob_sandbox *box;
    hob_result res;
    REQUIRE(hob_sandbox_new(so, &box, NULL) == 0);
    RUN(box, "echo kept > kept", "");
    int r = hob_exec(box, script, eo, &res);
    if (!CHECK_EQ(r, 0)) {
        hob_sandbox_free(box);
        return;
    }
    CHECK_EQ(res.limit, limit);
    CHECK(res.status == status || (status < 0 && res.status != 0));
    if (!CHECK(strstr(res.message, word)))
        printf("#   status %d, \"%s\", stderr \"%.200s\"\n", res.status, res.message, res.err);
    hob_result_free(&res);
    CHECK_FILE(box, "kept", "kept\n");
    RUN(box, "echo alive | cat", "alive\n");
    hob_sandbox_free(box);
}

static void test_time(void) /* TM-DOS-1, TM-DOS-9 */
{
    hob_options so = api_options();
    hob_exec_options eo = API_EXEC;
    eo.timeout_ns = 2000000000;
    results_limit(&so, &eo, "sleep 10", HOB_LIMIT_TIME, 124, "time limit of 2 s");
    results_limit(&so, &eo, "trap '' TERM INT KILL HUP; while :; do sleep 1; done", HOB_LIMIT_TIME,
                  124, "time");
    results_limit(&so, &eo, "sleep 100 & sleep 100 | cat; wait", HOB_LIMIT_TIME, 124, "time");
    so.clock = HOB_CLOCK_REAL;
    eo.timeout_ns = 50000000;
    results_limit(&so, &eo, "while :; do :; done", HOB_LIMIT_TIME, 124, "time");
    results_limit(&so, &eo, "trap 'while :; do :; done' EXIT; while :; do :; done", HOB_LIMIT_TIME,
                  124, "time");
    results_limit(&so, &eo, "yes > /dev/null", HOB_LIMIT_TIME, 124, "time");
}

static void test_fuel(void) /* TM-DOS-1, TM-DOS-7 */
{
    hob_options so = api_options();
    hob_exec_options eo = API_EXEC;
    so.limits.fuel = 50000;
    results_limit(&so, NULL, "while :; do :; done", HOB_LIMIT_FUEL, 137, "fuel");
    results_limit(&so, NULL, "yes | cat > /dev/null", HOB_LIMIT_FUEL, 137, "fuel");
    results_limit(&so, NULL, "for ((i = 0; ; i++)); do x=$i; done", HOB_LIMIT_FUEL, 137, "fuel");
    so.limits.fuel = 0;
    eo.fuel = 20000;
    results_limit(&so, &eo, "while :; do :; done", HOB_LIMIT_FUEL, 137, "fuel");
}

static void test_memory(void) /* TM-MEM-1, TM-DOS-7 */
{
    hob_options so = api_options();
    so.limits.memory = 4 << 20;
    results_limit(&so, NULL, "x=a; while :; do x=$x$x; done; exit 1", HOB_LIMIT_MEMORY, -1,
                  "memory limit of 4 MiB");
    results_limit(&so, NULL, "echo {1..100000000}; exit 1", HOB_LIMIT_MEMORY, -1, "memory");
    results_limit(&so, NULL, "while :; do a+=(xxxxxxxxxxxxxxxx); done; exit 1", HOB_LIMIT_MEMORY,
                  -1, "memory");
    results_limit(&so, NULL, "x=$(yes); exit 1", HOB_LIMIT_MEMORY, -1, "memory");
}

/* The data languages end by a limit that is named, whatever their programs do. */
static void test_engines(void) /* TM-DOS-1, TM-DOS-7, TM-MEM-1 */
{
    hob_options so = api_options();
    so.limits.fuel = 50000;
    results_limit(&so, NULL, "awk 'BEGIN { while (1); }'", HOB_LIMIT_FUEL, 137, "fuel");
    results_limit(&so, NULL, "awk 'BEGIN { while (1) s = y s \"xxxxxxxxxxxxxxxx\" }'",
                  HOB_LIMIT_FUEL, 137, "fuel");
    results_limit(&so, NULL, "jq -n 'def f: f; f'", HOB_LIMIT_FUEL, 137, "fuel");
    results_limit(&so, NULL, "jq -n 'last(repeat(1))'", HOB_LIMIT_FUEL, 137, "fuel");
    so.limits.fuel = 0;
    so.limits.memory = 8 << 20;
    results_limit(&so, NULL, "awk 'BEGIN { for (i = 0; i < 10000000; i++) a[i \"x\"] = i }'",
                  HOB_LIMIT_MEMORY, -1, "memory");
    results_limit(&so, NULL, "jq -n 'def f: 1 + f; f'", HOB_LIMIT_MEMORY, -1, "memory");
    results_limit(&so, NULL, "head -c 1000000000 /dev/zero | awk '{ print }' > /dev/null; exit 1",
                  HOB_LIMIT_MEMORY, -1, "memory");
    results_limit(&so, NULL, "head -c 1000000000 /dev/zero | sed -n p; exit 1", HOB_LIMIT_MEMORY,
                  -1, "memory");
    results_limit(&so, NULL, "head -c 1000000000 /dev/zero | jq -R length; exit 1",
                  HOB_LIMIT_MEMORY, -1, "memory");
}

/* Room for files is memory too; a full one is an error of the command, as on a full disk. */
static void test_full_files(void) /* TM-DOS-5, TM-MEM-1 */
{
    hob_options so = api_options();
    hob_sandbox *box;
    hob_result res;
    so.limits.memory = 8 << 20;
    REQUIRE(hob_sandbox_new(&so, &box, NULL) == 0);
    RUN(box, "echo kept > kept", "");
    REQUIRE(hob_exec(box, "yes > big; echo status $?", NULL, &res) == 0);
    CHECK(strstr(res.out, "status 0") == NULL);
    CHECK(res.limit == HOB_LIMIT_MEMORY || strstr(res.err, "No space left on device"));
    hob_result_free(&res);
    CHECK_FILE(box, "kept", "kept\n");
    CHECK_EQ(hob_rm(box, "big", 0), 0);
    RUN(box, "echo again > kept; cat kept", "again\n");
    hob_sandbox_free(box);
    so = api_options();
    so.limits.file_size = 1000;
    so.limits.files = 200;
    REQUIRE(hob_sandbox_new(&so, &box, NULL) == 0);
    REQUIRE(hob_exec(box, "seq 1 1000 > f", NULL, &res) == 0);
    CHECK(res.status != 0);
    CHECK(strstr(res.err, "File too large") || strstr(res.err, "File size limit"));
    hob_result_free(&res);
    hob_stat_t st;
    CHECK_EQ(hob_stat(box, "f", &st), 0);
    CHECK(st.bytes <= 1000);
    REQUIRE(hob_exec(box, "i=0; while touch f$i 2>&1; do i=$((i+1)); [ $i -gt 500 ] && break; done",
                     NULL, &res) == 0);
    CHECK(strstr(res.out, "No space left on device"));
    hob_result_free(&res);
    hob_sandbox_free(box);
}

static void test_output_limit(void) /* TM-DOS-2 */
{
    hob_options so = api_options();
    hob_sandbox *box;
    hob_result res;
    so.limits.output = 1000;
    results_limit(&so, NULL, "yes", HOB_LIMIT_OUTPUT, 137, "output limit of 1000");
    results_limit(&so, NULL, "while :; do echo x >&2; done", HOB_LIMIT_OUTPUT, 137, "output");
    REQUIRE(hob_sandbox_new(&so, &box, NULL) == 0);
    REQUIRE(hob_exec(box, "yes", NULL, &res) == 0);
    CHECK_EQ(res.truncated, 1);
    CHECK_EQ(res.out_len, 1000);
    hob_result_free(&res);
    REQUIRE(hob_exec(box, "seq 1 200 | head -c 1000", NULL, &res) == 0); /* just as many */
    CHECK_EQ(res.truncated, 0);
    CHECK_EQ(res.limit, HOB_LIMIT_NONE);
    hob_result_free(&res);
    hob_sandbox_free(box);
}

static void test_stack(void) /* TM-STK-1, TM-STK-2 */
{
    hob_options so = api_options();
    so.limits.stack = 512 << 10;
    results_limit(&so, NULL, "f() { f; }; f", HOB_LIMIT_STACK, -1, "stack limit of 512 KiB");
    results_limit(&so, NULL, "f() { echo $(f); }; f; exit 1", HOB_LIMIT_STACK, -1, "stack");
    results_limit(&so, NULL, "f() { eval f; }; f", HOB_LIMIT_STACK, -1, "stack");
    results_limit(&so, NULL, "echo 'source ./s' > s; . ./s", HOB_LIMIT_STACK, -1, "stack");
    hob_sandbox *box;
    hob_result res;
    size_t n = 100000;
    char *deep = malloc(n + 1);
    REQUIRE(deep && hob_sandbox_new(&so, &box, NULL) == 0);
    memset(deep, '(', n);
    deep[n] = '\0';
    REQUIRE(hob_exec(box, deep, NULL, &res) == 0);
    CHECK(res.status != 0 && res.err_len > 0);
    hob_result_free(&res);
    free(deep);
    RUN(box, "echo alive", "alive\n");
    hob_sandbox_free(box);
}

static void test_processes(void) /* TM-DOS-3, TM-DOS-4 */
{
    hob_options so = api_options();
    so.limits.processes = 50;
    results_limit(&so, NULL, "bomb() { bomb | bomb; }; bomb", HOB_LIMIT_PROCESSES, -1,
                  "process limit of 50");
    results_limit(&so, NULL, "for i in {1..100}; do sleep 100 & done; wait", HOB_LIMIT_PROCESSES,
                  -1, "process");
    so.limits.processes = 0;
    char *pipe = malloc(6 * 5000 + 10);
    REQUIRE(pipe);
    strcpy(pipe, "echo x");
    for (int i = 0; i < 5000; i++)
        memcpy(pipe + 6 + i * 6, " | cat", 7);
    results_limit(&so, NULL, pipe, HOB_LIMIT_PROCESSES, -1, "process limit of 1024");
    free(pipe);
}

static void test_deadlock(void)
{
    hob_options so = api_options();
    results_limit(&so, NULL, "kill -STOP $$; while :; do :; done", HOB_LIMIT_DEADLOCK, 137,
                  "deadlock");
}

static void test_descriptors(void)
{
    hob_options so = api_options();
    hob_sandbox *box;
    hob_result res;
    so.limits.fds = 20;
    REQUIRE(hob_sandbox_new(&so, &box, NULL) == 0);
    REQUIRE(hob_exec(box, "for i in {1..50}; do exec {fd}</dev/null || exit 9; done", NULL, &res) ==
            0);
    CHECK(res.status != 0 && strstr(res.err, "Too many open files"));
    hob_result_free(&res);
    RUN(box, "echo alive", "alive\n");
    hob_sandbox_free(box);
}

static void test_script_limit(void) /* TM-INP-2 */
{
    hob_options so = api_options();
    hob_sandbox *box;
    hob_result res;
    hob_error err;
    hob_job *job;
    so.limits.script = 100;
    REQUIRE(hob_sandbox_new(&so, &box, NULL) == 0);
    char script[200];
    memset(script, ' ', sizeof script);
    script[199] = '\0';
    CHECK_EQ(hob_exec(box, script, NULL, &res), HOB_E2BIG);
    CHECK_EQ(hob_exec_start(box, script, NULL, &job, &err), HOB_E2BIG);
    CHECK(strstr(err.msg, "script"));
    RUN(box, "echo alive", "alive\n");
    hob_sandbox_free(box);
}

/* TM-DOS-6: patterns that take other engines for ever. */
static void test_patterns(void)
{
    static const char *const scripts[] = {
        "s=$(head -c 3000 /dev/zero | tr '\\0' a); [[ $s =~ ^(a+)+b$ ]]; echo $?",
        "s=$(head -c 3000 /dev/zero | tr '\\0' a); [[ $s =~ (a|aa)*(a|aa)*c ]]; echo $?",
        "s=$(head -c 2000 /dev/zero | tr '\\0' a); case $s in *a*a*a*a*a*a*a*b) echo 0 ;; *) echo "
        "1 ;; esac",
        "shopt -s extglob; s=$(head -c 300 /dev/zero | tr '\\0' a); [[ $s == +(+(a))b ]]; echo $?",
    };
    hob_options so = api_options();
    hob_exec_options eo = API_EXEC;
    hob_sandbox *box;
    so.clock = HOB_CLOCK_REAL;
    eo.timeout_ns = 20000000000;
    REQUIRE(hob_sandbox_new(&so, &box, NULL) == 0);
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        RUN_WITH(box, scripts[i], &eo, 0, "1\n", "");
    hob_sandbox_free(box);
}

static void test_figures(void)
{
    hob_sandbox *box = api_box();
    hob_usage u = {.size = sizeof u}, v = {.size = sizeof v};
    hob_result res;
    CHECK_EQ(hob_sandbox_usage(box, &u), 0);
    CHECK(u.memory > 0 && u.memory_peak >= u.memory && u.processes == 0 && u.commands == 0);
    REQUIRE(hob_exec(box, "for i in {1..2000}; do true; done; head -c 100000 /dev/zero > z", NULL,
                     &res) == 0);
    CHECK(res.fuel > 0);
    hob_result_free(&res);
    CHECK_EQ(hob_sandbox_usage(box, &v), 0);
    CHECK(v.fuel >= 2000 && v.commands >= 1 && v.processes == 0);
    CHECK_EQ(v.files, u.files + 1);
    CHECK(v.file_bytes >= u.file_bytes + 100000);
    CHECK(v.memory > u.memory && v.memory_peak >= v.memory);
    CHECK_EQ(hob_rm(box, "z", 0), 0);
    CHECK_EQ(hob_sandbox_usage(box, &v), 0);
    CHECK_EQ(v.files, u.files);
    CHECK(v.memory < u.memory + 20000);
    v.size = 0;
    CHECK_EQ(hob_sandbox_usage(box, &v), HOB_EINVAL);
    hob_sandbox_free(box);
}

UNIT_MAIN(UNIT(test_status), UNIT(test_time), UNIT(test_fuel), UNIT(test_memory),
          UNIT(test_engines), UNIT(test_full_files), UNIT(test_output_limit), UNIT(test_stack),
          UNIT(test_processes), UNIT(test_deadlock), UNIT(test_descriptors),
          UNIT(test_script_limit), UNIT(test_patterns), UNIT(test_figures))

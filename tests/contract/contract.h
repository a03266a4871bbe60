/* contract.h -- one table of cases, run over every kind of sandbox by its name
 *
 * The programs of this folder use hob.h alone. A case that holds for one kind holds for all; the
 * few differences that are meant are asked of the kind (`real`: processes of the machine).
 */
#ifndef CONTRACT_H
#define CONTRACT_H

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "hob.h"
#include "unit.h"

#define MS INT64_C(1000000)
#define SECOND INT64_C(1000000000)
#define EXEC(...)                                                                                  \
    {                                                                                              \
        .size = sizeof(hob_exec_options), __VA_ARGS__                                              \
    }

extern char **environ;

struct kind {
    const char *name; /* of hob_sandbox_open() */
    int view;         /* a second handle, after the first was freed */
    int real;         /* processes of the machine */
    int lean;         /* no bash and no GNU tools: sh and busybox */
};

struct contract {
    const char *name;
    void (*run)(hob_sandbox *box, const struct kind *k);
};

static int contract_orphans, contract_orphan_status;

static inline void contract_on_orphan(void *ud, const char *command, int64_t started,
                                      int64_t given_up, int64_t ended, int status)
{
    (void)ud;
    contract_orphans++;
    contract_orphan_status = status;
    CHECK(command && *command);
    CHECK(started <= given_up && given_up <= ended);
}

static inline int64_t contract_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

static char contract_lean_path[80]; /* "PATH=" and a folder of busybox's commands */
static const char *const contract_lean_env[] = {contract_lean_path, NULL};

static inline hob_sandbox_options contract_options(const struct kind *k, const char *cwd)
{
    hob_sandbox_options o = {.size = sizeof o};
    o.cwd = cwd;
    o.host_env = k->lean ? contract_lean_env : (const char *const *)environ;
    o.orphan = contract_on_orphan;
    return o;
}

/* Makes the folder; 0 where there is no busybox. */
static inline int contract_lean(const char *dir)
{
    char line[300];
    snprintf(contract_lean_path, sizeof contract_lean_path, "PATH=%s/bin", dir);
    snprintf(line, sizeof line,
             "b=$(command -v busybox) && mkdir %s/bin && \"$b\" --install -s %s/bin && "
             "rm -f %s/bin/bash",
             dir, dir, dir);
    return system(line) == 0;
}

/* A sandbox of the kind in an empty folder of its own, or the end of the program. */
static inline hob_sandbox *contract_open(const struct kind *k, const char *dir)
{
    hob_sandbox_options o = contract_options(k, dir);
    hob_sandbox *box = NULL, *view = NULL;
    hob_error err;
    if (hob_sandbox_open(k->name, &o, &box, &err) < 0 ||
        hob_mkdir(box, "work", HOB_RECURSIVE) < 0) {
        printf("# %s: no sandbox: %s\n", k->name, err.msg);
        exit(1);
    }
    if (hob_sandbox_view(box, "work", &view) < 0)
        exit(1);
    if (k->view) {
        hob_sandbox_free(box); /* the view keeps it */
        return view;
    }
    hob_sandbox_free(view);
    return box;
}

/* Runs a script and checks status and output (NULL: anything). */
static inline void contract_run(hob_sandbox *box, const char *script, const hob_exec_options *opt,
                                int status, const char *out, const char *file, int line)
{
    hob_result res;
    const char *what = script ? script : "argv";
    int r = hob_exec(box, script, opt, &res);
    unit_equal(r, 0, file, line, what);
    unit_equal(res.status, status, file, line, what);
    if (out && res.out)
        unit_bytes(res.out, res.out_len, out, strlen(out), file, line, what);
    hob_result_free(&res);
}
#define RUN(box, script, status, out)                                                              \
    contract_run(box, script, NULL, status, out, __FILE__, __LINE__)
#define RUN_WITH(box, script, opt, status, out)                                                    \
    contract_run(box, script, opt, status, out, __FILE__, __LINE__)

static inline void contract_file(hob_sandbox *box, const char *path, const void *want, size_t n,
                                 const char *file, int line)
{
    hob_bytes b = {0};
    if (unit_equal(hob_read(box, path, &b), 0, file, line, path))
        unit_bytes(b.data, b.len, want, n, file, line, path);
    hob_free(b.data);
}
#define CHECK_FILE(box, path, want) contract_file(box, path, want, strlen(want), __FILE__, __LINE__)

/* Steps until the job is done. */
static inline void contract_drive(hob_sandbox *box, hob_job *job)
{
    while (!hob_job_done(job))
        if (hob_step(box, 0) != HOB_STEP_MORE && !hob_job_done(job))
            hob_wait(box, 50 * MS);
}

/* Steps until nothing is left, at most max. */
static inline void contract_settle(hob_sandbox *box, int64_t max)
{
    int64_t until = contract_now() + max;
    while (hob_step(box, 0) != HOB_STEP_IDLE && contract_now() < until)
        hob_wait(box, 20 * MS);
}

static const struct kind contract_kinds[] = {
    {"virtual", 0, 0, 0}, {"empty", 1, 0, 0}, {"local", 0, 1, 0}, {"local", 1, 1, 0},
    {"exec", 0, 1, 0},    {"exec", 1, 1, 0},  {"local", 0, 1, 1}, {"exec", 0, 1, 1},
};

/* All cases over all kinds; an argument names one kind or one case. */
static inline int contract_main(const struct contract *cases, size_t n, int argc, char **argv)
{
    int bad = 0, number = 0;
    char dir[] = "/tmp/hob-contract-XXXXXX", path[64];
    if (!mkdtemp(dir))
        return 1;
    int lean = contract_lean(dir);
    for (size_t k = 0; k < sizeof contract_kinds / sizeof *contract_kinds; k++)
        for (size_t i = 0; i < n; i++) {
            const struct kind *kind = &contract_kinds[k];
            if (kind->lean && !lean)
                continue;
            if (argc > 1 && strcmp(argv[1], cases[i].name) != 0 && strcmp(argv[1], kind->name) != 0)
                continue;
            unit_failed = 0;
            contract_orphans = 0;
            snprintf(path, sizeof path, "%s/%d", dir, ++number);
            hob_sandbox *box = contract_open(kind, path);
            cases[i].run(box, kind);
            hob_sandbox_free(box);
            printf("%sok %d - %s%s: %s\n", unit_failed ? "not " : "", number, kind->name,
                   kind->view   ? " view"
                   : kind->lean ? " lean"
                                : "",
                   cases[i].name);
            fflush(stdout);
            bad += unit_failed != 0;
        }
    printf("1..%d\n", number);
    snprintf(path, sizeof path, "rm -rf %s", dir);
    return system(path) != 0 || bad != 0;
}

/* clang-format off */
#define CASE(f) {#f, f}
#define CONTRACT_MAIN(...)                                                        \
    int main(int argc, char **argv)                                               \
    {                                                                             \
        static const struct contract cases[] = {__VA_ARGS__};                     \
        return contract_main(cases, sizeof cases / sizeof *cases, argc, argv);    \
    }
/* clang-format on */

#endif

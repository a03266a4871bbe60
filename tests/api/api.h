/* api.h -- what the programs of this folder share: a sandbox that repeats, and checked runs
 *
 * They use hob.h alone, as an embedder would.
 */
#ifndef API_H
#define API_H

#include <stdlib.h>

#include "hob.h"
#include "unit.h"

#define API_EXEC                                                                                   \
    {                                                                                              \
        .size = sizeof(hob_exec_options)                                                           \
    }

/* 2024-01-02 03:04:05 UTC. */
#define API_START (1704164645LL * 1000000000)

static inline hob_options api_options(void)
{
    hob_options o = {.size = sizeof(hob_options)};
    o.clock = HOB_CLOCK_VIRTUAL;
    o.clock_start = API_START;
    o.seed = 7;
    o.limits.size = sizeof o.limits;
    return o;
}

/* A sandbox on the virtual clock with a seed; the program ends when there is none. */
static inline hob_sandbox *api_box(void)
{
    hob_options o = api_options();
    hob_sandbox *box = NULL;
    if (hob_sandbox_new(&o, &box, NULL) < 0) {
        printf("# no sandbox\n");
        exit(1);
    }
    return box;
}

/* Runs a script and compares status, stdout and stderr (NULL: whatever it is). */
static inline void api_run(hob_sandbox *box, const char *script, const hob_exec_options *opt,
                           int status, const char *out, const char *err, const char *file, int line)
{
    hob_result res;
    int r = hob_exec(box, script, opt, &res);
    unit_equal(r, 0, file, line, script ? script : "argv");
    if (r < 0)
        return;
    unit_equal(res.status, status, file, line, script ? script : "argv");
    if (out)
        unit_bytes(res.out, res.out_len, out, strlen(out), file, line, "stdout");
    if (err)
        unit_bytes(res.err, res.err_len, err, strlen(err), file, line, "stderr");
    unit_equal(res.out[res.out_len], 0, file, line, "a NUL behind stdout");
    hob_result_free(&res);
}

/* The contents of a file against a C string. */
static inline void api_file(hob_sandbox *box, const char *path, const char *want, const char *file,
                            int line)
{
    hob_bytes b;
    int r = hob_read(box, path, &b);
    if (!unit_equal(r, 0, file, line, path))
        return;
    unit_bytes(b.data, b.len, want, strlen(want), file, line, path);
    hob_free(b.data);
}

#define RUN(box, script, out) api_run(box, script, NULL, 0, out, "", __FILE__, __LINE__)
#define RUN_WITH(box, script, opt, status, out, err)                                               \
    api_run(box, script, opt, status, out, err, __FILE__, __LINE__)
#define CHECK_FILE(box, path, want) api_file(box, path, want, __FILE__, __LINE__)

#endif

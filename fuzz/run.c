/* run.c -- fuzz a whole run: any bytes as a script, in a fresh sandbox with small limits
 *
 * TM-INP-1, TM-INF-5. The run must end by its limits, and the sandbox must work afterwards.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hob.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hob_options opt = {.size = sizeof opt};
    opt.clock = HOB_CLOCK_VIRTUAL;
    opt.seed = 1;
    opt.limits.size = sizeof opt.limits;
    opt.limits.memory = 16 << 20;
    opt.limits.fuel = 200000;
    opt.limits.output = 1 << 20;
    opt.limits.processes = 32;
    opt.limits.files = 1000;

    hob_sandbox *box = NULL;
    hob_exec_options run = {.size = sizeof run};
    hob_result res = {0};
    if (hob_sandbox_new(&opt, &box, NULL) < 0)
        abort();
    run.script_len = size;
    if (size > 0 && hob_exec(box, (const char *)data, &run, &res) >= 0)
        hob_result_free(&res);
    if (hob_exec(box, "echo alive | cat", NULL, &res) < 0 || strcmp(res.out, "alive\n") != 0)
        abort();
    hob_result_free(&res);
    hob_sandbox_free(box);
    return 0;
}

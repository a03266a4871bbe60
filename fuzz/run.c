/* run.c -- fuzz a whole run: any bytes as a script, in a fresh sandbox with small limits
 *
 * TM-INP-1, TM-INF-5. The run must end by its limits, and the sandbox must work afterwards.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hob_sandbox *box = fuzz_box(200000);
    hob_exec_options run = {.size = sizeof run};
    hob_result res = {0};
    run.script_len = size;
    if (size > 0 && hob_exec(box, (const char *)data, &run, &res) >= 0)
        hob_result_free(&res);
    fuzz_box_end(box);
    return 0;
}

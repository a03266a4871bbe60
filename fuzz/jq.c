/* jq.c -- fuzz jq: the first line is a program, what follows is its input, in a small sandbox
 *
 * TM-INP-1, TM-INF-5. The run must end by its limits, and the sandbox must work afterwards.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hob.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *line = size ? memchr(data, '\n', size) : NULL;
    size_t n = line ? (size_t)(line - (const char *)data) : size;
    const char *input = line ? line + 1 : "[1,{\"a\":\"b\"}]";
    size_t input_n = line ? size - n - 1 : strlen(input);
    hob_options opt = {.size = sizeof opt};

    opt.clock = HOB_CLOCK_VIRTUAL;
    opt.seed = 1;
    opt.limits.size = sizeof opt.limits;
    opt.limits.memory = 16 << 20;
    opt.limits.fuel = 100000;
    opt.limits.output = 1 << 20;
    opt.limits.processes = 16;
    opt.limits.files = 1000;

    hob_sandbox *box = NULL;
    hob_result res = {0};
    if (hob_sandbox_new(&opt, &box, NULL) < 0)
        abort();
    if (hob_write(box, "/tmp/p.jq", data, n) < 0 || hob_write(box, "/tmp/in", input, input_n) < 0)
        abort();
    if (hob_exec(box, "cd /tmp; jq -f p.jq in; jq -c --stream . in; jq -R -C -f p.jq in", NULL,
                 &res) >= 0)
        hob_result_free(&res);
    if (hob_exec(box, "echo alive | cat", NULL, &res) < 0 || strcmp(res.out, "alive\n") != 0)
        abort();
    hob_result_free(&res);
    hob_sandbox_free(box);
    return 0;
}

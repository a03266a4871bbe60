/* jq.c -- fuzz jq: the first line is a program, what follows is its input, in a small sandbox
 *
 * TM-INP-1, TM-INF-5. The run must end by its limits, and the sandbox must work afterwards.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *line = size ? memchr(data, '\n', size) : NULL;
    size_t n = line ? (size_t)(line - (const char *)data) : size;
    const char *input = line ? line + 1 : "[1,{\"a\":\"b\"}]";
    size_t input_n = line ? size - n - 1 : strlen(input);

    hob_sandbox *box = fuzz_box(100000);
    hob_result res = {0};
    fuzz_demand(hob_write(box, "/tmp/p.jq", data, n) == 0 &&
                hob_write(box, "/tmp/in", input, input_n) == 0);
    if (hob_exec(box, "cd /tmp; jq -f p.jq in; jq -c --stream . in; jq -R -C -f p.jq in", NULL,
                 &res) >= 0)
        hob_result_free(&res);
    fuzz_box_end(box);
    return 0;
}

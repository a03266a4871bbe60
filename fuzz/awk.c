/* awk.c -- fuzz awk: any bytes as a program over a small input, in a sandbox with small limits
 *
 * TM-INP-1, TM-INF-5. The run must end by its limits, and the sandbox must work afterwards. Bytes
 * behind a line of three dashes are the input.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hob.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char mark[] = "\n---\n";
    const char *text = (const char *)data, *input = "a b c\n1 2 3\nx:y z\n";
    size_t n = size, input_n = strlen(input);
    hob_options opt = {.size = sizeof opt};

    for (size_t i = 0; i + 5 <= size; i++) {
        if (memcmp(text + i, mark, 5) == 0) {
            n = i;
            input = text + i + 5;
            input_n = size - i - 5;
            break;
        }
    }
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
    if (hob_write(box, "/tmp/p.awk", text, n) < 0 || hob_write(box, "/tmp/in", input, input_n) < 0)
        abort();
    if (hob_exec(box, "cd /tmp; awk -f p.awk in v=1 in", NULL, &res) >= 0)
        hob_result_free(&res);
    if (hob_exec(box, "echo alive | cat", NULL, &res) < 0 || strcmp(res.out, "alive\n") != 0)
        abort();
    hob_result_free(&res);
    hob_sandbox_free(box);
    return 0;
}

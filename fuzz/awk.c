/* awk.c -- fuzz awk: any bytes as a program over a small input, in a sandbox with small limits
 *
 * TM-INP-1, TM-INF-5. The run must end by its limits, and the sandbox must work afterwards. Bytes
 * behind a line of three dashes are the input.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *input = "a b c\n1 2 3\nx:y z\n";
    size_t n = size, input_n = strlen(input);

    fuzz_split(text, &n, &input, &input_n);

    hob_sandbox *box = fuzz_box(100000);
    hob_result res = {0};
    fuzz_demand(hob_write(box, "/tmp/p.awk", text, n) == 0 &&
                hob_write(box, "/tmp/in", input, input_n) == 0);
    if (hob_exec(box, "cd /tmp; awk -f p.awk in v=1 in", NULL, &res) >= 0)
        hob_result_free(&res);
    fuzz_box_end(box);
    return 0;
}

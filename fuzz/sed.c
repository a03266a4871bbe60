/* sed.c -- fuzz sed: any bytes as a script over a small input, in a sandbox with small limits
 *
 * TM-INP-1, TM-INF-5. The run must end by its limits, and the sandbox must work afterwards. The
 * first byte chooses the options. Bytes behind a line of three dashes are the input.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const scripts[] = {
        "cd /tmp; sed -f p.sed in in2",       "cd /tmp; sed -nEf p.sed in in2",
        "cd /tmp; sed -s -i.bak -f p.sed in", "cd /tmp; sed -zf p.sed in",
        "cd /tmp; sed --debug -f p.sed in",   "cd /tmp; cat in | sed -uf p.sed"};
    const char *text = (const char *)data, *input = "aab\nfoo bar\n\n1 two 3\nlast";
    size_t n = size, input_n = strlen(input);

    if (size == 0)
        return 0;
    fuzz_split(text, &n, &input, &input_n);

    hob_sandbox *box = fuzz_box(100000);
    hob_result res = {0};
    fuzz_demand(hob_write(box, "/tmp/p.sed", text + 1, n > 0 ? n - 1 : 0) == 0 &&
                hob_write(box, "/tmp/in", input, input_n) == 0 &&
                hob_write(box, "/tmp/in2", "more\naab\n", 9) == 0);
    if (hob_exec(box, scripts[data[0] % (sizeof scripts / sizeof *scripts)], NULL, &res) >= 0)
        hob_result_free(&res);
    fuzz_box_end(box);
    return 0;
}

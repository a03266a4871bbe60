/* yaml.c -- fuzz the formats of yq: the first byte chooses one, what follows is a file of it
 *
 * TM-INP-1, TM-INF-5. The run must end by its limits, and the sandbox must work afterwards. What
 * was read and written again as YAML must stand for the same value.
 */
#include "fuzz.h"

enum {
    YAML_CHANGED = 77 /* the status when a value has changed on its way through YAML */
};

static const char yaml_script[] =
    "cd /tmp; f=$1; yq -p $f -o json . in > a && yq -p $f -r=false . in > b && {\n"
    "yq -o json . b > c && cmp -s a c || exit 77\n"
    "yq -i -P . b && yq -o json . b > c && cmp -s a c || exit 77\n"
    "yq -p $f -o $f . in > /dev/null; yq -i '.a = 1' b; }; true";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {"yaml", "yaml", "toml", "xml", "csv", "props", "ini"};
    const char *args[] = {formats[size ? data[0] % 7 : 0], NULL};
    hob_sandbox *box = fuzz_box(200000);
    hob_exec_options run = {.size = sizeof run, .args = args};
    hob_result res = {0};

    fuzz_demand(hob_write(box, "/tmp/in", size ? data + 1 : data, size ? size - 1 : 0) == 0);
    if (hob_exec(box, yaml_script, &run, &res) >= 0) {
        fuzz_demand(res.limit != 0 || res.status != YAML_CHANGED);
        hob_result_free(&res);
    }
    fuzz_box_end(box);
    return 0;
}

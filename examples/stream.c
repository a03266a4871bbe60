/* stream.c -- output as it is produced, input when it is asked for, a deadline */
#include <hob.h>
#include <stdio.h>
#include <string.h>

static int output(void *ud, int stream, const void *data, size_t len)
{
    (void)ud;
    printf("%s: %.*s", stream == HOB_STDOUT ? "out" : "err", (int)len, (const char *)data);
    return 0;
}

static ptrdiff_t input(void *ud, void *dst, size_t cap)
{
    int *left = ud;
    if (*left == 0 || cap < 5)
        return 0;
    --*left;
    memcpy(dst, "line\n", 5);
    return 5;
}

int main(void)
{
    int lines = 2;
    hob_sandbox *box;
    hob_result res;
    hob_exec_options opt = {.size = sizeof opt,
                            .read = input,
                            .read_ud = &lines,
                            .output = output,
                            .timeout_ns = 200 * 1000000LL};
    if (hob_sandbox_new(NULL, &box, NULL) < 0)
        return 1;
    if (hob_exec(box, "while read -r x; do echo got $x; done; echo done >&2; sleep 60", &opt,
                 &res) == 0) {
        printf("status %d: %s\n", res.status, res.message);
        hob_result_free(&res);
    }
    hob_sandbox_free(box);
    return 0;
}

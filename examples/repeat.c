/* repeat.c -- a virtual clock and a seed: a run that repeats byte for byte */
#include <hob.h>
#include <stdio.h>
#include <string.h>

static const char script[] = "echo $RANDOM $RANDOM; date -u +%F_%T; sleep 3600; date -u +%T; "
                             "mktemp -u; head -c 4 /dev/urandom | od -An -tx1";

int main(void)
{
    hob_options opt = {.size = sizeof opt,
                       .clock = HOB_CLOCK_VIRTUAL,
                       .clock_start = 1700000000LL * 1000000000,
                       .seed = 42};
    char first[1024] = "";
    for (int i = 0; i < 3; i++) {
        hob_sandbox *box;
        hob_result res;
        if (hob_sandbox_new(&opt, &box, NULL) < 0 || hob_exec(box, script, NULL, &res) < 0)
            return 1;
        if (i == 0)
            snprintf(first, sizeof first, "%s", res.out);
        else
            puts(strcmp(first, res.out) == 0 ? "the same" : "different");
        hob_result_free(&res);
        hob_sandbox_free(box);
    }
    return 0;
}

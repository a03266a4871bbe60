/* limits.c -- limits and figures: a named error, and the sandbox goes on */
#include <hob.h>
#include <stdio.h>

int main(void)
{
    static const char *const scripts[] = {"while :; do :; done", "echo kept > f; yes > big", "yes",
                                          "f() { f; }; f", "cat f"};
    hob_options opt = {.size = sizeof opt,
                       .limits = {.memory = 8 << 20, .fuel = 1000000, .output = 10000}};
    hob_sandbox *box;
    if (hob_sandbox_new(&opt, &box, NULL) < 0)
        return 1;
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        hob_result res;
        if (hob_exec(box, scripts[i], NULL, &res) < 0)
            return 1;
        printf("%s: %s\n", scripts[i], res.limit ? res.message : res.out);
        hob_result_free(&res);
        hob_rm(box, "big", HOB_FORCE);
    }
    hob_usage u = {.size = sizeof u};
    hob_sandbox_usage(box, &u);
    printf("%s\n", u.memory < u.memory_peak && u.memory_peak <= 8 << 20 ? "within 8 MiB" : "over");
    hob_sandbox_free(box);
    return 0;
}

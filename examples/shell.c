/* shell.c -- a shell that keeps its variables, functions and folder between calls */
#include <hob.h>
#include <stdio.h>

int main(void)
{
    static const char *const lines[] = {"x=41; f() { echo $((x + 1)); }",
                                        "mkdir -p /tmp/w; cd /tmp/w", "f; pwd; false",
                                        "echo last status $?"};
    hob_sandbox *box;
    hob_shell *sh;
    if (hob_sandbox_new(NULL, &box, NULL) < 0 || hob_shell_open(box, NULL, &sh, NULL) < 0)
        return 1;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        hob_result res;
        if (hob_shell_exec(sh, lines[i], NULL, &res) < 0)
            continue;
        printf("[%d] %s", res.status, res.out_len ? res.out : "\n");
        hob_result_free(&res);
    }
    hob_shell_close(sh);
    hob_sandbox_free(box);
    return 0;
}

/* hello.c -- the smallest use: a sandbox, a script, its output */
#include <hob.h>
#include <stdio.h>

int main(void)
{
    hob_sandbox *box;
    hob_result res;
    if (hob_sandbox_new(NULL, &box, NULL) < 0)
        return 1;
    if (hob_exec(box, "echo hello | tr a-z A-Z; ls nowhere", NULL, &res) == 0) {
        printf("status %d\nstdout %sstderr %s", res.status, res.out, res.err);
        hob_result_free(&res);
    }
    hob_sandbox_free(box);
    return 0;
}

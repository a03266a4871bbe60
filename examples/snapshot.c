/* snapshot.c -- try something, see what it changed, take it back; or go on in two forks */
#include <hob.h>
#include <stdio.h>

static void run(hob_sandbox *box, const char *script)
{
    hob_result res;
    if (hob_exec(box, script, NULL, &res) == 0) {
        fputs(res.out, stdout);
        hob_result_free(&res);
    }
}

int main(void)
{
    hob_sandbox *box, *fork;
    hob_snapshot *snap;
    hob_change *c;
    size_t n;
    if (hob_sandbox_new(NULL, &box, NULL) < 0)
        return 1;
    run(box, "mkdir src; echo one > src/a; echo two > src/b");
    hob_snapshot_take(box, &snap);
    run(box, "rm src/a; echo more >> src/b; echo new > src/c");
    hob_snapshot_diff(box, snap, NULL, &c, &n);
    for (size_t i = 0; i < n; i++)
        printf("%c %s\n", c[i].what, c[i].path);
    hob_free(c);
    hob_snapshot_restore(box, snap);
    run(box, "cat src/*");
    hob_snapshot_free(snap);

    hob_sandbox_fork(box, &fork);
    run(fork, "echo in the fork > src/a; cat src/a");
    run(box, "cat src/a");
    hob_sandbox_free(fork);
    hob_sandbox_free(box);
    return 0;
}

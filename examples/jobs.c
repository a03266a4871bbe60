/* jobs.c -- a process that outlives its call: listed, read and killed later */
#include <hob.h>
#include <stdio.h>

int main(void)
{
    hob_options opt = {.size = sizeof opt, .clock = HOB_CLOCK_VIRTUAL};
    hob_sandbox *box;
    hob_process *list;
    hob_bytes out;
    size_t n;
    if (hob_sandbox_new(&opt, &box, NULL) < 0)
        return 1;
    hob_exec(box, "while :; do echo tick; sleep 10; done &", NULL, NULL);
    hob_processes(box, &list, &n);
    printf("%zu runs\n", n > 0 ? (size_t)1 : 0);
    int pid = n ? list[0].pid : 0;
    hob_free(list);
    hob_step(box, 2000); /* time passes */
    if (hob_background_output(box, HOB_STDOUT, &out) == 0) {
        printf("it wrote %s\n", out.len ? "something" : "nothing");
        hob_free(out.data);
    }
    hob_kill(box, pid, 15);
    hob_step(box, 2000);
    hob_processes(box, &list, &n);
    printf("%zu left\n", n);
    hob_free(list);
    hob_sandbox_free(box);
    return 0;
}

/* interrupt.c -- another thread stops what runs */
#include <hob.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *stop(void *box)
{
    usleep(20000);
    hob_interrupt(box);
    return NULL;
}

int main(void)
{
    hob_sandbox *box;
    hob_result res;
    pthread_t t;
    if (hob_sandbox_new(NULL, &box, NULL) < 0 || pthread_create(&t, NULL, stop, box) != 0)
        return 1;
    if (hob_exec(box, "echo begun; while :; do :; done", NULL, &res) == 0) {
        printf("%sstatus %d, %s\n", res.out, res.status, res.message);
        hob_result_free(&res);
    }
    pthread_join(t, NULL);
    if (hob_exec(box, "echo it goes on", NULL, &res) == 0) {
        fputs(res.out, stdout);
        hob_result_free(&res);
    }
    hob_sandbox_free(box);
    return 0;
}

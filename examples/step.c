/* step.c -- one thread drives a thousand sandboxes at once */
#include <hob.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    BOXES = 1000
};

int main(void)
{
    hob_sandbox **box = calloc(BOXES, sizeof *box);
    hob_job **job = calloc(BOXES, sizeof *job);
    hob_options opt = {.size = sizeof opt, .clock = HOB_CLOCK_VIRTUAL};
    long total = 0;
    int running = 0;
    if (!box || !job)
        return 1;
    for (int i = 0; i < BOXES; i++) {
        if (hob_sandbox_new(&opt, &box[i], NULL) < 0)
            return 1;
        if (hob_exec_start(box[i],
                           "sleep 1 | cat; i=0; while [ $i -lt 20 ]; do i=$((i+1)); done; "
                           "echo $i",
                           NULL, &job[i], NULL) == 0)
            running++;
    }
    while (running > 0)
        for (int i = 0; i < BOXES; i++) {
            hob_result res;
            if (!job[i])
                continue;
            hob_step(box[i], 10); /* a few steps, then the next one's turn */
            if (!hob_job_done(job[i]))
                continue;
            if (hob_job_finish(job[i], &res) == 0) {
                total += strtol(res.out, NULL, 10);
                hob_result_free(&res);
            }
            job[i] = NULL;
            running--;
        }
    printf("%ld\n", total);
    for (int i = 0; i < BOXES; i++)
        hob_sandbox_free(box[i]);
    free(box);
    free(job);
    return 0;
}

/* alloc.c -- every script again, with the N-th allocation failing, for all N (TM-MEM-2)
 *
 * The demand: no crash, no leak, a result that is right or a named error, and a sandbox that works
 * afterwards. The first script fails the making of the sandbox too; in the others what is counted
 * begins with the call. A script with many allocations is sampled.
 */
#include "torture.h"

enum {
    ALLOC_DENSE = 60
}; /* so many are all tried */

static char alloc_why[300];

/* One run with one failure. NULL, or what is wrong. */
static const char *alloc_once(const char *script, struct meter *m, uint64_t at, int whole)
{
    hob_options opt = torture_options(m);
    hob_sandbox *box = NULL;
    const char *why = NULL;
    m->fail_at = whole ? at : 0;
    int made = hob_sandbox_new(&opt, &box, NULL);
    if (made < 0 && !m->failed)
        return "a sandbox cannot be made";
    if (made < 0 && box)
        return "a failed hob_sandbox_new leaves a handle";
    if (made >= 0) {
        hob_result res = {0};
        if (!whole)
            m->fail_at = m->count + at;
        int ran = hob_exec(box, script, NULL, &res);
        if (ran >= 0)
            hob_result_free(&res);
        else if (ran != HOB_ENOMEM)
            why = hob_error_text(ran);
        if (!m->failed)
            m->fail_at = 0;
        if (!why && m->failed)
            why = torture_alive(box);
        hob_sandbox_free(box);
    }
    if (!why && m->live != 0)
        why = "memory is left behind";
    return why;
}

static const char *alloc_script(const char *script, int number)
{
    for (uint64_t at = 1;; at = torture_next(at, ALLOC_DENSE, number)) {
        struct meter m = {0};
        const char *why = alloc_once(script, &m, at, number == 1);
        if (why) {
            snprintf(alloc_why, sizeof alloc_why, "allocation %llu fails: %s",
                     (unsigned long long)at, why);
            return alloc_why;
        }
        if (!m.failed)
            return NULL;
        torture_failures++;
    }
}

int main(int argc, char **argv) { return torture_main(argc, argv, alloc_script); }

/* host.c -- every script again, with the N-th stack that the host is asked for missing
 *
 * The demand is that of alloc.c.
 */
#include "torture.h"

#include "sandbox/sandbox.h"

enum {
    HOST_DENSE = 30
};

static char host_why[300];

static struct {
    void *(*get)(void *ud, size_t size, size_t *usable);
    uint64_t calls, fail_at;
} host_stacks;

static void *host_no_stack(void *ud, size_t size, size_t *usable)
{
    return ++host_stacks.calls == host_stacks.fail_at ? NULL : host_stacks.get(ud, size, usable);
}

static const char *host_once(const char *script, uint64_t at)
{
    struct meter m = {0};
    hob_options opt = torture_options(&m);
    hob_sandbox *box;
    hob_result res;
    const char *why = NULL;
    if (hob_sandbox_new(&opt, &box, NULL) < 0)
        return "a sandbox cannot be made";
    host_stacks.get = box->v->host.stack_get;
    host_stacks.calls = 0;
    host_stacks.fail_at = at;
    box->v->host.stack_get = host_no_stack;
    int ran = hob_exec(box, script, NULL, &res);
    if (ran >= 0)
        hob_result_free(&res);
    else if (ran != HOB_ENOMEM)
        why = hob_error_text(ran);
    if (!why && host_stacks.calls >= at)
        why = torture_alive(box);
    hob_sandbox_free(box);
    if (!why && m.live != 0)
        why = "memory is left behind";
    return why;
}

static const char *host_script(const char *script, int number)
{
    for (uint64_t at = 1;; at = torture_next(at, HOST_DENSE, number)) {
        const char *why = host_once(script, at);
        if (why) {
            snprintf(host_why, sizeof host_why, "stack %llu is missing: %s", (unsigned long long)at,
                     why);
            return host_why;
        }
        if (host_stacks.calls < at)
            return NULL;
        torture_failures++;
    }
}

int main(int argc, char **argv) { return torture_main(argc, argv, host_script); }

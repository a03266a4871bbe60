/* allocator.c -- every byte of a sandbox through a function of the program's */
#include <hob.h>
#include <stdio.h>
#include <stdlib.h>

static void *count(void *ud, void *p, size_t osize, size_t n)
{
    long *live = ud;
    if (n == 0) {
        *live -= (long)osize;
        free(p);
        return NULL;
    }
    void *q = realloc(p, n);
    if (q)
        *live += (long)n - (p ? (long)osize : 0);
    return q;
}

int main(void)
{
    long live = 0;
    hob_options opt = {.size = sizeof opt, .alloc = count, .alloc_ud = &live};
    hob_sandbox *box;
    if (hob_sandbox_new(&opt, &box, NULL) < 0)
        return 1;
    hob_exec(box, "seq 1 1000 > f; sort -rn f | head -n 3", NULL, NULL);
    printf("%s\n", live > 0 ? "in use" : "?");
    hob_sandbox_free(box);
    printf("%ld bytes left\n", live);
    return 0;
}

/* fuzz.h -- what the fuzz targets share: memory, demands, a small sandbox */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hob.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What does not hold ends the run, with or without NDEBUG. */
static inline void fuzz_demand(int x)
{
    if (!x)
        abort();
}

/* Bytes behind a line of three dashes are the input: n is cut there; without one, all stays. */
static inline void fuzz_split(const char *text, size_t *n, const char **input, size_t *input_n)
{
    for (size_t i = 0; i + 5 <= *n; i++) {
        if (memcmp(text + i, "\n---\n", 5) == 0) {
            *input = text + i + 5;
            *input_n = *n - i - 5;
            *n = i;
            return;
        }
    }
}

/* For heap_init(): the sanitizer sees each allocation. */
static inline void *fuzz_alloc(void *ud, void *p, size_t old, size_t n)
{
    (void)ud, (void)old;
    if (n == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, n);
}

/* A sandbox with small limits, in which a run is the same each time. */
static inline hob_sandbox *fuzz_box(uint64_t fuel)
{
    hob_options opt = {.size = sizeof opt, .clock = HOB_CLOCK_VIRTUAL, .seed = 1};
    hob_sandbox *box = NULL;
    opt.limits.size = sizeof opt.limits;
    opt.limits.memory = 16 << 20;
    opt.limits.fuel = fuel;
    opt.limits.output = 1 << 20;
    opt.limits.processes = 32;
    opt.limits.files = 1000;
    fuzz_demand(hob_sandbox_new(&opt, &box, NULL) >= 0);
    return box;
}

/* Whatever happened in it, the sandbox must still work; then it goes. */
static inline void fuzz_box_end(hob_sandbox *box)
{
    hob_result res = {0};
    fuzz_demand(hob_exec(box, "echo alive | cat", NULL, &res) >= 0);
    fuzz_demand(strcmp(res.out, "alive\n") == 0);
    hob_result_free(&res);
    hob_sandbox_free(box);
}

/* Runs a script with arguments; it prints BAD when something is not as it must be. */
static inline void fuzz_script(const char *script, const char *const *args)
{
    hob_sandbox *box = fuzz_box(300000);
    hob_exec_options run = {.size = sizeof run, .args = args};
    hob_result res = {0};
    if (hob_exec(box, script, &run, &res) >= 0) {
        fuzz_demand(res.limit != 0 || strstr(res.out, "BAD") == NULL);
        hob_result_free(&res);
    }
    fuzz_box_end(box);
}

#endif

/* torture.h -- what the torture programs share: an allocator that counts and fails, the scripts
 *
 * usage of each program: NAME FOLDER      (files as `tests/spec/run --export` writes them)
 */
#ifndef TORTURE_H
#define TORTURE_H

#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hob.h"

struct meter {
    uint64_t count;   /* allocations and growths so far */
    uint64_t fail_at; /* the one that fails, 0: none */
    int failed;       /* whether it has */
    size_t live;      /* bytes not yet freed */
};

static void *meter_alloc(void *ud, void *p, size_t old, size_t n)
{
    struct meter *m = ud;
    if (n == 0) {
        m->live -= p ? old : 0;
        free(p);
        return NULL;
    }
    if (n > old || !p) {
        if (++m->count == m->fail_at) {
            m->failed = 1;
            return NULL;
        }
    }
    void *q = realloc(p, n);
    if (q)
        m->live += n - (p ? old : 0);
    return q;
}

static uint64_t torture_failures; /* so many were tried, by all scripts together */

/* A sandbox that repeats, with limits that end every script soon. */
static hob_options torture_options(struct meter *m)
{
    hob_options opt = {.size = sizeof opt};
    opt.alloc = meter_alloc;
    opt.alloc_ud = m;
    opt.clock = HOB_CLOCK_VIRTUAL;
    opt.seed = 1;
    opt.limits.size = sizeof opt.limits;
    opt.limits.fuel = 100000;
    opt.limits.memory = 64 << 20;
    opt.limits.output = 1 << 20;
    return opt;
}

/* After the failure the same sandbox runs a script to its end. NULL, or what is wrong. */
static const char *torture_alive(hob_sandbox *box)
{
    hob_result res = {0};
    const char *why = NULL;
    if (hob_exec(box, "echo alive | cat", NULL, &res) < 0)
        return "the sandbox cannot run a script afterwards";
    if (res.status != 0 || res.out_len != 6 || memcmp(res.out, "alive\n", 6) != 0)
        why = "the sandbox does not work afterwards";
    hob_result_free(&res);
    return why;
}

/* Which failure comes after the one at `at`: all of the first ones, then ever fewer. What is left
 * out differs from script to script, so that together they leave out little. */
static uint64_t torture_next(uint64_t at, uint64_t dense, int number)
{
    return at < dense ? at + 1
                      : at + at / dense * 3 + (uint64_t)(number * 7 + (int)(at % 5)) % 4 + 1;
}

/* A whole file with a NUL behind, owned by the caller. */
static char *torture_read(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = f ? calloc(1, 1 << 20) : NULL;
    if (text)
        text[fread(text, 1, (1 << 20) - 1, f)] = 0;
    if (f)
        fclose(f);
    return text;
}

/* Calls one(script, number) for each file: NULL, or what is wrong. Prints TAP. */
static int torture_main(int argc, char **argv, const char *(*one)(const char *script, int number))
{
    char pattern[4096];
    glob_t found = {0};
    int number = 0, bad = 0;
    const char *only = argc > 2 ? argv[2] : "";
    snprintf(pattern, sizeof pattern, "%s/*%s*", argc > 1 ? argv[1] : "", only);
    if (argc < 2 || glob(pattern, 0, NULL, &found) != 0)
        return 1;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *name = found.gl_pathv[i] + strlen(argv[1]) + 1;
        char *text = torture_read(found.gl_pathv[i]);
        if (!text)
            return 1;
        printf("# %s %.*s\n", name, (int)strcspn(text, "\n"), text);
        fflush(stdout);
        const char *why = one(text, ++number);
        if (why)
            printf("# %s\n", why);
        printf("%sok %d - %s\n", why ? "not " : "", number, name);
        bad += why != NULL;
        free(text);
    }
    globfree(&found);
    printf("# %llu failures\n1..%d\n", (unsigned long long)torture_failures, number);
    return bad != 0;
}

#endif

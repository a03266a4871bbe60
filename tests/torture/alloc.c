/* alloc.c -- every script of a folder again, with the N-th allocation failing, for all N (TM-MEM-2)
 *
 * The demand: no crash, no leak, a result that is right or a named error, and a sandbox that works
 * afterwards. Allocations are counted from the making of the sandbox on. A script with very many
 * of them is sampled: all of the first ones, then ever fewer.
 *
 * usage: alloc FOLDER      (files as `tests/spec/run --export` writes them)
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hob.h"

enum {
    ALLOC_DENSE = 300
}; /* so many are all tried */

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

/* After the failure the same sandbox runs a script to its end. NULL, or what is wrong. */
static const char *alloc_alive(hob_sandbox *box)
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

/* One run with one failure. NULL, or what is wrong. */
static const char *alloc_once(const char *script, struct meter *m)
{
    hob_options opt = {.size = sizeof opt};
    opt.alloc = meter_alloc;
    opt.alloc_ud = m;
    opt.clock = HOB_CLOCK_VIRTUAL;
    opt.seed = 1;
    opt.limits.size = sizeof opt.limits;
    opt.limits.fuel = 3000000;
    opt.limits.memory = 64 << 20;

    hob_sandbox *box = NULL;
    hob_error err = {0};
    const char *why = NULL;
    int made = hob_sandbox_new(&opt, &box, &err);
    if (made < 0 && !m->failed)
        return "a sandbox cannot be made";
    if (made < 0 && box)
        return "a failed hob_sandbox_new leaves a handle";
    if (made >= 0) {
        hob_result res = {0};
        int ran = hob_exec(box, script, NULL, &res);
        if (ran >= 0)
            hob_result_free(&res);
        else if (ran != HOB_ENOMEM)
            why = hob_error_text(ran);
        if (!why && m->failed)
            why = alloc_alive(box);
        hob_sandbox_free(box);
    }
    if (!why && m->live != 0)
        why = "memory is left behind";
    return why;
}

static int alloc_script(const char *name, const char *script, int number)
{
    uint64_t at = 1, runs = 0;
    for (;;) {
        struct meter m = {.fail_at = at};
        const char *why = alloc_once(script, &m);
        if (why) {
            printf("# %s: allocation %llu fails: %s\n", name, (unsigned long long)at, why);
            printf("not ok %d - %s\n", number, name);
            return 1;
        }
        runs++;
        if (!m.failed)
            break;
        at += at < ALLOC_DENSE ? 1 : at / ALLOC_DENSE;
    }
    printf("ok %d - %s, %llu runs\n", number, name, (unsigned long long)runs);
    fflush(stdout);
    return 0;
}

/* A whole file with a NUL behind, owned by the caller. */
static char *alloc_read(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = f ? calloc(1, 1 << 20) : NULL;
    if (text)
        text[fread(text, 1, (1 << 20) - 1, f)] = 0;
    if (f)
        fclose(f);
    return text;
}

int main(int argc, char **argv)
{
    struct dirent **names = NULL;
    int n = argc > 1 ? scandir(argv[1], &names, NULL, alphasort) : -1;
    int number = 0, bad = 0;
    for (int i = 0; i < n; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], names[i]->d_name);
        char *text = names[i]->d_name[0] == '.' ? NULL : alloc_read(path);
        if (text) {
            char *title = strndup(text, strcspn(text, "\n"));
            printf("# %s\n", title);
            fflush(stdout);
            bad += alloc_script(title ? title : path, text, ++number);
            free(title);
        }
        free(text);
        free(names[i]);
    }
    free(names);
    printf("1..%d\n", number);
    return bad != 0 || n < 0;
}

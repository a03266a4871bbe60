/* numbers.c -- what Hob promises in figures: lifecycle, forks, idle memory, pipes, real shells */
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hob.h"

static int64_t numbers_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static long numbers_rss(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%*d %ld", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return pages * 4096;
}

static void numbers_check(int result, const char *what)
{
    if (result >= 0)
        return;
    fprintf(stderr, "numbers: %s: %s\n", what, hob_error_text(result));
    exit(1);
}

static hob_sandbox *numbers_new(void)
{
    hob_sandbox *box;
    numbers_check(hob_sandbox_new(NULL, &box, NULL), "hob_sandbox_new");
    return box;
}

/* Runs a script that must print `want` (NULL: anything). */
static void numbers_exec(hob_sandbox *box, const char *script, const char *want)
{
    hob_result res;
    numbers_check(hob_exec(box, script, NULL, &res), script);
    if (want && strcmp(res.out, want) != 0) {
        fprintf(stderr, "numbers: %s printed: %s%s\n", script, res.out, res.err);
        exit(1);
    }
    hob_result_free(&res);
}

static int numbers_order(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Prints the median of n times in microseconds. */
static void numbers_print(const char *what, int64_t *t, int n)
{
    qsort(t, (size_t)n, sizeof *t, numbers_order);
    printf("%-44s %10.2f us\n", what, (double)t[n / 2] / 1000);
    fflush(stdout);
}

static void numbers_lifecycle(void)
{
    enum {
        N = 2000
    };
    static int64_t fresh[N], live[N], gone[N];
    for (int i = 0; i < N; i++) {
        int64_t t0 = numbers_now();
        hob_sandbox *box = numbers_new();
        numbers_exec(box, "echo hi", "hi\n");
        int64_t t1 = numbers_now();
        numbers_exec(box, "echo hi", "hi\n");
        int64_t t2 = numbers_now();
        hob_sandbox_free(box);
        fresh[i] = t1 - t0;
        live[i] = t2 - t1;
        gone[i] = numbers_now() - t2;
    }
    numbers_print("new sandbox and first echo", fresh, N);
    numbers_print("echo in a live sandbox", live, N);
    numbers_print("free a sandbox", gone, N);
}

static void numbers_script(const char *what, const char *script, const char *want)
{
    enum {
        N = 200
    };
    static int64_t t[N];
    hob_sandbox *box = numbers_new();
    for (int i = 0; i < N; i++) {
        t[i] = numbers_now();
        numbers_exec(box, script, want);
        t[i] = numbers_now() - t[i];
    }
    numbers_print(what, t, N);
    hob_sandbox_free(box);
}

/* A sandbox with so many files of a size, forked and restored. */
static void numbers_forks(const char *what, int files, size_t size)
{
    enum {
        N = 200
    };
    static int64_t fork[N], back[N];
    hob_sandbox *box = numbers_new(), *copy;
    hob_snapshot *snap;
    char *body = calloc(1, size + 1), path[64], label[100];
    for (int i = 0; body && i < files; i++) {
        snprintf(path, sizeof path, "/tmp/d%d/f%d", i / 100, i);
        numbers_check(hob_write(box, path, body, size), path);
    }
    free(body);
    numbers_check(hob_snapshot_take(box, &snap), "hob_snapshot_take");
    for (int i = 0; i < N; i++) {
        fork[i] = numbers_now();
        numbers_check(hob_sandbox_fork(box, &copy), "hob_sandbox_fork");
        fork[i] = numbers_now() - fork[i];
        hob_sandbox_free(copy);
        numbers_check(hob_write(box, "/tmp/new", "x", 1), "hob_write");
        back[i] = numbers_now();
        numbers_check(hob_snapshot_restore(box, snap), "hob_snapshot_restore");
        back[i] = numbers_now() - back[i];
    }
    snprintf(label, sizeof label, "fork, %s", what);
    numbers_print(label, fork, N);
    snprintf(label, sizeof label, "restore, %s", what);
    numbers_print(label, back, N);
    hob_snapshot_free(snap);
    hob_sandbox_free(box);
}

static void numbers_memory(void)
{
    enum {
        N = 100000
    };
    hob_sandbox **all = calloc(N, sizeof *all);
    if (!all)
        return;
    long before = numbers_rss();
    for (int i = 0; i < N; i++) {
        all[i] = numbers_new();
        numbers_exec(all[i], "echo hi", "hi\n");
    }
    long full = numbers_rss();
    for (int i = 0; i < N; i++)
        hob_sandbox_free(all[i]);
    free(all);
    printf("%-44s %10.2f KB each, %ld MB in all\n", "100,000 idle sandboxes",
           (double)(full - before) / N / 1024, full >> 20);
    printf("%-44s %10ld MB\n", "after freeing them", numbers_rss() >> 20);
}

static void numbers_throughput(void)
{
    hob_sandbox *box = numbers_new();
    int64_t t = numbers_now();
    numbers_exec(box, "yes | head -c 1000000000 | wc -c", "1000000000\n");
    printf("%-44s %10.2f GB/s\n", "yes | head -c 1000000000 | wc -c",
           1e9 / (double)(numbers_now() - t));
    hob_sandbox_free(box);
}

/* What the same shell costs without Hob. */
static void numbers_bare(const char *bash)
{
    char *argv[] = {"bash", "-c", "true", NULL}, *envp[] = {"PATH=/usr/bin:/bin", NULL};
    pid_t pid;
    int status;
    if (posix_spawn(&pid, bash, NULL, NULL, argv, envp) != 0 || waitpid(pid, &status, 0) != pid) {
        fprintf(stderr, "numbers: %s cannot be run\n", bash);
        exit(1);
    }
}

/* A local sandbox beside a bare posix_spawn() of bash, taken in turns. */
static void numbers_local(void)
{
    enum {
        N = 400
    };
    static const char *const env[] = {"PATH=/usr/local/bin:/usr/bin:/bin", NULL};
    static int64_t ours[N], bare[N];
    hob_sandbox_options o = {.size = sizeof o, .host_env = env};
    hob_sandbox *box;
    numbers_check(hob_sandbox_open("local", &o, &box, NULL), "hob_sandbox_open");
    const char *bash = access("/usr/bin/bash", X_OK) == 0 ? "/usr/bin/bash" : "/bin/bash";
    if (access(bash, X_OK) == 0) {
        for (int i = 0; i < N; i++) {
            int64_t t0 = numbers_now();
            numbers_bare(bash);
            int64_t t1 = numbers_now();
            numbers_exec(box, "true", "");
            bare[i] = t1 - t0;
            ours[i] = numbers_now() - t1;
        }
        numbers_print("posix_spawn of bash -c true", bare, N);
        numbers_print("true in a local sandbox", ours, N);
        printf("%-44s %10.2f x\n", "a local sandbox to a bare posix_spawn",
               (double)ours[N / 2] / (double)bare[N / 2]);
    }
    hob_sandbox_free(box);
}

int main(void)
{
    numbers_lifecycle();
    numbers_script("yes | head -1", "yes | head -1", "y\n");
    numbers_script("seq 1 1000000000 | head -5", "seq 1 1000000000 | head -5", "1\n2\n3\n4\n5\n");
    numbers_forks("no files", 0, 0);
    numbers_forks("1,000 files", 1000, 100);
    numbers_forks("100,000 files", 100000, 100);
    numbers_forks("50 MB", 50, 1 << 20);
    numbers_throughput();
    numbers_local();
    numbers_memory();
    return 0;
}

/* parallel.c -- sandboxes on many threads; built with the thread sanitizer by `make tsan`
 *
 * TM-INF-5. Handles are used by one thread each. Forks and snapshots of one sandbox share their
 * files, so these are where a race would be.
 */
#include <pthread.h>
#include <unistd.h>

#include "api.h"

enum {
    THREADS = 4,
    ROUNDS = 15
};

static const char parallel_script[] =
    "cat shared | wc -l; echo $RANDOM > mine; for i in 1 2 3; do echo $i | cat; done > out; "
    "rm d/a; echo changed >> shared; ls d; x=$(seq 1 200 | tail -n 1); echo $x";

static void *parallel_own(void *arg)
{
    int *bad = arg;
    for (int i = 0; i < ROUNDS; i++) {
        hob_sandbox *box = api_box();
        hob_result res;
        if (hob_exec(box, "echo a b c | while read x y; do echo $y; done; seq 1 500 | tail -n 1",
                     NULL, &res) < 0 ||
            strcmp(res.out, "b c\n500\n") != 0)
            ++*bad;
        hob_result_free(&res);
        hob_sandbox_free(box);
    }
    return NULL;
}

static void test_own_sandboxes(void)
{
    pthread_t t[THREADS];
    int bad[THREADS] = {0};
    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&t[i], NULL, parallel_own, &bad[i]) == 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(t[i], NULL);
        CHECK_EQ(bad[i], 0);
    }
}

struct work {
    hob_sandbox *box;
    const hob_snapshot *snap;
    int bad;
};

static void *parallel_fork(void *arg)
{
    struct work *w = arg;
    for (int i = 0; i < ROUNDS; i++) {
        hob_result res;
        hob_sandbox *fork;
        if (hob_exec(w->box, parallel_script, NULL, &res) < 0 ||
            strcmp(res.out, "1000\nb\n200\n") != 0)
            w->bad++;
        hob_result_free(&res);
        if (hob_sandbox_fork(w->box, &fork) < 0) {
            w->bad++;
            break;
        }
        hob_sandbox_free(w->box);
        w->box = fork;
        if (hob_snapshot_restore(w->box, w->snap) < 0)
            w->bad++;
        hob_bytes b;
        if (hob_snapshot_read(w->snap, "/home/user/d/a", &b) < 0 || strcmp(b.data, "A\n") != 0)
            w->bad++;
        hob_free(b.data);
    }
    hob_sandbox_free(w->box);
    return NULL;
}

static void test_forks(void)
{
    pthread_t t[THREADS];
    struct work w[THREADS];
    hob_sandbox *box = api_box();
    hob_snapshot *snap;
    RUN(box,
        "seq 1 1000 > shared; mkdir d; echo A > d/a; echo B > d/b; head -c 200000 /dev/zero > big",
        "");
    REQUIRE(hob_snapshot_take(box, &snap) == 0);
    for (int i = 0; i < THREADS; i++) {
        w[i] = (struct work){.snap = snap};
        REQUIRE(hob_sandbox_fork(box, &w[i].box) == 0);
    }
    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&t[i], NULL, parallel_fork, &w[i]) == 0);
    for (int i = 0; i < ROUNDS; i++) /* the first one is used meanwhile, too */
        RUN(box, "cat d/a; echo more >> shared; rm -f big", "A\n");
    hob_sandbox_free(box);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(t[i], NULL);
        CHECK_EQ(w[i].bad, 0);
    }
    hob_snapshot_free(snap);
}

static void *parallel_stop(void *box)
{
    for (int i = 0; i < 20; i++) {
        usleep(2000);
        hob_interrupt(box);
    }
    return NULL;
}

static void test_interrupts(void)
{
    hob_sandbox *box;
    pthread_t t;
    REQUIRE(hob_sandbox_new(NULL, &box, NULL) == 0);
    REQUIRE(pthread_create(&t, NULL, parallel_stop, box) == 0);
    for (int i = 0; i < 8; i++) {
        hob_exec_options o = API_EXEC;
        o.timeout_ns = 3000000000;
        CHECK_EQ(hob_exec(box, "while :; do echo x | cat > /dev/null; done", &o, NULL), 0);
    }
    pthread_join(t, NULL);
    RUN(box, "echo on", "on\n");
    hob_sandbox_free(box);
}

UNIT_MAIN(UNIT(test_own_sandboxes), UNIT(test_forks), UNIT(test_interrupts))

/* task.c -- tests of coroutines, timers, pipes, descriptors and processes */
#include "host/host.h"
#include "task/proc.h"
#include "task/stream.h"
#include "unit.h"

/* A kernel without files: enough for everything in src/task. */
struct world {
    struct host host;
    struct kernel k;
    struct run *run;
    char log[256];
};

static void world_init(struct world *w, bool virtual_clock)
{
    memset(w, 0, sizeof *w);
    host_init(&w->host, NULL, NULL);
    heap_init(&w->k.heap, w->host.alloc, NULL, 64 << 20);
    w->k.host = &w->host;
    w->k.limits.processes = 100;
    w->k.limits.fds = 64;
    sched_init(&w->k.sched, &w->k.heap, &w->host);
    w->k.sched.virtual_clock = virtual_clock;
    kernel_init_procs(&w->k);
    w->run = heap_new(&w->k.heap, struct run);
    *w->run =
        (struct run){.kernel = &w->k, .refs = 1, .deadline = INT64_MAX, .fuel_left = UINT64_MAX};
    w->k.owner = w;
}

static void world_fini(struct world *w)
{
    run_unref(w->run);
    sched_fini(&w->k.sched);
    CHECK_EQ(w->k.heap.used, 0);
}

static void world_log(struct proc *p, const char *text)
{
    struct world *w = p->kernel->owner;
    strncat(w->log, text, sizeof w->log - strlen(w->log) - 1);
}

static struct proc *world_start(struct world *w, int (*fn)(struct proc *p), void *owner)
{
    int err;
    struct proc *p = proc_first(&w->k, w->run, fn, owner, &err);
    CHECK(p != NULL);
    return p;
}

/* ---- order and time -------------------------------------------------------------------------- */

static int sleeper(struct proc *p)
{
    int n = *(int *)p->owner;
    CHECK_EQ(proc_sleep(p, (int64_t)n * 1000000000), 0);
    char text[2] = {(char)('0' + n), 0};
    world_log(p, text);
    return 0;
}

static void test_timers(void)
{
    struct world w;
    int delays[] = {3, 1, 2, 1};
    world_init(&w, true);
    for (size_t i = 0; i < COUNT(delays); i++)
        world_start(&w, sleeper, &delays[i]);
    CHECK_EQ(sched_run(&w.k.sched, 100000), HOB_STEP_IDLE);
    CHECK_STR(w.log, "1123");
    CHECK_EQ(sched_now(&w.k.sched), 3000000000);
    world_fini(&w);
}

static int busy(struct proc *p)
{
    for (int i = 0; i < 3; i++) {
        world_log(p, p->owner);
        CHECK_EQ(proc_tick(p, 5000), 0); /* more than a slice: the other one runs */
    }
    return 0;
}

static void test_fair_slices(void)
{
    struct world w;
    world_init(&w, true);
    world_start(&w, busy, "a");
    world_start(&w, busy, "b");
    while (sched_run(&w.k.sched, 1000) == HOB_STEP_MORE)
        ;
    CHECK_STR(w.log, "ababab");
    world_fini(&w);
}

/* ---- pipes ----------------------------------------------------------------------------------- */

static int writer(struct proc *p)
{
    char block[1000];
    memset(block, 'x', sizeof block);
    int r = 0;
    for (int i = 0; i < 1000 && r == 0; i++)
        r = file_write(p->owner, p, block, sizeof block);
    file_unref(p->owner);
    return r == HOB_EPIPE || r == HOB_EKILLED ? 99 : r;
}

static int reader(struct proc *p)
{
    struct in in;
    size_t total = 0;
    in_init_file(&in, p, p->owner, true);
    while (in_fill(&in)) {
        CHECK(in.end - in.p <= PIPE_SIZE);
        total += (size_t)(in.end - in.p);
        in.p = in.end;
    }
    CHECK_EQ(in.err, 0);
    CHECK_EQ(total, 1000000);
    in_fini(&in);
    world_log(p, "end");
    return 0;
}

static void test_pipe_backpressure(void)
{
    struct world w;
    struct file *rd, *wr;
    world_init(&w, true);
    CHECK_EQ(pipe_new(&w.k, &rd, &wr), 0);
    world_start(&w, writer, wr);
    world_start(&w, reader, rd);
    while (sched_run(&w.k.sched, 10000) == HOB_STEP_MORE)
        CHECK(w.k.heap.used < 400000); /* a pipe, not a megabyte. TM-MEM-2 */
    CHECK_STR(w.log, "end");
    world_fini(&w);
}

static int first_byte(struct proc *p)
{
    char c;
    CHECK_EQ(file_read(p->owner, p, &c, 1), 1);
    file_unref(p->owner);
    return 0;
}

static int sigpipe_parent(struct proc *p)
{
    struct file *rd, *wr;
    int err, status, sig;
    CHECK_EQ(pipe_new(p->kernel, &rd, &wr), 0);
    struct proc *child = proc_spawn(p, writer, wr, &err);
    CHECK(child != NULL);
    CHECK(proc_spawn(p, first_byte, rd, &err) != NULL);
    int pid = child->pid;
    CHECK_EQ(proc_wait(p, pid, INT64_MAX, &status, &sig), pid);
    CHECK_EQ(status, 128 + SIG_PIPE);
    CHECK_EQ(sig, SIG_PIPE);
    CHECK(proc_wait(p, -1, INT64_MAX, &status, &sig) > 0);
    CHECK_EQ(proc_wait(p, -1, INT64_MAX, &status, &sig), HOB_ECHILD);
    return 0;
}

static void test_sigpipe(void)
{
    struct world w;
    world_init(&w, true);
    world_start(&w, sigpipe_parent, NULL);
    while (sched_run(&w.k.sched, 100000) == HOB_STEP_MORE)
        ;
    CHECK_EQ(w.k.nprocs, 0);
    world_fini(&w);
}

/* ---- signals and limits ---------------------------------------------------------------------- */

static int forever(struct proc *p)
{
    int r;
    while ((r = proc_tick(p, 100)) == 0)
        ;
    CHECK_EQ(r, HOB_EKILLED);
    return 0;
}

static int killer(struct proc *p)
{
    int err, status, sig;
    struct proc *c = proc_spawn(p, forever, NULL, &err);
    CHECK(c != NULL);
    int pid = c->pid;
    CHECK_EQ(proc_wait(p, pid, sched_now(&p->kernel->sched), &status, &sig), HOB_ETIMEDOUT);
    CHECK_EQ(proc_kill(p, pid, SIG_TERM), 0);
    CHECK_EQ(proc_wait(p, pid, INT64_MAX, &status, &sig), pid);
    CHECK_EQ(status, 143);
    CHECK_EQ(proc_kill(p, pid, SIG_TERM), HOB_ESRCH);
    return 0;
}

static void test_kill(void)
{
    struct world w;
    world_init(&w, true);
    world_start(&w, killer, NULL);
    while (sched_run(&w.k.sched, 100000) == HOB_STEP_MORE)
        ;
    world_fini(&w);
}

static void test_fuel(void)
{
    struct world w;
    world_init(&w, true);
    w.run->fuel_left = 50000;
    world_start(&w, forever, NULL);
    while (sched_run(&w.k.sched, 100000) == HOB_STEP_MORE)
        ;
    CHECK_EQ(w.run->limit, HOB_LIMIT_FUEL);
    CHECK(w.run->fuel_used < 60000);
    world_fini(&w);
}

static int bomb(struct proc *p)
{
    int err;
    while (proc_tick(p, 1) == 0 && proc_spawn(p, bomb, NULL, &err))
        ;
    return 1;
}

static void test_process_limit(void)
{
    struct world w;
    world_init(&w, true);
    world_start(&w, bomb, NULL);
    while (sched_run(&w.k.sched, 100000) == HOB_STEP_MORE)
        ;
    CHECK_EQ(w.run->limit, HOB_LIMIT_PROCESSES);
    CHECK_EQ(w.k.nprocs, 0);
    world_fini(&w);
}

static int deep(struct proc *p, int n)
{
    /* Real frames: neither inlined nor turned into a loop. */
    static int (*volatile again)(struct proc *, int) = deep;
    volatile char room[512];
    if (task_stack_low(p->task))
        return n;
    int r = again(p, n + 1);
    room[0] = 1; /* a use behind the call */
    return r + room[0] - 1;
}

static int recursion(struct proc *p)
{
    CHECK(deep(p, 0) > 1000);
    return 0;
}

static void test_stack(void)
{
    struct world w;
    world_init(&w, true);
    world_start(&w, recursion, NULL);
    CHECK_EQ(sched_run(&w.k.sched, 100000), HOB_STEP_IDLE);
    world_fini(&w);
}

/* ---- descriptors ----------------------------------------------------------------------------- */

static void test_descriptors(void)
{
    struct world w;
    struct fdtab t, copy;
    world_init(&w, true);
    fdtab_init(&t, &w.k.heap);
    struct file *f = memfile_null(&w.k);
    CHECK_EQ(fdtab_add(&t, file_ref(f), 0, false, 64), 0);
    CHECK_EQ(fdtab_add(&t, file_ref(f), 0, false, 64), 1);
    CHECK_EQ(fdtab_set(&t, 40, file_ref(f), true), 40);
    CHECK_EQ(fdtab_add(&t, file_ref(f), 64, false, 64), HOB_EMFILE);
    CHECK_EQ(fdtab_copy(&copy, &t), 0);
    CHECK_EQ(fdtab_close(&t, 40), 0);
    CHECK_EQ(fdtab_close(&t, 40), HOB_EBADF);
    CHECK(fdtab_get(&copy, 40) == f);
    CHECK(fdtab_get(&t, 1000) == NULL);
    fdtab_fini(&t);
    fdtab_fini(&copy);
    CHECK_EQ(f->refs, 1);
    file_unref(f);
    world_fini(&w);
}

static void test_signal_names(void)
{
    CHECK_EQ(signal_number(STR("SIGterm")), SIG_TERM);
    CHECK_EQ(signal_number(STR("9")), SIG_KILL);
    CHECK_EQ(signal_number(STR("RTMIN+1")), 35);
    CHECK_EQ(signal_number(STR("nope")), -1);
    CHECK_STR(signal_name(SIG_INT), "INT");
    CHECK(signal_name(33) == NULL);
}

UNIT_MAIN({"timers", test_timers}, {"fair slices", test_fair_slices},
          {"pipe backpressure", test_pipe_backpressure}, {"SIGPIPE", test_sigpipe},
          {"kill", test_kill}, {"fuel", test_fuel}, {"process limit", test_process_limit},
          {"stack", test_stack}, {"descriptors", test_descriptors},
          {"signal names", test_signal_names})

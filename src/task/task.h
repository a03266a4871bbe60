/* task.h -- coroutines and their scheduler
 *
 * A task is a function on a stack of its own. It runs until it would block, then another one runs:
 * there are no threads. The scheduler belongs to one sandbox. WASM will have its own
 * implementation of the three functions in context.h; everything else is plain C.
 *
 * Fuel: the evaluator and the I/O helpers call task_tick() with what they did. A task whose slice
 * is used up yields, so that all tasks of a sandbox move on, and the slow path looks at deadlines,
 * fuel and interrupts.
 */
#ifndef HOB_TASK_TASK_H
#define HOB_TASK_TASK_H

#include <stdatomic.h>

#include "base/heap.h"
#include "task/context.h"
#include "task/host.h"

struct proc;
struct sched;
struct task;

/* Tasks that wait for the same thing. All zero is an empty queue. */
struct waitq {
    struct task *head, *tail;
};

enum task_state {
    TASK_READY,
    TASK_RUNNING,
    TASK_WAITING,
    TASK_DONE
};

struct task {
    struct context ctx;
    struct sched *sched;
    struct proc *proc; /* the process that runs on it now; changes while a command runs inline */
    char *stack;       /* low end, NULL until the task first runs */
    size_t stack_size;
    const char *stack_limit; /* below this address task_stack_low() is true */
    const char *stack_deep;  /* the deepest address seen by task_stack_low() */
    int64_t slice;           /* fuel left before it must yield */
    uint8_t state;
    bool timed_out;           /* the last wait ended by its deadline */
    bool killable;            /* a wait that a signal may end */
    struct waitq *queue;      /* waits in it */
    struct task *next, *prev; /* in the run queue or the wait queue */
    int64_t deadline;         /* on the sandbox's clock; INT64_MAX: none */
    int timer;                /* index in the timer heap, -1: none */
    uint64_t timer_seq;       /* timers of the same time fire in the order they were set */
    void (*fn)(void *arg);
    void *arg;
};

struct sched {
    struct heap *heap;
    const struct host *host;
    struct context main;      /* the caller of sched_run */
    struct task *current;     /* NULL outside of sched_run */
    struct task *head, *tail; /* ready to run */
    struct task **timers;     /* a binary heap by (deadline, seq) */
    size_t ntimers, captimers;
    uint64_t timer_seq;
    size_t ntasks; /* not yet done */
    size_t stack_size;
    int64_t slice;  /* fuel of one slice */
    int64_t budget; /* fuel left in this sched_run; may go below 0 */
    bool virtual_clock;
    bool outside;         /* something waits for the world outside: a virtual clock does not jump */
    int64_t clock;        /* virtual clock: now */
    uint64_t fuel_used;   /* in all */
    atomic_int interrupt; /* set from another thread; the slow tick hands it on */
    /* Called in the slow tick, on the task, after `used` units: looks at deadlines and limits.
     * 0, or a negative error that the task's work must end with. */
    int (*check)(struct sched *s, struct task *t, int64_t used);
    void *ud;
};

void sched_init(struct sched *s, struct heap *h, const struct host *host);
void sched_fini(struct sched *s);   /* no task may be left */
int64_t sched_now(struct sched *s); /* nanoseconds since 1970 on the sandbox's clock */

/* Runs tasks until `fuel` is used up or none can run. HOB_STEP_IDLE, HOB_STEP_MORE or
 * HOB_STEP_WAIT. On the virtual clock a wait for a timer does not end the run: time jumps. */
int sched_run(struct sched *s, int64_t fuel);
int64_t sched_next_timer(struct sched *s); /* on the sandbox's clock; INT64_MAX: none */

/* A task that is ready to run fn(arg). NULL when out of memory. It frees itself when fn returns
 * (its stack goes back to the host first). */
struct task *task_new(struct sched *s, void (*fn)(void *arg), void *arg, struct proc *p);

void task_yield(struct task *t);
/* Waits in q (may be NULL: for the time alone) until woken or until `deadline`. 0 when woken,
 * HOB_ETIMEDOUT. The caller looks at its condition again. Signals wake through task_wake(). */
int task_wait(struct task *t, struct waitq *q, int64_t deadline);
void task_wake(struct task *t); /* no effect unless it waits */
void waitq_wake_one(struct waitq *q);
void waitq_wake_all(struct waitq *q);

int task_tick_slow(struct task *t);
/* n units of work done; one is about a simple command, a loop turn, or 1 KiB moved. 0, or the
 * error that the work must end with (HOB_EKILLED). */
static inline int task_tick(struct task *t, int64_t n)
{
    t->slice -= n;
    return LIKELY(t->slice > 0) ? 0 : task_tick_slow(t);
}

/* True when too little stack is left to recurse further. */
static inline bool task_stack_low(struct task *t)
{
    const char *here = __builtin_frame_address(0);
    if (here < t->stack_deep)
        t->stack_deep = here;
    return here < t->stack_limit;
}

#endif

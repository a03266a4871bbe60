/* task.c -- the scheduler: ready queue, timers, slices */
#include "task/task.h"

enum {
    TASK_SLICE = 2000,          /* fuel of one slice */
    TASK_STACK_SIZE = 8 << 20,  /* address space; pages come when they are touched */
    TASK_STACK_SPARE = 96 << 10 /* what leaf functions and callbacks may still need */
};

void sched_init(struct sched *s, struct heap *h, const struct host *host)
{
    memset(s, 0, sizeof *s);
    s->heap = h;
    s->host = host;
    s->slice = TASK_SLICE;
    s->stack_size = TASK_STACK_SIZE;
}

void sched_fini(struct sched *s)
{
    heap_free(s->heap, s->timers, s->captimers * sizeof *s->timers);
    s->timers = NULL;
    s->ntimers = s->captimers = 0;
}

int64_t sched_now(struct sched *s)
{
    return s->virtual_clock ? s->clock : s->host->now(s->host->ud);
}

/* ---- timers: a binary heap ------------------------------------------------------------------- */

static bool sched_earlier(const struct task *a, const struct task *b)
{
    return a->deadline != b->deadline ? a->deadline < b->deadline : a->timer_seq < b->timer_seq;
}

static void sched_timer_put(struct sched *s, size_t i, struct task *t)
{
    s->timers[i] = t;
    t->timer = (int)i;
}

static void sched_timer_up(struct sched *s, size_t i, struct task *t)
{
    while (i > 0 && sched_earlier(t, s->timers[(i - 1) / 2])) {
        sched_timer_put(s, i, s->timers[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    sched_timer_put(s, i, t);
}

static void sched_timer_down(struct sched *s, size_t i, struct task *t)
{
    for (;;) {
        size_t c = 2 * i + 1;
        if (c >= s->ntimers)
            break;
        if (c + 1 < s->ntimers && sched_earlier(s->timers[c + 1], s->timers[c]))
            c++;
        if (!sched_earlier(s->timers[c], t))
            break;
        sched_timer_put(s, i, s->timers[c]);
        i = c;
    }
    sched_timer_put(s, i, t);
}

static void sched_timer_del(struct sched *s, struct task *t)
{
    if (t->timer < 0)
        return;
    size_t i = (size_t)t->timer;
    struct task *last = s->timers[--s->ntimers];
    t->timer = -1;
    if (last == t)
        return;
    if (i > 0 && sched_earlier(last, s->timers[(i - 1) / 2]))
        sched_timer_up(s, i, last);
    else
        sched_timer_down(s, i, last);
}

/* Room was made when the task was created, so setting a timer cannot fail. */
static void sched_timer_add(struct sched *s, struct task *t, int64_t deadline)
{
    t->deadline = deadline;
    t->timer_seq = ++s->timer_seq;
    sched_timer_up(s, s->ntimers++, t);
}

int64_t sched_next_timer(struct sched *s)
{
    return s->ntimers ? s->timers[0]->deadline : INT64_MAX;
}

/* ---- queues ---------------------------------------------------------------------------------- */

static void sched_ready(struct sched *s, struct task *t)
{
    t->state = TASK_READY;
    t->next = NULL;
    t->prev = s->tail;
    if (s->tail)
        s->tail->next = t;
    else
        s->head = t;
    s->tail = t;
}

static struct task *sched_take(struct sched *s)
{
    struct task *t = s->head;
    s->head = t->next;
    if (s->head)
        s->head->prev = NULL;
    else
        s->tail = NULL;
    t->next = t->prev = NULL;
    return t;
}

static void waitq_del(struct task *t)
{
    struct waitq *q = t->queue;
    if (!q)
        return;
    if (t->prev)
        t->prev->next = t->next;
    else
        q->head = t->next;
    if (t->next)
        t->next->prev = t->prev;
    else
        q->tail = t->prev;
    t->queue = NULL;
    t->next = t->prev = NULL;
}

void task_wake(struct task *t)
{
    if (t->state != TASK_WAITING)
        return;
    waitq_del(t);
    sched_timer_del(t->sched, t);
    sched_ready(t->sched, t);
}

void waitq_wake_one(struct waitq *q)
{
    if (q->head)
        task_wake(q->head);
}

void waitq_wake_all(struct waitq *q)
{
    while (q->head)
        task_wake(q->head);
}

/* ---- tasks ----------------------------------------------------------------------------------- */

struct task *task_new(struct sched *s, void (*fn)(void *arg), void *arg, struct proc *p)
{
    /* Every living task may sleep: keep room for all of them in the timer heap. */
    if (s->ntasks + 1 > s->captimers) {
        size_t cap = s->captimers ? s->captimers * 2 : 4;
        struct task **n =
            heap_realloc(s->heap, s->timers, s->captimers * sizeof *n, cap * sizeof *n);
        if (!n)
            return NULL;
        s->timers = n;
        s->captimers = cap;
    }
    struct task *t = heap_new(s->heap, struct task);
    if (!t)
        return NULL;
    t->stack = s->host->stack_get(s->host->ud, s->stack_size, &t->stack_size);
    if (!t->stack) {
        heap_drop(s->heap, t);
        s->heap->oom = true;
        return NULL;
    }
    t->sched = s;
    t->proc = p;
    t->fn = fn;
    t->arg = arg;
    t->timer = -1;
    t->deadline = INT64_MAX;
    t->slice = s->slice;
    t->stack_limit = t->stack + MIN((size_t)TASK_STACK_SPARE, t->stack_size / 2);
    t->stack_deep = t->stack + t->stack_size;
    s->ntasks++;
    sched_ready(s, t);
    return t;
}

static void task_entry(void *arg)
{
    struct task *t = arg;
    t->fn(t->arg);
    t->state = TASK_DONE;
    context_leave(&t->ctx, &t->sched->main);
}

static void task_free(struct task *t)
{
    struct sched *s = t->sched;
    size_t touched = (size_t)(t->stack + t->stack_size - t->stack_deep) + TASK_STACK_SPARE;
    context_fini(&t->ctx);
    s->host->stack_put(s->host->ud, t->stack, t->stack_size, MIN(touched, t->stack_size));
    s->ntasks--;
    heap_drop(s->heap, t);
}

static void task_resume(struct sched *s, struct task *t)
{
    if (!t->ctx.sp)
        context_init(&t->ctx, t->stack, t->stack_size, task_entry, t);
    t->state = TASK_RUNNING;
    s->current = t;
    context_switch(&s->main, &t->ctx);
    s->current = NULL;
    if (t->state == TASK_DONE)
        task_free(t);
}

void task_yield(struct task *t)
{
    sched_ready(t->sched, t);
    context_switch(&t->ctx, &t->sched->main);
}

int task_wait(struct task *t, struct waitq *q, int64_t deadline)
{
    struct sched *s = t->sched;
    t->state = TASK_WAITING;
    t->timed_out = false;
    t->queue = q;
    t->next = NULL;
    t->prev = NULL;
    if (q) {
        t->prev = q->tail;
        if (q->tail)
            q->tail->next = t;
        else
            q->head = t;
        q->tail = t;
    }
    if (deadline != INT64_MAX)
        sched_timer_add(s, t, deadline);
    context_switch(&t->ctx, &s->main);
    return t->timed_out ? HOB_ETIMEDOUT : 0;
}

/* Wakes whoever's time has come. */
static void sched_fire(struct sched *s)
{
    int64_t now = sched_now(s);
    while (s->ntimers && s->timers[0]->deadline <= now) {
        struct task *t = s->timers[0];
        t->timed_out = true;
        task_wake(t);
    }
}

int task_tick_slow(struct task *t)
{
    struct sched *s = t->sched;
    int64_t used = s->slice - t->slice;
    s->budget -= used;
    s->fuel_used += (uint64_t)used;
    t->slice = s->slice;
    int r = s->check ? s->check(s, t, used) : 0;
    if (s->ntimers)
        sched_fire(s); /* a step may be long, and this task alone in it */
    /* TM-DOS-8: others get their turn; alone, only the end of the step interrupts. */
    if (r == 0 && (s->head || s->budget <= 0)) {
        task_yield(t);
        r = s->check ? s->check(s, t, 0) : 0;
    }
    return r;
}

/* ---- the loop -------------------------------------------------------------------------------- */

int sched_run(struct sched *s, int64_t fuel)
{
    s->budget = fuel;
    if (s->ntimers)
        sched_fire(s);
    for (;;) {
        if (!s->head) {
            if (!s->ntimers || !s->virtual_clock || s->outside)
                return s->ntasks ? HOB_STEP_WAIT : HOB_STEP_IDLE;
            if (s->budget <= 0)
                return HOB_STEP_MORE;
            s->clock = MAX(s->clock, s->timers[0]->deadline);
            sched_fire(s);
            continue;
        }
        if (s->budget <= 0)
            return HOB_STEP_MORE;
        struct task *t = sched_take(s);
        task_resume(s, t); /* may free t */
        s->budget -= 10;   /* a switch costs too: endless ping-pong must end the step */
        if (s->ntimers && s->budget % 64 < 10)
            sched_fire(s);
    }
}

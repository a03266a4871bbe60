/* loop.c -- the event loop: tasks, sandboxes that are waited for, timers
 *
 * A step runs what can run: first the tasks, then the sandboxes that some task waits for, and again
 * while the sandboxes made tasks ready. Between two steps the loop knows the descriptors and the
 * time to wait for, so that it can stand inside another event loop.
 */
#include "agent/loop.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "sandbox/driven.h"

enum {
    LOOP_STACK = 1 << 20,   /* of a task: address space, memory only where it was touched */
    LOOP_FUEL = 100000,     /* of one round; a switch costs 10 */
    LOOP_ROUNDS = 8,        /* rounds in one step */
    LOOP_EVENTS = 64,       /* taken from epoll at once */
    LOOP_INPUT_NS = 5000000 /* a job that waits for a read callback is tried again after so long */
};

/* A task that waits for something of a sandbox. It lives on that task's stack. */
struct loop_waiter {
    struct loop_waiter *next;
    hob_sandbox *box; /* the handle it uses */
    hob_job *job;     /* one of these two */
    struct fileop *op;
    struct waitq queue;
};

struct loop_box {
    struct loop_box *next;
    const void *core; /* the sandbox itself, whichever handle is used */
    struct loop_waiter *waiters;
    hob_sandbox *linger; /* without waiters: a handle of the loop's own, see loop_box_leave() */
    int fd;              /* that epoll watches for it, or -1 */
    bool ready;          /* a step may move it */
    int64_t due;         /* on loop_now(): a step is due then; INT64_MAX: none */
};

/* ---- cancelling ------------------------------------------------------------------------------ */

/* It lives on the stack of the task that waits. */
struct cancel_wait {
    struct cancel_wait *next;
    struct task *task;
};

void cancel_init(struct cancel *c, struct cancel *parent)
{
    *c = (struct cancel){.parent = parent};
    if (!parent)
        return;
    c->next = parent->children;
    parent->children = c;
    if (parent->fired) {
        c->fired = true;
        memcpy(c->reason, parent->reason, sizeof c->reason);
    }
}

void cancel_fini(struct cancel *c)
{
    for (struct cancel **at = c->parent ? &c->parent->children : NULL; at && *at; at = &(*at)->next)
        if (*at == c) {
            *at = c->next;
            break;
        }
    for (struct cancel *child = c->children; child; child = child->next)
        child->parent = NULL;
    c->parent = c->children = c->next = NULL;
}

void cancel_fire(struct cancel *c, const char *reason)
{
    if (c->fired)
        return;
    c->fired = true;
    struct str text = str_z(reason && *reason ? reason : "the operation was aborted");
    size_t n = MIN(text.n, sizeof c->reason - 1);
    memcpy(c->reason, text.p, n);
    c->reason[n] = '\0';
    for (struct cancel_wait *w = c->waiting; w; w = w->next)
        task_wake(w->task);
    for (struct cancel *child = c->children; child; child = child->next)
        cancel_fire(child, c->reason);
}

int cancel_check(const struct cancel *c, struct hob_error *err)
{
    return c && c->fired ? error_set(err, HOB_ECANCELED, "%s", c->reason) : 0;
}

/* ---- tasks ----------------------------------------------------------------------------------- */

struct loop_start {
    struct hob_loop *loop;
    void (*fn)(void *arg);
    void *arg;
};

static void loop_enter(void *arg)
{
    struct loop_start *s = arg, start = *s;
    heap_drop(&start.loop->heap, s);
    start.fn(start.arg);
    heap_gate(&start.loop->heap); /* what failed here is no matter of the task that runs next */
}

struct task *loop_task(struct hob_loop *l) { return l->in_box ? NULL : l->sched.current; }

struct task *loop_spawn(struct hob_loop *l, void (*fn)(void *arg), void *arg)
{
    struct loop_start *s = heap_new(&l->heap, struct loop_start);
    if (!s)
        return NULL;
    *s = (struct loop_start){l, fn, arg};
    struct task *t = task_new(&l->sched, loop_enter, s, NULL);
    if (!t)
        heap_drop(&l->heap, s);
    return t;
}

int loop_wait(struct hob_loop *l, struct waitq *q, int64_t deadline, struct cancel *c)
{
    struct task *t = l->sched.current;
    struct cancel_wait w = {.task = t};
    if (c && c->fired)
        return HOB_ECANCELED;
    if (c) {
        w.next = c->waiting;
        c->waiting = &w;
    }
    bool oom = l->heap.oom;
    l->heap.oom = false;
    int r = task_wait(t, q, deadline);
    l->heap.oom = oom;
    for (struct cancel_wait **at = c ? &c->waiting : NULL; at && *at; at = &(*at)->next)
        if (*at == &w) {
            *at = w.next;
            break;
        }
    return c && c->fired ? HOB_ECANCELED : r;
}

void loop_yield(struct hob_loop *l)
{
    bool oom = l->heap.oom;
    l->heap.oom = false;
    task_yield(l->sched.current);
    l->heap.oom = oom;
}

int64_t loop_now(struct hob_loop *l) { return l->host.now(l->host.ud); }

int64_t loop_wall_ms(struct hob_loop *l) { return l->wall(l->host.ud) / 1000000; }

int loop_sleep(struct hob_loop *l, int64_t ns, struct cancel *c)
{
    int64_t until;
    if (__builtin_add_overflow(loop_now(l), ns, &until))
        until = INT64_MAX;
    int r = loop_wait(l, NULL, until, c);
    return r == HOB_ECANCELED ? r : 0;
}

/* ---- sandboxes ------------------------------------------------------------------------------- */

static const void *loop_core(const hob_sandbox *box)
{
    return box->v ? (const void *)box->v : (const void *)box->d;
}

static struct loop_box *loop_box_get(struct hob_loop *l, hob_sandbox *box)
{
    for (struct loop_box *b = l->boxes; b; b = b->next)
        if (b->core == loop_core(box))
            return b;
    struct loop_box *b = heap_new(&l->heap, struct loop_box);
    if (!b)
        return NULL;
    b->core = loop_core(box);
    b->fd = -1;
    b->next = l->boxes;
    l->boxes = b;
    return b;
}

/* A handle to step it by. */
static hob_sandbox *loop_box_handle(const struct loop_box *b)
{
    return b->waiters ? b->waiters->box : b->linger;
}

static void loop_box_watch(struct hob_loop *l, struct loop_box *b, int fd)
{
    struct epoll_event e = {.events = EPOLLIN};
    if (b->fd >= 0 && b->fd != fd) {
        epoll_ctl(l->epoll, EPOLL_CTL_DEL, b->fd, &e);
        b->fd = -1;
    }
    if (fd < 0)
        return;
    e.data.fd = fd;
    /* It may have been closed and opened again meanwhile, so it is added each time. */
    if (epoll_ctl(l->epoll, EPOLL_CTL_ADD, fd, &e) == 0 || errno == EEXIST)
        b->fd = fd;
    else
        b->due = MIN(b->due, loop_now(l) + LOOP_INPUT_NS);
}

/* When the box must be stepped again. */
static void loop_box_plan(struct hob_loop *l, struct loop_box *b)
{
    hob_pending w = {.size = sizeof w, .until_ns = -1, .fd = -1};
    if (hob_wait_for(loop_box_handle(b), &w) < 0)
        w.until_ns = LOOP_INPUT_NS;
    if (w.input && (w.until_ns < 0 || w.until_ns > LOOP_INPUT_NS))
        w.until_ns = LOOP_INPUT_NS;
    b->due = w.until_ns < 0 ? INT64_MAX : loop_now(l) + w.until_ns;
    loop_box_watch(l, b, w.fd);
}

static void loop_box_drop(struct hob_loop *l, struct loop_box *b)
{
    loop_box_watch(l, b, -1);
    for (struct loop_box **at = &l->boxes; *at; at = &(*at)->next)
        if (*at == b) {
            *at = b->next;
            break;
        }
    hob_sandbox_free(b->linger);
    heap_drop(&l->heap, b);
}

/* Called when something of the box was waited for and finished. A command that was given up may
 * still have to be ended by force, so a driven sandbox that nobody waits for is stepped on, by a
 * handle of the loop's own, until its driver has come back. */
static void loop_box_leave(struct hob_loop *l, hob_sandbox *box)
{
    struct loop_box *b = l->boxes;
    while (b && b->core != loop_core(box))
        b = b->next;
    if (!b || b->waiters)
        return;
    bool busy = box->d && box->d->calls;
    if (busy && !b->linger)
        hob_sandbox_view(box, hob_sandbox_cwd(box), &b->linger);
    if (busy && b->linger)
        b->ready = true;
    else
        loop_box_drop(l, b);
}

void loop_forget(struct hob_loop *l, hob_sandbox *box)
{
    for (struct loop_box *b = l->boxes; b; b = b->next)
        if (b->core == loop_core(box) && !b->waiters) {
            loop_box_drop(l, b);
            return;
        }
}

static bool loop_waiter_done(const struct loop_waiter *w)
{
    return w->job ? hob_job_done(w->job) : fileop_done(w->op);
}

/* Steps what may move; true if some box has more to do at once. Tasks whose job ended are woken.
 * A callback inside of the step may start an operation, but no task runs meanwhile, so the list
 * stays as it is. */
static bool loop_boxes_step(struct hob_loop *l)
{
    bool more = false;
    int64_t now = l->boxes ? loop_now(l) : 0;
    for (struct loop_box *b = l->boxes, *next; b; b = next) {
        next = b->next;
        if (!b->ready && b->due > now)
            continue;
        int r = hob_step(loop_box_handle(b), 0);
        b->ready = r == HOB_STEP_MORE;
        more |= b->ready;
        for (struct loop_waiter *w = b->waiters; w; w = w->next)
            if (loop_waiter_done(w))
                waitq_wake_all(&w->queue);
        if (!b->waiters && !b->linger->d->calls)
            loop_box_drop(l, b);
        else if (!b->ready)
            loop_box_plan(l, b);
    }
    return more;
}

/* Waits until what w names is done. The caller finishes that, and then leaves the box. */
static int loop_wait_box(struct hob_loop *l, struct loop_waiter *w, struct cancel *c)
{
    int r = c && c->fired ? HOB_ECANCELED : 0;
    struct loop_box *b = r == 0 ? loop_box_get(l, w->box) : NULL;
    if (!b)
        return r < 0 ? r : HOB_ENOMEM;
    b->ready = true;
    w->next = b->waiters;
    b->waiters = w;
    while (r == 0 && !loop_waiter_done(w))
        r = loop_wait(l, &w->queue, INT64_MAX, c);
    for (struct loop_waiter **at = &b->waiters; *at; at = &(*at)->next)
        if (*at == w) {
            *at = w->next;
            break;
        }
    return r;
}

int loop_exec(struct hob_loop *l, hob_sandbox *box, const char *script, const hob_exec_options *o,
              struct cancel *c, hob_result *res, struct hob_error *err)
{
    hob_job *job = NULL;
    *res = (hob_result){0};
    int r = cancel_check(c, err);
    if (r < 0)
        return r;
    r = hob_exec_start(box, script, o, &job, err);
    if (r < 0)
        return r;
    struct loop_waiter w = {.box = box, .job = job};
    r = loop_wait_box(l, &w, c);
    l->in_box = true; /* ending a job runs its sandbox, here */
    int f = hob_job_finish(job, res);
    l->in_box = false;
    loop_box_leave(l, box);
    if (r == HOB_ECANCELED)
        return error_set(err, r, "%s", c->reason);
    r = r < 0 ? r : f;
    return r < 0 ? error_set(err, r, "%s", error_text(r)) : 0;
}

/* ---- files ----------------------------------------------------------------------------------- */

static int loop_file(struct hob_loop *l, hob_sandbox *box, const struct fileop_args *a,
                     struct cancel *c, struct fileop_result *res)
{
    struct loop_waiter w = {.box = box};
    if (c && c->fired)
        return HOB_ECANCELED;
    l->in_box = true; /* starting one, and giving it up, runs its driver, here */
    int r = fileop_start(box, a, &w.op);
    l->in_box = false;
    if (r < 0)
        return r;
    if (!fileop_done(w.op))
        r = loop_wait_box(l, &w, c);
    l->in_box = true;
    int f = fileop_finish(w.op, r < 0 ? NULL : res);
    l->in_box = false;
    loop_box_leave(l, box);
    return r < 0 ? r : f;
}

int loop_read(struct hob_loop *l, hob_sandbox *box, const char *path, struct cancel *c,
              hob_bytes *out)
{
    struct fileop_args a = {.kind = FILEOP_READ, .path = path};
    struct fileop_result res = {0};
    int r = loop_file(l, box, &a, c, &res);
    *out = res.out;
    return r;
}

int loop_write(struct hob_loop *l, hob_sandbox *box, const char *path, struct str data,
               struct cancel *c)
{
    struct fileop_args a = {.kind = FILEOP_WRITE, .path = path, .data = data.p, .len = data.n};
    return loop_file(l, box, &a, c, NULL);
}

int loop_stat(struct hob_loop *l, hob_sandbox *box, const char *path, struct cancel *c,
              hob_stat_t *out)
{
    struct fileop_args a = {.kind = FILEOP_STAT, .path = path};
    struct fileop_result res = {0};
    int r = loop_file(l, box, &a, c, &res);
    *out = res.st;
    return r;
}

int loop_readdir(struct hob_loop *l, hob_sandbox *box, const char *path, struct cancel *c,
                 hob_dirent **out, size_t *n)
{
    struct fileop_args a = {.kind = FILEOP_READDIR, .path = path};
    struct fileop_result res = {0};
    int r = loop_file(l, box, &a, c, &res);
    *out = res.list;
    *n = res.n;
    return r;
}

int loop_rename(struct hob_loop *l, hob_sandbox *box, const char *from, const char *to,
                struct cancel *c)
{
    struct fileop_args a = {.kind = FILEOP_RENAME, .path = from, .to = to};
    return loop_file(l, box, &a, c, NULL);
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Asks epoll what is ready, without waiting. */
static void loop_collect(struct hob_loop *l)
{
    struct epoll_event e[LOOP_EVENTS];
    int n = epoll_wait(l->epoll, e, LOOP_EVENTS, 0);
    for (int i = 0; i < n; i++)
        for (struct loop_box *b = l->boxes; b; b = b->next)
            b->ready |= b->fd == e[i].data.fd;
}

int hob_loop_step(hob_loop *l)
{
    if (l->stepping || l->sched.current)
        return HOB_EMISUSE;
    l->stepping = true;
    bool more = false;
    if (l->boxes)
        loop_collect(l);
    for (int i = 0; i < LOOP_ROUNDS; i++) {
        if (l->http_calls)
            http_client_step(l->http);
        sched_run(&l->sched, LOOP_FUEL);
        more = loop_boxes_step(l);
        if (!l->sched.head)
            break;
    }
    l->stepping = false;
    heap_gate(&l->heap);
    if (more || l->sched.head)
        return HOB_STEP_MORE;
    return l->sched.ntasks ? HOB_STEP_WAIT : HOB_STEP_IDLE;
}

int64_t hob_loop_timeout(hob_loop *l)
{
    if (l->sched.head)
        return 0;
    int64_t due = sched_next_timer(&l->sched);
    for (struct loop_box *b = l->boxes; b; b = b->next)
        due = b->ready ? INT64_MIN : MIN(due, b->due);
    int64_t left = due == INT64_MAX ? -1 : MAX(due - loop_now(l), 0);
    if (due == INT64_MIN)
        left = 0;
    if (l->http_calls) {
        int64_t http = http_client_timeout(l->http);
        left = http >= 0 && (left < 0 || http < left) ? http : left;
    }
    return left;
}

/* Whether some descriptor could wake the loop. */
static bool loop_watches(const struct hob_loop *l)
{
    bool any = l->http_calls > 0;
    for (const struct loop_box *b = l->boxes; b; b = b->next)
        any |= b->fd >= 0;
    return any;
}

int hob_loop_wait(hob_loop *l, int64_t max_ns)
{
    if (l->stepping || l->sched.current)
        return HOB_EMISUSE;
    int64_t left = hob_loop_timeout(l);
    if (left == 0)
        return 0;
    if (left < 0 && max_ns < 0 && !loop_watches(l))
        return HOB_ENODATA;
    if (max_ns >= 0 && (left < 0 || max_ns < left))
        left = max_ns;
    struct pollfd p = {.fd = l->epoll, .events = POLLIN};
    struct timespec t = {(time_t)(left / 1000000000), (long)(left % 1000000000)};
    ppoll(&p, 1, left < 0 ? NULL : &t, NULL);
    return 0;
}

int hob_loop_fd(hob_loop *l) { return l->epoll; }

int loop_until(struct hob_loop *l, const bool *done, struct waitq *q)
{
    if (*done)
        return 0;
    if (loop_task(l)) {
        while (!*done)
            loop_wait(l, q, INT64_MAX, NULL);
        return 0;
    }
    int r = 0;
    while (r >= 0 && !*done) {
        r = hob_loop_step(l);
        if (r == HOB_STEP_WAIT && !*done)
            r = hob_loop_wait(l, -1);
        else if (r == HOB_STEP_IDLE && !*done)
            r = HOB_ENODATA;
    }
    return r < 0 ? r : 0;
}

/* ---- making one ------------------------------------------------------------------------------ */

int hob_loop_new(hob_loop **out, hob_error *err)
{
    *out = NULL;
    struct hob_loop *l = calloc(1, sizeof *l);
    if (!l)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    host_init(&l->host, NULL, NULL);
    l->wall = l->host.now;
    l->host.now = l->host.monotonic;
    heap_init(&l->heap, l->host.alloc, l->host.alloc_ud, SIZE_MAX);
    sched_init(&l->sched, &l->heap, &l->host);
    l->sched.stack_size = LOOP_STACK;
    l->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (l->epoll < 0) {
        int r = error_set(err, -errno, "loop: %s", error_text(-errno));
        free(l);
        return r;
    }
    *out = l;
    return 0;
}

void hob_loop_free(hob_loop *l)
{
    if (!l)
        return;
    while (l->boxes)
        loop_box_drop(l, l->boxes);
    http_client_free(l->http);
    sched_fini(&l->sched);
    close(l->epoll);
    free(l);
}

/* driven.c -- a sandbox with a driver: made, stepped, waited for, freed */
#include "sandbox/driven.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fmt.h"

enum {
    DRIVEN_SLICE = 200000
};

static void driven_free(struct driven *d);

/* ---- making ---------------------------------------------------------------------------------- */

static int driven_setup(struct driven *d, const hob_sandbox_options *o, struct hob_error *err)
{
    d->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (d->wake < 0)
        return error_set(err, HOB_EMFILE, "no descriptor is left for a sandbox");
    int r = d->driver->open(o, &d->state, err);
    if (r < 0)
        return r;
    d->opened = true;
    const char *cwd = d->driver->cwd ? d->driver->cwd(d->state) : o->cwd;
    struct buf b;
    buf_init(&b, &d->heap);
    path_normalise(&b, STR("/"), str_z(cwd ? cwd : "/"));
    d->head.cwd = heap_str(&d->heap, buf_get(&b));
    buf_fini(&b);
    return d->head.cwd.p && vec_reserve(&d->heap, &d->pollset, 4) ? 0 : HOB_ENOMEM;
}

int driven_open(const hob_driver *driver, const hob_sandbox_options *opt, struct driven **out,
                struct hob_error *err)
{
    struct host host;
    host_init(&host, opt->alloc, opt->alloc_ud);
    struct driven *d = host.alloc(host.alloc_ud, NULL, 0, sizeof *d);
    if (!d)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    memset(d, 0, sizeof *d);
    d->head.d = d;
    d->refs = 1;
    d->host = host;
    d->real = host.now;
    d->host.now = host.monotonic; /* a deadline does not move with the wall clock */
    d->driver = driver;
    d->wake = d->epoll = -1;
    d->output = opt->output ? opt->output : 64 << 20;
    d->orphan = opt->orphan;
    d->orphan_ud = opt->orphan_ud;
    heap_init(&d->heap, host.alloc, host.alloc_ud, SIZE_MAX);
    sched_init(&d->sched, &d->heap, &d->host);
    buf_init(&d->background[0], &d->heap);
    buf_init(&d->background[1], &d->heap);
    int r = driven_setup(d, opt, err);
    if (r < 0) {
        if (err && !err->code)
            error_set(err, r, "%s: %s", driver->name, error_text(r));
        driven_free(d);
        return r;
    }
    *out = d;
    return 0;
}

/* Every call comes back: a driver must return when it is told so again and again. */
static void driven_end_calls(struct driven *d)
{
    d->closing = true;
    for (struct hob_call *c = d->calls; c; c = c->next)
        call_give_up(c, HOB_ECANCELED, NULL);
    while (d->sched.ntasks) {
        for (struct hob_call *c = d->calls; c; c = c->next)
            task_wake(c->task);
        sched_run(&d->sched, DRIVEN_SLICE);
    }
}

static void driven_free(struct driven *d)
{
    driven_end_calls(d);
    while (d->jobs)
        calljob_finish(d->jobs, NULL);
    if (d->opened && d->driver->close)
        d->driver->close(d->state);
    if (d->wake >= 0)
        close(d->wake);
    if (d->epoll >= 0)
        close(d->epoll);
    buf_fini(&d->background[0]);
    buf_fini(&d->background[1]);
    vec_fini(&d->heap, &d->pollset);
    if (d->head.cwd.p)
        heap_free(&d->heap, (void *)d->head.cwd.p, d->head.cwd.n + 1);
    sched_fini(&d->sched);
    d->host.alloc(d->host.alloc_ud, d, sizeof *d, 0);
}

void driven_unref(hob_sandbox *handle)
{
    struct driven *d = handle->d;
    if (handle != &d->head) {
        heap_free(&d->heap, (void *)handle->cwd.p, handle->cwd.n + 1);
        heap_drop(&d->heap, handle);
    }
    if (--d->refs == 0)
        driven_free(d);
}

int driven_view(hob_sandbox *handle, struct str cwd, hob_sandbox **out)
{
    struct driven *d = handle->d;
    hob_sandbox *view = heap_new(&d->heap, hob_sandbox);
    struct str copy = view ? heap_str(&d->heap, cwd) : STR_NONE;
    if (!copy.p) {
        heap_free(&d->heap, view, view ? sizeof *view : 0);
        return heap_gate(&d->heap);
    }
    *view = (hob_sandbox){.d = d, .cwd = copy};
    d->refs++;
    *out = view;
    return 0;
}

int driven_usage(struct driven *d, hob_usage *out)
{
    *out = (hob_usage){
        .size = sizeof *out,
        .memory = d->heap.used,
        .memory_peak = d->heap.peak,
        .commands = d->commands,
    };
    for (struct hob_call *c = d->calls; c; c = c->next)
        out->processes += c->kind == CALL_EXEC;
    return 0;
}

/* ---- what the outside has ready -------------------------------------------------------------- */

/* Asks all descriptors at once, and wakes the calls that have something. */
static void driven_ask(struct driven *d, int64_t max_ns)
{
    struct pollfd *set = d->pollset.p; /* there is room: see hob_call_poll() */
    size_t n = 0;
    set[n++] = (struct pollfd){.fd = d->wake, .events = POLLIN};
    for (struct hob_call *c = d->calls; c; c = c->next)
        for (size_t i = 0; i < c->nfds; i++)
            set[n++] = (struct pollfd){.fd = c->fds[i].fd, .events = c->fds[i].events};
    struct timespec t = {max_ns / 1000000000, max_ns % 1000000000};
    d->polled = true;
    if (ppoll(set, n, max_ns < 0 ? NULL : &t, NULL) <= 0)
        return;
    n = 1;
    for (struct hob_call *c = d->calls; c; c = c->next) {
        c->ready = 0;
        for (size_t i = 0; i < c->nfds; i++, n++) {
            c->fds[i].revents = set[n].revents;
            c->ready += set[n].revents != 0;
        }
        if (c->ready)
            task_wake(c->task);
    }
}

/* When a step is due without anything from outside: a timer, a deadline that a driver lets pass, a
 * question for life. */
static int64_t driven_due(struct driven *d)
{
    int64_t due = sched_next_timer(&d->sched);
    bool pending = false;
    for (struct hob_call *c = d->calls; c; c = c->next) {
        if (!call_pending(c))
            continue;
        pending = true;
        if (c->deadline < INT64_MAX - DRIVEN_GRACE)
            due = MIN(due, c->deadline + DRIVEN_GRACE);
    }
    if (pending && d->driver->alive)
        due = MIN(due, d->probe ? d->probe->begun + DRIVEN_PROBE_SILENT : d->probe_at);
    return due;
}

static int64_t driven_left(struct driven *d)
{
    int64_t due = driven_due(d);
    if (d->sched.head || atomic_load(&d->interrupt))
        return 0;
    for (struct hob_call *c = d->calls; c; c = c->next)
        if (c->always)
            return 0;
    return due == INT64_MAX ? -1 : MAX(due - sched_now(&d->sched), 0);
}

/* Puts what is waited for into the epoll set. A descriptor that is in it for another call goes in
 * as a copy; one that cannot be polled (a file) is always ready. */
static void driven_watch(struct driven *d, struct hob_call *c)
{
    for (size_t i = 0; i < c->nfds; i++) {
        struct epoll_event e = {.events = (uint32_t)c->fds[i].events};
        int fd = c->fds[i].fd;
        c->watch[i] = -1;
        if (fd < 0)
            continue;
        int r = epoll_ctl(d->epoll, EPOLL_CTL_ADD, fd, &e);
        if (r < 0 && errno == EEXIST) {
            fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
            r = fd < 0 ? -1 : epoll_ctl(d->epoll, EPOLL_CTL_ADD, fd, &e);
            if (r < 0 && fd >= 0)
                close(fd);
        }
        if (r == 0)
            c->watch[i] = fd;
        else
            c->always = true;
    }
    c->watched = true;
}

int driven_wait_for(struct driven *d, hob_pending *out)
{
    if (d->epoll < 0) {
        struct epoll_event e = {.events = EPOLLIN};
        d->epoll = epoll_create1(EPOLL_CLOEXEC);
        if (d->epoll < 0)
            return HOB_EMFILE;
        epoll_ctl(d->epoll, EPOLL_CTL_ADD, d->wake, &e);
    }
    for (struct hob_call *c = d->calls; c; c = c->next)
        if (c->waiting && !c->watched)
            driven_watch(d, c);
    out->fd = d->epoll;
    out->input = d->input_waits > 0;
    out->until_ns = driven_left(d);
    return 0;
}

int driven_wait(struct driven *d, int64_t max_ns)
{
    int64_t left = driven_left(d);
    if (left < 0 || (max_ns >= 0 && max_ns < left))
        left = max_ns;
    driven_ask(d, left);
    return 0;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* What has taken too long, and whether the sandbox still lives. TM-LOC-2 */
static void driven_check(struct driven *d)
{
    int64_t now = sched_now(&d->sched);
    bool pending = false;
    for (struct hob_call *c = d->calls; c; c = c->next) {
        if (c->job && c->deadline < INT64_MAX - DRIVEN_GRACE && now >= c->deadline + DRIVEN_GRACE) {
            struct driven_job *j = c->job;
            call_give_up(c, HOB_ETIMEDOUT, NULL);
            calljob_end(j, 124, HOB_LIMIT_TIME);
        }
        pending = pending || call_pending(c);
    }
    if (!pending || !d->driver->alive)
        return;
    if (d->probe && now >= d->probe->begun + DRIVEN_PROBE_SILENT) {
        for (struct hob_call *c = d->calls; c; c = c->next)
            call_give_up(c, HOB_EDIED, "the sandbox is gone: it has not answered for 10 s");
        d->probe->cancel = true;
        task_wake(d->probe->task);
        d->probe = NULL;
    } else if (!d->probe && now >= d->probe_at) {
        d->probe = call_new(d, CALL_PROBE);
        d->probe_at = now + DRIVEN_PROBE; /* without memory for a probe: later */
        if (d->probe)
            call_begin(d->probe);
        heap_gate(&d->heap);
    }
}

void driven_forget_interrupt(struct driven *d)
{
    uint64_t n;
    atomic_store(&d->interrupt, 0);
    while (read(d->wake, &n, sizeof n) > 0)
        ;
}

static void driven_interrupt_all(struct driven *d)
{
    driven_forget_interrupt(d);
    for (struct hob_call *c = d->calls; c; c = c->next) {
        struct driven_job *j = c->job;
        call_give_up(c, HOB_ECANCELED, NULL);
        if (j)
            calljob_end(j, 130, HOB_LIMIT_INTERRUPT);
    }
}

int driven_step(struct driven *d, uint64_t fuel)
{
    if (d->sched.current)
        return HOB_EMISUSE;
    if (atomic_load(&d->interrupt))
        driven_interrupt_all(d);
    if (!d->polled && d->nfds)
        driven_ask(d, 0);
    d->polled = false;
    for (struct hob_call *c = d->calls; c && d->input_waits; c = c->next)
        if (c->wants_input)
            task_wake(c->task);
    driven_check(d);
    int r = sched_run(&d->sched, fuel && fuel < INT64_MAX ? (int64_t)fuel : DRIVEN_SLICE);
    heap_gate(&d->heap);
    return r;
}

/* From any thread, and from a handler of a signal. */
void driven_interrupt(struct driven *d)
{
    uint64_t one = 1;
    int e = errno;
    atomic_store(&d->interrupt, 1);
    ssize_t n = write(d->wake, &one, sizeof one);
    (void)n; /* full: it is readable all the same */
    errno = e;
}

/* ---- processes ------------------------------------------------------------------------------- */

int driven_processes(struct driven *d, hob_process **out, size_t *n)
{
    size_t most = 0, i = 0;
    for (struct hob_call *c = d->calls; c; c = c->next)
        most += c->pid > 0;
    hob_process *list = hob_alloc((most + 1) * sizeof *list);
    if (!list)
        return HOB_ENOMEM;
    for (struct hob_call *c = d->calls; c; c = c->next) {
        if (c->pid <= 0)
            continue;
        list[i] = (hob_process){
            .pid = c->pid, .ppid = 1, .pgid = c->pid, .state = 'S', .start_ns = c->started};
        if (c->script)
            fmt_print(list[i].command, sizeof list[i].command, "%s", c->script);
        i++;
    }
    *out = list;
    *n = i;
    return 0;
}

/* TM-LOC-5: only what runs for this sandbox; no other process of the machine can be named. */
int driven_kill(struct driven *d, int pid, int sig)
{
    if (pid == 0 || pid == -1 || pid == INT32_MIN)
        return HOB_EINVAL;
    for (struct hob_call *c = d->calls; c; c = c->next)
        if (c->pid > 0 && c->pid == (pid < 0 ? -pid : pid))
            return d->driver->signal ? d->driver->signal(d->state, pid, sig) : HOB_ENOTSUP;
    return HOB_ESRCH;
}

int driven_background(struct driven *d, int stream, hob_bytes *out)
{
    struct buf *b = &d->background[stream - 1];
    int r = sandbox_bytes(buf_get(b), out);
    if (r == 0)
        buf_fini(b);
    return r;
}

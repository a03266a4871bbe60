/* call.c -- one call into a driver: its task, its waits, its end when nobody waits for it */
#include <sys/epoll.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fmt.h"
#include "sandbox/driven.h"

bool call_pending(const struct hob_call *c) { return c->job || c->op; }

/* ---- from beginning to end ------------------------------------------------------------------- */

struct hob_call *call_new(struct driven *d, int kind)
{
    struct hob_call *c = heap_new(&d->heap, struct hob_call);
    if (!c)
        return NULL;
    c->d = d;
    c->kind = kind;
    c->begun = sched_now(&d->sched);
    c->started = d->real(d->host.ud);
    c->deadline = INT64_MAX;
    arena_init(&c->arena, &d->heap);
    bool first = true; /* life is asked for while somebody waits, from the first on */
    for (struct hob_call *o = d->calls; o && first; o = o->next)
        first = !call_pending(o);
    if (first)
        d->probe_at = c->begun + DRIVEN_PROBE;
    c->next = d->calls;
    d->calls = c;
    return c;
}

void call_drop(struct hob_call *c)
{
    struct driven *d = c->d;
    for (struct hob_call **at = &d->calls; *at; at = &(*at)->next)
        if (*at == c) {
            *at = c->next;
            break;
        }
    if (d->probe == c)
        d->probe = NULL;
    if (c->wants_input)
        d->input_waits--;
    arena_fini(&c->arena);
    heap_drop(&d->heap, c);
}

/* The orphan came back: for logs alone. */
static void call_report(struct hob_call *c, int result)
{
    static const char *const verbs[] = {
        [FILEOP_READ] = "read",         [FILEOP_WRITE] = "write",
        [FILEOP_APPEND] = "append",     [FILEOP_STAT] = "stat",
        [FILEOP_LSTAT] = "lstat",       [FILEOP_READDIR] = "readdir",
        [FILEOP_MKDIR] = "mkdir",       [FILEOP_RM] = "rm",
        [FILEOP_RENAME] = "rename",     [FILEOP_SYMLINK] = "symlink",
        [FILEOP_READLINK] = "readlink", [FILEOP_CHMOD] = "chmod"};
    struct driven *d = c->d;
    if (!d->orphan || c->kind == CALL_PROBE)
        return;
    const char *what = c->script;
    if (c->kind != CALL_EXEC) {
        struct str s = arena_printf(&c->arena, "%s %s", verbs[c->kind], c->file.path);
        what = s.p ? s.p : verbs[c->kind];
    }
    d->orphan(d->orphan_ud, what, c->started, c->given_up_at, d->real(d->host.ud), result);
}

static int call_run(struct hob_call *c)
{
    const hob_driver *driver = c->d->driver;
    if (c->kind == CALL_EXEC)
        return driver->exec(c->d->state, c, c->script, &c->opt);
    if (c->kind == CALL_PROBE)
        return driver->alive(c->d->state, c);
    return fileop_run(c);
}

/* The task of a call. */
static void call_main(void *arg)
{
    struct hob_call *c = arg;
    struct driven *d = c->d;
    int r = call_run(c);
    if (r == 0 && c->kind == CALL_PROBE && d->probe == c)
        for (struct hob_call *o = d->calls; o; o = o->next)
            call_give_up(o, HOB_EDIED, "the sandbox is gone: it has stopped");
    if (c->kind == CALL_PROBE && d->probe == c)
        d->probe_at = sched_now(&d->sched) + DRIVEN_PROBE;
    if (c->job)
        calljob_answer(c->job, r);
    else if (c->op)
        fileop_answer(c->op, r);
    else if (c->given_up)
        call_report(c, r);
    call_drop(c);
}

int call_begin(struct hob_call *c)
{
    c->task = task_new(&c->d->sched, call_main, c, NULL);
    if (c->task)
        return 0;
    call_drop(c);
    return HOB_ENOMEM;
}

void call_give_up(struct hob_call *c, int error, const char *why)
{
    if (!call_pending(c))
        return;
    c->given_up = c->cancel = true;
    c->given_up_at = c->d->real(c->d->host.ud);
    if (c->job) {
        struct driven_job *j = c->job;
        calljob_answer(j, error);
        if (why)
            fmt_print(j->message, sizeof j->message, "%s", why);
    }
    if (c->op)
        fileop_answer(c->op, error);
    task_wake(c->task);
}

/* ---- waiting --------------------------------------------------------------------------------- */

void call_unwatch(struct hob_call *c)
{
    for (size_t i = 0; c->watched && i < c->nfds; i++) {
        if (c->watch[i] < 0)
            continue;
        epoll_ctl(c->d->epoll, EPOLL_CTL_DEL, c->watch[i], NULL);
        if (c->watch[i] != c->fds[i].fd)
            close(c->watch[i]);
    }
    c->watched = c->always = false;
}

static bool call_cancelled(struct hob_call *c)
{
    bool told = c->cancel || c->d->closing;
    c->cancel = false;
    return told;
}

int hob_call_poll(hob_call *c, hob_poll *fds, size_t n, int64_t max_ns)
{
    struct driven *d = c->d;
    if (n > CALL_FDS || d->sched.current != c->task)
        return HOB_EMISUSE;
    for (size_t i = 0; i < n; i++)
        fds[i].revents = 0;
    if (call_cancelled(c))
        return HOB_ECANCELED;
    d->pollset.n = d->nfds; /* one more than this is looked at: our own */
    if (!vec_reserve(&d->heap, &d->pollset, n + 1))
        return heap_gate(&d->heap);
    int64_t until = INT64_MAX;
    if (max_ns >= 0 && __builtin_add_overflow(sched_now(&d->sched), max_ns, &until))
        until = INT64_MAX;
    c->fds = fds;
    c->nfds = n;
    c->ready = 0;
    c->waiting = true;
    d->nfds += n;
    task_wait(c->task, NULL, until);
    call_unwatch(c);
    d->nfds -= n;
    c->waiting = false;
    c->fds = NULL;
    c->nfds = 0;
    return call_cancelled(c) ? HOB_ECANCELED : c->ready;
}

int hob_call_wait(hob_call *c, int fd, int events, int64_t max_ns)
{
    hob_poll p = {.fd = fd, .events = (short)events};
    int r = hob_call_poll(c, &p, fd >= 0, max_ns);
    return r > 0 ? p.revents : r;
}

/* ---- what a driver says ---------------------------------------------------------------------- */

int hob_call_output(hob_call *c, int stream, const void *data, size_t len)
{
    struct driven *d = c->d;
    if (stream != HOB_STDOUT && stream != HOB_STDERR)
        return HOB_EINVAL;
    if (c->capture) {
        buf_add(&c->capture[stream - 1], data, len);
        return heap_gate(&d->heap);
    }
    if (c->job)
        return calljob_output(c->job, stream, data, len);
    if (!c->answered)
        return HOB_ECANCELED;
    /* Output of processes that outlived their call: kept up to a bound, then dropped. */
    struct buf *b = &d->background[stream - 1];
    if (b->n < DRIVEN_BACKGROUND)
        buf_add(b, data, MIN(len, DRIVEN_BACKGROUND - b->n));
    return heap_gate(&d->heap);
}

ptrdiff_t hob_call_input(hob_call *c, void *dst, size_t cap)
{
    const hob_exec_options *o = &c->opt;
    if (c->wants_input)
        c->d->input_waits--;
    c->wants_input = false;
    if (!c->job || c->capture)
        return 0; /* who would have given it is gone */
    if (o->read) {
        ptrdiff_t n = o->read(o->read_ud, dst, cap);
        c->wants_input = n == HOB_EAGAIN;
        c->d->input_waits += c->wants_input;
        return n;
    }
    size_t n = MIN(cap, o->input_len - c->input_at);
    if (n)
        memcpy(dst, (const char *)o->input + c->input_at, n);
    c->input_at += n;
    return (ptrdiff_t)n;
}

int64_t hob_call_deadline(const hob_call *c)
{
    if (c->deadline == INT64_MAX)
        return -1;
    return MAX(c->deadline - sched_now(&c->d->sched), 0);
}

void hob_call_pid(hob_call *c, int pid) { c->pid = pid; }

void hob_call_answer(hob_call *c, int status)
{
    if (!c->job)
        return;
    c->answered = true;
    calljob_answer(c->job, status);
}

/* loop.h -- what drives agents: coroutines over sandboxes, HTTP calls and timers, on one thread
 *
 * Everything an agent does is written straight down the page and runs on a task of the loop. It
 * waits only through the functions below, so thousands of sessions share one thread. The sandboxes
 * have schedulers of their own; while a task waits for one of their jobs, the loop steps that
 * sandbox, from outside of its own tasks.
 *
 * Memory: the loop has one heap, whose out-of-memory flag is sticky. The functions that wait keep
 * the flag of each task apart, so an operation that ran out of memory fails alone; whoever built
 * something looks at heap.oom before it uses it, also after a wait.
 */
#ifndef HOB_AGENT_LOOP_H
#define HOB_AGENT_LOOP_H

#include "base/error.h"
#include "host/host.h"
#include "host/http.h"
#include "task/task.h"

struct loop_box;    /* a sandbox that something waits for */
struct cancel_wait; /* a task that waits */
struct store;

struct hob_loop {
    struct heap heap; /* no cap; the agents' memory */
    struct host host; /* its now() is the monotonic clock, which timers follow */
    int64_t (*wall)(void *ud);
    struct sched sched;
    struct http_client *http; /* made when first asked for */
    size_t http_calls;        /* open now */
    int epoll;
    struct loop_box *boxes;
    struct store *stores; /* that the harnesses of this loop share */
    bool stepping;        /* inside of hob_loop_step() */
    bool in_box;          /* a sandbox runs on the stack of the present task */
};

/* What ends a wait early: an abort, from a parent or from hob_op_abort(). All zero is "no". Tasks
 * that wait are woken by cancel_fire(). Children hang below their parent and are fired with it. */
struct cancel {
    bool fired;
    char reason[120];
    struct cancel_wait *waiting;
    struct cancel *parent, *children, *next;
};
void cancel_init(struct cancel *c, struct cancel *parent); /* parent may be NULL */
void cancel_fini(struct cancel *c);                        /* leaves the parent's list */
void cancel_fire(struct cancel *c, const char *reason);
/* HOB_ECANCELED with the reason as text if c (may be NULL) was fired, else 0. */
int cancel_check(const struct cancel *c, struct hob_error *err);

/* The task that runs now, NULL outside; all functions below are for tasks of the loop. */
struct task *loop_task(struct hob_loop *l);
/* Starts fn(arg) beside the present task. NULL: out of memory. */
struct task *loop_spawn(struct hob_loop *l, void (*fn)(void *arg), void *arg);
/* Waits until woken through q (may be NULL) or until `deadline` on loop_now(), INT64_MAX: none. 0,
 * HOB_ETIMEDOUT, or HOB_ECANCELED once c (may be NULL) is fired. Wake with waitq_wake_all(). */
int loop_wait(struct hob_loop *l, struct waitq *q, int64_t deadline, struct cancel *c);
void loop_yield(struct hob_loop *l);      /* lets the other tasks that can run go first */
int64_t loop_now(struct hob_loop *l);     /* nanoseconds, monotonic */
int64_t loop_wall_ms(struct hob_loop *l); /* milliseconds since 1970 */
int loop_sleep(struct hob_loop *l, int64_t ns, struct cancel *c); /* 0 or HOB_ECANCELED */

/* A script to its end: as hob_exec, but other tasks go on meanwhile. After 0 and HOB_ECANCELED res
 * holds what was printed; it may always be freed. */
int loop_exec(struct hob_loop *l, hob_sandbox *box, const char *script, const hob_exec_options *o,
              struct cancel *c, hob_result *res, struct hob_error *err);

/* The sandbox is about to be freed: commands that were given up and still go on are no longer
 * looked after. */
void loop_forget(struct hob_loop *l, hob_sandbox *box);

/* File operations of a sandbox of any kind, without blocking the loop. */
int loop_read(struct hob_loop *l, hob_sandbox *box, const char *path, struct cancel *c,
              hob_bytes *out);
int loop_write(struct hob_loop *l, hob_sandbox *box, const char *path, struct str data,
               struct cancel *c);
int loop_stat(struct hob_loop *l, hob_sandbox *box, const char *path, struct cancel *c,
              hob_stat_t *out);
int loop_readdir(struct hob_loop *l, hob_sandbox *box, const char *path, struct cancel *c,
                 hob_dirent **out, size_t *n);
int loop_rename(struct hob_loop *l, hob_sandbox *box, const char *from, const char *to,
                struct cancel *c);

/* An HTTP exchange read as a stream. */
struct loop_http;
int loop_http_open(struct hob_loop *l, const struct http_request *req, struct cancel *c,
                   struct loop_http **out, struct hob_error *err); /* returns with the head */
int loop_http_status(const struct loop_http *x);
bool loop_http_header(const struct loop_http *x, const char *name, struct str *value);
/* The next bytes of the body, borrowed until the next call: 1, 0 at its end, or an error:
 * HOB_ENETWORK, HOB_ETIMEDOUT, HOB_ECANCELED. */
int loop_http_read(struct loop_http *x, struct str *out, struct hob_error *err);
void loop_http_close(struct loop_http *x); /* NULL is allowed */

/* Runs the loop until *done is true: by steps, or, on a task of the loop, by waiting in q.
 * HOB_EMISUSE where neither can be: inside of a sandbox that the loop steps. HOB_ENODATA: nothing
 * is left that could make it true. */
int loop_until(struct hob_loop *l, const bool *done, struct waitq *q);

#endif

/* driven.h -- sandboxes with a driver: the wrapper that makes one contract of them all
 *
 * Every call into a driver (an exec, a file operation, a probe) is a struct hob_call on a task of
 * its own. Somebody may wait for it: a job or a file operation. Whoever waits can be answered
 * before the driver comes back (an abort, a deadline it let pass, a sandbox that is gone); the call
 * is then an orphan, which goes on until the driver returns and is reported to the embedder.
 */
#ifndef HOB_SANDBOX_DRIVEN_H
#define HOB_SANDBOX_DRIVEN_H

#include <poll.h>

#include "base/arena.h"
#include "sandbox/fileop.h"
#include "sandbox/sandbox.h"

enum {
    CALL_FDS = 16,   /* descriptors that one wait may name */
    CALL_EXEC = 100, /* kinds of calls beside those of enum fileop_kind */
    CALL_PROBE = 101,
    DRIVEN_BACKGROUND = 1 << 20 /* bytes kept of each background stream */
};

/* Nanoseconds. */
#define DRIVEN_GRACE INT64_C(5000000000)         /* for a driver to keep a deadline itself */
#define DRIVEN_PROBE INT64_C(5000000000)         /* from one question for life to the next */
#define DRIVEN_PROBE_SILENT INT64_C(10000000000) /* without an answer it is gone */

struct driven {
    struct hob_sandbox head;
    size_t refs;      /* handles */
    struct host host; /* its clock never goes back */
    int64_t (*real)(void *ud);
    struct heap heap;
    struct sched sched;
    const hob_driver *driver;
    void *state;
    bool opened;
    uint64_t output; /* bytes that one call may print */
    void (*orphan)(void *ud, const char *command, int64_t started_ns, int64_t given_up_ns,
                   int64_t ended_ns, int status);
    void *orphan_ud;
    struct hob_call *calls;  /* all whose driver has not returned */
    struct driven_job *jobs; /* not yet finished */
    struct buf background[2];
    VEC(struct pollfd) pollset; /* room for every descriptor that is waited for */
    size_t nfds;                /* of all waiting calls */
    int wake;                   /* an eventfd: ends a wait from another thread */
    int epoll;                  /* made when hob_wait_for() first asks, else -1 */
    int input_waits;
    bool polled;  /* a wait has just asked the descriptors: the next step need not */
    bool closing; /* every wait of a driver ends at once */
    atomic_int interrupt;
    int64_t probe_at;
    struct hob_call *probe;
    uint64_t commands;
};

/* One exec that somebody waits for. */
struct driven_job {
    struct hob_job head;
    struct driven *d;
    struct driven_job *next;
    struct hob_call *call; /* NULL when it was answered */
    struct buf buf[2];
    size_t read[2]; /* bytes already handed out by hob_job_read() */
    hob_output_fn output;
    void *output_ud;
    int output_err;
    uint64_t output_left;
    bool merge, done, truncated;
    int status, signal, limit, error;
    int64_t started, ended, timeout_ns;
    char message[120];
};

struct hob_call {
    struct driven *d;
    struct hob_call *next;
    struct task *task;
    struct arena arena; /* holds copies of everything the driver is given */
    int kind;
    struct driven_job *job; /* who waits; NULL: nobody (any more) */
    struct fileop *op;
    /* What is asked for. */
    const char *script;
    hob_exec_options opt;
    struct fileop_args file;
    size_t input_at;
    struct buf *capture; /* a command for a file operation prints here */
    /* Where it is. */
    bool cancel; /* to be said at the next wait */
    bool given_up, answered, wants_input, waiting;
    int pid, signal;
    int64_t begun;                /* on the clock that never goes back */
    int64_t deadline;             /* INT64_MAX: none */
    int64_t started, given_up_at; /* since 1970 */
    /* What it waits for. */
    hob_poll *fds;
    size_t nfds;
    int ready;
    bool watched, always; /* in the epoll set; some descriptor is always ready */
    int watch[CALL_FDS];  /* what was put there: the descriptor, or a copy of it */
};

/* driven.c */
int driven_open(const hob_driver *driver, const hob_sandbox_options *opt, struct driven **out,
                struct hob_error *err);
void driven_unref(hob_sandbox *box);
int driven_view(hob_sandbox *box, struct str cwd, hob_sandbox **out);
int driven_usage(struct driven *d, hob_usage *out);
int driven_step(struct driven *d, uint64_t fuel);
int driven_wait_for(struct driven *d, hob_pending *out);
int driven_wait(struct driven *d, int64_t max_ns);
void driven_interrupt(struct driven *d);
void driven_forget_interrupt(struct driven *d); /* one that came while nothing ran */
int driven_processes(struct driven *d, hob_process **out, size_t *n);
int driven_kill(struct driven *d, int pid, int sig);
int driven_background(struct driven *d, int stream, hob_bytes *out);

/* call.c */
/* A call with its arena; it is in the list, its task is not made yet. NULL: out of memory. */
struct hob_call *call_new(struct driven *d, int kind);
int call_begin(struct hob_call *c); /* makes the task; on failure the call is gone */
void call_drop(struct hob_call *c); /* one that never began */
/* Answers who waits with an error and tells the driver; the call goes on as an orphan. */
void call_give_up(struct hob_call *c, int error, const char *why);
void call_unwatch(struct hob_call *c);
bool call_pending(const struct hob_call *c); /* somebody waits for it */

/* calljob.c */
int calljob_start(hob_sandbox *box, const char *script, const hob_exec_options *opt,
                  struct driven_job **out, struct hob_error *err);
int calljob_exec(hob_sandbox *box, const char *script, const hob_exec_options *opt,
                 hob_result *res);
int calljob_finish(struct driven_job *j, hob_result *res);
int calljob_read(struct driven_job *j, int stream, hob_bytes *out);
int calljob_signal(struct driven_job *j, int sig);
void calljob_answer(struct driven_job *j, int result); /* the driver's result, or an error */
/* Ends it with a limit, whatever the driver does. */
void calljob_end(struct driven_job *j, int status, int limit);
int calljob_output(struct driven_job *j, int stream, const void *data, size_t len);

/* fileop.c */
int fileop_run(struct hob_call *c); /* on the call's task */
void fileop_answer(struct fileop *op, int result);
/* To the end, for the functions of hob.h. */
int fileop_do(hob_sandbox *box, const struct fileop_args *a, struct fileop_result *res);
int fileop_walk(hob_sandbox *box, const char *path, hob_walk_fn fn, void *ud);

/* execfs.c: what a driver without file functions does by shell commands */
int execfs_read(struct hob_call *c, const char *path, hob_bytes *out);
int execfs_write(struct hob_call *c, const char *path, const void *data, size_t len, int flags);
int execfs_stat(struct hob_call *c, const char *path, int follow, hob_stat_t *out);
int execfs_readdir(struct hob_call *c, const char *path, hob_bytes *out);
int execfs_mkdir(struct hob_call *c, const char *path, int flags);
int execfs_rm(struct hob_call *c, const char *path, int flags);
int execfs_rename(struct hob_call *c, const char *from, const char *to);
int execfs_symlink(struct hob_call *c, const char *target, const char *path);
int execfs_readlink(struct hob_call *c, const char *path, hob_bytes *out);
int execfs_chmod(struct hob_call *c, const char *path, uint32_t mode);
void execfs_quote(struct buf *b, struct str s); /* appends it as one word of a shell */

/* The built-in drivers. */
extern const hob_driver local_driver;   /* local.c */
extern const hob_driver execbox_driver; /* execbox.c */

#endif

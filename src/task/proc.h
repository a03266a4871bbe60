/* proc.h -- virtual processes, and the kernel of one sandbox that they live in
 *
 * A pipeline stage, a subshell, a background job, a command: each is a `struct proc`. One that runs
 * beside others has a task of its own; one that its parent merely waits for (a simple command, a
 * subshell, a command substitution) runs *inline* on its parent's task and costs next to nothing.
 *
 * Signals end a process by making every wait, read, write and tick return HOB_EKILLED, so that the
 * code unwinds by ordinary returns.
 */
#ifndef HOB_TASK_PROC_H
#define HOB_TASK_PROC_H

#include "base/arena.h"
#include "base/random.h"
#include "base/vec.h"
#include "task/file.h"

struct exec_opts;
struct vfs;     /* vfs/vfs.h */
struct command; /* shell/command.h */
struct map;
struct policy;    /* net/policy.h */
struct shell;     /* shell/shell.h */
struct sql_file;  /* commands/sqlite3/ */
struct zone_held; /* shell/zone.h */

enum { /* signal numbers of Linux */
    SIG_HUP = 1,
    SIG_INT,
    SIG_QUIT,
    SIG_ILL,
    SIG_TRAP,
    SIG_ABRT,
    SIG_BUS,
    SIG_FPE,
    SIG_KILL,
    SIG_USR1,
    SIG_SEGV,
    SIG_USR2,
    SIG_PIPE,
    SIG_ALRM,
    SIG_TERM,
    SIG_STKFLT,
    SIG_CHLD,
    SIG_CONT,
    SIG_STOP,
    SIG_TSTP,
    SIG_TTIN,
    SIG_TTOU,
    SIG_URG,
    SIG_XCPU,
    SIG_XFSZ,
    SIG_VTALRM,
    SIG_PROF,
    SIG_WINCH,
    SIG_IO,
    SIG_PWR,
    SIG_SYS,
    SIG_RTMIN = 34,
    SIG_RTMAX = 64
};
#define SIG_BIT(s) (UINT64_C(1) << ((s)-1))

/* One call of hob_exec: what its processes share. Lives until the last of them is gone. */
struct run {
    struct kernel *kernel;
    unsigned refs;
    int64_t deadline;   /* on the sandbox's clock; INT64_MAX: none */
    uint64_t fuel_left; /* UINT64_MAX: unlimited */
    uint64_t fuel_used;
    int limit;       /* HOB_LIMIT_... that ended it; then all its processes are killed */
    int dead_signal; /* != 0: every process of the run unwinds */
    int soft;        /* HOB_LIMIT_... that was met without ending the run (memory, stack) */
};

/* How a process gets at its environment: a shell's exported variables, or a list. */
struct env_ops {
    bool (*get)(void *ctx, struct str name, struct str *value); /* borrowed */
    /* Calls fn with each "NAME", "value" in the order `env` prints; a result != 0 ends it. */
    int (*each)(void *ctx, int (*fn)(void *ud, struct str name, struct str value), void *ud);
};

enum {
    PROC_CPU = 10000000
};

enum proc_state {
    PROC_RUNNING,
    PROC_STOPPED,
    PROC_ZOMBIE
};

struct proc {
    struct kernel *kernel;
    struct task *task;
    struct run *run;
    struct proc *parent;          /* NULL: the kernel itself (reaped at once) */
    struct proc *next, *prev;     /* all processes, by pid */
    struct proc *child, *sibling; /* children that have a task of their own, newest first */
    int pid, pgid, sid;
    uint8_t state;
    bool inl;             /* runs inline on its parent's task */
    bool own_fds;         /* fds belongs to this process alone */
    int status;           /* exit status, 0..255, when PROC_ZOMBIE */
    int killed;           /* the signal that ends it, 0: none. Sticky */
    uint64_t sig_pending; /* caught signals that wait to be handled */
    uint64_t sig_ignored;
    uint64_t sig_caught;  /* the owner (a shell with traps) handles them itself */
    struct waitq changed; /* woken when a child ends, stops or goes on, and at signals */
    struct waitq waiters; /* woken when this process ends */

    struct arena *arena; /* for this command; released when it ends */
    struct str name;     /* argv[0], for messages */
    struct str *argv;    /* argc words, each with a NUL behind; in a command, the operands */
    int argc;
    struct str *words; /* in a command: all that was typed, nwords with the name */
    int nwords;
    char comm[16]; /* what Linux calls so: the file that runs, cut off; "": a shell */
    struct fdtab *fds;
    struct str cwd; /* absolute and clean; owned by the shell or the parent */
    uint32_t umask;
    uint32_t uid, gid;
    /* What ulimit set, one more than the value; 0: nothing. Children inherit them. */
    uint64_t max_file; /* bytes of a file: a write behind that raises SIGXFSZ */
    uint64_t max_fds;
    uint64_t max_procs; /* in the sandbox, before one more is made */
    uint64_t max_cpu;   /* seconds: then SIGXCPU, or SIGKILL if the hard limit is no higher */
    bool max_cpu_hard;
    const struct env_ops *env;
    void *env_ctx;
    struct shell *shell;             /* the shell that runs on it, or that started the command */
    const void *command;             /* struct command, when it is one */
    int64_t started;                 /* on the sandbox's clock */
    struct zone_held *zone;          /* a command's, once it has asked for its time zone */
    struct str cmdline;              /* for ps and jobs; may be empty */
    int64_t cpu;                     /* fuel used, as a stand-in for CPU time: PROC_CPU a second */
    void (*on_exit)(struct proc *p); /* called when it becomes a zombie, may be NULL */
    void *owner;                     /* whatever on_exit wants */
};

struct limits { /* hob_limits with the defaults filled in */
    uint64_t memory, fuel, output, files, file_size, processes, fds, stack, script, depth;
};

/* What every process of a sandbox shares. */
struct kernel {
    struct heap heap;
    const struct host *host;
    struct sched sched;
    struct limits limits;
    struct random random; /* for $RANDOM seeds, /dev/urandom, mktemp, shuf: from the seed */
    struct vfs *vfs;
    struct proc *procs, *procs_last;
    size_t nprocs;
    int next_pid;
    uint64_t next_pipe; /* numbers of pipes, for stat */
    uint64_t commands;  /* run so far */
    struct str user, hostname;
    uint32_t uid, gid;
    int64_t boot;                /* when the sandbox was made, on its clock */
    unsigned input_waits;        /* tasks that wait for a read callback of the embedder's */
    struct waitq input;          /* they wait here; every hob_step wakes them */
    unsigned net_waits;          /* tasks that wait for the network */
    struct waitq net;            /* they wait here; every hob_step wakes them */
    const struct policy *policy; /* what may leave; NULL: nothing */
    struct str ca_file;          /* certificates that are trusted; "": the system's */
    struct waitq exited;         /* woken whenever a process ends */
    struct blob *spare; /* one PIPE_SIZE blob kept for the next pipe while something runs */
    const struct command *const *commands_table; /* sorted, ended by NULL; command.h */
    size_t ncommands;                            /* in it */
    struct map *custom; /* name -> struct command of the embedder's; may be NULL */
    /* Set by the shell layer: runs argv in a new inline child of p with p's descriptors and returns
     * its status 0..255 (126, 127 with bash's message when it cannot be run), or a negative error
     * (HOB_EKILLED). */
    int (*exec)(struct proc *p, struct str *argv, int argc, const struct exec_opts *o);
    const void *default_env;    /* env_ctx of calls that change nothing in it */
    struct sql_file *sql_files; /* databases that are open, for their locks; sqlite3 keeps them */
    void *shell_cache;       /* what the shell layer keeps between calls; shell_detach frees it */
    void *owner;             /* the hob_sandbox */
    struct file_lock *locks; /* of flock(2), held by open files */
    struct waitq unlocked;   /* woken when one of them goes */
};

/* For commands that run other commands: env, xargs, find -exec, timeout, nice ... */
struct exec_opts {
    const struct env_ops *env; /* NULL: p's */
    void *env_ctx;
    struct str cwd;   /* {NULL,0}: p's */
    bool spawn;       /* do not wait: returns the pid of a concurrent child (see proc_wait) */
    int new_group;    /* its own process group */
    bool no_builtins; /* only what is on PATH */
    struct file *fd0, *fd1, *fd2; /* borrowed replacements, NULL: p's */
};

/* ---- life ----------------------------------------------------------------------------------- */

/* A child that will run beside its parent on a task of its own: copies fds, cwd, umask, signal
 * dispositions (caught ones become default). fn(proc) runs on it; its result is the exit status;
 * the proc is then a zombie until awaited. NULL: out of memory or over the process limit (*err is
 * HOB_ENOMEM or HOB_EAGAIN). The child's arena is its own. */
struct proc *proc_spawn(struct proc *parent, int (*fn)(struct proc *p), void *owner, int *err);
/* Fills child, which lives on the caller's stack, to run inline: shares fds, cwd and the rest.
 * proc_leave() undoes it, after which the status and `killed` may still be read. The arena passed
 * in is marked and released by the caller. */
void proc_enter(struct proc *child, struct proc *parent);
void proc_leave(struct proc *child);
/* The first process of a run: parent NULL. */
struct proc *proc_first(struct kernel *k, struct run *run, int (*fn)(struct proc *p), void *owner,
                        int *err);
void proc_free(struct proc *p); /* a zombie that has been awaited */
/* A process of the embedder's that lasts (a shell between calls) is listed while it runs. */
void proc_attach(struct proc *p);
void proc_detach(struct proc *p);

/* Waits for a given child (pid > 0) or any (-1): its pid with *status as wait status (exit status,
 * or 128+signal, and *sig the signal or 0). HOB_ECHILD; HOB_EINTR when a caught signal arrived;
 * HOB_ETIMEDOUT; HOB_EKILLED. The child is freed. */
int proc_wait(struct proc *p, int pid, int64_t deadline, int *status, int *sig);
struct proc *proc_find(struct kernel *k, int pid);

/* ---- signals -------------------------------------------------------------------------------- */

/* Delivers sig as kill(2) does for one process: ignored, caught (pending, wakes it), or default
 * action (ends, stops, goes on, nothing). */
void proc_signal(struct proc *p, int sig);
/* pid > 0, 0 (own group), -1 (all but itself and its ancestors... as kill(2)), < -1 group.
 * HOB_ESRCH, HOB_EPERM, HOB_EINVAL. sig 0 only looks. */
int proc_kill(struct proc *p, int pid, int sig);
void run_kill(struct run *r, int sig, int limit); /* everything of a call */
const char *signal_name(int sig);                 /* "INT"; NULL if there is none */
int signal_number(struct str name);               /* "INT", "SIGINT", "int", "2", "RTMIN+1"; -1 */
const char *signal_text(int sig);                 /* "Interrupt", "Terminated" ... as strsignal */

/* HOB_EKILLED when p must unwind, else 0. */
static inline int proc_check(const struct proc *p)
{
    return UNLIKELY(p->killed || p->run->dead_signal) ? HOB_EKILLED : 0;
}
static inline int proc_tick(struct proc *p, int64_t n)
{
    int r = task_tick(p->task, n);
    return r < 0 ? r : proc_check(p);
}
/* Waits as task_wait does, on behalf of p: HOB_EKILLED, HOB_EINTR (a caught signal is pending),
 * HOB_ETIMEDOUT or 0. */
int proc_wait_on(struct proc *p, struct waitq *q, int64_t deadline);
int proc_sleep(struct proc *p, int64_t ns); /* 0, HOB_EINTR, HOB_EKILLED */

void run_unref(struct run *r);
void kernel_init_procs(struct kernel *k); /* sets up the scheduler's checks and pids */
void kernel_interrupt(struct kernel *k);  /* ends every run, as hob_interrupt asked */

/* ---- what commands use ---------------------------------------------------------------------- */

bool proc_getenv(struct proc *p, struct str name, struct str *value);
/* What ps and /proc tell alike: the short name, all *n words as they were typed, the number of the
 * parent, and the state by its letter. */
struct str proc_comm(const struct proc *p);
const struct str *proc_words(const struct proc *p, int *n);
static inline int proc_ppid(const struct proc *p) { return p->parent ? p->parent->pid : 0; }
char proc_letter(const struct proc *p);
/* The first descriptor that may not be opened. */
static inline int proc_max_fds(const struct proc *p)
{
    uint64_t n = MIN(p->kernel->limits.fds, p->max_fds - 1);
    return (int)MIN(n, (uint64_t)INT_MAX);
}
static inline struct file *proc_file(struct proc *p, int fd) { return fdtab_get(p->fds, fd); }
int proc_write(struct proc *p, int fd, const void *src, size_t n); /* 0 or an error */
int proc_puts(struct proc *p, int fd, struct str s);

#endif

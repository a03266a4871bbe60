/* sandbox.h -- the handle of a sandbox, and the inside of a virtual one
 *
 * A hob_sandbox is a handle: a working folder on a sandbox of one of two sorts. A virtual one is a
 * kernel (heap, scheduler, processes), a vfs, and what the embedder said when it was made; between
 * calls it holds no stack and no process but those that run in the background. All others are
 * driven (driven.h): a table of functions behind the one wrapper. sandbox.c tells the two apart.
 */
#ifndef HOB_SANDBOX_SANDBOX_H
#define HOB_SANDBOX_SANDBOX_H

#include "base/map.h"
#include "host/exchange.h"
#include "host/host.h"
#include "net/policy.h"
#include "shell/command.h"
#include "shell/shell.h"
#include "vfs/vfs.h"

/* What a mount was made from, so that a fork can make it again. */
struct box_mount {
    struct str path; /* owned */
    int kind;
    char *host_dir; /* owned; NULL if there is none */
    size_t host_dir_size;
    hob_lazy_dir lazy;
    uint64_t quota;
    struct fs *tree; /* borrowed: the tree of MEMORY, the overlay of OVERLAY; else NULL */
};

/* An environment as a list, "NAME=value", in order. */
struct envlist {
    struct str *p;
    size_t n, cap;
};

struct virtual_box;
struct driven;

/* What the embedder holds. The first handle is a part of the sandbox; views are blocks of their
 * own. Exactly one of v and d is set. */
struct hob_sandbox {
    struct virtual_box *v;
    struct driven *d;
    struct str cwd; /* owned; absolute and clean */
};

struct virtual_box {
    struct hob_sandbox head;
    size_t refs; /* handles */
    struct kernel kernel;
    struct vfs vfs;
    struct host host;
    struct fs *root; /* borrowed from the vfs: the tree at / */
    struct envlist env;
    struct map custom;             /* name -> struct command * (heap) */
    VEC(struct command *) retired; /* of custom, replaced while something ran */
    VEC(struct box_mount) mounts;
    struct virtual_job *jobs; /* not yet finished */
    struct hob_shell *shells;
    struct buf background[2]; /* output of processes that outlived their call */
    hob_network network;      /* as it was given, copied to `given` */
    struct arena given;
    struct policy policy; /* of the network; its parts are in `given` */
    struct exchange_set exchanges;
    int64_t outside_since; /* virtual clock: when a wait for the network was last looked at */
};

/* What every job begins with. */
struct hob_job {
    bool driven; /* a struct driven_job of driven.h, else a struct virtual_job */
};

/* One call that runs or has run. */
struct virtual_job {
    struct hob_job head;
    struct virtual_box *box;
    struct virtual_job *next;
    struct run *run;
    struct hob_shell *shell; /* NULL: a fresh shell for this call */
    struct proc *proc;       /* NULL when it ended */
    struct str script;       /* owned copy */
    struct strs argv, args;  /* owned copies, text in `arena` */
    struct str name;
    struct arena arena;
    struct envlist env; /* of this call, when env_own; else the sandbox's counts */
    bool env_own;
    struct file *files[3];
    struct job_sink {
        struct virtual_job *job;
        int stream;
        struct buf buf;
        size_t read; /* bytes already handed out by hob_job_read */
    } sinks[2];
    hob_output_fn output;
    void *output_ud;
    int output_err;
    uint64_t output_left;
    bool merge, done, truncated;
    int status, killed;
    int64_t started, ended;
    uint64_t fuel;
};

struct hob_shell {
    struct virtual_box *box;
    struct hob_shell *next;
    struct proc proc;
    struct fdtab fds;
    struct arena arena;
    struct run *run; /* between calls: one that never ends */
    struct shell *shell;
    struct envlist env;
    bool exited, busy;
    int64_t line;
};

/* A process for the embedder's own file calls: never scheduled. */
struct outside {
    struct proc proc;
    struct task task;
    struct run run;
    struct fdtab fds;
};
struct proc *outside_init(struct outside *o, struct virtual_box *box);
struct proc *outside_of(struct outside *o, const struct hob_sandbox *handle); /* in its folder */

extern const struct env_ops envlist_ops;
int envlist_set(struct heap *h, struct envlist *e, struct str assignment); /* NAME alone removes */
int envlist_copy(struct heap *h, struct envlist *to, const struct envlist *from);
void envlist_fini(struct heap *h, struct envlist *e);

/* Mounts again, in a new sandbox, what `m` describes. */
int box_mount(struct virtual_box *box, const struct box_mount *m, struct hob_error *err);
struct str heap_str(struct heap *h, struct str s); /* an owned copy with a NUL; free n + 1 */

/* The virtual side of what sandbox.c hands out. */
int box_new(const hob_options *opt, struct virtual_box **out, struct hob_error *err);
void box_unref(hob_sandbox *box); /* one handle less */
int network_set(struct virtual_box *box, const hob_network *n, struct hob_error *err);
int box_view(hob_sandbox *box, struct str cwd, hob_sandbox **out);
int box_usage(struct virtual_box *box, hob_usage *out);
int exec_start(hob_sandbox *box, const char *script, const hob_exec_options *opt,
               struct virtual_job **out, struct hob_error *err);
int exec_run_script(hob_sandbox *box, const char *script, const hob_exec_options *opt,
                    hob_result *res);
int exec_step(struct virtual_box *box, uint64_t fuel);
int exec_wait_for(struct virtual_box *box, hob_pending *out);
int exec_wait(struct virtual_box *box, int64_t max_ns);
void exec_interrupt(struct virtual_box *box);
int exec_pid(const struct virtual_job *job);
int exec_signal(struct virtual_job *job, int sig);
int exec_read(struct virtual_job *job, int stream, hob_bytes *out);
int exec_finish(struct virtual_job *job, hob_result *res);
int exec_processes(struct virtual_box *box, hob_process **out, size_t *n);
int exec_kill(struct virtual_box *box, int pid, int sig);
int exec_background(struct virtual_box *box, int stream, hob_bytes *out);
int files_read(hob_sandbox *box, const char *path, hob_bytes *out);
int files_write(hob_sandbox *box, const char *path, const void *data, size_t len, int flags);
int files_stat(hob_sandbox *box, const char *path, int follow, hob_stat_t *out);
int files_readdir(hob_sandbox *box, const char *path, hob_dirent **out, size_t *n);
int files_mkdir(hob_sandbox *box, const char *path, int flags);
int files_rm(hob_sandbox *box, const char *path, int flags);
int files_rename(hob_sandbox *box, const char *from, const char *to);
int files_symlink(hob_sandbox *box, const char *target, const char *path);
int files_readlink(hob_sandbox *box, const char *path, hob_bytes *out);
int files_chmod(hob_sandbox *box, const char *path, uint32_t mode);
int files_walk(hob_sandbox *box, const char *path, hob_walk_fn fn, void *ud);

/* sandbox.c */
/* The path as the contract has it: against the handle's folder, "." and ".." taken out by the
 * letter. Appends to b. HOB_ENOENT for "", which would be the folder itself. */
int sandbox_resolve(const hob_sandbox *box, const char *path, struct buf *b);
int sandbox_bytes(struct str s, hob_bytes *out); /* a copy for the caller, NUL behind */

/* exec.c, for shellbox.c */
int exec_prepare(struct virtual_job *j, const char *script, const hob_exec_options *o,
                 struct hob_error *err);
int exec_to_end(struct virtual_job *job);
void exec_forget_interrupt(struct kernel *k);
void exec_free(struct virtual_job *j);
/* custom.c */
void custom_free(struct heap *h, struct command *c);
void custom_free_retired(struct virtual_box *box);

#endif

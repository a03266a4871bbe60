/* sandbox.h -- the inside of a virtual sandbox
 *
 * A hob_sandbox is a kernel (heap, scheduler, processes), a vfs, and what the embedder said when it
 * was made. Between calls it holds no stack and no process but those that run in the background.
 */
#ifndef HOB_SANDBOX_SANDBOX_H
#define HOB_SANDBOX_SANDBOX_H

#include "base/map.h"
#include "host/host.h"
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

struct hob_sandbox {
    struct kernel kernel;
    struct vfs vfs;
    struct host host;
    struct fs *root; /* borrowed from the vfs: the tree at / */
    struct envlist env;
    struct str cwd;
    struct map custom;             /* name -> struct command * (heap) */
    VEC(struct command *) retired; /* of custom, replaced while something ran */
    VEC(struct box_mount) mounts;
    struct hob_job *jobs; /* not yet finished */
    struct hob_shell *shells;
    struct buf background[2]; /* output of processes that outlived their call */
};

/* One call that runs or has run. */
struct hob_job {
    struct hob_sandbox *box;
    struct hob_job *next;
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
        struct hob_job *job;
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
    struct hob_sandbox *box;
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
struct proc *outside_init(struct outside *o, struct hob_sandbox *box);

extern const struct env_ops envlist_ops;
int envlist_set(struct heap *h, struct envlist *e, struct str assignment); /* NAME alone removes */
int envlist_copy(struct heap *h, struct envlist *to, const struct envlist *from);
void envlist_fini(struct heap *h, struct envlist *e);

/* Mounts again, in a new sandbox, what `m` describes. */
int box_mount(struct hob_sandbox *box, const struct box_mount *m, struct hob_error *err);
struct str heap_str(struct heap *h, struct str s); /* an owned copy with a NUL; free n + 1 */

/* exec.c, for shellbox.c */
int exec_prepare(struct hob_job *j, const char *script, const hob_exec_options *o,
                 struct hob_error *err);
int exec_to_end(struct hob_job *job);
void exec_forget_interrupt(struct kernel *k);
void exec_free(struct hob_job *j);
/* custom.c */
void custom_free(struct heap *h, struct command *c);
void custom_free_retired(struct hob_sandbox *box);

#endif

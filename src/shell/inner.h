/* inner.h -- what the files of the evaluator share among themselves */
#ifndef HOB_SHELL_INNER_H
#define HOB_SHELL_INNER_H

#include "shell/command.h"
#include "shell/parse.h"
#include "shell/shell.h"

/* ---- shell.c, function.c --------------------------------------------------------------------- */

/* "bash: eval: line 3: " + each line of msg. */
void shell_syntax_error(struct shell *sh, struct str context, int line, struct str msg);
struct function *function_ref(struct function *f);
void function_release(struct shell *sh, struct function *f);
void function_fork(struct shell *child);
void function_fini(struct shell *sh);
void function_import(struct shell *sh, struct str name, struct str value);
void alias_fork(struct shell *child);
void alias_fini(struct shell *sh);
void alias_clear(struct shell *sh);

/* ---- session.c ------------------------------------------------------------------------------- */

/* Begins with the variables that an earlier shell of the sandbox's environment imported. */
bool session_start_take(struct shell *sh);
void session_start_keep(struct shell *sh, const void *env_ctx);

/* ---- text.c ---------------------------------------------------------------------------------- */

void text_cache_free(struct shell_shared *s);
struct parse_options text_options(struct shell *sh);
/* The contents of a file with a NUL behind, on the heap. 0 or an error. */
int text_read_file(struct shell *sh, struct str path, struct buf *out);

/* ---- trap.c ---------------------------------------------------------------------------------- */

enum {
    TRAP_BIT_EXIT = 1,
    TRAP_BIT_DEBUG = 2,
    TRAP_BIT_ERR = 4,
    TRAP_BIT_RETURN = 8
};

/* Traps that a function does not see, put back at its end. */
struct trap_saved {
    uint8_t bits;
    struct params *cmd[3]; /* DEBUG, ERR, RETURN */
};

void trap_fork(struct shell *child);
void trap_fini(struct shell *sh);
void trap_hide(struct shell *sh, uint8_t bits, struct trap_saved *s);
void trap_unhide(struct shell *sh, struct trap_saved *s);
void trap_run_exit(struct shell *sh);
/* Sets, removes ({NULL,0}) or ignores ("") a trap. */
int trap_set(struct shell *sh, int which, struct str cmd);
struct str trap_get(struct shell *sh, int which); /* {NULL,0}: none; for listing */
int trap_number(struct str name);                 /* a signal, EXIT, DEBUG ...; -1 */
const char *trap_name(int which);                 /* "SIGINT", "EXIT" */
/* Signals that came while something waited: they count at the next safe point. */
static inline void trap_collect(struct shell *sh)
{
    sh->traps_pending |= sh->proc->sig_pending;
    sh->proc->sig_pending = 0;
}
static inline bool trap_pending(const struct shell *sh)
{
    return ((sh->traps_pending & ~sh->traps_busy) | sh->proc->sig_pending) != 0;
}

/* ---- eval*.c --------------------------------------------------------------------------------- */

int eval_simple(struct shell *sh, struct node *n, int flags);
int eval_pipe(struct shell *sh, struct node *n, int flags);
int eval_background(struct shell *sh, struct node *n);
int eval_subshell(struct shell *sh, struct node *n, int flags);
int eval_coproc(struct shell *sh, struct node *n);
int eval_for(struct shell *sh, struct node *n);
int eval_forarith(struct shell *sh, struct node *n);
int eval_while(struct shell *sh, struct node *n);
int eval_case(struct shell *sh, struct node *n);
int eval_select(struct shell *sh, struct node *n);
int eval_time(struct shell *sh, struct node *n, int flags);
/* errexit and the ERR trap, behind a command of the kinds that count. */
void eval_check_error(struct shell *sh);
void eval_check_node(struct shell *sh, const struct node *n); /* not for what stands behind ! */
bool eval_redirects_stdin(const struct node *n);
int eval_debug(struct shell *sh, struct node *n); /* the DEBUG trap; != 0: skip the command */
int eval_killed(struct shell *sh);                /* a signal ends this shell */
int eval_too_deep(struct shell *sh);
void eval_close_procsubs(struct shell *sh, struct procsub *until);
/* $? and PIPESTATUS of one command. */
static inline int eval_set_status(struct shell *sh, int status)
{
    sh->status = status;
    sh->npipestatus = 1;
    sh->pipestatus[0] = status;
    return status;
}
/* An inline subshell: a process and a shell on the stack of whoever waits for it. */
struct subshell {
    struct proc proc;
    struct shell *sh; /* &shell, or NULL */
    struct shell shell;
};
struct shell *subshell_enter(struct shell *sh, struct subshell *s); /* NULL: out of memory */
int subshell_leave(struct shell *sh, struct subshell *s);           /* its exit status */

/* A shell on a task of its own that evaluates n. fd0 and fd1 (may be NULL) go over. The pid or an
 * error, which is reported. */
struct spawn_opts {
    struct file *fd0, *fd1;
    bool background;
    int pgid; /* 0: a new group when job control is on */
};
int eval_spawn(struct shell *sh, struct node *n, const struct spawn_opts *o);
/* Puts file at the highest free descriptor <= from (63 for substitutions). */
int eval_high_fd(struct shell *sh, struct file *f, int from);

/* ---- redir.c --------------------------------------------------------------------------------- */

void redir_keep(struct shell *sh, struct redir_save *save); /* what was replaced is closed */
/* Replaces fd for a while; the reference goes over. */
int redir_replace(struct shell *sh, int fd, struct file *f, struct redir_save **save);

/* ---- find.c ---------------------------------------------------------------------------------- */

void find_fork(struct shell *child);
void find_fini(struct shell *sh);
/* Every place of a name on PATH, one after the other: *at starts at 0. False at the end. */
bool find_next(struct shell *sh, struct str path_list, size_t *at, struct str name,
               struct str *path, int *err);
/* What the file at path is: fills out->command or out->path, or out->err. */
void find_file(struct proc *p, struct str path, struct found *out);
void find_forget(struct shell *sh, struct str name); /* {NULL,0}: all */
int find_remember(struct shell *sh, struct str name, struct str path);
bool find_remembered(struct shell *sh, struct str name, struct str *path, int **hits);
int find_each(struct shell *sh, int (*fn)(void *ud, struct str name, struct str path, int hits),
              void *ud);

/* ---- run.c: programs ------------------------------------------------------------------------- */

int run_exec_hook(struct proc *p, struct str *argv, int argc, const struct exec_opts *o);
/* Runs what was found as a child of the shell, or (`self`) in place of it. */
int run_found(struct shell *sh, struct found *f, struct str *argv, int argc, bool self);
/* The message and the status (126, 127) for a command that cannot be run. */
int run_complain(struct shell *sh, struct str name, int err);
/* A fresh shell on p that runs the text of a file, as for a script without #!. */
int run_script_text(struct proc *p, struct str path, struct str text, struct str *argv, int argc);

/* ---- job.c ----------------------------------------------------------------------------------- */

struct job_proc {
    int pid, status, sig;
    bool done;
};
struct job {
    struct job *next;
    int id, n;
    int pgid;
    bool notified; /* the user knows that it ended */
    bool foreign;  /* a copy of the parent's: only to be listed */
    bool hidden;   /* a process substitution: waited for by pid alone */
    bool nohup;
    bool stopped, told_stopped;
    struct str text;   /* owned */
    struct str coproc; /* the name of a coprocess, owned; else empty */
    struct job_proc procs[];
};

struct job *job_add(struct shell *sh, const int *pids, int n, struct node *node, bool hidden);
void job_set_coproc(struct shell *sh, struct job *j, struct str name);
void job_fini(struct shell *sh);
void job_copy(struct shell *child, struct shell *parent); /* for `jobs` in a substitution */
void job_poll(struct shell *sh);                          /* looks who has ended; never waits */
void job_notify(struct shell *sh);                        /* messages about jobs that were killed */
/* Behind a child of the foreground: a script forgets the jobs that have ended, but for their
 * status by number. */
void job_reap_slow(struct shell *sh);
static inline void job_reap(struct shell *sh)
{
    if (UNLIKELY(sh->jobs != NULL))
        job_reap_slow(sh);
}
void job_remove(struct shell *sh, struct job *j);
bool job_is_done(const struct job *j);
int job_status(const struct shell *sh, const struct job *j);
struct job *job_by_pid(struct shell *sh, int pid);
/* %1 %+ %- %name %?name, or a plain number. NULL after no message; *ambiguous if several fit. */
struct job *job_find(struct shell *sh, struct str spec, bool *ambiguous);
/* Waits for the process of a child: its status, or HOB_EINTR (a trapped signal), HOB_EKILLED,
 * HOB_ECHILD. */
int job_wait_pid(struct shell *sh, int pid);
int job_wait(struct shell *sh, struct job *j);
bool job_done_status(struct shell *sh, int pid, int *status); /* of one that was reaped */
void job_done_forget(struct shell *sh, int pid);
/* Waits for one child of the foreground and tells of the signal that ended it. */
int job_wait_foreground(struct shell *sh, int pid, int *sig);
enum {
    JOB_LONG = 1,
    JOB_PIDS = 2
};
void job_print(struct shell *sh, struct buf *b, struct job *j, int how);
/* "bash: line 3: 123 Killed   text", as bash tells of a foreground child killed by a signal. */
void job_tell_signal(struct shell *sh, int pid, int sig, struct node *n);
void job_tell_signal_text(struct shell *sh, int pid, int sig, struct str text);

#endif

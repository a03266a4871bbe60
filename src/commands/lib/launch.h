/* launch.h -- running another command: env, xargs, find, timeout, nice ... */
#ifndef HOB_COMMANDS_LIB_LAUNCH_H
#define HOB_COMMANDS_LIB_LAUNCH_H

#include "shell/command.h"

/* Where `name` is found on $PATH of the given environment (ops NULL: p's), appended to b. A name
 * with a slash is taken as it is. 0, HOB_ENOENT, HOB_EACCES. */
int launch_find(struct proc *p, struct str name, const struct env_ops *ops, void *ctx,
                struct buf *b);
/* Runs argv and waits (or starts it when o->spawn). The status, or HOB_ENOENT, HOB_EACCES when
 * there is no such command (nothing is printed), HOB_EKILLED. */
int launch_run(struct proc *p, struct str *argv, int argc, const struct exec_opts *o);

/* The environment of p with one variable more, for exec_opts: {.env = &launch_env_ops, .env_ctx =
 * a struct launch_env that outlives the command}. */
struct launch_env {
    struct proc *p;
    struct str name, value;
};
extern const struct env_ops launch_env_ops;

#endif

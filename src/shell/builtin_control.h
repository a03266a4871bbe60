/* builtin_control.h -- builtins that steer the shell itself, and helpers they share */
#ifndef HOB_SHELL_BUILTIN_CONTROL_H
#define HOB_SHELL_BUILTIN_CONTROL_H

#include "shell/builtin_impl.h"

extern const struct builtin builtin_alias, builtin_bg, builtin_break, builtin_builtin,
    builtin_caller, builtin_colon, builtin_command, builtin_continue, builtin_disown, builtin_dot,
    builtin_enable, builtin_eval, builtin_exec, builtin_exit, builtin_fg, builtin_hash,
    builtin_jobs, builtin_kill, builtin_logout, builtin_return, builtin_set, builtin_shift,
    builtin_shopt, builtin_source, builtin_suspend, builtin_times, builtin_trap, builtin_type,
    builtin_ulimit, builtin_umask, builtin_unalias, builtin_wait;

int builtin_index(struct str name); /* in the table; -1 */
/* Accepts -- and nothing else in front of the operands: *at is the first. False after a message and
 * the usage line: the builtin's status is then 2. */
bool builtin_no_options(struct shell *sh, struct str *argv, int argc, int *at);
/* command -v and -V, type: describes one name. */
enum {
    DESCRIBE_TYPE = 1,    /* type -t: one word */
    DESCRIBE_PATH = 2,    /* -p: the path if a file would run */
    DESCRIBE_ALL = 4,     /* -a */
    DESCRIBE_NO_FUNC = 8, /* -f */
    DESCRIBE_FORCE = 16,  /* -P: search PATH for whatever name */
    DESCRIBE_REUSE = 32,  /* command -v: something that can be typed again */
    DESCRIBE_LONG = 64,   /* "ls is /usr/bin/ls" */
    DESCRIBE_DEFAULT_PATH = 128
};
bool describe_command(struct shell *sh, struct buf *b, struct str name, int how);
void signals_print(struct buf *b); /* kill -l, trap -l */
/* Prints an alias as `alias` does: alias x='y'. */
void alias_print(struct buf *b, struct str name, struct str value);

#endif

/* each.h -- the files named on a command line, one after the other */
#ifndef HOB_COMMANDS_LIB_EACH_H
#define HOB_COMMANDS_LIB_EACH_H

#include "shell/command.h"

/* Calls fn with every operand opened ("-" and no operand: stdin), complaining as cat does about
 * those that cannot be opened or read. The status: 1 when something was wrong, or a negative
 * result of fn. */
int each_file(struct proc *p, int (*fn)(struct in *in, void *ud), void *ud);
/* "name: extra operand 'x'" when there are more than n. 0, or the usage status. */
int each_at_most(struct proc *p, int n);
/* Opens the output operand of commands like uniq: "-" and NULL are stdout. */
int each_output(struct proc *p, struct str path, struct out *o, struct file **own);
/* The options -h and -V, where they mean --help and --version. */
int each_about(struct proc *p, void *args, const struct opt *o, struct str arg);

#endif

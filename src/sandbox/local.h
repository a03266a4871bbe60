/* local.h -- the local sandbox: the host's own shell and files */
#ifndef HOB_SANDBOX_LOCAL_H
#define HOB_SANDBOX_LOCAL_H

#include "hob.h"

/* Puts the host's shell in the place of the running program, with the folder and the environment
 * that a local sandbox would have, on the program's own terminal. Returns only when it fails. */
int local_become_shell(const hob_sandbox_options *opt, hob_error *err);

#endif

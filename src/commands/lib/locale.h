/* locale.h -- which characters a command sees: UTF-8, unless LC_ALL=C asks for bytes */
#ifndef HOB_COMMANDS_LIB_LOCALE_H
#define HOB_COMMANDS_LIB_LOCALE_H

#include "shell/command.h"

/* True when the first of LC_ALL, LC_CTYPE and LANG that is set is "C" or "POSIX". With none of
 * them set a sandbox is in C.UTF-8. */
bool locale_bytes(struct proc *p);

#endif

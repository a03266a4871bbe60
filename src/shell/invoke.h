/* invoke.h -- the shell as a command, for the table of commands */
#ifndef HOB_SHELL_INVOKE_H
#define HOB_SHELL_INVOKE_H

#include "shell/command.h"

extern const struct command cmd_bash, cmd_sh;

#endif

/* table.h -- the commands, sorted by name */
#ifndef HOB_COMMANDS_TABLE_H
#define HOB_COMMANDS_TABLE_H

#include "shell/command.h"

extern const struct command *const commands_table[]; /* ended by NULL */
extern const size_t commands_count;

#endif

/* brackets.h -- bracket expressions in patterns, looked at from outside */
#ifndef HOB_COMMANDS_LIB_BRACKETS_H
#define HOB_COMMANDS_LIB_BRACKETS_H

#include "base/str.h"

#define BRACKETS_MISTAKE "character class syntax is [[:space:]], not [:space:]"

/* The bytes of the bracket expression whose [ stands at i. */
size_t brackets_length(struct str s, size_t i);
/* Whether a class like [:space:] stands in the pattern without brackets around it: GNU grep and sed
 * take that for a mistake. */
bool brackets_mistaken(struct str pattern);

#endif

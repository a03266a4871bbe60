/* version.h -- comparing names by the numbers in them: file9 before file10 */
#ifndef HOB_COMMANDS_LIB_VERSION_H
#define HOB_COMMANDS_LIB_VERSION_H

#include "base/str.h"

/* < 0, 0, > 0, as GNU's filevercmp() has it: file suffixes count last. */
int version_compare(struct str a, struct str b);

#endif

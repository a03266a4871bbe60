/* number.h -- numbers of commands are read as everywhere: see text/number.h */
#ifndef HOB_COMMANDS_LIB_NUMBER_H
#define HOB_COMMANDS_LIB_NUMBER_H

#include "text/number.h"

#endif

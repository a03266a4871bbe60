/* number.h -- floating-point numbers as strtold() reads them, and times with a unit */
#ifndef HOB_TEXT_NUMBER_H
#define HOB_TEXT_NUMBER_H

#include "base/str.h"

/* Reads a decimal or hexadecimal number, inf or nan at the start of s (behind white space);
 * *used is how much of it was one, 0 if nothing. */
long double number_parse(struct str s, size_t *used);
/* "1.5", "2m", "inf": seconds with a unit s m h d. HOB_EINVAL. Nanoseconds, at most INT64_MAX. */
int number_interval(struct str s, int64_t *ns);

#endif

/* nearest.h -- which known word was meant by a misspelt one */
#ifndef HOB_TEXT_NEAREST_H
#define HOB_TEXT_NEAREST_H

#include "base/str.h"

/* How many letters must be put in, left out, changed or swapped with their neighbour to make one
 * word of the other; more than 64 letters of either count as a miss (SIZE_MAX). Case does not
 * count. */
size_t nearest_distance(struct str a, struct str b);
/* Whether b is near enough to a to be suggested: up to a third of its letters may differ. */
bool nearest_close(struct str a, struct str b);
/* The name that `word` is nearest to; false when none is close. */
bool nearest_find(struct str word, const struct str *names, size_t n, struct str *out);

#endif

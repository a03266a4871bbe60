/* glob.h -- shell patterns, matched as bash matches them
 *
 * A pattern is compiled once and used many times. Quoted characters arrive with a backslash in
 * front. Whole characters of UTF-8 are matched; bytes that are no valid UTF-8 are characters of
 * their own, equal to nothing but themselves.
 *
 * Time is bounded by pattern times text, whatever the pattern: the parts between stars are searched
 * one after the other, and extended patterns run as a set of states. Only !( ) may need the square
 * of the text. Patterns without extended groups need no memory to match.
 */
#ifndef HOB_TEXT_GLOB_H
#define HOB_TEXT_GLOB_H

#include "base/arena.h"
#include "base/str.h"

enum {
    GLOB_EXT = 1,    /* ?( ) *( ) +( ) @( ) !( ) */
    GLOB_NOCASE = 2, /* case does not matter */
    GLOB_PERIOD = 4, /* a period at the start must be matched by a period (glob_match only) */
    GLOB_PATH = 8,   /* nothing but a slash matches a slash (glob_match only) */
    GLOB_BYTES = 16, /* every byte is a character, as in the C locale */
};

struct glob_prog;

/* Lives in the arena; uses the arena's heap while it matches. NULL when out of memory. */
struct glob_prog *glob_compile(struct arena *a, struct str pattern, int flags);

/* The whole string. False, with the heap's flag set, when out of memory. */
bool glob_match(const struct glob_prog *g, struct str s);
/* Length of the shortest or longest part at the start or end that matches, -1 if none does. */
ptrdiff_t glob_prefix(const struct glob_prog *g, struct str s, bool longest);
ptrdiff_t glob_suffix(const struct glob_prog *g, struct str s, bool longest);
/* The leftmost match that starts at `from` or later, of these the longest. */
bool glob_find(const struct glob_prog *g, struct str s, size_t from, size_t *start, size_t *end);

/* True if the pattern stands for just one string; *out is that string, as long as g lives. */
bool glob_literal(const struct glob_prog *g, struct str *out);
/* Whether there is anything but literal text in the pattern. Needs no memory. */
bool glob_magic(struct str pattern, int flags);

#endif

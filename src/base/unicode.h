/* unicode.h -- the tables behind utf8.h, made by tools/gen-unicode
 *
 * Every list is sorted. An element of the first and the last kind packs a character (<< 8) with
 * one byte.
 */
#ifndef HOB_BASE_UNICODE_H
#define HOB_BASE_UNICODE_H

#include "base/types.h"

enum {
    UNICODE_WIDTH = 3, /* the two low bits: columns */
    UNICODE_PRINT = 4,
    UNICODE_ALPHA = 8,
};

/* Where a run starts, and the bits above of all its characters. */
extern const uint32_t unicode_classes[];
extern const uint32_t unicode_classes_count;

/* `count` characters from start >> 8 on, each (start & 255) behind the one before, change by
 * `distance` modulo 2^16; none leaves its plane. */
struct unicode_case {
    uint32_t start;
    uint16_t count, distance;
};
extern const struct unicode_case unicode_to_upper[], unicode_to_lower[];
extern const uint32_t unicode_to_upper_count, unicode_to_lower_count;

/* First character and count of letters that are of one case but have no partner in the other. */
extern const uint32_t unicode_only_upper[], unicode_only_lower[];
extern const uint32_t unicode_only_upper_count, unicode_only_lower_count;

#endif

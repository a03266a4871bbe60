/* diff.h -- what changed between two texts, line by line
 *
 * The result is what GNU diff finds, in the same places: the smallest script for inputs of ordinary
 * size, and a good one in bounded time for huge inputs that differ everywhere.
 */
#ifndef HOB_TEXT_DIFF_H
#define HOB_TEXT_DIFF_H

#include "base/arena.h"
#include "base/str.h"

/* Lines a .. a+an of the old text (counted from 0) became b .. b+bn of the new one. */
struct diff_edit {
    size_t a, an, b, bn;
};

struct diff_text {
    struct str *line; /* each with its newline; only the last one may lack it */
    size_t n;
};

struct diff {
    struct diff_text a, b;
    struct diff_edit *edit; /* in order, with at least one equal line between two of them */
    size_t n;
};

/* Lines borrow from the strings; the rest lives in the arena. What both texts begin and end with is
 * not compared, but for `margin` lines: GNU takes the number of context lines, 0 without context.
 * HOB_ENOMEM, HOB_EFBIG beyond 2^30 lines. */
int diff_lines(struct arena *a, struct str old, struct str new, size_t margin, struct diff *out);
/* The same, with lines taken for equal when their keys are. A key lives as long as the arena; the
 * line itself is one, too. */
typedef struct str (*diff_key_fn)(void *ud, struct str line);
int diff_lines_by(struct arena *a, struct str old, struct str new, size_t margin, diff_key_fn key,
                  void *ud, struct diff *out);

/* The same for two lists of numbers below `kinds`, where equal lines have equal numbers. */
int diff_numbers(struct arena *arena, const uint32_t *a, size_t an, const uint32_t *b, size_t bn,
                 uint32_t kinds, size_t margin, struct diff_edit **edits, size_t *n);

/* Splits text into lines. HOB_ENOMEM, HOB_EFBIG. */
int diff_split(struct arena *a, struct str text, struct diff_text *out);

/* Appends the hunks with `context` lines around each change, in the form of `diff -u`. Writes
 * nothing when there are no edits. The names of the files are printed first, as "--- old" and
 * "+++ new", unless they are NULL. */
void diff_unified(struct buf *out, const struct diff *d, const char *old, const char *new,
                  size_t context);

#endif

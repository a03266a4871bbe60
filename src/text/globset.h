/* globset.h -- what the parts of the pattern matcher share: characters, sets, parsed patterns */
#ifndef HOB_TEXT_GLOBSET_H
#define HOB_TEXT_GLOBSET_H

#include "base/arena.h"
#include "base/str.h"

/* A byte that is not part of valid UTF-8 is this plus its value. */
#define GLOBSET_BYTE 0x110000u

/* The character at p (before p when dir < 0) and the place behind it in that direction. */
uint32_t globset_char(struct str s, size_t p, int dir, int flags, size_t *next);

struct globset;
/* Reads the bracket expression whose `[` is at p. Returns the place behind its `]`, or 0 if it is
 * none. With out != NULL the set is built in a; *out is NULL when out of memory. */
size_t globset_parse(struct str pattern, size_t p, int flags, struct arena *a,
                     struct globset **out);
bool globset_has(const struct globset *set, uint32_t c);
/* Adds to a bitmap the first bytes that characters of the set can have. */
void globset_bytes(const struct globset *set, uint32_t bits[8]);

/* A parsed pattern: a list of nodes. */
enum globset_kind {
    GLOBSET_TEXT,
    GLOBSET_FOLD,
    GLOBSET_ANY,
    GLOBSET_SET,
    GLOBSET_STAR,
    GLOBSET_GROUP
};

struct globset_list {
    struct globset_node *first, *last;
    struct globset_list *next; /* the next alternative of a group */
};

struct globset_node {
    enum globset_kind kind;
    char op;                   /* of a group: one of ?*+@! */
    uint32_t c;                /* FOLD: the character in lower case */
    struct str text;           /* TEXT */
    struct globset *set;       /* SET */
    struct globset_list *alts; /* GROUP */
    struct globset_node *next, *prev;
};

/* The machine for extended patterns, in globrun.c. */
struct globrun;
struct globrun *globrun_new(struct arena *a, const struct globset_list *list, int dir, int flags);

enum globrun_want {
    GLOBRUN_WHOLE,
    GLOBRUN_SHORTEST,
    GLOBRUN_LONGEST,
    GLOBRUN_FIND
};
/* Runs over s from p on in the machine's direction. False when nothing matches. */
bool globrun_match(const struct globrun *m, struct heap *h, struct str s, size_t p,
                   enum globrun_want want, size_t *start, size_t *end);

#endif

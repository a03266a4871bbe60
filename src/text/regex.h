/* regex.h -- regular expressions in linear time: POSIX leftmost-longest over bytes and UTF-8
 *
 * One engine for grep, sed, awk, find, expr and bash's =~. Whether and where a pattern matches is
 * found by a lazily built DFA behind a search for literals; sub-matches are found by one pass back
 * and one pass forward over the match, and are those that GNU's regexec reports. Only patterns with
 * back-references are tried by back-tracking, and that is bounded.
 *
 * A compiled regex owns its memory on the heap it was made with, and is used by one thread at a
 * time. Matching fills its caches, so even regex_exec() is not for two threads at once.
 */
#ifndef HOB_TEXT_REGEX_H
#define HOB_TEXT_REGEX_H

#include "base/error.h"
#include "base/str.h"

/* What a pattern is written in: one of the flavours, or'ed with any of the switches behind them. */
enum {
    REGEX_BRE,         /* POSIX basic with the GNU operators: ed, find's posix-basic */
    REGEX_EXPR,        /* expr, nl: as BRE, but a** and [z-a] are no errors */
    REGEX_ERE,         /* POSIX extended: regcomp with REG_EXTENDED, bash's =~ */
    REGEX_GREP,        /* grep: newlines in the pattern part alternatives */
    REGEX_EGREP,       /* grep -E, find's egrep */
    REGEX_SED,         /* sed */
    REGEX_SED_ERE,     /* sed -E: as ERE, but a lone ) is an error */
    REGEX_AWK,         /* gawk */
    REGEX_AWK_GNU,     /* find's gnu-awk: no escapes but those of regcomp */
    REGEX_AWK_POSIX,   /* find's posix-awk */
    REGEX_AWK_OLD,     /* find's awk: no intervals, no GNU operators */
    REGEX_EMACS,       /* find's default */
    REGEX_BRE_MINIMAL, /* find's posix-minimal-basic */
    REGEX_FIXED,       /* no operators at all: grep -F */
    REGEX_FLAVOUR = 15,

    REGEX_ICASE = 1 << 4,   /* letters match both cases */
    REGEX_NEWLINE = 1 << 5, /* ^ and $ match at newlines; . and [^a] do not match them */
    REGEX_LINES = 1 << 6,   /* texts are buffers of lines: nothing matches across a newline */
    REGEX_NUL = 1 << 7,     /* with REGEX_LINES: lines end with NUL instead */
    REGEX_WORD = 1 << 8,    /* the match has no word character before or behind it (grep -w) */
    REGEX_WHOLE = 1 << 9,   /* the match is the whole line or text (grep -x) */
    REGEX_BYTES = 1 << 10,  /* every byte is a character (LC_ALL=C) */
    REGEX_LOOSE = 1 << 11,  /* with REGEX_EGREP: ^* is an optional ^, {a is itself, (*) is empty */
};

/* How to execute. */
enum {
    REGEX_NOTBOL = 1, /* the text does not begin a line: ^ does not match at 0 */
    REGEX_NOTEOL = 2, /* the text does not end a line */
    REGEX_HERE = 4,   /* a match must begin at `from` */
};

struct regex;

/* Offsets into the text; both -1 for a group that took no part. */
struct regex_match {
    ptrdiff_t start, end;
};

/* Called now and then with the steps done since the last call (about one for a byte). A negative
 * result ends the search, which returns it. */
typedef int (*regex_tick_fn)(void *ud, uint64_t steps);

/* Compiles. HOB_ESYNTAX with GNU's message, HOB_ELIMIT ("Regular expression too big") or
 * HOB_ENOMEM; *out is NULL then. The pattern is not kept. */
int regex_compile(struct heap *h, struct str pattern, unsigned flags, struct regex **out,
                  struct hob_error *err);
/* Matches what any of n patterns matches (grep -e, grep -f). n == 0 matches nothing. */
int regex_compile_set(struct heap *h, const struct str *patterns, size_t n, unsigned flags,
                      struct regex **out, struct hob_error *err);
void regex_free(struct regex *re); /* NULL is allowed */

/* The number of groups, not counting the whole match. */
size_t regex_groups(const struct regex *re);
/* True if the pattern matches exactly one string, case counting; *lit borrows it. */
bool regex_literal(const struct regex *re, struct str *lit);

void regex_set_tick(struct regex *re, regex_tick_fn fn, void *ud);
/* The most bytes for DFA states (default 4 MiB). When they are used up they are dropped. */
void regex_set_cache(struct regex *re, size_t bytes);
/* The most steps of back-tracking in one regex_exec() (default 100 million). */
void regex_set_steps(struct regex *re, uint64_t steps);

/* Looks for the leftmost longest match at or behind `from`; what stands before `from` counts for
 * ^, \b and such. 1: found, m[0] is the match and m[1..] the groups, as far as nm goes; 0: there is
 * none; negative: HOB_ENOMEM, HOB_ELIMIT (too many steps), or the result of the tick. With nm == 0
 * only the fact is looked for, which is fastest; nm == 1 is faster than more. */
int regex_exec(struct regex *re, struct str text, size_t from, unsigned eflags,
               struct regex_match *m, size_t nm);
/* regex_exec() without flags, for the fact alone. */
int regex_is_match(struct regex *re, struct str text);

/* For a regex with REGEX_LINES: the first line at or behind `from` (the begin of a line) that holds
 * a match. *start and *end are its bounds without the line end. 1, 0 or negative, as above. */
int regex_find_line(struct regex *re, struct str text, size_t from, size_t *start, size_t *end);

#endif

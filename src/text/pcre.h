/* pcre.h -- Perl's regular expressions, by the PCRE2 library where it is built in
 *
 * Memory comes from the heap, and a match may take only so many steps and so much of it. Without
 * HAVE_PCRE2 compiling gives HOB_ENOSYS and nothing else is ever called.
 */
#ifndef HOB_TEXT_PCRE_H
#define HOB_TEXT_PCRE_H

#include "base/error.h"
#include "base/str.h"

struct pcre;

enum {
    PCRE_ICASE = 1,
    PCRE_EXTENDED = 2, /* blanks and comments in the pattern */
    PCRE_DOTALL = 4,
    PCRE_MULTILINE = 8, /* ^ and $ at each line */
    PCRE_UTF = 16,      /* text and pattern are UTF-8; text that is not valid matches around it */
    PCRE_DUPNAMES = 32,
    PCRE_UCP = 64 /* \w, \d and such know all of Unicode */
};
#define PCRE_UNSET SIZE_MAX

/* 0; HOB_EINVAL with the library's words in err and its number in *code (both may be NULL);
 * HOB_ENOMEM; HOB_ENOSYS. */
int pcre_compile(struct pcre **out, struct heap *h, struct str pattern, unsigned flags, int *code,
                 struct hob_error *err);
void pcre_free(struct pcre *p); /* NULL is fine */
/* The first match at or behind `from`: its groups into spans[0..2*n), start and end of each, or
 * PCRE_UNSET. 1, 0 (none), HOB_ELIMIT when it takes too long, HOB_ENOMEM, HOB_EINVAL. With
 * not_empty only a match that is not empty counts, or with `anchored` one that begins at from. */
int pcre_match(struct pcre *p, struct str text, size_t from, bool not_empty, bool anchored,
               size_t *spans, size_t n);
size_t pcre_groups(const struct pcre *p);                 /* without the whole match */
struct str pcre_name(const struct pcre *p, size_t group); /* {NULL,0}: it has none */

#endif

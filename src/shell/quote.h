/* quote.h -- names in messages and listings, quoted as GNU's tools quote them in a UTF-8 locale */
#ifndef HOB_SHELL_QUOTE_H
#define HOB_SHELL_QUOTE_H

#include "base/str.h"

enum quote_style {
    QUOTE_LITERAL,
    QUOTE_SHELL,               /* 'a b', only when needed */
    QUOTE_SHELL_ALWAYS,        /* 'a' */
    QUOTE_SHELL_ESCAPE,        /* 'a'$'\n''b', only when needed */
    QUOTE_SHELL_ESCAPE_ALWAYS, /* the same, always */
    QUOTE_C,                   /* "a\n" */
    QUOTE_C_MAYBE,             /* the same, only when needed */
    QUOTE_ESCAPE,              /* a\n, blanks with a backslash when `also` has one */
    QUOTE_LOCALE,              /* the same between two curly quotes */
    QUOTE_CLOCALE              /* the same as QUOTE_LOCALE in UTF-8 */
};

/* Appends s in a style. The characters of `also` (may be NULL) are quoted too. */
void quote_add(struct buf *b, struct str s, enum quote_style style, const char *also);

#endif

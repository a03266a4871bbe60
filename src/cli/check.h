/* check.h -- what the two halves of `hob check` share: the report and the walk over the tree */
#ifndef HOB_CLI_CHECK_H
#define HOB_CLI_CHECK_H

#include <stdlib.h>

#include "base/map.h"
#include "base/vec.h"
#include "shell/parse.h"

enum check_kind_of { /* in the order of the report's lists */
    CHECK_COMMAND,
    CHECK_BUILTIN,
    CHECK_FUNCTION,
    CHECK_READ,
    CHECK_WRITE,
    CHECK_HOST,
    CHECK_DYNAMIC,
    CHECK_ERROR,
    CHECK_KINDS
};

enum {
    CHECK_STACK = 2 << 20
}; /* bytes of the stack that a script may take */

struct check_item {
    int kind, line;
    struct str text;
};

struct check {
    struct heap *heap;
    struct arena arena; /* the texts */
    struct map seen;    /* "kind text" */
    VEC(struct check_item) items;
    const char *floor; /* where the stack began */
    bool extglob;      /* the script has switched it on */
    bool failed;       /* out of memory */
};

void check_note(struct check *c, int kind, struct str text, int line);
void check_text(struct check *c, struct str text, int line); /* parses a text and walks over it */
bool check_deep(struct check *c, int line);                  /* true: go no deeper */
/* check_walk.c */
void check_node(struct check *c, const struct node *n);
/* check_names.c: what a simple command names by its operands. */
void check_command(struct check *c, struct word *const *words, int n, int line);
void check_hosts(struct check *c, const struct word *w, int line); /* URLs inside a word */
void check_path(struct check *c, const struct word *w, int kind, int line);
void check_unknown(struct check *c, const char *what, const struct word *w, int line);

#endif

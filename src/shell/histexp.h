/* histexp.h -- history expansion, and what it needs of the list of commands */
#ifndef HOB_SHELL_HISTEXP_H
#define HOB_SHELL_HISTEXP_H

#include "shell/shell.h"

/* What later expansions refer to: !?? and !%, :& and ^^. */
struct histexp_memory {
    struct buf search, match; /* the text of the last !?text?, and the word it was found in */
    struct buf lhs, rhs;      /* of the last substitution */
};

/* Expands one line (without its newline); `quote` is the quote it begins in, or 0. Appends to out.
 * 0: nothing to expand, 1: expanded, 2: to be shown only (:p), or an error: HOB_EINVAL with its
 * text in *error, HOB_ENOMEM. */
int histexp_line(struct shell *sh, struct str line, char quote, struct buf *out, struct buf *error);

/* builtin_history.c: the entries, oldest first, and the number of the first one. */
size_t history_count(struct shell *sh);
struct str history_text(struct shell *sh, size_t i);
int64_t history_first(struct shell *sh);
struct histexp_memory *history_memory(struct shell *sh); /* NULL: out of memory */
/* A command that is not read to its end counts as the newest entry while its lines are expanded. */
bool history_hold(struct shell *sh, struct str text);
void history_unhold(struct shell *sh);

#endif

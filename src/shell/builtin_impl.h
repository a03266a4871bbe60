/* builtin_impl.h -- what the files of the builtins share */
#ifndef HOB_SHELL_BUILTIN_IMPL_H
#define HOB_SHELL_BUILTIN_IMPL_H

#include "shell/shell.h"
#include "shell/var_impl.h"

/* The end of a builtin that wrote through o: flushes, and turns a failure into "write error" and
 * status 1. Otherwise returns `status`. */
int builtin_close(struct shell *sh, struct out *o, int status);
/* As builtin_close for a buffer: writes it to fd 1 and frees it. */
int builtin_print(struct shell *sh, struct buf *b, int status);

/* What a backslash stands for. s begins behind the backslash; *used is how much of it belongs to
 * the escape. The bytes go to dst (room for 8); their number, or ESCAPE_NONE: not an escape, the
 * backslash stands for itself; ESCAPE_STOP: \c; ESCAPE_HEX, ESCAPE_UNICODE: digits are missing. */
enum escape_mode {
    ESCAPE_ECHO,
    ESCAPE_FORMAT,
    ESCAPE_ARG
};
enum {
    ESCAPE_NONE = -1,
    ESCAPE_STOP = -2,
    ESCAPE_HEX = -3,
    ESCAPE_UNICODE = -4
};
int escape_decode(struct str s, enum escape_mode mode, char *dst, size_t *used);

/* Assigns to "name" or "name[subscript]" given as text by a builtin. 0, or a status after the
 * message: `bad` for what is no name. */
int builtin_assign(struct shell *sh, struct str ref, struct str value, int bad);
/* The subscript of "name[subscript]" given as text by a builtin, which bash expands (again); not
 * that of an associative array under assoc_expand_once, or, with `written`, when the command has
 * name[..] outside of quotes. 0 or an error, which is reported. */
int builtin_subscript(struct shell *sh, struct sym *s, struct str *index, bool written);
/* True for a name, or a name with a subscript. */
bool builtin_is_ref(struct str ref);
/* True when the next argument is --help: its text was printed. */
bool builtin_help_asked(struct shell *sh, struct str *argv, int argc, int at);

/* Calls fn for every topic of `help` in order of name. */
void help_each(void (*fn)(void *ud, const struct builtin *b), void *ud);
/* DIRSTACK[i]=dir, i > 0. */
int dirs_set(struct shell *sh, size_t i, struct str dir);

/* ---- builtin_array.c: name=(...) given to a builtin ------------------------------------------ */

struct compound_item {
    struct str key; /* {NULL,0}: none */
    struct str value;
    bool append;
    const struct element *from; /* for messages; may be NULL */
};
struct compound { /* on the arena */
    struct compound_item *items;
    size_t n, cap;
    bool append;
    bool quoted;             /* messages show elements in quotes */
    struct program *program; /* that the texts may lie in; freed by compound_free() */
};
int compound_expand(struct shell *sh, const struct assign *a, bool assoc, struct compound *c);
/* The same from "(...)" as text. HOB_ESYNTAX: it is none. */
int compound_parse(struct shell *sh, struct str name, struct str text, bool assoc,
                   struct compound *c);
int compound_store(struct shell *sh, struct sym *s, struct compound *c);
void compound_free(struct compound *c);
/* name=(..) of a declaration builtin in two steps, with what is declared between them. `assoc`: -A
 * was given; flags are those of expand_assign(). */
int expand_list(struct shell *sh, struct assign *a, bool assoc, struct compound *c);
int expand_list_store(struct shell *sh, struct assign *a, int flags, struct compound *c);
/* Shows it as bash does under set -x: expanded, each part in quotes. */
void trace_quoted(struct buf *b, struct str s);
void trace_list(struct shell *sh, struct str name, bool append, const struct compound *c);

/* ---- the builtins ---------------------------------------------------------------------------*/

extern const struct builtin builtin_bind, builtin_bracket, builtin_cd, builtin_compgen,
    builtin_complete, builtin_compopt, builtin_declare, builtin_dirs, builtin_echo, builtin_export,
    builtin_false, builtin_fc, builtin_getopts, builtin_help, builtin_history, builtin_let,
    builtin_local, builtin_mapfile, builtin_popd, builtin_printf, builtin_pushd, builtin_pwd,
    builtin_read, builtin_readarray, builtin_readonly, builtin_test, builtin_true, builtin_typeset,
    builtin_unset;

#endif

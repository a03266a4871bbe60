/* parse.h -- from bytes to syntax trees, one complete command at a time
 *
 * bash reads a command, runs it, reads the next: aliases, `shopt -s extglob` and the like change
 * how later lines are read, and a syntax error counts only when it is reached. So the parser is an
 * object that hands out one complete command (a list up to a newline) per call.
 */
#ifndef HOB_SHELL_PARSE_H
#define HOB_SHELL_PARSE_H

#include "shell/ast.h"

struct parse_options {
    bool extglob, no_brace, posix, interactive;
    bool compat42; /* as it was in bash 4.2 */
    bool aliases;  /* expand_aliases is on */
    /* The text of an alias, or {NULL,0}. Asked for unquoted words at command position. */
    struct str (*alias)(void *ud, struct str name);
    /* True when the stack has not enough room left to recurse. May be NULL. */
    bool (*stack_low)(void *ud);
    void *ud;
};

struct parse_error {
    int line;
    bool incomplete; /* the text ended inside a construct: more lines could complete it */
    struct buf msg;  /* what follows "bash: line 3: ", newline-separated if bash prints two lines:
                        "syntax error near unexpected token `)'" + "`echo )'" */
    int status;      /* What $? is after it, and how bash goes on: 2 as a rule (the script or eval
                        ends); 1 for a broken name=(..), where reading goes on with the next line;
                        127 for an error inside $( ), which ends the shell even from eval; 0 for
                        one inside [[ ]], which ends a script with 0 and eval with 2. */
    bool comsub;     /* it is inside $( ) */
    bool keep;       /* except in eval, a $? that was not 0 stays as it was */
    int lines[8];    /* line numbers of the second line of msg and those behind it; 0: `line` */
    int nlines;      /* of msg */
};

/* The caller puts in front of each line of msg: for -c "bash: -c: line N: ", for a script file or
 * source "FILE: line N: ", for eval "bash: eval: line N: ", for a script on standard input and for
 * an interactive shell "bash: "; bash is $0 there. Warnings have "bash: line N: warning: ", the
 * FILE instead of bash in a file. A message may be empty: bash says nothing about `[[ ]]`. */

struct parser; /* opaque */

/* text is borrowed until parser_free. first_line is usually 1. */
struct parser *parser_new(struct heap *h, struct str text, int first_line);
void parser_free(struct parser *p);
/* Options count for what is read from now on. */
void parser_set_options(struct parser *p, const struct parse_options *o);

/* The next complete command: 1 with *out (its root; owned by the caller, one reference; it has its
 * own arena), 0 at the end of the text, HOB_ESYNTAX with *err filled (the parser is then at the
 * end of the offending line, where an interactive shell would go on), HOB_ENOMEM, HOB_ELIMIT
 * (nested too deep: err says so). */
int parser_next(struct parser *p, struct program **out, struct parse_error *err);
/* Counts on from this line. */
void parser_set_line(struct parser *p, int line);
int parser_line(const struct parser *p);      /* the line that is read next */
size_t parser_offset(const struct parser *p); /* bytes consumed so far */
/* The source text of the last command that parser_next returned (borrowed), for `set -v`. */
struct str parser_source(const struct parser *p);
/* Here-documents that ended at the end of the text: bash warns
 * "here-document at line N delimited by end-of-file (wanted `EOF')". Such warnings of the last
 * command, one a line with the line number in front ("3:..."); empty if none. */
struct str parser_warnings(const struct parser *p);

void parse_error_init(struct parse_error *e, struct heap *h);
void parse_error_fini(struct parse_error *e);

/* Pieces that are parsed at run time. The word is parsed as the inside of "..." (heredoc rules
 * when `heredoc`), for prompts, PS4, arithmetic that came out of an expansion. */
int parse_dquoted(struct program *prog, struct str text, bool heredoc,
                  const struct parse_options *o, struct word **out, struct parse_error *err);
/* One assignment word "name[index]+=value" given as text, as `declare` and `read` get it; value
 * parts are taken literally. False if it is none. */
bool parse_is_name(struct str s);
bool parse_is_reserved(struct str s);

#endif

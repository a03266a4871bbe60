/* awk_parse.h -- what the lexer and the parser of awk share */
#ifndef HOB_COMMANDS_AWK_AWK_PARSE_H
#define HOB_COMMANDS_AWK_AWK_PARSE_H

#include "commands/awk/awk.h"

enum awk_token {
    AWK_T_END, /* of all text */
    AWK_T_NEWLINE,
    AWK_T_NUMBER,
    AWK_T_STRING,
    AWK_T_REGEX, /* only after awk_lex_regex() */
    AWK_T_NAME,
    AWK_T_FUNC_NAME, /* a name with ( right behind it */
    AWK_T_BUILTIN,
    AWK_T_LENGTH,
    AWK_T_BAD, /* an error has been told */
    AWK_T_BEGIN,
    AWK_T_END_RULE,
    AWK_T_BEGINFILE,
    AWK_T_ENDFILE,
    AWK_T_FUNCTION,
    AWK_T_IF,
    AWK_T_ELSE,
    AWK_T_WHILE,
    AWK_T_DO,
    AWK_T_FOR,
    AWK_T_IN,
    AWK_T_BREAK,
    AWK_T_CONTINUE,
    AWK_T_NEXT,
    AWK_T_NEXTFILE,
    AWK_T_EXIT,
    AWK_T_RETURN,
    AWK_T_DELETE,
    AWK_T_PRINT,
    AWK_T_PRINTF,
    AWK_T_GETLINE,
    AWK_T_SWITCH,
    AWK_T_CASE,
    AWK_T_DEFAULT,
    AWK_T_INCLUDE, /* @include */
    AWK_T_LOAD,    /* @load */
    AWK_T_NAMESPACE,
    /* operators of more than one character; the others are their character + AWK_T_CHAR */
    AWK_T_AND,
    AWK_T_OR,
    AWK_T_EQ,
    AWK_T_NE,
    AWK_T_LE,
    AWK_T_GE,
    AWK_T_NOMATCH,
    AWK_T_INCR,
    AWK_T_DECR,
    AWK_T_APPEND,
    AWK_T_POW,
    AWK_T_PIPE_AMP,
    AWK_T_ASSIGN_OP, /* op is the character of the operator */
    AWK_T_CHAR = 256
};

struct awk_parser {
    struct awk *a;
    struct awk_source *source;
    const char *start, *cur, *end; /* the text of the source */
    const char *line_start;
    int line;

    /* the token */
    int tok;
    int op;          /* AWK_T_ASSIGN_OP */
    const char *at;  /* where it begins */
    int at_line;     /* and its line */
    double num;      /* AWK_T_NUMBER */
    struct str text; /* AWK_T_NAME: in the source. Strings, regular expressions: in `buf` */
    const struct awk_builtin *builtin;
    struct buf buf;
    bool typed; /* AWK_T_REGEX: with an @ */

    struct awk_func *func; /* the one that is being defined */
    int func_index;
    int rule; /* awk_when of the rule, -1 in a function */
    int loops, switches;
    bool no_gt;   /* > is a redirection here */
    bool no_post; /* behind a $: ++ belongs to the field, not to its number */
    bool failed;
    bool ended;       /* the newline behind a text without one has been given */
    const char *list; /* where a list in parentheses may stand: behind print */
    int errors;
};

/* awk_lex.c */
void awk_lex_open(struct awk_parser *p, struct awk_source *s);
void awk_next_token(struct awk_parser *p);
/* The token is a / or /=: reads the regular expression that begins there. */
void awk_lex_regex(struct awk_parser *p);
/* "awk: cmd. line:1: TEXT\nawk: cmd. line:1:   ^ message\n"; the parse is over. */
void awk_syntax(struct awk_parser *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "awk: cmd. line:1: error: message"; the parse goes on, but nothing will run. */
void awk_mistake(struct awk_parser *p, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* "awk: cmd. line:1: warning: message". */
void awk_lex_warn(struct awk_parser *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
void awk_source_name(struct buf *b, struct str name, int line); /* "cmd. line:1" or "file:1" */

/* awk_parse.c */
struct awk_node *awk_node_new(struct awk_parser *p, int type);
struct awk_node *awk_expr(struct awk_parser *p);
struct awk_node *awk_expr_concat(struct awk_parser *p); /* what may stand behind > and | */
struct awk_node *awk_lvalue_only(struct awk_parser *p); /* a variable, an element or a field */
void awk_newlines(struct awk_parser *p);                /* any number of them is skipped */
bool awk_accept(struct awk_parser *p, int tok);
bool awk_expect(struct awk_parser *p, int tok);
struct awk_node *awk_expr_list(struct awk_parser *p, int close, uint16_t *count);
struct awk_node *awk_variable(struct awk_parser *p, struct str name);
struct awk_node *awk_subscripts(struct awk_parser *p, struct awk_node *base);
struct str awk_keep(struct awk_parser *p, struct str s); /* a copy on the arena */
bool awk_fits(struct awk_parser *p);                     /* false: nested too deeply */

/* awk_stmt.c */
struct awk_node *awk_simple_statement(struct awk_parser *p);

#endif

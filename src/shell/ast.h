/* ast.h -- the syntax tree of a bash script
 *
 * Made by the parser in one arena per program, printed back by print.c, run by eval.c. A tree is
 * never changed after it is made, but for the `cache` slots, which the evaluator fills (memory from
 * the program's arena) so that work on one word is done once per program and not once per pass.
 * All strings have a NUL behind and live in the program's arena.
 *
 * A program is reference-counted: functions defined in it keep it alive.
 */
#ifndef HOB_SHELL_AST_H
#define HOB_SHELL_AST_H

#include "base/arena.h"
#include "base/str.h"

struct node;
struct word;
struct arith; /* a compiled arithmetic expression, arith.h */
struct sym;   /* an interned variable name, var.h */

/* ---- words ---------------------------------------------------------------------------------- */

enum part_kind {
    PART_LIT,     /* unquoted text: subject to splitting (no), globbing, tilde was taken out */
    PART_QUOTED,  /* '..', \c, $'..' with its escapes done: literal, never globbed */
    PART_DQUOTE,  /* "..": parts inside in u.sub (PART_QUOTED for its text, and expansions) */
    PART_PARAM,   /* $x ${...} */
    PART_CMDSUB,  /* $(...) and `...` */
    PART_ARITH,   /* $((...)) and $[...] */
    PART_PROCSUB, /* <(...) >(...) */
    PART_TILDE,   /* ~ ~+ ~- ~user at a place where it counts; text is what follows the ~ */
    PART_BRACE    /* {a,b} or {1..9..2}, valid brace expansions only */
};

/* ${...} operators. The name is what stands in bash's manual. */
enum param_op {
    PARAM_PLAIN,   /* $x ${x} */
    PARAM_LENGTH,  /* ${#x} */
    PARAM_DEFAULT, /* ${x-w}   colon set: ${x:-w} */
    PARAM_ASSIGN,  /* ${x=w} */
    PARAM_ERROR,   /* ${x?w} */
    PARAM_ALT,     /* ${x+w} */
    PARAM_PREFIX,  /* ${x#w}   twice set: ${x##w} */
    PARAM_SUFFIX,  /* ${x%w}   twice: %% */
    PARAM_REPLACE, /* ${x/p/r} twice: //; anchor '#' or '%' */
    PARAM_SUBSTR,  /* ${x:off} ${x:off:len}; word = off, word2 = len or NULL */
    PARAM_UPPER,   /* ${x^p}   twice: ^^ */
    PARAM_LOWER,   /* ${x,p}   twice: ,, */
    PARAM_TOGGLE,  /* ${x~p}   twice: ~~ */
    PARAM_AT,      /* ${x@Q}; at = the letter */
    PARAM_NAMES,   /* ${!p*} ${!p@}; at = '*' or '@' */
    PARAM_KEYS,    /* ${!a[*]} ${!a[@]}; at = '*' or '@' */
    PARAM_BAD      /* ${...} that is no valid expansion: "bad substitution" when it is expanded */
};

enum { /* `at` of a PARAM_BAD that stands for a whole here-document: its text is the message */
    PARAM_BAD_WHOLE = 1,
    PARAM_BAD_COMSUB, /* an error in $( ), at line `pos` */
    PARAM_BAD_OPEN    /* no whole: a subscript without its ] */
};

enum {            /* which parameter */
    PARAM_VAR,    /* a name: sym */
    PARAM_POS,    /* a number: pos ($0 is pos 0) */
    PARAM_SPECIAL /* one of  @ * # ? - $ !  ; special = the character */
};

struct param {
    uint8_t what; /* PARAM_VAR ... */
    uint8_t op;   /* enum param_op */
    bool colon, twice;
    bool indirect;      /* ${!x...} */
    bool braced;        /* written with { } */
    char special;       /* PARAM_SPECIAL */
    char at;            /* see param_op */
    char anchor;        /* PARAM_REPLACE: 0, '#' or '%' */
    bool has_rep;       /* PARAM_REPLACE: a second / was there (word2 may be NULL: empty) */
    char index_all;     /* x[@]: '@', x[*]: '*', else 0 */
    int64_t pos;        /* PARAM_POS */
    struct str name;    /* PARAM_VAR */
    struct word *index; /* x[index], NULL without; also NULL when index_all is set */
    struct word *word;  /* the operand; NULL when empty */
    struct word *word2;
    struct sym *sym; /* filled by the evaluator */
    void *cache;     /* compiled pattern, or arith of the index ... */
    void *cache2;
};

/* {a,b} or {1..9..2}. */
struct brace {
    struct word **alts; /* a list: the alternatives */
    int n;              /* 0: a range */
    bool chars;         /* {a..e} */
    int width;          /* zero padding */
    int64_t from, to, step;
};

struct part {
    uint8_t kind;
    bool backquote;  /* PART_CMDSUB written `..`; PART_ARITH written $[..] */
    bool out;        /* PART_PROCSUB: >(..) */
    bool read_file;  /* PART_CMDSUB: $(<file), body is a simple command with that redirection */
    bool dollar;     /* PART_QUOTED from $'..', PART_DQUOTE from $".." */
    struct str text; /* LIT, QUOTED, TILDE: the text. CMDSUB: see u.cmd. PARAM_BAD: the whole string
                        around it, what bash prints before ": bad substitution". {NULL,0} for
                        other kinds */
    union {
        struct {
            struct part *p;
            int n;
        } sub; /* DQUOTE */
        struct param *param;
        struct {
            struct node *body; /* NULL: empty. A $(..) whose text cannot be parsed is a syntax
                                  error of the whole command, as in bash 5.2 */
            int line; /* of its first command: bash counts the lines in it from the line of the
                         command around it, not from here */
            /* `..` and $(..) in here-documents are read only when they are expanded: body is what
             * stood before a syntax error, then comes "bash: command substitution: line N: "
             * with the `text` of the part (one or two lines, each with that prefix). */
            int error_line;
        } cmd; /* CMDSUB, PROCSUB */
        struct {
            struct word *expr;  /* the text between, expanded like "..." when it is not static */
            struct arith *prog; /* filled by the evaluator */
        } arith;
        struct brace *brace;
    } u;
};

enum {
    WORD_QUOTED = 1,  /* holds some quoting (so an empty result is a word) */
    WORD_STATIC = 2,  /* no expansion at all: `lit` is the text after quote removal (there are parts
                         all the same); never together with WORD_GLOB */
    WORD_GLOB = 4,    /* has an unquoted glob character in its own text */
    WORD_BRACE = 8,   /* has a PART_BRACE somewhere */
    WORD_ASSIGN = 16, /* looks like name=value or name[..]=value (for declaration builtins) */
    WORD_ARRAY = 32   /* name=(...) as an argument of a declaration builtin: see `assign` */
};

struct word {
    struct part *parts;
    int n;
    int flags;
    int line;
    int nsubs;
    struct str lit;        /* WORD_STATIC: the text. Otherwise {NULL,0} */
    struct str src;        /* as written, but for `subs`: print_word() gives the text bash shows.
                              Set for whole words, array indices and arithmetic, not for the
                              operands of ${x-w} and the like */
    struct assign *assign; /* WORD_ASSIGN: the same word taken apart */
    void *cache;           /* for the evaluator: a compiled pattern, a resolved command ... */
    struct word_sub *subs; /* nsubs of them */
};

/* A command substitution inside the text of a word: bash prints it back from its tree. */
struct word_sub {
    size_t at; /* offset in src; the text of the substitution itself is not in src */
    struct node *body;
    char kind; /* '$', '<' or '>' */
};

/* One element of name=(...): [index]=value, [index]+=value or value alone. */
struct element {
    struct word *index; /* NULL: none */
    struct word *value; /* NULL: empty value */
    bool append;
    struct str bad;      /* what a message about a bad substitution shows in an indexed array */
    struct word *braced; /* a value with a brace expansion: in an indexed array the whole element
                            is this word, index and all; else NULL */
};

struct assign {
    struct str name;
    struct word *index; /* NULL: none */
    bool append;        /* += */
    bool array;         /* = ( ... ) */
    struct word *value; /* NULL: empty */
    struct element *elems;
    int nelems;
    int line;
    struct sym *sym; /* filled by the evaluator */
    void *cache;
};

/* ---- redirections --------------------------------------------------------------------------- */

enum redir_op {
    REDIR_IN,      /* <  */
    REDIR_OUT,     /* >  */
    REDIR_APPEND,  /* >> */
    REDIR_CLOBBER, /* >| */
    REDIR_RDWR,    /* <> */
    REDIR_DUPIN,   /* <& word; word may expand to N, N-, - */
    REDIR_DUPOUT,  /* >& word */
    REDIR_BOTH,    /* &> and >& file */
    REDIR_BOTHAPP, /* &>> */
    REDIR_HEREDOC, /* << and <<- : word is the body, dquote-like unless `raw` */
    REDIR_HERESTR  /* <<< */
};

struct redir {
    uint8_t op;
    bool raw;       /* here-document with a quoted delimiter */
    bool strip;     /* <<- */
    int fd;         /* -1: the operator's default */
    struct str var; /* {var}>: the name, else {NULL,0} */
    struct word *word;
    struct str delim; /* here-document: the delimiter without its quotes */
    int line;
    bool amp_behind; /* REDIR_BOTH: written >& and not &> */
};

/* ---- commands ------------------------------------------------------------------------------- */

enum node_kind {
    NODE_SIMPLE,
    NODE_PIPE,
    NODE_AND,
    NODE_OR,
    NODE_LIST, /* items separated by ; & or newline */
    NODE_NOT,  /* ! pipeline */
    NODE_TIME, /* time [-p] pipeline (body may be NULL) */
    NODE_IF,
    NODE_FOR,
    NODE_FORARITH,
    NODE_WHILE, /* and until */
    NODE_CASE,
    NODE_SELECT,
    NODE_FUNC,
    NODE_GROUP,    /* { } */
    NODE_SUBSHELL, /* ( ) */
    NODE_COND,     /* [[ ]] */
    NODE_ARITH,    /* (( )) */
    NODE_COPROC
};

enum cond_op {
    COND_AND,
    COND_OR,
    COND_NOT,
    COND_PAREN, /* left only: keeps ( ) for printing */
    COND_WORD,  /* a word alone: non-empty */
    COND_UNARY, /* -f x : op text in `name` */
    COND_BINARY /* a == b, a -lt b, a =~ b, a < b ...: op text in `name` */
};

struct cond {
    uint8_t op;
    struct str name; /* "-f", "==", "=~", "-lt" */
    struct cond *left, *right;
    struct word *a, *b;
    void *cache; /* compiled pattern or regex of a constant right side */
};

struct case_item {
    struct word **patterns;
    int npatterns;
    struct node *body; /* may be NULL */
    char term;         /* ';' for ;;   '&' for ;&   '+' for ;;& */
};

struct list_item {
    struct node *node;
    char sep;     /* ';' or '&' (newline counts as ';') */
    bool newline; /* it was a newline; bash prints it so inside $( ) */
};

/* The text of $((..)), ((..)) and the three parts of for ((;;)): see part.u.arith. */
struct arith_text {
    struct word *expr; /* NULL: empty */
    struct arith *prog;
};

struct forarith {
    struct arith_text init, cond, step;
    struct node *body;
    bool braces;
    struct node *shown; /* for the evaluator: the three as commands, for BASH_COMMAND */
};

struct node {
    uint8_t kind;
    bool flag;    /* WHILE: until. TIME: -p. FOR/SELECT: has `in`. PIPE: unused */
    int line;     /* the line bash reports in LINENO: of the first word of a simple command ... */
    int line_end; /* the line of the closing word */
    int nredirs;
    struct redir *redirs; /* of this command, simple or compound */
    union {
        struct {
            struct assign *assigns;
            struct word **words;
            int nassigns, nwords;
            void *cache; /* for the evaluator: the resolved builtin or command */
        } simple;
        struct {
            struct node **cmds;
            int n;
        } pipe;
        struct {
            struct node *left, *right;
        } bin; /* AND, OR */
        struct {
            struct list_item *items;
            int n;
        } list;
        struct {
            struct node *body;
        } body; /* NOT, TIME, GROUP, SUBSHELL */
        struct {
            struct node **conds; /* if, elif ... */
            struct node **bodies;
            int n;
            struct node *other; /* else, or NULL */
        } cond_if;
        struct {
            struct str name;
            struct word **words;
            int nwords;
            bool braces; /* body was written with { } instead of do done */
            struct node *body;
            struct sym *sym;
        } loop; /* FOR, SELECT */
        struct forarith *forarith;
        struct {
            struct node *cond, *body;
        } loop_while;
        struct {
            struct word *word;
            struct case_item *items;
            int n;
        } match; /* CASE */
        struct {
            struct str name;
            struct node *body;       /* a compound command with its redirections */
            bool keyword;            /* written with `function` */
            bool bad;                /* the name has quotes or a $ in it */
            int body_line;           /* of its { or (, else of that of the function before */
            struct program *program; /* the program that holds it */
        } func;
        struct cond *cond;       /* COND */
        struct arith_text arith; /* ARITH */
        struct {
            struct str name; /* COPROC when not given */
            struct node *body;
        } coproc;
    } u;
};

/* A parsed text, or the part of it that has been parsed so far. */
struct program {
    unsigned refs;
    struct heap *heap;
    struct arena arena;
    struct node *root; /* NULL: an empty text */
};

struct program *program_new(struct heap *h);
static inline struct program *program_ref(struct program *p)
{
    p->refs++;
    return p;
}
void program_unref(struct program *p);

/* ---- printing back (print.c) ---------------------------------------------------------------- */

/* As `declare -f` prints a function: "name () \n{ \n    body\n}". */
void print_function(struct buf *b, struct str name, const struct node *body);
/* The same as it travels in the environment: "() {  body\n}". */
void print_exported(struct buf *b, const struct node *body);
/* A command on one or several lines, as bash shows it in `jobs`, $BASH_COMMAND, `type`. */
void print_node(struct buf *b, const struct node *n);
/* The inside of $( ); false: it was too deep to be printed whole. */
bool print_comsub(struct buf *b, const struct node *n);
void print_posix(struct buf *b, const struct node *n); /* without the word `function` */
void print_word(struct buf *b, const struct word *w);

#endif

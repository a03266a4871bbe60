/* arith.h -- compiled arithmetic
 *
 * The text of an expression becomes a tree once, kept with the syntax tree where the text never
 * changes. `$x` in it takes part as long as the values of x are plain numbers; otherwise the text
 * is expanded and read again.
 */
#ifndef HOB_SHELL_ARITH_H
#define HOB_SHELL_ARITH_H

#include "shell/var_impl.h"

enum arith_op {
    ARITH_NUM,   /* num */
    ARITH_VAR,   /* sym */
    ARITH_ELEM,  /* sym[index]: text is the subscript as written */
    ARITH_PARAM, /* $x, a plain number: num is its place among the parameters */
    ARITH_NEG,
    ARITH_PLUS,
    ARITH_NOT,
    ARITH_BITNOT,
    ARITH_PREINC,
    ARITH_PREDEC,
    ARITH_POSTINC,
    ARITH_POSTDEC,
    ARITH_POW,
    ARITH_MUL,
    ARITH_DIV,
    ARITH_MOD,
    ARITH_ADD,
    ARITH_SUB,
    ARITH_SHL,
    ARITH_SHR,
    ARITH_LT,
    ARITH_LE,
    ARITH_GT,
    ARITH_GE,
    ARITH_EQ,
    ARITH_NE,
    ARITH_AND,
    ARITH_XOR,
    ARITH_OR,
    ARITH_LAND,
    ARITH_LOR,
    ARITH_COND,   /* a ? b : c */
    ARITH_ASSIGN, /* a = b, or a op= b with `sub` */
    ARITH_COMMA
};

struct arith_node {
    uint8_t op;
    uint8_t sub; /* ARITH_ASSIGN: the operator of op=, 0: plain */
    uint32_t at; /* offset in the text that an error shows as its token */
    union {
        int64_t num;
        struct {
            struct sym *sym;
            struct str text;          /* ELEM: the subscript */
            struct arith_node *index; /* ELEM: compiled, NULL if it has to be expanded */
        } var;
        struct {
            struct arith_node *a, *b, *c;
        } sub;
    } u;
};

/* A compiled expression. */
struct arith {
    struct arith_node *root; /* NULL: an empty text is 0 */
    struct str text;         /* as compiled; parameters are single bytes ARITH_MARK */
    struct param **params;   /* in order of their marks */
    bool powers;             /* there is a ** in it */
    int nparams;
    bool dynamic; /* not even with marks: expand the text each time */
};
enum {
    ARITH_MARK = 1
};

struct arith_parse {
    struct shell *sh;
    struct arena *arena;
    struct str text;
    const char *p, *end; /* the cursor */
    const char *last;    /* begin of the token that was read last */
    int token;           /* kind of the current token */
    int64_t num;         /* of a number */
    struct str name;     /* of a name */
    struct str index;    /* its subscript, p == NULL: none */
    int nparams, nextparam;
    int depth;
    const char *error;         /* message, static */
    struct str error_name;     /* "a[]" in front of some messages */
    struct arith_node *before; /* failed: what takes effect before the error is shown */
    bool failed;
    bool powers; /* a ** was read */
};

/* Reads a->text into a tree on the arena: 0, or HOB_ESYNTAX with a->error set, or HOB_ENOMEM. */
int arith_parse(struct arith_parse *a, struct arith_node **out);
/* A number as it may stand in an expression: decimal, 0x.., 0.., base#..; the whole text, blanks
 * around allowed. False: something else. */
bool arith_constant(struct str s, int64_t *out);
/* The value that the text of a variable has in an expression, with recursion. */
int arith_value(struct shell *sh, struct str text, int64_t *out);
/* A wrong subscript leaves the whole text of -c, not only the line. Returns HOB_EINVAL. */
int arith_abort(struct shell *sh);
/* Subscript of an indexed array: as arith_string. */
/* As arith_eval(), with the name of what is evaluated in messages: ${name:1+}. */
int arith_eval_named(struct shell *sh, struct arith_text *t, const char *what, int64_t *out);
int arith_subscript(struct shell *sh, struct word *w, void **cache, int64_t *out);

#endif

/* bc.h -- inner parts of bc: the compiler writes bytes that the machine runs
 *
 * The bytes are those of GNU's bc one for one, because its messages tell addresses in them
 * ("Runtime error (func=(main), adr=3)"). One letter is an operation:
 *
 *   0 1 K..: k..:   push a constant (K in ibase, k decimal, for the library)
 *   l s i d v       load, store, increment, decrement a variable
 *   L S A M v       the same for the element of an array whose subscript is on the stack
 *   D x p n !       duplicate, exchange, pop, negate, not
 *   + - * / % ^ = # < > { }   operators; # is !=, { is <=, } is >=
 *   J B Z label     jump, jump if true, jump if false
 *   C f types :     call; R return; c and a letter: length, scale, sqrt, read
 *   W P             print the top with or without a newline; w O "..." strings; h halt
 */
#ifndef HOB_COMMANDS_BC_H
#define HOB_COMMANDS_BC_H

#include "base/map.h"
#include "base/vec.h"
#include "shell/command.h"
#include "text/decimal.h"

enum {
    BC_IBASE,
    BC_OBASE,
    BC_SCALE,
    BC_HISTORY,
    BC_LAST,
    BC_SPECIAL /* the first number of an ordinary variable */
};
enum {
    BC_MAX_INDEX = 16777215,
    BC_MAX_NAMES = 32767
};

struct bc_array {
    unsigned refs;
    struct map items; /* 4 bytes of subscript -> struct decimal * */
};

struct bc_var { /* the innermost value; those of callers are saved in frames */
    struct decimal *value;
    struct bc_array *array;
};

/* One parameter or auto variable of a function. */
struct bc_local {
    int var;
    bool array, by_ref;
};

struct bc_func {
    struct str name; /* on the arena */
    bool defined, is_void;
    struct buf code;
    VEC(size_t) labels;
    VEC(struct bc_local) params, autos;
};

struct bc_saved {
    struct bc_local local;
    struct decimal *value;
    struct bc_array *array;
};
struct bc_frame {
    size_t func, pc, saved; /* where to return to, and how many saved variables there were */
};

struct bc_token {
    int kind; /* a character, or BC_T_... */
    struct str text;
    char op; /* of an assignment or comparison */
};

struct bc {
    bool mathlib, standard, warn, quiet, interactive; /* options */
    struct proc *p;
    struct out out;
    struct bignum_calc calc;
    uint64_t line_size, column;
    /* the input */
    struct in *in;
    const char *source; /* the library, while it is read */
    struct str file;
    uint64_t line;
    int ahead, next_operand;
    bool stdin_read, eof;
    /* the compiler */
    struct buf text; /* of the token */
    struct bc_token token;
    struct map names[3]; /* variables, arrays, functions -> number + 1 */
    struct bc_func *func;
    int loop_break, loop_continue; /* labels, -1: none */
    bool failed, in_function;
    /* the machine */
    VEC(struct bc_func *) funcs; /* 0 is the main program */
    VEC(struct bc_var) vars;
    VEC(struct bc_var) arrays;
    VEC(struct decimal *) stack;
    VEC(struct bc_frame) frames;
    VEC(struct bc_saved) saved;
    VEC(struct str) var_names;   /* on the arena */
    VEC(struct str) array_names; /* on the arena */
    unsigned ibase, obase;
    size_t scale;
    struct decimal *last, *zero, *one;
    bool halted;
    int err; /* a negative error ends everything */
};

/* bc_lex.c */
enum {
    BC_T_EOF = 256,
    BC_T_NUMBER,
    BC_T_NAME,
    BC_T_STRING,
    BC_T_ASSIGN,
    BC_T_RELATION,
    BC_T_AND,
    BC_T_OR,
    BC_T_INCR,
    BC_T_DECR,
    BC_T_WORDS /* here the keywords begin, in the order of the table */
};
enum bc_word {
    BC_W_AUTO = BC_T_WORDS,
    BC_W_BREAK,
    BC_W_CONTINUE,
    BC_W_DEFINE,
    BC_W_ELSE,
    BC_W_FOR,
    BC_W_HALT,
    BC_W_HISTORY,
    BC_W_IBASE,
    BC_W_IF,
    BC_W_LAST,
    BC_W_LENGTH,
    BC_W_LIMITS,
    BC_W_OBASE,
    BC_W_PRINT,
    BC_W_QUIT,
    BC_W_RANDOM,
    BC_W_READ,
    BC_W_RETURN,
    BC_W_SCALE,
    BC_W_SQRT,
    BC_W_VOID,
    BC_W_WARRANTY,
    BC_W_WHILE
};
int bc_getc(struct bc *b);
void bc_next(struct bc *b); /* the next token, to b->token */
/* "file 3: text" on stderr. */
void bc_complain(struct bc *b, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* bc_parse.c: compiles one line, or one definition. True when there is code to run. */
bool bc_compile(struct bc *b);

/* bc_run.c */
struct bc_func *bc_func_at(struct bc *b, size_t i);
void bc_execute(struct bc *b);
void bc_free(struct bc *b);
void bc_put(struct bc *b, struct str s); /* with line breaks */

extern const char bc_library[]; /* bc_math.c */

#endif

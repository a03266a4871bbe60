/* dc.h -- inner parts of dc: values, registers, and the strings that are being run */
#ifndef HOB_COMMANDS_DC_H
#define HOB_COMMANDS_DC_H

#include "base/map.h"
#include "base/vec.h"
#include "shell/command.h"
#include "text/decimal.h"

struct dc_text { /* a string, shared by counting references */
    unsigned refs;
    size_t n;
    char bytes[];
};

struct dc_value { /* one of the two, or neither: nothing */
    struct decimal *number;
    struct dc_text *text;
};

/* A register is a stack; each level has a value and an array. */
struct dc_level {
    struct dc_value value;
    struct map array; /* 4 bytes of subscript -> struct dc_value * */
};
struct dc_register {
    VEC(struct dc_level) levels;
};

/* A string or a file that is being run. */
struct dc_frame {
    struct dc_text *text; /* NULL: the file */
    size_t at;
    int64_t tail; /* strings that ended by running this one, and this one itself */
};

struct dc {
    struct strs work; /* -e and -f: a letter in front tells which */
    struct proc *p;
    struct out out;
    struct bignum_calc calc;
    VEC(struct dc_value) stack;
    VEC(struct dc_frame) frames;
    struct dc_register registers[256];
    struct in *in;      /* the file that is being run */
    struct in standard; /* stdin: ? reads it, too */
    bool standard_open;
    int ibase;
    unsigned obase;
    size_t scale, line_length;
    bool quit;
    int status;
    int err; /* a negative error ends everything */
};

/* A message on stderr, behind what was printed so far. */
void dc_say(struct dc *d, const char *text);
/* dc.c: the stack. False: it is empty (reported), or out of memory. */
bool dc_push(struct dc *d, struct dc_value v); /* takes the reference over */
bool dc_push_number(struct dc *d, struct decimal *n);
bool dc_pop(struct dc *d, struct dc_value *v);
void dc_drop(struct dc *d, struct dc_value v);
int dc_next(struct dc *d); /* the next character of what is run; -1 at its end */
int dc_peek(struct dc *d);

/* dc_math.c */
void dc_read_number(struct dc *d);
/* + - * / % ~ ^ and |, v: take their operands from the stack; all stays when they cannot. */
void dc_binary(struct dc *d, char op);
void dc_power_modulo(struct dc *d);
void dc_root(struct dc *d);
/* The whole part as a number that fits into an int; -1 after a message when it does not. */
int dc_int(struct dc *d, struct decimal *n);
void dc_print_number(struct dc *d, struct decimal *n);
void dc_print_bytes(struct dc *d, struct decimal *n); /* P */

#endif

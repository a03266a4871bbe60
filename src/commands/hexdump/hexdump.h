/* hexdump.h -- inner parts of hexdump: formats, taken apart
 *
 * A format is a list of units, "16/1 "%02x "": how often, how many bytes, and a text with
 * conversions. Each conversion becomes an item with the text before it; text behind the last one is
 * an item of its own.
 */
#ifndef HOB_COMMANDS_HEXDUMP_H
#define HOB_COMMANDS_HEXDUMP_H

#include "base/vec.h"
#include "shell/command.h"

enum hexdump_kind {
    HEXDUMP_TEXT,
    HEXDUMP_ADDRESS, /* %_a, %_A */
    HEXDUMP_CHAR,    /* %c */
    HEXDUMP_ESCAPED, /* %_c */
    HEXDUMP_PRINT,   /* %_p */
    HEXDUMP_NAMED,   /* %_u */
    HEXDUMP_STRING,  /* %s */
    HEXDUMP_SIGNED,
    HEXDUMP_UNSIGNED,
    HEXDUMP_REAL
};

/* One condition of _L[...]: the colour of what is printed. */
struct hexdump_colour {
    const char *code; /* "31"; NULL: no colour is known by that name */
    bool negated, has_value, has_range;
    struct str text; /* the value, as a string, */
    uint64_t value;  /* or, when text.p is NULL, as a number */
    uint64_t from, to;
};

struct hexdump_item {
    enum hexdump_kind kind;
    size_t bytes;
    struct str text; /* before the conversion */
    bool left, zero, plus, space, sharp;
    bool trim;            /* the last time its last blank is left out */
    int width, precision; /* precision -1: none */
    char conv;
    VEC(struct hexdump_colour) colours;
};

struct hexdump_unit {
    uint64_t times, bytes;
    bool times_given, at_end; /* at_end: has %_A, printed once behind everything */
    struct str format;
    VEC(struct hexdump_item) items;
};

struct hexdump_format {
    uint64_t bytes;
    VEC(struct hexdump_unit) units;
};

enum hexdump_squeeze {
    HEXDUMP_ALL,   /* -v */
    HEXDUMP_FIRST, /* nothing was printed yet */
    HEXDUMP_WAIT,  /* the last block was printed */
    HEXDUMP_DUP    /* it was left out, and a * stands for it */
};

struct hexdump {
    struct strs given; /* formats as they were written, on the arena */
    VEC(struct hexdump_format) formats;
    int squeeze, colour;
    int64_t length; /* -1: all */
    uint64_t skip;
    struct proc *p;
    struct out out;
    size_t block; /* bytes that are shown together */
    /* the input */
    struct in in;
    bool open, any; /* a file is open; one could be opened */
    int next, status;
    uint64_t address, end; /* of the block; of the data, when it is known */
    unsigned char *now, *before;
};

/* Takes all that was given apart, and finds the size of a block. 0, a status or an error. */
int hexdump_parse(struct hexdump *h);
void hexdump_free(struct hexdump *h);

#endif

/* sort.h -- what the parts of sort share */
#ifndef HOB_COMMANDS_SORT_SORT_H
#define HOB_COMMANDS_SORT_SORT_H

#include "shell/command.h"
#include "text/hash.h"

enum sort_skip {
    SORT_ALL_BYTES,
    SORT_DICTIONARY,
    SORT_PRINTABLE
};

struct sort_key {
    size_t start_field, start_char; /* counted from 0 */
    size_t end_field, end_char;     /* end_field SIZE_MAX: to the end of the line */
    uint8_t skip;                   /* enum sort_skip */
    bool fold, skip_start, skip_end, numeric, human, general, month, version, random, reverse;
    bool own; /* it has options of its own */
};

/* A line and what it is sorted by first: an unsigned number in which order is the order of the
 * first key, as far as it can tell. */
struct sort_line {
    uint64_t rank;
    const char *p;
    size_t n;
};

struct sorter {
    /* options */
    struct sort_key all; /* -n, -r ... without a key */
    struct sort_key *keys;
    size_t nkeys;
    bool unique, stable, merge, zero, tab_set;
    char check; /* 'c', 'C' or 0 */
    char tab, delim;
    struct str output, files0, random_source, temp, compress;
    bool debug;
    bool whole;       /* the one key is the whole line, for options without a key */
    bool plain;       /* no key and nothing but bytes to compare */
    struct hash salt; /* what -R begins the sums of keys with */
    bool bytes;       /* in the C locale */
    uint64_t written; /* bytes of output */
    struct proc *p;
};

/* sort_key.c */
/* -k: 0, or a status + 1 after a message. */
int sort_key_parse(struct sorter *s, struct str spec, struct sort_key *out);
bool sort_key_letter(struct sort_key *k, char c, bool start, bool end);
/* Settles what keys inherit; 0 or a status after a message about options that do not fit. */
int sort_keys_settle(struct sorter *s);
/* The key within the line; a month by its number, 0 if it is none. */
struct str sort_key_find(const struct sorter *s, const struct sort_key *k, struct str line);
int sort_month(struct str s);
uint64_t sort_rank(const struct sorter *s, struct str line);
/* By all keys, then, if `last`, by all bytes of the lines. */
int sort_compare(const struct sorter *s, struct str a, struct str b, bool last);

/* sort_debug.c */
/* What --debug says first, and a line with its keys underlined. */
void sort_debug_start(struct sorter *s);
void sort_debug_line(struct sorter *s, struct out *o, struct str line);

#endif

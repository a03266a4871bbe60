/* sed.h -- what the parts of sed share: the script, the spaces, the files */
#ifndef HOB_COMMANDS_SED_SED_H
#define HOB_COMMANDS_SED_SED_H

#include "shell/command.h"
#include "base/vec.h"
#include "text/regex.h"

enum {
    SED_USAGE = 1,
    SED_INPUT = 2,
    SED_PANIC = 4
}; /* exit statuses */

/* A piece of script: one -e, or one -f file. */
struct sed_chunk {
    struct str text;
    struct str file; /* .p == NULL: -e */
    size_t expr;     /* the number of the -e */
    struct sed_chunk *next;
};

/* The options. */
struct sed {
    bool quiet, extended, separate, in_place, nul_data, unbuffered, posix, debug, sandbox, follow,
        binary;
    struct str suffix;
    int64_t line_length;
    size_t exprs;
    struct sed_chunk *first, **last;
};

/* ---- the script ------------------------------------------------------------------------------ */

struct sed_regex {
    struct regex *re;   /* NULL: the one that was used last */
    struct str text;    /* as it was written, */
    struct str pattern; /* and without the escapes of sed */
    unsigned flags;
    bool address;           /* it is no part of an s */
    struct sed_regex *next; /* all of them, to be freed */
};

enum sed_where {
    SED_ALWAYS,
    SED_LINE,     /* n */
    SED_STEP,     /* n~m */
    SED_LAST,     /* $ */
    SED_REGEX,    /* /re/ */
    SED_PLUS,     /* +n, second only */
    SED_MULTIPLE, /* ~n, second only */
};

struct sed_address {
    enum sed_where kind;
    uint64_t n, step;
    struct sed_regex *regex;
};

enum sed_range {
    SED_IDLE,
    SED_ACTIVE,
    SED_CLOSED
};

enum sed_case {
    SED_ASIS,
    SED_UPPER,
    SED_LOWER
};

/* A part of a replacement: text, then what a group matched. */
struct sed_part {
    struct str text;
    int group;           /* -1: none */
    enum sed_case mode;  /* of all of it, */
    enum sed_case first; /* and of its first character */
};

struct sed_subst {
    struct sed_regex *regex;
    VEC(struct sed_part) parts; /* on the arena */
    int groups;                 /* the highest group in there */
    bool global, print;
    bool plain;      /* one part, no case, no group but 0 */
    uint64_t number; /* which match, from 1 on */
    struct sed_output *file;
};

/* What y does: bytes by a table, or characters by pairs. */
struct sed_map {
    unsigned char bytes[256];
    struct sed_pair {
        struct str from, to;
    } * pairs; /* NULL: the table is all */
    size_t n;
    struct str from, to; /* as written, for --debug */
};

struct sed_cmd {
    struct sed_address a1, a2;
    bool bang;
    char name;
    enum sed_range range;
    uint64_t range_end;
    size_t jump;     /* { b t T: where to go on */
    int64_t number;  /* q Q l; -1: none */
    struct str text; /* a i c: the text; b t T : the label; r R w W: the file */
    struct sed_subst *subst;
    struct sed_map *map;
    struct sed_output *output; /* w W */
    struct sed_lines *lines;   /* R */
};

/* ---- files ----------------------------------------------------------------------------------- */

/* Where something is written to. */
struct sed_output {
    struct str name;
    struct out *to; /* its own, or that of standard output */
    struct out out;
    struct file *file;    /* owned; NULL: standard output or error */
    bool missing_newline; /* the last line had none: it comes before anything else */
    struct sed_output *next;
};

/* A file whose lines are taken one by one: R. */
struct sed_lines {
    struct str name;
    struct in in;
    bool open, ended;
    struct sed_lines *next;
};

/* What waits for the end of the cycle. */
struct sed_append {
    struct str text; /* .p == NULL: the file */
    struct str file;
    bool owned; /* text is on the heap */
};

/* The pattern space or the hold space: bytes of its own, or lent by the input. */
struct sed_space {
    const char *p;
    size_t n;
    struct buf own;
    bool lent;
    bool chomped; /* its line had a line end */
};

struct sed_run {
    struct proc *p;
    struct heap *heap;
    const struct sed *o;
    VEC(struct sed_cmd) cmds;
    struct sed_regex *regexes;
    struct sed_regex *last; /* the one that was used last */
    struct sed_output standard, error, edited;
    struct sed_output written;  /* w /dev/stdout */
    struct sed_output *outputs; /* of w */
    struct sed_output *out;     /* where lines go */
    struct sed_lines *lines;
    VEC(struct sed_append) queue;
    struct sed_space line, hold;
    struct buf scratch;
    struct buf once; /* with -u: the line that was read */
    char eol;
    bool quiet, bytes;
    /* Input. */
    struct str *names;
    int nnames, at;  /* the next name */
    struct str name; /* of the open file */
    struct in in;
    bool open;
    bool fresh;              /* the next line begins a file that counts for itself */
    struct str target, temp; /* -i: what is edited, and its new contents */
    uint32_t mode;
    uint64_t number; /* of the line */
    bool replaced;   /* for t */
    int status;      /* != 0: a file could not be read */
    int err;         /* < 0: an error; > 0: an exit status + 1 that ends the run */
};

/* sed_parse.c: the script of o into r. 0, an exit status + 1, or an error. */
int sed_parse(struct sed_run *r);

/* sed_text.c */
struct sed_source { /* where the parser stands */
    struct sed_run *r;
    const char *base, *cur, *end;
    struct str file;
    size_t expr, line;
    int status; /* exit status + 1, or an error */
};
/* Complains and sets the status; returns false. */
bool sed_bad(struct sed_source *s, const char *fmt, ...) PRINTF_LIKE(2, 3);
int sed_next(struct sed_source *s); /* -1 at the end */
void sed_back(struct sed_source *s, int c);
/* What stands up to the next delimiter, in b. False when there is none. */
bool sed_delimited(struct sed_source *s, int delim, bool regex, struct buf *b);
/* The character that p[0..n), behind a backslash, stands for; returns the bytes used, 0 when it is
 * no such escape, -1 after a complaint. */
int sed_escape(struct sed_source *s, const char *p, size_t n, unsigned char *c);
struct sed_regex *sed_regex_new(struct sed_source *s, struct str text, unsigned flags);
bool sed_replacement(struct sed_source *s, struct str text, struct sed_subst *sub);
struct sed_map *sed_map_new(struct sed_source *s, struct str from, struct str to);
struct str sed_keep(struct sed_source *s, struct str text); /* on the arena */

/* sed_io.c */
struct sed_output *sed_output_open(struct sed_source *s, struct str name);
struct sed_lines *sed_lines_open(struct sed_source *s, struct str name);
/* Reads the next line, behind what is in the space when `append`. False at the end. */
bool sed_read(struct sed_run *r, bool append);
bool sed_at_end(struct sed_run *r); /* whether this is the last line: $ */
/* Opens the next file if none is open. False when there is none left. */
bool sed_open_next(struct sed_run *r);
void sed_close_input(struct sed_run *r);
void sed_write(struct sed_run *r, struct sed_output *o, const char *p, size_t n, bool newline);
void sed_newline(struct sed_run *r, struct sed_output *o); /* the one that is missing */
void sed_flush_queue(struct sed_run *r);
void sed_drop_queue(struct sed_run *r);
void sed_free(struct sed_run *r);
void sed_panic(struct sed_run *r, int status, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* sed_run.c */
int sed_execute(struct sed_run *r);
bool sed_space_own(struct sed_run *r, struct sed_space *s);
void sed_space_set(struct sed_run *r, struct sed_space *s, const char *p, size_t n);
void sed_space_add(struct sed_run *r, struct sed_space *s, const char *p, size_t n);
int sed_match(struct sed_run *r, struct sed_regex *x, struct str text, size_t from,
              struct regex_match *m, size_t nm);

/* sed_subst.c */
void sed_substitute(struct sed_run *r, struct sed_cmd *c);
void sed_expand(struct sed_run *r, const struct sed_subst *sub, struct str text,
                const struct regex_match *m, struct buf *to);
void sed_translate(struct sed_run *r, const struct sed_map *map);
enum {
    SED_GROUPS = 10
};

/* sed_bulk.c: whole buffers at a time, where the script allows it. True: all input was read so. */
bool sed_bulk(struct sed_run *r);

/* sed_debug.c */
void sed_debug_program(struct sed_run *r);
void sed_debug_command(struct sed_run *r, const struct sed_cmd *c);
void sed_debug_space(struct sed_run *r);
void sed_debug_input(struct sed_run *r);
void sed_debug_match(struct sed_run *r, const struct regex_match *m, size_t n);

#endif

/* find.h -- what the parts of find share */
#ifndef HOB_COMMANDS_FIND_FIND_H
#define HOB_COMMANDS_FIND_FIND_H

#include "commands/lib/mode.h"
#include "commands/lib/users.h"
#include "text/date.h"
#include "text/glob.h"
#include "text/regex.h"

enum find_kind {
    FIND_AND,
    FIND_OR,
    FIND_COMMA,
    FIND_NOT,
    FIND_TRUE,
    FIND_FALSE,
    FIND_NAME,
    FIND_PATH,
    FIND_LNAME,
    FIND_REGEX,
    FIND_TYPE,
    FIND_XTYPE,
    FIND_SIZE,
    FIND_EMPTY,
    FIND_PERM,
    FIND_USER,
    FIND_GROUP,
    FIND_NOUSER,
    FIND_NOGROUP,
    FIND_LINKS,
    FIND_INUM,
    FIND_SAMEFILE,
    FIND_NEWER,
    FIND_AGE_DAYS,
    FIND_AGE_MINUTES,
    FIND_USED,
    FIND_ACCESS,
    FIND_FSTYPE,
    FIND_PRINT,
    FIND_PRINT0,
    FIND_PRINTF,
    FIND_LS,
    FIND_PRUNE,
    FIND_QUIT,
    FIND_DELETE,
    FIND_EXEC
};

/* A stream that -print, -fprint and the like write to; the same file is opened once. */
struct find_sink {
    struct find_sink *next;
    struct str name;
    struct file *file;
    struct out out;
};

struct find_node {
    uint8_t kind;
    bool icase, plus, dir, ask; /* -exec: +, -execdir, -ok */
    char compare;               /* '+', '-' or 0 */
    char time;                  /* a c m B: which time */
    int64_t n;                  /* a number */
    uint64_t unit;              /* of -size */
    uint32_t types;             /* bit (mode >> 12) of each */
    uint32_t perm[2];           /* for files, for folders */
    int64_t when;               /* -newer: nanoseconds */
    uint64_t dev, ino;
    struct str text;
    struct glob_prog *glob;
    struct regex *regex;
    struct str *argv; /* -exec */
    int argc;
    struct strs batch; /* -exec +: on the heap */
    size_t batch_bytes;
    struct str batch_dir;
    struct find_sink *sink;
    struct find_node *left, *right;
};

struct find {
    /* options */
    char links; /* P, H or L */
    bool depth_first, one_fs, daystart, warn;
    int64_t max_depth, min_depth;
    unsigned regex_flavour;

    struct proc *p;
    struct find_node *root;
    struct find_node *all[256]; /* those that own something */
    size_t nall;
    struct find_sink *sinks, *std;
    bool has_action, quit;
    int status;
    int64_t now, origin; /* origin: what ages count from */
    struct date_zone zone;
    struct users users;
    uint64_t top_dev;

    /* parsing */
    struct str *argv;
    int argc, at;
    const char *last_pattern; /* the last predicate that took one */

    /* the file that is looked at */
    struct buf path;
    size_t start_len; /* of the operand in path */
    size_t base;      /* where the last component begins */
    int level;
    uint32_t type; /* type bits, 0: not known */
    bool has_stat, prune, bad;
    struct stat_info st;
    struct find_up *up;
};

/* The folders above, for loops of links. */
struct find_up {
    struct find_up *up;
    uint64_t dev, ino;
};

/* find_parse.c */
int find_parse(struct find *f); /* 0 or a status */
/* find_eval.c */
bool find_eval(struct find *f, struct find_node *n);
bool find_stat(struct find *f); /* fills f->st; false after a message */
uint32_t find_type(struct find *f);
int find_finish_exec(struct find *f);
void find_warn(struct find *f, struct str what, int err);
/* find_print.c */
void find_printf(struct find *f, struct find_node *n);
void find_list(struct find *f, struct find_sink *s);
int64_t find_time(const struct stat_info *st, char which);

#endif

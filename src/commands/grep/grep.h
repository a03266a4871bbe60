/* grep.h -- what the parts of grep share: the options, the run, the file that is searched */
#ifndef HOB_COMMANDS_GREP_GREP_H
#define HOB_COMMANDS_GREP_GREP_H

#include "shell/command.h"
#include "text/regex.h"

enum grep_list {
    GREP_LIST_NONE,
    GREP_LIST_MATCHING,
    GREP_LIST_OTHERS
};
enum grep_folders {
    GREP_FOLDERS_READ,
    GREP_FOLDERS_RECURSE,
    GREP_FOLDERS_SKIP
};
enum grep_binary {
    GREP_BINARY,
    GREP_BINARY_TEXT,
    GREP_BINARY_SKIP
};
enum grep_devices {
    GREP_DEVICES_NAMED, /* read those that were given by name */
    GREP_DEVICES_READ,
    GREP_DEVICES_SKIP
};

/* One pattern, and where it was read from. */
struct grep_pattern {
    struct str text;
    struct str file; /* .p == NULL: the command line */
    size_t line;
    struct grep_pattern *next;
};

/* --include, --exclude, --exclude-dir: newest first, because the last one that matches decides. */
struct grep_rule {
    struct glob_prog *glob;
    bool include;
    struct grep_rule *next;
};

/* The options. Lists live on the arena. */
struct grep {
    int matcher; /* a row of grep_matchers + 1, 0: none given */
    bool have_patterns;
    struct grep_pattern *first, **last;
    bool icase, word, whole, nul_data, invert;
    bool silent, quiet, count, only, line_numbers, offsets, tabs, nul_names, line_buffered,
        as_bytes;
    int list;    /* enum grep_list */
    int names;   /* 1: -H, -1: -h */
    int binary;  /* enum grep_binary */
    int folders; /* enum grep_folders */
    int devices; /* enum grep_devices */
    bool follow; /* -R */
    bool color;
    int64_t max;                    /* -m; INT64_MAX: no bound */
    int64_t before, after, context; /* -1: not given */
    bool digits;                    /* -NUM goes on */
    bool no_separator;
    struct str separator, label;
    struct grep_rule *files, *dirs;
};

struct grep_colors {
    struct str match, match_context, line, line_context, name, number, offset, separator;
    bool reverse;  /* -v swaps the colours of lines */
    bool no_clear; /* without the sequence that clears the rest of the line */
};

/* The search of one file. Places are offsets from where reading began. */
struct grep_file {
    struct str name; /* as it is printed */
    struct in in;
    uint64_t begin; /* the offset of the file there */
    bool seekable, standard;
    size_t width;        /* -T: of numbers */
    bool binary;         /* a NUL was found: NULs end lines, too, and nothing is printed */
    bool odd;            /* a line that was to be printed is no valid text */
    bool stop;           /* nothing further is to be looked for */
    uint64_t clean;      /* up to here there is no NUL */
    uint64_t window_end; /* where the window ends that is searched */
    int64_t left;        /* lines that may still be selected */
    uint64_t selected;   /* lines so far, */
    uint64_t before_nul; /* and how many of them before the first NUL */
    uint64_t after_last; /* behind the last selected line */
    uint64_t pending;    /* lines of context still to come */
    bool printed;        /* something of this file is printed, up to `printed_to` */
    uint64_t printed_to;
    /* The lines that are looked at: complete, each with its end. */
    const char *p, *end;
    uint64_t off;   /* where they begin */
    uint64_t lines; /* lines before `counted` */
    const char *counted;
    /* Lines before p that may be context of what comes. */
    struct buf past;
    size_t past_at; /* where they begin in it */
    uint64_t past_lines;
    struct buf carry;  /* a line whose end is not read yet */
    struct buf zapped; /* a copy with line ends for NULs */
};

struct grep_run {
    struct proc *p;
    const struct grep *o;
    struct out out;
    struct regex *show; /* for what is printed of a line, if not the same as the next */
    struct regex *re;   /* NULL with -P: */
    struct pcre *perl;  /* Perl's; NULL: no pattern, or not -P */
    bool literal;       /* the pattern is one plain string */
    bool bytes;         /* LC_ALL=C: every byte is a character */
    bool silent_output; /* no lines are printed */
    bool first_only;    /* one selected line of a file is enough */
    char eol;
    int64_t before, after; /* lines of context; -1: no groups */
    bool names;            /* file names are printed */
    bool names_below;      /* they are when a folder is searched */
    bool no_dot;           /* the current folder goes without saying */
    bool used;             /* something was printed */
    bool failed;           /* a message was due */
    bool done;             /* -q has its answer */
    struct grep_colors colors;
    struct stat_info out_st;
    bool out_file; /* stdout is a regular file, out_st */
    int err;       /* what ends the run */
    struct grep_file f;
};

/* grep_pattern.c */
extern const struct grep_matcher {
    const char *name;
    unsigned flavour;
} grep_matchers[];
enum {
    GREP_MATCHER_BASIC = 1,
    GREP_MATCHER_EXTENDED,
    GREP_MATCHER_FIXED,
    GREP_MATCHER_PERL
};
/* Adds what stands in text, one pattern a line. */
int grep_pattern_add(struct proc *p, struct grep *o, struct str text, struct str file);
/* Compiles all patterns: 0, or a status + 1 after the messages, or an error. */
int grep_pattern_compile(struct grep_run *r);

/* grep_perl.c: -P. The first as grep_pattern_compile(), the others as regex_exec() and
 * regex_find_line(). */
int grep_perl_compile(struct grep_run *r);
int grep_perl_exec(struct grep_run *r, struct str text, size_t from, struct regex_match *m);
int grep_perl_find(struct grep_run *r, struct str text, size_t from, size_t *start, size_t *end);

/* grep_search.c: searches r->f.in. */
void grep_search(struct grep_run *r);
/* The number of the line at `at`, counted from 1. */
uint64_t grep_line_number(struct grep_run *r, const char *at);

/* grep_print.c */
void grep_print_setup(struct grep_run *r);
/* One line [beg, lim) with its end; sep is ':' for a selected one, '-' for context. False when it
 * is no valid text. */
bool grep_print_line(struct grep_run *r, const char *beg, const char *lim, char sep, uint64_t off,
                     uint64_t number);
void grep_print_name(struct grep_run *r);
void grep_print_separator(struct grep_run *r, char sep);
void grep_print_group(struct grep_run *r);

/* grep_walk.c */
int grep_walk_rule(struct proc *p, struct grep_rule **list, struct str glob, bool include);
/* One operand: selects lines of a file, or of all files below a folder. True if any was. */
bool grep_walk_operand(struct grep_run *r, struct str name);

#endif

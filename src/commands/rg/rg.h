/* rg.h -- what the parts of rg share: options, ignore rules, the search of one file */
#ifndef HOB_COMMANDS_RG_RG_H
#define HOB_COMMANDS_RG_RG_H

#include "shell/command.h"
#include "text/regex.h"

enum rg_mode {
    RG_LINES,
    RG_COUNT,
    RG_COUNT_MATCHES,
    RG_FILES_WITH,
    RG_FILES_WITHOUT,
    RG_FILES, /* --files: names alone */
    RG_JSON,
    RG_TYPE_LIST
};
enum rg_case {
    RG_CASE_EXACT,
    RG_CASE_IGNORE,
    RG_CASE_SMART
};
enum rg_sort {
    RG_SORT_NONE,
    RG_SORT_PATH,
    RG_SORT_MODIFIED,
    RG_SORT_ACCESSED,
    RG_SORT_CREATED
};
enum rg_binary {
    RG_BINARY_AUTO,
    RG_BINARY_SEARCH, /* --binary: files that were found are treated as if they were named */
    RG_BINARY_TEXT    /* -a */
};

/* One line of a .gitignore, or one -g. The parts between slashes are matched one by one. */
struct rg_rule {
    struct glob_prog **parts; /* NULL: any number of folders, ** */
    size_t nparts;
    bool negated, dirs_only;
    struct rg_rule *next; /* the one before it: the last that matches decides */
};

/* The rules of one folder, of all kinds, and those of the folders above. */
struct rg_ignore {
    struct str dir;                     /* they count from here */
    struct rg_rule *custom, *dot, *git; /* .rgignore, .ignore, .gitignore */
    struct rg_rule *exclude;            /* .git/info/exclude */
    bool repository;                    /* it has a .git */
    struct rg_ignore *up;
};

struct rg_type {
    struct str name;
    struct str glob;
    struct rg_type *next;
};

/* The options. Lists live on the arena. */
enum {
    RG_STYLE_PATH,
    RG_STYLE_LINE,
    RG_STYLE_COLUMN,
    RG_STYLE_MATCH,
    RG_STYLES
};

/* How a part is shown. Colours: 0 none, 1 to 8 the named ones, 9 + N one of 256, else
 * RG_TRUE_COLOR | RGB. */
struct rg_style {
    bool bold, underline, intense;
    uint32_t fg, bg;
};
#define RG_TRUE_COLOR 0x1000000u

struct rg {
    int mode;  /* enum rg_mode */
    int cased; /* enum rg_case */
    int sort;  /* enum rg_sort */
    int binary;
    bool sort_reverse, perl, fixed, word, whole, invert, multiline, dotall, only, quiet,
        no_messages;
    bool stats, files, hidden, follow, one_fs, trim, preview, null, null_data, crlf, byte_offset;
    struct rg_style style[RG_STYLES];
    bool column, vimgrep, passthru, pretty, include_zero, line_buffered, search_zip, no_unicode;
    bool no_ignore, no_ignore_dot, no_ignore_vcs, no_ignore_parent, no_ignore_files, no_require_git;
    bool no_ignore_exclude, glob_nocase, no_context_separator, have_replace, have_separator;
    int line_numbers, names, heading, color; /* 1: yes, -1: no, 0: it depends */
    int unrestricted;
    int64_t before, after, context; /* -1: not given */
    int64_t max_count, max_columns, max_depth;
    uint64_t max_filesize;
    struct str replace, separator, field_match, field_context, path_separator;
    struct strs patterns, ignore_files;
    bool have_patterns;
    struct rg_rule *globs; /* -g, the last one first */
    bool globs_include;    /* one of them is not negated */
    struct rg_rule *extra; /* --ignore-file */
    struct strs types, types_not;
    struct rg_type *defined; /* --type-add, --type-clear; the built-in ones behind */
};

struct rg_stats {
    uint64_t matches, lines, with_match, searched, printed, bytes;
    int64_t spent;
};

struct rg_group {
    size_t index;    /* in what was compiled */
    struct str name; /* "" if it has none */
};

struct rg_matcher {
    struct regex *re;       /* finds lines; NULL: perl does */
    struct pcre *perl;      /* gives places where Perl's order counts; NULL: re does */
    struct rg_group *group; /* those of the pattern as it was written; on the arena */
    size_t ngroups;
    struct regex_match *m;
    size_t *spans; /* of perl */
    size_t nm;
};

struct rg_run {
    struct proc *p;
    const struct rg *o;
    struct out out;
    struct rg_matcher match;
    char eol;
    bool names, line_numbers, heading, color;
    int64_t before, after;
    struct rg_rule *globs;
    bool used;     /* something was printed: the next file is parted from it */
    bool matched;  /* some file had a match */
    bool failed;   /* a message was due */
    bool done;     /* -q has its answer */
    bool visited;  /* a file was searched */
    bool implicit; /* the working folder is searched without having been named */
    int err;
    struct rg_stats stats;
    int64_t started;
    /* the file that is searched */
    struct str name;
    bool named;        /* it was an operand */
    struct buf window; /* whole lines, with what may be context before them */
    uint64_t base;     /* offset of the window in the file */
    size_t fresh;      /* where the part of it begins that is not searched yet */
    struct rg_stats file;
    bool began;          /* the heading, or the begin of --json, is out */
    uint64_t binary;     /* where the NUL is; UINT64_MAX: none */
    uint64_t printed_to; /* offset behind the last printed line; UINT64_MAX: none is */
    uint64_t pending;    /* lines of context still to come */
    uint64_t counted;    /* offset up to which lines are counted */
    uint64_t lines;      /* lines before it */
    bool stop;           /* no more of this file */
};

/* rg_match.c */
int rg_match_compile(struct rg_run *r);
void rg_match_fini(struct rg_run *r);
/* The first line of text at or behind `from` that holds a match (with -U: the lines). */
int rg_match_line(struct rg_run *r, struct str text, size_t from, size_t *start, size_t *end);
/* The next match inside text at or behind `at`; the first nm of r->match.m are filled. */
int rg_match_at(struct rg_run *r, struct str text, size_t at, size_t nm);

/* rg_ignore.c */
struct rg_rule *rg_rule_add(struct proc *p, struct rg_rule *before, struct str glob, bool nocase);
/* 1: matched by a plain rule, -1: by a negated one, 0: by none. */
int rg_rule_match(const struct rg_rule *r, struct str path, bool dir);
struct rg_ignore *rg_ignore_enter(struct rg_run *r, struct rg_ignore *up, struct str dir);
struct rg_ignore *rg_ignore_parents(struct rg_run *r, struct str path);
bool rg_ignored(struct rg_run *r, const struct rg_ignore *ig, struct str path, bool dir);

/* rg_types.c */
int rg_type_define(struct proc *p, struct rg *o, struct str text); /* --type-add */
void rg_type_clear(struct proc *p, struct rg *o, struct str name);
/* 0, or 2 after the message that the type is unknown. */
int rg_type_check(struct rg_run *r);
bool rg_type_skips(struct rg_run *r, struct str name);
void rg_type_list(struct rg_run *r);

/* rg_walk.c: one operand. */
void rg_walk(struct rg_run *r, struct str path);

/* rg_search.c */
void rg_search(struct rg_run *r, struct str name, struct in *in, bool named);

/* rg_print.c */
struct rg_line {
    struct str text; /* with its end */
    uint64_t offset, number;
    bool selected;
};
void rg_print_line(struct rg_run *r, const struct rg_line *l);
void rg_print_separator(struct rg_run *r);
void rg_print_path(struct rg_run *r, struct str name);
void rg_print_count(struct rg_run *r, uint64_t n);
void rg_print_binary(struct rg_run *r, bool stopped);
void rg_print_begin(struct rg_run *r);              /* of a file: --heading, --json */
void rg_print_end(struct rg_run *r, int64_t spent); /* of a file */
void rg_print_summary(struct rg_run *r);

#endif

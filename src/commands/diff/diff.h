/* diff.h -- what the parts of diff share: options, the two files, what differs */
#ifndef HOB_COMMANDS_DIFF_DIFF_H
#define HOB_COMMANDS_DIFF_DIFF_H

#include "shell/command.h"
#include "text/diff.h"
#include "text/regex.h"

enum diffcmd_style {
    DIFFCMD_NONE,
    DIFFCMD_NORMAL,
    DIFFCMD_UNIFIED,
    DIFFCMD_CONTEXT,
    DIFFCMD_ED,
    DIFFCMD_FORWARD_ED,
    DIFFCMD_RCS,
    DIFFCMD_SIDE,
    DIFFCMD_FORMATS
};
enum {
    DIFFCMD_OLD,
    DIFFCMD_NEW,
    DIFFCMD_BOTH,   /* unchanged */
    DIFFCMD_CHANGED /* of groups alone */
};

/* The options. */
struct diffcmd {
    int style;
    bool conflict; /* two styles were asked for */
    bool explicit_context;
    int64_t context, digits, width, tabsize, horizon;
    bool brief, report_same, recursive, new_file, unidirectional, text, expand_tabs, initial_tab;
    bool icase, all_space, space_change, blank_lines, tab_expansion, trailing_space, strip_cr;
    bool minimal, speed, function, left_column, suppress_common, suppress_blank_empty, paginate;
    bool no_dereference, ignore_name_case, color, color_given;
    struct str label[2];
    int nlabels;
    struct strs ignore_lines, exclude, functions;
    struct str ifdef, start, from_file, to_file;
    struct str line_format[3], group_format[4];
    struct str palette;
    struct str switches; /* as they were typed, for headers */
};

/* One of the two sides. */
struct diffcmd_file {
    struct str name; /* to print */
    struct str path;
    struct stat_info st;
    bool missing; /* with -N: it counts as empty */
    bool standard;
    struct str text; /* on the arena */
};

struct diffcmd_run {
    struct proc *p;
    const struct diffcmd *o;
    struct out out;
    struct regex *ignore, *function; /* of lines; NULL: none */
    struct diffcmd_file f[2];
    struct diff d;
    bool *trivial;      /* of each edit: only lines that do not count */
    size_t function_at; /* lines looked at so far for -p */
    struct str function_line;
    int status;
    bool stdin_used;
    struct str stdin_text;
    int depth;
    struct buf later; /* -l: what is said of files, for the end */
};

/* diff_files.c */
int diffcmd_operands(struct diffcmd_run *r, struct str a, struct str b);
/* diff_compare.c: fills r->d. 0 or an error. */
int diffcmd_compare(struct diffcmd_run *r);
/* diff_print.c */
void diffcmd_print(struct diffcmd_run *r);
void diffcmd_print_color(struct diffcmd_run *r, const char *code);
void diffcmd_print_line(struct diffcmd_run *r, const char *mark, struct str line,
                        const char *color);
/* A line with tabs expanded where that is asked for, starting at a column. */
void diffcmd_print_text(struct diffcmd_run *r, struct str line);
/* diff_side.c */
void diffcmd_print_side(struct diffcmd_run *r);
/* diff_format.c */
void diffcmd_print_formats(struct diffcmd_run *r);
int diffcmd_format_ifdef(struct proc *p, struct diffcmd *o);
int diffcmd_specify(struct proc *p, struct str *format, struct str value, const char *option);

#endif

/* pr.h -- inner parts of pr: options, columns, and the state of the page that is printed
 *
 * Positions are columns from the left edge. Blanks are not written at once: how many are due is
 * counted, so that they can become tabs or be left out at the end of a line.
 */
#ifndef HOB_COMMANDS_PR_H
#define HOB_COMMANDS_PR_H

#include "base/vec.h"
#include "shell/command.h"

enum pr_status {
    PR_OPEN,
    PR_FF_FOUND, /* a form feed came, and stored lines wait to be printed */
    PR_ON_HOLD,  /* a form feed came: nothing more on this page */
    PR_CLOSED
};

struct pr_file {
    struct in in;
    struct str name;
    bool own, failed;
};

struct pr_column {
    struct pr_file *file; /* shared by all columns unless -m was given */
    enum pr_status status;
    bool numbered, full_page; /* full_page: the page before ended without a form feed */
    bool stored;              /* lines are kept before they are printed */
    int64_t start;            /* position; 0: right behind what was printed */
    int64_t to_print, lines_stored;
    size_t line; /* the first stored line that was not printed */
};

struct pr {
    /* options */
    bool across, balance, control, doubled, form_feed, join, merge, numbered, quiet, no_header;
    bool escape, truncate, expand, tabify, use_sep, old, old_s, old_w, columns_given;
    bool keep_ff;                         /* -t: form feeds of the input are printed */
    bool start_given;                     /* -N */
    struct str header, date, sep, digits; /* digits: of -COLUMN */
    char tab_in, tab_out, number_sep;
    int64_t tab_in_width, tab_out_width, number_digits, start_number;
    int64_t page_length, page_width, margin, columns;
    uint64_t first_page, last_page;
    /* settled for a run over files */
    int64_t body, header_room, column_width, number_width, count;
    bool storing, join_now, truncate_now, expand_now, tabify_now, use_sep_now, headers, ff_kept;
    struct str date_text, file_text, sep_now;
    /* the files */
    struct proc *p;
    struct out out;
    struct pr_file standard; /* stdin, wherever - stands */
    bool standard_open, failed;
    struct pr_file *files;
    size_t nfiles;
    struct pr_column *cols;
    size_t ncols, cols_cap;
    int64_t ready; /* files that can still be read on this page */
    /* the page */
    uint64_t page;
    int64_t line_number, left_on_page;
    int64_t out_pos, in_pos, spaces_due, seps_due, padding_due;
    bool header_due, ff_due, ff_only, pad_page, align_empty, empty_line, last_skipped;
    struct buf store;     /* the text of stored lines */
    VEC(size_t) ends;     /* where each of them ends, */
    VEC(int64_t) ends_at; /* and at what position */
    int64_t now;          /* for the header of what is no file */
};

/* pr_text.c: characters and blanks */
int64_t pr_clump(struct pr *r, int c, struct buf *out); /* what a character becomes; moves in_pos */
void pr_put(struct pr *r, struct pr_column *col, struct str s); /* printed, or stored */
void pr_put_char(struct pr *r, char c);
void pr_pad_to(struct pr *r, int64_t position);
void pr_blanks(struct pr *r); /* writes those that are due */
void pr_separators(struct pr *r);
void pr_line_number(struct pr *r, struct pr_column *col);
void pr_header(struct pr *r);

/* pr_page.c: prints the files (none: stdin) as one document. 0 or an error. */
int pr_files(struct pr *r, const struct str *names, size_t n);

#endif

/* ls.h -- what the parts of ls share */
#ifndef HOB_COMMANDS_LS_LS_H
#define HOB_COMMANDS_LS_LS_H

#include "commands/lib/human.h"
#include "commands/lib/users.h"
#include "shell/quote.h"
#include "text/date.h"
#include "text/glob.h"

enum ls_format {
    LS_UNSET,
    LS_ONE,
    LS_LONG,
    LS_COLUMNS,
    LS_ACROSS,
    LS_COMMAS
};
enum ls_sort {
    LS_SORT_UNSET,
    LS_BY_NAME,
    LS_BY_TIME,
    LS_BY_SIZE,
    LS_BY_EXTENSION,
    LS_BY_VERSION,
    LS_BY_WIDTH,
    LS_UNSORTED
};
enum ls_time {
    LS_MTIME,
    LS_ATIME,
    LS_CTIME,
    LS_BTIME
};
enum ls_indicator {
    LS_PLAIN,
    LS_SLASH,
    LS_FILE_TYPE,
    LS_CLASSIFY
};
enum ls_deref {
    LS_DEREF_UNSET,
    LS_DEREF_NEVER,
    LS_DEREF_DIRS,
    LS_DEREF_OPERANDS,
    LS_DEREF_ALWAYS
};

struct ls_file {
    struct str name;
    struct str target;    /* of a link, when it is shown */
    struct stat_info st;  /* all zero but the type unless `known` */
    uint32_t target_mode; /* of what a link points to; 0: not known or nothing */
    bool known;           /* st is filled */
    bool bad;             /* it could not be looked at */
    bool link_ok;
    bool quoted;    /* the name needs quotes */
    uint32_t width; /* columns of the name as it is printed */
};

struct ls_color {
    struct str suffix; /* "*.ext" without the star */
    struct str code;
};

enum ls_color_kind {
    LS_C_NORMAL,
    LS_C_FILE,
    LS_C_DIR,
    LS_C_LINK,
    LS_C_FIFO,
    LS_C_SOCK,
    LS_C_BLK,
    LS_C_CHR,
    LS_C_MISSING,
    LS_C_ORPHAN,
    LS_C_EXEC,
    LS_C_SETUID,
    LS_C_SETGID,
    LS_C_STICKY,
    LS_C_OTHER,
    LS_C_OTHER_STICKY,
    LS_C_MULTI,
    LS_C_COUNT
};

struct ls {
    /* options */
    int format, sort, time, indicator, deref, quoting;
    bool all, almost, backups_hidden, dirs_only, recursive, reverse, inode, blocks, numeric;
    bool no_owner, no_group, author, dirs_first, zero, dired, context, hide_control, show_control;
    bool time_given, sort_given, color, hyperlink, kibibytes, human_given, format_f, quoting_given;
    int64_t width, tab;
    struct strs ignore, hide;
    struct str time_style;
    struct human size_unit, block_unit;

    /* state */
    struct proc *p;
    struct out out;
    struct users users;
    struct date_zone zone;
    int64_t now;
    struct str recent, old; /* time formats */
    int status;
    bool tty, printed, need_stat, need_type, align;
    struct ls_file *files;
    size_t nfiles, nall, cap; /* nall, if larger: those that only widen the columns follow */
    bool some_quoted;
    struct str colors[LS_C_COUNT];
    struct ls_color *ext;
    size_t next, capext;
    bool color_used;
    struct buf line;  /* scratch */
    uint64_t written; /* for --dired */
    struct buf dired1, dired2;
};

/* ls_sort.c */
int ls_order(struct ls *l);
int64_t ls_time_of(const struct ls *l, const struct stat_info *st);
/* ls_color.c */
int ls_colors_init(struct ls *l);
/* The code for a file; {NULL,0}: none. */
struct str ls_color_of(struct ls *l, const struct ls_file *f, struct str name, bool target);
/* ls_print.c */
void ls_measure(struct ls *l, struct ls_file *f);
void ls_print_all(struct ls *l, struct str dir);
void ls_print_total(struct ls *l);
/* A name as it stands in a heading ("dir:"). */
void ls_put_plain(struct ls *l, struct str name);
void ls_put(struct ls *l, struct str text);

#endif

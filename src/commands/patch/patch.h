/* patch.h -- what the parts of patch share: options, hunks, the file they are for */
#ifndef HOB_COMMANDS_PATCH_PATCH_H
#define HOB_COMMANDS_PATCH_PATCH_H

#include "commands/lib/files.h"
#include "shell/command.h"

enum patch_form {
    PATCH_UNKNOWN,
    PATCH_CONTEXT,
    PATCH_ED,
    PATCH_NORMAL,
    PATCH_UNIFIED
};

struct patch {
    struct str input, output, reject, prefix, base_prefix, suffix, dir, ifdef, reject_format;
    int64_t strip; /* -1: not given */
    int64_t fuzz;
    int form;
    bool reverse, forward, batch, force, dry_run, silent, verbose, backup, no_backup_mismatch;
    bool remove_empty, ignore_space, posix, binary, merge, read_only_ignore;
    bool follow, set_time, set_utc;
    struct files_backups kind;
};

/* One line of a hunk: ' ', '-' or '+'. */
struct patch_line {
    char mark;
    struct str text; /* with its newline, unless the patch says it has none */
};

struct patch_hunk {
    size_t old_first, old_n, new_first, new_n; /* lines counted from 1 */
    struct patch_line *line;
    size_t n;
    size_t prefix, suffix; /* lines of context at both ends */
    struct str function;   /* behind the @@ */
    struct str script;     /* PATCH_ED: the whole of it */
};

/* What one file is to become. */
struct patch_file {
    int form;
    struct str old_name, new_name, index_name; /* from the headers; .p NULL: none */
    struct str old_header, new_header;         /* the lines themselves, for rejects */
    bool creates, deletes, renames, copies;
    uint32_t new_mode; /* 0: not said */
    struct patch_hunk *hunk;
    size_t n;
    size_t at_line;     /* of the patch, where the hunks begin */
    struct str leading; /* what stood before them */
    bool git;
    bool broken; /* its hunks cannot be read: a message was printed */
};

struct patch_run {
    struct proc *p;
    const struct patch *o;
    struct out out;
    struct str text; /* the patch */
    size_t at;       /* where reading goes on */
    size_t line;     /* its number */
    int status;
    bool any;  /* a patch was found */
    bool rest; /* and something else behind the last one */
};

/* patch_read.c: the next file's patch: 1, 0 at the end, or an error (a message was printed for
 * HOB_ESYNTAX). */
int patch_read(struct patch_run *r, struct patch_file *f);
/* patch_apply.c */
int patch_apply(struct patch_run *r, struct patch_file *f);
int patch_apply_ed(struct patch_run *r, struct str script, struct str text, struct str *out);
/* patch.c */
void patch_put_leading(struct patch_run *r, const struct patch_file *f);
int patch_fatal(struct patch_run *r, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif

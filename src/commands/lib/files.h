/* files.h -- what commands that work on files share: names, questions, backups */
#ifndef HOB_COMMANDS_LIB_FILES_H
#define HOB_COMMANDS_LIB_FILES_H

#include "shell/command.h"

/* "regular file", "regular empty file", "directory", "symbolic link" ... */
const char *files_kind(const struct stat_info *st);
/* dir/name on the arena; {NULL,0} when out of memory. */
struct str files_join(struct proc *p, struct str dir, struct str name);
/* Without slashes at the end (but "/" stays). */
struct str files_strip(struct str path);
/* The last component, without slashes at the end. */
struct str files_base(struct str path);
bool files_same(const struct stat_info *a, const struct stat_info *b);
bool files_is_dir(struct proc *p, struct str path); /* follows links */
/* Asks on stderr ("name: " in front) and reads a line from stdin: true for y or Y. */
bool files_ask(struct proc *p, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The names in a folder, on the arena, sorted by bytes. */
int files_list(struct proc *p, struct str dir, struct strs *out);

enum files_backup {
    BACKUP_NONE,
    BACKUP_SIMPLE,
    BACKUP_EXISTING,
    BACKUP_NUMBERED
};
struct files_backups {
    int kind;
    struct str suffix; /* {NULL,0}: $SIMPLE_BACKUP_SUFFIX or "~" */
    bool asked;
};
/* --backup[=CONTROL] and -b; the struct must be what `args` points to when used as a callback. */
/* -t DIRECTORY of cp, mv, ln and install: 0, or a status + 1. */
int files_target_option(struct proc *p, struct str *dir, struct str arg);
/* The kind by its name or a unique begin of it, for those with messages of their own. */
bool files_backup_kind(struct str arg, struct files_backups *b);
int files_backup_option(struct proc *p, struct files_backups *b, struct str arg);
/* The name to move `path` to, on the arena. */
struct str files_backup_name(struct proc *p, const struct files_backups *b, struct str path);

#endif

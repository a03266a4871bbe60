/* copy.h -- copying and moving files: the engine of cp, mv and install */
#ifndef HOB_COMMANDS_LIB_COPY_H
#define HOB_COMMANDS_LIB_COPY_H

#include "base/map.h"
#include "commands/lib/files.h"

enum copy_deref {
    COPY_DEREF_UNSET,
    COPY_DEREF_NEVER,
    COPY_DEREF_ALWAYS,
    COPY_DEREF_OPERANDS
};
enum copy_overwrite {
    COPY_REPLACE,
    COPY_FORCE,
    COPY_ASK,
    COPY_SKIP
};

struct copy {
    /* options */
    bool move, recursive, verbose, update, hard_link, sym_link, parents, one_fs, attributes_only;
    bool keep_mode, keep_owner, keep_times, keep_links, no_keep_mode, copy_contents;
    bool force, remove_first, no_target_dir, strip_slashes, debug;
    int deref, overwrite;
    struct str target_dir;
    struct files_backups backup;

    /* state */
    struct proc *p;
    struct out out;
    int status;
    struct map links;     /* "dev:ino" -> struct str * : where it was copied to */
    struct map created;   /* "dev:ino" of what this run has made at the destination */
    struct stat_info top; /* the operand that is copied now, for --one-file-system */
    struct str top_from, top_to;
    struct stat_info made; /* the first folder that was made for it: never copied into itself */
    bool has_made;
};

void copy_init(struct copy *c, struct proc *p);
/* Copies or moves all operands of p as the options say: the exit status. */
int copy_operands(struct copy *c);
int copy_fini(struct copy *c); /* frees the maps, closes the output; the exit status */
/* One file or tree. False when something went wrong (and was reported). */
bool copy_one(struct copy *c, struct str from, struct str to, bool operand);

#endif

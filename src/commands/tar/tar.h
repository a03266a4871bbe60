/* tar.h -- what the parts of tar share: options, one member, the archive as a stream */
#ifndef HOB_COMMANDS_TAR_TAR_H
#define HOB_COMMANDS_TAR_TAR_H

#include "base/error.h"
#include "commands/lib/files.h"
#include "commands/lib/users.h"
#include "shell/command.h"
#include "shell/quote.h"
#include "text/codec.h"

enum {
    TAR_BLOCK = 512,
    TAR_BLOCKING = 20 /* blocks of a record, unless -b says so */
};

enum tar_mode {
    TAR_NONE,
    TAR_CREATE,
    TAR_LIST,
    TAR_EXTRACT,
    TAR_APPEND,
    TAR_UPDATE,
    TAR_CONCATENATE,
    TAR_COMPARE,
    TAR_DELETE,
    TAR_TEST_LABEL
};
enum tar_format {
    TAR_GNU,
    TAR_USTAR,
    TAR_PAX,
    TAR_V7
};

struct map;
struct tar_rename; /* --transform */

struct tar {
    int mode, modes;            /* how many were given */
    int format, verbose, codec; /* codec: enum codec_kind + 1, 0: none given */
    bool automatic, absolute, to_stdout, keep_old, keep_newer, overwrite, skip_old, unlink_first;
    bool no_time, same_permissions, same_owner, numeric, dereference, hard_dereference, null;
    bool no_recursion, wildcards, anchored, icase, ignore_failed, remove_files, totals, full_time;
    bool one_top_level, have_mtime, have_mode, show_transformed, check_links, occurrence;
    bool no_same_owner, no_same_permissions, interactive, newer_by_change, not_anchored;
    bool one_device, ignore_zeros, block_numbers, utc, clamp, ignore_command, no_wildcards;
    int quoting;              /* enum quote_style + 1 of listings; 0: as GNU tar does by itself */
    int64_t which;            /* --occurrence: the one that is meant, 0: all */
    int64_t checkpoint;       /* records between two signs of life, 0: none */
    struct strs actions;      /* what is done then */
    struct strs add, ignores; /* --add-file, --exclude-ignore */
    struct str label, starting, to_command, index_file, quote_chars;
    struct strs owner_map, group_map; /* lines: a name or +ID, a blank, NAME:ID */
    struct files_backups backups;
    int64_t blocking; /* blocks of a record */
    struct strs tags; /* --exclude-tag: k, u or a for how, then the name */
    struct str file, top_level, owner, group;
    struct strs dirs; /* -C: the words themselves, so that their places can be found */
    struct strs exclude, from_files;
    int64_t strip, mtime;
    uint32_t mode_bits;
    struct str mode_text, newer;
    int64_t newer_than;
    struct tar_rename *renames, **renames_end;
};

/* What a header says. Texts live on the arena, until the next member. */
struct tar_member {
    struct str name, link;
    char type; /* '0' file, '1' hard link, '2' symlink, '3' '4' devices, '5' folder, '6' fifo */
    uint32_t mode, uid, gid;
    struct str user, group;
    uint64_t size;
    int64_t mtime; /* nanoseconds */
    uint32_t major, minor;
};

struct tar_run {
    struct proc *p;
    struct tar *o;
    struct out out; /* stdout */
    int status;
    uint64_t device; /* of the operand, for --one-file-system */
    struct users users;
    bool said_absolute[2];    /* of members, of link targets */
    size_t list_width;        /* of owner and size in long listings */
    bool *found;              /* per operand: it was in the archive */
    struct map *links;        /* "dev:ino" of what was written -> its name */
    struct stat_info archive; /* what is written to: never put into itself */
    bool archive_known;
    int64_t started;   /* nanoseconds */
    struct in answers; /* -w: standard input */
    bool asked, no_answers;
    int64_t *counts; /* per operand: how often it was found */
    bool begun;      /* -K: the member was seen */
    uint64_t block;  /* where the present member begins */
    bool any_member;
};

/* tar.c */
void tar_warn(struct tar_run *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
int tar_fatal(struct tar_run *r, const char *fmt, ...) PRINTF_LIKE(2, 3); /* HOB_ESYNTAX */
/* A name as messages have it, on the arena. */
const char *tar_shown(struct tar_run *r, struct str name);
bool tar_excluded(struct tar_run *r, struct str name);
void tar_list(struct tar_run *r, const struct tar_member *m, struct str name);
/* -w: whether to do this with the name. */
bool tar_confirmed(struct tar_run *r, const char *what, struct str name);
/* The operand as a path, with -C before it counted. */
struct str tar_place(struct tar_run *r, size_t words, struct str name);
struct str tar_renamed(struct tar_run *r, struct str name, char type);
int tar_rename_parse(struct proc *p, struct tar *o, struct str text);

/* tar_stream.c: the archive, packed or not. */
struct tar_stream {
    struct tar_run *r;
    bool writing, standard, ended;
    struct file *file;
    struct in in;
    struct out out;
    struct codec *codec;
    char *buffer; /* unpacked bytes, or packed ones */
    size_t at, n;
    uint64_t total; /* bytes of the archive itself so far */
};
int tar_stream_open(struct tar_stream *s, struct tar_run *r, bool writing);
/* Exactly n bytes, or HOB_ENODATA at the end; *got tells how many came. */
int tar_stream_read(struct tar_stream *s, char *dst, size_t n, size_t *got);
int tar_stream_write(struct tar_stream *s, const char *src, size_t n);
int tar_stream_close(struct tar_stream *s); /* pads and finishes what is written */

/* tar_edit.c: -A, --delete, --test-label, --to-command, --checkpoint. */
int tar_concatenate(struct tar_run *r);
int tar_delete(struct tar_run *r);
int tar_test_label(struct tar_run *r);
/* The contents as the input of the command; the member is described by its variables. */
int tar_to_command(struct tar_stream *s, const struct tar_member *m, struct str name);
void tar_checkpoint(struct tar_run *r, bool writing, uint64_t number);

/* tar_header.c */
/* 1: a member, 0: the end of the archive, or an error. */
int tar_header_read(struct tar_stream *s, struct tar_member *m);
int tar_header_write(struct tar_stream *s, const struct tar_member *m);
int tar_skip(struct tar_stream *s, uint64_t size); /* the contents of a member */

/* tar_create.c, tar_extract.c */
/* The name without a leading slash or "..", said once; what: 0 members, 1 targets of hard links. */
struct str tar_member_name(struct tar_run *r, struct str name, int what);
int tar_create(struct tar_run *r);
int tar_append(struct tar_run *r);
/* Where the members of o->file end, and for -u how old the newest one of each name is. */
int tar_scan_end(struct tar_run *r, uint64_t *end, struct map *times);
/* Opens o->file for writing from `end` on. */
int tar_reopen(struct tar_run *r, struct tar_stream *s, uint64_t end);
int tar_extract(struct tar_run *r);
bool tar_wanted(struct tar_run *r, struct str name);
void tar_not_found(struct tar_run *r);
int tar_take_contents(struct tar_stream *s, uint64_t size, struct out *out);

#endif

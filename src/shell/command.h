/* command.h -- the contract of a command: one file, one option table, one entry
 *
 * A command sees its `struct proc`, nothing else: operands, environment, cwd, descriptors, arena.
 * The rows of the option table give parsing (GNU permutation, clusters, --long=value, unique
 * abbreviations), --help, --version, the man page, completion and the flag fuzzer.
 */
#ifndef HOB_SHELL_COMMAND_H
#define HOB_SHELL_COMMAND_H

#include "task/stream.h"
#include "vfs/vfs.h"

enum opt_kind {
    OPT_KIND_END,
    OPT_KIND_FLAG,  /* bool = true */
    OPT_KIND_SET,   /* int = value (last one wins: -1 -C -x) */
    OPT_KIND_COUNT, /* int += 1 */
    OPT_KIND_STR,   /* struct str = argument; .p == NULL when not given */
    OPT_KIND_INT,   /* int64_t = argument, decimal */
    OPT_KIND_SIZE,  /* uint64_t with GNU suffixes K M G kB ... */
    OPT_KIND_CALL,  /* fn(p, args, row, argument): 0 or an exit status + 1 */
    OPT_KIND_GROUP  /* a heading line of the help */
};
enum {
    OPT_ARG_OPTIONAL = 1 /* --color[=WHEN], -i[SUF] */,
    OPT_HIDDEN = 2,
    OPT_LONG_ONLY_ARG = 4,
    OPT_LAST = 8 /* what follows are operands (awk -E) */
};

struct opt {
    uint8_t kind;
    uint8_t flags;
    char letter;      /* 0: none */
    const char *name; /* long name, NULL: none */
    size_t offset;    /* of the field in the options struct */
    int value;        /* OPT_KIND_SET */
    const char *arg;  /* name of the argument in the help: "N", "WHEN" */
    const char *help;
    int (*fn)(struct proc *p, void *args, const struct opt *o, struct str arg);
};

/* clang-format off */
#define OPT_FLAG(l, n, S, f, h) {OPT_KIND_FLAG, 0, l, n, offsetof(S, f), 0, NULL, h, NULL}
#define OPT_SET(l, n, S, f, v, h) {OPT_KIND_SET, 0, l, n, offsetof(S, f), v, NULL, h, NULL}
#define OPT_INC(l, n, S, f, h) {OPT_KIND_COUNT, 0, l, n, offsetof(S, f), 0, NULL, h, NULL}
#define OPT_STRING(l, n, S, f, a, h) {OPT_KIND_STR, 0, l, n, offsetof(S, f), 0, a, h, NULL}
#define OPT_INTEGER(l, n, S, f, a, h) {OPT_KIND_INT, 0, l, n, offsetof(S, f), 0, a, h, NULL}
#define OPT_BYTES(l, n, S, f, a, h) {OPT_KIND_SIZE, 0, l, n, offsetof(S, f), 0, a, h, NULL}
#define OPT_CALL(l, n, cb, a, h) {OPT_KIND_CALL, 0, l, n, 0, 0, a, h, cb}
#define OPT_CALL_OPTIONAL(l, n, cb, a, h) {OPT_KIND_CALL, OPT_ARG_OPTIONAL, l, n, 0, 0, a, h, cb}
#define OPT_GROUP(h) {OPT_KIND_GROUP, 0, 0, NULL, 0, 0, NULL, h, NULL}
#define OPT_END {OPT_KIND_END, 0, 0, NULL, 0, 0, NULL, NULL, NULL}
/* clang-format on */

enum {
    CMD_POSIXLY = 1,     /* options end at the first operand (env, xargs, timeout ...) */
    CMD_NO_OPTIONS = 2,  /* argv is the command's own business (echo, test, expr, true) */
    CMD_NUMERIC = 4,     /* -NUM is given to `number` (head -5, tail -3) */
    CMD_NO_HELP = 8,     /* with CMD_NO_OPTIONS: --help is an operand like any other (test) */
    CMD_USAGE_LINE = 16, /* a wrong option is answered with the usage, too (grep), */
    CMD_USAGE_HELP = 32, /* or with the whole help (sed) */
    CMD_USAGE_NAME = 64  /* "Try ..." has the name of the command in front (diff) */
};
/* Results of `number`, besides a status + 1. */
enum {
    NUMBER_TAKEN = 0,
    NUMBER_OPERAND = -1,
    NUMBER_OPTIONS = -2 /* letters after all */
};

struct command {
    const char *name;
    const char *usage;      /* "[OPTION]... [FILE]..."; several forms separated by \n */
    const char *summary;    /* first paragraph of the help */
    const char *notes;      /* last paragraph; may be NULL */
    const struct opt *opts; /* NULL: none */
    size_t args_size;       /* of the options struct; zeroed before parsing */
    int flags;
    int usage_status; /* exit status after a wrong option (1; 2 for ls, grep, sort ...) */
    /* Runs with the options parsed; p->argv and p->argc are then the operands alone (argv[0] is the
     * first operand). Returns the exit status 0..255 or a negative error, which becomes a status
     * (HOB_EKILLED: by the signal; others are reported as "name: text"). */
    int (*run)(struct proc *p, void *args);
    void (*defaults)(struct proc *p, void *args); /* before parsing; may be NULL */
    /* CMD_NUMERIC: gets what stands behind the dash of -5, -5k, -.5. */
    int (*number)(struct proc *p, void *args, struct str digits);
    hob_command_fn custom; /* the embedder's, with its data */
    void *custom_ud;
};

/* The gate through which every command runs: parses options, answers --help and --version, calls
 * run, turns errors and an out-of-memory flag into a message and a status. */
int command_run(struct proc *p, const struct command *c);
const struct command *command_find(struct kernel *k, struct str name); /* NULL: none */
/* Help text, as --help prints it. */
void command_help(struct buf *b, const struct command *c);

/* ---- messages, in GNU's wording ------------------------------------------------------------- */

/* fmt on stderr as it is; cut at 4 KiB. */
void proc_printf_err(struct proc *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "name: fmt\n" on stderr. */
void proc_warn(struct proc *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "name: what: No such file or directory\n"; `what` quoted as GNU's quotef does (plain unless it
 * has odd characters). */
void proc_warn_file(struct proc *p, struct str what, int err);
/* "name: cannot open 'what' for reading: ...": fmt with one %s for the quoted name. */
void proc_warn_quoted(struct proc *p, const char *fmt, struct str what, int err);
/* A name as it stands in messages, on the arena: GNU's quote() between curly quotes, quoteaf()
 * always between '...' with shell escapes, quotef() plain unless it has odd characters. */
const char *proc_quote(struct proc *p, struct str s);
const char *proc_quoteaf(struct proc *p, struct str s);
const char *proc_quotef(struct proc *p, struct str s);
/* "Try 'name --help' for more information.\n"; returns the command's usage_status. */
int proc_usage(struct proc *p);
/* "extra operand 'x'" / "missing operand" + Try ...; returns the usage status. */
int proc_extra_operand(struct proc *p, struct str s);
int proc_missing_operand(struct proc *p);

/* Appends to a list that grows on the arena of the process. False: out of memory. */
bool proc_push(struct proc *p, struct strs *list, struct str s);

/* A word out of a list: --sort=WORD. Unique abbreviations count; rows of the same value are other
 * names of the one before. `option` is "--sort". 0, or a status + 1 after GNU's message. */
struct word_row {
    const char *name; /* NULL at the end */
    int value;
};
int proc_word(struct proc *p, const char *option, struct str arg, const struct word_row *rows,
              int *value);
/* A number with one of GNU's multipliers: those letters of "bcwkKMGTPEZYRQ0" that `suffixes` has
 * ("0": a B or iB may follow). HOB_EINVAL, HOB_ERANGE (then *out is UINT64_MAX). */
int size_parse(struct str s, const char *suffixes, uint64_t *out);

/* The end of a command that wrote through o: flushes, and turns a failure into "write error" and
 * the command's usage status. Otherwise returns `status`. */
int command_close(struct proc *p, struct out *o, int status);

/* ---- files ---------------------------------------------------------------------------------- */

/* Opens an operand for reading: "-" is stdin. Complains as GNU does: 0 or an error (reported). */
int in_open(struct in *i, struct proc *p, struct str path);
/* in_open without the message. */
int in_open_quiet(struct in *i, struct proc *p, struct str path);

#endif

/* shell.h -- the state of one shell and the functions that run on it
 *
 * A `struct shell` is what a bash process holds in memory. A subshell is another one that shares
 * the tables with its parent until either writes.
 *
 * Control flow (break, return, exit, a fatal error, a signal) goes by `sh->ctl`: whoever evaluates
 * looks at it after each step and unwinds while it is set.
 */
#ifndef HOB_SHELL_SHELL_H
#define HOB_SHELL_SHELL_H

#include "base/arena.h"
#include "shell/ast.h"
#include "shell/var.h"
#include "task/proc.h"
#include "task/stream.h"

struct job;
struct command;
struct builtin;

enum ctl {
    CTL_NONE,
    CTL_BREAK,    /* ctl_n levels */
    CTL_CONTINUE, /* ctl_n levels */
    CTL_RETURN,   /* from a function or a sourced file, status in sh->status */
    CTL_EXIT,     /* the shell ends, status in sh->status */
    CTL_ABORT,    /* an error that ends the current top-level command (bash's DISCARD): a
                     non-interactive shell goes on with the next line of input, if the error is of
                     that kind */
    CTL_KILLED    /* a signal ends the process */
};

enum shell_opt { /* set -o, in bash's order of letters */
    OPT_ALLEXPORT,
    OPT_BRACEEXPAND,
    OPT_EMACS,
    OPT_ERREXIT,
    OPT_ERRTRACE,
    OPT_FUNCTRACE,
    OPT_HASHALL,
    OPT_HISTEXPAND,
    OPT_HISTORY,
    OPT_IGNOREEOF,
    OPT_INTERACTIVE_COMMENTS,
    OPT_KEYWORD,
    OPT_MONITOR,
    OPT_NOCLOBBER,
    OPT_NOEXEC,
    OPT_NOGLOB,
    OPT_NOLOG,
    OPT_NOTIFY,
    OPT_NOUNSET,
    OPT_ONECMD,
    OPT_PHYSICAL,
    OPT_PIPEFAIL,
    OPT_POSIX,
    OPT_PRIVILEGED,
    OPT_VERBOSE,
    OPT_VI,
    OPT_XTRACE,
    OPT_COUNT
};
#define SH_OPT(sh, o) (((sh)->opts >> (o)) & 1)

enum shell_shopt { /* shopt, alphabetical as bash lists them */
    SHOPT_ASSOC_EXPAND_ONCE,
    SHOPT_AUTOCD,
    SHOPT_CDABLE_VARS,
    SHOPT_CDSPELL,
    SHOPT_CHECKHASH,
    SHOPT_CHECKJOBS,
    SHOPT_CHECKWINSIZE,
    SHOPT_CMDHIST,
    SHOPT_COMPAT31,
    SHOPT_COMPAT32,
    SHOPT_COMPAT40,
    SHOPT_COMPAT41,
    SHOPT_COMPAT42,
    SHOPT_COMPAT43,
    SHOPT_COMPAT44,
    SHOPT_COMPLETE_FULLQUOTE,
    SHOPT_DIREXPAND,
    SHOPT_DIRSPELL,
    SHOPT_DOTGLOB,
    SHOPT_EXECFAIL,
    SHOPT_EXPAND_ALIASES,
    SHOPT_EXTDEBUG,
    SHOPT_EXTGLOB,
    SHOPT_EXTQUOTE,
    SHOPT_FAILGLOB,
    SHOPT_FORCE_FIGNORE,
    SHOPT_GLOBASCIIRANGES,
    SHOPT_GLOBSKIPDOTS,
    SHOPT_GLOBSTAR,
    SHOPT_GNU_ERRFMT,
    SHOPT_HISTAPPEND,
    SHOPT_HISTREEDIT,
    SHOPT_HISTVERIFY,
    SHOPT_HOSTCOMPLETE,
    SHOPT_HUPONEXIT,
    SHOPT_INHERIT_ERREXIT,
    SHOPT_INTERACTIVE_COMMENTS,
    SHOPT_LASTPIPE,
    SHOPT_LITHIST,
    SHOPT_LOCALVAR_INHERIT,
    SHOPT_LOCALVAR_UNSET,
    SHOPT_LOGIN_SHELL,
    SHOPT_MAILWARN,
    SHOPT_NO_EMPTY_CMD_COMPLETION,
    SHOPT_NOCASEGLOB,
    SHOPT_NOCASEMATCH,
    SHOPT_NOEXPAND_TRANSLATION,
    SHOPT_NULLGLOB,
    SHOPT_PATSUB_REPLACEMENT,
    SHOPT_PROGCOMP,
    SHOPT_PROGCOMP_ALIAS,
    SHOPT_PROMPTVARS,
    SHOPT_RESTRICTED_SHELL,
    SHOPT_SHIFT_VERBOSE,
    SHOPT_SOURCEPATH,
    SHOPT_VARREDIR_CLOSE,
    SHOPT_XPG_ECHO,
    SHOPT_COUNT
};
#define SH_SHOPT(sh, o) (((sh)->shopts >> (o)) & 1)
/* Whether it is to be as it was in bash level / 10 and before. */
#define SH_COMPAT(sh, level) (UNLIKELY((sh)->compat) && (sh)->compat <= (level))

/* $1, $2 ... : shared and never changed; `shift` moves `from` in the shell. */
struct params {
    unsigned refs;
    size_t n;
    size_t size;    /* of the whole block */
    struct str p[]; /* text behind, each with a NUL */
};

struct function {
    unsigned refs;
    struct str name;
    struct node *body;
    struct program *program; /* keeps the body alive */
    uint32_t flags;          /* VAR_EXPORT, VAR_READONLY, VAR_TRACE */
    struct str file;         /* BASH_SOURCE */
    int line;                /* where it counts from, and of its head */
    int line_head;
};

/* A function call, a sourced file, or the script itself: FUNCNAME, BASH_SOURCE, BASH_LINENO. */
struct frame {
    struct frame *up;
    struct function *fn;   /* NULL: source or main */
    struct str name;       /* "f", "source", "main" */
    struct str file;       /* BASH_SOURCE of the code that runs in it */
    int line;              /* line of the call in the caller */
    struct params *params; /* caller's, restored at the end (functions; source with arguments) */
    size_t from;
    int loops; /* caller's loop depth */
    bool source;
    bool args;      /* called under extdebug: BASH_ARGV has its arguments */
    bool keep_opts; /* `local -`: opts are put back at the end */
    uint64_t opts;
};

struct shell {
    struct kernel *kernel;
    struct proc *proc;           /* the process that it is */
    struct heap *heap;           /* the kernel's */
    struct shell *parent;        /* of an inline subshell: it waits; else NULL */
    struct shell_shared *shared; /* symbol table, program cache, command hash: one per run */
    struct arena arena;          /* expansions; marks per command */

    /* variables */
    struct vartab *vars;
    struct scope *scopes;
    int level; /* function nesting */
    struct params *params;
    size_t from;      /* shifted by so many */
    struct str name0; /* $0 */

    /* results */
    int status;  /* $? */
    uint8_t ctl; /* enum ctl */
    int ctl_n;
    int loops;           /* enclosing loops, for break and continue */
    int noerr;           /* > 0: errexit and the ERR trap are off (conditions, !, && ||) */
    int line;            /* LINENO: of the command that runs */
    int line_around;     /* of the command around the simple one that runs */
    int line_base;       /* in $( ): bash counts there from the line of the command around it */
    struct str last_arg; /* $_ */
    int last_bg;         /* $!, 0: none */
    int *pipestatus;     /* PIPESTATUS */
    int npipestatus, cappipestatus;
    int cmdsub_status; /* status of the last command substitution of this command, -1: none */

    /* options */
    uint64_t opts, shopts;
    bool interactive, login, forked; /* forked: a subshell of any kind */
    bool from_c;                     /* text comes from -c (error prefix "bash: line 3:") */
    int subshell;                    /* BASH_SUBSHELL */
    int pid;                         /* $$: of the first shell */

    /* tables */
    struct functab *functions; /* shared until written */
    struct aliastab *aliases;
    struct traptab *traps;
    struct hashtab *hash; /* `hash` */
    struct frame *frame;
    struct dirstack *dirs;
    struct history *history;
    struct complete *completions;
    struct str cwd_logical; /* $PWD as cd keeps it; proc->cwd is the physical one */
    struct buf cwd_buf;     /* what proc->cwd points to */

    /* jobs */
    struct job *jobs;
    int current_job, previous_job;
    uint64_t traps_pending; /* caught signals to handle at the next safe point */
    bool in_trap;
    int trap_status;

    int64_t start_ns; /* SECONDS */
    int64_t seconds_base;
    uint32_t random_state, random_last; /* RANDOM as bash computes it */
    int getopts_at;                     /* position inside a cluster */
    int getopts_ind;
    int depth;               /* nesting of functions, for FUNCNEST */
    struct str exec_string;  /* BASH_EXECUTION_STRING */
    struct node *command;    /* the command that runs, for BASH_COMMAND */
    struct program *kept;    /* the text that ended last: `command` may still be in it */
    struct builtin *builtin; /* the builtin that runs, for messages */
    int xtrace_fd;           /* BASH_XTRACEFD, -1: stderr */

    struct program *program;  /* the text that runs, kept alive by whoever runs it */
    struct procsub *procsubs; /* <(..) and >(..) of the command that runs, newest first */
    struct fdtab fdtab;       /* what proc->fds points to in an inline subshell */
    struct arena_mark mark;   /* an inline subshell borrows its parent's arena from here on */
    struct str text_name;     /* "eval", "trap" ...: in front of "line 3:" in syntax errors */
    int sourcing;             /* nesting of source */
    int redir_line;           /* the line of the command whose redirections are opened */
    bool no_debug;            /* the DEBUG, ERR and RETURN traps do not count in this function */
    bool no_err_trap;
    bool exiting;    /* the EXIT trap runs or has run */
    bool lone;       /* a builtin runs as a program: messages name it alone */
    bool restricted; /* set -r: no cd, no paths in command names, no output to files ... */
    int last_job;    /* number of the newest job, for %+ */
    int wait_signal; /* the trapped signal that ended a `wait` */

    const char *arith_name;    /* "((", "[[", "let": named in arithmetic errors; NULL: none. Set
                                  by who evaluates such a command, put back behind it */
    struct scope *scope_spare; /* scope.c: one for the next call */
    int random_pid;            /* who seeded RANDOM: each process does for itself */
    uint32_t changed;          /* counts assignments to PATH and other names with an effect */
    int arith_depth;           /* expressions in the values of variables */
    bool bytes;                /* LC_ALL=C: every byte is a character */
    struct str env_command;    /* $_ in the environment of a command: its path; {NULL,0}: none */

    uint8_t trap_special;   /* TRAP_BIT_...: which of EXIT, DEBUG, ERR, RETURN are set */
    uint8_t trap_running;   /* the same bits: which of them run now */
    uint64_t trap_signals;  /* signals with a trap */
    bool traps_reset;       /* the table is the parent's: only what is ignored counts here */
    bool keep_redirs;       /* `exec` ran: the redirections of this command stay */
    int64_t ulimits[2][17]; /* set by ulimit, by its rows: soft, hard */
    uint32_t ulimits_set[2];
    uint64_t hard_ignored;       /* signals ignored when it started: they cannot be trapped */
    uint64_t traps_busy;         /* signals whose trap runs now */
    bool stdin_redir;            /* stdin was redirected around here: background jobs keep it */
    int killed_pid, killed_sig;  /* the program that just ran was ended by a signal */
    const struct node *inverted; /* the command right behind a ! */
    int noerr_not;               /* how many of noerr come from ! */
    const char *this_name;       /* what bash takes for the command that runs: in some messages */
    const struct node *unopened; /* the compound command whose redirections failed last */
    const struct node *alone;    /* the simple command that is all of a stage or a job */
    bool dispatched;             /* a simple command has come to run in it */
    const struct node *stage;    /* the simple command that is a stage: its failure is told to
                                     whoever waits for the pipeline */
    bool subshell_late;          /* a stage of a pipeline counts as a subshell only when it runs */
    bool misused;                /* a builtin has shown its usage */
    bool behind_command;         /* `command` runs it: no special builtin */
    bool help_shown;             /* --help of a builtin was answered */
    bool in_trace;               /* PS4 is expanded: no trace of that */
    bool in_cmdsub;              /* inside $(..): jobs are not reported */
    bool from_stdin;             /* the text comes from standard input */
    int trace_level;             /* how many times the first character of PS4 is repeated more */
    int debug_status;            /* what the DEBUG trap ended with */
    int pipe_sig;                /* the signal that ended the last stage of a pipeline */
    int pipe_small[8];           /* PIPESTATUS while it is short */
    struct job_done *done;       /* job.c: processes that ended and may still be waited for */
    struct buf pwd_buf;          /* what cwd_logical points to */
    struct buf last_buf;         /* what last_arg points to */
    struct params *name0_box;    /* keeps name0 alive */
    struct assign **arg_assigns; /* name=(..) arguments of the declaration builtin that runs, by
                                    place in argv; NULL: none */
    struct sym *funcnest_sym;
    struct fdtab *outer_fds; /* an inline subshell: its parent's */
    uint64_t aliases_gen;
    uint64_t disabled[2]; /* builtins switched off by `enable -n`, by place in the table */
    struct coproc *coprocs;
    struct params *args; /* what BASH_ARGV ends with, once it was asked for */
    size_t args_from;
    int compat;    /* BASH_COMPAT: 31 to 52, 0: none */
    bool starting; /* its options are read: messages have the line 0 */
    bool stays;    /* between calls of the embedder's: errors do not end it */
};

/* What all shells of one run share. Names keep their slots for as long as it lives. */
struct shell_shared {
    unsigned refs;
    struct heap *heap;
    struct symtab *syms;      /* var.c: made on first use, freed by symtab_free() */
    struct text_cache *texts; /* text.c: parsed programs by their text */
    uint64_t functions_gen;   /* counts changes of any function table */
    uint64_t aliases_gen;
};
void symtab_free(struct shell_shared *s);
void shell_shared_unref(struct shell_shared *s);

/* ---- shell.c: life --------------------------------------------------------------------------- */

/* Sets kernel->exec, and frees what the shell layer keeps in the kernel between calls (caches). */
void shell_attach(struct kernel *k);
void shell_detach(struct kernel *k);
/* A fresh shell on process p. `argv` ends with no NULL: $1.. ; name0 is $0. The environment comes
 * from p->env. */
struct shell *shell_new(struct proc *p, struct str name0, const struct str *args, size_t nargs);
void shell_free(struct shell *sh);
/* A subshell on process p, sharing all tables. With a place for it (on the stack of the caller) it
 * is an inline one: p runs on the parent's task, which waits. */
struct shell *shell_fork(struct shell *parent, struct proc *p, struct shell *place);

/* Runs a text to its end, command by command, with bash's error texts: the body of -c, of a file,
 * of eval, source, traps. Returns sh->status. */
enum shell_text {
    TEXT_C,
    TEXT_FILE,
    TEXT_STDIN,
    TEXT_EVAL,
    TEXT_SOURCE,
    TEXT_TRAP
};
int shell_run_text(struct shell *sh, struct str text, enum shell_text kind, int first_line);
/* As TEXT_C, then what the end of a shell does: EXIT trap, jobs. The exit status 0..255. */
int shell_main(struct shell *sh, struct str text, enum shell_text kind);
/* For a shell that stays: runs a text as typed at a prompt (errors do not end the shell; sh->ctl is
 * CTL_EXIT after `exit`). Returns $?. */
int shell_run_line(struct shell *sh, struct str text);
void shell_interactive(struct shell *sh); /* turns on what -i does: aliases, prompts, history */
int shell_exit(struct shell *sh);         /* the EXIT trap and so on; the exit status */

/* "bash: line 3: " + text + newline on stderr (the prefix as bash has it for where we are). */
void shell_error(struct shell *sh, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "bash: line 3: cd: " + text: with the name of the builtin that runs. */
void shell_builtin_error(struct shell *sh, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Ends the script after an error as bash does for that kind (posix mode, interactive ...). */
void shell_fatal(struct shell *sh, int status);
static inline bool shell_unwinding(const struct shell *sh) { return sh->ctl != CTL_NONE; }
void shell_flags(struct shell *sh, struct buf *b); /* $- */
/* After cd: $PWD as cd keeps it, and the folder without symlinks (both are copied). */
int shell_set_cwd(struct shell *sh, struct str logical, struct str physical);
int shell_set_name0(struct shell *sh, struct str name); /* BASH_ARGV0=... */
void shell_keep_args(struct shell *sh); /* BASH_ARGV begins with the arguments there are now */
/* Out of memory: clears the flag, says so and ends the shell. */
void shell_oom(struct shell *sh);
bool shell_set_opt(struct shell *sh, int opt, bool on); /* set -o side effects included */
extern const char *const shell_opt_names[OPT_COUNT];
extern const char *const shell_shopt_names[SHOPT_COUNT];
extern const char shell_opt_letters[OPT_COUNT]; /* 0: none */
struct params *params_new(struct shell *sh, const struct str *p, size_t n);
void params_unref(struct shell *sh, struct params *p);
int params_set(struct shell *sh, const struct str *p, size_t n); /* set -- */
struct function *function_find(struct shell *sh, struct str name);
int function_define(struct shell *sh, struct node *n, struct program *prog); /* of kind FUNC */
bool function_unset(struct shell *sh, struct str name);
int function_attr(struct shell *sh, struct str name, uint32_t on, uint32_t off);
int function_each(struct shell *sh, int (*fn)(void *ud, struct function *f), void *ud);
struct str alias_get(struct shell *sh, struct str name); /* {NULL,0}: none */
int alias_set(struct shell *sh, struct str name, struct str value);
bool alias_unset(struct shell *sh, struct str name);
int alias_each(struct shell *sh, int (*fn)(void *ud, struct str n, struct str v), void *ud);

/* ---- eval.c ---------------------------------------------------------------------------------- */

enum {
    EVAL_NOERR = 1 /* in a condition */,
    EVAL_LAST = 2 /* nothing follows in this shell */
};
int eval_node(struct shell *sh, struct node *n, int flags); /* sets and returns sh->status */
int eval_function(struct shell *sh, struct function *f, struct str *argv, int argc);
/* Runs one command by words: function (unless `no_func`), builtin, command. */
enum {
    RUN_NO_FUNC = 1,
    RUN_NO_BUILTIN = 2,
    RUN_DEFAULT_PATH = 4,
    RUN_EXEC = 8
};
int eval_words(struct shell *sh, struct str *argv, int argc, int flags);
/* The output of a command substitution, trailing newlines removed, NULs dropped. */
int eval_cmdsub(struct shell *sh, struct node *body, struct buf *out);
/* <(...) or >(...): the path /dev/fd/N. Closed when the command ends. */
int eval_procsub(struct shell *sh, struct node *body, bool out, struct str *path);
/* Opens redirections, remembering what they replaced; restore in reverse. */
struct redir_save;
int redir_apply(struct shell *sh, struct redir *r, int n, struct redir_save **save);
void redir_restore(struct shell *sh, struct redir_save *save);

/* ---- what builtins keep in a shell ----------------------------------------------------------- *
 * A forked shell starts with its parent's pointer; *_fork makes it its own (one more reference, or
 * a copy), *_fini lets go of it. Either may be called with nothing there. */
void declare_restore_options(struct shell *sh, uint64_t opts); /* after `local -` */
/* Assigns the name=(..) at words[at], an argument of b, as bash does before b itself runs. */
int declare_list(struct shell *sh, const struct builtin *b, struct word **words, int at);
void dirs_fork(struct shell *child);
void dirs_fini(struct shell *sh);
void history_fork(struct shell *child);
void history_fini(struct shell *sh);
/* Calls fn for each folder of the stack, the current one first. */
int dirs_each(struct shell *sh, int (*fn)(void *ud, struct str dir), void *ud);
/* Called with the text of each command that is read while OPT_HISTORY is on, before it runs. */
void history_add(struct shell *sh, struct str text);
/* When `set -o history` is turned on: the sizes get their defaults and $HISTFILE, which an
 * interactive shell sets, is read. At the end of an interactive one what was added is saved. */
void history_load(struct shell *sh);
void history_save(struct shell *sh);
int64_t history_number(struct shell *sh); /* HISTCMD, \! in prompts: of the next entry */
void complete_fork(struct shell *child);
void complete_fini(struct shell *sh);

/* ---- trace.c: set -x ------------------------------------------------------------------------- */

/* Each prints one line with PS4 in front. Call them when SH_OPT(sh, OPT_XTRACE). */
void trace_words(struct shell *sh, const struct str *w, int n);
/* name=value or name[index]+=value; a compound value is given as it is written, with `raw`. */
void trace_assign(struct shell *sh, struct str name, struct str index, bool append,
                  struct str value, bool raw);
void trace_arith(struct shell *sh, struct word *expr); /* (( )) and the parts of for ((;;)) */
void trace_node(struct shell *sh, struct node *n);     /* the head of for, case, select */
void trace_head(struct buf *b, const struct node *n);  /* as BASH_COMMAND shows a command */
void trace_text(struct shell *sh, struct str text);    /* "[[ -n a ]]", "(( i++ ))" as they are */

/* ---- find.c: where a command is -------------------------------------------------------------- */
struct found {
    const struct builtin *builtin;
    struct function *function;
    const struct command *command; /* one of ours, found as a file in /usr/bin or by name */
    struct str path;               /* where it is, or the script to run */
    int err;                       /* HOB_ENOENT: not found; HOB_EACCES, HOB_EISDIR ... */
};
void find_command(struct shell *sh, struct str name, int flags, struct found *out);

/* ---- trap.c, job.c --------------------------------------------------------------------------- */
int traps_run_pending(struct shell *sh);    /* at safe points; cheap when nothing is pending */
void trap_run(struct shell *sh, int which); /* TRAP_EXIT ... */
enum {
    TRAP_EXIT = 0,
    TRAP_DEBUG = 65,
    TRAP_ERR = 66,
    TRAP_RETURN = 67,
    TRAP_COUNT = 68
};
bool trap_is_set(struct shell *sh, int which);

/* ---- expand.c ------------------------------------------------------------------------------- *
 * Results live in sh->arena until the caller releases its mark. A negative result means that the
 * message is printed and sh->ctl is set if the script must not go on. */
enum {                /* how a word is expanded */
    EXPAND_SPLIT = 1, /* word splitting */
    EXPAND_GLOB = 2,  /* pathname expansion */
    EXPAND_BRACE = 4,
    EXPAND_TILDE_EQ = 8,   /* ~ after = and : too (assignments) */
    EXPAND_PATTERN = 16,   /* quoted glob characters get a backslash: the result is a pattern */
    EXPAND_REGEX = 32,     /* the same for a regular expression */
    EXPAND_NOCMD = 64,     /* no command substitution (prompts in restricted places) */
    EXPAND_BLANKS = 16384, /* $@ is joined with blanks whatever made it: [[ ]], [key]=$@ */
    EXPAND_STARS = 65536,  /* $@ is joined as $* is: [1]=$@ of an indexed array */
    EXPAND_NO_TILDE = 128, /* a ~ stays as it is: [key]=~ of an associative array */
    EXPAND_WORDS = 7       /* what the words of a command get */
};
int expand_words(struct shell *sh, struct word **w, int n, struct strs *out);  /* arena vector */
int expand_word(struct shell *sh, struct word *w, int flags, struct str *out); /* to one string */
/* The text of a dquoted-like word given at run time: PS1, PS4, mail, here-documents. */
int expand_text(struct shell *sh, struct str text, struct str *out);
int expand_prompt(struct shell *sh, struct str ps, struct str *out); /* \u \w ... and expansions */
enum {
    ASSIGN_TEMP = 1,   /* x=1 cmd: into the innermost scope, exported, after the expansion */
    ASSIGN_LOCAL = 2,  /* a list: to a variable of the function, made if there is none */
    ASSIGN_GLOBAL = 4, /* a list: outside of all functions */
    ASSIGN_NEAR = 8    /* a list: to a variable of this function if there is one, else outside */
};
int expand_assign(struct shell *sh, struct assign *a, int flags); /* performs the assignment, with
                                                                     trace_assign() under set -x */
/* A word with braces as the value of an associative array's element, where they mean nothing. */
int expand_brace_value(struct shell *sh, struct word *w, struct str *out);
struct glob_prog;
int expand_glob_match(struct shell *sh, struct word *w, void **cache, struct str text, bool nocase,
                      bool *match); /* for case and [[ == ]]: compiled once when static */
int expand_cond(struct shell *sh, struct cond *c, int *result); /* [[ ]]: 0 true, 1 false, 2 */
/* Pathnames that match a pattern (EXPAND_PATTERN form), sorted; for compgen -G too. */
int expand_pathnames(struct shell *sh, struct str pattern, struct strs *out);
void expand_quote(struct buf *b, struct str s);           /* ${x@Q}: 'a b' or $'..' */
void expand_quote_q(struct buf *b, struct str s);         /* printf %q: a\ b */
int expand_ansi_c(struct buf *b, struct str s, int mode); /* $'..' escapes; echo -e, printf %b by
                                                             mode; 1: \c seen, stop */

/* ---- arith.c --------------------------------------------------------------------------------- */
int arith_eval(struct shell *sh, struct arith_text *t, int64_t *out);    /* ((..)), $((..)) */
int arith_string(struct shell *sh, struct str text, int64_t *out);       /* let, [[ -lt ]], a[..] */
int arith_command(struct shell *sh, struct arith_text *t, int64_t *out); /* the same as arith_eval,
                                        for ((..)) and for ((..)): errors name "((" and the script
                                        goes on: sh->ctl is not set */

/* ---- test.c: test and [ ---------------------------------------------------------------------- */
int test_unary(struct shell *sh, char op, struct str arg); /* 1 true, 0 false, < 0 */
int test_binary(struct shell *sh, struct str a, struct str op, struct str b);
/* test and [: argv[0] is the name. The status 0, 1 or 2. */
int test_run(struct shell *sh, struct str *argv, int argc);

/* ---- builtins -------------------------------------------------------------------------------- */
enum {
    BUILTIN_SPECIAL = 1 /* posix */,
    BUILTIN_ASSIGN = 2 /* name=(..) arguments */,
    BUILTIN_DISABLED = 4
};
struct builtin {
    const char *name;
    int (*run)(struct shell *sh, struct str *argv, int argc); /* the status; argv[0] is the name */
    int flags;
    const char *usage;   /* "cd [-L|[-P [-e]] [-@]] [dir]" */
    const char *summary; /* for help: our own words; lines separated by \n */
};
extern const struct builtin *const builtin_table[]; /* sorted by name, NULL at the end */
const struct builtin *builtin_find(struct str name);
const struct builtin *builtin_active(struct shell *sh, struct str name); /* not `enable -n`ed */
/* Options of a builtin as bash parses them: letters with ':' behind those with an argument.
 * *at is the next argument (start with 1). The letter, -1 at the end, '?' after a message. */
struct getopt_state {
    int at;  /* argv index */
    int pos; /* inside argv[at] */
    struct str arg;
    bool plus; /* +x was met (spec begins with '+') */
};
int builtin_getopt(struct shell *sh, struct getopt_state *g, struct str *argv, int argc,
                   const char *spec);
int builtin_usage(struct shell *sh);               /* "cd: usage: ..." on stderr; returns 2 */
void builtin_out(struct shell *sh, struct buf *b); /* writes to fd 1; a failure is reported */

#endif

/* var_impl.h -- what the files of the variables share: well-known names, arrays, writing
 *
 * Names of the table below have fixed slots, and most of them have an initial variable in constant
 * memory. The list is sorted by bytes, so that a name is found by bisection.
 */
#ifndef HOB_SHELL_VAR_IMPL_H
#define HOB_SHELL_VAR_IMPL_H

#include "shell/shell.h"

/* X(identifier, name, attributes, initial text): neither attributes nor text means that
 * there is no variable at first. */
/* clang-format off */
#define VAR_KNOWN(X)                                                                               \
    X(BASH, "BASH", 0, "/usr/bin/bash")                                                            \
    X(BASHOPTS, "BASHOPTS", VAR_DYNAMIC | VAR_READONLY, "")                                      \
    X(BASHPID, "BASHPID", VAR_DYNAMIC | VAR_INTEGER, "")                                         \
    X(BASH_ALIASES, "BASH_ALIASES", VAR_DYNAMIC | VAR_ASSOC, "")                                 \
    X(BASH_ARGC, "BASH_ARGC", VAR_DYNAMIC | VAR_ARRAY, "")                                       \
    X(BASH_ARGV, "BASH_ARGV", VAR_DYNAMIC | VAR_ARRAY, "")                                       \
    X(BASH_ARGV0, "BASH_ARGV0", VAR_DYNAMIC, "")                                                 \
    X(BASH_CMDS, "BASH_CMDS", VAR_DYNAMIC | VAR_ASSOC, "")                                       \
    X(BASH_COMMAND, "BASH_COMMAND", VAR_DYNAMIC, "")                                             \
    X(BASH_COMPAT, "BASH_COMPAT", 0, "")                                                         \
    X(BASH_ENV, "BASH_ENV", 0, "")                                                               \
    X(BASH_EXECUTION_STRING, "BASH_EXECUTION_STRING", VAR_DYNAMIC, "")                           \
    X(BASH_LINENO, "BASH_LINENO", VAR_DYNAMIC | VAR_ARRAY, "")                                   \
    X(BASH_LOADABLES_PATH, "BASH_LOADABLES_PATH", 0,                                               \
      "/usr/local/lib/bash:/usr/lib/bash:/opt/local/lib/bash:/usr/pkg/lib/bash:"                   \
      "/opt/pkg/lib/bash:.")                                                                       \
    X(BASH_REMATCH, "BASH_REMATCH", 0, "")                                                       \
    X(BASH_SOURCE, "BASH_SOURCE", VAR_DYNAMIC | VAR_ARRAY, "")                                   \
    X(BASH_SUBSHELL, "BASH_SUBSHELL", VAR_DYNAMIC, "")                                           \
    X(BASH_VERSINFO, "BASH_VERSINFO", VAR_DYNAMIC | VAR_ARRAY | VAR_READONLY, "")                \
    X(BASH_VERSION, "BASH_VERSION", 0, "5.2.15(1)-release")                                        \
    X(BASH_XTRACEFD, "BASH_XTRACEFD", 0, "")                                                     \
    X(CDPATH, "CDPATH", 0, "")                                                                   \
    X(COLUMNS, "COLUMNS", 0, "")                                                                 \
    X(COMPREPLY, "COMPREPLY", 0, "")                                                             \
    X(COMP_WORDBREAKS, "COMP_WORDBREAKS", VAR_DYNAMIC, "")                                       \
    X(DIRSTACK, "DIRSTACK", VAR_DYNAMIC | VAR_ARRAY, "")                                         \
    X(EPOCHREALTIME, "EPOCHREALTIME", VAR_DYNAMIC, "")                                           \
    X(EPOCHSECONDS, "EPOCHSECONDS", VAR_DYNAMIC, "")                                             \
    X(EUID, "EUID", VAR_DYNAMIC | VAR_INTEGER | VAR_READONLY, "")                                \
    X(EXECIGNORE, "EXECIGNORE", 0, "")                                                           \
    X(FUNCNAME, "FUNCNAME", VAR_DYNAMIC | VAR_ARRAY, "")                                         \
    X(FUNCNEST, "FUNCNEST", 0, "")                                                               \
    X(GLOBIGNORE, "GLOBIGNORE", 0, "")                                                           \
    X(GROUPS, "GROUPS", VAR_DYNAMIC | VAR_ARRAY, "")                                             \
    X(HISTCMD, "HISTCMD", VAR_DYNAMIC | VAR_INTEGER, "")                                         \
    X(HISTCONTROL, "HISTCONTROL", 0, "")                                                         \
    X(HISTFILE, "HISTFILE", 0, "")                                                               \
    X(HISTFILESIZE, "HISTFILESIZE", 0, "")                                                       \
    X(HISTIGNORE, "HISTIGNORE", 0, "")                                                           \
    X(HISTSIZE, "HISTSIZE", 0, "")                                                               \
    X(HISTTIMEFORMAT, "HISTTIMEFORMAT", 0, "")                                                   \
    X(HOME, "HOME", 0, "")                                                                       \
    X(HOSTNAME, "HOSTNAME", VAR_DYNAMIC, "")                                                     \
    X(HOSTTYPE, "HOSTTYPE", 0, "x86_64")                                                           \
    X(IFS, "IFS", 0, " \t\n")                                                                      \
    X(IGNOREEOF, "IGNOREEOF", 0, "")                                                             \
    X(LANG, "LANG", 0, "")                                                                       \
    X(LC_ALL, "LC_ALL", 0, "")                                                                   \
    X(LC_CTYPE, "LC_CTYPE", 0, "")                                                               \
    X(LINENO, "LINENO", VAR_DYNAMIC, "")                                                         \
    X(LINES, "LINES", 0, "")                                                                     \
    X(LOGNAME, "LOGNAME", 0, "")                                                                 \
    X(MACHTYPE, "MACHTYPE", 0, "x86_64-pc-linux-gnu")                                              \
    X(MAPFILE, "MAPFILE", 0, "")                                                                 \
    X(OLDPWD, "OLDPWD", VAR_EXPORT | VAR_UNSET, "")                                              \
    X(OPTARG, "OPTARG", 0, "")                                                                   \
    X(OPTERR, "OPTERR", 0, "1")                                                                    \
    X(OPTIND, "OPTIND", VAR_INTEGER, "1")                                                          \
    X(OSTYPE, "OSTYPE", 0, "linux-gnu")                                                            \
    X(PATH, "PATH", 0, "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")             \
    X(PIPESTATUS, "PIPESTATUS", VAR_DYNAMIC | VAR_ARRAY, "")                                     \
    X(POSIXLY_CORRECT, "POSIXLY_CORRECT", 0, "")                                                 \
    X(PPID, "PPID", VAR_DYNAMIC | VAR_INTEGER | VAR_READONLY, "")                                \
    X(PROMPT_COMMAND, "PROMPT_COMMAND", 0, "")                                                   \
    X(PROMPT_DIRTRIM, "PROMPT_DIRTRIM", 0, "")                                                   \
    X(PS0, "PS0", 0, "")                                                                         \
    X(PS1, "PS1", 0, "")                                                                         \
    X(PS2, "PS2", 0, "")                                                                         \
    X(PS3, "PS3", 0, "")                                                                         \
    X(PS4, "PS4", 0, "+ ")                                                                         \
    X(PWD, "PWD", 0, "")                                                                         \
    X(RANDOM, "RANDOM", VAR_DYNAMIC | VAR_INTEGER, "")                                           \
    X(REPLY, "REPLY", 0, "")                                                                     \
    X(SECONDS, "SECONDS", VAR_DYNAMIC, "")                                                       \
    X(SHELL, "SHELL", 0, "/bin/bash")                                                              \
    X(SHELLOPTS, "SHELLOPTS", VAR_DYNAMIC | VAR_READONLY, "")                                    \
    X(SHLVL, "SHLVL", VAR_EXPORT, "0")                                                             \
    X(SRANDOM, "SRANDOM", VAR_DYNAMIC | VAR_INTEGER, "")                                         \
    X(TERM, "TERM", 0, "dumb")                                                                     \
    X(TIMEFORMAT, "TIMEFORMAT", 0, "")                                                           \
    X(TMOUT, "TMOUT", 0, "")                                                                     \
    X(TMPDIR, "TMPDIR", 0, "")                                                                   \
    X(TZ, "TZ", 0, "")                                                                           \
    X(UID, "UID", VAR_DYNAMIC | VAR_INTEGER | VAR_READONLY, "")                                  \
    X(USER, "USER", 0, "")                                                                       \
    X(UNDERSCORE, "_", VAR_DYNAMIC, "")
/* clang-format on */

enum sym_known {
#define VAR_X(id, name, flags, text) SYM_##id,
    VAR_KNOWN(VAR_X)
#undef VAR_X
    SYM_KNOWN
};

/* The sym of a well-known name; never written. */
extern const struct sym sym_known[SYM_KNOWN];
static inline struct sym *sym_of(enum sym_known id) { return (struct sym *)&sym_known[id]; }
struct sym *sym_by_id(struct shell *sh, uint32_t id);

/* ---- variables ---- */

enum { /* what keeps a variable from being a plain scalar with its text in u.s */
    VAR_ODD = VAR_NAMEREF | VAR_ARRAY | VAR_ASSOC | VAR_DYNAMIC | VAR_UNSET
};

static inline struct var *var_slot(const struct shell *sh, const struct sym *s)
{
    return s->id < sh->vars->n ? sh->vars->slots[s->id] : NULL;
}
/* The text of a number that has not been written down yet. */
void var_sync(struct shell *sh, struct var *v);
static inline struct str var_text(struct shell *sh, struct var *v)
{
    if (UNLIKELY(v->num_only))
        var_sync(sh, v);
    return v->u.s;
}
/* A place in the table that may be written; NULL: out of memory. */
struct var **var_place(struct shell *sh, const struct sym *s);
/* The variable of s, alone in its slot and made if there was none. NULL: out of memory. */
struct var *var_own(struct shell *sh, const struct sym *s);
struct var *var_new(struct shell *sh);
struct var *var_copy(struct shell *sh, const struct var *v);
void var_unref(struct shell *sh, struct var *v);
/* Replaces the value of an own variable of any kind by text, without attributes or hooks. */
int var_put(struct shell *sh, struct var *v, struct str s);
/* The text of an own scalar: replaced, or made longer, which is linear over many calls. The new
 * text may lie in the old one. */
int var_put_text(struct shell *sh, struct var *v, struct str s);
int var_append_text(struct shell *sh, struct var *v, struct str s);
void var_drop_value(struct shell *sh, struct var *v);
void var_hook(struct shell *sh, const struct sym *s); /* after a known name has changed */
/* Splits "name[index]"; index.p is NULL without one. False: not a valid reference. */
bool var_split_ref(struct str ref, struct str *name, struct str *index);
/* The index that a subscript text stands for, counted from the end if negative. */
int var_index(struct shell *sh, struct sym *s, struct str key, const struct array *a, int64_t *out);
int var_readonly_error(struct shell *sh, struct str name);

/* ---- arrays; NULL is an empty one ---- */

struct array *array_new(struct heap *h);
void array_free(struct heap *h, struct array *a);
struct array *array_copy(struct heap *h, const struct array *a);
int array_set(struct heap *h, struct array *a, int64_t i, struct str s);
int array_append(struct heap *h, struct array *a, int64_t i, struct str s); /* to the element */
bool array_del(struct heap *h, struct array *a, int64_t i);
void array_clear(struct heap *h, struct array *a);

struct assoc *assoc_new(struct heap *h);
void assoc_free(struct heap *h, struct assoc *a);
struct assoc *assoc_copy(struct heap *h, const struct assoc *a);
int assoc_set(struct heap *h, struct assoc *a, struct str key, struct str s);
int assoc_append(struct heap *h, struct assoc *a, struct str key, struct str s);
bool assoc_del(struct heap *h, struct assoc *a, struct str key);
void assoc_clear(struct heap *h, struct assoc *a);
uint32_t assoc_hash(struct str key); /* bash's */

/* ---- scopes ---- */

struct scope_saved {
    struct sym *sym;
    struct var *old; /* NULL: there was none */
};
struct scope {
    unsigned refs;
    struct scope *up;
    bool function;
    int level;
    const struct builtin *builtin; /* that ran when it was made: tells `x=1 f` from x=1 eval f */
    uint32_t n, cap;
    struct scope_saved *saved;
};
/* Takes the newest binding of s away, so that the one below shows. False: it is the only one. */
bool scope_reveal(struct shell *sh, struct sym *s);
void scope_unref(struct shell *sh, struct scope *s);

/* ---- dynamic variables ---- */

/* Text of a dynamic scalar, on the arena where it is made; false: counts as unset. */
bool var_dynamic_str(struct shell *sh, struct sym *s, struct str *out);
bool var_dynamic_int(struct shell *sh, const struct sym *s, int64_t *out); /* false: not a number */
/* 1: done, 0: becomes an ordinary variable. */
int var_dynamic_set(struct shell *sh, struct sym *s, struct str value);
bool var_dynamic_absent(const struct shell *sh, const struct sym *s); /* not there (yet) */
/* Fills the array of a dynamic one before it is looked at. */
struct var *var_dynamic_fill(struct shell *sh, struct sym *s, struct var *v);

#endif

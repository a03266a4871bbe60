/* var.h -- shell variables
 *
 * Names are interned: a `struct sym` holds the index of the variable's slot, the syntax tree keeps
 * the sym, so a lookup is one array access. Binding is shallow: `local` and temporary assignments
 * put a new variable in the slot and remember the old one in the scope, which puts it back.
 *
 * The table of slots and the variables are reference-counted and copied when they are written while
 * shared, so a subshell starts with two more references and no copy. The well-known names (PATH,
 * IFS, OPTIND ...) have fixed indices and constant initial variables: a new shell costs nothing
 * until it assigns.
 */
#ifndef HOB_SHELL_VAR_H
#define HOB_SHELL_VAR_H

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

struct shell;
struct array; /* sparse indexed array */
struct assoc; /* associative array; iterates in bash's order */

struct sym {
    struct str name;
    uint32_t id; /* slot */
};

enum {                  /* attributes; letters are those of declare */
    VAR_EXPORT = 1,     /* x */
    VAR_READONLY = 2,   /* r */
    VAR_INTEGER = 4,    /* i */
    VAR_LOWER = 8,      /* l */
    VAR_UPPER = 16,     /* u */
    VAR_NAMEREF = 32,   /* n */
    VAR_TRACE = 64,     /* t */
    VAR_ARRAY = 128,    /* a */
    VAR_ASSOC = 256,    /* A */
    VAR_CAPITAL = 512,  /* c (hidden in bash, kept for declare -c) */
    VAR_UNSET = 1024,   /* declared without a value: exists, counts as unset */
    VAR_DYNAMIC = 2048, /* RANDOM, SECONDS, LINENO ...: hooks in var_dynamic.c */
    VAR_LOCAL = 4096,   /* made by local in the current scope level */
    VAR_TEMP = 8192,    /* from a temporary assignment, always exported */
    VAR_NOUNSET = 16384,
    VAR_STATIC = 32768,   /* constant memory: copy before writing */
    VAR_PROPAGATE = 65536 /* a temporary one that was exported: it stays */
};

struct var {
    unsigned refs; /* 0: constant */
    uint32_t flags;
    int level;    /* function nesting level it belongs to, 0: global */
    uint32_t cap; /* room at u.s.p (owned), 0: borrowed constant text */
    union {
        struct str s; /* with a NUL behind */
        struct array *array;
        struct assoc *assoc;
    } u;
    int64_t num; /* the value as integer, valid when num_ok: arithmetic does not re-parse */
    bool num_ok, num_only; /* num_only: u.s is stale and must be made from num first */
};

struct vartab {
    unsigned refs;
    uint32_t n, cap;
    struct var **slots; /* by sym id; NULL: never set */
};

/* ---- names ---------------------------------------------------------------------------------- */
struct sym *sym_intern(struct shell *sh, struct str name); /* NULL: out of memory */
struct sym *sym_find(struct shell *sh, struct str name);   /* NULL: never seen */

/* ---- reading -------------------------------------------------------------------------------- */
/* The variable in the slot as it is, namerefs not followed; NULL if there is none. */
struct var *var_raw(struct shell *sh, const struct sym *s);
/* Follows namerefs (*s is changed to the target's; an element reference `n=a[1]` gives *index).
 * NULL: there is none. One that is declared without a value has VAR_UNSET. */
struct var *var_get(struct shell *sh, struct sym **s, struct str *index);
/* The scalar value ($x: element 0 of an array, key "0" of an assoc): borrowed until the next
 * assignment. False: unset. Dynamic variables are computed. */
bool var_str(struct shell *sh, struct sym *s, struct str *out);
bool var_strz(struct shell *sh, const char *name, struct str *out);
bool var_int(struct shell *sh, struct sym *s, int64_t *out); /* as arithmetic does; may recurse */
bool var_elem(struct shell *sh, struct sym *s, struct str key, struct str *out); /* a[i], A[k] */
bool var_is_set(struct shell *sh, struct sym *s);

/* ---- writing -------------------------------------------------------------------------------- *
 * 0 or an error after its message ("x: readonly variable") was printed. */
enum {
    VAR_APPEND = 1,
    VAR_NOREF = 2,
    VAR_FORCE = 4 /* readonly too */
};
int var_set(struct shell *sh, struct sym *s, struct str value, int flags);
int var_setz(struct shell *sh, const char *name, struct str value);
int var_set_int(struct shell *sh, struct sym *s, int64_t value);
/* `key` is the text of the subscript: an arithmetic text for indexed arrays, a key for assoc. */
int var_set_elem(struct shell *sh, struct sym *s, struct str key, struct str value, int flags);
int var_set_index(struct shell *sh, struct sym *s, int64_t index, struct str value, int flags);
int var_unset(struct shell *sh, struct sym *s, int flags);
int var_unset_elem(struct shell *sh, struct sym *s, struct str key);
/* Makes it an indexed (or associative) array, keeping attributes, and with `clear` an empty one.
 * A scalar becomes element 0. HOB_EINVAL, without a message: it is one of the other kind. */
int var_make_array(struct shell *sh, struct sym *s, bool assoc, bool clear);
/* Fills an indexed array from words (mapfile, read -a, BASH_REMATCH, PIPESTATUS). */
int var_set_words(struct shell *sh, struct sym *s, const struct str *w, size_t n);
int var_attr(struct shell *sh, struct sym *s, uint32_t on, uint32_t off);

/* ---- arrays --------------------------------------------------------------------------------- */
size_t array_count(const struct array *a);
int64_t array_max(const struct array *a); /* highest index, -1: empty */
/* What a negative index stands for; below 0: nothing. */
static inline int64_t array_back(const struct array *a, int64_t i)
{
    return (int64_t)((uint64_t)array_max(a) + 1 + (uint64_t)i);
}
/* One more than the highest index, as far as there are numbers. */
static inline int64_t array_end(const struct array *a)
{
    int64_t max = array_max(a);
    return max < INT64_MAX ? max + 1 : max;
}
bool array_get(const struct array *a, int64_t i, struct str *out);
/* Iteration by ascending index: start with *i = -1; false at the end. */
bool array_next(const struct array *a, int64_t *i, struct str *out);
size_t assoc_count(const struct assoc *a);
bool assoc_get(const struct assoc *a, struct str key, struct str *out);
/* Iteration in bash's order: *pos starts at 0. */
bool assoc_next(const struct assoc *a, size_t *pos, struct str *key, struct str *out);

/* ---- scopes --------------------------------------------------------------------------------- */
int scope_push(struct shell *sh, bool function);
void scope_pop(struct shell *sh);
/* Hides the bindings of the newest scope, and shows them again when it is called once more: the
 * redirections of `x=1 command` do not see x. */
void scope_flip(struct shell *sh);
/* As scope_pop, but temporary assignments become lasting ones (posix special builtins). */
void scope_keep(struct shell *sh);
/* Makes s local to the innermost function scope (or, with LOCAL_TEMP, to the innermost scope: for
 * `x=1 command`; together with LOCAL_INHERIT for `x+=1 command`). NULL after a message (readonly),
 * or when out of memory. */
enum {
    LOCAL_INHERIT = 1,
    LOCAL_TEMP = 2
};
struct var *scope_local(struct shell *sh, struct sym *s, int flags);
/* Puts the binding of s outside of all functions in its slot and the one that shows in its place,
 * for `declare -g`: what is done to s then is done to the global one. A second call puts things
 * right again. False: there is only one binding, nothing to do (or out of memory). */
bool scope_swap_global(struct shell *sh, struct sym *s);

/* ---- all of them ---------------------------------------------------------------------------- */
/* Calls fn for every variable in order of name (as `set` and `declare -p` print). */
int var_each(struct shell *sh, int (*fn)(void *ud, struct sym *s, struct var *v), void *ud);
/* As `declare -p x` prints it, with the newline. */
void var_print(struct shell *sh, struct buf *b, struct sym *s, struct var *v);
/* As `set` prints it: x='a b'. */
void var_print_set(struct shell *sh, struct buf *b, struct sym *s, struct var *v);
extern const struct env_ops var_env_ops; /* ctx: struct shell */

/* ---- life (called by shell.c) --------------------------------------------------------------- */
int vars_init(struct shell *sh);
int vars_import(struct shell *sh, struct str name, struct str value); /* exported, from outside */
int vars_fork(struct shell *child, struct shell *parent);             /* shares */
void vars_fini(struct shell *sh);

#endif

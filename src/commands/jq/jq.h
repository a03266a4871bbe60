/* jq.h -- what the parts of jq share: values, the program as a tree, the machine
 *
 * A program goes through four forms: text, syntax (struct jq_ast), a resolved tree (struct
 * jq_expr) in which small functions have been put in place of their calls, and code. Parts of the
 * tree that give at most one output are "simple": they are evaluated straight from the tree
 * (jq_eval.c) and are one instruction of the code. Everything that can give more than one output is
 * code for a machine that backtracks (jq_vm.c); its stacks are on the heap, so the depth of a
 * recursion is bounded by memory and not by the stack of the task.
 */
#ifndef HOB_COMMANDS_JQ_JQ_H
#define HOB_COMMANDS_JQ_JQ_H

#include "base/vec.h"
#include "shell/command.h"

/* ---- values ---------------------------------------------------------------------------------- */

enum jq_kind { /* in the order in which jq sorts */
    JQ_NONE,   /* no value: empty, or an error that the machine knows of */
    JQ_NULL,
    JQ_FALSE,
    JQ_TRUE,
    JQ_NUMBER,
    JQ_STRING,
    JQ_ARRAY,
    JQ_OBJECT,
    JQ_CLOSURE /* in slots of frames only */
};

enum {
    JQ_EXACT = 1,  /* a number as it was written: its shortest digits are its value */
    JQ_LITERAL = 2 /* a number whose digits a double cannot hold: `lit` */
};

/* Values are immutable while shared. `counted` tells whether `refs` has to be kept. */
struct jq_val {
    uint8_t kind, counted, flags;
    uint32_t aux; /* JQ_CLOSURE: the frame it was made in */
    union {
        double num;
        uint32_t *refs;
        struct jq_string *str;
        struct jq_array *arr;
        struct jq_object *obj;
        struct jq_literal *lit;
        struct jq_func *func;
        uint64_t bits; /* the heads of frames */
    };
};

struct jq_string {
    uint32_t refs, hash; /* hash: 0 until it is asked for */
    uint32_t n, cap;
    bool interned; /* there is no other one of the same bytes that is interned */
    bool bare;     /* a date of TOML, which has no quotes */
    char data[];   /* cap + 1 bytes, a NUL at n */
};

struct jq_array {
    union {
        struct {
            uint32_t refs, unused;
        };
        struct jq_array *dead; /* the next one to be freed */
    };
    uint32_t n, cap;
    struct jq_val v[];
};

/* Members in the order of insertion. Keys are interned, so equal keys are the same pointer. */
struct jq_member {
    struct jq_string *key; /* NULL: was removed */
    struct jq_val v;
};

struct jq_object {
    union {
        struct {
            uint32_t refs, n; /* n: members that are there */
        };
        struct jq_object *dead;
    };
    uint32_t used, cap;
    uint32_t *index; /* NULL while small; open addressing, member number + 1 */
    uint32_t mask;
    struct jq_member m[];
};

struct jq_literal {
    uint32_t refs, n;
    double num;
    char text[]; /* as jq prints it, a NUL behind */
};

/* ---- syntax ---------------------------------------------------------------------------------- */

enum jq_ast_op {
    JQA_IDENTITY,
    JQA_RECURSE, /* .. */
    JQA_FIELD,   /* a.str or a.(b) when the name has interpolations */
    JQA_INDEX,   /* a[b] */
    JQA_SLICE,   /* a[b:c] */
    JQA_EACH,    /* a[] */
    JQA_CONST,
    JQA_STRING, /* parts in list; format in str */
    JQA_FORMAT, /* @base64 alone */
    JQA_ARRAY,
    JQA_OBJECT, /* list of JQA_PAIR */
    JQA_PAIR,   /* a: key (JQA_VAR for $x), b: value or NULL */
    JQA_NEGATE,
    JQA_PIPE,
    JQA_COMMA,
    JQA_BINARY, /* sub: a token */
    JQA_AND,
    JQA_OR,
    JQA_ALT,    /* // */
    JQA_UPDATE, /* sub: a token, '=' or JQT_... */
    JQA_IF,
    JQA_TRY,
    JQA_REDUCE,  /* a as pats (b; c) */
    JQA_FOREACH, /* a as pats (b; c; d) */
    JQA_BIND,    /* a as pats | b */
    JQA_LABEL,
    JQA_BREAK,
    JQA_DEF,  /* def in `def`, a: what follows */
    JQA_CALL, /* str with args in list */
    JQA_VAR,
    JQA_LOC
};

enum jq_token { /* besides single characters */
    JQT_EOF = 256,
    JQT_INVALID,
    JQT_NUMBER,
    JQT_FIELD,
    JQT_IDENT,
    JQT_BINDING, /* $name */
    JQT_FORMAT,
    JQT_STRING, /* from " on; the parser reads on inside */
    JQT_EQ,
    JQT_NEQ,
    JQT_LE,
    JQT_GE,
    JQT_DEFINEDOR,
    JQT_RECURSE,
    JQT_ALTERNATION,   /* ?// */
    JQT_SETPIPE,       /* |= */
    JQT_SETPLUS,       /* += */
    JQT_SETMINUS,      /* -= */
    JQT_SETMULT,       /* *= */
    JQT_SETDIV,        /* /= */
    JQT_SETMOD,        /* %= */
    JQT_SETDEFINEDOR,  /* //= */
    JQT_LOC,           /* $__loc__ */
    JQT_KEYWORD_FIRST, /* the keywords, in the order of jq_keywords */
    JQT_AND = JQT_KEYWORD_FIRST,
    JQT_AS,
    JQT_BREAK,
    JQT_CATCH,
    JQT_DEF,
    JQT_ELIF,
    JQT_ELSE,
    JQT_END,
    JQT_FOREACH,
    JQT_IF,
    JQT_IMPORT,
    JQT_INCLUDE,
    JQT_LABEL,
    JQT_MODULE,
    JQT_OR,
    JQT_REDUCE,
    JQT_THEN,
    JQT_TRY,
    JQT_KEYWORD_END
};

struct jq_list {
    struct jq_ast **p;
    uint32_t n, cap;
};

/* A pattern behind `as`. */
struct jq_pattern {
    struct str name;           /* $name, or .p == NULL */
    bool array, object;        /* else a name alone */
    struct jq_pattern **sub;   /* of the array, or the values of the object; may hold NULL */
    struct jq_ast **keys;      /* of the object; NULL: the name of names[i] */
    struct str *names;         /* of $name keys */
    uint32_t n, cap, ncapkeys; /* of sub, keys, names */
};

struct jq_def {
    struct str name;
    struct str *params; /* "$x" for value parameters */
    uint32_t nparams;
    struct jq_ast *body;
    bool scanned, recursive;
};

struct jq_ast {
    uint8_t op;
    bool opt; /* followed by ? */
    int sub;
    struct str str;
    struct jq_ast *a, *b, *c, *d;
    struct jq_list list;
    struct jq_pattern **pats; /* alternatives; npats of them */
    uint32_t npats;
    struct jq_def *def;
    struct jq_val k;
    uint32_t at, end; /* where in the text */
    int line;
};

/* import and include */
struct jq_dep {
    struct str path, as; /* as.p == NULL: include */
    bool data;           /* import "x" as $y */
    struct jq_val meta;  /* owned by the library; JQ_NONE: none */
    struct jq_dep *next;
};

/* A parsed text: the main program, a module, or a builtin. */
struct jq_unit {
    struct str text;
    const char *name; /* "<top-level>" or the file */
    struct jq_val module;
    bool is_module;
    struct jq_dep *deps, **last_dep;
    struct jq_list defs; /* JQA_DEF without what follows */
    struct jq_ast *main; /* NULL in a library */
};

/* ---- the resolved tree ----------------------------------------------------------------------- */

enum jq_op {
    JQX_IDENTITY,
    JQX_CONST,
    JQX_VAR,   /* slot, level */
    JQX_FIELD, /* a.key */
    JQX_INDEX, /* a[b] */
    JQX_SLICE, /* a[b:c] */
    JQX_EACH,  /* a[] */
    JQX_PIPE,
    JQX_COMMA,
    JQX_EMPTY,
    JQX_ERROR,   /* error(a) */
    JQX_COLLECT, /* [a]; slot */
    JQX_MAP,     /* [a[] | b], all simple */
    JQX_OBJECT,  /* args: key, value, key, value */
    JQX_STRING,  /* args, all simple, joined */
    JQX_BINARY,  /* sub: an operator */
    JQX_AND,
    JQX_OR,
    JQX_NOT,
    JQX_ALT, /* slot: whether one was found */
    JQX_IF,
    JQX_TRY,
    JQX_REDUCE,  /* a as pats (b; c); slot */
    JQX_FOREACH, /* a as pats (b; c; d); slot */
    JQX_BIND,    /* a as pats | b */
    JQX_LABEL,
    JQX_BREAK,
    JQX_NATIVE,  /* native with args */
    JQX_CALL,    /* func with args: JQX_CLOSURE, or JQX_CALL for one that is made */
    JQX_CLOSURE, /* call of a closure parameter: slot, level */
    JQX_FIRST,   /* slot: two of them */
    JQX_RANGE,   /* from a to b, simple */
    JQX_PATH,
    JQX_ASSIGN,  /* a = b (simple); slot */
    JQX_MODIFY,  /* a |= b; slot: five of them */
    JQX_GETPATH, /* getpath(a) */
    JQX_FORMAT   /* key: the name */
};

struct jq_bindings { /* a resolved pattern */
    int slot;        /* >= 0: a variable, or -1 */
    bool array, object;
    struct jq_bindings **sub;
    struct jq_expr **keys;    /* NULL: key */
    struct jq_string **names; /* of $name members, whose variables are slots[i] */
    int *slots;
    uint32_t n;
    bool simple;
};

struct jq_expr {
    uint8_t op;
    uint8_t sub;
    bool simple; /* at most one output, no calls */
    bool opt;
    bool plain; /* reads only: no path is made by it, and it needs its input for a moment only */
    uint16_t nargs;
    int slot, level;
    int slot2;
    struct jq_expr *a, *b, *c, *d;
    struct jq_expr **args;
    union {
        struct jq_string *key;
        const struct jq_native *native;
        struct jq_func *func;
        struct jq_bindings **pats;
    };
    uint32_t npats;
    int *clear; /* slots to be null before patterns with alternatives; nclear of them */
    uint32_t nclear;
    struct jq_val k;
};

/* A function that has a frame: recursive, or an argument of such a one. */
struct jq_func {
    struct jq_func *parent; /* the one in whose frame it was made; NULL: main */
    struct jq_expr *body;
    int nslots, nparams;
    uint32_t pc;
    bool emitted;
    struct jq_func *next; /* in the list of what is still to be emitted */
};

/* ---- code ------------------------------------------------------------------------------------ */

enum jq_code_op {
    JQO_EVAL,   /* dot = e of dot */
    JQO_DUP,    /* push a copy of dot */
    JQO_POP,    /* dot = pop */
    JQO_SWAP,   /* dot and the top of the stack */
    JQO_NEST,   /* paths do not count from here on ... */
    JQO_UNNEST, /* ... to here */
    JQO_FORK,   /* when all else fails, go on at `to` with this dot */
    JQO_BARE,   /* the same without dot */
    JQO_JUMP,
    JQO_UNLESS, /* dot is a condition: pop the input; if not, go to `to` */
    JQO_BACK,   /* no more outputs here */
    JQO_EACH,
    JQO_INDEX,  /* dot[pop] */
    JQO_SLICE,  /* dot: to; pop the input and from: push the key, dot = input */
    JQO_BINARY, /* dot op pop */
    JQO_LOGIC,  /* sub: what ends it; to */
    JQO_TRUTH,  /* dot = its truth */
    JQO_NATIVE, /* dot, and n arguments on the stack */
    JQO_FORMAT,
    JQO_RAISE,   /* error(dot) */
    JQO_OBJECT,  /* push dot, push {} */
    JQO_INPUT,   /* dot = a copy of the value n below the top */
    JQO_PUSH,    /* push dot, dot = a copy of the value n below that */
    JQO_INSERT,  /* pop key, pop object; push object with key: dot */
    JQO_BUILT,   /* dot = pop; pop */
    JQO_ARRAY,   /* slot = [] */
    JQO_APPEND,  /* slot += [dot]; back */
    JQO_STORE,   /* slot = dot */
    JQO_KEEP,    /* slot = a copy of dot */
    JQO_TAKE,    /* dot = slot, which becomes null */
    JQO_CLEAR,   /* slot = false */
    JQO_FOUND,   /* a // b: dot counts (go to `to`), or back */
    JQO_UNFOUND, /* back if one was found */
    JQO_MATCH,   /* pat = dot, when something follows */
    JQO_MEMBER,  /* dot is a key: push what it leads to in the top; see jq_emit.c */
    JQO_NULLS,   /* the slots of e->clear become null */
    JQO_DALT,    /* ?// */
    JQO_TRY,
    JQO_TRYEND,
    JQO_LABEL,
    JQO_BREAK,
    JQO_MARK, /* two slots: where the stacks are */
    JQO_CUT,  /* drop the forks since then */
    JQO_RANGE,
    JQO_PATH,
    JQO_PATHEND,
    JQO_SETPATH, /* acc[dot] = e; back */
    JQO_GETACC,  /* store the path dot; dot = what it leads to in acc */
    JQO_PUTACC,  /* acc[path] = dot; back */
    JQO_DELACC,  /* note the path for deletion; back */
    JQO_ACCEND,  /* dot = acc without what was noted */
    JQO_CALL,
    JQO_TAIL,
    JQO_CLOSURE,
    JQO_RET,
    JQO_OUTPUT
};

struct jq_code {
    uint8_t op, sub;
    uint16_t n;
    int32_t slot;
    uint32_t to;
    union {
        struct jq_expr *e;
        struct jq_func *func;
        struct jq_bindings *pat;
    };
};

enum jq_fork_kind {
    JQF_JUMP,  /* go on at pc with dot */
    JQF_BARE,  /* the same without a dot */
    JQF_EACH,  /* dot is a container, at the index */
    JQF_RANGE, /* from num to end */
    JQF_TRY,   /* catches errors at pc */
    JQF_TRYEND,
    JQF_LABEL,
    JQF_DALT, /* ?//: catches errors at pc, with dot */
    JQF_ALT,  /* a // b: found none: pc */
    JQF_STOP
};

struct jq_fork {
    uint8_t kind, opt;
    uint32_t pc;
    uint32_t sp, dlimit, fp, flimit;
    uint32_t index;
    int nest;
    struct jq_val dot, path, at;
    union {
        struct {
            double num, end;
        };
        uint64_t label;
        uint32_t match;
    };
};

struct jq_cell {
    struct jq_val v;
    uint32_t prev;
};

/* ---- the machine ----------------------------------------------------------------------------- */

struct jq_style {
    int indent; /* -1: a tab */
    bool compact, sort, ascii, color;
    const char *colors[8]; /* null false true numbers strings arrays objects keys */
    char custom[8][16];
};

struct jq {
    struct proc *p;
    struct heap *heap;
    const char *name;              /* of the command, in messages */
    const struct jq_native *extra; /* functions that the command adds, or NULL */
    const char *extra_defs;        /* and those in jq's own language, or NULL */
    struct arena arena;            /* the program */
    /* Interned strings. */
    struct jq_string **interned;
    uint32_t ninterned, interned_mask;
    /* Errors: raised tells that `error` is one. fatal < 0 ends everything; halted: so does halt. */
    struct jq_val error;
    bool raised, halted, broke;
    uint64_t break_label;
    int fatal, status;
    struct buf last_words; /* of halt_error */
    /* Machine. */
    VEC(struct jq_code) code;
    VEC(struct jq_cell) data;
    VEC(struct jq_val) frames;
    VEC(struct jq_fork) forks;
    uint32_t sp, dlimit, fp, flimit;
    struct jq_val dot;
    struct jq_val path, at; /* the path so far (an array), and the value it leads to */
    int nest;               /* > 0: within a sub-expression, paths do not count */
    uint64_t labels;
    uint32_t ticks, pc;
    bool started, framed;
    /* Program. */
    struct jq_func *main, *funcs;
    struct jq_lib *libs;
    struct jq_env **builtins; /* parsed so far, one for each row of the prelude */
    struct jq_val *consts;    /* values that live as long as the program */
    size_t nconsts, capconsts;
    int errors; /* of compiling */
    struct jq_unit *unit;
    /* What the outside gives. */
    struct jq_val named, env, positional;
    struct strs search; /* -L */
    struct jq_input *input;
    struct jq_style style;
    struct jq_cache *regexes; /* compiled before */
};

static inline struct jq_val jq_none(void) { return (struct jq_val){.kind = JQ_NONE}; }
static inline struct jq_val jq_null(void) { return (struct jq_val){.kind = JQ_NULL}; }
static inline struct jq_val jq_bool(bool b)
{
    return (struct jq_val){.kind = b ? JQ_TRUE : JQ_FALSE};
}
static inline struct jq_val jq_number(double d)
{
    return (struct jq_val){.kind = JQ_NUMBER, .num = d};
}
static inline double jq_double(struct jq_val v)
{
    return v.flags & JQ_LITERAL ? v.lit->num : v.num;
}
static inline bool jq_truth(struct jq_val v) { return v.kind > JQ_FALSE; }
static inline struct jq_val jq_copy(struct jq_val v)
{
    if (v.counted)
        ++*v.refs;
    return v;
}
void jq_free(struct jq *j, struct jq_val v); /* the last reference is gone */
static inline void jq_drop(struct jq *j, struct jq_val v)
{
    if (v.counted && --*v.refs == 0)
        jq_free(j, v);
}
static inline struct str jq_text(struct jq_val v) { return str_of(v.str->data, v.str->n); }

/* jq_value.c. Functions that make values give JQ_NONE when out of memory. Arguments named `v` that
 * are stored go over to the callee, also when it fails. */
struct jq_val jq_string(struct jq *j, struct str s);
struct jq_val jq_string_room(struct jq *j, size_t cap);      /* empty, with room */
struct jq_val jq_string_checked(struct jq *j, struct str s); /* bad UTF-8 becomes U+FFFD */
void jq_repair(struct buf *b, struct str s);
struct jq_val jq_string_buf(struct jq *j, struct buf *b); /* and ends b */
bool jq_string_add(struct jq *j, struct jq_val *s, struct str more);
struct jq_string *jq_intern(struct jq *j, struct str s);           /* a new reference, or NULL */
struct jq_string *jq_intern_string(struct jq *j, struct jq_val v); /* consumes v */
struct jq_val jq_of_string(struct jq_string *s);                   /* takes over the reference */
struct jq_val jq_array(struct jq *j, size_t cap);
bool jq_push(struct jq *j, struct jq_val *a, struct jq_val v);
bool jq_own_array(struct jq *j, struct jq_val *a); /* makes it the only reference */
bool jq_array_put(struct jq *j, struct jq_val *a, size_t i, struct jq_val v);
struct jq_val jq_array_slice(struct jq *j, struct jq_val a, size_t from, size_t to); /* takes a */
struct jq_val jq_object(struct jq *j, size_t cap);
/* For one with room that does not have the key. */
void jq_object_append(struct jq_object *o, struct jq_string *key, struct jq_val v);
struct jq_val *jq_object_get(const struct jq_object *o, const struct jq_string *key);
struct jq_val *jq_object_getz(struct jq *j, const struct jq_object *o, const char *key);
bool jq_own_object(struct jq *j, struct jq_val *o);
bool jq_put(struct jq *j, struct jq_val *o, struct jq_string *key, struct jq_val v);
bool jq_putz(struct jq *j, struct jq_val *o, const char *key, struct jq_val v);
void jq_object_remove(struct jq *j, struct jq_val *o, const struct jq_string *key);
/* Borrowed members sorted by key, in an array of o->n on the heap; NULL when out of memory. */
const struct jq_member **jq_sorted(struct jq *j, const struct jq_object *o);
uint32_t jq_hash(struct str s);

/* jq_order.c */
int jq_compare(struct jq *j, struct jq_val a, struct jq_val b);
static inline bool jq_equal(struct jq *j, struct jq_val a, struct jq_val b)
{
    return jq_compare(j, a, b) == 0;
}
bool jq_identical(struct jq_val a, struct jq_val b);
struct jq_val jq_sort(struct jq *j, struct jq_val a, struct jq_val keys); /* keys may be JQ_NONE */
struct jq_val jq_group(struct jq *j, struct jq_val a, struct jq_val keys, bool unique);
struct jq_val jq_extreme(struct jq *j, struct jq_val a, struct jq_val keys, bool max);
bool jq_contains(struct jq *j, struct jq_val a, struct jq_val b);

/* jq_number.c */
double jq_number_read(struct str s, bool *ok); /* plain decimal digits, fraction, exponent */
struct jq_val jq_number_literal(struct jq *j, struct str s); /* JQ_NONE: it is no number */
size_t jq_number_write(char *dst, double d);                 /* at most 32 bytes */
int jq_literal_compare(struct jq_val a, struct jq_val b);
struct str jq_literal_text(struct jq_val v, char *small); /* small: 32 bytes */

/* jq_read.c */
enum {
    JQ_DEPTH = 10000 /* of nesting, when reading */
};
struct jq_guess { /* the key that came behind another one */
    const void *before;
    struct jq_string *key;
};
struct jq_level {
    uint32_t start; /* in vals */
    bool object;
    bool some; /* --stream: it has had a value */
    bool key;  /* --stream: a key has come */
};
struct jq_reader {
    struct jq *j;
    struct jq_input *in; /* where windows come from; NULL: the text alone */
    const char *p, *end; /* the window */
    const char *from;    /* where it began */
    size_t line, column; /* of all windows before this one; line: newlines seen */
    size_t base;         /* lines of the files before this one */
    bool ended, seq, skipping, any;
    uint8_t state; /* --stream: what may come */
    uint32_t ticks;
    struct buf spill;
    struct jq_val tok, next;  /* the value of the token; what waits for a separator */
    bool want_key;            /* a string that comes is a key */
    const void *before;       /* the key before it, or the place it is in */
    struct jq_guess *guesses; /* NULL: none are made */
    VEC(struct jq_val) vals;
    VEC(struct jq_level) levels;
    struct jq_val path;  /* --stream */
    const char *message; /* of an error */
};
void jq_reader_init(struct jq_reader *r, struct jq *j, struct jq_input *in, struct str text);
void jq_reader_fini(struct jq_reader *r);
/* 1 with a value, 0 at the end, -1 with an error text in *out, or a negative HOB_E... below -1. */
int jq_reader_next(struct jq_reader *r, struct jq_val *out);
int jq_reader_stream(struct jq_reader *r, struct jq_val *out);
int jq_reader_token(struct jq_reader *r);
int jq_reader_fail(struct jq_reader *r, const char *what, struct jq_val *out);
void jq_reader_resync(struct jq_reader *r); /* --seq: to the next text */
size_t jq_reader_line(struct jq_reader *r);
/* One value and nothing else; raises an error. */
struct jq_val jq_from_json(struct jq *j, struct str text);
struct jq_val jq_parse_text(struct jq *j, struct str text, struct jq_val *message);

/* jq_write.c */
struct jq_writer {
    struct jq *j;
    const struct jq_style *style;
    struct buf b;
    struct out *out; /* NULL: stays in b */
};
void jq_write(struct jq_writer *w, struct jq_val v);
void jq_write_string(struct buf *b, struct str s, bool ascii);
struct jq_val jq_to_json(struct jq *j, struct jq_val v);   /* consumes v */
struct jq_val jq_to_string(struct jq *j, struct jq_val v); /* strings as they are; consumes v */
void jq_dump(struct jq *j, struct buf *b, struct jq_val v);
/* A short form of v for messages, at most cap - 1 bytes with "..." when cut. */
const char *jq_brief(struct jq *j, struct jq_val v, char *dst, size_t cap);

/* jq_path.c. All consume their values. */
struct jq_val jq_index(struct jq *j, struct jq_val t, struct jq_val k);
struct jq_val jq_index_set(struct jq *j, struct jq_val t, struct jq_val k, struct jq_val v);
struct jq_val jq_getpath(struct jq *j, struct jq_val t, struct jq_val path);
struct jq_val jq_setpath(struct jq *j, struct jq_val t, struct jq_val path, struct jq_val v);
struct jq_val jq_delpaths(struct jq *j, struct jq_val t, struct jq_val paths);
struct jq_val jq_slice_key(struct jq *j, struct jq_val from, struct jq_val to);
struct jq_val jq_has(struct jq *j, struct jq_val t, struct jq_val k);
struct jq_val jq_keys(struct jq *j, struct jq_val t, bool sorted);
bool jq_take_child(struct jq *j, struct jq_val *t, struct jq_val k, struct jq_val *child);

/* jq_error.c */
struct jq_val jq_raise(struct jq *j, struct jq_val error); /* JQ_NONE */
struct jq_val jq_fail(struct jq *j, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "number (1) <text>"; consumes v */
struct jq_val jq_fail1(struct jq *j, struct jq_val v, const char *text);
/* "number (1) and string ("a") <text>" */
struct jq_val jq_fail2(struct jq *j, struct jq_val a, struct jq_val b, const char *text);
const char *jq_kind_name(struct jq_val v);
int jq_end(struct jq *j); /* the fatal error that there is: HOB_ENOMEM ... 0 */

/* jq_lex.c */
struct jq_lexer {
    struct jq *j;
    struct str text;
    uint32_t at;    /* the next byte */
    uint32_t start; /* of the token */
    int tok;
    struct str str; /* its text: a name without . $ or @ */
    struct jq_val number;
};
int jq_lex(struct jq_lexer *l);
const char *jq_token_name(const struct jq_lexer *l, int tok);
bool jq_is_keyword(int tok);
struct str jq_keyword_text(int tok);

/* jq_parse.c. NULL after a message; j->errors counts them. */
struct jq_unit *jq_parse(struct jq *j, struct str text, const char *name, bool library);
void jq_locate(struct jq *j, const struct jq_unit *u, uint32_t at, uint32_t end, const char *fmt,
               ...) PRINTF_LIKE(5, 6);
struct jq_val jq_keep(struct jq *j, struct jq_val v); /* until the program is freed */
/* Whether the syntax is a constant; then its value. */
bool jq_constant(struct jq *j, const struct jq_ast *a, struct jq_val *out);

/* jq_lower.c, jq_emit.c: from syntax to code. 0, or < 0 after messages. */
struct jq_env;
int jq_compile(struct jq *j, struct jq_unit *u);
int jq_emit(struct jq *j);
struct jq_val jq_builtin_names(struct jq *j);
struct jq_val jq_environment(struct jq *j); /* $ENV, borrowed */

/* jq.c: what another command over the same language needs. */
void jq_fini(struct jq *j);
void jq_give_arguments(struct jq *j); /* $ARGS, of what the options named */
void jq_colors(struct jq *j);         /* those of j->style, from $JQ_COLORS */

/* jq_module.c */
struct jq_lib { /* a module that was read */
    struct str path;
    struct jq_unit *unit;
    struct jq_val data; /* of a data file, else JQ_NONE */
    struct jq_lib *next;
    struct jq_env *env; /* its names */
    bool loading;
};
/* The library that d names, read if it has not been; origin: the folder of whoever asks. NULL after
 * a message. */
struct jq_lib *jq_load(struct jq *j, const struct jq_dep *d, struct str origin, bool *fresh);
struct str jq_lib_origin(const struct jq_lib *lib);
struct jq_val jq_modulemeta(struct jq *j, struct jq_val name);
struct jq_val jq_search_list(struct jq *j);

/* jq_eval.c: a simple expression. Consumes dot; JQ_NONE: none, or an error. */
struct jq_val jq_eval(struct jq *j, const struct jq_expr *e, struct jq_val dot);
struct jq_val *jq_slot(struct jq *j, int slot, int level);
bool jq_bind(struct jq *j, const struct jq_bindings *b, struct jq_val v); /* consumes v */
struct jq_val jq_step(struct jq *j, struct jq_val t, struct jq_val k, bool opt);
/* Whether t can be iterated; if not, an error unless opt. */
bool jq_each_check(struct jq *j, struct jq_val t, bool opt);
/* Evaluates an argument: paths do not count in there. dot is borrowed. */
struct jq_val jq_peek(struct jq *j, const struct jq_expr *e, const struct jq_val *dot);
static inline bool jq_tracking(const struct jq *j)
{
    return j->path.kind == JQ_ARRAY && j->nest == 0;
}
void jq_forgive(struct jq *j);                 /* forgets the error */
bool jq_intact(struct jq *j, struct jq_val t); /* t is what the path leads to */
struct jq_val jq_path_end(struct jq *j, struct jq_val v, struct jq_val path, struct jq_val at,
                          int nest);
struct jq_val jq_insert(struct jq *j, struct jq_val o, struct jq_val k, struct jq_val v);

/* jq_vm.c. Starts with an input; next output: 1, 0 at the end, -1 an error in j->error. */
void jq_start(struct jq *j, struct jq_val input);
int jq_next(struct jq *j, struct jq_val *out);
void jq_reset(struct jq *j);
void jq_path_step(struct jq *j, struct jq_val key, struct jq_val value); /* consumes key */

/* jq_native.c ...: functions written in C. in[0] is the input, in[1..] the arguments; all are
 * consumed. */
struct jq_native {
    const char *name;
    int nargs; /* without the input */
    struct jq_val (*fn)(struct jq *j, struct jq_val *in);
};
enum {
    JQ_NATIVE_ARGS = 8
};
extern const struct jq_native jq_natives[], jq_natives_math[], jq_natives_text[], jq_natives_date[];
const struct jq_native *jq_native_find(struct jq *j, struct str name, uint32_t nargs);
struct jq_val jq_binary(struct jq *j, int op, struct jq_val a, struct jq_val b);
enum jq_binary_op {
    JQB_ADD,
    JQB_SUB,
    JQB_MUL,
    JQB_DIV,
    JQB_MOD,
    JQB_EQ,
    JQB_NE,
    JQB_LT,
    JQB_LE,
    JQB_GT,
    JQB_GE
};

/* jq_format.c */
struct jq_val jq_format(struct jq *j, struct jq_val v, struct str name);
/* jq_regex.c */
struct jq_val jq_match(struct jq *j, struct jq_val *in);
void jq_regex_fini(struct jq *j);

/* jq_prelude.c: functions in jq's own language. */
struct jq_prelude_row {
    const char *name;
    int nparams;
    const char *text; /* a def */
};
extern const struct jq_prelude_row jq_prelude[];
size_t jq_prelude_count(void);
int jq_prelude_find(struct str name, uint32_t nparams);

/* jq_input.c: the values of the files */
struct jq_input {
    struct jq *j;
    /* Another reader than that of JSON, or NULL: it opens the files itself. As jq_input_next(). */
    int (*source)(struct jq_input *i, struct jq_val *out);
    struct str *files;
    size_t nfiles, at;
    struct str name; /* of the open one; .p == NULL: none so far */
    struct in in;
    bool open, started;
    bool raw, slurp, stream, stream_errors, seq, slurped;
    struct jq_reader reader;
    size_t failed; /* files that could not be opened */
    size_t lines;  /* with -R */
    struct buf line;
};
/* 1, 0 at the end, -1: an error text in *out, or an error below -1. */
int jq_input_next(struct jq_input *i, struct jq_val *out);
/* More bytes, of the next file if need be. */
bool jq_input_fill(struct jq_input *i, bool *fresh);
void jq_input_fini(struct jq_input *i);
size_t jq_input_line(struct jq_input *i);

#endif

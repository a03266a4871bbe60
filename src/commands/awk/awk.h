/* awk.h -- what the parts of awk share: values, arrays, the program, the record, the files
 *
 * The program text becomes a tree (awk_lex.c, awk_parse.c, awk_stmt.c), the tree a list of short
 * instructions (awk_compile.c) for a stack machine (awk_run.c). Errors are sticky in `struct awk`:
 * what fails sets `err` and gives back something harmless, and the machine stops.
 */
#ifndef HOB_COMMANDS_AWK_AWK_H
#define HOB_COMMANDS_AWK_AWK_H

#include "base/map.h"
#include "base/vec.h"
#include "shell/command.h"
#include "text/regex.h"

enum {
    AWK_FATAL = 2 /* exit status */
};

/* ---- values ---------------------------------------------------------------------------------- */

/* A counted string, with a NUL behind. It may be changed in place while refs is 1. */
struct awk_str {
    uint32_t refs;
    size_t n, cap;
    char p[];
};

enum awk_kind {
    AWK_UNSET, /* must be 0: cleared memory is an unset value; n: it was used as a scalar */
    AWK_NUM,
    AWK_STR,
    AWK_INPUT,  /* from outside: not yet known whether it looks like a number */
    AWK_STRNUM, /* from outside, and it does: text and number */
    AWK_SLICE,  /* as AWK_INPUT, but the bytes belong to the record: on the stack only */
    AWK_REGEX,  /* @/re/, or /re/ as an argument of a function that wants one */
    AWK_ARRAY,
    AWK_REF,  /* in a parameter: an unset variable of the caller, that may become an array */
    AWK_PLACE /* the same for an element of an array */
};

/* An element that has no value yet, by its array and subscript. */
struct awk_place {
    uint32_t refs;
    struct awk_array *array;
    struct awk_str *key;
};

struct awk_val {
    double num;
    union {
        struct awk_str *s;
        const char *p;
        struct awk_array *a;
        struct awk_re *re;
        struct awk_place *place;
        size_t ref; /* AWK_REF: global number, or AWK_LOCAL_REF + index on the stack */
    } u;
    uint32_t n; /* AWK_SLICE: the length; AWK_UNSET: above */
    uint8_t kind;
};

#define AWK_LOCAL_REF ((size_t)1 << 40)

static inline bool awk_is_unset(const struct awk_val *v)
{
    return v->kind == AWK_UNSET || v->kind >= AWK_REF;
}

static inline bool awk_counted(const struct awk_val *v)
{
    return v->kind >= AWK_STR && v->kind <= AWK_STRNUM;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* A key is an integer when it is written as one (within 32 bits), else a string. */
struct awk_elem {
    struct awk_val v;
    union {
        struct awk_str *s;
        int64_t i;
    } key;
    uint32_t hash;
    uint8_t type; /* 0: removed; AWK_KEY_INT, AWK_KEY_STR */
};

enum {
    AWK_KEY_INT = 1,
    AWK_KEY_STR = 2
};

struct awk_array {
    uint32_t refs;
    uint32_t live, used, cap; /* elements in order of insertion, with holes */
    uint32_t mask;            /* of index */
    uint32_t peak;            /* the most elements since it was empty: gawk's tables never shrink */
    uint8_t first;            /* the type of the first key: it settles the order of traversal */
    struct awk_array *next;   /* among those that wait to be freed */
    struct str name;          /* of the variable it was made for, for messages */
    uint8_t table;            /* AWK_V_SYMTAB or AWK_V_FUNCTAB, or 0 */
    bool dense;               /* the keys are base, base + 1, ...: there is no index */
    int64_t base;
    struct awk_elem *e;
    uint32_t *index; /* 0: free, else the number of an element + 1 */
};

/* ---- the program ----------------------------------------------------------------------------- */

struct awk_re {
    struct regex *re[2]; /* as it is, and with IGNORECASE; made when needed */
    struct awk_str *text;
    struct awk_re *next;
    bool literal; /* lit is all it matches */
    struct str lit;
};

enum awk_special { /* global variables with a fixed number */
    AWK_V_NF,
    AWK_V_NR,
    AWK_V_FNR,
    AWK_V_FS,
    AWK_V_RS,
    AWK_V_OFS,
    AWK_V_ORS,
    AWK_V_OFMT,
    AWK_V_CONVFMT,
    AWK_V_SUBSEP,
    AWK_V_IGNORECASE,
    AWK_V_FIELDWIDTHS,
    AWK_V_FPAT,
    AWK_V_HOOKED, /* those before have a hook: awk_special_set() */
    AWK_V_RSTART = AWK_V_HOOKED,
    AWK_V_RLENGTH,
    AWK_V_RT,
    AWK_V_FILENAME,
    AWK_V_ERRNO,
    AWK_V_ARGC,
    AWK_V_ARGIND,
    AWK_V_ARGV,
    AWK_V_ENVIRON,
    AWK_V_PROCINFO,
    AWK_V_SYMTAB,
    AWK_V_FUNCTAB,
    AWK_V_BINMODE,
    AWK_V_LINT,
    AWK_V_TEXTDOMAIN,
    AWK_V_PREC,
    AWK_V_ROUNDMODE,
    AWK_V_SPECIALS
};

/* Tree. */
enum awk_type {
    AWK_N_NUM,
    AWK_N_STR,
    AWK_N_REGEX,    /* /re/: in most places $0 ~ /re/ */
    AWK_N_TYPED,    /* @/re/ */
    AWK_N_GLOBAL,   /* index */
    AWK_N_LOCAL,    /* index */
    AWK_N_FIELD,    /* $a */
    AWK_N_INDEX,    /* a[list b] */
    AWK_N_ASSIGN,   /* a op= b; op 0: = */
    AWK_N_COND,     /* a ? b : c */
    AWK_N_AND,      /* a && b */
    AWK_N_OR,       /* a || b */
    AWK_N_NOT,      /* !a */
    AWK_N_MATCH,    /* a ~ b; op 1: !~ */
    AWK_N_COMPARE,  /* a op b */
    AWK_N_CONCAT,   /* list a */
    AWK_N_ARITH,    /* a op b */
    AWK_N_NEGATE,   /* -a */
    AWK_N_PLUS,     /* +a */
    AWK_N_STEP,     /* ++ and --: op is of awk_step */
    AWK_N_IN,       /* (list a) in b */
    AWK_N_GROUP,    /* (list a); one element: parentheses */
    AWK_N_CALL,     /* function index (list a) */
    AWK_N_INDIRECT, /* @name(list a): b is the variable */
    AWK_N_BUILTIN,  /* op (list a) */
    AWK_N_GETLINE,  /* op: awk_getline; a: variable or NULL, b: file or command */
    /* statements */
    AWK_N_BLOCK, /* list a */
    AWK_N_EXPR,  /* a */
    AWK_N_PRINT, /* list a; op: redirection to b */
    AWK_N_PRINTF,
    AWK_N_IF,     /* a, b else c */
    AWK_N_WHILE,  /* a, b */
    AWK_N_DO,     /* b while a */
    AWK_N_FOR,    /* a; b; c; body d */
    AWK_N_FOR_IN, /* a in b, body d */
    AWK_N_SWITCH, /* a, list b of cases */
    AWK_N_CASE,   /* a: the value, NULL for default; list b; c: the one before */
    AWK_N_BREAK,
    AWK_N_CONTINUE,
    AWK_N_NEXT,
    AWK_N_NEXTFILE,
    AWK_N_EXIT,   /* a or NULL */
    AWK_N_RETURN, /* a or NULL */
    AWK_N_DELETE  /* a: element or array */
};

enum awk_step {
    AWK_PRE_INC,
    AWK_PRE_DEC,
    AWK_POST_INC,
    AWK_POST_DEC
};

enum awk_getline {
    AWK_GET_MAIN,
    AWK_GET_FILE,
    AWK_GET_PIPE
};

enum awk_redirect {
    AWK_TO_STDOUT,
    AWK_TO_FILE,
    AWK_TO_APPEND,
    AWK_TO_PIPE
};

struct awk_node {
    uint8_t type, op;
    uint16_t count; /* of a list that hangs on `a` (or `b`) */
    int line;
    int index;
    double num;
    struct awk_str *s; /* owned by the constants */
    struct awk_re *re;
    struct awk_node *a, *b, *c, *d;
    struct awk_node *next; /* in a list */
};

struct awk_func {
    struct str name;
    struct str *params; /* on the arena */
    int nparams;
    bool defined;
    int line; /* where it was first called or defined */
    struct str source;
    size_t pc;
    struct awk_node *body;
};

/* A pattern with its action. */
struct awk_rule {
    struct awk_node *from, *to, *body; /* any may be NULL */
    int range;                         /* number of the range, when there is `to` */
    struct str source;
    int line;
    struct awk_rule *next;
};

enum awk_when {
    AWK_BEGIN,
    AWK_MAIN,
    AWK_END,
    AWK_BEGINFILE,
    AWK_ENDFILE,
    AWK_WHEN
};

/* One instruction. What a and n mean depends on op: see awk_compile.c. */
struct awk_code {
    uint16_t op;
    uint16_t n;
    int32_t a;
};

/* Where an instruction comes from, for messages. */
struct awk_pos {
    struct str file; /* .p == NULL: the command line */
    int line;
};

/* A source of program text: an operand, a file. */
struct awk_source {
    struct str text;
    struct str name; /* .p == NULL: the command line */
    bool done;       /* -i: has been read before */
    struct awk_source *next;
};

/* Where something can be assigned: kind and operand as they stand in an instruction. */
enum awk_lvalue {
    AWK_LV_NONE,
    AWK_LV_GLOBAL,
    AWK_LV_LOCAL,
    AWK_LV_FIELD, /* the number is on the stack */
    AWK_LV_ELEM,  /* the subscript is on the stack */
    AWK_LV_VALUE  /* no variable at all: the value is on the stack, the result is dropped */
};

/* The array operand of an instruction: >= 0 a global, < 0 the local ~a, or this: it is on the
 * stack, below the subscript. */
#define AWK_ON_STACK INT32_MAX

/* ---- input and output ------------------------------------------------------------------------ */

/* Something that records are read from. */
struct awk_input {
    struct in in;
    struct buf data; /* records that span windows, in part used up */
    size_t at;       /* in data */
    bool gathered;   /* data is in use, not the window alone */
    bool ended;      /* the end has been reached; data may be left */
    bool open, any;  /* any: something has been read: for RS="" */
};

/* A redirection. */
struct awk_stream {
    struct awk_stream *next;
    struct str name; /* on the heap */
    char mode;       /* '>' file, 'a' append, '|' to a command, '<' file, 'p' from a command */
    struct out *to;  /* own, or standard output or error */
    struct out out;
    struct awk_input in;
    struct file *file;
    int pid; /* 0: none */
    bool eof;
};

enum awk_rs {
    AWK_RS_CHAR,
    AWK_RS_PARAGRAPH,
    AWK_RS_REGEX
};

enum awk_fs {
    AWK_FS_SPACE,
    AWK_FS_CHAR,
    AWK_FS_EACH, /* every character */
    AWK_FS_REGEX,
    AWK_FS_WIDTHS,
    AWK_FS_FPAT
};

struct awk_field {
    const char *p;
    size_t n;
    struct awk_val own; /* a value that was assigned; else AWK_UNSET */
};

struct awk_frame {
    uint32_t func;
    uint32_t base; /* of the locals on the stack */
    size_t pc;
};

/* A running `for (k in a)`. */
struct awk_loop {
    struct awk_val *keys;
    size_t n, at;
    size_t frame; /* depth of calls it belongs to */
};

struct awk_width {
    size_t skip, width; /* SIZE_MAX: the rest */
};

/* The options, and everything else while it runs. */
struct awk {
    struct proc *p;
    struct heap *heap;
    struct str fs_option;
    struct strs assigns; /* -v */
    struct awk_source *sources, **sources_last;
    bool posix, traditional, sandbox, bytes, lint_old, optimize, characters_as_bytes, exec_file,
        re_interval, decimal, have_program;
    int err; /* < 0: an error; > 0: exit status + 1 that ends all */
    int status;

    /* the program */
    struct map names; /* name -> struct awk_name */
    VEC(struct awk_func) funcs;
    VEC(struct awk_val) globals;
    VEC(struct str) global_names;
    VEC(struct awk_val) consts;
    VEC(struct awk_code) code;
    VEC(struct awk_pos) pos;    /* of each instruction in the program text */
    struct awk_re *res;         /* all regular expressions, the newest first */
    struct awk_re *static_res;  /* from here on those of the program text */
    struct awk_re *split_re;    /* the one in use by split() */
    uint64_t warned[4];         /* bit set: characters whose backslash was warned of */
    size_t fresh_res;           /* made of strings since they were last let go */
    struct awk_re *dynamic[64]; /* those made of strings, by hash */
    struct awk_rule *rules[AWK_WHEN], **rules_last[AWK_WHEN];
    size_t entry[AWK_WHEN];
    size_t entry_end; /* functions begin here */
    size_t halt;      /* an AWK_HALT */
    VEC(bool) ranges;
    bool has_main, uses_main_getline;
    bool tables; /* SYMTAB or FUNCTAB is used */

    /* the machine */
    struct awk_val *stack, *sp, *stack_end;
    VEC(struct awk_frame) frames;
    VEC(struct awk_loop) loops;
    size_t pc; /* of the instruction that runs, for messages */
    size_t base;
    int when;
    bool running; /* the program runs: messages tell where */
    bool exiting;
    int nested;

    /* the record */
    const char *rec;
    size_t rec_n;
    struct awk_str *rec_s;   /* owns rec, or NULL: the bytes are lent by the input */
    struct awk_field *field; /* from 1 on */
    size_t field_cap;
    size_t nparsed, parse_at;
    bool split_done;  /* nparsed is NF */
    bool stale;       /* a field has changed: rec must be built again */
    bool owned;       /* a field has a value of its own */
    uint8_t rec_kind; /* of a $0 that was assigned: AWK_STR, AWK_NUM, AWK_REF (unset); 0: read */
    double rec_num;
    double nr, fnr;
    enum awk_fs fs;
    char fs_char;
    struct awk_re *fs_re, *fpat_re, *rs_re;
    VEC(struct awk_width) widths;
    enum awk_rs rs;
    char rs_char;
    bool icase;
    struct awk_str *ofs, *ors, *ofmt, *convfmt, *subsep, *empty;
    bool told_icase;                /* that IGNORECASE is not POSIX's */
    struct awk_str *absent;         /* as empty, of a field that is not there: typeof() knows it */
    bool ofmt_plain, convfmt_plain; /* "%.6g" */

    /* files */
    struct out out, errors;
    struct awk_input main;
    struct awk_stream *streams;
    struct str filename;
    int arg; /* index of the next operand in ARGV */
    bool any_file, file_done, input_done;
    struct buf scratch, scratch2;
    struct awk_random *random; /* NULL until it is needed */
    double seed;
    bool escaped[256]; /* escapes in strings that were told of */
    bool told_silly;
    struct awk_array *dying_list; /* arrays within an array that is being freed */
    bool dying;
};

/* ---- awk_value.c ----------------------------------------------------------------------------- */

/* Stops with a message in gawk's form: "awk: cmd. line:1: (FILENAME=- FNR=1) fatal: ...". */
void awk_fatal(struct awk *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
void awk_warn(struct awk *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
void awk_nomem(struct awk *a);

struct awk_str *awk_str_new(struct awk *a, const char *p,
                            size_t n);                 /* the empty one when it fails */
struct awk_str *awk_str_room(struct awk *a, size_t n); /* n bytes, not yet filled */
void awk_str_free(struct awk *a, struct awk_str *s);
static inline struct awk_str *awk_str_ref(struct awk_str *s)
{
    s->refs++;
    return s;
}
static inline void awk_str_unref(struct awk *a, struct awk_str *s)
{
    if (--s->refs == 0)
        awk_str_free(a, s);
}
static inline struct str awk_str_get(const struct awk_str *s) { return str_of(s->p, s->n); }

void awk_drop_slow(struct awk *a, struct awk_val *v);
static inline void awk_drop(struct awk *a, struct awk_val *v)
{
    if (v->kind >= AWK_STR)
        awk_drop_slow(a, v);
}
static inline struct awk_val awk_number(double d)
{
    return (struct awk_val){.num = d, .kind = AWK_NUM};
}
/* Sets members one by one: a whole struct, copied while its parts are still being written, would
 * make the processor wait. The old value is not let go. */
static inline void awk_put_number(struct awk_val *v, double d)
{
    v->num = d;
    v->kind = AWK_NUM;
}
static inline struct awk_val awk_text_val(struct awk_str *s)
{
    return (struct awk_val){.u.s = s, .kind = AWK_STR};
}
struct awk_val awk_input_val(struct awk *a, struct str s); /* AWK_INPUT, a copy */
/* A further holder of the value. A slice gets bytes of its own. */
struct awk_val awk_copy(struct awk *a, const struct awk_val *v);
void awk_own(struct awk *a, struct awk_val *v); /* a slice gets bytes of its own */
/* Settles AWK_INPUT and AWK_SLICE: true if it counts as a number (then num is set). */
bool awk_is_number(struct awk_val *v);
double awk_to_num_slow(struct awk *a, struct awk_val *v);
static inline double awk_to_num(struct awk *a, struct awk_val *v)
{
    return v->kind == AWK_NUM || v->kind == AWK_STRNUM ? v->num : awk_to_num_slow(a, v);
}
enum {
    AWK_TMP = 400
};
/* The text of a value: its own bytes, or those in tmp (AWK_TMP of them). By CONVFMT, or OFMT. */
struct str awk_text(struct awk *a, const struct awk_val *v, char *tmp);
struct str awk_print_text(struct awk *a, const struct awk_val *v, char *tmp);
/* The value becomes a string. The result is borrowed from it. */
struct awk_str *awk_to_str(struct awk *a, struct awk_val *v);
bool awk_truth(struct awk *a, struct awk_val *v);
int awk_compare(struct awk *a, struct awk_val *x, struct awk_val *y); /* 2: not ordered (NaN) */
int awk_compare_str(struct awk *a, struct str x, struct str y);
size_t awk_format_num(struct awk *a, double d, struct awk_str *conv, bool plain, char *tmp);
double awk_parse_num(struct str s, size_t *used); /* as strtod, decimal only */
bool awk_looks_numeric(struct str s, double *d);
struct awk_val *awk_special(struct awk *a, int which);

/* ---- awk_array.c ----------------------------------------------------------------------------- */

struct awk_array *awk_array_new(struct awk *a);
void awk_array_unref(struct awk *a, struct awk_array *t);
void awk_array_clear(struct awk *a, struct awk_array *t);
/* An array is filled anew with the elements 1, 2, ...: refill() says how many old ones there are
 * whose memory may serve again, append() adds one, refilled() takes out what is left. */
size_t awk_array_refill(struct awk *a, struct awk_array *t);
void awk_array_append(struct awk *a, struct awk_array *t, size_t old, struct str s);
void awk_array_refilled(struct awk *a, struct awk_array *t, size_t old);
/* The element, made if needed. NULL when out of memory. Valid until the next one is made. */
struct awk_val *awk_array_at(struct awk *a, struct awk_array *t, struct awk_val *key);
struct awk_val *awk_array_find(struct awk *a, struct awk_array *t, struct awk_val *key);
struct awk_val *awk_array_at_str(struct awk *a, struct awk_array *t, struct str key);
struct awk_val *awk_array_find_str(struct awk *a, struct awk_array *t, struct str key);
struct awk_val *awk_array_at_int(struct awk *a, struct awk_array *t, int64_t key);
void awk_array_del(struct awk *a, struct awk_array *t, struct awk_val *key);
/* Sets t[key] to a value, whose reference goes over. */
void awk_array_put(struct awk *a, struct awk_array *t, struct str key, struct awk_val v);
struct awk_val awk_elem_key(struct awk *a, const struct awk_elem *e); /* a new holder */

/* awk_order.c: the elements in the order in which gawk visits them; *out on the heap, t->live
 * element numbers (and room for one more). The first *texts of them are kept under strings, the
 * others under numbers. False when out of memory. */
bool awk_order(struct awk *a, struct awk_array *t, uint32_t **out, uint32_t *texts);

/* awk_sort.c */
/* The keys in order: PROCINFO["sorted_in"] or `how`. *out on the heap, each a holder. */
bool awk_sorted_keys(struct awk *a, struct awk_array *t, struct awk_val **out, size_t *n);
void awk_builtin_asort(struct awk *a, int argc, struct awk_val *argv, bool keys);
int awk_function_named(struct awk *a, struct str name); /* -1: none */

/* ---- awk_regex.c ----------------------------------------------------------------------------- */

/* NULL when it is wrong, *err tells why; or when out of memory. */
struct awk_re *awk_re_new(struct awk *a, struct str text, struct hob_error *err);
size_t awk_re_groups(const struct awk_re *re);
/* What is odd about the next backslash, behind *at, before a character that needs none: each such
 * character is told once. *at is then where it stands. NULL: nothing is. */
const char *awk_re_odd(struct awk *a, struct str text, size_t *at);
#define AWK_ODD_ESCAPE(c, odd)                                                                     \
    "regexp escape sequence `\\%c' %s%.*s", c, odd, (c) == '8' || (c) == '9' ? 2 : 0,              \
        (c) == '8' ? "8'" : "9'"
size_t awk_re_hexless(struct str text); /* how many \x have no digits: each is warned of */
#define AWK_HEXLESS "no hex digits in `\\x' escape sequence"
/* As gawk shows it in messages: shorter by what its escapes are longer than what they stand for. */
struct str awk_re_shown(struct str text);
/* The regular expression that a value stands for: compiled once, remembered. */
struct awk_re *awk_re_of(struct awk *a, struct awk_val *v);
struct awk_re *awk_re_text(struct awk *a, struct str text);
int awk_re_match(struct awk *a, struct awk_re *re, struct str s, size_t from, unsigned flags,
                 struct regex_match *m, size_t nm);
void awk_re_forget(struct awk *a);
void awk_re_free_all(struct awk *a);

/* ---- awk_parse.c, awk_stmt.c, awk_lex.c: see awk_parse.h ------------------------------------- */

void awk_parse(struct awk *a);
void awk_compile(struct awk *a);
/* The escapes of a string, as in program text: for -v and assignments among the operands. */
void awk_unescape(struct awk *a, struct str s, struct buf *to, bool warn);
bool awk_is_name(struct str s);
int awk_global(struct awk *a, struct str name); /* the number of a variable; -1 */
bool awk_is_reserved(struct awk *a, struct str name);

/* ---- awk_field.c ----------------------------------------------------------------------------- */

void awk_record_set(struct awk *a, struct awk_str *s);        /* the reference goes over */
void awk_record_lend(struct awk *a, const char *p, size_t n); /* the input keeps the bytes */
bool awk_record_own(struct awk *a);
struct str awk_record(struct awk *a);          /* $0 */
struct awk_str *awk_record_str(struct awk *a); /* borrowed */
size_t awk_nf(struct awk *a);
void awk_set_nf(struct awk *a, double n);
/* There are at least n fields from now on; $0 stays as it is. */
void awk_field_reach(struct awk *a, double n);
bool awk_parse_fields(struct awk *a, size_t upto); /* false: there are fewer */
extern const char awk_nothing[1];
const char *awk_find_blank(const char *p, const char *end);
static inline struct awk_val awk_no_field(void)
{
    return (struct awk_val){.u.p = awk_nothing, .kind = AWK_SLICE};
}
/* The value of $i, as a slice where that is possible. */
struct awk_val awk_field_get(struct awk *a, double i);
static inline void awk_field_put(struct awk *a, size_t i, struct awk_val *v)
{
    struct awk_field *f = &a->field[i];
    if (UNLIKELY(i > a->nparsed) && (a->split_done || !awk_parse_fields(a, i)))
        f = NULL;
    else
        f = &a->field[i]; /* they may have moved */
    if (UNLIKELY(!f || f->own.kind || f->n > UINT32_MAX)) {
        *v = awk_field_get(a, (double)i);
        return;
    }
    v->u.p = f->p;
    v->n = (uint32_t)f->n;
    v->kind = AWK_SLICE;
}
static inline struct awk_val awk_field_quick(struct awk *a, size_t i)
{
    if (UNLIKELY(i > a->nparsed) && (a->split_done || !awk_parse_fields(a, i)))
        return awk_no_field();
    struct awk_field *f = &a->field[i];
    if (UNLIKELY(f->own.kind) || UNLIKELY(f->n > UINT32_MAX))
        return awk_field_get(a, (double)i);
    return (struct awk_val){.u.p = f->p, .n = (uint32_t)f->n, .kind = AWK_SLICE};
}
void awk_field_set(struct awk *a, double i, struct awk_val v); /* the reference goes over */
void awk_field_fs(struct awk *a);
void awk_field_widths(struct awk *a);
void awk_field_fpat(struct awk *a);
void awk_fields_free(struct awk *a);
/* Pieces of a text, one after the other. */
struct awk_splitter {
    struct str text;
    size_t at;
    enum awk_fs mode;
    char c;
    struct awk_re *re;
    bool ended, any;
};
struct awk_splitter awk_splitter_record(struct awk *a);
bool awk_splitter_next(struct awk *a, struct awk_splitter *s, struct str *field, struct str *sep);
void awk_fs_none(enum awk_fs *mode, char *c);
void awk_fs_mode(struct awk *a, struct str s, enum awk_fs *mode, char *c, struct awk_re **re);
/* Settles the slices on the stack, before the bytes of the record go away. */
void awk_settle(struct awk *a);
/* Splits s as FS would (fs NULL: as the FS of now), into an array: the number of pieces. */
size_t awk_split(struct awk *a, struct str s, struct awk_array *to, struct awk_val *fs,
                 struct awk_array *seps);
size_t awk_patsplit(struct awk *a, struct str s, struct awk_array *to, struct awk_re *re,
                    struct awk_array *seps);

/* ---- awk_input.c, awk_io.c ------------------------------------------------------------------- */

/* The next record. 1, 0 at the end, negative: an error. Borrowed until the next call. */
int awk_read(struct awk *a, struct awk_input *in, struct str *rec, struct str *rt);
void awk_input_init(struct awk *a, struct awk_input *in);
void awk_input_fini(struct awk_input *in);
/* The next record of the operands to $0. 1, 0 at the end, -1 an error that getline may see. */
int awk_next_main(struct awk *a, struct awk_val *var);
void awk_next_file(struct awk *a); /* nextfile */
bool awk_assign_operand(struct awk *a, struct str arg);
void awk_set_rs(struct awk *a);
void awk_set_rt(struct awk *a, struct str rt);
void awk_set_errno(struct awk *a, int err);
struct out *awk_output(struct awk *a, int how, struct awk_val *name);
void awk_output_check(struct awk *a, struct out *o, const char *what);
/* getline from a file or command: 1, 0, -1. */
int awk_getline(struct awk *a, int form, struct awk_val *name, struct str *rec, struct str *rt);
double awk_close(struct awk *a, struct str name, struct str how);
double awk_fflush(struct awk *a, const struct str *name);
double awk_system(struct awk *a, struct str cmd);
void awk_flush_all(struct awk *a);
void awk_close_all(struct awk *a);

/* ---- awk_run.c ------------------------------------------------------------------------------- */

enum awk_end {
    AWK_ENDED,
    AWK_NEXT,
    AWK_NEXT_FILE,
    AWK_EXITED
};
enum awk_end awk_run_code(struct awk *a, size_t pc);
/* Calls a function of the program with values; the references go over. */
struct awk_val awk_call(struct awk *a, int func, struct awk_val *argv, int argc);
void awk_execute(struct awk *a);
struct awk_array *awk_array_operand(struct awk *a, int32_t operand);
/* Assigns; the reference goes over. For AWK_LV_FIELD and _ELEM pops what is on the stack. */
void awk_store(struct awk *a, int kind, int32_t operand, struct awk_val v);
void awk_special_set(struct awk *a, int which);
void awk_tables(struct awk *a); /* fills SYMTAB and FUNCTAB, when the program has been read */
bool awk_table_locked(struct awk *a,
                      const struct awk_array *t); /* told when it may not be cleared */
const char *awk_name_of(struct awk *a, int32_t operand);
bool awk_push_room(struct awk *a, size_t n);

/* ---- awk_builtin.c, awk_subst.c, awk_printf.c, awk_time.c ------------------------------------ */

struct awk_builtin {
    const char *name;
    int8_t min, max;
    uint8_t id;
    bool gnu; /* not in --posix and --traditional */
    /* How arguments are compiled, a letter for each: v value, r regex, a array, l lvalue, n name or
     * anything (length, typeof, isarray). */
    const char *args;
};
const struct awk_builtin *awk_builtin_find(struct str name);
const struct awk_builtin *awk_builtin_row(int id);
/* Replaces the argc values on top of the stack by the result. */
void awk_builtin_run(struct awk *a, int id, int argc);
void awk_subst(struct awk *a, bool global, int kind, int32_t operand);
struct awk_val awk_gensub(struct awk *a, int argc, struct awk_val *argv);
double awk_match(struct awk *a, int argc, struct awk_val *argv);
size_t awk_count(struct awk *a, struct str s); /* characters */
/* x to the power y; small whole powers by multiplication, as gawk does. */
double awk_power(double x, double y);
/* Appends what printf would print. */
void awk_format(struct awk *a, struct buf *b, int argc, struct awk_val *argv, const char *what);
struct awk_val awk_strftime(struct awk *a, int argc, struct awk_val *argv);
struct awk_val awk_mktime(struct awk *a, int argc, struct awk_val *argv);
/* A double as %.6g would print it; 0 when that is not certain. */
size_t awk_fast_g6(double d, char *tmp);
void awk_srand(struct awk *a, double seed);
double awk_rand(struct awk *a);

#endif

/* expand_impl.h -- what the files of the expansion share
 *
 * A word is expanded part by part into fields. A field is built in the shell's arena; what was
 * quoted in it is remembered only as far as it matters for patterns.
 */
#ifndef HOB_SHELL_EXPAND_IMPL_H
#define HOB_SHELL_EXPAND_IMPL_H

#include "shell/var_impl.h"
#include "text/glob.h"

enum {                        /* more flags of an expansion, beside EXPAND_... */
    EXPAND_IN_DQUOTE = 1024,  /* the parts stand inside "..." */
    EXPAND_SPLIT_LIT = 2048,  /* literal text is split too: the operand of ${x-a b} */
    EXPAND_ESCAPE_ALL = 8192, /* with EXPAND_PATTERN: every quoted byte, as `set -x` shows it */
    EXPAND_DOC = 32768,       /* a here-document: $* is joined with blanks there */
    EXPAND_REPLACE = 4096     /* quoted & and \ get a backslash: the replacement of ${x/p/r} */
};

/* IFS, looked at once per word. */
struct expand_ifs {
    struct str s;     /* its text */
    bool standard;    /* blank, tab, newline */
    bool wide;        /* has characters beyond ASCII */
    bool space_first; /* its first character is white space */
    uint32_t set[8];  /* bytes that separate */
};

struct expand {
    struct shell *sh;
    int flags;
    struct strs *out; /* NULL: one string is made */
    char *p;          /* the field that is being built */
    size_t n, cap;
    bool some;        /* it is a field even when it is empty */
    bool magic;       /* an unquoted pattern character is in it */
    bool operand;     /* inside the operand of an unquoted ${x-..} */
    bool nothing;     /* a "$@" gave no field at all */
    bool after_space; /* the last separator was white space behind a field */
    bool bracket;     /* EXPAND_REGEX: inside [..] */
    bool ifs_ok;
    struct expand_ifs ifs;
    struct str missed; /* failglob: the first pattern that nothing matched */
    size_t *esc;       /* offsets of quoted bytes that a pattern must escape */
    size_t nesc, capesc;
};

/* The value of a parameter. Texts are borrowed from the variable where they can be. */
struct expand_value {
    bool set;
    bool list;  /* items; otherwise s */
    bool star;  /* $* rather than $@ */
    uint8_t op; /* enum param_op that made a list: decides how it is joined to one string */
    struct str s;
    struct str *items;
    size_t n;
    struct sym *sym; /* the variable it came from, NULL: none */
    struct var *var;
    struct str index; /* the subscript, for messages and @A; p NULL: none */
};

void expand_begin(struct expand *x, struct shell *sh, int flags, struct strs *out);
int expand_parts(struct expand *x, const struct part *p, int n, int mode);
int expand_finish(struct expand *x, struct str *out); /* one string */
int expand_end_field(struct expand *x);               /* if there is one */
int expand_one(struct expand *x, struct word *w);     /* one word to fields, braces done */
bool expand_add(struct expand *x, struct str s);      /* bytes as they are */
int expand_add_quoted(struct expand *x, struct str s);
int expand_add_split(struct expand *x, struct str s); /* the result of an unquoted expansion */
int expand_add_value(struct expand *x, const struct expand_value *v, bool quoted);
const struct expand_ifs *expand_ifs(struct expand *x);
bool expand_push(struct shell *sh, struct strs *v, struct str s); /* onto an arena vector */
int expand_abort(struct shell *sh);   /* ends the top-level command; returns HOB_EINVAL */
int expand_discard(struct shell *sh); /* the same, and in posix mode no more than that */
void expand_fatal(struct shell *sh);  /* ends the shell: ${x?}, nounset */
/* As expand_word, but the text may be borrowed from a variable: used up before anything runs. */
int expand_word_borrow(struct shell *sh, struct word *w, int flags, struct str *out);
/* The text of a subscript as a builtin or an expression got it: expanded, quotes removed. */
int expand_subscript(struct shell *sh, struct str text, struct str *out);
bool expand_constant(const struct word *w); /* nothing in it is ever expanded */

/* expand_param.c */
int expand_param(struct expand *x, const struct part *p, bool quoted);
int expand_param_value(struct shell *sh, struct param *p, struct expand_value *v, bool quiet);
struct str expand_param_name(struct shell *sh, const struct param *p); /* for messages */
struct str expand_join(struct shell *sh, const struct str *s, size_t n, struct str sep);
struct str expand_star_sep(struct shell *sh); /* what "$*" puts between */

/* expand_op.c: operators on values */
size_t expand_count(struct shell *sh, struct str s); /* length as ${#x} has it */
int expand_op(struct shell *sh, struct param *p, struct expand_value *v);
int expand_op_at(struct shell *sh, struct param *p, struct expand_value *v);
/* The pattern of a word, compiled once where it never changes. NULL: *err. Flags: GLOB_... */
struct glob_prog *expand_pattern(struct shell *sh, struct word *w, void **cache, int flags,
                                 int *err);

/* expand_brace.c */
int expand_brace(struct expand *x, struct word *w);

/* expand_quote.c, var_print.c */
enum {
    EXPAND_ANSI_QUOTE,
    EXPAND_ANSI_ECHO
};
bool expand_quote_needs_ansi(struct str s);
void expand_quote_ansi(struct buf *b, struct str s);
void expand_quote_single(struct buf *b, struct str s);
void expand_quote_double(struct buf *b, struct str s);
bool expand_quote_metas(struct str s);
void expand_quote_value(struct buf *b, struct str s);
void expand_quote_key(struct buf *b, struct str key);
void expand_quote_maybe(struct buf *b, struct str s);
void expand_quote_trace(struct buf *b, struct str s);
void var_letters(struct buf *b, uint32_t flags);
void var_print_array(struct buf *b, const struct var *v);
bool var_dynamic_shown(struct shell *sh, struct sym *s, struct str *out);

/* expand_tilde.c */
bool expand_tilde(struct shell *sh, struct str user, struct str *out);

#endif

/* lex.h -- what the files of the parser share: the parser object, its input and its tokens
 *
 * There are no token objects. The parser looks at the bytes where it stands: lex_peek() says what
 * kind of token comes next, without taking it, and the caller takes an operator with lex_take() or
 * a word with parse_word_read(). What is being collected (parts of a word, words of a command)
 * lies on stacks until its number is known, then goes to the arena of the program in one piece.
 *
 * A function that fails sets p->fail and returns NULL or false; callers pass that up at once.
 */
#ifndef HOB_SHELL_LEX_H
#define HOB_SHELL_LEX_H

#include "shell/parse.h"

enum lex_token {
    LEX_END,
    LEX_NEWLINE,
    LEX_WORD,
    LEX_REDIR, /* at an operator, or at the number or {name} in front of one */
    LEX_SEMI,  /* ; */
    LEX_AMP,   /* & */
    LEX_PIPE,  /* | */
    LEX_PIPEAMP /* |& */,
    LEX_AND,   /* && */
    LEX_OR,    /* || */
    LEX_DSEMI, /* ;; */
    LEX_SEMIAMP /* ;& */,
    LEX_DSEMIAMP /* ;;& */,
    LEX_LPAREN,
    LEX_RPAREN
};

enum lex_reserved {
    LEX_NONE,
    LEX_IF,
    LEX_THEN,
    LEX_ELSE,
    LEX_ELIF,
    LEX_FI,
    LEX_DO,
    LEX_DONE,
    LEX_WHILE,
    LEX_UNTIL,
    LEX_FOR,
    LEX_CASE,
    LEX_ESAC,
    LEX_SELECT,
    LEX_IN,
    LEX_FUNCTION,
    LEX_TIME,
    LEX_COPROC,
    LEX_LBRACE,
    LEX_RBRACE,
    LEX_BANG,
    LEX_LCOND,
    LEX_RCOND
};

/* Classes of bytes, bits of lex_class[]. */
enum {
    LEX_C_META = 1,    /* ends a word: blank ; & | ( ) < > newline */
    LEX_C_SPECIAL = 2, /* has some meaning inside an unquoted word */
    LEX_C_NAME = 4,    /* letter, digit, _ */
    LEX_C_DQUOTE = 8   /* has a meaning inside "..": " \ $ ` and newline for the count */
};
extern const uint8_t lex_class[256];

/* Text that is read in place of or inside the text below it. Those of aliases are left silently
 * at their end; a hard one (of `..`, of a here-document) ends the input. */
struct lex_frame {
    struct lex_frame *up;
    const char *at, *end, *start; /* where reading goes on below */
    size_t size;                  /* of this block on the heap, 0: on the C stack */
    struct str name;              /* of the alias */
    bool hard, blank;             /* blank: the alias ends with one, so the next word may be one */
    const char *arith_from, *arith_to; /* of the frame below, if this one is hard */
    size_t arith_base, arith_n;
    bool ended;
};

/* A here-document whose body has not been read. */
struct lex_heredoc {
    struct lex_heredoc *next;
    struct word *word; /* empty, filled with the body */
    struct str delim;
    int line;
    bool raw, strip;
    bool compound; /* of a compound command */
};

struct lex_stack {
    char *p;
    size_t n, cap;
};

struct parser {
    struct heap *heap;
    struct parse_options opt;
    struct str text;
    char *owned; /* a copy of the text without NULs, if it had any, or that joins may change */
    size_t owned_size;
    struct str given; /* the text of which `owned` is a copy byte for byte, or empty */
    bool joins;       /* there are continued lines, and the text may be changed: lex_join() */
    const char *at, *end, *start; /* the cursor in the current frame */
    struct lex_frame *frames;
    int line;
    bool ended; /* the newline that bash adds to a last line without one has been taken */
    struct program *prog;
    struct arena *arena;
    struct lex_stack stack, redirs, assigns, subs;
    struct buf txt; /* literal text being collected, used as a stack */
    struct buf src; /* text of the words being read, used as a stack */
    struct lex_heredoc *heredocs, **heredocs_end;
    int depth;
    int braces;                      /* of { } that are open */
    int quotes;                      /* of ".." that are open, outside of $( ) too */
    int comsub;                      /* nesting of $( ), <( ) in the current hard frame */
    const char *pushed, *pushed_end; /* a "((" that was none of arithmetic, as messages show it */
    bool again;                      /* what is read is the print of a substitution */
    bool compound_redirs;            /* those of a compound command are read */
    bool ansi_bad;                   /* bash finds no end of a "${..}" in this word */
    int func_line, func_body;        /* of the head and the { of the function that began last */
    int doc_line; /* in a here-document: the line where bash begins to count in $( ); else 0 */
    const char *doc_open; /* what was opened last there */
    bool doc_name;        /* ... is ${ and a name, and nothing that could follow */
    int fail;             /* HOB_E..., once something went wrong */
    struct parse_error *err;
    struct buf warnings;
    size_t alias_bytes; /* pushed for this command, bounded */
    bool alias_next;    /* the word that follows may be an alias whatever its place */
    int token_size;     /* bytes of the operator that lex_peek saw */
    /* What lex_peek saw last, and where: the parser often looks twice. NULL: nothing. */
    const char *seen_at, *seen_end;
    uint8_t seen;
    int8_t seen_word; /* the reserved word there, -1: not looked at */
    const char *source, *source_end;
    /* Where "((" was found not to begin arithmetic, for offsets in [arith_from, arith_to). */
    const char *arith_from, *arith_to;
    struct lex_stack arith_bad; /* sorted, from arith_base on */
    size_t arith_base;
    _Alignas(16) char room[512]; /* the first room of `stack` */
};

enum {
    LEX_DEPTH = 3000,
    LEX_ALIAS_BYTES = 1 << 24,
    LEX_JOIN = 256 /* bytes of a token that are moved, so that it costs no more than its lines */
};

/* ---- input ---- */

bool lex_more_slow(struct parser *p);
/* At the end of an alias goes on below it. True if there is a byte at p->at. */
static inline bool lex_more(struct parser *p) { return p->at < p->end || lex_more_slow(p); }
/* The byte k places ahead in this frame, 0 if there is none. */
static inline char lex_ahead(const struct parser *p, size_t k)
{
    return (size_t)(p->end - p->at) > k ? p->at[k] : '\0';
}
void lex_hard_push(struct parser *p, struct lex_frame *f, struct str text);
void lex_hard_pop(struct parser *p, struct lex_frame *f);
bool lex_insert(struct parser *p, struct str text); /* reads it before what follows */
bool lex_alias(struct parser *p); /* expands the alias at the cursor; false: there is none */

/* Where n bytes at the cursor are followed by continued lines, the two change places: what a token
 * begins with stands in one piece then. */
void lex_join(struct parser *p, size_t n);
void lex_join_name(struct parser *p); /* the same for the name at the cursor */

/* ---- tokens ---- */

enum lex_token lex_peek_slow(struct parser *p);
static inline enum lex_token lex_peek(struct parser *p)
{
    if (p->at == p->seen_at && p->end == p->seen_end)
        return (enum lex_token)p->seen;
    return lex_peek_slow(p);
}
void lex_take(struct parser *p);     /* an operator; a newline reads the here-documents */
void lex_newlines(struct parser *p); /* any number of newlines */
enum lex_reserved lex_reserved_slow(struct parser *p);
/* The reserved word at the cursor, not taken. */
static inline enum lex_reserved lex_reserved(struct parser *p)
{
    if (p->at != p->seen_at || p->end != p->seen_end)
        return lex_reserved_slow(p);
    if (p->seen_word < 0)
        p->seen_word = (int8_t)lex_reserved_slow(p);
    return (enum lex_reserved)p->seen_word;
}
void lex_take_reserved(struct parser *p, enum lex_reserved r);
bool lex_is_plain(struct parser *p, const char *word); /* the whole word at the cursor is this */
const char *lex_word_end(struct parser *p); /* end of an unquoted word, NULL if it has quoting */
static inline bool lex_name_start(char c)
{
    return (lex_class[(uint8_t)c] & LEX_C_NAME) && !(c >= '0' && c <= '9');
}
static inline bool lex_name_char(char c) { return (lex_class[(uint8_t)c] & LEX_C_NAME) != 0; }
const char *lex_name_end(const char *at, const char *end); /* `at` itself if no name is there */

/* ---- errors; all return false (as NULL, for pointers, the caller says) ---- */

bool lex_error(struct parser *p, int line, int status, const char *fmt, ...) PRINTF_LIKE(4, 5);
bool lex_unexpected(struct parser *p); /* the next token cannot stand here */
bool lex_unexpected_end(struct parser *p, int line, char match);
/* Another line of the message of a syntax error. */
void lex_error_more(struct parser *p, int line, const char *text);
int lex_last_line(const struct parser *p); /* what bash counts when it has met the end */
bool lex_nomem(struct parser *p);
bool lex_enter(struct parser *p); /* one level deeper; false when too deep */
static inline void lex_leave(struct parser *p) { p->depth--; }
struct str lex_line_text(const struct parser *p, const char *at);
bool lex_token_text(struct parser *p, struct buf *b); /* how messages name the next token */
void lex_warn(struct parser *p, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* ---- collecting ---- */

void *lex_push(struct parser *p, struct lex_stack *s, size_t size); /* cleared; NULL: no memory */
/* What lies above base goes to the arena. NULL if that is nothing, or without memory. */
void *lex_pop(struct parser *p, struct lex_stack *s, size_t base);
struct str lex_keep(struct parser *p, struct str s);                /* into the arena */
static inline struct str lex_text(const struct buf *b, size_t from) /* what was added since */
{
    return b->n > from ? str_of(b->p + from, b->n - from) : STR("");
}

/* ---- the parts of the parser ---- */

enum {
    PARSE_WORD_ASSIGN = 1,   /* name=... may have ~ behind = and : */
    PARSE_WORD_NOBRACE = 2,  /* no brace expansion */
    PARSE_WORD_EXTGLOB = 4,  /* patterns like @(a|b) whatever the option says */
    PARSE_WORD_REGEX = 8,    /* ( ) and | belong to the word */
    PARSE_WORD_COMMAND = 16, /* a command's first word: name[ goes on to its ], blanks or not */
    PARSE_WORD_ELEMENT = 64, /* of name=(..): a [ at its start goes on to its ], as with COMMAND */
    PARSE_WORD_LIST = 256,   /* the first ( belongs to the word, up to its ) */
    PARSE_WORD_BARE = 128,   /* a $'..' is replaced by its text, without quotes */
    PARSE_WORD_VALUE = 32    /* the right side of an assignment: ~ at its start and behind : */
};

/* A word being read: where its parts and its text begin, and what was found. */
struct parse_seq {
    size_t parts, txt, src, subs;
    int flags;          /* WORD_... found so far */
    int mode;           /* PARSE_WORD_... */
    int ext;            /* depth of ( ) inside patterns */
    int open;           /* brace marks that are open */
    bool braces;        /* brace marks were made */
    bool bad;           /* holds a PARAM_BAD, whose text is set at the end */
    bool bracket;       /* an unquoted [ was seen */
    bool listed;        /* PARSE_WORD_LIST: its ( was seen */
    signed char assign; /* text begins with name=: 1 yes, -1 no, 0 not looked at */
};

struct word *parse_word_read(struct parser *p, int mode);
struct word *parse_word_static(struct parser *p, struct str lit, struct str src, int kind);
void parse_word_begin(struct parser *p, struct parse_seq *q, int mode);
bool parse_word_flush(struct parser *p, struct parse_seq *q, int kind);
struct part *parse_word_part(struct parser *p, int kind); /* pushed, cleared */
/* The word made of what was collected; NULL with p->fail, or without when it is empty and
 * `empty` is false. */
struct word *parse_word_end(struct parser *p, struct parse_seq *q, bool own_src, bool empty);
struct str parse_word_shown(struct parser *p, const struct parse_seq *q);
bool parse_word_run(struct parser *p, struct parse_seq *q, const char *stops);
bool parse_word_expands(struct parser *p);
bool parse_word_dollar(struct parser *p, struct parse_seq *q, bool quoted);
bool parse_word_backquote(struct parser *p, bool quoted);
bool parse_word_single(struct parser *p);
bool parse_word_ansi_text(struct parser *p); /* behind $': the text goes to txt */
bool parse_word_ansi_again(struct parser *p, size_t from);
bool parse_word_tilde(struct parser *p, struct parse_seq *q);

enum {
    PARSE_DQ_STRING,
    PARSE_DQ_TEXT,
    PARSE_DQ_HEREDOC,
    PARSE_DQ_OPERAND,
    PARSE_DQ_ARITH,
    PARSE_DQ_INDEX,
    PARSE_DQ_SUBSTR,
    PARSE_DQ_LENGTH, /* as SUBSTR, and a : is part of it */
    PARSE_DQ_FOR
};
bool parse_dq_run(struct parser *p, struct parse_seq *q, int kind);
bool parse_dq_string(struct parser *p, struct parse_seq *q, bool dollar);
struct word *parse_dq_arith(struct parser *p, int kind);
/* Whether "((" at `at` begins arithmetic; if not, *close is its ")", NULL when there is none. */
bool parse_dq_is_arith(struct parser *p, const char *at, const char **close);

bool parse_param_read(struct parser *p, struct parse_seq *q, bool quoted);
struct word *parse_param_index(struct parser *p, const char *stops);

bool parse_brace_build(struct parser *p, struct parse_seq *q);
enum {
    PARSE_BRACE_MARK = 100
}; /* kind of a part that marks an unquoted { , or } */

bool parse_comsub(struct parser *p, char kind);
/* A text of its own, `inside` the one being read or a copy. */
struct node *parse_script(struct parser *p, struct str text, int line, bool inside,
                          struct part *into);
struct word *parse_document(struct parser *p, struct str text, int line, struct part *bad);

bool parse_heredoc_add(struct parser *p, struct redir *r, const struct word *delim);
bool parse_heredoc_read(struct parser *p);

bool parse_redir(struct parser *p);
/* Redirections collected above base become those of n. */
bool parse_redirs_end(struct parser *p, struct node *n, size_t base);
struct node *parse_simple(struct parser *p);
struct node *parse_function(struct parser *p, const struct word *name, bool keyword, int line);
struct node *parse_command(struct parser *p);
struct node *parse_compound(struct parser *p);
struct node *parse_node(struct parser *p, int kind, int line);
struct node *parse_cond(struct parser *p);

#endif

/* regex_impl.h -- what the files of the regex engine share; nobody else includes it
 *
 * A pattern becomes a tree (regex_parse.c), the tree a program of nodes that read bytes
 * (regex_nfa.c), and the program is run forward and backward as a lazy DFA (regex_dfa.c, driven by
 * regex_run.c). Literals that every match must hold are looked for first (regex_literal.c), or
 * single bytes (regex_bytes.c).
 * regex_walk.c finds sub-matches, regex_back.c tries patterns with back-references, regex.c is the
 * way in.
 */
#ifndef HOB_TEXT_REGEX_IMPL_H
#define HOB_TEXT_REGEX_IMPL_H

#include "base/arena.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "text/regex.h"

enum {
    REGEX_MAX_DEPTH = 400,       /* nesting of groups and repetitions */
    REGEX_MAX_NODES = 1 << 18,   /* of a program, so that intervals cannot blow it up */
    REGEX_MAX_WORDS = 1 << 22,   /* bytes of a set of fixed strings */
    REGEX_MAX_REPEAT = 32767,    /* POSIX's RE_DUP_MAX */
    REGEX_TICK = 1 << 16,        /* steps between two calls of the tick */
    REGEX_RAW = 0x110000,        /* a byte that is not UTF-8 counts as character RAW + byte */
    REGEX_LAST = REGEX_RAW + 255 /* the last number of a character */
};

/* ---- sets of characters ---------------------------------------------------------------------- */

struct regex_span {
    uint32_t lo, hi;
};

/* Sorted and without overlap once regex_set_tidy() ran. Lives in the arena of the compilation. */
struct regex_set {
    struct regex_span *p;
    size_t n, cap;
};

bool regex_set_add(struct arena *a, struct regex_set *s, uint32_t lo, uint32_t hi);
void regex_set_tidy(struct regex_set *s);
bool regex_set_has(const struct regex_set *s, uint32_t c);
bool regex_set_remove(struct arena *a, struct regex_set *s, uint32_t c);
/* The characters that are not in s; raw bytes are characters only with REGEX_BYTES. */
bool regex_set_negate(struct arena *a, struct regex_set *s, unsigned flags);
/* Makes it all characters whose upper case is a member: the text is compared in upper case. */
bool regex_set_fold(struct arena *a, struct regex_set *s, unsigned flags);
/* Adds the class `name`: 1, 0 if there is no such class, HOB_ENOMEM. */
int regex_set_class(struct arena *a, struct regex_set *s, struct str name, unsigned flags);
uint32_t regex_upper(uint32_t c, unsigned flags);
bool regex_is_word(uint32_t c);

/* ---- the tree -------------------------------------------------------------------------------- */

enum regex_op {
    REGEX_SET,
    REGEX_CAT,
    REGEX_ALT,
    REGEX_REP,
    REGEX_GROUP,
    REGEX_ASSERT,
    REGEX_BACKREF,
    REGEX_WORDS
};

/* What an assertion demands of the characters before and behind it. */
enum regex_assertion {
    REGEX_BOL,
    REGEX_EOL,
    REGEX_BOT,
    REGEX_EOT,
    REGEX_WORD_FIRST,
    REGEX_WORD_LAST,
    REGEX_IN_WORD,
    REGEX_OUT_WORD,
    REGEX_NO_WORD_BEFORE,
    REGEX_NO_WORD_BEHIND
};

/* NULL stands for the empty expression. */
struct regex_ast {
    enum regex_op op;
    uint32_t arg;            /* group, back-reference (from 1), or assertion */
    int depth;               /* of the tree from here down */
    int32_t min, max;        /* of a repetition; max < 0: no end */
    struct regex_ast **kids; /* some may be NULL */
    uint32_t nkids, cap;
    struct regex_set set;
    uint32_t trie, trie_n, root; /* where the set was compiled to; trie_n == 0: not yet */
    struct regex_word *words;    /* of REGEX_WORDS: the root of a tree by bytes */
};

/* A set of fixed strings by their bytes. */
struct regex_word {
    struct regex_word *child, *next; /* siblings are sorted by byte */
    struct regex_word *twin;         /* goes on as that one does: another case of a letter */
    uint32_t number;
    uint8_t byte;
    bool end; /* a string ends here */
};

/* What comes out of parsing, beside the tree. */
struct regex_syntax {
    struct arena *arena;
    unsigned flags;
    uint32_t groups;
    bool backrefs;
    int error; /* 0 or a negative HOB_E number */
    const char *message;
};

/* NULL with s->error set, or with s->error == 0 for an empty pattern. */
struct regex_ast *regex_parse(struct regex_syntax *s, struct str pattern);
struct regex_ast *regex_parse_fixed(struct regex_syntax *s, struct str pattern);
struct regex_ast *regex_ast_new(struct regex_syntax *s, enum regex_op op);
bool regex_ast_push(struct regex_syntax *s, struct regex_ast *t, struct regex_ast *kid);
void regex_fail(struct regex_syntax *s, const char *message);

/* ---- the program ----------------------------------------------------------------------------- */

enum regex_kind {
    REGEX_N_CHAR,
    REGEX_N_SPLIT,
    REGEX_N_OPEN,
    REGEX_N_CLOSE,
    REGEX_N_ASSERT,
    REGEX_N_BACKREF,
    REGEX_N_ACCEPT
};

struct regex_node {
    uint8_t kind;
    bool opt;     /* of a close: its group stands in the optional part of a repetition */
    uint16_t arg; /* assertion */
    uint32_t out; /* where it goes on; of a character: behind its last byte */
    union {
        uint32_t alt;   /* of a split: the second choice */
        uint32_t base;  /* of a character: the node of its first trie state */
        uint32_t group; /* of open, close, back-reference */
    } u;
    uint32_t state; /* of a character: its trie state */
};

#define REGEX_FINAL UINT32_MAX

/* From a trie state bytes lo..hi lead to state `to` of the same trie, or to its end. */
struct regex_edge {
    uint8_t lo, hi;
    uint32_t to;
};

struct regex_state_edges {
    uint32_t first, n;
};

/* Symbols of the DFA: classes of bytes that no node tells apart, then the two edges of a text. */
struct regex_alphabet {
    uint8_t map[256];
    /* With word assertions, for bytes >= 128: those of a word character, and those of another
     * character but its first. */
    uint16_t word[128], cont[128];
    uint16_t raw[128]; /* and those that are no character, which count as if they were Latin-1 */
    uint16_t n;        /* symbols without the edges */
    uint8_t rep[512];  /* a byte of the class */
    uint8_t ctx[512];  /* what the class is as a neighbour: REGEX_CTX_... */
};

/* What stands on one side of a place: the edge of the text, an end of line, a word character, the
 * inside of a character. */
enum {
    REGEX_CTX_EDGE = 1,
    REGEX_CTX_LINE = 2,
    REGEX_CTX_WORD = 4,
    REGEX_CTX_CONT = 8,
    REGEX_CTX_UNKNOWN = 16,
    REGEX_CTX_RAW = 32 /* with REGEX_CTX_WORD: a byte that is no character */
};

struct regex_prog {
    VEC(struct regex_node) nodes;
    VEC(struct regex_state_edges) states;
    VEC(struct regex_edge) edges;
    uint32_t start, accept;
    unsigned asserts; /* bit set of the assertions in it */
    bool undoes;      /* some group stands in the optional part of a repetition */
    struct regex_alphabet abc;
    /* Edges backward, made when needed: sources of node i are from[first[i]..first[i+1]-1]. */
    uint32_t *from, *first;
    size_t nfrom;
};

int regex_prog_build(struct heap *h, struct regex_syntax *s, struct regex_ast *t, bool approximate,
                     struct regex_prog *p);
/* Before another program is made from the same tree. */
void regex_forget_tries(struct regex_ast *t);
int regex_prog_reverse(struct heap *h, struct regex_prog *p);
void regex_prog_fini(struct heap *h, struct regex_prog *p);
/* Whether node reads byte c on its way to node `to`. */
bool regex_prog_reads(const struct regex_prog *p, uint32_t node, uint8_t c, uint32_t to);
/* 1 or 0, or -1 if that hangs on a side that is REGEX_CTX_UNKNOWN. */
int regex_assert_holds(unsigned kind, unsigned before, unsigned behind);

/* ---- literals -------------------------------------------------------------------------------- */

enum {
    REGEX_LITERALS = 8
};

struct regex_literals {
    int n;
    bool icase;       /* compare letters in lower case; the strings are in lower case */
    bool asked, avx2; /* whether the machine has wide vectors, once asked */
    struct regex_needle {
        char *p;
        size_t n, one, two; /* offsets of its two rarest bytes, one <= two */
    } v[REGEX_LITERALS];
};

enum {
    REGEX_RANGES = 4
};

/* A set of bytes lo..lo+width; n == 0: it is of no use. */
struct regex_bytes {
    int n;
    uint8_t lo[REGEX_RANGES], width[REGEX_RANGES];
};

struct regex_prefilter {
    struct regex_literals need;  /* every match holds one of these */
    struct regex_literals start; /* every match begins with one of these */
    bool whole;                  /* matches are exactly the strings of `start` */
    /* The same by single bytes, where there are no strings. */
    struct regex_bytes start_bytes, need_bytes;
};

int regex_prefilter_build(struct heap *h, struct arena *a, const struct regex_ast *t,
                          unsigned flags, struct regex_prefilter *f);
void regex_prefilter_fini(struct heap *h, struct regex_prefilter *f);
/* Where the first of them begins at or behind `from`, SIZE_MAX if nowhere. */
size_t regex_literals_find(struct regex_literals *l, struct str text, size_t from);
/* The length of the longest of them that stands at `at`, 0 if none does. */
size_t regex_literals_at(const struct regex_literals *l, struct str text, size_t at);

/* How often a byte is met in ordinary text, in a thousand. A guess is good enough. */
unsigned regex_frequency(uint8_t c, bool icase);
void regex_bytes_build(const struct regex_ast *t, struct regex_bytes *start,
                       struct regex_bytes *need);
/* The first byte of the set at or behind `from`, SIZE_MAX if there is none. */
size_t regex_bytes_find(const struct regex_bytes *b, struct str text, size_t from);

/* ---- the automaton --------------------------------------------------------------------------- */

/* States are numbered; a transition is state << shift, with the high bit when it needs a look. */
#define REGEX_SPECIAL 0x80000000u
enum {
    REGEX_UNKNOWN = 0,
    REGEX_DEAD = 1
};
enum {
    REGEX_S_NOW = 1,     /* a match ends here (backward: begins here) */
    REGEX_S_LATE = 2,    /* a match ended before the symbol that led here */
    REGEX_S_SEARCH = 4,  /* further matches may begin from here on */
    REGEX_S_PENDING = 8, /* some assertion waits for the next symbol */
    REGEX_S_IDLE = 16,   /* nothing has begun yet: literals may be looked for */
};

struct regex_state {
    uint32_t items, n; /* in the pool */
    uint32_t hash;
    uint8_t flags, ctx; /* ctx: the known neighbour, kept while an assertion waits */
};

/* Items of a state: numbers of nodes. */
struct regex_items {
    uint32_t *p;
    size_t n, cap;
};

struct regex_dfa {
    struct heap *heap;
    struct regex_prog *prog;
    bool ready;
    bool back, ordered; /* reads towards the begin; keeps the order of begins */
    bool idle;          /* idle states are to be looked at */
    unsigned shift;
    size_t max; /* bytes for states */
    VEC(struct regex_state) states;
    VEC(uint32_t) table; /* transitions, one row of 1 << shift for each state */
    struct regex_items pool;
    uint32_t *hash; /* states by their items, 0: free */
    size_t nhash;
    uint32_t starts[128]; /* entries by context and variant; 0: not made yet */
    uint64_t flushes;     /* how often all states were dropped, */
    unsigned thrash;      /* how often in a row too soon, */
    size_t since;         /* and how many bytes were read since */
    uint64_t work;        /* nodes looked at since the last tick */
    /* Room for making one state: a set of nodes, a stack, and lists of items. */
    uint32_t *dense, *sparse, *stack;
    size_t ndense, nwork;
    struct regex_items out, res;
    bool waits, failed;
    /* A run without keeping states. */
    struct regex_state cur;
    struct regex_items hold;
};

int regex_dfa_init(struct regex_dfa *d, struct heap *h, struct regex_prog *p, bool back,
                   bool ordered, size_t max);
void regex_dfa_fini(struct regex_dfa *d);
int regex_dfa_flush(struct regex_dfa *d);
/* The transition into the first state, with the context known. Forward, `variant` goes on looking
 * for later begins; backward, it takes no assertion that stands at the very end of the pattern. */
int regex_dfa_start(struct regex_dfa *d, unsigned ctx, bool variant, uint32_t *entry);
/* Makes the transition of state `from` on a symbol. All states may be dropped on the way. */
int regex_dfa_step(struct regex_dfa *d, uint32_t from, unsigned sym, uint32_t *entry);
/* Takes in a state whose items were kept elsewhere. */
int regex_dfa_adopt(struct regex_dfa *d, const struct regex_state *s, const uint32_t *items,
                    uint32_t *entry);
/* The same without keeping states: d->cur and d->hold are the state. */
int regex_free_begin(struct regex_dfa *d, uint32_t id);
int regex_free_step(struct regex_dfa *d, unsigned sym);
/* All nodes of a waiting state backward that hold once the context before is known, to d->res. */
int regex_dfa_resolve(struct regex_dfa *d, const struct regex_state *s, const uint32_t *items,
                      unsigned before);
bool regex_items_have(const uint32_t *items, size_t n, uint32_t k);

/* ---- running --------------------------------------------------------------------------------- */

struct regex {
    struct heap *heap;
    unsigned flags;
    uint32_t groups;
    uint32_t *same_as;       /* of groups + 1: the group that is reported for each */
    bool backrefs, anchored; /* anchored: every match begins with ^ or \` */
    bool nothing;            /* an empty set of patterns */
    bool line_end;           /* the pattern is $, with REGEX_LINES */
    char eol;                /* the line end, with REGEX_LINES */
    size_t min, max;         /* bytes of a match; max SIZE_MAX: no bound */
    struct regex_prog prog;
    struct regex_prog approx; /* with back-references: one without, that matches at least as much */
    struct regex_dfa any, find, rev;
    struct regex_prefilter pre;
    bool pre_off;       /* literals turned out to be too frequent */
    uint64_t pre_tries; /* how often they were looked for, and how far that led */
    uint64_t pre_bytes;
    regex_tick_fn tick;
    void *tick_ud;
    uint64_t owed; /* steps that the tick was not told of yet */
    uint64_t max_steps;
    size_t cache;
    /* Room for regex_walk.c: states at the places of a block and at the ends of blocks, groups to
     * fall back to, and when a node was last passed. */
    VEC(struct regex_state) log;
    VEC(struct regex_state) marks;
    struct regex_items log_items, mark_items;
    VEC(struct regex_match) regs;
    uint32_t *via, via_gen;
    struct regex_back *back;
};

bool regex_prog_words(const struct regex_prog *p);
unsigned regex_symbol(const struct regex *re, const struct regex_prog *p, struct str text,
                      size_t i);
/* The contexts on both sides of offset i. */
unsigned regex_ctx_before(const struct regex *re, const struct regex_prog *p, struct str text,
                          size_t i, unsigned eflags);
unsigned regex_ctx_behind(const struct regex *re, const struct regex_prog *p, struct str text,
                          size_t i, unsigned eflags);
/* Notes work done, and tells the tick when there is enough. Its result if negative, else 0. */
int regex_charge(struct regex *re, struct regex_dfa *d, uint64_t bytes);

/* Runs d over text from `from` on: 1 and *end, 0, or negative. `search`: the match may begin later;
 * `earliest`: the first end found will do. */
int regex_forward(struct regex *re, struct regex_dfa *d, struct str text, size_t from,
                  unsigned eflags, bool search, bool earliest, size_t *end);
/* The least begin, not below `low`, of a match that ends at `end`. */
int regex_backward(struct regex *re, struct regex_dfa *d, struct str text, size_t low, size_t end,
                   unsigned eflags, size_t *start);
/* The groups of the match m[0] that is known. The others of m are -1 before. */
int regex_walk(struct regex *re, struct str text, unsigned eflags, struct regex_match *m,
               size_t nm);
void regex_walk_group(const struct regex_node *n, ptrdiff_t at, struct regex_match *m,
                      struct regex_match *kept, size_t nm);
/* With back-references: the leftmost longest match at or behind `from`, before `last`. */
int regex_back_exec(struct regex *re, struct str text, size_t from, size_t last, unsigned eflags,
                    struct regex_match *m, size_t nm);
void regex_back_free(struct regex *re);

#endif

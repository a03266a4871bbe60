/* yaml.h -- YAML 1.2 as a tree that remembers how it was written
 *
 * A document is read into nodes that borrow from its text: kinds, styles, anchors, tags, comments.
 * The values that programs work on are made of them (yaml_value.c). When a value is written again
 * the nodes it came from are found by its containers, or by the place it stands in, and lend it
 * their comments and styles (yaml_write.c). There is no library in this, because a library would
 * take its memory from somewhere else than the heap of the sandbox.
 */
#ifndef HOB_COMMANDS_YQ_YAML_H
#define HOB_COMMANDS_YQ_YAML_H

#include "commands/jq/jq.h"

enum yaml_kind {
    YAML_SCALAR,
    YAML_SEQ,
    YAML_MAP,
    YAML_ALIAS
};

enum yaml_style {
    YAML_PLAIN,
    YAML_SINGLE,
    YAML_DOUBLE,
    YAML_LITERAL,
    YAML_FOLDED,
    YAML_FLOW /* of containers; YAML_PLAIN is a block */
};

/* What few nodes have. Comments are slices of the text: whole lines, or from a # on. */
struct yaml_notes {
    struct str head, line, foot;
    struct str raw; /* the lines of a block scalar */
    int raw_indent;
};

struct yaml_node {
    uint8_t kind, style;
    uint8_t indent; /* columns to the right of the key or the dash in front; 0: flush, or unknown */
    bool merge;     /* a key << whose value was merged */
    uint32_t n;     /* children; keys and values are one each */
    uint32_t written; /* the number of the output that has its anchor */
    struct str text;  /* of a scalar, or the name in an alias */
    struct str tag, anchor;
    struct yaml_notes *notes;              /* or NULL */
    struct yaml_node *first, *last, *next; /* children: items, or key, value, key, value */
    struct yaml_node *target;              /* of an alias */
    struct yaml_node *same;                /* anchors: the one before */
    struct jq_val v;                       /* borrowed from the value of the document */
};

struct yaml_doc {
    struct jq *j;
    struct arena arena;
    struct yaml_node *root;   /* NULL: nothing was read */
    struct str before;        /* comments in front of the --- */
    struct str head;          /* and those behind it that do not belong to what follows */
    bool marked;              /* it began with --- */
    bool blank;               /* there was nothing at all */
    int indent;               /* the first one seen in the text; 0: none */
    struct jq_val value;      /* owned */
    VEC(struct jq_val) kept;  /* values that nodes know and the document's has not */
    struct yaml_node **table; /* containers by the address of their value; NULL: not made yet */
    uint32_t mask;
};

struct yaml_reader {
    struct jq *j;
    struct str text;
    const char *p, *end;
    const char *bol; /* where the line of p begins */
    struct yaml_doc *doc;
    struct yaml_node *anchors[256]; /* by a hash of their names */
    struct str gap;                 /* lines of comments that nobody has claimed yet */
    struct str note;                /* a comment behind something on the same line */
    const char *wrong;
    const char *wrong_at;
    bool any; /* a document was read */
};

/* yaml_parse.c */
void yaml_reader_init(struct yaml_reader *y, struct jq *j, struct str text);
/* The next document: 1, 0 at the end, -1 a mistake in the text, -2 out of memory or killed. */
int yaml_reader_next(struct yaml_reader *y, struct yaml_doc *d);
/* "line 3: text", on the arena of the process. */
struct str yaml_reader_message(const struct yaml_reader *y);
void yaml_doc_fini(struct yaml_doc *d);

/* yaml_lex.c: scalars and what separates them */
void *yaml_fail(struct yaml_reader *y, const char *what); /* NULL; the first one counts */
struct yaml_node *yaml_new(struct yaml_reader *y, int kind, int style);
struct yaml_notes *yaml_notes(struct yaml_doc *d, struct yaml_node *n); /* NULL: no memory */
void yaml_gap(struct yaml_reader *y);
bool yaml_indicator(const struct yaml_reader *y, char c);
bool yaml_ended(const struct yaml_reader *y);
bool yaml_key_ahead(const struct yaml_reader *y);
struct yaml_node *yaml_plain(struct yaml_reader *y, int n, bool flow);
struct yaml_node *yaml_quoted(struct yaml_reader *y);
struct yaml_node *yaml_block_scalar(struct yaml_reader *y, int n);
static inline int yaml_column(const struct yaml_reader *y)
{
    ptrdiff_t n = y->p - y->bol;
    return n > 1 << 30 ? 1 << 30 : (int)n;
}

/* yaml_value.c */
bool yaml_build(struct yaml_reader *y, struct yaml_doc *d);
/* What a plain scalar stands for: JQ_STRING stands for itself, and is not made. */
struct jq_val yaml_resolve(struct jq *j, struct str s, bool *string);
struct yaml_node *yaml_find(struct yaml_doc *d, struct jq_val v); /* the node of a container */

/* yaml_write.c */
struct yaml_writer {
    struct jq *j;
    struct buf *b;
    struct yaml_doc *doc; /* NULL: nothing is known of where the value comes from */
    int indent;           /* columns by which a level is indented */
    bool plain;           /* -P: no styles */
    bool blanks;          /* empty lines are kept, and sequences as they were indented */
    bool color, sort, expand, deep;
    uint32_t serial; /* of the output */
};
/* One document, with the newline at its end. whole: it stands for the document that was read, and
 * takes over the comments around it. */
void yaml_write(struct yaml_writer *w, struct jq_val v, bool whole);

#endif

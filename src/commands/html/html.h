/* html.h -- HTML read as a stream of tags and texts, and written as Markdown */
#ifndef HOB_COMMANDS_HTML_HTML_H
#define HOB_COMMANDS_HTML_HTML_H

#include "shell/command.h"

enum html_kind {
    HTML_END,
    HTML_TEXT,  /* text, with its entities as they stand */
    HTML_OPEN,  /* <name ...>; void elements as well */
    HTML_CLOSE, /* </name> */
};

struct html_token {
    enum html_kind kind;
    struct str name;       /* lower case, cut at 31 bytes */
    struct str text;       /* of HTML_TEXT */
    struct str attributes; /* of HTML_OPEN: what stands behind the name */
    char letters[32];      /* where the name is */
};

struct html_reader {
    struct str rest;
    char raw[32]; /* in <script>, <style> ...: up to its end tag all is text; "" */
};

/* Every byte string is HTML: what cannot be a tag is text. Linear in the length. */
void html_next(struct html_reader *r, struct html_token *t);
/* The value of an attribute with its entities; false: it has none of that name. */
bool html_attribute(const struct html_token *t, const char *name, struct str *value);
/* Appends with entities as characters. */
void html_decode(struct buf *b, struct str s);

/* The whole page. 0, HOB_ENOMEM, HOB_EKILLED. */
int markdown_write(struct proc *p, struct str html, struct str base, struct buf *out);

#endif

/* json.h -- JSON read into a tree in an arena, and the pieces to write it */
#ifndef HOB_TEXT_JSON_H
#define HOB_TEXT_JSON_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
};

struct json {
    enum json_kind kind;
    struct str text;   /* a string decoded to bytes, or a number as it was written */
    struct str key;    /* its name, if it is a member of an object */
    struct json *next; /* the next element or member */
    struct json *first, *last;
    size_t n; /* elements or members */
    struct json *parent;
};

/* Reads one value and nothing behind it but blanks. Texts have a NUL behind; \u0000 is a NUL byte,
 * a surrogate without its partner becomes three bytes. HOB_ESYNTAX with a message (err may be
 * NULL), for nesting deeper than max_depth too; HOB_ENOMEM. */
int json_parse(struct arena *a, struct str in, int max_depth, struct json **out,
               struct hob_error *err);

/* The member of that name, the last one if there are several. NULL if there is none, or if v is no
 * object; v may be NULL, so calls can be chained. */
struct json *json_get(const struct json *v, const char *key);
struct json *json_at(const struct json *v, size_t i);
/* The text of a string; false if v is NULL or something else. */
bool json_string(const struct json *v, struct str *out);
/* A number without fraction or exponent that fits; false if it is something else. */
bool json_int(const struct json *v, int64_t *out);
bool json_bool(const struct json *v, bool fallback);

/* Appends s in quotes. Bytes that are no valid UTF-8 are replaced by U+FFFD: false then. */
bool json_quote(struct buf *b, struct str s);
/* Appends a whole tree, without blanks. */
void json_write(struct buf *b, const struct json *v);

#endif

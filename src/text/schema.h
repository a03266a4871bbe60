/* schema.h -- JSON Schema: the vocabulary that tool schemas use
 *
 * type (one or several), properties, patternProperties, required, additionalProperties, items,
 * prefixItems, enum, const, minimum maximum exclusiveMinimum exclusiveMaximum multipleOf,
 * minLength maxLength pattern format, minItems maxItems uniqueItems, minProperties
 * maxProperties, anyOf oneOf allOf not, $ref into the same schema, nullable, default, title,
 * description. An unknown keyword is no error; a wrong one is.
 *
 * A pattern is a regular expression as JavaScript has them. One that looks ahead or behind
 * cannot be checked in linear time: it is taken, and every text fits it.
 */
#ifndef HOB_TEXT_SCHEMA_H
#define HOB_TEXT_SCHEMA_H

#include "text/json.h"

struct regex;
struct schema;

/* The schema lives in the arena, and so must the tree of `v`. HOB_EINVAL with a text. */
int schema_compile(struct arena *a, const struct json *v, struct schema **out,
                   struct hob_error *err);
/* The number of faults; each one is appended as a line "/path: what is wrong", at most max lines.
 * HOB_ENOMEM. */
int schema_check(const struct schema *s, struct arena *a, const struct json *v, struct buf *faults,
                 int max);
/* Whether the two are the same value: numbers by what they are worth, objects in any order. */
bool schema_equal(const struct json *a, const struct json *b);

/* Compiles a JavaScript pattern on the arena's heap; it goes with the arena. *out is NULL after
 * success when the pattern looks around, or is too big: then it cannot be checked. HOB_EINVAL,
 * HOB_ENOMEM. */
int schema_pattern(struct arena *a, struct str pattern, struct regex **out, struct hob_error *err);
/* Whether the text has the format; formats that are not known fit everything. */
bool schema_format(struct str format, struct str text);

#endif

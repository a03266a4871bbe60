/* frontmatter.h -- the settings at the head of a Markdown file, in a subset of YAML
 *
 * Maps and lists by indentation or in brackets, plain and quoted scalars over several lines, |
 * and > blocks, comments. No anchors, tags, directives or further documents: they are errors,
 * never guessed at. What is read is a tree as JSON has it, whose nodes know their lines.
 */
#ifndef HOB_TEXT_FRONTMATTER_H
#define HOB_TEXT_FRONTMATTER_H

#include "text/json.h"

struct frontmatter {
    struct json *top; /* an object; empty when there is no front matter */
    bool present;
    struct str body; /* what stands behind it, borrowed from the text */
    int body_line;   /* where the body begins, from 1 */
};

/* Reads "---", settings, "---" and the body. `name` is the file's, for messages: HOB_ESYNTAX with
 * "name:line: what is wrong". HOB_ENOMEM. */
int frontmatter_read(struct arena *a, struct str text, const char *name, struct frontmatter *out,
                     struct hob_error *err);
/* Reads settings alone; their first line has the number `line`. */
int frontmatter_parse(struct arena *a, struct str text, const char *name, int line,
                      struct json **out, struct hob_error *err);
/* The line of a node of such a tree (of a member: that of its key). Only for these trees. */
int frontmatter_line(const struct json *v);

#endif

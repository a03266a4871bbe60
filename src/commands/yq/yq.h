/* yq.h -- what the parts of yq share: jq's machine with other readers and writers around it */
#ifndef HOB_COMMANDS_YQ_YQ_H
#define HOB_COMMANDS_YQ_YQ_H

#include "commands/yq/yaml.h"

enum yq_format {
    YQ_AUTO,
    YQ_YAML,
    YQ_JSON,
    YQ_TOML,
    YQ_XML,
    YQ_CSV,
    YQ_TSV,
    YQ_PROPS,
    YQ_INI
};

struct yq_options {
    bool null_input, raw_input, slurp, compact, join, ascii, sort, color, mono, tab, in_place;
    bool exit_status, pretty, no_doc, help, version, yaml_output;
    bool raw, unwrap_off; /* -r, and its opposite */
    bool text_off;        /* --csv-auto-parse=false */
    struct str in, out, expression, from_file, front_matter;
    struct str attribute, content; /* the names of XML's attributes and text */
    struct str separator;          /* of CSV */
    struct str indent, ignored, library;
};

struct yq {
    struct jq j; /* the first, so that functions of the machine find the rest */
    struct yq_options o;
    struct jq_input input;
    struct strs files;
    struct out out;
    struct buf b;              /* output that is not handed on yet */
    struct buf text;           /* the file that is being read */
    struct str tail;           /* what stands behind the front matter, copied through */
    struct str wrong;          /* what is wrong with the text that was read last */
    enum yq_format in, format; /* of the open file; of the output */
    bool open;                 /* a text is being read */
    bool json_open, done, has_program;
    bool expand; /* explode() was called: no aliases in the output */
    int indent, positional;
    int last; /* -1: no output yet, 0: false or null, 1: something else */
    struct yaml_reader yaml;
    struct jq_reader json;
    struct yaml_doc doc;    /* the one that is being worked on */
    uint32_t docs, printed; /* documents read; the one of the last output, 0: none */
    uint32_t serial;        /* of outputs */
    size_t doc_index;       /* within its file */
    bool crlf;              /* the lines of the file end in \r\n */
};

/* yq_input.c */
int yq_source(struct jq_input *i, struct jq_val *out); /* as jq_input_next() */
enum yq_format yq_format_of(struct str name);          /* of a word; YQ_AUTO: it is none */
enum yq_format yq_format_of_path(struct str path);
/* A whole text as one value (several documents: the first). JQ_NONE: m->wrong, or no memory. */
struct jq_val yq_parse(struct yq *m, enum yq_format format, struct str text);
/* Notes what is wrong at a place of a text; JQ_NONE. */
struct jq_val yq_wrong(struct yq *m, struct str text, const char *at, const char *what);
bool yq_load(struct yq *m, struct str path, struct buf *text, bool *crlf, int *error);
void yq_input_reset(struct yq *m);
/* A scalar as it stands in CSV or properties: a number, true, false, or a string. */
struct jq_val yq_guess(struct yq *m, struct str s);

/* yq_output.c: appends to b. False: an error was raised. */
bool yq_format_value(struct yq *m, struct buf *b, struct jq_val v, enum yq_format format);
bool yq_output(struct yq *m, struct jq_val v);
/* A scalar without quotes. */
void yq_put_scalar(struct yq *m, struct buf *b, struct jq_val v);

/* yq_native.c */
extern const struct jq_native yq_natives[];
extern const char yq_defs[];
void yq_rewrite(struct jq *j, struct jq_unit *u); /* env(NAME) and strenv(NAME) */

/* One file for each format. Readers: JQ_NONE after yq_wrong(). Writers: false after jq_fail(). */
struct jq_val yq_read_csv(struct yq *m, struct str text, char separator);
bool yq_write_csv(struct yq *m, struct buf *b, struct jq_val v, char separator);
struct jq_val yq_read_xml(struct yq *m, struct str text);
bool yq_write_xml(struct yq *m, struct buf *b, struct jq_val v);
struct jq_val yq_read_toml(struct yq *m, struct str text);
bool yq_write_toml(struct yq *m, struct buf *b, struct jq_val v);
struct jq_val yq_read_props(struct yq *m, struct str text);
bool yq_write_props(struct yq *m, struct buf *b, struct jq_val v);
struct jq_val yq_read_ini(struct yq *m, struct str text);
bool yq_write_ini(struct yq *m, struct buf *b, struct jq_val v);

#endif

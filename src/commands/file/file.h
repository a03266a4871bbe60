/* file.h -- guessing what a file is by its bytes: what the parts of `file` share */
#ifndef HOB_COMMANDS_FILE_H
#define HOB_COMMANDS_FILE_H

#include "shell/command.h"

enum {
    FILE_LOOK = 1 << 20 /* bytes that are looked at */
};

struct regex;

/* The patterns of languages, compiled when they are first needed. */
struct file_rules {
    struct regex *re[64];
};

/* What was found: a description, a MIME type, and what text there is behind it. */
struct file_guess {
    struct proc *p;
    struct str data; /* the begin of the file */
    uint64_t size;   /* of the whole file, 0: not known */
    struct file *file;
    struct file_rules *rules;
    struct buf text; /* the description */
    const char *mime;
    const char *charset;
    const char *packed;            /* -z: the MIME type around it */
    bool text_follows, executable; /* "..., ASCII text executable" is still to come */
};

/* Each: true when it knows the bytes. */
bool file_magic_binary(struct file_guess *g);
bool file_magic_tar(struct file_guess *g);
bool file_magic_elf(struct file_guess *g);
bool file_text_json(struct file_guess *g);
bool file_text_csv(struct file_guess *g);
/* A script, a language or a form of text; the encoding is known already. */
int file_text_kind(struct file_guess *g);
void file_text_rules_free(struct file_rules *r);

/* The encoding of a text: its name in words ("ASCII"), NULL when it is no text. Sets charset. */
const char *file_text_encoding(struct file_guess *g);
/* ", with CRLF line terminators" and the like. */
void file_text_manner(struct file_guess *g, struct buf *out);

static inline uint32_t file_le32(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    return (uint32_t)u[0] | (uint32_t)u[1] << 8 | (uint32_t)u[2] << 16 | (uint32_t)u[3] << 24;
}
static inline uint32_t file_be32(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    return (uint32_t)u[3] | (uint32_t)u[2] << 8 | (uint32_t)u[1] << 16 | (uint32_t)u[0] << 24;
}
static inline uint32_t file_le16(const char *p) { return file_le32(p) & 0xffff; }
static inline uint32_t file_be16(const char *p) { return file_be32(p) >> 16; }

#endif

/* utf8.h -- UTF-8 as bash in C.UTF-8 sees it: what is not valid counts as single bytes */
#ifndef HOB_BASE_UTF8_H
#define HOB_BASE_UTF8_H

#include "base/str.h"

#define UTF8_BAD 0xFFFFFFFFu

/* The character at s (n > 0 bytes there) and its length in *len. Bytes that are not part of valid
 * UTF-8 give UTF8_BAD with *len = 1. Surrogates and numbers above 10FFFF are not valid. */
uint32_t utf8_decode(const char *s, size_t n, int *len);
/* Writes c (at most 4 bytes; up to 6 for numbers above 10FFFF as bash's \U does). Its length. */
int utf8_encode(char *dst, uint32_t c);
size_t utf8_count(struct str s);              /* characters; a bad byte counts as one */
size_t utf8_offset(struct str s, size_t chr); /* byte offset of the chr-th character, at most n */
bool utf8_valid(struct str s);
int utf8_width(uint32_t c); /* columns on a terminal: 0, 1 or 2; -1 for control characters */
size_t utf8_columns(struct str s);

/* Character properties and simple case mapping of Unicode 15 as glibc's C.UTF-8 has them. */
bool utf8_is_alpha(uint32_t c);
bool utf8_is_upper(uint32_t c);
bool utf8_is_lower(uint32_t c);
bool utf8_is_digit(uint32_t c);
bool utf8_is_space(uint32_t c);
bool utf8_is_punct(uint32_t c);
bool utf8_is_print(uint32_t c);
bool utf8_is_cntrl(uint32_t c);
uint32_t utf8_upper(uint32_t c);
uint32_t utf8_lower(uint32_t c);

/* ASCII only, no locale. */
static inline bool ascii_digit(int c) { return (unsigned)c - '0' < 10; }
static inline bool ascii_alpha(int c) { return ((unsigned)c | 32) - 'a' < 26; }
static inline bool ascii_alnum(int c) { return ascii_digit(c) || ascii_alpha(c); }
static inline bool ascii_upper(int c) { return (unsigned)c - 'A' < 26; }
static inline bool ascii_lower(int c) { return (unsigned)c - 'a' < 26; }
static inline bool ascii_space(int c) { return c == ' ' || (unsigned)c - '\t' < 5; }
static inline bool ascii_print(int c) { return (unsigned)c - 32 < 95; }
static inline int ascii_to_lower(int c) { return ascii_upper(c) ? c + 32 : c; }
static inline int ascii_to_upper(int c) { return ascii_lower(c) ? c - 32 : c; }

#endif

/* fmt.h -- our own printf: no locale, no stdio, no allocation
 *
 * Understands %d %i %u %x %X %o %c %s %p %% with flags `-0+ #`, width, precision (both may be *),
 * and the lengths hh h l ll z t j; and %f %e %g %a (with L) rounded correctly. Everything that
 * prints numbers, the shell's printf included, ends here.
 */
#ifndef HOB_BASE_FMT_H
#define HOB_BASE_FMT_H

#include "base/str.h"

/* As snprintf: writes at most cap bytes with the NUL, returns the length it would have. */
size_t fmt_print(char *dst, size_t cap, const char *fmt, ...) PRINTF_LIKE(3, 4);
size_t fmt_vprint(char *dst, size_t cap, const char *fmt, va_list ap);

/* Decimal digits of v to dst (20 bytes are enough for u, 21 for i, no NUL); returns the length. */
size_t fmt_uint(char *dst, uint64_t v);
size_t fmt_int(char *dst, int64_t v);

/* A double as %e %f %g %a (conv, upper case too) would print it: flags is a string of the flag
 * characters, width and prec are -1 when absent. Appends to b. Exact for every double. */
void fmt_double(struct buf *b, char conv, const char *flags, int width, int prec, long double v);

#endif

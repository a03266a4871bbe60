/* error.h -- error numbers with their names and texts, and messages that need no memory
 *
 * The numbers are public (enum in hob.h): negative, fixed for ever. Those with a unix counterpart
 * have its Linux value, so -HOB_ENOENT == 2, and GNU's text.
 */
#ifndef HOB_BASE_ERROR_H
#define HOB_BASE_ERROR_H

#include "base/types.h"
#include "hob.h"

/* "ENOENT"; "E?" for an unknown number. Static text. */
const char *error_name(int code);
/* "No such file or directory"; never NULL. Static text. */
const char *error_text(int code);
/* Fills e (may be NULL) and returns code, so that `return error_set(e, HOB_EINVAL, "...")` works.
 * A message that does not fit is cut. */
int error_set(struct hob_error *e, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Puts "what: " in front of the message, on the way up. Returns e->code. */
int error_prefix(struct hob_error *e, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif

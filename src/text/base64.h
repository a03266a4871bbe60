/* base64.h -- base64 written and read, whole or piece by piece */
#ifndef HOB_TEXT_BASE64_H
#define HOB_TEXT_BASE64_H

#include "base/str.h"

/* Appends the encoding with padding; `url` takes - and _ for + and /. Pieces may be encoded one
 * after the other if all but the last have a multiple of three bytes. */
void base64_encode(struct buf *b, struct str data, bool url);

struct base64_decoder {
    bool url;     /* - and _ instead of + and / */
    bool lenient; /* skip what is no letter of the alphabet; without it only newlines are skipped */
    uint32_t bits;
    int have, pads; /* letters of the present group of four, and `=` seen */
};

/* Appends what the piece decodes to. HOB_EINVAL at the first letter that does not belong there;
 * what came before has been appended. */
int base64_decode(struct base64_decoder *d, struct str text, struct buf *out);
/* HOB_EINVAL if the input stopped within a group. */
int base64_finish(struct base64_decoder *d, struct buf *out);

#endif

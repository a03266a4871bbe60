/* codec.h -- compression as a stream of bytes: gzip, deflate, bzip2, xz, lzma, zstd
 *
 * Over zlib, libbz2, liblzma and libzstd, each where Hob was built with it. All their memory comes
 * from the heap that the codec was made with, so a bomb meets the sandbox's limit.
 */
#ifndef HOB_TEXT_CODEC_H
#define HOB_TEXT_CODEC_H

#include "base/error.h"
#include "base/str.h"

enum codec_kind {
    CODEC_GZIP,
    CODEC_DEFLATE, /* without any frame, as in zip */
    CODEC_BZIP2,
    CODEC_XZ,
    CODEC_LZMA, /* the old format */
    CODEC_ZSTD
};

struct codec;

/* level 0: the usual one. HOB_ENOTSUP when Hob was built without the library, HOB_ENOMEM. */
int codec_new(struct heap *h, enum codec_kind kind, bool compress, int level, struct codec **out);
void codec_free(struct codec *c); /* NULL is allowed */

/* One step: takes from *in, which moves on, and puts at most cap bytes at dst; *n is how many.
 * `last` says that nothing follows *in. CODEC_MORE: go on (with more input once *in is empty);
 * CODEC_END: the stream is complete, what is left in *in does not belong to it; HOB_EPROTO: it is
 * damaged; HOB_ENODATA: it ends too early; HOB_ENOMEM. */
enum {
    CODEC_MORE = 0,
    CODEC_END = 1
};
int codec_step(struct codec *c, struct str *in, bool last, char *dst, size_t cap, size_t *n);

/* After HOB_EPROTO: what is wrong, as far as it is known. */
enum codec_damage {
    CODEC_BAD_FORM,
    CODEC_BAD_SUM,
    CODEC_BAD_LENGTH
};
enum codec_damage codec_damage(const struct codec *c);

/* Before the first step of compressing with gzip: what its header tells. The name is borrowed. */
void codec_header(struct codec *c, const char *name, uint32_t mtime);

/* What the bytes at the begin of a file say; -1: nothing that is known. */
int codec_guess(struct str head);

#endif

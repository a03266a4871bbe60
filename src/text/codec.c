/* codec.c -- compression as a stream of bytes, over the usual libraries */
#include "text/codec.h"

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_BZIP2
#include <bzlib.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#ifdef HAVE_ZSTD
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>
#endif

struct codec {
    struct heap *heap;
    enum codec_kind kind;
    bool compress, ended;
    int level;
#ifdef HAVE_ZLIB
    z_stream z;
    gz_header head;
#endif
#ifdef HAVE_BZIP2
    bz_stream bz;
#endif
#ifdef HAVE_LZMA
    lzma_stream xz;
    lzma_allocator xz_memory;
#endif
#ifdef HAVE_ZSTD
    ZSTD_CCtx *zc;
    ZSTD_DCtx *zd;
#endif
};

/* ---- memory: freeing needs the size, which the libraries do not know ------------------------- */

#if defined(HAVE_ZLIB) || defined(HAVE_BZIP2) || defined(HAVE_LZMA) || defined(HAVE_ZSTD)
union codec_block {
    size_t size;
    max_align_t align;
};

static void *codec_alloc(struct codec *c, size_t n)
{
    if (n > SIZE_MAX - sizeof(union codec_block))
        return NULL;
    union codec_block *b = heap_alloc(c->heap, n + sizeof *b);
    if (!b)
        return NULL;
    b->size = n + sizeof *b;
    return b + 1;
}

static void codec_release(struct codec *c, void *p)
{
    union codec_block *b = p;
    if (b)
        heap_free(c->heap, b - 1, b[-1].size);
}
#endif

/* ---- gzip and deflate ------------------------------------------------------------------------ */

#ifdef HAVE_ZLIB
static void *codec_z_alloc(void *ud, unsigned n, unsigned size)
{
    void *p = (uint64_t)n * size > SIZE_MAX ? NULL : codec_alloc(ud, (size_t)n * size);
    return p ? memset(p, 0, (size_t)n * size) : NULL;
}

static void codec_z_free(void *ud, void *p) { codec_release(ud, p); }

static int codec_z_open(struct codec *c)
{
    int bits = c->kind == CODEC_GZIP ? 15 + 16 : -15;
    c->z.zalloc = codec_z_alloc;
    c->z.zfree = codec_z_free;
    c->z.opaque = c;
    int e = c->compress ? deflateInit2(&c->z, c->level ? c->level : 6, Z_DEFLATED, bits, 8,
                                       Z_DEFAULT_STRATEGY)
                        : inflateInit2(&c->z, bits);
    return e == Z_OK ? 0 : HOB_ENOMEM;
}

static int codec_z_step(struct codec *c, struct str *in, bool last, char *dst, size_t cap,
                        size_t *n)
{
    size_t room = MIN(cap, 1u << 30), have = MIN(in->n, 1u << 30);
    c->z.next_in = (unsigned char *)in->p;
    c->z.avail_in = (unsigned)have;
    c->z.next_out = (unsigned char *)dst;
    c->z.avail_out = (unsigned)room;
    bool finish = last && have == in->n;
    int e =
        c->compress ? deflate(&c->z, finish ? Z_FINISH : Z_NO_FLUSH) : inflate(&c->z, Z_NO_FLUSH);
    size_t used = have - c->z.avail_in;
    *in = str_from(*in, used);
    *n = room - c->z.avail_out;
    switch (e) {
    case Z_STREAM_END: return CODEC_END;
    case Z_OK: return CODEC_MORE;
    case Z_BUF_ERROR:
        return !c->compress && last && in->n == 0 && *n == 0 ? HOB_ENODATA : CODEC_MORE;
    case Z_MEM_ERROR: return HOB_ENOMEM;
    default: return HOB_EPROTO;
    }
}

static void codec_z_close(struct codec *c)
{
    if (c->compress)
        deflateEnd(&c->z);
    else
        inflateEnd(&c->z);
}
#endif

/* ---- bzip2 ----------------------------------------------------------------------------------- */

#ifdef HAVE_BZIP2
static void *codec_bz_alloc(void *ud, int n, int size)
{
    return n < 0 || size < 0 ? NULL : codec_alloc(ud, (size_t)n * (size_t)size);
}

static void codec_bz_free(void *ud, void *p) { codec_release(ud, p); }

static int codec_bz_open(struct codec *c)
{
    c->bz.bzalloc = codec_bz_alloc;
    c->bz.bzfree = codec_bz_free;
    c->bz.opaque = c;
    int e = c->compress ? BZ2_bzCompressInit(&c->bz, c->level ? c->level : 9, 0, 0)
                        : BZ2_bzDecompressInit(&c->bz, 0, 0);
    return e == BZ_OK ? 0 : HOB_ENOMEM;
}

static int codec_bz_step(struct codec *c, struct str *in, bool last, char *dst, size_t cap,
                         size_t *n)
{
    size_t room = MIN(cap, 1u << 30), have = MIN(in->n, 1u << 30);
    c->bz.next_in = (char *)in->p;
    c->bz.avail_in = (unsigned)have;
    c->bz.next_out = dst;
    c->bz.avail_out = (unsigned)room;
    bool finish = last && have == in->n;
    int e;
    if (!c->compress)
        e = BZ2_bzDecompress(&c->bz);
    else if (finish || have)
        e = BZ2_bzCompress(&c->bz, finish ? BZ_FINISH : BZ_RUN);
    else
        e = BZ_RUN_OK;
    *in = str_from(*in, have - c->bz.avail_in);
    *n = room - c->bz.avail_out;
    switch (e) {
    case BZ_STREAM_END: return CODEC_END;
    case BZ_OK: return last && in->n == 0 && *n == 0 && c->bz.avail_out ? HOB_ENODATA : CODEC_MORE;
    case BZ_RUN_OK:
    case BZ_FINISH_OK: return CODEC_MORE;
    case BZ_MEM_ERROR: return HOB_ENOMEM;
    default: return HOB_EPROTO;
    }
}

static void codec_bz_close(struct codec *c)
{
    if (c->compress)
        BZ2_bzCompressEnd(&c->bz);
    else
        BZ2_bzDecompressEnd(&c->bz);
}
#endif

/* ---- xz and lzma ----------------------------------------------------------------------------- */

#ifdef HAVE_LZMA
static void *codec_xz_alloc(void *ud, size_t n, size_t size)
{
    return size && n > SIZE_MAX / size ? NULL : codec_alloc(ud, n * size);
}

static void codec_xz_free(void *ud, void *p) { codec_release(ud, p); }

static int codec_xz_open(struct codec *c)
{
    uint32_t preset = c->level ? (uint32_t)c->level : 6;
    lzma_options_lzma old;
    lzma_ret e;
    c->xz = (lzma_stream)LZMA_STREAM_INIT;
    c->xz_memory = (lzma_allocator){codec_xz_alloc, codec_xz_free, c};
    c->xz.allocator = &c->xz_memory;
    if (!c->compress)
        e = lzma_auto_decoder(&c->xz, UINT64_MAX, 0);
    else if (c->kind == CODEC_XZ)
        e = lzma_easy_encoder(&c->xz, preset, LZMA_CHECK_CRC64);
    else
        e = lzma_lzma_preset(&old, preset) ? LZMA_OPTIONS_ERROR : lzma_alone_encoder(&c->xz, &old);
    return e == LZMA_OK ? 0 : HOB_ENOMEM;
}

static int codec_xz_step(struct codec *c, struct str *in, bool last, char *dst, size_t cap,
                         size_t *n)
{
    c->xz.next_in = (const uint8_t *)in->p;
    c->xz.avail_in = in->n;
    c->xz.next_out = (uint8_t *)dst;
    c->xz.avail_out = cap;
    lzma_ret e = lzma_code(&c->xz, last ? LZMA_FINISH : LZMA_RUN);
    *in = str_from(*in, in->n - c->xz.avail_in);
    *n = cap - c->xz.avail_out;
    switch (e) {
    case LZMA_STREAM_END: return CODEC_END;
    case LZMA_OK: return CODEC_MORE;
    case LZMA_BUF_ERROR: return last && *n == 0 ? HOB_ENODATA : CODEC_MORE;
    case LZMA_MEM_ERROR: return HOB_ENOMEM;
    default: return HOB_EPROTO;
    }
}

static void codec_xz_close(struct codec *c) { lzma_end(&c->xz); }
#endif

/* ---- zstd ------------------------------------------------------------------------------------ */

#ifdef HAVE_ZSTD
static void *codec_zs_alloc(void *ud, size_t n) { return codec_alloc(ud, n); }

static void codec_zs_free(void *ud, void *p) { codec_release(ud, p); }

static int codec_zs_open(struct codec *c)
{
    ZSTD_customMem mem = {codec_zs_alloc, codec_zs_free, c};
    if (!c->compress) {
        c->zd = ZSTD_createDCtx_advanced(mem);
        return c->zd ? 0 : HOB_ENOMEM;
    }
    c->zc = ZSTD_createCCtx_advanced(mem);
    if (!c->zc)
        return HOB_ENOMEM;
    ZSTD_CCtx_setParameter(c->zc, ZSTD_c_compressionLevel, c->level ? c->level : 3);
    ZSTD_CCtx_setParameter(c->zc, ZSTD_c_checksumFlag, 1);
    return 0;
}

static int codec_zs_step(struct codec *c, struct str *in, bool last, char *dst, size_t cap,
                         size_t *n)
{
    ZSTD_inBuffer from = {in->p, in->n, 0};
    ZSTD_outBuffer to = {dst, cap, 0};
    size_t e = c->compress
                   ? ZSTD_compressStream2(c->zc, &to, &from, last ? ZSTD_e_end : ZSTD_e_continue)
                   : ZSTD_decompressStream(c->zd, &to, &from);
    *in = str_from(*in, from.pos);
    *n = to.pos;
    if (ZSTD_isError(e))
        return c->heap->oom ? HOB_ENOMEM : HOB_EPROTO;
    if (e == 0 && (!c->compress || last))
        return CODEC_END;
    return !c->compress && last && in->n == 0 && *n == 0 ? HOB_ENODATA : CODEC_MORE;
}

static void codec_zs_close(struct codec *c)
{
    ZSTD_freeCCtx(c->zc);
    ZSTD_freeDCtx(c->zd);
}
#endif

/* ---- whichever it is ------------------------------------------------------------------------- */

struct codec_ops {
    int (*open)(struct codec *c);
    int (*step)(struct codec *c, struct str *in, bool last, char *dst, size_t cap, size_t *n);
    void (*close)(struct codec *c);
};

static const struct codec_ops codec_ops[] = {
#ifdef HAVE_ZLIB
    [CODEC_GZIP] = {codec_z_open, codec_z_step, codec_z_close},
    [CODEC_DEFLATE] = {codec_z_open, codec_z_step, codec_z_close},
#endif
#ifdef HAVE_BZIP2
    [CODEC_BZIP2] = {codec_bz_open, codec_bz_step, codec_bz_close},
#endif
#ifdef HAVE_LZMA
    [CODEC_XZ] = {codec_xz_open, codec_xz_step, codec_xz_close},
    [CODEC_LZMA] = {codec_xz_open, codec_xz_step, codec_xz_close},
#endif
#ifdef HAVE_ZSTD
    [CODEC_ZSTD] = {codec_zs_open, codec_zs_step, codec_zs_close},
#endif
    [CODEC_ZSTD + 1] = {NULL, NULL, NULL},
};

int codec_new(struct heap *h, enum codec_kind kind, bool compress, int level, struct codec **out)
{
    *out = NULL;
    if (!codec_ops[kind].open)
        return HOB_ENOTSUP;
    struct codec *c = heap_new(h, struct codec);
    if (!c)
        return HOB_ENOMEM;
    c->heap = h;
    c->kind = kind;
    c->compress = compress;
    c->level = level;
    int e = codec_ops[kind].open(c);
    if (e < 0) {
        heap_drop(h, c);
        return e;
    }
    *out = c;
    return 0;
}

void codec_free(struct codec *c)
{
    if (!c)
        return;
    codec_ops[c->kind].close(c);
    heap_drop(c->heap, c);
}

int codec_step(struct codec *c, struct str *in, bool last, char *dst, size_t cap, size_t *n)
{
    *n = 0;
    if (c->ended)
        return CODEC_END;
    int e = codec_ops[c->kind].step(c, in, last, dst, cap, n);
    c->ended = e == CODEC_END;
    return e;
}

void codec_header(struct codec *c, const char *name, uint32_t mtime)
{
#ifdef HAVE_ZLIB
    if (c->kind != CODEC_GZIP || !c->compress)
        return;
    c->head.name = (unsigned char *)name;
    c->head.time = mtime;
    c->head.os = 3;
    deflateSetHeader(&c->z, &c->head);
#else
    (void)c;
    (void)name;
    (void)mtime;
#endif
}

enum codec_damage codec_damage(const struct codec *c)
{
#ifdef HAVE_ZLIB
    const char *why = c && c->kind == CODEC_GZIP ? c->z.msg : NULL;
    if (why && strcmp(why, "incorrect data check") == 0)
        return CODEC_BAD_SUM;
    if (why && strcmp(why, "incorrect length check") == 0)
        return CODEC_BAD_LENGTH;
#else
    (void)c;
#endif
    return CODEC_BAD_FORM;
}

int codec_guess(struct str head)
{
    static const struct {
        struct str magic;
        enum codec_kind kind;
    } known[] = {
        {STR_INIT("\x1f\x8b"), CODEC_GZIP},    {STR_INIT("BZh"), CODEC_BZIP2},
        {STR_INIT("\xfd\x37zXZ\0"), CODEC_XZ}, {STR_INIT("\x28\xb5\x2f\xfd"), CODEC_ZSTD},
        {STR_INIT("\x5d\0\0"), CODEC_LZMA},
    };
    for (size_t i = 0; i < COUNT(known); i++)
        if (str_starts(head, known[i].magic))
            return known[i].kind;
    return -1;
}

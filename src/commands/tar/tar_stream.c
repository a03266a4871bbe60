/* tar_stream.c -- the archive as a stream of bytes, packed going out, unpacked coming in */
#include "commands/tar/tar.h"

enum {
    TAR_BUFFER = 64 << 10
};

/* The codec that the name of the archive stands for: -a. */
static int tar_codec_by_name(struct str name)
{
    static const struct {
        const char *suffix;
        int codec;
    } known[] = {
        {".gz", CODEC_GZIP},   {".tgz", CODEC_GZIP},   {".taz", CODEC_GZIP},  {".bz2", CODEC_BZIP2},
        {".tbz", CODEC_BZIP2}, {".tbz2", CODEC_BZIP2}, {".tz2", CODEC_BZIP2}, {".xz", CODEC_XZ},
        {".txz", CODEC_XZ},    {".lzma", CODEC_LZMA},  {".tlz", CODEC_LZMA},  {".zst", CODEC_ZSTD},
        {".tzst", CODEC_ZSTD},
    };
    for (size_t i = 0; i < COUNT(known); i++)
        if (str_ends(name, str_z(known[i].suffix)))
            return known[i].codec + 1;
    return 0;
}

static int tar_open_file(struct tar_stream *s, struct str name)
{
    struct proc *p = s->r->p;
    unsigned flags = s->writing ? FILE_WRITE | FILE_CREATE | FILE_TRUNC : FILE_READ;
    int e = vfs_open(p, name, flags, 0666, &s->file);
    struct stat_info st;
    if (e == 0 && !s->writing && file_stat(s->file, &st) == 0 && MODE_IS_DIR(st.mode)) {
        tar_fatal(s->r, "%s: Cannot read: %s", proc_quotef(p, name), error_text(HOB_EISDIR));
        return HOB_ESYNTAX;
    }
    if (e < 0)
        return tar_fatal(s->r, "%s: Cannot open: %s", proc_quotef(p, name), error_text(e));
    if (s->writing && file_stat(s->file, &s->r->archive) == 0)
        s->r->archive_known = true;
    return 0;
}

int tar_stream_open(struct tar_stream *s, struct tar_run *r, bool writing)
{
    struct tar *o = r->o;
    struct heap *h = &r->p->kernel->heap;
    struct str name = o->file;
    int codec = o->codec, e = 0;

    *s = (struct tar_stream){.r = r, .writing = writing};
    if (!name.p || str_eqz(name, "-"))
        s->standard = true;
    else
        e = tar_open_file(s, name);
    if (e < 0)
        return e;
    s->buffer = heap_alloc(h, TAR_BUFFER);
    if (!s->buffer)
        return HOB_ENOMEM;
    if (writing) {
        if (!codec && o->automatic && name.p)
            codec = tar_codec_by_name(name);
        if (s->standard)
            out_init(&s->out, r->p, 1);
        else
            out_init_file(&s->out, r->p, s->file);
    } else {
        if (s->standard)
            in_init(&s->in, r->p, 0);
        else
            in_init_file(&s->in, r->p, s->file, false);
        /* What it is packed with is told by its first bytes, whatever was said. */
        if (in_fill(&s->in)) {
            int is = codec_guess(str_of(s->in.p, (size_t)(s->in.end - s->in.p)));
            codec = is >= 0 ? is + 1 : 0;
        }
    }
    if (codec)
        e = codec_new(h, (enum codec_kind)(codec - 1), writing, 0, &s->codec);
    if (e == HOB_ENOTSUP)
        return tar_fatal(r, "this build of Hob lacks the library to unpack it");
    return e;
}

/* Fills the buffer with unpacked bytes. */
static int tar_stream_fill(struct tar_stream *s)
{
    s->at = s->n = 0;
    while (!s->ended && s->n == 0) {
        bool more = in_fill(&s->in);
        if (s->in.err)
            return s->in.err;
        struct str piece = str_of(more ? s->in.p : "", more ? (size_t)(s->in.end - s->in.p) : 0);
        size_t had = piece.n;
        int e = codec_step(s->codec, &piece, !more, s->buffer, TAR_BUFFER, &s->n);
        if (more)
            s->in.p += had - piece.n;
        if (e == CODEC_END)
            s->ended = true;
        if (e < 0 && e != HOB_ENODATA)
            return e;
        if (e == HOB_ENODATA)
            s->ended = true;
    }
    return 0;
}

/* Counts bytes, and records for --checkpoint: those written, and those read but the first. */
static void tar_stream_count(struct tar_stream *s, size_t n)
{
    struct tar *o = s->r->o;
    uint64_t record = (uint64_t)o->blocking * TAR_BLOCK, skip = s->writing ? 0 : 1;
    uint64_t old = s->total > skip ? (s->total - skip) / record : 0;
    s->total += n;
    for (uint64_t i = old + 1; o->checkpoint && n && i <= (s->total - skip) / record; i++)
        if (i % (uint64_t)o->checkpoint == 0)
            tar_checkpoint(s->r, s->writing, i);
}

int tar_stream_read(struct tar_stream *s, char *dst, size_t n, size_t *got)
{
    *got = 0;
    while (*got < n) {
        size_t part;
        if (s->codec) {
            if (s->at == s->n) {
                int e = tar_stream_fill(s);
                if (e < 0)
                    return e;
            }
            part = MIN(n - *got, s->n - s->at);
            if (part && dst)
                memcpy(dst + *got, s->buffer + s->at, part);
            s->at += part;
        } else {
            if (!in_fill(&s->in))
                return s->in.err ? s->in.err : HOB_ENODATA;
            part = MIN(n - *got, (size_t)(s->in.end - s->in.p));
            if (dst)
                memcpy(dst + *got, s->in.p, part);
            s->in.p += part;
        }
        if (!part)
            return HOB_ENODATA;
        *got += part;
        tar_stream_count(s, part);
        int e = proc_tick(s->r->p, (int64_t)(part >> 10) + 1);
        if (e < 0)
            return e;
    }
    return 0;
}

int tar_stream_write(struct tar_stream *s, const char *src, size_t n)
{
    struct str in = str_of(src, n);
    tar_stream_count(s, n);
    if (!s->codec) {
        out_write(&s->out, src, n);
        return s->out.err;
    }
    while (in.n) {
        size_t put;
        int e = codec_step(s->codec, &in, false, s->buffer, TAR_BUFFER, &put);
        if (e < 0)
            return e;
        out_write(&s->out, s->buffer, put);
        if (s->out.err)
            return s->out.err;
        if ((e = proc_tick(s->r->p, 1)) < 0)
            return e;
    }
    return 0;
}

/* Two empty blocks, then up to a whole record; then what the codec holds back. */
static int tar_stream_finish(struct tar_stream *s)
{
    static const char zeros[TAR_BLOCK];
    uint64_t record = (uint64_t)s->r->o->blocking * TAR_BLOCK;
    int e = 0;
    for (int i = 0; (i < 2 || s->total % record) && e == 0; i++)
        e = tar_stream_write(s, zeros, sizeof zeros);
    while (e == 0 && s->codec) {
        struct str none = STR("");
        size_t put;
        e = codec_step(s->codec, &none, true, s->buffer, TAR_BUFFER, &put);
        out_write(&s->out, s->buffer, put);
        if (e == CODEC_END)
            return 0;
    }
    return e;
}

int tar_stream_close(struct tar_stream *s)
{
    int e = 0;
    if (s->writing && s->buffer) {
        e = s->r->status == 2 && s->total == 0 ? 0 : tar_stream_finish(s);
        int w = out_fini(&s->out);
        e = e < 0 ? e : w;
    } else if (s->buffer) {
        in_fini(&s->in);
    }
    codec_free(s->codec);
    heap_free(&s->r->p->kernel->heap, s->buffer, s->buffer ? TAR_BUFFER : 0);
    if (s->file)
        file_unref(s->file);
    s->file = NULL;
    s->codec = NULL;
    s->buffer = NULL;
    return e;
}

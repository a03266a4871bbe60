/* compress.c -- gzip, bzip2, xz and zstd, with the names that unpack and that print
 *
 * The four tools do the same and say it differently. Input is read in pieces and written in pieces,
 * so files of any size pass through a few hundred kilobytes.
 */
#include "base/error.h"
#include "base/fmt.h"
#include "commands/lib/files.h"
#include "commands/lib/getdate.h"
#include "shell/command.h"
#include "text/codec.h"
#include "text/date.h"

enum {
    COMPRESS_OUT = 64 << 10
};

enum compress_tool {
    COMPRESS_GZIP,
    COMPRESS_BZIP2,
    COMPRESS_XZ,
    COMPRESS_ZSTD
};

struct compress {
    bool decompress, to_stdout, keep, force, test, list, verbose, quiet, recursive, no_name, name;
    bool rm, tuned, skip_packed;
    struct str flat, mirror; /* --output-dir-flat, --output-dir-mirror */
    struct strs listed;      /* --filelist */
    int verbosity, level;
    struct str suffix, output;
    int64_t threads;
    int format; /* of xz: CODEC_XZ or CODEC_LZMA */
};

/* What a name of the command means. */
struct compress_role {
    enum compress_tool tool;
    enum codec_kind kind;
    bool decompress, to_stdout;
    const char *suffix;
    const char *called; /* in messages; NULL: as it was typed */
};

struct compress_run {
    struct proc *p;
    struct compress *o;
    const struct compress_role *role;
    struct out out; /* stdout */
    int status;
    bool listed;
    uint64_t total_in, total_out;
};

/* One file on its way. */
struct compress_job {
    struct compress_run *r;
    struct str name; /* for messages */
    struct str from, to;
    struct stat_info st;
    bool standard;
    struct in in;
    struct out *out;
    uint64_t bytes_in, bytes_out;
    struct codec *codec;
    char *buffer;
};

static void compress_fail(struct compress_run *r, int status)
{
    r->status = r->status == 1 || status == 1 ? 1 : status;
}

static const char *compress_called(const struct compress_run *r)
{
    return r->role->called ? r->role->called : r->p->name.p;
}

static void compress_say(struct compress_run *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void compress_say(struct compress_run *r, const char *fmt, ...)
{
    struct buf b;
    va_list ap;
    out_flush(&r->out);
    buf_init(&b, &r->p->kernel->heap);
    buf_printf(&b, "%s: ", compress_called(r));
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    proc_puts(r->p, 2, buf_get(&b));
    buf_fini(&b);
}

static void compress_error(struct compress_job *j, int err)
{
    struct compress_run *r = j->r;
    const char *name = proc_quotef(r->p, j->name), *text = error_text(err);
    switch (r->role->tool) {
    case COMPRESS_GZIP: compress_say(r, "%s: %s\n", name, text); break;
    case COMPRESS_BZIP2: compress_say(r, "Can't open input file %s: %s.\n", name, text); break;
    case COMPRESS_XZ: compress_say(r, "%s: %s\n", name, text); break;
    case COMPRESS_ZSTD: compress_say(r, "can't stat %s : %s -- ignored \n", name, text); break;
    }
    compress_fail(r, 1);
}

static const char *const compress_damage[] = {"invalid compressed data--format violated",
                                              "invalid compressed data--crc error",
                                              "invalid compressed data--length error"};

/* What comes in is not what it should be. */
static void compress_damaged(struct compress_job *j, int err, bool began)
{
    struct compress_run *r = j->r;
    const char *name = proc_quotef(r->p, j->name);
    bool cut = err == HOB_ENODATA;
    const char *what;
    switch (r->role->tool) {
    case COMPRESS_GZIP:
        what = !began ? "not in gzip format"
               : cut  ? "unexpected end of file"
                      : compress_damage[codec_damage(j->codec)];
        out_flush(&r->out);
        if (began && r->o->verbose)
            proc_printf_err(r->p, "%s:\t", name);
        proc_printf_err(r->p, "\n");
        compress_say(r, "%s: %s\n", name, what);
        break;
    case COMPRESS_BZIP2:
        if (!r->o->test && !began)
            compress_say(r, "%s is not a bzip2 file.\n", name);
        else if (r->o->test)
            compress_say(r, "%s: %s\n", name,
                         !began ? "bad magic number (file not created by bzip2)"
                         : cut  ? "file ends unexpectedly"
                                : "data integrity (CRC) error in data");
        else
            proc_printf_err(r->p,
                            cut ? "\n%s: Compressed file ends unexpectedly;\n\tperhaps it is "
                                  "corrupted?  *Possible* reason follows.\n"
                                : "\n%s: Data integrity error when decompressing.\n",
                            compress_called(r));
        if (r->o->test)
            proc_printf_err(r->p, "\nYou can use the `bzip2recover' program to attempt to recover\n"
                                  "data from undamaged sections of corrupted files.\n\n");
        break;
    case COMPRESS_XZ:
        compress_say(r, "%s: %s\n", name,
                     !began ? "File format not recognized"
                     : cut  ? "Unexpected end of input"
                            : "Compressed data is corrupt");
        break;
    case COMPRESS_ZSTD:
        compress_say(r, "%s: %s\n", name,
                     !began ? r->o->test ? "unknown header " : "unsupported format "
                     : cut  ? "Read error (39) : premature end "
                            : "Decoding error (36) : Corrupted block detected ");
        break;
    }
    compress_fail(r, r->role->tool == COMPRESS_BZIP2 ? 2 : 1);
}

/* ---- the stream ------------------------------------------------------------------------------ */

/* One stream through the codec: CODEC_END, or an error. */
static int compress_stream(struct compress_job *j)
{
    bool end = false;
    for (;;) {
        if (j->in.p == j->in.end && !end) {
            end = !in_fill(&j->in);
            if (j->in.err)
                return j->in.err;
        }
        struct str piece = str_of(j->in.p ? j->in.p : "", (size_t)(j->in.end - j->in.p));
        size_t had = piece.n, n;
        int e = codec_step(j->codec, &piece, end, j->buffer, COMPRESS_OUT, &n);
        j->in.p += had - piece.n;
        j->bytes_in += had - piece.n;
        j->bytes_out += n;
        if (n && j->out)
            out_write(j->out, j->buffer, n);
        if (e != CODEC_MORE)
            return e;
        if (j->out && j->out->err)
            return j->out->err;
        int t = proc_tick(j->r->p, (int64_t)((had - piece.n + n) >> 10) + 1);
        if (t < 0)
            return t;
    }
}

/* The bytes at the begin say whether this is what the tool understands. */
static bool compress_known(struct compress_job *j)
{
    enum codec_kind kind = j->r->role->kind;
    struct str head = str_of(j->in.p, (size_t)(j->in.end - j->in.p));
    int is = codec_guess(head);
    return is == (int)kind || (kind == CODEC_XZ && is == CODEC_LZMA);
}

/* Streams follow one another in one file. What follows and is none is garbage. */
static int compress_unpack(struct compress_job *j)
{
    struct compress_run *r = j->r;
    for (bool first = true;; first = false) {
        bool any = in_fill(&j->in);
        if (j->in.err)
            return j->in.err;
        if (!any && !first)
            return 0;
        if (!any || !compress_known(j)) {
            bool gzip = r->role->tool == COMPRESS_GZIP;
            if (first && any && gzip && r->o->force && r->o->to_stdout) { /* as it is */
                while (in_fill(&j->in)) {
                    out_write(j->out, j->in.p, (size_t)(j->in.end - j->in.p));
                    j->in.p = j->in.end;
                }
                return 0;
            }
            if (first) {
                compress_damaged(j, any || !gzip ? HOB_EPROTO : HOB_ENODATA, any ? false : gzip);
                return HOB_ESYNTAX;
            }
            if (gzip && !r->o->quiet) {
                out_flush(&r->out);
                proc_printf_err(r->p, "\n");
                compress_say(r, "%.*s: decompression OK, trailing garbage ignored\n",
                             STR_ARG(j->name));
                compress_fail(r, 2);
            }
            return 0;
        }
        codec_free(j->codec);
        int e = codec_new(&r->p->kernel->heap, r->role->kind, false, 0, &j->codec);
        e = e < 0 ? e : compress_stream(j);
        if (e == HOB_EPROTO || e == HOB_ENODATA) {
            if (j->out)
                out_flush(j->out);
            compress_damaged(j, e, true);
            return HOB_ESYNTAX;
        }
        if (e < 0)
            return e;
    }
}

static int compress_pack(struct compress_job *j)
{
    struct compress *o = j->r->o;
    enum codec_kind kind =
        j->r->role->kind == CODEC_XZ && o->format ? (enum codec_kind)o->format : j->r->role->kind;
    int e = codec_new(&j->r->p->kernel->heap, kind, true, o->level, &j->codec);
    if (e < 0)
        return e;
    if (!j->standard && !o->no_name)
        codec_header(j->codec, files_base(j->from).p, (uint32_t)(j->st.mtime / 1000000000));
    e = compress_stream(j);
    return e < 0 ? e : 0;
}

/* ---- names ----------------------------------------------------------------------------------- */

static struct str compress_suffix(const struct compress_run *r)
{
    if (r->o->suffix.p)
        return r->o->suffix;
    if (r->role->kind == CODEC_XZ && r->o->format == CODEC_LZMA)
        return STR(".lzma");
    return str_z(r->role->suffix);
}

static struct str compress_join(struct proc *p, struct str a, struct str b)
{
    struct buf t;
    buf_init(&t, &p->kernel->heap);
    buf_str(&t, a);
    buf_str(&t, b);
    struct str s = arena_str(p->arena, buf_get(&t));
    buf_fini(&t);
    return s;
}

/* The name without its suffix; .p NULL: it has none that is known. */
static struct str compress_bare(struct compress_run *r, struct str name)
{
    static const struct {
        enum compress_tool tool;
        const char *suffix, *instead;
    } known[] = {
        {COMPRESS_GZIP, ".gz", ""},       {COMPRESS_GZIP, "-gz", ""},
        {COMPRESS_GZIP, ".z", ""},        {COMPRESS_GZIP, "-z", ""},
        {COMPRESS_GZIP, "_z", ""},        {COMPRESS_GZIP, ".tgz", ".tar"},
        {COMPRESS_GZIP, ".taz", ".tar"},  {COMPRESS_BZIP2, ".bz2", ""},
        {COMPRESS_BZIP2, ".bz", ""},      {COMPRESS_BZIP2, ".tbz2", ".tar"},
        {COMPRESS_BZIP2, ".tbz", ".tar"}, {COMPRESS_XZ, ".xz", ""},
        {COMPRESS_XZ, ".txz", ".tar"},    {COMPRESS_XZ, ".lzma", ""},
        {COMPRESS_XZ, ".tlz", ".tar"},    {COMPRESS_ZSTD, ".zst", ""},
        {COMPRESS_ZSTD, ".tzst", ".tar"},
    };
    struct str own = compress_suffix(r);
    if (name.n > own.n && str_ends(name, own))
        return arena_str(r->p->arena, str_sub(name, 0, name.n - own.n));
    for (size_t i = 0; i < COUNT(known); i++) {
        struct str s = str_z(known[i].suffix);
        if (known[i].tool == r->role->tool && name.n > s.n && str_ends(name, s))
            return compress_join(r->p, str_sub(name, 0, name.n - s.n), str_z(known[i].instead));
    }
    return STR_NONE;
}

/* Where the output goes. False after a message: the file is passed over. */
static bool compress_target(struct compress_job *j)
{
    struct compress_run *r = j->r;
    struct compress *o = r->o;
    const char *name = proc_quotef(r->p, j->from);
    struct str suffix = compress_suffix(r), bare = compress_bare(r, j->from);

    if (o->decompress && !bare.p && r->role->tool == COMPRESS_BZIP2) {
        bare = compress_join(r->p, j->from, STR(".out"));
        if (!o->quiet)
            compress_say(r, "Can't guess original name for %s -- using %.*s\n", name,
                         STR_ARG(bare));
    }
    if (o->decompress && !bare.p) {
        if (r->role->tool == COMPRESS_ZSTD)
            compress_say(
                r,
                "%s: unknown suffix (.zst/.tzst expected). Can't derive the output file name. "
                "Specify it with -o dstFileName. Ignoring.\n",
                name);
        else if (!o->recursive && !o->quiet)
            compress_say(r,
                         r->role->tool == COMPRESS_XZ
                             ? "%s: Filename has an unknown suffix, skipping\n"
                             : "%s: unknown suffix -- ignored\n",
                         name);
        compress_fail(r, o->recursive && r->role->tool == COMPRESS_GZIP ? 0
                         : r->role->tool == COMPRESS_ZSTD               ? 1
                                                                        : 2);
        return false;
    }
    if (!o->decompress && bare.p && !o->force && r->role->tool != COMPRESS_ZSTD) {
        switch (r->role->tool) {
        case COMPRESS_GZIP:
            if (!o->quiet && !o->recursive)
                compress_say(r, "%s already has %.*s suffix -- unchanged\n", name, STR_ARG(suffix));
            break;
        case COMPRESS_BZIP2:
            compress_say(r, "Input file %s already has .bz2 suffix.\n", name);
            compress_fail(r, 1);
            break;
        default:
            compress_say(r, "%s: File already has `%.*s' suffix, skipping\n", name,
                         STR_ARG(suffix));
            compress_fail(r, 2);
            break;
        }
        return false;
    }
    j->to = o->decompress ? bare : compress_join(r->p, j->from, suffix);
    if (j->to.p && o->flat.p)
        j->to = files_join(r->p, o->flat, files_base(j->to));
    else if (j->to.p && o->mirror.p) {
        struct str to = str_from(j->to, j->to.p[0] == '/');
        j->to = files_join(r->p, o->mirror, to);
        if (j->to.p)
            vfs_mkdirs(r->p, path_dir(j->to), 0777);
    }
    return j->to.p != NULL;
}

/* A file in the way is kept unless -f is given: nobody can be asked. */
static bool compress_in_the_way(struct compress_job *j)
{
    struct compress_run *r = j->r;
    struct stat_info st;
    const char *to = proc_quotef(r->p, j->to);
    if (r->o->force || vfs_stat(r->p, j->to, VFS_NOFOLLOW, &st) < 0)
        return false;
    switch (r->role->tool) {
    case COMPRESS_GZIP: compress_say(r, "%s already exists;\tnot overwritten\n", to); break;
    case COMPRESS_BZIP2: compress_say(r, "Output file %s already exists.\n", to); break;
    case COMPRESS_XZ: compress_say(r, "%s: File exists\n", to); break;
    case COMPRESS_ZSTD: compress_say(r, "%s already exists; not overwritten  \n", to); break;
    }
    compress_fail(r, r->role->tool == COMPRESS_GZIP ? 2 : 1);
    return true;
}

/* ---- one file -------------------------------------------------------------------------------- */

static double compress_saved(uint64_t packed, uint64_t plain)
{
    return plain ? 100.0 * ((double)plain - (double)packed) / (double)plain : 0;
}

static void compress_report(struct compress_job *j)
{
    struct compress_run *r = j->r;
    bool out = r->o->decompress;
    uint64_t packed = out ? j->bytes_in : j->bytes_out, plain = out ? j->bytes_out : j->bytes_in;
    const char *name = proc_quotef(r->p, j->name);
    size_t header = files_base(out ? j->to : j->name).n + 1;
    if (r->role->tool == COMPRESS_ZSTD && !r->o->quiet && !r->o->to_stdout && !r->o->test &&
        !j->standard) {
        char text[40];
        if (out)
            fmt_print(text, sizeof text, "%llu bytes", (unsigned long long)plain);
        if (out)
            proc_printf_err(r->p, "%-20s: %s \n", name, text);
        else
            proc_printf_err(r->p, "%-20s :%6.2f%%   (%6llu B => %6llu B, %.*s) \n", name,
                            plain ? 100.0 * (double)packed / (double)plain : 0,
                            (unsigned long long)plain, (unsigned long long)packed, STR_ARG(j->to));
        return;
    }
    if (!r->o->verbose)
        return;
    switch (r->role->tool) {
    case COMPRESS_GZIP:
        if (r->o->test)
            proc_printf_err(r->p, "%s:\t OK\n", name);
        else if (r->o->to_stdout)
            proc_printf_err(r->p, "%s:\t%5.1f%%\n", name,
                            compress_saved(packed > 18 ? packed - 18 : packed, plain));
        else
            proc_printf_err(r->p, "%s:\t%5.1f%% -- %s %.*s\n", name,
                            compress_saved(packed - MIN(packed, 18 + header), plain),
                            r->o->keep ? "created" : "replaced with", STR_ARG(j->to));
        break;
    case COMPRESS_BZIP2:
        if (r->o->test)
            proc_printf_err(r->p, "  %s: ok\n", name);
        else if (out)
            proc_printf_err(r->p, "  %s: done\n", name);
        else if (plain == 0)
            proc_printf_err(r->p, "  %s:  no data compressed.\n", name);
        else
            proc_printf_err(r->p,
                            "  %s: %6.3f:1, %6.3f bits/byte, %5.2f%% saved, %llu in, %llu out.\n",
                            name, (double)plain / (double)packed,
                            8.0 * (double)packed / (double)plain, compress_saved(packed, plain),
                            (unsigned long long)plain, (unsigned long long)packed);
        break;
    default:
        proc_printf_err(r->p, "%s: %llu B / %llu B = %.3f\n", name, (unsigned long long)packed,
                        (unsigned long long)plain, plain ? (double)packed / (double)plain : 0);
        break;
    }
}

/* gzip -l: what the end of the file tells. */
static int compress_list(struct compress_job *j)
{
    struct compress_run *r = j->r;
    struct str text;
    int e = in_all(&j->in, &text);
    if (e < 0)
        return e;
    if (codec_guess(text) != (int)r->role->kind || text.n < 18) {
        compress_damaged(j, HOB_EPROTO, false);
        return 0;
    }
    const unsigned char *t = (const unsigned char *)text.p + text.n - 8;
    uint32_t crc = t[0] | (uint32_t)t[1] << 8 | (uint32_t)t[2] << 16 | (uint32_t)t[3] << 24;
    uint32_t plain = t[4] | (uint32_t)t[5] << 8 | (uint32_t)t[6] << 16 | (uint32_t)t[7] << 24;
    size_t head = 10;
    if (((unsigned char)text.p[3] & 8) != 0) {
        ptrdiff_t nul = str_chr(str_from(text, 10), '\0');
        head += nul < 0 ? 0 : (size_t)nul + 1;
    }
    if (!r->listed && !r->o->quiet)
        out_printf(&r->out, "%s         compressed        uncompressed  ratio uncompressed_name\n",
                   r->o->verbose ? "method  crc     date  time  " : "");
    r->listed = true;
    if (r->o->verbose) {
        struct date_zone zone = getdate_zone(r->p);
        struct date d;
        struct buf b;
        buf_init(&b, &r->p->kernel->heap);
        if (date_from_epoch(j->st.mtime / 1000000000, 0, &zone, &d) == 0)
            date_format(&b, STR("%b %e %H:%M"), &d, 0, true);
        out_printf(&r->out, "defla %08x %s ", crc, buf_get(&b).p);
        buf_fini(&b);
    }
    struct str bare = compress_bare(r, j->from);
    out_printf(&r->out, "%19llu %19llu %5.1f%% %.*s\n", (unsigned long long)text.n,
               (unsigned long long)plain, compress_saved(text.n - head - 8, plain),
               STR_ARG(bare.p ? bare : j->name));
    return 0;
}

static int compress_body(struct compress_job *j)
{
    struct compress_run *r = j->r;
    if (r->o->list && r->role->tool == COMPRESS_GZIP)
        return compress_list(j);
    j->buffer = heap_alloc(&r->p->kernel->heap, COMPRESS_OUT);
    if (!j->buffer)
        return HOB_ENOMEM;
    int e = r->o->decompress ? compress_unpack(j) : compress_pack(j);
    codec_free(j->codec);
    j->codec = NULL;
    heap_free(&r->p->kernel->heap, j->buffer, COMPRESS_OUT);
    if (e == HOB_ENOTSUP) {
        compress_say(r, "this build of Hob lacks the library for it\n");
        compress_fail(r, 1);
        return HOB_ESYNTAX;
    }
    return e;
}

/* Writes beside the file and puts it in place when it is complete. */
static int compress_to_file(struct compress_job *j)
{
    struct compress_run *r = j->r;
    struct proc *p = r->p;
    struct file *f;
    struct out out;
    struct str to = r->o->output.p ? r->o->output : j->to;
    if (r->o->force)
        vfs_unlink(p, to);
    int e = vfs_open(p, to, FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0600, &f);
    if (e < 0) {
        compress_say(r, "%s: %s\n", proc_quotef(p, to), error_text(e));
        compress_fail(r, 1);
        return 0;
    }
    out_init_file(&out, p, f);
    j->out = &out;
    e = compress_body(j);
    int w = out_fini(&out);
    file_unref(f);
    j->out = NULL;
    if (e < 0 || w < 0) {
        vfs_unlink(p, to);
        if (e == 0 || (e == w && e != HOB_EKILLED && e != HOB_ENOMEM)) {
            compress_say(r, "%s: %s\n", proc_quotef(p, to), error_text(w));
            compress_fail(r, 1);
            e = HOB_ESYNTAX;
        }
        return e;
    }
    vfs_chmod(p, to, j->st.mode & 07777);
    vfs_utimes(p, to, j->st.atime, j->st.mtime, 0);
    if (!r->o->keep && !j->standard)
        e = vfs_unlink(p, j->from);
    return e;
}

static int compress_opened(struct compress_job *j)
{
    struct compress_run *r = j->r;
    int e;
    if (r->o->test || r->o->list) {
        e = compress_body(j);
    } else if (r->o->to_stdout || (j->standard && !r->o->output.p)) {
        j->out = &r->out;
        e = compress_body(j);
    } else {
        e = compress_to_file(j);
    }
    if (e == 0 && !r->o->list)
        compress_report(j);
    return e == HOB_ESYNTAX ? 0 : e;
}

static int compress_one(struct compress_run *r, struct str name);

static int compress_folder(struct compress_run *r, struct str dir)
{
    struct strs names = {0};
    if (task_stack_low(r->p->task))
        return HOB_ELOOP;
    int e = files_list(r->p, dir, &names);
    for (size_t i = 0; e == 0 && i < names.n; i++) {
        struct str path = files_join(r->p, dir, names.p[i]);
        e = path.p ? compress_one(r, path) : HOB_ENOMEM;
    }
    return e;
}

/* Whether the file is one to work on. */
static bool compress_suits(struct compress_job *j)
{
    struct compress_run *r = j->r;
    const char *name = proc_quotef(r->p, j->name);
    bool plain = MODE_IS_FILE(j->st.mode);
    bool writes = !r->o->to_stdout && !r->o->test && !r->o->list && !r->o->output.p;
    if (MODE_IS_DIR(j->st.mode)) {
        if (r->role->tool == COMPRESS_BZIP2)
            compress_say(r, "Input file %s is a directory.\n", name);
        else
            compress_say(r,
                         r->role->tool == COMPRESS_XZ ? "%s: Is a directory, skipping\n"
                                                      : "%s is a directory -- ignored\n",
                         name);
        compress_fail(r, r->role->tool == COMPRESS_GZIP || r->role->tool == COMPRESS_XZ ? 2 : 1);
        return false;
    }
    if (writes && !plain && !r->o->force) {
        compress_say(r,
                     r->role->tool == COMPRESS_GZIP
                         ? "%s is not a directory or a regular file - ignored\n"
                         : "%s: Not a regular file, skipping\n",
                     name);
        compress_fail(r, 2);
        return false;
    }
    return !writes || (compress_target(j) && !compress_in_the_way(j));
}

/* --exclude-compressed: by the name. */
static bool compress_is_packed(struct str name)
{
    static const char *const known[] = {".zst",  ".tzst", ".gz",  ".tgz", ".xz",  ".txz",
                                        ".lzma", ".lz4",  ".bz2", ".7z",  ".zip", ".rar",
                                        ".br",   ".jpg",  ".png", ".mp3", ".mp4"};
    for (size_t i = 0; i < COUNT(known); i++)
        if (str_ends(name, str_z(known[i])))
            return true;
    return false;
}

static int compress_one(struct compress_run *r, struct str name)
{
    struct compress_job j = {.r = r, .name = name, .from = name};
    struct compress *o = r->o;
    if (o->skip_packed && !o->decompress && compress_is_packed(name))
        return 0;
    int e = vfs_stat(r->p, name, 0, &j.st);
    if (e == HOB_ENOENT && o->decompress && r->role->tool == COMPRESS_GZIP &&
        !compress_bare(r, name).p) {
        j.from = j.name = compress_join(r->p, name, compress_suffix(r));
        e = j.from.p ? vfs_stat(r->p, j.from, 0, &j.st) : HOB_ENOMEM;
    }
    if (e == HOB_ENOMEM)
        return e;
    if (e == 0 && MODE_IS_DIR(j.st.mode) && o->recursive)
        return compress_folder(r, name);
    if (e == 0 && !compress_suits(&j))
        return 0;
    e = e < 0 ? e : in_open_quiet(&j.in, r->p, j.from);
    if (e < 0) {
        compress_error(&j, e);
        return 0;
    }
    e = compress_opened(&j);
    in_fini(&j.in);
    return e;
}

static int compress_stdin(struct compress_run *r)
{
    struct compress_job j = {.r = r, .standard = true};
    j.name = j.from = r->role->tool == COMPRESS_GZIP ? STR("stdin") : STR("(stdin)");
    j.st.mode = 0644;
    j.st.mtime = j.st.atime = sched_now(&r->p->kernel->sched);
    in_init(&j.in, r->p, 0);
    int e = compress_opened(&j);
    in_fini(&j.in);
    return e;
}

/* ---- options --------------------------------------------------------------------------------- */

static int compress_opt_level(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct compress *c = args;
    (void)p;
    (void)arg;
    c->level = MIN(c->level * 10 * (c->level != 0) + (o->letter - '0'), 99);
    return 0;
}

/* How much memory, how many jobs: zstd's own tuning has no counterpart here. */
static int compress_opt_tuning(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p;
    (void)o;
    (void)arg;
    ((struct compress *)args)->tuned = true;
    return 0;
}

static int compress_opt_fast(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    int64_t n;
    (void)o;
    if (arg.p && (str_int(arg, &n) < 0 || n < 1)) {
        proc_warn(p, "error : invalid compression level %.*s", STR_ARG(arg));
        return 2;
    }
    ((struct compress *)args)->level = 1;
    return 0;
}

static int compress_opt_filelist(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct compress *c = args;
    struct in in;
    struct str line;
    bool had;
    int e = in_open_quiet(&in, p, arg);
    (void)o;
    if (e < 0) {
        proc_warn(p, "error reading %.*s", STR_ARG(arg));
        return 2;
    }
    while (e == 0 && in_line(&in, '\n', &line, &had)) {
        struct str copy = arena_str(p->arena, line);
        if (line.n && (!copy.p || !proc_push(p, &c->listed, copy)))
            e = HOB_ENOMEM;
    }
    in_fini(&in);
    return e;
}

static int compress_opt_format(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct compress *c = args;
    (void)o;
    if (str_eqz(arg, "lzma") || str_eqz(arg, "alone"))
        c->format = CODEC_LZMA;
    else if (!str_eqz(arg, "xz") && !str_eqz(arg, "auto")) {
        proc_warn(p, "%.*s: Unknown file format type", STR_ARG(arg));
        return 2;
    }
    return 0;
}

#define COMPRESS_FLAG(l, n, f, h) OPT_FLAG(l, n, struct compress, f, h)
/* clang-format off */
#define COMPRESS_LEVEL(l, n, h) {OPT_KIND_CALL, OPT_HIDDEN, l, n, 0, 0, NULL, h, compress_opt_level}
/* clang-format on */
#define COMPRESS_TUNING(n, a) OPT_CALL(0, n, compress_opt_tuning, a, "(accepted)")
static const struct opt compress_opts[] = {
    COMPRESS_FLAG('c', "stdout", to_stdout, "write to standard output, keep the files"),
    COMPRESS_FLAG(0, "to-stdout", to_stdout, "the same"),
    COMPRESS_FLAG('d', "decompress", decompress, "unpack"),
    COMPRESS_FLAG(0, "uncompress", decompress, "unpack"),
    COMPRESS_FLAG('f', "force", force, "write over files that are there"),
    COMPRESS_FLAG('k', "keep", keep, "keep the files that were read"),
    COMPRESS_FLAG('l', "list", list, "tell sizes (gzip)"),
    COMPRESS_FLAG('n', "no-name", no_name, "keep neither name nor time in the file (gzip)"),
    COMPRESS_FLAG('N', "name", name, "keep them (the default)"),
    COMPRESS_FLAG('q', "quiet", quiet, "no warnings"),
    COMPRESS_FLAG('r', "recursive", recursive, "folders, and what is in them"),
    OPT_STRING('S', "suffix", struct compress, suffix, "SUF", "use this suffix"),
    COMPRESS_FLAG('t', "test", test, "see whether files are whole"),
    COMPRESS_FLAG('v', "verbose", verbose, "tell what is done"),
    COMPRESS_FLAG('z', "compress", name, "pack (the default)"),
    OPT_STRING('o', NULL, struct compress, output, "FILE", "write to FILE (zstd)"),
    COMPRESS_FLAG(0, "rm", rm, "remove the files that were read (zstd)"),
    OPT_CALL('F', "format", compress_opt_format, "FMT", "xz, lzma (xz)"),
    OPT_INTEGER('T', "threads", struct compress, threads, "NUM", "(accepted)"),
    COMPRESS_FLAG('e', "extreme", name, "(accepted)"),
    COMPRESS_FLAG(0, "rsyncable", name, "(accepted)"),
    COMPRESS_LEVEL('0', NULL, ""),
    COMPRESS_LEVEL('1', NULL, ""),
    COMPRESS_LEVEL('2', NULL, ""),
    COMPRESS_LEVEL('3', NULL, ""),
    COMPRESS_LEVEL('4', NULL, ""),
    COMPRESS_LEVEL('5', NULL, ""),
    COMPRESS_LEVEL('6', NULL, ""),
    COMPRESS_LEVEL('7', NULL, ""),
    COMPRESS_LEVEL('8', NULL, ""),
    COMPRESS_LEVEL('9', "best", "better"),
    COMPRESS_FLAG('s', "small", tuned, "(accepted: bzip2)"),
    COMPRESS_FLAG(0, "synchronous", tuned, "(accepted: gzip)"),
    OPT_GROUP("Of zstd:"),
    OPT_CALL_OPTIONAL(0, "fast", compress_opt_fast, "NUM", "pack fast"),
    OPT_CALL(0, "filelist", compress_opt_filelist, "FILE", "names of files from FILE"),
    OPT_STRING(0, "output-dir-flat", struct compress, flat, "DIR", "write into DIR"),
    OPT_STRING(0, "output-dir-mirror", struct compress, mirror, "DIR",
               "write into DIR, with the folders of the names"),
    COMPRESS_FLAG(0, "exclude-compressed", skip_packed, "not files that are packed already"),
    OPT_CALL_OPTIONAL(0, "long", compress_opt_tuning, "NUM", "(accepted)"),
    OPT_CALL('B', NULL, compress_opt_tuning, "NUM", "(accepted)"),
    OPT_CALL('M', "memory", compress_opt_tuning, "NUM", "(accepted)"),
    COMPRESS_TUNING("ultra", NULL),
    COMPRESS_TUNING("adapt", NULL),
    COMPRESS_TUNING("single-thread", NULL),
    COMPRESS_TUNING("auto-threads", "WHICH"),
    COMPRESS_TUNING("stream-size", "NUM"),
    COMPRESS_TUNING("size-hint", "NUM"),
    COMPRESS_TUNING("check", NULL),
    COMPRESS_TUNING("no-check", NULL),
    COMPRESS_TUNING("no-progress", NULL),
    OPT_END,
};
#undef COMPRESS_TUNING
#undef COMPRESS_FLAG
#undef COMPRESS_LEVEL

static int compress_go(struct proc *p, struct compress *o, const struct compress_role *role)
{
    struct compress_run r = {.p = p, .o = o, .role = role};
    int e = 0;
    o->decompress |= role->decompress || o->test || o->list;
    o->to_stdout |= role->to_stdout;
    if (role->tool == COMPRESS_ZSTD)
        o->keep = !o->rm;
    else
        o->level = MIN(o->level, 9);
    o->keep |= o->to_stdout || o->test || o->list;
    out_init(&r.out, p, 1);
    if (p->argc == 0 && o->listed.n == 0)
        e = compress_stdin(&r);
    for (int i = 0; i < p->argc && e == 0 && !r.out.err; i++)
        e = str_eqz(p->argv[i], "-") ? compress_stdin(&r) : compress_one(&r, p->argv[i]);
    for (size_t i = 0; i < o->listed.n && e == 0 && !r.out.err; i++)
        e = compress_one(&r, o->listed.p[i]);
    return command_close(p, &r.out, e ? e : r.status);
}

static const struct {
    const char *name;
    struct compress_role role;
} compress_roles[] = {
    {"gzip", {COMPRESS_GZIP, CODEC_GZIP, false, false, ".gz", "gzip"}},
    {"gunzip", {COMPRESS_GZIP, CODEC_GZIP, true, false, ".gz", "gzip"}},
    {"zcat", {COMPRESS_GZIP, CODEC_GZIP, true, true, ".gz", "gzip"}},
    {"bzip2", {COMPRESS_BZIP2, CODEC_BZIP2, false, false, ".bz2", NULL}},
    {"bunzip2", {COMPRESS_BZIP2, CODEC_BZIP2, true, false, ".bz2", NULL}},
    {"bzcat", {COMPRESS_BZIP2, CODEC_BZIP2, true, true, ".bz2", NULL}},
    {"xz", {COMPRESS_XZ, CODEC_XZ, false, false, ".xz", NULL}},
    {"unxz", {COMPRESS_XZ, CODEC_XZ, true, false, ".xz", NULL}},
    {"xzcat", {COMPRESS_XZ, CODEC_XZ, true, true, ".xz", NULL}},
    {"zstd", {COMPRESS_ZSTD, CODEC_ZSTD, false, false, ".zst", NULL}},
    {"unzstd", {COMPRESS_ZSTD, CODEC_ZSTD, true, false, ".zst", NULL}},
    {"zstdcat", {COMPRESS_ZSTD, CODEC_ZSTD, true, true, ".zst", NULL}},
};

static int compress_run(struct proc *p, void *args)
{
    const struct command *c = p->command;
    size_t i = 0;
    while (strcmp(compress_roles[i].name, c->name) != 0)
        i++;
    return compress_go(p, args, &compress_roles[i].role);
}

#define COMPRESS_COMMAND(id, text)                                                                 \
    const struct command cmd_##id = {                                                              \
        .name = #id,                                                                               \
        .usage = "[OPTION]... [FILE]...",                                                          \
        .summary = text,                                                                           \
        .opts = compress_opts,                                                                     \
        .args_size = sizeof(struct compress),                                                      \
        .usage_status = 1,                                                                         \
        .run = compress_run,                                                                       \
    };
COMPRESS_COMMAND(gzip, "Pack files, or unpack them with -d.")
COMPRESS_COMMAND(gunzip, "Unpack files that gzip packed.")
COMPRESS_COMMAND(zcat, "Print files that gzip packed.")
COMPRESS_COMMAND(bzip2, "Pack files, or unpack them with -d.")
COMPRESS_COMMAND(bunzip2, "Unpack files that bzip2 packed.")
COMPRESS_COMMAND(bzcat, "Print files that bzip2 packed.")
COMPRESS_COMMAND(xz, "Pack files, or unpack them with -d.")
COMPRESS_COMMAND(unxz, "Unpack files that xz packed.")
COMPRESS_COMMAND(xzcat, "Print files that xz packed.")
COMPRESS_COMMAND(zstd, "Pack files, or unpack them with -d.")
COMPRESS_COMMAND(unzstd, "Unpack files that zstd packed.")
COMPRESS_COMMAND(zstdcat, "Print files that zstd packed.")
#undef COMPRESS_COMMAND

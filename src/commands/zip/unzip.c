/* unzip.c -- unzip and zipinfo: listing, testing and taking files out of zip archives
 *
 * Nothing leaves the target: leading slashes and ".." are taken off the names, and links are made
 * at the very end, so that no entry is written through a link of the same archive.
 */
#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "commands/lib/files.h"
#include "commands/lib/getdate.h"
#include "commands/zip/zip.h"
#include "text/codec.h"
#include "text/date.h"

struct unzip {
    bool list, test, to_stdout, pipe, verbose, overwrite, never, junk, update, freshen, icase;
    bool info, names, comment, binary, keep_bits;
    int quiet, text, lower, no_times;
    struct str dir;
};

static int unzip_opt_pattern(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p;
    (void)args;
    (void)o;
    (void)arg;
    return 0;
}

#define UNZIP_FLAG(l, f, h) OPT_FLAG(l, NULL, struct unzip, f, h)
static const struct opt unzip_opts[] = {
    OPT_INC('a', NULL, struct unzip, text,
            "line ends of text become newlines; twice: of all files"),
    UNZIP_FLAG('b', binary, "all files are taken out as they are"),
    UNZIP_FLAG('c', to_stdout, "print the contents, with the names"),
    UNZIP_FLAG('C', icase, "names match without regard to case"),
    OPT_STRING('d', NULL, struct unzip, dir, "DIR", "take out into DIR"),
    OPT_INC('D', NULL, struct unzip, no_times, "no times of folders; twice: of no file"),
    UNZIP_FLAG('f', freshen, "only files that are there and older"),
    UNZIP_FLAG('j', junk, "without folders"),
    UNZIP_FLAG('l', list, "list"),
    UNZIP_FLAG('K', keep_bits, "set-user-ID and its like, too"),
    OPT_INC('L', NULL, struct unzip, lower,
            "small letters for names from systems without them; twice: for all"),
    UNZIP_FLAG('n', never, "never write over a file"),
    UNZIP_FLAG('o', overwrite, "write over files without asking"),
    UNZIP_FLAG('p', pipe, "print the contents, nothing else"),
    OPT_INC('q', NULL, struct unzip, quiet, "say less"),
    UNZIP_FLAG('t', test, "see whether all is whole"),
    UNZIP_FLAG('u', update, "files that are newer, and new ones"),
    UNZIP_FLAG('v', verbose, "list with sizes and methods"),
    OPT_CALL('x', NULL, unzip_opt_pattern, "PATTERN...", "not what matches"),
    UNZIP_FLAG('z', comment, "print the comment of the archive"),
    UNZIP_FLAG('Z', info, "list as zipinfo does; -Z1: names alone"),
    UNZIP_FLAG('1', names, "with -Z: names alone"),
    OPT_END,
};
#undef UNZIP_FLAG

struct unzip_run {
    struct proc *p;
    struct unzip *o;
    struct out out, err;
    struct zip_archive a;
    struct strs wanted, unwanted;
    bool *found; /* for each of `wanted` */
    struct str shown;
    struct codec *codec;
    char *buffer; /* ZIP_PIECE for what comes in, as much for what goes out */
    int status;
    struct zip_entry **links;
    struct str *link_paths;
    size_t nlinks;
    bool after_return; /* the last byte of the entry was a CR */
};

static void unzip_say(struct unzip_run *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void unzip_say(struct unzip_run *r, const char *fmt, ...)
{
    struct buf b;
    va_list ap;
    out_flush(&r->out);
    buf_init(&b, &r->p->kernel->heap);
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    proc_puts(r->p, 2, buf_get(&b));
    buf_fini(&b);
}

static bool unzip_selects(struct unzip_run *r, struct str name)
{
    bool any = r->wanted.n == 0;
    for (size_t i = 0; i < r->wanted.n; i++) {
        struct strs one = {&r->wanted.p[i], 1, 1};
        if (zip_matches(r->p, &one, name, r->o->icase)) {
            r->found[i] = true;
            any = true;
        }
    }
    return any && !zip_matches(r->p, &r->unwanted, name, r->o->icase);
}

/* ---- listing --------------------------------------------------------------------------------- */

static const char *unzip_method(const struct zip_entry *e)
{
    static const char *const deflate[] = {"Defl:N", "Defl:X", "Defl:F", "Defl:S"};
    switch (e->method) {
    case ZIP_STORED: return "Stored";
    case ZIP_DEFLATED: return deflate[e->flags >> 1 & 3];
    case 12: return "BZip2";
    case 14: return "LZMA";
    default: return "Unk:0";
    }
}

static void unzip_date(const struct unzip_run *r, const struct zip_entry *e, char out[20])
{
    struct date d = {0};
    struct date_zone zone = getdate_zone(r->p);
    date_from_epoch(e->mtime, 0, &zone, &d);
    fmt_print(out, 20, "%04d-%02d-%02d %02d:%02d", (int)d.year, d.month, d.day, d.hour, d.minute);
}

static int unzip_list(struct unzip_run *r)
{
    uint64_t size = 0, packed = 0, n = 0;
    bool v = r->o->verbose;
    char date[20];
    if (r->o->quiet < 2)
        out_puts(&r->out, v ? " Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\n"
                              "--------  ------  ------- ---- ---------- ----- --------  ----\n"
                            : "  Length      Date    Time    Name\n"
                              "---------  ---------- -----   ----\n");
    for (size_t i = 0; i < r->a.n; i++) {
        const struct zip_entry *e = &r->a.entries[i];
        if (!unzip_selects(r, e->name))
            continue;
        unzip_date(r, e, date);
        if (v)
            out_printf(&r->out, "%8llu  %-6s %8llu %3d%% %s %08x  ", (unsigned long long)e->size,
                       unzip_method(e), (unsigned long long)e->packed,
                       zip_percent(e->size, e->packed), date, e->crc);
        else
            out_printf(&r->out, "%9llu  %s   ", (unsigned long long)e->size, date);
        out_str(&r->out, e->name);
        out_putc(&r->out, '\n');
        size += e->size;
        packed += e->packed;
        n++;
        int t = proc_tick(r->p, 1);
        if (t < 0)
            return t;
    }
    if (r->o->quiet < 2 && v)
        out_printf(&r->out,
                   "--------          -------  ---                            -------\n"
                   "%8llu         %8llu %3d%%                            %llu file%s\n",
                   (unsigned long long)size, (unsigned long long)packed, zip_percent(size, packed),
                   (unsigned long long)n, n == 1 ? "" : "s");
    else if (r->o->quiet < 2)
        out_printf(&r->out,
                   "---------                     -------\n%9llu                     %llu file%s\n",
                   (unsigned long long)size, (unsigned long long)n, n == 1 ? "" : "s");
    return n == 0 && r->wanted.n ? 11 : 0;
}

static void unzip_info_line(struct unzip_run *r, const struct zip_entry *e)
{
    static const char letters[] = "rwxrwxrwx";
    uint32_t mode = zip_mode(e);
    char bits[11] = "----------", date[24];
    struct date d = {0};
    struct date_zone zone = getdate_zone(r->p);
    bits[0] = MODE_IS_DIR(mode) ? 'd' : MODE_IS_LINK(mode) ? 'l' : mode & MODE_TYPE ? '-' : '?';
    for (int i = 0; i < 9; i++)
        if (mode >> (8 - i) & 1)
            bits[i + 1] = letters[i];
    date_from_epoch(e->mtime, 0, &zone, &d);
    fmt_print(date, sizeof date, "%02d-%.3s-%02d %02d:%02d", (int)(d.year % 100),
              date_month_names[(d.month + 11) % 12], d.day, d.hour, d.minute);
    bool extra = e->extra.n > 0, later = e->flags & 8;
    char text = e->internal & 1 ? 't' : 'b';
    out_printf(&r->out, "%s  %u.%u %s %8llu %c%c %s %s ", bits, e->made % 256 / 10,
               e->made % 256 % 10, e->made >> 8 == 3 ? "unx" : "fat", (unsigned long long)e->size,
               e->flags & 1 ? text - 32 : text,
               extra && later ? 'X'
               : extra        ? 'x'
               : later        ? 'l'
                              : '-',
               e->method == ZIP_STORED     ? "stor"
               : e->method == ZIP_DEFLATED ? (e->flags >> 1 & 3) == 1 ? "defX" : "defN"
                                           : "u???",
               date);
    out_str(&r->out, e->name);
    out_putc(&r->out, '\n');
}

static int unzip_info(struct unzip_run *r)
{
    uint64_t size = 0, packed = 0, n = 0;
    bool full = !r->o->names && !r->wanted.n && !r->unwanted.n;
    if (full)
        out_printf(&r->out, "Archive:  %.*s\nZip file size: %llu bytes, number of entries: %zu\n",
                   STR_ARG(r->shown), (unsigned long long)r->a.size, r->a.n);
    for (size_t i = 0; i < r->a.n; i++) {
        const struct zip_entry *e = &r->a.entries[i];
        if (!unzip_selects(r, e->name))
            continue;
        if (r->o->names) {
            out_str(&r->out, e->name);
            out_putc(&r->out, '\n');
        } else {
            unzip_info_line(r, e);
        }
        size += e->size;
        packed += e->packed;
        n++;
        int t = proc_tick(r->p, 1);
        if (t < 0)
            return t;
    }
    if (full) {
        uint64_t tenth = size && packed < size ? (2000 * (size - packed) / size + 1) / 2 : 0;
        out_printf(&r->out,
                   "%llu file%s, %llu bytes uncompressed, %llu bytes compressed:  %u.%u%%\n",
                   (unsigned long long)n, n == 1 ? "" : "s", (unsigned long long)size,
                   (unsigned long long)packed, (unsigned)(tenth / 10), (unsigned)(tenth % 10));
    }
    return n == 0 && r->wanted.n ? 11 : 0;
}

/* ---- contents -------------------------------------------------------------------------------- */

/* -a: whether line ends are changed in this entry. */
static bool unzip_as_text(const struct unzip_run *r, const struct zip_entry *e)
{
    int how = r->o->binary || r->o->pipe ? 0 : r->o->text;
    return how > 1 || (how == 1 && e->internal & 1);
}

/* Bytes of an entry; CR LF and CR become newlines in text. */
static void unzip_put(struct unzip_run *r, const struct zip_entry *e, struct out *to, const char *p,
                      size_t n)
{
    if (!unzip_as_text(r, e)) {
        out_write(to, p, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (p[i] == '\r' || (p[i] == '\n' && !r->after_return))
            out_putc(to, '\n');
        else if (p[i] != '\n' && p[i] != 26) /* DOS ends texts with Ctrl-Z */
            out_putc(to, p[i]);
        r->after_return = p[i] == '\r';
    }
}

/* The bytes of an entry to `to` (NULL: nowhere), or into `text` for links. HOB_EPROTO: damaged. */
static int unzip_unpack(struct unzip_run *r, const struct zip_entry *e, struct out *to,
                        struct buf *text, uint32_t *crc)
{
    uint64_t at, left = e->packed, done = 0;
    char *in = r->buffer, *out = r->buffer + ZIP_PIECE;
    int s = zip_data_at(&r->a, e, &at);
    *crc = 0;
    r->after_return = false;
    if (s < 0)
        return s;
    bool packed = e->method == ZIP_DEFLATED;
    if (packed && (s = codec_new(&r->p->kernel->heap, CODEC_DEFLATE, false, 0, &r->codec)) < 0)
        return s;
    s = CODEC_MORE;
    while (s == CODEC_MORE && (left || packed)) {
        size_t n = (size_t)MIN(left, (uint64_t)ZIP_PIECE);
        s = n ? zip_read_at(&r->a, at, in, n) : 0;
        struct str piece = str_of(in, n);
        at += n;
        left -= n;
        do {
            size_t made = piece.n;
            const char *bytes = piece.p;
            if (s == 0 && packed) {
                s = codec_step(r->codec, &piece, left == 0, out, ZIP_PIECE, &made);
                bytes = out;
            } else {
                piece = str_of(in, 0);
            }
            if (s < 0)
                break;
            done += made;
            *crc = zip_crc(*crc, bytes, made);
            if (to)
                unzip_put(r, e, to, bytes, made);
            if (text && text->n < VFS_PATH_MAX)
                buf_add(text, bytes, made);
            int t = proc_tick(r->p, (int64_t)(made >> 8) + 1);
            s = t < 0 ? t : to && to->err ? to->err : done > e->size ? HOB_EPROTO : s;
            if (s == CODEC_MORE && packed && made == 0 && piece.n == 0)
                break;
        } while (s == CODEC_MORE && packed && (piece.n || left == 0));
    }
    codec_free(r->codec);
    r->codec = NULL;
    return s < 0 ? s : 0;
}

static bool unzip_known(const struct zip_entry *e)
{
    return (e->method == ZIP_STORED || e->method == ZIP_DEFLATED) && !(e->flags & 1);
}

/* Says what is wrong with an entry; 2 or 3 becomes the status. 0 when nothing is. */
static int unzip_verdict(struct unzip_run *r, const struct zip_entry *e, int err, uint32_t crc,
                         struct str name, bool silent)
{
    if (err == 0 && crc == e->crc)
        return 0;
    if (err < 0 && err != HOB_EPROTO && err != HOB_ENODATA)
        return err;
    char text[64];
    fmt_print(text, sizeof text,
              err < 0 ? "invalid compressed data to inflate" : " bad CRC %08x  (should be %08x)",
              crc, e->crc);
    if (silent)
        unzip_say(r, err < 0 ? "  error:  %.*s%s\n" : "%-22.*s %s\n", STR_ARG(name), text);
    else
        out_printf(&r->out, "%s\n",
                   err < 0 ? "\n  error:  invalid compressed data to inflate" : text);
    r->status = MAX(r->status, 2);
    return 1;
}

static int unzip_test(struct unzip_run *r)
{
    for (size_t i = 0; i < r->a.n; i++) {
        const struct zip_entry *e = &r->a.entries[i];
        uint32_t crc;
        if (!unzip_selects(r, e->name))
            continue;
        if (!r->o->quiet)
            out_printf(&r->out, "    testing: %-22.*s  ", STR_ARG(e->name));
        if (!unzip_known(e)) {
            out_puts(&r->out, "  skipping: unsupported method\n");
            r->status = 81;
            continue;
        }
        int err = unzip_unpack(r, e, NULL, NULL, &crc);
        int v = unzip_verdict(r, e, err, crc, e->name, r->o->quiet > 0);
        if (v < 0)
            return v;
        if (v == 0 && !r->o->quiet)
            out_puts(&r->out, " OK\n");
    }
    if (r->o->quiet < 2 && r->status == 0)
        out_printf(&r->out, "No errors detected in compressed data of %.*s.\n", STR_ARG(r->shown));
    else if (r->o->quiet < 2)
        out_printf(&r->out, "At least one error was detected in %.*s.\n", STR_ARG(r->shown));
    return 0;
}

static int unzip_print(struct unzip_run *r)
{
    for (size_t i = 0; i < r->a.n; i++) {
        const struct zip_entry *e = &r->a.entries[i];
        uint32_t crc;
        if (!unzip_selects(r, e->name) || zip_is_dir(e) || !unzip_known(e))
            continue;
        if (r->o->to_stdout && !r->o->quiet)
            out_printf(&r->out, " %s: %-22.*s  \n", e->method ? " inflating" : "extracting",
                       STR_ARG(e->name));
        int err = unzip_unpack(r, e, &r->out, NULL, &crc);
        if (err == 0 && r->o->to_stdout && !r->o->quiet)
            out_putc(&r->out, '\n');
        int v = unzip_verdict(r, e, err, crc, e->name, true);
        if (v < 0)
            return v;
    }
    return 0;
}

/* ---- taking out ------------------------------------------------------------------------------ */

/* TM-FS-10: where an entry goes, on the arena, without what would lead out. .p NULL: nowhere. */
static struct str unzip_path(struct unzip_run *r, const struct zip_entry *e)
{
    struct str s = e->name;
    struct buf b;
    bool dots = false, dos = e->made >> 8 == 0;
    if (r->o->lower > 1 || (r->o->lower && dos)) {
        char *small = arena_alloc(r->p->arena, s.n + 1);
        if (!small)
            return STR_NONE;
        for (size_t i = 0; i < s.n; i++)
            small[i] = (char)ascii_to_lower((unsigned char)s.p[i]);
        s = str_of(small, s.n);
    }
    if (s.n && s.p[0] == '/')
        unzip_say(r, "warning:  stripped absolute path spec from %.*s\n", STR_ARG(s));
    if (r->o->junk)
        s = zip_is_dir(e) ? STR("") : path_base(s);
    buf_init(&b, &r->p->kernel->heap);
    while (s.n) {
        ptrdiff_t slash = str_chr(s, '/');
        struct str part = slash < 0 ? s : str_sub(s, 0, (size_t)slash);
        s = str_from(s, part.n + 1);
        if (str_eqz(part, ".."))
            dots = true;
        else if (part.n && !str_eqz(part, ".") && !memchr(part.p, 0, part.n)) {
            if (b.n)
                buf_putc(&b, '/');
            buf_str(&b, part);
        }
    }
    if (dots)
        out_printf(&r->out, "warning:  skipped \"../\" path component(s) in %.*s\n",
                   STR_ARG(e->name));
    struct str path = b.n ? r->o->dir.p ? files_join(r->p, files_strip(r->o->dir), buf_get(&b))
                                        : arena_str(r->p->arena, buf_get(&b))
                          : STR_NONE;
    buf_fini(&b);
    return path;
}

/* Whether a file that is there may be replaced; asks when nothing was said about it. */
static bool unzip_may_replace(struct unzip_run *r, const struct zip_entry *e, struct str *path,
                              const struct stat_info *st)
{
    if (MODE_IS_LINK(st->mode) && !r->o->overwrite)
        out_printf(&r->out, "%.*s exists and is a symbolic link.\n", STR_ARG(*path));
    if ((r->o->update || r->o->freshen) && st->mtime / 1000000000 >= e->mtime)
        return false;
    while (!r->o->overwrite && !r->o->never) {
        struct in in;
        struct str line;
        bool had;
        unzip_say(r, "replace %.*s? [y]es, [n]o, [A]ll, [N]one, [r]ename: ", STR_ARG(*path));
        in_init(&in, r->p, 0);
        bool got = in_line(&in, '\n', &line, &had);
        char c = got && line.n ? line.p[0] : got ? '\n' : 0;
        in_fini(&in);
        if (!got) {
            unzip_say(r, " NULL\n(EOF or read error, treating as \"[N]one\" ...)\n");
            r->status = MAX(r->status, 1);
        }
        if (c == 'y' || c == 'Y')
            return true;
        if (c == 'n')
            return false;
        r->o->overwrite = c == 'A';
        r->o->never = !got || c == 'N';
        if (!r->o->overwrite && !r->o->never)
            unzip_say(r, "error:  invalid response [%c]\n", c == '\n' ? ' ' : c);
    }
    return r->o->overwrite && !r->o->never;
}

static int unzip_take_link(struct unzip_run *r, struct zip_entry *e, struct str path)
{
    struct buf to;
    uint32_t crc;
    buf_init(&to, &r->p->kernel->heap);
    int err = unzip_unpack(r, e, NULL, &to, &crc);
    if (err == 0) {
        struct str target = arena_str(r->p->arena, buf_get(&to));
        err = target.p ? 0 : HOB_ENOMEM;
        if (target.p && !r->o->quiet)
            out_printf(&r->out, "    linking: %-22.*s  -> %.*s \n", STR_ARG(path), STR_ARG(target));
        if (err == 0) {
            e->comment = target;
            r->links[r->nlinks] = e;
            r->link_paths[r->nlinks++] = path;
        }
    }
    buf_fini(&to);
    return err;
}

static int unzip_take_file(struct unzip_run *r, const struct zip_entry *e, struct str path)
{
    struct file *f;
    struct out to;
    uint32_t crc;
    if (!r->o->quiet)
        out_printf(&r->out, " %s: %-22.*s %s", e->method ? " inflating" : "extracting",
                   STR_ARG(path),
                   r->o->text != 1 || r->o->binary ? ""
                   : e->internal & 1               ? " [text] "
                                                   : " [binary]");
    int err = vfs_open(r->p, path, FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0666, &f);
    if (err < 0) {
        if (err == HOB_EKILLED || err == HOB_ENOMEM)
            return err;
        unzip_say(r, "error:  cannot create %.*s\n        %s\n", STR_ARG(path), error_text(err));
        r->status = 50;
        return 0;
    }
    out_init_file(&to, r->p, f);
    err = unzip_unpack(r, e, &to, NULL, &crc);
    int w = out_fini(&to);
    file_unref(f);
    if (w < 0 && w != HOB_EKILLED && w != HOB_ENOMEM) {
        unzip_say(r, "\n%.*s:  write error (%s)\n", STR_ARG(path), error_text(w));
        return 50;
    }
    int v = unzip_verdict(r, e, w < 0 ? w : err, crc, path, r->o->quiet > 0);
    if (v < 0)
        return v;
    if (v == 0 && !r->o->quiet)
        out_puts(&r->out, " \n");
    uint32_t mode = zip_mode(e) & (r->o->keep_bits ? 07777 : 0777);
    if (mode)
        vfs_chmod(r->p, path, mode);
    if (r->o->no_times < 2)
        vfs_utimes(r->p, path, e->mtime * 1000000000, e->mtime * 1000000000, 0);
    return 0;
}

static int unzip_take(struct unzip_run *r, struct zip_entry *e)
{
    struct str path = unzip_path(r, e);
    struct stat_info st;
    if (!path.p)
        return 0;
    bool there = vfs_stat(r->p, path, VFS_NOFOLLOW, &st) == 0;
    if (zip_is_dir(e)) {
        if (there)
            return 0;
        if (!r->o->quiet)
            out_printf(&r->out, "   creating: %.*s/\n", STR_ARG(path));
        int err = vfs_mkdirs(r->p, path, 0777);
        uint32_t mode = zip_mode(e) & 0777;
        if (err == 0 && mode)
            vfs_chmod(r->p, path, mode);
        return err == HOB_EKILLED || err == HOB_ENOMEM ? err : 0;
    }
    if (!there && r->o->freshen)
        return 0;
    if (there && !unzip_may_replace(r, e, &path, &st))
        return 0;
    if (there && !MODE_IS_DIR(st.mode))
        vfs_unlink(r->p, path);
    struct str parent = arena_str(r->p->arena, path_dir(path));
    if (parent.n && !there)
        vfs_mkdirs(r->p, parent, 0777);
    if (!unzip_known(e)) {
        out_printf(&r->out, "   skipping: %-22.*s  unsupported compression method %u\n",
                   STR_ARG(path), e->method);
        r->status = 81;
        return 0;
    }
    return MODE_IS_LINK(zip_mode(e)) ? unzip_take_link(r, e, path) : unzip_take_file(r, e, path);
}

static int unzip_extract(struct unzip_run *r)
{
    struct arena *a = r->p->arena;
    int err = 0;
    r->links = arena_array(a, struct zip_entry *, r->a.n + 1);
    r->link_paths = arena_array(a, struct str, r->a.n + 1);
    if (!r->links || !r->link_paths)
        return HOB_ENOMEM;
    for (size_t i = 0; i < r->a.n && err == 0 && !r->out.err; i++)
        if (unzip_selects(r, r->a.entries[i].name))
            err = unzip_take(r, &r->a.entries[i]);
    if (r->nlinks && !r->o->quiet)
        out_puts(&r->out, "finishing deferred symbolic links:\n");
    for (size_t i = 0; i < r->nlinks && err == 0; i++) {
        vfs_symlink(r->p, r->links[i]->comment, r->link_paths[i]);
        if (!r->o->quiet)
            out_printf(&r->out, "  %-22.*s -> %.*s\n", STR_ARG(r->link_paths[i]),
                       STR_ARG(r->links[i]->comment));
    }
    return err;
}

/* ---- the archive ----------------------------------------------------------------------------- */

static int unzip_not_zip(struct unzip_run *r, struct str asked)
{
    bool info = r->o->info;
    if (r->o->quiet == 0 && !r->o->pipe)
        out_printf(&r->out, "Archive:  %.*s\n", STR_ARG(r->shown));
    unzip_say(r,
              "%s  End-of-central-directory signature not found.  Either this file is not\n"
              "  a zipfile, or it constitutes one disk of a multi-part archive.  In the\n"
              "  latter case the central directory and zipfile comment will be found on\n"
              "  the last disk(s) of this archive.\n",
              r->o->pipe || info ? "" : "");
    unzip_say(r,
              "%s:  cannot find zipfile directory in one of %.*s or\n"
              "        %.*s%.*s.zip, and cannot find %.*s.ZIP, period.\n",
              info ? "zipinfo" : "unzip", STR_ARG(asked), info ? 2 : 0, "  ", STR_ARG(asked),
              STR_ARG(asked));
    return 9;
}

static void unzip_comment(struct unzip_run *r)
{
    struct str s = r->a.comment;
    for (size_t i = 0; i < s.n; i++)
        if (!(s.p[i] == '\r' && i + 1 < s.n && s.p[i + 1] == '\n'))
            out_putc(&r->out, s.p[i]);
    if (s.n && s.p[s.n - 1] != '\n')
        out_putc(&r->out, '\n');
}

static int unzip_go(struct unzip_run *r)
{
    struct unzip *o = r->o;
    int e;
    r->found = arena_array(r->p->arena, bool, r->wanted.n + 1);
    r->buffer = arena_alloc(r->p->arena, (size_t)ZIP_PIECE * 2);
    if (!r->found || !r->buffer)
        return HOB_ENOMEM;
    if (o->info)
        return unzip_info(r);
    bool quiet = o->quiet > 0 || o->pipe;
    if (!quiet)
        out_printf(&r->out, "Archive:  %.*s\n", STR_ARG(r->shown));
    if (!quiet || o->comment)
        unzip_comment(r);
    if (o->comment)
        return 0;
    bool listing = o->list || o->verbose;
    if (listing)
        return unzip_list(r);
    e = o->test ? unzip_test(r) : o->pipe || o->to_stdout ? unzip_print(r) : unzip_extract(r);
    for (size_t i = 0; i < r->wanted.n && e == 0; i++)
        if (!r->found[i]) {
            unzip_say(r, "caution: filename not matched:  %.*s\n", STR_ARG(r->wanted.p[i]));
            r->status = r->status ? r->status : 11;
        }
    return e ? e : r->status;
}

static int unzip_run(struct proc *p, void *args)
{
    struct unzip_run r = {.p = p, .o = args};
    struct zip_lists lists = {0};
    struct file *f = NULL;
    struct stat_info st;
    const struct command *c = p->command;
    if (strcmp(c->name, "zipinfo") == 0)
        r.o->info = true;
    int e = zip_lists(p, &lists);
    if (e < 0)
        return e;
    if (lists.operands.n == 0)
        return proc_usage(p);
    struct str asked = lists.operands.p[0];
    r.wanted = (struct strs){lists.operands.p + 1, lists.operands.n - 1, 0};
    r.unwanted = lists.exclude;
    for (int i = 1; i + 1 < p->nwords; i++) /* the pattern that stands right behind -x */
        if (p->words[i].n > 1 && p->words[i].p[0] == '-' && str_ends(p->words[i], STR("x")) &&
            !proc_push(p, &r.unwanted, p->words[i + 1]))
            return HOB_ENOMEM;
    r.shown = asked;
    e = vfs_open(p, asked, FILE_READ, 0, &f);
    bool folder = e == 0 && file_stat(f, &st) == 0 && MODE_IS_DIR(st.mode);
    if (e == HOB_ENOENT || folder) {
        struct file *with = NULL;
        struct str shown = arena_printf(p->arena, "%.*s.zip", STR_ARG(asked));
        int found = shown.p ? vfs_open(p, shown, FILE_READ, 0, &with) : HOB_ENOMEM;
        if (found == 0 || !folder) {
            file_unref(f);
            f = with;
            e = found;
            r.shown = shown;
        }
    }
    out_init(&r.out, p, 1);
    if (e < 0) {
        if (e != HOB_ENOMEM && e != HOB_EKILLED) {
            out_init(&r.err, p, r.o->info ? 1 : 2); /* zipinfo complains on its output */
            out_printf(&r.err, "%s:  cannot find or open %.*s, %.*s.zip or %.*s.ZIP.\n", c->name,
                       STR_ARG(asked), STR_ARG(asked), STR_ARG(asked));
            out_fini(&r.err);
            e = 9;
        }
        return command_close(p, &r.out, e);
    }
    e = zip_read(&r.a, p, f);
    if (e == 0)
        e = unzip_go(&r);
    else if (e == HOB_EPROTO || e == HOB_ENODATA || e == HOB_EISDIR)
        e = unzip_not_zip(&r, asked);
    zip_free(&r.a);
    file_unref(f);
    return command_close(p, &r.out, e);
}

const struct command cmd_unzip = {
    .name = "unzip",
    .usage = "[OPTION]... ARCHIVE[.zip] [PATTERN]... [-x PATTERN...] [-d DIR]",
    .summary = "Take files out of a zip archive, or list them with -l, test them with -t.",
    .notes = "A name never leads out of the target: a leading slash and \"..\" are taken off.",
    .opts = unzip_opts,
    .args_size = sizeof(struct unzip),
    .usage_status = 10,
    .flags = CMD_USAGE_LINE,
    .run = unzip_run,
};

const struct command cmd_zipinfo = {
    .name = "zipinfo",
    .usage = "[OPTION]... ARCHIVE[.zip] [PATTERN]... [-x PATTERN...]",
    .summary = "Tell what is in a zip archive.",
    .opts = unzip_opts,
    .args_size = sizeof(struct unzip),
    .usage_status = 10,
    .flags = CMD_USAGE_LINE,
    .run = unzip_run,
};

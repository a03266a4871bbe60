/* file.c -- file: what files are, by their kind and their contents
 *
 * The first megabyte is looked at: first for archives and documents that can be told for sure, then
 * for magic bytes, then as text of an encoding and of a language.
 */
#include "commands/file/file.h"
#include "text/codec.h"

#include "base/error.h"
#include "base/utf8.h"

struct filecmd {
    bool brief, mime, mime_type, mime_encoding, follow, no_follow, no_pad, special, stop;
    bool raw, keep, preserve, no_buffer;
    struct str separator;
    struct strs lists;
    int print0; /* 2: the answers end with one, too */
    bool unpack, unpack_quiet, no_sandbox;
    unsigned without; /* tests that are left out */
    uint64_t most;    /* bytes that are looked at */
};

static int file_opt_list(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct filecmd *c = args;
    (void)o;
    return proc_push(p, &c->lists, arg) ? 0 : 2;
}

enum {
    FILE_NO_SOFT = 1,
    FILE_NO_TEXT = 2,
    FILE_NO_JSON = 4,
    FILE_NO_CSV = 8,
    FILE_NO_TAR = 16,
    FILE_NO_ELF = 32,
    FILE_NO_UNPACK = 64
};

static int file_opt_exclude(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    /* The tests of 0 are not made here, or have no name of their own. */
    static const struct word_row tests[] = {{"apptype", 0},
                                            {"ascii", FILE_NO_TEXT},
                                            {"cdf", 0},
                                            {"compress", FILE_NO_UNPACK},
                                            {"csv", FILE_NO_CSV},
                                            {"elf", FILE_NO_ELF},
                                            {"encoding", 0},
                                            {"soft", FILE_NO_SOFT},
                                            {"tar", FILE_NO_TAR},
                                            {"json", FILE_NO_JSON},
                                            {"text", FILE_NO_TEXT},
                                            {"tokens", 0},
                                            {NULL, 0}};
    struct filecmd *c = args;
    for (size_t i = 0; tests[i].name; i++)
        if (str_eqz(arg, tests[i].name)) {
            c->without |= (unsigned)tests[i].value;
            return 0;
        }
    return o->letter ? proc_usage(p) + 1 : 0;
}

/* -P NAME=VALUE: limits of other tests have nothing to limit here. */
static int file_opt_limit(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const char *const names[] = {"bytes",    "elf_notes", "elf_phnum", "elf_shnum",
                                        "encoding", "indir",     "name",      "regex"};
    struct filecmd *c = args;
    ptrdiff_t eq = str_chr(arg, '=');
    uint64_t v;
    (void)o;
    for (size_t i = 0; eq > 0 && i < COUNT(names); i++) {
        if (!str_eqz(str_sub(arg, 0, (size_t)eq), names[i]) ||
            str_uint(str_from(arg, (size_t)eq + 1), &v) < 0)
            continue;
        if (i == 0)
            c->most = v;
        return 0;
    }
    proc_warn(p, "Unknown param %.*s", STR_ARG(arg));
    return 2;
}

static void file_defaults(struct proc *p, void *args)
{
    struct filecmd *c = args;
    struct str v;
    c->follow = proc_getenv(p, STR("POSIXLY_CORRECT"), &v);
    c->most = FILE_LOOK;
}

static const struct opt file_opts[] = {
    OPT_FLAG('b', "brief", struct filecmd, brief, "without the names of the files"),
    OPT_CALL('f', "files-from", file_opt_list, "LIST", "the files that LIST names, one a line"),
    OPT_STRING('F', "separator", struct filecmd, separator, "STRING",
               "put STRING behind the names, not a colon"),
    OPT_FLAG('i', "mime", struct filecmd, mime, "MIME type and encoding"),
    OPT_FLAG(0, "mime-type", struct filecmd, mime_type, "the MIME type"),
    OPT_FLAG(0, "mime-encoding", struct filecmd, mime_encoding, "the encoding"),
    OPT_FLAG('k', "keep-going", struct filecmd, keep, "(only the first match is told)"),
    OPT_FLAG('L', "dereference", struct filecmd, follow, "follow links"),
    OPT_FLAG('h', "no-dereference", struct filecmd, no_follow, "do not (the default)"),
    OPT_FLAG('n', "no-buffer", struct filecmd, no_buffer, "write each line at once"),
    OPT_FLAG('N', "no-pad", struct filecmd, no_pad, "do not line the answers up"),
    OPT_INC('0', "print0", struct filecmd, print0,
            "a NUL behind each name, and behind each answer when given twice"),
    OPT_FLAG('p', "preserve-date", struct filecmd, preserve, "leave access times as they are"),
    OPT_CALL('e', "exclude", file_opt_exclude, "TEST",
             "without a test: ascii, text, compress, csv, elf, json, soft, tar ..."),
    OPT_CALL(0, "exclude-quiet", file_opt_exclude, "TEST", "the same; TEST may be unknown"),
    OPT_CALL('P', "parameter", file_opt_limit, "NAME=VALUE",
             "limits; bytes is how much of a file is looked at"),
    OPT_FLAG('S', "no-sandbox", struct filecmd, no_sandbox, "(there is no other sandbox inside)"),
    OPT_FLAG('z', "uncompress", struct filecmd, unpack, "look into compressed files"),
    OPT_FLAG('Z', "uncompress-noreport", struct filecmd, unpack_quiet,
             "the same, and tell only what is inside"),
    OPT_FLAG('r', "raw", struct filecmd, raw, "print names as they are"),
    OPT_FLAG('s', "special-files", struct filecmd, special, "read devices, too"),
    OPT_FLAG('E', NULL, struct filecmd, stop, "stop at a file that cannot be looked at"),
    OPT_END,
};

struct file_run {
    struct proc *p;
    const struct filecmd *o;
    struct out out;
    size_t width;
    struct file_rules rules;
};

/* ---- one file -------------------------------------------------------------------------------- */

static int file_read_head(struct file_guess *g, size_t most, struct buf *b)
{
    while (b->n < most) {
        if (!buf_reserve(b, 65536))
            return HOB_ENOMEM;
        ptrdiff_t n = file_read(g->file, g->p, b->p + b->n, MIN(65536, most - b->n));
        if (n < 0)
            return (int)n;
        if (n == 0)
            break;
        b->n += (size_t)n;
        b->p[b->n] = '\0';
    }
    g->data = buf_get(b);
    return 0;
}

/* By contents: fills the description, the type and the character set. */
static int file_contents(struct file_guess *g, unsigned without)
{
    g->charset = "binary";
    if (g->data.n == 0) {
        buf_addz(&g->text, "empty");
        g->mime = "inode/x-empty";
        return 0;
    }
    if (g->data.n == 1) {
        buf_addz(&g->text, "very short file (no magic)");
        g->mime = "application/octet-stream";
        return 0;
    }
    const char *coding = file_text_encoding(g);
    if (!(without & FILE_NO_TAR) && file_magic_tar(g))
        return 0;
    if (coding && ((!(without & FILE_NO_JSON) && file_text_json(g)) ||
                   (!(without & FILE_NO_CSV) && file_text_csv(g))))
        return 0;
    if (!(without & FILE_NO_SOFT) &&
        ((!(without & FILE_NO_ELF) && file_magic_elf(g)) || file_magic_binary(g)))
        return 0;
    if (!coding || without & FILE_NO_TEXT) {
        buf_addz(&g->text, "data");
        g->mime = "application/octet-stream";
        return 0;
    }
    g->mime = "text/plain";
    int e = 0;
    g->text_follows = true;
    if (!(without & FILE_NO_SOFT))
        e = file_text_kind(g);
    if (e < 0 || !g->text_follows)
        return e;
    buf_printf(&g->text, "%s%s text%s", g->text.n ? ", " : "", coding,
               g->executable ? " executable" : "");
    file_text_manner(g, &g->text);
    return 0;
}

/* The begin of what is in a compressed file, as far as it can be had. False: it is not one. */
static bool file_unpack(struct file_guess *g, struct buf *b)
{
    int kind = codec_guess(g->data);
    struct str in = g->data;
    struct codec *c;
    size_t n;
    int r = CODEC_MORE;

    if (kind < 0 || codec_new(&g->p->kernel->heap, (enum codec_kind)kind, false, 0, &c) < 0)
        return false;
    while (r == CODEC_MORE && b->n < FILE_LOOK && buf_reserve(b, 32768) &&
           proc_tick(g->p, 32) == 0) {
        r = codec_step(c, &in, true, b->p + b->n, 32768, &n);
        b->n += n;
        b->p[b->n] = '\0';
    }
    codec_free(c);
    return true;
}

/* -z: what is inside, then what it is packed as. */
static int file_inside(struct file_run *r, struct file_guess *g)
{
    struct file_guess inner = {.p = g->p, .rules = g->rules};
    struct buf bytes;
    int e = 0;

    buf_init(&bytes, &g->p->kernel->heap);
    buf_init(&inner.text, &g->p->kernel->heap);
    if (!(r->o->without & FILE_NO_UNPACK) && file_unpack(g, &bytes)) {
        inner.data = buf_get(&bytes);
        e = file_contents(&inner, r->o->without);
        if (inner.data.n == 0)
            inner.mime = "application/x-empty";
        if (!r->o->unpack_quiet) {
            /* How much it was is not told then. */
            struct str outer = buf_get(&g->text);
            ptrdiff_t size = str_find(outer, STR(", original size"));
            outer.n = size < 0 ? outer.n : (size_t)size;
            buf_printf(&inner.text, " (%.*s)", STR_ARG(outer));
            g->packed = g->mime;
        }
        buf_clear(&g->text);
        buf_str(&g->text, buf_get(&inner.text));
        g->mime = inner.mime;
        g->charset = inner.charset;
    }
    buf_fini(&inner.text);
    buf_fini(&bytes);
    return e;
}

static void file_bits(struct file_guess *g, uint32_t mode)
{
    if (mode & MODE_SUID)
        buf_addz(&g->text, "setuid, ");
    if (mode & MODE_SGID)
        buf_addz(&g->text, "setgid, ");
    if (mode & MODE_STICKY)
        buf_addz(&g->text, "sticky, ");
}

static void file_link(struct file_run *r, struct file_guess *g, struct str path)
{
    struct buf to;
    struct stat_info st;
    buf_init(&to, &r->p->kernel->heap);
    vfs_readlink(r->p, path, &to);
    bool broken = vfs_stat(r->p, path, 0, &st) < 0;
    g->mime = "inode/symlink";
    g->charset = broken ? NULL : "binary";
    buf_printf(&g->text, "%ssymbolic link to %.*s", broken ? "broken " : "", STR_ARG(buf_get(&to)));
    buf_fini(&to);
}

/* What is no regular file. True when all is said. */
static bool file_kind(struct file_run *r, struct file_guess *g, struct str path,
                      const struct stat_info *st)
{
    g->charset = "binary";
    switch (st->mode & MODE_TYPE) {
    case MODE_DIR:
        file_bits(g, st->mode);
        buf_addz(&g->text, "directory");
        g->mime = "inode/directory";
        return true;
    case MODE_LINK: file_link(r, g, path); return true;
    case MODE_FIFO:
        buf_addz(&g->text, "fifo (named pipe)");
        g->mime = "inode/fifo";
        return !r->o->special;
    case MODE_SOCK:
        buf_addz(&g->text, "socket");
        g->mime = "inode/socket";
        return true;
    case MODE_CHR:
    case MODE_BLK:
        if (r->o->special)
            return false;
        buf_printf(&g->text, "%s special (%u/%u)",
                   MODE_TYPE & st->mode & 0040000 ? "block" : "character",
                   (unsigned)(st->rdev >> 8), (unsigned)(st->rdev & 0xff));
        g->mime = (st->mode & MODE_TYPE) == MODE_BLK ? "inode/blockdevice" : "inode/chardevice";
        return true;
    default: return false;
    }
}

/* A name with what cannot be printed as octal escapes. */
static struct str file_shown(struct file_run *r, struct str name)
{
    struct buf b;
    if (r->o->raw)
        return name;
    buf_init(&b, &r->p->kernel->heap);
    for (size_t i = 0; i < name.n;) {
        int len;
        uint32_t c = utf8_decode(name.p + i, name.n - i, &len);
        if (c != UTF8_BAD && utf8_is_print(c))
            buf_add(&b, name.p + i, (size_t)len);
        else
            for (int k = 0; k < len; k++)
                buf_printf(&b, "\\%03o", (unsigned char)name.p[i + (size_t)k]);
        i += (size_t)len;
    }
    struct str s = arena_str(r->p->arena, buf_get(&b));
    buf_fini(&b);
    return s.p ? s : name;
}

static int file_look(struct file_run *r, struct file_guess *g, struct str path, bool standard)
{
    struct stat_info st = {0};
    struct buf head;
    int e = 0;
    if (!standard) {
        e = vfs_stat(r->p, path, r->o->follow && !r->o->no_follow ? 0 : VFS_NOFOLLOW, &st);
        if (e < 0)
            return e;
        if (file_kind(r, g, path, &st))
            return 0;
        file_bits(g, st.mode & ~(uint32_t)MODE_STICKY);
        e = vfs_open(r->p, path, FILE_READ, 0, &g->file);
        if (e < 0) {
            buf_addz(&g->text, "regular file, no read permission");
            g->mime = "inode/x-no-read-permission";
            return e == HOB_EACCES ? 0 : e;
        }
        g->size = st.size;
    } else {
        g->file = proc_file(r->p, 0);
        if (!g->file)
            return HOB_EBADF;
        file_ref(g->file);
    }
    buf_init(&head, &r->p->kernel->heap);
    e = file_read_head(g, (size_t)MIN(r->o->most, (uint64_t)FILE_LOOK), &head);
    if (e == 0)
        e = file_contents(g, r->o->without);
    if (e == 0 && (r->o->unpack || r->o->unpack_quiet))
        e = file_inside(r, g);
    buf_fini(&head);
    file_unref(g->file);
    if (r->o->preserve && !standard)
        vfs_utimes(r->p, path, st.atime, st.mtime, 0);
    return e;
}

static void file_print_type(struct file_run *r, const struct file_guess *g)
{
    const struct filecmd *o = r->o;
    struct out *out = &r->out;
    bool both = o->mime || (o->mime_type && o->mime_encoding);
    if (both) {
        out_puts(out, g->mime);
        if (g->charset)
            out_printf(out, "; charset=%s", g->charset);
        if (g->packed)
            out_printf(out, " compressed-encoding=%s; charset=binary", g->packed);
    } else if (o->mime_type) {
        out_puts(out, g->mime);
    } else if (o->mime_encoding) {
        out_puts(out, g->charset ? g->charset : "binary");
    } else {
        out_str(out, buf_get(&g->text));
    }
}

/* 0, or a negative error that ends the command; 1 with -E. */
static int file_one(struct file_run *r, struct str path)
{
    struct file_guess g = {.p = r->p, .rules = &r->rules};
    bool standard = str_eqz(path, "-");
    struct str shown = standard ? STR("/dev/stdin") : file_shown(r, path);
    size_t columns = utf8_columns(shown);
    struct str sep = r->o->separator.p ? r->o->separator : STR(":");
    buf_init(&g.text, &r->p->kernel->heap);
    int e = file_look(r, &g, path, standard);
    if (e != HOB_EKILLED && e != HOB_ENOMEM) {
        if (!r->o->brief) {
            out_str(&r->out, shown);
            if (r->o->print0)
                out_putc(&r->out, '\0');
            if (r->o->print0 < 2) {
                out_str(&r->out, sep);
                out_putc(&r->out, ' ');
            }
            for (size_t i = columns; i < r->width && !r->o->no_pad && r->o->print0 < 2; i++)
                out_putc(&r->out, ' ');
        }
        if (e < 0 && r->o->stop)
            out_printf(&r->out, "ERROR: cannot stat `%.*s' (%s)\n", STR_ARG(shown), error_text(e));
        else if (e < 0)
            out_printf(&r->out, "cannot open `%.*s' (%s)\n", STR_ARG(shown), error_text(e));
        else {
            file_print_type(r, &g);
            out_putc(&r->out, r->o->print0 > 1 ? '\0' : '\n');
        }
        e = e < 0 && r->o->stop ? 1 : 0;
    }
    buf_fini(&g.text);
    if (r->o->no_buffer)
        out_flush(&r->out);
    return e;
}

/* ---- all files ------------------------------------------------------------------------------- */

static int file_names(struct proc *p, struct str list, struct strs *names)
{
    struct in in;
    struct str text, line;
    bool had;
    int e = in_open_quiet(&in, p, list);
    if (e < 0) {
        proc_warn(p, "Cannot open `%.*s' (%s)", STR_ARG(list), error_text(e));
        return 1;
    }
    while (e == 0 && in_line(&in, '\n', &line, &had)) {
        text = arena_str(p->arena, line);
        if (!text.p || !proc_push(p, names, text))
            e = HOB_ENOMEM;
    }
    e = in.err ? in.err : e;
    in_fini(&in);
    return e;
}

static int file_run(struct proc *p, void *args)
{
    struct file_run r = {.p = p, .o = args};
    struct strs names = {0};
    int e = 0;
    if (p->argc == 0 && r.o->lists.n == 0)
        return proc_usage(p);
    for (size_t i = 0; i < r.o->lists.n && e == 0; i++)
        e = file_names(p, r.o->lists.p[i], &names);
    for (int i = 0; i < p->argc && e == 0; i++)
        e = proc_push(p, &names, p->argv[i]) ? 0 : HOB_ENOMEM;
    for (size_t i = 0; i < names.n; i++) {
        struct str shown =
            str_eqz(names.p[i], "-") ? STR("/dev/stdin") : file_shown(&r, names.p[i]);
        r.width = MAX(r.width, utf8_columns(shown));
    }
    out_init(&r.out, p, 1);
    for (size_t i = 0; i < names.n && e == 0 && !r.out.err; i++)
        e = file_one(&r, names.p[i]);
    file_text_rules_free(&r.rules);
    return command_close(p, &r.out, e);
}

const struct command cmd_file = {
    .name = "file",
    .usage = "[OPTION]... FILE...",
    .summary = "Tell what each FILE is, by its kind and its contents.",
    .notes = "When FILE is -, standard input is looked at. A file that cannot be opened is told as "
             "such on\n"
             "standard output; the status is 0 then, too, unless -E is given.",
    .opts = file_opts,
    .args_size = sizeof(struct filecmd),
    .usage_status = 1,
    .flags = CMD_USAGE_LINE,
    .run = file_run,
    .defaults = file_defaults,
};

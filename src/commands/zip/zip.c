/* zip.c -- zip: putting files into zip archives, and taking entries out of them
 *
 * The new archive is written beside the old one and takes its place at the end. Entries that stay
 * are copied as they are, packed.
 */
#include "base/error.h"
#include "commands/lib/files.h"
#include "commands/lib/getdate.h"
#include "commands/lib/launch.h"
#include "commands/zip/zip.h"
#include "text/codec.h"
#include "text/date.h"

struct zip {
    bool recurse, quiet, junk, update, freshen, remove, move, no_dirs, links, names_in, test,
        verbose;
    bool no_extra, grow, comment, latest, sync, show, patterns, to_crlf, from_crlf;
    struct str stored, output;
    int level;
};

static int zip_opt_pattern(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p;
    (void)args;
    (void)o;
    (void)arg;
    return 0;
}

static void zip_two_letters(struct proc *p, struct zip *z, struct str *word)
{
    const struct {
        const char *letters, *name;
        bool *flag;
    } known[] = {{"FS", "--filesync", &z->sync},
                 {"sf", "--show-files", &z->show},
                 {"ll", "--from-crlf", &z->from_crlf}};
    for (size_t k = 0; k < COUNT(known); k++) {
        ptrdiff_t at = str_find(*word, str_z(known[k].letters));
        if (at < 1 || word->p[0] != '-' || word->p[1] == '-')
            continue;
        struct str rest = arena_printf(p->arena, "%.*s%.*s", (int)at, word->p,
                                       STR_ARG(str_from(*word, (size_t)at + 2)));
        if (!rest.p)
            return;
        *known[k].flag = true;
        *word = rest.n == 1 ? str_z(known[k].name) : rest;
    }
}

static void zip_defaults(struct proc *p, void *args)
{
    struct zip *z = args;
    z->level = 6;
    /* Options of two letters are taken out of the words before the others are parsed. */
    for (int i = 1; i < p->argc; i++)
        zip_two_letters(p, z, &p->argv[i]);
}

#define ZIP_FLAG(l, n, f, h) OPT_FLAG(l, n, struct zip, f, h)
#define ZIP_LEVEL(l, v, h) OPT_SET(l, NULL, struct zip, level, v, h)
static const struct opt zip_opts[] = {
    ZIP_FLAG('d', "delete", remove, "take entries out of the archive"),
    ZIP_FLAG('D', "no-dir-entries", no_dirs, "no entries for folders"),
    ZIP_FLAG('f', "freshen", freshen, "only files that the archive has and that are newer"),
    ZIP_FLAG(0, "filesync", sync, "-FS: entries become what the files are; others go"),
    ZIP_FLAG(0, "show-files", show, "-sf: show what would be done"),
    ZIP_FLAG('l', "to-crlf", to_crlf, "end lines of text as DOS does"),
    ZIP_FLAG(0, "from-crlf", from_crlf, "-ll: the other way round"),
    OPT_STRING('O', "output-file", struct zip, output, "FILE", "write the new archive to FILE"),
    ZIP_FLAG('R', "recurse-patterns", patterns, "FILEs are patterns, for this folder and below"),
    ZIP_FLAG('g', "grow", grow, "add to the archive (it is written anew all the same)"),
    OPT_STRING('n', "suffixes", struct zip, stored, "LIST",
               "store names that end so, as .jpg:.png"),
    ZIP_FLAG('o', "latest-time", latest, "the archive is as old as its newest entry"),
    ZIP_FLAG('z', "archive-comment", comment, "take the archive's comment from standard input"),
    OPT_CALL('i', "include", zip_opt_pattern, "PATTERN...", "only what matches"),
    ZIP_FLAG('j', "junk-paths", junk, "without folders in the names"),
    ZIP_FLAG('m', "move", move, "remove the files afterwards"),
    ZIP_FLAG('q', "quiet", quiet, "say nothing"),
    ZIP_FLAG('r', "recurse-paths", recurse, "folders, and what is in them"),
    ZIP_FLAG('T', "test", test, "see whether the archive is whole"),
    ZIP_FLAG('u', "update", update, "only new files, and those that are newer"),
    ZIP_FLAG('v', "verbose", verbose, "tell sizes, too"),
    OPT_CALL('x', "exclude", zip_opt_pattern, "PATTERN...", "not what matches"),
    ZIP_FLAG('X', "no-extra", no_extra, "no times and owners in extra fields"),
    ZIP_FLAG('y', "symlinks", links, "store links as links"),
    ZIP_FLAG('@', "names-stdin", names_in, "names of files come from standard input"),
    ZIP_LEVEL('0', 0, "store"),
    ZIP_LEVEL('1', 1, "pack fast"),
    ZIP_LEVEL('2', 2, NULL),
    ZIP_LEVEL('3', 3, NULL),
    ZIP_LEVEL('4', 4, NULL),
    ZIP_LEVEL('5', 5, NULL),
    ZIP_LEVEL('6', 6, NULL),
    ZIP_LEVEL('7', 7, NULL),
    ZIP_LEVEL('8', 8, NULL),
    ZIP_LEVEL('9', 9, "pack well"),
    OPT_END,
};
#undef ZIP_FLAG
#undef ZIP_LEVEL

enum {
    ZIP_NOTHING = 12, /* statuses of Info-ZIP */
    ZIP_ARGUMENTS = 16,
    ZIP_FORMAT = 3,
    ZIP_BAD = 8,
    ZIP_NO_OPEN = 18,
    ZIP_NO_CREATE = 15
};

/* A file that goes in. */
struct zip_source {
    struct str path, name; /* name: in the archive, with a slash behind folders */
    struct stat_info st;
    bool standard;
    struct zip_entry *old; /* the entry it replaces */
};

struct zip_run {
    struct proc *p;
    struct zip *o;
    struct zip_lists lists;
    struct str archive, spool;
    bool to_stdout, has_old;
    struct zip_archive old;
    struct zip_source *sources;
    size_t nsources, capsources;
    struct file *to; /* the new archive */
    uint64_t at;     /* bytes of it */
    struct buf central;
    uint64_t entries;
    struct out out; /* messages */
    char *buffer;
    struct date_zone zone;
    uint64_t total, total_packed;
    struct str comment, target;
    bool binary, current; /* of -l: the file at hand; of -FS: an entry is as its file */
    int64_t newest;       /* of all entries, in seconds */
};

static int zip_error(struct zip_run *r, int status, const char *text, struct str what)
{
    out_printf(&r->out, "\nzip error: %s (%.*s)\n", text, STR_ARG(what));
    return status;
}

/* ---- which files ----------------------------------------------------------------------------- */

/* The name in the archive: without a leading slash, "./" and folders with -j. */
static struct str zip_name(struct zip_run *r, struct str path, bool dir)
{
    struct str s = path;
    for (bool more = true; more;) {
        more = str_starts(s, STR("./")) || (s.n && s.p[0] == '/');
        s = str_from(s, !more ? 0 : s.p[0] == '/' ? 1 : 2);
    }
    if (str_eqz(s, "."))
        s = STR("");
    if (r->o->junk)
        s = dir ? STR("") : path_base(s);
    if (dir && s.n && s.p[s.n - 1] != '/')
        return arena_printf(r->p->arena, "%.*s/", STR_ARG(s));
    return s;
}

static bool zip_selects(struct zip_run *r, struct str name)
{
    if (r->o->patterns) {
        struct strs wanted = {r->lists.operands.p + 1, r->lists.operands.n - 1, 0};
        if (!zip_matches(r->p, &wanted, name, false) &&
            !zip_matches(r->p, &wanted, path_base(name), false))
            return false;
    }
    if (r->lists.include.n && !zip_matches(r->p, &r->lists.include, name, false))
        return false;
    return !zip_matches(r->p, &r->lists.exclude, name, false);
}

static struct zip_entry *zip_find(struct zip_run *r, struct str name)
{
    for (size_t i = 0; i < r->old.n; i++)
        if (str_eq(r->old.entries[i].name, name))
            return &r->old.entries[i];
    return NULL;
}

static int zip_add_source(struct zip_run *r, struct str path, struct str name,
                          const struct stat_info *st, bool standard)
{
    struct zip_entry *old = zip_find(r, name);
    bool newer = !old || st->mtime / 1000000000 > old->mtime;
    if (r->o->sync && old) {
        old->synced = true;
        if (st->mtime / 1000000000 == old->mtime &&
            (MODE_IS_DIR(st->mode) || st->size == old->size))
            return 0;
    }
    if ((r->o->freshen && !old) || ((r->o->update || r->o->freshen) && !newer))
        return 0;
    if (r->nsources == r->capsources) {
        size_t cap = r->capsources ? r->capsources * 2 : 16;
        void *more = arena_grow(r->p->arena, r->sources, r->capsources * sizeof *r->sources,
                                cap * sizeof *r->sources);
        if (!more)
            return HOB_ENOMEM;
        r->sources = more;
        r->capsources = cap;
    }
    r->sources[r->nsources++] = (struct zip_source){path, name, *st, standard, old};
    return 0;
}

static int zip_collect(struct zip_run *r, struct str path, bool named)
{
    struct stat_info st, self;
    int e = vfs_stat(r->p, path, r->o->links ? VFS_NOFOLLOW : 0, &st);
    if (task_stack_low(r->p->task))
        return HOB_ELOOP;
    if (e < 0) {
        if (named)
            out_printf(&r->out, "\tzip warning: name not matched: %.*s\n", STR_ARG(path));
        return e == HOB_EKILLED || e == HOB_ENOMEM ? e : 0;
    }
    bool dir = MODE_IS_DIR(st.mode);
    if (!dir && !MODE_IS_FILE(st.mode) && !MODE_IS_LINK(st.mode))
        return 0;
    /* The archive does not go into itself. */
    if (vfs_stat(r->p, r->archive, 0, &self) == 0 && files_same(&st, &self))
        return 0;
    struct str name = zip_name(r, path, dir);
    if (!name.p)
        return HOB_ENOMEM;
    if (name.n && !(dir && r->o->no_dirs) && zip_selects(r, name))
        e = zip_add_source(r, path, name, &st, false);
    if (!dir || !(r->o->recurse || r->o->patterns) || e < 0)
        return e;
    struct strs names = {0};
    e = files_list(r->p, path, &names);
    for (size_t i = 0; i < names.n && e == 0; i++) {
        struct str child = files_join(r->p, path, names.p[i]);
        e = child.p ? zip_collect(r, child, false) : HOB_ENOMEM;
    }
    if (e == 0)
        e = proc_tick(r->p, (int64_t)names.n + 1);
    return e == HOB_EACCES ? 0 : e;
}

/* Standard input is put aside first, since it may have to be read twice. */
static int zip_spool(struct zip_run *r)
{
    struct proc *p = r->p;
    unsigned tag = (unsigned)(random_next(&p->kernel->random) >> 32);
    struct str tmp = arena_printf(p->arena, "/tmp/zs%08x", tag);
    struct file *f, *in = proc_file(p, 0);
    struct out to;
    struct slice piece;
    ptrdiff_t n = 0;
    int e = tmp.p ? vfs_open(p, tmp, FILE_WRITE | FILE_CREATE | FILE_EXCL, 0600, &f) : HOB_ENOMEM;
    if (e < 0)
        return e;
    r->spool = tmp;
    out_init_file(&to, p, f);
    while (in && !to.err && (n = file_take(in, p, &piece)) > 0)
        out_give(&to, &piece);
    e = out_fini(&to);
    file_unref(f);
    struct stat_info st;
    if (e == 0 && n == 0)
        e = vfs_stat(p, tmp, 0, &st);
    if (e < 0 || n < 0)
        return e < 0 ? e : (int)n;
    return zip_add_source(r, tmp, STR("-"), &st, true);
}

static int zip_collect_all(struct zip_run *r)
{
    int e = 0;
    bool had;
    struct str line;
    if (r->o->patterns)
        e = zip_collect(r, STR("."), true);
    for (size_t i = 1; i < r->lists.operands.n && e == 0 && !r->o->patterns; i++) {
        struct str path = r->lists.operands.p[i];
        e = str_eqz(path, "-") ? zip_spool(r) : zip_collect(r, path, true);
    }
    if (e == 0 && r->o->freshen && r->lists.operands.n == 1)
        for (size_t i = 0; i < r->old.n && e == 0; i++) {
            struct str path = arena_str(r->p->arena, r->old.entries[i].name);
            e = path.p ? zip_collect(r, path, false) : HOB_ENOMEM;
        }
    if (e == 0 && r->o->names_in) {
        struct in in;
        in_init(&in, r->p, 0);
        while (e == 0 && in_line(&in, '\n', &line, &had)) {
            struct str path = arena_str(r->p->arena, line);
            e = !path.p ? HOB_ENOMEM : path.n ? zip_collect(r, path, true) : 0;
        }
        in_fini(&in);
    }
    return e;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void zip_put16(struct buf *b, uint32_t v)
{
    buf_putc(b, (char)(v & 0xff));
    buf_putc(b, (char)(v >> 8 & 0xff));
}

static void zip_put32(struct buf *b, uint64_t v)
{
    zip_put16(b, (uint32_t)(v & 0xffff));
    zip_put16(b, (uint32_t)(v >> 16 & 0xffff));
}

static int zip_write(struct zip_run *r, const void *p, size_t n)
{
    r->at += n;
    return file_write(r->to, r->p, p, n);
}

static void zip_extra(struct zip_run *r, struct buf *b, const struct zip_source *s, bool local)
{
    if (r->o->no_extra)
        return;
    buf_add(b, "UT", 2);
    zip_put16(b, local ? 9 : 5);
    buf_putc(b, 3);
    zip_put32(b, (uint64_t)(s->st.mtime / 1000000000) & 0xffffffff);
    if (local)
        zip_put32(b, (uint64_t)(s->st.atime / 1000000000) & 0xffffffff);
    buf_add(b, "ux\013\0\1\4", 6);
    zip_put32(b, s->st.uid);
    buf_putc(b, 4);
    zip_put32(b, s->st.gid);
}

/* The part that the local header and the directory share. */
static void zip_common(struct buf *b, const struct zip_entry *e, size_t extra)
{
    zip_put16(b, e->need);
    zip_put16(b, e->flags);
    zip_put16(b, e->method);
    zip_put16(b, e->dos_time);
    zip_put16(b, e->dos_date);
    zip_put32(b, e->crc);
    zip_put32(b, e->packed);
    zip_put32(b, e->size);
    zip_put16(b, (uint32_t)e->name.n);
    zip_put16(b, (uint32_t)extra);
}

static void zip_central(struct zip_run *r, const struct zip_entry *e)
{
    struct buf *b = &r->central;
    buf_add(b, "PK\1\2", 4);
    zip_put16(b, e->made);
    zip_common(b, e, e->extra.n);
    zip_put16(b, (uint32_t)e->comment.n);
    zip_put16(b, 0);
    zip_put16(b, e->internal);
    zip_put32(b, e->attrs);
    zip_put32(b, e->offset);
    buf_str(b, e->name);
    buf_str(b, e->extra);
    buf_str(b, e->comment);
    r->entries++;
}

/* Packs (or stores) what `in` gives. *text tells whether it looks like text. */
static int zip_pack(struct zip_run *r, struct in *in, struct zip_entry *e, bool *text)
{
    struct codec *c = NULL;
    bool packed = e->method == ZIP_DEFLATED, end = false;
    int s = packed ? codec_new(&r->p->kernel->heap, CODEC_DEFLATE, true, r->o->level, &c) : 0;
    e->size = e->packed = 0;
    e->crc = 0;
    *text = true;
    for (int step = CODEC_MORE; s == 0 && step == CODEC_MORE && !(end && !packed);) {
        if (in->p == in->end && !end)
            end = !in_fill(in);
        if (in->err)
            s = in->err;
        struct str piece = str_of(in->p ? in->p : "", (size_t)(in->end - in->p));
        size_t had = piece.n, n = piece.n;
        if (packed && s == 0) {
            step = codec_step(c, &piece, end, r->buffer, ZIP_PIECE, &n);
            s = step < 0 ? step : s;
        } else {
            piece = str_of(piece.p, 0);
        }
        size_t taken = had - piece.n;
        for (size_t i = 0; i < taken && *text; i++)
            *text = (unsigned char)in->p[i] > 6 || in->p[i] < 0;
        e->crc = zip_crc(e->crc, in->p ? in->p : "", taken);
        if (s == 0 && n)
            s = zip_write(r, packed ? r->buffer : in->p, n);
        in->p += taken;
        e->size += taken;
        e->packed += n;
        int t = proc_tick(r->p, (int64_t)(taken >> 8) + 1);
        s = s < 0 ? s : t;
    }
    codec_free(c);
    if (s == 0 && (e->size > 0xfffffffe || r->at > 0xfffffffe))
        return HOB_EFBIG;
    *text = *text && e->size > 0;
    return s;
}

/* -l and -ll: the lines of a text with other ends; a file that is no text is left as it is. */
static int zip_convert(struct zip_run *r, struct file **f)
{
    struct buf b;
    struct in in;
    bool text = true;
    char last = 0;
    buf_init(&b, &r->p->kernel->heap);
    struct file *plain = *f;
    in_init_file(&in, r->p, plain, false);
    while (text && in_fill(&in)) {
        for (; in.p < in.end && text; in.p++) {
            char c = *in.p;
            text = (unsigned char)c > 6;
            if (c == '\n' && r->o->to_crlf && !r->o->from_crlf)
                buf_putc(&b, '\r');
            else if (c == '\n' && r->o->from_crlf && last == '\r')
                buf_cut(&b, b.n - 1);
            buf_putc(&b, c);
            last = c;
        }
        if (proc_tick(r->p, 16) < 0)
            break;
    }
    int e = in.err;
    in_fini(&in);
    r->binary = !text;
    if (e == 0 && text) {
        struct file *other = memfile_reader(r->p->kernel, buf_get(&b));
        e = other ? 0 : HOB_ENOMEM;
        if (other) {
            file_unref(plain);
            *f = other;
        }
    } else if (e == 0) {
        int64_t at = file_seek(plain, r->p, 0, 0);
        e = at < 0 ? (int)at : 0;
    }
    buf_fini(&b);
    return e;
}

static int zip_source_open(struct zip_run *r, const struct zip_source *s, struct in *in)
{
    struct file *f;
    if (MODE_IS_LINK(s->st.mode) || MODE_IS_DIR(s->st.mode)) {
        struct buf to;
        buf_init(&to, &r->p->kernel->heap);
        if (MODE_IS_LINK(s->st.mode))
            vfs_readlink(r->p, s->path, &to);
        f = memfile_reader(r->p->kernel, buf_get(&to));
        buf_fini(&to);
        if (!f)
            return HOB_ENOMEM;
    } else {
        int e = vfs_open(r->p, s->path, FILE_READ, 0, &f);
        if (e < 0)
            return e;
        if ((r->o->to_crlf || r->o->from_crlf) && (e = zip_convert(r, &f)) < 0) {
            file_unref(f);
            return e;
        }
    }
    in_init_file(in, r->p, f, true);
    return 0;
}

/* The bytes of one source behind its header; a second time, stored, when packing gained nothing. */
static int zip_contents(struct zip_run *r, const struct zip_source *s, struct zip_entry *e,
                        uint64_t start, bool *text)
{
    for (;;) {
        struct in in;
        int err = zip_source_open(r, s, &in);
        if (err < 0)
            return err;
        err = zip_pack(r, &in, e, text);
        in_fini(&in);
        if (err < 0 || e->method == ZIP_STORED || e->packed < e->size)
            return err;
        e->method = ZIP_STORED;
        e->flags = 0;
        e->need = 10;
        int64_t at = file_seek(r->to, r->p, (int64_t)start, 0);
        if (at < 0)
            return (int)at;
        r->at = start;
        err = file_truncate(r->to, r->p, start);
        if (err < 0)
            return err;
    }
}

static void zip_stamp(struct zip_run *r, const struct zip_source *s, struct zip_entry *e)
{
    struct date d = {0};
    date_from_epoch(s->st.mtime / 1000000000, 0, &r->zone, &d);
    int64_t year = MAX(d.year, 1980) - 1980;
    e->dos_date = (uint16_t)(MIN(year, 127) << 9 | d.month << 5 | d.day);
    e->dos_time = (uint16_t)(d.hour << 11 | d.minute << 5 | d.second / 2);
}

static void zip_told(struct zip_run *r, const struct zip_source *s, const struct zip_entry *e)
{
    struct out *o = &r->out;
    r->total += e->size;
    r->total_packed += e->packed;
    if (r->o->quiet)
        return;
    out_printf(o, "%s: %.*s",
               !s->old         ? "  adding"
               : r->o->freshen ? "freshening"
                               : "updating",
               STR_ARG(s->name));
    if (r->binary)
        out_printf(o, "\n\tzip warning: has binary so %s ignored\n",
                   r->o->from_crlf ? "-ll" : "-l");
    r->binary = false;
    if (r->o->verbose)
        out_printf(o, "\t(in=%llu) (out=%llu)", (unsigned long long)e->size,
                   (unsigned long long)e->packed);
    out_printf(o, " (%s %d%%)\n", e->method ? "deflated" : "stored",
               zip_percent(e->size, e->packed));
}

/* -n: names with one of the endings are not packed. */
static bool zip_stores(const struct zip_run *r, struct str name)
{
    for (struct str rest = r->o->stored; rest.n;) {
        size_t n = 0;
        while (n < rest.n && rest.p[n] != ':' && rest.p[n] != ';')
            n++;
        if (n && str_ends(name, str_sub(rest, 0, n)))
            return true;
        rest = str_from(rest, n + 1);
    }
    return false;
}

static int zip_put(struct zip_run *r, const struct zip_source *s)
{
    struct zip_entry e = {.name = s->name, .made = 0x031e, .offset = r->at};
    struct buf head, extra;
    bool text = false, dir = MODE_IS_DIR(s->st.mode);
    bool stored = dir || r->o->level == 0 || MODE_IS_LINK(s->st.mode) || zip_stores(r, s->name);
    e.method = stored ? ZIP_STORED : ZIP_DEFLATED;
    r->newest = MAX(r->newest, s->st.mtime / 1000000000);
    e.need = e.method ? 20 : 10;
    e.flags = e.method && r->o->level >= 8 ? 2 : e.method && r->o->level <= 2 ? 6 : 0;
    e.attrs = s->st.mode << 16 | (dir ? 0x10 : 0);
    zip_stamp(r, s, &e);
    buf_init(&head, &r->p->kernel->heap);
    buf_init(&extra, &r->p->kernel->heap);
    zip_extra(r, &extra, s, true);
    uint64_t start = r->at + 30 + e.name.n + extra.n;
    int err = 0;
    /* The header is written twice: first for its room, then with what is known at the end. */
    for (int turn = 0; turn < 2 && err >= 0; turn++) {
        buf_clear(&head);
        buf_add(&head, "PK\3\4", 4);
        zip_common(&head, &e, extra.n);
        buf_str(&head, e.name);
        buf_str(&head, buf_get(&extra));
        int64_t at = file_seek(r->to, r->p, (int64_t)e.offset, 0);
        err = at < 0 ? (int)at : file_write(r->to, r->p, buf_get(&head).p, head.n);
        if (turn == 0 && err == 0) {
            r->at = start;
            err = zip_contents(r, s, &e, start, &text);
        }
    }
    if (err == 0) {
        int64_t at = file_seek(r->to, r->p, (int64_t)r->at, 0);
        err = at < 0 ? (int)at : 0;
        e.internal = text && !MODE_IS_LINK(s->st.mode);
        buf_clear(&extra);
        zip_extra(r, &extra, s, false);
        e.extra = buf_get(&extra);
        zip_central(r, &e);
        zip_told(r, s, &e);
    }
    buf_fini(&head);
    buf_fini(&extra);
    return err;
}

/* An entry of the old archive, packed as it is. */
static int zip_keep(struct zip_run *r, struct zip_entry *e)
{
    uint64_t from, left;
    int s = zip_data_at(&r->old, e, &from);
    if (s < 0)
        return s;
    struct zip_entry copy = *e;
    left = from + e->packed - e->offset;
    from = e->offset;
    if (e->flags & 8) /* sizes stand behind the bytes, too */
        left = MIN(left + (e->packed > 0xffffffff || e->size > 0xffffffff ? 24 : 16),
                   r->old.size - from);
    copy.offset = r->at;
    r->newest = MAX(r->newest, e->mtime);
    while (left && s == 0) {
        size_t n = (size_t)MIN(left, (uint64_t)ZIP_PIECE);
        s = zip_read_at(&r->old, from, r->buffer, n);
        s = s < 0 ? s : zip_write(r, r->buffer, n);
        from += n;
        left -= n;
        int t = proc_tick(r->p, (int64_t)(n >> 10) + 1);
        s = s < 0 ? s : t;
    }
    zip_central(r, &copy);
    return s;
}

static void zip_put64(struct buf *b, uint64_t v)
{
    zip_put32(b, v & 0xffffffff);
    zip_put32(b, v >> 32);
}

/* -z: lines of standard input up to a lone dot; they are kept with the line ends of DOS. */
static int zip_ask_comment(struct zip_run *r)
{
    struct in in;
    struct str line;
    struct buf b;
    bool had;

    if (!r->o->quiet)
        out_puts(&r->out, "enter new zip file comment (end with .):\n");
    out_flush(&r->out);
    buf_init(&b, &r->p->kernel->heap);
    in_init(&in, r->p, 0);
    while (in_line(&in, '\n', &line, &had) && !str_eqz(line, ".") && b.n < 0xffff) {
        buf_addz(&b, b.n ? "\r\n" : "");
        buf_str(&b, line);
    }
    int e = in.err;
    in_fini(&in);
    struct str text = str_sub(buf_get(&b), 0, 0xffff);
    r->comment = arena_str(r->p->arena, text);
    buf_fini(&b);
    return e < 0 ? e : r->comment.p ? 0 : HOB_ENOMEM;
}

static int zip_finish(struct zip_run *r)
{
    struct buf *b = &r->central;
    uint64_t at = r->at;
    size_t n = b->n;
    bool many = r->entries >= 0xffff;
    if (many) { /* the end of Zip64, and where it is */
        buf_add(b, "PK\6\6\54\0\0\0\0\0\0\0\55\3\55\0\0\0\0\0\0\0\0\0", 24);
        zip_put64(b, r->entries);
        zip_put64(b, r->entries);
        zip_put64(b, n);
        zip_put64(b, at);
        buf_add(b, "PK\6\7\0\0\0\0", 8);
        zip_put64(b, at + n);
        zip_put32(b, 1);
    }
    buf_add(b, "PK\5\6\0\0\0\0", 8);
    zip_put16(b, many ? 0xffff : (uint32_t)r->entries);
    zip_put16(b, many ? 0xffff : (uint32_t)r->entries);
    zip_put32(b, n);
    zip_put32(b, at);
    zip_put16(b, (uint32_t)r->comment.n);
    buf_str(b, r->comment);
    return r->p->kernel->heap.oom ? HOB_ENOMEM : zip_write(r, b->p, b->n);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Entries that -d names go. How many. */
static size_t zip_delete(struct zip_run *r)
{
    size_t n = 0;
    for (size_t i = 1; i < r->lists.operands.n; i++) {
        struct strs one = {&r->lists.operands.p[i], 1, 1};
        bool any = false;
        for (size_t k = 0; k < r->old.n; k++) {
            struct zip_entry *e = &r->old.entries[k];
            if (e->gone || !zip_matches(r->p, &one, e->name, false))
                continue;
            e->gone = any = true;
            n++;
            if (!r->o->quiet && !r->o->show)
                out_printf(&r->out, "deleting: %.*s\n", STR_ARG(e->name));
        }
        if (!any)
            out_printf(&r->out, "\tzip warning: name not matched: %.*s\n",
                       STR_ARG(r->lists.operands.p[i]));
    }
    return n;
}

/* Old entries keep their places, also those that are replaced; new ones follow. */
static int zip_write_all(struct zip_run *r)
{
    int e = 0;
    for (size_t i = 0; i < r->old.n && e == 0; i++) {
        struct zip_entry *old = &r->old.entries[i];
        struct zip_source *s = NULL;
        for (size_t k = 0; k < r->nsources && !s; k++)
            s = r->sources[k].old == old ? &r->sources[k] : NULL;
        if (!old->gone)
            e = s ? zip_put(r, s) : zip_keep(r, old);
    }
    for (size_t i = 0; i < r->nsources && e == 0; i++)
        if (!r->sources[i].old)
            e = zip_put(r, &r->sources[i]);
    if (e == 0 && r->o->comment)
        e = zip_ask_comment(r);
    return e < 0 ? e : zip_finish(r);
}

static int zip_copy_out(struct zip_run *r)
{
    struct out o;
    struct slice piece;
    ptrdiff_t n;
    int64_t s = file_seek(r->to, r->p, 0, 0);
    if (s < 0)
        return (int)s;
    out_init(&o, r->p, 1);
    while ((n = file_take(r->to, r->p, &piece)) > 0)
        out_give(&o, &piece);
    int e = out_fini(&o);
    return n < 0 ? (int)n : e;
}

/* -T: unzip looks at what was written. */
static int zip_test(struct zip_run *r, struct str path)
{
    struct str argv[] = {STR("unzip"), STR("-tqq"), path};
    struct exec_opts o = {.fd2 = proc_file(r->p, 1)}; /* its complaints go with the rest */
    out_flush(&r->out);
    int e = launch_run(r->p, argv, 3, &o);
    if (e == HOB_EKILLED || e == HOB_ENOMEM)
        return e;
    if (e == 0) {
        if (!r->o->quiet)
            out_printf(&r->out, "test of %.*s OK\n", STR_ARG(r->archive));
        return 0;
    }
    out_printf(&r->out, "test of %.*s FAILED\n", STR_ARG(r->archive));
    return zip_error(r, ZIP_BAD, "Zip file invalid, could not spawn unzip, or wrong unzip",
                     STR("original files unmodified"));
}

static int zip_build(struct zip_run *r)
{
    unsigned tag = (unsigned)(random_next(&r->p->kernel->random) >> 32);
    struct str tmp = r->to_stdout
                         ? arena_printf(r->p->arena, "/tmp/zi%08x", tag)
                         : arena_printf(r->p->arena, "%.*s.zi%08x", STR_ARG(r->target), tag);
    r->buffer = arena_alloc(r->p->arena, ZIP_PIECE);
    if (!tmp.p || !r->buffer)
        return HOB_ENOMEM;
    int e = vfs_open(r->p, tmp, FILE_READ | FILE_WRITE | FILE_CREATE | FILE_EXCL, 0666, &r->to);
    if (e < 0) {
        if (e == HOB_EKILLED || e == HOB_ENOMEM)
            return e;
        zip_error(r, 0, "Could not create output file", r->target);
        return ZIP_NO_CREATE;
    }
    buf_init(&r->central, &r->p->kernel->heap);
    e = zip_write_all(r);
    buf_fini(&r->central);
    if (e == 0 && r->to_stdout)
        e = zip_copy_out(r);
    file_unref(r->to);
    bool empty = r->entries == 0;
    if (e == 0 && r->o->test && !r->to_stdout && !empty)
        e = zip_test(r, tmp);
    if (e == 0 && !r->to_stdout)
        e = empty ? vfs_unlink(r->p, r->target) : vfs_rename(r->p, tmp, r->target);
    if (e || r->to_stdout || empty)
        vfs_unlink(r->p, tmp);
    if (e == 0 && r->o->latest && !r->to_stdout && !empty)
        vfs_utimes(r->p, r->target, r->newest * 1000000000, r->newest * 1000000000, 0);
    if (empty && e == 0)
        out_puts(&r->out, "\tzip warning: zip file empty\n");
    return e;
}

static void zip_remove_sources(struct zip_run *r)
{
    for (size_t i = r->nsources; i-- > 0;) {
        if (r->sources[i].standard)
            continue;
        if (MODE_IS_DIR(r->sources[i].st.mode))
            vfs_rmdir(r->p, r->sources[i].path);
        else
            vfs_unlink(r->p, r->sources[i].path);
    }
}

/* -FS: entries without a file go. How many. */
static size_t zip_sync(struct zip_run *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->old.n; i++) {
        struct zip_entry *e = &r->old.entries[i];
        if (e->synced) {
            r->current = true;
            continue;
        }
        e->gone = true;
        n++;
        if (!r->o->quiet)
            out_printf(&r->out, "deleting: %.*s\n", STR_ARG(e->name));
    }
    return n;
}

/* -sf: what the archive has, or what would be done with it. */
static int zip_show(struct zip_run *r)
{
    unsigned long long n = 0, bytes = 0;
    bool all = r->lists.operands.n == 1 && !r->o->remove && r->nsources == 0;
    out_puts(&r->out, all            ? "Archive contains:\n"
                      : r->o->remove ? "Would Delete:\n"
                                     : "Would Add/Update:\n");
    for (size_t i = 0; i < r->old.n && (all || r->o->remove); i++)
        if (all || r->old.entries[i].gone) {
            out_printf(&r->out, "  %.*s\n", STR_ARG(r->old.entries[i].name));
            bytes += r->old.entries[i].size;
            n++;
        }
    for (size_t i = 0; i < r->nsources; i++) {
        bool dir = MODE_IS_DIR(r->sources[i].st.mode);
        out_printf(&r->out, "  %.*s\n", STR_ARG(r->sources[i].name));
        bytes += dir ? 0 : r->sources[i].st.size;
        n++;
    }
    out_printf(&r->out, "Total %llu entries (%llu bytes)\n", n, bytes);
    return 0;
}

static int zip_go(struct zip_run *r)
{
    struct zip *o = r->o;
    size_t gone = 0;
    int e = 0;
    if (o->remove)
        gone = zip_delete(r);
    else
        e = zip_collect_all(r);
    if (e < 0)
        return e;
    if (o->show)
        return zip_show(r);
    if (o->sync)
        gone += zip_sync(r);
    if (r->nsources + gone == 0 && r->current) {
        if (!o->quiet)
            out_puts(&r->out, "Archive is current\n");
        return 0;
    }
    if (r->nsources + gone == 0) {
        if (o->comment && r->has_old)
            return zip_build(r);
        if (o->test && r->has_old)
            return zip_test(r, r->archive);
        return (o->update || o->freshen) && r->has_old
                   ? ZIP_NOTHING
                   : zip_error(r, ZIP_NOTHING, "Nothing to do!", r->archive);
    }
    e = zip_build(r);
    if (e == 0 && o->verbose && !o->quiet)
        out_printf(&r->out, "total bytes=%llu, compressed=%llu -> %d%% savings\n",
                   (unsigned long long)r->total, (unsigned long long)r->total_packed,
                   zip_percent(r->total, r->total_packed));
    if (e == 0 && o->move)
        zip_remove_sources(r);
    return e;
}

/* The patterns right behind -x and -i: the option took them. */
static int zip_first_patterns(struct zip_run *r)
{
    struct proc *p = r->p;
    for (int i = 1; i + 1 < p->nwords; i++) {
        struct str w = p->words[i];
        if (w.n < 2 || w.p[0] != '-')
            continue;
        bool out = w.p[1] == '-' ? str_eqz(w, "--exclude") : w.p[w.n - 1] == 'x';
        bool in = w.p[1] == '-' ? str_eqz(w, "--include") : w.p[w.n - 1] == 'i';
        if ((out || in) &&
            !proc_push(p, out ? &r->lists.exclude : &r->lists.include, p->words[i + 1]))
            return HOB_ENOMEM;
    }
    return 0;
}

static int zip_run(struct proc *p, void *args)
{
    struct zip_run r = {.p = p, .o = args, .zone = getdate_zone(p)};
    struct file *f = NULL;
    int e = zip_lists(p, &r.lists);
    if (e == 0)
        e = zip_first_patterns(&r);
    if (e < 0)
        return e;
    if (r.lists.operands.n == 0)
        return proc_usage(p);
    r.archive = r.lists.operands.p[0];
    r.to_stdout = str_eqz(r.archive, "-");
    if (!r.to_stdout && str_chr(path_base(r.archive), '.') < 0)
        r.archive = arena_printf(p->arena, "%.*s.zip", STR_ARG(r.archive));
    r.target = r.o->output.p ? r.o->output : r.archive;
    if (!r.archive.p)
        return HOB_ENOMEM;
    out_init(&r.out, p, r.to_stdout ? 2 : 1);
    if (!r.to_stdout && vfs_open(p, r.archive, FILE_READ, 0, &f) == 0) {
        e = zip_read(&r.old, p, f);
        r.has_old = e == 0;
        r.comment = r.old.comment;
        if (e == HOB_EPROTO || e == HOB_ENODATA || e == HOB_EISDIR)
            e = zip_error(&r, ZIP_FORMAT, "Zip file structure invalid", r.archive);
    }
    if (e == 0)
        e = zip_go(&r);
    if (r.spool.p)
        vfs_unlink(p, r.spool);
    if (f) {
        zip_free(&r.old);
        file_unref(f);
    }
    return command_close(p, &r.out, e);
}

const struct command cmd_zip = {
    .name = "zip",
    .usage = "[OPTION]... ARCHIVE[.zip] [FILE]... [-x PATTERN...] [-i PATTERN...]",
    .summary = "Put FILEs into a zip archive, or take entries out of it with -d.",
    .notes = "When ARCHIVE is -, the archive goes to standard output; when FILE is -, standard "
             "input goes in.\nThe status is 12 when there was nothing to do.",
    .opts = zip_opts,
    .args_size = sizeof(struct zip),
    .usage_status = ZIP_ARGUMENTS,
    .flags = CMD_USAGE_LINE,
    .run = zip_run,
    .defaults = zip_defaults,
};

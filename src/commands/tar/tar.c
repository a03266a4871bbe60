/* tar.c -- tar: archives; options, names, listings */
#include "commands/tar/tar.h"

#include "base/fmt.h"
#include "base/utf8.h"
#include "commands/lib/getdate.h"
#include "commands/lib/mode.h"
#include "text/date.h"
#include "text/glob.h"
#include "text/regex.h"

#define TAR_TRY "Try '%s --help' or '%s --usage' for more information.\n"

static void tar_say(struct tar_run *r, const char *fmt, va_list ap)
{
    struct buf b;
    out_flush(&r->out);
    buf_init(&b, &r->p->kernel->heap);
    buf_printf(&b, "%.*s: ", STR_ARG(r->p->name));
    buf_vprintf(&b, fmt, ap);
    buf_putc(&b, '\n');
    proc_puts(r->p, 2, buf_get(&b));
    buf_fini(&b);
}

void tar_warn(struct tar_run *r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    tar_say(r, fmt, ap);
    va_end(ap);
}

int tar_fatal(struct tar_run *r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    tar_say(r, fmt, ap);
    va_end(ap);
    tar_warn(r, "Error is not recoverable: exiting now");
    r->status = 2;
    return HOB_ESYNTAX;
}

const char *tar_shown(struct tar_run *r, struct str name)
{
    struct buf b;
    buf_init(&b, &r->p->kernel->heap);
    quote_add(&b, name, r->o->quoting ? (enum quote_style)(r->o->quoting - 1) : QUOTE_ESCAPE,
              r->o->quote_chars.p);
    struct str text = arena_str(r->p->arena, buf_get(&b));
    buf_fini(&b);
    return text.p ? text.p : "";
}

/* ---- names ----------------------------------------------------------------------------------- */

/* A pattern matches the name, what follows any of its slashes, or a folder on the way. */
bool tar_excluded(struct tar_run *r, struct str name)
{
    name = files_strip(name);
    for (size_t i = 0; i < r->o->exclude.n; i++) {
        struct glob_prog *g = glob_compile(r->p->arena, files_strip(r->o->exclude.p[i]),
                                           r->o->icase ? GLOB_NOCASE : 0);
        for (size_t at = 0; g && at < name.n; at++) {
            if (at && (name.p[at - 1] != '/' || (r->o->anchored && !r->o->not_anchored)))
                continue;
            for (size_t end = at + 1; end <= name.n; end++)
                if ((end == name.n || name.p[end] == '/') &&
                    glob_match(g, str_sub(name, at, end - at)))
                    return true;
        }
    }
    return false;
}

bool tar_confirmed(struct tar_run *r, const char *what, struct str name)
{
    struct str line;
    bool had;
    if (!r->o->interactive)
        return true;
    if (r->no_answers)
        return false;
    if (!r->asked)
        in_init(&r->answers, r->p, 0);
    r->asked = true;
    out_printf(&r->out, "%s %s?", what, proc_quote(r->p, name));
    out_flush(&r->out);
    if (!in_line(&r->answers, '\n', &line, &had) || !had) {
        r->no_answers = true;
        out_putc(&r->out, '\n');
        return false;
    }
    return line.n && (line.p[0] == 'y' || line.p[0] == 'Y');
}

/* -C counts for what stands behind it: `words` is how far the command line was read. */
struct str tar_place(struct tar_run *r, size_t words, struct str name)
{
    struct proc *p = r->p;
    struct str dir = p->cwd;
    struct buf b;

    buf_init(&b, &p->kernel->heap);
    for (size_t i = 0; i < r->o->dirs.n; i++) {
        struct str d = r->o->dirs.p[i];
        size_t at = 0;
        while (at < (size_t)p->nwords &&
               !(d.p >= p->words[at].p && d.p <= p->words[at].p + p->words[at].n))
            at++;
        if (at >= words && at < (size_t)p->nwords)
            break;
        buf_clear(&b);
        path_normalise(&b, dir, d);
        dir = arena_str(p->arena, buf_get(&b));
    }
    buf_fini(&b);
    if (!dir.p || !name.n || name.p[0] == '/')
        return dir.p ? name : STR_NONE;
    if (str_eqz(name, "."))
        return dir;
    return r->o->dirs.n ? files_join(p, dir, name) : name;
}

/* ---- --transform ----------------------------------------------------------------------------- */

struct tar_rename {
    struct regex *re;
    struct str with;
    bool global;
    struct tar_rename *next;
};

static void tar_rename_free(void *p) { regex_free(((struct tar_rename *)p)->re); }

/* s/RE/TEXT/flags. 0, or a status + 1 after the message. */
int tar_rename_parse(struct proc *p, struct tar *o, struct str text)
{
    struct hob_error err = {0};
    size_t part[3], n = 0;
    char sep = text.n > 1 && text.p[0] == 's' ? text.p[1] : 0;
    for (size_t i = 1; sep && i < text.n && n < 3; i++) {
        if (text.p[i] == '\\' && i > 1)
            i++;
        else if (text.p[i] == sep)
            part[n++] = i;
    }
    if (n < 3) {
        proc_warn(p, "Invalid transform expression");
        return 3;
    }
    struct str re = str_sub(text, part[0] + 1, part[1] - part[0] - 1);
    struct str flags = str_from(text, part[2] + 1);
    struct tar_rename *t = arena_new(p->arena, struct tar_rename);
    if (!t)
        return HOB_ENOMEM;
    t->with = str_sub(text, part[1] + 1, part[2] - part[1] - 1);
    t->global = str_chr(flags, 'g') >= 0;
    unsigned how = (str_chr(flags, 'x') >= 0 ? REGEX_SED_ERE : REGEX_SED) |
                   (str_chr(flags, 'i') >= 0 ? REGEX_ICASE : 0);
    int e = regex_compile(&p->kernel->heap, re, how, &t->re, &err);
    if (e == HOB_ENOMEM)
        return e;
    if (e < 0) {
        proc_warn(p, "Invalid transform expression: %s", err.msg);
        return 3;
    }
    if (arena_on_release(p->arena, tar_rename_free, t) < 0) {
        regex_free(t->re);
        return HOB_ENOMEM;
    }
    if (!o->renames_end)
        o->renames_end = &o->renames;
    *o->renames_end = t;
    o->renames_end = &t->next;
    return 0;
}

static void tar_rename_put(struct buf *b, struct str with, struct str name, struct regex_match *m)
{
    for (size_t i = 0; i < with.n; i++) {
        int group = with.p[i] == '&' ? 0 : -1;
        if (with.p[i] == '\\' && i + 1 < with.n) {
            i++;
            group = ascii_digit(with.p[i]) ? with.p[i] - '0' : -1;
        }
        if (group < 0)
            buf_putc(b, with.p[i]);
        else if (m[group].start >= 0)
            buf_add(b, name.p + m[group].start, (size_t)(m[group].end - m[group].start));
    }
}

struct str tar_renamed(struct tar_run *r, struct str name, char type)
{
    (void)type;
    for (const struct tar_rename *t = r->o->renames; t; t = t->next) {
        struct regex_match m[10];
        struct buf b;
        size_t at = 0, done = 0;
        buf_init(&b, &r->p->kernel->heap);
        while (at <= name.n) {
            for (int i = 0; i < 10; i++)
                m[i].start = m[i].end = -1;
            if (regex_exec(t->re, name, at, 0, m, 10) <= 0)
                break;
            buf_add(&b, name.p + done, (size_t)m[0].start - done);
            tar_rename_put(&b, t->with, name, m);
            done = (size_t)m[0].end;
            at = done + (m[0].end == m[0].start);
            if (!t->global)
                break;
        }
        buf_add(&b, name.p + done, name.n - done);
        struct str changed = arena_str(r->p->arena, buf_get(&b));
        buf_fini(&b);
        name = changed.p && changed.n ? changed : name;
    }
    return name;
}

/* ---- listings -------------------------------------------------------------------------------- */

static void tar_put_name(struct tar_run *r, struct str name)
{
    struct out *o = &r->out;
    if (r->o->quoting || r->o->quote_chars.p) {
        struct buf b;
        buf_init(&b, &r->p->kernel->heap);
        quote_add(&b, name, r->o->quoting ? (enum quote_style)(r->o->quoting - 1) : QUOTE_ESCAPE,
                  r->o->quote_chars.p);
        out_str(o, buf_get(&b));
        buf_fini(&b);
        return;
    }
    for (size_t i = 0; i < name.n; i++) {
        unsigned char c = (unsigned char)name.p[i];
        static const char from[] = "\a\b\t\n\v\f\r\\", to[] = "abtnvfr\\";
        const char *at = c ? strchr(from, c) : NULL;
        if (at)
            out_printf(o, "\\%c", to[at - from]);
        else if (c < 32 || c == 127)
            out_printf(o, "\\%03o", c);
        else
            out_putc(o, (char)c);
    }
}

void tar_list(struct tar_run *r, const struct tar_member *m, struct str name)
{
    struct out *o = &r->out;
    if (r->o->block_numbers)
        out_printf(o, "block %llu: ", (unsigned long long)r->block);
    bool long_form = r->o->verbose > (r->o->mode == TAR_LIST ? 0 : 1);
    if (long_form) {
        char mode[11], owner[80], size[24];
        static const char types[] = "0123456V", letters[] = "-hlcbdpV";
        const char *at = strchr(types, m->type);
        struct date_zone zone = r->o->utc ? date_utc : getdate_zone(r->p);
        struct date d;
        struct buf b;
        mode_string(m->mode, mode);
        mode[0] = at ? letters[at - types] : '?';
        if (m->user.n && !r->o->numeric)
            fmt_print(owner, sizeof owner, "%.*s/%.*s", STR_ARG(m->user), STR_ARG(m->group));
        else
            fmt_print(owner, sizeof owner, "%u/%u", m->uid, m->gid);
        size_t n = fmt_print(size, sizeof size, "%llu", (unsigned long long)m->size);
        size_t w = strlen(owner) + n + 1;
        r->list_width = MAX(r->list_width, MAX(w, 19));
        out_printf(o, "%s %s %*s ", mode, owner, (int)(r->list_width - strlen(owner) - 1), size);
        buf_init(&b, &r->p->kernel->heap);
        if (date_from_epoch(m->mtime / 1000000000, (int)(m->mtime % 1000000000), &zone, &d) == 0)
            date_format(&b, r->o->full_time ? STR("%Y-%m-%d %H:%M:%S") : STR("%Y-%m-%d %H:%M"), &d,
                        0, true);
        if (r->o->full_time && m->mtime % 1000000000) {
            /* A fraction without the zeros at its end. */
            buf_printf(&b, ".%09lld", (long long)(m->mtime % 1000000000));
            while (b.n && b.p[b.n - 1] == '0')
                buf_cut(&b, b.n - 1);
        }
        out_printf(o, "%s ", buf_get(&b).p);
        buf_fini(&b);
    }
    tar_put_name(r, name);
    if (long_form && m->type == '2')
        out_puts(o, " -> "), tar_put_name(r, m->link);
    if (long_form && m->type == '1')
        out_puts(o, " link to "), tar_put_name(r, m->link);
    if (long_form && m->type == 'V')
        out_puts(o, "--Volume Header--");
    out_putc(o, '\n');
}

/* ---- options --------------------------------------------------------------------------------- */

static int tar_opt_mode(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct tar *t = args;
    (void)p;
    (void)arg;
    t->modes += t->mode != o->value;
    t->mode = o->value;
    return 0;
}

static int tar_opt_list(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct tar *t = args;
    struct strs *list = o->letter == 'C'   ? &t->dirs
                        : o->letter == 'T' ? &t->from_files
                                           : &t->exclude;
    return proc_push(p, list, arg) ? 0 : HOB_ENOMEM;
}

/* --exclude-vcs and --exclude-backups: patterns that everybody knows. */
static int tar_opt_known(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const char *const vcs[] = {
        "CVS",          ".cvsignore",     "RCS",    "SCCS",       ".git",     ".gitignore",
        ".gitmodules",  ".gitattributes", ".svn",   ".arch-ids",  "{arch}",   "=RELEASE-ID",
        "=meta-update", "=update",        ".bzr",   ".bzrignore", ".bzrtags", ".hg",
        ".hgignore",    ".hgtags",        "_darcs", NULL};
    static const char *const backups[] = {".#*", "*~", "#*#", NULL};
    struct tar *t = args;
    (void)arg;
    for (const char *const *s = o->name[8] == 'v' ? vcs : backups; *s; s++)
        if (!proc_push(p, &t->exclude, str_z(*s)))
            return HOB_ENOMEM;
    return 0;
}

/* --exclude-tag and its kin: folders that have a file of this name. */
static int tar_opt_tag(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct tar *t = args;
    bool cache = !arg.p;
    const char *rest = strchr(o->name + 8, '-');
    char how = !rest ? 'k' : rest[1] == 'u' ? 'u' : 'a';
    struct str word = arena_printf(p->arena, "%c%s%.*s", how, cache ? "!" : "",
                                   STR_ARG(cache ? STR("CACHEDIR.TAG") : arg));
    return word.p && proc_push(p, &t->tags, word) ? 0 : HOB_ENOMEM;
}

/* -I PROGRAM: the packers that are built in, by the names of their programs. */
static int tar_opt_program(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row programs[] = {
        {"gzip", CODEC_GZIP},    {"pigz", CODEC_GZIP},    {"bzip2", CODEC_BZIP2},
        {"pbzip2", CODEC_BZIP2}, {"lbzip2", CODEC_BZIP2}, {"xz", CODEC_XZ},
        {"pixz", CODEC_XZ},      {"lzma", CODEC_LZMA},    {"zstd", CODEC_ZSTD},
        {"zstdmt", CODEC_ZSTD},  {"pzstd", CODEC_ZSTD},   {NULL, 0}};
    ptrdiff_t blank = str_chr(arg, ' ');
    struct str name = path_base(blank < 0 ? arg : str_sub(arg, 0, (size_t)blank));
    (void)o;
    for (const struct word_row *w = programs; w->name; w++)
        if (str_eqz(name, w->name)) {
            ((struct tar *)args)->codec = w->value + 1;
            return 0;
        }
    proc_warn(p, "%s: this tar packs by gzip, bzip2, xz, lzma and zstd alone", proc_quotef(p, arg));
    proc_warn(p, "Error is not recoverable: exiting now");
    return 3;
}

static int tar_opt_exclude_from(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct tar *t = args;
    struct in in;
    struct str line;
    bool had;
    int e = in_open_quiet(&in, p, arg);
    (void)o;
    if (e < 0) {
        proc_warn(p, "%s: Cannot open: %s", proc_quotef(p, arg), error_text(e));
        return 3;
    }
    while (e == 0 && in_line(&in, '\n', &line, &had)) {
        struct str copy = arena_str(p->arena, line);
        if (line.n && (!copy.p || !proc_push(p, &t->exclude, copy)))
            e = HOB_ENOMEM;
    }
    in_fini(&in);
    return e;
}

static int tar_opt_top(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct tar *t = args;
    (void)p;
    (void)o;
    t->one_top_level = true;
    if (arg.p)
        t->top_level = arg;
    return 0;
}

static int tar_opt_date(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct tar *t = args;
    struct date_zone zone = getdate_zone(p);
    int64_t when;
    if (getdate_parse(arg, sched_now(&p->kernel->sched), &zone, &when) < 0) {
        proc_warn(p, "Substituting -9223372036854775808 for unknown date format %s",
                  proc_quote(p, arg));
        when = 0;
    }
    if (o->name[0] == 'n' || o->name[0] == 'a') {
        t->newer_by_change = o->letter == 'N' || o->name[0] == 'a';
        t->newer = arg;
        t->newer_than = when;
    } else {
        t->mtime = when;
        t->have_mtime = true;
    }
    return 0;
}

static int tar_opt_permissions(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct tar *t = args;
    struct mode_change c;
    (void)o;
    if (mode_parse(p, arg, &c) < 0) {
        proc_warn(p, "Invalid mode given on option");
        return 3;
    }
    t->have_mode = true;
    t->mode_bits = mode_apply(&c, 0644, false, 0);
    return 0;
}

static int tar_opt_format(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row rows[] = {
        {"gnu", TAR_GNU},     {"oldgnu", TAR_GNU}, {"pax", TAR_PAX}, {"posix", TAR_PAX},
        {"ustar", TAR_USTAR}, {"v7", TAR_V7},      {NULL, 0}};
    struct tar *t = args;
    (void)o;
    return proc_word(p, "--format", arg, rows, &t->format);
}

static int tar_opt_transform(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)o;
    return tar_rename_parse(p, args, arg);
}

static int tar_opt_blocking(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    int64_t n;
    (void)o;
    if (str_int(arg, &n) < 0 || n < 1 || n > 4096) {
        proc_warn(p, "%.*s: Invalid blocking factor", STR_ARG(arg));
        proc_warn(p, "Error is not recoverable: exiting now");
        return 3;
    }
    ((struct tar *)args)->blocking = n;
    return 0;
}

static int tar_opt_wrong(struct proc *p, const char *fmt, struct str arg)
{
    proc_warn(p, fmt, STR_ARG(arg));
    proc_warn(p, "Error is not recoverable: exiting now");
    return 3;
}

static int tar_opt_record_size(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    int64_t n;
    (void)o;
    if (str_int(arg, &n) < 0 || n < TAR_BLOCK || n / TAR_BLOCK > 4096)
        return tar_opt_wrong(p, "%.*s: Invalid record size", arg);
    if (n % TAR_BLOCK)
        return tar_opt_wrong(p, "Record size must be a multiple of 512.", arg);
    ((struct tar *)args)->blocking = n / TAR_BLOCK;
    return 0;
}

static int tar_opt_occurrence(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct tar *t = args;
    (void)o;
    t->which = 1;
    if (arg.p && (str_int(arg, &t->which) < 0 || t->which < 1))
        return tar_opt_wrong(p, "%.*s: Invalid number", arg);
    return 0;
}

static int tar_opt_checkpoint(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct tar *t = args;
    (void)o;
    t->checkpoint = 10;
    if (!arg.p)
        return 0;
    if (arg.n && arg.p[0] == '.') {
        t->checkpoint = 10;
        arg = str_from(arg, 1);
        if (!proc_push(p, &t->actions, STR("dot")))
            return HOB_ENOMEM;
        if (!arg.n)
            return 0;
    }
    if (str_int(arg, &t->checkpoint) < 0 || t->checkpoint < 1)
        return tar_opt_wrong(p, "--checkpoint value is not an integer", arg);
    return 0;
}

static int tar_opt_action(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const char *const known[] = {"dot", ".", "bell", "echo"};
    struct tar *t = args;
    bool good = str_starts(arg, STR("echo="));
    (void)o;
    for (size_t i = 0; i < COUNT(known); i++)
        good |= str_eqz(arg, known[i]);
    if (!good)
        return tar_opt_wrong(p, "%.*s: unknown checkpoint action", arg);
    t->checkpoint = t->checkpoint ? t->checkpoint : 10;
    return proc_push(p, &t->actions, arg) ? 0 : HOB_ENOMEM;
}

static int tar_opt_quoting(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row styles[] = {{"literal", QUOTE_LITERAL},
                                             {"shell", QUOTE_SHELL},
                                             {"shell-always", QUOTE_SHELL_ALWAYS},
                                             {"shell-escape", QUOTE_SHELL_ESCAPE},
                                             {"shell-escape-always", QUOTE_SHELL_ESCAPE_ALWAYS},
                                             {"c", QUOTE_C},
                                             {"c-maybe", QUOTE_C_MAYBE},
                                             {"escape", QUOTE_ESCAPE},
                                             {"locale", QUOTE_LOCALE},
                                             {"clocale", QUOTE_CLOCALE},
                                             {NULL, 0}};
    (void)o;
    for (const struct word_row *w = styles; w->name; w++)
        if (str_eqz(arg, w->name)) {
            ((struct tar *)args)->quoting = w->value + 1;
            return 0;
        }
    return tar_opt_wrong(p,
                         "Unknown quoting style '%.*s'. Try 'tar --quoting-style=help' to get a "
                         "list.",
                         arg);
}

static int tar_opt_sort(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row orders[] = {{"none", 0}, {"name", 1}, {"inode", 2}, {NULL, 0}};
    (void)args;
    (void)o;
    for (const struct word_row *w = orders; w->name; w++)
        if (arg.n && str_starts(str_z(w->name), arg) && (arg.n > 1 || arg.p[0] == 'i'))
            return 0;
    proc_warn(p, "invalid argument %s for ‘--sort’", proc_quote(p, arg));
    proc_printf_err(p, "Valid arguments are:\n");
    for (const struct word_row *w = orders; w->name; w++)
        proc_printf_err(p, "  - ‘%s’\n", w->name);
    return 3;
}

static int tar_opt_backup(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct tar *t = args;
    if (o->name[0] == 's') {
        t->backups.suffix = arg;
        if (t->backups.asked)
            return 0;
        arg = STR_NONE;
    }
    return files_backup_option(p, &t->backups, arg);
}

static int tar_opt_map(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct tar *t = args;
    struct strs *to = o->name[0] == 'o' ? &t->owner_map : &t->group_map;
    struct in in;
    struct str line;
    bool had;
    size_t number = 0;
    int e = in_open_quiet(&in, p, arg);
    if (e < 0) {
        proc_warn(p, "%s: Cannot open: %s", proc_quotef(p, arg), error_text(e));
        proc_warn(p, "Error is not recoverable: exiting now");
        return 3;
    }
    while (e == 0 && in_line(&in, '\n', &line, &had)) {
        struct str copy = arena_str(p->arena, line);
        number++;
        if (!line.n || line.p[0] == '#')
            continue;
        if (str_chr(line, ' ') < 0 && str_chr(line, '\t') < 0) {
            proc_warn(p, "%s:%zu: malformed line", proc_quotef(p, arg), number);
            e = tar_opt_wrong(p, "errors reading map file", arg);
        } else if (!copy.p || !proc_push(p, to, copy)) {
            e = HOB_ENOMEM;
        }
    }
    in_fini(&in);
    return e;
}

/* --exclude-ignore, --exclude-ignore-recursive, --exclude-vcs-ignores; --add-file. */
static int tar_opt_names(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const char *const vcs[] = {".cvsignore", ".gitignore", ".bzrignore", ".hgignore", NULL};
    struct tar *t = args;
    if (o->name[0] == 'a')
        return proc_push(p, &t->add, arg) ? 0 : HOB_ENOMEM;
    if (arg.p)
        return proc_push(p, &t->ignores, arg) ? 0 : HOB_ENOMEM;
    for (const char *const *s = vcs; *s; s++)
        if (!proc_push(p, &t->ignores, str_z(*s)))
            return HOB_ENOMEM;
    return 0;
}

/* --no-something after --something. */
static int tar_opt_not(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p;
    (void)arg;
    *(bool *)((char *)args + o->value) = false;
    return 0;
}

static int tar_opt_nothing(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p;
    (void)args;
    (void)o;
    (void)arg;
    return 0;
}

/* clang-format off */
#define TAR_MODE_OPT(l, n, v, h) {OPT_KIND_CALL, 0, l, n, 0, v, NULL, h, tar_opt_mode}
#define TAR_FLAG(l, n, f, h) OPT_FLAG(l, n, struct tar, f, h)
#define TAR_PACK(l, n, k, h) OPT_SET(l, n, struct tar, codec, k + 1, h)
#define TAR_NOTHING(l, n, a) {OPT_KIND_CALL, 0, l, n, 0, 0, a, "(accepted)", tar_opt_nothing}
#define TAR_NOT(n, f) \
    {OPT_KIND_CALL, 0, 0, n, 0, offsetof(struct tar, f), NULL, "(takes it back)", tar_opt_not}
/* clang-format on */
static const struct opt tar_opts[] = {
    OPT_GROUP("What to do:"),
    TAR_MODE_OPT('c', "create", TAR_CREATE, "make an archive"),
    TAR_MODE_OPT('x', "extract", TAR_EXTRACT, "take files out"),
    TAR_MODE_OPT(0, "get", TAR_EXTRACT, "the same"),
    TAR_MODE_OPT('t', "list", TAR_LIST, "show what is in it"),
    TAR_MODE_OPT('r', "append", TAR_APPEND, "put files behind the others"),
    TAR_MODE_OPT('u', "update", TAR_UPDATE, "the same with those that are newer"),
    TAR_MODE_OPT('d', "diff", TAR_COMPARE, "compare with the files"),
    TAR_MODE_OPT(0, "compare", TAR_COMPARE, "the same"),
    TAR_MODE_OPT('A', "concatenate", TAR_CONCATENATE, "put the members of archives behind"),
    TAR_MODE_OPT('A', "catenate", TAR_CONCATENATE, "the same"),
    TAR_MODE_OPT(0, "delete", TAR_DELETE, "take members out of the archive"),
    TAR_MODE_OPT(0, "test-label", TAR_TEST_LABEL, "show its label, or compare it"),
    OPT_GROUP("The archive:"),
    OPT_STRING('V', "label", struct tar, label, "TEXT", "its label; a pattern when it is read"),
    TAR_FLAG('i', "ignore-zeros", ignore_zeros, "go on behind empty blocks"),
    OPT_SET(0, "old-archive", struct tar, format, TAR_V7, "as --format=v7"),
    OPT_SET(0, "portability", struct tar, format, TAR_V7, "the same"),
    TAR_PACK(0, "ungzip", CODEC_GZIP, "as -z"),
    TAR_NOT("no-auto-compress", automatic),
    OPT_STRING('f', "file", struct tar, file, "ARCHIVE", "its name; - is standard input or output"),
    TAR_PACK('z', "gzip", CODEC_GZIP, "packed by gzip"),
    TAR_PACK(0, "gunzip", CODEC_GZIP, "the same"),
    TAR_PACK('j', "bzip2", CODEC_BZIP2, "packed by bzip2"),
    TAR_PACK('J', "xz", CODEC_XZ, "packed by xz"),
    TAR_PACK(0, "lzma", CODEC_LZMA, "packed by lzma"),
    TAR_PACK(0, "zstd", CODEC_ZSTD, "packed by zstd"),
    OPT_CALL('I', "use-compress-program", tar_opt_program, "PROGRAM",
             "packed by PROGRAM: gzip, bzip2, xz, lzma, zstd, and others that do the same"),
    TAR_FLAG('a', "auto-compress", automatic, "packed as its name says"),
    OPT_CALL('H', "format", tar_opt_format, "FORMAT", "gnu (the default), pax, ustar or v7"),
    OPT_SET(0, "posix", struct tar, format, TAR_PAX, "as --format=pax"),
    OPT_GROUP("Which files:"),
    OPT_CALL('C', "directory", tar_opt_list, "DIR", "go to DIR before what follows"),
    OPT_CALL('T', "files-from", tar_opt_list, "FILE", "names from FILE, one a line"),
    TAR_FLAG(0, "null", null, "names in FILE end with NUL"),
    OPT_CALL(0, "exclude", tar_opt_list, "PATTERN", "leave out what matches"),
    OPT_CALL(0, "exclude-vcs", tar_opt_known, NULL, "leave out what version control keeps"),
    OPT_CALL(0, "exclude-backups", tar_opt_known, NULL, "leave out copies of editors"),
    OPT_CALL(0, "exclude-tag", tar_opt_tag, "FILE", "of folders with FILE only that"),
    OPT_CALL(0, "exclude-tag-under", tar_opt_tag, "FILE", "the same, and not FILE either"),
    OPT_CALL(0, "exclude-tag-all", tar_opt_tag, "FILE", "no folders with FILE"),
    OPT_CALL(0, "exclude-caches", tar_opt_tag, NULL, "of folders with CACHEDIR.TAG only that"),
    OPT_CALL(0, "exclude-caches-under", tar_opt_tag, NULL, "the same, and not that either"),
    OPT_CALL(0, "exclude-caches-all", tar_opt_tag, NULL, "no folders with CACHEDIR.TAG"),
    TAR_FLAG(0, "one-file-system", one_device, "no folders that are mounted"),
    OPT_CALL(0, "add-file", tar_opt_names, "FILE", "FILE, too, whatever it begins with"),
    OPT_CALL(0, "exclude-ignore", tar_opt_names, "FILE", "in folders with FILE, what it names"),
    OPT_CALL(0, "exclude-ignore-recursive", tar_opt_names, "FILE", "the same"),
    OPT_CALL(0, "exclude-vcs-ignores", tar_opt_names, NULL, "the same by .gitignore and its kin"),
    OPT_CALL_OPTIONAL(0, "occurrence", tar_opt_occurrence, "NUM", "only the NUMth of each name"),
    OPT_STRING('K', "starting-file", struct tar, starting, "NAME", "begin with the member NAME"),
    TAR_NOT("recursion", no_recursion),
    TAR_FLAG(0, "no-wildcards", no_wildcards, "they are plain names"),
    TAR_NOT("no-ignore-case", icase),
    TAR_NOT("no-null", null),
    OPT_CALL(0, "after-date", tar_opt_date, "DATE", "as --newer"),
    OPT_CALL('X', "exclude-from", tar_opt_exclude_from, "FILE", "patterns from FILE"),
    TAR_FLAG(0, "no-recursion", no_recursion, "not what is in folders"),
    TAR_FLAG('h', "dereference", dereference, "follow symbolic links"),
    TAR_FLAG(0, "hard-dereference", hard_dereference, "hard links as files of their own"),
    TAR_FLAG(0, "wildcards", wildcards, "operands of -x and -t are patterns"),
    TAR_FLAG(0, "anchored", anchored, "patterns match from the begin of names"),
    TAR_FLAG(0, "ignore-case", icase, "case of patterns does not matter"),
    TAR_FLAG(0, "no-anchored", not_anchored, "patterns match behind any slash (default)"),
    OPT_CALL('N', "newer", tar_opt_date, "DATE", "only files that changed since DATE"),
    OPT_CALL(0, "newer-mtime", tar_opt_date, "DATE", "only files with contents newer than DATE"),
    TAR_FLAG('P', "absolute-names", absolute, "keep leading slashes"),
    OPT_INTEGER(0, "strip-components", struct tar, strip, "NUM", "take NUM folders off names"),
    OPT_CALL(0, "transform", tar_opt_transform, "EXPR", "change names as sed would: s/RE/TEXT/"),
    OPT_CALL(0, "xform", tar_opt_transform, "EXPR", "the same"),
    {OPT_KIND_CALL, OPT_ARG_OPTIONAL, 0, "one-top-level", 0, 0, "DIR", "extract into one folder",
     tar_opt_top},
    OPT_GROUP("How they are written:"),
    TAR_FLAG('O', "to-stdout", to_stdout, "to standard output"),
    TAR_FLAG('k', "keep-old-files", keep_old, "not over files that are there: an error"),
    TAR_FLAG(0, "skip-old-files", skip_old, "not over files that are there"),
    TAR_FLAG(0, "keep-newer-files", keep_newer, "not over files that are newer"),
    TAR_FLAG(0, "overwrite", overwrite, "into files that are there"),
    TAR_FLAG('U', "unlink-first", unlink_first, "(accepted: that is always so)"),
    TAR_FLAG(0, "remove-files", remove_files, "remove files once they are in the archive"),
    TAR_FLAG('m', "touch", no_time, "with the present time"),
    TAR_FLAG('p', "preserve-permissions", same_permissions, "with their permissions, no umask"),
    TAR_FLAG(0, "same-permissions", same_permissions, "the same"),
    TAR_FLAG(0, "same-owner", same_owner, "with their owners"),
    TAR_FLAG(0, "no-same-owner", no_same_owner, "with the present owner (the default)"),
    TAR_FLAG(0, "no-same-permissions", no_same_permissions, "with the umask (the default)"),
    TAR_FLAG(0, "numeric-owner", numeric, "numbers for owners"),
    OPT_STRING(0, "owner", struct tar, owner, "NAME[:UID]", "put NAME into the archive"),
    OPT_STRING(0, "group", struct tar, group, "NAME[:GID]", "the same for groups"),
    OPT_CALL(0, "mtime", tar_opt_date, "DATE", "put DATE into the archive"),
    OPT_CALL(0, "owner-map", tar_opt_map, "FILE", "owners in the archive, by lines OLD NEW:UID"),
    OPT_CALL(0, "group-map", tar_opt_map, "FILE", "the same for groups"),
    TAR_FLAG(0, "clamp-mtime", clamp, "--mtime only for files that are newer"),
    OPT_CALL_OPTIONAL(0, "backup", tar_opt_backup, "CONTROL", "keep what would be written over"),
    OPT_CALL(0, "suffix", tar_opt_backup, "SUFFIX", "behind the names of these, not ~"),
    OPT_STRING(0, "to-command", struct tar, to_command, "COMMAND", "contents are its input"),
    TAR_FLAG(0, "ignore-command-error", ignore_command, "its status does not matter"),
    TAR_NOT("no-ignore-command-error", ignore_command),
    OPT_CALL(0, "mode", tar_opt_permissions, "MODE", "put MODE into the archive"),
    OPT_GROUP("What is said:"),
    OPT_INC('v', "verbose", struct tar, verbose, "names as they are done; twice: more"),
    TAR_FLAG(0, "totals", totals, "bytes written"),
    TAR_FLAG(0, "full-time", full_time, "times to the nanosecond"),
    TAR_FLAG(0, "show-transformed-names", show_transformed, "names as they became"),
    TAR_FLAG(0, "ignore-failed-read", ignore_failed, "files that cannot be read are no error"),
    OPT_CALL('b', "blocking-factor", tar_opt_blocking, "NUM",
             "NUM blocks of 512 bytes in a record"),
    OPT_CALL(0, "sort", tar_opt_sort, "ORDER", "none, name or inode (folders are always sorted)"),
    OPT_CALL_OPTIONAL(0, "checkpoint", tar_opt_checkpoint, "NUM",
                      "a sign of life each NUM records"),
    OPT_CALL(0, "checkpoint-action", tar_opt_action, "ACTION", "dot, bell, echo or echo=TEXT"),
    OPT_CALL(0, "quoting-style", tar_opt_quoting, "STYLE", "how names are shown"),
    OPT_STRING(0, "quote-chars", struct tar, quote_chars, "CHARS", "show these with a backslash"),
    TAR_FLAG('R', "block-number", block_numbers, "show where members begin"),
    TAR_FLAG(0, "utc", utc, "times in UTC"),
    OPT_STRING(0, "index-file", struct tar, index_file, "FILE", "what -v shows goes to FILE"),
    OPT_CALL(0, "record-size", tar_opt_record_size, "NUM", "NUM bytes in a record"),
    TAR_NOTHING(0, "warning", "WORD"),
    TAR_NOTHING(0, "no-acls", NULL),
    TAR_NOTHING(0, "no-xattrs", NULL),
    TAR_NOTHING(0, "no-selinux", NULL),
    TAR_NOTHING('S', "sparse", NULL),
    TAR_NOTHING('B', "read-full-records", NULL),
    TAR_NOTHING('s', "preserve-order", NULL),
    TAR_NOTHING('n', "seek", NULL),
    TAR_NOTHING(0, "force-local", NULL),
    TAR_NOTHING(0, "delay-directory-restore", NULL),
    TAR_FLAG('w', "interactive", interactive, "ask about each file"),
    TAR_FLAG(0, "confirmation", interactive, "the same"),
    OPT_END,
};
#undef TAR_MODE_OPT
#undef TAR_FLAG
#undef TAR_PACK
#undef TAR_NOTHING
#undef TAR_NOT

/* tar cvf NAME: letters without a dash, whose arguments follow in order. */
static void tar_old_style(struct proc *p)
{
    struct str first = p->argc > 1 ? p->argv[1] : STR("");
    size_t n = 0;
    int next = 2;
    if (!first.n || first.p[0] == '-' || memchr(first.p, '/', first.n))
        return;
    struct str *words = arena_array(p->arena, struct str, p->argc + 2 * (int)first.n + 1);
    if (!words)
        return;
    words[n++] = p->argv[0];
    for (size_t i = 0; i < first.n; i++) {
        char *word = arena_alloc(p->arena, 3);
        if (!word)
            return;
        word[0] = '-';
        word[1] = first.p[i];
        word[2] = '\0';
        words[n++] = str_of(word, 2);
        if (strchr("fCTXbHNVK", first.p[i]) && next < p->argc)
            words[n++] = p->argv[next++];
    }
    while (next < p->argc)
        words[n++] = p->argv[next++];
    p->argv = words;
    p->argc = (int)n;
}

static void tar_defaults(struct proc *p, void *args)
{
    tar_old_style(p);
    ((struct tar *)args)->blocking = TAR_BLOCKING;
}

static int tar_usage(struct tar_run *r)
{
    struct tar *o = r->o;
    const char *name = r->p->name.p;
    if (o->modes > 1)
        tar_warn(r, "You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' "
                    "option");
    else if (o->mode == TAR_NONE)
        tar_warn(r, "You must specify one of the '-Acdtrux', '--delete' or '--test-label' options");
    else if (o->mode == TAR_CREATE && r->p->argc == 0 && o->from_files.n == 0 && o->add.n == 0)
        tar_warn(r, "Cowardly refusing to create an empty archive");
    else if ((o->mode == TAR_APPEND || o->mode == TAR_UPDATE || o->mode == TAR_CONCATENATE) &&
             (!o->file.p || str_eqz(o->file, "-")))
        tar_warn(r, "Options '-Aru' are incompatible with '-f -'");
    else if (o->which && r->p->argc == 0)
        tar_warn(r, "--occurrence is meaningless without a file list");
    else
        return 0;
    proc_printf_err(r->p, TAR_TRY, name, name);
    return 2;
}

/* --one-top-level: the name of the archive without its suffixes. */
static void tar_top(struct tar *o, struct proc *p)
{
    struct str base = o->file.p ? files_base(o->file) : STR("");
    ptrdiff_t tar = str_find(base, STR(".tar"));
    ptrdiff_t dot = tar > 0 ? tar : str_rchr(base, '.');
    if (o->one_top_level && !o->top_level.p && base.n)
        o->top_level = arena_str(p->arena, dot > 0 ? str_sub(base, 0, (size_t)dot) : base);
}

static int tar_main(struct proc *p, void *args)
{
    struct tar *o = args;
    struct tar_run r = {.p = p, .o = o, .started = sched_now(&p->kernel->sched)};
    struct file *index = NULL;
    if (o->index_file.p) {
        int i = vfs_open(p, o->index_file, FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0666, &index);
        if (i < 0) {
            proc_warn(p, "%s: Cannot open: %s", proc_quotef(p, o->index_file), error_text(i));
            proc_warn(p, "Error is not recoverable: exiting now");
            return 2;
        }
        out_init_file(&r.out, p, index);
    } else {
        out_init(&r.out, p, o->mode == TAR_CREATE && (!o->file.p || str_eqz(o->file, "-")) ? 2 : 1);
    }
    users_init(&r.users, p);
    users_name(&r.users, 0); /* read now: what comes later is released member by member */
    users_group(&r.users, 0);
    int e = tar_usage(&r);
    if (e == 0) {
        tar_top(o, p);
        switch (o->mode) {
        case TAR_CREATE: e = tar_create(&r); break;
        case TAR_APPEND:
        case TAR_UPDATE: e = tar_append(&r); break;
        case TAR_CONCATENATE: e = tar_concatenate(&r); break;
        case TAR_DELETE: e = tar_delete(&r); break;
        case TAR_TEST_LABEL: e = tar_test_label(&r); break;
        default: e = tar_extract(&r); break;
        }
        if (e == 0 && r.status == 2)
            tar_warn(&r, "Exiting with failure status due to previous errors");
        e = e == HOB_ESYNTAX || e == 0 ? r.status : e;
    }
    if (r.asked)
        in_fini(&r.answers);
    e = command_close(p, &r.out, e);
    if (index)
        file_unref(index);
    return e;
}

const struct command cmd_tar = {
    .name = "tar",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Make archives of files, show what is in them, and take files out.",
    .notes = "How an archive is packed is seen from its first bytes when it is read. Members whose "
             "names lead out of the folder are not extracted there.",
    .opts = tar_opts,
    .args_size = sizeof(struct tar),
    .usage_status = 64,
    .defaults = tar_defaults,
    .run = tar_main,
};
#undef TAR_TRY

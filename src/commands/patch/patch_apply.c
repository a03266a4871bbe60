/* patch_apply.c -- the hunks of one file: where they fit, what is written, what is left over
 *
 * A hunk is looked for where it says, shifted by what was found so far, then further and further
 * away in both directions; first with all its context, then with less (fuzz). A file is written
 * only when all its hunks were tried.
 */
#include "commands/patch/patch.h"

#include "base/error.h"
#include "base/utf8.h"
#include "commands/lib/getdate.h"
#include "text/diff.h"

/* One file while hunks are applied to it. */
struct patch_job {
    struct patch_run *r;
    struct patch_file *f;
    struct str name; /* of the file */
    bool exists, reverse;
    struct stat_info st;
    struct diff_text in; /* its lines */
    struct buf out;
    size_t frozen;  /* lines of `in` that are written already */
    int64_t offset; /* how far hunks were shifted so far */
    int64_t grown;  /* lines put in minus lines taken out */
    size_t failed;
    bool mismatch; /* something did not fit at once */
    bool skip;
    struct buf rejects;
};

/* ---- finding the place ----------------------------------------------------------------------- */

static bool patch_is_old(const struct patch_job *j, const struct patch_line *l)
{
    return l->mark == ' ' || l->mark == (j->reverse ? '+' : '-');
}

static bool patch_is_new(const struct patch_job *j, const struct patch_line *l)
{
    return l->mark == ' ' || l->mark == (j->reverse ? '-' : '+');
}

/* -l: any run of blanks is as good as another. */
static bool patch_similar(struct str a, struct str b)
{
    size_t i = 0, k = 0;
    while (a.n && ascii_space(a.p[a.n - 1]))
        a.n--;
    while (b.n && ascii_space(b.p[b.n - 1]))
        b.n--;
    while (i < a.n && k < b.n) {
        if (ascii_space(a.p[i]) && ascii_space(b.p[k])) {
            while (i < a.n && ascii_space(a.p[i]))
                i++;
            while (k < b.n && ascii_space(b.p[k]))
                k++;
        } else if (a.p[i++] != b.p[k++]) {
            return false;
        }
    }
    return i == a.n && k == b.n;
}

static bool patch_equal(const struct patch_job *j, struct str a, struct str b)
{
    return str_eq(a, b) || (j->r->o->ignore_space && patch_similar(a, b));
}

/* Whether the hunk fits at line `where`, without so many lines of context at its ends. */
static bool patch_fits(const struct patch_job *j, const struct patch_hunk *h, int64_t where,
                       size_t skip_first, size_t skip_last, size_t old)
{
    size_t k = 0;
    if (where < 1)
        return false;
    for (size_t i = 0; i < h->n; i++) {
        if (!patch_is_old(j, &h->line[i]))
            continue;
        size_t at = (size_t)where - 1 + k++;
        if (k <= skip_first || k > old - skip_last)
            continue;
        if (at >= j->in.n || !patch_equal(j, j->in.line[at], h->line[i].text))
            return false;
    }
    return true;
}

/* The line the hunk fits at with this much fuzz; 0: nowhere. */
static int64_t patch_locate(struct patch_job *j, const struct patch_hunk *h, int64_t fuzz)
{
    size_t old = 0;
    for (size_t i = 0; i < h->n; i++)
        old += patch_is_old(j, &h->line[i]);
    size_t first_line = j->reverse ? h->new_first : h->old_first;
    /* Of an empty range the line before it is named. */
    int64_t guess = (int64_t)first_line + (old == 0) + j->offset;
    int64_t context = (int64_t)MAX(h->prefix, h->suffix), n = (int64_t)old;
    int64_t front = fuzz + (int64_t)h->prefix - context, back = fuzz + (int64_t)h->suffix - context;
    int64_t lines = (int64_t)j->in.n, low = (int64_t)j->frozen + 1;

    if (old == 0)
        return guess;
    if (front < 0 && first_line <= 1) { /* it has less context in front: the begin of the file */
        if (back < 0 && n != lines)
            return 0;
        return low <= 1 && patch_fits(j, h, 1, 0, (size_t)MAX(back, 0), old) ? 1 : 0;
    }
    front = MAX(front, 0);
    if (back < 0) { /* the end of the file */
        int64_t at = lines - n + 1;
        return at >= low && patch_fits(j, h, at, (size_t)front, 0, old) ? at : 0;
    }
    int64_t high = lines - (n - back) + 1;
    for (int64_t d = 0; guess + d <= high || guess - d >= low; d++) {
        if (guess + d <= high && guess + d >= low &&
            patch_fits(j, h, guess + d, (size_t)front, (size_t)back, old))
            return guess + d;
        if (d && guess - d >= MAX(low, 1) && guess - d <= high &&
            patch_fits(j, h, guess - d, (size_t)front, (size_t)back, old))
            return guess - d;
        if ((d & 255) == 255 && proc_tick(j->r->p, 1) < 0)
            return 0;
    }
    return 0;
}

/* ---- one hunk -------------------------------------------------------------------------------- */

static void patch_put(struct patch_job *j, struct str line)
{
    /* Whatever comes behind a line without newline makes it a whole one. */
    if (j->out.n && j->out.p[j->out.n - 1] != '\n')
        buf_putc(&j->out, '\n');
    buf_str(&j->out, line);
}

static void patch_copy_to(struct patch_job *j, size_t line)
{
    for (; j->frozen < line && j->frozen < j->in.n; j->frozen++)
        patch_put(j, j->in.line[j->frozen]);
}

/* Lines that did not have to fit are kept as the file has them. */
static void patch_put_hunk(struct patch_job *j, const struct patch_hunk *h, int64_t where)
{
    patch_copy_to(j, (size_t)where - 1);
    for (size_t i = 0; i < h->n; i++) {
        const struct patch_line *l = &h->line[i];
        if (l->mark == ' ') {
            struct str text = j->frozen < j->in.n ? j->in.line[j->frozen] : l->text;
            patch_put(j, text);
            j->frozen++;
            continue;
        }
        if (patch_is_old(j, l))
            j->frozen++, j->grown--;
        else
            patch_put(j, l->text), j->grown++;
    }
    j->frozen = MIN(j->frozen, j->in.n);
}

static void patch_reject_unified(struct patch_job *j, const struct patch_hunk *h, size_t of,
                                 size_t nf, size_t on, size_t nn)
{
    struct buf *b = &j->rejects;
    buf_printf(b, on == 1 ? "@@ -%zu" : "@@ -%zu,%zu", of, on);
    buf_printf(b, nn == 1 ? " +%zu @@" : " +%zu,%zu @@", nf, nn);
    buf_printf(b, "%.*s\n", STR_ARG(h->function));
    for (size_t i = 0; i < h->n; i++) {
        const struct patch_line *l = &h->line[i];
        char mark = l->mark == ' ' || !j->reverse ? l->mark : l->mark == '-' ? '+' : '-';
        buf_putc(b, mark);
        buf_str(b, l->text);
        if (!l->text.n || l->text.p[l->text.n - 1] != '\n')
            buf_addz(b, "\n\\ No newline at end of file\n");
    }
}

/* Which lines of a run are changed, not merely put in or taken out. */
static char patch_context_mark(const struct patch_hunk *h, size_t i)
{
    size_t a = i, b = i;
    bool minus = false, plus = false;
    if (h->line[i].mark == ' ')
        return ' ';
    while (a > 0 && h->line[a - 1].mark != ' ')
        a--;
    while (b + 1 < h->n && h->line[b + 1].mark != ' ')
        b++;
    for (; a <= b; a++)
        minus |= h->line[a].mark == '-', plus |= h->line[a].mark == '+';
    return minus && plus ? '!' : h->line[i].mark;
}

static void patch_reject_context(struct patch_job *j, const struct patch_hunk *h, size_t of,
                                 size_t nf, size_t on, size_t nn)
{
    struct buf *b = &j->rejects;
    for (int side = 0; side < 2; side++) {
        size_t first = side ? nf : of, n = side ? nn : on;
        bool any = false;
        if (side == 0)
            buf_printf(b, "***************%.*s\n", STR_ARG(h->function));
        buf_printf(b, "%s %zu", side ? "---" : "***", first);
        if (n > 1)
            buf_printf(b, ",%zu", first + n - 1);
        buf_addz(b, side ? " ----\n" : " ****\n");
        for (size_t i = 0; i < h->n; i++)
            any |= h->line[i].mark != ' ' &&
                   (side ? patch_is_new(j, &h->line[i]) : patch_is_old(j, &h->line[i]));
        for (size_t i = 0; any && i < h->n; i++) {
            const struct patch_line *l = &h->line[i];
            char mark = patch_context_mark(h, i);
            if (!(side ? patch_is_new(j, l) : patch_is_old(j, l)))
                continue;
            if (j->reverse && (mark == '-' || mark == '+'))
                mark = mark == '-' ? '+' : '-';
            buf_printf(b, "%c ", mark);
            buf_str(b, l->text);
            if (!l->text.n || l->text.p[l->text.n - 1] != '\n')
                buf_addz(b, "\n\\ No newline at end of file\n");
        }
    }
}

static void patch_reject(struct patch_job *j, const struct patch_hunk *h)
{
    struct buf *b = &j->rejects;
    const struct patch_file *f = j->f;
    struct str wanted = j->r->o->reject_format;
    bool unified = wanted.p ? str_eqz(wanted, "unified") : f->form == PATCH_UNIFIED;
    size_t of = j->reverse ? h->new_first : h->old_first, on = j->reverse ? h->new_n : h->old_n;
    size_t nf = j->reverse ? h->old_first : h->new_first, nn = j->reverse ? h->old_n : h->new_n;

    if (b->n == 0) {
        struct str old = j->reverse ? f->new_header : f->old_header;
        struct str new = j->reverse ? f->old_header : f->new_header;
        if (old.n > 4 && new.n > 4)
            buf_printf(b, "%s %.*s\n%s %.*s\n", unified ? "---" : "***", STR_ARG(str_from(old, 4)),
                       unified ? "+++" : "---", STR_ARG(str_from(new, 4)));
        else
            buf_printf(b, "%s %.*s\n%s %.*s\n", unified ? "---" : "***", STR_ARG(j->name),
                       unified ? "+++" : "---", STR_ARG(j->name));
    }
    of = (size_t)((int64_t)of + j->offset);
    nf = (size_t)((int64_t)nf + j->offset);
    if (unified)
        patch_reject_unified(j, h, of, nf, on, nn);
    else
        patch_reject_context(j, h, of, nf, on, nn);
}

/* ---- all hunks ------------------------------------------------------------------------------- */

static void patch_say(struct patch_job *j, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void patch_say(struct patch_job *j, const char *fmt, ...)
{
    struct buf b;
    va_list ap;
    if (j->r->o->silent)
        return;
    buf_init(&b, &j->r->p->kernel->heap);
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    out_str(&j->r->out, buf_get(&b));
    buf_fini(&b);
}

/* Questions have no one to answer them: each takes the answer it offers. */
static void patch_ask(struct patch_job *j, const char *question) { out_puts(&j->r->out, question); }

/* The first hunk fits the other way round: the patch was applied before. True: skip this file. */
static bool patch_reversed(struct patch_job *j, const struct patch_hunk *h)
{
    const struct patch *o = j->r->o;
    if (o->force)
        return false;
    j->reverse = !j->reverse;
    int64_t where = patch_locate(j, h, 0);
    j->reverse = !j->reverse;
    size_t changes = 0;
    for (size_t i = 0; i < h->n; i++)
        changes += h->line[i].mark != ' ';
    if (where <= 0 || (size_t)where > j->in.n + 1 || changes == 0 ||
        (h->old_n && !h->new_n && !j->in.n))
        return false;
    out_printf(&j->r->out, j->reverse ? "Unreversed patch detected!  "
                                      : "Reversed (or previously applied) patch detected!  ");
    if (o->forward && !j->reverse) {
        out_puts(&j->r->out, "Skipping patch.\n");
        return j->skip = true;
    }
    if (o->batch) {
        out_puts(&j->r->out, j->reverse ? "Ignoring -R.\n" : "Assuming -R.\n");
        j->reverse = !j->reverse;
        j->mismatch = true;
        return false;
    }
    patch_ask(j, j->reverse ? "Ignore -R? [n] \n" : "Assume -R? [n] \n");
    patch_ask(j, "Apply anyway? [n] \n");
    out_puts(&j->r->out, "Skipping patch.\n");
    return j->skip = true;
}

static int64_t patch_find(struct patch_job *j, const struct patch_hunk *h, bool first,
                          int64_t *fuzz)
{
    int64_t most = MIN(j->r->o->fuzz, (int64_t)MAX(h->prefix, h->suffix)), where = 0;
    for (*fuzz = 0; *fuzz <= most; ++*fuzz) {
        where = patch_locate(j, h, *fuzz);
        if (where == 0 && *fuzz == 0 && first) {
            bool before = j->reverse;
            if (patch_reversed(j, h))
                return 0;
            if (before != j->reverse)
                where = patch_locate(j, h, 0);
        }
        if (where)
            break;
    }
    return where;
}

static int patch_hunks(struct patch_job *j)
{
    for (size_t i = 0; i < j->f->n; i++) {
        const struct patch_hunk *h = &j->f->hunk[i];
        int64_t fuzz = 0;
        int64_t where = j->skip ? 0 : patch_find(j, h, i == 0, &fuzz);
        size_t n = j->reverse ? h->new_n : h->old_n;
        int64_t said = (int64_t)(j->reverse ? h->new_first : h->old_first) + (n == 0);
        int e = proc_check(j->r->p);
        if (e < 0)
            return e;
        if (!where) {
            j->failed++;
            j->mismatch = true;
            patch_reject(j, h);
            if (j->skip && j->r->o->verbose)
                patch_say(j, "Hunk #%zu ignored at %lld.\n", i + 1, (long long)(said + j->offset));
            if (!j->skip)
                patch_say(j, "Hunk #%zu FAILED at %lld.\n", i + 1, (long long)(said + j->offset));
            continue;
        }
        patch_put_hunk(j, h, where);
        j->offset = where - said;
        if (fuzz || j->offset || j->r->o->verbose) {
            j->mismatch |= fuzz || j->offset;
            patch_say(j, "Hunk #%zu succeeded at %lld", i + 1, (long long)(where + 0));
            if (fuzz)
                patch_say(j, " with fuzz %lld", (long long)fuzz);
            if (j->offset)
                patch_say(j, " (offset %lld line%s)", (long long)j->offset,
                          j->offset == 1 ? "" : "s");
            patch_say(j, ".\n");
        }
    }
    patch_copy_to(j, j->in.n);
    return heap_gate(&j->r->p->kernel->heap);
}

/* ---- writing --------------------------------------------------------------------------------- */

static int patch_write(struct patch_job *j, struct str path, struct str text, uint32_t mode)
{
    struct proc *p = j->r->p;
    struct file *f;
    struct str dir = path_dir(path);
    if (dir.n && !files_is_dir(p, dir)) {
        int e = vfs_mkdirs(p, dir, 0777);
        if (e < 0)
            return e;
    }
    /* A file takes the place of a link: what the link leads to stays as it is. */
    struct stat_info st;
    if (vfs_stat(p, path, VFS_NOFOLLOW, &st) == 0 && MODE_IS_LINK(st.mode))
        vfs_unlink(p, path);
    int e = vfs_open(p, path, FILE_WRITE | FILE_CREATE | FILE_TRUNC, mode, &f);
    if (e < 0)
        return e;
    if (text.n)
        e = file_write(f, p, text.p, text.n);
    file_unref(f);
    return MIN(e, 0);
}

static struct str patch_join(struct patch_job *j, struct str a, struct str b, struct str c)
{
    struct buf t;
    buf_init(&t, &j->r->p->kernel->heap);
    buf_str(&t, a);
    buf_str(&t, b);
    buf_str(&t, c);
    struct str s = arena_str(j->r->p->arena, buf_get(&t));
    buf_fini(&t);
    return s;
}

static struct str patch_backup_name(struct patch_job *j)
{
    const struct patch *o = j->r->o;
    if (o->kind.asked && o->kind.kind != BACKUP_SIMPLE)
        return files_backup_name(j->r->p, &o->kind, j->name);
    struct str base = files_base(j->name), dir = str_sub(j->name, 0, j->name.n - base.n);
    if (o->prefix.p || o->base_prefix.p) {
        struct str whole = o->prefix.p ? patch_join(j, o->prefix, j->name, STR("")) : j->name;
        if (!o->base_prefix.p)
            return o->suffix.p ? patch_join(j, whole, o->suffix, STR("")) : whole;
        return patch_join(j, dir, o->base_prefix, patch_join(j, base, o->suffix, STR("")));
    }
    struct str suffix = o->suffix;
    if (!suffix.p && !proc_getenv(j->r->p, STR("SIMPLE_BACKUP_SUFFIX"), &suffix))
        suffix = STR(".orig");
    return patch_join(j, j->name, suffix, STR(""));
}

static int patch_backup(struct patch_job *j, struct str text)
{
    const struct patch *o = j->r->o;
    bool wanted = o->backup || (j->mismatch && !o->no_backup_mismatch && !j->skip);
    if (!wanted || o->dry_run || o->output.p)
        return 0;
    struct str name = patch_backup_name(j);
    return name.p ? patch_write(j, name, text, j->exists ? j->st.mode & 0777 : 0666) : HOB_ENOMEM;
}

static int patch_save_rejects(struct patch_job *j)
{
    const struct patch *o = j->r->o;
    struct str target = o->output.p ? o->output : j->name;
    struct str name = o->reject.p ? o->reject : patch_join(j, target, STR(".rej"), STR(""));
    bool keep = !str_eqz(name, "-") && !o->dry_run;

    out_printf(&j->r->out, "%zu out of %zu hunk%s %s", j->failed, j->f->n, j->f->n == 1 ? "" : "s",
               j->skip ? "ignored" : "FAILED");
    if (keep)
        out_printf(&j->r->out, " -- saving rejects to file %s", proc_quotef(j->r->p, name));
    out_putc(&j->r->out, '\n');
    j->r->status = MAX(j->r->status, 1);
    return keep ? patch_write(j, name, buf_get(&j->rejects), 0666) : 0;
}

/* Folders that become empty go with the file. */
static int patch_remove(struct patch_job *j, struct str path)
{
    int e = vfs_unlink(j->r->p, path);
    for (struct str dir = path_dir(path); e == 0 && dir.n > 1; dir = path_dir(dir))
        if (vfs_rmdir(j->r->p, dir) < 0)
            break;
    return e;
}

/* The time in a line like "--- name<tab>2020-01-02 03:04:05 +0000". */
static bool patch_time(struct patch_job *j, struct str header, int64_t *out)
{
    struct date_zone zone = getdate_zone(j->r->p);
    ptrdiff_t tab = str_chr(header, '\t');
    if (j->r->o->set_utc)
        getdate_zone_named(STR("UTC"), &zone);
    return tab >= 0 && getdate_parse(str_trim(str_from(header, (size_t)tab + 1)),
                                     sched_now(&j->r->p->kernel->sched), &zone, out) == 0;
}

/* -T and -Z: not when the file was not what the patch was made for. */
static int patch_set_time(struct patch_job *j, struct str target)
{
    const struct patch *o = j->r->o;
    int64_t old, new;
    struct str from = j->reverse ? j->f->new_header : j->f->old_header;
    struct str to = j->reverse ? j->f->old_header : j->f->new_header;
    if ((!o->set_time && !o->set_utc) || !patch_time(j, to, &new))
        return 0;
    const char *why = o->force                                                       ? NULL
                      : j->exists && patch_time(j, from, &old) && old != j->st.mtime ? "time"
                      : j->mismatch || j->failed                                     ? "contents"
                                                                                     : NULL;
    if (!why)
        return vfs_utimes(j->r->p, target, new, new, 0);
    patch_say(j, "Not setting time of file %s (%s mismatch)\n", proc_quotef(j->r->p, target), why);
    return 0;
}

static int patch_finish(struct patch_job *j, struct str before)
{
    const struct patch *o = j->r->o;
    const struct patch_file *f = j->f;
    struct proc *p = j->r->p;
    struct str target = o->output.p ? o->output : j->name, text = buf_get(&j->out);
    bool gone = j->reverse ? f->creates : f->deletes;
    uint32_t mode = f->new_mode && !j->reverse ? f->new_mode : j->exists ? j->st.mode & 0777 : 0666;
    int e = 0;

    if (!j->skip) {
        e = patch_backup(j, before);
        struct str to = j->reverse ? f->old_name : f->new_name;
        if (e == 0 && (f->renames || f->copies) && to.p && !o->output.p && !o->dry_run) {
            ptrdiff_t slash = str_chr(to, '/');
            target = slash >= 0 && o->strip != 0 ? str_from(to, (size_t)slash + 1) : to;
        }
        bool empty = text.n == 0 && (o->remove_empty || gone) && !o->output.p;
        if (e == 0 && !o->dry_run && empty && j->failed == 0)
            e = j->exists ? patch_remove(j, target) : 0;
        else if (e == 0 && !o->dry_run && (j->failed < f->n || f->n == 0))
            e = str_eqz(target, "-") ? (out_str(&j->r->out, text), 0)
                                     : patch_write(j, target, text, mode);
        if (e == 0 && !o->dry_run && !empty && !str_eqz(target, "-"))
            e = patch_set_time(j, target);
        if (e == 0 && !o->dry_run && f->new_mode && !j->reverse && !gone)
            e = vfs_chmod(p, target, f->new_mode);
        if (e == 0 && !o->dry_run && f->renames && !str_eq(target, j->name))
            e = vfs_unlink(p, j->name);
        if (e == 0 && gone && text.n && j->failed == 0 && !o->dry_run)
            out_printf(&j->r->out, "Not deleting file %s as content differs from patch\n",
                       proc_quotef(p, j->name)),
                j->r->status = MAX(j->r->status, 1);
    }
    if (e < 0)
        return patch_fatal(j->r, "Can't write file %s : %s\n", proc_quotef(p, target),
                           error_text(e));
    return j->failed ? patch_save_rejects(j) : 0;
}

/* ---- which file ------------------------------------------------------------------------------ */

/* The name without leading folders, as -p says; .p NULL: nothing is left. */
static struct str patch_strip(struct patch_job *j, struct str name)
{
    int64_t strip = j->r->o->strip;
    if (!name.p || str_eqz(name, "/dev/null"))
        return STR_NONE;
    if (strip < 0)
        return j->f->git && str_chr(name, '/') == 1 ? str_from(name, 2) : files_base(name);
    for (; strip > 0; strip--) {
        ptrdiff_t slash = str_chr(name, '/');
        if (slash < 0)
            return STR_NONE;
        size_t n = (size_t)slash;
        while (n < name.n && name.p[n] == '/')
            n++;
        name = str_from(name, n);
    }
    return name.n ? name : STR_NONE;
}

/* TM-FS-10: a patch names no file outside of the folder it is applied in. */
static bool patch_dangerous(struct str name)
{
    if (name.n && name.p[0] == '/')
        return true;
    for (struct str s = name; s.n;) {
        ptrdiff_t slash = str_chr(s, '/');
        struct str part = slash < 0 ? s : str_sub(s, 0, (size_t)slash);
        if (str_eqz(part, ".."))
            return true;
        s = slash < 0 ? STR("") : str_from(s, (size_t)slash + 1);
    }
    return false;
}

static size_t patch_parts(struct str name)
{
    size_t n = 0;
    for (size_t i = 0; i < name.n; i++)
        n += name.p[i] == '/';
    return n;
}

/* The better of two names: fewer folders, then the shorter last part, then the shorter name. */
static struct str patch_better(struct str a, struct str b)
{
    if (!a.p || !b.p)
        return a.p ? a : b;
    if (patch_parts(a) != patch_parts(b))
        return patch_parts(a) < patch_parts(b) ? a : b;
    size_t ba = files_base(a).n, bb = files_base(b).n;
    if (ba != bb)
        return ba < bb ? a : b;
    return b.n < a.n ? b : a;
}

static struct str patch_choose(struct patch_job *j)
{
    const struct patch_file *f = j->f;
    struct str given[3] = {f->old_name, f->new_name, f->index_name}, best = STR_NONE,
               any = STR_NONE;
    for (int i = 0; i < 3; i++) {
        struct str name = patch_strip(j, given[i]);
        struct stat_info st;
        if (!name.p)
            continue;
        if (patch_dangerous(name)) {
            if (i == 0 || !str_eq(given[i], given[i - 1]))
                out_printf(&j->r->out, "Ignoring potentially dangerous file name %s\n",
                           proc_quotef(j->r->p, name));
            continue;
        }
        any = patch_better(any, name);
        if (vfs_stat(j->r->p, name, 0, &st) == 0)
            best = patch_better(best, name);
    }
    bool creates = j->reverse ? f->deletes : f->creates;
    return best.p ? best : creates || f->git ? any : STR_NONE;
}

/* No file was found: nobody can be asked for one. */
static int patch_no_file(struct patch_job *j)
{
    struct out *o = &j->r->out;
    out_printf(o, "can't find file to patch at input line %zu\n", j->f->at_line);
    out_printf(o, j->r->o->strip < 0 ? "Perhaps you should have used the -p or --strip option?\n"
                                     : "Perhaps you used the wrong -p or --strip option?\n");
    patch_put_leading(j->r, j->f);
    if (!j->r->o->force && !j->r->o->batch)
        out_puts(o, "File to patch: \nSkip this patch? [y] \n");
    else
        out_puts(o, "No file to patch.  ");
    out_printf(o, "Skipping patch.\n%zu out of %zu hunk%s ignored\n", j->f->n, j->f->n,
               j->f->n == 1 ? "" : "s");
    j->r->status = MAX(j->r->status, 1);
    return 0;
}

static int patch_load(struct patch_job *j, struct str *text)
{
    struct in in;
    int e = vfs_stat(j->r->p, j->name, j->r->o->follow ? 0 : VFS_NOFOLLOW, &j->st);
    *text = STR("");
    if (e == HOB_ENOENT)
        return 0;
    j->exists = e == 0;
    if (e == 0 && !MODE_IS_FILE(j->st.mode)) {
        out_printf(&j->r->out, "File %s is not a regular file -- refusing to patch\n",
                   proc_quotef(j->r->p, j->name));
        j->skip = true;
        return HOB_EINVAL;
    }
    e = e < 0 ? e : in_open_quiet(&in, j->r->p, j->name);
    if (e == 0) {
        e = in_all(&in, text);
        in_fini(&in);
    }
    return e;
}

static void patch_announce(struct patch_job *j)
{
    const struct patch *o = j->r->o;
    struct proc *p = j->r->p;
    if (j->f->form == PATCH_ED)
        return;
    if (o->output.p) {
        patch_say(j, "patching file %s (read from %s)\n", proc_quotef(p, o->output),
                  proc_quotef(p, j->name));
        return;
    }
    patch_say(j, "%s file %s", o->dry_run ? "checking" : "patching", proc_quotef(p, j->name));
    if (j->f->renames && j->f->new_name.p)
        patch_say(j, " (renamed from %s)", proc_quotef(p, j->name));
    patch_say(j, o->verbose ? "\nUsing Plan A...\n" : "\n");
}

static int patch_job_run(struct patch_job *j)
{
    struct proc *p = j->r->p;
    struct str before, script;
    int e;

    if (p->argc > 0)
        j->name = p->argv[0];
    else
        j->name = patch_choose(j);
    if (!j->name.p)
        return patch_no_file(j);
    e = patch_load(j, &before);
    if (e == HOB_EINVAL) {
        for (size_t i = 0; i < j->f->n; i++)
            patch_reject(j, &j->f->hunk[i]);
        j->failed = j->f->n;
        return patch_save_rejects(j);
    }
    if (e < 0)
        return patch_fatal(j->r, "Can't open file %s : %s\n", proc_quotef(p, j->name),
                           error_text(e));
    patch_announce(j);
    if (j->f->broken)
        return 0;
    e = diff_split(p->arena, before, &j->in);
    if (e == 0 && j->f->form == PATCH_ED) {
        for (size_t i = 0; i < j->f->n && e == 0; i++)
            e = patch_apply_ed(j->r, j->f->hunk[i].script, before, &script);
        if (e == 0)
            buf_str(&j->out, script);
    } else if (e == 0) {
        e = patch_hunks(j);
    }
    return e < 0 ? e : patch_finish(j, before);
}

int patch_apply(struct patch_run *r, struct patch_file *f)
{
    struct patch_job j = {.r = r, .f = f, .reverse = r->o->reverse};
    buf_init(&j.out, &r->p->kernel->heap);
    buf_init(&j.rejects, &r->p->kernel->heap);
    int e = patch_job_run(&j);
    buf_fini(&j.out);
    buf_fini(&j.rejects);
    return e;
}

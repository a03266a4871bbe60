/* diff_files.c -- which files are compared: operands, folders, and what is said of them */
#include "commands/diff/diff.h"

#include "base/fmt.h"
#include "base/utf8.h"
#include "commands/lib/files.h"
#include "commands/lib/getdate.h"
#include "text/glob.h"

static void diffcmd_warn(struct diffcmd_run *r, struct str name, int err)
{
    out_flush(&r->out);
    proc_warn_file(r->p, name, err);
    r->status = 2;
}

/* A line about files: with -l all of them come at the end. */
static void diffcmd_say(struct diffcmd_run *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void diffcmd_say(struct diffcmd_run *r, const char *fmt, ...)
{
    struct buf b;
    va_list ap;

    buf_init(&b, &r->p->kernel->heap);
    va_start(ap, fmt);
    buf_vprintf(r->o->paginate ? &r->later : &b, fmt, ap);
    va_end(ap);
    out_str(&r->out, buf_get(&b));
    buf_fini(&b);
}

static void diffcmd_differ(struct diffcmd_run *r) { r->status = MAX(r->status, 1); }

/* The name of a side in messages. */
static struct str diffcmd_shown(struct diffcmd_run *r, int side)
{
    return r->o->label[side].p ? r->o->label[side] : r->f[side].name;
}

/* ---- two files ------------------------------------------------------------------------------- */

static bool diffcmd_read(struct diffcmd_run *r, struct diffcmd_file *f)
{
    struct in in;
    f->text = STR("");
    if (f->missing)
        return true;
    if (f->standard && r->stdin_used) {
        f->text = r->stdin_text;
        return true;
    }
    int e = 0;
    if (f->standard)
        in_init(&in, r->p, 0);
    else
        e = in_open_quiet(&in, r->p, f->path);
    if (e == 0) {
        e = in_all(&in, &f->text);
        in_fini(&in);
    }
    if (e < 0) {
        diffcmd_warn(r, f->name, e);
        return false;
    }
    if (f->standard) {
        r->stdin_used = true;
        r->stdin_text = f->text;
    }
    return true;
}

static bool diffcmd_binary(struct diffcmd_run *r, const struct diffcmd_file *f)
{
    return !r->o->text && f->text.n && memchr(f->text.p, '\0', MIN(f->text.n, 65536)) != NULL;
}

static void diffcmd_print_differ(struct diffcmd_run *r, const char *what)
{
    diffcmd_say(r, "%s %.*s and %.*s differ\n", what, STR_ARG(diffcmd_shown(r, 0)),
                STR_ARG(diffcmd_shown(r, 1)));
    diffcmd_differ(r);
}

static bool diffcmd_counts(const struct diffcmd_run *r)
{
    for (size_t i = 0; i < r->d.n; i++)
        if (!r->trivial[i])
            return true;
    return false;
}

/* ---- pages ----------------------------------------------------------------------------------- */

enum {
    DIFFCMD_PAGE = 56, /* lines of a page between its heading and its foot */
    DIFFCMD_PAGE_WIDTH = 72
};

static void diffcmd_page_head(struct diffcmd_run *r, struct str title, unsigned page)
{
    struct date_zone zone = getdate_zone(r->p);
    int64_t now = sched_now(&r->p->kernel->sched) / 1000000000;
    struct date d;
    char date[32], number[32];

    date_from_epoch(now, 0, &zone, &d);
    size_t used = fmt_print(date, sizeof date, "%04d-%02d-%02d %02d:%02d", (int)d.year, d.month,
                            d.day, d.hour, d.minute);
    used += fmt_print(number, sizeof number, "Page %u", page) + utf8_columns(title);
    int room = used < DIFFCMD_PAGE_WIDTH ? DIFFCMD_PAGE_WIDTH - (int)used : 0;
    out_printf(&r->out, "\n\n%s%*s%.*s%*s%s\n\n\n", date, room / 2, "", STR_ARG(title),
               room - room / 2, "", number);
}

/* -l: what diff says about two files, as pr would print it. */
static int diffcmd_pages(struct diffcmd_run *r, struct str text)
{
    struct buf title;
    unsigned page = 0;
    size_t line = 0;

    buf_init(&title, &r->p->kernel->heap);
    buf_addz(&title, "diff");
    buf_str(&title, r->o->switches);
    for (int i = 0; i < 2; i++)
        buf_printf(&title, " %s", proc_quotef(r->p, diffcmd_shown(r, i)));
    while (text.n && !r->out.err) {
        ptrdiff_t end = str_chr(text, '\n');
        struct str one = end < 0 ? text : str_sub(text, 0, (size_t)end);
        if (line == 0)
            diffcmd_page_head(r, buf_get(&title), ++page);
        out_str(&r->out, one);
        out_putc(&r->out, '\n');
        text = str_from(text, one.n + 1);
        if (++line == DIFFCMD_PAGE || text.n == 0) {
            for (; line < DIFFCMD_PAGE + 5; line++)
                out_putc(&r->out, '\n');
            line = 0;
        }
    }
    buf_fini(&title);
    return proc_tick(r->p, (int64_t)page + 1);
}

static int diffcmd_print_paged(struct diffcmd_run *r)
{
    struct buf text;
    int e = HOB_ENOMEM;

    out_flush(&r->out);
    struct out plain = r->out;

    buf_init(&text, &r->p->kernel->heap);
    struct file *f = memfile_writer(r->p->kernel, &text, UINT64_MAX, NULL, NULL);
    if (f) {
        out_init_file(&r->out, r->p, f);
        diffcmd_print(r);
        e = out_fini(&r->out);
        r->out = plain;
        memfile_detach(f);
        file_unref(f);
    }
    if (e == 0)
        e = diffcmd_pages(r, buf_get(&text));
    buf_fini(&text);
    return e;
}

/* "diff -r a/f b/f": what would compare these two alone. */
static void diffcmd_print_command(struct diffcmd_run *r)
{
    out_puts(&r->out, "diff");
    out_str(&r->out, r->o->switches);
    for (int i = 0; i < 2; i++)
        out_printf(&r->out, " %s", proc_quotef(r->p, diffcmd_shown(r, i)));
    out_putc(&r->out, '\n');
}

/* Scripts for ed cannot say that a file lacks its last newline: that is an error. */
static void diffcmd_cut(struct diffcmd_run *r)
{
    for (int i = 0; i < 2; i++) {
        struct str t = r->f[i].text;
        if (!t.n || t.p[t.n - 1] == '\n')
            continue;
        out_flush(&r->out);
        proc_warn(r->p, "%.*s: No newline at end of file\n", STR_ARG(diffcmd_shown(r, i)));
        r->status = 2;
    }
}

static int diffcmd_contents(struct diffcmd_run *r)
{
    struct diffcmd_file *a = &r->f[0], *b = &r->f[1];
    if (!diffcmd_read(r, a) || !diffcmd_read(r, b))
        return 0;
    bool same = str_eq(a->text, b->text), binary = diffcmd_binary(r, a) || diffcmd_binary(r, b);
    if (binary) {
        if (!same)
            diffcmd_print_differ(r, r->o->brief ? "Files" : "Binary files");
    } else if (!same || r->o->style == DIFFCMD_SIDE || r->o->style == DIFFCMD_FORMATS) {
        int e = diffcmd_compare(r);
        if (e < 0)
            return e;
        same = !diffcmd_counts(r);
        if (!same && r->o->brief) {
            diffcmd_print_differ(r, "Files");
        } else if (!same || r->o->style == DIFFCMD_SIDE || r->o->style == DIFFCMD_FORMATS) {
            if (r->depth && !same && !r->o->paginate)
                diffcmd_print_command(r);
            if (!same)
                diffcmd_differ(r);
            if (!r->o->brief && r->o->paginate && (e = diffcmd_print_paged(r)) < 0)
                return e;
            if (!r->o->brief && !r->o->paginate)
                diffcmd_print(r);
        }
    }
    if (!binary && (r->o->style == DIFFCMD_ED || r->o->style == DIFFCMD_FORWARD_ED) &&
        !str_eq(a->text, b->text))
        diffcmd_cut(r);
    if (same && r->o->report_same)
        diffcmd_say(r, "Files %.*s and %.*s are identical\n", STR_ARG(diffcmd_shown(r, 0)),
                    STR_ARG(diffcmd_shown(r, 1)));
    return 0;
}

/* ---- folders --------------------------------------------------------------------------------- */

static bool diffcmd_excluded(struct diffcmd_run *r, struct str name)
{
    for (size_t i = 0; i < r->o->exclude.n; i++) {
        struct glob_prog *g =
            glob_compile(r->p->arena, r->o->exclude.p[i], r->o->ignore_name_case ? GLOB_NOCASE : 0);
        if (g && glob_match(g, name))
            return true;
    }
    return false;
}

static void diffcmd_only(struct diffcmd_run *r, struct str dir, struct str name)
{
    diffcmd_say(r, "Only in %.*s: %.*s\n", STR_ARG(dir), STR_ARG(name));
    diffcmd_differ(r);
}

static int diffcmd_pair(struct diffcmd_run *r, struct str a, struct str b);

static int diffcmd_list(struct diffcmd_run *r, const struct diffcmd_file *f, struct strs *out)
{
    struct strs all = {0};
    int e = f->missing ? 0 : files_list(r->p, f->path, &all);
    if (e < 0)
        diffcmd_warn(r, f->name, e);
    for (size_t i = 0; i < all.n; i++)
        if (!diffcmd_excluded(r, all.p[i]) && !proc_push(r->p, out, all.p[i]))
            return HOB_ENOMEM;
    return e;
}

/* The order of names in folders: without regard to case if that is asked for. */
static int diffcmd_name_compare(const struct diffcmd_run *r, struct str a, struct str b)
{
    for (size_t i = 0; r->o->ignore_name_case && (i < a.n || i < b.n); i++) {
        int x = i < a.n ? ascii_to_lower((unsigned char)a.p[i]) : -1;
        int y = i < b.n ? ascii_to_lower((unsigned char)b.p[i]) : -1;
        if (x != y)
            return x < y ? -1 : 1;
    }
    return r->o->ignore_name_case ? 0 : str_cmp(a, b);
}

/* Sorts a list that is in the order of bytes. */
static void diffcmd_name_sort(const struct diffcmd_run *r, struct strs *list)
{
    for (size_t gap = list->n / 2; gap && r->o->ignore_name_case; gap /= 2)
        for (size_t i = gap; i < list->n; i++) {
            struct str s = list->p[i];
            size_t k = i;
            for (; k >= gap; k -= gap) {
                int c = diffcmd_name_compare(r, list->p[k - gap], s);
                if (c < 0 || (c == 0 && str_cmp(list->p[k - gap], s) <= 0))
                    break;
                list->p[k] = list->p[k - gap];
            }
            list->p[k] = s;
        }
}

static int diffcmd_folders(struct diffcmd_run *r)
{
    struct diffcmd_file a = r->f[0], b = r->f[1];
    struct strs left = {0}, right = {0};
    size_t i = 0, k = 0;

    if (task_stack_low(r->p->task))
        return HOB_ELOOP;
    if (diffcmd_list(r, &a, &left) < 0 || diffcmd_list(r, &b, &right) < 0)
        return heap_gate(&r->p->kernel->heap);
    diffcmd_name_sort(r, &left);
    diffcmd_name_sort(r, &right);
    if (r->depth == 0 && r->o->start.p) {
        while (i < left.n && str_cmp(left.p[i], r->o->start) < 0)
            i++;
        while (k < right.n && str_cmp(right.p[k], r->o->start) < 0)
            k++;
    }
    r->depth++;
    while ((i < left.n || k < right.n) && !r->out.err) {
        int c = i >= left.n    ? 1
                : k >= right.n ? -1
                               : diffcmd_name_compare(r, left.p[i], right.p[k]);
        struct str name = c <= 0 ? left.p[i] : right.p[k];
        bool fill = r->o->new_file || (r->o->unidirectional && c > 0);
        int e = 0;
        if (c != 0 && !fill)
            diffcmd_only(r, c < 0 ? a.name : b.name, name);
        else
            e = diffcmd_pair(r, files_join(r->p, a.path, name),
                             files_join(r->p, b.path, c == 0 ? right.p[k] : name));
        if (e < 0)
            return e;
        i += c <= 0;
        k += c >= 0;
    }
    r->depth--;
    return 0;
}

/* ---- what they are --------------------------------------------------------------------------- */

static int diffcmd_stat(struct diffcmd_run *r, int side, struct str path)
{
    struct diffcmd_file *f = &r->f[side];
    *f = (struct diffcmd_file){.name = path, .path = path};
    if (!path.p)
        return HOB_ENOMEM;
    if (str_eqz(path, "-") && r->depth == 0) {
        struct file *in = proc_file(r->p, 0);
        f->standard = true;
        int e = in ? file_stat(in, &f->st) : HOB_EBADF;
        f->st.mtime = MODE_IS_FILE(f->st.mode) ? f->st.mtime : sched_now(&r->p->kernel->sched);
        return e;
    }
    int e = vfs_stat(r->p, path, r->o->no_dereference ? VFS_NOFOLLOW : 0, &f->st);
    bool fill = r->o->new_file || (r->o->unidirectional && side == 0);
    if (e == HOB_ENOENT && fill) {
        f->missing = true;
        return 0;
    }
    return e;
}

static const char *diffcmd_kind(const struct diffcmd_file *f) { return files_kind(&f->st); }

static int diffcmd_links(struct diffcmd_run *r)
{
    struct buf b[2];
    for (int i = 0; i < 2; i++) {
        buf_init(&b[i], &r->p->kernel->heap);
        vfs_readlink(r->p, r->f[i].path, &b[i]);
    }
    if (!str_eq(buf_get(&b[0]), buf_get(&b[1])))
        diffcmd_print_differ(r, "Symbolic links");
    buf_fini(&b[0]);
    buf_fini(&b[1]);
    return 0;
}

/* Both sides are known. */
static int diffcmd_both(struct diffcmd_run *r)
{
    struct diffcmd_file *a = &r->f[0], *b = &r->f[1];
    if (a->missing && b->missing)
        return diffcmd_warn(r, a->name, HOB_ENOENT), diffcmd_warn(r, b->name, HOB_ENOENT), 0;
    bool dir = (a->missing || MODE_IS_DIR(a->st.mode)) && (b->missing || MODE_IS_DIR(b->st.mode));
    bool same = files_same(&a->st, &b->st) && !a->missing && !b->missing && !a->standard;
    bool silent =
        r->o->style == DIFFCMD_SIDE ? r->o->suppress_common : r->o->style != DIFFCMD_FORMATS;
    if (dir && same && silent)
        return 0;
    if (dir) {
        if (r->o->style == DIFFCMD_FORMATS) {
            out_flush(&r->out);
            proc_warn(r->p, "-D option not supported with directories");
            r->status = 2;
            return 0;
        }
        if (r->depth == 0 || r->o->recursive)
            return diffcmd_folders(r);
        diffcmd_say(r, "Common subdirectories: %.*s and %.*s\n", STR_ARG(a->name),
                    STR_ARG(b->name));
        return 0;
    }
    if (MODE_IS_LINK(a->st.mode) && MODE_IS_LINK(b->st.mode))
        return diffcmd_links(r);
    bool plain_a = a->missing || MODE_IS_FILE(a->st.mode),
         plain_b = b->missing || MODE_IS_FILE(b->st.mode);
    if (r->depth && !(plain_a && plain_b)) {
        diffcmd_say(r, "File %.*s is a %s while file %.*s is a %s\n", STR_ARG(diffcmd_shown(r, 0)),
                    a->missing ? "regular empty file" : diffcmd_kind(a),
                    STR_ARG(diffcmd_shown(r, 1)),
                    b->missing ? "regular empty file" : diffcmd_kind(b));
        diffcmd_differ(r);
        return 0;
    }
    if (same && silent) {
        if (r->o->report_same)
            diffcmd_say(r, "Files %.*s and %.*s are identical\n", STR_ARG(a->name),
                        STR_ARG(b->name));
        return 0;
    }
    return diffcmd_contents(r);
}

static int diffcmd_pair(struct diffcmd_run *r, struct str a, struct str b)
{
    struct arena_mark mark = arena_mark(r->p->arena);
    int ea = diffcmd_stat(r, 0, a), eb = diffcmd_stat(r, 1, b), e = 0;

    if (ea < 0 || (r->f[0].missing && eb == HOB_ENOENT))
        diffcmd_warn(r, a, ea < 0 ? ea : eb);
    if (eb < 0)
        diffcmd_warn(r, b, eb);
    if (ea == 0 && eb == 0)
        e = diffcmd_both(r);
    if (!r->stdin_used) /* its text lives there */
        arena_release(r->p->arena, mark);
    return e == 0 ? proc_tick(r->p, 1) : e;
}

/* A folder against a file: the file of that name in the folder. */
int diffcmd_operands(struct diffcmd_run *r, struct str a, struct str b)
{
    struct stat_info sa, sb;
    bool ka = !str_eqz(a, "-") && vfs_stat(r->p, a, 0, &sa) == 0;
    bool kb = !str_eqz(b, "-") && vfs_stat(r->p, b, 0, &sb) == 0;
    bool da = ka && MODE_IS_DIR(sa.mode), db = kb && MODE_IS_DIR(sb.mode);

    if ((da && str_eqz(b, "-")) || (db && str_eqz(a, "-"))) {
        proc_warn(r->p, "cannot compare '-' to a directory");
        r->status = 2;
        return 0;
    }
    if (da && kb && !db)
        a = files_join(r->p, a, files_base(b));
    else if (db && ka && !da)
        b = files_join(r->p, b, files_base(a));
    return diffcmd_pair(r, a, b);
}

/* grep_walk.c -- the files that grep searches: operands, folders, what is left out */
#include "commands/grep/grep.h"

#include "base/error.h"
#include "base/vec.h"
#include "text/glob.h"

/* ---- rules ----------------------------------------------------------------------------------- */

int grep_walk_rule(struct proc *p, struct grep_rule **list, struct str glob, bool include)
{
    struct grep_rule *rule = arena_new(p->arena, struct grep_rule);
    if (!rule)
        return HOB_ENOMEM;
    rule->glob = glob_compile(p->arena, glob, 0);
    rule->include = include;
    rule->next = *list;
    *list = rule;
    return rule->glob ? 0 : HOB_ENOMEM;
}

/* A name from the command line may also match from behind any of its slashes on. */
static bool grep_rule_matches(const struct grep_rule *rule, struct str name, bool operand)
{
    if (glob_match(rule->glob, name))
        return true;
    for (size_t i = 0; i < name.n && operand; i++) {
        if (name.p[i] == '/' && (i + 1 == name.n || name.p[i + 1] != '/') &&
            glob_match(rule->glob, str_from(name, i + 1)))
            return true;
    }
    return false;
}

/* The last rule that matches decides; when none does, the first one says what the others mean. */
static bool grep_left_out(const struct grep_rule *list, struct str name, bool operand)
{
    const struct grep_rule *first = NULL;
    for (const struct grep_rule *rule = list; rule; rule = rule->next) {
        if (grep_rule_matches(rule, name, operand))
            return !rule->include;
        first = rule;
    }
    return first && first->include;
}

/* ---- one file -------------------------------------------------------------------------------- */

static void grep_complain(struct grep_run *r, struct str name, int err)
{
    if (err == HOB_EKILLED || err == HOB_ENOMEM) {
        r->err = err;
        return;
    }
    r->failed = true;
    if (r->o->silent)
        return;
    out_flush(&r->out);
    proc_warn(r->p, "%.*s: %s", STR_ARG(name), error_text(err));
}

/* Reading what one writes to would never end. */
static bool grep_is_output(struct grep_run *r, const struct stat_info *st)
{
    struct grep_file *f = &r->f;

    if (!r->out_file || r->silent_output || r->o->max <= 1 || !MODE_IS_FILE(st->mode) ||
        st->dev != r->out_st.dev || st->ino != r->out_st.ino)
        return false;
    if (f->standard && f->begin >= st->size)
        return false;
    r->failed = true;
    if (!r->o->silent) {
        out_flush(&r->out);
        proc_warn(r->p, "%.*s: input file is also the output", STR_ARG(f->name));
    }
    return true;
}

/* What is said about a file as a whole. */
static void grep_report(struct grep_run *r)
{
    const struct grep *o = r->o;
    struct grep_file *f = &r->f;

    if (o->count && o->list == GREP_LIST_NONE && !o->quiet) {
        if (r->names) {
            grep_print_name(r);
            if (o->nul_names)
                out_putc(&r->out, '\0');
            else
                grep_print_separator(r, ':');
        }
        out_printf(&r->out, "%llu\n", (unsigned long long)f->selected);
    }
    if (o->list == (f->selected ? GREP_LIST_MATCHING : GREP_LIST_OTHERS) && !o->quiet) {
        grep_print_name(r);
        out_putc(&r->out, o->nul_names ? '\0' : '\n');
    }
    if (o->binary == GREP_BINARY && !r->silent_output &&
        (f->odd || (f->binary && f->selected > f->before_nul))) {
        out_flush(&r->out);
        proc_warn(r->p, "%.*s: binary file matches", STR_ARG(f->name));
    }
}

/* -T: wide enough for every number that the file can lead to. */
static size_t grep_width(const struct grep_run *r, const struct stat_info *st)
{
    uint64_t most = MODE_IS_FILE(st->mode) ? st->size + r->o->line_numbers : UINT64_MAX;
    size_t width = 1;
    for (; most >= 10; most /= 10)
        width++;
    return width;
}

/* Searches r->f.in, which is open, and closes it. True if a line was selected. */
static bool grep_one(struct grep_run *r)
{
    struct grep_file *f = &r->f;
    struct stat_info st = {0};
    bool known = f->in.file && (r->out_file || r->o->tabs) && file_stat(f->in.file, &st) == 0;

    if (r->o->tabs)
        f->width = grep_width(r, &st);
    f->seekable = f->in.file && (f->in.file->flags & FILE_SEEKABLE);
    f->begin = f->seekable ? f->in.file->off : 0;
    if (known && grep_is_output(r, &st)) {
        in_fini(&f->in);
        return false;
    }
    grep_search(r);
    if (f->in.err && r->err == 0)
        grep_complain(r, f->name, f->in.err);
    in_fini(&f->in);
    if (r->err)
        return false;
    r->done = r->o->quiet && f->selected;
    grep_report(r);
    if (r->out.err)
        r->err = r->out.err;
    return f->selected > 0;
}

static bool grep_is_device(uint32_t mode)
{
    return !MODE_IS_FILE(mode) && !MODE_IS_DIR(mode) && !MODE_IS_LINK(mode);
}

/* ---- folders --------------------------------------------------------------------------------- */

struct grep_entry {
    size_t name, n; /* in the names of the listing */
    uint32_t mode;
};

struct grep_listing {
    struct heap *heap;
    struct buf names;
    VEC(struct grep_entry) entries;
};

/* A folder that is being walked, and those above it. */
struct grep_folder {
    uint64_t dev, ino;
    const struct grep_folder *above;
};

static int grep_list_entry(void *ud, const struct dir_entry *e)
{
    struct grep_listing *l = ud;
    struct grep_entry entry = {l->names.n, e->name.n, e->mode};
    buf_str(&l->names, e->name);
    if (l->names.n != entry.name + entry.n || !vec_push(l->heap, &l->entries, entry))
        return HOB_ENOMEM;
    return 0;
}

static bool grep_folder(struct grep_run *r, struct buf *path, const struct grep_folder *above);

static struct str grep_shown(struct grep_run *r, const struct buf *path)
{
    struct str s = buf_get(path);
    return r->no_dot && s.n > 2 ? str_from(s, 2) : s;
}

/* What path leads to, found in a folder. */
static bool grep_found(struct grep_run *r, struct buf *path, uint32_t mode, struct str base,
                       const struct grep_folder *above)
{
    const struct grep *o = r->o;
    struct stat_info st;
    struct file *file;

    if (MODE_IS_LINK(mode) || (mode & MODE_TYPE) == 0) {
        if (MODE_IS_LINK(mode) && !o->follow)
            return false;
        int e = vfs_stat(r->p, buf_get(path), o->follow ? 0 : VFS_NOFOLLOW, &st);
        if (e < 0) {
            grep_complain(r, grep_shown(r, path), e);
            return false;
        }
        mode = st.mode;
        if (MODE_IS_LINK(mode))
            return false;
    }
    if (grep_left_out(MODE_IS_DIR(mode) ? o->dirs : o->files, base, false))
        return false;
    if (MODE_IS_DIR(mode))
        return grep_folder(r, path, above);
    if (grep_is_device(mode) && o->devices != GREP_DEVICES_READ)
        return false;
    int e = vfs_open(r->p, buf_get(path), FILE_READ, 0, &file);
    r->f = (struct grep_file){.name = grep_shown(r, path)};
    if (e < 0) {
        grep_complain(r, r->f.name, e);
        return false;
    }
    in_init_file(&r->f.in, r->p, file, true);
    return grep_one(r);
}

static bool grep_is_loop(const struct stat_info *st, const struct grep_folder *above)
{
    for (; above; above = above->above) {
        if (above->dev == st->dev && above->ino == st->ino)
            return true;
    }
    return false;
}

/* All files below the folder `path`. */
static bool grep_folder(struct grep_run *r, struct buf *path, const struct grep_folder *above)
{
    struct grep_listing l = {.heap = &r->p->kernel->heap};
    struct grep_folder here = {0, 0, above};
    struct stat_info st;
    size_t len = path->n;
    bool any = false;

    if (task_stack_low(r->p->task)) {
        grep_complain(r, grep_shown(r, path), HOB_ELOOP);
        return false;
    }
    if (r->o->follow && vfs_stat(r->p, buf_get(path), 0, &st) == 0) {
        if (grep_is_loop(&st, above)) {
            out_flush(&r->out);
            if (!r->o->silent)
                proc_warn(r->p, "%.*s: warning: recursive directory loop",
                          STR_ARG(grep_shown(r, path)));
            return false;
        }
        here.dev = st.dev;
        here.ino = st.ino;
    }
    buf_init(&l.names, l.heap);
    int e = vfs_list(r->p, buf_get(path), grep_list_entry, &l);
    if (e < 0)
        grep_complain(r, grep_shown(r, path), e);
    for (size_t i = 0; i < l.entries.n && e >= 0 && r->err == 0 && !r->done; i++) {
        struct str base = str_of(l.names.p + l.entries.p[i].name, l.entries.p[i].n);
        if (len && path->p[len - 1] != '/')
            buf_putc(path, '/');
        buf_str(path, base);
        if (l.heap->oom)
            r->err = HOB_ENOMEM;
        else
            any |= grep_found(r, path, l.entries.p[i].mode, base, &here);
        buf_cut(path, len);
        if (r->err == 0)
            r->err = proc_tick(r->p, 1);
    }
    vec_fini(l.heap, &l.entries);
    buf_fini(&l.names);
    return any;
}

static bool grep_tree(struct grep_run *r, struct str name)
{
    struct buf path;
    bool was = r->names, any = false;

    while (name.n > 1 && name.p[name.n - 1] == '/' && name.p[name.n - 2] == '/')
        name.n--;
    buf_init(&path, &r->p->kernel->heap);
    buf_str(&path, name);
    r->names |= r->names_below;
    if (path.n == name.n)
        any = grep_folder(r, &path, NULL);
    else
        r->err = HOB_ENOMEM;
    r->names = was;
    buf_fini(&path);
    return any;
}

/* ---- operands -------------------------------------------------------------------------------- */

static bool grep_standard(struct grep_run *r)
{
    r->f = (struct grep_file){.name = r->o->label.p ? r->o->label : STR("(standard input)"),
                              .standard = true};
    in_init(&r->f.in, r->p, 0);
    return grep_one(r);
}

bool grep_walk_operand(struct grep_run *r, struct str name)
{
    const struct grep *o = r->o;
    struct file *file = NULL;
    struct stat_info st;

    if (str_eqz(name, "-"))
        return grep_standard(r);
    if (o->devices == GREP_DEVICES_SKIP && vfs_stat(r->p, name, 0, &st) == 0 &&
        grep_is_device(st.mode))
        return false;
    int e = vfs_open(r->p, name, FILE_READ, 0, &file);
    bool folder = e == HOB_EISDIR;
    if (e < 0 && !folder) {
        grep_complain(r, name, e);
        return false;
    }
    if (file && file_stat(file, &st) == 0 && MODE_IS_DIR(st.mode)) {
        file_unref(file);
        file = NULL;
        folder = true;
    }
    if (folder
            ? o->folders == GREP_FOLDERS_SKIP || (!r->no_dot && grep_left_out(o->dirs, name, true))
            : grep_left_out(o->files, name, true)) {
        file_unref(file);
        return false;
    }
    if (folder && o->folders == GREP_FOLDERS_RECURSE)
        return grep_tree(r, name);
    r->f = (struct grep_file){.name = name};
    in_init_file(&r->f.in, r->p, file, true);
    if (folder)
        r->f.in.err = HOB_EISDIR;
    return grep_one(r);
}

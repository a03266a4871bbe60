/* tree.c -- tree: a folder and what is below it, drawn
 *
 * A folder is read, filtered and sorted as a whole before it is printed, so that the last entry is
 * known. With --prune and --du all that is below must be known first: it is read into memory then.
 */
#include "base/error.h"
#include "base/fmt.h"
#include "base/map.h"
#include "commands/lib/files.h"
#include "commands/lib/getdate.h"
#include "commands/lib/mode.h"
#include "commands/lib/users.h"
#include "commands/lib/version.h"
#include "shell/command.h"
#include "text/date.h"
#include "text/glob.h"
#include "text/json.h"

enum tree_sort {
    TREE_NAME,
    TREE_TIME,
    TREE_CTIME,
    TREE_SIZE,
    TREE_VERSION,
    TREE_UNSORTED
};
enum tree_first {
    TREE_MIXED,
    TREE_DIRS,
    TREE_FILES
};
enum tree_form {
    TREE_LINES,
    TREE_JSON,
    TREE_XML
};

struct treecmd {
    bool all, dirs, full, no_indent, classify, size, human, si, modes, user, group, date, quote;
    bool no_report, prune, match_dirs, reverse, color, no_color, follow, du;
    bool metafirst, from_file, gitignore;
    bool inodes, device, icase, plain_names, cut_names, one_fs, vt100, cp437;
    int sort, first, form;
    int64_t level, file_limit;
    struct str charset, time_format, output;
    struct strs gitfiles;
    struct strs patterns, ignore;
};

/* A line of a .gitignore. */
struct tree_rule {
    struct glob_prog *glob;
    bool keep, dir_only, anchored;
    struct tree_rule *before; /* the line above */
};

struct tree_entry {
    struct str name, path;
    struct stat_info st, target; /* of the entry itself, and of what a link leads to */
    struct str link;             /* .p NULL: none */
    bool dir, broken, opened;
    bool leads; /* to a folder: it counts as one, also when it is a link that is not followed */
    int error;
    struct tree_entry **below;
    size_t nbelow;
    uint64_t total;          /* --du */
    struct tree_entry *up;   /* the folder it is in; NULL: of a root */
    struct tree_rule *rules; /* --gitignore: of this folder, the last one first */
};

struct tree_run {
    struct proc *p;
    const struct treecmd *o;
    struct out out;
    struct users users;
    struct date_zone zone;
    struct buf indent; /* one byte per level: '|' there is more, ' ' there is not */
    struct map seen;   /* with -l: folders that were entered */
    uint64_t ndirs, nfiles, bytes;
    bool ascii, failed;
    int err;
};

/* ---- reading --------------------------------------------------------------------------------- */

/* A pattern may hold alternatives parted by |. */
static bool tree_matches(struct tree_run *r, const struct strs *list, struct str name, bool dir)
{
    for (size_t i = 0; i < list->n; i++)
        for (struct str rest = list->p[i];;) {
            ptrdiff_t bar = str_chr(rest, '|');
            struct str one = bar < 0 ? rest : str_sub(rest, 0, (size_t)bar);
            if (dir && one.n > 1 && one.p[one.n - 1] == '/')
                one.n--;
            struct glob_prog *g = glob_compile(r->p->arena, one, r->o->icase ? GLOB_NOCASE : 0);
            if (g && glob_match(g, name))
                return true;
            if (bar < 0)
                break;
            rest = str_from(rest, (size_t)bar + 1);
        }
    return false;
}

/* --gitignore: the rules of one file, the last one first. */
static int tree_rules_read(struct tree_run *r, struct str file, struct tree_rule **rules)
{
    struct in in;
    struct str line;
    bool had;
    int e = 0;
    if (!file.p)
        return HOB_ENOMEM;
    if (in_open_quiet(&in, r->p, file) < 0)
        return 0;
    while (e == 0 && in_line(&in, '\n', &line, &had)) {
        struct tree_rule rule = {.before = *rules};
        while (line.n && (line.p[line.n - 1] == ' ' || line.p[line.n - 1] == '\r'))
            line.n--;
        if (!line.n || line.p[0] == '#')
            continue;
        rule.keep = line.p[0] == '!';
        line = str_from(line, rule.keep);
        rule.dir_only = line.n && line.p[line.n - 1] == '/';
        line.n -= rule.dir_only;
        rule.anchored = str_chr(line, '/') >= 0;
        if (str_starts(line, STR("**/")) && str_chr(str_from(line, 3), '/') < 0) {
            rule.anchored = false;
            line = str_from(line, 3);
        }
        line = str_from(line, line.n && line.p[0] == '/');
        int flags = rule.anchored && str_find(line, STR("**")) < 0 ? GLOB_PATH : 0;
        rule.glob = line.n ? glob_compile(r->p->arena, line, flags) : NULL;
        struct tree_rule *copy = rule.glob ? arena_new(r->p->arena, struct tree_rule) : NULL;
        if (copy) {
            *copy = rule;
            *rules = copy;
        } else if (line.n) {
            e = HOB_ENOMEM;
        }
    }
    in_fini(&in);
    return e;
}

/* The nearest folder with a rule for the entry decides, by its last one. */
static bool tree_git_ignored(const struct tree_entry *e)
{
    for (const struct tree_entry *dir = e->up; dir; dir = dir->up)
        for (const struct tree_rule *rule = dir->rules; rule; rule = rule->before) {
            struct str path = str_from(e->path, MIN(e->path.n, dir->path.n + 1));
            if (rule->dir_only && !e->dir)
                continue;
            if (glob_match(rule->glob, rule->anchored ? path : e->name))
                return !rule->keep;
        }
    return false;
}

static bool tree_shows(struct tree_run *r, const struct tree_entry *e)
{
    const struct treecmd *o = r->o;
    if (!o->all && e->name.p[0] == '.' && e->name.n > 1)
        return false;
    if (o->dirs && !e->leads)
        return false;
    if (o->gitignore && tree_git_ignored(e))
        return false;
    if (o->ignore.n && tree_matches(r, &o->ignore, e->name, e->dir))
        return false;
    return !o->patterns.n || e->dir || tree_matches(r, &o->patterns, e->name, false);
}

static int tree_compare(const struct tree_run *r, const struct tree_entry *a,
                        const struct tree_entry *b)
{
    const struct treecmd *o = r->o;
    int c = 0;
    if (o->first && a->leads != b->leads)
        return (a->leads ? -1 : 1) * (o->first == TREE_DIRS ? 1 : -1);
    switch (o->sort) {
    case TREE_TIME: c = a->st.mtime < b->st.mtime ? -1 : a->st.mtime > b->st.mtime; break;
    case TREE_CTIME: c = a->st.ctime < b->st.ctime ? -1 : a->st.ctime > b->st.ctime; break;
    case TREE_SIZE: c = a->st.size > b->st.size ? -1 : a->st.size < b->st.size; break;
    case TREE_VERSION: c = version_compare(a->name, b->name); break;
    case TREE_UNSORTED: return 0;
    default: break;
    }
    c = c ? c : str_cmp(a->name, b->name);
    return o->reverse ? -c : c;
}

static void tree_order(const struct tree_run *r, struct tree_entry **e, struct tree_entry **tmp,
                       size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2, i = 0, j = half, k = 0;
    tree_order(r, e, tmp, half);
    tree_order(r, e + half, tmp, n - half);
    while (i < half || j < n)
        tmp[k++] = j == n || (i < half && tree_compare(r, e[i], e[j]) <= 0) ? e[i++] : e[j++];
    memcpy(e, tmp, n * sizeof *e);
}

static struct tree_entry *tree_entry_new(struct tree_run *r, struct str path, struct str name)
{
    struct tree_entry *e = arena_new(r->p->arena, struct tree_entry);
    if (!e || !path.p)
        return NULL;
    e->name = name;
    e->path = path;
    e->error = vfs_stat(r->p, path, VFS_NOFOLLOW, &e->st);
    e->target = e->st;
    if (e->error == 0 && MODE_IS_LINK(e->st.mode)) {
        struct buf b;
        buf_init(&b, &r->p->kernel->heap);
        vfs_readlink(r->p, path, &b);
        e->link = arena_str(r->p->arena, buf_get(&b));
        buf_fini(&b);
        e->broken = vfs_stat(r->p, path, 0, &e->target) < 0;
        e->leads = !e->broken && MODE_IS_DIR(e->target.mode);
        e->dir = r->o->follow && e->leads;
    } else {
        e->dir = e->leads = e->error == 0 && MODE_IS_DIR(e->st.mode);
    }
    return e;
}

/* Notes with -l that the folder is entered. A link to one that was is not followed. */
static bool tree_again(struct tree_run *r, const struct tree_entry *e)
{
    char key[48];
    if (!r->o->follow || !e->dir)
        return false;
    size_t n = fmt_print(key, sizeof key, "%llu:%llu", (unsigned long long)e->target.dev,
                         (unsigned long long)e->target.ino);
    if (e->link.p && map_get(&r->seen, str_of(key, n)))
        return true;
    map_put(&r->seen, str_of(key, n));
    return false;
}

/* What is in a folder, filtered and sorted. */
static int tree_read(struct tree_run *r, struct tree_entry *dir)
{
    struct strs names = {0};
    dir->error = files_list(r->p, dir->path, &names);
    dir->opened = true;
    if (dir->error < 0)
        return dir->error == HOB_ENOMEM ? HOB_ENOMEM : 0;
    dir->below = arena_array(r->p->arena, struct tree_entry *, names.n * 2 + 1);
    if (!dir->below)
        return HOB_ENOMEM;
    int err = 0;
    for (size_t i = 0; !dir->up && i < r->o->gitfiles.n && err == 0; i++)
        err = tree_rules_read(r, r->o->gitfiles.p[i], &dir->rules);
    if (r->o->gitignore && err == 0)
        err = tree_rules_read(r, files_join(r->p, dir->path, STR(".gitignore")), &dir->rules);
    if (err < 0)
        return err;
    for (size_t i = 0; i < names.n; i++) {
        struct tree_entry *e =
            tree_entry_new(r, files_join(r->p, dir->path, names.p[i]), names.p[i]);
        if (!e)
            return HOB_ENOMEM;
        e->up = dir;
        if (tree_shows(r, e))
            dir->below[dir->nbelow++] = e;
    }
    tree_order(r, dir->below, dir->below + names.n, dir->nbelow);
    return proc_tick(r->p, (int64_t)names.n + 1);
}

/* Everything below, for --prune and --du. */
static int tree_read_all(struct tree_run *r, struct tree_entry *dir, int64_t depth)
{
    size_t kept = 0;
    if (task_stack_low(r->p->task))
        return HOB_ELOOP;
    int e = tree_read(r, dir);
    dir->total = dir->st.size;
    for (size_t i = 0; i < dir->nbelow && e == 0; i++) {
        struct tree_entry *x = dir->below[i];
        bool enter = x->dir && (r->o->level <= 0 || depth < r->o->level);
        x->total = x->st.size;
        if (enter)
            e = tree_read_all(r, x, depth + 1);
        dir->total += x->total;
        bool named = r->o->match_dirs && x->dir && tree_matches(r, &r->o->patterns, x->name, true);
        if (!r->o->prune || !x->dir || x->nbelow || named)
            dir->below[kept++] = x;
    }
    dir->nbelow = MIN(kept, dir->nbelow);
    return e;
}

/* --fromfile: entries by the paths in a file, one a line. */

static struct tree_entry *tree_listed(struct tree_run *r, struct map *known, struct tree_entry *up,
                                      struct str path, struct str name)
{
    void **at = map_put(known, path);
    if (!at || *at)
        return at ? *at : NULL;
    struct tree_entry *e = arena_new(r->p->arena, struct tree_entry);
    if (!e)
        return NULL;
    *e = (struct tree_entry){.path = path, .name = name, .up = up, .opened = true};
    e->st.mode = MODE_FILE | 0644;
    up->dir = up->leads = true;
    up->st.mode = MODE_DIR | 0755;
    *at = e;
    return e;
}

static int tree_list_line(struct tree_run *r, struct map *known, struct tree_entry *root,
                          struct str line, struct strs *all)
{
    struct tree_entry *up = root;
    struct str text = arena_str(r->p->arena, line);
    if (!text.p)
        return HOB_ENOMEM;
    for (size_t i = 0; i < text.n;) {
        size_t end = i;
        while (end < text.n && text.p[end] != '/')
            end++;
        struct str name = arena_str(r->p->arena, str_sub(text, i, end - i));
        if (end > i) {
            size_t before = known->n;
            struct str path = files_join(r->p, up->path, name);
            struct tree_entry *e = path.p && name.p ? tree_listed(r, known, up, path, name) : NULL;
            if (!e || (known->n > before && !proc_push(r->p, all, path)))
                return HOB_ENOMEM;
            up->nbelow += known->n > before;
            up = e;
        }
        i = end + 1;
    }
    if (up != root && text.n && text.p[text.n - 1] == '/') {
        up->dir = up->leads = true;
        up->st.mode = MODE_DIR | 0755;
    }
    return 0;
}

/* Puts the entries below their folders, filtered and sorted. */
static int tree_list_settle(struct tree_run *r, struct map *known, struct tree_entry *root,
                            const struct strs *all)
{
    for (size_t i = 0; i <= all->n; i++) {
        struct tree_entry *e = i ? *map_get(known, all->p[i - 1]) : root;
        e->below = arena_array(r->p->arena, struct tree_entry *, e->nbelow * 2 + 1);
        if (!e->below)
            return HOB_ENOMEM;
        e->nbelow = 0;
    }
    for (size_t i = 0; i < all->n; i++) {
        struct tree_entry *e = *map_get(known, all->p[i]);
        if (tree_shows(r, e))
            e->up->below[e->up->nbelow++] = e;
    }
    for (size_t i = 0; i <= all->n; i++) {
        struct tree_entry *e = i ? *map_get(known, all->p[i - 1]) : root;
        tree_order(r, e->below, e->below + e->nbelow, e->nbelow);
    }
    return proc_tick(r->p, (int64_t)all->n + 1);
}

static int tree_list_read(struct tree_run *r, struct tree_entry *root)
{
    struct strs all = {0};
    struct map known;
    struct in in;
    struct str line;
    bool had;
    int e = 0;
    if (str_eqz(root->path, "."))
        in_init(&in, r->p, 0);
    else if (in_open_quiet(&in, r->p, root->path) < 0)
        return HOB_ENOENT;
    root->opened = root->dir = root->leads = true;
    map_init(&known, &r->p->kernel->heap);
    while (e == 0 && in_line(&in, '\n', &line, &had)) {
        e = tree_list_line(r, &known, root, line, &all);
        if (e == 0)
            e = proc_tick(r->p, 1);
    }
    in_fini(&in);
    if (e == 0)
        e = tree_list_settle(r, &known, root, &all);
    map_fini(&known);
    return e;
}

/* ---- one line -------------------------------------------------------------------------------- */

static void tree_size_text(const struct tree_run *r, uint64_t size, char out[32])
{
    static const char units[] = "BKMGTPE";
    unsigned k = 0, base = r->o->si ? 1000 : 1024;
    if (!r->o->human && !r->o->si) {
        fmt_print(out, 32, " %10llu", (unsigned long long)size);
        return;
    }
    double v = (double)size;
    while (v >= base && units[k + 1]) {
        v /= base;
        k++;
    }
    if (k == 0)
        fmt_print(out, 32, "%4llu", (unsigned long long)size);
    else
        fmt_print(out, 32, v < 9.95 ? "%3.1f%c" : "%3.0f%c", v, units[k]);
}

/* [drwxr-xr-x user  4.0K]  in front of the name. */
static void tree_meta(struct tree_run *r, const struct tree_entry *e)
{
    const struct treecmd *o = r->o;
    struct buf b;
    char text[40];
    buf_init(&b, &r->p->kernel->heap);
    if (o->inodes)
        buf_printf(&b, " %7llu", (unsigned long long)e->st.ino);
    if (o->device)
        buf_printf(&b, " %3d", (int)e->st.dev);
    if (o->modes) {
        mode_string(e->st.mode, text);
        buf_printf(&b, " %s", text);
    }
    for (int i = 0; i < 2; i++)
        if (i ? o->group : o->user) {
            struct str n = i ? users_group(&r->users, e->st.gid) : users_name(&r->users, e->st.uid);
            if (n.p)
                buf_printf(&b, " %-8.*s", STR_ARG(n));
            else
                buf_printf(&b, " %-8u", i ? e->st.gid : e->st.uid);
        }
    if (o->size) {
        tree_size_text(r, o->du ? e->total : e->st.size, text);
        buf_printf(&b, " %s", text);
    }
    if (o->date) {
        struct date d;
        int64_t sec = e->st.mtime / 1000000000;
        buf_putc(&b, ' ');
        if (date_from_epoch(sec, 0, &r->zone, &d) == 0)
            date_format(&b, o->time_format.p ? o->time_format : STR("%b %e %H:%M"), &d, sec, true);
    }
    if (b.n > 1)
        out_printf(&r->out, "[%s]  ", b.p + 1);
    buf_fini(&b);
}

static const char *tree_color(const struct tree_run *r, uint32_t mode, bool broken)
{
    (void)r;
    if (broken)
        return "40;31;01";
    switch (mode & MODE_TYPE) {
    case MODE_DIR: return "01;34";
    case MODE_LINK: return "01;36";
    case MODE_FIFO: return "40;33";
    case MODE_CHR:
    case MODE_BLK: return "40;33;01";
    default: return mode & 0111 ? "01;32" : "00";
    }
}

static void tree_put_name(struct tree_run *r, struct str name, uint32_t mode, bool broken)
{
    struct out *o = &r->out;
    if (r->o->color)
        out_printf(o, "\033[%sm", tree_color(r, mode, broken));
    out_puts(o, r->o->quote ? "\"" : "");
    for (size_t i = 0; i < name.n; i++) {
        unsigned char c = (unsigned char)name.p[i];
        if (r->o->plain_names || (c >= 32 && c != 127 && !(r->o->quote && c == '"')))
            out_putc(o, (char)c);
        else if (r->o->cut_names)
            out_putc(o, '?');
        else if (c >= 7 && c <= 13)
            out_printf(o, "\\%c", "abtnvfr"[c - 7]);
        else if (c == '"')
            out_puts(o, "\\\"");
        else
            out_printf(o, "\\%03o", c);
    }
    out_puts(o, r->o->quote ? "\"" : "");
    if (r->o->color)
        out_puts(o, "\033[0m");
    if (r->o->classify && !r->o->dirs) {
        uint32_t t = mode & MODE_TYPE;
        char mark = t == MODE_DIR                   ? '/'
                    : t == MODE_FIFO                ? '|'
                    : t == MODE_FILE && mode & 0111 ? '*'
                                                    : 0;
        if (mark)
            out_putc(o, mark);
    }
}

static void tree_line(struct tree_run *r, const struct tree_entry *e)
{
    if (!r->o->metafirst)
        tree_meta(r, e);
    tree_put_name(r, r->o->full ? e->path : e->name, e->link.p ? MODE_LINK : e->st.mode, e->broken);
    if (e->link.p) {
        out_puts(&r->out, " -> ");
        tree_put_name(r, e->link, e->broken ? 0 : e->target.mode, false);
    }
}

static void tree_lead(struct tree_run *r, bool last)
{
    static const char *const fancy[] = {"│\u00a0\u00a0 ", "    ", "├── ", "└── "};
    static const char *const ascii[] = {"|   ", "    ", "|-- ", "`-- "};
    static const char *const vt100[] = {"x   ", "    ", "tqq ", "mqq "};
    static const char *const cp437[] = {"\263   ", "    ", "\303\304\304 ", "\300\304\304 "};
    const char *const *set = r->o->vt100 ? vt100 : r->o->cp437 ? cp437 : r->ascii ? ascii : fancy;
    if (r->o->no_indent)
        return;
    if (r->o->vt100)
        out_puts(&r->out, "\033(0");
    for (size_t i = 0; i < r->indent.n; i++)
        out_puts(&r->out, set[r->indent.p[i] != '|']);
    out_puts(&r->out, set[2 + last]);
    if (r->o->vt100)
        out_puts(&r->out, "\033(B");
}

/* ---- the drawing ----------------------------------------------------------------------------- */

static int tree_draw(struct tree_run *r, struct tree_entry *dir, int64_t depth)
{
    bool known = dir->opened;
    int e = 0;
    if (r->o->level > 0 && depth > r->o->level) {
        out_putc(&r->out, '\n');
        return 0;
    }
    if (task_stack_low(r->p->task))
        return HOB_ELOOP;
    if (!known)
        e = tree_read(r, dir);
    if (e < 0)
        return e;
    if (dir->error < 0) {
        out_puts(&r->out, "  [error opening dir]\n");
        return 0;
    }
    if (r->o->file_limit > 0 && dir->nbelow > (uint64_t)r->o->file_limit) {
        out_printf(&r->out, "  [%zu entries exceeds filelimit, not opening dir]\n", dir->nbelow);
        return 0;
    }
    out_putc(&r->out, '\n');
    for (size_t i = 0; i < dir->nbelow && e == 0 && !r->out.err; i++) {
        struct tree_entry *x = dir->below[i];
        struct arena_mark mark = arena_mark(r->p->arena);
        bool last = i + 1 == dir->nbelow;
        if (r->o->metafirst)
            tree_meta(r, x);
        tree_lead(r, last);
        tree_line(r, x);
        r->ndirs += x->leads;
        r->nfiles += !x->leads;
        bool again = tree_again(r, x);
        if (!x->dir || again) {
            out_puts(&r->out, again ? "  [recursive, not followed]\n" : "\n");
            continue;
        }
        buf_putc(&r->indent, last ? ' ' : '|');
        e = tree_draw(r, x, depth + 1);
        buf_cut(&r->indent, r->indent.n ? r->indent.n - 1 : 0);
        if (!known)
            arena_release(r->p->arena, mark);
    }
    return e;
}

/* ---- JSON and XML ---------------------------------------------------------------------------- */

static const char *tree_type(const struct tree_entry *e)
{
    if (e->link.p)
        return "link";
    switch (e->st.mode & MODE_TYPE) {
    case MODE_DIR: return "directory";
    case MODE_FIFO: return "fifo";
    case MODE_CHR: return "char";
    case MODE_BLK: return "block";
    case MODE_SOCK: return "socket";
    default: return "file";
    }
}

static void tree_xml_text(struct buf *b, struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        switch (s.p[i]) {
        case '&': buf_addz(b, "&amp;"); break;
        case '<': buf_addz(b, "&lt;"); break;
        case '>': buf_addz(b, "&gt;"); break;
        case '"': buf_addz(b, "&quot;"); break;
        default: buf_putc(b, s.p[i]);
        }
}

static void tree_attribute(struct tree_run *r, struct buf *b, const char *name, struct str value,
                           bool number)
{
    if (r->o->form == TREE_JSON) {
        buf_printf(b, ",\"%s\":", name);
        if (number)
            buf_str(b, value);
        else
            json_quote(b, value);
        return;
    }
    buf_printf(b, " %s=\"", name);
    tree_xml_text(b, value);
    buf_putc(b, '"');
}

static void tree_entry_open(struct tree_run *r, struct buf *b, const struct tree_entry *e)
{
    const struct treecmd *o = r->o;
    bool json = o->form == TREE_JSON;
    char text[40];
    if (json) {
        buf_printf(b, "{\"type\":\"%s\"", tree_type(e));
        tree_attribute(r, b, "name", o->full ? e->path : e->name, false);
    } else {
        buf_printf(b, "<%s", tree_type(e));
        tree_attribute(r, b, "name", o->full ? e->path : e->name, false);
    }
    if (e->link.p)
        tree_attribute(r, b, "target", e->link, false);
    if (o->modes) {
        mode_string(e->st.mode, text);
        char octal[8];
        fmt_print(octal, sizeof octal, "%04o", e->st.mode & 07777);
        tree_attribute(r, b, "mode", str_z(octal), false);
        tree_attribute(r, b, "prot", str_z(text), false);
    }
    if (o->user)
        tree_attribute(r, b, "user", users_name(&r->users, e->st.uid), false);
    if (o->group)
        tree_attribute(r, b, "group", users_group(&r->users, e->st.gid), false);
    if (o->size) {
        uint64_t size = o->du ? e->total : e->st.size;
        if (o->human || o->si)
            tree_size_text(r, size, text);
        else
            fmt_print(text, sizeof text, "%llu", (unsigned long long)size);
        tree_attribute(r, b, "size", str_trim(str_z(text)), !(o->human || o->si));
    }
}

static int tree_structure(struct tree_run *r, struct tree_entry *e, int64_t depth, size_t indent)
{
    bool json = r->o->form == TREE_JSON;
    struct buf b;
    int err = 0;
    if (task_stack_low(r->p->task))
        return HOB_ELOOP;
    buf_init(&b, &r->p->kernel->heap);
    if (!r->o->no_indent)
        buf_fill(&b, ' ', indent);
    tree_entry_open(r, &b, e);
    bool enter = e->dir && !(r->o->level > 0 && depth > r->o->level);
    if (enter && !e->opened)
        err = tree_read(r, e);
    bool some = enter && e->nbelow > 0;
    if (enter && e->error < 0)
        buf_addz(&b, json ? ",\"error\":\"opening dir\"" : "");
    if (json)
        buf_addz(&b, some || (depth == 1 && enter) ? ",\"contents\":[\n" : "}");
    else
        buf_addz(&b, some ? ">\n" : ">");
    out_str(&r->out, buf_get(&b));
    for (size_t i = 0; some && i < e->nbelow && err == 0; i++) {
        struct tree_entry *x = e->below[i];
        r->ndirs += x->leads;
        r->nfiles += !x->leads;
        x->dir = x->dir && !tree_again(r, x);
        err = tree_structure(r, x, depth + 1, indent + 2);
        out_puts(&r->out, json && i + 1 < e->nbelow ? ",\n" : "\n");
    }
    buf_clear(&b);
    if (some && !r->o->no_indent)
        buf_fill(&b, ' ', indent);
    if (json && (some || (depth == 1 && enter)))
        buf_addz(&b, "]}");
    else if (!json)
        buf_printf(&b, "</%s>", tree_type(e));
    out_str(&r->out, buf_get(&b));
    buf_fini(&b);
    return err;
}

/* ---- the run --------------------------------------------------------------------------------- */

static void tree_report(struct tree_run *r)
{
    unsigned long long d = r->ndirs, f = r->nfiles;
    if (r->o->no_report)
        return;
    if (r->o->form == TREE_JSON) {
        out_printf(&r->out, ",\n  {\"type\":\"report\",\"directories\":%llu", d);
        out_printf(&r->out, r->o->dirs ? "}" : ",\"files\":%llu}", f);
        out_putc(&r->out, '\n');
        return;
    }
    if (r->o->form == TREE_XML) {
        out_printf(&r->out, "  <report>\n    <directories>%llu</directories>\n", d);
        if (!r->o->dirs)
            out_printf(&r->out, "    <files>%llu</files>\n", f);
        out_puts(&r->out, "  </report>\n");
        return;
    }
    out_putc(&r->out, '\n');
    if (r->o->du) {
        char size[32];
        tree_size_text(r, r->bytes, size);
        out_printf(&r->out, r->o->human || r->o->si ? " %s used in " : "%s bytes used in ", size);
    }
    out_printf(&r->out, "%llu director%s", d, d == 1 ? "y" : "ies");
    if (!r->o->dirs)
        out_printf(&r->out, ", %llu file%s", f, f == 1 ? "" : "s");
    out_putc(&r->out, '\n');
}

static int tree_root(struct tree_run *r, struct str path, bool first)
{
    struct tree_entry *e = tree_entry_new(r, path, path);
    int err = 0;
    if (!e)
        return HOB_ENOMEM;
    if (e->link.p && !e->broken)
        e->dir = MODE_IS_DIR(e->target.mode);
    e->link = STR_NONE;
    tree_again(r, e);
    if (r->o->from_file)
        err = tree_list_read(r, e);
    else if (e->dir && (r->o->prune || r->o->du))
        err = tree_read_all(r, e, 1);
    else if (e->dir)
        err = tree_read(r, e);
    r->bytes += e->total;
    if (r->o->from_file && err == HOB_ENOENT) {
        proc_warn(r->p, "Error opening %.*s for reading.", STR_ARG(path));
        return 1;
    }
    if (err < 0)
        return err;
    r->ndirs += e->nbelow > 0 || r->o->from_file; /* a root with nothing in it is not counted */
    if (r->o->form != TREE_LINES) {
        if (!first)
            out_puts(&r->out, r->o->form == TREE_JSON ? ",\n" : "");
        err = tree_structure(r, e, 1, 2);
        out_putc(&r->out, '\n');
        return err;
    }
    if (e->error == 0)
        tree_meta(r, e);
    tree_put_name(r, path, e->error < 0 ? 0 : e->st.mode, false);
    if (!e->dir) {
        out_puts(&r->out, "  [error opening dir]\n");
        r->nfiles += e->error == 0;
        r->failed |= e->error < 0;
        return 0;
    }
    return tree_draw(r, e, 1);
}

static int tree_opt_list(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct treecmd *t = args;
    return proc_push(p, o->letter == 'P' ? &t->patterns : &t->ignore, arg) ? 0 : HOB_ENOMEM;
}

static int tree_opt_gitfile(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct treecmd *t = args;
    (void)o;
    t->gitignore = true;
    return proc_push(p, &t->gitfiles, arg) ? 0 : HOB_ENOMEM;
}

static int tree_opt_sort(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const char *const names[] = {"name", "mtime", "ctime", "size", "version"};
    struct treecmd *t = args;
    (void)o;
    for (size_t i = 0; i < COUNT(names); i++)
        if (str_eqz(arg, names[i])) {
            t->sort = (int)i;
            return 0;
        }
    proc_warn(p, "Sort type '%.*s' not valid, should be one of: name,version,size,mtime,ctime",
              STR_ARG(arg));
    return 2;
}

#define TREE_FLAG(l, n, f, h) OPT_FLAG(l, n, struct treecmd, f, h)
static const struct opt tree_opts[] = {
    OPT_GROUP("What is shown:"),
    TREE_FLAG('a', NULL, all, "hidden files, too"),
    TREE_FLAG('d', NULL, dirs, "folders alone"),
    TREE_FLAG('l', NULL, follow, "follow links to folders"),
    TREE_FLAG('x', NULL, one_fs, "(accepted)"),
    OPT_INTEGER('L', NULL, struct treecmd, level, "N", "at most N folders deep"),
    OPT_CALL('P', NULL, tree_opt_list, "PATTERN", "only files that match"),
    OPT_CALL('I', NULL, tree_opt_list, "PATTERN", "no files that match"),
    TREE_FLAG(0, "ignore-case", icase, "case of patterns does not matter"),
    TREE_FLAG(0, "matchdirs", match_dirs, "patterns are for folders, too"),
    TREE_FLAG(0, "prune", prune, "no empty folders"),
    OPT_INTEGER(0, "filelimit", struct treecmd, file_limit, "N",
                "not into folders with more entries"),
    TREE_FLAG(0, "noreport", no_report, "no counts at the end"),
    TREE_FLAG(0, "fromfile", from_file, "paths from the operands, files; standard input for ."),
    TREE_FLAG(0, "gitignore", gitignore, "not what .gitignore names"),
    OPT_CALL(0, "gitfile", tree_opt_gitfile, "FILE", "the same by FILE, too"),
    OPT_GROUP("About each file:"),
    TREE_FLAG('f', NULL, full, "the path in front"),
    TREE_FLAG('p', NULL, modes, "permissions"),
    TREE_FLAG('u', NULL, user, "owner"),
    TREE_FLAG('g', NULL, group, "group"),
    TREE_FLAG('s', NULL, size, "size in bytes"),
    TREE_FLAG('h', NULL, human, "size for people"),
    TREE_FLAG(0, "si", si, "the same by powers of 1000"),
    TREE_FLAG(0, "du", du, "of folders, what is in them"),
    TREE_FLAG('D', NULL, date, "time of the last change"),
    OPT_STRING(0, "timefmt", struct treecmd, time_format, "FORMAT", "in this form"),
    TREE_FLAG(0, "inodes", inodes, "inode numbers"),
    TREE_FLAG(0, "device", device, "device numbers"),
    TREE_FLAG(0, "metafirst", metafirst, "these before the lines"),
    TREE_FLAG('F', NULL, classify, "a / behind folders, a * behind programs"),
    TREE_FLAG('Q', NULL, quote, "names in quotes"),
    TREE_FLAG('N', NULL, plain_names, "names as they are"),
    TREE_FLAG('q', NULL, cut_names, "? for characters that cannot be shown"),
    OPT_GROUP("Order:"),
    OPT_SET('t', NULL, struct treecmd, sort, TREE_TIME, "by time of the last change"),
    OPT_SET('c', NULL, struct treecmd, sort, TREE_CTIME, "by time of the last change of status"),
    OPT_SET('v', NULL, struct treecmd, sort, TREE_VERSION, "by the numbers in names"),
    OPT_SET('U', NULL, struct treecmd, sort, TREE_UNSORTED, "not sorted"),
    OPT_CALL(0, "sort", tree_opt_sort, "BY", "name, version, size, mtime or ctime"),
    TREE_FLAG('r', NULL, reverse, "the other way round"),
    OPT_SET(0, "dirsfirst", struct treecmd, first, TREE_DIRS, "folders first"),
    OPT_SET(0, "filesfirst", struct treecmd, first, TREE_FILES, "files first"),
    OPT_GROUP("Form:"),
    TREE_FLAG('i', NULL, no_indent, "no lines"),
    OPT_STRING(0, "charset", struct treecmd, charset, "SET", "ascii: lines of ASCII characters"),
    TREE_FLAG('S', NULL, cp437, "lines of code page 437"),
    TREE_FLAG('A', NULL, vt100, "lines of a VT100 terminal"),
    TREE_FLAG('C', NULL, color, "colours"),
    TREE_FLAG('n', NULL, no_color, "no colours"),
    OPT_SET('J', NULL, struct treecmd, form, TREE_JSON, "JSON"),
    OPT_SET('X', NULL, struct treecmd, form, TREE_XML, "XML"),
    OPT_STRING('o', NULL, struct treecmd, output, "FILE", "write to FILE"),
    OPT_END,
};
#undef TREE_FLAG

static int tree_all(struct tree_run *r)
{
    struct proc *p = r->p;
    const struct treecmd *o = r->o;
    int e = 0;
    if (o->form == TREE_JSON)
        out_puts(&r->out, "[\n");
    if (o->form == TREE_XML)
        out_puts(&r->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tree>\n");
    if (p->argc == 0)
        e = tree_root(r, STR("."), true);
    for (int i = 0; i < p->argc && e == 0; i++) {
        struct str path = p->argv[i];
        while (path.n > 1 && path.p[path.n - 1] == '/')
            path.n--;
        e = tree_root(r, arena_str(p->arena, path), i == 0);
    }
    if (e == 0)
        tree_report(r);
    if (o->form != TREE_LINES)
        out_puts(&r->out, o->form == TREE_JSON ? "]\n" : "</tree>\n");
    return e < 0 ? e : r->failed ? 2 : 0;
}

static void tree_defaults(struct proc *p, void *args)
{
    (void)p;
    ((struct treecmd *)args)->level = -1;
}

static int tree_run(struct proc *p, void *args)
{
    struct treecmd *o = args;
    struct tree_run r = {.p = p, .o = o, .zone = getdate_zone(p)};
    struct file *file = NULL, *tty = proc_file(p, 1);
    if (o->level == 0) {
        proc_warn(p, "Invalid level, must be greater than 0.");
        return 1;
    }
    o->size |= o->human || o->si || o->du;
    o->date |= o->time_format.p != NULL;
    struct str term;
    o->color = o->color && proc_getenv(p, STR("TERM"), &term);
    o->color = (o->color || (tty && (tty->flags & FILE_TTY) && !o->output.p)) && !o->no_color;
    r.ascii = o->charset.p && !str_eqz(o->charset, "UTF-8") && !str_eqz(o->charset, "utf8");
    if (o->output.p) {
        int e = vfs_open(p, o->output, FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0666, &file);
        if (e < 0) {
            proc_warn(p, "invalid filename '%.*s'", STR_ARG(o->output));
            return 1;
        }
        out_init_file(&r.out, p, file);
    } else {
        out_init(&r.out, p, 1);
    }
    users_init(&r.users, p);
    users_name(&r.users, 0);
    users_group(&r.users, 0);
    buf_init(&r.indent, &p->kernel->heap);
    map_init(&r.seen, &p->kernel->heap);
    int e = tree_all(&r);
    map_fini(&r.seen);
    buf_fini(&r.indent);
    e = command_close(p, &r.out, e);
    if (file)
        file_unref(file);
    return e;
}

const struct command cmd_tree = {
    .name = "tree",
    .usage = "[OPTION]... [FOLDER]...",
    .summary = "Draw folders and what is in them as a tree.",
    .opts = tree_opts,
    .args_size = sizeof(struct treecmd),
    .usage_status = 1,
    .defaults = tree_defaults,
    .run = tree_run,
};

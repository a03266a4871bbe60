/* tar_create.c -- putting files into an archive: -c, -r, -u */
#include "commands/tar/tar.h"

#include "base/fmt.h"
#include "base/map.h"
#include "base/utf8.h"
#include "commands/lib/human.h"

enum {
    TAR_PIECE = 64 << 10
};

/* TM-FS-10: members have no leading slash and no "..", so that they stay where they are put. */
struct str tar_member_name(struct tar_run *r, struct str name, int what)
{
    size_t from = 0;
    if (r->o->absolute)
        return name;
    for (size_t i = 0; i < name.n;) { /* behind the last .. */
        size_t end = i;
        while (end < name.n && name.p[end] != '/')
            end++;
        if (end - i == 2 && name.p[i] == '.' && name.p[i + 1] == '.')
            from = end;
        i = end + 1;
    }
    while (from < name.n && name.p[from] == '/')
        from++;
    if (from && !r->said_absolute[what]) {
        tar_warn(r, "Removing leading `%.*s' from %s", (int)from, name.p,
                 what ? "hard link targets" : "member names");
        r->said_absolute[what] = true;
    }
    struct str left = str_from(name, from);
    return left.n ? left : STR("./");
}

static int tar_put_contents(struct tar_stream *s, struct str path, struct str shown, uint64_t size)
{
    static const char zeros[TAR_BLOCK];
    struct tar_run *r = s->r;
    struct in in;
    uint64_t left = size;
    int e = in_open_quiet(&in, r->p, path);
    if (e < 0)
        return e;
    while (left && e == 0 && in_fill(&in)) {
        size_t n = (size_t)MIN((uint64_t)(in.end - in.p), left);
        e = tar_stream_write(s, in.p, n);
        in.p += n;
        left -= n;
        if (e == 0)
            e = proc_tick(r->p, (int64_t)(n >> 10) + 1);
    }
    in_fini(&in);
    if (e == 0 && left) {
        tar_warn(r, "%s: File shrank by %llu bytes; padding with zeros", tar_shown(r, shown),
                 (unsigned long long)left);
        r->status = MAX(r->status, 1);
    }
    for (left += (TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK; left && e == 0;) {
        size_t n = (size_t)MIN(left, (uint64_t)TAR_BLOCK);
        e = tar_stream_write(s, zeros, n);
        left -= n;
    }
    return e;
}

/* A second name of a file that is in the archive already becomes a link to the first. */
static bool tar_linked(struct tar_run *r, const struct stat_info *st, struct tar_member *m)
{
    char key[48];
    if (st->nlink < 2 || r->o->hard_dereference || !r->links)
        return false;
    size_t n = fmt_print(key, sizeof key, "%llu:%llu", (unsigned long long)st->dev,
                         (unsigned long long)st->ino);
    struct str *first = map_value(r->links, str_of(key, n));
    if (first) {
        m->type = '1';
        m->link = tar_member_name(r, *first, 1);
        m->size = 0;
        return true;
    }
    void **at = map_put(r->links, str_of(key, n));
    struct str *copy = arena_new(r->p->arena, struct str);
    if (at && copy) {
        *copy = arena_str(r->p->arena, m->name);
        *at = copy;
    }
    return false;
}

static bool tar_kind(struct tar_run *r, const struct stat_info *st, struct str path,
                     struct tar_member *m)
{
    switch (st->mode & MODE_TYPE) {
    case MODE_FILE:
        m->type = '0';
        m->size = st->size;
        return true;
    case MODE_DIR: m->type = '5'; return true;
    case MODE_FIFO: m->type = '6'; return true;
    case MODE_CHR: m->type = '3'; return true;
    case MODE_BLK: m->type = '4'; return true;
    case MODE_LINK: {
        struct buf b;
        buf_init(&b, &r->p->kernel->heap);
        vfs_readlink(r->p, path, &b);
        m->type = '2';
        m->link = arena_str(r->p->arena, buf_get(&b));
        buf_fini(&b);
        return m->link.p != NULL;
    }
    default: return false;
    }
}

/* --owner=NAME[:ID], --group. */
static void tar_owner(struct str text, struct str *name, uint32_t *id)
{
    uint64_t n;
    ptrdiff_t colon = str_chr(text, ':');
    if (str_uint(text, &n) == 0) {
        *id = (uint32_t)n;
        *name = STR("");
        return;
    }
    *name = colon < 0 ? text : str_sub(text, 0, (size_t)colon);
    if (colon >= 0 && str_uint(str_from(text, (size_t)colon + 1), &n) == 0)
        *id = (uint32_t)n;
    else if (str_eqz(*name, "root"))
        *id = 0;
}

/* --owner-map, --group-map: the first line that has the name or the number. */
static bool tar_mapped(const struct strs *map, struct str *name, uint32_t *id)
{
    for (size_t i = 0; i < map->n; i++) {
        struct str line = map->p[i];
        size_t k = 0;
        uint64_t n;
        while (k < line.n && !ascii_space(line.p[k]))
            k++;
        struct str key = str_sub(line, 0, k);
        while (k < line.n && ascii_space(line.p[k]))
            k++;
        bool number = key.n && key.p[0] == '+' && str_uint(str_from(key, 1), &n) == 0;
        if (number ? n == *id : str_eq(key, *name)) {
            struct str to = str_from(line, k);
            tar_owner(to.n && to.p[0] == '+' ? str_from(to, 1) : to, name, id);
            return true;
        }
    }
    return false;
}

static void tar_describe(struct tar_run *r, const struct stat_info *st, struct tar_member *m)
{
    const struct tar *o = r->o;
    m->mode = st->mode & 07777;
    m->uid = st->uid;
    m->gid = st->gid;
    m->mtime = o->have_mtime && !(o->clamp && st->mtime < o->mtime) ? o->mtime : st->mtime;
    if (!o->numeric) {
        m->user = users_name(&r->users, st->uid);
        m->group = users_group(&r->users, st->gid);
    }
    if (!tar_mapped(&o->owner_map, &m->user, &m->uid) && o->owner.p)
        tar_owner(o->owner, &m->user, &m->uid);
    if (!tar_mapped(&o->group_map, &m->group, &m->gid) && o->group.p)
        tar_owner(o->group, &m->group, &m->gid);
    m->user = m->user.p ? m->user : STR("");
    m->group = m->group.p ? m->group : STR("");
    if (o->have_mode)
        m->mode = o->mode_bits;
}

static int tar_put(struct tar_stream *s, struct str path, struct str shown, int depth);

/* --exclude-ignore: patterns out of a file in the folder, for it and what is below. */
static int tar_ignores(struct tar_run *r, struct str dir)
{
    int e = 0;
    struct strs all = {0};
    for (size_t i = 0; r->o->ignores.n && i < r->o->exclude.n; i++)
        if (!proc_push(r->p, &all, r->o->exclude.p[i]))
            return HOB_ENOMEM;
    for (size_t i = 0; i < r->o->ignores.n && e == 0; i++) {
        struct str file = files_join(r->p, dir, r->o->ignores.p[i]), line;
        struct in in;
        bool had;
        if (!file.p)
            return HOB_ENOMEM;
        if (in_open_quiet(&in, r->p, file) < 0)
            continue;
        while (e == 0 && in_line(&in, '\n', &line, &had)) {
            struct str copy = arena_str(r->p->arena, line);
            if (line.n && line.p[0] != '#' && (!copy.p || !proc_push(r->p, &all, copy)))
                e = HOB_ENOMEM;
        }
        in_fini(&in);
    }
    if (all.n)
        r->o->exclude = all;
    return e;
}

static int tar_put_folder(struct tar_stream *s, struct str path, struct str shown, int depth)
{
    struct strs names = {0};
    struct tar_run *r = s->r;
    int e = files_list(r->p, path, &names);
    if (e < 0) {
        tar_warn(r, "%s: Cannot open: %s", tar_shown(r, shown), error_text(e));
        r->status = 2;
        return 0;
    }
    if (task_stack_low(r->p->task))
        return HOB_ELOOP;
    /* The list as it was outlives what is put behind it for this folder. */
    struct strs before = r->o->exclude;
    e = tar_ignores(r, path);
    for (size_t i = 0; i < names.n && e == 0; i++) {
        struct str below = files_join(r->p, path, names.p[i]);
        struct str below_shown = files_join(r->p, shown, names.p[i]);
        e = below.p && below_shown.p ? tar_put(s, below, below_shown, depth + 1) : HOB_ENOMEM;
    }
    r->o->exclude = before;
    return e;
}

static struct str tar_with_slash(struct tar_run *r, struct str name)
{
    struct buf b;
    if (name.n && name.p[name.n - 1] == '/')
        return name;
    buf_init(&b, &r->p->kernel->heap);
    buf_str(&b, name);
    buf_putc(&b, '/');
    struct str s = arena_str(r->p->arena, buf_get(&b));
    buf_fini(&b);
    return s.p ? s : name;
}

/* Whether a file begins as the tag of a cache has to. */
static bool tar_is_cache(struct tar_run *r, struct str path)
{
    static const char sign[] = "Signature: 8a477f597d28d172789f06886806bc55";
    char head[sizeof sign - 1];
    struct file *f;
    if (vfs_open(r->p, path, FILE_READ, 0, &f) < 0)
        return false;
    ptrdiff_t n = file_read(f, r->p, head, sizeof head);
    file_unref(f);
    return n == (ptrdiff_t)sizeof head && memcmp(head, sign, sizeof head) == 0;
}

/* What --exclude-tag says about a folder: 0, or k, u or a, with the name of the tag. */
static char tar_tagged(struct tar_run *r, struct str path, struct str *tag)
{
    for (size_t i = 0; i < r->o->tags.n; i++) {
        struct str word = r->o->tags.p[i];
        bool cache = word.n > 1 && word.p[1] == '!';
        struct str name = str_from(word, cache ? 2 : 1), file = files_join(r->p, path, name);
        struct stat_info st;
        if (!file.p || vfs_stat(r->p, file, 0, &st) < 0 || (cache && !tar_is_cache(r, file)))
            continue;
        *tag = name;
        return word.p[0];
    }
    return 0;
}

/* One file, and what is below it. `shown` is its name as the operands have it. */
static int tar_put(struct tar_stream *s, struct str path, struct str shown, int depth)
{
    struct tar_run *r = s->r;
    struct tar *o = r->o;
    struct arena_mark mark = arena_mark(r->p->arena);
    struct stat_info st;
    struct tar_member m = {0};

    if (tar_excluded(r, shown))
        return 0;
    int e = vfs_stat(r->p, path, o->dereference ? 0 : VFS_NOFOLLOW, &st);
    if (e < 0) {
        tar_warn(r, "%s: %sCannot stat: %s", tar_shown(r, shown),
                 o->ignore_failed ? "Warning: " : "", error_text(e));
        r->status = o->ignore_failed ? r->status : 2;
        return 0;
    }
    if (r->archive_known && files_same(&st, &r->archive)) {
        tar_warn(r, "%s: file is the archive; not dumped", tar_shown(r, shown));
        return 0;
    }
    bool dir = MODE_IS_DIR(st.mode);
    struct str tag = STR_NONE;
    char tagged = dir ? tar_tagged(r, path, &tag) : 0;
    if (depth == 0)
        r->device = st.dev;
    if (tagged == 'a' || (o->one_device && st.dev != r->device))
        return 0;
    if (o->newer.p && !dir && st.mtime < o->newer_than &&
        (!o->newer_by_change || st.ctime < o->newer_than))
        return 0;
    if (!tar_confirmed(r, "add", shown))
        return 0;
    struct str listed = dir ? tar_with_slash(r, shown) : shown;
    m.name = tar_renamed(r, tar_member_name(r, listed, 0), dir ? '5' : '0');
    if (!tar_kind(r, &st, path, &m)) {
        tar_warn(r, "%s: socket ignored", tar_shown(r, shown));
        return 0;
    }
    tar_describe(r, &st, &m);
    if (!dir)
        tar_linked(r, &st, &m);
    r->block = s->total / TAR_BLOCK;
    if (o->verbose)
        tar_list(r, &m, o->show_transformed ? m.name : listed);
    e = tar_header_write(s, &m);
    if (e == HOB_ENAMETOOLONG)
        return 0;
    if (e == 0 && m.type == '0')
        e = tar_put_contents(s, path, shown, m.size);
    if (e == 0 && tagged == 'k' && !o->no_recursion)
        e = tar_put(s, files_join(r->p, path, tag), files_join(r->p, shown, tag), depth + 1);
    if (e == 0 && dir && !o->no_recursion && !tagged)
        e = tar_put_folder(s, path, shown, depth);
    if (e == 0 && o->remove_files)
        e = dir ? (vfs_rmdir(r->p, path), 0) : vfs_unlink(r->p, path);
    if (!(m.type == '0' && st.nlink > 1)) /* the name of a file with several is kept */
        arena_release(r->p->arena, mark);
    return e;
}

/* -T FILE: names, one a line. */
static int tar_put_listed(struct tar_stream *s, struct str file)
{
    struct tar_run *r = s->r;
    struct in in;
    struct str line;
    bool had;
    int e = 0;
    if (str_eqz(file, "-"))
        in_init(&in, r->p, 0);
    else
        e = in_open_quiet(&in, r->p, file);
    if (e < 0)
        return tar_fatal(r, "%s: Cannot open: %s", tar_shown(r, file), error_text(e));
    while (e == 0 && in_line(&in, r->o->null ? '\0' : '\n', &line, &had)) {
        if (!line.n)
            continue;
        struct str name = arena_str(r->p->arena, line);
        struct str path = name.p ? tar_place(r, (size_t)r->p->nwords, name) : STR_NONE;
        e = path.p ? tar_put(s, path, name, 0) : HOB_ENOMEM;
    }
    in_fini(&in);
    return e;
}

static int tar_put_all(struct tar_stream *s)
{
    struct tar_run *r = s->r;
    struct proc *p = r->p;
    int e = 0;
    for (int i = 0; i < p->argc && e == 0; i++) {
        size_t at = 0;
        while (at < (size_t)p->nwords && p->words[at].p != p->argv[i].p)
            at++;
        struct str path = tar_place(r, at, p->argv[i]);
        e = path.p ? tar_put(s, path, files_strip(p->argv[i]), 0) : HOB_ENOMEM;
    }
    for (size_t i = 0; i < r->o->add.n && e == 0; i++) {
        struct str path = tar_place(r, (size_t)p->nwords, r->o->add.p[i]);
        e = path.p ? tar_put(s, path, files_strip(r->o->add.p[i]), 0) : HOB_ENOMEM;
    }
    for (size_t i = 0; i < r->o->from_files.n && e == 0; i++)
        e = tar_put_listed(s, r->o->from_files.p[i]);
    return e;
}

/* --totals: how much, in a unit for people, and how fast. */
static void tar_totals(struct tar_run *r, uint64_t n)
{
    static const struct human unit = {.scale = true};
    char size[HUMAN_SIZE], rate[HUMAN_SIZE];
    int64_t spent = sched_now(&r->p->kernel->sched) - r->started;
    human_print(size, n, &unit);
    human_print(rate, (uint64_t)((double)n * 1e9 / (double)MAX(spent, (int64_t)1000)), &unit);
    proc_printf_err(r->p, "Total bytes written: %llu (%s%s, %s%s/s)\n", (unsigned long long)n, size,
                    n < 1024 ? "B" : "iB", rate, ascii_digit(rate[strlen(rate) - 1]) ? "B" : "iB");
}

int tar_create(struct tar_run *r)
{
    struct tar_stream s;
    struct map links;
    map_init(&links, &r->p->kernel->heap);
    r->links = &links;
    int e = tar_stream_open(&s, r, true);
    if (e == 0 && r->o->label.p) {
        struct tar_member label = {.name = r->o->label, .type = 'V', .mtime = r->started};
        e = tar_header_write(&s, &label);
    }
    if (e == 0)
        e = tar_put_all(&s);
    int c = tar_stream_close(&s);
    if (e == 0 && r->o->totals)
        tar_totals(r, s.total);
    map_fini(&links);
    return e < 0 ? e : c;
}

/* ---- -r and -u ------------------------------------------------------------------------------- */

int tar_scan_end(struct tar_run *r, uint64_t *end, struct map *times)
{
    struct tar_stream s;
    struct tar_member m;
    int e = tar_stream_open(&s, r, false);
    *end = 0;
    if (e == 0 && s.codec)
        e = tar_fatal(r, "Cannot update compressed archives");
    while (e == 0) {
        struct arena_mark mark = arena_mark(r->p->arena);
        int found = tar_header_read(&s, &m);
        if (found <= 0) {
            e = found;
            break;
        }
        void **at = times ? map_put(times, m.name) : NULL;
        e = tar_skip(&s, m.size);
        *end = s.total;
        if (at)
            *at = (void *)(intptr_t)(m.mtime / 1000000000);
        arena_release(r->p->arena, mark);
    }
    tar_stream_close(&s);
    return e;
}

int tar_reopen(struct tar_run *r, struct tar_stream *s, uint64_t end)
{
    *s = (struct tar_stream){.r = r, .writing = true, .total = end};
    int e = vfs_open(r->p, r->o->file, FILE_WRITE | FILE_CREATE, 0666, &s->file);
    if (e == 0)
        e = vfs_truncate(r->p, r->o->file, end);
    if (e < 0) {
        if (s->file)
            file_unref(s->file);
        return tar_fatal(r, "%s: Cannot open: %s", tar_shown(r, r->o->file), error_text(e));
    }
    r->archive_known = file_stat(s->file, &r->archive) == 0;
    s->file->off = end;
    s->buffer = heap_alloc(&r->p->kernel->heap, TAR_PIECE);
    if (!s->buffer) {
        file_unref(s->file);
        return HOB_ENOMEM;
    }
    out_init_file(&s->out, r->p, s->file);
    return 0;
}

static int tar_append_to(struct tar_run *r, uint64_t end)
{
    struct tar_stream s;
    struct map links;
    int e = tar_reopen(r, &s, end);
    if (e < 0)
        return e;
    map_init(&links, &r->p->kernel->heap);
    r->links = &links;
    e = tar_put_all(&s);
    int c = tar_stream_close(&s);
    map_fini(&links);
    return e < 0 ? e : c;
}

/* -u: leaves out what the archive has in the same or a newer version. */
static int tar_only_newer(struct tar_run *r, struct map *times)
{
    struct proc *p = r->p;
    int n = 0;
    for (int i = 0; i < p->argc; i++) {
        struct stat_info st;
        struct str name = tar_member_name(r, files_strip(p->argv[i]), 0);
        void **known = map_get(times, name);
        bool old = known && vfs_stat(p, p->argv[i], 0, &st) == 0 && !MODE_IS_DIR(st.mode) &&
                   st.mtime / 1000000000 <= (int64_t)(intptr_t)*known;
        if (!old)
            p->argv[n++] = p->argv[i];
    }
    p->argc = n;
    return 0;
}

int tar_append(struct tar_run *r)
{
    struct map times;
    struct stat_info st;
    uint64_t end = 0;
    int e = 0;

    map_init(&times, &r->p->kernel->heap);
    if (vfs_stat(r->p, r->o->file, 0, &st) == 0)
        e = tar_scan_end(r, &end, r->o->mode == TAR_UPDATE ? &times : NULL);
    if (e == 0 && r->o->mode == TAR_UPDATE)
        e = tar_only_newer(r, &times);
    map_fini(&times);
    return e < 0 ? e : tar_append_to(r, end);
}

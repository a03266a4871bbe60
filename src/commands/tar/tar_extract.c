/* tar_extract.c -- taking files out of an archive: -x, -t, -d
 *
 * A member goes below the folder it is extracted in, whatever its name says: a leading slash is
 * taken off, one with ".." is refused, and a link that leads out is never followed by a later
 * member, because every folder on the way is looked at.
 */
#include "commands/tar/tar.h"

#include "text/glob.h"

struct tar_folder { /* whose time is set at the end, when nothing more is put in */
    struct str path;
    int64_t mtime;
    uint32_t mode;
    struct tar_folder *next;
};

/* ---- which members --------------------------------------------------------------------------- */

static bool tar_operand_matches(struct tar_run *r, struct str operand, struct str name)
{
    operand = files_strip(operand);
    if (r->o->wildcards && !r->o->no_wildcards) {
        struct glob_prog *g = glob_compile(r->p->arena, operand, r->o->icase ? GLOB_NOCASE : 0);
        return g && glob_match(g, files_strip(name));
    }
    if (!str_starts(name, operand))
        return false;
    return name.n == operand.n || name.p[operand.n] == '/';
}

bool tar_wanted(struct tar_run *r, struct str name)
{
    bool any = r->p->argc == 0 && !r->o->starting.p;
    if (r->o->starting.p) { /* where it begins, and a name that is wanted */
        any = tar_operand_matches(r, r->o->starting, name);
        r->begun |= any;
        if (!r->begun)
            return false;
    }
    for (int i = 0; i < r->p->argc; i++)
        if (tar_operand_matches(r, r->p->argv[i], name)) {
            bool this = ++r->counts[i] == r->o->which || !r->o->which;
            r->found[i] |= this;
            any |= this;
        }
    return any && !tar_excluded(r, files_strip(name));
}

/* ---- where to -------------------------------------------------------------------------------- */

/* TM-FS-10: the name without what would lead out; .p NULL: it is refused. */
static struct str tar_safe_name(struct tar_run *r, struct str name)
{
    struct str safe = tar_member_name(r, name, 0);
    for (struct str s = name; s.n && !r->o->absolute;) {
        ptrdiff_t slash = str_chr(s, '/');
        if (str_eqz(slash < 0 ? s : str_sub(s, 0, (size_t)slash), "..")) {
            tar_warn(r, "%s: Member name contains '..'", tar_shown(r, name));
            r->status = 2;
            return STR_NONE;
        }
        s = slash < 0 ? STR("") : str_from(s, (size_t)slash + 1);
    }
    return safe;
}

static struct str tar_stripped(struct tar_run *r, struct str name)
{
    for (int64_t n = r->o->strip; n > 0; n--) {
        ptrdiff_t slash = str_chr(name, '/');
        if (slash < 0)
            return STR_NONE;
        size_t k = (size_t)slash;
        while (k < name.n && name.p[k] == '/')
            k++;
        name = str_from(name, k);
    }
    return name.n ? name : STR_NONE;
}

/* Makes the folders on the way to path. A link among them is not followed. */
static int tar_parents(struct tar_run *r, struct str base, struct str path)
{
    for (size_t i = base.n + 1; i < path.n; i++) {
        if (path.p[i] != '/')
            continue;
        struct str dir = arena_str(r->p->arena, str_sub(path, 0, i));
        struct stat_info st;
        if (!dir.p)
            return HOB_ENOMEM;
        int e = vfs_stat(r->p, dir, VFS_NOFOLLOW, &st);
        if (e == 0 && MODE_IS_LINK(st.mode) && !r->o->absolute)
            return HOB_ENOTDIR;
        if (e == HOB_ENOENT)
            e = vfs_mkdir(r->p, dir, 0777);
        if (e < 0 && e != HOB_EEXIST)
            return e;
    }
    return 0;
}

/* ---- one member ------------------------------------------------------------------------------ */

static int tar_cannot(struct tar_run *r, struct str name, const char *verb, int err)
{
    tar_warn(r, "%s: Cannot %s: %s", tar_shown(r, name), verb, error_text(err));
    r->status = 2;
    return 0;
}

/* The contents into `out`, NULL: nowhere. */
int tar_take_contents(struct tar_stream *s, uint64_t size, struct out *out)
{
    char piece[8192];
    uint64_t left = size;
    size_t got;
    while (left) {
        size_t n = (size_t)MIN(left, (uint64_t)sizeof piece);
        int e = tar_stream_read(s, piece, (n + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK, &got);
        if (e == HOB_ENODATA) {
            /* Whole blocks are kept. It is said once for the file and once for the archive. */
            out_write(out, piece, got / TAR_BLOCK * TAR_BLOCK);
            tar_warn(s->r, "Unexpected EOF in archive");
            return tar_fatal(s->r, "Unexpected EOF in archive");
        }
        if (e < 0)
            return e;
        out_write(out, piece, n);
        left -= n;
    }
    return 0;
}

static int tar_take_file(struct tar_stream *s, const struct tar_member *m, struct str path)
{
    struct proc *p = s->r->p;
    struct file *f;
    struct out out;
    int e = vfs_open(p, path, FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0600, &f);
    if (e < 0) {
        tar_cannot(s->r, m->name, "open", e);
        return tar_skip(s, m->size);
    }
    out_init_file(&out, p, f);
    e = tar_take_contents(s, m->size, &out);
    int w = out_fini(&out);
    file_unref(f);
    if (e == 0 && w < 0) {
        if (w == HOB_EKILLED || w == HOB_ENOMEM)
            return w;
        return tar_cannot(s->r, m->name, "write", w);
    }
    return e;
}

static void tar_settle(struct tar_run *r, const struct tar_member *m, struct str path)
{
    struct proc *p = r->p;
    uint32_t mode = r->o->same_permissions ? m->mode : m->mode & 0777 & ~p->umask;
    if (m->type != '2' && m->type != '1')
        vfs_chmod(p, path, mode);
    if (r->o->same_owner)
        vfs_chown(p, path, m->uid, m->gid, VFS_NOFOLLOW);
    if (!r->o->no_time && m->type != '1')
        vfs_utimes(p, path, m->mtime, m->mtime, VFS_NOFOLLOW);
}

static int tar_take_link(struct tar_run *r, const struct tar_member *m, struct str base,
                         struct str path)
{
    struct proc *p = r->p;
    if (m->type == '2')
        return vfs_symlink(p, m->link, path);
    struct str target = tar_safe_name(r, m->link);
    target = target.p ? tar_stripped(r, target) : target;
    if (!target.p)
        return HOB_EPERM;
    struct str from = r->o->absolute && target.p[0] == '/' ? target : files_join(p, base, target);
    return from.p ? vfs_link(p, from, path, VFS_NOFOLLOW) : HOB_ENOMEM;
}

/* Whether what is there already stays. */
static bool tar_stays(struct tar_run *r, const struct tar_member *m, const struct stat_info *st)
{
    const struct tar *o = r->o;
    if (MODE_IS_DIR(st->mode) && m->type == '5')
        return false;
    if (o->skip_old)
        return true;
    if (o->keep_old) {
        tar_warn(r, "%s: Cannot open: %s", tar_shown(r, m->name), error_text(HOB_EEXIST));
        r->status = 2;
        return true;
    }
    if (o->keep_newer && st->mtime / 1000000000 >= m->mtime / 1000000000) {
        tar_warn(r, "Current %s is newer or same age", proc_quote(r->p, m->name));
        return true;
    }
    return false;
}

static int tar_take_folder(struct tar_run *r, const struct tar_member *m, struct str path,
                           struct tar_folder **later)
{
    int e = vfs_mkdir(r->p, path, 0700);
    struct tar_folder *f = arena_new(r->p->arena, struct tar_folder);
    if (e == HOB_EEXIST && files_is_dir(r->p, path))
        e = 0;
    if (e < 0)
        return e;
    if (f) {
        *f = (struct tar_folder){arena_str(r->p->arena, path), m->mtime,
                                 r->o->same_permissions ? m->mode : m->mode & 0777 & ~r->p->umask,
                                 *later};
        *later = f;
    }
    return f && f->path.p ? 0 : HOB_ENOMEM;
}

/* --backup: what is there gets another name, which -v tells. */
static void tar_back_up(struct tar_run *r, const struct tar_member *m, struct str base,
                        struct str path)
{
    struct str name = files_backup_name(r->p, &r->o->backups, path);
    if (!name.p || vfs_rename(r->p, path, name) < 0 || !r->o->verbose)
        return;
    struct str shown = base.n && name.n > base.n ? str_from(name, base.n + (base.n > 1)) : name;
    out_printf(&r->out, "Renaming %s to %s\n", proc_quote(r->p, m->name), proc_quote(r->p, shown));
}

static int tar_take_at(struct tar_stream *s, const struct tar_member *m, struct str base,
                       struct str path, struct tar_folder **later)
{
    struct tar_run *r = s->r;
    struct stat_info st;
    int e = tar_parents(r, base, path);
    if (e < 0)
        return tar_cannot(r, m->name, "open", e), tar_skip(s, m->size);
    bool there = vfs_stat(r->p, path, VFS_NOFOLLOW, &st) == 0;
    if (there && tar_stays(r, m, &st))
        return tar_skip(s, m->size);
    if (there && !MODE_IS_DIR(st.mode) && r->o->backups.kind != BACKUP_NONE)
        tar_back_up(r, m, base, path);
    else if (there && !MODE_IS_DIR(st.mode) && !(m->type == '0' && r->o->overwrite))
        vfs_unlink(r->p, path);
    else if (there && MODE_IS_DIR(st.mode) && m->type != '5')
        vfs_rmdir(r->p, path);
    switch (m->type) {
    case '0':
        e = tar_take_file(s, m, path);
        if (e < 0)
            return e;
        break;
    case '5':
        e = tar_take_folder(r, m, path, later);
        if (e < 0)
            return tar_cannot(r, m->name, "mkdir", e);
        return 0;
    case '1':
    case '2':
        e = tar_take_link(r, m, base, path);
        if (e < 0 && m->type == '1')
            tar_warn(r, "%s: Cannot hard link to %s: %s", tar_shown(r, m->name),
                     proc_quoteaf(r->p, m->link), error_text(e)),
                r->status = 2;
        else if (e < 0)
            tar_cannot(r, m->name, "create symlink", e);
        break;
    case '6':
        e = vfs_mkfifo(r->p, path, 0600);
        if (e < 0)
            tar_cannot(r, m->name, "mkfifo", e);
        break;
    case '3':
    case '4': return tar_cannot(r, m->name, "mknod", HOB_EPERM);
    default:
        tar_warn(r, "%s: Unknown file type '%c', extracted as normal file", tar_shown(r, m->name),
                 m->type);
        return tar_skip(s, m->size);
    }
    if (e == 0)
        tar_settle(r, m, path);
    return 0;
}

static int tar_take(struct tar_stream *s, const struct tar_member *m, struct tar_folder **later)
{
    struct tar_run *r = s->r;
    struct str name = tar_safe_name(r, m->name);
    name = name.p ? tar_stripped(r, name) : name;
    if (!name.p)
        return tar_skip(s, m->size);
    name = tar_renamed(r, name, m->type);
    if (r->o->to_command.p) {
        if (r->o->verbose)
            tar_list(r, m, m->name);
        return m->type == '0' ? tar_to_command(s, m, name) : tar_skip(s, m->size);
    }
    if (r->o->to_stdout) {
        if (r->o->verbose)
            tar_list(r, m, m->name);
        return m->type == '0' ? tar_take_contents(s, m->size, &r->out) : tar_skip(s, m->size);
    }
    if (r->o->verbose)
        tar_list(r, m, r->o->show_transformed ? name : m->name);
    struct str base = tar_place(r, (size_t)r->p->nwords, STR("."));
    if (r->o->top_level.p) {
        base = files_join(r->p, base, r->o->top_level);
        if (base.p)
            vfs_mkdirs(r->p, base, 0777);
    }
    struct str path =
        r->o->absolute && name.p[0] == '/' ? name : files_join(r->p, base, files_strip(name));
    if (!base.p || !path.p)
        return HOB_ENOMEM;
    if (str_eqz(files_strip(name), "."))
        return tar_skip(s, m->size);
    return tar_take_at(s, m, r->o->absolute && name.p[0] == '/' ? STR("") : base, path, later);
}

/* ---- -d -------------------------------------------------------------------------------------- */

static int tar_compare(struct tar_stream *s, const struct tar_member *m)
{
    struct tar_run *r = s->r;
    struct stat_info st;
    struct str name = tar_safe_name(r, m->name);
    const char *shown = tar_shown(r, m->name);
    if (!name.p)
        return tar_skip(s, m->size);
    struct str path = tar_place(r, (size_t)r->p->nwords, files_strip(name));
    int e = path.p ? vfs_stat(r->p, path, VFS_NOFOLLOW, &st) : HOB_ENOMEM;
    if (e < 0) {
        tar_warn(r, "%s: Warning: Cannot stat: %s", shown, error_text(e));
        r->status = MAX(r->status, 1);
        return tar_skip(s, m->size);
    }
    bool differs = false;
    if (m->type != '2' && (st.mode & 07777) != m->mode)
        out_printf(&r->out, "%s: Mode differs\n", shown), differs = true;
    if (m->type == '0' && st.mtime / 1000000000 != m->mtime / 1000000000)
        out_printf(&r->out, "%s: Mod time differs\n", shown), differs = true;
    if (m->type == '0' && st.size != m->size) {
        out_printf(&r->out, "%s: Size differs\n", shown);
        r->status = MAX(r->status, 1);
        return tar_skip(s, m->size);
    }
    struct in in;
    uint64_t left = m->type == '0' ? m->size : 0;
    bool same = true;
    if (left && (e = in_open_quiet(&in, r->p, path)) == 0) {
        char piece[8192];
        size_t got;
        while (left && e == 0 && in_fill(&in)) {
            size_t n = (size_t)MIN(MIN((uint64_t)(in.end - in.p), left), (uint64_t)sizeof piece);
            e = tar_stream_read(s, piece, n, &got);
            same &= e == 0 && memcmp(piece, in.p, n) == 0;
            in.p += n;
            left -= n;
        }
        in_fini(&in);
        if (e == 0) {
            size_t rest = (TAR_BLOCK - (size_t)(m->size % TAR_BLOCK)) % TAR_BLOCK;
            e = tar_stream_read(s, NULL, (size_t)left + rest, &got);
        }
    }
    if (!same)
        out_printf(&r->out, "%s: Contents differ\n", shown), differs = true;
    r->status = MAX(r->status, differs);
    return e == HOB_ENODATA ? 0 : e;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int tar_member_done(struct tar_stream *s, const struct tar_member *m,
                           struct tar_folder **later)
{
    struct tar_run *r = s->r;
    if (!tar_wanted(r, m->name) || (r->o->newer.p && m->mtime < r->o->newer_than))
        return tar_skip(s, m->size);
    if (m->type == 'V' && r->o->mode != TAR_LIST) { /* the label is no file */
        if (r->o->verbose)
            tar_list(r, m, m->name);
        return 0;
    }
    if (r->o->mode == TAR_EXTRACT && !tar_confirmed(r, "extract", m->name))
        return tar_skip(s, m->size);
    switch (r->o->mode) {
    case TAR_LIST:
        tar_member_name(r, m->name, 0);
        tar_list(r, m, tar_renamed(r, m->name, m->type));
        return tar_skip(s, m->size);
    case TAR_COMPARE:
        if (r->o->verbose)
            tar_list(r, m, m->name);
        return tar_compare(s, m);
    default: return tar_take(s, m, later);
    }
}

void tar_not_found(struct tar_run *r)
{
    bool plain = !r->o->wildcards && !r->o->no_wildcards;
    for (int i = 0; i < r->p->argc; i++)
        if (!r->found[i]) {
            struct str name = r->p->argv[i];
            if (plain &&
                (str_chr(name, '*') >= 0 || str_chr(name, '?') >= 0 || str_chr(name, '[') >= 0)) {
                tar_warn(r, "Pattern matching characters used in file names");
                tar_warn(r, "Use --wildcards to enable pattern matching, or --no-wildcards to "
                            "suppress this warning");
            }
            tar_warn(r,
                     r->counts[i] ? "%s: Required occurrence not found in archive"
                                  : "%s: Not found in archive",
                     tar_shown(r, r->p->argv[i]));
            r->status = 2;
        }
    if (r->o->starting.p && !r->begun) {
        tar_warn(r, "%s: Not found in archive", tar_shown(r, r->o->starting));
        r->status = 2;
    }
}

int tar_extract(struct tar_run *r)
{
    struct tar_stream s;
    struct tar_member m;
    struct tar_folder *later = NULL;
    r->found = arena_array(r->p->arena, bool, r->p->argc + 1);
    r->counts = arena_array(r->p->arena, int64_t, r->p->argc + 1);
    if (!r->found || !r->counts)
        return HOB_ENOMEM;
    int e = tar_stream_open(&s, r, false);
    while (e == 0) {
        struct arena_mark mark = arena_mark(r->p->arena);
        struct tar_folder *before = later;
        int found = tar_header_read(&s, &m);
        if (found <= 0) {
            e = found;
            break;
        }
        e = tar_member_done(&s, &m, &later);
        if (later == before)
            arena_release(r->p->arena, mark);
        if (r->out.err)
            break;
    }
    if (e == 0 && r->o->checkpoint) { /* what follows the end counts, too */
        size_t got;
        while ((e = tar_stream_read(&s, NULL, TAR_BLOCK, &got)) == 0)
            continue;
        e = e == HOB_ENODATA ? 0 : e;
    }
    if (e == HOB_EPROTO || e == HOB_ENODATA)
        e = tar_fatal(r, "%s",
                      e == HOB_EPROTO ? "Child returned status 1" : "Unexpected EOF in archive");
    for (; later; later = later->next) {
        vfs_chmod(r->p, later->path, later->mode);
        if (!r->o->no_time)
            vfs_utimes(r->p, later->path, later->mtime, later->mtime, 0);
    }
    tar_stream_close(&s);
    if (e == 0)
        tar_not_found(r);
    return e;
}

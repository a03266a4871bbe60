/* files.c -- what commands that work on files share: names, questions, backups */
#include "commands/lib/files.h"

#include "base/utf8.h"

const char *files_kind(const struct stat_info *st)
{
    switch (st->mode & MODE_TYPE) {
    case MODE_FILE: return st->size ? "regular file" : "regular empty file";
    case MODE_DIR: return "directory";
    case MODE_LINK: return "symbolic link";
    case MODE_FIFO: return "fifo";
    case MODE_SOCK: return "socket";
    case MODE_CHR: return "character special file";
    case MODE_BLK: return "block special file";
    default: return "weird file";
    }
}

struct str files_join(struct proc *p, struct str dir, struct str name)
{
    bool slash = dir.n && dir.p[dir.n - 1] != '/';
    char *to = arena_alloc(p->arena, dir.n + slash + name.n + 1);
    if (!to)
        return STR_NONE;
    if (dir.n)
        memcpy(to, dir.p, dir.n);
    if (slash)
        to[dir.n] = '/';
    if (name.n)
        memcpy(to + dir.n + slash, name.p, name.n);
    to[dir.n + slash + name.n] = '\0';
    return str_of(to, dir.n + slash + name.n);
}

struct str files_strip(struct str path)
{
    while (path.n > 1 && path.p[path.n - 1] == '/')
        path.n--;
    return path;
}

struct str files_base(struct str path)
{
    path = files_strip(path);
    ptrdiff_t slash = str_rchr(path, '/');
    return slash < 0 || path.n == 1 ? path : str_from(path, (size_t)slash + 1);
}

bool files_same(const struct stat_info *a, const struct stat_info *b)
{
    return a->dev == b->dev && a->ino == b->ino;
}

bool files_is_dir(struct proc *p, struct str path)
{
    struct stat_info st;
    return vfs_stat(p, path, 0, &st) == 0 && MODE_IS_DIR(st.mode);
}

bool files_ask(struct proc *p, const char *fmt, ...)
{
    struct buf b;
    va_list ap;

    int first, c;

    buf_init(&b, &p->kernel->heap);
    buf_printf(&b, "%.*s: ", STR_ARG(p->name));
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    proc_puts(p, 2, buf_get(&b));
    buf_fini(&b);
    /* Byte by byte: the next question finds the next line. */
    struct file *f = proc_file(p, 0);
    char byte = '\n';
    first = c = f && file_read(f, p, &byte, 1) == 1 ? byte : '\n';
    while (c != '\n')
        c = file_read(f, p, &byte, 1) == 1 ? byte : '\n';
    return first == 'y' || first == 'Y';
}

struct files_lister {
    struct proc *p;
    struct strs *out;
};

static int files_list_one(void *ud, const struct dir_entry *e)
{
    struct files_lister *l = ud;
    struct str name = arena_str(l->p->arena, e->name);
    return name.p && proc_push(l->p, l->out, name) ? 0 : HOB_ENOMEM;
}

int files_list(struct proc *p, struct str dir, struct strs *out)
{
    struct files_lister l = {p, out};
    *out = (struct strs){0};
    return vfs_list(p, dir, files_list_one, &l);
}

/* ---- backups -------------------------------------------------------------------------------- */

static const struct word_row files_backup_words[] = {
    {"none", BACKUP_NONE},         {"off", BACKUP_NONE},          {"simple", BACKUP_SIMPLE},
    {"never", BACKUP_SIMPLE},      {"existing", BACKUP_EXISTING}, {"nil", BACKUP_EXISTING},
    {"numbered", BACKUP_NUMBERED}, {"t", BACKUP_NUMBERED},        {NULL, 0}};

/* "backup type" stands for the option in the message. */
int files_backup_option(struct proc *p, struct files_backups *b, struct str arg)
{
    struct str env;
    const char *name = "backup type";

    b->asked = true;
    b->kind = BACKUP_EXISTING;
    if (!arg.p || arg.n == 0) {
        if (!proc_getenv(p, STR("VERSION_CONTROL"), &env) || env.n == 0)
            return 0;
        arg = env;
        name = "$VERSION_CONTROL";
    }
    return proc_word(p, name, arg, files_backup_words, &b->kind);
}

int files_target_option(struct proc *p, struct str *dir, struct str arg)
{
    if (dir->p) {
        proc_warn(p, "multiple target directories specified");
        return 2;
    }
    *dir = arg;
    return 0;
}

bool files_backup_kind(struct str arg, struct files_backups *b)
{
    int kind = -1;
    for (const struct word_row *w = files_backup_words; w->name; w++) {
        if (!str_starts(str_z(w->name), arg))
            continue;
        if (kind >= 0 && kind != w->value)
            return false;
        kind = w->value;
    }
    b->asked = kind >= 0;
    b->kind = kind >= 0 ? kind : b->kind;
    return b->asked;
}

struct files_numbers {
    struct str base;
    int64_t highest;
};

/* base.~N~ */
static int files_number(void *ud, const struct dir_entry *e)
{
    struct files_numbers *n = ud;
    struct str rest;
    int64_t v;
    if (!str_starts(e->name, n->base))
        return 0;
    rest = str_from(e->name, n->base.n);
    if (rest.n < 4 || memcmp(rest.p, ".~", 2) != 0 || rest.p[rest.n - 1] != '~')
        return 0;
    rest = str_sub(rest, 2, rest.n - 3);
    if (str_int(rest, &v) == 0 && v > n->highest)
        n->highest = v;
    return 0;
}

struct str files_backup_name(struct proc *p, const struct files_backups *b, struct str path)
{
    struct str suffix = b->suffix, env;

    path = files_strip(path);
    if (b->kind != BACKUP_SIMPLE) {
        struct files_numbers n = {files_base(path), 0};
        struct str dir = path_dir(path);
        vfs_list(p, dir.n ? dir : STR("."), files_number, &n);
        if (n.highest || b->kind == BACKUP_NUMBERED)
            return arena_printf(p->arena, "%.*s.~%lld~", STR_ARG(path), (long long)n.highest + 1);
    }
    if (!suffix.p && proc_getenv(p, STR("SIMPLE_BACKUP_SUFFIX"), &env) && env.n)
        suffix = env;
    if (!suffix.p || suffix.n == 0 || str_chr(suffix, '/') >= 0)
        suffix = STR("~");
    return arena_printf(p->arena, "%.*s%.*s", STR_ARG(path), STR_ARG(suffix));
}

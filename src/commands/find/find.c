/* find.c -- look for files in folders and below
 *
 * The path of the file at hand is one buffer that grows and shrinks with the walk. Files are only
 * looked at (stat) when a test needs more than the name and the type, which the folder tells.
 */
#include "commands/find/find.h"

#include "commands/lib/files.h"
#include "commands/lib/getdate.h"

static void find_walk(struct find *f, struct find_up *up);

struct find_entry {
    struct str name;
    uint32_t type;
};

struct find_folder {
    struct find *f;
    struct find_entry *p; /* on the arena */
    size_t n, cap;
};

static int find_collect(void *ud, const struct dir_entry *e)
{
    struct find_folder *d = ud;
    struct arena *a = d->f->p->arena;

    if (d->n == d->cap) {
        size_t cap = d->cap ? d->cap * 2 : 32;
        struct find_entry *more = arena_grow(a, d->p, d->cap * sizeof *more, cap * sizeof *more);
        if (!more)
            return HOB_ENOMEM;
        d->p = more;
        d->cap = cap;
    }
    struct str name = arena_str(a, e->name);
    if (!name.p)
        return HOB_ENOMEM;
    d->p[d->n++] = (struct find_entry){name, e->mode & MODE_TYPE};
    return 0;
}

/* All that is in the folder whose path is in the buffer. */
static void find_below(struct find *f, struct find_up *up)
{
    struct arena_mark mark = arena_mark(f->p->arena);
    struct find_folder d = {.f = f};
    size_t len = f->path.n, base = f->base;
    int r = task_stack_low(f->p->task) ? HOB_ENAMETOOLONG
                                       : vfs_list(f->p, buf_get(&f->path), find_collect, &d);

    if (r < 0) {
        if (r == HOB_ENOMEM)
            f->quit = true;
        find_warn(f, buf_get(&f->path), r);
    }
    f->level++;
    for (size_t i = 0; r == 0 && i < d.n && !f->quit; i++) {
        if (f->path.n && f->path.p[f->path.n - 1] != '/')
            buf_putc(&f->path, '/');
        f->base = f->path.n;
        buf_str(&f->path, d.p[i].name);
        f->type = d.p[i].type;
        find_walk(f, up);
        buf_cut(&f->path, len);
        if (proc_tick(f->p, 1) < 0)
            f->quit = true;
    }
    f->level--;
    f->base = base;
    arena_release(f->p->arena, mark);
}

/* Whether to go into the folder at hand; loops of links are reported. */
static bool find_enters(struct find *f, struct find_up *up, struct find_up *here)
{
    here->up = up;
    if (f->level >= f->max_depth && f->max_depth >= 0)
        return false;
    if (f->links != 'L' && !f->one_fs)
        return true;
    if (!find_stat(f))
        return false;
    here->dev = f->st.dev;
    here->ino = f->st.ino;
    if (f->one_fs && f->level > 0 && f->st.dev != f->top_dev)
        return false;
    for (struct find_up *u = up; u && f->links == 'L'; u = u->up) {
        if (u->dev == f->st.dev && u->ino == f->st.ino) {
            proc_warn(f->p,
                      "File system loop detected; %s is part of the same file system loop as "
                      "an earlier folder.",
                      proc_quote(f->p, buf_get(&f->path)));
            f->status = 1;
            return false;
        }
    }
    return true;
}

static void find_walk(struct find *f, struct find_up *up)
{
    struct find_up here = {0};

    f->has_stat = f->prune = f->bad = false;
    bool dir = find_type(f) == MODE_DIR;
    if (f->bad)
        return;
    bool shown = f->level >= f->min_depth;
    if (shown && !f->depth_first)
        find_eval(f, f->root);
    bool enter = dir && !f->quit && !(f->prune && !f->depth_first) && find_enters(f, up, &here);
    struct stat_info st = f->st;
    bool had = f->has_stat;
    if (enter)
        find_below(f, &here);
    if (shown && f->depth_first && !f->quit) {
        f->st = st;
        f->has_stat = had;
        f->bad = false;
        f->type = dir ? MODE_DIR : f->type;
        find_eval(f, f->root);
    }
}

static void find_start(struct find *f, struct str operand)
{
    f->level = 0;
    f->type = 0;
    f->has_stat = f->bad = false;
    buf_clear(&f->path);
    buf_str(&f->path, operand);
    f->start_len = operand.n;
    struct str strip = files_strip(operand);
    ptrdiff_t slash = str_rchr(strip, '/');
    f->base = slash < 0 || strip.n == 1 ? 0 : (size_t)slash + 1;
    if (operand.n == 0) {
        find_warn(f, operand, HOB_ENOENT);
        return;
    }
    if (!find_stat(f))
        return;
    f->top_dev = f->st.dev;
    find_walk(f, NULL);
}

/* -H -L -P -D -O come before the paths. 0, or a status. */
static int find_options(struct find *f)
{
    for (; f->at < f->argc; f->at++) {
        struct str w = f->argv[f->at];
        if (str_eqz(w, "-H") || str_eqz(w, "-L") || str_eqz(w, "-P")) {
            f->links = w.p[1];
        } else if (str_eqz(w, "-D")) {
            if (++f->at == f->argc) {
                proc_warn(f->p, "Missing argument after the -D option.");
                return 1;
            }
        } else if (str_eqz(w, "--")) {
            f->at++;
            break;
        } else if (!(str_starts(w, STR("-O")) && w.n == 3 && w.p[2] >= '0' && w.p[2] <= '9')) {
            break;
        }
    }
    return 0;
}

static int find_run(struct proc *p, void *args)
{
    struct find *f = args;
    static const struct str here = STR_INIT(".");

    f->p = p;
    f->links = 'P';
    f->max_depth = -1;
    f->regex_flavour = REGEX_EMACS;
    f->argv = p->argv;
    f->argc = p->argc;
    f->now = f->origin = sched_now(&p->kernel->sched);
    f->zone = getdate_zone(p);
    users_init(&f->users, p);
    f->std = arena_new(p->arena, struct find_sink);
    if (!f->std)
        return HOB_ENOMEM;
    out_init(&f->std->out, p, 1);
    int r = find_options(f);
    if (r)
        return r;
    int first = f->at;
    while (f->at < f->argc && !(f->argv[f->at].n > 1 && f->argv[f->at].p[0] == '-') &&
           !str_eqz(f->argv[f->at], "(") && !str_eqz(f->argv[f->at], "!"))
        f->at++;
    int paths = f->at - first;
    buf_init(&f->path, &p->kernel->heap);
    r = find_parse(f);
    for (int i = 0; r == 0 && i < MAX(paths, 1) && !f->quit; i++)
        find_start(f, paths ? f->argv[first + i] : here);
    int end = find_finish_exec(f);
    buf_fini(&f->path);
    for (struct find_sink *s = f->sinks; s; s = s->next) {
        if (out_fini(&s->out) < 0)
            f->status = 1;
        file_unref(s->file);
    }
    return command_close(p, &f->std->out, r ? r : end < 0 ? end : f->status);
}

static const struct opt find_opts[] = {
    OPT_GROUP("Options: -H -L -P -D DEBUGOPTS -OLEVEL -depth -follow -maxdepth N -mindepth N\n"
              "  -mount -xdev -daystart -regextype TYPE -noleaf -warn -nowarn"),
    OPT_GROUP("Operators: ( EXPR )  ! EXPR  -not EXPR  EXPR -a EXPR  EXPR -o EXPR  EXPR , EXPR"),
    OPT_GROUP(
        "Tests (N may be +N or -N): -amin N -anewer FILE -atime N -cmin N -cnewer FILE\n"
        "  -ctime N -empty -executable -false -fstype TYPE -gid N -group NAME -ilname PATTERN\n"
        "  -iname PATTERN -inum N -ipath PATTERN -iregex PATTERN -links N -lname PATTERN\n"
        "  -mmin N -mtime N -name PATTERN -newer FILE -newerXY REFERENCE -nogroup -nouser\n"
        "  -path PATTERN -perm [-/]MODE -readable -regex PATTERN -samefile FILE\n"
        "  -size N[bcwkMG] -true -type [bcdpfls] -uid N -used N -user NAME -wholename PATTERN\n"
        "  -writable -xtype [bcdpfls]"),
    OPT_GROUP(
        "Actions: -delete -exec COMMAND ; -exec COMMAND {} + -execdir COMMAND ; -fls FILE\n"
        "  -fprint FILE -fprint0 FILE -fprintf FILE FORMAT -ls -ok COMMAND ; -okdir COMMAND ;\n"
        "  -print -print0 -printf FORMAT -prune -quit\n"),
    OPT_END,
};

const struct command cmd_find = {
    .name = "find",
    .usage = "[-H] [-L] [-P] [path...] [expression]",
    .summary =
        "Look for files below each path (the working folder if there is none) for which the\n"
        "expression holds. It is -print when it has no action.",
    .opts = find_opts,
    .args_size = sizeof(struct find),
    .flags = CMD_NO_OPTIONS,
    .usage_status = 1,
    .run = find_run,
};

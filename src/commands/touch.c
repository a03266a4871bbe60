/* touch.c -- change the times of files, or make them */
#include "shell/command.h"

#include "commands/lib/getdate.h"

enum {
    TOUCH_ACCESS = 1,
    TOUCH_CHANGE = 2
};

struct touch {
    int which;
    bool no_create, no_deref, force;
    struct str date, reference, stamp;
    int64_t atime, mtime;
};

static int touch_time(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row words[] = {{"atime", TOUCH_ACCESS},  {"access", TOUCH_ACCESS},
                                            {"use", TOUCH_ACCESS},    {"mtime", TOUCH_CHANGE},
                                            {"modify", TOUCH_CHANGE}, {NULL, 0}};
    struct touch *t = args;
    int which = o->letter == 'a' ? TOUCH_ACCESS : TOUCH_CHANGE;
    int r = arg.p ? proc_word(p, "--time", arg, words, &which) : 0;
    t->which |= which;
    return r;
}

static const struct opt touch_opts[] = {
    OPT_CALL('a', NULL, touch_time, NULL, "change the access time only"),
    OPT_FLAG('c', "no-create", struct touch, no_create, "do not make files that are missing"),
    OPT_STRING('d', "date", struct touch, date, "STRING",
               "use the time that STRING describes, not now"),
    OPT_FLAG('f', NULL, struct touch, force, "(ignored)"),
    OPT_FLAG('h', "no-dereference", struct touch, no_deref,
             "change a symbolic link itself, not what it points to"),
    OPT_CALL('m', NULL, touch_time, NULL, "change the modification time only"),
    OPT_STRING('r', "reference", struct touch, reference, "FILE", "use the times of FILE, not now"),
    OPT_STRING('t', NULL, struct touch, stamp, "STAMP", "use [[CC]YY]MMDDhhmm[.ss], not now"),
    OPT_CALL(0, "time", touch_time, "WORD",
             "which time to change: access, atime or use (as -a); modify or mtime (as -m)"),
    OPT_END,
};

static int touch_times(struct proc *p, struct touch *t)
{
    int64_t now = sched_now(&p->kernel->sched);
    struct date_zone zone = getdate_zone(p);

    t->atime = t->mtime = VFS_NOW;
    if ((t->date.p || t->reference.p) && t->stamp.p) {
        proc_warn(p, "cannot specify times from more than one source");
        return proc_usage(p);
    }
    if (t->reference.p) {
        struct stat_info st;
        int r = vfs_stat(p, t->reference, t->no_deref ? VFS_NOFOLLOW : 0, &st);
        if (r < 0) {
            proc_warn_quoted(p, "failed to get attributes of %s", t->reference, r);
            return 1;
        }
        t->atime = st.atime;
        t->mtime = st.mtime;
        if (t->date.p && (getdate_parse(t->date, st.atime, &zone, &t->atime) < 0 ||
                          getdate_parse(t->date, st.mtime, &zone, &t->mtime) < 0)) {
            proc_warn(p, "invalid date format %s", proc_quote(p, t->date));
            return 1;
        }
    } else if (t->date.p || t->stamp.p) {
        struct str text = t->date.p ? t->date : t->stamp;
        int r = t->date.p ? getdate_parse(text, now, &zone, &t->mtime)
                          : getdate_stamp(text, now, &zone, &t->mtime);
        if (r < 0) {
            proc_warn(p, "invalid date format %s", proc_quote(p, text));
            return 1;
        }
        t->atime = t->mtime;
    }
    return 0;
}

static int touch_one(struct proc *p, const struct touch *t, struct str path)
{
    int flags = t->no_deref ? VFS_NOFOLLOW : 0, err = 0;
    struct stat_info st;
    struct file *f;

    if (str_eqz(path, "-")) {
        /* Standard output: by the path it was opened with. */
        f = proc_file(p, 1);
        if (!f || f->path.n == 0)
            return 0;
        path = f->path;
    } else if (!t->no_create && !t->no_deref && vfs_stat(p, path, 0, &st) == HOB_ENOENT) {
        err = vfs_open(p, path, FILE_WRITE | FILE_CREATE, 0666, &f);
        if (err == 0)
            file_unref(f);
    }
    if (err == 0)
        err = vfs_utimes(p, path, t->which & TOUCH_ACCESS ? t->atime : VFS_OMIT,
                         t->which & TOUCH_CHANGE ? t->mtime : VFS_OMIT, flags);
    if (err == 0 || (err == HOB_ENOENT && t->no_create))
        return 0;
    bool opened = !t->no_deref && !t->no_create && path.n && path.p[path.n - 1] != '/' &&
                  !(vfs_stat(p, path, 0, &st) == 0 && MODE_IS_DIR(st.mode));
    if (!opened && path.n)
        proc_warn_quoted(p, "setting times of %s", path, err);
    else
        proc_warn_quoted(p, "cannot touch %s", path, err);
    return 1;
}

static int touch_run(struct proc *p, void *args)
{
    struct touch *t = args;
    int status = touch_times(p, t);

    if (status)
        return status;
    if (!t->which)
        t->which = TOUCH_ACCESS | TOUCH_CHANGE;
    if (p->argc == 0) {
        proc_warn(p, "missing file operand");
        return proc_usage(p);
    }
    for (int i = 0; i < p->argc; i++)
        status |= touch_one(p, t, p->argv[i]);
    return status;
}

const struct command cmd_touch = {
    .name = "touch",
    .usage = "[OPTION]... FILE...",
    .summary = "Set the access and modification times of each FILE to now.",
    .notes =
        "A FILE that does not exist is made, empty, unless -c or -h is given. A FILE that is -\n"
        "stands for the file that standard output goes to.",
    .opts = touch_opts,
    .args_size = sizeof(struct touch),
    .usage_status = 1,
    .run = touch_run,
};

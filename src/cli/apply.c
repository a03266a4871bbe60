/* apply.c -- writing the changes of overlay mounts back to the host, all or nothing
 *
 * First everything is looked at: a path that changed on the host since the script began is a
 * conflict, and nothing is touched. Then every new file is written under a temporary name beside
 * its place. Only then are they moved in, what they replace being kept aside until the end; a
 * failure on the way puts everything back. TM-FS-8
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

enum {
    APPLY_TYPE = 0170000,
    APPLY_DIR = 0040000,
    APPLY_LINK = 0120000
};

struct apply_step {
    const hob_change *change;
    char *target; /* on the host */
    char *staged; /* the new file under its temporary name; NULL: none */
    char *aside;  /* what stood there before, moved away; NULL: nothing */
    bool made;    /* a folder that was made, or a file that was moved in */
};

struct apply {
    struct apply_step *steps;
    size_t n;
    hob_sandbox *box;
    int64_t started;
};

static bool apply_type(uint32_t mode, uint32_t type) { return (mode & APPLY_TYPE) == type; }

static int64_t apply_ctime(const struct stat *st)
{
    return (int64_t)st->st_ctim.tv_sec * 1000000000 + st->st_ctim.tv_nsec;
}

/* The path on the host of a path in the sandbox; NULL if no overlay holds it. */
static char *apply_target(const struct cli_options *o, const char *path)
{
    const struct cli_mount *best = NULL;
    size_t cut = 0;
    for (size_t i = 0; i < o->nmounts; i++) {
        size_t n = strlen(o->mounts[i].guest);
        while (n > 1 && o->mounts[i].guest[n - 1] == '/')
            n--;
        if (n >= cut && strncmp(path, o->mounts[i].guest, n) == 0 && (path[n] == '/' || !path[n])) {
            best = &o->mounts[i];
            cut = n;
        }
    }
    char *t = NULL;
    if (best && best->kind == HOB_MOUNT_OVERLAY && asprintf(&t, "%s%s", best->host, path + cut) < 0)
        t = NULL;
    return t;
}

/* 0, or a message: the host is not as the script saw it. */
static int apply_check(const struct apply *a, const struct apply_step *s)
{
    struct stat st;
    bool there = lstat(s->target, &st) == 0;
    if (s->change->what == HOB_ADDED)
        return there ? cli_error("apply: %s: appeared meanwhile; nothing was written", s->target)
                     : 0;
    if (!there)
        return cli_error("apply: %s: vanished meanwhile; nothing was written", s->target);
    bool dir = S_ISDIR(st.st_mode);
    if ((!dir && apply_ctime(&st) > a->started) ||
        dir != apply_type(s->change->old_mode, APPLY_DIR))
        return cli_error("apply: %s: changed meanwhile; nothing was written", s->target);
    return 0;
}

static int apply_fail(const struct apply_step *s)
{
    return cli_error("apply: %s: %s; nothing was written", s->target, strerror(errno));
}

static char *apply_temporary(const char *target)
{
    char *t;
    const char *slash = strrchr(target, '/');
    int dir = slash ? (int)(slash - target) + 1 : 0;
    if (asprintf(&t, "%.*s.hob-%d-%s", dir, target, (int)getpid(), target + dir) < 0)
        return NULL;
    return t;
}

static int apply_write(const char *path, const char *data, size_t n, mode_t mode)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return -1;
    while (n > 0) {
        ssize_t put = write(fd, data, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            break;
        data += put;
        n -= (size_t)put;
    }
    int bad = n > 0 || fchmod(fd, mode & 0777) != 0 || fsync(fd) != 0;
    int e = errno;
    close(fd);
    errno = e;
    return bad ? -1 : 0;
}

/* Folders are made in place, since they may be empty for a moment; files get temporary names. */
static int apply_stage(struct apply *a, struct apply_step *s)
{
    uint32_t mode = s->change->new_mode;
    if (s->change->what == HOB_REMOVED)
        return 0;
    if (apply_type(mode, APPLY_DIR)) {
        if (s->change->what == HOB_ADDED) {
            s->made = mkdir(s->target, mode & 0777) == 0;
            return s->made ? 0 : apply_fail(s);
        }
        return 0;
    }
    s->staged = apply_temporary(s->target);
    if (!s->staged)
        return apply_fail(s);
    hob_bytes b;
    int r = apply_type(mode, APPLY_LINK) ? hob_readlink(a->box, s->change->path, &b)
                                         : hob_read(a->box, s->change->path, &b);
    if (r < 0) {
        free(s->staged);
        s->staged = NULL;
        return cli_error("apply: %s: %s; nothing was written", s->change->path, hob_error_text(r));
    }
    int bad = apply_type(mode, APPLY_LINK) ? symlink(b.data, s->staged)
                                           : apply_write(s->staged, b.data, b.len, mode);
    int e = errno;
    hob_free(b.data);
    errno = e;
    return bad ? apply_fail(s) : 0;
}

static int apply_commit(struct apply_step *s)
{
    bool was_dir = apply_type(s->change->old_mode, APPLY_DIR);
    bool is_dir = apply_type(s->change->new_mode, APPLY_DIR);
    if (s->change->what == HOB_MODIFIED && was_dir && is_dir)
        return chmod(s->target, s->change->new_mode & 0777) == 0 ? 0 : apply_fail(s);
    if (s->change->what != HOB_ADDED) {
        char *t = apply_temporary(s->target);
        if (!t || asprintf(&s->aside, "%s.old", t) < 0)
            s->aside = NULL;
        free(t);
        if (!s->aside)
            return apply_fail(s);
        if (rename(s->target, s->aside) != 0) {
            free(s->aside);
            s->aside = NULL;
            return apply_fail(s);
        }
    }
    if (s->staged) {
        if (rename(s->staged, s->target) != 0)
            return apply_fail(s);
        free(s->staged);
        s->staged = NULL;
        s->made = true;
    } else if (s->change->what == HOB_MODIFIED && is_dir) {
        if (mkdir(s->target, s->change->new_mode & 0777) != 0)
            return apply_fail(s);
        s->made = true;
    }
    return 0;
}

static void apply_undo(struct apply *a)
{
    for (size_t i = a->n; i-- > 0;) {
        struct apply_step *s = &a->steps[i];
        bool dir = apply_type(s->change->new_mode, APPLY_DIR);
        if (s->staged)
            unlink(s->staged);
        if (s->made)
            dir ? rmdir(s->target) : unlink(s->target);
        if (s->aside)
            rename(s->aside, s->target);
        if (s->change->what == HOB_MODIFIED && dir && !s->made && !s->aside)
            chmod(s->target, s->change->old_mode & 0777);
    }
}

/* What was replaced goes at last; removed folders are empty by then, deepest first. */
static void apply_sweep(struct apply *a)
{
    for (size_t i = a->n; i-- > 0;) {
        struct apply_step *s = &a->steps[i];
        if (s->aside && unlink(s->aside) != 0)
            rmdir(s->aside);
    }
}

/* Removals run from the deepest path up, everything else from the top down: two passes. */
static int apply_all(struct apply *a)
{
    int r = 0;
    for (size_t i = 0; i < a->n && r == 0; i++)
        r = apply_check(a, &a->steps[i]);
    if (r)
        return r;
    for (size_t i = 0; i < a->n && r == 0; i++)
        r = apply_stage(a, &a->steps[i]);
    for (size_t i = a->n; i-- > 0 && r == 0;)
        if (a->steps[i].change->what == HOB_REMOVED &&
            !apply_type(a->steps[i].change->old_mode, APPLY_DIR))
            r = apply_commit(&a->steps[i]);
    for (size_t i = 0; i < a->n && r == 0; i++)
        if (a->steps[i].change->what != HOB_REMOVED)
            r = apply_commit(&a->steps[i]);
    if (r) {
        apply_undo(a);
        return r;
    }
    apply_sweep(a);
    for (size_t i = a->n; i-- > 0;)
        if (a->steps[i].change->what == HOB_REMOVED &&
            apply_type(a->steps[i].change->old_mode, APPLY_DIR) && rmdir(a->steps[i].target) != 0 &&
            errno != ENOENT)
            r = cli_error("apply: %s: %s; the folder stays", a->steps[i].target, strerror(errno));
    return r;
}

int cli_apply(const struct cli_options *o, hob_sandbox *box, const hob_change *c, size_t n,
              int64_t started)
{
    struct apply a = {.steps = calloc(n + 1, sizeof *a.steps), .box = box, .started = started};
    if (!a.steps)
        return cli_error("out of memory");
    for (size_t i = 0; i < n; i++) {
        char *target = apply_target(o, c[i].path);
        if (target)
            a.steps[a.n++] = (struct apply_step){.change = &c[i], .target = target};
    }
    int r = apply_all(&a);
    for (size_t i = 0; i < a.n; i++) {
        free(a.steps[i].target);
        free(a.steps[i].staged);
        free(a.steps[i].aside);
    }
    free(a.steps);
    return r;
}

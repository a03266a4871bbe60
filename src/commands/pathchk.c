/* pathchk.c -- whether names of files are valid and portable */
#include "shell/command.h"

#include "base/utf8.h"

enum { /* what POSIX promises everywhere; the lengths are without the NUL */
    PATHCHK_PATH = 255,
    PATHCHK_NAME = 14
};

struct pathchk {
    bool basic, extra, all;
};

static const struct opt pathchk_opts[] = {
    OPT_FLAG('p', NULL, struct pathchk, basic, "check for what most POSIX systems allow"),
    OPT_FLAG('P', NULL, struct pathchk, extra, "check for empty names and for a - in front"),
    OPT_FLAG(0, "portability", struct pathchk, all, "check for all POSIX systems, as -p -P does"),
    OPT_END,
};

/* The next component of the path from *at on, which is then behind it. */
static bool pathchk_next(struct str path, size_t *at, struct str *part)
{
    size_t i = *at;
    while (i < path.n && path.p[i] == '/')
        i++;
    size_t start = i;
    while (i < path.n && path.p[i] != '/')
        i++;
    *at = i;
    *part = str_sub(path, start, i - start);
    return part->n > 0;
}

static bool pathchk_hyphen(struct proc *p, struct str path)
{
    struct str part;
    for (size_t at = 0; pathchk_next(path, &at, &part);) {
        if (part.p[0] == '-') {
            proc_warn(p, "leading '-' in a component of file name %s", proc_quoteaf(p, path));
            return false;
        }
    }
    return true;
}

static bool pathchk_characters(struct proc *p, struct str path)
{
    for (size_t i = 0; i < path.n; i++) {
        char c = path.p[i];
        if (ascii_alnum(c) || c == '/' || c == '.' || c == '_' || c == '-')
            continue;
        int len;
        utf8_decode(path.p + i, path.n - i, &len);
        proc_warn(p, "nonportable character %s in file name %s",
                  proc_quote(p, str_sub(path, i, (size_t)len)), proc_quoteaf(p, path));
        return false;
    }
    return true;
}

static bool pathchk_lengths(struct proc *p, struct str path, size_t whole, size_t name)
{
    struct str part;

    if (path.n > whole) {
        proc_warn(p, "limit %zu exceeded by length %zu of file name %s", whole, path.n,
                  proc_quoteaf(p, path));
        return false;
    }
    for (size_t at = 0; pathchk_next(path, &at, &part);) {
        if (part.n > name) {
            proc_warn(p, "limit %zu exceeded by length %zu of file name component %s", name, part.n,
                      proc_quote(p, part));
            return false;
        }
    }
    return true;
}

static bool pathchk_one(struct proc *p, const struct pathchk *o, struct str path)
{
    struct stat_info st;

    if (o->extra && !pathchk_hyphen(p, path))
        return false;
    if ((o->basic || o->extra) && path.n == 0) {
        proc_warn(p, "empty file name");
        return false;
    }
    if (o->basic)
        return pathchk_characters(p, path) && pathchk_lengths(p, path, PATHCHK_PATH, PATHCHK_NAME);
    int err = vfs_stat(p, path, VFS_NOFOLLOW, &st);
    if (err < 0 && (err != HOB_ENOENT || path.n == 0)) {
        proc_warn_file(p, path, err);
        return false;
    }
    return err == 0 || pathchk_lengths(p, path, VFS_PATH_MAX - 1, VFS_NAME_MAX);
}

static int pathchk_run(struct proc *p, void *args)
{
    struct pathchk *o = args;
    int status = 0;

    if (p->argc == 0)
        return proc_missing_operand(p);
    o->basic |= o->all;
    o->extra |= o->all;
    for (int i = 0; i < p->argc; i++)
        status |= !pathchk_one(p, o, p->argv[i]);
    return status;
}

const struct command cmd_pathchk = {
    .name = "pathchk",
    .usage = "[OPTION]... NAME...",
    .summary = "Tell which NAMEs are not valid, or not portable.",
    .opts = pathchk_opts,
    .args_size = sizeof(struct pathchk),
    .flags = CMD_POSIXLY,
    .usage_status = 1,
    .run = pathchk_run,
};

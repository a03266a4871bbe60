/* chown.c -- change owner and group: chown and chgrp */
#include "shell/command.h"

#include "base/error.h"
#include "commands/lib/files.h"
#include "commands/lib/users.h"
#include "base/utf8.h"

struct chown {
    bool silent, recursive, preserve_root, no_preserve;
    int tell;           /* 'c' changes, 'v' every file: the last one counts */
    int no_deref, walk; /* walk: 'H' 'L' 'P' */
    struct str reference, from;
    struct str user, group;     /* as they were written */
    int64_t uid, gid;           /* -1: leave */
    int64_t from_uid, from_gid; /* -1: any */
    bool group_only;
    struct proc *p;
    struct users users;
    struct out out;
    int status;
};

#define CHOWN_ROWS                                                                                 \
    OPT_SET('c', "changes", struct chown, tell, 'c', "tell about each change"),                    \
        OPT_FLAG('f', "silent", struct chown, silent, "few messages"),                             \
        OPT_FLAG('f', "quiet", struct chown, silent, "same as --silent"),                          \
        OPT_SET('v', "verbose", struct chown, tell, 'v', "tell about each file"),                  \
        OPT_SET(0, "dereference", struct chown, no_deref, 0, "change what links point to"),        \
        OPT_SET('h', "no-dereference", struct chown, no_deref, 1, "change links themselves"),      \
        OPT_FLAG(0, "no-preserve-root", struct chown, no_preserve, "treat / like any folder"),     \
        OPT_FLAG(0, "preserve-root", struct chown, preserve_root, "refuse / recursively"),         \
        OPT_STRING(0, "reference", struct chown, reference, "RFILE", "use what RFILE has"),        \
        OPT_FLAG('R', "recursive", struct chown, recursive, "folders and what is in them"),        \
        OPT_SET('H', NULL, struct chown, walk, 'H', "with -R, follow operands that are links"),    \
        OPT_SET('L', NULL, struct chown, walk, 'L', "with -R, follow every link to a folder"),     \
        OPT_SET('P', NULL, struct chown, walk, 'P', "with -R, follow no links (default)")

static const struct opt chown_opts[] = {
    CHOWN_ROWS,
    OPT_STRING(0, "from", struct chown, from, "CURRENT", "only files of this OWNER:GROUP"),
    OPT_END,
};
static const struct opt chown_group_opts[] = {CHOWN_ROWS, OPT_END};
#undef CHOWN_ROWS

static bool chown_number(struct str s, int64_t *id)
{
    if (s.n && s.p[0] == '+')
        s = str_from(s, 1);
    return s.n && ascii_digit(s.p[0]) && str_int(s, id) == 0 && *id >= 0 && *id < UINT32_MAX;
}

/* "owner", "owner:", "owner:group", ":group". NULL, or what is wrong. */
static const char *chown_parse(struct chown *c, struct str spec, int64_t *uid, int64_t *gid)
{
    ptrdiff_t at = str_chr(spec, ':');
    struct str owner = str_sub(spec, 0, at < 0 ? spec.n : (size_t)at);
    struct str group = at < 0 ? STR("") : str_from(spec, (size_t)at + 1);
    uint32_t u, g = 0;

    if (uid == &c->uid) {
        c->user = owner;
        c->group = group;
    }
    *uid = *gid = -1;
    if (owner.n) {
        if (users_find(&c->users, owner, &u, &g)) {
            *uid = u;
            if (at >= 0 && group.n == 0)
                *gid = g;
        } else if (!chown_number(owner, uid)) {
            return "invalid user";
        } else if (at >= 0 && group.n == 0) {
            return "invalid spec";
        }
    }
    if (group.n) {
        if (users_find_group(&c->users, group, &g))
            *gid = g;
        else if (!chown_number(group, gid))
            return "invalid group";
    }
    return NULL;
}

/* owner:group; the new one as it was written, where it was. */
static struct str chown_label(struct chown *c, int64_t uid, int64_t gid, bool new)
{
    struct str u = uid < 0            ? STR("")
                   : new && c->user.n ? c->user
                                      : users_name(&c->users, (uint32_t)uid);
    struct str g = gid < 0             ? STR("")
                   : new && c->group.n ? c->group
                                       : users_group(&c->users, (uint32_t)gid);
    struct arena *a = c->p->arena;
    if (uid >= 0 && !u.p)
        u = arena_printf(a, "%lld", (long long)uid);
    if (gid >= 0 && !g.p)
        g = arena_printf(a, "%lld", (long long)gid);
    if (c->group_only)
        return arena_str(a, g);
    return gid >= 0 ? arena_printf(a, "%.*s:%.*s", STR_ARG(u), STR_ARG(g)) : arena_str(a, u);
}

static void chown_tell(struct chown *c, struct str path, const struct stat_info *st, bool failed)
{
    bool changed = (c->uid >= 0 && c->uid != st->uid) || (c->gid >= 0 && c->gid != st->gid);
    const char *what = c->group_only ? "group" : "ownership";
    struct str was = chown_label(c, c->uid >= 0 ? (int64_t)st->uid : -1,
                                 c->gid >= 0 ? (int64_t)st->gid : -1, false);
    struct str now = chown_label(c, c->uid, c->gid, changed);

    if (c->tell != 'v' && !(c->tell == 'c' && changed && !failed))
        return;
    const char *name = proc_quoteaf(c->p, path);
    if (failed)
        out_printf(&c->out, "failed to change %s of %s from %s to %s\n", what, name, was.p, now.p);
    else if (changed)
        out_printf(&c->out, "changed %s of %s from %s to %s\n", what, name, was.p, now.p);
    else
        out_printf(&c->out, "%s of %s retained%s%s\n", what, name, now.n ? " as " : "", now.p);
}

static void chown_one(struct chown *c, struct str path, bool operand)
{
    struct arena_mark mark = arena_mark(c->p->arena);
    bool follow = c->recursive ? c->walk == 'L' || (c->walk == 'H' && operand) : !c->no_deref;
    struct stat_info st;
    int err = vfs_stat(c->p, path, follow && !c->no_deref ? 0 : VFS_NOFOLLOW, &st);

    if (err < 0) {
        if (!c->silent)
            proc_warn_quoted(c->p,
                             follow && vfs_stat(c->p, path, VFS_NOFOLLOW, &st) == 0
                                 ? "cannot dereference %s"
                                 : "cannot access %s",
                             path, err);
        c->status = 1;
        return;
    }
    struct strs names;
    if (c->recursive && MODE_IS_DIR(st.mode) && !task_stack_low(c->p->task) &&
        files_list(c->p, path, &names) == 0) {
        for (size_t i = 0; i < names.n && proc_check(c->p) == 0; i++) {
            struct str name = files_join(c->p, path, names.p[i]);
            if (name.p)
                chown_one(c, name, false);
        }
    }
    if ((c->from_uid < 0 || c->from_uid == st.uid) && (c->from_gid < 0 || c->from_gid == st.gid)) {
        err = vfs_chown(c->p, path, c->uid, c->gid, follow && !c->no_deref ? 0 : VFS_NOFOLLOW);
        if (err < 0) {
            if (!c->silent)
                proc_warn_quoted(c->p,
                                 c->uid < 0 ? "changing group of %s" : "changing ownership of %s",
                                 path, err);
            c->status = 1;
        }
        chown_tell(c, path, &st, err < 0);
    }
    arena_release(c->p->arena, mark);
}

/* Who it shall belong to. 0, or a status. */
static int chown_settle(struct chown *c, struct str spec)
{
    struct proc *p = c->p;
    uint32_t g;
    const char *bad = NULL;

    if (c->reference.p) {
        struct stat_info st;
        int err = vfs_stat(p, c->reference, 0, &st);
        if (err < 0) {
            proc_warn_quoted(p, "failed to get attributes of %s", c->reference, err);
            return 1;
        }
        c->uid = c->group_only ? -1 : (int64_t)st.uid;
        c->gid = st.gid;
    } else if (c->group_only) {
        c->uid = c->gid = -1;
        c->group = spec;
        if (users_find_group(&c->users, spec, &g))
            c->gid = g;
        else if (spec.n && !chown_number(spec, &c->gid))
            bad = "invalid group";
    } else {
        bad = chown_parse(c, spec, &c->uid, &c->gid);
    }
    if (!bad && c->from.p) {
        spec = c->from;
        bad = chown_parse(c, spec, &c->from_uid, &c->from_gid);
    }
    if (!bad)
        return 0;
    proc_warn(p, "%s: %s", bad, proc_quote(p, spec));
    return 1;
}

static int chown_run(struct proc *p, void *args)
{
    struct chown *c = args;
    int first = c->reference.p ? 0 : 1;

    c->p = p;
    c->from_uid = c->from_gid = -1;
    c->group_only = str_eqz(str_z(((const struct command *)p->command)->name), "chgrp");
    users_init(&c->users, p);
    if (p->argc <= first) {
        if (p->argc == 0)
            proc_warn(p, "missing operand");
        else
            proc_warn(p, "missing operand after %s", proc_quote(p, p->argv[p->argc - 1]));
        return proc_usage(p);
    }
    int r = chown_settle(c, p->argv[0]);
    if (r)
        return r;
    out_init(&c->out, p, 1);
    for (int i = first; i < p->argc; i++) {
        if (c->recursive && c->preserve_root && str_eqz(p->argv[i], "/")) {
            proc_warn(p, "it is dangerous to operate recursively on '/'");
            proc_warn(p, "use --no-preserve-root to override this failsafe");
            c->status = 1;
            continue;
        }
        chown_one(c, p->argv[i], true);
    }
    return command_close(p, &c->out, c->status);
}

const struct command cmd_chown = {
    .name = "chown",
    .usage = "[OPTION]... [OWNER][:[GROUP]] FILE...\n[OPTION]... --reference=RFILE FILE...",
    .summary = "Change the owner and/or group of each FILE.",
    .opts = chown_opts,
    .args_size = sizeof(struct chown),
    .usage_status = 1,
    .run = chown_run,
};

const struct command cmd_chgrp = {
    .name = "chgrp",
    .usage = "[OPTION]... GROUP FILE...\n[OPTION]... --reference=RFILE FILE...",
    .summary = "Change the group of each FILE.",
    .opts = chown_group_opts,
    .args_size = sizeof(struct chown),
    .usage_status = 1,
    .run = chown_run,
};

/* readlink.c -- print where symbolic links lead */
#include "shell/command.h"

#include "commands/lib/canon.h"

struct readlink {
    int mode; /* enum canon_mode + 1; 0: only the link itself */
    int verbose;
    bool no_newline, zero;
};

static const struct opt readlink_opts[] = {
    OPT_SET('f', "canonicalize", struct readlink, mode, CANON_LAST_MISSING + 1,
            "follow every link in every part of the name; the last part need not exist"),
    OPT_SET('e', "canonicalize-existing", struct readlink, mode, CANON_EXISTING + 1,
            "the same, all parts must exist"),
    OPT_SET('m', "canonicalize-missing", struct readlink, mode, CANON_ANY + 1,
            "the same, no part need exist"),
    OPT_FLAG('n', "no-newline", struct readlink, no_newline, "no newline behind the last name"),
    OPT_SET('q', "quiet", struct readlink, verbose, 0, "no messages (default)"),
    OPT_SET('s', "silent", struct readlink, verbose, 0, "no messages (default)"),
    OPT_SET('v', "verbose", struct readlink, verbose, 1, "tell what goes wrong"),
    OPT_FLAG('z', "zero", struct readlink, zero, "end each line with NUL, not newline"),
    OPT_END,
};

static int readlink_run(struct proc *p, void *args)
{
    struct readlink *r = args;
    struct buf b;
    struct out o;
    int status = 0;

    if (p->argc == 0)
        return proc_missing_operand(p);
    if (p->argc > 1 && r->no_newline) {
        proc_warn(p, "ignoring --no-newline with multiple arguments");
        r->no_newline = false;
    }
    out_init(&o, p, 1);
    buf_init(&b, &p->kernel->heap);
    for (int i = 0; i < p->argc; i++) {
        buf_clear(&b);
        int err = r->mode ? canon_path(p, p->argv[i], (enum canon_mode)(r->mode - 1), true, &b)
                          : vfs_readlink(p, p->argv[i], &b);
        if (err < 0) {
            status = 1;
            if (r->verbose)
                proc_warn_file(p, p->argv[i], err);
            continue;
        }
        out_str(&o, buf_get(&b));
        if (!r->no_newline)
            out_putc(&o, r->zero ? '\0' : '\n');
    }
    buf_fini(&b);
    return command_close(p, &o, status);
}

const struct command cmd_readlink = {
    .name = "readlink",
    .usage = "[OPTION]... FILE...",
    .summary = "Print what a symbolic link points to, or the canonical name of a file.",
    .opts = readlink_opts,
    .args_size = sizeof(struct readlink),
    .usage_status = 1,
    .run = readlink_run,
};

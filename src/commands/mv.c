/* mv.c -- rename and move files */
#include "commands/lib/copy.h"

static int mv_backup(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct copy *c = args;
    (void)o;
    return files_backup_option(p, &c->backup, arg);
}

static int mv_suffix(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct copy *c = args;
    (void)o;
    c->backup.suffix = arg;
    return c->backup.asked ? 0 : files_backup_option(p, &c->backup, STR_NONE);
}

static int mv_ignore(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p;
    (void)args;
    (void)o;
    (void)arg;
    return 0;
}

static int mv_target(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct copy *c = args;
    (void)o;
    return files_target_option(p, &c->target_dir, arg);
}

static const struct opt mv_opts[] = {
    {OPT_KIND_CALL, OPT_ARG_OPTIONAL | OPT_LONG_ONLY_ARG, 'b', "backup", 0, 0, "CONTROL",
     "keep what would be overwritten: none, numbered, existing or simple", mv_backup},
    OPT_SET('f', "force", struct copy, overwrite, COPY_FORCE, "do not ask before overwriting"),
    OPT_SET('i', "interactive", struct copy, overwrite, COPY_ASK, "ask before overwriting"),
    OPT_SET('n', "no-clobber", struct copy, overwrite, COPY_SKIP, "do not overwrite a file"),
    OPT_FLAG(0, "strip-trailing-slashes", struct copy, strip_slashes,
             "remove slashes at the end of each SOURCE"),
    OPT_CALL('S', "suffix", mv_suffix, "SUFFIX", "what to append to the name of a backup"),
    OPT_CALL('t', "target-directory", mv_target, "DIRECTORY", "move all operands into DIRECTORY"),
    OPT_FLAG('T', "no-target-directory", struct copy, no_target_dir, "treat DEST as a plain file"),
    OPT_FLAG('u', "update", struct copy, update,
             "move only what is newer than the target, or missing there"),
    OPT_FLAG('v', "verbose", struct copy, verbose, "tell about each file"),
    OPT_CALL('Z', "context", mv_ignore, NULL, "accepted and ignored"),
    OPT_END,
};

static int mv_run(struct proc *p, void *args)
{
    struct copy *c = args;

    if (c->backup.asked && c->overwrite == COPY_SKIP) {
        proc_warn(p, "options --backup and --no-clobber are mutually exclusive");
        return proc_usage(p);
    }
    c->move = c->recursive = c->force = true;
    c->keep_mode = c->keep_owner = c->keep_times = c->keep_links = true;
    c->deref = COPY_DEREF_NEVER;
    copy_init(c, p);
    copy_operands(c);
    return copy_fini(c);
}

const struct command cmd_mv = {
    .name = "mv",
    .usage = "[OPTION]... [-T] SOURCE DEST\n[OPTION]... SOURCE... DIRECTORY\n"
             "[OPTION]... -t DIRECTORY SOURCE...",
    .summary = "Rename SOURCE to DEST, or move SOURCEs into DIRECTORY.",
    .notes =
        "Backups have the suffix ~ unless --suffix or SIMPLE_BACKUP_SUFFIX says otherwise; their\n"
        "kind comes from --backup or VERSION_CONTROL. Of -i, -f and -n the last one counts.",
    .opts = mv_opts,
    .args_size = sizeof(struct copy),
    .usage_status = 1,
    .run = mv_run,
};

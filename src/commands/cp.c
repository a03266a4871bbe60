/* cp.c -- copy files and folders */
#include "commands/lib/copy.h"

enum {
    CP_MODE = 1,
    CP_OWNER = 2,
    CP_TIMES = 4,
    CP_LINKS = 8,
    CP_OTHER = 16,
    CP_ALL = 31
};

static void cp_keep(struct copy *c, int what, bool on)
{
    if (what & CP_MODE) {
        c->keep_mode = on;
        c->no_keep_mode = !on;
    }
    if (what & CP_OWNER)
        c->keep_owner = on;
    if (what & CP_TIMES)
        c->keep_times = on;
    if (what & CP_LINKS)
        c->keep_links = on;
}

static int cp_preserve(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row words[] = {{"mode", CP_MODE},       {"timestamps", CP_TIMES},
                                            {"ownership", CP_OWNER}, {"links", CP_LINKS},
                                            {"context", CP_OTHER},   {"xattr", CP_OTHER + 32},
                                            {"all", CP_ALL},         {NULL, 0}};
    bool on = o->name[0] == 'p';

    if (!arg.p || o->letter == 'p') {
        cp_keep(args, CP_MODE | CP_OWNER | CP_TIMES, true);
        return 0;
    }
    for (bool more = true; more;) {
        ptrdiff_t comma = str_chr(arg, ',');
        struct str word = str_sub(arg, 0, comma < 0 ? arg.n : (size_t)comma);
        int what, r = proc_word(p, on ? "--preserve" : "--no-preserve", word, words, &what);
        if (r)
            return r;
        cp_keep(args, what, on);
        more = comma >= 0;
        arg = str_from(arg, word.n + 1);
    }
    return 0;
}

/* Options that stand for several others. */
static int cp_archive(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct copy *c = args;
    (void)p;
    (void)arg;
    c->deref = COPY_DEREF_NEVER;
    c->keep_links = true;
    if (o->letter == 'a') {
        c->recursive = true;
        cp_keep(c, CP_ALL, true);
    }
    return 0;
}

static int cp_backup(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct copy *c = args;
    (void)o;
    return files_backup_option(p, &c->backup, arg);
}

static int cp_suffix(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct copy *c = args;
    (void)o;
    c->backup.suffix = arg;
    return c->backup.asked ? 0 : files_backup_option(p, &c->backup, STR_NONE);
}

static int cp_when(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row reflink[] = {{"auto", 0}, {"always", 1}, {"never", 2}, {NULL, 0}};
    static const struct word_row sparse[] = {{"never", 0}, {"auto", 1}, {"always", 2}, {NULL, 0}};
    int value;
    (void)args;
    if (!arg.p)
        return 0;
    return o->name[0] == 'r' ? proc_word(p, "--reflink", arg, reflink, &value)
                             : proc_word(p, "--sparse", arg, sparse, &value);
}

static int cp_context(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)args;
    (void)o;
    if (arg.p)
        proc_warn(p, "warning: ignoring --context; it requires an SELinux-enabled kernel");
    return 0;
}

static int cp_target(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct copy *c = args;
    (void)o;
    return files_target_option(p, &c->target_dir, arg);
}

static const struct opt cp_opts[] = {
    OPT_CALL('a', "archive", cp_archive, NULL, "same as -dR --preserve=all"),
    OPT_FLAG(0, "attributes-only", struct copy, attributes_only,
             "copy the attributes, not the contents"),
    {OPT_KIND_CALL, OPT_ARG_OPTIONAL | OPT_LONG_ONLY_ARG, 'b', "backup", 0, 0, "CONTROL",
     "keep what would be overwritten: none, numbered, existing or simple", cp_backup},
    OPT_FLAG(0, "copy-contents", struct copy, copy_contents,
             "read special files when copying recursively"),
    OPT_CALL('d', NULL, cp_archive, NULL, "same as --no-dereference --preserve=links"),
    OPT_FLAG('f', "force", struct copy, force,
             "if a file cannot be opened, remove it and try again"),
    OPT_SET('H', NULL, struct copy, deref, COPY_DEREF_OPERANDS,
            "follow symbolic links among the operands"),
    OPT_SET('i', "interactive", struct copy, overwrite, COPY_ASK, "ask before overwriting"),
    OPT_FLAG('l', "link", struct copy, hard_link, "make hard links instead of copying"),
    OPT_SET('L', "dereference", struct copy, deref, COPY_DEREF_ALWAYS,
            "always follow symbolic links"),
    OPT_SET('n', "no-clobber", struct copy, overwrite, COPY_SKIP, "do not overwrite a file"),
    OPT_SET('P', "no-dereference", struct copy, deref, COPY_DEREF_NEVER,
            "never follow symbolic links"),
    {OPT_KIND_CALL, OPT_ARG_OPTIONAL | OPT_LONG_ONLY_ARG, 'p', "preserve", 0, 0, "ATTR_LIST",
     "keep attributes: mode, ownership, timestamps (these three without a list), links, context, "
     "xattr, all",
     cp_preserve},
    OPT_CALL(0, "no-preserve", cp_preserve, "ATTR_LIST", "do not keep these attributes"),
    OPT_FLAG(0, "parents", struct copy, parents, "use the full name of the source below DIRECTORY"),
    OPT_FLAG('R', "recursive", struct copy, recursive, "copy folders with all that is in them"),
    OPT_FLAG('r', NULL, struct copy, recursive, "same as -R"),
    OPT_CALL_OPTIONAL(0, "reflink", cp_when, "WHEN",
                      "accepted: bytes are shared where they can be"),
    OPT_FLAG(0, "remove-destination", struct copy, remove_first,
             "remove each existing target first"),
    OPT_CALL(0, "sparse", cp_when, "WHEN", "accepted: auto, always or never"),
    OPT_FLAG(0, "strip-trailing-slashes", struct copy, strip_slashes,
             "remove slashes at the end of each SOURCE"),
    OPT_FLAG('s', "symbolic-link", struct copy, sym_link, "make symbolic links instead of copying"),
    OPT_CALL('S', "suffix", cp_suffix, "SUFFIX", "what to append to the name of a backup"),
    OPT_CALL('t', "target-directory", cp_target, "DIRECTORY", "copy all operands into DIRECTORY"),
    OPT_FLAG('T', "no-target-directory", struct copy, no_target_dir, "treat DEST as a plain file"),
    OPT_FLAG('u', "update", struct copy, update,
             "copy only what is newer than the target, or missing there"),
    OPT_FLAG('v', "verbose", struct copy, verbose, "tell about each file"),
    OPT_FLAG('x', "one-file-system", struct copy, one_fs, "stay on this file system"),
    OPT_CALL('Z', NULL, cp_context, NULL, "accepted and ignored"),
    OPT_CALL_OPTIONAL(0, "context", cp_context, "CTX", "ignored, with a warning"),
    OPT_END,
};

static int cp_run(struct proc *p, void *args)
{
    struct copy *c = args;

    if (c->hard_link && c->sym_link) {
        proc_warn(p, "cannot make both hard and symbolic links");
        return proc_usage(p);
    }
    if (c->backup.asked && c->overwrite == COPY_SKIP) {
        proc_warn(p, "options --backup and --no-clobber are mutually exclusive");
        return proc_usage(p);
    }
    if (c->deref == COPY_DEREF_UNSET)
        c->deref = c->recursive && !c->hard_link ? COPY_DEREF_NEVER : COPY_DEREF_ALWAYS;
    copy_init(c, p);
    copy_operands(c);
    return copy_fini(c);
}

const struct command cmd_cp = {
    .name = "cp",
    .usage = "[OPTION]... [-T] SOURCE DEST\n[OPTION]... SOURCE... DIRECTORY\n"
             "[OPTION]... -t DIRECTORY SOURCE...",
    .summary = "Copy SOURCE to DEST, or several SOURCEs into DIRECTORY.",
    .notes =
        "Backups have the suffix ~ unless --suffix or SIMPLE_BACKUP_SUFFIX says otherwise; their\n"
        "kind comes from --backup or VERSION_CONTROL.",
    .opts = cp_opts,
    .args_size = sizeof(struct copy),
    .usage_status = 1,
    .run = cp_run,
};

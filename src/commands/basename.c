/* basename.c -- the last part of a path, without a suffix */
#include "shell/command.h"

#include "commands/lib/files.h"

struct basename {
    bool multiple, zero;
    struct str suffix;
};

static const struct opt basename_opts[] = {
    OPT_FLAG('a', "multiple", struct basename, multiple, "each operand is a NAME"),
    OPT_STRING('s', "suffix", struct basename, suffix, "SUFFIX",
               "remove SUFFIX from the end of each NAME; implies -a"),
    OPT_FLAG('z', "zero", struct basename, zero, "end each line with NUL, not newline"),
    OPT_END,
};

static void basename_put(struct out *o, struct str name, struct str suffix, bool zero)
{
    struct str base = files_base(name);
    if (suffix.n && base.n > suffix.n && str_ends(base, suffix))
        base.n -= suffix.n;
    out_str(o, base);
    out_putc(o, zero ? '\0' : '\n');
}

static int basename_run(struct proc *p, void *args)
{
    struct basename *b = args;
    struct out o;

    if (p->argc == 0)
        return proc_missing_operand(p);
    b->multiple |= b->suffix.p != NULL;
    if (!b->multiple && p->argc > 2)
        return proc_extra_operand(p, p->argv[2]);
    out_init(&o, p, 1);
    if (b->multiple) {
        for (int i = 0; i < p->argc; i++)
            basename_put(&o, p->argv[i], b->suffix, b->zero);
    } else {
        basename_put(&o, p->argv[0], p->argc > 1 ? p->argv[1] : STR(""), b->zero);
    }
    return command_close(p, &o, 0);
}

const struct command cmd_basename = {
    .name = "basename",
    .usage = "NAME [SUFFIX]\nOPTION... NAME...",
    .summary = "Print NAME without the folders in front of it, and without SUFFIX at its end.",
    .opts = basename_opts,
    .args_size = sizeof(struct basename),
    .flags = CMD_POSIXLY,
    .usage_status = 1,
    .run = basename_run,
};

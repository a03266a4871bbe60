/* tee.c -- copy standard input to files and to standard output */
#include "shell/command.h"

#include "base/error.h"

enum {
    TEE_SIGPIPE,
    TEE_WARN,
    TEE_WARN_NOPIPE,
    TEE_EXIT,
    TEE_EXIT_NOPIPE
};

struct tee {
    bool append, ignore;
    int mode;
};

static int tee_mode(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row words[] = {{"warn", TEE_WARN},
                                            {"warn-nopipe", TEE_WARN_NOPIPE},
                                            {"exit", TEE_EXIT},
                                            {"exit-nopipe", TEE_EXIT_NOPIPE},
                                            {NULL, 0}};
    struct tee *t = args;
    (void)o;
    t->mode = TEE_WARN_NOPIPE;
    return arg.p ? proc_word(p, "--output-error", arg, words, &t->mode) : 0;
}

static const struct opt tee_opts[] = {
    OPT_FLAG('a', "append", struct tee, append, "append to the FILEs, do not overwrite them"),
    OPT_FLAG('i', "ignore-interrupts", struct tee, ignore, "ignore interrupt signals"),
    {OPT_KIND_CALL, OPT_ARG_OPTIONAL | OPT_LONG_ONLY_ARG, 'p', "output-error", 0, 0, "MODE",
     "what to do when writing fails: warn, warn-nopipe, exit or exit-nopipe; -p is warn-nopipe",
     tee_mode},
    OPT_END,
};

struct tee_target {
    struct file *file; /* NULL: given up */
    struct str name;
};

/* One piece to one target. 0, or the status to end with + 1. */
static int tee_put(struct proc *p, const struct tee *t, struct tee_target *to, struct in *in,
                   int *status)
{
    struct slice s = {blob_ref(in->held.blob), in->p, (size_t)(in->end - in->p)};
    int err = file_give(to->file, p, &s);

    if (err == 0)
        return 0;
    if (proc_check(p) < 0 || err == HOB_EKILLED)
        return HOB_EKILLED;
    to->file = NULL;
    if (err == HOB_EPIPE && (t->mode == TEE_WARN_NOPIPE || t->mode == TEE_EXIT_NOPIPE))
        return 0;
    proc_warn_file(p, to->name, err);
    *status = 1;
    return t->mode == TEE_EXIT || t->mode == TEE_EXIT_NOPIPE ? 2 : 0;
}

static int tee_copy(struct proc *p, const struct tee *t, struct tee_target *to, int n, int *status)
{
    struct in in;
    int r = 0, left = n;

    in_init(&in, p, 0);
    while (r == 0 && left && in_fill(&in)) {
        left = 0;
        for (int i = 0; i < n && r == 0; i++) {
            if (to[i].file)
                r = tee_put(p, t, &to[i], &in, status);
            left += to[i].file != NULL;
        }
        in.p = in.end;
    }
    if (in.err < 0 && in.err != HOB_EKILLED) {
        proc_warn(p, "read error: %s", error_text(in.err));
        *status = 1;
    }
    r = in.err == HOB_EKILLED ? in.err : r;
    in_fini(&in);
    return r;
}

static int tee_run(struct proc *p, void *args)
{
    struct tee *t = args;
    struct tee_target *to = arena_array(p->arena, struct tee_target, p->argc + 1);
    struct file **owned = arena_array(p->arena, struct file *, p->argc + 1);
    unsigned flags = FILE_WRITE | FILE_CREATE | (t->append ? FILE_APPEND : FILE_TRUNC);
    int status = 0, n = 0;

    if (!to || !owned)
        return HOB_ENOMEM;
    if (t->ignore)
        p->sig_ignored |= SIG_BIT(SIG_INT);
    if (t->mode != TEE_SIGPIPE)
        p->sig_ignored |= SIG_BIT(SIG_PIPE);
    to[n++] = (struct tee_target){proc_file(p, 1), STR("standard output")};
    if (!to[0].file) {
        proc_warn_file(p, to[0].name, HOB_EBADF);
        status = 1;
    }
    for (int i = 0; i < p->argc; i++) {
        int err = vfs_open(p, p->argv[i], flags, 0666, &owned[i]);
        if (err < 0) {
            owned[i] = NULL;
            proc_warn_file(p, p->argv[i], err);
            status = 1;
            if (t->mode == TEE_EXIT || t->mode == TEE_EXIT_NOPIPE)
                goto out;
            continue;
        }
        to[n++] = (struct tee_target){owned[i], p->argv[i]};
    }
    int r = tee_copy(p, t, to, n, &status);
    status = r < 0 ? r : status;
out:
    for (int i = 0; i < p->argc; i++)
        file_unref(owned[i]);
    return status;
}

const struct command cmd_tee = {
    .name = "tee",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Copy standard input to each FILE, and also to standard output.",
    .notes = "MODE says what happens when an output cannot be written:\n"
             "  warn         say so and go on\n"
             "  warn-nopipe  say so unless it is a pipe, and go on\n"
             "  exit         say so and stop\n"
             "  exit-nopipe  say so and stop unless it is a pipe",
    .opts = tee_opts,
    .args_size = sizeof(struct tee),
    .usage_status = 1,
    .run = tee_run,
};

/* each.c -- the files named on a command line, one after the other */
#include "commands/lib/each.h"

int each_file(struct proc *p, int (*fn)(struct in *in, void *ud), void *ud)
{
    static const struct str only = STR_INIT("-");
    int status = 0, n = p->argc ? p->argc : 1;

    for (int i = 0; i < n; i++) {
        struct str name = p->argc ? p->argv[i] : only;
        struct in in;
        if (in_open(&in, p, name) < 0) {
            status = 1;
            continue;
        }
        int r = fn(&in, ud), err = in.err;
        in_fini(&in);
        if (r < 0)
            return r;
        if (err < 0) {
            if (err == HOB_ENOMEM || err == HOB_EKILLED)
                return err;
            proc_warn_file(p, name, err);
            status = 1;
        }
        if (r > 0)
            return status;
    }
    return status;
}

int each_at_most(struct proc *p, int n)
{
    return p->argc > n ? proc_extra_operand(p, p->argv[n]) : 0;
}

int each_output(struct proc *p, struct str path, struct out *o, struct file **own)
{
    *own = NULL;
    if (!path.p || str_eqz(path, "-")) {
        out_init(o, p, 1);
        return 0;
    }
    int r = vfs_open(p, path, FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0666, own);
    if (r < 0) {
        proc_warn_file(p, path, r);
        return r;
    }
    out_init_file(o, p, *own);
    return 0;
}

int each_about(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    const struct command *c = p->command;
    struct out out;
    struct buf b;

    (void)args;
    (void)arg;
    out_init(&out, p, 1);
    buf_init(&b, &p->kernel->heap);
    if (o->letter == 'h')
        command_help(&b, c);
    else
        buf_printf(&b, "%s (Hob) %s\n", c->name, HOB_VERSION);
    out_str(&out, buf_get(&b));
    buf_fini(&b);
    return command_close(p, &out, 0) + 1;
}

/* uname.c -- what system this is: uname, arch, nproc, hostname, tty */
#include "shell/command.h"

#define UNAME_RELEASE "6.1.0-hob"
#define UNAME_VERSION "#1 SMP Hob " HOB_VERSION
#define UNAME_MACHINE "x86_64"

enum {
    UNAME_S = 1,
    UNAME_N = 2,
    UNAME_R = 4,
    UNAME_V = 8,
    UNAME_M = 16,
    UNAME_P = 32,
    UNAME_I = 64,
    UNAME_O = 128
};

struct uname {
    int what;
    bool all;
};

static int uname_letter(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p;
    (void)arg;
    ((struct uname *)args)->what |= o->value;
    return 0;
}

#define UNAME_ROW(c, n, v, h)                                                                      \
    {                                                                                              \
        OPT_KIND_CALL, 0, c, n, 0, v, NULL, h, uname_letter                                        \
    }
static const struct opt uname_opts[] = {
    OPT_FLAG('a', "all", struct uname, all,
             "everything, without -p and -i when they are not known"),
    UNAME_ROW('s', "kernel-name", UNAME_S, "name of the kernel"),
    UNAME_ROW('s', "sysname", UNAME_S, "same as --kernel-name"),
    UNAME_ROW('n', "nodename", UNAME_N, "name of the host"),
    UNAME_ROW('r', "kernel-release", UNAME_R, "release of the kernel"),
    UNAME_ROW('r', "release", UNAME_R, "same as --kernel-release"),
    UNAME_ROW('v', "kernel-version", UNAME_V, "version of the kernel"),
    UNAME_ROW('m', "machine", UNAME_M, "kind of machine"),
    UNAME_ROW('p', "processor", UNAME_P, "kind of processor"),
    UNAME_ROW('i', "hardware-platform", UNAME_I, "hardware platform"),
    UNAME_ROW('o', "operating-system", UNAME_O, "operating system"),
    OPT_END,
};
#undef UNAME_ROW

static int uname_print(struct proc *p, int what)
{
    const struct {
        int bit;
        struct str text;
    } parts[] = {{UNAME_S, STR_INIT("Linux")},       {UNAME_N, p->kernel->hostname},
                 {UNAME_R, STR_INIT(UNAME_RELEASE)}, {UNAME_V, STR_INIT(UNAME_VERSION)},
                 {UNAME_M, STR_INIT(UNAME_MACHINE)}, {UNAME_P, STR_INIT("unknown")},
                 {UNAME_I, STR_INIT("unknown")},     {UNAME_O, STR_INIT("GNU/Linux")}};
    struct out o;
    bool any = false;

    out_init(&o, p, 1);
    for (size_t i = 0; i < COUNT(parts); i++) {
        if (!(what & parts[i].bit))
            continue;
        if (any)
            out_putc(&o, ' ');
        out_str(&o, parts[i].text);
        any = true;
    }
    out_putc(&o, '\n');
    return command_close(p, &o, 0);
}

static int uname_run(struct proc *p, void *args)
{
    struct uname *u = args;
    if (p->argc)
        return proc_extra_operand(p, p->argv[0]);
    if (u->all)
        u->what = UNAME_S | UNAME_N | UNAME_R | UNAME_V | UNAME_M | UNAME_O;
    return uname_print(p, u->what ? u->what : UNAME_S);
}

const struct command cmd_uname = {
    .name = "uname",
    .usage = "[OPTION]...",
    .summary = "Print what system this is. Without OPTION, same as -s.",
    .opts = uname_opts,
    .args_size = sizeof(struct uname),
    .usage_status = 1,
    .run = uname_run,
};

static int uname_arch_run(struct proc *p, void *args)
{
    (void)args;
    return p->argc ? proc_extra_operand(p, p->argv[0]) : uname_print(p, UNAME_M);
}

const struct command cmd_arch = {
    .name = "arch",
    .usage = "[OPTION]...",
    .summary = "Print the kind of machine, as uname -m does.",
    .usage_status = 1,
    .run = uname_arch_run,
};

struct uname_nproc {
    bool all;
    struct str ignore;
};

static const struct opt uname_nproc_opts[] = {
    OPT_FLAG(0, "all", struct uname_nproc, all, "all that are installed"),
    OPT_STRING(0, "ignore", struct uname_nproc, ignore, "N", "leave out N of them, if possible"),
    OPT_END,
};

/* A sandbox runs on one processor at a time. */
static int uname_nproc_run(struct proc *p, void *args)
{
    struct uname_nproc *n = args;
    uint64_t v;
    if (p->argc)
        return proc_extra_operand(p, p->argv[0]);
    if (n->ignore.p && size_parse(n->ignore, "", &v) < 0) {
        proc_warn(p, "invalid number: %s", proc_quote(p, n->ignore));
        return 1;
    }
    return proc_write(p, 1, "1\n", 2) < 0;
}

const struct command cmd_nproc = {
    .name = "nproc",
    .usage = "[OPTION]...",
    .summary = "Print how many processors can be used.",
    .opts = uname_nproc_opts,
    .args_size = sizeof(struct uname_nproc),
    .usage_status = 1,
    .run = uname_nproc_run,
};

struct uname_host {
    bool small, full, domain, address, all_addresses;
};

static const struct opt uname_host_opts[] = {
    OPT_FLAG('s', "short", struct uname_host, small, "the name up to its first period"),
    OPT_FLAG('f', "fqdn", struct uname_host, full, "the full name"),
    OPT_FLAG('f', "long", struct uname_host, full, "same as --fqdn"),
    OPT_FLAG('d', "domain", struct uname_host, domain, "the part behind the first period"),
    OPT_FLAG('i', "ip-address", struct uname_host, address, "an address"),
    OPT_FLAG('I', "all-ip-addresses", struct uname_host, all_addresses, "all addresses"),
    OPT_END,
};

static int uname_host_run(struct proc *p, void *args)
{
    struct uname_host *h = args;
    struct str name = p->kernel->hostname;
    ptrdiff_t dot = str_chr(name, '.');
    struct out o;

    if (p->argc) {
        proc_warn(p, "you must be root to change the host name");
        return 1;
    }
    if (h->address || h->all_addresses)
        name = STR("127.0.0.1");
    else if (h->domain)
        name = dot < 0 ? STR("") : str_from(name, (size_t)dot + 1);
    else if (h->small && dot >= 0)
        name = str_sub(name, 0, (size_t)dot);
    out_init(&o, p, 1);
    out_str(&o, name);
    out_putc(&o, '\n');
    return command_close(p, &o, 0);
}

const struct command cmd_hostname = {
    .name = "hostname",
    .usage = "[-s|-f|-d|-i|-I]",
    .summary = "Print the name of the host.",
    .opts = uname_host_opts,
    .args_size = sizeof(struct uname_host),
    .usage_status = 1,
    .run = uname_host_run,
};

struct uname_tty {
    bool silent;
};

static const struct opt uname_tty_opts[] = {
    OPT_FLAG('s', "silent", struct uname_tty, silent, "print nothing, the status tells"),
    OPT_FLAG('s', "quiet", struct uname_tty, silent, "same as --silent"),
    OPT_END,
};

static int uname_tty_run(struct proc *p, void *args)
{
    struct uname_tty *t = args;
    struct file *f = proc_file(p, 0);
    bool tty = f && (f->flags & FILE_TTY);

    if (p->argc)
        return proc_extra_operand(p, p->argv[0]);
    if (!t->silent)
        proc_puts(p, 1, tty ? STR("/dev/tty\n") : STR("not a tty\n"));
    return !tty;
}

const struct command cmd_tty = {
    .name = "tty",
    .usage = "[OPTION]...",
    .summary = "Print the name of the terminal on standard input.",
    .opts = uname_tty_opts,
    .args_size = sizeof(struct uname_tty),
    .usage_status = 2,
    .run = uname_tty_run,
};
#undef UNAME_RELEASE
#undef UNAME_VERSION
#undef UNAME_MACHINE

/* getconf.c -- numbers of the system */
#include "base/error.h"
#include "shell/command.h"

struct getconf {
    bool all;
    struct str spec;
};

static const struct opt getconf_opts[] = {
    OPT_FLAG('a', NULL, struct getconf, all, "print all that is known"),
    OPT_STRING('v', NULL, struct getconf, spec, "SPEC", "(accepted)"),
    OPT_END,
};

/* NULL: taken from the sandbox; "": it is not defined. `path`: it belongs to a file. */
static const struct {
    const char *name, *value;
    bool path;
} getconf_rows[] = {
    {"LINK_MAX", "65000", true},
    {"NAME_MAX", "255", true},
    {"PATH_MAX", "4096", true},
    {"PIPE_BUF", "4096", true},
    {"MAX_CANON", "255", true},
    {"MAX_INPUT", "255", true},
    {"FILESIZEBITS", "64", true},
    {"ARG_MAX", "2097152", false},
    {"ATEXIT_MAX", "2147483647", false},
    {"BC_BASE_MAX", "99", false},
    {"BC_DIM_MAX", "2048", false},
    {"BC_SCALE_MAX", "99", false},
    {"BC_STRING_MAX", "1000", false},
    {"CHAR_BIT", "8", false},
    {"CHAR_MAX", "127", false},
    {"CHAR_MIN", "-128", false},
    {"CHILD_MAX", NULL, false},
    {"CLK_TCK", "100", false},
    {"EXPR_NEST_MAX", "32", false},
    {"GNU_LIBC_VERSION", "glibc 2.36", false},
    {"GNU_LIBPTHREAD_VERSION", "NPTL 2.36", false},
    {"HOST_NAME_MAX", "64", false},
    {"INT_MAX", "2147483647", false},
    {"INT_MIN", "-2147483648", false},
    {"IOV_MAX", "1024", false},
    {"LINE_MAX", "2048", false},
    {"LOGIN_NAME_MAX", "256", false},
    {"LONG_BIT", "64", false},
    {"NGROUPS_MAX", "65536", false},
    {"OPEN_MAX", NULL, false},
    {"PAGESIZE", "4096", false},
    {"PAGE_SIZE", "4096", false},
    {"PATH", "/bin:/usr/bin", false},
    {"RE_DUP_MAX", "32767", false},
    {"SCHAR_MAX", "127", false},
    {"SCHAR_MIN", "-128", false},
    {"SHRT_MAX", "32767", false},
    {"SHRT_MIN", "-32768", false},
    {"SSIZE_MAX", "32767", false},
    {"SYMLOOP_MAX", "", false},
    {"TZNAME_MAX", "", false},
    {"UCHAR_MAX", "255", false},
    {"UINT_MAX", "4294967295", false},
    {"ULONG_MAX", "18446744073709551615", false},
    {"USHRT_MAX", "65535", false},
    {"WORD_BIT", "32", false},
    {"_AVPHYS_PAGES", NULL, false},
    {"_NPROCESSORS_CONF", "1", false},
    {"_NPROCESSORS_ONLN", "1", false},
    {"_PHYS_PAGES", NULL, false},
    {"_POSIX_VERSION", "200809", false},
    {"_XOPEN_VERSION", "700", false},
};

static void getconf_value(struct proc *p, struct out *o, size_t i)
{
    const char *v = getconf_rows[i].value, *name = getconf_rows[i].name;
    const struct kernel *k = p->kernel;
    uint64_t memory = MIN(k->limits.memory, UINT64_C(1) << 54);
    if (v) {
        out_puts(o, *v ? v : "undefined");
        return;
    }
    uint64_t n = strcmp(name, "OPEN_MAX") == 0      ? (uint64_t)proc_max_fds(p)
                 : strcmp(name, "CHILD_MAX") == 0   ? k->limits.processes
                 : strcmp(name, "_PHYS_PAGES") == 0 ? memory / 4096
                                                    : (memory - MIN(k->heap.used, memory)) / 4096;
    out_printf(o, "%llu", (unsigned long long)n);
}

static int getconf_run(struct proc *p, void *args)
{
    struct getconf *g = args;
    struct out o;
    struct stat_info st;
    out_init(&o, p, 1);
    for (size_t i = 0; g->all && i < COUNT(getconf_rows); i++) {
        out_printf(&o, "%-35s", getconf_rows[i].name);
        getconf_value(p, &o, i);
        out_putc(&o, '\n');
    }
    if (g->all)
        return command_close(p, &o, 0);
    size_t i = 0;
    while (p->argc && i < COUNT(getconf_rows) && !str_eqz(p->argv[0], getconf_rows[i].name))
        i++;
    bool known = p->argc && i < COUNT(getconf_rows);
    if (p->argc == 1 && !known) {
        proc_warn(p, "Unrecognized variable `%.*s'", STR_ARG(p->argv[0]));
        return 2;
    }
    if (p->argc == 0 || p->argc > 2 || !known || getconf_rows[i].path != (p->argc == 2))
        return proc_usage(p);
    int e = p->argc == 2 ? vfs_stat(p, p->argv[1], 0, &st) : 0;
    if (e < 0) {
        proc_warn(p, "%.*s: %s", STR_ARG(p->argv[1]), error_text(e));
        return 1;
    }
    getconf_value(p, &o, i);
    out_putc(&o, '\n');
    return command_close(p, &o, 0);
}

const struct command cmd_getconf = {
    .name = "getconf",
    .usage = "[-v SPEC] NAME [PATH]\ngetconf -a [PATH]",
    .summary = "Print a number of the system.",
    .opts = getconf_opts,
    .args_size = sizeof(struct getconf),
    .flags = CMD_USAGE_LINE,
    .usage_status = 2,
    .run = getconf_run,
};

/* pgrep.c -- pgrep and pkill: processes by name, and signals to them */
#include "base/error.h"
#include "commands/lib/users.h"
#include "shell/command.h"
#include "text/regex.h"

struct pgrep {
    bool list_name, list_full, full, count, exact, invert, newest, oldest, icase, echo;
    bool no_ancestors, threads;
    struct str delimiter, signal, pid_file, states, older;
    struct strs parents, groups, users, sessions, real_groups, terminals;
};

static int pgrep_opt_list(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct strs *to = (void *)((char *)args + o->offset);
    while (arg.n) {
        ptrdiff_t comma = str_chr(arg, ',');
        struct str one = comma < 0 ? arg : str_sub(arg, 0, (size_t)comma);
        if (!proc_push(p, to, one))
            return 2;
        arg = str_from(arg, one.n + 1);
    }
    return 0;
}

#define PGREP_FLAG(l, n, f, h) OPT_FLAG(l, n, struct pgrep, f, h)
#define PGREP_LIST(l, n, f, a, h)                                                                  \
    {                                                                                              \
        OPT_KIND_CALL, 0, l, n, offsetof(struct pgrep, f), 0, a, h, pgrep_opt_list                 \
    }
/* What both choose by. */
#define PGREP_CHOICE                                                                               \
    PGREP_FLAG('c', "count", count, "print how many there are"),                                   \
        PGREP_FLAG('f', "full", full, "match the whole command line"),                             \
        PGREP_LIST('g', "pgroup", groups, "PGID,...",                                              \
                   "in these process groups; 0 is the own one"),                                   \
        PGREP_FLAG('i', "ignore-case", icase, "ignore case"),                                      \
        PGREP_FLAG('n', "newest", newest, "the newest one"),                                       \
        PGREP_FLAG('o', "oldest", oldest, "the oldest one"),                                       \
        PGREP_LIST('P', "parent", parents, "PPID,...", "children of these"),                       \
        PGREP_LIST('s', "session", sessions, "SID,...", "in these sessions; 0 is the own one"),    \
        PGREP_LIST('u', "euid", users, "ID,...", "of these users"),                                \
        PGREP_LIST('U', "uid", users, "ID,...", "of these users"),                                 \
        PGREP_LIST('G', "group", real_groups, "GID,...", "of these groups"),                       \
        OPT_STRING('O', "older", struct pgrep, older, "SECONDS", "that run for so long"),          \
        OPT_STRING('F', "pidfile", struct pgrep, pid_file, "FILE",                                 \
                   "the one whose number is in FILE"),                                             \
        OPT_STRING('r', "runstates", struct pgrep, states, "STATES",                               \
                   "in these states: R, S, T, Z"),                                                 \
        PGREP_LIST('t', "terminal", terminals, "TTY,...",                                          \
                   "of these terminals (none has one here)"),                                      \
        PGREP_FLAG('A', "ignore-ancestors", no_ancestors, "not those that started this one"),      \
        PGREP_FLAG('x', "exact", exact, "the whole name must match")
static const struct opt pgrep_opts[] = {
    OPT_STRING('d', "delimiter", struct pgrep, delimiter, "STRING", "put STRING between the pids"),
    PGREP_FLAG('l', "list-name", list_name, "print the names, too"),
    PGREP_FLAG('a', "list-full", list_full, "print the command lines, too"),
    PGREP_FLAG('v', "inverse", invert, "those that do not match"),
    PGREP_FLAG('w', "lightweight", threads, "threads, too: each process is one here"),
    PGREP_CHOICE,
    OPT_END,
};
static const struct opt pgrep_kill_opts[] = {
    OPT_STRING(0, "signal", struct pgrep, signal, "SIG", "the signal, also as -SIG (default TERM)"),
    PGREP_FLAG('e', "echo", echo, "tell what is killed"),
    PGREP_CHOICE,
    OPT_END,
};
#undef PGREP_FLAG
#undef PGREP_LIST
#undef PGREP_CHOICE

struct pgrep_run {
    struct proc *p;
    struct pgrep *o;
    int64_t pid, older; /* of -F and -O; -1: not given */
    struct users users;
    struct regex *re;
    struct buf line; /* of the process that is looked at */
};

static struct str pgrep_line(struct pgrep_run *r, const struct proc *q)
{
    int n;
    const struct str *words = proc_words(q, &n);
    buf_clear(&r->line);
    for (int i = 0; i < n; i++) {
        if (i)
            buf_putc(&r->line, ' ');
        buf_str(&r->line, words[i]);
    }
    return buf_get(&r->line);
}

static bool pgrep_in(const struct strs *list, int64_t n, int64_t own)
{
    int64_t v;
    for (size_t i = 0; i < list->n; i++)
        if (str_int(list->p[i], &v) == 0 && (v == n || (v == 0 && own == n)))
            return true;
    return list->n == 0;
}

static bool pgrep_of_user(struct pgrep_run *r, const struct proc *q)
{
    struct str name = users_name(&r->users, q->uid);
    for (size_t i = 0; i < r->o->users.n; i++)
        if (name.p && str_eq(r->o->users.p[i], name))
            return true;
    return pgrep_in(&r->o->users, q->uid, -1);
}

static bool pgrep_of_group(struct pgrep_run *r, const struct proc *q)
{
    struct str name = users_group(&r->users, q->gid);
    for (size_t i = 0; i < r->o->real_groups.n; i++)
        if (name.p && str_eq(r->o->real_groups.p[i], name))
            return true;
    return pgrep_in(&r->o->real_groups, q->gid, -1);
}

static bool pgrep_is_ancestor(const struct pgrep_run *r, const struct proc *q)
{
    for (const struct proc *up = r->p->parent; up; up = up->parent)
        if (up == q)
            return true;
    return false;
}

/* What -F, -O, -r, -t and -G ask for. */
static bool pgrep_fits(struct pgrep_run *r, const struct proc *q)
{
    const struct pgrep *o = r->o;
    int64_t age = (sched_now(&r->p->kernel->sched) - q->started) / 1000000000;
    return (r->pid < 0 || q->pid == r->pid) && age >= r->older && o->terminals.n == 0 &&
           (!o->states.p || str_chr(o->states, proc_letter(q)) >= 0) && pgrep_of_group(r, q);
}

/* 1, 0 or a negative error. */
static int pgrep_matches(struct pgrep_run *r, const struct proc *q)
{
    struct pgrep *o = r->o;
    int found = pgrep_in(&o->parents, q->parent ? q->parent->pid : 0, -1) &&
                pgrep_in(&o->groups, q->pgid, r->p->pgid) &&
                pgrep_in(&o->sessions, q->sid, r->p->sid) && pgrep_of_user(r, q) &&
                pgrep_fits(r, q);
    if (found && r->re) {
        struct str text = o->full ? pgrep_line(r, q) : proc_comm(q);
        found = regex_is_match(r->re, text);
        if (found < 0)
            return found;
    }
    return found != o->invert;
}

/* All that match, in order of their pids; the process that looks is not among them. */
static int pgrep_collect(struct pgrep_run *r, struct proc ***list, size_t *n)
{
    struct kernel *k = r->p->kernel;
    *n = 0;
    *list = arena_array(r->p->arena, struct proc *, k->nprocs + 1);
    if (!*list)
        return HOB_ENOMEM;
    for (struct proc *q = k->procs; q && *n < k->nprocs; q = q->next) {
        if (q == r->p || (r->o->no_ancestors && pgrep_is_ancestor(r, q)))
            continue;
        int m = pgrep_matches(r, q);
        if (m < 0)
            return m;
        if (m)
            (*list)[(*n)++] = q;
    }
    if (*n > 1 && (r->o->newest || r->o->oldest)) {
        (*list)[0] = (*list)[r->o->newest ? *n - 1 : 0];
        *n = 1;
    }
    return proc_tick(r->p, (int64_t)*n + 1);
}

static int pgrep_pattern(struct pgrep_run *r)
{
    struct hob_error err = {0};
    unsigned flags = REGEX_ERE | (r->o->icase ? REGEX_ICASE : 0) | (r->o->exact ? REGEX_WHOLE : 0);
    if (r->p->argc == 0)
        return 0;
    int e = regex_compile(&r->p->kernel->heap, r->p->argv[0], flags, &r->re, &err);
    if (e < 0 && e != HOB_ENOMEM) {
        proc_warn(r->p, "regex error: Invalid regular expression");
        return 2;
    }
    return e;
}

static int pgrep_usage(struct proc *p, const char *text)
{
    proc_warn(p, "%s", text);
    proc_printf_err(p, "Try `%.*s --help' for more information.\n", STR_ARG(p->name));
    return 2;
}

/* The number at the begin of the file of -F. 0, or a status. */
static int pgrep_pid_file(struct pgrep_run *r)
{
    struct in in;
    struct str line;
    bool had;
    int64_t n = -1;
    if (in_open_quiet(&in, r->p, r->o->pid_file) == 0) {
        if (in_line(&in, '\n', &line, &had) && str_int(str_trim(line), &n) < 0)
            n = -1;
        in_fini(&in);
    }
    r->pid = n;
    if (n >= 1)
        return 0;
    pgrep_usage(r->p, "pidfile not valid");
    return 1;
}

/* Names of groups that nobody has are an error. */
static int pgrep_check_groups(struct pgrep_run *r)
{
    int64_t n;
    uint32_t gid;
    for (size_t i = 0; i < r->o->real_groups.n; i++) {
        struct str g = r->o->real_groups.p[i];
        if (str_int(g, &n) < 0 && !users_find_group(&r->users, g, &gid)) {
            proc_warn(r->p, "invalid group name: %.*s", STR_ARG(g));
            return 2;
        }
    }
    return 0;
}

static void pgrep_print(struct pgrep_run *r, struct out *out, struct proc **list, size_t n)
{
    struct pgrep *o = r->o;
    struct str sep = o->delimiter.p ? o->delimiter : STR("\n");
    for (size_t i = 0; i < n; i++) {
        if (i)
            out_str(out, sep);
        out_printf(out, "%d", list[i]->pid);
        if (o->list_full || o->list_name) {
            out_putc(out, ' ');
            out_str(out, o->list_full ? pgrep_line(r, list[i]) : proc_comm(list[i]));
        }
    }
    if (n)
        out_putc(out, '\n');
}

static void pgrep_kill(struct pgrep_run *r, struct out *out, struct proc **list, size_t n, int sig)
{
    int *pids = arena_array(r->p->arena, int, n + 1);
    for (size_t i = 0; pids && i < n; i++) /* one that dies takes its struct along */
        pids[i] = list[i]->pid;
    for (size_t i = 0; pids && i < n; i++) {
        struct proc *q = proc_find(r->p->kernel, pids[i]);
        if (q && r->o->echo)
            out_printf(out, "%.*s killed (pid %d)\n", STR_ARG(proc_comm(q)), pids[i]);
        if (q)
            proc_kill(r->p, pids[i], sig);
    }
}

static int pgrep_run(struct proc *p, void *args)
{
    struct pgrep_run r = {.p = p, .o = args, .pid = -1};
    const struct command *c = p->command;
    bool kills = strcmp(c->name, "pkill") == 0;
    struct pgrep *o = r.o;
    struct proc **list;
    struct out out;
    size_t n;
    int sig = SIG_TERM;
    bool criteria = p->argc || o->parents.n || o->groups.n || o->users.n || o->sessions.n ||
                    o->newest || o->oldest || o->pid_file.p || o->older.p || o->states.p ||
                    o->terminals.n || o->real_groups.n;
    if (!criteria)
        return pgrep_usage(p, "no matching criteria specified");
    if (p->argc > 1)
        return pgrep_usage(p, "only one pattern can be provided");
    if (o->signal.p && (sig = signal_number(o->signal)) < 0) {
        proc_warn(p, "Unknown signal \"%.*s\".", STR_ARG(o->signal));
        return 2;
    }
    users_init(&r.users, p);
    buf_init(&r.line, &p->kernel->heap);
    out_init(&out, p, 1);
    if (o->older.p && str_int(o->older, &r.older) < 0)
        r.older = 0;
    int e = pgrep_check_groups(&r);
    if (e == 0 && o->pid_file.p)
        e = pgrep_pid_file(&r);
    if (e == 0)
        e = pgrep_pattern(&r);
    if (e == 0)
        e = pgrep_collect(&r, &list, &n);
    if (e == 0) {
        if (kills)
            pgrep_kill(&r, &out, list, n, sig);
        if (o->count)
            out_printf(&out, "%zu\n", n);
        else if (!kills)
            pgrep_print(&r, &out, list, n);
        e = n == 0;
    }
    buf_fini(&r.line);
    regex_free(r.re);
    return command_close(p, &out, e);
}

/* pkill -9, -HUP, -SIGHUP: taken out of the words before the options are parsed. */
static void pgrep_kill_defaults(struct proc *p, void *args)
{
    struct pgrep *o = args;
    for (int i = 0; i < p->argc; i++) {
        struct str w = p->argv[i];
        if (w.n < 2 || w.p[0] != '-' || w.p[1] == '-')
            continue;
        struct str name = str_from(w, 1);
        bool number = name.p[0] >= '0' && name.p[0] <= '9';
        if ((number || name.n > 1) && signal_number(name) >= 0) {
            o->signal = name;
            p->argv[i] = number ? w : arena_printf(p->arena, "--signal=%.*s", STR_ARG(name));
        }
    }
}

static int pgrep_number(struct proc *p, void *args, struct str digits)
{
    (void)p;
    ((struct pgrep *)args)->signal = digits;
    return NUMBER_TAKEN;
}

const struct command cmd_pgrep = {
    .name = "pgrep",
    .usage = "[OPTION]... PATTERN",
    .summary = "Print the numbers of the processes whose names match PATTERN.",
    .opts = pgrep_opts,
    .args_size = sizeof(struct pgrep),
    .usage_status = 2,
    .run = pgrep_run,
};

const struct command cmd_pkill = {
    .name = "pkill",
    .usage = "[-SIGNAL] [OPTION]... PATTERN",
    .summary = "Send a signal to the processes whose names match PATTERN.",
    .opts = pgrep_kill_opts,
    .args_size = sizeof(struct pgrep),
    .usage_status = 2,
    .flags = CMD_NUMERIC,
    .run = pgrep_run,
    .defaults = pgrep_kill_defaults,
    .number = pgrep_number,
};

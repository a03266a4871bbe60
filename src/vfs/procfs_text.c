/* procfs_text.c -- what the files of /proc say, in the formats of Linux */
#include "vfs/procfs.h"

enum {
    PROCFS_HZ = 100,
    PROCFS_PAGE = 4096
};

static int64_t procfs_uptime(struct kernel *k) { return sched_now(&k->sched) - k->boot; }

/* Hundredths of a second. */
static int64_t procfs_ticks(int64_t ns) { return MAX(ns, 0) / (1000000000 / PROCFS_HZ); }

/* ---- the top --------------------------------------------------------------------------------- */

static void procfs_version(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)k;
    (void)p;
    buf_addz(out, "Linux version 6.1.0-hob (hob@hob) (hob " HOB_VERSION ") #1 SMP Hob\n");
}

static void procfs_cpuinfo(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)k;
    (void)p;
    buf_addz(out, "processor\t: 0\nvendor_id\t: Hob\ncpu family\t: 1\nmodel\t\t: 1\n"
                  "model name\t: Hob virtual CPU\nstepping\t: 1\ncpu MHz\t\t: 1000.000\n"
                  "cache size\t: 1024 KB\nphysical id\t: 0\nsiblings\t: 1\ncore id\t\t: 0\n"
                  "cpu cores\t: 1\nfpu\t\t: yes\nbogomips\t: 2000.00\n\n");
}

static void procfs_meminfo(struct kernel *k, struct proc *p, struct buf *out)
{
    uint64_t total = MIN(k->limits.memory, UINT64_C(1) << 44) / 1024;
    uint64_t used = MIN(k->heap.used / 1024, total), free = total - used;

    (void)p;
    buf_printf(out, "MemTotal:       %8llu kB\n", (unsigned long long)total);
    buf_printf(out, "MemFree:        %8llu kB\n", (unsigned long long)free);
    buf_printf(out, "MemAvailable:   %8llu kB\n", (unsigned long long)free);
    buf_addz(out, "Buffers:               0 kB\nCached:                0 kB\n"
                  "SwapCached:            0 kB\nSwapTotal:             0 kB\n"
                  "SwapFree:              0 kB\n");
}

static void procfs_uptime_text(struct kernel *k, struct proc *p, struct buf *out)
{
    long long t = (long long)procfs_ticks(procfs_uptime(k));

    (void)p;
    buf_printf(out, "%lld.%02lld %lld.%02lld\n", t / 100, t % 100, t / 100, t % 100);
}

static void procfs_loadavg(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)p;
    buf_printf(out, "0.00 0.00 0.00 1/%zu %d\n", MAX(k->nprocs, 1), MAX(k->next_pid - 1, 1));
}

static void procfs_filesystems(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)k;
    (void)p;
    buf_addz(out, "nodev\ttree\nnodev\toverlay\nnodev\tproc\nnodev\tdevtmpfs\nnodev\tbinfs\n");
}

static void procfs_mounts(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)p;
    for (size_t i = k->vfs->n; i-- > 0;) {
        const struct mount *m = &k->vfs->mounts[i];
        buf_printf(out, "%s ", m->fs->ops->name);
        for (size_t j = 0; j < m->path.n; j++) {
            char c = m->path.p[j];
            if (c == ' ' || c == '\t' || c == '\n' || c == '\\')
                buf_printf(out, "\\%03o", (unsigned char)c);
            else
                buf_putc(out, c);
        }
        buf_printf(out, " %s %s,relatime 0 0\n", m->fs->ops->name,
                   m->fs->flags & FS_READONLY ? "ro" : "rw");
    }
}

static void procfs_stat_text(struct kernel *k, struct proc *p, struct buf *out)
{
    long long up = (long long)procfs_ticks(procfs_uptime(k));
    long long user = (long long)(k->sched.fuel_used / 100000);

    (void)p;
    buf_printf(out, "cpu  %lld 0 0 %lld 0 0 0 0 0 0\n", user, MAX(up - user, 0));
    buf_printf(out, "cpu0 %lld 0 0 %lld 0 0 0 0 0 0\n", user, MAX(up - user, 0));
    buf_printf(out, "intr 0\nctxt 0\nbtime %lld\nprocesses %d\n", (long long)(k->boot / 1000000000),
               MAX(k->next_pid - 1, 1));
    buf_addz(out, "procs_running 1\nprocs_blocked 0\n");
}

static void procfs_cmdline_top(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)k;
    (void)p;
    buf_addz(out, "hob\n");
}

static void procfs_mounts_link(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)k;
    (void)p;
    buf_addz(out, "self/mounts");
}

static void procfs_hostname(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)p;
    buf_str(out, k->hostname);
    buf_putc(out, '\n');
}

static void procfs_ostype(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)k;
    (void)p;
    buf_addz(out, "Linux\n");
}

static void procfs_osrelease(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)k;
    (void)p;
    buf_addz(out, "6.1.0-hob\n");
}

static void procfs_osversion(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)k;
    (void)p;
    buf_addz(out, "#1 SMP Hob\n");
}

static void procfs_pid_max(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)k;
    (void)p;
    buf_addz(out, "4194304\n");
}

/* A random UUID of version 4, another one each time. */
static void procfs_uuid(struct kernel *k, struct proc *p, struct buf *out)
{
    uint64_t a = random_next(&k->random), b = random_next(&k->random);

    (void)p;
    buf_printf(out, "%08x-%04x-4%03x-%04x-%012llx\n", (unsigned)(a >> 32),
               (unsigned)(a >> 16 & 0xffff), (unsigned)(a & 0xfff),
               (unsigned)((b >> 48 & 0x3fff) | 0x8000),
               (unsigned long long)(b & UINT64_C(0xffffffffffff)));
}

static void procfs_entropy(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)k;
    (void)p;
    buf_addz(out, "256\n");
}

/* ---- a process ------------------------------------------------------------------------------- */

static void procfs_cmdline(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)k;
    int n;
    const struct str *words = proc_words(p, &n);
    for (int i = 0; i < n && p->state != PROC_ZOMBIE; i++) {
        buf_str(out, words[i]);
        buf_putc(out, '\0');
    }
}

static void procfs_comm(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)k;
    buf_str(out, proc_comm(p));
    buf_putc(out, '\n');
}

static void procfs_cwd(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)k;
    buf_str(out, p->cwd.n > 0 ? p->cwd : STR("/"));
}

static void procfs_root(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)k;
    (void)p;
    buf_putc(out, '/');
}

static void procfs_exe(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)k;
    buf_addz(out, "/usr/bin/");
    buf_str(out, p->command ? proc_comm(p) : STR("bash"));
}

static int procfs_environ_each(void *ud, struct str name, struct str value)
{
    struct buf *out = ud;

    buf_str(out, name);
    buf_putc(out, '=');
    buf_str(out, value);
    buf_putc(out, '\0');
    return 0;
}

static void procfs_environ(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)k;
    if (p->env && p->env->each && p->state != PROC_ZOMBIE)
        p->env->each(p->env_ctx, procfs_environ_each, out);
}

static void procfs_pid_stat(struct kernel *k, struct proc *p, struct buf *out)
{
    struct str comm = proc_comm(p);

    buf_printf(out, "%d (%.*s) %c %d %d %d 0 -1 4194304 0 0 0 0 %lld 0 0 0 20 0 1 0 %lld ", p->pid,
               STR_ARG(comm), proc_letter(p), proc_ppid(p), p->pgid, p->sid,
               (long long)(p->cpu / 100000), (long long)procfs_ticks(p->started - k->boot));
    buf_addz(out, "8388608 256 18446744073709551615 0 0 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 "
                  "0 0 0 0 0 0 0 0\n");
}

static void procfs_statm(struct kernel *k, struct proc *p, struct buf *out)
{
    (void)p;
    size_t pages = k->heap.used / PROCFS_PAGE + 1;
    buf_printf(out, "%zu %zu 0 0 0 %zu 0\n", pages, pages, pages);
}

static void procfs_status(struct kernel *k, struct proc *p, struct buf *out)
{
    char state = proc_letter(p);
    const char *text = state == 'Z'   ? "zombie"
                       : state == 'T' ? "stopped"
                       : state == 'S' ? "sleeping"
                                      : "running";
    int fds = 0;

    for (int fd = 0; p->fds && fd < p->fds->n; fd++)
        fds += p->fds->p[fd].file != NULL;
    buf_printf(out, "Name:\t%.*s\n", STR_ARG(proc_comm(p)));
    buf_printf(out, "Umask:\t%04o\nState:\t%c (%s)\n", p->umask, state, text);
    buf_printf(out, "Tgid:\t%d\nNgid:\t0\nPid:\t%d\nPPid:\t%d\nTracerPid:\t0\n", p->pid, p->pid,
               proc_ppid(p));
    buf_printf(out, "Uid:\t%u\t%u\t%u\t%u\n", p->uid, p->uid, p->uid, p->uid);
    buf_printf(out, "Gid:\t%u\t%u\t%u\t%u\n", p->gid, p->gid, p->gid, p->gid);
    buf_printf(out, "FDSize:\t%d\nGroups:\t%u\n", MAX(fds, 64), p->gid);
    buf_printf(out, "VmPeak:\t%8zu kB\nVmSize:\t%8zu kB\nVmRSS:\t%8zu kB\n", k->heap.peak / 1024,
               k->heap.used / 1024, k->heap.used / 1024);
    buf_addz(out, "Threads:\t1\n");
    buf_printf(out, "SigPnd:\t%016llx\nSigIgn:\t%016llx\nSigCgt:\t%016llx\n",
               (unsigned long long)p->sig_pending, (unsigned long long)p->sig_ignored,
               (unsigned long long)p->sig_caught);
}

/* Whoever looks. */
static void procfs_self(struct kernel *k, struct proc *p, struct buf *out)
{
    p = k->sched.current ? k->sched.current->proc : k->procs_last;
    buf_printf(out, "%d", p ? p->pid : 1);
}

const struct procfs_entry procfs_top_table[] = {
    {"self", PROCFS_LINK, 0, procfs_self},
    {"cmdline", PROCFS_FILE, 0444, procfs_cmdline_top},
    {"cpuinfo", PROCFS_FILE, 0444, procfs_cpuinfo},
    {"filesystems", PROCFS_FILE, 0444, procfs_filesystems},
    {"loadavg", PROCFS_FILE, 0444, procfs_loadavg},
    {"meminfo", PROCFS_FILE, 0444, procfs_meminfo},
    {"mounts", PROCFS_LINK, 0, procfs_mounts_link},
    {"stat", PROCFS_FILE, 0444, procfs_stat_text},
    {"sys", PROCFS_DIR, 0, NULL},
    {"sys/kernel", PROCFS_DIR, 0, NULL},
    {"sys/kernel/hostname", PROCFS_FILE, 0444, procfs_hostname},
    {"sys/kernel/osrelease", PROCFS_FILE, 0444, procfs_osrelease},
    {"sys/kernel/ostype", PROCFS_FILE, 0444, procfs_ostype},
    {"sys/kernel/pid_max", PROCFS_FILE, 0444, procfs_pid_max},
    {"sys/kernel/random", PROCFS_DIR, 0, NULL},
    {"sys/kernel/random/entropy_avail", PROCFS_FILE, 0444, procfs_entropy},
    {"sys/kernel/random/uuid", PROCFS_FILE, 0444, procfs_uuid},
    {"sys/kernel/version", PROCFS_FILE, 0444, procfs_osversion},
    {"uptime", PROCFS_FILE, 0444, procfs_uptime_text},
    {"version", PROCFS_FILE, 0444, procfs_version},
    {NULL, 0, 0, NULL},
};

const struct procfs_entry procfs_pid_table[] = {
    {"cmdline", PROCFS_FILE, 0444, procfs_cmdline},
    {"comm", PROCFS_FILE, 0444, procfs_comm},
    {"cwd", PROCFS_LINK, 0, procfs_cwd},
    {"environ", PROCFS_FILE, 0400, procfs_environ},
    {"exe", PROCFS_LINK, 0, procfs_exe},
    {"mounts", PROCFS_FILE, 0444, procfs_mounts},
    {"root", PROCFS_LINK, 0, procfs_root},
    {"stat", PROCFS_FILE, 0444, procfs_pid_stat},
    {"statm", PROCFS_FILE, 0444, procfs_statm},
    {"status", PROCFS_FILE, 0444, procfs_status},
    {NULL, 0, 0, NULL},
};

/* time.c -- the program time: run a command and tell what it took */
#include "base/error.h"
#include "commands/lib/launch.h"
#include "shell/command.h"

enum {
    TIME_FAILED = 125
};

struct timecmd {
    bool portable, append, verbose, quiet;
    struct str format, output;
};

static const struct opt time_opts[] = {
    OPT_FLAG('a', "append", struct timecmd, append, "with -o: write behind what is there"),
    OPT_STRING('f', "format", struct timecmd, format, "FORMAT", "what to tell"),
    OPT_STRING('o', "output", struct timecmd, output, "FILE", "tell it to FILE, not to stderr"),
    OPT_FLAG('p', "portability", struct timecmd, portable, "as POSIX has it"),
    OPT_FLAG('q', "quiet", struct timecmd, quiet, "do not tell of a status that is not 0"),
    OPT_FLAG('v', "verbose", struct timecmd, verbose, "everything, a line each"),
    OPT_END,
};

static const char time_verbose[] = "\tCommand being timed: \"%C\"\n"
                                   "\tUser time (seconds): %U\n"
                                   "\tSystem time (seconds): %S\n"
                                   "\tPercent of CPU this job got: %P\n"
                                   "\tElapsed (wall clock) time (h:mm:ss or m:ss): %E\n"
                                   "\tAverage shared text size (kbytes): %X\n"
                                   "\tAverage unshared data size (kbytes): %D\n"
                                   "\tAverage stack size (kbytes): %p\n"
                                   "\tAverage total size (kbytes): %K\n"
                                   "\tMaximum resident set size (kbytes): %M\n"
                                   "\tAverage resident set size (kbytes): %t\n"
                                   "\tMajor (requiring I/O) page faults: %F\n"
                                   "\tMinor (reclaiming a frame) page faults: %R\n"
                                   "\tVoluntary context switches: %w\n"
                                   "\tInvoluntary context switches: %c\n"
                                   "\tSwaps: %W\n"
                                   "\tFile system inputs: %I\n"
                                   "\tFile system outputs: %O\n"
                                   "\tSocket messages sent: %s\n"
                                   "\tSocket messages received: %r\n"
                                   "\tSignals delivered: %k\n"
                                   "\tPage size (bytes): %Z\n"
                                   "\tExit status: %x";
static const char time_usual[] = "%Uuser %Ssystem %Eelapsed %PCPU (%Xavgtext+%Davgdata "
                                 "%Mmaxresident)k\n%Iinputs+%Ooutputs (%Fmajor+%Rminor)pagefaults "
                                 "%Wswaps";

struct time_result {
    int64_t real, user; /* nanoseconds */
    int status;
    uint64_t memory; /* the most, in bytes */
};

static void time_elapsed(struct buf *b, int64_t ns)
{
    int64_t s = ns / 1000000000, cs = ns / 10000000 % 100;
    if (s >= 3600)
        buf_printf(b, "%lld:%02lld:%02lld", (long long)(s / 3600), (long long)(s % 3600 / 60),
                   (long long)(s % 60));
    else
        buf_printf(b, "%lld:%02lld.%02lld", (long long)(s / 60), (long long)(s % 60),
                   (long long)cs);
}

static void time_seconds(struct buf *b, int64_t ns)
{
    buf_printf(b, "%lld.%02lld", (long long)(ns / 1000000000), (long long)(ns / 10000000 % 100));
}

static void time_conversion(struct buf *b, char c, const struct time_result *t,
                            const struct proc *p)
{
    switch (c) {
    case '%': buf_putc(b, '%'); break;
    case 'C':
        for (int i = 0; i < p->argc; i++)
            buf_printf(b, "%s%.*s", i ? " " : "", STR_ARG(p->argv[i]));
        break;
    case 'E': time_elapsed(b, t->real); break;
    case 'e': time_seconds(b, t->real); break;
    case 'U': time_seconds(b, t->user); break;
    case 'S': buf_addz(b, "0.00"); break;
    case 'P':
        buf_printf(b, "%lld%%",
                   t->real > 10000000 ? (long long)(t->user * 100 / t->real) : (long long)0);
        break;
    case 'M': buf_printf(b, "%llu", (unsigned long long)t->memory / 1024); break;
    case 'Z': buf_addz(b, "4096"); break;
    case 'x': buf_printf(b, "%d", t->status); break;
    default:
        if (c && strchr("DFIKOpRrsktWwcX", c))
            buf_putc(b, '0');
        else
            buf_printf(b, "?%c", c);
    }
}

static void time_format(struct buf *b, struct str f, const struct time_result *t,
                        const struct proc *p)
{
    for (size_t i = 0; i < f.n; i++) {
        char c = f.p[i];
        if (c == '%' && i + 1 < f.n) {
            time_conversion(b, f.p[++i], t, p);
        } else if (c == '\\' && i + 1 < f.n) {
            c = f.p[++i];
            if (c == 't' || c == 'n')
                buf_putc(b, c == 't' ? '\t' : '\n');
            else if (c == '\\')
                buf_putc(b, c);
            else
                buf_printf(b, "?\\%c", c);
        } else {
            buf_putc(b, c);
        }
    }
    buf_putc(b, '\n');
}

static int time_tell(struct proc *p, const struct timecmd *o, struct str text)
{
    struct file *f;
    if (!o->output.p)
        return proc_puts(p, 2, text);
    unsigned flags = FILE_WRITE | FILE_CREATE | (o->append ? FILE_APPEND : FILE_TRUNC);
    int e = vfs_open(p, o->output, flags, 0666, &f);
    if (e < 0) {
        proc_warn(p, "%s: %s", proc_quotef(p, o->output), error_text(e));
        return e;
    }
    e = file_write(f, p, text.p, text.n);
    file_unref(f);
    return e;
}

/* Runs the command: its wait status in t->status, the signal that ended it in *sig. */
static int time_launch(struct proc *p, struct time_result *t, int *sig)
{
    struct sched *s = &p->kernel->sched;
    int64_t start = sched_now(s);
    uint64_t fuel = s->fuel_used;
    struct exec_opts o = {.spawn = true};
    int pid = launch_run(p, p->argv, p->argc, &o), e = pid;
    *sig = 0;
    if (pid == HOB_ENOENT || pid == HOB_EACCES) {
        proc_warn(p, "cannot run %.*s: %s", STR_ARG(p->argv[0]), error_text(pid));
        t->status = pid == HOB_ENOENT ? 127 : 126;
        e = 0;
    } else if (pid > 0) {
        do
            e = proc_wait(p, pid, INT64_MAX, &t->status, sig);
        while (e == HOB_EINTR);
    }
    t->real = sched_now(s) - start;
    t->user = (int64_t)(s->fuel_used - fuel) * (1000000000 / PROC_CPU);
    t->memory = p->kernel->heap.peak;
    return e < 0 ? e : 0;
}

static int time_run(struct proc *p, void *args)
{
    struct timecmd *o = args;
    struct time_result t = {0};
    struct str format;
    struct buf b;
    int sig;
    if (p->argc == 0) {
        proc_warn(p, "missing program to run");
        return proc_usage(p);
    }
    int e = time_launch(p, &t, &sig);
    if (e < 0)
        return e;
    buf_init(&b, &p->kernel->heap);
    if (sig)
        buf_printf(&b, "Command terminated by signal %d\n", sig);
    else if (t.status && !o->quiet)
        buf_printf(&b, "Command exited with non-zero status %d\n", t.status);
    if (o->portable)
        format = STR("real %e\nuser %U\nsys %S");
    else if (o->verbose)
        format = STR(time_verbose);
    else if (o->format.p)
        format = o->format;
    else if (!proc_getenv(p, STR("TIME"), &format))
        format = STR(time_usual);
    time_format(&b, format, &t, p);
    e = time_tell(p, o, buf_get(&b));
    buf_fini(&b);
    return e < 0 && e != HOB_EPIPE ? TIME_FAILED : t.status;
}

const struct command cmd_time = {
    .name = "time",
    .usage = "[OPTION]... COMMAND [ARG]...",
    .summary = "Run COMMAND and tell what it took. The shell has a time of its own.",
    .notes = "In FORMAT %e is the time in seconds, %E as h:mm:ss, %U that of the processor, %M the "
             "memory\nin KiB, %C the command, %x its status; \\n and \\t are known.",
    .opts = time_opts,
    .args_size = sizeof(struct timecmd),
    .flags = CMD_POSIXLY,
    .usage_status = TIME_FAILED,
    .run = time_run,
};

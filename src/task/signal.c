/* signal.c -- signals: names, delivery, default actions */
#include "base/utf8.h"
#include "task/proc.h"

static const struct {
    const char *name, *text;
} signal_table[] = {
    [SIG_HUP] = {"HUP", "Hangup"},
    [SIG_INT] = {"INT", "Interrupt"},
    [SIG_QUIT] = {"QUIT", "Quit"},
    [SIG_ILL] = {"ILL", "Illegal instruction"},
    [SIG_TRAP] = {"TRAP", "Trace/breakpoint trap"},
    [SIG_ABRT] = {"ABRT", "Aborted"},
    [SIG_BUS] = {"BUS", "Bus error"},
    [SIG_FPE] = {"FPE", "Floating point exception"},
    [SIG_KILL] = {"KILL", "Killed"},
    [SIG_USR1] = {"USR1", "User defined signal 1"},
    [SIG_SEGV] = {"SEGV", "Segmentation fault"},
    [SIG_USR2] = {"USR2", "User defined signal 2"},
    [SIG_PIPE] = {"PIPE", "Broken pipe"},
    [SIG_ALRM] = {"ALRM", "Alarm clock"},
    [SIG_TERM] = {"TERM", "Terminated"},
    [SIG_STKFLT] = {"STKFLT", "Stack fault"},
    [SIG_CHLD] = {"CHLD", "Child exited"},
    [SIG_CONT] = {"CONT", "Continued"},
    [SIG_STOP] = {"STOP", "Stopped (signal)"},
    [SIG_TSTP] = {"TSTP", "Stopped"},
    [SIG_TTIN] = {"TTIN", "Stopped (tty input)"},
    [SIG_TTOU] = {"TTOU", "Stopped (tty output)"},
    [SIG_URG] = {"URG", "Urgent I/O condition"},
    [SIG_XCPU] = {"XCPU", "CPU time limit exceeded"},
    [SIG_XFSZ] = {"XFSZ", "File size limit exceeded"},
    [SIG_VTALRM] = {"VTALRM", "Virtual timer expired"},
    [SIG_PROF] = {"PROF", "Profiling timer expired"},
    [SIG_WINCH] = {"WINCH", "Window changed"},
    [SIG_IO] = {"IO", "I/O possible"},
    [SIG_PWR] = {"PWR", "Power failure"},
    [SIG_SYS] = {"SYS", "Bad system call"},
    [SIG_RTMIN] = {"RTMIN", "Real-time signal 0"},
    [35] = {"RTMIN+1", "Real-time signal 1"},
    [36] = {"RTMIN+2", "Real-time signal 2"},
    [37] = {"RTMIN+3", "Real-time signal 3"},
    [38] = {"RTMIN+4", "Real-time signal 4"},
    [39] = {"RTMIN+5", "Real-time signal 5"},
    [40] = {"RTMIN+6", "Real-time signal 6"},
    [41] = {"RTMIN+7", "Real-time signal 7"},
    [42] = {"RTMIN+8", "Real-time signal 8"},
    [43] = {"RTMIN+9", "Real-time signal 9"},
    [44] = {"RTMIN+10", "Real-time signal 10"},
    [45] = {"RTMIN+11", "Real-time signal 11"},
    [46] = {"RTMIN+12", "Real-time signal 12"},
    [47] = {"RTMIN+13", "Real-time signal 13"},
    [48] = {"RTMIN+14", "Real-time signal 14"},
    [49] = {"RTMIN+15", "Real-time signal 15"},
    [50] = {"RTMAX-14", "Real-time signal 16"},
    [51] = {"RTMAX-13", "Real-time signal 17"},
    [52] = {"RTMAX-12", "Real-time signal 18"},
    [53] = {"RTMAX-11", "Real-time signal 19"},
    [54] = {"RTMAX-10", "Real-time signal 20"},
    [55] = {"RTMAX-9", "Real-time signal 21"},
    [56] = {"RTMAX-8", "Real-time signal 22"},
    [57] = {"RTMAX-7", "Real-time signal 23"},
    [58] = {"RTMAX-6", "Real-time signal 24"},
    [59] = {"RTMAX-5", "Real-time signal 25"},
    [60] = {"RTMAX-4", "Real-time signal 26"},
    [61] = {"RTMAX-3", "Real-time signal 27"},
    [62] = {"RTMAX-2", "Real-time signal 28"},
    [63] = {"RTMAX-1", "Real-time signal 29"},
    [SIG_RTMAX] = {"RTMAX", "Real-time signal 30"},
};

const char *signal_name(int sig)
{
    return sig > 0 && sig < (int)COUNT(signal_table) ? signal_table[sig].name : NULL;
}

const char *signal_text(int sig)
{
    const char *t = sig > 0 && sig < (int)COUNT(signal_table) ? signal_table[sig].text : NULL;
    return t ? t : "Unknown signal";
}

static bool signal_same(struct str s, const char *z)
{
    if (s.n != strlen(z))
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (ascii_to_upper((unsigned char)s.p[i]) != z[i])
            return false;
    return true;
}

int signal_number(struct str name)
{
    uint64_t n;
    if (str_uint(name, &n) == 0)
        return n <= SIG_RTMAX ? (int)n : -1;
    if (name.n > 3 && signal_same(str_sub(name, 0, 3), "SIG"))
        name = str_from(name, 3);
    if (signal_same(name, "POLL"))
        return SIG_IO;
    if (signal_same(name, "CLD"))
        return SIG_CHLD;
    if (signal_same(name, "IOT"))
        return SIG_ABRT;
    for (int i = 1; i < (int)COUNT(signal_table); i++)
        if (signal_table[i].name && signal_same(name, signal_table[i].name))
            return i;
    return -1;
}

/* ---- delivery -------------------------------------------------------------------------------- */

static void signal_stop(struct proc *p)
{
    if (p->state != PROC_RUNNING)
        return;
    p->state = PROC_STOPPED;
    p->task->slice = 0;
    if (p->parent)
        waitq_wake_all(&p->parent->changed);
}

static void signal_continue(struct proc *p)
{
    if (p->state != PROC_STOPPED)
        return;
    p->state = PROC_RUNNING;
    waitq_wake_all(&p->changed);
    if (p->parent)
        waitq_wake_all(&p->parent->changed);
}

/* Wakes the task if it is p that runs on it: an inline child has the task to itself. */
static void signal_wake(struct proc *p)
{
    if (p->task->proc == p) {
        p->task->slice = 0;
        task_wake(p->task);
    }
}

void proc_signal(struct proc *p, int sig)
{
    if (p->state == PROC_ZOMBIE || sig <= 0)
        return;
    bool forced = sig == SIG_KILL || sig == SIG_STOP;
    if (sig == SIG_CONT)
        signal_continue(p);
    if (!forced && (p->sig_ignored & SIG_BIT(sig)))
        return;
    if (!forced && (p->sig_caught & SIG_BIT(sig))) {
        p->sig_pending |= SIG_BIT(sig);
        signal_wake(p);
        return;
    }
    switch (sig) {
    case SIG_CHLD:
    case SIG_CONT:
    case SIG_URG:
    case SIG_WINCH: return;
    case SIG_STOP:
    case SIG_TSTP:
    case SIG_TTIN:
    case SIG_TTOU: signal_stop(p); return;
    default:
        if (!p->killed)
            p->killed = sig;
        /* What runs inline on its task goes with it: nobody would be there to wait for it. */
        for (struct proc *q = p->task->proc; q && q != p && q->inl; q = q->parent)
            if (!q->killed)
                q->killed = sig;
        signal_continue(p);
        p->task->slice = 0;
        task_wake(p->task);
    }
}

int proc_kill(struct proc *p, int pid, int sig)
{
    if (sig < 0 || sig > SIG_RTMAX)
        return HOB_EINVAL;
    if (pid > 0) {
        struct proc *to = proc_find(p->kernel, pid);
        if (!to)
            return pid == 1 ? HOB_EPERM : HOB_ESRCH;
        proc_signal(to, sig);
        return 0;
    }
    int group = pid == 0 ? p->pgid : -pid, found = 0;
    for (struct proc *q = p->kernel->procs, *next; q; q = next) {
        next = q->next;
        if (pid == -1 ? q != p : q->pgid == group) {
            found++;
            proc_signal(q, sig);
        }
    }
    return found ? 0 : HOB_ESRCH;
}

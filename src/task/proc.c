/* proc.c -- virtual processes: life, waiting, and the checks at the end of each slice */
#include "task/proc.h"

#include "base/error.h"
#include "base/fmt.h"

/* A process with a task of its own, and what only such a one owns. */
struct proc_block {
    struct proc proc;
    struct fdtab fds;
    struct arena arena;
    int (*fn)(struct proc *p);
};

/* ---- lists ----------------------------------------------------------------------------------- */

static void proc_link(struct kernel *k, struct proc *p)
{
    p->pid = ++k->next_pid;
    p->next = NULL;
    p->prev = k->procs_last;
    if (k->procs_last)
        k->procs_last->next = p;
    else
        k->procs = p;
    k->procs_last = p;
    k->nprocs++;
}

static void proc_unlink(struct proc *p)
{
    struct kernel *k = p->kernel;
    if (p->prev)
        p->prev->next = p->next;
    else
        k->procs = p->next;
    if (p->next)
        p->next->prev = p->prev;
    else
        k->procs_last = p->prev;
    k->nprocs--;
}

static void proc_remove_child(struct proc *p)
{
    for (struct proc **at = &p->parent->child; *at; at = &(*at)->sibling)
        if (*at == p) {
            *at = p->sibling;
            return;
        }
}

struct proc *proc_find(struct kernel *k, int pid)
{
    struct proc *p = k->procs;
    while (p && p->pid != pid)
        p = p->next;
    return p;
}

/* Children of a process that ends belong to nobody: zombies go, the others free themselves. */
static void proc_disown_children(struct proc *p)
{
    while (p->child) {
        struct proc *c = p->child;
        p->child = c->sibling;
        c->parent = NULL;
        c->sibling = NULL;
        if (c->state == PROC_ZOMBIE)
            proc_free(c);
    }
}

/* ---- life ------------------------------------------------------------------------------------ */

void proc_free(struct proc *p)
{
    struct proc_block *b = CONTAINER(p, struct proc_block, proc);
    if (p->parent)
        proc_remove_child(p);
    proc_unlink(p);
    run_unref(p->run);
    heap_drop(&p->kernel->heap, b);
}

static void proc_main(void *arg)
{
    struct proc *p = arg;
    struct proc_block *b = CONTAINER(p, struct proc_block, proc);
    struct kernel *k = p->kernel;
    int status = b->fn(p);
    p->status = status & 255;
    if (p->run->dead_signal && !p->killed)
        p->killed = p->run->dead_signal;
    if (p->killed)
        p->status = 128 + p->killed;
    fdtab_fini(&b->fds);
    p->fds = &b->fds; /* empty now; /proc may look at it */
    proc_disown_children(p);
    p->state = PROC_ZOMBIE;
    if (p->on_exit)
        p->on_exit(p);
    arena_fini(&b->arena);
    p->cwd = STR("/");
    p->argv = NULL;
    p->argc = 0;
    p->cmdline = STR("");
    p->name = STR("");
    waitq_wake_all(&p->waiters);
    waitq_wake_all(&k->exited);
    if (p->parent) {
        waitq_wake_all(&p->parent->changed);
        proc_signal(p->parent, SIG_CHLD);
    } else {
        proc_free(p);
    }
}

/* Over the limit everything of the call ends: a fork bomb must not live on at the limit.
 * TM-DOS-3, TM-DOS-4 */
static bool proc_over_limit(struct kernel *k, struct run *run)
{
    if (k->nprocs < k->limits.processes)
        return false;
    run_kill(run, SIG_KILL, HOB_LIMIT_PROCESSES);
    return true;
}

static struct proc *proc_make(struct kernel *k, struct run *run, struct proc *parent,
                              int (*fn)(struct proc *p), void *owner, int *err)
{
    *err = HOB_ENOMEM;
    struct proc_block *b = heap_new(&k->heap, struct proc_block);
    if (!b)
        return NULL;
    struct proc *p = &b->proc;
    if (parent)
        *p = *parent;
    else
        *p = (struct proc){.umask = 022, .uid = k->uid, .gid = k->gid, .cwd = STR("/")};
    b->fn = fn;
    p->kernel = k;
    p->run = run;
    p->parent = parent;
    p->inl = false;
    p->own_fds = true;
    p->fds = &b->fds;
    p->arena = &b->arena;
    p->state = PROC_RUNNING;
    p->status = p->killed = 0;
    p->sig_pending = p->sig_caught = 0;
    p->child = p->sibling = NULL;
    p->changed = p->waiters = (struct waitq){0};
    p->owner = owner;
    p->on_exit = NULL;
    p->cpu = 0;
    p->started = sched_now(&k->sched);
    arena_init(&b->arena, &k->heap);
    fdtab_init(&b->fds, &k->heap);
    int r = parent ? fdtab_copy(&b->fds, parent->fds) : 0;
    if (parent) { /* the parent, or the call, may move or end while the child runs */
        p->cwd = arena_str(p->arena, parent->cwd);
        p->name = arena_str(p->arena, parent->name);
        p->cmdline = arena_str(p->arena, parent->cmdline);
        p->argv = p->words = NULL;
        p->argc = p->nwords = 0;
        if (!p->name.p || !p->cmdline.p)
            r = HOB_ENOMEM;
    }
    p->task = r == 0 && p->cwd.p ? task_new(&k->sched, proc_main, p, p) : NULL;
    if (!p->task) {
        fdtab_fini(&b->fds);
        arena_fini(&b->arena);
        heap_drop(&k->heap, b);
        return NULL;
    }
    run->refs++;
    proc_link(k, p);
    *err = 0;
    return p;
}

struct proc *proc_spawn(struct proc *parent, int (*fn)(struct proc *p), void *owner, int *err)
{
    uint64_t most = parent->max_procs - 1;
    if (parent->kernel->nprocs >= most || proc_over_limit(parent->kernel, parent->run)) {
        *err = HOB_EAGAIN;
        return NULL;
    }
    struct proc *p = proc_make(parent->kernel, parent->run, parent, fn, owner, err);
    if (!p)
        return NULL;
    p->sibling = parent->child;
    parent->child = p;
    return p;
}

struct proc *proc_first(struct kernel *k, struct run *run, int (*fn)(struct proc *p), void *owner,
                        int *err)
{
    struct proc *p = proc_make(k, run, NULL, fn, owner, err);
    if (p)
        p->pgid = p->sid = p->pid;
    return p;
}

void proc_enter(struct proc *child, struct proc *parent)
{
    *child = *parent;
    child->parent = parent;
    child->inl = true;
    child->own_fds = false;
    child->state = PROC_RUNNING;
    child->status = child->killed = 0;
    child->sig_pending = child->sig_caught = 0;
    child->child = child->sibling = NULL;
    child->changed = child->waiters = (struct waitq){0};
    child->on_exit = NULL;
    child->started = parent->started;
    proc_link(child->kernel, child);
    child->task->proc = child;
}

void proc_leave(struct proc *child)
{
    child->task->proc = child->parent;
    proc_disown_children(child);
    proc_unlink(child);
    child->state = PROC_ZOMBIE;
    waitq_wake_all(&child->waiters);
    waitq_wake_all(&child->kernel->exited);
}

void proc_attach(struct proc *p)
{
    int pid = p->pid;
    proc_link(p->kernel, p);
    p->kernel->next_pid--; /* it keeps the number it was given when it was made */
    p->pid = pid;
}

void proc_detach(struct proc *p) { proc_unlink(p); }

/* ---- waiting --------------------------------------------------------------------------------- */

static int proc_reap(struct proc *c, int *status, int *sig)
{
    int pid = c->pid;
    *status = c->status;
    *sig = c->killed;
    proc_free(c);
    return pid;
}

int proc_wait(struct proc *p, int pid, int64_t deadline, int *status, int *sig)
{
    for (;;) {
        bool any = false;
        for (struct proc *c = p->child; c; c = c->sibling) {
            if (pid > 0 && c->pid != pid)
                continue;
            any = true;
            if (c->state == PROC_ZOMBIE)
                return proc_reap(c, status, sig);
        }
        if (!any)
            return HOB_ECHILD;
        int r = proc_wait_on(p, &p->changed, deadline);
        if (r < 0)
            return r;
    }
}

/* A stopped process goes no further until SIGCONT or a fatal signal. */
static int proc_hold_stopped(struct proc *p)
{
    while (p->state == PROC_STOPPED && !proc_check(p))
        task_wait(p->task, &p->changed, p->run->deadline);
    return proc_check(p);
}

/* Signals that end a wait. SIGCHLD does so only where it is asked for (trap CHLD). */
static bool proc_signalled(const struct proc *p)
{
    return (p->sig_pending & ~SIG_BIT(SIG_CHLD)) != 0;
}

int proc_wait_on(struct proc *p, struct waitq *q, int64_t deadline)
{
    int r = proc_check(p);
    if (r < 0)
        return r;
    if (proc_signalled(p))
        return HOB_EINTR;
    r = task_wait(p->task, q, MIN(deadline, p->run->deadline));
    if (p->run->deadline != INT64_MAX && sched_now(&p->kernel->sched) >= p->run->deadline)
        run_kill(p->run, SIG_KILL, HOB_LIMIT_TIME);
    if (p->state == PROC_STOPPED)
        proc_hold_stopped(p);
    if (proc_check(p) < 0)
        return HOB_EKILLED;
    if (proc_signalled(p))
        return HOB_EINTR;
    return r;
}

int proc_sleep(struct proc *p, int64_t ns)
{
    int64_t until;
    if (__builtin_add_overflow(sched_now(&p->kernel->sched), ns, &until))
        until = INT64_MAX;
    for (;;) {
        int r = proc_wait_on(p, NULL, until);
        if (r == HOB_ETIMEDOUT)
            return 0;
        if (r < 0)
            return r;
    }
}

/* ---- limits of a call ------------------------------------------------------------------------ */

void run_unref(struct run *r)
{
    if (--r->refs == 0)
        heap_drop(&r->kernel->heap, r);
}

/* TM-DOS-9: no trap is asked. */
void run_kill(struct run *r, int sig, int limit)
{
    if (!r->limit)
        r->limit = limit;
    if (r->dead_signal)
        return;
    r->dead_signal = sig;
    for (struct proc *p = r->kernel->procs; p; p = p->next)
        if (p->run == r && p->task && p->state != PROC_ZOMBIE) {
            p->task->slice = 0;
            task_wake(p->task);
        }
}

/* The end of a slice: fuel, deadline, interrupt, stop. Runs on the task. TM-DOS-1 */
static int proc_slice(struct sched *s, struct task *t, int64_t used)
{
    struct proc *p = t->proc;
    struct run *r = p->run;
    p->cpu += used;
    r->fuel_used += (uint64_t)used;
    if (r->fuel_left != UINT64_MAX) {
        r->fuel_left -= MIN(r->fuel_left, (uint64_t)used);
        if (r->fuel_left == 0)
            run_kill(r, SIG_KILL, HOB_LIMIT_FUEL);
    }
    if (UNLIKELY(s->virtual_clock) && (s->ntimers || r->deadline != INT64_MAX))
        s->clock += used * (1000000000 / PROC_CPU); /* what never sleeps meets its end too */
    if (r->deadline != INT64_MAX && sched_now(s) >= r->deadline)
        run_kill(r, SIG_KILL, HOB_LIMIT_TIME);
    if (UNLIKELY(atomic_load_explicit(&s->interrupt, memory_order_relaxed)))
        kernel_interrupt(p->kernel);
    if (UNLIKELY(p->max_cpu) && (uint64_t)(p->cpu / PROC_CPU) >= p->max_cpu - 1)
        proc_signal(p, p->max_cpu_hard ? SIG_KILL : SIG_XCPU);
    if (p->state == PROC_STOPPED)
        return proc_hold_stopped(p);
    return proc_check(p);
}

void kernel_interrupt(struct kernel *k)
{
    atomic_store_explicit(&k->sched.interrupt, 0, memory_order_relaxed);
    for (struct proc *p = k->procs; p; p = p->next)
        if (!p->run->dead_signal)
            run_kill(p->run, SIG_INT, HOB_LIMIT_INTERRUPT);
}

void kernel_init_procs(struct kernel *k)
{
    k->sched.check = proc_slice;
    k->sched.ud = k;
    k->next_pid = 1; /* pid 1 is the sandbox itself */
}

/* ---- what commands use ----------------------------------------------------------------------- */

struct str proc_comm(const struct proc *p)
{
    struct str name = p->name.n > 0 ? p->name : STR("bash");
    if (p->comm[0])
        return str_z(p->comm);
    return str_sub(str_from(name, (size_t)(str_rchr(name, '/') + 1)), 0, sizeof p->comm - 1);
}

const struct str *proc_words(const struct proc *p, int *n)
{
    static const struct str bash = STR_INIT("bash");
    if (p->state != PROC_ZOMBIE && p->command && p->words) {
        *n = p->nwords;
        return p->words;
    }
    *n = 1;
    return p->name.n > 0 ? &p->name : &bash;
}

char proc_letter(const struct proc *p)
{
    if (p->state == PROC_ZOMBIE)
        return 'Z';
    if (p->state == PROC_STOPPED)
        return 'T';
    if (p->task && p->task->proc != p)
        return 'S'; /* it waits for a command that runs on its task */
    return !p->task || p->kernel->sched.current == p->task || p->task->state != TASK_WAITING ? 'R'
                                                                                             : 'S';
}

bool proc_getenv(struct proc *p, struct str name, struct str *value)
{
    return p->env && p->env->get(p->env_ctx, name, value);
}

int proc_write(struct proc *p, int fd, const void *src, size_t n)
{
    struct file *f = proc_file(p, fd);
    if (!f)
        return HOB_EBADF;
    return n ? file_write(f, p, src, n) : 0;
}

int proc_puts(struct proc *p, int fd, struct str s) { return proc_write(p, fd, s.p, s.n); }

/* job.c -- background jobs: who runs, who has ended, what is told about it */
#include "base/fmt.h"
#include "base/utf8.h"
#include "shell/inner.h"

enum {
    JOB_DONE_MAX = 1024,
    JOB_STATUS_WIDTH = 24
};

/* Background processes whose job is gone from the table: `wait PID` still gets their status. */
struct job_done {
    size_t n, at;
    struct {
        int pid, status;
    } last[JOB_DONE_MAX];
};

/* ---- the table ------------------------------------------------------------------------------- */

static size_t job_size(int n) { return sizeof(struct job) + (size_t)n * sizeof(struct job_proc); }

static struct str job_copy_text(struct shell *sh, struct str s)
{
    char *p = heap_alloc(sh->heap, s.n + 1);
    if (!p)
        return STR_NONE;
    if (s.n)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    return str_of(p, s.n);
}

static void job_free(struct shell *sh, struct job *j)
{
    if (j->text.p)
        heap_free(sh->heap, (char *)j->text.p, j->text.n + 1);
    if (j->coproc.p)
        heap_free(sh->heap, (char *)j->coproc.p, j->coproc.n + 1);
    heap_free(sh->heap, j, job_size(j->n));
}

/* Jobs stand in order of their numbers, which are the lowest above all in use. */
static void job_append(struct shell *sh, struct job *j)
{
    struct job **at = &sh->jobs;
    while (*at)
        at = &(*at)->next;
    *at = j;
}

static int job_highest(struct shell *sh)
{
    int id = 0;
    for (struct job *j = sh->jobs; j; j = j->next)
        if (!j->hidden && j->id > id)
            id = j->id;
    return id;
}

struct job *job_add(struct shell *sh, const int *pids, int n, struct node *node, bool hidden)
{
    struct job *j = heap_zalloc(sh->heap, job_size(n));
    struct buf b;
    if (!j)
        return NULL;
    buf_init(&b, sh->heap);
    if (node)
        print_node(&b, node);
    j->n = n;
    j->text = job_copy_text(sh, buf_get(&b));
    buf_fini(&b);
    j->hidden = hidden;
    j->id = hidden ? 0 : job_highest(sh) + 1;
    for (int i = 0; i < n; i++)
        j->procs[i].pid = pids[i];
    j->pgid = pids[0];
    job_append(sh, j);
    if (!hidden) {
        sh->previous_job = sh->current_job;
        sh->current_job = j->id;
    }
    return j;
}

void job_set_coproc(struct shell *sh, struct job *j, struct str name)
{
    j->coproc = job_copy_text(sh, name);
}

static struct job *job_by_id(struct shell *sh, int id)
{
    struct job *j = sh->jobs;
    while (j && (j->hidden || j->id != id))
        j = j->next;
    return j;
}

/* %+ and %- after a job is gone: the newest ones that are left. */
static void job_recount(struct shell *sh)
{
    if (!job_by_id(sh, sh->current_job)) {
        sh->current_job = job_by_id(sh, sh->previous_job) ? sh->previous_job : job_highest(sh);
        sh->previous_job = 0;
    }
    if (!job_by_id(sh, sh->previous_job) || sh->previous_job == sh->current_job) {
        sh->previous_job = 0;
        for (struct job *j = sh->jobs; j; j = j->next)
            if (!j->hidden && j->id != sh->current_job && j->id > sh->previous_job)
                sh->previous_job = j->id;
    }
}

void job_remove(struct shell *sh, struct job *gone)
{
    for (struct job **at = &sh->jobs; *at; at = &(*at)->next)
        if (*at == gone) {
            *at = gone->next;
            job_free(sh, gone);
            job_recount(sh);
            return;
        }
}

void job_fini(struct shell *sh)
{
    while (sh->jobs) {
        struct job *j = sh->jobs;
        sh->jobs = j->next;
        job_free(sh, j);
    }
    if (sh->done)
        heap_drop(sh->heap, sh->done);
    sh->done = NULL;
}

/* What `jobs` in a substitution or a pipeline shows; the processes are not the child's to wait
 * for. */
void job_copy(struct shell *child, struct shell *parent)
{
    for (struct job *j = parent->jobs; j; j = j->next) {
        struct job *c = j->hidden ? NULL : heap_zalloc(child->heap, job_size(j->n));
        if (!c)
            continue;
        memcpy(c, j, job_size(j->n));
        c->next = NULL;
        c->foreign = true;
        c->coproc = STR_NONE;
        c->text = job_copy_text(child, j->text);
        job_append(child, c);
    }
}

bool job_is_done(const struct job *j)
{
    for (int i = 0; i < j->n; i++)
        if (!j->procs[i].done)
            return false;
    return true;
}

int job_status(const struct shell *sh, const struct job *j)
{
    int status = j->procs[j->n - 1].status;
    if (SH_OPT(sh, OPT_PIPEFAIL))
        for (int i = j->n - 1; i >= 0 && !status; i--)
            status = j->procs[i].status;
    return status;
}

struct job *job_by_pid(struct shell *sh, int pid)
{
    for (struct job *j = sh->jobs; j; j = j->next)
        for (int i = 0; i < j->n && !j->foreign; i++)
            if (j->procs[i].pid == pid)
                return j;
    return NULL;
}

/* ---- statuses -------------------------------------------------------------------------------- */

static void job_remember(struct shell *sh, int pid, int status)
{
    if (!sh->done)
        sh->done = heap_new(sh->heap, struct job_done);
    if (!sh->done)
        return;
    struct job_done *d = sh->done;
    d->last[d->at].pid = pid;
    d->last[d->at].status = status;
    d->at = (d->at + 1) % JOB_DONE_MAX;
    d->n = MIN(d->n + 1, (size_t)JOB_DONE_MAX);
}

bool job_done_status(struct shell *sh, int pid, int *status)
{
    for (size_t i = 0; sh->done && i < sh->done->n; i++)
        if (sh->done->last[i].pid == pid) {
            *status = sh->done->last[i].status;
            return true;
        }
    return false;
}

void job_done_forget(struct shell *sh, int pid)
{
    for (size_t i = 0; sh->done && i < sh->done->n; i++)
        if (sh->done->last[i].pid == pid)
            sh->done->last[i].pid = 0;
}

static void job_note(struct shell *sh, int pid, int status, int sig)
{
    struct job *j = job_by_pid(sh, pid);
    for (int i = 0; j && i < j->n; i++)
        if (j->procs[i].pid == pid) {
            j->procs[i].done = true;
            j->procs[i].status = status;
            j->procs[i].sig = sig;
        }
    if (j && job_is_done(j))
        job_remember(sh, j->procs[j->n - 1].pid, job_status(sh, j));
}

/* Process substitutions that have ended leave without a word. */
static void job_sweep(struct shell *sh)
{
    struct job *next;
    for (struct job *j = sh->jobs; j; j = next) {
        next = j->next;
        if (j->hidden && job_is_done(j))
            job_remove(sh, j);
    }
}

void job_poll(struct shell *sh)
{
    struct proc *next;
    for (struct proc *c = sh->proc->child; c; c = next) {
        int status, sig;
        next = c->sibling;
        struct job *j = job_by_pid(sh, c->pid);
        if (j)
            j->stopped = c->state == PROC_STOPPED;
        if (j && !j->stopped)
            j->told_stopped = false;
        if (c->state != PROC_ZOMBIE || !j)
            continue;
        int pid = proc_wait(sh->proc, c->pid, 0, &status, &sig);
        if (pid > 0)
            job_note(sh, pid, status, sig);
    }
    job_sweep(sh);
}

/* ---- waiting --------------------------------------------------------------------------------- */

int job_wait_pid(struct shell *sh, int pid)
{
    int status = 0, sig = 0;
    for (;;) {
        int r = proc_wait(sh->proc, pid, INT64_MAX, &status, &sig);
        if (r == HOB_ECHILD)
            return job_done_status(sh, pid, &status) ? status : HOB_ECHILD;
        if (r < 0)
            return r;
        job_note(sh, pid, status, sig);
        return status;
    }
}

int job_wait(struct shell *sh, struct job *j)
{
    for (int i = 0; i < j->n; i++) {
        if (j->procs[i].done)
            continue;
        int r = job_wait_pid(sh, j->procs[i].pid);
        if (r < 0)
            return r;
    }
    return job_status(sh, j);
}

int job_wait_foreground(struct shell *sh, int pid, int *sig)
{
    int status = 0;
    *sig = 0;
    for (;;) {
        int r = proc_wait(sh->proc, pid, INT64_MAX, &status, sig);
        if (r > 0)
            break;
        if (r == HOB_EINTR) {
            trap_collect(sh); /* it is run when the command is over */
            continue;
        }
        if (r == HOB_EKILLED)
            return eval_killed(sh);
        return 127;
    }
    if (sh->trap_signals & SIG_BIT(SIG_CHLD))
        sh->traps_pending |= SIG_BIT(SIG_CHLD);
    return status;
}

/* ---- finding --------------------------------------------------------------------------------- */

static struct job *job_by_text(struct shell *sh, struct str s, bool anywhere, bool *ambiguous)
{
    struct job *found = NULL;
    for (struct job *j = sh->jobs; j; j = j->next) {
        if (j->hidden || !(anywhere ? str_find(j->text, s) >= 0 : str_starts(j->text, s)))
            continue;
        if (found) {
            *ambiguous = true;
            return NULL;
        }
        found = j;
    }
    return found;
}

struct job *job_find(struct shell *sh, struct str spec, bool *ambiguous)
{
    uint64_t id;
    *ambiguous = false;
    if (spec.n && spec.p[0] == '%')
        spec = str_from(spec, 1);
    if (!spec.n || str_eq(spec, STR("+")) || str_eq(spec, STR("%")))
        return job_by_id(sh, sh->current_job);
    if (str_eq(spec, STR("-")))
        return job_by_id(sh, sh->previous_job ? sh->previous_job : sh->current_job);
    if (ascii_digit((unsigned char)spec.p[0]))
        return str_uint(spec, &id) == 0 && id <= INT_MAX ? job_by_id(sh, (int)id) : NULL;
    bool anywhere = spec.p[0] == '?';
    return job_by_text(sh, anywhere ? str_from(spec, 1) : spec, anywhere, ambiguous);
}

/* ---- printing -------------------------------------------------------------------------------- */

static void job_state_text(struct buf *b, const struct job *j, const struct job_proc *p)
{
    if (!p->done)
        buf_addz(b, j->stopped ? "Stopped" : "Running");
    else if (p->sig)
        buf_addz(b, signal_text(p->sig));
    else if (p->status)
        buf_printf(b, "Exit %d", p->status);
    else
        buf_addz(b, "Done");
}

static void job_pad(struct buf *b, size_t from)
{
    size_t width = b->n - from;
    buf_fill(b, ' ', width < JOB_STATUS_WIDTH ? JOB_STATUS_WIDTH - width : 1);
}

/* `a | b` on a line for each process; the text parts at the bars outside of quotes and ( ) { }. */
static void job_print_stages(struct buf *b, const struct job *j)
{
    struct str s = j->text;
    size_t from = 0, i = 0;
    for (int k = 0; k < j->n; k++) {
        char quote = '\0';
        int depth = 0;
        for (; i < s.n; i++) {
            char c = s.p[i];
            if (c == '\\' && quote != '\'')
                i++;
            else if (quote)
                quote = c == quote ? '\0' : quote;
            else if (c == '\'' || c == '"' || c == '`')
                quote = c;
            else if (c == '(' || c == '{' || c == ')' || c == '}')
                depth += c == '(' || c == '{' ? 1 : -1;
            else if (!depth && k + 1 < j->n && i > from && str_starts(str_from(s, i), STR(" | ")))
                break;
        }
        if (k)
            buf_printf(b, "\n%5s%5d%22s | ", "", j->procs[k].pid, "");
        buf_str(b, str_sub(s, from, MIN(i, s.n) - from));
        i = from = MIN(i + 3, s.n);
    }
}

void job_print(struct shell *sh, struct buf *b, struct job *j, int how)
{
    char mark = j->id == sh->current_job ? '+' : j->id == sh->previous_job ? '-' : ' ';
    if (how & JOB_PIDS) {
        buf_printf(b, "%d\n", j->procs[0].pid);
        return;
    }
    buf_printf(b, "[%d]%c ", j->id, mark);
    if (how & JOB_LONG)
        buf_printf(b, "%5d ", j->procs[0].pid);
    else
        buf_putc(b, ' ');
    size_t from = b->n;
    job_state_text(b, j, &j->procs[how & JOB_LONG ? 0 : j->n - 1]);
    job_pad(b, from);
    if (how & JOB_LONG && j->n > 1)
        job_print_stages(b, j);
    else
        buf_str(b, j->text);
    if (!job_is_done(j) && !j->stopped)
        buf_addz(b, " &");
    buf_putc(b, '\n');
}

/* ---- telling --------------------------------------------------------------------------------- */

void job_tell_signal_text(struct shell *sh, int pid, int sig, struct str text)
{
    bool quiet = sig == SIG_INT || sig == SIG_PIPE || sig == SIG_TERM || trap_is_set(sh, sig);
    struct buf b;
    if (quiet || sh->interactive || sh->in_cmdsub)
        return;
    buf_init(&b, sh->heap);
    buf_printf(&b, "%5d %s", pid, signal_text(sig));
    buf_fill(&b, ' ', JOB_STATUS_WIDTH - MIN(strlen(signal_text(sig)), (size_t)JOB_STATUS_WIDTH));
    buf_str(&b, text);
    shell_error(sh, "%s", buf_get(&b).p);
    buf_fini(&b);
}

void job_tell_signal(struct shell *sh, int pid, int sig, struct node *n)
{
    struct buf b;
    if (sig == SIG_INT || sig == SIG_PIPE || sh->in_cmdsub)
        return;
    if (sig == SIG_TERM || sh->interactive || trap_is_set(sh, sig)) {
        proc_puts(sh->proc, 2, str_z(signal_text(sig)));
        proc_puts(sh->proc, 2, STR("\n"));
        return;
    }
    buf_init(&b, sh->heap);
    if (n)
        print_node(&b, n);
    job_tell_signal_text(sh, pid, sig, buf_get(&b));
    buf_fini(&b);
}

static void job_tell_stopped(struct shell *sh, struct job *j)
{
    struct buf b;
    buf_init(&b, sh->heap);
    buf_putc(&b, '\n');
    job_print(sh, &b, j, 0);
    proc_puts(sh->proc, 2, buf_get(&b));
    buf_fini(&b);
    j->told_stopped = true;
}

void job_notify(struct shell *sh)
{
    struct job *next;
    job_poll(sh);
    for (struct job *j = sh->jobs; j; j = next) {
        next = j->next;
        if (j->stopped && !j->told_stopped && SH_OPT(sh, OPT_MONITOR) && !j->foreign)
            job_tell_stopped(sh, j);
        if (j->foreign || j->hidden || !job_is_done(j))
            continue;
        int sig = j->procs[j->n - 1].sig;
        bool loud = sig && sig != SIG_TERM && sig != SIG_INT && sig != SIG_PIPE;
        if (!j->notified && SH_OPT(sh, OPT_MONITOR) && (!loud || sh->interactive)) {
            struct buf b;
            buf_init(&b, sh->heap);
            job_print(sh, &b, j, 0);
            proc_puts(sh->proc, 2, buf_get(&b));
            buf_fini(&b);
        } else if (!j->notified && sig) {
            job_tell_signal_text(sh, j->procs[0].pid, sig, j->text);
        }
        j->notified = true;
        job_remove(sh, j);
    }
}

void job_reap_slow(struct shell *sh)
{
    if (!sh->interactive && sh->ctl == CTL_NONE)
        job_notify(sh);
}

/* eval_pipe.c -- subshells, substitutions, pipelines, background: everything with a second process
 *
 * What the shell only waits for runs inline on its task: ( ), $( ), the last stage of a pipeline.
 * What runs beside it gets a task: the other stages, background lists, <( ), >( ), coprocesses.
 */
#include "base/error.h"
#include "shell/inner.h"

enum {
    PIPE_HIGH_FD = 63,
    PIPE_STAGES_STACK = 16
};

struct procsub {
    struct procsub *next;
    int fd, pid;
};

/* ---- inline subshells ------------------------------------------------------------------------ */

struct shell *subshell_enter(struct shell *sh, struct subshell *s)
{
    proc_enter(&s->proc, sh->proc);
    s->sh = shell_fork(sh, &s->proc, &s->shell);
    if (!s->sh) {
        proc_leave(&s->proc);
        shell_oom(sh);
    }
    return s->sh;
}

int subshell_leave(struct shell *sh, struct subshell *s)
{
    int status = shell_exit(s->sh);
    shell_free(s->sh);
    proc_leave(&s->proc);
    if (s->proc.killed)
        status = 128 + s->proc.killed;
    if (UNLIKELY(proc_check(sh->proc) < 0))
        eval_killed(sh);
    return status;
}

/* ( list ) and its redirections, which belong to the child. */
static void subshell_body(struct shell *c, struct node *n)
{
    struct redir_save *save = NULL;
    if (n->line_end)
        c->line = n->line_end + c->line_base;
    if (!SH_COMPAT(c, 44))
        c->loops = 0;
    if (n->nredirs && redir_apply(c, n->redirs, n->nredirs, &save) < 0) {
        if (c->ctl == CTL_NONE)
            c->status = 1;
    } else if (n->u.body.body) {
        c->stdin_redir = c->stdin_redir || eval_redirects_stdin(n);
        eval_node(c, n->u.body.body, save ? 0 : EVAL_LAST);
    }
    redir_keep(c, save);
}

int eval_subshell(struct shell *sh, struct node *n, int flags)
{
    struct subshell s;
    if (UNLIKELY(proc_tick(sh->proc, 1) < 0))
        return eval_killed(sh);
    struct shell *c = subshell_enter(sh, &s);
    (void)flags;
    if (!c)
        return sh->status;
    subshell_body(c, n);
    int status = subshell_leave(sh, &s);
    if (sh->ctl != CTL_NONE)
        return sh->status;
    if (UNLIKELY(s.proc.killed && s.proc.killed != SIG_INT))
        job_tell_signal(sh, s.proc.pid, s.proc.killed, n);
    if (UNLIKELY(sh->trap_signals & SIG_BIT(SIG_CHLD)))
        sh->traps_pending |= SIG_BIT(SIG_CHLD);
    job_reap(sh);
    eval_set_status(sh, status);
    if (UNLIKELY(status)) {
        struct node *command = sh->command;
        if (!sh->in_trap)
            sh->command = n;
        int line = n->line_end ? n->line_end : n->line;
        sh->line = line ? line + sh->line_base : sh->line;
        eval_check_node(sh, n);
        sh->command = command;
    }
    return sh->status;
}

/* ---- command substitution -------------------------------------------------------------------- */

/* $(<file): the contents, without a process of its own. */
static int cmdsub_file(struct shell *sh, struct node *n, struct buf *out)
{
    struct redir_save *save = NULL;
    int status = 0;
    if (UNLIKELY(SH_OPT(sh, OPT_VERBOSE))) {
        struct buf b;
        buf_init(&b, sh->heap);
        print_node(&b, n);
        buf_putc(&b, '\n');
        proc_puts(sh->proc, 2, buf_get(&b));
        buf_fini(&b);
    }
    if (redir_apply(sh, n->redirs, n->nredirs, &save) < 0) {
        status = 1;
    } else {
        int fd = n->redirs[0].fd >= 0 ? n->redirs[0].fd : 0;
        struct file *f = proc_file(sh->proc, fd);
        struct slice s;
        while (f && file_take(f, sh->proc, &s) > 0) {
            buf_add(out, s.p, s.n);
            slice_drop(&s);
        }
    }
    redir_restore(sh, save);
    return status;
}

static bool cmdsub_is_file(struct node *n)
{
    if (n && n->kind == NODE_LIST && n->u.list.n == 1 && n->u.list.items[0].sep != '&')
        n = n->u.list.items[0].node;
    return n && n->kind == NODE_SIMPLE && !n->u.simple.nwords && !n->u.simple.nassigns &&
           n->nredirs == 1 && n->redirs[0].op == REDIR_IN && !n->redirs[0].var.p;
}

/* Bytes that cannot be in a word, and newlines at the end, are dropped. */
static void cmdsub_clean(struct shell *sh, struct buf *out, size_t from)
{
    if (out->n == from)
        return;
    char *nul = memchr(out->p + from, '\0', out->n - from);
    if (UNLIKELY(nul != NULL)) {
        size_t to = (size_t)(nul - out->p);
        for (size_t i = to; i < out->n; i++)
            if (out->p[i])
                out->p[to++] = out->p[i];
        buf_cut(out, to);
        shell_error(sh, "warning: command substitution: ignored null byte in input");
    }
    size_t n = out->n;
    while (n > from && out->p[n - 1] == '\n')
        n--;
    buf_cut(out, n);
}

/* The child of a substitution: errexit is off in it unless an option says otherwise. */
static void cmdsub_prepare(struct shell *c)
{
    c->in_cmdsub = true;
    c->trace_level++;
    c->jobs = NULL;
    if (!SH_SHOPT(c, SHOPT_INHERIT_ERREXIT) && !SH_OPT(c, OPT_POSIX))
        c->opts &= ~(UINT64_C(1) << OPT_ERREXIT);
}

static int cmdsub_run(struct shell *sh, struct node *body, struct buf *out)
{
    struct subshell s;
    struct shell *c = subshell_enter(sh, &s);
    if (!c)
        return sh->status;
    struct file *f = memfile_writer(sh->kernel, out, UINT64_MAX, NULL, NULL);
    if (f && fdtab_set(&c->fdtab, 1, file_ref(f), false) >= 0) {
        cmdsub_prepare(c);
        job_copy(c, sh);
        if (cmdsub_is_file(body))
            c->status =
                cmdsub_file(c, body->kind == NODE_LIST ? body->u.list.items[0].node : body, out);
        else
            eval_node(c, body, EVAL_LAST);
    }
    int status = shell_exit(c);
    shell_free(c);
    /* Whoever still holds the other end may go on writing. */
    if (f && f->refs > 1)
        memfile_wait_alone(f, &s.proc);
    if (f && f->refs > 1)
        memfile_detach(f);
    file_unref(f);
    proc_leave(&s.proc);
    if (s.proc.killed)
        status = 128 + s.proc.killed;
    if (UNLIKELY(proc_check(sh->proc) < 0))
        eval_killed(sh);
    return status;
}

int eval_cmdsub(struct shell *sh, struct node *body, struct buf *out)
{
    size_t from = out->n;
    if (UNLIKELY(proc_tick(sh->proc, 1) < 0)) {
        eval_killed(sh);
        return HOB_EKILLED;
    }
    if (UNLIKELY(task_stack_low(sh->proc->task))) {
        eval_too_deep(sh);
        return HOB_ELIMIT;
    }
    int status = body ? cmdsub_run(sh, body, out) : 0;
    if (sh->heap->oom)
        return HOB_ENOMEM;
    if (sh->ctl != CTL_NONE)
        return HOB_EKILLED;
    job_reap(sh);
    cmdsub_clean(sh, out, from);
    sh->cmdsub_status = status;
    eval_set_status(sh, status);
    return 0;
}

/* ---- processes on their own task ------------------------------------------------------------- */

struct stage {
    struct shell *sh;
    struct node *node;
};

/* A simple command whose words could not be expanded: bash has not yet taken the EXIT trap of its
 * parent away. */
static void stage_failed(struct shell *sh, const struct node *n)
{
    if (n->kind != NODE_SIMPLE || sh->dispatched || !sh->traps_reset ||
        (sh->ctl != CTL_ABORT && sh->ctl != CTL_EXIT))
        return;
    sh->ctl = CTL_NONE;
    sh->exiting = true;
    trap_run_exit(sh);
}

static int stage_main(struct proc *p)
{
    struct stage *st = p->owner;
    if (!st) /* there was no memory to prepare it */
        return 1;
    struct shell *sh = st->sh;
    struct node *n = st->node;
    heap_drop(sh->heap, st);
    if (n->kind == NODE_SUBSHELL)
        subshell_body(sh, n);
    else
        eval_node(sh, n, EVAL_LAST);
    stage_failed(sh, n);
    int status = shell_exit(sh);
    shell_free(sh);
    return status;
}

/* Background commands of a shell without job control do not hear the keyboard. */
static int stage_background(struct shell *sh, struct proc *p)
{
    if (SH_OPT(sh, OPT_MONITOR))
        return 0;
    p->sig_ignored |= SIG_BIT(SIG_INT) | SIG_BIT(SIG_QUIT);
    if (sh->stdin_redir)
        return 0;
    struct file *f = memfile_null(sh->kernel);
    return f ? fdtab_set(p->fds, 0, f, false) : HOB_ENOMEM;
}

/* A simple command as a stage: its DEBUG trap has run, and bash counts it as a subshell only after
 * its words are expanded. */
static void stage_simple(struct shell *c, const struct node *n)
{
    c->stage = n;
    c->trap_special &= ~TRAP_BIT_DEBUG;
    c->subshell--;
    c->subshell_late = true;
}

/* A subshell node runs in the stage itself, so it is one level, not two. */
static int stage_prepare(struct shell *sh, struct proc *p, struct node *n,
                         const struct spawn_opts *o)
{
    int r = 0;
    if (o->background)
        r = stage_background(sh, p);
    if (o->fd0 && r >= 0)
        r = fdtab_set(p->fds, 0, file_ref(o->fd0), false);
    if (o->fd1 && r >= 0)
        r = fdtab_set(p->fds, 1, file_ref(o->fd1), false);
    if (SH_OPT(sh, OPT_MONITOR))
        p->pgid = o->pgid ? o->pgid : p->pid;
    struct stage *st = r >= 0 ? heap_new(sh->heap, struct stage) : NULL;
    struct shell *c = st ? shell_fork(sh, p, NULL) : NULL;
    if (!c) {
        if (st)
            heap_drop(sh->heap, st);
        return HOB_ENOMEM;
    }
    c->dispatched = false;
    c->alone = n;
    if (n->kind != NODE_SIMPLE && !SH_COMPAT(c, 44))
        c->loops = 0;
    c->stdin_redir = sh->stdin_redir || (o->fd0 && !o->background);
    if (o->background) {
        c->hard_ignored |= SH_OPT(sh, OPT_MONITOR) ? 0 : SIG_BIT(SIG_INT) | SIG_BIT(SIG_QUIT);
        c->noerr = 0;
        c->in_cmdsub = false;
    } else {
        job_copy(c, sh);
        if (n->kind == NODE_SIMPLE)
            stage_simple(c, n);
    }
    c->opts &= ~(UINT64_C(1) << OPT_MONITOR);
    st->sh = c;
    st->node = n;
    p->owner = st;
    return 0;
}

int eval_spawn(struct shell *sh, struct node *n, const struct spawn_opts *o)
{
    int err = 0;
    struct proc *p = proc_spawn(sh->proc, stage_main, NULL, &err);
    if (p) {
        err = stage_prepare(sh, p, n, o);
        if (err < 0)
            proc_signal(p, SIG_KILL);
    }
    if (err < 0 || !p) {
        if (err == HOB_EAGAIN)
            shell_error(sh, "fork: retry: %s", error_text(HOB_EAGAIN));
        else if (sh->heap->oom)
            shell_oom(sh);
        if (sh->ctl == CTL_NONE)
            sh->status = 254;
        return err < 0 ? err : HOB_EAGAIN;
    }
    return p->pid;
}

/* Starts what runs in the background: a pipeline as one process for each stage. Their number, with
 * *pids on the arena. */
static int background_start(struct shell *sh, struct node *n, int **pids)
{
    struct spawn_opts o = {.background = true};
    bool pipe = n->kind == NODE_PIPE && !n->nredirs;
    int count = pipe ? n->u.pipe.n : 1, started = 0;
    struct file *in = NULL;
    *pids = arena_array(&sh->arena, int, count);
    while (*pids && started < count) {
        struct file *rd = NULL, *wr = NULL;
        if (started + 1 < count && pipe_new(sh->kernel, &rd, &wr) < 0)
            break;
        o.fd0 = in;
        o.fd1 = wr;
        int pid = eval_spawn(sh, pipe ? n->u.pipe.cmds[started] : n, &o);
        file_unref(wr);
        file_unref(in);
        in = rd;
        if (pid < 0)
            break;
        if (!o.pgid)
            o.pgid = pid;
        (*pids)[started++] = pid;
    }
    file_unref(in);
    return started;
}

/* The DEBUG trap of a simple stage belongs to the shell that starts it. False: leave it all. */
static bool pipeline_debug(struct shell *sh, struct node *n)
{
    if (!sh->in_trap && (n->kind == NODE_SIMPLE || n->kind == NODE_SUBSHELL))
        sh->command = n;
    if (n->kind != NODE_SIMPLE)
        return true;
    sh->line = n->line + sh->line_base;
    if (LIKELY(!(sh->trap_special & TRAP_BIT_DEBUG)))
        return true;
    eval_debug(sh, n);
    return sh->ctl == CTL_NONE;
}

int eval_background(struct shell *sh, struct node *n)
{
    int *pids, line = sh->line;
    if (UNLIKELY(proc_tick(sh->proc, 1) < 0))
        return eval_killed(sh);
    if (n->kind == NODE_SIMPLE || n->kind == NODE_SUBSHELL)
        sh->line = (n->kind == NODE_SIMPLE ? n->line : n->line_end) + sh->line_base;
    if (UNLIKELY(sh->trap_special & TRAP_BIT_DEBUG)) {
        bool pipe = n->kind == NODE_PIPE && !n->nredirs;
        for (int i = 0; i < (pipe ? n->u.pipe.n : 1); i++)
            if (!pipeline_debug(sh, pipe ? n->u.pipe.cmds[i] : n))
                return sh->status;
    }
    struct arena_mark m = arena_mark(&sh->arena);
    int count = background_start(sh, n, &pids);
    struct job *j = count ? job_add(sh, pids, count, n, false) : NULL;
    int pid = count ? pids[count - 1] : 0;
    arena_release(&sh->arena, m);
    if (!count)
        return sh->status;
    if (n->kind == NODE_SIMPLE)
        sh->line = line;
    sh->last_bg = pid;
    if (j && sh->interactive) {
        struct buf b;
        buf_init(&b, sh->heap);
        buf_printf(&b, "[%d] %d\n", j->id, pid);
        proc_puts(sh->proc, 2, buf_get(&b));
        buf_fini(&b);
    }
    return eval_set_status(sh, 0);
}

/* ---- pipelines ------------------------------------------------------------------------------- */

static int pipeline_room(struct shell *sh, int n)
{
    if (n <= sh->cappipestatus)
        return 0;
    int *p = heap_alloc(sh->heap, (size_t)n * sizeof *p);
    if (!p)
        return HOB_ENOMEM;
    if (sh->pipestatus != sh->pipe_small)
        heap_free(sh->heap, sh->pipestatus, (size_t)sh->cappipestatus * sizeof *p);
    sh->pipestatus = p;
    sh->cappipestatus = n;
    return 0;
}

/* The last stage, in a subshell on this task, or with lastpipe in the shell itself. */
static int pipeline_last(struct shell *sh, struct node *n, struct file *in)
{
    if (SH_SHOPT(sh, SHOPT_LASTPIPE) && !SH_OPT(sh, OPT_MONITOR)) {
        struct redir_save *save = NULL;
        struct arena_mark m = arena_mark(&sh->arena);
        /* A failure counts here and once more for the pipeline; behind ! only without errexit. */
        bool quiet = sh->noerr && SH_OPT(sh, OPT_ERREXIT);
        sh->noerr += quiet;
        if (redir_replace(sh, 0, in, &save) >= 0)
            eval_node(sh, n, 0);
        sh->noerr -= quiet;
        redir_restore(sh, save);
        arena_release(&sh->arena, m);
        return sh->status;
    }
    struct subshell s;
    struct shell *c = subshell_enter(sh, &s);
    if (!c) {
        file_unref(in);
        return sh->status;
    }
    c->dispatched = false;
    c->alone = n;
    if (n->kind != NODE_SIMPLE && !SH_COMPAT(c, 44))
        c->loops = 0;
    c->stdin_redir = true;
    if (n->kind == NODE_SIMPLE)
        stage_simple(c, n);
    if (fdtab_set(&c->fdtab, 0, in, false) >= 0) {
        job_copy(c, sh);
        if (n->kind == NODE_SUBSHELL)
            subshell_body(c, n);
        else
            eval_node(c, n, EVAL_LAST);
        stage_failed(c, n);
    }
    int status = subshell_leave(sh, &s);
    sh->pipe_sig = s.proc.killed;
    if (status && n->kind == NODE_SUBSHELL && (sh->trap_special & TRAP_BIT_ERR) &&
        sh->noerr <= sh->noerr_not && sh->ctl == CTL_NONE) {
        sh->status = status; /* ( ) as the last stage counts by itself too */
        trap_run(sh, TRAP_ERR);
    }
    return status;
}

/* Starts all stages but the last. The number started; *in is what the last one reads. */
static int pipeline_start(struct shell *sh, struct node *n, int *pids, struct file **in)
{
    int count = n->u.pipe.n - 1, started = 0;
    struct spawn_opts o = {0};
    *in = NULL;
    for (int i = 0; i < count; i++) {
        struct file *rd, *wr;
        if (!pipeline_debug(sh, n->u.pipe.cmds[i]))
            break;
        if (pipe_new(sh->kernel, &rd, &wr) < 0) {
            shell_oom(sh);
            break;
        }
        o.fd0 = *in;
        o.fd1 = wr;
        int pid = eval_spawn(sh, n->u.pipe.cmds[i], &o);
        file_unref(wr);
        file_unref(*in);
        *in = rd;
        if (pid < 0)
            break;
        if (!o.pgid)
            o.pgid = pid;
        pids[started++] = pid;
    }
    return started;
}

static int pipeline_status(struct shell *sh, int n)
{
    int status = sh->pipestatus[n - 1];
    if (SH_OPT(sh, OPT_PIPEFAIL))
        for (int i = n - 1; i >= 0 && status == 0; i--)
            status = sh->pipestatus[i];
    return status;
}

static int pipeline_run(struct shell *sh, struct node *n, int *pids)
{
    struct file *in;
    int count = n->u.pipe.n, sig = 0, last_sig = 0;
    sh->pipe_sig = 0;
    int started = pipeline_start(sh, n, pids, &in);
    if (started < count - 1) {
        file_unref(in);
        for (int i = 0; i < started; i++)
            job_wait_foreground(sh, pids[i], &sig);
        return sh->status;
    }
    /* The stages begin in their order: what they say first comes out so. */
    task_yield(sh->proc->task);
    bool here = SH_SHOPT(sh, SHOPT_LASTPIPE) && !SH_OPT(sh, OPT_MONITOR);
    if (!here && !pipeline_debug(sh, n->u.pipe.cmds[count - 1])) {
        file_unref(in);
        return sh->status;
    }
    int line = sh->line;
    int last = pipeline_last(sh, n->u.pipe.cmds[count - 1], in);
    last_sig = sh->pipe_sig;
    uint8_t ctl = sh->ctl;
    if (pipeline_room(sh, count) < 0)
        return sh->status;
    int statuses[PIPE_STAGES_STACK];
    for (int i = 0; i < started; i++) {
        int st = job_wait_foreground(sh, pids[i], &sig);
        if (i < PIPE_STAGES_STACK)
            statuses[i] = st;
        else
            sh->pipestatus[i] = st;
    }
    for (int i = 0; i < MIN(started, PIPE_STAGES_STACK); i++)
        sh->pipestatus[i] = statuses[i];
    sh->pipestatus[count - 1] = last;
    sh->npipestatus = count;
    sh->line = line;
    if (ctl != CTL_NONE || sh->ctl != CTL_NONE)
        return sh->status;
    sh->status = pipeline_status(sh, count);
    if (last_sig && last_sig != SIG_INT && last_sig != SIG_PIPE)
        job_tell_signal(sh, pids[0], last_sig, n);
    job_reap(sh);
    return sh->status;
}

int eval_pipe(struct shell *sh, struct node *n, int flags)
{
    int few[PIPE_STAGES_STACK], count = n->u.pipe.n;
    struct arena_mark m = arena_mark(&sh->arena);
    struct procsub *ps = sh->procsubs;
    (void)flags;
    int *pids = count <= PIPE_STAGES_STACK ? few : arena_array(&sh->arena, int, count);
    if (UNLIKELY(proc_tick(sh->proc, count) < 0))
        return eval_killed(sh);
    if (pids)
        pipeline_run(sh, n, pids);
    else
        shell_oom(sh);
    if (sh->procsubs != ps)
        eval_close_procsubs(sh, ps);
    arena_release(&sh->arena, m);
    if (UNLIKELY(sh->heap->oom))
        shell_oom(sh);
    if (UNLIKELY(trap_pending(sh)) && sh->ctl == CTL_NONE)
        traps_run_pending(sh);
    if (UNLIKELY(sh->status))
        eval_check_node(sh, n);
    return sh->status;
}

/* ---- process substitution -------------------------------------------------------------------- */

int eval_high_fd(struct shell *sh, struct file *f, int from)
{
    for (int fd = from; fd > 9; fd--)
        if (!fdtab_get(sh->proc->fds, fd)) {
            int r = fdtab_set(sh->proc->fds, fd, f, false);
            return r < 0 ? r : fd;
        }
    int max = proc_max_fds(sh->proc);
    return fdtab_add(sh->proc->fds, f, from + 1, false, max);
}

int eval_procsub(struct shell *sh, struct node *body, bool out, struct str *path)
{
    static const struct node empty = {.kind = NODE_GROUP};
    struct file *rd, *wr;
    struct procsub *s = heap_new(sh->heap, struct procsub);
    if (!s || pipe_new(sh->kernel, &rd, &wr) < 0) {
        if (s)
            heap_drop(sh->heap, s);
        return HOB_ENOMEM;
    }
    struct spawn_opts o = {.fd0 = out ? rd : NULL, .fd1 = out ? NULL : wr};
    sh->trace_level++;
    int pid = eval_spawn(sh, body ? body : (struct node *)&empty, &o);
    sh->trace_level--;
    file_unref(out ? rd : wr);
    int fd = pid < 0 ? pid : eval_high_fd(sh, out ? wr : rd, PIPE_HIGH_FD);
    if (pid < 0)
        file_unref(out ? wr : rd);
    if (fd < 0) {
        heap_drop(sh->heap, s);
        return fd;
    }
    *s = (struct procsub){sh->procsubs, fd, pid};
    sh->procsubs = s;
    sh->last_bg = pid;
    job_add(sh, &pid, 1, NULL, true);
    *path = arena_printf(&sh->arena, "/dev/fd/%d", fd);
    return path->p ? 0 : HOB_ENOMEM;
}

void eval_close_procsubs(struct shell *sh, struct procsub *until)
{
    while (sh->procsubs && sh->procsubs != until) {
        struct procsub *s = sh->procsubs;
        sh->procsubs = s->next;
        if (fdtab_get(sh->proc->fds, s->fd))
            fdtab_close(sh->proc->fds, s->fd);
        heap_drop(sh->heap, s);
    }
}

/* ---- coprocesses ----------------------------------------------------------------------------- */

static int coproc_variables(struct shell *sh, struct str name, int rd, int wr, int pid)
{
    struct str words[2] = {arena_printf(&sh->arena, "%d", rd), arena_printf(&sh->arena, "%d", wr)};
    struct str pid_name = arena_printf(&sh->arena, "%.*s_PID", STR_ARG(name));
    struct sym *s = sym_intern(sh, name), *p = pid_name.p ? sym_intern(sh, pid_name) : NULL;
    if (!s || !p || !words[0].p || !words[1].p)
        return HOB_ENOMEM;
    int r = var_set_words(sh, s, words, 2);
    return r < 0 ? r : var_set_int(sh, p, pid);
}

static int coproc_run(struct shell *sh, struct node *n)
{
    struct file *rd, *wr, *in, *out;
    struct str name = n->u.coproc.name.n ? n->u.coproc.name : STR("COPROC");
    struct job *old = NULL;
    job_poll(sh);
    for (struct job *j = sh->jobs; j; j = j->next)
        if (j->coproc.n && !job_is_done(j))
            old = j;
    if (old)
        shell_error(sh, "warning: execute_coproc: coproc [%d:%.*s] still exists", old->procs[0].pid,
                    STR_ARG(old->coproc));
    if (pipe_new(sh->kernel, &rd, &out) < 0) {
        shell_oom(sh);
        return sh->status;
    }
    if (pipe_new(sh->kernel, &in, &wr) < 0) {
        file_unref(rd);
        file_unref(out);
        shell_oom(sh);
        return sh->status;
    }
    struct spawn_opts o = {.fd0 = in, .fd1 = out, .background = true};
    int pid = eval_spawn(sh, n->u.coproc.body, &o);
    file_unref(in);
    file_unref(out);
    if (pid < 0) {
        file_unref(rd);
        file_unref(wr);
        return sh->status;
    }
    /* The numbers are those that bash ends up with: four descriptors from 63 down, of which it
     * closes the two in the middle. */
    int r = eval_high_fd(sh, rd, PIPE_HIGH_FD), w = r;
    for (int skip = 3; skip && w > 10;)
        skip -= !fdtab_get(sh->proc->fds, --w);
    w = eval_high_fd(sh, wr, w > 10 ? w : PIPE_HIGH_FD);
    if (r >= 0)
        sh->proc->fds->p[r].cloexec = true;
    if (w >= 0)
        sh->proc->fds->p[w].cloexec = true;
    struct arena_mark m = arena_mark(&sh->arena);
    struct job *j = job_add(sh, &pid, 1, n, false);
    if (j)
        job_set_coproc(sh, j, name);
    sh->last_bg = pid;
    coproc_variables(sh, name, r, w, pid);
    arena_release(&sh->arena, m);
    return eval_set_status(sh, 0);
}

int eval_coproc(struct shell *sh, struct node *n)
{
    int line = sh->line;
    sh->line = n->line ? n->line + sh->line_base : line;
    coproc_run(sh, n);
    sh->line = line;
    return sh->status;
}

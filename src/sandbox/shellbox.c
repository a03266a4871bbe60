/* shellbox.c -- a shell that stays between calls
 *
 * Its process has no task while nothing runs. Each call gives it one, and a run of its own with the
 * call's deadline and fuel.
 */
#include "base/error.h"
#include "sandbox/sandbox.h"

static struct run *shellbox_run(struct kernel *k)
{
    struct run *r = heap_new(&k->heap, struct run);
    if (r)
        *r = (struct run){
            .kernel = k, .refs = 1, .deadline = INT64_MAX, .fuel_left = UINT64_MAX};
    return r;
}

static int shellbox_setup(struct hob_shell *s, const hob_exec_options *o, struct hob_error *err)
{
    struct hob_sandbox *box = s->box;
    struct kernel *k = &box->kernel;
    struct outside out;
    s->proc = *outside_init(&out, box);
    s->run = shellbox_run(k);
    int r = s->run ? 0 : HOB_ENOMEM;
    if (r == 0 && !(o && o->replace_env))
        r = envlist_copy(&k->heap, &s->env, &box->env);
    for (const char *const *e = o ? o->env : NULL; e && *e && r == 0; e++)
        r = envlist_set(&k->heap, &s->env, str_z(*e));
    if (r < 0)
        return r;
    struct buf b;
    buf_init(&b, &k->heap);
    path_normalise(&b, box->cwd, str_z(o && o->cwd ? o->cwd : ""));
    s->proc.cwd = arena_str(&s->arena, buf_get(&b));
    buf_fini(&b);
    struct stat_info st;
    if (!s->proc.cwd.p)
        return HOB_ENOMEM;
    r = vfs_stat(&s->proc, s->proc.cwd, 0, &st);
    if (r < 0)
        return error_set(err, r, "%.*s: %s", STR_ARG(s->proc.cwd), error_text(r));
    s->proc.run = s->run;
    s->proc.fds = &s->fds;
    s->proc.arena = &s->arena;
    s->proc.env_ctx = &s->env;
    s->proc.started = sched_now(&k->sched);
    s->proc.name = s->proc.cmdline = STR("bash");
    /* Setting up a shell runs no command: the task of the outside process is good enough. */
    s->proc.task = &out.task;
    s->proc.pid = ++k->next_pid;
    s->proc.pgid = s->proc.sid = s->proc.pid;
    struct str name = arena_str(&s->arena, str_z(o && o->name ? o->name : "bash"));
    s->shell = name.p ? shell_new(&s->proc, name, NULL, 0) : NULL;
    s->proc.task = NULL;
    if (s->shell && o && o->tty)
        shell_interactive(s->shell);
    return s->shell ? 0 : HOB_ENOMEM;
}

int hob_shell_open(hob_sandbox *box, const hob_exec_options *opt, hob_shell **out, hob_error *err)
{
    struct heap *h = &box->kernel.heap;
    *out = NULL;
    if (err)
        *err = (hob_error){0};
    struct hob_shell *s = heap_new(h, struct hob_shell);
    if (!s)
        return error_set(err, heap_gate(h), "%s", error_text(HOB_ENOMEM));
    s->box = box;
    s->next = box->shells;
    box->shells = s;
    arena_init(&s->arena, h);
    fdtab_init(&s->fds, h);
    int r = shellbox_setup(s, opt, err);
    if (r < 0) {
        hob_shell_close(s);
        heap_gate(h);
        if (err && !err->code)
            error_set(err, r, "%s", error_text(r));
        return r;
    }
    *out = s;
    return 0;
}

void hob_shell_close(hob_shell *s)
{
    struct kernel *k = &s->box->kernel;
    for (struct hob_job *j = s->box->jobs, *next; j; j = next) {
        next = j->next;
        if (j->shell == s)
            hob_job_finish(j, NULL);
    }
    struct outside out;
    outside_init(&out, s->box);
    s->proc.task = &out.task;
    if (s->shell)
        shell_free(s->shell);
    for (struct hob_shell **at = &s->box->shells; *at; at = &(*at)->next)
        if (*at == s) {
            *at = s->next;
            break;
        }
    while (s->proc.child) { /* background processes of the shell's live on, orphaned */
        struct proc *c = s->proc.child;
        s->proc.child = c->sibling;
        c->parent = NULL;
        if (c->state == PROC_ZOMBIE)
            proc_free(c);
    }
    fdtab_fini(&s->fds);
    envlist_fini(&k->heap, &s->env);
    arena_fini(&s->arena);
    if (s->run)
        run_unref(s->run);
    heap_drop(&k->heap, s);
}

/* Runs on the task of one call. */
static void shellbox_main(void *arg)
{
    struct hob_job *j = arg;
    struct hob_shell *s = j->shell;
    struct shell *sh = s->shell;
    struct proc *p = &s->proc;
    struct kernel *k = p->kernel;
    j->status = shell_run_line(sh, j->script) & 255;
    s->exited = sh->ctl == CTL_EXIT;
    if (s->exited)
        j->status = shell_exit(sh) & 255;
    else
        sh->ctl = CTL_NONE;
    j->killed = p->killed ? p->killed : j->run->dead_signal;
    if (j->killed)
        j->status = 128 + j->killed;
    if (p->killed && j->run->dead_signal == 0)
        s->exited = true;
    p->killed = 0;
    p->sig_pending = 0;
    for (int fd = 0; fd < 3; fd++)
        if (fdtab_get(p->fds, fd) == j->files[fd])
            fdtab_close(p->fds, fd);
    p->task = NULL;
    p->run = s->run;
    proc_detach(p);
    j->done = true;
    j->proc = NULL;
    j->ended = sched_now(&k->sched);
    s->busy = false;
}

int hob_shell_exec_start(hob_shell *s, const char *script, const hob_exec_options *opt,
                         hob_job **out, hob_error *err)
{
    static const hob_exec_options defaults = {.size = sizeof(hob_exec_options)};
    const hob_exec_options *o = opt ? opt : &defaults;
    struct kernel *k = &s->box->kernel;
    *out = NULL;
    if (s->busy || s->exited)
        return error_set(err, HOB_EBUSY, s->busy ? "the shell runs a command" : "it has exited");
    struct hob_job *j = heap_new(&k->heap, struct hob_job);
    if (!j)
        return error_set(err, heap_gate(&k->heap), "%s", error_text(HOB_ENOMEM));
    j->box = s->box;
    j->shell = s;
    arena_init(&j->arena, &k->heap);
    j->next = s->box->jobs;
    s->box->jobs = j;
    int r = exec_prepare(j, script, o);
    for (int fd = 0; fd < 3 && r == 0; fd++)
        if (!fdtab_get(&s->fds, fd))
            r = MIN(fdtab_set(&s->fds, fd, file_ref(j->files[fd]), false), 0);
    struct task *t = r == 0 ? task_new(&k->sched, shellbox_main, j, &s->proc) : NULL;
    if (!t) {
        exec_free(j);
        heap_gate(&k->heap);
        return error_set(err, r < 0 ? r : HOB_ENOMEM, "%s", error_text(r < 0 ? r : HOB_ENOMEM));
    }
    s->proc.task = t;
    s->proc.run = j->run;
    s->busy = true;
    proc_attach(&s->proc);
    j->proc = &s->proc;
    *out = j;
    return 0;
}

int hob_shell_exec(hob_shell *s, const char *script, const hob_exec_options *opt, hob_result *res)
{
    hob_job *job;
    int r = hob_shell_exec_start(s, script, opt, &job, NULL);
    if (r < 0)
        return r;
    r = exec_to_end(job);
    return r < 0 ? r : hob_job_finish(job, res);
}

int hob_shell_exited(const hob_shell *s)
{
    return s->exited;
}

const char *hob_shell_cwd(hob_shell *s)
{
    return s->proc.cwd.p;
}
